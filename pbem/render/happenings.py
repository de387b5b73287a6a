"""What is said of an event besides the sentences of its facts: its title, and the places that it changed.

Mails and pages tell events by the same words. An event is what `pbem.campaign.queries.read_event` gives a reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pbem.render.narrative import Teller
from pbem.table.board import SUPPLY
from pbem.table.facts import Fact


def title(event: dict[str, Any], teller: Teller, seat: str | None) -> str:
    """A line on who did what, as a seat reads it (None: everybody), in the teller's language; of an event that a rewind
    has undone it says so."""
    told = _title(event, teller, seat)
    if not event.get("undone"):
        return told
    return teller.language.text("%(title)s (undone by event %(event)s)", title=told, event=event["undone"])


def _title(event: dict[str, Any], teller: Teller, seat: str | None) -> str:
    _, listed = teller.language.text, teller.language.listed
    kind, public, own, order = event["kind"], event["public"], event["own"], event["order"]
    mine = bool(order and seat and order.get("seat") == seat)
    power = teller.power(public["power"]) if public.get("power") else None
    if kind in ("order", "queued", "standing"):
        if power is None:
            if own.get("given_by") == "standing":
                return _("Your sealed answer, by a standing order")
            return _("Your sealed answer") if mine else _("A sealed answer")
        how = {"order": _("%(power)s: an order"), "queued": _("%(power)s: an order (queued before)"),
               "standing": _("%(power)s: a standing order")}  # fmt: skip
        return how[kind] % {"power": power}
    if kind == "press":
        if "from" not in own:
            return _("Players write to each other")
        whom = {side: listed([teller.power(one) for one in own[side]]) for side in ("from", "to")}
        if "shown" in own:
            return certificate(own["shown"], teller)
        return _("%(sender)s writes to %(recipients)s", sender=whom["from"], recipients=whom["to"])
    if kind in ("settings", "refused", "unreadable", "told"):
        words = {
            "settings": _("Your settings, standing or queued orders change"),
            "refused": _("Your order was refused"),
        }
        return words.get(kind, _("Your message was answered")) if own or mine else _("A player's own affairs")
    late = listed([teller.form(one, "the") for one in public.get("missed", [])])
    if (said := silence(event, teller)) and len(said) == len(public["missed"]):
        answers = listed([f"{name} – {line}" for name, line in said])
        return _("The time is over; silence answers: %(answers)s", answers=answers)
    if kind == "assigned" and not event["facts"]:
        return _("The moderator gives out the powers: %(given)s", given=listed([
            f"{teller.language.seat(one)} – {listed([teller.power(power) for power in powers])}"
            for one, powers in public["powers"].items()
        ]))  # fmt: skip
    seat_name = teller.language.seat(public["seat"]) if public.get("seat") else ""
    return _administered(kind, seat_name, late, public, _)


def certificate(shown: Mapping[str, Any], teller: Teller) -> str:
    """What a power shows to others (`pbem.campaign.life.show`): ``{of, whole, names: {domain: [name, …]}}``, in a
    sentence."""
    names = [teller.name(one, domain) for domain, ones in shown["names"].items() for one in ones]
    power, hand = teller.power(shown["of"]), teller.language.listed(names) or teller.language.text("empty")
    if shown["whole"]:
        return teller.language.text("%(power)s shows a whole hand: %(hand)s", power=power, hand=hand)
    return teller.language.text("%(power)s shows a part of a hand: %(hand)s", power=power, hand=hand)


def silence(event: dict[str, Any], teller: Teller) -> list[tuple[str, str]]:
    """What silence answered at a deadline, as far as the reader may know: the names of powers, and lines."""
    said = {**event["public"].get("silence", {}), **event["own"].get("silence", {})}
    return [(teller.power(power), line) for power, line in said.items()]


def _administered(kind: str, seat: str, late: str, public: dict[str, Any], _: Callable[..., str]) -> str:
    titles = {
        "created": _("The campaign is created"),
        "invited": _("%(seat)s is invited", seat=seat),
        "joined": _("%(seat)s is taken", seat=seat),
        "declined": _("%(seat)s is declined", seat=seat),
        "assigned": _("The powers are drawn for the seats"),
        "started": _("The game begins"),
        "round": _("All sealed answers are opened"),
        "expired": (
            _("The time is over; silence answers for %(powers)s", powers=late) if late else _("The time is over")
        ),
        "missed": _("A deadline was missed by %(powers)s", powers=late),
        "time_over": _("The time of some is over"),
        "extended": _("The deadline is moved"),
        "reminded": _("A reminder goes out"),
        "held": _("The campaign is held"),
        "ruling": _("The moderator rules"),
        "rewound": _("The game goes back"),
        "restarted": _("The step begins again"),
        "reordered": _("The order of play is put right"),
        "kit": _("A corrected kit takes effect"),
        "dice": _("New dice are committed to"),
        "paused": _("The clock is stopped"),
        "resumed": _("The clock runs again"),
        "replaced": _("%(seat)s has a new player", seat=seat),
        "vacated": _("%(seat)s has no player", seat=seat),
        "erased": _("A player is forgotten"),
        "set_aside": _("A message is set aside"),
        "finished": _("The campaign is over"),
        "opened": _("What was hidden is opened"),
        "archived": _("The campaign is put away"),
        "asked_referee": _looked_at(public, _),
    }
    return titles.get(kind, kind.replace("_", " ").capitalize())


def _looked_at(public: dict[str, Any], _: Callable[..., str]) -> str:
    """What the moderator has looked at, of what is hidden."""
    if "event" in public:
        return _("The moderator reads what is hidden in event %(event)s", event=public["event"])
    if "submission" in public:
        return _("The moderator reads message %(number)s to the service", number=public["submission"])
    if "ruling" in public:
        return _("The moderator tries a ruling on hidden things")
    return _("The moderator looks at the whole board")


SEATED = "powers of seat"
"""What a draw is for that gives a seat its powers: these words and the number of the seat."""


def thrown_for(what: str, teller: Teller) -> str:
    """What was thrown or drawn for, as a heading: the phrases ``[throw]``, or the name of a card."""
    words = teller.words("throw")
    if what.startswith(SEATED):
        return words[SEATED].replace("%s", what.removeprefix(SEATED))
    if what in words:
        return words[what]
    card = teller.kit.find("card", what.replace("_", " ")) if "card" in teller.kit.names else None
    told = teller.name(card, "card") if card is not None else teller.name(what)
    return told[:1].upper() + told[1:]


def thrown_with(fact: Fact, teller: Teller) -> list[tuple[str, str]]:
    """What else is known of a throw or a draw, each with its name (the phrases ``[throw_detail]``): where, for whom,
    the modifiers. What these do not name is of no use to a reader."""
    words = teller.words("throw_detail")
    known = [(name, value) for name, value in fact.items() if name in words and value not in (None, False, 0)]
    return [(words[name], _counted(value, teller)) for name, value in known]


def _counted(value: Any, teller: Teller) -> str:
    """A value in words; of what gives dice, how many each gives."""
    if isinstance(value, Mapping):
        return ", ".join(f"{teller.name(name)} {teller.plain(number)}" for name, number in value.items())
    return teller.plain(value)


def changed_places(facts: Iterable[Fact]) -> set[str]:
    """The places where some facts changed something: pieces and counters that came or went, a value of the place
    itself, such as who controls it, and what is told to have happened there."""
    places: set[Any] = set()
    for fact in facts:
        match fact["fact"]:
            case "units":
                places |= {fact["origin"], fact["place"]}
            case "piece":
                places |= {side.get("at") for side in (fact["before"], fact["after"]) if side}
            case "state":
                places.add(fact["name"].partition(":")[2])
            case "happened":
                places |= {fact[name] for name in ("region", "place", "space") if isinstance(fact.get(name), str)}
    return {place for place in places if isinstance(place, str) and place not in ("", SUPPLY)}
