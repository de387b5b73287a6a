"""2.4: the map, worked out once from the kit: spaces, links, regions, fortresses; and the single numbers of the kit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pbem.table.kit import Kit
from pbem.table.procedure import Table

CATHOLIC, PROTESTANT = "catholic", "protestant"
SIDES = (PROTESTANT, CATHOLIC)
"""In the order of play (C 6.0)."""

NEUTRAL, CLOSED = "neutral", "closed"
"""What a region is besides a side's: its neutral marker still lies there; it is not open yet (11.31)."""

BOX = "box"
OFF_MAP = "off_map"


class Atlas:
    """What the kit says of spaces and regions."""

    def __init__(self, kit: Kit):
        self.spaces: Mapping[str, Mapping[str, Any]] = kit.tables["spaces"]
        self.regions: Mapping[str, Mapping[str, Any]] = kit.tables["regions"]
        links: dict[str, list[str]] = {id: [] for id in self.spaces}
        self.entries: dict[str, tuple[str, ...]] = {}
        """space -> the boxes that an army can enter from it (16.21); these links are no roads."""
        entries: dict[str, list[str]] = {id: [] for id in self.spaces}
        for row in kit.tables["connections"].values():
            joined = entries if BOX in (self.spaces[row["a"]]["kind"], self.spaces[row["b"]]["kind"]) else links
            joined[row["a"]].append(row["b"])
            joined[row["b"]].append(row["a"])
        self.neighbours = {id: tuple(sorted(joined)) for id, joined in links.items()}
        self.entries = {id: tuple(sorted(joined)) for id, joined in entries.items()}
        self.boxes = tuple(id for id, row in self.spaces.items() if row["kind"] == BOX)
        self.cities = tuple(id for id, row in self.spaces.items() if not self.region(id) and id not in self.boxes)
        spaces_of: dict[str, list[str]] = {id: [] for id in self.regions}
        for id in self.spaces:
            region = self.region(id)
            if region:
                spaces_of[region].append(id)
        self.spaces_of = {id: tuple(joined) for id, joined in spaces_of.items()}
        self.electoral_cities = tuple(id for id in self.cities if self.spaces[id]["elector"])

    def region(self, space: str) -> str | None:
        """2.41: the region that a space belongs to; None for an independent city."""
        region = self.spaces[space]["region"]
        return region if region in self.regions else None

    def is_fortress(self, space: str) -> bool:
        """2.44: whether a space is fortified; independent cities can be."""
        return self.spaces[space]["fort_strength"] is not None

    def is_off_map(self, space: str) -> bool:
        """2.41: whether a space is one of the French ones off the map."""
        return bool(self.spaces[space]["off_map"])

    def has_control_level(self, region: str) -> bool:
        """2.42: whether a region can be controlled through its spaces (France and the United Provinces cannot)."""
        return self.regions[region]["control_level"] is not None


@lru_cache(maxsize=32)
def atlas_of(kit: Kit) -> Atlas:
    """The atlas of a kit."""
    return Atlas(kit)


def atlas(table: Table) -> Atlas:
    """The atlas of the game on the table."""
    return atlas_of(table.kit)


def number(table: Table, name: str) -> int:
    """A single number of the kit (table ``numbers``). Raises `KeyError`."""
    return table.kit.tables["numbers"][name]["value"]


def other(side: str) -> str:
    """The opponent."""
    return CATHOLIC if side == PROTESTANT else PROTESTANT


def face(thrown: int) -> int:
    """2.5: what a ten-sided die shows: a result of ten is the face 0."""
    return thrown % 10


def roll(table: Table, what: str, side: str | None, **more: Any) -> int:
    """2.5: throw the ten-sided die of a side; returns the face, 0 to 9."""
    return face(table.roll(what, side, 1, 10, **more)[0])


def distances(table: Table, origins: Sequence[str]) -> dict[str, int]:
    """Space -> the fewest links to the nearest of these spaces, whoever stands between (5.32)."""
    chart = atlas(table)
    steps_to = dict.fromkeys(origins, 0)
    edge = list(steps_to)
    while edge:
        edge = _next(chart, steps_to, edge)
    return steps_to


def _next(chart: Atlas, steps_to: dict[str, int], edge: Sequence[str]) -> list[str]:
    following = []
    for space in edge:
        for near in chart.neighbours[space]:
            if near not in steps_to:
                steps_to[near] = steps_to[space] + 1
                following.append(near)
    return following
