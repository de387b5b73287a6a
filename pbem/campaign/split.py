"""Facts as they fall, in the form that each reader gets: split once, when they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbem.campaign.campaign import Own, merge
from pbem.table import sight
from pbem.table.facts import Fact, held_after
from pbem.table.procedure import Table

_OPEN_KINDS = frozenset(("state", "units", "piece", "happened", "roll", "sight", "open", "reorder", "players"))


@dataclass
class Split:
    """Facts as they fall, in the form that each reader gets."""

    seats: Mapping[str, Sequence[str]]
    public: list[Fact] = field(default_factory=list)
    own: dict[str, list[Own]] = field(default_factory=dict)
    referee: list[Own] = field(default_factory=list)
    number: int = 0
    seated_anew: bool = False
    """Whether a seat has come to hold other powers, as `seats` has it now."""

    def hear(self, table: Table, fact: Fact) -> None:
        """Take a fact that the table has just done."""
        self.number += 1
        if fact["fact"] == "players":
            self.seats, self.seated_anew = held_after(self.seats, fact), True
        if fact["fact"] in _OPEN_KINDS and "to" not in fact:
            self.public.append(fact)
            return
        board, place = table.board, len(self.public)
        for_all = sight.seen_by(board, fact, sight.PUBLIC)
        instead = 0 if for_all is None else 1
        if for_all != fact:
            self.referee.append([place, instead, fact])
        for seat, powers in self.seats.items():
            form = sight.seen_by(board, fact, powers)
            if form is not None and form != for_all:
                self.own.setdefault(seat, []).append([place, instead, form])
        if for_all is not None:
            self.public.append(for_all)

    def facts_for(self, seat: str) -> list[Fact]:
        """The facts as a seat sees them."""
        return merge(self.public, self.own.get(seat, []))
