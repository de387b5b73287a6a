"""The verbs of lines in French and Russian: each order of a game can be written in all three languages."""

from __future__ import annotations

import re

import pytest

from pbem import games
from pbem.table.grammar import Line
from pbem.table.kit import Kit, load_kit
from pbem.table.loose import read
from pbem.table.orders import Order, Phrases
from tests.lines.test_lines import GAMES

CYRILLIC = re.compile("[а-яё]")
AGREEING = ("yes", "no", "done", "pass")
"""Verbs whose words are those of every game under their own name (``yes = [...]``)."""


def words(kit: Kit, verb: str) -> frozenset[str]:
    """What may stand for a verb."""
    return kit.words(f"like {verb}") | (kit.words(verb) if verb in AGREEING else frozenset())


def verbs(kinds: tuple[type[Line], ...] | list[type[Order]]) -> set[str]:
    """The verbs of some kinds, and of the clauses of deals in them."""
    found = set()
    for kind in kinds:
        found.add(kind.pattern.key)
        for field in kind.fields.values():
            if isinstance(field, Phrases):
                found |= verbs(list(field.kinds.values()))  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_each_verb_has_its_words_in_french_and_russian(game):
    kit = load_kit(game)
    lacking = []
    for verb in sorted(verbs(games.find_game(game).orders)):
        said = {word for word in words(kit, verb) if word != "pass"}
        lacking += [f"{verb}: Russian"] if not any(CYRILLIC.search(word) for word in said) else []
        lacking += [f"{verb}: French"] if all(CYRILLIC.search(word) for word in said) else []
    assert lacking == []


@pytest.mark.parametrize(
    "game, line, meant",
    [
        ("here_i_stand", "je paie 31 et 45", "PAY 31, 45"),
        ("here_i_stand", "плачу 31, 45", "PAY 31, 45"),
        ("here_i_stand", "показываю 31", "SHOW 31"),
        ("here_i_stand", "отдаю карту церкви", "GIVE CARD TO THE CHURCH"),
        ("here_i_stand", "je donne une carte à l'église", "GIVE CARD TO THE CHURCH"),
        ("here_i_stand", "отхожу назад", "FALL BACK"),
        ("here_i_stand", "объявляю 1 союз с Францией", "ANNOUNCE 1 ALLIANCE WITH france"),
        ("here_i_stand", "j'annonce 1 alliance avec la France", "ANNOUNCE 1 ALLIANCE WITH france"),
        ("here_i_stand", "объявляю 2: мир с Францией", "ANNOUNCE 2 END WAR WITH france"),
        ("here_i_stand", "annonce 1 donne 1 carte à la France, alliance avec l'Angleterre",
         "ANNOUNCE 1 GIVE 1 CARDS TO france, ALLIANCE WITH england"),
        ("virgin_queen", "объявляю 1 союз с Францией", "ANNOUNCE 1 ALLIANCE WITH france"),
        ("virgin_queen", "раскрываю предпочтение", "REVEAL PREFERENCE"),
        ("virgin_queen", "английский католический мятеж за 4 ср", "ENGLISH CATHOLIC REBELLION FOR 4 CP"),
        ("thirty_years_war", "даю бой", "GIVE BATTLE"),
        ("thirty_years_war", "rétablis l'ordre", "RESTORE ORDER"),
        ("thirty_years_war", "отзываю Валленштейна в Прагу", "RECALL WALLENSTEIN TO prague"),
        ("struggle_of_empires", "перебросить", "REROLL"),
    ],
)  # fmt: skip
def test_what_such_a_line_means(game, line, meant):
    kit = load_kit(game)
    assert {one.order().text() for one in read(games.find_game(game).orders, line, kit)} == {meant}


@pytest.mark.parametrize(
    "line",
    ["j'annonce 1 alliance avec personne", "объявляю 1 союз не с Францией", "announce 1 alliance with france if asked",
     "je prends mon temps", "je change d'avis", "я ничего не плачу"],
)  # fmt: skip
def test_what_takes_back_or_leaves_open_means_nothing(line):
    for game in GAMES:
        assert read(games.find_game(game).orders, line, load_kit(game)) == [], game
