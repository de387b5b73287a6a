"""What conditions of standing orders and programs may ask in *Struggle of Empires*, as a power sees it.

The names stand in the kit's ``standing.json``. Who fights whom and where is in the context of each question of a fight;
here is what has to be worked out, of an attack and of the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.struggle_of_empires.fight import ATTACKER, DEFENDER, LAND, SEA
from pbem.table.facts import Fact
from pbem.table.procedure import Table
from pbem.table.questions import Question


def conditions(table: Table, power: str, question: Question | None, facts: Sequence[Fact]) -> dict[str, Any]:
    """Name -> value. `facts` are what the power was told since its program began; the last fight it was in counts."""
    strengths = question.context.get("strengths", {}) if question is not None else {}
    asked = _fight_asked_about(question) if question is not None else LAND
    decisive = strengths.get(asked) or strengths.get(LAND) or strengths.get(SEA) or {}
    left = question.context.get("actions_left") if question is not None else None
    return {
        "first_action": left == table.kit.constants["actions_a_round"],
        "sea": SEA in strengths,
        "land": LAND in strengths,
        "strength": decisive.get(ATTACKER),
        "defence": decisive.get(DEFENDER),
        "at": list(dict.fromkeys(place for place, of, _, _ in table.board.units_everywhere() if of == power)),
        **_last_fight(power, facts),
    }


def _fight_asked_about(question: Question) -> str:
    """The fight that an answer is about; on land where both may come."""
    if question.kind == "sea_fight":
        return SEA
    fight = question.context.get("fight")
    return fight if fight in (SEA, LAND) else LAND


def _last_fight(power: str, facts: Sequence[Fact]) -> dict[str, bool]:
    for fact in reversed(facts):
        if fact["fact"] == "happened" and fact["what"] == "fight":
            roles = [side["side"] for side in fact["sides"] if side["name"] == power]
            if roles:
                return {"won": fact["winner"] in roles, "lost": fact["winner"] not in (None, *roles)}
    return {"won": False, "lost": False}
