"""6.3, 10, 23.5: what is hidden stays hidden: home cards put away, the Empire's preference, treasures, loot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.room import GAME
from pbem.rehearse import arrange as lay_out
from pbem.render.board_text import board_text
from pbem.render.narrative import Teller, narrate
from pbem.render.own import own_things
from pbem.table import sight
from pbem.table.board import HIDDEN_CARD, Board
from pbem.table.dice import RandomThrows
from pbem.table.facts import Fact, apply_all
from pbem.table.kit import Kit, load_kit
from pbem.table.orders import read_order
from pbem.table.procedure import Play, Table

POWERS = ["ottoman", "spain", "england", "france", "empire", "protestant"]


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit("virgin_queen")


class Told:
    """A play in which each reader's facts are kept."""

    def __init__(self, kit: Kit, arrange: Sequence[tuple[str, Any]]):
        self.kit = kit
        table = Table(Board(GAME.id, list(POWERS)), kit, game=GAME)
        GAME.set_up(table, "1559")
        for name, value in arrange:
            lay_out(GAME, table, name, value)
        self.play, self.throws, self.facts = Play(GAME, table), RandomThrows(1), list[Fact]()
        self.facts += self.play.start(self.throws).facts

    def answer(self, power: str, line: str) -> None:
        order = read_order(GAME.orders, line, self.kit)
        self.facts += self.play.answer(power, order, self.throws).facts

    def seen(self, reader: tuple[str, ...]) -> list[Fact]:
        return [form for fact in self.facts if (form := sight.seen_by(self.play.board, fact, reader)) is not None]

    def text(self, reader: tuple[str, ...]) -> str:
        return " ".join(paragraph.text for paragraph in narrate(self.seen(reader), self.kit))


HOME_CARDS = [("turn", 4), ("hand", {"power": "spain", "cards": [3, 4]}), ("phase", "spring")]


def spring(kit: Kit, put_away: str = "3", preference: str = "catholic") -> Told:
    """The spring of turn 4, in which all but these two questions are passed."""
    told = Told(kit, HOME_CARDS)
    lines = {"preference": f"PREFER {preference}", "home_card": f"PUT AWAY {put_away}"}
    while told.play.board.state["phase"] == "spring" and (questions := told.play.questions()):
        power, kind = questions[0].power, questions[0].kind
        told.answer(power, lines.get(kind, "PASS"))
    return told


def test_which_home_card_is_put_away_only_its_power_knows(kit: Kit) -> None:
    one, other = (spring(kit, card) for card in ("3", "4"))
    assert one.play.board.piles["put_away:spain"] == ["3"] and other.play.board.piles["put_away:spain"] == ["4"]
    for power in POWERS:
        assert (one.seen((power,)) == other.seen((power,))) is (power != "spain"), power
    assert one.seen(sight.PUBLIC) == other.seen(sight.PUBLIC)
    assert kit.display("card", "3") in one.text(("spain",)) and kit.display("card", "3") not in one.text(("france",))


def test_the_preference_of_the_empire_is_its_own_until_it_is_shown(kit: Kit) -> None:
    first, *others = (spring(kit, preference=preference) for preference in kit.constants["preferences"])
    assert first.play.board.piles["preference:empire"] == ["preference:protestant"]
    for told in others:
        assert told.seen(("empire",)) != first.seen(("empire",))
        for reader in (sight.PUBLIC, *((power,) for power in POWERS if power != "empire")):
            assert told.seen(reader) == first.seen(reader), reader


def test_treasures_are_seen_by_their_owner_alone(kit: Kit) -> None:
    table = Table(Board(GAME.id, list(POWERS)), kit, game=GAME)
    GAME.set_up(table, "1559")
    lay_out(GAME, table, "treasures", {"power": "england", "kinds": ["cp5", "vp1"]})
    for power in POWERS:
        view = sight.view(table.board, (power,))
        held = view.piles[treasures.hand("england")]
        assert (HIDDEN_CARD not in held) is (power == "england"), power
        assert set(view.piles[treasures.POOL]) == {HIDDEN_CARD}, "the pool is nobody's to see"
        things = own_things(view, [power], Teller(kit))
        mine = [thing.value for thing in things if "treasures" in thing.name.lower()]
        assert any("5 CP" in value for value in mine) is (power == "england")
        text = " ".join(board_text(view.to_json(), kit).split())
        assert ("5 CP" in text) is (power == "england"), "nor does the board in words tell"


def test_what_each_sees_folds_to_what_he_may_see(kit: Kit) -> None:
    told = spring(kit, "3")
    for reader in (sight.PUBLIC, *((power,) for power in POWERS)):
        begun = Told(kit, HOME_CARDS)
        view = sight.view(begun.play.board, reader)
        fresh = [form for fact in told.facts[len(begun.facts) :]
                 if (form := sight.seen_by(told.play.board, fact, reader)) is not None]  # fmt: skip
        apply_all(view, fresh)
        assert view.piles == sight.view(told.play.board, reader).piles, reader
