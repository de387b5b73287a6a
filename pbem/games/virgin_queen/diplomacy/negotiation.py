"""9.1: the negotiation segment: talks, sealed announcements, confirmations; press."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.reformation import hands, treaties
from pbem.games.reformation.house import house
from pbem.games.reformation.negotiation import SECTION, TALKS, Deals, announce, press_refused
from pbem.games.reformation.relations import seat_of
from pbem.games.reformation.treaties import Package, TalkQuestion, Talks
from pbem.games.virgin_queen.court import royals
from pbem.games.virgin_queen.diplomacy.packages import CLAUSES, Betroth
from pbem.games.virgin_queen.new_world import treasures
from pbem.table.asking import Card, Moment, response
from pbem.table.orders import Done, Many, Name, Order, Refused, Showing
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

_DEALS = Deals(CLAUSES)


class _Show(Showing):
    """9.1: what both ways of showing a hand share: to whom."""

    to: list[str]

    @property
    def is_likely(self) -> bool:
        return False

    def viewers(self) -> list[str]:
        return self.to

    def check(self, table: Table, question: Question) -> None:
        for power in self.to:
            if power in seat_of(table.board, question.power):
                raise Refused("that_is_yourself", SECTION)
            if power not in table.board.powers:
                raise Refused("no_player_to_show_to", SECTION, power=power)


class ShowHand(_Show):
    """Show your whole hand, cards and treasures, to other powers; the service vouches that it is all you hold."""

    line = "SHOW HAND TO {to}"
    whole = True
    to = Many(Name("power"))

    def shown(self, table: Table, power: str) -> dict[str, list[str]]:
        return {"card": hands.cards_of(table, power), "treasure": _kinds(treasures.of(table, power))}

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        yield from (cls(to=[power]) for power in table.board.powers)
        yield cls(to=[power for power in table.board.powers if power != question.power])


class ShowItems(_Show):
    """Show some cards or treasures of your hand to other powers; the service vouches that you hold them."""

    line = "SHOW [CARDS {cards}] [TREASURES {treasures}] TO {to}"
    cards = Many(Card(), optional=True)
    treasures = Many(Name("treasure"), optional=True)
    to = Many(Name("power"))

    def check(self, table: Table, question: Question) -> None:
        super().check(table, question)
        if not self.cards and not self.treasures:
            raise Refused("nothing_to_show", SECTION, hint="SHOW HAND TO <powers>")
        for card in self.cards or ():
            if card not in hands.cards_of(table, question.power):
                raise Refused("card_not_held", SECTION, card=card)
        held = _kinds(treasures.of(table, question.power))
        for kind in self.treasures or ():
            if kind not in held:
                hints = [f"SHOW TREASURES {one.upper()} TO <powers>" for one in held]
                raise Refused("treasure_not_held", SECTION, hints)
            held.remove(kind)

    def shown(self, table: Table, power: str) -> dict[str, list[str]]:
        return {"card": list(dict.fromkeys(self.cards or ())), "treasure": list(self.treasures or ())}

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        cards, kinds = hands.cards_of(table, question.power), _kinds(treasures.of(table, question.power))
        for power in table.board.powers:
            yield from (cls(cards=[card], to=[power]) for card in cards)
            yield from (cls(treasures=[kind], to=[power]) for kind in dict.fromkeys(kinds))
        # As long as lists can be, for the rows of a form.
        others = [power for power in table.board.powers if power != question.power]
        yield cls(cards=cards or None, treasures=kinds or None, to=others)


def _kinds(items: Sequence[str]) -> list[str]:
    """The kinds of treasures."""
    return [item.partition(":")[0] for item in items]


WINDOW_ORDERS: tuple[type[Order], ...] = (*_DEALS.orders, ShowHand, ShowItems, Done)


def negotiation(table: Table) -> Procedure:
    """9.1: the window, open to all for its time or until all say DONE; then what was announced is read."""
    table.set(TALKS, [list(table.board.powers)])
    answers = yield Talks(
        [
            TalkQuestion(power, "negotiation", list(WINDOW_ORDERS), section=SECTION, clauses=_DEALS.clauses)
            for power in table.board.powers
        ]
    )
    table.set(TALKS, None)
    yield from _card_of_the_talks(table)
    powers = table.board.powers
    made = [package for power in powers for package in _DEALS.packages_of(power, answers.get(power, []))]
    announce(table, [package for package in made if _still_stands(table, package)])


def _card_of_the_talks(table: Table) -> Procedure:
    """6.1: the window of LOUISE OF LORRAINE at the end of the talks, in turns in which all know that she may come."""
    moment = Moment("negotiation", table.board.powers[0])
    written = house(table).book.by_card(table.kit)
    cards = [card for card, event in written.items() if moment.name in event.moments]
    gone = {hands.BOX, hands.REMOVED, hands.DISCARD}
    hidden = [card for card in cards if not any(card in table.board.piles.get(pile, ()) for pile in gone)]
    if any(house(table).book.why_not(table, table.board.powers[0], card, moment) is None for card in hidden):
        yield from response(table, moment, section="6.1")


def _still_stands(table: Table, package: Package) -> bool:
    """9.1: whether anything is left of a package: a betrothal of whom a card of these talks married is void."""
    for clause in list(package.clauses):
        if not isinstance(clause, Betroth):
            continue
        if not (royals.is_eligible(table, clause.man) and royals.is_eligible(table, clause.woman)):
            table.tell("betrothal_void", power=package.power, man=clause.man, woman=clause.woman, section=SECTION)
            package.clauses.remove(clause)
    return bool(package.clauses)


def confirmations(table: Table) -> Procedure:
    """9.1: the parties later in impulse order confirm or refuse; then the Empire has nobody for hire any more."""
    yield from _DEALS.confirm(table)
    table.set("for_hire", 0, why="announced", section=SECTION)


def press_allowed(table: Table, sender: str, receivers: Sequence[str]) -> Refused | None:
    """9.1: why a message may not be relayed now, or None. Public ones always may, private ones within the segment."""
    return press_refused(table, sender, receivers, "private_press_in_negotiation")


ORDERS: tuple[type[Order], ...] = (*WINDOW_ORDERS, *treaties.CONFIRMATIONS)
