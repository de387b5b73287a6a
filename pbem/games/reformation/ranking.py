"""23 (Virgin Queen: 25): who wins in the Victory phase, and the ranking. What the two games count alike.

The VP are those of the track ``vp``, which `HouseRules.settle` brings up to date from the board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.reformation.house import house
from pbem.table.procedure import Table

HISTORY = "vp_of_turn:"
"""Tracks of the VP at the end of each turn, for ties: ``vp_of_turn:<n>``."""

DOMINATION = "domination"
LOWER_FIRST = "lower_then_higher"


class GameEnds(Exception):
    """23.1: an automatic victory ends the game at that moment: whatever runs is left where it stands."""

    def __init__(self, power: str, how: str):
        super().__init__(power, how)
        self.power, self.how = power, how


def win(table: Table, power: str, how: str) -> None:
    """The game is over."""
    table.set("winner", power)
    table.set("victory", how)
    table.tell("victory", power=power, how=how, section=house(table).victory_section)
    table.set("phase", "over")


def ranked(table: Table, more: Mapping[str, int] | None = None) -> list[str]:
    """23.3: the powers by VP, ties by the totals of earlier turns, the latest first.

    `more`: VP that powers would have besides.
    """
    board = table.board

    def key(power: str) -> tuple[int, ...]:
        earlier = [board.value(f"{HISTORY}{turn}", power) for turn in range(board.state["turn"] - 1, 0, -1)]
        return (-total(table, power, more), *(-points for points in earlier))

    return sorted(board.seated(), key=key)


def total(table: Table, power: str, more: Mapping[str, int] | None = None) -> int:
    """The VP of a power, with those that it would have besides."""
    return house(table).points(table, power) + (more or {}).get(power, 0)


def outcome(table: Table, more: Mapping[str, int] | None = None) -> tuple[str, str] | None:
    """23.3: who wins in the Victory phase and how: ``standard``, ``domination`` or, at the end, ``time``; or None."""
    board, constants = table.board, table.kit.constants
    order = ranked(table, more)
    first, second = (total(table, power, more) for power in order[:2])
    scenario = table.kit.scenarios[board.state["scenario"]]
    wanted = house(table).standard_vp(table)
    if first >= wanted:
        return order[0], "standard"
    if board.state["turn"] >= constants["domination_first_turn"] and first - second >= constants["domination_lead"]:
        return order[0], DOMINATION
    if board.state["turn"] >= scenario["last_turn"]:
        return order[0], "time"
    return None


def stops_domination(table: Table, power: str, points: int) -> bool:
    """23.2: whether so many VP for a power would stop another power's victory by domination."""
    threat = outcome(table)
    if threat is None or threat[1] != DOMINATION or threat[0] == power:
        return False
    return outcome(table, {power: points}) != threat


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


def seat_points(table: Table, powers: Sequence[str], values: Mapping[str, int]) -> int:
    """3.1: the score of a seat from those of its powers (option `two_power_score`; one power: its own)."""
    points = [values[power] for power in powers]
    if table.options["two_power_score"] in ("lower", LOWER_FIRST):
        return min(points)
    return sum(points) if table.options["two_power_score"] == "sum" else sum(points) // len(points)


def seat_score(table: Table, powers: Sequence[str], values: Mapping[str, int]) -> tuple[int, ...]:
    """3.1: what seats are compared by: their score, and by option the VP of the higher power after it."""
    score = seat_points(table, powers, values)
    if table.options["two_power_score"] == LOWER_FIRST:
        return score, max(values[power] for power in powers)
    return (score,)


def seat_order(table: Table, powers: Sequence[str]) -> tuple[int, ...]:
    """A key that sorts seats, the best first: by what they are compared by now, then in earlier turns, latest first."""
    board = table.board
    tracks = ["vp", *(f"{HISTORY}{turn}" for turn in range(board.state["turn"] - 1, 0, -1))]
    scores = [seat_score(table, powers, {power: board.value(track, power) for power in powers}) for track in tracks]
    return tuple(-points for score in scores for points in score)


def seat_results(table: Table, seats: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """The ranking of seats that hold one or several powers: who holds the winner first, the others by their score.

    Ties by the scores of earlier turns. ``{"powers", "points", "place", "notes"}``.
    """
    board = table.board
    winner = board.state.get("winner")

    def key(powers: Sequence[str]) -> tuple[Any, ...]:
        return (winner not in powers, *seat_order(table, powers))

    vp = {power: board.value("vp", power) for power in board.powers}
    how = board.state.get("victory", "")
    return [
        {
            "powers": list(powers),
            "points": seat_points(table, powers, vp),
            "place": place,
            "notes": [how] if how and winner in powers else [],
        }
        for place, powers in enumerate(sorted(seats, key=key), start=1)
    ]
