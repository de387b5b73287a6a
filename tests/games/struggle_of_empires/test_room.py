"""Whole games at random, and what holds in every position of them."""

import json
import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from pbem.games.struggle_of_empires import GAME
from pbem.games.struggle_of_empires.room import STEPS
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.dice import RandomThrows
from pbem.table.kit import load_kit
from pbem.table.orders import Refused, order_from_json, read_order
from pbem.table.playout import play_out
from pbem.table.procedure import Play, Table

ROOT = Path(__file__).parents[3]
KIT = load_kit("struggle_of_empires")
OTHER_CHOICES = {
    id: next(choice for choice in option.choices if choice != option.default) for id, option in KIT.options.items()
}


def new_table(seats=5, options=None) -> Table:
    table = Table(Board(GAME.id, GAME.powers(KIT, "standard")[:seats]), KIT, options)
    GAME.set_up(table, "standard")
    return table


@cache
def played(seed: int) -> tuple:
    """A random game of five seats: its table at the end, all facts, and every answer with its question."""
    table, chance, throws = new_table(), random.Random(seed), RandomThrows(seed)
    opening = list(table.facts)
    play = Play(GAME, table)
    facts, answers = opening + play.start(throws).facts, []
    while not play.over:
        power = play.waiting_for()[0]
        question = play.question_for(power)
        order = question.sample(table, chance)
        answers.append((question, order))
        facts = facts + play.answer(power, order, throws).facts
    return table, facts, answers


@pytest.mark.parametrize("seats", range(2, 8))
def test_a_random_game_keeps_every_promise_of_the_table(seats):
    record = play_out(GAME, KIT, 0, seats, seed=seats)
    assert record.failure is None
    assert [row["place"] for row in record.results][0] == 1
    assert len(record.results) == seats


@pytest.mark.parametrize("number", range(2))
def test_a_random_game_with_every_option_turned(number):
    record = play_out(GAME, KIT, number, 5, seed=11, options=OTHER_CHOICES)
    assert record.failure is None


def test_seats_are_two_to_seven_of_any_empire():
    assert GAME.seats(KIT, "standard", 5, {}) is None
    for number in (1, 8):
        with pytest.raises(ValueError, match="2 to 7"):
            GAME.seats(KIT, "standard", number, {})


def test_every_phase_has_its_step_and_the_game_ends():
    phases = {fact["after"] for fact in played(1)[1] if fact["fact"] == "state" and fact["name"] == "phase"}
    assert phases == {*STEPS, "over"}


def test_every_order_reads_back_from_its_line_and_its_json():
    for _, order in played(1)[2]:
        assert read_order(GAME.orders, order.text(), KIT) == order
        assert order_from_json(GAME.orders, order.to_json()) == order


def test_every_modifier_of_every_fight_is_named_and_adds_up():
    fights = [fact for seed in (1, 5) for fact in played(seed)[1] if fact.get("what") == "fight"]
    assert len(fights) > 20
    named = {part["what"] for fight in fights for side in fight["sides"] for part in side["modifiers"]}
    assert {"army", "navy", "fort", "force", "army_training", "naval_support", "alliance_tile"} <= named
    for fight in fights:
        for side in fight["sides"]:
            assert side["strength"] == sum(part["value"] for part in side["modifiers"])
            assert side["difference"] == max(side["dice"]) - min(side["dice"])
            assert side["total"] == side["strength"] + side["difference"]
        attacker, defender = (side["total"] for side in fight["sides"])
        expected = "attacker" if attacker > defender else "defender" if defender > attacker else None
        assert fight["winner"] == expected


def test_facts_of_the_rules_name_their_section():
    facts = [fact for fact in played(1)[1] if fact["fact"] in ("roll", "draw", "count") and fact.get("change") != 0]
    assert all(fact.get("section") for fact in facts)


def test_unrest_is_hidden_until_the_end_and_each_taking_is_seen():
    table, facts, _ = played(1)
    end = next(number for number, fact in enumerate(facts) if fact["fact"] == "open" and fact["name"] == "unrest")
    hidden = Board(GAME.id, table.board.powers, sight={"unrest": "owner"})
    takings = [fact for fact in facts[:end] if fact["fact"] == "count" and fact["track"] == "unrest" and fact["change"]]
    assert takings
    for fact in takings:
        public = sight.seen_by(hidden, fact, sight.PUBLIC)
        assert public["after"] is None and public["before"] is None
        assert public["change"] == fact["change"]
        assert sight.seen_by(hidden, fact, [fact["power"]]) == fact
    assert table.board.sight == {}


@pytest.mark.parametrize(
    ("options", "hidden"),
    [
        ({}, {"unrest"}),
        ({"unrest_sums": "open"}, set()),
        ({"gold_sums": "owner"}, {"unrest", "gold"}),
    ],
)
def test_which_sums_are_hidden_is_an_option(options, hidden):
    table = new_table(3, options)
    assert set(sight.secrets_of(table.board, sight.PUBLIC)) == hidden


def test_facts_and_questions_hold_json_values_only():
    _, facts, answers = played(1)
    assert json.loads(json.dumps(facts)) == facts
    contexts = [question.context for question, _ in answers]
    assert json.loads(json.dumps(contexts)) == contexts


def test_a_game_is_the_same_in_every_process():
    """Nothing hangs on the order of a set: strings hash differently from process to process."""
    program = (
        "import hashlib, json; from tests.games.struggle_of_empires.test_room import played;"
        "print(hashlib.sha256(json.dumps(played(4)[1]).encode()).hexdigest())"
    )
    digests = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = [sys.executable, "-c", program]
        done = subprocess.run(run, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
        digests.add(done.stdout)
    assert len(digests) == 1


def test_silence_plays_a_whole_game():
    table = new_table(3)
    play, throws = Play(GAME, table), RandomThrows(5)
    play.start(throws)
    for _ in range(2_000):
        if play.over:
            break
        play.expire(throws)
    assert play.over
    assert table.board.state["war"] == 3


def test_a_default_is_always_legal():
    table, chance, throws = new_table(4), random.Random(3), RandomThrows(3)
    play = Play(GAME, table)
    play.start(throws)
    while not play.over:
        power = play.waiting_for()[0]
        question = play.question_for(power)
        if question.kind != "negotiation":
            question.check(table, question.default_answer(table))
        play.answer(power, question.sample(table, chance), throws)


def test_what_is_sampled_is_legal_and_what_is_listed_too():
    table, chance, throws = new_table(5), random.Random(8), RandomThrows(8)
    play = Play(GAME, table)
    play.start(throws)
    for _ in range(150):
        power = play.waiting_for()[0]
        question = play.question_for(power)
        for order in question.legal(table):
            question.check(table, order)
        play.answer(power, question.sample(table, chance), throws)
        if play.over:
            break


def test_names_that_the_kit_does_not_know_are_refused_in_json_too():
    table = new_table(3)
    GAME.arrange(table, "action", {"active": "britain", "top": ["britain"], "bottom": ["france", "spain"]})
    table.move("britain", "army", 2, "supply", "german_states")
    play = Play(GAME, table)
    play.start(RandomThrows(1))
    for data in (
        {"order": "build", "units": [{"unit": "army", "place": "atlantis"}]},
        {"order": "build", "units": [{"unit": "zeppelin", "place": "home"}]},
        {"order": "move", "legs": [{"unit": "army", "origin": "german_states", "place": "home:france"}]},
        {"order": "move", "legs": [{"unit": "army", "origin": "supply", "place": "german_states"}]},
        {"order": "move", "legs": [{"unit": "control", "origin": "german_states", "place": "home"}]},
        {"order": "buy", "tile": "philosopher_stone"},
        {"order": "buy", "tile": "pirates", "region": "atlantis", "victim": "france"},
        {"order": "buy", "tile": "pirates", "region": "caribbean", "victim": "atlantis"},
        {"order": "attack", "target": "atlantis", "region": "german_states"},
        {"order": "attack", "target": "france", "region": "atlantis"},
        {"order": "attack", "target": "tile:pirates:1", "region": "caribbean"},
        {"order": "colonise", "where": "atlantis"},
        {"order": "use", "tile": "atlantis"},
    ):
        order = order_from_json(GAME.orders, data)
        with pytest.raises(Refused):
            play.check("britain", order)


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (lambda board: board.units["supply"]["france"].update(army=13), "13 × army in all"),
        (lambda board: board.units.update({"german_states": {"france": {"navy": 1}}}), "× navy at german_states"),
        (lambda board: board.units.update({"home:spain": {"france": {"army": 1}}}), "× army at home:spain"),
        (lambda board: board.tracks["population"].update(france=10), "population of france is 10"),
        (lambda board: board.tracks["gold"].update(france=-1), "gold of france is -1"),
        (lambda board: board.pieces.update({"tile:banking:1": {"at": "india"}}), "tile:banking:1 is at india"),
        (lambda board: board.pieces.update({"counter:bengal": {"at": "africa"}}), "counter:bengal is at africa"),
        (lambda board: board.state.update(alliance_top=["france", "france"]), "alliances"),
    ],
)
def test_faults_are_found(spoil, found):
    table = new_table(3)
    table.facts = []
    assert GAME.faults(table) == []
    spoil(table.board)
    assert any(found in fault for fault in GAME.faults(table))


def test_arrange_and_expect_refuse_what_they_do_not_know():
    table = new_table(2)
    with pytest.raises(ValueError, match="there is no entry weather; there are action"):
        GAME.arrange(table, "weather", {})
    with pytest.raises(ValueError, match="there is no entry weather; there are tile"):
        GAME.matches(table, "weather", {})
