"""The demonstration: a campaign whose other seats are played at random, over the real mail path, with a fast clock.

Every mail of the service goes by SMTP to a post office of the demonstration's own. It puts your mail into the Maildir,
which the pages show, and hands the players theirs; they think of a legal order and send it by SMTP to the service.
"""

from __future__ import annotations

import asyncio
import math
import random
import smtplib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid, parseaddr
from pathlib import Path
from queue import SimpleQueue
from typing import cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope

from pbem.campaign import verify as verifier
from pbem.campaign.commands import addressed_line
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.mail.outbound import Courier
from pbem.mail.transports import MaildirTransport
from pbem.running import Running

PLAYERS_DOMAIN = "players.example"
YOU = f"you@{PLAYERS_DOMAIN}"
PAUSES = (2, 4, 8, 16, 32, 64)
"""Seconds that a player waits before the next attempt when the service takes no mail for now."""


class FastClock:
    """A clock that runs `speed` times as fast as the machine's, from now on."""

    def __init__(self, speed: float):
        self.speed = speed
        self._began = datetime.now(UTC)
        self._counted = time.monotonic()

    def now(self) -> datetime:
        return self._began + timedelta(seconds=(time.monotonic() - self._counted) * self.speed)


class _AnyPort(Controller):
    """An SMTP server on a port that the system chooses; the library looks for it at the port it was given."""

    def _trigger_server(self) -> None:
        assert self.server is not None
        self.port = cast(asyncio.Server, self.server).sockets[0].getsockname()[1]
        super()._trigger_server()


class PostOffice:
    """The smart host of the demonstration: takes every mail and puts it where its receiver looks."""

    def __init__(self, maildir: Path):
        self._maildir = MaildirTransport(maildir)
        self.boxes: dict[str, SimpleQueue[bytes]] = {}
        self.delivered = 0
        self._controller = _AnyPort(self, hostname="127.0.0.1", port=0, ready_timeout=10)

    def start(self) -> int:
        """Open; returns the port."""
        self._controller.start()
        return self._controller.port

    def stop(self) -> None:
        """Close."""
        self._controller.stop()

    async def handle_DATA(self, server: object, session: object, envelope: Envelope) -> str:  # noqa: N802
        """Called by the SMTP server at the end of a mail."""
        assert isinstance(envelope.content, bytes)
        for receiver in envelope.rcpt_tos:
            self.delivered += 1
            box = self.boxes.get(receiver.lower())
            if box is None:
                self._maildir.send(envelope.content, envelope.mail_from or "", receiver)
            else:
                box.put(envelope.content)
        return "250 OK"


class Player(threading.Thread):
    """One seat played at random by mail: reads its mail, and answers what it is asked with a legal order."""

    def __init__(self, service: Service, campaign: str, seat: str, box: SimpleQueue[bytes], port: int, seed: int):
        super().__init__(name=f"player of {seat}", daemon=True)
        self.service, self.campaign, self.seat = service, campaign, seat
        self.address = f"{seat}@{PLAYERS_DOMAIN}"
        self.box, self.port = box, port
        self.chance = random.Random(seed)
        self.sent = 0
        self._waits_for_answer = False

    def run(self) -> None:
        while raw := self.box.get():
            letter = message_from_bytes(raw, policy=policy.default)
            if letter["Auto-Submitted"] == "auto-replied":
                self._waits_for_answer = False
            if not self._waits_for_answer:
                line = self._think()
                if line:
                    self._send(letter, line)

    def _think(self) -> str | None:
        """What to answer, or None when nothing is asked. A person would read it in the mail; this asks the rules."""
        status = self.service.status(self.campaign)
        if status.state == "inviting":
            return None if status.seats[self.seat]["accepted"] else "ACCEPT INVITATION"
        open_keys = [asked.key for asked in self.service.asked(self.campaign, self.seat) if not asked.answered]
        if status.state != "running" or not open_keys:
            return None
        several = len(status.seats[self.seat]["powers"]) > 1

        def sample(table: object, questions: list) -> str | None:
            question = next((one for one in questions if one.key in open_keys), None)
            if question is None:
                return None
            line = question.sample(table, self.chance).text()
            return addressed_line(question.power, line) if several else line

        return self.service.table_of(self.campaign, self.seat, sample)

    def _send(self, letter: EmailMessage, line: str) -> None:
        reply = EmailMessage()
        reply["From"] = self.address
        reply["To"] = letter["Reply-To"]
        reply["Subject"] = f"Re: {letter['Subject']}"
        reply["Message-ID"] = make_msgid(domain=PLAYERS_DOMAIN)
        reply["In-Reply-To"] = letter["Message-ID"]
        body = letter.get_body(("plain",))
        assert body is not None
        quoted = "\n".join(f"> {text}" for text in body.get_content().splitlines()[:20])
        reply.set_content(f"{line}\n\nOn a day in the campaign, the service wrote:\n{quoted}\n")
        self._waits_for_answer = True
        self.sent += 1
        for pause in (*PAUSES, None):
            try:
                with smtplib.SMTP("127.0.0.1", self.port, timeout=30) as smtp:
                    smtp.send_message(reply, self.address, [parseaddr(str(reply["To"]))[1]])
                return
            except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused) as error:
                if pause is None or not _is_for_now(error):
                    raise
                time.sleep(pause)

    def stop(self) -> None:
        """End the thread after the mails that lie in the box."""
        self.box.put(b"")


def _is_for_now(error: smtplib.SMTPException) -> bool:
    """Whether a refusal says "later" (4xx): a fast game comes to the limit of mails that one address may send."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(400 <= code < 500 for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPResponseException) and 400 <= error.smtp_code < 500


class Demonstration:
    """A campaign of the demonstration and everything it needs; `run` plays it."""

    def __init__(
        self,
        settings: Settings,
        *,
        game: str = "struggle_of_empires",
        seats: int = 5,
        scenario: str | None = None,
        speed: float = 60.0,
        seed: int = 1,
        you: bool = True,
        pictures: bool = True,
    ):
        settings.var.mkdir(parents=True, exist_ok=True)
        if settings.web_port:
            settings = replace(settings, site=f"http://{settings.web_host}:{settings.web_port}")
        self.office = PostOffice(settings.var / "maildir")
        port = self.office.start()
        self.settings = replace(
            settings, smtp_host="127.0.0.1", smtp_port=port, smtp_starttls=False, domain="pbem.example",
            # The heartbeats of the ways in keep to the time on the wall, so that is how an outage is measured.
            clock_outage_minutes=math.ceil(settings.clock_outage_minutes * max(1.0, speed)),
        )  # fmt: skip
        self.game, self.seats, self.scenario = game, seats, scenario
        self.seed, self.you, self.pictures = seed, you, pictures
        self.running = Running(self.settings, FastClock(speed))
        self.campaign = ""
        self.players: list[Player] = []
        self.token: str | None = None
        self.port = 0
        """Where the service takes mail in, once the campaign has begun."""

    def __enter__(self) -> Demonstration:
        self.running.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        for player in self.players:
            player.stop()
        self.running.__exit__(*error)
        self.office.stop()

    def begin(self) -> None:
        """Open the service, found the campaign, invite everybody; the game begins when all players have accepted."""
        service = self.running.service
        room = self.running.mail(courier=Courier(service, pictures=self.pictures))
        assert room.listener is not None
        self.port = room.listener.port
        self.running.clock()
        self.campaign = service.create(self.game, self.seats, title="Demonstration", scenario=self.scenario)
        for number, seat in enumerate(service.status(self.campaign).seats):
            if self.you and number == 0:
                self.token = service.invite(self.campaign, seat, "Player 1", YOU)
                service.accept(self.campaign, seat)
                continue
            box: SimpleQueue[bytes] = SimpleQueue()
            player = Player(service, self.campaign, seat, box, room.listener.port, self.seed * 1_000 + number)
            self.office.boxes[player.address] = box
            self.players.append(player)
            player.start()
            service.invite(self.campaign, seat, f"Player {number + 1}", player.address)
        self._wait(lambda: all(s["accepted"] for s in service.status(self.campaign).seats.values()), 60)
        service.start(self.campaign)

    def link(self, address: str) -> str:
        """The secret link of your seat, on pages at an address."""
        return f"{address}/c/{self.campaign}/enter/{self.token}"

    def play_to_end(self, seconds: float, watch: Callable[[int], None] | None = None) -> bool:
        """Wait until the campaign is finished, at most so long; `watch` is told the number of events now and then."""

        def finished() -> bool:
            status = self.running.service.status(self.campaign)
            if watch:
                watch(status.event)
            return status.state == "finished"

        return self._wait(finished, seconds)

    def _wait(self, ready: Callable[[], bool], seconds: float) -> bool:
        until = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > until:
                return False
            time.sleep(0.2)
        return True


def verify_all(service: Service, campaign: str, folder: Path) -> Iterator[tuple[Path, bool, str]]:
    """Export the bundle of every reader, and verify each with the copied-out verifier, as a player would.

    Yields the file, whether it is verified, and the verifier's last line.
    """
    copy = folder / "verify.py"
    copy.write_bytes(Path(verifier.__file__).read_bytes())
    for reader in (None, *service.status(campaign).seats):
        file = folder / f"{campaign}-{reader or 'public'}.jsonl"
        service.export(campaign, reader, file)
        head = service.status(campaign).head
        done = subprocess.run(
            [sys.executable, "-I", str(copy), str(file), "--head", head], capture_output=True, text=True, check=False
        )
        yield file, done.returncode == 0, " ".join((done.stdout or done.stderr).strip().splitlines()[-1:])
