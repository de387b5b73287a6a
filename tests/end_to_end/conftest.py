"""The service as an operator runs it: `pbem serve` in a process of its own, and people before it with mail and browser.

Nothing here reaches into the service. What the tests know, they know from its pages, its API, its mails and its log.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import smtplib
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from lxml import html

PBEM = "from pbem.cli import main; main()"
DOMAIN = "pbem.example"
PASSWORD = "a password of twelve"
UNREACHABLE = (OSError, smtplib.SMTPServerDisconnected, http.client.HTTPException)


def free_ports(number: int) -> list[int]:
    """Ports that nobody listens at. They are fixed, so that a server that starts again is where it was."""
    found = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [one.getsockname()[1] for one in found]
    for one in found:
        one.close()
    return ports


def until(ready: Callable[[], Any], seconds: float = 60) -> Any:
    """What `ready` gives as soon as it is true."""
    end = time.monotonic() + seconds
    while not (found := ready()):
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.05)
    return found


class Server:
    """`pbem serve` over a folder; it can be killed and started again."""

    def __init__(self, folder: Path):
        self.folder, self.var, self.log = folder, folder / "var", folder / "log"
        self.mail_port, self.web_port = free_ports(2)
        self.site = f"http://127.0.0.1:{self.web_port}"
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PBEM_")},
            "PBEM_VAR": str(self.var), "PBEM_DOMAIN": DOMAIN, "PBEM_CLOCK_SECONDS": "1",
            "PBEM_CLOCK_CLAIM_SECONDS": "3",  # mails that a killed server was about to send are not waited for long
            "PBEM_WEB_PORT": str(self.web_port), "PBEM_LISTEN_PORT": str(self.mail_port),
        }  # fmt: skip
        self.process: subprocess.Popen[bytes] | None = None
        self._read: dict[str, tuple[int, EmailMessage]] = {}

    def start(self) -> None:
        """Start, and wait until pages and mail are there."""
        before = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", PBEM, "serve"], cwd=self.folder, env=self.environment, stdout=log, stderr=log
            )
        until(lambda: self.process.poll() is not None or b"the pages are at" in self.log.read_bytes()[before:])
        assert self.process.poll() is None, self.log.read_text()

    def kill(self) -> None:
        """Kill it where it stands, as a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)

    def stop(self) -> int:
        """Ask it to end; returns its status."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(60)

    def command(self, *arguments: str, status: int = 0) -> str:
        """Run another command of `pbem` beside it; returns what it prints."""
        done = subprocess.run(
            [sys.executable, "-c", PBEM, *arguments], cwd=self.folder, env=self.environment, capture_output=True,
            text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == status, (arguments, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout + done.stderr

    # mail

    def mails(self, address: str) -> list[EmailMessage]:
        """The mails to a person, in the order in which they were written."""
        for file in (self.var / "maildir" / "new").glob("*"):
            if file.name not in self._read:
                mail = message_from_bytes(file.read_bytes(), policy=policy.default)
                self._read[file.name] = (file.stat().st_mtime_ns, mail)
        mails = (mail for _, mail in sorted(self._read.values(), key=lambda found: found[0]))
        return [mail for mail in mails if address in str(mail["To"])]

    def answers(self, address: str, line: str) -> list[EmailMessage]:
        """The mails that answer a line of a person; one that was delivered twice as it is counts once.

        Answers to several mails may come in one.
        """
        found = [mail for mail in self.mails(address) if f"\n> {line}\n" in text_of(mail) and is_answer(mail)]
        return list({(mail["Message-ID"], text_of(mail)): mail for mail in found}.values())

    def send(self, sender: str, receiver: str, content: EmailMessage | bytes) -> None:
        """Hand a mail in by SMTP; returns when it was acknowledged."""
        with smtplib.SMTP("127.0.0.1", self.mail_port, timeout=60) as smtp:
            smtp.sendmail(sender, [receiver], content if isinstance(content, bytes) else content.as_bytes())

    def send_until_taken(self, sender: str, receiver: str, content: EmailMessage) -> None:
        """As a mail server does: try the same mail again until it is acknowledged."""

        def taken() -> bool:
            try:
                self.send(sender, receiver, content)
            except UNREACHABLE:
                return False
            return True

        until(taken)

    # the API

    def api(self, path: str, token: str | None = None, **sent: Any) -> tuple[int, Any]:
        """Ask the JSON API, with the token of a seat; posts where something is `sent`. Returns status and answer."""
        request = Request(f"{self.site}/api/campaigns/{path}", json.dumps(sent).encode() if sent else None)
        request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with build_opener().open(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read())
        except HTTPError as error:
            with error:
                return error.code, json.loads(error.read())


class Visitor:
    """Somebody with a browser that keeps cookies and runs no script."""

    def __init__(self, site: str):
        self.site = site
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self.address = ""

    def open(self, address: str, values: dict[str, str] | None = None) -> tuple[int, html.HtmlElement]:
        """A page, or what comes of a form sent; redirections are followed. Returns status and page."""
        address = address if address.startswith("http") else self.site + address
        try:
            answer = self._opener.open(address, urlencode(values).encode() if values is not None else None, timeout=60)
        except HTTPError as error:
            answer = error
        with answer:
            self.address = answer.url
            return answer.status, html.fromstring(answer.read())

    def form(self, page: html.HtmlElement, action: str, **having: str) -> dict[str, str]:
        """The hidden fields of the form that leads to an action (and has a field with a value)."""
        for form in page.forms:
            hidden = {one.name: one.value for one in form.xpath(".//input[@type='hidden']")}
            if form.get("action", self.address).split("#")[0].endswith(action) and having.items() <= hidden.items():
                return hidden
        raise AssertionError(f"the page has no form for {action}")


def letter(sender: str, receiver: str, *lines: str) -> EmailMessage:
    """A mail as a person writes it, with a quotation below."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, receiver, "Re: my orders"
    made["Message-ID"] = make_msgid(domain="people.example")
    body = "\n".join(lines)
    made.set_content(f"{body}\n\nOn a day in the campaign, the service wrote:\n> PASS\n> DONE\n")
    return made


def is_answer(mail: EmailMessage) -> bool:
    """Whether a mail of the service answers one of its reader."""
    return mail["Auto-Submitted"] == "auto-replied"


def text_of(mail: EmailMessage) -> str:
    """The text part of a mail."""
    return mail.get_body(("plain",)).get_content().replace("\r\n", "\n")


class Campaign:
    """A campaign of Struggle of Empires on a server, founded by command, whose players are known by their mails."""

    def __init__(self, server: Server, id: str, *more: str):
        self.server, self.id = server, id
        self.people = {seat: f"{seat}@people.example" for seat in ("seat1", "seat2")}
        invited = [part for address in self.people.values() for part in ("--invite", address)]
        server.command("new", "struggle_of_empires", "--seats", "2", "--campaign", id, *invited, *more)
        self.reply_to: dict[str, str] = {}
        self.link: dict[str, str] = {}
        for seat, address in self.people.items():
            mail = until(lambda a=address: [m for m in server.mails(a) if id in str(m["Reply-To"])])[0]
            self.reply_to[seat] = str(mail["Reply-To"])
            self.link[seat] = next(word for word in text_of(mail).split() if word.startswith(server.site))
        self.tokens = {seat: address.partition("+")[2].partition("@")[0] for seat, address in self.reply_to.items()}

    def status(self) -> dict[str, Any]:
        return self.server.api(self.id)[1]

    def board(self) -> dict[str, Any]:
        return self.server.api(f"{self.id}/board")[1]

    def asked(self) -> str:
        """The seat that the game waits for."""
        return self.status()["asks"][0]["seat"]

    def legal_line(self, seat: str) -> str:
        """An order that the seat may give now."""
        question = self.server.api(f"{self.id}/seat/questions", self.tokens[seat])[1][0]
        return question["orders"][0]["examples"][0]["line"]

    def begin(self) -> None:
        """One player accepts by mail, the other by link; the moderator begins at his desk."""
        mail = letter(self.people["seat1"], self.reply_to["seat1"], "accept invitation")
        self.server.send(self.people["seat1"], self.reply_to["seat1"], mail)
        visitor = Visitor(self.server.site)
        _, page = visitor.open(self.link["seat2"])
        assert visitor.address == f"{self.server.site}/c/{self.id}/seat"  # no secret stays in the address
        form = visitor.form(page, "/orders")
        assert visitor.open(f"/c/{self.id}/orders", {**form, "reply": "accept"})[0] == 200
        until(lambda: all(seat["accepted"] for seat in self.status()["seats"].values()))
        desk = Visitor(self.server.site)
        _, page = desk.open("/desk/login")
        status, page = desk.open("/desk/login", {**desk.form(page, "/login"), "name": "anna", "password": PASSWORD})
        assert status == 200 and desk.address.endswith("/desk/")
        _, page = desk.open(f"/desk/c/{self.id}/")
        status, _ = desk.open(f"/desk/c/{self.id}/do/start", desk.form(page, "/do/start"))
        assert status == 200 and self.status()["state"] == "running"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A running service with a moderator, anna."""
    made = Server(tmp_path)
    made.start()
    made.command("moderator", "add", "anna", "--admin", "--password", PASSWORD)
    yield made
    if made.process is not None and made.process.poll() is None:
        assert made.stop() == 0
