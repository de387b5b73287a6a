"""What the chapters of the seas do without a question: markers that are filled up, kit and code agree."""

import pytest

from pbem.games import find_game
from pbem.games.virgin_queen import captains, ocean
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.procedure import Table

GAME = find_game("virgin_queen")


@pytest.fixture
def table():
    kit = load_kit("virgin_queen")
    order = GAME.play_order(kit, "1559", GAME.seats(kit, "1559", 6, {}))
    table = Table(Board(GAME.id, order), kit, kit.settings({}), game=GAME)
    GAME.set_up(table, "1559")
    return table


@pytest.mark.parametrize(
    "science, ready, after", [({}, 0, 1), ({}, 1, 1), ({}, 2, 2), ({"coastal_fortification": "spain"}, 0, 2)]
)
def test_fortress_markers_are_filled_up_and_neither_lost_nor_saved_up(table, science, ready, after):
    """8.2, subtlety 267."""
    table.set("science", science)
    table.set(ocean.FORTRESSES, ready)
    assert list(ocean.refill_fortresses(table)) == []
    assert table.board.state[ocean.FORTRESSES] == after


def test_every_captain_has_a_bonus_that_the_kit_gives_numbers_to(table):
    bonuses = {row["bonus_id"] for row in table.kit.tables["sea_captains"].values()}
    assert bonuses == set(table.kit.constants["captain_bonuses"])


def test_captains_of_combat_1_are_naval_leaders_of_the_same_values_in_europe(table):
    """5.2, 10 step 2."""
    leaders = table.kit.tables["leaders"]
    for captain, row in table.kit.tables["sea_captains"].items():
        assert (captain in leaders) == (row["combat"] >= table.kit.constants["captain_in_europe_combat"])
        if captain in leaders:
            assert (leaders[captain]["battle"], leaders[captain]["piracy"]) == (row["combat"], row["piracy"])


def test_the_ocean_has_five_winds_and_every_zone_is_linked(table):
    """2.6."""
    rows = list(table.kit.tables["ocean_connections"].values())
    assert sum(1 for row in rows if row["wind_blows_to"]) == 5
    assert all(captains.links(table, zone) for zone in captains.zones(table))
