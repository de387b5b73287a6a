"""What conditions of standing orders and programs may ask, as a side sees it; the names stand in ``standing.json``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.table.facts import Fact
from pbem.table.procedure import Table
from pbem.table.questions import Question


def conditions(table: Table, side: str, question: Question | None, facts: Sequence[Fact]) -> dict[str, Any]:
    """Name -> value, besides the question's context, the board's values, counters and tracks."""
    return {"vp": table.board.counter("vp")}
