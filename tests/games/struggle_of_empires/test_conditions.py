"""Conditions of standing orders and programs: what they see of a fight and of the board; the ready-made orders."""

from __future__ import annotations

import random

import pytest

from pbem.games import find_game
from pbem.table import conditions
from pbem.table.board import Board
from pbem.table.conditions import Sight, holds, preset_lines, read_conditions
from pbem.table.dice import RandomThrows
from pbem.table.kit import load_kit
from pbem.table.orders import Unreadable
from pbem.table.procedure import Play, Table

GAME, KIT = find_game("struggle_of_empires"), load_kit("struggle_of_empires")


def questions(*kinds: str, games: int = 4):
    """The questions of these kinds that come in some random games, each with its table."""
    for seed in range(games):
        chance, throws = random.Random(seed), RandomThrows(seed)
        table = Table(Board(GAME.id, list(KIT.tables["empires"])), KIT)
        GAME.set_up(table, "standard")
        play = Play(GAME, table)
        play.start(throws)
        while not play.over:
            power = chance.choice(play.waiting_for())
            question = play.question_for(power)
            if question.kind in kinds:
                yield table, question
            play.answer(power, question.sample(table, chance), throws)


def hold(table: Table, question, text: str) -> bool:
    return holds(read_conditions(text, KIT), Sight(GAME, table, [question.power], question))


def test_a_fight_is_seen_as_the_question_tells_it():
    seen = set()
    for table, question in questions("support", "sea_fight", "reroll"):
        told = question.context
        decided = "sea" if question.kind == "sea_fight" else told["fight"]
        where = decided if decided != "both" else "land"
        strength, defence = (told["strengths"][where][role] for role in ("attacker", "defender"))
        for name, number in (("strength", strength), ("defence", defence)):
            assert hold(table, question, f"{name} >= {number}") and not hold(table, question, f"{name} > {number}")
        assert hold(table, question, f"region {told['region']}, attacker {told['attacker']}, side {told['side']}")
        assert hold(table, question, f"defender {told['defender']}")
        assert not hold(table, question, f"attacker {question.power}") or told["attacker"] == question.power
        assert hold(table, question, "sea") == ("sea" in told["strengths"])
        assert hold(table, question, "land") == ("land" in told["strengths"])
        seen.add((question.kind, where))
    assert {("support", "land"), ("support", "sea"), ("sea_fight", "sea"), ("reroll", "land")} <= seen


def test_a_name_that_is_not_there_is_neither_equal_nor_unequal_to_anything():
    table, question = next(iter(questions("placement", "action")))  # nobody is attacked there
    assert question.context.get("attacker") is None
    for text in ("attacker = france", "attacker != france", "strength != 3", "strength > 0", "strength < 9"):
        assert not hold(table, question, text), text


def test_a_turn_begins_with_the_first_of_its_actions():
    lefts = {}
    for table, question in questions("action", games=1):
        left = question.context["actions_left"]
        lefts[left] = hold(table, question, KIT.questions["action"]["begins"])
        assert hold(table, question, f"war {table.board.state['war']}, gold >= 0, actions_left {left}")
    assert lefts == {2: True, 1: False}


def test_the_last_fight_counts_for_who_was_in_it():
    sides = [{"side": "attacker", "name": "france"}, {"side": "defender", "name": "bavaria"}]
    fight = {"fact": "happened", "what": "fight", "sides": sides, "winner": "attacker"}
    table = Table(Board(GAME.id, ["france", "britain"]), KIT)
    for facts, power, won, lost in (
        ([fight], "france", True, False),
        ([fight, {**fight, "winner": "defender"}], "france", False, True),
        ([{**fight, "winner": None}], "france", False, False),
        ([fight], "britain", False, False),
        ([], "france", False, False),
    ):
        found = GAME.conditions(table, power, None, facts)
        assert (found["won"], found["lost"]) == (won, lost)


def test_every_ready_made_order_can_be_read_and_answers_a_kind_that_is_asked():
    for preset, entry in conditions.presets(KIT).items():
        assert {order["kind"] for order in entry["orders"]} <= set(KIT.times)
        assert all(line.startswith("STANDING ") for line in preset_lines(KIT, preset))
        for order in entry["orders"]:
            read_conditions(order.get("if"), KIT)


@pytest.mark.parametrize("text", ["region Moskau", "strength >= many", "attacker atlantis"])
def test_what_can_never_hold_is_refused(text):
    with pytest.raises(Unreadable):
        read_conditions(text, KIT)
