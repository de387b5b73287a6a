"""9.5, 21, 23.3: Mary and Elizabeth; the cost of war between England and Spain."""

from __future__ import annotations

from pbem.table.orders import Order
from pbem.table.procedure import Table


def war_cost(table: Table) -> int:
    """9.5: the CP that a declaration of war between England and Spain costs now."""
    raise NotImplementedError("the chapter of the courts writes it")


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
