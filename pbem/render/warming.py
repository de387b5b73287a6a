"""Getting ready to draw: what the first picture of a process would have to wait for.

The font, the template, the places of the names on a map in each language: they are worked out once and remembered. In a
process that has just started they would more than double the time of the first picture.
"""

from collections.abc import Iterable

from pbem.render.board_svg import board_svg, picture_of
from pbem.render.language import languages
from pbem.render.picture import outline_text
from pbem.table.board import Board
from pbem.table.kit import Kit


def warm_up(kits: Iterable[Kit]) -> None:
    """Draw an empty board of each kit in every language; a game that has no picture is passed over."""
    for kit in kits:
        try:
            picture_of(kit.game)
        except LookupError:
            continue
        empty = Board(kit.game, list(kit.tables[kit.seats["table"]])).to_json()
        for language in languages():
            outline_text(board_svg(empty, kit, language=language))
