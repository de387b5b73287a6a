"""The set-ups, the seats and the ranking of powers at the start."""

import pytest

from pbem.games import find_game
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.procedure import Table

GAME = find_game("virgin_queen")


@pytest.fixture(scope="module")
def kit():
    return load_kit("virgin_queen")


def table_of(kit, scenario, players):
    order = GAME.play_order(kit, scenario, GAME.seats(kit, scenario, players, {}))
    table = Table(Board(GAME.id, order), kit, kit.settings({}), game=GAME)
    GAME.set_up(table, scenario)
    return table


TOTALS = {
    "1559": {"ottoman": 12, "spain": 13, "england": 9, "france": 11, "empire": 8, "protestant": 6},
    "tournament": {"ottoman": 15, "spain": 14, "england": 15, "france": 13, "empire": 9, "protestant": 10},
}
"""Rebuilt: computed by whoever rebuilt the set-ups, from key tracks, the Protestant track and markers."""


@pytest.mark.parametrize("scenario", ["1559", "tournament"])
@pytest.mark.parametrize("players", [6, 5, 4, 3, 2])
def test_each_set_up_keeps_the_invariants_and_has_the_rebuilt_totals(kit, scenario, players):
    table = table_of(kit, scenario, players)
    assert GAME.faults(table) == []
    assert {power: table.board.value("vp", power) for power in table.board.seated()} == {
        power: vp for power, vp in TOTALS[scenario].items() if power in table.board.seated()
    }


def test_of_the_powers_without_a_seat_the_ottoman_is_activated_by_england_the_empire_inactive(kit):
    board = table_of(kit, "1559", 5).board
    assert (board.powers, board.played_by) == (["ottoman", "spain", "england", "france", "protestant"], {})
    board = table_of(kit, "tournament", 2).board
    assert board.powers == ["ottoman", "spain", "england", "france", "protestant"]
    assert board.played_by == {"ottoman": "england"} and board.state["allied"] == [["england", "ottoman"]]


def test_captains_artists_and_scientists_without_a_seat_are_out_of_the_game_and_so_is_rudolf(kit):
    for scenario in kit.scenarios:
        pieces = table_of(kit, scenario, 4).board.pieces
        for kind in ("artist", "scientist", "captain"):
            for one, row in kit.tables["sea_captains" if kind == "captain" else f"{kind}s"].items():
                whose = row.get("powers") or [row["power"]]
                without = set(whose) <= {"ottoman", "empire"}
                gone = pieces[f"{kind}:{one}"]["at"] == "removed"
                assert gone if without else not gone or scenario == "tournament", one
        assert pieces["royal:rudolf_ii"]["at"] == "removed"
    assert table_of(kit, "1559", 6).board.pieces["captain:schmidel"]["at"] != "removed"


def test_home_cards_without_a_seat_are_out_of_the_game(kit):
    removed = table_of(kit, "1559", 4).board.piles["removed"]
    owners = {kit.tables["cards"][card]["owner"] for card in removed}
    assert {"ottoman", "empire"} <= owners


def test_a_space_with_two_home_powers_is_home_of_both_and_of_the_power_of_the_faction(kit):
    from pbem.games.reformation.ground import home_spaces, is_home

    table = table_of(kit, "1559", 6)
    space = next(id for id, row in kit.tables["spaces"].items() if row["second_home"] == "huguenot")
    assert is_home(table, space, "france") and is_home(table, space, "huguenot") and is_home(table, space, "protestant")
    assert space in home_spaces(table, "huguenot") and space in home_spaces(table, "protestant")
    assert not is_home(table, space, "dutch")


def test_capitals_of_the_factions_are_those_of_the_protestant(kit):
    assert list(GAME.rules.capitals(table_of(kit, "1559", 6), "protestant")) == []
    assert list(GAME.rules.capitals(table_of(kit, "tournament", 6), "protestant")) == ["la_rochelle"]


def test_a_waterway_is_open_only_to_who_controls_its_seaward_end(kit):
    from pbem.games.reformation.ground import neighbours

    table = table_of(kit, "1559", 6)
    assert table.board.state["control:flushing"] == "spain"
    assert "flushing" in neighbours(table, "antwerp", "spain")
    assert "flushing" not in neighbours(table, "antwerp", "france")
    table.set("control:flushing", "protestant")
    assert "antwerp" not in neighbours(table, "flushing", "spain")
    assert "antwerp" in neighbours(table, "flushing", "protestant")


def test_a_leader_who_may_be_both_is_what_his_piece_says(kit):
    from pbem.games.reformation.forces import leaders_at, put_leader

    table = table_of(kit, "1559", 6)
    put_leader(table, "don_john", "barcelona")
    assert leaders_at(table, "barcelona", "spain") == ["don_john"]
    table.mark("leader:don_john", kind="naval")
    assert leaders_at(table, "barcelona", "spain") == []
    assert leaders_at(table, "barcelona", "spain", "naval") == ["don_john"]
