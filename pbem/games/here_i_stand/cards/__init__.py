"""The cards: one function per card, named after it, in the modules of this package that the room lists.

How a card is written is told in `pbem.games.reformation.cards`; `event` and `playable` register it in the book of this
game.
"""

from __future__ import annotations

from pbem.games.reformation.cards import Book

BOOK = Book()
event, playable = BOOK.event, BOOK.playable
