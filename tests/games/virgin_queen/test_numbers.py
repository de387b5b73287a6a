"""Every subtlety and every kind of refusal of the working digest (chapters 5 and 3.20) is tried, and says so.

A case names its numbers in its title or begins its file name with one; a test names them in its docstring.
"""

import re
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
CASES = sorted((HERE.parents[1] / "cases" / "virgin_queen").rglob("*.yaml"))
SUBTLETIES, REFUSALS, EXAMPLES = 267, 40, 30


def named(text: str) -> set[int]:
    """The subtleties that a text names: ``subtlety 5``, ``subtleties 5, 147 and 148``."""
    lists = re.findall(r"[Ss]ubtlet(?:y|ies) (\d+(?:(?:, | and )\d+)*)", text)
    return {int(number) for numbers in lists for number in re.findall(r"\d+", numbers)}


def tried() -> tuple[set[int], set[int], set[int]]:
    """The subtleties, the refusals and the examples that cases and tests try."""
    subtleties, refusals, examples = set(), set(), set()
    for file in CASES:
        case = yaml.safe_load(file.read_text(encoding="utf-8"))
        title = f"{case['title']} {file.stem}"
        subtleties |= named(case["title"])
        subtleties |= {int(number) for number in re.findall(r"^(\d+)-", file.stem)}
        examples |= {int(number) for number in re.findall(r"EX-(\d+)", title)}
        if any("refused" in step for step in case.get("play") or []):
            refusals |= {int(number) for number in re.findall(r"NO-(\d\d)", title)}
    for file in HERE.glob("test_*.py"):
        text = file.read_text(encoding="utf-8")
        subtleties |= named(text) if file != Path(__file__) else set()
        examples |= {int(number) for number in re.findall(r"EX-(\d+)", text)}
    return subtleties, refusals, examples


SUBTLETIES_TRIED, REFUSED, SHOWN = tried()


@pytest.mark.parametrize("number", range(1, REFUSALS + 1))
def test_each_numbered_refusal_is_refused_by_a_case(number: int) -> None:
    assert number in REFUSED, f"no case refuses NO-{number:02}"


def test_each_numbered_subtlety_is_tried() -> None:
    assert sorted(set(range(1, SUBTLETIES + 1)) - SUBTLETIES_TRIED) == []


def test_each_numbered_example_is_shown() -> None:
    assert sorted(set(range(1, EXAMPLES + 1)) - SHOWN) == []
