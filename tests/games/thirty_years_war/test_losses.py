"""12.3: what has to be lost of a result, against every choice that there is, and what silence and a ranking choose."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

import pytest

from pbem.games.thirty_years_war import GAME, pieces, positions
from pbem.games.thirty_years_war.combat import losses
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.orders import Refused
from pbem.table.table import Table

KIT = load_kit("thirty_years_war")
KINDS = [kind for kind, row in KIT.tables["units"].items() if row["side"] == "catholic"]


def table_with(stack: dict[str, dict[str, int]]) -> tuple[Table, list[str]]:
    """A table with a Catholic stack at Landshut, and its units."""
    table = Table(Board(GAME.id, ["protestant", "catholic"]), KIT, game=GAME)
    GAME.set_up(table, "campaign")
    positions.arrange(table, "empty", True)
    positions.arrange(table, "stack", {"space": "landshut", "units": stack})
    return table, pieces.units(table, "landshut", "catholic")


def stacks(number: int) -> Iterator[dict[str, dict[str, int]]]:
    chance = random.Random(12)
    for _ in range(number):
        found: dict[str, dict[str, int]] = {}
        for _ in range(chance.randrange(1, 6)):
            sides = found.setdefault(chance.choice(KINDS), {"full": 0, "reduced": 0})
            sides[chance.choice(["full", "reduced"])] += 1
        yield found


def all_choices(table: Table, units: Sequence[str]) -> Iterator[losses.Steps]:
    """Every way to take steps of these units."""
    ranges = [range(len(losses.loss_factors(table, unit)) + 1) for unit in units]
    for steps in itertools.product(*ranges):
        yield {unit: n for unit, n in zip(units, steps, strict=True) if n}


@pytest.mark.parametrize("stack", list(stacks(12)), ids=str)
def test_what_is_due_is_the_most_that_can_be_taken(stack):
    table, units = table_with(stack)
    choices = [(losses.counted(table, choice), choice) for choice in all_choices(table, units)]
    for due in range(15):
        most = max(total for total, _ in choices if total <= due)
        assert losses.reachable(table, units, due) == most
        silent = losses.silent_choice(table, units, due)
        assert losses.counted(table, silent) == most
        lost = sum(losses.strength_lost(table, unit, n) for unit, n in silent.items())
        exact = [choice for total, choice in choices if total == most]
        assert lost == min(sum(losses.strength_lost(table, u, n) for u, n in one.items()) for one in exact)
        seen = {losses.written(table, one).text() for one in exact} if most else {""}
        assert losses.needs_answer(table, units, due) == (len(seen) > 1)


def asked(table: Table, units: Sequence[str], due: int):
    return losses.losses_question("catholic", units, due, space="landshut", why="battle", section="12.31")


def test_an_answer_is_legal_where_it_takes_just_what_is_due():
    table, units = table_with({"bavarian_mercenary": {"full": 2, "reduced": 1}, "bavarian_militia": {"full": 2}})
    for due in range(1, 15):
        question = asked(table, units, due)
        most = losses.reachable(table, units, due)
        for choice in all_choices(table, units):
            if not choice:
                continue
            order = losses.written(table, choice)
            took = losses.chosen(table, question, order)
            assert losses.counted(table, took) == losses.counted(table, choice), "it reads as it is written"
            assert question.is_legal(table, order) == (losses.counted(table, choice) == most)


def test_a_ranking_takes_what_it_names_first():
    table, units = table_with({"bavarian_mercenary": {"full": 3}, "bavarian_militia": {"full": 3}})
    question = asked(table, units, 8)
    militia = losses.chosen(table, question, losses.LoseInOrder(kinds=["militia", "mercenary"]))
    assert [pieces.kind_of(unit) for unit in militia] == ["bavarian_militia"] * len(militia)
    assert losses.counted(table, militia) == 8
    mercenaries = losses.chosen(table, question, losses.LoseInOrder(kinds=["bavarian_mercenary"]))
    assert losses.counted(table, {u: n for u, n in mercenaries.items() if "mercenary" in u}) == 6
    assert losses.counted(table, mercenaries) == 8


def test_steps_are_counted_one_by_one():
    table, units = table_with({"bavarian_mercenary": {"full": 1, "reduced": 1}, "bavarian_militia": {"full": 1}})
    question = losses.losses_question(
        "catholic", units, 2, space=None, why="forage", section="11.16", by_factor=False
    )
    assert question.kind == "step_losses"
    two = losses.written(table, {units[0]: 1, units[2]: 1})
    question.check(table, two)
    with pytest.raises(Refused) as refused:
        question.check(table, losses.written(table, {units[0]: 1}))
    assert refused.value.code == "less_than_lost" and refused.value.values["least"] == 2
