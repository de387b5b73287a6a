"""12.6: overruns."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.table.procedure import Procedure, Table


def check_overrun(table: Table, space: str, side: str, group: Sequence[str], points_left: int) -> None:
    """12.61: raise `Refused` unless a moving group that has just entered a space may overrun the enemy there."""
    raise NotImplementedError("overrun: T2")


def overrun(table: Table, space: str, side: str, group: Sequence[str], leader: str) -> Procedure:
    """12.6: enemy units in the open are gone, their leaders too (INT-15), an unfortified space is taken. The movement
    point is the caller's matter."""
    raise NotImplementedError("overrun: T2")
    yield
