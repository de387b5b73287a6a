"""What a piece of work costs, for tests that promise a bound."""

from __future__ import annotations

import time
from collections.abc import Callable


def seconds(work: Callable[[], object], tries: int = 2) -> float:
    """The least processor time of this thread over some tries: other threads of the process (schedulers, servers that
    an earlier test left ending) and one collection of garbage in a large process are not the work's."""

    def once() -> float:
        before = time.thread_time()
        work()
        return time.thread_time() - before

    return min(once() for _ in range(tries))
