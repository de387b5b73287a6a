"""The units of all games by their names in three languages, one and several, behind the verbs that build them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem import games
from pbem.games.thirty_years_war.pieces import PiecesField
from pbem.table.kit import load_kit
from pbem.table.loose import read
from pbem.table.orders import split_words

COUNTS = {"en": ("", "2", "two", "5"), "fr": ("un", "une", "2", "deux", "cinq"), "ru": ("", "2", "две", "два", "пять")}
VERBS = {
    "en": ("build", "raise", "I hire", "I would like to build"),
    "fr": ("lever", "construire", "je recrute", "j'achète", "Lève"),
    "ru": ("строю", "набираю", "я нанимаю", "построить"),
}
OTHER_VERBS = {"struggle_of_empires": {"fr": ("lever", "construire", "je recrute", "bâtir", "Lève")}}
"""Verbs of a game in place of these: what is bought in it are tiles."""
COMMON = {
    "regular": (
        "regular", "regulars", "régulier", "réguliers", "регулярный отряд", "регулярных отряда", "регулярных отрядов",
    ),
    "mercenary": ("mercenary", "mercenaries", "mercenaire", "mercenaires", "наёмника", "наёмников", "наемников"),
    "cavalry": ("cavalry", "cavalries", "cavalerie", "cavaleries", "cavaliers", "кавалерию", "кавалерии", "кавалерий"),
    "corsair": ("corsair", "corsairs", "corsaire", "corsaires", "pirates", "корсара", "корсаров"),
}  # fmt: skip
SHIPS = {
    "galley": ("galley", "galleys", "galère", "galères", "галеру", "галеры", "галер"),
    "galleon": ("galleon", "galleons", "galion", "galions", "галеон", "галеона", "галеонов"),
    "race_built": (
        "race-built galleon", "race-built galleons", "galion de course", "galions de course", "низкобортный галеон",
        "низкобортных галеона", "низкобортных галеонов",
    ),
    "armada": ("armada", "armadas", "армаду", "армады", "армад"),
}  # fmt: skip
UNITS = {
    "here_i_stand": {
        **COMMON, "squadron": ("squadron", "squadrons", "escadre", "escadres", "эскадру", "эскадры", "эскадр"),
    },
    "virgin_queen": {**COMMON, **SHIPS},
    "struggle_of_empires": {
        "army": ("army", "armies", "armée", "armées", "армию", "армии", "армий"),
        "navy": ("navy", "navies", "ship", "ships", "flotte", "flottes", "marine", "marines", "флот", "флота", "флотов",
                 "корабль", "корабля"),
        "fort": ("fort", "forts", "forteresse", "forteresses", "форт", "форта", "фортов", "крепость",
                 "крепости", "крепостей"),
    },
}  # fmt: skip
PLACES = {
    "here_i_stand": {"en": "in Istanbul", "fr": "à Istanbul", "ru": "в Стамбуле"},
    "virgin_queen": {"en": "in Istanbul", "fr": "à Istanbul", "ru": "в Стамбуле"},
    "struggle_of_empires": {"en": "in India", "fr": "en Inde", "ru": "в Индии"},
}
NUMBERS = {"two": 2, "deux": 2, "две": 2, "два": 2, "cinq": 5, "пять": 5, "": 1, "un": 1, "une": 1}


def language_of(word: str) -> tuple[str, ...]:
    """The languages that a word may be of."""
    return ("ru",) if any("а" <= char <= "я" for char in word.casefold()) else ("en", "fr")


def lines(game: str, unit: str) -> Iterator[tuple[str, int]]:
    """Lines that build so many of a unit."""
    for word in UNITS[game][unit]:
        for language in language_of(word):
            for count in COUNTS[language]:
                for verb in {**VERBS, **OTHER_VERBS.get(game, {})}[language]:
                    number = NUMBERS[count] if count in NUMBERS else int(count)
                    yield f"{verb} {count} {word} {PLACES[game][language]}", number


def meant(game: str, line: str) -> set[str]:
    """What a line may mean, as orders."""
    return {one.order().text() for one in read(games.find_game(game).orders, line, load_kit(game))}


@pytest.mark.parametrize("game, unit", [(game, unit) for game, units in UNITS.items() for unit in units])
def test_units_are_built_by_all_their_names(game: str, unit: str) -> None:
    wrong = []
    for line, number in lines(game, unit):
        if game == "struggle_of_empires":
            order = "BUILD " + ", ".join([f"{unit} AT india"] * number)
        else:
            order = f"BUILD {f'{number} ' if number > 1 else ''}{unit} IN istanbul"
        may = {one.replace("BUILD 1 ", "BUILD ") for one in meant(game, line)}
        if order not in may or (len(may) > 1 and number > 1):  # several without a number: it is asked how many
            wrong.append((line, may))
    assert wrong == []


def test_pieces_of_the_thirty_years_war_by_all_their_names() -> None:
    kit, wrong = load_kit("thirty_years_war"), []
    for domain, unit, _, name in kit.record["names"]:
        for number in (1, 2, 5) if domain == "unit" else ():
            if PiecesField().read(split_words(f"{number} {name}"), kit)["units"] != {unit: {"any": number}}:
                wrong.append((number, name))
    assert wrong == []
    assert {unit for domain, unit, _, _ in kit.record["names"] if domain == "unit"} == set(kit.labels["unit"])


@pytest.mark.parametrize(
    "line, space", [("нанимаю двух наёмников в Вене", "vienna"), ("нанимаю 2 наёмников в Венеции", "venice")]
)
@pytest.mark.parametrize("game", ["here_i_stand", "virgin_queen"])
def test_vienna_in_a_case_is_not_the_beginning_of_venice(game: str, line: str, space: str) -> None:
    assert meant(game, line) == {f"BUILD 2 mercenary IN {space}"}


@pytest.mark.parametrize(
    "line",
    ["ne lève pas 2 cavaleries à Istanbul", "lever 2 cavaleries à Istanbul ?",
     "si possible, lever 2 cavaleries à Istanbul", "не набираю кавалерию в Стамбуле",
     "Claire veut lever 2 cavaleries à Istanbul"],
)  # fmt: skip
def test_what_is_denied_or_asked_builds_nothing(line: str) -> None:
    assert meant("here_i_stand", line) == set()
