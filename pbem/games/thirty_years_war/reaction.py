"""11.23: the other side's units go inside a fortress of theirs, all or none, when enemies enter its space."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.thirty_years_war.control import Trigger
from pbem.table.procedure import Procedure, Table


def fort_reaction(table: Table, space: str, mover: str) -> Procedure:
    """11.23, C 11.d: ask the opponent of `mover` whether its pieces outside go in. Value: whether they did."""
    raise NotImplementedError("fort reaction: T1")
    yield


TRIGGERS: Sequence[Trigger] = ()
ORDERS: tuple[type, ...] = ()
