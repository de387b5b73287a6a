"""The board: plain data that the projector folds facts into.

A board knows no rule and no kit. It is a few dictionaries of JSON values, so that it can be stored, copied, compared
and sent as it is:

``powers``
    The powers, a list of ids in the order of play that the game gives them (`pbem.table.game.Game.play_order`).
``played_by``
    ``power -> power``: a power without a seat of its own that is in play for a time, and the one whose seat plays it.
``state``
    Named values of any JSON kind: the turn, the phase, who is active, wars and alliances.
``tracks``
    ``track -> power -> int``. A value that the reader may not see is ``None``.
``counters``
    ``counter -> int``, numbers that belong to no power (the aid still to be had, the strength of a league). A value
    that the reader may not see is ``None``.
``units``
    ``place -> power -> kind -> int``, interchangeable pieces. Pieces not in play lie at the place ``supply``, so that
    every piece is in exactly one place. Counts of nought and empty dictionaries are left out.
``pieces``
    ``piece id -> {"at": place, ...}``, pieces with a name of their own (leaders, tiles, country counters).
``piles``
    ``pile -> [card ids]``, cards in decks, hands and discards. A card that the reader may not see is ``"?"``.
``sight``
    Who may see what: ``pile, track or counter name -> "all" | "owner" | "referee"``; a pile or counter
    ``hand:france`` is owned by ``france``. What is not named is open to all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

SUPPLY = "supply"
OUT_OF_PLAY = ("off", "removed", SUPPLY)
"""Where a named piece lies that has not come into play, or is out of it."""
HIDDEN_CARD = "?"
_NESTED = (dict, list)


def copied(data: Any) -> Any:
    """A copy of JSON data, which shares no list or dict with it.

    It shares the texts, so that a copy is compared much faster than one that `pickle` makes, and is made as fast.
    """
    if isinstance(data, dict):
        return {name: copied(held) if isinstance(held, _NESTED) else held for name, held in data.items()}
    return [copied(held) if isinstance(held, _NESTED) else held for held in data]


@dataclass
class Board:
    """The whole position of one campaign; see the module's text for the form of each field."""

    game: str
    powers: list[str]
    state: dict[str, Any] = field(default_factory=dict)
    tracks: dict[str, dict[str, int | None]] = field(default_factory=dict)
    counters: dict[str, int | None] = field(default_factory=dict)
    units: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    pieces: dict[str, dict[str, Any]] = field(default_factory=dict)
    piles: dict[str, list[str]] = field(default_factory=dict)
    sight: dict[str, str] = field(default_factory=dict)
    played_by: dict[str, str] = field(default_factory=dict)
    changes: int = field(default=0, compare=False, repr=False)
    """How many facts have changed this object; no part of the position (`pbem.table.procedure.while_unchanged`)."""

    def to_json(self) -> dict[str, Any]:
        """The board as a JSON object; the values are the board's own, not copies."""
        return {
            "game": self.game,
            "powers": self.powers,
            "state": self.state,
            "tracks": self.tracks,
            "counters": self.counters,
            "units": self.units,
            "pieces": self.pieces,
            "piles": self.piles,
            "sight": self.sight,
            "played_by": self.played_by,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Board:
        """A board of its own from what `to_json` gave, of a release before counters or `played_by` too."""
        return cls(**copied(data))

    def copy(self) -> Board:
        """An independent copy, for dry runs."""
        return Board.from_json(self.to_json())

    def value(self, track: str, power: str) -> int:
        """The value of a power on a track; 0 where none was ever set, or where it is hidden."""
        return self.tracks.get(track, {}).get(power) or 0

    def counter(self, name: str) -> int:
        """The value of a counter without a power; 0 where none was ever set, or where it is hidden."""
        return self.counters.get(name) or 0

    def count(self, place: str, power: str, kind: str) -> int:
        """How many interchangeable pieces of one kind a power has at a place."""
        return self.units.get(place, {}).get(power, {}).get(kind, 0)

    def places_of(self, power: str, kind: str) -> list[str]:
        """The places, supply left out, where a power has pieces of one kind, in alphabetical order."""
        return sorted(
            place for place, owners in self.units.items() if place != SUPPLY and owners.get(power, {}).get(kind, 0) > 0
        )

    def pieces_at(self, place: str) -> list[str]:
        """The ids of the named pieces at a place, in alphabetical order."""
        return sorted(piece for piece, where in self.pieces.items() if where["at"] == place)

    def seated(self) -> list[str]:
        """The powers with a seat of their own, in the order of play."""
        return [power for power in self.powers if power not in self.played_by]

    def owner_of(self, name: str) -> str | None:
        """The power whose own a pile or counter is (``hand:france`` -> ``france``), or None."""
        _, _, owner = name.partition(":")
        return owner if owner in self.powers else None

    def hand_of(self, powers: Iterable[str]) -> list[str]:
        """The cards in the hands (``hand:france``) of some powers that are seen on this board."""
        hands = (self.piles.get(f"hand:{power}", ()) for power in powers)
        return [card for hand in hands for card in hand if card != HIDDEN_CARD]

    def units_everywhere(self) -> Iterator[tuple[str, str, str, int]]:
        """Every (place, power, kind, number) on the board, supply included."""
        for place, owners in self.units.items():
            for power, kinds in owners.items():
                for kind, number in kinds.items():
                    yield place, power, kind, number
