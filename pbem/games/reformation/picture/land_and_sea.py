"""The map of Europe of the two games: spaces, sea zones, connections, names, and the counters at each place."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from pbem.drawing import outlines
from pbem.drawing.boxes import Box, Point
from pbem.drawing.colours import DARK, LIGHT, ink
from pbem.drawing.counters import Style
from pbem.drawing.font import text_width
from pbem.drawing.ground import soft_land
from pbem.drawing.items import Item
from pbem.drawing.labels import Named, place_names
from pbem.drawing.stacks import Chips, Stacks
from pbem.games.reformation.picture.position import Position, owner
from pbem.table.kit import Kit

WIDTH = 1400
LABEL = 14  # size of the names
NO_ZONE = "#e6d9bd"  # the land of no zone

RADIUS = {"unfortified": 7.5, "key": 8.5, "electorate": 9.5, "fortress": 9.5}
SYMBOLS = {
    "unfortified": outlines.circle, "key": outlines.square, "electorate": outlines.hexagon, "fortress": outlines.star,
}  # fmt: skip
STACKS = Stacks({
    "land": Style(), "inside": Style("wall"), "naval": Style("pointed", pad=12), "leader": Style("pill", 11, edge=1.6),
    "reformer": Style(size=11),
})  # fmt: skip


@dataclass(frozen=True)
class Chart:
    """What part of a kit's coordinates the picture shows, and what its land is coloured by.

    `zone_column`: the column of the spaces that says in which zone they lie; `none`: its value for no zone;
    `zone_table`: the table of zones with their colours, or else `colours`: each zone and its colour.
    """

    left: float
    top: float
    right: float
    bottom: float
    zone_column: str
    none: str = ""
    zone_table: str = ""
    colours: tuple[tuple[str, str], ...] = ()

    def zones(self, kit: Kit) -> tuple[tuple[str, str], ...]:
        """The zones of the land, each with its colour."""
        if self.zone_table:
            return tuple((id, row["hex"]) for id, row in kit.tables[self.zone_table].items())
        return self.colours

    @property
    def scale(self) -> float:
        """Pixels a unit of the kit's coordinates."""
        return WIDTH / (self.right - self.left)

    @property
    def height(self) -> int:
        return round((self.bottom - self.top) * self.scale)

    @property
    def area(self) -> Box:
        """What no name and no counter leaves."""
        return Box(4, 4, WIDTH - 4, self.height - 4)

    def on_map(self, row: Mapping[str, Any]) -> Point:
        """Where a space or sea zone lies in the picture."""
        return round((row["x"] - self.left) * self.scale, 1), round((row["y"] - self.top) * self.scale, 1)


# --- what does not change in a language ---


@dataclass(frozen=True)
class Layout:
    """What of the map does not change in a language: where the names stand, and what counters should keep clear of."""

    points: dict[str, Point]
    labels: dict[str, Box]
    obstacles: tuple[Box, ...]
    ground: list[Item]
    lines: dict[str, str]
    sea_lines: str
    names: list[Item]  # of the spaces


@lru_cache(maxsize=16)
def layout(chart: Chart, kit: Kit, language: str) -> Layout:
    """Finds a place for every name, so that no two overlap and few lie on lines."""
    spaces, seas = kit.tables["spaces"], kit.tables["sea_zones"]
    points = {id: chart.on_map(row) for table in (spaces, seas) for id, row in table.items()}
    symbols = {id: Box.about(*points[id], *[2 * RADIUS[row["kind"]] + 4] * 2) for id, row in spaces.items()}
    lines = [(points[row["a"]], points[row["b"]]) for row in kit.tables["connections"].values()]
    on_sea = {id: _sea_label(kit, language, id, points[id]) for id in seas}
    named = {}
    for id, row in spaces.items():
        width = text_width(kit.display("space", id, language), LABEL, row["kind"] == "key")
        named[id] = Named(points[id], RADIUS[row["kind"]], (width, LABEL + 1.0))
    placed = place_names(named, symbols, list(on_sea.values()), lines, chart.area)
    names = [_name(kit, language, id, box, any(map(box.crossed_by, lines))) for id, box in placed.items()]
    labels = placed | on_sea
    return Layout(
        points, labels, (*symbols.values(), *labels.values()), _ground(chart, kit, points), _lines(kit, points),
        _sea_lines(kit, points), names,
    )  # fmt: skip


def _sea_label(kit: Kit, language: str, id: str, point: Point) -> Box:
    width = text_width(kit.display("sea", id, language), LABEL + 1)
    return Box.about(min(max(point[0], width / 2 + 6), WIDTH - width / 2 - 6), point[1], width, 16)


def _name(kit: Kit, language: str, id: str, box: Box, crossed: bool) -> Item:
    """The name of a space, where it stands."""
    return Item(x=round((box.x + box.u) / 2, 1), y=round(box.v - 3, 1), bold=kit.tables["spaces"][id]["kind"] == "key",
                text=kit.display("space", id, language), box=box, crossed=crossed)  # fmt: skip


def _ground(chart: Chart, kit: Kit, points: dict[str, Point]) -> list[Item]:
    """Soft land in the colours of the language zones: first all land as of no zone, then the zones on top of it."""
    spaces, rows = kit.tables["spaces"], kit.tables["connections"].values()
    shapes = []
    for zone, fill in [("", NO_ZONE), *chart.zones(kit)]:
        of = {id for id, row in spaces.items() if not zone or row[chart.zone_column] == zone}
        inside = [(row["a"], row["b"]) for row in rows if row["a"] in of and row["b"] in of]
        discs = [id for id in sorted(of) if zone or (spaces[id][chart.zone_column] or "") == chart.none]
        shapes.append(Item(zone=zone or "none", fill=fill, **soft_land(points, inside, discs)))
    return shapes


def _lines(kit: Kit, points: dict[str, Point]) -> dict[str, str]:
    drawn: dict[str, list[str]] = {"open": [], "pass": []}
    for row in kit.tables["connections"].values():
        drawn.setdefault(row["kind"], []).append(outlines.segment(points[row["a"]], points[row["b"]]))
    return {kind: " ".join(parts) for kind, parts in drawn.items()}


def _sea_lines(kit: Kit, points: dict[str, Point]) -> str:
    rows = kit.tables["sea_connections"].values()
    return " ".join(outlines.segment(points[row["a"]], points[row["b"]]) for row in rows)


# --- a board on it ---


def drawn(chart: Chart, position: Position, highlight: frozenset[str]) -> dict[str, Any]:
    """What the template draws of the map."""
    plan = layout(chart, position.kit, position.language)
    stacks = _stacks(chart, position, plan)
    return {
        "width": WIDTH,
        "height": chart.height,
        "situation": position.situation(),
        "ground": plan.ground,
        "lines": plan.lines,
        "sea_lines": plan.sea_lines,
        "changes": [dict(zip("xy", plan.points[p], strict=True)) for p in sorted(highlight) if p in plan.points],
        "spaces": [_space(chart, position, id, highlight) for id in position.kit.tables["spaces"]],
        "seas": [_sea(chart, position, id) for id in position.kit.tables["sea_zones"]],
        "names": _readable(plan.names, stacks),
        "stacks": stacks,
        "size": LABEL,
    }


def _readable(names: list[Item], stacks: list[Item]) -> list[Item]:
    """The names, those with paper below them under which the line of a block of counters runs."""
    ways = [box for stack in stacks for box in stack["way"]]
    return [
        Item({**name, "crossed": True}) if not name["crossed"] and any(map(name["box"].overlap, ways)) else name
        for name in names
    ]


def _space(chart: Chart, position: Position, id: str, highlight: frozenset[str]) -> Item:
    words, holder, protestant = position.words, position.control(id), position.at("religion", id) == "protestant"
    told = [position.owner_name(holder) if holder else words["none"]]
    told += [words["protestant"]] if protestant else []
    jesuits = position.has_jesuits(id)
    told += [words["unrest"]] if position.at("unrest", id) else []
    told += [words["university"]] if jesuits else []
    told += [words["besieged"]] if position.besieged(id) else []
    told += [units for place in (id, f"{id}/inside") if (units := position.units_in_words(place))]
    return _space_drawn(
        chart, position.kit, position.language, id, holder, position.kind(id), position.home(id), protestant,
        bool(position.at("unrest", id)), jesuits, position.besieged(id), position.is_capital(id), tuple(told),
        id in highlight,
    )  # fmt: skip


@lru_cache(maxsize=4096)  # some 2 KB each, with what is drawn of it
def _space_drawn(
    chart: Chart, kit: Kit, language: str, id: str, holder: str | None, kind: str, home: str, protestant: bool,
    unrest: bool, university: bool, besieged: bool, capital: bool, told: tuple[str, ...], changed: bool,
) -> Item:  # fmt: skip
    """A space as the picture shows it; `told`: what the words about it say besides its name and ports."""
    plan, row = layout(chart, kit, language), kit.tables["spaces"][id]
    x, y = plan.points[id]
    colour, ring = owner(kit, holder), owner(kit, home)
    r, outline = RADIUS[kind], SYMBOLS[kind]
    anchors = []
    for zone in row["ports"]:
        u, v = plan.points[zone]
        length = math.hypot(u - x, v - y) or 1
        anchors.append({"x": round(x + (u - x) / length * (r + 5), 1), "y": round(y + (v - y) / length * (r + 5), 1)})
    names = [kit.display("space", id, language), *told, *(kit.display("sea", zone, language) for zone in row["ports"])]
    return Item({
        "id": id, "x": x, "y": y, "r": r, "kind": kind, "d": outline(x, y, r), "fill": colour["hex"],
        "home": ring["hex"], "foreign": holder != home,
        "ring": outline(x, y, r + (5.6 if capital else 2.6)),
        "outer": outline(x, y, r + 3.2) if capital else "",
        "protestant": protestant, "letter": colour["letter"] if holder else "",
        "ink": DARK if protestant else ink(colour["hex"]), "anchors": anchors, "unrest": unrest,
        "university": university, "siege": outline(x, y, r + 5) if besieged else "", "about": ". ".join(names),
        "changed": changed,
    })  # fmt: skip


def _sea(chart: Chart, position: Position, id: str) -> Item:
    return _sea_drawn(chart, position.kit, position.language, id, position.units_in_words(id))


@lru_cache(maxsize=1024)
def _sea_drawn(chart: Chart, kit: Kit, language: str, id: str, told: str) -> Item:
    label, name = layout(chart, kit, language).labels[id], kit.display("sea", id, language)
    return Item(id=id, x=round((label.x + label.u) / 2, 1), y=round((label.y + label.v) / 2 + 4.5, 1), text=name,
                about=name + (f". {told}" if told else ""))  # fmt: skip


# --- counters ---

def _stacks(chart: Chart, position: Position, plan: Layout) -> list[Item]:
    """The counters at each place as a block beside it."""
    places = [id for table in ("spaces", "sea_zones") for id in position.kit.tables[table]]
    waiting = [(place, plan.points[place], rows) for place in places if (rows := tuple(_rows(position, place)))]
    return STACKS.laid(waiting, partial(_stack, chart, position.kit, position.language))


@lru_cache(maxsize=4096)  # some 2 KB each, with what is drawn of it
def _stack(chart: Chart, kit: Kit, language: str, place: str, rows: tuple[Chips, ...], near: tuple[Box, ...]) -> Item:
    """A block of counters, clear of the blocks that are near already."""
    plan = layout(chart, kit, language)
    radius = 12 if place in kit.tables["spaces"] else 0
    return STACKS.block(place, rows, plan.points[place], radius, (*plan.obstacles, *near), chart.area)


def _rows(position: Position, place: str) -> Iterator[Chips]:
    """The rows of a block: land units, besieged ones, ships, leaders, reformers."""
    rows = (("land", place, position.land), ("inside", f"{place}/inside", position.land),
            ("naval", place, position.naval))  # fmt: skip
    for what, at, of in rows:
        row = []
        for power, kinds in position.units(at):
            if brief := position.short(kinds, of):
                row.append((what, brief, position.owner(power)["hex"]))
        if row:
            yield tuple(row)
    for at in (place, f"{place}/inside"):
        for kind, id, piece in position.here.get(at, []):
            if kind == "leader":
                owner = position.owner(position.leader_power(id, piece))
                name = _short_name(position.kit, position.leader_domain(id), id, position.language)
                yield (("leader", name, owner["hex"]),)
            elif kind == "reformer":
                yield (("reformer", position.name("reformer", id), LIGHT),)


@lru_cache(maxsize=256)
def _short_name(kit: Kit, domain: str, leader: str, language: str) -> str:
    """A leader's name as it fits on the map: if it is long, the shortest that he has in the language."""
    shown = kit.display(domain, leader, language)
    others = [name for of, id, lang, name in kit.record["names"] if (of, id, lang) == (domain, leader, language)]
    return shown if len(shown) < 12 else min([shown, *others], key=len)
