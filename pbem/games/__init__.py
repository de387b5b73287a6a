"""The game rooms. A room is a package ``pbem.games.<id>`` with a module attribute ``GAME``
(`pbem.table.game.Game`)."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from pbem.table.procedure import Game

_registered: dict[str, Game] = {}


class UnknownGame(LookupError):
    """There is no room for this game; says which there are."""


def game_ids() -> list[str]:
    """The ids of the games that have a room, in alphabetical order."""
    return sorted(_rooms() | _registered.keys())


@cache
def _rooms() -> frozenset[str]:
    """The packages here, looked for once: the disk is slow, and they do not change while the program runs."""
    return frozenset(m.name for m in pkgutil.iter_modules(__path__) if m.ispkg and m.name != "reformation")


def register(game: Game) -> None:
    """Add a game that has no room in this package: one of another package, or the tests' own."""
    _registered[game.id] = game


def find_game(id: str) -> Game:
    """The game of an id. Raises `UnknownGame`."""
    if id not in game_ids():
        raise UnknownGame(f"there is no game “{id}”; there are {', '.join(game_ids())}")
    if id in _registered:
        return _registered[id]
    return importlib.import_module(f"pbem.games.{id}").GAME
