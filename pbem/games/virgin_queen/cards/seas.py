"""Cards of the seas: 15."""

from __future__ import annotations

from pbem.games.virgin_queen import fleet
from pbem.games.virgin_queen.cards import event
from pbem.table.asking import Moment
from pbem.table.procedure import Procedure, Table


@event("treasure_fleet")
def treasure_fleet(table: Table, power: str, moment: Moment) -> Procedure:
    """15 (mandatory): the Spanish treasure fleet sails (23.2)."""
    yield from fleet.treasure_fleet(table)
