"""9.5, 12.13, 12.23: what both sides say before the dice: who attacks, who commands, which combat cards.

The attacker's cards are open before the defender chooses (12.23). The defender is asked in one form whatever he holds,
so that neither the question nor the time that it takes tells of his hand; only where he has no card at all, which all
can see, and no choice of a commander he is not asked. What both are told of the battle is what lies on the table.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.games.thirty_years_war import cards, pieces
from pbem.games.thirty_years_war.combat.engagement import (
    ATTACKER,
    DEFENDER,
    NO_CARDS,
    RELIEF,
    ROLES,
    Battle,
    described,
    strength,
)
from pbem.games.thirty_years_war.pieces import PiecesField
from pbem.games.thirty_years_war.turn import activation, deck
from pbem.table import marks
from pbem.table.asking import Card
from pbem.table.orders import Many, Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table


@dataclass
class BattleQuestion(Question):
    """A question in a battle: what may answer hangs on who fights."""

    fought: Battle | None = None


# --- 12.24: who commands the defence ---


def commanders(table: Table, leaders: Sequence[str]) -> list[str]:
    """10.14, INT-13: who may command a defending stack: those with the most stars; without a star any, or by
    option the one with the best battle rating.
    """
    most = max((pieces.stars(table, leader) for leader in leaders), default=0)
    able = [leader for leader in leaders if pieces.stars(table, leader) == most]
    if able and not most and table.options["defence_commander"] == "best":
        return [max(able, key=lambda leader: pieces.leader_row(table, leader)["battle"])]
    return able


def commander(table: Table, fought: Battle, named: str | None) -> str | None:
    """12.24: the defender's commander: the one named, else of those who may the one with the best battle rating."""
    outside = pieces.leaders(table, fought.space, fought.defender.side, inside=False)
    able = commanders(table, outside)
    for leader in able:
        if named is not None and pieces.face_of(table, leader) == named:
            return leader
    return max(able, key=lambda leader: pieces.leader_row(table, leader)["battle"], default=None)


# --- the attacker ---


class _WithCards(Order):
    """What both sides' orders of a battle share: the combat cards that are played."""

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for playing in hands_of_cards(table, question.power):
            yield cls(cards=playing or None)

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        return by_chance(cls, table, question, chance)


class Fight(_WithCards):
    """Fight with all active units or with some, joined by besieged friends, and play up to two combat cards."""

    line = "FIGHT [WITH {units}] [JOINED {garrison}] [PLAYING {cards}]"
    units = PiecesField(optional=True)
    garrison = PiecesField(optional=True)
    cards = Many(Card(), most=10, optional=True)

    def check(self, table: Table, question: Question) -> None:
        assert isinstance(question, BattleQuestion) and question.fought is not None
        committed(table, question.fought, self)
        check_cards(table, question.fought, ATTACKER, self.cards or [], committed(table, question.fought, self))


def fight(table: Table, fought: Battle) -> Procedure:
    """12.13, C 13.26, 12.23: the attacker says which of his active units attack, who comes out, and plays his cards."""
    side = fought.attacker.side
    question = BattleQuestion(
        side, "fight", [Fight], Fight(), context=known(table, fought), section="12.2", fought=fought
    )
    answer = Fight()
    if deck.held(table, side) or len(fought.attacker.units) > 1 or garrison(table, fought):
        answer = yield question
    units, joined = committed(table, fought, answer)
    for piece in joined:
        table.mark(piece, why="relief", section="C 13.26", inside=None)
    fought.attacker.units = [*units, *(piece for piece in joined if pieces.is_unit(piece))]
    fought.attacker.joined = joined
    table.tell(
        "battle_joined",
        space=fought.space,
        side=side,
        attacking=pieces.described(table, units),
        joined=pieces.described(table, joined) if joined else None,
        strength=pieces.combat_factors(table, fought.attacker.units),
        section="12.13",
    )
    play(table, fought, ATTACKER, answer.cards or [])


def garrison(table: Table, fought: Battle) -> list[str]:
    """C 13.26: the besieged friends of a relief army."""
    if fought.kind != RELIEF:
        return []
    return pieces.stack(table, fought.space, fought.attacker.side, inside=True)


def committed(table: Table, fought: Battle, order: Fight) -> tuple[list[str], list[str]]:
    """12.13, C 13.26: the active units that attack, and the besieged who join them. Raises `Refused`."""
    active = fought.attacker.units
    units = [unit for unit in pieces.chosen(table, order.units, active, "12.13") if pieces.is_unit(unit)]
    if not units:
        raise Refused("nobody_attacks", "12.13", hint="FIGHT WITH ALL")
    if order.garrison is None:
        return units, []
    besieged = garrison(table, fought)
    if not besieged:
        raise Refused("nobody_besieged", "C 13.26", space=fought.space)
    joined = pieces.chosen(table, order.garrison, besieged, "C 13.26")
    outside = pieces.leaders(table, fought.space, fought.attacker.side, inside=False)
    most = pieces.command(table, [*outside, *(piece for piece in joined if pieces.is_leader(piece))])
    together = len(units) + sum(pieces.is_unit(piece) for piece in joined)
    if together > most:
        raise Refused("not_enough_command", "C 13.26", units=together, command=most)
    return units, joined


# --- the defender ---


class Defend(_WithCards):
    """Defend: who commands, where that is open, and with up to two combat cards."""

    line = "DEFEND [UNDER {leader}] [PLAYING {cards}]"
    leader = Name("leader", optional=True)
    cards = Many(Card(), most=10, optional=True)

    def check(self, table: Table, question: Question) -> None:
        assert isinstance(question, BattleQuestion) and question.fought is not None
        fought = question.fought
        if self.leader is not None:
            able = [pieces.face_of(table, one) for one in commanders(table, _outside(table, fought))]
            if self.leader not in able:
                raise Refused("may_not_command", "12.24", able, leader=self.leader)
        check_cards(table, fought, DEFENDER, self.cards or [], (fought.attacker.units, []), self.leader)


def _outside(table: Table, fought: Battle) -> list[str]:
    return pieces.leaders(table, fought.space, fought.defender.side, inside=False)


def defend(table: Table, fought: Battle) -> Procedure:
    """12.23, O-45: the defender names his commander where he may choose, and plays his cards once the attacker has."""
    side = fought.defender.side
    answer = Defend()
    barred = bool(fought.in_force(DEFENDER, NO_CARDS))
    choice = len(commanders(table, _outside(table, fought))) > 1
    if choice or (deck.held(table, side) and not barred):
        answer = yield BattleQuestion(
            side, "defence", [Defend], Defend(), context=known(table, fought), section="12.23", fought=fought
        )
    fought.defender.commander = commander(table, fought, answer.leader)
    if choice:
        table.tell(
            "defence_commanded",
            space=fought.space,
            side=side,
            leader=pieces.face_of(table, fought.defender.commander or ""),
            section="12.24",
        )
    play(table, fought, DEFENDER, answer.cards or [])


# --- cards ---


def most_cards(table: Table) -> int:
    """9.51: how many combat cards a side may play in a battle."""
    return table.kit.constants["combat_cards"]


def check_cards(
    table: Table,
    fought: Battle,
    role: str,
    playing: Sequence[str],
    attacking: tuple[list[str], list[str]],
    leader: str | None = None,
) -> None:
    """9.51, 9.52: raise `Refused` for a card that cannot be played in this battle by the one who fights in this role.

    `attacking` are the attacker's units and who joins them, `leader` the commander of the defence, as they would be
    by the order that is checked.
    """
    side = fought.force(role).side
    if len(playing) > most_cards(table):
        raise Refused("too_many_combat_cards", "9.51", number=len(playing), most=most_cards(table))
    if len(set(playing)) < len(playing):
        raise Refused("card_twice", "9.51", card=next(card for card in playing if list(playing).count(card) > 1))
    if playing and fought.in_force(role, NO_CARDS):
        raise Refused("no_combat_cards_now", "9.52", card=fought.in_force(role, NO_CARDS)[0].source)
    as_it_would_be = supposed(table, fought, attacking, leader)
    for card in playing:
        if card not in deck.held(table, side):
            raise Refused("card_not_in_hand", "9.51", card=card)
        refusal = cards.combat_refusal(table, as_it_would_be, role, card)
        if refusal is not None:
            raise refusal


def supposed(table: Table, fought: Battle, attacking: tuple[list[str], list[str]], leader: str | None) -> Battle:
    """The battle as it would be with these attackers and this commander of the defence."""
    units, joined = attacking
    attacker = replace(fought.attacker, units=[*units, *(p for p in joined if pieces.is_unit(p))], joined=joined)
    defender = replace(fought.defender, commander=commander(table, fought, leader))
    return replace(fought, attacker=attacker, defender=defender)


def play(table: Table, fought: Battle, role: str, playing: Sequence[str]) -> None:
    """9.51: the cards are laid open and take effect; what they say of this battle alone is kept in it."""
    side = fought.force(role).side
    fought.force(role).cards = list(playing)
    table.tell("combat_cards", space=fought.space, role=role, side=side, cards=list(playing), section="12.23")
    for card in playing:
        deck.spend(table, side, card, "combat")
        cards.combat(table, fought, role, card)
    if playing:
        marks.note(table, activation.TURN, activation.COMBAT_CARD_PLAYED, side)


def put_away(table: Table, fought: Battle) -> None:
    """9.51: after the battle a combat card lies on the played pile; one that serves once is out of the game."""
    for role in ROLES:
        force = fought.force(role)
        for card in force.cards:
            if table.kit.tables["cards"][card]["mark"] == "removed":
                table.card(card, deck.played(force.side), deck.removed(force.side), why="asterisk", section="9.51")


def hands_of_cards(table: Table, side: str) -> Iterator[list[str]]:
    """None, each card and each two cards of a hand."""
    held = sorted(deck.held(table, side))
    yield []
    for number_of in (1, 2):
        for playing in itertools.combinations(held, number_of):
            yield list(playing)


def by_chance(kind: type[Order], table: Table, question: Question, chance: random.Random) -> Order | None:
    """An answer with as many of the cards of the hand as chance says, those that can be played."""
    playing: list[str] = []
    for card in chance.sample(sorted(deck.held(table, question.power)), len(deck.held(table, question.power))):
        if len(playing) < most_cards(table) and chance.random() < 0.5:
            more = kind(cards=[*playing, card])
            if question.is_legal(table, more):
                playing.append(card)
    order = kind(cards=playing or None)
    return order if question.is_legal(table, order) else None


# --- what both may know ---


def known(table: Table, fought: Battle) -> dict[str, Any]:
    """What lies on the table when somebody is asked, for conditions of standing orders too.

    ``strength`` is the attacker's, ``defence`` the defender's in combat factors, ``odds`` how many times the one
    holds the other, fractions dropped.
    """
    attacking = strength(table, fought, ATTACKER)
    defending = strength(table, fought, DEFENDER)
    return {
        "space": fought.space,
        "battle": fought.kind,
        "attacker": fought.attacker.side,
        "defender": fought.defender.side,
        "leader": pieces.face_of(table, fought.attacker.commander) if fought.attacker.commander else None,
        "came_from": fought.came_from,
        "strength": attacking,
        "defence": defending,
        "odds": attacking // defending if defending else attacking,
        "attack_cards": list(fought.attacker.cards),
        "cards_played": len(fought.attacker.cards),
        "forces": {role: described(table, fought, role) for role in ROLES},
    }


ORDERS: tuple[type[Order], ...] = (Fight, Defend)
