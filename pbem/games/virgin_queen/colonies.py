"""8.4, 17.4: colonies."""

from __future__ import annotations

from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def roll(table: Table) -> Procedure:
    """8.4: two dice for each colony, power by power in impulse order."""
    raise NotImplementedError("the chapter of the seas writes it")
    yield


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
