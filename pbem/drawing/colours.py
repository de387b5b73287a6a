"""Colours that can be read."""

DARK, LIGHT = "#1c1c1c", "#ffffff"
PAPER, ACTIVE, EDGE, FAINT = "#fffdf6", "#c2007a", "#6b6455", "#a59f8f"
"""The ground of a display, what has changed or whose turn it is, the edge of a box, one that is hardly seen."""


def ink(fill: str) -> str:
    """Black or white, whichever can be read on a colour (``#rrggbb``)."""
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return DARK if red * 0.3 + green * 0.59 + blue * 0.11 > 140 else LIGHT
