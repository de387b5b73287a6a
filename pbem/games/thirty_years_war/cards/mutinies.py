"""The Mutiny cards: C14, C41, P16 and P41."""

from __future__ import annotations

from pbem.games.thirty_years_war import pieces
from pbem.games.thirty_years_war.cards import event
from pbem.games.thirty_years_war.cards.common import more_loot, number
from pbem.games.thirty_years_war.cards.orders import choose_space
from pbem.games.thirty_years_war.combat import losses
from pbem.games.thirty_years_war.map import atlas, other
from pbem.games.thirty_years_war.upkeep import aid
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

SECTION = "8.6"


def mutiny(table: Table, side: str, card: str) -> Procedure:
    """A stack of the enemy that is mostly mercenaries asks for its pay: aid points for each of them, or it riots.

    The enemy pays from the points that he has, if they are enough; else the stack loses steps by its size, mercenaries
    first, and the space goes up in loot.
    """
    space = yield from choose_space(
        table, side, lambda table: _restless(table, side), kind="event_space", section=SECTION, card=card
    )
    enemy = other(side)
    units = pieces.units(table, space, enemy)
    price = number(table, card, "price") * len(_mercenaries(table, units))
    if aid.points(table, enemy) >= price:
        table.tell("mutiny_bought_off", power=enemy, space=space, points=price, card=card, section=SECTION)
        aid.spend(table, enemy, price, why="mutiny", section=SECTION)
        return
    steps = number(table, card, "steps_many" if len(units) >= number(table, card, "many_units") else "steps_few")
    table.tell("mutiny", power=enemy, space=space, steps=steps, price=price, card=card, section=SECTION)
    yield from mercenaries_first(table, enemy, space, steps)
    more_loot(table, space, number(table, card, "loot"), why="mutiny")


def mercenaries_first(table: Table, side: str, space: str, steps: int) -> Procedure:
    """So many steps of a stack go, those of its mercenaries before all others; its owner chooses among equals."""
    there = pieces.units(table, space, side)
    first = _mercenaries(table, there)
    in_them = sum(1 if pieces.is_reduced(table, unit) else 2 for unit in first)
    yield from losses.lose_steps(
        table, side, first, min(steps, in_them), space=space, why="mutiny", section=SECTION
    )
    if steps > in_them:
        rest = [unit for unit in there if unit not in first]
        yield from losses.lose_steps(
            table, side, rest, steps - in_them, space=space, why="mutiny", section=SECTION
        )


def _mercenaries(table: Table, units: list[str]) -> list[str]:
    return [unit for unit in units if pieces.unit_type(table, unit) == pieces.MERCENARY]


def _restless(table: Table, side: str) -> list[str]:
    """The spaces where more than half of the enemy's units are mercenaries."""
    restless = []
    for space in atlas(table).spaces:
        units = pieces.units(table, space, other(side))
        if 2 * len(_mercenaries(table, units)) > len(units):
            restless.append(space)
    return restless


def needs_restless_enemies(table: Table, side: str, card: str) -> Refused | None:
    """A Mutiny needs a space where mercenaries are more than half of the enemy's units."""
    return None if _restless(table, side) else Refused("no_stack_of_mercenaries", SECTION, card=card)


@event("mutiny_c14", when=needs_restless_enemies)
def mutiny_c14(table: Table, side: str, card: str) -> Procedure:
    """C14: see `mutiny`."""
    yield from mutiny(table, side, card)


@event("mutiny_c41", when=needs_restless_enemies)
def mutiny_c41(table: Table, side: str, card: str) -> Procedure:
    """C41: see `mutiny`."""
    yield from mutiny(table, side, card)


@event("mutiny_p16", when=needs_restless_enemies)
def mutiny_p16(table: Table, side: str, card: str) -> Procedure:
    """P16: see `mutiny`."""
    yield from mutiny(table, side, card)


@event("mutiny_p41", when=needs_restless_enemies)
def mutiny_p41(table: Table, side: str, card: str) -> Procedure:
    """P41: see `mutiny`."""
    yield from mutiny(table, side, card)
