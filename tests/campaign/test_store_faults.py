"""The store is away for a while, as stores are: no order is lost, doubled or set aside for it."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import psycopg
import pytest
import sqlalchemy
from eventsourcing import persistence

from pbem.campaign import faults
from pbem.campaign.people import new_token
from pbem.campaign.service import Service
from pbem.campaign.store import is_store_fault
from pbem.campaign.submissions import Submission
from tests.campaign.conftest import POSTGRES, Desk


def wrapped(error: Exception) -> sqlalchemy.exc.DBAPIError:
    made = sqlalchemy.exc.DBAPIError.instance("SELECT 1", {}, error, sqlite3.Error)
    assert isinstance(made, sqlalchemy.exc.DBAPIError)
    return made


def psycopg_errors() -> list[BaseException]:
    found = psycopg.errors
    return [found.AdminShutdown(), found.CannotConnectNow(), found.DiskFull(), found.ReadOnlySqlTransaction(),
            found.TooManyConnections(), psycopg.InterfaceError("closed"), psycopg.OperationalError("gone")]  # fmt: skip


AWAY = [
    sqlite3.OperationalError("database is locked"),
    sqlite3.OperationalError("disk I/O error"),
    sqlite3.OperationalError("attempt to write a readonly database"),
    sqlite3.DatabaseError("database disk image is malformed"),
    sqlite3.ProgrammingError("Cannot operate on a closed database."),
    wrapped(sqlite3.OperationalError("database or disk is full")),
    sqlalchemy.exc.TimeoutError("QueuePool limit"),
    sqlalchemy.exc.PendingRollbackError("rolled back"),
    persistence.OperationalError("terminating connection"),
    persistence.InterfaceError("closed"),
    persistence.InternalError("read-only"),
    persistence.PersistenceError("something"),
    persistence.ConnectionPoolClosedError(),
]


def test_what_is_the_stores_fault_and_what_is_not():
    assert all(is_store_fault(error) for error in [*AWAY, *psycopg_errors()])
    of_the_content = [persistence.IntegrityError(), persistence.DataError(), sqlite3.IntegrityError(),
                      wrapped(sqlite3.DataError()), ValueError(), OSError(), OverflowError()]  # fmt: skip
    assert not any(is_store_fault(error) for error in of_the_content)


@pytest.mark.parametrize("error", AWAY[::4], ids=lambda error: f"{type(error).__name__} {error}"[:40])
@pytest.mark.parametrize("place", ["save", "fetch"])
def test_an_order_waits_for_a_store_that_is_away(desk, service, monkeypatch, error, place):
    table = desk().start()
    seat = table.asked_seat()
    line = next(a for a in service.asked(table.id, seat) if not a.answered).examples[0]
    number = service.receive(
        Submission(table.id, [line], service.clock.now(), "mail", token=table.tokens[seat], message_id="<1@x>")
    )
    before = service.status(table.id).event

    def away(*arguments, **more):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(service.store, place, away)
        with pytest.raises(type(error)):
            service.take_up(table.id)
    assert service.answer(table.id, number) is None
    service.tick()
    assert service.answer(table.id, number).ok
    events = service.events(table.id, None, before + 1)
    assert "set_aside" not in [event["kind"] for event in events]


def test_an_act_that_was_saved_before_the_connection_broke_is_done_once(desk, service, clock, monkeypatch, caplog):
    table = desk().start()
    before = service.status(table.id).deadline
    save, broken = service.store.save, []

    def save_and_break(what):
        save(what)
        if not broken:
            broken.append(True)
            raise persistence.OperationalError("terminating connection due to administrator command")

    monkeypatch.setattr(service.store, "save", save_and_break)
    service.extend(table.id, 5, "a feast")
    assert service.status(table.id).deadline == before + timedelta(hours=5)
    assert "a save that seemed to fail did not: OperationalError: terminating connection" in caplog.text
    seat = service.status(table.id).waiting_seats[0]
    line = next(a for a in service.asked(table.id, seat) if not a.answered).examples[0]
    broken.clear()
    answer = service.submit(Submission(table.id, [line], clock.now(), "web", seat=seat))
    assert answer.ok
    assert [row["state"] for row in service.inbox(table.id) if row["number"] == answer.number] == ["done"]
    assert len([row for row in service.inbox(table.id) if row["channel"] == "web" and row["seat"] == seat]) == 1


def test_a_fault_of_the_store_is_told_in_a_line_and_a_defect_with_the_way_to_it():
    def told(error: Exception) -> str:
        try:
            raise error
        except Exception as raised:
            return faults.told(raised, KeyError)

    token = new_token()
    assert told(sqlite3.OperationalError("database is locked")) == "OperationalError: database is locked"
    assert told(TimeoutError("no answer")) == "TimeoutError: no answer" and told(KeyError("x")) == "KeyError: 'x'"
    defect = told(ValueError(f"winter+{token}@example.org is odd"))
    assert ", in told" in defect and "is odd" in defect and token not in defect


def test_a_name_is_not_taken_because_the_store_is_away(service, monkeypatch):
    def away(what):
        raise persistence.OperationalError("database is locked")

    with monkeypatch.context() as patched:
        patched.setattr(service.store, "save", away)
        with pytest.raises(persistence.OperationalError):
            service.create("struggle_of_empires", 2, campaign="empty")


def test_connections_that_the_server_ends_lose_no_order(settings, clock, monkeypatch):
    if settings.store == "sqlite":
        pytest.skip("SQLite has no connection to lose")
    monkeypatch.setenv("PGAPPNAME", settings.schema)  # so that those of this test alone are ended
    service = Service(settings, clock)
    table = Desk(service, clock).start()
    for turn in range(6):
        seat, line = next(
            (s, a.examples[0]) for s in table.seats for a in service.asked(table.id, s) if not a.answered and a.examples
        )
        number = service.receive(
            Submission(table.id, [line], clock.now(), "mail", token=table.tokens[seat], message_id=f"<{turn}@x>")
        )
        with psycopg.connect(POSTGRES, autocommit=True, application_name="ends them") as connection:
            ended = connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", [settings.schema]
            ).fetchall()
        assert ended
        for _ in range(30):
            tick(service)
            if answered(service, table.id, number):
                break
        assert service.answer(table.id, number).ok
    assert len([e for e in service.events(table.id) if e["kind"] == "set_aside"]) == 0
    service.close()


def test_a_locked_file_loses_no_order(settings, clock, monkeypatch):
    if settings.store != "sqlite":
        pytest.skip("of SQLite")
    for room in ("stream", "store"):  # each opens connections of its own
        monkeypatch.setattr(f"pbem.campaign.{room}.LOCK_SECONDS", 1)
    service = Service(settings, clock)
    table = Desk(service, clock).start()
    seat = table.asked_seat()
    line = next(a for a in service.asked(table.id, seat) if not a.answered).examples[0]
    number = service.receive(Submission(table.id, [line], clock.now(), "mail", token=table.tokens[seat]))
    holder = sqlite3.connect(settings.var / "pbem.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(Exception) as caught:
        service.take_up(table.id)
    assert is_store_fault(caught.value) and service.answer(table.id, number) is None
    with pytest.raises(Exception) as caught:  # whoever sends a mail meanwhile is told to try again
        service.receive(Submission(table.id, [line], clock.now(), "mail", token=table.tokens[seat], message_id="<2@x>"))
    assert is_store_fault(caught.value)
    holder.execute("ROLLBACK")
    holder.close()
    service.tick()
    assert service.answer(table.id, number).ok
    service.close()


def tick(service: Service) -> None:
    try:
        service.tick()
    except Exception as error:
        if not is_store_fault(error):
            raise


def answered(service: Service, campaign: str, number: int) -> bool:
    try:
        return service.answer(campaign, number) is not None
    except Exception as error:
        if not is_store_fault(error):
            raise
        return False
