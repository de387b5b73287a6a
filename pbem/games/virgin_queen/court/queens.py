"""9.5, 21, 23.3: Mary and Elizabeth, deaths of Royals; the cost of war between England and Spain.

State: ``mary`` (absent: not in play before turn 2, or alive in Scotland: `mary_state` tells) ``scotland, captured,
dead``; ``mary_executed``, ``excommunicated`` true; the mark ``turn:mary_counts`` true in the turn in which Elizabeth's
death had a captured Mary executed: a rebellion of the English Catholics later in it still has her dice.
"""

from __future__ import annotations

from pbem.games.reformation import hands
from pbem.games.reformation.marks import mark, set_mark
from pbem.games.virgin_queen.court import royals
from pbem.games.virgin_queen.powers import majors
from pbem.games.virgin_queen.powers.majors import ENGLAND
from pbem.games.virgin_queen.sequence import leaders
from pbem.games.virgin_queen.victory import score
from pbem.table.asking import confirm
from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table

SECTION = "23.3"
MARY, ELIZABETH = "mary_scots", "elizabeth_i"
SCOTLAND, CAPTURED, DEAD = "scotland", "captured", "dead"
COUNTS = "mary_counts"


# --- 9.5 ---


def war_cost(table: Table) -> int:
    """9.5: the CP that a declaration of war between England and Spain costs now (option `war_cost_of_mary`)."""
    constants, state = table.kit.constants, table.board.state
    cost = constants["eng_spa_dow_cost"]
    if state.get("excommunicated"):
        cost += constants["eng_spa_excommunicated"]
    executed = bool(state.get("mary_executed"))
    was_captured = state.get("mary") == CAPTURED or (executed and table.options["war_cost_of_mary"] == "cumulative")
    if was_captured:
        cost += constants["eng_spa_mary_captured"]
    if executed:
        cost += constants["eng_spa_mary_executed"]
    return max(constants["eng_spa_dow_least"], cost)


# --- Mary ---


def mary_state(table: Table) -> str | None:
    """23.3: ``scotland, captured, dead``, or None before she is in play."""
    state = table.board.state.get("mary")
    if state is not None:
        return str(state)
    entry = table.kit.tables["royals"][MARY]["entry_turn"]
    return SCOTLAND if table.board.state["turn"] >= entry else None


def is_captured(table: Table) -> bool:
    """23.3: whether England holds Mary."""
    return mary_state(table) == CAPTURED


def mary_helps(table: Table, *, rebellion: bool) -> bool:
    """23.3: whether Mary gives dice to a plot; to a rebellion also in the turn in which Elizabeth's death kills her."""
    return is_captured(table) or (rebellion and bool(mark(table, "turn", COUNTS)))


def capture_mary(table: Table, section: str = SECTION) -> None:
    """23.3: Scotland fell to England or the Protestant: Mary is captured in England. She may not be betrothed any more.

    Nothing happens unless she is alive in Scotland; that she has married does not save her (option
    `mary_once_married`, GB-70).
    """
    if mary_state(table) != SCOTLAND:
        return
    if table.options["mary_once_married"] == "safe" and not royals.is_eligible(table, MARY):
        return
    table.tell("mary_captured", power=ENGLAND, royal=MARY, section=section)
    table.set("mary", CAPTURED, section=section)
    royals.leaves(table, MARY, "mary_captured", section)


def execute_mary(table: Table, section: str = SECTION) -> None:
    """23.3: England executes a captured Mary: she is dead, for -1 VP, and war with Spain is cheaper (9.5)."""
    table.tell("mary_executed", power=ENGLAND, royal=MARY, section=section)
    table.set("mary", DEAD, why="mary_executed", section=section)
    table.set("mary_executed", True, why="mary_executed", section=section)
    score.award(table, ENGLAND, "mary_executed", table.kit.constants["mary_executed_vp"], section=section)


def mary_dies(table: Table, section: str = "21.1") -> None:
    """21.1: Mary dies in childbirth: dead as if executed, but without the VP."""
    table.set("mary", DEAD, why="wife_dies", section=section)


def offer_execution(table: Table) -> Procedure:
    """23.3: after a plot that failed England may execute a captured Mary; silence spares her."""
    if not is_captured(table) or ENGLAND not in table.board.powers:
        return
    agreed = yield from confirm(table, ENGLAND, "execute_mary", section=SECTION, royal=MARY)
    if agreed:
        execute_mary(table)


# --- Elizabeth ---


def elizabeth_lives(table: Table) -> bool:
    """23.3: whether Elizabeth is alive."""
    return ELIZABETH not in table.board.state.get("dead_rulers", ())


def elizabeth_dies(table: Table, why: str, section: str = SECTION) -> None:
    """23.3: Elizabeth is dead: no Royal any more, her home card out of the game, England's ruler without a bonus; a
    captured Mary is executed at once, whose dice a rebellion later in this turn still has."""
    if not elizabeth_lives(table):
        return
    majors.ruler_dies(table, ENGLAND, why, section)
    royals.leaves(table, ELIZABETH, why, section)
    for card in (str(number) for number in table.kit.constants["cards_of_elizabeth"]):
        pile = next((name for name, cards in table.board.piles.items() if card in cards), None)
        if pile is not None and pile != hands.REMOVED:
            table.card(card, pile, hands.REMOVED, why="ruler_dies", section=section)
    if is_captured(table):
        execute_mary(table, section)
        set_mark(table, "turn", COUNTS, True)


# --- deaths of Royals ---


def royal_dies(table: Table, royal: str, why: str, section: str) -> None:
    """21.1, 21.4, 23: a Royal is dead: off the table, a betrothal is over; a ruler's values are those of the dead; an
    army leader leaves the game (5.1)."""
    if royal == ELIZABETH:
        elizabeth_dies(table, why, section)
        return
    royals.leaves(table, royal, why, section)
    row = royals.row(table, royal)
    if row["ruler_of"]:
        majors.ruler_dies(table, row["ruler_of"], why, section, ruler=royal)
    if row["army_leader"]:
        leaders.leaves_the_game(table, row["army_leader"], why, section)


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
