"""21.7: foreign wars. The units are at the place ``foreign_war:<card>``; the card lies in the pile ``table``."""

from __future__ import annotations

from pbem.table.procedure import Table


def takes_new_units(table: Table, power: str) -> str | None:
    """21.7: the place of a foreign war that the power's new land units must fill first, or None."""
    return None


ORDERS = ()
ACTIONS = ()
