"""23.7: foreign wars."""

from __future__ import annotations

from pbem.table.orders import Order

ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
