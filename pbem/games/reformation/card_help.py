"""What many cards of both games do: numbers of the kit, units, unrest, draws. All of it facts on the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pbem.games.reformation import hands
from pbem.games.reformation.forces import land_owners, leaders_at, naval_owners
from pbem.games.reformation.ground import controller, in_unrest, inside, set_unrest, steps_from
from pbem.table.asking import choose
from pbem.table.procedure import Procedure, Table


def number(table: Table, card: int, name: str) -> int:
    """A number of a card, from the kit."""
    return table.kit.tables["card_numbers"][f"{card}:{name}"]["value"]


def occupied(table: Table, space: str) -> bool:
    """12.4: whether anything stands in a space, within walls or without: a unit, or an army or naval leader alone."""
    return has_units(table, space) or any(
        leaders_at(table, place, kind=kind) for place in (space, inside(space)) for kind in ("army", "naval")
    )


def has_units(table: Table, space: str) -> bool:
    """Whether there is any land or naval unit in a space, within walls or without."""
    return any(land_owners(table, place) or naval_owners(table, place) for place in (space, inside(space)))


def others_first(table: Table, power: str, spaces: Iterable[str]) -> list[str]:
    """Spaces that something bad is to be chosen for: those that a power controls last, or silence would harm itself."""
    return sorted(spaces, key=lambda space: controller(table, space) == power)


def unrest_on(
    table: Table,
    power: str,
    number: int,
    among: Iterable[str],
    *,
    even_occupied: bool = False,
    up_to: bool = False,
    section: str = "12.4",
    card: int | None = None,
) -> Procedure:
    """Put unrest on so many spaces of a set, chosen one by one by a power; unoccupied, none in unrest yet.

    `up_to`: the power may stop after the first; `card`: whose event it is, for the question.
    """
    spaces = list(among)
    told: dict[str, Any] = {} if card is None else {"number": card}

    def open_spaces(table: Table) -> Sequence[str]:
        calm = [s for s in spaces if not in_unrest(table, s) and (even_occupied or not occupied(table, s))]
        return others_first(table, power, calm)

    for placed in range(number):
        optional = up_to and placed > 0
        space = yield from choose(
            table, power, "space", open_spaces, optional=optional, section=section, left=number - placed, **told
        )
        if space is None:
            return
        set_unrest(table, space, True, section=section)


def within(table: Table, start: str, distance: int) -> list[str]:
    """The spaces at most so many land connections from a space, itself included."""
    chart = steps_from(table, start, lambda place: "/" not in place and place in table.kit.tables["spaces"])
    return sorted(place for place, steps in chart.items() if steps <= distance and place in table.kit.tables["spaces"])


def draw(table: Table, power: str, number: int = 1) -> list[str]:
    """Draw cards from the deck into a power's hand."""
    return hands.draw_cards(table, power, number, "event_draw")
