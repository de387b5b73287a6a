"""What picture and text of Here I Stand need of a view."""

from dataclasses import dataclass
from typing import ClassVar

from pbem.games.reformation.picture import position

LAND, NAVAL = ("regular", "mercenary", "cavalry"), ("squadron", "corsair")


@dataclass
class Position(position.Position):
    """What picture and text need of a board of this game."""

    land: ClassVar[tuple[str, ...]] = LAND
    naval: ClassVar[tuple[str, ...]] = NAVAL

    def place_name(self, place: str) -> str:
        kind, _, what = place.partition(":")
        if kind == "electorate":
            return f"{self.name('space', what)} ({self.words['waiting']})"
        return super().place_name(place)
