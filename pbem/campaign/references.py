"""Lines that refer to the position: ``three gold, otherwise as Britain proposes``, ``I raise by one``, ``the rest to
London``, or that name a price beside the order.

What such a line may mean is worked out from what stands, and shown to its sender as a full line; it is never taken up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pbem.campaign.live import Live
from pbem.table import filling, loose, notation
from pbem.table.grammar import Name, Number
from pbem.table.inflected import means
from pbem.table.kit import Kit
from pbem.table.orders import Order, Unreadable, read_order
from pbem.table.questions import Question

_PRICE = re.compile(r"[\s,;(=@]+(?:for|pour|за)?\s*\d{1,2}\s*(?P<unit>[^\W\d_]{2,4})\)?[.!]*$", re.IGNORECASE)
LARGEST = 12
"""The largest number that a word may mean."""


def meant(live: Live, said: str, question: Question) -> list[Order]:
    """The legal answers to a question that a line means which refers to what stands; none where it does to nothing."""
    assert live.play is not None
    ways = (_as_proposed, _without_price, _rest)
    orders = dict.fromkeys(order for way in ways for order in way(live, said, question))
    return [order for order in orders if question.is_legal(live.play.table, order)]


def _as_proposed(live: Live, said: str, question: Question) -> Iterator[Order]:
    """The order that another gave, with the number that is said, or raised by one that is, or its names exchanged."""
    assert live.play is not None
    kit, words = live.kit, loose.words_of(said, loose.MOST_SAID)
    for kind in question.orders:
        if (stands := kind.stands(live.play.table, question)) is None:
            continue
        raised = _raised_by(words, kit)
        exchanged = _has(words, "exchanged", kit)
        if raised is None and not exchanged and not _has(words, "as proposed", kit):
            continue
        values = {name: getattr(stands, name) for name in kind.fields}
        for name, field in kind.fields.items():
            if isinstance(field, Number):
                numbers = [number for word in words if (number := _number(word, kit)) is not None]
                values[name] += raised or 0
                values[name] = numbers[0] if raised is None and numbers else values[name] + (raised is None)
        names = [name for name, field in kind.fields.items() if isinstance(field, Name)]
        if exchanged and len(names) == 2:
            values[names[0]], values[names[1]] = values[names[1]], values[names[0]]
        yield kind(**values)


def _raised_by(words: Sequence[str], kit: Kit) -> int | None:
    """By how much a line says to raise: the number right behind the phrase."""
    for at in range(len(words)):
        for end in range(len(words), at, -1):
            if not loose.without_phrases(words[at:end], "raising by", kit):
                return _number(words[end], kit) if end < len(words) else None
    return None


def _has(words: Sequence[str], kind: str, kit: Kit) -> bool:
    return len(loose.without_phrases(words, kind, kit)) < len(words)


def _number(word: str, kit: Kit) -> int | None:
    if word.isdecimal():
        return int(word) if len(word) < 3 else None
    return next((number for number in range(1, LARGEST + 1) if means(word, f"number {number}", kit)), None)


def _without_price(live: Live, said: str, question: Question) -> Iterator[Order]:
    """What a line means without the price that stands at its end: what it costs say the rules."""
    price = _PRICE.search(said)
    if price is not None and (means(price["unit"], "like cp", live.kit) or price["unit"].casefold() == "cp"):
        yield from _legal(live, said[: price.start()], question)


def _legal(live: Live, said: str, question: Question) -> list[Order]:
    assert live.play is not None
    table = live.play.table
    readings = loose.read(question.orders, said, live.kit) or notation.readings(question.orders, said, live.kit)

    def is_legal(order: Order) -> bool:
        return question.is_legal(table, order)

    return filling.complete(readings, live.kit, is_legal, lambda kind: kind.legal(table, question))


def _rest(live: Live, said: str, question: Question) -> Iterator[Order]:
    """Where a part of a line names units that go, and the next one says that the rest goes elsewhere: the line with the
    rest by its numbers."""
    assert live.play is not None
    kit, parts = live.kit, [part for part in re.split(r"[,;]\s*", said) if part.strip()]
    if len(parts) != 2:
        return
    words = loose.words_of(parts[1].replace("w/", "with "), loose.MOST_SAID)
    if not any(means(word, "remainder", kit) for word in words[:3]):
        return
    behind = [word for word in words if not means(word, "remainder", kit) and not loose.says_nothing(word, kit)]
    behind = ["with" if word == "w" else word for word in behind]
    at = next((place for place, word in enumerate(behind) if means(word, "like to", kit) or word == "to"), None)
    if at is None:
        return
    leaders = [word for word in behind[:at] if not means(word, "with", kit) and not means(word, "and", kit)]
    for first in notation.readings(question.orders, parts[0], kit) or loose.read(question.orders, parts[0], kit):
        if (going := _going(first)) is None:
            continue
        origin, units = going
        standing = live.play.board.units.get(origin, {}).get(question.power, {})
        left = {kind: number - units.get(kind, 0) for kind, number in standing.items()}
        counted = [f"{number} {kind}" for kind, number in left.items() if number > 0]
        force = ", ".join([*counted, *([" ".join(leaders)] if leaders else [])])
        line = f"{loose.whole(first).text()}, {force} FROM {origin} TO {' '.join(behind[at + 1 :])}"
        try:
            yield read_order(question.orders, line, kit)
        except Unreadable:
            continue


def _going(reading: loose.Reading) -> tuple[str, dict[str, int]] | None:
    """(where units go from, how many of each kind) in a reading of one group; None in others."""
    groups = next((value for value in reading.values.values() if isinstance(value, list)), [])
    if reading.missing or len(groups) != 1 or not {"force", "origin"} <= set(getattr(groups[0], "fields", ())):
        return None
    return groups[0].origin, groups[0].force.get("units", {}).get("own", {})
