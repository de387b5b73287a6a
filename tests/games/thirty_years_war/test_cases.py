"""Every case file of the game."""

from dataclasses import replace
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
    by_mail = {name for name in kit_of("thirty_years_war").options if name not in tried}
    others = " ".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert {name for name in by_mail if f'"{name}"' not in others} == set()


@pytest.mark.parametrize(("floor", "french"), [(True, 0), (False, -2)])
def test_an_aid_line_below_nought_counts_nothing_or_takes_from_the_others(floor, french):
    """INT-22 (option aid_floor). No line of the kit falls so low, so the points that C42 takes are other ones here."""
    kit = kit_of("thirty_years_war")
    numbers = {**kit.tables["card_numbers"], "C42:line": {**kit.tables["card_numbers"]["C42:line"], "value": -6}}
    other = replace(kit, tables={**kit.tables, "card_numbers": numbers})
    case = {
        "title": "P2 brings 4 French, 4 English and 8 Dutch points, but C42 takes six from the French line",
        "game": kit.game,
        "options": {"aid_floor": floor},
        "arrange": [
            {"event": {"P9": 1, "C42": 2}},
            {"state": {"turn": 2, "source:france": "on"}},
            {"hand": {"side": "protestant", "cards": ["P2", "P12", "P13"]}},
            {"activation": {"side": "protestant", "round": 1}},
        ],
        "play": [{"protestant": "AID P2"}],
        "stop": True,
        "expect": [{"aid": {"protestant": {"england": 4, "united_provinces": 8, "france": french}}}],
    }
    verdict = run_case(case, find_game, lambda _: other)
    assert verdict.passed, verdict.text()
