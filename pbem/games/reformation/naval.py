"""16.1, 16.2: naval movement, interception, avoiding battle, naval combat. Who commands which ships: `fleets`.

During a naval move the mark ``action:turned`` lists the zones where the active power's ships are turned (they came
where it had none), ``action:intercepted`` {zone: power} where an interception succeeded, ``action:fought`` the combats
that are over, as ``place:commander``. Ships that lost a combat carry the mark ``impulse:beaten_at_sea``.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.games.reformation import marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.battle import ATTACKER, DEFENDER, Battle, Side, roll_side, shared_out
from pbem.games.reformation.choices import cards_of_outsiders, combat_cards, free_responses
from pbem.games.reformation.fleets import (
    FleetField,
    Position,
    barred_from,
    best_naval,
    commanders,
    enemy_fleets,
    fleet,
    fleets_at,
    has_ships,
    is_own_port,
    lacks,
    move_fleet,
    named_fleet,
    naval_leaders,
    of_fleet,
    positions_near,
    ships,
    sink,
    together,
)
from pbem.games.reformation.forces import (
    Force,
    check_may_be_there,
    force_value,
    mark_force,
    marked,
    without,
)
from pbem.games.reformation.relations import at_war
from pbem.games.reformation.rules import rules
from pbem.table.asking import Ask, Moment, Pass, response
from pbem.table.grammar import Wanted
from pbem.table.kit import Kit
from pbem.table.orders import Choice, Field, Many, Order, Refused, find_name
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, InOrder, Question

TURNED, INTERCEPTED, FOUGHT, BEATEN = "turned", "intercepted", "fought", "beaten_at_sea"
SHIP = "ship"
"""The class of ships of several kinds that sink alike."""


# --- 16.1: what may sail where ---


class Leg(Order):
    """Ships and naval leaders at a place, and the adjacent position that they go to."""

    line = "{fleet} FROM {origin} TO {place}"
    fleet = FleetField()
    origin = Position()
    place = Position()


def movable(table: Table, power: str, place: str) -> Force:
    """16.1: the ships and leaders of a power at a place that have not lost a naval combat this impulse."""
    return without(fleet(table, place, power), marked(table, BEATEN, place))


def named_legs(table: Table, power: str, legs: Sequence[Leg]) -> list[tuple[Force, str, str]]:
    """The legs of an order as (force, origin, place); ALL stands for all that may move."""
    return [
        (
            movable(table, power, leg.origin)
            if leg.fleet.get("all")
            else named_fleet(table, power, leg.origin, leg.fleet),
            leg.origin,
            leg.place,
        )
        for leg in legs
    ]


def check_naval_move(table: Table, power: str, legs: Sequence[Leg]) -> None:
    """16.1 step 1: raise `Refused` unless the power may make these moves, all at once."""
    reason = rules(table).barred(table, power, "naval")
    if reason:
        raise reason.under("16.1")
    named = named_legs(table, power, legs)
    going: dict[str, Force] = {}
    for force, origin, place in named:
        check_leg(table, power, force, origin, place)
        going[origin] = together(going.get(origin, Force()), force)
    for origin, force in going.items():
        _check_departure(table, power, origin, force)


def check_leg(table: Table, power: str, force: Force, origin: str, place: str) -> None:
    """16.1: raise `Refused` unless a fleet may go from a place to a position."""
    if not force.size():
        raise Refused("no_ships_to_move", "16.1", place=origin)
    near = positions_near(table, origin)
    if place not in near:
        raise Refused("not_adjacent_at_sea", "16.1", list(near), place=place, origin=origin)
    check_may_be_there(table, force, place, "16.1", by_move=True)
    barred = barred_from(table, force, place, by_move=True)
    if not barred.is_empty():
        raise Refused("never_enter", "16.1", who=[*barred.units, *barred.leaders], place=place)
    own_port = place in atlas(table).sea or is_own_port(table, place, power)
    if not own_port and not enemy_fleets(table, place, power):
        raise Refused("no_port_to_sail_to", "16.1", place=place)


def _check_departure(table: Table, power: str, origin: str, force: Force) -> None:
    there, free = fleet(table, origin, power), movable(table, power, origin)
    if len(set(force.leaders)) < len(force.leaders):
        raise Refused("leader_one_way", "16.1")
    if lacks(table, power, origin, force):
        raise Refused("not_all_these_ships", "16.1", place=origin)
    if without(force, free).size() or any(leader not in free.leaders for leader in force.leaders):
        raise Refused("beaten_ships", "16.1", place=origin)
    left = without(there, force)
    stranded = [leader for leader in left.leaders if leader in free.leaders]
    if stranded and not left.size():
        raise Refused("leader_left_without_ships", "16.1", leader=stranded[0], place=origin)


def random_legs(table: Table, power: str, chance: random.Random) -> list[Leg]:
    """Legal moves by chance, of some of the power's fleets, each as a whole; for random play."""
    legs = []
    for origin in fleets_at(table, power):
        force = movable(table, power, origin)
        if not force.size() or chance.random() < 0.3:
            continue
        open_places = [place for place in positions_near(table, origin) if _may_go(table, power, force, origin, place)]
        if open_places:
            legs.append(Leg(fleet={"all": True}, origin=origin, place=chance.choice(open_places)))
    return legs


def _may_go(table: Table, power: str, force: Force, origin: str, place: str) -> bool:
    try:
        check_leg(table, power, force, origin, place)
    except Refused:
        return False
    return True


# --- 16.1: the procedure ---


def naval_move(
    table: Table, power: str, legs: Sequence[Leg], *, also: Callable[[], Procedure] | None = None, **told_too: Any
) -> Procedure:
    """16.1: a naval move, its CP spent: moves, responses, interceptions, avoiding, combats.

    `also`: what else of the power moves with its ships, when they are placed (Virgin Queen: on the oceans); option
    ``storms_asked`` says whether it is over before the responses. `told_too` is told of it with the declaration.
    """
    # 1: declared
    named = named_legs(table, power, legs)
    told = [{"force": force.to_json(), "origin": origin, "place": place} for force, origin, place in named]
    table.tell("naval_move", power=power, moves=told, section="16.1", **told_too)
    if also and table.options.get("storms_asked") == "after_voyages":
        yield from also()
        also = None
    # 3: Foul Weather. Asked before the ships are placed, since it calls the whole move off.
    stopped = yield from _foul_weather(table, power, named)
    if stopped:
        table.tell("naval_move_stopped", power=power, section="16.1")
        return
    # 2: executed, all at once
    execute(table, power, named)
    for force, _, place in named:
        if place in atlas(table).spaces:
            yield from rules(table).entered(table, power, force, place)
    if also:
        yield from also()
    # 4: interceptions
    yield from interceptions(table, power)
    # 5: avoiding battle
    yield from avoid_battles(table, power)
    # 6: the stacks are turned back
    marks.set_mark(table, "action", TURNED, None)
    # 7: combats
    yield from combats(table, power)


def _foul_weather(table: Table, power: str, named: Sequence[tuple[Force, str, str]]) -> Procedure:
    others = [other for other in table.board.powers if other != power]
    places = list(dict.fromkeys(place for _, _, place in named))
    strength = sum(force.size() for force, _, _ in named)
    context: dict[str, Any] = {"places": places, "strength": strength, "action": "naval_move"}
    if len(places) == 1:
        context["space"] = places[0]
    moment = Moment("naval_move", power, {"places": places})
    answers = yield from response(table, moment, others, section="16.1", **context)
    return "stop" in answers or rules(table).barred(table, power, "naval") is not None


def execute(table: Table, power: str, named: Sequence[tuple[Force, str, str]]) -> None:
    """16.1 step 2: the ships are placed; those that come into a zone where none of the power stayed are turned."""
    zones = atlas(table).sea
    going: dict[str, Force] = {}
    for force, origin, _ in named:
        going[origin] = together(going.get(origin, Force()), of_fleet(table, origin, power, force))
    held = [zone for zone in atlas(table).zones if without(fleet(table, zone, power), going.get(zone, Force())).size()]
    arrived: list[str] = []
    # What goes is settled before anything moves: who arrives does not sail on with those who leave.
    for force, origin, place in [(of_fleet(table, o, power, force), o, p) for force, o, p in named]:
        moved = move_fleet(table, power, force, origin, place, why="naval_move", section="16.1")
        if moved.size() and place not in arrived:
            arrived.append(place)
    turned = [zone for zone in arrived if zone in zones and zone not in held]
    marks.set_mark(table, "action", TURNED, turned or None, section="16.1")
    marks.set_mark(table, "action", INTERCEPTED, None)
    marks.set_mark(table, "action", FOUGHT, None)


def turned_zones(table: Table) -> list[str]:
    """The zones where the active power's ships are turned now."""
    return list(marks.mark(table, "action", TURNED, ()))


# --- 16.1 step 4: interception ---


class Attempt(Order):
    """One try: ships of a position, the zone, and whether it is made only if the tries before it for this zone fail."""

    line = "{fleet} FROM {origin} TO {sea} [IF {condition}]"
    fleet = FleetField()
    origin = Position()
    sea = Position()
    condition = Choice("failed", optional=True)


class Engage(Order):
    """Try to intercept ships at sea, try by try in your order; IF FAILED: only if your tries before it failed."""

    line = "ENGAGE {attempts}"
    attempts = Many(Attempt, most=12)

    def check(self, table: Table, question: Question) -> None:
        tried: list[tuple[str, str]] = []
        for attempt in self.attempts:
            check_attempt(table, question.power, question.context["power"], attempt)
            if (attempt.origin, attempt.sea) in tried:
                raise Refused("intercept_as_one_stack", "16.1", place=attempt.origin, sea=attempt.sea)
            tried.append((attempt.origin, attempt.sea))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        power, mover = question.power, question.context["power"]
        for zone in turned_zones(table):
            for origin in positions_near(table, zone):
                if has_ships(table, origin, power) and not has_ships(table, origin, mover):
                    yield cls(attempts=[Attempt(fleet={"all": True}, origin=origin, sea=zone)])


def check_attempt(table: Table, power: str, mover: str, attempt: Attempt) -> None:
    """16.1 step 4: raise `Refused` unless a power may try to intercept the mover so."""
    zone = attempt.sea
    if zone not in turned_zones(table):
        raise Refused("nobody_to_intercept", "16.1", list(turned_zones(table)), sea=zone)
    if attempt.origin not in positions_near(table, zone):
        near = list(positions_near(table, zone))
        raise Refused("not_adjacent_at_sea", "16.1", near, place=attempt.origin, origin=zone)
    if has_ships(table, attempt.origin, mover):
        raise Refused("mover_is_there_too", "16.1", place=attempt.origin)
    force = named_fleet(table, power, attempt.origin, attempt.fleet)
    if not force.size() or lacks(table, power, attempt.origin, force):
        raise Refused("not_all_these_ships", "16.1", place=attempt.origin)
    if not barred_from(table, force, zone).is_empty():
        raise Refused("some_never_enter", "16.1", sea=zone)
    if rules(table).no_interception_to_other_enemies:
        others = [other for other in enemy_fleets(table, zone, power) if other != mover]
        if others:
            raise Refused("other_enemies_in_zone", "16.1", sea=zone, powers=others)
    left = without(fleet(table, attempt.origin, power), force)
    if left.leaders and not left.size():
        raise Refused("leader_left_without_ships", "16.1", leader=left.leaders[0], place=attempt.origin)


def interceptions(table: Table, mover: str) -> Procedure:
    """16.1 step 4: enemies next to turned stacks try to intercept, in impulse order; a success bars other powers."""

    def question(power: str) -> Ask:
        zones = turned_zones(table)
        strength = sum(fleet(table, zone, mover).size() for zone in zones)
        context: dict[str, Any] = {"power": mover, "zones": zones, "strength": strength, "action": "naval_move"}
        if len(zones) == 1:
            context["space"] = zones[0]
        return Ask(power, "naval_interception", [Engage, Pass], Pass(), context=context, section="16.1")

    asked = [
        power
        for power in table.board.powers
        if at_war(table.board, power, mover) and next(Engage.legal(table, question(power)), None) is not None
    ]
    if not asked:
        return
    answers = dict((yield InOrder([question(power) for power in asked]))) if _askedtogether(table) else {}
    for power in asked:
        if power in answers:
            order = answers[power]
        elif next(Engage.legal(table, question(power)), None) is None:
            continue
        else:
            order = yield question(power)
        if isinstance(order, Engage):
            for attempt in order.attempts:
                yield from try_interception(table, power, mover, attempt)


def _askedtogether(table: Table) -> bool:
    return table.options.get("interceptions_asked", "together") == "together"


def try_interception(table: Table, power: str, mover: str, attempt: Attempt) -> Procedure:
    """16.1 step 4: one try. It falls unseen where another power was first, or what it needs is gone."""
    zone = attempt.sea
    by = marks.mark(table, "action", INTERCEPTED, {}).get(zone)
    if by not in (None, power) or (attempt.condition and by == power):
        return
    try:
        check_attempt(table, power, mover, attempt)
    except Refused:
        return
    force = named_fleet(table, power, attempt.origin, attempt.fleet)
    success = yield from naval_roll(table, "naval_interception", power, mover, force, attempt.origin, zone)
    if success:
        move_fleet(table, power, force, attempt.origin, zone, why="naval_interception", section="16.1")
        won = {**marks.mark(table, "action", INTERCEPTED, {}), zone: power}
        marks.set_mark(table, "action", INTERCEPTED, dict(sorted(won.items())), section="16.1")


def naval_roll(table: Table, what: str, power: str, mover: str, force: Force, origin: str, place: str) -> Procedure:
    """16.1 steps 4, 5: two dice, the best naval leader's battle rating, and what cards add. Value: success."""
    constants = table.kit.constants
    total = sum(table.roll(what, power, constants["reaction_dice"], origin=origin, place=place, section="16.1"))
    total += best_naval(table, of_fleet(table, origin, power, force).leaders)
    total += rules(table).reaction_bonus(table, power)
    total += rules(table).naval_reaction_bonus(table, of_fleet(table, origin, power, force), origin, place)
    roll = {"what": what, "power": power, "origin": origin, "place": place, "total": total}
    moment = Moment("naval_roll", mover, {"roll": roll})
    answers = yield from response(
        table, moment, kind="after_dice", section="16.1", space=place, roller=power, total=total, action=what
    )
    total += sum(number for number in answers if isinstance(number, int) and not isinstance(number, bool))
    success = total >= constants["reaction_roll"]
    table.tell(what, power=power, origin=origin, place=place, total=total, success=success, section="16.1")
    return success


# --- 16.1 step 5: avoiding battle ---


class Evade(Order):
    """Try to avoid the naval combat with all your ships in the zone, to a port of yours or a zone without enemies."""

    line = "EVADE [FROM {origin}] TO {place}"
    origin = Position(optional=True)
    place = Position()

    def check(self, table: Table, question: Question) -> None:
        zone = question.context["space"]
        if self.origin is not None and self.origin != zone:
            raise Refused("asked_of_another_zone", "16.1", hint=zone, sea=zone)
        among = evasion_places(table, question.power, zone)
        if self.place not in among:
            raise Refused("no_place_to_avoid_battle", "16.1", list(among), place=self.place)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for place in evasion_places(table, question.power, question.context["space"]):
            yield cls(place=place)


def evasion_places(table: Table, power: str, zone: str) -> list[str]:
    """16.1 step 5: where a fleet in a zone may avoid battle to; all its ships go together."""
    force = fleet(table, zone, power)
    return [place for place in refuges_at_sea(table, power, zone) if barred_from(table, force, place).is_empty()]


def refuges_at_sea(table: Table, power: str, place: str) -> list[str]:
    """16.1, 16.2: the adjacent positions that are an own port or a zone without enemy ships; from a port zones only."""
    zones = atlas(table).sea
    return [
        other
        for other in positions_near(table, place)
        if (other in zones or is_own_port(table, other, power)) and not enemy_fleets(table, other, power)
    ]


def avoid_battles(table: Table, mover: str) -> Procedure:
    """16.1 step 5: enemy fleets in zones entered by turned ships, where no interception succeeded, may avoid battle."""

    def question(power: str, zone: str) -> Ask:
        context = {
            "space": zone,
            "power": mover,
            "strength": fleet(table, zone, mover).size(),
            "own_strength": fleet(table, zone, power).size(),
            "action": "naval_move",
        }
        return Ask(
            power,
            "naval_avoid_battle",
            [Evade, Pass],
            Pass(),
            context=context,
            section="16.1",
            key=f"{power}:{zone}",
        )

    intercepted = marks.mark(table, "action", INTERCEPTED, {})
    zones = [zone for zone in turned_zones(table) if zone not in intercepted]
    asked = [
        question(power, zone)
        for power in table.board.powers
        for zone in zones
        if power in enemy_fleets(table, zone, mover)
        and next(Evade.legal(table, question(power, zone)), None) is not None
    ]
    if not asked:
        return
    answers = dict((yield InOrder(asked))) if _askedtogether(table) else {}
    for one in asked:
        power, zone = one.power, one.context["space"]
        if one.key in answers:
            order = answers[one.key]
        elif next(Evade.legal(table, question(power, zone)), None) is None:
            continue
        else:
            order = yield question(power, zone)
        if not isinstance(order, Evade) or not question(power, zone).is_legal(table, order):
            continue
        force = fleet(table, zone, power)
        success = yield from naval_roll(table, "naval_avoid_battle", power, mover, force, zone, order.place)
        if success:
            everything = fleet(table, zone, power)
            move_fleet(table, power, everything, zone, order.place, why="naval_avoid_battle", section="16.1")


# --- 16.1 step 7: which combats ---


class _Commander(Field[str]):
    """A major or a minor power."""

    widget = "choice"
    domains = ("power", "minor")

    def wanted(self) -> Wanted:
        return {"kinds": list(self.domains)}

    def read(self, words: Sequence[str], names: Kit) -> str:
        text = " ".join(words)
        for domain in self.domains:
            whole = names.find(domain, text)
            if whole is not None:
                return whole
        return find_name(names, "power", text)

    schema_field = Position.schema_field


class FightAtSea(Order):
    """Say which of the naval combats is fought next."""

    line = "BATTLE {enemy} AT {place}"
    enemy = _Commander()
    place = Position()

    def check(self, table: Table, question: Question) -> None:
        if (self.place, self.enemy) not in open_combats(table, question.power):
            raise Refused("no_combat_due", "16.1", place=self.place, enemy=self.enemy)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for place, enemy in open_combats(table, question.power):
            yield cls(enemy=enemy, place=place)


def open_combats(table: Table, power: str) -> list[tuple[str, str]]:
    """16.1 step 7: the places and enemies that the active power still has to fight, each enemy once."""
    fought = marks.mark(table, "action", FOUGHT, ())
    return [
        (place, enemy)
        for place in fleets_at(table, power)
        for enemy in enemy_fleets(table, place, power)
        if f"{place}:{enemy}" not in fought
    ]


def combats(table: Table, power: str) -> Procedure:
    """16.1 step 7: the combats in the order of the active power; enemies in one place one after another, not combined.

    It goes on until it lost in the place and retreated, or fought each of them once.
    """
    while True:
        due = open_combats(table, power)
        if not due:
            return
        place, enemy = due[0]
        if len(due) > 1:
            order = yield Ask(
                power,
                "naval_battle_order",
                [FightAtSea],
                FightAtSea(enemy=enemy, place=place),
                context={"combats": [{"place": one, "enemy": other} for one, other in due]},
                section="16.1",
            )
            place, enemy = order.place, order.enemy
        marks.note(table, "action", FOUGHT, f"{place}:{enemy}")
        yield from naval_combat(table, place, power, enemy)
        if open_combats(table, power):
            yield from free_responses(table, power)


# --- 16.2: naval combat ---


def base_dice(table: Table, battle: Battle, name: str) -> dict[str, int]:
    """16.2 steps 1 and 2: dice by ships, the best naval leader; one more for the defender of a port."""
    side, dice = battle.side(name), rules(table).naval_dice
    there = fleet(table, battle.space, side.power)
    ships = sum(number * dice(table, kind, battle.space) for of in there.units.values() for kind, number in of.items())
    in_port = name == DEFENDER and battle.space not in atlas(table).sea
    return {
        "ships": ships,
        "leader": best_naval(table, there.leaders),
        "port": table.kit.constants["defender_bonus_dice"] if in_port else 0,
    }


def naval_combat(table: Table, place: str, attacker: str, defender: str, *, tie_beats_both: bool = False) -> Procedure:
    """16.2: a naval combat; the active power is the attacker. `tie_beats_both`: after a war declared just now (9.6)."""
    battle = Battle("naval", place, Side(attacker, place), Side(defender, place))
    table.tell("naval_combat", place=place, attacker=attacker, defender=defender, section="16.2")
    # 3 and 4: combat cards
    for name in (ATTACKER, DEFENDER):
        power = battle.side(name).power
        if power in table.board.powers:
            moment = Moment("naval_combat_cards", attacker, {"battle": battle, "side": name})
            yield from combat_cards(table, power, moment, section="16.2", space=place, side=name)
    yield from cards_of_outsiders(table, attacker, battle, section="16.2", space=place)
    # 1, 2 and 5: the dice as they are after the cards
    counts = {name: base_dice(table, battle, name) for name in (ATTACKER, DEFENDER)}
    for name, dice in counts.items():
        roll_side(table, battle, name, dice, "naval_combat", "16.2")
    # 6: Janissaries, Professional Rowers
    yield from response(
        table,
        Moment("naval_combat_rolled", attacker, {"battle": battle}),
        kind="after_dice",
        section="16.2",
        space=place,
        attacker_hits=battle.attacker.hits,
        defender_hits=battle.defender.hits,
    )
    # 7: the winner
    winner = ATTACKER if battle.attacker.hits > battle.defender.hits else DEFENDER
    tied = tie_beats_both and battle.attacker.hits == battle.defender.hits
    table.tell(
        "naval_combat_won",
        place=place,
        winner=None if tied else battle.side(winner).power,
        attacker_hits=battle.attacker.hits,
        defender_hits=battle.defender.hits,
        section="9.6" if tied else "16.2",
    )
    retreating = [ATTACKER, DEFENDER] if tied else [DEFENDER if winner == ATTACKER else ATTACKER]
    # 9.6 says of such a tie that both retreat; who takes the odd hit of step 8 is an option.
    nobody_wins = tied and table.options.get("tie_at_sea_after_war", "nobody_wins") == "nobody_wins"
    losers = retreating if nobody_wins else [DEFENDER if winner == ATTACKER else ATTACKER]
    # 8: losses
    yield from _naval_losses(table, battle, losers)
    # 10: leaders of a fleet that is wiped out; before 9, since they have nothing to retreat with
    for name in (ATTACKER, DEFENDER):
        _leaders_of_wiped_out(table, battle.side(name).power, place)
    # 9: retreat
    in_port = place not in atlas(table).sea
    for name in (ATTACKER, DEFENDER):
        if (name == ATTACKER) if in_port else (name in retreating):
            yield from retire(table, battle.side(name).power, place, beaten=name in losers)


def ship_class(table: Table, kind: str) -> str:
    """16.2 step 8: what a lost ship counts as: its kind, or ``ship`` where several kinds take as many hits to sink.

    Among the kinds of one class the owner chooses.
    """
    kinds = atlas(table).naval_kinds
    alike = [one for one in kinds if _hits_to_sink(table, one) == _hits_to_sink(table, kind)]
    return kind if alike == [kind] else SHIP


def _hits_to_sink(table: Table, kind: str) -> int:
    return table.kit.tables["units"][kind]["hits_to_sink"] * lost_together(table, kind)


def lost_together(table: Table, kind: str) -> int:
    """How many units of a kind go as one ship (Virgin Queen, 23.2: those of a level of the Armada)."""
    return table.kit.tables["units"][kind].get("lost_together") or 1


def by_class(table: Table, there: Mapping[str, int]) -> dict[str, int]:
    """Ships, given by kind, by class; units that go together count as one."""
    numbers: dict[str, int] = {}
    for kind, number in there.items():
        name = ship_class(table, kind)
        numbers[name] = numbers.get(name, 0) + number // lost_together(table, kind)
    return numbers


def hits_taken(table: Table, by_kind: Mapping[str, int], hits: int, loser: bool) -> dict[str, int]:
    """16.2 step 8: what a fleet, given by kind, loses, by class: big ships two hits each, corsairs by what is left, an
    odd hit on the loser. Kinds that one hit sinks take the rest; they exist with one power only.
    """
    there = by_class(table, by_kind)
    sinks = {ship_class(table, kind): _hits_to_sink(table, kind) for kind in by_kind}
    lost: dict[str, int] = {}
    if not loser and hits % 2 and not table.options.get("odd_hit_on_corsairs", True):
        hits -= 1
    for name in sorted(there, key=lambda name: -sinks[name]):
        lost[name] = min(there[name], hits // sinks[name])
        hits -= lost[name] * sinks[name]
    heavy = [name for name in lost if sinks[name] > 1 and lost[name] < there[name]]
    if loser and hits and heavy:
        lost[heavy[0]] += 1
    return lost


def _by_kind(force: Force) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for kinds in force.units.values():
        for kind, number in kinds.items():
            numbers[kind] = numbers.get(kind, 0) + number
    return numbers


def _naval_losses(table: Table, battle: Battle, losers: Sequence[str]) -> Procedure:
    """16.2 step 8: both sides lose ships; if both were wiped out, more dice keep one ship, else the defender does."""
    place, due = battle.space, {}
    for name in (ATTACKER, DEFENDER):
        there = _by_kind(fleet(table, place, battle.side(name).power))
        hits = battle.side(DEFENDER if name == ATTACKER else ATTACKER).hits
        hits -= min(hits, rules(table).hits_ignored_at_sea(table, battle, name))
        due[name] = hits_taken(table, there, hits, name in losers)
    sizes = {
        name: sum(by_class(table, _by_kind(fleet(table, place, battle.side(name).power))).values()) for name in due
    }
    if all(sum(due[name].values()) >= sizes[name] for name in due):
        keeps = ATTACKER if battle.attacker.dice > battle.defender.dice else DEFENDER
        dice = _dice_by_class(table, fleet(table, place, battle.side(keeps).power), place)
        best = max((name for name, number in due[keeps].items() if number), key=lambda name: dice[name])
        due[keeps][best] -= 1
    questions: list[Ask] = []
    for name, lost in due.items():
        commander = battle.side(name).power
        lost = {kind: number for kind, number in lost.items() if number}
        force = fleet(table, place, commander)
        if not lost:
            continue
        if commander not in table.board.powers or not any(_has_choice(table, force, of, lost[of]) for of in lost):
            sink(table, commander, place, cheapest_ships(table, commander, place, lost))
        else:
            context = {"place": place, "space": place, "lost": lost, "strength": force.size()}
            questions.append(Ask(commander, "losses", [Sink], _default_sink, context=context, section="16.2"))
    if questions:
        answers = yield AllOf(questions)
        for question in questions:
            force = named_fleet(table, question.power, place, answers[question.key].fleet)
            sink(table, question.power, place, force)


def _dice_by_class(table: Table, force: Force, place: str) -> dict[str, int]:
    of_class: dict[str, int] = {}
    for kind in _by_kind(force):
        dice = rules(table).naval_dice(table, kind, place) * lost_together(table, kind)
        name = ship_class(table, kind)
        of_class[name] = max(of_class.get(name, 0), dice)
    return of_class


def _has_choice(table: Table, force: Force, name: str, number: int) -> bool:
    """Whether an owner chooses which ships of a class are lost: not all are, and they differ in owner or kind."""
    of_class = [kind for kinds in force.units.values() for kind in kinds if ship_class(table, kind) == name]
    return len(of_class) > 1 and number < by_class(table, _by_kind(force))[name]


class Sink(Order):
    """Say which of your ships are lost: your own, those of a minor power, or those lent to you."""

    line = "SINK {fleet}"
    fleet = FleetField()

    def check(self, table: Table, question: Question) -> None:
        place, lost = question.context["place"], question.context["lost"]
        force = named_fleet(table, question.power, place, self.fleet)
        whole = all(number % lost_together(table, kind) == 0 for kind, number in _by_kind(force).items())
        if force.leaders or not whole or by_class(table, _by_kind(force)) != lost:
            raise Refused("other_ships_lost", "16.2", lost=dict(lost))
        if lacks(table, question.power, place, force):
            raise Refused("not_all_these_ships", "16.2", place=place)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        """The default, then all that could be lost instead."""
        default = _default_sink(table, question)
        yield default
        power, place, lost = question.power, question.context["place"], question.context["lost"]
        ways = [list(_ways_to_lose(table, ships(table, place, power), name, number)) for name, number in lost.items()]
        for way in itertools.product(*ways):
            force = Force()
            for owner, kind, number in itertools.chain(*way):
                force.units.setdefault(owner, {})[kind] = number
            if (order := cls(fleet=force_value(force, power))) != default:
                yield order


def _ways_to_lose(
    table: Table, there: Mapping[str, Mapping[str, int]], name: str, number: int
) -> Iterator[list[tuple[str, str, int]]]:
    """All ways to lose a number of ships of a class: ``(owner, kind, number)``."""
    heaps = [
        (owner, kind, many, lost_together(table, kind))
        for owner, kinds in there.items() for kind, many in kinds.items() if ship_class(table, kind) == name
    ]  # fmt: skip
    for numbers in shared_out([many // size for *_, many, size in heaps], number):
        yield [(o, k, take * size) for (o, k, _, size), take in zip(heaps, numbers, strict=True) if take]


def _of_classes(table: Table, there: Sequence[tuple[str, str, int]], lost: dict[str, int]) -> dict[str, dict[str, int]]:
    """So many ships of each class, of (owner, kind, number) in the order in which these stand."""
    left, taken = dict(lost), dict[str, dict[str, int]]()
    for owner, kind, number in there:
        name, size = ship_class(table, kind), lost_together(table, kind)
        take = min(left.get(name, 0), number // size)
        if take:
            taken.setdefault(owner, {})[kind] = take * size
            left[name] -= take
    return taken


def cheapest_ships(table: Table, commander: str, place: str, lost: dict[str, int]) -> Force:
    """What silence loses: ships lent to the commander first, then those of minor powers, then its own; of these those
    with fewer dice."""
    dice, minors = rules(table).naval_dice, table.kit.tables["minors"]
    there = [(owner, kind, n) for owner, kinds in ships(table, place, commander).items() for kind, n in kinds.items()]
    there.sort(
        key=lambda one: (
            one[0] == commander,
            one[0] in minors,
            dice(table, one[1], place) * lost_together(table, one[1]),
        )
    )
    return Force(_of_classes(table, there, lost))


def _default_sink(table: Table, question: Question) -> Order:
    force = cheapest_ships(table, question.power, question.context["place"], question.context["lost"])
    return Sink(fleet=force_value(force, question.power))


def _leaders_of_wiped_out(table: Table, commander: str, place: str) -> None:
    """16.2 step 10: naval leaders of a side without ships left go to the next box of the Turn Track."""
    if not has_ships(table, place, commander):
        sink(table, commander, place, Force({}, naval_leaders(table, place, commander)))


# --- 16.2 step 9: retreat ---


class Retire(Order):
    """Retreat with all your ships to an adjacent position."""

    line = "RETIRE TO {place}"
    place = Position()

    def check(self, table: Table, question: Question) -> None:
        among = retreat_places(table, question.power, question.context["place"])
        if self.place not in among:
            raise Refused("no_place_to_retreat_to", "16.2", list(among), place=self.place)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for place in retreat_places(table, question.power, question.context["place"]):
            yield cls(place=place)


def retreat_places(table: Table, commander: str, place: str) -> list[str]:
    """16.2 step 9: an adjacent own port or zone without enemy ships; from a port a zone of it.

    Where some may enter that others may not (16.1), positions open to all of them go before.
    """
    force = fleet(table, place, commander)
    among = refuges_at_sea(table, commander, place)
    open_to_all = [other for other in among if barred_from(table, force, other).is_empty()]
    return open_to_all or [other for other in among if barred_from(table, force, other).size() < force.size()]


def _default_retreat(table: Table, question: Question) -> Order:
    """A port before a zone."""
    among = retreat_places(table, question.power, question.context["place"])
    return Retire(place=next((place for place in among if place in atlas(table).spaces), among[0]))


def retire(table: Table, commander: str, place: str, *, beaten: bool, section: str = "16.2") -> Procedure:
    """16.2 step 9: a fleet retreats as a whole; without a position it is eliminated. Beaten ships move no more."""
    force = fleet(table, place, commander)
    if not force.size():
        return
    among = retreat_places(table, commander, place)
    where = among[0] if among else None
    if len(among) > 1 and commander in table.board.powers:
        context = {"place": place, "space": place, "strength": force.size(), "action": "naval_combat"}
        order = yield Ask(commander, "retreat", [Retire], _default_retreat, context=context, section=section)
        where = order.place
    force = fleet(table, place, commander)
    if where is None:
        table.tell("no_retreat_at_sea", power=commander, place=place, section=section)
        sink(table, commander, place, force, section)
        return
    going = without(force, barred_from(table, force, where))
    moved = move_fleet(table, commander, going, place, where, why="retreat", section=section)
    sink(table, commander, place, fleet(table, place, commander), section)
    if beaten:
        mark_force(table, BEATEN, where, moved)


def ships_leave(table: Table, space: str, power: str) -> Procedure:
    """12.2: naval units of others leave a port that came under a power's control, as in 16.2 step 9.

    A naval leader without ships has nothing to leave with and waits for the next turn (16.2 step 10).
    """
    for commander in commanders(table, space, with_leaders=True):
        if commander != power:
            yield from retire(table, commander, space, beaten=False, section="12.2")
            sink(table, commander, space, Force({}, naval_leaders(table, space, commander)), "12.2")


def war_at_sea(table: Table, a: str, b: str) -> Procedure:
    """9.6 (Virgin Queen: 9.4): two powers came to war in the Action Phase: their fleets in one sea zone fight at once.

    Who attacks, and whether equal hits beat both, is the game's: `Rules.attacks_at_new_war, new_war_tie_beats_both`.
    """
    attacker = rules(table).attacks_at_new_war(table, a, b)
    defender = b if attacker == a else a
    tie_beats_both = rules(table).new_war_tie_beats_both
    fought = False
    for zone in atlas(table).zones:
        if has_ships(table, zone, attacker) and has_ships(table, zone, defender):
            if fought:
                yield from free_responses(table, table.board.state.get("active") or attacker)
            fought = True
            yield from naval_combat(table, zone, attacker, defender, tie_beats_both=tie_beats_both)


ORDERS = (Engage, Evade, FightAtSea, Sink, Retire)
