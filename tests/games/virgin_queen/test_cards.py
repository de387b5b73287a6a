"""The cards: each has a function and a case of its own, none is written under a name that is no card's."""

from pathlib import Path

from pbem.games.virgin_queen.room import cards
from pbem.table.kit import load_kit

KIT = load_kit("virgin_queen")
CASES = Path(__file__).parents[2] / "cases" / "virgin_queen"

NOT_WRITTEN_YET = {
    *(1, 3, 6, 7, 8, 9, 10, 11, 35, 38, 44, 46, 49, 51, 54),
}
"""Cards whose function nobody has written yet; a number leaves this set with its function."""


def numbers(titles: list[str]) -> set[int]:
    return {int(title.split()[0]) for title in titles}


def test_every_card_has_a_function_but_those_that_are_still_to_be_written() -> None:
    assert numbers(cards.missing_events(KIT)) == NOT_WRITTEN_YET


def test_no_function_bears_a_name_that_is_no_cards() -> None:
    assert cards.unknown_events(KIT) == []


def test_every_card_that_is_written_has_a_case() -> None:
    cases = {int(file.name.split("-")[1]) for file in CASES.rglob("C-*.yaml")}
    assert cases >= {int(card) for card in KIT.tables["cards"]} - NOT_WRITTEN_YET
