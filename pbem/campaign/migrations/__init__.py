"""The form of a store: which tables with which columns lie beside the stream, and how an earlier form becomes today's.

Each form is a migration of Alembic in `versions/`, named by a number; a fresh store is made by all of them in turn, so
that it is like one that has come the whole way. To change a table: change `pbem.campaign.tables`, add the next file to
`versions/` (SQLite changes a column only within ``with op.batch_alter_table(...)``), and raise `FORM`. The tests say
what is missing. A migration that others have run is never changed.

The tables of the stream itself are made and kept by the eventsourcing library; nothing here touches them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, text

FORM = "0011"
"""The form that this program works with: the last of `versions/`, written out so that opening a store loads no
Alembic."""

FIRST = "0001"
"""The form of stores that were made before forms were numbered."""

VERSIONS = "alembic_version"


class OtherForm(ValueError):
    """A store has another form than this program works with; says what to do."""


def form_of(connection: Connection, schema: str | None) -> str | None:
    """The form of a store; None for one without tables."""
    tables = inspect(connection)
    if tables.has_table(VERSIONS, schema=schema):
        name = VERSIONS if schema is None else f'"{schema}".{VERSIONS}'
        return connection.execute(text(f"SELECT version_num FROM {name}")).scalar()
    return FIRST if tables.has_table("inbox", schema=schema) else None


def is_earlier(form: str) -> bool:
    """Whether a form is one that today's has come from."""
    return form != FORM and form in _known()


def check(form: str, store: str) -> None:
    """Raises `OtherForm` for a form that is not this program's; `store` is what to call the store."""
    if form == FORM:
        return
    if is_earlier(form):
        raise OtherForm(
            f"the store {store} has form {form}, as an earlier program left it, and this one works with form {FORM}: "
            "stop what still runs on it, keep a copy, and run `pbem migrate`"
        )
    raise OtherForm(
        f"the store {store} has form {form}, which a later program gave it; this one works with form {FORM}: "
        "install that program again"
    )


def upgrade(connection: Connection, schema: str | None, form: str | None) -> list[tuple[str, str]]:
    """Bring a store from a form to today's, all in the transaction of the connection.

    Returns number and description of each step. Raises whatever the database does; then nothing has changed.
    """
    from alembic import command

    config = _config()
    config.attributes.update(connection=connection, schema=schema)
    if schema is not None:
        connection.execute(text(f'SET LOCAL search_path TO "{schema}"'))
    if form is not None and not inspect(connection).has_table(VERSIONS, schema=schema):
        command.stamp(config, form)
    command.upgrade(config, "head")
    return [step for step in _steps() if form is None or step[0] > form]


def _config() -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _known() -> list[str]:
    return [form for form, _ in _steps()]


def _steps() -> Iterator[tuple[str, str]]:
    """Number and description of every form, from the first on."""
    from alembic.script import ScriptDirectory

    revisions = list(ScriptDirectory.from_config(_config()).walk_revisions())
    for revision in reversed(revisions):
        yield revision.revision, revision.doc
