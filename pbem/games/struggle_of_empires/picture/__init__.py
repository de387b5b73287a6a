"""How the board of Struggle of Empires looks, as picture and as text.

The picture is the map with its tracks and, below it, a table of all pieces: the map is for the glance, the table can be
read on a phone. Empires are told apart by colour and by a letter.
"""

from typing import Any

from pbem.drawing.words import Words
from pbem.games.struggle_of_empires.picture import regions, table, tracks
from pbem.games.struggle_of_empires.picture.in_words import text
from pbem.games.struggle_of_empires.picture.pieces import together
from pbem.games.struggle_of_empires.picture.position import Position
from pbem.games.struggle_of_empires.picture.table import WIDTH

__all__ = ["picture", "text"]


def picture(view: dict, words: Words, *, highlight: frozenset[str], title: str | None) -> dict[str, Any]:
    """What ``board.svg`` draws: areas, tokens, tracks and the table, with all coordinates."""
    position = Position(view, words)
    layout = position.kit.files["map_layout"]
    below = table.table(position, highlight)
    return position.framed(
        title,
        WIDTH,
        layout["box"]["h"] + below["height"],
        map_height=layout["box"]["h"],
        panels=layout["panels"],
        seas=regions.seas(layout),
        areas=list(regions.areas(position, highlight)),
        pieces=together([*regions.tokens(position), *tracks.tokens(position)]),
        counters=list(regions.counters(position)),
        tracks=tracks.tracks(position),
        key=tracks.key(position),
        table=below,
    )
