"""What a line leaves out: of the readings of a line (`pbem.table.loose`) the legal orders that it may mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from pbem.table.grammar import AnyName, Choice, Field, Line, Many, Name, Number, YesNo
from pbem.table.kit import Kit
from pbem.table.loose import MOST_READINGS, Path, Reading, whole
from pbem.table.orders import Order
from pbem.table.refusals import Refused

MOST_COUNTED = 40
"""So far numbers are tried where a line leaves one out."""
MOST_CANDIDATES = 400
"""So many values or legal answers are looked through to fill in what a line leaves out."""

Listing = Callable[[type[Order]], Iterable[Order]]
"""Lists the legal orders of a kind, or some of them."""


def complete(readings: Sequence[Reading], kit: Kit, is_legal: Callable[[Order], bool], legal: Listing) -> list[Order]:
    """The legal orders that a line may mean, those with the fewest words added first.

    `is_legal` says whether an order may be given now; `legal` lists the legal orders of a kind, or some of them.
    """
    orders: list[Order] = []
    last = (0, 0)
    for reading in sorted(readings, key=_added):
        if orders and _added(reading) > last:
            break  # what is said whole goes before what would have to be filled in
        last = _added(reading)
        orders += [order for order in _meant(reading, kit, legal) if order not in orders and is_legal(order)]
    return orders


def _added(reading: Reading) -> tuple[int, int]:
    return bool(reading.missing), reading.stretched


def completed(order: Order, kit: Kit, is_legal: Callable[[Order], bool], legal: Listing) -> list[Order]:
    """The legal orders that say what an order says and something besides, which it leaves out; see `complete`."""
    values = {name: value for name in order.fields if (value := getattr(order, name)) is not None}
    absent = [name for name in order.fields if name not in values]
    orders: list[Order] = []
    for name in absent:
        for value in _all_values(Reading(type(order), values), (name,), kit) or ():
            filled = type(order)(**{**values, name: value})
            if filled not in orders and is_legal(filled):
                orders.append(filled)
        if len(orders) >= MOST_CANDIDATES:
            return orders
    if len(absent) > 1 and not orders:
        together = Reading(type(order), values, tuple((name,) for name in absent))
        if (choices := _combinations(together, kit)) is not None:
            return [one for more in choices if is_legal(one := type(order)(**{**values, **more}))]
        for one in islice(legal(type(order)), MOST_CANDIDATES):
            if all(getattr(one, name) == value for name, value in values.items()) and is_legal(one):
                orders.append(one)
    return orders


def _meant(reading: Reading, kit: Kit, legal: Listing) -> Iterator[Order]:
    if not reading.missing:
        yield whole(reading)
    elif len(reading.missing) == 1 and (values := _all_values(reading, reading.missing[0], kit)) is not None:
        for value in values:
            yield _as_order(reading.filled(reading.missing[0], value))
    elif all(len(path) == 1 for path in reading.missing) and (choices := _combinations(reading, kit)) is not None:
        for more in choices:
            yield _as_order(reading.kind(**{**reading.values, **more}))
    elif all(len(path) == 1 for path in reading.missing):
        listed = list(islice(legal(reading.kind), MOST_CANDIDATES))  # type: ignore[arg-type]
        same = [one for one in listed if all(getattr(one, name) == value for name, value in reading.values.items())]
        yield from same
        path, *others = reading.missing
        if not (same or others) and isinstance(reading.kind.fields[path[0]], Number):
            for number in dict.fromkeys(getattr(order, path[0]) for order in listed):
                yield _as_order(reading.filled(path, number))


def _combinations(reading: Reading, kit: Kit) -> list[dict[str, Any]] | None:
    """All values that several missing fields could have together; None where they cannot be listed, or are too many."""
    combinations: list[dict[str, Any]] = [{}]
    for path in reading.missing:
        values = _all_values(reading, path, kit)
        if values is None or len(combinations) * len(values) > MOST_CANDIDATES:
            return None
        combinations = [{**one, path[0]: value} for one in combinations for value in values]
    return combinations


def _all_values(reading: Reading, path: Path, kit: Kit) -> list[Any] | None:
    """All values that a missing field could have; None where they cannot be listed."""
    field = reading.kind.fields[path[0]]
    if len(path) == 3:
        assert isinstance(field, Many) and not isinstance(field.of, Field)
        field = field.of.fields[path[2]]
    if isinstance(field, YesNo):
        return [True, False]
    if isinstance(field, Choice):
        return list(field.choices)
    if isinstance(field, Name | AnyName):
        domains = [field.domain] if isinstance(field, Name) else field.domains
        return list(islice((id for domain in domains for id in kit.labels.get(domain, {})), MOST_CANDIDATES))
    if isinstance(field, Number) and not field.is_label:
        return list(range(field.least, min(field.most, field.least + MOST_COUNTED) + 1))
    return None


def _as_order(line: Line) -> Order:
    assert isinstance(line, Order)
    return line


def several(orders: Sequence[Order]) -> Refused:
    """What is asked back where a line may mean more than one thing."""
    lines = [order.text() for order in orders]
    return Refused("several_readings", hints=lines[:MOST_READINGS], number=len(lines))


