"""9.1, 7: the negotiation segment: talks, sealed announcements, confirmations; and the limited talks of turn 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.here_i_stand.diplomacy.packages import CLAUSES
from pbem.games.reformation import treaties
from pbem.games.reformation.negotiation import SECTION, TALKS, Deals, announce, press_refused
from pbem.games.reformation.treaties import TalkQuestion, Talks
from pbem.table.asking import choose
from pbem.table.orders import Done, Order, Refused
from pbem.table.procedure import Procedure, Table

_DEALS = Deals(CLAUSES)


WINDOW_ORDERS: tuple[type[Order], ...] = (*_DEALS.orders, Done)


def question(power: str, partners: list[str] | None = None, announcer: str = "") -> TalkQuestion:
    """A power's part in a negotiation window; `announcer`: who alone announces in it."""
    context: dict[str, Any] = {"with": partners} if partners else {}
    if announcer not in ("", power):
        context["announcer"] = announcer
    return TalkQuestion(
        power,
        "negotiation",
        list(WINDOW_ORDERS),
        context=context,
        section="7" if partners else SECTION,
        partners=partners,
        announcer=announcer,
        clauses=_DEALS.clauses,
    )


def is_limited(table: Table) -> bool:
    """7: on turn 1 only England negotiates, with France and with the Hapsburgs."""
    return table.board.state["turn"] == 1


def negotiation(table: Table) -> Procedure:
    """9.1: the negotiation window, open to all for its time or until all say DONE; then what was announced is read."""
    if is_limited(table):
        yield from turn_one(table)
        return
    table.set(TALKS, [list(table.board.powers)])
    answers = yield Talks([question(power) for power in table.board.powers])
    table.set(TALKS, None)
    powers = table.board.powers
    announce(table, [one for power in powers for one in _DEALS.packages_of(power, answers.get(power, []))])


def confirmations(table: Table) -> Procedure:
    """9.1: the parties later in impulse order confirm or refuse; what all confirm takes effect at once, in order."""
    yield from _DEALS.confirm(table)


# --- turn 1 ---


def turn_one(table: Table) -> Procedure:
    """7: England talks with France or the Hapsburgs, then with the other; then it announces, the Hapsburgs first.

    The Hapsburgs confirm, with effect at once, before what concerns France is announced (S-031).
    """
    pairs = table.kit.constants["turn_one_negotiations"]
    england = pairs[0][0]
    partners = [other for _, other in pairs]
    if table.options["turn_one_talks"] == "together":
        table.set(TALKS, [list(pair) for pair in pairs])
        answers = yield Talks(
            [question(england, partners, england), *(question(other, [england], england) for other in partners)]
        )
        orders = list(answers.get(england, []))
    else:
        orders = []
        first = yield from choose(
            table, england, "power", lambda t: partners, kind="negotiation_order", section="7"
        )
        for other in sorted(partners, key=lambda partner: partner != first):
            table.set(TALKS, [[england, other]])
            answers = yield Talks([question(england, [other], england), question(other, [england], england)])
            orders += answers.get(england, [])
    table.set(TALKS, None)
    made = _DEALS.packages_of(england, orders)
    number = 0
    for other in partners:
        mine = [package for package in made if other in package.parties(table)]
        for package in mine:
            number += 1
            package.number = number
        treaties.announce(table, mine)
        yield from treaties.confirmation(table, mine, together=False)


# --- press ---


def press_allowed(table: Table, sender: str, receivers: Sequence[str]) -> Refused | None:
    """9.1: why a message may not be relayed now, or None; on turn 1 England talks with the power that it meets."""
    return press_refused(table, sender, receivers, "private_press_of_england")


ORDERS: tuple[type[Order], ...] = (*WINDOW_ORDERS, *treaties.CONFIRMATIONS)
