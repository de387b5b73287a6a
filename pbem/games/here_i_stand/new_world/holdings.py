"""20: what a power has in the New World: explorers and conquistadors, colonies, markers.

Pieces: ``voyage:<exploration|conquest|cabot>:<power>`` and ``colony:<power>:<n>`` at ``crossing:<power>`` while they
are under way (marks: ``bonus`` of a card, ``agent`` once the explorer or conquistador is known); a colony that has come
is at its power. Explorers and conquistadors are at ``pool``, ``removed``, or at the discovery that they made.
State: ``galleons, plantations, raiders`` (lists of powers that have the marker), ``potosi`` (who founded it), ``cabot``
(powers whose Cabot has sailed).
"""

from __future__ import annotations

from pbem.games.here_i_stand.places import POOL
from pbem.table.procedure import Table

HAPSBURG = "hapsburg"
EXPLORATION, CONQUEST, CABOT = "exploration", "conquest", "cabot"
STRAIT, CIRCUMNAVIGATION, DISPLAY = "pacific_strait", "circumnavigation", "display"
ONCE_A_TURN = {EXPLORATION: "explore", CONQUEST: "conquer"}
"""The mark of the turn that a voyage of a kind leaves (20.2, 20.3)."""


def crossing(power: str) -> str:
    """The box Crossing Atlantic, as far as it is a power's."""
    return f"crossing:{power}"


def pool_of(table: Table, kind: str, power: str) -> list[str]:
    """The explorers (or conquistadors) that a power can still send, in the order of the kit; not those under way."""
    pieces = table.board.pieces
    rows = table.kit.tables["explorers" if kind == EXPLORATION else "conquistadors"]
    prefix = "explorer:" if kind == EXPLORATION else "conquistador:"
    return [
        piece.removeprefix(prefix)
        for piece in pieces
        if piece.startswith(prefix)
        and pieces[piece]["at"] == POOL
        and rows[piece.removeprefix(prefix).partition(":")[0]]["power"] == power
    ]


def value_of(table: Table, kind: str, agent: str) -> int:
    """The value of an explorer or conquistador."""
    rows = table.kit.tables["conquistadors" if kind == CONQUEST else "explorers"]
    return rows[agent.partition(":")[0]]["value"]


def colonies(table: Table, power: str, *, arrived: bool = False) -> list[str]:
    """The colonies of a power, those under way too unless only the `arrived` are wanted; Potosí among them."""
    return sorted(
        piece
        for piece, where in table.board.pieces.items()
        if piece.startswith(f"colony:{power}:") and (where["at"] == power or not arrived)
    )


def colony_limit(table: Table, power: str) -> int:
    """20.1: how many colonies a power may have at once; a marker went out of the game for Potosí (card 54)."""
    gone = 1 if table.board.state.get("potosi") == power else 0
    return table.kit.tables["powers"][power]["colonies"] - gone


def plain_colonies(table: Table, power: str) -> list[str]:
    """The colonies of a power that are not Potosí."""
    return [piece for piece in colonies(table, power) if not piece.endswith(":potosi")]


def free_colony(table: Table, power: str) -> str | None:
    """A colony marker of a power that is not in use, or None."""
    used = plain_colonies(table, power)
    if len(used) >= colony_limit(table, power):
        return None
    numbers = range(1, table.kit.tables["powers"][power]["colonies"] + 1)
    return next(f"colony:{power}:{n}" for n in numbers if f"colony:{power}:{n}" not in used)


def discoveries_of(table: Table, kind: str) -> list[str]:
    """The discoveries of a kind, by their number."""
    rows = table.kit.tables["discoveries"]
    return sorted((id for id, row in rows.items() if row["kind"] == kind), key=lambda id: rows[id]["roll"])


def has(table: Table, marker: str, power: str) -> bool:
    """Whether a power has a marker: ``galleons``, ``plantations``, ``raiders``."""
    return power in table.board.state.get(marker, ())


def give_marker(table: Table, marker: str, power: str, **more: str) -> None:
    """Give a power a marker: ``galleons``, ``plantations``, ``raiders`` (cards 48, 53, 49)."""
    table.set(marker, sorted({*table.board.state.get(marker, ()), power}), **more)


def lose_marker(table: Table, marker: str, power: str, **more: str) -> None:
    """Take a marker from a power."""
    table.set(marker, [one for one in table.board.state.get(marker, ()) if one != power], **more)
