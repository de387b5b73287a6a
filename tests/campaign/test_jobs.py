"""Jobs: each has its own thread, is woken without losing a call, fails alone and ends cleanly."""

from __future__ import annotations

import logging
import threading

import pytest

from pbem.campaign.jobs import Jobs

LONG = 3600
TOKEN = "abcdefghijklmnopqrstuvwxyz234567"


@pytest.fixture
def jobs():
    made = Jobs()
    yield made
    made.stop()


def test_a_slow_job_delays_no_other(jobs):
    go_on, done = threading.Event(), threading.Semaphore(0)
    for number in range(12):  # more than the threads of a pool that all would share
        jobs.every(LONG, f"slow {number}", lambda: go_on.wait(60))
    quick = jobs.every(LONG, "quick", done.release)
    assert done.acquire(timeout=30)
    quick.wake()
    assert done.acquire(timeout=30)
    go_on.set()


def test_a_job_that_is_woken_while_it_runs_runs_once_more_and_never_twice_at_once(jobs):
    begun, go_on, together = threading.Semaphore(0), threading.Semaphore(0), []
    at_work = threading.Lock()

    def act() -> None:
        together.append(at_work.acquire(blocking=False))
        begun.release()
        assert go_on.acquire(timeout=60)
        at_work.release()

    job = jobs.every(LONG, "act", act)
    assert begun.acquire(timeout=30)
    for _ in range(5):
        job.wake()
    go_on.release()
    assert begun.acquire(timeout=30), "what it was woken for came after it had looked"
    go_on.release()
    assert not begun.acquire(timeout=1)
    assert together == [True, True]


def test_no_call_is_lost_whenever_it_comes(jobs):
    """News that is there before the call is seen by a run that begins after it."""
    news, seen, all_seen = 0, 0, threading.Event()

    def look() -> None:
        nonlocal seen
        seen = news
        if seen == 300:
            all_seen.set()

    job = jobs.every(LONG, "look", look)
    for _ in range(300):
        news += 1
        job.wake()
    assert all_seen.wait(30), seen


def test_one_that_fails_runs_again_and_its_log_holds_no_token(jobs, caplog):
    done = threading.Semaphore(0)

    def fail() -> None:
        done.release()
        raise RuntimeError(f"nobody is at winter+{TOKEN}@example.org")

    with caplog.at_level(logging.ERROR):
        job = jobs.every(LONG, "tick", fail)
        assert done.acquire(timeout=30)
        job.wake()
        assert done.acquire(timeout=30)
        job.end()
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["tick failed"] * 2
    assert ", in fail" in caplog.text and "nobody is at" in caplog.text and TOKEN not in caplog.text


def test_the_end_waits_for_what_is_at_work_and_nothing_runs_after_it(jobs):
    begun, went_on = threading.Semaphore(0), []

    def act() -> None:
        begun.release()
        threading.Event().wait(0.3)
        went_on.append(1)

    job = jobs.every(LONG, "act", act)
    assert begun.acquire(timeout=30)
    job.end()
    assert went_on == [1]
    job.end()
    job.wake()
    assert not begun.acquire(timeout=0.5)
    with pytest.raises(ValueError):
        jobs.every(LONG, "other", act)
        jobs.every(LONG, "other", act)


def test_a_process_that_stops_waits_for_its_jobs_and_may_have_others_later(jobs):
    begun, went_on = threading.Semaphore(0), []

    def act() -> None:
        begun.release()
        threading.Event().wait(0.3)
        went_on.append(1)

    jobs.every(LONG, "act", act)
    assert begun.acquire(timeout=30)
    jobs.stop()
    assert went_on == [1]
    jobs.stop()
    jobs.every(LONG, "act", act)
    assert begun.acquire(timeout=30)
