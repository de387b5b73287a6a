"""Refusals as somebody reads them who knows the rulebook: what is wrong, and a line that would be right."""

from __future__ import annotations

import pytest

from pbem.campaign.submissions import Submission
from pbem.games import find_game
from pbem.render.narrative import Teller
from pbem.table.kit import load_kit
from pbem.table.orders import Unreadable, read_order
from tests.campaign.test_next_in_games import empires, reformation, settings  # noqa: F401
from tests.told import told


@pytest.mark.parametrize("word", ["YES", "OK", "NAVIES YES"])
def test_a_word_that_is_no_order_is_answered_with_what_is_asked_now(empires, word):  # noqa: F811
    seat, _, line = empires.asked()
    answer = empires.send(seat, word)
    assert answer.lines[0].state == "unreadable"
    assert "PLACE" in " ".join(answer.lines[0].hints) and "COLONISE" not in " ".join(answer.lines[0].hints)
    assert empires.good(seat, answer.lines[0].hints[0]).ok, "the first hint is an order that can be sent"


def test_a_slip_still_finds_the_verb_that_was_meant(empires):  # noqa: F811
    seat, *_ = empires.asked()
    assert empires.send(seat, "PLAEC army AT india").lines[0].hints[0] == "PLACE army AT india"


def test_yes_to_a_question_of_here_i_stand_says_what_is_asked_in_words(reformation):  # noqa: F811
    seat = reformation.go_on(lambda one, kind: kind == "spring_deployment")
    answer = reformation.send(seat, "YES")
    assert answer.lines[0].reason == "YES is no answer to what is asked now (Spring deployment)"
    assert "PASS" in answer.lines[0].hints and answer.lines[0].hints[-1] == "HELP"


@pytest.mark.parametrize(
    ("game", "line", "reason", "hint"),
    [
        ("struggle_of_empires", "ATTACK german_states", "; that is a region", "ATTACK <target> IN <region>"),
        ("struggle_of_empires", "ATTACK north_america IN india", "; that is a region", "ATTACK <target> IN <region>"),
        ("struggle_of_empires", "BUY north_america", "; that is a region", "BUY <tile>"),
        ("struggle_of_empires", "BUY army", "if you mean Army Training, write it out", "Army Training"),
        ("struggle_of_empires", "PLACE army AT britain", "; that is a power", "PLACE <unit> AT <region>"),
        ("struggle_of_empires", "USE", "missing at the end: tile", "USE <tile>"),
        ("struggle_of_empires", "ENSLAVE", "missing at the end: region or", "ENSLAVE <where>"),
        ("here_i_stand", "EXCOMMUNICATE henry_viii", "is a ruler", "EXCOMMUNICATE RULER OF england"),
        ("here_i_stand", "EXCOMMUNICATE Francis I", "is a ruler", "EXCOMMUNICATE RULER OF france"),
        ("here_i_stand", "EXCOMMUNICATE hapsburg", "is a power", "EXCOMMUNICATE RULER OF hapsburg"),
        ("here_i_stand", "CONTROL charles_v", "; that is a", "CONTROL <space>"),
        ("here_i_stand", "CONTROL", "missing at the end: space", "CONTROL <space>"),
    ],
)
def test_a_line_that_cannot_be_read_says_what_was_named_and_what_should_be(game, line, reason, hint):
    with pytest.raises(Unreadable) as caught:
        read_order(find_game(game).orders, line, load_kit(game))
    why, hints = told(caught.value, load_kit(game))
    assert reason in why
    assert any(hint in one for one in hints), hints


def test_play_without_what_for_is_told_both_forms(reformation):  # noqa: F811
    seat = reformation.go_on(lambda one, kind: kind == "impulse")
    with reformation.service.memory.reading(reformation.id) as found:
        question = found.play.question_for(found.play.waiting_for()[0])
        card = next(o.card for o in question.legal(found.play.table) if o.text().endswith("FOR CP"))
    line = reformation.send(seat, f"PLAY {card}").lines[0]
    assert line.state == "refused" and any("FOR CP" in hint for hint in line.hints), line


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"BID {'9' * 30}", "should be a whole number from 0 to 999999"),
        (f"SUPPORT NAVIES YES FOR {2**63} GOLD", "should be a whole number from 0 to 999999"),
        (f"CANCEL STANDING {2**64}", "should be a whole number from 1 to 999999"),
        (f"IF region india, war >= {10**12} PASS", "compares with a whole number"),
        ("PLACE ar\ud800my AT india", "there is no kind of unit"),
        ("\udfff", "there is no order that begins with"),
    ],
)
@pytest.mark.parametrize("channel", ["mail", "form", "api"])
def test_what_no_store_takes_is_refused_in_words(empires, line, reason, channel):  # noqa: F811
    seat, *_ = empires.asked()
    sent = Submission(empires.id, [line], empires.clock.now(), channel=channel, token=empires.tokens[seat])
    (result,) = empires.service.submit(sent).lines
    assert result.state == "unreadable" and reason in (result.reason or "")
    assert empires.asked()[0] == seat


def test_more_units_than_there_can_be_are_told_as_a_number(reformation):  # noqa: F811
    line = reformation.send("seat1", f"MOVE {10**20} regular FROM istanbul TO edirne").lines[0]
    assert line.reason == f"“{10**20}” should be a whole number from 1 to 999"


def test_a_verb_that_is_for_another_moment_is_told_with_what_it_is_for_in_every_language(reformation):  # noqa: F811
    seat = reformation.go_on(lambda one, kind: kind == "spring_deployment")
    (line,) = reformation.send(seat, "COMMIT 31").lines
    kit = reformation.service.kit_of(reformation.id)
    told = {language: line.said(Teller(kit, language)) for language in ("en", "fr", "ru")}
    assert "it is for this: commit a card of your hand to the Diet of Worms" in told["en"]
    assert "il sert à ceci : engagez une carte de votre main à la Diète de Worms" in told["fr"]
    assert "он нужен для другого: выставить карту с руки на Вормсский сейм" in told["ru"]
