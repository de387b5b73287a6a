"""2.17: what is hidden stays hidden: hands, draw piles and discards of the other side, whatever the cards do."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from pbem.games.thirty_years_war.map import CATHOLIC, PROTESTANT, SIDES
from pbem.games.thirty_years_war.room import GAME
from pbem.games.thirty_years_war.turn import deck
from pbem.table import sight
from pbem.table.board import HIDDEN_CARD, Board
from pbem.table.dice import RandomThrows
from pbem.table.kit import Kit, load_kit
from pbem.table.orders import read_order
from pbem.table.playout import Playout
from pbem.table.procedure import Play, Table

EVENTS = (
    "EVENT P14",
    "CHOOSE SPACE Linz",
    "PASS",
    "EVENT P3",
    "PLACE Christian of Brunswick, 2 protestant mercenary, 1 protestant militia AT Magdeburg",
    "PASS",
    "EVENT P8",
    "CHOOSE SPACES Vienna, Raab",
    "PASS",
    "AID P4",
    "PASS",
    "EVENT P11",
    "PASS",
)
"""Events of the Protestant; after each the Catholic passes."""


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit("thirty_years_war")


def laid(kit: Kit, hands: dict[str, Sequence[str]]) -> Play:
    table = Table(Board(GAME.id, list(SIDES)), kit, game=GAME)
    GAME.set_up(table, "campaign")
    for side, cards in hands.items():
        GAME.arrange(table, "hand", {"side": side, "cards": cards})
    GAME.arrange(table, "activation", {"side": PROTESTANT, "round": 1})
    return Play(GAME, table)


def seen_of(kit: Kit, catholic: Sequence[str], reader: tuple[str, ...]) -> list[Any]:
    """All that a reader gets of the events while the Catholic holds these cards: facts, questions, and of whom."""
    play = laid(kit, {PROTESTANT: ["P14", "P3", "P8", "P4", "P11", "P1", "P2"], CATHOLIC: catholic})
    throws = RandomThrows(1)
    got: list[Any] = []

    def take(outcome: Any) -> None:
        got.append([sight.seen_by(play.board, fact, reader) for fact in outcome.facts])
        got.append([(q.power, q.kind, q.context) for q in play.questions()])
        got.append(play.waiting_for())

    take(play.start(throws))
    for line in EVENTS:
        side = CATHOLIC if line == "PASS" else PROTESTANT
        take(play.answer(side, read_order(GAME.orders, line, kit), throws))
    return got


@pytest.mark.parametrize("reader", [(PROTESTANT,), sight.PUBLIC])
def test_exchanged_hands_change_nothing_that_others_get(kit, reader):
    one = seen_of(kit, ["C1", "C2", "C3", "C4", "C5", "C6", "C7"], reader)
    other = seen_of(kit, ["C10", "C9", "C16", "C15", "C14", "C13", "C8"], reader)
    assert json.dumps(one) == json.dumps(other)
    assert not any(f'"{card}"' in json.dumps(one) for card in ("C1", "C2", "C3", "C4", "C5", "C6", "C7"))


def test_what_was_played_is_open_to_both_and_what_is_held_is_not(kit):
    play = laid(kit, {PROTESTANT: ["P14", "P3", "P8"], CATHOLIC: ["C1", "C2"]})
    throws = RandomThrows(1)
    play.start(throws)
    play.answer(PROTESTANT, read_order(GAME.orders, "EVENT P3", kit), throws)
    seen = sight.view(play.board, [CATHOLIC])
    assert seen.piles[deck.played(PROTESTANT)] == ["P3"]
    assert seen.piles[deck.hand(PROTESTANT)] == [HIDDEN_CARD] * 2
    assert set(seen.piles[deck.deck(CATHOLIC)]) == {HIDDEN_CARD}
    assert set(sight.view(play.board, [PROTESTANT]).piles[deck.deck(PROTESTANT)]) == {HIDDEN_CARD}


@pytest.mark.parametrize("scenario", ["campaign", "intervention", "apocalypse"])
def test_random_games_tell_nobody_the_others_secrets(kit, scenario):
    """What each reader is given is looked through for every hidden card, fact by fact."""
    record = Playout(GAME, kit, list(SIDES), 5, scenario=scenario).run()
    assert record.failure is None
