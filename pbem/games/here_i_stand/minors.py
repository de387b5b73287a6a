"""22: minor powers; activation, deactivation, the defeat of Hungary."""

from __future__ import annotations

from pbem.table.procedure import Procedure, Table


def hungary_defeat(table: Table) -> Procedure:
    """22.5: whether Hungary is beaten, after an Ottoman assault or field battle."""
    return
    yield


ORDERS = ()
