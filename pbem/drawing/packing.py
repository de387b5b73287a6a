"""Pieces of one shape in a box, as large as they can be."""

from collections.abc import Iterator, Mapping
from math import ceil

GAP = 1.5


def pack(
    box: Mapping[str, float], number: int, aspect: float, tallest: float
) -> Iterator[tuple[float, float, float, float]]:
    """Lays a number of pieces into a box (``x, y, w, h``): x, y, width, height of each.

    `aspect`: width of a piece by its height; `tallest`: no piece is higher, even where there is room.
    """
    best, columns = 0.0, 1
    for rows in range(1, number + 1):
        per_row = ceil(number / rows)
        height = min(box["h"] / rows - GAP, (box["w"] / per_row - GAP) / aspect, tallest)
        if height > best:
            best, columns = height, per_row
    rows = ceil(number / columns)
    step_x, step_y = best * aspect + GAP, best + GAP
    for piece in range(number):
        row, column = divmod(piece, columns)
        in_row = min(columns, number - row * columns)
        x = box["x"] + (box["w"] - in_row * step_x + GAP) / 2 + column * step_x
        y = box["y"] + (box["h"] - rows * step_y + GAP) / 2 + row * step_y
        yield round(x, 1), round(y, 1), round(best * aspect, 1), round(best, 1)
