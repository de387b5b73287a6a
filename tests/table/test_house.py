"""The shape of the house: what the table and the games import of each other."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from pathlib import Path

import pbem
from pbem.games import find_game, game_ids
from pbem.table.game import Game

HOUSE = Path(pbem.__file__).parent


def modules() -> dict[str, Path]:
    found = {}
    for path in HOUSE.rglob("*.py"):
        name = ".".join(path.relative_to(HOUSE.parent).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imported(path: Path, known: Container[str] = ()) -> Iterator[str]:
    """What a file imports, wherever in it: an import within a function hides a circle, it ends none.

    Of a package of which it takes a file `known`, it imports that file.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{name.name}" for name in node.names]
            yield from (name if name in known else node.module for name in names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_no_two_files_of_the_table_or_of_a_game_import_each_other():
    known = modules()
    arrows = {name: set(imported(path, known)) & known.keys() for name, path in known.items()}
    pairs = {
        tuple(sorted((name, other)))
        for name, others in arrows.items()
        for other in others
        if name in arrows[other] and name.startswith(("pbem.table", "pbem.games"))
    }
    assert not pairs


def test_nothing_of_a_game_is_found_by_its_name():
    """Modules are listed where they are used; only the room of a game is looked for, in one place."""
    for name, path in modules().items():
        if name.startswith("pbem.games."):
            assert "importlib" not in set(imported(path)), name


def test_a_room_is_a_package_with_a_room_and_nothing_else_is_one():
    rooms = {path.parent.name for path in (HOUSE / "games").glob("*/room.py")}
    assert rooms <= set(game_ids()) and "reformation" not in game_ids()
    assert all(Game in type(find_game(id)).__mro__ for id in rooms)
