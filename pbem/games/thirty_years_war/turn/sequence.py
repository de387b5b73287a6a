"""6.0: the sequence of play as a state machine on the board.

The state values ``turn``, ``phase`` and ``segment`` say where the game is; `room.RULES` lists the phases and their
segments. After each step, and whenever somebody is asked, the continuous triggers (`control.triggers`) have done what
they had to. `score.GameEnds`, raised anywhere in a step, ends the game there.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.thirty_years_war import control, score
from pbem.table import marks
from pbem.table.procedure import Procedure, Table

AGAIN = "again"
"""What the procedure of a segment returns to be run again as the next step: a point of rest lies between."""

OVER = "over"
SET_UP = "set_up"


def phases(table: Table) -> list[str]:
    """The phases in the book's order, the set-up first."""
    return list(table.game.rules.phases)


def segments(table: Table, phase: str) -> list[str]:
    """The segments of a phase. Raises `ValueError` for a word that is no phase: a case or a ruling may hold any."""
    known = table.game.rules.phases
    if phase not in known:
        raise ValueError(f"there is no phase {phase}; there are {', '.join(known)}")
    return [name for name, _ in known[phase]]


def next_step(table: Table) -> tuple[str, Procedure] | None:
    """The step that the board says comes next, by name; None when the game is over."""
    state = table.board.state
    if state["phase"] == OVER:
        return None
    phase, segment = state["phase"], state["segment"]
    procedure = dict(table.game.rules.phases[phase])[segment]
    return f"{phase}:{segment}", _step(table, procedure)


def _step(table: Table, procedure: Callable[[Table], Procedure]) -> Procedure:
    try:
        outcome = yield from procedure(table)
        yield from control.triggers(table)
    except score.GameEnds as end:
        finish(table, end)
        return
    if outcome != AGAIN and table.board.state["phase"] != OVER:
        advance(table)


def finish(table: Table, end: score.GameEnds) -> None:
    """The game is over."""
    table.set("winner", end.winner)
    table.set("victory", {"level": end.level, "how": end.how})
    table.tell("game_over", power=end.winner, level=end.level, how=end.how, vp=score.total(table), section=end.section)
    table.set("phase", OVER)


def advance(table: Table) -> None:
    """Go on to the next segment, phase or turn."""
    state = table.board.state
    phase = state["phase"]
    here = segments(table, phase)
    at = here.index(state["segment"]) + 1
    if at < len(here):
        table.set("segment", here[at])
        return
    order = phases(table)
    following = order[order.index(phase) + 1 :]
    if following:
        enter(table, following[0])
    else:
        next_turn(table)


def next_turn(table: Table) -> None:
    """The turn is over; the next one begins with phase A. (That there is a next one `victory.check` has seen to.)"""
    marks.clear(table, "activation")
    marks.clear(table, "turn")
    table.set("turn", table.board.state["turn"] + 1)
    enter(table, next(phase for phase in phases(table) if phase != SET_UP))


def enter(table: Table, phase: str, segment: str | None = None) -> None:
    """Put the game at the start of a phase, or of a segment of it. Raises `ValueError` for one that there is not."""
    known = segments(table, phase)
    if segment is not None and segment not in known:
        raise ValueError(f"there is no segment {segment} of the phase {phase}; there are {', '.join(known)}")
    table.set("segment", segment or known[0])
    table.set("phase", phase)
    table.tell("phase", phase=phase, turn=table.board.state["turn"], section="6.0")
