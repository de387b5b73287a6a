"""Colonising and enslaving: "one of the two, once a round"."""

from __future__ import annotations

from pbem.games.struggle_of_empires.map import lay_marker, map_of, markers_left
from pbem.games.struggle_of_empires.money import check_population
from pbem.games.struggle_of_empires.targets import counter_piece, is_on_map, open_counters
from pbem.games.struggle_of_empires.tiles import REMOVED
from pbem.table.orders import Refused
from pbem.table.procedure import Table

SECTION = "2, actions"
_COST = {"pop": "colonise_population", "slaves": "enslave_population"}


def find_counter(table: Table, kind: str, where: str) -> str:
    """The counter that is meant: named itself, or the first of its kind in a region. Raises `Refused`."""
    there = list(open_counters(table, kind, where if where in map_of(table.kit).is_sea else None))
    if where in map_of(table.kit).is_sea:
        if there:
            return there[0]
        others = list(open_counters(table, kind))
        raise Refused("no_counter_shows", SECTION, others, region=where, kind=kind)
    if where in there:
        return where
    if where not in table.kit.tables["counters"] or not is_on_map(table, where):
        raise Refused("counter_not_on_map", SECTION, there, counter=where)
    row = table.kit.tables["counters"][where]
    if row["kind"] == "strength":
        raise Refused("counter_shows_number", SECTION, hint=f"ATTACK {where} IN {row['region']}", counter=where)
    verb = "COLONISE" if row["kind"] == "pop" else "ENSLAVE"
    raise Refused("counter_shows_other", SECTION, hint=f"{verb} {where}", counter=where, shows=row["kind"], kind=kind)


def check(table: Table, power: str, kind: str, where: str) -> None:
    """Raise `Refused` when a power cannot colonise (``pop``) or enslave (``slaves``) there now."""
    constants = table.kit.constants
    if table.board.state.get("settled", 0) >= constants["settlements_a_round"]:
        raise Refused("settled_already", SECTION)
    find_counter(table, kind, where)
    if kind == "slaves":
        coast = constants["enslave_navy_region"]
        if not table.board.count(coast, power, "navy"):
            raise Refused("no_navy_to_enslave", SECTION, region=coast)
    check_population(table, power, constants[_COST[kind]], section=SECTION)
    if not markers_left(table, power):
        raise Refused("no_marker_left", SECTION)


def settle(table: Table, power: str, kind: str, where: str) -> None:
    """A counter leaves the game and a control marker takes its place; colonising costs 1 population."""
    counter = find_counter(table, kind, where)
    region = table.kit.tables["counters"][counter]["region"]
    what = "colonised" if kind == "pop" else "enslaved"
    table.tell(what, power=power, counter=counter, region=region, section=SECTION)
    table.count("population", power, -table.kit.constants[_COST[kind]], why=what, section=SECTION)
    table.put(counter_piece(counter), REMOVED, why=what, section=SECTION)
    lay_marker(table, power, region, why=what, section=SECTION)
    table.set("settled", table.board.state.get("settled", 0) + 1)
