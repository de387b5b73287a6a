"""14: field battles; what these, assaults and foreign wars share: dice, hits, losses, captured leaders, retreat."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pbem.games.reformation import displacement
from pbem.games.reformation.choices import cards_of_outsiders, combat_cards
from pbem.games.reformation.forces import (
    LEADER,
    Force,
    ForceField,
    all_of,
    best_battle,
    check_change,
    count_land,
    cut,
    enemy_owners,
    force_value,
    land_owners,
    land_units,
    leader_power,
    leaders_at,
    make_change,
    mark_force,
    marked,
    move_force,
    named_force,
    never_there,
    own_owners,
    present,
    put_leader,
    without,
)
from pbem.games.reformation.ground import (
    controller,
    in_unrest,
    inside,
    is_enemy_space,
    is_fortified,
    is_friendly,
    neighbours,
    siege_of,
    space_of,
)
from pbem.games.reformation.relations import allied, hostile, is_independent, major_of, on_side
from pbem.games.reformation.rules import rules
from pbem.table.asking import Ask, Moment, response
from pbem.table.orders import Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, Question

ATTACKER, DEFENDER = "attacker", "defender"


class More(NamedTuple):
    """Dice that a card adds: how many, from what they hit, and how many hits the highest die is."""

    dice: int
    lowest: int
    of_highest: int = 1


@dataclass
class Side:
    """One side of a battle. `extra` are dice that cards add."""

    power: str
    """The major power, or the inactive minor power or independents, that the side belongs to."""
    place: str
    extra: list[More] = field(default_factory=list)
    fewer: int = 0
    """Dice that a card takes away."""
    dice: int = 0
    hits: int = 0
    bare: int = 0
    """How many of the hits are dice that showed just what always hits."""


@dataclass
class Battle:
    """A battle under way; cards change it. ``kind`` is ``field``, ``assault``, ``foreign_war`` or ``naval``."""

    kind: str
    space: str
    attacker: Side
    defender: Side
    force: Force | None = None
    """The assaulting formation, in an assault; else all of the attacker's land units in the space fight."""
    first: str | None = None
    """Who rolls first and takes effect at once (Surprise Attack); None: both together."""

    def side(self, name: str) -> Side:
        """``attacker`` or ``defender``."""
        return self.attacker if name == ATTACKER else self.defender

    def side_of(self, table: Table, power: str) -> str | None:
        """On which side a major power fights, or None."""
        for name in (ATTACKER, DEFENDER):
            if power in majors(table, self, name):
                return name
        return None


def opponents(table: Table, space: str, power: str) -> list[str]:
    """13.1: the owners whose land units in a space, outside its walls, the power has to fight there.

    Enemies; independents in a space that is independent; in an enemy's space also that enemy's allies.
    """
    board, holder = table.board, controller(table, space)
    enemy_holder = major_of(board, holder) if holder and is_enemy_space(table, space, power) else None
    powers = []
    for owner in land_owners(table, space):
        if on_side(board, power, owner):
            continue
        major = major_of(board, owner)
        if (
            hostile(board, power, owner)
            or (is_independent(table, owner) and holder is not None and is_independent(table, holder))
            or (enemy_holder and major and allied(board, major, enemy_holder))
        ):
            powers.append(owner)
    return powers


def owners(table: Table, battle: Battle, name: str) -> list[str]:
    """The owners with land units on a side."""
    side = battle.side(name)
    if name == ATTACKER:
        return own_owners(table, side.place, side.power)
    if battle.kind == "field":
        return opponents(table, side.place, battle.attacker.power)
    return land_owners(table, side.place)


def majors(table: Table, battle: Battle, name: str) -> list[str]:
    """The major powers that fight on a side, in impulse order."""
    if name == ATTACKER or battle.kind == "naval":
        power = battle.side(name).power
        return [power] if power in table.board.powers else []
    fighting = [major_of(table.board, owner) for owner in owners(table, battle, name)]
    return [power for power in table.board.powers if power in fighting]


def side_leaders(table: Table, battle: Battle, name: str) -> list[str]:
    """The army leaders on a side."""
    side = battle.side(name)
    if name == ATTACKER:
        if battle.force is not None:
            return present(table, side.place, battle.force).leaders
        return leaders_at(table, side.place, side.power)
    if battle.kind != "field":
        return leaders_at(table, side.place)
    fighting = majors(table, battle, name)
    return [leader for power in fighting for leader in leaders_at(table, side.place, power)]


def size(table: Table, battle: Battle, name: str) -> int:
    """How many land units a side has."""
    return count_land(table, battle.side(name).place, owners(table, battle, name))


def base_dice(table: Table, battle: Battle, name: str) -> dict[str, int]:
    """14 steps 2 and 3: one die a unit, the best leader's battle rating, one for the defender: by source."""
    return {
        "units": size(table, battle, name),
        "leader": best_battle(table, side_leaders(table, battle, name)),
        "defender": table.kit.constants["defender_bonus_dice"] if name == DEFENDER else 0,
    }


def roll_side(table: Table, battle: Battle, name: str, dice: Mapping[str, int], what: str, section: str) -> None:
    """Throw the dice of a side, those of cards with them; the hits are added to the side.

    `dice` is how many, by where they come from, which the report tells.
    """
    side, hit_on = battle.side(name), table.kit.constants["hit_on"]
    together = [more for more in side.extra if more.lowest == hit_on and more.of_highest == 1]
    sources = {**dice, "cards": sum(more.dice for more in together), "fewer": -side.fewer}
    roll_more(table, battle, name, max(0, sum(sources.values())), hit_on, what, section, sources=sources)
    for more in side.extra:
        if more not in together:
            roll_more(table, battle, name, more.dice, more.lowest, what, section, of_highest=more.of_highest)


def roll_more(
    table: Table,
    battle: Battle,
    name: str,
    dice: int,
    lowest: int,
    what: str = "battle",
    section: str = "14",
    *,
    sources: Mapping[str, int] | None = None,
    of_highest: int = 1,
) -> int:
    """Throw more dice for a side, hits from a number up; returns the hits, which are added to the side.

    `sources`: how many come from what; else they are those of a card. `of_highest`: the hits of the highest die.
    """
    if dice <= 0:
        return 0
    side = battle.side(name)
    told = {source: number for source, number in (sources or {"cards": dice}).items() if number}
    double = {} if of_highest == 1 else {"of_highest": of_highest}
    thrown = table.roll(
        what, side.power, dice, side=name, space=battle.space, hit_on=lowest, sources=told, section=section, **double
    )
    highest = table.kit.constants["die_sides"]
    hits = sum(of_highest if die == highest else 1 for die in thrown if die >= lowest)
    side.dice += dice
    side.hits += hits
    side.bare += sum(1 for die in thrown if die == table.kit.constants["hit_on"])
    return hits


def field_battle(
    table: Table,
    power: str,
    space: str,
    came_from: str | None,
    *,
    joined: Force | None = None,
    relieving: Force | None = None,
) -> Procedure:
    """14: a field battle of the active power in a space against all its opponents there. Value: who won.

    `came_from` is the space that the formation entered from, None for a landing; `joined` is what came out of the
    walls to fight with a relief force (15.2), `relieving`; both None otherwise.
    """
    defender = _leading(table, opponents(table, space, power))
    battle = Battle("field", space, Side(power, space), Side(defender, space))
    besieged = siege_of(table, space) is not None
    table.tell("field_battle", space=space, attacker=power, defender=defender, section="14")
    # 1: Landsknechts and Swiss Mercenaries, the attacker first
    for one in (power, *majors(table, battle, DEFENDER)):
        yield from response(table, Moment("field_battle", power, {"battle": battle}), [one], section="14", space=space)
    if _called_off(table, power, space, besieged):
        return ATTACKER
    if not size(table, battle, ATTACKER) or not size(table, battle, DEFENDER):
        # A card took all that there was of a side: nobody is left to fight.
        _capture_wiped_out(table, battle, majors(table, battle, DEFENDER))
        return ATTACKER if size(table, battle, ATTACKER) else DEFENDER
    # Who fights is settled before cards and hits take anybody away.
    beaten_majors = majors(table, battle, DEFENDER)
    # 4 and 5: combat cards
    for name in (ATTACKER, DEFENDER):
        for one in majors(table, battle, name):
            moment = Moment("field_battle_cards", power, {"battle": battle, "side": name})
            yield from combat_cards(table, one, moment, section="14", space=space, side=name)
    yield from cards_of_outsiders(table, power, battle, section="14", space=space)
    if _called_off(table, power, space, besieged):
        return ATTACKER
    # 2, 3 and 6: the dice as they are after the cards
    lost: dict[str, int] = {ATTACKER: 0, DEFENDER: 0}
    if battle.first:
        yield from _surprise(table, battle, lost)
    else:
        counts = {name: base_dice(table, battle, name) for name in (ATTACKER, DEFENDER)}
        for name, dice in counts.items():
            roll_side(table, battle, name, dice, "field_battle", "14")
    # 7: Janissaries
    yield from response(
        table, Moment("field_battle_rolled", power, {"battle": battle}), kind="after_dice", section="14", space=space
    )
    # 8: the winner
    winner = ATTACKER if battle.attacker.hits > battle.defender.hits else DEFENDER
    table.tell(
        "battle_won",
        space=space,
        winner=battle.side(winner).power,
        attacker_hits=battle.attacker.hits,
        defender_hits=battle.defender.hits,
        section="14",
    )
    # 9: losses
    due = _losses(table, battle, lost)
    attackers, defenders = owners(table, battle, ATTACKER), owners(table, battle, DEFENDER)
    losses = {ATTACKER: (space, attackers, due[ATTACKER]), DEFENDER: (space, defenders, due[DEFENDER])}
    yield from take_losses(table, losses)
    make_change(table, space)
    # 10: leaders of a side that is wiped out
    _capture_wiped_out(table, battle, beaten_majors)
    # 11: retreat
    if winner == ATTACKER:
        yield from _defenders_retreat(table, battle, came_from, beaten_majors, defenders)
    else:
        yield from _attacker_retreats(table, battle, came_from, joined, relieving)
    return winner


def _called_off(table: Table, power: str, space: str, besieged: bool) -> bool:
    """15.3: a card took so many besiegers away that the siege is broken: they have retreated, and nobody fights."""
    return besieged and siege_of(table, space) is None and not opponents(table, space, power)


def _leading(table: Table, fighting: Sequence[str]) -> str:
    """Whom a defending side is called by: its first major power, else its first owner."""
    for owner in fighting:
        major = major_of(table.board, owner)
        if major:
            return major
    return fighting[0]


def _surprise(table: Table, battle: Battle, lost: dict[str, int]) -> Procedure:
    """Card 29: one side rolls first, its hits are taken at once, then the other side's dice are counted."""
    assert battle.first is not None
    first, second = battle.first, DEFENDER if battle.first == ATTACKER else ATTACKER
    roll_side(table, battle, first, base_dice(table, battle, first), "field_battle", "14")
    side = battle.side(second)
    there = owners(table, battle, second)
    number = min(battle.side(first).hits, count_land(table, side.place, there))
    lost[second] = number
    yield from take_losses(table, {second: (side.place, there, number)})
    if size(table, battle, second):
        roll_side(table, battle, second, base_dice(table, battle, second), "field_battle", "14")


def _losses(table: Table, battle: Battle, lost: dict[str, int]) -> dict[str, int]:
    """14 step 9: a unit a hit; if both sides were wiped out, one keeps a unit: more dice, else the defender."""
    there = {name: size(table, battle, name) for name in (ATTACKER, DEFENDER)}
    due = {
        ATTACKER: min(there[ATTACKER], battle.defender.hits - lost[ATTACKER]),
        DEFENDER: min(there[DEFENDER], battle.attacker.hits - lost[DEFENDER]),
    }
    if all(due[name] == there[name] for name in due) and all(there[name] for name in there):
        keeps = ATTACKER if battle.attacker.dice > battle.defender.dice else DEFENDER
        due[keeps] -= 1
    return due


# --- losses ---


class Lose(Order):
    """Say which of your units are lost."""

    line = "LOSE {force}"
    force = ForceField()

    def check(self, table: Table, question: Question) -> None:
        place, number = question.context["place"], question.context["number"]
        force = named_force(table, question.power, place, self.force)
        if self.force.get("all") or force.leaders:
            raise Refused("losses_without_leaders", "14")
        if force.size() != number:
            raise Refused("other_number_lost", "14", number=number, named=force.size())
        if without(force, all_of(table, place, question.power)).size():
            raise Refused("not_so_many_there", "14", space=space_of(place))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        """The default, then all that could be lost instead."""
        force = cheapest(table, question)
        yield cls(force=force_value(force, question.power))
        there = _by_worth(table, question)
        for numbers in shared_out([number for _, _, number in there], question.context["number"]):
            other = Force()
            for (owner, kind, _), number in zip(there, numbers, strict=True):
                if number:
                    other.units.setdefault(owner, {})[kind] = number
            if other != force:
                yield cls(force=force_value(other, question.power))

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        everything = all_of(table, question.context["place"], question.power)
        units = [(o, k) for o, kinds in everything.units.items() for k, n in kinds.items() for _ in range(n)]
        force = Force()
        for owner, kind in chance.sample(units, question.context["number"]):
            of = force.units.setdefault(owner, {})
            of[kind] = of.get(kind, 0) + 1
        return cls(force=force_value(force, question.power))


def cheapest(table: Table, question: Question) -> Force:
    """The default: mercenaries, then cavalry, then units of minor powers, then own regulars."""
    left, force = question.context["number"], Force()
    for owner, kind, number in _by_worth(table, question):
        take = min(left, number)
        if take:
            force.units.setdefault(owner, {})[kind] = take
            left -= take
    return force


def _by_worth(table: Table, question: Question) -> list[tuple[str, str, int]]:
    """``(owner, kind, number)`` of the units that may be lost, those that are missed least first."""
    parameters = rules(table)
    everything = all_of(table, question.context["place"], question.power)
    order = {parameters.mercenary_kind: 0, parameters.cavalry_kind: 1}
    return sorted(
        ((owner, kind, number) for owner, kinds in everything.units.items() for kind, number in kinds.items()),
        key=lambda entry: (order.get(entry[1], 2 if entry[0] != question.power else 3), entry[0]),
    )


def shared_out(there: Sequence[int], number: int) -> Iterator[list[int]]:
    """All ways to take a number of things from heaps: first, for each heap, one that takes as many as can be from it,
    so that a list that is cut short shows how many of each can be taken."""
    firsts = []
    for place in range(len(there)):
        left, way = number, [0] * len(there)
        for heap in (place, *(other for other in range(len(there)) if other != place)):
            way[heap] = min(there[heap], left)
            left -= way[heap]
        if not left and way not in firsts:
            firsts.append(way)
    yield from firsts
    yield from (way for way in _taken(there, number) if way not in firsts)


def _taken(there: Sequence[int], number: int) -> Iterator[list[int]]:
    if not there:
        if not number:
            yield []
        return
    for take in range(min(there[0], number), max(0, number - sum(there[1:])) - 1, -1):
        for others in _taken(there[1:], number - take):
            yield [take, *others]


def _default_losses(table: Table, question: Question) -> Order:
    return Lose(force=force_value(cheapest(table, question), question.power))


def take_losses(table: Table, losses: dict[str, tuple[str, list[str], int]]) -> Procedure:
    """14 step 9, 9.2: each side (name -> place, owners, number) loses units; owners choose, all at once.

    Two allied major powers share evenly; an odd one falls on one of them by lot.
    """
    questions: list[Ask] = []
    for place, there, number in losses.values():
        for owner, share in _shares(table, place, there, number):
            if owner not in table.board.powers:
                _remove(table, place, Force(cut({owner: land_units(table, place, owner)}, share)))
                continue
            mine = all_of(table, place, owner)
            if share >= mine.size() or sum(len(kinds) for kinds in mine.units.values()) == 1:
                _remove(table, place, Force(cut(mine.units, share)))
            elif share:
                context = {"place": place, "space": space_of(place), "number": share, "strength": mine.size()}
                questions.append(Ask(owner, "losses", [Lose], _default_losses, context=context, section="14"))
    if not questions:
        return
    answers = yield AllOf(questions)
    for question in questions:
        place = question.context["place"]
        _remove(table, place, named_force(table, question.power, place, answers[question.key].force))


def _shares(table: Table, place: str, there: Sequence[str], number: int) -> list[tuple[str, int]]:
    """How losses fall on the groups of a side: major powers with their minors, and owners without a major power."""
    groups: dict[str, int] = {}
    for owner in there:
        group = major_of(table.board, owner) or owner
        groups[group] = groups.get(group, 0) + count_land(table, place, [owner])
    shares = dict.fromkeys(groups, 0)
    left = min(number, sum(groups.values()))
    while left:
        open_groups = [group for group in groups if shares[group] < groups[group]]
        if left >= len(open_groups):
            each = min(left // len(open_groups), min(groups[g] - shares[g] for g in open_groups))
            for group in open_groups:
                shares[group] += each
            left -= each * len(open_groups)
        else:
            # 9.2: what cannot be shared falls on a power by lot.
            group = table.pick("odd_loss", open_groups, section="9.2")
            shares[group] += 1
            left -= 1
    return list(shares.items())


def _remove(table: Table, place: str, force: Force) -> None:
    for owner, kinds in present(table, place, force).units.items():
        for kind, number in kinds.items():
            table.remove(owner, kind, place, number, why="loss", section="14")


# --- leaders ---


def capture(table: Table, leader: str, captor: str | None, section: str = "14") -> None:
    """A leader is captured: on the power card of a major power, to come back by peace or ransom (9.3, 9.4).

    An army without a major power takes no prisoners: the leader goes to a refuge of his own (a reading, the books are
    silent).
    """
    if captor is None:
        at = space_of(table.board.pieces[LEADER + leader]["at"])
        whose = leader_power(table, leader)
        where = displacement.refuges(table, major_of(table.board, whose) or whose, at)
        waits = rules(table).stranded_leader(table, major_of(table.board, whose) or whose) or "off"
        refuge = where[0] if where else waits
        put_leader(table, leader, refuge, why="leader_lost", section=section)
        return
    put_leader(table, leader, f"captured:{captor}", why="captured", section=section)
    table.tell("captured", leader=leader, by=captor, section=section)


def capture_lone_leaders(table: Table, space: str, power: str) -> None:
    """13.1: enemy leaders alone in an unfortified space that land units of the power enter are captured.

    Beside units of an ally a leader is not alone.
    """
    if is_fortified(table, space):
        return
    for leader in leaders_at(table, space):
        whose = leader_power(table, leader)
        if not hostile(table.board, power, whose):
            continue
        major = major_of(table.board, whose) or whose
        if not any(on_side(table.board, major, owner) or owner == whose for owner in land_owners(table, space)):
            capture(table, leader, power, "13.1")


def _capture_wiped_out(table: Table, battle: Battle, beaten_majors: Sequence[str]) -> None:
    """14 step 10: the leaders of a side that is wiped out; one whose allies fight on stays with them."""
    space = battle.space
    if not size(table, battle, ATTACKER):
        captor = captor_of(table, space, beaten_majors)
        for leader in leaders_at(table, space, battle.attacker.power):
            capture(table, leader, captor)
    if not size(table, battle, DEFENDER):
        for power in beaten_majors:
            for leader in leaders_at(table, space, power):
                capture(table, leader, battle.attacker.power)


def captor_of(table: Table, space: str, defenders: Sequence[str]) -> str | None:
    """14: which of several major powers that defended together takes the captives (option `joint_defence_captor`)."""
    reading = table.options.get("joint_defence_captor")
    if reading is None:
        return defenders[0] if defenders else None
    holder = controller(table, space)
    major = major_of(table.board, holder) if holder else None
    if reading == "controller" and major in defenders:
        return major
    return next((power for power in table.board.powers if power in defenders), None)


# --- 14.1: retreat ---


class Retreat(Order):
    """Retreat to an adjacent space; part may go within the walls where the rules allow it."""

    line = "RETREAT [TO {space}] [INSIDE {force}]"
    space = Name("space", optional=True)
    force = ForceField(optional=True)

    def check(self, table: Table, question: Question) -> None:
        context = question.context
        place, power = context["place"], question.power
        everything = all_of(table, place, power)
        going_in = named_force(table, power, place, self.force) if self.force else Force()
        _check_inside(table, question, going_in, everything)
        rest = without(everything, going_in)
        offered = question.among(table) if isinstance(question, Ask) and question.among else ()
        if self.space is None:
            if not rest.is_empty() and offered:
                raise Refused("retreat_where", "14.1", list(offered))
        elif self.space not in offered:
            raise Refused("no_space_to_retreat_to", "14.1", list(offered), space=self.space)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        power, place = question.power, question.context["place"]
        offered = list(question.among(table)) if isinstance(question, Ask) and question.among else []
        going_in = best_inside(table, question)
        choices: list[Any] = [None] if going_in.is_empty() else [force_value(going_in, power), None]
        everything = all_of(table, place, power)
        for value in choices:
            rest = without(everything, going_in) if value else everything
            if rest.is_empty() or not offered:
                yield cls(force=value)
            else:
                for space in offered:
                    yield cls(space=space, force=value)


def _check_inside(table: Table, question: Question, going_in: Force, everything: Force) -> None:
    most = question.context["inside_most"]
    if going_in.is_empty():
        return
    if most is None:
        raise Refused("nothing_within_walls", "14.1")
    if going_in.size() > most:
        raise Refused("too_many_within_walls", "14.1", most=most)
    if without(going_in, everything).size() or any(one not in everything.leaders for one in going_in.leaders):
        raise Refused("not_all_of_these_there", "14.1", space=space_of(question.context["place"]))
    place = question.context["place"]
    check_change(table, going_in, place, inside(place))
    allowed = question.context.get("inside_only")
    if allowed is not None:
        may = Force.from_json(allowed)
        if without(going_in, may).size() or any(one not in may.leaders for one in going_in.leaders):
            raise Refused("not_back_within_walls", "15.2")


def best_inside(table: Table, question: Question) -> Force:
    """As many as may go within the walls, leaders with them."""
    context = question.context
    if context["inside_most"] is None:
        return Force()
    everything = all_of(table, context["place"], question.power)
    if context.get("inside_only") is not None:
        everything = without(everything, without(everything, Force.from_json(context["inside_only"])))
    for most in range(min(context["inside_most"], everything.size()), -1, -1):
        force = Force(cut(everything.units, most), everything.leaders)
        try:
            check_change(table, force, context["place"], inside(context["place"]))
        except Refused:
            continue
        return force
    return Force()


def _default_retreat(table: Table, question: Question) -> Order:
    return next(Retreat.legal(table, question))


def retreat_spaces(
    table: Table, power: str, space: str, *, not_to: str | None = None, avoiding: bool = False
) -> list[str]:
    """14.1, 13.3: the adjacent spaces that a power's units may retreat to, or (`avoiding`) avoid a battle to."""
    near = neighbours(table, space, power, listed=avoiding)
    return [other for other in near if other != not_to and is_refuge(table, power, other)]


def broken_siege_spaces(table: Table, power: str, space: str) -> list[str]:
    """15.3: where besiegers go whose siege is broken; by `siege_retreat_only_to_own` neutral units bar a space."""
    only_own = rules(table).siege_retreat_only_to_own
    return [
        other
        for other in retreat_spaces(table, power, space)
        if not only_own or all(on_side(table.board, power, owner) for owner in land_owners(table, other))
    ]


def is_refuge(table: Table, power: str, space: str) -> bool:
    """Whether a space is the power's or an ally's, calm, open to it, without enemy units."""
    return (
        is_friendly(table, space, power)
        and not in_unrest(table, space)
        and rules(table).space_open(table, power, space)
        and not enemy_owners(table, space, power)
        and not enemy_owners(table, inside(space), power)
    )


def retreat(
    table: Table,
    power: str,
    space: str,
    among: list[str],
    captor: str | None,
    *,
    inside_most: int | None = None,
    inside_only: Force | None = None,
    relieving: Force | None = None,
    kind: str = "retreat",
    beaten: bool = True,
) -> Procedure:
    """14.1, 15.3: all of a power's land units and leaders in a space retreat; those without a space are destroyed.

    `among` are the spaces that are legal as the rules of the case say; `inside_most` how many units may go within the
    walls (None: none), `inside_only` which. `relieving`: the relief force (15.2); where none of its units can be among
    those that retreat, its leaders are captured. The owner is asked only where there is something to choose.
    """
    everything = all_of(table, space, power)
    if everything.is_empty():
        return
    spaces = list(among)

    def still_open(table: Table) -> list[str]:
        there = all_of(table, space, power)
        return [
            one
            for one in spaces
            if is_refuge(table, power, one) and not without(there, never_there(table, there, one)).is_empty()
        ]

    question = Ask(
        power,
        kind,
        [Retreat],
        _default_retreat,
        context={
            "place": space,
            "space": space,
            "strength": everything.size(),
            "inside_most": inside_most,
            **({"inside_only": inside_only.to_json()} if inside_only is not None else {}),
        },
        section="14.1",
        among=still_open,
    )
    choices = list(Retreat.legal(table, question))
    order: Retreat = choices[0] if len(choices) == 1 else (yield question)
    going_in = present(table, space, named_force(table, power, space, order.force)) if order.force else Force()
    if not going_in.is_empty():
        already = marked(table, "beaten", space)
        moved = move_force(table, going_in, space, inside(space), why="retreat", section="14.1")
        if beaten:
            mark_force(table, "beaten", inside(space), without(moved, already))
    if relieving is not None:
        _capture_relief(table, power, space, relieving, captor)
    rest = all_of(table, space, power)
    if rest.is_empty():
        return
    if order.space is None:
        destroy(table, power, space, captor)
        return
    already = marked(table, "beaten", space)
    rest = without(rest, never_there(table, rest, order.space))
    moved = move_force(table, rest, space, order.space, why="retreat", section="14.1")
    destroy(table, power, space, captor)
    if beaten:
        mark_force(table, "beaten", order.space, without(moved, already))
    make_change(table, order.space, inside(space))
    capture_lone_leaders(table, order.space, power)
    yield from rules(table).entered(table, power, moved, order.space)


def _capture_relief(table: Table, power: str, space: str, relieving: Force, captor: str | None) -> None:
    """15.2: a relief force none of whose units is left. Of units that look alike the garrison's went within first."""
    rest = all_of(table, space, power)
    alive = any(
        number and rest.units.get(owner, {}).get(kind)
        for owner, kinds in relieving.units.items()
        for kind, number in kinds.items()
    )
    for leader in rest.leaders:
        if leader in relieving.leaders and not alive:
            capture(table, leader, captor, "15.2")


def destroy(table: Table, power: str, space: str, captor: str | None) -> None:
    """14.1: units without a legal retreat are eliminated, their leaders captured."""
    rest = all_of(table, space, power)
    for owner, kinds in rest.units.items():
        for kind, number in kinds.items():
            table.remove(owner, kind, space, number, why="no_retreat", section="14.1")
    for leader in rest.leaders:
        capture(table, leader, captor, "14.1")


def _defenders_retreat(
    table: Table, battle: Battle, came_from: str | None, beaten: Sequence[str], fighting: Sequence[str]
) -> Procedure:
    """14.1: beaten defenders; the one who controls a fortified space may leave up to four units within the walls."""
    space, winner = battle.space, battle.attacker.power
    holder = controller(table, space)
    limit = table.kit.constants["garrison_limit"]
    for owner in fighting:
        if major_of(table.board, owner) is None:
            _hold_or_die(table, space, owner, limit)
    for power in beaten:
        holds = is_fortified(table, space) and holder is not None and major_of(table.board, holder) == power
        room = limit - count_land(table, inside(space), land_owners(table, inside(space)))
        among = retreat_spaces(table, power, space, not_to=came_from)
        yield from retreat(table, power, space, among, winner, inside_most=max(0, room) if holds else None)


def _hold_or_die(table: Table, space: str, owner: str, limit: int) -> None:
    """22.1, 22.6: inactive minor powers and independents keep up to four units within the walls, the rest die."""
    holder = controller(table, space)
    keeps = is_fortified(table, space) and (
        holder == owner or (holder is not None and is_independent(table, holder) and is_independent(table, owner))
    )
    units = land_units(table, space, owner)
    stay = cut({owner: units}, limit).get(owner, {}) if keeps else {}
    for kind, number in units.items():
        table.move(owner, kind, stay.get(kind, 0), space, inside(space), why="retreat", section="22.1")
        table.remove(owner, kind, space, number - stay.get(kind, 0), why="no_retreat", section="22.1")


def _attacker_retreats(
    table: Table, battle: Battle, came_from: str | None, joined: Force | None, relieving: Force | None
) -> Procedure:
    """14.1: the beaten active power goes back to where it came from; 15.2: a relief force may go within the walls.

    16.3: of a relief that came over sea only those who began within may, with equal hits too: what was carried is lost.
    With fewer hits the leaders of a relief force all of whose units are lost are captured, though the garrison lives.
    """
    space, power = battle.space, battle.attacker.power
    captor = captor_of(table, space, majors(table, battle, DEFENDER)) or (
        battle.defender.power if battle.defender.power in table.board.powers else None
    )
    if all_of(table, space, power).is_empty():
        return
    among = [came_from] if came_from and is_refuge(table, power, came_from) else []
    if not among and came_from and table.options.get("origin_closed") == "nearest":
        among = displacement.refuges(table, power, space, capital=False)
    if joined is None:
        yield from retreat(table, power, space, among, captor)
        return
    room = table.kit.constants["garrison_limit"] - count_land(table, inside(space), land_owners(table, inside(space)))
    equal = battle.attacker.hits == battle.defender.hits and came_from is not None
    yield from retreat(
        table,
        power,
        space,
        among,
        captor,
        inside_most=max(0, room),
        inside_only=None if equal else joined,
        relieving=None if equal else relieving,
        kind="relief",
    )


ORDERS = (Lose, Retreat)
