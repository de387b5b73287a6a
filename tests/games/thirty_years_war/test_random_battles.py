"""Battles, overruns, sorties and sieges by chance: the invariants hold after every fact, silence is always a legal
answer, and each play that is come back to in the middle goes on as it was."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from pbem.games.thirty_years_war import GAME, control, pieces, positions
from pbem.games.thirty_years_war.combat import retreat, siege
from pbem.games.thirty_years_war.map import SIDES, atlas, other
from pbem.games.thirty_years_war.marching.army import Act
from pbem.games.thirty_years_war.turn.activation import Pass
from pbem.table.board import Board
from pbem.table.dice import RandomThrows
from pbem.table.kit import load_kit
from pbem.table.orders import Order
from pbem.table.procedure import Play, Table

KIT = load_kit("thirty_years_war")
ACTIVATIONS, ANSWERS = 4, 60
BOUND = ("spanish", "hungarian")
"""Nations that may not be everywhere."""
CARD = {"protestant": "P1", "catholic": "C3"}
"""Cards of value three, which activate any leader."""


def position(chance: random.Random, options: dict[str, Any]) -> Table:
    """Stacks of both sides strewn over the map, some inside fortresses, some besieged; combat cards in both hands."""
    table = Table(Board(GAME.id, list(SIDES)), KIT, options, game=GAME)
    GAME.set_up(table, "campaign")
    for space in [space for space in atlas(table).spaces if atlas(table).neighbours[space]]:
        if chance.random() < 0.5 and not atlas(table).is_off_map(space):
            _stack(table, chance, space, chance.choice(SIDES))
            if atlas(table).is_fortress(space) and chance.random() < 0.5:
                _garrison(table, chance, space)
    for space in atlas(table).spaces:
        for side in SIDES:
            retreat.settle_stack(table, space, side)
    for region in atlas(table).regions:
        if control.is_neutral(table, region):
            table.set(f"region:{region}", None)  # somebody stands there, or could
        for side in SIDES:
            control.level_check(table, region, side)
    for side in SIDES:
        combat = [card for card, row in KIT.tables["cards"].items() if row["side"] == side and row["kind"] == "combat"]
        positions.arrange(table, "hand", {"side": side, "cards": [*chance.sample(combat, 4), CARD[side]]})
    positions.arrange(table, "activation", {"side": chance.choice(SIDES), "round": 2})
    return table


def _stack(table: Table, chance: random.Random, space: str, side: str) -> None:
    kinds = [kind for kind, row in KIT.tables["units"].items() if row["side"] == side and row["nation"] not in BOUND]
    for _ in range(chance.randrange(1, 5)):
        if len(pieces.units(table, space, side)) < table.kit.constants["stacking"]:
            pieces.place(table, chance.choice(kinds), space, reduced=chance.random() < 0.3, why="case")
    off = [p for p in table.board.pieces if pieces.is_leader(p) and pieces.where(table, p) == pieces.OFF]
    for leader in [piece for piece in off if pieces.side_of(table, piece) == side][:1]:
        table.put(leader, space)


def _garrison(table: Table, chance: random.Random, space: str) -> None:
    """Who stands there is inside, and the other side before the walls, with a marker where it is strong enough."""
    held = pieces.side_of(table, pieces.pieces_at(table, space)[0]) if pieces.pieces_at(table, space) else "catholic"
    positions.arrange(table, "control", {space: held})
    for piece in list(pieces.pieces_at(table, space)):
        table.mark(piece, inside=True)
    _stack(table, chance, space, other(held))
    strength = pieces.combat_factors(table, siege.besieging(table, space, other(held)))
    if strength >= siege.siege_level(table, space):
        positions.arrange(table, "siege", {"space": space, "by": other(held), "value": 1, "since": 0})


def towards_the_enemy(table: Table, side: str, question: Any, chance: random.Random) -> Order:
    """An activation that comes to a battle, a sortie or a siege, where one is legal."""
    tries: list[dict[str, Any]] = []
    for leader in [piece for piece in pieces.on_map(table, side) if pieces.is_leader(piece)]:
        space, named = pieces.where(table, leader), {"leader": pieces.face_of(table, leader)}
        near = [one for one in atlas(table).neighbours[space] if pieces.units(table, one, other(side))]
        tries += [{**named, "way": [one]} for one in near]
        if pieces.is_inside(table, leader) or siege.besieger(table, space) == side:
            tries.append(named)
    chance.shuffle(tries)
    for fields in tries[:20]:
        order = Act(card=CARD[side], **fields)
        if question.is_legal(table, order):
            return order
    return Pass()


def play_some(seed: int, options: dict[str, Any]) -> Counter[str]:
    """Some activations; what was told in them."""
    chance, throws = random.Random(seed), RandomThrows(seed)
    table = position(chance, options)
    begun = table.board.copy()
    table.facts.clear()
    faults: list[str] = []
    table.watch = lambda table, fact: faults.extend(GAME.faults(table))
    play = Play(GAME, table)
    since, entries, told, activations = list(play.start(throws).facts), [], Counter(), 0
    for _ in range(ANSWERS):
        side = play.waiting_for()[0]
        question = play.question_for(side)
        if question.kind == "activation":
            activations += 1
            if activations > ACTIVATIONS or CARD[side] not in table.board.piles[f"hand:{side}"]:
                break
            order = towards_the_enemy(table, side, question, chance)
        else:
            question.check(table, question.default_answer(table))
            order = question.sample(table, chance)
        outcome = play.answer(side, order, throws)
        assert not faults, (seed, order.text(), faults[:3])
        told.update(fact["what"] for fact in outcome.facts if fact["fact"] == "happened")
        since += outcome.facts
        entries += [outcome.fed] if outcome.fed else []
        sealed = play.wait.answers_to_json(play.sealed) if play.sealed else {}
        again = Play.resume(GAME, Table(begun.copy(), KIT, options, game=GAME), since, entries, sealed)
        assert again.board == play.board and again.waiting_for() == play.waiting_for()
    return told


OPTIONS: list[dict[str, Any]] = [
    {},
    {},
    {},
    {},
    {"inexact_losses": "owner", "dead_commander_tie": False, "besieged_sortie": True},
    {"destroyed_side": "totals", "winner_by": "table", "trapped_leaders": "replaced", "reverse_in_use": "gone"},
    {"retreat_classes": "own_neutral_enemy", "defence_commander": "best", "relief_lost": "back"},
]


@pytest.mark.parametrize("seed", range(len(OPTIONS)))
def test_battles_by_chance(seed: int) -> None:
    assert play_some(seed, OPTIONS[seed])["activated"]


def test_battles_come_in_them() -> None:
    told: Counter[str] = Counter()
    for seed in range(20, 26):
        told += play_some(seed, {})
    assert told["battle_won"] >= 6 and told["retreat"] and told["leader_tested"]
