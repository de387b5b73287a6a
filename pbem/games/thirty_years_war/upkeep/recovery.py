"""15.25, phase B: recovery from looting. Both sides throw, then both lower loot levels, one in a space.

The sides choose at once; the Protestant's choice is taken up first. RECOVER names no more spaces than the roll gives;
RECOVER FIRST OF is a ranking, of which those are taken that can be, so that it can be sent before the roll; RECOVER
MOST leaves the choice to the service.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.map import SIDES, atlas, number, other, roll
from pbem.games.thirty_years_war.upkeep import looting
from pbem.table import marks
from pbem.table.orders import Many, Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import InOrder

SECTION = "15.25"
TRUCE = "truce"
"""State value: the turn that a truce has ended; in the next phase B rolls are not halved (5.32)."""
DONE = "recovered"
"""Mark of the turn: the spaces that have recovered in phase B already (15.251)."""


# --- where ---


def recovery_refusal(table: Table, side: str, space: str) -> Refused | None:
    """15.25, 15.251: why a side may not let a space recover in phase B; None when it may."""
    if not looting.level(table, space):
        return Refused("not_looted", SECTION, space=space)
    if table.options["recovery_cap"] == "space" and marks.noted(table, "turn", DONE, space):
        return Refused("recovered_already", "15.251", space=space)
    held = _held_for_recovery(table, space)
    if held == other(side):
        return Refused("region_of_the_enemy", SECTION, space=space)
    enemy = other(side)
    near = [space, *atlas(table).neighbours[space]]
    for place in near:
        if pieces.units(table, place, enemy):
            return Refused("enemy_unit_near", SECTION, space=space, near=place)
    return None


def _held_for_recovery(table: Table, space: str) -> str | None:
    """15.25: whose region a space lies in; a city by its own holder (INT-32, option recovery_of_cities)."""
    chart = atlas(table)
    region = chart.region(space)
    if region is None and table.options["recovery_of_cities"] == "own_control":
        return control.holder(table, space)
    return control.region_holder(table, region or chart.spaces[space]["lies_in"])


def open_spaces(table: Table, side: str) -> list[str]:
    """The spaces that a side may let recover now."""
    return [space for space in atlas(table).spaces if recovery_refusal(table, side, space) is None]


# --- orders ---


class Recover(Order):
    """Lower the loot of these spaces by one level each, no more of them than your roll gives."""

    line = "RECOVER {spaces}"
    spaces = Many(Name("space"), most=30)

    def check(self, table: Table, question: Question) -> None:
        points = question.context["points"]
        if len(self.spaces) > points:
            raise Refused("more_spaces_than_points", SECTION, spaces=len(self.spaces), points=points)
        for place, space in enumerate(self.spaces):
            if space in self.spaces[:place]:
                raise Refused("space_named_twice", "15.251", space=space)
            refusal = recovery_refusal(table, question.power, space)
            if refusal is not None:
                raise refusal

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space in open_spaces(table, question.power):
            yield cls(spaces=[space])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        able = open_spaces(table, question.power)
        return cls(spaces=chance.sample(able, min(question.context["points"], len(able)))) if able else None


class RecoverFirstOf(Order):
    """Lower the loot of the first of these spaces that can recover, as many as your roll gives."""

    line = "RECOVER FIRST OF {spaces}"
    spaces = Many(Name("space"), most=30)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        able = open_spaces(table, question.power)
        if able:
            yield cls(spaces=able[:30])


class RecoverMost(Order):
    """Lower loot where it serves you best: regions wholly wasted, then spaces of your own, the worst looted first."""

    line = "RECOVER MOST"


class RecoverNothing(Order):
    """Lower no loot."""

    line = "RECOVER NOTHING"


ORDERS: tuple[type[Order], ...] = (Recover, RecoverFirstOf, RecoverMost, RecoverNothing)


def chosen(table: Table, side: str, order: Order, points: int) -> list[str]:
    """The spaces that an order lets recover, as the board stands when it is taken up."""
    if isinstance(order, Recover | RecoverFirstOf):
        ranked: Sequence[str] = order.spaces
    elif isinstance(order, RecoverMost):
        ranked = sorted(open_spaces(table, side), key=lambda space: _need(table, side, space))
    else:
        ranked = ()
    able = [space for space in dict.fromkeys(ranked) if recovery_refusal(table, side, space) is None]
    return able[:points]


def _need(table: Table, side: str, space: str) -> tuple[bool, bool, int, str]:
    region = atlas(table).region(space)
    wasted = region is not None and control.is_wasted(table, region) and control.region_holder(table, region) == side
    return not wasted, control.holder(table, space) != side, -looting.level(table, space), space


# --- the phase ---


def points_of(table: Table, face: int) -> int:
    """15.25, 5.32: the levels that a roll gives: half of it, rounded up, at least one; after a truce all of it."""
    divisor = 1 if is_after_truce(table) else number(table, "recovery_divisor")
    return max(1, -(-face // divisor))


def is_after_truce(table: Table) -> bool:
    """5.32: whether a truce ended the turn before."""
    return table.board.state.get(TRUCE) == table.board.state["turn"] - 1


def recovery_phase(table: Table) -> Procedure:
    """15.25, phase B: both throw, both choose at once, the Protestant's spaces recover first (C 6.0, INT-31).

    What the first has taken the second cannot take any more; his next choices take its place only in a ranking.
    """
    points = {}
    for side in SIDES:
        face = roll(table, "loot recovery", side, section=SECTION)
        points[side] = points_of(table, face)
        table.tell("recovery_roll", power=side, roll=face, points=points[side], section=SECTION)
    asked = [side for side in SIDES if open_spaces(table, side)]
    if asked:
        answers = yield InOrder(question(table, side, points[side]) for side in asked)
        for key, order in answers:
            recover(table, key, chosen(table, key, order, points[key]))
    table.set(TRUCE, None)


def question(table: Table, side: str, points: int) -> Question:
    """15.25: which spaces a side lets recover; silence lets none."""
    return Question(
        side, "loot_recovery", ORDERS, default=RecoverNothing(), context={"points": points}, section=SECTION
    )


def recover(table: Table, side: str, spaces: Sequence[str]) -> None:
    """15.251: one level in each of these spaces."""
    for space in spaces:
        looting.lower(table, space, 1, why="recovery", section=SECTION)
        marks.note(table, "turn", DONE, space)
    if spaces:
        table.tell("recovered", power=side, spaces=list(spaces), section=SECTION)
