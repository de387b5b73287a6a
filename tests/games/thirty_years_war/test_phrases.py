"""Phrases: whatever happens in Thirty Years War is told in every language, without a raw id."""

from __future__ import annotations

import ast
import logging
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import pbem.games
from pbem import resources
from pbem.games import find_game
from pbem.rehearse import Rehearsal, load_case
from pbem.render.language import field_label
from pbem.render.narrative import Teller, check_phrases, narrate
from pbem.table import sight
from pbem.table.facts import Fact
from pbem.table.grammar import Unreadable, find_in, find_name
from pbem.table.kit import Kit, load_kit
from pbem.table.orders import Refused
from tests.games.telling import LANGUAGES, RAW, Told, play, told_by
from tests.told import told

GAME = "thirty_years_war"
CASES = Path(__file__).parents[2] / "cases" / GAME
SEEDS = {5: "early_war", 2: "apocalypse"}


@cache
def kit() -> Kit:
    return load_kit(GAME)


@cache
def played(seed: int) -> Told:
    return play(kit(), SEEDS[seed], seed)


@cache
def facts_of(case: str) -> list[Fact]:
    rehearsal = Rehearsal(find_game(GAME), kit(), load_case(CASES / case))
    assert rehearsal.run().passed
    return rehearsal.facts


def texts(case: str, language: str = "en") -> list[str]:
    return [paragraph.text for paragraph in narrate(facts_of(case), kit(), language)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_game_is_told(
    seed: int, language: str, fallbacks: list[Fact], caplog: pytest.LogCaptureFixture
) -> None:
    for reader in (sight.PUBLIC, ("catholic",), ("protestant",)):
        for facts in played(seed).seen[reader]:
            for paragraph in narrate(facts, kit(), language):
                assert not RAW.search(paragraph.text), paragraph.text
    assert fallbacks == []
    assert not caplog.records, caplog.records[0].getMessage()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_question_is_put_in_words(seed: int, language: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "pbem.render.narrative")
    teller = Teller(kit(), language)
    for power, kind, context in played(seed).asked:
        title, words = teller.question(kind, context, power)
        assert title and words and not RAW.search(words), (kind, words)
    assert not caplog.records, caplog.records[0].getMessage()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_its_phrase(language: str) -> None:
    """All that the rules tell, whether a random game comes to it or not, and every kind of question of the kit."""
    phrases = set(check_phrases(GAME, language))
    assert {f"happened {what}" for what in told_by(GAME)} <= phrases
    kinds = set(kit().times) - {"default"}
    assert {f"ask {kind}" for kind in kinds} | {f"ask {kind} title" for kind in kinds} <= phrases


def _sections(language: str) -> dict[str, dict]:
    file = resources.path(f"config/games/{GAME}/phrases.{language}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def test_the_languages_say_the_same_things() -> None:
    """A phrase that one language has is missing in none: what is silent in one is not told in another."""
    found = {
        frozenset((section, key) for section, keys in _sections(language).items() if section != "forms" for key in keys)
        for language in LANGUAGES
    }
    assert len(found) == 1


def test_every_refusal_has_its_sentence() -> None:
    codes = set()
    for file in (Path(pbem.games.__file__).parent / GAME).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Refused" and node.args:
                codes |= {node.args[0].value} if isinstance(node.args[0], ast.Constant) else set()
    missing = {language: sorted(codes - _sections(language)["refused"].keys()) for language in LANGUAGES}
    assert missing == dict.fromkeys(LANGUAGES, [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_units_may_be_written_as_they_are_told(language: str) -> None:
    counted = _sections(language)["nouns"]
    units = {row["id"] for row in kit().tables["units"].values()}
    assert units <= counted.keys()
    for unit in units:
        for form in counted[unit]:
            assert find_in(kit(), ("unit", "unit_type"), form) == unit


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_names_a_card_by_its_letter_and_number(language: str) -> None:
    assert Teller(kit(), language).refusal(Refused("card_not_in_hand", "8.2", card="P11")).count("P11 ") == 1


def test_a_card_without_its_letter_is_answered_by_what_would_be_right() -> None:
    with pytest.raises(Unreadable) as caught:
        find_name(kit(), "card", "11")
    assert re.search("did you mean C11 Spinola .* or P11 Treaty of Ulm", told(caught.value, kit())[0])


# --- what a battle and cards look like ---


def test_breitenfeld_is_told_as_the_rulebook_tells_it() -> None:
    march, forces, dice, end = texts("ex-13-breitenfeld.yaml")
    assert march.startswith("The Protestants activate Gustavus Adolphus in Torgau with P1 Val Telline Passes Closed: ")
    assert march.endswith("Gustavus Adolphus, Baner and Horn. To Leipzig. The Catholics stay before the walls of "
                          "Leipzig: 7 Bavarian mercenaries (3 reduced), Tilly and Pappenheim.")  # fmt: skip
    assert forces.startswith("Battle of Leipzig. The Protestants attack from Torgau: ")
    assert "commanded by Gustavus Adolphus; 24 combat factors. The Catholics defend: " in forces
    assert forces.endswith("The Protestants play P13 Command Rivalry, P34 Swedish Firepower. Tilly commands the "
                           "defence. The Catholics play C49 Unreliable Troops.")  # fmt: skip
    assert dice.startswith(
        "The Protestants: 24 combat factors, column 20+; die 8, Gustavus Adolphus +3, P34 Swedish Firepower +1, "
        "C49 Unreliable Troops −1 = 11: 14 loss factors on the enemy. The Catholics: 18 combat factors, column 15-19; "
        "die 4, Tilly +2, P13 Command Rivalry −1 = 5: 9 loss factors on the enemy. "
        "The Protestants take 9 of 9 loss factors: 1 Saxon militia eliminated, 1 Saxon militia reduced, "
        "1 Swedish veteran reduced. The Catholics take 12 of 14 loss factors: 3 Bavarian mercenaries eliminated, "
        "1 Bavarian mercenary reduced. Leaders: Gustavus Adolphus 1 against 8, unharmed."
    )
    assert end == ("The Protestants win the battle of Leipzig: losses caused 12 to 9. The Catholics retreat to Lützen. "
                   "The Protestants mask Leipzig.")  # fmt: skip
    assert "столбец 20+; кость 8, Густав Адольф +3" in texts("ex-13-breitenfeld.yaml", "ru")[2]
    assert "colonne 20+ ; dé 8, Gustave-Adolphe +3" in texts("ex-13-breitenfeld.yaml", "fr")[2]


def test_a_card_in_hand_tells_its_value_its_mark_its_aid_and_what_it_does() -> None:
    teller = Teller(kit())
    note = teller.of_kit("hand", "card", "C6")
    assert note.startswith("value 3; aid: Spain ") and note.endswith("; * removed after its event")
    assert "VP" in teller.of_kit("hand", "effects", "C6")
    for language in LANGUAGES:
        other = Teller(kit(), language)
        for card in kit().tables["cards"]:
            assert other.of_kit("hand", "card", card) and other.of_kit("hand", "effects", card), (language, card)


def test_pieces_that_come_together_are_counted() -> None:
    put = {"fact": "piece", "before": {"at": "supply"}, "after": {"at": "stettin"}, "why": "P18", "section": "17.Sw.1"}
    facts = [put | {"piece": f"unit:swedish_veteran:{number}"} for number in range(1, 7)]
    (told,) = narrate([{"fact": "happened", "what": "event", "power": "protestant", "card": "P18"}, *facts], kit())
    assert told.text == ("The Protestants play P18 Sweden Enters War as an event. "
                         "Swedish veteran comes to Stettin ×6.")  # fmt: skip


def test_every_option_is_asked_for_by_the_rules() -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in (Path(pbem.games.__file__).parent / GAME).rglob("*.py"))
    assert [option for option in kit().options if f'"{option}"' not in code] == []


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_every_order_and_its_fields_are_explained_in_every_language(language: str) -> None:
    with resources.path(f"templates/locale/{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    said = {kind.help() for kind in find_game(GAME).orders}
    for kind in find_game(GAME).orders:
        for name, field in kind.fields.items():
            said |= {field_label(name), field.help} - {""}
    assert [text for text in said if catalogue.get(text) is None or not catalogue[text].string] == []


def test_one_attempt_left_is_told_as_one():
    told = {code: Teller(load_kit("thirty_years_war"), code).question(
        "recruiting", {"left": 1, "steps": 2, "card": "C27"})[1] for code in ("en", "fr")}  # fmt: skip
    assert told["en"].startswith("1 attempt of C27") and " is left; 2 steps" in told["en"]
    assert told["fr"].startswith("Il reste 1 tentative de")
