"""The words of the games: every refusal that the rules can raise has its sentence (`pbem words check`)."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from pbem import words
from pbem.cli import main
from pbem.games import game_ids
from pbem.render.narrative import phrases
from pbem.resources import kits
from pbem.table.kit import Kit, load_kit
from pbem.table.orders import Name, Order

CODE = '''
from pbem.games.shared import rules

class March(Order):
    elsewhere = "for_the_march"

def check(table, order):
    if order.number > 3:
        raise Refused("too_many", "3", most=3)
    if order.place:
        code = "closed" if order.place == "hill" else "far_off"
        raise Refused(code, hints=["PASS"], place=order.place)
    raise Refused(f"no_{order.id()}")
'''
SHARED = 'def why_not(power):\n    return orders.Refused("not_yours", **power)\n'
PHRASES = """
[refused]
too_many = "at most {{ most }}"
closed = "{{ place|name }} is closed"
far_off = "{{ place|name }} is far off"
not_yours = "{{ power|name }} is not yours"
for_the_march = "{{ verb }} is for the march; asked is {{ question|question }}"
no_march = "no march now"
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A game of its own with its phrases: called with what its code, English and French hold besides."""
    monkeypatch.setattr(words, "ROOT", tmp_path)

    def check(code: str = "", english: str = "", french: str = "") -> words.Checked:
        for name, content in (("toys", CODE + code), ("shared", SHARED)):
            (tmp_path / "games" / name).mkdir(parents=True, exist_ok=True)
            (tmp_path / "games" / name / "rules.py").write_text(content, encoding="utf-8")
        files = {"config/games/toys/phrases.en.toml": PHRASES + english,
                 "config/games/toys/phrases.fr.toml": f"[refused]\n{french}"}  # fmt: skip
        monkeypatch.setattr("pbem.render.narrative.phrases.read_file", lambda name: tomllib.loads(files.get(name, "")))
        return words.check("toys")

    return check


@pytest.mark.parametrize("game", [None, *words.families(), *game_ids()])
def test_every_refusal_of_a_game_has_its_sentence(game):
    problems = words.check(game).problems
    if game in kits() and load_kit(game).status == "in preparation":  # the phrases may still follow the rules
        problems = [problem for problem in problems if "has no English phrase" not in problem]
    assert problems == []


def test_the_table_is_translated(tmp_path):
    assert all(not lacks for lacks in words.check(None).missing.values())


def test_a_house_in_order_has_no_problems_and_what_is_not_translated_is_counted(house):
    checked = house(french='too_many = "au plus {{ most }}"')
    assert checked.problems == []
    assert checked.missing["fr"] == {"refused": 5} and checked.missing["ru"] == {"refused": 6}


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"code": 'def a():\n    raise Refused("you may not do that")'}, "a sentence stands in the code"),
        ({"code": 'def a(b):\n    raise Refused(f"{b} is far off")'}, "a sentence stands in the code"),
        ({"code": 'def a():\n    raise Refused("not_foreseen", place="hill")'}, "not_foreseen has no English phrase"),
        ({"code": 'def a():\n    return Refused("too_many", number=3)'}, "too_many asks for most, not given"),
        ({"english": 'dull_one = "a phrase that nobody uses"'}, "dull_one: no code refuses by this phrase"),
        ({"french": 'far_off = "{{ space|name }} est loin"'}, "the phrase of far_off asks for space"),
        ({"french": 'morne = "inutile"'}, "morne is no refusal that has an English phrase"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(house, more, problem):
    assert [problem in one for one in house(**more).problems] == [True]


def _told_of_options(game: str, language: str, **changed: str | None) -> words.Checked:
    """What is found wrong where a phrase file of a game holds another option, or one less."""
    read = phrases.read_file

    def changed_read(name: str):
        content = read(name)
        if name != f"config/games/{game}/phrases.{language}.toml":
            return content
        options = {option: dict(told) for option, told in content["option"].items()}
        for at, text in changed.items():
            option, _, key = at.partition("__")
            if text is None:
                del options[option][key]
            else:
                options.setdefault(option, {})[key] = text
        return {**content, "option": options}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.render.narrative.phrases.read_file", changed_read)
        return words.check(game)


@pytest.mark.parametrize(
    ("game", "language", "changed", "problem"),
    [
        ("struggle_of_empires", "fr", {"gold_sums__owner": None}, "fr: [option] gold_sums owner has no phrase"),
        ("here_i_stand", "ru", {"stirling_fortress__subject": None}, "ru: [option] stirling_fortress subject has no"),
        ("here_i_stand", "ru", {"placards_attempts__about": None}, "ru: [option] placards_attempts about has no"),
        ("reformation", "en", {"no_such__subject": "Nothing"}, "en: [option] no_such subject: no kit has that"),
        ("virgin_queen", "en", {"paris_points__often": "Often"}, "en: [option] paris_points often: no kit has that"),
    ],
)
def test_every_option_is_told_in_every_language(game, language, changed, problem):
    assert [problem in one for one in _told_of_options(game, language, **changed).problems] == [True]


def test_what_players_read_of_a_kit_is_there_in_every_language_with_the_same_figures(monkeypatch):
    record = json.loads(load_kit("virgin_queen").to_json())
    table = next(one for one in record["tables"] if one["name"] == "card_effects")
    names = [name for name, _ in table["columns"]]
    by_card = {row[names.index("card")]: row for row in table["rows"]}
    by_card[23][names.index("text_fr")] = ""
    by_card[24][names.index("text_ru")] = by_card[24][names.index("text_ru")].replace("2", "3")
    spoilt = Kit.from_json(json.dumps(record))
    monkeypatch.setattr(words, "load_kit", lambda game: spoilt)
    assert words.check("virgin_queen").problems == [
        "card_effects 23:event: text_fr is missing",
        "card_effects 24:event: text_ru has not the figures of text",
    ]


def test_the_command_tells_what_is_not_translated_and_fails_on_faults(monkeypatch):
    told = CliRunner().invoke(main, ["words", "check", "struggle_of_empires"])
    assert told.exit_code == 0 and "struggle_of_empires: not translated (fr): " in told.output
    monkeypatch.setattr("pbem.cli.check_words", lambda game: words.Checked(["rules.py:3: so it is"]))
    failed = CliRunner().invoke(main, ["words", "check"])
    assert failed.exit_code == 1 and "every game: rules.py:3: so it is" in failed.output


class March(Order):
    """Walk over the hill."""

    line = "MARCH {hill_top}"
    hill_top = Name("space", help="where the wind blows")


def test_what_orders_say_of_themselves_stands_in_every_catalogue(monkeypatch):
    monkeypatch.setattr(words, "find_game", lambda game: SimpleNamespace(orders=[March]))
    problems = list(words._order_problems("toys"))
    for language in ("fr", "ru"):
        told = [problem for problem in problems if problem.startswith(f"{language}: ")]
        assert [one.split("”")[0] for one in told] == [
            f"{language}: “{text}" for text in ("Walk over the hill.", "Hill top", "where the wind blows")
        ]
