"""Random play: any game played by chance to its end, with every promise of the table checked on the way.

After every fact: the game's own invariants, no negative number, every piece in exactly one place, no number as text
where no card is named (cards are numbers as text, and must be told from all others). After every answer:
what each seat may read of the facts holds nothing that sight hides from it, and folds to its view of the board; the
stream folds to the board; a play resumed from the last point of rest comes to the same facts and the same question.

Nothing is compared twice that cannot have changed. A board changes by `apply` alone, and a fact changes what it names:

* The values, units and pieces of a board are open: a fact of these that some reader gets masked or not at all breaks
  the promise at once. So every reader's fold of them is the same, folded once, and compared whole after every answer.
* Of tracks, counters and piles, each reader's fold of those that the answer's facts name is compared; of all, at every
  `ANSWERS_BETWEEN_FULL_CHECKS`th answer and at the end. The numbers of pieces are counted when units moved.
* At every point of rest the whole board is compared with the stream folded so far, and the play resumed from it: a
  change past `apply` is found there at the latest. The resumed play is then fed the stored answers as they come, since
  a play resumed from the same point of rest would be fed the same ones before them; it is resumed afresh with all of
  them, on a copy of the folded stream, at every `ANSWERS_BETWEEN_FULL_CHECKS`th answer and at the end. The facts, the
  board and the questions are compared after every answer.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from pbem.table import sight
from pbem.table.board import Board, copied
from pbem.table.dice import RandomThrows
from pbem.table.facts import Fact, apply, apply_all, held_after
from pbem.table.game import lay_out
from pbem.table.kit import Kit
from pbem.table.orders import Order
from pbem.table.procedure import Game, Outcome, Play, Table, thrown_record
from pbem.table.questions import Question

log = logging.getLogger(__name__)

MOST_ANSWERS = 100_000
CURIOSITY = 0.25
"""The share of answers that try the kinds of order first that were taken least."""
ANSWERS_BETWEEN_FULL_CHECKS = 25
CARD_FIELDS = frozenset(("card", "cards", "content"))
"""The fields of facts that may name cards (`pbem.table.facts`)."""
_SEQUENCES = (list, tuple)
NOT_READ_FOR_NUMBERS = CARD_FIELDS | {"section"}
OPEN_PARTS = {"state": "state", "units": "units", "piece": "pieces"}
"""The types of facts that sight hides from nobody -> the part of the board that they change."""
NAMES_CHANGED = {
    "count": ("track",),
    "counter": ("name",),
    "card": ("origin", "place"),
    "show": ("pile",),
    "sight": ("name",),
    "open": ("name",),
    "shuffle": ("pile",),
}
"""The types of facts that sight may hide -> their fields that name the tracks, counters and piles that they change."""


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
    uses: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each card was used in each way, ``(use, card)`` (`pbem.table.game.Game.card_uses`)."""
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
    again: Play | None = None
    """A play resumed from here, which is fed the stored answers as they come."""


def choose(table: Table, question: Question, chance: random.Random, taken: Mapping[str, int]) -> Order:
    """A legal answer by chance; now and then of the kind `taken` least in this game, so that rare ones come."""
    if chance.random() < CURIOSITY:
        for kind in sorted(question.orders, key=lambda kind: taken.get(kind.id(), 0)):
            order = kind.sample(table, question, chance)
            if order is not None:
                return order
    return question.sample(table, chance)


class Readers:
    """What the readers of a game are given, folded as each of them would, beside what they may see of the board.

    For games whose facts are split elsewhere: a service's. `readers` are the powers of each; the public is first.
    """

    def __init__(self, board: Board, powers: Sequence[str], readers: Sequence[tuple[str, ...]]):
        self.readers = readers
        self.views = [Board(board.game, list(powers)) for _ in readers]

    def read(self, board: Board, facts: Sequence[Sequence[Fact]]) -> None:
        """Fold what each got of one act; `board` is the whole board after it. Raises `Broken` for a leak."""
        for fact in facts[0]:
            self.readers = _readers_after(self.readers, fact)
        hidden = _hidden_cards(board, self.readers)
        for number, (forms, view) in enumerate(zip(facts, self.views, strict=True)):
            for form in forms:
                apply(view, form)
                _check_leaks([form], self.readers[number : number + 1], hidden[number : number + 1])

    def compare(self, board: Board) -> None:
        """Each view is what sight lets its reader see of the board, nothing less. Raises `Broken`."""
        for powers, view in zip(self.readers, self.views, strict=True):
            for part in ("powers", "played_by", "sight", *OPEN_PARTS.values()):
                if getattr(board, part) != getattr(view, part):
                    raise Broken(f"what {powers or 'the public'} can read does not fold to its view: {part} differ")
            _compare_view(board, view, powers, _hideable(board) | _hideable(view))


def note(record: Record, facts: Iterable[Fact], card_uses: Container[str] = ()) -> None:
    """Count facts, and the happenings and cards among them."""
    for fact in facts:
        record.facts += 1
        if fact["fact"] == "card" and fact.get("why") in card_uses:
            record.uses[fact["why"], fact["card"]] += 1
        if fact["fact"] == "happened":
            record.told[fact["what"]] += 1
            if fact["what"].startswith("card_as_") and fact["what"] != "card_as_cp":
                record.cards[str(fact.get("card"))] += 1


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
        seats: Sequence[Sequence[str]] | None = None,
    ):
        """`seats` are the powers of each seat, where they are not one each."""
        self.game, self.kit, self.scenario = game, kit, scenario
        self.chance = random.Random(seed)
        self.throws = RandomThrows(seed)
        self.check = check
        held = [(power,) for power in powers] if seats is None else [tuple(powers) for powers in seats]
        self.table = Table(Board(game.id, game.play_order(kit, scenario, held)), kit, options, game=game)
        self.given = dict(options or {})
        self.record = Record(seed, len(held))
        self.readers: list[tuple[str, ...]] = [sight.PUBLIC, *held]
        self.views: list[Board] = []
        self.then = self.table.board
        """Who was in play and might see what as the last answer was given."""
        self.totals: dict[tuple[str, str], int] = {}
        self.rest: _Rest | None = None

    def run(self) -> Record:
        """Play to the end."""
        try:
            self._play()
        except Exception as error:  # whatever breaks is the finding; it is written down with the way to it
            self.record.failure = f"{type(error).__name__}: {error}"
            if not isinstance(error, Broken):
                log.error("a play stopped by a fault (seed %s)", self.record.seed, exc_info=error)
            self.record.case = self._case()
        return self.record

    def _play(self) -> None:
        lay_out(self.game, self.table, self.scenario, self.readers[1:])
        for fact in self.table.facts:
            self.readers = _readers_after(self.readers, fact)
        self.totals = _totals(self.table.board)
        self.views = [sight.view(self.table.board, powers) for powers in self.readers]
        for part in OPEN_PARTS.values():
            for seen in self.views[1:]:
                setattr(seen, part, getattr(self.views[0], part))
        self.then = _seen_by_whom(self.table.board)
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
            self._answer(play, question, choose(self.table, question, self.chance, self.record.orders))
        self.record.results = self.game.results(self.table)

    def _answer(self, play: Play, question: Question, order: Order) -> None:
        assert self.rest is not None
        self.rest.play.append({question.power: order.text()})
        self.record.orders[order.id()] += 1
        self.record.answers += 1
        self._after_answer(play, play.answer(question.power, order, self.throws))

    # what is checked

    def _after_fact(self, table: Table, fact: Fact) -> None:
        kind = fact["fact"]
        numbers = [text for text in _strings(_without(fact, NOT_READ_FOR_NUMBERS)) if text.isdecimal()]
        if numbers:
            raise Broken(f"{fact} holds {sorted(numbers)} as text, where no card is named: it could be taken for one")
        if kind in ("units", "count", "counter", "piece", "state"):
            faults = self.game.faults(table)
            if faults:
                raise Broken(f"after {fact}: {'; '.join(faults)}")
        if kind == "units" and (fact["origin"] is None or fact["place"] is None):
            self.totals = _totals(table.board)

    def _after_answer(self, play: Play, outcome: Outcome) -> None:
        rest = self.rest
        assert rest is not None
        facts = outcome.facts
        note(self.record, facts, self.game.card_uses)
        rest.dice += [die for fact in facts if fact["fact"] in ("roll", "draw") for die in thrown_record(fact)["dice"]]
        if not self.check:
            if outcome.rest_at is not None:
                self._come_to_rest(rest, outcome)
            else:
                rest.facts += facts
            return
        full = play.over or self.record.answers % ANSWERS_BETWEEN_FULL_CHECKS == 0
        self._check_sight(facts, full)
        if outcome.fed is not None:
            rest.entries.append(outcome.fed)
        if outcome.rest_at is None:
            rest.facts += copied(facts)
        else:
            self._come_to_rest(rest, outcome)
        if full or any(fact["fact"] == "units" for fact in facts):
            self._check_totals()
        self._check_resume(play, rest, outcome, full)

    def _come_to_rest(self, rest: _Rest, outcome: Outcome) -> None:
        assert outcome.rest_at is not None
        # Copies, since a rule that changed a value in place would change it in the fact that brought it as well.
        facts = copied(outcome.facts)
        apply_all(rest.board, rest.facts + facts[: outcome.rest_at])
        if rest.again is not None:
            apply_all(rest.again.board, copied(facts[: outcome.rest_at]))
            if rest.again.board != rest.board:
                raise Broken("the board projected from the stream is not the board of the step run again")
        rest.facts = facts[outcome.rest_at :]
        rest.entries, rest.play = [], []
        rest.dice = [die for f in rest.facts if f["fact"] in ("roll", "draw") for die in thrown_record(f)["dice"]]

    def _check_totals(self) -> None:
        if _totals(self.table.board) != self.totals:
            raise Broken("pieces came from nowhere or went nowhere")

    def _check_sight(self, facts: Sequence[Fact], full: bool) -> None:
        board, then = self.table.board, self.then
        after = self.readers
        for fact in facts:
            after = _readers_after(after, fact)
        hidden = _hidden_cards(board, after)
        anything_hidden = any(hidden)
        # Who may see what is judged as it was at each fact: a later one of the same answer may open a track.
        for fact in facts:
            kind = fact["fact"]
            if kind == "players":
                apply(then, fact)
                self.readers = _readers_after(self.readers, fact)
                for seen in self.views:
                    apply(seen, fact)
            forms = [sight.seen_by(then, fact, powers) for powers in self.readers]
            if kind in ("sight", "open"):
                apply(then, {**fact, "content": {}} if kind == "open" else fact)
            if kind in OPEN_PARTS:
                if forms.count(fact) < len(forms):
                    powers, form = next(pair for pair in zip(self.readers, forms, strict=True) if pair[1] != fact)
                    raise Broken(f"{powers or 'the public'} reads {form} in place of {fact}, which is open to all")
                apply(self.views[0], fact)
            elif kind in NAMES_CHANGED:
                for seen, form in zip(self.views, forms, strict=True):
                    if form is not None:
                        apply(seen, form)
            if anything_hidden:
                _check_leaks(forms, self.readers, hidden)
        names = _hideable(board) if full else _names_changed(facts)
        for part in OPEN_PARTS.values():
            if getattr(board, part) != getattr(self.views[0], part):
                raise Broken(f"what the public can read does not fold to its view: {part} differ")
        for powers, seen in zip(self.readers, self.views, strict=True):
            _compare_view(board, seen, powers, names | _hideable(seen) if full else names)
        self.then = _seen_by_whom(board)

    def _check_resume(self, play: Play, rest: _Rest, outcome: Outcome, full: bool) -> None:
        sealed = play.wait.answers_to_json(play.sealed) if play.wait else None
        if rest.again is not None and outcome.rest_at is None and not full:
            rest.again.follow(outcome.facts, outcome.fed, sealed)
        else:
            # At a point of rest the board of the step run again has been found equal to that of the stream.
            board = rest.board.copy() if full or rest.again is None else rest.again.board
            table = Table(board, self.kit, self.given, game=self.game)
            rest.again = Play.resume(self.game, table, rest.facts, rest.entries, sealed)
        again = rest.again
        if again.board != self.table.board:
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


def _readers_after(readers: Sequence[tuple[str, ...]], fact: Fact) -> list[tuple[str, ...]]:
    """The powers of each reader after a fact: one of ``players`` may change them."""
    if fact["fact"] != "players":
        return list(readers)
    return [tuple(powers) for powers in held_after({str(n): one for n, one in enumerate(readers)}, fact).values()]


def _seen_by_whom(board: Board) -> Board:
    """What of a board says who may see what."""
    return Board(board.game, list(board.powers), sight=dict(board.sight), played_by=dict(board.played_by))


def _totals(board: Board) -> dict[tuple[str, str], int]:
    totals: dict[tuple[str, str], int] = {}
    for place, owners in board.units.items():
        for power, kinds in owners.items():
            for kind, number in kinds.items():
                if number <= 0:
                    raise Broken(f"{power} has {number} {kind} at {place}")
                totals[power, kind] = totals.get((power, kind), 0) + number
    return totals


def _shape(question: Question) -> tuple[Any, ...]:
    return question.power, question.kind, question.key, [kind.id() for kind in question.orders], question.context


def _hidden_cards(board: Board, readers: Sequence[tuple[str, ...]]) -> list[set[str]]:
    """The cards that each reader may not see."""
    closed = [(pile, board.piles.get(pile) or []) for pile, rule in board.sight.items() if rule != "all"]
    return [
        {card for pile, cards in closed if not sight.may_see(board, pile, powers) for card in cards}
        for powers in readers
    ]


def _check_leaks(forms: Iterable[Fact | None], readers: Sequence[tuple[str, ...]], hidden: Sequence[set[str]]) -> None:
    """Nothing that a reader gets of a fact names a card that is hidden from him."""
    texts: dict[int, set[str]] = {}  # most readers get the very same fact
    for powers, form, cards in zip(readers, forms, hidden, strict=True):
        if form is None:
            continue
        if form["fact"] == "card" and "to" not in form:
            # Moved in the open in this very answer, it was no secret; that it is one since, after a shuffle
            # or a deal that follow at once, is a new one.
            cards.discard(form["card"])
        if not cards or form["fact"] == "open":
            continue
        if id(form) not in texts:
            # The section is a number of the rulebook, which may be the number of a card too; that no other
            # text is a number but where cards are named, `_after_fact` makes sure of.
            texts[id(form)] = _strings(_without(form, ("section",)))
        leaked = cards & texts[id(form)]
        if leaked and not _may_know(form, powers):
            raise Broken(f"{powers or 'the public'} can read {sorted(leaked)} in {form}")


def _may_know(fact: Fact, powers: tuple[str, ...]) -> bool:
    return bool(set(fact.get("to") or fact.get("sight") or ()) & set(powers))


def _hideable(board: Board) -> set[str]:
    """The names of all that sight may hide."""
    return {*board.tracks, *board.counters, *board.piles}


def _names_changed(facts: Iterable[Fact]) -> set[str]:
    """The tracks, counters and piles that facts may have changed, or who may see them."""
    names = {fact[part] for fact in facts for part in NAMES_CHANGED.get(fact["fact"], ())}
    names.discard(None)
    return names


def _without(fact: Fact, names: Container[str]) -> list[Any]:
    """What a fact says, but in the fields named."""
    return [value for name, value in fact.items() if name not in names]


def _strings(value: Any) -> set[str]:
    """Every text in a JSON value, the names of fields within it too."""
    strings: set[str] = set()
    unread = [value]
    for item in unread:  # grows while it is read
        if isinstance(item, str):
            strings.add(item)
        elif isinstance(item, dict):
            strings.update(item)
            unread += item.values()
        elif isinstance(item, _SEQUENCES):
            unread += item
    return strings


def _compare_view(board: Board, seen: Board, powers: tuple[str, ...], names: Iterable[str]) -> None:
    """What a seat reads of tracks, counters and piles folds to its `sight.view` of the board.

    Only in piles may it know more, from being shown.
    """
    for name in names:
        if name in board.tracks or name in seen.tracks:
            values = board.tracks.get(name, {})
            if sight.visible_track(board, name, powers) != seen.tracks.get(name, {}):
                raise Broken(f"what {powers or 'the public'} can read does not fold to its view: {name}, {values}")
        if name in board.counters or name in seen.counters:
            value = board.counters.get(name) if sight.may_see(board, name, powers) else None
            if value != seen.counters.get(name) or (name in board.counters) != (name in seen.counters):
                raise Broken(f"what {powers or 'the public'} can read does not fold to its view: counter {name}")
        cards, folded = board.piles.get(name, []), seen.piles.get(name, [])
        if cards != folded:
            known = sight.may_see(board, name, powers)
            if len(cards) != len(folded) or (known and sorted(cards) != sorted(folded)):
                raise Broken(f"what {powers or 'the public'} can read does not fold to its view: pile {name}")


def play_out(game: Game, kit: Kit, number: int, seats: int, seed: int, **more: Any) -> Record:
    """Play game `number` of a series at random: who sits where, and all else, follows from series seed and number."""
    chance = random.Random((seed * 101 + seats) * 1_000_003 + number)
    scenario = more.get("scenario") or next(iter(kit.scenarios))
    powers = game.powers(kit, scenario)
    held = game.seats(kit, scenario, seats, more.get("options") or {})
    if held is None:
        powers = chance.sample(powers, seats)
    return Playout(game, kit, powers, chance.randrange(2**62), **{**more, "scenario": scenario, "seats": held}).run()


def write_failure(record: Record, folder: Path) -> Path:
    """Write a failed game down as a case file that `pbem rehearse` runs again; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"playout-{record.seed}.yaml"
    path.write_text(yaml.safe_dump(record.case, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return path
