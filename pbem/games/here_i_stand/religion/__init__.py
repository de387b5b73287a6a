"""18: the religious struggle."""
