"""The room: what there is of this game, part by part, and what it answers the table (`pbem.table.game.Game`).

Every part of the game stands in a list here; nothing is found by its name or by being imported somewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from pbem.games.thirty_years_war import cards, conditions, control, faults, picture, positions, score
from pbem.games.thirty_years_war.cards import (
    aid_cards,
    combat_effects,
    dutch_war_cards,
    entries,
    famines,
    marching,
    mutinies,
    new_leaders,
    politics,
    recoveries,
    removals,
    restrictions,
    revolts_cards,
    uses,
)
from pbem.games.thirty_years_war.cards import orders as orders_of_cards
from pbem.games.thirty_years_war.combat import battle, siege
from pbem.games.thirty_years_war.map import SIDES
from pbem.games.thirty_years_war.marching import army, free_moves, movement, reaction
from pbem.games.thirty_years_war.order_watch import OrderWatch
from pbem.games.thirty_years_war.politics import dutch_war, nations, peace, wallenstein
from pbem.games.thirty_years_war.rules import Rules
from pbem.games.thirty_years_war.turn import activation, deck, end_of_turn, sequence, setup
from pbem.games.thirty_years_war.upkeep import aid, pay, recovery, recruiting
from pbem.table.facts import RULING, Fact
from pbem.table.kit import Kit
from pbem.table.procedure import Game, Procedure, Table
from pbem.table.questions import Question

ID = "thirty_years_war"

CHAPTERS: tuple[ModuleType, ...] = (
    activation,
    army,
    free_moves,
    movement,
    reaction,
    battle,
    siege,
    recruiting,
    aid,
    orders_of_cards,
    uses,
    peace,
    nations,
    wallenstein,
    recovery,
    end_of_turn,
    setup,
)
"""Where orders are defined, in ``ORDERS``, and ways to use an activation, in ``USES``, as they come in help."""


CARDS: tuple[ModuleType, ...] = (
    aid_cards,
    combat_effects,
    dutch_war_cards,
    entries,
    famines,
    marching,
    mutinies,
    new_leaders,
    politics,
    recoveries,
    removals,
    restrictions,
    revolts_cards,
)
"""Where the cards are written; each registers its own (`pbem.games.thirty_years_war.cards`)."""


def _listed(name: str) -> tuple[Any, ...]:
    kinds = [kind for chapter in CHAPTERS for kind in getattr(chapter, name, ())]
    return tuple(dict.fromkeys(kinds))


RULES = Rules(
    phases={
        "set_up": (("french", setup.place_french), ("loot", setup.place_loot)),
        "wallenstein": (("decision", wallenstein.phase),),
        "recovery": (("recovery", recovery.recovery_phase),),
        "cards": (("draw", deck.card_phase),),
        "actions": (("first", activation.begin), ("activations", activation.activation)),
        "turn_end": tuple((segment, end_of_turn.end_of_turn) for segment in end_of_turn.SEGMENTS),
    },
    triggers=(
        *control.TRIGGERS,
        *deck.TRIGGERS,
        *reaction.TRIGGERS,
        *siege.TRIGGERS,
        *nations.TRIGGERS,
        *dutch_war.TRIGGERS,
        *pay.TRIGGERS,
    ),
    play_event=cards.play_event,
    uses=_listed("USES"),
)


class ThirtyYearsWar(Game):
    """*Thirty Years War: Europe in Agony*; see the package's text."""

    id = ID
    rules = RULES
    card_uses = deck.USES
    picture = picture
    orders = tuple(dict.fromkeys((*RULES.uses, *_listed("ORDERS"))))

    def powers(self, kit: Kit, scenario: str) -> list[str]:
        """The two sides in the order of play (C 6.0)."""
        return list(SIDES)

    def seats(self, kit: Kit, scenario: str, number: int, options: Mapping[str, Any]) -> list[list[str]] | None:
        """One side each (1.2)."""
        return [[side] for side in SIDES] if number == len(SIDES) else []

    def play_order(self, kit: Kit, scenario: str, seats: Sequence[Sequence[str]]) -> list[str]:
        """The Protestant first, whoever sits where (C 6.0)."""
        held = {side for sides in seats for side in sides}
        return [side for side in SIDES if side in held]

    def order_watch(self, kit: Kit, seats: Sequence[Sequence[str]]) -> OrderWatch:
        """What follows the order of play from outside; see the module."""
        return OrderWatch(kit)

    def set_up(self, table: Table, scenario: str) -> None:
        setup.set_up(table, scenario)

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        return sequence.next_step(table)

    def faults(self, table: Table) -> Sequence[str]:
        return faults.faults(table)

    def bounds(self, table: Table) -> dict[str, tuple[int, int | None]]:
        """The turns of the scenario; what is counted is not below nought, but for VP, which go to either side."""
        scenario = table.kit.scenarios[table.board.state["scenario"]]
        counted = [name for name in (*table.board.tracks, *table.board.counters) if name.partition(":")[0] != "vp"]
        return {**dict.fromkeys(counted, (0, None)), "turn": (scenario["first_turn"], scenario["last_turn"])}

    def make_up(self, table: Table, facts: Sequence[Fact]) -> None:
        """VP that a ruling states are the sum of their reasons: what is missing gets the ruling as its reason."""
        if any(fact["fact"] == "counter" and fact["name"] == score.VP for fact in facts):
            score.give_reason(table, RULING)

    def conditions(
        self, table: Table, power: str, question: Question | None, facts: Sequence[Fact]
    ) -> dict[str, Any]:
        return conditions.conditions(table, power, question, facts)

    def results(self, table: Table) -> list[dict[str, Any]]:
        """The victor first; both share the first place in a draw, and as long as the game is not over."""
        state = table.board.state
        winner = state.get("winner")
        notes = [state["victory"]["level"]] if "victory" in state else []
        points = score.total(table)
        return [
            {"power": side, "points": points, "place": 1 if winner in (None, side) else 2, "notes": notes}
            for side in sorted(SIDES, key=lambda side: side != winner)
        ]

    def reasons(self, table: Table) -> list[dict[str, Any]]:
        """Why the VP stand as they do; they are nobody's (5.1)."""
        return [{"power": None, "points": score.total(table), "reasons": score.reasons(table)}]

    def arrange(self, table: Table, name: str, value: Any) -> None:
        positions.arrange(table, name, value)

    def matches(self, table: Table, name: str, value: Any) -> Any:
        return positions.matches(table, name, value)

    def case_words(self) -> Mapping[str, Sequence[str]]:
        return positions.words(list(RULES.phases))


GAME = ThirtyYearsWar()
