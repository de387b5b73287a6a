"""Arrivals of leaders in the Card Draw phase, and default leaders (5.1, 8.1)."""

import pytest

from pbem.games import find_game
from pbem.games.virgin_queen.sequence import leaders
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.procedure import Table

GAME = find_game("virgin_queen")


@pytest.fixture(scope="module")
def kit():
    return load_kit("virgin_queen")


@pytest.fixture
def table(kit):
    order = GAME.play_order(kit, "1559", GAME.seats(kit, "1559", 6, {}))
    table = Table(Board(GAME.id, order), kit, kit.settings({}), game=GAME)
    GAME.set_up(table, "1559")
    return table


def arrive(table, turn, **at):
    """Where all leaders are after the arrivals of a turn, some having been put somewhere before."""
    table.set("turn", turn)
    for leader, place in at.items():
        table.put(f"leader:{leader}", place)
    assert list(leaders.arrive(table)) == []
    return {id: table.board.pieces[f"leader:{id}"]["at"] for id in table.kit.tables["leaders"]}


def test_leaders_of_the_turn_come_onto_their_power_cards_and_no_others(table):
    at = arrive(table, 2)
    assert {id for id, place in at.items() if place.startswith("arrived:")} == {
        "sussex",
        "tavannes",
        "coligny",
        "william_army",
        "conde",  # fmt: skip
    }
    assert at["william_army"] == at["coligny"] == "arrived:protestant"
    assert at["parma"] == at["guise"] == "off"


def test_uluch_ali_and_eliminated_naval_leaders_come_from_the_box_of_the_turn(table):
    at = arrive(table, 2, uluch_ali="turn_track:2", doria="turn_track:2", piyale_pasha="turn_track:3")
    assert at["uluch_ali"] == "arrived:ottoman" and at["doria"] == "arrived:spain"
    assert at["piyale_pasha"] == "turn_track:3"


def test_a_leader_of_a_minor_power_comes_once_it_has_an_ally(table):
    at = arrive(table, 3)
    assert at["venier"] == "off"
    from pbem.games.reformation.relations import set_minor_ally

    set_minor_ally(table, "venice", "spain")
    assert arrive(table, 4)["venier"] == "arrived:spain"


def test_henri_iii_dead_before_his_turn_does_not_come(table):
    table.set("dead_rulers", ["henri_iii"])
    at = arrive(table, 3)
    assert at["henri_iii_army"] == "removed" and at["don_john"] == "arrived:spain"


def test_a_default_leader_never_stands_beside_a_standard_one_huguenots_and_dutch_apart(table):
    """Subtlety 191."""
    at = arrive(table, 3, default_hug="turn_track:3", default_dut="turn_track:3")
    assert at["louis_nassau"] == "arrived:protestant" and at["default_dut"] == "removed"
    assert at["default_hug"] == "arrived:protestant"


@pytest.mark.parametrize("place", ["paris", "turn_track:5", "captured:spain"])
def test_a_standard_leader_sends_the_default_leader_away_wherever_he_is(table, place):
    assert arrive(table, 2, default_fra=place)["default_fra"] == "removed"


def test_a_naval_leader_who_arrives_does_not_send_the_default_leader_away(table):
    assert arrive(table, 4, default_fra="paris", strozzi="off")["default_fra"] == "paris"


def test_only_the_last_army_leader_in_play_is_followed_by_a_default_leader(table):
    """Subtleties 192, 193: a captured leader is in play, one who enters later is not, a naval one does not count."""
    table.put("leader:lala_mustafa", "captured:spain")
    table.put("leader:sinan_pasha", "istanbul")
    leaders.leaves_the_game(table, "sinan_pasha", "untimely_death", "5.1")
    assert table.board.pieces["leader:default_ott"]["at"] == "off"
    leaders.leaves_the_game(table, "lala_mustafa", "assassination", "5.1")
    assert table.board.pieces["leader:default_ott"]["at"] == "turn_track:2"


def test_other_losses_bring_no_default_leader(table):
    leaders.leaves_the_game(table, "lala_mustafa", "event", "6", default=False)
    assert table.board.pieces["leader:default_ott"]["at"] == "off"


def test_huguenots_and_dutch_are_followed_apart(table):
    table.put("leader:coligny", "la_rochelle")
    table.put("leader:conde", "removed")
    table.put("leader:william_army", "antwerp")
    leaders.leaves_the_game(table, "william_army", "assassination", "19.3")
    assert table.board.pieces["leader:default_dut"]["at"] == "turn_track:2"
    assert table.board.pieces["leader:default_hug"]["at"] == "off"
