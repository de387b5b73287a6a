"""22.2, 22.4: a minor power becomes the active ally of a major one, or inactive again.

Who may do it, by which card, and what it costs is each game's own; so are the rules of declaring war, which come in by
the hooks ``why_not_war`` and ``war_begins`` of `rules.Rules`.
"""

from __future__ import annotations

from pbem.games.reformation import fleets
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.displacement import clear_space, displace, nearest, own_forts
from pbem.games.reformation.forces import (
    Force,
    all_of,
    land_units,
    leader_kind,
    leader_power,
    leaders_at,
    move_force,
    put_leader,
)
from pbem.games.reformation.ground import controller, home_spaces, set_control, space_of
from pbem.games.reformation.relations import at_war, end_war, enemies_of, set_minor_ally
from pbem.games.reformation.rules import rules
from pbem.games.reformation.siege import check_sieges
from pbem.table.asking import Ask, No, Yes, choose
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf


def is_active(table: Table, minor: str) -> bool:
    """Whether a minor power is the active ally of a major one."""
    return minor in table.board.state.get("minor_ally", {})


def controlled_by(table: Table, owner: str) -> list[str]:
    """The spaces that an owner controls, in the order of the kit."""
    return [space for space in atlas(table).spaces if controller(table, space) == owner]


# --- 22.2 ---


def activate(table: Table, minor: str, power: str, *, section: str = "22.2") -> Procedure:
    """22.2: activation, steps 1 to 5. Units in the minor power's spaces have left before the markers are changed."""
    table.tell("activated", minor=minor, power=power, section=section)
    set_minor_ally(table, minor, power, section=section)
    yield from declarations(table, minor, power, section=section)
    for space in controlled_by(table, minor):
        set_control(table, space, power, why="activated", section=section)
    for enemy in enemies_of(table.board, minor):
        end_war(table, minor, enemy, why="activated", section=section)
    yield from check_sieges(table)


def declarations(table: Table, minor: str, power: str, *, section: str = "22.2") -> Procedure:
    """22.2 step 2: who is at war with the minor power may declare war on its new ally, free of CP; or it must leave.

    All are asked at once. Who is at war with the ally already stays where it is; who may not declare war is not asked.
    """
    enemies = [one for one in table.board.powers if one != power and at_war(table.board, one, minor)]
    strangers = [one for one in enemies if not at_war(table.board, one, power)]
    free = [one for one in strangers if rules(table).why_not_war(table, one, power) is None]
    answers = {}
    if free:
        answers = yield AllOf(
            [
                Ask(
                    one,
                    "activation_war",
                    [Yes, No],
                    No(),
                    context={"minor": minor, "power": power},
                    section=section,
                )
                for one in free
            ]
        )
    for one in strangers:
        if isinstance(answers.get(one), Yes) and not at_war(table.board, one, power):
            yield from rules(table).war_begins(table, one, power, why="activated", section=section)
        elif not at_war(table.board, one, power):
            yield from _leave(table, one, minor, section)
    yield from check_sieges(table)


def _leave(table: Table, power: str, minor: str, section: str) -> Procedure:
    """The units and leaders of a power leave the spaces that the minor power controls, as 9.3 step 3 says."""
    for space in controlled_by(table, minor):
        if not all_of(table, space, power).is_empty():
            yield from displace(table, power, space, section=section)


# --- 22.4 ---


def deactivate(table: Table, minor: str, *, section: str = "22.4") -> Procedure:
    """22.4: deactivation: markers, the units of others, the minor power's land units, its ships and naval leaders."""
    ally = table.board.state["minor_ally"][minor]
    table.tell("deactivated", minor=minor, power=ally, section=section)
    set_minor_ally(table, minor, None, section=section)
    _end_loans(table, minor, section)
    freed = [space for space in home_spaces(table, minor) if controller(table, space) == ally]
    for space in freed:
        set_control(table, space, minor, why="deactivated", section=section)
    for space in freed:
        yield from clear_space(table, space, minor, section=section, friendly=True, capital=False)
    spaces = atlas(table).spaces
    for place in [one for one in table.board.units if space_of(one) in spaces and land_units(table, one, minor)]:
        yield from go_home(table, minor, place, ally, section)
    _ships_go_home(table, minor, section)
    yield from check_sieges(table)


def _end_loans(table: Table, minor: str, section: str) -> None:
    """Ships of the minor power that were lent act for nobody but itself again."""
    loans = table.board.state.get("loans", {})
    kept = {place: {o: b for o, b in owners.items() if o != minor} for place, owners in loans.items()}
    kept = {place: owners for place, owners in kept.items() if owners}
    table.set("loans", kept or None, why="loan_ends", section=section)
    for leader, row in atlas(table).leaders.items():
        piece = table.board.pieces.get(f"leader:{leader}", {})
        if row["power"] == minor and "power" in piece:
            table.mark(f"leader:{leader}", why="loan_ends", section=section, power=None)


def go_home(table: Table, minor: str, place: str, ally: str, section: str) -> Procedure:
    """Land units go to the nearest own home fort, failing that the nearest own home space; else they are eliminated.

    Among equally near ones its former ally chooses where the game has it so (`Rules.former_ally_chooses`); else nobody
    owns them now, and the first in alphabetical order is taken.
    """
    space = space_of(place)

    def homes(table: Table) -> list[str]:
        own = [home for home in home_spaces(table, minor) if controller(table, home) == minor]
        forts = [home for home in own if home in own_forts(table, minor)]
        return nearest(table, space, forts) or nearest(table, space, own)

    own = [home for home in home_spaces(table, minor) if controller(table, home) == minor]
    forts = [home for home in own if home in own_forts(table, minor)]
    if space in (forts or own):
        return
    where = next(iter(homes(table)), None)
    if ally in table.board.powers and rules(table).former_ally_chooses(table):
        where = yield from choose(
            table, ally, "space", homes, kind="retreat", section=section, origin=space, minor=minor
        )
    units = Force({minor: land_units(table, place, minor)})
    units.leaders = [one for one in leaders_at(table, place) if leader_power(table, one) == minor]
    if where is not None:
        move_force(table, units, place, where, why="deactivated", section=section)
        return
    for kind, number in units.units[minor].items():
        table.remove(minor, kind, place, number, why="deactivated", section=section)


def _ships_go_home(table: Table, minor: str, section: str) -> None:
    """Ships and naval leaders go to the nearest own home port; without one ships are lost, leaders wait a turn."""
    homes = home_spaces(table, minor)
    for place in fleets.fleets_at(table, minor):
        force = fleets.fleet(table, place, minor)
        steps = fleets.port_distances(table, place, minor, through_ports=True)
        ports = [port for port in steps if port in homes and controller(table, port) == minor]
        if place in ports:
            continue
        least = min((steps[port] for port in ports), default=0)
        where = sorted(port for port in ports if steps[port] == least)
        if where:
            fleets.move_fleet(table, minor, force, place, where[0], why="deactivated", section=section)
        else:
            fleets.sink(table, minor, place, force, section)
    chart = atlas(table)
    for leader, row in chart.leaders.items():
        at = table.board.pieces[f"leader:{leader}"]["at"]
        theirs = leader_kind(table, leader) == "naval" and row["power"] == minor
        alone = theirs and (at in chart.spaces or at in chart.sea)
        if alone and (at not in homes or controller(table, at) != minor):
            ports = [port for port in homes if controller(table, port) == minor and chart.ports[port]]
            put_leader(table, leader, ports[0] if ports else fleets.next_box(table), why="deactivated", section=section)


