"""Cards of the east: 99, 105, 106, 112. The order `Stake` discards cards for the throne of Poland."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pbem.games.reformation import construction, hands
from pbem.games.reformation.card_help import number
from pbem.games.reformation.cards import Outcome
from pbem.games.reformation.forces import add_units
from pbem.games.reformation.foreign_war import is_open
from pbem.games.reformation.ground import home_spaces
from pbem.games.reformation.land_actions import Move
from pbem.games.reformation.relations import at_war
from pbem.games.virgin_queen.cards import BOOK, event, playable
from pbem.games.virgin_queen.cards.common import names, plays, resolver
from pbem.games.virgin_queen.cards.free_actions import free_action
from pbem.games.virgin_queen.powers import foreign_war
from pbem.games.virgin_queen.powers.majors import EMPIRE, OTTOMAN
from pbem.games.virgin_queen.victory import score
from pbem.table.asking import Ask, Card, Moment, Pass, choose
from pbem.table.orders import Many, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, Question

# --- 99 ---


class Stake(Order):
    """Discard cards for the throne of Poland, each for 1 more on your die."""

    line = "STAKE {cards}"
    cards = Many(Card())

    def check(self, table: Table, question: Question) -> None:
        most = number(table, 99, "cards_most")
        if len(self.cards) > most:
            raise Refused("too_many_staked", "25.2", most=most)
        if len(set(self.cards)) < len(self.cards):
            raise Refused("card_twice", "25.2")
        for card in self.cards:
            if card not in hands.cards_of(table, question.power):
                raise Refused("card_not_held", "6.1", card=card)
            if card not in hands.drawable(table, question.power):
                raise Refused("home_card_not_staked", "25.2", card=card)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in hands.drawable(table, question.power):
            yield cls(cards=[card])


@event("polish_royal_election")
def polish_royal_election(table: Table, power: str, moment: Moment) -> Procedure:
    """99: a war of the Empire with Poland is over as if won (23.7). Three powers throw a die for the throne; two of
    them add cards that they discard, sealed.

    The higher of the two scores 1 VP if it beats the third as well; no tie does. A power without a seat throws none.
    """
    for war in names(table, 99, "wars"):
        if is_open(table, war):
            yield from foreign_war.end(table, foreign_war.power_of(table, war), war)
    contenders = [one for one in names(table, 99, "contenders") if one in table.board.powers]
    throwers = (*contenders, *_against(table))
    totals = {one: sum(table.roll("polish_election", one, 1, section="25.2")) for one in throwers}
    stakers = [one for one in contenders if hands.cards_of(table, one)]
    answers: dict[str, Order] = {}
    if stakers:
        context = {"number": 99, "step": "stake", "totals": dict(totals)}
        answers = yield AllOf(
            [
                Ask(one, "event_choice", [Stake, Pass], Pass(), context=dict(context), section="25.2")
                for one in stakers
            ]
        )
    for one in contenders:
        order = answers.get(one)
        for card in order.cards if isinstance(order, Stake) else ():
            hands.discard(table, one, card, why="polish_election", section="25.2")
            totals[one] += 1
    table.tell("polish_election", totals=dict(totals), section="25.2")
    best = max(totals.values(), default=0)
    first = [one for one, total in totals.items() if total == best]
    if len(first) == 1 and first[0] in contenders:
        score.award(table, first[0], "polish_royal_election", number(table, 99, "vp"), section="25.2")
    else:
        table.tell("throne_of_poland_lost", section="25.2")


def _against(table: Table) -> list[str]:
    """99: the powers that can only spoil the election."""
    return [one for one in names(table, 99, "against") if one in table.board.powers]


@playable("polish_royal_election")
def _polish_royal_election(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if any(one in table.board.powers for one in names(table, 99, "contenders")) else Refused("no_contender")


# --- 105, 106 ---


@event("war_in_persia")
def war_in_persia(table: Table, power: str, moment: Moment) -> Procedure:
    """105: a foreign war of the Ottoman (23.7); the player says how strong the Persians are."""
    yield from foreign_war.begin(table, BOOK.card_id(table, "war_in_persia"), power)
    return Outcome(fate="table")


@playable("war_in_persia")
def _war_in_persia(table: Table, power: str, moment: Moment) -> Refused | None:
    return foreign_war.why_not_begin(table, BOOK.card_id(table, "war_in_persia"))


@event("war_with_poland")
def war_with_poland(table: Table, power: str, moment: Moment) -> Procedure:
    """106: a foreign war of the Empire (23.7); the player says how strong the Poles are."""
    yield from foreign_war.begin(table, BOOK.card_id(table, "war_with_poland"), power)
    return Outcome(fate="table")


@playable("war_with_poland")
def _war_with_poland(table: Table, power: str, moment: Moment) -> Refused | None:
    return foreign_war.why_not_begin(table, BOOK.card_id(table, "war_with_poland"))


# --- 112 ---


def recruits(table: Table, who: str, owner: str) -> list[str]:
    """112: the home spaces where a regular of a power can come now (17)."""
    return construction.places_to_build(table, who, owner, "regular", home_spaces(table, owner))


@event("long_turkish_war")
def long_turkish_war(table: Table, power: str, moment: Moment) -> Procedure:
    """112: the Ottoman, then the Empire, places 2 regulars at home; at war, each may make a land move for nothing."""
    sides = [(resolver(table, one, power), one) for one in (OTTOMAN, EMPIRE) if plays(table, one)]
    for who, owner in sides:
        for _ in range(number(table, 112, "regulars")):
            space = yield from choose(
                table, who, "space", partial(recruits, who=who, owner=owner), section="17", number=112, owner=owner
            )
            if space is not None:
                add_units(table, owner, "regular", space, 1, why="card", section="17")
    if not at_war(table.board, OTTOMAN, EMPIRE):
        return
    for who, _owner in sides:
        yield from free_action(
            table, who, [Move], ["move_formation_clear", "move_formation_pass"], card=112, section="13.1"
        )


@playable("long_turkish_war")
def _long_turkish_war(table: Table, power: str, moment: Moment) -> Refused | None:
    sides = [(resolver(table, one, power), one) for one in (OTTOMAN, EMPIRE) if plays(table, one)]
    if any(recruits(table, who, owner) for who, owner in sides) or at_war(table.board, OTTOMAN, EMPIRE):
        return None
    return Refused("no_place_for_regulars", "17")


ORDERS: tuple[type[Order], ...] = (Stake,)
ACTIONS: tuple[type[Order], ...] = ()
