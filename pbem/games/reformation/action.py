"""11: the Action Phase. Impulses in impulse order; in one, each action is a step of its own, so a point of rest.

State while an impulse runs: ``active`` the power, ``card`` the number of the card that it played, ``cp_left`` the CP
not spent (absent before a card is played), ``impulse`` the number of the impulse in the game, ``passes`` how many
powers passed in a row; the mark ``turn:skipped`` lists those that lost an impulse meanwhile and have still to pass.
"""

from __future__ import annotations

import random
from typing import Any, ClassVar

from pbem.games.reformation import hands, marks, siege
from pbem.games.reformation.choices import free_responses
from pbem.games.reformation.forces import make_change
from pbem.games.reformation.house import house
from pbem.games.reformation.impulse import (
    EXTENDING,
    SKIPPED,
    End,
    PlayCard,
    choose_card,
    end_impulse,
    leave_impulse,
    next_power,
    passes_that_end,
    possible_actions,
    respond,
)
from pbem.games.reformation.sequence import AGAIN
from pbem.table.asking import Ask, Moment, Respond, response
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question


def happens(table: Table) -> bool:
    """Every turn has an Action Phase."""
    return True


def start(table: Table) -> Procedure:
    """11: the phase begins with the first power in impulse order."""
    table.set("passes", 0)
    table.set("active", table.board.powers[0])
    return
    yield


def impulses(table: Table) -> Procedure:
    """11: one step of the phase: a card, or one action, or a pass; until six powers in a row have passed."""
    state = table.board.state
    if state["passes"] >= passes_that_end(table):
        return None
    power = state["active"]
    if EXTENDING in state:
        yield from extension(table, power)
    elif "cp_left" not in state:
        yield from begin_impulse(table, power)
    else:
        yield from one_action(table, power)
    return AGAIN


def extension(table: Table, power: str) -> Procedure:
    """The CP are spent: what gives more is asked for; without it the impulse is over."""
    table.set(EXTENDING, None)
    yield from house(table).extend(table, power)
    if table.board.state["active"] == power and not table.board.state.get("cp_left"):
        leave_impulse(table)


def end(table: Table) -> Procedure:
    """The phase is over."""
    marks.clear(table, "impulse")
    table.set("active", None)
    table.set("passes", None)
    return
    yield


# --- the impulse ---


def begin_impulse(table: Table, power: str) -> Procedure:
    """11: the power plays a card or passes. Another power may act in its place (`HouseRules.other_impulse`)."""
    marks.clear(table, "impulse")
    hands.take_up(table)
    table.set("impulse", table.board.state["impulse"] + 1)
    others = [other for other in table.board.powers if other != power]
    yield from response(table, Moment("any_time", power), others, section="6.1")
    if marks.noted(table, "turn", "skips_impulse", power):
        return _skip(table, power)
    other = house(table).other_impulse(table, power)
    if other is not None:
        return (yield from other(table))
    return (yield from choose_card(table, power))


def _skip(table: Table, power: str) -> None:
    """Card 38: an impulse is lost. That is no pass: the power has still to pass before the phase ends (11)."""
    left = [one for one in marks.mark(table, "turn", "skips_impulse", []) if one != power]
    marks.set_mark(table, "turn", "skips_impulse", left or None)
    table.tell("impulse_skipped", power=power)
    marks.note(table, "turn", SKIPPED, power)
    next_power(table)


# --- actions ---


class Action(Order):
    """Base of all actions. A subclass names its line in the action table, checks, and carries itself out.

    `action` is the row of the kit's table ``actions``; `cost` may be overridden. `check_action` raises `Refused`;
    `procedure` is the action after its CP are spent.
    """

    action: ClassVar[str] = ""
    elsewhere: ClassVar[str] = "for_action_of_impulse"

    def cost(self, table: Table, power: str) -> int | None:
        """The CP that the action costs a power (11.1); None where the power does not have it."""
        return table.kit.tables["actions"][self.action][power]

    def row(self, table: Table) -> str:
        """The row of the table that tells what the order does."""
        return self.action

    def check(self, table: Table, question: Question) -> None:
        power = question.power
        cost = self.cost(table, power)
        if cost is None:
            raise Refused("no_such_action", "11.1", power=power)
        left = table.board.state.get("cp_left", 0)
        if cost > left:
            raise Refused("too_few_cp", "11.1", cost=cost, left=left)
        if isinstance(question, Ask) and question.among and self.id() not in question.among(table):
            raise Refused("action_not_now", question.section)
        reason = house(table).why_not_action(table, power, self.action)
        if reason:
            raise reason.under("11.1")
        self.check_action(table, power)

    def check_action(self, table: Table, power: str) -> None:
        """Raise `Refused` when the rules do not allow the action now."""

    def procedure(self, table: Table, power: str) -> Procedure:
        """The action itself."""
        raise NotImplementedError

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        """One legal action: candidates in an order by chance, the first that is legal."""
        orders = list(cls.candidates(table, question))
        chance.shuffle(orders)
        return next((order for order in orders if question.is_legal(table, order)), None)


def one_action(table: Table, power: str) -> Procedure:
    """11.1: the power names an action, pays for it, and it is resolved whole; or it ends its impulse."""
    order = yield Ask(
        power,
        "action",
        [*house(table).actions, Respond, End],
        End(),
        context={"power": power, "cp_left": table.board.state["cp_left"]},
        section="11.1",
        moment=Moment("any_time", power),
        possible=possible_actions,
    )
    if isinstance(order, End):
        return end_impulse(table)
    if isinstance(order, Respond):
        return (yield from respond(table, power, order))
    yield from carry_out(table, power, order)
    if table.board.state["active"] != power:
        return None
    if not goes_on(table, power):
        # The window after this action is the one in which the next impulse begins.
        return end_impulse(table)
    make_change(table)
    yield from free_responses(table, power)
    return None


def goes_on(table: Table, power: str) -> bool:
    """Whether there are CP left, or an action that costs none."""
    return bool(table.board.state.get("cp_left")) or house(table).acts_without_cp(table, power)


def carry_out(table: Table, power: str, order: Any) -> Procedure:
    """Pay for an action and resolve it, with what follows from it (broken sieges)."""
    marks.clear(table, "action")
    cost = order.cost(table, power)
    spend(table, cost, order.action)
    if cost:
        house(table).paid(table, power, order.action)
    yield from order.procedure(table, power)
    yield from siege.check_sieges(table)
    marks.clear(table, "action")


def spend(table: Table, cp: int, why: str | None = None) -> None:
    """Spend CP of the impulse; responses may take some too (Foul Weather, Gout), never below nought."""
    table.set("cp_left", max(0, table.board.state.get("cp_left", 0) - cp), why=why)


def limited_actions(
    table: Table, power: str, cp: int, kinds: tuple[str, ...], section: str, more: tuple[type[Order], ...] = ()
) -> Procedure:
    """CP that an event gives to a power for certain actions only (Foreign Recruits, Scots Raid), spent at once.

    `kinds` are ids of orders, `more` actions for such CP alone. The impulse's own ``cp_left`` is set aside meanwhile.
    """
    before = table.board.state.get("cp_left")
    table.set("cp_left", cp)
    while table.board.state.get("cp_left"):
        order = yield Ask(
            power,
            "action",
            [*(kind for kind in house(table).actions if kind.id() in kinds), *more, End],
            End(),
            context={"power": power, "cp_left": table.board.state["cp_left"]},
            section=section,
            possible=possible_actions,
        )
        if isinstance(order, End):
            break
        yield from carry_out(table, power, order)
        if table.board.state.get("cp_left"):
            yield from free_responses(table, power)
    table.set("cp_left", before)


SEGMENTS = (("start", start), ("impulses", impulses), ("end", end))
ORDERS: tuple[type[Order], ...] = (PlayCard, End)
