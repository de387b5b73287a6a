"""What holds for all tests: what Hypothesis makes up is judged by what it shows, never by how busy the machine is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from eventsourcing.sqlite import SQLiteConnection, SQLiteConnectionPool
from hypothesis import HealthCheck, settings

from pbem.campaign import migrations
from pbem.campaign.store import Store

settings.register_profile("pbem", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pbem")


@pytest.fixture(autouse=True, scope="session")
def _no_power_fails() -> Iterator[None]:
    """Stores of the tests' own process do not wait for the disk: that keeps what was saved from a power failure alone,
    which no test can bring about (a process that is killed loses nothing), and takes much of the time of all tests."""
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
        yield


@pytest.fixture(autouse=True, scope="session")
def _fresh_stores_are_alike() -> Iterator[None]:
    """The first SQLite store that a process makes is made by the migrations, and every later one by the statements that
    SQLite itself tells of the first: the migrations take a good part of the time of a test that plays little."""
    made = migrations.upgrade
    steps: list[tuple[str, str]] = []
    statements: list[str] = []

    def upgrade(connection: Any, schema: str | None, form: str | None) -> list[tuple[str, str]]:
        if form is not None or connection.dialect.name != "sqlite":
            return made(connection, schema, form)
        driver = connection.connection.driver_connection
        if steps:
            for statement in statements:
                driver.execute(statement)
        else:
            steps.extend(made(connection, schema, form))
            statements.extend(one for one in driver.iterdump() if one not in ("BEGIN TRANSACTION;", "COMMIT;"))
        return list(steps)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "upgrade", upgrade)
        yield
