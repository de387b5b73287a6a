"""What dice were thrown for, in words: each kind of throw of each game, in three languages."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.render.happenings import thrown_for, thrown_with
from pbem.render.narrative import Teller
from pbem.table.kit import load_kit
from tests.lines.test_lines import GAMES

STREAMS = Path(__file__).parents[1] / "streams"
SHARED = {"here_i_stand": ["reformation"], "virgin_queen": ["reformation"]}
NAMED = re.compile(r'\b(?:table\.(?:roll|pick|draw)\(|roll\(table, |random_card\(.*, |_from_hand\(.*, )"([a-z_ ,]+)"')
PLAIN = {"fact", "what", "power", "dice", "sides", "index", "section", "why", "k", "m", "card", "to", "sight"}
"""What of a throw is told elsewhere, or to nobody."""


def in_the_code(game: str) -> set[str]:
    """What the rules of a game throw or draw for, as far as they say it in the place of the throw."""
    rooms = [Path(str(games.__file__)).parent / room for room in (game, *SHARED.get(game, ()))]
    return {what for room in rooms for file in room.rglob("*.py") for what in NAMED.findall(file.read_text())}


def thrown(game: str) -> Iterator[dict[str, Any]]:
    """The throws of a whole game that was played."""
    for file in STREAMS.glob(f"{game}-*.jsonl.gz"):
        with gzip.open(file, "rt") as lines:
            yield from _throws([json.loads(line) for line in lines])


def _throws(content: Any) -> Iterator[dict[str, Any]]:
    if isinstance(content, str) and content[:1] in "{[":
        try:
            content = json.loads(content)
        except ValueError:
            return
    if isinstance(content, dict):
        if content.get("fact") in ("roll", "draw"):
            yield content
        content = list(content.values())
    for item in content if isinstance(content, list) else ():
        yield from _throws(item)


@pytest.mark.parametrize("game", GAMES)
def test_each_kind_of_throw_has_its_words(game):
    kit = load_kit(game)
    played = list(thrown(game))
    named = in_the_code(game) | {fact["what"] for fact in played}
    assert len(named) > 8
    for code in ("en", "fr", "ru"):
        teller = Teller(kit, code)
        unknown = [
            what for what in sorted(named) if what not in teller.words("throw") and not what.startswith("powers of")
            and kit.find("card", what.replace("_", " ")) is None
        ]  # fmt: skip
        assert unknown == [], code
        assert {name for fact in played for name in fact} - PLAIN <= teller.words("throw_detail").keys(), code
        for fact in played:
            assert "_" not in thrown_for(fact["what"], teller)
            assert not any("_" in name + value for name, value in thrown_with(fact, teller))


def test_a_throw_is_told_in_the_language_of_the_reader():
    teller = Teller(load_kit("here_i_stand"), "fr")
    assert thrown_for("counter_reformation defence", teller) == "La réponse à une contre-réforme"
    assert thrown_for("powers of seat3", teller) == "Les puissances de la place 3"
    assert thrown_for("copernicus", teller) == "Copernic"
    fact = {"fact": "roll", "what": "reformation", "sources": {"adjacent_spaces": 3}, "modifier": 0, "space": "leipzig"}
    assert thrown_with(fact, teller) == [("Dés donnés par", "cases adjacentes 3"), ("Case", "Leipzig")]
