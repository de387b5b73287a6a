"""What a turn by mail costs: twelve activations, one wait for the end of the turn, and little else."""

from statistics import median

from pbem.games import find_game
from pbem.table.kit import load_kit
from pbem.table.pace import Replies, simulate

MOST_WAITS = 14


def test_a_turn_takes_at_most_fourteen_waits_with_the_ready_made_orders():
    game, kit = find_game("thirty_years_war"), load_kit("thirty_years_war")
    paces = [
        simulate(game, kit, number, 2, 11, scenario="early_war", standing=True, replies=Replies(slow=0))
        for number in range(3)
    ]
    assert [pace.failure for pace in paces] == [None, None, None]
    turns = [turn for pace in paces for turn in pace.turns]
    assert len(turns) > 5
    assert median(turn.trips for turn in turns) <= MOST_WAITS


def test_the_end_of_a_turn_is_one_wait():
    game, kit = find_game("thirty_years_war"), load_kit("thirty_years_war")
    pace = simulate(game, kit, 0, 2, 5, scenario="early_war", replies=Replies(slow=0))
    assert pace.failure is None
    assert all(turn.kinds["end_of_turn"] <= 1 for turn in pace.turns)
    assert not {"pay", "looting", "sieges", "revolts", "keep_card"} & {kind for t in pace.turns for kind in t.kinds}
