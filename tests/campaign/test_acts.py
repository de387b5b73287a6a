"""Acts: saved as a whole or dropped, repeated where another process was faster, and one way for every order."""

from __future__ import annotations

import pytest

from pbem.campaign import taking
from pbem.campaign.service import NotNow, Service
from pbem.campaign.submissions import Submission


def test_of_an_act_that_fails_nothing_is_kept(desk, service, clock):
    table = desk().start()
    before = service.status(table.id)
    with pytest.raises(ZeroDivisionError), service.acts.act(table.id, clock.now()) as act:
        act.write("settings", public={"reason": "half a thing"})
        act.live.play.table.set("round", 99)
        raise ZeroDivisionError
    assert table.id not in service.memory.in_play
    assert service.status(table.id) == before
    with service.memory.reading(table.id) as live:
        assert live.play.table.board.state["round"] == 0


def test_what_an_act_carries_along_does_not_outlive_it(desk, service, clock):
    table = desk().start()
    with service.acts.act(table.id, clock.now(), 7) as act:
        act.write("settings", public={"reason": "a thing"})
    with service.acts.act(table.id, clock.now()) as another:
        assert another.live is act.live and another.submission is None
        assert (another.cast, another.beside, another.worked) == ("", [], [])


def test_an_act_that_is_refused_on_an_old_state_is_done_on_the_new_one(desk, service, settings, clock):
    table, other = desk().start(), Service(settings, clock)
    service.pause(table.id, "a feast")
    other.resume(table.id)
    service.pause(table.id, "another feast")  # this process still knew it as paused
    assert service.status(table.id).state == "paused"
    other.close()
    with pytest.raises(NotNow):
        service.pause(table.id, "a third feast")


def test_an_order_of_a_page_on_which_the_program_fails_is_tried_once_and_set_aside(desk, service, clock, monkeypatch):
    table, tried = desk().start(), []

    def fail(*_):
        tried.append(1)
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(taking, "take", fail)
        answer = service.submit(Submission(table.id, ["DONE"], clock.now(), seat="seat1"))
    assert "set aside" in answer.note and tried == [1]
    assert service.answer(table.id, answer.number).note == answer.note
    assert [row["state"] for row in service.inbox(table.id)] == ["set_aside"]
    assert service.events(table.id)[-1]["kind"] == "set_aside"
    assert service.submit(Submission(table.id, ["DONE"], clock.now(), seat="seat1")).number == answer.number + 1


def test_an_order_of_a_page_that_lost_a_race_for_its_number_goes_through_the_inbox(desk, service, settings, clock):
    table, other = desk().start(), Service(settings, clock)
    first = service.submit(Submission(table.id, ["QUEUE"], clock.now(), seat="seat1"))
    taken = other.submit(Submission(table.id, ["DONE"], clock.now(), seat="seat2"))
    mine = service.submit(Submission(table.id, ["DONE"], clock.now(), seat="seat1"))
    assert mine.ok and [first.number, taken.number, mine.number] == [1, 2, 3]
    assert [event["kind"] for event in service.events(table.id)][-2:] == ["order", "order"]
    other.close()


def test_what_a_page_sends_twice_is_carried_out_once(desk, service, clock):
    table = desk().start()
    twice = [
        service.submit(Submission(table.id, ["DONE"], clock.now(), seat="seat1", message_id="a key of the form"))
        for _ in range(2)
    ]
    assert twice[0].number == twice[1].number and twice[0].lines == twice[1].lines
    assert [event["kind"] for event in service.events(table.id)].count("order") == 1
