"""Who sees the cards that a power looks at, and lays on top of the deck (card 70, 6.2)."""

from __future__ import annotations

from pathlib import Path

from pbem.games import find_game
from pbem.rehearse import Rehearsal, load_case
from pbem.table.facts import Fact
from pbem.table.kit import load_kit
from tests.games.telling import seen_by

CASE = Path(__file__).parents[2] / "cases" / "virgin_queen" / "C-70-nostradamus-prophecies.yaml"
HIDDEN = "?"
LOOKED_AT, DECK_TOP, HAND = "looked_at:france", "deck_top:france", "hand:france"


def moves(facts: list[Fact], place: str) -> list[str]:
    """The cards that came to a pile from the deck or from its top, as somebody may read it."""
    of_deck = ("deck", LOOKED_AT, DECK_TOP)
    return [f["card"] for f in facts if f["fact"] == "card" and f["place"] == place and f["origin"] in of_deck]


def test_only_who_looks_at_the_deck_sees_its_cards_and_their_order() -> None:
    rehearsal = Rehearsal(find_game("virgin_queen"), load_kit("virgin_queen"), load_case(CASE), stop=True)
    assert rehearsal.run().passed
    board = rehearsal.table.board
    france, england = (seen_by(board, rehearsal.facts, (power,)) for power in ("france", "england"))
    assert sorted(moves(france, LOOKED_AT), key=int) == ["5", "14", "15", "23", "24"]
    assert moves(france, DECK_TOP) == ["15", "5", "14", "23"]
    assert moves(france, HAND) == ["24", "15"]
    assert {*moves(england, LOOKED_AT), *moves(england, DECK_TOP), *moves(england, HAND)} == {HIDDEN}
    draws = [fact["card"] for fact in england if fact["fact"] == "draw" and fact["what"] == "look"]
    assert draws == [HIDDEN] * 5
