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


def test_a_line_that_leaves_something_open_below_others_is_asked_back_before_anything_is_done(begun):
    campaign = begun(MARCH)
    answer = campaign.send(
        "ottoman", "move all edirne to sofia", "move all sofia -> nezh", "move from nezh to belgrade", "end impulse"
    )
    assert [line.state for line in answer.lines] == ["told", "told", "unreadable", "told"]
    assert answer.lines[2].code == "several_readings"
    assert "MOVE 4 regular, 2 cavalry, suleiman, ibrahim FROM nezh TO belgrade" in answer.lines[2].hints
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


BEHIND_A_CARD: dict[str, Any] = {
    **MARCH,
    "arrange": [*MARCH["arrange"][:-1], {"hand": {"power": "ottoman", "cards": [1, 31]}}, {"impulse": "ottoman"}],
}
"""The same army before a card is played for it."""

WORDS = {
    "en": (
        "I play the Janissaries for 5 CP",
        *("Suleiman and all his troops go from Edirne to Sofia", "Everybody goes from Sofia to Nezh"),
        *("Everybody goes from Nezh to Belgrade", "I raise a cavalry in Istanbul"),
    ),
    "fr": (
        "Je joue les Janissaires pour 5 PC.",
        *("Soliman et toutes ses troupes vont d'Andrinople à Sofia.", "Tout le monde va de Sofia à Nish."),
        *("Tout le monde va de Nish à Belgrade.", "Je lève une cavalerie à Istanbul."),
    ),
    "ru": (
        "Играю 1 на очки",
        *("Сулейман и все войска идут из Эдирне в Софию", "Все идут из Софии в Ниш"),
        *("Все идут из Ниша в Белград", "Набираю кавалерию в Стамбуле"),
    ),
}
IN_FULL = [
    "PLAY 1 FOR CP", "MOVE ALL FROM edirne TO sofia", "MOVE ALL FROM sofia TO nezh", "MOVE ALL FROM nezh TO belgrade",
    "BUILD cavalry IN istanbul",
]  # fmt: skip


@pytest.mark.parametrize("language", WORDS)
def test_a_line_without_an_order_s_verb_is_kept_in_full_behind_a_window_of_another(begun, language):
    campaign = begun(BEHIND_A_CARD)
    answer = campaign.send("ottoman", *WORDS[language])
    states = ["accepted", "accepted", "accepted", "queued", "queued"]
    assert orders(answer) == list(zip(states, IN_FULL, strict=True)), [(o.line, o.reason) for o in answer.lines]
    kept = campaign.service.queued(campaign.id, campaign.seat("ottoman"))
    assert kept == IN_FULL[3:]


OPEN_BELOW_NEXT = {"en": "build in istanbul", "fr": "lever à Istanbul", "ru": "набрать в Стамбуле"}


@pytest.mark.parametrize("language", WORDS)
def test_what_stays_open_below_next_is_asked_back_before_the_lines_above_it_are_done(begun, language):
    campaign = begun(BEHIND_A_CARD)
    before = campaign.event()
    answer = campaign.send("ottoman", *WORDS[language][:2], "NEXT", "PLAY 31 FOR CP", OPEN_BELOW_NEXT[language])
    assert [line.state for line in answer.lines] == ["told", "told", "told", "told", "unreadable"]
    assert answer.lines[-1].code == "whole_to_wait"
    assert any(hint.startswith("BUILD ") and "istanbul" in hint for hint in answer.lines[-1].hints)
    assert campaign.event() == before
    answer = campaign.send("ottoman", *WORDS[language][:2], "NEXT", "PLAY 31 FOR CP", WORDS[language][4])
    assert [line.state for line in answer.lines] == ["accepted", "accepted", "queued", "queued", "queued"]
    kept = campaign.service.queued(campaign.id, campaign.seat("ottoman"))
    assert kept == ["NEXT", "PLAY 31 FOR CP", "BUILD cavalry IN istanbul"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "For the Ottoman: everybody goes from {} to {} / Sofia Nezh Belgrade"),
        ("fr", "Pour les Ottomans : tout le monde va de {} à {} / Sofia Nish Belgrade"),
        ("ru", "Для Османской империи: все идут из {} в {} / Sofia Nezh Belgrade"),
    ],
)
def test_of_several_powers_the_line_that_waits_is_kept_for_its_own(begun, language, said):
    campaign = begun({**BEHIND_A_CARD, "seats": 3})
    line, _, places = said.partition(" / ")
    first, second, third = places.split()
    answer = campaign.send("ottoman", *WORDS[language][:2], line.format(first, second), line.format(second, third))
    assert [line.state for line in answer.lines] == ["accepted", "accepted", "accepted", "queued"]
    kept = campaign.service.queued(campaign.id, campaign.seat("ottoman"))
    assert kept == ["FOR ottoman: MOVE ALL FROM nezh TO belgrade"]


@pytest.mark.parametrize(
    "hostile",
    [
        *("nobody goes from Sofia to Nezh", "does everybody go from Sofia to Nezh?"),
        *("personne ne va de Sofia à Nish", "tout le monde va de Sofia à Nish si Charles dort"),
        *("никто не идёт из Софии в Ниш", "если повезёт, все идут из Софии в Ниш"),
        '"Все идут из Софии в Ниш", сказал Карл',
    ],
)  # fmt: skip
def test_no_line_is_made_an_order_ahead_that_denies_asks_or_makes_depend(begun, hostile):
    campaign = begun(BEHIND_A_CARD)
    before = campaign.event()
    answer = campaign.send("ottoman", *WORDS["en"][:2], hostile, WORDS["en"][3])
    assert [line.state for line in answer.lines] == ["told", "told", "unreadable", "told"]
    assert campaign.event() == before


@pytest.mark.parametrize(
    ("card", "unread", "right"),
    [
        ("Play 1 for CP", "Another cavalry in Istanbul with what is left over", "BUILD cavalry IN istanbul"),
        ("Je joue la 1 pour PC", "Encore une cavalerie à Istanbul avec le petit reste", "BUILD cavalry IN istanbul"),
        ("Играю 1 на очки", "Ещё набрать кавалерию в Стамбуле на остаток", "BUILD cavalry IN istanbul"),
    ],
)
def test_below_a_card_the_lines_shown_are_those_for_after_it(begun, card, unread, right):
    campaign = begun(BEHIND_A_CARD)
    before = campaign.event()
    first, second = campaign.send("ottoman", card, unread).lines
    assert (first.state, first.order) == ("told", "PLAY 1 FOR CP")
    assert second.state == "unreadable" and right in second.hints
    assert not any(hint.startswith("PLAY ") for hint in second.hints)
    assert campaign.event() == before


@pytest.mark.parametrize(
    "said",
    [
        "Hmm no. Scrap that, I play 31 for the CP instead.",
        "Euh non, oubliez ça, je joue plutôt la 31 pour les PC.",
        "Хм, нет, забудь это, лучше играю 31 на очки.",
    ],
)
def test_below_a_card_a_line_that_takes_it_back_is_shown_the_other_cards(begun, said):
    _, second = begun(BEHIND_A_CARD).send("ottoman", "Play 1 for CP", said).lines
    assert second.state == "unreadable" and "PLAY 31 FOR CP" in second.hints
