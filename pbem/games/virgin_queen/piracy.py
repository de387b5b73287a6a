"""16.4: piracy in Europe."""

from __future__ import annotations

from pbem.table.orders import Order

ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
