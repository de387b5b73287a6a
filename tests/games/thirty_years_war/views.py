"""Views of boards of Thirty Years War for the tests of its pictures: a set-up, and one as full as can be."""

from typing import Any

from pbem.games.thirty_years_war.map import SIDES
from pbem.games.thirty_years_war.room import GAME
from pbem.table.board import SUPPLY, Board
from pbem.table.kit import Kit
from pbem.table.procedure import Table


def set_up_view(kit: Kit, scenario: str = "campaign") -> dict[str, Any]:
    """The board as a scenario opens it."""
    table = Table(Board(GAME.id, list(SIDES)), kit, game=GAME)
    GAME.set_up(table, scenario)
    return table.board.to_json()


def crowded_view(kit: Kit) -> dict[str, Any]:
    """A late board: full stacks of both sides at Leipzig, a siege, revolts, loot, single units all over the land."""
    view = set_up_view(kit, "intervention")
    pieces, state = view["pieces"], view["state"]
    for number in range(6, 11):
        pieces[f"unit:protestant_mercenary:{number}"] = {"at": "leipzig"}
    for number in (6, 7):
        pieces[f"unit:protestant_mercenary:{number}"]["reduced"] = True
    for number in range(3, 6):
        pieces[f"unit:swedish_veteran:{number}"] = {"at": "leipzig"}
    for leader in ("gustavus_adolphus", "baner", "horn"):
        pieces[f"leader:{leader}"] = {"at": "leipzig"}
    for name in ("unit:bavarian_mercenary:4", "unit:bavarian_mercenary:5", "leader:aldringer"):
        pieces[name] = {"at": "leipzig", "inside": True}
    state |= {"siege:leipzig": {"by": "protestant", "value": 1, "since": 3}, "control:leipzig": "catholic",
              "revolt:passau": True, "round": 3, "active": "catholic", "phase": "actions"}  # fmt: skip
    spaces = [id for id, row in kit.tables["spaces"].items() if not row["off_map"] and row["kind"] != "box"]
    for number, space in enumerate(spaces[::4]):
        state[f"loot:{space}"] = 1 + number % 2
    left = [piece for piece, marks in pieces.items() if piece.startswith("unit:") and marks["at"] == SUPPLY]
    for piece, space in zip(left, spaces[1::3], strict=False):
        pieces[piece] = {"at": space}
    return view
