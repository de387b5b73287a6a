"""8.3, 10, 11: who leads, where pieces may go, and what happens on the way."""
