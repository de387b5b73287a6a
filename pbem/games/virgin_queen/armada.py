"""16, 23.2: the Armada: so many units of the kind ``armada`` as its strength, always together."""

from __future__ import annotations

from pbem.games.reformation.atlas import atlas
from pbem.games.virgin_queen.powers import SPAIN
from pbem.table.orders import Order
from pbem.table.procedure import Table

ARMADA = "armada"


def place(table: Table) -> str | None:
    """Where the Armada is: a sea zone or a port; None while it is not on the map."""
    chart = atlas(table)
    return next((one for one in (*chart.zones, *chart.spaces) if table.board.count(one, SPAIN, ARMADA)), None)


def strength(table: Table) -> int:
    """2, 4, 6 or 8; 0 while it is not on the map."""
    at = place(table)
    return table.board.count(at, SPAIN, ARMADA) if at else 0


def levels(table: Table) -> int:
    """23.2: how many levels it can lose."""
    return strength(table) // table.kit.constants["armada_losses_a_level"]


def degrade(table: Table, number: int, why: str, section: str) -> None:
    """23.2: the Armada loses levels; without any its marker waits for the next turn, and may be built again then."""
    at = place(table)
    if at is None:
        return
    table.remove(SPAIN, ARMADA, at, min(strength(table), number * table.kit.constants["armada_losses_a_level"]))


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
