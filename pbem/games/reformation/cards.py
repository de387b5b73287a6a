"""6: the cards of a game: one function per card, named after it; a `Book` holds those of one game.

A card is written so::

    @event("cloth_prices_fluctuate")
    def cloth_prices_fluctuate(table, power, moment):
        \"\"\"72: ...\"\"\"
        ...
        return 2                      # CP for actions afterwards; or nothing; or Outcome(cp=..., fate="removed")

    @playable("cloth_prices_fluctuate")
    def _(table, power, moment):
        return None                   # or the `Refused` that says why it may not be played now

    @event("gout", moments=("land_move", "assault"))
    def gout(table, power, moment): ...

The name is the card's English name in the kit in lower case with underscores, apostrophes dropped. `moments` are when
it may be played: ``impulse`` (own impulse, as event) if none are named. The function is a procedure (a
generator); a function without a ``yield`` is taken as well. A card that nobody has written is playable for CP only.

A response or combat card gets the `Moment`; what it returns goes to the procedure that opened the window: ``"stop"``
ends the window, ``"cancel"`` cancels what was announced (the contract in the package's text lists what counts where).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pbem.games.reformation import hands, siege
from pbem.games.reformation.rules import rules
from pbem.table.asking import Moment
from pbem.table.kit import Kit, normalise
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

EventFunction = Callable[[Table, str, Moment], Any]
Predicate = Callable[[Table, str, Moment], "Refused | None"]


@dataclass
class Outcome:
    """What an event leaves behind: CP for actions, and where the card goes (None: as the kit says)."""

    cp: int = 0
    fate: str | None = None
    answer: Any = None
    """For the procedure that waits, of a response or combat card."""


@dataclass
class Event:
    """A card that is written."""

    name: str
    function: EventFunction
    moments: tuple[str, ...] = ("impulse",)
    why_not: Predicate | None = None


def slug(title: str) -> str:
    """The name of a card's function, from its English name."""
    return normalise(title.replace("'", "").replace("’", ""))


class Book:
    """The functions of the cards of one game, and their conditions."""

    def __init__(self) -> None:
        self.events: dict[str, Event] = {}
        self.predicates: dict[str, Predicate] = {}
        self._cards: dict[Kit, dict[str, Event]] = {}
        self._names: dict[Kit, dict[str, str]] = {}

    def event(self, name: str, moments: tuple[str, ...] = ("impulse",)) -> Callable[[EventFunction], EventFunction]:
        """Register the function of a card. Raises `ValueError` for a card that is written twice."""

        def register(function: EventFunction) -> EventFunction:
            if name in self.events:
                raise ValueError(f"the card {name} is written twice")
            self.events[name] = Event(name, function, moments)
            return function

        return register

    def playable(self, name: str) -> Callable[[Predicate], Predicate]:
        """Register the condition of a card: it returns None, or the refusal that says why it may not be played now."""

        def register(predicate: Predicate) -> Predicate:
            if name in self.predicates:
                raise ValueError(f"the condition of {name} is written twice")
            self.predicates[name] = predicate
            return predicate

        return register

    def by_card(self, kit: Kit) -> dict[str, Event]:
        """Card -> its function, of the cards that are written."""
        if kit not in self._cards:
            named = {card: slug(row["name"]) for card, row in kit.tables["cards"].items()}
            self._cards[kit] = {card: self.events[name] for card, name in named.items() if name in self.events}
        return self._cards[kit]

    def by_name(self, kit: Kit) -> dict[str, str]:
        """The name of a card's function -> the card."""
        if kit not in self._names:
            self._names[kit] = {slug(row["name"]): card for card, row in kit.tables["cards"].items()}
        return self._names[kit]

    def card_id(self, table: Table, name: str) -> str:
        """The id of a card by the name of its function: ``card_id(table, "the_wartburg")``."""
        return self.by_name(table.kit)[name]

    def find(self, kit: Kit, card: str) -> Event | None:
        """The function of a card; None while it is not written."""
        return self.by_card(kit).get(card)

    def missing_events(self, kit: Kit) -> list[str]:
        """The cards that nobody has written: ``number name``."""
        written = self.by_card(kit)
        return [f"{card} {slug(row['name'])}" for card, row in kit.tables["cards"].items() if card not in written]

    def unknown_events(self, kit: Kit) -> list[str]:
        """Functions and conditions whose name is no card's: slips of the pen."""
        known = self.by_name(kit)
        return sorted(name for name in {**self.events, **self.predicates} if name not in known)

    def why_not(
        self, table: Table, power: str, card: str, moment: Moment | None = None
    ) -> Refused | None:
        """Why a power may not play a card at a moment (its own impulse, as event); None when it may."""
        moment = moment or Moment("impulse", power)
        event = self.find(table.kit, card)
        if event is None:
            return Refused("card_for_cp_only", card=card)
        if moment.name not in event.moments:
            return Refused("no_event_now", card=card)
        if hands.kind_of(table, card) in ("combat", "response") and not rules(table).may_respond(table, power):
            return Refused("card_for_cp_only", card=card)
        if hands.played_as_event(table, card):
            return Refused("event_played_already", card=card)
        owner = hands.row(table, card)["owner"]
        if owner and owner != power:
            return Refused("card_of_another", card=card, power=owner)
        predicate = self.predicates.get(event.name)
        return predicate(table, power, moment) if predicate else None

    def playable_at(self, table: Table, power: str, moment: Moment) -> list[str]:
        """The cards of a power's hand that it may play at a moment, in the order of the kit."""
        held = hands.cards_of(table, power)
        written = self.by_card(table.kit)
        fitting = [card for card in held if card in written and moment.name in written[card].moments]
        return sorted((card for card in fitting if self.why_not(table, power, card, moment) is None), key=int)

    def answerable(self, table: Table, moment: Moment) -> bool:
        """Whether any card of the game can be played at such a moment at all, whoever holds it."""
        return any(moment.name in event.moments for event in self.by_card(table.kit).values())

    def resolve(self, table: Table, power: str, card: str, moment: Moment) -> Procedure:
        """Run the function of a card. Value: its `Outcome`, its fate and the 2 CP of a mandatory event filled in."""
        event = self.find(table.kit, card)
        assert event is not None
        result = event.function(table, power, moment)
        if inspect.isgenerator(result):
            result = yield from result
        if isinstance(result, Outcome):
            outcome = result
        elif isinstance(result, int) and not isinstance(result, bool) and moment.name == "impulse":
            outcome = Outcome(cp=result)
        else:
            outcome = Outcome(answer=result)
        row = hands.row(table, card)
        if outcome.fate is None:
            outcome.fate = "removed" if row["removed"] == "event" else "discard"
        if row["kind"] == "mandatory" and not outcome.cp and int(card) not in table.kit.constants["mandatory_cp_none"]:
            outcome.cp = table.kit.constants["mandatory_cp"]
        return outcome

    def play_card(self, table: Table, power: str, card: str, moment: Moment) -> Procedure:
        """Play a response or combat card at a moment; value: what it answers to the procedure that waits."""
        table.card(card, hands.hand(power), hands.IN_PLAY, section="6.1")
        table.tell("card_as_response", power=power, card=card, moment=moment.name, section="6.1")
        hands.note_play(table, power, card)
        outcome = yield from self.resolve(table, power, card, moment)
        if card in table.board.piles.get(hands.IN_PLAY, ()):
            hands.put_away(table, card, hands.IN_PLAY, outcome.fate)
        # 15.3: a card that takes units breaks a siege at once, in the middle of an action too.
        yield from siege.check_sieges(table)
        return outcome.answer
