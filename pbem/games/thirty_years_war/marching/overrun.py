"""12.6: overruns: a large army rolls over a small one on its march, without dice, cards or leader tests."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.combat import leader_losses
from pbem.games.thirty_years_war.map import atlas, number, other
from pbem.games.thirty_years_war.politics import wallenstein
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def check_overrun(table: Table, space: str, side: str, group: Sequence[str], points_left: int) -> None:
    """12.61: raise `Refused` unless a moving group that has just entered a space may overrun the enemy there.

    Own factors by the enemy's, fractions dropped, which is to the defender's advantage.
    """
    enemy = pieces.units(table, space, other(side), inside=False)
    if not enemy:
        inside = bool(pieces.units(table, space, other(side), inside=True))
        raise Refused("overrun_inside_walls" if inside else "nobody_to_overrun", "12.63", space=space)
    own, theirs = pieces.combat_factors(table, group), pieces.combat_factors(table, enemy)
    if own < number(table, "overrun_cf"):
        raise Refused("overrun_too_weak", "12.61", strength=own, needed=number(table, "overrun_cf"))
    if own // theirs < number(table, "overrun_ratio"):
        raise Refused("overrun_odds", "12.61", strength=own, enemy=theirs, ratio=number(table, "overrun_ratio"))
    if points_left < number(table, "overrun_mp"):
        raise Refused("overrun_no_points", "12.61", needed=number(table, "overrun_mp"))


def overrun(table: Table, space: str, side: str, group: Sequence[str], leader: str) -> Procedure:
    """12.62: enemy units in the open are gone, their leaders too (INT-15), an unfortified space is taken (C 3.11).

    The movement point is the caller's matter. A space so taken is worth a point to Wallenstein (INT-58).
    """
    enemy = pieces.stack(table, space, other(side), inside=False)
    table.tell(
        "overrun",
        space=space,
        side=side,
        leader=pieces.face_of(table, leader),
        strength=pieces.combat_factors(table, group),
        enemy=pieces.combat_factors(table, enemy),
        pieces=pieces.described(table, enemy),
        section="12.62",
    )
    for piece in enemy:
        if pieces.is_unit(piece):
            pieces.eliminate(table, piece, why="overrun", section="12.62")
    trapped = [piece for piece in enemy if pieces.is_leader(piece)]
    leader_losses.lose_trapped(table, space, trapped, why="overrun", section="11.22")
    if not atlas(table).is_fortress(space) and control.holder(table, space) != side:
        control.gain(table, space, side, "overrun")
        wallenstein.took_space(table, leader, group, space)
    yield from control.triggers(table)
