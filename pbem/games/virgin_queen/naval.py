"""16, 17: ships of all kinds in Europe; building them; Don John at sea."""

from __future__ import annotations

from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def don_john_ashore(table: Table) -> Procedure:
    """20.4: Don John may become an army leader and go to a Spanish capital."""
    raise NotImplementedError("the chapter of naval war writes it")
    yield


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
