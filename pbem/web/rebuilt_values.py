"""What of a kit's data was rebuilt, in words: tables, rows and columns by the names that people read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from pbem.render.narrative import Teller

NAMES = ("name", "short")
"""Columns of names: those of other languages are columns of their own, and told as such."""


@dataclass
class RebuiltTable:
    """The rebuilt values of a table: its name in words, the name of its file, and what each row has of them, as pairs
    of column and value."""

    title: str
    file: str
    rows: dict[str, list[tuple[str, str]]] = field(default_factory=dict)


def rebuilt(teller: Teller) -> list[RebuiltTable]:
    """The rebuilt values of the teller's kit, table by table."""
    kit, tables, columns = teller.kit, teller.words("table"), teller.words("column")
    found: dict[str, RebuiltTable] = {}
    for table, id, column, value in kit.rebuilt():
        text = _text_of_card(teller, id) if column == "text" and table.startswith("card") else ""
        if column not in NAMES:  # a text stands in a column for each language
            text = text or kit.tables.get(table, {}).get(id, {}).get(f"{column}_{teller.code}") or ""
        shown = text or ", ".join(_in_words(teller, one) for one in (value if isinstance(value, tuple) else (value,)))
        named = _in_words(teller, id, "card" if table.startswith("card") else None)
        called = columns.get(column) or column.replace("_", " ")
        of_table = found.setdefault(table, RebuiltTable(tables.get(table, table), f"{table}.csv"))
        of_table.rows.setdefault(named, []).append((called, shown))
    return list(found.values())


def _text_of_card(teller: Teller, id: str) -> str:
    """What is printed on a card, in the reader's language; "" where the phrases do not have it."""
    card = id.partition(":")[0]
    return teller.choice("card", card, "effects") or " ".join(teller.of_kit("hand", "effects", card).split("\n"))


def _in_words(teller: Teller, value: Any, domain: str | None = None) -> str:
    """A key or a value of a table with the names of the things that it speaks of: "Vienna – Linz" for ``vienna:linz``.

    `domain`: the vocabulary that its first part is of; where it is not known, the first that has it.
    """
    if isinstance(value, bool):
        return teller.plain(value)
    if whole := teller.words("cell").get(str(value)):
        return whole
    parts = str(value).split(":")
    return " – ".join(_name(teller, part.strip(), domain if place == 0 else None) for place, part in enumerate(parts))


def _name(teller: Teller, part: str, domain: str | None) -> str:
    """A part of a value: the name of a thing, what the phrases ``[cell]`` call it, or it as it is, readable."""
    labels = teller.kit.labels
    if domain is None:
        domain = next((one for one, ids in labels.items() if part in ids and not part.isdigit()), None)
    if domain is not None and part in labels.get(domain, {}):
        return teller.kit.display(domain, part, teller.code)
    is_id = re.fullmatch(r"[a-z0-9_+]+", part) and not part.isdigit()
    return teller.words("cell").get(part) or (teller.name(part).replace("_", " ") if is_id else part)
