"""8.3, 10.0, 11.0: an army is activated and marches; single pieces move freely. See `march` for what is remembered.

An activation is one mail (3.9)::

    ACT C12 WITH Tilly TAKING 4 bavarian mercenary, Pappenheim
    GO landshut CONTROL
    GO straubing, passau
    FIGHT WITH ALL            (chapter 12, `battle`)
    FORAGE landshut
    SIEGE                     (chapter 13, `siege`)

The board remembers the march in the state value ``march`` (`March`), which ends with the activation.
"""

from __future__ import annotations

from typing import Any

from pbem.table.procedure import Procedure, Table

MARCH = "march"


def march(table: Table) -> dict[str, Any] | None:
    """The march under way, not to be changed in place; None where there is none::

        {"side", "card", "leader": piece that leads, "pieces": [pieces of the moving group, the leader among them],
         "space": where it stands, "origin": where it began, "from": the space last left or None, "path": [spaces
         entered], "mp": points used, "joined": {piece: points the group had used when it joined}, "strength": units
         that belong to its forage need (11.161), "dropped": [pieces], "fought": bool, "foraged": bool}
    """
    return table.board.state.get(MARCH)


def act(table: Table, side: str, card: str | None, leader: str, group: list[str]) -> Procedure:
    """8.3: a leader (piece) is activated with a group of pieces: march, contact, forage, siege."""
    raise NotImplementedError("the march: T1")


ORDERS: tuple[type, ...] = ()
USES: tuple[type, ...] = ()
