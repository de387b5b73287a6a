"""How lines name what goes along: the words between units and leaders, and those that mean all, in three languages."""

from __future__ import annotations

import pytest

from pbem.games.reformation.forces import ForceField
from pbem.games.reformation.treaties import NumberOrAll
from pbem.games.thirty_years_war.pieces import PiecesField
from pbem.table.kit import load_kit
from pbem.table.orders import split_words

JOINING = [",", "and", "et", "и", "plus", "+"]
ALL = ["ALL", "everything", "tout", "Toutes", "все", "Всё"]


@pytest.mark.parametrize("game", ["here_i_stand", "virgin_queen"])
@pytest.mark.parametrize("word", [*JOINING, "with", "avec", "с", "со"])
def test_a_force_is_joined_by_words_of_three_languages(game, word):
    leader = {"here_i_stand": "suleiman", "virgin_queen": "alva"}[game]
    force = ForceField().read(split_words(f"4 regular {word} {leader}"), load_kit(game))
    assert force == {"units": {"own": {"regular": 4}}, "leaders": [leader]}


@pytest.mark.parametrize("word", JOINING)
def test_pieces_are_joined_by_words_of_three_languages(word):
    group = PiecesField().read(split_words(f"4 bavarian mercenary {word} tilly"), load_kit("thirty_years_war"))
    assert group == {"units": {"bavarian_mercenary": {"any": 4}}, "leaders": ["tilly"]}


@pytest.mark.parametrize("word", ALL)
def test_all_is_said_in_three_languages(word):
    assert ForceField().read([word], load_kit("here_i_stand")) == {"all": True}
    assert PiecesField().read([word], load_kit("thirty_years_war")) == {"all": True}
    assert NumberOrAll().read([word], load_kit("virgin_queen")) == 0


def test_the_owner_of_units_may_be_cut_short_whether_he_is_major_or_minor():
    force = ForceField().read(split_words("2 venic regular, 1 hapsb cavalry"), load_kit("here_i_stand"))
    assert force["units"] == {"venice": {"regular": 2}, "hapsburg": {"cavalry": 1}}
