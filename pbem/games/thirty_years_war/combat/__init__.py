"""12, 13: battles, losses and retreats; sieges and sorties."""
