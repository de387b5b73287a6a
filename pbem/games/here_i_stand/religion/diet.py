"""18.1: phase 4 of turn 1, the Diet of Worms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.here_i_stand.religion.conversion import CATHOLIC, PAPACY, PROTESTANT, convert, other_side, zone_of
from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.ground import religion
from pbem.table.asking import Ask, Card, choose
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, Question

HAPSBURG = "hapsburg"
ZONE = "german"


def happens(table: Table) -> bool:
    """Only on turn 1."""
    return table.board.state["turn"] == 1


class Commit(Order):
    """Commit a card of your hand to the Diet of Worms; its CP are dice. No mandatory event; the home card may be."""

    line = "COMMIT {card}"
    card = Card()

    def check(self, table: Table, question: Question) -> None:
        if self.card not in hands.cards_of(table, question.power):
            raise Refused("card_not_held", "18.1", card=self.card)
        if hands.kind_of(table, self.card) == "mandatory":
            raise Refused("mandatory_not_for_diet", "18.1", card=self.card)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in hands.cards_of(table, question.power):
            yield cls(card=card)


def _least_card(table: Table, question: Question) -> Order:
    """Silence: the card of least CP, since one must be played."""
    return min(Commit.legal(table, question), key=lambda o: (hands.cp_of(table, o.card), int(o.card)))


def diet(table: Table) -> Procedure:
    """18.1: the procedure of the Diet of Worms, steps 1 to 7."""
    table.tell("diet", section="18.1")
    answers = yield AllOf(
        [
            Ask(power, "diet_of_worms", [Commit], _least_card, context={"power": power}, section="18.1")
            for power in (PROTESTANT, HAPSBURG, PAPACY)
        ]
    )
    chosen = {power: answers[power].card for power in (PROTESTANT, PAPACY, HAPSBURG)}
    for power, card in chosen.items():
        table.card(card, hands.hand(power), hands.IN_PLAY, why="diet", section="18.1")
    table.tell("diet_cards", cards={power: int(card) for power, card in chosen.items()}, section="18.1")
    hits = {power: _throw(table, power, card) for power, card in chosen.items()}
    catholic = hits[PAPACY] + hits[HAPSBURG]
    margin = hits[PROTESTANT] - catholic
    table.tell("diet_result", protestant=hits[PROTESTANT], catholic=catholic, section="18.1")
    if margin > 0:
        yield from _flip(table, PROTESTANT, PROTESTANT, margin)
    elif margin < 0:
        yield from _flip(table, PAPACY, CATHOLIC, -margin)
    for card in chosen.values():
        hands.put_away(table, card, hands.IN_PLAY, "discard")


def _throw(table: Table, power: str, card: str) -> int:
    """Steps 3 and 4: the CP of the card as dice, four more for the Protestant. Value: the hits."""
    dice = {"card": hands.cp_of(table, card)}
    if power == PROTESTANT:
        dice["protestant"] = table.kit.constants["diet_bonus_dice"]
    rolled = table.roll("diet", power, sum(dice.values()), sources=dice, section="18.1")
    return sum(1 for die in rolled if die >= table.kit.constants["hit_on"])


def _flip(table: Table, power: str, side: str, number: int) -> Procedure:
    """Steps 5 and 6: spaces of the German zone, each next to one of the winner's side, also one just turned."""

    def open_spaces(table: Table) -> Sequence[str]:
        chart = atlas(table)
        return [
            space
            for space in chart.spaces
            if zone_of(table, space) == ZONE
            and religion(table, space) == other_side(side)
            and any(religion(table, near) == side for near in chart.neighbours[space])
        ]

    for left in range(number, 0, -1):
        space = yield from choose(table, power, "space", open_spaces, kind="flip_spaces", section="18.1", left=left)
        if space is None:
            return
        convert(table, space, side, why="diet", section="18.1")


SEGMENTS = (("diet", diet),)
ORDERS = (Commit,)
