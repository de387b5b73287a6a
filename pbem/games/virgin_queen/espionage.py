"""19: intelligence, operatives, assassination, English Catholic Rebellion, Jesuits."""

from __future__ import annotations

from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def hand_out(table: Table) -> Procedure:
    """8.1: at the start of turn 3 each power gets its espionage markers."""
    raise NotImplementedError("the chapter of the courts writes it")
    yield


def refill_jesuits(table: Table) -> Procedure:
    """8.2: Spain fills its power card with Jesuits."""
    raise NotImplementedError("the chapter of the courts writes it")
    yield


def winter(table: Table) -> Procedure:
    """20.8: neutralized informants and markers of assassination come back."""
    raise NotImplementedError("the chapter of the courts writes it")
    yield


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
