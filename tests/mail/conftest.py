"""A service with a campaign of Struggle of Empires (three seats), and a smart host on loopback that can fail."""

from __future__ import annotations

import asyncio
import smtplib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Answer, Submission
from pbem.mail.outbound import Courier
from pbem.mail.room import MailRoom
from pbem.mail.transports import SmtpTransport

DOMAIN = "pbem.example"
POWERS = {"seat1": "france", "seat2": "britain", "seat3": "prussia"}
NAMES = {"seat1": "Anna", "seat2": "Björn", "seat3": "Chloé"}


@dataclass
class Game:
    """A running campaign and what its seats need to write to it."""

    service: Service
    clock: ManualClock
    campaign: str
    tokens: dict[str, str]
    sent: int = 0

    def send(self, seat: str, *lines: str) -> Answer:
        """Lines of a seat as if by mail, without the mail."""
        self.sent += 1
        self.clock.advance(minutes=1)
        return self.service.submit(Submission(
            self.campaign, list(lines), self.clock.now(), "mail", token=self.tokens[seat],
            message_id=f"<{self.sent}@{seat}.example>",
        ))  # fmt: skip

    def asked_seat(self) -> str:
        """The seat that is to play."""
        return self.service.status(self.campaign).waiting_seats[0]

    def legal_line(self, seat: str) -> str:
        """The first line that a seat may send now."""
        return next(asked for asked in self.service.asked(self.campaign, seat) if not asked.answered).examples[0]

    def address(self, seat: str) -> str:
        """The address that a seat writes to."""
        return f"{self.campaign}+{self.tokens[seat]}@{DOMAIN}"


@dataclass
class SmartHost:
    """A mail server that keeps what it gets. `replies` are given to the next RCPT commands in their place, `senders`
    and `recipients` say what is always answered to the MAIL and RCPT commands of some addresses; above `largest` bytes
    nothing is taken, at MAIL or (`unannounced`) after DATA."""

    mails: list[tuple[str, list[str], EmailMessage]] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    senders: dict[str, str] = field(default_factory=dict)
    recipients: dict[str, str] = field(default_factory=dict)
    largest: int = 10**9
    unannounced: bool = False
    port: int = 0
    attempts: int = 0

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        if not self.unannounced and any(int(o[5:]) > self.largest for o in options if o.startswith("SIZE=")):
            return "552 5.3.4 message size exceeds a fixed limit"
        if address in self.senders:
            return self.senders[address]
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        self.attempts += 1
        if self.replies:
            return self.replies.pop(0)
        if address in self.recipients:
            return self.recipients[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if len(envelope.content) > self.largest:
            return "554 5.3.4 message too big"
        message = message_from_bytes(envelope.content, policy=policy.default)
        self.mails.append((envelope.mail_from, envelope.rcpt_tos, message))  # type: ignore[arg-type]
        return "250 OK"

    def to(self, address: str) -> list[EmailMessage]:
        """The mails that an address got."""
        return [message for _, recipients, message in self.mails if address in recipients]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2025, 11, 24, 9, tzinfo=UTC))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    # no outage is ever noticed: the clock jumps by days in these tests, and nobody writes heartbeats meanwhile
    return Settings(
        webhook_private=True,
        var=tmp_path, domain=DOMAIN, listen_port=0, moderator="mod@example.org", clock_seconds=1,
        clock_outage_minutes=10**6,
    )  # fmt: skip


@pytest.fixture
def service(settings: Settings, clock: ManualClock) -> Iterator[Service]:
    made = Service(settings, clock)
    yield made
    made.close()


def new_game(service: Service, clock: ManualClock, *, title: str = "Winter", language: str = "en",
             missed: str = "default") -> Game:
    """A campaign that has just begun, with its first mails in the outbox."""
    campaign = service.create(
        "struggle_of_empires", 3, campaign="winter", title=title, policy={"missed": missed}
    )
    tokens = {}
    for seat, name in NAMES.items():
        tokens[seat] = service.invite(
            campaign, seat, name, f"{seat}@example.org", language=language, timezone="Europe/Paris"
        )
        service.accept(campaign, seat)
    service.assign(campaign, POWERS)
    service.start(campaign)
    service.project()
    return Game(service, clock, campaign, tokens)


@pytest.fixture
def game(service: Service, clock: ManualClock) -> Game:
    return new_game(service, clock)


@pytest.fixture
def host() -> Iterator[SmartHost]:
    made = SmartHost()
    listening = socket.create_server(("127.0.0.1", 0))
    made.port = listening.getsockname()[1]
    loop = asyncio.new_event_loop()

    def run() -> None:
        server = loop.run_until_complete(
            loop.create_server(lambda: SMTP(made, hostname="smart.example", loop=loop), sock=listening)
        )
        loop.run_forever()
        server.close()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield made
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


@pytest.fixture
def courier(service: Service, host: SmartHost) -> Iterator[Courier]:
    made = Courier(service, transport=SmtpTransport("127.0.0.1", host.port, security="none"), pictures=False)
    yield made
    made.transport.close()


@pytest.fixture
def room(service: Service, courier: Courier) -> Iterator[MailRoom]:
    made = MailRoom(service, courier=courier)
    made.start_listener()
    yield made
    made.stop()


class Post:
    """Somebody with a mail program: writes to the listener, reads at the smart host."""

    def __init__(self, game: Game, room: MailRoom, courier: Courier, host: SmartHost):
        self.game, self.room, self.courier, self.host = game, room, courier, host
        self.number = 0
        self.courier.send_due()  # opening and first question
        host.mails.clear()

    def write(self, to: str, body: str | bytes, *, sender: str = "seat1@example.org", envelope: str | None = None,
              **headers: str) -> None:
        """Send a mail; a body of bytes is the whole mail."""
        self.number += 1
        self.game.clock.advance(minutes=1)
        if isinstance(body, str):
            message = EmailMessage(policy=policy.SMTP)
            message["From"], message["To"], message["Subject"] = sender, to, "Re: [Winter] Your move"
            message["Message-ID"] = f"<mail-{self.number}@example.org>"
            for name, value in headers.items():
                del message[name.replace("_", "-")]
                message[name.replace("_", "-")] = value
            message.set_content(body)
            raw = message.as_bytes()
        else:
            raw = body
        assert self.room.listener is not None
        with smtplib.SMTP("127.0.0.1", self.room.listener.port) as connection:
            connection.sendmail(sender if envelope is None else envelope, [to], raw)

    def answers(self, address: str = "seat1@example.org", seconds: float = 30) -> list[EmailMessage]:
        """What an address gets after everything that was written has been taken up and sent."""
        deadline = time.monotonic() + seconds
        while self.game.service.with_mail() and time.monotonic() < deadline:
            time.sleep(0.01)
        self.courier.send_due()
        return self.host.to(address)


@pytest.fixture
def post(game: Game, room: MailRoom, courier: Courier, host: SmartHost) -> Post:
    return Post(game, room, courier, host)


def text_of(message: EmailMessage) -> str:
    """The text part of a mail."""
    part = message.get_body(("plain",))
    assert part is not None
    return part.get_content()


def html_of(message: EmailMessage) -> str:
    """The HTML part of a mail."""
    part = message.get_body(("html",))
    assert part is not None
    return part.get_content()
