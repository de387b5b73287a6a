"""18.1: phase 4 of turn 1, the Diet of Worms."""

from __future__ import annotations

from pbem.table.procedure import Procedure, Table


def happens(table: Table) -> bool:
    """Only on turn 1."""
    return table.board.state["turn"] == 1


def diet(table: Table) -> Procedure:
    """18.1: three cards, dice, flips."""
    table.tell("diet", section="18.1")
    return
    yield


SEGMENTS = (("diet", diet),)
ORDERS = ()
