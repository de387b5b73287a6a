"""The one door: what becomes of the lines that a seat sends."""

from __future__ import annotations

import threading

import pytest

from pbem.campaign import following, outbox, standing
from pbem.campaign.submissions import Submission
from pbem.render.narrative import Teller
from tests import toy
from tests.campaign.test_life import kinds, messages


def test_an_order_is_an_event_with_its_text_for_its_sender_alone(desk, service):
    table = desk().start()
    table.show_all()
    seat = table.asked_seat()
    answer = table.good(seat, "march 1 to HILL")
    event = answer.lines[0].events[0]
    assert answer.lines[0].order == "MARCH 1 TO hill"
    assert [fact["fact"] for fact in answer.lines[0].results] == ["units"]
    own = service.events(table.id, seat, event, event)[0]
    assert own["order"]["text"] == "march 1 to HILL" and own["own"]["sent"] is True
    others = [s for s in table.seats if s != seat]
    assert all(service.events(table.id, s, event, event)[0]["order"] is None for s in others)


def test_a_refused_order_is_on_record_and_changes_nothing(desk, service):
    table = desk().start()
    board = service.view_at(table.id)
    answer = table.send("seat1", "MARCH 1 TO hill")
    line = answer.lines[0]
    assert not answer.ok and line.state == "refused" and "no answer to what is asked" in line.reason
    assert line.hints == ["DONE", "PRESS TO <powers>: <message>", "IF <condition> <order>", "NEXT", "HELP"]
    assert answer.asked[0].usages == ["DONE"]
    assert service.view_at(table.id) == board
    assert kinds(service, table.id)[-1] == "refused"
    own = service.events(table.id, "seat1")[-1]["own"]["refused"]
    about = toy.March.help()
    assert (own["code"], own["values"]) == ("no_answer", {"verb": "MARCH", "question": "negotiation", "about": about})
    assert (line.code, line.values, own["hints"]) == (own["code"], own["values"], line.hints)
    assert "refused" not in service.events(table.id, "seat2")[-1]["own"]


def test_if_one_line_cannot_be_read_nothing_is_carried_out(desk, service):
    table = desk().start()
    before = service.status(table.id).event
    answer = table.send("seat1", "DONE", "SHWO card 3", "PRESS TO blue: hello")
    assert [line.state for line in answer.lines] == ["told", "unreadable", "told"]
    assert answer.lines[1].hints[0].startswith("SHOW ")
    assert service.status(table.id).event == before


@pytest.mark.parametrize("lines", [[], [""], ["", "   "]])
def test_an_empty_mail_is_answered(desk, lines):
    assert desk().start().send("seat1", *lines).note == "No order was found in this."


def test_too_many_lines_are_not_taken(desk, service):
    table = desk().start()
    assert "At most 50" in table.send("seat1", *["STATUS"] * 51).note
    assert "far too many" in table.send("seat1", *["x"] * 2000).note


def test_a_repeated_mail_acts_once_and_gets_the_same_answer(desk, service, clock):
    table = desk().start()
    first = table.good("seat1", "DONE", message_id="<1@example.net>")
    second = table.send("seat1", "DONE", message_id="<1@example.net>")
    assert second == first
    assert kinds(service, table.id).count("order") == 1
    other = table.send("seat1", "STATUS", message_id="<1@example.net>")
    assert other.number != first.number
    assert (
        table.send("seat1", "STATUS", content_key="today").number
        == table.send("seat1", "STATUS", content_key="today").number
    )
    assert len(messages(service, table.id, "answer")) == 3


def test_a_sealed_answer_is_seen_by_nobody_and_can_be_replaced(desk, service):
    table = desk().start()
    for seat in table.seats:
        table.good(seat, "DONE")
    first, second, *_ = table.hand("seat1")
    table.good("seat1", f"SHOW {first}")
    table.good("seat1", f"SHOW {second}")
    assert all(first not in repr(service.events(table.id, s)[-2:]) for s in (None, "seat2", "seat3"))
    assert service.status(table.id).waiting_for == ["red", "blue", "green"]
    table.good("seat2", f"SHOW {table.hand('seat2')[0]}")
    table.good("seat3", f"SHOW {table.hand('seat3')[0]}")
    assert second in service.view_at(table.id).piles["discard"]
    assert kinds(service, table.id)[-2:] == ["order", "round"]


def test_a_sealed_answer_can_be_taken_back_and_nobody_else_is_told(desk, service):
    table = desk().start()
    for seat in table.seats:
        table.good(seat, "DONE")
    first, second, *_ = table.hand("seat1")
    table.good("seat1", f"SHOW {first}")
    service.page(table.id, "seat1", "en", forms=True)  # a reader that follows what comes
    before = service.status(table.id)
    answer = table.good("seat1", "CANCEL ANSWER")
    assert answer.lines[0].text == f"Taken back: SHOW {first}"
    assert kinds(service, table.id)[-1] == "order"
    for seat in (None, "seat2", "seat3"):
        seen = service.events(table.id, seat)[-1]
        assert seen["order"] is None and not seen["own"] and seen["public"].keys() == {"at"}
        assert service.status(table.id, seat).waiting_for == before.waiting_for
    page = service.page(table.id, "seat1", "en", forms=True)
    assert page.given == {} and not page.questions[0].asked.answered
    table.good("seat2", f"SHOW {table.hand('seat2')[0]}")
    table.good("seat3", f"SHOW {table.hand('seat3')[0]}")
    assert kinds(service, table.id)[-1] == "order", "the round waits for who thinks it over"
    service.memory.clear()  # another process goes on from the record
    table.good("seat1", f"SHOW {second}")
    discarded = service.view_at(table.id).piles["discard"]
    assert second in discarded and first not in discarded
    assert kinds(service, table.id)[-2:] == ["order", "round"]


def test_what_is_not_sealed_or_whose_time_is_over_cannot_be_taken_back(desk, service, clock):
    table = desk().start()
    answer = table.send("seat1", "CANCEL ANSWER")
    assert [line.code for line in answer.lines] == ["no_sealed_answer"]
    table.good("seat1", "DONE")
    assert table.good("seat1", "CANCEL ANSWER").lines[0].text == "Taken back: DONE"
    for seat in table.seats:
        table.good(seat, "DONE")
    assert [line.code for line in table.send("seat1", "CANCEL ANSWER").lines] == ["no_sealed_answer"]
    card = table.hand("seat1")[0]
    table.good("seat1", f"SHOW {card}")
    service.extend(table.id, 48, "for one alone", "seat2")
    clock.advance(hours=service.kit_of(table.id).hours("show"), minutes=5)
    assert [line.code for line in table.send("seat1", "CANCEL ANSWER").lines] == ["too_late_to_take_back"]


def test_who_takes_an_answer_back_answers_himself_and_others_by_what_they_laid_by(desk, service):
    table = desk().start()
    table.good("seat1", "DONE")
    table.good("seat1", "CANCEL ANSWER")
    for seat in ("seat1", "seat2"):
        table.good(seat, "STANDING negotiation: DONE")
    answered = {seat: service.asked(table.id, seat)[0].answered for seat in table.seats}
    assert answered == {"seat1": False, "seat2": True, "seat3": False}


def test_what_goes_beyond_the_wait_is_queued_and_played_when_asked(desk, service):
    table = desk().start()
    card = table.hand("seat1")[0]
    answer = table.good("seat1", "DONE", f"SHOW {card}")
    assert [line.state for line in answer.lines] == ["accepted", "queued"]
    assert service.queued(table.id, "seat1") == [f"SHOW {card}"]
    assert table.send("seat1", "QUEUE").lines[0].text == f"SHOW {card}"
    table.good("seat2", "DONE")
    table.good("seat3", "DONE")
    assert service.queued(table.id, "seat1") == []
    assert kinds(service, table.id)[-1] == "queued"


def test_a_queued_order_that_is_refused_falls_with_the_rest_and_the_player_is_told(desk, service):
    table = desk().start()
    foreign = table.hand("seat2")[0]
    table.good("seat1", "DONE", f"SHOW {foreign}", "DECLINE")
    table.good("seat2", "DONE")
    table.good("seat3", "DONE")
    assert service.queued(table.id, "seat1") == []
    assert service.status(table.id).kind == "show"
    assert [m.seat for m in messages(service, table.id, "dropped")] == ["seat1"]


def test_newer_mail_goes_before_what_is_queued_and_a_queue_can_be_dropped(desk, service):
    table = desk().start()
    a, b, c = table.hand("seat1")
    table.good("seat1", "DONE", f"SHOW {a}")
    table.good("seat1", "DONE", f"SHOW {b}")
    assert service.queued(table.id, "seat1") == [f"SHOW {b}", f"SHOW {a}"]
    table.good("seat1", "CANCEL QUEUE")
    assert service.queued(table.id, "seat1") == []


def test_after_a_refused_line_the_rest_of_the_mail_is_not_carried_out(desk, service):
    table = desk().start()
    answer = table.send("seat1", "DECLINE", "DONE")
    assert [line.state for line in answer.lines] == ["refused", "refused"]
    assert "the order before it was refused" in answer.lines[1].reason


def test_standing_orders_answer_under_their_conditions(desk, service):
    table = desk().start()
    for seat in table.seats:
        table.good(
            seat,
            "STANDING march IF round 0: MARCH 2 TO hill",
            "STANDING ambush IF luck >= 5: AMBUSH",
            "STANDING ambush: DECLINE",
        )
    assert "1. STANDING march" in table.send("seat1", "STANDING LIST").lines[0].text
    table.show_all()
    # The march, and both ambushes declined, came by themselves: the next round's talk is open.
    assert service.status(table.id).kind == "negotiation"
    assert kinds(service, table.id).count("standing") == 1, "a sealed answer has the shape of one sent by hand"
    given = [event["own"].get("given_by") for seat in table.seats for event in service.events(table.id, seat)]
    assert given.count("standing") == 2
    assert sum(service.view_at(table.id).count("hill", power, "unit") for power in ("red", "blue", "green")) == 2
    table.show_all()
    assert service.status(table.id).kind == "march"  # round 1: its condition does not hold
    numbers = [entry["number"] for entry in service.standing(table.id, "seat1")]
    table.good("seat1", f"CANCEL STANDING {numbers[0]}")
    assert "no standing order 77" in table.send("seat1", "CANCEL STANDING 77").lines[0].reason


def test_standing_orders_cannot_chase_each_other_without_end(desk, service):
    table = desk().start()
    limit = service.settings.play_automatic_limit
    for seat in table.seats:
        table.good(seat, "STANDING negotiation: DONE", "STANDING march: MARCH 1 TO hill", "STANDING ambush: AMBUSH")
    after = service.status(table.id).event
    assert after < 60 + limit
    assert service.status(table.id).kind == "show"


def test_changes_of_a_queue_are_bounded_by_the_day_and_what_is_kept_stays(desk, service, clock, monkeypatch):
    monkeypatch.setattr(standing, "MOST_A_DAY", 4)
    table = desk().start()
    for _ in range(2):
        assert table.good("seat1", "DONE", "MARCH 1 TO hill").lines[1].state == "queued"
        table.good("seat1", "CANCEL QUEUE")
    table.good("seat2", "DONE", "MARCH 1 TO hill")  # each seat for itself
    answer = table.send("seat1", "DONE", "MARCH 1 TO hill")
    assert [one.state for one in answer.lines] == ["accepted", "refused"]
    assert "at most 4 times a day" in answer.lines[1].reason and service.queued(table.id, "seat1") == []
    clock.advance(hours=24)
    assert table.good("seat1", "DONE", "MARCH 1 TO hill").lines[1].state == "queued"


def test_standing_orders_of_a_day_are_bounded_and_the_next_day_has_its_own(desk, service, clock, monkeypatch):
    monkeypatch.setattr(standing, "MOST_A_DAY", 4)
    table = desk().start()
    answer = table.send("seat1", *["STANDING march IF home < 0: DECLINE"] * 3, "CANCEL STANDING 1", "CANCEL STANDING 2")
    assert [one.state for one in answer.lines] == ["accepted"] * 4 + ["refused"]
    assert "at most 4 times a day" in answer.lines[-1].reason and len(service.standing(table.id, "seat1")) == 2
    table.good("seat2", "STANDING march IF home < 0: DECLINE")  # each seat for itself
    events = service.status(table.id).event
    assert not table.send("seat1", "STANDING march: DECLINE").ok and service.status(table.id).event == events
    clock.advance(hours=24)
    table.good("seat1", "CANCEL STANDING 2")


def test_bad_standing_orders_are_refused(desk, service):
    table = desk().start()
    assert table.send("seat1", "STANDING march: FLY TO hill").lines[0].state == "unreadable"
    assert "no condition" in table.send("seat1", "STANDING march IF ???: DECLINE").lines[0].reason
    assert "whole number" in table.send("seat1", "STANDING march IF luck > many: DECLINE").lines[0].reason
    slip = table.send("seat1", "STANDING marhc: DECLINE").lines[0]
    assert slip.state == "refused" and slip.hints == ["march"]
    assert service.standing(table.id, "seat1") == []


def test_press_is_relayed_and_only_its_commitment_enters_the_stream(desk, service):
    table = desk(policy={"press": "windows"}).start()
    table.good("seat1", "PRESS TO Blue, green: Dear friends,", "shall we march?", "", "Move on TO it", "END", "DONE")
    press = service.press(table.id, "seat2")[0]
    assert press["text"] == "Dear friends,\nshall we march?\n\nMove on TO it" and press["from"] == ["red"]
    assert [m.seat for m in messages(service, table.id, "press")] and service.press(table.id, "seat1")
    stored = b"".join(bytes(e.state) for e in service.store.stream.recorder.select_events(table.id))
    assert b"Dear friends" not in stored and b"shall we march" not in stored
    assert "plays no part" in table.send("seat1", "PRESS TO black: hi").lines[0].reason
    table.good("seat2", "DONE")
    table.good("seat3", "DONE")
    assert "not relayed now" in table.send("seat1", "PRESS TO all: hi").lines[0].reason


def test_press_ends_where_an_order_begins_in_whatever_letters(desk):
    table = desk().start()
    answer = table.good("seat1", "PRESS TO blue: a deal?", "That is all.", "DONE")
    assert [line.order for line in answer.lines] == ["PRESS TO blue: a deal?\nThat is all.", "DONE"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("march 2 to hlil", "there is no place “hlil”"),
        ("MARCHE 2 TO hill", "there is no order that begins with “MARCHE”"),
        ("mrach 2 to hill", "there is no order that begins with “mrach”"),
        ("- MARCH 2 TO hill", "there is no order that begins with “-”"),
        ("done", "“done” alone may be an order"),
        ("Fini.", "“Fini.” alone may be an order"),
        ("готово", "“готово” alone may be an order"),
        ("If you march, I follow.", "there is no condition “you”"),
        ("standing marhc DECLINE", "LIST should stand"),
        ("set timezone", "missing at the end"),
        ("for blue: MARCH", "missing at the end: number"),
    ],
)
def test_a_line_below_a_message_that_begins_like_an_order_is_asked_back(desk, service, line, said):
    table = desk().start()
    answer = table.send("seat1", "PRESS TO blue: hello", line, "DONE")
    assert not answer.ok and service.press(table.id, "seat2") == []
    assert [one.state for one in answer.lines] == ["told", "unreadable", "told"]
    teller = Teller(toy.kit())
    assert said in answer.lines[1].said(teller) and "begin it with a colon" in teller.hints(answer.lines[1].hints)[-1]
    assert not service.asked(table.id, "seat1")[0].answered
    table.good("seat1", "PRESS TO blue: hello", f": {line}", "DONE")
    assert service.press(table.id, "seat2")[0]["text"] == f"hello\n{line}"
    assert service.asked(table.id, "seat1")[0].answered


def test_prose_in_a_message_is_not_taken_for_orders(desk, service):
    table = desk().start()
    prose = ["For my part I would wait.", ":-) shall we?", "Now then, the hill:", "", "1815 was bad", "Yours, R."]
    table.good("seat1", "PRESS TO blue: Dear friend,", *prose)
    assert service.press(table.id, "seat2")[0]["text"] == "\n".join(["Dear friend,", *prose])


def test_after_the_end_of_a_message_orders_go_on_and_after_another_end_nothing(desk):
    answer = desk().start().good("seat1", "PRESS TO blue: hello", "END", "DONE", "END", "FLY TO hill")
    assert [line.order for line in answer.lines] == ["PRESS TO blue: hello", "DONE"]


def test_preferences_are_kept_beside_the_stream(desk, service):
    table = desk().start()
    table.good(
        "seat1",
        "SET TIMEZONE europe/paris",
        "SET REPORTS daily AT 7",
        "SET LANGUAGE fr",
        "SET WEBHOOK https://example.net/hook",
    )
    player = service.player(table.id, "seat1")
    assert (player["timezone"], player["reports"], player["hour"], player["language"], player["webhook"]) == (
        "Europe/Paris",
        "daily",
        7,
        "fr",
        "https://example.net/hook",
    )
    for wrong in ("SET TIMEZONE Mars/Olympus", "SET WEBHOOK ftp://x", "SET REPORTS hourly", "SET LANGUAGE xx",
                  "SET BOARD some", "SET WEBHOOK http://example.net/", "SET WEBHOOK https://[", "SET WEBHOOK https://a:b@example.net/",
                  "SET WEBHOOK https://127.0.0.1/", "SET WEBHOOK https://[::1]/", "SET WEBHOOK https://localhost/",
                  "SET WEBHOOK https://localhost.localdomain/", "SET WEBHOOK https://router.lan/x",
                  "SET WEBHOOK https://169.254.169.254/latest"):  # fmt: skip
        assert not table.send("seat1", wrong).ok
    slip = table.send("seat1", "SET LANGUAGE xx").lines[0]  # told of LANGUAGE, not of the other things that can be set
    assert "xx" in slip.reason and "ZONE" not in "".join(slip.hints)
    table.good("seat1", "SET WEBHOOK off")
    assert service.player(table.id, "seat1")["webhook"] is None


def test_status_and_help_are_told_without_an_event(desk, service):
    table = desk().start()
    before = service.status(table.id).event
    answer = table.good("seat1", "STATUS", "HELP ALL")
    assert "Waiting for Red, Blue and Green" in answer.lines[0].text and "MARCH" in answer.lines[1].text
    assert service.status(table.id).event == before
    assert len(messages(service, table.id, "answer")) == 1


def test_help_explains_an_order_with_what_is_legal_now_and_a_message_keeps_its_words(desk, service):
    table = desk().start()
    table.show_all()
    seat = table.asked_seat()
    march, press = table.good(seat, "HELP march", "HELP PRESS").lines
    told = march.told(Teller(service.kit_of(table.id)))
    assert told.startswith("MARCH <") and "Legal now, for example:\n  MARCH" in told and march.order == "HELP MARCH"
    assert press.told(Teller(service.kit_of(table.id))).startswith("PRESS TO <")
    unknown = table.send(seat, "HELP marhc").lines[0]
    assert unknown.state == "unreadable" and "HELP MARCH" in unknown.hints and "too many" not in unknown.reason
    for below in ("help me march", "Help march"):
        asked_back = table.send(seat, "PRESS TO all: hear", below)
        assert [line.state for line in asked_back.lines] == ["told", "unreadable"], below
    mine = table.good(seat, "PRESS TO all: hear", ": help march", "END", "HELP MARCH")
    assert len(mine.lines) == 2 and "help march" in mine.lines[0].line


def test_a_salt_changes_what_fixes_the_dice(desk, service):
    table = desk().start()
    table.show_all()
    seat = table.asked_seat()
    table.good(seat, "SALT my own words", "MARCH 1 TO hill")
    sent = [e["order"]["text"] for e in service.events(table.id, seat) if e["order"] and e["order"]["seat"] == seat]
    assert sent[-1] == "SALT my own words\nMARCH 1 TO hill"
    assert table.send(seat, "SALT alone").lines[0].state == "unreadable"


def test_a_mail_on_which_the_program_fails_is_set_aside_and_the_queue_goes_on(desk, service, clock, monkeypatch):
    table = desk().start()
    sound = following.attempt

    def fails(act, seat, *more, **others):
        if seat == "seat1":
            act.live.play.table.set("round", 99)
            raise ZeroDivisionError("a defect")
        return sound(act, seat, *more, **others)

    monkeypatch.setattr(following, "attempt", fails)
    numbers = [
        service.receive(Submission(table.id, ["DONE"], clock.now(), "mail", token=table.tokens[s])) for s in table.seats
    ]
    assert service.take_up(table.id) == 3
    answers = [service.answer(table.id, number) for number in numbers]
    assert "set aside" in answers[0].note and not answers[0].ok and answers[1].ok and answers[2].ok
    assert service.view_at(table.id).state["round"] == 0
    assert kinds(service, table.id)[-3:] == ["set_aside", "order", "order"]
    assert [m.seat for m in messages(service, table.id, "set_aside")] == ["moderator"]
    assert {m.seat for m in messages(service, table.id, "answer")} == set(table.seats)
    monkeypatch.undo()
    table.good("seat1", "DONE")
    assert service.status(table.id).kind == "show"


def test_many_threads_lose_and_double_nothing(desk, service, clock):
    table = desk().start()
    errors = []

    def send(seat):
        try:
            for n in range(10):
                table.good(seat, "STATUS", f"PRESS TO all: {seat} {n}")
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=send, args=(seat,)) for seat in table.seats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert kinds(service, table.id).count("press") == 30
    assert len(service.inbox(table.id)) == 30
    assert sorted(m.message_id for m in messages(service, table.id, "answer")) == sorted(
        {m.message_id for m in outbox.messages(service.store, table.id) if m.kind == "answer"}
    )


@pytest.mark.parametrize(
    "evil", ["'; DROP TABLE inbox; --", "{{ 7*7 }}", "\x00\x01", "\ud800", "x" * 5000, "BCC: a@b.c"]
)
def test_evil_lines_are_answered_and_do_nothing(desk, service, evil):
    table = desk().start()
    before = service.view_at(table.id)
    answer = table.send("seat1", evil)
    assert not answer.ok
    assert service.view_at(table.id) == before


def test_a_flood_of_messages_and_settings_in_one_mail_is_bounded(desk, service):
    table = desk().start()
    answer = table.send("seat1", *["PRESS TO blue: hello", "END", "SET LANGUAGE fr"] * 15)
    states = [line.state for line in answer.lines]
    assert states == ["accepted"] * 10 + ["refused"] * 20
    assert "at most 10 messages and settings" in answer.lines[-1].reason
    assert len(service.press(table.id, "seat2")) == 5


def test_a_standing_order_that_cannot_be_read_is_not_told_what_is_asked_now(desk):
    table = desk().start()
    table.show_all()
    (line,) = table.send(table.asked_seat(), "STANDING ambush: BLAH").lines
    assert line.state == "unreadable"
    assert line.hints[0] == "STANDING ambush: DECLINE" and "AMBUSH" in line.hints[-2]
    assert not [hint for hint in line.hints if hint.startswith("MARCH 1")]
    assert line.hints[-1] == "form: STANDING <question> [IF <conditions>]: <answer>"


def test_an_order_that_may_be_the_rest_of_a_sentence_of_a_message_is_asked_back(desk, service):
    table = desk().start()
    message = "PRESS TO blue: Bob, next round could you please"
    answer = table.send("seat1", message, "march 1 to hill")
    assert not answer.ok and service.press(table.id, "seat2") == []
    assert answer.lines[1].hints[0] == "END"
    assert table.send("seat1", f"{message}.", "march 1 to hill").lines[0].state == "accepted"
