"""While chapters are not written: their procedures are left out of a game, and everybody is told, so that play goes on.

This module goes when the last chapter is there.
"""

from __future__ import annotations

from pbem.table.procedure import Procedure, Table

SAYS = "the chapter of "
"""How the message of a procedure begins that nobody has written."""


def as_far_as_written(table: Table, procedure: Procedure) -> Procedure:
    """Run a procedure of another chapter; one that nobody has written is told and left out, and has the value None."""
    try:
        return (yield from procedure)
    except NotImplementedError as missing:
        if not str(missing).startswith(SAYS):
            raise
        table.tell("chapter_missing", chapter=str(missing).removeprefix(SAYS).removesuffix(" writes it"))
        return None
