"""23.7: foreign wars. What both games share of them is in `reformation.foreign_war`.

State: ``minus_cards_lasting`` {power: number}; ``war_winner:<card>`` true where the foreigners began so strong that the
end of the war is worth VP.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.games.reformation import foreign_war, hands
from pbem.games.reformation.action import Action
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.construction import in_supply
from pbem.games.reformation.forces import can_add
from pbem.games.reformation.foreign_war import Contingent, can_send, contingents, is_open, own_units, place_of
from pbem.games.virgin_queen.victory import score
from pbem.games.virgin_queen.war import land
from pbem.table.asking import Ask, Card, choose_number
from pbem.table.orders import Many, Name, Number, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

SECTION = "23.7"
LASTING = "minus_cards_lasting"


def power_of(table: Table, card: str) -> str:
    """The power that the card of a foreign war strikes."""
    return str(table.kit.constants["foreign_wars"][card])


def wars_of(table: Table, power: str) -> list[str]:
    """The cards of the foreign wars that a power has to fight."""
    rows = table.kit.constants["foreign_wars"]
    return [card for card, whose in rows.items() if whose == power and is_open(table, card)]


# --- the beginning ---


def why_not_begin(table: Table, card: str) -> Refused | None:
    """23.7: why a foreign war cannot begin, or None: its power plays and has units enough that are not besieged."""
    power, least = power_of(table, card), table.kit.constants["foreign_war_own_least"]
    if power not in table.board.powers or can_send(table, power) < least:
        return Refused("too_few_for_foreign_war", SECTION, power=power, number=least)
    if is_open(table, card):
        return Refused("foreign_war_under_way", SECTION, card=card)
    return None


class Send(Order):
    """Send three to eight units, and at most one army leader, to a foreign war."""

    line = "SEND {parts}"
    parts = Many(Contingent)

    def check(self, table: Table, question: Question) -> None:
        least, most = question.context["least"], question.context["most"]
        units = foreign_war.check_sent(table, question.power, self.parts, SECTION)
        if not least <= units <= most:
            raise Refused("sent_out_of_range", SECTION, least=least, most=most, named=units)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        """From the largest stacks first, without a leader; silence sends as few as may go, which costs least."""
        for number in range(question.context["least"], question.context["most"] + 1):
            parts = contingents(table, question.power, number)
            if parts:
                yield cls(parts=parts)

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        orders = list(cls.candidates(table, question))
        return chance.choice(orders) if orders else None


def begin(table: Table, card: str, player: str) -> Procedure:
    """23.7: the power that is struck sends units; who played the card then says how strong the foreigners are."""
    constants, power = table.kit.constants, power_of(table, card)
    most = min(constants["foreign_war_own_most"], can_send(table, power))
    order = yield Ask(
        power,
        "event_choice",
        [Send],
        lambda t, q: next(Send.candidates(t, q)),
        context={"least": constants["foreign_war_own_least"], "most": most, "card": int(card)},
        section=SECTION,
    )
    foreign_war.send(table, power, card, order.parts, SECTION)
    weakest, strongest = constants["foreign_war_strengths"]
    enemies = yield from choose_number(
        table, player, weakest, strongest, section=SECTION, action="foreign_army", card=int(card)
    )
    table.tell("foreign_war", power=power, number=int(card), enemies=enemies, section=SECTION)
    foreign_war.set_foreigners_up(table, card, enemies, SECTION)
    if enemies == constants["foreign_war_vp_army"]:
        table.set(f"war_winner:{card}", True, section=SECTION)
    change_lasting(table, power, -constants["foreign_war_cards"])


def change_lasting(table: Table, power: str, change: int) -> None:
    """23.7: a card fewer in each deal while a foreign war lasts."""
    held = dict(table.board.state.get(LASTING, {}))
    held[power] = held.get(power, 0) + change
    table.set(LASTING, {one: number for one, number in sorted(held.items()) if number} or None, section=SECTION)


# --- the fight and the end ---


def end(table: Table, power: str, card: str) -> Procedure:
    """23.7: the foreigners are gone, by battle or by an event: VP if they began strong; who is left goes home."""
    constants = table.kit.constants
    for owner, kinds in dict(table.board.units.get(foreign_war.enemies_of(card), {})).items():
        for kind, number in dict(kinds).items():
            table.remove(owner, kind, foreign_war.enemies_of(card), number, why="foreign_war", section=SECTION)
    table.tell("foreign_war_over", power=power, number=int(card), section=SECTION)
    if card in table.board.piles.get(hands.ON_TABLE, ()):
        hands.put_away(table, card, hands.ON_TABLE, "removed")
    change_lasting(table, power, constants["foreign_war_cards"])
    if table.board.state.get(f"war_winner:{card}"):
        table.set(f"war_winner:{card}", None, section=SECTION)
        score.award(table, power, "war_winner", constants["foreign_war_vp"], section=SECTION)
    yield from foreign_war.go_home(table, power, card, SECTION)


class FightForeignWar(foreign_war.Fight):
    """Fight a foreign war, for 1 CP; if foreigners are left, it can be fought again in a later impulse."""

    section = SECTION
    wars = staticmethod(wars_of)
    over = staticmethod(end)

    def procedure(self, table: Table, power: str) -> Procedure:
        """23.7; a leader whose units are all dead goes home, nobody captures him (GB-73)."""
        card = self.named(table, power)
        assert card is not None
        yield from super().procedure(table, power)
        yield from foreign_war.leaders_go_home(table, power, card, SECTION)


class Reinforce(Action):
    """Build land units on the card of a foreign war, up to eight there."""

    line = "REINFORCE WAR WITH [{number}] {unit} [IN {card}]"
    number = Number(1, 20, optional=True)
    unit = Name("unit")
    card = Card(optional=True)

    @property
    def action(self) -> str:  # type: ignore[override]
        return land.ACTION_OF.get(self.unit, "") if self.unit in ("regular", "mercenary", "cavalry") else ""

    def cost(self, table: Table, power: str) -> int | None:
        """17: the cost of one unit, times the number."""
        if not self.action:
            return None
        each = super().cost(table, power)
        return None if each is None else each * (self.number or 1)

    def named(self, table: Table, power: str) -> str | None:
        """The war that is meant: without a card the only one there is."""
        return self.card or next(iter(wars_of(table, power)), None)

    def check_action(self, table: Table, power: str) -> None:
        card, number = self.named(table, power), self.number or 1
        if card is None or card not in wars_of(table, power):
            raise Refused("no_foreign_war", SECTION)
        most = table.kit.constants["foreign_war_own_most"]
        if own_units(table, card) + number > most:
            raise Refused("foreign_war_full", SECTION, most=most)
        if in_supply(table, power, self.unit) < number or not can_add(
            table, power, self.unit, place_of(card), number
        ):
            raise Refused("too_few_counters", "5.3", number=number, kind=self.unit, space=place_of(card))

    def procedure(self, table: Table, power: str) -> Procedure:
        """23.7, 17.2."""
        card = self.named(table, power)
        assert card is not None
        table.place(power, self.unit, place_of(card), self.number or 1, why="build", section=SECTION)
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in wars_of(table, question.power):
            for unit in atlas(table).land_kinds:
                yield cls(unit=unit, card=card)


ACTIONS: tuple[type[Order], ...] = (FightForeignWar, Reinforce)
ORDERS: tuple[type[Order], ...] = (Send,)
