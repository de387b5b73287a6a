"""Virgin Queen by mail: real SMTP both ways, in three languages; what is secret in the game is secret in the post."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign import verify
from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.games.virgin_queen.room import GAME, VirginQueen
from pbem.mail.envelope import make_address
from pbem.mail.limits import RateLimits
from pbem.mail.listener import Listener
from pbem.mail.outbound import Courier
from pbem.mail.room import MailRoom
from pbem.mail.transports import SmtpTransport
from pbem.rehearse import arrange as lay_out
from pbem.render.narrative import Teller
from pbem.table.table import Table
from pbem.web.app import create_app
from tests.mail.conftest import SmartHost, host, text_of

POWERS = ["ottoman", "spain", "england", "france", "empire", "protestant"]
LANGUAGES = dict(zip(POWERS, ("en", "fr", "ru", "fr", "en", "ru"), strict=True))
AN_IMPULSE: list[tuple[str, Any]] = [
    ("hand", {"power": "spain", "cards": [40, 57]}),
    ("treasures", {"power": "spain", "kinds": ["cp2", "cp3"]}),
    ("impulse", {"power": "spain"}),
]
__all__ = ["host"]


class Post:
    """A campaign whose players write and get mails by SMTP."""

    def __init__(self, folder: Any, host: SmartHost):
        self.host, self.numbers = host, count(1)
        self.clock = ManualClock(datetime.now().astimezone())  # the listener stamps mails by the machine's clock
        self.settings = Settings(var=folder, domain="pbem.example", listen_port=0, clock_seconds=1,
                                 clock_outage_minutes=10**6)  # fmt: skip
        self.service = Service(self.settings, self.clock)
        transport = SmtpTransport("127.0.0.1", host.port, security="none")
        self.courier = Courier(self.service, transport=transport, pictures=False)
        self.room = MailRoom(self.service, courier=self.courier)
        limits = RateLimits(None, None)
        self.listener = Listener("127.0.0.1", 0, self.room.accept, domain=self.settings.domain, limits=limits)
        self.listener.start()

    def found(self, **more: Any) -> None:
        self.id = self.service.create("virgin_queen", 6, **more)
        seats = list(self.service.status(self.id).seats)
        self.seats = dict(zip(POWERS, seats, strict=True))
        self.tokens = {
            power: self.service.invite(self.id, seat, power, f"{power}@example.org", language=LANGUAGES[power])
            for power, seat in self.seats.items()
        }
        for power in POWERS:
            self.write(power, "ACCEPT INVITATION")
        self.service.assign(self.id, {seat: power for power, seat in self.seats.items()})
        self.service.start(self.id)
        self.deliver()

    def write(self, power: str, *lines: str) -> list[str]:
        """A mail of a player, and the answers that come to him for it."""
        before = len(self.host.to(f"{power}@example.org"))
        to = make_address(self.id, self.tokens[power], self.settings.domain)
        letter = (f"From: {power}@example.org\r\nTo: {to}\r\nSubject: orders\r\n"
                  f"Message-ID: <{next(self.numbers)}@example.org>\r\n\r\n" + "\r\n".join(lines) + "\r\n")  # fmt: skip
        with smtplib.SMTP("127.0.0.1", self.listener.port) as connection:
            connection.sendmail(f"{power}@example.org", [to], letter.encode())
        self.deliver()
        return [text_of(mail) for mail in self.host.to(f"{power}@example.org")[before:]]

    def deliver(self) -> None:
        self.clock.set(max(self.clock.now() + timedelta(seconds=1), datetime.now().astimezone()))
        self.room.take_up()
        self.service.project()
        while self.courier.send_due():
            self.room.take_up()

    def texts(self, power: str) -> list[str]:
        return [text_of(mail) for mail in self.host.to(f"{power}@example.org")]

    def close(self) -> None:
        self.listener.stop()
        self.courier.transport.close()
        self.service.close()


@pytest.fixture
def post(tmp_path, host: SmartHost) -> Iterator[Post]:
    made = Post(tmp_path, host)
    yield made
    made.close()


@pytest.fixture
def at_an_impulse(monkeypatch: pytest.MonkeyPatch) -> None:
    begin_with(monkeypatch, AN_IMPULSE)


@pytest.fixture
def at_the_talks(monkeypatch: pytest.MonkeyPatch) -> None:
    begin_with(monkeypatch, [*AN_IMPULSE[:-1], ("phase", "diplomacy")])


def begin_with(monkeypatch: pytest.MonkeyPatch, arranging: list[tuple[str, Any]]) -> None:
    """A campaign begins with a position."""
    set_up = VirginQueen.set_up

    def arranged(self: VirginQueen, table: Table, scenario: str) -> None:
        set_up(self, table, scenario)
        for name, value in arranging:
            lay_out(GAME, table, name, value)

    monkeypatch.setattr(VirginQueen, "set_up", arranged)


def test_a_campaign_begins_by_mail_and_tells_each_in_his_language(post: Post) -> None:
    post.found()
    assert post.service.status(post.id).kind == "negotiation"
    begun = {power: post.texts(power)[-1] for power in POWERS}
    assert "Talk to the others" in begun["ottoman"]
    for power, wanted in (("ottoman", "Diplomacy"), ("spain", "Diplomatie"), ("england", "Дипломатия")):
        assert wanted in " ".join(post.texts(power)), power
    for power in POWERS:
        (answer, *_) = post.write(power, "DONE")
        assert "DONE" in answer
    assert post.service.status(post.id).kind != "negotiation", "all had done"


def test_a_program_spends_the_card_and_goes_on_with_a_treasure_in_one_mail(post: Post, at_an_impulse: None) -> None:
    post.found()
    for power in POWERS:
        if power != "spain":
            post.write(power, "STANDING PRESET no_responses", "STANDING PRESET never_intercept")
    post.write("spain", "PLAY 57 FOR CP", "INFLUENCE ON venice", "INFLUENCE ON papacy", "TREASURE CP2",
               "BUILD regular IN madrid", "END IMPULSE")  # fmt: skip
    view = post.service.view_at(post.id)
    told = [f for e in post.service.events(post.id) for f in e["facts"] if f.get("what") == "treasure_used"]
    assert [f["treasure"] for f in told] == ["cp2"], post.texts("spain")[-1]
    assert view.state["influence"]["venice"]["spain"] == 2 and view.state["influence"]["papacy"]["spain"] == 3
    assert "emploie un trésor" in " ".join(post.texts("spain")[-1].split())


def test_the_treasures_of_another_are_a_number_in_every_mail(post: Post, at_an_impulse: None) -> None:
    post.found()
    treasures = {"en": "Treasures 2", "fr": "Trésors 2", "ru": "Сокровища 2"}
    for power in POWERS:
        post.write(power, "STATUS BOARD")
        text = " ".join(" ".join(post.texts(power)).split())
        known = power == "spain"
        assert treasures[LANGUAGES[power]] in text
        assert ("2 PC et 3 PC" in text or "2 PC, 3 PC" in text) is known, power


def test_what_cannot_be_read_is_answered_with_what_would_be_right(post: Post, at_an_impulse: None) -> None:
    post.found()
    (answer, *_) = post.write("spain", "PLAY 57 FOR CP", "INFLUENCE ON venize")
    assert "Venise" in answer and post.service.view_at(post.id).state["influence"]["venice"]["spain"] == 1
    (answer, *_) = post.write("spain", "TREASURE CP2")
    assert "impulsion" in answer, "refused in the player's language: it is for the end of an impulse"


def test_a_hand_is_shown_in_the_talks_to_one_power_which_alone_is_told(
    post: Post, at_the_talks: None, tmp_path: Path
) -> None:
    post.found()
    before = {power: len(post.texts(power)) for power in POWERS}
    (refused, *_) = post.write("spain", "SHOW CARDS 41 TO france")
    assert "41" in refused and len(post.texts("france")) == before["france"], "it holds no card 41"
    post.write("spain", "SHOW HAND TO france")
    (told,) = post.texts("france")[before["france"] :]
    assert "toute la main" in told and "2 PC" in told and "3 PC" in told
    assert all(name in told for name in names_of(post, "fr", "40", "57")), told
    for power in ("ottoman", "england", "empire", "protestant"):
        assert len(post.texts(power)) == before[power], power
    post.write("spain", "SHOW CARDS 57 TREASURES cp3 TO france, england")
    told = post.texts("england")[-1]
    assert names_of(post, "ru", "57")[0] in told and names_of(post, "ru", "40")[0] not in told
    site = create_app(post.service, post.settings)
    for power, sees in (("france", True), ("england", True), ("empire", False)):
        pages = site.test_client()
        pages.get(f"/c/{post.id}/enter/{post.tokens[power]}")
        text = pages.get(f"/c/{post.id}/messages").get_data(as_text=True)
        assert (names_of(post, LANGUAGES[power], "57")[0] in text) is sees, power
        file = tmp_path / power
        post.service.export(post.id, post.seats[power], file)
        verify.verify(file.open("rb"))
        assert ('shown\\":{' in file.read_text(encoding="utf-8")) is sees, power
    assert post.service.status(post.id).kind == "negotiation"
    for power in POWERS:
        post.write(power, "DONE")
    before["france"] = len(post.texts("france"))
    (refused, *_) = post.write("spain", "SHOW HAND TO france")
    assert len(post.texts("france")) == before["france"], "only in the talks"


def names_of(post: Post, language: str, *cards: str) -> list[str]:
    kit = post.service.kit_of(post.id)
    return [Teller(kit, language).name(card, "card") for card in cards]
