"""The page of a reader: one moment, made once, and the same for mails, pages and programs."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from pbem.campaign import page as pages
from pbem.campaign import reading
from pbem.campaign.service import NoCampaign
from tests.campaign.test_life import messages


def test_all_of_a_page_stands_after_its_event_also_while_the_game_goes_on(desk, service):
    table = desk().start()
    table.show_all()
    seat = table.asked_seat()
    page, other = service.page(table.id, seat, "en", forms=True), service.page(table.id, None, "fr")
    event, before = page.status.event, service.view_at(table.id, seat)
    table.good(seat, "MARCH 1 TO hill")
    assert service.status(table.id).event > event == other.status.event
    assert page.board == before != service.view_at(table.id, seat)
    assert page.public_board == other.board == service.view_at(table.id, None, event)
    assert page.news[0].number <= event and [e["number"] for e in page.events(event, event + 9)] == [event]
    assert page.questions[0].asked.kind == "march" and page.questions[0].forms
    assert service.page(table.id, seat, "en").status.event > event


def test_a_seat_has_on_its_page_what_it_may_see_and_everybody_has_nothing_of_a_seat(desk, service):
    table = desk().start()
    table.good("seat1", "STANDING march: DECLINE")
    hands = {seat: table.hand(seat) for seat in table.seats}
    for seat in table.seats:
        page = service.page(table.id, seat, "en")
        shown = repr((page.own, page.board, page.questions, page.sealed, page.queued, page.standing))
        for other, cards in hands.items():
            assert all((card in shown) is (other == seat) for card in cards)
    assert service.page(table.id, "seat1", "en").standing and not service.page(table.id, "seat2", "en").standing
    everybody = service.page(table.id, None, "en")
    assert (everybody.own, everybody.sealed, everybody.queued, everybody.standing, everybody.questions) == ([],) * 5
    with pytest.raises(ValueError, match="there is no seat seat9"):
        service.page(table.id, "seat9", "en")
    with pytest.raises(NoCampaign):
        service.page("nowhere", None, "en")


def test_a_sealed_answer_is_on_the_page_of_its_sender_alone_until_it_is_opened(desk, service):
    table = desk().start()
    for seat in table.seats:
        table.good(seat, "DONE")
    card = table.hand("seat1")[0]
    table.good("seat1", f"SHOW {card}")
    assert service.page(table.id, "seat1", "en").sealed == [f"SHOW {card}"]
    assert service.page(table.id, "seat2", "en").sealed == service.page(table.id, None, "en").sealed == []
    for seat in table.seats[1:]:
        table.good(seat, f"SHOW {table.hand(seat)[0]}")
    assert service.page(table.id, "seat1", "en").sealed == []


def test_a_page_is_made_once_after_an_event_however_many_look(desk, service, monkeypatch):
    table = desk().start()
    table.show_all()
    seat, made = table.asked_seat(), []
    plain = reading.order_forms
    monkeypatch.setattr(reading, "order_forms", lambda *a: made.append(a) or plain(*a))
    told = []
    tell = pages.tell
    monkeypatch.setattr(pages, "tell", lambda *a: told.append(a[0]["number"]) or tell(*a))

    def look() -> Any:
        page = service.page(table.id, seat, "en", forms=True)
        return page.news, page.own, page.words

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    look()
    assert len(made) == 1
    told.clear()
    assert service.page(table.id, seat, "en").has_forms, "one without them is not made in place of it"
    look()
    assert told == []
    table.good(seat, "MARCH 1 TO hill")
    look()
    assert told


def test_what_a_rewind_has_undone_is_told_so_by_mail_and_page_alike(desk, service):
    table = desk().start()
    table.show_all()
    before = service.status(table.id).event
    table.good(table.asked_seat(), "MARCH 1 TO hill")
    service.rewind(table.id, before, "a slip")
    news = {told.number: told for told in service.page(table.id, None, "en").news}
    assert news[before + 1].title.endswith(f"(undone by event {before + 2})")
    assert "annulé" in {t.number: t for t in service.page(table.id, None, "fr").news}[before + 1].title
    assert messages(service, table.id, "rewind")
