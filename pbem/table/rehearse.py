"""Cases: adjudication tests that anyone can read, and positions that a moderator rehearses.

The form (YAML)::

    title: Field battle in the open, attacker wins (14, example 1)
    game: here_i_stand
    scenario: "1517"
    seats: [ottoman, hapsburg, ...]       # the powers in play in seat order; or a number of seats
    options: {reserve_rerolls: own_dice}
    arrange:                              # the position before play, entries as the game names them
      - units: {place: buda, power: ottoman, regular: 9}
    dice: [5, 6, 1, 3]                    # thrown in this order; a draw takes its place, counted from 1; all are used
    play:
      - ottoman: |
          PLAY 31 FOR CP
          MOVE ALL FROM buda TO vienna
      - refused: {hapsburg: "MOVE ...", because: not adjacent}
      - expire: true                      # the deadline passes in silence
    expect:
      - units: {place: vienna, power: hapsburg, regular: 3}
      - asks: {seat: hapsburg, question: retreat}
      - facts: [fight, captured]          # happenings or types of fact that must have come, in this order
      - not_facts: [captured]

In place of ``arrange`` a case may hold ``position``: a whole board as JSON (as random play writes it when it fails).
``arrange`` and ``expect`` know everywhere: units, track, state, piece, pile, sight; the game adds its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from pbem.table.board import SUPPLY, Board
from pbem.table.dice import ScriptedThrows
from pbem.table.facts import Fact
from pbem.table.kit import Kit
from pbem.table.orders import Refused, Unreadable, read_order
from pbem.table.procedure import Game, Play, Table

_KEYS = {"title", "game", "scenario", "seats", "options", "arrange", "position", "dice", "play", "expect", "note"}
LEDGER_LINES = 12


class BadCase(ValueError):
    """A case file that cannot be understood; says what would be right."""


@dataclass
class Verdict:
    """What came of one case."""

    title: str
    problems: list[str] = field(default_factory=list)
    ledger: list[Fact] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.problems

    def text(self) -> str:
        """The difference for people: what was expected, what stands there, and the end of the ledger."""
        lines = [f"  {problem}" for problem in self.problems]
        if self.ledger:
            lines += ["  the ledger before it:"] + [f"    {brief(fact)}" for fact in self.ledger[-LEDGER_LINES:]]
        return "\n".join(lines)


def brief(fact: Fact) -> str:
    """A fact in one line."""
    more = ", ".join(f"{k}={v}" for k, v in fact.items() if k != "fact" and v is not None)
    return f"{fact['fact']}: {more}"


def load_case(path: Path) -> dict[str, Any]:
    """Read a case file. Raises `BadCase`."""
    try:
        case = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadCase(f"{path}: {error}") from error
    if not isinstance(case, dict) or "game" not in case:
        raise BadCase(f"{path}: a case is a mapping with at least: game, seats, play, expect")
    unknown = case.keys() - _KEYS
    if unknown:
        raise BadCase(f"{path}: unknown keys {', '.join(sorted(unknown))}; there are {', '.join(sorted(_KEYS))}")
    if not case.get("expect") and "position" not in case:
        raise BadCase(f"{path}: a case that expects nothing cannot fail")
    return case


class Rehearsal:
    """One case being run."""

    def __init__(self, game: Game, kit: Kit, case: Mapping[str, Any]):
        self.game, self.kit, self.case = game, kit, case
        self.verdict = Verdict(case.get("title", "(untitled)"))
        self.throws = ScriptedThrows(case.get("dice") or [])
        self.facts: list[Fact] = []
        self.table = self._table()
        self.play = Play(game, self.table)

    def _table(self) -> Table:
        scenario = str(self.case.get("scenario", next(iter(self.kit.scenarios), "standard")))
        options = self.case.get("options") or {}
        if "position" in self.case:
            return Table(Board.from_json(self.case["position"]), self.kit, options)
        seats = self.case.get("seats")
        powers = seats if isinstance(seats, list) else self.game.powers(self.kit, scenario)[:seats]
        order = self.game.play_order(self.kit, scenario, [[power] for power in powers])
        table = Table(Board(self.game.id, order), self.kit, options)
        self.game.set_up(table, scenario)
        for entry in self.case.get("arrange") or []:
            for name, value in entry.items():
                arrange(self.game, table, name, value)
        return table

    def run(self) -> Verdict:
        """Play the case; the verdict holds every difference found."""
        try:
            self.facts += self.play.start(self.throws).facts
            for entry in self.case.get("play") or []:
                self._entry(entry)
        except (Refused, Unreadable) as error:
            hints = f" ({'; '.join(error.hints[:4])})" if error.hints else ""
            self._problem(f"refused: {error}{hints}")
        except Exception as error:  # a case tells of any defect, with the way to it
            self._problem(f"{type(error).__name__}: {error}")
        else:
            if self.throws.left:
                self._problem(f"dice left over: {self.throws.left}")
            for entry in self.case.get("expect") or []:
                for name, value in entry.items():
                    self._expect(name, value)
        self.verdict.ledger = self.facts if self.verdict.problems else []
        return self.verdict

    def _problem(self, text: str) -> None:
        self.verdict.problems.append(text)

    def _entry(self, entry: Mapping[str, Any]) -> None:
        if "refused" in entry:
            self._refused(entry["refused"])
        elif entry.get("expire"):
            self.facts += self.play.expire(self.throws).facts
        else:
            for power, lines in entry.items():
                if power not in self.table.board.powers:
                    raise BadCase(f"{power} has no seat here; seats are {', '.join(self.table.board.powers)}")
                for line in str(lines).splitlines():
                    if line.strip():
                        self._order(power, line)

    def _order(self, power: str, line: str) -> None:
        order = read_order(self.game.orders, line, self.kit)
        try:
            self.facts += self.play.answer(power, order, self.throws).facts
        except Refused as error:
            raise Refused(f"{power}: {line.strip()}: {error.reason}", error.section, error.hints) from error

    def _refused(self, entry: Mapping[str, Any]) -> None:
        because = entry.get("because")
        for power, line in entry.items():
            if power == "because":
                continue
            try:
                order = read_order(self.game.orders, line, self.kit)
                self.play.check(power, order)
            except (Refused, Unreadable) as error:
                reason = " ".join([error.reason, *error.hints])
                if because and because.casefold() not in reason.casefold():
                    self._problem(f"{power}: {line}: expected a refusal because “{because}”, got “{error.reason}”")
            else:
                self._problem(f"{power}: {line}: expected a refusal because “{because}”, got it accepted")

    def _expect(self, name: str, value: Any) -> None:
        found = matches(self, name, value)
        if found is not None:
            self._problem(f"expected {name}: {value}, got {found}")


def run_case(case: Mapping[str, Any], find_game: Callable[[str], Game], find_kit: Callable[[str], Kit]) -> Verdict:
    """Run one case with the game and the kit that the two functions find by id."""
    game = find_game(case["game"])
    try:
        rehearsal = Rehearsal(game, find_kit(case["game"]), case)
    except (ValueError, KeyError) as error:
        return Verdict(case.get("title", "(untitled)"), [f"the position cannot be set up: {error}"])
    return rehearsal.run()


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
                raise ValueError(f"there is no piece {piece}")
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
    for kind, number in value.items():
        if kind in ("place", "power"):
            continue
        change = number - table.board.count(place, power, kind)
        if change > 0:
            table.move(power, kind, change, SUPPLY, place)
        else:
            table.move(power, kind, -change, place, SUPPLY)


def matches(rehearsal: Rehearsal, name: str, value: Any) -> Any:
    """Compare an entry of ``expect`` with what came: None when it holds, else what stands there instead."""
    board = rehearsal.table.board
    if name == "units":
        place, power = value["place"], value["power"]
        found = {kind: board.count(place, power, kind) for kind in value if kind not in ("place", "power")}
        return None if all(found[kind] == value[kind] for kind in found) else found
    if name == "track":
        found = {t: {power: board.tracks.get(t, {}).get(power) for power in values} for t, values in value.items()}
        return None if found == value else found
    if name == "state":
        found = {key: board.state.get(key) for key in value}
        return None if found == value else found
    if name == "piece":
        found = {id: board.pieces.get(id) for id in value}
        return None if all((found[id] or {}).items() >= value[id].items() for id in value) else found
    if name == "pile":
        found = {pile: sorted(board.piles.get(pile, [])) for pile in value}
        return None if found == {pile: sorted(cards) for pile, cards in value.items()} else found
    if name == "asks":
        open_now = [
            {"seat": q.power, "question": q.kind}
            for q in rehearsal.play.questions()
            if q.power in rehearsal.play.waiting_for()
        ]
        return None if value in open_now else open_now
    if name == "over":
        return None if rehearsal.play.over == value else rehearsal.play.over
    if name in ("facts", "not_facts"):
        came = [fact["what"] if fact["fact"] == "happened" else fact["fact"] for fact in rehearsal.facts]
        if name == "not_facts":
            return None if not set(came) & set(value) else came
        rest = iter(came)
        return None if all(kind in rest for kind in value) else came
    return rehearsal.game.matches(rehearsal.table, name, value)
