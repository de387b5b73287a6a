"""7: the rulebook's order of play, watched from outside: for random play through the service.

It is read off the kit's table of powers, not off the board or the module that plays, so that it can find them wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from pbem.table.facts import Fact
from pbem.table.kit import Kit

ROUND_THE_TABLE = ("spring", "action")
"""The phases in which power by power is active (10, 11)."""

AT_THEIR_TURN = {"spring_deployment": "spring", "impulse": "action"}
"""Kind of question -> the phase in which only the active power is asked it."""

ASKED_IN_ORDER = (
    "peace", "ransom", "excommunication", "war", "interception", "avoid_battle", "naval_interception",
    "naval_avoid_battle",
)  # fmt: skip
"""Kinds of questions that several are asked together, in impulse order (9.3 to 9.6, 13.2, 13.3, 16.1)."""


class OrderWatch:
    """Follows the phases and the active power."""

    def __init__(self, kit: Kit):
        powers = kit.tables["powers"]
        self.order = sorted(powers, key=lambda power: int(powers[power]["impulse_order"]))
        self.phase: str | None = None
        self.active: str | None = None
        self.rounds = 0
        """How often somebody became active; a game of some length that has none was not watched."""

    def see(self, facts: Sequence[Fact], asks: Iterable[tuple[str, str]]) -> str | None:
        """What was out of order in an event; see `pbem.table.procedure.Game`."""
        for fact in facts:
            if fact["fact"] != "state" or fact.get("why") == "restore":
                continue
            if fact["name"] == "phase":
                self.phase, self.active = fact["after"], None
            elif fact["name"] == "active":
                problem = self._next(fact["after"])
                if problem:
                    return problem
        return self._asked(list(asks))

    def _next(self, power: str | None) -> str | None:
        before, self.active = self.active, power
        if power is None or self.phase not in ROUND_THE_TABLE:
            return None
        self.rounds += 1
        due = self.order[0] if before is None else self.order[(self.order.index(before) + 1) % len(self.order)]
        return None if power == due else f"in {self.phase} {power} is active after {before}; it is the turn of {due}"

    def _asked(self, asks: Sequence[tuple[str, str]]) -> str | None:
        for kind, power in asks:
            if AT_THEIR_TURN.get(kind) == self.phase and power != self.active:
                return f"{power} is asked for its {kind} while {self.active} is active"
        in_order = [self.order.index(power) for kind, power in asks if kind in ASKED_IN_ORDER and power in self.order]
        if any(later < earlier for earlier, later in pairwise(in_order)):
            return f"{', '.join(self.order[place] for place in in_order)} are asked in this order"
        return None
