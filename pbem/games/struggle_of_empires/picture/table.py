"""The table below the map: a column for each empire, a row for each region."""

from collections.abc import Iterator
from typing import Any

from pbem.drawing.font import text_width
from pbem.drawing.wrapping import drawn_lines
from pbem.games.struggle_of_empires.picture.pieces import colours, outline, short_name, together
from pbem.games.struggle_of_empires.picture.position import KINDS, TRACKS, Position

WIDTH = 1000
NAME_COLUMN = 196
MARGIN = 12
NOTE, HEAD, VP = 18, 19, 17  # sizes of text
NAMES = (20, 17, 16, 15, 14)  # smaller ones cannot be read on a phone


def table(position: Position, highlight: frozenset[str]) -> dict[str, Any]:
    """A column for each empire: first what it has, then its pieces region by region, with the counters below each."""
    words, powers = position.words, position.powers
    width = (WIDTH - 2 * MARGIN - NAME_COLUMN) / len(powers)
    left = [round(MARGIN + NAME_COLUMN + number * width, 1) for number in range(len(powers))]
    size = 22 if width >= 130 else 20 if width >= 105 else 18
    bands: list[dict[str, Any]] = []
    texts: list[dict[str, Any]] = []
    cells: list[dict[str, Any]] = []
    y = 8.0

    def band(height: float, name: str, *, changed: bool = False, strong: bool = False, vp: str = "") -> float:
        nonlocal y
        bands.append({"y": y, "h": height, "changed": changed, "strong": strong, "name": name, "vp": vp,
                      "base": y + 21, "size": _name_size(name, vp)})  # fmt: skip
        y += height
        return y - height

    heads = [
        {"x": x, "y": y, "w": round(width - 4, 1), "h": 34, **colours(position, power),
         "letter": position.letter(power), "active": power == position.state.get("active"),
         "name": _head_name(position, power, width)}
        for x, power in zip(left, powers, strict=True)
    ]  # fmt: skip
    y += 40
    order = position.state.get("turn_order") or []
    for name, told in (
        ("turn", [_turn(position, order, power) for power in powers]),
        *((track, [position.number(track, power) for power in powers]) for track in TRACKS),
        ("tiles", [str(len(position.tiles[power])) for power in powers]),
    ):
        at = band(28, words[name])
        texts += [{"x": round(x + width / 2, 1), "y": at + 21, "text": text, "note": False}
                  for x, text in zip(left, told, strict=True)]  # fmt: skip
    y += 6
    for region in position.kit.tables["regions"]:
        notes = " · ".join(position.notes(region)).replace(" (", "\u00a0(")
        lines = drawn_lines(notes, WIDTH - 2 * MARGIN - 16, NOTE)
        at = band(30 + 21 * len(lines), position.name("region", region), changed=region in highlight, strong=True,
                  vp=position.vp_text(region))  # fmt: skip
        texts += [
            {"x": MARGIN + 16, "y": at + 30 + 21 * number + 14, "text": line, "note": True}
            for number, line in enumerate(lines)
        ]
        cells += _cells(position, [region] * len(powers), left, width, at, size)
    homes = [f"home:{power}" for power in powers]
    at = band(30, words["home"], changed=bool(highlight.intersection(homes)), strong=True)
    cells += _cells(position, homes, left, width, at, size)
    return {"height": y + 10, "heads": heads, "bands": bands, "texts": texts, "cells": together(cells), "size": size,
            "left": left, "margin": MARGIN, "right": WIDTH - MARGIN}  # fmt: skip


def _name_size(name: str, vp: str) -> float:
    """How large a name is written, so that its VP, as large at most as `VP`, still fit before the first column."""
    for size in NAMES:
        if text_width(f"{name} ", size, True) + text_width(vp, min(size, VP), True) <= NAME_COLUMN - 14:
            return size
    return NAMES[-1]


def _turn(position: Position, order: list[str], power: str) -> str:
    """Place in the turn order and row of the alliance boxes: 3 top."""
    side = position.side(power)
    place = str(order.index(power) + 1) if power in order else ""
    return f"{place} {position.words[side]}".strip() if side else place or "–"


def _head_name(position: Position, power: str, width: float) -> str:
    """The name of an empire as it fits above its column, beside its letter."""
    name, room = short_name(position, power), width - 36
    first, *others = name.replace("-", " ").split()
    if others and text_width(name, HEAD, True) > room:
        name = f"{first[0]}. {others[-1]}"
    if text_width(name, HEAD, True) <= room:
        return name
    while text_width(f"{name}.", HEAD, True) > room:
        name = name[:-1]
    return f"{name}."


def _cells(
    position: Position, places: list[str], left: list[float], width: float, y: float, size: int
) -> Iterator[dict]:
    """The pieces of each empire in one row of the table: shape and number, kind by kind."""
    for place, x, power in zip(places, left, position.powers, strict=True):
        held = [(kind, position.count(place, power, kind)) for kind in KINDS]
        held = [(kind, number) for kind, number in held if number]
        icon = 13
        wide = {number: text_width(str(number), size, True) for _, number in held}
        needed = sum(icon + 3 + wide[number] for _, number in held) + 6 * (len(held) - 1)
        scale = min(1.0, (width - 6) / needed) if held else 1.0
        at = x + (width - 4 - needed * scale) / 2
        for kind, number in held:
            yield {
                "d": outline(kind, round(at, 1), y + 9, round(icon * scale, 1), 12),
                "x": round(at + (icon + 3) * scale, 1), "y": y + 22, "text": str(number),
                "size": round(size * scale, 1), **colours(position, power),
            }  # fmt: skip
            at += (icon + 3 + wide[number] + 6) * scale
