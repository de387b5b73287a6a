"""The courier: takes from the outbox what is due, writes each mail once, and sends it until it is accepted.

A mail is rendered, stored, then sent; every attempt sends the stored bytes under the same Message-ID. What can fail,
and what then happens:

- the process dies: what it had claimed is claimed anew after two minutes; SMTP may so deliver a mail twice, as the same
  message;
- the mail server says "later" (4xx), or the connection breaks: again after a minute, two, four, … up to twelve hours;
- it says "never" (5xx), or the address is none: given up, shown on the moderator's desk, who can have it tried again,
  and told to those who run the campaign;
- it says that the mail is too large: sent without its picture, which is nearly all of it;
- it refuses our own address at MAIL FROM: that mail again later, for an operator can have the address allowed;
- no mail can go out at all (the smart host is down, the login wrong): all wait, no mail loses an attempt, the deadlines
  of what was asked since wait with them, and the desk says so.

One fault of one mail holds up no other. Webhooks, whose hosts players choose, are a job of their own.
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

from pbem.campaign import enclosures, faults, notices, outbox
from pbem.campaign.jobs import Job, Jobs
from pbem.campaign.messages import KINDS
from pbem.campaign.notices import is_former, is_moderator
from pbem.campaign.outbox import Message
from pbem.campaign.service import OUT, Service
from pbem.campaign.settings import Settings
from pbem.campaign.store import is_store_fault
from pbem.mail.compose import BadAddress, Mail, compose, without_pictures
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
BETWEEN_BEATS = timedelta(seconds=20)
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=30), timedelta(minutes=15)
STRAY = "stray"
WEBHOOKS_AT_ONCE = 8

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


class WayOut:
    """What a courier knows of the way out, told to the store, so that deadlines and the desk can judge by it.

    A good round ends with nothing left that was due and could not go out. A message that is refused for itself says
    that the way is open. It is closed when nothing is taken at all, and when the last word to each of our senders was
    that it is refused: one campaign's sender alone closes nothing.
    """

    def __init__(self, service: Service):
        self._service = service
        self._is_open = True
        self._good: datetime | None = None
        self._told: datetime | None = None
        self._senders: dict[str, bool] = {}

    def takes(self, sender: str) -> None:
        """The sender of a message was taken, whatever became of it then. Bounces, and what none may answer, have none
        (""): these are taken where nothing else is."""
        if sender:
            self._senders[sender] = True
        self._is_open = not self._senders or any(self._senders.values())

    def refuses(self, sender: str, reason: str) -> None:
        """A sender was refused, or the connection broke under its message."""
        self._senders[sender] = False
        if not any(self._senders.values()):
            self.closed(reason)

    def closed(self, reason: str) -> None:
        """Nothing can go out."""
        if self._is_open and self._good is not None and self._good != self._told:
            self._service.heartbeat(OUT, self._good)
        self._is_open, self._told = False, None
        self._service.way_closed(OUT, reason)

    def round_done(self, begun: datetime) -> None:
        """All that was due at a moment was dealt with."""
        if not self._is_open:
            return
        self._good = begun
        if self._told is None or not self._told <= begun < self._told + BETWEEN_BEATS:
            self._service.heartbeat(OUT, begun)
            self._told = begun


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
        self._way_out = WayOut(service)
        self._pause = timedelta()
        self._closed_until: datetime | None = None
        self._next_tidying = service.clock.now()
        self._stopping = threading.Event()
        self._own_jobs = Jobs()
        self._running: list[Job] = []

    # the loop

    def start(self, jobs: Jobs | None = None) -> None:
        """Send whenever there is news and every few seconds, as a job of this process (None: of the courier's own).
        Webhooks are another, for they are slow."""
        if self._running:
            raise RuntimeError("the courier runs already")
        self._stopping.clear()
        jobs, seconds = jobs or self._own_jobs, self.service.settings.clock_seconds
        mails = jobs.every(seconds, "courier", self.send_mails)
        self._running = [mails, jobs.every(seconds, "webhooks", self.post_webhooks)]
        self.service.on_news(mails.wake)

    def stop(self) -> None:
        """End after the mail that is at work; no webhook is waited for. Harmless when stopped."""
        self._stopping.set()
        self.webhook.stop()
        for job in self._running:
            job.end()
        if self._running:
            self.transport.close()
        self._running = []
        self._own_jobs.stop()

    def send_due(self) -> int:
        """Send everything that is due now; returns how many mails and webhooks were accepted."""
        return self.send_mails() + self.post_webhooks() + self.send_mails()

    def send_mails(self) -> int:
        """Send the mails that are due now; returns how many were accepted."""
        sent = 0
        while not self._stopping.is_set():
            begun = self.service.clock.now()
            self.service.project()
            claimed, accepted = self._send_batch()
            sent += accepted
            if not claimed:
                self._way_out.round_done(begun)
                break
        now = self.service.clock.now()
        if now >= self._next_tidying or now < self._next_tidying - 2 * BETWEEN_TIDYINGS:
            enclosures.forget(self.service.store, now)
            self._next_tidying = now + BETWEEN_TIDYINGS
        return sent

    def post_webhooks(self) -> int:
        """Post the webhooks that are due now, some at a time; returns how many were accepted."""
        store, claim, posted = self.service.store, self.service.settings.clock_claim_seconds, 0
        while not self._stopping.is_set():
            now = self.service.clock.now()
            messages = outbox.claim_due(store, now, WEBHOOKS_AT_ONCE, claim, webhooks=True)
            if not messages:
                break
            posted += self._post_all(messages)
        return posted

    def _post_all(self, messages: Sequence[Message]) -> int:
        done: list[int] = []

        def post(message: Message) -> None:
            try:
                done.append(self._post(message))
            except Exception as error:  # of the store: the claim runs out, and it is tried again
                log.error("a webhook could not be dealt with: %s", redact(faults.told(error)))

        threads = [threading.Thread(target=post, args=(message,), daemon=True) for message in messages]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(done)

    def _send_batch(self) -> tuple[int, int]:
        now = self.service.clock.now()
        if self._closed_until is not None and now < self._closed_until <= now + LONGEST_PAUSE:
            return 0, 0
        seconds = self.service.settings.clock_claim_seconds
        claim = timedelta(seconds=seconds)
        messages = outbox.claim_due(self.service.store, now, BATCH, seconds, webhooks=False)
        begun, accepted, claimed = time.monotonic(), 0, now + claim
        waiting = [message.number for message in messages]
        try:
            for _, together in groupby(messages, key=lambda message: (message.campaign, message.seat)):
                group, now = list(together), self.service.clock.now()
                if now > claimed - claim * 3 / 4:  # a quarter of its time is over
                    mine = outbox.renew(self.service.store, waiting, claimed, now + claim)
                    claimed, waiting = now + claim, [number for number in waiting if number in mine]
                    group = [message for message in group if message.number in mine]
                accepted += self._handle(group)
                waiting = waiting[len(group) :]
                if self._stopping.is_set() or time.monotonic() - begun > LONGEST_ROUND.total_seconds():
                    break
        except TryLater as error:  # nothing can go out
            self._pause = min(max(self._pause * 2, FIRST_PAUSE), LONGEST_PAUSE)
            self._closed_until = self.service.clock.now() + self._pause
            log.warning("no mail can go out now: %s", error)
            self._way_out.closed(str(error))
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
            if self._is_for_another(message):
                outbox.render_again(self.service.store, message.number)
                fresh.append(message)
            else:
                accepted += self._send(message, message.rendered)
        house = [message for message in fresh if message.kind in KINDS and KINDS[message.kind].house]
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
            gathered = gather(self.service, messages, now, pictures=self.pictures)
            raw = compose(gathered.mail).as_bytes()
        except Nothing as nothing:
            outbox.void(store, numbers, str(nothing))
            return 0
        except BadAddress as error:
            for number in numbers:
                outbox.mark_failed(store, number, str(error), now, for_good=True)
            self._tell_of_refusal(messages[0], str(error))
            return 0
        except Exception as error:  # of a template, a phrase, a picture: one mail's fault is no other's
            if is_store_fault(error):
                raise
            log.exception("outbox %s of campaign %s cannot be written", numbers, messages[0].campaign)
            for number in numbers:
                outbox.mark_failed(store, number, redact(f"cannot be written: {type(error).__name__}"), now)
            return 0
        aside = [number for number in numbers if number != gathered.lead.number]
        webhook = self._webhook_content(gathered)
        if not outbox.store_rendered(store, gathered.lead, raw, now, aside=aside, webhook=webhook, told=gathered.told):
            return 0  # another courier was faster
        return self._send(gathered.lead, raw)

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
            if error.sender:
                self._tell_of_refusal(message, str(error))
            if error.sender or error.broken:
                self._way_out.refuses(sender, str(error))
            else:
                self._way_out.takes(sender)
        except GiveUp as error:
            smaller = without_pictures(raw) if error.too_large else None
            if smaller is not None:
                log.warning("outbox %s goes out without its picture: %s", message.number, error)
                outbox.store_smaller(store, message.number, smaller, self.service.clock.now())
                return self._send(message, smaller)
            log.warning("outbox %s of campaign %s is given up: %s", message.number, message.campaign, error)
            outbox.mark_failed(store, message.number, str(error), self.service.clock.now(), for_good=True)
            self._way_out.takes(sender)
            self._tell_of_refusal(message, str(error))
        else:
            outbox.mark_sent(store, [message.number], self.service.clock.now())
            self._way_out.takes(sender)
            return 1
        return 0

    def _tell_of_refusal(self, message: Message, reason: str) -> None:
        """Those who run the campaign are told of a seat that no mail can be sent to."""
        if message.kind == STRAY or is_moderator(message.seat):
            return
        said = {"sender": self.service.settings.smtp_host or "the way out", "subject": f"{message.seat}: {reason}"}
        settings, now = self.service.settings, self.service.clock.now()
        notices.tell_of_campaign(self.service.store, settings.domain, now, notices.BOUNCED, message.campaign, said)

    # webhooks

    def _webhook_content(self, gathered: Gathered) -> bytes | None:
        """What the player's webhook is sent with a "your move"; None where he has none, or is just writing to us."""
        mail = gathered.mail
        kinds = {part.kind for part in mail.parts}
        if not kinds & {"your_move", "window_opening"} or "answer" in kinds or not mail.asks:
            return None
        player = self.service.player(mail.campaign, gathered.lead.seat)
        if not player or not player["webhook"]:
            return None
        return _your_move(mail, gathered.lead.seat, self.service.settings.site)

    def _post(self, message: Message) -> int:
        store = self.service.store
        player = self.service.player(message.campaign, message.seat)
        if not player or not player["webhook"]:
            outbox.void(store, [message.number], "the player has no webhook")
            return 0
        try:
            self.webhook.send(player["webhook"], message.rendered or b"")
        except (TryLater, GiveUp) as error:
            if self._stopping.is_set():  # it was not waited for
                outbox.postpone(store, [message.number], self.service.clock.now())
                return 0
            now, for_good = self.service.clock.now(), isinstance(error, GiveUp)
            outbox.mark_failed(store, message.number, str(error), now, for_good=for_good)
            outbox.give_up_webhook(store, message.campaign, message.seat, now, self.service.settings.domain)
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
