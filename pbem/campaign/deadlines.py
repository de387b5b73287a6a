"""Deadlines: how long a question stays open, reminders, and what a missed deadline means.

A campaign's ``policy`` (all keys may be left out):

``times``        hours by kind of question; ``default`` for every kind without its own here; without it the kit's
``reminders``    hours before the deadline, ``[24, 6]``
``missed``       ``default`` (silence answers at once), ``grace``, ``extend`` or ``hold``
``grace_hours``  24: only those who are late may still send; then silence answers
``extensions, extension_hours``  1 and 24: automatic extensions for each seat; then ``then``
``then``         ``default`` or ``pause`` (until the seat is replaced, or the moderator resumes)
``answers``      ``able`` or ``everyone``: whom a response window waits for. It is one switch with the game's option of
                 the name `RESPONSE_WINDOWS`: see `one_switch`
``press``        ``windows`` (press only while a window is open), ``always`` or ``never``
``spectators``   ``yes`` or ``no``: whether those without a seat may see the campaign's public side on the pages

A question without a default (`NoDefault`) is held whatever the policy says: the clock stops and the moderator is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from pbem.campaign.clock import moment, stamp
from pbem.table.questions import NoDefault

if TYPE_CHECKING:
    from pbem.campaign.campaign import Campaign
    from pbem.campaign.live import Live
    from pbem.table.kit import Kit

POLICY: dict[str, Any] = {
    "times": {},
    "reminders": [24, 6],
    "missed": "default",
    "grace_hours": 24,
    "extensions": 1,
    "extension_hours": 24,
    "then": "default",
    "answers": "able",
    "press": "always",
    "spectators": "yes",
}
_CHOICES = {
    "missed": ("default", "grace", "extend", "hold"),
    "then": ("default", "pause"),
    "answers": ("able", "everyone"),
    "press": ("always", "windows", "never"),
    "spectators": ("yes", "no"),
}
MOST_HOURS = 24 * 366
RESPONSE_WINDOWS = "response_windows"
"""The option of a kit by which its rules ask those who could respond, or everyone."""


def check_policy(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The whole policy of a campaign from what was chosen. Raises `ValueError` that says what is wrong."""
    policy = {**POLICY, **(given or {})}
    for name in policy:
        if name not in POLICY:
            raise ValueError(f"there is no policy {name!r}; there are {', '.join(POLICY)}")
    for name, choices in _CHOICES.items():
        if policy[name] not in choices:
            raise ValueError(f"policy {name} is one of {', '.join(choices)}, not {policy[name]!r}")
    hours = {"grace_hours": policy["grace_hours"], "extension_hours": policy["extension_hours"], **policy["times"]}
    for name, value in hours.items():
        if type(value) is not int or not 1 <= value <= MOST_HOURS:
            raise ValueError(f"policy {name} is a whole number of hours from 1 to {MOST_HOURS}, not {value!r}")
    if type(policy["extensions"]) is not int or not 0 <= policy["extensions"] <= 99:
        raise ValueError("policy extensions is a whole number from 0 to 99")
    if not all(type(hour) is int and 1 <= hour <= MOST_HOURS for hour in policy["reminders"]):
        raise ValueError("policy reminders is a list of whole hours")
    policy["reminders"] = sorted(set(policy["reminders"]), reverse=True)
    return policy


def one_switch(
    kit: Kit, options: Mapping[str, Any], policy: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options and policy as chosen, with the game's option for response windows and the policy ``answers`` alike.

    Either may be chosen; where neither is, the kit's default counts. Raises `ValueError` when they were chosen apart.
    """
    chosen, rules = dict(options), dict(policy)
    if RESPONSE_WINDOWS not in kit.options:
        return chosen, rules
    given = [value for value in (chosen.get(RESPONSE_WINDOWS), rules.get("answers")) if value is not None]
    if len(set(given)) > 1:
        raise ValueError(f"option {RESPONSE_WINDOWS} and policy answers are one switch: {' or '.join(given)}?")
    value = given[0] if given else kit.options[RESPONSE_WINDOWS].default
    return {**chosen, RESPONSE_WINDOWS: value}, {**rules, "answers": value}


def set_deadline(campaign: Campaign, at: datetime, deadline: datetime) -> dict[str, Any]:
    """What the campaign remembers of a deadline set at a moment: reminders to come, and when to wake next."""
    wanted = campaign.policy.get("reminders", POLICY["reminders"])
    left = [hours for hours in wanted if deadline - timedelta(hours=hours) > at]
    change = {"deadline": stamp(deadline), "reminders": left, "remaining": None}
    return change | {"wake": next_wake(change["deadline"], left)}


def next_wake(deadline: str | None, reminders: Sequence[int]) -> str | None:
    """When the clock has something to do."""
    if deadline is None:
        return None
    return stamp(moment(deadline) - timedelta(hours=max(reminders, default=0)))


def seconds_between(start: datetime, deadline: str) -> int:
    """The whole seconds left, never less than nought."""
    return max(0, int((moment(deadline) - start).total_seconds()))


def remind(live: Live, now: datetime) -> int | None:
    """Send the reminders that are due; returns the event's number, or None when none is."""
    campaign = live.campaign
    if campaign.deadline is None or campaign.status != "running":
        return None
    deadline = moment(campaign.deadline)
    due = [hours for hours in campaign.reminders if deadline - timedelta(hours=hours) <= now]
    if not due or now >= deadline:
        return None
    left = [hours for hours in campaign.reminders if hours not in due]
    late = waiting_powers(campaign)
    return live.write(
        "reminded",
        now,
        public={"hours": min(due), "deadline": campaign.deadline, "question": campaign.question},
        referee={"powers": late},
        change={
            "reminders": left,
            "wake": next_wake(campaign.deadline, left),
            "reminding": waiting_seats(campaign),
            "in_window": campaign.window,
        },
    )


def waiting_powers(campaign: Campaign) -> list[str]:
    """The powers whose answer is missing."""
    return list(dict.fromkeys(ask["power"] for ask in campaign.asks if not ask["answered"]))


def waiting_seats(campaign: Campaign) -> list[str]:
    """The seats whose answer is missing."""
    return list(dict.fromkeys(ask["seat"] for ask in campaign.asks if not ask["answered"]))


def miss(live: Live, now: datetime) -> None:
    """The deadline has passed and everything sent in time is taken up: what the policy says happens.

    Writes events that carry the deadline's own time.
    """
    campaign, policy = live.campaign, live.campaign.policy
    assert campaign.deadline is not None
    at = moment(campaign.deadline)
    late = waiting_seats(campaign)
    told = {"missed": waiting_powers(campaign), "deadline": campaign.deadline, "question": campaign.question}
    missed = policy["missed"]
    if missed == "grace" and campaign.grace is None and not campaign.window:
        until = max(at, now) + timedelta(hours=policy["grace_hours"])
        change = {**set_deadline(campaign, now, until), "grace": late}
        live.write("missed", at, public={**told, "until": stamp(until)}, change=change)
        return
    if missed == "extend" and not campaign.window:
        used = {seat: campaign.seats[seat]["extensions"] for seat in late}
        if used and all(number < policy["extensions"] for number in used.values()):
            until = max(at, now) + timedelta(hours=policy["extension_hours"])
            seats = {s: {**h, "extensions": h["extensions"] + (s in used)} for s, h in campaign.seats.items()}
            public = {**told, "until": stamp(until), "automatic": True}
            live.write("extended", at, public=public, change={**set_deadline(campaign, now, until), "seats": seats})
            return
    if missed == "hold" and not campaign.window:
        hold(live, at, "the deadline passed, and this campaign waits until somebody acts", told)
        return
    if missed in ("extend", "grace") and policy["then"] == "pause" and not campaign.window:
        pause(live, at, "a deadline was missed; the seat is to be replaced, or the game resumed", told)
        return
    try:
        live.expire(at, now)
    except NoDefault:
        hold(live, at, "the deadline passed, and silence does not answer this question", told)


def hold(live: Live, at: datetime, reason: str, told: Mapping[str, Any] | None = None) -> None:
    """Stop the clock of a question that only somebody's act can answer; orders are still taken."""
    live.write(
        "missed",
        at,
        public={**(told or {}), "reason": reason, "held": True},
        change={"deadline": None, "wake": None, "reminders": [], "remaining": None},
    )


def pause(live: Live, at: datetime, reason: str, told: Mapping[str, Any] | None = None) -> None:
    """Stop the clock with its remaining time."""
    campaign = live.campaign
    remaining = seconds_between(at, campaign.deadline) if campaign.deadline else None
    live.write(
        "paused",
        at,
        public={**(told or {}), "reason": reason, "remaining": remaining},
        change={"status": "paused", "reason": reason, "remaining": remaining, "deadline": None, "wake": None},
    )


def resume(live: Live, at: datetime, reason: str) -> None:
    """Let the clock run on from where it stopped (after a missed deadline: with the question's whole time)."""
    campaign = live.campaign
    change: dict[str, Any] = {"status": "running", "reason": None}
    if campaign.kind is not None:
        left = campaign.remaining or live.hours(campaign.kind) * 3600
        change |= set_deadline(campaign, at, at + timedelta(seconds=left))
    live.write("resumed", at, public={"reason": reason, "deadline": change.get("deadline")}, change=change)


def extend(live: Live, at: datetime, until: datetime, reason: str, outage: str | None = None) -> None:
    """Move the deadline of the open question; all are told."""
    campaign = live.campaign
    public = {"reason": reason, "before": campaign.deadline, "until": stamp(until)}
    change = set_deadline(campaign, at, until)
    if outage is not None:
        public["outage"] = outage
        change["outages"] = [*campaign.outages, outage][-20:]
    live.write("extended", at, public=public, change=change)
