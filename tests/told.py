"""What a player is told, for tests that look at the program from within."""

from __future__ import annotations

from pbem.render.narrative import Teller
from pbem.table.kit import Kit
from pbem.table.orders import Unreadable


def told(error: Unreadable, kit: Kit, language: str = "en") -> tuple[str, list[str]]:
    """Why a line cannot be read, and what would be right."""
    teller = Teller(kit, language)
    return teller.refusal(error.refusal()), teller.hints(error.hints)
