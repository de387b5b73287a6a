"""Orders as objects, as programs send them: each that is legal in random play is what its object says, names too."""

from __future__ import annotations

import json
import random

import pytest

from pbem.campaign.commands import order_of_object
from pbem.games import find_game
from pbem.table.board import Board
from pbem.table.dice import RandomThrows
from pbem.table.kit import load_kit
from pbem.table.procedure import Play, Table


@pytest.mark.parametrize("id", ["struggle_of_empires", "here_i_stand"])
def test_the_object_of_an_order_gives_it_back(id):
    kit, game = load_kit(id), find_game(id)
    scenario = next(iter(kit.scenarios))
    chance, throws = random.Random(4), RandomThrows(4)
    table = Table(Board(id, game.powers(kit, scenario)), kit, game=game)
    game.set_up(table, scenario)
    play, tried = Play(game, table), set()
    play.start(throws)
    for _ in range(250):
        if play.over:
            break
        power = chance.choice(play.waiting_for())
        question = play.question_for(power)
        order = question.sample(table, chance)
        sent = json.loads(json.dumps(order.to_json()))
        assert order_of_object(game.orders, sent, kit) == order
        tried.add(order.id())
        play.answer(power, order, throws)
    assert len(tried) > 6
