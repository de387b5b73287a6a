"""What mails tell once, and what only where it has changed; invitations, windows for talks, rewinds. Over real SMTP."""

from __future__ import annotations

import re

from pbem.campaign.clock import ManualClock
from pbem.campaign.moderators import Moderators
from pbem.campaign.service import Service
from pbem.mail.outbound import Courier
from pbem.mail.room import MailRoom
from tests.mail.conftest import DOMAIN, Game, Post, SmartHost, html_of, text_of

SEATS = {"seat1": "Anna", "seat2": "Björn", "seat3": "Chloé", "seat4": "Dora", "seat5": "Emil", "seat6": "Fedor"}


def here_i_stand(service: Service, clock: ManualClock, language: str = "en") -> Game:
    """A campaign that begins with talks, whose seats are invited."""
    campaign = service.create("here_i_stand", 6, scenario="1532", campaign="winter", title="Winter")
    tokens = {
        seat: service.invite(campaign, seat, name, f"{seat}@example.org", language=language)
        for seat, name in SEATS.items()
    }
    return Game(service, clock, campaign, tokens)


def begin(game: Game) -> None:
    for seat in game.tokens:
        game.service.accept(game.campaign, seat)
    game.service.start(game.campaign)
    game.service.project()


def body(message: object) -> str:
    return " ".join(text_of(message).split())  # type: ignore[arg-type]


def test_an_invitation_says_who_invites_and_how_long_questions_stay_open(
    service: Service, clock: ManualClock, courier: Courier, host: SmartHost
) -> None:
    game = here_i_stand(service, clock)
    moderators = Moderators(service.store)
    moderators.add("greta", "a long password", clock.now())
    moderators.take(game.campaign, "greta")
    service.project()
    courier.send_due()
    (mail,) = host.to("seat1@example.org")
    assert "greta runs this campaign and invites you." in body(mail) and "greta runs" in html_of(mail)
    assert "Time to answer, as a rule: 1 day; " in body(mail) and re.search(r"[Ii]mpulse: 3 days", body(mail))


def test_the_mail_of_a_window_tells_deadline_and_end_once(
    service: Service, clock: ManualClock, courier: Courier, host: SmartHost
) -> None:
    game = here_i_stand(service, clock)
    begin(game)
    courier.send_due()
    told = body(host.to("seat1@example.org")[-1])
    assert told.count("left when this mail was written") == 1 and told.count("You may talk now with") == 1
    last = service.view_at(game.campaign).powers[-1]  # to whom the others announce
    for seat in game.tokens:  # also where none of the samples is legal
        told = body(host.to(f"{seat}@example.org")[-1])
        is_last = service.status(game.campaign).seats[seat]["powers"] == [last]
        assert ("ANNOUNCE <package number> <clauses>" not in told) is is_last
        assert "PRESS TO <to whom>: <message>" in told


def test_a_question_that_stays_open_after_an_answer_is_told_in_brief(
    service: Service, clock: ManualClock, room: MailRoom, courier: Courier, host: SmartHost
) -> None:
    game = here_i_stand(service, clock)
    begin(game)
    post = Post(game, room, courier, host)
    seat, example = next(
        (asked_seat, line) for asked_seat in game.tokens
        for line in service.asked(game.campaign, asked_seat)[0].examples if line.startswith("ANNOUNCE")
    )  # fmt: skip
    address = f"{seat}@example.org"
    told = []
    for line in (example, "STATUS", "Grmbl"):
        host.mails.clear()
        post.write(game.address(seat), line, sender=address)
        told.append(post.answers(address)[-1])
    for read in (body, html_of):
        brief, status, wrong = map(read, told)
        assert "Talk to the others" in brief and "PRESS TO" in brief
        assert "For example, all of these are legal now" not in brief
        assert "For example, all of these are legal now" in status
        assert re.search(r"ANNOUNCE \d", wrong), "among what would be right, or below"


def test_what_has_not_changed_is_told_by_status_alone(
    service: Service, clock: ManualClock, room: MailRoom, courier: Courier, host: SmartHost
) -> None:
    game = here_i_stand(service, clock)
    begin(game)
    post = Post(game, room, courier, host)
    post.write(game.address("seat1"), "DONE")
    (mail,) = post.answers()
    assert "What only you see" not in body(mail) and "What only you see" not in html_of(mail)
    assert not re.search(r"\(\d CP", body(mail))
    host.mails.clear()
    post.write(game.address("seat1"), "STATUS")
    (mail,) = post.answers()
    assert re.search(r"Hand \(\w+\): \d+ [^;]+ \(\d CP\)", body(mail))


def test_an_order_in_another_language_that_cannot_be_read_is_never_left_out_beside_others(
    service: Service, clock: ManualClock, room: MailRoom, courier: Courier, host: SmartHost
) -> None:
    game = here_i_stand(service, clock)
    begin(game)
    post = Post(game, room, courier, host)
    post.write(game.address("seat1"), "объявляю 1 чепуху с Никем\nготово")
    (mail,) = post.answers()
    assert "Not understood" in body(mail) and "Accepted" not in body(mail)


def test_french_mails_have_a_blank_before_their_colons(
    service: Service, clock: ManualClock, courier: Courier, host: SmartHost
) -> None:
    game = here_i_stand(service, clock, "fr")
    begin(game)
    courier.send_due()
    text = text_of(host.to("seat1@example.org")[-1])
    bare = [line for line in text.split("\n") if re.search(r"[a-zé)]: ", line) and "PRESS TO" not in line]
    assert [line for line in bare if "Here I Stand:" not in line] == []


def test_a_ruling_tells_what_it_changed_and_no_entries_of_the_board(post: Post) -> None:
    game = post.game
    game.service.rule(game.campaign, [{"fact": "count", "track": "gold", "power": "france", "after": 3}], "a slip")
    post.courier.send_due()
    for seat in game.tokens:
        told = body(post.host.to(f"{seat}@example.org")[-1])
        assert "The moderator has ruled" in told and "a slip" in told
        assert "What has changed on the board" not in told and "Population" not in told


def test_a_rewind_names_what_it_undid(post: Post) -> None:
    game = post.game
    seat = game.asked_seat()
    before = game.service.status(game.campaign).event
    line = game.legal_line(seat)
    game.send(seat, line)
    post.answers()
    post.host.mails.clear()
    game.service.rewind(game.campaign, before, "a mistake")
    other = next(one for one in game.tokens if one != seat)
    told = body(post.answers(f"{other}@example.org")[-1])
    assert "Undone: - " in told and DOMAIN not in told.split("Undone:")[1].split("What was seen")[0]


def test_who_gets_no_answers_is_not_asked_to_write_above_a_line(post: Post) -> None:
    game = post.game
    game.service.replace(game.campaign, "seat1", "Eva", "eva@example.org")
    farewell = next(one for one in post.answers("seat1@example.org") if "gone to another" in one["Subject"])
    assert "write your orders above" not in text_of(farewell)
    takeover = post.host.to("eva@example.org")[-1]
    assert "write your orders above" in text_of(takeover) and "This mail tells how things stand" in body(takeover)
    stands = text_of(takeover).split("What only you see")[-1]
    assert "How things stand" in stands and "Empires" in stands and "India" not in stands
    assert len(text_of(takeover).splitlines()) < 90


def test_a_subject_says_what_is_asked_and_until_when(post: Post) -> None:
    game = post.game
    seat = game.asked_seat()
    game.clock.advance(hours=60)  # a reminder is due
    game.service.tick(game.clock.now())
    reminder = post.answers(f"{seat}@example.org")[-1]
    assert re.search(r", by \d+ \w+, \d+:\d\d", str(reminder["Subject"]))


def test_help_shows_for_examples_only_what_may_be_named_now(post: Post) -> None:
    game = post.game
    seat = game.asked_seat()
    post.write(game.address(seat), "HELP PLACE", sender=f"{seat}@example.org")
    told = body(post.answers(f"{seat}@example.org")[-1])
    assert "a name: unit, such as Army, Navy, Fort" in told or "a name: unit, such as Army" in told
    other = next(one for one in game.tokens if one != seat)
    post.write(game.address(other), "HELP PLACE", sender=f"{other}@example.org")
    assert "such as" not in body(post.answers(f"{other}@example.org")[-1]).split("HELP PLACE")[1].split("Nothing is")[0]
