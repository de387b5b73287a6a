"""6.0 D, 8.2: the actions phase: six rounds, in each the Protestant and then the Catholic uses one activation.

A way to use an activation is a `Use`, an order of the question ``activation``; the chapters list theirs in ``USES``.
One mail holds the whole of it: what a use asks next (`movement`, `battle`, ...) its sender can answer in further lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pbem.games.thirty_years_war import control
from pbem.games.thirty_years_war.map import PROTESTANT, other
from pbem.games.thirty_years_war.politics import nations
from pbem.games.thirty_years_war.turn import deck, sequence
from pbem.table import marks, orders
from pbem.table.asking import Card
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

ACTIVATION = "activation"
"""The kind of question that an activation begins with, and the scope of marks that end with it."""

TURN = "turn"
COMBAT_CARD_PLAYED = "combat_card"
"""Mark of the turn: the sides that have played a combat card (INT-76)."""

TRUCE = "truce"
"""Mark of the turn: a truce has ended it (5.32)."""


class Use(Order):
    """Base of the ways to use an activation. A subclass gives `check_use` and `procedure`."""

    when = "a way to use an activation of your own"

    def check(self, table: Table, question: Question) -> None:
        self.check_use(table, question.power)

    def check_use(self, table: Table, side: str) -> None:
        """Raise `Refused` when the side may not use its activation so."""

    def procedure(self, table: Table, side: str) -> Procedure:
        """What it does."""
        raise NotImplementedError


class CardUse(Use):
    """Base of the uses that spend a card (8.2): the card is in hand, and may be spent."""

    use: ClassVar[str] = ""
    """``act``, ``recruit``, ``aid`` or ``event``."""
    card = Card()

    def check_use(self, table: Table, side: str) -> None:
        check_card(table, side, self.card)
        self.check_card_use(table, side)

    def check_card_use(self, table: Table, side: str) -> None:
        """Raise `Refused` when the card may not be used so."""

    @classmethod
    def cards(cls, table: Table, question: Question) -> Iterator[str]:
        """The cards of the hand, for candidates."""
        yield from deck.held(table, question.power)


def check_card(table: Table, side: str, card: str) -> None:
    """8.2, INT-76: a card of the hand; the last one only after a combat card in this turn."""
    cards = deck.held(table, side)
    if card not in cards:
        raise Refused("card_not_in_hand", "8.2", card=card)
    may = table.options["last_card"] != "never" and marks.noted(table, TURN, COMBAT_CARD_PLAYED, side)
    if len(cards) == 1 and not may:
        raise Refused("last_card", "6.0", card=card)


class Pass(orders.Pass):
    """Use the activation for nothing."""

    line = "PASS"

    def check(self, table: Table, question: Question) -> None:
        if table.options["pass_allowed"] or question.kind != ACTIVATION:
            return
        for kind in table.game.rules.uses:
            if next(kind.legal(table, question), None) is not None:
                raise Refused("may_not_pass", "8.3")


def begin(table: Table) -> Procedure:
    """6.0 D: the first activation of the turn."""
    table.set("round", 1)
    table.set("active", PROTESTANT)
    yield from ()


def activation(table: Table) -> Procedure:
    """6.0 D: one activation of the active side; its cards that always take effect do so after it (C 8.6)."""
    side = table.board.state["active"]
    table.set(ACTIVATION, table.board.state[ACTIVATION] + 1)
    order = yield Question(
        side,
        ACTIVATION,
        [*table.game.rules.uses, Pass],
        Pass(),
        context={"round": table.board.state["round"], "turn": table.board.state["turn"]},
        section="6.0",
    )
    if isinstance(order, Use):
        yield from carry_out(table, side, order)
        yield from control.triggers(table)
    else:
        table.tell("passed", power=side, section="6.0")
    nations.activation_ends(table, side)
    yield from control.triggers(table)
    marks.clear(table, ACTIVATION)
    table.count("activations", side, 1)
    return _next(table, side)


def carry_out(table: Table, side: str, order: Use) -> Procedure:
    """8.2: what an activation is used for."""
    if not isinstance(order, CardUse):
        yield from order.procedure(table, side)
        return
    deck.spend(table, side, order.card, order.use)
    marks.set_mark(table, TURN, f"cards:{side}", cards_spent(table, side) + 1)
    yield from order.procedure(table, side)
    if order.use != "event" and table.kit.tables["cards"][order.card]["always"]:
        yield from table.game.rules.play_event(table, side, order.card, after_use=True)


def cards_spent(table: Table, side: str) -> int:
    """How many cards a side has spent on activations in this turn; which, a new draw pile may make a secret again."""
    return marks.mark(table, TURN, f"cards:{side}", 0)


def is_first(table: Table, side: str) -> bool:
    """INT-03: whether this is the side's first activation of the turn."""
    return table.board.value("activations", side) == 0


def _next(table: Table, side: str) -> Any:
    """Who is next; after the last round, or a truce, the phase is over."""
    if marks.mark(table, TURN, TRUCE):
        return _end(table)
    if side == PROTESTANT:
        table.set("active", other(side))
        return sequence.AGAIN
    if table.board.state["round"] >= table.kit.constants["activations"]:
        return _end(table)
    table.set("round", table.board.state["round"] + 1)
    table.set("active", PROTESTANT)
    return sequence.AGAIN


def _end(table: Table) -> None:
    table.set("active", None)
    table.set("round", None)
    for side in table.board.powers:
        table.count("activations", side, -table.board.value("activations", side))


USES: tuple[type[Use], ...] = ()
ORDERS: tuple[type[Order], ...] = (Pass,)
