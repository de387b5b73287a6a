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
