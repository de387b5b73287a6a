"""The end of a turn of Thirty Years War by mail: one letter of each side, sealed, with next turn's recovery in it."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.thirty_years_war import control
from pbem.games.thirty_years_war.map import atlas
from pbem.table.procedure import Table
from tests.games.thirty_years_war.test_battle_mail import Begin, Campaign, _text_of, begin  # noqa: F401

LAST_TURN_BUT_ONE: list[tuple[str, Any]] = [
    ("empty", True),
    ("state", {"rebellion": None}),
    ("stack", {"space": "pilsen", "units": {"protestant_mercenary": 2, "protestant_militia": 2}}),
    ("stack", {"space": "prague", "units": {"protestant_mercenary": {"full": 1, "reduced": 1}}}),
    ("stack", {"space": "brunn", "units": {"imperial_mercenary": 2}}),
    ("loot", {"eger": 1, "graz": 1}),
    ("aid", {"protestant": {"england": 4}, "catholic": {"spain": 4}}),
    ("hand", {"side": "protestant", "cards": ["P33", "P34", "P19"]}),
    ("phase", {"phase": "turn_end", "segment": "pay"}),
]
"""The end of a turn: the Protestant can pay some of his units, the Catholic all of his."""

RECRUITING: list[tuple[str, Any]] = [
    ("empty", True),
    ("stack", {"space": "munich", "units": {"bavarian_mercenary": 2}, "leaders": ["tilly"]}),
    ("activation", {"side": "catholic", "round": 2}),
]
"""Tilly at Munich, who may recruit."""

HELD = ["C35", "C48", "C23"]


def asked_of(campaign: Campaign, side: str) -> list[str]:
    """The kinds of question that a side has still to answer."""
    with campaign.service.memory.reading(campaign.id) as found:
        asks = found.campaign.asks
    return [ask["kind"] for ask in asks if ask["seat"] == campaign.seat(side) and not ask["answered"]]


def test_one_letter_of_each_ends_a_turn_and_recovers(begin: Begin) -> None:  # noqa: F811
    campaign = begin(HELD, LAST_TURN_BUT_ONE)
    assert campaign.asked()[0] == "end_of_turn"
    assert asked_of(campaign, "protestant") == ["pay", "looting", "keep_card"]
    assert asked_of(campaign, "catholic") == ["pay", "keep_card"]
    answer = campaign.good("catholic", "KEEP C48", "PAY ALL", "RECOVER FIRST OF graz, linz")
    assert [line.state for line in answer.lines] == ["accepted", "accepted", "queued"]
    assert campaign.told("paid") == [], "sealed until both have answered"
    campaign.good("protestant", "PAY IN ORDER pilsen", "KEEP P34", "LOOT LOSING full", "RECOVER FIRST OF eger")
    assert campaign.asked() == ("activation", ["protestant"]), "phases A to C went by without a wait"
    view = campaign.service.view_at(campaign.id)
    assert view.state["turn"] == 2
    assert view.state.get("loot:eger") is None and view.state.get("loot:graz") is None
    assert [fact["points"] for fact in campaign.told("paid")] == [4, 4]


@pytest.mark.parametrize(("language", "asks"), [
    ("en", "You are asked 3 questions; answer them by"), ("fr", "On vous pose 3 questions ; répondez-y"),
    ("ru", "Вам задано вопросов: 3; ответьте на них"),
])  # fmt: skip
def test_several_questions_say_once_until_when_and_no_form_twice(begin: Begin, language: str, asks: str) -> None:  # noqa: F811
    campaign = begin(HELD, LAST_TURN_BUT_ONE)
    campaign.good("protestant", f"SET LANGUAGE {language}")
    (mail,) = [_text_of(raw) for to, _, raw in campaign.post() if to.startswith(campaign.seat("protestant"))]
    lines = mail.splitlines()
    assert asks in " ".join(mail.split())
    assert " ".join(mail.split()).count("(UTC)") == 1, "the questions are due together"
    assert lines.count("  PAY ALL") == lines.count("  PAY NOBODY") == 1
    assert lines.count("  LOOT LOSING FULL") == 1 and sum(line.startswith("  KEEP P") for line in lines) == 2


def test_nobody_hears_what_was_kept_or_discarded(begin: Begin) -> None:  # noqa: F811
    campaign = begin(HELD, LAST_TURN_BUT_ONE)
    campaign.good("catholic", "PAY ALL", "KEEP C48")
    campaign.good("protestant", "PAY ALL", "LOOT LOSING full", "KEEP P34")
    seat = campaign.seat("protestant")
    with campaign.service.memory.reading(campaign.id) as found:
        powers = found.campaign.powers_of(seat)
    assert powers == ["protestant"]
    view = campaign.service.view_at(campaign.id, seat=seat)
    assert set(view.piles["hand:catholic"]) == {"?"} and view.piles["discarded:catholic"] == ["?", "?"]
    for recipient, _, raw in campaign.post():
        if recipient == f"{seat}@example.org":
            assert not any(name in raw for name in (b"Surprise Attack", b"Spanish Tercios", b"Cardinal Infant"))


def test_who_is_late_may_still_say_which_card_he_keeps(begin: Begin) -> None:  # noqa: F811
    campaign = begin(HELD, LAST_TURN_BUT_ONE)
    campaign.good("protestant", "PAY ALL", "LOOT LOSING full", "KEEP P34")
    campaign.clock.advance(hours=2000)
    for _ in range(5):
        campaign.service.tick()
    assert asked_of(campaign, "catholic")[-1] == "keep_card", "silence keeps no card"
    campaign.good("catholic", "KEEP C23")
    assert campaign.asked()[0] != "end_of_turn"


def test_the_end_of_the_turn_goes_with_the_last_activation(begin: Begin) -> None:  # noqa: F811
    campaign = begin(HELD, [*LAST_TURN_BUT_ONE[:-1], ("activation", {"side": "protestant", "round": 6})])
    answer = campaign.good(
        "protestant", "AID P19", "PAY ALL", "LOOT LOSING full", "KEEP P34", "RECOVER FIRST OF eger"
    )
    assert [line.state for line in answer.lines] == ["accepted", "queued", "queued", "queued", "queued"]
    campaign.good("catholic", "AID C23", "PAY ALL", "KEEP C48", "RECOVER FIRST OF graz")
    assert campaign.asked() == ("activation", ["protestant"]), "two letters, and the next turn has begun"
    view = campaign.service.view_at(campaign.id)
    assert view.state["turn"] == 2 and view.state.get("loot:eger") is None and view.state.get("loot:graz") is None


def test_with_the_ready_made_orders_only_the_card_is_asked_for(begin: Begin) -> None:  # noqa: F811
    campaign = begin(HELD, [*LAST_TURN_BUT_ONE[:-1], ("activation", {"side": "catholic", "round": 6})])
    for side in ("protestant", "catholic"):
        campaign.good(side, *(f"STANDING PRESET {name}" for name in ("pay_all", "loot_keeping_units", "recover_most")))
    campaign.good("catholic", "PASS")
    assert asked_of(campaign, "protestant") == ["keep_card"] and asked_of(campaign, "catholic") == ["keep_card"]
    campaign.good("protestant", "KEEP P19")
    campaign.good("catholic", "KEEP C23")
    assert campaign.asked() == ("activation", ["protestant"])
    assert len(campaign.told("paid")) == 2 and len(campaign.told("recovered")) == 2


def test_the_form_of_looting_offers_every_own_space_and_no_other(begin: Begin) -> None:  # noqa: F811
    campaign = begin(HELD, LAST_TURN_BUT_ONE)
    page = campaign.service.page(campaign.id, campaign.seat("protestant"), "en", forms=True)
    (loot,) = (form for one in page.questions for form in one.forms if form.kind == "loot")
    (spaces,) = (made for made in loot.inputs if made.name == "spaces")

    def own(table: Table, _: object) -> set[str]:
        return {space for space in atlas(table).spaces if control.holder(table, space) == "protestant"}

    held = campaign.service.table_of(campaign.id, campaign.seat("protestant"), own)
    assert len(held) > 10 and len(spaces.rows) == 3
    assert {option.value for option in spaces.rows[0].columns[0].options} == held


def test_the_form_of_recruiting_offers_each_way_to_split(begin: Begin) -> None:  # noqa: F811
    campaign = begin(HELD, RECRUITING)
    page = campaign.service.page(campaign.id, campaign.seat("catholic"), "en", forms=True)
    (recruit,) = (form for one in page.questions for form in one.forms if form.kind == "recruit")
    (attempts,) = (made for made in recruit.inputs if made.name == "attempts")
    (split,) = (column for column in attempts.rows[0].columns if column.name == "split")
    assert {option.value for option in split.options} == {"FULL", "REDUCED", "MIXED"}
    assert len(attempts.rows) > 2
