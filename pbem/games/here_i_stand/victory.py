"""23: victory. Automatic in the Action Phase; standard, by domination or at the end in the Victory phase."""

from __future__ import annotations

from typing import Any

from pbem.games.here_i_stand import score
from pbem.table.procedure import Procedure, Table

HISTORY = "vp_of_turn:"
"""Tracks of the VP at the end of each turn, for ties (23.3): ``vp_of_turn:<n>``."""


def happens(table: Table) -> bool:
    """Every turn has a Victory Determination phase."""
    return True


def automatic(table: Table) -> bool:
    """23.1: military or religious victory, in the Action Phase only (or at once, by option). Ends the game if so."""
    state = table.board.state
    if state["phase"] != "action" and not (
        table.options["automatic_victory_check"] == "at_once" and state["phase"] != "over"
    ):
        return False
    for power in table.board.powers:
        if power != score.PROTESTANT and score.uncovers_victory(table, power):
            win(table, power, "military")
            return True
    if score.protestant_spaces(table) >= table.kit.constants["religious_victory_spaces"]:
        win(table, score.PROTESTANT, "religious")
        return True
    return False


def win(table: Table, power: str, how: str) -> None:
    """The game is over."""
    table.set("winner", power)
    table.set("victory", how)
    table.tell("victory", power=power, how=how, section="23")
    table.set("phase", "over")


def ranked(table: Table) -> list[str]:
    """23.3: the powers by VP, ties by the totals of earlier turns, the latest first."""
    board = table.board

    def key(power: str) -> tuple[int, ...]:
        earlier = [board.value(f"{HISTORY}{turn}", power) for turn in range(board.state["turn"] - 1, 0, -1)]
        return (-board.value("vp", power), *(-points for points in earlier))

    return sorted(board.powers, key=key)


def determine(table: Table) -> Procedure:
    """23.3: standard victory, domination, the end of the last turn; else the totals are recorded."""
    board, constants = table.board, table.kit.constants
    yield from victory_cards(table)
    score.settle(table)
    order = ranked(table)
    first, second = (board.value("vp", power) for power in order[:2])
    scenario = table.kit.scenarios[board.state["scenario"]]
    wanted = table.options["tournament_vp"] if board.state["scenario"] == "tournament" else scenario["victory_vp"]
    if first >= wanted:
        return win(table, order[0], "standard")
    if board.state["turn"] >= constants["domination_first_turn"] and first - second >= constants["domination_lead"]:
        return win(table, order[0], "domination")
    if board.state["turn"] >= scenario["last_turn"]:
        return win(table, order[0], "time")
    for power in board.powers:
        table.count(f"{HISTORY}{board.state['turn']}", power, board.value("vp", power))
    return None


def victory_cards(table: Table) -> Procedure:
    """23.2: Copernicus and Michael Servetus may stop another power's victory by domination."""
    return
    yield


def results(table: Table) -> list[dict[str, Any]]:
    """The ranking: the winner first, the others by VP."""
    order = ranked(table)
    winner = table.board.state.get("winner")
    if winner:
        order = [winner, *(power for power in order if power != winner)]
    notes = [table.board.state.get("victory", "")]
    return [
        {
            "power": power,
            "points": table.board.value("vp", power),
            "place": place,
            "notes": [note for note in notes if note] if power == winner else [],
        }
        for place, power in enumerate(order, start=1)
    ]


SEGMENTS = (("determine", determine),)
ORDERS = ()
