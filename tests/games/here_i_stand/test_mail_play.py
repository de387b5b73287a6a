"""Here I Stand by mail: programs and standing orders in a campaign, and windows that do not tell who holds a card."""

from __future__ import annotations

import os
import random
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
from pbem.campaign.command import Standing
from pbem.campaign.commands import read_line
from pbem.campaign.policy import one_switch
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Answer, Submission
from pbem.games.here_i_stand import GAME
from pbem.games.here_i_stand.room import HereIStand
from pbem.games.reformation.conditions import OF_THE_ACTION, of_the_action
from pbem.mail.outbound import Courier
from pbem.rehearse import arrange as lay_out
from pbem.render.language import languages
from pbem.render.narrative import own_phrases
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.conditions import ABLE, ONLY, Sight, offered, preset_lines, presets, read_conditions, vocabulary
from pbem.table.dice import RandomThrows, ScriptedThrows
from pbem.table.kit import load_kit
from pbem.table.orders import Unreadable, read_order
from pbem.table.procedure import Play, Table
from pbem.table.questions import Question
from pbem.web.app import create_app
from pbem.web.security import limiter

PHRASES = [own_phrases("here_i_stand", code) | own_phrases("reformation", code) for code in languages()]

POWERS = ["ottoman", "hapsburg", "england", "france", "papacy", "protestant"]

BEFORE_VIENNA: list[tuple[str, Any]] = [
    ("war", ["ottoman", "hapsburg"]),
    ("clear", ["istanbul", "pressburg", "graz"]),
    ("control", {"space": ["buda", "pressburg"], "power": "ottoman"}),
    ("units", {"place": "pressburg", "power": "ottoman", "regular": 7, "cavalry": 1}),
    ("leaders", {"place": "pressburg", "leaders": ["suleiman", "ibrahim"]}),
    ("impulse", {"power": "ottoman", "cp": 4}),
]
"""The Ottoman stands at Pressburg with 8 units and 4 CP; 4 regulars and Ferdinand hold Vienna."""

AT_GRAZ: list[tuple[str, Any]] = [
    ("units", {"place": "graz", "power": "hapsburg", "regular": 8}),
    ("leaders", {"place": "graz", "leaders": ["charles_v"]}),
]
"""Charles V with 8 regulars, who could intercept."""

HANDS = {power: [card] for power, card in zip(POWERS, (70, 71, 72, 73, 74, 75), strict=True)}


@pytest.fixture(scope="module")
def kit() -> Any:
    return load_kit("here_i_stand")


class Box:
    """A way out that keeps what it is given."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, bytes]] = []

    def send(self, raw: bytes, sender: str, recipient: str) -> None:
        self.mails.append((recipient, raw))

    def close(self) -> None:
        """Nothing is open."""


class Campaign:
    """A campaign that begins at a position, with a player for each power, seat1 the Ottoman."""

    def __init__(self, var: Path, **more: Any):
        self.clock = ManualClock(datetime(2025, 11, 24, 9, tzinfo=UTC))
        settings = Settings(var=var, domain="pbem.example", play_automatic_limit=60, clock_outage_minutes=10**6)
        self.service = Service(settings, self.clock)
        more["policy"] = {"missed": "default", **more.get("policy", {})}  # silence is heard at once
        self.id = self.service.create("here_i_stand", 6, campaign="vienna", title="Vienna", **more)
        self.seats = list(self.service.status(self.id).seats)
        for seat in self.seats:
            self.service.invite(self.id, seat, seat.title(), f"{seat}@example.org")
            self.service.accept(self.id, seat)
        self.service.assign(self.id, dict(zip(self.seats, POWERS, strict=True)))
        self.service.start(self.id)
        self.box = Box()
        self.courier = Courier(self.service, transport=self.box, pictures=False)  # type: ignore[arg-type]
        self.numbers = count(1)

    def seat(self, power: str) -> str:
        return self.seats[POWERS.index(power)]

    def send(self, power: str, *lines: str) -> Answer:
        self.clock.advance(minutes=7)
        return self.service.submit(Submission(
            self.id, list(lines), self.clock.now(), "mail", seat=self.seat(power),
            message_id=f"<{next(self.numbers)}@example.org>",
        ))  # fmt: skip

    def good(self, power: str, *lines: str) -> Answer:
        answer = self.send(power, *lines)
        assert answer.ok, [(line.line, line.state, line.reason) for line in answer.lines]
        return answer

    def asked(self) -> tuple[str | None, list[str]]:
        status = self.service.status(self.id)
        return status.kind, status.waiting_for

    def queued(self, power: str) -> list[str]:
        return self.service.queued(self.id, self.seat(power))

    def facts(self, start: int = 1) -> list[dict[str, Any]]:
        return [fact for event in self.service.events(self.id, None, start) for fact in event["facts"]]

    def told(self, what: str) -> list[dict[str, Any]]:
        return [fact for fact in self.facts() if fact.get("what") == what and fact["fact"] == "happened"]

    def post(self) -> list[tuple[str, bytes]]:
        """The mails that go out now."""
        self.box.mails.clear()
        self.courier.send_due()
        return list(self.box.mails)

    def close(self) -> None:
        self.service.close()


Begin = Callable[..., Campaign]


@pytest.fixture
def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    """Begin campaigns whose set-up is a position; all draw the same dice, so that nothing else can differ."""
    made: list[Campaign] = []
    set_up = HereIStand.set_up

    def start(hands: dict[str, list[int]] | None = None, arrange: list[tuple[str, Any]] | None = None, **more: Any):
        def arranged(self: HereIStand, table: Table, scenario: str) -> None:
            set_up(self, table, scenario)
            for name, value in arrange or BEFORE_VIENNA:
                lay_out(GAME, table, name, value)
            for power, cards in {**HANDS, **(hands or {})}.items():
                lay_out(GAME, table, "hand", {"power": power, "cards": cards})

        numbers = count()
        monkeypatch.setattr(HereIStand, "set_up", arranged)
        monkeypatch.setattr(os, "urandom", lambda n: (sha256(str(next(numbers)).encode()).digest() * 9)[:n])
        campaign = Campaign(tmp_path / f"campaign{len(made)}", **more)
        made.append(campaign)
        return campaign

    yield start
    for campaign in made:
        campaign.close()


# --- the end of an impulse ---


@pytest.mark.parametrize(("language", "ended", "nothing_left", "subject"), [
    ("en", "had ended by itself", "There is nothing left that this line would end", "Your orders are accepted"),
    ("fr", "de lui-même", "Il ne reste rien que cette ligne terminerait", "Vos ordres sont acceptés"),
    ("ru", "закончился сам", "Заканчивать этой строкой больше нечего", "Ваши приказы приняты"),
])  # fmt: skip
def test_an_end_of_an_impulse_that_had_ended_by_itself_is_no_refusal(
    begin: Begin, language: str, ended: str, nothing_left: str, subject: str
) -> None:
    campaign = begin(arrange=[("impulse", {"power": "ottoman", "cp": 2})])
    campaign.good("ottoman", f"SET LANGUAGE {language}")
    campaign.post()
    campaign.good("ottoman", "BUILD regular IN istanbul", "END IMPULSE", "PASS")
    assert campaign.queued("ottoman") == []
    (mail,) = [message_from_bytes(raw, policy=policy.default) for to, raw in campaign.post() if to.startswith("seat1")]
    told = mail.get_body(("plain",)).get_content()  # type: ignore[attr-defined]
    assert mail["Subject"] == f"[Vienna] {subject}" and told.count(ended) == 1
    assert " ".join(told.split()).count(nothing_left) == 1
    assert "reason" not in told and "raison" not in told


def test_a_window_names_no_orders_to_who_has_one_of_his_own_for_it(begin: Begin) -> None:
    campaign = begin({"hapsburg": [31]})
    campaign.good("hapsburg", "STANDING response IF space buda: PASS")
    campaign.post()
    campaign.good("ottoman", "MOVE ALL FROM pressburg TO vienna")
    (mail,) = [text_of(raw) for to, raw in campaign.post() if to.startswith(campaign.seat("hapsburg"))]
    assert "You may play a card" in mail and "STANDING PRESET" not in mail


def test_a_window_in_an_impulse_does_not_say_that_an_impulse_begins(begin: Begin) -> None:
    campaign = begin(arrange=[("impulse", {"power": "ottoman", "cp": 5}), ("clear", ["istanbul"]),
                              ("units", {"place": "istanbul", "power": "ottoman", "regular": 4})],
                     options={"response_windows": "everyone"})  # fmt: skip
    campaign.good("ottoman", "BUILD regular IN istanbul")
    campaign.post()
    campaign.good("hapsburg", "STATUS")
    (mail,) = [text_of(raw) for to, raw in campaign.post() if to.startswith(campaign.seat("hapsburg"))]
    assert "an impulse begins or goes on" in " ".join(mail.split())


# --- standing orders ---


def test_foul_weather_is_played_if_the_ottoman_moves_to_vienna_with_six_or_more(begin: Begin) -> None:
    for force, played in (("ALL", True), ("7 regular, suleiman", True), ("5 regular, suleiman", False)):
        campaign = begin({"hapsburg": [31]})
        campaign.good(
            "hapsburg",
            "STANDING response IF moment land_move, power ottoman, space Vienne, strength >= 6: PLAY Temps Pourri",
        )
        campaign.good("ottoman", f"MOVE {force} FROM pressburg TO vienna")
        view = campaign.service.view_at(campaign.id)
        assert ("31" in view.piles.get("discard", ())) is played
        assert campaign.asked() == (("action", ["ottoman"]) if played else ("response", ["hapsburg"]))


def test_the_preset_for_vienna_is_that_example(kit: Any, begin: Begin) -> None:
    campaign = begin({"hapsburg": [31]})
    campaign.good("hapsburg", "STANDING PRESET foul_weather_for_vienna")
    campaign.good("ottoman", "MOVE ALL FROM pressburg TO vienna")
    assert "31" in campaign.service.view_at(campaign.id).piles["discard"]


def test_ready_made_orders_answer_interception_withdrawal_and_losses(begin: Begin) -> None:
    campaign = begin(arrange=[*BEFORE_VIENNA, *AT_GRAZ])
    campaign.good("hapsburg", "STANDING PRESET never_intercept", "STANDING PRESET never_avoid_battle",
                  "STANDING PRESET withdraw_when_outnumbered")  # fmt: skip
    campaign.good("ottoman", "MOVE ALL FROM pressburg TO vienna")
    assert campaign.told("interception") == [] and campaign.told("field_battle") == []
    assert campaign.told("siege")[0]["space"] == "vienna", "four units withdrew before eight"
    assert campaign.asked() == ("action", ["ottoman"])


def test_who_is_not_outnumbered_is_asked_whether_he_withdraws(begin: Begin) -> None:
    campaign = begin()
    campaign.good("hapsburg", "STANDING PRESET never_avoid_battle", "STANDING PRESET withdraw_when_outnumbered")
    campaign.good("ottoman", "MOVE 4 regular FROM pressburg TO vienna")
    assert campaign.asked() == ("withdrawal", ["hapsburg"])


def test_losses_are_taken_mercenaries_first(begin: Begin) -> None:
    mixed = [*BEFORE_VIENNA, ("clear", "vienna"),
             ("units", {"place": "vienna", "power": "hapsburg", "regular": 4, "mercenary": 3})]  # fmt: skip
    campaign = begin(arrange=mixed)
    for power in ("ottoman", "hapsburg"):
        campaign.good(power, "STANDING PRESET losses_mercenaries_first", "STANDING PRESET retreat_as_silence",
                      "STANDING PRESET never_avoid_battle", "STANDING withdrawal: STAND")  # fmt: skip
    campaign.good("ottoman", "MOVE ALL FROM pressburg TO vienna")
    (won,) = campaign.told("battle_won")
    lost = [f for f in campaign.facts() if f.get("why") == "loss" and f["power"] == "hapsburg"]
    assert won["attacker_hits"] >= 1 and lost[0]["kind"] == "mercenary"
    assert sum(f["number"] for f in lost if f["kind"] == "mercenary") == min(3, won["attacker_hits"])


# --- programs ---


def test_an_impulse_is_one_mail(begin: Begin) -> None:
    campaign = begin({"ottoman": [24]})
    campaign.good("hapsburg", "STANDING PRESET never_avoid_battle", "STANDING withdrawal: STAND",
                  "STANDING PRESET losses_mercenaries_first", "STANDING PRESET retreat_as_silence")  # fmt: skip
    campaign.good("ottoman", "STANDING losses: DEFAULT", "STANDING retreat: DEFAULT")
    answer = campaign.good(
        "ottoman", "MOVE ALL FROM pressburg TO vienna", "IF intercepted STOP", "IF lost STOP",
        "UNLESS at vienna BUILD 1 cavalry IN istanbul", "THEN END IMPULSE", "BUILD 1 regular IN istanbul",
    )  # fmt: skip
    # A question in the middle of the own move makes the program wait; it does not fall.
    assert campaign.asked() == ("combat_cards", ["ottoman"])
    assert answer.queued == campaign.queued("ottoman") and len(answer.queued) == 5
    campaign.good("ottoman", "PLAY 24")
    (won,) = campaign.told("battle_won")
    assert won["winner"] == "ottoman", "by the dice of these tests"
    assert campaign.queued("ottoman") == [] and campaign.service.view_at(campaign.id).state["cp_left"] == 1
    skipped = [
        line
        for event in campaign.service.events(campaign.id, campaign.seat("ottoman"))
        for line in event["own"].get("program", {}).get("skipped", [])
    ]
    assert skipped == [
        "IF intercepted STOP", "IF lost STOP", "UNLESS at vienna BUILD 1 cavalry IN istanbul", "THEN END IMPULSE"
    ]  # fmt: skip


def test_a_program_whose_third_line_is_unreadable_runs_nothing(begin: Begin) -> None:
    campaign = begin()
    before = campaign.service.status(campaign.id).event
    answer = campaign.send("ottoman", "MOVE ALL FROM pressburg TO vienna", "IF intercepted STOP", "IF vienna ASSAULT")
    assert [line.state for line in answer.lines] == ["told", "told", "unreadable"]
    assert "no condition “vienna”" in answer.lines[2].reason
    assert campaign.service.status(campaign.id).event == before
    assert campaign.service.view_at(campaign.id).count("pressburg", "ottoman", "regular") == 7


def test_a_stopped_program_tells_all_what_happened_and_its_player_what_is_left(begin: Begin) -> None:
    campaign = begin()
    campaign.good("hapsburg", "STANDING PRESET never_avoid_battle")
    campaign.post()
    campaign.good("ottoman", "MOVE ALL FROM pressburg TO vienna", "IF withdrew STOP", "BUILD 1 regular IN istanbul")
    assert campaign.asked() == ("withdrawal", ["hapsburg"])
    campaign.good("hapsburg", "WITHDRAW")
    assert campaign.queued("ottoman") == []
    mails = {recipient: text_of(raw) for recipient, raw in campaign.post()}
    mine = mails[f"{campaign.seat('ottoman')}@example.org"]
    assert "Your program has stopped" in mine and "> IF withdrew STOP" in mine
    assert "> BUILD 1 regular IN istanbul" in mine
    for seat in campaign.seats:
        assert "What has happened" in mails[f"{seat}@example.org"], "everyone is told so far"
        if seat != campaign.seat("ottoman"):
            assert "withdrew STOP" not in mails[f"{seat}@example.org"]


def test_what_came_of_an_action_is_read_from_what_was_told(kit: Any) -> None:
    def after(dice: list[int], *lines: tuple[str, str]) -> dict[str, Any]:
        table = Table(Board(GAME.id, POWERS), kit, game=GAME)
        GAME.set_up(table, "1517")
        for name, value in [*BEFORE_VIENNA, *AT_GRAZ]:
            lay_out(GAME, table, name, value)
        throws, facts = ScriptedThrows(dice), []
        play = Play(GAME, table)
        play.start(throws)
        for power, line in lines:
            facts += play.answer(power, read_order(GAME.orders, line, kit), throws).facts
        view = Table(sight.view(table.board, ["ottoman"]), kit, game=GAME)
        return of_the_action(view, "ottoman", facts)

    move = ("ottoman", "MOVE ALL FROM pressburg TO vienna")
    no = dict.fromkeys(OF_THE_ACTION, False) | {"taken": []}
    assert after([], move) == no, "the interception is not answered yet"
    withdrew = after([], move, ("hapsburg", "PASS"), ("hapsburg", "PASS"), ("hapsburg", "WITHDRAW"))
    assert withdrew == no | {"moved": True, "withdrew": True}
    lost = after(
        [6, 6, *[1] * 10, *[6] * 15], move, ("hapsburg", "INTERCEPT WITH ALL FROM graz")
    )  # two dice of the interception, then those of the battle
    assert lost == no | {"moved": True, "intercepted": True, "lost": True}
    missed = after([1, 1], move, ("hapsburg", "INTERCEPT WITH ALL FROM graz"))
    assert missed["intercepted"] is False
    again = after(
        [], move, ("hapsburg", "PASS"), ("hapsburg", "PASS"), ("hapsburg", "WITHDRAW"),
        ("ottoman", "BUILD 1 regular IN istanbul"),
    )  # fmt: skip
    assert again == no, "another action began since"


# --- what conditions may ask ---


def test_the_vocabulary_is_what_the_room_tells(kit: Any) -> None:
    table = Table(Board(GAME.id, POWERS), kit, game=GAME)
    GAME.set_up(table, "1517")
    for name, value in BEFORE_VIENNA:
        lay_out(GAME, table, name, value)
    question = Question("hapsburg", "withdrawal", [], context={"space": "vienna", "power": "ottoman", "strength": 8})
    told = GAME.conditions(table, "hapsburg", question, ())
    in_contexts = {"origin", "moment", "side", ABLE, ONLY, *table.board.state}
    assert set(vocabulary(kit)) - set(told) <= in_contexts and set(told) <= set(vocabulary(kit))
    assert (told["strength"], told["own_strength"], told["outnumbered"]) == (8, 4, True)
    assert "vienna" in told["at"] and "ottoman" in told["at_war"] and told["besieged"] == []
    assert all(("condition", name) in told for name in vocabulary(kit) for told in PHRASES)


def test_every_ready_made_order_can_be_read(kit: Any) -> None:
    known = {*offered(kit)["context"]}
    table = Table(Board(GAME.id, POWERS), kit, game=GAME)
    GAME.set_up(table, "1517")
    lay_out(GAME, table, "impulse", {"power": "ottoman", "cp": 4})
    seen = Sight(GAME, table, ["hapsburg"])
    for id in presets(kit):
        assert all(("preset", id) in told for told in PHRASES)
        for line in preset_lines(kit, f"{id} 31" if presets(kit)[id].get("value") else id, seen):
            command = read_line(GAME.orders, line, kit)
            assert isinstance(command, Standing) and command.question in kit.times
            read_conditions(command.conditions, kit, also=known)
    with pytest.raises(Unreadable):
        preset_lines(kit, "always_win")


REACTIONS = {
    "interception", "avoid_battle", "withdrawal", "combat_cards", "after_dice", "losses", "retreat", "relief",
    "naval_interception", "naval_avoid_battle", "piracy_award",
}  # fmt: skip
"""Kinds that are asked about a place where somebody acts."""


AT_SEA: list[tuple[str, Any]] = [
    ("war", ["ottoman", "hapsburg"]),
    ("war", ["ottoman", "papacy"]),
    ("clear", ["naples", "rome"]),
    ("units", {"place": "coron", "power": "ottoman", "squadron": 3}),
    ("units", {"place": "messina", "power": "hapsburg", "squadron": 2}),
    ("units", {"place": "ionian_sea", "power": "papacy", "squadron": 1}),
    ("impulse", {"power": "ottoman", "cp": 4}),
]


@pytest.mark.parametrize(
    ("position", "line", "kinds"),
    [
        ([*BEFORE_VIENNA, *AT_GRAZ], "MOVE ALL FROM pressburg TO vienna",
         {"response", "interception", "avoid_battle", "withdrawal", "combat_cards", "after_dice", "losses"}),
        (AT_SEA, "SAIL ALL FROM coron TO ionian sea",
         {"response", "naval_interception", "naval_avoid_battle", "combat_cards", "after_dice"}),
    ],
)  # fmt: skip
def test_every_question_carries_what_conditions_need(kit: Any, position: Any, line: str, kinds: set[str]) -> None:
    """Random play from a war: power, kind of action and CP in all windows, place and strength in most."""
    seen: set[str] = set()
    for seed in range(6):
        table = Table(Board(GAME.id, POWERS), kit, {"response_windows": "everyone"}, game=GAME)
        GAME.set_up(table, "1517")
        for name, value in position:
            lay_out(GAME, table, name, value)
        for power, cards in HANDS.items():
            lay_out(GAME, table, "hand", {"power": power, "cards": cards})
        chance, throws, play = random.Random(seed), RandomThrows(seed), Play(GAME, table)
        play.start(throws)
        play.answer("ottoman", read_order(GAME.orders, line, kit), throws)
        for _ in range(40):
            if play.over or table.board.state["phase"] != "action":
                break
            for question in play.questions():
                check_names(table, question)
                seen.add(question.kind)
            power = chance.choice(play.waiting_for())
            question = play.question_for(power)
            assert question is not None
            play.answer(power, question.sample(table, chance), throws)
    assert kinds <= seen, sorted(kinds - seen)


def check_names(table: Table, question: Question) -> None:
    look = Sight(GAME, table, [question.power], question)
    known = {*vocabulary(table.kit), *offered(table.kit)["context"]}
    if question.kind in REACTIONS | {"response"}:
        assert set(question.context) <= known, (question.kind, sorted(set(question.context) - known))
        assert isinstance(look.value("power"), str), question
        assert isinstance(look.value("cp_left"), int), question
    if question.kind in REACTIONS and "zones" not in question.context:
        assert isinstance(look.value("space"), str), question
        assert isinstance(look.value("strength"), int) and isinstance(look.value("own_strength"), int), question
    if question.kind in ("response", "interception", "avoid_battle", "combat_cards", "after_dice"):
        assert isinstance(look.value("action"), str), question


# --- windows that tell nothing ---


def text_of(raw: bytes) -> str:
    part = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    assert part is not None
    return part.get_content()


def without_names(raw: bytes) -> bytes:
    """A mail without what differs between any two campaigns: chain heads, and the boundaries of MIME parts."""
    raw = re.sub(rb"={5,}\d+==", b"BOUNDARY", raw)
    raw = re.sub(rb"=\r?\n", b"", raw)  # soft line breaks may cut a head in two
    return re.sub(rb"\b[0-9a-f]{64}\b", b"HEAD", raw)


def a_move_through_all_windows(campaign: Campaign) -> list[tuple[str, str, bytes]]:
    """The Ottoman moves to Vienna; all pass in turn, the last by the deadline. The mails: to whom, their Date, raw."""
    sent: list[tuple[str, str, bytes]] = []

    def post() -> None:
        for recipient, raw in campaign.post():
            sent.append((recipient, message_from_bytes(raw, policy=policy.default)["Date"], raw))

    campaign.post()
    campaign.good("ottoman", "MOVE ALL FROM pressburg TO vienna", "END")
    post()
    for power in ("protestant", "papacy", "france", "england"):
        kind, waiting = campaign.asked()
        assert kind == "response" and waiting == POWERS[1:], "all are asked, and nobody hears who has answered"
        campaign.good(power, "PASS")
        post()
    campaign.clock.advance(hours=20)
    campaign.service.tick()  # reminders
    post()
    campaign.clock.advance(hours=10)
    campaign.service.tick()  # the Hapsburg has not answered
    assert campaign.asked()[0] != "response"
    post()
    return sent


def test_windows_do_not_tell_who_holds_a_card(begin: Begin) -> None:
    """Two campaigns that differ only in who holds Foul Weather: the same mails, byte for byte, at the same moments."""
    first = begin({"france": [31], "papacy": [74]}, policy={"answers": "everyone"})
    second = begin({"france": [74], "papacy": [31]}, policy={"answers": "everyone"})
    mails = [a_move_through_all_windows(campaign) for campaign in (first, second)]
    assert len(mails[0]) > 15
    assert [entry[:2] for entry in mails[0]] == [entry[:2] for entry in mails[1]], "to whom, and when"
    concerned = {f"{first.seat(power)}@example.org" for power in ("france", "papacy")}
    compared = 0
    for (recipient, _, one), (_, _, other) in zip(*mails, strict=True):
        if recipient in concerned:
            subjects = [message_from_bytes(raw, policy=policy.default)["Subject"] for raw in (one, other)]
            assert subjects[0] == subjects[1]
            assert "PLAY 31" not in text_of(one) or recipient.startswith(first.seat("france"))
            continue
        assert without_names(one) == without_names(other), recipient
        compared += 1
    assert compared > 8
    shapes = [
        [(event["kind"], event["at"], sorted(event["public"])) for event in campaign.service.events(campaign.id)][7:]
        for campaign in (first, second)
    ]
    assert shapes[0][-8:] == shapes[1][-8:], "the events have the same shape"


# --- whether a question comes tells nothing of a hand ---


def _deck_of(kit: Any, cards: list[int], *hands: list[int]) -> list[tuple[str, Any]]:
    """All other cards of the deck lie in the box, so that two draws take these two."""
    kept = {str(card) for held in (cards, *hands) for card in held}
    rest = [id for id, row in kit.tables["cards"].items() if row["kind"] != "home" and id not in kept]
    return [("pile", {"box": rest}), ("pile", {"deck": [str(card) for card in cards]})]


OVERTURE = ["PLAY 74 FOR EVENT"]
INQUISITION = ["PLAY 58 FOR EVENT"]
DECLARATION = ["DECLARE WAR ON england"]
EXCHANGES: list[Any] = [
    # what is exchanged: hands and the two cards on top, as the power that acts has one choice (or none) or several
    ("france", OVERTURE, "impulse", "event_choice", {"papacy": [104, 106]}, [9, 11], {"papacy": [9, 11]}, [104, 106],
     {"france": [74, 31]}),
    ("hapsburg", INQUISITION, "impulse", "event_choice",
     {"england": [10, 12], "protestant": [9], "papacy": [104, 106, 107]}, [32, 33],
     {"england": [104, 106], "protestant": [107], "papacy": [10, 12, 9]}, [32, 33], {"hapsburg": [58, 31]}),
    ("ottoman", DECLARATION, "war", "war_payment", {"ottoman": [31, 9], "papacy": [32]}, [10, 12],
     {"ottoman": [31, 32], "papacy": [9]}, [10, 12], {}),
    ("ottoman", DECLARATION, "war", "war_payment", {"ottoman": [31, 9], "papacy": [107]}, [10, 12],
     {"ottoman": [31, 107], "papacy": [9]}, [10, 12], {}),
]  # fmt: skip


def _all_that(campaign: Campaign, power: str) -> dict[str, str]:
    """Everything that a seat can look at: its pages, its part of the API, its view of the board, the whole stream."""
    app = create_app(campaign.service, campaign.service.settings)
    app.config["WTF_CSRF_ENABLED"] = False
    limiter.reset()
    seat, browser = campaign.seat(power), app.test_client()
    token = campaign.service.token_of(campaign.id, seat)
    browser.get(f"/c/{campaign.id}/enter/{token}")
    found = {page: browser.get(f"/c/{campaign.id}/{page}").get_data(as_text=True)
             for page in ("seat", "standing", "messages")}  # fmt: skip
    for part in ("", "questions", "standing", "board"):
        answer = browser.get(f"/api/campaigns/{campaign.id}/seat/{part}", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200
        found[f"api {part}"] = answer.get_data(as_text=True)
    events = campaign.service.events(campaign.id, seat)
    found["events"] = repr([{k: v for k, v in event.items() if k not in ("hash", "head")} for event in events])
    tokens = r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){2,}|value=\"[A-Za-z0-9_.\-]{16,}\"|\b[0-9a-f]{64}\b"
    return {name: re.sub(tokens, "", text) for name, text in found.items()}


@pytest.mark.parametrize(("power", "lines", "at", "asked", "few", "top", "many", "other_top", "both"), EXCHANGES)
def test_whether_a_question_comes_does_not_tell_what_is_in_a_hand(
    kit: Any, begin: Begin, power: str, lines: list[str], at: str, asked: str, few: dict[str, list[int]],
    top: list[int], many: dict[str, list[int]], other_top: list[int], both: dict[str, list[int]],
) -> None:  # fmt: skip
    """Hidden cards are exchanged: whoever may not see them gets the same mails, pages, questions and events."""
    start = ("impulse", power) if at == "impulse" else ("phase", {"phase": "diplomacy", "segment": at})
    campaigns = []
    for hands, deck in ((few, top), (many, other_top)):
        held = {**{one: [] for one in POWERS}, **both, **hands}
        position = [("turn", 2), *_deck_of(kit, deck, *held.values()), start]
        campaign = begin(held, position)
        campaign.post()
        campaign.good(power, *lines)
        while (waiting := [one for one in campaign.asked()[1] if one != power]) and campaign.asked()[0] == at:
            campaign.good(waiting[0], "PASS")
        assert campaign.asked() == (asked, [power])
        campaigns.append(campaign)
    concerned = {power, *few, *many}
    posts = [campaign.post() for campaign in campaigns]
    assert [recipient for recipient, _ in posts[0]] == [recipient for recipient, _ in posts[1]]
    for (recipient, one), (_, other) in zip(*posts, strict=True):
        if recipient not in {f"{campaigns[0].seat(name)}@example.org" for name in concerned}:
            assert without_names(one) == without_names(other), recipient
    for reader in POWERS:
        if reader not in concerned:
            assert _all_that(campaigns[0], reader) == _all_that(campaigns[1], reader), reader
    owner = [_all_that(campaign, power) for campaign in campaigns]
    assert owner[0] != owner[1], "the comparison can fail"
    deadlines = [campaign.service.status(campaign.id).deadline for campaign in campaigns]
    assert deadlines[0] == deadlines[1]
    for campaign in campaigns:  # silence answers, whatever is held
        before = len(campaign.service.events(campaign.id))
        campaign.clock.advance(hours=24 * 30)
        campaign.service.tick()
        kinds = [event["kind"] for event in campaign.service.events(campaign.id)[before:]]
        assert "expired" in kinds, kinds


def test_with_able_the_mails_do_differ_and_the_opening_says_what_leaks(begin: Begin) -> None:
    """The comparison above can fail: with the fast option it does."""
    heads = []
    for hands in ({"france": [31], "papacy": [74]}, {"france": [74], "papacy": [31]}):
        campaign = begin(hands)
        opening = next(text for text in (text_of(raw) for _, raw in campaign.post()) if "campaign begins" in text)
        assert "it leaks" in opening and "somebody holds a card" in " ".join(opening.split())
        campaign.good("ottoman", "MOVE ALL FROM pressburg TO vienna")
        heads.append(campaign.asked())
        mail = next(raw for recipient, raw in campaign.post() if recipient == f"{campaign.seat('england')}@example.org")
        heads.append(without_names(mail))  # type: ignore[arg-type]
    assert heads[0] == ("response", ["france"]) and heads[2] == ("response", ["papacy"])
    assert heads[1] != heads[3]


def test_with_everyone_the_opening_says_so(begin: Begin) -> None:
    campaign = begin(options={"response_windows": "everyone"})
    opening = next(text for text in (text_of(raw) for _, raw in campaign.post()) if "campaign begins" in text)
    assert "whoever holds a card" in " ".join(opening.split()) and "it leaks" not in opening


def test_policy_and_option_are_one_switch(kit: Any, begin: Begin) -> None:
    for more in ({"policy": {"answers": "everyone"}}, {"options": {"response_windows": "everyone"}}):
        status = begin(**more).service.status("vienna")
        assert status.options["response_windows"] == status.policy["answers"] == "everyone"
    assert one_switch(kit, {}, {})[1] == {"answers": "able"}
    with pytest.raises(ValueError, match="one switch"):
        one_switch(kit, {"response_windows": "able"}, {"answers": "everyone"})
    assert one_switch(load_kit("struggle_of_empires"), {}, {"answers": "everyone"}) == ({}, {"answers": "everyone"})


# --- what a report shows back ---


def test_a_line_that_waits_to_end_the_impulse_says_when_it_falls(begin: Begin) -> None:
    campaign = begin({"hapsburg": [31]})
    answer = campaign.good("ottoman", "MOVE ALL FROM pressburg TO vienna", "END IMPULSE")
    assert answer.lines[1].state == "queued" and "if your turn ends by itself" in (answer.lines[1].text or "")


def test_a_report_shows_the_readers_own_standing_orders_and_program(begin: Begin) -> None:
    campaign = begin({"hapsburg": [31]})
    campaign.good("hapsburg", "STANDING withdrawal IF outnumbered: WITHDRAW")
    campaign.post()
    campaign.good("ottoman", "BUILD 1 regular IN istanbul", "MOVE ALL FROM pressburg TO vienna", "IF lost STOP")
    assert campaign.asked() == ("response", ["hapsburg"])
    mails = {recipient: text_of(raw) for recipient, raw in campaign.post()}
    theirs = mails[f"{campaign.seat('hapsburg')}@example.org"]
    assert "Your standing orders: 1; STANDING LIST shows them." in theirs and "1. STANDING withdrawal" not in theirs
    mine = mails[f"{campaign.seat('ottoman')}@example.org"]
    assert mine.count("> IF lost STOP") == 1 and "Kept until you are asked again" in mine
    assert "STANDING withdrawal" not in mine
    neutral = mails[f"{campaign.seat('england')}@example.org"]
    assert "Your standing orders" not in neutral and "Still to come" not in neutral


def test_a_french_mail_sets_a_space_before_the_marks_of_titles_and_of_the_board_in_words(begin: Begin) -> None:
    campaign = begin(arrange=BEFORE_VIENNA)
    campaign.good("hapsburg", "SET LANGUAGE fr", "SET BOARD full")
    campaign.post()
    campaign.good("ottoman", "MOVE ALL FROM pressburg TO vienna")
    mails = (text_of(raw) for to, raw in campaign.post() if to.startswith(campaign.seat("hapsburg")))
    mail = next(mails).replace("\r", "")
    board = mail.partition("HERE I STAND, TOUR")[2].partition("\n-- \n")[0]
    assert mail.splitlines()[2] == "Here I Stand : Vienna" and "Ottoman\u00a0: " in board
    assert not re.search(r"[\w)][:;](\s|$)", board) and max(map(len, board.splitlines())) <= 78
