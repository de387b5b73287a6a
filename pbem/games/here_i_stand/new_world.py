"""20: the New World phase, and the riches of the Card Draw phase."""

from __future__ import annotations

from pbem.table.procedure import Procedure, Table


def happens(table: Table) -> bool:
    """Every turn has a New World phase."""
    return True


def riches(table: Table) -> Procedure:
    """20.4: rolls for colonies and conquests; the cards gained are counted in ``cards_extra:<power>``."""
    return
    yield


def voyages(table: Table) -> Procedure:
    """20.2, 20.3: voyages are resolved."""
    return
    yield


SEGMENTS = (("voyages", voyages),)
ORDERS = ()
ACTIONS = ()
