"""9.3: the peace segment. A power that is worse off sues for peace; its enemy cannot refuse."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pbem.games.here_i_stand import cards
from pbem.games.here_i_stand.diplomacy import wars
from pbem.games.reformation import captives, fleets, hands, marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.displacement import hand_over
from pbem.games.reformation.ground import controller, home_of, home_spaces, inside, kind_of
from pbem.games.reformation.relations import at_war, enemies_of
from pbem.table.asking import Ask, Pass
from pbem.table.board import SUPPLY
from pbem.table.kit import Kit
from pbem.table.orders import Choice, Many, Name, Number, Order, Refused, Unreadable, find_name
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

SECTION = "9.3"
OTTOMAN = "ottoman"
MARRIAGE = "diplomatic_marriage"


# --- who may sue ---


def last_turn(table: Table) -> bool:
    """9.3: whether this is the last turn of the scenario, which has no peace segment."""
    return table.board.state["turn"] >= table.kit.scenarios[table.board.state["scenario"]]["last_turn"]


def never_peace(table: Table, a: str, b: str) -> bool:
    """9.1, 9.3: whether the war of two powers can never end."""
    return any({a, b} == set(pair) for pair in table.kit.constants["peace_never"])


def homes_lost(table: Table, power: str, enemy: str) -> list[str]:
    """The home spaces of a power that an enemy controls."""
    return [space for space in home_spaces(table, power) if controller(table, space) == enemy]


def why_not_sue(table: Table, power: str, enemy: str) -> Refused | None:
    """9.3 step 1: why a power may not sue an enemy for peace; None when it may."""
    if enemy not in table.board.powers:
        return Refused("no_peace_with_minor")
    if not at_war(table.board, power, enemy):
        return Refused("you_not_at_war", power=enemy)
    if never_peace(table, power, enemy):
        return Refused("your_war_never_ends", power=enemy)
    if not captives.captives(table, power, enemy) and not homes_lost(table, power, enemy):
        return Refused("nothing_to_sue_for", power=enemy)
    if ceded_home(table, power, enemy):
        return Refused("home_space_ceded", power=enemy)
    return None


def could_sue(table: Table, power: str) -> list[str]:
    """The enemies who hold something for which a power could sue; the peace segment asks whom there are such."""
    enemies = enemies_of(table.board, power)
    return [one for one in enemies if ceded_home(table, power, one) or why_not_sue(table, power, one) is None]


CEDED = "ceded"
"""The mark of the turn that lists who has ceded a home space of his own to whom (9.1)."""


def note_cession(table: Table, giver: str, taker: str, spaces: Sequence[str]) -> None:
    """9.1: remember that a power has ceded home spaces of its own."""
    if any(home_of(table, space) == giver for space in spaces):
        marks.note(table, "turn", CEDED, f"{giver}+{taker}")


def ceded_home(table: Table, power: str, enemy: str) -> bool:
    """9.3 step 1 (as of 2017, option `cession_bars_suit`): whether a power has ceded a home space to it this turn."""
    return bool(table.options.get("cession_bars_suit", False)) and marks.noted(table, "turn", CEDED, f"{power}+{enemy}")


def may_sue(table: Table, power: str) -> list[str]:
    """The enemies whom a power may sue for peace."""
    return [enemy for enemy in enemies_of(table.board, power) if why_not_sue(table, power, enemy) is None]


def why_not_marriage(table: Table, power: str) -> Refused | None:
    """9.3 note 1: why a power may not play Diplomatic Marriage with its suit; None when it may."""
    card = cards.BOOK.card_id(table, MARRIAGE)
    if card not in hands.cards_of(table, power):
        return Refused("no_marriage_card")
    if power in table.kit.constants["no_diplomatic_marriage"]:
        return Refused("no_marriage_for_you")
    if hands.played_as_event(table, card):
        return Refused("marriage_played")
    return None


# --- orders ---


class Sue(Order):
    """Sue a power for peace; PLAYING Diplomatic Marriage brings back all that it holds of yours without a price."""

    line = "SUE FOR PEACE WITH {enemy} [PLAYING {card}]"
    enemy = Name("power")
    card = Name("card", optional=True)

    def check(self, table: Table, question: Question) -> None:
        reason = why_not_sue(table, question.power, self.enemy)
        if reason:
            raise reason.under(SECTION)
        if self.card is not None:
            if self.card not in hands.cards_of(table, question.power):
                raise Refused("card_not_held", SECTION, card=self.card)
            if self.card != cards.BOOK.card_id(table, MARRIAGE):
                raise Refused("only_marriage_with_suit", SECTION, card=self.card)
            reason = why_not_marriage(table, question.power)
            if reason:
                raise reason.under(SECTION)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for enemy in may_sue(table, question.power):
            yield cls(enemy=enemy)
            if why_not_marriage(table, question.power) is None:
                yield cls(enemy=enemy, card=cards.BOOK.card_id(table, MARRIAGE))


class UnitKind(Name):
    """A kind of unit, in the singular or the plural."""

    def __init__(self, **more: object):
        super().__init__("unit", **more)  # type: ignore[arg-type]

    def read(self, words: Sequence[str], names: Kit) -> str:
        text = " ".join(words)
        for tried in (text, text.removesuffix("s"), text.removesuffix("ies") + "y"):
            kind = names.find("unit", tried)
            if kind is not None:
                return kind
        try:
            return find_name(names, "unit", text)
        except Unreadable:
            return find_name(names, "unit", text.removesuffix("s"))


class Loss(Order):
    """Units at a space, one of what a list names; units of a minor power are read, to be refused with the reason."""

    line = "[{number}] [{minor}] {unit} AT {space}"
    number = Number(1, 2, optional=True)
    minor = Name("minor", optional=True)
    unit = UnitKind()
    space = Name("space")


class Remove(Order):
    """Remove units of yours from the map, as the price of peace; those lent to you or of a minor power do not count."""

    line = "REMOVE {losses}"
    losses = Many(Loss, most=2)

    def check(self, table: Table, question: Question) -> None:
        power, number = question.power, question.context["number"]
        named: Counter[tuple[str, str, str]] = Counter()
        for loss in self.losses:
            named[loss.minor or power, loss.unit, loss.space] += loss.number or 1
        for (owner, unit, space), many in named.items():
            there = sum(_free(table, place, owner, unit) for place in (space, inside(space)))
            if owner != power:
                raise Refused("price_of_own_units", SECTION, owner=owner)
            if there < many:
                raise Refused("so_many_there", SECTION, number=there, kind=unit, owner=owner, space=space)
        if sum(named.values()) != number:
            raise Refused("other_number_removed", SECTION, number=number, named=sum(named.values()))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        power, number = question.power, question.context["number"]
        kinds = removable(table, power)
        for at, (unit, space, there) in enumerate(kinds):
            if there >= number:
                yield cls(losses=[Loss(number=number, unit=unit, space=space)])
            if number == 2 and at + 1 < len(kinds):
                kind, place, _ = kinds[at + 1]
                yield cls(
                    losses=[Loss(number=1, unit=unit, space=space), Loss(number=1, unit=kind, space=place)]
                )


def removable(table: Table, power: str) -> list[tuple[str, str, int]]:
    """What a power could lose: (kind, space, number), least worth first: mercenaries, then the kit's order.

    Its own units only: neither those of an allied minor power nor ships that are lent (designer's ruling).
    """
    kinds = list(table.kit.tables["units"])
    worth = sorted(kinds, key=lambda kind: (kind != "mercenary", kinds.index(kind)))
    owned = [
        (kind, space, sum(_free(table, place, power, kind) for place in (space, inside(space))))
        for space in atlas(table).spaces
        for kind in worth
    ]
    return sorted((one for one in owned if one[2]), key=lambda entry: (worth.index(entry[0]), entry[1]))


def _free(table: Table, place: str, owner: str, unit: str) -> int:
    """How many units of an owner there are without those that are lent."""
    lent = sum(fleets.loans_at(table, place).get(owner, {}).values()) if unit == fleets.SQUADRON else 0
    return table.board.count(place, owner, unit) - lent


class KeyBack(Order):
    """A home key and its price."""

    line = "{space} FOR {price}"
    space = Name("space")
    price = Choice("vp", "card")


class LeaderBack(Order):
    """A captured leader and his price."""

    line = "{leader} FOR {price}"
    leader = Name("leader")
    price = Choice("vp", "card")


class SpacesBack(Order):
    """Two home spaces that are no keys, and their price."""

    line = "{space} WITH {other} FOR {price}"
    space = Name("space")
    other = Name("space")
    price = Choice("vp", "card")


class _Recover(Order):
    """Base of the three orders that buy back what the winner holds; each gives its list, ``back``."""

    back: list[Any]

    @staticmethod
    def wanted(item: Any) -> list[str]:
        """What one item names."""
        raise NotImplementedError

    @classmethod
    def items(cls, offered: Sequence[str]) -> list[list[str]]:
        """What could be named together."""
        return [[id] for id in offered]

    @classmethod
    def item(cls, ids: Sequence[str], price: str) -> Order:
        """One item of the list."""
        raise NotImplementedError

    def check(self, table: Table, question: Question) -> None:
        offered = question.among(table) if isinstance(question, Ask) and question.among else []
        named = [id for item in self.items_named() for id in self.wanted(item)]
        if len(set(named)) < len(named):
            raise Refused("one_named_twice", SECTION)
        for id in named:
            if id not in offered:
                raise Refused("not_to_be_recovered", SECTION, list(offered)[:8], what=id)
        drawn = sum(1 for item in self.items_named() if item.price == "card")
        captives.check_cards(table, question.power, drawn, SECTION)

    def items_named(self) -> list[Any]:
        """The items of the list."""
        return list(self.back)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        offered = question.among(table) if isinstance(question, Ask) and question.among else []
        groups = cls.items(offered)
        for price in ("vp", "card"):
            for group in groups:
                yield cls(back=[cls.item(group, price)])
        if len(groups) > 1:
            yield cls(back=[cls.item(group, "vp") for group in groups])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        legal = list(cls.legal(table, question))
        return chance.choice(legal) if legal else None


class RecoverKeys(_Recover):
    """Recover home keys from the winner, each for a VP marker or a random card of yours."""

    line = "RECOVER KEYS {back}"
    back = Many(KeyBack)

    @staticmethod
    def wanted(item: Any) -> list[str]:
        return [item.space]

    @classmethod
    def item(cls, ids: Sequence[str], price: str) -> Order:
        return KeyBack(space=ids[0], price=price)


class RecoverLeaders(_Recover):
    """Recover captured leaders from the winner, each for a VP marker or a random card of yours."""

    line = "RECOVER LEADERS {back}"
    back = Many(LeaderBack)

    @staticmethod
    def wanted(item: Any) -> list[str]:
        return [item.leader]

    @classmethod
    def item(cls, ids: Sequence[str], price: str) -> Order:
        return LeaderBack(leader=ids[0], price=price)


class RecoverSpaces(_Recover):
    """Recover other home spaces from the winner, each two for a VP marker or a random card of yours."""

    line = "RECOVER SPACES {back}"
    back = Many(SpacesBack)

    @staticmethod
    def wanted(item: Any) -> list[str]:
        return [item.space, item.other]

    @classmethod
    def items(cls, offered: Sequence[str]) -> list[list[str]]:
        return [list(offered[at : at + 2]) for at in range(0, len(offered) - 1, 2)]

    @classmethod
    def item(cls, ids: Sequence[str], price: str) -> Order:
        return SpacesBack(space=ids[0], other=ids[1], price=price)


# --- the segment ---


def peace_segment(table: Table) -> Procedure:
    """9.3: each power in impulse order may sue for peace, war by war; not in the last turn.

    Asked together: one suit each, taken up in order; then those who sued are asked for their next war.
    """
    if last_turn(table):
        return
    if not captives.asked_together(table):
        for power in table.board.powers:
            while could_sue(table, power):
                order = yield _question(table, power)
                if not isinstance(order, Sue):
                    break
                yield from suit(table, power, order)
        return
    asking = list(table.board.powers)
    while True:
        questions = [_question(table, power) for power in asking if could_sue(table, power)]
        if not questions:
            return
        answers = yield from captives.in_order(table, questions)
        suits = [(power, order) for power, order in answers if isinstance(order, Sue)]
        for power, order in suits:
            if why_not_sue(table, power, order.enemy) is None:
                yield from suit(table, power, order)
        asking = [power for power, _ in suits]


def _question(table: Table, power: str) -> Question:
    context = {"enemies": may_sue(table, power)}
    return Ask(power, "peace", [Sue, Pass], Pass(), context=context, section=SECTION)


def suit(table: Table, power: str, order: Sue) -> Procedure:
    """9.3 steps 2 to 8: the terms of one peace; the loser decides, the winner has no say."""
    winner = order.enemy
    table.tell("sues", power=power, target=winner, section=SECTION)
    married = order.card is not None and why_not_marriage(table, power) is None
    if married:
        play_marriage(table, power, order.card)
    award(table, power, winner)
    yield from give_up_control(table, power, winner)
    yield from remove_units(table, power)
    if married:
        yield from all_comes_back(table, power, winner)
    else:
        yield from recover_keys(table, power, winner)
        yield from recover_leaders(table, power, winner)
        yield from recover_spaces(table, power, winner)
    wars.make_peace(table, power, winner, SECTION)


def play_marriage(table: Table, power: str, card: str) -> None:
    """Note 1: Diplomatic Marriage is played with the suit."""
    table.card(card, hands.hand(power), hands.IN_PLAY, section=SECTION)
    table.tell("card_as_event", power=power, card=card, section=SECTION)
    hands.note_play(table, power, card)
    hands.put_away(table, card, hands.IN_PLAY, "discard")


def award(table: Table, power: str, winner: str) -> None:
    """Step 2: a War Winner marker from the stock for the winner, two where the Ottoman is a party."""
    constants = table.kit.constants
    number = constants["peace_war_winner_markers_ottoman" if OTTOMAN in (power, winner) else "peace_war_winner_markers"]
    _markers(table, winner, number, "war_winner")


def _markers(table: Table, winner: str, number: int, why: str) -> None:
    vp = number * table.kit.constants["war_winner_vp"]
    table.count("war_winner_vp", winner, vp, why=why, section=SECTION)


def give_up_control(table: Table, power: str, winner: str) -> Procedure:
    """Step 3: the loser gives back all home spaces of the winner; units there leave."""
    yield from hand_over(table, homes_lost(table, winner, power), winner, why="peace", section=SECTION)


def remove_units(table: Table, power: str) -> Procedure:
    """Step 4: the loser takes two units of its choice, on land or at sea, off the map; fewer where it has no more."""
    there = sum(number for *_, number in removable(table, power))
    number = min(table.kit.constants["peace_units_lost"], there)
    if not number:
        return
    if there == number:
        losses = removable(table, power)
    else:
        order = yield Ask(
            power, "peace", [Remove], _least_worth, context={"number": number, "step": 4}, section=SECTION
        )
        losses = [(loss.unit, loss.space, loss.number or 1) for loss in order.losses]
    for unit, space, many in losses:
        for place in (space, inside(space)):
            take = min(many, _free(table, place, power, unit))
            table.move(power, unit, take, place, SUPPLY, why="peace", section=SECTION)
            many -= take


def _least_worth(table: Table, question: Question) -> Order:
    left = question.context["number"]
    losses = []
    for unit, space, there in removable(table, question.power):
        take = min(left, there)
        if take:
            losses.append(Loss(number=take, unit=unit, space=space))
            left -= take
    return Remove(losses=losses)


def recover_keys(table: Table, power: str, winner: str) -> Procedure:
    """Step 5: the loser may recover home keys, each for a marker or a random card."""

    def among(table: Table) -> list[str]:
        return [space for space in homes_lost(table, power, winner) if kind_of(table, space) == "key"]

    order = yield from _ask(table, power, winner, RecoverKeys, among, 5)
    if order is not None:
        for item in order.back:
            pay(table, power, winner, item.price)
        yield from hand_over(table, [item.space for item in order.back], power, why="peace", section=SECTION)


def recover_leaders(table: Table, power: str, winner: str) -> Procedure:
    """Step 6: the loser may recover captured leaders, each for a marker or a random card."""

    def among(table: Table) -> list[str]:
        held = captives.captives(table, power, winner)
        return [leader for leader in held if captives.home_places(table, leader)]

    order = yield from _ask(table, power, winner, RecoverLeaders, among, 6)
    if order is not None:
        for item in order.back:
            pay(table, power, winner, item.price)
            yield from captives.come_home(table, item.leader, SECTION)


def recover_spaces(table: Table, power: str, winner: str) -> Procedure:
    """Step 7: the loser may recover other home spaces in groups of two, each for a marker or a random card."""

    def among(table: Table) -> list[str]:
        return [space for space in homes_lost(table, power, winner) if kind_of(table, space) != "key"]

    if len(among(table)) < table.kit.constants["peace_spaces_a_price"]:
        return
    order = yield from _ask(table, power, winner, RecoverSpaces, among, 7)
    if order is not None:
        spaces = []
        for item in order.back:
            pay(table, power, winner, item.price)
            spaces += [item.space, item.other]
        yield from hand_over(table, spaces, power, why="peace", section=SECTION)


def _ask(
    table: Table,
    power: str,
    winner: str,
    kind: type[_Recover],
    among: Callable[[Table], Sequence[str]],
    step: int,
) -> Procedure:
    if not among(table):
        return None
    order = yield Ask(
        power,
        "peace",
        [kind, Pass],
        Pass(),
        context={"enemy": winner, "step": step, "offered": among(table)},
        section=SECTION,
        among=among,
    )
    return None if isinstance(order, Pass) else order


def pay(table: Table, power: str, winner: str, price: str) -> None:
    """Steps 5 to 7: another marker from the stock, or a random card of the loser's hand, for one item."""
    if price == "card" and hands.drawable(table, power):
        captives.take_card(table, power, winner, "peace", SECTION)
    else:
        _markers(table, winner, table.kit.constants["peace_items_a_price"], "peace")


def all_comes_back(table: Table, power: str, winner: str) -> Procedure:
    """Note 1: with Diplomatic Marriage everything of steps 5 to 7 comes back for nothing."""
    yield from hand_over(table, homes_lost(table, power, winner), power, why="peace", section=SECTION)
    for leader in captives.captives(table, power, winner):
        yield from captives.come_home(table, leader, SECTION)


ORDERS: tuple[type[Order], ...] = (Sue, Remove, RecoverKeys, RecoverLeaders, RecoverSpaces)
