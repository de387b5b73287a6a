"""No two files of the package need each other: what a file imports never leads back to it, whatever it is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pbem

ROOT = Path(pbem.__file__).parent


def name_of(file: Path) -> str:
    parts = file.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree: ast.AST, package: str) -> Iterator[str]:
    """Every name that a file imports, in a function or for types alone as well."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            yield from (f"{module}.{alias.name}" for alias in node.names)


def arrows(files: dict[str, ast.AST]) -> dict[str, set[str]]:
    """File -> the files that it imports."""
    found = {}
    for name, tree in files.items():
        names = imported(tree, name.rpartition(".")[0])
        known = {one if one in files else one.rpartition(".")[0] for one in names}
        found[name] = {one for one in known if one in files and one != name}
    return found


def circles(found: dict[str, set[str]]) -> list[list[str]]:
    """The ways along arrows that come back to where they began, each once."""
    done: set[str] = set()
    circles: list[list[str]] = []

    def follow(name: str, way: list[str]) -> None:
        if name in way:
            circles.append([*way[way.index(name) :], name])
        elif name not in done:
            for one in sorted(found[name]):
                follow(one, [*way, name])
            done.add(name)

    for name in sorted(found):
        follow(name, [])
    return circles


def files(under: str) -> dict[str, ast.AST]:
    return {name_of(file): ast.parse(file.read_text()) for file in sorted((ROOT / under).rglob("*.py"))}


@pytest.mark.parametrize("room", ["campaign", "table", "mail", "web", "render"])
def test_no_two_files_of_a_room_import_each_other(room: str):
    assert circles(arrows(files(room))) == []


def test_a_circle_is_found_wherever_the_import_stands():
    sources = {
        "pbem.a": "from pbem import b",
        "pbem.b": "def act():\n    from pbem.c import this",
        "pbem.c": "if TYPE_CHECKING:\n    import pbem.a",
        "pbem.d": "from pbem.a import that",
    }
    found = arrows({name: ast.parse(text) for name, text in sources.items()})
    assert circles(found) == [["pbem.a", "pbem.b", "pbem.c", "pbem.a"]]
