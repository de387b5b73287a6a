"""Several processes, and processes that die."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from datetime import timedelta
from typing import Any

import pytest

from pbem.campaign import outbox, verify
from pbem.campaign.service import Service
from pbem.campaign.submissions import Submission
from tests.campaign import counting
from tests.campaign.test_life import kinds


def task(settings: Any, clock: Any, do: str, campaign: str = "", **more: Any) -> str:
    where = {"var": str(settings.var), "store": settings.store, "schema": settings.schema}
    return json.dumps({**where, "now": clock.now().isoformat(), "do": do, "campaign": campaign, **more})


def process(work: str, hash_seed: str = "random") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.campaign.counting", work],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )


def check_all(service: Any, campaign: str, orders: int, tmp_path: Any) -> None:
    """Everything was taken up once: events, dice, inbox, answers, read models, and the chain verifies."""
    service.memory.drop(campaign)
    service.project()
    assert kinds(service, campaign).count("order") == orders
    view = service.view_at(campaign)
    assert view.state["said"] == orders
    thrown = [t["index"] for e in service.events(campaign) for t in e["throws"]]
    assert thrown == list(range(orders))
    rows = service.inbox(campaign, 10_000)
    assert all(row["state"] == "done" for row in rows)
    box = outbox.messages(service.store, campaign, limit=10_000)
    assert sorted(m.inbox for m in box if m.kind == "answer") == sorted(row["number"] for row in rows)
    assert len({m.message_id for m in box}) == len(box)
    assert service.campaigns()[0]["event"] == service.status(campaign).event
    reports = sorted((m.first_event, m.last_event) for m in box if m.kind == "report" and m.seat == "seat1")
    assert all(a[1] < b[0] for a, b in zip(reports, reports[1:], strict=False))
    service.export(campaign, None, tmp_path / "bundle")
    verify.verify((tmp_path / "bundle").open("rb"))
    assert dict(service.check_upgrade())[campaign] is None


def test_a_new_process_resumes_in_the_middle_of_a_step(service, settings, clock):
    campaign, tokens = counting.begin(service)
    for n in range(7):
        assert service.submit(counting.submission(campaign, tokens, n, clock.now())).ok
    service.project()
    expected = service.view_at(campaign, "seat1").to_json(), repr(service.status(campaign))
    for seed in ("1", "2"):
        out, _ = process(task(settings, clock, "look", campaign), seed).communicate(timeout=60)
        seen = json.loads(out.splitlines()[1])
        assert (seen["view"], seen["status"]) == expected
        assert seen["upgrade"] == {campaign: None}


def test_kill_9_at_any_moment_loses_and_doubles_nothing(service, settings, clock, tmp_path):
    campaign, tokens = counting.begin(service)
    chance = random.Random(settings.store)
    orders = 120
    work = task(settings, clock, "all", campaign, tokens=tokens, orders=orders)
    killed = 0
    for _ in range(8):
        child = process(work)
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0, 0.25))
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
            killed += 1
        child.wait(timeout=60)
        child.stdout.close()
    assert killed > 3
    assert process(work).wait(timeout=120) == 0
    check_all(service, campaign, orders, tmp_path)


def test_two_processes_at_once_lose_and_double_nothing(service, settings, clock, tmp_path):
    campaign, tokens = counting.begin(service)
    children = [
        process(task(settings, clock, "race", campaign, tokens=tokens, orders=40, name=name)) for name in ("a", "b")
    ]
    for child in children:
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    assert [child.wait(timeout=120) for child in children] == [0, 0]
    answers = [service.answer(campaign, row["number"]) for row in service.inbox(campaign, 1000)]
    assert len(answers) == 80
    accepted = [a for a in answers if a.ok]
    assert len(accepted) >= 40
    service.project()
    numbers = [number for a in answers for line in a.lines for number in line.events]
    assert len(set(numbers)) == len(numbers)
    check_all(service, campaign, len(accepted), tmp_path)


def test_two_clocks_at_once_expire_each_deadline_once(service, settings, clock):
    campaigns = [counting.begin(service)[0] for _ in range(6)]
    service.project()
    clock.advance(hours=73)
    children = [process(task(settings, clock, "tick", orders=5)) for _ in range(2)]
    for child in children:
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    assert [child.wait(timeout=120) for child in children] == [0, 0]
    for campaign in campaigns:
        assert kinds(service, campaign).count("expired") == 1
        assert service.status(campaign).deadline == clock.now() + timedelta(hours=72)


@pytest.mark.parametrize("orders", [90])
def test_snapshots_are_a_cache(service, settings, clock, orders, monkeypatch):
    campaign, tokens = counting.begin(service)
    for n in range(orders):
        assert service.submit(counting.submission(campaign, tokens, n, clock.now())).ok
    store = service.store
    snapshots = list(store.stream.snapshots.get(campaign))
    assert len(snapshots) == 1 and snapshots[0].originator_version > orders - 40
    assert json.loads(json.dumps(snapshots[0].state)) == snapshots[0].state
    plain = store.load(campaign, snapshot=False)
    quick = store.load(campaign)
    assert vars(plain) | {"_created_on": None} == vars(quick) | {"_created_on": None}
    monkeypatch.setattr("pbem.campaign.store.SNAPSHOT_FORM", 99)
    assert vars(store.load(campaign)) == vars(plain)


def test_who_lost_a_race_looks_again_whether_a_deadline_came_first(service, settings, clock, desk):
    table = desk().start()
    table.show_all()
    marcher = table.asked_seat()
    with service.memory.reading(table.id):
        pass  # this process remembers the march, which has 72 hours
    other = Service(settings, clock)
    values = {"received_at": clock.now(), "channel": "mail", "token": table.tokens[marcher]}
    assert other.submit(Submission(table.id, ["DECLINE"], **values)).ok
    assert other.status(table.id).kind == "negotiation", "which has 48"
    other.close()
    clock.advance(hours=50)
    late = Submission(table.id, ["DONE"], clock.now(), channel="mail", token=table.tokens["seat1"])
    number = service.receive(late)
    service.take_up(table.id)
    service.tick()
    answer = service.answer(table.id, number)
    kinds = [event["kind"] for event in service.events(table.id)]
    assert "expired" in kinds and answer is not None
    assert [line.state for line in answer.lines] == ["refused"], "the window had closed two hours before"
