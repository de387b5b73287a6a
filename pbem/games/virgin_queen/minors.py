"""24: influence, status, activation and deactivation."""

from __future__ import annotations

from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def evaluate(table: Table, minor: str, leave_out: list[str], declarer: str | None = None) -> Procedure:
    """24.6, 9.4: a minor power's status is evaluated; value: the power that activated it, or None."""
    raise NotImplementedError("the chapter of the courts writes it")
    yield


def reset_influence(table: Table) -> Procedure:
    """20.9: influence of minor powers evaluated this turn goes to its default boxes."""
    raise NotImplementedError("the chapter of the courts writes it")
    yield


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
