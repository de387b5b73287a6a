"""Counters in rows beside a point, where they cover least of what stands there already."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.drawing.boxes import Box, Point, around
from pbem.drawing.outlines import segment

REACHES = (13, 20, 30, 44, 60, 80, 110, 140, 175, 210)
SPACE = 2  # between counters of a row
FAR = 215


@dataclass(frozen=True)
class Block:
    """Where a block stands, the upper left corners of its counters row by row, and the line to its point."""

    box: Box
    corners: tuple[Point, ...]
    tie: str


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
    point: Point, radius: float, rows: Sequence[Sequence[float]], height: float, obstacles: Iterable[Box], area: Box
) -> Block:
    """Place a block of rows of counters of one height (their widths are given) beside a symbol of some radius."""
    width, tall = block_size(rows, height)
    box = free_box(point, width, tall, obstacles, area)
    corners, top = [], box.y
    for row in rows:
        left = box.x if box.x > point[0] else box.u - row_width(row)
        for wide in row:
            corners.append((left, top))
            left += wide + SPACE
        top += height + 1
    return Block(box, tuple(corners), tie(point, radius, box))


def free_box(point: Point, width: float, height: float, obstacles: Iterable[Box], area: Box) -> Box:
    """Where near a point a box covers least of the obstacles; the nearer the better."""
    around_it = surroundings(point, width, height)
    near = [box for box in obstacles if box.overlap(around_it)]
    best, least = None, math.inf
    for reach in REACHES:
        if reach * 6 >= least:  # all that is further off costs more already
            break
        for liked, box in around(*point, width, height, reach):
            cost = liked * 4 + reach * 6 + 1000 * box.outside(area)
            if cost < least:
                cost += 400 * sum(box.overlap(other) for other in near)
            if cost < least:
                best, least = box, cost
    assert best is not None
    return best


def tie(point: Point, radius: float, box: Box) -> str:
    """A line from a symbol's edge to a box; none where they are close together."""
    x, y = point
    u, v = min(max(x, box.x), box.u), min(max(y, box.y), box.v)
    length = math.hypot(u - x, v - y)
    if length < radius + 5:
        return ""
    start = round(x + (u - x) * radius / length, 1), round(y + (v - y) * radius / length, 1)
    return segment(start, (round(u, 1), round(v, 1)))
