"""The board as an SVG picture.

What all games share: finding the game's renderer and its template, escaping, and cleaning text of what XML cannot hold.
A game's renderer is the module `pbem.render.<game>` with two functions:

    picture(view, kit, *, highlight, language, title) -> dict     what its template templates/map/<game>.svg draws
    text(view, kit, language) -> str                              the board in plain text, see board_text
"""

import importlib
import json
import re
from collections.abc import Callable, Collection
from functools import lru_cache
from types import ModuleType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pbem import resources
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
    `title`: a heading above the map, any text. Raises LookupError if the game has no renderer.

    The last pictures are remembered: the mails and pages that follow an event mostly show the same one.
    """
    return _drawn(json.dumps(view), kit, frozenset(highlight), language, title)


class Item(dict):
    """What a template draws as one thing. A renderer that remembers its items has each drawn once (see `once`).

    Nobody changes an item: it is shared by all pictures that show the same thing.
    """

    __slots__ = ("drawn",)


def once(macro: Callable[[Item], Markup], item: Item) -> Markup:
    """For templates: what a macro makes of an item, made when the item is first drawn.

    An item is always given to the same macro, and the macro looks at nothing but the item.
    """
    try:
        return item.drawn
    except AttributeError:
        item.drawn = macro(item)
        return item.drawn


@lru_cache(maxsize=64)  # some 300 KB each, with the view
def _drawn(view_as_json: str, kit: Kit, highlight: frozenset[str], language: str, title: str | None) -> str:
    view = json.loads(view_as_json)
    context = renderer(view["game"]).picture(view, kit, highlight=highlight, language=language, title=title)
    return _NOT_XML.sub("\ufffd", _templates().get_template(f"map/{view['game']}.svg").render(context))


def renderer(game: str) -> ModuleType:
    """The module that knows how the board of a game looks; raises LookupError if there is none."""
    name = f"pbem.render.{game}"
    if not re.fullmatch("[a-z0-9_]+", game):
        raise LookupError(f"{game!r} is no game")
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise LookupError(f"there is no renderer for the game {game!r}") from error
    if not hasattr(module, "picture"):
        raise LookupError(f"{name} is not the renderer of a game")
    return module


@lru_cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(resources.path("templates")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals["once"] = once
    return environment
