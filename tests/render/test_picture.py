"""The picture as PNG."""

import struct
import zlib
from xml.etree import ElementTree

import pytest

from pbem.render.board_svg import board_svg
from pbem.render.picture import MAIL_WIDTH, board_png, mail_width, outline_text
from pbem.table.kit import load_kit
from tests.games.struggle_of_empires.views import played_view

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 50"><rect width="200" height="50" fill="#fff"/>%s</svg>'


def pixels(png: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and rows of RGBA bytes of a PNG of 8 bits a channel."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, data, size = 8, b"", (0, 0)
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            *size, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 6)
        elif kind == b"IDAT":
            data += body
        at += length + 12
    width, height = size
    raw, rows, above = zlib.decompress(data), [], bytes(width * 4)
    for row in range(height):
        start = row * (width * 4 + 1)
        method, line = raw[start], bytearray(raw[start + 1 : start + 1 + width * 4])
        for i in range(len(line)):
            left, up, corner = (line[i - 4] if i > 3 else 0), above[i], (above[i - 4] if i > 3 else 0)
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda value: abs(guess - value))
            line[i] = (line[i] + (0, left, up, (left + up) // 2, paeth)[method]) & 255
        above = bytes(line)
        rows.append(above)
    return width, height, rows


def ink(png: bytes) -> list[tuple[int, int]]:
    """Where a picture is darker than half."""
    width, _, rows = pixels(png)
    return [(x, y) for y, row in enumerate(rows) for x in range(width) if sum(row[4 * x : 4 * x + 3]) < 384]


def box(points: list[tuple[int, int]]) -> tuple[int, int, int, int]:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


@pytest.mark.parametrize("attributes", ['font-family="Nowhere, sans-serif"', "", 'transform="translate(0 0)"'])
def test_text_shows_whatever_the_way_it_is_drawn(attributes):
    dark = ink(board_png(SVG % f'<text x="10" y="35" font-size="30" {attributes}>Baltic</text>', 200))
    assert 250 < len(dark) < 1500
    left, top, right, bottom = box(dark)
    assert 9 <= left <= 14 and 80 <= right <= 105 and 10 <= top <= 16 and 33 <= bottom <= 37


def test_outlines_lie_where_the_text_would():
    inner = (
        '<g font-size="20" text-anchor="%s" font-weight="bold"><text x="100" y="30">East\n Indies <tspan fill="#222" '
        'font-size="14">4/2</tspan></text></g>'
    )
    for anchor in ("start", "middle", "end"):
        drawn = SVG % (inner % anchor)
        assert "<text" not in outline_text(drawn)
        kept = drawn.replace('<text x="100"', '<text dx="0" x="100"')
        assert "<text" in outline_text(kept)
        for mine, theirs in zip(box(ink(board_png(drawn, 200))), box(ink(board_png(kept, 200))), strict=True):
            assert abs(mine - theirs) <= 2, anchor


def test_colours_groups_and_order_survive_the_outlines():
    svg = SVG % (
        '<g fill="#ff0000"><text x="5" y="40" font-size="40">I</text><rect x="0" y="0" width="20" height="50"/>'
        '<text x="60" y="40" font-size="40" fill="#0000ff">I</text><text x="120" y="40" font-size="40">I</text></g>'
    )
    group = ElementTree.fromstring(outline_text(svg))[1]
    assert [child.tag.split("}")[1] for child in group] == ["path", "rect", "path", "path"]
    assert [child.get("fill") for child in group] == [None, None, "#0000ff", None]
    _, _, rows = pixels(board_png(svg, 200))
    seen = {row[4 * x : 4 * x + 3] for row in rows for x in range(200)}
    assert {b"\xff\x00\x00", b"\x00\x00\xff", b"\xff\xff\xff"} <= seen


@pytest.mark.parametrize("letters", ["Württemberg", "Électorat", "Война", "Potosí · 3"])
def test_letters_of_all_languages_have_outlines(letters):
    unknown = outline_text(SVG % '<text x="0" y="0">\ue000</text>')
    assert len({outline_text(SVG % f'<text x="0" y="0">{letter}</text>') for letter in set(letters) - {" "}}) == len(
        set(letters) - {" "}
    )
    assert unknown not in {outline_text(SVG % f'<text x="0" y="0">{letter}</text>') for letter in letters}


def test_a_style_sheet_is_left_to_the_painter():
    styled = SVG % '<style>text { font-size: 40px }</style><text x="10" y="40">A</text>'
    assert "<text" in outline_text(styled)
    assert box(ink(board_png(styled, 200)))[3] - box(ink(board_png(styled, 200)))[1] > 22


@pytest.mark.parametrize("svg", ["", "no picture", "<svg", "<html/>"])
def test_a_broken_picture_is_refused(svg):
    with pytest.raises(ValueError):
        board_png(svg)


@pytest.mark.parametrize("width", [400, MAIL_WIDTH])
def test_the_board_has_the_width_asked_for_and_text_in_its_table(width):
    kit = load_kit("struggle_of_empires")
    view = played_view(kit, 5)
    svg = board_svg(view, kit)
    shape = [float(n) for n in ElementTree.fromstring(svg).get("viewBox").split()]
    wide, high, rows = pixels(board_png(svg, width))
    assert wide == width and abs(high - width * shape[3] / shape[2]) <= 1
    scale = width / 1000
    # "VP" in the first column of the table: second row below the heads
    lines = rows[round((750 + 48 + 28 + 4) * scale) : round((750 + 48 + 56) * scale)]
    columns = range(round(20 * scale), round(60 * scale))
    dark = sum(1 for row in lines for x in columns if sum(row[4 * x : 4 * x + 3]) < 450)
    assert dark > 40 * scale, "no letters where VP should stand"


def test_the_same_picture_is_painted_once():
    first, again, other = board_png(SVG % "<!-- a -->", 50), board_png(SVG % "<!-- a -->", 50), board_png(SVG % "", 60)
    assert first is again and pixels(first)[0] == 50 and pixels(other)[0] == 60


def test_a_high_board_is_painted_narrower_for_a_mail():
    def svg(width: int, height: int) -> str:
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"></svg>'

    assert mail_width(svg(1400, 1700)) == MAIL_WIDTH
    assert 500 < mail_width(svg(1400, 2700)) < MAIL_WIDTH
    with pytest.raises(ValueError, match="viewBox"):
        mail_width("<svg/>")
