"""10, 23.2: the treasure fleet and its escorts."""

from __future__ import annotations

from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def escorts(table: Table) -> Procedure:
    """10: Spain moves galleons between home ports and the box of escorts."""
    raise NotImplementedError("the chapter of the seas writes it")
    yield


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
