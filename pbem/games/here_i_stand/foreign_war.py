"""21.7: foreign wars (cards 92, 93, 110).

The power's units and leader are at ``foreign_war:<card>``, the foreigners at ``foreign_war:<card>:enemy``; the card
lies in the pile ``table`` until the war is over.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.games.reformation import hands, marks
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
    without,
)
from pbem.games.reformation.ground import controller, home_spaces, is_friendly, kind_of, siege_of
from pbem.games.reformation.rules import rules
from pbem.table.asking import Ask, Card, Moment, choose, response
from pbem.table.board import SUPPLY
from pbem.table.orders import Many, Name, Order, Refused
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


def wars_of(table: Table, power: str) -> list[str]:
    """The cards of the foreign wars that a power has to fight."""
    rows = table.kit.tables["foreign_wars"]
    return [card for card, row in rows.items() if row["power"] == power and is_open(table, card)]


def is_open(table: Table, card: str) -> bool:
    """Whether a foreign war goes on: foreigners are left."""
    place = enemies_of(card)
    return bool(count_land(table, place, land_owners(table, place)))


def own_units(table: Table, card: str) -> int:
    """How many units the power has in a foreign war."""
    return count_land(table, place_of(card), land_owners(table, place_of(card)))


def takes_new_units(table: Table, power: str) -> str | None:
    """21.7: the place of a foreign war that the power's new land units must fill first, or None."""
    for card in wars_of(table, power):
        if own_units(table, card) < table.kit.tables["foreign_wars"][card]["own_units"]:
            return place_of(card)
    return None


# --- the beginning ---


class _Contingent(Order):
    """Units of a space, and a leader."""

    line = "{force} FROM {origin}"
    force = ForceField()
    origin = Name("space")


class Send(Order):
    """Send units, and at most one army leader, to a foreign war."""

    line = "SEND {parts}"
    parts = Many(_Contingent)

    def check(self, table: Table, question: Question) -> None:
        power, number = question.power, question.context["number"]
        seen: dict[str, Force] = {}
        units, leaders = 0, 0
        for part in self.parts:
            if part.origin not in sources(table, power) or part.origin in seen:
                raise Refused("nothing_to_send", "21.7", sources(table, power), space=part.origin)
            force = named_force(table, power, part.origin, part.force)
            here = all_of(table, part.origin, power)
            foreign = [owner for owner in force.units if owner != power]
            if foreign or without(force, here).size() or any(one not in here.leaders for one in force.leaders):
                raise Refused("only_own_sent", "21.7", space=part.origin)
            seen[part.origin] = force
            units += force.size()
            leaders += len(force.leaders)
        if units != number:
            raise Refused("other_number_sent", "21.7", number=number, named=units)
        if leaders > 1:
            raise Refused("one_leader_sent", "21.7")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        """What silence sends: from the largest stacks first, without a leader."""
        power, left, parts = question.power, question.context["number"], []
        stacks = sorted(sources(table, power), key=lambda s: -sum(land_units(table, s, power).values()))
        for space in stacks:
            units = cut(table, {power: land_units(table, space, power)}, left)
            size = Force(units).size()
            if size:
                parts.append(_Contingent(force=force_value(Force(units), power), origin=space))
                left -= size
        if not left and parts:
            yield cls(parts=parts)

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        return next(cls.candidates(table, question), None)


def sources(table: Table, power: str) -> list[str]:
    """21.7: the spaces, not besieged, from which units or a leader may be sent."""
    return [
        space
        for space in atlas(table).spaces
        if not siege_of(table, space) and (land_units(table, space, power) or leaders_at(table, space, power))
    ]


def begin(table: Table, card: str, enemies: int) -> Procedure:
    """21.7: the power sends units to the card, wherever they are but in besieged spaces; the foreigners are set up."""
    row = table.kit.tables["foreign_wars"][card]
    power = row["power"]
    table.tell("foreign_war", power=power, number=int(card), enemies=enemies, section="21.7")
    _set_foreigners_up(table, card, enemies)
    there = sum(sum(land_units(table, space, power).values()) for space in sources(table, power))
    number = min(row["own_units"], there)
    if not number:
        return
    order = yield Ask(
        power,
        "event_choice",
        [Send],
        lambda t, q: next(Send.candidates(t, q)),
        context={"number": number, "card": int(card)},
        section="21.7",
    )
    for part in order.parts:
        force = named_force(table, power, part.origin, part.force)
        move_force(table, force, part.origin, place_of(card), why="foreign_war", section="21.7")


def _set_foreigners_up(table: Table, card: str, number: int) -> None:
    """Independent regulars; if there are not enough, those of minor powers."""
    place = enemies_of(card)
    inactive = [minor for minor in atlas(table).minors if minor not in table.board.state["minor_ally"]]
    for owner in (INDEPENDENT, *inactive):
        number -= add_units(table, owner, "regular", place, number, why="foreign_war", section="21.7")


# --- the fight ---


def fight(table: Table, power: str, card: str) -> Procedure:
    """21.7: a field battle on the card, without the defender's die and without a retreat."""
    battle = Battle("foreign_war", place_of(card), Side(power, place_of(card)), Side(INDEPENDENT, enemies_of(card)))
    where = {"section": "21.7", "space": place_of(card)}
    table.tell("field_battle", attacker=power, defender=INDEPENDENT, **where)
    yield from response(table, Moment("field_battle", power, {"battle": battle}), [power], **where)
    yield from combat_cards(
        table, power, Moment("field_battle_cards", power, {"battle": battle, "side": ATTACKER}), side=ATTACKER, **where
    )
    own, foreign = place_of(card), enemies_of(card)
    attack = {"units": own_units(table, card), "leader": best_battle(table, _leaders(table, card))}
    roll_side(table, battle, ATTACKER, attack, FIGHT, "21.7")
    surprised = 0
    if battle.first == ATTACKER:
        # Card 29: the foreigners' losses are taken before their dice are counted.
        surprised = min(_foreigners(table, card), battle.attacker.hits)
        yield from take_losses(table, {DEFENDER: (foreign, land_owners(table, foreign), surprised)})
    sizes = {ATTACKER: own_units(table, card), DEFENDER: _foreigners(table, card)}
    if sizes[DEFENDER]:
        roll_side(table, battle, DEFENDER, {"units": sizes[DEFENDER]}, FIGHT, "21.7")
    yield from response(
        table, Moment("field_battle_rolled", power, {"battle": battle}), kind="after_dice", **where
    )
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
        yield from _end(table, power, card)
    yield from rules(table).after_battle(table, own, "foreign_war", power)


def _leaders(table: Table, card: str) -> list[str]:
    return leaders_at(table, place_of(card))


def _foreigners(table: Table, card: str) -> int:
    return count_land(table, enemies_of(card), land_owners(table, enemies_of(card)))


def _end(table: Table, power: str, card: str) -> Procedure:
    """21.7: the war is over: who is left goes to the capital, or to a friendly home key if enemies are there."""
    table.tell("foreign_war_over", power=power, number=int(card), section="21.7")
    if card in table.board.piles.get(hands.ON_TABLE, ()):
        hands.put_away(table, card, hands.ON_TABLE, "discard")
    if table.options["foreign_war_extras"]:
        table.count("war_winner_vp", power, table.kit.tables["card_numbers"][f"{card}:vp"]["value"], section="21.7")
        change_markers(table, power, -1)
    going = all_of(table, place_of(card), power)
    if going.is_empty():
        return
    space = yield from choose(
        table, power, "space", lambda t: homes_for(t, power), kind="retreat", section="21.7", units=going.to_json()
    )
    if space is not None:
        move_force(table, going, place_of(card), space, why="foreign_war", section="21.7")
        return
    for owner, kinds in going.units.items():
        for kind, number in kinds.items():
            table.move(owner, kind, number, place_of(card), SUPPLY, why="foreign_war", section="21.7")


def homes_for(table: Table, power: str) -> list[str]:
    """Where the units of a finished foreign war go: a capital without enemies, else friendly home keys."""

    def free(space: str) -> bool:
        occupied = has_enemy_land(table, space, power) or siege_of(table, space)
        return is_friendly(table, space, power) and not occupied

    capitals = [c for c in atlas(table).capitals[power] if controller(table, c) == power and free(c)]
    return capitals or [s for s in home_spaces(table, power) if kind_of(table, s) == "key" and free(s)]


def change_markers(table: Table, power: str, change: int) -> None:
    """-1 Card markers of a power (option `foreign_war_extras`)."""
    markers = dict(table.board.state.get("minus_cards", {}))
    markers[power] = markers.get(power, 0) + change
    table.set("minus_cards", {one: number for one, number in sorted(markers.items()) if number}, section="21.7")


def fought(table: Table, card: str) -> bool:
    """21.7: whether a foreign war was fought in this impulse."""
    return marks.noted(table, "impulse", FOUGHT, int(card))


class FightForeignWar(Action):
    """Fight a foreign war, for 1 CP; if foreigners are left, it can be fought again in a later impulse."""

    action = "fight_foreign_war"
    line = "FIGHT FOREIGN WAR [{card}]"
    card = Card(optional=True)

    def named(self, table: Table, power: str) -> str | None:
        """The war that is meant: without a card the only one that can be fought."""
        able = [card for card in wars_of(table, power) if own_units(table, card) and not fought(table, card)]
        return self.card or next(iter([*able, *wars_of(table, power)]), None)

    def check_action(self, table: Table, power: str) -> None:
        card = self.named(table, power)
        if card is None or card not in wars_of(table, power):
            raise Refused("no_foreign_war", "21.7")
        if not own_units(table, card):
            raise Refused("no_units_in_war", "21.7", card=card)
        if fought(table, card):
            raise Refused("war_fought_already", "21.7", card=card)

    def procedure(self, table: Table, power: str) -> Procedure:
        """21.7."""
        card = self.named(table, power)
        assert card is not None
        marks.note(table, "impulse", FOUGHT, int(card))
        yield from fight(table, power, card)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in wars_of(table, question.power):
            yield cls(card=card)


ORDERS = (Send,)
ACTIONS = (FightForeignWar,)
