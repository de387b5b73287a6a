"""2: the rulebook's order of play, watched from outside: for random play through the service.

Placing and bidding go clockwise, as the players sit; the rounds go by the boxes of the alliances, the top one of each
pair first. What is watched is the story as everybody reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pbem.table.facts import Fact


class OrderWatch:
    """Follows who is active, who opens an auction, and who is asked."""

    def __init__(self, seats: Sequence[Sequence[str]]):
        self.seated = [power for powers in seats for power in powers]
        self.state: dict[str, Any] = {}
        self.due: str | None = None
        """Who is to place or to bid next."""
        self.rounds = 0
        """How often somebody's turn came; a game of some length that has none was not watched."""

    def see(self, facts: Sequence[Fact], asks: Iterable[tuple[str, str]]) -> str | None:
        """What was out of order in an event; see `pbem.table.game.Game`."""
        for fact in facts:
            problem = None
            if fact["fact"] == "state" and fact.get("why") != "restore":
                problem = self._state(fact["name"], fact["after"])
            elif fact["fact"] == "happened":
                problem = self._happened(fact)
            if problem:
                return problem
        for kind, power in asks:
            if kind in ("placement", "auction") and self.due is not None and power != self.due:
                return f"{power} is asked ({kind}); it is the turn of {self.due}"
        return None

    def _left_of(self, power: str) -> str:
        return self.seated[(self.seated.index(power) + 1) % len(self.seated)]

    def _state(self, name: str, after: Any) -> str | None:
        before, self.state[name] = self.state.get(name), after
        if name == "seating":
            self.seated = list(after)
        elif name == "first_player":
            self.due = after
        elif name == "proposal" and after:
            return self._acts(after["bidder"])
        elif name == "turn_order" and after and after != self._by_the_boxes():
            return f"the turn order is {', '.join(after)}; the alliances say {', '.join(self._by_the_boxes())}"
        elif name == "active" and after is not None and self.state.get("phase") == "actions":
            self.rounds += 1
            order = self.state["turn_order"]
            due = order[0] if before is None else order[(order.index(before) + 1) % len(order)]
            if after != due:
                return f"{after} has the turn after {before}; it is that of {due}"
        return None

    def _by_the_boxes(self) -> list[str]:
        top, bottom = self.state.get("alliance_top") or [], self.state.get("alliance_bottom") or []
        places = range(max(len(top), len(bottom)))
        return [row[place] for place in places for row in (top, bottom) if place < len(row)]

    def _happened(self, fact: Fact) -> str | None:
        if fact["what"] == "auction":
            self.due = fact["opener"]
            self.rounds += 1
        elif fact["what"] == "auction_won":
            self.due = None
        elif fact["what"] == "placed" or (fact["what"] == "passed" and self.state.get("phase") == "auction"):
            return self._acts(fact["power"])
        return None

    def _acts(self, power: str) -> str | None:
        due, self.due = self.due, self._left_of(power)
        self.rounds += 1
        return None if power == due else f"{power} acts at the turn of {due}"
