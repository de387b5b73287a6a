"""Struggle of Empires (Martin Wallace, 2004): the game room.

The modules follow the chapters of the rulebook: `setup`, `auction`, `actions` (with `movement`, `settling`, `tiles`,
`money`, `purchases`, `targets`, `fight`), `income`, `scoring`; `orders` says what players may send and when it is
legal; `room` puts it all together.
"""

from pbem.games.struggle_of_empires.room import GAME

__all__ = ["GAME"]
