"""What the clock does to an open question: reminders, a missed deadline, holding, and the clock stopped and started.

What is meant to happen is the campaign's policy, see `pbem.campaign.deadlines`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from pbem.campaign import course
from pbem.campaign.acts import Act
from pbem.campaign.clock import moment, stamp
from pbem.campaign.deadlines import next_wake, seconds_between, set_deadline, waiting_powers, waiting_seats
from pbem.campaign.live import HELD
from pbem.table.questions import NoDefault


def remind(act: Act) -> int | None:
    """Send the reminders that are due; returns the event's number, or None when none is."""
    campaign = act.campaign
    if campaign.deadline is None or campaign.status != "running":
        return None
    deadline = moment(campaign.deadline)
    due = [hours for hours in campaign.reminders if deadline - timedelta(hours=hours) <= act.now]
    if not due or act.now >= deadline:
        return None
    left = [hours for hours in campaign.reminders if hours not in due]
    return act.write(
        "reminded",
        public={"hours": min(due), "deadline": campaign.deadline, "question": campaign.question},
        referee={"powers": waiting_powers(campaign)},
        change={
            "reminders": left,
            "wake": next_wake(campaign.deadline, left),
            "reminding": waiting_seats(campaign),
            "in_window": campaign.window,
        },
    )


def miss(act: Act) -> None:
    """The deadline has passed and everything sent in time is taken up: what the policy says happens.

    Writes events that carry the deadline's own time.
    """
    assert act.campaign.deadline is not None
    with act.as_of(moment(act.campaign.deadline)):
        _miss(act)


def _miss(act: Act) -> None:
    campaign, policy, now = act.campaign, act.campaign.policy, act.now
    late = waiting_seats(campaign)
    told = {"missed": waiting_powers(campaign), "deadline": campaign.deadline, "question": campaign.question}
    missed = policy["missed"]
    if missed == "grace" and campaign.grace is None and not campaign.window:
        until = max(act.at, now) + timedelta(hours=policy["grace_hours"])
        change = {**set_deadline(campaign, now, until), "grace": late}
        act.write("missed", public={**told, "until": stamp(until)}, change=change)
        return
    if missed == "extend" and not campaign.window:
        used = {seat: campaign.seats[seat]["extensions"] for seat in late}
        if used and all(number < policy["extensions"] for number in used.values()):
            until = max(act.at, now) + timedelta(hours=policy["extension_hours"])
            seats = {s: {**h, "extensions": h["extensions"] + (s in used)} for s, h in campaign.seats.items()}
            public = {**told, "until": stamp(until), "automatic": True}
            act.write("extended", public=public, change={**set_deadline(campaign, now, until), "seats": seats})
            return
    if missed == "hold" and not campaign.window:
        hold(act, "the deadline passed, and this campaign waits until somebody acts", told)
        return
    if missed in ("extend", "grace") and policy["then"] == "pause" and not campaign.window:
        pause(act, "a deadline was missed; the seat is to be replaced, or the game resumed", told)
        return
    try:
        course.expire(act)
    except NoDefault:
        hold(act, "the deadline passed, and silence does not answer this question", told)


def hold(act: Act, reason: str, told: Mapping[str, Any] | None = None) -> None:
    """Stop the clock of a question that only somebody's act can answer; orders are still taken."""
    act.write(
        "missed",
        public={**(told or {}), "reason": reason, "held": True},
        change={"deadline": None, "wake": None, "reminders": [], "remaining": None},
    )


def hold_if_differs(act: Act) -> None:
    """Hold a campaign whose rules differ from the record of the open step, with its clock stopped."""
    differs, campaign = act.live.differs, act.campaign
    if differs and campaign.status in ("running", "paused"):
        left = seconds_between(act.now, campaign.deadline) if campaign.deadline else campaign.remaining
        act.write(
            "held",
            public={"reason": HELD},
            referee={"differs": differs},
            change={"status": "held", "reason": HELD, "remaining": left, "deadline": None, "wake": None},
        )


def pause(act: Act, reason: str, told: Mapping[str, Any] | None = None) -> None:
    """Stop the clock with its remaining time."""
    campaign = act.campaign
    remaining = seconds_between(act.at, campaign.deadline) if campaign.deadline else None
    act.write(
        "paused",
        public={**(told or {}), "reason": reason, "remaining": remaining},
        change={"status": "paused", "reason": reason, "remaining": remaining, "deadline": None, "wake": None},
    )


def resume(act: Act, reason: str) -> None:
    """Let the clock run on from where it stopped (after a missed deadline: with the question's whole time)."""
    campaign = act.campaign
    change: dict[str, Any] = {"status": "running", "reason": None}
    if campaign.kind is not None:
        left = campaign.remaining or act.live.hours(campaign.kind) * 3600
        change |= set_deadline(campaign, act.at, act.at + timedelta(seconds=left))
    act.write("resumed", public={"reason": reason, "deadline": change.get("deadline")}, change=change)


def extend(act: Act, until: datetime, reason: str, outage: str | None = None) -> None:
    """Move the deadline of the open question; all are told."""
    campaign = act.campaign
    public = {"reason": reason, "before": campaign.deadline, "until": stamp(until)}
    change = set_deadline(campaign, act.at, until)
    if outage is not None:
        public["outage"] = outage
        change["outages"] = [*campaign.outages, outage][-20:]
    act.write("extended", public=public, change=change)
