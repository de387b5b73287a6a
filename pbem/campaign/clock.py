"""Time, from one place: everything that needs to know it asks a clock that was handed in.

Times are aware, in UTC. In the stream and in tables they are texts of one fixed form (`stamp`), which sort as they run.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""


class SystemClock:
    """The time of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class ManualClock:
    """A clock that stands still until it is moved: for tests and the demonstration."""

    def __init__(self, start: datetime = datetime(2025, 1, 1, 12, tzinfo=UTC)):
        self._now = start

    def now(self) -> datetime:
        return self._now

    def advance(self, **by: float) -> datetime:
        """Move forward (``hours=3``); returns the new time."""
        self._now += timedelta(**by)
        return self._now

    def set(self, moment: datetime) -> None:
        """Move to a moment."""
        self._now = moment.astimezone(UTC)


def stamp(moment: datetime) -> str:
    """A moment as text: ``2025-01-01T12:00:00.000000+00:00``."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def moment(text: str) -> datetime:
    """The moment of a text that `stamp` wrote."""
    return datetime.fromisoformat(text)
