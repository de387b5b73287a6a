"""Ready-made standing orders of Virgin Queen, what conditions may ask, and what a program may begin with."""

from __future__ import annotations

import pytest

from pbem.campaign.command import Standing
from pbem.campaign.commands import read_line
from pbem.games.virgin_queen.room import GAME
from pbem.rehearse import arrange
from pbem.render.language import languages
from pbem.render.narrative import own_phrases
from pbem.table.board import Board
from pbem.table.conditions import ABLE, Sight, offered, preset_lines, presets, read_conditions, turns, vocabulary
from pbem.table.kit import load_kit
from pbem.table.orders import read_order
from pbem.table.procedure import Table
from tests.games.telling import play

PHRASES = [{**own_phrases("reformation", code), **own_phrases("virgin_queen", code)} for code in languages()]
KIT = load_kit("virgin_queen")


def _seen() -> Sight:
    """What England sees of an impulse of 1559."""
    table = Table(Board(GAME.id, GAME.powers(KIT, "1559")), KIT, game=GAME)
    GAME.set_up(table, "1559")
    arrange(GAME, table, "impulse", {"power": "england", "cp": 4})
    return Sight(GAME, table, ["england"])


SEEN = _seen()


def test_every_ready_made_order_can_be_read():
    known = offered(KIT)["context"]
    for id in presets(KIT):
        assert all(("preset", id) in told for told in PHRASES), id
        for line in preset_lines(KIT, f"{id} 31" if presets(KIT)[id].get("value") else id, SEEN):
            command = read_line(GAME.orders, line, KIT)
            assert isinstance(command, Standing) and command.question in KIT.times, line
            read_conditions(command.conditions, KIT, also=known)
            order = line.partition(": ")[2]
            assert order == "DEFAULT" or read_order(GAME.orders, order, KIT)


def test_the_sensible_ones_answer_what_others_and_the_seasons_ask():
    sensible = [preset for preset in presets(KIT).values() if preset.get("sensible")]
    answered = {order["kind"] for preset in sensible for order in preset["orders"]}
    assert answered >= {
        "interception", "naval_interception", "avoid_battle", "naval_avoid_battle", "withdrawal", "losses", "retreat",
        "response", "combat_cards", "after_dice", "piracy_award", "place_leader", "escorts", "reveal", "winter",
    }  # fmt: skip
    assert not answered & {"impulse", "action", "negotiation", "war"}, "what a player plays for himself"


def test_programs_are_of_kinds_and_orders_that_there_are():
    ids = {kind.id() for kind in GAME.orders}
    assert {id for turn in turns(KIT).values() for id in turn["opens"]} <= ids


@pytest.mark.parametrize(("scenario", "seed"), [("1559", 3), ("tournament", 8)])
def test_what_many_questions_are_about_can_be_asked_by_conditions(scenario, seed):
    known = {ABLE, *vocabulary(KIT), *offered(KIT)["context"]}
    assert all(("condition", name) in told for name in vocabulary(KIT) for told in PHRASES)
    asked = play(KIT, scenario, seed).asked
    about = {kind: {name for _, of, context in asked if of == kind for name in context} for kind in KIT.questions}
    for kind in ("interception", "avoid_battle", "withdrawal", "naval_interception", "losses", "spring_deployment"):
        assert about[kind] <= known, kind
