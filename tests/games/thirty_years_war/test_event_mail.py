"""Events of Thirty Years War by mail: a card and all that its text leaves open are one mail, sent ahead too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.games.thirty_years_war import GAME
from pbem.games.thirty_years_war.room import ThirtyYearsWar
from pbem.rehearse import arrange as lay_out
from pbem.table.table import Table

from .test_battle_mail import Campaign

POSITION: list[tuple[str, Any]] = [
    ("hand", {"side": "protestant", "cards": ["P14", "P3", "P8", "P4"]}),
    ("hand", {"side": "catholic", "cards": ["C7", "C8", "C9"]}),
    ("activation", {"side": "protestant", "round": 2}),
]


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Campaign]:
    set_up: Callable[[ThirtyYearsWar, Table, str], None] = ThirtyYearsWar.set_up

    def positioned(game: ThirtyYearsWar, table: Table, scenario: str) -> None:
        set_up(game, table, scenario)
        for name, value in POSITION:
            lay_out(GAME, table, name, value)

    monkeypatch.setattr(ThirtyYearsWar, "set_up", positioned)
    begun = Campaign(tmp_path)
    yield begun
    begun.service.close()


def test_a_card_and_what_it_leaves_open_are_one_mail(campaign: Campaign) -> None:
    campaign.good(
        "protestant",
        "EVENT P3",
        "PLACE Christian of Brunswick, 2 protestant mercenary, 1 protestant militia AT Magdeburg",
    )
    assert campaign.asked() == ("activation", ["catholic"])
    assert [fact["card"] for fact in campaign.told("event")] == ["P3"]


def test_an_activation_of_the_next_round_is_sent_ahead_with_its_event(campaign: Campaign) -> None:
    """The Catholic's answer to the Protestant's activation brings the Protestant's next one at once."""
    campaign.good("protestant", "EVENT P14", "CHOOSE SPACE Linz")
    campaign.good("protestant", "NEXT", "EVENT P8", "CHOOSE SPACES Vienna, Raab")
    campaign.good("catholic", "EVENT C7", "PLACE Wallenstein, Piccolomini AT Vienna")
    assert [fact["card"] for fact in campaign.told("event")] == ["P14", "C7", "P8"]
    assert campaign.asked() == ("activation", ["catholic"])


def test_what_a_card_leaves_open_may_follow_in_another_mail(campaign: Campaign) -> None:
    campaign.good("protestant", "EVENT P14")
    assert campaign.asked() == ("event_space", ["protestant"])
    refused = campaign.send("protestant", "CHOOSE SPACE Vienna")
    assert not refused.ok
    campaign.good("protestant", "CHOOSE SPACE Linz")
    assert campaign.asked() == ("activation", ["catholic"])
