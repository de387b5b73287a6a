"""Refusals: a code with values, said in the reader's language by the phrases of the game and of the table."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from pbem.render.narrative import Teller, family, general_teller, phrases
from pbem.render.narrative.teller import TEXT
from pbem.table.kit import load_kit
from pbem.table.orders import Decline, Question, Refused
from tests import toy


@pytest.fixture
def kit():
    return load_kit("here_i_stand")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The Hapsburgs are not yours; you hold France and England"),
        ("fr", "Habsbourg n’est pas à vous ; vous tenez France et Angleterre"),
        ("ru", "Габсбурги: это не ваша держава; ваши: Франция и Англия"),
    ],
)
def test_a_refusal_is_said_in_every_language_with_the_names_of_the_kit(kit, language, said):
    refused = Refused("power_not_yours", power="hapsburg", powers=["france", "england"])
    assert Teller(kit, language).refusal(refused) == said


def test_what_is_stored_of_a_refusal_is_plain_data_and_reads_back():
    refused = Refused("too_many_queued", "9.1", ["DONE"], hint="PASS", most=100)
    stored = json.loads(json.dumps(refused.to_json()))
    assert stored == {"code": "too_many_queued", "values": {"most": 100}, "section": "9.1", "hints": ["DONE", "PASS"]}
    again = Refused.from_json(stored)
    assert (again.code, again.values, again.section, again.hints) == ("too_many_queued", {"most": 100}, "9.1",
                                                                      ["DONE", "PASS"])  # fmt: skip


def test_what_an_earlier_program_stored_as_a_sentence_is_told_as_it_stands(kit):
    old = Refused.from_json({"reason": "Metz is not adjacent to Trier", "section": "13.1", "hints": ["PASS"]})
    assert Teller(kit, "fr").refusal(old) == "Metz is not adjacent to Trier"
    assert old.section == "13.1" and old.hints == ["PASS"]
    assert old.to_json()["reason"] == "Metz is not adjacent to Trier"


def test_the_phrase_of_a_game_goes_before_that_of_the_table_and_english_stands_in(monkeypatch, kit):
    files = {
        "config/phrases.en.toml": {"refused": {"tired": "tired by the table.", "late": "late by {{ hours }} hours."}},
        "config/games/here_i_stand/phrases.en.toml": {"refused": {"tired": "{{ power|The }} rests. So it is."}},
        "config/games/here_i_stand/phrases.fr.toml": {"refused": {"tired": "{{ power|the }} se repose"}},
    }
    monkeypatch.setattr(phrases, "read_file", lambda name: files.get(name, {}))
    phrases.phrases_of.cache_clear()
    try:
        assert Teller(kit).refusal(Refused("tired", power="france")) == "France rests. So it is."
        assert Teller(kit, "fr").refusal(Refused("late", hours=3)) == "late by 3 hours"
        assert Teller(kit, "fr").refusal(Refused("tired", power="france")).endswith("se repose")
        assert general_teller().refusal(Refused("tired")) == "tired by the table"
        # Neither a phrase that does not fit nor none at all costs the player his answer.
        assert Teller(kit).refusal(Refused("late", space="metz")) == "late (space: Metz)"
        unforeseen = Refused("not_foreseen", space="metz", number=2)
        assert Teller(kit).refusal(unforeseen) == "not foreseen (space: Metz, number: 2)"
    finally:
        phrases.phrases_of.cache_clear()


def test_a_fact_that_holds_a_refusal_tells_it(kit):
    teller = Teller(kit)
    template = TEXT.from_string("{{ reason|refusal }}")
    for reason in ("it is too late", {"reason": "it is too late"}):
        assert template.render(reason=reason, teller=teller) == "it is too late"
    assert template.render(reason=Refused("held").to_json(), teller=teller).startswith("the campaign is held")


def test_hints_are_told_by_names_and_lines_stay_as_they_are_sent(kit):
    assert Teller(kit, "fr").hints(["vienna", "MOVE ALL FROM vienna TO buda"]) == [
        "Vienne", "MOVE ALL FROM vienna TO buda"
    ]  # fmt: skip


def test_a_question_refuses_by_code():
    question = Question("red", "show", [toy.Show])
    table = SimpleNamespace()
    with pytest.raises(Refused) as refusal:
        question.check(table, Decline())
    assert refusal.value.code == "no_answer" and refusal.value.values == {"verb": "DECLINE", "question": "show"}
    assert refusal.value.hints == [toy.Show.usage()]


def test_games_of_a_family_share_phrases_and_each_may_have_its_own(monkeypatch, kit):
    files = {
        "config/phrases.en.toml": {"refused": {"shut": "shut", "late": "late", "far": "far"}},
        "config/games/family/phrases.en.toml": {"refused": {"shut": "shut to the family", "late": "late, as all are"}},
        "config/games/family/phrases.fr.toml": {"refused": {"shut": "fermé à la famille"}},
        "config/games/here_i_stand/phrases.en.toml": {"family": "family", "refused": {"late": "late for the Diet"}},
        "config/games/here_i_stand/phrases.fr.toml": {"refused": {"late": "en retard"}},
    }
    monkeypatch.setattr(phrases, "read_file", lambda name: files.get(name, {}))
    phrases.phrases_of.cache_clear()
    try:
        codes = ("shut", "late", "far")
        english = [Teller(kit).refusal(Refused(code)) for code in codes]
        assert english == ["shut to the family", "late for the Diet", "far"]
        french = [Teller(kit, "fr").refusal(Refused(code)) for code in codes]
        assert french == ["fermé à la famille", "en retard", "far"]
        assert family("here_i_stand") == ["family"] and family("toy") == []
    finally:
        phrases.phrases_of.cache_clear()
