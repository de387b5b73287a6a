"""10.2, 11: what may be entered, where a stack may stay, and which ways a group may go for its movement points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.map import atlas, other
from pbem.games.thirty_years_war.marching import overrun, reaction
from pbem.games.thirty_years_war.politics import bans, dutch_war, nations
from pbem.table.orders import Name, Refused, Way
from pbem.table.procedure import Table

MOST_STEPS = 12
"""So many spaces a line may name; nobody has as many points."""


class Roads(Way):
    """The spaces of a march, each linked with the one before."""

    def __init__(self, begins: Callable[[Table, str], Mapping[str, str]] | None = None, **more: Any):
        """`begins`: what `starts` gives for a table and a side; left out: the field `start` holds the space itself."""
        super().__init__(Name("space"), most=MOST_STEPS, **more)
        self.begins = begins

    def steps(self, table: Table) -> Mapping[str, Sequence[str]]:
        chart = atlas(table)
        return {space: (*links, *chart.entries[space]) for space, links in chart.neighbours.items()}

    def starts(self, table: Table, power: str) -> Mapping[str, str]:
        return self.begins(table, power) if self.begins is not None else {}


def check_entry(table: Table, side: str, moving: Sequence[str], origin: str, space: str) -> None:
    """11.1, 11.2, 11.3, 16.2, 17: raise `Refused` unless a group may go from a space to the next.

    Movement points are the caller's matter.
    """
    chart = atlas(table)
    if space in chart.boxes or origin in chart.boxes:
        _check_united_provinces(table, side, moving, origin, space)
    elif space not in chart.neighbours[origin]:
        raise Refused("not_linked", "11.12", [*chart.neighbours[origin]], space=space, origin=origin)
    for piece in moving:
        closed = nations.closed(table, piece, space)
        if closed:
            raise closed
    banned = bans.entry_refusal(table, space)
    if banned:
        raise banned
    units = [piece for piece in moving if pieces.is_unit(piece)]
    if len(units) > table.kit.constants["stacking"]:
        raise Refused("group_too_large", "11.15", units=len(units), most=table.kit.constants["stacking"])
    leaders = [piece for piece in moving if pieces.is_leader(piece)]
    if leaders and len(units) > pieces.command(table, leaders):
        raise Refused("group_beyond_command", "11.15", units=len(units), most=pieces.command(table, leaders))
    if not units and _closed_to_leaders(table, side, space):
        raise Refused("leader_alone_among_enemies", "11.21", space=space)
    if not leaders:
        _check_lone_unit(table, side, space)


def _check_united_provinces(table: Table, side: str, moving: Sequence[str], origin: str, space: str) -> None:
    """16.2: into the box of the own side by land, and out of it."""
    if space in atlas(table).boxes:
        if space != dutch_war.box_of(table, side):
            raise Refused("box_of_the_enemy", "16.21", space=space)
        refusal = dutch_war.entry_refusal(table, side, moving, origin)
    else:
        refusal = dutch_war.leave_refusal(table, side, moving, space)
    if refusal:
        raise refusal


def _closed_to_leaders(table: Table, side: str, space: str) -> bool:
    """11.21, 8.321: enemy units stand there, and none of the own side outside that a leader could join."""
    return bool(pieces.units(table, space, other(side))) and not pieces.units(table, space, side, inside=False)


def _check_lone_unit(table: Table, side: str, space: str) -> None:
    """8.32, INT-21: a unit on a free move enters no space with enemy units in the open (option: with none at all)."""
    if pieces.units(table, space, other(side), inside=False):
        raise Refused("unit_alone_among_enemies", "8.321", space=space)
    within = pieces.units(table, space, other(side), inside=True)
    if within and not table.options["free_unit_past_fortress"]:
        raise Refused("unit_alone_at_garrison", "8.32", space=space)


def stay_refusal(table: Table, side: str, space: str, coming: Sequence[str] = ()) -> Refused | None:
    """10.2: why a stack may not stay in a space together with pieces that would join it; None when it may."""
    there = [*pieces.stack(table, space, side), *(piece for piece in coming if pieces.where(table, piece) != space)]
    units = [piece for piece in there if pieces.is_unit(piece)]
    most = table.kit.constants["stacking"]
    if len(units) > most:
        return Refused("stack_too_large", "10.21", space=space, units=len(units), most=most)
    clash = nations.conflict(table, there)
    if clash:
        return Refused(clash.code, clash.section, space=space, first=clash.first, second=clash.second)
    return None


def check_control(table: Table, side: str, space: str, moving: Sequence[str]) -> None:
    """3.11, 11.17: raise `Refused` unless a group may take control of a space for a movement point."""
    if not any(map(pieces.is_unit, moving)):
        raise Refused("control_needs_units", "11.17", space=space)
    if space in atlas(table).boxes:
        raise Refused("no_control_there", "16.2", space=space)
    if atlas(table).is_fortress(space):
        raise Refused("fortress_needs_siege", "11.17", space=space)
    if control.holder(table, space) == side:
        raise Refused("controlled_already", "11.17", space=space)
    if pieces.units(table, space, other(side)):
        raise Refused("enemy_holds_space", "11.17", space=space)
    if table.board.state.get(control.REVOLT + space):
        raise Refused("revolt_first", "9.43", ["RESTORE ORDER"], space=space)


def check_order(table: Table, side: str, space: str, moving: Sequence[str]) -> None:
    """9.43: raise `Refused` unless a group may put a revolt down for a movement point."""
    if not table.board.state.get(control.REVOLT + space):
        raise Refused("no_revolt_there", "9.43", space=space)
    if not any(map(pieces.is_unit, moving)):
        raise Refused("order_needs_units", "9.43", space=space)
    if pieces.units(table, space, other(side), inside=False):
        raise Refused("enemy_in_the_open", "9.43", space=space)


def check_way(
    table: Table,
    side: str,
    moving: Sequence[str],
    origin: str,
    way: Sequence[str],
    points: int,
    *,
    controlling: Sequence[str] = (),
    restoring: Sequence[str] = (),
    may_stay: bool = False,
) -> None:
    """11: raise `Refused` unless a group may go this way, with the points that it has.

    `controlling` and `restoring` are spaces of the way, or where it begins. `may_stay`: it may go on afterwards by
    further orders, so that it need not be able to stay where the way ends.
    """
    here, seen = origin, {origin}
    spent = _tasks(table, side, moving, here, controlling, restoring)
    for step, space in enumerate(way):
        check_entry(table, side, moving, here, space)
        spent += 1
        here = space
        if step < len(way) - 1:
            _check_not_stopped(table, side, moving, space, points - spent)
        if space not in seen:
            spent += _tasks(table, side, moving, here, controlling, restoring, arriving=True)
        seen.add(space)
    for space in (*controlling, *restoring):
        if space not in (origin, *way):
            raise Refused("not_on_the_way", "11.17", space=space, way=[origin, *way])
    if spent > points:
        raise Refused("not_enough_points", "11.1", needed=spent, points=points)
    # C 10.15: a battle ends the march, and a relief army with those whom it relieves has to fit in as well.
    if not may_stay or spent == points or pieces.units(table, here, other(side), inside=False):
        refusal = stay_refusal(table, side, here, moving)
        if refusal:
            raise refusal


def _tasks(
    table: Table,
    side: str,
    moving: Sequence[str],
    space: str,
    controlling: Sequence[str],
    restoring: Sequence[str],
    *,
    arriving: bool = False,
) -> int:
    """The points that control and order cost in a space; raises `Refused` for what cannot be done there."""
    points = 0
    fights = arriving and bool(pieces.units(table, space, other(side), inside=False))
    if space in restoring:
        points += 1
        if not fights:
            check_order(table, side, space, moving)
    if space in controlling:
        points += 1
        if not fights and space not in restoring:
            check_control(table, side, space, moving)
    return points


def _check_not_stopped(table: Table, side: str, moving: Sequence[str], space: str, points: int) -> None:
    """11.21: a way does not lead on from enemy units in the open who can neither go inside nor be overrun."""
    if not pieces.units(table, space, other(side), inside=False) or reaction.may_react(table, space, other(side)):
        return
    try:
        overrun.check_overrun(table, space, side, moving, points)
    except Refused as refused:
        raise Refused("enemy_ends_the_march", "11.21", space=space) from refused
