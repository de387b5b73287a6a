"""23: what seats with one or two powers score (3.1, option `two_power_score`)."""

import pytest

from pbem.games import find_game
from pbem.games.here_i_stand.victory import conditions
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.procedure import Table, ranking

SEATS = [["ottoman", "france"], ["hapsburg", "papacy"], ["england", "protestant"]]


@pytest.fixture
def three(request):
    """A table of three players at the set-up of 1517: 8 and 12, 9 and 19, 9 and 0 VP."""
    game, kit = find_game("here_i_stand"), load_kit("here_i_stand")
    options = {"two_power_score": request.param} if request.param else {}
    table = Table(Board(game.id, game.powers(kit, "1517")), kit, options, game=game)
    game.set_up(table, "1517")
    return table


@pytest.mark.parametrize(
    "three, points", [(None, [14, 10, 4]), ("lower", [9, 8, 0]), ("sum", [28, 20, 9])], indirect=["three"]
)
def test_a_seat_with_two_powers(three, points):
    found = conditions.seat_results(three, SEATS)
    assert [row["powers"][0] for row in found] == ["hapsburg", "ottoman", "england"]
    assert [row["points"] for row in found] == points


@pytest.mark.parametrize("three", [None], indirect=True)
def test_who_holds_the_winner_comes_first(three):
    three.set("winner", "protestant")
    three.set("victory", "religious")
    found = conditions.seat_results(three, SEATS)
    assert found[0] == {"powers": ["england", "protestant"], "points": 4, "place": 1, "notes": ["religious"]}
    assert found[1]["notes"] == []


@pytest.mark.parametrize("three", [None], indirect=True)
def test_ties_look_back(three):
    seats = [["hapsburg"], ["england"]]
    three.set("turn", 3)
    three.count("vp_of_turn:2", "hapsburg", 7)
    three.count("vp_of_turn:2", "england", 8)
    assert [row["powers"] for row in conditions.seat_results(three, seats)] == [["england"], ["hapsburg"]]


@pytest.mark.parametrize("three", [None], indirect=True)
def test_one_power_scores_its_own(three):
    seats = [[power] for power in three.board.powers]
    assert [row["points"] for row in conditions.seat_results(three, seats)] == [
        row["points"] for row in conditions.results(three)
    ]


@pytest.mark.parametrize("three", [None], indirect=True)
def test_the_table_ranks_seats_where_they_hold_several_powers(three):
    game = find_game("here_i_stand")
    assert ranking(game, three, SEATS) == conditions.seat_results(three, SEATS)
    assert ranking(game, three, [[power] for power in three.board.powers]) == conditions.results(three)
