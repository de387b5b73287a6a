"""What many cards do: what those of both games share (`reformation.card_help`), debaters, bonus VP."""

from __future__ import annotations

from typing import Any

from pbem.games.reformation.card_help import draw, has_units, number, occupied, unrest_on, within
from pbem.table.procedure import Table

__all__ = [
    "bonus_vp",
    "commit",
    "debater",
    "draw",
    "has_units",
    "number",
    "occupied",
    "uncommitted",
    "unrest_on",
    "within",
]


def debater(table: Table, id: str) -> dict[str, Any]:
    """The piece of a debater."""
    return table.board.pieces[f"debater:{id}"]


def uncommitted(table: Table, id: str) -> bool:
    """Whether a debater is in play and uncommitted (18.2)."""
    piece = debater(table, id)
    zones = (*table.kit.tables["languages"], "any")
    return piece["at"] in zones and not piece["committed"]


def commit(table: Table, id: str, **more: Any) -> None:
    """Commit a debater (18.2)."""
    table.mark(f"debater:{id}", committed=True, **more)


def bonus_vp(table: Table, power: str, points: int, **more: Any) -> None:
    """Bonus VP markers for a power (23.2)."""
    table.count("bonus_vp", power, points, **more)
