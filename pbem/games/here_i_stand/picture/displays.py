"""The displays below the map: victory points and turns, power cards, diplomatic status, religion, the New World."""

import math
from typing import Any

from pbem.drawing.colours import DARK, EDGE, FAINT, LIGHT, PAPER, ink
from pbem.drawing.sheet import Sheet
from pbem.games.here_i_stand.picture.land_and_sea import WIDTH
from pbem.games.here_i_stand.picture.position import Position
from pbem.games.reformation.picture.displays import (
    GAP,
    captives,
    hand,
    key_boxes,
    power_cards,
    status,
    vp_and_turns,
)


def displays(position: Position, highlight: frozenset[str], y: float) -> dict[str, Any]:
    """Everything below the map, from top to bottom: what it is drawn of, and where it ends."""
    draw = Sheet()
    y = vp_and_turns(position, draw, y, position.kit.constants["victory_vp"])
    y = power_cards(position, draw, y, 164, highlight, _contents)
    column = (WIDTH - 4 * GAP) / 3
    ends = [
        status(position, draw, GAP, y, column),
        _religion(position, draw, 2 * GAP + column, y, column),
        _new_world_and_wives(position, draw, 3 * GAP + 2 * column, y, column),
    ]
    bottom = max(ends)
    for number in range(3):
        left = GAP + number * (column + GAP)
        draw.box_behind(left, y, column, bottom - y, PAPER, FAINT)
    draw.text(
        GAP + 2, bottom + 20, f"{position.words['legend']}. {position.words['legend_space']}.", 13, fill="#4a4a4a"
    )
    return {"boxes": draw.behind + draw.boxes, "paths": draw.paths, "texts": draw.texts, "bottom": round(bottom + 26)}


def _contents(position: Position, draw: Sheet, power: str, x: float, y: float, width: float) -> None:
    """A power card below the ruler: hand, key track with cards and VP, special VP."""
    draw.text(x, y + 58, hand(position, power), 12.5, room=width)
    _key_track(position, draw, power, x, y + 66, width)
    for line, told in enumerate(special(position, power)[:3]):
        draw.text(x, y + 126 + line * 16, told, 12.5, room=width)


def _key_track(position: Position, draw: Sheet, power: str, x: float, y: float, width: float) -> None:
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
    keys = len(position.keys(power))
    draw.text(x, y + 11, f"{words['keys']} {keys}  ({words['key_track']})", 11.5, room=width)
    key_boxes(position, draw, power, track, keys, x, y + 15, width)


def special(position: Position, power: str) -> list[str]:
    words, kit = position.words, position.kit
    told = []
    if bonus := (position.track("bonus_vp", power) or 0) + (position.track("war_winner_vp", power) or 0):
        told.append(f"{words['bonus']}: {bonus}")
    if power == "ottoman":
        told.append(f"{words['piracy']}: {position.number('piracy_vp', power)}/{kit.constants['piracy_vp_limit']}")
    if power == "france":
        told.append(
            f"{words['chateaux']}: {position.number('chateaux_vp', power)}/{kit.constants['chateaux_vp_limit']}"
        )
    if power == "papacy":
        told.append(f"{words['st_peters']}: {position.number('st_peters_vp', power)} {words['vp']}, "
                     f"{position.number('st_peters_cp', power)} {words['cp']}")  # fmt: skip
    if power == "england" and position.state.get("heirs"):
        heirs = ", ".join(map(position.teller.name, position.state["heirs"]))
        told.append(f"{words['heirs']}: {heirs}")
    for card, row in kit.tables["foreign_wars"].items():
        if row["power"] == power and position.view["units"].get(f"foreign_war:{card}"):
            told.append(f"{position.name('card', card)}: {position.units_in_words(f'foreign_war:{card}')}")
    if held := captives(position, power):
        told.append(f"{words['captured']}: {', '.join(held)}")
    return told


def _religion(position: Position, draw: Sheet, x: float, y: float, width: float) -> float:
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
                draw.box(left + box * cell, at + 17 + line * 28, cell, 9, "#8a5a2b" if box < done else LIGHT, FAINT)
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


def _new_world_and_wives(position: Position, draw: Sheet, x: float, y: float, width: float) -> float:
    """Discoveries and conquests with who took them, voyages under way, and the marital track."""
    words, kit = position.words, position.kit
    draw.text(x + 8, y + 20, words["new_world"], 15, bold=True)
    at, half = y + 30, (width - 16) / 3
    for number, (id, row) in enumerate(kit.tables["discoveries"].items()):
        left, top = x + 8 + number % 3 * half, at + number // 3 * 26
        taker = position.view["pieces"].get(f"discovery:{id}", {}).get("at")
        owner = position.owner(taker) if taker in position.powers else None
        fill = owner["hex"] if owner else PAPER
        draw.box(left, top, half - 4, 23, fill, EDGE)
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
        draw.box(left, top, cell - 4, 23, "#c8352b" if on else "#f7f3e8" if row["box"] > box else "#e0cfcb", EDGE)
        draw.text(
            left + 4, top + 16, position.name("wife", id), 11, fill=LIGHT if on else DARK, bold=on, room=cell - 12
        )
    return at + 56
