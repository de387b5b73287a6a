"""The stream: what this program has to do with the eventsourcing library, which keeps it.

The library is used by what it documents for those who build on it, and where that touches its inside it is here alone:

- Recorders extend ``_insert_events``, as the library's own examples of recorders with tables of their own do: what
  lies beside the stream is then written in the transaction of the events, from what ``save`` hands down by keyword. The
  statements come as text with values, since that cursor is the driver's and not SQLAlchemy's.
- Events have a transcoder of their own, for speed (`PlainJSON`).
- The names of its tables are asked of its recorders. It has no call for the last number of a sequence alone, nor for
  dropping snapshots, so the store has a statement for each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy
from eventsourcing.application import Application
from eventsourcing.persistence import ProcessRecorder, Tracking, Transcoder
from eventsourcing.sqlite import SQLiteProcessRecorder
from eventsourcing.utils import get_topic

from pbem.campaign.campaign import Campaign, Event
from pbem.campaign.ledger import from_canonical

LOCK_SECONDS = 30
POSTGRES_RECORDER = "pbem.campaign.postgres:PostgresRecorder"

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, default=datetime.isoformat).encode


class PlainJSON(Transcoder):
    """Events hold JSON values and one time: the library's own transcoder would call back for every object in them.

    The parts of an event follow its JSON object as lines of their own, in their order: canonical text holds no line
    break, and within a string of JSON every quotation mark of it would be escaped and read again one by one. Events
    that have their parts within are read as well.
    """

    def encode(self, obj: Any) -> bytes:
        if "sealed" not in obj:
            return _encode(obj).encode()
        sealed = obj["sealed"]
        salts = {name: {"salt": part["salt"]} for name, part in sealed["parts"].items()}
        lines = [_encode({**obj, "sealed": {**sealed, "parts": salts}})]
        lines += [part["content"] for part in sealed["parts"].values()]
        return "\n".join(lines).encode()

    def decode(self, data: bytes) -> Any:
        first, *contents = data.decode().split("\n")
        state = from_canonical(first)
        state["timestamp"] = datetime.fromisoformat(state["timestamp"])
        if contents:
            for part, content in zip(state["sealed"]["parts"].values(), contents, strict=True):
                part["content"] = content
        return state


class Beside:
    """Runs the statements of a save in the recorder's transaction, after its events and tracking."""

    def _insert_events(self, curs: Any, stored_events: Any, **kwargs: Any) -> Any:
        ids = super()._insert_events(curs, stored_events, **kwargs)  # type: ignore[misc]
        for statement, parameters in kwargs.get("beside", ()):
            curs.execute(statement, parameters)
        return ids


class SQLiteRecorder(Beside, SQLiteProcessRecorder):  # type: ignore[misc]
    """Stream, tracking and what lies beside, in one transaction."""


class Stream(Application[str]):
    """The event-sourced application: one aggregate a campaign. `url` is that of the store, `schema` its tables'."""

    name = "pbem"
    is_snapshotting_enabled = True

    def __init__(self, url: sqlalchemy.URL, schema: str):
        super().__init__(_environment(url, schema))

    def construct_transcoder(self) -> Transcoder:
        return PlainJSON()

    def construct_recorder(self) -> ProcessRecorder:
        return self.factory.process_recorder()

    def record(
        self, campaign: Campaign, inbox: int | None = None, beside: Sequence[tuple[str, Any]] = ()
    ) -> None:
        """Store a campaign's new events, the number in its inbox as tracking, and statements, in one transaction.

        Raises the library's `IntegrityError` when somebody else was faster.
        """
        more: dict[str, Any] = {} if inbox is None else {"tracking": Tracking(f"inbox:{campaign.id}", inbox)}
        self.events.put(campaign.collect_events(), **more, beside=beside)

    def news(self, after: int, limit: int, until: int | None = None) -> tuple[list[Event], int]:
        """Events of all campaigns after a notification, up to another, and the last notification among them."""
        notifications = self.recorder.select_notifications(after, limit, until, inclusive_of_start=False)
        events: list[Any] = [self.mapper.to_domain_event(notification) for notification in notifications]
        return events, notifications[-1].id if notifications else after


def table_of(recorder: Any, schema: str | None) -> sqlalchemy.TableClause:
    """The table in which a recorder keeps its events or snapshots."""
    columns: Any = (sqlalchemy.column("originator_id"), sqlalchemy.column("originator_version"))
    return sqlalchemy.table(recorder.events_table_name, *columns, schema=schema)


def _environment(url: sqlalchemy.URL, schema: str) -> Mapping[str, str]:
    common = {"ORIGINATOR_ID_TYPE": "text", "SINGLE_ROW_TRACKING": "n"}
    if url.get_backend_name() != "postgresql":
        return common | {
            "PERSISTENCE_MODULE": "eventsourcing.sqlite",
            "SQLITE_DBNAME": str(url.database),
            "SQLITE_LOCK_TIMEOUT": str(LOCK_SECONDS),
            "PROCESS_RECORDER_TOPIC": get_topic(SQLiteRecorder),
        }
    return common | {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": str(url.database),
        "POSTGRES_HOST": url.host or "127.0.0.1",
        "POSTGRES_PORT": str(url.port or 5432),
        "POSTGRES_USER": url.username or "postgres",
        "POSTGRES_PASSWORD": url.password or "",
        "POSTGRES_SCHEMA": schema,
        "POSTGRES_LOCK_TIMEOUT": str(LOCK_SECONDS),
        "PROCESS_RECORDER_TOPIC": POSTGRES_RECORDER,
    }
