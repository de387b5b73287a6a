"""Read models: what pages, clock and mail room look things up in, made from the stream by one pull loop, exactly once.

`Projection.pull` reads the notifications after the last tracking and writes the change of the views and their new
trackings in one transaction, whose first statement moves the trackings on from where they were read: a second loop that
has read the same events moves nothing, raises `Overtaken`, and reads again. Each view has a tracking of its own: one
that is behind catches up alone, up to where the others are. The views, which are tables:

``campaigns``
    a row each: ``campaign, title, game, scenario, state, reason, seats`` (JSON), ``waiting_for`` (JSON, powers whose
    answer is missing, sealed or not: for the moderator and the clock; what everybody may know is `Service.status`),
    ``waiting_seats, waited_since, question`` (its kind), ``deadline, next_wake`` (when the clock has something to do),
    ``event, head, updated_at, spectators`` (1: whoever has no seat may look), ``options, policy, asks, clocks, dice``
    (JSON, as `pbem.campaign.changes.State` has them: lists tell by these how each campaign stands).
``outbox``
    the intents that events cause; see `pbem.campaign.outbox`. It is never made again: mails would go out twice.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, delete, insert, literal_column, select, update

from pbem.campaign import deadlines, ledger, messages, outbox
from pbem.campaign.campaign import Event
from pbem.campaign.clock import stamp
from pbem.campaign.notices import moderators_of
from pbem.campaign.store import Store
from pbem.campaign.tables import MAY_GO_OUT, PENDING

CAMPAIGNS, OUTBOX = "campaigns", "outbox"
VIEWS = (CAMPAIGNS, OUTBOX)
"""The names under which the views remember how far they have come."""

_COLUMNS = {  # what a campaign remembers -> the column that shows it
    "title": "title", "game": "game", "scenario": "scenario", "status": "state", "reason": "reason", "kind": "question",
    "asked_at": "waited_since",
}  # fmt: skip
_AS_JSON = {name: name for name in ("seats", "options", "policy", "asks", "clocks")} | {"trees": "dice"}
_NOT_DATA = {"facts", "throws", "asks", "order", "secret", "opened", "press", "dice"}
_PREFERENCES_KEPT = 20_000


class Overtaken(RuntimeError):
    """Another process has projected these events."""


@dataclass
class _News:
    """What a batch of events changes for one campaign."""

    row: dict[str, Any] = field(default_factory=dict)
    created: bool = False
    reports: tuple[int, int] | None = None
    intents: list[dict[str, Any]] = field(default_factory=list)
    void: set[str] = field(default_factory=set)
    given: dict[str, int] = field(default_factory=dict)
    """seat -> the event by which it was last given to somebody"""
    seats: list[str] = field(default_factory=list)
    first_at: datetime | None = None


class Projection:
    """The pull loop of one process."""

    def __init__(self, store: Store, domain: str, gather: timedelta = timedelta(0)):
        self.store, self.domain, self.gather = store, domain, gather
        self._preferences: OrderedDict[str, dict[str, tuple[str, int, str]]] = OrderedDict()
        self._positions: dict[str, int] | None = None
        self._prepare()

    def _prepare(self) -> None:
        t = self.store.tables
        self._row_statements: dict[tuple[tuple[str, ...], bool], Any] = {}
        self._insert = insert(t.outbox)
        self._advances = {
            views: (
                f"advance {' '.join(views)}",
                update(t.trackings)
                .where(t.trackings.c.name.in_([literal_column(f"'{view}'") for view in views]))
                .where(t.trackings.c.position == bindparam("before"))
                .values(position=bindparam("after")),
            )
            for views in (VIEWS, *((view,) for view in VIEWS))
        }
        self._set_back = update(t.trackings).where(t.trackings.c.name == CAMPAIGNS).values(position=bindparam("after"))
        self._forget = [("forget campaigns", delete(t.campaigns)), ("forget checkpoints", delete(t.checkpoints))]
        self._join = (
            update(t.outbox)
            .where(t.outbox.c.campaign == bindparam("of"), t.outbox.c.kind == "report", t.outbox.c.state == PENDING)
            .values(last_event=bindparam("last"))
            .returning(t.outbox.c.seat)
        )
        self._void_all = (
            update(t.outbox)
            .where(
                t.outbox.c.campaign == bindparam("of"),
                t.outbox.c.state == PENDING,
                t.outbox.c.kind.in_([literal_column(f"'{kind}'") for kind in messages.asking()]),
            )
            .values(state="void")
        )
        self._void = self._void_all.where(t.outbox.c.seat == bindparam("to"))
        self._void_personal = (
            update(t.outbox)
            .where(
                t.outbox.c.campaign == bindparam("of"),
                t.outbox.c.seat == bindparam("to"),
                t.outbox.c.first_event < bindparam("given"),
                t.outbox.c.state.in_(MAY_GO_OUT),
                t.outbox.c.kind.in_([literal_column(f"'{kind}'") for kind in messages.personal()]),
            )
            .values(state="void", claimed_until=None, error="the seat is another's")
        )
        sitting = t.sittings.c
        self._chosen = (
            select(sitting.seat, sitting.reports, sitting.hour, t.persons.c.timezone)
            .join(t.persons, t.persons.c.person == sitting.person)
            .where(sitting.campaign == bindparam("of"), sitting.until.is_(None))
        )

    def positions(self) -> dict[str, int]:
        """The last notification that each view has taken in."""
        trackings = self.store.tables.trackings
        with self.store.read() as connection:
            rows = connection.execute(select(trackings.c.name, trackings.c.position))
            return {name: position for name, position in rows if name in VIEWS}

    def pull(self, limit: int = 500) -> int:
        """Take the next events in; returns how many. Safe to be run by any number of threads and processes.

        Where the rows of the campaigns were set back to the beginning (a migration gave them more to tell) they are
        made again as a whole.
        """
        if self._positions is None:
            self._positions = self.positions()
        if self._positions[CAMPAIGNS] == 0 < self._positions[OUTBOX]:
            return self.rebuild(limit)
        return self._next(limit)

    def _next(self, limit: int) -> int:
        for _ in range(10):
            positions = self.positions() if self._positions is None else self._positions
            before, furthest = min(positions.values()), max(positions.values())
            behind = [view for view in VIEWS if positions[view] == before]
            stop = furthest if furthest > before else None
            events, after = self._events(before, limit, stop)
            if not events:
                self._positions = positions
                return 0
            try:
                self._take(events, behind, before, after)
            except Overtaken:  # by another process, which may have taken in what players prefer now
                self._positions = None
                continue
            self._positions = {**positions, **dict.fromkeys(behind, after)}
            return len(events)
        return 0

    def _events(self, before: int, limit: int, stop: int | None = None) -> tuple[list[Event], int]:
        return self.store.stream.news(before, limit, stop)

    def _take(self, events: Sequence[Event], views: Sequence[str], before: int, after: int) -> None:
        news: dict[str, _News] = {}
        for event in events:
            self._read(event, news.setdefault(event.originator_id, _News()))
        try:
            with self.store.change(lazy=True) as cursor:
                self._advance(cursor, views, before, after)
                for campaign, happened in news.items():
                    if CAMPAIGNS in views:
                        self._write_row(cursor, campaign, happened)
                    if OUTBOX in views:
                        self._write_mails(cursor, campaign, happened)
        except BaseException:
            self._preferences.clear()
            self._positions = None
            raise

    def _advance(self, cursor: Any, views: Sequence[str], before: int, after: int) -> None:
        name, statement = self._advances[tuple(views)]
        self.store.run(cursor, name, statement, {"before": before, "after": after})
        if cursor.rowcount != len(views):
            raise Overtaken

    def rebuild(self, limit: int = 500) -> int:
        """Make what pages and clock look up again from the stream, while others go on; returns from how many events.

        The rows of the campaigns are folded first and then put in place of what was there, with the tracking that
        belongs to them; what happened meanwhile is taken in as ever. Checkpoints, a cache, are forgotten. The outbox
        stays as it is, so no mail goes out twice.
        """
        rows: dict[str, dict[str, Any]] = {}
        last = count = 0
        while True:
            events, last = self._events(last, limit)
            if not events:
                break
            count += len(events)
            for event in events:
                self._read_row(event, rows.setdefault(event.originator_id, {}))
        blank = dict.fromkeys(column.name for column in self.store.tables.campaigns.columns)
        with self.store.change() as cursor:
            self.store.run(cursor, "set back", self._set_back, {"after": last})
            for name, statement in self._forget:
                self.store.run(cursor, name, statement, {})
            if rows:
                whole = [{**blank, "campaign": campaign, **row} for campaign, row in rows.items()]
                self.store.run(cursor, "all campaigns", insert(self.store.tables.campaigns), whole)
        self._positions = None
        while self._next(limit):
            pass
        return count

    # reading an event

    def _read(self, event: Event, news: _News) -> None:
        news.seats = event.seats
        news.created = news.created or event.kind == "created"
        talked = self._talked(event, news) if "closed_window" in event.notes else None
        self._read_row(event, news.row)
        if "preferences" in event.notes:
            self._preferences.clear()  # a person's time zone is his in all campaigns
        elif event.kind in ("invited", "replaced"):
            self._preferences.pop(event.originator_id, None)
        self._intents(event, news, talked)

    def _read_row(self, event: Event, row: dict[str, Any]) -> None:
        """What an event changes in the row of its campaign."""
        change = event.change
        for name, column in _COLUMNS.items():
            if name in change:
                row[column] = change[name]
        for name, column in _AS_JSON.items():
            if name in change:
                row[column] = json.dumps(change[name])
        if "clocks" in change:
            clocks = change["clocks"]
            row |= {"deadline": deadlines.closes(clocks), "next_wake": deadlines.next_wake(clocks)}
        elif "clock" in change:
            names = {"deadline": "deadline", "wake": "next_wake"}
            row |= {names[name]: value for name, value in change["clock"].items() if name in names}
            before = {} if "question" in change else json.loads(row.get("clocks") or "{}")
            row["clocks"] = json.dumps(deadlines.of_all(before, json.loads(row.get("asks") or "[]"), change["clock"]))
        if "asks" in change:
            missing = deadlines.waited_for(change["asks"], change.get("clocks", {}))
            row["waiting_for"] = json.dumps(list(dict.fromkeys(ask["power"] for ask in missing)))
            row["waiting_seats"] = json.dumps(list(dict.fromkeys(ask["seat"] for ask in missing)))
        row |= {"event": event.originator_version, "head": event.sealed["hash"], "updated_at": stamp(event.timestamp)}
        if event.kind == "created":
            row["state"] = "inviting"
            row["spectators"] = int(change["policy"].get("spectators") != "no")

    def _talked(self, event: Event, news: _News) -> dict[str, list[str]]:
        """The seats that were in the window which an event closed, and their powers: as it says, or, where an older
        program wrote it and it does not, those who were asked before it."""
        said: dict[str, list[str]] | None = event.notes.get("talked")
        if said is not None:
            return said
        asks = news.row.get("asks")
        if asks is None:
            campaigns = self.store.tables.campaigns
            with self.store.read() as connection:
                asks = connection.execute(
                    select(campaigns.c.asks).where(campaigns.c.campaign == event.originator_id)
                ).scalar()
        talked: dict[str, list[str]] = {}
        for ask in json.loads(asks or "[]"):
            talked.setdefault(ask["seat"], []).append(ask["power"])
        return talked

    def _intents(self, event: Event, news: _News, talked: dict[str, list[str]] | None) -> None:
        """The messages that follow from an event; `talked`: who was in the window that it closed, or None."""
        change, notes, number, kind = event.change, event.notes, event.originator_version, event.kind
        if "question" in change or "asks" in change:
            self._asking(event, news)
        for message in messages.following(kind):
            if kind == "expired" and not event.content("public").get("missed"):
                continue
            whom = notes.get("concerned") or news.seats
            told = [seat for seat in whom if not message.but_concerned or seat != notes["seat"]]
            told += self._moderators(event) if message.and_moderators else []
            self._add(news, event, message.name, told)
        if talked is not None:
            self._add(news, event, "window_closed", list(talked), more={"talked": talked})
        if kind in ("invited", "replaced"):
            self._given(event, news, notes["seat"])
            what = "takeover" if notes.get("takes_over") else "invitation"
            self._add(news, event, what, [notes["seat"]])
        elif kind == "reminded":
            what = "window_closing" if notes.get("in_window") else "reminder"
            self._add(news, event, what, notes["reminding"])
        elif kind == "press":
            self._add(news, event, "press", notes["recipients"], press=notes["commitment"])
        elif kind in ("set_aside", "declined"):
            more = None if event.submission is None else {"inbox": event.submission}
            self._add(news, event, kind, self._moderators(event), more=more)
        if "dropped" in notes:
            self._add(news, event, "dropped", [notes["dropped"]])
        if "stopped" in notes:
            self._add(news, event, "stopped", [notes["stopped"]])
        facts = any('"facts":' in part["content"] for part in event.sealed["parts"].values())
        if (facts and kind != "started") or kind == "assigned":
            news.first_at = news.first_at or event.timestamp
            first = news.reports[0] if news.reports else number
            news.reports = (first, number)
            if '"report":' in event.sealed["parts"][ledger.PUBLIC]["content"]:
                scores = [fact["report"] for fact in event.content(ledger.PUBLIC)["facts"] if fact.get("report")]
                for place, report in enumerate(scores):
                    self._add(news, event, "scores", news.seats, more={"report": report}, place=place)

    def _moderators(self, event: Event) -> list[str]:
        with self.store.read() as connection:
            return moderators_of(self.store, connection, event.originator_id)

    @staticmethod
    def _given(event: Event, news: _News, seat: str) -> None:
        """A seat is given to somebody: what was for the person before him, and has not gone out, is void."""
        news.given[seat] = event.originator_version
        news.intents = [i for i in news.intents if i["seat"] != seat or not messages.KINDS[i["kind"]].personal]

    def _asking(self, event: Event, news: _News) -> None:
        """Who is asked now; what asked him before and has not gone out is void."""
        asks = event.change.get("asks", [])
        missing = deadlines.waited_for(asks, event.change.get("clocks", {}))
        waiting = list(dict.fromkeys(ask["seat"] for ask in missing))
        new = "question" in event.change
        done = (
            news.seats
            if new or not asks
            else [ask["seat"] for ask in asks if ask not in missing and ask["seat"] not in waiting]
        )
        news.void.update(done)
        gone = set(done)
        news.intents = [i for i in news.intents if not messages.KINDS[i["kind"]].asks or i["seat"] not in gone]
        if new:
            self._add(news, event, "window_opening" if event.change.get("window") else "your_move", waiting)

    def _add(
        self,
        news: _News,
        event: Event,
        kind: str,
        seats: Sequence[str],
        *,
        press: str | None = None,
        more: dict[str, Any] | None = None,
        place: int = 0,
    ) -> None:
        """A message of an event to seats; `place` counts several of one kind."""
        if not seats:
            return
        public = event.content(ledger.PUBLIC)
        data = json.dumps({k: v for k, v in public.items() if k not in _NOT_DATA} | (more or {}))
        extra = f".{place}" if place else ""
        for seat in seats:
            news.intents.append(
                self._intent(
                    event.originator_id,
                    seat,
                    kind,
                    event.originator_version,
                    data,
                    stamp(event.timestamp),
                    press,
                    extra,
                )
            )

    def _intent(
        self,
        campaign: str,
        seat: str,
        kind: str,
        event: int,
        data: str,
        at: str,
        press: str | None = None,
        extra: str = "",
    ) -> dict[str, Any]:
        return {
            "campaign": campaign, "seat": seat, "kind": kind, "first_event": event, "last_event": event, "inbox": None,
            "press": press, "data": data, "message_id": f"<{campaign}.{event}{extra}.{kind}.{seat}@{self.domain}>",
            "state": "pending", "created_at": at, "not_before": None, "attempts": 0,
        }  # fmt: skip

    # writing a campaign's news

    def _write_row(self, cursor: Any, campaign: str, news: _News) -> None:
        columns = tuple(sorted(news.row))
        values = {f"new_{column}": news.row[column] for column in columns}
        what = "create" if news.created else "change"
        statement = self._row_statement(columns, new=news.created)
        self.store.run(cursor, f"{what} {columns}", statement, {"of": campaign, **values})

    def _write_mails(self, cursor: Any, campaign: str, news: _News) -> None:
        run = self.store.run
        if news.void:
            if news.void.issuperset(news.seats):
                run(cursor, "void all", self._void_all, {"of": campaign})
            else:
                run(cursor, "void", self._void, [{"of": campaign, "to": seat} for seat in sorted(news.void)])
        if news.given:
            run(cursor, "void personal", self._void_personal, [
                {"of": campaign, "to": seat, "given": event} for seat, event in sorted(news.given.items())
            ])  # fmt: skip
        intents = news.intents
        if news.reports is not None:
            intents = intents + self._reports(cursor, campaign, news)
        if intents:
            run(cursor, "intents", self._insert, intents)

    def _row_statement(self, columns: tuple[str, ...], *, new: bool = False) -> Any:
        """The statement that sets columns of a campaign's row, or makes it with them."""
        statement = self._row_statements.get((columns, new))
        if statement is None:
            t = self.store.tables.campaigns
            values: dict[str, Any] = {column: bindparam(f"new_{column}") for column in columns}
            statement = self._row_statements[columns, new] = (
                insert(t).values(campaign=bindparam("of"), **values)
                if new
                else update(t).where(t.c.campaign == bindparam("of")).values(values)
            )
        return statement

    def _reports(self, cursor: Any, campaign: str, news: _News) -> list[dict[str, Any]]:
        """Later events join a report that has not gone out yet; other seats get a new one, as each has chosen."""
        assert news.reports is not None and news.first_at is not None
        first, last = news.reports
        self.store.run(cursor, "join", self._join, {"of": campaign, "last": last})
        joined = {row[0] for row in cursor.fetchall()}
        preferences = self._preferences_of(cursor, campaign)
        made = []
        for seat in news.seats:
            mode, hour, zone = preferences.get(seat, ("every", 18, "UTC"))
            if seat in joined or mode == "questions":
                continue
            intent = self._intent(campaign, seat, "report", first, "{}", stamp(news.first_at))
            intent["last_event"] = last
            if mode == "every" and self.gather:
                intent |= {"not_before": stamp(news.first_at + self.gather), "data": outbox.GATHERING}
            elif mode == "daily":
                intent["not_before"] = stamp(next_hour(news.first_at, hour, zone))
            made.append(intent)
        return made

    def _preferences_of(self, cursor: Any, campaign: str) -> dict[str, tuple[str, int, str]]:
        if campaign not in self._preferences:
            self.store.run(cursor, "chosen", self._chosen, {"of": campaign})
            self._preferences[campaign] = {seat: tuple(chosen) for seat, *chosen in cursor.fetchall()}
            if len(self._preferences) > _PREFERENCES_KEPT:
                self._preferences.popitem(last=False)
        return self._preferences[campaign]


def next_hour(after: datetime, hour: int, zone: str) -> datetime:
    """The next moment at which it is a full hour of the day in a time zone."""
    local = after.astimezone(ZoneInfo(zone))
    coming = local.replace(hour=hour, minute=0, second=0, microsecond=0)
    if coming <= local:
        coming = (local + timedelta(days=1)).replace(hour=hour, minute=0, second=0, microsecond=0)
    return coming
