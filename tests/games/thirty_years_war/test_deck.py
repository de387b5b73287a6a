"""What is hidden of the cards stays so (2.17 of the digest): hands, draw piles, what is discarded unseen."""

from pbem.games.thirty_years_war.map import CATHOLIC, PROTESTANT, SIDES
from pbem.games.thirty_years_war.room import GAME
from pbem.games.thirty_years_war.turn import deck
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.dice import RandomThrows
from pbem.table.kit import load_kit
from pbem.table.procedure import Table


def dealt() -> Table:
    table = Table(Board(GAME.id, list(SIDES)), load_kit("thirty_years_war"), game=GAME)
    GAME.set_up(table, "campaign")
    table.throws = RandomThrows(7)
    for side in SIDES:
        deck.draw_up(table, side)
    return table


def test_t_010_what_is_discarded_is_seen_by_its_owner_alone():
    table = dealt()
    card = deck.held(table, CATHOLIC)[0]
    deck.discard(table, CATHOLIC, card)
    fact = table.facts[-1]
    assert sight.seen_by(table.board, fact, [PROTESTANT])["card"] == sight.seen_by(table.board, fact, ())["card"] == "?"
    assert sight.seen_by(table.board, fact, [CATHOLIC])["card"] == card
    pile = deck.discarded(CATHOLIC)
    assert sight.view(table.board, [PROTESTANT]).piles[pile] == ["?"]
    assert sight.view(table.board, [CATHOLIC]).piles[pile] == [card]


def test_t_010_a_pile_that_is_shuffled_tells_nobody_what_was_discarded():
    table = dealt()
    discarded = deck.held(table, CATHOLIC)[0]
    deck.discard(table, CATHOLIC, discarded)
    before = len(table.facts)
    deck.reshuffle(table, CATHOLIC)
    seen = [sight.seen_by(table.board, fact, [PROTESTANT]) for fact in table.facts[before:]]
    assert discarded not in [fact.get("card") for fact in seen if fact]


def test_nobody_sees_the_other_hand_or_a_draw_pile():
    table = dealt()
    seen = sight.view(table.board, [PROTESTANT])
    assert set(seen.piles[deck.hand(CATHOLIC)]) == set(seen.piles[deck.deck(PROTESTANT)]) == {"?"}
    assert sorted(seen.piles[deck.hand(PROTESTANT)]) == sorted(deck.held(table, PROTESTANT))
