"""Where a line may not end: before the marks of punctuation that stand apart, as French sets them."""

from __future__ import annotations

import re

NO_BREAK = "\u00a0"
_MARK = re.compile(r"&#?\w+;|(?<=[^\W\d_])(\)?):(?= |$)|(?<=[\w)]);(?= )")
_TIGHT = re.compile(r"(?<=[\w)])([:;!?])(?=\s|$)", re.MULTILINE)
_TOLD = re.compile(r"""(?<=>)[^<>{}]+(?=<)|(?<=aria-label=")[^"]+(?=")""")
_BEFORE_MARK = re.compile(r" (?=[:;!?»])|(?<=«) ")


def unbroken(text: str) -> str:
    """A text in which no line ends before a mark that stands apart, or behind the quotation mark that opens."""
    return _BEFORE_MARK.sub(NO_BREAK, text)


def french_marks(svg: str) -> str:
    """A picture in whose French texts a space stands before each colon and semicolon; names and what is told of them
    are put together by the games with the marks that other languages have."""
    return _TOLD.sub(lambda text: _MARK.sub(_spaced, text[0]), svg)


def french_text(text: str) -> str:
    """Plain text with the space that French sets before a mark, where a word or a bracket stands right before it."""
    return _TIGHT.sub(rf"{NO_BREAK}\1", text)


def _spaced(mark: re.Match[str]) -> str:
    """A mark with the space before it; the end of an entity of XML is none."""
    return mark[0] if mark[0].startswith("&") else f"{mark[0][:-1]}{NO_BREAK}{mark[0][-1]}"
