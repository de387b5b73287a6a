"""The board in plain text, for the text part of mails."""

from typing import Any

from pbem.render.board_svg import picture_of
from pbem.render.narrative import Teller
from pbem.table.kit import Kit


def board_text(view: dict[str, Any], kit: Kit, language: str = "en") -> str:
    """Writes a board as a seat sees it (`view`: the JSON of that board) in lines of at most 78 columns.

    Raises LookupError if the game has no picture.
    """
    return picture_of(view["game"]).text(view, Teller(kit, language))
