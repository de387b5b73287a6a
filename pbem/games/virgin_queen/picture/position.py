"""What picture and text of Virgin Queen need of a view."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from pbem.drawing.position import HIDDEN
from pbem.games.reformation.picture import position

LAND = ("regular", "mercenary", "cavalry")
NAVAL = ("galley", "galleon", "race_built", "corsair", "armada")
REGIONS = ("england", "scotland", "france", "netherlands")
PROTESTANT = "protestant"
PATROL = "patrol"
GONE = ("off", "removed")


@dataclass
class Position(position.Position):
    """What picture and text need of a board of this game."""

    land: ClassVar[tuple[str, ...]] = LAND
    naval: ClassVar[tuple[str, ...]] = NAVAL

    @property
    def played(self) -> list[str]:
        """The powers with a seat, and those that are activated (3.1, 3.2)."""
        return [power for power in self.powers if power in self.view["powers"]]

    def place_name(self, place: str) -> str:
        for domain, table in (("village", "villages"), ("ocean", "ocean_zones")):
            if place in self.kit.tables[table]:
                return self.name(domain, place)
        kind, _, what = place.partition(":")
        if kind == "foreign_war":
            return self.name("card", what.partition(":")[0])
        return self.words["escorts"] if place == "escorts" else super().place_name(place)

    def people(self, place: str, kinds: tuple[str, ...] = ("leader", "captain")) -> list[str]:
        """The names of leaders and captains at a place."""
        there = []
        for kind, id, piece in self.here.get(place, []):
            if kind in kinds:
                name = self.name(self.leader_domain(id) if kind == "leader" else kind, id)
                there.append(name + (f" ({self.words['damaged']})" if piece.get("damaged") else ""))
        return there

    def leader_domain(self, id: str) -> str:
        """Sea captains sail as leaders for a turn."""
        return "leader" if id in self.kit.tables["leaders"] else "captain"

    def leader_power(self, id: str, piece: dict) -> str | None:
        if id in self.kit.tables["leaders"]:
            return super().leader_power(id, piece)
        return piece.get("power") or self.captain_power(id, piece)

    def captain_power(self, id: str, piece: Mapping[str, Any]) -> str | None:
        """Whose a captain is: who built him, else the only power that may."""
        powers = self.kit.tables["sea_captains"][id]["powers"]
        return piece.get("power") or (powers[0] if len(powers) == 1 else None)

    def ruler(self, power: str) -> str:
        """Who rules a power, with his values; one who is dead counts for nothing. Of an activated power: who plays
        it, for it has no ruler (3.2)."""
        if power in self.played_by:
            return f"{self.words['played_by']}: {self.owner_name(self.played_by[power])}"
        ruler = (self.state.get("ruler") or {}).get(power)
        if ruler and ruler in (self.state.get("dead_rulers") or ()):
            return f"{self.name('ruler', ruler)} ({self.words['dead']})"
        return super().ruler(power)

    def has_jesuits(self, space: str) -> bool:
        return any(kind == "jesuit" for kind, _, _ in self.here.get(space, ()))

    @cached_property
    def capitals(self) -> frozenset[str]:
        """The capitals of powers and factions: those of the kit, or those that the board has in their place."""
        owners = [*self.powers, *self.kit.tables["minors"]]
        tables = self.kit.tables["powers"]
        held = [self.state.get(f"capital:{owner}", tables.get(owner, {}).get("capitals", ())) for owner in owners]
        return frozenset(space for spaces in held for space in spaces or ())

    def is_capital(self, space: str) -> bool:
        return space in self.capitals

    def keys(self, power: str) -> list[str]:
        """The keys that leave boxes of the track free: those that a power controls, none in unrest (12.4)."""
        return [
            id
            for id, row in self.kit.tables["spaces"].items()
            if row["kind"] == "key" and self.control(id) == power and not self.at("unrest", id)
        ]

    def protestant_keys(self) -> tuple[int, int]:
        """How many keys the Protestant has in the Netherlands, and how many elsewhere (23.6)."""
        keys = self.keys(PROTESTANT)
        here = sum(self.kit.tables["spaces"][key]["second_home"] == "dutch" for key in keys)
        return here, len(keys) - here

    def religion_in(self, region: str) -> dict[str, int]:
        """How many spaces of a region are Protestant, Catholic, and in unrest (2.3, 12.4)."""
        spaces = {"protestant": 0, "catholic": 0, "unrest": 0}
        for space, row in self.kit.tables["spaces"].items():
            if row["region"] == region:
                side = self.at("religion", space)
                spaces["unrest" if self.at("unrest", space) else side if side == "protestant" else "catholic"] += 1
        return spaces

    def protestant_spaces(self) -> int:
        return sum(self.religion_in(region)["protestant"] for region in REGIONS)

    def pile(self, name: str) -> list[str]:
        """What a pile holds, ``?`` for each thing that the reader may not know."""
        return self.view["piles"].get(name) or []

    def treasures(self, name: str) -> str:
        """The treasures of a pile: how many, and which where the reader may know it."""
        held = self.pile(name)
        known = [self.name("treasure", id.partition(":")[0]) for id in held if id != HIDDEN]
        return f"{len(held)}" + (f" ({', '.join(sorted(known))})" if known else "")

    def marker(self, name: str) -> str:
        """What VP markers are for: a word of the game, or a card's name."""
        return self.words.get(f"vp_{name}") or self.teller.name(name)

    def years(self, turn: Mapping[str, Any]) -> str:
        return f"{turn['from_year']}-{turn['to_year']}" if turn else ""
