"""Where a line may not end: before the marks of punctuation that stand apart, as French sets them."""

from __future__ import annotations

import re

NO_BREAK = "\u00a0"
_TIGHT = re.compile(r"&#?\w+;|(?<=[\w)])[:;!?](?=\s|$)", re.MULTILINE)
_TOLD = re.compile(r"""(?<=>)[^<>{}]+(?=<)|(?<=aria-label=")[^"]+(?=")""")
_BEFORE_MARK = re.compile(r" (?=[:;!?»])|(?<=«) ")


def unbroken(text: str) -> str:
    """A text in which no line ends before a mark that stands apart, or behind the quotation mark that opens."""
    return _BEFORE_MARK.sub(NO_BREAK, text)


def french_marks(svg: str) -> str:
    """A picture with its French texts as `french_text` has them: names and what is told of them are put together by the
    games with the marks that other languages have."""
    return _TOLD.sub(lambda text: french_text(text[0]), svg)


def french_text(text: str) -> str:
    """Plain text with the space that French sets before a mark, where a word or a bracket stands right before it."""
    return _TIGHT.sub(lambda mark: mark[0] if len(mark[0]) > 1 else NO_BREAK + mark[0], text)  # no end of an entity
