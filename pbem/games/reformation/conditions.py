"""What the conditions of standing orders and programs may ask in the Reformation games (`pbem.table.conditions`).

The table is a seat's view, so nothing here can know more than the seat. Names of the last action (``intercepted, moved,
avoided, withdrew, won, lost, taken``) come from the facts that the seat was told since its program began: the last
action begins where CP were last spent on one. Names of the question (``space, power, strength, own_strength,
outnumbered, action``) stand in its context, or are found on the board for the place that it names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import fleet
from pbem.games.reformation.forces import count_land, own_owners
from pbem.games.reformation.ground import inside
from pbem.games.reformation.relations import own
from pbem.table.facts import Fact
from pbem.table.procedure import Table
from pbem.table.questions import Question

OF_THE_ACTION = ("intercepted", "moved", "avoided", "withdrew", "won", "lost", "taken")
_INTERCEPTIONS = ("interception", "naval_interception")
_AVOIDED = ("avoid_battle", "naval_avoid_battle")
_ARRIVALS = ("move", "naval_move")


def conditions(table: Table, power: str, question: Question | None, facts: Sequence[Fact]) -> dict[str, Any]:
    """Name -> value (truth values, numbers, words, lists of ids) for a power; `table` is its view."""
    return {**_standing(table, power), **of_the_action(table, power, facts), **_of_the_question(table, power, question)}


def _standing(table: Table, power: str) -> dict[str, Any]:
    """How things stand for the power."""
    board = table.board
    at = [
        place
        for place, owners in board.units.items()
        if (place in atlas(table).spaces or place in atlas(table).sea)
        and any(own(board, power, owner) and any(kinds.values()) for owner, kinds in owners.items())
    ]
    sieges = {name.removeprefix("siege:"): value for name, value in board.state.items() if name.startswith("siege:")}
    controls = [
        name.removeprefix("control:")
        for name, value in board.state.items()
        if name.startswith("control:") and own(board, power, value)
    ]

    def others(name: str) -> list[str]:
        return [one for pair in board.state.get(name, ()) if power in pair for one in pair if one != power]

    return {
        "at": at,
        "besieged": [space for space, siege in sieges.items() if power in siege["by"] or space in controls],
        "controls": controls,
        "at_war": others("at_war"),
        "allied": others("allied"),
        "cards": len(board.piles.get(f"hand:{power}", ())),
        "cp_left": board.state.get("cp_left", 0),
    }


def of_the_action(table: Table, power: str, facts: Sequence[Fact]) -> dict[str, Any]:
    """What came of the power's last action."""
    known: dict[str, Any] = _nothing()
    fight: tuple[str, ...] = ()
    for fact in facts:
        kind = fact["fact"]
        if kind == "state":
            if fact["name"] == "cp_left" and _spent_on_an_action(table, fact):
                known = _nothing()
            elif fact["name"].startswith("control:") and fact["after"] == power:
                known["taken"].append(fact["name"].removeprefix("control:"))
        elif kind == "units":
            if fact.get("why") in _ARRIVALS and own(table.board, power, fact["power"]):
                known["moved"] = True
            elif fact.get("why") == "withdraw" and not own(table.board, power, fact["power"]):
                known["withdrew"] = True
        elif kind == "happened":
            fight = _sides(fact, fight)
            _take_in(known, power, fact, fight)
    return known


def _spent_on_an_action(table: Table, fact: Fact) -> bool:
    return fact.get("why") == "move" or fact.get("why") in table.kit.tables["actions"]


def _nothing() -> dict[str, Any]:
    return {**dict.fromkeys(OF_THE_ACTION, False), "taken": []}


def _sides(fact: Fact, before: tuple[str, ...]) -> tuple[str, ...]:
    """Who fights in the battle that is told of."""
    if fact["what"] in ("field_battle", "naval_combat"):
        return fact["attacker"], fact["defender"]
    return before


def _take_in(known: dict[str, Any], power: str, fact: Fact, fight: tuple[str, ...]) -> None:
    what, by = fact["what"], fact.get("power")
    if what in _INTERCEPTIONS and fact["success"] and by != power:
        known["intercepted"] = True
    elif what in _AVOIDED and fact["success"] and by != power:
        known["avoided"] = True
    elif what in ("battle_won", "naval_combat_won") and power in fight:
        known |= {"won": fact["winner"] == power, "lost": fact["winner"] != power}
    elif what == "fortress_falls" and by == power:
        known |= {"won": True, "lost": False}
    elif what == "assault_failed" and by == power:
        known |= {"won": False, "lost": True}


def _of_the_question(table: Table, power: str, question: Question | None) -> dict[str, Any]:
    """What a question is about, as far as its context does not say it."""
    context: Mapping[str, Any] = question.context if question is not None else {}
    acting = context.get("power") or table.board.state.get("active")
    known: dict[str, Any] = {"power": acting, "action": context.get("action"), "outnumbered": False}
    place = context.get("space") or context.get("place")
    if not isinstance(place, str) or not isinstance(acting, str):
        return known
    theirs = context.get("strength", _strength(table, acting, place))
    mine = context.get("own_strength", _strength(table, power, place))
    if power != acting:
        return known | {"space": place, "strength": theirs, "own_strength": mine, "outnumbered": theirs > mine}
    return known | {"space": place, "strength": theirs, "own_strength": theirs}


def _strength(table: Table, power: str, place: str) -> int:
    """The units of a power at a place: land units on land, those within the walls included, ships at sea."""
    if place in atlas(table).sea:
        return fleet(table, place, power).size()
    return sum(count_land(table, one, own_owners(table, one, power)) for one in (place, inside(place)))


__all__ = ["OF_THE_ACTION", "conditions", "of_the_action"]
