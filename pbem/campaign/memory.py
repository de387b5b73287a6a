"""What one process keeps of campaigns: the play of some in memory, of others the packed state, and a lock for each.

Campaign, table and running procedure stay in memory after a good save and are dropped after any exception. Of those
that were not used for long only the state stays, packed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from pbem.campaign.campaign import pack, unpack
from pbem.campaign.kits import Kits
from pbem.campaign.live import Live
from pbem.campaign.store import Store

_PACKED_KEPT = 50_000  # of some 5 KB each


class NoCampaign(LookupError):
    """There is no campaign of this id."""


class Memory:
    """The campaigns of one process; `at_play` of them with their play."""

    def __init__(self, store: Store, kits: Kits, at_play: int):
        self.store, self.kits = store, kits
        self._at_play = at_play
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._packed: OrderedDict[str, bytes] = OrderedDict()
        self._locks: WeakValueDictionary[str, threading.RLock] = WeakValueDictionary()
        self._guard = threading.Lock()

    @property
    def in_play(self) -> list[str]:
        """The campaigns whose play is kept, the one that was used last at the end."""
        with self._guard:
            return list(self._live)

    @property
    def packed(self) -> list[str]:
        """The campaigns of which only the state is kept."""
        with self._guard:
            return list(self._packed)

    def lock(self, campaign: str) -> threading.RLock:
        """The lock under which a campaign is looked at and changed in this process."""
        with self._guard:
            lock = self._locks.get(campaign)
            if lock is None:
                lock = self._locks[campaign] = threading.RLock()
            return lock

    @contextmanager
    def reading(self, campaign: str) -> Iterator[Live]:
        """A campaign as it stands now, under its lock, to be looked at alone. Raises `NoCampaign`."""
        with self.lock(campaign):
            live = self.get(campaign)
            if live.campaign.version != self.store.last_event(campaign):
                self.drop(campaign)
                live = self.get(campaign)
            yield live

    def get(self, campaign: str) -> Live:
        """A campaign as this process knows it; another one may have gone on. Raises `NoCampaign`."""
        with self._guard:
            live = self._live.get(campaign)
            if live is not None:
                self._live.move_to_end(campaign)
        if live is None:
            live = self.load(campaign)
            self.keep(live)
        return live

    def load(self, campaign: str) -> Live:
        """A campaign made anew of what is packed or stored. Raises `NoCampaign`."""
        with self._guard:
            packed = self._packed.pop(campaign, None)
        loaded = unpack(packed) if packed is not None else self.store.load(campaign)
        if loaded is None:
            raise NoCampaign(f"there is no campaign {campaign}")
        return Live(loaded, self.kits.of(loaded.kit))

    def keep(self, live: Live) -> None:
        """Keep a campaign that has nothing to save; the one that was not used for longest leaves."""
        oldest = None
        with self._guard:
            self._live[live.campaign.id] = live
            self._live.move_to_end(live.campaign.id)
            if len(self._live) > self._at_play:
                oldest = self._live.popitem(last=False)[1]
        if oldest is not None:
            self._put_away(oldest)

    def drop(self, campaign: str) -> None:
        """Forget what is kept of a campaign."""
        with self._guard:
            self._live.pop(campaign, None)
            self._packed.pop(campaign, None)

    def clear(self) -> None:
        """Forget all."""
        with self._guard:
            self._live.clear()
            self._packed.clear()

    def _put_away(self, live: Live) -> None:
        """Keep of a campaign that leaves the memory what makes it cheap to take up again, unless it is at work now."""
        id = live.campaign.id
        lock = self.lock(id)
        if not lock.acquire(blocking=False):
            return
        try:
            with self._guard:
                back = id in self._live
            if live.campaign.pending_events or back:
                return
            packed = pack(live.campaign)
            with self._guard:
                self._packed[id] = packed
                self._packed.move_to_end(id)
                if len(self._packed) > _PACKED_KEPT:
                    self._packed.popitem(last=False)
        finally:
            lock.release()
