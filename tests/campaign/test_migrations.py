"""Stores of earlier and later programs, and read models made again from the stream."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
from concurrent.futures import ProcessPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from click.testing import CliRunner
from sqlalchemy import inspect, select, text

from pbem.campaign import migrations
from pbem.campaign.migrations import FORM, OtherForm
from pbem.campaign.readmodels import Projection
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.store import Store
from pbem.campaign.tables import Tables
from pbem.cli import main
from tests.campaign.test_life import messages

pytestmark = pytest.mark.fresh_store

LATER = [f"{number:04}" for number in range(2, int(FORM) + 1)]
"""The forms after that of release 0.1.0."""


def scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", os.path.dirname(migrations.__file__))
    config.set_main_option("path_separator", "os")
    return ScriptDirectory.from_config(config)


def rows(store: Store, table: str) -> list[tuple]:
    with store.read() as connection:
        found = connection.execute(select(store.tables.metadata.tables[qualified(store, table)]))
        return sorted(map(tuple, found), key=repr)


def qualified(store: Store, table: str) -> str:
    schema = store.tables.metadata.schema
    return f"{schema}.{table}" if schema else table


def set_form(store: Store, form: str | None) -> None:
    name = qualified(store, migrations.VERSIONS)
    with store.write() as connection:
        connection.execute(text(f"DROP TABLE {name}" if form is None else f"UPDATE {name} SET version_num = '{form}'"))


def make_old(store: Store) -> None:
    """Turn a store into what release 0.1.0 had made."""
    with store.write() as connection:
        trackings = qualified(store, "trackings")
        connection.execute(text(
            f"CREATE TABLE {qualified(store, 'players')} AS SELECT campaign, seat, name, address, language, timezone, "
            f"reports, hour, webhook FROM {qualified(store, 'sittings')} s JOIN {qualified(store, 'persons')} p "
            "ON p.person = s.person WHERE s.until IS NULL"
        ))  # fmt: skip
        for name in ("sign_outs", "closed_ways", "persons", "sittings", "lapses", "choice_sets", "new_addresses"):
            connection.execute(text(f"DROP TABLE {qualified(store, name)}"))
        for column in ("spectators", "options", "policy", "asks", "clocks", "dice"):
            connection.execute(text(f"ALTER TABLE {qualified(store, 'campaigns')} DROP COLUMN {column}"))
        schema = store.tables.metadata.schema
        prefix = f"ix_{schema}" if schema else "ix"
        for table, column in (("enclosures", "used_at"), ("enclosed", "hash"), ("moderated", "moderator")):
            connection.execute(text(f"DROP INDEX {qualified(store, f'{table}_{column}')}"))
            connection.execute(text(f"CREATE INDEX {prefix}_{table}_{column} ON {qualified(store, table)} ({column})"))
        connection.execute(text(f"DELETE FROM {trackings} WHERE name = 'outbox'"))
        connection.execute(text(f"UPDATE {trackings} SET name = 'readmodels'"))
    set_form(store, None)


def difference(store: Store) -> list:
    """What tables, columns, types, keys and indexes the store has otherwise than the program says."""
    metadata, mine = store.tables.metadata, set(store.tables.metadata.tables)

    def ours(thing, name, kind, reflected, other):
        return kind != "table" or not reflected or qualified(store, name) in mine

    with store.engine.connect() as connection:
        options = {"compare_type": True, "include_schemas": metadata.schema is not None, "include_object": ours}
        if metadata.schema:
            options["include_name"] = lambda name, kind, parents: kind != "schema" or name == metadata.schema
        return compare_metadata(MigrationContext.configure(connection, opts=options), metadata)


def indexes(store: Store) -> dict[str, dict[str, str | None]]:
    """Of each table the indexes, with the rows that they are for."""
    found: dict[str, dict[str, str | None]] = {}
    with store.engine.connect() as connection:
        looked = inspect(connection)
        for table in store.tables.metadata.sorted_tables:
            for index in looked.get_indexes(table.name, schema=table.schema):
                where = {name: str(rows) for name, rows in index.get("dialect_options", {}).items() if "where" in name}
                found.setdefault(table.name, {})[index["name"]] = ", ".join(where.values()) or None
    return found


def test_the_form_is_the_last_migration_and_each_has_a_number_and_a_description():
    found = list(reversed(list(scripts().walk_revisions())))
    assert scripts().get_heads() == [FORM] and found[0].revision == migrations.FIRST
    assert [revision.revision for revision in found] == [f"{n:04}" for n in range(1, len(found) + 1)]
    assert all(revision.doc for revision in found)


def test_migrations_make_the_tables_that_the_program_names(settings):
    store = Store(settings)
    try:
        assert store.migrated and difference(store) == []
        migrated = indexes(store)
        with store.write() as connection:
            store.tables.metadata.drop_all(connection)
            store.tables.metadata.create_all(connection)
        assert indexes(store) == migrated
    finally:
        store.close()


def test_a_column_that_no_migration_makes_is_found_out(settings):
    store = Store(settings)
    try:
        with store.write() as connection:
            connection.execute(text(f"ALTER TABLE {qualified(store, 'sittings')} DROP COLUMN webhook"))
        assert [found[0] for found in difference(store)] == ["add_column"]
    finally:
        store.close()


def test_an_older_store_is_refused_until_it_is_migrated_and_then_goes_on(settings, clock, desk, service):
    table = desk().start()
    table.show_all()
    desk(title='shut to all but "spectators":"no"')
    desk(title="open", policy={"spectators": "yes"})
    desk(title="shut", policy={"spectators": "no"})
    service.project()
    before = rows(service.store, "campaigns"), rows(service.store, "outbox"), rows(service.store, "inbox")
    make_old(service.store)
    with pytest.raises(OtherForm, match="has form 0001.*`pbem migrate`"):
        Service(settings, clock)
    migrated = Store(settings, migrate=True)
    assert [form for form, _ in migrated.migrated] == LATER and difference(migrated) == []
    migrated.close()
    again = Service(settings, clock)
    try:
        again.project()
        assert (rows(again.store, "campaigns"), rows(again.store, "outbox"), rows(again.store, "inbox")) == before
        table.service = again
        table.good(table.asked_seat(), "MARCH 1 TO hill")
        again.project()
        assert len(rows(again.store, "outbox")) > len(before[1])
    finally:
        again.close()


def test_a_store_to_which_a_program_in_between_had_added_tables_is_migrated(settings):
    store = Store(settings)
    make_old(store)
    between = [store.tables.sign_outs, store.tables.closed_ways]
    store.tables.metadata.create_all(store.engine, between)  # as it did when it opened the store
    store.close()
    store = Store(settings, migrate=True)
    assert difference(store) == [] and {name for name, _ in rows(store, "trackings")} == {"campaigns", "outbox"}
    store.close()


def test_a_store_of_a_later_program_is_refused_whatever_is_tried(settings):
    store = Store(settings)
    set_form(store, "9999")
    store.close()
    for migrate in (False, True):
        with pytest.raises(OtherForm, match="form 9999, which a later program gave it"):
            Store(settings, migrate=migrate)


def test_a_migration_that_fails_changes_nothing(settings):
    store = Store(settings)
    make_old(store)
    with store.write() as connection:  # the last step of the migration meets what it cannot have
        connection.execute(text(f"INSERT INTO {qualified(store, 'trackings')} (name, position) VALUES ('outbox', 1)"))
    before = rows(store, "trackings")
    with pytest.raises(Exception, match="(?i)unique"):
        Store(settings, migrate=True)
    with store.read() as connection:
        tables = set(inspect(connection).get_table_names(schema=store.tables.metadata.schema))
    assert rows(store, "trackings") == before
    assert not tables & {"sign_outs", "closed_ways", migrations.VERSIONS}
    store.close()


def steps_of_opening(settings: Settings) -> int:
    store = Store(settings)
    store.close()
    return len(store.migrated)


def test_processes_that_open_a_fresh_store_at_once_make_it_once(settings):
    with ProcessPoolExecutor(3, mp_context=multiprocessing.get_context("spawn")) as pool:
        steps = sorted(pool.map(steps_of_opening, [settings] * 3))
    assert steps == [0, 0, int(FORM)]


def test_every_command_says_in_one_line_that_a_store_is_old_and_migrate_mends_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PBEM_VAR", str(tmp_path))
    pbem = CliRunner()
    assert pbem.invoke(main, ["list"]).exit_code == 0
    store = Store(Settings(var=tmp_path))
    make_old(store)
    store.close()
    with sqlite3.connect(tmp_path / "pbem.sqlite") as db:
        db.execute("UPDATE trackings SET position = 7")
    for arguments in (["list"], ["check-upgrade"], ["rebuild"], ["serve"], ["moderator", "remove", "anna"]):
        done = pbem.invoke(main, arguments)
        assert done.exit_code == 1 and done.output.count("\n") == 1 and "run `pbem migrate`" in done.output, done
    done = pbem.invoke(main, ["migrate"])
    assert done.exit_code == 0 and done.output.startswith("0002  ") and f"has form {FORM}" in done.output
    assert pbem.invoke(main, ["migrate"]).output.count("\n") == 1
    assert pbem.invoke(main, ["list"]).exit_code == 0
    with sqlite3.connect(tmp_path / "pbem.sqlite") as db:
        assert sorted(db.execute("SELECT * FROM trackings")) == [("campaigns", 0), ("outbox", 7)]


# --- read models made again


def test_read_models_are_made_again_and_no_mail_twice(desk, service):
    first, second = desk(title="One").start(), desk(title="Two")
    first.show_all()
    service.project()
    service.view_at(first.id, None, 5)
    good, mails = rows(service.store, "campaigns"), rows(service.store, "outbox")
    with service.store.write() as connection:
        campaigns = service.store.tables.campaigns
        connection.execute(campaigns.update().values(title="spoilt", next_wake=None, waiting_for="[]"))
        connection.execute(campaigns.delete().where(campaigns.c.campaign == second.id))
        connection.execute(campaigns.insert().values(campaign="ghost"))
    assert service.rebuild(7) == service.status(first.id).event + service.status(second.id).event
    assert rows(service.store, "campaigns") == good
    assert rows(service.store, "outbox") == mails and rows(service.store, "checkpoints") == []
    first.good(first.asked_seat(), "MARCH 1 TO hill")
    service.project()
    assert len(rows(service.store, "outbox")) > len(mails)


def test_what_happens_while_read_models_are_made_again_is_taken_in_once(desk, service, monkeypatch):
    table = desk().start()
    table.show_all()
    service.project()
    other = Projection(service.store, "example.org")
    others_news = other._events

    def meanwhile(before, limit, stop=None):
        found = others_news(before, limit, stop)
        if not found[0] and stop is None:  # the whole stream has been read, and nothing been written yet
            monkeypatch.setattr(other, "_events", others_news)
            table.good("seat1", "PRESS TO all: hello")
            service.project()
        return found

    monkeypatch.setattr(other, "_events", meanwhile)
    other.rebuild()
    assert set(other.positions().values()) == {max(other.positions().values())}
    assert service.campaigns()[0]["event"] == service.status(table.id).event
    assert len(messages(service, table.id, "press")) == 2
    table.good("seat1", "PRESS TO all: again")
    service.project()
    assert len(messages(service, table.id, "press")) == 4


def test_a_mail_has_the_same_id_however_many_events_were_read_at_once(desk, service):
    table = desk().start()
    table.show_all()
    table.good("seat1", "PRESS TO all: hello")
    store, ids = service.store, []
    for limit in (500, 1, 3):
        with store.write() as connection:
            connection.execute(store.tables.outbox.delete())
            connection.execute(store.tables.trackings.update().values(position=0))
            connection.execute(store.tables.campaigns.delete())
        projection = Projection(store, "example.org")
        while projection.pull(limit):
            pass
        outbox = store.tables.outbox
        with store.read() as connection:
            found = connection.execute(select(outbox.c.message_id).where(outbox.c.state == "pending"))
            ids.append({name for (name,) in found})
    assert ids[0] and ids[0] == ids[1] == ids[2]


def test_tables_stand_in_the_schema_of_the_settings():
    assert {table.schema for table in Tables("winter").metadata.tables.values()} == {"winter"}
