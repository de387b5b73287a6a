"""15: sieges."""

from __future__ import annotations

from pbem.table.procedure import Procedure, Table


def check_sieges(table: Table) -> Procedure:
    """15.3: sieges whose besiegers are no longer more than the besieged are broken."""
    return
    yield


ORDERS = ()
