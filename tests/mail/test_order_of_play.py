"""A campaign that an older program began in the order of its seats: its players are told when it is put right."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.commands import addressed_line
from pbem.campaign.live import Live
from pbem.campaign.service import Service
from pbem.campaign.submissions import Submission
from pbem.mail.outbound import Courier
from tests.mail.conftest import SmartHost, html_of, text_of

TITLES = {
    "en": "The order of play is put right",
    "fr": "L’ordre du jeu est rétabli",
    "ru": "Порядок хода исправлен",
}
ORDER = "ottoman, hapsburg, england, france, papacy, protestant"


def begun_by_seats(service: Service, monkeypatch: pytest.MonkeyPatch) -> tuple[str, dict[str, str]]:
    campaign = service.create("here_i_stand", 3)
    languages = dict(zip(("seat1", "seat2", "seat3"), TITLES, strict=True))
    tokens = {
        seat: service.invite(campaign, seat, seat, f"{seat}@example.net", language=language)
        for seat, language in languages.items()
    }
    for seat in tokens:
        service.accept(campaign, seat)
    service.assign(campaign, {"seat1": "protestant", "seat2": "ottoman", "seat3": "hapsburg"})
    with monkeypatch.context() as old:
        old.setattr(Live, "play_order", lambda live: [p for h in live.campaign.seats.values() for p in h["powers"]])
        service.start(campaign)
    return campaign, tokens


def play_until_reordered(service: Service, clock: ManualClock, campaign: str, tokens: dict[str, str]) -> None:
    chance = random.Random(1)

    def pick(table: Any, questions: Any) -> str:
        question = chance.choice(questions)
        return addressed_line(question.power, question.sample(table, chance).text())

    for _ in range(60):
        if any(event["kind"] == "reordered" for event in service.events(campaign, None)):
            return
        clock.advance(minutes=5)
        for seat in service.status(campaign).waiting_seats[:1]:
            line = service.table_of(campaign, seat, pick)
            service.submit(Submission(campaign, [line], clock.now(), "web", token=tokens[seat]))
    raise AssertionError("the order was never put right")


def test_each_player_reads_it_in_his_language(
    service: Service, clock: ManualClock, courier: Courier, host: SmartHost, monkeypatch: pytest.MonkeyPatch
):
    campaign, tokens = begun_by_seats(service, monkeypatch)
    assert service.view_at(campaign).powers != ORDER.split(", ")
    play_until_reordered(service, clock, campaign, tokens)
    assert service.view_at(campaign).powers == ORDER.split(", ")
    service.project()
    while courier.send_due():
        pass
    for seat, title in zip(tokens, TITLES.values(), strict=True):
        told = [mail for mail in host.to(f"{seat}@example.net") if title in text_of(mail)]
        assert len(told) == 1, (seat, [mail["Subject"] for mail in host.to(f"{seat}@example.net")])
        text = text_of(told[0])
        assert ORDER in " ".join(text.split()) and title in html_of(told[0])
        assert "ruled" not in text and "decision" not in told[0]["Subject"]
