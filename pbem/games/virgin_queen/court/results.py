"""The tables of results (19, 21, 22, 23.3): what a total means, in the words of the kit's column ``outcome``.

A row offers one way or several; a way is words joined by ``+``, each with a number after a colon or none:
``vp:1+bonus``.
"""

from __future__ import annotations

from typing import Any

from pbem.table.procedure import Table


def row_of(table: Table, name: str, total: int, read_with: str | None = None) -> Any:
    """The row of a table that a total falls into; `read_with` tells columns of one table apart.

    Raises `LookupError` where the kit has none.
    """
    for row in table.kit.tables["result_tables"].values():
        if row["table"] != name or (read_with is not None and not row["read_with"].startswith(read_with)):
            continue
        if (row["low"] is None or row["low"] <= total) and (row["high"] is None or total <= row["high"]):
            return row
    raise LookupError(f"the table {name} has no row for {total}")


def ways(table: Table, name: str, total: int, read_with: str | None = None) -> list[str]:
    """The ways that a row offers, as the kit writes them; as a rule there is one."""
    return list(row_of(table, name, total, read_with)["outcome"])


def parts(way: str) -> dict[str, int]:
    """The words of a way with their numbers; 1 where there is none."""
    numbers = {}
    for part in way.split("+"):
        word, _, number = part.partition(":")
        numbers[word] = int(number) if number else 1
    return numbers


def result(table: Table, name: str, total: int, read_with: str | None = None) -> dict[str, int]:
    """The words of the one way that a row offers."""
    return parts(ways(table, name, total, read_with)[0])
