"""The pace of a campaign by mail: random games under simulated reply times, with and without what saves round trips.

What is assumed: a seat reads what it is asked and answers after a time by chance (log-normal; some players are slow),
at the latest at the deadline of the kit, where silence answers. Seats that are asked together think at the same time. A
window of talks lasts its whole time. A mail that begins a turn of one's own is a program: it goes on answering the
questions of that turn (`pbem.table.conditions.program_kinds`) whatever comes between, and those in the middle of its
actions that a program can foresee (the kit's ``ahead``). Whoever is asked such a thing by others, several times in a
row, answers all of it in one mail, a line for each. What begins a turn the game says (`begins_turn`). Standing
orders answer at once. Of the programs a share may be sent before their turn has come (``NEXT``): its player then thinks
while others play, from the end of his last turn on.

A round trip is a wait that at least one answer by hand was needed for. Orders are by chance, so what is measured is how
the rules interrupt each other, not how well anybody plays.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from pbem.table.board import Board
from pbem.table.conditions import (
    Sight,
    begins_turn,
    foreseen_kinds,
    presets,
    program_kinds,
    read_conditions,
    standing_answer,
)
from pbem.table.dice import RandomThrows
from pbem.table.game import lay_out
from pbem.table.kit import Kit
from pbem.table.orders import Done, Order, read_order
from pbem.table.playout import MOST_ANSWERS, Broken
from pbem.table.procedure import Game, Play, Table
from pbem.table.questions import NoDefault, Question, Window

log = logging.getLogger(__name__)

MOST_TALK = 3
"""Orders of one seat in a window of talks."""


@dataclass(frozen=True)
class Replies:
    """How long players take: a log-normal time of this median; `slow` of the seats take `slowness` times as long."""

    median_hours: float = 10.0
    spread: float = 0.9
    slow: float = 1 / 3
    slowness: float = 2.5

    def paces(self, seats: Sequence[str], chance: random.Random) -> dict[str, float]:
        """The median of each seat, in hours; which are slow is drawn."""
        slow = set(chance.sample(list(seats), round(self.slow * len(seats))))
        return {seat: self.median_hours * (self.slowness if seat in slow else 1) for seat in seats}

    def draw(self, median_hours: float, chance: random.Random) -> float:
        """One time, in hours."""
        return median_hours * chance.lognormvariate(0, self.spread)


@dataclass
class Turn:
    """What a turn of one game took."""

    number: int
    hours: float = 0.0
    trips: int = 0
    """Waits that an answer by hand was needed for."""
    saved: int = 0
    """Waits that standing orders and programs answered alone."""
    kinds: Counter[str] = field(default_factory=Counter)
    """The round trips by kind of question."""
    hours_of: Counter[str] = field(default_factory=Counter)
    """The hours by kind of question."""


@dataclass
class Pace:
    """One game: its turns that came to their end, and what broke it off, if anything did."""

    seed: int
    turns: list[Turn] = field(default_factory=list)
    failure: str | None = None


@dataclass(frozen=True)
class _Standing:
    kind: str
    conditions: list[list[str]]
    line: str


class Simulation:
    """One random game under simulated reply times."""

    def __init__(
        self,
        game: Game,
        kit: Kit,
        seats: Sequence[Sequence[str]],
        seed: int,
        *,
        scenario: str,
        options: Mapping[str, Any] | None = None,
        replies: Replies | None = None,
        standing: bool = False,
        foreseen: float = 0.0,
    ):
        """`foreseen` is the share of the programs that is sent before its turn, 0 to 1."""
        self.game, self.kit, self.scenario = game, kit, scenario
        self.chance, self.delays = random.Random(seed), random.Random(seed + 1)
        self.throws = RandomThrows(seed)
        self.replies = replies or Replies()
        self.powers_of = {f"seat{n + 1}": list(powers) for n, powers in enumerate(seats)}
        self.paces = self.replies.paces(list(self.powers_of), self.delays)
        self.table = Table(Board(game.id, game.play_order(kit, scenario, seats)), kit, options, game=game)
        self.standing = sensible(kit) if standing else []
        self.foreseen = foreseen
        self.program: str | None = None
        self.row: tuple[str, str] | None = None
        """Who was asked last by hand, and what kind of thing, if it can come several times in a row."""
        self.hours = 0.0
        self.ended: dict[str, float] = {}
        """When each seat last did something in a turn of its own, in hours of the game."""
        self.record = Pace(seed)
        self.answers = 0

    def run(self) -> Pace:
        """Play to the end, or to a defect of the rules, which is noted; only whole turns are counted."""
        current = Turn(0)
        try:
            lay_out(self.game, self.table, self.scenario, list(self.powers_of.values()))
            play = Play(self.game, self.table)
            play.start(self.throws)
            current.number = self._turn()
            while not play.over:
                kind = play.wait.kind if play.wait is not None else ""
                hours, by_hand = self._wait(play)
                self.hours += hours
                current.hours += hours
                current.trips += by_hand
                current.saved += not by_hand
                current.kinds[kind] += by_hand
                current.hours_of[kind] += hours  # type: ignore[assignment]
                if self._turn() != current.number:
                    self.record.turns.append(current)
                    current = Turn(self._turn())
            self.record.turns.append(current)
        except Exception as error:  # a defect of the rules ends the game; the turns before it count
            self.record.failure = f"{type(error).__name__}: {error}"
            if not isinstance(error, Broken):
                log.error("a play stopped by a fault (seed %s)", self.record.seed, exc_info=error)
        return self.record

    def _turn(self) -> int:
        return self.game.turn(self.table)

    def _wait(self, play: Play) -> tuple[float, bool]:
        """Let one wait be answered; returns the hours until it closed, and whether a mail was needed."""
        wait = play.wait
        assert wait is not None
        if isinstance(wait, Window):
            return self._talks(play, wait)
        self._at_once(play)
        if play.wait is not wait:
            return 0.0, False
        limit = float(self.kit.hours(wait.kind))
        seats = dict.fromkeys(self.seat_of(power) for power in play.waiting_for())
        beginning = {self.seat_of(question.power) for question in play.questions() if self._begins(question)}
        times = sorted((self._reply(seat, is_ahead=seat in beginning), seat) for seat in seats)
        for hours, seat in times:
            if hours > limit and self._expire(play):
                return limit, True
            for power in self._played(seat):
                while play.wait is wait and power in play.waiting_for():
                    self._by_hand(play, power, self.hours + hours)
            if play.wait is not wait:
                return hours, hours > 0
        raise Broken(f"{wait.kind}: all have answered, and the game does not go on")

    def seat_of(self, power: str) -> str:
        """The seat that plays a power now."""
        host = self.table.board.played_by.get(power, power)
        return next(seat for seat, powers in self.powers_of.items() if host in powers)

    def _played(self, seat: str) -> list[str]:
        """The powers of a seat, and those that it plays for a time."""
        own = self.powers_of[seat]
        return [*own, *(power for power, host in self.table.board.played_by.items() if host in own)]

    def _begins(self, question: Question) -> bool:
        """Whether a question begins a turn of its seat."""
        powers = self._played(self.seat_of(question.power))
        return begins_turn(question, Sight(self.game, self.table, powers, question))

    def _reply(self, seat: str, *, is_ahead: bool) -> float:
        """The hours until a seat answers; 0 where it sent its program before. `is_ahead`: what is asked begins a turn,
        so that it can have."""
        hours = self.replies.draw(self.paces[seat], self.delays)
        if not is_ahead or self.delays.random() >= self.foreseen:
            return hours
        return max(0.0, hours - (self.hours - self.ended.get(seat, 0.0)))

    def _talks(self, play: Play, wait: Window) -> tuple[float, bool]:
        """A window for many orders: some are sent, and it lasts its time."""
        for question in wait.questions:
            for _ in range(self.chance.randint(0, MOST_TALK)):
                order = question.sample(self.table, self.chance)
                if not isinstance(order, Done):
                    self._answer(play, question.power, order)
        self._expire(play)
        return float(self.kit.hours(wait.kind)), True

    def _expire(self, play: Play) -> bool:
        """Silence answers; False where it answers nothing, so that the game waits on."""
        try:
            play.expire(self.throws)
        except NoDefault:
            return False
        return True

    def _at_once(self, play: Play) -> None:
        """What programs and standing orders answer."""
        wait = play.wait
        for power in play.waiting_for():
            while play.wait is wait and power in play.waiting_for():
                question = play.question_for(power)
                assert question is not None
                order = self._by_program(question) or self._by_standing(question, wait.kind if wait else "")
                if order is None:
                    break
                self._answer(play, power, order)
            if play.wait is not wait:
                return

    def _by_program(self, question: Question) -> Order | None:
        foreseen, seat = foreseen_kinds(self.kit), self.seat_of(question.power)
        if question.kind in foreseen and self.row == (seat, question.kind):
            return question.sample(self.table, self.chance)
        if question.kind not in foreseen or self.program != seat or self._begins(question):
            return None
        self.ended[self.program] = self.hours
        return question.sample(self.table, self.chance)

    def _by_standing(self, question: Question, round: str) -> Order | None:
        if not self.standing:
            return None
        powers = self._played(self.seat_of(question.power))
        seen = Sight(self.game, self.table, powers, question)
        for entry in self.standing:
            order = standing_answer(entry.kind, entry.conditions, entry.line, seen, self._read, round=round)
            if order is not None:
                return order
        return None

    def _read(self, line: str) -> Order:
        return read_order(self.game.orders, line, self.kit)

    def _by_hand(self, play: Play, power: str, at: float) -> None:
        question = play.question_for(power)
        assert question is not None
        own_turn = question.kind in program_kinds(self.kit)
        in_a_row = question.kind in foreseen_kinds(self.kit) and not own_turn
        self.row = (self.seat_of(power), question.kind) if in_a_row else None
        if own_turn or self._begins(question):
            self.program = self.seat_of(power)
            self.ended[self.program] = at
        self._answer(play, power, question.sample(self.table, self.chance))

    def _answer(self, play: Play, power: str, order: Order) -> None:
        self.answers += 1
        if self.answers > MOST_ANSWERS:
            raise Broken(f"the game goes on after {MOST_ANSWERS} answers")
        play.answer(power, order, self.throws)


def sensible(kit: Kit) -> list[_Standing]:
    """The ready-made standing orders that the kit calls sensible for everybody."""
    return [
        _Standing(order["kind"], read_conditions(order.get("if"), kit), order["order"])
        for preset in presets(kit).values()
        if preset.get("sensible")
        for order in preset["orders"]
    ]


def simulate(game: Game, kit: Kit, number: int, seats: int, seed: int, **more: Any) -> Pace:
    """Game `number` of a series: who sits where, who is slow, and all else, follows from series seed and number."""
    chance = random.Random(seed * 1_000_003 + number)
    scenario = more.get("scenario") or next(iter(kit.scenarios))
    held = game.seats(kit, scenario, seats, more.get("options") or {})
    if held is None:
        held = [[power] for power in chance.sample(game.powers(kit, scenario), seats)]
    return Simulation(game, kit, held, chance.randrange(2**62), **{**more, "scenario": scenario}).run()


@dataclass(frozen=True)
class TurnMedian:
    """A turn over several games: medians of the round trips and days, and how many games came to its end."""

    number: int
    games: int
    trips: float
    days: float


def medians(paces: Iterable[Pace]) -> list[TurnMedian]:
    """The medians of each turn."""
    turns: dict[int, list[Turn]] = {}
    for pace in paces:
        for turn in pace.turns:
            turns.setdefault(turn.number, []).append(turn)
    return [
        TurnMedian(number, len(of), median(t.trips for t in of), median(t.hours for t in of) / 24)
        for number, of in sorted(turns.items())
    ]


def shares(paces: Iterable[Pace]) -> list[tuple[str, float, float]]:
    """Kind of question -> round trips and days a turn, on the average, the most days first."""
    trips: Counter[str] = Counter()
    hours: Counter[str] = Counter()
    turns = 0
    for pace in paces:
        for turn in pace.turns:
            turns += 1
            trips.update(turn.kinds)
            hours.update(turn.hours_of)
    return [(kind, trips[kind] / turns, hours[kind] / 24 / turns) for kind, _ in hours.most_common() if trips[kind]]


__all__ = ["Pace", "Replies", "Simulation", "Turn", "TurnMedian", "medians", "sensible", "shares", "simulate"]
