"""A picture of the toy: regions with borders, units and named pieces on them, a line of text that fits.

It shows what a game's picture needs: placement, and nothing outside its own folder.
"""

from typing import Any

from pbem.drawing.blocks import place_block
from pbem.drawing.boxes import Box
from pbem.drawing.colours import ACTIVE, EDGE
from pbem.drawing.counters import HEIGHT, Style, counter, width
from pbem.drawing.items import Item
from pbem.drawing.outlines import areas
from pbem.drawing.position import Position
from pbem.drawing.sheet import Sheet
from pbem.drawing.words import Words
from pbem.drawing.wrapping import wrapped

AREA = Box(0, 0, 300, 160)
REGIONS = {
    "hill": ([(20, 20), (140, 20), (140, 120), (20, 120)], (80, 70), "#c9d8a8"),
    "hollow": ([(140, 20), (280, 40), (280, 120), (140, 120)], (210, 80), "#b8d0c0"),
}
COLOURS = {"red": "#c8352b", "blue": "#2452a4", "green": "#2f7d32", "black": "#222222"}
UNITS, PERSON = Style(), Style("pill", 11, edge=1.6)


def picture(view: dict, words: Words, *, highlight: frozenset[str], title: str | None) -> dict[str, Any]:
    position, sheet = Position(view, words), Sheet()
    sheet.text(20, 145, position.phase() or position.words.get("peace", "peace"), 14, room=260)
    return {
        "regions": [
            {"id": id, "d": areas([corners]), "fill": fill, "edge": ACTIVE if id in highlight else EDGE}
            for id, (corners, _, fill) in REGIONS.items()
        ],
        "blocks": [block for id in REGIONS if (block := _block(position, id))],
        "texts": sheet.texts,
        "title": title,
    }


def _block(position: Position, place: str) -> Item | None:
    counters = [
        (UNITS, str(number), COLOURS[power])
        for power in position.powers
        if (number := position.count(place, power, "unit"))
    ]
    people = [(PERSON, position.name("card", id), COLOURS[p["power"]]) for _, id, p in position.here.get(place, [])]
    rows = [row for row in (counters, people) if row]
    if not rows:
        return None
    widths = [[width(style, text) for style, text, _ in row] for row in rows]
    block = place_block(REGIONS[place][1], 0, widths, HEIGHT, [], AREA)
    chips = [chip for row in rows for chip in row]
    drawn = [
        {"what": style.outline, **counter(style, text, fill, *corner)}
        for (style, text, fill), corner in zip(chips, block.corners, strict=True)
    ]
    return Item(place=place, chips=drawn, box=block.box, tie=block.tie)


def text(view: dict, words: Words) -> str:
    position = Position(view, words)
    told = [f"{id}: {position.count(id, power, 'unit')} {power}" for id in REGIONS for power in position.powers]
    return "\n".join(wrapped(", ".join(told))) + "\n"
