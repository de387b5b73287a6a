"""6.0 E to G: the end of a turn: pay, looting, sieges, revolts, the card that is kept, victory.

Both sides are asked once for all of it, sealed: nothing of it depends on what the other side says. Each part is a
question of its own, so that a standing order can answer it, and a mail may answer them in any order::

    PAY ALL
    LOOT LOSING full
    SIEGES ALL
    SPREAD TO amberg, cham
    KEEP C12
    RECOVER FIRST OF prague, eger          (next turn's phase B: the last line, which waits in the queue until then)

A turn that a truce has ended goes on with the last part (5.32, INT-17).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.games.thirty_years_war import control
from pbem.games.thirty_years_war.combat import siege
from pbem.games.thirty_years_war.combat.siege import SIEGE
from pbem.games.thirty_years_war.map import SIDES
from pbem.games.thirty_years_war.politics import dutch_war, nations, revolts
from pbem.games.thirty_years_war.turn import deck, victory
from pbem.games.thirty_years_war.turn.activation import TRUCE, TURN
from pbem.games.thirty_years_war.upkeep import aid, looting, pay
from pbem.table import marks
from pbem.table.asking import Card
from pbem.table.orders import AnyName, Many, Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf

SEGMENTS = ("pay", "looting", "sieges", "revolts", "close")
KEPT_WITHOUT_ASKING = 1


# --- orders of its own ---


class SiegesAll(Order):
    """Go on with all your sieges."""

    line = "SIEGES ALL [LOSING {kinds}]"
    kinds = Many(AnyName("unit", "unit_type", "nation"), most=20, optional=True)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        yield cls()


class SiegesNot(Order):
    """Go on with your sieges, but not with these: SIEGES NOT munich; LOSING says what goes first at a natural 0."""

    line = "SIEGES NOT {spaces} [LOSING {kinds}]"
    spaces = Many(Name("space"), most=20)
    kinds = Many(AnyName("unit", "unit_type", "nation"), most=20, optional=True)

    def check(self, table: Table, question: Question) -> None:
        for space in self.spaces:
            laid = table.board.state.get(SIEGE + space)
            if laid is None or laid["by"] != question.power:
                raise Refused("not_your_siege", "13.21", space=space)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space in siege.sieges_of(table, question.power):
            yield cls(spaces=[space])


class Keep(Order):
    """Keep one card for the next turn; the others are discarded unseen."""

    line = "KEEP {card}"
    card = Card()

    def check(self, table: Table, question: Question) -> None:
        if self.card not in deck.held(table, question.power):
            raise Refused("card_not_in_hand", "6.0 G", card=self.card)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in deck.held(table, question.power):
            yield cls(card=card)


class KeepFirstOf(Order):
    """Keep the first of these cards that you hold: KEEP FIRST OF C12, C3."""

    line = "KEEP FIRST OF {cards}"
    cards = Many(Card(), most=20)

    def check(self, table: Table, question: Question) -> None:
        if not set(self.cards) & set(deck.held(table, question.power)):
            raise Refused("card_not_in_hand", "6.0 G", card=self.cards[0])

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in deck.held(table, question.power):
            yield cls(cards=[card])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        cards = list(deck.held(table, question.power))
        return cls(cards=chance.sample(cards, len(cards))[:5]) if cards else None


# --- the questions ---


def siege_question(table: Table, side: str) -> Question | None:
    """13.21: whether a side goes on with its sieges in phase F1; None where it besieges nothing."""
    spaces = siege.sieges_of(table, side)
    if not spaces:
        return None
    return Question(
        side,
        "sieges",
        [SiegesAll, SiegesNot],
        default=SiegesAll(),
        context={"spaces": spaces},
        section="13.21",
        key=f"sieges:{side}",
    )


def keep_question(table: Table, side: str) -> Question | None:
    """6.0 G, T-269: the card that a side keeps; None where it holds one or none. Silence is held."""
    if len(deck.held(table, side)) <= KEPT_WITHOUT_ASKING:
        return None
    return Question(
        side,
        "keep_card",
        [Keep, KeepFirstOf],
        context={"cards": len(deck.held(table, side))},
        section="6.0 G",
        key=f"keep_card:{side}",
    )


ASKED: Mapping[str, Callable[[Table, str], Question | None]] = {
    "pay": pay.question,
    "looting": looting.question,
    "sieges": siege_question,
    "revolts": revolts.question,
    "close": keep_question,
}
"""What is asked for each segment; the kind of a question is its part of the key."""


def questions(table: Table, parts: Sequence[str]) -> list[Question]:
    """What both sides are asked for these segments."""
    asked = [ASKED[part](table, side) for side in SIDES for part in parts]
    return [question for question in asked if question is not None]


# --- the procedure ---


def end_of_turn(table: Table) -> Procedure:
    """6.0 E to G, from the segment that the board says: one sealed wait for both sides, then segment after segment."""
    parts = SEGMENTS[SEGMENTS.index(table.board.state["segment"]) :]
    if marks.mark(table, TURN, TRUCE) and table.options["truce_phases"] == "skipped":
        parts = SEGMENTS[-1:]
    asked = questions(table, parts)
    answers = (yield AllOf(asked, "end_of_turn")) if asked else {}
    said = {
        part: {q.power: answers[q.key] for q in asked if q.kind == _kind(part)} for part in SEGMENTS
    }
    for part in parts:
        table.set("segment", part)
        yield from _SEGMENTS[part](table, said[part])
        yield from control.triggers(table)


def _kind(part: str) -> str:
    return "keep_card" if part == "close" else part


Said = Mapping[str, Any]


def _pay(table: Table, said: Said) -> Procedure:
    pay.pay_phase(table, said)
    yield from ()


def _sieges(table: Table, said: Said) -> Procedure:
    """13.21: what each side has said, as `siege.siege_phase` takes it."""
    answers = {
        side: {"not": list(getattr(order, "spaces", ())), "losing": list(order.kinds or ())}
        for side, order in said.items()
    }
    yield from siege.siege_phase(table, answers)


def _close(table: Table, said: Said) -> Procedure:
    """6.0 G, INT-36: sieges of Spinola unanswered, the Infant's deadline, discards, victory, aid."""
    dutch_war.unanswered(table)
    yield from control.triggers(table)
    nations.infant_deadline(table)
    yield from control.triggers(table)
    for side in SIDES:
        discard(table, side, said.get(side))
    victory.check(table)
    aid.reset(table)


def discard(table: Table, side: str, order: Order | None) -> None:
    """6.0 G, T-010, T-269: a side keeps one card, its choice, and discards the others unseen."""
    cards = list(deck.held(table, side))
    if len(cards) <= KEPT_WITHOUT_ASKING:
        return
    ranked = order.cards if isinstance(order, KeepFirstOf) else [order.card] if isinstance(order, Keep) else ()
    kept = next(card for card in ranked if card in cards)
    for card in cards:
        if card != kept:
            deck.discard(table, side, card)


_SEGMENTS: Mapping[str, Callable[[Table, Said], Procedure]] = {
    "pay": _pay,
    "looting": looting.looting_phase,
    "sieges": _sieges,
    "revolts": revolts.revolt_phase,
    "close": _close,
}

ORDERS: tuple[type[Order], ...] = (
    *pay.ORDERS,
    *looting.ORDERS,
    SiegesAll,
    SiegesNot,
    *revolts.ORDERS,
    Keep,
    KeepFirstOf,
)
