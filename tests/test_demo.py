"""The demonstration from the invitations to the last bundle, over real SMTP, an hour of play in a second."""

from __future__ import annotations

import smtplib
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from queue import SimpleQueue

import pytest
from sqlalchemy import select

from pbem.campaign.settings import load_settings
from pbem.demo import Demonstration, Player, _AnyPort, verify_all


def test_a_demonstration_is_played_to_its_end_and_every_bundle_verifies(tmp_path: Path) -> None:
    settings = replace(load_settings({}), var=tmp_path, listen_port=0, web_port=0, clock_seconds=1)
    with Demonstration(settings, seats=2, speed=3600, you=False, pictures=False) as show:
        show.running.web()
        show.begin()
        assert show.play_to_end(300)
        service = show.running.service
        assert service.status(show.campaign).state == "finished"
        assert "extended" not in {event["kind"] for event in service.events(show.campaign)}  # nothing was down
        found = list(verify_all(service, show.campaign, tmp_path))
        assert len(found) == 3 and all(verified for _, verified, _ in found), found
        with service.store.read() as connection:
            assert connection.execute(select(service.store.tables.gaps)).all() == []


@pytest.mark.parametrize(("speed", "minutes"), [(1, 5), (0.5, 5), (60, 300), (3600, 18_000)])
def test_an_outage_is_measured_by_the_clock_on_the_wall(tmp_path: Path, speed: float, minutes: int) -> None:
    with Demonstration(replace(load_settings({}), var=tmp_path, listen_port=0), seats=2, speed=speed) as show:
        assert show.running.service.settings.clock_outage_minutes == minutes


class Busy:
    """Refuses the first mails, then takes what comes."""

    def __init__(self, refusals: list[str]):
        self.refusals, self.taken = refusals, []

    async def handle_MAIL(self, server, session, envelope, address, options) -> str:  # noqa: N802
        if self.refusals:
            return self.refusals.pop(0)
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, server, session, envelope) -> str:  # noqa: N802
        self.taken.append(envelope.content)
        return "250 OK"


def test_a_player_sends_again_what_was_too_much_for_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.demo.PAUSES", (0.01, 0.01))
    letter = EmailMessage()
    letter["Reply-To"], letter["Subject"], letter["Message-ID"] = "c+t@pbem.example", "Your move", "<1@pbem.example>"
    letter.set_content("It is your move.")
    busy = Busy(["450 4.7.1 Too many mails from you, try again later"] * 2)
    server = _AnyPort(busy, hostname="127.0.0.1", port=0, ready_timeout=10)
    server.start()
    try:
        player = Player(None, "c", "seat1", SimpleQueue(), server.port, 1)
        player._send(letter, "PASS")
        assert [content.count(b"\nPASS") for content in busy.taken] == [1]
        busy.refusals = ["550 5.7.1 Never"]
        with pytest.raises(smtplib.SMTPSenderRefused):
            player._send(letter, "PASS")
        assert len(busy.taken) == 1
    finally:
        server.stop()
