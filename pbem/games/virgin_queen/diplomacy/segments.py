"""9: the Diplomacy phase: negotiation, announcements, ransom, war. It is whole on every turn."""

from __future__ import annotations

from pbem.games.reformation import captives
from pbem.games.virgin_queen.diplomacy import negotiation, wars
from pbem.table.orders import Order
from pbem.table.procedure import Table


def happens(table: Table) -> bool:
    """Every turn has a Diplomacy phase."""
    return True


SEGMENTS = (
    ("negotiation", negotiation.negotiation),
    ("announcements", negotiation.confirmations),
    ("ransom", captives.ransom),
    ("war", wars.war_segment),
)
ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (*negotiation.ORDERS, *captives.ORDERS, *wars.ORDERS)
