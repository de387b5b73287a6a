"""7.0: Wallenstein."""

from __future__ import annotations

from pbem.table.procedure import Procedure, Table


def phase(table: Table) -> Procedure:
    """7.2, phase A: he is dismissed, recalled or murdered, or nothing."""
    raise NotImplementedError("Wallenstein: T3")
    yield


ORDERS: tuple[type, ...] = ()
