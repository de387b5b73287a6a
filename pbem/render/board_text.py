"""The board in plain text, for the text part of mails."""

from typing import Any

from pbem.render.board_svg import renderer
from pbem.table.kit import Kit

WIDTH = 78  # columns: what a mail can hold without being broken when it is quoted (RFC 3676, section 4.2)


def board_text(view: dict[str, Any], kit: Kit, language: str = "en") -> str:
    """Writes a board as a seat sees it (`view`: the JSON of that board) in lines of at most 78 columns.

    Raises LookupError if the game has no renderer.
    """
    return renderer(view["game"]).text(view, kit, language)
