"""The sequence of play, hands and impulses, by play at random and on set-ups."""

import pytest

from pbem.games.here_i_stand import GAME, cards
from pbem.games.here_i_stand.faults import at_rest
from pbem.games.here_i_stand.victory import score
from pbem.games.reformation import hands
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.playout import play_out
from pbem.table.procedure import Table


@pytest.fixture(scope="module")
def kit():
    return load_kit("here_i_stand")


def fresh(kit, scenario, **options):
    table = Table(Board(GAME.id, GAME.powers(kit, scenario)), kit, options, game=GAME)
    GAME.set_up(table, scenario)
    return table


@pytest.mark.parametrize("scenario", ["1517", "1532"])
def test_set_up_has_the_vp_keys_and_cards_of_the_scenario(kit, scenario):
    table = fresh(kit, scenario, papal_florence_1532=True)
    assert at_rest(table) == []
    for row in kit.tables["setup_checks"].values():
        if str(row["scenario"]) == scenario:
            power = row["power"]
            assert table.board.value("vp", power) == row["vp"], power
            assert power == "protestant" or len(score.keys_of(table, power)) == row["keys"]


@pytest.mark.parametrize("scenario", ["1517", "1532", "tournament"])
def test_what_the_set_up_places_bears_the_marks_of_the_normal_way(kit, scenario):
    """8.2, 20, 21: who stands on the map has entered; a voyage has its bonus; what has happened is known to have."""
    table = fresh(kit, scenario)
    pieces, state = table.board.pieces, table.board.state
    later = kit.scenarios[scenario]["first_turn"] > 1
    for reformer in kit.tables["reformers"]:
        piece = pieces[f"reformer:{reformer}"]
        assert piece.get("entered", False) == (piece["at"] != "off"), reformer
    for debater, row in kit.tables["debaters"].items():
        if row["entry_reformer"] and pieces[f"debater:{debater}"]["at"] != "off":
            assert pieces[f"reformer:{row['entry_reformer']}"].get("entered"), debater
    for name, piece in pieces.items():
        if name.startswith("voyage:"):
            assert piece["bonus"] == 0
        if name.startswith("discovery:") and piece["at"] != "display":
            assert piece["riches"] == (kit.tables["discoveries"][name.partition(":")[2]]["kind"] == "conquest")
    for power in table.board.powers:
        held = [name for name, piece in pieces.items() if name.startswith("colony:") and piece["at"] == power]
        assert table.board.value("colonies", power) == len(held)
    for event in ("league", "barbary_pirates", "hungary_defeated"):
        assert bool(state.get(event)) == later, event
    assert state.get("home:algiers") == ("ottoman" if later else None)


def test_every_event_has_the_name_of_a_card(kit):
    assert cards.BOOK.unknown_events(kit) == []


def test_110_cards_and_hands_seen_by_their_owners_only(kit):
    table = fresh(kit, "1517")
    assert sum(map(len, table.board.piles.values())) == 110
    assert hands.kind_of(table, table.board.piles["hand:protestant"][0]) == "mandatory"
    assert table.board.sight["hand:france"] == "owner" and table.board.sight["deck"] == "referee"


@pytest.mark.parametrize(
    ("seed", "scenario", "windows"), [(1, "1517", "able"), (2, "1532", "able"), (3, "1517", "everyone")]
)
def test_random_game_keeps_every_promise(kit, seed, scenario, windows):
    record = play_out(GAME, kit, seed, 6, 7, scenario=scenario, options={"response_windows": windows})
    assert record.failure is None
    assert record.orders["play_card"] > 20
