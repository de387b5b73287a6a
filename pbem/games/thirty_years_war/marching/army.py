"""8.3: a leader is activated by a card, with his whole march in one line, or line by line (`movement`)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from pbem.games.thirty_years_war import cards, control, pieces
from pbem.games.thirty_years_war.combat import sortie
from pbem.games.thirty_years_war.map import atlas, distances, other
from pbem.games.thirty_years_war.marching import forage, leading, movement, ways
from pbem.games.thirty_years_war.pieces import PiecesField
from pbem.games.thirty_years_war.turn import deck
from pbem.games.thirty_years_war.turn.activation import CardUse, Use
from pbem.table.orders import Many, Name, Order, Question, YesNo
from pbem.table.procedure import Procedure, Table

SAMPLES = 12
LINE_BY_LINE = 0.3
WANDERS = 0.3
"""Of random play: how often an order is tried, the share of marches that are ordered line by line, and of steps that
lead anywhere."""


def _leaders(table: Table, side: str) -> list[str]:
    return [piece for piece in pieces.on_map(table, side) if pieces.is_leader(piece)]


def _places_of_leaders(table: Table, side: str) -> dict[str, str]:
    """Where each leader of a side stands, by the face that an order names."""
    return {pieces.face_of(table, piece): pieces.where(table, piece) for piece in _leaders(table, side)}


class Act(CardUse):
    """Activate a leader: he marches with what he takes along, fights, besieges."""

    line = (
        "ACT {card} WITH {leader} [TAKING {group}] [VIA {way}] [CONTROLLING {controlling}] [RESTORING {restoring}] "
        "[FORAGING {foraging}] [OVERRUN {overrun}] [TEXT {with_text}]"
    )
    use = "act"
    leader = Name("leader", help="who leads")
    group = PiecesField(optional=True, help="left out: all who stand with him")
    way = ways.Roads(
        _places_of_leaders, start="leader", optional=True, help="left out: the march is ordered line by line"
    )
    controlling = Many(
        Name("space"), optional=True, most=ways.MOST_STEPS, along="way", help="unfortified spaces, a point each"
    )
    restoring = Many(
        Name("space"), optional=True, most=ways.MOST_STEPS, along="way", help="spaces in revolt, a point each"
    )
    foraging = Many(Name("space"), optional=True, most=forage.MOST_SPACES, along="way")
    overrun = YesNo(optional=True, help="whether to overrun whom it can; left out: it is asked")
    with_text = YesNo(optional=True, help="whether the text of the card is used with the activation")

    def check_card_use(self, table: Table, side: str) -> None:
        leader = leading.check_leader(table, side, self.leader, deck.value(table, self.card))
        moving = leading.taken(table, leader, self.group)
        if self.with_text:
            refusal = cards.activation_refusal(table, side, self.card, leader)
            if refusal:
                raise refusal
        if pieces.is_inside(table, leader):
            sortie.check_sortie(table, pieces.where(table, leader), side, moving)
            return
        if self.is_planned():
            points = min(pieces.movement_allowance(table, piece) for piece in moving)
            if self.with_text:
                points = cards.lengthened(table, self.card, points)
            ways.check_way(
                table,
                side,
                moving,
                pieces.where(table, leader),
                self.way or [],
                points,
                controlling=self.controlling or [],
                restoring=self.restoring or [],
            )
            self._check_forage(table, moving)

    def is_planned(self) -> bool:
        """Whether the line says the whole march."""
        return bool(self.way or self.controlling or self.restoring)

    def _check_forage(self, table: Table, moving: Sequence[str]) -> None:
        """3.9: where it is said what is looted it must be right; a battle on the way may still change it."""
        if not self.foraging:
            return
        levels = forage.need(table, sum(map(pieces.is_unit, moving)))
        start = pieces.where(table, pieces.leader_piece(table, self.leader))
        spaces = forage.open_spaces(table, {"start": start, "path": self.way or []})
        possible = min(levels, sum(forage.room(table, space) for space in spaces))
        forage.check_spaces(table, {"spaces": spaces, "levels": possible}, self.foraging)

    def procedure(self, table: Table, side: str) -> Procedure:
        leader = pieces.leader_piece(table, self.leader)
        bonus = cards.activation_bonus(table, side, self.card) if self.with_text else 0
        plan = movement.Plan(
            self.way or [],
            self.controlling or [],
            self.restoring or [],
            self.foraging or [],
            self.overrun,
        )
        moving = leading.taken(table, leader, self.group)
        yield from movement.activate(table, side, leader, moving, plan, card=self.card, bonus=bonus)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in cls.cards(table, question):
            for leader in _leaders(table, question.power):
                for named in _groups(table, leader):
                    yield cls(card=card, leader=pieces.face_of(table, leader), group=named)

    @classmethod
    def examples(cls, table: Table, question: Question) -> Iterator[Order]:
        """The second one goes a step, so that it is seen how a way is written."""
        for number, order in enumerate(cls.legal(table, question)):
            yield order
            if number == 0:
                yield from islice(_with_a_step(table, question, order), 1)

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        hand, leaders = list(deck.held(table, question.power)), _leaders(table, question.power)
        if not hand or not leaders:
            return None
        for _ in range(SAMPLES):
            leader = chance.choice(leaders)
            order = cls(
                card=chance.choice(hand),
                leader=pieces.face_of(table, leader),
                group=chance.choice(_groups(table, leader)),
            )
            if not question.is_legal(table, order):
                continue
            if pieces.is_inside(table, leader) or chance.random() < LINE_BY_LINE:
                return order
            return _with_way(table, question, order, chance)
        return None


def _groups(table: Table, leader: str) -> list[dict[str, Any] | None]:
    """Groups worth trying: all; as many units as he can command; himself alone."""
    there = leading.companions(table, leader)
    units = [piece for piece in there if pieces.is_unit(piece)]
    leaders = [piece for piece in there if pieces.is_leader(piece)]
    groups: list[dict[str, Any] | None] = [None]
    if len(units) > pieces.command(table, there):
        groups = []
    for count in dict.fromkeys((pieces.command(table, leaders), pieces.command(table, [leader]), 0)):
        chosen = leaders if count > pieces.command(table, [leader]) else [leader]
        if count < len(units) or len(leaders) > 1:
            groups.append(pieces.described(table, [*chosen, *units[:count]]))
    return groups


def _with_a_step(table: Table, question: Question, order: Act) -> Iterator[Order]:
    """The same order with each first space of a way that is legal."""
    here = pieces.where(table, pieces.leader_piece(table, order.leader))
    for space in atlas(table).neighbours[here]:
        longer = Act(**{**vars(order), "way": [space]})
        if question.is_legal(table, longer):
            yield longer


def _with_way(table: Table, question: Question, order: Act, chance: random.Random) -> Order:
    """The same order with a way by chance, as long as it stays legal; as a rule it leads towards the enemy."""
    best: Order = order
    here = pieces.where(table, pieces.leader_piece(table, order.leader))
    enemy = other(question.power)
    aims = [space for space in atlas(table).spaces if pieces.units(table, space, enemy)]
    held = [space for space in atlas(table).spaces if control.holder(table, space) == enemy]
    aims += [space for space in held if chance.random() < WANDERS]
    nearness = distances(table, aims)
    way: list[str] = []
    controlling: list[str] = []
    for _ in range(chance.randrange(1, 6)):
        near = [*atlas(table).neighbours[here], *atlas(table).entries[here]]
        if not near:
            break
        nearest = min(nearness.get(space, 99) for space in near)
        towards = [space for space in near if nearness.get(space, 99) == nearest]
        here = chance.choice(near if chance.random() < WANDERS else towards)
        way.append(here)
        values = {**vars(order), "way": list(way)}
        longer = Act(**{**values, "controlling": list(controlling) or None})
        richer = Act(**{**values, "controlling": [*controlling, here]})
        if chance.random() < 0.6 and question.is_legal(table, richer):
            controlling.append(here)
            best = richer
        elif question.is_legal(table, longer):
            best = longer
        else:
            break
    return best


USES: tuple[type[Use], ...] = (Act,)
