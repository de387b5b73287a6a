"""Who can be attacked where (chapter of the attack, first paragraphs)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pbem.games.struggle_of_empires.map import (
    CONTROL,
    PIRATES,
    RAIDERS,
    UNIT_KINDS,
    check_region,
    enemies,
    map_of,
    navies_for,
)
from pbem.games.struggle_of_empires.tiles import laid
from pbem.table.kit import Kit
from pbem.table.orders import Refused
from pbem.table.procedure import Table

SECTION = "3.1"


def counter_piece(counter: str) -> str:
    """The piece of a country counter."""
    return f"counter:{counter}"


def is_on_map(table: Table, counter: str) -> bool:
    """Whether a country counter lies open in its region."""
    row = table.kit.tables["counters"].get(counter)
    return row is not None and table.board.pieces[counter_piece(counter)]["at"] == row["region"]


@lru_cache(maxsize=32)
def counters_by_kind(kit: Kit) -> dict[tuple[str, str | None], tuple[str, ...]]:
    """(kind, region) -> the country counters of the kind that belong there, region None: all of the kind."""
    counters: dict[tuple[str, str | None], tuple[str, ...]] = {}
    for counter, row in kit.tables["counters"].items():
        for region in (row["region"], None):
            counters[row["kind"], region] = (*counters.get((row["kind"], region), ()), counter)
    return counters


def open_counters(table: Table, kind: str, region: str | None = None) -> Iterator[str]:
    """The country counters of one kind (strength, pop, slaves) that lie on the map, in the order of the kit."""
    for counter in counters_by_kind(table.kit).get((kind, region), ()):
        if is_on_map(table, counter):
            yield counter


def targets(table: Table, power: str) -> Iterator[tuple[str, str]]:
    """Every (target, region) worth a check, in the order of the kit."""
    others = enemies(table.board, power)
    for region in map_of(table.kit).regions:
        there = table.board.units.get(region, {})
        for other in others:
            if other in there:
                yield other, region
        for counter in open_counters(table, "strength", region):
            yield counter, region
    for tile in RAIDERS:
        markers = laid(table, tile)
        if markers:
            yield tile, markers[1]


def check_target(table: Table, power: str, target: str, region: str) -> None:
    """Raise `Refused` when a power cannot attack a target in a region."""
    check_region(table, region)
    if target in table.board.powers:
        _check_player(table, power, target, region)
    elif target in table.kit.tables["counters"]:
        _check_counter(table, target, region)
    elif target in RAIDERS:
        markers = laid(table, target)
        if not markers or markers[1] != region:
            raise Refused("target_not_there", SECTION, target=target, region=region)
    elif target in table.kit.tables["empires"]:
        raise Refused("takes_no_part", SECTION, power=target)
    else:
        raise Refused("no_target", SECTION, target=target)
    _check_own_units(table, power, target, region)


def _check_player(table: Table, power: str, target: str, region: str) -> None:
    """A player of the other alliance who has a marker or a unit there (option attack_target)."""
    if target == power:
        raise Refused("attacks_itself", SECTION)
    if target not in enemies(table.board, power):
        raise Refused("in_own_alliance", SECTION, power=target)
    if table.board.count(region, target, CONTROL):
        return
    if table.options["attack_target"] == "marker":
        raise Refused("victim_has_no_marker", SECTION, power=target, region=region)
    if not any(table.board.count(region, target, kind) for kind in UNIT_KINDS):
        raise Refused("victim_has_nothing", SECTION, power=target, region=region)


def _check_counter(table: Table, counter: str, region: str) -> None:
    """A neutral counter with a number on it."""
    row = table.kit.tables["counters"][counter]
    if row["region"] != region or not is_on_map(table, counter):
        there = [*open_counters(table, "strength", region)]
        raise Refused("target_not_there", SECTION, there, target=counter, region=region)
    if row["kind"] != "strength":
        verb = "COLONISE" if row["kind"] == "pop" else "ENSLAVE"
        raise Refused("counter_shows_no_number", SECTION, hint=f"{verb} {counter}", counter=counter, kind=row["kind"])


def _check_own_units(table: Table, power: str, target: str, region: str) -> None:
    """The attacker needs an army there, against the Pirates a navy (option attack_needs)."""
    needs = table.options["attack_needs"]
    if needs == "nothing":
        return
    navies = navies_for(table, power, region)
    if target == PIRATES:
        if not navies:
            raise Refused("attack_needs", SECTION, kinds=["navy"], region=region)
    elif not table.board.count(region, power, "army"):
        if needs == "army":
            raise Refused("attack_needs", SECTION, kinds=["army"], region=region)
        if not navies:
            raise Refused("attack_needs", SECTION, kinds=["army", "navy"], region=region)
