"""Names by themselves: one that answers a question alone, and one that several things have."""

from __future__ import annotations

import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.games import find_game
from tests.lines.test_lines import Campaign, arranged, situations

GAME = "here_i_stand"


@pytest.mark.parametrize("line", ["Erfurt", "Эрфурт", "обратить Эрфурт", "REFORM erfurt"])
def test_a_name_alone_is_refused_for_the_same_reason_as_the_whole_line(line, tmp_path):
    service = Service(Settings(var=tmp_path, domain="example.org"), ManualClock())
    campaign = Campaign(service, ManualClock(), {"seats": 6, "scenario": "1517"}, GAME)
    (result,) = campaign.send("protestant", line).lines
    assert (result.state, result.section) == ("refused", "18.3")
    assert "Erfurt has no reformer" in result.reason and result.hints[0].startswith("REFORM ")


def test_prose_that_begins_with_a_name_is_not_taken_for_it(tmp_path):
    service = Service(Settings(var=tmp_path, domain="example.org"), ManualClock())
    campaign = Campaign(service, ManualClock(), {"seats": 6, "scenario": "1517"}, GAME)
    for line in ("Magdeburg is lovely", "Not Magdeburg", "Magdeburg or Leipzig", "Magdeburg?"):
        (result,) = campaign.send("protestant", line).lines
        assert result.state == "unreadable" or result.code == "talk", line


@pytest.mark.parametrize(
    "line", ["move henri, 4 regulars from calais to boulogne", "MOVE henri, 4 réguliers de Calais vers Boulogne"]
)
def test_a_name_that_several_pieces_share_is_that_of_the_one_in_play(line, tmp_path, monkeypatch):
    situation = next(one for one in situations(GAME) if line in {**one.get("lines", {}), **one.get("french", {})})
    monkeypatch.setattr(find_game(GAME), "set_up", arranged(find_game(GAME), situation))
    clock = ManualClock()
    campaign = Campaign(Service(Settings(var=tmp_path, domain="example.org"), clock), clock, situation, GAME)
    (result,) = campaign.send(situation["who"], line).lines
    assert (result.state, result.order) == ("accepted", "MOVE 4 regular, henry_viii FROM calais TO boulogne")
