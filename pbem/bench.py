"""Benchmarks of the service, printed with the limits of the machine measured in the same run.

Each is a function that takes a `Bench` and adds lines to its table: what, how much, what was wanted. They use the real
store in a folder of their own, and real campaigns of Struggle of Empires played by random legal orders.

Beside the time on the wall stands the processor time of this process: on a machine that others use as well, the wall
tells how busy they are. What is wanted is always compared with the wall.
"""

from __future__ import annotations

import gc
import http.client
import itertools
import json
import multiprocessing
import os
import random
import smtplib
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate
from eventsourcing.domain import event as domain_event

from pbem.campaign.clock import ManualClock
from pbem.campaign.commands import addressed_line, read_line
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings, load_settings
from pbem.campaign.submissions import Submission
from pbem.games import find_game
from pbem.table.kit import load_kit
from pbem.table.playout import play_out

GAME = "struggle_of_empires"
SEATS = 5


@dataclass(frozen=True)
class Cost:
    """What something took, in seconds: on the wall, and of the processor."""

    wall: float
    cpu: float

    def __truediv__(self, number: float) -> Cost:
        return Cost(self.wall / number, self.cpu / number)

    def __str__(self) -> str:
        return f"{ms(self.wall)} (processor {ms(self.cpu)})"


class Stopwatch:
    """Measures a `Cost` from the moment it is made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def read(self) -> Cost:
        """The cost since then."""
        return Cost(time.perf_counter() - self._wall, time.process_time() - self._cpu)


def mean(costs: list[Cost]) -> Cost:
    """The mean of both times."""
    return Cost(statistics.fmean(c.wall for c in costs), statistics.fmean(c.cpu for c in costs))


def median(costs: list[Cost]) -> Cost:
    """The median of each time."""
    return Cost(statistics.median(c.wall for c in costs), statistics.median(c.cpu for c in costs))


def ms(seconds: float) -> str:
    """Seconds as milliseconds, for people."""
    return f"{seconds * 1000:.1f} ms"


@dataclass
class Bench:
    """One run: where it may write, how large it is, and the table so far."""

    folder: Path
    scale: int
    progress: Callable[[str], None]
    rows: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, what: str, measured: str, wanted: str = "") -> None:
        """A line of the table."""
        self.rows.append((what, measured, wanted))
        self.progress(f"{what}: {measured}" + (f"   (wanted: {wanted})" if wanted else ""))


class Workbench:
    """A service of its own with campaigns that are played at random by submissions, as a page sends them."""

    def __init__(self, folder: Path, game: str = GAME, seats: int = SEATS, **settings: Any):
        self.game, self.seats = game, seats
        self.settings = replace(load_settings({}), var=folder, **settings)
        self.clock = ManualClock()
        self.service = Service(self.settings, self.clock)
        self.chance = random.Random(1)

    def found(self, name: str) -> str:
        """A new campaign, begun."""
        campaign = self.service.create(self.game, self.seats, campaign=name)
        for seat in self.service.status(campaign).seats:
            self.service.invite(campaign, seat, seat, f"{seat}@players.example")
            self.service.accept(campaign, seat)
        self.service.start(campaign)
        self.service.project()
        return campaign

    def next_order(self, campaign: str) -> tuple[str, str] | None:
        """A legal order for a seat that is waited for: (seat, line); None at the end."""
        # While answers are sealed, the status names everybody who was asked, those who have answered too.
        asked = {
            seat: [one.key for one in self.service.asked(campaign, seat) if not one.answered]
            for seat in self.service.status(campaign).waiting_seats
        }
        if not any(asked.values()):
            return None
        seat = self.chance.choice([seat for seat, keys in asked.items() if keys])

        def sample(table: Any, questions: list[Any]) -> str:
            question = next(one for one in questions if one.key in asked[seat])
            return addressed_line(question.power, question.sample(table, self.chance).text())

        return seat, self.service.table_of(campaign, seat, sample)

    def send(self, campaign: str, seat: str, line: str) -> Cost:
        """Send one order and bring everything up to date; returns what it took."""
        watch = Stopwatch()
        answer = self.service.submit(
            Submission(campaign=campaign, lines=[line], received_at=self.clock.now(), seat=seat, channel="form")
        )
        self.service.project()
        cost = watch.read()
        if not answer.ok:
            raise RuntimeError(f"a legal order was not taken: {line}: {answer}")
        self.clock.advance(seconds=1)
        return cost

    def play(self, campaign: str, orders: int) -> Iterator[Cost]:
        """Play so many orders, beginning again by a rewind when the game nears its end; yields the cost of each."""
        first = self.service.status(campaign).event
        for _ in range(orders):
            status = self.service.status(campaign)
            board = self.service.view_at(campaign)
            if board.state.get("war", 1) >= 3 and board.state.get("round", 1) >= 4:
                self.service.rewind(campaign, first, "the benchmark goes on")
                self.service.project()
            turn = self.next_order(campaign)
            if turn is None:
                raise RuntimeError(f"{campaign} waits for nobody: {status}")
            yield self.send(campaign, *turn)

    def copies(self, names: list[str], number: int) -> list[str]:
        """So many copies of campaigns, row by row in the store (SQLite), since founding each would take too long."""
        store = self.service.store
        made: list[str] = []
        tables, events = store.tables, str(store.stream.recorder.events_table_name)  # type: ignore[attr-defined]
        copied: list[tuple[str, str, dict[str, str]]] = [
            (events, "originator_id", {}), ("inbox_counters", "campaign", {}), ("sittings", "campaign", {}),
            ("tokens", "campaign", {"hash": "hash || :new"}), ("secrets", "campaign", {}), ("trees", "campaign", {}),
            ("campaigns", "campaign", {}), ("outbox", "campaign", {"message_id": "message_id || :new"}),
        ]  # fmt: skip
        with store.write() as connection:
            columns = {
                name: [row[1] for row in connection.exec_driver_sql(f"PRAGMA table_info({name})")]
                for name, _, _ in copied
            }
            for count in range(max(0, number)):
                old, new = names[count % len(names)], f"copy{len(made)}-{self.clock.now():%H%M%S%f}"
                for table, key, other in copied:
                    kept = [column for column in columns[table] if column != "rowid" and not (
                        table in ("outbox", "sittings") and column == "number"
                    )]
                    values = [other.get(column, ":new" if column == key else column) for column in kept]
                    connection.exec_driver_sql(
                        f"INSERT INTO {table} ({', '.join(kept)}) SELECT {', '.join(values)} FROM {table} "
                        f"WHERE {key} = :old", {"new": new, "old": old},
                    )  # fmt: skip
                made.append(new)
            last = connection.exec_driver_sql(f"SELECT max(rowid) FROM {events}").scalar()
            connection.execute(tables.trackings.update().values(position=last))
        return made

    def close(self) -> None:
        """Close the store."""
        self.service.close()


def quantile(values: list[float], q: float) -> float:
    """The q-quantile of some values, by the nearest rank."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(q * len(ranked)))]


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
    watch = Stopwatch()
    sum(i * i for i in range(3_000_000))
    bench.add("machine: sum of 3,000,000 squares", str(watch.read()))
    bench.add("machine: load average", ", ".join(f"{load:.1f}" for load in os.getloadavg()))


class _Bare(Aggregate):
    @domain_event("Noted")
    def note(self, text: str) -> None:
        self.text = text


class BareLibrary:
    """The bare eventsourcing library, appending events of one size to an SQLite file of the same kind.

    Both write ahead (WAL) and wait for the disk at each commit of events (``synchronous`` FULL): the library's own
    recorder is what the service uses too, and the setting is read back.
    """

    def __init__(self, folder: Path, size: int):
        self.size = size
        self.application: Application = Application(env={
            "PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "bare.sqlite"),
            "IS_SNAPSHOTTING_ENABLED": "no",
        })  # fmt: skip
        self.mode = sqlite_mode(self.application.recorder)
        self._aggregate = _Bare()
        self.application.save(self._aggregate)

    def append(self) -> Cost:
        """Append one event; returns what it took."""
        watch = Stopwatch()
        self._aggregate.note("x" * self.size)
        self.application.save(self._aggregate)
        return watch.read()


def sqlite_mode(recorder: Any) -> str:
    """How an SQLite recorder of the library writes: journal mode and synchronous setting."""
    with recorder.datastore.transaction(commit=False) as cursor:
        modes = []
        for pragma in ("journal_mode", "synchronous"):
            cursor.execute(f"PRAGMA {pragma}")
            modes.append(str(cursor.fetchone()[0]))
    return f"journal {modes[0]}, synchronous {modes[1]}"


# --- orders ---


def orders(bench: Bench) -> None:
    """Accepting an order at few and at many campaigns: rate against the bare library, and the slowest per cent.

    Each order goes to another campaign, chosen by chance, so that at many campaigns most have left the memory. Orders
    at few and at many campaigns and appends of the bare library take turns, so that what else the machine does burdens
    all alike.
    """
    few, table = Workbench(bench.folder / "few"), Workbench(bench.folder / "many")
    watch = Stopwatch()
    founded = {one: [one.found(f"c{number}") for number in range(10)] for one in (few, table)}
    bench.add("founding a campaign", str(watch.read() / 20))
    for one, names in founded.items():
        for name in names:
            for _ in one.play(name, 10):
                pass
    names, compared, bare = list(founded[table]), {}, []
    library = BareLibrary(bench.folder, _event_size(table, names))
    for campaigns in (bench.scale, 10 * bench.scale):
        for name in (added := table.copies(names[:10], campaigns - len(names))):
            table.service.status(name)  # a process that has run for a while has met every campaign before
        names += added
        here: list[Cost] = []
        there: list[Cost] = []
        for _ in range(1000):
            here += few.play(few.chance.choice(founded[few]), 1)
            there += table.play(table.chance.choice(names), 1)
            bare.append(library.append())
        compared[campaigns] = here, there
        bench.progress(f"  10 and {campaigns} campaigns: {median(here)}, {median(there)}; bare {median(bare)}")
    mode = sqlite_mode(table.service.store.stream.recorder)
    bare = bare[:1000]
    bench.add(
        f"bare library: append of {library.size} bytes ({library.mode})",
        f"{1 / mean(bare).wall:.0f} a second, {mean(bare)}",
    )
    library.application.close()
    many = compared[bench.scale][1]
    walls = [cost.wall for cost in many]
    bench.add(
        f"accepting an order at {bench.scale} campaigns ({mode})",
        f"mean {mean(many)}, p50 {ms(quantile(walls, 0.5))}, "
        f"p99 {ms(quantile(walls, 0.99))} (processor {ms(quantile([c.cpu for c in many], 0.99))})", "p99 under 50 ms",
    )  # fmt: skip
    bench.add(
        "accepting, against the bare append rate",
        f"{mean(bare).wall / mean(many).wall:.2f} of it (processor {mean(bare).cpu / mean(many).cpu:.2f})",
        "at least 0.5",
    )
    for campaigns, (before, after) in compared.items():
        ratio = Cost(median(after).wall / median(before).wall, median(after).cpu / median(before).cpu)
        bench.add(
            f"cost at {campaigns} campaigns against that at 10", f"{ratio.wall:.2f} (processor {ratio.cpu:.2f})",
            "within 1.5",
        )
    bench.add("  memory of the process then", f"{_resident() / 2**20:.0f} MiB")
    few.close()
    table.close()


def _resident() -> int:
    """Bytes of memory that the process holds (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


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
    costs = []
    for number, cost in enumerate(table.play(campaign, count)):
        costs.append(cost)
        if number % 1000 == 999:
            bench.progress(f"  {number + 1} orders")
    early, late = median(costs[10:210]), median(costs[-200:])
    bench.add(
        f"cost of an order after {count} against the 10th",
        f"{late.wall / early.wall:.2f} (processor {late.cpu / early.cpu:.2f}), {late}", "within 1.5",
    )  # fmt: skip
    table.close()

    loads = [_load_cost(bench.folder / "long", "long") for _ in range(5)]
    bench.add(f"cold load of {count} orders from the snapshot", str(median(loads)), "under 50 ms")
    replays = [_replay_cost(bench.folder / "long", "long", count) for _ in range(3)]
    bench.add(f"cold load of {count} orders by full replay", str(median(replays)), "under 1 s")


def _load_cost(folder: Path, campaign: str, game: str = GAME, seats: int = SEATS) -> Cost:
    """A campaign from the store until its open question is there, the kit being known to the process."""
    fresh = Workbench(folder, game, seats)
    fresh.found(f"other{time.monotonic_ns()}")
    watch = Stopwatch()
    fresh.service.status(campaign)
    cost = watch.read()
    fresh.close()
    return cost


def _replay_cost(folder: Path, campaign: str, events: int) -> Cost:
    """A campaign by all its events, without a snapshot."""
    fresh = Workbench(folder)
    watch = Stopwatch()
    loaded = fresh.service.store.load(campaign, snapshot=False)
    cost = watch.read()
    assert loaded is not None and loaded.version >= events
    fresh.close()
    return cost


def playouts(bench: Bench) -> None:
    """Random games, every promise checked."""
    kit, game = load_kit(GAME), find_game(GAME)
    watch = Stopwatch()
    records = [play_out(game, kit, number, SEATS, 1) for number in range(20)]
    cost = watch.read()
    failed = sum(1 for record in records if record.failure)
    bench.add(
        "random games with 5 seats, all checks",
        f"{20 / cost.wall:.1f} a second (of processor time {20 / cost.cpu:.1f}), {failed} failed", "at least 5",
    )  # fmt: skip


# --- mail ---


MAILS_EACH, SENDERS = 100, 4


def mail_in(bench: Bench) -> None:
    """Mails over real SMTP connections, each durably stored before it is acknowledged.

    The senders are a process of their own, as mail servers are, so that the processor time of the service stands alone.
    """
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
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    address = f"{campaign}+{token}@{table.settings.domain}"
    senders = context.Process(target=_send_mails, args=(there, listener.port, address))
    senders.start()
    here.recv()
    watch = Stopwatch()
    here.send("go")
    sending = here.recv() / (MAILS_EACH * SENDERS)
    cost = watch.read() / (MAILS_EACH * SENDERS)
    senders.join()
    listener.stop()
    stored = len(table.service.inbox(campaign, 10_000))
    bench.add(
        f"mails in over SMTP ({stored} stored durably, {SENDERS} senders in a process of their own)",
        f"{1 / cost.wall:.0f} a second (of processor time {1 / cost.cpu:.0f}: {ms(cost.cpu)} a mail, and its sender's "
        f"{ms(sending)})",
        "200",
    )  # fmt: skip
    table.close()


def _send_mails(bench: Any, port: int, address: str) -> None:
    """The process of the senders: makes all mails, says that it is ready, and sends them when told to, over one
    connection for each sender; says then what processor time that took."""

    def mail(number: int) -> bytes:
        made = EmailMessage()
        made["From"], made["To"], made["Subject"] = "seat1@players.example", address, "orders"
        made["Message-ID"] = f"<{number}@players.example>"
        made.set_content("STATUS\n")
        return made.as_bytes()

    mails = [mail(number) for number in range(MAILS_EACH * SENDERS)]

    def send(some: list[bytes]) -> None:
        with smtplib.SMTP("127.0.0.1", port) as smtp:
            for raw in some:
                smtp.sendmail("seat1@players.example", [address], raw)

    threads = [threading.Thread(target=send, args=(mails[number::SENDERS],)) for number in range(SENDERS)]
    bench.send("ready")
    bench.recv()
    watch = Stopwatch()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    bench.send(watch.read().cpu)


# --- readers ---


READERS, EACH_LOOKS_EVERY, READ_BY = 500, 10.0, 32
ORDERS_WITH_READERS = 120


def readers(bench: Bench) -> None:
    """Orders by the API of a process whose pages five hundred readers follow, and without them.

    The readers are a process of their own. Half of them have a seat; each asks for the head of the campaign every ten
    seconds, six times as often as a page does by itself, and loads his page as soon as something has happened.
    """
    from pbem.running import page_server
    from pbem.web.security import limiter

    table = Workbench(bench.folder / "readers", web_port=0)
    campaign = table.found("readers")
    for _ in table.play(campaign, 60):
        pass
    tokens = {seat: table.service.token_of(campaign, seat) or "" for seat in table.service.status(campaign).seats}
    server = page_server(table.service, table.settings)
    threading.Thread(target=server.run, daemon=True).start()
    limiter.enabled = False  # all come from one address
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    reading = context.Process(target=_follow, args=(there, server.effective_port, campaign, tokens))
    try:
        alone = _orders_by_api(table, campaign, tokens, server.effective_port)
        reading.start()
        here.recv()
        time.sleep(EACH_LOOKS_EVERY)  # until each has his page
        watched = _orders_by_api(table, campaign, tokens, server.effective_port)
        here.send("enough")
        measured = here.recv()
        reading.join()
    finally:
        limiter.enabled = True
        server.task_dispatcher.shutdown()
        server.close()
        table.close()
    for name, costs, wanted in (("nobody reading", alone, ""),
                                (f"{READERS} open pages", watched, "p95 at most 250 ms")):  # fmt: skip
        bench.add(
            f"an order by the API, {name}", f"p50 {ms(quantile(costs, 0.5))}, p95 {ms(quantile(costs, 0.95))}, "
            f"slowest {ms(max(costs))}", wanted,
        )  # fmt: skip
    for what, costs in measured.items():
        bench.add(
            f"  meanwhile: {what}",
            f"{len(costs)}, p50 {ms(quantile(costs, 0.5))}, p95 {ms(quantile(costs, 0.95))} after they were due",
        )


def _orders_by_api(table: Workbench, campaign: str, tokens: dict[str, str], port: int) -> list[float]:
    """Send orders, one after the other with a pause between; returns the seconds that each took."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    costs = []
    for _ in range(ORDERS_WITH_READERS):
        board = table.service.view_at(campaign)
        if board.state.get("war", 1) >= 3 and board.state.get("round", 1) >= 4:
            break
        turn = table.next_order(campaign)
        assert turn is not None
        seat, line = turn
        headers = {"Authorization": f"Bearer {tokens[seat]}", "Content-Type": "application/json"}
        began = time.perf_counter()
        path = f"/api/campaigns/{campaign}/seat/orders"
        connection.request("POST", path, json.dumps({"lines": [line]}), headers)
        answer = connection.getresponse()
        said = answer.read()
        costs.append(time.perf_counter() - began)
        if answer.status != 200:
            raise RuntimeError(f"a legal order was not taken: {line}: {said!r}")
        table.clock.advance(seconds=1)
        time.sleep(0.2)
    connection.close()
    return costs


def _follow(bench: Any, port: int, campaign: str, tokens: dict[str, str]) -> None:
    """The process of the readers: signs in, says that it is ready, and follows the campaign until told that it is
    enough; says then of each kind of request how long after it was due it was answered."""
    seats = list(tokens)
    cookies = [_cookie(port, campaign, tokens[seat]) for seat in seats] + [""] * len(seats)
    enough = threading.Event()
    costs_of: dict[str, list[float]] = {"head unchanged": [], "head of a new event": [], "page of a seat": [],
                                     "page for spectators": []}  # fmt: skip
    began = time.perf_counter()

    def follow(mine: list[int]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        known: dict[int, str] = dict.fromkeys(mine, "")

        def ask(path: str, reader: int, due: float) -> http.client.HTTPResponse:
            cookie = cookies[reader % len(cookies)]
            headers = {"If-None-Match": known[reader], **({"Cookie": cookie} if cookie else {})}
            connection.request("GET", f"/c/{campaign}{path}", headers=headers)
            answer = connection.getresponse()
            answer.read()
            what = "head unchanged" if answer.status == 304 else "head of a new event"
            if path != "/head":
                what = "page of a seat" if cookie else "page for spectators"
            costs_of[what].append(time.perf_counter() - due)
            return answer

        for turn in itertools.count():
            for reader in mine:
                due = began + (turn + reader / READERS) * EACH_LOOKS_EVERY
                if enough.wait(max(0.0, due - time.perf_counter())):
                    connection.close()
                    return
                answer = ask("/head", reader, due)
                if answer.status == 200:
                    known[reader] = answer.headers["ETag"]
                    ask("/seat" if cookies[reader % len(cookies)] else "", reader, time.perf_counter())

    threads = [threading.Thread(target=follow, args=(list(range(n, READERS, READ_BY)),)) for n in range(READ_BY)]
    for thread in threads:
        thread.start()
    bench.send("ready")
    bench.recv()
    enough.set()
    for thread in threads:
        thread.join()
    bench.send({what: costs for what, costs in costs_of.items() if costs})


def _cookie(port: int, campaign: str, token: str) -> str:
    """The cookie of a browser that has followed the link of a seat."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", f"/c/{campaign}/enter/{token}")
    return str(connection.getresponse().headers["Set-Cookie"]).partition(";")[0]


def report(bench: Bench) -> None:
    """Rendering of a report with its picture."""
    from pbem.render.board_svg import board_svg
    from pbem.render.picture import MAIL_WIDTH, board_png

    table = Workbench(bench.folder / "report")
    campaign = table.found("report")
    for _ in table.play(campaign, 120):
        pass
    costs = _courier_costs(table, campaign)
    slowest = max(costs, key=lambda cost: cost.wall)
    bench.add("a mail composed, picture and all", f"mean {mean(costs)}, slowest round {slowest}", "under 150 ms")
    kit, view = table.service.kit_of(campaign), table.service.view_at(campaign).to_json()
    watch = Stopwatch()
    svg = board_svg(view, kit)
    drawn, watch = watch.read(), Stopwatch()
    board_png(svg, MAIL_WIDTH + 1)  # a width of its own, so that it is painted and not remembered
    bench.add("  of it: SVG, PNG", f"{drawn}, {watch.read()}")
    table.close()


def _courier_costs(table: Workbench, campaign: str) -> list[Cost]:
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
    costs = []
    for _ in range(10):
        turn = table.next_order(campaign)
        assert turn is not None
        table.send(campaign, *turn)
        table.clock.set(table.clock.now() + timedelta(minutes=10))
        before, watch = way.sent, Stopwatch()
        courier.send_due()
        if way.sent > before:
            costs.append(watch.read() / (way.sent - before))
    return costs


# --- long games with secret hands ---


@dataclass(frozen=True)
class LongGame:
    """A game that is measured by itself: its id, its seats, and the turn and phase in which a campaign is late."""

    id: str
    seats: int
    last_turn: int
    phase: str

    @property
    def name(self) -> str:
        """What it is called."""
        return load_kit(self.id).name


HERE_I_STAND = LongGame("here_i_stand", 6, 9, "action")
THIRTY_YEARS_WAR = LongGame("thirty_years_war", 2, 15, "actions")
VIRGIN_QUEEN = LongGame("virgin_queen", 6, 7, "action")


def long_game(of: LongGame, bench: Bench) -> None:
    """Random games, the rules' share of an order, orders of a campaign, its loading, its mails and pages."""
    kit, game = load_kit(of.id), find_game(of.id)
    for check, how in ((False, "unchecked"), (True, "every promise checked")):
        costs, answers, failed = [], 0, 0
        for number in range(4):
            watch = Stopwatch()
            record = play_out(game, kit, number, of.seats, 1, check=check)
            costs.append(watch.read())
            answers, failed = answers + record.answers, failed + bool(record.failure)
        longest = max(costs, key=lambda cost: cost.cpu)
        bench.add(
            f"{of.name}: a random game, {how}", f"mean {mean(costs)} of {answers // 4} orders, "
            f"longest {longest}, {failed} failed", "at most 6 s",
        )  # fmt: skip
    _rules_alone(of, bench)
    table = Workbench(bench.folder / f"{of.id}_turns", of.id, of.seats)
    campaign, costs = _late_campaign(of, table)
    library = BareLibrary(bench.folder, _event_size(table, [campaign]))
    half, bare = median(costs), mean([library.append() for _ in range(300)])
    library.application.close()
    bench.add(
        f"{of.name}: accepting an order, {len(costs)} of them, less a bare append",
        f"p50 {Cost(half.wall - bare.wall, half.cpu - bare.cpu)}, "
        f"p99 with it {ms(quantile([cost.wall for cost in costs], 0.99))}", "p50 at most 25 ms",
    )  # fmt: skip
    _pages(of, bench, table, campaign)
    mails = _courier_costs(table, campaign)
    slowest = max(mails, key=lambda cost: cost.wall)
    bench.add(
        f"{of.name}: a mail composed, picture and all", f"mean {mean(mails)}, slowest round {slowest}",
        "at most 300 ms",
    )  # fmt: skip
    board, events = table.service.view_at(campaign), table.service.status(campaign).event
    table.close()
    named = f"{of.name}: cold load at turn {board.state['turn']}, {events} events"
    measured = [_load_cost(table.settings.var, campaign, of.id, of.seats) for _ in range(5)]
    bench.add(f"{named}, from the snapshot", str(median(measured)), "under 100 ms")
    measured = [_replay_cost(table.settings.var, campaign, events) for _ in range(3)]
    bench.add(f"{named}, by full replay", str(median(measured)), "under 2 s")


def _rules_alone(of: LongGame, bench: Bench) -> None:
    """A game without service and store: reading a line, checking it, carrying it out, splitting the facts by sight."""
    from pbem.campaign.split import Split
    from pbem.table.board import Board
    from pbem.table.dice import RandomThrows
    from pbem.table.procedure import Play, Table

    kit, game = load_kit(of.id), find_game(of.id)
    scenario = next(iter(kit.scenarios))
    powers, chance, throws = game.powers(kit, scenario), random.Random(1), RandomThrows(1)
    table = Table(Board(of.id, powers), kit, game=game)
    game.set_up(table, scenario)
    play, costs = Play(game, table), []
    play.start(throws)
    while not play.over:
        power = chance.choice(play.waiting_for())
        question = play.question_for(power)
        assert question is not None
        line = question.sample(table, chance).text()
        watch = Stopwatch()
        table.watch = Split({power: [power] for power in powers}).hear
        order = read_line(list(game.orders), line, kit)
        play.answer(power, order, throws)
        table.watch = None
        costs.append(watch.read())
    bench.add(
        f"{of.name}: the rules' share of an order, of {len(costs)}",
        f"p50 {median(costs)}, p99 {ms(quantile([cost.cpu for cost in costs], 0.99))} of the processor",
    )


def _late_campaign(of: LongGame, table: Workbench) -> tuple[str, list[Cost]]:
    """A campaign in the action phase of its last turn, and what the orders took; many end before: the latest then."""
    costs: list[Cost] = []
    latest = ("", 0)
    for number in range(8):
        campaign = table.found(f"turns{number}")
        while following := table.next_order(campaign):
            board = table.service.view_at(campaign)
            turn = board.state.get("turn", 1)
            if turn == of.last_turn and board.state.get("phase") == of.phase:
                return campaign, costs
            latest = max(latest, (campaign, turn), key=lambda known: known[1])
            costs.append(table.send(campaign, *following))
    raise RuntimeError(
        f"no random game of {of.name} came to turn {of.last_turn}; the furthest, {latest[0]}, to turn {latest[1]}"
    )


def _pages(of: LongGame, bench: Bench, table: Workbench, campaign: str) -> None:
    """What is asked of a seat, as mails tell it, and the seat's page with forms and map, at questions that follow."""
    from pbem.web.app import create_app

    app = create_app(table.service, table.settings)
    asked, pages = [], []
    for _ in range(12):
        turn = table.next_order(campaign)
        assert turn is not None
        seat, line = turn
        client = app.test_client()
        client.get(f"/c/{campaign}/enter/{table.service.token_of(campaign, seat)}")
        watch = Stopwatch()
        table.service.asked(campaign, seat)
        asked.append(watch.read())
        watch = Stopwatch()
        page = client.get(f"/c/{campaign}/seat")
        pages.append(watch.read())
        if page.status_code != 200:
            raise RuntimeError(f"the page of {seat} cannot be made: {page.status}")
        table.send(campaign, seat, line)
    bench.add(f"{of.name}: what is asked of a seat, with examples", f"p50 {median(asked)}", "under 100 ms")
    first, *others = pages  # the first of a process reads templates and phrases
    slowest = max(others, key=lambda cost: cost.cpu)
    bench.add(
        f"{of.name}: the page of a seat, forms and map",
        f"p50 {median(others)}, slowest {slowest}, first {first}", "p50 under 100 ms",
    )  # fmt: skip


ALL: dict[str, Callable[[Bench], None]] = {
    "machine": machine,
    "orders": orders,
    "long": long_campaign,
    "playouts": playouts,
    "mail": mail_in,
    "readers": readers,
    "report": report,
    HERE_I_STAND.id: partial(long_game, HERE_I_STAND),
    THIRTY_YEARS_WAR.id: partial(long_game, THIRTY_YEARS_WAR),
    VIRGIN_QUEEN.id: partial(long_game, VIRGIN_QUEEN),
}


@contextmanager
def workplace() -> Iterator[Path]:
    """A folder on the disk of the present one, not in memory, gone afterwards."""
    with tempfile.TemporaryDirectory(dir=".", prefix=".bench-") as folder:
        yield Path(folder)


def run(chosen: list[str], scale: int, progress: Callable[[str], None]) -> Bench:
    """Run some benchmarks; `scale` is the number of campaigns, a tenth of the orders of the long campaign."""
    from pbem.running import GARBAGE, TURN_SECONDS

    gc.set_threshold(*GARBAGE)  # as the service has it
    sys.setswitchinterval(TURN_SECONDS)
    with workplace() as folder:
        bench = Bench(folder, scale, progress)
        for name in chosen:
            ALL[name](bench)
    return bench


__all__ = ["ALL", "Bench", "Settings", "run"]
