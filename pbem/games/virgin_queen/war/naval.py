"""16, 17: ships of all kinds in Europe; Don John at sea. The naval move and transport are those of both games."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.reformation import naval
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.battle import ATTACKER, DEFENDER, Battle
from pbem.games.reformation.fleets import fleet, next_box
from pbem.games.reformation.forces import Force
from pbem.games.reformation.naval_actions import Transport
from pbem.table.board import SUPPLY
from pbem.table.orders import Order
from pbem.table.procedure import Table

ships_leave = naval.ships_leave

RACE_BUILT, ARMADA, DRY_DOCK = "race_built", "armada", "dry_dock"


def naval_dice(table: Table, kind: str, place: str) -> int:
    """16.2: the dice of a ship; a galley has fewer in a sea zone of the Atlantic."""
    zone = table.kit.tables["sea_zones"].get(place)
    column = "naval_dice_atlantic" if zone and zone["waters"] == "atlantic" else "naval_dice"
    return table.kit.tables["units"][kind][column]


def blockade_weight(table: Table, kind: str) -> int:
    """15.1: what a ship weighs in a blockade, in halves: corsairs nothing, the Armada half its strength."""
    return table.kit.tables["units"][kind]["blockade_halves"]


def reaction_bonus(table: Table, power: str) -> int:
    """13.2, 13.3, 16.1: what the Telescope adds for who has it."""
    has_it = table.board.state.get("science", {}).get("telescope") == power
    return table.kit.constants["reaction_telescope"] if has_it else 0


def naval_reaction_bonus(table: Table, force: Force, origin: str, place: str) -> int:
    """16.1: big ships in the fleet are slow to react in the Mediterranean."""
    zones = table.kit.tables["sea_zones"]
    here = any(one in zones and zones[one]["waters"] == "mediterranean" for one in (origin, place))
    big = any(force.of_kind(kind) for kind in table.kit.constants["big_ships"])
    return table.kit.constants["reaction_big_ships_mediterranean"] if here and big else 0


def hits_ignored(table: Table, battle: Battle, side: str) -> int:
    """16.2 step 8: of the hits by a 5 one for each race-built galleon costs no ships, in sea zones; none in port.

    By option `race_built_losses` in zones of the Atlantic alone (5.4).
    """
    zone = table.kit.tables["sea_zones"].get(battle.space)
    if zone is None or (table.options["race_built_losses"] == "atlantic_zone" and zone["waters"] != "atlantic"):
        return 0
    built = fleet(table, battle.space, battle.side(side).power).of_kind(RACE_BUILT)
    against = battle.side(DEFENDER if side == ATTACKER else ATTACKER)
    return min(against.bare, built * table.kit.constants["race_built_ignored_fives"])


def lost_ships_go(table: Table, owner: str, kind: str, number: int, place: str) -> Sequence[tuple[int, str]]:
    """16.2 step 10, 17.3, 23.2: where lost ships go: onto the Turn Track, with the Dry Dock back into the force pool.

    An ally's Dry Dock does not serve a minor power. The Armada that loses levels leaves nothing behind; when the last
    is gone its marker waits on the Turn Track.
    """
    holder = table.board.state.get("science", {}).get(DRY_DOCK)
    if holder is not None and holder in (owner, atlas(table).faction_of.get(owner)):
        return [(number, SUPPLY)]
    if kind != ARMADA:
        return [(number, next_box(table))]
    left = table.board.count(place, owner, kind) - number
    waiting = 0 if left else min(number, table.kit.constants["armada_losses_a_level"])
    return [(number - waiting, SUPPLY), (waiting, next_box(table))]


ACTIONS: tuple[type[Order], ...] = (Transport,)
ORDERS: tuple[type[Order], ...] = (*naval.ORDERS,)
