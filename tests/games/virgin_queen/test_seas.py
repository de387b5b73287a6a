"""What the chapters of the seas do without a question: markers that are filled up, kit and code agree."""

import pytest

from pbem.games import find_game
from pbem.games.virgin_queen.new_world import captains, ocean, treasures
from pbem.games.virgin_queen.sequence import winter
from pbem.table.board import Board
from pbem.table.dice import ScriptedThrows
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


def _treasure(table, kind, pile):
    treasure = treasures.of_kind(table, treasures.POOL, kind)
    table.card(treasure, treasures.POOL, pile, to=[])
    return treasure


@pytest.mark.parametrize("in_play", [True, False])
def test_in_winter_who_holds_lisbon_gets_a_treasure_once_portugal_is_in_the_game(table, in_play):
    """20.7, subtlety 182; Spain's row comes to its hand and the piracy markers go."""
    table.throws = ScriptedThrows([1])
    portuguese = _treasure(table, "cp1", treasures.PORTUGAL)
    own = _treasure(table, "cp2", treasures.SPAIN)
    table.set("control:lisbon", "spain")
    table.set("sebastian", in_play or None)
    table.set("turn:piracy", ["antilles:england"])
    assert list(winter.piracy_and_rows(table)) == []
    assert (portuguese in treasures.of(table, "spain")) == in_play
    assert own in treasures.of(table, "spain")
    assert "turn:piracy" not in table.board.state


@pytest.mark.parametrize(
    "captain, power, start", [("drake", "england", "north_atlantic"), ("kurtoglu", "ottoman", "indian_ocean")]
)
def test_the_way_that_random_captains_follow_leads_round_the_world(table, captain, power, start):
    """16.6."""
    table.put(f"captain:{captain}", start)
    at = start
    for _ in range(12):
        zone = ocean.next_on_the_way_round(table, power, captain)
        assert zone in captains.links(table, at)
        table.shift(f"captain:{captain}", zone)
        if ocean.circumnavigates(table, power, captain, at, zone):
            return
        at = zone
    pytest.fail(f"{captain} is not round the world")
