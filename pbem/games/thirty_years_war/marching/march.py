"""11.0: the march under way: what an activated army has done so far. It lies on the board, since others read it.

The state value ``march`` is there from the activation of an army to its end::

    {"side", "card": the card or None, "leader": the piece that leads, "pieces": [pieces of the moving group, the
     leader among them], "space": where the group stands, "origin": where it set out, "from": the space last left or
     None, "start": where the present army set out, "path": [spaces that it has entered], "mp": points used, "joined":
     {piece: points that were used when it joined}, "counted": [units that belong to the forage need (11.161)],
     "dropped": [pieces], "bonus": points that the text of a card adds, "fought": bool, "foraged": true once it is,
     "owed": [{"counted", "start", "path"}: earlier armies of the same leader (C 10.12)]}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.thirty_years_war import pieces
from pbem.table.procedure import Table

MARCH = "march"


def march(table: Table) -> dict[str, Any]:
    """The march under way, not to be changed in place; empty where there is none."""
    return table.board.state.get(MARCH, {})


def begin(
    table: Table, side: str, leader: str, group: Sequence[str], *, card: str | None = None, bonus: int = 0
) -> None:
    """An army, or a piece on a free move (`leader` then is that piece), sets out from where it stands."""
    space = pieces.where(table, leader)
    table.set(
        MARCH,
        {
            "side": side,
            "card": card,
            "leader": leader,
            "pieces": list(group),
            "space": space,
            "origin": space,
            "start": space,
            "from": None,
            "path": [],
            "mp": 0,
            "joined": {},
            "counted": [piece for piece in group if pieces.is_unit(piece)],
            "dropped": [],
            "bonus": bonus,
            "fought": False,
            "owed": [],
        },
    )


def change(table: Table, **values: Any) -> None:
    """Change entries of the march."""
    table.set(MARCH, {**march(table), **values})


def end(table: Table) -> None:
    """The activation is over."""
    table.set(MARCH, None)


def group(table: Table) -> list[str]:
    """The pieces of the moving group that are left and stand where it stands."""
    under_way = march(table)
    return [piece for piece in under_way["pieces"] if pieces.where(table, piece) == under_way["space"]]


def allowance(table: Table, piece: str) -> int:
    """11.1, 8.2: the movement points of a piece of the group, with those that the text of the card adds, up to the most
    that it allows."""
    under_way, own = march(table), pieces.movement_allowance(table, piece)
    if not under_way["bonus"]:
        return own
    most = table.kit.tables["card_numbers"][f"{under_way['card']}:most"]["value"]
    return max(own, min(most, own + under_way["bonus"]))


def points_left(table: Table, moving: Sequence[str] | None = None) -> int:
    """11.1, 11.15, INT-29: the movement points that a group has left: those of the piece that has fewest.

    A piece that was picked up has all of its own from then on, and the pace of those that set out stays; by option
    ``picked_up_pace`` the slowest unit now in the group sets the pace for all.
    """
    under_way = march(table)
    moving = group(table) if moving is None else moving
    if not moving:
        return 0
    late = under_way["joined"] if table.options["picked_up_pace"] == "first_group" else {}
    return min(
        allowance(table, piece) - (under_way["mp"] - late.get(piece, 0))
        for piece in moving
    )
