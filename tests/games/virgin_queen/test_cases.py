"""Every case file of the game."""

from functools import cache
from pathlib import Path

import pytest

from pbem.games import find_game
from pbem.rehearse import load_case, run_case
from pbem.table.kit import load_kit

FOLDER = Path(__file__).parents[2] / "cases" / "virgin_queen"
FILES = sorted(FOLDER.rglob("*.yaml"))
kit_of = cache(load_kit)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_case(path):
    verdict = run_case(load_case(path), find_game, kit_of)
    assert verdict.passed, verdict.text()
