"""21.6: the Schmalkaldic League (card 13)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.here_i_stand.places import OFF
from pbem.games.here_i_stand.religion.conversion import PAPACY, PROTESTANT, electorate_troops
from pbem.games.here_i_stand.victory import score
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER, all_of, leaders_at, move_force, put_leader
from pbem.games.reformation.ground import controller, home_spaces, religion, set_control, steps_from
from pbem.games.reformation.relations import make_war
from pbem.games.reformation.rules import rules
from pbem.table.asking import choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

HAPSBURG = "hapsburg"


def why_not_yet(table: Table) -> Refused | None:
    """21.6: why the league cannot form now; None when it can. Spaces in unrest count.

    In the winter of turn 4 it forms whatever this says (19.8).
    """
    constants = table.kit.constants
    if table.board.state["turn"] < constants["league_first_turn"]:
        return Refused("league_too_early", turn=constants["league_first_turn"])
    number, needed = score.protestant_spaces(table, in_unrest_too=True), constants["league_protestant_spaces"]
    if number < needed:
        return Refused("league_needs_spaces", number=number, needed=needed)
    return None


def form(table: Table) -> Procedure:
    """21.6: the league forms: leaders, control, war, and what is left in Catholic electorates leaves."""
    table.tell("league", power=PROTESTANT, section="21.6")
    for leader, space in table.kit.constants["leagued_electorate_leader_spaces"].items():
        if table.board.pieces[LEADER + leader]["at"] == OFF:
            yield from _leader_joins(table, leader, space)
    turning = [
        space
        for space in home_spaces(table, PROTESTANT)
        if religion(table, space) == PROTESTANT
        and controller(table, space) != PROTESTANT
        and not table.board.state.get(f"fortress:{space}")
    ]
    for space in turning:
        set_control(table, space, PROTESTANT, why="league", section="21.6")
    table.set("league", True, section="21.6")
    for power in (HAPSBURG, PAPACY):
        make_war(table, PROTESTANT, power, why="league", section="21.6")
    for space in turning:
        electorate_troops(table, space)
        yield from rules(table).ships_leave(table, space, PROTESTANT)
    for space in score.electorates(table):
        yield from _leave_catholic_electorate(table, space)


def _nearest(table: Table, start: str, among: Sequence[str]) -> list[str]:
    """Those of some spaces that are nearest to a space, which may be one of them."""
    steps = steps_from(table, start)
    least = min((steps[space] for space in among if space in steps), default=None)
    return [space for space in among if least is not None and steps.get(space) == least]


def _choose_nearest(table: Table, start: str, spaces: Sequence[str], leader: str | None = None) -> Procedure:
    """Q-10: among equally near spaces the Protestant chooses, or the lot does (option `nearest_ties`)."""
    near = _nearest(table, start, spaces)
    if len(near) > 1 and table.options["nearest_ties"] == "lot":
        return table.pick("nearest", near, section="21.6")
    more: dict[str, Any] = {"leader": leader} if leader else {}
    return (
        yield from choose(
            table,
            PROTESTANT,
            "space",
            lambda t: near,
            kind="place_leader" if leader else "retreat",
            section="21.6",
            origin=start,
            **more,
        )
    )


def _leader_joins(table: Table, leader: str, start: str) -> Procedure:
    """21.6: to the stack of Protestant regulars nearest his space; without any to the nearest Protestant home space."""
    stacks = [s for s in atlas(table).spaces if table.board.count(s, PROTESTANT, "regular")]
    homes = [s for s in home_spaces(table, PROTESTANT) if religion(table, s) == PROTESTANT]
    space = yield from _choose_nearest(table, start, stacks or homes, leader)
    if space is not None:
        put_leader(table, leader, space, why="league", section="21.6")


def _leave_catholic_electorate(table: Table, space: str) -> Procedure:
    """21.6: Protestant regulars and leaders in a Catholic electorate go to the nearest Protestant one."""
    there = table.board.count(space, PROTESTANT, "regular") or leaders_at(table, space, PROTESTANT)
    if religion(table, space) == PROTESTANT or not there:
        return
    refuges = [other for other in score.electorates(table) if religion(table, other) == PROTESTANT]
    where = yield from _choose_nearest(table, space, refuges)
    if where is not None:
        move_force(table, all_of(table, space, PROTESTANT), space, where, why="league", section="21.6")
