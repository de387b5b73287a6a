"""20: the New World."""
