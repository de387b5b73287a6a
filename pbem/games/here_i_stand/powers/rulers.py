"""3.3: rulers, and how new ones follow."""

from __future__ import annotations

from typing import Any

from pbem.games.here_i_stand.powers import england
from pbem.games.here_i_stand.religion.conversion import PROTESTANT, reformer_leaves
from pbem.table.procedure import Procedure, Table

FRANCE = "france"


def ruler(table: Table, power: str) -> Any:
    """The ruler of a power, as the kit describes him."""
    return table.kit.tables["rulers"][table.board.state["ruler"][power]]


def admin_rating(table: Table, power: str) -> int:
    """11: how many cards the ruler may keep."""
    return ruler(table, power)["admin_rating"]


def new_ruler(table: Table, power: str, ruler: str) -> None:
    """3.3: a power's ruler changes; the ratings of the new one count from now on."""
    before = table.board.state["ruler"][power]
    table.set("ruler", {**table.board.state["ruler"], power: ruler}, section="3.3")
    table.tell("succession", power=power, ruler=ruler, before=before, section="3.3")


def henry_ii(table: Table) -> Procedure:
    """Card 20: Francis dies; the leader Henry II comes to Paris or to his space."""
    new_ruler(table, FRANCE, "henry_ii")
    yield from england.leader_follows(table, FRANCE, "francis_i", "henry_ii", "3.3")


def calvin_rules(table: Table) -> None:
    """Card 16: Luther dies, reformer and debater; Calvin rules the Protestant."""
    reformer_leaves(table, "luther", for_good=True, why="death", section="3.3")
    new_ruler(table, PROTESTANT, "calvin")
