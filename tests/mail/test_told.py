"""What mails tell of moves, silence and messages, and what their subjects name. Over real SMTP, in and out."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from markupsafe import Markup

from pbem.campaign import course, outbox
from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.submissions import Submission
from pbem.mail.compose import Mail, Part, Told, render
from pbem.mail.outbound import Courier
from pbem.mail.room import MailRoom
from pbem.render.language import find_language, find_zone
from pbem.render.narrative import Paragraph, Teller, narrate
from pbem.table.facts import Fact
from pbem.table.kit import load_kit
from tests.mail.conftest import POWERS, Game, Post, SmartHost, html_of, new_game, text_of

MOVE: list[Fact] = [
    {"fact": "state", "name": "cp_left", "before": 3, "after": 2, "why": "move_formation_clear"},
    {"fact": "happened", "what": "land_move", "aside": True, "power": "france", "origin": "paris", "space": "dijon",
     "force": {"units": {"france": {"regular": 3}, "scotland": {"regular": 1}}, "leaders": ["montmorency"]}},
    {"fact": "units", "power": "france", "kind": "regular", "number": 3, "origin": "paris", "place": "dijon",
     "why": "move", "section": "13.1"},
    {"fact": "units", "power": "scotland", "kind": "regular", "number": 1, "origin": "paris", "place": "dijon",
     "why": "move", "section": "13.1"},
    {"fact": "piece", "piece": "leader:montmorency", "before": {"at": "paris"}, "after": {"at": "dijon"},
     "why": "move", "section": "13.1"},
]  # fmt: skip
TOLD = {
    "en": "France moves 3 regulars, 1 regular of Scotland and Montmorency from Paris to Dijon (1 CP, 2 left).",
    "fr": "La France déplace 3 réguliers, 1 régulier de l'Écosse et Montmorency de Paris vers Dijon (1 PC, reste 2).",
    "ru": "Франция ведёт войска, Париж → Дижон: 3 регулярных отряда, 1 регулярный отряд Шотландии и Монморанси "
          "(1 СР, осталось 2).",
}  # fmt: skip


def body(message: object) -> str:
    return " ".join(text_of(message).split())  # type: ignore[arg-type]


def play(post: Post, seat: str, *lines: str) -> None:
    """Send lines of a seat; only the mails that come of them lie at the smart host then."""
    post.host.mails.clear()
    post.write(post.game.address(seat), "\n".join(lines), sender=f"{seat}@example.org")
    post.answers(f"{seat}@example.org")


@pytest.mark.parametrize("language", TOLD)
def test_a_move_is_told_as_one_with_all_that_goes_and_its_price(language: str) -> None:
    kit = load_kit("here_i_stand")
    told = [paragraph.text for paragraph in narrate(MOVE, kit, language)]
    assert told == [TOLD[language]]
    assert [place for paragraph in narrate(MOVE, kit, language) for place in paragraph.facts] == [0, 1]


def test_what_was_asked_about_a_move_is_told_before_and_what_came_of_it_after() -> None:
    kit = load_kit("here_i_stand")
    before, after = narrate(MOVE[:2], kit), narrate(MOVE[2:], kit)
    assert before[0].text == TOLD["en"]
    assert after[0].text == "France reaches Dijon with 3 regulars, 1 regular of Scotland and Montmorency."


def test_units_that_go_by_other_ways_are_told_each_for_itself() -> None:
    facts = [dict(fact, why="spring_deployment") for fact in MOVE[2:4]]
    facts[1] |= {"origin": "edinburgh", "place": "glasgow"}
    told = [paragraph.text for paragraph in narrate(facts, load_kit("here_i_stand"))]
    assert told == ["France moves 3 regulars from Paris to Dijon. Scotland moves 1 regular from Edinburgh to Glasgow."]


def test_command_points_that_are_given_up_are_told() -> None:
    end = {"fact": "state", "name": "cp_left", "before": 3, "after": None}
    assert narrate([end], load_kit("here_i_stand"))[0].text == "CP not spent: 3."
    assert not narrate([{**end, "before": 0}], load_kit("here_i_stand"))


# --- subjects --------------------------------------------------------------------------------------------------------


def test_a_subject_says_who_did_what_and_first_that_it_is_the_readers_move(game: Game, post: Post) -> None:
    first = game.asked_seat()
    play(post, first, "PLACE army AT german_states")
    asked = game.asked_seat()
    (mail,) = post.host.to(f"{asked}@example.org")
    subject = str(mail["Subject"])
    assert subject.startswith("[Winter] Your move: Place a unit – ")
    assert subject.endswith(" places an army in the German States")
    (other,) = [post.host.to(f"{seat}@example.org")[0] for seat in game.tokens if seat not in (first, asked)]
    assert "Your move" not in other["Subject"] and "places an army in the German States" in other["Subject"]


def test_a_subject_names_the_question_before_queued_orders_that_fell(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    play(post, seat, "PLACE army AT india", "PLACE navy AT central_europe")  # where there is no sea
    while game.asked_seat() != seat:
        asked = game.asked_seat()
        play(post, asked, game.legal_line(asked))
    (mail,) = post.host.to(f"{seat}@example.org")
    assert str(mail["Subject"]) == "[Winter] Your move: Place a unit – Your queued orders were dropped"
    assert "> PLACE navy AT central_europe" in text_of(mail) and "You may write:" in text_of(mail)


def test_a_subject_takes_the_sentence_that_names_who_acted_and_is_not_cut_at_an_abbreviation() -> None:
    def subject(*texts: str, power: str = "Ottoman") -> str:
        paragraphs = [Paragraph("x", text, Markup(text)) for text in texts]
        event = Told(1, "Ottoman: an order", paragraphs, power, [power, f"the {power}"] if power else [])
        part = Part("report", events=[event])
        return render(Mail("c", "W", "G", "A", "a@example.org", "s@example.org", None, "<1@x>", [part]))[0]

    told = subject("Patronage: 2 CP, 0 left.", "The Ottoman sponsors Sinan. All is well.")
    assert told == "The Ottoman sponsors Sinan"
    assert subject("Action Phase.") == "The Ottoman: Action Phase"
    assert subject("Building St. Peter's: 1 CP. More.", power="") == "Building St. Peter's: 1 CP"


@pytest.mark.parametrize("figure", [
    "Papacy: 18 → 19 VP", "Papauté : 18 → 19 PV", "Папство: 18 → 19 ПО", "CP not spent: 4", "ОД не потрачено: 4",
    "The Papacy throws 4 dice (reformers): 1 6 3 6 ⚀⚅⚂⚅",
])  # fmt: skip
def test_a_subject_tells_what_happened_and_not_a_throw_or_how_a_number_stands(figure: str) -> None:
    def subject(*events: str) -> str:
        stories = [Told(n, "", [Paragraph("x", text, Markup(text))], "Papacy", ["Papacy"])
                   for n, text in enumerate(events)]  # fmt: skip
        part = Part("report", events=stories)
        return render(Mail("c", "W", "G", "A", "a@example.org", "s@example.org", None, "<1@x>", [part]))[0]

    converted = "Magdeburg turns Catholic for the Papacy"
    assert subject(f"{figure}. {converted}.") == subject(f"{converted}.", f"{figure}.") == converted
    assert "⚀" not in subject(f"{figure}.") and subject(f"{figure}.")


def test_a_subject_is_no_heading_and_a_phase_is_nobodys_deed() -> None:
    def subject(*told: tuple[str, str]) -> str:
        paragraphs = [Paragraph(kind, text, Markup(text)) for kind, text in told]
        event = Told(1, "Papacy: an order", paragraphs, "Papacy", ["Papacy", "the Papacy"])
        part = Part("report", events=[event])
        return render(Mail("c", "W", "G", "A", "a@example.org", "s@example.org", None, "<1@x>", [part]))[0]

    assert subject(("phase", "Action Phase.")) == "Action Phase"
    assert subject(("pass", "The Papacy passes."), ("phase", "Winter.")) == "The Papacy passes"
    announced = "The Papacy announces (package 1)"
    assert subject(("announced", f"{announced}:\n– an alliance")) == announced


@pytest.mark.parametrize(("language", "given", "cards", "lot"), [
    ("en", "You play ", "You have new cards; now: ", "By lot, Seat1 plays "),
    ("fr", "Vous jouez ", "Vous avez de nouvelles cartes ; maintenant : ", "Tirage au sort : Seat1 joue "),
    ("ru", "Вы играете за: ", "У вас новые карты; теперь: ", "По жребию Seat1 играет за: "),
])  # fmt: skip
def test_a_subject_tells_the_powers_that_were_given_and_that_cards_have_come(
    service: Service, host: SmartHost, courier: Courier, language: str, given: str, cards: str, lot: str
) -> None:
    campaign = service.create("here_i_stand", 6, campaign="faith", title="Faith", policy={"missed": "default"})
    seats = list(service.status(campaign).seats)
    tokens = {}
    for seat in seats:
        tokens[seat] = service.invite(campaign, seat, seat.title(), f"{seat}@example.org", language=language)
        service.accept(campaign, seat)
    service.assign(campaign)
    courier.send_due()
    drawn = host.to("seat2@example.org")[-1]
    assert drawn["Subject"].startswith(f"[Faith] {given}") and lot in body(drawn)
    service.start(campaign)
    courier.send_due()
    for _ in range(40):  # the Protestants' first attempts stand before the deal
        seat = service.status(campaign).waiting_seats[0]
        line = service.asked(campaign, seat)[0].examples[0]
        service.submit(Submission(campaign, [line], service.clock.now(), "form", token=tokens[seat]))
        courier.send_due()
        subjects = [host.to(f"{one}@example.org")[-1]["Subject"] for one in seats if host.to(f"{one}@example.org")]
        if any(cards in subject for subject in subjects):
            break
    assert sum(cards in subject for subject in subjects) >= 5, subjects


# --- silence ---------------------------------------------------------------------------------------------------------


def test_a_missed_deadline_says_what_silence_did(game: Game, post: Post) -> None:
    service, seat = game.service, game.asked_seat()
    deadline = service.status(game.campaign).deadline
    assert deadline is not None
    game.clock.set(deadline + timedelta(minutes=1))
    service.tick()
    post.host.mails.clear()
    post.courier.send_due()
    mine = body(post.host.to(f"{seat}@example.org")[-1])
    assert "Silence answered for you: PLACE army AT german_states" in mine
    assert "No answer came in time from you." in mine and "send no answer" not in mine
    assert str(post.host.to(f"{seat}@example.org")[-1]["Subject"]).endswith("You missed a deadline")
    assert "places an army in the German States" in mine
    other = next(s for s in game.tokens if s != seat)
    theirs = body(post.host.to(f"{other}@example.org")[-1])
    assert "Silence answered for" not in theirs and "places an army in the German States" in theirs
    assert "PLACE army" in service.page(game.campaign, seat, "en").news[0].title
    assert "PLACE army" not in service.page(game.campaign, other, "en").news[0].title


@pytest.mark.parametrize("language, late, silence", [
    ("en", "You missed a deadline", "silence will answer for you: "),
    ("fr", "Vous avez dépassé un délai", "le silence répondra pour vous : "),
    ("ru", "Вы пропустили срок", "за вас ответит молчание: "),
])  # fmt: skip
def test_who_is_late_is_told_as_you_and_what_silence_will_say(
    service: Service, clock: ManualClock, room: MailRoom, courier: Courier, host: SmartHost, language: str, late: str,
    silence: str,
) -> None:  # fmt: skip
    game = new_game(service, clock, language=language, missed="grace")
    post, seat = Post(game, room, courier, host), game.asked_seat()
    reminder = service.status(game.campaign).deadline - timedelta(hours=1)
    for moment, subject in ((reminder, ""), (reminder + timedelta(hours=2), late)):
        post.host.mails.clear()
        clock.set(moment)
        service.tick()
        courier.send_due()
        mail = host.to(f"{seat}@example.org")[-1]
        assert subject in mail["Subject"]
        for told in (body(mail), " ".join(Markup(html_of(mail)).striptags().split())):
            assert silence + "PLACE army AT german_states" in told
        for other in {s for s in game.tokens if s != seat}:
            assert all(silence not in body(mail) for mail in host.to(f"{other}@example.org"))


@pytest.mark.parametrize("language, told", [
    ("en", "What is asked of you may be answered until "),
    ("fr", "Vous pouvez répondre à ce qui vous est demandé jusqu’à cette date : "),
    ("ru", "На то, о чём вас спрашивают, можно ответить до этого времени: "),
])  # fmt: skip
def test_who_goes_away_is_told_the_deadline_that_has_moved(
    service: Service, clock: ManualClock, room: MailRoom, courier: Courier, host: SmartHost, language: str, told: str,
) -> None:  # fmt: skip
    game = new_game(service, clock, language=language)
    post, seat = Post(game, room, courier, host), game.asked_seat()
    before = service.status(game.campaign).deadline
    first, last = (clock.now() + timedelta(days=days) for days in (1, 3))
    play(post, seat, f"AWAY FROM {first:%Y-%m-%d} TO {last:%Y-%m-%d}")
    moved = service.status(game.campaign).deadline
    assert before is not None and moved is not None and moved > before
    moment = find_language(language).moment(moved, find_zone("Europe/Paris"))
    (answer,) = (mail for mail in host.to(f"{seat}@example.org") if told in body(mail))
    assert told + moment in body(answer)


def test_talks_that_are_over_name_who_was_in_them(game: Game, post: Post) -> None:
    for _ in range(15):
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
    for seat in game.tokens:
        game.send(seat, "DONE")
    post.host.mails.clear()
    post.courier.send_due()
    powers = {"seat1": "France", "seat2": "Britain", "seat3": "Prussia"}
    for reader in game.tokens:
        told = " ".join(" ".join(map(body, post.host.to(f"{reader}@example.org"))).split())
        (others,) = re.findall(r"Those talks were with (.*?)\.", told)
        assert {seat for seat, power in powers.items() if power in others} == game.tokens.keys() - {reader}


@pytest.mark.parametrize("is_old", [False, True])
def test_only_who_was_in_the_talks_is_told_that_they_are_over(
    service: Service, clock: ManualClock, courier: Courier, host: SmartHost, is_old: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    if is_old:  # what an event says that was written by a program which did not note it
        monkeypatch.setattr(course, "_talking", lambda asks: None)
    campaign = service.create("here_i_stand", 6, scenario="1517", campaign="winter", title="Winter")
    seats = list(service.status(campaign).seats)
    tokens = {seat: service.invite(campaign, seat, seat, f"{seat}@example.org") for seat in seats}
    for seat in tokens:
        service.accept(campaign, seat)
    service.start(campaign)
    game = Game(service, clock, campaign, tokens)
    while service.status(campaign).asks[0]["kind"] != "negotiation":
        game.send(game.asked_seat(), game.legal_line(game.asked_seat()))
    talkers = {ask["seat"] for ask in service.status(campaign).asks}
    courier.send_due()
    host.mails.clear()
    for seat in talkers:
        game.send(seat, "DONE")
    courier.send_due()
    assert len(talkers) == 2
    told = {seat for seat in tokens if any("Those talks were with" in body(m) for m in host.to(f"{seat}@example.org"))}
    assert told == talkers


def test_an_end_by_silence_is_told_to_all(game: Game, post: Post) -> None:
    for _ in range(15):
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
    for seat in game.tokens:
        game.send(seat, "DONE")
    service, seat = game.service, game.asked_seat()
    post.courier.send_due()
    deadline = service.status(game.campaign).deadline
    assert deadline is not None
    game.clock.set(deadline + timedelta(minutes=1))
    service.tick()
    post.host.mails.clear()
    post.courier.send_due()
    for reader in game.tokens:
        told = body(post.host.to(f"{reader}@example.org")[-1])
        assert "Silence answered for" in told and ": PASS" in told
    assert "PASS" in service.page(game.campaign, None, "en").news[0].title


def test_a_new_campaign_gives_grace(service: Service) -> None:
    campaign = service.create("struggle_of_empires", 3)
    policy = service.status(campaign).policy
    assert policy["missed"] == "grace" and policy["then"] == "default"


# --- messages and answers --------------------------------------------------------------------------------------------


def test_empty_lines_of_a_message_stay(game: Game, post: Post) -> None:
    play(post, "seat1", "PRESS TO britain: Dear friend,", "", "let us share the Baltic.", "", "", "Anna", "END")
    (message,) = post.host.to("seat2@example.org")
    assert "> Dear friend,\r\n>\r\n> let us share the Baltic.\r\n>\r\n> Anna" in text_of(message)
    assert "Dear friend,\n\nlet us share" in html_of(message).replace("\r\n", "\n")


def test_an_order_below_a_message_and_an_empty_line_is_carried_out(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    play(post, seat, "PRESS TO ALL: Dear friends,", "", "peace.", "", "PLACE army AT german_states")
    assert "places an army in the German States" in body(post.host.to(f"{seat}@example.org")[-1])


def test_lines_that_wait_stand_once_in_an_answer(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    play(post, seat, "PLACE army AT india", "PLACE army AT baltic", "PLACE army AT africa")
    told = text_of(post.host.to(f"{seat}@example.org")[-1])
    assert "Kept until you are asked again" in told
    assert told.count("PLACE army AT baltic") == told.count("PLACE army AT africa") == 1
    play(post, seat, "STATUS")
    assert text_of(post.host.to(f"{seat}@example.org")[-1]).count("PLACE army AT africa") == 1


def test_status_tells_until_when_the_game_waits_by_the_readers_clock(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    play(post, seat, "STATUS")
    told = body(post.host.to(f"{seat}@example.org")[-1])
    assert re.search(r"Waiting for .*?, until [^()]*\(Europe/Paris\)", told) and "(UTC)" not in told


def test_what_an_answer_says_is_kept_is_what_queue_shows(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    play(post, seat, "PLACE army AT india", "PLACE army AT baltic")
    play(post, seat, "PLACE army AT africa")  # out of turn
    play(post, seat, "NEXT", "PLACE army AT africa")
    told = text_of(post.host.to(f"{seat}@example.org")[-1]).partition("Kept until you are asked again:")[2]
    queued = game.service.queued(game.campaign, seat)
    assert queued[0] == "PLACE army AT baltic" and len(queued) == 3
    assert [line[2:] for line in told.splitlines() if line.startswith("> ")] == queued


def test_an_answer_that_waits_for_the_others_says_so_once_and_names_them(game: Game, post: Post) -> None:
    for _ in range(15):
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
    post.courier.send_due()
    play(post, "seat1", "DONE")
    (answer,) = post.host.to("seat1@example.org")
    assert str(answer["Subject"]) == "[Winter] Your answer is in; it waits for the others"
    told = body(answer)
    assert told.count("it waits for the others") == 1
    waited = told.partition("The game waits for ")[2].partition(" until ")[0]
    assert sorted(waited.split(" and ")) == ["Great Britain", "Prussia"]


def test_an_open_window_names_those_who_may_be_written_to(game: Game, post: Post) -> None:
    for _ in range(15):
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
    post.host.mails.clear()
    post.courier.send_due()
    first, second = (body(post.host.to(f"{seat}@example.org")[-1]) for seat in ("seat1", "seat2"))
    assert "with Great Britain and Prussia" in first and "PRESS TO britain: and your words" in first
    assert "with France and Prussia" in second and "PRESS TO france: and your words" in second
    play(post, "seat1", "PRESS TO prussia: Shall we?")
    message = body(post.host.to("seat3@example.org")[-1])
    waited = message.partition("The game waits for ")[2].partition(" until ")[0]
    assert "You are still asked" in message and sorted(waited.split(" and ")) == ["France", "Great Britain"]


# --- in the reader's language -----------------------------------------------------------------------------------------

TONGUES = {
    "fr": ("Ordres du jeu :", "On attend ", "Placez une unité :", "Il n’y a pas d’ordres permanents."),
    "ru": ("Приказы игры:", "Ожидаются: ", "Поставьте отряд:", "Постоянных приказов нет."),
}


@pytest.mark.parametrize("language", TONGUES)
def test_help_and_status_are_told_in_the_readers_language(
    service: Service, clock: ManualClock, room: MailRoom, courier: Courier, host: SmartHost, language: str
) -> None:
    post = Post(new_game(service, clock, language=language), room, courier, host)
    orders, waiting, question, none = TONGUES[language]
    asked = post.game.asked_seat()
    play(post, asked, "HELP ALL", "STATUS", "STANDING LIST", "STANDING PRESETS", "HELP STANDING", "HELP NEXT")
    told = body(post.host.to(f"{asked}@example.org")[-1])
    assert orders in told and waiting in told and question in told and none in told
    assert "<unit>" not in told, "a form is shown once, with the names of its fields"
    english = ("Asked of you", "Orders of the", "Waiting for", "Other lines", "Before an", "There are", "in advance")
    for sentence in english:
        assert sentence not in told


def test_an_order_in_other_words_below_a_message_is_asked_back(game: Game, post: Post) -> None:
    post.write(game.address("seat1"), "PRESS TO britain: On fait la paix ?\nFini\n\nÀ bientôt\nAnna\n")
    said = " ".join(text_of(post.answers()[-1]).split())
    assert "“Fini” alone may be an order" in said and "Left out, since it can be no order: À bientôt / Anna" in said
    assert not any("On fait la paix" in text_of(mail) for mail in post.host.to("seat2@example.org"))
    post.write(game.address("seat1"), "PRESS TO britain: On fait la paix ?\n:Fini\n")
    post.answers()
    assert any("Fini" in text_of(mail) for mail in post.host.to("seat2@example.org"))


def test_what_would_be_right_is_said_once_in_an_answer(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    post.write(game.address(seat), "grmbl un\ngrmbl deux\ngrmbl trois\n", sender=f"{seat}@example.org")
    said = " ".join(text_of(post.answers(f"{seat}@example.org")[-1]).split())
    assert said.count("Not understood: there is no order that begins with") == 3
    assert said.count("What would be right:") == 1


def test_forms_that_stand_in_the_question_are_not_told_of_each_wrong_line(game: Game, post: Post) -> None:
    for _ in range(15):
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
    for seat in POWERS:
        game.send(seat, "DONE")
    while len(game.service.asked(game.campaign, seat := game.asked_seat())[0].usages) < 3:
        passes = "PASS" in game.service.asked(game.campaign, seat)[0].usages
        game.send(seat, "PASS" if passes else game.legal_line(seat))
    game.service.project()
    outbox.void(game.service.store, [one.number for one in outbox.messages(game.service.store, limit=1000)], "told")
    post.write(game.address(seat), "Grmbl un\n", sender=f"{seat}@example.org")
    answer = text_of(post.answers(f"{seat}@example.org")[-1])
    forms = [form for asked in game.service.asked(game.campaign, seat) for form in asked.usages]
    assert len(forms) >= 3 and "What you may write now stands below." in answer
    assert "What you may write now stands below." in html_of(post.host.to(f"{seat}@example.org")[-1])
    said = " ".join(answer.split())
    forms = [find_language("en").usage(form) for form in forms if form.count("<") > 1]
    assert all(len(re.findall(rf" {re.escape(form)}[ ;]", said)) == 1 for form in forms)


@pytest.mark.parametrize("game", ["here_i_stand", "virgin_queen"])
@pytest.mark.parametrize(("language", "action"), [
    ("en", "Raising a regular 2"), ("fr", "Levée d'un régulier 2"), ("ru", "регулярных"),
])  # fmt: skip
def test_an_impulse_is_asked_for_with_actions_prices_and_the_whole_of_a_mail(
    game: str, language: str, action: str
) -> None:
    teller = Teller(load_kit(game), language)
    told = teller.question("impulse", {"turn": 1}, "france", ["PLAY 31 FOR EVENT", "PLAY 31 FOR CP", "PASS"])[1]
    assert action in told.replace("’", "'") and "END IMPULSE" in told and "PASS" in told
    assert "PASS" not in teller.question("impulse", {"turn": 1}, "france", ["PLAY 31 FOR CP"])[1]
