"""The card that works with an activation: P50 (8.2, exception)."""

from __future__ import annotations

from pbem.games.thirty_years_war import pieces
from pbem.games.thirty_years_war.cards import with_activation
from pbem.games.thirty_years_war.cards.common import nations_of, number
from pbem.table.orders import Refused
from pbem.table.procedure import Table


def leader_of_nation(table: Table, side: str, card: str, leader: str) -> Refused | None:
    """The leader that the card activates is of one of its nations."""
    if pieces.nation_of(table, leader) in nations_of(table, card):
        return None
    face = pieces.face_of(table, leader)
    return Refused("leader_of_another_nation", "8.2", card=card, leader=face, nations=nations_of(table, card))


@with_activation("bridge_of_boats", when=leader_of_nation)
def bridge_of_boats(table: Table, side: str, card: str) -> int:
    """P50: every piece moved by the activation of a French or Swedish leader has more movement points."""
    return number(table, card, "mp")
