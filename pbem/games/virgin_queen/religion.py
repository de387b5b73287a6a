"""18.1 to 18.3, 18.5: religious actions, conversion attempts of both sides, last stand."""

from __future__ import annotations

from typing import Any

from pbem.games.virgin_queen import score
from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def region(table: Table, space: str) -> str | None:
    """2.3: the religious region of a space, or None where religion never turns."""
    return score.region_of(table, space)


def protestant_attempts(table: Table, power: str, region: str, attempts: int, **more: Any) -> Procedure:
    """18.5: so many dice to turn spaces of a region Protestant."""
    raise NotImplementedError("the chapter of religion writes it")
    yield


def catholic_attempts(table: Table, power: str, region: str, attempts: int, **more: Any) -> Procedure:
    """18.5: so many dice to turn spaces of a region Catholic."""
    raise NotImplementedError("the chapter of religion writes it")
    yield


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
