"""Texts that fit, paragraphs, counters, colours, and things that are drawn once."""

import pytest
from markupsafe import Markup

from pbem.drawing import outlines
from pbem.drawing.colours import DARK, LIGHT, ink
from pbem.drawing.counters import OUTLINES, Style, counter, width
from pbem.drawing.font import text_width
from pbem.drawing.ground import small_rings, soft_land
from pbem.drawing.items import Item, once
from pbem.drawing.sheet import SMALLEST, Sheet


def test_a_text_without_room_is_set_smaller_and_then_cut():
    sheet = Sheet()
    for room in (None, 90, 60, 5):
        sheet.text(0, 0, "Circumnavigation", 13, room=room)
    whole, smaller, cut, nothing = sheet.texts
    assert (whole["size"], whole["text"]) == (13, "Circumnavigation")
    assert SMALLEST <= smaller["size"] < 13 and smaller["text"] == "Circumnavigation"
    assert cut["size"] == SMALLEST and cut["text"].startswith("Circ") and cut["text"].endswith("…")
    assert nothing["text"] == "…"
    for text, room in ((smaller, 90), (cut, 60)):
        assert text_width(text["text"], text["size"]) <= room


def test_a_paragraph_ends_below_its_last_line():
    sheet = Sheet()
    below = sheet.lines(10, 100, "Papacy: " + ", ".join(["Campeggio 2"] * 10), 200, 12, 16)
    assert below == 100 + 16 * len(sheet.texts) and len(sheet.texts) > 3
    assert Sheet().lines(0, 50, "", 100) == 66, "an empty paragraph is a line"


@pytest.mark.parametrize("outline", OUTLINES)
def test_a_counter_is_wide_enough_for_its_text(outline):
    style = Style(outline, 12, pad=9)
    drawn = counter(style, "12 3m 2c", "#c8352b", 100, 50)
    assert drawn["w"] == width(style, "12 3m 2c") >= text_width("12 3m 2c", 12, True) + 8.9
    assert drawn["ink"] == LIGHT and drawn["d"].startswith("M1") and 100 < drawn["tx"] < 100 + drawn["w"]
    assert width(style, "") > 10, "an empty counter can be seen"


def test_ink_can_be_read():
    assert (ink("#ffffff"), ink("#e8c420"), ink("#2452a4"), ink("#000000")) == (DARK, DARK, LIGHT, LIGHT)


def test_an_item_is_drawn_once():
    drawn = []
    item = Item(text="x")
    for _ in range(3):
        assert once(lambda thing: drawn.append(thing) or Markup("<x/>"), item) == "<x/>"
    assert drawn == [item]


def test_small_rings_are_found_once():
    square = {"a": {"b", "d"}, "b": {"a", "c"}, "c": {"b", "d"}, "d": {"a", "c"}}
    assert list(small_rings(square)) == [("a", "b", "c", "d")]
    assert list(small_rings(square, longest=3)) == []


def test_soft_land_lies_below_points_and_lines():
    points = {"a": (0, 0), "b": (10, 0), "c": (10, 10), "island": (50, 50)}
    land = soft_land(points, [("a", "b"), ("b", "c"), ("c", "a")], ["island"])
    assert land == {"rings": "M0 0L10 0L10 10Z", "lines": "M0 0L10 0 M10 0L10 10 M10 10L0 0", "discs": "M50 50L50 50"}


@pytest.mark.parametrize("shape", [outlines.circle, outlines.square, outlines.hexagon, outlines.star])
def test_outlines_around_a_point_are_closed(shape):
    assert shape(50, 50, 9).startswith("M") and shape(50, 50, 9).endswith("Z")


def test_a_star_has_its_points():
    assert outlines.star(0, 0, 10).count("L") == 15 and outlines.star(0, 0, 10, points=5).count("L") == 9
