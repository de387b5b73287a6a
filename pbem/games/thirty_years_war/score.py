"""5.1: victory points. They are an accumulator (T-020), kept with its reasons: whoever asks “why 37?” gets the list.

The counter ``vp`` is the total; a counter ``vp:<turn>:<reason>[:<what>]`` holds what one reason gave in one turn, so
that the total is their sum. Points count for the Catholic: what helps the Protestant is taken off.
"""

from __future__ import annotations

from typing import Any

from pbem.games.thirty_years_war.map import CATHOLIC
from pbem.table.procedure import Table

VP = "vp"
START = "start"


class GameEnds(Exception):
    """The game is over in the middle of a step: `winner` is a side or None (a draw), `level` the kind of victory
    (``crushing, major, minor, historical, draw``), `how` its reason, a name of the phrases."""

    def __init__(self, winner: str | None, level: str, how: str, section: str):
        super().__init__(how)
        self.winner, self.level, self.how, self.section = winner, level, how, section


def total(table: Table) -> int:
    """The victory points as they stand."""
    return table.board.counter(VP)


def vp(table: Table, change: int, reason: str, section: str, what: str | None = None) -> None:
    """Change the victory points; `reason` is a name of the phrases, `what` a region, city or card."""
    if not change:
        return
    fields: dict[str, Any] = {"why": reason, "section": section}
    if what is not None:
        fields["what"] = what
    table.counter(VP, change, **fields)
    table.counter(_entry(table, reason, what), change, why="reason", section=section)


def give_reason(table: Table, reason: str) -> None:
    """Let a reason of this turn stand for what the others do not make of the total."""
    missing = total(table) - sum(entry["points"] for entry in reasons(table))
    if missing:
        table.counter(_entry(table, reason, None), missing, why="reason")


def in_favour(side: str, points: int) -> int:
    """The change of the total that gives a side so many points."""
    return points if side == CATHOLIC else -points


def _entry(table: Table, reason: str, what: str | None) -> str:
    parts = [VP, str(table.board.state.get("turn", 0)), reason]
    return ":".join(parts if what is None else [*parts, what])


def reasons(table: Table) -> list[dict[str, Any]]:
    """Why the victory points stand where they do: ``{"turn", "reason", "what", "points"}``, in the order they came."""
    entries = []
    for name, change in table.board.counters.items():
        if name.startswith(VP + ":") and change:
            turn, reason, *what = name.removeprefix(VP + ":").split(":", 2)
            entries.append({"turn": int(turn), "reason": reason, "what": what[0] if what else None, "points": change})
    return entries
