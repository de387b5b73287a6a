"""The cards Famines & Plagues: C24 to C27, C51, C55, P36, P37, P51 and P52."""

from __future__ import annotations

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.cards import event
from pbem.games.thirty_years_war.cards.common import number
from pbem.games.thirty_years_war.cards.orders import choose_space
from pbem.games.thirty_years_war.combat import losses
from pbem.games.thirty_years_war.map import atlas, other
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

SECTION = "8.6"


def famine(table: Table, side: str, card: str) -> Procedure:
    """One stack of the enemy in a looted space, whoever is inside a fortress too, loses steps by the loot level.

    The owner chooses which (card text). A unit that is lost can be recruited again (12.33).
    """
    space = yield from choose_space(
        table, side, lambda table: _hungry(table, side), kind="event_space", section=SECTION, card=card
    )
    enemy = other(side)
    steps = number(table, card, f"steps_loot_{control.loot(table, space)}")
    table.tell("famine", power=enemy, space=space, steps=steps, card=card, section=SECTION)
    yield from losses.lose_steps(
        table, enemy, pieces.units(table, space, enemy), steps, space=space, why="famine", section=SECTION
    )


def _hungry(table: Table, side: str) -> list[str]:
    return [
        space
        for space in atlas(table).spaces
        if control.loot(table, space) and pieces.units(table, space, other(side))
    ]


def needs_hungry_enemies(table: Table, side: str, card: str) -> Refused | None:
    """Famines & Plagues need enemy units in a space with a Loot marker."""
    return None if _hungry(table, side) else Refused("no_enemy_in_a_looted_space", SECTION, card=card)


@event("famines_plagues_c24", when=needs_hungry_enemies)
def famines_plagues_c24(table: Table, side: str, card: str) -> Procedure:
    """C24: see `famine`."""
    yield from famine(table, side, card)


@event("famines_plagues_c25", when=needs_hungry_enemies)
def famines_plagues_c25(table: Table, side: str, card: str) -> Procedure:
    """C25: see `famine`."""
    yield from famine(table, side, card)


@event("famines_plagues_c26", when=needs_hungry_enemies)
def famines_plagues_c26(table: Table, side: str, card: str) -> Procedure:
    """C26: see `famine`."""
    yield from famine(table, side, card)


@event("famines_plagues_c27", when=needs_hungry_enemies)
def famines_plagues_c27(table: Table, side: str, card: str) -> Procedure:
    """C27: see `famine`."""
    yield from famine(table, side, card)


@event("famines_plagues_c51", when=needs_hungry_enemies)
def famines_plagues_c51(table: Table, side: str, card: str) -> Procedure:
    """C51: see `famine`."""
    yield from famine(table, side, card)


@event("famines_plagues_c55", when=needs_hungry_enemies)
def famines_plagues_c55(table: Table, side: str, card: str) -> Procedure:
    """C55: see `famine`."""
    yield from famine(table, side, card)


@event("famines_plagues_p36", when=needs_hungry_enemies)
def famines_plagues_p36(table: Table, side: str, card: str) -> Procedure:
    """P36: see `famine`."""
    yield from famine(table, side, card)


@event("famines_plagues_p37", when=needs_hungry_enemies)
def famines_plagues_p37(table: Table, side: str, card: str) -> Procedure:
    """P37: see `famine`."""
    yield from famine(table, side, card)


@event("famines_plagues_p51", when=needs_hungry_enemies)
def famines_plagues_p51(table: Table, side: str, card: str) -> Procedure:
    """P51: see `famine`."""
    yield from famine(table, side, card)


@event("famines_plagues_p52", when=needs_hungry_enemies)
def famines_plagues_p52(table: Table, side: str, card: str) -> Procedure:
    """P52: see `famine`."""
    yield from famine(table, side, card)
