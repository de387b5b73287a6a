"""21.3: England. The marital track, the heirs, the succession, and impulses under Mary I."""

from __future__ import annotations

from pbem.table.procedure import Procedure, Table

ENGLAND = "england"


def papal_interference_due(table: Table, power: str) -> bool:
    """21.3: whether the Papacy may take this impulse over (Mary I rules, an English home space is Protestant)."""
    return False


def papal_interference(table: Table) -> Procedure:
    """21.3: a card is shown and a die thrown. Value: whether England plays the impulse itself."""
    return True
    yield


def before_pass(table: Table, power: str) -> Procedure:
    """21.3: the extra advance that waits for England's first pass."""
    return
    yield


def grant_divorce(table: Table) -> Procedure:
    """9.1: the Pope grants the divorce: the marital marker goes on to Anne Boleyn."""
    table.count("marital_box", ENGLAND, 1, why="divorce", section="9.1")
    return
    yield


def may_respond(table: Table, power: str) -> bool:
    """21.3: under Mary I England plays no combat and response cards."""
    return not (power == ENGLAND and table.board.state["ruler"][ENGLAND] == "mary_i")


ORDERS = ()
ACTIONS = ()
