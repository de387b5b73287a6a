"""What is kept of people: how long, and how a person is forgotten in all campaigns."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from click.testing import CliRunner
from sqlalchemy import LargeBinary, String, Text, func, insert, select

from pbem.campaign import outbox, verify
from pbem.campaign.clock import ManualClock, stamp
from pbem.campaign.links import send_links
from pbem.campaign.retention import sweep
from pbem.campaign.service import Service
from pbem.campaign.submissions import Submission
from pbem.cli import main
from tests import toy
from tests.campaign.conftest import Desk
from tests.campaign.test_life import kinds


def everything(service) -> str:
    """All that lies beside the stream, as one text."""
    found = []
    with service.store.read() as connection:
        for table in service.store.tables.metadata.sorted_tables:
            columns = [c for c in table.c if isinstance(c.type, String | Text | LargeBinary)]
            for row in connection.execute(select(*columns)) if columns else ():
                found += [value.decode("latin-1") if isinstance(value, bytes) else str(value) for value in row]
    return "\n".join(found)


def person_of(service, table, seat):
    return service.player(table.id, seat)["person"]


def test_a_person_is_forgotten_in_all_campaigns_and_each_has_it_on_record(desk, service, clock, tmp_path):
    here, there, over = desk().start(), desk().start(), desk().start()
    service.finish(over.id, "no time")
    for table in (here, there):
        table.good("seat1", "PRESS TO blue: I live at 1 Main Street", raw=b"From: me at Main Street")
        table.good("seat1", "AWAY FROM 2025-01-02 TO 2025-01-03", "SET WEBHOOK https://chat.example.org/mine")
    service.tick()
    person = person_of(service, here, "seat1")
    assert "seat1@example.net" in everything(service) and "Main Street" in everything(service)
    assert service.erase_person(person) == 3
    left = everything(service)
    assert not any(words in left for words in ("seat1@example.net", "Player seat1", "Main Street", "chat.example.org"))
    assert "seat2@example.net" in left and "Player seat2" in left
    for table in (here, there):
        assert service.status(table.id).seats["seat1"]["empty"] == "vacant"
        assert service.player(table.id, "seat1") is None and service.token_of(table.id, "seat1") is None
        assert service.seat_of(table.id, table.tokens["seat1"]) is None
    for table in (here, there, over):
        erased = [e for e in service.events(table.id) if e["kind"] == "erased"]
        assert [e["public"]["seats"] for e in erased] == [["seat1"]]
        service.export(table.id, None, tmp_path / "bundle")
        verify.verify((tmp_path / "bundle").open("rb"), [service.status(table.id).head])
    assert send_links(service, "seat1@example.net") == 0
    with pytest.raises(ValueError, match="no such person"):
        service.erase_person(person)


def test_of_a_seat_that_others_had_before_and_after_only_his_own_time_is_forgotten(desk, service, clock):
    table = desk().start()
    person = person_of(service, table, "seat1")
    table.good("seat1", "PRESS TO blue: words of the first")
    clock.advance(days=1)
    table.tokens["seat1"] = service.replace(table.id, "seat1", "Second", "second@example.net")
    table.good("seat1", "PRESS TO blue: words of the second")
    service.erase_person(person)
    texts = {row["text"] for row in service.press(table.id, "seat2")}
    assert texts == {None, "words of the second"}
    assert service.player(table.id, "seat1")["name"] == "Second"
    assert service.seat_of(table.id, table.tokens["seat1"]) == "seat1"
    assert service.status(table.id).seats["seat1"]["empty"] is None
    assert [e["public"]["seats"] for e in service.events(table.id) if e["kind"] == "erased"] == [[]]


def test_erasing_that_broke_off_is_finished_when_run_again(desk, service, monkeypatch):
    here, there = desk().start(), desk().start()
    person = person_of(service, here, "seat1")
    perform, calls = service.acts.perform, []

    def fails_then(campaign, *more, **named):
        calls.append(campaign)
        if len(calls) == 2:
            raise RuntimeError("the power is gone")
        return perform(campaign, *more, **named)

    monkeypatch.setattr(service.acts, "perform", fails_then)
    with pytest.raises(RuntimeError):
        service.erase_person(person)
    assert "seat1@example.net" in everything(service)
    assert service.erase_person(person) == 2
    assert "seat1@example.net" not in everything(service)
    assert kinds(service, here.id).count("erased") == kinds(service, there.id).count("erased") == 1


def test_old_mails_and_lines_are_forgotten_and_what_waits_is_kept(desk, service, clock):
    table = desk().start()
    table.send("seat1", "MARCH FROM my letter", raw=b"an old mail")
    strays = service.store.tables.strays
    values = {"received_at": stamp(clock.now()), "sender": "x@y", "subject": "s", "reason": "r", "answered": 0,
              "same": "1", "content": b"stray"}  # fmt: skip
    with service.store.write() as connection:
        connection.execute(insert(strays).values(**values))
    service.project()
    for message in outbox.claim_due(service.store, clock.now(), 1000):
        outbox.store_rendered(service.store, message, b"a letter of ours", clock.now())
        if message.kind != "press" and message.seat == "seat1":
            outbox.mark_sent(service.store, [message.number], clock.now())
    settings = replace(service.settings, keep_mails_days=10, keep_lines_days=20)
    clock.advance(days=9)
    assert sweep(service.store, clock, settings) == 0
    clock.advance(days=2)
    old, token = clock.now() - timedelta(days=12), table.tokens["seat2"]
    waiting = service.receive(Submission(table.id, ["DONE"], old, "mail", token=token, raw=b"new"))
    assert sweep(service.store, clock, settings) > 1 and sweep(service.store, clock, settings) == 0
    assert service.raw_mail(table.id, 1) == b"" and service.raw_mail(table.id, waiting) == b"new"
    with service.store.read() as connection:
        assert connection.execute(select(func.count()).select_from(strays)).scalar() == 0
    rendered = {bool(m.rendered) for m in outbox.messages(service.store, table.id, limit=1000) if m.state == "sent"}
    assert rendered == {False}
    assert any(m.rendered for m in outbox.messages(service.store, table.id, limit=1000))  # what is still to go out
    assert "my letter" in everything(service)
    clock.advance(days=10)
    assert sweep(service.store, clock, settings) == 1
    assert "my letter" not in everything(service)
    lines = {row["number"]: row["lines"] for row in service.inbox(table.id)}
    assert service.answer(table.id, 1) is None and lines == {1: [], waiting: ["DONE"]}
    assert sweep(service.store, clock, replace(settings, keep_mails_days=0, keep_lines_days=0)) == 0


def test_a_mail_that_comes_again_after_its_lines_are_forgotten_is_still_the_same(desk, service, clock):
    table = desk().start()
    table.good("seat1", "DONE", message_id="<one@home>")
    clock.advance(days=400)
    service.sweep()
    before = service.status(table.id).event
    number = service.receive(Submission(
        table.id, ["DONE"], clock.now(), "mail", token=table.tokens["seat1"], message_id="<one@home>"
    ))  # fmt: skip
    service.take_up(table.id)
    assert number == 1 and service.status(table.id).event == before


def test_a_person_is_forgotten_by_a_command(tmp_path, monkeypatch):
    monkeypatch.setenv("PBEM_VAR", str(tmp_path))
    monkeypatch.setenv("PBEM_CONFIG", str(toy.write_kit(tmp_path / "config")))
    from pbem.campaign.settings import Settings

    service = Service(Settings(var=tmp_path), ManualClock())
    Desk(service, service.clock)
    service.close()
    pbem = CliRunner()
    assert "nobody plays" in pbem.invoke(main, ["erase", "nobody@example.net"]).output
    assert pbem.invoke(main, ["erase", "Seat1@Example.net"], input="n\n").exit_code == 1
    done = pbem.invoke(main, ["erase", "Seat1@Example.net", "--yes"])
    assert done.exit_code == 0 and "in 1 campaigns" in done.output
    assert "nobody plays" in pbem.invoke(main, ["erase", "seat1@example.net"]).output
