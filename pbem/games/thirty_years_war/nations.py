"""17.0: national rules."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.thirty_years_war.control import Trigger
from pbem.table.procedure import Table


def check_entry(table: Table, piece: str, origin: str, space: str) -> None:
    """17: raise `Refused` where a piece may not move from a space to the next: the zone of the Spaniards, the limits of
    the Hungarians (INT-69), the Cardinal Infant's army, France for Catholics (11.32)."""
    raise NotImplementedError("national limits: T4")


def stacking_fault(table: Table, group: Sequence[str]) -> str | None:
    """10.2: why these pieces of one side may not stay stacked (a code of the refusals), or None: Imperial and Bavarian
    (17.A.2), Wallenstein and Tilly (7.24), Swedes and French (E 17.F.4)."""
    raise NotImplementedError("stacking of nations: T4")


def bases(table: Table, nation: str) -> list[str]:
    """17: the spaces that are bases of a nation now."""
    raise NotImplementedError("bases: T4")


TRIGGERS: Sequence[Trigger] = ()
ORDERS: tuple[type, ...] = ()
USES: tuple[type, ...] = ()
