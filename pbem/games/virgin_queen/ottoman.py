"""20.1, 23.1: the Suez canal, the Morisco revolt."""

from __future__ import annotations

from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def morisco_winter(table: Table) -> Procedure:
    """20.1: the Moriscos spread unrest, or die before a fortress."""
    raise NotImplementedError("the chapter of the courts writes it")
    yield


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
