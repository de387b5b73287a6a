"""A play: waits of every kind, resuming by replay, rulings, deadlines."""

import pytest

from pbem.rehearse import run_case
from pbem.table import playout, sight
from pbem.table.board import Board
from pbem.table.dice import RandomThrows, ScriptedThrows
from pbem.table.facts import apply_all
from pbem.table.orders import Decline, Order, Refused
from pbem.table.playout import Playout, play_out
from pbem.table.procedure import Play, ReplayDiffers, Table, while_unchanged
from pbem.table.questions import Question
from tests import toy
from tests.toy import Done

POWERS = ["red", "blue", "green"]


def new_table() -> Table:
    table = Table(Board("toy", list(POWERS)), toy.kit())
    toy.GAME.set_up(table, "standard")
    return table


def opened(seed: int = 1) -> tuple[Play, list]:
    """A play at its first sealed choice of cards, with the facts so far."""
    play = Play(toy.GAME, new_table())
    facts = play.start(RandomThrows(seed)).facts
    for power in POWERS:
        facts = facts + play.answer(power, Done(), RandomThrows(seed)).facts
    return play, facts


def card_of(play: Play, power: str) -> str:
    return play.board.piles[f"hand:{power}"][0]


def test_a_window_waits_for_all_to_be_done():
    play = Play(toy.GAME, new_table())
    play.start(RandomThrows(1))
    assert play.waiting_for() == POWERS
    assert not play.answer("blue", Done(), RandomThrows(1)).closed
    assert play.waiting_for() == ["red", "green"]


def test_sealed_answers_change_nothing_until_all_are_in_and_can_be_replaced():
    play, _ = opened()
    before = play.board.copy()
    first, second = play.board.piles["hand:red"][:2]
    assert play.answer("red", toy.Show(card=first), RandomThrows(1)).facts == []
    play.answer("red", toy.Show(card=second), RandomThrows(1))
    assert play.board == before
    play.answer("blue", toy.Show(card=card_of(play, "blue")), RandomThrows(1))
    outcome = play.answer("green", toy.Show(card=card_of(play, "green")), RandomThrows(1))
    assert outcome.closed
    assert second in play.board.piles["discard"] and first in play.board.piles["hand:red"]


def test_an_order_is_refused_before_it_is_fed_in():
    play, _ = opened()
    stranger = play.board.piles["hand:blue"][0]
    with pytest.raises(Refused, match="not in your hand"):
        play.answer("red", toy.Show(card=stranger), RandomThrows(1))
    with pytest.raises(Refused, match="no_answer"):
        play.answer("red", Decline(), RandomThrows(1))
    assert play.waiting_for() == POWERS


def test_silence_takes_the_default():
    play, _ = opened()
    kept = play.board.piles["hand:red"][2]
    play.answer("red", toy.Show(card=kept), RandomThrows(1))
    play.expire(RandomThrows(1))
    assert kept in play.board.piles["discard"]
    assert len(play.board.piles["discard"]) == 3


def test_resume_gives_the_same_play_and_differs_when_the_facts_do():
    rest = new_table().board.copy()
    play, facts = opened()
    entries = [{"answers": {power: [{"order": "done"}] for power in POWERS}}]
    play.answer("red", toy.Show(card=card_of(play, "red")), RandomThrows(1))
    sealed = play.wait.answers_to_json(play.sealed)

    again = Play.resume(toy.GAME, Table(rest.copy(), toy.kit()), facts, entries, sealed)
    assert again.board == play.board
    assert again.waiting_for() == ["blue", "green"]

    with pytest.raises(ReplayDiffers):
        Play.resume(toy.GAME, Table(rest.copy(), toy.kit()), facts[:-1], entries, sealed)
    other = [*facts[:-1], {**facts[-1], "card": "card_24"}]
    with pytest.raises(ReplayDiffers):
        Play.resume(toy.GAME, Table(rest.copy(), toy.kit()), other, entries, sealed)


def test_a_ruling_is_replayed_at_its_place():
    rest = new_table().board.copy()
    play, facts = opened()
    ruling = [{"fact": "units", "kind": "unit", "power": "red", "number": 2, "origin": "home", "place": "hill"}]
    outcome = play.rule(ruling)
    entries = [{"answers": {power: [{"order": "done"}] for power in POWERS}}, outcome.fed]
    again = Play.resume(toy.GAME, Table(rest, toy.kit()), facts + outcome.facts, entries)
    assert again.board == play.board


def test_what_a_seat_reads_folds_to_its_view_without_what_others_hold():
    table = new_table()
    start = {power: sight.view(table.board, [power]) for power in POWERS}
    play = Play(toy.GAME, table)
    facts = play.start(RandomThrows(3)).facts
    for power in POWERS:
        forms = [form for fact in facts if (form := sight.seen_by(table.board, fact, [power])) is not None]
        seen = apply_all(start[power], forms)
        assert seen.piles == sight.view(table.board, [power]).piles
        hand = set(table.board.piles[f"hand:{power}"])
        others = {c for p in POWERS if p != power for c in table.board.piles[f"hand:{p}"]}
        read = str(forms)
        assert all(card in read for card in hand)
        assert not any(card in read for card in others)


def test_random_play_keeps_every_promise():
    records = [play_out(toy.GAME, toy.kit(), number, 2 + number % 3, seed=1) for number in range(25)]
    assert [r.failure for r in records] == [None] * 25
    assert sum(r.orders["ambush"] for r in records) > 0


class Leaky(toy.Toy):
    """A toy that tells everyone which card was dealt."""

    def round(self, table):
        for power in table.board.powers:
            card = table.draw("deal", "deck", f"hand:{power}", sight=[power])
            table.tell("gossip", about=card)
        yield from super().round(table)


class Forgetful(toy.Toy):
    """A toy whose procedure keeps state outside the board."""

    calls = 0

    def round(self, table):
        Forgetful.calls += 1
        if Forgetful.calls % 2 == 0:
            table.tell("hiccup")
        yield from super().round(table)


class Thief(toy.Toy):
    """A toy that lets a unit vanish."""

    def march(self, table, power, order):
        table.board.units["home"][power]["unit"] -= 1
        yield from super().march(table, power, order)


class Numbered(toy.Toy):
    """A toy that tells a number as text, as a card of some other game may be called."""

    def round(self, table):
        table.tell("counted", hands={"red": ["3"]})
        yield from super().round(table)


class Secretive(toy.Toy):
    """A toy that lets one power alone read of a named value, which sight hides from nobody."""

    def round(self, table):
        table.set("omen", "fair" if table.board.state.get("omen") != "fair" else "foul", to=[table.board.powers[0]])
        yield from super().round(table)


class Revealing(toy.Toy):
    """A toy that lets all see a track from now on, and does not tell them what it holds."""

    def march(self, table, power, order):
        table.do({"fact": "sight", "name": "luck", "before": table.board.sight.get("luck"), "after": "all"})
        yield from super().march(table, power, order)


class Meddler(toy.Toy):
    """A toy that changes a track, which no fact names, past the projector."""

    def march(self, table, power, order):
        table.board.tracks.setdefault("favour", {})[power] = 1
        yield from super().march(table, power, order)


class Peeking(toy.Toy):
    """A toy that puts the deck in another order past the projector."""

    def march(self, table, power, order):
        table.board.piles["deck"].reverse()
        yield from super().march(table, power, order)


class InPlace(toy.Toy):
    """A toy that changes a value of the board in place, in a fact of the past as well."""

    def round(self, table):
        table.set("marches", [])
        yield from super().round(table)

    def march(self, table, power, order):
        table.board.state["marches"].append(power)
        yield from super().march(table, power, order)


class Late(toy.Toy):
    """A toy whose procedure keeps state outside the board, which tells only behind a wait."""

    marches = 0

    def march(self, table, power, order):
        Late.marches += 1
        if Late.marches % 2 == 0:
            table.tell("hiccup")
        yield from super().march(table, power, order)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Leaky(), "can read"),
        (Forgetful(), "stored"),
        (Late(), "stored"),
        (Thief(), ""),
        (Numbered(), "holds ['3'] as text"),
        (Secretive(), "which is open to all"),
        (Revealing(), "does not fold to its view: luck"),
        (Meddler(), "is not the board"),
        (InPlace(), "is not the board"),
        (Peeking(), "is not the board"),
    ],
)
def test_random_play_finds_a_broken_promise_and_writes_a_case(game, words):
    records = [Playout(game, toy.kit(), POWERS, seed).run() for seed in range(6)]
    failed = [r for r in records if r.failure]
    assert failed
    assert words in failed[0].failure
    assert failed[0].case["position"]["game"] == "toy"


def test_what_was_worked_out_from_a_board_is_kept_until_a_fact_changes_it():
    asked = []

    @while_unchanged
    def at_home(table, power):
        asked.append(power)
        return table.board.count("home", power, "unit")

    table = new_table()
    assert [at_home(table, "red"), at_home(table, "red"), at_home(table, "blue")] == [5, 5, 5]
    table.tell("talk")
    assert at_home(table, "red") == 5
    assert asked == ["red", "blue"]
    table.move("red", "unit", 2, "home", "hill")
    assert at_home(table, "red") == 3
    other = Table(table.board.copy(), table.kit)
    other.move("red", "unit", 1, "home", "hill")
    assert [at_home(other, "red"), at_home(table, "red")] == [2, 3]
    apply_all(table.board, other.facts)
    assert at_home(table, "red") == 2
    assert table.board == other.board


def test_a_case_tells_what_differs():
    case = {
        "title": "two rounds of talk",
        "game": "toy",
        "seats": ["red", "blue"],
        "dice": [1, 1, 1, 1, 1, 1],
        "play": [
            {"red": "DONE"},
            {"blue": "DONE"},
            {"refused": {"red": "SHOW card_02", "because": "not in your hand"}},
        ],
        "expect": [
            {"asks": {"seat": "red", "question": "show"}},
            {"pile": {"hand:red": ["card_01", "card_02", "card_03"]}},
        ],
    }
    assert run_case(case, lambda _: toy.GAME, lambda _: toy.kit()).problems == [
        "red: SHOW card_02: expected a refusal because “not in your hand”, got it accepted"
    ]
    case["play"].pop()
    assert run_case(case, lambda _: toy.GAME, lambda _: toy.kit()).passed
    case["dice"].append(6)
    assert "dice left over: [6]" in run_case(case, lambda _: toy.GAME, lambda _: toy.kit()).problems
    case["dice"] = [1, 1]
    assert "script of dice" in run_case(case, lambda _: toy.GAME, lambda _: toy.kit()).text()


def test_scripted_dice_decide_an_ambush():
    case = {
        "title": "ambush on a 5",
        "game": "toy",
        "seats": ["red", "blue"],
        "dice": [1] * 6 + [5, 1, 1],
        "play": [
            {"red": "DONE"},
            {"blue": "DONE"},
            {"red": "SHOW card_03"},
            {"blue": "SHOW card_06"},
            {"blue": "MARCH 2 TO hill"},
            {"red": "AMBUSH"},
        ],
        "expect": [
            {"units": {"place": "hill", "power": "blue", "unit": 1}},
            {"facts": ["best", "units", "ambush", "roll", "units"]},
            {"state": {"round": 1}},
        ],
    }
    assert run_case(case, lambda _: toy.GAME, lambda _: toy.kit()).problems == []
    assert ScriptedThrows([2]).left == [2]


def test_an_open_draw_is_told_to_all_and_a_hidden_one_to_its_two_parties():
    table = new_table()
    table.throws = RandomThrows(1)
    table.pick("first player", ["red", "blue"])
    table.draw("deal", "deck", "hand:red", sight=["red"])
    table.draw("burn", "deck", "discard")
    table.draw("deal", "deck", "hand:blue")
    open_pick, dealt, burnt, unsaid = [fact for fact in table.facts if fact["fact"] == "draw"]
    assert sight.seen_by(table.board, open_pick, sight.PUBLIC) == open_pick
    assert sight.seen_by(table.board, burnt, sight.PUBLIC) == burnt
    assert sight.seen_by(table.board, dealt, ["red"]) == dealt
    assert sight.seen_by(table.board, dealt, ["blue"])["card"] == "?"
    assert sight.seen_by(table.board, unsaid, ["blue"]) == unsaid
    assert sight.seen_by(table.board, unsaid, sight.PUBLIC)["card"] == "?"


def test_random_play_tries_seldom_taken_orders_first_now_and_then(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(playout, "CURIOSITY", 1.0)
    game = Playout(toy.GAME, toy.kit(), ["red", "blue", "green"], 3)
    game.game.set_up(game.table, "standard")
    question = Question("red", "march", [toy.March, toy.Decline])

    def chosen() -> Order:
        return playout.choose(game.table, question, game.chance, game.record.orders)

    game.record.orders.update(march=2, decline=1)
    assert isinstance(chosen(), toy.Decline)
    game.record.orders.update(decline=2)
    assert isinstance(chosen(), toy.March)
    game.table.move("red", "unit", 5, "home", "hill")
    assert isinstance(chosen(), toy.Decline), "no march is legal without units at home"
