"""The map, and who stands where on it: regions, homes, neighbours, waters, seats and alliances."""

from __future__ import annotations

from functools import lru_cache

from pbem.table.board import Board
from pbem.table.kit import Kit
from pbem.table.orders import Refused
from pbem.table.procedure import Table

UNIT_KINDS = ("army", "navy", "fort")
CONTROL = "control"
OWN_HOME = "home"
PIRATES = "pirates"
SLAVE_REVOLT = "slave_revolt"
RAIDERS = (PIRATES, SLAVE_REVOLT)
"""The two tiles that take a control marker; the places where a taken marker lies have the same names."""


class Map:
    """What the kit says of regions, worked out once: neighbours, waters and whose navies decide where."""

    def __init__(self, kit: Kit):
        rows = kit.tables["regions"]
        self.regions: tuple[str, ...] = tuple(rows)
        self.is_colony = {id: row["kind"] == "colonial" for id, row in rows.items()}
        self.is_sea = {id: row["sea"] for id, row in rows.items()}
        self.colonies = tuple(id for id in rows if self.is_colony[id])
        self.adjacent_homes = {id: row["adjacent"] for id, row in kit.tables["empires"].items()}
        self.homes_by_erratum = {
            id: row.get("adjacent_by_erratum", ()) for id, row in kit.tables["empires"].items()
        }
        self.sea_for: dict[str, str | None] = {id: id if self.is_sea[id] else None for id in rows}
        neighbours: dict[str, list[str]] = {id: [] for id in rows}
        waters: dict[str, list[str]] = {id: [] for id in rows}
        for row in kit.tables["region_connections"].values():
            a, b = row["a"], row["b"]
            if row["kind"] == "naval_reach":
                self.sea_for[b] = a
            else:
                lines = neighbours if row["kind"] == "land" else waters
                lines[a].append(b)
                lines[b].append(a)
        self.neighbours = {id: tuple(areas) for id, areas in neighbours.items()}
        self.same_waters = {id: tuple(areas) for id, areas in waters.items()}


@lru_cache(maxsize=32)
def map_of(kit: Kit) -> Map:
    """The map of a kit."""
    return Map(kit)


def home(power: str) -> str:
    """The place of a power's home country."""
    return f"home:{power}"


def place_of(power: str, named: str) -> str:
    """The place that an order means by a region or by ``home``."""
    return home(power) if named == OWN_HOME else named


def check_region(table: Table, region: str) -> None:
    """Raise `Refused` for what is no region of the map (the JSON form of an order can hold anything)."""
    if region not in map_of(table.kit).is_sea:
        raise Refused("no_region", hints=list(map_of(table.kit).regions), region=region)


def clockwise(board: Board) -> list[str]:
    """The powers as they sit, clockwise."""
    return board.state.get("seating") or board.powers


def from_power(board: Board, power: str) -> list[str]:
    """The powers clockwise, beginning with one."""
    seats = clockwise(board)
    at = seats.index(power)
    return [*seats[at:], *seats[:at]]


def left_of(board: Board, power: str) -> str:
    """The player to the left of one: the next clockwise."""
    return from_power(board, power)[1]


def unallied(board: Board) -> list[str]:
    """The empires that no auction of this war has put in an alliance yet, clockwise."""
    taken = [*board.state.get("alliance_top", []), *board.state.get("alliance_bottom", [])]
    return [power for power in clockwise(board) if power not in taken]


def allies(board: Board, power: str) -> list[str]:
    """The other empires of the same alliance, in the order of its boxes."""
    for row in ("alliance_top", "alliance_bottom"):
        members = board.state.get(row, [])
        if power in members:
            return [other for other in members if other != power]
    return []


def enemies(board: Board, power: str) -> list[str]:
    """The empires of the other alliance, in the order of its boxes."""
    top, bottom = board.state.get("alliance_top", []), board.state.get("alliance_bottom", [])
    return bottom if power in top else top


def navies_for(table: Table, power: str, region: str) -> int:
    """A power's navies that fight at sea for a region (those in the Mediterranean for the Ottoman Empire)."""
    sea = map_of(table.kit).sea_for[region]
    return table.board.count(sea, power, "navy") if sea else 0


def markers_left(table: Table, power: str) -> int:
    """How many control markers a power can still lay on the map (option control_marker_limit)."""
    left = table.board.count("supply", power, CONTROL)
    if table.options["control_marker_limit"] == "with_tracks":
        left -= table.kit.constants["tracks_markers"]
    return max(0, left)


def lay_marker(table: Table, power: str, region: str, *, why: str, section: str) -> bool:
    """Lay a control marker from the own reserve; False, and told, when none is left (ruling no_marker_left)."""
    if not markers_left(table, power):
        table.tell("no_marker_left", power=power, region=region, section=section)
        return False
    table.place(power, CONTROL, region, why=why, section=section)
    return True
