"""16, 17: ships of all kinds in Europe; Don John at sea. The naval move and transport are those of both games."""

from __future__ import annotations

from pbem.games.reformation import naval
from pbem.games.reformation.forces import Force
from pbem.games.reformation.naval_actions import Transport
from pbem.table.orders import Order
from pbem.table.procedure import Table

ships_leave = naval.ships_leave


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


ACTIONS: tuple[type[Order], ...] = (Transport,)
ORDERS: tuple[type[Order], ...] = (*naval.ORDERS,)
