"""12: lines of communication, control of unfortified spaces, unrest."""

from __future__ import annotations

from pbem.games.reformation import ground
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import enemy_fleets, friendly_ships
from pbem.games.reformation.forces import (
    enemy_owners,
    has_enemy_land,
    land_owners,
    leader_power,
    leaders_at,
    own_owners,
)
from pbem.games.reformation.ground import (
    controller,
    home_owners,
    in_unrest,
    is_enemy_space,
    is_fortified,
    is_friendly,
    is_home,
)
from pbem.games.reformation.relations import hostile, on_side
from pbem.games.reformation.rules import rules
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def line_of_communication(table: Table, power: str, space: str) -> list[str] | None:
    """12.1: a line from a friendly fortified home space of the power or an ally to a space, which is its last place.

    All places before the last must be friendly, calm and free of enemy land units; zones need a friendly naval unit,
    and the line enters the sea from a friendly port. Value: the places from the space back to the source, or None.
    """
    chart = atlas(table)
    came_from: dict[str, str | None] = {space: None}
    edge = [space]
    while edge:
        following: list[str] = []
        for place in edge:
            if place in chart.spaces and _is_source(table, power, place):
                return _path(came_from, place)
            if place in chart.sea:
                near = (*chart.sea[place], *ground.ports_from(table, place))
            else:
                near = (*ground.neighbours(table, place, power), *ground.sea_from(table, place))
            for other in near:
                if other not in came_from and _may_pass(table, power, other):
                    came_from[other] = place
                    following.append(other)
        edge = following
    return None


def land_spaces_of_line(table: Table, power: str, space: str) -> int | None:
    """12.1: how many land spaces the shortest line to a space has that begins in a fortified home space of the power.

    Its source counts, the space itself does not, nor do zones. None where there is no such line.
    """
    chart = atlas(table)
    reached, edge, length = {space}, [space], 0
    while edge:
        # All places of one length: zones lengthen nothing, so they are gone through at once.
        for place in edge:
            if place in chart.spaces and is_home(table, place, power) and _is_source(table, power, place):
                return length
            for other in chart.sea[place] if place in chart.sea else ground.sea_from(table, place):
                if other in chart.sea and other not in reached and _may_pass(table, power, other):
                    reached.add(other)
                    edge.append(other)
        following = []
        for place in edge:
            at_sea = place in chart.sea
            for other in ground.ports_from(table, place) if at_sea else ground.neighbours(table, place, power):
                if other not in reached and _may_pass(table, power, other):
                    reached.add(other)
                    following.append(other)
        edge, length = following, length + 1
    return None


def _path(came_from: dict[str, str | None], place: str) -> list[str]:
    path: list[str] = []
    step: str | None = place
    while step is not None:
        path.append(step)
        step = came_from[step]
    return path[::-1]


def _may_pass(table: Table, power: str, place: str) -> bool:
    if place in atlas(table).sea:
        blocked = table.options.get("line_over_zones") == "enemy_ship_blocks" and enemy_fleets(table, place, power)
        return friendly_ships(table, place, power) and not blocked
    return _is_clean(table, power, place)


def _is_clean(table: Table, power: str, space: str) -> bool:
    if table.options.get("line_through_besieged") and power in (ground.siege_of(table, space) or {"by": {}})["by"]:
        return True
    return (
        is_friendly(table, space, power)
        and not in_unrest(table, space)
        and not has_enemy_land(table, space, power)
        and not (rules(table).line_needs_no_ships and _enemy_ships_or_leaders(table, space, power))
        and rules(table).space_open(table, power, space)
    )


def _enemy_ships_or_leaders(table: Table, space: str, power: str) -> bool:
    leaders = [*leaders_at(table, space), *leaders_at(table, space, kind="naval")]
    return bool(enemy_fleets(table, space, power)) or any(
        hostile(table.board, power, leader_power(table, leader)) for leader in leaders
    )


def _is_source(table: Table, power: str, space: str) -> bool:
    """A friendly fortified space that is a home space of the power, of its minor powers or of an ally."""
    return (
        is_fortified(table, space)
        and any(on_side(table.board, power, owner) for owner in home_owners(table, space))
        and _is_clean(table, power, space)
    )


# --- 12.2 ---


def check_control(table: Table, power: str, space: str) -> None:
    """12.2: raise `Refused` unless the power may take control of a space."""
    holder = controller(table, space)
    if holder is None:
        raise Refused("not_in_play", "12.2", space=space)
    if holder == power:
        if in_unrest(table, space):
            raise Refused("yours_in_unrest", "12.4", hint=f"CALM {space}", space=space)
        raise Refused("yours_already", "12.2", space=space)
    if is_fortified(table, space):
        raise Refused("fortified", "12.3", space=space)
    if holder not in atlas(table).independents and not is_enemy_space(table, space, power):
        raise Refused("no_enemy_space", "12.2", space=space)
    if not rules(table).space_open(table, power, space):
        raise Refused("closed_space", "12.2", space=space)
    if rules(table).control_needs_no_foreigners and any(
        not on_side(table.board, power, owner) for owner in land_owners(table, space)
    ):
        raise Refused("foreign_units_there", "12.2", space=space)
    if not own_owners(table, space, power):
        _check_from_adjacent(table, power, space)
    if line_of_communication(table, power, space) is None:
        raise Refused("no_line_of_communication", "12.1", space=space)


def _check_from_adjacent(table: Table, power: str, space: str) -> None:
    """(b): own land units adjacent, none of an enemy; not over a pass; besieging and besieged units count."""
    around = ground.clear_neighbours(table, space, power, listed=False)
    near = [place for other in around for place in (other, ground.inside(other))]
    if not any(own_owners(table, place, power) for place in near):
        raise Refused("no_units_near", "12.2", space=space)
    if any(enemy_owners(table, place, power) for place in near):
        raise Refused("enemy_units_near", "12.2", space=space)


def take_control(table: Table, power: str, space: str) -> Procedure:
    """12.2: the marker is changed, religion stays; naval units of others leave the port."""
    ground.set_control(table, space, power, why="control", section="12.2")
    yield from rules(table).ships_leave(table, space, power)


# --- 12.4 ---


def check_calm(table: Table, power: str, space: str) -> None:
    """12.4: raise `Refused` unless the power may remove unrest from a space; no line of communication is needed."""
    if not in_unrest(table, space):
        raise Refused("no_unrest_there", "12.4", space=space)
    if own_owners(table, space, power) or own_owners(table, ground.inside(space), power):
        return
    if rules(table).may_fight(table, power) is not None and is_home(table, space, power):
        return
    around = ground.clear_neighbours(table, space, power, listed=False)
    near = [place for other in around for place in (other, ground.inside(other))]
    if not any(own_owners(table, place, power) for place in near):
        raise Refused("no_units_near", "12.4", space=space)
    if any(enemy_owners(table, place, power) for place in near):
        raise Refused("enemy_units_near", "12.4", space=space)


def calm(table: Table, space: str) -> None:
    """12.4: the unrest marker is removed."""
    ground.set_unrest(table, space, False, why="calm", section="12.4")
