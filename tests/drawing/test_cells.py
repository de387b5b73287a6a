"""Cells around points: land and borders where only places are known."""

import math

from pbem.drawing.cells import COAST, borders, cells, land

POINTS = {"west": (0.0, 0.0), "east": (40.0, 0.0), "far": (500.0, 0.0)}


def _area(corners):
    following = (*corners[1:], corners[0])
    return abs(sum(x * v - u * y for (x, y), (u, v) in zip(corners, following, strict=True))) / 2


def test_a_cell_is_nearer_to_its_point_than_to_any_other():
    found = cells(POINTS, 30)
    for id, cell in found.items():
        for corner in cell.corners:
            own = math.dist(corner, POINTS[id])
            assert own <= 30.1 and all(own <= math.dist(corner, other) + 0.1 for other in POINTS.values())
    assert found["west"].across.count("east") == found["east"].across.count("west") == 1
    assert set(found["far"].across) == {COAST}
    assert _area(found["west"].corners) < _area(found["far"].corners)


def test_borders_lie_between_regions_and_coasts_around_them():
    found = cells(POINTS, 30)
    apart, coasts = borders(found, {"west": "a", "east": "b", "far": "b"})
    assert apart.count("M") == 1 and apart.startswith("M20.0 ")
    together, same_coasts = borders(found, {"west": "a", "east": "a", "far": "b"})
    assert together == "" and coasts == same_coasts and coasts.count("M") > 20
    assert land(found, {"west": "a", "east": "a", "far": "b"}).keys() == {"a", "b"}
