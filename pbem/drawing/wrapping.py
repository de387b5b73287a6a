"""Lines of a width, in columns of plain text or as drawn, and columns of a table in plain text."""

import textwrap
from collections.abc import Sequence

from pbem.drawing.font import text_width

COLUMNS = 78  # what a mail can hold without being broken when it is quoted (RFC 3676, section 4.2)


def wrapped(line: str) -> list[str]:
    """A line of plain text in lines of at most `COLUMNS` columns, the later ones indented."""
    return textwrap.wrap(line, COLUMNS, subsequent_indent="    ", break_on_hyphens=False) or [""]


def drawn_lines(text: str, room: float, size: float) -> list[str]:
    """A text in lines that are at most so wide when drawn; a word wider than that has a line of its own.

    Lines are broken at blanks only, so a no-break space holds words together.
    """
    lines: list[str] = []
    for word in filter(None, text.split(" ")):
        if lines and text_width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def table(rows: Sequence[Sequence[str]], gap: str = "  ") -> list[str]:
    """Rows of cells as lines: the first column flush left, the others flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        gap.join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]


def table_in_parts(labels: Sequence[str], columns: Sequence[Sequence[str]], narrowest: int = 0) -> list[str]:
    """A table of labels and columns as lines; where it is too wide, columns go into further parts below, labels again.

    Columns are at least `narrowest` wide, and flush right.
    """
    names = max(map(len, labels))
    widths = [max(narrowest, *map(len, column)) for column in columns]
    parts: list[list[int]] = [[]]
    for number, width in enumerate(widths):
        if parts[-1] and names + sum(widths[n] + 1 for n in parts[-1]) + width + 1 > COLUMNS:
            parts.append([])
        parts[-1].append(number)
    return [
        label.ljust(names) + "".join(" " + columns[n][row].rjust(widths[n]) for n in part)
        for part in parts
        for row, label in enumerate(labels)
    ]
