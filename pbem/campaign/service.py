"""The service: everything that can be done with campaigns, for the mail room, the pages, the clock and the commands.

Every method that changes a campaign does so in one act (`pbem.campaign.acts`), one transaction, and is safe in several
threads and processes at once. `NoCampaign` is raised for an unknown id, `NotNow` when the state of the campaign does
not allow it, `ValueError` (of which `RulingRefused` is one) for values that cannot be. Times are aware, in UTC, from
the clock that was handed in.

What is done here is done in its rooms, whose methods the service's are; this file only wires them. The way of an order:
`Uptake.submit` (the door), `Inbox` (its number), `Acts.perform` (the act), `taking.take` (what its lines do),
`course.answer` (the game goes on), and `Acts.save`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from functools import partial

from pbem.campaign import retention
from pbem.campaign.acts import Acts, Archive, NotNow
from pbem.campaign.administration import Administration
from pbem.campaign.checking import Checking
from pbem.campaign.clock import Clock, SystemClock
from pbem.campaign.dicebox import DiceBox
from pbem.campaign.erasure import Erasure
from pbem.campaign.inbox import Inbox
from pbem.campaign.kits import Kits
from pbem.campaign.memory import Memory, NoCampaign
from pbem.campaign.new_address import NewAddresses
from pbem.campaign.outages import OUT, Outages
from pbem.campaign.page import Pages
from pbem.campaign.people import People
from pbem.campaign.reading import Reading
from pbem.campaign.referee import Referee
from pbem.campaign.rulings import RulingRefused
from pbem.campaign.settings import Settings
from pbem.campaign.status import Status
from pbem.campaign.store import Store
from pbem.campaign.timekeeping import Timekeeper
from pbem.campaign.uptake import Uptake
from pbem.campaign.waking import Waking


class Service:
    """See the module's text.

    Where mail is polled, a deadline expires only when all mail received up to it has been fetched. The store knows
    that from the poller's heartbeats, in every process; `polled(moment)` takes the place of it.
    `new_secret` gives the secrets of the dice: by chance, but for games that are to be played the same way again
    (random play), where nobody is to be kept from knowing them.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock | None = None,
        *,
        polled: Callable[[datetime], bool] | None = None,
        new_secret: Callable[[], bytes] = lambda: os.urandom(32),
    ):
        self.settings = settings
        self.clock: Clock = clock or SystemClock()
        self.store = Store(settings)
        self.vault = self.store.vault
        kits, people = Kits(self.store), People(self.store, self.vault, settings.domain)
        self.memory = Memory(self.store, kits, settings.play_campaigns_in_memory)
        self.reading = reading = Reading(self.store, kits.of, settings.play_campaigns_in_memory)
        archive = Archive(self.store, DiceBox(self.store, self.vault), kits, people)
        self.acts = acts = Acts(self.memory, archive, settings.play_snapshot_every)
        automatic = settings.play_automatic_limit
        self._inbox = inbox = Inbox(self.store, self.vault, settings.domain)
        outages = Outages(self.store, self.clock, settings)
        timekeeper = Timekeeper(acts, inbox, outages, self.clock, automatic, polled)
        uptake = Uptake(acts, inbox, timekeeper, self.clock, settings)
        polls = polled is not None or bool(settings.imap_host)
        self.waking = waking = Waking(self.store, uptake, timekeeper, outages, self.clock, settings, polls)
        administration = Administration(acts, inbox, self.clock, automatic, new_secret)
        referee = Referee(acts, inbox, reading, self.clock)

        self.create, self.invite = administration.create, administration.invite
        self.accept, self.decline = administration.accept, administration.decline
        self.assign, self.start = administration.assign, administration.start
        self.pause, self.resume, self.extend = administration.pause, administration.resume, administration.extend
        self.replace, self.vacate = administration.replace, administration.vacate
        self.correct_kit = administration.correct_kit
        self.renew_dice, self.finish = administration.renew_dice, administration.finish
        self.archive = administration.archive_campaign

        self.rule, self.try_ruling, self.rewind = referee.rule, referee.try_ruling, referee.rewind
        self.ask_referee, self.disclose, self.table_of = referee.ask_referee, referee.disclose, referee.table_of
        self.check_upgrade, self.out_of_order = referee.check_upgrade, referee.out_of_order
        self.check_rewind, self.goes_with = referee.check_rewind, referee.goes_with
        self.can_be = referee.can_be

        self.campaigns, self.status, self.kit_of = reading.campaigns, reading.status, reading.kit_of
        self.view_at, self.events = reading.view_at, reading.events
        self.audit, self.export, self.press = reading.audit, reading.export, reading.press
        self.may_write_to = reading.may_write_to
        self.asked, self.spoken = reading.asked, reading.spoken
        checking = Checking(reading, archive, inbox, self.clock, settings)
        self.check, self.check_line = checking.check, checking.check_line
        self.page = Pages(reading).of
        self.standing, self.queued = reading.standing, reading.queued

        self.player, erasure = people.player, Erasure(acts, self.clock)
        self.erase_person, self.person_of = erasure.erase_person, erasure.person_of
        self.new_addresses = NewAddresses(self.store, self.vault, self.clock, settings.domain)
        self.sweep = partial(retention.sweep, self.store, self.clock, settings)
        self.seat_of, self.token_of = people.seat_of, people.token_of
        self.sign_outs, self.sign_out = people.sign_outs, people.sign_out
        self.has_seen = people.has_seen

        self.receive, self.take_up, self.submit = uptake.receive, uptake.take_up, uptake.submit
        self.inbox, self.answer, self.raw_mail = inbox.rows, inbox.answer, inbox.raw_mail
        self.with_mail = inbox.with_mail

        self.tick, self.project, self.on_news = waking.tick, waking.project, acts.on_news
        self.rebuild = waking.projection.rebuild
        self.heartbeat, self.way_closed, self.closed_way = outages.heartbeat, outages.way_closed, outages.closed_way

    def close(self) -> None:
        """Close the inbox and the store."""
        self._inbox.close()
        self.memory.clear()
        self.reading.close()
        self.store.close()


__all__ = ["OUT", "NoCampaign", "NotNow", "RulingRefused", "Service", "Status"]
