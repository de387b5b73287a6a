"""Where pages and mail room count what somebody does in a time: in memory, by the limits library.

Its `MemoryStorage` starts a timer at a hit where none runs, and two threads that do so at once start one timer twice:
the second gets a RuntimeError (`limits` up to 5.8.0; https://github.com/alisaifee/limits/pull/352). So one thread
counts at a time here.
"""

from __future__ import annotations

import threading

from limits.storage import MemoryStorage


class OneAtATime(MemoryStorage):
    """A storage in memory that any number of threads may count in; its scheme is ``one-at-a-time``."""

    STORAGE_SCHEME = ["one-at-a-time"]

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False, **more: str) -> None:
        self._counting = threading.Lock()
        super().__init__(uri, wrap_exceptions, **more)

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count some; False, and none is counted, where that is more than the limit within `expiry` seconds."""
        with self._counting:
            return super().acquire_entry(key, limit, expiry, amount)


SCHEME = f"{OneAtATime.STORAGE_SCHEME[0]}://"
