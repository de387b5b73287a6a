"""18.4, 18.5: rebellions, capitals of the factions."""

from __future__ import annotations

from typing import Any

from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def rebellion(table: Table, space: str, cp: int, **more: Any) -> Procedure:
    """18.5: a Protestant rebellion with so many CP."""
    raise NotImplementedError("the chapter of religion writes it")
    yield


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
