"""The store: the event stream through the eventsourcing library, everything beside it through SQLAlchemy Core.

SQLite keeps both in one file: measured, an order and its inbox row in one transaction on one file take half the time
of two transactions on two files, and one file is one backup. The stream's process recorder can run statements on the
tables beside it in its own transaction (`Save.beside`); so a mail, its events, its tracking and its answer stand or
fall together.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import sqlalchemy
from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    IntegrityError,
    OperationalError,
    PersistenceError,
)
from sqlalchemy import Connection, Insert, bindparam, create_engine, event
from sqlalchemy.sql.dml import UpdateBase

from pbem.campaign import migrations
from pbem.campaign.campaign import SNAPSHOT_FORM, Campaign, Snapshot
from pbem.campaign.settings import Settings
from pbem.campaign.stream import LOCK_SECONDS, Stream, table_of
from pbem.campaign.tables import Tables
from pbem.campaign.vault import Vault, make_private

SETUP_LOCK = 0x7062656D  # "pbem"


@dataclass
class Save:
    """What is saved at once: an aggregate's new events, and what goes with them."""

    campaign: Campaign
    inbox: int | None = None
    beside: list[UpdateBase | tuple[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class _Prepared:
    """A compiled statement: its text, the values it has of itself, and where values go by place, their names in order
    (None where they go by name)."""

    text: str
    own: dict[str, Any]
    places: list[str] | None

    @classmethod
    def of(cls, compiled: Any) -> _Prepared:
        return cls(str(compiled), compiled.params, compiled.positiontup)

    def with_values(self, values: Mapping[str, Any]) -> tuple[str, Any]:
        """Text and values as a driver takes them."""
        whole = {**self.own, **values}
        return self.text, whole if self.places is None else [whole[name] for name in self.places]


class Store:
    """The open store of one process. Close it at the end.

    A fresh one is made; with `migrate` an older one is changed to today's form, and `migrated` tells the steps.

    Raises `ValueError` for a PostgreSQL store where its driver is not installed, and
    `pbem.campaign.migrations.OtherForm` for a store of an earlier or later program.
    """

    def __init__(self, settings: Settings, *, migrate: bool = False):
        _make_folder(settings)
        self.url = sqlalchemy.make_url(settings.database_url)
        self.postgres = self.url.get_backend_name() == "postgresql"
        if not self.postgres and self.url.database:
            _make_file(Path(self.url.database))
        self.vault = Vault(settings.key_file)
        self.tables = Tables(settings.schema if self.postgres else None)
        self.engine = self._postgres_engine() if self.postgres else self._sqlite_engine("FULL")
        # A change of the read models that a power failure takes back, with its tracking, is made again from the
        # stream; so it need not wait for the disk. What is written later waits for it as well, since the log of
        # writes has one order.
        self.lazy_engine = self.engine if self.postgres else self._sqlite_engine("NORMAL")
        self.integrity_error: type[Exception] = self.engine.dialect.loaded_dbapi.IntegrityError
        """What the driver itself raises, under `change` and `fetch`, for a row that cannot be."""
        self._compiled: dict[str, _Prepared] = {}
        trees, secrets = self.tables.trees, self.tables.secrets
        self.crown_of = sqlalchemy.select(trees.c.crown).where(
            trees.c.campaign == bindparam("of"), trees.c.tree == bindparam("nr")
        )
        tokens = self.tables.tokens
        self.live_tokens_of = sqlalchemy.select(tokens.c.hash).where(
            tokens.c.active == 1, tokens.c.campaign == bindparam("of")
        )
        sittings, persons = self.tables.sittings, self.tables.persons
        self.names_of = (
            sqlalchemy.select(sittings.c.seat, sittings.c.name)
            .join(persons, persons.c.person == sittings.c.person)
            .where(sittings.c.until.is_(None), sittings.c.campaign == bindparam("of"))
            .order_by(sittings.c.seat)
        )
        self.secret_of = sqlalchemy.select(secrets.c.sealed).where(secrets.c.campaign == bindparam("of"))
        self.migrated: list[tuple[str, str]] = []
        """Number and description of the forms that were gone through when the store was opened."""
        try:
            with self._alone():
                self._bring_to_form(settings.schema, migrate)
                self.stream = Stream(self.url, settings.schema)
        except BaseException:
            self.engine.dispose()
            self.lazy_engine.dispose()
            raise
        assert self.stream.snapshots is not None
        events = table_of(self.stream.recorder, self.tables.metadata.schema).c
        self.last_event_of = sqlalchemy.select(sqlalchemy.func.max(events.originator_version)).where(
            events.originator_id == bindparam("of")
        )
        snapshots = table_of(self.stream.snapshots.recorder, self.tables.metadata.schema)
        self._older_snapshots = sqlalchemy.delete(snapshots).where(
            snapshots.c.originator_id == bindparam("of"), snapshots.c.originator_version < bindparam("version")
        )

    def _bring_to_form(self, schema: str, migrate: bool) -> None:
        """Make the tables of a fresh store, and with `migrate` change those of an older one; else raise `OtherForm`."""
        where = self.tables.metadata.schema
        with self.read() as connection:
            if migrations.form_of(connection, where) == migrations.FORM:
                return
        with self.write() as connection:
            if self.postgres:
                connection.execute(sqlalchemy.schema.CreateSchema(schema, if_not_exists=True))
            form = migrations.form_of(connection, where)  # another process may just have made the store
            if form is not None and not (migrate and migrations.is_earlier(form)):
                migrations.check(form, self.url.render_as_string(hide_password=True))
                return
            self.migrated = migrations.upgrade(connection, where, form)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """On PostgreSQL, processes that start at the same time make the tables one after the other."""
        if not self.postgres:
            yield
            return
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.select(sqlalchemy.func.pg_advisory_xact_lock(SETUP_LOCK)))
            yield

    def _sqlite_engine(self, synchronous: str) -> sqlalchemy.Engine:
        engine = create_engine(
            self.url, connect_args={"timeout": LOCK_SECONDS}, pool_size=10, max_overflow=20, pool_reset_on_return=None
        )

        @event.listens_for(engine, "connect")
        def connected(connection: Any, record: Any) -> None:
            connection.isolation_level = None  # this module says when a transaction begins, and how
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(f"PRAGMA synchronous={synchronous}")

        @event.listens_for(engine, "begin")
        def begun(connection: Connection) -> None:
            # A transaction that reads and then writes can fail at once under a second writer; one that says so waits.
            # A reading connection needs no transaction: its statements stand alone.
            if connection.get_execution_options().get("writes"):
                driver = connection.connection.driver_connection
                assert driver is not None
                driver.execute("BEGIN IMMEDIATE")

        return engine

    def _postgres_engine(self) -> sqlalchemy.Engine:
        if find_spec("psycopg") is None:
            raise ValueError("a store on PostgreSQL needs its driver: pip install 'pbem[postgres]'")
        return create_engine(self.url.set(drivername="postgresql+psycopg"), pool_size=10, max_overflow=20)

    def close(self) -> None:
        """Close all connections."""
        self.stream.close()
        self.engine.dispose()
        self.lazy_engine.dispose()

    # the tables beside

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that only reads."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self, *, lazy: bool = False) -> Iterator[Connection]:
        """A transaction that writes; it is committed at the end, rolled back on an exception.

        `lazy` is for what can be made again from the stream together with its tracking: it may be lost, as a whole,
        when the power fails before anything else was written.
        """
        with (self.lazy_engine if lazy else self.engine).connect() as connection:
            if not self.postgres:
                connection = connection.execution_options(writes=True)
            with connection.begin():
                yield connection

    def prepare(self, name: str, statement: Any, parameters: Mapping[str, Any]) -> tuple[str, Any]:
        """A statement for `Save.beside`, compiled once under its name; its values are bound parameters."""
        return self._prepared(name, statement, parameters).with_values(parameters)

    def fetch(self, name: str, statement: Any, parameters: Mapping[str, Any]) -> list[Any]:
        """The rows that a query finds, as plain tuples; the query is compiled once under its name."""
        with self._borrowed(self.engine) as connection:
            return self.run(connection.cursor(), name, statement, parameters).fetchall()

    @contextmanager
    def change(self, *, lazy: bool = False) -> Iterator[Any]:
        """As `write`, with the driver's own cursor for `run`: SQLAlchemy's care for a transaction costs more than a few
        statements. The driver's own errors are raised."""
        with self._borrowed(self.lazy_engine if lazy else self.engine) as connection:
            cursor = connection.cursor()
            if not self.postgres:
                cursor.execute("BEGIN IMMEDIATE")
            try:
                yield cursor
                connection.commit()
            except BaseException:
                connection.rollback()
                raise

    @contextmanager
    def _borrowed(self, engine: sqlalchemy.Engine) -> Iterator[Any]:
        """A connection of the driver from a pool. When the server has gone, all that the pool holds are given up."""
        connection = engine.raw_connection()
        try:
            yield connection
        except engine.dialect.loaded_dbapi.Error as error:
            if engine.dialect.is_disconnect(error, connection.driver_connection, None):  # type: ignore[arg-type]
                connection.invalidate()
                engine.dispose()
            raise
        finally:
            connection.close()

    def run(self, cursor: Any, name: str, statement: Any, parameters: Mapping[str, Any] | Sequence[Any]) -> Any:
        """Run a statement, compiled once under its name, on a driver's cursor; with a list of parameters once for each
        of them. Returns the cursor."""
        if isinstance(parameters, Mapping):
            cursor.execute(*self.prepare(name, statement, parameters))
        else:
            prepared = self._prepared(name, statement, parameters[0])
            cursor.executemany(prepared.text, [prepared.with_values(one)[1] for one in parameters])
        return cursor

    def _prepared(self, name: str, statement: Any, parameters: Mapping[str, Any]) -> _Prepared:
        prepared = self._compiled.get(name)
        if prepared is None:
            keys = list(parameters) if isinstance(statement, Insert) else None
            compiled = statement.compile(dialect=self.engine.dialect, column_keys=keys)
            prepared = self._compiled[name] = _Prepared.of(compiled)
        return prepared

    # the stream

    def save(self, save: Save) -> None:
        """Store an aggregate's new events, tracking and statements in one transaction.

        Raises eventsourcing's `IntegrityError` when somebody else was faster; whatever is raised, the aggregate in
        memory is then to be dropped.
        """
        beside = [
            s if isinstance(s, tuple) else _Prepared.of(s.compile(dialect=self.engine.dialect)).with_values({})
            for s in save.beside
        ]
        self.stream.record(save.campaign, save.inbox, beside)

    def load(self, campaign: str, version: int | None = None, *, snapshot: bool = True) -> Campaign | None:
        """The aggregate, at its last event or an earlier one, from the last snapshot that can be read; None if none."""
        loaded = self._snapshot(campaign, version) if snapshot else None
        after = None if loaded is None else loaded.version
        for stored in self.stream.events.get(campaign, gt=after, lte=version):
            loaded = stored.mutate(loaded)  # type: ignore[attr-defined]
        return loaded

    def _snapshot(self, campaign: str, version: int | None) -> Campaign | None:
        assert self.stream.snapshots is not None
        for snapshot in self.stream.snapshots.get(campaign, lte=version, desc=True, limit=1):
            if isinstance(snapshot, Snapshot) and snapshot.form == SNAPSHOT_FORM:
                return snapshot.mutate(None)
        return None

    def take_snapshot(self, campaign: Campaign) -> None:
        """Keep the aggregate as it is, and delete its older snapshots. Safe to run twice."""
        assert self.stream.snapshots is not None
        try:
            self.stream.snapshots.put([Snapshot.take(campaign)])
        except IntegrityError:
            return  # another process has taken the same one
        with self.write() as connection:
            connection.execute(self._older_snapshots, {"of": campaign.id, "version": campaign.version})

    def last_event(self, campaign: str) -> int:
        """The number of the last event that is stored; 0 for no campaign."""
        ((number,),) = self.fetch("last_event", self.last_event_of, {"of": campaign})
        return number or 0

    def stored(self, campaign: str, start: int = 1, stop: int | None = None) -> Iterator[Any]:
        """The events of a campaign from `start` to `stop`, both included, as event objects."""
        yield from self.stream.events.get(campaign, gt=start - 1, lte=stop)


def is_conflict(error: BaseException) -> bool:
    """Whether an exception of a save may mean that another process was faster, or held the lock too long."""
    return isinstance(error, IntegrityError | OperationalError | sqlalchemy.exc.IntegrityError)


def _make_folder(settings: Settings) -> None:
    """The folder of the service, which nobody else may look into. One that held other things before is left alone."""
    ours = not settings.var.exists() or (settings.var / "pbem.sqlite").exists() or settings.key_file.exists()
    settings.var.mkdir(mode=0o700, parents=True, exist_ok=True)
    if ours:
        make_private(settings.var)


def _make_file(file: Path) -> None:
    """The file of an SQLite store; SQLite gives its logs the rights that the file has."""
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    for path in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
        make_private(path)


_OF_THE_CONTENT = ("IntegrityError", "DataError", "NotSupportedError")
"""What a driver says of values that cannot be stored (PEP 249): whoever tries again is told the same again."""


def is_store_fault(error: BaseException) -> bool:
    """Whether an exception means that the store is away, locked, full, read-only or broken, whatever was to be stored.

    It is looked for in what the drivers raise (PEP 249), what SQLAlchemy and eventsourcing make of it, and pools that
    have no connection left.
    """
    if isinstance(error, ConnectionPoolClosedError | sqlalchemy.exc.TimeoutError | sqlalchemy.exc.DisconnectionError):
        return True
    if isinstance(error, sqlalchemy.exc.PendingRollbackError | sqlalchemy.exc.ResourceClosedError):
        return True
    if isinstance(error, sqlalchemy.exc.DBAPIError):
        return type(error).__name__ not in _OF_THE_CONTENT
    if isinstance(error, PersistenceError) or _is_of_a_driver(error):
        return not any(kind.__name__ in _OF_THE_CONTENT for kind in type(error).__mro__)
    return False


def _is_of_a_driver(error: BaseException) -> bool:
    return any(
        kind.__name__ == "Error" and kind.__module__.partition(".")[0] in ("sqlite3", "psycopg")
        for kind in type(error).__mro__
    )


__all__ = ["Save", "Store", "Stream", "is_conflict", "is_store_fault"]
