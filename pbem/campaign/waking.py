"""What the clock wakes: inboxes with mail, campaigns in which something is due, and the read models after them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from sqlalchemy import select

from pbem.campaign import notices
from pbem.campaign.clock import Clock, stamp
from pbem.campaign.outages import Outages
from pbem.campaign.readmodels import Projection
from pbem.campaign.settings import Settings
from pbem.campaign.store import Store, is_store_fault
from pbem.campaign.timekeeping import Timekeeper
from pbem.campaign.uptake import Uptake

log = logging.getLogger("pbem.campaign")


class Waking:
    """The clock of one process. `polls`: whether a mailbox is polled."""

    def __init__(
        self, store: Store, uptake: Uptake, timekeeper: Timekeeper, outages: Outages, clock: Clock, settings: Settings,
        polls: bool,
    ):  # fmt: skip
        self.store, self.uptake, self.timekeeper, self.outages = store, uptake, timekeeper, outages
        self.clock, self.domain, self._polls = clock, settings.domain, polls
        self.projection = Projection(store, settings.domain, timedelta(minutes=settings.smtp_gather_minutes))

    def tick(self, now: datetime | None = None) -> int:
        """Do what is due: work inboxes off, remind, expire, bring the read models up to date. Returns how much was
        done.

        Safe to run twice, in several processes, late, and with nothing to do.
        """
        now = now or self.clock.now()
        done = 0
        self.outages.disbelieve(now)
        for campaign in self.uptake.inbox.with_mail():
            done += self._guarded(campaign, self.uptake.take_up)
        self.project()
        done += self.timekeeper.heed_absences(now)
        held_up: dict[str, str] = {}
        for campaign in self._due(now):
            done += self._guarded(campaign, lambda one: self.wake(one, now, held_up))
        if held_up:
            self._tell_of_ways(now, held_up)
        if done:
            self.project()
        return done

    def _due(self, now: datetime) -> list[str]:
        t = self.store.tables.campaigns
        due = select(t.c.campaign).where(t.c.next_wake <= stamp(now), t.c.state == "running")
        with self.store.read() as connection:
            return list(connection.execute(due).scalars())

    def wake(self, campaign: str, now: datetime, held_up: dict[str, str]) -> int:
        """Everything received up to the deadline is taken up, then the deadline is dealt with.

        `held_up` gets the campaigns whose deadline waits for a way in, and that deadline.
        """
        with self.uptake.memory.lock(campaign):
            return self.uptake.take_up(campaign) + self.timekeeper.keep(campaign, now, held_up)

    def _guarded(self, campaign: str, act: Callable[[str], int]) -> int:
        """One campaign's fault is no other's: it is logged, its moderators are told, and the next tick tries again."""
        try:
            return int(act(campaign))
        except Exception as error:
            if is_store_fault(error):
                log.error("campaign %s: the clock could not go on: %s", campaign, type(error).__name__)
                return 0
            log.exception("campaign %s: the clock could not go on", campaign)
            said = {"error": type(error).__name__}
            try:
                notices.tell_of_campaign(self.store, self.domain, self.clock.now(), notices.FAULT, campaign, said)
            except Exception:  # the store may be what is at fault
                log.exception("campaign %s: nobody could be told of it", campaign)
            return 0

    def _tell_of_ways(self, now: datetime, held_up: Mapping[str, str]) -> None:
        """Deadlines wait since long for a way that is down: the moderators are told, once a day."""
        ways = {way: stamp(last) for way, last in self.outages.down(now).items()}
        if not ways and self._polls:
            ways = {"imap": ""}
        if ways:
            notices.tell_of_ways(self.store, self.domain, now, ways, held_up)

    def project(self, limit: int = 500) -> int:
        """Bring the read models up to date; returns how many events were taken in."""
        taken = 0
        while True:
            pulled = self.projection.pull(limit)
            taken += pulled
            if pulled < limit:
                return taken
