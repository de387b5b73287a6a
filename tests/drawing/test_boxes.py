"""Rectangles, names beside their points, and blocks of counters."""

import math
from itertools import combinations

import pytest

from pbem.drawing.blocks import block_size, free_box, place_block, row_width
from pbem.drawing.boxes import Box, around
from pbem.drawing.labels import Named, place_names

AREA = Box(0, 0, 600, 400)


def test_boxes_know_what_they_share_and_what_runs_through_them():
    box = Box(10, 10, 30, 20)
    assert box.overlap(Box(20, 15, 50, 50)) == 50 and box.overlap(Box(30, 10, 40, 20)) == 0
    assert box.crossed_by(((0, 0), (40, 30))) and box.crossed_by(((20, 0), (20, 40)))
    assert not box.crossed_by(((0, 0), (5, 40))) and not box.crossed_by(((35, 0), (35, 40)))
    assert box.outside(AREA) == 0 and Box(-7, 0, 3, 5).outside(AREA) == 7
    assert Box(590, 390, 604, 410).outside(AREA) == 10
    assert Box.about(20, 15, 20, 10) == box


@pytest.mark.parametrize("reach", [8, 13, 44])
def test_boxes_around_a_point_leave_it_free(reach):
    for liked, box in around(100, 100, 40, 14, reach):
        assert liked >= 0 and (round(box.u - box.x, 6), round(box.v - box.y, 6)) == (40, 14)
        assert not (box.x < 100 < box.u and box.y < 100 < box.v)


def test_names_of_a_crowd_do_not_overlap():
    """A net of points nearer to each other than their names are wide."""
    points = {f"{x}{y}": (60 + 75 * x, 60 + 40 * y) for x in range(7) for y in range(7)}
    names = {id: Named(point, 7, (58, 14)) for id, point in points.items()}
    symbols = {id: Box.about(*point, 18, 18) for id, point in points.items()}
    lines = [(points[f"{x}0"], points[f"{x}6"]) for x in range(7)]
    fixed = [Box.about(300, 20, 200, 16)]
    placed = place_names(names, symbols, fixed, lines, AREA)
    assert list(placed) == list(points)
    for (a, box), (b, other) in combinations(placed.items(), 2):
        assert box.overlap(other) == 0, f"{a} and {b}"
    assert all(box.outside(AREA) == 0 and box.overlap(fixed[0]) == 0 for box in placed.values())
    assert placed == place_names(names, symbols, fixed, lines, AREA)


def test_a_name_moves_for_another():
    alone = place_names({"a": Named((100, 100), 7, (50, 14))}, {}, [], [], AREA)["a"]
    assert alone.x > 100, "to the right is best"
    names = {"a": Named((100, 100), 7, (50, 14)), "b": Named((165, 100), 7, (50, 14))}
    placed = place_names(names, {id: Box.about(*n.point, 18, 18) for id, n in names.items()}, [], [], AREA)
    assert placed["a"].overlap(placed["b"]) == 0


def test_names_that_want_the_same_place_give_way():
    """The name on the right cannot leave the map, so both would stand between the two points."""
    names = {"a": Named((100, 100), 7, (120, 14)), "b": Named((300, 100), 7, (120, 14))}
    symbols, area = {id: Box.about(*n.point, 18, 18) for id, n in names.items()}, Box(0, 0, 310, 200)
    placed = place_names(names, symbols, [], [], area)
    assert placed["a"].overlap(placed["b"]) == 0
    assert sum(box.outside(area) for box in placed.values()) == 0


def test_a_block_stands_where_it_covers_nothing_and_is_tied_when_far():
    point, rows = (300, 200), [[30, 20], [40]]
    assert block_size(rows, 15) == (52, 31) and row_width([30, 20]) == 52
    free = place_block(point, 12, rows, 15, [], AREA)
    assert len(free.corners) == 3 and free.tie == ""
    assert free.corners[0] == (free.box.x, free.box.y) and free.corners[2][1] == free.box.y + 16
    walls = [Box.about(*point, 150, 100)]
    pushed = place_block(point, 12, rows, 15, walls, AREA)
    assert pushed.box.overlap(walls[0]) == 0 and pushed.tie.startswith("M")


def test_a_block_left_of_its_point_is_flush_right():
    walls = [Box(301, 0, 600, 400), Box(0, 0, 600, 190), Box(0, 212, 600, 400)]
    block = place_block((300, 200), 5, [[50], [20]], 10, walls, AREA)
    assert block.box.u <= 301
    assert block.corners[0][0] == block.box.x and block.corners[1][0] == block.box.u - 20


def test_a_line_ends_at_a_counter_and_stays_free():
    """Not in the empty corner of a block, and no later block lies on it."""
    point, wall = (300, 200), Box(200, 188, 600, 330)
    block = place_block(point, 5, [[20], [120]], 10, [wall, Box(0, 60, 600, 180)], AREA)
    counters = [Box(x, y, x + width, y + 10) for (x, y), width in zip(block.corners, (20, 120), strict=True)]
    end = tuple(float(number) for number in block.tie.rpartition("L")[2].split())
    assert min(math.dist(end, (min(max(end[0], c.x), c.u), min(max(end[1], c.y), c.v))) for c in counters) < 0.1
    assert block.way and all(box.crossed_by((point, end)) for box in block.way)
    amid = ((point[0] + end[0]) / 2, (point[1] + end[1]) / 2)
    later = place_block(amid, 5, [[20]], 10, [block.box, *block.way], AREA)
    assert not later.box.crossed_by((point, end))


def test_rows_above_and_below_a_point_stand_amid_it():
    walls = [Box(0, 180, 290, 400), Box(310, 180, 600, 400), Box(0, 200, 600, 400)]
    block = place_block((300, 200), 5, [[20], [80]], 10, walls, AREA)
    assert block.box.x < 300 < block.box.u and block.corners[0][0] < 300 < block.corners[0][0] + 20


@pytest.mark.parametrize("corner", [(3, 3), (597, 3), (3, 397), (597, 397)])
def test_a_block_keeps_to_the_area(corner):
    box = free_box(corner, 60, 30, [], AREA)
    assert box.outside(AREA) == 0 and math.dist(corner, (box.x, box.y)) < 120


def test_the_line_to_a_block_ends_at_a_corner_where_the_way_to_the_nearest_point_is_barred():
    point = (300, 200)
    name, walls = Box(296, 225, 304, 240), [Box(0, 0, 600, 250), Box(0, 250, 280, 500), Box(330, 250, 600, 500)]
    block = place_block(point, 5, [[60]], 15, [name, *walls], Box(0, 0, 600, 600))
    assert block.tie and not any(box.overlap(name) for box in block.way)


def test_what_a_box_covers_is_told_as_far_as_it_counts():
    box, others = Box(0, 0, 10, 10), [Box(5, 5, 20, 20), Box(10, 0, 20, 10), Box(2, 2, 4, 4), Box(30, 30, 40, 40)]
    assert box.met(others) == [others[0], others[2]] and box.touched(others) == others[:3]
    assert box.covered(others) == sum(map(box.overlap, others)) == 29
    assert box.covered(others, 20) == 25
