"""12, 13, 15: the actions on land of both games; each room lists them in a chapter of its own."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.games.reformation import construction, control, movement, siege
from pbem.games.reformation.action import Action
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import (
    Force,
    ForceField,
    bases,
    force_value,
    formations,
    named_force,
    own_owners,
)
from pbem.games.reformation.ground import besieged, in_unrest, neighbours
from pbem.games.reformation.rules import rules
from pbem.table.orders import Name, Number, Order
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question


class Move(Action):
    """Move a formation to an adjacent space for 1 CP, over a pass for 2."""

    action = "move_formation_clear"
    line = "MOVE {force} FROM {origin} TO {space}"
    force = ForceField()
    origin = Name("space")
    space = Name("space")

    def cost(self, table: Table, power: str) -> int | None:
        """13.1 step 3."""
        return movement.step_cost(table, power, self.origin, self.space)

    def row(self, table: Table) -> str:
        """13.1 step 3."""
        return movement.step_action(table, self.origin, self.space)

    def check_action(self, table: Table, power: str) -> None:
        force = named_force(table, power, self.origin, self.force)
        movement.check_move(table, power, self.origin, self.space, force)

    def procedure(self, table: Table, power: str) -> Procedure:
        """13.1."""
        force = named_force(table, power, self.origin, self.force)
        yield from movement.land_move(table, power, self.origin, self.space, force)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        power = question.power
        for origin in bases(table, power):
            forces = formations(table, power, origin)
            for space in neighbours(table, origin, power):
                for force in forces:
                    yield cls(force=force_value(force, power), origin=origin, space=space)

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        power = question.power
        if rules(table).may_fight(table, power):
            return None
        origins = bases(table, power)
        chance.shuffle(origins)
        for origin in origins:
            spaces = list(neighbours(table, origin, power))
            chance.shuffle(spaces)
            forces = formations(table, power, origin)
            chance.shuffle(forces)
            for space in spaces:
                for force in forces:
                    order = cls(force=force_value(force, power), origin=origin, space=space)
                    if question.is_legal(table, order):
                        return order
        return None


class Assault(Action):
    """Assault a space that you have besieged since an earlier impulse, for 1 CP."""

    action = "assault"
    line = "ASSAULT {space} [WITH {force}]"
    space = Name("space")
    force = ForceField(optional=True)

    def named(self, table: Table, power: str) -> Force:
        """The assaulting formation; without WITH, as much as a formation may hold."""
        if self.force is not None:
            return named_force(table, power, self.space, self.force)
        return next(iter(formations(table, power, self.space)), Force())

    def check_action(self, table: Table, power: str) -> None:
        siege.check_assault(table, power, self.space, self.named(table, power))

    def procedure(self, table: Table, power: str) -> Procedure:
        """15.1."""
        yield from siege.assault(table, power, self.space, self.named(table, power))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        power = question.power
        for space in besieged(table):
            if power in table.board.state[f"siege:{space}"]["by"]:
                yield cls(space=space)


class Control(Action):
    """Take control of an unfortified space for 1 CP."""

    action = "control_unfortified_space"
    line = "CONTROL {space}"
    space = Name("space")

    def check_action(self, table: Table, power: str) -> None:
        control.check_control(table, power, self.space)

    def procedure(self, table: Table, power: str) -> Procedure:
        """12.2."""
        yield from control.take_control(table, power, self.space)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space in near_own_units(table, question.power):
            yield cls(space=space)


class Calm(Action):
    """Remove unrest from a space for 1 CP."""

    action = "control_unfortified_space"
    line = "CALM {space}"
    space = Name("space")

    def check_action(self, table: Table, power: str) -> None:
        control.check_calm(table, power, self.space)

    def procedure(self, table: Table, power: str) -> Procedure:
        """12.4."""
        control.calm(table, self.space)
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space in atlas(table).spaces:
            if in_unrest(table, space):
                yield cls(space=space)


def near_own_units(table: Table, power: str) -> list[str]:
    """Spaces with own land units, and those next to them, in the order of the kit."""
    chart = atlas(table)
    near: set[str] = set()
    for place in table.board.units:
        if place in chart.spaces and own_owners(table, place, power):
            near.add(place)
            near.update(chart.open[place])
    return [space for space in chart.spaces if space in near]


class Build(Action):
    """Build units in a home space, your own or (regulars, ships) those of an active minor ally."""

    line = "BUILD [{number}] {unit} IN {space} [FOR {minor}]"
    number = Number(1, 20, optional=True)
    unit = Name("unit")
    space = Name("space")
    minor = Name("minor", optional=True)

    def cost(self, table: Table, power: str) -> int | None:
        """17: the cost of one unit, times the number."""
        each = super().cost(table, power) if self.action else None
        return None if each is None else each * (self.number or 1)

    def owner(self, table: Table, power: str) -> str:
        """Whose counters are built."""
        return self.minor or power

    def built(self, table: Table, power: str) -> str:
        """The kind of unit that comes of it."""
        return str(self.unit)

    def procedure(self, table: Table, power: str) -> Procedure:
        """17."""
        owner, kind = self.owner(table, power), self.built(table, power)
        construction.build(table, power, owner, kind, self.space, self.number or 1)
        return
        yield
