"""Where a line may not end: before the marks of punctuation that stand apart, as French sets them."""

from __future__ import annotations

import re

NO_BREAK = "\u00a0"
_COLON = re.compile(r"(?<=[^\W\d_])(\)?):(?= |$)")
_BETWEEN_TAGS = re.compile(r">([^<>{}]+)<")
_BEFORE_MARK = re.compile(r" (?=[:;!?»])|(?<=«) ")


def unbroken(text: str) -> str:
    """A text in which no line ends before a mark that stands apart, or behind the quotation mark that opens."""
    return _BEFORE_MARK.sub(NO_BREAK, text)


def french_colons(svg: str) -> str:
    """A picture in whose French texts a space stands before each colon; names and what is told of them are put together
    by the games with the colon that other languages have."""
    spaced = "\\1" + NO_BREAK + ":"
    return _BETWEEN_TAGS.sub(lambda text: ">" + _COLON.sub(spaced, text[1]) + "<", svg)
