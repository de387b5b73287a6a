"""The displays below the map: victory points and turns, power cards, diplomatic status, religion, the New World."""

import math
from typing import Any

from pbem.drawing.colours import ACTIVE, DARK, EDGE, FAINT, LIGHT, PAPER, ink
from pbem.drawing.outlines import star
from pbem.drawing.sheet import Sheet
from pbem.games.here_i_stand.picture.land_and_sea import WIDTH
from pbem.games.here_i_stand.picture.position import LAND, NAVAL, Position

GAP = 10


def displays(position: Position, highlight: frozenset[str], y: float) -> dict[str, Any]:
    """Everything below the map, from top to bottom: what it is drawn of, and where it ends."""
    draw = Sheet()
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
        draw.box_behind(left, y, column, bottom - y, PAPER, FAINT)
    draw.text(
        GAP + 2, bottom + 20, f"{position.words['legend']}. {position.words['legend_space']}.", 13, fill="#4a4a4a"
    )
    return {"boxes": draw.behind + draw.boxes, "paths": draw.paths, "texts": draw.texts, "bottom": round(bottom + 26)}


def _vp_and_turns(position: Position, draw: Sheet, y: float) -> float:
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
        draw.box(x, y, cell, 50, "#f0e4bf" if win else PAPER, FAINT)
        draw.text(x + cell / 2, y + 11, number if number < 29 else "29+", 10, anchor="middle", fill=EDGE)
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
        draw.box(x, y, cell, 40, DARK if now else PAPER, FAINT)
        draw.text(x + 6, y + 15, f"{row['turn']}", 14, bold=True, fill=LIGHT if now else DARK)
        draw.text(x + 22, y + 15, row["years"], 11, fill=LIGHT if now else EDGE)
        box = f"turn_track:{row['turn']}"
        held = [f"{position.owner_name(owner)} {position.short(kinds, (*LAND, *NAVAL))}"
                for owner, kinds in position.units(box)]  # fmt: skip
        held += [
            position.name(kind, id) for kind, id, _ in position.here.get(box, []) if kind in ("leader", "reformer")
        ]
        if held:
            draw.text(x + 6, y + 33, ", ".join(held), 12, fill=LIGHT if now else DARK, room=cell - 10)
    return y + 40 + GAP


def _power_cards(position: Position, draw: Sheet, y: float, highlight: frozenset[str]) -> float:
    """Six power cards: ruler, hand, key track with cards and VP, special VP."""
    words, height = position.words, 164
    width = (WIDTH - 7 * GAP) / 6
    for number, power in enumerate(position.powers):
        row, x = position.kit.tables["powers"][power], GAP + number * (width + GAP)
        active = position.state.get("active") == power
        changed = bool({power, f"hand:{power}", f"home:{power}"} & highlight)
        draw.box(x, y, width, height, PAPER, ACTIVE if changed else DARK, 4 if active or changed else 1)
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
        draw.text(x + 7, y + 58, hand(position, power), 12.5, room=width - 14)
        _key_track(position, draw, power, x + 7, y + 66, width - 14)
        at = y + 126
        for line in special(position, power)[:3]:
            draw.text(x + 7, at, line, 12.5, room=width - 14)
            at += 16
    return y + height + GAP


def hand(position: Position, power: str) -> str:
    words, piles = position.words, position.view["piles"]
    text = f"{words['hand']} {len(piles.get(f'hand:{power}', []))}"
    home = piles.get(f"home:{power}", [])
    if home:
        text += f", {words['home']} {len(home)}"
    minus = (position.state.get("minus_cards") or {}).get(power)
    return text + (f", {minus}x {words['minus']}" if minus else "")


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
    keys, hexed = len(position.keys(power)), position.kit.tables["powers"][power]["hex"]
    draw.text(x, y + 11, f"{words['keys']} {keys}  ({words['key_track']})", 11.5, room=width)
    cell = width / len(track)
    for row in track:
        left, on = x + row["keys"] * cell, row["keys"] <= keys
        fill = hexed if row["keys"] == keys else "#e9dfc4" if on else PAPER
        tone = ink(fill)
        draw.box(left, y + 15, cell, 30, fill, EDGE, 2 if row["keys"] == keys else 1)
        if row["auto_win"]:
            draw.paths.append({"d": star(left + cell / 2, y + 30, 5), "fill": "#e8b400"})
        else:
            draw.text(left + cell / 2, y + 28, row["cards"], 10.5, bold=True, anchor="middle", fill=tone)
            draw.text(left + cell / 2, y + 41, row["vp"], 10.5, anchor="middle", fill=tone)


def special(position: Position, power: str) -> list[str]:
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
        heirs = ", ".join(map(position.teller.name, position.state["heirs"]))
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


def _status(position: Position, draw: Sheet, x: float, y: float, width: float) -> float:
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
            fill = {"war": "#d64545", "allied": "#7cc36e"}.get(relation, "#d9d2c0" if other == power else PAPER)
            draw.box(left, at, cell, height - 2, fill, FAINT)
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
