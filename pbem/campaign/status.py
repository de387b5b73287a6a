"""How a campaign stands, as everybody may know it: told out of what a campaign remembers or out of its row alike.

Whom the game waits for must not show who has answered: a round of several is sealed. So everybody is told all who are
asked and whose time is not over, whether an answer of theirs lies there or not; a seat knows it of its own powers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Self

from pbem.campaign import deadlines
from pbem.campaign.clock import moment


@dataclass(frozen=True)
class Status:
    """A campaign as everybody may know it: for lists and headers of pages.

    `state`: ``inviting``, ``running``, ``paused``, ``held``, ``finished`` or ``archived``. `seats`: seat ->
    ``{"powers": [...], "accepted": bool, "empty": None, "vacant" or "silent"}``. `waiting_for` are powers and
    `waiting_seats` their seats; in a sealed round these are all who are asked, whether they have answered or not.
    `asks`: ``{power, seat, kind, key}`` of the open questions; `deadline` is the last of theirs, for a seat its own,
    `deadlines` each seat's. `dice`: the commitments to the dice trees.
    """

    campaign: str
    title: str
    game: str
    scenario: str
    options: dict[str, Any]
    policy: dict[str, Any]
    state: str
    seats: dict[str, dict[str, Any]]
    waiting_for: list[str]
    waiting_seats: list[str]
    asks: list[dict[str, Any]]
    kind: str | None
    asked_at: datetime | None
    deadline: datetime | None
    deadlines: dict[str, datetime | None]
    event: int
    head: str
    reason: str | None = None
    dice: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Known:
    """What must be known of a campaign to tell how it stands; see `pbem.campaign.changes.State`."""

    id: str
    version: int
    head: str
    title: str
    game: str
    scenario: str
    options: dict[str, Any]
    policy: dict[str, Any]
    status: str
    reason: str | None
    seats: dict[str, dict[str, Any]]
    kind: str | None
    asks: list[dict[str, Any]]
    asked_at: str | None
    clocks: dict[str, dict[str, Any]]
    trees: list[dict[str, Any]]

    @classmethod
    def of(cls, campaign: Any) -> Self:
        """Of a campaign as it is now; its values are never changed in place."""
        return cls(**{one.name: getattr(campaign, one.name) for one in fields(cls)})

    @classmethod
    def of_row(cls, row: Any) -> Known:
        """Of its row in the read model ``campaigns``, as the database gives it."""
        return cls(
            id=row.campaign, version=row.event, head=row.head, title=row.title, game=row.game, scenario=row.scenario,
            options=json.loads(row.options or "{}"), policy=json.loads(row.policy or "{}"), status=row.state,
            reason=row.reason, seats=json.loads(row.seats or "{}"), kind=row.question,
            asks=json.loads(row.asks or "[]"), asked_at=row.waited_since, clocks=json.loads(row.clocks or "{}"),
            trees=json.loads(row.dice or "[]"),
        )  # fmt: skip


def waiting_as_known(campaign: Known, seat: str | None) -> list[str]:
    """Whom the game waits for, as a seat knows it (None: everybody): all who are asked and whose time is not over, but
    of its own powers those still to answer."""
    own = campaign.seats[seat]["powers"] if seat else []
    missing = [ask["power"] for ask in deadlines.waited_for(campaign.asks, campaign.clocks)]
    in_time = [ask["power"] for ask in deadlines.in_time(campaign.asks, campaign.clocks)]
    return [power for power in dict.fromkeys(in_time) if power not in own or power in missing]


def status_of(campaign: Known, seat: str | None = None) -> Status:
    """How a campaign stands, as everybody may know it; a seat knows besides which of its own powers have answered."""
    waiting = waiting_as_known(campaign, seat)
    return Status(
        campaign=campaign.id, title=campaign.title, game=campaign.game, scenario=campaign.scenario,
        options=dict(campaign.options), policy=dict(campaign.policy), state=campaign.status,
        seats={
            s: {"powers": list(h["powers"]), "accepted": h["accepted"], "empty": h.get("empty")}
            for s, h in campaign.seats.items()
        },
        waiting_for=waiting,
        waiting_seats=list(dict.fromkeys(s for p in waiting for s, h in campaign.seats.items() if p in h["powers"])),
        asks=[{k: v for k, v in ask.items() if k != "answered"} for ask in campaign.asks], kind=campaign.kind,
        asked_at=_moment(campaign.asked_at),
        deadline=_moment(deadlines.own_deadline(campaign.clocks, campaign.asks, seat)),
        deadlines={ask["seat"]: _moment(campaign.clocks[ask["key"]]["deadline"]) for ask in campaign.asks},
        event=campaign.version, head=campaign.head, reason=campaign.reason, dice=list(campaign.trees),
    )  # fmt: skip


def _moment(text: str | None) -> datetime | None:
    return moment(text) if text else None
