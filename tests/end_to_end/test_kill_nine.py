"""A campaign played by mail and by page while the service is killed again and again: nothing lost, nothing doubled."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tests.end_to_end.conftest import DOMAIN, PASSWORD, UNREACHABLE, Campaign, Server, Visitor, letter, text_of, until

KILLS = 4
ORDERS = 12
LETTERS = 10


class Traffic:
    """What the people send, each thing as often as it takes until it is acknowledged."""

    def __init__(self, campaign: Campaign):
        self.campaign, self.server = campaign, campaign.server
        self.mailed: dict[str, str] = {}
        """The first line of a mail -> the address of its sender."""
        self.orders: list[tuple[str, str]] = []
        """The seat and the SALT by which an order is known."""
        self.press: list[str] = []
        self.faults: list[BaseException] = []

    def play(self) -> None:
        """Answer what is asked, in turns by mail and by the page."""
        visitors: dict[str, Visitor] = {}
        for number in range(ORDERS):
            seat = self.retried(self.campaign.asked)
            line = self.retried(lambda s=seat: self.campaign.legal_line(s))
            salt = f"order {number} of {seat}"
            self.orders.append((seat, salt))
            if number % 2:
                press = f"PRESS TO ALL: with {salt}"  # by which its answer is known
                self.press.append(f"with {salt}")
                self.post(seat, press, "END", f"SALT {salt}", line)
                until(lambda s=seat, p=press: self.server.answers(self.campaign.people[s], p))
            else:
                self.by_page(visitors, seat, "/orders", lines=f"SALT {salt}\n{line}", do="send")

    def write(self, seat: str) -> None:
        """Letters to the other, by mail and by page."""
        other = next(p for s, held in self.campaign.status()["seats"].items() if s != seat for p in held["powers"])
        visitors: dict[str, Visitor] = {}
        for number in range(LETTERS):
            text = f"letter {number} from {seat}"
            self.press.append(text)
            if number % 2:
                self.post(seat, f"PRESS TO {other}: {text}", "END")
            else:
                self.by_page(visitors, seat, "/messages", to=other, text=text)

    def post(self, seat: str, *lines: str) -> None:
        address, receiver = self.campaign.people[seat], self.campaign.reply_to[seat]
        self.mailed[lines[0]] = address
        self.server.send_until_taken(address, receiver, letter(address, receiver, *lines))

    def by_page(self, visitors: dict[str, Visitor], seat: str, action: str, **values: str) -> None:
        """Fill a form in, and press its button until a page comes back."""

        def signed_in() -> Visitor:
            visitor = Visitor(self.server.site)
            assert visitor.open(self.campaign.link[seat])[0] == 200
            return visitor

        visitor = visitors[seat] = visitors.get(seat) or self.retried(signed_in)
        address = f"/c/{self.campaign.id}{action}"
        start = f"/c/{self.campaign.id}/seat" if action == "/orders" else address
        _, page = self.retried(lambda: visitor.open(start))
        form = {name: text for name, text in visitor.form(page, action).items() if name in ("csrf_token", "once")}
        form.setdefault("once", next(one.value for one in page.xpath("//input[@name='once']")))
        status, _ = self.retried(lambda: visitor.open(address, {**form, **values}))
        assert status == 200, status

    def retried(self, act: Any) -> Any:
        found: list[Any] = []

        def done() -> bool:
            try:
                found.append(act())
            except UNREACHABLE:
                return False
            return True

        until(done)
        return found[-1]

    def run(self, act: Any, *arguments: Any) -> threading.Thread:
        def noted() -> None:
            try:
                act(*arguments)
            except BaseException as error:
                self.faults.append(error)
                raise

        thread = threading.Thread(target=noted, daemon=True)
        thread.start()
        return thread


def test_a_campaign_by_mail_and_page_goes_on_through_kill_nine(server: Server) -> None:
    campaign = Campaign(server, "storm")
    campaign.begin()
    traffic, chance = Traffic(campaign), random.Random(9)
    threads = [traffic.run(traffic.play), *(traffic.run(traffic.write, seat) for seat in campaign.people)]
    for _ in range(KILLS):
        time.sleep(chance.uniform(0.3, 1.5))
        server.kill()
        server.start()
    for thread in threads:
        thread.join(180)
    assert not traffic.faults and not any(thread.is_alive() for thread in threads), traffic.faults

    # Every mail that was acknowledged was answered, and answered once.
    until(lambda: all(server.answers(to, line) for line, to in traffic.mailed.items()))
    for line, to in traffic.mailed.items():
        assert len(server.answers(to, line)) == 1, line
    # No report came as two different mails.
    texts: dict[str, set[str]] = {}
    for address in campaign.people.values():
        for mail in server.mails(address):
            texts.setdefault(mail["Message-ID"], set()).add(text_of(mail))
    assert all(len(found) == 1 for found in texts.values())
    # Every order, and every letter, had its effect once.
    for seat, token in campaign.tokens.items():
        events = server.api(f"{campaign.id}/seat/events", token)[1]
        told = [event["order"]["text"] for event in events if event["order"]]
        for owner, salt in traffic.orders:
            if owner == seat:
                assert sum(f"SALT {salt}\n" in text for text in told) == 1, salt
        press = sorted(message["text"] for message in server.api(f"{campaign.id}/seat/press", token)[1])
        assert press == sorted(traffic.press)

    _verify(campaign, server.folder)
    assert server.stop() == 0
    _no_secrets(server, campaign)


def _verify(campaign: Campaign, folder: Path) -> None:
    """The bundle of a player passes with the verifier that the service gives away, against the mails he kept."""
    server = campaign.server
    copy, bundle = folder / "verify.py", folder / "bundle.jsonl"
    with_page = Visitor(server.site)
    with with_page._opener.open(f"{server.site}/verify.py") as answer:
        copy.write_bytes(answer.read())
    server.command("export", campaign.id, str(bundle), "--seat", "seat1")
    mails = folder / "kept"
    mails.mkdir()
    for number, mail in enumerate(server.mails(campaign.people["seat1"])):
        (mails / f"{number}.eml").write_bytes(mail.as_bytes())

    def run() -> subprocess.CompletedProcess[str]:
        status = campaign.status()
        return subprocess.run(
            [sys.executable, "-I", str(copy), str(bundle), "--head", f"{status['head']}@{status['event']}", "--mail",
             str(mails)], capture_output=True, text=True, check=False, cwd=folder,
        )  # fmt: skip

    good = run()
    assert good.returncode == 0, good.stdout + good.stderr
    lines = bundle.read_text().splitlines(keepends=True)
    bundle.write_text("".join(lines[: len(lines) // 2] + lines[len(lines) // 2 + 1 :]))
    assert run().returncode == 1


def _no_secrets(server: Server, campaign: Campaign) -> None:
    """Nothing that opens a door is in the log."""
    log = server.log.read_text()
    key = (server.var / "secret.key").read_text().strip()
    for secret in (*campaign.tokens.values(), PASSWORD, key):
        assert secret not in log
    assert "Traceback" not in log and DOMAIN not in log.replace(f"@{DOMAIN}", "")
