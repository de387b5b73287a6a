"""The shorthand of wargamers: ``4r`` for four regulars, ``w/`` and ``&``, ``#31`` for card 31.

What a letter behind a number means says the kit (``[words]``, kind ``letter regular``); one that several units share
gives a line for each of them, so that its sender is asked where more than one is legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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


def parted(line: str, kit: Kit) -> Iterable[list[str]]:
    """The ways in which a line may be several, each a line alone: parted by semicolons, else by colons or commas, else
    where it says what follows (THEN), or by AND."""
    between = _between(kit)
    joined = rf"(?:\s*[;,])?\s+{_any_of('and', kit)}"
    separators = [rf"\s*{mark}" for mark in (";", "[;:]", "[;:,]", "[;,]", ",")]
    separators += [between, rf"(?:{between}|\s*[;:])", rf"(?:{between}|\s*[;:,])", rf"(?:{between}|{joined}|\s*[;:,])"]
    tried: list[list[str]] = []
    for separator in separators:
        said = re.split(rf"{separator}\s+", line.strip().rstrip(";,."), flags=re.IGNORECASE)
        parts = [part.strip() for part in said if part.strip()]
        if len(parts) > 1 and parts not in tried:
            tried.append(parts)
            yield parts


def parted_in_turn(line: str, kit: Kit) -> Iterator[list[str]]:
    """The way in which a line is several where all of them follow each other (X, THEN Y)."""
    parts = re.split(rf"{_between(kit)}\s+", line.strip().rstrip(";,.! "), flags=re.IGNORECASE)
    if len(parts) > 1:
        yield [part.strip() for part in parts]


def clauses_of(line: str, kit: Kit) -> list[list[str]]:
    """The clauses of a line, between marks and words that say what follows, each by the parts that AND joins in it."""
    between, joined = rf"(?:{_between(kit)}|\s*[;:,.!])\s+", rf"\s+{_any_of('and', kit)}\s+"
    first = re.compile(rf"{_any_of('and', kit)}\s+", re.IGNORECASE)
    begun = [part[found.end() :] if (found := first.match(part)) else part for part in _split(between, line)]
    return [_split(joined, part) for part in begun if part]


def _split(separator: str, line: str) -> list[str]:
    return [part.strip() for part in re.split(separator, line.strip(), flags=re.IGNORECASE) if part.strip()]


def _between(kit: Kit) -> str:
    """What finds the words that say what follows, with the mark before them."""
    return rf"(?:\s*[;,])?\s+{_any_of('in between', kit)}(?:\s*,)?"


def _any_of(kind: str, kit: Kit) -> str:
    """What finds one of the phrases of a kind, the longest first."""
    return f"(?:{'|'.join(re.escape(phrase) for phrase in sorted(kit.words(kind), key=len, reverse=True))})"
