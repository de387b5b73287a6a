"""The game rooms. A room is a package ``pbem.games.<id>`` with a module ``room``, whose ``GAME`` is a
`pbem.table.game.Game`; it lists all that there is of the game. A package without one is no room (what games share)."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

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
    packages = [(Path(folder), m.name) for folder in __path__ for m in pkgutil.iter_modules([folder]) if m.ispkg]
    return frozenset(name for folder, name in packages if (folder / name / "room.py").is_file())


def register(game: Game) -> None:
    """Add a game that has no room in this package: one of another package, or the tests' own."""
    _registered[game.id] = game


def find_game(id: str) -> Game:
    """The game of an id. Raises `UnknownGame`."""
    if id not in game_ids():
        raise UnknownGame(f"there is no game “{id}”; there are {', '.join(game_ids())}")
    if id in _registered:
        return _registered[id]
    return importlib.import_module(f"pbem.games.{id}.room").GAME
