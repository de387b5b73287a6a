"""The IMAP poller against a small IMAP server on a real socket, which can break off at any command."""

from __future__ import annotations

import logging
import re
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from pbem.mail.envelope import make_address, new_token
from pbem.mail.poller import Poller, PollResult

DOMAIN = "play.example.org"
TOKEN = new_token()
SEAT = make_address("game7", TOKEN, DOMAIN)
OTHER_SEAT = make_address("game7", new_token(), DOMAIN)
PASSWORD = "correct horse"
NOW = datetime(2025, 3, 4, 12, 0, tzinfo=UTC)


def mail(number: int, *headers: str, body: bytes = b"PASS\r\n") -> bytes:
    fields = [*headers] or [f"To: {SEAT}", "From: player@example.com"]
    return "\r\n".join([f"Message-ID: <{number}@example.com>", *fields, "", ""]).encode() + body


@dataclass
class Message:
    uid: int
    raw: bytes
    date: str = "04-Mar-2025 10:00:00 +0100"
    flags: set[str] = field(default_factory=set)


@dataclass
class Mailbox:
    """What the server holds; `break_at` closes the connection instead of answering the first command that matches."""

    folders: dict[str, list[Message]] = field(default_factory=lambda: {"INBOX": []})
    uid_validity: int = 17
    next_uid: int = 101
    permanent_flags: str = r"\Seen \Deleted \*"
    capabilities: str = "IMAP4rev1"
    break_at: str | None = None
    break_after_doing: bool = False
    commands: list[str] = field(default_factory=list)

    def add(self, raw: bytes, folder: str = "INBOX", **options: Any) -> Message:
        message = Message(self.next_uid, raw, **options)
        self.next_uid += 1
        self.folders[folder].append(message)
        return message


class ImapConnection(socketserver.StreamRequestHandler):
    """Enough of RFC 3501 (and MOVE of RFC 6851, UIDPLUS of RFC 4315) for a client that polls."""

    server: ImapServer

    def handle(self) -> None:
        self.folder: list[Message] = []
        self.put("* OK ready")
        while line := self.rfile.readline():
            text = line.decode().rstrip("\r\n")
            tag, _, command = text.partition(" ")
            mailbox = self.server.mailbox
            mailbox.commands.append(command)
            breaking = mailbox.break_at is not None and re.match(mailbox.break_at, command)
            if breaking:
                mailbox.break_at = None
                if not mailbox.break_after_doing:
                    return
            answer = self.obey(command)
            if breaking:
                return
            self.put(f"{tag} {answer}")
            if command == "LOGOUT":
                return

    def put(self, line: str | bytes) -> None:
        self.wfile.write((line if isinstance(line, bytes) else line.encode()) + b"\r\n")

    def obey(self, command: str) -> str:
        mailbox = self.server.mailbox
        words = command.replace('"', "").split(" ")
        match words[0].upper(), words[1:]:
            case "CAPABILITY", _:
                self.put(f"* CAPABILITY {mailbox.capabilities}")
            case "LOGIN", arguments:
                if " ".join(arguments) != f"orders {PASSWORD}":
                    return f"NO [AUTHENTICATIONFAILED] not {' '.join(arguments)}"
            case "SELECT", [name]:
                if name not in mailbox.folders:
                    return "NO no such folder"
                self.folder = mailbox.folders[name]
                self.put(f"* {len(self.folder)} EXISTS")
                self.put(r"* FLAGS (\Seen \Deleted)")
                self.put(f"* OK [PERMANENTFLAGS ({mailbox.permanent_flags})] limited")
                self.put(f"* OK [UIDVALIDITY {mailbox.uid_validity}] valid")
                return "OK [READ-WRITE] done"
            case "LIST", [_, name]:
                if name in mailbox.folders:
                    self.put(f'* LIST () "/" "{name}"')
            case "CREATE", [name]:
                mailbox.folders[name] = []
            case "UID", ["SEARCH", *criteria]:
                assert criteria == ["UNKEYWORD", "$PbemStored", "UNDELETED"]
                found = [message for message in self.folder if not message.flags & {"$PbemStored", r"\Deleted"}]
                self.put(" ".join(["* SEARCH", *(str(message.uid) for message in reversed(found))]))
            case "UID", ["FETCH", uid, *_]:
                self.fetch(int(uid), command)
            case "UID", ["STORE", uid, "+FLAGS.SILENT", *_]:
                flags = command[command.index("(") + 1 : command.index(")")].split()
                for message in self.named(int(uid)):
                    message.flags.update(flags)
            case "UID", ["COPY" | "MOVE" as verb, uid, name]:
                for message in self.named(int(uid)):
                    mailbox.folders[name].append(
                        Message(mailbox.next_uid, message.raw, message.date, set(message.flags))
                    )
                    mailbox.next_uid += 1
                    if verb == "MOVE":
                        self.folder.remove(message)
            case "UID", ["EXPUNGE", uid]:
                for message in self.named(int(uid)):
                    if r"\Deleted" in message.flags:
                        self.folder.remove(message)
            case "LOGOUT", _:
                self.put("* BYE")
            case _:
                return "BAD unknown command"
        return "OK done"

    def named(self, uid: int) -> list[Message]:
        return [message for message in self.folder if message.uid == uid]

    def fetch(self, uid: int, command: str) -> None:
        for message in self.named(uid):
            head = f"* {self.folder.index(message) + 1} FETCH (UID {uid}"
            if "INTERNALDATE" in command:
                self.put(f'{head} INTERNALDATE "{message.date}" RFC822.SIZE {len(message.raw)})')
            elif partial := re.search(r"BODY\.PEEK\[\]<0\.(\d+)>", command):
                part = message.raw[: int(partial[1])]
                self.put(f"{head} BODY[]<0> {{{len(part)}}}\r\n".encode() + part + b")")
            else:
                assert "BODY.PEEK[]" in command
                self.put(f"{head} BODY[] {{{len(message.raw)}}}\r\n".encode() + message.raw + b")")


class ImapServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    mailbox: Mailbox


class World:
    """A mailbox behind a server, a poller, and what the poller handed over."""

    def __init__(self, port: int, mailbox: Mailbox) -> None:
        self.port = port
        self.mailbox = mailbox
        self.stored: list[tuple[bytes, str, str, datetime]] = []
        self.failing = False
        self.poller = self.new_poller()

    def new_poller(self, **options: Any) -> Poller:
        settings = {"password": PASSWORD, "folder": "INBOX", "domain": DOMAIN, "ssl": False, "timeout": 5} | options
        return Poller("127.0.0.1", self.port, "orders", accept=self.accept, clock=lambda: NOW, **settings)

    def accept(self, raw: bytes, envelope_to: str, envelope_from: str, received_at: datetime) -> None:
        if self.failing:
            raise OSError(f"no space left for {envelope_to}")
        self.stored.append((raw, envelope_to, envelope_from, received_at))

    @property
    def bodies(self) -> list[bytes]:
        return [raw for raw, *_ in self.stored]


@pytest.fixture
def world() -> Iterator[World]:
    mailbox = Mailbox()
    with ImapServer(("127.0.0.1", 0), ImapConnection) as server:
        server.mailbox = mailbox
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield World(server.server_address[1], mailbox)
        server.shutdown()
        thread.join()


def test_waiting_mails_are_stored_oldest_first_with_the_time_the_server_received_them(world: World) -> None:
    raws = [mail(1), mail(2, f"To: {OTHER_SEAT}", "Return-Path: <a@example.com>", "From: b@example.com"), mail(3)]
    for raw in raws:
        world.mailbox.add(raw)
    assert world.poller.poll() == PollResult(fetched=3, good=True, at=NOW)
    moment = datetime(2025, 3, 4, 9, 0, tzinfo=UTC)
    assert world.stored == [
        (raws[0], SEAT, "player@example.com", moment),
        (raws[1], OTHER_SEAT, "a@example.com", moment),
        (raws[2], SEAT, "player@example.com", moment),
    ]
    assert all(entry[3].tzinfo is UTC for entry in world.stored)
    assert all(message.flags == {"$PbemStored", r"\Seen"} for message in world.mailbox.folders["INBOX"])


def test_a_mail_is_fetched_once_also_by_a_new_process_and_even_if_somebody_read_it(world: World) -> None:
    world.mailbox.add(mail(1))
    world.mailbox.add(mail(2), flags={r"\Seen"})
    assert world.poller.poll().fetched == 2
    assert world.poller.poll() == PollResult(0, True, NOW)
    assert world.new_poller().poll() == PollResult(0, True, NOW)
    world.mailbox.add(mail(3))
    assert world.new_poller().poll().fetched == 1
    assert world.bodies == [mail(1), mail(2), mail(3)]


@pytest.mark.parametrize(
    "capabilities", ["IMAP4rev1", "IMAP4rev1 UIDPLUS", "IMAP4rev1 MOVE UIDPLUS"], ids=["plain", "UIDPLUS", "MOVE"]
)
def test_stored_mails_can_be_moved_away(world: World, capabilities: str) -> None:
    world.mailbox.capabilities = capabilities
    world.mailbox.permanent_flags = r"\Seen \Deleted"
    others = world.mailbox.add(mail(9), flags={r"\Deleted"})
    world.mailbox.add(mail(1))
    poller = world.new_poller(move_to="Stored")
    assert poller.poll() == PollResult(1, True, NOW)
    assert poller.poll() == PollResult(0, True, NOW)
    assert world.bodies == [mail(1)]
    assert [message.raw for message in world.mailbox.folders["Stored"]] == [mail(1)]
    assert others in world.mailbox.folders["INBOX"]  # deleted by somebody else, expunged by nobody
    assert not any(command.startswith(("EXPUNGE", "CLOSE")) for command in world.mailbox.commands)


COMMANDS = ["LOGIN", "SELECT", "UID SEARCH", "UID FETCH 101 .*INTERNALDATE", "UID FETCH 101 .*BODY", "UID STORE 101",
            "UID FETCH 102 .*INTERNALDATE", "UID FETCH 102 .*BODY", "UID STORE 102", "LOGOUT"]  # fmt: skip


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_broken_connection_loses_and_doubles_nothing(world: World, command: str, done: bool) -> None:
    world.mailbox.add(mail(1))
    world.mailbox.add(mail(2))
    world.mailbox.break_at, world.mailbox.break_after_doing = command, done
    first = world.poller.poll()
    assert world.mailbox.break_at is None
    assert first.good == (command == "LOGOUT")
    assert bool(first.error) != first.good
    second = world.poller.poll()
    assert second.good
    assert world.bodies == [mail(1), mail(2)]
    assert first.fetched + second.fetched == 2
    assert world.poller.poll() == PollResult(0, True, NOW)


@pytest.mark.parametrize("command", ["UID COPY", r"UID STORE 101 \+FLAGS.SILENT", "UID MOVE", "UID EXPUNGE"])
def test_a_connection_broken_while_moving_stores_nothing_twice(world: World, command: str) -> None:
    world.mailbox.capabilities = "IMAP4rev1 UIDPLUS" + (" MOVE" if "MOVE" in command else "")
    world.mailbox.add(mail(1))
    world.mailbox.break_at = command
    poller = world.new_poller(move_to="Stored")
    assert not poller.poll().good
    assert poller.poll().good
    assert world.bodies == [mail(1)]
    assert world.mailbox.folders["Stored"]


def test_a_mail_that_cannot_be_stored_stays_and_makes_the_poll_bad(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    world.mailbox.add(mail(1))
    world.failing = True
    result = world.poller.poll()
    assert (result.fetched, result.good) == (0, False)
    assert "no space left" in result.error
    assert world.mailbox.folders["INBOX"][0].flags == set()
    world.failing = False
    assert world.poller.poll() == PollResult(1, True, NOW)
    assert world.bodies == [mail(1)]
    for text in (caplog.text, result.error):
        assert TOKEN not in text.lower()
        assert PASSWORD not in text


def test_an_unreachable_or_refusing_server_is_reported_without_the_password(world: World) -> None:
    wrong = world.new_poller(password="hunter two").poll()
    assert not wrong.good
    assert "hunter two" not in wrong.error
    assert "AUTHENTICATIONFAILED" in wrong.error
    missing = world.new_poller(folder="Nowhere").poll()
    assert not missing.good
    assert "no such folder" in missing.error
    world.port = 1
    unreachable = world.new_poller().poll()
    assert (unreachable.fetched, unreachable.good, unreachable.at) == (0, False, NOW)
    assert "refused" in unreachable.error


def test_a_silent_server_is_given_up_after_the_timeout() -> None:
    class Silent(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(100)

    with ImapServer(("127.0.0.1", 0), Silent) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        poller = World(server.server_address[1], Mailbox()).new_poller(timeout=0.3)
        result = poller.poll()
        server.shutdown()
        thread.join()
    assert not result.good
    assert "timed out" in result.error


def test_a_new_uidvalidity_makes_old_numbers_mean_nothing(world: World) -> None:
    world.mailbox.add(mail(1))
    world.mailbox.break_at = "UID STORE"
    assert not world.poller.poll().good  # 101 is stored, not marked
    world.mailbox.folders["INBOX"].clear()
    world.mailbox.uid_validity, world.mailbox.next_uid = 18, 101
    world.mailbox.add(mail(2))
    assert world.poller.poll() == PollResult(1, True, NOW)
    assert world.bodies == [mail(1), mail(2)]


def test_a_folder_without_keywords_is_reported_with_the_remedy(world: World) -> None:
    world.mailbox.permanent_flags = r"\Seen \Deleted"
    world.mailbox.add(mail(1))
    result = world.poller.poll()
    assert not result.good
    assert "name a folder" in result.error
    assert world.stored == []


def test_addresses_and_senders_come_from_the_headers(world: World) -> None:
    world.mailbox.add(mail(1, f"Delivered-To: {SEAT}", f"To: {OTHER_SEAT}", "From: a@example.com"))
    world.mailbox.add(mail(2, f"To: {SEAT}, {OTHER_SEAT}", "From: a@example.com"))
    world.mailbox.add(mail(3, "To: somebody@example.com", "From: a@example.com"))
    world.mailbox.add(mail(4, f"To: {SEAT}", "Return-Path: <>", "From: mailer-daemon@example.com"))
    world.mailbox.add(b"\xff\x00no mail at all")
    assert world.poller.poll() == PollResult(5, True, NOW)
    assert [(to, sender) for _, to, sender, _ in world.stored] == [
        (SEAT, "a@example.com"),
        (SEAT, "a@example.com"),
        (OTHER_SEAT, "a@example.com"),
        ("", "a@example.com"),
        (SEAT, ""),
        ("", ""),
    ]


def test_of_a_mail_too_large_only_the_beginning_is_fetched(world: World) -> None:
    world.mailbox.add(mail(1, body=b"PASS\r\n" + b"x" * 10_000_000))
    world.mailbox.add(mail(2))
    assert world.new_poller(size_limit=10_000).poll() == PollResult(2, True, NOW)
    assert len(world.bodies[0]) == 10_000
    assert world.bodies[0].startswith(b"Message-ID: <1@")
    assert world.bodies[1] == mail(2)


def test_a_mail_deleted_by_somebody_else_meanwhile_disturbs_nothing(world: World) -> None:
    gone = world.mailbox.add(mail(1))
    world.mailbox.add(mail(2))
    original = ImapConnection.named

    def vanish(connection: ImapConnection, uid: int) -> list[Message]:
        if gone in world.mailbox.folders["INBOX"]:
            world.mailbox.folders["INBOX"].remove(gone)
        return original(connection, uid)

    ImapConnection.named = vanish
    try:
        assert world.poller.poll() == PollResult(1, True, NOW)
    finally:
        ImapConnection.named = original
    assert world.bodies == [mail(2)]
