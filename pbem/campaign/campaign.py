"""The aggregate of a campaign: what must be known now to go on, and nothing of how it came to be.

Every event is one link of the ledger (`pbem.campaign.ledger`): its sealed parts hold what was said, what was thrown and
the facts; beside them stands ``change``, what the campaign remembers from now on. Folding is therefore the same for all
kinds of events: facts are added to those since the last point of rest, and what changed is set.

`pbem.campaign.changes` has the kinds of events and what a change may hold.
"""

from __future__ import annotations

import copy
import pickle
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from eventsourcing.domain import BaseAggregate, CanInitAggregate, CanMutateAggregate, CanSnapshotAggregate
from eventsourcing.utils import register_topic

from pbem.campaign import changes, deadlines, ledger
from pbem.campaign.ledger import SealedEvent
from pbem.table.board import Board
from pbem.table.facts import Fact, apply_all

SNAPSHOT_FORM = 2 ^ changes.NAMES_OF_STATE
"""Raise the number when what a campaign remembers changes its meaning; when other things are remembered, the form is
another one by itself. Snapshots of another form are rebuilt from the events."""


@dataclass(frozen=True)
class Event(CanMutateAggregate[str]):
    """Something that happened in a campaign.

    `sealed` is the link of the ledger; `change` what the campaign remembers from now on; `submission` the number in the
    inbox of what it came of; `notes` what the read models are told besides.
    """

    class_version = changes.FORM  # the library stores it with the event, and lifts those of earlier forms

    originator_id: str
    originator_version: int
    timestamp: datetime
    sealed: dict[str, Any]
    change: dict[str, Any]
    submission: int | None = None
    notes: dict[str, Any] = field(default_factory=dict)

    @staticmethod
    def upcast_v1_v2(stored: dict[str, Any]) -> None:
        """Called by the library for an event of form 1."""
        changes.lift_notes(stored)

    @staticmethod
    def upcast_v2_v3(stored: dict[str, Any]) -> None:
        """Called by the library for an event of form 1 or 2."""
        changes.lift_clock(stored)

    @property
    def kind(self) -> str:
        return self.sealed["header"]["kind"]

    @property
    def seats(self) -> list[str]:
        """The ids of all seats: they name the parts that are neither everybody's nor the referee's."""
        return [part for part in self.sealed["header"]["parts"] if part not in ledger.COMMON_PARTS]

    @property
    def link(self) -> SealedEvent:
        """The link of the ledger as an object."""
        return SealedEvent.from_json(self.sealed)

    def content(self, part: str) -> dict[str, Any]:
        """What a part says."""
        return ledger.from_canonical(self.sealed["parts"][part]["content"])

    def apply(self, aggregate: Campaign) -> None:
        aggregate.fold(self)


class Created(Event, CanInitAggregate[str]):
    """The first event of a campaign."""

    TOPIC = "pbem:Created"
    originator_topic = "pbem:Campaign"  # the same for all, so no event holds it


class Played(Event):
    """Something that moved the game: it has facts, or answers of the open question."""

    TOPIC = "pbem:Played"


class Administered(Event):
    """Something about the campaign that leaves the game as it is."""

    TOPIC = "pbem:Administered"


REMEMBERED = (*changes.blank(), "head")


if TYPE_CHECKING:

    class _Remembering(BaseAggregate[str], changes.State):
        """A campaign has what `changes.State` names."""
else:
    _Remembering = BaseAggregate[str]


class Campaign(_Remembering):
    """One play of a game. Attributes: see `changes.State`, and the `head` of its chain, the hash of its last event.

    Their values are never changed in place, only set anew.
    """


    TOPIC = "pbem:Campaign"
    board: Board | None

    def __init__(self) -> None:
        """Called by the library for the first event, before it is folded."""
        vars(self).update(changes.blank(), head=ledger.FIRST_PREVIOUS)

    @classmethod
    def create(cls, campaign: str, event: Created) -> Campaign:
        """A new campaign whose first event is still to be saved."""
        made = event.mutate(None)
        assert made is not None
        made.pending_events.append(event)
        return made

    def aside(self) -> Campaign:
        """The campaign, to be tried on: what is written on it is never saved. The board is the same one, so that
        nothing may be written that has facts."""
        made = copy.copy(self)
        made._pending_events = []
        return made

    def fold(self, event: Event) -> None:
        """Take an event in."""
        self.head = event.sealed["hash"]
        change = event.change
        facts = full_facts(event)
        if "powers" in change:
            self.board = Board(self.game, list(change["powers"]))
        if "back" in change:
            if event.kind == "rewound":
                first = event.content(ledger.PUBLIC).get("to", self.rest_event) + 1
                number = event.originator_version
                self.undone = [*self.undone, [first, number - 1, number]]
            self._go_back(change["back"], facts)
        elif facts or "rest" in change:
            self._go_on(facts, change.get("rest"))
            if change.get("rest") is not None:
                self.rest_event = event.originator_version
        if "fed" in change:
            self.entries = [*self.entries, change["fed"]]
        vars(self).update({name: value for name, value in change.items() if name in changes.STATE})
        if "clock" in change:
            before = {} if "question" in change else self.clocks
            self.clocks = deadlines.of_all(before, self.asks, change["clock"])

    @property
    def deadline(self) -> str | None:
        """When the open question closes at the latest; see `pbem.campaign.deadlines.closes`."""
        return deadlines.closes(self.clocks)

    def _go_on(self, facts: list[Fact], rest: int | None) -> None:
        if rest is None:
            self.facts = [*self.facts, *facts]
            return
        assert self.board is not None
        apply_all(self.board, self.facts)
        apply_all(self.board, facts[:rest])
        self.facts, self.entries = facts[rest:], []

    def _go_back(self, back: dict[str, Any], facts: list[Fact]) -> None:
        """A rewind (or the end of a held step): the board after `facts`, then back to the point of rest before it."""
        assert self.board is not None
        apply_all(self.board, self.facts)
        apply_all(self.board, facts)
        apply_all(self.board, back["to_rest"])
        self.facts, self.entries = back["facts"], back["entries"]

    def board_now(self) -> Board:
        """A copy of the whole board as it stands."""
        assert self.board is not None
        return apply_all(self.board.copy(), self.facts)

    def seat_of_power(self, power: str) -> str:
        """The seat that holds a power."""
        return next(seat for seat, seating in self.seats.items() if power in seating["powers"])

    def powers_of(self, seat: str) -> list[str]:
        """The powers of a seat."""
        return self.seats[seat]["powers"]


@dataclass(frozen=True)
class Snapshot(CanSnapshotAggregate[str]):
    """The attributes of a campaign at one of its events: a cache."""

    TOPIC = "pbem:Snapshot"

    originator_id: str
    originator_version: int
    timestamp: datetime
    topic: str
    form: int
    state: dict[str, Any]

    @classmethod
    def take(cls, aggregate: Any) -> Snapshot:
        state = {name: getattr(aggregate, name) for name in REMEMBERED}
        state["board"] = aggregate.board.to_json() if aggregate.board else None
        return cls(
            aggregate.id, aggregate.version, aggregate.modified_on, Campaign.TOPIC, SNAPSHOT_FORM, copy.deepcopy(state)
        )

    def mutate(self, _: Any) -> Any:
        campaign: Any = super().mutate(None)
        campaign.modified_on = self.timestamp
        if isinstance(campaign.board, dict):
            campaign.board = Board.from_json(campaign.board)
        return campaign


def pack(campaign: Campaign) -> bytes:
    """A campaign that has nothing to save, in a few kilobytes: for the memory of this process only."""
    assert not campaign.pending_events
    state = {name: getattr(campaign, name) for name in REMEMBERED}
    kept = Snapshot(campaign.id, campaign.version, campaign.modified_on, Campaign.TOPIC, SNAPSHOT_FORM, state)
    return zlib.compress(pickle.dumps(kept, pickle.HIGHEST_PROTOCOL), 1)


def unpack(packed: bytes) -> Campaign:
    """The campaign again."""
    return pickle.loads(zlib.decompress(packed)).mutate(None)


for kind in (Campaign, Created, Played, Administered, Snapshot):
    register_topic(kind.TOPIC, kind)  # fixed names, so that moving a class does not orphan streams


# --- facts in parts

Own = list[Any]
"""What a reader has to read beyond the public facts: ``[place, instead, fact]``. `place` counts public facts; `instead`
is 1 where the fact stands in place of that public one, 0 where it stands before it and the public reads nothing of
it."""


def merge(public: Sequence[Fact], own: Iterable[Own]) -> list[Fact]:
    """The facts of an event as one reader has them, in their order."""
    own = list(own)
    if not own:
        return list(public)
    merged: list[Fact] = []
    at = 0
    for place, instead, fact in own:
        merged += public[at:place]
        merged.append(fact)
        at = place + instead
    return merged + list(public[at:])


def full_facts(event: Event) -> list[Fact]:
    """The facts of an event as they are, hidden ones included."""
    public, hidden = _facts_of(event, ledger.PUBLIC), _facts_of(event, ledger.REFEREE)
    return merge(public, hidden) if hidden else public


def _facts_of(event: Event, part: str) -> list[Any]:
    """What a part has under ``facts``; most parts that have none need not be read for that."""
    if '"facts":' not in event.sealed["parts"][part]["content"]:
        return []
    return event.content(part).get("facts", [])
