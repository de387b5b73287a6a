"""How the board of Thirty Years War looks, as picture and as text.

The picture is the map, and below it the record track, turns, the Dutch War, electors, both sides with their cards and
aid, the national tracks, and a list of the armies. The land of a region has the colour of its holder, a space that of
its own. Regions have no borders in the kit: their land is what lies nearest to their places.

A stack is a row of counters in the colours of nations, ``4M 3m`` for four full and three reduced mercenaries, behind
the combat factors of all; those inside the walls stand on a wall; leaders stand below.
"""

from typing import Any

from pbem.drawing.words import Words
from pbem.games.thirty_years_war.picture import displays, lands
from pbem.games.thirty_years_war.picture.in_words import text
from pbem.games.thirty_years_war.picture.position import Position

__all__ = ["picture", "text"]


def picture(view: dict, words: Words, *, highlight: frozenset[str], title: str | None) -> dict[str, Any]:
    """What ``board.svg`` draws: the map with all that stands on it, and the displays below."""
    position = Position(view, words)
    below = displays.displays(position, highlight, lands.HEIGHT + displays.GAP)
    height = below["bottom"] + displays.GAP
    drawn = lands.drawn(position, highlight)
    return position.framed(title, lands.WIDTH, height, map_height=lands.HEIGHT, displays=below, **drawn)
