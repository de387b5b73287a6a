"""Ways out: a Maildir, an SMTP smart host, a webhook. Each takes one finished message and says what became of it.

What goes wrong is told apart as SMTP does (RFC 5321 section 4.2.1): `TryLater` for what may go well another time,
`GiveUp` for what never will. What a smart host says to MAIL FROM, RCPT or DATA counts for that message alone; the way
is closed for all when there is no connection, greeting, TLS or login, or the host says that it ends (421) or wants a
login. The text of both is for the moderator's desk; it never holds a password, a token or an address.
"""

from __future__ import annotations

import http.client
import json
import logging
import mailbox
import re
import smtplib
import socket
import ssl
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from pbem.campaign.addresses import is_public
from pbem.mail.envelope import redact

TIMEOUT = 30.0
WEBHOOK_TIMEOUT = 10.0
MOST_WEBHOOKS = 32  # under way at a time, with those that do not end
ERROR_LIMIT = 300

log = logging.getLogger(__name__)


class TryLater(Exception):
    """It did not go out now, and may another time. `everything`: the way itself is closed, for all messages. `sender`:
    our own address was refused, which may be a matter of the installation. `broken`: the connection broke under it."""

    def __init__(self, reason: str, everything: bool = False, *, sender: bool = False, broken: bool = False):
        super().__init__(reason)
        self.everything, self.sender, self.broken = everything, sender, broken


class GiveUp(Exception):
    """It will never go out like this. `too_large`: for its size."""

    def __init__(self, reason: str, *, too_large: bool = False):
        super().__init__(reason)
        self.too_large = too_large


class Transport(Protocol):
    """A way out for mails."""

    def send(self, raw: bytes, sender: str, recipient: str) -> None:
        """Hand a message over; returns when the other side has taken responsibility. Raises `TryLater`, `GiveUp`."""

    def close(self) -> None:
        """Let go of connections; the next `send` opens them again."""


class MaildirTransport:
    """Writes mails into a Maildir: the way out of an installation without a mail server."""

    def __init__(self, folder: Path):
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._box = mailbox.Maildir(folder, create=True)
        self._lock = threading.Lock()

    def send(self, raw: bytes, sender: str, recipient: str) -> None:
        try:
            with self._lock:
                self._box.add(raw)
        except OSError as error:
            raise TryLater(f"the Maildir cannot be written: {error.strerror}", everything=True) from error

    def close(self) -> None:
        """Nothing is held open."""


class SmtpTransport:
    """Sends through a smart host, on one connection for several mails.

    `security`: ``starttls`` (refused if the host does not offer it), ``tls`` (from the first byte, RFC 8314) or
    ``none``. `password` is asked for at each login, so that it can be changed without a restart.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        user: str = "",
        password: Callable[[], str] = lambda: "",
        security: str = "starttls",
        context: ssl.SSLContext | None = None,
        hostname: str | None = None,
        timeout: float = TIMEOUT,
    ):
        if security not in ("starttls", "tls", "none"):
            raise ValueError(f"security of SMTP is starttls, tls or none, not {security!r}")
        self.host, self.port, self.security, self.timeout = host, port, security, timeout
        self._user, self._password, self._hostname = user, password, hostname
        self._context = context or ssl.create_default_context()
        self._connection: smtplib.SMTP | None = None

    def send(self, raw: bytes, sender: str, recipient: str) -> None:
        connection = self._connect()
        try:
            refused = connection.sendmail(sender, [recipient], raw)
        except smtplib.SMTPRecipientsRefused as error:
            self._reset()
            raise _outcome(*next(iter(error.recipients.values()))) from None
        except smtplib.SMTPSenderRefused as error:
            self._reset()
            raise _sender_refused(error.smtp_code, error.smtp_error) from None
        except smtplib.SMTPResponseException as error:
            self._reset()
            raise _outcome(error.smtp_code, error.smtp_error) from None
        except (smtplib.SMTPException, OSError) as error:
            self.close()
            raise TryLater(_without_secrets(f"the connection broke: {type(error).__name__}"), broken=True) from None
        if refused:
            raise _outcome(*next(iter(refused.values())))

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.quit()
            except (smtplib.SMTPException, OSError) as error:
                log.debug("the smart host had closed already: %s", type(error).__name__)

    def _reset(self) -> None:
        try:
            if self._connection is not None:
                self._connection.rset()
        except (smtplib.SMTPException, OSError):
            self._connection = None

    def _connect(self) -> smtplib.SMTP:
        if self._connection is not None:
            try:
                if self._connection.noop()[0] == 250:
                    return self._connection
            except (smtplib.SMTPException, OSError):
                log.debug("the smart host has closed an idle connection")
            self._connection = None
        try:
            self._connection = self._open()
        except (smtplib.SMTPException, OSError, ValueError) as error:  # a password file may hold what is no text
            raise TryLater(_without_secrets(f"the smart host cannot be used: {_named(error)}"), True) from None
        return self._connection

    def _open(self) -> smtplib.SMTP:
        if self.security == "tls":
            connection: smtplib.SMTP = smtplib.SMTP_SSL(
                self.host, self.port, self._hostname, timeout=self.timeout, context=self._context
            )
        else:
            connection = smtplib.SMTP(self.host, self.port, self._hostname, timeout=self.timeout)
        try:
            if self.security == "starttls":
                connection.starttls(context=self._context)
            if self._user:
                connection.login(self._user, self._password())
        except (smtplib.SMTPException, OSError):
            connection.close()
            raise
        return connection


_CLOSING = 421
_LOGIN_WANTED = (530, 534, 535, 538)
"""Replies of RFC 4954 section 6 to any command: without a login nothing is taken."""
_TOO_LARGE = 552
_LENGTH = re.compile(r"5\.(?:3\.4|2\.3)\b")
"""What RFC 3463 calls a message that is too long for the system, or for the mailbox."""


def _outcome(code: int, reply: bytes | str) -> Exception:
    if code == _CLOSING or code in _LOGIN_WANTED:
        return TryLater(_reply(code, reply), everything=True)
    said = _reply(code, reply)
    if 500 <= code < 600:
        return GiveUp(said, too_large=code == _TOO_LARGE or bool(_LENGTH.search(said)))
    return TryLater(said)


def _sender_refused(code: int, reply: bytes | str) -> Exception:
    """What became of a message whose MAIL command was refused: for its size, which stays as it is, or for our address,
    which an operator can have allowed, so that no player's mail is to be lost to it."""
    if code == _TOO_LARGE or not 500 <= code < 600 or code in _LOGIN_WANTED:
        return _outcome(code, reply)
    return TryLater(f"the sender is refused: {_reply(code, reply)}", sender=True)


def _reply(code: int, reply: bytes | str) -> str:
    text = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
    return _without_secrets(f"{code} {text}")


def _named(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return f"the login is refused ({error.smtp_code})"  # its text may quote the user's name
    if isinstance(error, smtplib.SMTPResponseException):
        return _reply(error.smtp_code, error.smtp_error)
    return f"{type(error).__name__}: {error}"


def _without_secrets(text: str) -> str:
    """A reason that can be shown and logged: one line, no tokens, no addresses."""
    words = " ".join(redact(text).split())
    return " ".join("***" if "@" in word else word for word in words.split(" "))[:ERROR_LIMIT]


# --- webhooks --------------------------------------------------------------------------------------------------------


class Webhook:
    """Posts JSON to an address that a player has named.

    A player's address must not reach into the operator's network: only https, only addresses of the public internet,
    checked and connected to as resolved, and no redirection is followed. `private`: the operator allows http and
    addresses of his own network. `timeout` is for the whole call, from the question what the name means to the answer.
    """

    def __init__(
        self, *, private: bool = False, timeout: float = WEBHOOK_TIMEOUT, context: ssl.SSLContext | None = None
    ):
        self.private, self.timeout = private, timeout
        self._context = context or ssl.create_default_context()
        self._under_way = threading.Semaphore(MOST_WEBHOOKS)
        self._guard = threading.Lock()
        self._calls: set[_Call] = set()

    def send(self, url: str, content: bytes) -> None:
        """Post the bytes of a JSON object; returns or raises `TryLater`, `GiveUp` before the time is over."""
        # No system can be told to stop asking what a name means. So the call has a thread, which is left to itself when
        # the time is over; what is left so is counted, and ends with the resolver's patience or with its connection.
        if not self._under_way.acquire(timeout=self.timeout):
            raise TryLater("too many webhooks do not answer")
        call = _Call(self, url, content)
        with self._guard:
            self._calls.add(call)
        threading.Thread(target=self._run, args=(call,), name="webhook", daemon=True).start()
        in_time = call.done.wait(self.timeout)
        with self._guard:
            self._calls.discard(call)
        if not in_time:
            call.give_up()
        if call.error is not None:
            raise call.error

    def stop(self) -> None:
        """Wait for no call any longer: each fails with `TryLater`."""
        with self._guard:
            calls = list(self._calls)
        for call in calls:
            call.give_up()

    def _run(self, call: _Call) -> None:
        try:
            call.run()
        finally:
            self._under_way.release()

    def post(self, url: str, content: bytes, call: _Call) -> None:
        """What `send` does, without its limit of time for the whole."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise GiveUp("the webhook's address cannot be read") from None
        if parts.scheme != "https" and not (self.private and parts.scheme == "http"):
            raise GiveUp("a webhook must begin with https://")
        if not parts.hostname or parts.username is not None:
            raise GiveUp("the webhook's address names no host, or holds a password")
        port = port or (443 if parts.scheme == "https" else 80)
        connection = self._connection(parts.scheme, parts.hostname, port, call.holds)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {"Content-Type": "application/json", "User-Agent": "pbem", "Connection": "close"}
        try:
            connection.request("POST", path, content, headers)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise TryLater(f"the webhook cannot be reached ({type(error).__name__})") from None
        finally:
            connection.close()
        if 200 <= status < 300:
            return
        if status in (408, 425, 429) or status >= 500:
            raise TryLater(f"the webhook answers {status}")
        raise GiveUp(f"the webhook answers {status}" + (" (redirections are not followed)" if status < 400 else ""))

    def _connection(
        self, scheme: str, host: str, port: int, holds: Callable[[socket.socket], None]
    ) -> http.client.HTTPConnection:
        address = self._address(host, port)
        if scheme == "https":
            return _PinnedTls(address, host, port, holds, timeout=self.timeout, context=self._context)
        return _Pinned(address, host, port, holds, timeout=self.timeout)

    def _address(self, host: str, port: int) -> tuple[Any, ...]:
        """The address to connect to: checked here and used as it is, so that a name cannot mean two things."""
        try:
            addresses = [info[4] for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        except (OSError, UnicodeError) as error:
            raise TryLater(f"the webhook's host is not known ({type(error).__name__})") from None
        if not self.private and not all(is_public(str(address[0])) for address in addresses):
            raise GiveUp("the webhook's host is not on the public internet")
        return addresses[0]


class _Call:
    """One post of a webhook, in a thread of its own: what came of it, and its connection, for who loses patience."""

    def __init__(self, webhook: Webhook, url: str, content: bytes):
        self.done = threading.Event()
        self.error: Exception | None = None
        self._webhook, self._url, self._content = webhook, url, content
        self._guard = threading.Lock()
        self._socket: socket.socket | None = None
        self._given_up = False

    def run(self) -> None:
        error: Exception | None = None
        try:
            self._webhook.post(self._url, self._content, self)
        except Exception as raised:
            error = raised if isinstance(raised, TryLater | GiveUp) else _failed(raised)
        with self._guard:
            if not self._given_up:
                self.error = error
                self.done.set()

    def holds(self, connection: socket.socket) -> None:
        """This is the connection of the call."""
        with self._guard:
            self._socket = connection
            if self._given_up:
                raise TimeoutError

    def give_up(self) -> None:
        """Break the connection, now or as soon as there is one."""
        with self._guard:
            if self.done.is_set():
                return
            self._given_up, connection = True, self._socket
            self.error = TryLater("the webhook does not answer in time")
            self.done.set()
        if connection is not None:
            try:
                socket.socket.shutdown(connection, socket.SHUT_RDWR)  # of TLS too: another thread is at it
            except OSError:
                log.debug("the connection of a webhook had ended already")


def _failed(error: Exception) -> GiveUp:
    # Where it is, and not what it says, which may quote the address.
    way = "".join(traceback.format_tb(error.__traceback__)).rstrip()
    log.error("a webhook cannot be posted: %s\n%s", type(error).__name__, way)
    return GiveUp(f"the webhook cannot be posted ({type(error).__name__})")


class _Pinned(http.client.HTTPConnection):
    """A connection to one address, whatever the name of the host comes to mean; `holds` is told of it."""

    def __init__(
        self, address: tuple[Any, ...], host: str, port: int, holds: Callable[[socket.socket], None], **more: Any
    ):
        super().__init__(host, port, **more)
        self._pinned, self._holds = address, holds

    def connect(self) -> None:
        self.sock = socket.create_connection(self._pinned[:2], self.timeout)
        self._holds(self.sock)


class _PinnedTls(http.client.HTTPSConnection):
    """The same with TLS; the certificate must be that of the name."""

    def __init__(
        self, address: tuple[Any, ...], host: str, port: int, holds: Callable[[socket.socket], None], *,
        context: ssl.SSLContext, **more: Any,
    ):  # fmt: skip
        super().__init__(host, port, context=context, **more)
        self._pinned, self._holds, self._tls = address, holds, context

    def connect(self) -> None:
        plain = socket.create_connection(self._pinned[:2], self.timeout)
        try:
            self.sock = self._tls.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        except BaseException:
            plain.close()
            raise
        self._holds(self.sock)
        self.sock.do_handshake()


def webhook_content(*, text: str, **more: Any) -> bytes:
    """The JSON of a webhook: the facts under their names, and the sentence where chat services look for it."""
    return json.dumps({**more, "text": text, "content": text}, ensure_ascii=False, sort_keys=True).encode()
