"""What only a seat sees: its hand with what the cards are worth, and what it was shown of another's."""

from __future__ import annotations

from pbem.render.narrative import Teller
from pbem.render.own import own_things
from pbem.table.board import HIDDEN_CARD, Board
from pbem.table.kit import load_kit
from tests import toy

HANDS = {"hand:ottoman": ["1", "80"], "hand:france": [HIDDEN_CARD, "12"], "hand:england": [HIDDEN_CARD]}


def board() -> Board:
    powers = ["ottoman", "england", "france"]
    return Board("here_i_stand", powers, piles=dict(HANDS), sight=dict.fromkeys(HANDS, "owner"))


def test_a_hand_shows_names_numbers_cp_and_effects() -> None:
    kit = load_kit("here_i_stand")
    hand = own_things(board(), ["ottoman"], Teller(kit))[0]
    assert hand.name == "Hand (Ottoman)"
    assert [(card.id, card.name, card.note) for card in hand.cards] == [
        ("1", "Janissaries", "5 CP, home card"),
        ("80", "Gabelle Revolt", "1 CP, event"),
    ]
    assert len(hand.cards[0].effects) == 2
    assert hand.cards[0].effects[0].startswith("(battle) ")
    assert hand.cards[0].text == " ".join(hand.cards[0].effects) and "…" not in hand.cards[0].text


def test_what_was_shown_of_another_hand_stands_after_the_own_one() -> None:
    things = own_things(board(), ["ottoman"], Teller(load_kit("here_i_stand"), "fr"))
    assert [thing.name for thing in things] == ["Main (Ottoman)", "Main (France)"]
    assert [card.id for card in things[1].cards] == ["12"]  # nothing of the cards that nobody showed


def test_an_empty_hand_is_said_to_be_empty() -> None:
    view = board()
    view.piles["hand:ottoman"] = []
    assert own_things(view, ["ottoman"], Teller(load_kit("here_i_stand")))[0].value == "empty"


def test_every_card_tells_its_ways_in_every_language() -> None:
    kit = load_kit("here_i_stand")
    for language, column in (("en", "text"), ("fr", "text_fr"), ("ru", "text_ru")):
        view = board()
        view.piles["hand:ottoman"] = list(kit.tables["cards"])
        cards = {card.id: card for card in own_things(view, ["ottoman"], Teller(kit, language))[0].cards}
        assert set(cards) == set(kit.tables["cards"])
        for id, card in cards.items():
            ways = [row[column] for row in kit.tables["card_effects"].values() if str(row["card"]) == id]
            assert len(card.effects) == len(ways) and all(map(str.endswith, card.effects, ways)), id


def test_a_card_of_a_game_that_tells_nothing_of_cards_has_only_its_name() -> None:
    view = Board("toy", ["red"], piles={"hand:red": ["card_01"]}, sight={"hand:red": "owner"})
    hand = own_things(view, ["red"], Teller(toy.kit()))[0]
    assert hand.value == "card 01" and hand.cards == []


def test_a_counter_that_its_owner_alone_sees_is_told_to_him() -> None:
    rules = {"nerve:red": "owner", "nerve:blue": "owner", "hours": "all"}
    view = Board("toy", ["red", "blue"], counters={"nerve:red": 3, "nerve:blue": None, "hours": 2}, sight=rules)
    teller = Teller(toy.kit())
    assert [(thing.name, thing.value) for thing in own_things(view, ["red"], teller)] == [("Nerve", "3")]
    both = Board("toy", ["red", "blue"], counters={"nerve:red": 3, "nerve:blue": 1}, sight=rules)
    assert [thing.name for thing in own_things(both, ["red", "blue"], teller)] == ["Nerve (Red)", "Nerve (Blue)"]
