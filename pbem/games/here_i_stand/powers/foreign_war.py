"""21.7: foreign wars (cards 92, 93, 110). What both games share of them is in `reformation.foreign_war`."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.games.reformation import foreign_war, hands
from pbem.games.reformation.foreign_war import (
    Contingent,
    can_send,
    contingents,
    enemies_of,
    fought,
    homes_for,
    is_open,
    own_units,
    place_of,
    sources,
)
from pbem.table.asking import Ask
from pbem.table.orders import Many, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

SECTION = "21.7"


def wars_of(table: Table, power: str) -> list[str]:
    """The cards of the foreign wars that a power has to fight."""
    rows = table.kit.tables["foreign_wars"]
    return [card for card, row in rows.items() if row["power"] == power and is_open(table, card)]


def takes_new_units(table: Table, power: str) -> str | None:
    """21.7: the place of a foreign war that the power's new land units must fill first, or None."""
    for card in wars_of(table, power):
        if own_units(table, card) < table.kit.tables["foreign_wars"][card]["own_units"]:
            return place_of(card)
    return None


# --- the beginning ---


class Send(Order):
    """Send units, and at most one army leader, to a foreign war."""

    line = "SEND {parts}"
    parts = Many(Contingent)

    def check(self, table: Table, question: Question) -> None:
        number = question.context["number"]
        units = foreign_war.check_sent(table, question.power, self.parts, SECTION)
        if units != number:
            raise Refused("other_number_sent", SECTION, number=number, named=units)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        """What silence sends: from the largest stacks first, without a leader."""
        parts = contingents(table, question.power, question.context["number"])
        if parts:
            yield cls(parts=parts)

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        return next(cls.candidates(table, question), None)


def begin(table: Table, card: str, enemies: int) -> Procedure:
    """21.7: the power sends units to the card, wherever they are but in besieged spaces; the foreigners are set up."""
    row = table.kit.tables["foreign_wars"][card]
    power = row["power"]
    table.tell("foreign_war", power=power, number=int(card), enemies=enemies, section=SECTION)
    foreign_war.set_foreigners_up(table, card, enemies, SECTION)
    number = min(row["own_units"], can_send(table, power))
    if not number:
        return
    order = yield Ask(
        power,
        "event_choice",
        [Send],
        lambda t, q: next(Send.candidates(t, q)),
        context={"number": number, "card": int(card)},
        section=SECTION,
    )
    foreign_war.send(table, power, card, order.parts, SECTION)


# --- the fight and the end ---


def end(table: Table, power: str, card: str) -> Procedure:
    """21.7: the war is over: who is left goes to the capital, or to a friendly home key if enemies are there."""
    table.tell("foreign_war_over", power=power, number=int(card), section=SECTION)
    if card in table.board.piles.get(hands.ON_TABLE, ()):
        hands.put_away(table, card, hands.ON_TABLE, "discard")
    if table.options["foreign_war_extras"]:
        table.count("war_winner_vp", power, table.kit.tables["card_numbers"][f"{card}:vp"]["value"], section=SECTION)
        change_markers(table, power, -1)
    yield from foreign_war.go_home(table, power, card, SECTION)


def change_markers(table: Table, power: str, change: int) -> None:
    """-1 Card markers of a power (option `foreign_war_extras`)."""
    markers = dict(table.board.state.get("minus_cards", {}))
    markers[power] = markers.get(power, 0) + change
    table.set("minus_cards", {one: number for one, number in sorted(markers.items()) if number}, section=SECTION)


class FightForeignWar(foreign_war.Fight):
    """Fight a foreign war, for 1 CP; if foreigners are left, it can be fought again in a later impulse."""

    section = SECTION
    wars = staticmethod(wars_of)
    over = staticmethod(end)


__all__ = [
    "ACTIONS", "ORDERS", "FightForeignWar", "Send", "begin", "change_markers", "end", "enemies_of", "fought",
    "homes_for", "is_open", "own_units", "place_of", "sources", "takes_new_units", "wars_of",
]  # fmt: skip
ORDERS = (Send,)
ACTIONS = (FightForeignWar,)
