"""Orders that list forces: what is written can be read, although a force holds commas itself."""

import pytest

from pbem.games import find_game
from pbem.table.kit import load_kit
from pbem.table.orders import Unreadable, read_order

LINES = [
    "SEND 4 regular, 1 cavalry, suleiman FROM istanbul, 1 regular FROM athens",
    "SEND 3 regular FROM istanbul",
    "SEND suleiman FROM istanbul, 2 regular, 1 cavalry FROM edirne",
]


@pytest.mark.parametrize("line", LINES)
def test_what_is_written_can_be_read(line):
    kit = load_kit("here_i_stand")
    order = read_order(find_game("here_i_stand").orders, line, kit)
    assert order.text() == line
    assert read_order(find_game("here_i_stand").orders, order.text(), kit) == order


def test_a_part_that_cannot_be_read_is_told_at_its_place():
    with pytest.raises(Unreadable) as refused:
        read_order(
            find_game("here_i_stand").orders,
            "SEND 1 regular FROM istanbul, 2 regular FROM nowhere, 1 regular FROM athens",
            load_kit("here_i_stand"),
        )
    assert "nowhere" in str(refused.value)
