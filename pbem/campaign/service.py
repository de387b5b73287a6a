"""The service: everything that can be done with campaigns, for the mail room, the pages, the clock and the commands.

Every method that changes a campaign does so in one transaction and is safe in several threads and processes at once.
`NoCampaign` is raised for an unknown id, `NotNow` when the state of the campaign does not allow it, `ValueError` (of
which `RulingRefused` is one) for values that cannot be. Times are aware, in UTC, from the clock that was handed in.

How a save works: one lock for each campaign and process; the campaign, its table and its running procedure stay in
memory after a good save and are dropped after any exception. Of those that were not used for long only the state stays,
packed. When another process was faster, the save fails with an integrity error: the memory is dropped, the campaign
loaded again, and the act repeated on what it is now.
"""

from __future__ import annotations

import json
import logging
import os
import random
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import sqlalchemy
from sqlalchemy import bindparam, delete, insert, literal_column, or_, select, update

from pbem import games
from pbem.campaign import deadlines, erasure, guard, kept, ledger, life, live, notices, rulings, taking
from pbem.campaign.campaign import pack, unpack
from pbem.campaign.clock import Clock, SystemClock, moment, stamp
from pbem.campaign.group import GroupCommit
from pbem.campaign.live import HELD, Live, RulingRefused
from pbem.campaign.reading import NoCampaign, Reading, Status
from pbem.campaign.readmodels import Projection
from pbem.campaign.settings import Settings
from pbem.campaign.store import Save, Store, is_conflict, is_store_fault
from pbem.campaign.submissions import Answer, Asked, LineResult, Submission, UnknownSender
from pbem.campaign.tables import NEW
from pbem.campaign.taking import Received
from pbem.campaign.vault import SecretLost, token_hash, without_tokens
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.facts import BadFact, Fact, apply_all
from pbem.table.kit import Kit, load_kit
from pbem.table.procedure import ReplayDiffers

log = logging.getLogger("pbem.campaign")

ATTEMPTS = 12
"""How often an act is repeated when other processes are faster."""

ATTEMPTS_AWAY = 3
"""How often it is repeated at once when the store was away; then the clock tries again."""

OUT = "out"
"""The way out for mail. Its heartbeats say that nothing which was due is left unsent."""

ROWS_AT_ONCE = 20
CLOCKS_APART = timedelta(minutes=1)
"""As far may the clocks of two machines be apart."""

TOLD_AFTER = timedelta(hours=1)
"""How long a deadline waits for a way in that is down before moderators are told; then once a day."""
_CAMPAIGN_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?")
_PACKED_KEPT = 50_000  # of some 5 KB each
_T = TypeVar("_T")


class NotNow(RuntimeError):
    """The campaign is not in a state that allows this; says what it is in."""


class Service:
    """See the module's text.

    Where mail is polled, a deadline expires only when all mail received up to it has been fetched. The store knows
    that from the poller's heartbeats, in every process; `polled(moment)` takes the place of it.
    `new_secret` gives the secrets of the dice: by chance, but for games that are to be played the same way again
    (random play), where nobody is to be kept from knowing them.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock | None = None,
        *,
        polled: Callable[[datetime], bool] | None = None,
        new_secret: Callable[[], bytes] = lambda: os.urandom(32),
    ):
        self.settings = settings
        self.clock: Clock = clock or SystemClock()
        self.polled = polled
        self._new_secret = new_secret
        self.store = Store(settings)
        self.vault = self.store.vault
        self.projection = Projection(self.store, settings.domain)
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._packed: OrderedDict[str, bytes] = OrderedDict()
        self._snapshots: dict[str, int] = {}
        self._locks: WeakValueDictionary[str, threading.RLock] = WeakValueDictionary()
        self._guard = threading.Lock()
        self._numbers: dict[str, int] = {}
        self._worked_off: dict[str, int] = {}
        self._kits: dict[str, Kit] = {}
        self.reading = Reading(self.store, self._kit, settings.play_campaigns_in_memory)
        self._news: list[Callable[[], None]] = []
        self._inbox = GroupCommit(self._write_received)
        self._prepare()

    def _prepare(self) -> None:
        t = self.store.tables
        self._next_number = (
            update(t.inbox_counters)
            .where(t.inbox_counters.c.campaign == bindparam("of"))
            .values(last=t.inbox_counters.c.last + 1)
            .returning(t.inbox_counters.c.last)
        )
        waits = select(t.inbox.c.number).where(t.inbox.c.campaign == bindparam("of"), t.inbox.c.state == NEW).exists()
        counters = t.inbox_counters
        self._inbox_state = select(counters.c.last, waits).where(counters.c.campaign == bindparam("of"))
        self._new_rows = (
            select(
                t.inbox.c.campaign,
                t.inbox.c.number,
                t.inbox.c.seat,
                t.inbox.c.generation,
                t.inbox.c.channel,
                t.inbox.c.received_at,
                t.inbox.c.lines,
            )
            .where(t.inbox.c.campaign == bindparam("of"), t.inbox.c.state == NEW)
            .order_by(t.inbox.c.number)
            .limit(literal_column(str(ROWS_AT_ONCE)))
        )
        self._finish_row = (
            update(t.inbox)
            .where(t.inbox.c.campaign == bindparam("of"), t.inbox.c.number == bindparam("nr"))
            .values(state=bindparam("as_state"), answer=bindparam("as_answer"))
        )
        self._cut_row = (
            update(t.inbox)
            .where(t.inbox.c.campaign == bindparam("of"), t.inbox.c.number == bindparam("nr"))
            .values(lines=bindparam("as_lines"))
        )
        self._insert_row = insert(t.inbox)
        self._insert_raw = insert(t.raws).returning(t.raws.c.number)
        self._count_row = (
            update(t.inbox_counters).where(t.inbox_counters.c.campaign == bindparam("of")).values(last=bindparam("nr"))
        )
        self._intend = insert(t.outbox)

    def close(self) -> None:
        """Close the inbox and the store."""
        self._inbox.close()
        with self._guard:
            self._live.clear()
            self._packed.clear()
        self.reading.close()
        self.store.close()

    # --- life

    def create(
        self,
        game: str,
        seats: int,
        *,
        campaign: str | None = None,
        title: str | None = None,
        scenario: str | None = None,
        options: Mapping[str, Any] | None = None,
        policy: Mapping[str, Any] | None = None,
        kit: Kit | None = None,
    ) -> str:
        """A new campaign with seats ``seat1`` to ``seatN``; returns its id. Its first event commits to the dice.

        `scenario` is the kit's first by default; `options` are checked by the kit, `policy` by
        `pbem.campaign.deadlines.check_policy` and `one_switch`; the id, if given, is made of small letters, digits and
        hyphens.
        """
        room = games.find_game(game)
        kit = kit or load_kit(game)
        scenario = scenario or next(iter(kit.scenarios))
        if scenario not in kit.scenarios:
            raise ValueError(f"there is no scenario {scenario!r}; there are {', '.join(kit.scenarios)}")
        least, most = kit.seats["minimum"], kit.seats["maximum"]
        if not least <= seats <= most:
            raise ValueError(f"{kit.name} is for {least} to {most} seats, not {seats}")
        options, policy = deadlines.one_switch(kit, options or {}, policy or {})
        chosen = kit.settings(options)
        room.seats(kit, scenario, seats, chosen)
        campaign = campaign or f"{game.replace('_', '-')[:20]}-{os.urandom(3).hex()}"
        if not _CAMPAIGN_ID.fullmatch(campaign):
            raise ValueError("an id of a campaign is made of 1 to 30 small letters, digits and hyphens")
        if not (title or "").isprintable():
            raise ValueError("a title is one line of text")
        guard.check(self.store, title or "")
        made = live.create(
            self.store,
            self.vault,
            kit,
            self.clock.now(),
            campaign=campaign,
            title=title or kit.name,
            scenario=scenario,
            options=chosen,
            policy=deadlines.check_policy(policy),
            seats=[f"seat{n + 1}" for n in range(seats)],
            secret=self._new_secret(),
        )
        made.beside.append(insert(self.store.tables.inbox_counters).values(campaign=campaign, last=0))
        self._keep_kit(kit)
        with self._lock(campaign):
            try:
                self._save(made)
            except Exception as error:
                if is_conflict(error) and not is_store_fault(error):
                    raise ValueError(f"there is a campaign {campaign} already") from error
                raise
            self._remember(made)
        return campaign

    def invite(
        self, campaign: str, seat: str, name: str, address: str, *, language: str = "en", timezone: str = "UTC",
        instead: bool = False,
    ) -> str:  # fmt: skip
        """Give a seat to a person, who is still to accept; returns the seat's token. The invitation goes to the outbox.

        While somebody else's invitation to the seat is open, `NotNow` is raised, unless `instead`: then it takes its
        place, and who lost it is told. The same address can be invited again. The token of the one before is void.
        """

        def act(found: Live) -> str:
            self._seat(found, seat)
            if found.campaign.seats[seat]["accepted"]:
                raise NotNow(f"{seat} is taken; replace its player instead")
            before = self.player(campaign, seat)
            is_open = before is not None and before["address"] and not found.campaign.seats[seat].get("declined")
            if before and is_open and not instead and before["address"].casefold() != address.strip().casefold():
                raise NotNow(f"{seat} is offered to {before['name']}, who has not answered; invite instead of him")
            generation = found.campaign.seats[seat]["generation"] + 1
            seats = life._with_seat(found, seat, generation=generation, declined=False)
            change = {"seats": seats, "seat": seat, **life.without_plans(found, seat)}
            found.write("invited", self.clock.now(), public={"seat": seat}, change=change)
            return self._new_player(found, seat, generation, name, address, language, timezone)

        return self._act(campaign, act, "inviting")

    def _new_player(
        self, found: Live, seat: str, generation: int, name: str, address: str, language: str, timezone: str,
        reason: str = "",
    ) -> str:  # fmt: skip
        guard.check(self.store, name, found.campaign.id)
        t = self.store.tables
        id = found.campaign.id
        token = _new_token()
        before, now = self.player(id, seat), self.clock.now()
        if before and before["address"] and before["address"].casefold() != address.strip().casefold():
            row = notices.farewell(self.settings.domain, now, id, seat, generation - 1, before, reason)
            found.beside.append(insert(t.outbox).values(row))
        found.beside += [
            delete(t.players).where(t.players.c.campaign == id, t.players.c.seat == seat),
            insert(t.players).values(
                campaign=id,
                seat=seat,
                name=name,
                address=address,
                language=language,
                timezone=timezone,
                reports="every",
                hour=18,
                webhook=None,
            ),
            update(t.tokens).where(t.tokens.c.campaign == id, t.tokens.c.seat == seat).values(active=0),
            insert(t.tokens).values(
                hash=token_hash(token),
                campaign=id,
                seat=seat,
                generation=generation,
                sealed=self.vault.seal(token.encode()),
                created_at=stamp(now),
                active=1,
            ),
        ]
        return token

    def accept(self, campaign: str, seat: str) -> None:
        """The invited player takes the seat (by link; by mail he sends ACCEPT INVITATION)."""
        self._act(campaign, lambda found: life.join(found, self._seat(found, seat), self.clock.now()))

    def decline(self, campaign: str, seat: str) -> None:
        """The invited player leaves the seat."""
        self._act(campaign, lambda found: life.decline(found, self._seat(found, seat), self.clock.now()), "inviting")

    def assign(self, campaign: str, chosen: Mapping[str, str] | None = None) -> dict[str, list[str]]:
        """Give every seat its powers: as `chosen` (seat -> power), or drawn by a provable draw. Returns seat ->
        powers."""

        def act(found: Live) -> dict[str, list[str]]:
            life.assign(found, chosen, self.clock.now())
            return {seat: held["powers"] for seat, held in found.campaign.seats.items()}

        return self._act(campaign, act, "inviting")

    def start(self, campaign: str) -> None:
        """Begin: all seats must have accepted; powers that were not assigned are drawn."""

        def act(found: Live) -> None:
            open_seats = [seat for seat, held in found.campaign.seats.items() if not held["accepted"]]
            if open_seats:
                raise NotNow(f"not all have accepted yet: {', '.join(open_seats)}")
            if not all(held["powers"] for held in found.campaign.seats.values()):
                life.assign(found, None, self.clock.now())
            found.start(self.clock.now())
            taking.settle(found, self.clock.now(), self.settings.play_automatic_limit)

        self._act(campaign, act, "inviting")

    def pause(self, campaign: str, reason: str) -> None:
        """Stop the clock with its remaining time; no orders are taken till `resume`."""
        self._act(campaign, lambda found: deadlines.pause(found, self.clock.now(), reason), "running")

    def resume(self, campaign: str, reason: str = "") -> None:
        """Let a paused campaign run on; one that was held too, if its rules now give what they gave before."""

        def act(found: Live) -> None:
            if found.differs:
                raise NotNow(f"{HELD} still; rewind, or end the step by a ruling")
            deadlines.resume(found, self.clock.now(), reason)

        self._act(campaign, act, "paused", "held")

    def extend(self, campaign: str, hours: int, reason: str) -> datetime:
        """Move the deadline of the open question by some hours (a question without one gets it anew, from now)."""

        def act(found: Live) -> datetime:
            now = self.clock.now()
            if found.campaign.kind is None:
                raise NotNow("nothing is asked now")
            until = (moment(found.campaign.deadline) if found.campaign.deadline else now) + timedelta(hours=hours)
            if until <= now:
                raise ValueError("that would be in the past")
            deadlines.extend(found, now, until, reason)
            return until

        return self._act(campaign, act, "running")

    def replace(
        self,
        campaign: str,
        seat: str,
        name: str,
        address: str,
        reason: str = "",
        *,
        language: str = "en",
        timezone: str = "UTC",
    ) -> str:
        """Give a seat to another person; returns the new token. The old one is void, standing and queued orders are
        gone.

        A campaign that was paused because this seat was late goes on. Both are told: who had the seat that it is no
        longer his, who has it now all that he needs to play on, or how to decline; before the campaign has begun he is
        invited, as everybody was.
        """

        def act(found: Live) -> str:
            self._seat(found, seat)
            now = self.clock.now()
            late = deadlines.waiting_seats(found.campaign)
            generation = life.replace(found, seat, reason, now)
            token = self._new_player(found, seat, generation, name, address, language, timezone, reason)
            if found.campaign.status == "paused" and seat in late and found.play is not None:
                deadlines.resume(found, now, f"{seat} has a new player")
            return token

        return self._act(campaign, act, "running", "paused", "held", "inviting")

    def rule(self, campaign: str, facts: Sequence[Fact], reason: str, *, ends_step: bool = False) -> int:
        """Change the board by facts; returns the number of the last event. Raises `RulingRefused`, `ValueError`.

        The facts may leave out what `pbem.campaign.rulings` reads off the board. They are first tried on a copy: the
        game must be able to go on from there and its invariants must hold. `ends_step` gives the open step up: the
        board after the facts is a point of rest (the way out for a held campaign).
        """

        def act(found: Live) -> int:
            whole = self._ruling(found, facts, ends_step)
            if ends_step:
                found.end_step(whole, reason, self.clock.now())
            else:
                found.rule(whole, reason, self.clock.now())
            return found.campaign.version

        return self._act(campaign, act, "running", "paused", "held")

    def try_ruling(self, campaign: str, facts: Sequence[Fact], reason: str, *, ends_step: bool = False) -> Board:
        """Try a ruling on a copy; returns the board as everybody would see it after. Raises as `rule` does.

        Where the facts touch what is hidden, the try may tell something of it, so it is put on record as `disclose` is.
        """
        with self._reading(campaign) as found:
            if found.campaign.status not in ("running", "paused", "held"):
                raise NotNow(f"the campaign is {found.campaign.status}, not running, paused or held")
            rulings.check_facts(facts)
            hidden = rulings.touches_hidden(found.campaign.board_now(), facts)
        if hidden:
            self._act(
                campaign,
                lambda live: live.write(
                    "asked_referee", self.clock.now(), public={"ruling": len(facts), "reason": reason}
                ),
            )
        with self._reading(campaign) as found:
            whole = self._ruling(found, facts, ends_step)
            if ends_step:
                found.try_ending(whole)
            else:
                found.try_ruling(whole)
            return sight.view(apply_all(found.campaign.board_now(), whole), sight.PUBLIC)

    def _ruling(self, found: Live, facts: Sequence[Fact], ends_step: bool) -> list[Fact]:
        if found.play is None and not ends_step:
            raise NotNow("the campaign is held; rewind, or end the step by the ruling")
        try:
            return rulings.completed(found.campaign.board_now(), rulings.check_facts(facts))
        except BadFact as error:
            raise RulingRefused(f"this does not fit the board: {error}") from error

    def rewind(self, campaign: str, event: int | None, reason: str) -> int:
        """Go back to the board and question after an event (None: the start of the open step). Nothing is erased.

        Dice go on where they are, queued orders are dropped, no standing order answers the reopened question, which
        gets a new deadline; all are told. Returns the event's number. Raises `ValueError` for an event that cannot be
        gone back to.
        """

        def act(found: Live) -> int:
            now = self.clock.now()
            if event is None:
                return found.rewind_step(reason, now)
            if not 1 <= event < found.campaign.version:
                raise ValueError(f"there is no event {event} before the last, {found.campaign.version}")
            old = self.store.load(campaign, event)
            assert old is not None
            try:
                return found.rewind(old, reason, now)
            except ReplayDiffers as error:
                raise ValueError(
                    f"the rules have changed since the step of event {event}; choose the last event before that step"
                ) from error

        return self._act(campaign, act, "running", "paused", "held")

    def correct_kit(self, campaign: str, kit: Kit, reason: str) -> bool:
        """Go on under a corrected kit: at once at a point of rest (True), else at the next one (False)."""
        self._keep_kit(kit)

        def act(found: Live) -> bool:
            if kit.game != found.campaign.game:
                raise ValueError(f"that is a kit of {kit.game}")
            now = self.clock.now()
            if found.play is not None and found.may_change_kit():
                found.change_kit(kit, reason, now)
                taking.settle(found, now, self.settings.play_automatic_limit)
                return True
            found.write(
                "settings", now, public={"kit_to_come": kit.hash, "reason": reason}, change={"pending_kit": kit.hash}
            )
            return False

        return self._act(campaign, act, "running", "paused")

    def renew_dice(self, campaign: str, reason: str) -> None:
        """Go on with a new secret when the old one cannot be opened any more (`SecretLost`); all are shown that."""
        self._act(
            campaign,
            lambda found: found.renew_dice(self._new_secret(), reason, self.clock.now()),
            "inviting",
            "running",
            "paused",
            "held",
        )

    def finish(self, campaign: str, reason: str) -> None:
        """End a campaign before its time: the dice secret and all that was hidden is opened."""
        self._act(
            campaign, lambda found: found.finish(self.clock.now(), reason), "inviting", "running", "paused", "held"
        )

    def archive(self, campaign: str) -> None:
        """Put a finished campaign away."""
        self._act(
            campaign, lambda found: found.write("archived", self.clock.now(), change={"status": "archived"}), "finished"
        )

    # --- the one door

    def seat_of(self, campaign: str, token: str) -> str | None:
        """The seat that a token speaks for, or None."""
        found = self._token(campaign, token)
        return None if found is None else found[0]

    def token_of(self, campaign: str, seat: str) -> str | None:
        """The token of a seat, for Reply-To and links; None for a seat that nobody was invited to."""
        t = self.store.tables.tokens
        with self.store.read() as connection:
            sealed = connection.execute(
                select(t.c.sealed).where(t.c.campaign == campaign, t.c.seat == seat, t.c.active == 1)
            ).scalar()
        return None if sealed is None else self.vault.open(sealed).decode()

    def sign_outs(self, campaign: str, seat: str) -> int:
        """How often a seat was signed out of its pages; a session that began before the last time is over."""
        t = self.store.tables.sign_outs
        with self.store.read() as connection:
            number = connection.execute(
                select(t.c.number).where(t.c.campaign == campaign.casefold(), t.c.seat == seat)
            ).scalar()
        return number or 0

    def sign_out(self, campaign: str, seat: str) -> None:
        """End the sessions of a seat's pages. Its link and its token stay."""
        t = self.store.tables.sign_outs
        mine = (t.c.campaign == campaign.casefold(), t.c.seat == seat)
        with self.store.write() as connection:
            if not connection.execute(update(t).where(*mine).values(number=t.c.number + 1)).rowcount:
                connection.execute(insert(t).values(campaign=campaign.casefold(), seat=seat, number=1))

    def player(self, campaign: str, seat: str) -> dict[str, Any] | None:
        """Who sits at a seat: ``{name, address, language, timezone, reports, hour, webhook}``."""
        t = self.store.tables.players
        with self.store.read() as connection:
            row = connection.execute(select(t).where(t.c.campaign == campaign, t.c.seat == seat)).one_or_none()
        if row is None:
            return None
        return {name: value for name, value in row._mapping.items() if name not in ("campaign", "seat")}

    def erase_player(self, campaign: str, seat: str) -> None:
        """Forget a person; see `pbem.campaign.erasure`. The chain still verifies."""
        erasure.erase_player(self.store, campaign, seat)

    def receive(self, submission: Submission) -> int:
        """Store a submission durably; returns its number in the campaign's inbox, the old one for a repeated mail.

        Raises `UnknownSender` for an unknown campaign, token or seat; nothing is stored then.
        """
        seat, generation = self._sender(submission)
        row = self._row(submission, seat, generation, 0) | {"state": "new", "answer": None}
        received = _Received(row, submission.raw)
        try:
            self._inbox.submit(received)
        except self.store.integrity_error:
            with self.store.read() as connection:
                t = self.store.tables.inbox
                same = connection.execute(
                    select(t.c.number).where(t.c.campaign == submission.campaign, t.c.identity == row["identity"])
                ).scalar()
            if row["identity"] is None or same is None:
                raise
            return same
        return received.row["number"]

    def _write_received(self, group: Sequence[_Received]) -> None:
        """Put submissions into their inboxes in one transaction, and their numbers into their rows."""
        run = self.store.run
        ordered = sorted(group, key=lambda one: one.row["campaign"])  # as every process locks the counters
        with self.store.change() as cursor:
            for one in ordered:
                row, raw = one.row, None
                run(cursor, "next_number", self._next_number, {"of": row["campaign"]})
                ((row["number"],),) = cursor.fetchall()
                if one.raw is not None:
                    content = {"received_at": row["received_at"], "content": self.vault.lay_by(one.raw)}
                    run(cursor, "insert_raw", self._insert_raw, content)
                    ((raw,),) = cursor.fetchall()
                run(cursor, "insert_row", self._insert_row, row | {"raw": raw})
        self._numbers.update((one.row["campaign"], one.row["number"]) for one in ordered)

    def _row(self, submission: Submission, seat: str, generation: int, number: int) -> dict[str, Any]:
        lines = submission.lines
        if guard.may_hold_secret("".join(lines)):
            lines = guard.without_secrets(lines, guard.live_tokens(self.store, submission.campaign.casefold()))
        return {
            "campaign": submission.campaign, "number": number, "seat": seat, "generation": generation,
            "channel": submission.channel, "received_at": stamp(submission.received_at),
            "identity": submission.identity(seat), "message_id": submission.message_id, "remote": submission.remote,
            "lines": json.dumps([_plain(line) for line in lines]),
        }  # fmt: skip

    def _sender(self, submission: Submission) -> tuple[str, int]:
        if submission.token is not None:
            found = self._token(submission.campaign, submission.token)
            if found is None:
                raise UnknownSender("there is no such campaign or seat")
            return found
        if submission.seat is None:
            raise UnknownSender("there is no such campaign or seat")
        try:
            with self._reading(submission.campaign) as found:
                held = found.campaign.seats.get(submission.seat)
        except NoCampaign:
            held = None
        if held is None:
            raise UnknownSender("there is no such campaign or seat")
        return submission.seat, held["generation"]

    def _token(self, campaign: str, token: str) -> tuple[str, int] | None:
        """Seat and generation. Always asked of the store: another process may have given the seat away."""
        t = self.store.tables.tokens
        with self.store.read() as connection:
            row = connection.execute(
                select(t.c.campaign, t.c.seat, t.c.generation).where(t.c.hash == token_hash(token), t.c.active == 1)
            ).one_or_none()
        return None if row is None or row.campaign != campaign.casefold() else (row.seat, row.generation)

    def take_up(self, campaign: str, most: int | None = None) -> int:
        """Work the inbox of a campaign off, each submission in one transaction; returns how many were taken up.

        What was received after an open deadline waits until that deadline has been dealt with.
        """
        return len(self._take_up(campaign, most))

    def _take_up(self, campaign: str, most: int | None = None) -> list[Answer]:
        answers: list[Answer] = []
        with self._lock(campaign):
            while most is None or len(answers) < most:
                rows = self._waiting_rows(campaign)
                before, put_off = len(answers), False
                for row in rows[: None if most is None else most - before]:
                    taken = self._take_in_time(row)
                    answers += taken or []
                    put_off = put_off or taken is None
                if len(answers) == before or (len(rows) < ROWS_AT_ONCE and not put_off):
                    break
        if answers:
            self._tell()
        return answers

    def _waiting_rows(self, campaign: str) -> list[Received]:
        rows = self.store.fetch("new_rows", self._new_rows, {"of": campaign})
        return [Received(*row[:6], json.loads(row[6])) for row in rows]

    def _too_early(self, campaign: str, row: Received) -> bool:
        found = self._get(campaign).campaign
        return found.deadline is not None and found.status == "running" and row.received_at > found.deadline

    def _take_in_time(self, row: Received) -> list[Answer] | None:
        """Take a row up once every deadline before it has been dealt with; None where one could not be yet."""
        for _ in range(ATTEMPTS):
            if self._too_early(row.campaign, row) and not self._deal_with_deadline(row.campaign):
                return None
            if (taken := self._take_row(row)) is not None:
                return taken
        return None

    def _take_row(self, row: Received) -> list[Answer] | None:
        """Take a row up; None where a lost race shows that it came after a deadline that still stands open."""
        again = False

        def act(found: Live) -> list[Answer] | None:
            nonlocal again
            if again and not self._is_new(row):
                return []
            if again and self._too_early(row.campaign, row):
                return None
            again = True
            return self._take(found, row)

        try:
            return self._attempts(row.campaign, act)
        except Exception as error:
            if is_conflict(error) or is_store_fault(error):
                raise  # the row stays new, and is taken up once the store is there again
            log.exception("campaign %s: submission %s is set aside", row.campaign, row.number)
            name = type(error).__name__
            return self._attempts(row.campaign, lambda found: self._set_aside(found, row, name))

    def _take(self, found: Live, row: Received, new: dict[str, Any] | None = None) -> list[Answer]:
        found.begin(row.number)
        self._hold_if_differs(found)
        answer = taking.take(found, row, self.clock.now(), self.settings)
        self._finish(found, row, answer, "done", new)
        return [answer]

    def _set_aside(self, found: Live, row: Received, error: str) -> list[Answer]:
        if not self._is_new(row):
            return []
        now = self.clock.now()
        found.begin(row.number)
        found.write("set_aside", now, referee={"submission": row.number, "error": error}, change={"seat": row.seat})
        results = [LineResult(line, "refused", reason="set aside") for line in row.lines]
        note = "The program failed on this message, and it was set aside without effect. The moderator has been told."
        answer = Answer(
            row.campaign,
            row.number,
            row.seat,
            results,
            False,
            note,
            event=found.campaign.version,
            head=found.campaign.head,
            received_at=row.received_at,
        )
        self._finish(found, row, answer, "set_aside")
        return [answer]

    def _is_new(self, row: Received) -> bool:
        """Whether nobody has taken it up since it was read; the tracking makes sure, this saves the attempt."""
        t = self.store.tables.inbox
        with self.store.read() as connection:
            state = connection.execute(
                select(t.c.state).where(t.c.campaign == row.campaign, t.c.number == row.number)
            ).scalar()
        return state == "new"

    def _finish(
        self, found: Live, row: Received, answer: Answer, state: str, new: dict[str, Any] | None = None
    ) -> None:
        """Save what came of a submission; `new` is its row where it is not in the inbox yet."""
        self._fresh(found)  # what made no event would not be seen to rest on an old state
        text = json.dumps(without_tokens(answer.to_json()), ensure_ascii=False, separators=(",", ":"))
        lines = without_tokens(row.lines)
        prepare = self.store.prepare
        if new is None:
            done = {"of": row.campaign, "nr": row.number, "as_state": state, "as_answer": text}
            beside = [prepare("finish_row", self._finish_row, done)]
            if lines != row.lines:
                cut = {"of": row.campaign, "nr": row.number, "as_lines": json.dumps(lines)}
                beside.append(prepare("cut_row", self._cut_row, cut))
        else:
            counter = {"of": row.campaign, "nr": row.number}
            values = new | {"raw": None, "state": state, "answer": text, "lines": json.dumps(lines)}
            beside = [
                prepare("count_row", self._count_row, counter),
                prepare("insert_row", self._insert_row, values),
            ]
        if row.channel == "mail":
            beside.append(prepare("intend", self._intend, {
                "campaign": row.campaign, "seat": row.seat, "kind": "answer", "first_event": answer.event,
                "last_event": answer.event, "inbox": row.number, "press": None, "data": "{}",
                "message_id": f"<{row.campaign}.inbox-{row.number}.answer.{row.seat}@{self.settings.domain}>",
                "state": "pending", "created_at": stamp(self.clock.now()), "not_before": None, "attempts": 0,
            }))  # fmt: skip
        self._save(found, row.number, beside)

    def submit(self, submission: Submission) -> Answer:
        """Receive and take up at once, for pages and the API. Raises `UnknownSender`."""
        answer = self._submit_at_once(submission)
        if answer is not None:
            return answer
        number = self.receive(submission)
        try:
            for answer in self._take_up(submission.campaign):
                if answer.number == number:
                    return answer
            stored = self.answer(submission.campaign, number)
            if stored is not None:
                return stored
            seat, _ = self._sender(submission)
        except Exception as error:
            if not is_store_fault(error):
                raise
            note = "This was received. It could not be taken up at once; it will be as soon as possible."
            received = stamp(submission.received_at)
            return Answer(submission.campaign, number, submission.seat or "", [], False, note, received_at=received)
        note = "This was received after the deadline, which is being dealt with first; it will be taken up then."
        return Answer(submission.campaign, number, seat, [], False, note, received_at=stamp(submission.received_at))

    def _submit_at_once(self, submission: Submission) -> Answer | None:
        """Receive and take up in one transaction, as long as nothing waits before it; else None, and nothing is done.

        The sender waits for the answer, so nothing is acknowledged before it is stored. Whatever goes wrong here
        (another process was faster, a repeated message, a fault of the program) is left to the long way, which knows
        what to do.
        """
        seat, generation = self._sender(submission)
        id = submission.campaign
        with self._lock(id):
            number = None if submission.raw is not None else self._next_if_idle(id)
            if number is None:
                return None
            new = self._row(submission, seat, generation, number)
            lines = json.loads(new["lines"])
            row = Received(id, number, seat, generation, submission.channel, new["received_at"], lines)
            if self._too_early(id, row):
                return None
            found = self._get(id)
            try:
                answer = self._take(found, row, new)[0]
            except BaseException as error:
                self._drop(id)
                self._numbers.pop(id, None)
                self._worked_off.pop(id, None)
                if not isinstance(error, Exception):
                    raise
                if is_store_fault(error) and (kept := self._kept(row)) is not None:
                    return kept
                log.debug("campaign %s: a submission takes the long way: %r", id, error)
                return None
            self._numbers[id] = self._worked_off[id] = number
        self._tell()
        return answer

    def _kept(self, row: Received) -> Answer | None:
        """The answer to a submission whose save seemed to fail, where it is stored after all."""
        t = self.store.tables.inbox
        same = [t.c.campaign == row.campaign, t.c.number == row.number, t.c.seat == row.seat,
                t.c.received_at == row.received_at, t.c.lines == json.dumps(row.lines)]  # fmt: skip
        with self.store.read() as connection:
            text = connection.execute(select(t.c.answer).where(*same)).scalar()
        return None if text is None else Answer.from_json(json.loads(text))

    def _next_if_idle(self, campaign: str) -> int | None:
        """The number that comes next in an inbox; None where something in it is still to be taken up.

        Nothing is when all up to the last number given was: what another process has received since has the number
        that this one would give next, and the store refuses it twice.
        """
        last = self._numbers.get(campaign)
        if last is None or self._worked_off.get(campaign) != last:
            ((last, waits),) = self.store.fetch("inbox", self._inbox_state, {"of": campaign})
            if waits:
                return None
        return last + 1

    def answer(self, campaign: str, number: int) -> Answer | None:
        """The answer to a submission; None as long as it has not been taken up."""
        t = self.store.tables.inbox
        with self.store.read() as connection:
            text = connection.execute(select(t.c.answer).where(t.c.campaign == campaign, t.c.number == number)).scalar()
        return None if text is None else Answer.from_json(json.loads(text))

    def inbox(self, campaign: str, limit: int = 100) -> list[dict[str, Any]]:
        """The newest submissions, for the moderator's desk: all columns of table ``inbox`` but the answer's text."""
        t = self.store.tables.inbox
        with self.store.read() as connection:
            rows = connection.execute(
                select(t).where(t.c.campaign == campaign).order_by(t.c.number.desc()).limit(limit)
            )
            return [{**row._mapping, "lines": json.loads(row.lines)} for row in rows]

    def raw_mail(self, campaign: str, number: int) -> bytes | None:
        """A mail as it was received; None where there is none, or none that this key opens."""
        t = self.store.tables
        with self.store.read() as connection:
            found = connection.execute(
                select(t.raws.c.content)
                .join(t.inbox, t.inbox.c.raw == t.raws.c.number)
                .where(t.inbox.c.campaign == campaign, t.inbox.c.number == number)
            ).scalar()
        try:
            return None if found is None else self.vault.take_out(found)
        except SecretLost:
            return None

    # --- the clock

    def tick(self, now: datetime | None = None) -> int:
        """Do what is due: work inboxes off, remind, expire, bring the read models up to date. Returns how much was
        done.

        Safe to run twice, in several processes, late, and with nothing to do.
        """
        now = now or self.clock.now()
        done = 0
        self._disbelieve(now)
        for campaign in self._with_mail():
            done += self._guarded(campaign, lambda c: self.take_up(c))
        self.project()
        t = self.store.tables.campaigns
        with self.store.read() as connection:
            due = list(
                connection.execute(
                    select(t.c.campaign).where(t.c.next_wake <= stamp(now), t.c.state == "running")
                ).scalars()
            )
        held_up: dict[str, str] = {}
        for campaign in due:
            done += self._guarded(campaign, lambda c: self._wake(c, now, held_up))
        if held_up:
            self._tell_of_ways(now, held_up)
        if done:
            self.project()
        return done

    def _guarded(self, campaign: str, act: Callable[[str], int]) -> int:
        """One campaign's fault is no other's: it is logged, its moderators are told, and the next tick tries again."""
        try:
            return int(act(campaign))
        except Exception as error:
            if is_store_fault(error):
                log.error("campaign %s: the clock could not go on: %s", campaign, type(error).__name__)
                return 0
            log.exception("campaign %s: the clock could not go on", campaign)
            said = {"error": type(error).__name__}
            try:
                notices.tell_of_campaign(
                    self.store, self.settings.domain, self.clock.now(), notices.FAULT, campaign, said
                )
            except Exception:  # the store may be what is at fault
                log.exception("campaign %s: nobody could be told of it", campaign)
            return 0

    def _tell_of_ways(self, now: datetime, held_up: Mapping[str, str]) -> None:
        """Deadlines wait since long for a way that is down: the moderators are told, once a day."""
        limit = timedelta(minutes=self.settings.clock_outage_minutes)
        ways = {way: stamp(last) for way, last in self._beats(now).items() if now - last > limit}
        if not ways and (self.polled is not None or self.settings.imap_host):
            ways = {"imap": ""}
        if ways:
            notices.tell_of_ways(self.store, self.settings.domain, now, ways, held_up)

    def _with_mail(self) -> list[str]:
        t = self.store.tables.inbox
        with self.store.read() as connection:
            return list(connection.execute(select(t.c.campaign).where(t.c.state == NEW).distinct()).scalars())

    def _wake(self, campaign: str, now: datetime, held_up: dict[str, str]) -> int:
        """Everything received up to the deadline is taken up, then the deadline is dealt with.

        `held_up` gets the campaigns whose deadline waits for a way in, and that deadline.
        """
        with self._lock(campaign):
            done = self.take_up(campaign)
            for _ in range(50):  # one expiry may open a question that is due at once; a set number ends any cycle
                if not self._attempts(campaign, lambda found: self._due(found, now, held_up)):
                    break
                done += 1
        if done:
            self._tell()
        return done

    def _deal_with_deadline(self, campaign: str) -> bool:
        """Whether the deadline that has passed is dealt with now, so that what came after it can be taken up."""
        now = self.clock.now()
        for _ in range(50):
            if not self._attempts(campaign, lambda found: self._due(found, now, {})):
                break
        found = self._get(campaign).campaign
        return found.deadline is None or moment(found.deadline) > now or found.status != "running"

    def _due(self, found: Live, now: datetime, held_up: dict[str, str]) -> bool:
        self._fresh(found)
        found.begin()
        self._hold_if_differs(found)
        campaign = found.campaign
        before = campaign.version
        if campaign.status == "running" and campaign.deadline is not None:
            deadline = moment(campaign.deadline)
            if now < deadline:
                deadlines.remind(found, now)
            elif self._may_expire(found, deadline, now):
                deadlines.miss(found, now)
                taking.settle(found, now, self.settings.play_automatic_limit)
            elif now - deadline > TOLD_AFTER:
                held_up[campaign.id] = campaign.deadline
        if campaign.version == before:
            return False
        self._save(found)
        return True

    def _may_expire(self, found: Live, deadline: datetime, now: datetime) -> bool:
        if self._outage(found, deadline, now) or self._mail_before(found.campaign.id, stamp(deadline)):
            return False
        if self.polled is not None:
            return self.polled(deadline)
        return self._is_polled(deadline, now)

    def _is_polled(self, deadline: datetime, now: datetime) -> bool:
        """Whether all mail received up to a moment has been fetched, as the store knows it from the last good poll,
        whichever process made it; true where no mailbox is polled."""
        counts = not self.settings.ways or "imap" in self.settings.ways
        last = self._beats(now).get("imap")
        if last is None:
            return not self.settings.imap_host
        return last > deadline or not (counts or self.settings.imap_host)

    def _mail_before(self, campaign: str, deadline: str) -> bool:
        t = self.store.tables.inbox
        with self.store.read() as connection:
            return (
                connection.execute(
                    select(t.c.number)
                    .where(t.c.campaign == campaign, t.c.state == NEW, t.c.received_at <= deadline)
                    .limit(1)
                ).scalar()
                is not None
            )

    # outages

    def heartbeat(self, way: str, now: datetime | None = None) -> None:
        """A way in (``smtp``, ``imap``, ``web``) or `OUT` is open; to be called every minute. A gap is put on record.

        `now` is as of when it is known to be: for a mailbox the beginning of a good poll. A beat from the future was
        written by a clock that was ahead; this one takes its place.
        """
        real = self.clock.now()
        now = now or real
        t = self.store.tables
        limit = timedelta(minutes=self.settings.clock_outage_minutes)
        with self.store.write() as connection:
            connection.execute(delete(t.closed_ways).where(t.closed_ways.c.way == way))
            last = connection.execute(select(t.heartbeats.c.last).where(t.heartbeats.c.way == way)).scalar()
            if last is None:
                connection.execute(insert(t.heartbeats).values(way=way, last=stamp(now)))
                return
            beat = update(t.heartbeats).where(
                t.heartbeats.c.way == way,
                or_(t.heartbeats.c.last < stamp(now), t.heartbeats.c.last > stamp(real + CLOCKS_APART)),
            )
            connection.execute(beat.values(last=stamp(now)))
            if now - moment(last) > limit:
                known = connection.execute(
                    select(t.gaps.c.way).where(t.gaps.c.way == way, t.gaps.c.start == last)
                ).scalar()
                if known is None:
                    connection.execute(insert(t.gaps).values(way=way, start=last, stop=stamp(now)))

    def way_closed(self, way: str, reason: str) -> None:
        """A way is known to be closed, for the desk: since when, and the newest reason. Its next heartbeat opens it."""
        t, now = self.store.tables.closed_ways, stamp(self.clock.now())
        with self.store.write() as connection:
            known = connection.execute(update(t).where(t.c.way == way).values(reason=reason[:500]))
            if known.rowcount == 0:
                connection.execute(insert(t).values(way=way, since=now, reason=reason[:500]))

    def closed_way(self, way: str = OUT) -> tuple[datetime, str] | None:
        """Since when a way is closed, and why ("" where nothing was heard of it for long); None while it is open."""
        t, now = self.store.tables, self.clock.now()
        with self.store.read() as connection:
            row = connection.execute(select(t.closed_ways).where(t.closed_ways.c.way == way)).one_or_none()
        if row is not None:
            return moment(row.since), row.reason
        last = self._beats(now).get(way)
        limit = timedelta(minutes=self.settings.clock_outage_minutes)
        return (last, "") if last is not None and now - last > limit else None

    def _beats(self, now: datetime) -> dict[str, datetime]:
        """When each way was last heard of."""
        t = self.store.tables.heartbeats
        with self.store.read() as connection:
            rows = connection.execute(select(t).order_by(t.c.way)).all()
        return {row.way: min(moment(row.last), now) for row in rows}

    def _disbelieve(self, now: datetime) -> None:
        """Beats from the future say nothing: the clock was ahead. What is known is that they were written before now,
        so an outage is counted from now on."""
        t = self.store.tables.heartbeats
        late = t.c.last > stamp(now + CLOCKS_APART)
        with self.store.read() as connection:
            found = connection.execute(select(t.c.way).where(late)).first()
        if found is not None:
            log.warning("heartbeats are from the future: the clock was ahead")
            with self.store.write() as connection:
                connection.execute(update(t).where(late).values(last=stamp(now)))

    def _outage(self, found: Live, deadline: datetime, now: datetime) -> bool:
        """Whether the deadline lies in an outage, or its question could not go out for one: then it is moved by its
        length, or waits until the way is open again."""
        campaign = found.campaign
        limit = timedelta(minutes=self.settings.clock_outage_minutes)
        for gap in self._gaps(deadline, now):
            start, stop = moment(gap.start), moment(gap.stop)
            name = f"{gap.way} {gap.start}"
            if name in campaign.outages or not self._counts(gap.way):
                continue
            if gap.way != OUT:
                until = max(deadline + (stop - start), now)
            elif (until := self._as_sent(found, start, stop, deadline)) <= deadline:
                continue
            reason = f"{gap.way} was down from {gap.start} to {gap.stop}"
            if gap.way == OUT:
                reason = f"no mail went out from {gap.start} to {gap.stop}"
            deadlines.extend(found, now, max(until, now), reason, name)
            return True
        beats = self._beats(now)
        return any(
            now - last > limit and (last <= deadline if way != OUT else self._as_sent(found, last, now, now) > now)
            for way, last in beats.items()
            if self._counts(way)
        )

    def _counts(self, way: str) -> bool:
        return way == OUT or not self.settings.ways or way in self.settings.ways

    def _gaps(self, deadline: datetime, now: datetime) -> list[Any]:
        """The outages over a deadline, and those of the way out before it, oldest first. One that ends in the future
        was written by a clock that was ahead."""
        t, text = self.store.tables.gaps, stamp(deadline)
        with self.store.read() as connection:
            return list(
                connection.execute(
                    select(t)
                    .where(t.c.start <= text, or_(t.c.stop > text, t.c.way == OUT), t.c.stop <= stamp(now))
                    .order_by(t.c.start, t.c.way)
                ).all()
            )

    def _as_sent(self, found: Live, start: datetime, stop: datetime, deadline: datetime) -> datetime:
        """The deadline of the open question as it would be had it been asked when its mail could go out.

        Where it was asked before the outage began its mail had left, and nothing moves. It never gets more than its
        whole time from the end of the outage, so that an outage of all ways counts once.
        """
        campaign = found.campaign
        if campaign.asked_at is None or campaign.kind is None:
            return deadline
        asked = moment(campaign.asked_at)
        if not start < asked < stop:
            return deadline
        whole = stop + timedelta(hours=found.hours(campaign.kind))
        return max(deadline, min(deadline + (stop - asked), whole))

    def project(self, limit: int = 500) -> int:
        """Bring the read models up to date; returns how many events were taken in."""
        taken = 0
        while True:
            found = self.projection.pull(limit)
            taken += found
            if found < limit:
                return taken

    def on_news(self, wake: Callable[[], None]) -> None:
        """`wake` is called after each change, in the changing thread: to wake a loop that projects and sends."""
        self._news.append(wake)

    # --- queries

    def campaigns(self) -> list[dict[str, Any]]:
        """The rows of the read model ``campaigns``, newest news first; JSON columns are parsed."""
        return self.reading.campaigns()

    def status(self, campaign: str, seat: str | None = None) -> Status:
        """How a campaign stands, as everybody may know it; a seat knows besides which of its own powers have answered:
        the game waits no more for these."""
        return self.reading.status(campaign, seat)

    def view_at(self, campaign: str, seat: str | None = None, event: int | None = None) -> Board:
        """The board as a seat (None: everybody) sees it, now or after an event; a copy of the caller's own."""
        return self.reading.view_at(campaign, seat, event)

    def events(
        self, campaign: str, reader: str | None = None, start: int = 1, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """The events as a seat (None: everybody) may read them; `pbem.campaign.queries.read_event` tells the form."""
        return self.reading.events(campaign, reader, start, stop)

    def asked(self, campaign: str, seat: str) -> list[Asked]:
        """What is asked of a seat now, with the forms of lines, some legal lines, and a template."""
        return self.reading.asked(campaign, seat)

    def table_of(self, campaign: str, seat: str, act: Callable[[Any, list[Any]], _T]) -> _T:
        """Call ``act(table, questions)`` with the whole table and the questions open to a seat, under the lock.

        For forms: a question lists its legal answers from the table. `act` must change nothing, and must let nothing of
        the table out that sight hides from the seat.
        """
        with self._reading(campaign) as found:
            powers = found.campaign.powers_of(self._seat(found, seat))
            questions = [q for q in found.play.questions() if q.power in powers] if found.play else []
            table = found.play.table if found.play else None
            return act(table, questions)

    def kit_of(self, campaign: str) -> Kit:
        """The kit that a campaign is played with."""
        return self.reading.kit_of(campaign)

    def standing(self, campaign: str, seat: str) -> list[dict[str, Any]]:
        """The standing orders of a seat: ``{number, kind, conditions, line, text}``."""
        return self.reading.standing(campaign, seat)

    def queued(self, campaign: str, seat: str) -> list[str]:
        """The queued orders of a seat."""
        return self.reading.queued(campaign, seat)

    def press(self, campaign: str, seat: str) -> list[dict[str, Any]]:
        """The press that a seat sent or got, in order: ``{sender, from, to, text, sent_at, event}``."""
        return self.reading.press(campaign, seat)

    def check_line(self, campaign: str, seat: str, line: str) -> LineResult:
        """Whether a line could be taken up now; nothing is changed and nothing thrown."""
        return self.reading.check_line(campaign, seat, line)

    def audit(self, campaign: str, roll: int, tree: int = 0, reader: str | None = None) -> dict[str, Any]:
        """All about one random event as a reader may know it; see `pbem.campaign.queries.Queries.audit`.

        Raises `ValueError` for a seat that there is not.
        """
        return self.reading.audit(campaign, roll, tree, reader)

    def export(self, campaign: str, reader: str | None, file: Path) -> str:
        """Write a bundle of what a seat (None: everybody; after the end that is all) may see; returns its digest.

        Raises `ValueError` for a seat that there is not.
        """
        return self.reading.export(campaign, reader, file)

    def ask_referee(self, campaign: str, event: int, reason: str) -> dict[str, Any]:
        """Let the moderator read what is hidden in an event; that he did is an event itself, which all can see."""
        return self.disclose(campaign, reason, event=event)

    def disclose(
        self, campaign: str, reason: str, *, event: int | None = None, submission: int | None = None
    ) -> dict[str, Any]:
        """Let the moderator read what is hidden; that he did, and why, is an event, written before he gets anything.

        With `event`: that event as the referee has it (`pbem.campaign.queries.read_event`). With `submission`, a number
        in the inbox: ``{lines, raw, answer}``; lines and answer without tokens, the mail whole. With neither: the whole
        board, as JSON. Raises `ValueError` for what is not there.
        """
        t = self.store.tables.inbox
        what: dict[str, Any] = {"board": True}
        lines: str | None = None
        if submission is not None:
            with self.store.read() as connection:
                lines = connection.execute(
                    select(t.c.lines).where(t.c.campaign == campaign, t.c.number == submission)
                ).scalar()
            if lines is None:
                raise ValueError(f"there is no submission {submission}")
            what = {"submission": submission}
        elif event is not None:
            what = {"event": event}

        def act(found: Live) -> None:
            if event is not None and not 1 <= event <= found.campaign.version:
                raise ValueError(f"there is no event {event}")
            if "board" in what and found.campaign.board is None:
                raise NotNow("the game has not begun")
            found.write("asked_referee", self.clock.now(), public={**what, "reason": reason})

        self._act(campaign, act)
        if lines is not None and submission is not None:
            answer = self.answer(campaign, submission)
            return {
                "lines": without_tokens(json.loads(lines)),
                "raw": self.raw_mail(campaign, submission),
                "answer": without_tokens(answer.to_json()) if answer else None,
            }
        if event is not None:
            return self.reading.events(campaign, ledger.REFEREE, event, event)[0]
        with self._reading(campaign) as found:
            return found.campaign.board_now().to_json()

    def check_upgrade(self) -> Iterator[tuple[str, str | None]]:
        """Try the rules of this program on every open step: (campaign, None or where they differ from the record).

        For the console of the operator alone: where they differ may quote hidden facts.
        """
        for row in self.campaigns():
            if row["state"] in ("running", "paused", "held"):
                with self._lock(row["campaign"]):
                    yield row["campaign"], self._load(row["campaign"]).differs

    def out_of_order(self, campaign: str) -> bool:
        """Whether a campaign still goes round in the order of its seats, as an earlier program began it, and not in the
        game's order of play. It is put right by itself where no round is under way, and all are told."""
        with self._reading(campaign) as found:
            return found.campaign.status in ("running", "paused", "held") and found.out_of_order()

    # --- loading and saving

    def _lock(self, campaign: str) -> threading.RLock:
        with self._guard:
            lock = self._locks.get(campaign)
            if lock is None:
                lock = self._locks[campaign] = threading.RLock()
            return lock

    @contextmanager
    def _reading(self, campaign: str) -> Iterator[Live]:
        with self._lock(campaign):
            found = self._get(campaign)
            if found.campaign.version != self.store.last_event(campaign):
                self._drop(campaign)
                found = self._get(campaign)
            yield found

    def _get(self, campaign: str) -> Live:
        found = self._live.get(campaign)
        if found is None:
            found = self._load(campaign)
            self._remember(found)
        else:
            with self._guard:
                if campaign in self._live:
                    self._live.move_to_end(campaign)
        return found

    def _load(self, campaign: str) -> Live:
        with self._guard:
            packed = self._packed.pop(campaign, None)
        loaded = unpack(packed) if packed is not None else self.store.load(campaign)
        if loaded is None:
            raise NoCampaign(f"there is no campaign {campaign}")
        return Live(loaded, self.store, self.vault, self._kit(loaded.kit))

    def _remember(self, found: Live) -> None:
        with self._guard:
            self._live[found.campaign.id] = found
            self._live.move_to_end(found.campaign.id)
            oldest = None
            if len(self._live) > self.settings.play_campaigns_in_memory:
                oldest = self._live.popitem(last=False)[1]
        if oldest is not None:
            self._put_away(oldest)

    def _put_away(self, found: Live) -> None:
        """Keep of a campaign that leaves the memory what makes it cheap to take up again, unless it is at work now."""
        id = found.campaign.id
        lock = self._lock(id)
        if not lock.acquire(blocking=False):
            return
        try:
            if found.campaign.pending_events or found.beside or id in self._live:
                return
            packed = pack(found.campaign)
            with self._guard:
                self._packed[id] = packed
                self._packed.move_to_end(id)
                if len(self._packed) > _PACKED_KEPT:
                    self._packed.popitem(last=False)
        finally:
            lock.release()

    def _drop(self, campaign: str) -> None:
        with self._guard:
            self._live.pop(campaign, None)
            self._packed.pop(campaign, None)

    def _fresh(self, found: Live) -> None:
        """Raise `_Stale` when another process has gone on with the campaign."""
        if not found.campaign.pending_events and found.campaign.version != self.store.last_event(found.campaign.id):
            raise _Stale

    def _attempts(self, campaign: str, act: Callable[[Live], _T]) -> _T:
        """Run an act on the campaign, again and again while other processes are faster; a few times where the store
        was away, for a pool gives out many dead connections before a good one."""
        with self._lock(campaign):
            away = 0
            for attempt in range(ATTEMPTS):
                try:
                    return act(self._get(campaign))
                except BaseException as error:
                    self._drop(campaign)
                    away += is_store_fault(error)
                    again = isinstance(error, _Stale) or is_conflict(error) or is_store_fault(error)
                    if attempt + 1 == ATTEMPTS or away == ATTEMPTS_AWAY or not again:
                        raise
                    if not isinstance(error, _Stale):
                        time.sleep(random.uniform(0, 0.02 * (attempt + 1)))
        raise AssertionError("unreachable")

    def _act(self, campaign: str, act: Callable[[Live], _T], *states: str) -> _T:
        """Run an act of administration and save what came of it."""

        def run(found: Live) -> _T:
            self._fresh(found)
            found.begin()
            if states and found.campaign.status not in states:
                raise NotNow(f"the campaign is {found.campaign.status}, not {' or '.join(states)}")
            result = act(found)
            self._save(found)
            return result

        result = self._attempts(campaign, run)
        self._tell()
        return result

    def _save(self, found: Live, inbox: int | None = None, beside: Sequence[Any] = ()) -> None:
        campaign = found.campaign
        if not campaign.pending_events and inbox is None and not found.beside:
            return
        has_events = bool(campaign.pending_events)
        try:
            self.store.save(Save(campaign, inbox, [*found.beside, *beside]))
        except Exception as error:
            # A connection may break after the commit, and a driver that tries again then finds its own events.
            if not (has_events and (is_conflict(error) or is_store_fault(error)) and self._has_arrived(found)):
                raise
        found.begin()
        every = self.settings.play_snapshot_every
        since = campaign.version - self._snapshots.setdefault(campaign.id, campaign.version - campaign.version % every)
        if since >= every and (not campaign.entries or since >= 2 * every):
            try:
                self.store.take_snapshot(campaign)
            except Exception as error:
                if not is_store_fault(error):
                    raise
                log.warning("campaign %s: no snapshot was taken: %s", campaign.id, type(error).__name__)
                return  # it is a cache, and what was saved is saved
            self._snapshots[campaign.id] = campaign.version

    def _has_arrived(self, found: Live) -> bool:
        """Whether the events of a save that seemed to fail are stored."""
        kept = self.store.load(found.campaign.id, found.campaign.version)
        return kept is not None and (kept.version, kept.head) == (found.campaign.version, found.campaign.head)

    def _hold_if_differs(self, found: Live) -> None:
        if found.differs and found.campaign.status in ("running", "paused"):
            now = self.clock.now()
            campaign = found.campaign
            left = deadlines.seconds_between(now, campaign.deadline) if campaign.deadline else campaign.remaining
            found.write(
                "held",
                now,
                public={"reason": HELD},
                referee={"differs": found.differs},
                change={"status": "held", "reason": HELD, "remaining": left, "deadline": None, "wake": None},
            )

    def _keep_kit(self, kit: Kit) -> None:
        t = self.store.tables.kits
        self._kits[kit.hash] = kit
        try:
            with self.store.write() as connection:
                if connection.execute(select(t.c.hash).where(t.c.hash == kit.hash)).scalar() is None:
                    connection.execute(insert(t).values(hash=kit.hash, content=kit.to_json()))
        except sqlalchemy.exc.IntegrityError:
            return  # another process has kept the same kit

    def _kit(self, hash: str) -> Kit:
        if hash not in self._kits:
            t = self.store.tables.kits
            with self.store.read() as connection:
                text = connection.execute(select(t.c.content).where(t.c.hash == hash)).scalar_one()
            self._kits[hash] = kept.read_kit(text)
        return self._kits[hash]

    def _seat(self, found: Live, seat: str) -> str:
        if seat not in found.campaign.seats:
            raise ValueError(f"there is no seat {seat}; there are {', '.join(found.campaign.seats)}")
        return seat

    def _tell(self) -> None:
        for wake in self._news:
            wake()


@dataclass
class _Received:
    """A submission on its way into the inbox: its row, whose number is given there, and the raw mail."""

    row: dict[str, Any]
    raw: bytes | None


class _Stale(RuntimeError):
    """Another process has gone on with the campaign since it was loaded."""


def _new_token() -> str:
    """160 random bits in small letters and digits, which survive mail programs that fold case."""
    import base64

    return base64.b32encode(os.urandom(20)).decode("ascii").lower()


def _plain(line: str) -> str:
    """A line without what no store takes: NUL and lone surrogates."""
    return line.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


__all__ = ["NoCampaign", "NotNow", "RulingRefused", "Service", "Status"]
