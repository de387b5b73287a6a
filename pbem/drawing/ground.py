"""Soft land below a net of points and lines, for maps that show no borders."""

from collections.abc import Collection, Iterator, Mapping

from pbem.drawing.boxes import Point
from pbem.drawing.outlines import segment

LONGEST_RING = 6


def soft_land(
    points: Mapping[str, Point], lines: Collection[tuple[str, str]], discs: Collection[str]
) -> dict[str, str]:
    """Land as path data: ``rings`` to fill, ``lines`` and ``discs`` to draw with a broad round pen.

    `lines`: pairs of points that the land joins; it fills the small rings that they close. `discs`: points around which
    there is land though no line leads there.
    """
    near: dict[str, set[str]] = {}
    for a, b in lines:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    rings = ["M" + "L".join(f"{x} {y}" for x, y in (points[id] for id in ring)) + "Z" for ring in small_rings(near)]
    return {
        "rings": " ".join(rings),
        "lines": " ".join(segment(points[a], points[b]) for a, b in lines),
        "discs": " ".join(segment(points[id], points[id]) for id in discs),
    }


def small_rings(near: Mapping[str, set[str]], longest: int = LONGEST_RING) -> Iterator[tuple[str, ...]]:
    """The rings of at most so many points, each once: begun at its first point by name, in one direction."""
    for start in sorted(near):
        paths: list[tuple[str, ...]] = [(start,)]
        for _ in range(longest - 1):
            paths = [(*path, n) for path in paths for n in sorted(near[path[-1]]) if n > start and n not in path]
            yield from (path for path in paths if len(path) > 2 and path[1] < path[-1] and start in near[path[-1]])
