"""21: phase 6; betrothals, jilting."""

from __future__ import annotations

from pbem.games.virgin_queen.unwritten import as_far_as_written
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table


def happens(table: Table) -> bool:
    """Every turn has this phase."""
    return True


def weddings(table: Table) -> Procedure:
    """The phase."""
    raise NotImplementedError("the chapter of the courts writes it")
    yield


def check_betrothal(table: Table, man: str, woman: str) -> None:
    """9.1: raise `Refused` unless the two Royals may be betrothed now."""
    # Until the chapter of the courts is written nobody is betrothed.
    raise Refused("no_weddings_yet", "21", man=man, woman=woman)


def betroth(table: Table, man: str, woman: str) -> Procedure:
    """9.1: the two are betrothed; a wedding of Mary is evaluated at once."""
    raise NotImplementedError("the chapter of the courts writes it")
    yield


SEGMENTS = (("weddings", lambda table: as_far_as_written(table, weddings(table))),)
ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
