"""Running the service: which parts a process has, how they start, and how they stop on a signal.

``serve`` has them all in one process; ``web``, ``worker`` and ``smtp`` are the same parts in processes of their own, as
many of each as one likes (`Procfile`).
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
from contextlib import ExitStack
from typing import Any

import waitress

from pbem.campaign.clock import Clock
from pbem.campaign.jobs import Jobs
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.mail.outbound import Courier
from pbem.mail.room import MailRoom
from pbem.render.warming import warm_up
from pbem.resources import kits
from pbem.table.kit import load_kit
from pbem.web.app import create_app
from pbem.web.queue import OrdersFirst

HEARTBEAT_SECONDS = 60
SWEEP_SECONDS = 6 * 3600
THREADS = 8  # of the pages
CONNECTIONS = 500  # of the pages; a slow one costs a descriptor, not a thread
IDLE_SECONDS = 30
GARBAGE = (50_000, 20, 50)
"""How often Python looks for garbage in cycles: with its own numbers it goes through every campaign in memory again and
again, and the more there are the longer each order takes."""
TURN_SECONDS = 0.0005
"""How long a thread goes on while others wait for the interpreter. An order lets go of it at each statement of the
store, and goes on when every page that is being made has had its turn: with Python's own five milliseconds, orders took
ten times as long as soon as there were readers."""

log = logging.getLogger(__name__)


def page_server(service: Service, settings: Settings) -> Any:
    """The server of the pages, which is still to be run."""
    server = waitress.create_server(
        create_app(service, settings), host=settings.web_host, port=settings.web_port, threads=THREADS, ident="pbem",
        # The application itself takes out what did not come from a trusted proxy (`pbem.web.proxies`).
        clear_untrusted_proxy_headers=False,
        connection_limit=CONNECTIONS, channel_timeout=IDLE_SECONDS, asyncore_use_poll=True,
    )  # fmt: skip
    server.task_dispatcher.queue = OrdersFirst()
    return server


class Running:
    """A process of the service: start the parts you want, then `wait` for a signal, or `stop` it yourself.

    Use as a context manager; on leaving, the parts stop in the reverse order of their start.
    """

    def __init__(self, settings: Settings, clock: Clock | None = None):
        gc.set_threshold(*GARBAGE)
        sys.setswitchinterval(TURN_SECONDS)
        os.umask(0o077)  # whatever is written, mails for instance, is for nobody else on this machine
        self.settings = settings
        self.service = Service(settings, clock)
        self.jobs = Jobs()
        self.address = ""
        self._parts = ExitStack()
        self._parts.callback(self.service.close)
        self._stopped = threading.Event()
        self._draws = False

    def __enter__(self) -> Running:
        self._parts.callback(self.jobs.stop)
        return self

    def __exit__(self, *error: Any) -> None:
        self._stopped.set()
        self._parts.close()

    # parts

    def clock(self) -> None:
        """Let the clock tick: deadlines, reminders, mail that nobody took up, read models; and forget what is old."""
        self.jobs.every(self.settings.clock_seconds, "clock", self.service.tick)
        self.jobs.every(SWEEP_SECONDS, "retention", self.service.sweep)

    def mail(self, *, courier: Courier | None = None) -> MailRoom:
        """The whole mail room: listener, poller, courier."""
        room = MailRoom(self.service, self.settings, courier=courier, jobs=self.jobs)
        room.start()
        self._parts.callback(room.stop)
        self._get_ready_to_draw()
        return room

    def listener(self) -> MailRoom:
        """Only the way in for mail; another process takes up what is stored."""
        room = MailRoom(self.service, self.settings, clerk=False, jobs=self.jobs)
        room.start_listener()
        self._parts.callback(room.stop)
        return room

    def worker(self) -> None:
        """What a worker has: the clock, the poller and the courier."""
        room = MailRoom(self.service, self.settings, jobs=self.jobs)
        self._parts.callback(room.stop)
        room.start_poller()
        room.courier.start(self.jobs)
        self.clock()
        self._get_ready_to_draw()

    def web(self) -> str:
        """The pages, in a thread; returns their address."""
        settings = self.settings
        if settings.site.startswith("https:") and not settings.web_trusted_proxies:
            log.warning("site is https, but [web] trusted_proxies is 0: all clients of the proxy count as one")
        server = page_server(self.service, settings)
        threading.Thread(target=server.run, name="web", daemon=True).start()
        self._parts.callback(server.close)
        # What was being answered is answered first; a thread that finds its server closed would fail.
        self._parts.callback(server.task_dispatcher.shutdown)
        self.jobs.every(HEARTBEAT_SECONDS, "web heartbeat", lambda: self.service.heartbeat("web"))
        self._get_ready_to_draw()
        self.address = f"http://{settings.web_host}:{server.effective_port}"
        return self.address

    def _get_ready_to_draw(self) -> None:
        """Work out beforehand what the first pictures of the games being played would wait for; again when the sweep
        is, for games that have come since."""
        if not self._draws:
            self._draws = True
            self.jobs.every(SWEEP_SECONDS, "first pictures", self._warm_up)

    def _warm_up(self) -> None:
        played = {row["game"] for row in self.service.campaigns()}
        warm_up(load_kit(game) for game in kits() if game in played)

    # the end

    def wait(self) -> None:
        """Wait for SIGINT or SIGTERM, or for `stop`. Main thread only."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.stop())
        self._stopped.wait()

    def stop(self) -> None:
        """Let `wait` return."""
        self._stopped.set()
