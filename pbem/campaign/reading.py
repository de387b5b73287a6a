"""The reading room: what pages, mails, the API and the console are told of a campaign.

Nothing here waits for an order that is being carried out, and no order waits for a reader: the room folds the stream
into copies of its own, an event at a time, and takes no lock that a change of a campaign takes. What it hands out are
values that never change afterwards. Only what is asked of a seat needs the running procedure; that too is a copy, which
goes on by the stored answers and is made only when somebody wants to know.

`NoCampaign` is raised for an unknown id, `ValueError` for a seat or an event that there is not.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import func, or_, select

from pbem.campaign import meaning, people, press
from pbem.campaign.asked import asked_of
from pbem.campaign.campaign import Campaign, Event, full_facts
from pbem.campaign.forms import OrderForm, order_forms
from pbem.campaign.live import Live
from pbem.campaign.memory import NoCampaign
from pbem.campaign.queries import Glance, Queries, check_seat
from pbem.campaign.status import Known, Status, status_of
from pbem.campaign.store import Store
from pbem.campaign.submissions import Asked
from pbem.table.board import Board
from pbem.table.facts import Fact
from pbem.table.kit import Kit
from pbem.table.orders import NoDefault, Order, Refused, Unreadable
from pbem.table.procedure import ReplayDiffers
from pbem.table.questions import Question

EXAMPLES = 5
"""Legal orders of a kind that a `Menu` holds."""


@dataclass(frozen=True)
class Menu:
    """A question to a seat, and what the seat may answer: forms, and of each kind of order some that are legal."""

    asked: Asked
    forms: list[OrderForm]
    legal: dict[type[Order], list[Order]]
    silence: str = ""
    """What silence would answer; "" where it answers nothing or the seat has answered."""
    possible: list[str] = field(default_factory=list)
    """Of what its phrase tells of, the ids of what can be done now."""


@dataclass(frozen=True)
class Stand:
    """How a campaign stands for a reader after one event: what it remembers, what he may know, what he is asked."""

    glance: Glance
    status: Status
    menus: list[Menu]
    talks: bool = False
    """Whether a window for talks is open to him."""
    may_write_to: press.Whom = press.Whom()
    """Whom he may write to in it."""


class _Copy:
    """One campaign as the stream tells it, to be read only; all but `glance` under its lock."""

    def __init__(self, campaign: Campaign):
        self.lock = threading.RLock()
        self.campaign = campaign
        self.glance = Glance.of(campaign)
        self._live: Live | None = None
        self.menus: dict[tuple[str, str | None], list[Menu]] = {}
        self._since: list[tuple[list[Fact], dict[str, Any] | None, dict[str, Any]]] = []

    def catch_up(self, store: Store) -> None:
        """Fold what has been stored meanwhile."""
        for event in store.stored(self.campaign.id, self.campaign.version + 1):
            event.mutate(self.campaign)
            self._note(event)
        self.menus = {}
        self.glance = Glance.of(self.campaign)

    def _note(self, event: Event) -> None:
        """Remember what moves the procedure on, or that it is another one now."""
        change = event.change
        if self._live is None:
            return
        if change.get("rest") is not None or "back" in change or "status" in change:
            self._live, self._since = None, []
        elif "fed" in change or "sealed" in change:
            self._since.append((full_facts(event), change.get("fed"), change.get("sealed", {})))

    def live(self, make: Callable[[Campaign], Live]) -> Live:
        """The campaign with its procedure, as far as the stream has been folded."""
        since, self._since = self._since, []
        if self._live is not None and since:
            self._live = self._followed(self._live, since)
        if self._live is None:
            self._live = make(self.campaign)
        return self._live

    @staticmethod
    def _followed(live: Live, since: list[tuple[list[Fact], dict[str, Any] | None, dict[str, Any]]]) -> Live | None:
        if live.play is None:
            return None
        try:
            for facts, fed, sealed in since:
                live.play.follow(facts, fed, sealed)
        except ReplayDiffers:
            return None  # it is told where the campaign is held for it
        return live


class Reading:
    """The room of one process. Its methods have the names of `Service`'s."""

    def __init__(self, store: Store, kit: Callable[[str], Kit], kept: int):
        """`kit` finds a stored kit by its hash; `kept` is how many campaigns stay in memory."""
        self.store, self.queries = store, Queries(store)
        self.kit, self._kept = kit, kept
        self._copies: OrderedDict[str, _Copy] = OrderedDict()
        self._guard = threading.Lock()

    def close(self) -> None:
        """Forget everything."""
        with self._guard:
            self._copies.clear()

    # campaigns

    def glance(self, campaign: str) -> Glance:
        """The campaign as it is stored now."""
        return self._copy(campaign).glance

    def _copy(self, campaign: str) -> _Copy:
        """The copy of a campaign, brought up to what is stored now."""
        last = self.store.last_event(campaign)
        with self._guard:
            copy = self._copies.get(campaign)
            if copy is not None:
                self._copies.move_to_end(campaign)
        if copy is None:
            loaded = self.store.load(campaign)
            if loaded is None:
                raise NoCampaign(f"there is no campaign {campaign}")
            with self._guard:
                copy = self._copies.setdefault(campaign, _Copy(loaded))
                self._copies.move_to_end(campaign)
                if len(self._copies) > self._kept:
                    self._copies.popitem(last=False)
        if copy.glance.version < last:
            with self._dropped_if_broken(campaign, copy):
                if copy.glance.version < last:
                    copy.catch_up(self.store)
        return copy

    @contextmanager
    def _dropped_if_broken(self, campaign: str, copy: _Copy) -> Iterator[None]:
        """The copy alone; after any exception it is not used again."""
        with copy.lock:
            try:
                yield
            except (Refused, Unreadable):
                raise
            except BaseException:
                with self._guard:
                    if self._copies.get(campaign) is copy:
                        del self._copies[campaign]
                raise

    def _make(self, campaign: Campaign) -> Live:
        return Live(campaign, self.kit(campaign.kit))

    @contextmanager
    def _procedure(self, campaign: str) -> Iterator[Live]:
        """A campaign with a procedure that stands where the campaign does; nothing may be written on it."""
        copy = self._copy(campaign)
        with self._dropped_if_broken(campaign, copy):
            yield copy.live(self._make)

    @contextmanager
    def aside(self, campaign: str) -> Iterator[Live]:
        """A campaign with its procedure, to be tried on as long as the game does not go on."""
        with self._procedure(campaign) as live:
            yield live.aside()

    def campaigns(self, only: Collection[str] | None = None) -> list[dict[str, Any]]:
        """The rows of the read model ``campaigns``, or some of them, newest news first; JSON columns are parsed."""
        t = self.store.tables.campaigns
        wanted = select(t).order_by(t.c.updated_at.desc(), t.c.campaign)
        with self.store.read() as connection:
            rows = connection.execute(wanted if only is None else wanted.where(t.c.campaign.in_(list(only)))).all()
        return [
            {
                **row._mapping,
                "seats": json.loads(row.seats or "{}"),
                "waiting_for": json.loads(row.waiting_for or "[]"),
                "waiting_seats": json.loads(row.waiting_seats or "[]"),
            }
            for row in rows
        ]

    def visible(self, own: Collection[str], page: int, size: int) -> tuple[list[dict[str, Any]], int]:
        """A page (from 1) of the campaigns that let spectators in and of a reader's own, newest news first, as
        `campaigns` has them; and how many there are on all pages. What others may not see counts nowhere."""
        t = self.store.tables.campaigns
        may_see = or_(t.c.spectators == 1, t.c.campaign.in_(list(own)))
        ids = select(t.c.campaign).where(may_see).order_by(t.c.updated_at.desc(), t.c.campaign)
        with self.store.read() as connection:
            total = connection.execute(select(func.count()).select_from(t).where(may_see)).scalar_one()
            ids_shown = list(connection.execute(ids.limit(size).offset((page - 1) * size)).scalars())
        return self.campaigns(ids_shown), total

    def status(self, campaign: str, seat: str | None = None) -> Status:
        """How a campaign stands, as everybody may know it; a seat knows besides which of its own powers have answered:
        the game waits no more for these."""
        return status_of(self.glance(campaign), seat)

    def statuses(self, wanted: Sequence[str]) -> list[Status]:
        """How some campaigns stand, as everybody may know it, in their order; all out of their rows, however many."""
        t = self.store.tables.campaigns
        with self.store.read() as connection:
            rows = connection.execute(select(t).where(t.c.campaign.in_(wanted))).all()
        known = {row.campaign: status_of(Known.of_row(row)) for row in rows}
        return [known[campaign] for campaign in wanted if campaign in known]

    def stand(self, campaign: str, seat: str | None, language: str | None = None) -> Stand:
        """How a campaign stands and what a seat is asked, all after the same event; the forms of the answers are there
        where a language for them is named."""
        copy = self._copy(campaign)
        with self._dropped_if_broken(campaign, copy):
            check_seat(copy.glance, seat)
            status = status_of(copy.glance, seat)
            menus = self._menus(copy, seat, language) if seat else []
            if seat is None or not menus or not copy.campaign.window:
                return Stand(copy.glance, status, menus)
            return Stand(copy.glance, status, menus, True, press.may_write_to(copy.live(self._make), seat))

    def _menus(self, copy: _Copy, seat: str, language: str | None) -> list[Menu]:
        """What is asked of a seat, under the copy's lock; made once after each event, however many look at it."""
        if (seat, language) not in copy.menus:
            copy.menus[seat, language] = _menus(copy.live(self._make), seat, language)
        return copy.menus[seat, language]

    def kit_of(self, campaign: str) -> Kit:
        """The kit that a campaign is played with."""
        return self.kit(self.glance(campaign).kit)

    # what has happened

    def view_at(self, campaign: str, seat: str | None = None, event: int | None = None) -> Board:
        """The board as a seat (None: everybody) sees it, now or after an event; a copy of the caller's own."""
        return self.queries.view(self.glance(campaign), seat, event)

    def events(
        self, campaign: str, reader: str | None = None, start: int = 1, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """The events as a seat (None: everybody) may read them, or the referee; see
        `pbem.campaign.queries.read_event` for their form."""
        return self.queries.events(self.glance(campaign), reader, start, stop)

    def audit(self, campaign: str, roll: int, tree: int = 0, reader: str | None = None) -> dict[str, Any]:
        """All about one random event as a reader may know it; see `pbem.campaign.queries.Queries.audit`.

        Raises `ValueError` for a seat that there is not.
        """
        glanced = self.glance(campaign)
        check_seat(glanced, reader)
        return self.queries.audit(glanced, reader, roll, tree)

    def export(self, campaign: str, reader: str | None, file: Path) -> str:
        """Write a bundle of what a seat (None: everybody; after the end that is all) may see; returns its digest.

        Raises `ValueError` for a seat that there is not.
        """
        glanced = self.glance(campaign)
        check_seat(glanced, reader)
        return self.queries.export(glanced, reader, file)

    # a seat

    def asked(self, campaign: str, seat: str) -> list[Asked]:
        """What is asked of a seat now, with the forms of lines, some legal lines, and a template."""
        with self._procedure(campaign) as live:
            check_seat(live.campaign, seat)
            return asked_of(live, seat)

    def menus(self, campaign: str, seat: str, language: str = "en") -> list[Menu]:
        """What is asked of a seat now, each question with the forms of its legal answers, in a language.

        This is all that a page or a program gets of the table: choices that the seat may make, worked out from it.
        They are made once after each event, however many look at them; nobody is to change them.
        """
        copy = self._copy(campaign)
        check_seat(copy.glance, seat)
        with self._dropped_if_broken(campaign, copy):
            return self._menus(copy, seat, language)

    def answers(self, campaign: str, seat: str) -> dict[str, dict[str, type[Order]]]:
        """The kinds of order that may answer what is open to a seat: key of the question -> id -> kind."""
        with self._procedure(campaign) as live:
            check_seat(live.campaign, seat)
            return {q.key: {kind.id(): kind for kind in q.orders} for q in _questions(live, seat)}

    def spoken(self, campaign: str) -> Kit:
        """The kit of a campaign with the names that its players use."""
        with self._procedure(campaign) as live:
            return meaning.spoken(live, people.names_of(self.store, campaign))

    def standing(self, campaign: str, seat: str) -> list[dict[str, Any]]:
        """The standing orders of a seat: ``{number, kind, conditions, line, text}``."""
        glanced = self.glance(campaign)
        check_seat(glanced, seat)
        return list(glanced.standing.get(seat, []))

    def queued(self, campaign: str, seat: str) -> list[str]:
        """The queued orders of a seat."""
        glanced = self.glance(campaign)
        check_seat(glanced, seat)
        return list(glanced.queue.get(seat, []))

    def may_write_to(self, campaign: str, seat: str) -> press.Whom:
        """Whom a seat may write to now."""
        with self._procedure(campaign) as live:
            return press.may_write_to(live, seat)

    def press(self, campaign: str, seat: str, after: int = 0) -> list[dict[str, Any]]:
        """The press that a seat sent or got after an event, in order: ``{sender, from, to, text, sent_at, event,
        shown}``. Of what was written before its player had it, only what went to all: the rest was between others."""
        t = self.store.tables.press
        wanted = select(t).where(t.c.campaign == campaign, t.c.event > after).order_by(t.c.event)
        with self.store.read() as connection:
            rows = connection.execute(wanted).all()
        messages = []
        has_sat, seats = people.has_sat(self.store, campaign, seat), set(self.glance(campaign).seats)
        for row in rows:
            whom = json.loads(row.recipients)
            is_his = has_sat(row.sent_at) or {row.sender, *whom["seats"]} >= seats
            if is_his and (seat == row.sender or seat in whom["seats"]):
                messages.append(
                    {
                        "sender": row.sender,
                        "from": whom["from"],
                        "to": whom["powers"],
                        "text": row.text,
                        "shown": whom.get("shown"),
                        "sent_at": row.sent_at,
                        "event": row.event,
                    }
                )
        return messages


def _questions(live: Live, seat: str) -> list[Question]:
    powers = live.campaign.powers_of(seat)
    return [question for question in live.play.questions() if question.power in powers] if live.play else []


def _menus(live: Live, seat: str, language: str | None) -> list[Menu]:
    asked = {one.key: one for one in asked_of(live, seat)}
    made = []
    for question in _questions(live, seat):
        if question.key not in asked:
            continue
        assert live.play is not None
        table = live.play.table
        possible = question.possible_now(table)
        forms = order_forms(table, question, language) if language is not None else []
        offered = {form.kind for form in forms}
        legal = {
            kind: list(itertools.islice(kind.legal(table, question), EXAMPLES))
            for kind in question.orders if kind.id() in offered
        }  # fmt: skip
        made.append(Menu(asked[question.key], forms, legal, _silence(live, question, asked), possible))
    return made


def _silence(live: Live, question: Question, asked: Mapping[str, Asked]) -> str:
    """See `Menu.silence`."""
    if question.key not in asked or asked[question.key].answered or live.campaign.window:
        return ""
    assert live.play is not None
    try:
        return question.default_answer(live.play.table).text()
    except NoDefault:
        return ""


__all__ = ["Glance", "Menu", "NoCampaign", "Reading", "Stand", "Status"]
