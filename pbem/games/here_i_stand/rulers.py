"""3.3: rulers."""

from __future__ import annotations

from typing import Any

from pbem.table.procedure import Table


def ruler(table: Table, power: str) -> Any:
    """The ruler of a power, as the kit describes him."""
    return table.kit.tables["rulers"][table.board.state["ruler"][power]]


def admin_rating(table: Table, power: str) -> int:
    """11: how many cards the ruler may keep."""
    return ruler(table, power)["admin_rating"]
