"""The cards: each has a function and a case of its own, none is written under a name that is no card's."""

from pathlib import Path

from pbem.games.virgin_queen.room import cards
from pbem.table.kit import load_kit

KIT = load_kit("virgin_queen")
CASES = Path(__file__).parents[2] / "cases" / "virgin_queen"


def test_every_card_has_a_function() -> None:
    assert cards.missing_events(KIT) == []


def test_no_function_bears_a_name_that_is_no_cards() -> None:
    assert cards.unknown_events(KIT) == []


def test_every_card_has_a_case() -> None:
    cases = {int(file.name.split("-")[1]) for file in CASES.rglob("C-*.yaml")}
    assert cases >= {int(card) for card in KIT.tables["cards"]}
