"""10: Spring Deployment, power by power in impulse order; each completes all its steps before the next begins."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.reformation import deployment, hands
from pbem.games.reformation.ground import capitals
from pbem.games.reformation.sequence import next_in_order
from pbem.games.virgin_queen.new_world import fleet, ocean
from pbem.games.virgin_queen.powers import majors
from pbem.games.virgin_queen.powers.majors import EMPIRE, ENGLAND, OTTOMAN, SPAIN
from pbem.games.virgin_queen.sequence import leaders
from pbem.games.virgin_queen.victory.conditions import PREFERENCE
from pbem.table.asking import Ask, Card
from pbem.table.orders import Choice, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, Question


def happens(table: Table) -> bool:
    """Every turn has a Spring Deployment phase."""
    return True


class Prefer(Order):
    """Write down the secret religious preference of the Empire."""

    line = "PREFER {preference}"
    preference = Choice("protestant", "catholic", "neutral")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for preference in table.kit.constants["preferences"]:
            yield cls(preference=preference)


class PutAway(Order):
    """Put one of your two home cards away, face down, for this turn."""

    line = "PUT AWAY {card}"
    card = Card()

    def check(self, table: Table, question: Question) -> None:
        mine = home_cards_held(table, question.power)
        if self.card not in mine:
            raise Refused("no_home_card_held", "10", [f"PUT AWAY {card}" for card in mine], card=self.card)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in home_cards_held(table, question.power):
            yield cls(card=card)


def home_cards_held(table: Table, power: str) -> list[str]:
    """The home cards in a power's hand."""
    return [card for card in hands.cards_of(table, power) if hands.kind_of(table, card) == "home"]


def start(table: Table) -> Procedure:
    """10: the first power in impulse order begins; by option all put their home cards away at once before it (3.21)."""
    if table.options["home_cards_asked"] == "together":
        questions = [_question(power) for power in table.board.powers if must_put_away(table, power)]
        answers = (yield AllOf(questions)) if questions else {}
        for power in table.board.powers:
            if power in answers:
                _put_away(table, power, answers[power].card)
    table.set("active", table.board.powers[0])


def deployments(table: Table) -> Procedure:
    """10: all steps of one power."""
    power = table.board.state["active"]
    if power == SPAIN:
        yield from fleet.escorts(table)
    if power == ENGLAND:
        yield from ocean.captains_to_europe(table)
    if power == EMPIRE:
        yield from preference(table)
    yield from leaders.place(table, power)
    yield from put_away(table, power)
    if capitals(table, power):
        yield from deployment.spring_deployment(table, power)
    return next_in_order(table)


def preference(table: Table) -> Procedure:
    """10 step 3, 23.5: in the first turn of the scenario the Empire records its secret preference; six powers only."""
    pile = f"preferences:{EMPIRE}"
    if not table.board.piles.get(pile):
        return
    order = yield Ask(EMPIRE, "preference", [Prefer], Prefer(preference="neutral"), section="10")
    table.card(f"preference:{order.preference}", pile, PREFERENCE, to=[EMPIRE], why="preference", section="10")
    for left in list(table.board.piles.get(pile, ())):
        table.card(left, pile, f"preferences_left:{EMPIRE}", to=[EMPIRE], why="preference", section="10")


def must_put_away(table: Table, power: str) -> bool:
    """10 step 5: whether a power holds two home cards; the Ottoman under Suleiman keeps both (3.3)."""
    constants = table.kit.constants
    if power in table.board.played_by:
        return False
    if power == OTTOMAN and majors.ruler(table, power)["id"] in constants["keeps_home_cards"]:
        return False
    return len(home_cards_held(table, power)) > constants["home_cards_kept"]


def put_away(table: Table, power: str) -> Procedure:
    """10 step 5: who holds two home cards puts one away, face down; an activated power discards all that it holds."""
    if power in table.board.played_by:
        for card in home_cards_held(table, power):
            hands.discard(table, power, card, why="home_card", section="10")
    if must_put_away(table, power):
        order = yield _question(power)
        _put_away(table, power, order.card)


def _question(power: str) -> Question:
    return Ask(
        power,
        "home_card",
        [PutAway],
        lambda t, q: PutAway(card=min(home_cards_held(t, q.power), key=lambda c: (hands.cp_of(t, c), int(c)))),
        section="10",
    )


def _put_away(table: Table, power: str, card: str) -> None:
    table.card(card, hands.hand(power), f"put_away:{power}", to=[power], why="home_card", section="10")


SEGMENTS = (("start", start), ("deployments", deployments))
ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (Prefer, PutAway)
