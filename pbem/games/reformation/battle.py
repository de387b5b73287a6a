"""14: battle."""

ORDERS = ()
