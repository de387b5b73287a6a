"""Outlines as path data of SVG."""

import math
from collections.abc import Iterable, Mapping

Point = tuple[float, float]


def segment(a: Point, b: Point) -> str:
    """A line; one from a point to itself is drawn as a disc by a round pen."""
    return f"M{a[0]} {a[1]}L{b[0]} {b[1]}"


def areas(polygons: Iterable[Iterable[Point]]) -> str:
    """Closed areas, such as the land of a region with its islands, from their corners."""
    return " ".join("M" + " ".join(f"{x} {y}" for x, y in polygon) + "Z" for polygon in polygons)


def rectangles(cells: Iterable[Mapping[str, float]]) -> str:
    """Many cells (``x, y, w, h``) as one path: a picture of few elements is painted much faster."""
    return "".join(f"M{cell['x']} {cell['y']}h{cell['w']}v{cell['h']}h-{cell['w']}z" for cell in cells)


def circle(x: float, y: float, r: float) -> str:
    """A circle around a point."""
    return f"M{x - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0Z"


def square(x: float, y: float, r: float) -> str:
    """A square around a point, its sides twice `r`."""
    return f"M{x - r:.1f} {y - r:.1f}h{2 * r:.1f}v{2 * r:.1f}h{-2 * r:.1f}Z"


def hexagon(x: float, y: float, r: float) -> str:
    """A regular hexagon around a point, with a corner to the right."""
    return _corners(x, y, [r] * 6, 0)


def star(x: float, y: float, r: float, points: int = 8, inner: float = 0.72) -> str:
    """A star around a point; `inner`: how far the corners between its points reach, as a share of `r`."""
    return _corners(x, y, [r, r * inner] * points, 0.125)


def _corners(x: float, y: float, reaches: list[float], turned: float) -> str:
    parts = []
    for corner, reach in enumerate(reaches):
        angle = math.pi * (2 * corner / len(reaches) + turned)
        parts.append(f"{x + reach * math.cos(angle):.1f} {y + reach * math.sin(angle):.1f}")
    return "M" + "L".join(parts) + "Z"


def rounded(x: float, y: float, w: float, h: float, r: float) -> str:
    """A box with rounded corners; a pill, if `r` is half its height."""
    return (f"M{x + r:.1f} {y:.1f}h{w - 2 * r:.1f}a{r} {r} 0 0 1 {r} {r}v{h - 2 * r:.1f}a{r} {r} 0 0 1 -{r} {r}"
            f"h{2 * r - w:.1f}a{r} {r} 0 0 1 -{r} -{r}v{2 * r - h:.1f}a{r} {r} 0 0 1 {r} -{r}Z")  # fmt: skip


def pointed(x: float, y: float, w: float, h: float) -> str:
    """A box with a point to the left and to the right."""
    return f"M{x:.1f} {y + h / 2:.1f}l5 {-h / 2:.1f}h{w - 10:.1f}l5 {h / 2:.1f}l-5 {h / 2:.1f}h{10 - w:.1f}Z"


def battlements(x: float, y: float, w: float, h: float, deep: float = 3) -> str:
    """A wall with three teeth."""
    step, d = w / 5, f"{deep:g}"
    return (f"M{x:.1f} {y + h:.1f}v{-h:.1f}h{step:.1f}v{d}h{step:.1f}v-{d}h{step:.1f}v{d}h{step:.1f}v-{d}"
            f"h{step:.1f}v{h:.1f}Z")  # fmt: skip
