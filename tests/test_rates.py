"""Counting what somebody does in a time, from many threads."""

from __future__ import annotations

import threading
import time
from contextlib import suppress

from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.mail.limits import RateLimits
from pbem.rates import OneAtATime
from pbem.web.app import create_app
from pbem.web.security import limiter

RATE = parse("9/minute")


def counted_at_once(kind: type[MemoryStorage], seconds: float) -> tuple[list[Exception], int]:
    """Two threads count, and each waits for the other where it has made a timer that is still to be started. What goes
    wrong, and how much is left."""
    both_have_made_one = threading.Barrier(2)

    class Meeting(kind):
        STORAGE_SCHEME = [f"meeting-{kind.__name__.lower()}"]

        @property
        def timer(self) -> threading.Timer:
            return self._timer

        @timer.setter
        def timer(self, made: threading.Timer) -> None:
            self._timer = made
            if threading.current_thread().name == "counts":
                with suppress(threading.BrokenBarrierError):  # the other waits for its turn, or has done
                    if both_have_made_one.wait(seconds):
                        time.sleep(0.3)  # one of them comes later, when the other's timer has begun

    counter, faults = MovingWindowRateLimiter(Meeting()), []
    counter.storage.timer.join()

    def count() -> None:
        try:
            counter.hit(RATE, "somebody")
        except RuntimeError as error:
            faults.append(error)

    threads = [threading.Thread(target=count, name="counts") for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return faults, counter.get_window_stats(RATE, "somebody").remaining


def test_the_library_alone_starts_a_timer_twice():
    """When this fails the library is mended, and `pbem.rates` can go."""
    (fault,), _ = counted_at_once(MemoryStorage, 20)
    assert "threads can only be started once" in str(fault)


def test_two_threads_count_in_turn():
    assert counted_at_once(OneAtATime, 0.5) == ([], 7)


def test_pages_and_mail_room_count_so(tmp_path):
    settings = Settings(var=tmp_path)
    service = Service(settings)
    create_app(service, settings)
    service.close()
    assert isinstance(limiter.limiter.storage, OneAtATime)
    assert isinstance(RateLimits()._limiter.storage, OneAtATime)
