"""The service: everything that can be done with campaigns, for the mail room, the pages, the clock and the commands.

This text is the public interface; see the methods. All times are aware, in UTC. Every method that changes a campaign
does so in one transaction and is safe in several processes at once. `NoCampaign` is raised for an unknown id, `NotNow`
when the state of the campaign does not allow it, `ValueError` for values that cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem.campaign.submissions import Answer, Asked, Submission
from pbem.table.board import Board


class NoCampaign(LookupError):
    """There is no campaign of this id."""


class NotNow(RuntimeError):
    """The campaign is not in a state that allows this; says what it is in."""


@dataclass(frozen=True)
class Status:
    """A campaign as everybody may know it: for lists and headers of pages.

    `state`: ``inviting``, ``running``, ``paused``, ``held``, ``finished`` or ``archived``. `seats`: seat ->
    ``{"powers": [...], "accepted": bool}``. `waiting_for` are powers, `waiting_seats` their seats. `asks`: the open
    questions ``{power, seat, kind, key}``; sealed rounds do not tell who has answered.
    """

    campaign: str
    title: str
    game: str
    scenario: str
    options: dict[str, Any]
    state: str
    seats: dict[str, dict[str, Any]]
    waiting_for: list[str]
    waiting_seats: list[str]
    asks: list[dict[str, Any]]
    asked_at: datetime | None
    deadline: datetime | None
    event: int
    head: str
    dice: list[dict[str, Any]] = field(default_factory=list)
    reason: str | None = None


class Service:
    """See the module's text. `polled(moment)` tells whether all mail received up to a moment has been fetched."""

    # life
    def create(self, game: str, seats: int, *, campaign: str | None = None, title: str | None = None,
               scenario: str | None = None, options: Mapping[str, Any] | None = None,
               policy: Mapping[str, Any] | None = None) -> str: ...
    def invite(self, campaign: str, seat: str, name: str, address: str, *, language: str = "en",
               timezone: str = "UTC") -> str: """Returns the seat's token; the invitation goes to the outbox."""
    def accept(self, campaign: str, seat: str) -> None: ...
    def decline(self, campaign: str, seat: str) -> None: ...
    def assign(self, campaign: str, chosen: Mapping[str, str] | None = None) -> dict[str, list[str]]: ...
    def start(self, campaign: str) -> None: ...
    def pause(self, campaign: str, reason: str) -> None: ...
    def resume(self, campaign: str, reason: str = "") -> None: ...
    def extend(self, campaign: str, hours: int, reason: str) -> datetime: ...
    def replace(self, campaign: str, seat: str, name: str, address: str, reason: str = "", *, language: str = "en",
                timezone: str = "UTC") -> str: """Returns the new token; the old one is void at once."""
    def rule(self, campaign: str, facts: Sequence[dict[str, Any]], reason: str, *, ends_step: bool = False) -> int: ...
    def rewind(self, campaign: str, event: int, reason: str) -> int: ...
    def correct_kit(self, campaign: str, kit: Any, reason: str) -> bool: ...
    def finish(self, campaign: str, reason: str) -> None: ...
    def archive(self, campaign: str) -> None: ...

    # the one door
    def seat_of(self, campaign: str, token: str) -> str | None: ...
    def receive(self, submission: Submission) -> int: """Durable number in the campaign's inbox; raises UnknownSender."""
    def take_up(self, campaign: str, most: int | None = None) -> int: """Works the inbox off; returns how many."""
    def submit(self, submission: Submission) -> Answer: """receive and take_up at once, for pages."""
    def answer(self, campaign: str, number: int) -> Answer | None: ...

    # the clock
    def tick(self, now: datetime | None = None) -> int: """Everything due: inbox, reminders, expiries, read models."""
    def heartbeat(self, way: str, now: datetime | None = None) -> None: ...
    def project(self, limit: int = 1000) -> int: """Bring the read models up to date; returns the events taken."""

    # queries
    def campaigns(self) -> list[dict[str, Any]]: ...
    def status(self, campaign: str) -> Status: ...
    def view_at(self, campaign: str, seat: str | None = None, event: int | None = None) -> Board: ...
    def events(self, campaign: str, reader: str | None = None, start: int = 1, stop: int | None = None
               ) -> list[dict[str, Any]]: ...
    def asked(self, campaign: str, seat: str) -> list[Asked]: ...
    def check_line(self, campaign: str, seat: str, line: str) -> dict[str, Any]: """Dry: would this line do?"""
    def audit(self, campaign: str, roll: int) -> dict[str, Any]: ...
    def export(self, campaign: str, reader: str | None, file: Path) -> str: """Writes a bundle; returns its digest."""
    def check_upgrade(self) -> Iterable[tuple[str, str | None]]: ...
    def on_news(self, wake: Callable[[], None]) -> None: """`wake` is called after each save, in the saving thread."""
