"""Counters in rows beside a point, where they cover least of what stands there already."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pbem.drawing.boxes import Box, Line, Point, around
from pbem.drawing.outlines import segment

REACHES = (13, 20, 30, 44, 60, 80, 110, 140, 175, 210)
SPACE = 2  # between counters of a row
FAR = 215
TIED = 20  # from here on a line shows whose a block is
POINT = 2  # what lies there is the place itself, or the name of a sea
STEP = 4  # between the boxes that stand for a line
COVERED_COSTS = 400
"""What it costs a place to cover a unit of what stands there already."""
CROSSED_COSTS = 100
"""What it costs a place that the line to it runs through a symbol or a name: as much as 17 units further off."""


@dataclass(frozen=True)
class Block:
    """Where a block stands, the upper left corners of its counters row by row, the line to its point, and what lies
    under that line: later blocks keep clear of it."""

    box: Box
    corners: tuple[Point, ...]
    tie: str
    way: tuple[Box, ...] = ()


def row_width(widths: Sequence[float]) -> float:
    """How wide counters of such widths are in a row."""
    return sum(width + SPACE for width in widths) - SPACE


def block_size(rows: Sequence[Sequence[float]], height: float) -> tuple[float, float]:
    """Width and height of a block of rows of counters, of which the widths are given."""
    return max(map(row_width, rows)), len(rows) * (height + 1) - 1


def surroundings(point: Point, width: float, height: float) -> Box:
    """What lies so near a point that a box of this size beside it could cover it."""
    x, y = point
    return Box(x - width - FAR, y - height - FAR, x + width + FAR, y + height + FAR)


def place_block(
    point: Point, radius: float, rows: Sequence[Sequence[float]], height: float, obstacles: Sequence[Box], area: Box
) -> Block:
    """Place a block of rows of counters of one height (their widths are given) beside a symbol of some radius."""
    width, tall = block_size(rows, height)
    near = surroundings(point, width, tall).met(obstacles)
    box = free_box(point, width, tall, near, area)
    counters, top = [], box.y
    for row in rows:
        left = _left_of(row, box, point)
        for wide in row:
            counters.append(Box(left, top, left + wide, top + height))
            left += wide + SPACE
        top += height + 1
    # to a counter: the corner of a block may be empty
    foreign = _foreign(point, near)
    ends = [end for counter in counters for end in _ends(counter, point)]
    end = min(ends, key=lambda end: (_crossings((point, end), foreign), math.dist(point, end)))
    drawn = tie(point, radius, end)
    way = tuple(_way(point, end)) if drawn else ()
    return Block(box, tuple((counter.x, counter.y) for counter in counters), drawn, way)


def _left_of(row: Sequence[float], box: Box, point: Point) -> float:
    """Where a row begins: flush with the side of the block that is nearer to the point, amid it above and below."""
    if box.x > point[0]:
        return box.x
    room = box.u - box.x - row_width(row)
    return box.x + room if box.u < point[0] else box.x + min(max(point[0] - box.x - row_width(row) / 2, 0), room)


def free_box(point: Point, width: float, height: float, obstacles: Iterable[Box], area: Box) -> Box:
    """Where near a point a box covers least of the obstacles; the nearer the better."""
    near = surroundings(point, width, height).met(obstacles)
    foreign = _foreign(point, near)
    best, least = None, math.inf
    for reach in REACHES:
        if reach * 6 >= least:  # all that is further off costs more already
            break
        for liked, box in around(*point, width, height, reach):
            cost = liked * 4 + reach * 6 + 1000 * box.outside(area)
            if cost < least:
                cost += COVERED_COSTS * box.covered(near, (least - cost) / COVERED_COSTS)
            if cost < least and reach >= TIED:
                cost += CROSSED_COSTS * _fewest(point, _ends(box, point), foreign)
            if cost < least:
                best, least = box, cost
    assert best is not None
    return best


def _foreign(point: Point, obstacles: Iterable[Box]) -> list[Box]:
    """The obstacles through which no line from a point should run: all but those that it begins in."""
    begun_in = Box.about(*point, POINT, POINT).met(obstacles)
    return [box for box in obstacles if box not in begun_in]


def _ends(box: Box, point: Point) -> Iterator[Point]:
    """Where a line from a point may end at a box: where the box is nearest, or at one of its corners."""
    yield _nearest(box, point)
    yield from ((box.x, box.y), (box.u, box.y), (box.x, box.v), (box.u, box.v))


def _crossings(line: Line, boxes: Iterable[Box]) -> int:
    """How many of some boxes a line runs through."""
    (x, y), (u, v) = line
    return sum(box.crossed_by(line) for box in Box(min(x, u), min(y, v), max(x, u), max(y, v)).touched(boxes))


def _fewest(point: Point, ends: Iterable[Point], boxes: Sequence[Box]) -> int:
    """How many of some boxes the line from a point runs through which runs through fewest."""
    fewest = len(boxes)
    for end in ends:
        fewest = min(fewest, _crossings((point, end), boxes))
        if not fewest:
            break
    return fewest


def tie(point: Point, radius: float, end: Point) -> str:
    """A line from a symbol's edge to a point of a box; none where they are close together."""
    x, y = point
    u, v = end
    length = math.hypot(u - x, v - y)
    if length < radius + 5:
        return ""
    start = round(x + (u - x) * radius / length, 1), round(y + (v - y) * radius / length, 1)
    return segment(start, (round(u, 1), round(v, 1)))


def _way(start: Point, end: Point) -> Iterator[Box]:
    """Small boxes along a line."""
    steps = int(math.dist(start, end) / STEP)
    for step in range(1, steps):
        part = step / steps
        yield Box.about(start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part, STEP, STEP)


def _nearest(box: Box, point: Point) -> Point:
    """The point of a box that lies nearest to another."""
    return min(max(point[0], box.x), box.u), min(max(point[1], box.y), box.v)
