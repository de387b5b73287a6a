"""16: naval movement, naval combat, transport, piracy."""

from __future__ import annotations

from pbem.games.reformation.forces import naval_owners
from pbem.games.reformation.relations import on_side
from pbem.table.procedure import Procedure, Table


def ships_leave(table: Table, space: str, power: str) -> Procedure:
    """12.2: naval units of others leave an unfortified port that changed hands, for the first open zone."""
    for owner in naval_owners(table, space):
        if on_side(table.board, power, owner):
            continue
        for kind, number in list(table.board.units[space][owner].items()):
            if table.kit.tables["units"][kind]["where"] == "naval":
                zone = table.kit.tables["spaces"][space]["ports"][0]
                table.move(owner, kind, number, space, zone, why="port_lost", section="12.2")
    return
    yield


ORDERS = ()
ACTIONS = ()
