"""Deadlines that are due: each is one act, which reminds, expires, or moves what lies in an outage.

Safe to run twice, in several processes, and late: whether something is due stands in the campaign and the store.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from pbem.campaign import deadlines, expiry, following
from pbem.campaign.acts import Act, Acts
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock import Clock, moment, stamp
from pbem.campaign.inbox import Inbox
from pbem.campaign.live import Live
from pbem.campaign.outages import OUT, Outages
from pbem.campaign.submissions import Received

TOLD_AFTER = timedelta(hours=1)
"""How long a deadline waits for a way in that is down before moderators are told; then once a day."""

MOST_AT_ONCE = 50
"""One expiry may open a question that is due at once; a set number ends any cycle."""


class Timekeeper:
    """Deals with deadlines, see the module. `automatic`: how many answers run by themselves after one expiry.

    `polled` takes the place of what the store knows of good polls.
    """

    def __init__(
        self, acts: Acts, inbox: Inbox, outages: Outages, clock: Clock, automatic: int,
        polled: Callable[[datetime], bool] | None = None,
    ):  # fmt: skip
        self.acts, self.inbox, self.outages, self.clock = acts, inbox, outages, clock
        self._automatic, self._polled = automatic, polled

    def heed_absences(self, now: datetime) -> int:
        """Tell campaigns of absences that their players spoke of elsewhere; returns how many were told."""
        untold = self.acts.archive.people.untold_absences(now)
        for campaign, seat, away in untold:
            self.acts.perform(campaign, now, partial(expiry.heed_absence, seat=seat, away=away))
        return len(untold)

    def deal_with_deadlines(self, received: Received) -> bool:
        """Whether the deadlines that have passed are dealt with now, so that what came after them can be taken up."""
        self.keep(received.campaign, self.clock.now(), {})
        return not comes_too_early(self.acts.memory.get(received.campaign).campaign, received)

    def keep(self, campaign: str, now: datetime, held_up: dict[str, str]) -> int:
        """Do all that is due in a campaign; returns how much was. `held_up` gets it, and its deadline, where that waits
        for a way in."""
        done = 0
        while done < MOST_AT_ONCE and self.acts.perform(campaign, now, lambda act: self._due(act, held_up)):
            done += 1
        return done

    def _due(self, act: Act, held_up: dict[str, str]) -> bool:
        """Do the next thing that is due; whether there was one."""
        expiry.hold_if_differs(act)
        campaign = act.campaign
        if campaign.status == "running" and expiry.close(act):
            following.settle(act, self._automatic)
        elif campaign.status == "running":
            first = deadlines.next_deadline(campaign.clocks)
            if first is not None and moment(first) <= act.now:
                self._pass(act, moment(first), held_up)
            if not campaign.pending_events:
                expiry.remind(act)
        return bool(campaign.pending_events)

    def _pass(self, act: Act, deadline: datetime, held_up: dict[str, str]) -> None:
        """Deal with a deadline that has passed, unless what was sent before it may still come in."""
        if self._may_expire(act, deadline):
            expiry.miss(act)
            following.settle(act, self._automatic)
        elif act.now - deadline > TOLD_AFTER:
            held_up[act.campaign.id] = stamp(deadline)

    def _may_expire(self, act: Act, deadline: datetime) -> bool:
        if self._outage(act, deadline) or self.inbox.waits_before(act.campaign.id, stamp(deadline)):
            return False
        return self._polled(deadline) if self._polled is not None else self.outages.is_polled(deadline, act.now)

    def _outage(self, act: Act, deadline: datetime) -> bool:
        """Whether the deadline lies in an outage, or its question could not go out for one: then it is moved by its
        length, and so are the others that do, or it waits until the way is open again."""
        now, outages = act.now, self.outages
        for gap in outages.gaps(deadline, now):
            start, stop = moment(gap.start), moment(gap.stop)
            name = f"{gap.way} {gap.start}"
            if name in act.campaign.outages or not outages.counts(gap.way):
                continue
            until = {key: max(later, now) for key, later in _moved(act.live, gap.way, start, stop).items()}
            if not until:
                continue
            reason = f"{gap.way} was down from {gap.start} to {gap.stop}"
            if gap.way == OUT:
                reason = f"no mail went out from {gap.start} to {gap.stop}"
            expiry.extend(act, until, reason, outage=name)
            return True
        return any(
            last <= deadline if way != OUT else _as_sent(act.live, last, now, now) > now
            for way, last in outages.down(now).items()
            if outages.counts(way)
        )


def comes_too_early(campaign: Campaign, received: Received) -> bool:
    """Whether a submission was received after a deadline that is to be dealt with before it."""
    if campaign.status != "running":
        return False
    return deadlines.comes_too_early(campaign.asks, campaign.clocks, received.seat, received.received_at)


def _moved(live: Live, way: str, start: datetime, stop: datetime) -> dict[str, datetime]:
    """The deadlines that an outage moves, by question: those that lie in it by its length; for the way out see
    `_as_sent`."""
    moved = {}
    for key, clock in live.campaign.clocks.items():
        if clock["deadline"] is None or clock["over"]:
            continue
        deadline = moment(clock["deadline"])
        if way == OUT:
            later = _as_sent(live, start, stop, deadline)
        else:
            later = deadline + (stop - start) if start <= deadline < stop else deadline
        if later > deadline:
            moved[key] = later
    return moved


def _as_sent(live: Live, start: datetime, stop: datetime, deadline: datetime) -> datetime:
    """A deadline of the open question as it would be had it been asked when its mail could go out.

    Where it was asked before the outage began its mail had left, and nothing moves. It never gets more than its
    whole time from the end of the outage, so that an outage of all ways counts once.
    """
    campaign = live.campaign
    if campaign.asked_at is None or campaign.kind is None:
        return deadline
    asked = moment(campaign.asked_at)
    if not start < asked < stop:
        return deadline
    whole = stop + timedelta(hours=live.hours(campaign.kind))
    return max(deadline, min(deadline + (stop - asked), whole))
