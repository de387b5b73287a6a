"""What a mail shows as legal is taken as it stands: its examples, sent back by mail, over positions of random play."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.campaign.service import Service
from pbem.campaign.submissions import Answer, Submission
from pbem.games import find_game
from pbem.mail.outbound import Courier
from pbem.mail.parse import read_mail
from pbem.service_playout import CAMPAIGN, ServicePlayout
from pbem.table.kit import load_kit
from tests.mail.conftest import text_of

EXAMPLES = "For example, all of these are legal now:"
WHOLE = "Or all in one mail; this too is legal now:"
ANSWERS_BETWEEN = 4
"""Answers of the play between two positions whose mails are tried."""
TRIED = 2
"""Examples of a mail that are tried, besides that of a whole turn."""


class Trial(ServicePlayout):
    """Random play in which every few acts the examples of the newest mail of whoever is asked are sent back, each to a
    copy of the service."""

    def __init__(self, game: str, seats: int, limit: int):
        super().__init__(find_game(game), load_kit(game), seats, seed=3, limit=limit, restarts=0.0)
        self.mails: dict[str, EmailMessage] = {}
        self.tried: dict[str, Answer | None] = {}
        self.whole = self.next_trial = 0

    def send(self, content: bytes, sender: str, receiver: str) -> None:
        """As a transport: keep the mail."""
        self.mails[receiver.partition("@")[0]] = message_from_bytes(content, policy=policy.default)  # type: ignore[assignment]

    def _look(self) -> None:
        courier = Courier(self.service, transport=self, pictures=False)  # type: ignore[arg-type]
        while courier.send_due():
            pass
        status = self.service.status(CAMPAIGN)
        now = [seat for seat in status.waiting_seats if self.mails[seat]["X-PBEM-Event"] == str(status.event)]
        if now and self.record.answers >= self.next_trial and status.state == "running":
            self.next_trial = self.record.answers + ANSWERS_BETWEEN
            self._try(self.chance.choice(now))

    def _end(self, bundle: Path) -> None:
        """Enough was tried."""

    def _try(self, seat: str) -> None:
        text = text_of(self.mails[seat]).replace("\r\n", "\n")
        examples, whole = shown(text, EXAMPLES), shown(text, WHOLE)
        some = self.chance.sample(examples, min(TRIED, len(examples)))
        for lines in filter(None, [*([line] for line in some), whole]):
            with self._copy() as service:
                self.tried[f"{self.record.answers} {seat}: {' / '.join(lines)}"] = self._mailed(service, seat, lines)
        self.whole += bool(whole)

    def _mailed(self, service: Service, seat: str, lines: list[str]) -> Answer | None:
        reply = EmailMessage()
        reply["From"], reply["Message-ID"] = f"{seat}@example.net", "<trial@example.net>"
        reply.set_content("\n".join(lines))
        read = read_mail(reply.as_bytes()).lines
        number = service.receive(Submission(
            CAMPAIGN, read, self.clock.now(), "mail", token=self.tokens[seat], message_id="<trial@example.net>",
        ))  # fmt: skip
        service.tick()
        return service.answer(CAMPAIGN, number)

    @contextmanager
    def _copy(self) -> Iterator[Service]:
        """A service with all that this one has stored."""
        var = self.settings.var
        folder = var.with_name(f"{var.name}-copy")
        shutil.copytree(var, folder, ignore=shutil.ignore_patterns("*.db*", "*.sqlite*"))
        try:
            for file in [*var.glob("*.db"), *var.glob("*.sqlite")]:
                with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(folder / file.name)) as target:
                    source.backup(target)
            service = Service(replace(self.settings, var=folder), self.clock)
            yield service
            service.close()
        finally:
            shutil.rmtree(folder)


def shown(text: str, heading: str) -> list[str]:
    """The lines that a mail shows below a heading."""
    lines = text.partition(f"{heading}\n")[2].partition("\n\n")[0].splitlines()
    return [line.strip() for line in lines]


@pytest.mark.parametrize(("game", "seats", "answers", "whole"), [
    ("here_i_stand", 3, 50, True), ("virgin_queen", 4, 70, True), ("thirty_years_war", 2, 24, False),
    ("struggle_of_empires", 3, 24, False),
])  # fmt: skip
def test_every_example_of_a_mail_is_taken_as_it_stands(game: str, seats: int, answers: int, whole: bool) -> None:
    trial = Trial(game, seats, answers)
    record = trial.run()
    assert record.failure is None
    refused = {
        line: answer and [(one.line, one.state, str(one.reason)) for one in answer.lines]
        for line, answer in trial.tried.items() if answer is None or not answer.ok
    }  # fmt: skip
    assert not refused
    assert len(trial.tried) >= 8 and (trial.whole > 0) == whole
