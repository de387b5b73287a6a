"""Foreign wars (21.7; 23.7 of the sister game): what both games share of them.

A power's units and leader are at ``foreign_war:<card>``, the foreigners at ``foreign_war:<card>:enemy``; the card lies
in the pile ``table`` until the war is over. How many units are sent, how strong the foreigners are and what the end of
a war brings is each game's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pbem.games.reformation import marks
from pbem.games.reformation.action import Action
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.battle import ATTACKER, DEFENDER, Battle, Side, roll_side, take_losses
from pbem.games.reformation.choices import combat_cards
from pbem.games.reformation.forces import (
    Force,
    ForceField,
    add_units,
    all_of,
    best_battle,
    count_land,
    cut,
    force_value,
    has_enemy_land,
    land_owners,
    land_units,
    leaders_at,
    make_change,
    move_force,
    named_force,
    put_leader,
    without,
)
from pbem.games.reformation.ground import (
    capitals,
    controller,
    home_spaces,
    is_friendly,
    kind_of,
    siege_of,
)
from pbem.games.reformation.rules import rules
from pbem.table.asking import Card, Moment, choose, response
from pbem.table.board import SUPPLY
from pbem.table.orders import Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

PLACE = "foreign_war:"
INDEPENDENT = "independent"
FIGHT = "foreign_war"
FOUGHT = "foreign_wars_fought"
"""The mark of the impulse that lists the numbers of the wars fought in it."""


def place_of(card: str) -> str:
    """Where a power's units fight in a foreign war."""
    return PLACE + card


def enemies_of(card: str) -> str:
    """Where the foreigners of a foreign war are."""
    return f"{PLACE}{card}:enemy"


def foreigners(table: Table, card: str) -> int:
    """How many foreigners are left in a foreign war."""
    return count_land(table, enemies_of(card), land_owners(table, enemies_of(card)))


def is_open(table: Table, card: str) -> bool:
    """Whether a foreign war goes on: foreigners are left."""
    return bool(foreigners(table, card))


def own_units(table: Table, card: str) -> int:
    """How many units the power has in a foreign war."""
    return count_land(table, place_of(card), land_owners(table, place_of(card)))


# --- the beginning ---


class Contingent(Order):
    """Units of a space, and a leader."""

    line = "{force} FROM {origin}"
    force = ForceField()
    origin = Name("space")


def sources(table: Table, power: str) -> list[str]:
    """The spaces, not besieged, from which units or a leader may be sent."""
    return [
        space
        for space in atlas(table).spaces
        if not siege_of(table, space) and (land_units(table, space, power) or leaders_at(table, space, power))
    ]


def can_send(table: Table, power: str) -> int:
    """How many own land units a power could send."""
    return sum(sum(land_units(table, space, power).values()) for space in sources(table, power))


def check_sent(table: Table, power: str, parts: Sequence[Any], section: str) -> int:
    """How many units the parts of an order send. Raises `Refused` for what is not there, not own, or two leaders."""
    seen: list[str] = []
    units = led = 0
    for part in parts:
        if part.origin not in sources(table, power) or part.origin in seen:
            raise Refused("nothing_to_send", section, sources(table, power), space=part.origin)
        force = named_force(table, power, part.origin, part.force)
        here = all_of(table, part.origin, power)
        foreign = [owner for owner in force.units if owner != power]
        if foreign or without(force, here).size() or any(one not in here.leaders for one in force.leaders):
            raise Refused("only_own_sent", section, space=part.origin)
        seen.append(part.origin)
        units += force.size()
        led += len(force.leaders)
    if led > 1:
        raise Refused("one_leader_sent", section)
    return units


def contingents(table: Table, power: str, number: int) -> list[Contingent]:
    """So many units from the largest stacks first, without a leader; what silence sends."""
    left, parts = number, []
    for space in sorted(sources(table, power), key=lambda s: -sum(land_units(table, s, power).values())):
        units = cut({power: land_units(table, space, power)}, left)
        size = Force(units).size()
        if size:
            parts.append(Contingent(force=force_value(Force(units), power), origin=space))
            left -= size
    return [] if left else parts


def send(table: Table, power: str, card: str, parts: Sequence[Any], section: str) -> None:
    """The units and the leader that an order names go to the card."""
    for part in parts:
        force = named_force(table, power, part.origin, part.force)
        move_force(table, force, part.origin, place_of(card), why="foreign_war", section=section)


def set_foreigners_up(table: Table, card: str, number: int, section: str) -> None:
    """Independent regulars; if there are not enough, those of minor powers."""
    place = enemies_of(card)
    inactive = [minor for minor in atlas(table).minors if minor not in table.board.state["minor_ally"]]
    for owner in (INDEPENDENT, *inactive):
        number -= add_units(table, owner, "regular", place, number, why="foreign_war", section=section)


# --- the fight ---


def fight(table: Table, power: str, card: str, section: str, over: Callable[..., Procedure]) -> Procedure:
    """A field battle on the card, without the defender's die and without a retreat; `over(table, power, card)` is the
    procedure of the end of the war."""
    battle = Battle("foreign_war", place_of(card), Side(power, place_of(card)), Side(INDEPENDENT, enemies_of(card)))
    where = {"section": section, "space": place_of(card)}
    table.tell("field_battle", attacker=power, defender=INDEPENDENT, **where)
    yield from response(table, Moment("field_battle", power, {"battle": battle}), [power], **where)
    yield from combat_cards(
        table, power, Moment("field_battle_cards", power, {"battle": battle, "side": ATTACKER}), side=ATTACKER, **where
    )
    own, foreign = place_of(card), enemies_of(card)
    attack = {"units": own_units(table, card), "leader": best_battle(table, leaders_at(table, own))}
    roll_side(table, battle, ATTACKER, attack, FIGHT, section)
    surprised = 0
    if battle.first == ATTACKER:
        # Surprise Attack: the foreigners' losses are taken before their dice are counted.
        surprised = min(foreigners(table, card), battle.attacker.hits)
        yield from take_losses(table, {DEFENDER: (foreign, land_owners(table, foreign), surprised)})
    sizes = {ATTACKER: own_units(table, card), DEFENDER: foreigners(table, card)}
    if sizes[DEFENDER]:
        roll_side(table, battle, DEFENDER, {"units": sizes[DEFENDER]}, FIGHT, section)
    yield from response(table, Moment("field_battle_rolled", power, {"battle": battle}), kind="after_dice", **where)
    due = {
        ATTACKER: min(sizes[ATTACKER], battle.defender.hits),
        DEFENDER: min(sizes[DEFENDER], battle.attacker.hits - surprised),
    }
    if all(due[name] == sizes[name] for name in due) and all(sizes.values()):
        # 14 step 9: one unit of one side is left.
        due[ATTACKER if battle.attacker.dice > battle.defender.dice else DEFENDER] -= 1
    yield from take_losses(
        table,
        {
            ATTACKER: (own, land_owners(table, own), due[ATTACKER]),
            DEFENDER: (foreign, land_owners(table, foreign), due[DEFENDER]),
        },
    )
    make_change(table, own, foreign)
    if not is_open(table, card):
        yield from over(table, power, card)
    yield from rules(table).after_battle(table, own, "foreign_war", power)


def go_home(table: Table, power: str, card: str, section: str) -> Procedure:
    """Who is left on the card goes to the capital, or to a friendly home key if enemies are there."""
    going = all_of(table, place_of(card), power)
    if going.is_empty():
        return
    space = yield from choose(
        table, power, "space", lambda t: homes_for(t, power), kind="retreat", section=section, units=going.to_json()
    )
    if space is not None:
        move_force(table, going, place_of(card), space, why="foreign_war", section=section)
        return
    for owner, kinds in going.units.items():
        for kind, number in kinds.items():
            table.move(owner, kind, number, place_of(card), SUPPLY, why="foreign_war", section=section)


def leaders_go_home(table: Table, power: str, card: str, section: str) -> Procedure:
    """A leader whose units are all gone goes home alone."""
    place = place_of(card)
    if own_units(table, card) or not leaders_at(table, place):
        return
    space = yield from choose(table, power, "space", lambda t: homes_for(t, power), kind="retreat", section=section)
    for leader in leaders_at(table, place):
        put_leader(table, leader, space or "off", why="foreign_war", section=section)


def homes_for(table: Table, power: str) -> list[str]:
    """Where the units of a finished foreign war go: a capital without enemies, else friendly home keys."""

    def free(space: str) -> bool:
        occupied = has_enemy_land(table, space, power) or siege_of(table, space)
        return is_friendly(table, space, power) and not occupied

    homes = [c for c in capitals(table, power) if controller(table, c) == power and free(c)]
    return homes or [s for s in home_spaces(table, power) if kind_of(table, s) == "key" and free(s)]


def fought(table: Table, card: str) -> bool:
    """Whether a foreign war was fought in this impulse."""
    return marks.noted(table, "impulse", FOUGHT, int(card))


class Fight(Action):
    """Base of the action of both games: fight a foreign war once an impulse."""

    action = "fight_foreign_war"
    line = "FIGHT FOREIGN WAR [{card}]"
    section = "21.7"
    card = Card(optional=True)

    @staticmethod
    def wars(table: Table, power: str) -> Sequence[str]:
        """The cards of the wars that a power has to fight."""
        raise NotImplementedError

    @staticmethod
    def over(table: Table, power: str, card: str) -> Procedure:
        """The end of a power's war."""
        raise NotImplementedError

    def named(self, table: Table, power: str) -> str | None:
        """The war that is meant: without a card the only one that can be fought."""
        there = self.wars(table, power)
        able = [card for card in there if own_units(table, card) and not fought(table, card)]
        return self.card or next(iter([*able, *there]), None)

    def check_action(self, table: Table, power: str) -> None:
        card = self.named(table, power)
        if card is None or card not in self.wars(table, power):
            raise Refused("no_foreign_war", self.section)
        if not own_units(table, card):
            raise Refused("no_units_in_war", self.section, card=card)
        if fought(table, card):
            raise Refused("war_fought_already", self.section, card=card)

    def procedure(self, table: Table, power: str) -> Procedure:
        """The round."""
        card = self.named(table, power)
        assert card is not None
        marks.note(table, "impulse", FOUGHT, int(card))
        yield from fight(table, power, card, self.section, self.over)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in cls.wars(table, question.power):
            yield cls(card=card)
