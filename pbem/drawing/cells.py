"""Cells around points, for maps of which only the places are known: what lies nearer to a place than to any other.

The cells of a region's places together are its land; where two cells of different regions meet is a border.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from pbem.drawing.boxes import Point
from pbem.drawing.outlines import areas

CORNERS = 20
"""Of the circle that a cell is where nothing is near."""

COAST = ""
"""What lies across an edge of a cell where no other cell does."""


@dataclass(frozen=True)
class Cell:
    """The corners of a cell in order, and for each what lies across the edge that begins there: a point, or `COAST`."""

    corners: tuple[Point, ...]
    across: tuple[str, ...]


def cells(points: Mapping[str, Point], reach: float) -> dict[str, Cell]:
    """The cell of each point: nearer to it than to any other point, and no further from it than `reach`."""
    rounded = {}
    for id, (x, y) in points.items():
        turns = [2 * math.pi * corner / CORNERS for corner in range(CORNERS)]
        cell = Cell(
            tuple((x + reach * math.cos(turn), y + reach * math.sin(turn)) for turn in turns), (COAST,) * CORNERS
        )
        near = [(math.dist((x, y), other), name) for name, other in points.items() if name != id]
        for distance, name in sorted(near):
            if distance >= 2 * reach:
                break
            cell = _cut(cell, (x, y), points[name], name)
        rounded[id] = Cell(tuple((round(u, 1), round(v, 1)) for u, v in cell.corners), cell.across)
    return rounded


def _cut(cell: Cell, point: Point, other: Point, name: str) -> Cell:
    """What of a cell lies nearer to its point than to another (Sutherland and Hodgman, with one line)."""
    middle = (point[0] + other[0]) / 2, (point[1] + other[1]) / 2
    away = other[0] - point[0], other[1] - point[1]

    def beyond(corner: Point) -> float:
        return (corner[0] - middle[0]) * away[0] + (corner[1] - middle[1]) * away[1]

    corners: list[Point] = []
    across: list[str] = []
    for number, corner in enumerate(cell.corners):
        following = cell.corners[(number + 1) % len(cell.corners)]
        here, there = beyond(corner), beyond(following)
        if here <= 0:
            corners.append(corner)
            across.append(cell.across[number])
        if (here <= 0) != (there <= 0):
            share = here / (here - there)
            crossing = (corner[0] + share * (following[0] - corner[0]), corner[1] + share * (following[1] - corner[1]))
            corners.append(crossing)
            across.append(name if here <= 0 else cell.across[number])
    return Cell(tuple(corners), tuple(across))


def land(cells: Mapping[str, Cell], of: Mapping[str, str]) -> dict[str, str]:
    """The land of each region as path data; `of`: the region of each point."""
    regions: dict[str, list[tuple[Point, ...]]] = {}
    for id, cell in cells.items():
        regions.setdefault(of[id], []).append(cell.corners)
    return {region: areas(polygons) for region, polygons in regions.items()}


def borders(cells: Mapping[str, Cell], of: Mapping[str, str]) -> tuple[str, str]:
    """The borders between regions, and the coasts, each as path data; `of`: the region of each point."""
    between, coasts = [], []
    for id, cell in cells.items():
        for number, name in enumerate(cell.across):
            (x, y), (u, v) = cell.corners[number], cell.corners[(number + 1) % len(cell.corners)]
            line = f"M{x} {y}L{u} {v}"
            if name == COAST:
                coasts.append(line)
            elif of[name] != of[id] and id < name:  # each border once
                between.append(line)
    return " ".join(between), " ".join(coasts)
