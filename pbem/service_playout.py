"""Random play through the service: a campaign as its players have it, from its founding to its end.

`pbem.table.playout` plays the rules at a table of its own; here everything goes through the front door: invitations are
sent and accepted, powers drawn, orders sent as lines, by mail through the inbox or at once as from a page; some
deadlines run out, standing orders answer, and every now and then another process takes over with the same store.

After every act: each line that the rules called legal was taken; the game's invariants hold; nothing that a reader got
names a card that is hidden from him; the order of play is that of the rulebook (``order_watch`` of the game's room).
At every `ACTS_BETWEEN_FULL_CHECKS`th act and at the end: what a reader got folds to what sight lets him see of the
board, which is what the service shows him; and at the end everybody's bundle is verified.

A game is the same again with the same seed: the secret of its dice comes from the seed too.
"""

from __future__ import annotations

import logging
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from pbem import games
from pbem.campaign import verify
from pbem.campaign.clock import ManualClock
from pbem.campaign.commands import addressed_line
from pbem.campaign.ledger import REFEREE
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Submission
from pbem.table import sight
from pbem.table.conditions import presets
from pbem.table.game import OrderWatch
from pbem.table.kit import Kit
from pbem.table.playout import Broken, Readers, Record, choose, note
from pbem.table.procedure import Game, Table
from pbem.table.questions import Question

log = logging.getLogger(__name__)

ACTS_BETWEEN_FULL_CHECKS = 25
RESTARTS, EXPIRIES, BY_MAIL = 0.03, 0.04, 0.5
"""The shares of acts before which another process takes over, in whose place a deadline runs out, that come by mail."""

CAMPAIGN = "random-play"
PRESET_SHARE = 0.5


@dataclass
class ServiceRecord(Record):
    """One campaign played out."""

    restarts: int = 0
    expiries: int = 0
    over: bool = False
    """Whether the game came to its own end, and not to the most answers wanted."""
    turns_watched: int = 0
    """How often the order of play was looked at (``order_watch``)."""
    acts: list[str] = field(default_factory=list)
    """What was done, a line each: the way to a failure."""


class ServicePlayout:
    """One random campaign. `run` never raises for a defect: it records it."""

    def __init__(
        self,
        game: Game,
        kit: Kit,
        seats: int,
        seed: int,
        *,
        scenario: str | None = None,
        options: Mapping[str, Any] | None = None,
        limit: int | None = None,
        restarts: float = RESTARTS,
    ):
        """`limit` is the most answers; the campaign is ended by its moderator then."""
        self.game, self.kit = game, kit
        self.scenario, self.options, self.limit = scenario, dict(options or {}), limit
        self.chance = random.Random(seed)
        self.restarts = restarts
        self.secret = random.Random(seed).randbytes(32)
        self.clock = ManualClock()
        self.record = ServiceRecord(seed, seats)
        self.tokens: dict[str, str] = {}
        self.seen = 0
        self.readers: Readers | None = None
        self.watch: OrderWatch | None = None
        self.service: Service

    def run(self) -> ServiceRecord:
        """Play to the end, or to the limit."""
        with tempfile.TemporaryDirectory() as folder:
            self.settings = Settings(var=Path(folder), domain="example.org")
            self.service = self._open()
            try:
                self._found()
                self._play()
                self._end(Path(folder) / "bundle.jsonl")
            except Exception as error:  # whatever breaks is the finding; it is written down with the way to it
                self.record.failure = f"{type(error).__name__}: {error}"
                if not isinstance(error, Broken):
                    log.error("a play stopped by a fault (seed %s)", self.record.seed, exc_info=error)
            finally:
                self.service.close()
        return self.record

    def _open(self) -> Service:
        return Service(self.settings, self.clock, new_secret=lambda: self.secret)

    def _restart(self) -> None:
        """Another process takes over: nothing is left but the store."""
        self.service.close()
        self.service = self._open()
        self.record.restarts += 1
        self.record.acts.append("restart")

    # before the game

    def _found(self) -> None:
        chosen: dict[str, Any] = {"scenario": self.scenario, "options": self.options, "kit": self.kit}
        chosen["policy"] = {"missed": "default"}  # silence is to be heard
        self.service.create(self.game.id, self.record.seats, campaign=CAMPAIGN, **chosen)
        for seat in self.service.status(CAMPAIGN).seats:
            self.tokens[seat] = self.service.invite(CAMPAIGN, seat, seat.title(), f"{seat}@example.net")
        for seat in self.chance.sample(list(self.tokens), len(self.tokens)):
            self._send(seat, ["ACCEPT INVITATION"])
        if self.chance.random() < 0.5:
            self.service.assign(CAMPAIGN)
        self.service.start(CAMPAIGN)
        known = [id for id, preset in presets(self.kit).items() if not preset.keys() & {"value", "when"}]
        self._look()
        for seat in self.tokens:
            if known and self.chance.random() < PRESET_SHARE:
                self._send(seat, [f"STANDING PRESET {self.chance.choice(known)}"])

    # the game

    def _play(self) -> None:
        while self.limit is None or self.record.answers < self.limit:
            state = self.service.status(CAMPAIGN).state
            if state != "running":
                if state != "finished":
                    raise Broken(f"the campaign is {state}")
                self.record.over = True
                return
            if self.chance.random() < self.restarts:
                self._restart()
            if self.chance.random() < EXPIRIES:
                self._let_run_out()
            else:
                self._answer()
            self._look()

    def _answer(self) -> None:
        """Somebody who is asked answers by chance."""
        asked = [(seat, self._unanswered(seat)) for seat in self.service.status(CAMPAIGN).waiting_seats]
        asked = [(seat, keys) for seat, keys in asked if keys]
        if not asked:
            raise Broken("the game waits for nobody")
        seat, keys = self.chance.choice(asked)
        powers = {power for power, _ in keys}

        def pick(table: Table, questions: Sequence[Question]) -> tuple[str, str]:
            open_ones = [question for question in questions if (question.power, question.key) in keys]
            question = self.chance.choice(open_ones)
            order = choose(table, question, self.chance, self.record.orders)
            return order.id(), addressed_line(question.power, order.text()) if len(powers) > 1 else order.text()

        kind, line = self.service.table_of(CAMPAIGN, seat, pick)
        self.record.orders[kind] += 1
        self.record.answers += 1
        self._send(seat, [line])

    def _unanswered(self, seat: str) -> set[tuple[str, str]]:
        return {(asked.power, asked.key) for asked in self.service.asked(CAMPAIGN, seat) if not asked.answered}

    def _send(self, seat: str, lines: list[str]) -> None:
        """Send lines from a seat and see them carried out."""
        self.clock.advance(minutes=self.chance.randint(1, 20))
        by_mail = self.chance.random() < BY_MAIL
        self.record.acts += [f"{seat} {'mail' if by_mail else 'page'}: {line}" for line in lines]
        sent = Submission(
            CAMPAIGN, lines, self.clock.now(), "mail" if by_mail else "form", token=self.tokens[seat],
            message_id=f"<{len(self.record.acts)}@example.net>",
        )  # fmt: skip
        if by_mail:
            number = self.service.receive(sent)
            if self.chance.random() < self.restarts:
                self._restart()
            self.service.tick()
            answer = self.service.answer(CAMPAIGN, number)
        else:
            answer = self.service.submit(sent)
        if answer is None or not answer.ok or answer.lines[0].state != "accepted":
            told = answer and (answer.note or [(one.line, one.state, one.reason, one.hints) for one in answer.lines])
            raise Broken(f"{seat} sent {lines}, and was told: {told}")

    def _let_run_out(self) -> None:
        """Nobody answers until the deadline has passed."""
        deadline = self.service.status(CAMPAIGN).deadline
        if deadline is None:
            self._answer()
            return
        self.clock.set(deadline + timedelta(minutes=1))
        self.record.acts.append("deadline")
        self.service.tick()
        self.record.expiries += 1

    # what is checked

    def _look(self) -> None:
        """Read what everybody got of the events since the last time."""
        start, self.seen = self.seen + 1, self.service.status(CAMPAIGN).event
        seats = self.service.status(CAMPAIGN).seats
        if self.readers is None:
            board = self.service.view_at(CAMPAIGN)
            holdings = [tuple(p for p in state["powers"] if p not in board.played_by) for state in seats.values()]
            self.readers = Readers(board, board.seated(), [sight.PUBLIC, *holdings])
            self.watch = self.game.order_watch(self.kit, holdings)
        over = self.service.status(CAMPAIGN).state == "finished"
        got = [self.service.events(CAMPAIGN, reader, start, self.seen) for reader in (None, *seats)]
        for event in got[0]:
            if event["kind"] == "reordered":
                raise Broken("the campaign began in a wrong order of play")
            note(self.record, event["facts"], self.game.card_uses)
            asks = [(ask["kind"], ask["power"]) for ask in event["public"].get("asks", [])]
            problem = self.watch.see(event["facts"], asks) if self.watch else None
            self.record.turns_watched = self.watch.rounds if self.watch else 0
            if problem:
                raise Broken(f"event {event['number']}: {problem}")
        if over:
            return  # then everything is open, what was hidden before too
        facts = [[fact for event in events for fact in event["facts"]] for events in got]
        full = len(self.record.acts) % ACTS_BETWEEN_FULL_CHECKS == 0
        with self._whole_table() as table:
            self.readers.read(table.board, facts)
            faults = self.game.faults(table)
            if faults:
                raise Broken("; ".join(faults))
            if full:
                self._compare(table)

    @contextmanager
    def _whole_table(self) -> Iterator[Table]:
        """The whole table, which nobody but this program's own checks may have."""
        yield self.service.table_of(CAMPAIGN, next(iter(self.tokens)), lambda table, _: table)

    def _compare(self, table: Table) -> None:
        assert self.readers is not None
        self.readers.compare(table.board)
        for reader, view in zip((None, *self.tokens), self.readers.views, strict=True):
            if self.service.view_at(CAMPAIGN, reader) != view:
                raise Broken(f"{reader or 'the public'} is shown another board than the events tell")

    def _end(self, bundle: Path) -> None:
        """What everybody may take home is whole, before the end and after it."""
        if not self.record.over:
            with self._whole_table() as table:
                self._compare(table)
            self._verify(bundle, self.chance.choice(list(self.tokens)))
            self.service.finish(CAMPAIGN, "enough was played")
        self.service.tick()
        report = self._verify(bundle, None)
        if not report.secret_opened:
            raise Broken("the secret of the dice is not opened at the end")
        final = self.service.events(CAMPAIGN, None)
        self.record.results = next(e["public"]["results"] for e in final if e["kind"] == "finished")
        if self.service.view_at(CAMPAIGN) != self.service.view_at(CAMPAIGN, next(iter(self.tokens))):
            raise Broken(f"after the end not everybody sees what the {REFEREE} sees")

    def _verify(self, bundle: Path, reader: str | None) -> verify.Report:
        self.service.export(CAMPAIGN, reader, bundle)
        return verify.verify(bundle.read_bytes().splitlines(keepends=True))


def write_acts(record: ServiceRecord, folder: Path) -> Path:
    """Write the way to a failure down, a line an act; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"service-playout-{record.seed}.txt"
    path.write_text("\n".join([*record.acts, f"FAIL {record.failure}", ""]), encoding="utf-8")
    return path


def play_through(game: str, kit: Kit, number: int, seats: int, seed: int, **more: Any) -> ServiceRecord:
    """Campaign `number` of a series: everything follows from series seed and number."""
    return ServicePlayout(games.find_game(game), kit, seats, (seed * 101 + seats) * 1_000_003 + number, **more).run()
