"""The cards: each has a function and cases of its own, none is written under a name that is no card's; random play and
forms find what the cases answer."""

from functools import cache
from pathlib import Path

import pytest

from pbem.games import find_game
from pbem.games.virgin_queen.room import cards
from pbem.rehearse import Rehearsal, load_case
from pbem.table.dice import Throws
from pbem.table.kit import Kit, load_kit
from pbem.table.orders import Order
from pbem.table.procedure import Outcome

CASES = Path(__file__).parents[2] / "cases" / "virgin_queen"
FILES = sorted(CASES.glob("C-*.yaml"), key=lambda file: file.stem)
OF_SEVERAL = {
    *("move", "march_road", "sail", "transport", "send", "assault"),
    *("upgrade_armada", "build_aboard", "award"),
}
"""Orders that name a part of a stack, a number or several things: their questions list some of the many."""


@cache
def kit() -> Kit:
    return load_kit("virgin_queen")


def test_every_card_has_a_function() -> None:
    assert cards.BOOK.missing_events(kit()) == []


def test_no_function_bears_a_name_that_is_no_cards() -> None:
    assert cards.BOOK.unknown_events(kit()) == []


def test_every_card_has_a_case() -> None:
    cases = {int(file.name.split("-")[1]) for file in FILES}
    assert cases >= {int(card) for card in kit().tables["cards"]}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_questions_of_a_card_list_what_a_case_answers(file: Path) -> None:
    rehearsal = Rehearsal(find_game("virgin_queen"), kit(), load_case(file))
    play, take, missing = rehearsal.play, rehearsal.play.answer, []

    def answer(power: str, order: Order, throws: Throws) -> Outcome:
        question = play.question_for(power, order)
        assert question is not None
        if type(order).id() not in OF_SEVERAL:
            offered = [one.text() for one in type(order).legal(rehearsal.table, question)]
            if order.text() not in offered:
                missing.append((order.text(), offered))
        return take(power, order, throws)

    play.answer = answer  # type: ignore[method-assign]
    rehearsal.run()
    assert missing == []
