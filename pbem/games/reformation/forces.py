"""Units and leaders at a place, formations (5.1), counters (5.2), and how orders name a force.

A `Force` names so many units of each owner and kind, and leaders. It is a name, not a copy of the board: whoever holds
one over a wait cuts it down to what is still there (`present`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

from marshmallow import ValidationError, fields

from pbem.games.reformation.atlas import atlas, atlas_of
from pbem.games.reformation.ground import space_of
from pbem.games.reformation.marks import mark, set_mark
from pbem.games.reformation.relations import hostile, own
from pbem.games.reformation.rules import rules
from pbem.table.board import SUPPLY
from pbem.table.grammar import counted_groups, is_count, means_all
from pbem.table.kit import Kit
from pbem.table.orders import Field, Refused, Unreadable, find_in, find_name, shortened
from pbem.table.procedure import Table, while_unchanged

LEADER = "leader:"


@dataclass
class Force:
    """``units[owner][kind]`` and leaders (ids of the kit)."""

    units: dict[str, dict[str, int]] = field(default_factory=dict)
    leaders: list[str] = field(default_factory=list)

    def size(self) -> int:
        """How many units; leaders do not count (5.1)."""
        return sum(sum(kinds.values()) for kinds in self.units.values())

    def of_kind(self, kind: str) -> int:
        """How many units of a kind, of all owners."""
        return sum(kinds.get(kind, 0) for kinds in self.units.values())

    def is_empty(self) -> bool:
        """Whether there is neither unit nor leader."""
        return not self.leaders and not self.size()

    def to_json(self) -> dict[str, Any]:
        """The force as a JSON object, for facts and contexts."""
        return {"units": self.units, "leaders": self.leaders}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Force:
        """The inverse of `to_json`."""
        units = {owner: dict(kinds) for owner, kinds in data.get("units", {}).items()}
        return cls(units, list(data.get("leaders", ())))


# --- what stands at a place ---


def land_units(table: Table, place: str, owner: str) -> dict[str, int]:
    """The land units of one owner at a place, kinds in the order of the kit."""
    kinds = table.board.units.get(place, {}).get(owner, {})
    return {kind: kinds[kind] for kind in atlas(table).land_kinds if kinds.get(kind)}


def land_owners(table: Table, place: str) -> list[str]:
    """The owners with land units at a place, in impulse order, minor powers and independents after."""
    present = table.board.units.get(place)
    if not present:
        return []
    chart = atlas(table)
    return [
        owner for owner in chart.owners if owner in present and any(kind in present[owner] for kind in chart.land_kinds)
    ]


def naval_owners(table: Table, place: str) -> list[str]:
    """The owners with naval units at a place, in the same order."""
    present = table.board.units.get(place)
    if not present:
        return []
    chart = atlas(table)
    kinds = chart.naval_kinds
    return [owner for owner in chart.owners if owner in present and any(kind in present[owner] for kind in kinds)]


def count_land(table: Table, place: str, owners: Iterable[str]) -> int:
    """How many land units these owners have at a place."""
    return sum(sum(land_units(table, place, owner).values()) for owner in owners)


def own_owners(table: Table, place: str, power: str) -> list[str]:
    """The owners at a place whose land units are the power's: itself and its active minor powers."""
    return [owner for owner in land_owners(table, place) if own(table.board, power, owner)]


def enemy_owners(table: Table, place: str, power: str) -> list[str]:
    """The owners at a place whose land units are enemies of the power."""
    return [owner for owner in land_owners(table, place) if hostile(table.board, power, owner)]


def has_enemy_land(table: Table, space: str, power: str) -> bool:
    """Whether enemy land units are in a space, outside its walls or within."""
    return any(enemy_owners(table, place, power) for place in (space, f"{space}/inside"))


def leader_power(table: Table, leader: str) -> str:
    """The owner that a leader belongs to; the mark ``power`` of the piece goes before the kit."""
    piece = table.board.pieces.get(LEADER + leader, {})
    return piece.get("power") or atlas(table).leaders[leader]["power"]


def leader_kind(table: Table, leader: str) -> str:
    """``army`` or ``naval``; the mark ``kind`` of the piece goes before the kit, for who may be either."""
    return table.board.pieces.get(LEADER + leader, {}).get("kind") or atlas(table).leaders[leader]["kind"]


def leaders_at(table: Table, place: str, power: str | None = None, kind: str = "army") -> list[str]:
    """The leaders of a kind at a place, of a power (with its minor powers) or of all, in the order of the kit."""
    return [
        leader
        for leader, of_kind, owner in _leaders_by_place(table).get(place, ())
        if of_kind == kind and (power is None or own(table.board, power, owner))
    ]


@while_unchanged
def _leaders_by_place(table: Table) -> dict[str, list[tuple[str, str, str]]]:
    """Place -> (leader, kind, owner) of those there, in the order of the kit."""
    leaders: dict[str, list[tuple[str, str, str]]] = {}
    for leader, name, kind, power in atlas(table).leader_pieces:
        piece = table.board.pieces.get(name)
        if piece is not None:
            mine = piece.get("kind") or kind, piece.get("power") or power
            leaders.setdefault(piece["at"], []).append((leader, *mine))
    return leaders


def bases(table: Table, power: str) -> list[str]:
    """The spaces where a power has land units or army leaders, in the order of the kit."""
    return list(_bases(table, power))


@while_unchanged
def _bases(table: Table, power: str) -> tuple[str, ...]:
    spaces = atlas(table).spaces
    return tuple(space for space in spaces if own_owners(table, space, power) or leaders_at(table, space, power))


def put_leader(table: Table, leader: str, at: str, **more: Any) -> None:
    """Put a leader down at a place; the other marks of the piece stay."""
    if LEADER + leader in table.board.pieces:
        table.shift(LEADER + leader, at, **more)
    else:
        table.put(LEADER + leader, at, **more)


def all_of(table: Table, place: str, power: str) -> Force:
    """Everything on land that a power has at a place: own units, those of its minor powers, leaders."""
    units = {owner: land_units(table, place, owner) for owner in own_owners(table, place, power)}
    return Force(units, leaders_at(table, place, power))


def present(table: Table, place: str, force: Force) -> Force:
    """What of a force is at a place."""
    units = {}
    for owner, kinds in force.units.items():
        kept = {k: min(n, table.board.count(place, owner, k)) for k, n in kinds.items()}
        kept = {kind: number for kind, number in kept.items() if number}
        if kept:
            units[owner] = kept
    leaders = [one for one in force.leaders if table.board.pieces.get(LEADER + one, {}).get("at") == place]
    return Force(units, leaders)


def without(force: Force, other: Force) -> Force:
    """A force less another one."""
    units = {}
    for owner, kinds in force.units.items():
        gone = other.units.get(owner, {})
        left = {kind: number - gone.get(kind, 0) for kind, number in kinds.items()}
        left = {kind: number for kind, number in left.items() if number > 0}
        if left:
            units[owner] = left
    return Force(units, [one for one in force.leaders if one not in other.leaders])


def never_there(table: Table, force: Force, place: str, *, by_move: bool = False) -> Force:
    """What of a force may never come to a place, as the game says (`Rules.never_there`)."""
    bars = rules(table).never_there
    units = {owner: dict(kinds) for owner, kinds in force.units.items() if bars(table, owner, place, by_move)}
    return Force(units, [leader for leader in force.leaders if bars(table, leader, place, by_move)])


def check_may_be_there(table: Table, force: Force, place: str, section: str, *, by_move: bool = False) -> None:
    """Raise `Refused` when something of a force may never come to a place."""
    for who in (*force.units, *force.leaders):
        reason = rules(table).never_there(table, who, place, by_move)
        if reason:
            raise reason.under(section)


def move_force(table: Table, force: Force, origin: str, place: str, **more: Any) -> Force:
    """Move what of a force is at its origin; returns it. Marks of who has intercepted and who was beaten go along."""
    going = present(table, origin, force)
    bound = {name: marked(table, name, origin) for name in CARRIED if mark(table, "impulse", name)}
    for owner, kinds in going.units.items():
        for kind, number in kinds.items():
            table.move(owner, kind, number, origin, place, **more)
    for leader in going.leaders:
        put_leader(table, leader, place, **more)
    for name, force_bound in bound.items():
        _carry_mark(table, name, force_bound, going, origin, place, keep_back=more.get("why") == "interception")
    return going


def best_battle(table: Table, leaders: Iterable[str]) -> int:
    """The best battle rating among leaders; 0 without any (14)."""
    return max((atlas(table).leaders[leader]["battle"] or 0 for leader in leaders), default=0)


def formation_limit(table: Table, leaders: Sequence[str]) -> int:
    """5.1: how many units a formation with these leaders may have."""
    commands = sorted((atlas(table).leaders[leader]["command"] or 0 for leader in leaders), reverse=True)
    if not commands:
        return table.kit.constants["formation_without_leader"]
    return sum(commands[: table.kit.constants["formation_leaders_counted"]])


def check_formation(table: Table, power: str, place: str, force: Force) -> None:
    """Raise `Refused` unless the force is there, is the power's, and is a legal formation (5.1)."""
    space = space_of(place)
    if force.is_empty():
        raise Refused("empty_formation", "5.1")
    for owner, kinds in force.units.items():
        if not own(table.board, power, owner):
            raise Refused("not_yours_to_move", "5.1", owner=owner)
        for kind, number in kinds.items():
            there = table.board.count(place, owner, kind)
            if kind not in atlas(table).land_kinds:
                raise Refused("no_land_unit", "5.2", kind=kind)
            if there < number:
                raise Refused("so_many_there", "5.1", number=there, kind=kind, owner=owner, space=space)
    here = leaders_at(table, place, power)
    for leader in force.leaders:
        if leader not in here:
            raise Refused("no_army_leader_there", "5.1", leader=leader, space=space)
    limit = formation_limit(table, force.leaders)
    if force.size() > limit:
        raise Refused("formation_too_large", "5.1", number=force.size(), most=limit)


def formations(table: Table, power: str, place: str, less: Force | None = None) -> list[Force]:
    """Formations worth offering: everything, with all leaders and with none, and one unit; each cut to its limit."""
    everything = all_of(table, place, power)
    if less is not None:
        everything = without(everything, less)
    forces: list[Force] = []
    for leaders in (everything.leaders, []):
        limit = formation_limit(table, leaders)
        for most in (limit, 1):
            force = Force(cut(everything.units, most), list(leaders))
            if not force.is_empty() and force not in forces:
                forces.append(force)
    return forces


def cut(units: Mapping[str, Mapping[str, int]], most: int) -> dict[str, dict[str, int]]:
    """At most so many of some units, in the order in which they are named."""
    kept: dict[str, dict[str, int]] = {}
    for owner, kinds in units.items():
        for kind, number in kinds.items():
            take = min(number, most)
            if take > 0:
                kept.setdefault(owner, {})[kind] = take
                most -= take
    return kept


# --- marks of units: what units at a place have done this impulse ---


def marked(table: Table, name: str, place: str) -> Force:
    """The units at a place that carry a mark of this impulse (``moved``, ``beaten``, ``intercepted``)."""
    data = mark(table, "impulse", name, {}).get(place)
    return present(table, place, Force.from_json(data)) if data else Force()


def mark_force(table: Table, name: str, place: str, force: Force) -> None:
    """Mark units at a place for this impulse."""
    marks = dict(mark(table, "impulse", name, {}))
    already = marked(table, name, place)
    units = {owner: dict(kinds) for owner, kinds in already.units.items()}
    for owner, kinds in force.units.items():
        for kind, number in kinds.items():
            most = table.board.count(place, owner, kind)
            of = units.setdefault(owner, {})
            of[kind] = min(most, of.get(kind, 0) + number)
    leaders = already.leaders + [leader for leader in force.leaders if leader not in already.leaders]
    marks[place] = Force({owner: units[owner] for owner in sorted(units)}, sorted(leaders)).to_json()
    set_mark(table, "impulse", name, dict(sorted(marks.items())))


CARRIED = ("intercepted", "beaten")
"""The marks that units keep to the end of the impulse, wherever they go."""


def _carry_mark(
    table: Table, name: str, bound: Force, going: Force, origin: str, place: str, *, keep_back: bool
) -> None:
    """Of units that look alike the marked ones go first; to intercept, those that have not tried yet (`keep_back`)."""
    if keep_back and name == "intercepted":
        return
    left = without(bound, going)
    gone = without(bound, left)
    if gone.is_empty():
        return
    marks = dict(mark(table, "impulse", name, {}))
    marks[origin] = left.to_json()
    set_mark(table, "impulse", name, marks)
    mark_force(table, name, place, gone)


# --- counters (5.2) ---


Counter = tuple[str, str | None, int, int | None, int]
"""Kind, kind on the back, denomination, denomination on the back, number of such counters."""
Sides = tuple[tuple[int, ...], int]
"""The one or two values that counters show, the greater first, and how many such counters."""
Change = tuple[str, str, int]
"""Place, kind, how many more (or fewer)."""


def counters_suffice(table: Table, owner: str, kind: str, changes: Sequence[Change] = ()) -> bool:
    """Whether the counters can show all stacks of the kinds that share counters with this one, after some changes.

    5.2: the counters are an absolute limit; what is smaller can stand for what is larger.
    A stack is what an owner has of one kind at one place.
    """
    counters = atlas(table).counters_for[owner, kind]
    stacks = _stacks(table, owner, counters)
    for place, one, change in changes:
        if any(one in (c[0], c[1]) for c in counters):
            stacks[place, one] = stacks.get((place, one), 0) + change
    return _unshown(counters, stacks.values()) == 0


def _stacks(table: Table, owner: str, counters: Sequence[Counter]) -> dict[tuple[str, str], int]:
    """(place, kind) -> size, for the kinds that some counters show."""
    kinds = {c[0] for c in counters} | {c[1] for c in counters}
    return {stack: number for stack, number in _all_stacks(table).get(owner, {}).items() if stack[1] in kinds}


@while_unchanged
def _all_stacks(table: Table) -> Mapping[str, Mapping[tuple[str, str], int]]:
    """Owner -> (place, kind) -> size, supply left out."""
    stacks: dict[str, dict[tuple[str, str], int]] = {}
    for place, owner, kind, number in table.board.units_everywhere():
        if place != SUPPLY:
            stacks.setdefault(owner, {})[place, kind] = number
    return stacks


def check_change(table: Table, force: Force, origin: str, place: str) -> None:
    """Raise `Refused` when no counters could show what a force leaves at its origin and what comes to a place (5.2)."""
    for owner, kinds in force.units.items():
        changes = [(origin, kind, -number) for kind, number in kinds.items()]
        changes += [(place, kind, number) for kind, number in kinds.items()]
        for kind in kinds:
            if not counters_suffice(table, owner, kind, changes):
                raise Refused("stacks_without_counters", "5.2", owner=owner)


def _unshown(counters: Sequence[Counter], stacks: Iterable[int]) -> int:
    """How many units of stacks of these sizes no counters are left to show; a counter shows one of its two values.

    Which kind shares a counter with which is not looked at: a counter of two kinds has the same value on both sides.
    """
    values: dict[tuple[int, ...], int] = {}
    for _, _, front, back, number in counters:
        sides = tuple(sorted({front, back or front}, reverse=True))
        values[sides] = values.get(sides, 0) + number
    shown = tuple(sorted(values.items(), key=_greatest_and_least_free))
    return _least_unshown(tuple(sorted(size for size in stacks if size > 0)), shown)


@lru_cache(maxsize=50_000)
def _least_unshown(sizes: tuple[int, ...], counters: tuple[Sides, ...]) -> int:
    """The least number of units that counters leave unshown, the greatest value first; counters: (values, how many)."""
    if not counters or not sizes:
        return sum(sizes)
    ((value, *smaller), number), *rest = counters
    others = sorted({*smaller, *(one for sides, _ in rest for one in sides)}, reverse=True)
    steps = all(greater % less == 0 for greater, less in pairwise(others))
    free = sum(len(sides) > 1 and sides[0] == value for sides, _ in counters)
    if steps and value % max(others, default=1) == 0 and free <= 1:
        # Each value holds the next without rest, so the greatest go wherever they fit; smaller ones fill the rest.
        fit = min(number, sum(size // value for size in sizes))
        return _least_unshown(_filled(sizes, value, fit), _without_first(counters, fit))
    # A 6 beside 4s: it matters whether and where it goes, but not to which of the stacks that leave the same rest.
    places = {size % max(others) if steps else size: size for size in sizes if size >= value and number}
    ways = [_least_unshown(sizes, _without_first(counters, 0))]
    for size in places.values():
        ways.append(_least_unshown(_filled_at(sizes, size, value), ((counters[0][0], number - 1), *rest)))
    return min(ways)


def _without_first(counters: Sequence[Sides], shown: int) -> tuple[Sides, ...]:
    """The counters without those of the greatest value; those not shown by it, by their other side."""
    ((_, *smaller), number), *rest = counters
    left = dict(rest)
    if smaller and number > shown:
        left[tuple(smaller)] = left.get(tuple(smaller), 0) + number - shown
    return tuple(sorted(left.items(), key=_greatest_and_least_free))


def _greatest_and_least_free(counters: Sides) -> tuple[int, int]:
    """The order in which counters are laid: the greatest first, and before those that could show something else too."""
    sides, _ = counters
    return -sides[0], len(sides)


def _filled(sizes: tuple[int, ...], value: int, times: int) -> tuple[int, ...]:
    left = []
    for size in sizes:
        taken = min(times, size // value)
        times -= taken
        left.append(size - taken * value)
    return tuple(sorted(size for size in left if size))


def _filled_at(sizes: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    left = list(sizes)
    left.remove(at)
    return tuple(sorted([*left, at - value] if at > value else left))


def supply_total(kit: Kit, owner: str) -> dict[str, int]:
    """How many units of each kind the counters of an owner can stand for at most; what the set-up puts in supply."""
    chart = atlas_of(kit)
    totals: dict[str, int] = {}
    for kind, back, denomination, back_denomination, number in chart.counters.get(owner, []):
        if back == kind:
            totals[kind] = totals.get(kind, 0) + number * max(denomination, back_denomination or 0)
            continue
        totals[kind] = totals.get(kind, 0) + number * denomination
        if back:
            totals[back] = totals.get(back, 0) + number * (back_denomination or denomination)
    return totals


def can_add(table: Table, owner: str, kind: str, place: str, number: int = 1) -> bool:
    """Whether so many units can be put at a place: 5.2, 17, the counters are an absolute limit."""
    left = table.board.count(SUPPLY, owner, kind)
    return left >= number and counters_suffice(table, owner, kind, [(place, kind, number)])


def add_units(table: Table, owner: str, kind: str, place: str, number: int, **more: Any) -> int:
    """Put up to so many units at a place, as far as the counters go; returns how many."""
    placed = 0
    while placed < number and can_add(table, owner, kind, place):
        table.place(owner, kind, place, **more)
        placed += 1
    return placed


def make_change(table: Table, *at: str) -> None:
    """5.2: units that no counters can stand for, after losses or in stacks that an event parted, are lost.

    `at`: the places of the fight or event, whose stacks pay first. Lost is one unit after another where that helps
    most; mercenaries before others, small stacks before large ones.
    """
    chart = atlas(table)
    stacks = _all_stacks(table)
    for owner, counters, ones in chart.land_counters:
        # As many counters of 1 as units can show any stacks: nothing to look at; ships among them do no harm.
        if sum(stacks.get(owner, {}).values()) > ones:
            while _lose_unshown(table, owner, counters, at):
                continue


def _lose_unshown(table: Table, owner: str, counters: Sequence[Counter], at: Sequence[str]) -> bool:
    stacks = _stacks(table, owner, counters)
    if _unshown(counters, stacks.values()) == 0:
        return False

    def worth(stack: tuple[str, str]) -> tuple[Any, ...]:
        left = [size - (1 if other == stack else 0) for other, size in stacks.items()]
        mercenary = stack[1] == rules(table).mercenary_kind
        return stack[0] not in at, _unshown(counters, left), not mercenary, stacks[stack], stack

    place, kind = min(stacks, key=worth)
    table.remove(owner, kind, place, why="no_counters", section="5.2")
    return True


# --- how orders name a force ---


class ForceField(Field[dict[str, Any]]):
    """``ALL``, or ``4 regular, 2 cavalry, 1 venice regular, Suleiman``.

    Held as JSON: ``{"all": true}``, or ``{"units": {"own" | owner: {kind: n}}, "leaders": [...]}``.
    """

    widget = "force"
    most_words = None
    form = "ALL, or how many units of each kind, and leaders by name: 4 regular, 2 mercenary"

    def read(self, words: Sequence[str], names: Kit) -> dict[str, Any]:
        if means_all(words, names):
            return {"all": True}
        units: dict[str, dict[str, int]] = {}
        leaders: list[str] = []
        for chunk in counted_groups(words, names, ("and", "with")):
            if chunk[0].isdecimal() and not is_count(chunk[0]):
                raise Unreadable("no_whole_number", said=shortened(chunk[0]), least=1, most=999)
            if is_count(chunk[0]):
                self._read_units(chunk, names, units)
            else:
                leaders.append(find_name(names, "leader", " ".join(chunk)))
        if not units and not leaders:
            raise Unreadable("force_empty")
        return {"units": units, "leaders": leaders}

    @staticmethod
    def _read_units(chunk: Sequence[str], names: Kit, units: dict[str, dict[str, int]]) -> None:
        number, rest = int(chunk[0]), list(chunk[1:])
        if not rest:
            raise Unreadable("number_of_what", number=number)
        owner = "own"
        if len(rest) > 1:
            owner = find_in(names, ("minor", "power"), " ".join(rest[:-1]))
        kind = find_name(names, "unit", rest[-1])
        if number:
            of = units.setdefault(owner, {})
            of[kind] = of.get(kind, 0) + number

    def write(self, value: Mapping[str, Any]) -> str:
        if value.get("all"):
            return "ALL"
        parts = [
            f"{number} {kind}" if owner == "own" else f"{number} {owner} {kind}"
            for owner, kinds in value.get("units", {}).items()
            for kind, number in kinds.items()
        ]
        return ", ".join(parts + list(value.get("leaders", ())))

    def schema_field(self) -> fields.Field:
        return _ForceSchema(**self._common())


class _ForceSchema(fields.Field):
    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> dict[str, Any]:
        if value == {"all": True}:
            return value
        if not isinstance(value, dict) or value.keys() - {"units", "leaders"}:
            raise ValidationError("should hold units and leaders, or be all")
        units, leaders = value.get("units", {}), value.get("leaders", [])
        if not isinstance(units, dict) or not isinstance(leaders, list):
            raise ValidationError("units is an object, leaders a list")
        for kinds in units.values():
            if not isinstance(kinds, dict) or not all(type(n) is int and 0 < n < 1000 for n in kinds.values()):
                raise ValidationError("units: owner, kind, a whole number from 1")
        if not all(isinstance(leader, str) for leader in leaders):
            raise ValidationError("leaders are names")
        return {"units": units, "leaders": leaders}


def force_value(force: Force, power: str) -> dict[str, Any]:
    """A force as an order of a power names it."""
    units = {("own" if owner == power else owner): dict(kinds) for owner, kinds in force.units.items()}
    return {"units": units, "leaders": list(force.leaders)}


def named_force(table: Table, power: str, place: str, value: Mapping[str, Any] | None) -> Force:
    """The force that an order of a power names; ALL and nothing stand for everything it has at the place."""
    if value is None or value.get("all"):
        return all_of(table, place, power)
    units = {(power if owner == "own" else owner): dict(kinds) for owner, kinds in value["units"].items()}
    return Force(units, list(value["leaders"]))
