"""Battles of Thirty Years War by mail: answers that lie ready, a march with its battle in one mail, and a wait for
defence cards that tells nothing of the hand."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email import message_from_bytes, policy
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.forms import order_forms, read_form
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Answer, Submission
from pbem.games.thirty_years_war import GAME
from pbem.games.thirty_years_war.marching.army import Act
from pbem.games.thirty_years_war.room import ThirtyYearsWar
from pbem.mail.outbound import Courier
from pbem.rehearse import arrange as lay_out
from pbem.render.narrative import Teller
from pbem.table.conditions import preset_lines, presets
from pbem.table.kit import load_kit
from pbem.table.orders import read_order
from pbem.table.table import Table

SIDES = ["protestant", "catholic"]

AT_LANDSHUT: list[tuple[str, Any]] = [
    ("empty", ["pilsen", "budweis", "vienna", "munich", "brussels", "leipzig", "dresden"]),
    ("stack", {"space": "straubing", "units": {"swedish_veteran": 6}, "leaders": ["gustavus_adolphus"]}),
    ("stack", {"space": "landshut", "units": {"bavarian_mercenary": 6}, "leaders": ["tilly"]}),
    ("hand", {"side": "protestant", "cards": ["P1", "P33", "P19"]}),
    ("activation", {"side": "protestant", "round": 2}),
]
"""Gustavus Adolphus with six veterans before Landshut, where Tilly stands with six mercenaries."""

AT_PASSAU: list[tuple[str, Any]] = [
    *AT_LANDSHUT[:2],
    ("stack", {"space": "passau", "units": {"bavarian_mercenary": 3}, "leaders": ["tilly"]}),
    *AT_LANDSHUT[3:],
]
"""The same before Passau, a fortress, with three mercenaries outside."""


class Box:
    """A way out that keeps what it is given."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, bytes]] = []

    def send(self, raw: bytes, sender: str, recipient: str) -> None:
        self.mails.append((recipient, raw))

    def close(self) -> None:
        """Nothing is open."""


class Campaign:
    """A campaign that begins at a position, with a player for each side."""

    def __init__(self, var: Path):
        self.clock = ManualClock(datetime(2025, 11, 24, 9, tzinfo=UTC))
        settings = Settings(var=var, domain="pbem.example", play_automatic_limit=60, clock_outage_minutes=10**6)
        self.service = Service(settings, self.clock)
        self.id = self.service.create(
            "thirty_years_war", 2, campaign="landshut", title="Landshut", policy={"missed": "default"}
        )
        self.seats = list(self.service.status(self.id).seats)
        for seat in self.seats:
            self.service.invite(self.id, seat, seat.title(), f"{seat}@example.org")
            self.service.accept(self.id, seat)
        self.service.assign(self.id, dict(zip(self.seats, SIDES, strict=True)))
        self.service.start(self.id)
        self.box = Box()
        self.courier = Courier(self.service, transport=self.box, pictures=False)  # type: ignore[arg-type]
        self.numbers = count(1)

    def seat(self, side: str) -> str:
        return self.seats[SIDES.index(side)]

    def send(self, side: str, *lines: str) -> Answer:
        self.clock.advance(minutes=7)
        return self.service.submit(Submission(
            self.id, list(lines), self.clock.now(), "mail", seat=self.seat(side),
            message_id=f"<{next(self.numbers)}@example.org>",
        ))  # fmt: skip

    def good(self, side: str, *lines: str) -> Answer:
        answer = self.send(side, *lines)
        assert answer.ok, [(line.line, line.state, line.reason) for line in answer.lines]
        return answer

    def asked(self) -> tuple[str | None, list[str]]:
        status = self.service.status(self.id)
        return status.kind, status.waiting_for

    def facts(self) -> list[dict[str, Any]]:
        return [fact for event in self.service.events(self.id) for fact in event["facts"]]

    def told(self, what: str) -> list[dict[str, Any]]:
        return [fact for fact in self.facts() if fact.get("what") == what and fact["fact"] == "happened"]

    def post(self) -> list[tuple[str, str, bytes]]:
        """The mails that go out now: to whom, their date, raw."""
        self.box.mails.clear()
        self.courier.send_due()
        return [
            (recipient, message_from_bytes(raw, policy=policy.default)["Date"], raw)
            for recipient, raw in self.box.mails
        ]


Begin = Callable[..., Campaign]


@pytest.fixture
def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    """Begin campaigns whose set-up is a position; all throw the same dice, so that nothing else can differ."""
    made: list[Campaign] = []
    set_up = ThirtyYearsWar.set_up

    def start(catholic: list[str], position: list[tuple[str, Any]] = AT_LANDSHUT) -> Campaign:
        def arranged(self: ThirtyYearsWar, table: Table, scenario: str) -> None:
            set_up(self, table, scenario)
            for name, value in [*position[:-1], ("hand", {"side": "catholic", "cards": catholic}), position[-1]]:
                lay_out(GAME, table, name, value)

        numbers = count()
        monkeypatch.setattr(ThirtyYearsWar, "set_up", arranged)
        monkeypatch.setattr(os, "urandom", lambda n: (sha256(str(next(numbers)).encode()).digest() * 9)[:n])
        campaign = Campaign(tmp_path / f"campaign{len(made)}")
        made.append(campaign)
        return campaign

    yield start
    for campaign in made:
        campaign.service.close()


ACT = "ACT P1 WITH Gustavus VIA landshut FORAGING landshut, landshut"


def test_a_battle_is_one_mail_where_the_answers_lie_ready(begin: Begin) -> None:
    campaign = begin(["C49", "C24"])
    campaign.good("catholic", "STANDING PRESET no_defence_cards", "STANDING PRESET losses_militia_first",
                  "STANDING PRESET retreat_as_silence")  # fmt: skip
    campaign.good("protestant", ACT, "FIGHT PLAYING P33", "LOSE IN ORDER veteran")
    (won,) = campaign.told("battle_won")
    assert won["space"] == "landshut"
    assert campaign.asked() == ("activation", ["catholic"]), "nobody was waited for"


def test_a_form_offers_every_space_that_the_way_of_a_march_may_have_at_its_place(begin: Begin) -> None:
    """Which spaces a march may enter depends on those before: chance shows but a few ways, and without a script the
    first are those next to where some leader stands, the second those next to these."""
    campaign = begin(["C49", "C24"])
    with campaign.service.memory.reading(campaign.id) as found:
        question = found.play.question_for(found.play.waiting_for()[0])
        forms = {form.kind: form for form in order_forms(found.play.table, question)}
    (way,) = (one for one in forms["act"].inputs if one.name == "way")
    kit = load_kit("thirty_years_war")
    assert way.way is not None
    steps, offered = way.way["steps"], [{option.value for option in row.columns[0].options} for row in way.rows]
    assert offered[0] == {near for space in way.way["from"].values() for near in steps[space]}
    assert {near for space in offered[0] for near in steps[space]} == offered[1]
    assert 0 < len(offered[0]) < len(offered[1]) < len(kit.tables["spaces"])
    sent = {"card": ["C11"], "leader": ["tilly"], "way.item": ["regensburg", "prague"]}
    assert read_form(Act, sent, kit).way == ["regensburg", "prague"]


def test_a_defence_card_lies_ready_under_conditions(begin: Begin) -> None:
    for condition, played in (("odds < 2, attack_cards P33", True), ("odds >= 2", False), ("space munich", False)):
        campaign = begin(["C47", "C24"])
        campaign.good("catholic", f"STANDING defence IF {condition}: DEFEND PLAYING C47")
        campaign.good("protestant", ACT, "FIGHT PLAYING P33")
        shown = [fact["cards"] for fact in campaign.told("combat_cards")]
        assert shown == ([["P33"], ["C47"]] if played else [["P33"]])
        assert campaign.asked()[0] == ("battle_losses" if played else "defence")


def test_the_fortress_is_entered_by_odds(begin: Begin) -> None:
    campaign = begin(["C24"], AT_PASSAU)
    campaign.good("catholic", "STANDING PRESET inside_when_outnumbered")
    campaign.good("protestant", "ACT P1 WITH Gustavus VIA passau FORAGING passau, passau")
    (reaction,) = campaign.told("fort_reaction")
    assert reaction["inside"] and campaign.told("battle") == []
    assert campaign.asked() == ("siege", ["protestant"])


def test_what_was_not_foreseen_of_the_own_march_only_waits(begin: Begin) -> None:
    campaign = begin(["C24"], AT_PASSAU)
    answer = campaign.good(
        "protestant", "ACT P1 WITH Gustavus VIA passau FORAGING passau, passau", "IF inside SIEGE",
        "UNLESS inside FIGHT",
    )  # fmt: skip
    assert campaign.asked() == ("fort_reaction", ["catholic"]) and len(answer.queued) == 2
    campaign.good("catholic", "GO INSIDE")
    assert campaign.asked() == ("activation", ["catholic"])
    view = campaign.service.view_at(campaign.id)
    assert view.state["siege:passau"]["by"] == "protestant"


def test_an_own_card_may_be_called_by_its_number_alone(begin: Begin) -> None:
    campaign = begin(["C49", "C24"])
    not_held = campaign.send("protestant", "ACT 49 WITH Gustavus VIA landshut").lines[0]
    assert not_held.state == "unreadable" and "no card “49”" in not_held.reason
    answer = campaign.good("protestant", "ACT 1 WITH Gustavus VIA landshut FORAGING landshut, landshut")
    assert answer.lines[0].order == f"{ACT}".replace("Gustavus", "gustavus_adolphus")


def test_the_question_of_losses_says_what_a_step_of_each_unit_counts(begin: Begin) -> None:
    """12.32: a step of a full Swedish veteran or Bavarian mercenary, and what is left of it then (rebuilt factors)."""
    campaign = begin(["C49", "C24"])
    campaign.good("protestant", ACT, "FIGHT PLAYING P33")
    campaign.good("catholic", "DEFEND")
    assert campaign.asked()[0] == "battle_losses"
    mails, units = campaign.post(), load_kit("thirty_years_war").tables["units"]
    for side, unit, name in (("protestant", "swedish_veteran", "6 Swedish veterans"),
                             ("catholic", "bavarian_mercenary", "6 Bavarian mercenaries")):  # fmt: skip
        steps = f"{name} each {units[unit]['lf_step1']}, then {units[unit]['lf_step2']}."
        seat = campaign.seat(side)
        page = campaign.service.page(campaign.id, seat, "en")
        assert [one.text for one in page.questions if steps in one.text], (steps, page.questions)
        assert any(steps in " ".join(_text_of(raw).split()) for to, _, raw in mails if to == f"{seat}@example.org")
    answer = campaign.send("protestant", "HELP LOSE")
    assert "Swedish veteran: loss factors" in answer.lines[0].told(Teller(load_kit("thirty_years_war")))
    unknown = campaign.send("protestant", "LOSE REDUCE 3 winged hussar").lines[0]
    assert "there is no kind of unit “winged hussar”" in unknown.reason


def _text_of(raw: bytes) -> str:
    part = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    return part.get_content() if part else ""


def test_every_preset_can_be_read() -> None:
    kit = load_kit("thirty_years_war")
    for preset in presets(kit):
        for line in preset_lines(kit, preset):
            order = line.partition(": ")[2]
            if order != "DEFAULT":
                read_order(GAME.orders, order, kit)


# --- the wait for a defence card ---


def without_names(raw: bytes) -> bytes:
    """A mail without what differs between any two campaigns: chain heads, and the boundaries of MIME parts."""
    raw = re.sub(rb"={5,}\d+==", b"BOUNDARY", raw)
    raw = re.sub(rb"=\r?\n", b"", raw)  # soft line breaks may cut a head in two
    return re.sub(rb"\b[0-9a-f]{64}\b", b"HEAD", raw)


def a_battle_without_defence_cards(campaign: Campaign) -> list[tuple[str, str, bytes]]:
    """The attack, a reminder, the defence without a card, both sides' losses by silence: the mails of it."""
    campaign.post()
    sent = []
    campaign.good("protestant", ACT, "FIGHT PLAYING P33")
    assert campaign.asked() == ("defence", ["catholic"])
    sent += campaign.post()
    campaign.clock.advance(hours=40)
    campaign.service.tick()
    sent += campaign.post()
    campaign.good("catholic", "DEFEND")
    sent += campaign.post()
    campaign.clock.advance(hours=60)
    campaign.service.tick()
    sent += campaign.post()
    return sent


def test_the_wait_for_a_defence_card_does_not_tell_the_hand(begin: Begin) -> None:
    """Two campaigns that differ only in whether the defender could play cards: what the attacker gets is the same, byte
    for byte, at the same moments."""
    campaigns = [begin(["C47", "C49"]), begin(["C24", "C25"])]
    mails = [a_battle_without_defence_cards(campaign) for campaign in campaigns]
    assert [entry[:2] for entry in mails[0]] == [entry[:2] for entry in mails[1]], "to whom, and when"
    compared = 0
    for (recipient, _, one), (_, _, other) in zip(*mails, strict=True):
        if recipient == f"{campaigns[0].seat('protestant')}@example.org":
            assert without_names(one) == without_names(other)
            compared += 1
    assert compared >= 3
    shapes = [
        [(event["kind"], event["at"], sorted(event["public"])) for event in campaign.service.events(campaign.id)]
        for campaign in campaigns
    ]
    assert shapes[0] == shapes[1], "the events have the same shape"


def test_the_question_holds_nothing_of_the_hand(begin: Begin) -> None:
    held = []
    for hand in (["C47", "C49"], ["C24", "C25"]):
        campaign = begin(hand)
        campaign.good("protestant", ACT, "FIGHT PLAYING P33")
        held.append([{**ask, "question": None} for ask in campaign.service.status(campaign.id).asks])
    assert held[0] == held[1]
