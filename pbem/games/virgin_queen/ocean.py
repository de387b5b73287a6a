"""16, 17.4, 20.4: the world map: captains, patrols, navigation, circumnavigation, piracy there."""

from __future__ import annotations

from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def arrive(table: Table) -> Procedure:
    """8.1: the sea captains of this turn come into the pool."""
    raise NotImplementedError("the chapter of the seas writes it")
    yield


def refill_fortresses(table: Table) -> Procedure:
    """8.2: Spain fills its power card with fortress markers."""
    raise NotImplementedError("the chapter of the seas writes it")
    yield


def captains_to_europe(table: Table) -> Procedure:
    """10: England puts sea captains of combat 1 on its naval units."""
    raise NotImplementedError("the chapter of the seas writes it")
    yield


def captains_home(table: Table) -> Procedure:
    """20.4: sea captains in winter."""
    raise NotImplementedError("the chapter of the seas writes it")
    yield


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
