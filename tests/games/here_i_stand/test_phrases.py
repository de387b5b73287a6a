"""Phrases: whatever happens in a game is told in every language, without a raw id, and as each reader may see it."""

from __future__ import annotations

import logging
import tomllib
from functools import cache

import pytest

from pbem import resources
from pbem.render.narrative import Teller, check_phrases, narrate
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.facts import Fact
from pbem.table.kit import Kit, load_kit
from tests.games.telling import LANGUAGES, RAW, Told, play, seen_by, told_by

SEEDS = {7: "1517", 2: "1532"}


@cache
def kit() -> Kit:
    return load_kit("here_i_stand")


@cache
def played(seed: int) -> Told:
    told = play(kit(), SEEDS[seed], seed)
    assert told.failure is None
    return told


def languages() -> list[str]:
    folder = resources.path("config/games/here_i_stand")
    return [code for code in LANGUAGES if (folder / f"phrases.{code}.toml").is_file()]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("seed", SEEDS)
def test_a_whole_game_is_told(
    seed: int, language: str, fallbacks: list[Fact], caplog: pytest.LogCaptureFixture
) -> None:
    seen = played(seed).seen
    for reader in (sight.PUBLIC, ("hapsburg",), ("protestant",)):
        for facts in seen[reader]:
            for paragraph in narrate(facts, kit(), language):
                assert not RAW.search(paragraph.text), paragraph.text
    assert fallbacks == []
    assert not caplog.records, caplog.records[0].getMessage()


@pytest.mark.parametrize("language", languages())
def test_every_question_is_put_in_words(language: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "pbem.render.narrative")
    teller = Teller(kit(), language)
    for seed in SEEDS:
        for power, kind, context in played(seed).asked:
            title, words = teller.question(kind, context, power)
            assert title and words and not RAW.search(words), (kind, words)
    assert not caplog.records, caplog.records[0].getMessage()


@pytest.mark.parametrize("language", languages())
def test_every_kind_has_its_phrase(language: str) -> None:
    """All that the rules tell, whether a random game comes to it or not, and every kind of question of the kit."""
    phrases = set(check_phrases("here_i_stand", language))
    assert {f"happened {what}" for what in told_by("here_i_stand", "reformation")} <= phrases
    kinds = set(kit().times) - {"default"}
    assert {f"ask {kind}" for kind in kinds} | {f"ask {kind} title" for kind in kinds} <= phrases


def test_the_languages_say_the_same_things() -> None:
    """A phrase that one language has is missing in none: what is silent in one is not told in another. Refusals are
    told in English where they are not translated."""
    folder = resources.path("config/games/here_i_stand")
    sections = {}
    for language in languages():
        content = tomllib.loads((folder / f"phrases.{language}.toml").read_text(encoding="utf-8"))
        told = {s: found for s, found in content.items() if s not in ("forms", "nouns", "refused", "family")}
        sections[language] = {(s, key) for s, found in told.items() for key in found}
    assert len({frozenset(found) for found in sections.values()}) == 1


# --- what fights, places and cards look like ---


def test_a_fight_is_told_as_the_rules_tell_it() -> None:
    facts: list[Fact] = [
        {"fact": "happened", "what": "field_battle", "space": "metz", "attacker": "france", "defender": "hapsburg",
         "section": "14"},
        {"fact": "roll", "what": "field_battle", "power": "france", "dice": [5, 2, 6], "sides": 6, "index": 41,
         "side": "attacker", "space": "metz", "hit_on": 5, "sources": {"units": 2, "leader": 1}, "section": "14"},
        {"fact": "roll", "what": "field_battle", "power": "hapsburg", "dice": [1, 3], "sides": 6, "index": 42,
         "side": "defender", "space": "metz", "hit_on": 5, "sources": {"units": 1, "defender": 1}, "section": "14"},
        {"fact": "happened", "what": "battle_won", "space": "metz", "winner": "france", "attacker_hits": 2,
         "defender_hits": 0, "section": "14"},
        {"fact": "units", "kind": "regular", "power": "hapsburg", "number": 1, "origin": "metz", "place": "supply",
         "why": "loss", "section": "14"},
    ]  # fmt: skip
    paragraphs = narrate(facts, kit())
    assert len(paragraphs) == 1
    assert paragraphs[0].sections == ["14"]
    assert paragraphs[0].text == (
        "Field battle in Metz: France against the Hapsburgs. France (attacker) throws 3 dice (units 2, leader 1): "
        "5 2 6 ⚄⚁⚅, 2 hits (throw 41). The Hapsburgs (defender) throw 2 dice (units 1, defender 1): 1 3 ⚀⚂, "
        "0 hits (throw 42). France wins: hits 2 (attacker) to 0 (defender). The Hapsburgs lose 1 regular in Metz."
    )


def test_things_are_counted_as_the_language_counts() -> None:
    english, french, russian = Teller(kit()), Teller(kit(), "fr"), Teller(kit(), "ru")
    assert [english.noun(n, "unit") for n in (0, 1, 2)] == ["0 units", "1 unit", "2 units"]
    assert [french.noun(n, "unit") for n in (0, 1, 2)] == ["0 unité", "1 unité", "2 unités"]
    assert [russian.noun(n, "mercenary") for n in (0, 1, 2, 5, 11, 21, 22)] == [
        "0 наёмников", "1 наёмник", "2 наёмника", "5 наёмников", "11 наёмников", "21 наёмник", "22 наёмника",
    ]  # fmt: skip
    assert russian.form("hapsburg", "of") == "Габсбургов" and russian.form("vienna", "in") == "в городе Вена"


def test_places_that_are_no_spaces_have_names() -> None:
    english, french = Teller(kit()), Teller(kit(), "fr")
    assert english.form("vienna/inside", "of") == "of Vienna (within the walls)"
    assert english.name("turn_track:5") == "the box of turn 5"  # not card 5, the Papal Bull
    assert english.name("foreign_war:110") == "War in Persia (foreign war)"
    assert english.name("leader:suleiman") == "Suleiman"
    assert french.form("algiers", "of") == "d'Alger"
    assert french.form("vienna", "of") == "de Vienne"
    assert english.named("CEDE st_dizier FROM hapsburg TO france") == "CEDE St. Dizier FROM Hapsburgs TO France"


def test_a_hand_is_told_to_its_owner_only() -> None:
    dealt: Fact = {
        "fact": "card", "card": "37", "origin": "deck", "place": "hand:ottoman", "to": ["ottoman"], "section": "6.2",
        "why": "deal",
    }  # fmt: skip
    board = Board("here_i_stand", ["ottoman", "hapsburg"])
    own, other = (narrate(seen_by(board, [dealt], (power,)), kit()) for power in board.powers)
    assert [paragraph.text for paragraph in own] == [f"Dealt to the Ottoman: {kit().display('card', '37')}."]
    assert other == []


def test_a_card_out_of_a_hand_is_told_to_the_two_parties() -> None:
    taken: Fact = {
        "fact": "card", "card": "37", "origin": "hand:ottoman", "place": "hand:hapsburg",
        "to": ["ottoman", "hapsburg"], "why": "ransom", "section": "9.4",
    }  # fmt: skip
    board = Board("here_i_stand", ["ottoman", "hapsburg", "england"])
    texts = [narrate(seen_by(board, [taken], (power,)), kit())[0].text for power in board.powers]
    name = kit().display("card", "37")
    assert texts[:2] == [f"{name} goes from the Ottoman to the Hapsburgs."] * 2
    assert texts[2] == "A card goes from the Ottoman to the Hapsburgs."


@pytest.mark.parametrize(("language", "faiths"), [
    ("en", ("Protestant", "Catholic")), ("fr", ("protestante", "catholique")),
    ("ru", ("протестантским", "католическим")),
])  # fmt: skip
def test_a_space_that_turns_is_asked_for_with_the_faith_that_it_turns_to(language, faiths):
    teller = Teller(load_kit("here_i_stand"), language)
    asked = [teller.question("flip_spaces", {"left": 2}, power)[1] for power in ("protestant", "papacy")]
    assert [faith in told for faith, told in zip(faiths, asked, strict=True)] == [True, True]


@pytest.mark.parametrize(("language", "said"), [
    ("en", "The voyage of France to conquer is lost."), ("fr", "Le voyage de la France pour une conquête est perdu."),
    ("ru", "Экспедиция Франции (завоевание) пропала."),
])  # fmt: skip
def test_a_voyage_that_a_card_cancels_is_told(language, said):
    fact = {"fact": "piece", "piece": "voyage:conquest:france", "before": {"at": "crossing:france"}, "after": None,
            "why": "search_for_cibola", "section": "20"}  # fmt: skip
    assert [paragraph.text for paragraph in narrate([fact], load_kit("here_i_stand"), language)] == [said]
