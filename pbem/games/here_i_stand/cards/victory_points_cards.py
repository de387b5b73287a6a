"""The cards that bring VP by themselves (23.2): 47 Copernicus, 51 Michael Servetus, 84 Julia Gonzaga."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import bonus_vp, number
from pbem.games.here_i_stand.religion.conversion import PROTESTANT
from pbem.games.here_i_stand.victory import conditions
from pbem.games.reformation import hands, marks
from pbem.games.reformation.ground import home_spaces, religion
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

OTTOMAN = "ottoman"


def _why_not_in_victory_phase(table: Table, power: str, moment: Moment, points: int) -> Refused | None:
    """23.2: in the Victory Determination phase the VP have to stop another power's victory by domination."""
    if moment.name != "victory" or conditions.stops_domination(table, power, points):
        return None
    return Refused("victory_not_stopped")


# --- 47: Copernicus ---


def half_protestant(table: Table, power: str) -> bool:
    """47: whether at least half of a power's home spaces are Protestant; unrest does not change a religion."""
    homes = home_spaces(table, power)
    return 2 * sum(1 for space in homes if religion(table, space) == PROTESTANT) >= len(homes)


def copernicus_points(table: Table, power: str) -> int:
    """47: the VP that Copernicus would bring a power (option `copernicus_second_branch`)."""
    if half_protestant(table, power):
        return number(table, 47, "vp")
    return number(table, 47, "vp_less_than_half") if table.options["copernicus_second_branch"] else 0


@event("copernicus", moments=("impulse", "victory"))
def copernicus(table: Table, power: str, moment: Moment) -> Procedure:
    """47: 2 VP with half of the own home spaces Protestant; else 1 VP, and a card drawn or a Protestant one lost."""
    half = half_protestant(table, power)
    bonus_vp(table, power, copernicus_points(table, power), why="copernicus", section="23.2")
    if half:
        return
    way = yield from choose(
        table, power, "option", lambda t: ["draw", "protestant_discards"], section="23.2", number=47
    )
    if way == "draw":
        hands.draw_cards(table, power, number(table, 47, "cards"), "event_draw")
    else:
        hands.random_card(table, PROTESTANT, None, "copernicus", section="6.1")


@playable("copernicus")
def _copernicus(table: Table, power: str, moment: Moment) -> Refused | None:
    points = copernicus_points(table, power)
    if not points:
        return Refused("too_few_protestant_homes")
    return _why_not_in_victory_phase(table, power, moment, points)


# --- 51: Michael Servetus ---


@event("michael_servetus", moments=("impulse", "victory"))
def michael_servetus(table: Table, power: str, moment: Moment) -> None:
    """51: 1 VP; a card of the Protestant, by chance, is discarded."""
    bonus_vp(table, power, number(table, 51, "vp"), why="michael_servetus", section="23.2")
    for _ in range(number(table, 51, "cards")):
        hands.random_card(table, PROTESTANT, None, "michael_servetus", section="6.1")


@playable("michael_servetus")
def _michael_servetus(table: Table, power: str, moment: Moment) -> Refused | None:
    return _why_not_in_victory_phase(table, power, moment, number(table, 51, "vp"))


# --- 84: Julia Gonzaga ---

JULIA = "julia_gonzaga"
"""The mark of the turn in which the card was played and no VP has come of it yet."""


@event("julia_gonzaga")
def julia_gonzaga(table: Table, power: str, moment: Moment) -> None:
    """84: a VP for the Ottoman, if its piracy scores a hit in the Tyrrhenian Sea later in this turn (23.2)."""
    marks.set_mark(table, "turn", JULIA, True, section="23.2")


@playable("julia_gonzaga")
def _julia_gonzaga(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if table.board.state.get("barbary_pirates") else Refused("no_barbary_pirates")


def julia_is_taken(table: Table, zone: str, hits: int) -> None:
    """84, 16.4 step 4: the hits of piracy are known."""
    if hits and zone == table.kit.constants["julia_gonzaga_zone"] and marks.mark(table, "turn", JULIA):
        marks.set_mark(table, "turn", JULIA, None, section="23.2")
        bonus_vp(table, OTTOMAN, number(table, 84, "vp"), why=JULIA, section="23.2")
