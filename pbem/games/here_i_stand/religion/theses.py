"""18.1, 8.1: phase 1 of turn 1, Luther's 95 Theses."""

from __future__ import annotations

from pbem.games.here_i_stand import cards
from pbem.games.reformation import hands, marks
from pbem.table.asking import Moment
from pbem.table.procedure import Procedure, Table


def happens(table: Table) -> bool:
    """Only on turn 1, and only in the scenario that begins with it."""
    return table.board.state["turn"] == 1


def theses(table: Table) -> Procedure:
    """18.1: Luther enters Wittenberg, then five attempts, all of them made; the card gives no CP and is removed."""
    card = cards.BOOK.card_id(table, "luthers_95_theses")
    table.tell("theses", section="18.1")
    yield from cards.BOOK.resolve(table, "protestant", card, Moment("theses", "protestant"))
    table.card(card, hands.hand("protestant"), hands.REMOVED, section="6.2")
    # What was attempted counts for this phase, which stands for an impulse.
    marks.clear(table, "impulse")


SEGMENTS = (("theses", theses),)
ORDERS = ()
