"""19.3 (Virgin Queen: 20.4): land units go to fortified spaces for the winter. All powers say at once where theirs go.

A `Way` is one stack on its way: units and leaders, from where, to where, and what of it is lost. Units that their power
does not name go by themselves: the fewest lost first, a nearest fortified space before a capital.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.games.reformation import forces
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import (
    LEADER,
    Force,
    ForceField,
    all_of,
    count_land,
    cut,
    force_value,
    land_owners,
    leader_power,
    move_force,
    named_force,
    own_owners,
    present,
    put_leader,
    without,
)
from pbem.games.reformation.ground import (
    besieged,
    controller,
    in_unrest,
    is_fortified,
    is_friendly,
    is_home,
    kind_of,
    space_of,
    steps_from,
)
from pbem.games.reformation.ground import capitals as capitals_of
from pbem.games.reformation.relations import hostile, minors_of
from pbem.games.reformation.rules import rules
from pbem.games.reformation.siege import lift_siege
from pbem.table.asking import Ask, Pass
from pbem.table.orders import Many, Name, Order, Refused
from pbem.table.procedure import Procedure, Table, while_unchanged
from pbem.table.questions import AllOf, Question

# --- where units may go ---


def owners_of(table: Table, force: Force) -> list[str]:
    """The owners of the units and leaders of a force."""
    owners = [owner for owner, kinds in force.units.items() if sum(kinds.values())]
    return list(dict.fromkeys([*owners, *(leader_power(table, leader) for leader in force.leaders)]))


def serves(table: Table, power: str, space: str, owner: str) -> bool:
    """Whether a space is a capital under the power's own control for units of an owner: they neither leave nor overfill
    it."""
    return is_capital(table, power, space) and rules(table).capital_serves(table, space, owner)


def groups_of(table: Table, power: str, force: Force) -> list[Force]:
    """A force in groups, each of those owners whom the same capitals serve and the same spaces take in; leaders in the
    group of their owner."""
    groups: dict[tuple[str, ...], Force] = {}
    for owner in owners_of(table, force):
        serve = tuple(c for c in capitals_of(table, power) if rules(table).capital_serves(table, c, owner))
        serve += tuple(space for space in forts(table, power) if not rules(table).shelters(table, owner, space))
        group = groups.setdefault(serve, Force())
        if owner in force.units:
            group.units[owner] = force.units[owner]
        group.leaders += [leader for leader in force.leaders if leader_power(table, leader) == owner]
    return list(groups.values())


def by_distance(table: Table, power: str, force: Force) -> bool:
    """Exception 1: whether all of a force, having no capital to go to, goes on to the nearest space with room."""
    owners = owners_of(table, force) or [power]
    return all(rules(table).winters_by_distance(table, power, owner) for owner in owners)


def capitals(table: Table, power: str, force: Force | None = None) -> list[str]:
    """The capitals that units may go to: not those in enemy hands; those of others by option (Q-17); of a force, those
    that serve all its owners."""
    spaces = []
    owners = owners_of(table, force) if force else []
    for capital in capitals_of(table, power):
        if not all(rules(table).capital_serves(table, capital, owner) for owner in owners):
            continue
        holder = controller(table, capital)
        neutral = holder is not None and not hostile(table.board, power, holder)
        if holder == power or (neutral and table.options["capital_in_neutral_hands"] == "open"):
            spaces.append(capital)
    return spaces


def minor_keys(table: Table, power: str, force: Force) -> list[str]:
    """22.3: units of one active minor power alone may take a home key of it for a capital."""
    owners = [owner for owner, kinds in force.units.items() if sum(kinds.values())]
    if len(owners) != 1 or owners[0] not in minors_of(table.board, power) or owners[0] not in atlas(table).minors:
        return []
    return [
        space
        for space in atlas(table).homes[owners[0]]
        if kind_of(table, space) == "key" and controller(table, space) == power
    ]


@while_unchanged
def forts(table: Table, power: str) -> tuple[str, ...]:
    """The fortified spaces that a power controls, those under siege too."""
    return tuple(
        space
        for space in atlas(table).spaces
        if controller(table, space) == power
        and is_fortified(table, space)
        and rules(table).space_open(table, power, space)
    )


def forts_for(table: Table, power: str, force: Force) -> list[str]:
    """Those of the fortified spaces that a power controls which take in all owners of a force."""
    owners = owners_of(table, force)
    return [
        space for space in forts(table, power) if all(rules(table).shelters(table, owner, space) for owner in owners)
    ]


@while_unchanged
def distances(table: Table, power: str, start: str) -> Mapping[str, int]:
    """How far places are, whoever controls the way; only through spaces that are open to the power (21.6, 21.1)."""
    zones = atlas(table).sea

    def passable(place: str) -> bool:
        return place in zones or rules(table).space_open(table, power, place)

    return steps_from(table, start, passable, power=power)


def is_clear(table: Table, power: str, start: str, end: str) -> bool:
    """Whether there is a way all of whose spaces but the first are friendly and calm; enemy units do not matter."""
    return end in _clear_of(table, power, start)


@while_unchanged
def _clear_of(table: Table, power: str, start: str) -> Mapping[str, int]:
    """The places that a clear way leads to."""
    zones = atlas(table).sea

    def passable(place: str) -> bool:
        return place in zones or (
            is_friendly(table, place, power)
            and not in_unrest(table, place)
            and rules(table).space_open(table, power, place)
        )

    return steps_from(table, start, passable, power=power, listed=False)


def must_leave(table: Table, power: str, space: str) -> bool:
    """Whether units of a power in a space have to leave it (step 2)."""
    return not is_fortified(table, space) or controller(table, space) != power


def is_capital(table: Table, power: str, space: str) -> bool:
    """Whether a space is a capital under own control, which units neither leave nor overfill."""
    return space in capitals_of(table, power) and controller(table, space) == power


def nearest_forts(table: Table, power: str, start: str, among: Sequence[str]) -> list[str]:
    """Those of some spaces that are nearest to a space."""
    steps = distances(table, power, start)
    reached = [space for space in among if space in steps and space != start]
    least = min((steps[space] for space in reached), default=0)
    return [space for space in reached if steps[space] == least]


def homebound(table: Table, space: str, power: str) -> Force:
    """What of a power's in a space goes home in winter: all but units that never move then (`Rules.never_winters`)."""
    force = all_of(table, space, power)
    staying = rules(table).never_winters
    return Force({owner: kinds for owner, kinds in force.units.items() if owner not in staying}, force.leaders)


def bases(table: Table, power: str) -> list[str]:
    """The spaces with land units or army leaders of a power that winter can move, capitals under own control left out.

    21.6: before the Schmalkaldic League the Protestant's units do not move. They stay in the electorates, whoever
    controls these: the League gives its leaders to stacks there, and only then empties the Catholic electorates.
    """
    if rules(table).may_fight(table, power) is not None:
        return []
    return [
        space
        for space in forces.bases(table, power)
        if not all(serves(table, power, space, owner) for owner in owners_of(table, homebound(table, space, power)))
    ]


# --- ways ---


@dataclass
class Way:
    """A stack on its way home. `lost` is what attrition takes of it."""

    force: Force
    origin: str
    space: str | None
    """None: nowhere, the units are eliminated."""
    lost: Force = field(default_factory=Force)


def attrition(table: Table, power: str, way: Way) -> int:
    """How many units a stack loses: half of them, rounded up, if its way is not clear."""
    if way.space is None or is_clear(table, power, way.origin, way.space):
        return 0
    divisor = table.kit.constants["winter_attrition_divisor"]
    return (way.force.size() + divisor - 1) // divisor


def least_worth(table: Table, power: str, force: Force, number: int) -> Force:
    """The units that silence gives up: mercenaries, cavalry, units of minor powers, own regulars."""
    parameters = rules(table)
    order = {parameters.mercenary_kind: 0, parameters.cavalry_kind: 1}
    ranked = sorted(
        ((owner, kind) for owner, kinds in force.units.items() for kind in kinds),
        key=lambda entry: (order.get(entry[1], 2 if entry[0] != power else 3), entry),
    )
    taken: dict[str, dict[str, int]] = {}
    for owner, kind in ranked:
        take = min(number, force.units[owner][kind])
        if take:
            taken.setdefault(owner, {})[kind] = take
            number -= take
    return Force(taken)


@dataclass
class Plan:
    """What a power's units do: ways named by it, and those that follow from the rules."""

    table: Table
    power: str
    ways: list[Way] = field(default_factory=list)

    def arriving(self, space: str) -> int:
        """How many units that count against the limit arrive at a space."""
        return sum(self._counted(space, without(way.force, way.lost)) for way in self.ways if way.space == space)

    def leaving(self, space: str) -> Force:
        """What leaves a space."""
        gone = Force()
        for way in self.ways:
            if way.origin == space:
                gone = joined(gone, way.force)
        return gone

    def left(self, space: str) -> Force:
        """What of the power's stays in a space so far."""
        return without(homebound(self.table, space, self.power), self.leaving(space))

    def staying(self, space: str) -> int:
        """How many units that count against the limit stay in a space."""
        return 0 if must_leave(self.table, self.power, space) else self._counted(space, self.left(space))

    def _counted(self, space: str, force: Force) -> int:
        """22.3: units in their capital do not count, nor those of a minor power in a home key of their own."""
        return sum(
            sum(kinds.values())
            for owner, kinds in force.units.items()
            if not serves(self.table, self.power, space, owner)
            and not (space in atlas(self.table).keys and self._is_minors_home(space, owner))
        )

    def _is_minors_home(self, space: str, owner: str) -> bool:
        """Whether a space is a home of an owner that is a minor power (no faction of the power itself)."""
        return owner in atlas(self.table).minors and is_home(self.table, space, owner)

    def room(self, space: str, force: Force | None = None) -> int | None:
        """How many units more, of the owners of a force, a fortified space takes; None where there is no limit."""
        owners = (owners_of(self.table, force) if force else []) or [self.power]
        if all(serves(self.table, self.power, space, owner) for owner in owners):
            return None
        limit = self.table.kit.constants["winter_stack_limit"]
        return max(0, limit - min(limit, self.staying(space)) - self.arriving(space))

    def add(self, force: Force, origin: str, space: str | None, lost: Force | None = None) -> None:
        """Put a way into the plan, with its losses; what goes between the same two spaces is one stack."""
        way = next((one for one in self.ways if (one.origin, one.space) == (origin, space)), None)
        if way is None:
            way = Way(Force(), origin, space)
            self.ways.append(way)
        named = joined(way.lost, lost or Force())
        way.force = joined(way.force, force)
        more = max(0, attrition(self.table, self.power, way) - named.size())
        way.lost = joined(named, least_worth(self.table, self.power, without(way.force, named), more))

    # what follows from the rules

    def complete(self) -> None:
        """Step 1, the stacks too large; step 2, the units outside; step 3, the leaders."""
        spaces = bases(self.table, self.power)
        for space in spaces:
            if not must_leave(self.table, self.power, space):
                self._excess_leaves(space)
        for space in spaces:
            if must_leave(self.table, self.power, space):
                for group in groups_of(self.table, self.power, Force(self.left(space).units)):
                    self._all_leave(space, list(group.units))
        for space in spaces:
            self._leaders_follow(space)

    def _excess_leaves(self, space: str) -> None:
        limit = self.table.kit.constants["winter_stack_limit"]
        excess = self.staying(space) - limit
        if excess > 0:
            stack = Force(
                {
                    owner: kinds
                    for owner, kinds in self.left(space).units.items()
                    if not self._is_minors_home(space, owner)
                    and not serves(self.table, self.power, space, owner)
                }
            )
            for going in groups_of(self.table, self.power, least_worth(self.table, self.power, stack, excess)):
                if by_distance(self.table, self.power, going):
                    self._go_on(space, going)
                else:
                    self.add(going, space, self._best_capital(space, going))

    def _go_on(self, space: str, going: Force) -> None:
        """Exception 1: without a capital the Protestant excess goes to the nearest fortified spaces with room."""
        while going.size():
            target = next(iter(self._targets(space, going)), None)
            most = going.size() if target is None else self._may_set_out(space, target, going)
            part = Force(cut(going.units, most))
            self.add(part, space, target)
            going = without(going, part)

    def _may_set_out(self, origin: str, target: str, force: Force) -> int:
        """How many of a stack may go to a space: as many as it has room for when half of them are lost on the way."""
        number = force.size()
        room = self.room(target, force)
        if room is None or not room or is_clear(self.table, self.power, origin, target):
            return number if room is None else min(room, number)
        before = sum(way.force.size() for way in self.ways if (way.origin, way.space) == (origin, target))
        divisor = self.table.kit.constants["winter_attrition_divisor"]
        # Of all that go there together one in so many arrives, rounded down.
        return min(number, divisor * (room + before // divisor) + divisor - 1 - before)

    def _best_capital(self, origin: str, force: Force) -> str | None:
        steps = distances(self.table, self.power, origin)
        reached = [capital for capital in capitals(self.table, self.power, force) if capital in steps]
        reached.sort(key=lambda c: (not is_clear(self.table, self.power, origin, c), steps[c]))
        return next(iter(reached), None)

    def _all_leave(self, space: str, owners: Sequence[str]) -> None:
        def those_left() -> Force:
            return Force({owner: kinds for owner, kinds in self.left(space).units.items() if owner in owners})

        while those_left().size():
            rest = those_left()
            for target in self._targets(space, rest):
                most = self._may_set_out(space, target, rest)
                if most:
                    self.add(Force(cut(rest.units, most)), space, target)
                    break
            else:
                self.add(rest, space, None)

    def _targets(self, origin: str, force: Force) -> list[str]:
        """Where a stack may go, the way that silence takes first."""

        def worse(space: str) -> tuple[bool, bool]:
            lost = any(not rules(self.table).leader_may_be(self.table, leader, space) for leader in force.leaders)
            return lost, not is_clear(self.table, self.power, origin, space)

        if by_distance(self.table, self.power, force):
            open_forts = [space for space in forts_for(self.table, self.power, force) if self.room(space, force)]
            targets = nearest_forts(self.table, self.power, origin, open_forts)
            return sorted(targets, key=worse)
        targets = nearest_forts(self.table, self.power, origin, forts_for(self.table, self.power, force))
        best = self._best_capital(origin, force)
        others = (best, *minor_keys(self.table, self.power, force))
        targets += [space for space in others if space and space not in targets]
        return sorted(targets, key=worse)

    def _leaders_follow(self, space: str) -> None:
        left = self.left(space)
        if left.size() or not left.leaders:
            return
        with_units = [way for way in self.ways if way.origin == space and way.force.size() and way.space]
        if with_units:
            with_units[0].force.leaders.extend(left.leaders)
        elif must_leave(self.table, self.power, space):
            for group in groups_of(self.table, self.power, left):
                target = next(iter(self._targets(space, group)), None)
                self.ways.append(Way(group, space, target))


def joined(a: Force, b: Force) -> Force:
    """Two forces together."""
    units = {owner: dict(kinds) for owner, kinds in a.units.items()}
    for owner, kinds in b.units.items():
        of = units.setdefault(owner, {})
        for kind, number in kinds.items():
            of[kind] = of.get(kind, 0) + number
    return Force(units, [*a.leaders, *(one for one in b.leaders if one not in a.leaders)])


# --- the order ---


class _Homeward(Order):
    """A stack, where it is, where it goes, and what it loses if its way is not clear."""

    line = "{force} FROM {origin} TO {space} [LOSING {lost}]"
    force = ForceField()
    origin = Name("space")
    space = Name("space")
    lost = ForceField(optional=True)


class WinterQuarters(Order):
    """Say where land units go for the winter; those that you do not name go by themselves or stay."""

    elsewhere = "for_return_in_winter"
    line = "WINTER {legs}"
    legs = Many(_Homeward)

    def plan(self, table: Table, power: str) -> Plan:
        """The ways that the order names. Raises `Refused`."""
        plan = Plan(table, power)
        for leg in self.legs:
            force = named_force(table, power, leg.origin, leg.force)
            rest = plan.left(leg.origin)
            short = without(force, rest).size() or any(one not in rest.leaders for one in force.leaders)
            if any((way.origin, way.space) == (leg.origin, leg.space) for way in plan.ways):
                raise Refused("one_stack_between_spaces", rules(table).winter_section)
            if force.is_empty() or short:
                raise Refused("not_all_of_these_there", rules(table).winter_section, space=leg.origin)
            check_way(table, power, force, leg.origin, leg.space)
            number = attrition(table, power, Way(force, leg.origin, leg.space))
            lost = named_force(table, power, leg.origin, leg.lost) if leg.lost else None
            if lost is not None and (lost.size() != number or lost.leaders or without(lost, force).size()):
                raise Refused("attrition_of_stack", rules(table).winter_section, number=number)
            plan.add(force, leg.origin, leg.space, lost)
        return plan

    def check(self, table: Table, question: Question) -> None:
        plan = self.plan(table, question.power)
        limit = table.kit.constants["winter_stack_limit"]
        for way in plan.ways:
            assert way.space is not None
            if min(limit, plan.staying(way.space)) + plan.arriving(way.space) > limit:
                raise Refused("too_many_in_winter", rules(table).winter_section, space=way.space, most=limit)
            distant = by_distance(table, question.power, way.force)
            far_too = distant or table.options.get("winter_without_room") == "next_nearest"
            if far_too and _is_fort_only(plan, way):
                _check_nearest_with_room(plan, way)
            if distant:
                _check_only_excess(plan, way)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        power = question.power
        for origin in bases(table, power):
            everything = homebound(table, origin, power)
            if not everything.size():
                continue
            halves = [everything, Force(cut(everything.units, 1))]
            for force in halves:
                for space in ends(table, power, force, origin):
                    yield cls(legs=[_Homeward(force=force_value(force, power), origin=origin, space=space)])


def excess(table: Table, power: str, origin: str, force: Force) -> int:
    """Exception 1: how many units without a capital are too many in a fortified space of theirs, and go on."""
    if not by_distance(table, power, force) or must_leave(table, power, origin):
        return 0
    return max(0, Plan(table, power).staying(origin) - table.kit.constants["winter_stack_limit"])


def ends(table: Table, power: str, force: Force, origin: str) -> list[str]:
    """The spaces that a stack may be named for."""
    far = [*capitals(table, power, force), *minor_keys(table, power, force)]
    far_too = by_distance(table, power, force) or table.options.get("winter_without_room") == "next_nearest"
    near = forts_for(table, power, force)
    near = near if far_too else nearest_forts(table, power, origin, near)
    open_ends = [*near, *far] if must_leave(table, power, origin) or excess(table, power, origin, force) else far
    steps = distances(table, power, origin)
    return [space for space in dict.fromkeys(open_ends) if space in steps and space != origin]


def check_way(table: Table, power: str, force: Force, origin: str, space: str) -> None:
    """Raise `Refused` unless a stack may go from a space to another one."""
    if any(serves(table, power, origin, owner) for owner in owners_of(table, force)):
        raise Refused("capital_stays_in_winter", rules(table).winter_section, space=origin)
    if not force.size() and own_owners(table, origin, power):
        raise Refused("leader_goes_with_units", rules(table).winter_section)
    offered = ends(table, power, force, origin)
    if space not in offered:
        code = "winter_to_nearest_fort" if must_leave(table, power, origin) else "winter_to_capital_only"
        raise Refused(code, rules(table).winter_section, list(offered), space=origin)


def _is_fort_only(plan: Plan, way: Way) -> bool:
    """Whether a stack goes to a space that is neither a capital of its own nor a home key of its own."""
    far = [*capitals(plan.table, plan.power, way.force), *minor_keys(plan.table, plan.power, way.force)]
    return way.space not in far


def _check_nearest_with_room(plan: Plan, way: Way) -> None:
    """Exception 1: Protestant units go on to a farther space only when all nearer ones are full."""
    steps = distances(plan.table, plan.power, way.origin)
    for space in forts_for(plan.table, plan.power, way.force):
        nearer = space in steps and space != way.origin and steps[space] < steps[way.space or ""]
        if nearer and plan.room(space, way.force):
            raise Refused("nearer_has_room", rules(plan.table).winter_section, space=space)


def _check_only_excess(plan: Plan, way: Way) -> None:
    """Exception 1: of those in a fortified space of theirs only the excess goes on."""
    most = excess(plan.table, plan.power, way.origin, way.force)
    if not must_leave(plan.table, plan.power, way.origin) and plan.leaving(way.origin).size() > most:
        raise Refused("only_excess_goes", rules(plan.table).winter_section, number=most, space=way.origin)


# --- the procedure ---


def has_choice(table: Table, power: str) -> bool:
    """Whether a power has anything to decide."""
    return any(
        own_owners(table, origin, power) and ends(table, power, homebound(table, origin, power), origin)
        for origin in bases(table, power)
    )


def land_units_return(table: Table) -> Procedure:
    """19.3: all land units and leaders go to fortified spaces; no siege lasts, since besiegers never stay."""
    for space in besieged(table):
        lift_siege(table, space)
    for place in sorted(place for place in table.board.units if place != space_of(place)):
        if count_land(table, place, land_owners(table, place)):
            lift_siege(table, space_of(place))
    questions = [
        Ask(
            power,
            "winter",
            [WinterQuarters, Pass],
            Pass(),
            context={"action": "land_return", "places": bases(table, power)},
            section=rules(table).winter_section,
        )
        for power in table.board.powers
        if has_choice(table, power)
    ]
    answers = (yield AllOf(questions)) if questions else {}
    plans = []
    for power in table.board.powers:
        order = answers.get(power)
        plan = order.plan(table, power) if isinstance(order, WinterQuarters) else Plan(table, power)
        plan.complete()
        plans.append(plan)
    # All at once: whose way is clear does not depend on who went before.
    for plan in plans:
        for way in plan.ways:
            _go(table, plan.power, way)


def _go(table: Table, power: str, way: Way) -> None:
    lost = present(table, way.origin, way.lost if way.space else Force(way.force.units))
    for owner, kinds in lost.units.items():
        for kind, number in kinds.items():
            why = "attrition" if way.space else "no_winter_quarters"
            table.remove(owner, kind, way.origin, number, why=why, section=rules(table).winter_section)
    if way.space is None:
        for leader in way.force.leaders:
            _stranded(table, power, leader, way.origin)
        return
    section = rules(table).winter_section
    barred = [one for one in way.force.leaders if not rules(table).leader_may_be(table, one, way.space)]
    for leader in barred:
        table.put(LEADER + leader, "removed", why="leaves_for_good", section=section)
    going = without(without(way.force, way.lost), Force({}, barred))
    move_force(table, going, way.origin, way.space, why="winter_return", section=section)


def _stranded(table: Table, power: str, leader: str, origin: str) -> None:
    """A leader whose units had nowhere to go: where the game says, else the nearest own space (a reading)."""
    waits = rules(table).stranded_leader(table, power)
    if waits is not None:
        put_leader(table, leader, waits, why="winter_return", section=rules(table).winter_section)
        return
    held = [space for space in atlas(table).spaces if controller(table, space) == power]
    near = nearest_forts(table, power, origin, held)
    if controller(table, origin) != power and near:
        put_leader(table, leader, near[0], why="winter_return", section=rules(table).winter_section)


ORDERS = (WinterQuarters,)
