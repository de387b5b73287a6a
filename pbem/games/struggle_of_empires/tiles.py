"""Tiles: who has which, what they cost, how they are bought, used and given back.

A tile is a piece ``tile:<id>:<n>``; it lies at ``supply``, at its owner, at a region (Blockade, Pirates, Slave Revolt)
or is ``removed``. ``used`` says that it has been turned (once a war).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pbem.games.struggle_of_empires.map import map_of
from pbem.table.board import SUPPLY
from pbem.table.kit import Kit
from pbem.table.orders import Refused
from pbem.table.procedure import Table

REMOVED = "removed"
SECTION = "2, actions"


@lru_cache(maxsize=32)
def pieces_by_tile(kit: Kit) -> dict[str, tuple[str, ...]]:
    """The pieces of each tile, in the order of the kit."""
    return {
        tile: tuple(f"tile:{tile}:{number}" for number in range(1, row["count"] + 1))
        for tile, row in kit.tables["tiles"].items()
    }


@lru_cache(maxsize=32)
def alliance_tiles(kit: Kit) -> tuple[str, ...]:
    """The ids of the alliance tiles, in the order of the kit."""
    return tuple(tile for tile, row in kit.tables["tiles"].items() if row["kind"] == "alliance")


def tile_of(piece: str) -> str:
    """The id of the tile that a piece is a copy of."""
    return piece.split(":")[1]


def row_of(table: Table, tile: str) -> Any:
    """The kit's row of a tile."""
    return table.kit.tables["tiles"][tile]


def at(table: Table, place: str, tile: str) -> list[str]:
    """The pieces of a tile that lie at a place."""
    pieces = table.board.pieces
    return [piece for piece in pieces_by_tile(table.kit)[tile] if pieces[piece]["at"] == place]


def owned(table: Table, power: str, tile: str) -> list[str]:
    """The pieces of a tile that lie before a power."""
    return at(table, power, tile)


def ready(table: Table, power: str, tile: str) -> str | None:
    """A piece of a tile that a power has and has not used this war."""
    return next((piece for piece in owned(table, power, tile) if not table.board.pieces[piece].get("used")), None)


def laid(table: Table, tile: str) -> tuple[str, str] | None:
    """The piece and the region of a tile that lies on the map (Blockade, Pirates, Slave Revolt)."""
    is_sea = map_of(table.kit).is_sea
    for piece in pieces_by_tile(table.kit)[tile]:
        place = table.board.pieces[piece]["at"]
        if place in is_sea:
            return piece, place
    return None


# --- using ---


def turn(table: Table, piece: str) -> None:
    """Turn a once-a-war tile by 90°: it has been used."""
    if row_of(table, tile_of(piece))["timing"] == "once_a_war":
        table.mark(piece, used=True, why="used", section="4")


def give_back(table: Table, piece: str, user: str | None, *, why: str) -> None:
    """Put a tile back into the supply; its user cannot buy it again in the same round."""
    table.put(piece, SUPPLY, why=why, section=SECTION)
    if user:
        note_use(table, user, tile_of(piece))


def note_use(table: Table, power: str, tile: str) -> None:
    """Remember for this round that a power has used a tile that goes back to the supply."""
    before = table.board.state.get("given_back", {})
    if tile not in before.get(power, ()):
        table.set("given_back", {**before, power: [*before.get(power, ()), tile]})


# --- Blockade, use (a) ---


def blockader(table: Table, region: str) -> str | None:
    """The power whose Blockade lies in a region."""
    for piece in pieces_by_tile(table.kit)["blockade"]:
        where = table.board.pieces[piece]
        if where["at"] == region:
            return where["power"]
    return None


def check_laying(table: Table, power: str, region: str) -> None:
    """Blockade (a): in a colony, under an own navy. Raises `Refused`."""
    if region not in row_of(table, "blockade")["regions"]:
        raise Refused("blockade_in_colony", "4", region=region)
    if not table.board.count(region, power, "navy"):
        raise Refused("blockade_needs_navy", "4", region=region)
    if blockader(table, region):
        raise Refused("blockade_there", "4", region=region)


def lift_blockades(table: Table) -> None:
    """Blockade (a) ends when its owner has lost the last navy in the region."""
    for piece in pieces_by_tile(table.kit)["blockade"]:
        where = table.board.pieces[piece]
        if "power" in where and not table.board.count(where["at"], where["power"], "navy"):
            table.tell("blockade_lifted", power=where["power"], region=where["at"], section="4")
            give_back(table, piece, None, why="no navy left")
