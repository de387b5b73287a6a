"""8.2: every card in the uses that need nothing of its text: its value for ACT and REC, its lines for AID, and what
takes effect always (C 8.6)."""

import pytest

from pbem.games.thirty_years_war.map import CATHOLIC, PROTESTANT, SIDES
from pbem.games.thirty_years_war.room import GAME
from pbem.games.thirty_years_war.turn import deck
from pbem.games.thirty_years_war.upkeep import aid
from pbem.table.board import Board
from pbem.table.dice import RandomThrows
from pbem.table.kit import load_kit
from pbem.table.orders import Refused, read_order
from pbem.table.procedure import Play, Table

KIT = load_kit("thirty_years_war")
CARDS = list(KIT.tables["cards"])
LEADERS = {
    CATHOLIC: {1: "Tilly", 2: "Bucquoy", 3: "John George"},
    PROTESTANT: {1: "Christian of Brunswick", 2: "Mansfeld", 3: "Thurn"},
}
"""A leader of each activation rating (8.3; rebuilt ratings)."""
RECRUITERS = {
    CATHOLIC: ("Tilly FOR militia", "Bucquoy FOR militia"),
    PROTESTANT: ("Mansfeld FOR militia", "Thurn FOR militia"),
}


def play_with(card: str) -> tuple[Play, str]:
    """The first activation of the side that holds the card and one more, with every source of aid open."""
    side = KIT.tables["cards"][card]["side"]
    table = Table(Board(GAME.id, list(SIDES)), KIT, game=GAME)
    GAME.set_up(table, "campaign")
    for held in table.board.piles.get(deck.hand(side), []):
        table.card(held, deck.hand(side), deck.deck(side))
    spare = next(other for other in CARDS if other != card and KIT.tables["cards"][other]["side"] == side)
    for wanted in (card, spare):
        pile = next(name for name, cards in table.board.piles.items() if wanted in cards)
        table.card(wanted, pile, deck.hand(side))
    for source in KIT.tables["aid_sources"]:
        table.set(f"source:{source}", "on")
    table.set("passes", "open")
    if side != CATHOLIC:
        GAME.arrange(table, "stack", {"space": "magdeburg", "leaders": ["christian_of_brunswick"]})
    GAME.arrange(table, "activation", {"side": side, "round": 2})
    play = Play(GAME, table)
    play.start(RandomThrows(1))
    return play, side


def refusal(play: Play, side: str, line: str) -> str | None:
    try:
        play.check(side, read_order(GAME.orders, line, KIT))
    except Refused as refused:
        return refused.code
    return None


@pytest.mark.parametrize("card", CARDS)
def test_its_value_says_whom_it_activates_and_how_often_it_recruits(card):
    play, side = play_with(card)
    value = KIT.tables["cards"][card]["ops"]
    for rating, leader in LEADERS[side].items():
        found = refusal(play, side, f"ACT {card} WITH {leader} TAKING {leader}")
        assert found == (None if rating <= value else "value_below_rating")
    one, two = RECRUITERS[side]
    attempts = [one, one, two, two]
    assert refusal(play, side, f"RECRUIT {card} BY {', '.join(attempts[:value])}") is None
    assert refusal(play, side, f"RECRUIT {card} BY {', '.join(attempts[:value + 1])}") is not None


@pytest.mark.parametrize("card", CARDS)
def test_its_lines_come_as_aid_and_only_some_events_follow(card):
    play, side = play_with(card)
    row = KIT.tables["cards"][card]
    play.answer(side, read_order(GAME.orders, f"AID {card}", KIT), RandomThrows(1))
    for source, facts in KIT.tables["aid_sources"].items():
        if facts["side"] == side:
            assert aid.received(play.table, side, source) == (row[facts["column"]] or 0)
    assert (f"event:{card}" in play.board.state) == row["always"]
    lies = deck.removed(side) if row["always"] and row["mark"] == "removed" else deck.shown(side)
    assert card in play.board.piles[lies]
