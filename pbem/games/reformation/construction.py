"""17: building units."""

from __future__ import annotations

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import enemy_fleets
from pbem.games.reformation.forces import can_add, display_owner, has_enemy_land
from pbem.games.reformation.ground import controller, home_of, in_unrest, siege_of
from pbem.games.reformation.relations import own
from pbem.games.reformation.rules import rules
from pbem.table.board import SUPPLY
from pbem.table.orders import Refused
from pbem.table.procedure import Table


def check_build(
    table: Table, power: str, owner: str, kind: str, space: str, number: int = 1, *, home_only: bool = True
) -> None:
    """17.1, 17.2: raise `Refused` unless the power may build so many units of an owner and kind in a space."""
    kit, name = table.kit, table.kit.display("space", space)
    if not own(table.board, power, owner):
        raise Refused(f"{display_owner(kit, owner)} is not an active ally of yours", "17")
    reason = rules(table).may_fight(table, power) or rules(table).builds_in(table, power, kind, space)
    if reason:
        raise Refused(reason, "17")
    if controller(table, space) != power:
        raise Refused(f"you do not control {name}", "17.1")
    if home_only and home_of(table, space) != owner:
        raise Refused(f"{name} is no home space of {display_owner(kit, owner)}", "17.1")
    if in_unrest(table, space):
        raise Refused(f"{name} is in unrest", "12.4")
    if siege_of(table, space) or has_enemy_land(table, space, power):
        raise Refused(f"enemy units are in {name}", "17.1")
    if kind in atlas(table).naval_kinds:
        if not atlas(table).ports[space]:
            raise Refused(f"{name} is no port", "17.2")
        if enemy_fleets(table, space, power):
            raise Refused(f"enemy ships are in {name}", "17.2")
    place = _where(table, power, kind, space)
    if not can_add(table, owner, kind, place, number):
        raise Refused(f"there are not counters enough for {number} {kind} more in {name}", "5.2")


def _where(table: Table, power: str, kind: str, space: str) -> str:
    if kind in atlas(table).land_kinds:
        return rules(table).build_elsewhere(table, power) or space
    return space


def build(table: Table, power: str, owner: str, kind: str, space: str, number: int = 1) -> None:
    """17: the units are placed; a foreign war takes new land units first (21.7)."""
    for _ in range(number):
        table.place(owner, kind, _where(table, power, kind, space), why="build", section="17")


def in_supply(table: Table, owner: str, kind: str) -> int:
    """How many units of a kind are left, counters set aside."""
    return table.board.count(SUPPLY, owner, kind)


