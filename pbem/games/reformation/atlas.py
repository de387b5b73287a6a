"""The map and the vocabulary of a kit, worked out once per kit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.table.kit import Kit
from pbem.table.procedure import Table

FORTIFIED = ("key", "electorate", "fortress")


class Atlas:
    """Neighbours, ports, home spaces and kinds of unit of one kit. All lists are in the order of the kit's files."""

    def __init__(self, kit: Kit):
        self.spaces: Mapping[str, Mapping[str, Any]] = kit.tables["spaces"]
        self.zones = tuple(kit.tables["sea_zones"])
        self.open: dict[str, tuple[str, ...]] = {}
        """Neighbours over a connection that is no pass."""
        self.passes: dict[str, tuple[str, ...]] = {}
        self.waterways: dict[str, tuple[str, ...]] = {}
        """Neighbours over a connection that only some may use (`ground.neighbours`); in no other of these lists."""
        self.next_places: dict[str, tuple[str, ...]] = {}
        """Space or zone -> the spaces and zones next to it; a port is next to its zones."""
        self.neighbours: dict[str, tuple[str, ...]] = {}
        self.sea: dict[str, tuple[str, ...]] = {}
        """Zone -> adjacent zones."""
        self.ports: dict[str, tuple[str, ...]] = {id: tuple(row["ports"]) for id, row in self.spaces.items()}
        """Space -> the zones that it is a port of."""
        self.ports_on: dict[str, tuple[str, ...]] = {
            zone: tuple(id for id, row in self.spaces.items() if zone in row["ports"]) for zone in self.zones
        }
        linked = {id: row.get("inland_port") for id, row in self.spaces.items()}
        self.inland_ports: dict[str, str] = {id: port for id, port in linked.items() if port}
        """Inland port -> the port that it is linked to by a waterway (Virgin Queen, 16.7)."""
        self._connect(kit)
        self.powers = tuple(kit.tables["powers"])
        """The major powers in impulse order."""
        minors = kit.tables["minors"]
        self.minors = tuple(id for id, row in minors.items() if row["kind"] == "minor")
        self.independents = tuple(id for id, row in minors.items() if row["kind"] == "independent")
        self.owners = self.powers + tuple(minors)
        """Everybody who has units."""
        self.faction_of: dict[str, str] = {id: row["faction_of"] for id, row in minors.items() if row.get("faction_of")}
        """Faction -> the major power whose it is for good."""
        self.homes: dict[str, tuple[str, ...]] = {
            owner: tuple(id for id, row in self.spaces.items() if owner in self._home_owners(row))
            for owner in self.owners
        }
        """Owner -> its home spaces; one of two home powers is in both (2.1), that of a faction also its power's."""
        self.capitals: dict[str, tuple[str, ...]] = {
            power: tuple(row["capitals"]) for power, row in kit.tables["powers"].items()
        }
        self.keys = tuple(id for id, row in self.spaces.items() if row["kind"] == "key")
        self.key_controls = tuple((key, f"control:{key}") for key in self.keys)
        """Each key with the state value that says who controls it."""
        self.electorates = tuple(id for id, row in self.spaces.items() if row["kind"] == "electorate")
        self.leaders: Mapping[str, Mapping[str, Any]] = kit.tables["leaders"]
        self.leader_pieces = tuple((id, f"leader:{id}", row["kind"], row["power"]) for id, row in self.leaders.items())
        """(leader, piece, kind, power) in the order of the kit."""
        units = kit.tables["units"]
        self.land_kinds = tuple(id for id, row in units.items() if row["where"] == "land")
        self.naval_kinds = tuple(id for id, row in units.items() if row["where"] == "naval")
        self.counters = _counters(kit)
        self.counters_for = {
            (owner, kind): [counter for counter in self.counters.get(owner, ()) if kind in counter[:2]]
            for owner in self.owners
            for kind in units
        }
        """(owner, kind) -> the counters that show the kind on one side."""
        self.land_counters = [
            (owner, land, sum(counter[4] for counter in land if counter[2] == 1))
            for owner in self.owners
            if (land := [c for c in self.counters.get(owner, ()) if c[0] in self.land_kinds])
        ]
        """(owner, its land counters, how many of value 1), for those who have any."""

    def _connect(self, kit: Kit) -> None:
        clear: dict[str, list[str]] = {id: [] for id in self.spaces}
        passes: dict[str, list[str]] = {id: [] for id in self.spaces}
        waterways: dict[str, list[str]] = {id: [] for id in self.spaces}
        kinds = {"pass": passes, "waterway": waterways}
        for row in kit.tables["connections"].values():
            of = kinds.get(row["kind"], clear)
            of[row["a"]].append(row["b"])
            of[row["b"]].append(row["a"])
        sea: dict[str, list[str]] = {id: [] for id in self.zones}
        for row in kit.tables["sea_connections"].values():
            sea[row["a"]].append(row["b"])
            sea[row["b"]].append(row["a"])
        self.waterways = {id: tuple(near) for id, near in waterways.items() if near}
        self.open = {id: tuple(sorted(near)) for id, near in clear.items()}
        self.passes = {id: tuple(sorted(near)) for id, near in passes.items()}
        self.neighbours = {id: tuple(sorted(clear[id] + passes[id])) for id in self.spaces}
        self.sea = {id: tuple(sorted(near)) for id, near in sea.items()}
        self.next_places = {id: self.neighbours[id] + self.ports[id] for id in self.spaces}
        self.next_places |= {id: self.sea[id] + self.ports_on[id] for id in self.zones}

    def _home_owners(self, row: Mapping[str, Any]) -> list[str]:
        second = row.get("second_home") or row["home"]
        return [row["home"], second, self.faction_of.get(second, second)]

    def is_pass(self, a: str, b: str) -> bool:
        """Whether the connection of two spaces is a pass."""
        return b in self.passes[a]


def _counters(kit: Kit) -> dict[str, list[tuple[str, str | None, int, int | None, int]]]:
    """Owner -> its counters: (kind, kind on the back, denomination, denomination on the back, number)."""
    counters: dict[str, list[tuple[str, str | None, int, int | None, int]]] = {}
    for row in kit.tables["counters"].values():
        counters.setdefault(row["power"], []).append(
            (row["unit"], row["back_unit"] or None, row["denomination"], row["back_denomination"], row["counters"])
        )
    return counters


def atlas_of(kit: Kit) -> Atlas:
    """The atlas of a kit."""
    if Atlas not in kit.worked_out:
        kit.worked_out[Atlas] = Atlas(kit)
    return kit.worked_out[Atlas]


def atlas(table: Table) -> Atlas:
    """The atlas of the game on the table."""
    return table.kit.worked_out.get(Atlas) or atlas_of(table.kit)
