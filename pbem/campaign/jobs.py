"""What recurs: every job of a process is one of the same scheduler (APScheduler), each with a thread of its own.

The clock's tick, the poller, the courier, the clerk who takes up mail, the heartbeats: a slow one delays no other,
since none waits for another's thread. A job runs late rather than never, and never twice at the same time. One that has
something to do before its time is woken (`Job.wake`): it then runs at once, or once more when it is running.

Jobs lie in memory only. Start them after any fork, and only in processes that are to have them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.schedulers.base import STATE_STOPPED

from pbem.campaign import faults

log = logging.getLogger(__name__)


class Job:
    """Something that is done again and again; made by `Jobs.every`."""

    def __init__(self, scheduler: BackgroundScheduler, name: str, act: Callable[[], Any]):
        self.name, self._scheduler, self._act = name, scheduler, act
        self._woken = threading.Event()

    def wake(self) -> None:
        """Run as soon as can be; harmless when it has ended. May be called by any thread, and costs next to nothing
        while it is still to run for an earlier call."""
        if self._woken.is_set():
            return
        self._woken.set()
        with suppress(JobLookupError):
            self._scheduler.modify_job(self.name, next_run_time=datetime.now(UTC))

    def run(self) -> None:
        """Do it. What goes wrong is told in the log: it is mostly the store that is away, and the next time may be
        better."""
        self._woken.clear()
        try:
            self._act()
        except Exception as error:
            log.error("%s failed: %s", self.name, faults.told(error))

    def end(self) -> None:
        """Run no more; returns when it has stopped. Harmless when it has ended; not to be called by the job itself."""
        with suppress(JobLookupError):
            self._scheduler.remove_job(self.name)
        if self._scheduler.state != STATE_STOPPED:
            with suppress(KeyError):
                self._scheduler.remove_executor(self.name)  # waits for its thread


class Jobs:
    """The jobs of a process; they run from the first on until they are stopped."""

    def __init__(self) -> None:
        self._scheduler = BackgroundScheduler(timezone="UTC")

    def stop(self) -> None:
        """End them all; returns when the last has stopped. Harmless when there are none."""
        if self._scheduler.running:
            self._scheduler.shutdown()
            self._scheduler = BackgroundScheduler(timezone="UTC")

    def every(self, seconds: float, name: str, act: Callable[[], Any]) -> Job:
        """Do something now and then every so often, under a name of its own. Raises `ValueError` for a name that is
        taken."""
        if not self._scheduler.running:
            self._scheduler.start()
        job = Job(self._scheduler, name, act)
        self._scheduler.add_executor(ThreadPoolExecutor(1), name)
        # Two instances of one thread: the second waits until the first is done, so that no call to wake is lost.
        self._scheduler.add_job(
            job.run, "interval", seconds=seconds, id=name, name=name, executor=name, next_run_time=datetime.now(UTC),
            coalesce=True, max_instances=2, misfire_grace_time=None,
        )  # fmt: skip
        return job
