"""How the board of Struggle of Empires looks, as picture and as text.

The picture is the map with its tracks and, below it, a table of all pieces: the map is for the glance, the table can be
read on a phone. Empires are told apart by colour and by a letter.
"""

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from pbem.table.kit import Kit

UNIT_KINDS = ("army", "navy", "fort")
KINDS = ("control", *UNIT_KINDS)
TRACKS = ("vp", "gold", "population", "unrest")

WORDS = {
    "en": {
        "war": "War", "round": "Round", "phase": "Phase", "active": "To play", "proposal": "Proposal", "bid": "Bid",
        "alliances": "Alliances", "alliance": "Alliance", "population": "Population", "gold": "Gold", "vp": "VP",
        "unrest": "Unrest", "tiles": "Tiles", "turn": "Turn", "hidden": "?", "home": "Home", "used": "used",
        "counters": "Counters on the map", "pop": "Pop", "slaves": "Slaves", "strength": "strength", "top": "top",
        "bottom": "bottom", "none": "none", "control": "control markers", "army": "armies", "navy": "navies",
        "fort": "forts", "pieces": "Pieces on the map", "empires": "Empires", "order": "Turn order",
        "gold_short": "gold", "supply": "Tiles in the supply", "key": "In each cell",
    },
    "fr": {
        "war": "Guerre", "round": "Round", "phase": "Phase", "active": "À jouer", "proposal": "Proposition",
        "bid": "Mise", "alliances": "Alliances", "alliance": "Alliance", "population": "Population", "gold": "Or",
        "vp": "PV", "unrest": "Insatisfaction", "tiles": "Tuiles", "turn": "Tour", "hidden": "?", "home": "Pays",
        "used": "utilisée", "counters": "Marqueurs sur la carte", "pop": "Pop", "slaves": "Esclaves",
        "strength": "force", "top": "haut", "bottom": "bas", "none": "aucun", "control": "jetons de contrôle",
        "army": "armées", "navy": "marines", "fort": "forts", "pieces": "Pièces sur la carte", "empires": "Empires",
        "order": "Ordre du tour", "gold_short": "or", "supply": "Tuiles disponibles", "key": "Dans chaque case",
    },
    "ru": {
        "war": "Война", "round": "Раунд", "phase": "Фаза", "active": "Ходит", "proposal": "Расклад", "bid": "Ставка",
        "alliances": "Союзы", "alliance": "Союз", "population": "Население", "gold": "Золото", "vp": "ПО",
        "unrest": "Недовольство", "tiles": "Плитки", "turn": "Ход", "hidden": "?", "home": "Метрополия",
        "used": "применена", "counters": "Жетоны на карте", "pop": "Нас", "slaves": "Рабы", "strength": "сила",
        "top": "верхний", "bottom": "нижний", "none": "нет", "control": "маркеры контроля", "army": "армии",
        "navy": "флоты", "fort": "форты", "pieces": "Фигуры на карте", "empires": "Империи", "order": "Порядок хода",
        "gold_short": "зол.", "supply": "Плитки в запасе", "key": "В каждой клетке",
    },
}  # fmt: skip

PHASES = {
    "en": {},
    "fr": {
        "setup": "mise en place", "placement": "placement", "war": "début de la guerre", "negotiation": "négociation",
        "auction": "enchères", "actions": "actions", "income": "revenus", "scoring": "score",
        "war_end": "fin de la guerre", "end": "fin", "over": "terminé",
    },
    "ru": {
        "setup": "расстановка", "placement": "размещение", "war": "начало войны", "negotiation": "переговоры",
        "auction": "аукцион", "actions": "действия", "income": "доходы", "scoring": "подсчёт очков",
        "war_end": "конец войны", "end": "конец", "over": "окончена",
    },
}  # fmt: skip


@dataclass
class Position:
    """What the pictures need of a view, found once."""

    view: dict[str, Any]
    kit: Kit
    language: str
    words: dict[str, str] = field(init=False)
    counters: dict[str, list[str]] = field(init=False)  # region → ids of counters that lie there
    laid: dict[str, list[tuple[str, dict]]] = field(init=False)  # region → tiles that lie there, with their piece
    tiles: dict[str, list[tuple[str, dict]]] = field(init=False)  # empire → tiles that it holds; also "supply"

    def __post_init__(self):
        self.words = WORDS.get(self.language.partition("_")[0].partition("-")[0], WORDS["en"])
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

    @property
    def powers(self) -> list[str]:
        return self.view["powers"]

    @property
    def state(self) -> dict[str, Any]:
        return self.view["state"]

    def name(self, domain: str, id: str) -> str:
        return self.kit.display(domain, id, self.language)

    def letter(self, power: str) -> str:
        return self.kit.tables["empires"][power]["letter"]

    def count(self, place: str, power: str, kind: str) -> int:
        return self.view["units"].get(place, {}).get(power, {}).get(kind, 0)

    def track(self, track: str, power: str) -> str:
        value = self.view["tracks"].get(track, {}).get(power, 0)
        return self.words["hidden"] if value is None else str(value)

    def vp_text(self, region: str) -> str:
        row = self.kit.tables["regions"][region]
        return "/".join(str(row[value]) for value in ("vp1", "vp2", "vp3") if row[value])

    def phase(self) -> str:
        phase = str(self.state.get("phase") or "")
        return PHASES.get(self.language, {}).get(phase, phase.replace("_", " "))

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
            told = ", ".join(f"{number} {self.words[kind]}" for kind, number in counts if number)
            if told:
                parts.append(f"{self.name('empire', power)} {told}")
        return "; ".join(parts)


# --- picture ---

MAP_WIDTH = 1000
TITLE_HEIGHT = 46
NAME_COLUMN = 196
MARGIN = 12
DARK, LIGHT = "#1c1c1c", "#ffffff"


def picture(view: dict, kit: Kit, *, highlight: frozenset[str], language: str, title: str | None) -> dict[str, Any]:
    """What `templates/map/struggle_of_empires.svg` draws: areas, tokens, tracks and the table, with all coordinates."""
    position = Position(view, kit, language)
    layout = kit.files["map_layout"]
    top = TITLE_HEIGHT if title else 0
    table = _table(position, highlight)
    tracks = _tracks(position)
    return {
        "language": language,
        "heading": title,
        "label": title or _situation(position),
        "situation": _situation(position),
        "width": MAP_WIDTH,
        "height": top + layout["box"]["h"] + table["height"],
        "top": top,
        "map_height": layout["box"]["h"],
        "panels": layout["panels"],
        "seas": [{"id": sea["id"], "d": _path(sea["polygons"])} for sea in layout["seas"]],
        "areas": list(_areas(position, highlight)),
        "pieces": _together([*_tokens(position), *tracks.pop("tokens")]),
        "counters": list(_counter_tokens(position)),
        "tracks": tracks,
        "key": _key(position),
        "table": table,
    }


def _situation(position: Position) -> str:
    words, state = position.words, position.state
    parts = [position.kit.title(position.language)]
    parts += [f"{words[name]} {state[name]}" for name in ("war", "round") if state.get(name)]
    parts += [position.phase()] if position.phase() else []
    return ", ".join(parts)


def _path(polygons: Iterable) -> str:
    return " ".join("M" + " ".join(f"{x} {y}" for x, y in polygon) + "Z" for polygon in polygons)


def _areas(position: Position, highlight: frozenset[str]) -> Iterator[dict]:
    layout = position.kit.files["map_layout"]
    seas = {sea["region"]: sea for sea in layout["seas"]}
    for land in layout["neutral_lands"]:
        yield {"id": f"land-{land['id']}", "d": _path(land["polygons"]), "fill": land["fill"], "changed": False,
               "about": land["name"], "label": None, "outline": None}  # fmt: skip
    for region in layout["regions"]:
        id = region["id"]
        about = f"{position.name('region', id)} {position.vp_text(id)}. {position.pieces_in_words(id)}"
        counters = [position.counter_text(counter) for counter in position.counters[id]]
        counters += [position.laid_text(*laid) for laid in position.laid[id]]
        changed = id in highlight
        # a colony is land and sea: the frame around it holds both
        sea = seas[id]["polygons"] if changed and id in seas else []
        yield {
            "id": f"region-{id}", "d": _path(region["polygons"]), "fill": region["fill"], "changed": changed,
            "about": ". ".join([about.strip(), *counters]), "outline": _path([*sea, *region["polygons"]]),
            "label": {**region["label"], "name": position.name("region", id), "vp": position.vp_text(id),
                      "size": 16, "fill": DARK, "halo": True},
        }  # fmt: skip
    for home in layout["homes"]:
        id = home["id"]
        playing = id in position.powers
        beside = id == "united_provinces"
        yield {
            "id": f"home-{id}", "d": _path(home["polygons"]), "fill": home["fill"],
            "changed": f"home:{id}" in highlight,
            "about": f"{position.name('empire', id)}. {position.pieces_in_words(f'home:{id}')}".strip(),
            "outline": _path(home["polygons"]),
            "label": {**home["label"], "vp": "", "size": 14, "halo": beside,
                      "name": _short(position, id), "fill": DARK if beside else home["text"],
                      "faint": not playing},
        }  # fmt: skip


def _short(position: Position, empire: str) -> str:
    """The name of an empire as it fits on the map: "Great Britain" without its adjective."""
    return position.name("empire", empire).removeprefix("Great ")


def _fit(box: dict, number: int, aspect: float, tallest: float) -> Iterator[tuple[float, float, float, float]]:
    """Lays a number of pieces of one shape into a box, as large as they can be: x, y, width, height of each."""
    gap = 1.5
    best, columns = 0.0, 1
    for rows in range(1, number + 1):
        per_row = ceil(number / rows)
        height = min(box["h"] / rows - gap, (box["w"] / per_row - gap) / aspect, tallest)
        if height > best:
            best, columns = height, per_row
    rows = ceil(number / columns)
    step_x, step_y = best * aspect + gap, best + gap
    for piece in range(number):
        row, column = divmod(piece, columns)
        in_row = min(columns, number - row * columns)
        x = box["x"] + (box["w"] - in_row * step_x + gap) / 2 + column * step_x
        y = box["y"] + (box["h"] - rows * step_y + gap) / 2 + row * step_y
        yield round(x, 1), round(y, 1), round(best * aspect, 1), round(best, 1)


def _shape(kind: str, x: float, y: float, w: float, h: float) -> str:
    """The outline of a piece: control a lozenge-ended bar, army a shield, navy a hull, fort a wall with battlements."""
    r, right, foot = round(h / 2, 1), round(x + w, 1), round(y + h, 1)
    if kind == "control":
        a, b = round(x + r, 1), round(right - r, 1)
        return f"M{a} {y}H{b}A{r} {r} 0 0 1 {b} {foot}H{a}A{r} {r} 0 0 1 {a} {y}Z"
    if kind == "army":
        low = round(y + h * 0.72, 1)
        return f"M{x} {y}H{right}V{low}L{x + w / 2:.1f} {y + h * 1.12:.1f}L{x} {low}Z"
    if kind == "navy":
        return (
            f"M{x} {y + h * 0.1:.1f}H{right}"
            f"L{right - w * 0.2:.1f} {foot}H{x + w * 0.2:.1f}Z"
        )
    tooth, low = w / 5, round(y + h * 0.18, 1)
    teeth = "".join(f"V{low if i % 2 else y}H{x + tooth * (i + 1):.1f}" for i in range(5))
    return f"M{x} {foot}{teeth}V{foot}Z"


def _together(tokens: list[dict]) -> list[dict]:
    """The tokens of each colour with their outlines as one path: a picture of few elements is painted much faster."""
    groups: dict[str, dict] = {}
    for token in tokens:
        colours = {key: token[key] for key in ("fill", "ink", "edge")}
        group = groups.setdefault(token["fill"], {"d": [], "texts": [], **colours})
        group["d"].append(token["d"])
        group["texts"].append({key: token[key] for key in ("x", "y", "text", "size")})
    return [{**group, "d": "".join(group["d"])} for group in groups.values()]


def _colours(position: Position, power: str) -> dict[str, str]:
    home = next(home for home in position.kit.files["map_layout"]["homes"] if home["id"] == power)
    dark = home["text"] == LIGHT
    return {"fill": home["fill"], "ink": LIGHT if dark else DARK, "edge": LIGHT if dark else DARK}


def _token(position: Position, power: str, kind: str, text: str, x: float, y: float, w: float, h: float) -> dict:
    share = {"control": 0.82, "army": 0.82, "navy": 0.72, "fort": 0.74}[kind]
    size = round(min(h * share, w / (0.62 * max(len(text), 2))), 1)
    sunk = h * 0.1 if kind == "fort" else 0
    return {
        "d": _shape(kind, x, y, w, h), "x": round(x + w / 2, 1), "y": round(y + h / 2 + sunk + size * 0.36, 1),
        "text": text, "size": size, **_colours(position, power),
    }  # fmt: skip


def _tokens(position: Position) -> Iterator[dict]:
    """Control markers and units on the map: letter of the empire and number, the shape tells the kind."""
    layout = position.kit.files["map_layout"]
    boxes = [
        (region["id"], region[box], kinds)
        for region in layout["regions"]
        for box, kinds in (("markers", ("control",)), ("units", ("army", "fort")), ("navies", ("navy",)))
        if box in region
    ]
    boxes += [(f"home:{home['id']}", home["units"], UNIT_KINDS) for home in layout["homes"]]
    for place, box, kinds in boxes:
        lying = [
            (power, kind, position.count(place, power, kind))
            for power in position.powers
            for kind in kinds
            if position.count(place, power, kind)
        ]
        if not lying:
            continue
        for (power, kind, number), spot in zip(lying, _fit(box, len(lying), 1.45, 22), strict=True):
            yield _token(position, power, kind, f"{position.letter(power)}{number}", *spot)


def _counter_tokens(position: Position) -> Iterator[dict]:
    """Country counters, and the tiles that lie on the map."""
    for region in position.kit.files["map_layout"]["regions"]:
        counters = [("counter", id, {}) for id in position.counters[region["id"]]]
        lying = counters + [("tile", tile, piece) for tile, piece in position.laid[region["id"]]]
        if not lying:
            continue
        spots = _fit(region["counters"], len(lying), 1.2, 23)
        for (what, id, piece), (x, y, w, h) in zip(lying, spots, strict=True):
            token = {"x": x, "y": y, "w": w, "h": h, "middle": round(x + w / 2, 1), "what": what, "gold": 0, "vp": 0}
            if what == "counter":
                row = position.kit.tables["counters"][id]
                strong = row["kind"] == "strength"
                text = str(row["strength"]) if strong else position.words[row["kind"]][:4]
                size = h * 0.78 if strong else min(h * 0.6, w / (0.6 * len(text)))
                token |= {"gold": row["gold"], "vp": row["vp"], "kind": row["kind"]}
            else:
                whose = position.whose(id, piece)
                text = position.name("tile", id)[:2] + "".join(f" {position.letter(power)}" for power in whose[:1])
                size = min(h * 0.6, w / (0.62 * len(text)))
                token |= {"kind": id}
            # room for the sign of gold or VP in the right part
            shift = -w * 0.18 if token["gold"] or token["vp"] else 0
            yield token | {
                "text": text, "size": round(size, 1), "tx": round(x + w / 2 + shift, 1),
                "ty": round(y + h / 2 + size * 0.36, 1), "r": round(h * 0.3, 1),
                "sx": round(x + w * 0.75, 1), "sy": round(y + h * 0.5, 1), "ssize": round(h * 0.48, 1),
            }  # fmt: skip


def _tracks(position: Position) -> dict[str, Any]:
    """The tracks beside the map, with the markers on them."""
    tracks, state, words = position.kit.files["map_layout"]["tracks"], position.state, position.words
    tokens: list[dict] = []

    def lay(cell: dict, powers: list[str], tallest: float, texts: list[str] | None = None) -> None:
        box = {"x": cell["x"] + 1, "y": cell["y"] + 1, "w": cell["w"] - 2, "h": cell["h"] - 2}
        for number, (power, spot) in enumerate(zip(powers, _fit(box, len(powers), 1.1, tallest), strict=True)):
            text = texts[number] if texts else position.letter(power)
            tokens.append(_token(position, power, "control", text, *spot))

    ring = {cell["value"]: cell for cell in tracks["vp"]["cells"]}
    on_ring: dict[int, list[str]] = {}
    for power in position.powers:
        vp = position.view["tracks"].get("vp", {}).get(power)
        if vp is not None:
            # beyond 100 once more round the ring; below 0 (unrest at the end) the table alone tells
            on_ring.setdefault(max(vp, 0) if vp <= 100 else vp % 100, []).append(power)
    for value, powers in on_ring.items():
        lay(ring[value], powers, 26)
    on_population: dict[int, list[str]] = {}
    for power in position.powers:
        population = position.view["tracks"].get("population", {}).get(power)
        if population is not None:
            on_population.setdefault(population, []).append(power)
    for cell in tracks["population"]["cells"]:
        if cell["value"] in on_population:
            room = {**cell, "y": cell["y"] + 15, "h": cell["h"] - 16}
            lay(room, on_population[cell["value"]], 22)
    for row in ("top", "bottom"):
        boxes = [cell for cell in tracks["alliance"]["cells"] if cell["row"] == row]
        for cell, power in zip(boxes, state.get(f"alliance_{row}") or [], strict=False):
            lay({**cell, "y": cell["y"] + 13, "h": cell["h"] - 13}, [power], 26)
    proposal = state.get("proposal") or {}
    for cell in tracks["proposal"]["cells"]:
        if proposal.get(cell["value"]):
            lay({**cell, "y": cell["y"] + 11, "h": cell["h"] - 11}, [proposal[cell["value"]]], 22)
    rounds = position.kit.constants["rounds"].get(str(len(position.powers)), len(tracks["round"]["cells"]))
    bid = ""
    if proposal.get("bid") is not None:
        bidder = position.letter(proposal["bidder"]) if proposal.get("bidder") else ""
        bid = f"{words['bid']} {proposal['bid']} {bidder}".strip()
    titles = [(tracks[name]["title"], words[name if name != "alliance" else "alliances"])
              for name in ("round", "war", "proposal", "alliance", "population")]  # fmt: skip
    return {
        "vp": [cell for value, cell in ring.items() if value % 5 == 0 and value not in on_ring],
        "vp_cells": _rectangles(cell for value, cell in ring.items() if value % 5),
        "vp_fives": _rectangles(cell for value, cell in ring.items() if value % 5 == 0),
        "round": [{**cell, "on": cell["value"] == state.get("round"), "out": cell["value"] > rounds}
                  for cell in tracks["round"]["cells"]],
        "war": [{**cell, "on": cell["value"] == state.get("war")} for cell in tracks["war"]["cells"]],
        "boxes": [*tracks["proposal"]["cells"], *tracks["alliance"]["cells"]],
        "population": list(tracks["population"]["cells"]),
        "titles": [{**place, "text": text} for place, text in titles],
        "bid": {"x": tracks["proposal"]["title"]["x"], "y": 492, "text": bid},
        "tokens": tokens,
    }  # fmt: skip


def _rectangles(cells: Iterable[dict]) -> str:
    """Many cells as one path (see `_together`)."""
    return "".join(f"M{cell['x']} {cell['y']}h{cell['w']}v{cell['h']}h-{cell['w']}z" for cell in cells)


def _key(position: Position) -> list[dict]:
    """What the shapes mean, below the alliance boxes."""
    return [
        {"d": _shape(kind, 52 + 216 * (number % 2), 669 + 23 * (number // 2), 22, 14), "x": 82 + 216 * (number % 2),
         "y": 681 + 23 * (number // 2), "text": position.words[kind]}
        for number, kind in enumerate(KINDS)
    ]  # fmt: skip


# --- the table below the map ---


def _table(position: Position, highlight: frozenset[str]) -> dict[str, Any]:
    """A column for each empire: first what it has, then its pieces region by region, with the counters below each."""
    words, powers = position.words, position.powers
    width = (MAP_WIDTH - 2 * MARGIN - NAME_COLUMN) / len(powers)
    left = [round(MARGIN + NAME_COLUMN + number * width, 1) for number in range(len(powers))]
    size = 22 if width >= 130 else 20 if width >= 105 else 18
    bands, texts, cells = [], [], []
    y = 8.0

    def band(height: float, name: str, *, changed: bool = False, strong: bool = False, vp: str = "") -> float:
        nonlocal y
        bands.append({"y": y, "h": height, "changed": changed, "strong": strong, "name": name, "vp": vp,
                      "base": y + 21})  # fmt: skip
        y += height
        return y - height

    heads = [
        {"x": x, "y": y, "w": round(width - 4, 1), "h": 34, **_colours(position, power),
         "letter": position.letter(power), "active": power == position.state.get("active"),
         "name": _head_name(position, power, width)}
        for x, power in zip(left, powers, strict=True)
    ]  # fmt: skip
    y += 40
    order = position.state.get("turn_order") or []
    for name, told in (
        ("turn", [_turn(position, order, power) for power in powers]),
        *((track, [position.track(track, power) for power in powers]) for track in TRACKS),
        ("tiles", [str(len(position.tiles[power])) for power in powers]),
    ):
        at = band(28, words[name])
        texts += [{"x": round(x + width / 2, 1), "y": at + 21, "text": text, "note": False}
                  for x, text in zip(left, told, strict=True)]  # fmt: skip
    y += 6
    for region in position.kit.tables["regions"]:
        notes = [position.counter_text(id) for id in position.counters[region]]
        notes += [position.laid_text(*laid) for laid in position.laid[region]]
        lines = textwrap.wrap(" · ".join(notes).replace(" (", "\u00a0("), 108, break_on_hyphens=False)
        at = band(30 + 21 * len(lines), position.name("region", region), changed=region in highlight, strong=True,
                  vp=position.vp_text(region))  # fmt: skip
        texts += [
            {"x": MARGIN + 16, "y": at + 30 + 21 * number + 14, "text": line, "note": True}
            for number, line in enumerate(lines)
        ]
        cells += _cells(position, [region] * len(powers), left, width, at, size)
    homes = [f"home:{power}" for power in powers]
    at = band(30, words["home"], changed=bool(highlight.intersection(homes)), strong=True)
    cells += _cells(position, homes, left, width, at, size)
    return {"height": y + 10, "heads": heads, "bands": bands, "texts": texts, "cells": _together(cells), "size": size,
            "left": left, "margin": MARGIN, "right": MAP_WIDTH - MARGIN}  # fmt: skip


def _turn(position: Position, order: list[str], power: str) -> str:
    """Place in the turn order and row of the alliance boxes: 3 top."""
    side = position.side(power)
    place = str(order.index(power) + 1) if power in order else ""
    return f"{place} {position.words[side]}".strip() if side else place or "–"


def _head_name(position: Position, power: str, width: float) -> str:
    name = _short(position, power)
    room = int((width - 40) / 10.5)
    if len(name) <= room:
        return name
    words = name.replace("-", " ").split()
    if len(words) > 1:
        name = f"{words[0][0]}. {words[-1]}"
    return name if len(name) <= room else name[: room - 1] + "."


def _cells(
    position: Position, places: list[str], left: list[float], width: float, y: float, size: int
) -> Iterator[dict]:
    """The pieces of each empire in one row of the table: shape and number, kind by kind."""
    for place, x, power in zip(places, left, position.powers, strict=True):
        held = [(kind, position.count(place, power, kind)) for kind in KINDS]
        held = [(kind, number) for kind, number in held if number]
        digit, icon = size * 0.57, 13
        needed = sum(icon + 3 + digit * len(str(number)) for _, number in held) + 6 * (len(held) - 1)
        scale = min(1.0, (width - 6) / needed) if held else 1.0
        at = x + (width - 4 - needed * scale) / 2
        for kind, number in held:
            yield {
                "d": _shape(kind, round(at, 1), y + 9, round(icon * scale, 1), 12),
                "x": round(at + (icon + 3) * scale, 1), "y": y + 22, "text": str(number),
                "size": round(size * scale, 1), **_colours(position, power),
            }  # fmt: skip
            at += (icon + 3 + digit * len(str(number)) + 6) * scale


# --- text ---


def text(view: dict, kit: Kit, language: str) -> str:
    """The board in lines of at most 78 columns: the situation, the pieces region by region, counters, the empires."""
    position = Position(view, kit, language)
    words, state = position.words, position.state
    lines = [_situation(position).upper(), ""]
    if state.get("active"):
        lines.append(f"{words['active']}: {_named(position, [state['active']])}")
    for row in ("top", "bottom"):
        members = state.get(f"alliance_{row}") or []
        if members:
            lines.append(f"{words['alliance']} ({words[row]}): {_named(position, members)}")
    if state.get("turn_order"):
        lines += _wrapped(f"{words['order']}: {_named(position, state['turn_order'])}")
    proposal = state.get("proposal") or {}
    if proposal:
        sides = [f"{side.upper()} {_named(position, [proposal[side]])}" for side in "ab" if proposal.get(side)]
        bid = [f"{words['bid']} {proposal['bid']}"] if proposal.get("bid") is not None else []
        bidder = [_named(position, [proposal["bidder"]])] if proposal.get("bidder") else []
        lines += _wrapped(f"{words['proposal']}: {', '.join([*sides, *bid, *bidder])}")
    lines += ["", words["empires"], *_empire_table(position)]
    lines += ["", words["pieces"], *_piece_table(position)]
    lines += ["", words["counters"]]
    for region, ids in position.counters.items():
        notes = [position.counter_text(id) for id in ids]
        notes += [position.laid_text(*laid) for laid in position.laid[region]]
        if notes:
            lines += _wrapped(f"{position.name('region', region)}: {', '.join(notes)}")
    lines += ["", words["tiles"]]
    for power in position.powers:
        lines += _wrapped(f"{position.name('empire', power)}: {_tile_list(position, power) or words['none']}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _named(position: Position, powers: Iterable[str]) -> str:
    return ", ".join(position.name("empire", power) for power in powers)


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, 78, subsequent_indent="    ", break_on_hyphens=False)


def _tile_list(position: Position, holder: str) -> str:
    """The tiles of an empire, equal ones together, used ones marked."""
    groups: dict[tuple[str, bool], int] = {}
    for tile, piece in position.tiles[holder]:
        key = (position.name("tile", tile), bool(piece.get("used")))
        groups[key] = groups.get(key, 0) + 1
    used_mark = f" ({position.words['used']})"
    return ", ".join(
        name + (f" x{number}" if number > 1 else "") + (used_mark if used else "")
        for (name, used), number in groups.items()
    )


def _empire_table(position: Position) -> list[str]:
    words = position.words
    order = position.state.get("turn_order") or []
    heads = ["", words["turn"], words["alliance"], words["vp"], words["gold"], words["population"], words["unrest"]]
    rows = [
        [
            f"{position.letter(power)} {position.name('empire', power)}",
            str(order.index(power) + 1) if power in order else "-",
            words.get(position.side(power) or "", "-"),
            *(position.track(track, power) for track in TRACKS),
        ]
        for power in position.powers
    ]
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    return [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in (heads, *rows)
    ]


def _piece_table(position: Position) -> list[str]:
    """Rows of regions, columns of empires; a cell holds control markers/armies/navies/forts. In parts if too wide."""
    words = position.words
    rows = [(f"{position.name('region', id)} {position.vp_text(id)}", id) for id in position.kit.tables["regions"]]
    names = max(len(name) for name, _ in rows)

    def cell(place: str, power: str) -> str:
        counts = [position.count(place, power, kind) for kind in KINDS]
        return "/".join(map(str, counts)) if any(counts) else "."

    columns = [
        [position.letter(power), *(cell(id, power) for _, id in rows), cell(f"home:{power}", power)]
        for power in position.powers
    ]
    parts: list[list[list[str]]] = [[]]
    for column in columns:
        if names + sum(_width(c) + 1 for c in [*parts[-1], column]) > 78:
            parts.append([])
        parts[-1].append(column)
    lines = [f"({words['key']}: {'/'.join(words[kind] for kind in KINDS)})"]
    labels = ["", *(name for name, _ in rows), words["home"]]
    for part in parts:
        lines += [
            label.ljust(names) + "".join(" " + column[number].rjust(_width(column)) for column in part)
            for number, label in enumerate(labels)
        ]
    return lines


def _width(column: list[str]) -> int:
    return max(7, *map(len, column))
