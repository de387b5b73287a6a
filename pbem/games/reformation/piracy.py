"""16.4: what both games share of piracy in Europe: how it is ordered, which fortresses guard, and its hits.

Who may plunder whom, the dice of either side and what hits bring is each game's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.reformation.action import Action
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import has_ships
from pbem.games.reformation.ground import in_unrest, kind_of, siege_of
from pbem.table.orders import Name, Order
from pbem.table.procedure import Table
from pbem.table.questions import Question

FORTRESS = "fortress"


class Plunder(Action):
    """Base of the action of both games: the ships of a sea zone against a power."""

    line = "PIRACY IN {sea} AGAINST {power}"
    sea = Name("sea")
    power = Name("power")

    @classmethod
    def targets(cls, table: Table) -> Sequence[str]:
        """The powers that may be plundered at all."""
        return table.board.powers

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for zone in atlas(table).zones:
            if has_ships(table, zone, question.power):
                for target in cls.targets(table):
                    yield cls(sea=zone, power=target)


def thrown_hits(table: Table, what: str, power: str, dice: int, zone: str, section: str) -> int:
    """16.4 steps 3 and 4: throw so many dice and count those that hit."""
    if dice <= 0:
        return 0
    hit_on = table.kit.constants["hit_on"]
    thrown = table.roll(what, power, dice, place=zone, hit_on=hit_on, section=section)
    return sum(1 for die in thrown if die >= hit_on)


def is_guard(table: Table, space: str) -> bool:
    """16.4 step 2: whether a space is a fortress (no key), calm and not besieged."""
    return kind_of(table, space) == FORTRESS and not in_unrest(table, space) and not siege_of(table, space)
