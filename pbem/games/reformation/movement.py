"""13: land movement."""

ORDERS = ()
