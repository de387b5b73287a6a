"""Here I Stand by mail: one line for all response windows of an impulse or a turn, or for a card that is kept."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.table.kit import load_kit
from tests.games.here_i_stand.test_mail_play import Begin, Campaign, begin, text_of, without_names

__all__ = ["begin"]

MARCH: list[tuple[str, Any]] = [
    ("war", ["ottoman", "hapsburg"]), ("clear", ["istanbul", "edirne"]), ("turn", 2),
    ("units", {"place": "istanbul", "power": "ottoman", "regular": 4}), ("impulse", {"power": "ottoman", "cp": 5}),
]  # fmt: skip
"""The Ottoman is to march from Istanbul with 5 CP."""

STEPS = [
    "MOVE 1 regular FROM istanbul TO edirne", "MOVE 1 regular FROM edirne TO istanbul",
    "MOVE 1 regular FROM istanbul TO edirne",
]  # fmt: skip

IMPULSE = "STANDING PRESET no_response_this_impulse"
TURN = "STANDING PRESET no_response_this_turn"
KEEP = "STANDING PRESET keep_card 31"


def mail_to(campaign: Campaign, power: str) -> str:
    """The one mail that goes out to a power now."""
    (mail,) = [text_of(raw) for to, raw in campaign.post() if to.startswith(campaign.seat(power))]
    return mail


def windows_of_march(campaign: Campaign) -> int:
    """Let the Ottoman march three spaces; all pass. How many windows were waited for."""
    windows = 0
    for step in STEPS:
        campaign.good("ottoman", step)
        while campaign.asked()[0] == "response":
            windows += 1
            for power in campaign.asked()[1]:
                campaign.good(power, "PASS")
    assert campaign.asked() == ("action", ["ottoman"])
    return windows


@pytest.mark.parametrize(("answers", "lines", "windows"), [
    ("able", [], 3), ("everyone", [], 6), ("able", [IMPULSE], 0), ("able", [TURN], 0), ("able", [KEEP], 0),
])  # fmt: skip
def test_one_line_answers_all_windows_of_a_march_of_three_spaces(
    begin: Begin, answers: str, lines: list[str], windows: int
) -> None:
    campaign = begin({"hapsburg": [31]}, MARCH, policy={"answers": answers})
    if lines:
        campaign.good("hapsburg", *lines)
    assert windows_of_march(campaign) == windows


def test_where_everyone_is_asked_the_others_alone_are_waited_for_by_the_service(begin: Begin) -> None:
    campaign = begin({"hapsburg": [31]}, MARCH, policy={"answers": "everyone"})
    for power in ("hapsburg", "england", "france", "papacy", "protestant"):
        campaign.good(power, IMPULSE)
    assert windows_of_march(campaign) == 0


def test_a_line_that_is_sent_in_a_window_answers_it_too(begin: Begin) -> None:
    campaign = begin({"hapsburg": [31]}, MARCH)
    campaign.good("ottoman", STEPS[0])
    campaign.post()
    assert campaign.asked() == ("response", ["hapsburg"])
    campaign.good("hapsburg", IMPULSE)
    assert campaign.asked() == ("action", ["ottoman"])


@pytest.mark.parametrize(("language", "said"), [
    ("en", "nobody else sees it"), ("fr", "personne d’autre ne la voit"), ("ru", "никто другой её не увидит"),
])  # fmt: skip
def test_a_window_holds_the_lines_that_answer_it_and_those_to_come(begin: Begin, language: str, said: str) -> None:
    campaign = begin({"hapsburg": [31]}, MARCH)
    campaign.good("hapsburg", f"SET LANGUAGE {language}")
    for step in STEPS[:2]:
        campaign.post()
        campaign.good("ottoman", step)
        mail = mail_to(campaign, "hapsburg")
        assert said in " ".join(mail.split())
        lines = mail.splitlines()
        at = lines.index(f"  {IMPULSE}")
        assert lines[at : at + 3] == [f"  {IMPULSE}", f"  {TURN}", f"  {KEEP}"]
        assert "no_response_at_impulses" not in mail, "it answers no window of a move"
        campaign.good("hapsburg", "PASS")


def test_what_was_said_of_an_impulse_ends_with_it_and_is_forgotten(begin: Begin) -> None:
    campaign = begin({"hapsburg": [31, 32]}, MARCH)
    campaign.good("hapsburg", IMPULSE, KEEP)
    assert "impulse 1" in (campaign.good("hapsburg", "STANDING LIST").lines[0].text or "")
    campaign.good("ottoman", "END IMPULSE")
    while campaign.asked()[0] == "response":
        for power in campaign.asked()[1]:
            campaign.good(power, "PASS")
    left = campaign.good("hapsburg", "STANDING LIST").lines[0].text or ""
    assert "impulse" not in left and "only 31" in left
    campaign.good("hapsburg", IMPULSE)
    stored = campaign.service.standing(campaign.id, campaign.seat("hapsburg"))
    assert ["impulse 1" in one["text"] for one in stored] == [False, False, False]


def test_a_card_that_is_kept_holds_no_other_back(begin: Begin) -> None:
    """Gout may be played at a move as Foul Weather may."""
    kit = load_kit("here_i_stand")
    gout = next(id for id, row in kit.tables["cards"].items() if "gout" in kit.display("card", id).casefold())
    position = [("leaders", {"place": "istanbul", "leaders": ["suleiman"]})]
    campaign = begin({"hapsburg": [31, int(gout)]}, [*MARCH, *position])
    campaign.good("hapsburg", KEEP)
    campaign.good("ottoman", "MOVE 1 regular, suleiman FROM istanbul TO edirne")
    assert campaign.asked() == ("response", ["hapsburg"])
    campaign.good("hapsburg", f"STANDING PRESET keep_card {gout}")
    assert campaign.asked() == ("response", ["hapsburg"]), "each of them could still be played"
    campaign.good("hapsburg", f"STANDING response IF only 31 {gout}: PASS")
    assert campaign.asked() == ("action", ["ottoman"])


def test_outside_an_impulse_none_can_be_passed_over_as_this_one(begin: Begin) -> None:
    campaign = begin(None, [("phase", {"phase": "diplomacy", "segment": "negotiation"})])
    answer = campaign.send("hapsburg", IMPULSE)
    assert not answer.ok and "cannot be taken over now" in answer.lines[0].reason
    assert campaign.good("hapsburg", "standing preset no response this turn").ok
    answer = campaign.send("hapsburg", "STANDING PRESET keep_card")
    assert "for what" in answer.lines[0].reason and answer.lines[0].hints == ["STANDING PRESET keep_card <card>"]
    answer = campaign.send("hapsburg", "STANDING PRESET never_intercept 31")
    assert "nothing more" in answer.lines[0].reason


@pytest.mark.parametrize("line", [IMPULSE, TURN])
def test_nobody_can_tell_who_has_said_so(begin: Begin, line: str) -> None:
    """Two campaigns that differ in who has said so: what the others are sent and can read is the same."""
    found = []
    for power in ("hapsburg", "papacy"):
        campaign = begin({"hapsburg": [31]}, MARCH, policy={"answers": "everyone"})
        campaign.post()
        before = campaign.service.status(campaign.id).event
        campaign.good(power, line)
        campaign.post()
        campaign.good("ottoman", STEPS[0])
        mails = [(to, without_names(raw)) for to, raw in campaign.post()]
        seats = [campaign.seat(other) for other in ("ottoman", "england", "france", "protestant")]
        assert campaign.asked()[1] == ["hapsburg", "england", "france", "papacy", "protestant"]
        events = [
            {name: value for name, value in event.items() if name not in ("hash", "head", "commitments")}
            for event in campaign.service.events(campaign.id, seats[2], before + 1)
        ]
        assert "standing" not in [event["kind"] for event in events]
        found.append(([mail for mail in mails if mail[0].partition("@")[0] in seats], events))
        own = campaign.service.events(campaign.id, campaign.seat(power), before + 1)
        assert [event["own"].get("given_by") for event in own if event["kind"] == "order"][-1] == "standing"
    assert len(found[0][0]) > 2 and found[0] == found[1]
