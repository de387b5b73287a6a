"""What the chapters ask of the room without knowing it: `room` puts it together, the table brings it to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pbem.games.reformation.rules import Rules
from pbem.table.asking import Moment
from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


class Phase(Protocol):
    """The module of a phase."""

    SEGMENTS: Sequence[tuple[str, Callable[[Table], Procedure]]]
    """Its segments by name, in the book's order."""

    def happens(self, table: Table) -> bool:
        """Whether the phase takes place in this turn."""


@dataclass(frozen=True)
class HouseRules(Rules):
    """The rules of this game, and where its parts are.

    ``phases``        the phases by name, in the book's order (7)
    ``actions``       the kinds of action that CP may be spent on (11.1)
    ``after_piracy``  what follows the dice of piracy: functions of table, zone and hits (16.4)
    """

    phases: Mapping[str, Phase] = field(default_factory=dict)
    actions: tuple[type[Order], ...] = ()
    after_piracy: tuple[Callable[[Table, str, int], None], ...] = ()


def house(table: Table) -> HouseRules:
    """The rules of the game on the table."""
    return table.game.rules


ACTION_AT = {
    "any_time": "impulse",
    "event_declared": "event",
    "land_move": "move",
    "charles_moves": "move",
    "field_battle": "battle",
    "field_battle_cards": "battle",
    "field_battle_rolled": "battle",
    "assault": "assault",
    "assault_cards": "assault",
    "assault_rolled": "assault",
    "naval_move": "naval_move",
    "naval_roll": "naval_move",
    "naval_combat_cards": "naval_combat",
    "naval_combat_rolled": "naval_combat",
}
"""moment -> the kind of action that it belongs to, where that is not its own name"""


def of_moment(table: Table, moment: Moment) -> dict[str, Any]:
    """What a window says of its moment besides: the kind of action, and the CP left."""
    left = table.board.state.get("cp_left")
    return {"action": ACTION_AT.get(moment.name, moment.name), **({} if left is None else {"cp_left": left})}
