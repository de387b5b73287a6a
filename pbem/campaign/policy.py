"""The policy of a campaign: how long questions stay open, reminders, and what a missed deadline means.

It is carried out by `pbem.campaign.expiry`. A campaign's ``policy`` (all keys may be left out):

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
``absence_days``  14: so many days at most an absence of its player moves a question's deadline

A question without a default (`NoDefault`) is held whatever the policy says: the clock stops and the moderator is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

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
    "absence_days": 14,
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
    days = policy["absence_days"]
    if type(days) is not int or not 0 <= days <= MOST_HOURS // 24:
        raise ValueError(f"policy absence_days is a whole number from 0 to {MOST_HOURS // 24}, not {days!r}")
    if type(policy["extensions"]) is not int or not 0 <= policy["extensions"] <= 99:
        raise ValueError("policy extensions is a whole number from 0 to 99")
    if not all(type(hour) is int and 1 <= hour <= MOST_HOURS for hour in policy["reminders"]):
        raise ValueError("policy reminders is a list of whole hours")
    policy["reminders"] = sorted(set(policy["reminders"]), reverse=True)
    return policy


def longest_absence(policy: Mapping[str, Any]) -> timedelta:
    """By how much at most an absence moves a deadline."""
    return timedelta(days=policy.get("absence_days", POLICY["absence_days"]))


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
