"""5.2, 18: how the game ends: quick victory at the end of a turn, and the scenario's own table at the end of the last.

What ends it in the middle of a turn (peace, Wallenstein's influence) raises `score.GameEnds` where it happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.games.thirty_years_war import control, pieces, score
from pbem.games.thirty_years_war.map import CATHOLIC, PROTESTANT, number
from pbem.games.thirty_years_war.politics import wallenstein
from pbem.table.procedure import Table

CRUSHING, DRAW = "crushing", "draw"
AT_TURN, AT_END = "turn", "end"


def check(table: Table) -> None:
    """5.21, 5.22, 18: at the end of a turn; raises `GameEnds` when the game is over.

    Quick victory first, then, after the last turn, the first row of the scenario's table that holds.
    """
    quick_victory(table)
    if table.board.state["turn"] >= table.board.state["last_turn"]:
        for row in rows(table, AT_END):
            if holds(table, row):
                raise ending(row)


def quick_victory(table: Table) -> None:
    """5.21, 18.26: by VP, by a scenario's own row, or by the three capitals. Raises `GameEnds`."""
    own = list(rows(table, AT_TURN))
    replaced = {row["side"] for row in own}
    points = score.total(table)
    if CATHOLIC not in replaced and points >= number(table, "quick_catholic"):
        raise score.GameEnds(CATHOLIC, CRUSHING, "points", "5.21")
    for row in own:
        if holds(table, row):
            raise ending(row)
    if PROTESTANT not in replaced and points <= number(table, "quick_protestant"):
        raise score.GameEnds(PROTESTANT, CRUSHING, "points", "5.21")
    if all(control.holder(table, space) == PROTESTANT for space in table.kit.constants["places"]["capitals"]):
        raise score.GameEnds(PROTESTANT, CRUSHING, "capitals", "5.21")


def rows(table: Table, at: str) -> Iterator[Mapping[str, Any]]:
    """The rows of the scenario's table for the end of any turn, or of the last one, in the book's order."""
    scenario = table.board.state["scenario"]
    return (row for row in table.kit.tables["victory"].values() if (row["scenario"], row["at"]) == (scenario, at))


def holds(table: Table, row: Mapping[str, Any]) -> bool:
    """Whether a row of the table holds: VP from minimum to maximum, and all that it needs."""
    points = score.total(table)
    if row["minimum"] is not None and points < row["minimum"]:
        return False
    if row["maximum"] is not None and points > row["maximum"]:
        return False
    return all(_needed(table, need, row["side"]) for need in row["needs"])


def _needed(table: Table, need: str, side: str) -> bool:
    name, _, what = need.partition(":")
    return _NEEDS[name](table, what, side)


def _controls(table: Table, region: str, side: str) -> bool:
    return control.region_holder(table, region) == side  # 5.22, T-278: the region, not its capital


def _not_protestant(table: Table, region: str, side: str) -> bool:
    return control.region_holder(table, region) != PROTESTANT


def _event(table: Table, card: str, side: str) -> bool:
    return table.board.state.get(f"event:{card}") is not None


def _is_dead(table: Table, face: str, side: str) -> bool:
    """18.26: a leader is out of the game: his counter is off the map for good, or shows its other side."""
    counter = pieces.LEADER + table.kit.tables["leaders"][face]["counter"]
    return pieces.face_of(table, counter) != face or pieces.where(table, counter) in (pieces.DEAD, pieces.REMOVED)


def _wallenstein_gone(table: Table, what: str, side: str) -> bool:
    return wallenstein.is_gone(table)


def _elector_majority(table: Table, what: str, side: str) -> bool:
    return control.elector_count(table, side) >= number(table, "elector_majority")


_NEEDS: Mapping[str, Callable[[Table, str, str], bool]] = {
    "controls": _controls,
    "not_protestant": _not_protestant,
    "event": _event,
    "dead": _is_dead,
    "wallenstein_gone": _wallenstein_gone,
    "elector_majority": _elector_majority,
}
"""What rows of the kit's table ``victory`` may need: ``name`` or ``name:what``."""


def ending(row: Mapping[str, Any]) -> score.GameEnds:
    """The end that a row of the scenario's table brings; one without a side is a draw."""
    how = "draw" if row["level"] == DRAW else "scenario"
    return score.GameEnds(row["side"] or None, row["level"], how, str(row["source"]).removeprefix("rules §"))
