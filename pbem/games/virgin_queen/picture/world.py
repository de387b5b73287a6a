"""The map of the world: ocean zones and their winds, villages, the way of the treasure fleet, captains and patrols."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pbem.drawing import outlines
from pbem.drawing.boxes import Box, Point
from pbem.drawing.colours import ink
from pbem.drawing.counters import Style
from pbem.drawing.font import text_width
from pbem.drawing.ground import soft_land
from pbem.drawing.items import Item
from pbem.drawing.labels import Named, place_names
from pbem.drawing.stacks import Chips, Stacks
from pbem.games.virgin_queen.picture.position import PATROL, Position
from pbem.table.kit import Kit

WIDTH, HEIGHT = 900, 640
AREA = Box(4, 4, WIDTH - 4, HEIGHT - 4)  # what no name and no counter leaves
LEFT, TOP, RIGHT, BOTTOM = 8, 160, 1000, 870  # of the kit's coordinates
LABEL, ZONE = 13, 15
RADIUS = 7
NOBODY = "#d9d2c0"
STACKS = Stacks(
    {"patrol": Style("pointed", pad=12), "captain": Style("pill", 11, edge=1.6), "colony": Style(size=11)}
)


@dataclass(frozen=True)
class Layout:
    """What does not change: where all lies, the names, the lines."""

    points: dict[str, Point]
    labels: dict[str, Box]
    obstacles: tuple[Box, ...]
    ground: Item
    lines: dict[str, str]
    winds: str
    names: list[Item]


def on_map(row: Any) -> Point:
    """Where a zone or village lies in the picture."""
    return (round((row["x"] - LEFT) * WIDTH / (RIGHT - LEFT), 1), round((row["y"] - TOP) * HEIGHT / (BOTTOM - TOP), 1))


@lru_cache(maxsize=16)
def layout(kit: Kit, language: str) -> Layout:
    """Finds a place for every name."""
    zones, villages = kit.tables["ocean_zones"], kit.tables["villages"]
    points = {id: on_map(row) for table in (zones, villages) for id, row in table.items()}
    lines, winds = _lines(kit, points)
    on_sea = {id: _zone_label(kit, language, id, points[id]) for id in zones}
    symbols = {id: Box.about(*points[id], 2 * RADIUS + 4, 2 * RADIUS + 4) for id in villages}
    named = {
        id: Named(points[id], RADIUS, (text_width(kit.display("village", id, language), LABEL), LABEL + 1.0))
        for id in villages
    }
    pairs = [pair for of_kind in lines.values() for pair in of_kind]
    placed = place_names(named, symbols, list(on_sea.values()), pairs, AREA)
    names = [
        Item(x=round((box.x + box.u) / 2, 1), y=round(box.v - 3, 1), bold=False,
             text=kit.display("village", id, language), box=box, crossed=any(map(box.crossed_by, pairs)))
        for id, box in placed.items()
    ]  # fmt: skip
    labels = placed | on_sea
    drawn = {kind: " ".join(outlines.segment(*pair) for pair in of_kind) for kind, of_kind in lines.items()}
    ground = Item(zone="land", fill="#e6d9bd", **soft_land(points, [], list(villages)))
    return Layout(points, labels, (*symbols.values(), *labels.values()), ground, drawn, winds, names)


def _zone_label(kit: Kit, language: str, id: str, point: Point) -> Box:
    width = text_width(kit.display("ocean", id, language), ZONE, True)
    return Box.about(min(max(point[0], width / 2 + 8), WIDTH - width / 2 - 8), point[1], width + 10, ZONE + 8)


def _lines(kit: Kit, points: dict[str, Point]) -> tuple[dict[str, list[tuple[Point, Point]]], str]:
    """The lines between zones by kind, those round the edge of the map in two halves; and the arrows of the wind."""
    lines: dict[str, list[tuple[Point, Point]]] = {"border": [], "dangerous": [], "fleet": [], "village": []}
    winds = []
    for row in kit.tables["ocean_connections"].values():
        a, b = points[row["a"]], points[row["b"]]
        if abs(a[0] - b[0]) > WIDTH * 0.7:
            west, east = sorted((a, b))
            lines[row["kind"]] += [(west, (0.0, west[1])), (east, (float(WIDTH), east[1]))]
            continue
        lines[row["kind"]].append((a, b))
        if row["wind_blows_to"]:
            winds.append(_arrow(*((a, b) if row["wind_blows_to"] == row["b"] else (b, a))))
    way = list(dict.fromkeys(reversed(kit.constants["fleet_zone_by_die"])))
    lines["fleet"] = [(points[a], points[b]) for a, b in zip(way, way[1:], strict=False)]
    for id, row in kit.tables["villages"].items():
        lines["village"] += [(points[id], points[zone]) for zone in row["ocean_zones"]]
    return lines, " ".join(winds)


def _arrow(a: Point, b: Point) -> str:
    """A head of an arrow in the middle of a line."""
    length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1
    u, v = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    corners = [(x + 9 * u, y + 9 * v), (x - 7 * u - 6 * v, y - 7 * v + 6 * u), (x - 7 * u + 6 * v, y - 7 * v - 6 * u)]
    return outlines.areas([[(round(p, 1), round(q, 1)) for p, q in corners]])


def drawn(position: Position, highlight: frozenset[str], x: float, y: float) -> dict[str, Any]:
    """What the template draws of the map of the world, whose corner is at a place."""
    plan = layout(position.kit, position.language)
    tables = position.kit.tables
    return {
        "x": x,
        "y": y,
        "width": WIDTH,
        "height": HEIGHT,
        "title": position.words["world"],
        "ground": plan.ground,
        "lines": plan.lines,
        "winds": plan.winds,
        "names": plan.names,
        "size": LABEL,
        "zone_size": ZONE,
        "changes": [dict(zip("xy", plan.points[p], strict=True)) for p in sorted(highlight) if p in plan.points],
        "zones": [_zone(position, plan, id) for id in tables["ocean_zones"]],
        "villages": [_village(position, plan, id, id in highlight) for id in tables["villages"]],
        "stacks": _stacks(position, plan),
    }


def _zone(position: Position, plan: Layout, id: str) -> Item:
    label, name = plan.labels[id], position.name("ocean", id)
    told = [name, *(text for _, text, _ in _chips(position, id))]
    return Item(id=id, x=round((label.x + label.u) / 2, 1), y=round((label.y + label.v) / 2 + 5, 1), text=name,
                box=label, about=". ".join(told))  # fmt: skip


def _village(position: Position, plan: Layout, id: str, changed: bool) -> Item:
    x, y = plan.points[id]
    holder = position.at("village", id)
    fort = bool(position.at("fortress", id))
    told = [position.name("village", id), position.owner_name(holder) if holder else position.words["none"]]
    told += [position.words["fortress"]] if fort else []
    told += [text for _, text, _ in _chips(position, id)]
    fill = position.owner(holder)["hex"] if holder else NOBODY
    return Item(id=id, x=x, y=y, d=outlines.star(x, y, RADIUS + 3) if fort else outlines.square(x, y, RADIUS),
                fill=fill, letter=position.owner(holder)["letter"] if holder else "", ink=ink(fill), changed=changed,
                site=bool(position.kit.tables["villages"][id]["colony_column"]), about=". ".join(told))  # fmt: skip


def _chips(position: Position, place: str) -> list[tuple[str, str, str]]:
    """The counters at a place: what, text and colour; patrols, captains, colonies."""
    words, chips = position.words, []
    for owner, kinds in position.units(place):
        if kinds.get(PATROL):
            chips.append(("patrol", f"{kinds[PATROL]} {words['patrol']}", position.owner(owner)["hex"]))
    for kind, id, piece in position.here.get(place, []):
        if kind == "captain":
            mark = "*" if piece.get("damaged") else ""
            colour = position.owner(position.captain_power(id, piece))["hex"]
            chips.append(("captain", position.name("captain", id) + mark, colour))
        elif kind == "colony":
            chips.append(("colony", words["colony"], position.owner(id.partition(":")[0])["hex"]))
    return chips


def _stacks(position: Position, plan: Layout) -> list[Item]:
    """The counters at each place, one below the other, beside it."""
    tables = position.kit.tables
    waiting = [
        (place, plan.points[place], tuple((chip,) for chip in chips))
        for place in (*tables["ocean_zones"], *tables["villages"])
        if (chips := _chips(position, place))
    ]

    def block(place: str, rows: tuple[Chips, ...], near: tuple[Box, ...]) -> Item:
        radius = RADIUS + 3 if place in tables["villages"] else 0
        return STACKS.block(place, rows, plan.points[place], radius, (*plan.obstacles, *near), AREA)

    return STACKS.laid(waiting, block)
