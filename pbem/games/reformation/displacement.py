"""9.1, 9.3, 22: units that have to leave a space go to the nearest fortified space under own control, or a capital."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.reformation.asking import choose
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import Force, all_of, move_force
from pbem.games.reformation.ground import controller, is_fortified, siege_of, steps_from
from pbem.games.reformation.rules import rules
from pbem.table.procedure import Procedure, Table


def own_forts(table: Table, power: str) -> list[str]:
    """The fortified spaces that a power controls, not besieged, in the order of the kit."""
    return [
        space
        for space in atlas(table).spaces
        if controller(table, space) == power
        and is_fortified(table, space)
        and not siege_of(table, space)
        and rules(table).space_open(table, power, space)
    ]


def nearest(table: Table, start: str, among: Sequence[str]) -> list[str]:
    """Those of some spaces that are nearest to a place; zones count as spaces, control of the way does not matter."""
    steps = steps_from(table, start)
    reached = [(steps[space], space) for space in among if space in steps and space != start]
    least = min((number for number, _ in reached), default=0)
    return sorted(space for number, space in reached if number == least)


def refuges(table: Table, power: str, start: str) -> list[str]:
    """Where units of a power that must leave a space may go: the nearest own fortified spaces, or an own capital."""
    forts = own_forts(table, power)
    capitals = [c for c in atlas(table).capitals.get(power, ()) if c in forts and c != start]
    return sorted({*nearest(table, start, forts), *capitals})


def displace(table: Table, power: str, place: str, force: Force | None = None, *, section: str = "9.3") -> Procedure:
    """A power's land units and leaders leave a place; the owner chooses among equally near refuges.

    Without a refuge the units are eliminated and the leaders go to the nearest own space, failing that off the map.
    """
    going = force or all_of(table, place, power)
    if going.is_empty():
        return
    start = place.partition("/")[0]
    where = yield from choose(
        table, power, "space", lambda t: refuges(t, power, start), kind="retreat", section=section, origin=start
    )
    if where is None:
        for owner, kinds in going.units.items():
            for kind, number in kinds.items():
                table.remove(owner, kind, place, number, why="displaced", section=section)
        for leader in going.leaders:
            table.put(f"leader:{leader}", "off", why="displaced", section=section)
        return
    move_force(table, going, place, where, why="displaced", section=section)


