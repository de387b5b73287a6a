"""The game room as the table sees it (`pbem.table.game.Game`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from pbem.games.here_i_stand import (
    cards,
    england,
    faults,
    foreign_war,
    land,
    naval,
    negotiation,
    picture,
    positions,
    registry,
    sequence,
    setup,
    wars,
)
from pbem.games.here_i_stand import victory as victory_phase
from pbem.games.here_i_stand.order_watch import OrderWatch
from pbem.games.reformation import conditions
from pbem.games.reformation.rules import Rules
from pbem.table.facts import Fact
from pbem.table.kit import Kit
from pbem.table.orders import Order
from pbem.table.procedure import Game, Procedure, Table
from pbem.table.questions import Question

ID = "here_i_stand"

RULES = Rules(
    cavalry_power="ottoman",
    allies_intercept=True,
    control_needs_no_foreigners=True,
    siege_retreat_only_to_own=False,
    space_open=land.space_open,
    may_fight=land.may_fight,
    barred=land.barred,
    builds_in=land.builds_in,
    may_respond=england.may_respond,
    fresh_siege_assault=land.assault_at_once,
    after_battle=land.after_battle,
    after_capture=land.after_capture,
    ships_leave=naval.ships_leave,
    why_not_war=wars.why_not,
    war_begins=wars.begin_war,
    build_elsewhere=foreign_war.takes_new_units,
    spaces_changed=victory_phase.look,
    playable=cards.playable_at,
    play_card=cards.play_card,
)


class HereIStand(Game):
    """*Here I Stand*, the edition with 110 cards; see the package's text."""

    id = ID
    rules = RULES
    picture = picture

    @cached_property
    def orders(self) -> Sequence[type[Order]]:
        """Every kind of order of the game."""
        return registry.orders()

    def powers(self, kit: Kit, scenario: str) -> list[str]:
        """The six major powers in impulse order; all always play (3)."""
        return list(kit.constants["impulse_order"])

    def seats(self, kit: Kit, scenario: str, number: int, options: Mapping[str, Any]) -> list[list[str]] | None:
        """Who plays which powers with so many players (3.1)."""
        rows = [row for row in kit.tables["seatings"].values() if row["players"] == number]
        return [list(row["powers"]) for row in sorted(rows, key=lambda row: row["seat"])]

    def play_order(self, kit: Kit, scenario: str, seats: Sequence[Sequence[str]]) -> list[str]:
        """Impulse order (7), whoever sits where and holds what."""
        held = {power for powers in seats for power in powers}
        return [power for power in self.powers(kit, scenario) if power in held]

    def may_reorder(self, table: Table) -> bool:
        """Whether no round by impulse order is under way: deployments, or passes in a row."""
        return sequence.may_reorder(table)

    def order_watch(self, kit: Kit, seats: Sequence[Sequence[str]]) -> OrderWatch:
        """What follows the order of play from outside; see the module."""
        return OrderWatch(kit)

    def set_up(self, table: Table, scenario: str) -> None:
        """Lay a scenario out."""
        setup.set_up(table, scenario)

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        """The step that comes next."""
        return sequence.next_step(table)

    def faults(self, table: Table) -> list[str]:
        """Invariants that the board breaks."""
        return faults.faults(table)

    def press_allowed(self, table: Table, sender: str, receivers: Sequence[str]) -> str | None:
        """Why a message may not be relayed now, or None when it may (9.1)."""
        return negotiation.press_allowed(table, sender, receivers)

    def conditions(
        self, table: Table, power: str, question: Question | None, facts: Sequence[Fact]
    ) -> dict[str, Any]:
        """What conditions of standing orders and programs may ask, as the power sees it."""
        return conditions.conditions(table, power, question, facts)

    def results(self, table: Table) -> list[dict[str, Any]]:
        """The ranking."""
        return victory_phase.results(table)

    def seat_results(self, table: Table, seats: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
        """The ranking of players with one or several powers (3.1)."""
        return victory_phase.seat_results(table, seats)

    def arrange(self, table: Table, name: str, value: Any) -> None:
        """One entry of ``arrange`` of a case."""
        positions.arrange(table, name, value)

    def matches(self, table: Table, name: str, value: Any) -> Any:
        """One entry of ``expect`` of a case."""
        return positions.matches(table, name, value)

    def case_words(self) -> Mapping[str, Sequence[str]]:
        """The words of cases."""
        return positions.words()


GAME = HereIStand()
