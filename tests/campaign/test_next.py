"""NEXT: a program that is sent before its turn has come."""

from __future__ import annotations

import pytest

from pbem.campaign import verify
from pbem.campaign.commands import Next, read_line, read_lines
from pbem.campaign.programs import joined
from pbem.table.orders import Unreadable
from tests import toy
from tests.campaign.test_life import messages
from tests.campaign.test_programs import finish_round, march_of
from tests.told import told

KINDS, KIT = toy.GAME.orders, toy.kit()


@pytest.mark.parametrize("line", ["NEXT", "next:", " Next. "])
def test_next_is_read(line):
    assert isinstance(read_line(KINDS, line, KIT), Next)


@pytest.mark.parametrize("lines", [["NEXT"], ["NEXT", "NEXT", "DONE"], ["DONE", "NEXT", "SET LANGUAGE fr"]])
def test_next_alone_says_what_is_missing(lines):
    problems = [told(line.problem, KIT)[0] for line in read_lines(KINDS, lines, KIT) if line.problem]
    assert problems == ["after NEXT the orders of your next turn should stand"]


@pytest.mark.parametrize("line", ["FOR red: NEXT", "IF home > 1 NEXT", "STANDING march: NEXT"])
def test_next_stands_alone(line):
    with pytest.raises(Unreadable):
        read_line(KINDS, line, KIT)


def test_salt_goes_past_next_to_the_order_below_it():
    first, second = read_lines(KINDS, ["SALT mine", "NEXT", "DONE"], KIT)
    assert first.sent == "NEXT" and second.sent == "SALT mine\nDONE"


def test_the_turns_to_come_replace_those_that_wait_and_leave_the_running_program():
    before = ["DONE", "NEXT", "SHOW 1"]
    assert joined(["MARCH"], before) == ["MARCH", "DONE", "NEXT", "SHOW 1"]
    assert joined(["NEXT", "SHOW 2", "NEXT", "DONE"], before) == ["DONE", "NEXT", "SHOW 2", "NEXT", "DONE"]
    assert joined(["MARCH", "NEXT", "SHOW 2"], before) == ["MARCH", "DONE", "NEXT", "SHOW 2"]


def other_than(table, seat):
    return next(one for one in table.seats if one != seat)


def test_what_stands_after_next_waits_for_the_turn_and_then_runs(desk, service):
    table = desk().start()
    marcher = march_of(table)
    seat = other_than(table, marcher)
    card = table.hand(seat)[0]
    answer = table.good(seat, "NEXT", "DONE", f"SHOW {card}")
    assert [line.state for line in answer.lines] == ["queued"] * 3
    assert "waits for your next turn" in answer.lines[0].text
    assert service.queued(table.id, seat) == ["NEXT", "DONE", f"SHOW {card}"]
    table.good(marcher, "DECLINE")
    assert service.status(table.id).kind == "negotiation"
    assert service.queued(table.id, seat) == [f"SHOW {card}"], "DONE was said when the window opened"
    for other in table.seats:
        if other != seat:
            table.good(other, "DONE")
    assert service.queued(table.id, seat) == [] and service.status(table.id).kind == "show"


def test_a_response_in_between_is_no_turn(desk, service):
    table = desk().start()
    marcher = march_of(table)
    seat = other_than(table, marcher)
    table.good(seat, "NEXT", "DONE")
    table.good(marcher, "MARCH 1 TO hill")
    assert service.queued(table.id, seat) == ["NEXT", "DONE"]
    table.good(seat, "AMBUSH")
    assert service.queued(table.id, seat) == ["NEXT", "DONE"], "its own answer leaves the plan where it is"


def test_next_goes_on_at_once_when_the_turn_has_come(desk, service):
    table = desk().start()
    answer = table.good("seat1", "NEXT", "DONE")
    assert [line.state for line in answer.lines] == ["accepted", "accepted"]
    assert service.queued(table.id, "seat1") == []


def test_one_mail_holds_this_turn_and_the_next_and_the_next_begins_afresh(desk, service):
    table = desk().start()
    seat = march_of(table)
    answer = table.good(seat, "MARCH 1 TO hill", "NEXT", "IF ambushed STOP", "DONE")
    assert [line.state for line in answer.lines] == ["accepted", "queued", "queued", "queued"]
    finish_round(table, seat, "AMBUSH")
    assert service.queued(table.id, seat) == [], "the ambush was in the turn before: it does not stop the new program"
    assert [ask.answered for ask in service.asked(table.id, seat)] == [True]


def test_a_new_next_takes_the_place_of_the_one_that_waits(desk, service):
    table = desk().start()
    seat = other_than(table, march_of(table))
    table.good(seat, "NEXT", "IF home >= 5 STOP", "DONE")
    table.good(seat, "NEXT", "DONE")
    assert service.queued(table.id, seat) == ["NEXT", "DONE"]
    table.good(seat, "CANCEL QUEUE")
    assert service.queued(table.id, seat) == []


def test_an_order_out_of_turn_is_told_of_next(desk):
    table = desk().start()
    seat = other_than(table, march_of(table))
    line = table.send(seat, "DONE").lines[0]
    assert line.state == "refused" and "NEXT" in line.text


def test_a_plan_that_has_become_impossible_falls_and_its_player_is_asked(desk, service):
    table = desk().start()
    marcher = march_of(table)
    seat = other_than(table, marcher)
    table.good(seat, "NEXT", "MARCH 1 TO hill", "DONE")
    table.good(marcher, "DECLINE")
    event = service.events(table.id, seat)[-1]
    assert event["own"]["refused"] and event["own"]["program"]["left"] == ["NEXT", "MARCH 1 TO hill", "DONE"]
    assert service.queued(table.id, seat) == [] and not service.asked(table.id, seat)[0].answered


def test_a_plan_survives_a_restart_and_others_read_nothing_of_it(desk, service, settings, clock):
    from pbem.campaign.service import Service

    table = desk().start()
    marcher = march_of(table)
    seat = other_than(table, marcher)
    table.good(seat, "NEXT", "DONE")
    for reader in (marcher, None):
        assert "DONE" not in repr(service.events(table.id, reader)[-1])
    again = Service(settings, clock)
    table.service = again
    table.good(marcher, "DECLINE")
    assert again.queued(table.id, seat) == [] and again.asked(table.id, seat)[0].answered
    again.close()


def test_a_turn_in_which_no_line_is_carried_out_is_not_the_next_one(desk, service):
    table = desk().start()
    answer = table.good("seat1", "IF home > 5 DONE", "NEXT", "DONE")
    assert [line.state for line in answer.lines] == ["told", "queued", "queued"]
    assert not service.asked(table.id, "seat1")[0].answered
    marcher = march_of(table)
    seat = other_than(table, marcher)
    table.good(seat, "NEXT", "IF home > 5 DONE", "NEXT", "DONE")
    table.good(marcher, "DECLINE")
    assert service.queued(table.id, seat) == ["NEXT", "DONE"] and not service.asked(table.id, seat)[0].answered
    marcher = march_of(table)
    assert service.queued(table.id, seat) == ["NEXT", "DONE"]
    table.good(marcher, "DECLINE")
    assert service.queued(table.id, seat) == []


def test_a_condition_after_the_last_order_of_a_turn_does_not_put_the_next_one_off(desk, service):
    table = desk().start()
    marcher = march_of(table)
    answer = table.good(marcher, "DECLINE", "IF ambushed STOP", "NEXT", "DONE")
    assert [line.state for line in answer.lines] == ["accepted", "told", "accepted", "accepted"]


def test_a_turn_that_comes_as_the_mail_is_done_is_told_so(desk, service):
    table = desk().start()
    for seat in table.seats:
        table.good(seat, "DONE")
    for seat in table.seats:
        table.good(seat, "STANDING show: DEFAULT", "STANDING march: DECLINE")
    for seat in ("seat2", "seat3"):
        table.good(seat, "STANDING negotiation: DONE")
    assert service.status(table.id).kind == "negotiation"
    answer = table.good("seat1", "DONE", "NEXT", "DONE")
    assert [(line.state, line.text) for line in answer.lines][1] == ("accepted", "your turn has come")


def test_a_plan_for_the_next_turn_does_not_lengthen_what_this_one_is_judged_by(desk, service):
    table = desk().start()
    seat = march_of(table)
    table.good(seat, "NEXT", "DONE")
    event = service.status(table.id).event
    table.good(seat, "MARCH 1 TO hill", "IF ambushed STOP")
    assert service.memory.get(table.id).campaign.programs[seat]["since"] > event


def test_too_much_is_refused_and_nothing_of_it_kept(desk, service):
    table = desk().start()
    seat = table.seats[0]
    for one in table.seats:
        table.good(one, "DONE")
    show = f"SHOW {table.hand(seat)[0]}"
    for _ in range(2):
        table.good(seat, show, *["DONE"] * 45)
    answer = table.send(seat, show, *["DONE"] * 45)
    assert [line.state for line in answer.lines] == ["accepted", *["refused"] * 45]
    assert answer.lines[1].reason == "at most 100 orders are queued for a seat"
    assert len(service.queued(table.id, seat)) == 90


def test_a_condition_before_the_campaign_begins_is_refused(desk):
    line = desk().send("seat1", "IF ambushed STOP", "NEXT", "DONE").lines[0]
    assert (line.state, line.reason) == ("refused", "the campaign has not begun")


def test_who_is_invited_to_a_seat_does_not_get_the_plans_of_who_declined_it(desk, service):
    table = desk()
    table.good("seat1", "STANDING march: DECLINE", "NEXT", "DONE")
    table.good("seat1", "DECLINE INVITATION")
    table.tokens["seat1"] = service.invite(table.id, "seat1", "Another", "another@example.net")
    assert service.queued(table.id, "seat1") == []
    service.accept(table.id, "seat1")
    table.start()
    assert not service.asked(table.id, "seat1")[0].answered
    assert table.good("seat1", "STANDING LIST").lines[0].text == "There are no standing orders."


def test_words_for_the_dice_of_a_plan_verify(desk, service, tmp_path):
    table = desk().start()
    marcher = march_of(table)
    seat = other_than(table, marcher)
    table.good(seat, "NEXT", "SALT mine", "DONE", "SALT more", f"SHOW {table.hand(seat)[0]}")
    table.good(marcher, "DECLINE")
    for one in table.seats:
        if one != seat:
            table.good(one, "DONE")
    assert service.queued(table.id, seat) == []
    service.finish(table.id, "enough")
    service.export(table.id, None, tmp_path / "bundle")
    assert verify.verify((tmp_path / "bundle").open("rb")).secret_opened


@pytest.fixture
def ends_turns(monkeypatch):
    monkeypatch.setattr(toy.Done, "gives_turn_away", True)


def test_what_ends_a_turn_is_not_kept_for_another(desk, service, ends_turns):
    table = desk().start()
    marcher = march_of(table)
    table.good(marcher, "MARCH 1 TO hill", "DONE")
    assert service.queued(table.id, marcher) == ["DONE"]
    finish_round(table, marcher, "DECLINE")
    assert service.queued(table.id, marcher) == [] and not service.asked(table.id, marcher)[0].answered
    event = next(e for e in reversed(service.events(table.id, marcher)) if e["own"].get("program"))
    assert event["own"]["program"] == {"needless": ["DONE"]}
    assert not messages(service, table.id, "dropped")  # the turn was over by itself: nothing was lost


def test_below_next_it_belongs_to_that_turn(desk, service, ends_turns):
    table = desk().start()
    marcher = march_of(table)
    table.good(marcher, "MARCH 1 TO hill", "NEXT", "DONE")
    finish_round(table, marcher, "DECLINE")
    assert service.asked(table.id, marcher)[0].answered and service.queued(table.id, marcher) == []
