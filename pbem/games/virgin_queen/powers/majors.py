"""3, 23: who holds which power, factions, rulers, capitals.

State: ``ruler`` {power: ruler}, ``dead_rulers`` [ruler, ...] in the order of their deaths, ``capital:<owner>`` [space,
...] where the capitals are not those of the kit (the Empire's, those of the Protestant factions).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.ground import home_owners
from pbem.table.procedure import Table

OTTOMAN, SPAIN, ENGLAND, FRANCE, EMPIRE, PROTESTANT = "ottoman", "spain", "england", "france", "empire", "protestant"
HUGUENOT, DUTCH = "huguenot", "dutch"


def all_powers(table: Table) -> tuple[str, ...]:
    """The six major powers in impulse order, with a seat or without (3.2)."""
    return atlas(table).powers


def unseated(table: Table) -> list[str]:
    """The major powers without a seat of their own: inactive or activated (3.1)."""
    seated = table.board.seated()
    return [power for power in all_powers(table) if power not in seated]


def factions(table: Table, power: str) -> list[str]:
    """The factions of a power, in the order of the kit."""
    return [faction for faction, whose in atlas(table).faction_of.items() if whose == power]


def faction_of_space(table: Table, space: str) -> str | None:
    """``huguenot`` or ``dutch`` where a space is home of a Protestant faction, else None (2.5)."""
    return next((owner for owner in home_owners(table, space) if owner in (HUGUENOT, DUTCH)), None)


def capitals(table: Table, owner: str) -> Sequence[str]:
    """2.1, 23: the capitals of a power or faction now; those of the Protestant are those of its factions."""
    own = table.board.state.get(f"capital:{owner}")
    if own is not None:
        return own
    if owner == PROTESTANT:
        return [space for faction in (HUGUENOT, DUTCH) for space in capitals(table, faction)]
    row = table.kit.tables["powers"].get(owner)
    return row["capitals"] if row else ()


def capital_serves(table: Table, capital: str, owner: str) -> bool:
    """23.6: whether a capital is one for units of an owner: those of the Protestant serve their own faction alone."""
    if capital not in capitals(table, PROTESTANT):
        return True
    return capital in capitals(table, owner)


def winters_by_distance(table: Table, power: str, owner: str) -> bool:
    """20.4, 23.6, GB-62: whether Protestant units have no capital and go on to the nearest space with room."""
    return power == PROTESTANT and not any(capital_serves(table, one, owner) for one in capitals(table, PROTESTANT))


def ruler(table: Table, power: str) -> dict[str, Any]:
    """3.3, 23: ``{"id", "admin", "bonus"}`` of the ruler in office; one who is dead counts as his chapter says."""
    name = table.board.state["ruler"].get(power)
    if name is None or power not in table.board.seated():  # 3.2: without a seat no ruler's bonus, and no cards kept
        return {"id": None, "admin": 0, "bonus": 0}
    if name in table.board.state.get("dead_rulers", ()):
        constants = table.kit.constants
        admin = constants.get(f"{name}_dead_admin", constants["ruler_dead_admin"])
        return {"id": name, "admin": admin, "bonus": constants["ruler_dead_bonus"]}
    row = table.kit.tables["rulers"][name]
    return {"id": name, "admin": row["admin_rating"], "bonus": row["card_bonus"]}


def admin_rating(table: Table, power: str) -> int:
    """11: how many cards a power may keep."""
    return ruler(table, power)["admin"]


def new_ruler(table: Table, power: str, name: str, **more: Any) -> None:
    """A ruler comes to power."""
    table.set("ruler", {**table.board.state["ruler"], power: name}, **more)


def ruler_dies(table: Table, power: str, why: str, section: str = "23", *, ruler: str | None = None) -> None:
    """23.2 to 23.5: the ruler in office dies; his values are those of the dead until another comes.

    `ruler`: who dies where he may not be in office yet: he then comes to power as one of the dead.
    """
    name = ruler or table.board.state["ruler"][power]
    if name in table.board.state.get("dead_rulers", ()):
        return
    table.tell("ruler_dies", power=power, ruler=name, why=why, section=section)
    table.set("dead_rulers", [*table.board.state.get("dead_rulers", []), name], why=why, section=section)


def card_marker(table: Table, power: str, number: int, **more: Any) -> None:
    """6.2: a power gets +1 Card markers (or -1, a negative number) for the next deal."""
    name = "plus_cards" if number > 0 else "minus_cards"
    if number:
        held = dict(table.board.state.get(name, {}))
        held[power] = held.get(power, 0) + abs(number)
        table.set(name, dict(sorted(held.items())), **more)
