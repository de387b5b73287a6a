"""21.3: English impulses under Mary I, in which the Papacy may act in place of England."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pbem.games.here_i_stand import cards
from pbem.games.here_i_stand.powers.england import ENGLAND, ENGLISH, MARY, PAPACY, ruler
from pbem.games.here_i_stand.religion import attempts, debates
from pbem.games.reformation import hands, impulse
from pbem.games.reformation.choices import free_responses
from pbem.games.reformation.ground import home_spaces, religion
from pbem.table.asking import Ask, Card, Pass, choose
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question


def interference_due(table: Table, power: str) -> bool:
    """21.3: whether the procedure of Mary's reign is used: some English home space is Protestant at its start."""
    return (
        power == ENGLAND
        and ruler(table) == MARY
        and any(religion(table, space) == "protestant" for space in home_spaces(table, ENGLAND))
    )


class ShowCard(Order):
    """Show the card that you play in this impulse; the die decides who uses it."""

    elsewhere = "for_impulse_under_mary"
    line = "SHOW {card}"
    card = Card()

    def check(self, table: Table, question: Question) -> None:
        if self.card not in hands.cards_of(table, question.power):
            raise Refused("card_not_held", "6.1", card=self.card)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in hands.cards_of(table, question.power):
            yield cls(card=card)


def _silent_show(table: Table, question: Question) -> Order:
    """Silence: a pass where it is legal, else the card of least CP, mandatory events last."""
    try:
        impulse.check_pass(table, question.power)
    except Refused:
        held = hands.cards_of(table, question.power)
        least = min(held, key=lambda c: (hands.kind_of(table, c) == "mandatory", hands.cp_of(table, c), int(c)))
        return ShowCard(card=least)
    return Pass()


def impulse_of_england(table: Table) -> Procedure:
    """21.3: an English impulse under Mary I: the card is shown; on a 1 to 3 the Papacy acts in place of England."""
    order = yield Ask(
        ENGLAND,
        "impulse",
        [ShowCard, Pass],
        _silent_show,
        context={"power": ENGLAND, "turn": table.board.state["turn"]},
        section="21.3",
        may_pass=lambda t: impulse.check_pass(t, ENGLAND),
    )
    if isinstance(order, Pass):
        return (yield from impulse.passes(table, ENGLAND))
    impulse.no_pass(table)
    card = order.card
    table.tell("card_shown", power=ENGLAND, number=int(card), section="21.3")
    if hands.kind_of(table, card) == "mandatory":
        if cards.BOOK.why_not(table, ENGLAND, card) is None:
            return (yield from impulse.play_as_event(table, ENGLAND, card))
        return impulse.play_for_cp(table, ENGLAND, card)
    die = table.roll("papal_interference", ENGLAND, 1, section="21.3")[0]
    if die > table.kit.constants["papal_interference_to"]:
        return (yield from _play_shown(table, card))
    cp = hands.cp_of(table, card)
    hands.put_away(table, card, hands.hand(ENGLAND), "discard")
    yield from papal_actions(table, cp)
    return impulse.end_impulse(table)


def _play_shown(table: Table, card: str) -> Procedure:
    """21.3 step 3: England says how it uses the card."""

    def uses(table: Table) -> list[str]:
        return ["cp", *(["event"] if cards.BOOK.why_not(table, ENGLAND, card) is None else [])]

    use = yield from choose(
        table, ENGLAND, "option", uses, kind="impulse", section="21.3", number=int(card)
    )
    if use == "event":
        return (yield from impulse.play_as_event(table, ENGLAND, card))
    return impulse.play_for_cp(table, ENGLAND, card)


def papal_actions(table: Table, cp: int) -> Procedure:
    """21.3 step 4: by the CP of the card the Papacy burns books, calls a debate, or both, in the English zone."""
    rows = table.kit.tables["marian_impulses"]
    row: Any = rows[str(min(cp, max(int(number) for number in rows)))]
    table.tell("papal_interference", power=PAPACY, cp=cp, section="21.3")
    if row["burn_books"]:
        yield from attempts.forced_burning(table, ENGLISH)
    if row["burn_books"] and row["debate"]:
        yield from free_responses(table, ENGLAND)
    if row["debate"]:
        yield from debates.debate(table, PAPACY, ENGLISH)


def instead_of_england(table: Table, power: str) -> Callable[[Table], Procedure] | None:
    """21.3: what takes the place of an impulse of England under Mary I, or None."""
    if interference_due(table, power) and hands.cards_of(table, power):
        return impulse_of_england
    return None


ORDERS = (ShowCard,)
