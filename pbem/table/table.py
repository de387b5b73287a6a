"""The table: what a procedure works on, and the only ways to change the board.

It knows of its game no more than what `Ruled` says: the flags and hooks that procedures shared by several games read
as ``table.game.rules``, and the kinds of order that there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Protocol, TypeVar

from pbem.table.board import SUPPLY, Board
from pbem.table.dice import Thrown, Throws
from pbem.table.facts import Fact, apply
from pbem.table.kit import Kit

Worked = TypeVar("Worked")


class Ruled(Protocol):
    """What the table knows of its game (`pbem.table.game.Game` says all of it)."""

    id: str
    orders: Sequence[Any]
    rules: Any


class NoThrows:
    """For what must not throw; raises when asked to."""

    def throw(self, number: int, sides: int, what: str) -> Thrown:
        raise RuntimeError(f"dice are asked for out of turn: {what}")


class Table:
    """What a procedure works on: the board, the kit, the campaign's options, and the only ways to change the board."""

    def __init__(
        self,
        board: Board,
        kit: Kit,
        options: Mapping[str, Any] | None = None,
        throws: Throws | None = None,
        *,
        game: Ruled | None = None,
    ):
        """`game` may follow later (`pbem.table.procedure.Play` sets it), where no rule is asked before."""
        self.board = board
        self._game = game
        self.kit = kit
        self.options = kit.settings(dict(options or {}))
        self.throws: Throws = throws or NoThrows()
        self.facts: list[Fact] = []
        self.watch: Callable[[Table, Fact], None] | None = None
        self._kept: dict[Any, Any] = {}
        self._kept_at: tuple[Board, int] = (board, board.changes)

    @property
    def game(self) -> Ruled:
        """The game that is played. Raises `LookupError` at a table that was laid without one."""
        if self._game is None:
            raise LookupError(f"this table was laid without the rules of {self.board.game}")
        return self._game

    @game.setter
    def game(self, game: Ruled) -> None:
        self._game = game

    def kept(self) -> dict[Any, Any]:
        """What `while_unchanged` keeps: worked out from the board as it stands now."""
        board, changes = self._kept_at
        if board is not self.board or changes != board.changes:
            self._kept = {}
            self._kept_at = (self.board, self.board.changes)
        return self._kept

    def do(self, fact: Fact) -> None:
        """Put a fact on record and fold it into the board. Raises `BadFact`."""
        apply(self.board, fact)
        self.facts.append(fact)
        if self.watch:
            self.watch(self, fact)

    def tell(self, what: str, **fields: Any) -> None:
        """A mark in the story: something happened (``what``), with free fields for the narrative."""
        self.do({"fact": "happened", "what": what, **fields})

    def announce(self, what: str, **fields: Any) -> None:
        """The same, of what is about to be done. It only tells: a step that was recorded before it was told goes on
        (`pbem.table.procedure`)."""
        self.tell(what, aside=True, **fields)

    def set(self, name: str, value: Any, **more: Any) -> None:
        """Change a named value; nothing is recorded when it stays the same."""
        before = self.board.state.get(name)
        if before != value:
            self.do({"fact": "state", "name": name, "before": before, "after": value, **more})

    def count(self, track: str, power: str, change: int, **more: Any) -> None:
        """Add to a number of a power; nothing is recorded for a change of nought, unless it is the first value."""
        present = self.board.tracks.get(track, {})
        if change or power not in present:
            before = present.get(power)
            after = (before or 0) + change
            self.do(
                {"fact": "count", "track": track, "power": power, "before": before, "after": after, "change": change}
                | more
            )

    def counter(self, name: str, change: int, **more: Any) -> None:
        """Add to a number that belongs to no power; nothing is recorded for a change of nought, unless it is the first
        value."""
        counters = self.board.counters
        if change or name not in counters:
            before = counters.get(name)
            after = (before or 0) + change
            self.do({"fact": "counter", "name": name, "before": before, "after": after, "change": change} | more)

    def move(self, power: str, kind: str, number: int, origin: str | None, place: str | None, **more: Any) -> None:
        """Move interchangeable pieces; None as origin or place is out of the box, for the set-up only."""
        if number:
            self.do(
                {"fact": "units", "kind": kind, "power": power, "number": number, "origin": origin, "place": place}
                | more
            )

    def place(self, power: str, kind: str, place: str, number: int = 1, **more: Any) -> None:
        """Take interchangeable pieces from the supply and put them at a place."""
        self.move(power, kind, number, SUPPLY, place, **more)

    def remove(self, power: str, kind: str, place: str, number: int = 1, **more: Any) -> None:
        """Put interchangeable pieces at a place back into the supply."""
        self.move(power, kind, number, place, SUPPLY, **more)

    def put(
        self, piece: str, at: str | None, *, why: str | None = None, section: str | None = None, **marks: Any
    ) -> None:
        """Set a named piece down at a place, with just these marks of its own (``used=True``); None takes it off.

        A mark that it bore and that is not named is gone: see `shift` and `mark` for pieces that keep theirs.
        """
        before = self.board.pieces.get(piece)
        after = None if at is None else {"at": at, **marks}
        if before != after:
            fact = {"fact": "piece", "piece": piece, "before": before, "after": after}
            if why:
                fact["why"] = why
            if section:
                fact["section"] = section
            self.do(fact)

    def shift(self, piece: str, at: str, *, why: str | None = None, section: str | None = None, **marks: Any) -> None:
        """Move a named piece that lies on the board; it keeps its marks, but for those named (None: taken off)."""
        kept = {name: value for name, value in self.board.pieces[piece].items() if name != "at"} | marks
        self.put(piece, at, why=why, section=section, **{n: value for n, value in kept.items() if value is not None})

    def mark(self, piece: str, *, why: str | None = None, section: str | None = None, **marks: Any) -> None:
        """Change marks of a named piece where it lies (``flipped=True``); the others stay, None takes one off."""
        self.shift(piece, self.board.pieces[piece]["at"], why=why, section=section, **marks)

    def card(self, card: str, origin: str | None, place: str | None, **more: Any) -> None:
        """Move a card from one pile to another."""
        self.do({"fact": "card", "card": card, "origin": origin, "place": place} | more)

    def roll(self, what: str, power: str | None, number: int = 1, sides: int = 6, **more: Any) -> list[int]:
        """Throw dice for a purpose; returns the results, each from 1 to `sides`."""
        thrown = self.throws.throw(number, sides, what)
        dice = list(thrown.dice)
        self.do(
            {"fact": "roll", "what": what, "power": power, "dice": dice, "sides": sides, "index": thrown.index} | more
        )
        return dice

    def throw(self, what: str, power: str | None, number: int, die: str, **more: Any) -> list[str]:
        """Throw dice of the kit; returns the faces that they show. Raises `KeyError` where the kit has no such die."""
        faces = self.kit.dice[die]
        thrown = self.throws.throw(number, len(faces), what)
        dice = list(thrown.dice)
        shown = [faces[result - 1] for result in dice]
        fact = {"fact": "roll", "what": what, "power": power, "dice": dice, "sides": len(faces), "index": thrown.index}
        self.do(fact | {"die": die, "faces": shown} | more)
        return shown

    def pick(self, what: str, among: Sequence[str], *, sight: list[str] | None = None, **more: Any) -> str:
        """Draw one of several by chance, lazily: position k of m. `sight`: the powers that alone may see which."""
        if not among:
            raise ValueError(f"nothing to draw from: {what}")
        thrown = self.throws.throw(1, len(among), what)
        k = thrown.dice[0] - 1
        fact = {"fact": "draw", "what": what, "k": k, "m": len(among), "index": thrown.index, "card": among[k]} | more
        if sight is not None:
            fact["sight"] = sight
        self.do(fact)
        return among[k]

    def draw(self, what: str, pile: str, place: str, *, sight: list[str] | None = None, **more: Any) -> str:
        """Draw a card by chance from a pile into another; returns its id."""
        card = self.pick(what, self.board.piles.get(pile, []), sight=sight, pile=pile, place=place, **more)
        self.card(card, pile, place, **({"to": sight} if sight is not None else {}), **more)
        return card


def while_unchanged(work: Callable[..., Worked]) -> Callable[..., Worked]:
    """Let a function of a table and names keep what it returns for as long as the board stays as it is.

    An order is sampled out of hundreds of candidates, which are all checked on the same board. What is returned is
    shared by all who ask: nobody may change it.
    """

    @wraps(work)
    def kept_or_worked_out(table: Table, *names: Any) -> Worked:
        kept, key = table.kept(), (work, *names)
        if key not in kept:
            kept[key] = work(table, *names)
        return kept[key]

    return kept_or_worked_out
