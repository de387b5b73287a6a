"""8.32: free moves: one unit, or one leader without units, moves without a card."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.combat import siege
from pbem.games.thirty_years_war.map import atlas
from pbem.games.thirty_years_war.marching import march, movement, ways
from pbem.games.thirty_years_war.pieces import PiecesField
from pbem.games.thirty_years_war.turn.activation import Use
from pbem.table.orders import Many, Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table

SAMPLES = 12
"""Of random play: how often an order is tried."""


class MoveFreely(Use):
    """Move one unit, or one leader without units, without a card."""

    line = "MOVE {group} FROM {origin} [TO {way}] [CONTROLLING {controlling}] [RESTORING {restoring}]"
    group = PiecesField()
    origin = Name("space")
    way = ways.Roads(start="origin", optional=True)
    controlling = Many(Name("space"), optional=True, most=ways.MOST_STEPS, along="way")
    restoring = Many(Name("space"), optional=True, most=ways.MOST_STEPS, along="way")

    def check_use(self, table: Table, side: str) -> None:
        piece = self._piece(table, side)
        if not (self.way or self.controlling or self.restoring):
            raise Refused("free_move_goes_nowhere", "8.32")
        ways.check_way(
            table,
            side,
            [piece],
            self.origin,
            self.way or [],
            pieces.movement_allowance(table, piece),
            controlling=self.controlling or [],
            restoring=self.restoring or [],
        )

    def _piece(self, table: Table, side: str) -> str:
        """The one piece that is named. Raises `Refused`."""
        there = pieces.stack(table, self.origin, side)
        named = pieces.chosen(table, self.group, there, "8.32")
        if len(named) != 1:
            raise Refused("one_piece_moves_freely", "8.32", named=len(named))
        piece = named[0]
        if pieces.is_inside(table, piece):
            besieged = siege.is_besieged(table, piece)
            raise Refused("besieged" if besieged else "inside_masked_fortress", "13.16", space=self.origin)
        units = pieces.units(table, self.origin, side)
        if pieces.is_leader(piece) and units and not table.options["leader_leaves_stack"]:
            raise Refused("leader_stays_with_units", "8.32", leader=pieces.face_of(table, piece))
        return piece

    def procedure(self, table: Table, side: str) -> Procedure:
        piece = self._piece(table, side)
        march.begin(table, side, piece, [piece])
        table.tell(
            "free_move", power=side, space=self.origin, pieces=pieces.described(table, [piece]), section="8.32"
        )
        movement.do_tasks(table, self.controlling or [], self.restoring or [])
        yield from control.triggers(table)
        for space in self.way or []:
            if piece not in march.group(table) or not movement.may_go(table, space):
                break
            yield from movement.enter(table, space)
            movement.do_tasks(table, self.controlling or [], self.restoring or [])
            yield from control.triggers(table)
        if pieces.is_unit(piece) and pieces.where(table, piece) in atlas(table).spaces:
            yield from siege.unit_sets_off_assault(table, pieces.where(table, piece), side)
        movement.end(table, side)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for piece in pieces.on_map(table, question.power):
            origin = pieces.where(table, piece)
            for space in atlas(table).neighbours[origin]:
                yield cls(group=pieces.described(table, [piece]), origin=origin, way=[space])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        there = pieces.on_map(table, question.power)
        for _ in range(SAMPLES if there else 0):
            piece = chance.choice(there)
            origin = pieces.where(table, piece)
            if not atlas(table).neighbours[origin]:
                continue
            space = chance.choice(atlas(table).neighbours[origin])
            named = pieces.described(table, [piece])
            taking = [space] if chance.random() < 0.5 else None
            for controlling in (taking, None):
                order = cls(group=named, origin=origin, way=[space], controlling=controlling)
                if question.is_legal(table, order):
                    return order
        return None


USES: tuple[type[Use], ...] = (MoveFreely,)
