"""Rulings: the facts that a moderator may state, checked for their form, and filled in where he cannot know the rest.

The form of each type is told in `pbem.table.facts`. Some fields may be left out, and are read off the board when the
ruling is taken up: ``before`` of a `state`, `piece` or `sight`, ``before`` and ``change`` of a `count`, and the
``content`` of what is opened (null). So a number can be set that the moderator does not see. What a name names that
there was not before is made, and a rewind takes it away again. Whether a ruling touches what is hidden is told by
`touches_hidden`: trying it may then tell something, and is put on record as a look at the hidden things is.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.campaign import ledger
from pbem.render.board_svg import board_svg, picture_of
from pbem.render.board_text import board_text
from pbem.table import sight
from pbem.table.board import HIDDEN_CARD, SUPPLY, Board
from pbem.table.facts import BadFact, Fact, apply, held
from pbem.table.kit import Kit
from pbem.table.procedure import ReplayDiffers
from pbem.table.said import Said

log = logging.getLogger(__name__)

class RulingRefused(ValueError):
    """A ruling after which the game could not go on; says why, and what would be right or is to be done first."""


MOST_FACTS = 200
LARGEST = 999_999

_ID = "an id"
_ID_OR_NONE = "an id or null"
_NUMBER = f"a whole number from 1 to {LARGEST}"
_VALUE = f"a whole number from -{LARGEST} to {LARGEST}"
_PIECE = 'an object such as {"at": "metz"}, or null'
_IDS = "a list of ids"
_ANY = "any value"
_HELD = "null, for what it holds"
_WHY = "one short line of text"

FORMS: dict[str, dict[str, str]] = {
    "state": {"name": _ID, "after": _ANY},
    "count": {"track": _ID, "power": _ID, "after": _VALUE},
    "counter": {"name": _ID, "after": _VALUE},
    "units": {"kind": _ID, "power": _ID, "number": _NUMBER, "origin": _ID_OR_NONE, "place": _ID_OR_NONE},
    "piece": {"piece": _ID, "after": _PIECE},
    "card": {"card": _ID, "origin": _ID_OR_NONE, "place": _ID_OR_NONE},
    "show": {"cards": _IDS, "pile": _ID, "to": _IDS},
    "sight": {"name": _ID, "after": _ID_OR_NONE},
    "open": {"name": _ID, "content": _HELD},
    "shuffle": {"pile": _ID},
    "happened": {"what": _ID},
}
"""type -> the fields that it must have, and what they are"""

_SAYS = {
    "name": "which value it is", "after": "what it is to be", "track": "what is counted", "power": "whose it is",
    "kind": "what kind of units", "number": "how many", "origin": "where they come from", "place": "where they go",
    "piece": "which piece", "card": "which card", "cards": "which cards", "pile": "which pile",
    "to": "who is to see it", "content": "what it holds", "what": "what happened", "before": "what it was",
    "change": "by how much it changes", "why": "why", "section": "which section of the rules",
}  # fmt: skip
"""field -> what it says, for people"""

_FREE = {"happened"}
_MORE = {"why": _WHY, "section": _WHY}
_MORE_OF = {
    "state": {"before": _ANY}, "count": {"before": _ANY, "change": _ANY},
    "counter": {"before": _ANY, "change": _ANY}, "piece": {"before": _ANY},
    "sight": {"before": _ANY}, "card": {"to": _IDS}, "happened": {"to": _IDS},
}  # fmt: skip
"""type -> the fields that it may have besides; only what changes no number or place can be told to some alone, since
the boards of the others would not follow"""


def check_facts(facts: Any) -> list[Fact]:
    """The facts of a ruling, if their form is right. Raises `ValueError`: which fact, and what would be right."""
    if not isinstance(facts, list) or not all(isinstance(fact, dict) for fact in facts):
        raise ValueError('facts are a list of objects such as {"fact": "count", "track": "gold", …}')
    if not facts:
        raise ValueError("a ruling has at least one fact")
    if len(facts) > MOST_FACTS:
        raise ValueError(f"a ruling has at most {MOST_FACTS} facts")
    for number, fact in enumerate(facts, 1):
        problem = _problem(fact)
        if problem:
            raise ValueError(f"fact {number}: {problem}")
    try:
        ledger.canonical(facts)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"the ledger cannot hold this: {error}") from error
    return facts


def _problem(fact: Fact) -> str | None:
    kind = fact.get("fact")
    if not isinstance(kind, str) or kind not in FORMS:
        return f"its type (“fact”) is one of {', '.join(FORMS)}"
    form = FORMS[kind]
    for name, what in form.items():
        if name not in fact:
            return f"it does not say {_SAYS[name]} (“{name}”, {what})"
        if not _fits(what, fact[name]):
            return f"{_SAYS[name]} (“{name}”) is {what}"
    more = {**_MORE, **_MORE_OF.get(kind, {})}
    for name, what in more.items():
        if name in fact and not _fits(what, fact[name]):
            return f"{_SAYS[name]} (“{name}”) is {what}"
    unknown = fact.keys() - form.keys() - more.keys() - {"fact"}
    if unknown and kind not in _FREE:
        return f"a {kind} has no {', '.join(sorted(unknown))}; it has {', '.join(form)}"
    if kind == "card" and fact["card"] == HIDDEN_CARD:
        return "the card is named by its own id"
    return None


def _fits(what: str, value: Any) -> bool:
    if what in (_NUMBER, _VALUE):
        return type(value) is int and (1 if what == _NUMBER else -LARGEST) <= value <= LARGEST
    if what == _PIECE:
        return value is None or (isinstance(value, dict) and isinstance(value.get("at"), str))
    if what == _IDS:
        return isinstance(value, list) and all(_is_id(item) for item in value)
    if what == _ID_OR_NONE:
        return value is None or _is_id(value)
    if what == _WHY:
        return value is None or _is_id(value)
    return what in (_ANY, _HELD) or _is_id(value)


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 100 and value.isprintable()


def completed(board: Board, facts: Sequence[Fact]) -> list[Fact]:
    """The facts with what was left out read off the whole board, each after those before it, and with a reason by which
    reports tell that they are of a ruling. The board stays as it is.

    Raises `BadFact` when a fact does not fit the board.
    """
    board = board.copy()
    whole = []
    for fact in facts:
        why = {} if fact.get("why") else {"why": "ruling"}
        fact = {**fact, **_left_out(board, fact), **why}
        apply(board, fact)
        whole.append(fact)
    return whole


def _left_out(board: Board, fact: Mapping[str, Any]) -> dict[str, Any]:
    kind = fact["fact"]
    if kind == "count":
        before = board.tracks.get(fact["track"], {}).get(fact["power"])
        if fact.get("before", before) != before:
            values = {name: fact[name] for name in ("track", "power", "before")}
            raise BadFact("{track} of {power} is not {before}", **values)
        return {"before": before, "change": fact["after"] - (before or 0)}
    if kind == "counter":
        before = board.counters.get(fact["name"])
        if fact.get("before", before) != before:
            raise BadFact("{name} is not {before}", name=fact["name"], before=fact["before"])
        return {"before": before, "change": fact["after"] - (before or 0)}
    if kind == "state" and "before" not in fact:
        return {"before": board.state.get(fact["name"])}
    if kind == "piece" and "before" not in fact:
        return {"before": board.pieces.get(fact["piece"])}
    if kind == "sight":
        return {"before": board.sight.get(fact["name"])}
    if kind == "open":
        content = held(board, fact["name"])
        if content is None:
            raise BadFact("there is no pile, track or counter {name} to open", name=fact["name"])
        if fact["content"] not in (None, content):
            raise BadFact("{name} holds something else than that", name=fact["name"])
        return {"content": content}
    return {}


def check_bounds(bounds: Mapping[str, tuple[int, int | None]], facts: Sequence[Fact]) -> None:
    """Raises `RulingRefused` for a number that a ruling sets beyond the bounds of the game."""
    for fact in facts:
        name, value = str(fact.get("track") or fact.get("name")), fact.get("after")
        if name not in bounds or type(value) is not int:
            continue
        least, most = bounds[name]
        if most is not None and not least <= value <= most:
            raise RulingRefused(Said("%(value_name)s can be %(least)s to %(most)s, not %(number)s",
                                     value_name=name, least=least, most=most, number=value))  # fmt: skip
        if value < least:
            raise RulingRefused(Said("%(value_name)s can be %(least)s or more, not %(number)s",
                                     value_name=name, least=least, number=value))  # fmt: skip


def check_places(board: Board, kit: Kit, facts: Sequence[Fact]) -> None:
    """Raises `RulingRefused` where a ruling puts something at a place, or gives it to a power, that the game has not:
    neither the kit names it, nor has anything lain there."""
    used = {SUPPLY, *board.units, *board.powers, *(str(at["at"]) for at in board.pieces.values() if at)}
    owners = {power for _, power, _, _ in board.units_everywhere()} | set(board.powers)
    for fact in facts:
        place = None
        if fact["fact"] == "units":
            place = fact["place"]
        elif fact["fact"] == "piece" and fact["after"] is not None:
            place = fact["after"]["at"]
        strange = [place] if place is not None and place not in used and not _is_known(kit, place) else []
        if fact["fact"] == "units" and fact["power"] not in owners and not _is_known(kit, fact["power"]):
            strange.append(fact["power"])
        if strange:
            raise RulingRefused(Said("this game has nothing called “%(strange)s”", strange=strange[0]))


def _is_known(kit: Kit, id: str) -> bool:
    """Whether a kit names something: by itself, or the parts of an id such as ``home:france`` or ``vienna/inside``."""
    return any(id in ids or part in ids for ids in kit.labels.values() for part in re.split(r"[:/]", id))


def touches_hidden(board: Board, facts: Sequence[Fact]) -> bool:
    """Whether a fact is of something that not everybody may see on this board, so that trying it could tell."""
    for fact in facts:
        kind = fact["fact"]
        if kind in ("show", "open") or "to" in fact:
            return True
        piles = [fact[end] for end in ("origin", "place") if fact[end] is not None] if kind == "card" else []
        if any(not sight.may_see(board, pile, ()) for pile in piles):
            return True
        if kind == "count" and not sight.may_see_value(board, fact["track"], fact["power"], ()):
            return True
        if kind == "counter" and not sight.may_see(board, fact["name"], ()):
            return True
        if kind == "sight" and (fact["name"] in board.sight or fact["after"] is not None):
            return True
    return False


def draw(board: Board, kit: Kit) -> None:
    """Draw the board as everybody would see it, in picture and text; raises whatever a page or a mail would fail with.

    A game without a picture is shown in tables, which hold anything.
    """
    try:
        picture_of(board.game)
    except LookupError:
        return
    seen = sight.view(board, sight.PUBLIC).to_json()
    board_svg(seen, kit)
    board_text(seen, kit)


def stopped_by(error: Exception, campaign: str) -> str:
    """Why the game could not go on after a ruling, in a moderator's words.

    What the rules say among themselves goes to the log: it helps nobody at the desk, and may name what is hidden.
    """
    log.warning("campaign %s: the rules could not go on after a ruling that was tried", campaign, exc_info=error)
    if isinstance(error, ReplayDiffers):
        return Said("played again from its beginning, the open step no longer comes to the events that are stored")
    return Said("on this board the rules stop with a fault of their own; the log of the service tells where")


__all__ = [
    "FORMS", "BadFact", "RulingRefused", "check_bounds", "check_facts", "check_places", "completed", "draw",
    "stopped_by", "touches_hidden",
]  # fmt: skip
