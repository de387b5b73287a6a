"""Fetching mail from an IMAP mailbox (RFC 3501), for those who run no mail server of their own.

A mail is marked on the server, or moved away, only after `accept` has stored it durably. If the connection breaks in
between, this process remembers by UIDVALIDITY and UID what it has stored and only marks it next time. If the process
itself dies in between, the mail is stored a second time: who stores it compares ``Letter.content_key``.
"""

from __future__ import annotations

import logging
import ssl as tls
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from imaplib import IMAP4
from typing import Any

from imapclient import SEEN, IMAPClient

from pbem.campaign import faults
from pbem.mail.envelope import envelope_addresses, redact
from pbem.mail.listener import Accept
from pbem.mail.parse import headers_of, sender_address

STORED_KEYWORD = b"$PbemStored"
"""The keyword (RFC 3501 section 2.3.2) on a mail that we have stored."""

SIZE_LIMIT = 25 * 1024 * 1024  # of a larger mail only the beginning is fetched

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PollResult:
    """What one poll did.

    `fetched` counts the mails newly stored; `good` says that everything that was in the folder at the time `at` is now
    stored and marked; if it is not, `error` says why, without secrets.
    """

    fetched: int
    good: bool
    at: datetime
    error: str = ""


class MailboxError(Exception):
    """The mailbox cannot be used as it is; the message says what to change."""


class Poller:
    """Polls one folder. Every poll makes a connection of its own, so that nothing depends on the last one.

    `accept` stores a mail, see ``pbem.mail.listener.Accept``; it is called once for each of our addresses in the header
    (with "" if there is none), with INTERNALDATE as the time of receipt. Stored mails are moved to the folder
    `move_to`, or if that is None, stay where they are with a keyword and as seen. `clock` gives the time of the poll.
    """

    def __init__(
        self,
        host: str,
        port: int,
        user: str,
        password: str,
        folder: str,
        accept: Accept,
        *,
        domain: str,
        ssl: bool = True,
        ssl_context: tls.SSLContext | None = None,
        move_to: str | None = None,
        timeout: float = 30,
        size_limit: int = SIZE_LIMIT,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.host = host
        self.port = port
        self.user = user
        self.folder = folder
        self.domain = domain
        self.move_to = move_to
        self._password = password
        self._accept = accept
        self._ssl = ssl
        self._ssl_context = ssl_context
        self._timeout = timeout
        self._size_limit = size_limit
        self._clock = clock
        self._stored_unmarked: set[tuple[int, int]] = set()  # (UIDVALIDITY, UID)
        logging.getLogger("imapclient").setLevel(logging.WARNING)  # at DEBUG it logs the mails, and these hold tokens

    def poll(self) -> PollResult:
        """Store everything that waits in the folder. Never raises: what went wrong is in the result, and logged."""
        at = self._clock()
        fetched = 0
        try:
            with IMAPClient(
                self.host, self.port, ssl=self._ssl, ssl_context=self._ssl_context, timeout=self._timeout
            ) as client:
                client.normalise_times = False
                client.login(self.user, self._password)
                for uid_validity, uid in self._waiting(client):
                    if (uid_validity, uid) not in self._stored_unmarked:
                        if not self._store(client, uid):
                            continue
                        fetched += 1
                        self._stored_unmarked.add((uid_validity, uid))
                    self._mark(client, uid)
                    self._stored_unmarked.discard((uid_validity, uid))
        except Exception as error:  # of the network, the mailbox or the store: the clock has to go on
            log.error("polling %s failed: %s", self.host, self._without_secrets(faults.told(error, IMAP4.error)))
            return PollResult(fetched, False, at, self._without_secrets(f"{type(error).__name__}: {error}"))
        return PollResult(fetched, True, at)

    def _without_secrets(self, text: str) -> str:
        return redact(text.replace(self._password or "\0", "***"))

    def _waiting(self, client: IMAPClient) -> list[tuple[int, int]]:
        """(UIDVALIDITY, UID) of the mails that are not marked, oldest first."""
        selected = client.select_folder(self.folder)
        uid_validity = int(selected[b"UIDVALIDITY"])
        self._stored_unmarked = {entry for entry in self._stored_unmarked if entry[0] == uid_validity}
        if self.move_to is None:
            allowed = [flag.lower() for flag in selected.get(b"PERMANENTFLAGS", ())]
            if b"\\*" not in allowed and STORED_KEYWORD.lower() not in allowed:
                raise MailboxError(f"the folder {self.folder} takes no keywords; name a folder to move stored mail to")
        elif not client.folder_exists(self.move_to):
            client.create_folder(self.move_to)
        return [(uid_validity, uid) for uid in sorted(client.search(["UNKEYWORD", STORED_KEYWORD, "UNDELETED"]))]

    def _store(self, client: IMAPClient, uid: int) -> bool:
        """Fetch one mail and have it stored; False when somebody else has deleted it meanwhile."""
        about = client.fetch([uid], ["INTERNALDATE", "RFC822.SIZE"]).get(uid)
        if about is None:
            return False
        oversized = about[b"RFC822.SIZE"] > self._size_limit
        item = f"BODY.PEEK[]<0.{self._size_limit}>" if oversized else "BODY.PEEK[]"
        content: dict[bytes, Any] | None = client.fetch([uid], [item]).get(uid)
        if content is None:
            return False
        raw = next(value for key, value in content.items() if key.startswith(b"BODY[]"))
        message = headers_of(raw)
        return_path = message.get("Return-Path")
        sender = sender_address(str(return_path if return_path is not None else message.get("From", "")))
        for address in envelope_addresses(message, self.domain) or [""]:
            self._accept(raw, address, sender, about[b"INTERNALDATE"].astimezone(UTC))
        return True

    def _mark(self, client: IMAPClient, uid: int) -> None:
        if self.move_to is None:
            client.add_flags([uid], [STORED_KEYWORD, SEEN], silent=True)
        elif client.has_capability("MOVE"):  # RFC 6851
            client.move([uid], self.move_to)
        else:
            client.copy([uid], self.move_to)
            client.delete_messages([uid], silent=True)
            if client.has_capability("UIDPLUS"):  # RFC 4315; a plain EXPUNGE would take what others deleted as well
                client.uid_expunge([uid])
