"""9.2, 9.6 (Virgin Queen: 9.2, 9.4): what follows at once when two powers come to war: loans end, stacks part."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.reformation import fleets
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.displacement import displace, displace_ships
from pbem.games.reformation.forces import Force, all_of
from pbem.games.reformation.ground import controller, siege_of
from pbem.games.reformation.relations import major_of
from pbem.table.asking import choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def check_targets(
    table: Table, power: str, targets: Sequence[str], why_not: Callable[[Table, str, str], Refused | None], section: str
) -> None:
    """9.6 (Virgin Queen: 9.4): raise `Refused` where a declaration names a power twice or one that it may not name.

    `why_not(table, power, target)`: why a power may not declare war on another in the Diplomacy phase.
    """
    if len(set(targets)) < len(targets):
        raise Refused("power_twice", section)
    for target in targets:
        reason = why_not(table, power, target)
        if reason:
            raise reason.under(section)


def end_loans_of_enemies(table: Table, power: str, target: str) -> Procedure:
    """9.2 (option `loan_ends_with_war`): loans between two powers that have come to war end, either way."""
    if table.options["loan_ends_with_war"]:
        yield from recall_ships(table, power, target)
        yield from recall_ships(table, target, power)


def recall_ships(table: Table, lender: str, borrower: str) -> Procedure:
    """9.2 (Q-21): a loan ends as the two come to war; the ships go to the nearest port of their owner."""
    lent: list[tuple[str, Force]] = []
    for place in fleets.fleets_at(table, borrower):
        all_there = fleets.fleet(table, place, borrower)
        units = {
            owner: fleets.lent_at(table, place)[owner][borrower]
            for owner in all_there.units
            if fleets.lent_at(table, place).get(owner, {}).get(borrower) and _belongs(table, owner, lender)
        }
        leaders = [one for one in all_there.leaders if _belongs(table, atlas(table).leaders[one]["power"], lender)]
        if units or leaders:
            lent.append((place, Force(units, leaders)))
    if not lent:
        return
    fleets.end_loans(table, lender, borrower, section="9.2")
    for place, force in lent:
        owner = next(iter(force.units), lender)

        def ports(table: Table, place: str = place, owner: str = owner) -> list[str]:
            return fleets.nearest_ports(table, place, lender, owner, through_ports=True)

        where = yield from choose(table, lender, "space", ports, kind="retreat", section="9.2", origin=place)
        if where is None:
            fleets.sink(table, lender, place, force, "9.2")
        elif where != place:
            fleets.move_fleet(table, lender, force, place, where, why="loan_ends", section="9.2")


def _belongs(table: Table, owner: str, power: str) -> bool:
    return owner == power or table.board.state.get("minor_ally", {}).get(owner) == power


def shared_spaces(table: Table, a: str, b: str) -> list[str]:
    """The spaces, none of them besieged, in which two powers have units or leaders, in the order of the kit."""
    return [
        space
        for space in atlas(table).spaces
        if siege_of(table, space) is None and not any(all_of(table, space, one).is_empty() for one in (a, b))
    ]


def leave_new_enemies(
    table: Table, power: str, target: str, *, section: str, everywhere: bool = False
) -> Procedure:
    """The land units and leaders of a power leave the spaces that it shares with a new enemy.

    They stay where their own power holds the space, unless they leave it `everywhere` (Q-19, ``active_leaves``).
    """
    for space in shared_spaces(table, power, target):
        if everywhere or not _holds(table, power, space):
            yield from displace(table, power, space, section=section, capital=not everywhere)


def part_stacks(table: Table, a: str, b: str, *, section: str) -> Procedure:
    """Two powers have come to war: of their units in one space or port those leave that do not hold it (12.5)."""
    spaces = shared_spaces(table, a, b)
    ports = [
        space
        for space in atlas(table).spaces
        if all(fleets.has_ships(table, space, one) for one in (a, b)) and siege_of(table, space) is None
    ]
    for power in (a, b):
        for space in spaces:
            if not _holds(table, power, space):
                yield from displace(table, power, space, section=section)
        for space in ports:
            if not _holds(table, power, space):
                yield from displace_ships(table, power, space, section=section)


def _holds(table: Table, power: str, space: str) -> bool:
    holder = controller(table, space)
    return holder is not None and major_of(table.board, holder) == power
