"""Blocks of counters beside the places of a map: the same for every game, in the styles of each."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from pbem.drawing.blocks import block_size, place_block, surroundings
from pbem.drawing.boxes import Box, Point
from pbem.drawing.counters import HEIGHT, Style, counter
from pbem.drawing.counters import width as counter_width
from pbem.drawing.items import Item

Chips = tuple[tuple[str, str, str], ...]  # of a row of counters: what, text and colour of each
Of = TypeVar("Of", bound=Hashable)


class Stacks:
    """Draws blocks of counters; `styles`: how each kind of counter looks."""

    def __init__(self, styles: Mapping[str, Style]):
        self.styles = styles
        self._size = lru_cache(maxsize=4096)(self._measured)

    def _measured(self, rows: tuple[Chips, ...]) -> tuple[float, float]:
        return block_size(self._widths(rows), HEIGHT)

    def _widths(self, rows: tuple[Chips, ...]) -> list[list[float]]:
        return [[counter_width(self.styles[what], text) for what, text, _ in row] for row in rows]

    def laid(
        self, waiting: Iterable[tuple[Of, Point, tuple[Chips, ...]]],
        draw: Callable[[Of, tuple[Chips, ...], tuple[Box, ...]], Item],
    ) -> list[Item]:  # fmt: skip
        """Blocks as items, the largest of which choose their places first.

        `waiting`: whose block it is, the point that it stands beside, and its rows; `draw` is given whose it is, the
        rows, and the blocks near that stand already, and calls `block`.
        """
        sized = [(of, point, rows, self._size(rows)) for of, point, rows in waiting]
        found: list[Item] = []
        for of, point, rows, (width, height) in sorted(sized, key=lambda one: -one[3][0] * one[3][1]):
            around = surroundings(point, width, height)
            there = (box for block in found for box in (block["box"], *block["way"]))
            found.append(draw(of, rows, tuple(box for box in there if box.overlap(around))))
        return found

    def block(
        self, place: str, rows: tuple[Chips, ...], point: Point, radius: float, obstacles: Sequence[Box], area: Box
    ) -> Item:
        """A block of counters beside a symbol of some radius, clear of the obstacles where it can be."""
        block = place_block(point, radius, self._widths(rows), HEIGHT, obstacles, area)
        chips = [chip for row in rows for chip in row]
        drawn = [
            {"what": what, **counter(self.styles[what], text, fill, *corner)}
            for (what, text, fill), corner in zip(chips, block.corners, strict=True)
        ]
        return Item(place=place, chips=drawn, box=block.box, tie=block.tie, way=block.way)
