"""Displays below the map that *Here I Stand* and *Virgin Queen* share: VP and turns, power cards, diplomatic status."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pbem.drawing.colours import ACTIVE, DARK, EDGE, FAINT, LIGHT, PAPER, ink
from pbem.drawing.outlines import star
from pbem.drawing.sheet import Sheet
from pbem.games.reformation.picture.land_and_sea import WIDTH
from pbem.games.reformation.picture.position import Position

GAP = 10
LEFT = 52  # of the tracks, behind what they are called
VP_BOXES = 30
CARDS_IN_A_ROW = 6

Of = TypeVar("Of", bound=Position)
Contents = Callable[[Of, Sheet, str, float, float, float], None]
"""Draws what stands on a power card: of a power, from a place on, in some width."""


def vp_and_turns(position: Position, draw: Sheet, y: float, victory_vp: int) -> float:
    """The victory track from 0 to 29 (more: in the last box) and the turns; where they end."""
    words, turns = position.words, list(position.kit.tables["turns"].values())
    draw.text(GAP, y + 14, words["vp"], 14, bold=True)
    cell = (WIDTH - LEFT - GAP) / VP_BOXES
    marks: dict[int, list[str]] = {}
    for power in [one for one in position.played if one not in position.played_by]:
        value = position.track("vp", power)
        marks.setdefault(min(max(value or 0, 0), VP_BOXES - 1), []).append(power)
    for number in range(VP_BOXES):
        x = LEFT + number * cell
        draw.box(x, y, cell, 50, "#f0e4bf" if number >= victory_vp else PAPER, FAINT)
        last = VP_BOXES - 1
        draw.text(x + cell / 2, y + 11, number if number < last else f"{last}+", 10, anchor="middle", fill=EDGE)
        for place, power in enumerate(marks.get(number, [])):
            row = position.kit.tables["powers"][power]
            bx, by = x + 2 + (place % 3) * 14.3, y + 15 + (place // 3) * 17
            draw.box(bx, by, 13.3, 15, row["hex"], DARK)
            draw.text(bx + 6.6, by + 11.5, row["letter"], 11, bold=True, anchor="middle", fill=ink(row["hex"]))
    y += 56
    draw.text(GAP, y + 14, words["turn"], 14, bold=True, room=40)
    cell = (WIDTH - LEFT - GAP) / len(turns)
    for row in turns:
        _turn(position, draw, row, LEFT + (row["turn"] - 1) * cell, y, cell)
    return y + 40 + GAP


def _turn(position: Position, draw: Sheet, row: Mapping[str, Any], x: float, y: float, cell: float) -> None:
    """A box of the turn track, with what lies there until that turn."""
    now = position.state.get("turn") == row["turn"]
    draw.box(x, y, cell, 40, DARK if now else PAPER, FAINT)
    draw.text(x + 6, y + 15, f"{row['turn']}", 14, bold=True, fill=LIGHT if now else DARK)
    draw.text(x + 22, y + 15, position.years(row), 11, fill=LIGHT if now else EDGE)
    box = f"turn_track:{row['turn']}"
    held = [f"{position.owner_name(owner)} {position.short(kinds, (*position.land, *position.naval))}"
            for owner, kinds in position.units(box)]  # fmt: skip
    held += position.people(box)
    if held:
        draw.text(x + 6, y + 33, ", ".join(held), 12, fill=LIGHT if now else DARK, room=cell - 10)


def power_cards(
    position: Of, draw: Sheet, y: float, height: float, highlight: frozenset[str], contents: Contents[Of]
) -> float:
    """The cards of the powers that are played: name, VP, ruler, and what the game has on them; where they end."""
    words = position.words
    width = (WIDTH - (CARDS_IN_A_ROW + 1) * GAP) / CARDS_IN_A_ROW
    for number, power in enumerate(position.played):
        row, x = position.kit.tables["powers"][power], GAP + number * (width + GAP)
        active = position.state.get("active") == power
        changed = bool({power, f"hand:{power}", f"home:{power}"} & highlight)
        draw.box(x, y, width, height, PAPER, ACTIVE if changed else DARK, 4 if active or changed else 1)
        draw.box(x, y, width, 25, row["hex"], DARK, 1)
        paper = ink(row["hex"])
        vp = "" if power in position.played_by else f"{position.number('vp', power)} {words['vp']}"
        name = f"{row['letter']}  {position.short_name(power)}"
        draw.text(x + 7, y + 18, name, 15, bold=True, fill=paper, room=width - 62)
        draw.text(x + width - 7, y + 18, vp, 15, bold=True, fill=paper, anchor="end")
        if ruler := position.ruler(power):
            draw.text(x + 7, y + 42, ruler, 12.5, room=width - 14)
        contents(position, draw, power, x + 7, y, width - 14)
    return y + height + GAP


def key_boxes(
    position: Position, draw: Sheet, power: str, track: Sequence[Mapping[str, Any]], keys: int, x: float, y: float,
    width: float, height: float = 30,
) -> None:  # fmt: skip
    """A track of boxes with cards and VP; those that keys have uncovered are filled, the last of them counts."""
    cell, hexed = width / len(track), position.kit.tables["powers"][power]["hex"]
    for row in track:
        left, on = x + row["keys"] * cell, row["keys"] <= keys
        fill = hexed if row["keys"] == keys else "#e9dfc4" if on else PAPER
        tone = ink(fill)
        draw.box(left, y, cell, height, fill, EDGE, 2 if row["keys"] == keys else 1)
        if row["auto_win"]:
            draw.paths.append({"d": star(left + cell / 2, y + height / 2, 5), "fill": "#e8b400"})
            continue
        shown = [row["cards"], row["vp"]] if row["cards"] is not None else [row["vp"]]
        for line, value in enumerate(shown):
            draw.text(left + cell / 2, y + 13 + line * 13, value, 10.5, bold=not line, anchor="middle", fill=tone)


def status(position: Position, draw: Sheet, x: float, y: float, width: float, names: float = 98) -> float:
    """Who is at war or allied with whom: majors against majors and minors; below it the decks. `names`: how wide the
    column of names is."""
    words = position.words
    draw.text(x + 8, y + 20, words["status"], 15, bold=True)
    columns = [*position.powers, *position.minors]
    cell, height = (width - names - 12) / len(columns), 26
    top = y + 56
    for number, other in enumerate(columns):
        row, left = position.owner(other), x + names + number * cell
        draw.box(left, top - 26, cell, 24, row["hex"])
        draw.text(left + cell / 2, top - 9, row["letter"], 14, bold=True, anchor="middle", fill=ink(row["hex"]))
    for line, power in enumerate(position.powers):
        row, at = position.owner(power), top + line * height
        draw.box(x + 8, at, names - 10, height - 2, row["hex"])
        draw.text(x + 13, at + 17, position.short_name(power), 13, bold=True, fill=ink(row["hex"]), room=names - 18)
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


def hand(position: Position, power: str) -> str:
    """How many cards a power holds, home cards apart."""
    words, piles = position.words, position.view["piles"]
    text = f"{words['hand']} {len(piles.get(f'hand:{power}', []))}"
    home = piles.get(f"home:{power}", [])
    if home:
        text += f", {words['home']} {len(home)}"
    minus = (position.state.get("minus_cards") or {}).get(power)
    return text + (f", {minus}x {words['minus']}" if minus else "")


def captives(position: Position, power: str) -> list[str]:
    """The leaders that a power holds captive."""
    return position.people(f"captured:{power}", ("leader",))
