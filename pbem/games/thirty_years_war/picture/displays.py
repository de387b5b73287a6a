"""The displays below the map: VP and turns, the two sides with aid and cards, tracks, electors, the list of armies."""

from typing import Any

from pbem.drawing.colours import ACTIVE, DARK, EDGE, FAINT, LIGHT, PAPER, ink
from pbem.drawing.sheet import Sheet
from pbem.games.thirty_years_war.map import SIDES
from pbem.games.thirty_years_war.picture.lands import WIDTH, in_words
from pbem.games.thirty_years_war.picture.position import Position

GAP = 10
LEFT = 104  # of the tracks, beside their names
MOST_VP = 50
INNER = WIDTH - LEFT - GAP


def displays(position: Position, highlight: frozenset[str], y: float) -> dict[str, Any]:
    """Everything below the map, from top to bottom: what it is drawn of, and where it ends."""
    draw = Sheet()
    y = _victory(position, draw, y)
    y = _turns(position, draw, y)
    y = _dutch_war_and_electors(position, draw, y)
    column = (WIDTH - 4 * GAP) / 3
    ends = [_side(position, draw, side, GAP + n * (column + GAP), y, column, highlight) for n, side in enumerate(SIDES)]
    ends.append(_notes(position, draw, 3 * GAP + 2 * column, y, column))
    bottom = max(ends)
    for number in range(3):
        draw.box_behind(GAP + number * (column + GAP), y, column, bottom - y, PAPER, FAINT)
    y = _armies(position, draw, bottom + GAP)
    for line in (position.words["legend_map"], position.words["legend_stack"]):
        y = draw.lines(GAP + 2, y + 16, line, WIDTH - 2 * GAP, 13, 17) - 8
    return {"boxes": draw.behind + draw.boxes, "texts": draw.texts, "bottom": round(y + 6)}


def _victory(position: Position, draw: Sheet, y: float) -> float:
    """The record track from 0 or less to 50 or more, with the marker of the VP."""
    draw.text(GAP, y + 20, position.words["vp"], 15, bold=True, room=LEFT - 2 * GAP)
    cell = INNER / (MOST_VP + 1)
    marked = min(max(position.vp, 0), MOST_VP)
    numbers = {id: row["value"] for id, row in position.kit.tables["numbers"].items()}
    for value in range(MOST_VP + 1):
        x, here = LEFT + value * cell, value == marked
        fill = ACTIVE if here else "#f0e4bf" if value >= numbers["quick_catholic"] else (
            "#d5e3f3" if value <= numbers["quick_protestant"] else PAPER)  # fmt: skip
        draw.box(x, y, cell, 30, fill, DARK if here else FAINT, 2 if here else 1)
        text = str(position.vp) if here else f"≤{value}" if value == 0 else f"{value}+" if value == MOST_VP else value
        draw.text(x + cell / 2, y + 20, text, 15 if here else 10.5, bold=here, anchor="middle",
                  fill=LIGHT if here else EDGE)  # fmt: skip
    return y + 36


def _turns(position: Position, draw: Sheet, y: float) -> float:
    word, turns = position.words, list(position.kit.tables["turns"].values())
    draw.text(GAP, y + 20, word["turn"].capitalize(), 15, bold=True, room=LEFT - 2 * GAP)
    cell = INNER / len(turns)
    for number, row in enumerate(turns):
        x, now = LEFT + number * cell, position.state.get("turn") == row["turn"]
        last = position.state.get("last_turn") == row["turn"]
        draw.box(x, y, cell, 30, DARK if now else PAPER, ACTIVE if last else FAINT, 2 if last else 1)
        draw.text(x + 6, y + 20, row["turn"], 15, bold=True, fill=LIGHT if now else DARK)
        draw.text(x + cell - 5, y + 20, row["years"], 11.5, anchor="end", fill=LIGHT if now else EDGE)
    return y + 36


def _dutch_war_and_electors(position: Position, draw: Sheet, y: float) -> float:
    word = position.words
    draw.text(GAP, y + 20, word["dutch_war"], 15, bold=True, room=LEFT - 2 * GAP)
    boxes = list(position.kit.tables["dutch_war"].values())
    marked = position.view["counters"].get("dutch_war") or 0
    cell, x = 42.0, float(LEFT)
    for row in boxes:
        here = row["box"] == marked
        effect = bool(row["vp"] or row["up_aid"] or row["ends"])
        draw.box(x, y, cell, 30, ACTIVE if here else "#f0e4bf" if effect else PAPER, DARK if here else FAINT,
                 2 if here else 1)  # fmt: skip
        draw.text(x + cell / 2, y + 20, f"{row['box']:+d}" if row["box"] else "0", 15 if here else 12, bold=here,
                  anchor="middle", fill=LIGHT if here else DARK)  # fmt: skip
        x += cell
    over = position.state.get("dutch_war_over")
    if over:
        draw.text(x + 6, y + 20, word["war_over"], 13, room=90)
    x = LEFT + cell * len(boxes) + 110
    draw.text(x, y + 20, word["electors"], 15, bold=True, room=110)
    electors = position.electors()
    x += 120
    cell = (WIDTH - GAP - x) / max(len(electors), 1)
    for elector, side in electors.items():
        fill = position.colour(side)
        draw.box(x, y, cell - 3, 30, fill, DARK)
        draw.text(x + cell / 2 - 1, y + 20, position.place_name(elector), 13, bold=True, anchor="middle",
                  fill=ink(fill), room=cell - 8)  # fmt: skip
        x += cell
    return y + 40


def _side(
    position: Position, draw: Sheet, side: str, x: float, y: float, width: float, highlight: frozenset[str]
) -> float:
    """A side: cards, activations, electors, aid with its sources, and what pay would cost."""
    word, fill = position.words, position.colour(side)
    changed = bool({side, f"hand:{side}", f"aid:{side}"} & highlight)
    draw.box(x, y, width, 28, fill, ACTIVE if changed else DARK, 3 if changed else 1)
    draw.text(x + 8, y + 20, position.name("side", side), 16, bold=True, fill=ink(fill), room=width - 150)
    most, used = position.kit.constants["activations"], position.track("activations", side) or 0
    draw.text(x + width - 8, y + 20, f"{word['activations']} {used}/{most}", 13, anchor="end", fill=ink(fill), room=140)
    y = draw.lines(x + 8, y + 47, position.cards(side), width - 16, 13, 17)
    points = f"{word['aid']} {position.aid_left(side)} · {word['pay']} {position.pay(side)}"
    draw.text(x + 8, y + 4, points, 15, bold=True, room=width - 16)
    y += 12
    for source, on, given in position.aid(side):
        draw.box(x + 8, y, 12, 12, "#4b8a3f" if on else PAPER, EDGE)
        told = position.pair(position.name("aid", source), word["source_on"] if on else word["source_off"])
        draw.text(x + 26, y + 11, told + (f", {given}" if given else ""), 13, fill=DARK if on else EDGE,
                  room=width - 34)  # fmt: skip
        y += 18
    return y + 6


def _notes(position: Position, draw: Sheet, x: float, y: float, width: float) -> float:
    """The national tracks and what else holds."""
    draw.box(x, y, width, 28, "#e8dfc8", DARK)
    draw.text(x + 8, y + 20, position.words["situation"], 16, bold=True, room=width - 16)
    y += 46
    for what, how in position.notes():
        draw.text(x + 8, y, what, 13, bold=True, room=150)
        draw.text(x + 164, y, how, 13, room=width - 172)
        y += 17
    return y


def _armies(position: Position, draw: Sheet, y: float) -> float:
    """The armies of both sides with their leaders' ratings, and in a paragraph the units without a leader."""
    word, column = position.words, (WIDTH - 3 * GAP) / 2
    ends = []
    for number, side in enumerate(SIDES):
        x, at, fill = GAP + number * (column + GAP), y, position.colour(side)
        draw.box(x, at, column, 24, fill, DARK)
        title = position.pair(word["armies"], position.name("side", side))
        draw.text(x + 8, at + 17, title, 14, bold=True, fill=ink(fill), room=column - 16)
        at += 42
        armies, others = position.armies(side)
        for space, stack in armies:
            line = position.pair(position.name("space", space), in_words(position, stack))
            at = draw.lines(x + 8, at, line, column - 16)
        if others:
            told = [f"{position.name('space', space)} {_in_brief(position, stack)}" for space, stack in others]
            at = draw.lines(x + 8, at, position.pair(word["without_leaders"], ", ".join(told)), column - 16)
        ends.append(at)
    bottom = max(ends) - 4
    for number in range(2):
        draw.box_behind(GAP + number * (column + GAP), y, column, bottom - y, PAPER, FAINT)
    return bottom


def _in_brief(position: Position, stack: list[str]) -> str:
    """Units as on the map, held together in a line."""
    return "\u00a0".join(text.replace(" ", "\u00a0") for text, _ in position.units_in_brief(stack))
