"""The cards: each has a function of its name, and the nations' limits, where a case would need a long way to them."""

import pytest

from pbem.games.thirty_years_war import cards, nations, pieces
from pbem.games.thirty_years_war.map import SIDES
from pbem.games.thirty_years_war.room import GAME
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.procedure import Table


@pytest.fixture
def table() -> Table:
    laid = Table(Board(GAME.id, list(SIDES)), load_kit("thirty_years_war"), game=GAME)
    GAME.set_up(laid, "campaign")
    return laid


def test_no_function_is_of_a_card_that_there_is_not(table):
    assert cards.unknown(table.kit) == []


def test_cards_that_share_a_title_have_a_function_each(table):
    assert cards.function_name(table.kit, "C6") == "edict_of_restitution"
    assert cards.function_name(table.kit, "C24") == "famines_plagues_c24"
    assert len({cards.function_name(table.kit, card) for card in table.kit.tables["cards"]}) == 110


def test_imperial_and_bavarian_pieces_stand_apart_until_c19(table):
    """17.A.2, T-245; T-339 for Wallenstein and Tilly."""
    there = pieces.stack(table, "munich", "catholic")
    assert nations.conflict(table, there, ["imperial_militia"]).code == "nations_apart"
    assert nations.conflict(table, there, ["gallas"]).code == "nations_apart"
    table.set("event:C19", 1)
    assert nations.conflict(table, there, ["imperial_militia", "gallas"]) is None
    assert nations.conflict(table, there, ["wallenstein"]).section == "7.24"
