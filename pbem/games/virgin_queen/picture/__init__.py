"""How the board of Virgin Queen looks, as picture and as text.

The picture is the map of Europe, with the diplomatic status on its empty corner; below it victory points and turns, the
power cards, the map of the world beside the influence on minor powers and what lies overseas, then religion and
patronage, and the Royals.

Of a view it reads what `pbem.games.virgin_queen` puts on its board; what a view lacks is left out of the picture. What
a pile holds is shown as far as the view holds it: of hidden cards and treasures their number.
"""

from typing import Any

from pbem.drawing.words import Words
from pbem.games.virgin_queen.picture import displays, land_and_sea
from pbem.games.virgin_queen.picture.in_words import text
from pbem.games.virgin_queen.picture.position import Position

__all__ = ["picture", "text"]


def picture(view: dict, words: Words, *, highlight: frozenset[str], title: str | None) -> dict[str, Any]:
    """What ``board.svg`` draws: the map with all that stands on it, and the displays below."""
    position = Position(view, words)
    below = displays.displays(position, highlight, land_and_sea.HEIGHT + displays.GAP)
    height = below["bottom"] + displays.GAP
    drawn = land_and_sea.drawn(position, highlight)
    return position.framed(title, land_and_sea.WIDTH, height, map=drawn, displays=below)
