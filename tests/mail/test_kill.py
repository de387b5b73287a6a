"""Kill -9 in the middle of mail: what was acknowledged is there, acts once, and nobody gets a different mail twice."""

from __future__ import annotations

import mailbox
import os
import signal
import smtplib
import subprocess
import sys
import threading
import time
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.campaign import outbox
from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from tests.mail.conftest import DOMAIN, new_game

ROOM = """
import sys, threading
from datetime import datetime
from pathlib import Path
from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.mail.limits import RateLimits
from pbem.mail.listener import Listener
from pbem.mail.outbound import Courier
from pbem.mail.room import MailRoom

settings = Settings(var=Path(sys.argv[1]), domain=sys.argv[2], clock_seconds=1, clock_outage_minutes=10**6)
service = Service(settings, ManualClock(datetime.fromisoformat(sys.argv[3])))
room = MailRoom(service, courier=Courier(service, pictures=False))
room._start_clerk()
room.courier.start()
listener = Listener("127.0.0.1", 0, room.accept, domain=settings.domain, limits=RateLimits(None, None))
listener.start()
print(listener.port, flush=True)
while True:
    service.tick()
    threading.Event().wait(0.2)
"""

START = datetime.now(UTC).replace(microsecond=0)  # the listener stamps mails by the machine's clock: both agree


def start_room(var: Path, when: datetime) -> tuple[subprocess.Popen[str], int]:
    process = subprocess.Popen(
        [sys.executable, "-c", ROOM, str(var), DOMAIN, when.isoformat()], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def kill(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


@pytest.mark.parametrize("seconds", [0, 0.3, 1.2])
def test_kill_nine_loses_and_doubles_nothing(tmp_path: Path, seconds: float) -> None:
    settings = Settings(var=tmp_path, domain=DOMAIN)
    service = Service(settings, ManualClock(START))
    game = new_game(service, ManualClock(START))
    service.close()
    acknowledged: set[str] = set()
    process, port = start_room(tmp_path, START + timedelta(minutes=1))

    def write(seat: str) -> None:
        number = 0
        try:
            with smtplib.SMTP("127.0.0.1", port, timeout=10) as connection:
                while True:
                    number += 1
                    id = f"<{seat}-{number}@x>"
                    raw = f"From: {seat}@example.org\r\nMessage-ID: {id}\r\n\r\nPLACE army AT india\r\n".encode()
                    connection.sendmail(f"{seat}@example.org", [game.address(seat)], raw)
                    acknowledged.add(id)
        except (OSError, smtplib.SMTPException):
            return  # the room is dead

    writers = [threading.Thread(target=write, args=(seat,)) for seat in game.tokens]
    for writer in writers:
        writer.start()
    while not acknowledged:
        time.sleep(0.001)
    time.sleep(seconds)
    kill(process)
    for writer in writers:
        writer.join()

    process, _ = start_room(tmp_path, START + timedelta(seconds=61 + outbox.CLAIM_SECONDS))
    service = Service(settings, ManualClock(START + timedelta(hours=1)))
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        open_rows = [m for m in outbox.messages(service.store, limit=100_000) if m.state not in ("sent", "void")]
        if not service.with_mail() and not open_rows:
            break
        time.sleep(0.2)
    kill(process)

    inbox = service.inbox("winter", limit=100_000)
    stored = [row["message_id"] for row in inbox]
    assert len(stored) == len(set(stored)) and acknowledged <= set(stored) and acknowledged
    assert all(row["state"] == "done" for row in inbox)
    rows = outbox.messages(service.store, limit=100_000)
    assert all(row.state in ("sent", "void") for row in rows)
    assert sum(row.kind == "answer" for row in rows) == len(inbox)
    armies = sum(kinds.get("army", 0) for kinds in service.view_at("winter").units.get("india", {}).values())
    accepted = sum(e["kind"] in ("order", "queued") for e in service.events("winter"))
    assert armies == min(accepted, 15)
    bodies = defaultdict(set)
    for message in mailbox.Maildir(tmp_path / "maildir", create=False):
        bodies[message["Message-ID"]].add(message.as_bytes())
    assert all(len(versions) == 1 for versions in bodies.values())
    assert {row.message_id for row in rows if row.state == "sent"} == set(bodies)
    service.close()
