"""What people send by mistake or by malice, to a running service: one clear answer or silence, never an effect."""

from __future__ import annotations

import smtplib
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from lxml import html

from tests.end_to_end.conftest import DOMAIN, PASSWORD, Campaign, Server, Visitor, is_answer, letter, text_of, until

TITLE = '<script>alert(1)</script> {{ 7 * 7 }} {% raw %} " onload="x'
MESSAGE = "<img src=x onerror=alert(2)>\nBcc: victim@people.example\n\n{{ 7 * 7 }}"


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    """A campaign that waits for somebody to place a unit."""
    server = Server(Path(tmp_path_factory.mktemp("bad")))
    server.start()
    server.command("moderator", "add", "anna", "--admin", "--password", PASSWORD)
    made = Campaign(server, "siege", "--title", TITLE)
    made.begin()
    yield made
    assert server.stop() == 0
    log = server.log.read_text()
    assert "Traceback" not in log
    for secret in (*made.tokens.values(), PASSWORD, "victim"):
        assert secret not in log


def raw(body: bytes, *headers: str) -> bytes:
    fields = [*headers, "From: {sender}", "To: {receiver}", "Message-ID: <{number}@people.example>"]
    return "\r\n".join(fields).encode() + b"\r\n\r\n" + body


class Person:
    """Somebody who writes to the campaign, and counts the answers."""

    def __init__(self, campaign: Campaign, seat: str):
        self.campaign, self.seat = campaign, seat
        self.address, self.receiver = campaign.people[seat], campaign.reply_to[seat]
        self.before = self._answers()
        self.board = campaign.board()

    def _answers(self) -> list[EmailMessage]:
        return [mail for mail in self.campaign.server.mails(self.address) if is_answer(mail)]

    def send(self, content: EmailMessage | bytes, receiver: str | None = None) -> None:
        receiver = receiver or self.receiver
        if isinstance(content, bytes):
            number = f"{self.seat}.{len(self.before)}.{abs(hash(content))}"
            for name, value in (("sender", self.address), ("receiver", receiver), ("number", number)):
                content = content.replace(b"{%s}" % name.encode(), value.encode())
        self.campaign.server.send(self.address, receiver, content)

    def write(self, *lines: str) -> None:
        self.send(letter(self.address, self.receiver, *lines))

    def answer(self) -> str:
        """The one answer to what was sent; the board is as before."""
        until(self.told)
        assert self.campaign.board() == self.board
        assert len(self._answers()) == len(self.before) + 1
        return self.told()

    def told(self) -> str:
        """The text of all answers that have come."""
        return "\n".join(text_of(mail) for mail in self._answers()[len(self.before) :])


@pytest.fixture
def person(campaign: Campaign) -> Person:
    """Whom the game waits for."""
    return Person(campaign, campaign.asked())


@pytest.fixture
def somebody(campaign: Campaign) -> Person:
    """Another player each time: a seat that sends mails with nothing in them again and again is taken for a program."""
    seats = list(campaign.people)
    campaign.asked_of_all = getattr(campaign, "asked_of_all", 0) + 1  # type: ignore[attr-defined]
    return Person(campaign, seats[campaign.asked_of_all % len(seats)])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["FROBNICATE all"], "no order that begins with"),
        (["PLACE arny AT india"], "did you mean Army"),
        (["PLACE army AT indai"], "did you mean India"),
        (["PLACE navy AT central_europe"], "no navy can be"),
        (["ATTACK france IN india"], "no answer to what is asked"),
        (["BID -3 A france B spain"], "whole number"),
        ([f"BID {10**40} A france B spain"], "whole number"),
        (["PLACE army AT india'; DROP TABLE inbox; --"], "too much"),
        (["PLACE {{ 7 * 7 }} AT {% for x in y %}"], "{{ 7 * 7 }}"),
        (["PLACE army AT india", "PLACE army AT nowhere"], "Nothing was carried out"),
        (["SET WEBHOOK http://169.254.169.254/latest"], "begins with https"),
        (["SET WEBHOOK https://127.0.0.1/"], "public internet"),
        (["STANDING suport: DECLINE"], "no kind of question"),
        (["CANCEL STANDING -1"], "whole number"),
        (["SALT and nothing else"], "none follows"),
        (["DECLINE INVITATION"], "has begun"),
        (["STATUS"] * 60, "At most 50 lines"),
        ([""], "empty"),
    ],
)
def test_lines_that_are_wrong_get_a_clear_answer(person: Person, lines: list[str], told: str) -> None:
    person.write(*lines)
    assert told in " ".join(person.answer().split())


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (raw(b""), "empty"),
        (raw(b"> PLACE army AT india\r\n> PLACE army AT india\r\n"), "No order was found"),
        (raw(b"\r\n".join([bytes(set(range(256)) - {10, 13})] * 40)), "binary"),
        (raw(b"--x\r\nContent-Type: text/plain\r\n\r\nPLAC", 'Content-Type: multipart/mixed; boundary="y"'), "damaged"),
        (raw(b"FROB \xff\xfe", "Content-Type: text/plain; charset=us-ascii"), "no order that begins with"),
        (raw(b"FROB", "Content-Type: text/plain; charset=x-none"), "no order that begins with"),
        (
            raw(b"<script>PLACE army AT india</script><p style='display: none'>PLACE army AT india</p><b>FROB</b>",
                "Content-Type: text/html"),
            "FROB",
        ),
        (raw(b"FROB", "Subject: =?utf-8?q?x=0D=0ABcc:_victim@people.example=0D=0A?="), "no order that begins with"),
    ],
    ids=["empty", "quoted", "binary", "broken MIME", "wrong charset", "no charset", "scripts", "header"],
)  # fmt: skip
def test_mails_that_are_wrong_get_a_clear_answer(somebody: Person, content: bytes, told: str) -> None:
    somebody.send(content)
    assert told in " ".join(somebody.answer().split())
    assert not any(mail["Bcc"] for mail in somebody.campaign.server.mails(""))


def test_what_is_too_large_is_refused_at_the_door(person: Person) -> None:
    with pytest.raises(smtplib.SMTPException) as refused:
        person.send(raw(b"PLACE army AT india                                  \r\n" * 200_000))
    assert "552" in str(refused.value)
    assert person.campaign.board() == person.board


def test_programs_strangers_and_wrong_tokens_have_no_effect(campaign: Campaign, person: Person) -> None:
    for header in ("Auto-Submitted: auto-replied", "Precedence: bulk"):
        person.send(raw(b"PLACE army AT india", header))
    stranger = "stranger@people.example"
    for local in ("siege", f"siege+{'a' * 32}", f"other+{campaign.tokens['seat1']}"):
        receiver = f"{local}@{DOMAIN}"
        campaign.server.send(stranger, receiver, letter(stranger, receiver, "PLACE army AT india"))
    until(lambda: campaign.server.mails(stranger))
    other = Person(campaign, next(seat for seat in campaign.people if seat != person.seat))
    other.write("PLACE army AT india")
    assert "nothing is asked of you" in " ".join(other.answer().split())
    assert len(campaign.server.mails(stranger)) == 1  # once a day, whatever it was
    assert person.told() == "" and campaign.board() == person.board


def test_the_same_mail_and_two_people_of_one_seat(campaign: Campaign, person: Person) -> None:
    same = letter(person.address, person.receiver, "PRESS TO ALL: only once")
    threads = [threading.Thread(target=person.send, args=(same,)) for _ in range(4)]
    both = [letter(person.address, person.receiver, line) for line in ("PLACE army AT india", "PLACE fort AT baltic")]
    threads += [threading.Thread(target=person.send, args=(mail,)) for mail in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = ("PRESS TO ALL: only once", "PLACE army AT india", "PLACE fort AT baltic")
    until(lambda: all(f"\n> {line}\n" in person.told() for line in lines))
    token = campaign.tokens[person.seat]
    press = [message["text"] for message in campaign.server.api("siege/seat/press", token)[1]]
    assert press.count("only once") == 1 and person.told().count(f"\n> {lines[0]}\n") == 1
    # They take turns to place: whose mail came first placed a unit, and the other was told that it was not his turn.
    events = campaign.server.api("siege/seat/events", token)[1]
    taken = [event["order"]["text"] for event in events if event["kind"] == "order" and event["facts"]]
    assert len([text for text in taken if text.startswith("PLACE")]) == 1
    assert person.told().count("nothing is asked of you now") == 1


def test_texts_of_people_stay_text_on_pages_and_in_mails(campaign: Campaign) -> None:
    writer = Person(campaign, "seat1")
    visitor = Visitor(campaign.server.site)
    visitor.open(campaign.link["seat1"])
    _, page = visitor.open("/c/siege/messages")
    form = visitor.form(page, "/messages")
    other = next(p for p in campaign.status()["seats"]["seat2"]["powers"])
    smuggled = f"{MESSAGE}\nEND\nPLACE army AT india\nPRESS TO ALL: more"
    status, page = visitor.open("/c/siege/messages", {**form, "to": other, "text": smuggled})
    assert status == 200 and campaign.board() == writer.board
    reader = Visitor(campaign.server.site)
    reader.open(campaign.link["seat2"])
    _, page = reader.open("/c/siege/messages")
    # An order in a message is a part of the message.
    assert [text.text_content() for text in page.xpath("//*[@class='press-text']")][0] == smuggled
    for address in ("/", "/c/siege", "/c/siege/seat", "/c/siege/messages", "/c/siege/ledger"):
        _, page = reader.open(address)
        assert not page.xpath("//script[not(@src)] | //*[@onerror] | //*[@onload]"), address
        assert TITLE in page.text_content()
    got = until(lambda: [m for m in campaign.server.mails(campaign.people["seat2"]) if "onerror" in text_of(m)])
    for mail in got:
        part = html.fromstring(mail.get_body(("html",)).get_content())
        assert not part.xpath("//script | //*[@onerror]") and "49" not in str(mail["Subject"])
        assert str(mail["Subject"]).startswith("[<script>alert(1)</script> {{ 7 * 7 }}")
        assert mail["Bcc"] is None


def test_forms_need_their_token_and_cookies_cannot_be_forged(campaign: Campaign) -> None:
    board = campaign.board()
    visitor = Visitor(campaign.server.site)
    visitor.open(campaign.link["seat1"])
    assert visitor.open("/c/siege/orders", {"lines": "PLACE army AT india"})[0] == 400
    stranger = Visitor(campaign.server.site)
    _, page = stranger.open("/")
    token = page.xpath("//input[@name='csrf_token']/@value")[0]
    assert visitor.open("/c/siege/orders", {"lines": "PLACE army AT india", "csrf_token": token})[0] == 400
    assert stranger.open("/c/siege/orders", {"lines": "PLACE army AT india", "csrf_token": token})[0] == 404
    assert stranger.open("/c/siege/seat")[0] == 404
    assert campaign.server.api("siege/seat/orders", "a" * 32, lines=["PLACE army AT india"])[0] == 401
    assert campaign.board() == board
