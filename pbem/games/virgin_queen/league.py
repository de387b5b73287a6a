"""20.10: the Catholic League."""

from __future__ import annotations

from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def winter_test(table: Table) -> Procedure:
    """20.10: whether the League forms, and what follows."""
    raise NotImplementedError("the chapter of religion writes it")
    yield


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
