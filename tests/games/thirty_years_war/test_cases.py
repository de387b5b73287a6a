"""Every case file of the game."""

from functools import cache
from pathlib import Path

import pytest

from pbem.games import find_game
from pbem.rehearse import load_case, run_case
from pbem.table.kit import load_kit

FOLDER = Path(__file__).parents[2] / "cases" / "thirty_years_war"
FILES = sorted(FOLDER.rglob("*.yaml"))
kit_of = cache(load_kit)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_case(path):
    verdict = run_case(load_case(path), find_game, kit_of)
    assert verdict.passed, verdict.text()


def test_a_case_that_expects_something_wrong_fails():
    case = load_case(FOLDER / "ex-01-control-of-bohemia.yaml")
    case["expect"] = [{"vp": 21}]
    assert "24" in run_case(case, find_game, kit_of).text()


def test_every_option_is_tried_by_a_case():
    tried = {name for path in FILES for name in load_case(path).get("options") or {}}
    of_the_kit = {"aid_floor"}  # no line of this kit falls below nought, whatever takes from it
    by_mail = {name for name in kit_of("thirty_years_war").options if name not in tried | of_the_kit}
    others = " ".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert {name for name in by_mail if f'"{name}"' not in others} == set()
