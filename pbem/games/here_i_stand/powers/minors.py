"""22: minor powers: which cards activate and deactivate them for whom, and the defeat of Hungary-Bohemia.

The procedures of 22.2 and 22.4 are in `reformation.minor_powers`; interventions are in `wars`.
"""

from __future__ import annotations

from pbem.games.here_i_stand.diplomacy import wars
from pbem.games.reformation.displacement import displace
from pbem.games.reformation.forces import all_of, land_units, own_owners
from pbem.games.reformation.ground import controller, home_spaces, inside, kind_of, set_control
from pbem.games.reformation.minor_powers import activate, deactivate, is_active
from pbem.games.reformation.relations import at_war
from pbem.table.board import SUPPLY
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

OTTOMAN, HAPSBURG, HUNGARY = "ottoman", "hapsburg", "hungary"
DEFEATED = "hungary_defeated"
"""State: true once Hungary-Bohemia is beaten; in the later set-ups from the start."""


# --- cards ---


def why_not_activate(table: Table, power: str, minor: str, *, also_active: bool = False) -> Refused | None:
    """22.1, 22.2: why a power may not activate a minor power by a card; None when it may.

    `also_active`: Andrea Doria alone takes a minor power from another ally.
    """
    row = table.kit.tables["minors"][minor]
    if power not in row["activated_by"]:
        return Refused("cannot_activate", power=power, minor=minor)
    ally = table.board.state.get("minor_ally", {}).get(minor)
    if ally == power:
        return Refused("minor_yours_already", minor=minor)
    if ally and not also_active:
        return Refused("minor_active_already", minor=minor)
    return None


def why_not_deactivate(table: Table, power: str, minor: str, card: str) -> Refused | None:
    """22.4: why a power may not deactivate a minor power by a card (the name of its function); None when it may."""
    if not table.kit.tables["minors"][minor]["deactivated"]:
        return Refused("never_deactivated", minor=minor)
    if power not in table.kit.constants["deactivated_by"][card].get(minor, ()):
        return Refused("cannot_deactivate", power=power, minor=minor)
    if not is_active(table, minor):
        return Refused("minor_not_active", minor=minor)
    return None


# --- 22.5 ---


def is_defeated(table: Table) -> bool:
    """Whether Hungary-Bohemia was beaten before; then nothing more comes of it."""
    first_turn = table.kit.scenarios[table.board.state["scenario"]]["first_turn"]
    return bool(table.board.state.get(DEFEATED)) or first_turn > 1


def keys_lost(table: Table) -> int:
    """How many of its home keys the Ottoman controls."""
    return sum(
        1
        for space in home_spaces(table, HUNGARY)
        if kind_of(table, space) == "key" and controller(table, space) == OTTOMAN
    )


def regulars_left(table: Table) -> int:
    """How many Hungarian regulars are on the map."""
    return sum(
        number
        for place, owner, kind, number in table.board.units_everywhere()
        if owner == HUNGARY and kind == "regular" and place != SUPPLY
    )


def is_beaten(table: Table) -> bool:
    """22.5: as the Hapsburg's ally with two home keys lost; alone with one key lost and few regulars left."""
    constants = table.kit.constants
    if is_active(table, HUNGARY):
        return keys_lost(table) >= constants["hungary_keys_as_ally"]
    few = regulars_left(table) <= constants["hungary_regulars_left"]
    return few and keys_lost(table) >= constants["hungary_keys_alone"]


def hungary_defeat(table: Table) -> Procedure:
    """22.5: at the end of an assault or a field battle: whether Hungary-Bohemia is beaten, and what follows."""
    if is_defeated(table) or not is_beaten(table):
        return
    table.set(DEFEATED, True, section="22.5")
    table.tell("hungary_defeated", power=OTTOMAN, section="22.5")
    if not at_war(table.board, OTTOMAN, HAPSBURG):
        yield from wars.begin_war(table, OTTOMAN, HAPSBURG, why="hungary", section="22.5")
    if not is_active(table, HUNGARY):
        yield from activate(table, HUNGARY, HAPSBURG, section="22.5")
    for space in home_spaces(table, HUNGARY):
        ottomans = any(own_owners(table, place, OTTOMAN) for place in (space, inside(space)))
        # A key that is Ottoman already may be under siege by others, who are not concerned.
        if ottomans and controller(table, space) != OTTOMAN:
            yield from _falls(table, space)
    table.count("war_winner_vp", OTTOMAN, table.kit.constants["hungary_defeat_vp"], why="hungary", section="22.5")


def _falls(table: Table, space: str) -> Procedure:
    """A Hungarian home space with Ottoman land units is Ottoman; besieged Hungarians die, others within leave."""
    within = inside(space)
    for kind, number in land_units(table, within, HUNGARY).items():
        table.remove(HUNGARY, kind, within, number, why="hungary", section="22.5")
    set_control(table, space, OTTOMAN, why="hungary", section="22.5")
    for power in table.board.powers:
        if power != OTTOMAN and not all_of(table, within, power).is_empty():
            yield from displace(table, power, within, section="22.5")
    if f"siege:{space}" in table.board.state:
        table.set(f"siege:{space}", None, why="siege_lifted", section="22.5")


__all__ = [
    "activate", "deactivate", "hungary_defeat", "is_active", "is_beaten", "is_defeated", "why_not_activate",
    "why_not_deactivate",
]
ORDERS = ()
