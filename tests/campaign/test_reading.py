"""The reading room: what it tells is what the campaign is, no order waits for it, and it waits for none."""

from __future__ import annotations

import inspect
import pkgutil
import threading
from importlib import import_module

import pytest

import pbem.mail
import pbem.web
from pbem.campaign import forms, reading
from pbem.campaign.queries import Queries
from pbem.campaign.service import NoCampaign, Service
from pbem.table.board import Board
from pbem.table.procedure import Play
from tests.campaign import counting


def everything(service: Service, table) -> list:
    """All that can be read of a campaign, as values that can be compared."""
    found: list = [service.status(table.id), service.view_at(table.id).to_json(), service.events(table.id)]
    for seat in table.seats:
        menus = service.reading.menus(table.id, seat)
        found += [
            service.status(table.id, seat), service.view_at(table.id, seat).to_json(), service.events(table.id, seat),
            service.asked(table.id, seat), service.queued(table.id, seat), service.standing(table.id, seat),
            [(menu.asked, menu.forms, menu.legal) for menu in menus], service.reading.answers(table.id, seat),
            [service.check_line(table.id, seat, menu.asked.examples[0]) for menu in menus if menu.asked.examples],
        ]  # fmt: skip
    return found


def test_a_room_that_has_followed_tells_what_a_new_one_tells(desk, service, settings, clock):
    """After every act, of players and of the moderator: sealed answers, ends of steps, rulings, rewinds, pauses."""
    table, follower = desk().start(), Service(settings, clock)
    everything(follower, table)

    def same() -> None:
        fresh = Service(settings, clock)
        assert everything(follower, table) == everything(fresh, table)
        fresh.project()
        assert fresh.reading.statuses([table.id, "nowhere"]) == [fresh.status(table.id)], "out of its row"
        fresh.close()

    table.good("seat1", "DONE")
    same()
    for seat in table.seats[1:]:
        table.good(seat, "DONE")
    same()
    for seat in table.seats:
        table.good(seat, f"SHOW {table.hand(seat)[0]}")
        same()
    before = service.status(table.id).event
    for _ in range(3):
        asked = [(seat, one) for seat in table.seats for one in service.asked(table.id, seat) if not one.answered]
        table.good(asked[0][0], asked[0][1].examples[0])
        same()
    service.rewind(table.id, before, "a slip")
    same()
    service.pause(table.id, "a holiday")
    same()
    service.resume(table.id)
    service.rewind(table.id, None, "the whole step")
    same()
    service.finish(table.id, "enough")
    same()
    follower.close()


def test_the_procedure_of_a_reader_goes_on_and_does_not_begin_again_at_every_event(desk, service, monkeypatch):
    campaign, tokens = counting.begin(service)
    service.reading.answers(campaign, "seat1")
    resumed = []
    plain = Play.resume.__func__
    monkeypatch.setattr(Play, "resume", classmethod(lambda cls, *a: resumed.append(1) or plain(cls, *a)))
    for n in range(3 * counting.ROUND):
        assert service.submit(counting.submission(campaign, tokens, n, service.clock.now())).ok
        assert any(service.reading.answers(campaign, seat) for seat in ("seat1", "seat2", "seat3"))
    assert len(resumed) <= 3, "once for a new step at most"


def test_readers_wait_for_no_order_that_is_being_saved(desk, service, monkeypatch, tmp_path):
    """While an order is on its way into the store everything can be read, as it stood before."""
    table = desk().start()
    table.show_all()
    before = everything(service, table)
    begun, go_on = threading.Event(), threading.Event()
    save = service.store.save

    def slow(*arguments):
        begun.set()
        assert go_on.wait(60)
        save(*arguments)

    monkeypatch.setattr(service.store, "save", slow)
    seat = table.asked_seat()
    order = threading.Thread(target=table.send, args=(seat, "MARCH 1 TO hill"))
    order.start()
    assert begun.wait(60)
    seen: list = []

    def look() -> None:
        seen.append(everything(service, table))
        service.export(table.id, None, tmp_path / "bundle")
        service.kit_of(table.id)
        seen.append(service.audit(table.id, 0)["index"])

    reader = threading.Thread(target=look)
    reader.start()
    reader.join(30)
    waits = reader.is_alive()
    go_on.set()
    order.join()
    reader.join()
    assert not waits and seen == [before, 0]
    assert service.status(table.id).event > before[0].event


def test_an_order_waits_for_no_reader(desk, service, monkeypatch):
    """A reader who takes long over his forms holds up no order."""
    table = desk().start()
    table.show_all()
    seat = table.asked_seat()
    begun, go_on = threading.Event(), threading.Event()
    plain = reading.order_forms

    def slow(*arguments):
        begun.set()
        assert go_on.wait(60)
        return plain(*arguments)

    monkeypatch.setattr(reading, "order_forms", slow)
    reader = threading.Thread(target=service.reading.menus, args=(table.id, seat))
    reader.start()
    assert begun.wait(60)
    order = threading.Thread(target=table.send, args=(seat, "MARCH 1 TO hill"))
    order.start()
    order.join(30)
    waits = order.is_alive()
    go_on.set()
    order.join()
    reader.join()
    assert not waits


def test_forms_are_made_once_after_an_event_however_many_look(desk, service, monkeypatch):
    table = desk().start()
    table.show_all()
    seat, made = table.asked_seat(), []
    monkeypatch.setattr(reading, "order_forms", lambda *a: made.append(a) or forms.order_forms(*a))
    first = [service.reading.menus(table.id, seat) for _ in range(20)][-1]
    assert len(made) == len(first) == 1
    service.extend(table.id, 3, "late")
    assert service.reading.menus(table.id, seat)[0].asked.deadline != first[0].asked.deadline


def test_no_page_and_no_mail_gets_the_table():
    """`Service.table_of` hands out what sight hides: it is for rehearsals, random play and tests."""
    for room in (pbem.web, pbem.mail):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            assert "table_of" not in inspect.getsource(import_module(module.name)), module.name


def test_a_roll_is_found_without_reading_the_whole_stream_again(service, monkeypatch):
    campaign, tokens = counting.begin(service)
    for n in range(12):
        assert service.submit(counting.submission(campaign, tokens, n, service.clock.now())).ok
    events = {proof["index"]: e["number"] for e in service.events(campaign) for proof in e["throws"]}
    assert len(events) == 12
    assert {index: service.audit(campaign, index)["event"] for index in events} == events
    read = []
    stored = service.store.stored
    monkeypatch.setattr(service.store, "stored", lambda *a: (read.append(e) or e for e in stored(*a)))
    monkeypatch.setattr(Queries, "view", lambda *a: Board("counting", []))
    assert service.audit(campaign, 5)["event"] == events[5] and len(read) < 5
    for missing in (99, -1):
        with pytest.raises(LookupError):
            service.audit(campaign, missing)


def test_nobody_reads_a_campaign_that_there_is_not(service):
    for look in (service.status, service.view_at, service.events, service.reading.menus):
        with pytest.raises(NoCampaign):
            look("nowhere", *(["seat1"] if look == service.reading.menus else []))
