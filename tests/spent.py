"""What a piece of work costs, for tests that promise a bound."""

from __future__ import annotations

import time
from collections.abc import Callable


def seconds(work: Callable[[], object], tries: int = 2, enough: float = 0.0) -> float:
    """The least processor time of this thread over some tries, none more once it is below `enough`: other threads of
    the process (schedulers, servers that an earlier test left ending), one collection of garbage in a large process and
    what else the machine does are not the work's."""

    def once() -> float:
        before = time.thread_time()
        work()
        return time.thread_time() - before

    least = once()
    for _ in range(tries - 1):
        if least < enough:
            break
        least = min(least, once())
    return least
