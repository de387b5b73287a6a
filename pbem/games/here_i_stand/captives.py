"""9.1, 9.3 step 6, 9.4, 9.5: captured leaders who come home, ransom, gifts to the Church; cards taken from a hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from pbem.games.here_i_stand import church, excommunication
from pbem.games.here_i_stand.conversion import PAPACY
from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER, leader_power, put_leader
from pbem.games.reformation.ground import controller, home_spaces, inside, is_fortified, is_friendly, kind_of, siege_of
from pbem.games.reformation.relations import major_of
from pbem.table.asking import Ask, Pass, choose, confirm
from pbem.table.orders import Many, Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import InOrder, Question

CAPTURED = "captured:"


def captor_of(table: Table, leader: str) -> str | None:
    """The power that holds a leader captive, or None."""
    at = table.board.pieces[LEADER + leader]["at"]
    return at.removeprefix(CAPTURED) if at.startswith(CAPTURED) else None


def owner_of(table: Table, leader: str) -> str:
    """The major power that a leader belongs to."""
    whose = leader_power(table, leader)
    return major_of(table.board, whose) or whose


def captives(table: Table, owner: str, captor: str | None = None) -> list[str]:
    """The army leaders of a power that others (or one captor) hold, in the order of the kit."""
    return [
        leader
        for leader, row in atlas(table).leaders.items()
        if row["kind"] == "army"
        and owner_of(table, leader) == owner
        and captor_of(table, leader) is not None
        and captor in (None, captor_of(table, leader))
    ]


def home_places(table: Table, leader: str) -> list[str]:
    """9.1, 9.3 step 6: a capital that his power controls; failing that its friendly home keys.

    The books name no place for leaders of a power without home keys, the Protestant: its friendly fortified home spaces
    (a reading, as Ransom, card 91, has it), or no agreement, peace or ransom could ever free one.
    """
    owner = owner_of(table, leader)
    capitals = [capital for capital in atlas(table).capitals[owner] if controller(table, capital) == owner]
    if capitals:
        return capitals
    homes = home_spaces(table, owner)
    keys = [space for space in homes if kind_of(table, space) == "key"]
    fortified = keys or [space for space in homes if is_fortified(table, space)]
    return [space for space in fortified if is_friendly(table, space, owner)]


def come_home(table: Table, leader: str, section: str) -> Procedure:
    """A captured leader returns to his capital, else to a friendly home key of his power's choice."""
    owner = owner_of(table, leader)
    where = yield from choose(
        table,
        owner,
        "space",
        lambda t: home_places(t, leader),
        kind="place_leader",
        section=section,
        leader=leader,
    )
    if where is None:
        return
    place = inside(where) if siege_of(table, where) else where
    table.tell("leader_returns", power=owner, leader=leader, space=where, section=section)
    put_leader(table, leader, place, why="leader_returns", section=section)


def leaders_return(table: Table) -> Procedure:
    """8.2, card 103: army leaders of this turn's box come home; without a place for them they wait another turn."""
    turn = table.board.state["turn"]
    for leader, row in atlas(table).leaders.items():
        if row["kind"] != "army" or table.board.pieces[LEADER + leader]["at"] != f"turn_track:{turn}":
            continue
        if home_places(table, leader):
            yield from come_home(table, leader, "8.2")
        else:
            put_leader(table, leader, f"turn_track:{turn + 1}", why="waits", section="8.2")


def take_card(table: Table, giver: str, taker: str, why: str, section: str) -> str | None:
    """A random card of a hand goes to another hand, seen by the two (6.1).

    A mandatory event goes like any other card, and must be played this turn; with option `mandatory_taken_at_random`
    ``discard`` it is discarded and another one drawn.
    """
    card = hands.random_card(table, giver, taker, why, section=section)
    while card is not None and hands.kind_of(table, card) == "mandatory":
        if table.options["mandatory_taken_at_random"] != "discard":
            return card
        hands.discard(table, taker, card, why=why, section=section)
        card = hands.random_card(table, giver, taker, why, section=section)
    return card


# --- 9.4 ---


class Ransom(Order):
    """Buy captured leaders free, each for one random card of your hand."""

    line = "RANSOM {leaders}"
    leaders = Many(Name("leader"), most=8)

    def check(self, table: Table, question: Question) -> None:
        power = question.power
        if len(set(self.leaders)) < len(self.leaders):
            raise Refused("leader_twice", "9.4")
        for leader in self.leaders:
            if leader not in captives(table, power):
                raise Refused("no_captive_of_yours", "9.4", captives(table, power), leader=leader)
            if not home_places(table, leader):
                raise Refused("no_home_to_return_to", "9.4", leader=leader)
        check_cards(table, power, len(self.leaders), "9.4")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        mine = captives(table, question.power)
        for leader in mine:
            yield cls(leaders=[leader])
        if len(mine) > 1:
            yield cls(leaders=mine)


def check_cards(table: Table, power: str, number: int, section: str) -> None:
    """Raise `Refused` unless a random draw could take so many cards of a hand; home cards do not count (6.1)."""
    there = len(hands.drawable(table, power))
    if there < number:
        raise Refused("too_few_cards_to_draw", section, number=number, there=there)


def asked_together(table: Table) -> bool:
    """Option `diplomacy_asked`: whether all powers of a segment are asked at once, their answers taken up in order."""
    return table.options["diplomacy_asked"] == "together"


def in_order(table: Table, questions: list[Question]) -> Procedure:
    """Ask the powers of a segment. A generator to be sent nothing: value ``[(power, order)]`` in impulse order."""
    if not questions:
        return []
    if asked_together(table):
        return (yield InOrder(questions))
    answers: list[tuple[str, Order]] = []
    for question in questions:
        order = yield question
        answers.append((question.power, order))
    return answers


def ransom(table: Table) -> Procedure:
    """9.4: in impulse order, powers buy captured leaders free; the captor draws a card for each."""
    able = [
        power
        for power in table.board.powers
        if any(home_places(table, leader) for leader in captives(table, power)) and hands.cards_of(table, power)
    ]
    questions: list[Question] = [
        Ask(
            power,
            "ransom",
            [Ransom, Pass],
            Pass(),
            context={"leaders": {leader: captor_of(table, leader) for leader in captives(table, power)}},
            section="9.4",
        )
        for power in able
    ]
    answers = yield from in_order(table, questions)
    for power, order in answers:
        if isinstance(order, Ransom):
            for leader in order.leaders:
                yield from _ransom_one(table, power, leader)


def _ransom_one(table: Table, power: str, leader: str) -> Procedure:
    captor = captor_of(table, leader)
    if captor is None or not hands.drawable(table, power):
        return
    if table.options["ransom_refusable"]:
        agreed = yield from confirm(table, captor, "ransom", section="9.4", leader=leader, owner=power)
        if not agreed:
            table.tell("ransom_refused", power=captor, leader=leader, owner=power, section="9.4")
            return
    table.tell("ransom", power=power, leader=leader, captor=captor, section="9.4")
    take_card(table, power, captor, "ransom", "9.4")
    yield from come_home(table, leader, "9.4")


# --- 9.5 ---


class ChurchGift(Order):
    """Give a random card of your hand to the Church: the excommunication of your ruler ends."""

    line = "GIVE CARD TO THE CHURCH"

    def check(self, table: Table, question: Question) -> None:
        check_cards(table, question.power, 1, "9.5")

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        return cls() if question.is_legal(table, cls()) else None


def church_gifts(table: Table) -> Procedure:
    """9.5: in impulse order, powers may end an excommunication of an earlier turn by the gift of a card.

    Rulers are excommunicated in the Action Phase only, so every marker that lies now is of an earlier turn.
    """
    marked = [
        power
        for power in table.board.powers
        if table.board.state.get(f"excommunication:{power}") and hands.cards_of(table, power)
    ]
    questions: list[Question] = [
        Ask(power, "excommunication", [ChurchGift, Pass], Pass(), section="9.5") for power in marked
    ]
    answers = yield from in_order(table, questions)
    for power, order in answers:
        if isinstance(order, ChurchGift):
            church_gift(table, power)


def church_gift(table: Table, power: str) -> None:
    """9.5: the Papacy draws a card: its CP go to Saint Peter's, it is discarded unplayed, the marker is removed."""
    card: Any = hands.random_card(table, power, PAPACY, "church_gift", section="9.5")
    if card is None:
        return
    table.tell("church_gift", power=power, section="9.5")
    hands.discard(table, PAPACY, card, why="church_gift", section="9.5")
    church.st_peters(table, hands.cp_of(table, card), why="church_gift", section="9.5")
    excommunication.lift(table, power, "church_gift", "9.5")


ORDERS: tuple[type[Order], ...] = (Ransom, ChurchGift)
