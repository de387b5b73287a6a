"""How the board of Here I Stand looks, as picture and as text.

The picture is the map, and below it the displays: power cards, victory points, turns, diplomatic status, the religious
struggle, the New World and Henry's wives. Powers are told apart by colour and by a letter.

Of a view it reads what `pbem.games.here_i_stand` puts on its board, units, pieces, tracks, piles and the entries of
``state`` (``control:<space>`` and so on); what a view lacks is left out of the picture. Units behind besieged walls are
at ``<space>/inside``, leaders taken at ``captured:<power>``, what returns later at ``turn_track:<n>``, the regulars of
the Electorate display at ``electorate:<space>``, troops in a foreign war at ``foreign_war:<card>``.
"""

from typing import Any

from pbem.drawing.words import Words
from pbem.games.here_i_stand.picture import displays, land_and_sea
from pbem.games.here_i_stand.picture.in_words import text
from pbem.games.here_i_stand.picture.position import Position

__all__ = ["picture", "text"]


def picture(view: dict, words: Words, *, highlight: frozenset[str], title: str | None) -> dict[str, Any]:
    """What ``board.svg`` draws: the map with all that stands on it, and the displays below."""
    position = Position(view, words)
    below = displays.displays(position, highlight, land_and_sea.HEIGHT + displays.GAP)
    height = below["bottom"] + displays.GAP
    drawn = land_and_sea.drawn(position, highlight)
    return position.framed(title, land_and_sea.WIDTH, height, map=drawn, displays=below)
