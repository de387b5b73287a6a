"""Struggle of Empires (Martin Wallace, 2004): the game room.

The modules follow the chapters of the rulebook: `setup`, `auction`, `actions` (with `movement`, `settling`, `tiles`,
`targets`, `fight`, `money`), `income`, `scoring`; `orders` says what players may send and when it is legal.
"""

from pbem.games.struggle_of_empires.game import StruggleOfEmpires

GAME = StruggleOfEmpires()
