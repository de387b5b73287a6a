"""The kit of Virgin Queen: what the rulebook fixes of its map and deck, and names in every language."""

import re
from collections import Counter
from pathlib import Path

import pytest

import pbem
from pbem.render.narrative import Teller
from pbem.table.kit import load_kit

KIT = load_kit("virgin_queen")


def test_the_map_has_the_passes_waterways_and_waters_of_the_rulebook() -> None:
    kinds = Counter(row["kind"] for row in KIT.tables["connections"].values())
    assert (kinds["pass"], kinds["waterway"]) == (17, 2)
    waters = Counter(row["waters"] for row in KIT.tables["sea_zones"].values())
    assert (waters["mediterranean"], waters["atlantic"]) == (8, 5)
    assert len(KIT.tables["ocean_zones"]) == 10
    shared = Counter(row["second_home"] for row in KIT.tables["spaces"].values() if row["second_home"])
    assert shared == {"dutch": 7, "huguenot": 12}


def test_the_deck_has_two_home_cards_a_power_and_as_many_cards_that_enter_later_as_the_rulebook_says() -> None:
    cards = KIT.tables["cards"].values()
    assert len(cards) == KIT.constants["cards_in_deck"]
    assert Counter(row["owner"] for row in cards if row["kind"] == "home") == dict.fromkeys(KIT.tables["powers"], 2)
    later = [row for row in cards if row["entry"] != "start"]
    assert len(later) == KIT.constants["cards_that_enter_later"]


def test_there_are_as_many_royals_and_treasures_as_the_rulebook_says() -> None:
    assert len(KIT.tables["royals"]) == KIT.constants["royals"] == 22
    assert sum(row["count"] for row in KIT.tables["treasures"].values()) == KIT.constants["treasures"] == 30


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
@pytest.mark.parametrize(
    ("domain", "table"),
    [("space", "spaces"), ("sea", "sea_zones"), ("ocean", "ocean_zones"), ("village", "villages"),
     ("leader", "leaders"), ("captain", "sea_captains"), ("royal", "royals"), ("card", "cards")],
)  # fmt: skip
def test_no_two_things_of_one_kind_share_a_name(domain: str, table: str, language: str) -> None:
    names = Counter(KIT.display(domain, id, language) for id in KIT.tables[table])
    assert [name for name, number in names.items() if number > 1] == []


def test_every_option_is_asked_for_by_the_rules() -> None:
    package = Path(pbem.__file__).parent
    rooms = (package / "table", package / "games" / "reformation", package / "games" / "virgin_queen")
    files = [file for room in rooms for file in room.rglob("*.py")]
    asked = set(re.findall(r"""options(?:\[|\.get\()["'](\w+)""", "\n".join(file.read_text() for file in files)))
    assert set(KIT.options) <= asked


def test_options_stand_in_a_group() -> None:
    for option in KIT.options.values():
        assert option.group, option.id


@pytest.mark.parametrize(("language", "column"), [("en", "text"), ("fr", "text_fr"), ("ru", "text_ru")])
def test_each_card_tells_its_holder_what_it_does_in_his_language(language: str, column: str):
    kit = load_kit("virgin_queen")
    told = {str(row["card"]): row[column] for row in kit.tables["card_effects"].values()}
    assert set(told) == set(kit.tables["cards"])
    teller = Teller(kit, language)
    for id in kit.tables["cards"]:
        text = teller.of_kit("hand", "effects", id)
        assert text.strip() == told[id] and len(text) > 20, id
        assert not re.search(r"\b(OTT|SPA|ENG|FRA|HRE|PRO)\b|\*\*|`", text), text
