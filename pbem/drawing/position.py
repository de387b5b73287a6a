"""What picture and text need of a view, found once."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pbem.drawing.words import Words
from pbem.table.kit import Kit

HIDDEN = "?"
TITLE_HEIGHT = 46


@dataclass
class Position:
    """A board as a seat sees it, in the reader's language; games add what their boards have besides."""

    view: dict[str, Any]
    teller: Words
    kit: Kit = field(init=False)
    language: str = field(init=False)
    words: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.kit, self.language = self.teller.kit, self.teller.code
        self.words = dict(self.teller.words("picture"))

    @cached_property
    def here(self) -> dict[str, list[tuple[str, str, dict]]]:
        """The pieces at each place, by name: kind, id, and the piece itself."""
        pieces_at: dict[str, list[tuple[str, str, dict]]] = {}
        for name, piece in sorted(self.view["pieces"].items()):
            kind, _, id = name.partition(":")
            pieces_at.setdefault(piece["at"], []).append((kind, id, piece))
        return pieces_at

    @property
    def state(self) -> dict[str, Any]:
        """The entries of the board that are neither pieces nor tracks nor piles."""
        return self.view["state"]

    @property
    def powers(self) -> list[str]:
        """The powers that are played, in the order of play."""
        return self.view["powers"]

    def name(self, domain: str, id: str) -> str:
        """The name of a thing of the kit."""
        return self.kit.display(domain, id, self.language)

    def count(self, place: str, power: str, kind: str) -> int:
        """How many units of a kind a power has at a place."""
        return self.view["units"].get(place, {}).get(power, {}).get(kind, 0)

    def track(self, track: str, power: str) -> int | None:
        """The value of a power on a track; None if the reader may not know it."""
        return self.view["tracks"].get(track, {}).get(power, 0)

    def number(self, track: str, power: str) -> str:
        """The same to be read."""
        value = self.track(track, power)
        return HIDDEN if value is None else str(value)

    def situation(self) -> str:
        """Where the campaign stands: game, turn, phase."""
        raise NotImplementedError

    def framed(self, title: str | None, width: float, height: float, **drawn: Any) -> dict[str, Any]:
        """What the template of a board draws, with the title above it where it has one; sizes are without that."""
        top = TITLE_HEIGHT if title else 0
        return {
            "language": self.language,
            "heading": title,
            "label": title or self.situation(),
            "situation": self.situation(),
            "width": width,
            "height": top + height,
            "top": top,
            **drawn,
        }

    def phase(self) -> str:
        """What the phase is called; "" where there is none."""
        phase = str(self.state.get("phase") or "")
        return self.teller.words("phase").get(phase, phase.replace("_", " "))
