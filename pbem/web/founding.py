"""What a moderator says when he founds a campaign: a short form, with everything else folded behind it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from marshmallow import ValidationError
from werkzeug.datastructures import MultiDict

from pbem.campaign import policy
from pbem.table.kit import PACES, Kit, Option
from pbem.table.said import Said

LEAST_HOURS = 6
USUAL_PACE = "normal"


@dataclass(frozen=True)
class Guest:
    """Somebody to be invited: his name and mail address."""

    name: str
    address: str


def hours(kit: Kit, pace: str) -> dict[str, int]:
    """kind of question -> hours that it stays open at a pace; one that there is not is the usual one."""
    factor = PACES.get(pace, PACES[USUAL_PACE])
    return {kind: max(LEAST_HOURS, round(usual * factor)) for kind, usual in kit.times.items()}


def by_hours(times: Mapping[str, int]) -> list[tuple[int, list[str]]]:
    """Kinds of questions with the same hours together, longest first; ``default`` stands last among its own."""
    groups: dict[int, list[str]] = {}
    for kind, number in times.items():
        groups.setdefault(number, []).append(kind)
    return [(number, sorted(groups[number], key="default".__eq__)) for number in sorted(groups, reverse=True)]


def effective(kit: Kit, times: Mapping[str, int]) -> dict[str, int]:
    """kind of question -> the hours that it stays open where a policy has these times."""
    return {kind: times.get(kind, times.get("default", usual)) for kind, usual in kit.times.items()}


def paced(kit: Kit, times: Mapping[str, int]) -> tuple[str, dict[str, int]]:
    """The pace that comes nearest to the hours of a campaign, and those hours which are not that pace's."""
    whole = effective(kit, times)
    others = {pace: {kind: number for kind, number in whole.items() if hours(kit, pace).get(kind) != number}
              for pace in (USUAL_PACE, *PACES)}  # fmt: skip
    nearest = min(others, key=lambda pace: len(others[pace]))
    return nearest, others[nearest]


def usual_seats(kit: Kit) -> int:
    """The number of seats that a form offers."""
    return kit.seats.get("usual", kit.seats["maximum"])


def guests(text: str, seats: int) -> list[Guest]:
    """Those whom a box names, a line each: ``Anna <anna@example.org>`` or an address alone.

    Raises `ValidationError` that names each line which is none, an address that stands there twice, and too many of
    them.
    """
    invited: list[Guest] = []
    wrong: list[Said] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        said = _GUEST.fullmatch(line.strip())
        if said is None:
            wrong.append(Said("Line %(number)s, “%(line)s”: write a name and the address in angle brackets, as in "
                                  "Anna <anna@example.org>.", number=number, line=line.strip()[:80]))  # fmt: skip
            continue
        name, address = (said["name"] or "").strip().strip('"'), said["bracketed"] or said["bare"]
        if any(guest.address.casefold() == address.casefold() for guest in invited):
            wrong.append(Said("Line %(number)s: %(address)s stands there twice.", number=number, address=address))
            continue
        invited.append(Guest(name or address.partition("@")[0], address))
    if len(invited) > seats:
        wrong.append(Said("More players are named (%(players)s) than there are seats (%(number)s).",
                              players=len(invited), number=seats))  # fmt: skip
    if wrong:
        raise ValidationError({"players": wrong})
    return invited


_ADDRESS = r"[^\s<>,;\"@]+@[^\s<>,;\"@]+\.[^\s<>,;\"@.]+"
_GUEST = re.compile(rf"(?P<name>[^<>@,;]*)<(?P<bracketed>{_ADDRESS})>|(?P<bare>{_ADDRESS})")
"""A line of the box; whether mail can go there the invitation's schema looks at."""


def creation(form: MultiDict, kit: Kit) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the form says, as the API would have it; and what cannot be in it, as a schema would say it, which is left
    out like what is left empty.

    The hours are those of the pace, but for the kinds of questions for which others are written.
    """
    wrong: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for name, option in kit.options.items():
        text = form.get(f"option.{name}", "").strip()
        if text:
            value = _value(option, text)
            if value is None:
                wrong.setdefault("options", {})[name] = [_values_of(option)]
            else:
                options[name] = value
    given = {kind: whole(text) for kind in kit.times if (text := form.get(f"hours.{kind}", "").strip())}
    pace = form.get("pace", "")
    if pace and pace not in PACES:
        wrong["pace"] = [Said("Choose one of the paces of the list.")]
    times = {**(hours(kit, pace) if pace else {}), **given}
    chosen = {"times": times, **policy.from_form(form)}
    values: dict[str, Any] = {
        "game": kit.game, "seats": whole(form.get("seats", "")), "options": options, "policy": chosen
    }  # fmt: skip
    values |= {n: v for n in ("title", "campaign", "scenario") if (v := form.get(n, "").strip())}
    least, most = kit.seats["minimum"], kit.seats["maximum"]
    if not isinstance(values["seats"], int) or not least <= values["seats"] <= most:
        wrong["seats"] = [Said("This game is for %(least)s to %(most)s seats.", least=least, most=most)]
    if values.get("scenario", next(iter(kit.scenarios))) not in kit.scenarios:
        wrong["scenario"] = [Said("Choose one of the scenarios of the list.")]
    return {name: value for name, value in values.items() if name not in wrong or name == "options"}, wrong


def _value(option: Option, text: str) -> Any:
    """The value of an option that a form writes as a text; None where it cannot have it."""
    value = whole(text) if option.type == "int" else {option.word(one): one for one in option.choices}.get(text)
    try:
        return option.check(value)
    except ValueError:
        return None


def _values_of(option: Option) -> Said:
    if option.type == "int":
        least, most = option.minimum, option.maximum
        return Said("Write a whole number from %(least)s to %(most)s.", least=least, most=most)
    return Said("Choose one of the values of the list.")


def as_before(kit: Kit, before: Mapping[str, Any]) -> MultiDict:
    """A form filled in with what another campaign was founded with: ``options``, ``policy``, and ``seats`` and
    ``scenario`` where they were kept."""
    rules = before["policy"]
    pace, others = paced(kit, rules["times"])
    sent: MultiDict = MultiDict({"pace": pace, **{f"hours.{kind}": number for kind, number in others.items()}})
    for name, value in rules.items():
        if name != "times":
            sent[name] = ", ".join(map(str, value)) if isinstance(value, list) else value
    for name, value in before["options"].items():
        if name in kit.options:
            sent[f"option.{name}"] = kit.options[name].word(value)
    if kit.seats["minimum"] <= before.get("seats", 0) <= kit.seats["maximum"]:
        sent["seats"] = before["seats"]
    if before.get("scenario") in kit.scenarios:
        sent["scenario"] = before["scenario"]
    return sent


def filled(typed: Mapping[str, str], chosen: Mapping[str, str]) -> MultiDict:
    """A form after *Fill in*: what was typed stays, but for the options, the pace and the hours that the choices to
    begin with replace as a whole, and for what else they say."""
    replaced = ("option.", "hours.", "pace", "like", "do")
    stays = {name: value for name, value in typed.items() if not name.startswith(replaced)}
    return MultiDict({**stays, **chosen})


def as_named(kit: Kit, name: str) -> MultiDict:
    """A form filled in with a set of choices that the kit names; all else is as usual. Raises `KeyError`."""
    chosen = kit.choice_sets[name]
    sent = MultiDict({f"option.{id}": kit.options[id].word(value) for id, value in chosen["options"].items()})
    if "pace" in chosen:
        sent["pace"] = chosen["pace"]
    return sent


def differing(kit: Kit, sent: MultiDict) -> list[tuple[Option, Any]]:
    """The options of a form that are not at their defaults, with their values, in the order of the kit."""
    found = []
    for name, option in kit.options.items():
        word = sent.get(f"option.{name}", option.word(option.default))
        if word != option.word(option.default):
            found.append((option, next((value for value in option.choices if option.word(value) == word), word)))
    return found


def whole(text: str) -> Any:
    """The whole number of a text; the text itself where it is none, for the schema to refuse."""
    text = text.strip()
    return int(text) if text.lstrip("-").isdecimal() and text.isascii() and len(text) < 12 else text
