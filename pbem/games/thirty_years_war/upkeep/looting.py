"""15.2: looting. Units that nobody has paid roll once for each space and side, loot it, and may lose steps for good.

What a side prefers to lose, and where its lone leaders go, it says in the sealed round at the end of the turn: LOOT.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.map import SIDES, atlas, distances, number, roll
from pbem.games.thirty_years_war.politics import nations
from pbem.games.thirty_years_war.upkeep import supply
from pbem.games.thirty_years_war.upkeep.pay import UNPAID
from pbem.table.orders import AnyName, Choice, Many, Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table

SECTION = "15.21"
FIRST, LAST = pieces.FULL, pieces.REDUCED
CLASSES = (pieces.MERCENARY, pieces.MILITIA, pieces.VETERAN)
"""15.223: mercenaries lose steps first, then militia, then the rest."""


# --- loot levels ---


def level(table: Table, space: str) -> int:
    """15.22: the loot level of a space, 0 to 2."""
    return control.loot(table, space)


def raise_level(table: Table, space: str, levels: int, *, why: str, section: str) -> int:
    """15.221: raise the loot of a space; returns the levels that were too many for it."""
    highest = table.kit.constants["highest_loot"]
    before = level(table, space)
    after = min(highest, before + levels)
    control.set_loot(table, space, after, why=why, section=section)
    return before + levels - after


def lower(table: Table, space: str, levels: int, *, why: str, section: str) -> None:
    """15.25: lower the loot of a space."""
    control.set_loot(table, space, max(0, level(table, space) - levels), why=why, section=section)


# --- the roll ---


@dataclass
class Roll:
    """15.21: what the unpaid units of one side in one space have thrown."""

    side: str
    space: str
    units: list[str]
    face: int
    modifiers: dict[str, int]
    result: Mapping[str, Any]
    """The row of the looting table."""
    levels: int
    """15.221: the loot levels that it adds to the space."""
    steps: int
    """15.222: the steps that the stack loses, levels that were too many among them."""


def looters(table: Table, space: str, side: str) -> list[str]:
    """15.21: the units of a side in a space that are marked unpaid."""
    return [unit for unit in pieces.units(table, space, side) if table.board.pieces[unit].get(UNPAID)]


def modifiers(table: Table, space: str, side: str, units: Sequence[str]) -> dict[str, int]:
    """15.21, 15.24: the modifiers of a looting roll by name, those of nought left out.

    Majorities are counted among the looting units alone (C 15.2); a star counts whoever commands (T-354).
    """
    types = [pieces.unit_type(table, unit) for unit in units]
    inside = pieces.is_inside(table, units[0])
    holds = {
        "loot_1": level(table, space) == 1,
        "loot_2": level(table, space) == table.kit.constants["highest_loot"],
        "most_mercenaries": 2 * types.count(pieces.MERCENARY) > len(units),
        "most_veterans": 2 * types.count(pieces.VETERAN) > len(units),
        "many_units": len(units) >= number(table, "looting_many_units"),
        "besieged": supply.is_besieged(table, units[0]),
        "dynamic_leader": any(
            pieces.is_dynamic(table, leader) for leader in pieces.leaders(table, space, side, inside=inside)
        ),
    }
    rows = table.kit.tables["modifiers"]
    return {name: rows[f"looting:{name}"]["drm"] for name, held in holds.items() if held}


def table_row(table: Table, modified: int) -> Mapping[str, Any]:
    """15.22: the row of the looting table for a modified roll; the lowest and the highest stand for all beyond."""
    rows = list(table.kit.tables["looting"].values())
    known = [row["roll"] for row in rows]
    held = max(min(known), min(max(known), modified))
    return next(row for row in rows if row["roll"] == held)


def throw(table: Table, space: str, side: str, units: list[str]) -> Roll:
    """15.21, 15.211: the roll of a stack, from the loot that lies there before either side has looted."""
    modified = modifiers(table, space, side, units)
    face = roll(table, "looting", side, space=space, section=SECTION)
    row = table_row(table, face + sum(modified.values()))
    room = table.kit.constants["highest_loot"] - level(table, space)
    levels = min(room, row["loot"])
    return Roll(side, space, units, face, modified, row, levels, row["steps"] + row["loot"] - levels)


# --- orders ---


class Loot(Order):
    """Say what your looting units lose, where there is a choice, and where leaders go who are left alone.

    LOOT LOSING full: full units are reduced before reduced ones are lost; IN ORDER: what is named first goes first,
    within the order of the rules; LEADERS TO spaces, the first that is open.
    """

    line = "LOOT LOSING {first} [IN ORDER {kinds}] [LEADERS TO {spaces}]"
    first = Choice(FIRST, LAST)
    kinds = Many(AnyName("unit", "nation"), most=20, optional=True)
    spaces = Many(Name("space"), most=20, optional=True)

    def check(self, table: Table, question: Question) -> None:
        for space in self.spaces or ():
            if control.holder(table, space) != question.power:
                raise Refused("space_not_yours", "E 15.225", space=space)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for first in (FIRST, LAST):
            yield cls(first=first)
        here = [unit for unit in pieces.on_map(table, question.power) if pieces.is_unit(unit)]
        kinds = list(dict.fromkeys(pieces.kind_of(unit) for unit in here))
        nations = list(dict.fromkeys(pieces.nation_of(table, unit) for unit in here))
        for kind in (*kinds, *nations):
            yield cls(first=FIRST, kinds=[kind])
        if len(kinds) > 1:
            yield cls(first=FIRST, kinds=kinds)

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        own = [space for space in atlas(table).spaces if control.holder(table, space) == question.power]
        spaces = chance.sample(own, min(3, len(own))) if chance.random() < 0.5 else []
        return cls(first=chance.choice((FIRST, LAST)), spaces=spaces or None)


ORDERS: tuple[type[Order], ...] = (Loot,)


def question(table: Table, side: str) -> Question | None:
    """15.222, 15.223, E 15.225: what a side prefers to lose; None where there will be nobody unpaid, or no choice."""
    units = [unit for unit in pieces.on_map(table, side) if pieces.is_unit(unit)]
    exposed = [unit for unit in units if not supply.is_home_paid(table, unit)]
    if not exposed or not _may_choose(table, side, exposed):
        return None
    return Question(
        side,
        "looting",
        [Loot],
        default=Loot(first=FIRST),
        context={"spaces": list(dict.fromkeys(pieces.where(table, unit) for unit in exposed))},
        section=SECTION,
        key=f"looting:{side}",
    )


def _may_choose(table: Table, side: str, units: Sequence[str]) -> bool:
    """Whether some stack holds full and reduced units of one class, or a leader who may be left alone."""
    for space in dict.fromkeys(pieces.where(table, unit) for unit in units):
        here = [unit for unit in units if pieces.where(table, unit) == space]
        faces = {
            (pieces.unit_type(table, unit), (pieces.kind_of(unit), pieces.is_reduced(table, unit))) for unit in here
        }
        if len({of for of, _ in faces}) < len(faces) or pieces.leaders(table, space, side):
            return True
    return False


# --- the segment ---


def looting_phase(table: Table, said: Mapping[str, Order | None]) -> Procedure:
    """15.2, E2: one roll for each space and side; both sides of a siege roll before either of them loots (15.211)."""
    for space in atlas(table).spaces:
        rolls = [
            throw(table, space, side, units) for side in SIDES if (units := looters(table, space, side))
        ]
        if rolls:
            loot_space(table, rolls, said)
            yield from control.triggers(table)


def loot_space(table: Table, rolls: Sequence[Roll], said: Mapping[str, Order | None]) -> None:
    """15.211: the level of the space rises to the greater of the outcomes; each stack loses its own steps."""
    space, before = rolls[0].space, level(table, rolls[0].space)
    for thrown in rolls:
        table.tell(
            "looted",
            power=thrown.side,
            space=space,
            roll=thrown.face,
            modifiers=thrown.modifiers,
            modified=thrown.face + sum(thrown.modifiers.values()),
            result=thrown.result["result"],
            level=before + thrown.levels,
            steps=thrown.steps,
            units=pieces.described(table, thrown.units),
            section=SECTION,
        )
    raise_level(table, space, max(thrown.levels for thrown in rolls), why="looting", section="15.22")
    for thrown in rolls:
        for unit in thrown.units:
            table.mark(unit, why="looting", section="15.22", unpaid=None)
        lose_steps(table, thrown.units, thrown.steps, said.get(thrown.side))
        lone_leaders(table, space, thrown.side, said.get(thrown.side))


def lose_steps(table: Table, units: Sequence[str], steps: int, order: Order | None) -> None:
    """15.222 to 15.224: steps of a stack go, class by class; who is eliminated so never comes back.

    Within a class the owner's preference decides; silence reduces full units before it loses reduced ones.
    """
    first = order.first if isinstance(order, Loot) else FIRST
    ranking = (order.kinds if isinstance(order, Loot) else None) or []
    for _ in range(steps):
        left = [unit for unit in units if pieces.where(table, unit) in atlas(table).spaces]
        if not left:
            return
        unit = min(
            left,
            key=lambda unit: (
                CLASSES.index(pieces.unit_type(table, unit)),
                _place(table, unit, ranking),
                pieces.is_reduced(table, unit) == (first == FIRST),
                pieces.combat_factor(table, unit),
                unit,
            ),
        )
        pieces.step_loss(table, unit, why="looting", section="15.222", for_good=True)


def _place(table: Table, unit: str, ranking: Sequence[str]) -> int:
    """Where a ranking of kinds and nations names a unit; behind all of it where it does not."""
    names = (pieces.kind_of(unit), pieces.nation_of(table, unit))
    return next((place for place, named in enumerate(ranking) if named in names), len(ranking))


def lone_leaders(table: Table, space: str, side: str, order: Order | None) -> None:
    """E 15.225: leaders whose units are all gone by looting go together to one space of their side, or die."""
    leaders = pieces.leaders(table, space, side)
    if not leaders or pieces.units(table, space, side):
        return
    wished = (order.spaces if isinstance(order, Loot) else None) or []
    ways = distances(table, [space])
    open_to_them = [place for place in refuges(table, side, leaders) if place != space]
    ranked = [place for place in wished if place in open_to_them]
    ranked += sorted(open_to_them, key=lambda place: (ways.get(place, len(ways)), place))
    if ranked:
        faces = _faces(table, leaders)
        table.tell("leaders_withdrew", power=side, space=space, to=ranked[0], leaders=faces, section="E 15.225")
        pieces.move(table, leaders, ranked[0], why="looting", section="E 15.225")
        return
    table.tell("leaders_lost", power=side, space=space, leaders=_faces(table, leaders), section="E 15.225")
    for leader in leaders:
        pieces.eliminate(table, leader, why="looting", section="E 15.225")


def refuges(table: Table, side: str, leaders: Sequence[str]) -> list[str]:
    """E 15.225: the spaces that a side controls where these leaders may stand, by the limits of their nations."""
    return [
        space
        for space in atlas(table).spaces
        if control.holder(table, space) == side
        and all(nations.closed(table, leader, space) is None for leader in leaders)
        and nations.conflict(table, [*pieces.stack(table, space, side), *leaders]) is None
    ]


def _faces(table: Table, leaders: Sequence[str]) -> list[str]:
    return [pieces.face_of(table, leader) for leader in leaders]
