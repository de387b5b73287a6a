"""The set-ups of the four scenarios, as chapter 4.0 and 18 of the rulebook print them."""

from itertools import islice

import pytest

from pbem.games.thirty_years_war import control, faults, pieces, positions, score
from pbem.games.thirty_years_war.map import CATHOLIC, PROTESTANT, SIDES
from pbem.games.thirty_years_war.room import GAME
from pbem.games.thirty_years_war.turn import deck
from pbem.games.thirty_years_war.turn.setup import PlaceLoot
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.orders import Question
from pbem.table.procedure import Table


def table_of(scenario: str) -> Table:
    kit = load_kit("thirty_years_war")
    table = Table(Board(GAME.id, list(SIDES)), kit, game=GAME)
    GAME.set_up(table, scenario)
    return table


@pytest.mark.parametrize(
    ("scenario", "turn", "vp", "catholic", "protestant", "electors"),
    [
        ("campaign", 1, 21, (16, 5), (12, 5), (4, 3)),
        ("early_war", 1, 21, (16, 5), (12, 5), (4, 3)),
        ("intervention", 6, 45, (18, 9), (9, 4), (6, 1)),
        ("apocalypse", 10, 38, (17, 6), (18, 6), (7, 0)),
    ],
)
def test_it_holds_what_the_rulebook_prints(scenario, turn, vp, catholic, protestant, electors):
    table = table_of(scenario)
    assert table.board.state["turn"] == turn
    assert score.total(table) == vp == sum(entry["points"] for entry in score.reasons(table))
    for side, (units, leaders), held in ((CATHOLIC, catholic, electors[0]), (PROTESTANT, protestant, electors[1])):
        there = pieces.on_map(table, side)
        assert len([piece for piece in there if pieces.is_unit(piece)]) == units
        assert len([piece for piece in there if pieces.is_leader(piece)]) == leaders
        assert control.elector_count(table, side) == held
    assert faults.at_rest(table) == []


def test_only_the_early_cards_are_in_the_decks_of_the_campaign():
    table = table_of("campaign")
    assert [len(table.board.piles[deck.deck(side)]) for side in (CATHOLIC, PROTESTANT)] == [16, 14]


def test_what_an_elector_is_on_the_board_agrees_with_the_printed_table_of_the_set_up():
    for scenario in ("campaign", "intervention", "apocalypse"):
        table = table_of(scenario)
        rows = table.kit.tables["setup_electors"].values()
        printed = {row["elector"]: row["holder"] for row in rows if row["scenario"] == scenario}
        assert {elector: side for elector, side in control.electors(table).items() if side} == printed


def test_leslie_lies_on_the_back_of_horn_in_the_apocalypse():
    table = table_of("apocalypse")
    piece = pieces.leader_piece(table, "leslie")
    assert (piece, pieces.where(table, piece)) == ("leader:horn", "stettin")
    assert pieces.leader_row(table, piece)["id"] == "leslie"


def test_the_lists_of_loot_that_are_shown_have_as_many_spaces_as_are_asked():
    table = table_of("intervention")
    asked = Question("protestant", "loot_markers", [PlaceLoot], context={"markers": 8}, section="18.24")
    shown = [order.spaces for order in islice(PlaceLoot.legal(table, asked), 4)]
    assert [len(spaces) for spaces in shown] == [8] * 4 and len({tuple(spaces) for spaces in shown}) == 4


@pytest.mark.parametrize(("conflict", "clashes"), [("grace", 0), ("strict", 1)])
def test_who_stood_together_when_c54_was_played_may_part_in_time(conflict, clashes):
    """17.F.4: until the end of the Protestant's next activation a mixed stack is no fault of the board."""
    table = table_of("apocalypse")
    table.set("conflict", conflict)
    units = {"french_veteran": 2, "swedish_veteran": 1}
    positions.arrange(table, "stack", {"space": "kassel", "units": units, "leaders": ["turenne"]})
    assert sum("stand together in kassel" in fault for fault in faults.nation_faults(table)) == clashes
