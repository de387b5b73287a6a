"""Where a line may not end: before the marks of punctuation that stand apart, as French sets them."""

from __future__ import annotations

import re

NO_BREAK = "\u00a0"
_BEFORE_MARK = re.compile(r" (?=[:;!?»])|(?<=«) ")


def unbroken(text: str) -> str:
    """A text in which no line ends before a mark that stands apart, or behind the quotation mark that opens."""
    return _BEFORE_MARK.sub(NO_BREAK, text)
