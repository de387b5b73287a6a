"""The map of Here I Stand: which part of the board image the spaces take up, and the language zones of its land."""

from functools import partial

from pbem.games.reformation.picture import land_and_sea
from pbem.games.reformation.picture.land_and_sea import WIDTH, Chart

CHART = Chart(left=196, top=18, right=986, bottom=634, zone_column="language", zone_table="languages")
SCALE, HEIGHT, AREA = CHART.scale, CHART.height, CHART.area

on_map = CHART.on_map
layout = partial(land_and_sea.layout, CHART)
drawn = partial(land_and_sea.drawn, CHART)

__all__ = ["AREA", "CHART", "HEIGHT", "SCALE", "WIDTH", "drawn", "layout", "on_map"]
