"""11.16: foraging: an army of some size loots what it passes, or loses steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.combat import losses
from pbem.games.thirty_years_war.map import atlas
from pbem.games.thirty_years_war.marching.march import change, march
from pbem.table.orders import Many, Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

SECTION = "11.16"
FORAGE = "forage"
MOST_SPACES = 4


class Forage(Order):
    """Say which spaces that the army has passed are looted; a space named twice is looted by two levels."""

    line = "FORAGE {spaces}"
    when = "where an army finds its food at the end of its march"
    spaces = Many(Name("space"), most=MOST_SPACES)

    def check(self, table: Table, question: Question) -> None:
        check_spaces(table, question.context, self.spaces)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        open_to = question.context["spaces"]
        for space in open_to:
            yield cls(spaces=[space])
            for second in open_to:
                yield cls(spaces=[space, second])


def need(table: Table, units: int) -> int:
    """11.16: how many levels an army of so many units has to loot."""
    rows = table.kit.tables["forage"].values()
    return next((row["levels"] for row in rows if row["minimum"] <= units <= row["maximum"]), 0)


def room(table: Table, space: str) -> int:
    """How many levels a space can still be looted by."""
    return table.kit.constants["highest_loot"] - control.loot(table, space)


def armies(table: Table) -> list[Mapping[str, Any]]:
    """The armies of this activation that have moved, each with its units and the spaces that it entered (C 10.12)."""
    under_way = march(table)
    last = {name: under_way[name] for name in ("counted", "start", "path")}
    return [army for army in [*under_way["owed"], last] if _has_marched(table, army)]


def _has_marched(table: Table, army: Mapping[str, Any]) -> bool:
    """INT-64: whether an army has taken a step that is not just one into or out of the United Provinces."""
    boxes = atlas(table).boxes
    steps = zip([army["start"], *army["path"]], army["path"], strict=False)
    return any(origin not in boxes and space not in boxes for origin, space in steps)


def open_spaces(table: Table, army: Mapping[str, Any]) -> list[str]:
    """INT-10, INT-64: where an army can loot: what it entered, no box of the United Provinces (option: its start)."""
    passed = list(dict.fromkeys(army["path"]))
    if table.options["forage_at_start"]:
        passed.insert(0, army["start"])
    return [space for space in passed if space not in atlas(table).boxes and room(table, space)]


def check_spaces(table: Table, asked: Mapping[str, Any], spaces: Sequence[str]) -> None:
    """11.16, INT-63: raise `Refused` unless just the need is looted in spaces passed. `asked`: spaces and levels."""
    for space in dict.fromkeys(spaces):
        if space not in asked["spaces"]:
            raise Refused("forage_not_passed", SECTION, space=space, spaces=asked["spaces"])
        if spaces.count(space) > room(table, space):
            raise Refused("forage_looted_already", SECTION, space=space, room=room(table, space))
    wanted = asked["levels"]
    enough = len(spaces) == wanted or (table.options["forage_at_least"] == "more" and len(spaces) > wanted)
    if not enough:
        raise Refused("forage_need", SECTION, levels=wanted, named=len(spaces))


def forage(table: Table) -> Procedure:
    """11.16, 11.161: the armies of `march.march` satisfy their needs, once in an activation.

    `battle.field_battle` runs it after the losses and before the winner is known (11.162: who wins and then starves
    has lost); `movement` runs it where no battle was. Does nothing without a march, and the second time.
    """
    under_way = march(table)
    if not under_way or under_way.get("foraged"):
        return
    change(table, foraged=True)
    for army in armies(table):
        yield from _forage(table, army)


def _forage(table: Table, army: Mapping[str, Any]) -> Procedure:
    """11.16: one army; what cannot be looted costs steps (C 11.b)."""
    side = march(table)["side"]
    levels = need(table, len(army["counted"]))
    spaces = open_spaces(table, army)
    possible = min(levels, sum(room(table, space) for space in spaces))
    if possible:
        looted = yield from _choose(table, side, spaces, possible)
        for space in looted:
            control.set_loot(table, space, control.loot(table, space) + 1, why="forage", section=SECTION)
        table.tell("foraged", power=side, spaces=looted, section=SECTION)
    missing = levels - possible
    units = [unit for unit in army["counted"] if pieces.where(table, unit) in atlas(table).spaces]
    if missing and units:
        table.tell("starving", power=side, steps=missing, section=SECTION)
        space = march(table)["space"]
        yield from losses.lose_steps(table, side, units, missing, space=space, why="forage", section=SECTION)


def _choose(table: Table, side: str, spaces: Sequence[str], levels: int) -> Procedure:
    """Value: the spaces that are looted; nobody is asked who has no choice, or has said it with the activation."""
    if levels == sum(room(table, space) for space in spaces):
        return [space for space in spaces for _ in range(room(table, space))]
    if len(spaces) == 1:
        return [spaces[0]] * levels
    asked = {"spaces": list(spaces), "levels": levels}
    said = march(table).get("foraging")
    if said:
        try:
            check_spaces(table, asked, said)
        except Refused:
            pass  # it was said before the battle, and of another army perhaps: now he is asked
        else:
            return list(said)
    answer = yield Question(side, FORAGE, [Forage], _least_harm, context=asked, section=SECTION)
    return answer.spaces


def _least_harm(table: Table, question: Question) -> Order:
    """Silence: the least looted spaces first, own ones last."""
    side = question.power

    def harm(space: str) -> tuple[bool, int, int]:
        own = control.holder(table, space) == side
        return (own, control.loot(table, space), question.context["spaces"].index(space))

    ranked = sorted(question.context["spaces"], key=harm)
    levels = [space for level in range(2) for space in ranked if room(table, space) > level]
    return Forage(spaces=levels[: question.context["levels"]])


ORDERS: tuple[type[Order], ...] = (Forage,)
