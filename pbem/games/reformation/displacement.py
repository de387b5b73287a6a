"""9.1, 9.3, 22: units that have to leave a space go to the nearest fortified space under own control, or a capital."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.reformation import fleets
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import (
    Force,
    all_of,
    count_land,
    land_owners,
    leader_power,
    leaders_at,
    move_force,
    put_leader,
)
from pbem.games.reformation.ground import capitals as capitals_of
from pbem.games.reformation.ground import (
    controller,
    inside,
    is_fortified,
    is_friendly,
    set_control,
    siege_of,
    space_of,
    steps_from,
)
from pbem.games.reformation.relations import major_of
from pbem.games.reformation.rules import rules
from pbem.table.asking import choose
from pbem.table.procedure import Procedure, Table


def own_forts(
    table: Table, power: str, *, friendly: bool = False, number: int | None = None, owners: Sequence[str] = ()
) -> list[str]:
    """The fortified spaces that a power (or an ally) controls and that take in units of all `owners`, in the order of
    the kit.

    Not those under siege, but where the game lets so many units come within the walls (`Rules.refuge_in_siege`).
    """
    return [
        space
        for space in atlas(table).spaces
        if (controller(table, space) == power or (friendly and is_friendly(table, space, power)))
        and is_fortified(table, space)
        and (not siege_of(table, space) or _walls_take(table, space, number))
        and rules(table).space_open(table, power, space)
        and all(rules(table).shelters(table, owner, space) for owner in owners)
    ]


def _walls_take(table: Table, space: str, number: int | None) -> bool:
    """Whether so many units more may come within the walls of a besieged space."""
    if number is None or not rules(table).refuge_in_siege:
        return False
    within = inside(space)
    return count_land(table, within, land_owners(table, within)) + number <= table.kit.constants["garrison_limit"]


def nearest(table: Table, start: str, among: Sequence[str], power: str | None = None) -> list[str]:
    """Those of some spaces that are nearest to a place; zones count as spaces, control of the way does not matter."""
    steps = steps_from(table, start, power=power)
    reached = [(steps[space], space) for space in among if space in steps and space != start]
    least = min((number for number, _ in reached), default=0)
    return sorted(space for number, space in reached if number == least)


def refuges(
    table: Table,
    power: str,
    start: str,
    *,
    friendly: bool = False,
    capital: bool = True,
    owners: Sequence[str] = (),
    number: int | None = None,
) -> list[str]:
    """Where units of a power that must leave a space may go, the nearest first.

    These are the nearest own fortified spaces (or an ally's: `friendly`), and an own capital that it or an ally
    controls, as 9.3 step 3 has it; without `capital` the nearest alone. The capital has to serve all `owners`.
    `number`: how many units go, for who may come into a besieged space.
    """
    near = nearest(table, start, own_forts(table, power, friendly=friendly, number=number, owners=owners), power)
    open_forts = own_forts(table, power, friendly=True, number=number, owners=owners)
    capitals = [
        c
        for c in capitals_of(table, power)
        if c in open_forts and c != start and all(rules(table).capital_serves(table, c, owner) for owner in owners)
    ]
    return [*near, *sorted(c for c in capitals if capital and c not in near)]


def displace(
    table: Table,
    power: str,
    place: str,
    force: Force | None = None,
    *,
    section: str = "9.3",
    friendly: bool = False,
    capital: bool = True,
) -> Procedure:
    """A power's land units and leaders leave a place; the owner chooses among its refuges, silence takes the nearest.

    `friendly` and `capital` are those of `refuges`: each section names its own kinds of places. Without a refuge the
    units are eliminated and the leaders go to the nearest own space, failing that off the map. Units of a power that
    may not move yet (21.6: the Protestant before the League) stay where they are. Units and leaders whose capitals
    differ (factions), or whom other spaces take in, leave one group after another.
    """
    going = force or all_of(table, place, power)
    if going.is_empty() or rules(table).may_fight(table, power):
        return
    for group in _by_capital(table, power, going):
        yield from _displace_group(table, power, place, group, section, friendly=friendly, capital=capital)


def _owners_of(table: Table, force: Force) -> list[str]:
    """The owners of the units and leaders of a force."""
    return list(dict.fromkeys([*force.units, *(leader_power(table, leader) for leader in force.leaders)]))


def _by_capital(table: Table, power: str, force: Force) -> list[Force]:
    """A force in groups, each of those owners whom the same capitals of the power serve and the same spaces take in."""
    groups: dict[tuple[str, ...], Force] = {}
    forts = own_forts(table, power, friendly=True)
    for owner in _owners_of(table, force):
        serve = tuple(c for c in capitals_of(table, power) if rules(table).capital_serves(table, c, owner))
        serve += tuple(space for space in forts if not rules(table).shelters(table, owner, space))
        group = groups.setdefault(serve, Force())
        if owner in force.units:
            group.units[owner] = force.units[owner]
        group.leaders += [leader for leader in force.leaders if leader_power(table, leader) == owner]
    return list(groups.values())


def _displace_group(
    table: Table, power: str, place: str, going: Force, section: str, *, friendly: bool, capital: bool
) -> Procedure:
    start = space_of(place)
    owners = _owners_of(table, going)

    open_forts = own_forts(table, power, friendly=friendly, number=going.size(), owners=owners)
    near = nearest(table, start, open_forts, power)
    by_lot = table.options.get("nearest_ties") == "lot" and len(near) > 1
    drawn = table.pick("nearest", near, section=section) if by_lot else None

    def among(table: Table) -> list[str]:
        spaces = refuges(table, power, start, friendly=friendly, capital=capital, owners=owners, number=going.size())
        return [space for space in spaces if drawn in (None, space) or space not in near]

    where = yield from choose(
        table, power, "space", among, kind="retreat", section=section, origin=start, units=going.to_json()
    )
    if where is not None:
        at = inside(where) if siege_of(table, where) else where
        move_force(table, going, place, at, why="displaced", section=section)
        return
    for owner, kinds in going.units.items():
        for kind, number in kinds.items():
            table.remove(owner, kind, place, number, why="displaced", section=section)
    held = [space for space in atlas(table).spaces if controller(table, space) == power and not siege_of(table, space)]
    last = nearest(table, start, held, power)
    waits = rules(table).stranded_leader(table, power) or (last[0] if last else "off")
    for leader in going.leaders:
        put_leader(table, leader, waits, why="displaced", section=section)


def displace_ships(
    table: Table, commander: str, space: str, *, section: str = "9.3", friendly: bool = False
) -> Procedure:
    """The ships of a commander leave a port for its nearest port; without one they are lost to the Turn Track."""
    force = fleets.fleet(table, space, commander)
    if force.is_empty():
        return
    # 16.1: they go together, so a zone that some of them never enter is closed to all.
    owners = [*force.units, *(atlas(table).leaders[leader]["power"] for leader in force.leaders)]
    owner = next((one for one in owners if fleets.barred_zone(table, one)), owners[0])

    def ports(table: Table) -> list[str]:
        steps = fleets.port_distances(table, space, owner, through_ports=True)
        open_ports = [
            port
            for port in atlas(table).spaces
            if port != space
            and port in steps
            and all(rules(table).shelters(table, one, port) for one in owners)
            and (fleets.is_own_port(table, port, commander) or (friendly and is_friendly(table, port, commander)))
        ]
        least = min((steps[port] for port in open_ports), default=0)
        return [port for port in open_ports if steps[port] == least]

    where: str | None
    if commander in table.board.powers and table.options.get("nearest_ties") == "lot" and len(ports(table)) > 1:
        where = table.pick("nearest", ports(table), section=section)
    elif commander in table.board.powers:
        where = yield from choose(table, commander, "space", ports, kind="retreat", section=section, origin=space)
    else:
        where = next(iter(ports(table)), None)
    if where is None:
        fleets.sink(table, commander, space, force, section)
    else:
        fleets.move_fleet(table, commander, force, space, where, why="displaced", section=section)


def clear_space(
    table: Table,
    space: str,
    keep: str | None,
    *,
    section: str,
    friendly: bool = False,
    capital: bool = True,
    ships: bool = True,
) -> Procedure:
    """All units that are not `keep`'s leave a space, from without and within its walls; a siege of it is over.

    `keep` is a major power, or a minor one whose own units alone stay; `friendly` and `capital` are as in `displace`.
    """
    table.set(f"siege:{space}", None, why="siege_lifted", section=section)
    for power in table.board.powers:
        if power == keep:
            continue
        for place in (space, inside(space)):
            going = _less(table, all_of(table, place, power), keep)
            yield from displace(table, power, place, going, section=section, friendly=friendly, capital=capital)
    if keep is not None:
        _come_out(table, space, section)
    if ships:
        for commander in fleets.commanders(table, space, with_leaders=True):
            if commander not in (keep, major_of(table.board, keep or "")) and commander in table.board.powers:
                yield from displace_ships(table, commander, space, section=section, friendly=friendly)


def _less(table: Table, force: Force, keep: str | None) -> Force:
    """A force without the units of a minor power that stays."""
    units = {owner: kinds for owner, kinds in force.units.items() if owner != keep}
    return Force(units, [leader for leader in force.leaders if leader_power(table, leader) != keep])


def _come_out(table: Table, space: str, section: str) -> None:
    """Who is left within the walls of a space that nobody besieges stands in the space."""
    within = inside(space)
    for owner, kinds in list(table.board.units.get(within, {}).items()):
        for kind, number in list(kinds.items()):
            table.move(owner, kind, number, within, space, why="siege_lifted", section=section)
    for leader in leaders_at(table, within):
        put_leader(table, leader, space, why="siege_lifted", section=section)


def hand_over(
    table: Table, spaces: Sequence[str], power: str, *, why: str, section: str, keep: str | None = None
) -> Procedure:
    """9.1, 9.3: the control of spaces goes to a power; when all are changed, the units of others leave each of them."""
    for space in spaces:
        set_control(table, space, power, why=why, section=section)
    for space in spaces:
        yield from clear_space(table, space, keep or power, section=section)
