"""12 to 15, 17: actions on land, the hooks of the shared land rules, construction."""

from __future__ import annotations

from pbem.table.orders import Order

ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
