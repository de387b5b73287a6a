"""What players wish of the service in sentences: they are shown the line for it, and nothing is done."""

from __future__ import annotations

import pytest

from tests.mail.conftest import Game

SEALED = {
    "Oops, please cancel that DONE": ["CANCEL ANSWER"],
    "Annulez ce que j'ai dit": ["CANCEL ANSWER"],
    "Отмените всё, что я послал": ["CANCEL ANSWER"],
}
QUEUED = {
    "Actually forget what I sent before, cancel it all": ["CANCEL ANSWER", "CANCEL QUEUE"],
    "Oubliez ce que j'ai envoyé, s'il vous plaît": ["CANCEL ANSWER", "CANCEL QUEUE"],
    "Забудьте то, что было раньше": ["CANCEL ANSWER", "CANCEL QUEUE"],
}
WISHES = {
    "I'm away from 5 December to 12 December, skiing. Please move my deadlines.": [
        "AWAY FROM 5 December TO 12 December",
    ],
    "Bonjour, je suis absent du 5 décembre au 12 décembre, je fais du ski": ["AWAY FROM 5 décembre TO 12 décembre"],
    "Меня не будет с 5 по 12 декабря, поеду в горы": ["AWAY FROM 5 декабря TO 12 декабря"],
    "Please send me only one mail a day, at 6pm": ["SET REPORTS DAILY AT 18"],
    "Un seul message par jour, à 18h svp": ["SET REPORTS DAILY AT 18"],
    "Одно письмо в день, в 18 часов, пожалуйста": ["SET REPORTS DAILY AT 18"],
    "One mail a day is enough for me": ["SET REPORTS DAILY"],
    "From now on I never help anyone for free, please decline automatically": ["STANDING PRESETS", "HELP STANDING"],
    "Refusez automatiquement pour moi": ["STANDING PRESETS", "HELP STANDING"],
    "Отказывайтесь за меня автоматически": ["STANDING PRESETS", "HELP STANDING"],
    "and what does Improved Agriculture do?": ["HELP BUY", "HELP USE"],
    "Que font les Progrès agricoles ?": ["HELP BUY", "HELP USE"],
    "Что даёт улучшенное земледелие?": ["HELP BUY", "HELP USE"],
}


@pytest.fixture
def talks(game: Game) -> Game:
    """A game in the talks before its first auction, in which the first seat is done."""
    while game.service.status(game.campaign).kind != "negotiation":
        seat = game.asked_seat()
        assert game.send(seat, game.legal_line(seat)).ok
    assert game.send("seat1", "DONE").ok
    return game


def shown(game: Game, line: str) -> list[str]:
    before = game.service.status(game.campaign)
    (answer,) = game.send("seat1", line).lines
    assert answer.state != "accepted" and game.service.status(game.campaign).waiting_for == before.waiting_for
    return answer.hints


def test_who_wants_to_take_something_back_is_shown_how(talks: Game) -> None:
    for line, lines in SEALED.items():
        assert shown(talks, line) == lines, line
    assert talks.send("seat1", "NEXT", "BUILD army AT german_states").ok
    for line, lines in QUEUED.items():
        assert shown(talks, line) == lines, line
    assert talks.send("seat1", "CANCEL ANSWER", "CANCEL QUEUE").ok
    assert not {"CANCEL ANSWER", "CANCEL QUEUE"}.intersection(shown(talks, "Oops, please cancel that DONE"))


def test_a_wish_to_the_service_is_shown_its_line(talks: Game) -> None:
    for line, lines in WISHES.items():
        assert shown(talks, line) == lines, line


def test_a_message_without_its_words_is_told_what_is_missing(talks: Game) -> None:
    (answer,) = talks.send("seat1", "PRESS TO PRUSSIA").lines
    assert answer.code == "message_missing" and answer.hints == ["form: PRESS TO prussia: <message>"]


NO_SLIPS = ["and", "Sounds good", "Please", "station army in central Europe", "Hello all", "S'il y a une attaque"]
ODD = ("HAND", "STATUS", "FOUND", "PLACE", "HELP ALL", "HELP [", "SAIL")


def test_only_a_slip_of_the_pen_brings_a_verb(talks: Game) -> None:
    for line in NO_SLIPS:
        assert not [hint for hint in shown(talks, line) if hint.startswith(ODD)], line
    assert shown(talks, "PLCAE army at india")[0] == "PLACE army AT india"


def test_a_message_is_offered_where_a_line_may_be_talk(talks: Game) -> None:
    assert "PRESS TO <powers>: <message>" in shown(talks, "Sounds good")


def test_who_passes_for_the_rest_is_shown_the_line(talks: Game) -> None:
    for seat in ("seat2", "seat3"):
        assert talks.send(seat, "DONE").ok
    while talks.service.status(talks.campaign).kind != "action":
        seat = talks.asked_seat()
        asked = next(one for one in talks.service.asked(talks.campaign, seat) if not one.answered)
        assert talks.send(seat, "PASS" if "PASS" in asked.usages else asked.examples[0]).ok
    seat = talks.asked_seat()
    for line in ("je passe pour le reste (du tour)", "Je passe pour le reste du tour."):
        assert talks.send(seat, line).lines[0].hints[0] == "PASS"
