"""Every case file of the game, and that together they try every option."""

from functools import cache
from pathlib import Path

import pytest

from pbem.games import find_game
from pbem.rehearse import load_case, run_case
from pbem.table.kit import load_kit

FOLDER = Path(__file__).parents[2] / "cases" / "struggle_of_empires"
FILES = sorted(FOLDER.glob("*.yaml"))
kit_of = cache(load_kit)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_case(path):
    verdict = run_case(load_case(path), find_game, kit_of)
    assert verdict.passed, verdict.text()


def test_every_option_is_tried_at_a_value_that_is_not_its_default():
    tried = {name for path in FILES for name in load_case(path).get("options", {})}
    shown_by_other_tests = {"unrest_sums", "gold_sums"}  # what is seen: see test_room
    assert set(kit_of("struggle_of_empires").options) == tried | shown_by_other_tests


def test_a_case_that_expects_something_wrong_fails():
    case = load_case(FOLDER / "3-example-north-america.yaml")
    case["expect"] = [{"fight": {"where": "land", "attacker": 9, "defender": 7, "winner": "attacker"}}]
    assert "'attacker': 8" in run_case(case, find_game, kit_of).text()
