"""Services on both stores, with the toy game of `tests.toy` and a clock that is moved by hand."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pbem import games
from pbem.campaign import migrations
from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Answer, Submission
from tests import toy

POSTGRES = os.environ.get("PBEM_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/test")

games.register(toy.GAME)


def _postgres_answers() -> bool:
    try:
        psycopg.connect(POSTGRES, connect_timeout=3).close()
    except psycopg.OperationalError:
        return False
    return True


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path, empty_schemas: list[str]) -> Iterator[Settings]:
    """Settings of a fresh store."""
    if request.param == "sqlite":
        yield Settings(var=tmp_path, domain="example.org", play_snapshot_every=20)
        return
    if "PBEM_TEST_POSTGRES" not in os.environ and not _postgres_answers():
        pytest.skip("no PostgreSQL server answers (set PBEM_TEST_POSTGRES to insist)")
    is_kept = request.node.get_closest_marker("fresh_store") is None
    schema = empty_schemas.pop() if is_kept and empty_schemas else f"pbem_{uuid.uuid4().hex[:12]}"
    yield Settings(var=tmp_path, domain="example.org", play_snapshot_every=20, store=POSTGRES, schema=schema)
    with psycopg.connect(POSTGRES, autocommit=True) as connection:
        if is_kept and _is_emptied(connection, schema):
            empty_schemas.append(schema)
        else:
            connection.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")


@pytest.fixture(scope="session")
def empty_schemas() -> Iterator[list[str]]:
    """Schemas on PostgreSQL that tests have left, with all tables of a fresh store and no rows but its own: to make one
    anew takes longer than most of what is tried on it. A test that looks how a store is made or changed is marked
    ``fresh_store``, and is given none of these."""
    schemas: list[str] = []
    yield schemas
    with psycopg.connect(POSTGRES, autocommit=True) if schemas else nullcontext() as connection:
        for schema in schemas:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")


def _is_emptied(connection: psycopg.Connection[Any], schema: str) -> bool:
    """Whether a schema holds a store (a test may have made none), which is as fresh then."""
    with connection.transaction():
        tables = {
            name for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [schema])
        }
        if "trackings" not in tables:
            return False
        for table in tables - {migrations.VERSIONS, "trackings"}:
            connection.execute(f'DELETE FROM "{schema}"."{table}"')
        connection.execute(f"UPDATE {schema}.trackings SET position = 0")
        for (name,) in connection.execute("SELECT sequencename FROM pg_sequences WHERE schemaname = %s", [schema]):
            connection.execute(f'ALTER SEQUENCE "{schema}"."{name}" RESTART')
    return True


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def service(settings: Settings, clock: ManualClock) -> Iterator[Service]:
    made = Service(settings, clock)
    yield made
    made.close()


class Desk:
    """A campaign with its players at hand: of the toy, or of another game. `powers`: which the seats are given, none
    where the campaign's beginning is to draw them."""

    def __init__(
        self, service: Service, clock: ManualClock, seats: int = 3, *, game: str = "toy",
        powers: Sequence[str] = ("red", "blue", "green", "black"), **more: Any,
    ):  # fmt: skip
        self.service, self.clock = service, clock
        more["policy"] = {"missed": "default", **more.get("policy", {})}  # no grace but where a test is about it
        if game == "toy":
            more["kit"] = toy.kit()
        self.id = service.create(game, seats, **more)
        self.seats = [f"seat{n + 1}" for n in range(seats)]
        self.tokens = {s: service.invite(self.id, s, f"Player {s}", f"{s}@example.net") for s in self.seats}
        for seat in self.seats:
            service.accept(self.id, seat)
        if powers:
            service.assign(self.id, dict(zip(self.seats, powers, strict=False)))

    def start(self) -> Desk:
        self.service.start(self.id)
        return self

    def send(self, seat: str, *lines: str, **more: Any) -> Answer:
        values = {"received_at": self.clock.now(), "channel": "mail", "token": self.tokens[seat], **more}
        return self.service.submit(Submission(self.id, list(lines), **values))

    def good(self, seat: str, *lines: str, **more: Any) -> Answer:
        answer = self.send(seat, *lines, **more)
        assert answer.ok, answer
        return answer

    def hand(self, seat: str) -> list[str]:
        power = self.service.status(self.id).seats[seat]["powers"][0]
        return self.service.view_at(self.id, seat).piles[f"hand:{power}"]

    def show_all(self) -> None:
        """All leave the window and show their first card."""
        for seat in self.seats:
            self.good(seat, "DONE")
        for seat in self.seats:
            self.good(seat, f"SHOW {self.hand(seat)[0]}")

    def asked_seat(self) -> str:
        return self.service.status(self.id).waiting_seats[0]

    def play_out(self) -> None:
        """Play to the end: everybody marches, everybody ambushes."""
        while self.service.status(self.id).state == "running":
            status = self.service.status(self.id)
            if status.kind == "negotiation":
                self.show_all()
            elif status.kind == "march":
                self.good(self.asked_seat(), "MARCH 1 TO hill")
            else:
                for seat in status.waiting_seats:
                    self.good(seat, "AMBUSH")


@pytest.fixture
def desk(service: Service, clock: ManualClock) -> Callable[..., Desk]:
    return lambda seats=3, **more: Desk(service, clock, seats, **more)
