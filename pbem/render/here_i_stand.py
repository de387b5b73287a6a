"""How the board of Here I Stand looks, as picture and as text.

The picture is the map, and below it the displays: power cards, victory points, turns, diplomatic status, the religious
struggle, the New World and Henry's wives. Powers are told apart by colour and by a letter.

Of a view it reads what `pbem.games.here_i_stand` puts on its board, units, pieces, tracks, piles and the entries of
``state`` (``control:<space>`` and so on); what a view lacks is left out of the picture. Units behind besieged walls are
at ``<space>/inside``, leaders taken at ``captured:<power>``, what returns later at ``turn_track:<n>``, the regulars of
the Electorate display at ``electorate:<space>``, troops in a foreign war at ``foreign_war:<card>``.
"""

import math
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from pbem.render.board_svg import Item
from pbem.render.narrative import Teller
from pbem.table.kit import Kit

WIDTH = 1400
LEFT, TOP, RIGHT, BOTTOM = 196, 18, 986, 634  # the part of the board image that the spaces take up, in its units
SCALE = WIDTH / (RIGHT - LEFT)
MAP_HEIGHT = round((BOTTOM - TOP) * SCALE)
TITLE_HEIGHT = 46
GAP = 10
LABEL = 14  # size of the names on the map
CHIP = 15  # height of a counter
DARK, LIGHT = "#1c1c1c", "#ffffff"
UNKNOWN = {"hex": "#bbbbbb", "letter": "?"}
LAND, NAVAL = ("regular", "mercenary", "cavalry"), ("squadron", "corsair")

WORDS = {
    "en": {
        "exploration": "exploration", "conquest": "conquest", "colony": "colony",
        "electorates": "Electorates",
        "turn": "Turn", "phase": "Phase", "active": "To play", "vp": "VP", "cards": "Cards", "keys": "Keys",
        "hand": "Hand", "home": "home", "ruler": "Ruler", "bonus": "Bonus VP", "captured": "Captured", "win": "win",
        "mercenary": "m", "cavalry": "c", "corsair": "c", "status": "Diplomatic status", "war": "W", "allied": "A",
        "war_long": "war", "allied_long": "allied", "religion": "Religious struggle", "spaces": "Protestant spaces",
        "debaters": "Debaters", "committed": "(committed)", "st_peters": "St. Peter's", "piracy": "Piracy",
        "chateaux": "Châteaux", "new_world": "New World", "crossing": "crossing", "wives": "Henry's wives",
        "unrest": "unrest", "besieged": "besieged", "inside": "inside", "university": "Jesuit university",
        "deck": "Deck", "discard": "Discards", "removed": "Removed", "papal": "Papal", "all_zones": "All zones",
        "colonies": "colonies", "minus": "-1 Card", "heirs": "Heirs", "units": "Units", "leaders": "Leaders",
        "control": "Control other than home", "protestant": "Protestant", "none": "none", "key_track": "cards / VP",
        "reformers": "Reformers", "powers": "Powers", "boxes": "boxes", "nt": "New Testament", "bible": "Bible",
        "legend": "7 regulars, 2m mercenaries, 1c cavalry; pointed: ships, 2c corsairs; walls: besieged inside",
        "legend_space": "colour: control, ring: home power, white centre: Protestant, red !: unrest, J: university",
        "waiting": "display", "pool": "pool",
    },
    "fr": {
        "exploration": "exploration", "conquest": "conquête", "colony": "colonie",
        "electorates": "Électorats",
        "turn": "Tour", "phase": "Phase", "active": "À jouer", "vp": "PV", "cards": "Cartes", "keys": "Centres",
        "hand": "Main", "home": "origine", "ruler": "Dirigeant", "bonus": "PV bonus", "captured": "Captifs",
        "win": "victoire", "mercenary": "m", "cavalry": "c", "corsair": "p", "status": "Statut diplomatique",
        "war": "G", "allied": "A", "war_long": "guerre", "allied_long": "alliés", "religion": "Lutte religieuse",
        "spaces": "Espaces protestants", "debaters": "Débatteurs", "committed": "(engagé)",
        "st_peters": "Saint-Pierre", "piracy": "Piraterie", "chateaux": "Châteaux", "new_world": "Nouveau Monde",
        "crossing": "en mer", "wives": "Femmes d'Henri", "unrest": "agitation", "besieged": "assiégé",
        "inside": "dedans", "university": "université jésuite", "deck": "Paquet", "discard": "Défausse",
        "removed": "Retirées", "papal": "Papauté", "all_zones": "Toutes zones", "colonies": "colonies",
        "minus": "-1 carte", "heirs": "Héritiers", "units": "Unités", "leaders": "Chefs",
        "control": "Contrôle autre que d'origine", "protestant": "Protestants", "none": "aucun",
        "key_track": "cartes / PV", "reformers": "Réformateurs", "powers": "Puissances", "boxes": "cases",
        "nt": "Nouveau Testament", "bible": "Bible",
        "legend": "7 réguliers, 2m mercenaires, 1c cavalerie ; pointu : navires, 2p pirates ; murs : assiégés",
        "legend_space": "couleur : contrôle, bord : origine, centre blanc : protestant, ! : agitation, J : université",
        "waiting": "à venir", "pool": "réserve",
    },
    "ru": {
        "exploration": "исследование", "conquest": "завоевание", "colony": "колония",
        "electorates": "Курфюршества",
        "turn": "Ход", "phase": "Фаза", "active": "Ходит", "vp": "VP", "cards": "Карты", "keys": "Ключевые города",
        "hand": "Рука", "home": "нац.", "ruler": "Правитель", "bonus": "Бонусные VP", "captured": "Пленные",
        "win": "победа", "mercenary": "н", "cavalry": "к", "corsair": "к", "status": "Дипломатический статус",
        "war": "В", "allied": "С", "war_long": "война", "allied_long": "союз", "religion": "Религиозная борьба",
        "spaces": "Протестантские города", "debaters": "Богословы", "committed": "(задействован)",
        "st_peters": "Базилика св. Петра", "piracy": "Пиратство", "chateaux": "Шато", "new_world": "Новый Свет",
        "crossing": "в пути", "wives": "Жёны Генриха", "unrest": "беспорядки", "besieged": "осаждён",
        "inside": "внутри", "university": "университет", "deck": "Колода", "discard": "Сброс", "removed": "Удалены",
        "papal": "Папство", "all_zones": "Все зоны", "colonies": "колонии", "minus": "-1 карта",
        "heirs": "Наследники", "units": "Отряды", "leaders": "Военачальники", "control": "Контроль над чужими городами",
        "protestant": "Протестантские", "none": "нет", "key_track": "карты / VP", "reformers": "Реформаторы",
        "powers": "Державы", "boxes": "позиции", "nt": "Новый Завет", "bible": "Библия",
        "legend": "7 регулярных, 2н наёмники, 1к кавалерия; острые: корабли, 2к корсары; стены: осаждённые внутри",
        "legend_space": "цвет: контроль, кольцо: национальный, белый центр: протестанты, !: беспорядки, J: университет",
        "waiting": "ожидают", "pool": "запас",
    },
}  # fmt: skip

PHASES = {
    "fr": {
        "theses": "95 thèses", "draw": "tirage des cartes", "diplomacy": "diplomatie", "diet": "Diète de Worms",
        "spring": "déploiement de printemps", "over": "partie finie",
        "action": "action", "winter": "hiver", "new_world": "Nouveau Monde", "victory": "victoire",
    },
    "ru": {
        "theses": "95 тезисов", "draw": "раздача карт", "diplomacy": "дипломатия", "diet": "Вормсский сейм",
        "spring": "весеннее развёртывание", "action": "действия", "winter": "зима", "new_world": "Новый Свет",
        "victory": "определение победы", "over": "игра окончена",
    },
}  # fmt: skip


# --- position ---


def owner(kit: Kit, id: str | None) -> dict:
    """The row, with colour and letter, of a power or minor."""
    if id is None:
        return UNKNOWN
    return kit.tables["powers"].get(id) or kit.tables["minors"].get(id) or UNKNOWN


def owner_name(kit: Kit, id: str, language: str) -> str:
    """The name of a power or minor."""
    return kit.display("power" if id in kit.tables["powers"] else "minor", id, language)


@dataclass
class Position:
    """What picture and text need of a view, found once."""

    view: dict[str, Any]
    kit: Kit
    language: str
    words: dict[str, str] = field(init=False)
    here: dict[str, list[tuple[str, str, dict]]] = field(init=False)  # place → pieces (kind, id, piece)
    powers: list[str] = field(init=False)  # the major powers in impulse order

    def __post_init__(self):
        self.language = self.language.partition("_")[0].partition("-")[0]
        self.words = WORDS.get(self.language, WORDS["en"])
        self.powers = list(self.kit.tables["powers"])
        self.here = {}
        for name, piece in sorted(self.view["pieces"].items()):
            kind, _, id = name.partition(":")
            self.here.setdefault(piece["at"], []).append((kind, id, piece))

    @cached_property
    def teller(self) -> Teller:
        """Who knows how things are counted in the reader's language."""
        return Teller(self.kit, self.language)

    @property
    def state(self) -> dict[str, Any]:
        return self.view["state"]

    @property
    def minors(self) -> list[str]:
        return [id for id, row in self.kit.tables["minors"].items() if row["kind"] == "minor"]

    def owner(self, id: str | None) -> dict:
        """The row, with colour and letter, of a power or minor."""
        return owner(self.kit, id)

    def owner_name(self, id: str) -> str:
        return owner_name(self.kit, id, self.language)

    def name(self, domain: str, id: str) -> str:
        return self.kit.display(domain, id, self.language)

    def place_name(self, place: str) -> str:
        space, _, inside = place.partition("/")
        if space in self.kit.tables["spaces"]:
            return self.name("space", space) + (f" ({self.words['inside']})" if inside else "")
        if space in self.kit.tables["sea_zones"]:
            return self.name("sea", space)
        kind, _, what = place.partition(":")
        if kind == "electorate":
            return f"{self.name('space', what)} ({self.words['waiting']})"
        if kind == "foreign_war":
            return self.name("card", what)
        return f"{self.words['turn']} {what}" if kind == "turn_track" else place.replace("_", " ")

    def at(self, name: str, space: str) -> Any:
        """A state entry of a space, such as control: at("control", "vienna")."""
        return self.view["state"].get(f"{name}:{space}")

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

    def track(self, track: str, power: str) -> int | None:
        return self.view["tracks"].get(track, {}).get(power, 0)

    def number(self, track: str, power: str) -> str:
        value = self.track(track, power)
        return "?" if value is None else str(value)

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
        letters = {"mercenary": self.words["mercenary"], "cavalry": self.words["cavalry"],
                   "corsair": self.words["corsair"]}  # fmt: skip
        return " ".join(f"{number}{letters.get(kind, '')}" for kind, number in parts if number)

    def units_in_words(self, place: str) -> str:
        told = []
        for owner, kinds in self.units(place):
            parts = [self.teller.noun(n, kind) for kind in (*LAND, *NAVAL) if (n := kinds.get(kind))]
            told.append(f"{self.owner_name(owner)} {', '.join(parts)}")
        return "; ".join(told)

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

    def leader_power(self, id: str, piece: dict) -> str | None:
        return piece.get("power") or self.kit.tables["leaders"][id]["power"] or None

    def situation(self) -> str:
        parts = [self.kit.title(self.language)]
        if self.state.get("turn"):
            years = self.kit.tables["turns"].get(str(self.state["turn"]), {}).get("years")
            parts.append(f"{self.words['turn']} {self.state['turn']}" + (f" ({years})" if years else ""))
        if self.state.get("phase"):
            phase = str(self.state["phase"])
            parts.append(PHASES.get(self.language, {}).get(phase, phase.replace("_", " ")))
        if self.state.get("active") in self.powers:
            parts.append(f"{self.words['active']}: {self.owner_name(self.state['active'])}")
        return ", ".join(parts)


# --- geometry ---


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """About how wide a text is in Roboto, rather too wide than too narrow."""
    units = sum(
        0.27 if c in "iljI.,:;'|! " else 0.37 if c in "ftr()-/" else 0.9 if c in "mwMWшщжмШЩЖЫЮМФ" else
        0.78 if c in "юфы" else 0.7 if c.isupper() else 0.58
        for c in text
    )  # fmt: skip
    return units * size * (1.04 if bold else 1.0)


@dataclass(frozen=True)
class Box:
    """A rectangle: left, top, right, bottom."""

    x: float
    y: float
    u: float
    v: float

    def overlap(self, other: "Box") -> float:
        """The area that two boxes share."""
        if self.x >= other.u or other.x >= self.u or self.y >= other.v or other.y >= self.v:
            return 0.0
        width = min(self.u, other.u) - max(self.x, other.x)
        return width * (min(self.v, other.v) - max(self.y, other.y))

    def outside(self) -> float:
        """How far the box leaves the map."""
        return max(0.0, 4 - self.x, 4 - self.y, self.u - WIDTH + 4, self.v - MAP_HEIGHT + 4)


def on_map(row: dict) -> tuple[float, float]:
    """Where a space or sea zone lies in the picture."""
    return round((row["x"] - LEFT) * SCALE, 1), round((row["y"] - TOP) * SCALE, 1)


RADIUS = {"unfortified": 7.5, "key": 8.5, "electorate": 9.5, "fortress": 9.5}


def _crossing(box: Box, a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether a line runs through a box (Liang and Barsky)."""
    low, high = 0.0, 1.0
    dx, dy = b[0] - a[0], b[1] - a[1]
    for step, room in ((-dx, a[0] - box.x), (dx, box.u - a[0]), (-dy, a[1] - box.y), (dy, box.v - a[1])):
        if step == 0:
            if room < 0:
                return False
        elif step < 0:
            low = max(low, room / step)
        else:
            high = min(high, room / step)
    return low <= high


def _around(x: float, y: float, w: float, h: float, reach: float) -> Iterator[tuple[float, Box]]:
    """Places for a box of this size around a point: how little they are liked, and the box."""
    ring = [
        (0, x + reach, y - h / 2), (1, x - reach - w, y - h / 2),
        (2, x - w / 2, y + reach), (2, x - w / 2, y - reach - h),
        (3, x + reach * 0.7, y + reach * 0.55), (3, x + reach * 0.7, y - reach * 0.55 - h),
        (4, x - reach * 0.7 - w, y + reach * 0.55), (4, x - reach * 0.7 - w, y - reach * 0.55 - h),
        (5, x - w * 0.2, y + reach), (5, x - w * 0.8, y + reach), (5, x - w * 0.2, y - reach - h),
        (5, x - w * 0.8, y - reach - h), (5, x + reach, y - h * 0.95), (5, x + reach, y - h * 0.05),
        (6, x - reach - w, y - h * 0.95), (6, x - reach - w, y - h * 0.05),
    ]  # fmt: skip
    if reach > 20:  # further off, turn around the point
        for turn in range(12):
            c, s = math.cos(math.pi * (turn + 0.5) / 6), math.sin(math.pi * (turn + 0.5) / 6)
            ring.append((6, x + c * (reach + w / 2) - w / 2, y + s * (reach + h / 2) - h / 2))
    for liked, left, top in ring:
        yield liked, Box(left, top, left + w, top + h)


@dataclass(frozen=True)
class Layout:
    """What of the map does not change in a language: where the names stand, and what counters should keep clear of."""

    points: dict[str, tuple[float, float]]
    labels: dict[str, Box]
    crossed: frozenset[str]  # names that a line runs through
    obstacles: tuple[Box, ...]
    ground: list[Item]
    lines: dict[str, str]
    sea_lines: str
    names: list[Item]  # of the spaces


@lru_cache(maxsize=16)
def layout(kit: Kit, language: str) -> Layout:
    """Finds a place for every name, so that no two overlap and few lie on lines.

    Every name first takes the place it likes best; then, round by round, each moves to the place that is best among the
    others. The order is fixed, so the map looks the same every time.
    """
    spaces, seas = kit.tables["spaces"], kit.tables["sea_zones"]
    points = {id: on_map(row) for table in (spaces, seas) for id, row in table.items()}
    symbols = {}
    for id, row in spaces.items():
        (x, y), r = points[id], RADIUS[row["kind"]] + 2
        symbols[id] = Box(x - r, y - r, x + r, y + r)
    lines = [(points[row["a"]], points[row["b"]]) for row in kit.tables["connections"].values()]
    sizes = {}
    for id, row in spaces.items():
        name = kit.display("space", id, language)
        sizes[id] = text_width(name, LABEL, row["kind"] == "key"), LABEL + 1.0
    fixed, candidates = [], {}
    for id in seas:
        x, y = points[id]
        w = text_width(kit.display("sea", id, language), LABEL + 1)
        x = min(max(x, w / 2 + 6), WIDTH - w / 2 - 6)
        fixed.append((id, Box(x - w / 2, y - 8, x + w / 2, y + 8)))
    for id in spaces:
        x, y = points[id]
        near_lines = [line for line in lines if _near(line, x, y)]
        near = [box for other, box in symbols.items() if other != id and abs(box.x - x) < 120 and abs(box.y - y) < 50]
        near += [box for _, box in fixed if box.overlap(Box(x - 120, y - 50, x + 120, y + 50))]
        found = []
        for reach, far in ((RADIUS[spaces[id]["kind"]] + 4, 0), (RADIUS[spaces[id]["kind"]] + 9, 14)):
            for liked, box in _around(x, y, *sizes[id], reach):
                cost = liked + far + 6 * sum(_crossing(box, *line) for line in near_lines) + 1000 * box.outside()
                cost += 30 * sum(box.overlap(other) for other in near)
                found.append((cost, box))
        candidates[id] = sorted(found, key=lambda c: c[0])
    labels = {id: options[0][1] for id, options in candidates.items()}
    rivals = {
        id: [
            o
            for o in spaces
            if o != id and abs(points[o][0] - points[id][0]) < 220 and abs(points[o][1] - points[id][1]) < 60
        ]
        for id in spaces
    }
    for _ in range(12):
        moved = False
        for id, options in candidates.items():

            def price(option, id=id):
                return option[0] + 30 * sum(option[1].overlap(labels[other]) for other in rivals[id])

            best = min(options, key=price)[1]
            if best != labels[id]:
                labels[id], moved = best, True
        if not moved:
            break
    crossed = frozenset(id for id, box in labels.items() if any(_crossing(box, *line) for line in lines))
    names = [_name(kit, language, id, labels[id], id in crossed) for id in spaces]
    labels |= dict(fixed)
    return Layout(
        points, labels, crossed, (*symbols.values(), *labels.values()),
        _ground(kit, points), _lines(kit, points), _sea_lines(kit, points), names,
    )  # fmt: skip


def _near(line: tuple, x: float, y: float) -> bool:
    (ax, ay), (bx, by) = line
    return min(ax, bx) - 110 < x < max(ax, bx) + 110 and min(ay, by) - 40 < y < max(ay, by) + 40


# --- picture ---


def picture(view: dict, kit: Kit, *, highlight: frozenset[str], language: str, title: str | None) -> dict[str, Any]:
    """What `templates/map/here_i_stand.svg` draws: the map with all that stands on it, and the displays below."""
    position = Position(view, kit, language)
    top = TITLE_HEIGHT if title else 0
    plan = layout(kit, position.language)
    displays = _displays(position, highlight, MAP_HEIGHT + GAP)
    return {
        "language": position.language,
        "heading": title,
        "label": title or position.situation(),
        "situation": position.situation(),
        "width": WIDTH,
        "height": top + displays["bottom"] + GAP,
        "top": top,
        "map_height": MAP_HEIGHT,
        "ground": plan.ground,
        "lines": plan.lines,
        "sea_lines": plan.sea_lines,
        "changes": [dict(zip("xy", plan.points[p], strict=True)) for p in sorted(highlight) if p in plan.points],
        "spaces": [_space(position, plan, id, highlight) for id in kit.tables["spaces"]],
        "seas": [_sea(position, id) for id in kit.tables["sea_zones"]],
        "names": plan.names,
        "stacks": _stacks(position, plan),
        "size": LABEL,
        "displays": displays,
    }


def _ground(kit: Kit, points: dict) -> list[Item]:
    """Soft land in the colours of the language zones: broad lines along the connections, the small rings that these
    close filled, and discs around the spaces. First all land as of no zone, then the zones on top of it."""
    spaces, rows = kit.tables["spaces"], list(kit.tables["connections"].values())
    found = []
    for zone, fill in [("", "#e6d9bd"), *((id, row["hex"]) for id, row in kit.tables["languages"].items())]:
        of = {id for id, row in spaces.items() if not zone or row["language"] == zone}
        inside = [row for row in rows if row["a"] in of and row["b"] in of]
        near = {id: set() for id in of}
        for row in inside:
            near[row["a"]].add(row["b"])
            near[row["b"]].add(row["a"])
        rings = ["M" + "L".join(f"{x} {y}" for x, y in (points[id] for id in ring)) + "Z" for ring in _rings(near)]
        discs = [_segment(points[id], points[id]) for id in sorted(of) if zone or not spaces[id]["language"]]
        lines = [_segment(points[row["a"]], points[row["b"]]) for row in inside]
        found.append(Item(zone=zone or "none", fill=fill, rings=" ".join(rings), lines=" ".join(lines),
                          discs=" ".join(discs)))  # fmt: skip
    return found


def _rings(near: dict[str, set[str]], longest: int = 6) -> Iterator[tuple[str, ...]]:
    """The rings of at most so many spaces, each once: begun at its first space by name, in one direction."""
    for start in sorted(near):
        paths = [(start,)]
        for _ in range(longest - 1):
            paths = [(*path, n) for path in paths for n in sorted(near[path[-1]]) if n > start and n not in path]
            yield from (path for path in paths if len(path) > 2 and path[1] < path[-1] and start in near[path[-1]])


def _segment(a: tuple[float, float], b: tuple[float, float]) -> str:
    return f"M{a[0]} {a[1]}L{b[0]} {b[1]}"


def _lines(kit: Kit, points: dict) -> dict[str, str]:
    drawn = {"open": [], "pass": []}
    for row in kit.tables["connections"].values():
        drawn[row["kind"]].append(_segment(points[row["a"]], points[row["b"]]))
    return {kind: " ".join(parts) for kind, parts in drawn.items()}


def _sea_lines(kit: Kit, points: dict) -> str:
    return " ".join(_segment(points[row["a"]], points[row["b"]]) for row in kit.tables["sea_connections"].values())


def shape(kind: str, x: float, y: float, r: float) -> str:
    """The outline of a space: circle, square of a key, hexagon of an electorate, star of a fortress."""
    if kind == "unfortified":
        return f"M{x - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0Z"
    if kind == "key":
        return f"M{x - r:.1f} {y - r:.1f}h{2 * r:.1f}v{2 * r:.1f}h{-2 * r:.1f}Z"
    corners, inner = (6, r) if kind == "electorate" else (16, r * 0.72)
    parts = []
    for corner in range(corners):
        angle = math.pi * (2 * corner / corners + (0 if kind == "electorate" else 0.125))
        reach = r if corner % 2 == 0 else inner
        parts.append(f"{x + reach * math.cos(angle):.1f} {y + reach * math.sin(angle):.1f}")
    return "M" + "L".join(parts) + "Z"


def ink(fill: str) -> str:
    """Black or white, whichever can be read on a colour."""
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return DARK if red * 0.3 + green * 0.59 + blue * 0.11 > 140 else LIGHT


def _space(position: Position, plan: Layout, id: str, highlight: frozenset[str]) -> Item:
    words, holder, protestant = position.words, position.control(id), position.at("religion", id) == "protestant"
    told = [words["protestant"]] if protestant else []
    told += [words[mark] for mark in ("unrest", "university") if position.at(mark, id)]
    told += [words["besieged"]] if position.besieged(id) else []
    told += [units for place in (id, f"{id}/inside") if (units := position.units_in_words(place))]
    return _space_drawn(
        position.kit, position.language, id, holder, position.kind(id), position.home(id), protestant,
        bool(position.at("unrest", id)), bool(position.at("university", id)), position.besieged(id), tuple(told),
        id in highlight,
    )  # fmt: skip


@lru_cache(maxsize=4096)  # some 2 KB each, with what is drawn of it
def _space_drawn(
    kit: Kit, language: str, id: str, holder: str | None, kind: str, home: str, protestant: bool, unrest: bool,
    university: bool, besieged: bool, told: tuple[str, ...], changed: bool,
) -> Item:  # fmt: skip
    """A space as the picture shows it; `told`: what the words about it say besides its name, holder and ports."""
    plan, row = layout(kit, language), kit.tables["spaces"][id]
    x, y = plan.points[id]
    colour, ring = owner(kit, holder), owner(kit, home)
    r = RADIUS[kind]
    anchors = []
    for zone in row["ports"]:
        u, v = plan.points[zone]
        length = math.hypot(u - x, v - y) or 1
        anchors.append({"x": round(x + (u - x) / length * (r + 5), 1), "y": round(y + (v - y) / length * (r + 5), 1)})
    words = WORDS.get(language, WORDS["en"])
    about = [kit.display("space", id, language), owner_name(kit, holder, language) if holder else words["none"]]
    about += [*told, *(kit.display("sea", zone, language) for zone in row["ports"])]
    return Item({
        "id": id, "x": x, "y": y, "r": r, "kind": kind, "d": shape(kind, x, y, r), "fill": colour["hex"],
        "home": ring["hex"], "foreign": holder != home,
        "ring": shape(kind, x, y, r + (5.6 if row["capital_of"] else 2.6)),
        "outer": shape(kind, x, y, r + 3.2) if row["capital_of"] else "",
        "protestant": protestant, "letter": colour["letter"] if holder else "",
        "ink": DARK if protestant else ink(colour["hex"]), "anchors": anchors, "unrest": unrest,
        "university": university, "siege": shape(kind, x, y, r + 5) if besieged else "", "about": ". ".join(about),
        "changed": changed,
    })  # fmt: skip


def _name(kit: Kit, language: str, id: str, box: Box, crossed: bool) -> Item:
    """The name of a space, where it stands."""
    return Item(x=round((box.x + box.u) / 2, 1), y=round(box.v - 3, 1), bold=kit.tables["spaces"][id]["kind"] == "key",
                text=kit.display("space", id, language), box=box, crossed=crossed)  # fmt: skip


def _sea(position: Position, id: str) -> Item:
    return _sea_drawn(position.kit, position.language, id, position.units_in_words(id))


@lru_cache(maxsize=1024)
def _sea_drawn(kit: Kit, language: str, id: str, told: str) -> Item:
    label, name = layout(kit, language).labels[id], kit.display("sea", id, language)
    return Item(id=id, x=round((label.x + label.u) / 2, 1), y=round((label.y + label.v) / 2 + 4.5, 1), text=name,
                about=name + (f". {told}" if told else ""))  # fmt: skip


Chips = tuple[tuple[str, str, str], ...]  # of a row of counters: what, text and colour of each


def _stacks(position: Position, plan: Layout) -> list[Item]:
    """The counters at each place as a block beside it, where it covers least; tied to its place by a thin line."""
    waiting = []
    for place in (id for table in ("spaces", "sea_zones") for id in position.kit.tables[table]):
        rows = tuple(_rows(position, place))
        if rows:
            waiting.append((place, rows, max(map(_row_width, rows)), len(rows) * (CHIP + 1) - 1))
    found: list[Item] = []
    for place, rows, width, height in sorted(waiting, key=lambda b: -b[2] * b[3]):  # the largest choose first
        around = _surroundings(*plan.points[place], width, height)
        near = tuple(block["box"] for block in found if block["box"].overlap(around))
        found.append(_stack(position.kit, position.language, place, rows, width, height, near))
    return found


@lru_cache(maxsize=4096)  # some 2 KB each, with what is drawn of it
def _stack(
    kit: Kit, language: str, place: str, rows: tuple[Chips, ...], width: float, height: float, near: tuple[Box, ...]
) -> Item:
    """A block of counters, clear of the blocks that are near already."""
    plan = layout(kit, language)
    x, y = plan.points[place]
    box = _free_box(x, y, width, height, (*plan.obstacles, *near))
    chips, top = [], box.y
    for row in rows:
        left = box.x if box.x > x else box.u - _row_width(row)
        for counter in row:
            chip = _chip(*counter)
            chips.append({**chip, **_outline(chip, left, top)})
            left += chip["w"] + 2
        top += CHIP + 1
    radius = 12 if place in kit.tables["spaces"] else 0
    return Item(place=place, chips=chips, box=box, tie=_tie(x, y, radius, box))


@lru_cache(maxsize=1024)
def _row_width(row: Chips) -> float:
    return sum(_chip(*counter)["w"] + 2 for counter in row) - 2


def _surroundings(x: float, y: float, width: float, height: float) -> Box:
    """What lies so near a point that a box of this size beside it could cover it."""
    return Box(x - width - 145, y - height - 145, x + width + 145, y + height + 145)


def _free_box(x: float, y: float, width: float, height: float, obstacles: Iterable[Box]) -> Box:
    """Where near a point a box covers least of the obstacles; the nearer the better."""
    around = _surroundings(x, y, width, height)
    near = [box for box in obstacles if box.overlap(around)]
    best, least = None, math.inf
    for reach in (13, 20, 30, 44, 60, 80, 110, 140):
        if reach * 6 >= least:  # all that is further off costs more already
            break
        for liked, box in _around(x, y, width, height, reach):
            cost = liked * 4 + reach * 6 + 1000 * box.outside()
            if cost < least:
                cost += 400 * sum(box.overlap(other) for other in near)
            if cost < least:
                best, least = box, cost
    assert best is not None
    return best


def _tie(x: float, y: float, radius: float, box: Box) -> str:
    """A line from a symbol's edge to its block of counters; none where they are close together."""
    u, v = min(max(x, box.x), box.u), min(max(y, box.y), box.v)
    length = math.hypot(u - x, v - y)
    if length < radius + 5:
        return ""
    return _segment(
        (round(x + (u - x) * radius / length, 1), round(y + (v - y) * radius / length, 1)), (round(u, 1), round(v, 1))
    )


def _outline(chip: dict, x: float, y: float) -> dict:
    """The outline of a counter: land units a box, ships pointed, besieged a box with battlements, leaders a pill."""
    w, h = chip["w"], CHIP - 1
    if chip["what"] == "naval":
        d = f"M{x:.1f} {y + h / 2:.1f}l5 {-h / 2:.1f}h{w - 10:.1f}l5 {h / 2:.1f}l-5 {h / 2:.1f}h{10 - w:.1f}Z"
    elif chip["what"] == "inside":
        step = w / 5
        d = f"M{x:.1f} {y + h:.1f}v{-h:.1f}h{step:.1f}v3h{step:.1f}v-3h{step:.1f}v3h{step:.1f}v-3h{step:.1f}v{h:.1f}Z"
    else:
        r = 7 if chip["what"] == "leader" else 2
        d = (f"M{x + r:.1f} {y:.1f}h{w - 2 * r:.1f}a{r} {r} 0 0 1 {r} {r}v{h - 2 * r:.1f}a{r} {r} 0 0 1 -{r} {r}"
             f"h{2 * r - w:.1f}a{r} {r} 0 0 1 -{r} -{r}v{2 * r - h:.1f}a{r} {r} 0 0 1 {r} -{r}Z")  # fmt: skip
    return {"d": d, "tx": round(x + w / 2, 1), "ty": round(y + h - 3 + (0.5 if chip["what"] == "inside" else 0), 1)}


def _rows(position: Position, place: str) -> Iterator[Chips]:
    """The rows of a block: land units, besieged ones, ships, leaders, reformers."""
    for what, at, of in (("land", place, LAND), ("inside", f"{place}/inside", LAND), ("naval", place, NAVAL)):
        row = []
        for owner, kinds in position.units(at):
            if brief := position.short(kinds, of):
                row.append((what, brief, position.owner(owner)["hex"]))
        if row:
            yield tuple(row)
    for at in (place, f"{place}/inside"):
        for kind, id, piece in position.here.get(at, []):
            if kind == "leader":
                power = position.leader_power(id, piece)
                yield (("leader", _short_name(position.kit, id, position.language), position.owner(power)["hex"]),)
            elif kind == "reformer":
                yield (("reformer", position.name("reformer", id), LIGHT),)


@lru_cache(maxsize=256)
def _short_name(kit: Kit, leader: str, language: str) -> str:
    """A leader's name as it fits on the map: if it is long, the shortest that he has in the language."""
    shown = kit.display("leader", leader, language)
    others = [
        name for domain, id, lang, name in kit.record["names"] if (domain, id, lang) == ("leader", leader, language)
    ]
    return shown if len(shown) < 12 else min([shown, *others], key=len)


@lru_cache(maxsize=1024)
def _chip(what: str, text: str, fill: str) -> dict:
    """A counter, and how wide it is."""
    size = 12 if what in ("land", "inside", "naval") else 11
    pad = 12 if what == "naval" else 8
    return {"what": what, "text": text, "fill": fill, "ink": ink(fill), "size": size,
            "w": round(max(text_width(text, size, True) + pad, 17), 1)}  # fmt: skip


# --- displays ---


def _displays(position: Position, highlight: frozenset[str], y: float) -> dict[str, Any]:
    """Everything below the map, from top to bottom: what it is drawn of, and where it ends."""
    draw = Drawing()
    y = _vp_and_turns(position, draw, y)
    y = _power_cards(position, draw, y, highlight)
    column = (WIDTH - 4 * GAP) / 3
    ends = [
        _status(position, draw, GAP, y, column),
        _religion(position, draw, 2 * GAP + column, y, column),
        _new_world_and_wives(position, draw, 3 * GAP + 2 * column, y, column),
    ]
    bottom = max(ends)
    for number in range(3):
        left = GAP + number * (column + GAP)
        draw.behind.append(_box(left, y, column, bottom - y, "#fffdf6", "#a59f8f", 1))
    draw.text(
        GAP + 2, bottom + 20, f"{position.words['legend']}. {position.words['legend_space']}.", 13, fill="#4a4a4a"
    )
    return {"boxes": draw.behind + draw.boxes, "paths": draw.paths, "texts": draw.texts, "bottom": round(bottom + 26)}


@dataclass
class Drawing:
    """Boxes and texts of the displays."""

    behind: list[Item] = field(default_factory=list)
    boxes: list[Item] = field(default_factory=list)
    paths: list[dict] = field(default_factory=list)
    texts: list[Item] = field(default_factory=list)

    def box(self, x, y, w, h, fill, edge="#6b6455", wide=1):
        self.boxes.append(_box(x, y, w, h, fill, edge, wide))

    def text(self, x, y, text, size=13, *, bold=False, anchor="start", fill=DARK, room=None):
        """A text; where it has no `room` it is set smaller, and from 8 on cut."""
        self.texts.append(_text(x, y, str(text), size, bold, anchor, fill, room))

    def lines(self, x, y, text, room, size=12.5, step=16) -> float:
        """A paragraph; returns the y below it."""
        line = ""
        for word in text.split():
            if line and text_width(f"{line} {word}", size) > room:
                self.text(x, y, line, size)
                y, line = y + step, word
            else:
                line = f"{line} {word}".strip()
        self.text(x, y, line, size, room=room)
        return y + step


@lru_cache(maxsize=4096, typed=True)  # 8 and 8.0 are written differently
def _box(x: float, y: float, w: float, h: float, fill: str, edge: str, wide: float) -> Item:
    return Item(x=round(x, 1), y=round(y, 1), w=round(w, 1), h=round(h, 1), fill=fill, edge=edge, wide=wide)


@lru_cache(maxsize=8192, typed=True)
def _text(x: float, y: float, text: str, size: float, bold: bool, anchor: str, fill: str, room: float | None) -> Item:
    if room is not None:
        while size > 9 and text_width(text, size, bold) > room:
            size -= 0.5
        if text_width(text, size, bold) > room:
            while text and text_width(text + "…", size, bold) > room:
                text = text[:-1]
            text += "…"
    return Item(x=round(x, 1), y=round(y, 1), text=text, size=size, bold=bold, anchor=anchor, fill=fill)


def _vp_and_turns(position: Position, draw: Drawing, y: float) -> float:
    """The victory track from 0 to 29 (more: in the last box) and the turns."""
    words, turns = position.words, list(position.kit.tables["turns"].values())
    draw.text(GAP, y + 14, words["vp"], 14, bold=True)
    left, cell = 52, (WIDTH - 52 - GAP) / 30
    marks: dict[int, list[str]] = {}
    for power in position.powers:
        value = position.track("vp", power)
        marks.setdefault(min(max(value or 0, 0), 29), []).append(power)
    for number in range(30):
        x = left + number * cell
        win = number >= position.kit.constants["victory_vp"]
        draw.box(x, y, cell, 50, "#f0e4bf" if win else "#fffdf6", "#a59f8f")
        draw.text(x + cell / 2, y + 11, number if number < 29 else "29+", 10, anchor="middle", fill="#6b6455")
        for place, power in enumerate(marks.get(number, [])):
            row = position.kit.tables["powers"][power]
            bx, by = x + 2 + (place % 3) * 14.3, y + 15 + (place // 3) * 17
            draw.box(bx, by, 13.3, 15, row["hex"], DARK)
            draw.text(bx + 6.6, by + 11.5, row["letter"], 11, bold=True, anchor="middle", fill=ink(row["hex"]))
    y += 56
    draw.text(GAP, y + 14, words["turn"], 14, bold=True, room=40)
    cell = (WIDTH - 52 - GAP) / len(turns)
    for row in turns:
        x = left + (row["turn"] - 1) * cell
        now = position.state.get("turn") == row["turn"]
        draw.box(x, y, cell, 40, "#1c1c1c" if now else "#fffdf6", "#a59f8f")
        draw.text(x + 6, y + 15, f"{row['turn']}", 14, bold=True, fill=LIGHT if now else DARK)
        draw.text(x + 22, y + 15, row["years"], 11, fill=LIGHT if now else "#6b6455")
        place = f"turn_track:{row['turn']}"
        held = [f"{position.owner_name(owner)} {position.short(kinds, (*LAND, *NAVAL))}"
                for owner, kinds in position.units(place)]  # fmt: skip
        held += [
            position.name(kind, id) for kind, id, _ in position.here.get(place, []) if kind in ("leader", "reformer")
        ]
        if held:
            draw.text(x + 6, y + 33, ", ".join(held), 12, fill=LIGHT if now else DARK, room=cell - 10)
    return y + 40 + GAP


def _power_cards(position: Position, draw: Drawing, y: float, highlight: frozenset[str]) -> float:
    """Six power cards: ruler, hand, key track with cards and VP, special VP."""
    words, height = position.words, 164
    width = (WIDTH - 7 * GAP) / 6
    for number, power in enumerate(position.powers):
        row, x = position.kit.tables["powers"][power], GAP + number * (width + GAP)
        active = position.state.get("active") == power
        changed = bool({power, f"hand:{power}", f"home:{power}"} & highlight)
        draw.box(x, y, width, height, "#fffdf6", "#c2007a" if changed else DARK, 4 if active or changed else 1)
        draw.box(x, y, width, 25, row["hex"], DARK, 1)
        paper = ink(row["hex"])
        draw.text(
            x + 7, y + 18, f"{row['letter']}  {position.owner_name(power)}", 15, bold=True, fill=paper, room=width - 62
        )
        draw.text(
            x + width - 7,
            y + 18,
            f"{position.number('vp', power)} {words['vp']}",
            15,
            bold=True,
            fill=paper,
            anchor="end",
        )
        ruler = (position.state.get("ruler") or {}).get(power)
        if ruler:
            facts = position.kit.tables["rulers"][ruler]
            draw.text(
                x + 7,
                y + 42,
                f"{position.name('ruler', ruler)} {facts['admin_rating']}/+{facts['card_bonus']}",
                12.5,
                room=width - 14,
            )
        draw.text(x + 7, y + 58, _hand(position, power), 12.5, room=width - 14)
        _key_track(position, draw, power, x + 7, y + 66, width - 14)
        special = _special(position, power)
        at = y + 126
        for line in special[:3]:
            draw.text(x + 7, at, line, 12.5, room=width - 14)
            at += 16
    return y + height + GAP


def _hand(position: Position, power: str) -> str:
    words, piles = position.words, position.view["piles"]
    text = f"{words['hand']} {len(piles.get(f'hand:{power}', []))}"
    home = piles.get(f"home:{power}", [])
    if home:
        text += f", {words['home']} {len(home)}"
    minus = (position.state.get("minus_cards") or {}).get(power)
    return text + (f", {minus}x {words['minus']}" if minus else "")


def _key_track(position: Position, draw: Drawing, power: str, x: float, y: float, width: float) -> None:
    """Boxes of cards and VP; those that keys have uncovered are filled, the last of them is what counts."""
    words = position.words
    track = [row for row in position.kit.tables["key_tracks"].values() if row["power"] == power]
    if not track:
        held = [s for s, row in position.kit.tables["spaces"].items() if row["kind"] == "electorate"]
        both = [s for s in held if position.control(s) == power]
        won = [s for s in both if position.at("religion", s) == "protestant" and not position.at("unrest", s)]
        constants = position.kit.constants
        many = len(both) >= constants["protestant_electorates_many"]
        cards = constants["protestant_cards_many" if many else "protestant_cards"]
        draw.text(x, y + 16, f"{words['electorates']} {len(both)} ({words['cards']} {cards})", 12.5, room=width)
        worth = len(won) * constants["electorate_vp_protestant"]
        draw.text(x, y + 32, f"{words['protestant']} {len(won)} ({worth} {words['vp']})", 12.5, room=width)
        return
    keys, hexed = len(position.keys(power)), position.kit.tables["powers"][power]["hex"]
    draw.text(x, y + 11, f"{words['keys']} {keys}  ({words['key_track']})", 11.5, room=width)
    cell = width / len(track)
    for row in track:
        left, on = x + row["keys"] * cell, row["keys"] <= keys
        fill = hexed if row["keys"] == keys else "#e9dfc4" if on else "#fffdf6"
        tone = ink(fill)
        draw.box(left, y + 15, cell, 30, fill, "#6b6455", 2 if row["keys"] == keys else 1)
        if row["auto_win"]:
            draw.paths.append({"d": shape("fortress", left + cell / 2, y + 30, 5), "fill": "#e8b400"})
        else:
            draw.text(left + cell / 2, y + 28, row["cards"], 10.5, bold=True, anchor="middle", fill=tone)
            draw.text(left + cell / 2, y + 41, row["vp"], 10.5, anchor="middle", fill=tone)


def _special(position: Position, power: str) -> list[str]:
    words, kit = position.words, position.kit
    found = []
    if bonus := (position.track("bonus_vp", power) or 0) + (position.track("war_winner_vp", power) or 0):
        found.append(f"{words['bonus']}: {bonus}")
    if power == "ottoman":
        found.append(f"{words['piracy']}: {position.number('piracy_vp', power)}/{kit.constants['piracy_vp_limit']}")
    if power == "france":
        found.append(
            f"{words['chateaux']}: {position.number('chateaux_vp', power)}/{kit.constants['chateaux_vp_limit']}"
        )
    if power == "papacy":
        found.append(f"{words['st_peters']}: {position.number('st_peters_vp', power)} {words['vp']}, "
                     f"{position.number('st_peters_cp', power)} CP")  # fmt: skip
    if power == "england" and position.state.get("heirs"):
        heirs = ", ".join(str(heir).capitalize() for heir in position.state["heirs"])
        found.append(f"{words['heirs']}: {heirs}")
    for card, row in kit.tables["foreign_wars"].items():
        if row["power"] == power and position.view["units"].get(f"foreign_war:{card}"):
            found.append(f"{position.name('card', card)}: {position.units_in_words(f'foreign_war:{card}')}")
    captives = [
        position.name("leader", id) for kind, id, _ in position.here.get(f"captured:{power}", []) if kind == "leader"
    ]
    if captives:
        found.append(f"{words['captured']}: {', '.join(captives)}")
    return found


def _status(position: Position, draw: Drawing, x: float, y: float, width: float) -> float:
    """Who is at war or allied with whom: majors against majors and minors; below it the decks."""
    words = position.words
    draw.text(x + 8, y + 20, words["status"], 15, bold=True)
    columns = [*position.powers, *position.minors]
    names = 98
    cell, height = (width - names - 12) / len(columns), 26
    top = y + 56
    for number, other in enumerate(columns):
        row, left = position.owner(other), x + names + number * cell
        draw.box(left, top - 26, cell, 24, row["hex"])
        draw.text(left + cell / 2, top - 9, row["letter"], 14, bold=True, anchor="middle", fill=ink(row["hex"]))
    for line, power in enumerate(position.powers):
        row, at = position.owner(power), top + line * height
        draw.box(x + 8, at, names - 10, height - 2, row["hex"])
        draw.text(x + 13, at + 17, position.owner_name(power), 13, bold=True, fill=ink(row["hex"]), room=names - 18)
        for number, other in enumerate(columns):
            left = x + names + number * cell
            relation = "" if other == power else position.relation(power, other)
            fill = {"war": "#d64545", "allied": "#7cc36e"}.get(relation, "#d9d2c0" if other == power else "#fffdf6")
            draw.box(left, at, cell, height - 2, fill, "#a59f8f")
            if relation:
                draw.text(left + cell / 2, at + 17, words[relation], 14, bold=True, anchor="middle",
                          fill=LIGHT if relation == "war" else DARK)  # fmt: skip
    at = top + len(position.powers) * height + 16
    legend = f"{words['war']} {words['war_long']}, {words['allied']} {words['allied_long']}"
    minors = ", ".join(f"{position.owner(m)['letter']} {position.owner_name(m)}" for m in position.minors)
    at = draw.lines(x + 8, at, f"{legend}. {minors}", width - 16, 12)
    piles = position.view["piles"]
    told = ", ".join(f"{words[pile]} {len(piles[pile])}" for pile in ("deck", "discard", "removed") if pile in piles)
    if told:
        draw.text(x + 8, at + 4, told, 12.5, bold=True, room=width - 16)
        at += 18
    return at


def _religion(position: Position, draw: Drawing, x: float, y: float, width: float) -> float:
    """Spaces and their VP, translations, debaters by side and zone."""
    words, kit = position.words, position.kit
    draw.text(x + 8, y + 20, words["religion"], 15, bold=True)
    spaces = position.protestant_spaces()
    row = kit.tables["protestant_track"][str(min(spaces, kit.constants["religious_victory_spaces"]))]
    sides = (("papacy", "papal_vp"), ("protestant", "protestant_vp"))
    worth = ", ".join(f"{position.owner_name(power)} {row[column]}" for power, column in sides)
    worth = "" if row["auto_win"] else f" ({worth} {words['vp']})"
    draw.text(x + 8, y + 40, f"{words['spaces']}: {spaces}{worth}", 13, room=width - 16)
    at, third = y + 60, (width - 16) / 3
    languages = [row["language"] for row in kit.tables["translations"].values() if row["kind"] == "bible"]
    for number, language in enumerate(languages):
        left = x + 8 + number * third
        draw.text(left, at, position.name("language", language), 12.5, bold=True)
        for line, kind in enumerate(("new_testament", "bible")):
            total = kit.tables["translations"][f"{kind}_{language}"]["boxes"]
            done = position.track(f"{kind}_{language}", "protestant") or 0
            name = words["nt" if kind == "new_testament" else "bible"]
            cell = (third - 10) / 10
            draw.text(left, at + 14 + line * 28, f"{name} {done}/{total}", 11.5, room=third - 8)
            for box in range(total):
                draw.box(left + box * cell, at + 17 + line * 28, cell, 9, "#8a5a2b" if box < done else LIGHT, "#a59f8f")
    at += 78
    display = [
        f"{position.name('space', space)} {sum(kinds.get('regular', 0) for kinds in owners.values())}"
        for place, owners in sorted(position.view["units"].items())
        if (space := place.removeprefix("electorate:")) != place
    ]
    if display:
        at = draw.lines(x + 8, at, f"{words['electorates']} ({words['waiting']}): {', '.join(display)}", width - 16)
    debaters: dict[str, list[str]] = {}
    for id, row in kit.tables["debaters"].items():
        piece = position.view["pieces"].get(f"debater:{id}")
        if piece is None or piece["at"] in ("off", "removed", "supply", "out", "future"):
            continue
        mark = f" {words['committed']}" if piece.get("committed") else ""
        debaters.setdefault(row["language"], []).append(f"{position.name('debater', id)} {row['value']}{mark}")
    for zone in ("", *kit.tables["languages"]):
        if zone in debaters:
            who = (
                f"{position.owner_name('protestant')}, {position.name('language', zone)}"
                if zone
                else position.owner_name("papacy")
            )
            at = draw.lines(x + 8, at, f"{who}: {', '.join(debaters[zone])}", width - 16)
    return at


def _new_world_and_wives(position: Position, draw: Drawing, x: float, y: float, width: float) -> float:
    """Discoveries and conquests with who took them, voyages under way, and the marital track."""
    words, kit = position.words, position.kit
    draw.text(x + 8, y + 20, words["new_world"], 15, bold=True)
    at, half = y + 30, (width - 16) / 3
    for number, (id, row) in enumerate(kit.tables["discoveries"].items()):
        left, top = x + 8 + number % 3 * half, at + number // 3 * 26
        taker = position.view["pieces"].get(f"discovery:{id}", {}).get("at")
        owner = position.owner(taker) if taker in position.powers else None
        fill = owner["hex"] if owner else "#fffdf6"
        draw.box(left, top, half - 4, 23, fill, "#6b6455")
        letter = f"{owner['letter']} " if owner else ""
        draw.text(
            left + 5,
            top + 16,
            f"{letter}{position.name('discovery', id)} {row['vp']}",
            12,
            fill=ink(fill),
            room=half - 14,
        )
    at += math.ceil(len(kit.tables["discoveries"]) / 3) * 26 + 14
    for power in kit.constants["new_world_powers"]:
        parts = [f"{words['colonies']} {position.number('colonies', power)}/{kit.tables['powers'][power]['colonies']}"]
        under_way = [id for kind, id, _ in position.here.get(f"crossing:{power}", []) if kind == "voyage"]
        voyages = [words.get(id.partition(":")[0], id) for id in under_way]
        parts += [f"{words['crossing']}: {', '.join(voyages)}"] if voyages else []
        at = draw.lines(x + 8, at, f"{position.owner_name(power)}: {'; '.join(parts)}", width - 16)
    draw.text(x + 8, at + 10, words["wives"], 15, bold=True)
    at += 18
    box = position.track("marital_box", "england") or 0
    cell = (width - 16) / 4
    for id, row in kit.tables["wives"].items():
        left, top = x + 8 + row["box"] % 4 * cell, at + row["box"] // 4 * 26
        on = row["box"] == box
        draw.box(left, top, cell - 4, 23, "#c8352b" if on else "#f7f3e8" if row["box"] > box else "#e0cfcb", "#6b6455")
        draw.text(
            left + 4, top + 16, position.name("wife", id), 11, fill=LIGHT if on else DARK, bold=on, room=cell - 12
        )
    return at + 56


# --- text ---


def text(view: dict, kit: Kit, language: str) -> str:
    """The board in lines of at most 78 columns: powers, wars, units by place, what differs from home, religion."""
    position = Position(view, kit, language)
    words = position.words
    lines = [*_wrapped(position.situation().upper()), "", words["powers"]]
    for power in position.powers:
        ruler = (position.state.get("ruler") or {}).get(power)
        parts = [f"{position.number('vp', power)} {words['vp']}", f"{words['keys']} {len(position.keys(power))}"]
        parts += [_hand(position, power)]
        parts += [f"{words['ruler']} {position.name('ruler', ruler)}"] if ruler else []
        lines += _wrapped(
            f"{position.owner(power)['letter']} {position.owner_name(power)}: "
            + ", ".join([*parts, *_special(position, power)])
        )
    lines += ["", words["status"]]
    for meaning in ("war", "allied"):
        pairs = [
            f"{position.owner_name(a)} - {position.owner_name(b)}"
            for number, a in enumerate(position.powers)
            for b in [*position.powers[number + 1 :], *position.minors]
            if position.relation(a, b) == meaning
        ]
        lines += _wrapped(f"{words[meaning + '_long']}: {', '.join(pairs) or words['none']}")
    lines += ["", words["units"]]
    places = [p for table in ("spaces", "sea_zones") for id in kit.tables[table] for p in (id, f"{id}/inside")]
    places += [f"turn_track:{turn}" for turn in kit.tables["turns"]]
    places += [f"electorate:{space}" for space in kit.tables["spaces"]]
    places += [f"foreign_war:{card}" for card in kit.tables["foreign_wars"]]
    for place in places:
        if place not in view["units"] and place not in position.here:
            continue
        people = [
            position.name(kind, id) for kind, id, _ in position.here.get(place, []) if kind in ("leader", "reformer")
        ]
        told = [t for t in (position.units_in_words(place), ", ".join(people)) if t]
        marks = [words["besieged"]] if place in kit.tables["spaces"] and position.besieged(place) else []
        if told:
            lines += _wrapped(f"{', '.join([position.place_name(place), *marks])}: {'; '.join(told)}")
    lines += ["", words["control"]]
    held: dict[str, list[str]] = {}
    for space in kit.tables["spaces"]:
        holder = position.control(space)
        if holder is not None and holder != position.home(space):
            held.setdefault(holder, []).append(position.name("space", space))
    lines += [
        line
        for holder, spaces in held.items()
        for line in _wrapped(f"{position.owner_name(holder)}: {', '.join(spaces)}")
    ]
    lines += ["", words["religion"]]
    converted = [position.name("space", s) for s in kit.tables["spaces"] if position.at("religion", s) == "protestant"]
    lines += _wrapped(f"{words['spaces']} ({position.protestant_spaces()}): {', '.join(converted) or words['none']}")
    for mark in ("unrest", "university"):
        marked = [position.name("space", s) for s in kit.tables["spaces"] if position.at(mark, s)]
        if marked:
            lines += _wrapped(f"{words[mark]}: {', '.join(marked)}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, 78, subsequent_indent="    ", break_on_hyphens=False) or [""]
