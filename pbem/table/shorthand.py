"""The shorthand of wargamers: ``4r`` for four regulars, ``w/`` and ``&``, ``#31`` for card 31.

What a letter behind a number means says the kit (``[words]``, kind ``letter regular``); one that several units share
gives a line for each of them, so that its sender is asked where more than one is legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice, product

from pbem.table.inflected import means
from pbem.table.kit import Kit

MOST_LINES = 8
"""So many lines at most a line in shorthand may stand for."""

_COUNTED = re.compile(r"(?<![\w#.,'’])(\d{1,2})([^\W\d_]{1,12})(?![\w'’])")
_SIGNS = (
    (re.compile(r"(?<!\S)w/o(?!\S)\s*", re.IGNORECASE), "without "),
    (re.compile(r"(?<!\S)w(?:/|(?= ))\s*"), "with "),
    (re.compile(r"\s*&\s*"), " and "),
    (re.compile(r"(?<!\S)#(?=\d)"), ""),
)


def in_full(line: str, kit: Kit) -> list[str]:
    """The lines that a line stands for with its shorthand written out: itself where it has none."""
    for sign, word in _SIGNS:
        line = sign.sub(word, line)
    parts = _COUNTED.split(line)
    ways: list[list[str]] = []
    for before, number, letters in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
        units = units_of(letters, kit)
        apart = " " if letters.casefold() == "cp" or means(letters, "like cp", kit) else ""
        ways += [[before], [f"{number} {unit}" for unit in units] or [f"{number}{apart}{letters}"]]
    return ["".join(chosen) for chosen in islice(product(*ways, parts[-1:]), MOST_LINES)]


def units_of(letters: str, kit: Kit) -> list[str]:
    """The units that letters behind a number may mean."""
    return [unit for unit in kit.labels.get("unit", {}) if means(letters, f"letter {unit}", kit)]


def parted(line: str) -> Iterable[list[str]]:
    """The ways in which a line may be several, each a line alone: parted by semicolons, else by colons or commas."""
    for separator in (";", "[;:]", "[;:,]", "[;,]", ","):
        parts = [part.strip() for part in re.split(rf"\s*{separator}\s+", line.strip().rstrip(";,.")) if part.strip()]
        if len(parts) > 1:
            yield parts
