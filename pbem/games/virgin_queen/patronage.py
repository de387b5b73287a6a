"""22: phase 7; artists and scientists, science bonuses."""

from __future__ import annotations

from pbem.games.virgin_queen.unwritten import as_far_as_written
from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def happens(table: Table) -> bool:
    """Every turn has this phase."""
    return True


def evaluations(table: Table) -> Procedure:
    """The phase."""
    raise NotImplementedError("the chapter of the courts writes it")
    yield


def pick_bonus(table: Table, power: str, section: str = "22.2") -> Procedure:
    """22.2, 11: a power takes a science bonus that is useful to it and nobody has."""
    raise NotImplementedError("the chapter of the courts writes it")
    yield


SEGMENTS = (("evaluations", lambda table: as_far_as_written(table, evaluations(table))),)
ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
