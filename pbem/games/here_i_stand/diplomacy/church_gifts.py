"""9.5: gifts to the Church, which end an excommunication."""

from __future__ import annotations

import random
from typing import Any

from pbem.games.here_i_stand.powers import excommunication
from pbem.games.here_i_stand.religion import church
from pbem.games.here_i_stand.religion.conversion import PAPACY
from pbem.games.reformation import hands
from pbem.games.reformation.captives import check_cards, in_order
from pbem.table.asking import Ask, Pass
from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question


class ChurchGift(Order):
    """Give a random card of your hand to the Church: the excommunication of your ruler ends."""

    line = "GIVE CARD TO THE CHURCH"

    def check(self, table: Table, question: Question) -> None:
        check_cards(table, question.power, 1, "9.5")

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        return cls() if question.is_legal(table, cls()) else None


def church_gifts(table: Table) -> Procedure:
    """9.5: in impulse order, powers may end an excommunication of an earlier turn by the gift of a card.

    Rulers are excommunicated in the Action Phase only, so every marker that lies now is of an earlier turn.
    """
    marked = [
        power
        for power in table.board.powers
        if table.board.state.get(f"excommunication:{power}") and hands.cards_of(table, power)
    ]
    questions: list[Question] = [
        Ask(power, "excommunication", [ChurchGift, Pass], Pass(), section="9.5") for power in marked
    ]
    answers = yield from in_order(table, questions)
    for power, order in answers:
        if isinstance(order, ChurchGift):
            church_gift(table, power)


def church_gift(table: Table, power: str) -> None:
    """9.5: the Papacy draws a card: its CP go to Saint Peter's, it is discarded unplayed, the marker is removed."""
    card: Any = hands.random_card(table, power, PAPACY, "church_gift", section="9.5")
    if card is None:
        return
    table.tell("church_gift", power=power, section="9.5")
    hands.discard(table, PAPACY, card, why="church_gift", section="9.5")
    church.st_peters(table, hands.cp_of(table, card), why="church_gift", section="9.5")
    excommunication.lift(table, power, "church_gift", "9.5")


ORDERS: tuple[type[Order], ...] = (ChurchGift,)
