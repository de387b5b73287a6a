"""Rectangles: what they share, what runs through them, and where around a point one of some size can stand."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Point = tuple[float, float]
Line = tuple[Point, Point]


@dataclass(frozen=True)
class Box:
    """A rectangle: left, top, right, bottom."""

    x: float
    y: float
    u: float
    v: float

    @classmethod
    def about(cls, x: float, y: float, width: float, height: float) -> "Box":
        """The box of a size that has a point as its middle."""
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    def overlap(self, other: "Box") -> float:
        """The area that two boxes share."""
        if self.x >= other.u or other.x >= self.u or self.y >= other.v or other.y >= self.v:
            return 0.0
        width = min(self.u, other.u) - max(self.x, other.x)
        return width * (min(self.v, other.v) - max(self.y, other.y))

    def met(self, others: Iterable["Box"]) -> list["Box"]:
        """Those of many boxes that share an area with this one."""
        x, y, u, v = self.x, self.y, self.u, self.v
        return [one for one in others if one.x < u and x < one.u and one.y < v and y < one.v]

    def touched(self, others: Iterable["Box"]) -> list["Box"]:
        """Those of many boxes that share an area with this one, or an edge."""
        x, y, u, v = self.x, self.y, self.u, self.v
        return [one for one in others if one.x <= u and x <= one.u and one.y <= v and y <= one.v]

    def covered(self, others: Iterable["Box"], enough: float = math.inf) -> float:
        """The area that the box shares with others; where it is `enough` or more, it is not told how much more."""
        total = 0.0
        for other in self.met(others):
            total += self.overlap(other)
            if total >= enough:
                break
        return total

    def outside(self, area: "Box") -> float:
        """How far the box leaves an area."""
        return max(0.0, area.x - self.x, area.y - self.y, self.u - area.u, self.v - area.v)

    def crossed_by(self, line: Line) -> bool:
        """Whether a line runs through the box (Liang and Barsky); most lie wholly on one side of it."""
        a, b = line
        if (a[0] < self.x and b[0] < self.x) or (a[0] > self.u and b[0] > self.u):
            return False
        if (a[1] < self.y and b[1] < self.y) or (a[1] > self.v and b[1] > self.v):
            return False
        low, high = 0.0, 1.0
        dx, dy = b[0] - a[0], b[1] - a[1]
        for step, room in ((-dx, a[0] - self.x), (dx, self.u - a[0]), (-dy, a[1] - self.y), (dy, self.v - a[1])):
            if step == 0:
                if room < 0:
                    return False
            elif step < 0:
                low = max(low, room / step)
            else:
                high = min(high, room / step)
        return low <= high


def around(x: float, y: float, w: float, h: float, reach: float) -> Iterator[tuple[float, Box]]:
    """Places for a box of this size around a point: how little they are liked (0 best), and the box."""
    ring = [
        (0, x + reach, y - h / 2), (1, x - reach - w, y - h / 2),
        (2, x - w / 2, y + reach), (2, x - w / 2, y - reach - h),
        (3, x + reach * 0.7, y + reach * 0.55), (3, x + reach * 0.7, y - reach * 0.55 - h),
        (4, x - reach * 0.7 - w, y + reach * 0.55), (4, x - reach * 0.7 - w, y - reach * 0.55 - h),
        (5, x - w * 0.2, y + reach), (5, x - w * 0.8, y + reach), (5, x - w * 0.2, y - reach - h),
        (5, x - w * 0.8, y - reach - h), (5, x + reach, y - h * 0.95), (5, x + reach, y - h * 0.05),
        (6, x - reach - w, y - h * 0.95), (6, x - reach - w, y - h * 0.05),
    ]  # fmt: skip
    if reach > 20:  # further off, turn around the point
        for turn in range(30):
            c, s = math.cos(math.pi * (turn + 0.5) / 15), math.sin(math.pi * (turn + 0.5) / 15)
            ring.append((6, x + c * (reach + w / 2) - w / 2, y + s * (reach + h / 2) - h / 2))
    for liked, left, top in ring:
        yield liked, Box(left, top, left + w, top + h)
