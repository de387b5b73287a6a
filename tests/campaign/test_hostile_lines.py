"""Hostile lines: whatever a mail of fifty lines of two thousand characters holds, it is answered within a second."""

from __future__ import annotations

import pytest

from pbem.campaign.commands import read_lines
from pbem.games import find_game
from pbem.table.kit import load_kit
from tests.spent import seconds

HEADS = (
    "", "SAIL", "MOVE", "BUILD", "SEND", "ENGAGE", "HARBOUR", "INTERCEPT WITH", "REMOVE", "TRANSPORT", "ANNOUNCE 1",
    "ANNOUNCE 1 ALLIANCE WITH", "CONFIRM", "CHOOSE", "USE", "SUPPORT", "BID 3", "IF", "UNLESS at", "IF won", "THEN IF",
    "STANDING support", "STANDING support IF", "STANDING support:", "PRESS TO", "PRESS TO france:", "FOR",
    "FOR france:", "SALT", "NEXT", "CANCEL STANDING",
)  # fmt: skip
TAILS = (
    "a ", "a, ", ", ", "TO ", "TO a ", "a FROM india TO india, ", "1 ", "4 regular, ", "PASS ", "STOP ", "AND ", "IF ",
    "MORE ", "FROM ", "at vienna, ", "viena TO ", "é ", "\u0301", "\u4e00", "\u3000", "\u200b ", "   ", ": ", "; ",
    "' ", "of the ", "x" * 60 + " ", "\ufdfa", ",", "2,", "l'",
)  # fmt: skip


GAMES = ("struggle_of_empires", "here_i_stand", "virgin_queen", "thirty_years_war")


@pytest.fixture(scope="module", params=GAMES)
def game(request):
    return request.param


@pytest.fixture(scope="module")
def reading(game):
    kit, kinds = load_kit(game), list(find_game(game).orders)
    read_lines(kinds, ["PASS"], kit)
    return lambda lines, most=None: read_lines(kinds, lines, kit, most)


@pytest.mark.parametrize("head", HEADS)
def test_fifty_lines_of_anything_are_read_within_a_second(reading, head):
    def lines(number):
        made = [head + " " + tail * (2000 // len(tail)) for tail in TAILS]
        return [line[:1990] + " end." for line in made[number:] + made[:number]]

    assert seconds(lambda: reading((lines(0) + lines(1))[:50]), enough=1) < 1


def test_the_same_line_again_and_again_is_read_at_once(game, reading):
    verbs = sorted({kind.pattern.verb for kind in find_game(game).orders})
    for head in (*verbs, "STANDING reaction:", "STANDING negotiation:"):
        for tail in (",", "2,", ", ", "a "):
            line = (head + " " + tail * 2000)[:1990]
            assert seconds(lambda line=line: reading([line] * 5), enough=0.1) < 0.1, (head, tail)


@pytest.mark.parametrize(
    "line",
    ["SAIL " + "a " * 400, "PRESS TO" + " " * 1900 + "x", "STANDING a IF" + " " * 1900 + "x", "FOR" + " " * 1900 + "x"],
)  # fmt: skip
def test_one_line_is_read_at_once(reading, line):
    assert seconds(lambda: reading([line]), enough=0.1) < 0.1


def test_plain_prose_is_read_at_once(reading):
    prose = "I should like to move my army from one place to another, and then to build a fleet, if you will. " * 20
    assert seconds(lambda: reading([f"MOVE {prose}"[:1990], f"BUILD {prose}"[:1990], prose[:1990]]), enough=0.1) < 0.1


def test_no_more_lines_are_read_than_are_taken(reading):
    lines = ["IF " + "at vienna, " * 180] * 1000
    assert seconds(lambda: reading(lines, 50), enough=1) < 1 and len(reading(lines, 50)) == 51
    assert seconds(lambda: reading(["PRESS TO france: hello", *["PLACE " + "a " * 900] * 1000], 50), enough=1) < 1
