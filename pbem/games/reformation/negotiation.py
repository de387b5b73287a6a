"""9.1: what the negotiation segments of both games share: packages in the state, confirmations, press.

State: ``talks`` the groups of powers that may talk in private now, ``[[power, ...], ...]``, absent outside the segment;
``packages`` those announced, while they wait for their parties.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.reformation import treaties
from pbem.games.reformation.treaties import (
    MOST_PACKAGES,
    Addition,
    Announcement,
    Clause,
    Clauses,
    Package,
    PackageNumber,
    Withdraw,
)
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table

SECTION = "9.1"
TALKS, PACKAGES = "talks", "packages"


class Deals:
    """9.1: the packages that may be made of a game's clauses: the orders of its window, and what comes of them."""

    def __init__(self, kinds: Sequence[type[Clause]]):
        self.clauses = Clauses(kinds)

        class Announce(Announcement):
            """Announce a package of clauses, sealed until the window closes; the same number again replaces it."""

            line = "ANNOUNCE {package} {clauses}"
            package = PackageNumber(1, MOST_PACKAGES)
            clauses = Clauses(kinds)

        class Add(Addition):
            """Add clauses to a package that you have announced."""

            line = "ADD TO {package} {clauses}"
            package = PackageNumber(1, MOST_PACKAGES)
            clauses = Clauses(kinds)

        self.orders: tuple[type[Order], ...] = (Announce, Add, Withdraw)
        """What a power may do with its packages while the window is open."""

    def packages_of(self, power: str, orders: Sequence[Order]) -> list[Package]:
        """A power's announcements as packages, by their numbers."""
        announcements = [order for order in orders if isinstance(order, Announcement)]
        return [
            Package(order.package, power, [clause.filled(power) for clause in self.clauses.made(order.clauses)])
            for order in sorted(announcements, key=lambda order: order.package)
        ]

    def confirm(self, table: Table) -> Procedure:
        """9.1: the parties later in impulse order confirm or refuse; what all confirm is done at once, in order."""
        packages = [
            Package(entry["number"], entry["power"], self.clauses.made(entry["clauses"]))
            for entry in table.board.state.get(PACKAGES, ())
        ]
        together = table.options["diplomacy_asked"] == "together"
        yield from treaties.confirmation(table, packages, together=together)
        table.set(PACKAGES, None)


def announce(table: Table, made: Sequence[Package]) -> None:
    """9.1: what was announced is numbered through and read; it waits in the state for its parties."""
    for number, package in enumerate(made, start=1):
        package.number = number
    treaties.announce(table, list(made))
    table.set(PACKAGES, [_to_json(package) for package in made] or None)


def _to_json(package: Package) -> dict[str, Any]:
    clauses = [clause.to_clause() for clause in package.clauses]
    return {"number": package.number, "power": package.power, "clauses": clauses}


def press_refused(table: Table, sender: str, receivers: Sequence[str], in_groups: str) -> Refused | None:
    """9.1: why a message may not be relayed now, or None when it may.

    Public messages (to all other powers) always may; private ones within the negotiation segment, in the groups that
    talk then, else `in_groups` is the refusal; with option `private_press` ``always`` at any time.
    """
    others = [power for power in table.board.powers if power != sender]
    if table.options["private_press"] == "always" or set(receivers) >= set(others):
        return None
    groups = table.board.state.get(TALKS)
    if not groups:
        return Refused("private_press_in_negotiation")
    return None if any({sender, *receivers} <= set(group) for group in groups) else Refused(in_groups)
