"""The cards: one function per card, named after it, in the modules of this package that the room lists.

How a card is written is told in `pbem.games.reformation.cards`; `event` and `playable` register it in the book of this
game.
"""

from __future__ import annotations

from pbem.games.reformation.cards import Book, Event, EventFunction, Outcome, Predicate, slug

BOOK = Book()
event, playable = BOOK.event, BOOK.playable
card_id, find, why_not, resolve = BOOK.card_id, BOOK.find, BOOK.why_not, BOOK.resolve
missing_events, unknown_events = BOOK.missing_events, BOOK.unknown_events

__all__ = [
    "BOOK",
    "Event",
    "EventFunction",
    "Outcome",
    "Predicate",
    "card_id",
    "event",
    "find",
    "missing_events",
    "playable",
    "resolve",
    "slug",
    "unknown_events",
    "why_not",
]
