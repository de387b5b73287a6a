"""The cards: one function per card, named after it, in the modules of this package.

A card that is played as an event is written so::

    def may_restore(table, side, card):
        return None                   # or the `Refused` that says why it may be no event now

    @event("edict_of_restitution", when=may_restore)
    def edict_of_restitution(table, side, card):
        \"\"\"C6: ...\"\"\"
        ...

The name is the card's English title in the kit in lower case with underscores; where several cards have the same title
it ends with the card's number (``mutiny_c14``). `card` is its number, under which the kit holds its amounts. The
function is a procedure (a generator); a function without a ``yield`` is taken as well.

A combat card is written with `combat_card` in place of `event`: its function gets the battle and the role of the side
that plays it; its condition gets the same. A card that works with an activation (8.2) is written with
`with_activation`: its function says what it changes of it, its condition gets the leader.

What a card does when it is used for an activation, recruiting or aid stands in none of them: the value and the aid
lines of the kit say it (`activation`, `recruiting`, `aid`). The room lists the modules, so that all are there.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from pbem.games.thirty_years_war import control
from pbem.games.thirty_years_war.politics import nations
from pbem.games.thirty_years_war.turn import deck
from pbem.games.thirty_years_war.upkeep import aid
from pbem.table.kit import Kit, normalise
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

REMOVED, ONCE = "removed", "once"
"""What the kit says of an asterisk and of a dagger."""

EventFunction = Callable[[Table, str, str], Any]
Condition = Callable[[Table, str, str], "Refused | None"]
CombatFunction = Callable[..., Any]
CombatCondition = Callable[..., "Refused | None"]

_EVENTS: dict[str, EventFunction] = {}
_COMBAT: dict[str, CombatFunction] = {}
_ACTIVATIONS: dict[str, Callable[[Table, str, str], int]] = {}
_CONDITIONS: dict[str, Callable[..., Any]] = {}


def event(name: str, when: Condition | None = None) -> Callable[[EventFunction], EventFunction]:
    """Register the function of a card that is played as an event: ``(table, side, card)``, a procedure or none.

    `when`: its condition, which returns None or the `Refused` that says why it may be no event now.
    """
    return _register(_EVENTS, name, when)


def combat_card(name: str, when: CombatCondition | None = None) -> Callable[[CombatFunction], CombatFunction]:
    """Register the function of a combat card: ``(table, battle, role, card)``; `when`: its condition, with the same."""
    return _register(_COMBAT, name, when)


def with_activation(name: str, when: CombatCondition) -> Callable[[Any], Any]:
    """Register the function of a card that works with an activation (8.2): ``(table, side, card)`` returns the movement
    points that it adds for every piece; `when`: its condition, ``(table, side, card, leader)``."""
    return _register(_ACTIVATIONS, name, when)


def _register(kept: dict[str, Any], name: str, when: Any) -> Callable[[Any], Any]:
    if any(name in written for written in (_EVENTS, _COMBAT, _ACTIVATIONS)):
        raise ValueError(f"the card {name} is written twice")

    def register(function: Any) -> Any:
        kept[name] = function
        if when is not None:
            _CONDITIONS[name] = when
        return function

    return register


@cache
def _functions(kit: Kit) -> dict[str, str]:
    """Card -> the name of its function."""
    rows = kit.tables["cards"]
    titles = {card: normalise(row["title"].replace("'", "").replace("’", "")) for card, row in rows.items()}
    often = Counter(titles.values())
    return {card: title if often[title] == 1 else f"{title}_{card.lower()}" for card, title in titles.items()}


def function_name(kit: Kit, card: str) -> str:
    """The name of a card's function."""
    return _functions(kit)[card]


def missing(kit: Kit) -> list[str]:
    """The cards that nobody has written: their numbers with the name that the function would have."""
    return [
        f"{card} {name}"
        for card, name in _functions(kit).items()
        if not any(name in written for written in (_EVENTS, _COMBAT, _ACTIVATIONS))
    ]


def unknown(kit: Kit) -> list[str]:
    """Functions and conditions whose name is no card's: slips of the pen."""
    known = set(_functions(kit).values())
    return sorted(name for name in {**_EVENTS, **_COMBAT, **_ACTIVATIONS} if name not in known)


# --- events ---


def event_refusal(table: Table, side: str, card: str) -> Refused | None:
    """8.6, 9: why a side may not use a card as an event now; None when it may.

    Whether it holds the card, and may spend it, is the activation's to check.
    """
    name = function_name(table.kit, card)
    if name in _COMBAT:
        return Refused("combat_card_no_event", "9.51", hint=f"PLAY {card} IN COMBAT", card=card)
    if name in _ACTIVATIONS:
        return Refused("event_with_an_activation_only", "8.2", card=card)
    if nations.happened(table, card) and _row(table, card)["mark"] == ONCE:
        return Refused("event_happened_already", "8.6", card=card)
    condition = _CONDITIONS.get(name)
    return condition(table, side, card) if condition else None


def play_event(table: Table, side: str, card: str, *, after_use: bool = False) -> Procedure:
    """8.6: the event of a card happens, with what follows of it; then an asterisk takes the card out of the game.

    `after_use`: the card was used otherwise, and its event follows (C 8.6); it counts as one that was played (INT-73,
    option ``always_effect_mark``).

    The card has been spent: it lies where its use has put it. One that takes effect after another use and cannot, for
    its condition does not hold now, does nothing.
    """
    if after_use and event_refusal(table, side, card) is not None:
        table.tell("event_without_effect", power=side, card=card, section="C 8.6")
        return
    paused = aid.paused_until(table, card)
    table.tell("event", power=side, card=card, section="8.6")
    table.set(f"event:{card}", table.board.state["turn"], section="8.6")
    aid.tell_effects(table, card, paused)
    result = _EVENTS[function_name(table.kit, card)](table, side, card)
    if inspect.isgenerator(result):
        yield from result
    yield from control.triggers(table)
    if _row(table, card)["mark"] == REMOVED and (not after_use or table.options["always_effect_mark"]):
        take_out(table, side, card)


def take_out(table: Table, side: str, card: str) -> None:
    """8.6: a card with an asterisk leaves the game after its event, one used otherwise too (INT-73)."""
    for pile in (deck.played(side), deck.shown(side)):
        if card in table.board.piles.get(pile, ()):
            table.card(card, pile, deck.removed(side), why="asterisk", section="8.6")


def _row(table: Table, card: str) -> Mapping[str, Any]:
    return table.kit.tables["cards"][card]


# --- combat cards ---


def combat_refusal(table: Table, battle: Any, role: str, card: str) -> Refused | None:
    """9.51, 9.52: why a side may not play a card in a battle, ``role`` being ``attacker`` or ``defender``."""
    name = function_name(table.kit, card)
    if name not in _COMBAT:
        return Refused("no_combat_card", "9.51", card=card)
    timing = _row(table, card)["timing"]
    if timing not in ("combat_any", f"combat_{role}"):
        return Refused("combat_card_of_the_other_role", "9.52", card=card, role=timing.removeprefix("combat_"))
    condition = _CONDITIONS.get(name)
    return condition(table, battle, role, card) if condition else None


def combat(table: Table, battle: Any, role: str, card: str) -> Any:
    """9.5: what a combat card changes in a battle."""
    return _COMBAT[function_name(table.kit, card)](table, battle, role, card)


# --- cards with an activation ---


def activation_refusal(table: Table, side: str, card: str, leader: str) -> Refused | None:
    """8.2: why the text of a card does not work with the activation of a leader (his piece); None when it does."""
    name = function_name(table.kit, card)
    if name not in _ACTIVATIONS:
        return Refused("no_event_with_an_activation", "8.2", card=card)
    return _CONDITIONS[name](table, side, card, leader)


def activation_bonus(table: Table, side: str, card: str) -> int:
    """8.2: the movement points that the text of a card adds for every piece that its activation moves."""
    return _ACTIVATIONS[function_name(table.kit, card)](table, side, card)


def lengthened(table: Table, card: str, allowance: int) -> int:
    """8.2: the movement points of a piece with those that the text of a card adds, up to the most that it allows."""
    most = table.kit.tables["card_numbers"][f"{card}:most"]["value"]
    longer = allowance + activation_bonus(table, _row(table, card)["side"], card)
    return max(allowance, min(most, longer))
