"""The courier: takes from the outbox what is due, writes each mail once, and sends it until it is accepted.

A mail is rendered, stored, then sent; every attempt sends the stored bytes under the same Message-ID. What can fail,
and what then happens:

- the process dies: what it had claimed is claimed anew after two minutes; SMTP may so deliver a mail twice, as the same
  message;
- the mail server says "later" (4xx), or the connection breaks: again after a minute, two, four, … up to twelve hours;
- it says "never" (5xx), or the address is none: given up, shown on the moderator's desk, who can have it tried again;
- no mail can go out at all (the smart host is down, the login wrong): all wait, no mail loses an attempt.

One fault of one mail holds up no other.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from email.parser import BytesHeaderParser
from email.utils import parseaddr
from itertools import groupby
from pathlib import Path

from pbem.campaign import enclosures, outbox
from pbem.campaign.notices import HOUSE_KINDS, is_former, is_moderator
from pbem.campaign.outbox import Message
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.mail.compose import BadAddress, Mail, compose
from pbem.mail.contents import Gathered, Nothing, gather
from pbem.mail.envelope import make_address, redact
from pbem.mail.transports import (
    GiveUp,
    MaildirTransport,
    SmtpTransport,
    Transport,
    TryLater,
    Webhook,
    webhook_content,
)

BATCH = 50
LONGEST_ROUND = timedelta(minutes=4)
BETWEEN_TIDYINGS = timedelta(hours=1)
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=30), timedelta(minutes=15)
STRAY, WEBHOOK = "stray", "webhook"

log = logging.getLogger(__name__)


def transport_of(settings: Settings) -> Transport:
    """The way out that the settings choose: the smart host, or the Maildir `var`/maildir when none is named."""
    if not settings.smtp_host:
        return MaildirTransport(settings.var / "maildir")
    security = "tls" if settings.smtp_tls else "starttls" if settings.smtp_starttls else "none"
    return SmtpTransport(
        settings.smtp_host, settings.smtp_port, user=settings.smtp_user, security=security,
        password=lambda: _password(settings.smtp_password_file),
    )  # fmt: skip


def _password(file: str) -> str:
    return Path(file).read_text(encoding="utf-8").strip() if file else ""


class Courier:
    """Sends the outbox of a service; several couriers, in several processes, share the work.

    `transport` and `webhook` are the ways out (by default those of the settings). Times come from the service's clock.
    """

    def __init__(
        self,
        service: Service,
        *,
        transport: Transport | None = None,
        webhook: Webhook | None = None,
        pictures: bool = True,
    ):
        self.service = service
        self.transport = transport or transport_of(service.settings)
        self.webhook = webhook or Webhook(private=service.settings.webhook_private)
        self.pictures = pictures
        self._pause = timedelta()
        self._closed_until: datetime | None = None
        self._next_tidying = service.clock.now()
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    # the loop

    def start(self) -> None:
        """Send in a thread, whenever there is news and every few seconds."""
        if self._thread is not None:
            raise RuntimeError("the courier runs already")
        self._stopping.clear()
        self.service.on_news(self._wake.set)
        self._thread = threading.Thread(target=self._run, name="courier", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread after the mail that it is at. Harmless when stopped."""
        self._stopping.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wake.wait(self.service.settings.clock_seconds)
            self._wake.clear()
            try:
                self.send_due()
            except Exception as error:  # of the store: the loop has to go on
                log.error("the courier could not go on: %s", redact(f"{type(error).__name__}: {error}"))
                self._stopping.wait(self.service.settings.clock_seconds)
        self.transport.close()

    def send_due(self) -> int:
        """Send everything that is due now; returns how many mails and webhooks were accepted."""
        sent = 0
        while not self._stopping.is_set():
            self.service.project()
            claimed, accepted = self._send_batch()
            sent += accepted
            if not claimed:  # what was just written may have put a webhook behind it
                break
        now = self.service.clock.now()
        if now >= self._next_tidying:
            enclosures.forget(self.service.store, now)
            self._next_tidying = now + BETWEEN_TIDYINGS
        return sent

    def _send_batch(self) -> tuple[int, int]:
        now = self.service.clock.now()
        if self._closed_until is not None and now < self._closed_until:
            return 0, 0
        claim = timedelta(seconds=self.service.settings.clock_claim_seconds)
        messages = outbox.claim_due(self.service.store, now, BATCH, self.service.settings.clock_claim_seconds)
        begun, accepted, held = time.monotonic(), 0, now + claim
        waiting = [message.number for message in messages]
        try:
            for _, group in groupby(messages, key=lambda message: (message.campaign, message.seat)):
                group, now = list(group), self.service.clock.now()
                if now > held - claim * 3 / 4:  # a quarter of its time is over
                    mine = outbox.renew(self.service.store, waiting, held, now + claim)
                    held, waiting = now + claim, [number for number in waiting if number in mine]
                    group = [message for message in group if message.number in mine]
                accepted += self._handle(group)
                waiting = waiting[len(group) :]
                if self._stopping.is_set() or time.monotonic() - begun > LONGEST_ROUND.total_seconds():
                    break
        except TryLater as error:  # nothing can go out
            self._pause = min(max(self._pause * 2, FIRST_PAUSE), LONGEST_PAUSE)
            self._closed_until = self.service.clock.now() + self._pause
            log.warning("no mail can go out now: %s", error)
            outbox.postpone(self.service.store, waiting, self._closed_until, str(error))
            return len(messages), accepted
        if accepted:
            self._pause, self._closed_until = timedelta(), None
        if waiting:
            outbox.postpone(self.service.store, waiting, self.service.clock.now())
        return len(messages), accepted

    # one seat's messages

    def _handle(self, group: Sequence[Message]) -> int:
        """Send what is due for one seat: one mail of all that is new, and again what did not go out before."""
        accepted = 0
        fresh = [message for message in group if message.rendered is None]
        for message in group:
            if message.rendered is None:
                continue
            if message.kind == WEBHOOK:
                accepted += self._post(message)
            elif self._is_for_another(message):
                outbox.render_again(self.service.store, message.number)
                fresh.append(message)
            else:
                accepted += self._send(message, message.rendered)
        house = [message for message in fresh if message.kind in HOUSE_KINDS]
        for together in (house, [message for message in fresh if message not in house]):
            if together:
                accepted += self._write_and_send(together)
        return accepted

    def _is_for_another(self, message: Message) -> bool:
        """Whether the seat has another player, or the player another address, since the mail was written."""
        if not message.seat or is_moderator(message.seat) or is_former(message.seat):
            return False
        player = self.service.player(message.campaign, message.seat)
        return player is None or _recipient(message.rendered or b"") != player["address"].strip()

    def _write_and_send(self, messages: Sequence[Message]) -> int:
        numbers = [message.number for message in messages]
        store, now = self.service.store, self.service.clock.now()
        try:
            found = gather(self.service, messages, now, pictures=self.pictures)
            raw = compose(found.mail).as_bytes()
        except Nothing as nothing:
            outbox.void(store, numbers, str(nothing))
            return 0
        except BadAddress as error:
            for number in numbers:
                outbox.mark_failed(store, number, str(error), now, for_good=True)
            return 0
        except Exception as error:  # of a template, a phrase, a picture: one mail's fault is no other's
            log.exception("outbox %s of campaign %s cannot be written", numbers, messages[0].campaign)
            for number in numbers:
                outbox.mark_failed(store, number, redact(f"cannot be written: {type(error).__name__}"), now)
            return 0
        aside = [number for number in numbers if number != found.lead.number]
        webhook = self._webhook_content(found)
        if not outbox.store_rendered(store, found.lead, raw, now, aside=aside, webhook=webhook):
            return 0  # another courier was faster
        return self._send(found.lead, raw)

    def _send(self, message: Message, raw: bytes) -> int:
        store = self.service.store
        sender = make_address(message.campaign, "", self.service.settings.domain)
        if message.kind == STRAY or is_moderator(message.seat):
            sender = ""  # what comes back of these would only make more of them
        try:
            self.transport.send(raw, sender, _recipient(raw))
        except TryLater as error:
            if error.everything:
                raise
            outbox.mark_failed(store, message.number, str(error), self.service.clock.now())
        except GiveUp as error:
            log.warning("outbox %s of campaign %s is given up: %s", message.number, message.campaign, error)
            outbox.mark_failed(store, message.number, str(error), self.service.clock.now(), for_good=True)
        else:
            outbox.mark_sent(store, [message.number], self.service.clock.now())
            return 1
        return 0

    # webhooks

    def _webhook_content(self, found: Gathered) -> bytes | None:
        """What the player's webhook is sent with a "your move"; None where he has none, or is just writing to us."""
        mail = found.mail
        kinds = {part.kind for part in mail.parts}
        if not kinds & {"your_move", "window_opening"} or "answer" in kinds or not mail.asks:
            return None
        player = self.service.player(mail.campaign, found.lead.seat)
        return _your_move(mail, found.lead.seat, self.service.settings.site) if player and player["webhook"] else None

    def _post(self, message: Message) -> int:
        store = self.service.store
        player = self.service.player(message.campaign, message.seat)
        if not player or not player["webhook"]:
            outbox.void(store, [message.number], "the player has no webhook")
            return 0
        try:
            self.webhook.send(player["webhook"], message.rendered or b"")
        except TryLater as error:
            outbox.mark_failed(store, message.number, str(error), self.service.clock.now())
        except GiveUp as error:
            outbox.mark_failed(store, message.number, str(error), self.service.clock.now(), for_good=True)
        else:
            outbox.mark_sent(store, [message.number], self.service.clock.now())
            return 1
        return 0


def _your_move(mail: Mail, seat: str, site: str) -> bytes:
    """The JSON of a webhook. It holds no token: a chat room is no place for one."""
    asks = [
        {"kind": ask.kind, "title": ask.title, "power": ask.power, "text": ask.text,
         "deadline": ask.deadline.isoformat() if ask.deadline else None}
        for ask in mail.asks
    ]  # fmt: skip
    sentence = f"{mail.game}, {mail.title}: {', '.join(ask.title for ask in mail.asks)} ({', '.join(mail.powers)})"
    return webhook_content(
        text=sentence, event="your_move", campaign=mail.campaign, title=mail.title, game=mail.game, seat=seat,
        powers=mail.powers, questions=asks, url=site,
    )  # fmt: skip


def _recipient(raw: bytes) -> str:
    """The address in the To field of a mail that we have written."""
    headers = raw.partition(b"\r\n\r\n")[0]  # a picture is long, and nothing of it is wanted
    return parseaddr(str(BytesHeaderParser().parsebytes(headers)["To"] or ""))[1]
