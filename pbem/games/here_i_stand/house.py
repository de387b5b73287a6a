"""What the chapters ask of the room without knowing it: `room` puts it together, the table brings it to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pbem.games.reformation.rules import Rules
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
