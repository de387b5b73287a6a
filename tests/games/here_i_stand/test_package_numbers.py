"""Here I Stand by mail: an announcer numbers his sealed packages for himself; opened, each has one number for all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.here_i_stand.test_mail_play import POWERS, Begin, begin, text_of

__all__ = ["begin"]

TALKS: list[tuple[str, Any]] = [("turn", 2), ("phase", {"phase": "diplomacy", "segment": "negotiation"})]


@pytest.mark.parametrize(("language", "said", "second"), [
    ("en", "by a number that is yours alone; what is announced is then numbered anew", "(package 2,"),
    ("fr", "par un numéro qui n'est qu'à vous ; ce qui est annoncé reçoit ensuite un numéro nouveau", "(accord 2,"),
    ("ru", "по номерам, которые знаете вы один; объявленное затем получает новые номера", "(соглашение 2;"),
])  # fmt: skip
def test_who_announces_is_told_that_his_number_is_his_alone(
    begin: Begin, language: str, said: str, second: str
) -> None:
    campaign = begin(arrange=TALKS)
    for power in POWERS:
        campaign.good(power, f"SET LANGUAGE {language}")
    questions = {to: " ".join(text_of(raw).split()) for to, raw in campaign.post()}
    campaign.good("hapsburg", "ANNOUNCE 7 ALLIANCE WITH england")
    campaign.good("england", "ANNOUNCE 7 ALLIANCE WITH papacy")
    for power in POWERS:
        campaign.good(power, "DONE")
    told = {to: " ".join(text_of(raw).split()) for to, raw in campaign.post()}
    for power in POWERS:
        address = f"{campaign.seat(power)}@example.org"
        assert said in questions[address]
        assert second in told[address], "one number for all, its announcer too"
    assert [fact["number"] for fact in campaign.told("announced")] == [1, 2]
