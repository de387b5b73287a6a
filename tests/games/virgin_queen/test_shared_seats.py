"""3.1, 25.3 with 2 and 3 players, who have two powers each or some of them: who wins, and how they are ranked. The
rules here are rebuilt, the numbers are the kit's."""

from __future__ import annotations

import pytest

from pbem.games.virgin_queen.room import GAME
from pbem.games.virgin_queen.victory import score
from pbem.games.virgin_queen.victory.conditions import determine
from pbem.table.board import Board
from pbem.table.game import lay_out, ranking
from pbem.table.kit import load_kit
from pbem.table.procedure import Table

KIT = load_kit("virgin_queen")


def table_of(players: int, vp: dict[str, int], turn: int = 1) -> Table:
    """A table in the Victory phase of a turn, where the powers have these VP."""
    seats = GAME.seats(KIT, "1559", players, {})
    table = Table(Board(GAME.id, GAME.play_order(KIT, "1559", seats)), KIT, game=GAME)
    lay_out(GAME, table, "1559", seats)
    for power, points in vp.items():
        score.award(table, power, "treasure", points - table.board.value("vp", power))
    table.set("turn", turn)
    score.settle(table)
    assert {power: table.board.value("vp", power) for power in vp} == vp
    return table


def outcome(table: Table) -> tuple[str | None, str | None]:
    """Who wins as the phase ends, and how."""
    list(determine(table))
    return table.board.state.get("winner"), table.board.state.get("victory")


LATER, LAST = KIT.constants["domination_first_turn"], KIT.scenarios["1559"]["last_turn"]


@pytest.mark.parametrize(("other", "won"), [(12, ("spain", "standard")), (11, (None, None))])
def test_25_vp_win_for_a_seat_whose_other_power_has_12(other: int, won: tuple[str | None, str | None]) -> None:
    assert outcome(table_of(2, {"spain": 25, "france": other, "england": 11, "protestant": 11})) == won


def test_a_seat_of_one_power_needs_its_25_vp_alone() -> None:
    assert outcome(table_of(3, {"spain": 25, "france": 1, "england": 20, "protestant": 20})) == ("spain", "standard")


def test_who_has_25_vp_and_a_weak_second_power_leaves_the_victory_to_who_has_both() -> None:
    vp = {"spain": 27, "france": 5, "england": 25, "protestant": 12}
    assert outcome(table_of(2, vp)) == ("england", "standard")


@pytest.mark.parametrize(("lower", "won"), [(15, ("england", "domination")), (14, (None, None))])
def test_domination_compares_the_lower_powers(lower: int, won: tuple[str | None, str | None]) -> None:
    vp = {"spain": 24, "france": 10, "england": 16, "protestant": lower}
    assert outcome(table_of(2, vp, LATER)) == won
    assert outcome(table_of(2, vp, LATER - 1)) == (None, None)


def test_the_last_turn_compares_the_lower_powers_then_the_higher_ones() -> None:
    vp = {"spain": 24, "france": 9, "england": 11, "protestant": 10}
    assert outcome(table_of(2, vp, LAST)) == ("england", "time")
    assert outcome(table_of(2, {"spain": 14, "france": 10, "england": 10, "protestant": 13}, LAST)) == ("spain", "time")
    vp = {"spain": 11, "france": 13, "england": 24, "protestant": 12}
    assert outcome(table_of(3, vp, LAST)) == ("france", "time"), "a single power is the lower one and the higher"


def test_players_are_ranked_by_the_lower_power_then_by_the_higher() -> None:
    vp = {"spain": 10, "france": 12, "england": 14, "protestant": 10}
    found = ranking(GAME, table_of(2, vp), [["spain", "france"], ["england", "protestant", "ottoman"]])
    assert [(row["powers"], row["points"]) for row in found] == [
        (["england", "protestant"], 10), (["spain", "france"], 10)
    ]  # fmt: skip


def test_an_automatic_victory_counts_at_once_for_the_seat() -> None:
    table = table_of(2, {"spain": 10, "france": 2, "england": 20, "protestant": 20})
    table.set("winner", "france")
    found = ranking(GAME, table, [["spain", "france"], ["england", "protestant"]])
    assert [row["powers"] for row in found] == [["spain", "france"], ["england", "protestant"]]
