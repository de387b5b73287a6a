"""What is remembered for a while (`pbem.table.marks`): here until the end of the action, the impulse or the turn."""

from __future__ import annotations

from pbem.table.marks import clear, mark, note, noted, set_mark

__all__ = ["clear", "mark", "note", "noted", "set_mark"]
