"""Phrases: whatever happens in a game is told in every language, without a raw id, and as each reader may see it."""

from __future__ import annotations

import logging
import re
from functools import cache

import pytest

from pbem.games.virgin_queen.diplomacy.packages import CLAUSES
from pbem.games.virgin_queen.room import GAME
from pbem.render.explained import explanation
from pbem.render.narrative import Teller, check_phrases, narrate, own_phrases
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.facts import Fact
from pbem.table.kit import Kit, load_kit
from tests.games.telling import LANGUAGES, RAW, Told, play, seen_by, told_by

SEEDS = {1: "1559", 4: "tournament"}
KEYWORDS, LATIN = re.compile(r"\b[A-Z]{2,}\b"), re.compile(r"\b[a-z]{3,}\b")
READERS = (sight.PUBLIC, ("spain",), ("protestant",))


@cache
def kit() -> Kit:
    return load_kit("virgin_queen")


@cache
def played(seed: int) -> Told:
    told = play(kit(), SEEDS[seed], seed)
    assert told.failure is None
    return told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_whole_game_is_told(
    seed: int, language: str, fallbacks: list[Fact], caplog: pytest.LogCaptureFixture
) -> None:
    seen = played(seed).seen
    for reader in READERS:
        for facts in seen[reader]:
            for paragraph in narrate(facts, kit(), language):
                assert not RAW.search(paragraph.text), paragraph.text
    assert fallbacks == []
    assert not caplog.records, caplog.records[0].getMessage()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_is_put_in_words(language: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "pbem.render.narrative")
    teller = Teller(kit(), language)
    for seed in SEEDS:
        for power, kind, context in played(seed).asked:
            title, words = teller.question(kind, context, power)
            assert title and words and not RAW.search(words), (kind, words)
    assert not caplog.records, caplog.records[0].getMessage()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_its_phrase(language: str) -> None:
    """All that the rules tell, whether a random game comes to it or not, and every kind of question of the kit."""
    phrases = set(check_phrases("virgin_queen", language))
    assert {f"happened {what}" for what in told_by("virgin_queen", "reformation")} <= phrases
    kinds = set(kit().times) - {"default"}
    assert {f"ask {kind}" for kind in kinds} | {f"ask {kind} title" for kind in kinds} <= phrases


@pytest.mark.parametrize("game", ["virgin_queen", "reformation"])
def test_the_languages_say_the_same_things(game: str) -> None:
    """A phrase that one language has is missing in none; refusals are told in English where they are not translated."""
    own = {language: {at for at in own_phrases(game, language) if at[0] != "refused"} for language in LANGUAGES}
    assert own["fr"] == own["en"] and own["ru"] == own["en"]


# --- who may read what ---


def test_a_treasure_is_told_to_its_owner_only() -> None:
    drawn: Fact = {
        "fact": "card", "card": "cp3:2", "origin": "treasures", "place": "treasures:spain", "to": ["spain"],
        "why": "treasure", "section": "6.3",
    }  # fmt: skip
    board = Board("virgin_queen", ["spain", "england"])
    texts = [narrate(seen_by(board, [drawn], (power,)), kit())[0].text for power in board.powers]
    assert texts == ["Spain draws a treasure: 3 CP.", "Spain draws a treasure."]


def test_a_home_card_that_is_put_away_is_told_to_its_owner_only() -> None:
    away: Fact = {
        "fact": "card", "card": "3", "origin": "hand:spain", "place": "put_away:spain", "to": ["spain"],
        "why": "home_card", "section": "10",
    }  # fmt: skip
    board = Board("virgin_queen", ["spain", "england"])
    own, other = (narrate(seen_by(board, [away], (power,)), kit()) for power in board.powers)
    assert own[0].text == f"{kit().display('card', '3')} is put away."
    assert other == []


# --- what a few happenings look like ---


def told(*facts: Fact, language: str = "en") -> str:
    return " ".join(paragraph.text for paragraph in narrate(list(facts), kit(), language))


def test_a_rebellion_is_told_as_the_rules_tell_it() -> None:
    facts: list[Fact] = [
        {"fact": "happened", "what": "rebellion", "power": "protestant", "target": "france", "space": "lyon", "cp": 2,
         "section": "18.4"},
        {"fact": "roll", "what": "rebellion", "power": "protestant", "dice": [5, 1], "sides": 6, "index": 7,
         "space": "lyon", "hit_on": 5, "section": "18.4"},
        {"fact": "happened", "what": "rebellion_succeeds", "power": "protestant", "spaces": ["lyon"],
         "section": "18.4"},
    ]  # fmt: skip
    assert told(*facts) == (
        "Rebellion: the Protestants rise in Lyon against France. "
        "The Protestants throw 2 dice: 5 1 ⚄⚀, 1 hit (throw 7). "
        "The rebellion succeeds; Lyon goes over to the Protestants."
    )
    assert "Rébellion" in told(*facts, language="fr") and "Восстание" in told(*facts, language="ru")


def test_what_changes_of_influence_is_told_and_nothing_else() -> None:
    before = {"venice": {"spain": 1, "ottoman": 1}, "papacy": {"spain": 2}}
    after = {"venice": {"spain": 3, "ottoman": 1}, "papacy": {"spain": 2}}
    fact: Fact = {"fact": "state", "name": "influence", "before": before, "after": after, "section": "24.5"}
    assert told(fact) == "Influence of Spain, Venice: 1 → 3."


def test_a_wedding_is_told_with_what_comes_of_it() -> None:
    fact: Fact = {
        "fact": "happened", "what": "wedding", "man": "henri_iii", "woman": "elizabeth_i", "total": 12,
        "result": ["vp", "wife_dies"], "section": "21.1",
    }  # fmt: skip
    assert told(fact) == "Henri III and Elizabeth I, total 12: they marry, and she dies."
    assert told({**fact, "result": ["cancelled"]}).endswith("the wedding is called off.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_table_takes_the_name_of_a_space(language: str) -> None:
    """What a thing is called for its id goes before the names of the kit: such an id must not be that of a space."""
    teller = Teller(kit(), language)
    spaces = kit().tables["spaces"]
    assert {space: teller.name(space, "space") for space in spaces} == {
        space: kit().display("space", space, language) for space in spaces
    }


@pytest.mark.parametrize(
    ("language", "line", "said"),
    [
        ("en", "END WAR OF ottoman WITH spain", "END WAR OF Ottoman WITH Spain"),
        ("ru", "END WAR OF ottoman WITH spain", "конец войны: Османы и Испания"),
        ("ru", "GIVE 1 CARDS FROM ottoman TO spain", "карты: 1, Османы → Испания"),
        ("fr", "ALLIANCE WITH spain", "alliance : Espagne"),
        ("ru", "CEDE metz, lyon FROM france TO spain", "уступка: Мец, Лион, Франция → Испания"),
    ],
)
def test_clauses_are_told_in_words(language: str, line: str, said: str) -> None:
    assert Teller(kit(), language).named(line) == said


@pytest.mark.parametrize("language", ["fr", "ru"])
def test_every_clause_has_its_words(language: str) -> None:
    words = Teller(kit(), language).words("clause")
    assert {kind.line for kind in CLAUSES if kind.offered} <= words.keys()


@pytest.mark.parametrize(("language", "said"), [("en", "event"), ("fr", "événement"), ("ru", "событие")])
def test_what_a_card_is_played_for_is_named(language: str, said: str) -> None:
    assert Teller(kit(), language).name("event") == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_keep_their_capitals_in_the_second_of_two_ways_home(language: str) -> None:
    def way(kind: str, leader: str, origin: str, place: str) -> list[Fact]:
        home = {"section": "20.4", "why": "naval_return"}
        return [
            {"fact": "units", "kind": kind, "number": 2, "origin": origin, "place": place, "power": "ottoman", **home},
            {"fact": "piece", "piece": f"leader:{leader}", "before": {"at": origin}, "after": {"at": place}, **home},
        ]

    facts = [
        *way("galley", "piyale_pasha", "aegean_sea", "coron"),
        *way("corsair", "uluch_ali", "barbary_coast", "algiers"),
    ]
    told = " ".join(paragraph.text for paragraph in narrate(facts, kit(), language))
    for leader in ("piyale_pasha", "uluch_ali"):
        assert kit().display("leader", leader, language) in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_of_an_order_names_no_field_and_no_kind_in_another_language(language: str) -> None:
    teller, words = Teller(kit(), language), set(KEYWORDS.findall(" ".join(kind.usage() for kind in GAME.orders)))
    for kind in GAME.orders:
        told = explanation([{"order": kind.id(), "asked": False, "legal": []}], teller)
        assert "<>" not in told and "_" not in told, told
        if language == "ru":
            latin = {word for word in LATIN.findall(told) if word.upper() not in words}
            assert not latin, f"{kind.id()}: {latin} in {told}"
