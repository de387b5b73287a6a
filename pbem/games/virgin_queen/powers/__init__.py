"""3, 23, 24: the powers, with or without a seat, and the minor ones; what is special to each."""
