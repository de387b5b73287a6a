"""What a moderator looks at: campaigns and whom they wait for, players, inbox, outbox, kits. It only reads.

Nothing here tells what players may not all know: of a submission the desk learns who sent it, when, and in how many
lines what came of it, never what it says; of a message its kind and fate. What is hidden is read through
`Service.disclose`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, Select, and_, case, func, not_, or_, select

from pbem.campaign.clock import moment
from pbem.campaign.moderators import Moderator, Moderators
from pbem.campaign.people import seated
from pbem.campaign.store import Store
from pbem.campaign.tables import FAILED, SET_ASIDE
from pbem.campaign.vault import HEAD, size_of
from pbem.table.kit import Kit

PAGE = 50
PLAYER = ("person", "name", "address", "language", "timezone", "reports")
SORTS = ("needs", "deadline", "waiting", "title", "changed", "newest")
_NOT_ACCEPTED = '"accepted": false'
"""What stands in the seats of a campaign, as they are stored, where one is not taken yet."""
STATES = ("inviting", "running", "paused", "held", "finished", "archived")
OUTBOX_STATES = ("pending", "claimed", "rendered", "sent", "void", "failed")


@dataclass
class Page:
    """Some of many rows: page `number` (from 1) of `pages`, of `total` rows."""

    rows: list[Any]
    number: int
    total: int
    size: int = PAGE

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // self.size))


@dataclass
class CampaignRow:
    """A campaign in a moderator's list. `kind` is that of the open question; `failed` counts messages given up,
    `set_aside` submissions that need him."""

    campaign: str
    title: str
    game: str
    scenario: str
    state: str
    reason: str | None
    seats: dict[str, dict[str, Any]]
    waiting_for: list[str]
    waited_since: datetime | None
    kind: str | None
    deadline: datetime | None
    event: int
    changed_at: datetime
    failed: int = 0
    set_aside: int = 0
    moderators: list[str] = field(default_factory=list)

    @property
    def open_seats(self) -> int:
        """How many seats nobody has accepted yet."""
        return sum(not seating["accepted"] for seating in self.seats.values())


@dataclass
class InboxRow:
    """A submission as the desk may know it: not what it says. `outcome` counts its lines by what came of them."""

    number: int
    seat: str
    channel: str
    received_at: datetime
    state: str
    remote: str | None
    lines: int
    outcome: dict[str, int]
    size: int | None
    """Bytes of the mail; None when no mail is kept."""


def campaign_list(
    store: Store,
    moderators: Moderators,
    moderator: Moderator,
    *,
    search: str = "",
    state: str = "",
    late_at: datetime | None = None,
    trouble: bool = False,
    sort: str = "deadline",
    page: int = 1,
    size: int = PAGE,
) -> Page:
    """The campaigns of a moderator (an admin sees all), as `CampaignRow`.

    `search` is looked for in title, id and game; `state` one of `STATES`, or ``open`` for all that are not over;
    `late_at` leaves those whose deadline is past then; `trouble` those with a failed message, a submission set aside,
    or held. Sorted by ``needs`` come first those, then those that can begin, then by their deadlines.
    Raises `ValueError` for a state or an order that there is not.
    """
    if sort not in SORTS:
        raise ValueError(f"campaigns are sorted by {', '.join(SORTS)}")
    if state not in ("", "open", *STATES):
        raise ValueError(f"a state is one of open, {', '.join(STATES)}")
    t = store.tables.campaigns
    conditions: list[ColumnElement[bool]] = []
    if not moderator.admin:
        running = moderators.running
        conditions.append(t.c.campaign.in_(select(running.c.campaign).where(running.c.moderator == moderator.name)))
    if search:
        like = [c.icontains(search, autoescape=True) for c in (t.c.title, t.c.campaign, t.c.game)]
        conditions.append(or_(*like))
    conditions += _in_state(store, state)
    if late_at is not None:
        conditions.append(and_(t.c.deadline.is_not(None), t.c.deadline < late_at.isoformat(timespec="microseconds")))
    in_trouble = or_(
        t.c.state == "held",
        t.c.campaign.in_(_failed(store).with_only_columns(store.tables.outbox.c.campaign)),
        t.c.campaign.in_(_aside(store).with_only_columns(store.tables.inbox.c.campaign)),
    )
    if trouble:
        conditions.append(in_trouble)
    is_full = and_(t.c.state == "inviting", not_(t.c.seats.contains(_NOT_ACCEPTED)))
    by_deadline = (t.c.deadline.is_(None), t.c.deadline, t.c.campaign)
    order = {
        "needs": (case((in_trouble, 0), (is_full, 1), else_=2), *by_deadline),
        "deadline": by_deadline,
        "waiting": (t.c.waited_since.is_(None), t.c.waited_since, t.c.campaign),
        "title": (func.lower(t.c.title), t.c.campaign),
        "changed": (t.c.updated_at.desc(), t.c.campaign),
        "newest": (t.c.event, t.c.updated_at.desc(), t.c.campaign),
    }[sort]
    rows_page = _paged(store, select(t).where(*conditions).order_by(*order), page, size)
    rows_page.rows = [_campaign_row(row) for row in rows_page.rows]
    _add_trouble(store, moderators, rows_page.rows)
    return rows_page


def _paged(store: Store, statement: Select, page: int, size: int) -> Page:
    """One page of what a statement finds; the last one for a number beyond it."""
    with store.read() as connection:
        total = connection.execute(select(func.count()).select_from(statement.order_by(None).subquery())).scalar_one()
        number = min(max(1, page), max(1, -(-total // size)))
        rows = list(connection.execute(statement.limit(size).offset((number - 1) * size)))
    return Page(rows, number, total, size)


def _in_state(store: Store, state: str) -> list[Any]:
    column = store.tables.campaigns.c.state
    if state == "open":
        return [column.not_in(["finished", "archived"])]
    return [column == state] if state else []


def _failed(store: Store) -> Select:
    box = store.tables.outbox
    return select(box.c.campaign).where(box.c.state == FAILED)


def _aside(store: Store) -> Select:
    box = store.tables.inbox
    return select(box.c.campaign).where(box.c.state == SET_ASIDE)


def _add_trouble(store: Store, moderators: Moderators, rows: Iterable[CampaignRow]) -> None:
    by_id = {row.campaign: row for row in rows}
    box, inbox, running = store.tables.outbox, store.tables.inbox, moderators.running
    with store.read() as connection:
        for campaign, number in connection.execute(
            _failed(store).where(box.c.campaign.in_(by_id)).add_columns(func.count()).group_by(box.c.campaign)
        ):
            by_id[campaign].failed = number
        for campaign, number in connection.execute(
            _aside(store).where(inbox.c.campaign.in_(by_id)).add_columns(func.count()).group_by(inbox.c.campaign)
        ):
            by_id[campaign].set_aside = number
        for campaign, name in connection.execute(select(running).where(running.c.campaign.in_(by_id))):
            by_id[campaign].moderators.append(name)


def _campaign_row(row: Any) -> CampaignRow:
    return CampaignRow(
        row.campaign, row.title or row.campaign, row.game, row.scenario, row.state, row.reason,
        json.loads(row.seats or "{}"), json.loads(row.waiting_for or "[]"),
        moment(row.waited_since) if row.waited_since else None, row.question,
        moment(row.deadline) if row.deadline else None, row.event, moment(row.updated_at),
    )  # fmt: skip


@dataclass
class StrayRow:
    """A mail that belongs to no seat. `reason` says why it was not taken, `answered` whether its sender was told."""

    number: int
    received_at: datetime
    campaign: str | None
    sender: str
    subject: str
    reason: str
    answered: bool


def strays(store: Store, moderators: Moderators, moderator: Moderator, *, page: int = 1, size: int = PAGE) -> Page:
    """The mails that belong to no seat, newest first: an admin sees all, others those to campaigns that they run."""
    t, running = store.tables.strays, moderators.running
    wanted = select(*(column for column in t.c if column.name not in ("content", "same")))
    if not moderator.admin:
        mine = select(running.c.campaign).where(running.c.moderator == moderator.name)
        wanted = wanted.where(t.c.campaign.in_(mine))
    rows_page = _paged(store, wanted.order_by(t.c.number.desc()), page, size)
    rows_page.rows = [
        StrayRow(row.number, moment(row.received_at), row.campaign, row.sender, row.subject, row.reason,
                 bool(row.answered))
        for row in rows_page.rows
    ]  # fmt: skip
    return rows_page


# --- people -----------------------------------------------------------------------------------------------------------


@dataclass
class PersonRow:
    """A person in a moderator's list: by the name of his newest seat, with all that he plays and played.

    `seats` counts where he sits now, `sittings` all; `lapses` the deadlines that he missed, `lapsed_at` the last.
    """

    person: str
    name: str
    address: str
    language: str
    timezone: str
    since: datetime | None
    away_from: datetime | None
    away_until: datetime | None
    seats: int
    sittings: int
    lapses: int
    lapsed_at: datetime | None


@dataclass
class SittingRow:
    """A person at a seat. `sent` counts what he sent and was taken up, `lapses` the deadlines that he missed there."""

    campaign: str
    title: str
    seat: str
    name: str
    since: datetime | None
    until: datetime | None
    why: str | None
    sent: int
    lapses: int


@dataclass
class PersonView:
    """A person with his sittings in campaigns that the reader runs, newest first; `elsewhere` counts the others."""

    row: PersonRow
    sittings: list[SittingRow]
    elsewhere: int
    sent: int


def persons(
    store: Store, moderators: Moderators, moderator: Moderator, *, search: str = "", page: int = 1, size: int = PAGE
) -> Page:
    """The people who play or played in campaigns of a moderator (an admin sees all), as `PersonRow`, by name.

    `search` is looked for in names and addresses. Who was erased is left out.
    """
    p, s = store.tables.persons, store.tables.sittings
    seen = _seen_sittings(store, moderators, moderator)
    wanted = _person_rows(store).where(p.c.known_as.is_not(None), p.c.person.in_(seen.with_only_columns(s.c.person)))
    if search:
        named = select(s.c.person).where(s.c.name.icontains(search, autoescape=True))
        wanted = wanted.where(or_(p.c.address.icontains(search, autoescape=True), p.c.person.in_(named)))
    rows_page = _paged(store, wanted.order_by(func.lower(_newest_name(store)), p.c.person), page, size)
    rows_page.rows = [_person_row(row) for row in rows_page.rows]
    return rows_page


def person(store: Store, moderators: Moderators, moderator: Moderator, id: str) -> PersonView | None:
    """A person with his sittings; None for one that the moderator has nothing to do with."""
    p, s, c = store.tables.persons, store.tables.sittings, store.tables.campaigns
    inbox, lapses = store.tables.inbox, store.tables.lapses
    sent = select(func.count()).where(
        inbox.c.campaign == s.c.campaign, inbox.c.seat == s.c.seat, inbox.c.state == "done",
        inbox.c.received_at >= s.c.since, or_(s.c.until.is_(None), inbox.c.received_at < s.c.until),
    ).scalar_subquery()  # fmt: skip
    lapsed = select(func.count()).where(
        lapses.c.campaign == s.c.campaign, lapses.c.seat == s.c.seat, lapses.c.person == s.c.person,
        lapses.c.at >= s.c.since, or_(s.c.until.is_(None), lapses.c.at < s.c.until),
    ).scalar_subquery()  # fmt: skip
    his = (
        select(s, c.c.title, sent.label("sent"), lapsed.label("lapses"))
        .outerjoin(c, c.c.campaign == s.c.campaign)
        .where(s.c.person == id)
        .order_by(s.c.number.desc())
    )
    seen = _seen_sittings(store, moderators, moderator).with_only_columns(s.c.number)
    with store.read() as connection:
        row = connection.execute(_person_rows(store).where(p.c.person == id)).one_or_none()
        sittings = list(connection.execute(his))
        mine = set(connection.execute(seen.where(s.c.person == id)).scalars())
    if row is None or not mine:
        return None
    shown = [
        SittingRow(
            one.campaign, one.title or one.campaign, one.seat, one.name, _moment(one.since), _moment(one.until),
            one.why, one.sent, one.lapses,
        )
        for one in sittings if one.number in mine
    ]  # fmt: skip
    return PersonView(_person_row(row), shown, len(sittings) - len(shown), sum(one.sent for one in sittings))


def _seen_sittings(store: Store, moderators: Moderators, moderator: Moderator) -> Select:
    """The sittings in campaigns that a moderator runs."""
    s, running = store.tables.sittings, moderators.running
    if moderator.admin:
        return select(s)
    return select(s).where(
        s.c.campaign.in_(select(running.c.campaign).where(running.c.moderator == moderator.name))
    )


def _person_rows(store: Store) -> Select:
    p, s, lapses = store.tables.persons, store.tables.sittings, store.tables.lapses
    his = s.c.person == p.c.person
    return select(
        p,
        _newest_name(store).label("name"),
        select(func.count()).where(his, s.c.until.is_(None)).scalar_subquery().label("seats"),
        select(func.count()).where(his).scalar_subquery().label("sittings"),
        select(func.count()).where(lapses.c.person == p.c.person).scalar_subquery().label("lapses"),
        select(func.max(lapses.c.at)).where(lapses.c.person == p.c.person).scalar_subquery().label("lapsed_at"),
    )


def _newest_name(store: Store) -> ScalarSelect:
    """The name by which a person took his newest seat."""
    p, s = store.tables.persons, store.tables.sittings
    return select(s.c.name).where(s.c.person == p.c.person).order_by(s.c.number.desc()).limit(1).scalar_subquery()


def _person_row(row: Any) -> PersonRow:
    return PersonRow(
        row.person, row.name or "", row.address, row.language, row.timezone, _moment(row.since), _moment(row.away_from),
        _moment(row.away_until), row.seats, row.sittings, row.lapses, _moment(row.lapsed_at),
    )  # fmt: skip


def _moment(text: str | None) -> datetime | None:
    return moment(text) if text else None


# --- what lies beside one campaign ------------------------------------------------------------------------------------


def players(store: Store, campaign: str) -> dict[str, dict[str, Any]]:
    """Seat -> ``{person, name, address, language, timezone, reports}`` of whoever was invited to it."""
    return {
        player["seat"]: {name: player[name] for name in PLAYER}
        for player in seated(store, store.tables.sittings.c.campaign == campaign)
    }


@dataclass(frozen=True)
class Sitter:
    """Who sat at a seat at some moment; `until` he left it, None for who sits there now. Of a person who was forgotten
    name and address are empty."""

    seat: str
    person: str
    name: str
    address: str
    since: str
    until: str | None


class Sittings:
    """Who sat at the seats of a campaign, from the first invitation on."""

    def __init__(self, store: Store, campaign: str):
        p, s = store.tables.persons.c, store.tables.sittings.c
        wanted = (
            select(s.seat, s.person, s.name, p.address, s.since, s.until)
            .join(store.tables.persons, p.person == s.person)
            .where(s.campaign == campaign)
            .order_by(s.number)
        )
        with store.read() as connection:
            self.all = [Sitter(*row) for row in connection.execute(wanted)]

    def at(self, seat: str, when: str, *, leaving: bool = False) -> Sitter | None:
        """Who sat at a seat at a moment (as the tables write it); `leaving`: of a change at that very moment the one
        who went, to whom the last mail of his seat was written."""
        found = [one for one in self.all if one.seat == seat and one.since <= when
                 and (one.until is None or when < one.until or (leaving and when == one.until))]  # fmt: skip
        return (found[0] if leaving else found[-1]) if found else None


def inbox(store: Store, campaign: str, *, state: str = "", page: int = 1, size: int = PAGE) -> Page:
    """The submissions of a campaign, newest first, as `InboxRow`."""
    t = store.tables.inbox
    wanted = SET_ASIDE if state == "set_aside" else state
    conditions = [t.c.campaign == campaign, *([t.c.state == wanted] if state else [])]
    rows_page = _paged(store, _inbox_rows(store).where(*conditions).order_by(t.c.number.desc()), page, size)
    rows_page.rows = [_inbox_row(row) for row in rows_page.rows]
    return rows_page


def inbox_entry(store: Store, campaign: str, number: int) -> InboxRow | None:
    """One submission, or None."""
    t = store.tables.inbox
    with store.read() as connection:
        row = connection.execute(
            _inbox_rows(store).where(t.c.campaign == campaign, t.c.number == number)
        ).one_or_none()
    return None if row is None else _inbox_row(row)


def _inbox_rows(store: Store) -> Select:
    t, raws = store.tables.inbox, store.tables.raws
    stored = func.length(raws.c.content).label("stored")
    head = func.substr(raws.c.content, 1, HEAD).label("head")
    return select(t, stored, head).outerjoin(raws, raws.c.number == t.c.raw)


def _inbox_row(row: Any) -> InboxRow:
    answer = json.loads(row.answer) if row.answer else {"lines": []}
    outcome = Counter(line["state"] for line in answer["lines"])
    return InboxRow(
        row.number, row.seat, row.channel, moment(row.received_at), row.state, row.remote, len(json.loads(row.lines)),
        dict(outcome), None if row.stored is None else size_of(row.head or b"", row.stored),
    )  # fmt: skip


def outbox(
    store: Store, campaign: str, *, state: str = "", page: int = 1, size: int = PAGE
) -> Page:
    """The messages of a campaign, newest first, as rows of the table without what they say.

    Raises `ValueError` for a state that there is not.
    """
    if state not in ("", *OUTBOX_STATES):
        raise ValueError(f"a message is {', '.join(OUTBOX_STATES)}")
    t = store.tables.outbox
    conditions = [t.c.campaign == campaign, *([t.c.state == (FAILED if state == "failed" else state)] if state else [])]
    wanted = [c for c in t.c if c.name not in ("rendered", "data", "press")]
    rows_page = _paged(store, select(*wanted).where(*conditions).order_by(t.c.number.desc()), page, size)
    rows_page.rows = [dict(row._mapping) for row in rows_page.rows]
    return rows_page


def campaign_of_message(store: Store, number: int) -> str | None:
    """The campaign that a message of the outbox belongs to, or None."""
    t = store.tables.outbox
    with store.read() as connection:
        return connection.execute(select(t.c.campaign).where(t.c.number == number)).scalar()


def lines_of(store: Store, campaign: str, number: int) -> list[str]:
    """The lines of a submission, for its sender: were they the same that he sends again?"""
    t = store.tables.inbox
    with store.read() as connection:
        stored = connection.execute(select(t.c.lines).where(t.c.campaign == campaign, t.c.number == number)).scalar()
    return json.loads(stored or "[]")


def open_to_spectators(store: Store, *, state: str = "open", page: int = 1, size: int = PAGE) -> Page:
    """The ids of the campaigns of a state that everybody may look at, last news first; see `campaign_list` for
    `state`."""
    if state not in ("", "open", *STATES):
        raise ValueError(f"a state is one of open, {', '.join(STATES)}")
    t = store.tables.campaigns
    wanted = (
        select(t.c.campaign)
        .where(t.c.spectators == 1, *_in_state(store, state))
        .order_by(t.c.updated_at.desc(), t.c.campaign)
    )
    rows_page = _paged(store, wanted, page, size)
    rows_page.rows = [row.campaign for row in rows_page.rows]
    return rows_page


# --- kits -------------------------------------------------------------------------------------------------------------


def kit_differences(old: Kit, new: Kit) -> list[dict[str, Any]]:
    """What another kit would change, as ``{place, before, after}``; None where there is nothing.

    `place` reads like ``regions / india / vp1`` or ``constants / rounds``.
    """
    differences: list[dict[str, Any]] = []
    _compare(differences, (), _plain(old), _plain(new))
    return differences


def _plain(kit: Kit) -> dict[str, Any]:
    record = json.loads(kit.to_json())
    tables = {name: {id: dict(row) for id, row in rows.items()} for name, rows in kit.tables.items()}
    return {**record, "tables": tables}


def _compare(differences: list[dict[str, Any]], place: tuple[str, ...], old: Any, new: Any) -> None:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in [*old, *(n for n in new if n not in old)]:
            _compare(differences, (*place, str(name)), old.get(name), new.get(name))
    elif _listed(old) != _listed(new):
        differences.append({"place": " / ".join(place), "before": _listed(old), "after": _listed(new)})


def _listed(value: Any) -> Any:
    return [_listed(item) for item in value] if isinstance(value, list | tuple) else value


@lru_cache(maxsize=64)
def rebuilt(kit: Kit) -> list[tuple[str, str, str, Any]]:
    """`Kit.rebuilt`, remembered: a kit never changes."""
    return kit.rebuilt()
