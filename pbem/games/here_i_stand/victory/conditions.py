"""23: victory. Automatic in the Action Phase; standard, by domination or at the end in the Victory phase."""

from __future__ import annotations

from pbem.games.here_i_stand.victory import score
from pbem.games.reformation.ranking import (
    DOMINATION,
    HISTORY,
    GameEnds,
    outcome,
    results,
    seat_results,
    stops_domination,
    win,
)
from pbem.games.reformation.rules import rules
from pbem.table.asking import Ask, Moment, Pass, Respond, able, asks_everyone, response
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import InOrder


def happens(table: Table) -> bool:
    """Every turn has a Victory Determination phase."""
    return True


def standard_vp(table: Table) -> int:
    """23.3: the VP that win at the end of a turn (option `tournament_vp`)."""
    scenario = table.board.state["scenario"]
    if scenario == "tournament":
        return table.options["tournament_vp"]
    return table.kit.scenarios[scenario]["victory_vp"]


def look(table: Table) -> None:
    """23.1: raise `GameEnds` on a military or religious victory, in the Action Phase only (or always, by option).

    Called where control, religion or unrest of a space changes, and as a step ends.
    """
    state = table.board.state
    if state["phase"] != "action" and not (
        table.options["automatic_victory_check"] == "at_once" and state["phase"] != "over"
    ):
        return
    for power in table.board.powers:
        if power != score.PROTESTANT and score.uncovers_victory(table, power):
            raise GameEnds(power, "military")
    if score.protestant_spaces(table) >= table.kit.constants["religious_victory_spaces"]:
        raise GameEnds(score.PROTESTANT, "religious")


def determine(table: Table) -> Procedure:
    """23.3: standard victory, domination, the end of the last turn; else the totals are recorded."""
    board = table.board
    yield from victory_cards(table)
    score.settle(table)
    ending = outcome(table)
    if ending is not None:
        return win(table, *ending)
    for power in board.powers:
        table.count(f"{HISTORY}{board.state['turn']}", power, board.value("vp", power))
    return None


def victory_cards(table: Table) -> Procedure:
    """23.2: Copernicus and Michael Servetus may stop another power's victory by domination.

    Nobody is asked where no such victory threatens, which all can see. The powers are asked in impulse order, or all at
    once, sealed (option `victory_cards_order`).
    """
    if table.options["victory_cards_order"] == "at_once":
        yield from _all_at_once(table)
        return
    for power in table.board.powers:
        threat = outcome(table)
        if threat is None or threat[1] != DOMINATION:
            return
        if power != threat[0]:
            moment = Moment("victory", threat[0])
            yield from response(table, moment, [power], kind="victory_cards", section="23.2")


def _all_at_once(table: Table) -> Procedure:
    """Sealed answers, taken up in impulse order; a card that is no longer needed stays in the hand, untold."""
    threat = outcome(table)
    if threat is None or threat[1] != DOMINATION:
        return
    moment = Moment("victory", threat[0])
    everyone = asks_everyone(table, moment)
    context = {"moment": moment.name, "power": moment.power}
    asked = [
        Ask(power, "victory_cards", [Respond, Pass], Pass(), context=dict(context), section="23.2", moment=moment)
        for power in table.board.powers
        if power != threat[0] and (everyone or able(table, power, moment))
    ]
    if not asked:
        return
    answers = yield InOrder(asked)
    for power, order in answers:
        if isinstance(order, Respond) and order.card in rules(table).playable(table, power, moment):
            yield from rules(table).play_card(table, power, order.card, moment)


SEGMENTS = (("determine", determine),)
ORDERS = ()

__all__ = [
    "ORDERS",
    "SEGMENTS",
    "GameEnds",
    "determine",
    "happens",
    "look",
    "outcome",
    "results",
    "seat_results",
    "standard_vp",
    "stops_domination",
    "win",
]
