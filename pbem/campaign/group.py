"""Group commit: writes that wait for the disk at the same time wait for it once."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any


class GroupCommit:
    """Makes many small durable writes cheap: whatever waits at the same time goes to the disk in one transaction.

    `write(items)` gets a list of items in the order of their ``submit``, in the one thread that ever calls it, and
    returns when all are durable or raises when none is. If a group fails, its items are written one by one, so that a
    bad item fails alone.
    """

    _STOP = object()

    def __init__(self, write: Callable[[Sequence[Any]], Any], *, largest_group: int = 200) -> None:
        self._write = write
        self._largest_group = largest_group
        self._waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread: threading.Thread | None = None

    def submit(self, item: Any) -> None:
        """Return when `item` is durable; raise what `write` raised for it, or RuntimeError after ``close``."""
        done: Future[None] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("the group commit is closed")
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="group commit", daemon=True)
                self._thread.start()
            self._waiting.put((item, done))
        done.result()

    def close(self) -> None:
        """Write what waits, then end the thread."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._waiting.put(self._STOP)
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        stopping = False
        while not stopping:
            group = [self._waiting.get()]
            while len(group) < self._largest_group and not self._waiting.empty():
                group.append(self._waiting.get())
            stopping = self._STOP in group
            entries = [entry for entry in group if entry is not self._STOP]
            if entries:
                self._write_group(entries)

    def _write_group(self, entries: list[tuple[Any, Future[None]]]) -> None:
        try:
            self._write([item for item, _ in entries])
        except Exception as error:
            if len(entries) == 1:
                entries[0][1].set_exception(error)
                return
            for entry in entries:
                self._write_group([entry])
            return
        for _, done in entries:
            done.set_result(None)
