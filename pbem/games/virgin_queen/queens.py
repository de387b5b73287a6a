"""9.5, 21, 23.3: Mary and Elizabeth; the cost of war between England and Spain."""

from __future__ import annotations

from pbem.table.orders import Order
from pbem.table.procedure import Table


def war_cost(table: Table) -> int:
    """9.5: the CP that a declaration of war between England and Spain costs now."""
    constants, state = table.kit.constants, table.board.state
    cost = constants["eng_spa_dow_cost"]
    if state.get("excommunicated"):
        cost += constants["eng_spa_excommunicated"]
    if state.get("mary") == "captured":
        cost += constants["eng_spa_mary_captured"]
    if state.get("mary_executed"):
        cost += constants["eng_spa_mary_executed"]
    return max(constants["eng_spa_dow_least"], cost)


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
