"""9.2, 17: where the pieces of a card may be put: with troops of their nation, in a region, at a base."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.cards.common import forces, free_of_enemies
from pbem.games.thirty_years_war.cards.orders import Places, fits, place_pieces
from pbem.games.thirty_years_war.map import atlas
from pbem.games.thirty_years_war.politics import nations
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

Spaces = Callable[[Table], Sequence[str]]


def arriving(table: Table, card: str) -> list[str]:
    """9.2: the leaders of a card who are still to come; who is in play already, or dead, does not (18.24)."""
    leaders, _ = forces(table, card)
    return [leader for leader in leaders if pieces.where(table, nations.counter_of(leader)) == pieces.OFF]


def arrive(
    table: Table,
    side: str,
    card: str,
    spaces: Spaces,
    *,
    fewer: bool = False,
    most_spaces: int | None = None,
    section: str = "9.2",
    **marks: bool,
) -> Procedure:
    """9.2: the leaders and units of a card come into some of these spaces, together or apart. Value: their pieces."""
    _, units = forces(table, card)
    return (
        yield from place_pieces(
            table,
            side,
            card,
            leaders=arriving(table, card),
            units=units,
            places=into(side, spaces),
            fewer=fewer,
            most_spaces=most_spaces,
            section=section,
            **marks,
        )
    )


def into(side: str, spaces: Spaces, *, bound: bool = True) -> Places:
    """Of these spaces those that a piece of the side may be put into as its nation allows (17).

    `bound`: Spaniards are bound to their zone, as all but the Cardinal Infant's army are.
    """

    def places(table: Table, coming: str) -> Sequence[str]:
        return [
            space
            for space in spaces(table)
            if fits(table, side, space, [coming]) and nations.closed_to(table, coming, side, space, bound=bound) is None
        ]

    return places


def with_troops_of(table: Table, side: str, nation: str) -> list[str]:
    """9.2, E 9.21: the spaces with a unit of a nation and without enemies in the open.

    With no unit of it on the map: every space that the side controls.
    """
    free = free_of_enemies(table, side)
    troops = [piece for piece in pieces.on_map(table, side, nation) if pieces.is_unit(piece)]
    if troops:
        held = {pieces.where(table, piece) for piece in troops}
        return [space for space in free if space in held]
    return [space for space in free if control.holder(table, space) == side]


def controlled(table: Table, side: str, spaces: Sequence[str]) -> list[str]:
    """Of some spaces those that a side controls and where no enemy unit stands in the open."""
    free = set(free_of_enemies(table, side))
    return [space for space in spaces if control.holder(table, space) == side and space in free]


def all_spaces(table: Table) -> list[str]:
    """Every space of the map, the boxes of the United Provinces left out (16.22)."""
    return [space for space in atlas(table).spaces if space not in atlas(table).boxes]


def somebody_can_come(table: Table, side: str, card: str, spaces: Spaces, *, bound: bool = True) -> Refused | None:
    """9.2: why nobody of a card can be put down: none is left, or there is no space; None where somebody can."""
    _, units = forces(table, card)
    coming = [*arriving(table, card), *(kind for kind in units if pieces.available(table, kind))]
    if not coming:
        return Refused("nobody_left_to_come", "9.2", card=card)
    if not any(into(side, spaces, bound=bound)(table, piece) for piece in coming):
        return Refused("no_space_to_come_to", "9.2", card=card)
    return None
