"""4, 6, 8.1, 18: the turn: set-up, the sequence of play, decks, activations, the end of a turn and of the game."""
