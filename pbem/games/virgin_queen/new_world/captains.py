"""2.6, 5.2: sea captains: where they are, whose they are, damage, loot, the way home; the ocean zones around them.

A voyage begins when a captain is built and ends when he comes home, goes to the Turn Track or is lost: marks of a piece
last so long: ``power`` (of a captain whom two powers may build), ``damaged``, ``voyage`` (key legs sailed,
``from:to``), ``traded`` (a bonus that works once a voyage was used), ``rerolled``. What a captain's bonus does are
numbers of the kit (``captain_bonuses``); state ``captain_bonuses_used``: captains whose bonus works once a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.games.reformation.fleets import next_box
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.places import POOL, REMOVED
from pbem.table.asking import choose
from pbem.table.board import SUPPLY
from pbem.table.procedure import Procedure, Table

CAPTAIN, COLONY, EUROPE = "captain:", "colony:", "europe"
DANGEROUS = "dangerous"


# --- ocean zones ---


def zones(table: Table) -> Mapping[str, Any]:
    """The ocean zones of the kit."""
    return table.kit.tables["ocean_zones"]


def links(table: Table, zone: str) -> dict[str, Mapping[str, Any]]:
    """2.6: the zones next to one, each with the row of the connection; a border goes before a dangerous passage."""
    lines: dict[str, Mapping[str, Any]] = {}
    for row in table.kit.tables["ocean_connections"].values():
        if zone in (row["a"], row["b"]):
            other = row["b"] if row["a"] == zone else row["a"]
            if other not in lines or lines[other]["kind"] == DANGEROUS:
                lines[other] = row
    return lines


def safely_reached(table: Table, starts: Iterable[str]) -> list[str]:
    """16.5, 20.4: the zones that a chain of borders without a dangerous passage leads to, in the order of the kit."""
    reached = set(starts)
    edge = list(reached)
    while edge:
        zone = edge.pop()
        for other, row in links(table, zone).items():
            if other not in reached and row["kind"] != DANGEROUS:
                reached.add(other)
                edge.append(other)
    return [zone for zone in zones(table) if zone in reached]


def entries(table: Table, power: str) -> list[str]:
    """17.4: the zones where a power's captains begin their voyages and come home."""
    return [zone for zone, row in zones(table).items() if power in row["entry"]]


def villages_on(table: Table, zone: str) -> list[str]:
    """The villages that touch a zone, in the order of the kit."""
    return [village for village, row in table.kit.tables["villages"].items() if zone in row["ocean_zones"]]


def zones_of(table: Table, place: str) -> list[str]:
    """The zone itself, or those that touch a village."""
    return [place] if place in zones(table) else list(table.kit.tables["villages"][place]["ocean_zones"])


def village_holder(table: Table, village: str) -> str | None:
    """Who controls a village or has a colony there; None for a free one."""
    holder = table.board.state.get(f"village:{village}")
    return holder or next((colony.split(":")[1] for colony in colonies_at(table, village)), None)


def colonies_at(table: Table, place: str) -> list[str]:
    """The pieces of colonies at a place."""
    return [piece for piece in table.board.pieces_at(place) if piece.startswith(COLONY)]


# --- captains ---


def row_of(table: Table, captain: str) -> Mapping[str, Any]:
    """What the kit says of a captain."""
    return table.kit.tables["sea_captains"][captain]


def place_of(table: Table, captain: str) -> str:
    """Where a captain's piece lies."""
    return str(table.board.pieces[CAPTAIN + captain]["at"])


def power_of(table: Table, captain: str) -> str | None:
    """Whose captain he is: who built him, or the only power that may; None for one of two powers in the pool."""
    built: str | None = table.board.pieces[CAPTAIN + captain].get("power")
    among = row_of(table, captain)["powers"]
    return built or (among[0] if len(among) == 1 else None)


def is_damaged(table: Table, captain: str) -> bool:
    """Whether a captain lies on his damaged side."""
    return bool(table.board.pieces[CAPTAIN + captain].get("damaged"))


def abroad(table: Table, power: str | None = None, place: str | None = None) -> list[str]:
    """The captains on the world map, at sea or in a colony, in the order of the kit; of a power, at a place."""
    sea, shore = zones(table), table.kit.tables["villages"]
    captains = []
    for captain in table.kit.tables["sea_captains"]:
        at = place_of(table, captain)
        if (at in sea or at in shore) and place in (None, at) and power in (None, power_of(table, captain)):
            captains.append(captain)
    return captains


def at_sea(table: Table, power: str | None = None, zone: str | None = None) -> list[str]:
    """The captains in ocean zones, in the order of the kit; of a power, in a zone."""
    return [one for one in abroad(table, power, zone) if place_of(table, one) in zones(table)]


def bonus(table: Table, captain: str, name: str, default: Any = None) -> Any:
    """5.2: what a captain's bonus gives under a name; the default where it is of another kind."""
    of = table.kit.constants["captain_bonuses"].get(row_of(table, captain)["bonus_id"], {})
    return of.get(name, default)


def bonus_at(table: Table, captain: str, name: str, *, zone: str, target: str | None = None) -> int:
    """A number of a captain's bonus, where it holds in this zone and against this target; else 0."""
    if zone not in bonus(table, captain, "zones", [zone]) or target != bonus(table, captain, "target", target):
        return 0
    return int(bonus(table, captain, name, 0))


def use_up(table: Table, captain: str, name: str) -> bool:
    """Whether a bonus that works once a game may still be used; it is used up by asking."""
    used = table.board.state.get("captain_bonuses_used", [])
    if not bonus(table, captain, name) or captain in used:
        return False
    table.set("captain_bonuses_used", [*used, captain], why="captain_bonus")
    return True


# --- what becomes of them ---


def loot(table: Table, captain: str) -> str:
    """The pile of treasures under a captain."""
    return treasures.loot(captain, power_of(table, captain) or "")


def capacity(table: Table, captain: str) -> int:
    """16.5 step 6: how many treasures a captain carries."""
    return table.kit.constants["loot_damaged" if is_damaged(table, captain) else "loot_full"]


def discard_loot(table: Table, captain: str, section: str) -> None:
    """All his loot is discarded."""
    for treasure in treasures.held(table, loot(table, captain)):
        table.card(treasure, loot(table, captain), treasures.SPENT, why="loot_lost", section=section)


def drop_excess(table: Table, captain: str, section: str = "16.5") -> Procedure:
    """16.5 step 6, 16.1: what is beyond his capacity is discarded; his power chooses which."""
    pile, power = loot(table, captain), power_of(table, captain) or ""
    while len(treasures.held(table, pile)) > capacity(table, captain):
        kind = yield from choose(
            table,
            power,
            "treasure",
            lambda table: treasures.kinds_in(table, pile),
            kind="voyage",
            section=section,
            captain=captain,
            step="drop",
        )
        treasure = treasures.of_kind(table, pile, kind)
        table.card(treasure, pile, treasures.SPENT, why="loot_lost", section=section)


def _unload(table: Table, captain: str, section: str) -> None:
    for colony in colonies_at(table, f"aboard:{captain}"):
        table.put(colony, SUPPLY, why="voyage_over", section=section)


def remove(table: Table, captain: str, why: str, section: str) -> None:
    """A captain is out of the game; his loot is discarded, his colony may sail with another one. Le Testu's marker as a
    scientist goes with him (22.2)."""
    table.tell("captain_lost", captain=captain, power=power_of(table, captain), why=why, section=section)
    discard_loot(table, captain, section)
    _unload(table, captain, section)
    table.put(CAPTAIN + captain, REMOVED, why=why, section=section)
    scientist = f"scientist:{captain}"
    if scientist in table.board.pieces and table.board.pieces[scientist]["at"] != REMOVED:
        table.put(scientist, REMOVED, why=why, section="22.2")


def to_turn_track(table: Table, captain: str, why: str, section: str) -> None:
    """A voyage is over: the captain waits in the box of the next turn; a colony aboard goes back to the supply."""
    _unload(table, captain, section)
    table.put(CAPTAIN + captain, next_box(table), why=why, section=section)


def come_home(table: Table, captain: str, why: str, section: str) -> None:
    """16.5 step 7, 16.6, 20.4: his loot comes to his power's hand, he may sail again in a later turn."""
    power = power_of(table, captain) or ""
    table.tell("captain_home", captain=captain, power=power, why=why, section=section)
    treasures.loot_home(table, captain, power, section=section)
    to_turn_track(table, captain, why, section)


def damage(table: Table, captain: str, section: str) -> Procedure:
    """16.1, 16.5: an intact captain is flipped, and drops what he can carry no more."""
    table.mark(CAPTAIN + captain, why="damaged", section=section, damaged=True)
    yield from drop_excess(table, captain, section)


def may_come_home(table: Table, captain: str) -> bool:
    """16.5 step 7, 20.4: whether a way without a dangerous passage leads him to an entry zone of his power."""
    home = entries(table, power_of(table, captain) or "")
    return any(zone in home for zone in safely_reached(table, zones_of(table, place_of(table, captain))))


def back_in_pool(table: Table, captain: str, why: str, section: str) -> None:
    """A captain can be built again; one of two powers by either."""
    among = row_of(table, captain)["powers"]
    table.put(CAPTAIN + captain, f"{POOL}:{among[0]}" if len(among) == 1 else POOL, why=why, section=section)
