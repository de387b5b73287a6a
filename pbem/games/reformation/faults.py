"""Invariants of the board that both games keep, for play-outs: sieges, loans, points, counters."""

from __future__ import annotations

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import lent_at
from pbem.games.reformation.forces import count_land, counters_suffice, land_owners, own_owners
from pbem.games.reformation.ground import besieged, space_of
from pbem.games.reformation.house import house
from pbem.table.board import SUPPLY
from pbem.table.procedure import Table
from pbem.table.said import Said


def siege_faults(table: Table) -> list[Said]:
    """15: within walls at most the garrison limit; a siege has besiegers, and who is inside is besieged."""
    faults: list[Said] = []
    limit = table.kit.constants["garrison_limit"]
    for place in table.board.units:
        space = space_of(place)
        if space != place:
            number = count_land(table, place, land_owners(table, place))
            if number > limit:
                faults.append(Said("%(number)s units are inside %(place)s", number=number, place=space))
            if f"siege:{space}" not in table.board.state:
                faults.append(Said("units are inside %(place)s, which is not besieged", place=space))
    for space in besieged(table):
        for power in table.board.state[f"siege:{space}"]["by"]:
            if not count_land(table, space, own_owners(table, space, power)):
                faults.append(Said("%(owner)s besieges %(place)s without units", owner=power, place=space))
    return faults


def loan_faults(table: Table) -> list[Said]:
    """9.2: no more ships of a kind are lent at a place than are there."""
    faults: list[Said] = []
    for place in table.board.state.get("loans", {}):
        for owner, borrowers in lent_at(table, place).items():
            lent: dict[str, int] = {}
            for kinds in borrowers.values():
                for kind, number in kinds.items():
                    lent[kind] = lent.get(kind, 0) + number
            faults += [
                Said(
                    "more ships are lent than there are: %(number)s × %(unit)s, %(owner)s, %(place)s",
                    number=number,
                    unit=kind,
                    owner=owner,
                    place=place,
                )
                for kind, number in lent.items()
                if number > table.board.count(place, owner, kind)
            ]
    return faults


def point_faults(table: Table) -> list[Said]:
    """The VP track stands as the board has it."""
    faults: list[Said] = []
    for power in table.board.seated():
        computed = house(table).points(table, power)
        if table.board.value("vp", power) != computed:
            faults.append(Said("%(owner)s has %(number)s VP on the track, %(computed)s by the board", owner=power,
                               number=table.board.value("vp", power), computed=computed))  # fmt: skip
    return faults


def counter_faults(table: Table) -> list[Said]:
    """5.2: the counters of each owner can show all its stacks."""
    on_map = {(o, k) for place, o, k, number in table.board.units_everywhere() if place != SUPPLY and number}
    return [
        Said("no counters for all stacks: %(owner)s, %(unit)s", owner=owner, unit=kind)
        for owner in atlas(table).owners
        for kind in table.kit.tables["units"]
        if (owner, kind) in on_map and not counters_suffice(table, owner, kind)
    ]
