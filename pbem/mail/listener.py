"""The mail server in the service: SMTP (RFC 5321) and LMTP (RFC 2033) in, nothing out.

A mail is answered with 250 only after `accept` has stored it durably; when `accept` fails the answer is 451 and the
sender's mail server tries again later. A mail may so be stored twice (the connection broke before our answer, or one of
several recipients failed over SMTP, which has one answer for all): who stores it compares ``Letter.content_key``.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import ssl
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any, AnyStr

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Session
from aiosmtpd.smtp import Envelope as Transaction

from pbem.mail.envelope import parse_address, redact
from pbem.mail.limits import RateLimits

Accept = Callable[[bytes, str, str, datetime], Any]
"""accept(raw, envelope_to, envelope_from, received_at): store durably and return, or raise. Called in threads."""

SIZE_LIMIT = 5 * 1024 * 1024  # a reply with our pictures quoted back fits
RECIPIENT_LIMIT = 100  # RFC 5321 section 4.5.3.1.8
CONNECTION_LIMIT = 100
CONNECTIONS_OF_A_PEER = 20  # relays keep to as many (Postfix: default_destination_concurrency_limit)
COMMAND_LIMITS = {"NOOP": 50, "HELP": 10, "VRFY": 10, "EXPN": 10, "AUTH": 3, "RCPT": 5000, "*": 1000}
FIRST_SECONDS = 30  # to the first command
IDLE_SECONDS = 300  # to each other one, RFC 5321 section 4.5.3.2.7
WHOLE_SECONDS = 1_800  # for all that a connection brings
SILENT_SECONDS = 0.5  # who stops so long between mails makes room where there are too many; who says nothing, at once
STALLED_SECONDS = 20  # who stops so long within a mail does, too
LINE_LIMIT = 1024 * 1024  # octets; the standard allows 998, and programs send HTML in one line
ACCEPT_THREADS = 16  # mails that wait for the disk at the same time

log = logging.getLogger(__name__)


def _now() -> datetime:
    return datetime.now(UTC)


def load_certificate(certificate: str, key: str) -> ssl.SSLContext:
    """What STARTTLS needs: the chain of certificates and the key of two files in PEM (the key may stand in the first).

    Raises OSError for files that cannot be read or do not fit.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key or None)
    return context


class Listener:
    """An SMTP or LMTP server for the addresses of one domain, in a thread of its own.

    `host` and `port` are where it listens (port 0: any free one, see ``.port`` after start). `accept` stores a mail,
    see ``Accept``. `limits` None means the default rates, for SMTP; LMTP is spoken by the machine's own mail server, so
    there only the rate per token counts by default. With `tls_context` (see `load_certificate`) STARTTLS is offered.
    `clock` gives the time of receipt (the end of DATA).
    """

    def __init__(
        self,
        host: str,
        port: int,
        accept: Accept,
        *,
        domain: str,
        lmtp: bool = False,
        size_limit: int = SIZE_LIMIT,
        limits: RateLimits | None = None,
        tls_context: ssl.SSLContext | None = None,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self.host = host
        self.port = port
        self.domain = domain
        self.lmtp = lmtp
        self.size_limit = size_limit
        self._tls_context = tls_context
        self._handler = _Handler(accept, domain, limits or RateLimits(**({"per_peer": None} if lmtp else {})), clock)
        self._connections: dict[_Counted, None] = {}
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        logging.getLogger("mail.log").addFilter(_without_secrets)  # aiosmtpd logs every command with its address

    def start(self) -> None:
        """Listen. Returns when connections are taken; raises OSError when the address cannot be had."""
        if self._thread:
            raise RuntimeError("the listener runs already")
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        listening = socket.create_server((self.host, self.port), family=family, backlog=CONNECTION_LIMIT)
        self.port = listening.getsockname()[1]
        started = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(listening, started)), name=f"mail listener {self.port}", daemon=True
        )
        self._thread.start()
        started.wait()

    def stop(self) -> None:
        """Stop listening, close all connections, and wait for mails that are being stored. Harmless when stopped."""
        if self._thread and self._loop and self._stopping:
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join()
        self._thread = None

    async def _serve(self, listening: socket.socket, started: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        with ThreadPoolExecutor(ACCEPT_THREADS, thread_name_prefix="mail accept") as threads:
            self._handler.threads = threads
            server = await self._loop.create_server(self._connection, sock=listening)
            started.set()
            await self._stopping.wait()
            server.close()
            for connection in list(self._connections):
                if connection.transport:
                    connection.transport.close()
            await server.wait_closed()

    def _connection(self) -> SMTP:
        protocol = _LmtpConnection if self.lmtp else _SmtpConnection
        return protocol(
            self._connections,
            self._handler,
            data_size_limit=self.size_limit,
            enable_SMTPUTF8=True,
            hostname=self.domain,
            ident="pbem",
            tls_context=self._tls_context,
            timeout=IDLE_SECONDS,
            command_call_limit=COMMAND_LIMITS,
            auth_exclude_mechanism=("LOGIN", "PLAIN"),
            loop=self._loop,
        )


_ATOM = r"[\w!#$%&'*+/=?^`{|}~-]+"
_PLAIN_ADDRESS = re.compile(rf"<({_ATOM}(?:\.{_ATOM})*@[\w-]+(?:\.[\w-]+)*)>([^()]*)", re.ASCII)


class _Counted(SMTP):
    """A connection that knows the others, so that there are not too many."""

    line_length_limit = LINE_LIMIT

    def __init__(self, connections: dict[_Counted, None], *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._connections = connections
        self._whole: asyncio.TimerHandle | None = None
        self._active_at = self.loop.time()
        self._has_spoken = False
        self.peer = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if self._whole is not None:
            return  # it goes on under TLS
        self.peer = _peer(self.session)
        self._whole = self.loop.call_later(WHOLE_SECONDS, self.refuse, "421 4.4.2 This takes too long, try again later")
        self._reset_timeout(FIRST_SECONDS)
        self._connections[self] = None
        self._make_room()

    def _make_room(self) -> None:
        """Close the connection that has been silent longest where there are too many, or this one."""
        of_peer: dict[str, list[_Counted]] = {}
        for one in self._connections:
            of_peer.setdefault(one.peer, []).append(one)
        mine = of_peer[self.peer]
        limit = CONNECTIONS_OF_A_PEER if self.limited_by_peer else CONNECTION_LIMIT
        if len(mine) > limit:
            self._make_room_among(mine)
        elif len(self._connections) > CONNECTION_LIMIT:
            self._make_room_among(max(of_peer.values(), key=len))

    def _make_room_among(self, connections: list[_Counted]) -> None:
        others = [one for one in connections if one is not self and one.is_silent]
        chosen = min(others, key=lambda one: one._active_at, default=self)
        chosen.refuse("421 4.3.2 Too many connections, try again later")

    limited_by_peer = True

    @property
    def is_silent(self) -> bool:
        """Whether the client has said nothing yet, or stopped speaking for longer than mail servers do."""
        if not self._has_spoken:
            return True
        is_sending = self.envelope is not None and self.envelope.mail_from is not None
        return self.loop.time() - self._active_at >= (STALLED_SECONDS if is_sending else SILENT_SECONDS)

    def refuse(self, status: str) -> None:
        """Say why and close."""
        self._connections.pop(self, None)
        if self.transport is not None:
            assert isinstance(self.transport, asyncio.Transport)
            self.transport.write(f"{status}\r\n".encode())
            self.transport.close()

    def _reset_timeout(self, duration: float | None = None) -> None:
        """aiosmtpd calls it at each command."""
        super()._reset_timeout(duration)
        self._has_spoken = self._whole is not None and duration is None
        self._active_at = self.loop.time()

    _chunks: bytearray | None

    async def smtp_BDAT(self, arg: str | None) -> None:
        """A mail in chunks (RFC 3030): each is read whole, whatever becomes of it."""
        words = (arg or "").split()
        if not re.fullmatch(r"[0-9]{1,12}( LAST)?", " ".join(words).upper()):
            await self.push("501 5.5.4 Syntax: BDAT size [LAST]")
            return
        await self._read_chunk(int(words[0]))
        if self.envelope is None or not self.envelope.rcpt_tos:
            self._chunks = bytearray()
            await self.push("503 5.5.1 Error: need RCPT command")
        elif self._chunks is None:
            await self.push("552 Error: Too much mail data")
            self._set_post_data_state()
        elif len(words) == 1:
            await self.push(f"250 2.0.0 {words[0]} octets received")
        else:
            content = bytes(self._chunks)
            self.envelope.content = self.envelope.original_content = content
            status = await self._call_handler_hook("DATA")
            self._set_post_data_state()
            await self.push(status)

    async def _read_chunk(self, size: int) -> None:
        """Add a chunk to those before; None in their place says that they are too much."""
        while size > 0:
            piece = await self._reader.readexactly(min(size, 64 * 1024))
            size -= len(piece)
            if self._chunks is not None:
                self._chunks += piece
                if self.data_size_limit and len(self._chunks) > self.data_size_limit:
                    self._chunks = None

    async def smtp_DATA(self, arg: str) -> None:
        if self._chunks != b"":
            await self.push("503 5.5.1 Error: the mail is sent in chunks")
            return
        await super().smtp_DATA(arg)

    def _set_post_data_state(self) -> None:
        super()._set_post_data_state()
        self._chunks = bytearray()

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """As aiosmtpd reads the address of MAIL and RCPT, and what follows it; one of plain words needs no parser."""
        plain = _PLAIN_ADDRESS.fullmatch(arg)
        return (plain[1], plain[2].lstrip()) if plain else super()._getaddr(arg)

    def connection_lost(self, error: Exception | None) -> None:
        self._connections.pop(self, None)
        if self._whole is not None:
            self._whole.cancel()
        super().connection_lost(error)


class _SmtpConnection(_Counted):
    pass


class _LmtpConnection(_Counted, LMTP):
    """LMTP answers DATA once for each accepted recipient (RFC 2033 section 4.2), also if the whole mail is refused."""

    limited_by_peer = False  # it is the machine's own mail server that speaks
    _answers_owed = 0

    _chunks: bytearray | None

    async def smtp_BDAT(self, arg: str | None) -> None:
        is_last = (arg or "").upper().endswith("LAST")
        self._answers_owed = len(self.envelope.rcpt_tos) if self.envelope and is_last else 0
        try:
            await super().smtp_BDAT(arg)
        finally:
            self._answers_owed = 0

    async def smtp_DATA(self, arg: str) -> None:
        self._answers_owed = len(self.envelope.rcpt_tos) if self.envelope else 0
        try:
            await super().smtp_DATA(arg)
        finally:
            self._answers_owed = 0

    async def push(self, status: AnyStr) -> None:
        if isinstance(status, str) and status.startswith(("552 Error: Too much", "500 Line too long")):
            status = "\r\n".join([status] * max(1, self._answers_owed))
        await super().push(status)


class _Handler:
    """What happens at each command; aiosmtpd calls the handle_ methods by name."""

    def __init__(self, accept: Accept, domain: str, limits: RateLimits, clock: Callable[[], datetime]) -> None:
        self.accept = accept
        self.domain = domain
        self.limits = limits
        self.clock = clock
        self.threads: ThreadPoolExecutor | None = None

    async def handle_EHLO(
        self, server: SMTP, session: Session, transaction: Transaction, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        offered = [response for response in responses if not response.startswith("250-AUTH")]  # nobody has an account
        return [*offered[:-1], "250-CHUNKING", offered[-1]]

    async def handle_MAIL(
        self, server: SMTP, session: Session, transaction: Transaction, address: str, options: list[str]
    ) -> str:
        sender = "" if address == "<>" else address
        if re.search(r"[\x00-\x20\x7f-\x9f\ud800-\udfff<>]", sender):
            return "553 5.1.7 Malformed sender address"
        if not self.limits.peer_may_send(_peer(session)):
            return "450 4.7.1 Too many mails from you, try again later"
        transaction.mail_from = address  # aiosmtpd takes an empty string for none, so "<>" stays here
        transaction.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, transaction: Transaction, address: str, options: list[str]
    ) -> str:
        envelope = parse_address(address, self.domain)
        if envelope is None:
            return "550 5.1.1 No such address here, and mail is not relayed"
        if len(transaction.rcpt_tos) >= RECIPIENT_LIMIT:
            return "452 4.5.3 Too many recipients"
        if not self.limits.token_may_receive(envelope.campaign, envelope.token):
            return "451 4.7.1 Too many mails to this address, try again later"
        transaction.rcpt_tos.append(address)
        transaction.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, transaction: Transaction) -> str:
        received_at = self.clock()
        sender = "" if transaction.mail_from in (None, "<>") else transaction.mail_from
        assert sender is not None and isinstance(transaction.original_content, bytes)
        recipients = list(dict.fromkeys(transaction.rcpt_tos))
        loop = asyncio.get_running_loop()
        results = await asyncio.gather(
            *(
                loop.run_in_executor(
                    self.threads, self._stored, transaction.original_content, recipient, sender, received_at
                )
                for recipient in recipients
            )
        )
        stored = dict(zip(recipients, results, strict=True))
        if isinstance(server, LMTP):
            return "\r\n".join(_answer(stored[recipient]) for recipient in transaction.rcpt_tos)
        return _answer(all(results))

    def _stored(self, raw: bytes, recipient: str, sender: str, received_at: datetime) -> bool:
        """Whether `accept` took the mail; a failure of any kind is logged and leaves the mail with its sender."""
        try:
            self.accept(raw, recipient, sender, received_at)
        except Exception as error:
            log.error("a mail to %s was not stored: %s", redact(recipient), _redacted_traceback(error))
            return False
        return True

    async def handle_exception(self, error: Exception) -> str:
        log.error("the mail listener failed: %s", _redacted_traceback(error))
        return "451 4.3.0 Internal error, try again later"


def _answer(stored: bool) -> str:
    return "250 2.0.0 Stored" if stored else "451 4.3.0 Not stored, try again later"


def _peer(session: Session | None) -> str:
    if session is None:
        return ""
    return str(session.peer[0]) if isinstance(session.peer, tuple) else str(session.peer)


def _redacted_traceback(error: BaseException) -> str:
    return redact("".join(traceback.format_exception(error)))


def _without_secrets(record: logging.LogRecord) -> bool:
    """A filter for the log of aiosmtpd: its records of commands and data are dropped, tokens in the rest replaced."""
    if record.levelno < logging.WARNING:
        return False
    message = record.getMessage()
    if record.exc_info and record.exc_info[1]:
        message += "\n" + "".join(traceback.format_exception(record.exc_info[1]))
    record.msg, record.args, record.exc_info, record.exc_text = redact(message), (), None, None
    return True
