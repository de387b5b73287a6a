"""What holds for all tests: what Hypothesis makes up is judged by what it shows, never by how busy the machine is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from eventsourcing.sqlite import SQLiteConnection, SQLiteConnectionPool
from hypothesis import HealthCheck, settings
from sqlalchemy import event

from pbem.campaign import migrations
from pbem.campaign.store import Store

settings.register_profile("pbem", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pbem")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(autouse=True, scope="session")
def _no_power_fails() -> Iterator[None]:
    """Stores of the tests (on SQLite those of their own process) do not wait for the disk: that keeps what was saved
    from a power failure alone, which no test can bring about (a process that is killed loses nothing), and takes much
    of the time of all tests."""
    made = SQLiteConnectionPool._create_connection
    engine = Store._sqlite_engine

    def connection(pool: SQLiteConnectionPool) -> SQLiteConnection:
        opened = made(pool)
        with opened.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=OFF")
        return opened

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SQLiteConnectionPool, "_create_connection", connection)
        patch.setattr(Store, "_sqlite_engine", lambda store, synchronous: engine(store, "OFF"))
        options = [os.environ.get("PGOPTIONS", ""), "-c synchronous_commit=off"]
        patch.setenv("PGOPTIONS", " ".join(filter(None, options)))
        yield


@pytest.fixture(autouse=True, scope="session")
def _fresh_stores_are_alike() -> Iterator[None]:
    """The first store of a kind that a process makes is made by the migrations, and every later one by statements kept
    of it: what SQLite itself tells of the first; on PostgreSQL those of the migrations, at once. The migrations take a
    good part of the time of a test that plays little."""
    made = migrations.upgrade
    kept: dict[str, tuple[str, list[tuple[str, str]]]] = {}

    def upgrade(connection: Any, schema: str | None, form: str | None) -> list[tuple[str, str]]:
        kind = connection.dialect.name
        if form is not None:
            return made(connection, schema, form)
        driver = connection.connection.driver_connection
        if kind in kept:
            script, steps = kept[kind]
            for statement in [script.replace(_SCHEMA, schema)] if schema else script.split(_BREAK):
                driver.execute(statement)
            return list(steps)
        with _changes(connection) as changes:
            steps = made(connection, schema, form)
        if schema:
            script = ";".join(changes).replace(schema, _SCHEMA)
        else:
            script = _BREAK.join(one for one in driver.iterdump() if one not in ("BEGIN TRANSACTION;", "COMMIT;"))
        kept[kind] = script, steps
        return list(steps)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "upgrade", upgrade)
        yield


_SCHEMA, _BREAK = "<schema>", "\0"


@contextmanager
def _changes(connection: Any) -> Iterator[list[str]]:
    """The statements that are run on a connection meanwhile, but those that only look. None may have values."""
    noted: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, _many: bool) -> None:
        if not statement.startswith(("SELECT", "PRAGMA")):
            assert not values, statement
            noted.append(statement)

    event.listen(connection, "before_cursor_execute", note)
    try:
        yield noted
    finally:
        event.remove(connection, "before_cursor_execute", note)
