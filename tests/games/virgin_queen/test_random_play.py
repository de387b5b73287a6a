"""A game played by chance to its end, with every promise of the table and the invariants checked on the way."""

from pbem.games import find_game
from pbem.table.kit import load_kit
from pbem.table.playout import play_out


def test_a_random_game_of_the_tournament_comes_to_its_end():
    record = play_out(find_game("virgin_queen"), load_kit("virgin_queen"), 1, 6, 7, scenario="tournament")
    assert record.failure is None
    assert record.results[0]["notes"]
    assert record.orders["move"] and record.orders["build"] and record.orders["extend"]
