"""18.5: theological debates."""

ORDERS = ()
ACTIONS = ()
