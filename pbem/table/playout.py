"""Random play: any game played by chance to its end, with every promise of the table checked on the way.

After every fact: the game's own invariants, no negative number, every piece in exactly one place, no number as text
where no card is named (cards are numbers as text, and must be told from all others). After every answer:
what each seat may read of the facts holds nothing that sight hides from it, and folds to its view of the board; the
stream folds to the board; a play resumed from the last point of rest comes to the same facts and the same question.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from pbem.table import sight
from pbem.table.board import Board
from pbem.table.dice import RandomThrows
from pbem.table.facts import Fact, apply
from pbem.table.kit import Kit
from pbem.table.orders import Order
from pbem.table.procedure import Game, Outcome, Play, Table, thrown_record
from pbem.table.questions import Question

MOST_ANSWERS = 100_000
CARD_FIELDS = frozenset(("card", "cards", "content"))
"""The fields of facts that may name cards (`pbem.table.facts`)."""


class Broken(Exception):
    """A promise of the table was broken; says which, and where."""


@dataclass
class Record:
    """One game played out."""

    seed: int
    seats: int
    answers: int = 0
    facts: int = 0
    orders: Counter[str] = field(default_factory=Counter)
    """How often each kind of order was accepted."""
    told: Counter[str] = field(default_factory=Counter)
    """How often each kind of happening was told."""
    cards: Counter[str] = field(default_factory=Counter)
    """How often each card was told to be played other than for points: happenings named ``card_as_...``."""
    results: list[dict[str, Any]] = field(default_factory=list)
    failure: str | None = None
    case: dict[str, Any] | None = None
    """The failure as a case for `pbem rehearse`: the board at the last point of rest, the orders and dice since."""


@dataclass
class _Rest:
    """What is needed to come back to the last point of rest."""

    board: Board
    facts: list[Fact] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)
    play: list[dict[str, str]] = field(default_factory=list)
    dice: list[int] = field(default_factory=list)


class Playout:
    """One random game. `run` plays it to its end and never raises for a defect of the rules: it records it."""

    def __init__(
        self,
        game: Game,
        kit: Kit,
        powers: Sequence[str],
        seed: int,
        *,
        scenario: str = "standard",
        options: Mapping[str, Any] | None = None,
        check: bool = True,
    ):
        self.game, self.kit, self.scenario = game, kit, scenario
        self.chance = random.Random(seed)
        self.throws = RandomThrows(seed)
        self.check = check
        self.table = Table(Board(game.id, list(powers)), kit, options)
        self.given = dict(options or {})
        self.record = Record(seed, len(powers))
        self.readers: list[tuple[str, ...]] = [sight.PUBLIC, *((power,) for power in powers)]
        self.views: list[Board] = []
        self.sight: dict[str, str] = {}
        self.totals: Counter[tuple[str, str]] = Counter()
        self.rest: _Rest | None = None

    def run(self) -> Record:
        """Play to the end."""
        try:
            self._play()
        except Exception as error:  # whatever breaks is the finding; it is written down with the way to it
            self.record.failure = f"{type(error).__name__}: {error}"
            self.record.case = self._case()
        return self.record

    def _play(self) -> None:
        self.game.set_up(self.table, self.scenario)
        self.totals = _totals(self.table.board)
        self.views = [sight.view(self.table.board, powers) for powers in self.readers]
        self.sight = dict(self.table.board.sight)
        self.rest = _Rest(self.table.board.copy())
        if self.check:
            self.table.watch = self._after_fact
        play = Play(self.game, self.table)
        self._after_answer(play, play.start(self.throws))
        while not play.over:
            if self.record.answers >= MOST_ANSWERS:
                raise Broken(f"the game goes on after {MOST_ANSWERS} answers")
            waiting = play.waiting_for()
            if not waiting:
                raise Broken(f"step {play.step} waits for nobody")
            power = self.chance.choice(waiting)
            question = play.question_for(power)
            assert question is not None
            order = question.sample(self.table, self.chance)
            self._answer(play, question, order)
        self.record.results = self.game.results(self.table)

    def _answer(self, play: Play, question: Question, order: Order) -> None:
        assert self.rest is not None
        if self.check:
            question.check(self.table, order)
        self.rest.play.append({question.power: order.text()})
        self.record.orders[order.id()] += 1
        self.record.answers += 1
        self._after_answer(play, play.answer(question.power, order, self.throws))

    # what is checked

    def _after_fact(self, table: Table, fact: Fact) -> None:
        kind = fact["fact"]
        numbers = sorted(text for text in _strings(_without(fact, "section", *CARD_FIELDS)) if text.isdecimal())
        if numbers:
            raise Broken(f"{fact} holds {numbers} as text, where no card is named: it could be taken for one")
        if kind in ("units", "count", "piece", "state"):
            faults = self.game.faults(table)
            if faults:
                raise Broken(f"after {fact}: {'; '.join(faults)}")
        if kind == "units" and (fact["origin"] is None or fact["place"] is None):
            self.totals = _totals(table.board)

    def _after_answer(self, play: Play, outcome: Outcome) -> None:
        rest = self.rest
        assert rest is not None
        facts = outcome.facts
        self.record.facts += len(facts)
        happened = [fact for fact in facts if fact["fact"] == "happened"]
        self.record.told.update(fact["what"] for fact in happened)
        played = (fact for fact in happened if fact["what"].startswith("card_as_"))
        self.record.cards.update(str(fact.get("card")) for fact in played if fact["what"] != "card_as_cp")
        rest.dice += [die for fact in facts if fact["fact"] in ("roll", "draw") for die in thrown_record(fact)["dice"]]
        if not self.check:
            if outcome.rest_at is not None:
                self._come_to_rest(rest, outcome)
            else:
                rest.facts += facts
            return
        self._check_sight(facts)
        if outcome.fed is not None:
            rest.entries.append(outcome.fed)
        if outcome.rest_at is None:
            rest.facts += facts
        else:
            self._come_to_rest(rest, outcome)
        self._check_totals()
        self._check_resume(play, rest)

    def _come_to_rest(self, rest: _Rest, outcome: Outcome) -> None:
        assert outcome.rest_at is not None
        for fact in rest.facts + outcome.facts[: outcome.rest_at]:
            apply(rest.board, fact)
        rest.facts = outcome.facts[outcome.rest_at :]
        rest.entries, rest.play, rest.dice = [], [], []
        rest.dice = [die for f in rest.facts if f["fact"] in ("roll", "draw") for die in thrown_record(f)["dice"]]

    def _check_totals(self) -> None:
        if _totals(self.table.board) != self.totals:
            raise Broken("pieces came from nowhere or went nowhere")

    def _check_sight(self, facts: Iterable[Fact]) -> None:
        board = self.table.board
        facts = list(facts)
        for powers, seen in zip(self.readers, self.views, strict=True):
            hidden = _hidden_cards(board, powers)
            # Who may see what is judged as it was at each fact: a later one of the same answer may open a track.
            then = Board(board.game, board.powers, sight=dict(self.sight))
            for fact in facts:
                form = sight.seen_by(then, fact, powers)
                if fact["fact"] in ("sight", "open"):
                    apply(then, {**fact, "content": {}} if fact["fact"] == "open" else fact)
                if form is None:
                    continue
                apply(seen, form)
                if form["fact"] == "card" and "to" not in fact:
                    # Moved in the open in this very answer, it was no secret; that it is one since, after a shuffle
                    # or a deal that follow at once, is a new one.
                    hidden.discard(form["card"])
                if hidden and fact["fact"] != "open":
                    # The section is a number of the rulebook, which may be the number of a card too; that no other
                    # text is a number but where cards are named, `_after_fact` makes sure of.
                    leaked = hidden & _strings(_without(form, "section"))
                    if leaked and not _may_know(fact, powers):
                        raise Broken(f"{powers or 'the public'} can read {sorted(leaked)} in {form}")
            _compare_view(board, seen, powers)
        self.sight = dict(board.sight)

    def _check_resume(self, play: Play, rest: _Rest) -> None:
        table = Table(rest.board.copy(), self.kit, self.given)
        sealed = play.wait.answers_to_json(play.sealed) if play.wait else None
        again = Play.resume(self.game, table, rest.facts, rest.entries, sealed)
        if table.board != self.table.board:
            raise Broken(f"step {play.step}: the board projected from the stream is not the board")
        if [_shape(q) for q in again.questions()] != [_shape(q) for q in play.questions()]:
            raise Broken(f"step {play.step}: resumed, another question is open")

    def _case(self) -> dict[str, Any] | None:
        if self.rest is None:
            return None
        return {
            "title": f"Random play, seed {self.record.seed}: {self.record.failure}",
            "game": self.game.id,
            "scenario": self.scenario,
            "seats": list(self.table.board.powers),
            "options": self.given,
            "position": self.rest.board.to_json(),
            "dice": self.rest.dice,
            "play": list(self.rest.play),
            "expect": [],
        }


def _totals(board: Board) -> Counter[tuple[str, str]]:
    totals: Counter[tuple[str, str]] = Counter()
    for place, power, kind, number in board.units_everywhere():
        if number <= 0:
            raise Broken(f"{power} has {number} {kind} at {place}")
        totals[power, kind] += number
    return totals


def _shape(question: Question) -> tuple[Any, ...]:
    return question.power, question.kind, question.key, [kind.id() for kind in question.orders], question.context


def _hidden_cards(board: Board, powers: tuple[str, ...]) -> set[str]:
    return {
        card
        for pile, cards in board.piles.items()
        if cards and not sight.may_see(board, pile, powers)
        for card in cards
    }


def _may_know(fact: Fact, powers: tuple[str, ...]) -> bool:
    return bool(set(fact.get("to") or fact.get("sight") or ()) & set(powers))


def _without(fact: Fact, *names: str) -> list[Any]:
    """What a fact says, but in the fields named."""
    return [value for name, value in fact.items() if name not in names]


def _strings(value: Any) -> set[str]:
    """Every text in a JSON value, the names of fields within it too."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set().union(value, *(_strings(v) for v in value.values()))
    if isinstance(value, list | tuple):
        return set().union(*(_strings(v) for v in value)) if value else set()
    return set()


def _compare_view(board: Board, seen: Board, powers: tuple[str, ...]) -> None:
    """What a seat reads folds to its `sight.view` of the board; only in piles may it know more, from being shown."""
    for part in ("state", "units", "pieces"):
        if getattr(board, part) != getattr(seen, part):
            raise Broken(f"what {powers or 'the public'} can read does not fold to its view: {part} differ")
    for track in board.tracks.keys() | seen.tracks.keys():
        values = board.tracks.get(track, {})
        if sight.visible_track(board, track, powers) != seen.tracks.get(track, {}):
            raise Broken(f"what {powers or 'the public'} can read does not fold to its view: {track}, {values}")
    for pile in board.piles.keys() | seen.piles.keys():
        cards, folded = board.piles.get(pile, []), seen.piles.get(pile, [])
        known = sight.may_see(board, pile, powers)
        if len(cards) != len(folded) or (known and sorted(cards) != sorted(folded)):
            raise Broken(f"what {powers or 'the public'} can read does not fold to its view: pile {pile}")


def play_out(game: Game, kit: Kit, number: int, seats: int, seed: int, **more: Any) -> Record:
    """Play game `number` of a series at random: who sits where, and all else, follows from series seed and number."""
    chance = random.Random(seed * 1_000_003 + number)
    scenario = more.get("scenario") or next(iter(kit.scenarios))
    powers = game.powers(kit, scenario)
    if game.seats(kit, scenario, seats, more.get("options") or {}) is None:
        powers = chance.sample(powers, seats)
    return Playout(game, kit, powers, chance.randrange(2**62), **{**more, "scenario": scenario}).run()


def write_failure(record: Record, folder: Path) -> Path:
    """Write a failed game down as a case file that `pbem rehearse` runs again; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"playout-{record.seed}.yaml"
    path.write_text(yaml.safe_dump(record.case, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return path
