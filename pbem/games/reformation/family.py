"""What the rooms of both games are alike in: a game of the family names its parts, and what differs it does itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar

from pbem.games.reformation import conditions, sequence
from pbem.games.reformation.house import HouseRules
from pbem.games.reformation.positions import Positions
from pbem.table.facts import Fact
from pbem.table.kit import Kit
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Game, Procedure, Table
from pbem.table.questions import Question


@dataclass(frozen=True)
class Parts:
    """The parts of a game that its room calls by name.

    ``set_up(table, scenario)``, ``faults(table)`` (invariants that the board breaks), ``press_allowed(table, sender,
    receivers)`` (9.1), ``results(table)`` and ``seat_results(table, seats)`` (the rankings), ``reasons(table)`` (why
    the VP stand as they do), ``positions`` (the entries of cases).
    """

    set_up: Callable[[Table, str], None]
    faults: Callable[[Table], Sequence[str]]
    press_allowed: Callable[[Table, str, Sequence[str]], Refused | None]
    results: Callable[[Table], list[dict[str, Any]]]
    seat_results: Callable[[Table, Sequence[Sequence[str]]], list[dict[str, Any]]]
    reasons: Callable[[Table], list[dict[str, Any]]]
    positions: Positions


def listed(chapters: Iterable[ModuleType], name: str) -> tuple[type[Order], ...]:
    """What the chapters have in ``ORDERS`` or ``ACTIONS``, in their order, each once."""
    kinds = [kind for chapter in chapters for kind in getattr(chapter, name, ())]
    return tuple(dict.fromkeys(kinds))


class FamilyGame(Game):
    """A game of the family."""

    rules: HouseRules
    parts: ClassVar[Parts]
    pairs = ("at_war", "allied")

    def powers(self, kit: Kit, scenario: str) -> list[str]:
        """The six major powers in impulse order."""
        return list(kit.constants["impulse_order"])

    def seats(self, kit: Kit, scenario: str, number: int, options: Mapping[str, Any]) -> list[list[str]] | None:
        """Who plays which powers with so many players (3.1)."""
        rows = [row for row in kit.tables["seatings"].values() if row["players"] == number]
        return [list(row["powers"]) for row in sorted(rows, key=lambda row: row["seat"])]

    def play_order(self, kit: Kit, scenario: str, seats: Sequence[Sequence[str]]) -> list[str]:
        """Impulse order, whoever sits where and holds what."""
        held = {power for powers in seats for power in powers}
        return [power for power in self.powers(kit, scenario) if power in held]

    def may_reorder(self, table: Table) -> bool:
        """Whether no round by impulse order is under way: deployments, or passes in a row."""
        return sequence.may_reorder(table)

    def set_up(self, table: Table, scenario: str) -> None:
        """Lay a scenario out."""
        self.parts.set_up(table, scenario)

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        """The step that comes next."""
        return sequence.next_step(table)

    def faults(self, table: Table) -> Sequence[str]:
        """Invariants that the board breaks."""
        return self.parts.faults(table)

    def bounds(self, table: Table) -> dict[str, tuple[int, int | None]]:
        """The turns of the scenario; what is counted is not below nought, but for VP, which may be taken away."""
        scenario = table.kit.scenarios[table.board.state["scenario"]]
        counted = [track for track in table.board.tracks if not track.endswith("vp")]
        return {**dict.fromkeys(counted, (0, None)), "turn": (scenario["first_turn"], scenario["last_turn"])}

    def follow(self, table: Table) -> None:
        """The VP are counted anew."""
        self.rules.settle(table)

    def make_up(self, table: Table, facts: Sequence[Fact]) -> None:
        """VP that a ruling states are counted from the board: what is missing is given as VP of a ruling."""
        for power in dict.fromkeys(fact["power"] for fact in facts if fact.get("track") == "vp"):
            missing = table.board.value("vp", power) - self.rules.points(table, power)
            self.rules.give_by_ruling(table, power, missing)

    def press_allowed(self, table: Table, sender: str, receivers: Sequence[str]) -> Refused | None:
        """Why a message may not be relayed now, or None when it may (9.1)."""
        return self.parts.press_allowed(table, sender, receivers)

    def conditions(
        self, table: Table, power: str, question: Question | None, facts: Sequence[Fact]
    ) -> dict[str, Any]:
        """What conditions of standing orders and programs may ask, as the power sees it."""
        return conditions.conditions(table, power, question, facts)

    def results(self, table: Table) -> list[dict[str, Any]]:
        """The ranking."""
        return self.parts.results(table)

    def seat_results(self, table: Table, seats: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
        """The ranking of players with one or several powers (3.1)."""
        return self.parts.seat_results(table, seats)

    def reasons(self, table: Table) -> list[dict[str, Any]]:
        """Why the VP stand as they do."""
        return self.parts.reasons(table)

    def arrange(self, table: Table, name: str, value: Any) -> None:
        """One entry of ``arrange`` of a case."""
        self.parts.positions.arrange(table, name, value)

    def matches(self, table: Table, name: str, value: Any) -> Any:
        """One entry of ``expect`` of a case."""
        return self.parts.positions.matches(table, name, value)

    def case_words(self) -> Mapping[str, Sequence[str]]:
        """The words of cases."""
        return self.parts.positions.words(list(self.rules.phases))
