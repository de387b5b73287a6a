"""One counter: how wide it is for its text, and its outline."""

from dataclasses import dataclass
from functools import lru_cache

from pbem.drawing.colours import ink
from pbem.drawing.font import text_width
from pbem.drawing.outlines import battlements, pointed, rounded

HEIGHT = 15  # of a row of counters
NARROWEST = 17


@dataclass(frozen=True)
class Style:
    """How a kind of counter looks: outline (see `OUTLINES`), size of its text, room beside that, width of its edge."""

    outline: str = "box"
    size: float = 12
    pad: float = 8
    edge: float = 1


OUTLINES = {
    "box": lambda x, y, w, h: rounded(x, y, w, h, 2),
    "pill": lambda x, y, w, h: rounded(x, y, w, h, 7),
    "pointed": pointed,
    "wall": battlements,
}


@lru_cache(maxsize=1024)
def width(style: Style, text: str) -> float:
    """How wide a counter with a text is."""
    return round(max(text_width(text, style.size, True) + style.pad, NARROWEST), 1)


def counter(style: Style, text: str, fill: str, x: float, y: float) -> dict:
    """A counter with its upper left corner at a point, as the macro ``block`` of the shared template draws it."""
    w, h = width(style, text), HEIGHT - 1
    lower = 0.5 if style.outline == "wall" else 0
    return {"text": text, "fill": fill, "ink": ink(fill), "size": style.size, "edge": style.edge, "w": w,
            "d": OUTLINES[style.outline](x, y, w, h), "tx": round(x + w / 2, 1),
            "ty": round(y + h - 3 + lower, 1)}  # fmt: skip
