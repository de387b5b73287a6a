"""The cards 8, 12 and 40: the 95 Theses, the keys of Italy, a war by the advice of Machiavelli."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import bonus_vp, draw, number
from pbem.games.here_i_stand.diplomacy import wars
from pbem.games.here_i_stand.religion import attempts
from pbem.games.here_i_stand.sequence import entry
from pbem.games.reformation.ground import controller
from pbem.games.reformation.relations import major_of
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

# --- 8: Luther's 95 Theses ---


@event("luthers_95_theses", moments=("theses",))
def luthers_95_theses(table: Table, power: str, moment: Moment) -> Procedure:
    """8: Luther enters Wittenberg; 5 attempts in the German zone, a die more each, all of them made (18.1)."""
    yield from entry.enter_reformer(table, "luther")
    yield from attempts.reformation_attempts(table, "ninety_five_theses", optional=False)


# --- 12: Master of Italy ---


@event("master_of_italy")
def master_of_italy(table: Table, power: str, moment: Moment) -> None:
    """12: of five Italian keys two bring a major power a card, three 1 bonus VP, four or five 2.

    Keys of an active minor ally count for its major power (22.2).
    """
    keys = table.kit.constants["master_of_italy_keys"]
    for one in table.board.powers:
        held = sum(1 for key in keys if major_of(table.board, controller(table, key) or "") == one)
        if held >= number(table, 12, "keys_for_two_vp"):
            bonus_vp(table, one, number(table, 12, "vp_large"), why="master_of_italy", section="23.2")
        elif held >= number(table, 12, "keys_for_one_vp"):
            bonus_vp(table, one, number(table, 12, "vp_small"), why="master_of_italy", section="23.2")
        elif held == number(table, 12, "keys_for_card"):
            draw(table, one, number(table, 12, "cards"))


# --- 40: Machiavelli ---


@event("machiavelli_the_prince")
def machiavelli_the_prince(table: Table, power: str, moment: Moment) -> Procedure:
    """40: war on a major power, free of cost (9.6), then 2 CP."""
    target = yield from choose(
        table, power, "power", lambda t: _war_targets(t, power), section="9.6", number=40
    )
    yield from wars.war_by_event(table, power, target)
    return number(table, 40, "cp")


@playable("machiavelli_the_prince")
def _machiavelli_the_prince(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _war_targets(table, power) else Refused("nobody_to_declare_war_on")


def _war_targets(table: Table, power: str) -> list[str]:
    return [one for one in table.board.powers if one != power and wars.why_not(table, power, one) is None]
