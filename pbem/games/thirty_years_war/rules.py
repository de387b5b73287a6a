"""What the chapters ask of the room, so that no chapter imports another one that imports it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.games.thirty_years_war.control import Trigger
from pbem.table.procedure import Procedure, Table

Segment = Callable[[Table], Procedure]
"""A segment of a phase: a procedure of the table; one that returns `sequence.AGAIN` is run again as the next step."""


@dataclass
class Rules:
    """The lists of the room; `room` fills them."""

    phases: dict[str, tuple[tuple[str, Segment], ...]] = field(default_factory=dict)
    """phase -> its segments in the book's order (6.0)"""
    triggers: Sequence[Trigger] = ()
    """2.15: what is looked at after every step, in this order"""
    uses: Sequence[Any] = ()
    """8.2: the kinds of order that an activation may be used for (`activation.Use`)"""
    play_event: Callable[..., Procedure] | None = None
    """8.6: the event of a card takes place: table, side, card; ``after_use`` where it follows another use (C 8.6)"""
