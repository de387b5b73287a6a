"""Who may see what: the one place that decides it.

Every fact is split once, when it is written: `seen_by` gives the form of a fact that one reader gets, or None where he
gets nothing. What a seat sees is the fold of those forms; `view` gives the same from the whole board (the tests compare
the two, but for what a seat has been shown and may still remember).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbem.table.board import HIDDEN_CARD, Board
from pbem.table.facts import Fact

PUBLIC: tuple[str, ...] = ()
_MASKED = frozenset(("card", "count", "counter", "draw", "shuffle"))
"""The types of facts that piles, tracks and counters may hide, in whole or in part; others only their own ``to``."""


def may_see(board: Board, name: str, powers: Iterable[str]) -> bool:
    """Whether the holder of `powers` may see what a pile or counter holds, or the whole of a track (else
    `may_see_value`)."""
    rule = board.sight.get(name, "all")
    if rule == "all":
        return True
    return rule == "owner" and board.owner_of(name) in tuple(powers)


def may_see_value(board: Board, track: str, power: str, powers: Iterable[str]) -> bool:
    """Whether the holder of `powers` may see the value of `power` on a track."""
    rule = board.sight.get(track, "all")
    return rule == "all" or (rule == "owner" and power in tuple(powers))


def seen_by(board: Board, fact: Fact, powers: Iterable[str]) -> Fact | None:
    """The form of a fact that the holder of `powers` may read (`PUBLIC`: everyone); None where he may read nothing.

    `board` is the whole board before or after the fact; only its ``sight`` and ``powers`` count.
    """
    kind = fact["fact"]
    audience = fact.get("to")
    if audience is None and kind not in _MASKED:
        return fact
    powers = tuple(powers)
    if audience is not None and not set(audience) & set(powers):
        if kind == "card":
            return {**_without_audience(fact), "card": HIDDEN_CARD}
        return None
    if kind == "card":
        if audience is not None:
            return fact
        origin, place = fact["origin"], fact["place"]
        seen = (origin is not None and may_see(board, origin, powers)) or (
            place is not None and may_see(board, place, powers)
        )
        return fact if seen else {**fact, "card": HIDDEN_CARD}
    if kind == "count" and not may_see_value(board, fact["track"], fact["power"], powers):
        return {**fact, "before": None, "after": None}
    if kind == "counter" and not may_see(board, fact["name"], powers):
        return {**fact, "before": None, "after": None}
    if kind == "draw" and "card" in fact and not _sees_draw(board, fact, powers):
        return {**fact, "card": HIDDEN_CARD}
    if kind == "shuffle" and not may_see(board, fact["pile"], powers):
        return {**fact, "forget": True}
    return fact


def _sees_draw(board: Board, fact: Fact, powers: tuple[str, ...]) -> bool:
    """Whether a reader may know what was drawn: as the fact says, else as the piles it went between, else everyone."""
    if "sight" in fact:
        return bool(set(fact["sight"]) & set(powers))
    piles = [fact[name] for name in ("pile", "place") if fact.get(name) is not None]
    return not piles or any(may_see(board, pile, powers) for pile in piles)


def _without_audience(fact: Fact) -> Fact:
    return {key: value for key, value in fact.items() if key != "to"}


def view(board: Board, powers: Iterable[str]) -> Board:
    """The board as the holder of `powers` (`PUBLIC`: everyone) may see it, from the whole board."""
    powers = tuple(powers)
    seen = board.copy()
    for pile, cards in board.piles.items():
        if not may_see(board, pile, powers):
            seen.piles[pile] = [HIDDEN_CARD] * len(cards)
    for track in board.tracks:
        seen.tracks[track] = visible_track(board, track, powers)
    for name in board.counters:
        if not may_see(board, name, powers):
            seen.counters[name] = None
    return seen


def visible_track(board: Board, track: str, powers: Iterable[str]) -> dict[str, int | None]:
    """The values of a track as the holder of `powers` may see them, None for the hidden ones."""
    powers = tuple(powers)
    values = board.tracks.get(track, {})
    if board.sight.get(track, "all") == "all":
        return dict(values)
    return {power: value if may_see_value(board, track, power, powers) else None for power, value in values.items()}


def secrets_of(board: Board, powers: Iterable[str]) -> dict[str, Any]:
    """What `view` hides from the holder of `powers`: name -> cards, values or value; the tests look for these."""
    powers = tuple(powers)
    hidden: dict[str, Any] = {p: c for p, c in board.piles.items() if c and not may_see(board, p, powers)}
    for track, values in board.tracks.items():
        kept = {power: v for power, v in values.items() if not may_see_value(board, track, power, powers)}
        if kept:
            hidden[track] = kept
    return hidden | {name: value for name, value in board.counters.items() if not may_see(board, name, powers)}
