"""Read models exactly once, the outbox's rhythm, and how players want their reports."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest

from pbem.campaign import outbox, queries
from pbem.campaign.readmodels import Projection, next_hour
from tests.campaign import counting
from tests.campaign.test_life import messages


def test_many_loops_at_once_take_each_event_in_once(desk, service):
    table = desk().start()
    for _ in range(3):
        table.good("seat1", "PRESS TO all: hello")
    loops = [Projection(service.store, "example.org") for _ in range(4)]
    taken, errors = [], []

    def run(loop):
        try:
            while found := loop.pull(2):
                taken.append(found)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(loop,)) for loop in loops]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    service.project()
    assert errors == [] and sum(taken) == service.status(table.id).event
    assert len(messages(service, table.id, "press")) == 6
    assert service.campaigns()[0]["event"] == service.status(table.id).event


def test_reports_join_while_they_have_not_gone_out(desk, service, clock):
    table = desk().start()
    table.show_all()
    service.project()
    table.good(table.asked_seat(), "MARCH 1 TO hill")
    reports = messages(service, table.id, "report")
    assert len(reports) == 3
    last = service.status(table.id).event
    assert {(m.seat, m.last_event) for m in reports} == {(seat, last) for seat in table.seats}
    sent = outbox.claim_due(service.store, clock.now(), 1000)
    outbox.mark_sent(service.store, [m.number for m in sent], clock.now())
    for seat in service.status(table.id).waiting_seats:
        table.good(seat, "DECLINE")
    reports = messages(service, table.id, "report")
    assert len(reports) == 6 and sum(m.first_event > last for m in reports) == 3


def test_reports_wait_for_what_follows_and_go_with_any_other_mail_to_their_reader(desk, service, clock):
    service.waking.projection.gather = timedelta(minutes=10)
    table = desk().start()
    table.show_all()

    def due():
        service.project()
        found = outbox.claim_due(service.store, clock.now(), 1000)
        outbox.mark_sent(service.store, [m.number for m in found], clock.now())
        return [m for m in found if m.kind == "report"]

    due()
    clock.advance(minutes=11)
    due()
    first, marcher = service.status(table.id).event + 1, table.asked_seat()
    table.good(marcher, "MARCH 1 TO hill", channel="form")
    asked = set(service.status(table.id).waiting_seats)
    assert asked == {*table.seats} - {marcher}
    assert {m.seat for m in due()} == asked, "who is asked reads at once what he is asked about"
    clock.advance(minutes=9)
    for seat in sorted(asked):
        assert due() == []
        table.good(seat, "DECLINE", channel="form")
    clock.advance(minutes=2)
    (late,) = [m for m in due() if m.seat == marcher]
    assert late.first_event == first < late.last_event, "one report of all that happened in these ten minutes"


def test_a_question_that_was_answered_before_its_mail_went_out_is_void(desk, service):
    table = desk().start()
    service.project()
    table.show_all()
    moves = messages(service, table.id, "your_move") + messages(service, table.id, "window_opening")
    pending = [m for m in moves if m.state == "pending"]
    assert [m.seat for m in pending] == [table.asked_seat()]
    assert {m.kind for m in moves if m.state == "void"} == {"window_opening"}


def test_players_get_reports_as_they_have_chosen(desk, service, clock):
    table = desk().start()
    service.project()
    outbox.void(service.store, [m.number for m in messages(service, table.id, "report")], "told of the powers")
    table.good("seat1", "SET REPORTS questions")
    table.good("seat2", "SET REPORTS daily AT 7", "SET TIMEZONE Asia/Tokyo")
    table.show_all()
    service.project()
    reports = {m.seat for m in messages(service, table.id, "report") if m.state != "void"}
    assert reports == {"seat2", "seat3"}
    due = {m.seat for m in outbox.claim_due(service.store, clock.now(), 1000) if m.kind == "report"}
    assert due == {"seat3"}
    clock.set(datetime(2025, 1, 1, 22, 1, tzinfo=UTC))
    assert {m.seat for m in outbox.claim_due(service.store, clock.now(), 1000) if m.kind == "report"} == {
        "seat2",
        "seat3",
    }


@pytest.mark.parametrize(
    ("after", "hour", "zone", "expected"),
    [
        ("2025-03-29T20:00", 18, "Europe/Paris", "2025-03-30T16:00"),  # the night the clocks go forward
        ("2025-10-25T20:00", 18, "Europe/Paris", "2025-10-26T17:00"),
        ("2025-06-01T03:00", 0, "America/New_York", "2025-06-01T04:00"),
        ("2025-06-01T04:00", 0, "America/New_York", "2025-06-02T04:00"),
        ("2025-01-01T12:00", 7, "Asia/Kolkata", "2025-01-02T01:30"),
    ],
)
def test_the_daily_hour_is_local(after, hour, zone, expected):
    found = next_hour(datetime.fromisoformat(after).replace(tzinfo=UTC), hour, zone)
    assert found.astimezone(UTC) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


def test_a_claim_belongs_to_one_and_runs_out(desk, service, clock):
    table = desk().start()
    service.project()
    first = outbox.claim_due(service.store, clock.now(), 2)
    others = outbox.claim_due(service.store, clock.now(), 1000)
    assert len(first) == 2 and not {m.number for m in first} & {m.number for m in others}
    assert outbox.claim_due(service.store, clock.now(), 1000) == []
    held = clock.now() + timedelta(seconds=outbox.CLAIM_SECONDS)
    clock.advance(seconds=outbox.CLAIM_SECONDS - 1)
    kept = {m.number for m in first}
    assert outbox.renew(service.store, sorted(kept), held, held + timedelta(minutes=1)) == kept
    clock.advance(seconds=2)
    found = outbox.claim_due(service.store, clock.now(), 1000)
    assert {m.number for m in found} == {m.number for m in others}  # what was renewed is still kept
    assert outbox.renew(service.store, [m.number for m in others], held, held + timedelta(minutes=9)) == set()
    clock.advance(minutes=10)
    again = outbox.claim_due(service.store, clock.now(), 1000)
    assert {m.number for m in again} == {m.number for m in [*first, *others]}
    assert outbox.messages(service.store, table.id)


def test_failures_back_off_and_are_given_up_and_can_be_tried_again(desk, service, clock):
    desk().start()
    service.project()
    message = outbox.claim_due(service.store, clock.now(), 1)[0]
    for attempt in range(outbox.MOST_ATTEMPTS):
        outbox.mark_failed(service.store, message.number, "451 later", clock.now())
        found = next(m for m in outbox.messages(service.store) if m.number == message.number)
        assert found.attempts == attempt + 1 and found.error == "451 later"
        clock.advance(hours=13)
    assert found.state == "failed"
    assert outbox.retry(service.store, message.number) and not outbox.retry(service.store, message.number)
    assert message.number in {m.number for m in outbox.claim_due(service.store, clock.now(), 1000)}


def test_the_view_of_any_event_is_the_fold_from_the_start(service, clock, monkeypatch):
    monkeypatch.setattr(queries, "CHECKPOINT_EVERY", 10)
    campaign, tokens = counting.begin(service)
    for n in range(45):
        service.submit(counting.submission(campaign, tokens, n, clock.now()))
    last = service.status(campaign).event
    for reader in (None, "seat2"):
        with service.memory.reading(campaign) as found:
            for event in (1, 9, 10, 11, 25, last - 1, last, 3, last):
                board = queries.Board("counting", [])
                for stored in service.store.stored(campaign, 1, event):
                    board = queries.fold_view(board, stored, reader or "public")
                assert service.view_at(campaign, reader, event) == board
        with pytest.raises(ValueError):
            service.view_at(campaign, reader, last + 1)
    assert service.view_at(campaign, None).tracks["purse"] == {"red": None, "blue": None, "green": None}
    assert found


def test_a_roll_can_be_audited_by_who_may_read_its_order(service, clock):
    campaign, tokens = counting.begin(service)
    for n in range(5):
        service.submit(counting.submission(campaign, tokens, n, clock.now()))
    sender = service.audit(campaign, 1, reader="seat2")
    other = service.audit(campaign, 1)
    assert sender["cause"]["text"] == "SAY 2" and sender["cause"]["seat"] == "seat2"
    assert other["cause"] is None and other["fact"] == sender["fact"]
    assert sender["fact"]["what"] == "luck" and sender["fact"]["section"] == "1"
    assert sender["board_before"]["state"]["said"] == 1 and sender["board_after"]["state"]["said"] == 2
    assert [f["fact"] for f in sender["after"]][0] == "count"
    with pytest.raises(LookupError):
        service.audit(campaign, 99)


def test_the_dice_of_a_standing_order_stand_on_its_text_and_on_what_set_it_off(service, clock):
    campaign, tokens = counting.begin(service)
    from pbem.campaign.submissions import Submission

    service.submit(Submission(campaign, ["STANDING say: SAY 6"], clock.now(), token=tokens[1]))
    service.submit(counting.submission(campaign, tokens, 0, clock.now()))
    event = service.events(campaign, "seat2")[-1]
    assert event["kind"] == "standing"
    cause = service.events(campaign)[-2]["throws"][0]["commitment"]
    assert event["order"]["text"] == f"SAY 6\n{cause}"


def test_the_next_dice_tree_is_committed_to_in_time(service, clock, tmp_path, monkeypatch):
    from pbem.campaign import dicebox, verify
    from pbem.table.dice import DiceTree

    monkeypatch.setattr(
        dicebox, "DiceTree", lambda secret, tree=0, size=16, crown=None: DiceTree(secret, tree, size, crown)
    )
    campaign, tokens = counting.begin(service)
    for n in range(40):
        assert service.submit(counting.submission(campaign, tokens, n, clock.now())).ok
        if n % 7 == 0:
            service.memory.drop(campaign)
    service.finish(campaign, "enough")
    service.export(campaign, None, tmp_path / "bundle")
    report = verify.verify((tmp_path / "bundle").open("rb"))
    assert report.trees >= 3 and len(report.throws) == 40 and report.secret_opened


def test_times_are_told_in_the_stream_as_the_clock_said(service, clock):
    campaign, tokens = counting.begin(service)
    clock.advance(hours=1)
    service.submit(counting.submission(campaign, tokens, 0, clock.now()))
    assert datetime.fromisoformat(service.events(campaign)[-1]["at"]) == clock.now()
    assert service.status(campaign).deadline == clock.now() + timedelta(hours=72)


def test_when_the_secret_of_the_dice_is_lost_the_game_goes_on_with_another(service, clock, settings, tmp_path):
    from cryptography.fernet import Fernet

    from pbem.campaign import verify
    from pbem.campaign.service import Service

    campaign, tokens = counting.begin(service)
    service.submit(counting.submission(campaign, tokens, 0, clock.now()))
    settings.key_file.write_bytes(Fernet.generate_key())
    other = Service(settings, clock)
    lost = other.submit(counting.submission(campaign, tokens, 1, clock.now()))
    assert "set aside" in lost.note
    other.renew_dice(campaign, "the key was lost in a fire")
    for n in range(1, 4):
        assert other.submit(counting.submission(campaign, tokens, n, clock.now(), "again")).ok
    other.finish(campaign, "enough")
    other.export(campaign, None, tmp_path / "bundle")
    report = verify.verify((tmp_path / "bundle").open("rb"))
    assert report.secret_opened and any("lost" in remark for remark in report.remarks)
    other.close()
