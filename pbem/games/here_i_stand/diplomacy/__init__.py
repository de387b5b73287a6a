"""9: the Diplomacy phase, and how wars begin and end in any phase."""
