"""What a moderator says when he founds a campaign: a short form, with everything else folded behind it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import MultiDict

from pbem.campaign import policy
from pbem.table.kit import PACES, Kit, Option

LEAST_HOURS = 6


@dataclass(frozen=True)
class Guest:
    """Somebody to be invited: his name and mail address."""

    name: str
    address: str


def hours(kit: Kit, pace: str) -> dict[str, int]:
    """kind of question -> hours that it stays open at a pace. Raises `ValueError` for a pace that there is not."""
    if pace not in PACES:
        raise ValueError(f"a pace is one of {', '.join(PACES)}")
    return {kind: max(LEAST_HOURS, round(usual * PACES[pace])) for kind, usual in kit.times.items()}


def usual_seats(kit: Kit) -> int:
    """The number of seats that a form offers."""
    return kit.seats.get("usual", kit.seats["maximum"])


def guests(text: str, seats: int) -> list[Guest]:
    """Those whom a box names, a line each: ``Anna <anna@example.org>`` or an address alone.

    Raises `ValueError` that names each line which is none, an address that stands there twice, and too many of them.
    """
    invited: list[Guest] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        said = _GUEST.fullmatch(line.strip())
        if said is None:
            raise ValueError(f"line {number} of the players, “{line.strip()[:80]}”: write a name and <an address>")
        name, address = (said["name"] or "").strip().strip('"'), said["bracketed"] or said["bare"]
        if any(guest.address.casefold() == address.casefold() for guest in invited):
            raise ValueError(f"line {number} of the players: {address} stands there twice")
        invited.append(Guest(name or address.partition("@")[0], address))
    if len(invited) > seats:
        raise ValueError(f"{len(invited)} players are named for {seats} seats")
    return invited


_ADDRESS = r"[^\s<>,;\"@]+@[^\s<>,;\"@]+\.[^\s<>,;\"@.]+"
_GUEST = re.compile(rf"(?P<name>[^<>@,;]*)<(?P<bracketed>{_ADDRESS})>|(?P<bare>{_ADDRESS})")
"""A line of the box; whether mail can go there the invitation's schema looks at."""


def creation(form: MultiDict, kit: Kit) -> dict[str, Any]:
    """What the form says, as the API would have it; fields left empty are left out.

    Hours that differ from the kit's hold whatever the pace. Raises `ValueError`.
    """
    options: dict[str, Any] = {}
    for name, option in kit.options.items():
        text = form.get(f"option.{name}", "").strip()
        if text:
            options[name] = {"true": True, "false": False}.get(text, text) if option.type == "bool" else (
                whole(text) if option.type == "int" else text
            )
    given = {kind: whole(text) for kind in kit.times if (text := form.get(f"hours.{kind}", "").strip())}
    times = hours(kit, form["pace"]) if form.get("pace") else {}
    times |= {kind: number for kind, number in given.items() if not times or number != kit.times[kind]}
    chosen = {"times": times, **policy.from_form(form)}
    values: dict[str, Any] = {
        "game": kit.game, "seats": whole(form.get("seats", "")), "options": options, "policy": chosen
    }  # fmt: skip
    return values | {n: v for n in ("title", "campaign", "scenario") if (v := form.get(n, "").strip())}


def as_before(kit: Kit, options: Mapping[str, Any], rules: Mapping[str, Any]) -> MultiDict:
    """A form filled in with the options and the policy of another campaign, which a club keeps for the next."""
    sent: MultiDict = MultiDict({f"hours.{kind}": number for kind, number in {**kit.times, **rules["times"]}.items()})
    for name, value in rules.items():
        if name != "times":
            sent[name] = ", ".join(map(str, value)) if isinstance(value, list) else value
    for name, value in options.items():
        if name in kit.options:
            sent[f"option.{name}"] = kit.options[name].word(value)
    return sent


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
