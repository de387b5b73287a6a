"""The board on a page: as a picture, or in tables for a game without one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from markupsafe import Markup

from pbem.render.narrative import Teller
from pbem.table.board import SUPPLY, Board
from pbem.web.context import language


def shown(svg: str | None, view: Board, teller: Teller, places: Collection[str] = ()) -> dict[str, Any]:
    """What templates show of a board: its picture, which opens at `places` where it is small, or tables where there is
    none."""
    # The renderer escapes every name; the rest of it is drawn by our own templates.
    drawn = {"svg": Markup(svg), "board_tables": None} if svg else {"svg": None, "board_tables": tables(view, teller)}
    return {**drawn, "places": sorted(places)}


def tables(view: Board, teller: Teller) -> list[dict[str, Any]]:
    """The board as tables ``{title, heads, rows}``, for any game."""
    if not view.powers:
        return []
    text = language().text
    numbers = [
        [teller.name(track), *(_shown(values.get(power)) for power in view.powers)]
        for track, values in view.tracks.items()
    ]
    common = [[teller.name(name), _shown(value)] for name, value in view.counters.items()]
    common += [
        [teller.name(pile), str(len(cards))] for pile, cards in view.piles.items() if view.owner_of(pile) is None
    ]
    places = [
        [teller.name(place), teller.power(power), ", ".join(teller.noun(n, kind) for kind, n in kinds.items())]
        for place, owners in view.units.items() if place != SUPPLY for power, kinds in owners.items()
    ]  # fmt: skip
    places += [_piece(name, piece, teller) for name, piece in view.pieces.items() if piece["at"] != SUPPLY]
    candidates = (
        (text("Numbers"), ["", *map(teller.power, view.powers)], numbers),
        (text("Common to all"), ["", ""], common),
        (text("Pieces"), [text("Where"), text("Power"), text("Pieces")], places),
    )
    return [{"title": title, "heads": heads, "rows": rows} for title, heads, rows in candidates if rows]


def _piece(name: str, piece: Mapping[str, Any], teller: Teller) -> list[str]:
    """A named piece: where it is, whose, and its name with the marks that it carries ("weary, strength: 2")."""
    marks = {mark: value for mark, value in piece.items() if mark not in ("at", "power") and value not in (None, False)}
    told = [
        teller.name(mark) if value is True else f"{teller.name(mark)}{teller.language.colon} {teller.plain(value)}"
        for mark, value in marks.items()
    ]
    whose = teller.power(piece["power"]) if piece.get("power") else ""
    return [teller.name(piece["at"]), whose, teller.name(name) + (f" ({', '.join(told)})" if told else "")]


def _shown(value: int | None) -> str:
    return "?" if value is None else str(value)
