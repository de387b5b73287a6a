"""9.1, 7: the negotiation segment: talks, sealed announcements, confirmations; and the limited talks of turn 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.here_i_stand.packages import CLAUSES
from pbem.games.reformation import treaties
from pbem.games.reformation.treaties import (
    Addition,
    Announcement,
    Clauses,
    Package,
    PackageNumber,
    TalkQuestion,
    Talks,
    Withdraw,
)
from pbem.table.asking import choose
from pbem.table.orders import Done, Order, Refused
from pbem.table.procedure import Procedure, Table

SECTION = "9.1"
TALKS = "talks"
"""State: the groups of powers that may talk in private now, ``[[power, ...], ...]``; absent outside the segment."""
PACKAGES = "packages"
"""State: the packages announced, while they wait for their parties."""

_CLAUSES = Clauses(CLAUSES)


class Announce(Announcement):
    """Announce a package of clauses, sealed until the window closes; the same number again replaces it."""

    line = "ANNOUNCE {package} {clauses}"
    package = PackageNumber(1, treaties.MOST_PACKAGES)
    clauses = Clauses(CLAUSES)


class Add(Addition):
    """Add clauses to a package that you have announced."""

    line = "ADD TO {package} {clauses}"
    package = PackageNumber(1, treaties.MOST_PACKAGES)
    clauses = Clauses(CLAUSES)


WINDOW_ORDERS: tuple[type[Order], ...] = (Announce, Add, Withdraw, Done)


def question(power: str, partners: list[str] | None = None, announces: bool = False) -> TalkQuestion:
    """A power's part in a negotiation window."""
    context: dict[str, Any] = {"with": partners} if partners else {}
    return TalkQuestion(
        power,
        "negotiation",
        list(WINDOW_ORDERS),
        context=context,
        section="7" if partners else SECTION,
        partners=partners,
        announces=announces,
        clauses=_CLAUSES,
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
    made = [
        package
        for power in table.board.powers
        for package in packages_of(power, answers.get(power, []))
    ]
    for number, package in enumerate(made, start=1):
        package.number = number
    treaties.announce(table, made)
    table.set(PACKAGES, [_to_json(package) for package in made] or None)


def packages_of(power: str, orders: list[Order]) -> list[Package]:
    """A power's announcements as packages, by their numbers."""
    found = [order for order in orders if isinstance(order, Announcement)]
    return [
        Package(order.package, power, [clause.filled(power) for clause in _CLAUSES.made(order.clauses)])
        for order in sorted(found, key=lambda order: order.package)
    ]


def _to_json(package: Package) -> dict[str, Any]:
    clauses = [clause.to_clause() for clause in package.clauses]
    return {"number": package.number, "power": package.power, "clauses": clauses}


def confirmations(table: Table) -> Procedure:
    """9.1: the parties later in impulse order confirm or refuse; what all confirm takes effect at once, in order."""
    packages = [
        Package(entry["number"], entry["power"], _CLAUSES.made(entry["clauses"]))
        for entry in table.board.state.get(PACKAGES, ())
    ]
    together = table.options["diplomacy_asked"] == "together"
    yield from treaties.confirmation(table, packages, together=together)
    table.set(PACKAGES, None)


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
            [question(england, partners, announces=True), *(question(other, [england]) for other in partners)]
        )
        orders = list(answers.get(england, []))
    else:
        orders = []
        first = yield from choose(
            table, england, "power", lambda t: partners, kind="negotiation_order", section="7"
        )
        for other in sorted(partners, key=lambda partner: partner != first):
            table.set(TALKS, [[england, other]])
            answers = yield Talks([question(england, [other], announces=True), question(other, [england])])
            orders += answers.get(england, [])
    table.set(TALKS, None)
    made = packages_of(england, orders)
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
    """9.1: why a message may not be relayed now, or None when it may.

    Public messages (to all other powers) always may; private ones within the negotiation segment, on turn 1 between
    England and the power that it meets; with option `private_press` ``always`` at any time.
    """
    others = [power for power in table.board.powers if power != sender]
    if table.options["private_press"] == "always" or set(receivers) >= set(others):
        return None
    groups = table.board.state.get(TALKS)
    if not groups:
        return Refused("private_press_in_negotiation")
    if any({sender, *receivers} <= set(group) for group in groups):
        return None
    return Refused("private_press_of_england")


ORDERS: tuple[type[Order], ...] = (*WINDOW_ORDERS, *treaties.CONFIRMATIONS)
