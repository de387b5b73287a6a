"""10: spring deployment."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.games.reformation import marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import commanders
from pbem.games.reformation.forces import (
    Force,
    ForceField,
    all_of,
    check_change,
    check_formation,
    check_may_be_there,
    force_value,
    formations,
    leader_power,
    mark_force,
    marked,
    move_force,
    named_force,
    without,
)
from pbem.games.reformation.ground import (
    capitals,
    clear_neighbours,
    controller,
    in_unrest,
    is_friendly,
    neighbours,
    ports_from,
    sea_from,
    siege_of,
)
from pbem.games.reformation.rules import rules
from pbem.table.asking import Ask, Pass
from pbem.table.orders import Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

WAIVED = "spring_limits_waived"
"""The mark ``turn:spring_limits_waived`` lists the powers for which a card lifts the limits with a star (10)."""


class Deploy(Order):
    """Move one formation from your capital along friendly spaces."""

    elsewhere = "for_spring_deployment"
    line = "DEPLOY {force} FROM {origin} TO {space}"
    force = ForceField()
    origin = Name("space")
    space = Name("space")

    def check(self, table: Table, question: Question) -> None:
        power = question.power
        check_deployment(table, power, self.origin, self.space, named_force(table, power, self.origin, self.force))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for origin in open_capitals(table, question.power):
            forces = formations(table, question.power, origin, not_served(table, question.power, origin))
            for space in sorted(reach(table, question.power, origin, 0)):
                for force in forces:
                    yield cls(force=force_value(force, question.power), origin=origin, space=space)

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        orders = list(cls.candidates(table, question))
        chance.shuffle(orders)
        return next((order for order in orders if question.is_legal(table, order)), None)


def open_capitals(table: Table, power: str) -> list[str]:
    """The capitals that a power controls and from which it may deploy."""
    return [
        capital
        for capital in capitals(table, power)
        if controller(table, capital) == power
        and not siege_of(table, capital)
        and (_from_unrest(table) or not in_unrest(table, capital))
    ]


def _from_unrest(table: Table) -> bool:
    """GB-74, where the game has the option: whether unrest does not keep formations in the capital."""
    return bool(table.options.get("spring_from_unrest") == "allowed")


def not_served(table: Table, power: str, capital: str) -> Force:
    """The units and leaders of a power in a capital that is none for them (those of another faction)."""
    there = all_of(table, capital, power)
    serves = rules(table).capital_serves
    return Force(
        {owner: kinds for owner, kinds in there.units.items() if not serves(table, capital, owner)},
        [one for one in there.leaders if not serves(table, capital, leader_power(table, one))],
    )


def waived(table: Table, power: str) -> bool:
    """10: whether a card lifted the limits marked with a star for this power."""
    return marks.noted(table, "turn", WAIVED, power)


def reach(table: Table, power: str, origin: str, size: int) -> dict[str, int]:
    """10: the spaces that a formation of a size may deploy to, with the number of sea zones crossed (0 or 1)."""
    free = waived(table, power)
    zones_allowed = table.kit.constants["spring_sea_zones"]
    sea_ok = free or size <= table.kit.constants["spring_sea_units"]
    best = {origin: 0}
    edge = [(origin, 0)]
    while edge:
        following: list[tuple[str, int]] = []
        for space, crossed in edge:
            by_land = (neighbours if free else clear_neighbours)(table, space, power, listed=False)
            near = [(other, crossed) for other in by_land]
            if sea_ok and crossed < zones_allowed:
                for zone in sea_from(table, space):
                    if free or not _foreign_ships(table, power, zone):
                        near += [(port, crossed + 1) for port in ports_from(table, zone)]
            for other, zones in near:
                if best.get(other, zones + 1) > zones and _passable(table, power, other):
                    best[other] = zones
                    following.append((other, zones))
        edge = following
    best.pop(origin)
    return best


def _passable(table: Table, power: str, space: str) -> bool:
    return (
        is_friendly(table, space, power)
        and not in_unrest(table, space)
        and not siege_of(table, space)
        and rules(table).space_open(table, power, space)
    )


def _foreign_ships(table: Table, power: str, zone: str) -> bool:
    """10: ships of another major power in a port of the zone bar the crossing, an ally's too; loaned ones do not."""
    return any(
        commander != power and commander in table.board.powers
        for port in atlas(table).ports_on[zone]
        for commander in commanders(table, port)
    )


def check_deployment(table: Table, power: str, origin: str, space: str, force: Force) -> None:
    """10: raise `Refused` unless the formation may deploy from a capital to a space."""
    if origin not in open_capitals(table, power):
        open_now = [f"DEPLOY <force> FROM {capital} TO <space>" for capital in open_capitals(table, power)]
        if origin in capitals(table, power) and controller(table, origin) == power:
            raise Refused("capital_closed", "10", open_now, space=origin, besieged=bool(siege_of(table, origin)))
        raise Refused("no_capital_to_deploy_from", "10", open_now, space=origin)
    check_formation(table, power, origin, force)
    others = not_served(table, power, origin)
    if any(owner in others.units for owner in force.units) or any(one in others.leaders for one in force.leaders):
        raise Refused("capital_of_another_faction", "23.6", space=origin)
    here = without(all_of(table, origin, power), marked(table, "arrived", origin))
    if without(force, here).size() or any(leader not in here.leaders for leader in force.leaders):
        raise Refused("arrived_this_phase", "10")
    check_may_be_there(table, force, space, "10")
    check_change(table, force, origin, space)
    if space not in reach(table, power, origin, force.size()):
        raise Refused("no_way_to_deploy", "10", space=space)


def spring_deployment(table: Table, power: str) -> Procedure:
    """10: a power may move one formation from one capital."""
    if not any(not all_of(table, capital, power).is_empty() for capital in open_capitals(table, power)):
        return
    order = yield Ask(power, "spring_deployment", [Deploy, Pass], Pass(), context={"power": power}, section="10")
    if isinstance(order, Pass):
        return
    force = named_force(table, power, order.origin, order.force)
    moved = move_force(table, force, order.origin, order.space, why="spring_deployment", section="10")
    yield from rules(table).entered(table, power, moved, order.space)
    if order.space in {capital for owner in atlas(table).owners for capital in capitals(table, owner)}:
        mark_force(table, "arrived", order.space, moved)


ORDERS = (Deploy,)
