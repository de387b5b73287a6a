"""16.1, 16.3: the naval move and naval transport as actions of both games."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.games.reformation import fleets, naval
from pbem.games.reformation.action import Action, spend
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import positions_near
from pbem.games.reformation.forces import ForceField, force_value, formations, named_force, own_owners
from pbem.games.reformation.naval import Leg
from pbem.games.reformation.transport import check_transport, transport, ways
from pbem.table.orders import Many, Name, Order
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question


class Sail(Action):
    """Move ships, each to an adjacent sea zone or port, all of them at once for 1 CP."""

    action = "naval_move"
    line = "SAIL {legs}"
    legs = Many(Leg)

    def check_action(self, table: Table, power: str) -> None:
        naval.check_naval_move(table, power, self.legs)

    def procedure(self, table: Table, power: str) -> Procedure:
        """16.1."""
        yield from naval.naval_move(table, power, self.legs)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for origin in fleets.fleets_at(table, question.power):
            for place in positions_near(table, origin):
                yield cls(legs=[Leg(fleet={"all": True}, origin=origin, place=place)])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        legs = naval.random_legs(table, question.power, chance)
        order = cls(legs=legs) if legs else None
        return order if order is not None and question.is_legal(table, order) else super().sample(
            table, question, chance
        )


# --- 16.3: naval transport ---


class Transport(Action):
    """Carry a formation of at most 5 units over sea zones with your ships to a port, 1 CP a zone and 1 to land."""

    action = "move_formation_clear"
    line = "TRANSPORT {force} FROM {origin} VIA {seas} TO {space}"
    force = ForceField()
    origin = Name("space")
    seas = Many(Name("sea"), most=14)
    space = Name("space")

    def row(self, table: Table) -> str:
        """A row of its own, where the table of the game has one."""
        return "transport_step" if "transport_step" in table.kit.tables["actions"] else self.action

    def check_action(self, table: Table, power: str) -> None:
        force = named_force(table, power, self.origin, self.force)
        check_transport(table, power, force, self.origin, self.seas, self.space)

    def procedure(self, table: Table, power: str) -> Procedure:
        """16.3."""
        force = named_force(table, power, self.origin, self.force)
        pay = lambda t, cp: spend(t, cp, "transport")  # noqa: E731
        yield from transport(table, power, force, self.origin, self.seas, self.space, pay)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        power, cp = question.power, table.board.state.get("cp_left", 0)
        most = table.kit.constants["transport_units"]
        for origin in atlas(table).spaces:
            if atlas(table).ports[origin] and own_owners(table, origin, power):
                forces = [force for force in formations(table, power, origin) if force.size() <= most]
                for zones, space in ways(table, power, origin, cp):
                    for force in forces:
                        yield cls(force=force_value(force, power), origin=origin, seas=zones, space=space)
