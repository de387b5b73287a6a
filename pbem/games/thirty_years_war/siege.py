"""13.0: sieges."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.thirty_years_war.control import Trigger
from pbem.table.procedure import Procedure, Table

SIEGE = "siege:"


def siege_option(
    table: Table, space: str, side: str, leader: str, active: Sequence[str], *, fought: bool, moved: bool
) -> Procedure:
    """13.12, 13.2: at the end of an activation: a siege marker, an assault, a sortie or nothing."""
    raise NotImplementedError("siege: T2")
    yield


def is_besieged(table: Table, piece: str) -> bool:
    """INT-24: whether a piece is inside a fortress under a siege marker."""
    raise NotImplementedError("siege: T2")


def siege_phase(table: Table) -> Procedure:
    """13.21, phase F1: sieges go on."""
    raise NotImplementedError("siege phase: T2")
    yield


TRIGGERS: Sequence[Trigger] = ()
ORDERS: tuple[type, ...] = ()
USES: tuple[type, ...] = ()
