"""6.0: the rulebook's order of play, watched from outside: for random play through the service.

It is read off the story as everybody reads it, not off the modules that play, so that it can find them wrong: phases in
their order, turns one by one, six rounds in which the Protestant is active before the Catholic, and nobody asked
for an activation or on a march but who is active.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pbem.table.facts import Fact
from pbem.table.kit import Kit

PHASES = ("wallenstein", "recovery", "cards", "actions", "turn_end")
"""A to G; E to G are one."""

ORDER = ("protestant", "catholic")
"""C 6.0."""

OF_THE_ACTIVE = ("activation", "march", "contact", "fight", "forage", "siege", "recruiting")
"""Kinds of question that are asked of the active side alone."""

OF_BOTH_AT_ONCE = ("pay", "looting", "sieges", "revolts", "keep_card")
"""Kinds of question of the end of a turn."""


class OrderWatch:
    """Follows turns, phases, rounds and the active side."""

    def __init__(self, kit: Kit):
        self.last_round = kit.constants["activations"]
        self.state: dict[str, Any] = {}
        self.rounds = 0
        """How often somebody became active; a game of some length that has none was not watched."""

    def see(self, facts: Sequence[Fact], asks: Iterable[tuple[str, str]]) -> str | None:
        """What was out of order in an event; see `pbem.table.game.Game`."""
        for fact in facts:
            if fact["fact"] != "state":
                continue
            before, self.state[fact["name"]] = self.state.get(fact["name"]), fact["after"]
            problem = None if fact.get("why") == "restore" else self._changed(fact["name"], before, fact["after"])
            if problem:
                return problem
        return self._asked(list(asks))

    def _changed(self, name: str, before: Any, after: Any) -> str | None:
        if name == "phase" and before in PHASES and after in PHASES:
            due = PHASES[(PHASES.index(before) + 1) % len(PHASES)]
            return None if after == due else f"{after} follows {before}; it is the time of {due}"
        if name == "turn" and before is not None and after != before + 1:
            return f"turn {after} follows turn {before}"
        if name == "round" and after is not None and after != (before or 0) + 1:
            return f"round {after} follows round {before}"
        return self._next(before, after) if name == "active" else None

    def _next(self, before: str | None, after: str | None) -> str | None:
        if after is None:
            return None
        self.rounds += 1
        due = ORDER[0] if before is None else ORDER[(ORDER.index(before) + 1) % len(ORDER)]
        if after != due:
            return f"{after} is active after {before}; it is the turn of {due}"
        if (self.state.get("round") or 0) > self.last_round:
            return f"{after} is active in round {self.state['round']}"
        return None

    def _asked(self, asks: Sequence[tuple[str, str]]) -> str | None:
        for kind, side in asks:
            if kind in OF_THE_ACTIVE and side != self.state.get("active"):
                return f"{side} is asked ({kind}) while {self.state.get('active')} is active"
            if kind in OF_BOTH_AT_ONCE and self.state.get("phase") not in (None, "turn_end"):
                return f"{side} is asked ({kind}) in the phase {self.state['phase']}"
        return None
