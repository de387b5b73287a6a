"""Every kind of refusal of the game is refused in some case, whose title names its number."""

import re
from pathlib import Path

import pytest
import yaml

FOLDER = Path(__file__).parents[2] / "cases" / "virgin_queen"


def numbers() -> dict[int, list[str]]:
    """Number -> the cases that name it in their title and refuse something."""
    found: dict[int, list[str]] = {}
    for file in sorted(FOLDER.rglob("*.yaml")):
        case = yaml.safe_load(file.read_text(encoding="utf-8"))
        refuses = any("refused" in step for step in case.get("play") or [])
        for number in re.findall(r"NO-(\d\d)", case["title"] + file.stem):
            if refuses:
                found.setdefault(int(number), []).append(file.stem)
    return found


FOUND = numbers()


@pytest.mark.parametrize("number", range(1, 41))
def test_each_numbered_refusal_is_refused_by_a_case(number: int) -> None:
    assert FOUND.get(number), f"no case refuses NO-{number:02}"
