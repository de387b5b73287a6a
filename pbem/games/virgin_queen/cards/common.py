"""What many cards of this game do; what those of both games do stands in `pbem.games.reformation.card_help`.

Numbers of cards stand in the kit's ``card_numbers``, the places that a text names in ``card_names``.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.card_help import number
from pbem.games.reformation.ground import controller, in_unrest, set_unrest, siege_of
from pbem.games.virgin_queen.religion import conversion
from pbem.table.asking import choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def names(table: Table, card: int, name: str) -> list[str]:
    """The places, zones or regions that the text of a card names, from the kit."""
    return list(table.kit.tables["card_names"][f"{card}:{name}"]["values"])


def resolver(table: Table, power: str, player: str) -> str:
    """Who makes the choices of a power that resolves an event: it itself; the ally of one without a seat; the player.

    3.1: the power that activated a major power without a seat plays for it; an inactive one has nobody.
    """
    if power in table.board.powers:
        return power
    return table.board.state["minor_ally"].get(power) or player


def plays(table: Table, power: str) -> bool:
    """3.1: whether a major power takes part: it has a seat, or is activated by one that has."""
    return power in table.board.powers or bool(table.board.state["minor_ally"].get(power))


def ruler_alive(table: Table, power: str) -> bool:
    """23: whether the ruler of a power is in office and not dead."""
    name = table.board.state["ruler"].get(power)
    return name is not None and name not in table.board.state.get("dead_rulers", ())


def spaces_in(table: Table, region: str) -> list[str]:
    """The spaces of a region, in the order of the kit."""
    return [space for space, row in atlas(table).spaces.items() if row["region"] == region]


def in_unrest_among(table: Table, spaces: Sequence[str]) -> list[str]:
    """Those of some spaces that are in unrest."""
    return [space for space in spaces if in_unrest(table, space)]


def remove_unrest(
    table: Table, power: str, many: int, spaces: Sequence[str], card: int, section: str, *, optional: bool = True
) -> Procedure:
    """A power takes unrest from up to so many of some spaces, one by one; it may stop, where that is `optional`."""
    for _ in range(many):
        space = yield from choose(
            table,
            power,
            "space",
            lambda t: in_unrest_among(t, spaces),
            optional=optional,
            section=section,
            number=card,
            step="remove_unrest",
        )
        if space is None:
            return
        set_unrest(table, space, False, why="card", section=section)


def why_no_attempts(table: Table, region: str, side: str) -> Refused | None:
    """18.1, 18.5: why attempts of a side in a region can turn nothing: last stand, or no space that support reaches."""
    if conversion.last_stand(table, region, side):
        return Refused("last_stand", "18.1", region=region)
    if not conversion.targets(table, side, [region], conversion.supporters(table, side), held=True):
        return Refused("no_space_to_turn", "18.5", region=region, side=side)
    return None


def controlled_in(table: Table, power: str, spaces: Sequence[str]) -> list[str]:
    """Those of some spaces that a power controls, no active minor power of its, not in unrest, not besieged."""
    return [
        space
        for space in spaces
        if controller(table, space) == power and not in_unrest(table, space) and siege_of(table, space) is None
    ]


__all__ = [
    "controlled_in",
    "in_unrest_among",
    "names",
    "number",
    "plays",
    "remove_unrest",
    "resolver",
    "ruler_alive",
    "spaces_in",
    "why_no_attempts",
]
