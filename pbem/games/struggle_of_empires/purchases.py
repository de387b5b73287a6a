"""2, actions: buying tiles, and what they cost."""

from __future__ import annotations

from pbem.games.struggle_of_empires.money import pay, take_unrest
from pbem.games.struggle_of_empires.tiles import SECTION, at, row_of
from pbem.table.board import SUPPLY
from pbem.table.orders import Refused
from pbem.table.procedure import Table


def check_purchase(table: Table, power: str, tile: str, section: str = SECTION) -> None:
    """Raise `Refused` when a power cannot take a tile from the supply: none left, just used, too little population."""
    if tile not in table.kit.tables["tiles"]:
        raise Refused("no_tile", section, tile=tile)
    if not at(table, SUPPLY, tile):
        raise Refused("tile_sold_out", section, tile=tile)
    if tile in table.board.state.get("given_back", {}).get(power, ()):
        raise Refused("tile_given_back", section, tile=tile)
    cost, has = row_of(table, tile)["cost_population"], table.board.value("population", power)
    if has < cost:
        raise Refused("tile_costs_population", section, tile=tile, cost=cost, has=has)


def take(table: Table, power: str, tile: str, place: str, *, section: str = SECTION) -> str:
    """Take a tile from the supply and pay for it: gold, population and unrest. Returns the piece."""
    row = row_of(table, tile)
    piece = at(table, SUPPLY, tile)[0]
    table.tell(
        "bought",
        power=power,
        tile=tile,
        gold=row["cost_gold"],
        population=row["cost_population"],
        unrest=row["cost_unrest"],
        section=section,
    )
    pay(table, power, row["cost_gold"], why=tile, section=section)
    table.count("population", power, -row["cost_population"], why=tile, section=section)
    if row["cost_unrest"]:
        take_unrest(table, power, row["cost_unrest"], why=tile, section=section)
    table.put(piece, place, why="bought", section=section)
    return piece
