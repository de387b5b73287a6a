"""Events of Thirty Years War by mail: a card and all that its text leaves open are one mail, sent ahead too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.games.thirty_years_war import GAME
from pbem.games.thirty_years_war.cards.placing import all_spaces
from pbem.games.thirty_years_war.control import holder
from pbem.games.thirty_years_war.room import ThirtyYearsWar
from pbem.rehearse import arrange as lay_out
from pbem.table.table import Table

from .test_battle_mail import Campaign

SET_UP: Callable[[ThirtyYearsWar, Table, str], None] = ThirtyYearsWar.set_up
POSITION: list[tuple[str, Any]] = [
    ("hand", {"side": "protestant", "cards": ["P14", "P3", "P8", "P4"]}),
    ("hand", {"side": "catholic", "cards": ["C7", "C8", "C9"]}),
    ("activation", {"side": "protestant", "round": 2}),
]


def positioned_campaign(folder: Path, monkeypatch: pytest.MonkeyPatch, position: list[tuple[str, Any]]) -> Campaign:
    """A campaign that begins in a position."""

    def positioned(game: ThirtyYearsWar, table: Table, scenario: str) -> None:
        SET_UP(game, table, scenario)
        for name, value in position:
            lay_out(GAME, table, name, value)

    monkeypatch.setattr(ThirtyYearsWar, "set_up", positioned)
    return Campaign(folder)


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Campaign]:
    begun = positioned_campaign(tmp_path, monkeypatch, POSITION)
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


def test_a_refused_placement_is_shown_lines_that_are_right_where_a_space_is_crowded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P3 puts all into one space that has room for it: what the first one on the map has room for is too little."""
    campaign = positioned_campaign(tmp_path, monkeypatch, [("empty", True), *POSITION])
    with campaign.service.memory.reading(campaign.id) as found:
        table = found.play.table
        first = next(space for space in all_spaces(table) if holder(table, space) == "protestant")
    campaign.service.close()
    crowded = ("stack", {"space": first, "units": {"protestant_mercenary": 7}})
    campaign = positioned_campaign(tmp_path / "crowded", monkeypatch, [("empty", True), crowded, *POSITION])
    campaign.good("protestant", "EVENT P3")
    refused = campaign.send("protestant", f"PLACE Christian of Brunswick, 1 protestant militia AT {first}")
    shown = [hint for hint in refused.lines[0].hints if hint.startswith("PLACE ") and "<" not in hint]
    with campaign.service.memory.reading(campaign.id) as found:
        question = found.play.question_for("protestant")
        shown.append(next(question.ways(found.play.table)).text())
    checked = [campaign.service.check_line(campaign.id, campaign.seat("protestant"), line).state for line in shown]
    assert len(checked) > 1 and set(checked) == {"accepted"}, shown
    campaign.service.close()


def test_an_activation_is_shown_with_a_way_that_is_legal(campaign: Campaign) -> None:
    seat = campaign.seat("protestant")
    (asked,) = campaign.service.asked(campaign.id, seat)
    acts = [line for line in asked.examples if line.startswith("ACT ")]
    (first,) = [line for line in acts if " VIA " in line]
    assert acts.index(first) == 1, acts
    assert campaign.service.check_line(campaign.id, seat, first).state == "accepted"
