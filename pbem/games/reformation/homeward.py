"""8.2, 19.3 (Virgin Queen: 8.1, 20.4): ships that go home in winter, leaders back from the Turn Track."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pbem.games.reformation import fleets
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import (
    Position,
    fleet,
    is_own_port,
    leader_owner,
    move_fleet,
    named_fleet,
    naval_leaders,
    nearest_ports,
    next_box,
    ships,
    sink,
)
from pbem.games.reformation.forces import LEADER, Force, force_value, leader_kind, put_leader, without
from pbem.games.reformation.ground import home_spaces, kind_of
from pbem.games.reformation.relations import major_of
from pbem.games.reformation.rules import rules
from pbem.table.asking import Ask, Pass, choose
from pbem.table.orders import Many, Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, Question

# --- 8.2: leaders from the Turn Track ---


def leaders_return(table: Table) -> Procedure:
    """8.2: naval leaders of this turn's box go to a port of their own; without one they wait another turn."""
    box = f"turn_track:{table.board.state['turn']}"
    for leader in atlas(table).leaders:
        if leader_kind(table, leader) != "naval" or table.board.pieces.get(LEADER + leader, {}).get("at") != box:
            continue
        owner = leader_owner(table, leader)
        commander = major_of(table.board, owner) or owner
        if commander in table.board.powers:
            port = yield from choose(
                table,
                commander,
                "space",
                partial(own_ports, commander=commander),
                kind="place_leader",
                section=rules(table).draw_section,
                leader=leader,
            )
        else:
            port = next(iter(minor_ports(table, commander)), None)
        table.put(LEADER + leader, port or next_box(table), why="leader_returns", section=rules(table).draw_section)


def own_ports(table: Table, commander: str) -> list[str]:
    """The ports that a commander controls, in the order of the kit."""
    return [space for space in atlas(table).spaces if is_own_port(table, space, commander)]


def minor_ports(table: Table, minor: str) -> list[str]:
    """22.1, 22.4: the home ports that an inactive minor power holds, keys first."""
    ports = [space for space in home_spaces(table, minor) if is_own_port(table, space, minor)]
    return sorted(ports, key=lambda space: kind_of(table, space) != "key")


# --- 19: winter ---


def end_loans(table: Table) -> Procedure:
    """19.1: the loan markers are removed."""
    fleets.end_loans(table)
    return
    yield


class _Homeward(Order):
    """Ships at a place, and the port that they return to."""

    line = "{fleet} FROM {origin} TO {space}"
    fleet = fleets.FleetField()
    origin = Position()
    space = Name("space")


class Harbour(Order):
    """Say to which of the nearest ports ships return; those that you do not name go to the first of them."""

    line = "HARBOUR {legs}"
    legs = Many(_Homeward)

    def check(self, table: Table, question: Question) -> None:
        power = question.power
        named: dict[str, Force] = {}
        for leg in self.legs:
            force = named_fleet(table, power, leg.origin, leg.fleet)
            if leg.origin not in places_to_leave(table, power):
                places = places_to_leave(table, power)
                raise Refused("no_ships_return", rules(table).winter_section, places, place=leg.origin)
            for owner in force.units:
                among = harbours(table, leg.origin, power, owner)
                if leg.space not in among:
                    raise Refused("no_nearest_port", rules(table).winter_section, list(among), space=leg.space)
            if force.leaders and not force.size():
                raise Refused("leader_returns_with_ships", rules(table).winter_section)
            named[leg.origin] = fleets.together(named.get(leg.origin, Force()), force)
        for origin, force in named.items():
            leaders = force.leaders
            if fleets.lacks(table, power, origin, force) or len(set(leaders)) < len(leaders):
                raise Refused("not_all_these_ships", rules(table).winter_section, place=origin)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for origin in places_to_leave(table, question.power):
            for owner, kinds in ships(table, origin, question.power).items():
                for space in harbours(table, origin, question.power, owner):
                    value = force_value(Force({owner: kinds}), question.power)
                    yield cls(legs=[_Homeward(fleet=value, origin=origin, space=space)])


def places_to_leave(table: Table, commander: str) -> list[str]:
    """19.3: the places from which ships of a commander must return: all but ports under its control."""
    return [place for place in fleets.fleets_at(table, commander) if not is_own_port(table, place, commander)]


def harbours(table: Table, place: str, commander: str, owner: str) -> list[str]:
    """19.3: the nearest ports; over sea zones, and through ports only where there is no other way."""
    return nearest_ports(table, place, commander, owner) or nearest_ports(
        table, place, commander, owner, through_ports=True
    )


def ships_return(table: Table) -> Procedure:
    """19.3: all ships go to the nearest port of the power that they belong to, whatever enemies are on the way.

    Their owners choose among ports equally near and may split stacks. Without any port they wait on the Turn Track.
    """
    questions = [
        Ask(
            power,
            "winter",
            [Harbour, Pass],
            Pass(),
            context={"action": "naval_return", "places": places_to_leave(table, power)},
            section=rules(table).winter_section,
        )
        for power in table.board.powers
        if any(
            len(harbours(table, place, power, owner)) > 1
            for place in places_to_leave(table, power)
            for owner in ships(table, place, power)
        )
    ]
    answers = (yield AllOf(questions)) if questions else {}
    for power in atlas(table).owners:
        order = answers.get(power)
        if isinstance(order, Harbour):
            _as_ordered(table, power, order)
        for place in places_to_leave(table, power):
            _to_nearest(table, power, place, rules(table).winter_section)
    _lone_leaders_return(table)


def _as_ordered(table: Table, power: str, order: Harbour) -> None:
    ways_home = [(named_fleet(table, power, leg.origin, leg.fleet), leg.origin, leg.space) for leg in order.legs]
    named = [leader for force, _, _ in ways_home for leader in force.leaders]
    for force, origin, space in ways_home:
        left = fleet(table, origin, power)
        stranded = [leader for leader in left.leaders if leader not in named]
        if without(left, force).size() == 0:
            force = Force(force.units, [*force.leaders, *stranded])
        move_fleet(table, power, force, origin, space, why="naval_return", section=rules(table).winter_section)


def to_nearest_ports(table: Table, power: str, *, section: str) -> None:
    """All ships of a power go to their nearest port, whatever enemies are on the way; nobody is asked for which."""
    for place in places_to_leave(table, power):
        _to_nearest(table, power, place, section)


def _to_nearest(table: Table, power: str, place: str, section: str) -> None:
    leaders = naval_leaders(table, place, power)
    there = ships(table, place, power)
    for owner, kinds in there.items():
        first = owner == next(iter(there))
        with_them = [one for one in leaders if atlas(table).leaders[one]["power"] == owner]
        if first:
            with_them += [one for one in leaders if atlas(table).leaders[one]["power"] not in there]
        ports = harbours(table, place, power, owner)
        force = Force({owner: dict(kinds)}, with_them)
        if ports:
            move_fleet(table, power, force, place, ports[0], why="naval_return", section=section)
        else:
            sink(table, power, place, force, section)


def _lone_leaders_return(table: Table) -> None:
    """19.3: a naval leader that no ship took along goes to the nearest port of its own, or to the Turn Track."""
    for leader, row in atlas(table).leaders.items():
        at = table.board.pieces.get(LEADER + leader, {}).get("at", "")
        if leader_kind(table, leader) != "naval" or not (at in atlas(table).sea or at in atlas(table).spaces):
            continue
        owner = leader_owner(table, leader)
        commander = major_of(table.board, owner) or owner
        if not is_own_port(table, at, commander):
            ports = harbours(table, at, commander, row["power"])
            if ports:
                put_leader(table, leader, ports[0], why="naval_return", section=rules(table).winter_section)
            else:
                table.put(LEADER + leader, next_box(table), why="naval_return", section=rules(table).winter_section)


ORDERS: tuple[type[Order], ...] = (Harbour,)
