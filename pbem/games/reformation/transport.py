"""16.3: naval transport, a move of a formation from a port over sea zones with own ships to another port."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import enemy_fleets, has_ships
from pbem.games.reformation.forces import Force, check_change, check_formation, move_force, present
from pbem.games.reformation.ground import controller
from pbem.games.reformation.movement import after_responses, check_entry, check_may_leave, check_not_besieged, enter
from pbem.games.reformation.rules import rules
from pbem.games.reformation.siege import check_sieges
from pbem.table.asking import Moment, response
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def transport_cost(table: Table, power: str, zones: Sequence[str]) -> int:
    """16.3: the first step and the landing are moves in clear terrain, each further zone costs CP too."""
    step = table.kit.tables["actions"]["move_formation_clear"][power]
    return 2 * step + (len(zones) - 1) * table.kit.constants["transport_cp_a_zone"]


def check_transport(table: Table, power: str, force: Force, origin: str, zones: Sequence[str], space: str) -> None:
    """16.3: raise `Refused` unless the formation may be carried from a port over these zones to a port."""
    constants = table.kit.constants
    reason = rules(table).may_fight(table, power) or rules(table).barred(table, power, "transport")
    if reason:
        raise reason.under("16.3")
    check_not_besieged(table, power, origin)
    check_way(table, power, origin, zones, space)
    left = table.board.state.get("cp_left", 0)
    cost = max(transport_cost(table, power, zones), constants["transport_cp_at_start"])
    if cost > left:
        raise Refused("transport_too_dear", "16.3", cost=cost, left=left)
    check_formation(table, power, origin, force)
    if force.size() > constants["transport_units"]:
        raise Refused("too_many_carried", "16.3", most=constants["transport_units"])
    check_may_leave(table, power, origin, force)
    if enemy_fleets(table, space, power):
        raise Refused("enemy_ships_in_port", "16.3", space=space)
    if space == origin:
        raise Refused("formation_is_there", "16.3", space=space)
    check_entry(table, power, space, force)
    check_change(table, force, origin, space)


def check_way(table: Table, power: str, origin: str, zones: Sequence[str], space: str) -> None:
    """16.3 steps 1 to 3: raise `Refused` unless the zones join the ports and own ships are in each of them."""
    chart = atlas(table)
    for port in (origin, space):
        linked = chart.inland_ports.get(port)
        if linked and controller(table, linked) != power:
            raise Refused("linked_port_not_yours", "16.7", space=port, port=linked)
    if zones[0] not in chart.ports[origin]:
        raise Refused("no_port_of_zone", "16.3", list(chart.ports[origin]), space=origin, sea=zones[0])
    for a, b in zip(zones, zones[1:], strict=False):
        if b not in chart.sea[a]:
            raise Refused("not_adjacent_at_sea", "16.3", list(chart.sea[a]), place=b, origin=a)
    for zone in zones:
        if not has_ships(table, zone, power):
            raise Refused("no_ships_in_zone", "16.3", sea=zone)
    if zones[-1] not in chart.ports[space]:
        raise Refused("no_port_of_zone", "16.3", list(chart.ports[space]), space=space, sea=zones[-1])


def transport(
    table: Table,
    power: str,
    force: Force,
    origin: str,
    zones: Sequence[str],
    space: str,
    spend: Callable[[Table, int], None],
) -> Procedure:
    """16.3: a naval transport, the CP of its first step spent; `spend` pays for the others as they are made."""
    # 1: the formation goes to sea; nobody can intercept it there
    table.announce("transport", power=power, force=force.to_json(), origin=origin, space=space, section="16.3")
    stopped = yield from _weather(table, power, force, origin, zones[0], space)
    going = None if stopped else after_responses(table, power, origin, force)
    if going is None:
        table.tell("transport_stopped", power=power, origin=origin, space=space, section="16.3")
        return
    going = move_force(table, going, origin, zones[0], why="transport", section="16.3")
    yield from check_sieges(table)
    # 2: further zones
    for at, zone in zip(zones, zones[1:], strict=False):
        spend(table, table.kit.constants["transport_cp_a_zone"])
        if table.options.get("foul_weather_at_transport") == "each_leg":
            stopped = yield from _weather(table, power, going, at, zone, space)
            if stopped:
                # No formation stays at sea: it is carried back.
                move_force(table, present(table, at, going), at, origin, why="transport_stopped", section="16.3")
                table.tell("transport_stopped", power=power, origin=origin, space=space, section="16.3")
                return
        going = move_force(table, going, at, zone, why="transport", section="16.3")
    # 3 and 4: the landing is a move like another, but for a lost battle
    spend(table, table.kit.tables["actions"]["move_formation_clear"][power])
    yield from enter(table, power, zones[-1], space, going, by_sea=True)


def _weather(table: Table, power: str, force: Force, at: str, zone: str, space: str) -> Procedure:
    others = [other for other in table.board.powers if other != power]
    moment = Moment("transport", power, {"origin": at, "zone": zone, "space": space, "force": force})
    context: dict[str, Any] = {"space": space, "origin": at, "zone": zone, "strength": force.size()}
    answers = yield from response(table, moment, others, section="16.3", action="transport", **context)
    return "stop" in answers or rules(table).barred(table, power, "transport") is not None


def ways(table: Table, power: str, origin: str, cp: int) -> list[tuple[list[str], str]]:
    """The ways over zones with own ships from a port that so many CP suffice for: (zones, port of landing)."""
    chart = atlas(table)
    by_sea: list[tuple[list[str], str]] = []
    edge = [[zone] for zone in chart.ports[origin] if has_ships(table, zone, power)]
    seen = [zones[-1] for zones in edge]
    while edge:
        following = []
        for zones in edge:
            if transport_cost(table, power, zones) > cp:
                continue
            by_sea += [(zones, port) for port in chart.ports_on[zones[-1]] if port != origin]
            for other in chart.sea[zones[-1]]:
                if other not in seen and has_ships(table, other, power):
                    seen.append(other)
                    following.append([*zones, other])
        edge = following
    return by_sea
