"""9: the Diplomacy phase, five segments. On turn 1 only the talks of England with France and the Hapsburgs (7).

`negotiation` holds the talks and the announcements, `packages` the clauses of deals, `peace` the suits for peace,
`church_gifts` gifts to the Church, `wars` the declarations of war. What is shared with *Virgin Queen* is in
`pbem.games.reformation.treaties`, `minor_powers`, `displacement` and `fleets`.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.here_i_stand.diplomacy import church_gifts, negotiation, peace, wars
from pbem.games.reformation import captives
from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def happens(table: Table) -> bool:
    """Every turn has a Diplomacy phase."""
    return True


def _not_on_turn_one(segment: Callable[[Table], Procedure]) -> Callable[[Table], Procedure]:
    """7: the rest of the phase is skipped on turn 1."""

    def procedure(table: Table) -> Procedure:
        if not negotiation.is_limited(table):
            yield from segment(table)

    return procedure


SEGMENTS = (
    ("negotiation", negotiation.negotiation),
    ("confirmation", _not_on_turn_one(negotiation.confirmations)),
    ("peace", _not_on_turn_one(peace.peace_segment)),
    ("ransom", _not_on_turn_one(captives.ransom)),
    ("excommunication", _not_on_turn_one(church_gifts.church_gifts)),
    ("war", _not_on_turn_one(wars.war_segment)),
)
ORDERS: tuple[type[Order], ...] = (
    *negotiation.ORDERS,
    *peace.ORDERS,
    *captives.ORDERS,
    *church_gifts.ORDERS,
    *wars.ORDERS,
)
