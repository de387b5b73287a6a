"""23: victory points and victory."""
