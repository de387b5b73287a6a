"""The board picture as PNG, for mails: most mail programs show no SVG.

Lines of the class ``thin`` are painted without smoothing: a board has hundreds, each a pixel wide in a mail, and the
shades at their edges would be a tenth of its bytes.

Half the time of painting would go into laying out text, each word as if it were a paragraph. So the words of a board,
short and set by coordinates, are first drawn as outlines, many in one path (`pbem.drawing.font`).
"""

import re
from collections import OrderedDict
from functools import lru_cache
from hashlib import sha256
from threading import Lock

import resvg_py
from lxml import etree
from lxml.etree import _Element as Element

from pbem.drawing.font import FAMILY, font_file, glyph

MAIL_WIDTH = 640  # pixels: as wide as mail programs show a message; a wider picture takes longer and is scaled down
MAIL_PIXELS = 620_000  # of a high board: as many as keep its picture below 250 KB; it is painted narrower for that

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


def mail_width(svg: str) -> int:
    """How wide a board is painted for a mail. Raises ValueError for an SVG that does not say its size."""
    view_box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    if view_box is None:
        raise ValueError("the SVG has no viewBox")
    width, height = map(float, view_box.groups())
    return min(MAIL_WIDTH, int((MAIL_PIXELS * width / height) ** 0.5))


def _paint(svg: str, width: int) -> bytes:
    root = _parse(svg)
    _outline_all(root)
    for lines in root.iterfind(f".//{_SVG}*[@class='thin']"):
        lines.set("shape-rendering", "crispEdges")
    return resvg_py.svg_to_bytes(
        svg_string=etree.tostring(root, encoding="unicode"),
        width=width,
        background="#ffffff",
        skip_system_fonts=True,
        font_files=[str(font_file(style)) for style in ("Regular", "Bold")],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
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
    path: Element | None = None
    colours: dict[str, str] = {}
    outlines: list[str] = []  # of the path that is being made of neighbouring texts

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
    return {name: value for name in ("fill", "opacity") if (value := element.get(name)) is not None}


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
    parts = [(re.sub(r"[ \t\r\n]+", " ", words), styled, colours) for words, styled, colours in parts]
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
    glyphs = [[glyph(letter, bold, size) for letter in words] for words, bold, size in parts]
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
