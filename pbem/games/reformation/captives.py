"""9.1, 9.4: captured leaders who come home, ransom, cards taken from a hand. Sections: those of each book (`Rules`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER, leader_kind, leader_power, put_leader
from pbem.games.reformation.ground import capitals as capitals_of
from pbem.games.reformation.ground import controller, home_spaces, inside, is_fortified, is_friendly, kind_of, siege_of
from pbem.games.reformation.relations import major_of
from pbem.games.reformation.rules import rules
from pbem.table.asking import Ask, No, Pass, Yes, choose
from pbem.table.orders import Many, Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, InOrder, Question

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
        if leader_kind(table, leader) == "army"
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
    whose = leader_power(table, leader)
    capitals = [
        capital
        for capital in capitals_of(table, owner)
        if controller(table, capital) == owner and rules(table).capital_serves(table, capital, whose)
    ]
    if capitals:
        return capitals
    homes = home_spaces(table, owner)
    keys = [space for space in homes if kind_of(table, space) == "key"]
    fortified = keys or [space for space in homes if is_fortified(table, space)]
    return [space for space in fortified if is_friendly(table, space, owner)]


def may_return(table: Table, leader: str) -> bool:
    """Whether a captured leader who is freed has a place to go to."""
    return bool(home_places(table, leader)) or rules(table).stranded_leader(table, owner_of(table, leader)) is not None


def come_home(table: Table, leader: str, section: str) -> Procedure:
    """A captured leader returns to his capital, else to a friendly home key of his power's choice.

    Without either he waits where the game says (`Rules.stranded_leader`).
    """
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
        waits = rules(table).stranded_leader(table, owner)
        if waits is not None:
            put_leader(table, leader, waits, why="leader_returns", section=section)
        return
    place = inside(where) if siege_of(table, where) else where
    table.tell("leader_returns", power=owner, leader=leader, space=where, section=section)
    put_leader(table, leader, place, why="leader_returns", section=section)


def leaders_return(table: Table) -> Procedure:
    """8.2, card 103: army leaders of this turn's box come home; without a place for them they wait another turn."""
    turn = table.board.state["turn"]
    for leader in atlas(table).leaders:
        if leader_kind(table, leader) != "army" or table.board.pieces[LEADER + leader]["at"] != f"turn_track:{turn}":
            continue
        if home_places(table, leader):
            yield from come_home(table, leader, rules(table).draw_section)
        else:
            put_leader(table, leader, f"turn_track:{turn + 1}", why="waits", section=rules(table).draw_section)


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
            raise Refused("leader_twice", rules(table).ransom_section)
        for leader in self.leaders:
            if leader not in captives(table, power):
                raise Refused("no_captive_of_yours", rules(table).ransom_section, captives(table, power), leader=leader)
            if not may_return(table, leader):
                raise Refused("no_home_to_return_to", rules(table).ransom_section, leader=leader)
        means = rules(table).ransom_means(table, power)
        if means < len(self.leaders):
            raise Refused(
                "too_few_cards_to_draw", rules(table).ransom_section, number=len(self.leaders), there=means
            )

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
    """9.4: in impulse order, powers buy captured leaders free; the captor draws a card for each.

    Captors who may refuse are asked at once, one leader after another each.
    """
    section = rules(table).ransom_section
    able = [
        power
        for power in table.board.powers
        if any(may_return(table, leader) for leader in captives(table, power))
        and (hands.cards_of(table, power) or rules(table).ransom_means(table, power))
    ]
    questions: list[Question] = [
        Ask(
            power,
            "ransom",
            [Ransom, Pass],
            Pass(),
            context={"leaders": {leader: captor_of(table, leader) for leader in captives(table, power)}},
            section=section,
        )
        for power in able
    ]
    answers = yield from in_order(table, questions)
    wanted = [(power, leader) for power, order in answers if isinstance(order, Ransom) for leader in order.leaders]
    agreed = yield from _captors_agree(table, wanted, section)
    for power, leader in wanted:
        yield from _ransom_one(table, power, leader, agreed.get(leader, True))


def _captors_agree(table: Table, wanted: Sequence[tuple[str, str]], section: str) -> Procedure:
    """9.3: captors who may refuse say of each leader whether he goes. Value: leader -> whether."""
    agreed: dict[str, bool] = {}
    if not rules(table).ransom_refusable(table):
        return agreed
    waiting: dict[str, list[tuple[str, str]]] = {}
    for power, leader in wanted:
        waiting.setdefault(captor_of(table, leader) or "", []).append((power, leader))
    while waiting:
        asked = {captor: asks[0] for captor, asks in waiting.items()}
        answers = yield AllOf(
            [
                Ask(captor, "ransom", [Yes, No], No(), context={"leader": leader, "owner": power}, section=section)
                for captor, (power, leader) in asked.items()
            ]
        )
        for captor, (_, leader) in asked.items():
            agreed[leader] = isinstance(answers[captor], Yes)
        waiting = {captor: asks[1:] for captor, asks in waiting.items() if asks[1:]}
    return agreed


def ransom_card(table: Table, power: str, captor: str) -> None:
    """9.4: the captor draws one random card."""
    take_card(table, power, captor, "ransom", rules(table).ransom_section)


def _ransom_one(table: Table, power: str, leader: str, agreed: bool) -> Procedure:
    captor, section = captor_of(table, leader), rules(table).ransom_section
    if captor is None or not rules(table).ransom_means(table, power):
        return
    if not agreed:
        table.tell("ransom_refused", power=captor, leader=leader, owner=power, section=section)
        return
    table.tell("ransom", power=power, leader=leader, captor=captor, section=section)
    rules(table).take_ransom(table, power, captor)
    yield from come_home(table, leader, section)


ORDERS: tuple[type[Order], ...] = (Ransom,)
