"""11.16: foraging: an army of some size loots what it passes, or loses steps."""

from __future__ import annotations

from pbem.table.procedure import Procedure, Table


def forage(table: Table) -> Procedure:
    """11.16, 11.161: the army of `movement.march` satisfies its need, once in an activation.

    `battle.field_battle` runs it after the losses and before the winner is known (11.162: who wins and then starves
    has lost); `movement.act` runs it where no battle was. Does nothing without a march, and the second time.
    """
    raise NotImplementedError("forage: T1")
    yield
