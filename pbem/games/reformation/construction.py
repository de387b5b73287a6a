"""17: building units."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import enemy_fleets
from pbem.games.reformation.forces import can_add, has_enemy_land
from pbem.games.reformation.ground import controller, in_unrest, is_home, siege_of
from pbem.games.reformation.relations import own
from pbem.games.reformation.rules import rules
from pbem.table.board import SUPPLY
from pbem.table.orders import Refused
from pbem.table.procedure import Table


def check_build(
    table: Table, power: str, owner: str, kind: str, space: str, number: int = 1, *, home_only: bool = True
) -> None:
    """17.1, 17.2: raise `Refused` unless the power may build so many units of an owner and kind in a space."""
    if not own(table.board, power, owner):
        raise Refused("no_active_ally", "17", owner=owner)
    reason = rules(table).may_fight(table, power) or rules(table).builds_in(table, power, kind, space)
    if reason:
        raise reason.under("17")
    if controller(table, space) != power:
        raise Refused("not_controlled", "17.1", space=space)
    if home_only and not is_home(table, space, owner):
        raise Refused("no_home_space", "17.1", space=space, owner=owner)
    if in_unrest(table, space):
        raise Refused("in_unrest", "12.4", hint=f"CALM {space}", space=space)
    if siege_of(table, space) or has_enemy_land(table, space, power):
        raise Refused("enemy_units_there", "17.1", space=space)
    if kind in atlas(table).naval_kinds:
        if not atlas(table).ports[space]:
            raise Refused("no_port", "17.2", space=space)
        if enemy_fleets(table, space, power):
            raise Refused("enemy_ships_there", "17.2", space=space)
    place = _where(table, power, kind, space)
    if not can_add(table, owner, kind, place, number):
        raise Refused("too_few_counters", "5.2", number=number, kind=kind, space=space)


def _where(table: Table, power: str, kind: str, space: str) -> str:
    if kind in atlas(table).land_kinds:
        return rules(table).build_elsewhere(table, power) or space
    return space


def places_to_build(table: Table, power: str, owner: str, kind: str, spaces: Iterable[str]) -> list[str]:
    """17: those of some spaces where a power could put a new unit of an owner and kind now."""
    places = []
    for space in spaces:
        try:
            check_build(table, power, owner, kind, space)
        except Refused:
            continue
        places.append(space)
    return places


def build(table: Table, power: str, owner: str, kind: str, space: str, number: int = 1) -> None:
    """17: the units are placed; a foreign war takes new land units first (21.7)."""
    for _ in range(number):
        table.place(owner, kind, _where(table, power, kind, space), why="build", section="17")


def in_supply(table: Table, owner: str, kind: str) -> int:
    """How many units of a kind are left, counters set aside."""
    return table.board.count(SUPPLY, owner, kind)


