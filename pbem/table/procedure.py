"""Procedures: the rules as generators, the table that they work on, and the play that drives them.

A procedure reads ``table.board``, changes it only through the table's methods, and waits by yielding a question. It
depends on board, answers and dice alone: no clock, no ``random``, no environment, no float, no iteration over a set.

Between two steps the game is at rest: the board alone says where it is. Inside a step, `Play.resume` runs the step's
generator again from the board at rest and feeds it the stored answers, rulings and dice; the facts must be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from pbem.table.board import Board
from pbem.table.dice import RecordedThrows, ReplayMismatch, Throws
from pbem.table.facts import Fact
from pbem.table.game import Game, ranking
from pbem.table.orders import Done, Order, Pass, Refused
from pbem.table.questions import NoDefault, Procedure, Question, Wait, Window
from pbem.table.table import NoThrows, Table, while_unchanged


class ReplayDiffers(Exception):
    """A step run again did not give the stored facts: the rules changed while it was open. Says where."""


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

    def __post_init__(self) -> None:
        self.table.game = self.game

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

    def question_for(self, power: str, order: Order | None = None) -> Question | None:
        """The question that an order of this power would answer: its first unanswered one, else a replaceable one.

        Of several that one is meant which the order may answer: losses and the way back may come in any order, and of
        two fleets that may avoid battle the one that can go where the order says.
        """
        mine = [q for q in self.questions() if q.power == power]
        missing = [q for q in mine if not self.answered(q)]
        replaceable = mine if self.wait and self.wait.replaceable else []
        if order is not None:
            fitting = [question for question in missing if type(order) in question.orders]
            if len(fitting) > 1:
                return next((question for question in fitting if question.is_legal(self.table, order)), fitting[0])
            for question in (*fitting, *replaceable):
                if type(order) in question.orders:
                    return question
        return next((question for question in (*missing, *replaceable)), None)

    def check(self, power: str, order: Order) -> Question:
        """The question that the order answers. Raises `Refused`."""
        if self.over:
            raise Refused("game_over")
        mine = [q for q in self.questions() if q.power == power]
        if not mine:
            raise Refused("nothing_asked", powers=list(self.waiting_for()))
        question = self.question_for(power, order)
        if question is None:
            raise Refused("answered_already")
        question.check(self.table, order)
        return question

    def may_close(self, power: str, order: Order, own: Collection[str]) -> bool:
        """Whether an order of a power may close the open wait, by all that the player of the powers `own` can know:
        which of the others have answered is none of it."""
        question = self.check(power, order)
        assert self.wait is not None
        answers = self._own_copy(self.sealed)
        wait = self.wait.copied()
        wait.add(answers, question.key, order)
        others = [q.key for q in wait.questions if q.power not in own]
        answered: Any = [Done()] if isinstance(wait, Window) else Pass()
        return wait.closed({**answers, **dict.fromkeys(others, answered)})

    def aside(self) -> Play:
        """This play, to be tried on: it takes answers of its own as long as none closes the wait, and never goes on."""
        wait = self.wait.copied() if self.wait else None
        return replace(self, wait=wait, sealed=self._own_copy(self.sealed), _running=None)

    @staticmethod
    def _own_copy(answers: Mapping[str, Any]) -> dict[str, Any]:
        return {key: list(said) if isinstance(said, list) else said for key, said in answers.items()}

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
        facts: list[Fact] = []
        self.table.facts = facts
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
        begun = self.game.next_step(self.table)
        if begun is None:
            self.step, self._running, self.over = None, None, True
            return True
        self.step, self._running = begun
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
        again: list[Fact] = []
        try:
            for act in acts:
                again += act(throws).facts
            if self.wait and sealed is not None:
                self.sealed = self.wait.answers_from_json(sealed)
        except (ReplayMismatch, ValueError, KeyError, AttributeError) as error:
            raise ReplayDiffers(f"step {self.step}, after {len(again)} facts: {error}") from error
        again, facts = without_asides(again), without_asides(facts)
        if again != facts:
            same = [a == b for a, b in zip(again, facts, strict=False)]
            at = same.index(False) if False in same else len(same)
            expected = facts[at] if at < len(facts) else None
            got = again[at] if at < len(again) else None
            raise ReplayDiffers(f"step {self.step}, fact {at}: stored {expected}, now {got}")

    def _feed_entry(self, entry: Mapping[str, Any], throws: Throws) -> Outcome:
        if "ruling" in entry:
            return self.rule(entry["ruling"])
        assert self.wait is not None
        self.sealed = self.wait.answers_from_json(entry["answers"])
        return self._feed(throws)


def without_asides(facts: Iterable[Fact]) -> list[Fact]:
    """Facts without those that only tell and bind nobody."""
    return [fact for fact in facts if not (fact["fact"] == "happened" and fact.get("aside"))]


def thrown_record(fact: Fact) -> dict[str, Any]:
    """A roll or a draw in the form that `RecordedThrows` takes."""
    if fact["fact"] == "roll":
        return {"what": fact["what"], "dice": fact["dice"], "sides": fact["sides"], "index": fact["index"]}
    return {"what": fact["what"], "dice": [fact["k"] + 1], "sides": fact["m"], "index": fact["index"]}


__all__ = [
    "Game",
    "NoDefault",
    "NoThrows",
    "Outcome",
    "Play",
    "Procedure",
    "ReplayDiffers",
    "Table",
    "ranking",
    "thrown_record",
    "without_asides",
    "while_unchanged",
]
