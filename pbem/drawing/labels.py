"""Names beside their points, so that no two overlap and few lie on lines."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbem.drawing.boxes import Box, Line, Point, around

NEAR_X, NEAR_Y = 120, 50  # how far from its point a name can have to do with symbols and other names
ROUNDS = 12
FURTHER, FURTHER_COSTS = 5, 14
LINE_COSTS, OVERLAP_COSTS, OUTSIDE_COSTS = 6, 30, 1000


@dataclass(frozen=True)
class Named:
    """A point with a name: where it lies, the radius of its symbol, and how much room the name takes."""

    point: Point
    radius: float
    size: tuple[float, float]


def place_names(
    names: Mapping[str, Named], symbols: Mapping[str, Box], fixed: Sequence[Box], lines: Sequence[Line], area: Box
) -> dict[str, Box]:
    """Finds a place for every name.

    `symbols`: what of each point the other names keep clear of; `fixed`: names that stand already; `lines` are crossed
    where nothing else is free; `area`: what no name leaves. Every name first takes the place it likes best; then, round
    by round, each moves to the place that is best among the others. The order is that of `names`, so the map looks the
    same every time.
    """
    options = {id: _options(id, names, symbols, fixed, lines, area) for id in names}
    placed = {id: boxes[0][1] for id, boxes in options.items()}
    rivals = {id: _rivals(id, names) for id in names}
    for _ in range(ROUNDS):
        moved = False
        for id, boxes in options.items():
            best = _best(boxes, [placed[other] for other in rivals[id]])
            if best != placed[id]:
                placed[id], moved = best, True
        if not moved:
            break
    return placed


def _options(
    id: str, names: Mapping[str, Named], symbols: Mapping[str, Box], fixed: Sequence[Box], lines: Sequence[Line],
    area: Box,
) -> list[tuple[float, Box]]:  # fmt: skip
    """The places of a name with what each costs, the best first."""
    (x, y), (width, height) = names[id].point, names[id].size
    near_lines = [line for line in lines if _near(line, x, y)]
    near = [box for o, box in symbols.items() if o != id and abs(box.x - x) < NEAR_X and abs(box.y - y) < NEAR_Y]
    near += [box for box in fixed if box.overlap(Box(x - NEAR_X, y - NEAR_Y, x + NEAR_X, y + NEAR_Y))]
    boxes = []
    for reach, far in ((names[id].radius + 4, 0), (names[id].radius + 4 + FURTHER, FURTHER_COSTS)):
        for liked, box in around(x, y, width, height, reach):
            cost = liked + far + LINE_COSTS * sum(box.crossed_by(line) for line in near_lines)
            cost += OUTSIDE_COSTS * box.outside(area) + OVERLAP_COSTS * sum(box.overlap(other) for other in near)
            boxes.append((cost, box))
    return sorted(boxes, key=lambda option: option[0])


def _near(line: Line, x: float, y: float) -> bool:
    (ax, ay), (bx, by) = line
    return min(ax, bx) - 110 < x < max(ax, bx) + 110 and min(ay, by) - 40 < y < max(ay, by) + 40


def _rivals(id: str, names: Mapping[str, Named]) -> list[str]:
    """The points so near that their names could meet."""
    x, y = names[id].point
    return [
        other
        for other, named in names.items()
        if other != id and abs(named.point[0] - x) < 220 and abs(named.point[1] - y) < 60
    ]


def _best(options: Iterable[tuple[float, Box]], others: Sequence[Box]) -> Box:
    return min(options, key=lambda option: option[0] + OVERLAP_COSTS * sum(map(option[1].overlap, others)))[1]
