"""11: what this game adds to the frame of impulses (`reformation.action`, `reformation.impulse`): treasures.

When the CP of a card are spent, or its event is over, a power may extend its impulse with one treasure. Its CP may not
go to a type of action that the CP of the card, or the 2 CP of a mandatory event, went to; after a normal event
there is no such limit. Marks: ``impulse:treasure`` true once one was used, ``impulse:types`` the types of action paid
by the card, ``impulse:free_types`` true after a normal event, ``impulse:from_treasure`` true while the CP of a treasure
are spent.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.reformation import hands
from pbem.games.reformation.impulse import EXTENDING
from pbem.games.reformation.marks import mark, note, set_mark
from pbem.games.virgin_queen.court import patronage
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.powers import activated
from pbem.games.virgin_queen.victory import score
from pbem.table.asking import Ask, Pass
from pbem.table.orders import Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

SECTION = "11"
EXTENDED, TYPES, FROM_TREASURE, FREE_TYPES = "treasure", "types", "from_treasure", "free_types"


def type_of(table: Table, action: str) -> str | None:
    """The type of a row of the table of actions, its colour on the power card."""
    row = table.kit.tables["actions"].get(action)
    return row["type"] if row else None


def why_not_action(table: Table, power: str, action: str) -> Refused | None:
    """11: the CP of a treasure buy no action of a type that the card's CP bought; 3.2: activated powers lack some."""
    reason = activated.why_not_action(table, power, action)
    if reason:
        return reason
    kind = type_of(table, action)
    if mark(table, "impulse", FROM_TREASURE) and kind in mark(table, "impulse", TYPES, []):
        return Refused("type_paid_by_card", SECTION, type=kind)
    return None


def event_noted(table: Table, power: str, card: str) -> None:
    """11: after a normal event there is no limit, though it gave CP (option `treasure_after_event`, GB-25)."""
    limited = table.options.get("treasure_after_event") == "limited"
    if hands.kind_of(table, card) != "mandatory" and not limited:
        set_mark(table, "impulse", FREE_TYPES, True)


def paid(table: Table, power: str, action: str) -> None:
    """11: remember the type of an action that the CP of the card, or the 2 CP of a mandatory event, bought."""
    kind = type_of(table, action)
    if kind and not mark(table, "impulse", FROM_TREASURE) and not mark(table, "impulse", FREE_TYPES):
        note(table, "impulse", TYPES, kind)


def extends(table: Table, power: str) -> bool:
    """11: whether a power holds a treasure and has used none in this impulse."""
    return bool(treasures.of(table, power)) and not mark(table, "impulse", EXTENDED)


class Extend(Order):
    """Extend your impulse with a treasure."""

    line = "TREASURE {treasure}"
    elsewhere = "for_end_of_impulse"
    treasure = Name("treasure")

    def check(self, table: Table, question: Question) -> None:
        mine = kinds_held(table, question.power)
        if self.treasure not in mine:
            raise Refused("treasure_not_held", SECTION, [f"TREASURE {kind.upper()}" for kind in mine])

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for kind in kinds_held(table, question.power):
            yield cls(treasure=kind)


def kinds_held(table: Table, power: str) -> list[str]:
    """The kinds of treasure in a hand, in the order of the kit."""
    return treasures.kinds_in(table, treasures.hand(power))


def extend(table: Table, power: str) -> Procedure:
    """11: the power may use one treasure. CP of it are spent action by action, as those of a card."""
    order = yield Ask(power, "treasure", [Extend, Pass], Pass(), context={"power": power}, section=SECTION)
    if not isinstance(order, Extend):
        return
    treasure = next(one for one in treasures.of(table, power) if one.partition(":")[0] == order.treasure)
    set_mark(table, "impulse", EXTENDED, True)
    set_mark(table, "impulse", FROM_TREASURE, True)
    row = treasures.row_of(table, treasure)
    table.tell("treasure_used", power=power, treasure=order.treasure, section=SECTION)
    if row["kind"] == "cp":
        treasures.spend(table, power, treasure, why="used", section=SECTION)
        table.set("cp_left", row["value"])
    elif row["kind"] == "vp":
        table.card(treasure, treasures.hand(power), treasures.GONE, why="used", section=SECTION)
        score.award(table, power, "treasure", 1, section=SECTION)
    elif row["kind"] == "draw_card":
        treasures.spend(table, power, treasure, why="used", section=SECTION)
        hands.draw_card(table, power, "treasure", section=SECTION)
    else:
        treasures.spend(table, power, treasure, why="used", section=SECTION)
        yield from patronage.pick_bonus(table, power, section=SECTION)


__all__ = ["ACTIONS", "EXTENDING", "ORDERS", "Extend", "extend", "extends", "paid", "type_of", "why_not_action"]

ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (Extend,)
