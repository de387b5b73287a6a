"""Wars, alliances, active minor powers. A pair is a sorted list of two; minor powers have wars, no alliances."""

from __future__ import annotations

from typing import Any

from pbem.games.reformation.atlas import atlas
from pbem.table.board import Board
from pbem.table.game import SHARED_SEATS
from pbem.table.procedure import Table


def pair(a: str, b: str) -> list[str]:
    """Two powers as they stand in ``at_war`` and ``allied``."""
    return [a, b] if a < b else [b, a]


def at_war(board: Board, a: str, b: str) -> bool:
    """Whether two powers, major or minor, are at war."""
    return pair(a, b) in board.state.get("at_war", ())


def allied(board: Board, a: str, b: str) -> bool:
    """Whether two major powers are allied. An ally of an ally is no ally (9.2)."""
    return pair(a, b) in board.state.get("allied", ())


def enemies_of(board: Board, power: str) -> list[str]:
    """Everybody the power is at war with, in alphabetical order."""
    return sorted(b if a == power else a for a, b in board.state.get("at_war", ()) if power in (a, b))


def allies_of(board: Board, power: str) -> list[str]:
    """The major powers allied to a power, in alphabetical order."""
    return sorted(b if a == power else a for a, b in board.state.get("allied", ()) if power in (a, b))


def minors_of(board: Board, power: str) -> list[str]:
    """The minor powers that are active allies of a major power, in alphabetical order."""
    return sorted(minor for minor, ally in board.state.get("minor_ally", {}).items() if ally == power)


def major_of(board: Board, owner: str) -> str | None:
    """The major power that units of an owner fight for; None for an inactive minor power and for independents."""
    if owner in board.powers:
        return owner
    return board.state.get("minor_ally", {}).get(owner)


def own(board: Board, power: str, owner: str) -> bool:
    """Whether units of an owner are the power's own or those of its active minor powers."""
    return major_of(board, owner) == power


def on_side(board: Board, power: str, owner: str) -> bool:
    """Whether an owner's units are friendly: own, or of an ally (2.2)."""
    major = major_of(board, owner)
    return major is not None and (major == power or allied(board, power, major))


def hostile(board: Board, power: str, owner: str) -> bool:
    """Whether an owner's units are enemies of the power (2.2); independents never are."""
    return at_war(board, power, major_of(board, owner) or owner)


def is_independent(table: Table, owner: str | None) -> bool:
    """Whether an owner is no power at all (2.2)."""
    return owner in atlas(table).independents


def seat_of(board: Board, power: str) -> list[str]:
    """The powers that the player of a power has: it itself, those of his seat, and those that he plays for a time."""
    host = board.played_by.get(power, power)
    own = next((powers for powers in board.state.get(SHARED_SEATS, ()) if host in powers), [host])
    return [*own, *(guest for guest, by in board.played_by.items() if by in own)]


def _add(table: Table, name: str, a: str, b: str, more: dict[str, Any]) -> None:
    pairs = table.board.state.get(name, [])
    if pair(a, b) not in pairs:
        table.set(name, sorted([*pairs, pair(a, b)]), **more)


def _remove(table: Table, name: str, a: str, b: str, more: dict[str, Any]) -> None:
    table.set(name, [p for p in table.board.state.get(name, []) if p != pair(a, b)], **more)


def make_war(table: Table, a: str, b: str, **more: Any) -> None:
    """Two powers are at war from now on; an alliance of theirs ends."""
    if b in table.board.powers:
        _remove(table, "allied", a, b, more)
    _add(table, "at_war", a, b, more)


def end_war(table: Table, a: str, b: str, **more: Any) -> None:
    """Two powers are no longer at war."""
    _remove(table, "at_war", a, b, more)


def make_alliance(table: Table, a: str, b: str, **more: Any) -> None:
    """Two major powers are allied until the winter."""
    _add(table, "allied", a, b, more)


def end_alliance(table: Table, a: str, b: str, **more: Any) -> None:
    """Two major powers are no longer allied."""
    _remove(table, "allied", a, b, more)


def set_minor_ally(table: Table, minor: str, power: str | None, **more: Any) -> None:
    """A minor power becomes the active ally of a major power, or inactive; units and markers are the caller's part."""
    allies = dict(table.board.state.get("minor_ally", {}))
    if power is None:
        allies.pop(minor, None)
    else:
        allies[minor] = power
    table.set("minor_ally", dict(sorted(allies.items())), **more)
