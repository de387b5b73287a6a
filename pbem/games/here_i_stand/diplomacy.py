"""9: the Diplomacy phase. On turn 1 only the talks of England with France and the Hapsburgs (7)."""

from __future__ import annotations

from pbem.table.orders import Done
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question, Window


def happens(table: Table) -> bool:
    """Every turn has a Diplomacy phase."""
    return True


def negotiation(table: Table) -> Procedure:
    """9.1: the negotiation segment, open for its time or until all say DONE."""
    turn = table.board.state["turn"]
    pairs = table.kit.constants["turn_one_negotiations"]
    talking = [p for p in table.board.powers if turn > 1 or any(p in pair for pair in pairs)]
    yield Window([Question(power, "negotiation", [Done], section="9.1") for power in talking])


SEGMENTS = (("negotiation", negotiation),)
ORDERS = (Done,)
