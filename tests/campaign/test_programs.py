"""Programs: lines of a mail as one plan, with conditions, over waits for others; and ready-made standing orders."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.campaign.commands import Step, read_line, read_lines
from pbem.campaign.programs import told_since
from pbem.games import find_game
from pbem.resources import kits
from pbem.table.conditions import ABLE, examples, read_conditions, usages, vocabulary
from pbem.table.kit import load_kit
from pbem.table.orders import Unreadable
from tests import toy
from tests.campaign.test_life import kinds, messages
from tests.told import told

KINDS, KIT = toy.GAME.orders, toy.kit()


# --- reading ---


@pytest.mark.parametrize(
    ("line", "word", "conditions", "order"),
    [
        ("IF ambushed STOP", "IF", [["ambushed", "", ""]], None),
        ("if ambushed: stop", "IF", [["ambushed", "", ""]], None),
        ("UNLESS sent_back MARCH 1 TO hill", "UNLESS", [["sent_back", "", ""]], "MARCH 1 TO hill"),
        ("IF home >= 2 AND at Green Hill DONE", "IF", [["home", ">=", "2"], ["at", "=", "hill"]], "DONE"),
        ("IF ambushed no, home < 4: AMBUSH", "IF", [["ambushed", "=", "no"], ["home", "<", "4"]], "AMBUSH"),
        ("THEN DONE", "THEN", [], "DONE"),
        ("THEN STOP.", "THEN", [], None),
    ],
)
def test_a_step_is_read_and_written(line, word, conditions, order):
    step = read_line(KINDS, line, KIT)
    assert isinstance(step, Step)
    assert (step.word, step.conditions) == (word, conditions)
    assert (step.last.text() if step.last else None) == order
    assert read_line(KINDS, step.text(), KIT).text() == step.text()


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("SI ambushed ARRÊT", "IF ambushed STOP"),
        ("si home >= 2 et at Green Hill DONE", "IF home >= 2, at hill DONE"),
        ("Sauf si ambushed : MARCH 1 TO hill", "UNLESS ambushed MARCH 1 TO hill"),
        ("Alors si home > 1 MARCH 1 TO hill", "THEN IF home > 1 MARCH 1 TO hill"),
        ("POUR red : DONE", "FOR red: DONE"),
        ("Ensuite", "NEXT"),
        ("Если home < 4 и ambushed нет СТОП", "IF home < 4, ambushed no STOP"),
        ("ЕСЛИ НЕ sent_back MARCH 1 TO hill", "UNLESS sent_back MARCH 1 TO hill"),
        ("тогда DONE", "THEN DONE"),
        ("для blue: если ambushed стоп", "FOR blue: IF ambushed STOP"),
        ("Далее.", "NEXT"),
        ("STANDING march SI home > 2 : défaut", "STANDING march IF home > 2: DEFAULT"),
        ("STANDING march если home > 2: ДЛЯ red: DONE", "STANDING march IF home > 2: FOR red: DONE"),
    ],
)
def test_the_words_of_the_grammar_are_known_in_every_language(line, text):
    assert read_line(KINDS, line, KIT).text() == text
    assert [one.order.text() for one in read_lines(KINDS, [line, "DONE"], KIT)] == [text, "DONE"]


@pytest.mark.parametrize("game", kits())
def test_no_word_of_the_grammar_is_a_verb_of_a_game(game):
    kit, kinds = load_kit(game), find_game(game).orders
    words = {word for kind in ("if", "unless", "then", "next", "for") for word in kit.words(kind)}
    assert not words & {*(kind.pattern.verb.casefold() for kind in kinds), *kit.spellings}


def test_a_word_that_begins_prose_is_quoted_as_it_was_written():
    with pytest.raises(Unreadable) as error:
        read_line(KINDS, "Pour gagner il faut marcher", KIT)
    assert "Pour" in told(error.value, KIT)[0]


def test_then_may_be_put_before_another_condition():
    step = read_line(KINDS, "THEN IF home > 1 MARCH 1 TO hill", KIT)
    assert step.word == "THEN" and step.order.word == "IF" and step.last.text() == "MARCH 1 TO hill"


@pytest.mark.parametrize(
    ("line", "reason", "hint"),
    [
        ("IF ambusht STOP", "there is no condition “ambusht”", "ambushed"),
        ("IF at Geen Hill STOP", "did you mean Green Hill", "Green Hill"),
        ("IF home >= many STOP", "compares with a whole number", None),
        ("IF ambushed MRCH 1 TO hill", "there is no order that begins with “MRCH”", "MARCH"),
        ("IF ambushed MARCH 1 TO Mars", "there is no place “Mars”", None),
        ("IF ambushed", "an order should stand, or STOP", "IF ambushed STOP"),
        ("THEN THEN DONE", "THEN", None),
        ("IF STOP", "", None),
        ("UNLESS home STANDING LIST", "", None),
    ],
)
def test_what_cannot_be_read_says_why(line, reason, hint):
    with pytest.raises(Unreadable) as error:
        read_line(KINDS, line, KIT)
    why, hints = told(error.value, KIT)
    assert reason in why
    assert hint is None or hint in hints


def test_conditions_by_themselves_and_with_values_stay_apart():
    assert read_conditions("besieged") == [["besieged", "", ""]]
    assert read_conditions("space Metz and luck>=-2") == [["space", "=", "Metz"], ["luck", ">=", "-2"]]


def test_salt_stays_with_the_step_that_follows():
    line = read_lines(KINDS, ["SALT mine", "IF home > 0 MARCH 1 TO hill"], KIT)[0]
    assert line.sent == "SALT mine\nIF home > 0 MARCH 1 TO hill"


# --- running ---


def march_of(table):
    """All leave the window and show; returns the seat that may march."""
    table.show_all()
    return table.asked_seat()


def finish_round(table, marcher, answer="DECLINE"):
    for seat in table.seats:
        if seat != marcher:
            table.good(seat, answer)


def test_a_program_with_an_unreadable_third_line_runs_nothing(desk, service):
    table = desk().start()
    seat = march_of(table)
    before = service.status(table.id).event
    answer = table.send(seat, "MARCH 1 TO hill", "IF ambushed STOP", "IF ambusht DONE", "DONE")
    assert [line.state for line in answer.lines] == ["told", "told", "unreadable", "told"]
    assert service.status(table.id).event == before and service.queued(table.id, seat) == []


def test_a_condition_that_does_not_hold_lets_the_program_go_on(desk, service):
    table = desk().start()
    seat = march_of(table)
    answer = table.good(seat, "MARCH 1 TO hill", "IF ambushed STOP", "DONE")
    assert [line.state for line in answer.lines] == ["accepted", "queued", "queued"]
    finish_round(table, seat)
    assert service.queued(table.id, seat) == []
    assert service.status(table.id).kind == "negotiation"
    assert messages(service, table.id, "stopped") == []
    event = service.events(table.id, seat)[-2]
    assert event["own"]["program"] == {"skipped": ["IF ambushed STOP"]}, "the player is told what was passed over"
    assert kinds(service, table.id)[-1] == "queued"


def test_a_condition_stops_the_program_and_tells_what_is_left(desk, service):
    table = desk().start()
    seat = march_of(table)
    table.good(seat, "MARCH 1 TO hill", "IF ambushed STOP", "DONE", "PRESS TO all: onward")
    finish_round(table, seat, "AMBUSH")
    assert service.queued(table.id, seat) == [] and kinds(service, table.id)[-1] == "settings"
    told = messages(service, table.id, "stopped")
    assert [message.seat for message in told] == [seat]
    event = service.events(table.id, seat)[-1]
    assert event["own"]["program"] == {"stopped": "IF ambushed STOP", "skipped": [], "left": ["DONE"]}
    others = [other for other in table.seats if other != seat]
    assert all("program" not in service.events(table.id, other)[-1]["own"] for other in (*others, None))
    assert seat in service.status(table.id).waiting_seats


def test_a_condition_sees_what_came_since_the_program_began_and_no_more(desk, service):
    table = desk().start()
    seat = march_of(table)
    table.good(seat, "MARCH 1 TO hill")
    finish_round(table, seat, "AMBUSH")
    first = service.status(table.id).event
    for other in table.seats:
        if other != seat:
            table.good(other, "DONE")
    # The ambush was before this program: it does not stop it.
    answer = table.good(seat, "IF ambushed STOP", "DONE")
    assert [line.state for line in answer.lines] == ["told", "accepted"]
    assert answer.lines[0].reason == "this does not hold: ambushed"
    with service.memory.reading(table.id) as live:
        assert all(fact.get("what") != "ambush" for fact in told_since(service.store, live.campaign, seat, first + 1))
        assert any(fact.get("what") == "ambush" for fact in told_since(service.store, live.campaign, seat, 1))


def test_stop_in_the_mail_itself_leaves_the_rest_undone(desk, service):
    table = desk().start()
    seat = march_of(table)
    answer = table.good(seat, "IF home >= 5 STOP", "MARCH 1 TO hill")
    assert [line.state for line in answer.lines] == ["told", "told"]
    assert "the program stops here: home >= 5" in answer.lines[0].reason
    assert "stopped before it" in answer.lines[1].reason
    assert service.status(table.id).kind == "march" and table.asked_seat() == seat
    assert service.events(table.id, seat)[-1]["own"]["program"]["left"] == ["MARCH 1 TO hill"]


def test_unless_and_then(desk, service):
    table = desk().start()
    seat = march_of(table)
    answer = table.good(
        seat, "UNLESS home >= 5 MARCH 5 TO hill", "THEN MARCH 4 TO hill", "UNLESS home < 2 MARCH 2 TO hill", "THEN DONE"
    )
    assert [line.state for line in answer.lines] == ["told", "told", "accepted", "queued"]
    assert "the line above it was not carried out" in answer.lines[1].reason
    assert answer.lines[2].order == "UNLESS home < 2 MARCH 2 TO hill"
    finish_round(table, seat)
    power = service.status(table.id).seats[seat]["powers"][0]
    assert service.view_at(table.id).count("hill", power, "unit") == 2
    assert [ask.answered for ask in service.asked(table.id, seat)] == [True], "the line above THEN was carried out"


def test_an_order_after_a_condition_is_refused_like_any_other_and_its_text_is_on_record(desk, service):
    table = desk().start()
    seat = march_of(table)
    answer = table.send(seat, "IF home >= 5 MARCH 1 TO hollow", "MARCH 1 TO hill")
    assert [line.state for line in answer.lines] == ["refused", "refused"]
    assert "only the hill can be reached" in answer.lines[0].reason
    event = service.events(table.id, seat)[-1]
    assert event["order"]["text"] == "IF home >= 5 MARCH 1 TO hollow"
    other = next(one for one in table.seats if one != seat)
    assert table.send(other, "IF home >= 5 DONE").lines[0].state == "refused", "nothing is asked of it"


def test_a_queued_order_that_is_refused_tells_the_rest_of_the_program(desk, service):
    table = desk().start()
    seat = march_of(table)
    table.good(seat, "MARCH 1 TO hill", "SHOW card_01", "DONE")
    finish_round(table, seat)
    event = service.events(table.id, seat)[-1]
    assert event["own"]["refused"] and event["own"]["program"]["left"] == ["SHOW card_01", "DONE"]
    assert service.queued(table.id, seat) == []


def test_a_program_that_waits_survives_a_restart(desk, service, settings, clock):
    from pbem.campaign.service import Service

    table = desk().start()
    seat = march_of(table)
    table.good(seat, "MARCH 1 TO hill", "IF ambushed STOP", "DONE")
    again = Service(settings, clock)
    table.service = again
    finish_round(table, seat, "AMBUSH")
    assert [message.seat for message in messages(again, table.id, "stopped")] == [seat]
    again.close()


def test_lines_whose_turn_came_at_once_are_not_called_queued(desk, service):
    table = desk().start()
    for seat in table.seats:
        table.good(seat, "STANDING PRESET never_ambush")
    seat = march_of(table)
    answer = table.good(seat, "MARCH 1 TO hill", "IF ambushed STOP", "DONE")
    assert [line.state for line in answer.lines] == ["accepted", "told", "accepted"]
    assert answer.queued == []


# --- standing orders ---


def test_presets_are_listed_and_taken_over_once(desk, service):
    table = desk().start()
    listed = table.good("seat1", "STANDING PRESETS").lines[0].text
    assert "STANDING PRESET quiet" in listed and "Let every march pass." in listed
    table.good("seat1", "STANDING PRESET quiet")
    assert [entry["text"] for entry in service.standing(table.id, "seat1")] == [
        "STANDING negotiation: DONE", "STANDING march IF home <= 3: DEFAULT"
    ]  # fmt: skip
    assert table.good("seat1", "STANDING PRESET Quiet").lines[0].text == "You have these already."
    assert len(service.standing(table.id, "seat1")) == 2
    wrong = table.send("seat1", "STANDING PRESET quite").lines[0]
    assert wrong.state == "refused" and "STANDING PRESET quiet" in wrong.hints
    # the standing DONE was given at once
    assert [ask.answered for ask in service.asked(table.id, "seat1")] == [True]


def test_default_answers_as_silence_would(desk, service):
    table = desk().start()
    seats = {seat: table.good(seat, "STANDING march: DEFAULT", "STANDING show: default") for seat in table.seats}
    assert all(answer.ok for answer in seats.values())
    for seat in table.seats:
        table.good(seat, "DONE")
    status = service.status(table.id)
    assert status.kind == "negotiation" and service.view_at(table.id).state["round"] == 1, "no march, as by silence"


def test_able_says_whether_more_than_a_pass_is_legal(desk, service):
    table = desk().start()
    for seat in table.seats:
        table.good(seat, "STANDING ambush IF able: AMBUSH")
    seat = march_of(table)
    table.good(seat, "MARCH 1 TO hill")
    assert "ambush" in repr(service.events(table.id, seat)[-1]["facts"])


def test_a_standing_condition_that_can_never_hold_is_refused(desk):
    table = desk().start()
    line = table.send("seat1", "STANDING march IF strenght >= 3: DECLINE").lines[0]
    assert line.state == "refused" and "no condition “strenght”" in line.reason
    table.good("seat1", "STANDING march IF round 0, luck >= 0, home > 2: DECLINE")


@pytest.mark.parametrize(
    ("game", "place", "power"),
    [("struggle_of_empires", "region german states", "great britain"), ("here_i_stand", "space agram", "ottoman")],
)
def test_examples_of_conditions_name_things_of_the_game_at_hand(game, place, power):
    kit = load_kit(game)
    assert examples(kit) == [place, ABLE, f"attacker != {power}"]
    assert read_conditions(", ".join(examples(kit))) == [
        [place.partition(" ")[0], "=", place.partition(" ")[2]], [ABLE, "", ""], ["attacker", "!=", power]
    ]  # fmt: skip


def test_a_condition_that_is_none_is_answered_with_examples_of_the_game():
    kit = load_kit("struggle_of_empires")
    without = replace(kit, files={})
    for one, hints in ((kit, usages(vocabulary(kit))[:8]), (without, examples(without))):
        with pytest.raises(Unreadable) as error:
            read_conditions("???", one)
        assert told(error.value, one) == ("“???” is no condition", hints)
    assert examples(None) == [ABLE]
