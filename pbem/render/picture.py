"""The board picture as PNG, for mails: most mail programs show no SVG.

Half the time of painting would go into laying out text, each word as if it were a paragraph. So the words of a board,
short and set by coordinates, are first drawn as outlines, many in one path. The font lies in the folder `fonts`
(Roboto 2.138, unchanged, with its Apache License): a picture looks the same on every machine, and none needs fonts of
the system.
"""

import re
from collections import OrderedDict
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from threading import Lock

import resvg_py
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont
from lxml import etree
from lxml.etree import _Element as Element

FONT = "Roboto"
MAIL_WIDTH = 640  # pixels: as wide as mail programs show a message; a wider picture takes longer and is scaled down

PICTURES_KEPT = 64  # of some 100 KB each

_pictures: OrderedDict[tuple[bytes, int], bytes] = OrderedDict()
_pictures_lock = Lock()

_SVG = "{http://www.w3.org/2000/svg}"
_INHERITED = ("font-size", "font-weight", "text-anchor")
_DRAWN = {"x", "y", "id", "class", "fill", "opacity", *_INHERITED}  # a text with other attributes is left to resvg
_DRAWN_INSIDE = {"fill", "font-size", "font-weight"}


def board_png(svg: str, width: int = 1000) -> bytes:
    """Paints an SVG document and returns a PNG of the given width in pixels. Raises ValueError for a broken SVG.

    The last pictures are remembered: where the seats of a campaign see the same board, it is painted once for all.
    """
    key = (sha256(svg.encode("utf-8", "surrogatepass")).digest(), width)
    with _pictures_lock:
        if key in _pictures:
            _pictures.move_to_end(key)
            return _pictures[key]
    painted = _paint(svg, width)
    with _pictures_lock:
        _pictures[key] = painted
        if len(_pictures) > PICTURES_KEPT:
            _pictures.popitem(last=False)
    return painted


def _paint(svg: str, width: int) -> bytes:
    root = _parse(svg)
    _outline_all(root)
    return resvg_py.svg_to_bytes(
        svg_string=etree.tostring(root, encoding="unicode"),
        width=width,
        background="#ffffff",
        skip_system_fonts=True,
        font_files=[str(_font_file(style)) for style in ("Regular", "Bold")],
        font_family=FONT,
        sans_serif_family=FONT,
    )


def outline_text(svg: str) -> str:
    """Returns the document with its texts as paths, those with a style sheet or unusual attributes left as they are.

    Raises ValueError if the document is not well-formed XML.
    """
    root = _parse(svg)
    _outline_all(root)
    return etree.tostring(root, encoding="unicode")


def _parse(svg: str) -> Element:
    parser = etree.XMLParser(resolve_entities=False, remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        return etree.fromstring(svg, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"the SVG is not well-formed: {error}") from error


def _outline_all(root: Element) -> None:
    if root.find(f".//{_SVG}style") is None:
        _outline(root, {"font-size": "16", "font-weight": "normal", "text-anchor": "start"})


def _outline(element: Element, style: dict[str, str]) -> None:
    if not len(element):
        return
    style = _styled(element, style)
    path, colours, outlines = None, {}, []  # the path that is being made of neighbouring texts

    def finish() -> None:
        if path is not None:
            path.set("d", "".join(outlines))

    for child in list(element):
        drawn = _draw(child, style) if child.tag == f"{_SVG}text" else None
        if drawn is None:
            _outline(child, style)
            finish()
            path = None
            continue
        for its_colours, outline in drawn:
            if path is None or its_colours != colours:
                finish()
                path, colours, outlines = etree.Element(f"{_SVG}path", its_colours), its_colours, []
                child.addprevious(path)
            outlines.append(outline)
        element.remove(child)
    finish()


def _styled(element: Element, style: dict[str, str]) -> dict[str, str]:
    return {name: element.get(name, value) for name, value in style.items()}


def _colours(element: Element) -> dict[str, str]:
    return {name: element.get(name) for name in ("fill", "opacity") if element.get(name) is not None}


def _draw(text: Element, style: dict[str, str]) -> list[tuple[dict, str]] | None:
    """The parts of a text as (colours, outline), or None if it has what this module does not draw."""
    spans = list(text)
    if not _DRAWN.issuperset(text.keys()) or any(
        span.tag != f"{_SVG}tspan" or len(span) or not _DRAWN_INSIDE.issuperset(span.keys()) for span in spans
    ):
        return None
    style = _styled(text, style)
    parts = [(text.text or "", style, _colours(text))]
    for span in spans:
        parts.append((span.text or "", _styled(span, style), {**_colours(text), **_colours(span)}))
        parts.append((span.tail or "", style, _colours(text)))
    parts = [(re.sub(r"[ \t\r\n]+", " ", words), *rest) for words, *rest in parts]
    parts[0] = (parts[0][0].lstrip(" "), *parts[0][1:])
    parts[-1] = (parts[-1][0].rstrip(" "), *parts[-1][1:])
    try:
        x, y = float(text.get("x", 0)), float(text.get("y", 0))
        sized = tuple(
            (words, part_style["font-weight"] == "bold", round(float(part_style["font-size"]), 1))
            for words, part_style, _ in parts
        )
    except ValueError:  # units or lists of coordinates
        return None
    outlines = _written(sized, x, y, style["text-anchor"])
    return [(colours, outline) for (_, _, colours), outline in zip(parts, outlines, strict=True) if outline]


@lru_cache(maxsize=4096)  # some 1 KB each
def _written(parts: tuple[tuple[str, bool, float], ...], x: float, y: float, anchor: str) -> tuple[str, ...]:
    """The outlines of the parts of a text (words, whether bold, size) that follow each other from a place on."""
    glyphs = [[_glyph(letter, bold, size) for letter in words] for words, bold, size in parts]
    length = sum(advance for part in glyphs for _, advance in part)
    x -= {"middle": length / 2, "end": length}.get(anchor, 0)
    drawn = []
    for part in glyphs:
        outline = []
        for shape, advance in part:
            if shape:
                outline.append(f"M{x:.2f} {y:.2f}{shape}")
            x += advance
        drawn.append("".join(outline))
    return tuple(drawn)


# --- the font ---


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


def _font_file(style: str):
    return files("pbem.render") / "fonts" / f"{FONT}-{style}.ttf"


@lru_cache
def _font(bold: bool) -> tuple:
    font = TTFont(str(_font_file("Bold" if bold else "Regular")), lazy=True)
    return font.getGlyphSet(), font.getBestCmap(), font["head"].unitsPerEm


@lru_cache(maxsize=4096)
def _glyph(letter: str, bold: bool, size: float) -> tuple[str, float]:
    """The outline of a letter, relative to its place on the base line, and how far it moves on."""
    glyphs, names, units = _font(bold)
    glyph = glyphs[names.get(ord(letter), ".notdef")]
    pen = _RelativePen(glyphs, size / units)
    glyph.draw(pen)
    return "".join(pen.data), glyph.width * size / units
