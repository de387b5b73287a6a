"""15.25: recovery from looting."""

from __future__ import annotations

from pbem.table.procedure import Procedure, Table


def recovery_phase(table: Table) -> Procedure:
    """15.25, phase B: both lower loot levels."""
    raise NotImplementedError("recovery: T3")
    yield


ORDERS: tuple[type, ...] = ()
