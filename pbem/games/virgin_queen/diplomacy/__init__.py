"""9: the Diplomacy phase, and how wars begin in any phase."""
