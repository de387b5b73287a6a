"""The mail server over real sockets: what is stored, what is answered, what is refused, and how fast."""

from __future__ import annotations

import datetime as dt
import logging
import smtplib
import socket
import sqlite3
import ssl
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from pbem.campaign.group import GroupCommit
from pbem.mail import listener as listening_room
from pbem.mail.envelope import make_address, new_token
from pbem.mail.limits import RateLimits
from pbem.mail.listener import CONNECTIONS_OF_A_PEER, LINE_LIMIT, Listener
from pbem.mail.parse import read_mail

DOMAIN = "play.example.org"
TOKEN = new_token()
SEAT = make_address("game7", TOKEN, DOMAIN)
OTHER_SEAT = make_address("game7", new_token(), DOMAIN)
MAIL = b"From: player@example.com\r\nSubject: orders\r\nMessage-ID: <1@example.com>\r\n\r\nPASS\r\n"
UNLIMITED = RateLimits(per_peer=None, per_token=None)


class Inbox:
    """Keeps what is accepted; refuses recipients for which `fails` is true."""

    def __init__(self, fails: Callable[[str], bool] = lambda recipient: False) -> None:
        self.mails: list[tuple[bytes, str, str, datetime]] = []
        self.fails = fails

    def accept(self, raw: bytes, envelope_to: str, envelope_from: str, received_at: datetime) -> None:
        if self.fails(envelope_to):
            raise OSError(f"no space left for {envelope_to}")
        self.mails.append((raw, envelope_to, envelope_from, received_at))

    @property
    def recipients(self) -> list[str]:
        return [mail[1] for mail in self.mails]


@contextmanager
def listening(inbox: Inbox, **options: Any) -> Iterator[Listener]:
    options.setdefault("limits", UNLIMITED)
    listener = Listener("127.0.0.1", 0, inbox.accept, domain=DOMAIN, **options)
    listener.start()
    try:
        yield listener
    finally:
        listener.stop()


class Dialogue:
    """A client that speaks line by line, for what smtplib would not send."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.stream = self.socket.makefile("rb")
        self.reply()

    def reply(self) -> str:
        while True:
            line = self.stream.readline().decode().rstrip("\r\n")
            if line[3:4] != "-":
                return line

    def send(self, line: str | bytes) -> str:
        self.socket.sendall((line if isinstance(line, bytes) else line.encode()) + b"\r\n")
        return self.reply()

    def close(self) -> None:
        self.stream.close()
        self.socket.close()


@contextmanager
def dialogue(port: int, *lines: str) -> Iterator[Dialogue]:
    client = Dialogue(port)
    try:
        for line in lines:
            assert client.send(line)[0] in "23"
        yield client
    finally:
        client.close()


def test_a_mail_is_stored_as_sent_with_envelope_and_time_of_receipt() -> None:
    inbox, moment = Inbox(), datetime(2025, 3, 4, 12, 0, tzinfo=UTC)
    raw = MAIL + b"..dots\r\n\r\n\xc3\xa9 \xff\r\n"
    with listening(inbox, clock=lambda: moment) as listener, smtplib.SMTP("127.0.0.1", listener.port) as client:
        assert client.sendmail("player@example.com", [SEAT], raw) == {}
    assert inbox.mails == [(raw, SEAT, "player@example.com", moment)]


def test_the_time_of_receipt_is_the_end_of_data_not_of_storing() -> None:
    ticks: list[str] = []

    def accept(raw: bytes, envelope_to: str, envelope_from: str, received_at: datetime) -> None:
        ticks.append("stored")

    def clock() -> datetime:
        ticks.append("received")
        return datetime.now(UTC)

    listener = Listener("127.0.0.1", 0, accept, domain=DOMAIN, limits=UNLIMITED, clock=clock)
    listener.start()
    try:
        opening = ("EHLO x", "MAIL FROM:<a@example.com>", f"RCPT TO:<{SEAT}>")
        with dialogue(listener.port, *opening) as client:
            assert client.send("DATA").startswith("354")
            client.socket.sendall(b"Subject: x\r\n\r\nPASS\r\n")
            time.sleep(0.05)
            assert ticks == []
            assert client.send(".").startswith("250")
            assert ticks == ["received", "stored"]
    finally:
        listener.stop()


def test_250_comes_only_after_the_mail_is_stored() -> None:
    may_store, stored = threading.Event(), threading.Event()

    def accept(raw: bytes, envelope_to: str, envelope_from: str, received_at: datetime) -> None:
        assert may_store.wait(10)
        stored.set()

    listener = Listener("127.0.0.1", 0, accept, domain=DOMAIN, limits=UNLIMITED)
    listener.start()
    try:
        with dialogue(listener.port, "EHLO x", "MAIL FROM:<a@example.com>", f"RCPT TO:<{SEAT}>", "DATA") as client:
            client.socket.sendall(b"PASS\r\n.\r\n")
            client.socket.settimeout(0.2)
            with pytest.raises(TimeoutError):
                client.socket.recv(1)
            with dialogue(listener.port, "EHLO y") as other:  # and others are served meanwhile
                assert other.send("NOOP").startswith("250")
            client.socket.settimeout(10)
            may_store.set()
            assert client.socket.recv(100).startswith(b"250")
            assert stored.is_set()
    finally:
        listener.stop()


def test_a_mail_that_cannot_be_stored_stays_with_its_sender_and_no_token_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    inbox = Inbox(fails=lambda recipient: recipient == SEAT)
    with listening(inbox) as listener, smtplib.SMTP("127.0.0.1", listener.port) as client:
        with pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail("player@example.com", [SEAT], MAIL)
        assert refused.value.smtp_code == 451
        client.docmd("VRFY", SEAT)
        client.docmd(f"<{SEAT}>")  # an unknown command, which aiosmtpd logs as a warning
        client.sendmail("player@example.com", [OTHER_SEAT], MAIL)
    assert inbox.recipients == [OTHER_SEAT]
    assert "no space left for game7+***@play.example.org" in caplog.text
    assert "unrecognised" in caplog.text
    for secret in (TOKEN, OTHER_SEAT.partition("@")[0].partition("+")[2]):
        assert secret.lower() not in caplog.text.lower()


def test_foreign_and_malformed_recipients_are_refused_and_nothing_is_relayed() -> None:
    inbox = Inbox()
    with listening(inbox) as listener, dialogue(listener.port, "EHLO x", "MAIL FROM:<a@example.com>") as client:
        for address in (
            "victim@example.com",
            f"victim%example.com@{DOMAIN}",
            f"{SEAT}@example.com",
            f'"a@example.com"@{DOMAIN}',
            f"game7+a!b@{DOMAIN}",
        ):
            assert client.send(f"RCPT TO:<{address}>")[:3] in ("550", "553")
        assert client.send(f"RCPT TO:<@example.com:{SEAT}>")[:3] in ("250", "550", "553")
        assert client.send("RSET").startswith("250")
        assert client.send("MAIL FROM:<a@example.com>").startswith("250")
        assert client.send("RCPT TO:<victim@example.com>").startswith("550 5.1.1")
        assert client.send("DATA").startswith("503")
    assert inbox.mails == []


def test_every_recipient_of_ours_is_stored_once_and_the_others_refused() -> None:
    inbox = Inbox()
    with listening(inbox) as listener, smtplib.SMTP("127.0.0.1", listener.port) as client:
        refused = client.sendmail("a@example.com", [SEAT, "b@example.com", OTHER_SEAT, SEAT, f"game7@{DOMAIN}"], MAIL)
    assert list(refused) == ["b@example.com"]
    assert refused["b@example.com"][0] == 550
    assert sorted(inbox.recipients) == sorted([SEAT, OTHER_SEAT, f"game7@{DOMAIN}"])


def test_if_one_of_several_recipients_fails_smtp_has_the_whole_mail_sent_again() -> None:
    inbox = Inbox(fails=lambda recipient: recipient == SEAT)
    with listening(inbox) as listener, smtplib.SMTP("127.0.0.1", listener.port) as client:
        with pytest.raises(smtplib.SMTPDataError):
            client.sendmail("a@example.com", [SEAT, OTHER_SEAT], MAIL)
        inbox.fails = lambda recipient: False
        client.sendmail("a@example.com", [SEAT, OTHER_SEAT], MAIL)
    assert sorted(inbox.recipients) == sorted([OTHER_SEAT, SEAT, OTHER_SEAT])
    assert len({read_mail(raw).content_key for raw, *_ in inbox.mails}) == 1


def test_lmtp_answers_for_each_recipient() -> None:
    inbox = Inbox(fails=lambda recipient: recipient == SEAT)
    with listening(inbox, lmtp=True) as listener:
        opening = ("LHLO x", "MAIL FROM:<a@example.com>", f"RCPT TO:<{SEAT}>", f"RCPT TO:<{OTHER_SEAT}>")
        with dialogue(listener.port, *opening) as client:
            assert client.send("RCPT TO:<b@example.com>").startswith("550")
            assert client.send("DATA").startswith("354")
            assert client.send(MAIL + b".").startswith("451")
            assert client.reply().startswith("250")
            assert client.send("NOOP").startswith("250")
        with dialogue(listener.port) as client:
            assert client.send("EHLO x").startswith("500")
    assert inbox.recipients == [OTHER_SEAT]


def test_lmtp_works_with_a_real_client_and_the_null_sender() -> None:
    inbox = Inbox()
    with listening(inbox, lmtp=True) as listener, smtplib.LMTP("127.0.0.1", listener.port) as client:
        client.sendmail("", [SEAT], MAIL)  # smtplib reads but one answer, so one recipient
    assert inbox.recipients == [SEAT]
    assert inbox.mails[0][2] == ""


def test_the_null_sender_is_handed_on_as_such() -> None:
    inbox = Inbox()
    with listening(inbox) as listener, smtplib.SMTP("127.0.0.1", listener.port) as client:
        client.sendmail("", [SEAT], MAIL)
    [(raw, _, sender, _)] = inbox.mails
    assert sender == ""
    assert read_mail(raw, sender).is_automatic


@pytest.mark.parametrize("lmtp", [False, True])
def test_too_large_mails_are_refused_before_and_after_data(lmtp: bool) -> None:
    inbox = Inbox()
    hello = "LHLO x" if lmtp else "EHLO x"
    with listening(inbox, lmtp=lmtp, size_limit=100_000) as listener:
        opening = (hello, "MAIL FROM:<a@example.com>", f"RCPT TO:<{SEAT}>", f"RCPT TO:<{OTHER_SEAT}>")
        with dialogue(listener.port, *opening) as client:
            assert client.send("DATA").startswith("354")
            client.socket.sendall((b"x" * 98 + b"\r\n") * 104_858)  # 10 MB
            assert client.send(".").startswith("552")
            if lmtp:
                assert client.reply().startswith("552")
            assert client.send("MAIL FROM:<a@example.com> SIZE=100001").startswith("552")
            assert client.send("MAIL FROM:<a@example.com> SIZE=100000").startswith("250")
    assert inbox.mails == []


@pytest.mark.parametrize("lmtp", [False, True])
def test_too_long_lines_are_refused(lmtp: bool) -> None:
    inbox = Inbox()
    hello = "LHLO x" if lmtp else "EHLO x"
    with listening(inbox, lmtp=lmtp) as listener:
        opening = (hello, "MAIL FROM:<a@example.com>", f"RCPT TO:<{SEAT}>", f"RCPT TO:<{OTHER_SEAT}>")
        with dialogue(listener.port, *opening) as client:
            assert client.send("DATA").startswith("354")
            client.socket.sendall(b"x" * (2 * LINE_LIMIT) + b"\r\n")
            assert client.send(".").startswith("500")
            if lmtp:
                assert client.reply().startswith("500")
            assert client.send("RSET").startswith("250")
            assert client.send("MAIL FROM:<" + "a" * 3000 + "@example.com>").startswith("500")
    assert inbox.mails == []


@pytest.mark.parametrize("lmtp", [False, True])
def test_lines_longer_than_the_standard_allows_are_taken(lmtp: bool) -> None:
    inbox = Inbox()
    raw = MAIL + b"x" * 200_000 + b"\r\n"
    with listening(inbox, lmtp=lmtp) as listener:
        opening = ("LHLO x" if lmtp else "EHLO x", "MAIL FROM:<a@example.com>", f"RCPT TO:<{SEAT}>", "DATA")
        with dialogue(listener.port, *opening) as client:
            assert client.send(raw + b".").startswith("250")
            assert client.send("NOOP " + "x" * 3000).startswith("500")
    assert [mail[0] for mail in inbox.mails] == [raw]


@pytest.mark.parametrize("lmtp", [False, True])
def test_a_mail_in_chunks_is_taken_as_it_is(lmtp: bool) -> None:
    inbox = Inbox()
    hello = "LHLO x" if lmtp else "EHLO x"
    raw = MAIL + b"\r\n.\r\nNOOP\r\n" + b"y" * 5000
    with listening(inbox, lmtp=lmtp, size_limit=10_000) as listener:
        opening = (hello, "MAIL FROM:<a@example.com>", f"RCPT TO:<{SEAT}>", f"RCPT TO:<{OTHER_SEAT}>")
        with dialogue(listener.port, *opening) as client:
            client.socket.sendall(b"BDAT 20\r\n" + raw[:20] + f"BDAT {len(raw) - 20} LAST\r\n".encode() + raw[20:])
            assert [client.reply()[:3] for _ in range(3 if lmtp else 2)] == ["250"] * (3 if lmtp else 2)
            assert sorted(inbox.recipients) == sorted([SEAT, OTHER_SEAT]) and inbox.mails[0][0] == raw
            for bad in ("BDAT", "BDAT x", "BDAT -1", "BDAT 1 FIRST"):
                assert client.send(bad).startswith("501")
            client.socket.sendall(b"BDAT 3\r\nabc")
            assert client.reply().startswith("503")
            for command in opening[1:]:
                assert client.send(command).startswith("250")
            client.socket.sendall(b"BDAT 3\r\nabc")
            assert client.reply().startswith("250")
            assert client.send("DATA").startswith("503")
            client.socket.sendall(b"BDAT 20000 LAST\r\n" + b"x" * 20_000)
            assert [client.reply()[:3] for _ in range(2 if lmtp else 1)] == ["552"] * (2 if lmtp else 1)
            assert client.send("NOOP").startswith("250")
    assert len(inbox.mails) == 2


def test_who_says_nothing_makes_room_for_who_sends_mail() -> None:
    inbox = Inbox()
    with listening(inbox) as listener:
        silent = [socket.create_connection(("127.0.0.1", listener.port)) for _ in range(60)]
        with smtplib.SMTP("127.0.0.1", listener.port, timeout=10) as client:
            client.sendmail("a@example.com", [SEAT], MAIL)
        first = silent[0].makefile("rb").read()
        assert first.endswith(b"421 4.3.2 Too many connections, try again later\r\n")
        for one in silent:
            one.close()
    assert len(inbox.mails) == 1


def test_a_peer_that_sends_keeps_its_connections_and_gets_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening_room, "SILENT_SECONDS", 0)
    with listening(Inbox()) as listener:
        busy = [Dialogue(listener.port) for _ in range(CONNECTIONS_OF_A_PEER)]
        for client in busy:
            client.send("EHLO x")
            assert client.send("MAIL FROM:<a@example.com>").startswith("250")
        with socket.create_connection(("127.0.0.1", listener.port)) as one_more:
            assert one_more.makefile("rb").read().startswith(b"421")
        for client in busy:
            assert client.send(f"RCPT TO:<{SEAT}>").startswith("250")
            client.close()


@pytest.mark.parametrize(("name", "opening"), [("FIRST_SECONDS", b""), ("WHOLE_SECONDS", b"EHLO x\r\n")])
def test_who_takes_too_long_is_hung_up_on(monkeypatch: pytest.MonkeyPatch, name: str, opening: bytes) -> None:
    monkeypatch.setattr(listening_room, name, 0.3)
    with listening(Inbox()) as listener, socket.create_connection(("127.0.0.1", listener.port), timeout=10) as client:
        client.sendall(opening)
        assert client.makefile("rb").read().startswith(b"220")


def test_binary_and_empty_mails_are_stored_as_they_are() -> None:
    inbox = Inbox()
    binary = bytes(range(256)).replace(b"\r", b"").replace(b"\n", b"") + b"\r\n"
    with listening(inbox) as listener:
        opening = ("EHLO x", "MAIL FROM:<a@example.com>", f"RCPT TO:<{SEAT}>", "DATA")
        for content in (b"", binary):
            with dialogue(listener.port, *opening) as client:
                assert client.send(content + b".").startswith("250")
    assert [mail[0] for mail in inbox.mails] == [b"", binary]
    assert all(read_mail(mail[0]).lines == [] for mail in inbox.mails)


@pytest.mark.parametrize("ending", [b"\n.\n", b"\n.\r\n", b"\r.\r", b"\r\n.\n", b"\r\n.\r", b"\r\n\0.\r\n"])
def test_no_second_mail_can_be_smuggled_in_the_first(ending: bytes) -> None:
    inbox = Inbox()
    smuggled = f"MAIL FROM:<evil@example.com>\r\nRCPT TO:<{OTHER_SEAT}>\r\nDATA\r\nFIGHT\r\n".encode()
    with listening(inbox) as listener:
        opening = ("EHLO x", "MAIL FROM:<a@example.com>", f"RCPT TO:<{SEAT}>", "DATA")
        with dialogue(listener.port, *opening) as client:
            assert client.send(b"PASS" + ending + smuggled + b".").startswith("250")
    assert inbox.recipients == [SEAT]
    assert b"FIGHT" in inbox.mails[0][0]


def test_the_envelope_cannot_carry_header_lines() -> None:
    inbox = Inbox()
    with listening(inbox) as listener, dialogue(listener.port, "EHLO x") as client:
        for sender in (b"a\rBcc: b@example.com", b"a\0b@example.com", b"<<a@example.com>>", b"a b@example.com"):
            assert client.send(b"MAIL FROM:<" + sender + b">").startswith("5")
        client.send(b"MAIL FROM:<a\nBcc: b@example.com>")  # two commands, and the second is none
        assert client.reply().startswith("500")
        assert client.send("RSET").startswith("250")
        assert client.send("MAIL FROM:<a@example.com>").startswith("250")
        for recipient in (f"game7+a\rBcc: b@{DOMAIN}", f"game7+a\0@{DOMAIN}", f"game7+a b@{DOMAIN}"):
            assert client.send(f"RCPT TO:<{recipient}>").startswith("5")
        assert client.send("DATA").startswith("503")
    assert inbox.mails == []


def test_too_many_mails_of_a_peer_or_to_a_token_are_put_off() -> None:
    inbox = Inbox()
    limits = RateLimits(per_peer=None, per_token="2/minute")
    with listening(inbox, limits=limits) as listener, smtplib.SMTP("127.0.0.1", listener.port) as client:
        for _ in range(2):
            client.sendmail("a@example.com", [SEAT], MAIL)
        with pytest.raises(smtplib.SMTPRecipientsRefused) as put_off:
            client.sendmail("a@example.com", [SEAT.upper()], MAIL)
        assert put_off.value.recipients[SEAT.upper()][0] == 451
        client.sendmail("a@example.com", [OTHER_SEAT], MAIL)
    assert inbox.recipients == [SEAT, SEAT, OTHER_SEAT]

    limits = RateLimits(per_peer=None, per_token="1/minute")
    assert limits.token_may_receive("one", "") and limits.token_may_receive("other", ""), "each campaign for itself"
    assert not limits.token_may_receive("one", "")

    inbox = Inbox()
    limits = RateLimits(per_peer="3/minute", per_token=None)
    with listening(inbox, limits=limits) as listener:
        for _ in range(3):
            with smtplib.SMTP("127.0.0.1", listener.port) as client:
                client.sendmail("a@example.com", [SEAT], MAIL)
        with smtplib.SMTP("127.0.0.1", listener.port) as client:
            with pytest.raises(smtplib.SMTPSenderRefused) as refused:
                client.sendmail("a@example.com", [OTHER_SEAT], MAIL)
            assert refused.value.smtp_code == 450
    assert inbox.recipients == [SEAT] * 3


def test_too_many_recipients_and_too_many_commands_are_refused() -> None:
    inbox = Inbox()
    with listening(inbox) as listener, dialogue(listener.port, "EHLO x", "MAIL FROM:<a@example.com>") as client:
        answers = [client.send(f"RCPT TO:<game7+t{number}@{DOMAIN}>")[:3] for number in range(101)]
        assert answers == ["250"] * 100 + ["452"]
        answers = [client.send("VRFY x")[:3] for _ in range(11)]
        assert answers[-1] == "421"
    assert inbox.mails == []


def test_starttls() -> None:
    inbox = Inbox()
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(
            name, name, key.public_key(), x509.random_serial_number(), now, now + dt.timedelta(days=1)
        )
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with _file(pem + private) as path:
        context.load_cert_chain(path)
    trusting = ssl.create_default_context(cadata=pem.decode())
    with listening(inbox, tls_context=context) as listener, smtplib.SMTP("127.0.0.1", listener.port) as client:
        client._host = "localhost"  # the name that the certificate is checked for
        client.starttls(context=trusting)
        client.ehlo()
        assert not client.has_extn("auth")
        client.sendmail("a@example.com", [SEAT], MAIL)
    assert inbox.recipients == [SEAT]


@contextmanager
def _file(content: bytes) -> Iterator[Path]:
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        yield Path(file.name)


def test_stop_frees_the_port_and_start_takes_it_again() -> None:
    inbox = Inbox()
    listener = Listener("127.0.0.1", 0, inbox.accept, domain=DOMAIN, limits=UNLIMITED)
    listener.start()
    port = listener.port
    with pytest.raises(RuntimeError):
        listener.start()
    with dialogue(port, "EHLO x", "MAIL FROM:<a@example.com>") as client:
        listener.stop()
        assert client.stream.readline() == b""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)
    listener.stop()
    listener.start()
    assert listener.port == port
    with smtplib.SMTP("127.0.0.1", port) as client:
        client.sendmail("a@example.com", [SEAT], MAIL)
    listener.stop()
    assert inbox.recipients == [SEAT]


def test_a_port_in_use_is_reported_to_the_caller() -> None:
    with listening(Inbox()) as listener, pytest.raises(OSError):
        Listener("127.0.0.1", listener.port, Inbox().accept, domain=DOMAIN).start()


# --- durable storing


def store(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE inbox (number INTEGER PRIMARY KEY, raw BLOB, recipient TEXT UNIQUE)")
    return connection


def write_all(connection: sqlite3.Connection, items: list[tuple[bytes, str]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany("INSERT INTO inbox (raw, recipient) VALUES (?, ?)", items)
    except sqlite3.Error:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def test_group_commit_returns_when_durable_and_a_bad_item_fails_alone(tmp_path: Path) -> None:
    connection, reader = store(tmp_path / "inbox.sqlite"), sqlite3.connect(tmp_path / "inbox.sqlite")
    groups: list[int] = []

    def write(items: list[tuple[bytes, str]]) -> None:
        groups.append(len(items))
        write_all(connection, items)

    commit = GroupCommit(write)
    failed: list[str] = []

    def submit(recipient: str) -> None:
        try:
            commit.submit((MAIL, recipient))
        except sqlite3.IntegrityError:
            failed.append(recipient)
            return
        with sqlite3.connect(tmp_path / "inbox.sqlite") as other:
            assert other.execute("SELECT count(*) FROM inbox WHERE recipient = ?", (recipient,)).fetchone() == (1,)

    threads = [
        threading.Thread(target=submit, args=(name,)) for name in [f"r{number}" for number in range(50)] + ["r0"]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    commit.close()
    assert failed == ["r0"]
    assert reader.execute("SELECT count(*) FROM inbox").fetchone() == (50,)
    with pytest.raises(RuntimeError):
        commit.submit((MAIL, "late"))
    reader.close()
    connection.close()


def test_200_mails_a_second_are_accepted_durably(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    connection = store(tmp_path / "inbox.sqlite")
    commit = GroupCommit(lambda items: write_all(connection, items))
    listener = Listener(
        "127.0.0.1", 0, lambda raw, to, sender, at: commit.submit((raw, to)), domain=DOMAIN, limits=UNLIMITED
    )
    listener.start()
    clients, mails = 8, 100
    body = b"MOVE navy FROM north_america TO india\r\n" * 3 + b"> a quoted line of the report\r\n" * 40

    def send(client_number: int) -> None:
        with smtplib.SMTP("127.0.0.1", listener.port) as client:
            for number in range(mails):
                client.sendmail("a@example.com", [f"game7+c{client_number}m{number}@{DOMAIN}"], MAIL + body)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(clients)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rate = clients * mails / (time.perf_counter() - start)
    listener.stop()
    commit.close()
    with capsys.disabled():
        print(f" [{rate:.0f} mails a second over {clients} connections, SQLite WAL, synchronous=FULL] ", end="")
    assert connection.execute("SELECT count(*) FROM inbox").fetchone() == (clients * mails,)
    connection.close()
    assert rate >= 200
