"""Cases: adjudication tests that anyone can read, and positions that a moderator rehearses.

The form (YAML)::

    title: Field battle in the open, attacker wins (14, example 1)
    game: here_i_stand
    scenario: "1517"
    seats: [ottoman, hapsburg, ...]       # who is in play, in seat order; see below
    options: {reserve_rerolls: own_dice}
    arrange:                              # the position before play, entries as the game names them
      - units: {place: buda, power: ottoman, regular: 9}
    dice: [5, 6, 1, 3]                    # thrown in this order; a draw takes its place, counted from 1; all are used
    play:
      - ottoman: |
          PLAY 31 FOR CP
          MOVE ALL FROM buda TO vienna
      - expect: {asks: {seat: hapsburg, question: retreat}}   # or a list: what holds in the middle of play
      - refused: {hapsburg: "MOVE ...", because: not adjacent}
      - expire: true                      # the deadline passes in silence
    stop: true                            # see below
    expect:
      - units: {place: vienna, power: hapsburg, regular: 3}
      - asks: {seat: hapsburg, question: retreat}
      - facts: [fight, captured]          # happenings or types of fact that must have come, in this order
      - not_facts: [captured]

``seats`` is a number of players, who get their powers as the game deals them to so many; or a list with an entry for
each player, ``[[ottoman, france], hapsburg, ...]``; or ``{ann: [ottoman, france], bob: hapsburg}``, and then ``play``
and ``asks`` may name the players too.

After the last order of ``play`` steps may go by in which nobody is asked (passes of powers without cards, a winter).
With ``stop: true`` these are not played (where ``play`` is empty, the first step is), with ``stop: false`` they are;
else the case holds if everything that it expects holds together at either point.

In place of ``arrange`` a case may hold ``position``: a whole board as JSON (as random play writes it when it fails).
``arrange`` and ``expect`` know everywhere: units, track, state, piece, pile; ``expect`` also asks, over, facts and
not_facts; the game adds its own. ``pbem rehearse --words GAME`` lists them all.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from pbem.render.narrative import Teller
from pbem.table.board import SUPPLY, Board
from pbem.table.dice import ScriptedThrows, ScriptError, Throws
from pbem.table.facts import FACT_TYPES, Fact
from pbem.table.game import lay_out
from pbem.table.kit import Kit
from pbem.table.orders import NAMES_TO_LIST, Order, Refused, Unreadable, nearest, read_order
from pbem.table.procedure import Game, Outcome, Play, Table
from pbem.table.questions import NoDefault

log = logging.getLogger(__name__)

_KEYS = {
    "title", "game", "scenario", "seats", "options", "arrange", "position", "dice", "play", "stop", "expect", "note"
}  # fmt: skip
_ARRANGE = ("units", "track", "state", "piece", "pile")
_EXPECT = (*_ARRANGE, "asks", "over", "facts", "not_facts")
_NOT_ORDERS = ("refused", "expire", "expect")
LEDGER_LINES = 12
FORMS_SHOWN = 6


class BadCase(ValueError):
    """A case file that cannot be understood; says where, and what would be right."""


def _refusal(error: Refused | Unreadable) -> Refused:
    return error if isinstance(error, Refused) else error.refusal()


class _NotTaken(Exception):
    """An order of a case that should have been taken, and why it was not."""

    def __init__(self, why: str, hints: Sequence[str]):
        super().__init__(why)
        self.hints = hints


class Case(dict[str, Any]):
    """A case as its file says it, which knows the line of each entry: ``(section, number from 0) -> line``."""

    def __init__(self, content: Mapping[str, Any], lines: Mapping[tuple[str, int], int]):
        super().__init__(content)
        self.lines = lines


@dataclass
class Verdict:
    """What came of one case."""

    title: str
    problems: list[str] = field(default_factory=list)
    ledger: list[Fact] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    """What was asked when the first problem was found, a line for each question."""
    story: list[str] = field(default_factory=list)
    """The whole play: each order, the facts that it brought, and what was asked then."""

    @property
    def passed(self) -> bool:
        return not self.problems

    def text(self) -> str:
        """The difference for people: what was expected, what stands there, what was asked, the end of the ledger."""
        lines = [f"  {problem}" for problem in self.problems]
        if self.asked:
            lines += ["  asked then:"] + [f"    {line}" for line in self.asked]
        if self.ledger:
            lines += ["  the ledger before it:"] + [f"    {brief(fact)}" for fact in self.ledger[-LEDGER_LINES:]]
        return "\n".join(lines)


def brief(fact: Fact) -> str:
    """A fact in one line."""
    more = ", ".join(f"{k}={v}" for k, v in fact.items() if k != "fact" and v is not None)
    return f"{fact['fact']}: {more}"


# --- the file ---


def load_case(path: Path) -> Case:
    """Read a case file. Raises `BadCase`."""
    try:
        text = path.read_text(encoding="utf-8")
        case = yaml.safe_load(text)
        node = yaml.compose(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}: " if mark else ""
        raise BadCase(f"{where}{error.problem or error.context}") from error
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise BadCase(f"this is no YAML: {' '.join(str(error).split())}") from error
    if not isinstance(case, dict) or "game" not in case:
        raise BadCase("a case is a mapping with at least: game, seats, play, expect")
    unknown = [str(key) for key in case if key not in _KEYS]
    if unknown:
        raise BadCase(f"unknown keys {', '.join(sorted(unknown))}; there are {', '.join(sorted(_KEYS))}")
    loaded = Case(case, _lines(node))
    _check_form(loaded)
    return loaded


def _lines(node: yaml.Node | None) -> dict[tuple[str, int], int]:
    """The line of each entry of the sections. Raises `BadCase` where a key stands twice: the first would be lost."""
    line_of: dict[tuple[str, int], int] = {}
    for key, value in _pairs(node):
        items = value.value if isinstance(value, yaml.SequenceNode) else [value]
        for number, item in enumerate(items):
            line_of[(key.value, number)] = item.start_mark.line + 1
            list(_pairs(item))
    return line_of


def _pairs(node: yaml.Node | None) -> Iterator[tuple[yaml.Node, yaml.Node]]:
    seen = set()
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(key.value, str) and key.value in seen:
            raise BadCase(f"line {key.start_mark.line + 1}: {key.value} stands twice here; make two entries of it")
        seen.add(str(key.value))
        yield key, value


def place_of(case: Mapping[str, Any], section: str, number: int) -> str:
    """Where an entry stands, for people: "play 3 (line 14)"."""
    line = case.lines.get((section, number)) if isinstance(case, Case) else None
    return f"{section} {number + 1}" + (f" (line {line})" if line else "")


def _check_form(case: Mapping[str, Any]) -> None:
    for section in ("arrange", "play", "expect"):
        entries = case.get(section) or []
        if not isinstance(entries, list):
            raise BadCase(f"{section} is a list of entries such as: - name: value")
        for number, entry in enumerate(entries):
            if not isinstance(entry, dict) or not entry:
                raise BadCase(f"{place_of(case, section, number)}: an entry is - name: value, not {entry!r}")
    dice = case.get("dice") or []
    if not isinstance(dice, list) or not all(type(die) is int for die in dice):
        raise BadCase("dice is a list of whole numbers such as [5, 6, 1]")
    for name, kind in (("options", dict), ("position", dict), ("stop", bool)):
        if case.get(name) is not None and not isinstance(case[name], kind):
            raise BadCase(f"{name} is {'true or false' if kind is bool else 'a mapping such as {name: value}'}")
    for number, entry in enumerate(case.get("play") or []):
        _check_play(place_of(case, "play", number), entry)
    checks = bool(case.get("expect")) or any(e.keys() & {"expect", "refused"} for e in case.get("play") or [])
    if not checks and "position" not in case:
        raise BadCase("a case that expects nothing cannot fail")


def _check_play(place: str, entry: Mapping[str, Any]) -> None:
    special = [key for key in _NOT_ORDERS if key in entry]
    if special and len(entry) > 1:
        raise BadCase(f"{place}: {special[0]} stands in an entry of its own")
    if "refused" in entry and not isinstance(entry["refused"], dict):
        raise BadCase(f"{place}: refused is {{power: order, because: words of the refusal}}")
    if "expire" in entry and entry["expire"] is not True:
        raise BadCase(f"{place}: expire is true, or is left out")
    if "expect" in entry:
        for expected in _entries(entry["expect"]):
            if not isinstance(expected, dict):
                raise BadCase(f"{place}: expect is name: value, or a list of such")


def _entries(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _lines_of(value: Any) -> list[str]:
    """The orders of an entry; YAML takes a bare YES or NO for true or false."""
    text = {True: "YES", False: "NO"}.get(value, "") if isinstance(value, bool) else str(value)
    return [line for line in text.splitlines() if line.strip()]


# --- the play ---


class _StoppingPlay(Play):
    """A play that can end with an order: when `at_the_end`, a step in which nobody is asked is not played; where no
    order is given, the first step alone is."""

    at_the_end = False

    def start(self, throws: Throws) -> Outcome:
        """Begin with the step that the board says comes next."""
        return self._collect(throws, self._first_step if self.at_the_end else self._next_step)

    def _first_step(self) -> None:
        if not self._begin_step():
            self._next_step()

    def _next_step(self) -> None:
        if not self.at_the_end:
            super()._next_step()
            return
        throws = self.table.throws
        board, facts, dice = self.table.board.copy(), len(self.table.facts), list(getattr(throws, "left", ()))
        try:
            if self._begin_step():
                return
        except ScriptError:
            pass  # the case holds no dice for what comes after its end
        self.table.board = board
        del self.table.facts[facts:]
        if isinstance(throws, ScriptedThrows):
            throws.left[:] = dice
        self.wait, self.step, self._running = None, None, None


class Rehearsal:
    """One case being run. Raises `BadCase` for a position that cannot be set up, or names that there are not."""

    def __init__(self, game: Game, kit: Kit, case: Mapping[str, Any], *, stop: bool = False):
        self.game, self.kit, self.case = game, kit, case
        self.verdict = Verdict(str(case.get("title", "(untitled)")))
        self.throws = ScriptedThrows(case.get("dice") or [])
        self.facts: list[Fact] = []
        self.teller = Teller(kit)
        self.players: dict[str, list[str]] = {}
        """player -> powers, where the case names the players"""
        self.table = self._table()
        self.play = _StoppingPlay(game, self.table)
        self._acts_left = self._count_acts() if stop else -1
        self.play.at_the_end = self._acts_left == 0

    def _table(self) -> Table:
        if "position" in self.case:
            board = Board.from_json(self.case["position"])
            return Table(board, self.kit, self.case.get("options") or {}, game=self.game)
        scenario = str(self.case.get("scenario", next(iter(self.kit.scenarios), "standard")))
        if scenario not in self.kit.scenarios:
            raise BadCase(f"there is no scenario {scenario}; there are {', '.join(self.kit.scenarios)}")
        options = self.case.get("options") or {}
        seats = self._seats(scenario, options)
        order = self.game.play_order(self.kit, scenario, seats)
        table = Table(Board(self.game.id, order), self.kit, options, game=self.game)
        lay_out(self.game, table, scenario, seats)
        for number, entry in enumerate(self.case.get("arrange") or []):
            for name, value in entry.items():
                with_place(self.case, "arrange", number, name, value, lambda n, v: self._arrange(table, n, v))
        return table

    def _arrange(self, table: Table, name: str, value: Any) -> None:
        check_names(table, name, value)
        arrange(self.game, table, name, value)

    def _seats(self, scenario: str, options: Mapping[str, Any]) -> list[list[str]]:
        """The powers of each seat. Raises `BadCase` for seats that there cannot be."""
        known, seats = self.game.powers(self.kit, scenario), self.case.get("seats")
        if isinstance(seats, bool) or not isinstance(seats, int | list | dict | None):
            raise BadCase("seats is a number of players, a list of powers, or players with their powers")
        if seats is None:
            return [[power] for power in known]
        if isinstance(seats, int):
            dealt = self.game.seats(self.kit, scenario, seats, options)
            if dealt is None:
                return [[power] for power in known[:seats]]
            if not dealt:
                raise BadCase(f"seats: the game is not for {seats}")
            return dealt
        held = [list(_entries(entry)) for entry in (seats.values() if isinstance(seats, dict) else seats)]
        powers = [power for entry in held for power in entry]
        for power in powers:
            if power not in known:
                raise BadCase(f"seats: there is no power {power}; there are {', '.join(known)}")
            if powers.count(power) > 1:
                raise BadCase(f"seats: {power} stands there twice")
        if isinstance(seats, dict):
            self.players = dict(zip(map(str, seats), held, strict=True))
        dealt = self.game.seats(self.kit, scenario, len(held), options) or [known]
        missing = [power for powers_of in dealt for power in powers_of if power not in powers]
        if missing and self._deals(scenario, options):
            raise BadCase(f"seats: nobody holds {', '.join(missing)}; all powers are in play, so give each to a player")
        return held

    def _deals(self, scenario: str, options: Mapping[str, Any]) -> bool:
        """Whether the game says who holds what, so that all its powers are in play."""
        most = self.kit.seats["maximum"]
        return self.game.seats(self.kit, scenario, most, options) is not None

    def _count_acts(self) -> int:
        count = 0
        for entry in self.case.get("play") or []:
            if "expire" in entry:
                count += 1
            elif not entry.keys() & set(_NOT_ORDERS):
                count += sum(len(_lines_of(lines)) for lines in entry.values())
        return count

    def run(self) -> Verdict:
        """Play the case; the verdict holds every difference found."""
        self._check_play_names()
        try:
            self._took("the play begins", self.play.start(self.throws))
            for number, entry in enumerate(self.case.get("play") or []):
                self._entry(number, entry)
        except _NotTaken as error:
            hints = f" ({'; '.join(error.hints[:4])})" if error.hints else ""
            self._problem(f"refused: {error}{hints}")
        except Refused as error:
            self._problem(f"refused: {self.teller.refusal(error)}")
        except NoDefault as error:
            self._problem(f"silence is no answer to {error}: it is held until somebody acts")
        except BadCase:
            raise
        except Exception as error:  # a case tells of any defect, with the way to it
            log.info("%s stopped by a fault", self.verdict.title, exc_info=error)
            self._problem(f"{type(error).__name__}: {error}")
        else:
            if self.throws.left:
                self._problem(f"dice left over: {self.throws.left}")
            for number, entry in enumerate(self.case.get("expect") or []):
                self._expect_entry("expect", number, entry)
        self.verdict.ledger = self.facts if self.verdict.problems else []
        return self.verdict

    def _problem(self, text: str) -> None:
        if not self.verdict.problems:
            self.verdict.asked = self._asked()
        self.verdict.problems.append(text)

    def _asked(self) -> list[str]:
        """What is asked now, in words: of whom, what, and the forms of the orders that may answer."""
        if self.play.over:
            return ["nobody: the game is over"]
        asked = []
        for question in self.play.questions():
            forms = list(dict.fromkeys(kind.usage() for kind in question.orders))
            more = f", and {len(forms) - FORMS_SHOWN} more" if len(forms) > FORMS_SHOWN else ""
            answered = ", answered" if self.play.answered(question) else ""
            asked.append(
                f"{question.power}: {question.kind}{answered} ({', '.join(forms[:FORMS_SHOWN])}{more})"
            )
        return asked or ["nobody"]

    def _took(self, act: str, outcome: Outcome) -> None:
        self.facts += outcome.facts
        self.verdict.story.append(f"> {act}")
        self.verdict.story += [f"    {brief(fact)}" for fact in outcome.facts]
        self.verdict.story += [f"  asked: {line}" for line in self._asked()]

    def _last(self) -> None:
        """Before each order and expiry: after the last one the play may have to stop."""
        self._acts_left -= 1
        self.play.at_the_end = self._acts_left == 0

    def _check_play_names(self) -> None:
        named = {*self.table.board.powers, *self.players}
        for number, entry in enumerate(self.case.get("play") or []):
            holder = entry.get("refused", entry)
            for name in holder if not {"expire", "expect"} & entry.keys() else ():
                if name not in named and not (name == "because" and "refused" in entry):
                    raise BadCase(
                        f"{place_of(self.case, 'play', number)}: {name} has no seat here; "
                        f"seats are {', '.join((*self.players, *self.table.board.powers))}"
                    )

    def _entry(self, number: int, entry: Mapping[str, Any]) -> None:
        if "refused" in entry:
            self._refused(entry["refused"])
        elif "expect" in entry:
            for expected in _entries(entry["expect"]):
                self._expect_entry("play", number, expected)
        elif "expire" in entry:
            if not self.play.questions():
                raise BadCase(f"{place_of(self.case, 'play', number)}: nothing is asked whose time could be over")
            self._last()
            self._took("the time is over", self.play.expire(self.throws))
        else:
            for name, lines in entry.items():
                for line in _lines_of(lines):
                    self._order(name, line)

    def _order(self, name: str, line: str) -> None:
        try:
            order = read_order(self.game.orders, line, self.kit)
            power = self._power_asked(name, order)
            self._last()
            self._took(f"{name}: {line.strip()}", self.play.answer(power, order, self.throws))
        except (Refused, Unreadable) as error:
            why, hints = self.teller.refusal(_refusal(error)), self.teller.hints(error.hints)
            raise _NotTaken(f"{name}: {line.strip()}: {why}", hints) from error

    def _power_asked(self, name: str, order: Order) -> str:
        """The power that an order is for: of a player's (and of those that he plays for a time), the first asked whose
        question it answers."""
        powers = [*(self.players.get(name) or [name])]
        if name in self.players:
            powers += [one for one, by in self.table.board.played_by.items() if by in powers]
        waiting = self.play.waiting_for()
        powers = sorted(powers, key=lambda power: power not in waiting)
        for power in powers[:-1]:
            try:
                self.play.check(power, order)
                return power
            except Refused:
                continue
        return powers[-1] if len(powers) == 1 or powers[-1] in waiting else powers[0]

    def _refused(self, entry: Mapping[str, Any]) -> None:
        because = entry.get("because")
        wanted = f" because “{because}”" if because else ""
        for name, value in entry.items():
            if name == "because":
                continue
            line = " ".join(_lines_of(value))
            try:
                order = read_order(self.game.orders, line, self.kit)
                self.play.check(self._power_asked(name, order), order)
            except (Refused, Unreadable) as error:
                reason = self.teller.refusal(_refusal(error))
                told = " ".join([reason, *self.teller.hints(error.hints)]).casefold()
                if because and str(because).casefold() not in told:
                    self._problem(f"{name}: {line}: expected a refusal{wanted}, got “{reason}”")
            else:
                self._problem(f"{name}: {line}: expected a refusal{wanted}, got it accepted")

    def _expect_entry(self, section: str, number: int, entry: Mapping[str, Any]) -> None:
        for name, value in entry.items():
            actual = with_place(self.case, section, number, name, value, self._matches)
            if actual is not None:
                where = f"{place_of(self.case, section, number)}: " if section == "play" else ""
                self._problem(f"{where}expected {name}: {value}, got {actual}")

    def _matches(self, name: str, value: Any) -> Any:
        check_names(self.table, name, value)
        return matches(self, name, value)


def run_case(case: Mapping[str, Any], find_game: Callable[[str], Game], find_kit: Callable[[str], Kit]) -> Verdict:
    """Run one case with the game and the kit that the two functions find by id."""
    game, kit = find_game(case["game"]), find_kit(case["game"])
    stop = case.get("stop")
    verdict = _run(game, kit, case, stop=bool(stop))
    if verdict.passed or stop is not None or not case.get("play"):
        return verdict
    at_once = _run(game, kit, case, stop=True)
    return at_once if at_once.passed else verdict


def _run(game: Game, kit: Kit, case: Mapping[str, Any], *, stop: bool) -> Verdict:
    title = str(case.get("title", "(untitled)"))
    try:
        rehearsal = Rehearsal(game, kit, case, stop=stop)
    except Exception as error:  # a position is a user's: whatever is wrong with it is told in a line
        log.info("the position of %s cannot be set up", title, exc_info=error)
        return Verdict(title, [f"the position cannot be set up: {_why(error)}"])
    try:
        return rehearsal.run()
    except BadCase as error:
        rehearsal.verdict.problems.append(str(error))
        return rehearsal.verdict


def with_place(
    case: Mapping[str, Any], section: str, number: int, name: str, value: Any, do: Callable[[str, Any], Any]
) -> Any:
    """Do something with an entry of a user's. Raises `BadCase`, which says the place, for whatever is wrong with it."""
    try:
        return do(str(name), value)
    except Exception as error:  # the entry is a user's: nothing that it holds may end in a traceback
        raise BadCase(f"{place_of(case, section, number)}, {name}: {_why(error)}") from error


def _why(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"there is no {error.args[0]!s}" if error.args else "something is missing"
    if isinstance(error, ValueError):
        return str(error)
    return f"this form is not known ({error})"


# --- words ---


def check_names(table: Table, name: str, value: Any) -> None:
    """Raise `ValueError` for an id in an entry that nothing has: else ``space: vieana`` would be a space of its own."""
    if not isinstance(value, Mapping) or name in ("track", "state", "piece", "pile"):  # keyed by names of the board
        return
    labels = table.kit.labels
    owners = {*table.board.powers, *labels.get("power", ()), *labels.get("minor", ()), *_empires(table.kit)}
    for key, held in value.items():
        domain = key.removesuffix("s") if key == "leaders" else key
        known: Any = owners if domain == "power" else labels.get(domain, ())
        for id in _entries(held) if known else ():
            if id is not None and str(id) not in known:
                _unknown(str(domain), str(id), known)


def _empires(kit: Kit) -> Mapping[str, Any]:
    return kit.tables.get(kit.seats.get("table", ""), {})


def _unknown(what: str, id: str, known: Any) -> None:
    near = nearest(id, sorted(known))
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    if not near and len(known) <= NAMES_TO_LIST:
        hint = f"; there are {', '.join(sorted(known))}"
    raise ValueError(f"there is no {what} {id}{hint}")


def words(game: Game, kit: Kit) -> dict[str, list[str]]:
    """What a case of the game may say, by section: words of ``arrange`` and ``expect``, phases, questions, ..."""
    own = game.case_words()
    return {
        "arrange": sorted({*_ARRANGE, *own["arrange"]}),
        "expect": sorted({*_EXPECT, *own["expect"]}),
        "phases": list(own["phases"]),
        "questions": sorted(set(kit.times) - {"default"}),
        "types of fact": list(FACT_TYPES),
        "powers": game.powers(kit, next(iter(kit.scenarios), "standard")),
        "scenarios": list(kit.scenarios),
        "options": list(kit.options),
    }


# --- entries known everywhere ---


def arrange(game: Game, table: Table, name: str, value: Any) -> None:
    """Set a part of the position up. Raises `ValueError` for an entry that neither the table nor the game knows."""
    if name == "units":
        _arrange_units(table, value)
    elif name == "track":
        for track, values in value.items():
            for power, number in values.items():
                table.count(track, power, number - table.board.value(track, power))
    elif name == "state":
        for key, content in value.items():
            table.set(key, content)
    elif name == "piece":
        for piece, marks in value.items():
            if piece not in table.board.pieces:
                _unknown("piece", piece, table.board.pieces)
            table.put(piece, **marks)
    elif name == "pile":
        for pile, cards in value.items():
            for card in cards:
                origin = next((p for p, held in table.board.piles.items() if card in held), None)
                table.card(card, origin, pile)
    else:
        game.arrange(table, name, value)


def _arrange_units(table: Table, value: Mapping[str, Any]) -> None:
    """``{place, power, <kind>: number}``: so many of these kinds stand there, no more; the rest is in the supply."""
    place, power = value["place"], value["power"]
    for kind, number in _numbers(table, value):
        change = number - table.board.count(place, power, kind)
        if change > 0:
            table.move(power, kind, change, SUPPLY, place)
        else:
            table.move(power, kind, -change, place, SUPPLY)


def _numbers(table: Table, value: Mapping[str, Any]) -> list[tuple[str, int]]:
    """The kinds of unit in an entry with their numbers. Raises `ValueError` for a kind or place that there is not."""
    kinds, place = table.kit.tables.get("units", {}), str(value["place"])
    places = [id for ids in table.kit.labels.values() for id in ids]
    if not {":", "/"} & set(place) and place != SUPPLY and place not in table.board.units and place not in places:
        _unknown("place", place, places)
    numbers = [(kind, number) for kind, number in value.items() if kind not in ("place", "power")]
    for kind, number in numbers:
        if kinds and kind not in kinds:
            _unknown("kind of unit", kind, kinds)
        if type(number) is not int or number < 0:
            raise ValueError(f"{kind} is a number of units, not {number!r}")
    return numbers


def matches(rehearsal: Rehearsal, name: str, value: Any) -> Any:
    """Compare an entry of ``expect`` with what came: None when it holds, else what stands there instead."""
    board = rehearsal.table.board
    actual: Any
    if name == "units":
        place, power = value["place"], value["power"]
        actual = {kind: board.count(place, power, kind) for kind, _ in _numbers(rehearsal.table, value)}
        return None if all(actual[kind] == value[kind] for kind in actual) else actual
    if name == "track":
        actual = {t: {power: board.tracks.get(t, {}).get(power) for power in values} for t, values in value.items()}
        return None if actual == value else actual
    if name == "state":
        actual = {key: board.state.get(key) for key in value}
        return None if actual == value else actual
    if name == "piece":
        actual = {id: board.pieces.get(id) for id in value}
        return None if all((actual[id] or {}).items() >= value[id].items() for id in value) else actual
    if name == "pile":
        actual = {pile: sorted(board.piles.get(pile, [])) for pile in value}
        return None if actual == {pile: sorted(cards) for pile, cards in value.items()} else actual
    if name == "asks":
        open_now = [
            {"seat": q.power, "question": q.kind}
            for q in rehearsal.play.questions()
            if q.power in rehearsal.play.waiting_for()
        ]
        powers = rehearsal.players.get(value["seat"]) or [value["seat"]]
        return None if any({**value, "seat": power} in open_now for power in powers) else open_now
    if name == "over":
        return None if rehearsal.play.over == value else rehearsal.play.over
    if name in ("facts", "not_facts"):
        came = [fact["what"] if fact["fact"] == "happened" else fact["fact"] for fact in rehearsal.facts]
        if name == "not_facts":
            return None if not set(came) & set(value) else came
        rest = iter(came)
        return None if all(kind in rest for kind in value) else came
    return rehearsal.game.matches(rehearsal.table, name, value)
