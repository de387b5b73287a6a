"""The board as an SVG picture.

What all games share: finding the game's picture and its template, escaping, and cleaning text of what XML cannot hold.
What a picture is says `pbem.drawing`.
"""

import json
import re
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from pbem import resources
from pbem.drawing.items import once
from pbem.games import find_game
from pbem.render.marks import french_marks
from pbem.render.narrative import Teller
from pbem.table.kit import Kit

# XML 1.0, section 2.2: characters that no document can hold, not even escaped
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def board_svg(
    view: dict[str, Any],
    kit: Kit,
    *,
    highlight: Collection[str] = (),
    language: str = "en",
    title: str | None = None,
) -> str:
    """Draws a board as a seat sees it (`view`: the JSON of that board) and returns the SVG document.

    `highlight`: places that have changed and are to stand out; those that the picture does not show are passed over.
    `title`: a heading above the map, any text. Raises LookupError if the game has no picture.

    The last pictures are remembered: the mails and pages that follow an event mostly show the same one.
    """
    return _drawn(json.dumps(view), kit, frozenset(highlight), language, title)


@lru_cache(maxsize=64)  # some 300 KB each, with the view
def _drawn(view_as_json: str, kit: Kit, highlight: frozenset[str], language: str, title: str | None) -> str:
    view = json.loads(view_as_json)
    game = picture_of(view["game"])
    context = game.picture(view, Teller(kit, language), highlight=highlight, title=title)
    drawn = _NOT_XML.sub("\ufffd", _template(Path(str(game.__file__)).parent).render(context))
    return french_marks(drawn) if language == "fr" else drawn


def picture_of(game: str) -> ModuleType:
    """The module of a game's room that knows how its board looks (`pbem.drawing`); LookupError if there is none."""
    picture = find_game(game).picture
    if picture is None:
        raise LookupError(f"there is no picture of the game {game!r}")
    return picture


@lru_cache
def _template(folder: Path) -> Template:
    environment = Environment(
        loader=FileSystemLoader([folder, resources.path("templates/map")]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals["once"] = once
    return environment.get_template("board.svg")
