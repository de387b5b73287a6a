"""The mail room: what comes in by SMTP or from a mailbox goes to the campaign it is for, before it is acknowledged.

What becomes of a mail:

=============================  =======================================================================================
from a seat                    stored in the inbox of its campaign (raw mail and all), then taken up; the campaign's
                               answer goes out through the outbox. Every mail of a seat gets one answer, also an empty
                               one, one after the end, one that could not be read
the same mail again            the same number; it acts once and is answered once
written by a program           stored as a stray, never answered: bounces, vacation notes, lists, our own mails
                               (RFC 3834 section 2)
the same words again, in vain  no order, and `ECHOES` mails of the seat that said the same could not be read: stored as
                               a stray, not answered, the moderators are told (a program that does not say it is one)
without token, wrong token     stored as a stray, no effect; its sender gets one polite answer a day, if he can be
                               told from a forger's victim (envelope and letter name the same sender), else silence
=============================  =======================================================================================

Strays are kept for the moderator's desk, the newest `STRAYS_KEPT` of them. Of a bounce he is told besides.
"""

from __future__ import annotations

import json
import logging
import re
import ssl
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import delete, func, insert, select

from pbem.campaign import notices, outbox
from pbem.campaign.clock import stamp
from pbem.campaign.jobs import Job, Jobs
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Submission, UnknownSender
from pbem.mail.compose import BadAddress, check_address, header_value
from pbem.mail.envelope import Envelope, make_address, parse_address, redact
from pbem.mail.headers import POLICY
from pbem.mail.limits import PER_PEER, RateLimits
from pbem.mail.listener import Listener, load_certificate
from pbem.mail.orderlike import begins_order, plain
from pbem.mail.outbound import STRAY, Courier
from pbem.mail.parse import Letter, headers_of, read_mail, sender_address
from pbem.mail.poller import Poller, PollResult

STRAYS_KEPT = 5_000
STRAY_BYTES = 64 * 1024  # as much of a stray is kept
STRAY_ANSWERS_A_DAY = 50  # to all senders together: who floods us shall not flood others through us
HEARTBEAT_SECONDS = 60
ECHOES = 3  # so many unreadable mails that say the same are answered
ECHO_MAILS, ECHO_DAYS = 20, 14  # of the last mails of a seat
ALIKE = 0.7  # of the words of two mails that say the same

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Stray:
    """A mail that belongs to no seat. `reason` says why it was not taken; `answered` whether its sender was told."""

    number: int
    received_at: str
    campaign: str | None
    sender: str
    subject: str
    reason: str
    answered: bool


class MailRoom:
    """Takes mail in for a service; `start` and `stop` run its parts, as `jobs` of their process (by default the room's
    own).

    `accept` may be called by several threads at once. `courier` is woken when an answer waits; by default the room
    makes one. With ``clerk=False`` mail is stored only, and taken up by another process.
    """

    def __init__(
        self, service: Service, settings: Settings | None = None, *, courier: Courier | None = None, clerk: bool = True,
        jobs: Jobs | None = None,
    ):  # fmt: skip
        self.service = service
        self.settings = settings or service.settings
        self.courier = courier or Courier(service)
        self.listener: Listener | None = None
        self.poller: Poller | None = None
        self._clerk = _Clerk(service) if clerk else None
        self._jobs, self._has_own_jobs = jobs or Jobs(), jobs is None
        self._running: list[Job] = []
        self._strays = service.store.tables.strays

    # coming in

    def accept(self, raw: bytes, envelope_to: str, envelope_from: str | None, received_at: datetime) -> None:
        """Store a mail durably; returns when it is. Raises when it could not be stored, so that its sender tries again.

        `envelope_to` is the address it came to ("" where none is known), `envelope_from` the sender of the envelope (""
        or "<>" for bounces, None where it is not known), `received_at` the end of DATA or INTERNALDATE.
        """
        domain = self.settings.domain
        envelope = parse_address(envelope_to, domain)
        letter = read_mail(raw, envelope_from, self._game_of(envelope))
        if letter.is_automatic:
            is_new = self._keep_stray(raw, letter, envelope, received_at, letter.automatic_reason)
            if is_new and envelope is not None and _is_bounce(raw):
                self._tell_of_bounce(envelope.campaign, letter)
            return
        if _is_our_own(letter, domain):
            self._keep_stray(raw, letter, envelope, received_at, "our own mail")
            return
        if envelope is None or not envelope.token:
            self._keep_stray(raw, letter, envelope, received_at, "no token", answer_to=envelope_from)
            return
        if self._says_nothing_new(envelope, letter, received_at):
            if self._keep_stray(raw, letter, envelope, received_at, "a program that answers our mails"):
                said = {"sender": letter.sender.lower(), "subject": redact(letter.subject[:200]), "echo": True}
                self._tell_of_mail(envelope.campaign, said)
            return
        submission = Submission(
            campaign=envelope.campaign, token=envelope.token, lines=letter.lines, received_at=received_at,
            channel="mail", message_id=letter.message_id, content_key=letter.content_key, raw=raw,
            remote=letter.sender or None,
        )  # fmt: skip
        try:
            self.service.receive(submission)
        except UnknownSender:
            self._keep_stray(raw, letter, envelope, received_at, "wrong token", answer_to=envelope_from)
            return
        if self._clerk is not None:
            self._clerk.call(envelope.campaign)

    def strays(self, limit: int = 100) -> list[Stray]:
        """The newest mails that belong to no seat, for the moderator's desk."""
        t = self._strays
        columns = [column for column in t.c if column.name not in ("content", "same")]
        with self.service.store.read() as connection:
            rows = connection.execute(select(*columns).order_by(t.c.number.desc()).limit(limit)).all()
        return [Stray(**{**row._mapping, "answered": bool(row.answered)}) for row in rows]

    def _keep_stray(
        self, raw: bytes, letter: Letter, envelope: Envelope | None, received_at: datetime, reason: str,
        answer_to: str | None = None,
    ) -> bool:
        """Keep a stray; False when it came before. `answer_to` is the envelope's sender where an answer may be due."""
        t, store = self._strays, self.service.store
        sender = letter.sender.lower()
        try:
            with store.write() as connection:
                number = connection.execute(insert(t).values(
                    received_at=stamp(received_at), campaign=envelope.campaign if envelope else None, sender=sender,
                    subject=redact(letter.subject)[:200], reason=redact(reason)[:200], answered=0,
                    same=letter.content_key, content=store.vault.lay_by(raw[:STRAY_BYTES]),
                ).returning(t.c.number)).scalar_one()  # fmt: skip
                if answer_to and self._may_answer(connection, sender, answer_to, received_at):
                    message_id = f"<stray-{number}.{letter.content_key[:16]}@{self.settings.domain}>"
                    answer = _polite_answer(letter, envelope, message_id, self.settings, self.service.clock.now())
                    campaign = envelope.campaign if envelope else "postmaster"
                    outbox.add_rendered(
                        connection, store, campaign, STRAY, message_id, answer, self.service.clock.now()
                    )
                    connection.execute(t.update().where(t.c.number == number).values(answered=1))
                if number % 100 == 0:
                    connection.execute(delete(t).where(t.c.number <= number - STRAYS_KEPT))
        except sqlalchemy.exc.IntegrityError:
            log.debug("a stray mail came again")
            return False
        log.info("a mail was not taken: %s", redact(reason))
        return True

    def _says_nothing_new(self, envelope: Envelope, letter: Letter, received_at: datetime) -> bool:
        """Whether a mail holds nothing like an order, and its seat has sent the same before, more than once, in vain.

        Programs answer our mails and do not always say that they are programs; each answer of ours would get another
        one. What a player writes himself is taken: it differs, or begins like an order.
        """
        if any(begins_order(plain(line)) for line in letter.lines):
            return False
        seat = self.service.seat_of(envelope.campaign, envelope.token)
        if seat is None:
            return False
        t = self.service.store.tables.inbox
        since = stamp(received_at - timedelta(days=ECHO_DAYS))
        query = (
            select(t.c.lines, t.c.answer)
            .where(t.c.campaign == envelope.campaign, t.c.seat == seat, t.c.channel == "mail", t.c.received_at > since)
            .where(t.c.answer.is_not(None))
            .order_by(t.c.number.desc())
            .limit(ECHO_MAILS)
        )
        with self.service.store.read() as connection:
            rows = connection.execute(query).all()
        gist = _gist(letter.lines)
        return sum(_was_in_vain(row.answer) and _alike(gist, _gist(json.loads(row.lines))) for row in rows) >= ECHOES

    def _tell_of_bounce(self, campaign: str, letter: Letter) -> None:
        """Tell those who run a campaign that a mail of it came back."""
        self._tell_of_mail(campaign, {"sender": letter.sender.lower(), "subject": redact(letter.subject[:200])})

    def _tell_of_mail(self, campaign: str, said: dict[str, Any]) -> None:
        if self._game_played(campaign) is not None:
            notices.tell_of_campaign(
                self.service.store, self.settings.domain, self.service.clock.now(), notices.BOUNCED, campaign, said
            )

    def _game_of(self, envelope: Envelope | None) -> str | None:
        """What the campaign that a mail is addressed to plays; None where there is none."""
        return None if envelope is None else self._game_played(envelope.campaign)

    def _game_played(self, campaign: str) -> str | None:
        campaigns = self.service.store.tables.campaigns
        with self.service.store.read() as connection:
            return connection.execute(select(campaigns.c.game).where(campaigns.c.campaign == campaign)).scalar()

    def _may_answer(self, connection: Any, sender: str, envelope_from: str, now: datetime) -> bool:
        """Whether the sender of a stray is told: once a day, and only when envelope and letter name the same."""
        if not sender or envelope_from.strip().lower().strip("<>") != sender:
            return False
        try:
            check_address(sender)
        except BadAddress:
            return False
        t, day = self._strays, stamp(now - timedelta(days=1))
        told = select(func.count()).select_from(t).where(t.c.answered == 1, t.c.received_at > day)
        if connection.execute(told.where(t.c.sender == sender)).scalar_one():
            return False
        return connection.execute(told).scalar_one() < STRAY_ANSWERS_A_DAY

    # running

    def start_listener(self, *, tls_context: ssl.SSLContext | None = None) -> Listener:
        """Listen for SMTP or LMTP as the settings say; returns the listener, which knows its port."""
        settings = self.settings
        if tls_context is None and settings.listen_certificate:
            tls_context = self._certificate()
        limits = RateLimits(per_peer=None if settings.listen_lmtp else PER_PEER)
        self.listener = Listener(
            settings.listen_host, settings.listen_port, self.accept, domain=settings.domain, lmtp=settings.listen_lmtp,
            limits=limits, tls_context=tls_context, clock=self.service.clock.now,
        )  # fmt: skip
        self._start_clerk()
        self.listener.start()
        self._every(HEARTBEAT_SECONDS, "mail heartbeat", lambda: self.service.heartbeat("smtp"))
        return self.listener

    def _certificate(self) -> ssl.SSLContext:
        """The certificate of the settings, which is read again when its file has changed."""
        certificate, key = self.settings.listen_certificate, self.settings.listen_key
        context = load_certificate(certificate, key)
        read_at = Path(certificate).stat().st_mtime_ns

        def renew() -> None:
            nonlocal read_at
            changed_at = Path(certificate).stat().st_mtime_ns
            if changed_at != read_at:
                context.load_cert_chain(certificate, key or None)
                read_at = changed_at

        self._every(HEARTBEAT_SECONDS, "certificate of the listener", renew)
        return context

    def start_poller(self) -> Poller | None:
        """Poll the mailbox of the settings; None where none is named. Deadlines then wait for a good poll."""
        settings = self.settings
        if not settings.imap_host:
            return None
        self.poller = Poller(
            settings.imap_host, settings.imap_port, settings.imap_user, _secret(settings.imap_password_file),
            settings.imap_folder, self.accept, domain=settings.domain, clock=self.service.clock.now,
        )  # fmt: skip
        self._start_clerk()
        self._every(settings.imap_seconds, "mail poller", self.poll)
        return self.poller

    def poll(self) -> PollResult | None:
        """Fetch what waits in the mailbox now; None without a poller."""
        if self.poller is None:
            return None
        result = self.poller.poll()
        if result.good:
            self.service.heartbeat("imap", result.at)
        return result

    def start(self, *, tls_context: ssl.SSLContext | None = None) -> None:
        """Start listener, poller, clerk and courier."""
        self.start_listener(tls_context=tls_context)
        self.start_poller()
        self.courier.start(self._jobs)

    def stop(self) -> None:
        """Stop everything, the ways in first; what was accepted is stored. Harmless when stopped."""
        if self.listener is not None:
            self.listener.stop()
        for job in self._running:
            job.end()
        self._running = []
        if self._clerk is not None:
            self._clerk.job = None
        self.courier.stop()
        if self._has_own_jobs:
            self._jobs.stop()

    def take_up(self) -> int:
        """Take up now what has been accepted (where no clerk runs in a thread); returns how many mails."""
        return self._clerk.work() if self._clerk is not None else 0

    def _start_clerk(self) -> None:
        if self._clerk is not None and self._clerk.job is None:
            self._clerk.job = self._every(self.settings.clock_seconds, "mail clerk", self._clerk.work)

    def _every(self, seconds: float, name: str, act: Callable[[], Any]) -> Job:
        job = self._jobs.every(seconds, name, act)
        self._running.append(job)
        return job


class _Clerk:
    """Takes mail up as soon as it is stored, so that an answer does not wait for the clock. The clock takes up what a
    clerk left, so nothing depends on him."""

    def __init__(self, service: Service):
        self.service = service
        self.job: Job | None = None
        self._campaigns: dict[str, None] = {}
        self._lock = threading.Lock()

    def call(self, campaign: str) -> None:
        """There is mail for a campaign."""
        with self._lock:
            self._campaigns[campaign] = None
        if self.job is not None:
            self.job.wake()

    def work(self) -> int:
        """Take up what there is; returns how many mails."""
        with self._lock:
            campaigns, self._campaigns = list(self._campaigns), {}
        taken = 0
        for campaign in campaigns:
            try:
                taken += self.service.take_up(campaign)
            except Exception:  # one campaign's fault is no other's; the clock tries again
                log.exception("campaign %s: its mail could not be taken up", campaign)
        return taken


def _was_in_vain(answer: str) -> bool:
    return all(line["state"] == "unreadable" for line in json.loads(answer)["lines"])


def _gist(lines: Sequence[str]) -> set[str]:
    """The words of a mail, without numbers: times and counts differ in what a program writes."""
    return {word for line in lines for word in re.findall(r"[^\W\d_]+", line.casefold())}


def _alike(one: set[str], other: set[str]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)


def _secret(file: str) -> str:
    return Path(file).read_text(encoding="utf-8").strip() if file else ""


def _is_bounce(raw: bytes) -> bool:
    """Whether a mail says that a mail could not be delivered (RFC 3464), as far as its header shows."""
    message = headers_of(raw)
    report = str(message.get_param("report-type") or "").lower()
    if message.get_content_type() == "multipart/report" and report:
        return report == "delivery-status"
    return sender_address(str(message.get("From", ""))).lower().startswith("mailer-daemon@")


def _is_our_own(letter: Letter, domain: str) -> bool:
    """Whether a mail comes from an address of ours: a loop, whatever its other headers say."""
    return letter.sender.lower().rpartition("@")[2] == domain.lower()


def _polite_answer(
    letter: Letter, envelope: Envelope | None, message_id: str, settings: Settings, now: datetime
) -> bytes:
    """The answer to a mail of no seat. It tells nothing about which campaigns there are."""
    message = EmailMessage(policy=POLICY)
    message["From"] = make_address(envelope.campaign if envelope else "postmaster", "", settings.domain)
    message["To"] = letter.sender
    message["Subject"] = header_value(f"Re: {letter.subject or 'your mail'}", 150)
    message["Date"] = format_datetime(now)
    message["Message-ID"] = message_id
    if letter.message_id:
        message["In-Reply-To"] = message["References"] = header_value(letter.message_id)
    message["Auto-Submitted"] = "auto-replied"
    message.set_content(
        "Your mail was received, but it had no effect: the address that it was sent to is not, or no longer, that of\n"
        "a seat in a campaign.\n\n"
        "To send orders, reply to the newest mail of your campaign: its reply address is your own. If you have none,\n"
        "ask the moderator who invited you for a new invitation.\n\n"
        "You get this answer once a day at most.\n",
        cte="quoted-printable",
    )
    return message.as_bytes()
