"""7: the order of play that the games share, watched from outside: for random play through the service.

It is read off the kit's table of powers, not off the board or the modules that play, so that it can find them wrong.
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
    "ransom", "war", "interception", "avoid_battle", "naval_interception", "naval_avoid_battle",
)  # fmt: skip
"""Kinds of questions that several are asked together, in impulse order (9, 13.2, 13.3, 16.1)."""

TOLD_IN_ORDER = ("announced", "package_confirmed", "ransom", "declaration")
"""What happens power by power, in impulse order, within a segment of the Diplomacy phase (9)."""


class OrderWatch:
    """Follows the phases and the active power. `held`: the powers with a seat; a game adds the kinds of questions and
    happenings that it has in impulse order besides."""

    def __init__(self, kit: Kit, held: Iterable[str], asked: Iterable[str] = (), told: Iterable[str] = ()):
        powers, played = kit.tables["powers"], set(held)
        self.everyone = sorted(powers, key=lambda power: int(powers[power]["impulse_order"]))
        self.order = [power for power in self.everyone if power in played]
        self.asked_in_order = {*ASKED_IN_ORDER, *asked}
        self.told_in_order = {*TOLD_IN_ORDER, *told}
        self.phase: str | None = None
        self.active: str | None = None
        self.told: dict[str, str] = {}
        """What was told last of each kind in this segment, by whom."""
        self.rounds = 0
        """How often somebody became active; a game of some length that has none was not watched."""

    def see(self, facts: Sequence[Fact], asks: Iterable[tuple[str, str]]) -> str | None:
        """What was out of order in an event; see `pbem.table.game.Game`."""
        for fact in facts:
            problem = None
            if fact["fact"] == "players":
                self.order = [power for power in self.everyone if power in fact["after"]["powers"]]
            if fact["fact"] == "happened" and fact["what"] in self.told_in_order:
                problem = self._told(fact["what"], fact["power"])
            elif fact["fact"] == "state" and fact.get("why") != "restore":
                problem = self._state(fact["name"], fact["after"])
            if problem:
                return problem
        return self._asked(list(asks))

    def _state(self, name: str, after: str | None) -> str | None:
        if name in ("phase", "segment"):
            self.told = {}
        if name == "phase":
            self.phase, self.active = after, None
        return self._next(after) if name == "active" else None

    def _told(self, what: str, power: str) -> str | None:
        before, self.told[what] = self.told.get(what), power
        if before is None or self.everyone.index(before) <= self.everyone.index(power):
            return None
        return f"{what} of {power} comes after that of {before}"

    def _next(self, power: str | None) -> str | None:
        before, self.active = self.active, power
        if power is None or self.phase not in ROUND_THE_TABLE:
            return None
        self.rounds += 1
        due = self._after(before)
        return None if power == due else f"in {self.phase} {power} is active after {before}; it is the turn of {due}"

    def _after(self, before: str | None) -> str:
        """The next power in play; `before` may have left it."""
        at = -1 if before is None else self.everyone.index(before)
        later = [power for power in self.everyone[at + 1 :] if power in self.order]
        return later[0] if later else self.order[0]

    def _asked(self, asks: Sequence[tuple[str, str]]) -> str | None:
        for kind, power in asks:
            if AT_THEIR_TURN.get(kind) == self.phase and power != self.active:
                return f"{power} is asked for its {kind} while {self.active} is active"
        together = [power for kind, power in asks if kind in self.asked_in_order]
        in_order = [self.order.index(power) for power in together if power in self.order]
        if any(later < earlier for earlier, later in pairwise(in_order)):
            return f"{', '.join(self.order[place] for place in in_order)} are asked in this order"
        return None
