"""The policy of a campaign: how long questions stay open, reminders, what a missed deadline means, and some more.

It is told here once: `PolicySchema` checks what was chosen, and the desk's form, the API and its description are made
of it; `described` says it to players. `pbem.campaign.expiry` carries it out.

A question without a default (`NoDefault`) is held whatever the policy says: the clock stops and the moderator is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from pbem.table.kit import Kit
from pbem.table.said import Said

MOST_HOURS = 24 * 366
MOST_REMINDERS = 10
RESPONSE_WINDOWS = "response_windows"
"""The option of a kit by which its rules ask those who could respond, or everyone."""

TIMES, MISSED, SECRECY = "Times", "A missed deadline", "Secrecy and press"


def _hours(most: int = MOST_HOURS, least: int = 1, **more: Any) -> fields.Integer:
    error = Said("should be a whole number from %(least)s to %(most)s", least=least, most=most)
    return fields.Integer(
        strict=True, validate=validate.Range(least, most, error=error), error_messages={"invalid": error}, **more
    )


def _choice(default: str, group: str, title: str, text: str = "", /, **choices: str) -> fields.String:
    return fields.String(
        load_default=default, validate=validate.OneOf(
            list(choices), error=Said("should be one of %(choices)s", choices=list(choices))
        ),
        metadata={"group": group, "title": title, "choices": choices, **({"description": text} if text else {})},
    )  # fmt: skip


def _number(default: int, group: str, title: str, text: str = "", *, most: int = MOST_HOURS, least: int = 1) -> Any:
    more = {"description": text} if text else {}
    return _hours(most, least, load_default=default, metadata={"group": group, "title": title, **more})


class PolicySchema(Schema):
    """Times, and what a missed deadline means; what is left out has its default."""

    class Meta:
        unknown = RAISE

    times = fields.Dict(
        keys=fields.String(), values=_hours(), load_default=dict,
        metadata={"description": "Hours by kind of question, and `default` for the others; without it the kit's."},
    )  # fmt: skip
    reminders = fields.List(
        _hours(), validate=validate.Length(
            max=MOST_REMINDERS, error=Said("should be at most %(most)s numbers", most=MOST_REMINDERS)
        ), load_default=lambda: [24, 6],
        metadata={"group": TIMES, "title": "Reminders", "description": "Hours before the deadline."},
    )  # fmt: skip
    absence_days = _number(
        14, TIMES, "Days of an absence", "By so many days at most an absence of its player moves a deadline.",
        most=MOST_HOURS // 24, least=0,
    )  # fmt: skip
    missed = _choice(
        "grace", MISSED, "When it is missed",
        default="silence answers at once", grace="a period of grace for the late", extend="automatic extensions",
        hold="wait until somebody acts",
    )  # fmt: skip
    grace_hours = _number(24, MISSED, "Hours of grace")
    extensions = _number(1, MISSED, "Extensions of a seat", most=99, least=0)
    extension_hours = _number(24, MISSED, "Hours of an extension")
    then = _choice(
        "default", MISSED, "After grace or extensions",
        default="silence answers", pause="pause until the seat is replaced",
    )  # fmt: skip
    tell = _choice(
        "no", MISSED, "Moderators", no="hear of it at the desk", yes="are told of every missed deadline by mail"
    )
    answers = _choice(
        "able", SECRECY, "Response windows wait for",
        "One switch with the game's option for response windows, where it has one.",
        able="those who can respond: faster, tells a little", everyone="everyone: tells nothing",
    )  # fmt: skip
    press = _choice(
        "always", SECRECY, "Press is relayed", always="always", windows="in windows only", never="never"
    )
    spectators = _choice(
        "yes", SECRECY, "Spectators", "Whether those without a seat may see the public side.",
        yes="may see the public side", no="see nothing",
    )  # fmt: skip


def check_policy(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The whole policy of a campaign from what was chosen. Raises `ValueError` that says what is wrong."""
    unknown = (given or {}).keys() - PolicySchema().fields.keys()
    if unknown:
        raise ValueError(f"there is no policy {min(unknown)!r}; there are {', '.join(PolicySchema().fields)}")
    try:
        policy = PolicySchema().load(dict(given or {}))
    except ValidationError as error:
        assert isinstance(error.messages, dict)
        raise ValueError("; ".join(f"policy {name} {_first(said)}" for name, said in error.messages.items())) from error
    policy["reminders"] = sorted(set(policy["reminders"]), reverse=True)
    return policy


def _first(said: Any) -> str:
    """The first of the messages for a field, with the place in it."""
    places = []
    while isinstance(said, Mapping):
        place, said = next(iter(said.items()))
        places += [] if place in ("key", "value") else [str(place)]
    return " ".join([*places, said[0]])


POLICY: dict[str, Any] = check_policy({})
"""The policy where nothing was chosen."""


def setting(policy: Mapping[str, Any], name: str) -> Any:
    """What a policy says; its default, where the campaign was founded before there was such a setting."""
    return policy.get(name, POLICY[name])


# --- the form


@dataclass(frozen=True)
class Input:
    """One input of the form: `value` is the default; `choices` (value, words) are None for a number or a text."""

    name: str
    title: str
    hint: str
    value: Any
    choices: list[tuple[str, str]] | None
    is_number: bool


def inputs() -> dict[str, list[Input]]:
    """The inputs of the form for a policy, in groups; the hours of each kind of question are the kit's affair."""
    groups: dict[str, list[Input]] = {}
    for name, field in PolicySchema().fields.items():
        about = field.metadata
        if "group" not in about:
            continue
        choices = list(about["choices"].items()) if "choices" in about else None
        value = ", ".join(map(str, POLICY[name])) if isinstance(field, fields.List) else POLICY[name]
        hint, number = about.get("description", ""), isinstance(field, fields.Integer)
        groups.setdefault(about["group"], []).append(Input(name, about["title"], hint, value, choices, number))
    return groups


def from_form(sent: Mapping[str, str]) -> dict[str, Any]:
    """What a form says, in the types of the schema, without what was left empty. Numbers that are none stay as they
    are: the check tells."""
    sent_policy: dict[str, Any] = {}
    for name, field in PolicySchema().fields.items():
        text = sent.get(name, "").strip()
        if isinstance(field, fields.List) and name in sent:
            sent_policy[name] = [_whole(word) for word in text.replace(",", " ").split()]
        elif text and not isinstance(field, fields.Dict):
            sent_policy[name] = _whole(text) if isinstance(field, fields.Integer) else text
    return sent_policy


def _whole(text: str) -> int | str:
    return int(text) if text.removeprefix("-").isdecimal() and text.isascii() and len(text) < 10 else text


# --- what players are told


def described(policy: Mapping[str, Any], _: Callable[..., str]) -> list[str]:
    """What a policy means, in sentences of a language: `_` translates one with its values."""
    settings = {name: setting(policy, name) for name in POLICY}
    hours = ", ".join(map(str, settings["reminders"]))
    said = [_("Reminders, in hours before a deadline: %(hours)s.", hours=hours)] if hours else []
    match settings["missed"]:
        case "grace":
            said.append(_("Who misses a deadline has %(hours)s hours of grace.", hours=settings["grace_hours"]))
        case "extend":
            said.append(_(
                "A missed deadline is extended by itself, by %(hours)s hours; extensions of each seat: %(number)s.",
                hours=settings["extension_hours"], number=settings["extensions"],
            ))  # fmt: skip
        case "hold":
            said.append(_("When a deadline is missed, the game waits until somebody acts."))
    if settings["missed"] == "default":
        said.append(_("When a deadline is missed, silence answers at once."))
    elif settings["missed"] != "hold" and settings["then"] == "pause":
        said.append(_("After that the game is paused until the seat has a new player."))
    elif settings["missed"] != "hold":
        said.append(_("After that silence answers."))
    if settings["absence_days"]:
        said.append(_(
            "If you are away (AWAY FROM … TO …), your own deadlines move, each by at most %(days)s days.",
            days=settings["absence_days"],
        ))  # fmt: skip
    if settings["press"] == "windows":
        said.append(_("Press is relayed while a window for talks is open."))
    elif settings["press"] == "never":
        said.append(_("Press is not relayed in this campaign."))
    return said


def longest_absence(policy: Mapping[str, Any]) -> timedelta:
    """By how much at most an absence moves a deadline."""
    return timedelta(days=setting(policy, "absence_days"))


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
