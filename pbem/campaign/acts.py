"""Acts: whatever changes a campaign (an order, a deadline, a ruling) is one act, saved as a whole or dropped.

``with acts.act(id, now) as act:`` loads the campaign, holds what belongs to this act alone, saves at the end what came
of it, and drops everything after an exception; `Acts.perform` repeats an act that lost a race. Nothing of an act
outlives it, and nothing in it hangs on what a process remembers.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from pbem.campaign import faults, guard, ledger
from pbem.campaign.campaign import Administered, Campaign, Played
from pbem.campaign.changes import KINDS, UnknownName, parted
from pbem.campaign.clock import stamp
from pbem.campaign.dicebox import DiceBox
from pbem.campaign.kits import Kits
from pbem.campaign.live import Live
from pbem.campaign.memory import Memory
from pbem.campaign.people import People
from pbem.campaign.split import Split
from pbem.campaign.store import Save, Store, is_conflict, is_store_fault
from pbem.table.dice import CommittedThrows, DiceTree
from pbem.table.said import Said

log = logging.getLogger("pbem.campaign")

ATTEMPTS = 12
"""How often an act is repeated when other processes are faster."""

ATTEMPTS_AWAY = 3
"""How often it is repeated at once when the store was away; then the clock tries again."""

_T = TypeVar("_T")


class NotNow(RuntimeError):
    """The campaign is not in a state that allows this; says what it is in."""


@dataclass(frozen=True)
class Archive:
    """What lies beside the stream, as far as acts have to do with it."""

    store: Store
    dice: DiceBox
    kits: Kits
    people: People


class Act:
    """One act on a campaign: what it carries along until it is saved.

    `now` is when it is done, `at` the time that its events carry (`as_of`); `submission` its number in the inbox, if it
    came from there.
    """

    def __init__(self, live: Live, now: datetime, archive: Archive, submission: int | None = None):
        self.live, self.archive, self.submission = live, archive, submission
        self.now = self.at = now
        self.beside: list[Any] = []
        """Statements to be saved with its events."""
        self.cast = ""
        """C of its last event that threw; fixes, with their own text, the dice of standing orders that it set off."""
        self.worked: list[tuple[str, str, Any]] = []
        """What became of queued lines: (seat, line, `LineResult`)."""
        self.preferred: dict[str, dict[str, Any]] = {}
        """What players have chosen in it: seat -> the values, of which the store hears at the end."""
        self.saved = False
        """Whether anything came of it that is stored."""

    @property
    def campaign(self) -> Campaign:
        """The aggregate that the act changes."""
        return self.live.campaign

    def need(self, *states: str) -> None:
        """Raise `NotNow` where the campaign is in none of these states."""
        if self.campaign.status not in states:
            raise NotNow(Said(
                "the campaign is now: %(state)s; this needs: %(states)s",
                state=self.campaign.status, states=list(states),
            ))  # fmt: skip

    @contextmanager
    def as_of(self, moment: datetime) -> Iterator[None]:
        """The events written within carry a moment that has passed: a deadline's."""
        before, self.at = self.at, moment
        try:
            yield
        finally:
            self.at = before

    def write(
        self,
        kind: str,
        *,
        public: Mapping[str, Any] | None = None,
        own: Mapping[str, Mapping[str, Any]] | None = None,
        referee: Mapping[str, Any] | None = None,
        order: tuple[str | None, str] | None = None,
        split: Split | None = None,
        throws: CommittedThrows | None = None,
        change: Mapping[str, Any] | None = None,
        played: bool = False,
    ) -> int:
        """Put an event on the aggregate; returns its number.

        `order` is (seat or None, text as sent). What `throws` has used is proved in the public part and counted on.
        `change` may hold notes for the read models as well. Raises `pbem.campaign.guard.HoldsSecret` for a reason with
        a live token in it, and `pbem.campaign.changes.UnknownName` for a kind, a change or a note that there is not.
        """
        campaign = self.campaign
        if reason := (public or {}).get("reason"):
            guard.check(self.archive.store, str(reason), campaign.id)
        for_all: dict[str, Any] = {"at": stamp(self.at), **(public or {})}
        for_seats = {seat: dict(content) for seat, content in (own or {}).items()}
        for_referee = dict(referee or {})
        changed = dict(change or {})
        if split is not None and split.number:
            for_all["facts"] = split.public
            if split.referee:
                for_referee["facts"] = split.referee
            for seat, facts in split.own.items():
                for_seats.setdefault(seat, {})["facts"] = facts
            if split.seated_anew:
                seatings = changed.get("seats", campaign.seats)
                changed["seats"] = {s: {**h, "powers": list(split.seats[s])} for s, h in seatings.items()}
        blind_key = None
        if throws is not None and throws.used:
            assert throws.commitment is not None
            self.cast = throws.commitment.hex()
            for_all["throws"] = throws.proofs()
            blind_key = throws.blind_key
            changed |= {"tree": throws.tree.tree, "leaf": throws.start + len(throws.used)}
        if "order" in for_all:
            if blind_key is None:
                del for_all["order"]
            else:
                for_all["order"] = {"text": for_all["order"], "blind_key": blind_key.hex()}
        sent = ledger.order_part(*order, blind_key) if order is not None else None
        parts = ledger.event_parts(list(campaign.seats), for_all, for_seats, for_referee, sent)
        if kind not in KINDS:
            raise UnknownName(f"there is no kind of event {kind!r}")
        link = ledger.seal(campaign.version + 1, kind, campaign.head, parts)
        remembered, notes = parted(changed)
        campaign.trigger_event(
            Played if played else Administered,
            timestamp=self.at,
            sealed=link.to_json(),
            change=remembered,
            submission=self.submission,
            notes=notes,
        )
        self.commit_next_tree()
        return link.header["number"]

    # dice

    def throws(self, text: str) -> CommittedThrows:
        """The dice of an event that begins now, fixed by a text."""
        campaign = self.campaign
        tree, leaf = self._tree(campaign.tree), campaign.leaf
        if tree.spent(leaf) and campaign.tree + 1 < len(campaign.trees):
            tree, leaf = self._tree(campaign.tree + 1), 0
        return CommittedThrows(tree, leaf, text.encode())

    def _tree(self, number: int) -> DiceTree:
        trees = self.live.trees
        if number not in trees:
            trees[number] = self.archive.dice.tree(self.campaign.id, number, self.campaign.trees[number]["size"])
        return trees[number]

    def commit_next_tree(self) -> None:
        """Commit to the next tree of dice where the last one runs out."""
        campaign = self.campaign
        if not campaign.trees or campaign.tree + 1 < len(campaign.trees) or campaign.status in ("finished", "archived"):
            return
        last = campaign.trees[campaign.tree]
        if 8 * (last["size"] - campaign.leaf) >= 3 * last["size"]:  # as `DiceTree.due`, without making the tree
            return
        dice = self.archive.dice
        tree = dice.next_tree(dice.secret(campaign.id), campaign.tree + 1, last["size"])
        self.live.trees[tree.tree] = tree
        self.beside.append(dice.keep_tree(campaign.id, tree))
        commitment = tree.commitment()
        self.write("dice", public={"dice": commitment}, change={"trees": [*campaign.trees, commitment]})

    def renew_dice(self, secret: bytes, reason: str) -> None:
        """The secret of the dice is lost: commit to a tree of a new one, from which all is thrown from now on."""
        campaign, dice = self.campaign, self.archive.dice
        tree = dice.next_tree(secret, len(campaign.trees), campaign.trees[campaign.tree]["size"])
        self.live.trees = {tree.tree: tree}
        self.beside += dice.renew_secret(campaign.id, secret, tree)
        change = {"trees": [*campaign.trees, tree.commitment()], "tree": tree.tree, "leaf": 0}
        self.write("dice", public={"dice": {**tree.commitment(), "lost": True}, "reason": reason}, change=change)


class Acts:
    """Does acts on the campaigns that a process has in its memory. `snapshot_every`: so many events."""

    def __init__(self, memory: Memory, archive: Archive, snapshot_every: int):
        self.memory, self.archive, self.store = memory, archive, archive.store
        self._snapshot_every = snapshot_every
        self._snapshots: dict[str, int] = {}
        self._news: list[Callable[[], None]] = []

    def on_news(self, wake: Callable[[], None]) -> None:
        """`wake` is called after each change, in the changing thread: to wake a loop that projects and sends."""
        self._news.append(wake)

    @contextmanager
    def act(self, campaign: str, now: datetime, submission: int | None = None) -> Iterator[Act]:
        """One act, under the campaign's lock: what came of it is saved at the end; after an exception, of its own or of
        the save, nothing has happened and nothing is kept in memory.

        Raises `pbem.campaign.memory.NoCampaign`; `Stale`, for an act that came to nothing or failed on an old state.
        """
        with self.memory.lock(campaign):
            try:
                act = Act(self.memory.get(campaign), now, self.archive, submission)
                with self._on_new_state(act):
                    yield act
                self.save(act)
            except BaseException:
                self.memory.drop(campaign)
                raise

    def perform(
        self,
        campaign: str,
        now: datetime,
        work: Callable[[Act], _T],
        *,
        submission: int | None = None,
        away_at_most: int | None = None,
    ) -> _T:
        """Do an act, again and again while other processes are faster; a few times (`away_at_most`) where the store was
        away, for a pool gives out many dead connections before a good one."""
        away = 0
        for attempt in range(ATTEMPTS):
            try:
                with self.act(campaign, now, submission) as act:
                    result = work(act)
                break
            except Exception as error:
                away += is_store_fault(error)
                again = isinstance(error, Stale) or is_conflict(error) or is_store_fault(error)
                if attempt + 1 == ATTEMPTS or away == (away_at_most or ATTEMPTS_AWAY) or not again:
                    raise
                if not isinstance(error, Stale):
                    time.sleep(random.uniform(0, 0.02 * (attempt + 1)))
        if act.saved:
            self.tell()
        return result

    def tell(self) -> None:
        """Wake whoever waits for news."""
        for wake in self._news:
            wake()

    def begin(self, act: Act) -> None:
        """Save the act by which a campaign begins to be."""
        with self.memory.lock(act.campaign.id):
            self.save(act)
            self.memory.keep(act.live)

    @contextmanager
    def _on_new_state(self, act: Act) -> Iterator[None]:
        """Raise `Stale` in the place of whatever came of an act on a state that another process has gone on from. One
        with events need not be looked at: its save is refused."""
        campaign = act.campaign
        before = campaign.version
        try:
            yield
        except Exception as error:
            if not is_conflict(error) and not is_store_fault(error) and before != self.store.last_event(campaign.id):
                raise Stale from error
            raise
        if not campaign.pending_events and before != self.store.last_event(campaign.id):
            raise Stale

    def save(self, act: Act) -> None:
        """Store the events of an act with what goes beside them. Nothing is where nothing came of it."""
        campaign = act.campaign
        if not campaign.pending_events and not act.beside:
            return
        has_events = bool(campaign.pending_events)
        try:
            self.store.save(Save(campaign, act.submission, act.beside))
        except Exception as error:
            # A connection may break after the commit, and a driver that tries again then finds its own events.
            if not (has_events and (is_conflict(error) or is_store_fault(error)) and self._has_arrived(campaign)):
                raise
            log.warning("campaign %s: a save that seemed to fail did not: %s", campaign.id, faults.told(error))
        act.saved = True
        self._take_snapshot(campaign)

    def _has_arrived(self, campaign: Campaign) -> bool:
        """Whether the events of a save that seemed to fail are stored."""
        kept = self.store.load(campaign.id, campaign.version)
        return kept is not None and (kept.version, kept.head) == (campaign.version, campaign.head)

    def _take_snapshot(self, campaign: Campaign) -> None:
        every = self._snapshot_every
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


class Stale(RuntimeError):
    """Another process has gone on with the campaign since it was loaded."""
