"""9.4, 9.5: the war segment, power by power, and how a war begins in any phase."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.games.reformation import hands, new_wars
from pbem.games.reformation import naval as sea
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.relations import allied, at_war, make_war
from pbem.games.reformation.treaties import AnyPower
from pbem.games.virgin_queen.court import queens
from pbem.games.virgin_queen.diplomacy.packages import made_peace
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.powers import minors
from pbem.table.asking import Ask, Card, Pass, choose
from pbem.table.orders import Many, Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import InOrder, Question

SECTION = "9.4"
INTERVENTION = "intervention"
VARIABLE = "variable"
"""In the kit's table of costs: the cost is that of 9.5."""


# --- how a war begins ---


def begin_war(table: Table, power: str, target: str, *, why: str = "declared", section: str = SECTION) -> Procedure:
    """Two powers are at war from now on; `power` began it. An alliance of theirs ends, with its loans.

    Units of the two that share a space part after an intervention, and (GB-58) by a war of the Actions phase; there
    fleets in one zone fight at once.
    """
    if at_war(table.board, power, target):
        return
    table.tell("war", power=power, target=target, why=why, section=section)
    make_war(table, power, target, why=why, section=section)
    if target not in table.board.powers:
        return
    yield from new_wars.end_loans_of_enemies(table, power, target)
    in_actions = table.board.state["phase"] == "action"
    if why == INTERVENTION or (in_actions and table.options["new_enemies_stacked"] == "displaced"):
        yield from new_wars.part_stacks(table, power, target, section="12.5")
    if in_actions:
        yield from sea.war_at_sea(table, power, target)


def attacks_at_new_war(table: Table, a: str, b: str) -> str:
    """9.4: of two fleets that meet by a new war, the power earlier in impulse order attacks."""
    order = table.board.powers
    return min(a, b, key=lambda power: order.index(power) if power in order else len(order))


# --- restrictions ---


def cost_row(table: Table, power: str, target: str) -> str | None:
    """The printed cell of two powers: a number, ``variable``, ``N/A``, ``possible ally``; None where there is none."""
    rows = table.kit.tables["war_costs"]
    row = rows.get(f"{power}:{target}") or rows.get(f"{target}:{power}")
    return None if row is None else str(row["cp"])


def cost_of(table: Table, power: str, target: str) -> int | None:
    """9.4, 9.5: the CP that a declaration costs; None where war cannot be declared."""
    cell = cost_row(table, power, target)
    if cell == VARIABLE:
        return queens.war_cost(table)
    return int(cell) if cell and cell.isdigit() else None


def why_not(table: Table, power: str, target: str) -> Refused | None:
    """9.4: the lasting restrictions on declarations of war, in whatever phase; None where there is none."""
    if target == power:
        return Refused("that_is_yourself")
    if at_war(table.board, power, target):
        return Refused("at_war_already", power=target)
    if target in table.board.powers:
        if allied(table.board, power, target):
            return Refused("is_your_ally", power=target)
    else:
        ally = table.board.state["minor_ally"].get(target)
        if ally:
            return Refused("minor_of_another", power=target, ally=ally)
        later = table.kit.constants["in_the_game_after"].get(target)
        if later and not table.board.state.get(later):
            return Refused("not_in_the_game_yet", power=target)
    if cost_of(table, power, target) is None:
        return Refused("never_war_on", power=target)
    return None


def why_not_in_diplomacy(table: Table, power: str, target: str) -> Refused | None:
    """9.4: why a power may not declare war in the Diplomacy phase: no war on whom it made peace with in this phase."""
    reason = why_not(table, power, target)
    if reason is None and made_peace(table, power, target):
        return Refused("peace_made", power=target)
    return reason


def targets_of(table: Table, power: str) -> list[str]:
    """On whom a power may declare war now, whatever its hand: major powers, then minor ones."""
    chart = atlas(table)
    return [one for one in (*chart.powers, *chart.minors) if why_not_in_diplomacy(table, power, one) is None]


# --- payment ---


def payable(table: Table, power: str) -> list[str]:
    """9.4: the cards and treasures of a hand that can pay for war: no home cards, no mandatory events."""
    cards = [card for card in hands.cards_of(table, power) if hands.kind_of(table, card) not in ("home", "mandatory")]
    return [*cards, *(one for one in treasures.of(table, power) if treasures.cp_of(table, one))]


def worth(table: Table, item: str) -> int:
    """The CP of a card or treasure."""
    return treasures.cp_of(table, item) if ":" in item else hands.cp_of(table, item)


def means(table: Table, power: str) -> int:
    """The CP that a hand could pay. Secret: tell it to its owner only."""
    return sum(worth(table, item) for item in payable(table, power))


def cheapest(table: Table, power: str, cost: int) -> list[str]:
    """What pays with least CP to spare, then the fewest, then in order; all where they do not suffice."""
    return _cheapest_of(table, payable(table, power), cost)


def _cheapest_of(table: Table, items: Sequence[str], cost: int) -> list[str]:
    """What of these pays a cost with least CP to spare; nothing where there is nothing to pay."""
    if cost <= 0:
        return []
    items = sorted(items, key=lambda item: (":" in item, worth(table, item), item))
    best, least = list(items), sum(worth(table, item) for item in items)
    for number in range(1, min(len(items), 4) + 1):
        for some in itertools.combinations(items, number):
            total = sum(worth(table, item) for item in some)
            if cost <= total < least:
                best, least = list(some), total
    return best


class DeclareWar(Order):
    """Declare war on one or more powers, major or minor; you pay at once."""

    line = "DECLARE WAR ON {targets}"
    targets = Many(AnyPower(), most=10)

    @property
    def is_likely(self) -> bool:
        return False

    def check(self, table: Table, question: Question) -> None:
        power = question.power
        new_wars.check_targets(table, power, self.targets, why_not_in_diplomacy, SECTION)
        cost = sum(cost_of(table, power, target) or 0 for target in self.targets)
        if cost > means(table, power):
            raise Refused("war_too_dear", SECTION, cost=cost, owed=0, means=means(table, power))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for target in targets_of(table, question.power):
            yield cls(targets=[target])


class PayWar(Order):
    """Discard cards, or treasures, that pay for your declarations; too much is not given back."""

    line = "PAY [{cards}] [WITH TREASURES {treasures}]"
    cards = Many(Card(), optional=True)
    treasures = Many(Name("treasure"), optional=True)

    def items(self, table: Table, power: str) -> list[str]:
        """The cards and treasures named. Raises `Refused`."""
        payment = list(self.cards or ())
        left = [one for one in treasures.of(table, power) if treasures.cp_of(table, one)]
        for kind in self.treasures or ():
            one = next((item for item in left if item.partition(":")[0] == kind), None)
            if one is None:
                raise Refused("treasure_not_held", SECTION)
            left.remove(one)
            payment.append(one)
        return payment

    def check(self, table: Table, question: Question) -> None:
        power, cost = question.power, question.context["cp"]
        items = self.items(table, power)
        if len(set(items)) < len(items):
            raise Refused("card_twice", SECTION)
        for card in self.cards or ():
            if card not in hands.cards_of(table, power):
                raise Refused("card_not_held", SECTION, card=card)
            if card not in payable(table, power):
                raise Refused("card_pays_no_war", SECTION, card=card, kind=hands.kind_of(table, card))
        total = sum(worth(table, item) for item in items)
        if total < min(cost, means(table, power)):
            raise Refused("cards_pay_too_little", SECTION, total=total, cost=cost)

    @classmethod
    def of(cls, items: Sequence[str]) -> PayWar:
        """The order that pays with these."""
        cards = [item for item in items if ":" not in item]
        kinds = [item.partition(":")[0] for item in items if ":" in item]
        return cls(cards=cards or None, treasures=kinds or None)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        """The cheapest payment, then with each card and treasure the cheapest that begins with it, then everything."""
        power, cost = question.power, question.context["cp"]
        everything = payable(table, power)
        ways = [cheapest(table, power, cost)]
        for item in everything:
            others = [one for one in everything if one != item]
            ways.append([item, *_cheapest_of(table, others, cost - worth(table, item))])
        ways.append(everything)
        yield from dict.fromkeys(cls.of(way) for way in ways)

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        """The cheapest payment: who plays by chance need not throw cards away."""
        return cls.of(cheapest(table, question.power, question.context["cp"]))


# --- the segment ---


def war_segment(table: Table) -> Procedure:
    """9.4: in impulse order; each power declares, pays, and has the status of the minor powers evaluated before the
    next begins.

    All are asked at once, sealed, and their answers taken up in this order; when one has declared war, those after it
    are asked again, since they may use the new war. By option `wars_asked` one is asked after another, or none again.
    """
    left = list(table.board.powers)
    while left:
        able = [power for power in left if targets_of(table, power)]
        left, answers = yield from _asked(table, able)
        for power, order in answers:
            if isinstance(order, DeclareWar):
                yield from declare(table, power, order.targets)
                if table.options["wars_asked"] == "again":
                    left = able[able.index(power) + 1 :]
                    break


def _asked(table: Table, able: Sequence[str]) -> Procedure:
    """Ask the powers that may declare war. Value: those to be asked after this, and ``[(power, order)]``."""
    if not able:
        return [], []
    if table.options["wars_asked"] == "one_by_one":
        order = yield _question(table, able[0])
        return able[1:], [(able[0], order)]
    return [], (yield InOrder([_question(table, power) for power in able]))


def _question(table: Table, power: str) -> Question:
    return Ask(
        power,
        "war",
        [DeclareWar, Pass],
        Pass(),
        context={"costs": {target: cost_of(table, power, target) for target in targets_of(table, power)}},
        section=SECTION,
    )


def declare(table: Table, power: str, targets: Sequence[str]) -> Procedure:
    """9.4 steps 1 to 4, of one power. What an earlier power's turn made impossible falls, told to all."""
    open_targets = []
    for target in targets:
        reason = why_not_in_diplomacy(table, power, target)
        if reason:
            table.tell("declaration_falls", power=power, target=target, refused=reason.to_json(), section=SECTION)
        else:
            open_targets.append(target)
    costs: Mapping[str, int] = {target: cost_of(table, power, target) or 0 for target in open_targets}
    while open_targets and sum(costs[target] for target in open_targets) > means(table, power):
        fallen = open_targets.pop()
        table.tell("declaration_falls", power=power, target=fallen, reason="not_paid", section=SECTION)
    attacked = []
    for target in open_targets:
        table.tell("declaration", power=power, target=target, cp=costs[target], section=SECTION)
        yield from begin_war(table, power, target)
        if target not in table.board.powers:
            attacked.append(target)
            _lose_influence(table, power, target)
    if open_targets:
        yield from _pay(table, power, sum(costs[target] for target in open_targets))
    while attacked:
        minor = attacked[0]
        if len(attacked) > 1:
            minor = yield from choose(
                table, power, "minor", lambda t: tuple(attacked), kind="war", section=SECTION
            )
        attacked.remove(minor)
        yield from _evaluate(table, power, minor)


def _lose_influence(table: Table, power: str, minor: str) -> None:
    """9.4: the attacker's influence on the minor power is gone for the rest of the game."""
    influence: dict[str, Any] = dict(table.board.state.get("influence", {}))
    row = {one: boxes for one, boxes in influence.get(minor, {}).items() if one != power}
    table.set("influence", {**influence, minor: row}, why="war", section=SECTION)
    gone = dict(table.board.state.get("influence_gone", {}))
    gone[minor] = [*gone.get(minor, []), power]
    table.set("influence_gone", gone, why="war", section=SECTION)


def _pay(table: Table, power: str, cost: int) -> Procedure:
    """9.4 step 3: cards and treasures are discarded; what they are worth too much is lost."""
    if not cost:
        return
    order = yield Ask(
        power,
        "war_payment",
        [PayWar],
        lambda t, q: PayWar.of(cheapest(t, q.power, q.context["cp"])),
        context={"cp": cost},
        section=SECTION,
    )
    table.tell("war_paid", power=power, cp=cost, section=SECTION)
    for item in order.items(table, power):
        if ":" in item:
            treasures.spend(table, power, item, why="war_costs", section=SECTION)
        else:
            hands.discard(table, power, item, why="war_costs", section=SECTION)


def _evaluate(table: Table, power: str, minor: str) -> Procedure:
    """9.4 step 4: without the attacker (3.2: nor who controls it) and those who could only deactivate it, the status is
    evaluated; who activates the minor power is at war with the attacker."""
    rows = table.kit.tables["influence"].values()
    deactivating = [row["power"] for row in rows if row["minor"] == minor and row["role"] == "deactivating"]
    leave_out = [power, table.board.played_by.get(power, power), *deactivating]
    yield from minors.evaluate(table, minor, leave_out, declarer=power)


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (DeclareWar, PayWar)
