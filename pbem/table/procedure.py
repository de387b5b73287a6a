"""Procedures: the rules as generators, the table that they work on, and the play that drives them.

A procedure reads ``table.board``, changes it only through the table's methods, and waits by yielding a question. It
depends on board, answers and dice alone: no clock, no ``random``, no environment, no float, no iteration over a set.

Between two steps the game is at rest: the board alone says where it is. Inside a step, `Play.resume` runs the step's
generator again from the board at rest and feeds it the stored answers, rulings and dice; the facts must be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any, Protocol, TypeVar

from pbem.table.board import SUPPLY, Board
from pbem.table.dice import RecordedThrows, ReplayMismatch
from pbem.table.facts import Fact, apply
from pbem.table.kit import Kit
from pbem.table.orders import Done, Order, Refused
from pbem.table.questions import NoDefault, Question, Wait, Window

Procedure = Generator[Wait, Any, Any]
Worked = TypeVar("Worked")


class Thrown(Protocol):
    index: int | None
    dice: list[int]


class Throws(Protocol):
    """Where dice come from (`pbem.table.dice`)."""

    def throw(self, number: int, sides: int, what: str) -> Thrown:
        """`number` results from 1 to `sides`, and the index of the random event, or None for dice not of a campaign."""


class NoThrows:
    """For what must not throw; raises when asked to."""

    def throw(self, number: int, sides: int, what: str) -> Thrown:
        raise RuntimeError(f"dice are asked for out of turn: {what}")


class ReplayDiffers(Exception):
    """A step run again did not give the stored facts: the rules changed while it was open. Says where."""


class Table:
    """What a procedure works on: the board, the kit, the campaign's options, and the only ways to change the board."""

    def __init__(self, board: Board, kit: Kit, options: Mapping[str, Any] | None = None, throws: Throws | None = None):
        self.board = board
        self.kit = kit
        self.options = kit.settings(dict(options or {}))
        self.throws: Throws = throws or NoThrows()
        self.facts: list[Fact] = []
        self.watch: Callable[[Table, Fact], None] | None = None
        self._kept: dict[Any, Any] = {}
        self._kept_at: tuple[Board, int] = (board, board.changes)

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
        """Set a named piece down at a place, with marks of its own (``used=True``); None takes it off the board."""
        before = self.board.pieces.get(piece)
        after = None if at is None else {"at": at, **marks}
        if before != after:
            fact = {"fact": "piece", "piece": piece, "before": before, "after": after}
            if why:
                fact["why"] = why
            if section:
                fact["section"] = section
            self.do(fact)

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


class Game(Protocol):
    """What a game room gives the table (`pbem.games` finds it by id).

    A room whose seats may hold several powers also has ``seat_results(table, seats)``: the ranking of these seats
    (lists of powers), ``{"powers": [...], "points", "place", "notes": [...]}`` best first; `ranking` takes it.

    A room whose order of play is not that of the seats also has ``may_reorder(table)``: whether, at this point of rest,
    no round is under way that goes by the order of play, so that a wrong one can be put right.

    A room may have ``order_watch(kit, seats)``, which random play through the service asks: an object whose method
    ``see(facts, asks)`` follows the public facts of each event and who is asked after it (``(kind, power)``), and says
    what was out of the rulebook's order, or None. It works that order out for itself, from the kit and the seats.
    """

    id: str
    orders: Sequence[type[Order]]
    """Every kind of order of the game, so that one of another phase can be read and refused with a reason."""

    def powers(self, kit: Kit, scenario: str) -> list[str]:
        """The powers that players may hold."""

    def seats(self, kit: Kit, scenario: str, number: int, options: Mapping[str, Any]) -> list[list[str]] | None:
        """Which powers each seat holds with so many players; None where each seat takes one power of its choice."""

    def play_order(self, kit: Kit, scenario: str, seats: Sequence[Sequence[str]]) -> list[str]:
        """The powers of these seats in the order of play, which is that of ``board.powers``.

        `seats` are the powers of each seat, as the players sit. The rules read ``board.powers`` as an order wherever
        the book says one, so it is the game that gives it, never the seats or a dictionary.
        """

    def set_up(self, table: Table, scenario: str) -> None:
        """Lay the pieces out; asks nobody. What needs answers or dice of the players belongs to the first step."""

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        """The step that the board says comes next, by name; None when the game is over."""

    def faults(self, table: Table) -> list[str]:
        """Invariants that the board breaks, in words; empty when all hold. Called after every fact in play-outs."""

    def results(self, table: Table) -> list[dict[str, Any]]:
        """The ranking as it stands: ``{"power", "points", "place", "notes": [...]}`` best first; final when over."""

    def arrange(self, table: Table, name: str, value: Any) -> None:
        """Set a position up for a case, by one entry of ``arrange``. Raises `ValueError` for an unknown entry."""

    def matches(self, table: Table, name: str, value: Any) -> str | None:
        """Compare one entry of ``expect`` with the position: None when it holds, else what stands there instead."""

    def case_words(self) -> Mapping[str, Sequence[str]]:
        """What the game's cases may say beyond what all know: words of ``arrange`` and ``expect``, and ``phases``."""


def ranking(game: Game, table: Table, seats: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """The ranking of the seats where one of them holds several powers and the game scores them; else of the powers."""
    of_seats = getattr(game, "seat_results", None)
    if of_seats is None or all(len(powers) == 1 for powers in seats):
        return game.results(table)
    return of_seats(table, seats)


@dataclass
class Outcome:
    """What one answer, expiry or ruling brought."""

    facts: list[Fact]
    closed: bool
    """Whether the wait closed, so that the game went on."""
    fed: dict[str, Any] | None = None
    """What the procedure was fed, as JSON: an entry for `Play.resume`."""
    rest_at: int | None = None
    """How many of the facts came before the last point of rest; None when no step ended."""


@dataclass
class Play:
    """One game being played: drives the steps, holds the open wait and the sealed answers so far.

    After any exception but `Refused` a play is spoilt and must be dropped: a generator cannot be set back.
    """

    game: Game
    table: Table
    wait: Wait | None = None
    step: str | None = None
    over: bool = False
    sealed: dict[str, Any] = field(default_factory=dict)
    _running: Procedure | None = None
    _rest_at: int | None = None

    @property
    def board(self) -> Board:
        return self.table.board

    # what is open

    def questions(self) -> list[Question]:
        """The questions now open, answered ones that may be replaced included."""
        return list(self.wait.questions) if self.wait else []

    def waiting_for(self) -> list[str]:
        """The powers whose answer is still missing, in the order of the questions."""
        if not self.wait:
            return []
        missing = [q for q in self.wait.questions if not self.answered(q)]
        return list(dict.fromkeys(q.power for q in missing))

    def answered(self, question: Question) -> bool:
        """Whether an answer to an open question lies sealed (in a window: its DONE)."""
        if question.key not in self.sealed:
            return False
        if isinstance(self.wait, Window):
            return any(isinstance(o, Done) for o in self.sealed[question.key])
        return True

    def question_for(self, power: str) -> Question | None:
        """The question that an order of this power would answer: its first unanswered one, else a replaceable one."""
        mine = [q for q in self.questions() if q.power == power]
        for question in mine:
            if not self.answered(question):
                return question
        return mine[0] if mine and self.wait and self.wait.replaceable else None

    def check(self, power: str, order: Order) -> Question:
        """The question that the order answers. Raises `Refused`."""
        if self.over:
            raise Refused("the game is over")
        mine = [q for q in self.questions() if q.power == power]
        if not mine:
            waited = ", ".join(self.waiting_for()) or "nobody"
            raise Refused(f"nothing is asked of you now; the game waits for {waited}")
        question = self.question_for(power)
        if question is None:
            raise Refused("you have answered this already; the answer stands")
        question.check(self.table, order)
        return question

    # going on

    def start(self, throws: Throws) -> Outcome:
        """Begin with the step that the board says comes next."""
        return self._collect(throws, self._next_step)

    def answer(self, power: str, order: Order, throws: Throws) -> Outcome:
        """Take an order up. Raises `Refused`, and then nothing has changed."""
        question = self.check(power, order)
        assert self.wait is not None
        self.wait.add(self.sealed, question.key, order)
        return self._feed_if_closed(throws)

    def expire(self, throws: Throws) -> Outcome:
        """The time is over: silence answers what is still open. Raises `NoDefault` when silence answers nothing."""
        assert self.wait is not None
        if isinstance(self.wait, Window):
            for question in self.wait.questions:
                self.sealed.setdefault(question.key, [])
            return self._feed(throws)
        missing = {
            q.key: q.default_answer(self.table) for q in self.wait.questions if q.key not in self.sealed
        }
        for key, order in missing.items():
            self.sealed[key] = order
        return self._feed(throws)

    def rule(self, facts: Iterable[Fact]) -> Outcome:
        """Change the board at a wait by facts of a moderator. Raises `BadFact`."""

        def change() -> None:
            for fact in facts:
                self.table.do(fact)

        outcome = self._collect(NoThrows(), change)
        outcome.fed = {"ruling": outcome.facts}
        return outcome

    def _feed_if_closed(self, throws: Throws) -> Outcome:
        assert self.wait is not None
        if not self.wait.closed(self.sealed):
            return Outcome([], closed=False)
        return self._feed(throws)

    def _feed(self, throws: Throws) -> Outcome:
        assert self.wait is not None
        fed = {"answers": self.wait.answers_to_json(self.sealed)}
        value = self.wait.result(self.sealed)
        self.sealed = {}
        outcome = self._collect(throws, lambda: self._send(value))
        outcome.fed = fed
        return outcome

    def _collect(self, throws: Throws, act: Callable[[], None]) -> Outcome:
        self.table.throws = throws
        self.table.facts = facts = []
        self._rest_at = None
        try:
            act()
        finally:
            self.table.throws = NoThrows()
        return Outcome(facts, closed=True, rest_at=self._rest_at)

    def _send(self, value: Any) -> None:
        assert self._running is not None
        try:
            self.wait = self._running.send(value)
        except StopIteration:
            self._next_step()

    def _next_step(self) -> None:
        while not self._begin_step():
            pass

    def _begin_step(self) -> bool:
        """Begin the step that comes next; False when it went by without asking anybody."""
        self._rest_at = len(self.table.facts)
        self.wait = None
        found = self.game.next_step(self.table)
        if found is None:
            self.step, self._running, self.over = None, None, True
            return True
        self.step, self._running = found
        try:
            self.wait = next(self._running)
        except StopIteration:
            return False
        return True

    # coming back

    @classmethod
    def resume(
        cls,
        game: Game,
        table: Table,
        facts: Sequence[Fact],
        entries: Sequence[Mapping[str, Any]],
        sealed: Mapping[str, Any] | None = None,
    ) -> Play:
        """A play as it stood, from the board at the last point of rest.

        `table` holds that board (its own copy: it is changed); `facts` are the facts since, in order; `entries` what
        the open step's generator was fed since (`Outcome.fed`); `sealed` the answers of the open wait as JSON.
        Raises `ReplayDiffers` when the rules do not give these facts again.
        """
        play = cls(game, table)
        play._run_again([play.start, *(partial(play._feed_entry, entry) for entry in entries)], facts, sealed)
        return play

    def follow(
        self, facts: Sequence[Fact], entry: Mapping[str, Any] | None, sealed: Mapping[str, Any] | None = None
    ) -> None:
        """Go on with one more stored entry (None: an answer that was only sealed), as `resume` with it would.

        `facts` are what it brought, `sealed` the answers of the wait that is open after it. Raises `ReplayDiffers`.
        """
        self._run_again([] if entry is None else [partial(self._feed_entry, entry)], facts, sealed)

    def _run_again(
        self,
        acts: Iterable[Callable[[Throws], Outcome]],
        facts: Sequence[Fact],
        sealed: Mapping[str, Any] | None,
    ) -> None:
        """Do again what brought the facts, with their dice. Raises `ReplayDiffers` when others come of it."""
        throws = RecordedThrows([thrown_record(f) for f in facts if f["fact"] in ("roll", "draw")])
        found: list[Fact] = []
        try:
            for act in acts:
                found += act(throws).facts
            if self.wait and sealed:
                self.sealed = self.wait.answers_from_json(sealed)
        except (ReplayMismatch, ValueError, KeyError, AttributeError) as error:
            raise ReplayDiffers(f"step {self.step}, after {len(found)} facts: {error}") from error
        if found != list(facts):
            same = [a == b for a, b in zip(found, facts, strict=False)]
            at = same.index(False) if False in same else len(same)
            expected = facts[at] if at < len(facts) else None
            got = found[at] if at < len(found) else None
            raise ReplayDiffers(f"step {self.step}, fact {at}: stored {expected}, now {got}")

    def _feed_entry(self, entry: Mapping[str, Any], throws: Throws) -> Outcome:
        if "ruling" in entry:
            return self.rule(entry["ruling"])
        assert self.wait is not None
        self.sealed = self.wait.answers_from_json(entry["answers"])
        return self._feed(throws)


def thrown_record(fact: Fact) -> dict[str, Any]:
    """A roll or a draw in the form that `RecordedThrows` takes."""
    if fact["fact"] == "roll":
        return {"what": fact["what"], "dice": fact["dice"], "sides": fact["sides"], "index": fact["index"]}
    return {"what": fact["what"], "dice": [fact["k"] + 1], "sides": fact["m"], "index": fact["index"]}


__all__ = ["Game", "NoDefault", "Outcome", "Play", "Procedure", "ReplayDiffers", "Table", "Throws"]
