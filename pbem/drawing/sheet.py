"""A sheet of displays: boxes, texts that fit, and paragraphs."""

from dataclasses import dataclass, field
from functools import lru_cache

from pbem.drawing.colours import DARK, EDGE
from pbem.drawing.font import text_width
from pbem.drawing.items import Item
from pbem.drawing.wrapping import drawn_lines

SMALLEST = 9  # a text that does not fit even so is cut


@dataclass
class Sheet:
    """What displays are drawn of, in the order of painting: boxes behind, boxes, paths, texts."""

    behind: list[Item] = field(default_factory=list)
    boxes: list[Item] = field(default_factory=list)
    paths: list[dict] = field(default_factory=list)
    texts: list[Item] = field(default_factory=list)

    def box(self, x, y, w, h, fill, edge=EDGE, wide=1):
        """A box with an edge of some width."""
        self.boxes.append(box(x, y, w, h, fill, edge, wide))

    def box_behind(self, x, y, w, h, fill, edge=EDGE, wide=1):
        """A box behind all others, for what is known only when they are drawn."""
        self.behind.append(box(x, y, w, h, fill, edge, wide))

    def text(self, x, y, text, size=13, *, bold=False, anchor="start", fill=DARK, room=None):
        """A text on its base line; where it has no `room` it is set smaller, and from `SMALLEST` on cut."""
        self.texts.append(fitted(x, y, str(text), size, bold, anchor, fill, room))

    def lines(self, x, y, text, room, size=12.5, step=16) -> float:
        """A paragraph; returns the y below it."""
        for line in drawn_lines(text, room, size) or [""]:
            self.text(x, y, line, size, room=room)
            y += step
        return y


@lru_cache(maxsize=4096, typed=True)  # 8 and 8.0 are written differently
def box(x: float, y: float, w: float, h: float, fill: str, edge: str, wide: float) -> Item:
    """A box as the macro ``box`` of the shared template draws it."""
    return Item(x=round(x, 1), y=round(y, 1), w=round(w, 1), h=round(h, 1), fill=fill, edge=edge, wide=wide)


@lru_cache(maxsize=8192, typed=True)
def fitted(
    x: float, y: float, text: str, size: float, bold: bool, anchor: str, fill: str, room: float | None
) -> Item:
    """A text as the macro ``text`` of the shared template draws it, set smaller or cut where it has no room."""
    if room is not None:
        while size > SMALLEST and text_width(text, size, bold) > room:
            size -= 0.5
        if text_width(text, size, bold) > room:
            while text and text_width(text + "…", size, bold) > room:
                text = text[:-1]
            text += "…"
    return Item(x=round(x, 1), y=round(y, 1), text=text, size=size, bold=bold, anchor=anchor, fill=fill)
