"""The map of Europe of Virgin Queen: which part of the kit's coordinates it takes up, and the colours of regions."""

from functools import partial

from pbem.games.reformation.picture import land_and_sea
from pbem.games.reformation.picture.land_and_sea import WIDTH, Chart

CHART = Chart(
    left=14, top=62, right=1000, bottom=1000, zone_column="region", none="none",
    colours=(("england", "#e3c1b4"), ("scotland", "#d8c6df"), ("france", "#c3cfe6"), ("netherlands", "#efcf9f")),
)  # fmt: skip
SCALE, HEIGHT, AREA = CHART.scale, CHART.height, CHART.area

on_map = CHART.on_map
layout = partial(land_and_sea.layout, CHART)
drawn = partial(land_and_sea.drawn, CHART)

__all__ = ["AREA", "CHART", "HEIGHT", "SCALE", "WIDTH", "drawn", "layout", "on_map"]
