"""Examples of orders: lines that were legal at some point of a game played at random, so no page has to invent them."""

from __future__ import annotations

import random
from functools import lru_cache

from pbem.games import find_game
from pbem.table.board import Board
from pbem.table.dice import RandomThrows
from pbem.table.kit import Kit
from pbem.table.procedure import Play, Table

ANSWERS = 600
"""Answers of one game that are played."""
LINES = 3
"""Examples of each kind of order."""


@lru_cache(maxsize=16)
def examples(kit: Kit) -> dict[str, list[str]]:
    """Kind of order -> some lines of it; a kind that did not come up in the game is left out."""
    game = find_game(kit.game)
    scenario, chance = next(iter(kit.scenarios)), random.Random(7)
    number = min(max(5, kit.seats["minimum"]), kit.seats["maximum"])
    held = game.seats(kit, scenario, number, kit.settings({}))
    seats = held or [[power] for power in game.powers(kit, scenario)[:number]]
    table = Table(Board(game.id, game.play_order(kit, scenario, seats)), kit, game=game)
    game.set_up(table, scenario)
    play, throws = Play(game, table), RandomThrows(7)
    play.start(throws)
    lines_of: dict[str, list[str]] = {}
    for _ in range(ANSWERS):
        waiting = play.waiting_for()
        if play.over or not waiting:
            break
        question = play.question_for(waiting[0])
        assert question is not None
        for kind in question.orders:
            order = kind.sample(table, question, chance)
            lines = lines_of.setdefault(kind.id(), [])
            if order is not None and len(lines) < LINES and order.text() not in lines:
                lines.append(order.text())
        play.answer(question.power, question.sample(table, chance), throws)
    return lines_of
