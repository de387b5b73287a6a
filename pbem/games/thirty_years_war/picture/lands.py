"""The map of Thirty Years War: regions with their holders, roads, spaces, names, and the stacks at each place."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from pbem.drawing import outlines
from pbem.drawing.boxes import Box, Line, Point
from pbem.drawing.cells import borders, cells, land
from pbem.drawing.colours import ink
from pbem.drawing.counters import Style
from pbem.drawing.font import text_width
from pbem.drawing.items import Item
from pbem.drawing.labels import Named, place_names
from pbem.drawing.stacks import Chips, Stacks
from pbem.games.thirty_years_war import pieces
from pbem.games.thirty_years_war.map import CLOSED, NEUTRAL, SIDES
from pbem.games.thirty_years_war.picture.position import Position
from pbem.table.kit import Kit

WIDTH, HEIGHT = 1400, 1270
STEP_X, STEP_Y = 1.42, 1.29  # of the kit's coordinates, in pixels
LEFT, TOP = -6, 6
AREA = Box(4, 4, WIDTH - 4, HEIGHT - 4)  # what no name and no counter leaves
LABEL, REGION_LABEL = 13.5, 12
REACH = 104  # how far land goes around a place
SQUARE = 12  # in which the land is looked at, where names of regions look for room
UNDER_LABEL = 88  # how wide what stands below a region's name is

RADIUS = {"city": 6.5, "fortress": 9.5, "independent_city": 9, "box": 12}
MARKS = 5  # room for loot and revolts between a symbol and its name
SYMBOLS = {
    "city": outlines.circle, "fortress": outlines.star, "independent_city": outlines.hexagon, "box": outlines.square,
}  # fmt: skip
LANDS = {"catholic": "#f4e0a0", "protestant": "#bfd6ee", NEUTRAL: "#eee9dc", CLOSED: "#d3d0ca", None: "#dccfbf"}
STACKS = Stacks({
    "strength": Style("pointed", 12, pad=15), "units": Style(size=12, pad=7), "inside": Style("wall", 12, pad=7),
    "leader": Style("pill", 11, pad=9, edge=1.2), "siege": Style(size=11, pad=7, edge=1.6),
})  # fmt: skip
LEADERS_IN_A_ROW, UNITS_IN_A_ROW = 2, 4
SIEGE = "#c40000"


def on_map(row: dict) -> Point:
    """Where a space lies in the picture."""
    return round((row["x"] - LEFT) * STEP_X, 1), round((row["y"] - TOP) * STEP_Y, 1)


# --- what does not change in a language ---


@dataclass(frozen=True)
class Layout:
    """What of the map does not change in a language: where names and labels stand, and what counters keep clear of."""

    points: dict[str, Point]
    regions: dict[str, str]  # the land of each
    borders: str
    coasts: str
    labels: dict[str, Box]  # of the regions
    obstacles: tuple[Box, ...]
    lines: dict[str, str]
    names: list[Item]


def _region_of(kit: Kit) -> dict[str, str]:
    return {id: row["lies_in"] for id, row in kit.tables["spaces"].items()}


@lru_cache(maxsize=16)
def layout(kit: Kit, language: str) -> Layout:
    """Finds a place for every name, so that no two overlap and few lie on lines."""
    spaces = kit.tables["spaces"]
    points, of, around, lines = _ground(kit)
    symbols = {id: Box.about(*points[id], *[2 * RADIUS[row["kind"]] + 4] * 2) for id, row in spaces.items()}
    labels = _region_labels(kit, language, symbols, lines)
    named = {}
    for id, row in spaces.items():
        width = text_width(_shown_name(kit, language, id), LABEL, _bold(row))
        named[id] = Named(points[id], RADIUS[row["kind"]] + MARKS, (width, LABEL + 1.0))
    placed = place_names(named, symbols, list(labels.values()), lines, AREA)
    names = [_name(kit, language, id, box, any(map(box.crossed_by, lines))) for id, box in placed.items()]
    between, coasts = borders(around, of)
    return Layout(
        points, land(around, of), between, coasts, labels, (*symbols.values(), *placed.values(), *labels.values()),
        _roads(kit, points), names,
    )  # fmt: skip


@lru_cache(maxsize=4)
def _ground(kit: Kit) -> tuple:
    """Points of spaces, their regions, their cells, and the lines between them."""
    spaces = kit.tables["spaces"]
    points = {id: on_map(row) for id, row in spaces.items()}
    lines = [(points[row["a"]], points[row["b"]]) for row in kit.tables["connections"].values()]
    return points, _region_of(kit), cells(points, REACH), lines


def _bold(row: dict) -> bool:
    return row["kind"] in ("independent_city", "box")


def _shown_name(kit: Kit, language: str, id: str) -> str:
    """The name of a space as it stands on the map: of a box only whose it is, for its region stands there, too."""
    name = _brief(kit, "space", id, language)
    return name.rpartition(":")[2].strip() if kit.tables["spaces"][id]["kind"] == "box" else name


def _brief(kit: Kit, domain: str, id: str, language: str) -> str:
    """The name of a space or region, or what the map writes in its place."""
    column = "name" if language == "en" else f"name_{language}"
    return kit.tables["map_names"].get(id, {}).get(column) or kit.display(domain, id, language)


def _name(kit: Kit, language: str, id: str, box: Box, crossed: bool) -> Item:
    return Item(x=round((box.x + box.u) / 2, 1), y=round(box.v - 3, 1), bold=_bold(kit.tables["spaces"][id]),
                text=_shown_name(kit, language, id), box=box, crossed=crossed)  # fmt: skip


def _region_labels(kit: Kit, language: str, symbols: dict[str, Box], lines: list[Line]) -> dict[str, Box]:
    """Where the name of each region stands: inside it, where it covers least."""
    points, of, _, _ = _ground(kit)
    squares = _squares(kit)
    labels: dict[str, Box] = {}
    for region in kit.tables["regions"]:
        width = max(text_width(_brief(kit, "region", region, language).upper(), REGION_LABEL, True), UNDER_LABEL)
        own = [points[id] for id in points if of[id] == region]
        land = Box(*(pick(xy) for pick in (min, max) for xy in zip(*own, strict=True)))
        land = Box(land.x - REACH / 2, land.y - REACH / 2, land.u + REACH / 2, land.v + REACH / 2)
        middle = sum(x for x, _ in own) / len(own), sum(y for _, y in own) / len(own)
        around = Box(land.x - width, land.y - 20, land.u + width, land.v + 20)
        near = [box for box in (*symbols.values(), *labels.values()) if box.overlap(around)]
        crossing = [line for line in lines if around.crossed_by(line)]
        options = []
        for x in range(int(land.x), int(land.u) + 1, SQUARE):
            for y in range(int(land.y), int(land.v) + 1, SQUARE):
                box = Box.about(x, y, width, 2 * REGION_LABEL + 3)
                spots = [squares.get((int(u) // SQUARE, int(v) // SQUARE)) for u, v in _spots(box)]
                foreign = len(spots) - spots.count(region)
                options.append((140 * foreign + math.dist((x, y), middle) / 6 + 1000 * box.outside(AREA), box))
        labels[region] = _least(options, near, crossing)
    return labels


def _least(options: list[tuple[float, Box]], near: list[Box], crossing: list[Line]) -> Box:
    """The place that costs least, of places with what each costs by itself."""
    best, least = options[0][1], math.inf
    for cost, box in sorted(options, key=lambda option: option[0]):
        if cost >= least:
            break
        cost += 3 * sum(map(box.overlap, near))
        if cost < least:
            cost += 12 * sum(map(box.crossed_by, crossing))
        if cost < least:
            best, least = box, cost
    return best


def _spots(box: Box) -> Iterator[Point]:
    for x in (box.x, (box.x + box.u) / 2, box.u):
        for y in (box.y, box.v):
            yield x, y


@lru_cache(maxsize=4)
def _squares(kit: Kit) -> dict[tuple[int, int], str]:
    """Square of the map, by column and row -> the region in whose land its middle lies."""
    points, of, _, _ = _ground(kit)
    squares: dict[tuple[int, int], tuple[float, str]] = {}
    far = int(REACH) // SQUARE + 1
    for id, (x, y) in points.items():
        column, row = int(x) // SQUARE, int(y) // SQUARE
        for square in itertools.product(range(column - far, column + far + 1), range(row - far, row + far + 1)):
            middle = (square[0] + 0.5) * SQUARE, (square[1] + 0.5) * SQUARE
            squares[square] = min(squares.get(square, (REACH, "")), (math.dist(middle, (x, y)), of[id]))
    return {square: region for square, (_, region) in squares.items() if region}


def _roads(kit: Kit, points: dict[str, Point]) -> dict[str, str]:
    drawn: dict[str, list[str]] = {"road": [], "river": [], "off_map": [], "to_up": []}
    for row in kit.tables["connections"].values():
        drawn[row["kind"]].append(outlines.segment(points[row["a"]], points[row["b"]]))
    return {kind: " ".join(parts) for kind, parts in drawn.items()}


# --- a board on it ---


def drawn(position: Position, highlight: frozenset[str]) -> dict[str, Any]:
    """What the template draws of the map."""
    plan = layout(position.kit, position.language)
    return {
        "lands": [_land(position, plan, region) for region in position.atlas.regions],
        "borders": plan.borders,
        "coasts": plan.coasts,
        "labels": [_label(position, plan, region, region in highlight) for region in position.atlas.regions],
        "lines": plan.lines,
        "changes": [dict(zip("xy", plan.points[p], strict=True)) for p in sorted(highlight) if p in plan.points],
        "spaces": [_space(position, id, highlight) for id in position.atlas.spaces],
        "names": plan.names,
        "stacks": _stacks(position, plan),
        "size": LABEL,
        "region_size": REGION_LABEL,
    }


def _land(position: Position, plan: Layout, region: str) -> dict[str, str]:
    state = position.region_state(region)
    return {"id": region, "d": plan.regions[region], "fill": LANDS.get(state, LANDS[None])}


def _label(position: Position, plan: Layout, region: str, changed: bool) -> Item:
    """The name of a region, and how it stands there: who holds how many of the spaces that it takes."""
    row, word = position.atlas.regions[region], position.words
    state = position.region_state(region)
    told, about = "", [position.name("region", region)]
    about.append(word[f"region_{state}"] if state in (NEUTRAL, CLOSED) else
                 position.name("side", state) if state in SIDES else word["none"])  # fmt: skip
    if row["control_level"] is not None:
        counts = [f"{word[f'letter_{side}']}{position.held(region, side)}" for side in SIDES]
        told = f"{' '.join(counts)} / {row['control_level']} · {row['vp']} {word['vp']}"
        about.append(f"{word['level']} {row['control_level']}, {row['vp']} {word['vp']}")
        about += [f"{position.name('side', side)} {position.held(region, side)}" for side in SIDES]
    name = _brief(position.kit, "region", region, position.language).upper()
    return _label_drawn(plan.labels[region], region, name, told, ". ".join(about), changed)


@lru_cache(maxsize=1024)
def _label_drawn(box: Box, region: str, name: str, told: str, about: str, changed: bool) -> Item:
    x = round((box.x + box.u) / 2, 1)
    down = 0 if told else 6
    return Item(id=region, x=x, y=round(box.y + REGION_LABEL - 1 + down, 1), text=name, under=round(box.v - 3, 1),
                told=told, about=about, changed=changed)  # fmt: skip


def _space(position: Position, id: str, highlight: frozenset[str]) -> Item:
    word, row = position.words, position.atlas.spaces[id]
    holder, region = position.holders[id], position.atlas.region(id)
    told = [position.name("region", region)] if region else [word["independent_city"]] if row["kind"] != "box" else []
    told += [position.name("side", holder) if holder else word["none"]] if row["kind"] != "box" else []
    if row["fort_strength"] is not None:
        told.append(f"{word['fortress']} {row['fort_strength']}, {word['siege_modifier']} {row['siege_mod'] or 0}")
    told += [f"{row['vp']} {word['vp']}"] if row["vp"] else []
    told += [f"{word['loot']} {position.loot(id)}"] if position.loot(id) else []
    told += [word["revolt"]] if position.revolts(id) else []
    siege = position.siege(id)
    if siege:
        told.append(f"{word['siege']} +{siege['value']}, {word['siege_level']} {position.siege_level(id)}")
    base = position.state.get("swedish_base") == id
    told += [word["swedish_base"]] if base else []
    for space, side, stack in position.stacks:
        if space == id:
            told.append(position.pair(position.name("side", side), in_words(position, stack)))
    odd = region is not None and holder is not None and holder != position.region_state(region)
    return _space_drawn(
        position.kit, position.language, id, position.colour(holder), odd, position.loot(id), position.revolts(id),
        bool(siege), base, tuple(told), id in highlight,
    )  # fmt: skip


@lru_cache(maxsize=4096)  # some 2 KB each, with what is drawn of it
def _space_drawn(
    kit: Kit, language: str, id: str, fill: str, odd: bool, loot: int, revolt: bool, siege: bool, base: bool,
    told: tuple[str, ...], changed: bool,
) -> Item:  # fmt: skip
    """A space as the picture shows it; `told`: what the words about it say besides its name."""
    plan, row = layout(kit, language), kit.tables["spaces"][id]
    x, y = plan.points[id]
    kind = row["kind"]
    r, outline = RADIUS[kind], SYMBOLS[kind]
    city = kind == "independent_city"
    strength = row["fort_strength"]
    return Item({
        "id": id, "x": x, "y": y, "kind": kind, "d": outline(x, y, r), "fill": fill, "odd": odd,
        "wall": outlines.star(x, y, r + 4.2) if city and strength is not None else "",
        "elector": outlines.circle(x, y, r + 7) if row["elector"] else "",
        "text": str(strength) if strength is not None else "", "ink": ink(fill),
        "pips": [round(x - 3 * ((row["siege_mod"] or 0) - 1) + 6 * n, 1) for n in range(row["siege_mod"] or 0)],
        "pip_y": round(y + r + (5.5 if city and strength is not None else 1.6), 1),
        "port": row["port"], "loot": loot, "revolt": revolt, "ring": outline(x, y, r + 7) if siege else "",
        "base": base, "about": ". ".join([kit.display("space", id, language), *told]), "changed": changed,
    })  # fmt: skip


def in_words(position: Position, stack: list[str]) -> str:
    """A stack in words: leaders with their ratings, units, combat factors."""
    told = [
        f"{position.leader_name(piece)}{position.stars(piece)} {position.ratings(piece)}"
        for piece in stack
        if pieces.is_leader(piece)
    ]
    units = position.units_in_words(stack)
    told += [units, f"{position.strength(stack)} {position.words['cf']}"] if units else []
    return ", ".join(told)


# --- counters ---

def _stacks(position: Position, plan: Layout) -> list[Item]:
    """The counters of each side at each space as a block beside it."""
    waiting = [
        ((space, side), plan.points[space], tuple(_rows(position, space, side, stack)))
        for space, side, stack in position.stacks
    ]
    return STACKS.laid(waiting, partial(_stack, position.kit, position.language))


@lru_cache(maxsize=4096)  # some 2 KB each, with what is drawn of it
def _stack(kit: Kit, language: str, of: tuple[str, str], rows: tuple[Chips, ...], near: tuple[Box, ...]) -> Item:
    """A block of counters, clear of the blocks that are near already; `of`: the space and the side."""
    plan = layout(kit, language)
    return STACKS.block("-".join(of), rows, plan.points[of[0]], 11, (*plan.obstacles, *near), AREA)


def _rows(position: Position, space: str, side: str, stack: list[str]) -> Iterator[Chips]:
    """The rows of a block: strength and units, with the siege marker of a besieger; those inside the walls; leaders."""
    siege = position.siege(space)
    inside = [piece for piece in stack if pieces.is_inside(position.table, piece)]
    outside = [piece for piece in stack if piece not in inside]
    for what, group in (("units", outside), ("inside", inside)):
        chips = [(what, text, position.nation_colour(piece)) for text, piece in position.units_in_brief(group)]
        if chips:
            chips.insert(0, ("strength", str(position.strength(group)), position.colour(side)))
            if siege and siege["by"] == side and what == "units":
                chips.insert(1, ("siege", f"{position.words['letter_siege']}+{siege['value']}", SIEGE))
        for start in range(0, len(chips), UNITS_IN_A_ROW):
            yield tuple(chips[start : start + UNITS_IN_A_ROW])
    leaders = [
        ("leader", position.leader_name(piece, short=True) + position.stars(piece), position.nation_colour(piece))
        for piece in stack
        if pieces.is_leader(piece)
    ]
    for start in range(0, len(leaders), LEADERS_IN_A_ROW):
        yield tuple(leaders[start : start + LEADERS_IN_A_ROW])


