"""What tests of phrases share: random games as each reader may see them, and what the rules tell at all."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pbem.games
from pbem.games import find_game
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.facts import Fact
from pbem.table.kit import Kit
from pbem.table.playout import Playout

LANGUAGES = ("en", "fr", "ru")
RAW = re.compile(r"[a-z0-9]_[a-z0-9]|[a-z]:[a-z0-9]|\bNone\b|[{}]|\.\.|\?\.$|: \.|\(\)")
"""What no sentence holds: an id, a value that is none, what a template left over."""


@dataclass
class Told:
    """A random game: for each reader (nobody's is the public's) the facts he may read of each answer, and all questions
    as (power, kind, context); why it failed, if it did."""

    seen: dict[tuple[str, ...], list[list[Fact]]] = field(default_factory=dict)
    asked: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    failure: str | None = None


def play(kit: Kit, scenario: str, seed: int, *, check: bool = False) -> Told:
    """Plays a random game to its end."""
    game = find_game(kit.game)
    powers = game.powers(kit, scenario)
    playout = Playout(game, kit, powers, seed, scenario=scenario, check=check)
    answers: list[list[Fact]] = []
    told = Told()
    follow = playout._after_answer

    def after(play: Any, outcome: Any) -> None:
        follow(play, outcome)
        answers.append(outcome.facts)
        told.asked.extend((q.power, q.kind, dict(q.context)) for q in play.questions())

    playout._after_answer = after  # type: ignore[method-assign]
    told.failure = playout.run().failure
    board = playout.table.board
    for reader in (sight.PUBLIC, *((power,) for power in powers)):
        told.seen[reader] = [seen_by(board, facts, reader) for facts in answers]
    return told


def seen_by(board: Board, facts: Iterable[Fact], reader: tuple[str, ...]) -> list[Fact]:
    """The facts as a reader may see them."""
    return [form for fact in facts if (form := sight.seen_by(board, fact, reader)) is not None]


def told_by(*rooms: str) -> set[str]:
    """The first words of all ``table.tell("…")`` in the rules of these packages of `pbem.games`."""
    found = set()
    for room in rooms:
        for file in (Path(pbem.games.__file__).parent / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tell":
                    words = ast.walk(node.args[0])
                    found |= {w.value for w in words if isinstance(w, ast.Constant) and isinstance(w.value, str)}
    return found
