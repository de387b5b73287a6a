"""A game played by chance to its end, with every promise of the table and the invariants checked on the way."""

from pbem.games import find_game
from pbem.table.kit import load_kit
from pbem.table.playout import play_out


def test_a_random_game_of_the_tournament_comes_to_its_end():
    record = play_out(find_game("virgin_queen"), load_kit("virgin_queen"), 1, 6, 7, scenario="tournament")
    assert record.failure is None
    assert record.results[0]["notes"]
    assert record.orders["move"] and record.orders["build"] and record.orders["extend"]


class Voyagers(type(find_game("virgin_queen"))):
    """The game with captains at sea who have the longest part of a voyage round the world behind them.

    From home it takes random captains too long: hardly one in a thousand survives that many rolls and winters.
    """

    def set_up(self, table, scenario):
        super().set_up(table, scenario)
        for captain in ("drake", "le_testu", "schmidel", "houtman"):
            table.put(f"captain:{captain}", "chilean_coast", voyage=["guinea_coast:indian_ocean"])
        table.put("captain:kurtoglu", "guinea_coast", voyage=["indian_ocean:south_pacific"])


def test_random_captains_sail_round_the_world():
    record = play_out(Voyagers(), load_kit("virgin_queen"), 1, 6, 5, scenario="tournament")
    assert record.failure is None
    assert record.told["circumnavigation"]
