"""Rulings: the facts that a moderator may state, checked for their form, and filled in where he cannot know the rest.

The form of each type is told in `pbem.table.facts`. Some fields may be left out, and are read off the board when the
ruling is taken up: ``before`` of a `state`, `piece` or `sight`, ``before`` and ``change`` of a `count`, the
``origin`` of a `card`, and the ``content`` of what is opened (null). So a number can be set that the moderator does not
see, and a card given that lies he knows not where. What a name names that there was not before is made, and a rewind
takes it away again. Whether a ruling touches what is hidden is told by `touches_hidden`: trying it may then tell
something, and is put on record as a look at the hidden things is.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.campaign import ledger
from pbem.render.board_svg import board_svg, picture_of
from pbem.render.board_text import board_text
from pbem.render.narrative import RULING
from pbem.render.tellings import kept
from pbem.table import sight
from pbem.table.board import HIDDEN_CARD, SUPPLY, Board
from pbem.table.facts import BadFact, Fact, apply, held, seating
from pbem.table.game import Game
from pbem.table.kit import Kit
from pbem.table.procedure import Play, ReplayDiffers
from pbem.table.said import Said

log = logging.getLogger(__name__)

class RulingRefused(ValueError):
    """A ruling after which the game could not go on; says why, and what would be right or is to be done first."""


class RulingBreaks(RulingRefused):
    """A ruling that breaks what the game keeps watch over. Who insists on it says why, and it is tried without that
    watch."""

    def __init__(self, faults: Sequence[str]):
        self.faults = list(faults)
        super().__init__(Said("the ruling breaks what must always hold: %(faults)s", faults=self.faults))


INSISTED = "insisted"
"""What happened where a moderator ruled against the game's watch."""

MOST_FACTS = 200
LARGEST = 999_999

_ID = "an id"
_ID_OR_NONE = "an id or null"
_NUMBER = "a whole number from 1 to 999999"
_VALUE = "a whole number from -999999 to 999999"
_PIECE = 'an object such as {"at": "metz"}, or null'
_IDS = "a list of ids"
_SEATED = 'an object {"powers": [who is in play], "played_by": {power: whose seat plays it}}'
_ANY = "any value"
_HELD = "null, for what it holds"
_WHY = "one short line of text"

FORMS: dict[str, dict[str, str]] = {
    "state": {"name": _ID, "after": _ANY},
    "count": {"track": _ID, "power": _ID, "after": _VALUE},
    "counter": {"name": _ID, "after": _VALUE},
    "units": {"kind": _ID, "power": _ID, "number": _NUMBER, "origin": _ID_OR_NONE, "place": _ID_OR_NONE},
    "piece": {"piece": _ID, "after": _PIECE},
    "card": {"card": _ID, "place": _ID_OR_NONE},
    "show": {"cards": _IDS, "pile": _ID, "to": _IDS},
    "sight": {"name": _ID, "after": _ID_OR_NONE},
    "open": {"name": _ID, "content": _HELD},
    "shuffle": {"pile": _ID},
    "players": {"after": _SEATED},
    "happened": {"what": _ID},
}
"""type -> the fields that it must have, and what they are"""

SAYS = {
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
    "sight": {"before": _ANY}, "players": {"before": _ANY}, "card": {"origin": _ID_OR_NONE, "to": _IDS},
    "happened": {"to": _IDS},
}  # fmt: skip
"""type -> the fields that it may have besides; only what changes no number or place can be told to some alone, since
the boards of the others would not follow"""


def check_facts(facts: Any) -> list[Fact]:
    """The facts of a ruling, if their form is right. Raises `ValueError`: which fact, and what would be right."""
    if not isinstance(facts, list) or not all(isinstance(fact, dict) for fact in facts):
        raise ValueError(Said('facts are a list of objects such as {"fact": "count", "track": "gold", …}'))
    if not facts:
        raise ValueError(Said("a ruling has at least one fact"))
    if len(facts) > MOST_FACTS:
        raise ValueError(Said("a ruling has at most %(most)s facts", most=MOST_FACTS))
    for number, fact in enumerate(facts, 1):
        problem = _problem(fact)
        if problem:
            raise ValueError(Said("fact %(number)s: %(fault)s", number=number, fault=problem))
    try:
        ledger.canonical(facts)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(Said("the ledger cannot hold this: %(error)s", error=str(error))) from error
    return facts


def _problem(fact: Fact) -> Said | None:
    kind = fact.get("fact")
    if not isinstance(kind, str) or kind not in FORMS:
        return Said("its type (“fact”) is one of %(choices)s", choices=list(FORMS))
    form = FORMS[kind]
    for name, what in form.items():
        if name not in fact:
            return Said("it does not say %(said)s (“%(name)s”, %(is_to_be)s)", said=SAYS[name], name=name,
                        is_to_be=what)  # fmt: skip
        if not _fits(what, fact[name]):
            return _is_not(name, what)
    more = {**_MORE, **_MORE_OF.get(kind, {})}
    for name, what in more.items():
        if name in fact and not _fits(what, fact[name]):
            return _is_not(name, what)
    unknown = fact.keys() - form.keys() - more.keys() - {"fact"}
    if unknown and kind not in _FREE:
        return Said("a fact “%(type)s” has no %(choices)s; it has %(fields)s", type=kind, choices=sorted(unknown),
                    fields=", ".join(form))  # fmt: skip
    if kind == "card" and fact["card"] == HIDDEN_CARD:
        return Said("the card is named by its own id")
    return None


def _is_not(name: str, what: str) -> Said:
    return Said("%(said)s (“%(name)s”) is to be %(is_to_be)s", said=SAYS[name], name=name, is_to_be=what)


def _fits(what: str, value: Any) -> bool:
    if what in (_NUMBER, _VALUE):
        return type(value) is int and (1 if what == _NUMBER else -LARGEST) <= value <= LARGEST
    if what == _PIECE:
        return value is None or (isinstance(value, dict) and isinstance(value.get("at"), str))
    if what == _SEATED:
        return isinstance(value, dict) and value.keys() == {"powers", "played_by"} and _is_seating(**value)
    if what == _IDS:
        return isinstance(value, list) and all(_is_id(item) for item in value)
    if what == _ID_OR_NONE:
        return value is None or _is_id(value)
    if what == _WHY:
        return value is None or _is_id(value)
    return what in (_ANY, _HELD) or _is_id(value)


def _is_seating(powers: Any, played_by: Any) -> bool:
    guests = [*played_by, *played_by.values()] if isinstance(played_by, dict) else None
    return isinstance(powers, list) and guests is not None and all(map(_is_id, [*powers, *guests]))


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
        whole.append(filled_in(board, fact))
        apply(board, whole[-1])
    return whole


def filled_in(board: Board, fact: Fact) -> Fact:
    """A fact with what was left out read off the board, and with its reason. Raises `BadFact`."""
    return {**fact, **_left_out(board, fact), **({} if fact.get("why") else {"why": RULING})}


def _left_out(board: Board, fact: Mapping[str, Any]) -> dict[str, Any]:
    kind = fact["fact"]
    if kind == "count":
        before = board.tracks.get(fact["track"], {}).get(fact["power"])
        if fact.get("before", before) != before:
            values = {name: fact[name] for name in ("track", "power", "before")}
            raise BadFact("%(track)s of %(power)s is not %(before)s", **values)
        return {"before": before, "change": fact["after"] - (before or 0)}
    if kind == "counter":
        before = board.counters.get(fact["name"])
        if fact.get("before", before) != before:
            raise BadFact("%(name)s is not %(before)s", name=fact["name"], before=fact["before"])
        return {"before": before, "change": fact["after"] - (before or 0)}
    if kind == "state" and "before" not in fact:
        return {"before": board.state.get(fact["name"])}
    if kind == "piece" and "before" not in fact:
        return {"before": board.pieces.get(fact["piece"])}
    if kind == "card" and "origin" not in fact:
        return {"origin": next((pile for pile, cards in board.piles.items() if fact["card"] in cards), None)}
    if kind == "players" and "before" not in fact:
        return {"before": seating(board)}
    if kind == "sight":
        return {"before": board.sight.get(fact["name"])}
    if kind == "open":
        content = held(board, fact["name"])
        if content is None:
            raise BadFact("there is no pile, track or counter %(name)s to open", name=fact["name"])
        if fact["content"] not in (None, content):
            raise BadFact("%(name)s holds something else than that", name=fact["name"])
        return {"content": content}
    return {}


def check_bounds(bounds: Mapping[str, tuple[int, int | None]], facts: Sequence[Fact]) -> None:
    """Raises `RulingRefused` for a number that a ruling sets beyond the bounds of the game."""
    for fact in facts:
        name, value = str(fact.get("track") or fact.get("name")), fact.get("after")
        if name not in bounds or fact["fact"] not in ("state", "count", "counter"):
            continue
        if type(value) is not int:
            raise RulingRefused(Said("%(value_name)s is to be a whole number", value_name=name))
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


def check_players(board: Board, game: Game, kit: Kit, scenario: str, facts: Sequence[Fact]) -> None:
    """Raises `RulingRefused` where a ruling lets a power be played that the game lends to no seat, or by nobody's seat,
    or leaves out one that has a seat."""
    if not (changes := [fact["after"] for fact in facts if fact["fact"] == "players"]):
        return
    if not game.lends:
        raise RulingRefused(Said("in this game every power is played from its own seat"))
    seated, lent = board.seated(), set(game.powers(kit, scenario)) - set(board.seated())
    for after in changes:
        played = after["played_by"]
        if wrong := [power for power in played if power not in lent]:
            raise RulingRefused(Said("only %(powers)s can be played from the seat of another", powers=sorted(lent)))
        if wrong := [by for by in played.values() if by not in seated]:
            raise RulingRefused(Said("%(power)s has no seat from which it could be played", power=wrong[0]))
        if sorted(after["powers"]) != sorted([*seated, *played]):
            raise RulingRefused(Said("in play are those with a seat, and those that they play for"))


def check_leaving(board: Board, facts: Sequence[Fact]) -> None:
    """Raises `RulingRefused` where a ruling takes a power out of play in the midst of a step, which may count on it."""
    for fact in facts:
        if fact["fact"] == "players" and (gone := [p for p in board.powers if p not in fact["after"]["powers"]]):
            raise RulingRefused(Said(
                "the open step may still ask %(power)s: let nobody play it by a ruling that ends the step",
                power=gone[0],
            ))  # fmt: skip


def check_asked(play: Play) -> None:
    """Raises `RulingRefused` where the game now asks a power that nobody plays."""
    for question in play.wait.questions if play.wait and not play.over else ():
        if question.power not in play.table.board.powers:
            raise RulingRefused(Said("the game would ask %(power)s, which nobody plays", power=question.power))


def changing_hands(fact: Fact) -> list[str]:
    """The powers that somebody else plays from now on, or nobody, by a fact of ``players``."""
    was, now = fact["before"]["played_by"], fact["after"]["played_by"]
    return [power for power in was if was[power] != now.get(power)]


_NAMES = ("name", "track", "power", "piece", "pile", "card", "kind", "origin", "place")


def subject_of(fact: Fact) -> tuple[Any, ...]:
    """What a fact changes, without what it makes of it."""
    return (fact["fact"], *(fact.get(name) for name in _NAMES))


def insisted(reason: str, faults: Sequence[str]) -> Fact:
    """The mark in the story that a moderator rules against the game's watch: why, and what is broken (nothing is named
    where not everybody may know)."""
    return {"fact": "happened", "what": INSISTED, "reason": reason, "broken": [kept(fault) for fault in faults],
            "why": RULING}  # fmt: skip


def _is_known(kit: Kit, id: str) -> bool:
    """Whether a kit names something: by itself, or the parts of an id such as ``home:france`` or ``vienna/inside``."""
    return any(id in ids or part in ids for ids in kit.labels.values() for part in re.split(r"[:/]", id))


def touches_hidden(board: Board, facts: Sequence[Fact]) -> bool:
    """Whether a fact is of something that not everybody may see on this board, so that trying it could tell."""
    for fact in facts:
        kind = fact["fact"]
        if kind in ("show", "open") or "to" in fact:
            return True
        if kind == "players" and any(by != fact["after"]["played_by"].get(one) for one, by in board.played_by.items()):
            return True  # a hand is laid down
        ends = {**_left_out(board, fact), **fact} if kind == "card" else {}
        piles = [ends[end] for end in ("origin", "place") if ends.get(end) is not None]
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
    "FORMS", "BadFact", "RulingBreaks", "RulingRefused", "changing_hands", "check_asked", "check_bounds",
    "check_facts", "check_leaving", "check_places", "check_players", "completed", "draw", "filled_in", "insisted",
    "stopped_by", "subject_of", "touches_hidden",
]  # fmt: skip
