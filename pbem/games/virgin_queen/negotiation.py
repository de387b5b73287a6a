"""9.1: the negotiation segment: talks, sealed announcements, confirmations; press."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.reformation import hands, treaties
from pbem.games.reformation.house import house
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
from pbem.games.virgin_queen import royals
from pbem.games.virgin_queen.packages import CLAUSES, Betroth
from pbem.table.asking import Moment, response
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


def negotiation(table: Table) -> Procedure:
    """9.1: the window, open to all for its time or until all say DONE; then what was announced is read."""
    table.set(TALKS, [list(table.board.powers)])
    answers = yield Talks(
        [
            TalkQuestion(power, "negotiation", list(WINDOW_ORDERS), section=SECTION, clauses=_CLAUSES)
            for power in table.board.powers
        ]
    )
    table.set(TALKS, None)
    yield from _card_of_the_talks(table)
    made = [package for power in table.board.powers for package in _packages_of(power, answers.get(power, []))]
    made = [package for package in made if _still_stands(table, package)]
    for number, package in enumerate(made, start=1):
        package.number = number
    treaties.announce(table, made)
    table.set(PACKAGES, [_to_json(package) for package in made] or None)


def _card_of_the_talks(table: Table) -> Procedure:
    """6.1: the window of LOUISE OF LORRAINE at the end of the talks, in turns in which all know that she may come."""
    moment = Moment("negotiation", table.board.powers[0])
    written = house(table).book.by_card(table.kit)
    cards = [card for card, event in written.items() if moment.name in event.moments]
    gone = {hands.BOX, hands.REMOVED, hands.DISCARD}
    hidden = [card for card in cards if not any(card in table.board.piles.get(pile, ()) for pile in gone)]
    if any(house(table).book.why_not(table, table.board.powers[0], card, moment) is None for card in hidden):
        yield from response(table, moment, section="6.1")


def _still_stands(table: Table, package: Package) -> bool:
    """9.1: whether anything is left of a package: a betrothal of whom a card of these talks married is void."""
    for clause in list(package.clauses):
        if not isinstance(clause, Betroth):
            continue
        if not (royals.is_eligible(table, clause.man) and royals.is_eligible(table, clause.woman)):
            table.tell("betrothal_void", power=package.power, man=clause.man, woman=clause.woman, section=SECTION)
            package.clauses.remove(clause)
    return bool(package.clauses)


def _packages_of(power: str, orders: list[Order]) -> list[Package]:
    found = [order for order in orders if isinstance(order, Announcement)]
    return [
        Package(order.package, power, [clause.filled(power) for clause in _CLAUSES.made(order.clauses)])
        for order in sorted(found, key=lambda order: order.package)
    ]


def _to_json(package: Package) -> dict[str, Any]:
    return {
        "number": package.number,
        "power": package.power,
        "clauses": [clause.to_clause() for clause in package.clauses],
    }


def confirmations(table: Table) -> Procedure:
    """9.1: the parties later in impulse order confirm or refuse; then the Empire has nobody for hire any more."""
    packages = [
        Package(entry["number"], entry["power"], _CLAUSES.made(entry["clauses"]))
        for entry in table.board.state.get(PACKAGES, ())
    ]
    together = table.options["diplomacy_asked"] == "together"
    yield from treaties.confirmation(table, packages, together=together)
    table.set(PACKAGES, None)
    table.set("for_hire", 0, why="announced", section=SECTION)


def press_allowed(table: Table, sender: str, receivers: Sequence[str]) -> Refused | None:
    """9.1: why a message may not be relayed now, or None. Public ones always may, private ones within the segment."""
    others = [power for power in table.board.powers if power != sender]
    if table.options["private_press"] == "always" or set(receivers) >= set(others):
        return None
    groups = table.board.state.get(TALKS)
    if groups and any({sender, *receivers} <= set(group) for group in groups):
        return None
    return Refused("private_press_in_negotiation")


ORDERS: tuple[type[Order], ...] = (*WINDOW_ORDERS, *treaties.CONFIRMATIONS)
