"""18: reformers, debaters, Reformation and Counter-Reformation attempts, translation, treatises, St. Peter's."""

from __future__ import annotations

from pbem.games.here_i_stand.setup import ELECTORATE, OFF
from pbem.games.reformation.ground import controller, religion, set_religion
from pbem.table.procedure import Procedure, Table

PROTESTANT = "protestant"


def convert(table: Table, space: str, side: str, **more: object) -> None:
    """Turn a space; an electorate that becomes Protestant receives its regulars (18.3, 21.6)."""
    set_religion(table, space, side, **more)
    electorate_troops(table, space)


def electorate_troops(table: Table, space: str) -> None:
    """21.6: regulars of the display enter when the electorate is first Protestant; after the league in control too."""
    place = ELECTORATE + space
    number = table.board.count(place, PROTESTANT, "regular")
    if not number or religion(table, space) != PROTESTANT:
        return
    if table.board.state.get("league") and controller(table, space) != PROTESTANT:
        return
    table.move(PROTESTANT, "regular", number, place, space, why="electorate_troops", section="21.6")


def enter_reformer(table: Table, reformer: str) -> Procedure:
    """8.2: a reformer enters his space, which becomes Protestant on his first entry."""
    row = table.kit.tables["reformers"][reformer]
    table.put(f"reformer:{reformer}", row["space"], section="8.2", entered=True)
    convert(table, row["space"], PROTESTANT, section="8.2")
    return
    yield


def enter_reformers(table: Table) -> Procedure:
    """8.2: reformers of this turn."""
    turn = table.board.state["turn"]
    for reformer, row in table.kit.tables["reformers"].items():
        piece = table.board.pieces[f"reformer:{reformer}"]
        if row["entry_turn"] is not None and 1 < row["entry_turn"] <= turn and piece["at"] == OFF:
            if piece.get("entered"):
                table.put(f"reformer:{reformer}", row["space"], section="8.2", entered=True)
            else:
                yield from enter_reformer(table, reformer)


def enter_debaters(table: Table) -> Procedure:
    """8.2: debaters of this turn enter uncommitted."""
    turn = table.board.state["turn"]
    for debater, row in table.kit.tables["debaters"].items():
        piece = table.board.pieces[f"debater:{debater}"]
        if piece["at"] == OFF and row["entry_turn"] is not None and row["entry_turn"] <= turn:
            table.put(f"debater:{debater}", row["language"] or "any", section="8.2", committed=False)
    return
    yield


def enter_leaders(table: Table) -> Procedure:
    """8.2: Maurice of Saxony, and naval leaders from the Turn Track."""
    return
    yield


def reformation_attempts(table: Table, source: str, **more: object) -> Procedure:
    """18.3: the Reformation attempts of a source, a row of the kit's table ``attempts``."""
    table.tell("attempts", source=source, section="18.3")
    return
    yield


ORDERS = ()
ACTIONS = ()
