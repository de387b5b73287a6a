"""14.0: foreign aid."""

from __future__ import annotations

USES: tuple[type, ...] = ()
"""To be written (T3): a `activation.Use` or `activation.CardUse`."""
ORDERS: tuple[type, ...] = ()
