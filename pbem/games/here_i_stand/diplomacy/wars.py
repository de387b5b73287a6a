"""9.6: the war segment, and how war between two powers begins and ends in any phase."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.games.here_i_stand import cards as events
from pbem.games.here_i_stand.powers import excommunication
from pbem.games.here_i_stand.religion.conversion import ENGLAND, PAPACY, PROTESTANT
from pbem.games.reformation import hands, marks, minor_powers
from pbem.games.reformation import naval as sea
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.captives import in_order
from pbem.games.reformation.new_wars import check_targets, end_loans_of_enemies, leave_new_enemies
from pbem.games.reformation.relations import allied, at_war, end_war, make_war, pair
from pbem.games.reformation.treaties import AnyPower
from pbem.table.asking import Ask, Card, Moment, Pass
from pbem.table.orders import Many, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, Question

HAPSBURG, FRANCE = "hapsburg", "france"
SECTION = "9.6"
BOLEYN_SPENT = "boleyn_discount_spent"
"""State: true when the Hapsburg has used the Catherine of Aragon marker (21.3)."""
INTERVENED = "intervened"
"""The mark of the turn that lists the minor powers for which an intervention is paid (9.6)."""


# --- how wars begin and end ---


def begin_war(
    table: Table, power: str, target: str, *, why: str = "declared", section: str = SECTION
) -> Procedure:
    """Two powers are at war from now on; `power` began it. What follows at once is done: alliance and loans end.

    In the Action Phase their ships in one zone fight (9.6), and option `new_enemies_stacked` is heeded.
    """
    table.tell("war", power=power, target=target, why=why, section=section)
    if has_discount(table, power, target) and (why == "declared" or table.options["free_war_spends_discount"]):
        table.set(BOLEYN_SPENT, True, section="21.3")
    make_war(table, power, target, why=why, section=section)
    if target not in table.board.powers:
        return
    yield from end_loans_of_enemies(table, power, target)
    if table.board.state["phase"] == "action":
        if table.options["new_enemies_stacked"] == "active_leaves":
            yield from leave_new_enemies(table, power, target, section=SECTION, everywhere=True)
        yield from sea.war_at_sea(table, power, target)


def make_peace(table: Table, a: str, b: str, section: str) -> None:
    """9.3 step 8: the war is over; peace with the Papacy lifts the excommunication of the other's ruler."""
    end_war(table, a, b, why="peace", section=section)
    table.tell("peace", power=a, target=b, section=section)
    marks.note(table, "turn", "peace", _pair(a, b))
    if PAPACY in (a, b):
        excommunication.lift(table, b if a == PAPACY else a, "peace", section)


def _pair(a: str, b: str) -> str:
    return "+".join(pair(a, b))


def made_peace(table: Table, a: str, b: str) -> bool:
    """Whether two powers made peace in this turn's Diplomacy phase."""
    return marks.noted(table, "turn", "peace", _pair(a, b))


# --- restrictions ---


def why_not(table: Table, power: str, target: str) -> Refused | None:
    """9.6: the lasting restrictions on declarations of war, in whatever phase; None where there is none."""
    if target == power:
        return Refused("that_is_yourself")
    if at_war(table.board, power, target):
        return Refused("at_war_already", power=target)
    if PROTESTANT in (power, target) and not table.board.state.get("league"):
        return Refused("no_war_before_league")
    if target in table.board.powers:
        if allied(table.board, power, target):
            return Refused("is_your_ally", power=target)
        return None if _row(table, power, target)["cp"] is not None else Refused("never_war_on", power=target)
    ally = table.board.state.get("minor_ally", {}).get(target)
    if ally:
        return Refused("minor_of_another", power=target, ally=ally)
    row = table.kit.tables["minors"][target]
    if row["kind"] != "minor" or power in row["no_declaration_by"]:
        return Refused("never_war_on", power=target)
    if row["natural_ally"] and _bars_always(table, target) and allied(table.board, power, row["natural_ally"]):
        return Refused("natural_ally_is_yours", power=target, ally=row["natural_ally"])
    return None


def _bars_always(table: Table, minor: str) -> bool:
    """9.6: whether an alliance with the natural ally bars war in every phase (Scotland), not in Diplomacy alone."""
    return minor in table.kit.constants["natural_ally_bars_always"]


def why_not_in_diplomacy(table: Table, power: str, target: str) -> Refused | None:
    """9.6: why a power may not declare war in the Diplomacy phase: the lasting restrictions and those of the phase."""
    reason = why_not(table, power, target)
    if reason:
        return reason
    if made_peace(table, power, target):
        return Refused("peace_made", power=target)
    ally = table.kit.tables["minors"][target]["natural_ally"] if target not in table.board.powers else None
    if ally and ally != power:
        if allied(table.board, power, ally):
            return Refused("natural_ally_is_yours", power=target, ally=ally)
        if made_peace(table, power, ally):
            return Refused("peace_made_with_natural_ally", power=target, ally=ally)
    return None


def _row(table: Table, power: str, target: str) -> Mapping[str, Any]:
    rows = table.kit.tables["war_costs"]
    cost = rows.get(f"{power}:{target}")
    if cost is None:
        cost = rows[f"{target}:{power}"]
        assert cost["symmetric"]
    return cost


def has_discount(table: Table, power: str, target: str) -> bool:
    """21.3: the first declaration of the Hapsburg on England after the Boleyn marriage is cheaper."""
    box = table.kit.tables["wives"][table.kit.constants["war_discount_from_box"]]["box"]
    married = table.board.value("marital_box", ENGLAND) >= box
    return (power, target) == (HAPSBURG, ENGLAND) and married and not table.board.state.get(BOLEYN_SPENT)


def cost_of(table: Table, power: str, target: str) -> int:
    """9.6: the CP that a declaration of war costs."""
    cp = _row(table, power, target)["cp"]
    if has_discount(table, power, target):
        cp = max(0, cp - table.kit.constants["boleyn_war_discount"])
    return cp


# --- the cards that pay ---


def payable(table: Table, power: str) -> list[str]:
    """9.6: the cards of a hand that can pay for war: no mandatory events; home cards by option."""
    home = table.options["home_card_pays_war"]
    return [
        card
        for card in hands.cards_of(table, power)
        if hands.kind_of(table, card) != "mandatory" and (home or hands.kind_of(table, card) != "home")
    ]


def means(table: Table, power: str) -> int:
    """The CP that a hand could pay. Secret: tell it to its owner only."""
    return sum(hands.cp_of(table, card) for card in payable(table, power))


def check_payment(table: Table, power: str, cards: Sequence[str], cost: int) -> None:
    """Raise `Refused` unless these cards of the hand pay so much; nothing is given back."""
    if len(set(cards)) < len(cards):
        raise Refused("card_twice", SECTION)
    for card in cards:
        if card not in hands.cards_of(table, power):
            raise Refused("card_not_held", SECTION, card=card)
        if card not in payable(table, power):
            raise Refused("card_pays_no_war", SECTION, card=card, kind=hands.kind_of(table, card))
    total = sum(hands.cp_of(table, card) for card in cards)
    if total < cost:
        raise Refused("cards_pay_too_little", SECTION, total=total, cost=cost)


def cheapest(table: Table, power: str, cost: int) -> list[str]:
    """The cards that pay with least CP to spare, then the fewest, then by number; all where they do not suffice."""
    return _cheapest_of(table, payable(table, power), cost)


def _cheapest_of(table: Table, cards: Sequence[str], cost: int) -> list[str]:
    """What of these cards pays a cost with least CP to spare; nothing where there is nothing to pay."""
    if cost <= 0:
        return []
    cards = sorted(cards, key=int)
    best = tuple(cards)
    for number in range(1, len(cards) + 1):
        for some in itertools.combinations(cards, number):
            total = sum(hands.cp_of(table, card) for card in some)
            if total >= cost and total < sum(hands.cp_of(table, card) for card in best):
                best = some
    return list(best)


# --- orders ---


@dataclass
class WarQuestion(Ask):
    """`reserved`: CP that the power's own sealed declarations will cost; nothing of it is told to others."""

    reserved: int = 0


class DeclareWar(Order):
    """Declare war on one or more powers; PAYING names cards that are to pay, else you are asked in the end."""

    line = "DECLARE WAR ON {targets} [PAYING {cards}]"
    targets = Many(AnyPower(), most=10)
    cards = Many(Card(), optional=True)

    @property
    def is_likely(self) -> bool:
        return False

    def check(self, table: Table, question: Question) -> None:
        power = question.power
        check_targets(table, power, self.targets, why_not_in_diplomacy, SECTION)
        cost = sum(cost_of(table, power, target) for target in self.targets)
        if self.cards:
            check_payment(table, power, self.cards, cost)
        elif table.options["war_costs_beyond_hand"] == "refused" and cost > means(table, power):
            raise Refused("war_too_dear", SECTION, cost=cost, owed=0, means=means(table, power))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for target in targets_of(table, question.power):
            yield cls(targets=[target])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        targets = targets_of(table, question.power)
        for _ in range(6):
            some = chance.sample(targets, min(len(targets), chance.choice((1, 1, 2))))
            paying = chance.random() < 0.3
            cost = sum(cost_of(table, question.power, target) for target in some)
            order = cls(targets=some, cards=cheapest(table, question.power, cost) or None if paying else None)
            if some and question.is_legal(table, order):
                return order
        return None


def targets_of(table: Table, power: str) -> list[str]:
    """The powers, minor ones after, on which a power may declare war now, whatever its hand."""
    chart = atlas(table)
    return [one for one in (*chart.powers, *chart.minors) if why_not_in_diplomacy(table, power, one) is None]


class Intervene(Order):
    """Intervene for your natural ally: it becomes your ally, and you are at war with its attacker."""

    line = "INTERVENE [PAYING {cards}]"
    cards = Many(Card(), optional=True)

    def check(self, table: Table, question: Question) -> None:
        power, cost = question.power, question.context["cp"]
        owed = table.board.state.get("war_costs", {}).get(power, 0)
        reserved = question.reserved if isinstance(question, WarQuestion) else 0
        if self.cards:
            check_payment(table, power, self.cards, cost)
        if owed + reserved + cost > means(table, power):
            raise Refused("war_too_dear", SECTION, cost=cost, owed=owed + reserved, means=means(table, power))


class PayWar(Order):
    """Discard cards that pay for your declarations and interventions; too much is not given back."""

    line = "PAY {cards}"
    cards = Many(Card())

    def check(self, table: Table, question: Question) -> None:
        # A hand that does not suffice pays what it can.
        check_payment(table, question.power, self.cards, min(question.context["cp"], means(table, question.power)))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        """The cheapest payment, then with each card the cheapest that begins with it, then the whole hand."""
        power, cost = question.power, question.context["cp"]
        cards = payable(table, power)
        ways = [cheapest(table, power, cost)]
        for card in cards:
            others = [one for one in cards if one != card]
            ways.append([card, *_cheapest_of(table, others, cost - hands.cp_of(table, card))])
        for way in [*ways, cards]:
            if way:
                yield cls(cards=way)

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        """The cheapest payment: who plays by chance need not throw cards away."""
        cards = cheapest(table, question.power, question.context["cp"])
        return cls(cards=cards) if cards else None


# --- the segment ---


@dataclass
class _Cost:
    """What a power owes for a declaration or an intervention, and the wars that end where it cannot pay."""

    power: str
    cp: int
    wars: list[tuple[str, str]]


@dataclass
class _Declarations:
    """What one run of the segment holds: the sealed answers not reached yet, the cards that were named to pay."""

    sealed: dict[str, DeclareWar] = field(default_factory=dict)
    named: dict[str, list[str]] = field(default_factory=dict)
    costs: list[_Cost] = field(default_factory=list)

    def reserved(self, table: Table, power: str) -> int:
        """The CP of a power's declarations that are sealed yet."""
        order = self.sealed.get(power)
        if order is None:
            return 0
        open_targets = [one for one in order.targets if why_not_in_diplomacy(table, power, one) is None]
        return sum(cost_of(table, power, target) for target in open_targets)


def war_segment(table: Table) -> Procedure:
    """9.6: declarations in impulse order with their interventions, then each power pays the sum of its costs."""
    current = _Declarations()
    able = [power for power in table.board.powers if targets_of(table, power) and hands.cards_of(table, power)]
    if table.options["diplomacy_asked"] == "together":
        answers = yield from in_order(table, [_question(table, power) for power in able])
        current.sealed = {power: order for power, order in answers if isinstance(order, DeclareWar)}
        for power in able:
            order = current.sealed.get(power)
            if order is not None:
                yield from declare_all(table, power, order, current)
    else:
        for power in able:
            if not targets_of(table, power):
                continue
            order = yield _question(table, power)
            if isinstance(order, DeclareWar):
                yield from declare_all(table, power, order, current)
    yield from pay_costs(table, current)


def _question(table: Table, power: str) -> Question:
    costs = {target: cost_of(table, power, target) for target in targets_of(table, power)}
    return WarQuestion(power, "war", [DeclareWar, Pass], Pass(), context={"costs": costs}, section=SECTION)


def declare_all(table: Table, power: str, order: DeclareWar, current: _Declarations) -> Procedure:
    """9.6 steps 1 to 5: one power's declarations. What an earlier power's turn made impossible falls, told to all."""
    if order.cards:
        current.named.setdefault(power, []).extend(order.cards)
    for target in order.targets:
        reason = why_not_in_diplomacy(table, power, target)
        if reason:
            table.tell("declaration_falls", power=power, target=target, refused=reason.to_json(), section=SECTION)
            continue
        cost = cost_of(table, power, target)
        _owe(table, power, cost)
        table.tell("declaration", power=power, target=target, cp=cost, section=SECTION)
        current.costs.append(_Cost(power, cost, [(power, target)]))
        yield from begin_war(table, power, target)
        yield from intervention(table, power, target, current)
    current.sealed.pop(power, None)


def _owe(table: Table, power: str, cp: int) -> None:
    costs = table.board.state.get("war_costs", {})
    table.set("war_costs", {**costs, power: costs.get(power, 0) + cp}, section=SECTION)


def intervention(table: Table, power: str, target: str, current: _Declarations | None = None) -> Procedure:
    """9.6 steps 4, 5: the natural ally of an attacked minor power may intervene; without `current` it costs nothing."""
    row = table.kit.tables["minors"].get(target)
    ally = row["natural_ally"] if row else None
    if not ally or ally == power or row["intervention_cp"] in (None, 0):
        return
    cost = row["intervention_cp"] if current is not None else 0
    if cost and not hands.cards_of(table, ally):
        return
    reserved = current.reserved(table, ally) if current else 0
    order = yield WarQuestion(
        ally,
        "intervention",
        [Intervene, Pass],
        Pass(),
        context={"minor": target, "power": power, "cp": cost},
        section=SECTION,
        reserved=reserved,
    )
    if not isinstance(order, Intervene):
        return
    if current is not None:
        _owe(table, ally, cost)
        marks.note(table, "turn", INTERVENED, target)
        new = [] if at_war(table.board, ally, power) else [(ally, power)]
        current.costs.append(_Cost(ally, cost, new))
        if order.cards:
            current.named.setdefault(ally, []).extend(order.cards)
    table.tell("intervention", power=ally, minor=target, target=power, cp=cost, section=SECTION)
    if not at_war(table.board, ally, power):
        yield from begin_war(table, ally, power, why="intervention")
    yield from minor_powers.activate(table, target, ally)


def war_by_event(table: Table, power: str, target: str, *, section: str = SECTION) -> Procedure:
    """9.6: a card makes war in the Action Phase (3, 40): the natural ally may intervene for nothing.

    The card checks `why_not` before.
    """
    yield from begin_war(table, power, target, why="event", section=section)
    yield from intervention(table, power, target)


def pay_costs(table: Table, current: _Declarations) -> Procedure:
    """9.6: after all declarations each power discards cards that pay its total. Those who are to pay pay at once."""
    if table.options["war_costs_beyond_hand"] == "void":
        _drop_unpaid(table, current)
    chosen: dict[str, list[str]] = {}
    asked: list[Question] = []
    for power in table.board.powers:
        cost = table.board.state.get("war_costs", {}).get(power, 0)
        if not cost:
            continue
        named = [card for card in dict.fromkeys(current.named.get(power, [])) if card in payable(table, power)]
        if named and sum(hands.cp_of(table, card) for card in named) >= cost:
            chosen[power] = named
        elif len(hands.cards_of(table, power)) < 2:  # that is no secret, and nothing is left to choose
            chosen[power] = payable(table, power)
        else:
            asked.append(_payment(power, cost))
    if asked:
        answers = yield AllOf(asked)
        chosen |= {power: order.cards if isinstance(order, PayWar) else [] for power, order in answers.items()}
    for power in table.board.powers:
        if power in chosen:
            table.tell("war_paid", power=power, cp=table.board.state["war_costs"][power], section=SECTION)
            for card in chosen[power]:
                hands.discard(table, power, card, why="war_costs", section=SECTION)
    table.set("war_costs", None)
    for power in table.board.powers:
        for card in chosen.get(power, ()):
            yield from _troops_for_payment(table, power, card)


def _payment(power: str, cost: int) -> Question:
    """Which cards pay: asked whatever the hand holds, else all would learn that there was one way only, or none."""

    def may_pass(table: Table) -> None:
        if payable(table, power):
            raise Refused("which_cards_pay", SECTION, hint="PAY <card>, ...", cost=cost)

    def default(table: Table, question: Question) -> Order:
        cards = cheapest(table, power, cost)
        return PayWar(cards=cards) if cards else Pass()

    return Ask(power, "war_payment", [PayWar, Pass], default, context={"cp": cost}, section=SECTION, may_pass=may_pass)


def _troops_for_payment(table: Table, power: str, card: str) -> Procedure:
    """69, 108 (option `second_halves`): the card that pays for an intervention brings troops to the new ally too."""
    moment = Moment("intervention_paid", power)
    if events.BOOK.find(table.kit, card) and events.BOOK.why_not(table, power, card, moment) is None:
        yield from events.BOOK.resolve(table, power, card, moment)


def _drop_unpaid(table: Table, current: _Declarations) -> None:
    """Option `war_costs_beyond_hand` ``void``: a power's last declarations fall until its hand can pay the others.

    Its war is over with no peace made; a minor power that was activated meanwhile stays so.
    """
    for power in table.board.powers:
        mine = [cost for cost in current.costs if cost.power == power]
        while mine and sum(cost.cp for cost in mine) > means(table, power):
            fallen = mine.pop()
            _owe(table, power, -fallen.cp)
            for one, target in fallen.wars:
                table.tell("declaration_falls", power=one, target=target, reason="not_paid", section=SECTION)
                end_war(table, one, target, why="not_paid", section=SECTION)


ORDERS: tuple[type[Order], ...] = (DeclareWar, Intervene, PayWar)
