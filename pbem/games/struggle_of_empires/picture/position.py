"""What picture and text of Struggle of Empires need of a view."""

from dataclasses import dataclass, field

from pbem.drawing import position as drawing

UNIT_KINDS = ("army", "navy", "fort")
KINDS = ("control", *UNIT_KINDS)
TRACKS = ("vp", "gold", "population", "unrest")


@dataclass
class Position(drawing.Position):
    """What picture and text need of a board of this game."""

    counters: dict[str, list[str]] = field(init=False)  # region → ids of counters that lie there
    laid: dict[str, list[tuple[str, dict]]] = field(init=False)  # region → tiles that lie there, with their piece
    tiles: dict[str, list[tuple[str, dict]]] = field(init=False)  # empire → tiles that it holds; also "supply"

    def __post_init__(self):
        super().__post_init__()
        regions = self.kit.tables["regions"]
        self.counters = {region: [] for region in regions}
        self.laid = {region: [] for region in regions}
        self.tiles = {holder: [] for holder in (*self.powers, "supply")}
        for id in self.kit.tables["counters"]:
            at = self.view["pieces"].get(f"counter:{id}", {}).get("at")
            if at in regions:
                self.counters[at].append(id)
        order = {id: place for place, id in enumerate(self.kit.tables["tiles"])}
        pieces = [(name.split(":"), piece) for name, piece in self.view["pieces"].items() if name.startswith("tile:")]
        for (_, tile, *_copy), piece in sorted(pieces, key=lambda p: (order[p[0][1]], p[0])):
            for holders in (self.laid, self.tiles):
                if piece["at"] in holders:
                    holders[piece["at"]].append((tile, piece))

    def letter(self, power: str) -> str:
        return self.kit.tables["empires"][power]["letter"]

    def vp_text(self, region: str) -> str:
        row = self.kit.tables["regions"][region]
        return "/".join(str(row[value]) for value in ("vp1", "vp2", "vp3") if row[value])

    def side(self, power: str) -> str | None:
        """In which row of the alliance boxes an empire is."""
        for row in ("top", "bottom"):
            if power in (self.state.get(f"alliance_{row}") or []):
                return row
        return None

    def captives(self, tile: str) -> list[str]:
        """The empires whose control markers lie under Pirates or Slave Revolt."""
        return [power for power in self.powers if self.count(tile, power, "control")]

    def whose(self, tile: str, piece: dict) -> list[str]:
        """Who laid a tile on the map (Blockade); for Pirates and Slave Revolt, whose markers lie under it."""
        return [piece["power"]] if piece.get("power") else self.captives(tile)

    def situation(self) -> str:
        """Where the campaign stands: game, war, round, phase."""
        parts = [self.kit.title(self.language)]
        parts += [f"{self.words[name]} {self.state[name]}" for name in ("war", "round") if self.state.get(name)]
        parts += [self.phase()] if self.phase() else []
        return ", ".join(parts)

    def notes(self, region: str) -> list[str]:
        """The counters and tiles that lie in a region, in words."""
        return [
            *(self.counter_text(id) for id in self.counters[region]),
            *(self.laid_text(*laid) for laid in self.laid[region]),
        ]

    def counter_text(self, id: str) -> str:
        """A counter in words: Venice 3 (2 gold)."""
        row = self.kit.tables["counters"][id]
        text = f"{self.name('counter', id)} {self.counter_value(row)}"
        extra = [f"{row['gold']} {self.words['gold_short']}"] if row["gold"] else []
        extra += [f"{row['vp']} {self.words['vp']}"] if row["vp"] else []
        return text + (f" ({', '.join(extra)})" if extra else "")

    def counter_value(self, row: dict) -> str:
        return str(row["strength"]) if row["kind"] == "strength" else self.words[row["kind"]]

    def laid_text(self, tile: str, piece: dict) -> str:
        """A tile that lies on the map, in words, with whose it is or whose markers are under it."""
        names = ", ".join(self.name("empire", power) for power in self.whose(tile, piece))
        return self.name("tile", tile) + (f" ({names})" if names else "")

    def pieces_in_words(self, place: str) -> str:
        parts = []
        for power in self.powers:
            counts = [(kind, self.count(place, power, kind)) for kind in KINDS]
            told = ", ".join(self.teller.noun(number, kind) for kind, number in counts if number)
            if told:
                parts.append(f"{self.name('empire', power)} {told}")
        return "; ".join(parts)
