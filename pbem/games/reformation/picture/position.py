"""What picture and text of *Here I Stand* and *Virgin Queen* need of a view."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from pbem.drawing import position as drawing
from pbem.table.kit import Kit

UNKNOWN = {"hex": "#bbbbbb", "letter": "?"}


def owner(kit: Kit, id: str | None) -> dict:
    """The row, with colour and letter, of a power or minor."""
    if id is None:
        return UNKNOWN
    return kit.tables["powers"].get(id) or kit.tables["minors"].get(id) or UNKNOWN


def owner_name(kit: Kit, id: str, language: str) -> str:
    """The name of a power or minor."""
    return kit.display("power" if id in kit.tables["powers"] else "minor", id, language)


@dataclass
class Position(drawing.Position):
    """What picture and text need of a board; a game says which units it has and what else its boards hold."""

    land: ClassVar[tuple[str, ...]] = ()
    naval: ClassVar[tuple[str, ...]] = ()

    @cached_property
    def powers(self) -> list[str]:
        """The major powers in impulse order."""
        return list(self.kit.tables["powers"])

    @property
    def played(self) -> list[str]:
        """Those that have a seat, and those that are played for a time from another's."""
        return self.powers

    @property
    def played_by(self) -> dict:
        """Power without a seat of its own -> the power whose seat plays it; it has no VP."""
        return self.view.get("played_by") or {}

    @property
    def minors(self) -> list[str]:
        return [id for id, row in self.kit.tables["minors"].items() if row["kind"] == "minor"]

    def owner(self, id: str | None) -> dict:
        """The row, with colour and letter, of a power or minor."""
        return owner(self.kit, id)

    def owner_name(self, id: str) -> str:
        return owner_name(self.kit, id, self.language)

    def short_name(self, id: str) -> str:
        """The name of a power or minor where room is scarce: the game's word for it, else the whole name."""
        return self.words.get(f"short_{id}") or self.owner_name(id)

    def place_name(self, place: str) -> str:
        space, _, inside = place.partition("/")
        if space in self.kit.tables["spaces"]:
            return self.name("space", space) + (f" ({self.words['inside']})" if inside else "")
        if space in self.kit.tables["sea_zones"]:
            return self.name("sea", space)
        kind, _, what = place.partition(":")
        if kind == "foreign_war":
            return self.name("card", what)
        return f"{self.words['turn']} {what}" if kind == "turn_track" else place.replace("_", " ")

    def at(self, name: str, space: str) -> Any:
        """A state entry of a space, such as control: at("control", "vienna")."""
        return self.state.get(f"{name}:{space}")

    def people(self, place: str, kinds: tuple[str, ...] = ("leader", "reformer")) -> list[str]:
        """The names of leaders and others at a place."""
        return [self.name(kind, id) for kind, id, _ in self.here.get(place, []) if kind in kinds]

    def ruler(self, power: str) -> str:
        """Who rules a power, with his values; "" where the board has nobody."""
        ruler = (self.state.get("ruler") or {}).get(power)
        if not ruler:
            return ""
        facts = self.kit.tables["rulers"][ruler]
        return f"{self.name('ruler', ruler)} {facts['admin_rating']}/+{facts['card_bonus']}"

    def has_jesuits(self, space: str) -> bool:
        """Whether a Jesuit marker stands in a space."""
        return bool(self.at("university", space))

    def is_capital(self, space: str) -> bool:
        return bool(self.kit.tables["spaces"][space]["capital_of"])

    def control(self, space: str) -> str | None:
        """Who controls a space; None if it is not in play."""
        return self.state.get(f"control:{space}")

    def home(self, space: str) -> str:
        """The home power of a space; that of some African ports changes."""
        return self.state.get(f"home:{space}") or self.kit.tables["spaces"][space]["home"]

    def kind(self, space: str) -> str:
        row = self.kit.tables["spaces"][space]
        if row["kind"] == "unfortified" and (self.at("fortress", space) or self.at("haven", space)):
            return "fortress"
        return row["kind"]

    def besieged(self, space: str) -> bool:
        return bool(self.at("siege", space) or self.view["units"].get(f"{space}/inside"))

    def units(self, place: str) -> list[tuple[str, dict[str, int]]]:
        """Units at a place: owners in impulse order, minors after them."""
        owners = self.view["units"].get(place)
        if not owners:
            return []
        known = [*self.powers, *self.kit.tables["minors"]]
        return [(owner, kinds) for owner in known if (kinds := owners.get(owner)) and any(kinds.values())]

    def keys(self, power: str) -> list[str]:
        """The keys that count for a power's track: under its control, or of an active ally; none in unrest."""
        minor_ally = self.state.get("minor_ally") or {}
        return [
            id
            for id, row in self.kit.tables["spaces"].items()
            if row["kind"] == "key"
            and (self.control(id) == power or minor_ally.get(self.control(id)) == power)
            and not self.at("unrest", id)
        ]

    def protestant_spaces(self) -> int:
        return sum(
            self.at("religion", space) == "protestant" and not self.at("unrest", space)
            for space in self.kit.tables["spaces"]
        )

    def short(self, kinds: dict[str, int], of: Iterable[str]) -> str:
        """Units of one power in brief: 7 2m 1c."""
        parts = [(kind, kinds.get(kind, 0)) for kind in of]
        return " ".join(f"{number}{self.words.get(kind, '')}" for kind, number in parts if number)

    def units_in_words(self, place: str, kinds: Sequence[str] = ()) -> str:
        """The units at a place, of all kinds or of some."""
        told = []
        for owner, numbers in self.units(place):
            names = kinds or (*self.land, *self.naval)
            parts = [self.teller.noun(n, kind) for kind in names if (n := numbers.get(kind))]
            told += [f"{self.owner_name(owner)} {', '.join(parts)}"] if parts else []
        return "; ".join(told)

    def standing(self, place: str) -> str:
        """Units and people at a place, one line for a space: of one under siege, who besieges whom; "" for nobody."""
        everybody, walls = self.people(place), f"{place}/inside"
        if place not in self.kit.tables["spaces"] or not self.besieged(place):
            return "; ".join(filter(None, [self.units_in_words(place), ", ".join(everybody)]))
        leaders = self.people(place, ("leader",))
        told = {
            "besiegers": "; ".join(filter(None, [self.units_in_words(place, self.land), ", ".join(leaders)])),
            "within": "; ".join(filter(None, [self.units_in_words(walls), ", ".join(self.people(walls))])),
            "in_port": self.units_in_words(place, self.naval),  # of the defender: no besieger lies in that port
        }
        parts = [f"{self.words[name]}: {who}" for name, who in told.items() if who]
        parts += [", ".join(one for one in everybody if one not in leaders)]
        return ". ".join(filter(None, [self.words["besieged"], *parts]))

    def relation(self, a: str, b: str) -> str:
        """ "war", "allied" or "" for two powers, or a power and a minor."""
        return self._relations.get(frozenset((a, b)), "")

    @cached_property
    def _relations(self) -> dict[frozenset[str], str]:
        """The pairs that are at war or allied; war counts more."""
        allied = [*(self.state.get("allied") or []), *(self.state.get("minor_ally") or {}).items()]
        return {frozenset(pair): "allied" for pair in allied} | {
            frozenset(pair): "war" for pair in self.state.get("at_war") or []
        }

    def leader_domain(self, id: str) -> str:
        """The domain of the kit that names a leader."""
        return "leader"

    def leader_power(self, id: str, piece: dict) -> str | None:
        return piece.get("power") or self.kit.tables["leaders"][id]["power"] or None

    def years(self, turn: Mapping[str, Any]) -> str:
        """The years of a row of the kit's turns."""
        return str(turn.get("years") or "")

    def situation(self) -> str:
        parts = [self.kit.title(self.language)]
        if self.state.get("turn"):
            years = self.years(self.kit.tables["turns"].get(str(self.state["turn"]), {}))
            parts.append(f"{self.words['turn']} {self.state['turn']}" + (f" ({years})" if years else ""))
        parts += [self.phase()] if self.phase() else []
        if self.state.get("active") in self.powers:
            parts.append(f"{self.words['active']}: {self.owner_name(self.state['active'])}")
        return ", ".join(parts)
