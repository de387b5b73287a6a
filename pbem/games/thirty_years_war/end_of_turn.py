"""6.0 E to G: the end of a turn, one sealed wait for both sides."""

from __future__ import annotations

from pbem.table.procedure import Procedure, Table

SEGMENTS = ("pay", "looting", "sieges", "revolts", "close")


def end_of_turn(table: Table) -> Procedure:
    """E1 to G, from the segment that the board says to the last one: asks both once for all of it.

    It goes through the segments itself (``table.set("segment", …)``); when it returns the segment is the last one.
    """
    raise NotImplementedError("end of the turn: T3")
    yield


ORDERS: tuple[type, ...] = ()
