"""12.0: battle in the field."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.table.procedure import Procedure, Table

WON, LOST = "won", "lost"


def field_battle(
    table: Table, space: str, attacker: str, *, active: Sequence[str], leader: str, came_from: str | None
) -> Procedure:
    """12: the active pieces of a side fight all enemy units in the open in a space; `leader` leads, `came_from` is
    where a beaten attacker goes. Value: `WON` or `LOST` for the attacker."""
    raise NotImplementedError("field battle: T2")
    yield


ORDERS: tuple[type, ...] = ()
