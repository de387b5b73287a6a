"""What is remembered for a while: named values of the state that end with an action, an impulse or a turn.

A mark is the state value ``<scope>:<name>``; `clear` ends all marks of a scope, and a game says when. Lists and dicts
are replaced whole.
"""

from __future__ import annotations

from typing import Any

from pbem.table.table import Table


def mark(table: Table, scope: str, name: str, default: Any = None) -> Any:
    """The value of a mark; not to be changed in place."""
    return table.board.state.get(f"{scope}:{name}", default)


def set_mark(table: Table, scope: str, name: str, value: Any, **more: Any) -> None:
    """Set a mark; None takes it away."""
    table.set(f"{scope}:{name}", value, **more)


def note(table: Table, scope: str, name: str, value: str | int, **more: Any) -> None:
    """Add a value to the list of a mark; nothing happens when it is there already."""
    noted = mark(table, scope, name, [])
    if value not in noted:
        set_mark(table, scope, name, [*noted, value], **more)


def noted(table: Table, scope: str, name: str, value: str | int) -> bool:
    """Whether the list of a mark holds a value."""
    return value in mark(table, scope, name, ())


def clear(table: Table, scope: str) -> None:
    """End all marks of a scope."""
    marks = f"{scope}:"
    for name in sorted([name for name in table.board.state if name.startswith(marks)]):
        table.set(name, None)
