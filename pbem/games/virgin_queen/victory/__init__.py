"""25: victory points and how the game ends."""
