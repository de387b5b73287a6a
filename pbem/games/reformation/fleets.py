"""Ships at a place: who commands them (loans, 9.2), how they are named, moved and lost; the ports nearest to them.

A *commander* is the major power that ships act for, or an inactive minor power. The state value ``loans``
``{place: {owner: {borrower: number}}}`` says how many squadrons of an owner at a place are lent, and to whom (``{kind:
number}`` where several kinds can be lent); a naval leader that is lent has the borrower as the mark ``power`` of its
piece. Both go where the ships go, by `move_fleet`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import (
    LEADER,
    Force,
    ForceField,
    leader_kind,
    leaders_at,
    naval_owners,
    never_there,
    put_leader,
    without,
)
from pbem.games.reformation.ground import controller
from pbem.games.reformation.relations import at_war, major_of, on_side
from pbem.games.reformation.rules import rules
from pbem.table.orders import AnyName
from pbem.table.procedure import Table, while_unchanged

SQUADRON = "squadron"
"""The one kind of ship of Here I Stand that can be lent (9.2); elsewhere the kit's units say which can (``lent``)."""


# --- who commands what ---


def loans_at(table: Table, place: str) -> Mapping[str, Mapping[str, int]]:
    """What stands in the state of ships lent at a place: owner -> borrower -> number, or number by kind."""
    return table.board.state.get("loans", {}).get(place, {})


def lent_kinds(table: Table) -> list[str]:
    """The kinds of ships that can be lent (9.2)."""
    return [kind for kind, row in table.kit.tables["units"].items() if row.get("lent")] or [SQUADRON]


def lent_at(table: Table, place: str) -> dict[str, dict[str, dict[str, int]]]:
    """The ships lent at a place: owner -> borrower -> kind -> number."""
    return _by_kinds(loans_at(table, place))


def _by_kinds(owners: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, dict[str, int]]]:
    return {
        owner: {one: dict(lent) if isinstance(lent, Mapping) else {SQUADRON: lent} for one, lent in borrowers.items()}
        for owner, borrowers in owners.items()
    }


def commanders(table: Table, place: str, *, with_leaders: bool = False) -> list[str]:
    """Those for whom ships at a place act, in impulse order, inactive minor powers after (9.2, 22.1).

    `with_leaders`: those too of whom a naval leader is there without ships.
    """
    powers: set[str] = set()
    if with_leaders:
        powers.update(_major(table, leader_owner(table, one)) for one in leaders_at(table, place, kind="naval"))
    for owner in naval_owners(table, place):
        lent = lent_at(table, place).get(owner, {})
        powers.update(lent)
        there = sum(table.board.count(place, owner, kind) for kind in atlas(table).naval_kinds)
        if there > sum(sum(kinds.values()) for kinds in lent.values()):
            powers.add(major_of(table.board, owner) or owner)
    return [one for one in atlas(table).owners if one in powers]


def ships(table: Table, place: str, commander: str) -> dict[str, dict[str, int]]:
    """The ships at a place that act for a commander, ``{owner: {kind: number}}``: own, of active minors, lent to it."""
    by_owner: dict[str, dict[str, int]] = {}
    for owner in naval_owners(table, place):
        lent = lent_at(table, place).get(owner, {})
        mine = _major(table, owner) == commander
        kinds = {}
        for kind in atlas(table).naval_kinds:
            number = table.board.count(place, owner, kind) if mine else 0
            of_kind = {one: ships_lent.get(kind, 0) for one, ships_lent in lent.items()}
            number += -sum(of_kind.values()) if mine else of_kind.get(commander, 0)
            if number > 0:
                kinds[kind] = number
        if kinds:
            by_owner[owner] = kinds
    return by_owner


def naval_leaders(table: Table, place: str, commander: str) -> list[str]:
    """The naval leaders at a place that act for a commander."""
    there = leaders_at(table, place, kind="naval")
    return [one for one in there if _major(table, leader_owner(table, one)) == commander]


def leader_owner(table: Table, leader: str) -> str:
    """Whom a naval leader acts for: the mark ``power`` of a loan goes before the kit."""
    return table.board.pieces[LEADER + leader].get("power") or atlas(table).leaders[leader]["power"]


def _major(table: Table, owner: str) -> str:
    return major_of(table.board, owner) or owner


def fleet(table: Table, place: str, commander: str) -> Force:
    """All ships and naval leaders at a place that act for a commander."""
    return Force(ships(table, place, commander), naval_leaders(table, place, commander))


def has_ships(table: Table, place: str, commander: str) -> bool:
    """Whether any ship at a place acts for a commander."""
    return bool(ships(table, place, commander))


def blockade(table: Table, place: str, commander: str) -> int:
    """15.1: what a commander's ships at a place weigh in a blockade; which kinds count, and how much, is the game's."""
    weight = rules(table).blockade_weight
    return sum(
        number * weight(table, kind)
        for kinds in ships(table, place, commander).values()
        for kind, number in kinds.items()
    )


def enemy_fleets(table: Table, place: str, commander: str) -> list[str]:
    """The commanders at a place that are at war with this one."""
    return [other for other in commanders(table, place) if at_war(table.board, commander, other)]


def friendly_ships(table: Table, place: str, power: str) -> bool:
    """12.1, 9.2: whether a ship at a place acts for a power or for an ally of it; a lent one acts for its borrower."""
    return any(on_side(table.board, power, other) for other in commanders(table, place))


def fleets_at(table: Table, commander: str) -> list[str]:
    """The places on the map where a commander has ships, zones first, in the order of the kit."""
    return [place for place in _places_of_ships(table) if has_ships(table, place, commander)]


@while_unchanged
def _places_of_ships(table: Table) -> tuple[str, ...]:
    chart, units = atlas(table), table.board.units
    places = [place for place in (*chart.zones, *chart.spaces) if place in units]
    return tuple(place for place in places if naval_owners(table, place))


def best_naval(table: Table, leaders: Sequence[str], column: str = "battle") -> int:
    """The best rating among naval leaders (16.1, 16.2, 16.4); 0 without any."""
    return max((atlas(table).leaders[leader][column] or 0 for leader in leaders), default=0)


def of_fleet(table: Table, place: str, commander: str, force: Force) -> Force:
    """What of a force is at a place and acts for the commander."""
    there = fleet(table, place, commander)
    units = {}
    for owner, kinds in force.units.items():
        kept = {kind: min(number, there.units.get(owner, {}).get(kind, 0)) for kind, number in kinds.items()}
        kept = {kind: number for kind, number in kept.items() if number}
        if kept:
            units[owner] = kept
    return Force(units, [leader for leader in force.leaders if leader in there.leaders])


def together(a: Force, b: Force) -> Force:
    """Two forces as one."""
    units = {owner: dict(kinds) for owner, kinds in a.units.items()}
    for owner, kinds in b.units.items():
        of = units.setdefault(owner, {})
        for kind, number in kinds.items():
            of[kind] = of.get(kind, 0) + number
    return Force(units, a.leaders + b.leaders)


# --- moving ---


def move_fleet(table: Table, commander: str, force: Force, origin: str, place: str, **more: Any) -> Force:
    """Move what of a force acts for the commander from a place to another; loans go with lent ships. Returns it.

    Off the map (supply, Turn Track) a loan ends, of ships and of leaders.
    """
    going = of_fleet(table, origin, commander, force)
    for owner, kinds in going.units.items():
        lent = _major(table, owner) != commander
        for kind, number in kinds.items():
            table.move(owner, kind, number, origin, place, **more)
            if lent:
                _shift_loan(table, origin, place, owner, commander, {kind: number})
    on_map = place in atlas(table).sea or place in atlas(table).spaces
    for leader in going.leaders:
        if on_map:
            put_leader(table, leader, place, **more)
        else:
            table.put(LEADER + leader, place, **more)
    return going


Loans = dict[str, dict[str, dict[str, dict[str, int]]]]
"""Place -> owner -> borrower -> kind -> number."""


def _all_loans(table: Table) -> Loans:
    return {place: _by_kinds(owners) for place, owners in table.board.state.get("loans", {}).items()}


def _shift_loan(table: Table, origin: str, place: str, owner: str, borrower: str, kinds: Mapping[str, int]) -> None:
    loans = _all_loans(table)
    for kind, number in kinds.items():
        loans[origin][owner][borrower][kind] -= number
        if place in atlas(table).sea or place in atlas(table).spaces:
            of = loans.setdefault(place, {}).setdefault(owner, {}).setdefault(borrower, {})
            of[kind] = of.get(kind, 0) + number
    _set_loans(table, loans)


def _set_loans(table: Table, loans: Loans, **more: Any) -> None:
    """Keep what is lent; where one kind alone can be lent its number stands for it."""
    one_kind = lent_kinds(table) == [SQUADRON]
    kept: dict[str, dict[str, dict[str, Any]]] = {}
    for place in sorted(loans):
        for owner in sorted(loans[place]):
            lent: dict[str, Any] = {}
            for borrower, kinds in sorted(loans[place][owner].items()):
                numbers = {kind: number for kind, number in sorted(kinds.items()) if number > 0}
                if numbers:
                    lent[borrower] = numbers[SQUADRON] if one_kind else numbers
            if lent:
                kept.setdefault(place, {})[owner] = lent
    table.set("loans", kept or None, **more)


def next_box(table: Table) -> str:
    """16.2 step 10, 17.2: the box of the Turn Track where lost ships and naval leaders wait."""
    return f"turn_track:{table.board.state['turn'] + table.kit.constants['naval_units_return_turns']}"


def sink(table: Table, commander: str, place: str, force: Force, section: str = "16.2") -> Force:
    """16.2 step 10, 17.2: ships are lost and wait on the Turn Track; they cannot be built again this turn.

    Some go elsewhere, as the game says (`Rules.lost_ships_go`). Returns what is lost.
    """
    lost, box = of_fleet(table, place, commander, force), next_box(table)
    for owner, kinds in lost.units.items():
        for kind, number in kinds.items():
            for part, where in rules(table).lost_ships_go(table, owner, kind, number, place) or [(number, box)]:
                move_fleet(table, commander, Force({owner: {kind: part}}), place, where, why="loss", section=section)
    move_fleet(table, commander, Force({}, lost.leaders), place, box, why="loss", section=section)
    rules(table).after_ships_lost(table, place)
    return lost


def lose_port(table: Table, power: str, space: str, section: str = "15.1") -> None:
    """15.1 step 10: ships and naval leaders of others in a captured port go to the next turn's box."""
    for commander in commanders(table, space):
        if commander != power:
            sink(table, commander, space, fleet(table, space, commander), section)
    for leader in leaders_at(table, space, kind="naval"):
        if _major(table, leader_owner(table, leader)) != power:
            table.put(LEADER + leader, next_box(table), why="loss", section=section)


# --- places at sea ---


def positions_near(table: Table, place: str) -> list[str]:
    """16.1: the positions adjacent to a zone or a port: zones first, then ports that are in play."""
    chart = atlas(table)
    if place in chart.sea:
        ports = [port for port in chart.ports_on[place] if controller(table, port) is not None]
        return [*chart.sea[place], *(port for port in ports if port not in chart.inland_ports)]
    return [] if place in chart.inland_ports else list(chart.ports.get(place, ()))


def is_own_port(table: Table, space: str, commander: str) -> bool:
    """Whether a space is a port under a commander's own control (not an ally's)."""
    holder = controller(table, space)
    return holder is not None and bool(atlas(table).ports[space]) and _major(table, holder) == commander


def barred_zone(table: Table, owner: str) -> str | None:
    """16.1: the sea zone that an owner's ships and leaders never enter, whoever commands them; None where none is."""
    row = table.kit.tables["minors"].get(owner)
    return row.get("ships_barred") if row else None


def barred_from(table: Table, force: Force, place: str, *, by_move: bool = False) -> Force:
    """What of a force may never be at a place: a zone that its owner never enters, what the game says besides."""
    chart = atlas(table)
    never = never_there(table, force, place, by_move=by_move)
    units = {
        owner: dict(kinds)
        for owner, kinds in force.units.items()
        if barred_zone(table, owner) == place or owner in never.units
    }
    leaders = [
        one for one in force.leaders if one in never.leaders or barred_zone(table, chart.leaders[one]["power"]) == place
    ]
    return Force(units, leaders)


def port_distances(table: Table, start: str, owner: str, *, through_ports: bool = False) -> dict[str, int]:
    """How far the ports are from a place by sea, each zone counted as a space (9.2); a barred zone is not crossed."""
    chart, barred = atlas(table), barred_zone(table, owner)
    reached = {start: 0}
    edge = [start]
    while edge:
        following = []
        for place in edge:
            if place in chart.spaces and place != start and not through_ports:
                continue
            for other in positions_near(table, place):
                if other not in reached and other != barred:
                    reached[other] = reached[place] + 1
                    following.append(other)
        edge = following
    return {place: steps for place, steps in reached.items() if place in chart.spaces}


def nearest_ports(table: Table, start: str, commander: str, owner: str, *, through_ports: bool = False) -> list[str]:
    """The nearest ports under a commander's own control that take the owner's ships in, in the order of the kit; the
    place itself if it is one."""
    steps = port_distances(table, start, owner, through_ports=through_ports)
    own_ports = [
        port
        for port in atlas(table).spaces
        if port in steps
        and is_own_port(table, port, commander)
        and (port == start or rules(table).shelters(table, owner, port))
    ]
    least = min((steps[port] for port in own_ports), default=0)
    return [port for port in own_ports if steps[port] == least]


# --- loans (9.2) ---


def loan_ports(table: Table, place: str, borrower: str, owner: str) -> list[str]:
    """9.2: where squadrons lent at a place go: the borrower's nearest ports, by a way of sea zones alone; none: []."""
    return nearest_ports(table, place, borrower, owner)


def lend(
    table: Table, borrower: str, place: str, port: str, force: Force, *, section: str = "9.2", **more: Any
) -> None:
    """9.2: squadrons (and naval leaders with them) are lent and go to a port of the borrower."""
    loans = _all_loans(table)
    for owner, kinds in force.units.items():
        of = loans.setdefault(port, {}).setdefault(owner, {}).setdefault(borrower, {})
        for kind, number in kinds.items():
            table.move(owner, kind, number, place, port, why="loan", section=section, **more)
            of[kind] = of.get(kind, 0) + number
    for leader in force.leaders:
        put_leader(table, leader, port, why="loan", section=section)
        table.mark(LEADER + leader, power=borrower)
    _set_loans(table, loans, why="loan", section=section)


def end_loans(table: Table, lender: str | None = None, borrower: str | None = None, *, section: str = "19.1") -> None:
    """19.1: the loan markers are removed, all of them or those of a lender (with its minors) to a borrower."""
    kept: Loans = {}
    for place, owners in _all_loans(table).items():
        for owner, borrowers in owners.items():
            for one, kinds in borrowers.items():
                if not (lender in (None, _major(table, owner)) and borrower in (None, one)):
                    kept.setdefault(place, {}).setdefault(owner, {})[one] = kinds
    _set_loans(table, kept, why="loan_ends", section=section)
    for leader, row in atlas(table).leaders.items():
        piece = table.board.pieces.get(LEADER + leader, {})
        if leader_kind(table, leader) != "naval" or "power" not in piece:
            continue
        if lender in (None, _major(table, row["power"])) and borrower in (None, piece["power"]):
            table.mark(LEADER + leader, why="loan_ends", section=section, power=None)


# --- how orders name places and fleets ---


class Position(AnyName):
    """A sea zone or a space, by its name in any language."""

    def __init__(self, **more: Any):
        super().__init__("sea", "space", **more)


class FleetField(ForceField):
    """``ALL``, or ``2 squadron with 1 genoa squadron with Andrea Doria``: no commas, which part the items of a list."""

    form = "ALL, or how many ships of each kind, and leaders by name, joined by WITH"

    def write(self, value: Mapping[str, Any]) -> str:
        return super().write(value).replace(", ", " with ")


def named_fleet(table: Table, commander: str, place: str, value: Mapping[str, Any]) -> Force:
    """The ships and leaders that an order names; ALL stands for everything the commander has at the place."""
    if value.get("all"):
        return fleet(table, place, commander)
    units = {(commander if owner == "own" else owner): dict(kinds) for owner, kinds in value["units"].items()}
    return Force(units, list(value["leaders"]))


def lacks(table: Table, commander: str, place: str, force: Force) -> bool:
    """Whether a force names ships or leaders that the commander has not at the place."""
    there = fleet(table, place, commander)
    return bool(without(force, there).size()) or any(leader not in there.leaders for leader in force.leaders)
