"""C 8.6, 17.Sa: Saxony switches sides: its sieges, its land, and where its pieces go."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.thirty_years_war import pieces
from pbem.games.thirty_years_war.cards.orders import relocate_pieces
from pbem.games.thirty_years_war.cards.placing import controlled
from pbem.games.thirty_years_war.combat import siege
from pbem.games.thirty_years_war.control import CONTROL
from pbem.games.thirty_years_war.map import atlas, other
from pbem.games.thirty_years_war.politics import nations
from pbem.table.procedure import Procedure, Table

SECTION = "C 8.6"


def open_spaces(table: Table, region: str) -> list[str]:
    """C 9.2: the spaces of Saxony where no unit of its present side stands but its own."""
    side = table.board.state["saxony"]
    spaces = atlas(table).spaces_of[region]
    return [space for space in spaces if not any(map(pieces.is_unit, friends(table, space, side)))]


def saxons(table: Table, space: str | None = None, *, inside: bool | None = None) -> list[str]:
    """The Saxon pieces on the map, or in a space, within its walls or without."""
    return [
        piece
        for piece in pieces.on_map(table, nation=nations.SAXON)
        if space in (None, pieces.where(table, piece)) and inside in (None, pieces.is_inside(table, piece))
    ]


def friends(table: Table, space: str, side: str, *, inside: bool | None = None) -> list[str]:
    """The pieces of a side in a space that are no Saxons."""
    there = pieces.stack(table, space, side, inside=inside)
    return [piece for piece in there if pieces.nation_of(table, piece) != nations.SAXON]


def switch(table: Table, side: str, card: str) -> Procedure:
    """C 8.6: Saxony, its leader, units and base are the other side's.

    First what its pieces do in sieges, then its land (C 9.2, INT-54), then those that stand with former friends, whom
    their new side moves to spaces of Saxony; who finds no room is eliminated. Saxons alone in the open stay (INT-81,
    option ``saxons_alone``).
    """
    region = table.kit.constants["places"]["saxony"]
    former = other(side)
    before = {space: _stand(table, space, former) for space in _spaces(table)}
    table.tell("saxony_switches", power=side, card=card, section=SECTION)
    table.set("saxony", side, why=card, section=SECTION)
    for space, stand in before.items():
        if stand in (BESIEGE, BESIEGED):
            in_a_siege(table, space, former, stand)
    land_follows(table, region, side)
    moved = (WITH_FRIENDS, ALONE) if table.options["saxons_alone"] == "move" else (WITH_FRIENDS,)
    leaving = [
        piece
        for space, stand in before.items()
        if stand in moved and not (stand == ALONE and atlas(table).region(space) == region)
        for piece in saxons(table, space)
    ]
    yield from relocate(table, side, card, region, leaving)
    for space in _spaces(table):
        siege.check_level(table, space)
        drop_surplus(table, space, side)


def land_follows(table: Table, region: str, side: str) -> None:
    """C 9.2, INT-54: the spaces without units of the former side follow.

    By option ``saxony_spaces`` those that bear the former side's own marker stay with it.
    """
    marked = [s for s in atlas(table).spaces_of[region] if table.board.state.get(CONTROL + s) == other(side)]
    nations.joins(table, region, side, section=SECTION)
    if table.options["saxony_spaces"] == "stay":
        for space in marked:
            table.set(CONTROL + space, other(side), why="saxony", section=SECTION)


BESIEGE, BESIEGED, WITH_FRIENDS, ALONE = "besiege", "besieged", "with_friends", "alone"


def _spaces(table: Table) -> list[str]:
    return list(dict.fromkeys(pieces.where(table, piece) for piece in saxons(table)))


def _stand(table: Table, space: str, side: str) -> str:
    """How the Saxons of a space stand while they are still on a side."""
    by = siege.besieger(table, space)
    if by == side and saxons(table, space, inside=False):
        return BESIEGE
    if by == other(side) and saxons(table, space, inside=True):
        return BESIEGED
    return WITH_FRIENDS if friends(table, space, side) else ALONE


def in_a_siege(table: Table, space: str, former: str, stand: str) -> None:
    """C 8.6: Saxons alone in a siege end it: the two forces are allies now.

    Saxons with others join the force on the other side of it in the same space, and whether it goes on is looked at.
    """
    inside = stand == BESIEGED
    there = saxons(table, space, inside=inside)
    if not friends(table, space, former, inside=inside):
        siege.lift(table, space, because="saxony", section=SECTION)
        for piece in pieces.pieces_at(table, space):
            if pieces.is_inside(table, piece):
                table.mark(piece, why="saxony", section=SECTION, inside=None)
        return
    for piece in there:
        table.mark(piece, why="saxony", section=SECTION, inside=None if inside else True)
    siege.check_level(table, space)


def relocate(table: Table, side: str, card: str, region: str, leaving: Sequence[str]) -> Procedure:
    """C 8.6: Saxons who stood with former friends go to spaces of Saxony that their new side controls; its choice.

    Units for which there is no room there are eliminated, leaders only where there is no such space at all.
    """
    if not leaving:
        return
    spaces = controlled(table, side, atlas(table).spaces_of[region])
    if spaces:
        yield from relocate_pieces(
            table, side, card, leaving, lambda table: controlled(table, side, atlas(table).spaces_of[region]), SECTION
        )
        return
    for piece in leaving:
        pieces.eliminate(table, piece, why="no_space_in_saxony", section=SECTION)


def drop_surplus(table: Table, space: str, side: str) -> None:
    """INT-84, 10.22: a stack that the Saxons have made too large loses units, the weakest first."""
    surplus = len(pieces.units(table, space, side)) - table.kit.constants["stacking"]
    weakest = sorted(pieces.units(table, space, side), key=lambda unit: (pieces.combat_factor(table, unit), unit))
    for unit in weakest[: max(0, surplus)]:
        pieces.eliminate(table, unit, why="stack_too_large", section="10.22")


