"""The Recovery cards: C28, C29, C52, C53, P53, P54 and P55 (15.252, C 8.6)."""

from __future__ import annotations

from pbem.games.thirty_years_war import control
from pbem.games.thirty_years_war.cards import event
from pbem.games.thirty_years_war.cards.common import number
from pbem.games.thirty_years_war.cards.orders import choose_spaces
from pbem.games.thirty_years_war.map import atlas
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

SECTION = "15.252"


def recovery(table: Table, side: str, card: str) -> Procedure:
    """C 8.6: so many loot levels go, from any spaces, at most so many from one; the limits of 15.25 do not count."""
    most, in_one = number(table, card, "levels"), number(table, card, "levels_a_space")
    spaces = yield from choose_spaces(
        table,
        side,
        _looted,
        kind="event_recovery",
        least=1,
        most=most,
        times=lambda table, space: min(in_one, control.loot(table, space)),
        section=SECTION,
        card=card,
    )
    for space in spaces:
        control.set_loot(table, space, control.loot(table, space) - 1, why="recovery_card", section=SECTION)


def _looted(table: Table) -> list[str]:
    return [space for space in atlas(table).spaces if control.loot(table, space)]


def needs_loot(table: Table, side: str, card: str) -> Refused | None:
    """A Recovery card needs a Loot marker on the map."""
    return None if _looted(table) else Refused("no_loot_on_the_map", SECTION, card=card)


@event("recovery_c28", when=needs_loot)
def recovery_c28(table: Table, side: str, card: str) -> Procedure:
    """C28: see `recovery`."""
    yield from recovery(table, side, card)


@event("recovery_c29", when=needs_loot)
def recovery_c29(table: Table, side: str, card: str) -> Procedure:
    """C29: see `recovery`."""
    yield from recovery(table, side, card)


@event("recovery_c52", when=needs_loot)
def recovery_c52(table: Table, side: str, card: str) -> Procedure:
    """C52: see `recovery`."""
    yield from recovery(table, side, card)


@event("recovery_c53", when=needs_loot)
def recovery_c53(table: Table, side: str, card: str) -> Procedure:
    """C53: see `recovery`."""
    yield from recovery(table, side, card)


@event("recovery_p53", when=needs_loot)
def recovery_p53(table: Table, side: str, card: str) -> Procedure:
    """P53: see `recovery`."""
    yield from recovery(table, side, card)


@event("recovery_p54", when=needs_loot)
def recovery_p54(table: Table, side: str, card: str) -> Procedure:
    """P54: see `recovery`."""
    yield from recovery(table, side, card)


@event("recovery_p55", when=needs_loot)
def recovery_p55(table: Table, side: str, card: str) -> Procedure:
    """P55: see `recovery`."""
    yield from recovery(table, side, card)
