"""8.2, 8.6, 17.Sw.1: uses of an activation: a card as an event, and the Swedish base that is moved."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.thirty_years_war import cards
from pbem.games.thirty_years_war.map import PROTESTANT
from pbem.games.thirty_years_war.politics import nations
from pbem.games.thirty_years_war.turn.activation import CardUse, Use
from pbem.table.orders import Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table


class PlayEvent(CardUse):
    """Use a card as an event; what its text lets you choose is the next line."""

    line = "EVENT {card}"
    use = "event"

    def check_card_use(self, table: Table, side: str) -> None:
        refused = cards.event_refusal(table, side, self.card)
        if refused is not None:
            raise refused

    def procedure(self, table: Table, side: str) -> Procedure:
        yield from cards.play_event(table, side, self.card)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in cls.cards(table, question):
            yield cls(card=card)


class MoveBase(Use):
    """Move the Swedish base to another port, a whole activation."""

    line = "MOVE BASE TO {port}"
    port = Name("space")

    def check_use(self, table: Table, side: str) -> None:
        if side != PROTESTANT:
            raise Refused("base_of_the_protestants", "17.Sw.1")
        refused = nations.base_refusal(table, self.port)
        if refused is not None:
            raise refused

    def procedure(self, table: Table, side: str) -> Procedure:
        nations.move_base(table, self.port)
        yield from ()

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for port in nations.swedish_ports(table):
            yield cls(port=port)


USES = (PlayEvent, MoveBase)
