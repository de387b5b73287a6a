"""7: the sequence of play as a state machine on the board.

The state values ``turn``, ``phase`` and ``segment`` say where the game is. Each phase is a module with

``SEGMENTS``
    ``((name, procedure), ...)`` in the book's order; a procedure takes the table. One that returns `AGAIN` is run
    again as the next step: a point of rest lies between.
``happens(table)``
    whether the phase takes place this turn.

After each step broken sieges are lifted. The VP are computed anew before each question and after each step. An
automatic victory (23.1) ends the game in the middle of a step, where the board changes (`GameEnds`).
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.reformation import marks, siege
from pbem.games.reformation.forces import make_change
from pbem.games.reformation.house import Phase, house
from pbem.games.reformation.ranking import GameEnds, win
from pbem.table.procedure import Procedure, Table

AGAIN = "again"
"""What the procedure of a segment returns to be run again as the next step."""

OVER = "over"


def phase_of(table: Table, phase: str) -> Phase:
    """The phase of a name. Raises `ValueError` for a word that is no phase: a case or a ruling may hold any."""
    phases = house(table).phases
    if phase not in phases:
        raise ValueError(f"there is no phase {phase}; there are {', '.join(phases)}")
    return phases[phase]


def next_step(table: Table) -> tuple[str, Procedure] | None:
    """The step that the board says comes next, by name; None when the game is over."""
    state = table.board.state
    if state["phase"] == OVER:
        return None
    phase, segment = state["phase"], state["segment"]
    procedure = dict(phase_of(table, phase).SEGMENTS)[segment]
    return f"{phase}:{segment}", _step(table, procedure)


def _step(table: Table, procedure: Callable[[Table], Procedure]) -> Procedure:
    try:
        outcome = yield from _with_points(table, _whole(table, procedure))
    except GameEnds as end:
        house(table).settle(table)
        win(table, end.power, end.how)
        return
    if outcome != AGAIN and table.board.state["phase"] != OVER:
        advance(table)


def _whole(table: Table, procedure: Callable[[Table], Procedure]) -> Procedure:
    outcome = yield from procedure(table)
    # 5.2 and 15.3: whatever moved or took units (peace, a card, the winter), stacks must be shown by counters, and
    # sieges that lost their superiority are broken.
    make_change(table)
    yield from siege.check_sieges(table)
    house(table).after_step(table)
    house(table).settle(table)
    house(table).spaces_changed(table)
    return outcome


def _with_points(table: Table, running: Procedure) -> Procedure:
    """23: whenever somebody is asked, also in the middle of an action, the VP stand right and nobody has won."""
    answer = None
    while True:
        try:
            wait = running.send(answer)
        except StopIteration as ended:
            return ended.value
        house(table).settle(table)
        house(table).spaces_changed(table)
        answer = yield wait


def advance(table: Table) -> None:
    """Go on to the next segment, phase or turn."""
    state = table.board.state
    phase, segment = state["phase"], state["segment"]
    segments = [name for name, _ in phase_of(table, phase).SEGMENTS]
    at = segments.index(segment) + 1
    if at < len(segments):
        table.set("segment", segments[at])
        return
    phases = list(house(table).phases)
    for following in phases[phases.index(phase) + 1 :]:
        if phase_of(table, following).happens(table):
            _enter(table, following)
            return
    marks.clear(table, "turn")
    table.set("turn", state["turn"] + 1)
    _enter(table, next(name for name in phases if phase_of(table, name).happens(table)))


def next_in_order(table: Table) -> str | None:
    """A power is done in a round by impulse order: the next one is active, and the segment runs again; else it ends."""
    powers = table.board.powers
    at = powers.index(table.board.state["active"]) + 1
    if at < len(powers):
        table.set("active", powers[at])
        return AGAIN
    table.set("active", None)
    marks.clear(table, "impulse")
    return None


def may_reorder(table: Table) -> bool:
    """Whether the order of play could change at this point of rest: nobody has his place in a round that is under way.

    Other phases go round within one step. An impulse that begins after one that was no pass begins a new row of passes.
    """
    state = table.board.state
    if state["phase"] == "spring":
        return state["segment"] == phase_of(table, "spring").SEGMENTS[0][0]
    if state["phase"] == "action" and state["segment"] == "impulses":
        return not state["passes"] and "turn:skipped" not in state and "cp_left" not in state
    return True


def _enter(table: Table, phase: str) -> None:
    table.set("segment", phase_of(table, phase).SEGMENTS[0][0])
    table.set("phase", phase)
    table.tell("phase", phase=phase, turn=table.board.state["turn"], section="7")


def begin(table: Table, phase: str, segment: str | None = None) -> None:
    """Put the game at the start of a phase, or of a segment of it, for the set-up and for cases.

    Raises `ValueError` for a phase or segment that there is not.
    """
    segments = [name for name, _ in phase_of(table, str(phase)).SEGMENTS]
    if segment is not None and segment not in segments:
        raise ValueError(f"there is no segment {segment} of the phase {phase}; there are {', '.join(segments)}")
    table.set("segment", segment or segments[0])
    table.set("phase", phase)
