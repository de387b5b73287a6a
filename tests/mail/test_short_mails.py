"""Mails are short: the board as far as it has changed, cards whole once. Over real SMTP, in and out."""

from __future__ import annotations

import lxml.html
import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.links import seat_link
from pbem.campaign.service import Service
from pbem.mail.outbound import Courier
from pbem.mail.room import MailRoom
from pbem.render.board_text import CONTINUED, changed_words, parts_of, unfolded
from tests.mail.conftest import Game, Post, SmartHost, html_of, text_of

CARD = {"en": ("CARD P9", "value 3", "French aid is on"), "fr": ("CARD P9", "valeur 3", "L’aide française"),
        "ru": ("CARD P9", "число 3", "помощь")}  # fmt: skip


@pytest.fixture
def war(service: Service, clock: ManualClock, courier: Courier, host: SmartHost, room: MailRoom) -> Post:
    """A campaign of Thirty Years War, whose hands are dealt at once; its first mails lie at the smart host."""
    campaign = service.create("thirty_years_war", 2, campaign="war", title="War")
    tokens = {s: service.invite(campaign, s, s, f"{s}@example.org") for s in ("seat1", "seat2")}
    for seat in tokens:
        service.accept(campaign, seat)
    service.assign(campaign, {"seat1": "protestant", "seat2": "catholic"})
    service.start(campaign)
    return Post(Game(service, clock, campaign, tokens), room, courier, host)


def body(message: object) -> str:
    return " ".join(text_of(message).split())  # type: ignore[arg-type]


def write(post: Post, seat: str, *lines: str) -> str:
    """What a seat is answered to lines; the mails of before are put away."""
    post.host.mails.clear()
    post.write(post.game.address(seat), "\n".join(lines), sender=f"{seat}@example.org")
    return body(post.answers(f"{seat}@example.org")[-1])


def test_a_card_is_told_whole_when_it_comes_and_by_name_from_then_on(war: Post) -> None:
    service, seat = war.game.service, war.game.asked_seat()
    hand = service.view_at("war", seat).hand_of(service.status("war").seats[seat]["powers"])
    effect = service.kit_of("war").tables["cards"][hand[0]]["text"]
    first = write(war, seat, "STATUS")
    assert effect not in first and f"{hand[0]} " in first
    assert f"What a card does: CARD {hand[0]}; all of yours: HAND." in first
    assert effect in write(war, seat, f"CARD {hand[0]}")


@pytest.mark.parametrize("line", ["HAND", "what cards do I have?", "ma main", "какие у меня карты?"])
def test_who_asks_for_his_hand_is_told_his_own_cards_whole_and_nobody_elses(war: Post, line: str) -> None:
    service = war.game.service
    cards = service.kit_of("war").tables["cards"]
    hands = {s: service.view_at("war", s).hand_of(service.status("war").seats[s]["powers"]) for s in war.game.tokens}
    for seat, other in (("seat1", "seat2"), ("seat2", "seat1")):
        told = write(war, seat, line)
        assert "Understood as: HAND" in told or line == "HAND"
        assert all(" ".join(cards[card]["text"].split()) in told for card in hands[seat])
        assert not any(" ".join(cards[card]["text"].split()) in told for card in hands[other])


def test_the_opening_tells_the_cards_that_were_dealt(
    service: Service, clock: ManualClock, courier: Courier, host: SmartHost
) -> None:
    campaign = service.create("thirty_years_war", 2, campaign="war", title="War")
    for seat in ("seat1", "seat2"):
        service.invite(campaign, seat, seat, f"{seat}@example.org")
        service.accept(campaign, seat)
    service.start(campaign)
    courier.send_due()
    opening = host.to("seat1@example.org")[-1]
    cards = service.kit_of(campaign).tables["cards"]
    hand = service.view_at(campaign, "seat1").hand_of(service.status(campaign).seats["seat1"]["powers"])
    assert hand and all(" ".join(cards[card]["text"].split()) in body(opening) for card in hand)
    assert all(cards[card]["text"].split()[0] in html_of(opening) for card in hand)
    names = [service.kit_of(campaign).display("card", card, "en") for card in hand]
    assert all(body(opening).count(f" {card} {name}") == 1 for card, name in zip(hand, names, strict=True))
    assert all(f"{card} {name}." not in body(opening) for card, name in zip(hand, names, strict=True))


def test_what_every_mail_would_repeat_is_told_whole_in_the_first_and_in_brief_after_it(war: Post) -> None:
    whole, brief = "HELP explains the orders, STATUS tells", "HELP: the orders. STATUS: how things stand."
    secret = "who has them plays for you"
    service = war.game.service
    service.create("thirty_years_war", 2, campaign="next", title="Next")
    service.invite("next", "seat1", "seat1", "new@example.org")
    war.courier.send_due()
    first, later = body(war.host.to("new@example.org")[-1]), write(war, "seat1", "STATUS")
    assert whole in first and secret in first and brief not in first
    assert brief in later and whole not in later and secret not in later


@pytest.mark.parametrize(("language", "told"), [
    ("en", "who plays the Protestants"), ("fr", "qui joue les protestants"), ("ru", "(протестанты)"),
])  # fmt: skip
def test_a_power_stands_with_its_article_where_the_sentence_wants_one(war: Post, language: str, told: str) -> None:
    write(war, "seat1", f"SET LANGUAGE {language}")
    assert told in write(war, "seat1", "STATUS")


@pytest.mark.parametrize("language", CARD)
def test_what_is_printed_on_any_card_is_told_in_the_readers_language(war: Post, language: str) -> None:
    line, worth, effect = CARD[language]
    write(war, "seat1", f"SET LANGUAGE {language}")
    told = write(war, "seat1", line)
    assert worth in told and effect in told
    both = write(war, "seat1", "CARD 9")  # each side has one of that number
    assert "P9 " in both and "C9 " in both


def test_a_card_that_there_is_not_is_told_so_and_where_a_card_is_stays_hidden(war: Post) -> None:
    assert "P99" in write(war, "seat1", "CARD P99")
    service = war.game.service
    theirs = service.view_at("war", "seat2").hand_of(["catholic"])
    asked = write(war, "seat1", f"CARD {theirs[0]}")
    deck = next(card for card in service.kit_of("war").tables["cards"] if card.startswith("C") and card not in theirs)
    other = write(war, "seat1", f"CARD {deck}")
    answered = [text.partition("CARD ")[2].partition("What only you see")[0] for text in (asked, other)]
    assert all("hand" not in text.casefold() for text in answered)


def test_the_board_in_words_stands_in_mails_as_far_as_it_is_wanted(game: Game, post: Post) -> None:
    place = "PLACE army AT german_states"
    seat = game.asked_seat()
    short = write(post, seat, place)
    assert "Pieces on the map" in short and "Tiles" not in short
    whole = write(post, seat, "STATUS BOARD")
    assert "Pieces on the map" in whole and "Tiles" in whole
    second = game.asked_seat()
    full = write(post, second, "SET BOARD full", game.legal_line(second))
    assert "Tiles" in full and "What has changed on the board" not in full
    refused = write(post, second, "PLACE army AT atlantis")  # it changes nothing: the mail before has the board
    assert "atlantis" in refused and "Tiles" not in refused
    third = game.asked_seat()
    none = write(post, third, "SET BOARD none", game.legal_line(third))
    assert "STRUGGLE OF EMPIRES" not in none and "Accepted" in none


def test_the_board_in_words_has_its_lines_as_they_were_broken(war: Post) -> None:
    write(war, "seat1", "STATUS BOARD")
    mail = war.answers("seat1@example.org")[-1]
    words = war.game.service.page("war", "seat1", "en").words
    assert f"\n{CONTINUED}" in words and words.strip() in text_of(mail).replace("\r\n", "\n")
    entry = next(entry for _, entries in parts_of(words) for entry in entries if CONTINUED in entry)
    assert unfolded(entry) in lxml.html.fromstring(html_of(mail)).text_content()


def test_the_heading_of_the_board_stands_in_no_answer_after_which_all_is_as_it_was(war: Post) -> None:
    assert "THIRTY YEARS WAR, TURN 1" in write(war, war.game.asked_seat(), "STATUS BOARD")
    assert "THIRTY YEARS WAR, TURN 1" not in write(war, war.game.asked_seat(), "SET LANGUAGE en")


@pytest.mark.parametrize("language, heading", [
    ("en", "What has changed on the board"), ("fr", "Ce qui a changé sur le plateau"),
    ("ru", "Что изменилось на поле"),
])  # fmt: skip
def test_html_says_what_has_changed_as_the_text_does_and_its_picture_leads_to_the_map(
    game: Game, post: Post, courier: Courier, language: str, heading: str
) -> None:
    seat = game.asked_seat()
    write(post, seat, f"SET LANGUAGE {language}")
    courier.pictures = True
    text = write(post, seat, "PLACE army AT german_states")
    html = html_of(post.host.to(f"{seat}@example.org")[-1])
    page = lxml.html.document_fromstring(html)
    (card,) = page.xpath(f"//div[h2[text()='{heading}']]")
    entries = [" ".join(entry.split()) for entry in card.xpath("./h3/text() | ./p[not(@class)]/text()")]
    assert len(entries) >= 2 and " ".join(entries) in text.partition(heading)[2]
    assert card.xpath("./a[img]/@href") == [seat_link(game.service.settings.site, game.campaign, game.tokens[seat])]


def test_without_the_board_no_picture_is_sent(game: Game, service: Service, host: SmartHost, courier: Courier) -> None:
    courier.pictures = True
    game.send("seat1", "SET BOARD none")
    game.send(game.asked_seat(), "PLACE army AT german_states")
    courier.send_due()
    pictures = {
        seat: any(part.get_content_type() == "image/png" for part in host.to(f"{seat}@example.org")[-1].walk())
        for seat in game.tokens
    }
    assert pictures == {"seat1": False, "seat2": True, "seat3": True}


def test_the_entries_that_have_changed_are_told_with_their_headings() -> None:
    table = "Table\n    A B\nFrance 1 2\nSpain"
    before = f"GAME, TURN 1\n\nUnits\nParis: 2 regulars\nLyon: 1 regular\n    and more\n\n{table} 3 4\n"
    now = f"GAME, TURN 2\n\nUnits\nParis: 3 regulars\nMetz: 1 regular\n\n{table} 5 4\n"
    assert changed_words(now, before) == (
        "GAME, TURN 2\n\nUnits\nParis: 3 regulars\nMetz: 1 regular\nLyon: –\n\nTable\n    A B\nSpain 5 4"
    )
    assert "Lyon: plus rien" in changed_words(now, before, "plus rien")
    assert changed_words(now, now) == changed_words(now, None) == "GAME, TURN 2"


def test_a_count_beside_a_name_does_not_make_another_entry() -> None:
    before = "GAME\n\nFaith\nProtestant spaces (6): A, B, C, D, E, F\nCatholic spaces (2): G, H"
    now = "GAME\n\nFaith\nProtestant spaces (5): A, B, C, D, E\nCatholic spaces (2): G, H"
    assert changed_words(now, before) == "GAME\n\nFaith\nProtestant spaces (5): A, B, C, D, E"


def test_a_message_may_speak_of_a_card_and_a_line_that_asks_of_one_ends_it(war: Post) -> None:
    answer = write(war, "seat1", "PRESS TO catholic: Think of it.", "Card tricks will not help.", "", "CARD P9")
    assert "French aid is on" in answer
    message = text_of(war.host.to("seat2@example.org")[-1])
    assert "Card tricks will not help." in message and "CARD P9" not in message
