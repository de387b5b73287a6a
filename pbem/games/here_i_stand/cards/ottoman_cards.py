"""The cards of the Ottoman armies: 1 and 42."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import number
from pbem.games.reformation import marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.battle import Battle, roll_more
from pbem.games.reformation.construction import check_build
from pbem.games.reformation.forces import LEADER, add_units, can_add, put_leader
from pbem.games.reformation.ground import controller, home_spaces, inside, siege_of, space_of
from pbem.games.reformation.rules import rules
from pbem.table.asking import Moment, choose, confirm
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

OTTOMAN, SULEIMAN, REGULAR = "ottoman", "suleiman", "regular"
FIELD_ROLLED, NAVAL_ROLLED = "field_battle_rolled", "naval_combat_rolled"


# --- 1: Janissaries ---


@event("janissaries", moments=("impulse", FIELD_ROLLED, NAVAL_ROLLED))
def janissaries(table: Table, power: str, moment: Moment) -> Procedure:
    """1: after the dice of a field battle 5 more, of a naval combat 4 more (14 step 7, 16.2 step 6).

    In the own impulse 4 new regulars, split freely over home spaces (17); a foreign war takes its own first (21.7).
    """
    if moment.name == "impulse":
        yield from _new_regulars(table, power)
        return
    battle: Battle = moment["battle"]
    side = battle.side_of(table, power)
    assert side is not None
    at_sea = moment.name == NAVAL_ROLLED
    dice = number(table, 1, "naval_combat_dice" if at_sea else "field_battle_dice")
    roll_more(table, battle, side, dice, table.kit.constants["hit_on"], "janissaries", "16.2" if at_sea else "14")


def _new_regulars(table: Table, power: str) -> Procedure:
    for _ in range(number(table, 1, "regulars")):
        place = yield from choose(table, power, "space", lambda t: _barracks(t, power), section="17", number=1)
        if place is None:
            return
        add_units(table, power, REGULAR, place, 1, why="janissaries", section="17")


def _barracks(table: Table, power: str) -> list[str]:
    """17: the home spaces where a regular could be built; before them a foreign war that wants units (21.7)."""
    first = rules(table).build_elsewhere(table, power)
    if first:
        return [first] if can_add(table, power, REGULAR, first) else []
    return [space for space in home_spaces(table, power) if _may_build(table, power, space)]


def _may_build(table: Table, power: str, space: str) -> bool:
    try:
        check_build(table, power, power, REGULAR, space)
    except Refused:
        return False
    return True


@playable("janissaries")
def _janissaries(table: Table, power: str, moment: Moment) -> Refused | None:
    if moment.name == "impulse":
        return None if _barracks(table, power) else Refused("no_home_for_regulars")
    return None if moment["battle"].side_of(table, power) else Refused("not_in_battle")


# --- 42: Roxelana ---


@event("roxelana")
def roxelana(table: Table, power: str, moment: Moment) -> Procedure:
    """42: 4 CP; a formation with Suleiman may make one assault for nothing, also on a siege begun just now (15.1).

    Another power may send Suleiman alone to Istanbul for 2 of the CP.
    """
    cp = number(table, 42, "cp")
    if power == OTTOMAN:
        marks.set_mark(table, "impulse", "roxelana", SULEIMAN, section="15.1")
        return cp
    if _may_be_sent(table):
        sent = yield from confirm(table, power, "event_choice", section="15.1", number=42, leader=SULEIMAN)
        if sent:
            capital = _capital(table)
            put_leader(table, SULEIMAN, inside(capital) if siege_of(table, capital) else capital, why="roxelana")
            cp -= number(table, 42, "cp_to_send_suleiman")
    return cp


def _capital(table: Table) -> str:
    return atlas(table).capitals[OTTOMAN][0]


def _may_be_sent(table: Table) -> bool:
    """Whether Suleiman is on the map, elsewhere than in his capital, and the Ottoman holds that."""
    at = space_of(table.board.pieces[LEADER + SULEIMAN]["at"])
    capital = _capital(table)
    return at in atlas(table).spaces and at != capital and controller(table, capital) == OTTOMAN
