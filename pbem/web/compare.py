"""Two boards side by side: what a ruling or a rewind would change, in words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from pbem.render.narrative import Teller
from pbem.table.board import HIDDEN_CARD, Board


@dataclass(frozen=True)
class Change:
    """One thing that differs; `before` and `after` are words, a dash for nothing. `is_note`: it is a note of the rules
    for themselves, which no phrase calls by a name."""

    what: str
    before: str
    after: str
    is_note: bool = False


def changes(old: Board, new: Board, teller: Teller) -> list[Change]:
    """Everything that differs between two boards as one reader sees them."""
    changed: list[Change] = []

    def note(what: str, before: Any, after: Any, is_note: bool = False) -> None:
        if before != after:
            changed.append(Change(what, _shown(before, teller), _shown(after, teller), is_note))

    for power in _names(old.played_by, new.played_by):
        was, now = (teller.power(board.played_by.get(power)) for board in (old, new))
        if was != now:
            changed.append(Change(teller.language.text("Who plays: %(power)s", power=teller.power(power)), was, now))
    for name in _names(old.state, new.state):
        note(teller.value_name(name), old.state.get(name), new.state.get(name), not teller.told_value(name))
    for track in _names(old.tracks, new.tracks):
        before, after = old.tracks.get(track, {}), new.tracks.get(track, {})
        for power in _names(before, after):
            of_power = f"{teller.name(track)}{teller.language.colon} {teller.power(power)}"
            note(of_power, before.get(power), after.get(power))
    for name in _names(old.counters, new.counters):
        note(teller.name(name), old.counters.get(name), new.counters.get(name))
    for place, power, kind in sorted({(p, o, k) for board in (old, new) for p, o, k, _ in board.units_everywhere()}):
        note(
            f"{teller.name(place)}{teller.language.colon} {teller.name(kind)}, {teller.power(power)}",
            old.count(place, power, kind), new.count(place, power, kind),
        )  # fmt: skip
    for piece in _names(old.pieces, new.pieces):
        note(teller.name(piece), old.pieces.get(piece), new.pieces.get(piece))
    for pile in _names(old.piles, new.piles):
        changed += _pile_changes(teller, pile, old.piles.get(pile, []), new.piles.get(pile, []))
    for name in _names(old.sight, new.sight):
        was, now = (_seen(board.sight.get(name), teller) for board in (old, new))
        if was != now:
            changed.append(Change(teller.language.text("Who sees it: %(thing)s", thing=teller.name(name)), was, now))
    return changed


def _pile_changes(teller: Teller, pile: str, old: list[str], new: list[str]) -> list[Change]:
    """How many cards a pile has, and which of them the other board has not: a number is no card."""
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    if not gone and not come:
        return []
    before, after = (
        ": ".join([str(len(cards)), *([_cards(teller, other)] if other else [])])
        for cards, other in ((old, gone), (new, come))
    )
    return [Change(teller.language.text("Cards: %(pile)s", pile=teller.name(pile)), before, after)]


def _cards(teller: Teller, cards: Counter[str]) -> str:
    names = [teller.name(card) for card in cards.elements() if card != HIDDEN_CARD]
    hidden = cards[HIDDEN_CARD]
    if hidden == 1:
        names.append(teller.language.text("a hidden card"))
    elif hidden:
        names.append(teller.language.text("hidden cards (%(number)s)", number=hidden))
    return ", ".join(names)


def _seen(who: str | None, teller: Teller) -> str:
    """Who may see something, by the board's word for it."""
    _ = teller.language.text
    return {None: _("all"), "owner": _("its owner"), "referee": _("nobody")}.get(who) or teller.name(str(who))


def _names(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return sorted(old.keys() | new.keys())


def _shown(value: Any, teller: Teller) -> str:
    if value is None:
        return "–"
    if isinstance(value, dict) and value.keys() == {"at"}:
        return teller.name(str(value["at"]))
    return teller.plain(value)
