"""The font of the pictures: how wide a text is, and the outlines of its letters.

It lies in the folder `fonts` (Roboto 2.138, unchanged, with its Apache License): a picture looks the same on every
machine, and none needs fonts of the system.
"""

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from threading import RLock
from typing import Any

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

FAMILY = "Roboto"
OTHER_FONTS = 1.06
"""How much wider than in Roboto a text may be: a browser without it shows pictures in a font of the system."""

_reading = RLock()
"""Held while the font is read: fontTools unpacks tables and letters at their first use, which two threads may not do
at once."""


@lru_cache(maxsize=8192)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """How much room a text of a size takes, in any of the fonts that may show it."""
    widths = _widths(bold)
    return sum(widths[letter] for letter in text) * size * OTHER_FONTS


def font_file(style: str) -> Any:
    """The file of a style, such as "Regular" or "Bold"."""
    return files("pbem.drawing") / "fonts" / f"{FAMILY}-{style}.ttf"


@lru_cache(maxsize=4096)
def glyph(letter: str, bold: bool, size: float) -> tuple[str, float]:
    """The outline of a letter as path data, relative to its place on the base line, and how far it moves on."""
    with _reading:
        glyphs, names, units = _font(bold)
        drawn = glyphs[names.get(ord(letter), ".notdef")]
        pen = _RelativePen(glyphs, size / units)
        drawn.draw(pen)
        return "".join(pen.data), drawn.width * size / units


@lru_cache
def _font(bold: bool) -> tuple:
    font = TTFont(str(font_file("Bold" if bold else "Regular")), lazy=True)
    return font.getGlyphSet(), font.getBestCmap(), font["head"].unitsPerEm


@lru_cache
def _widths(bold: bool) -> "_Widths":
    return _Widths(bold)


class _Widths(dict[str, float]):
    """How far letters move on at size 1, looked up in the font when first needed."""

    def __init__(self, bold: bool):
        self._bold = bold

    def __missing__(self, letter: str) -> float:
        with _reading:
            glyphs, names, units = _font(self._bold)
            self[letter] = glyphs[names.get(ord(letter), ".notdef")].width / units
        return self[letter]


class _RelativePen(BasePen):
    """Writes a glyph as path data relative to where it is put."""

    def __init__(self, glyphs, scale: float):
        super().__init__(glyphs)
        self.scale = scale
        self.at = self.start = (0.0, 0.0)
        self.data: list[str] = []

    def _steps(self, *points: tuple[float, float]) -> Iterator[str]:
        origin = self.at
        for x, y in points:
            self.at = (round(x * self.scale, 2), round(-y * self.scale, 2))
            yield f"{_short(self.at[0] - origin[0])} {_short(self.at[1] - origin[1])}"

    def _moveTo(self, pt):
        self.data += ["m", *self._steps(pt)]
        self.start = self.at

    def _lineTo(self, pt):
        self.data += ["l", *self._steps(pt)]

    def _qCurveToOne(self, pt1, pt2):
        self.data += ["q", " ".join(self._steps(pt1, pt2))]

    def _curveToOne(self, pt1, pt2, pt3):
        self.data += ["c", " ".join(self._steps(pt1, pt2, pt3))]

    def _closePath(self):
        self.data.append("z")
        self.at = self.start


def _short(number: float) -> str:
    """A number with at most two decimals, and none that say nothing: 3, -0.4."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
