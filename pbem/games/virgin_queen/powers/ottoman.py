"""20.1, 23.1: the Suez canal, the Morisco revolt.

State: ``suez`` true once dug, ``suez_failures`` number. The Morisco unit is Ottoman, of its own owner ``moriscos``.
"""

from __future__ import annotations

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.card_help import occupied
from pbem.games.reformation.forces import land_units
from pbem.games.reformation.ground import in_unrest, set_unrest, siege_of, space_of, steps_from
from pbem.games.virgin_queen.powers.majors import OTTOMAN
from pbem.games.virgin_queen.victory import score
from pbem.table.asking import choose
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table

MORISCOS = "moriscos"


# --- 23.1: the Suez canal ---


def why_no_suez(table: Table) -> Refused | None:
    """23.1: why the canal cannot be tried for, or None: it is dug once."""
    if table.board.state.get("suez"):
        return Refused("canal_is_dug", "23.1")
    return None


def try_suez(table: Table, section: str = "23.1") -> bool:
    """23.1: a die, one more for each try that failed, more with Excavation; the canal is dug at 6: VP, a card more in
    each deal to come, expeditions of full strength. Value: whether it is dug."""
    constants, state = table.kit.constants, table.board.state
    failures = state.get("suez_failures", 0)
    excavation = constants["suez_excavation"] if state.get("science", {}).get("excavation") == OTTOMAN else 0
    sources = {name: number for name, number in (("failures", failures), ("excavation", excavation)) if number}
    die = sum(table.roll("suez", OTTOMAN, 1, sources=sources, section=section))
    dug = die + failures + excavation >= constants["suez_roll"]
    table.tell("suez", power=OTTOMAN, total=die + failures + excavation, dug=dug, section=section)
    if dug:
        table.set("suez", True, section=section)
        score.award(table, OTTOMAN, "suez", constants["suez_vp"], section=section)
    else:
        table.set("suez_failures", failures + 1, section=section)
    return dug


# --- 20.1: the Moriscos ---


def morisco_places(table: Table) -> list[str]:
    """Where the Morisco unit stands, one place or none."""
    spaces = atlas(table).spaces
    return [
        place
        for place in sorted(table.board.units)
        if space_of(place) in spaces and land_units(table, place, MORISCOS)
    ]


def restless(table: Table, centre: str) -> list[str]:
    """20.1: the unoccupied spaces near the unit that are not in unrest yet (option `morisco_distance`, GB-13)."""
    spaces = atlas(table).spaces
    steps = steps_from(table, centre, lambda place: place in spaces)
    most = table.kit.constants["morisco_unrest_distance"] if table.options["morisco_distance"] == "two" else 1
    return [
        space
        for space in spaces
        if steps.get(space, most + 1) <= most and not in_unrest(table, space) and not occupied(table, space)
    ]


def morisco_winter(table: Table) -> Procedure:
    """20.1, 23.1: the Morisco unit dies if it besieges a fortified space; else the Ottoman puts unrest on two
    unoccupied spaces near it, on fewer where there are not two."""
    for place in morisco_places(table):
        space = space_of(place)
        if place == space and siege_of(table, space) and OTTOMAN in table.board.state[f"siege:{space}"]["by"]:
            table.tell("moriscos_die", power=OTTOMAN, space=space, section="23.1")
            for kind, number in land_units(table, place, MORISCOS).items():
                table.remove(MORISCOS, kind, place, number, why="winter", section="23.1")
            return
        if OTTOMAN not in table.board.powers:
            return
        for left in range(table.kit.constants["morisco_unrest"], 0, -1):
            chosen = yield from choose(
                table,
                OTTOMAN,
                "space",
                lambda t: [s for where in morisco_places(t) for s in restless(t, space_of(where))],
                kind="winter",
                section="20.1",
                action="morisco_unrest",
                left=left,
            )
            if chosen is None:
                return
            set_unrest(table, chosen, True, why="morisco", section="20.1")


__all__ = ["ACTIONS", "MORISCOS", "ORDERS", "morisco_winter", "try_suez", "why_no_suez"]
ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
