"""What HELP and CARD say of values that are not known to be those of the published game."""

from __future__ import annotations

import json

import pytest

from pbem.games import find_game
from pbem.render.narrative import Teller
from pbem.render.own import card_told
from pbem.table.kit import Kit, load_kit

LANGUAGES = ["en", "fr", "ru"]
WORD = {"en": "rebuilt", "fr": "reconstitué", "ru": "восстановлено"}


def helped(kit: Kit, order: str, language: str = "en") -> str:
    return Teller(kit, language).of_kit("help", order, order)


def with_source(kit: Kit, table: str, source: str) -> Kit:
    """The kit with one source for all rows of a table."""
    record = json.loads(kit.to_json())
    changed = next(one for one in record["tables"] if one["name"] == table)
    at = [name for name, _ in changed["columns"]].index("source")
    for row in changed["rows"]:
        row[at] = source
    return Kit.from_json(json.dumps(record))


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_marks_each_rebuilt_value_of_thirty_years_war_and_no_other(language: str) -> None:
    kit = load_kit("thirty_years_war")
    for order, table, columns in (("recruit", "recruitment", {"steps"}), ("lose", "units", {"lf_step1", "lf_step2"})):
        rebuilt = sum(found[0] == table and found[2] in columns for found in kit.rebuilt())
        assert 0 < rebuilt < len(columns) * len(kit.tables[table]), "some are known"
        *lines, legend = helped(kit, order, language).splitlines()
        assert "".join(lines).count("*") == rebuilt and legend == f"* {WORD[language]}"
    known = with_source(kit, "recruitment", "known (own copy)")
    assert "*" not in helped(known, "recruit", language), "nothing is rebuilt, so nothing is said of it"


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_of_virgin_queen_tells_what_every_action_costs_and_what_of_that_is_rebuilt(language: str) -> None:
    kit = load_kit("virgin_queen")
    teller = Teller(kit, language)
    told = "\n".join(helped(kit, kind.id(), language) for kind in find_game("virgin_queen").orders)
    for action, row in kit.tables["actions"].items():
        line = next(line for line in told.splitlines() if line.startswith(teller.name(action)))
        for power in kit.tables["powers"]:
            assert (f"{teller.name(power, 'power')} {row[power]}" in line) == bool(row[power]), (action, power)
    assert WORD[language] not in helped(kit, "build", language), "the rules give what they cost"
    doubtful = with_source(kit, "actions", "rebuilt")
    assert helped(doubtful, "patrol", language).strip().endswith(f"({WORD[language]})")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("order", "table", "domain", "column"),
    [("expedition", "sea_captains", "captain", "bonus"), ("announce", "royals", "royal", "bonus"),
     ("choose_bonus", "science_bonuses", "science_bonus", "effect")],
)  # fmt: skip
def test_help_of_virgin_queen_tells_what_people_and_sciences_are_good_for(
    language: str, order: str, table: str, domain: str, column: str
) -> None:
    kit = load_kit("virgin_queen")
    lines = helped(kit, order, language).splitlines()[-len(kit.tables[table]) :]
    for line, (id, row) in zip(lines, kit.tables[table].items(), strict=True):
        told = row[column if language == "en" else f"{column}_{language}"]
        assert line.startswith(kit.display(domain, id, language)) and told in line, id
        assert line.endswith(f"({WORD[language]})") == kit.is_rebuilt(table, id, column), id


@pytest.mark.parametrize(
    ("game", "card", "told"),
    [
        ("virgin_queen", "44", "(rebuilt: CP, effect)"), ("virgin_queen", "25", None),
        ("thirty_years_war", "C1", "(rebuilt: value)"), ("thirty_years_war", "C3", "(rebuilt: value, effect)"),
        ("here_i_stand", "97", "(rebuilt: CP, effect)"), ("here_i_stand", "1", None),
    ],
)  # fmt: skip
def test_a_card_that_is_asked_for_says_what_of_it_is_rebuilt(game: str, card: str, told: str | None) -> None:
    for language in LANGUAGES:
        last = card_told(card, Teller(load_kit(game), language)).splitlines()[-1]
        assert last.startswith(f"({WORD[language]}") == (told is not None)
        assert language != "en" or last == told or told is None
