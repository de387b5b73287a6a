"""5.1, 8.1, 10: arrivals, default leaders, Don John, leaders off the map."""

from __future__ import annotations

from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def arrive(table: Table) -> Procedure:
    """8.1: leaders of this turn come to their power's card, default leaders by their own rule."""
    raise NotImplementedError("the chapter of war writes it")
    yield


def place(table: Table, power: str) -> Procedure:
    """10: a power places the leaders that lie on its card."""
    raise NotImplementedError("the chapter of war writes it")
    yield


def off_the_map(table: Table) -> Procedure:
    """20.4: the Protestant may take army leaders off the map."""
    raise NotImplementedError("the chapter of war writes it")
    yield


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
