"""The board in plain text, for the text part of mails: whole, or what has changed on it."""

import re
from collections.abc import Iterator
from typing import Any

from pbem.drawing.wrapping import COLUMNS, wrapped
from pbem.render import marks
from pbem.render.board_svg import picture_of
from pbem.render.language import find_language
from pbem.render.narrative import Teller
from pbem.table.kit import Kit

CONTINUED = "    "
"""Begins a line that goes on with the one above it."""


def board_text(view: dict[str, Any], kit: Kit, language: str = "en") -> str:
    """Writes a board as a seat sees it (`view`: the JSON of that board) in lines of at most 78 columns.

    Raises LookupError if the game has no picture.
    """
    return picture_of(view["game"]).text(view, Teller(kit, language))


def printed(text: str, language: str) -> str:
    """A board in plain text with the marks of a language: a board is put together with those of English. A line that
    grows too long by that is broken anew."""
    if find_language(language).colon == ":":
        return text
    lines: list[str] = []
    for line in unfolded(marks.french_text(text)).split("\n"):
        lines += wrapped(line) if len(line) > COLUMNS else [line]
    return "\n".join(lines)


def unfolded(text: str) -> str:
    """A board in plain text with each entry in one line, for what breaks lines by itself, as pages do."""
    return _FOLD.sub(" ", text)


def changed_words(now: str, before: str | None, gone: str = "–") -> str:
    """The heading of a board in plain text, and of each of its parts the entries that did not stand there before, as
    they are now; an entry that is gone is told by the words `gone`. What stands in brackets explains those below,
    and stays with them. Without a `before` the heading alone."""
    blocks = [now.split("\n\n")[0].strip()]
    known: dict[str, list[str]] = {}
    for head, entries in parts_of(before or ""):
        known.setdefault(_name(head), []).extend(entries)
    for head, entries in parts_of(now) if before else ():
        old = known.get(_name(head), [])
        names = {_name(entry) for entry in entries}
        changed = [entry for entry in entries if entry not in old or entry.startswith("(")]
        changed += [f"{_name(entry)}: {gone}" for entry in old if ":" in entry and _name(entry) not in names]
        if any(not entry.startswith("(") for entry in changed):
            blocks.append("\n".join([*([head] if head else []), *changed]))
    return "\n\n".join(blocks)


def parts_of(text: str) -> Iterator[tuple[str, list[str]]]:
    """The parts of a board below its heading, which empty lines stand between: heading ("" for none) and entries, of
    one line or several."""
    for block in text.split("\n\n")[1:]:
        entries: list[str] = []
        for line in block.split("\n"):
            if line.startswith(CONTINUED) and entries:
                entries[-1] += f"\n{line}"
            else:
                entries.append(line)
        headed = len(entries) > 1
        yield (entries[0] if headed else ""), entries[headed:]


def _name(entry: str) -> str:
    """What an entry is about: what stands before its colon, without a count in brackets, which may change."""
    return _COUNT.sub("", entry.partition(":")[0])


_FOLD = re.compile(rf"(?<=\S)\n{CONTINUED}(?=\S)")
_COUNT = re.compile(r"\s*\(\d+\)$")
