"""A program that sends the same refused order for ever: its seat is answered, and the chain does not grow with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.campaign import following, outbox
from pbem.campaign.service import Service
from pbem.mail.compose import render
from pbem.mail.contents import gather
from pbem.render.language import languages
from tests.campaign.conftest import Desk


@pytest.fixture(autouse=True)
def _few(monkeypatch):
    monkeypatch.setattr(following, "MOST_REFUSED", 5)


def refused_on_record(service, table) -> int:
    return sum(event["kind"] == "refused" for event in service.events(table.id))


def test_refused_orders_of_a_day_are_put_on_record_up_to_a_number_and_all_are_answered(desk, service, clock):
    table = desk().start()
    for number in range(8):
        answer = table.send("seat1", "MARCH 1 TO hill", message_id=f"<{number}@loop.example>")
        (line,) = answer.lines
        assert line.state == "refused" and line.reason and bool(line.events) == (number < 5)
        assert service.answer(table.id, answer.number).lines == answer.lines
    assert refused_on_record(service, table) == 5
    assert table.send("seat2", "MARCH 1 TO hill").lines[0].events, "each seat for itself"
    assert table.good("seat1", "DONE").lines[0].events, "what is allowed is carried out as ever"
    clock.advance(hours=24)
    assert table.send("seat1", "MARCH 1 TO hill", message_id="<next@loop.example>").lines[0].events


def test_the_moderators_are_told_once_a_day(settings, clock):
    service = Service(replace(settings, moderator="mod@example.org"), clock)
    table = Desk(service, clock).start()
    for number in range(9):
        table.send("seat2", "MARCH 1 TO hill", message_id=f"<{number}@loop.example>")
    (row,) = (row for row in outbox.messages(service.store) if row.data.get("flood"))
    mail = gather(service, [row], clock.now()).mail
    told = {}
    for language in languages():
        subject, text, html = render(replace(mail, language=language))
        told[language] = subject
        assert " 2 " in text and " 5 " in text and " 5 " in html
    assert "sends without end what is refused" in told["en"] and len(set(told.values())) == len(languages())
    service.close()


def test_a_check_counts_nothing_and_tells_nobody(desk, service):
    table = desk().start()
    for _ in range(9):
        assert service.check_line(table.id, "seat1", "MARCH 1 TO hill").state == "refused"
    assert refused_on_record(service, table) == 0
    assert not [row for row in outbox.messages(service.store) if row.data.get("flood")]


def test_an_empty_queue_is_dropped_without_an_event(desk, service):
    table = desk().start()
    before = service.status(table.id).event
    assert table.good("seat1", *["CANCEL QUEUE"] * 20).lines[-1].state == "accepted"
    assert service.status(table.id).event == before
