"""Steps of the courts in which nobody is asked, so that no case can stop at them."""

import pytest

from pbem.games import find_game
from pbem.games.virgin_queen.court import espionage
from pbem.games.virgin_queen.faults import court_faults
from pbem.games.virgin_queen.powers import minors
from pbem.games.virgin_queen.victory import conditions
from pbem.games.virgin_queen.victory.conditions import GameEnds
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.facts import apply
from pbem.table.kit import load_kit
from pbem.table.procedure import Table

GAME = find_game("virgin_queen")


@pytest.fixture
def table():
    kit = load_kit("virgin_queen")
    found = Table(Board(GAME.id, list(kit.constants["impulse_order"])), kit, kit.settings({}), game=GAME)
    GAME.set_up(found, "tournament")
    return found


def run(procedure):
    """Run a procedure that asks nobody."""
    assert list(procedure) == []


def test_neutralized_informants_and_other_markers_come_back_in_winter(table):
    """20.8, subtlety 148: one at work stays where it is."""
    run(espionage.hand_out(table))
    table.put("informant:england:1", "spying:spain", neutralized=True)
    table.put("informant:england:2", "spying:france")
    table.set("turn:plotted", ["england"])
    espionage.use_walsingham(table, "defensive")
    espionage.use_cipher_key(table, "france", "spain")
    run(espionage.winter(table))
    assert table.board.pieces["informant:england:1"] == {"at": "reserve:england"}
    assert table.board.pieces["informant:england:2"] == {"at": "spying:france"}
    assert not {"turn:plotted", "walsingham", "cipher_keys"} & set(table.board.state)


def test_jesuits_are_filled_up_to_the_allowance_and_to_five_in_all(table):
    """8.2, subtlety 267."""
    run(espionage.refill_jesuits(table))
    run(espionage.refill_jesuits(table))
    assert len(espionage.jesuits_at(table, "card")) == 1
    table.set("jesuit_allowance", 2)
    for piece, space in (("jesuit:2", "york"), ("jesuit:3", "wales"), ("jesuit:4", "carlisle")):
        table.put(piece, space)
    run(espionage.refill_jesuits(table))
    assert espionage.jesuits_at(table, "card") == ["jesuit:1", "jesuit:5"]
    table.put("jesuit:1", "london")
    run(espionage.refill_jesuits(table))
    assert espionage.jesuits_at(table, "card") == ["jesuit:5"]


@pytest.mark.parametrize(
    ("pieces", "fault"),
    [
        ({"jesuit:1": {"at": "york"}, "jesuit:2": {"at": "york"}}, "a second Jesuit"),
        ({"jesuit:1": {"at": "edinburgh"}}, "outside England"),
        ({"informant:spain:1": {"at": "spying:spain"}}, "on the own card"),
        ({"informant:spain:1": {"at": "spying:france"}, "informant:spain:2": {"at": "spying:france"}}, "two "),
        ({"royal:leicester": {"at": "eligible", "box": 2, "betrothed": "elizabeth_i"}}, "not the other way round"),
        ({"artist:sidney": {"at": "sponsored:england", "cp": 2}}, "the turn is over"),
    ],
)
def test_what_cannot_be_at_the_courts_is_a_fault(table, pieces, fault):
    """19.2, 21, 22."""
    assert court_faults(table) == []
    for piece, lies in pieces.items():
        table.put(piece, **lies)
    assert any(fault in found for found in court_faults(table))


def test_only_the_spy_learns_what_a_hand_holds(table):
    """19.1, 3.21: the hand, home cards and treasures; third parties learn that it was seen."""
    cards = list(table.board.piles["deck"])[:3]
    for card in cards:
        table.card(card, "deck", "hand:spain", to=["spain"])
    treasure = table.board.piles["treasures"][0]
    table.card(treasure, "treasures", "treasures:spain", to=["spain"])
    before = len(table.facts)
    views = {power: sight.view(table.board, [power]) for power in ("england", "france")}
    espionage.see_hand(table, "england", "spain", "19.1")
    for fact in table.facts[before:]:
        for power, view in views.items():
            seen = sight.seen_by(table.board, fact, [power])
            if seen is not None:
                apply(view, seen)
    assert set(cards) <= set(views["england"].piles["hand:spain"])
    assert views["england"].piles["treasures:spain"] == [treasure]
    assert not set(cards) & set(views["france"].piles["hand:spain"])
    assert treasure not in views["france"].piles["treasures:spain"]


def test_only_influence_on_who_was_evaluated_goes_to_its_default_boxes(table):
    """20.9, subtlety 246; the marker of who declared war stays away (9.4)."""
    table.set("influence", {"venice": {"spain": 7, "empire": 3, "france": 2}, "scotland": {"france": 9, "england": 4}})
    table.set("turn:evaluated", ["venice"])
    table.set("influence_gone", {"venice": ["ottoman"]})
    run(minors.reset_influence(table))
    assert table.board.state["influence"] == {
        "venice": {"spain": 1, "empire": 0, "france": 0},
        "scotland": {"france": 9, "england": 4},
    }


def test_conversions_outside_the_actions_end_no_game(table):
    """25.1, subtlety 261: fewer Protestant spaces than win for the Catholics, by the bonus of a wedding."""
    for space in table.kit.tables["spaces"]:
        if table.kit.tables["spaces"][space]["region"] != "none":
            table.set(f"religion:{space}", "catholic")
    for phase in ("weddings", "winter", "diplomacy"):
        table.set("phase", phase)
        conditions.look(table)
    table.set("phase", "action")
    with pytest.raises(GameEnds) as end:
        conditions.look(table)
    assert (end.value.power, end.value.how) == ("france", "catholic")
