"""The displays below the map of Europe, the map of the world among them, and the one on its empty corner."""

from collections.abc import Iterable
from typing import Any

from pbem.drawing.colours import DARK, EDGE, FAINT, LIGHT, PAPER, ink
from pbem.drawing.sheet import Sheet
from pbem.drawing.wrapping import drawn_lines
from pbem.games.reformation.picture.displays import (
    CARDS_IN_A_ROW,
    GAP,
    captives,
    hand,
    key_boxes,
    power_cards,
    status,
    vp_and_turns,
)
from pbem.games.virgin_queen.picture import world
from pbem.games.virgin_queen.picture.land_and_sea import WIDTH
from pbem.games.virgin_queen.picture.position import GONE, PROTESTANT, REGIONS, Position

STATUS = 480  # how wide the diplomatic status is, which lies on the empty corner of the map
CARD = 220  # how high a power card is; higher where one has more on it
TOP = 95  # how far below its edge its tracks begin
CARD_WIDTH = (WIDTH - (CARDS_IN_A_ROW + 1) * GAP) / CARDS_IN_A_ROW - 14  # between the edges of its text
SMALL, LINE = 12, 14  # of what stands below its track, and how far apart the lines are
BARS = {"protestant": "#ffffff", "unrest": "#d64545", "catholic": "#8d6a3a"}


def displays(position: Position, highlight: frozenset[str], y: float) -> dict[str, Any]:
    """Everything below the map, from top to bottom: what it is drawn of, and where it ends."""
    draw = Sheet()
    y = vp_and_turns(position, draw, y, position.kit.constants["standard_victory_vp"])
    y = power_cards(position, draw, y, _card_height(position), highlight, _contents)
    overseas = world.drawn(position, highlight, GAP, y)
    left = world.WIDTH + 2 * GAP
    wide = WIDTH - left - GAP
    at = _influence(position, draw, left, y, wide)
    at = _overseas(position, draw, left, at, wide)
    height = max(world.HEIGHT, _royals(position, draw, left, at, wide) - y)
    draw.box_behind(left, y, wide, height, PAPER, FAINT)
    y += height + GAP
    column = (WIDTH - 3 * GAP) / 2
    bottom = 4 + max(_religion(position, draw, GAP, y, column),
                     _patronage(position, draw, 2 * GAP + column, y, column))  # fmt: skip
    for number in range(2):
        draw.box_behind(GAP + number * (column + GAP), y, column, bottom - y, PAPER, FAINT)
    corner = WIDTH - GAP - STATUS
    draw.box_behind(corner, GAP, STATUS, status(position, draw, corner, GAP, STATUS, 132) - GAP, PAPER, FAINT)
    legend = f"{position.words['legend']}. {position.words['legend_space']}. {position.words['legend_world']}."
    end = draw.lines(GAP + 2, bottom + 18, legend, WIDTH - 2 * GAP, 13)
    return {"boxes": draw.behind + draw.boxes, "paths": draw.paths, "texts": draw.texts, "world": overseas,
            "bottom": round(end)}  # fmt: skip


# --- power cards ---


def _contents(position: Position, draw: Sheet, power: str, x: float, y: float, width: float) -> None:
    """A power card below the ruler: hand, treasures, key track with cards and VP, markers and other things on it."""
    words = position.words
    draw.text(x, y + 58, hand(position, power), 12.5, room=width)
    draw.text(x, y + 74, f"{words['treasures']} {position.treasures(f'treasures:{power}')}", 12.5, room=width)
    at = y + 90
    for name, track, keys in _tracks(position, power):
        draw.text(x, at, f"{name} {keys}", 11.5, room=width)
        rows = [row for row in position.kit.tables["key_tracks"].values() if row["power"] == track]
        rows.sort(key=lambda row: row["keys"])
        small = power == PROTESTANT
        key_boxes(position, draw, power, rows, keys, x, at + 4, width, 17 if small else 30)
        at += 35 if small else 52
    at += 5
    for line in _lines(position, power, width):
        draw.text(x, at, line, SMALL, room=width)
        at += LINE


def _lines(position: Position, power: str, width: float) -> list[str]:
    """What lies on a power's card besides, in lines of the card."""
    return [line for told in special(position, power) for line in drawn_lines(told, width, SMALL)]


def _card_height(position: Position) -> float:
    """All cards are as high as the fullest of them needs."""
    needed = [TOP + (2 * 35 if power == PROTESTANT else 52) + LINE * len(_lines(position, power, CARD_WIDTH))
              for power in position.played]  # fmt: skip
    return max(CARD, *needed)


def _tracks(position: Position, power: str) -> list[tuple[str, str, int]]:
    """The tracks of keys of a power: what it is called, the kit's name of it, how many keys count."""
    words = position.words
    if power != PROTESTANT:
        return [(f"{words['keys']} ({words['key_track']})", power, len(position.keys(power)))]
    here, elsewhere = position.protestant_keys()
    return [(words["keys_netherlands"], f"{PROTESTANT}_netherlands", here),
            (words["keys_elsewhere"], f"{PROTESTANT}_elsewhere", elsewhere)]  # fmt: skip


def special(position: Position, power: str) -> list[str]:
    """What lies on a power's card besides cards, treasures and keys."""
    words = position.words
    told = []
    markers = (position.state.get("vp_markers") or {}).get(power, {})
    if markers:
        told.append(f"{words['vp']}: " + ", ".join(f"{position.marker(name)} {vp}" for name, vp in markers.items()))
    plus = (position.state.get("plus_cards") or {}).get(power)
    told += [f"{words['plus']} {plus}"] if plus else []
    if held := captives(position, power):
        told.append(f"{words['captured']}: {', '.join(held)}")
    if waiting := position.people(f"arrived:{power}"):
        told.append(f"{words['waiting']}: {', '.join(waiting)}")
    for place in sorted(position.view["units"]):
        if place.startswith("foreign_war:") and power in position.view["units"][place]:
            armies = [position.units_in_words(place), position.units_in_words(f"{place}:enemy")]
            told.append(f"{position.place_name(place)}: {' – '.join(army for army in armies if army)}")
    spies = [id.partition(":")[0] for kind, id, _ in position.here.get(f"spying:{power}", []) if kind == "informant"]
    if spies:
        told.append(f"{words['informants']}: {', '.join(map(position.owner_name, spies))}")
    sponsored = _people(position, ("artist", "scientist"), f"sponsored:{power}")
    told += [f"{words['sponsored']}: {', '.join(sponsored)}"] if sponsored else []
    bonuses = [position.name("science_bonus", id) for id, owner in (position.state.get("science") or {}).items()
               if owner == power]  # fmt: skip
    told += [f"{words['science']}: {', '.join(bonuses)}"] if bonuses else []
    if power == "spain":
        jesuits = sum(kind == "jesuit" for kind, _, _ in position.here.get("card", []))
        told += [f"{words['jesuits']} {jesuits}"] if jesuits else []
    if power == "empire":
        told.append(f"{words['for_hire']} {position.state.get('for_hire') or 0}")
    return told


def _people(position: Position, kinds: Iterable[str], place: str) -> list[str]:
    return [position.name(kind, id) for kind, id, _ in position.here.get(place, []) if kind in kinds]


# --- influence, and what lies overseas ---


def _influence(position: Position, draw: Sheet, x: float, y: float, width: float) -> float:
    """The influence of each power on minor ones, and which of these is whose ally (24.5)."""
    words, kit = position.words, position.kit
    draw.text(x + 8, y + 20, words["influence"], 15, bold=True)
    charted = position.state.get("influence") or {}
    evaluated = position.state.get("turn:evaluated") or ()
    names, top = 118, y + 56
    cell = (width - names - 16) / len(position.powers)
    for number, power in enumerate(position.powers):
        row, left = position.owner(power), x + names + number * cell
        draw.box(left, top - 26, cell, 24, row["hex"])
        draw.text(left + cell / 2, top - 9, row["letter"], 14, bold=True, anchor="middle", fill=ink(row["hex"]))
    for line, minor in enumerate(charted):
        at = top + line * 26
        row, ally = position.owner(minor), (position.state.get("minor_ally") or {}).get(minor)
        draw.box(x + 8, at, names - 10, 24, row["hex"])
        draw.text(x + 13, at + 17, position.owner_name(minor), 13, bold=True, fill=ink(row["hex"]), room=names - 18)
        for number, power in enumerate(position.powers):
            left, chart = x + names + number * cell, kit.tables["influence"].get(f"{minor}:{power}")
            fill = "#7cc36e" if power == ally else PAPER if chart else "#d9d2c0"
            draw.box(left, at, cell, 24, fill, FAINT)
            if chart and power in charted[minor] and minor not in evaluated:
                mark = "" if chart["role"] == "activating" else "−"
                draw.text(left + cell / 2, at + 17, f"{charted[minor][power]}{mark}", 13, bold=not mark,
                          anchor="middle")  # fmt: skip
        if minor in evaluated:
            draw.box(x + names, at, width - names - 16, 24, PAPER, FAINT)
            if ally in position.powers:
                draw.box(x + names + position.powers.index(ally) * cell, at, cell, 24, "#7cc36e", FAINT)
            draw.text(x + names + 8, at + 17, words["evaluated"], 12, room=width - names - 24)
    return draw.lines(x + 8, top + len(charted) * 26 + 18, words["influence_legend"], width - 16, 12)


def _overseas(position: Position, draw: Sheet, x: float, y: float, width: float) -> float:
    """Treasures in their boxes, the escorts of the fleet, loot aboard, captains who can be sent out, the canal."""
    words = position.words
    draw.text(x + 8, y + 12, words["overseas"], 15, bold=True)
    at = y + 32
    told = [f"{words[name]} {len(position.pile(pile))}" for name, pile in
            (("pool", "treasures"), ("spent", "treasures_spent"))]  # fmt: skip
    told += [f"{words[row]} {position.treasures(pile)}" for row, pile in
             (("row_spain", "treasure_row:spain"), ("row_portugal", "treasure_row:portugal"))]  # fmt: skip
    escorts = position.units_in_words("escorts")
    told += [f"{words['escorts']}: {escorts or words['none']}"]
    loot = [f"{position.name('captain', pile.partition(':')[0].removeprefix('loot_'))} {position.treasures(pile)}"
            for pile in position.view["piles"] if pile.startswith("loot_") and position.pile(pile)]  # fmt: skip
    told += [f"{words['loot']}: {', '.join(loot)}"] if loot else []
    pool = [f"{position.owner_name(power)}: {', '.join(held)}" for power in position.powers
            if (held := _people(position, ("captain",), f"pool:{power}"))]  # fmt: skip
    pool += _people(position, ("captain",), "pool")
    told += [f"{words['captains']}: {'; '.join(pool)}"] if pool else []
    suez = words["suez_dug"] if position.state.get("suez") else ""
    failures = position.state.get("suez_failures")
    told += [suez or f"{words['suez']}: {failures}"] if suez or failures else []
    for paragraph in told:
        at = draw.lines(x + 8, at, paragraph, width - 16)
    return at


# --- religion, patronage, Royals ---


def _religion(position: Position, draw: Sheet, x: float, y: float, width: float) -> float:
    """Protestant and Catholic spaces by region with their VP; the queens and the League."""
    words = position.words
    draw.text(x + 8, y + 20, words["religion"], 15, bold=True)
    spaces = position.protestant_spaces()
    draw.text(x + 8, y + 40, f"{words['spaces']}: {spaces}{_spaces_worth(position, spaces)}", 13, room=width - 16)
    at: float = y + 50
    names = 100
    for region in REGIONS:
        counts = position.religion_in(region)
        total = sum(counts.values()) or 1
        draw.text(x + 8, at + 15, position.teller.name(f"region:{region}"), 13, room=names - 10)
        left = x + names
        for side, fill in BARS.items():
            if number := counts[side]:
                wide = (width - names - 10) * number / total
                draw.box(left, at, wide, 21, fill, EDGE)
                draw.text(left + wide / 2, at + 15, number, 12, bold=True, anchor="middle",
                          fill=DARK if side == "protestant" else LIGHT)  # fmt: skip
                left += wide
        at += 26
    at = draw.lines(x + 8, at + 14, words["religion_legend"], width - 16, 12)
    for told in _queens_and_league(position):
        at = draw.lines(x + 8, at, told, width - 16)
    return at


def _patronage(position: Position, draw: Sheet, x: float, y: float, width: float) -> float:
    """Who can be sponsored, with the value of each."""
    words = position.words
    draw.text(x + 8, y + 20, words["patronage"], 15, bold=True)
    at = y + 42
    for kind in ("artist", "scientist"):
        there = [f"{position.name(kind, id)} {position.kit.tables[f'{kind}s'][id]['value']}"
                 for of, id, _ in position.here.get("available", []) if of == kind]  # fmt: skip
        at = draw.lines(x + 8, at, f"{words[f'{kind}s']}: {', '.join(there) or words['none']}", width - 16)
    return at


def _spaces_worth(position: Position, spaces: int) -> str:
    """What so many Protestant spaces are worth to each power that has VP by them (25.2)."""
    rows = [row for row in position.kit.tables["protestant_track"].values() if row["low"] <= spaces]
    if not rows:
        return ""
    row, worth = rows[-1], []
    for power in position.played:
        column = f"{power}_{position.state['preference']}" if position.state.get("preference") else power
        if (vp := row.get(column, row.get(power))) is not None:
            worth.append(f"{position.owner_name(power)} {vp}")
    return f" ({', '.join(worth)} {position.words['vp']})"


def _queens_and_league(position: Position) -> list[str]:
    words, state = position.words, position.state
    told = []
    if mary := state.get("mary"):
        told.append(words[f"mary_{mary}"])
    told += [words["excommunicated"]] if state.get("excommunicated") else []
    told += [f"{words['league']} ({words['turn']} {state['league']})"] if state.get("league") else []
    if preference := state.get("preference"):
        told.append(f"{words['preference']}: {words[f'preference_{preference}']}")
    return told


def _royals(position: Position, draw: Sheet, x: float, y: float, width: float) -> float:
    """The wedding table: who is eligible, in which box; who is betrothed to whom; who lies on the French card."""
    words, tables = position.words, position.kit.tables["royals"]
    draw.text(x + 8, y + 12, words["royals"], 15, bold=True)
    at = y + 34
    for power in position.powers:
        told = []
        for kind, id, piece in position.here.get("eligible", []):
            if kind == "royal" and tables[id]["power"] == power:
                sex = words["man"] if tables[id]["sex"] == "m" else words["woman"]
                other = piece.get("betrothed")
                more = f", {words['betrothed']} {position.name('royal', other)}" if other else ""
                told.append(f"{position.name('royal', id)} ({sex} {piece.get('box', '')}{more})")
        if told:
            row = position.owner(power)
            draw.box(x + 8, at - 12, 18, 16, row["hex"], DARK)
            draw.text(x + 17, at + 1, row["letter"], 12, bold=True, anchor="middle", fill=ink(row["hex"]))
            at = draw.lines(x + 32, at, ", ".join(told), width - 40) + 3
    if married := _people(position, ("royal",), "france"):
        at = draw.lines(x + 8, at, f"{words['valois']}: {', '.join(married)}", width - 16)
    later = [position.name("royal", id) for kind, id, _ in position.here.get("off", []) if kind == "royal"]
    if later:
        at = draw.lines(x + 8, at, f"{words['later']}: {', '.join(later)}", width - 16)
    return at


__all__ = ["GAP", "GONE", "displays", "special"]
