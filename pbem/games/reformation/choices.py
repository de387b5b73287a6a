"""What the rules of these games let choose, one order a kind, and the windows that both have (digest 3.20).

How a choice and a window work is said in `pbem.table.asking`.
"""

from __future__ import annotations

from typing import Any

from pbem.games.reformation.rules import rules
from pbem.table.asking import (
    Card,
    Choose,
    ChooseNumber,
    ChooseOption,
    Moment,
    No,
    Pass,
    Respond,
    Stop,
    Yes,
    cards_of_side,
    response,
)
from pbem.table.orders import Name, Order
from pbem.table.procedure import Procedure, Table


class ChooseSpace(Choose):
    """Choose a space."""

    line = "CHOOSE SPACE {space}"
    what = "space"
    space = Name("space")


class ChoosePower(Choose):
    """Choose a major power."""

    line = "CHOOSE POWER {power}"
    what = "power"
    power = Name("power")


class ChooseMinor(Choose):
    """Choose a minor power."""

    line = "CHOOSE MINOR {minor}"
    what = "minor"
    minor = Name("minor")


class ChooseCard(Choose):
    """Choose a card."""

    line = "CHOOSE CARD {card}"
    what = "card"
    card = Card()


class ChooseLeader(Choose):
    """Choose a leader."""

    line = "CHOOSE LEADER {leader}"
    what = "leader"
    leader = Name("leader")


class ChooseDebater(Choose):
    """Choose a debater."""

    line = "CHOOSE DEBATER {debater}"
    what = "debater"
    debater = Name("debater")


class ChooseLanguage(Choose):
    """Choose a language zone."""

    line = "CHOOSE ZONE {language}"
    what = "language"
    language = Name("language")


class ChooseUnit(Choose):
    """Choose a kind of unit."""

    line = "CHOOSE UNIT {unit}"
    what = "unit"
    unit = Name("unit")


def free_responses(table: Table, active: str) -> Procedure:
    """6.1: cards that may be played at any time of an impulse, after an action, event or naval combat in it.

    Of the other powers: the active one plays its own between its actions. By option `free_responses` they wait for the
    beginning of the next impulse.
    """
    if table.options.get("free_responses", "each_action") == "each_action":
        others = [power for power in table.board.powers if power != active]
        yield from response(table, Moment("any_time", active), others, section="6.1")


def combat_cards(table: Table, power: str, moment: Moment, *, section: str | None = None, **context: Any) -> Procedure:
    """14 steps 4 and 5, 15.1 steps 5 and 6, 16.2 steps 3 and 4: one side's combat cards, one after another."""
    yield from cards_of_side(table, power, moment, kind="combat_cards", section=section, **context)


def cards_of_outsiders(
    table: Table, active: str, battle: Any, *, section: str | None = None, **context: Any
) -> Procedure:
    """Cards that by their own words a power may play in a fight without units of its own (`Rules.outsiders`)."""
    who = rules(table).outsiders(table, battle)
    if who:
        yield from response(
            table,
            Moment("combat_of_others", active, {"battle": battle}),
            who,
            kind="combat_cards",
            section=section,
            **context,
        )


ORDERS: tuple[type[Order], ...] = (
    Pass,
    Respond,
    ChooseSpace,
    ChoosePower,
    ChooseMinor,
    ChooseCard,
    ChooseLeader,
    ChooseDebater,
    ChooseLanguage,
    ChooseUnit,
    ChooseOption,
    ChooseNumber,
    Yes,
    No,
    Stop,
)
