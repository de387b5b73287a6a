"""13.16: sorties: who is inside a masked fortress has to beat the masks before it can leave."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.thirty_years_war import pieces
from pbem.games.thirty_years_war.combat import battle
from pbem.games.thirty_years_war.combat.engagement import SORTIE
from pbem.games.thirty_years_war.combat.siege import siege_at
from pbem.games.thirty_years_war.map import other
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def check_sortie(table: Table, space: str, side: str, group: Sequence[str]) -> None:
    """13.16, INT-24: raise `Refused` unless pieces inside a masked fortress may fall out against who masks it."""
    if not any(pieces.is_unit(piece) and pieces.is_inside(table, piece) for piece in group):
        raise Refused("nobody_inside", "13.16", space=space)
    if siege_at(table, space) is not None and not table.options["besieged_sortie"]:
        raise Refused("sortie_under_siege", "13.16", space=space)
    if not pieces.units(table, space, other(side), inside=False):
        raise Refused("nobody_masks", "13.16", space=space)


def sortie(table: Table, space: str, side: str, leader: str, group: Sequence[str]) -> Procedure:
    """13.16: active pieces come out of the walls and fight who masks them; beaten they go back in, and nowhere else.

    Value: `battle.WON` or `battle.LOST`.
    """
    table.tell("sortie", space=space, side=side, pieces=pieces.described(table, group), section="13.16")
    for piece in group:
        table.mark(piece, why="sortie", section="13.16", inside=None)
    return (
        yield from battle.field_battle(
            table, space, side, active=group, leader=leader, came_from=None, kind=SORTIE
        )
    )
