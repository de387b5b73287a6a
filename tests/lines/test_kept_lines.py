"""Lines as people write them that are kept for later: in standing orders and steps of programs."""

from __future__ import annotations

import pytest

from pbem.campaign.commands import read_line
from pbem.games import find_game
from pbem.table.kit import load_kit
from pbem.table.orders import Unreadable

GAME = "struggle_of_empires"


def read(text):
    return read_line(list(find_game(GAME).orders), text, load_kit(GAME))


def test_a_standing_order_keeps_the_full_line_of_what_has_one_reading():
    assert read("STANDING placement: place an army in India please").answer == "PLACE army AT india"
    assert read("STANDING placement: FOR france: Place in India an army").answer == "FOR france: PLACE army AT india"


@pytest.mark.parametrize("answer", ["place army", "don't place an army in india", "move navies from baltic to india"])
def test_a_standing_order_that_leaves_something_open_is_refused(answer):
    with pytest.raises(Unreadable):
        read(f"STANDING placement: {answer}")


def test_a_step_of_a_program_may_say_its_order_as_people_do():
    assert read("THEN build a navy in India").text() == "THEN BUILD navy AT india"
    with pytest.raises(Unreadable):
        read("THEN build a navy")
