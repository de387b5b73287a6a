"""What conditions of standing orders and programs may ask, as a side sees it; the names stand in ``standing.json``.

Nothing here knows more than the side: the table is its view, the facts are what it was told. What a question is about
stands in its context (space, strengths, cards shown); what came of a march and its battle is read from what was told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.combat.siege import SIEGE
from pbem.games.thirty_years_war.map import atlas
from pbem.games.thirty_years_war.marching.reaction import FORT_REACTION
from pbem.games.thirty_years_war.turn import deck
from pbem.table.facts import Fact
from pbem.table.procedure import Table
from pbem.table.questions import Question


def conditions(table: Table, side: str, question: Question | None, facts: Sequence[Fact]) -> dict[str, Any]:
    """Name -> value, besides the question's context, the board's values, counters and tracks."""
    return {
        "vp": table.board.counter("vp"),
        "cards": len(deck.held(table, side)),
        "at": pieces.spaces_with(table, side, units_only=True),
        "controls": [space for space in atlas(table).spaces if control.holder(table, space) == side],
        "besieged": [name.removeprefix(SIEGE) for name in table.board.state if name.startswith(SIEGE)],
        **of_the_march(side, facts),
        **_of_the_question(question),
    }


def of_the_march(side: str, facts: Sequence[Fact]) -> dict[str, Any]:
    """What has come of the marches and battles that the facts tell: the last battle counts, and the last fortress."""
    known: dict[str, Any] = {"won": False, "lost": False, "inside": False, "overran": False, "taken": [], "killed": []}
    for fact in facts:
        if fact["fact"] == "state" and fact["name"].startswith(control.CONTROL) and fact.get("after") == side:
            known["taken"].append(fact["name"].removeprefix(control.CONTROL))
        if fact["fact"] != "happened":
            continue
        what = fact["what"]
        if what == "battle_won" and side in (fact["side"], fact["loser"]):
            known |= {"won": fact["side"] == side, "lost": fact["loser"] == side}
        elif what == "fort_reaction" and fact["power"] != side:
            known["inside"] = fact["inside"]
        elif what == "overrun" and fact["side"] == side:
            known["overran"] = True
        elif what in ("leader_killed", "leader_lost"):
            known["killed"].append(fact["leader"])
    return known


def _of_the_question(question: Question | None) -> dict[str, Any]:
    """What a question of a fortress says in words of its own, so that conditions ask it like one of a battle."""
    if question is None or question.kind != FORT_REACTION:
        return {}
    asked = question.context
    return {"strength": asked["enemy"], "defence": asked["own"], "odds": asked["ratio"]}
