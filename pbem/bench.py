"""Benchmarks of the service, printed with the limits of the machine measured in the same run.

Each is a function that takes a `Bench` and adds lines to its table: what, how much, what was wanted. They use the real
store in a folder of their own, and real campaigns of Struggle of Empires played by random legal orders.
"""

from __future__ import annotations

import os
import random
import smtplib
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate
from eventsourcing.domain import event as domain_event

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings, load_settings
from pbem.campaign.submissions import Submission
from pbem.games import find_game
from pbem.table.kit import load_kit
from pbem.table.playout import play_out

GAME = "struggle_of_empires"
SEATS = 5


@dataclass
class Bench:
    """One run: where it may write, how large it is, and the table so far."""

    folder: Path
    scale: int
    progress: Callable[[str], None]
    rows: list[tuple[str, str, str]] = field(default_factory=list)
    bare_rate: float = 0.0

    def add(self, what: str, measured: str, wanted: str = "") -> None:
        """A line of the table."""
        self.rows.append((what, measured, wanted))
        self.progress(f"{what}: {measured}" + (f"   (wanted: {wanted})" if wanted else ""))


class Workbench:
    """A service of its own with campaigns that are played at random by submissions, as a page sends them."""

    def __init__(self, folder: Path, **settings: Any):
        self.settings = replace(load_settings({}), var=folder, **settings)
        self.clock = ManualClock()
        self.service = Service(self.settings, self.clock)
        self.chance = random.Random(1)
        self.event_bytes: list[int] = []

    def found(self, name: str) -> str:
        """A new campaign, begun."""
        campaign = self.service.create(GAME, SEATS, campaign=name)
        for seat in self.service.status(campaign).seats:
            self.service.invite(campaign, seat, seat, f"{seat}@players.example")
            self.service.accept(campaign, seat)
        self.service.start(campaign)
        self.service.project()
        return campaign

    def next_order(self, campaign: str) -> tuple[str, str] | None:
        """A legal order for a seat that is waited for: (seat, line); None at the end."""
        status = self.service.status(campaign)
        if not status.waiting_seats:
            return None
        seat = self.chance.choice(status.waiting_seats)

        def sample(table: Any, questions: list[Any]) -> str:
            open_ones = [q for q in questions if q.power in status.waiting_for] or questions
            return open_ones[0].sample(table, self.chance).text()

        return seat, self.service.table_of(campaign, seat, sample)

    def send(self, campaign: str, seat: str, line: str) -> float:
        """Send one order and bring everything up to date; returns the seconds it took."""
        began = time.perf_counter()
        answer = self.service.submit(
            Submission(campaign=campaign, lines=[line], received_at=self.clock.now(), seat=seat, channel="form")
        )
        self.service.project()
        seconds = time.perf_counter() - began
        if not answer.ok:
            raise RuntimeError(f"a legal order was not taken: {line}: {answer}")
        self.clock.advance(seconds=1)
        return seconds

    def play(self, campaign: str, orders: int) -> Iterator[float]:
        """Play so many orders, beginning again by a rewind when the game nears its end; yields the time of each."""
        first = self.service.status(campaign).event
        for _ in range(orders):
            status = self.service.status(campaign)
            board = self.service.view_at(campaign)
            if board.state.get("war", 1) >= 3 and board.state.get("round", 1) >= 4:
                self.service.rewind(campaign, first, "the benchmark goes on")
                self.service.project()
            found = self.next_order(campaign)
            if found is None:
                raise RuntimeError(f"{campaign} waits for nobody: {status}")
            yield self.send(campaign, *found)

    def close(self) -> None:
        """Close the store."""
        self.service.close()


def quantile(values: list[float], q: float) -> float:
    """The q-quantile of some values, by the nearest rank."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(q * len(ranked)))]


def ms(seconds: float) -> str:
    """Seconds as milliseconds, for people."""
    return f"{seconds * 1000:.1f} ms"


# --- the machine ---


def machine(bench: Bench) -> None:
    """What the machine can do: durable writes, and plain Python."""
    path = bench.folder / "fsync"
    with path.open("wb") as file:
        count, began = 0, time.perf_counter()
        while time.perf_counter() - began < 1.0:
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
            count += 1
    bench.add("machine: fsync of 4 KiB", f"{count:.0f} a second")
    began = time.perf_counter()
    sum(i * i for i in range(3_000_000))
    bench.add("machine: sum of 3,000,000 squares", ms(time.perf_counter() - began))


class _Bare(Aggregate):
    @domain_event("Noted")
    def note(self, text: str) -> None:
        self.text = text


def bare_appends(bench: Bench, size: int) -> None:
    """How fast the bare eventsourcing library appends events of the same size to an SQLite file of the same kind."""
    database = bench.folder / "bare.sqlite"
    application: Application = Application(env={
        "PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(database), "IS_SNAPSHOTTING_ENABLED": "no",
    })  # fmt: skip
    aggregate = _Bare()
    application.save(aggregate)
    text = "x" * size
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < 3.0:
        aggregate.note(text)
        application.save(aggregate)
        count += 1
    bench.bare_rate = count / (time.perf_counter() - began)
    application.close()
    bench.add(f"bare library: append of {size} bytes", f"{bench.bare_rate:.0f} a second ({ms(1 / bench.bare_rate)})")


# --- orders ---


def orders(bench: Bench) -> None:
    """Accepting an order at many campaigns: rate against the bare library, and the slowest per cent."""
    campaigns = bench.scale
    table = Workbench(bench.folder / "many")
    names = []
    began = time.perf_counter()
    few: list[float] = []
    for number in range(campaigns):
        names.append(table.found(f"c{number}"))
        if number == 9:
            few = [t for name in names for t in table.play(name, 30)]
    bench.add(f"founding {campaigns} campaigns", f"{(time.perf_counter() - began) / campaigns * 1000:.0f} ms each")
    chosen = [table.chance.choice(names) for _ in range(40)]
    many = [t for name in chosen for t in table.play(name, 30)]
    size = _event_size(table, chosen)
    bare_appends(bench, size)
    mean = statistics.fmean(many)
    bench.add(
        f"accepting an order at {campaigns} campaigns", f"mean {ms(mean)}, p50 {ms(quantile(many, 0.5))}, "
        f"p99 {ms(quantile(many, 0.99))}", "p99 under 50 ms",
    )  # fmt: skip
    share = 1 / mean / bench.bare_rate
    bench.add("accepting, against the bare append rate", f"{share:.2f} of it", "at least 0.25")
    growth = statistics.median(many) / statistics.median(few)
    bench.add(f"cost at {campaigns} campaigns against that at 10", f"{growth:.2f}", "within 1.5")
    table.close()


def _event_size(table: Workbench, campaigns: list[str]) -> int:
    store = table.service.store
    sizes = []
    for name in campaigns[:10]:
        for stored in store.stored(name):
            if stored.kind == "order":
                sizes.append(len(str(stored.sealed)) + len(str(stored.change)))
    return int(statistics.fmean(sizes))


def long_campaign(bench: Bench) -> None:
    """A campaign of ten times the scale in orders: is its cost flat, and how fast is it loaded cold?"""
    count = bench.scale * 10
    table = Workbench(bench.folder / "long")
    campaign = table.found("long")
    times = []
    for number, seconds in enumerate(table.play(campaign, count)):
        times.append(seconds)
        if number % 1000 == 999:
            bench.progress(f"  {number + 1} orders")
    early, late = statistics.median(times[10:210]), statistics.median(times[-200:])
    bench.add(f"cost of an order after {count} against the 10th", f"{late / early:.2f} ({ms(late)})", "within 1.5")
    table.close()

    def load() -> float:
        """A campaign from the store until its open question is there, the kit being known to the process."""
        fresh = Workbench(bench.folder / "long")
        fresh.found(f"other{time.monotonic_ns()}")
        began = time.perf_counter()
        fresh.service.status("long")
        seconds = time.perf_counter() - began
        fresh.close()
        return seconds

    def replay() -> float:
        fresh = Workbench(bench.folder / "long")
        began = time.perf_counter()
        found = fresh.service.store.load("long", snapshot=False)
        assert found is not None and found.version > count
        seconds = time.perf_counter() - began
        fresh.close()
        return seconds

    bench.add(f"cold load of {count} orders from the snapshot", ms(load()), "under 50 ms")
    bench.add(f"cold load of {count} orders by full replay", ms(replay()), "under 1 s")


def playouts(bench: Bench) -> None:
    """Random games, every promise checked."""
    kit, game = load_kit(GAME), find_game(GAME)
    began = time.perf_counter()
    records = [play_out(game, kit, number, SEATS, 1) for number in range(20)]
    seconds = time.perf_counter() - began
    failed = sum(1 for record in records if record.failure)
    bench.add("random games with 5 seats, all checks", f"{20 / seconds:.1f} a second, {failed} failed", "at least 5")


# --- mail ---


def mail_in(bench: Bench) -> None:
    """Mails over real SMTP connections, each durably stored before it is acknowledged."""
    from pbem.mail.limits import RateLimits
    from pbem.mail.listener import Listener
    from pbem.mail.room import MailRoom

    table = Workbench(bench.folder / "mail", listen_port=0)
    campaign = table.found("mail")
    token = table.service.token_of(campaign, "seat1")
    room = MailRoom(table.service, table.settings, clerk=False)
    unlimited = RateLimits(per_peer=None, per_token=None)
    listener = Listener("127.0.0.1", 0, room.accept, domain=table.settings.domain, limits=unlimited)
    listener.start()
    address = f"{campaign}+{token}@{table.settings.domain}"
    each, clients = 100, 4

    def client(number: int) -> None:
        with smtplib.SMTP("127.0.0.1", listener.port) as smtp:
            for k in range(each):
                mail = EmailMessage()
                mail["From"], mail["To"], mail["Subject"] = "seat1@players.example", address, "orders"
                mail["Message-ID"] = f"<{number}.{k}@players.example>"
                mail.set_content("STATUS\n")
                smtp.send_message(mail)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rate = each * clients / (time.perf_counter() - began)
    listener.stop()
    stored = len(table.service.inbox(campaign, 10_000))
    bench.add(f"mails in over SMTP ({stored} stored durably)", f"{rate:.0f} a second", "200")
    table.close()


def report(bench: Bench) -> None:
    """Rendering of a report with its picture."""
    from pbem.render.board_svg import board_svg
    from pbem.render.picture import MAIL_WIDTH, board_png

    table = Workbench(bench.folder / "report")
    campaign = table.found("report")
    for _ in table.play(campaign, 120):
        pass
    courier_times = _courier_times(table)
    bench.add("a mail composed, picture and all", f"mean {ms(statistics.fmean(courier_times))}", "under 150 ms")
    kit, view = table.service.kit_of(campaign), table.service.view_at(campaign).to_json()
    began = time.perf_counter()
    svg = board_svg(view, kit)
    drawn = time.perf_counter() - began
    began = time.perf_counter()
    board_png(svg, MAIL_WIDTH)
    bench.add("  of it: SVG, PNG", f"{ms(drawn)}, {ms(time.perf_counter() - began)}")
    table.close()


def _courier_times(table: Workbench) -> list[float]:
    from pbem.mail.outbound import Courier

    class Counting:
        """Counts what is handed over."""

        sent = 0

        def send(self, raw: bytes, sender: str, recipient: str) -> None:
            self.sent += 1

        def close(self) -> None:
            """Nothing is open."""

    way = Counting()
    courier = Courier(table.service, transport=way)
    table.clock.advance(hours=1)
    courier.send_due()
    times = []
    for _ in range(10):
        found = table.next_order("report")
        assert found is not None
        table.send("report", *found)
        table.clock.set(table.clock.now() + timedelta(minutes=10))
        before, began = way.sent, time.perf_counter()
        courier.send_due()
        if way.sent > before:
            times.append((time.perf_counter() - began) / (way.sent - before))
    return times


ALL: dict[str, Callable[[Bench], None]] = {
    "machine": machine,
    "orders": orders,
    "long": long_campaign,
    "playouts": playouts,
    "mail": mail_in,
    "report": report,
}


@contextmanager
def workplace() -> Iterator[Path]:
    """A folder on the disk of the present one, not in memory, gone afterwards."""
    with tempfile.TemporaryDirectory(dir=".", prefix=".bench-") as folder:
        yield Path(folder)


def run(chosen: list[str], scale: int, progress: Callable[[str], None]) -> Bench:
    """Run some benchmarks; `scale` is the number of campaigns, a tenth of the orders of the long campaign."""
    with workplace() as folder:
        bench = Bench(folder, scale, progress)
        for name in chosen:
            ALL[name](bench)
    return bench


__all__ = ["ALL", "Bench", "Settings", "run"]
