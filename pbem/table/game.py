"""A game as the table, the campaign and the tools see it: what its room answers (`pbem.games` finds it by id).

What stands under *may leave out* has a default here that suits a game without the thing; all else a game must have.
The hooks that rules shared by several games ask are the game's own `Game.rules`, for instance
`pbem.table.asking.CardRules`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any, Protocol

from pbem.table.facts import Fact
from pbem.table.kit import Kit
from pbem.table.orders import Order, Question, Refused
from pbem.table.questions import Procedure
from pbem.table.table import Table

TURN = "turn"
SHARED_SEATS = "shared_seats"
"""State: the powers of each seat that holds several, ``[[power, ...], ...]``; absent where none does."""


class OrderWatch(Protocol):
    """Follows the order of play of a game from outside, for random play: it works it out for itself."""

    rounds: int
    """How often it could look; a game of some length that has none was not watched."""

    def see(self, facts: Sequence[Fact], asks: Iterable[tuple[str, str]]) -> str | None:
        """What was out of the rulebook's order in an event, or None: its public facts, and who is asked after it, as
        ``(kind, power)``."""


class Game(Protocol):
    """A room. A game inherits from this, so that it gets the defaults and cannot forget what it must have."""

    id: str
    orders: Sequence[type[Order]]
    """Every kind of order of the game, so that one of another phase can be read and refused with a reason."""
    card_uses: Sequence[str] = ()
    """Why cards leave a hand, where a game has several uses of each: ``why`` of facts of cards, for counts of play-outs
    (a game may tell ``card_as_...`` instead)."""
    rules: Any = None
    """Flags and hooks that procedures shared with other games read, as ``table.game.rules``."""
    pairs: Sequence[str] = ()
    """The values of the state that are lists of pairs of powers: wars, alliances."""
    lends: bool = False
    """Whether a power that nobody holds may be played from the seat of another one (facts of ``players``)."""
    picture: ModuleType | None = None
    """How its board is drawn, a module as `pbem.drawing` says; the board of a game without one is shown in tables."""

    # before the game

    @abstractmethod
    def powers(self, kit: Kit, scenario: str) -> list[str]:
        """The powers that players may hold."""

    @abstractmethod
    def seats(self, kit: Kit, scenario: str, number: int, options: Mapping[str, Any]) -> list[list[str]] | None:
        """Which powers each seat holds with so many players; None where each seat takes one power of its choice."""

    @abstractmethod
    def play_order(self, kit: Kit, scenario: str, seats: Sequence[Sequence[str]]) -> list[str]:
        """The powers of these seats in the order of play, which is that of ``board.powers``.

        `seats` are the powers of each seat, as the players sit. The rules read ``board.powers`` as an order wherever
        the book says one, so it is the game that gives it, never the seats or a dictionary.
        """

    @abstractmethod
    def set_up(self, table: Table, scenario: str) -> None:
        """Lay the pieces out; asks nobody. What needs answers or dice of the players belongs to the first step."""

    # the game

    @abstractmethod
    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        """The step that the board says comes next, by name; None when the game is over."""

    @abstractmethod
    def faults(self, table: Table) -> Sequence[str]:
        """Invariants that the board breaks, in words; empty when all hold. Called after every fact in play-outs."""

    @abstractmethod
    def results(self, table: Table) -> list[dict[str, Any]]:
        """The ranking as it stands: ``{"power", "points", "place", "notes": [...]}`` best first; final when over."""

    # cases

    @abstractmethod
    def arrange(self, table: Table, name: str, value: Any) -> None:
        """Set a position up for a case, by one entry of ``arrange``. Raises `ValueError` for an unknown entry."""

    @abstractmethod
    def matches(self, table: Table, name: str, value: Any) -> Any:
        """Compare one entry of ``expect`` with the position: None when it holds, else what stands there instead."""

    @abstractmethod
    def case_words(self) -> Mapping[str, Sequence[str]]:
        """What the game's cases may say beyond what all know: words of ``arrange`` and ``expect``, and ``phases``."""

    # what a game may leave out

    def turn(self, table: Table) -> int:
        """The number of the turn that the book counts; by default the state's ``turn``, 0 where there is none."""
        return table.board.state.get(TURN, 0)

    def bounds(self, table: Table) -> Mapping[str, tuple[int, int | None]]:
        """The least and the most (None: no end) that numbers of the state, tracks and counters can be, by name, as far
        as the kit limits them. A ruling goes no further; the rules never do."""
        return {}

    def follow(self, table: Table) -> None:
        """Do what the rules make of a board by themselves once a ruling has changed it, and ask nobody: points are
        counted anew, for instance. By default nothing follows."""
        return

    def make_up(self, table: Table, facts: Sequence[Fact]) -> None:
        """Let the rules count the points that a ruling states (`facts`, done already): what is missing to what they
        count from the board is given as points of a ruling, so that it stays. By default there is nothing."""
        return

    def lay_down(self, table: Table, power: str) -> None:
        """Lay down what only the player of a power saw, since another one is to play it from now on, or nobody. By
        default there is nothing."""
        return

    def seat_results(self, table: Table, seats: Sequence[Sequence[str]]) -> list[dict[str, Any]] | None:
        """The ranking of seats (lists of powers): ``{"powers": [...], "points", "place", "notes": [...]}`` best first.

        None, the default, where the game ranks powers only.
        """
        return None

    def reasons(self, table: Table) -> list[dict[str, Any]]:
        """Why the points stand as they do, from what a reader sees: ``{"power": or None where it is nobody's, "points":
        as they stand, "reasons": [{"reason": a name of the phrases, "points", and its fields}]}`` in order.

        The sum of the reasons is what stands. By default there is nothing to say.
        """
        return []

    def may_reorder(self, table: Table) -> bool:
        """Whether, at this point of rest, no round is under way that goes by the order of play, so that a wrong one
        can be put right. By default that is so at every point of rest."""
        return True

    def press_allowed(self, table: Table, sender: str, receivers: Sequence[str]) -> Refused | None:
        """Why a message may not be relayed now, or None when it may; by default it always may."""
        return None

    def conditions(
        self, table: Table, power: str, question: Question | None, facts: Sequence[Fact]
    ) -> dict[str, Any]:
        """Name -> value of what conditions of standing orders and programs may ask besides the names of the board.

        `table` is what the power sees, `facts` what it was told since its program began. By default nothing.
        """
        return {}

    def order_watch(self, kit: Kit, seats: Sequence[Sequence[str]]) -> OrderWatch | None:
        """What follows the order of play in random play through the service, if there is anything."""
        return None


def lay_out(game: Game, table: Table, scenario: str, seats: Sequence[Sequence[str]]) -> None:
    """Set a new game up. `seats` are the powers of each; which of them have one player, the rules may read."""
    shared = [list(powers) for powers in seats if len(powers) > 1]
    if shared:
        table.set(SHARED_SEATS, shared)
    game.set_up(table, scenario)


def ranking(game: Game, table: Table, seats: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """The ranking of the seats where one of them holds several powers and the game scores them; else of the powers.

    Powers that a seat plays without holding them (``board.played_by``) are nobody's to score.
    """
    seats = [[power for power in powers if power not in table.board.played_by] for powers in seats]
    if any(len(powers) != 1 for powers in seats):
        of_seats = game.seat_results(table, seats)
        if of_seats is not None:
            return of_seats
    return game.results(table)
