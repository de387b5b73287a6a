"""What all administrative lines are (`pbem.campaign.commands`)."""

from __future__ import annotations

from typing import ClassVar

from pbem.table.orders import Order


class Command(Order):
    """Base of the administrative lines."""

    is_free: ClassVar[bool] = False
    """Whether every word of what its sender fills in counts."""
