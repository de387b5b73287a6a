"""Moving military units: who may go where, and the crossing die."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.struggle_of_empires.map import (
    CONTROL,
    UNIT_KINDS,
    enemies,
    home,
    map_of,
)
from pbem.games.struggle_of_empires.money import take_unrest
from pbem.games.struggle_of_empires.tiles import blockader, lift_blockades, owned
from pbem.table.orders import Refused
from pbem.table.procedure import Table

SECTION = "2, actions"
ARRIVED, BACK, LOST = "arrived", "back", "lost"
Shift = Mapping[tuple[str, str], int]
"""(place, kind) -> units more or fewer of the mover, by moves ordered before this one and taken as arrived."""
Moved = Mapping[tuple[str, str], int]
"""(place, kind) -> units of the mover there that have made their move in this action: each makes one."""


def _count(table: Table, power: str, kind: str, place: str, shift: Shift | None) -> int:
    number = table.board.count(place, power, kind)
    return number + shift.get((place, kind), 0) if shift else number


def may_enter(table: Table, power: str, kind: str, place: str, shift: Shift | None = None) -> bool:
    """Whether the rules of movement let a unit of a power into a place, wherever it comes from.

    A fort, which moves only when it is built, goes where an army could.
    """
    if place == home(power):
        return True
    world = map_of(table.kit)
    if place not in world.is_sea:
        return False
    if kind == "navy":
        return world.is_sea[place]
    if world.is_colony[place]:
        navies = _count(table, power, "navy", place, shift)
        return navies > 0 and not _is_blockaded(table, power, place, navies)
    count = table.board.count
    if count(place, power, CONTROL) or place in homes_next_to(table, power):
        return True
    if any(count(near, power, CONTROL) for near in world.neighbours[place]):
        return True
    sea = world.sea_for[place]
    return sea is not None and _count(table, power, "navy", sea, shift) > 0


def homes_next_to(table: Table, power: str) -> tuple[str, ...]:
    """The regions that the home of a power touches (option home_errata)."""
    world = map_of(table.kit)
    more = world.homes_by_erratum[power] if table.options.get("home_errata") else ()
    return (*world.adjacent_homes[power], *more)


def _is_blockaded(table: Table, power: str, region: str, navies: int) -> bool:
    """Blockade (a): an army of the other alliance needs more navies there than the blockader has."""
    other = blockader(table, region)
    if other is None or other not in enemies(table.board, power):
        return False
    return navies <= table.board.count(region, other, "navy")


def check_entry(table: Table, power: str, kind: str, place: str, shift: Shift | None = None) -> None:
    """Raise `Refused`, with the condition that fails, when a unit may not enter a place."""
    if may_enter(table, power, kind, place, shift):
        return
    world = map_of(table.kit)
    if place.startswith("home:"):
        raise Refused("home_of_another", SECTION, place=place)
    if place not in world.is_sea:
        raise Refused("no_region", SECTION, list(world.regions), region=place)
    if kind == "navy":
        seas = [region for region in world.regions if world.is_sea[region]]
        raise Refused("no_sea_there", SECTION, seas, region=place)
    if world.is_colony[place]:
        if not _count(table, power, "navy", place, shift):
            moved_on = _count(table, power, "navy", place, None) > 0
            raise Refused("no_navy_at_colony", SECTION, power=power, region=place, kind=kind, by_then=moved_on)
        raise Refused("blockaded", "4", power=blockader(table, place), region=place)
    near = list(world.neighbours[place])
    raise Refused("out_of_reach", SECTION, power=power, region=place, kind=kind, near=near, sea=world.sea_for[place])


def needs_crossing(table: Table, origin: str, place: str) -> bool:
    """Whether the crossing die is thrown: into a colony, or from one to Europe; not between the American colonies."""
    world = map_of(table.kit)
    if world.is_colony.get(place, False):
        return place not in world.same_waters.get(origin, ())
    return world.is_colony.get(origin, False)


def cross(table: Table, power: str, kind: str, origin: str, place: str) -> str:
    """The crossing die: 2–6 arrives; 1 is thrown again: 1–2 lost, 3–4 turned back, 5 and more arrives.

    Navigation adds 2 to the second die (option navigation_stacks).
    """
    constants = table.kit.constants
    sides = constants["die_sides"]
    first = table.roll("crossing", power, 1, sides, section=SECTION)[0]
    second, bonus, outcome = None, 0, ARRIVED
    if first in constants["crossing_trouble"]:
        second = table.roll("second crossing", power, 1, sides, section=SECTION)[0]
        tiles = len(owned(table, power, "navigation"))
        bonus = constants["navigation_bonus"] * (tiles if table.options["navigation_stacks"] else min(1, tiles))
        total = second + bonus
        if total <= max(constants["crossing_lost"]):
            outcome = LOST
        elif total <= max(constants["crossing_back"]):
            outcome = BACK
    table.tell(
        "crossing",
        power=power,
        kind=kind,
        origin=origin,
        place=place,
        first=first,
        second=second,
        navigation=bonus,
        outcome=outcome,
        section=SECTION,
    )
    return outcome


def check_leg(
    table: Table,
    power: str,
    kind: str,
    origin: str,
    place: str,
    shift: Shift | None = None,
    moved: Moved | None = None,
) -> None:
    """Raise `Refused` when one unit may not make one move."""
    if kind not in UNIT_KINDS:
        raise Refused("no_military_unit", SECTION, ["army", "navy"], kind=kind)
    if not table.kit.tables["units"][kind]["moves"]:
        raise Refused("forts_never_move", SECTION)
    if _count(table, power, kind, origin, shift) < 1:
        gone = bool(shift and table.board.count(origin, power, kind))
        raise Refused("no_unit_there", SECTION, kind=kind, place=origin, left=gone)
    if moved and _count(table, power, kind, origin, shift) <= moved.get((origin, kind), 0):
        raise Refused("has_moved", SECTION, kind=kind, place=origin)
    if origin == place:
        raise Refused("there_already", SECTION, kind=kind, place=place)
    check_entry(table, power, kind, place, shift)


def move_unit(table: Table, power: str, kind: str, origin: str, place: str, *, why: str = "move") -> str:
    """One unit makes one whole move. Returns what came of it; lost at sea, it brings no unrest (option)."""
    outcome = cross(table, power, kind, origin, place) if needs_crossing(table, origin, place) else ARRIVED
    if outcome == ARRIVED:
        table.move(power, kind, 1, origin, place, why=why, section=SECTION)
    elif outcome == LOST:
        table.remove(power, kind, origin, why="lost at sea", section=SECTION)
        if table.options.get("unrest_of_units_lost_at_sea"):
            unrest = table.kit.tables["units"][kind]["unrest_if_lost"] or 0
            take_unrest(table, power, unrest, why="lost at sea", section=SECTION)
    if kind == "navy" and outcome != BACK:
        lift_blockades(table)
    return outcome


def check_new_unit(table: Table, power: str, kind: str, place: str, built: int = 0, shift: Shift | None = None) -> None:
    """Raise `Refused` when a unit cannot be built and sent to a place; `built` of its kind are ordered before it."""
    if kind not in UNIT_KINDS:
        raise Refused("not_to_be_built", SECTION, UNIT_KINDS, kind=kind)
    if table.board.count("supply", power, kind) <= built:
        most = table.kit.tables["units"][kind]["per_empire"]
        raise Refused("no_piece_left", SECTION, kind=kind, most=most)
    check_entry(table, power, kind, place, shift)
    if place == home(power) and not table.options["stay_home_when_built"]:
        reachable = [region for region in map_of(table.kit).regions if may_enter(table, power, kind, region, shift)]
        if reachable:
            raise Refused("new_unit_goes_on", SECTION, reachable)


def build_unit(table: Table, power: str, kind: str, place: str, *, why: str) -> str:
    """A unit is built at home and sent on at once; turned back, it stays at home (a fort for good)."""
    table.tell("built", power=power, kind=kind, place=place, why=why, section=SECTION)
    table.place(power, kind, home(power), why=why, section=SECTION)
    if place == home(power):
        return ARRIVED
    return move_unit(table, power, kind, home(power), place, why=why)
