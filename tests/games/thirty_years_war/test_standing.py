"""Ready-made standing orders of Thirty Years War, and what conditions may ask."""

from __future__ import annotations

import pytest

from pbem.campaign.command import Standing
from pbem.campaign.commands import read_line
from pbem.games.thirty_years_war.room import GAME
from pbem.render.language import languages
from pbem.render.narrative import own_phrases
from pbem.table.conditions import ABLE, offered, preset_lines, presets, read_conditions, turns, vocabulary
from pbem.table.kit import load_kit
from pbem.table.orders import read_order
from tests.games.telling import play

PHRASES = [own_phrases("thirty_years_war", code) for code in languages()]

KIT = load_kit("thirty_years_war")


def test_every_ready_made_order_can_be_read():
    known = offered(KIT)["context"]
    for id in presets(KIT):
        assert all(("preset", id) in told for told in PHRASES)
        for line in preset_lines(KIT, id):
            command = read_line(GAME.orders, line, KIT)
            assert isinstance(command, Standing) and command.question in KIT.times, line
            read_conditions(command.conditions, KIT, also=known)
            order = line.partition(": ")[2]
            assert order == "DEFAULT" or read_order(GAME.orders, order, KIT)


def test_the_sensible_ones_answer_all_that_the_other_side_and_the_end_of_a_turn_ask():
    sensible = [preset for preset in presets(KIT).values() if preset.get("sensible")]
    answered = {order["kind"] for preset in sensible for order in preset["orders"]}
    assert answered >= {
        "fort_reaction", "defence", "battle_losses", "step_losses", "retreat", "pay", "looting", "sieges", "revolts",
        "loot_recovery", "wallenstein", "withdrawal",
    }  # fmt: skip


def test_programs_are_of_kinds_and_orders_that_there_are():
    ids = {kind.id() for kind in GAME.orders}
    assert {id for turn in turns(KIT).values() for id in turn["opens"]} <= ids


@pytest.mark.parametrize(("scenario", "seed"), [("early_war", 11), ("apocalypse", 4)])
def test_what_a_question_is_about_can_be_asked_by_conditions(scenario, seed):
    known = {ABLE, *vocabulary(KIT), *offered(KIT)["context"]}
    assert all(("condition", name) in told for name in vocabulary(KIT) for told in PHRASES)
    asked = play(KIT, scenario, seed).asked
    assert {(kind, name) for _, kind, context in asked for name in context if name not in known} == set()
