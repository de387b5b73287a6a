"""The cards: one function per card, named after it, in the modules of this package that the room lists.

How a card is written is told in `pbem.games.reformation.cards`; `event` and `playable` register it here.
"""
