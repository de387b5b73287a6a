"""Time: reminders, missed deadlines, outages, clocks."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from pbem.campaign import changes, deadlines, outbox
from pbem.campaign.acts import NotNow
from pbem.campaign.clock import moment
from pbem.campaign.moderators import Moderators
from pbem.campaign.service import Service
from pbem.campaign.submissions import Submission
from tests.campaign.conftest import Desk
from tests.campaign.test_life import kinds, messages


def to_the_march(table):
    table.show_all()
    assert table.service.status(table.id).kind == "march"
    return table.asked_seat()


def test_each_kind_of_question_has_its_time(desk, service, clock):
    table = desk(policy={"times": {"march": 5}}).start()
    hours = {}
    for _ in range(1):
        hours[service.status(table.id).kind] = service.status(table.id).deadline - clock.now()
        for seat in table.seats:
            table.good(seat, "DONE")
        hours[service.status(table.id).kind] = service.status(table.id).deadline - clock.now()
        for seat in table.seats:
            table.good(seat, f"SHOW {table.hand(seat)[0]}")
        hours[service.status(table.id).kind] = service.status(table.id).deadline - clock.now()
    assert hours == {"negotiation": timedelta(hours=48), "show": timedelta(hours=72), "march": timedelta(hours=5)}


def test_reminders_go_out_once_each_to_those_who_are_late(desk, service, clock):
    table = desk().start()
    for seat in table.seats:
        table.good(seat, "DONE")
    table.good("seat1", f"SHOW {table.hand('seat1')[0]}")
    clock.advance(hours=47)
    assert service.tick() == 0
    clock.advance(hours=1)
    assert service.tick() == 1 and service.tick() == 0
    assert {m.seat for m in messages(service, table.id, "reminder")} == {"seat2", "seat3"}
    clock.advance(hours=18)
    service.tick()
    reminded = [e["public"]["hours"] for e in service.events(table.id) if e["kind"] == "reminded"]
    assert reminded == [24, 6]


def test_silence_takes_the_default_at_the_deadlines_own_time(desk, service, clock):
    table = desk().start()
    deadline = service.status(table.id).deadline
    clock.advance(hours=60)
    service.tick()
    event = next(e for e in service.events(table.id) if e["kind"] == "expired")
    assert moment(event["at"]) == deadline
    assert event["public"]["missed"] == [] and messages(service, table.id, "missed") == []  # a window ends by its clock
    assert {m.seat for m in messages(service, table.id, "window_closed")} == set(table.seats)
    assert service.status(table.id).kind == "show"
    assert service.status(table.id).deadline == clock.now() + timedelta(hours=72)
    clock.advance(hours=73)
    service.tick()
    assert service.status(table.id).kind == "march"
    expired = [e for e in service.events(table.id) if e["kind"] == "expired"][-1]
    assert expired["public"]["missed"] == ["red", "blue", "green"]
    assert {m.seat for m in messages(service, table.id, "missed")} == set(table.seats)


def test_the_default_time_is_that_of_every_kind_without_its_own(desk, service, clock):
    table = desk(policy={"times": {"default": 30, "show": 7}}).start()  # the kit has its own time for a negotiation
    assert service.status(table.id).deadline == clock.now() + timedelta(hours=30)
    for seat in table.seats:
        table.good(seat, "DONE")
    assert service.status(table.id).kind == "show"
    assert service.status(table.id).deadline == clock.now() + timedelta(hours=7)


def test_who_has_answered_a_sealed_round_is_not_told_that_the_game_waits_for_him(desk, service):
    table = desk().start()
    answer = table.good("seat1", "DONE")
    assert answer.waiting_for == ["blue", "green"]
    assert service.status(table.id, "seat1").waiting_for == ["blue", "green"]
    assert service.status(table.id, "seat2").waiting_for == ["red", "blue", "green"]  # who has answered is secret
    assert service.status(table.id).waiting_for == ["red", "blue", "green"]


def test_answers_already_sealed_stand_when_the_others_are_late(desk, service, clock):
    table = desk().start()
    for seat in table.seats:
        table.good(seat, "DONE")
    card = table.hand("seat1")[-1]
    table.good("seat1", f"SHOW {card}")
    clock.advance(hours=73)
    service.tick()
    assert card in service.view_at(table.id).piles["discard"]
    assert [e for e in service.events(table.id) if e["kind"] == "expired"][-1]["public"]["missed"] == ["blue", "green"]


def test_late_mail_is_told_so_and_mail_in_time_is_taken_up_first(desk, service, clock):
    table = desk().start()
    seat = to_the_march(table)
    token = table.tokens[seat]
    clock.advance(hours=71)
    in_time = service.receive(Submission(table.id, ["MARCH 1 TO hill"], clock.now(), "mail", token=token))
    clock.advance(hours=2)
    late = service.receive(Submission(table.id, ["DECLINE"], clock.now(), "mail", token=token))
    service.tick()
    assert service.answer(table.id, in_time).ok
    assert not service.answer(table.id, late).ok
    assert "expired" not in kinds(service, table.id)[-4:]

    other = desk().start()
    seat = to_the_march(other)
    clock.advance(hours=73)
    answer = other.send(seat, "MARCH 1 TO hill")  # the clock has not ticked yet: late all the same
    assert "came after the deadline" in answer.note
    assert "expired" in kinds(service, other.id)


def test_mail_of_the_very_moment_of_the_deadline_is_in_time(desk, service, clock):
    table = desk().start()
    seat = to_the_march(table)
    clock.set(service.status(table.id).deadline)
    answer = table.good(seat, "MARCH 1 TO hill")
    assert not answer.note and "expired" not in kinds(service, table.id)[-4:]


def test_mail_that_came_in_out_of_order_is_judged_by_its_own_time(desk, service, clock):
    table = desk().start()
    seat = to_the_march(table)
    deadline = service.status(table.id).deadline
    clock.set(deadline + timedelta(hours=1))
    late = service.receive(Submission(table.id, ["DECLINE"], clock.now(), "mail", token=table.tokens[seat]))
    early = service.receive(
        Submission(table.id, ["MARCH 2 TO hill"], deadline - timedelta(hours=1), "mail", token=table.tokens[seat])
    )
    service.tick()
    assert service.answer(table.id, early).ok and not service.answer(table.id, late).ok


def test_nothing_expires_before_the_mailbox_was_polled_after_it(settings, clock, desk):
    polled = []
    service = Service(settings, clock, polled=lambda deadline: bool(polled))
    from tests.campaign.conftest import Desk

    table = Desk(service, clock).start()
    clock.advance(hours=49)
    service.tick()
    assert service.status(table.id).kind == "negotiation"
    polled.append(1)
    service.tick()
    assert service.status(table.id).kind == "show"
    service.close()


def test_grace_lets_only_the_late_send(desk, service, clock):
    table = desk(policy={"missed": "grace", "grace_hours": 12}).start()
    for seat in table.seats:
        table.good(seat, "DONE")
    table.good("seat1", f"SHOW {table.hand('seat1')[0]}")
    clock.advance(hours=73)
    service.tick()
    assert kinds(service, table.id)[-1] == "missed"
    assert {m.seat for m in messages(service, table.id, "missed")} == set(table.seats)
    assert "only those who are late" in table.send("seat1", f"SHOW {table.hand('seat1')[1]}").lines[0].reason
    table.good("seat2", f"SHOW {table.hand('seat2')[0]}")
    clock.advance(hours=13)
    service.tick()
    assert service.status(table.id).kind == "march"


def test_grace_begins_when_it_is_noticed_and_not_at_a_deadline_long_past(desk, service, clock):
    table = desk(policy={"missed": "grace", "grace_hours": 12}).start()
    to_the_march(table)
    clock.advance(hours=72 + 40)  # the clock stood still for forty hours
    service.tick()
    assert service.status(table.id).deadline == clock.now() + timedelta(hours=12)


def test_reminders_that_are_due_together_are_one_and_tell_the_hours_that_are_left(desk, service, clock):
    table = desk().start()
    clock.advance(hours=43)  # five hours before the end: both the 24 and the 6 hours are past
    service.tick(), service.tick()
    assert [e["public"]["hours"] for e in service.events(table.id) if e["kind"] == "reminded"] == [6]
    assert len(messages(service, table.id, "window_closing")) == len(table.seats)


@pytest.mark.parametrize(
    ("then", "state", "kind"), [("default", "running", "negotiation"), ("pause", "paused", "march")]
)
def test_automatic_extensions_are_counted_for_each_seat(desk, service, clock, then, state, kind):
    policy = {"missed": "extend", "extensions": 2, "extension_hours": 10, "then": then}
    table = desk(policy=policy).start()
    seat = to_the_march(table)
    clock.advance(hours=73)
    service.tick()
    assert service.status(table.id).deadline == clock.now() + timedelta(hours=10)
    clock.advance(hours=11)
    service.tick()
    assert kinds(service, table.id).count("extended") == 2
    clock.advance(hours=11)
    service.tick()
    assert (service.status(table.id).state, service.status(table.id).kind) == (state, kind)
    if state == "paused":
        table.tokens[seat] = service.replace(table.id, seat, "New", "new@example.net")
        assert service.status(table.id).state == "running"
        assert service.status(table.id).deadline == clock.now() + timedelta(hours=72)
        table.good(seat, "DECLINE")


def test_a_new_player_has_all_his_extensions(desk, service, clock):
    table = desk(policy={"missed": "extend", "extensions": 1, "extension_hours": 10}).start()
    seat = to_the_march(table)
    clock.advance(hours=73)
    service.tick()
    table.tokens[seat] = service.replace(table.id, seat, "New", "new@example.net")
    clock.advance(hours=11)
    service.tick()
    assert kinds(service, table.id).count("extended") == 2 and service.status(table.id).kind == "march"


def test_a_campaign_that_holds_waits_until_somebody_acts(desk, service, clock):
    table = desk(policy={"missed": "hold"}).start()
    seat = to_the_march(table)
    clock.advance(hours=100)
    service.tick()
    assert service.status(table.id).deadline is None and service.status(table.id).kind == "march"
    clock.advance(days=100)
    assert service.tick() == 0
    table.good(seat, "DECLINE")


def test_an_outage_over_a_deadline_extends_it_once(desk, service, clock):
    table = desk().start()
    deadline = service.status(table.id).deadline
    clock.set(deadline - timedelta(hours=2))
    service.heartbeat("web")
    service.heartbeat("smtp")
    service.tick()
    clock.set(deadline + timedelta(hours=1))
    service.tick()
    assert service.status(table.id).kind == "negotiation"  # both ways are still down
    service.heartbeat("web")
    service.heartbeat("smtp")
    service.tick()
    service.tick()
    extended = [e["public"] for e in service.events(table.id) if e["kind"] == "extended"]
    assert len(extended) == 1 and "was down" in extended[0]["reason"]
    assert service.status(table.id).deadline == deadline + timedelta(hours=3)
    for minute in range(1, 121):
        clock.advance(minutes=1)
        if minute % 3 == 0:
            service.heartbeat("web")
            service.heartbeat("smtp")
            service.tick()
    assert service.status(table.id).kind == "show"


def test_an_outage_that_began_after_the_deadline_extends_nothing(desk, service, clock):
    table = desk().start()
    deadline = service.status(table.id).deadline
    for minutes in (-1, 1):  # the ways in are open to the end and a little longer
        clock.set(deadline + timedelta(minutes=minutes))
        service.heartbeat("web")
        service.heartbeat("smtp")
    clock.set(deadline + timedelta(hours=3))
    service.heartbeat("web")
    service.heartbeat("smtp")
    service.tick()
    assert service.status(table.id).kind == "show" and "extended" not in kinds(service, table.id)


def test_a_clock_that_was_down_while_mail_came_in_extends_nothing(desk, service, clock):
    table = desk().start()
    for _ in range(16 * 60):
        clock.advance(minutes=4)
        service.heartbeat("smtp")
    service.tick()
    assert service.status(table.id).kind == "show"
    assert "extended" not in kinds(service, table.id)


def test_two_clocks_expire_a_deadline_once(settings, desk, service, clock):
    table = desk().start()
    other = Service(settings, clock)
    clock.advance(hours=25)
    service.tick(), other.tick()
    other.status(table.id)
    clock.advance(hours=24)
    service.tick(), other.tick(), service.tick()
    assert kinds(other, table.id).count("expired") == 1
    assert kinds(other, table.id).count("reminded") == 1
    other.close()


def test_the_campaign_list_says_who_is_waited_for_and_since_when(desk, service, clock):
    table = desk().start()
    seat = to_the_march(table)
    service.project()
    row = next(row for row in service.campaigns() if row["campaign"] == table.id)
    assert row["waiting_seats"] == [seat] and row["question"] == "march"
    assert moment(row["waited_since"]) == clock.now()
    assert moment(row["deadline"]) == clock.now() + timedelta(hours=72)
    assert json.dumps(row)


def notices(service, kind):
    return [m for m in outbox.messages(service.store, limit=1000) if m.kind == kind]


def test_moderators_are_told_once_a_day_that_deadlines_wait_for_a_way_in(desk, service, clock):
    table = desk().start()
    accounts = Moderators(service.store)
    accounts.add("anna", "correct horse battery", clock.now(), address="anna@example.net")
    accounts.take(table.id, "anna")
    other = desk().start()
    deadline = service.status(table.id).deadline
    clock.set(deadline - timedelta(hours=2))
    service.heartbeat("smtp")
    clock.set(deadline + timedelta(minutes=50))
    service.tick()
    assert notices(service, "way_down") == []
    for _ in range(3):
        clock.advance(hours=1)
        service.tick()
    told = {m.seat: m.data for m in notices(service, "way_down")}
    assert len(notices(service, "way_down")) == 2 and set(told) == {"moderator", "moderator.anna"}
    assert sorted(told["moderator"]["campaigns"]) == sorted([table.id, other.id])
    assert told["moderator.anna"]["campaigns"] == [table.id] and list(told["moderator.anna"]["ways"]) == ["smtp"]
    clock.advance(days=1)
    service.tick()
    assert len(notices(service, "way_down")) == 4
    service.heartbeat("smtp")
    clock.advance(days=1)
    service.heartbeat("smtp")
    service.tick()
    assert len(notices(service, "way_down")) == 4


def test_a_mailbox_that_was_never_reached_is_told_too(settings, clock):
    service = Service(settings, clock, polled=lambda moment: False)
    Desk(service, clock).start()
    clock.advance(hours=50)
    service.tick()
    (told,) = notices(service, "way_down")
    assert told.data["ways"] == {"imap": ""}
    service.close()


def test_moderators_are_told_once_a_day_that_the_clock_fails_on_a_campaign(desk, service, clock, monkeypatch):
    table, well = desk().start(), desk().start()
    wake = service.waking.wake

    def fail(campaign, *more):
        if campaign == table.id:
            raise RuntimeError("card_01 is in the hand of red")
        return wake(campaign, *more)

    monkeypatch.setattr(service.waking, "wake", fail)
    clock.advance(hours=50)
    service.tick(), service.tick()
    (told,) = notices(service, "fault")
    assert (told.campaign, told.data) == (table.id, {"error": "RuntimeError"})
    assert service.status(well.id).kind == "show"


def test_heartbeats_from_the_future_are_not_believed(desk, service, clock):
    table = desk().start()
    service.heartbeat("smtp")
    real = clock.now()
    clock.advance(days=20)  # the clock jumps ahead, and back
    service.heartbeat("smtp")
    service.heartbeat("web")
    clock.set(real + timedelta(minutes=1))
    service.tick()
    seat = to_the_march(table)
    before = service.status(table.id).deadline
    clock.set(before + timedelta(minutes=1))
    service.tick()  # no way in has been heard of since: the deadline waits
    assert service.status(table.id).waiting_seats == [seat] and service.status(table.id).deadline == before
    service.heartbeat("smtp")
    service.heartbeat("web")
    service.tick()
    assert service.status(table.id).deadline > before + timedelta(hours=1)
    reasons = [e["public"]["reason"] for e in service.events(table.id) if e["kind"] == "extended"]
    assert len(reasons) >= 1 and all("was down" in reason for reason in reasons)


def test_any_process_waits_for_a_good_poll(settings, clock, desk, service):
    table = desk().start()
    seat = to_the_march(table)
    deadline = service.status(table.id).deadline
    clock.set(deadline - timedelta(minutes=1))
    service.heartbeat("imap")
    pages = Service(settings, clock)
    clock.set(deadline + timedelta(minutes=1))
    pages.tick()
    assert service.status(table.id).waiting_seats == [seat]
    service.heartbeat("imap", clock.now())
    pages.tick()
    pages.close()
    assert service.status(table.id).waiting_seats != [seat] or service.status(table.id).deadline != deadline


def to_the_show(table):
    for seat in table.seats:
        table.good(seat, "DONE")
    assert table.service.status(table.id).kind == "show"
    return table.service.status(table.id).deadline


def show(table, seat):
    return table.good(seat, f"SHOW {table.hand(seat)[0]}")


def test_one_seats_extension_moves_only_its_own_clock(desk, service, clock):
    table = desk().start()
    deadline = to_the_show(table)
    later = service.extend(table.id, 48, "a week at sea", "seat2")
    assert later == deadline + timedelta(hours=48)
    assert service.status(table.id).deadlines == {"seat1": deadline, "seat2": later, "seat3": deadline}
    assert [service.asked(table.id, seat)[0].deadline for seat in table.seats] == [
        when.isoformat(timespec="microseconds") for when in (deadline, later, deadline)
    ]
    assert (service.status(table.id, "seat1").deadline, service.status(table.id).deadline) == (deadline, later)
    extended = [e["public"] for e in service.events(table.id) if e["kind"] == "extended"]
    assert [(one["powers"], one["reason"]) for one in extended] == [(["blue"], "a week at sea")]
    clock.set(deadline - timedelta(hours=24))
    service.tick()
    assert {m.seat for m in messages(service, table.id, "reminder")} == {"seat1", "seat3"}


def test_a_round_ends_when_all_are_in_or_each_ones_own_time_is_over(desk, service, clock):
    table = desk().start()
    deadline = to_the_show(table)
    service.extend(table.id, 48, "a week at sea", "seat2")
    show(table, "seat1")
    clock.set(deadline + timedelta(hours=1))
    service.tick()
    assert service.tick() == 0 and service.status(table.id).kind == "show"
    assert kinds(service, table.id)[-1] == "time_over"
    told = service.events(table.id)[-1]
    assert told["own"] == {} and told["public"].keys() <= {"at", "deadline", "question"}  # nothing of who was late
    assert service.asked(table.id, "seat3") == [] == service.asked(table.id, "seat1")
    assert [one.answered for one in service.asked(table.id, "seat2")] == [False]
    card = table.hand("seat3")[-1]
    assert table.send("seat3", f"SHOW {card}").lines[0].reason.startswith("your time for this answer is over")
    assert not table.send("seat1", f"SHOW {table.hand('seat1')[-1]}").ok
    assert card in table.hand("seat3")
    show(table, "seat2")
    assert service.status(table.id).kind == "march"
    expired = [e for e in service.events(table.id) if e["kind"] == "expired"][-1]
    assert expired["public"]["missed"] == ["green"]
    assert "came after the deadline" in table.send("seat3", f"SHOW {card}").note


def test_where_nobody_answers_the_round_ends_with_the_last_clock(desk, service, clock):
    table = desk().start()
    deadline = to_the_show(table)
    service.extend(table.id, 48, "a week at sea", "seat2")
    clock.advance(hours=200)
    service.tick()
    events = {e["kind"]: e for e in service.events(table.id)}
    assert moment(events["time_over"]["at"]) == deadline
    assert moment(events["expired"]["at"]) == deadline + timedelta(hours=48)
    assert events["expired"]["public"]["missed"] == ["red", "blue", "green"]


def test_mail_of_a_seat_that_still_has_time_does_not_wait_for_another_seats_deadline(settings, clock):
    service = Service(settings, clock, polled=lambda moment: False)  # no deadline can be dealt with
    table = Desk(service, clock).start()
    deadline = to_the_show(table)
    service.extend(table.id, 48, "a week at sea", "seat2")
    clock.set(deadline + timedelta(hours=1))
    service.tick()
    assert show(table, "seat2").lines[0].state == "accepted"
    waiting = table.send("seat3", f"SHOW {table.hand('seat3')[0]}")
    assert "after the deadline" in waiting.note and service.status(table.id).kind == "show"
    service.close()


def test_an_extension_by_itself_and_grace_are_each_seats_own(desk, service, clock):
    for policy, event in (({"missed": "extend", "extension_hours": 10}, "extended"), (
        {"missed": "grace", "grace_hours": 10}, "missed"
    )):  # fmt: skip
        table = desk(policy=policy).start()
        deadline = to_the_show(table)
        service.extend(table.id, 48, "a week at sea", "seat2")
        show(table, "seat1")
        clock.set(deadline + timedelta(minutes=5))
        service.tick()
        assert kinds(service, table.id)[-1] == event
        assert service.events(table.id)[-1]["public"]["missed"] == ["green"]
        deadlines = service.status(table.id).deadlines
        assert deadlines["seat2"] == deadline + timedelta(hours=48)
        assert deadlines["seat3"] == clock.now() + timedelta(hours=10)
        clock.advance(hours=11)
        service.tick()
        assert kinds(service, table.id)[-1] == "time_over" and service.status(table.id).kind == "show"
        show(table, "seat2")
        assert service.status(table.id).kind == "march"


def test_a_seat_whose_time_was_over_can_be_given_more_while_the_round_is_open(desk, service, clock):
    table = desk().start()
    deadline = to_the_show(table)
    service.extend(table.id, 48, "a week at sea", "seat2")
    clock.set(deadline + timedelta(hours=1))
    service.tick()
    with pytest.raises(ValueError, match="past"):
        service.extend(table.id, 1, "too little", "seat3")
    service.extend(table.id, 5, "he was ill", "seat3")
    show(table, "seat3")
    assert service.status(table.id).kind == "show"


def test_who_has_answered_does_not_show_when_the_time_of_another_is_over(desk, service, clock):
    told = []
    for has_answered in (False, True):
        table = desk().start()
        deadline = to_the_show(table)
        for seat in ("seat1", "seat2"):
            service.extend(table.id, 48, "at sea", seat)
        if has_answered:
            show(table, "seat1")
        clock.set(deadline + timedelta(minutes=5))
        service.tick()
        status = service.status(table.id)
        assert status.kind == "show" and service.reading.statuses([table.id]) == [status]
        told.append((status.waiting_for, status.waiting_seats))
    assert told == [(["red", "blue"], ["seat1", "seat2"])] * 2


def test_a_window_closes_for_all_at_once(desk, service):
    table = desk().start()
    with pytest.raises(NotNow, match="for all at once"):
        service.extend(table.id, 5, "please", "seat1")


def test_a_pause_keeps_for_each_seat_the_time_that_it_had_left(desk, service, clock):
    table = desk().start()
    to_the_show(table)
    service.extend(table.id, 48, "a week at sea", "seat2")
    clock.advance(hours=70)
    service.pause(table.id, "holidays")
    assert service.status(table.id).deadline is None
    clock.advance(days=10)
    service.resume(table.id)
    left = {seat: when - clock.now() for seat, when in service.status(table.id).deadlines.items()}
    assert left == {"seat1": timedelta(hours=2), "seat2": timedelta(hours=50), "seat3": timedelta(hours=2)}


def test_an_outage_moves_the_deadlines_that_lie_in_it_and_no_other(desk, service, clock):
    table = desk().start()
    deadline = to_the_show(table)
    service.extend(table.id, 48, "a week at sea", "seat2")
    clock.set(deadline - timedelta(hours=1))
    service.heartbeat("smtp")
    clock.set(deadline + timedelta(hours=1))
    service.heartbeat("smtp")
    service.tick()
    later = deadline + timedelta(hours=2)
    assert service.status(table.id).deadlines == {
        "seat1": later, "seat2": deadline + timedelta(hours=48), "seat3": later
    }  # fmt: skip


def test_a_rewind_in_a_pause_starts_no_clock(desk, service, clock):
    table = desk().start()
    to_the_show(table)
    service.pause(table.id, "holidays")
    service.rewind(table.id, None, "a slip")
    assert service.status(table.id).deadline is None
    clock.advance(days=30)
    assert service.tick() == 0
    service.resume(table.id)
    assert service.status(table.id).deadline == clock.now() + timedelta(hours=48)


def test_events_with_one_clock_for_all_still_fold():
    asks = [{"key": key, "seat": f"seat{n}", "power": key, "kind": "show", "answered": n == 1}
            for n, key in enumerate(("red", "blue", "green"), 1)]  # fmt: skip
    opened = {"change": {"asks": asks, "question": 4, "deadline": "2026-03-01T12", "reminders": [24, 6], "wake": "x",
                         "grace": None}}  # fmt: skip
    graced = {"change": {"deadline": "2026-03-02T12", "reminders": [6], "remaining": None, "wake": "y",
                         "grace": ["seat2", "seat3"]}}  # fmt: skip
    reminded = {"change": {"reminders": [], "wake": "z"}}
    clocks = {}
    for event in (opened, graced, reminded):
        changes.lift_clock(event)
        clocks = deadlines.of_all(clocks, asks, event["change"]["clock"])
    assert clocks == {
        key: {"deadline": "2026-03-02T12", "reminders": [], "remaining": None, "grace": key != "red",
              "over": key == "red", "away": None}
        for key in ("red", "blue", "green")
    }  # fmt: skip
    assert opened["change"] == {"asks": asks, "question": 4, "clock": opened["change"]["clock"]}
