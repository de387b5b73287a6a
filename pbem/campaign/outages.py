"""The ways in and the way out of the service: when each was last heard of, and when it was down."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert, or_, select, update

from pbem.campaign.clock import Clock, moment, stamp
from pbem.campaign.settings import Settings
from pbem.campaign.store import Store

log = logging.getLogger("pbem.campaign")

OUT = "out"
"""The way out for mail. Its heartbeats say that nothing which was due is left unsent."""

CLOCKS_APART = timedelta(minutes=1)
"""As far may the clocks of two machines be apart."""


class Outages:
    """The ways of all processes that work on one store."""

    def __init__(self, store: Store, clock: Clock, settings: Settings):
        self.store, self.clock, self.settings = store, clock, settings
        self.limit = timedelta(minutes=settings.clock_outage_minutes)
        """After so long without a heartbeat a way is down."""

    def heartbeat(self, way: str, now: datetime | None = None) -> None:
        """A way in (``smtp``, ``imap``, ``web``) or `OUT` is open; to be called every minute. A gap is put on record.

        `now` is as of when it is known to be: for a mailbox the beginning of a good poll. A beat from the future was
        written by a clock that was ahead; this one takes its place.
        """
        real = self.clock.now()
        now = now or real
        t = self.store.tables
        with self.store.write() as connection:
            connection.execute(delete(t.closed_ways).where(t.closed_ways.c.way == way))
            last = connection.execute(select(t.heartbeats.c.last).where(t.heartbeats.c.way == way)).scalar()
            if last is None:
                connection.execute(insert(t.heartbeats).values(way=way, last=stamp(now)))
                return
            beat = update(t.heartbeats).where(
                t.heartbeats.c.way == way,
                or_(t.heartbeats.c.last < stamp(now), t.heartbeats.c.last > stamp(real + CLOCKS_APART)),
            )
            connection.execute(beat.values(last=stamp(now)))
            if now - moment(last) > self.limit:
                known = connection.execute(
                    select(t.gaps.c.way).where(t.gaps.c.way == way, t.gaps.c.start == last)
                ).scalar()
                if known is None:
                    connection.execute(insert(t.gaps).values(way=way, start=last, stop=stamp(now)))

    def way_closed(self, way: str, reason: str) -> None:
        """A way is known to be closed, for the desk: since when, and the newest reason. Its next heartbeat opens it."""
        t, now = self.store.tables.closed_ways, stamp(self.clock.now())
        with self.store.write() as connection:
            known = connection.execute(update(t).where(t.c.way == way).values(reason=reason[:500]))
            if known.rowcount == 0:
                connection.execute(insert(t).values(way=way, since=now, reason=reason[:500]))

    def closed_way(self, way: str = OUT) -> tuple[datetime, str] | None:
        """Since when a way is closed, and why ("" where nothing was heard of it for long); None while it is open."""
        t, now = self.store.tables, self.clock.now()
        with self.store.read() as connection:
            row = connection.execute(select(t.closed_ways).where(t.closed_ways.c.way == way)).one_or_none()
        if row is not None:
            return moment(row.since), row.reason
        last = self.beats(now).get(way)
        return (last, "") if last is not None and now - last > self.limit else None

    def beats(self, now: datetime) -> dict[str, datetime]:
        """When each way was last heard of."""
        t = self.store.tables.heartbeats
        with self.store.read() as connection:
            rows = connection.execute(select(t).order_by(t.c.way)).all()
        return {row.way: min(moment(row.last), now) for row in rows}

    def disbelieve(self, now: datetime) -> None:
        """Beats from the future say nothing: the clock was ahead. What is known is that they were written before now,
        so an outage is counted from now on."""
        t = self.store.tables.heartbeats
        late = t.c.last > stamp(now + CLOCKS_APART)
        with self.store.read() as connection:
            ahead = connection.execute(select(t.c.way).where(late)).first()
        if ahead is not None:
            log.warning("heartbeats are from the future: the clock was ahead")
            with self.store.write() as connection:
                connection.execute(update(t).where(late).values(last=stamp(now)))

    def down(self, now: datetime) -> dict[str, datetime]:
        """The ways that are down now, and when each was last heard of."""
        return {way: last for way, last in self.beats(now).items() if now - last > self.limit}

    def counts(self, way: str) -> bool:
        """Whether an outage of a way moves deadlines."""
        return way == OUT or not self.settings.ways or way in self.settings.ways

    def gaps(self, deadline: datetime, now: datetime) -> list[Any]:
        """The outages over a deadline, and those of the way out before it, oldest first. One that ends in the future
        was written by a clock that was ahead."""
        t, text = self.store.tables.gaps, stamp(deadline)
        with self.store.read() as connection:
            return list(
                connection.execute(
                    select(t)
                    .where(t.c.start <= text, or_(t.c.stop > text, t.c.way == OUT), t.c.stop <= stamp(now))
                    .order_by(t.c.start, t.c.way)
                ).all()
            )

    def is_polled(self, deadline: datetime, now: datetime) -> bool:
        """Whether all mail received up to a moment has been fetched, as the store knows it from the last good poll,
        whichever process made it; true where no mailbox is polled."""
        counts = not self.settings.ways or "imap" in self.settings.ways
        last = self.beats(now).get("imap")
        if last is None:
            return not self.settings.imap_host
        return last > deadline or not (counts or self.settings.imap_host)
