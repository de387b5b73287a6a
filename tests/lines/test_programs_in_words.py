"""Programs as people write them: what becomes of their lines when somebody else is asked in the middle, or nobody is
asked yet."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.games import find_game
from pbem.render.narrative import Teller
from tests.lines.test_lines import Campaign, arranged

GAME = "here_i_stand"

MARCH: dict[str, Any] = {
    "who": "ottoman",
    "seats": 6,
    "scenario": "1517",
    "arrange": [
        {"war": ["ottoman", "hapsburg"]},
        {"clear": ["istanbul", "edirne", "belgrade", "salonika", "athens", "sofia", "nicopolis", "nezh", "szegedin"]},
        {"units": {"place": "edirne", "power": "ottoman", "regular": 4, "cavalry": 2}},
        {"leaders": {"place": "edirne", "leaders": ["suleiman", "ibrahim"]}},
        {"units": {"place": "belgrade", "power": "hapsburg", "regular": 3}},
        {"control": {"power": "hapsburg", "space": "belgrade"}},
        {"impulse": {"power": "ottoman", "cp": 6}},
    ],
}
"""An Ottoman army on the road to Belgrade, which may be intercepted at Nezh."""

SPRING: dict[str, Any] = {
    "seats": 6, "scenario": "1517", "arrange": [{"turn": 5}, {"phase": "spring"}],
}  # fmt: skip
"""The Ottoman is asked for his spring deployment, England not yet."""


@pytest.fixture
def begun(tmp_path, monkeypatch):
    """situation -> its campaign."""
    clock = ManualClock()
    service = Service(Settings(var=tmp_path, domain="example.org"), clock)

    def begin(situation):
        game = find_game(GAME)
        monkeypatch.setattr(game, "set_up", arranged(game, situation))
        return Campaign(service, clock, situation, GAME)

    yield begin
    service.close()


def orders(answer):
    return [(line.state, line.order) for line in answer.lines]


def why(campaign, line):
    return line.said(Teller(campaign.service.kit_of(campaign.id)))


def test_lines_in_own_words_wait_in_full_when_somebody_else_is_asked_in_the_middle(begun):
    campaign = begun(MARCH)
    answer = campaign.send(
        "ottoman",
        *("move all edirne to sofia", "move all sofia -> nezh", "build a regular in edirne please"),
        *("move everything nezh to belgrade", "end impulse"),
    )
    assert orders(answer) == [
        ("accepted", "MOVE ALL FROM edirne TO sofia"),
        ("accepted", "MOVE ALL FROM sofia TO nezh"),
        ("queued", "BUILD regular IN edirne"),
        ("queued", "MOVE ALL FROM nezh TO belgrade"),
        ("queued", "END IMPULSE"),
    ]
    kept = campaign.service.queued(campaign.id, campaign.seat("ottoman"))
    assert kept == ["BUILD regular IN edirne", "MOVE ALL FROM nezh TO belgrade", "end impulse"]
    declined = campaign.send("hapsburg", "DECLINE")
    assert declined.ok
    left = campaign.service.queued(campaign.id, campaign.seat("ottoman"))
    assert left == ["end impulse"]  # the garrison of Belgrade is asked whether it withdraws


def test_a_waiting_line_that_leaves_something_open_is_asked_back_with_what_is_known_of_it(begun):
    campaign = begun(MARCH)
    answer = campaign.send(
        "ottoman", "move all edirne to sofia", "move all sofia -> nezh", "move from nezh to belgrade", "end impulse"
    )
    assert [line.state for line in answer.lines] == ["accepted", "accepted", "refused", "refused"]
    assert answer.lines[2].code == "whole_to_wait"
    assert answer.lines[2].hints == ["MOVE <force> FROM nezh TO belgrade"]
    assert campaign.service.queued(campaign.id, campaign.seat("ottoman")) == []


def test_a_line_in_own_words_out_of_turn_is_told_whose_turn_it_is_with_the_line_to_keep(begun):
    campaign = begun(SPRING)
    (result,) = campaign.send("england", "deploy henry, 3 regulars to calais").lines
    assert result.state == "refused" and "the game waits for" in why(campaign, result)
    assert result.hints == ["DEPLOY 3 regular, henry_viii FROM <origin> TO calais"]
    assert "below a line NEXT" in result.told(Teller(campaign.service.kit_of(campaign.id)))


def test_a_long_line_out_of_turn_that_cannot_be_read_is_told_how_to_wait(begun):
    campaign = begun(SPRING)
    teller = Teller(campaign.service.kit_of(campaign.id))
    (result,) = campaign.send("england", "henry goes over to calais with all his merry men").lines
    assert result.state == "unreadable" and "below a line NEXT" in result.told(teller)
    (result,) = campaign.send("ottoman", "suleiman goes over to vienna with all his merry men").lines
    assert result.state == "unreadable" and not result.told(teller)  # he is asked now


def test_a_next_whose_only_line_falls_waits_for_nothing(begun):
    campaign = begun(SPRING)
    answer = campaign.send("england", "NEXT", "deploy henry, 3 regulars to calais")
    assert [line.state for line in answer.lines] == ["refused", "refused"]
    assert campaign.service.queued(campaign.id, campaign.seat("england")) == []
    answer = campaign.send("england", "NEXT", "deploy henry, 3 regulars from london to calais")
    assert orders(answer) == [("queued", "NEXT"), ("queued", "DEPLOY 3 regular, henry_viii FROM london TO calais")]


def test_a_line_in_own_words_for_another_moment_is_refused_by_its_verb_and_undoes_nothing(begun):
    campaign = begun(MARCH)
    (result,) = campaign.send("ottoman", "deploy suleiman, 3 regulars to sofia").lines
    assert result.state == "refused" and why(campaign, result).startswith("DEPLOY is ")


def test_no_words_are_understood_as_a_way_that_nobody_offers(begun):
    campaign = begun(MARCH)
    for line in ("choisis guerre france", "choose power hapsburgs cheers Erik"):
        (result,) = campaign.send("ottoman", line).lines
        assert result.state == "refused" and result.order is None
