"""Sites with a campaign on them: the toy, or Struggle of Empires some way into a game."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from lxml import html
from werkzeug.security import generate_password_hash

from pbem import games
from pbem.campaign import moderators
from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Submission
from pbem.web.app import create_app
from pbem.web.security import limiter
from tests import toy

games.register(toy.GAME)


@pytest.fixture(autouse=True)
def _passwords_cost_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes of passwords are made to cost the guesser time; tests that log in by the hundred have none to give."""
    monkeypatch.setattr(moderators, "generate_password_hash", partial(generate_password_hash, method="pbkdf2:sha256:1"))
    moderators._nobody.cache_clear()


class Site:
    """A service with one campaign, and the pages over it."""

    def __init__(
        self,
        folder: Path,
        game: str = "toy",
        seats: int = 3,
        *,
        https: bool = False,
        secret: bytes | None = None,
        **more: Any,
    ):
        """`secret` fixes all dice; without one they fall by chance."""
        site = "https://pbem.example.org" if https else "http://127.0.0.1"
        self.settings = Settings(var=folder, domain="example.org", site=site, web_trusted_proxies=int(https))
        self.clock = ManualClock()
        self.service = Service(self.settings, self.clock, **({"new_secret": lambda: secret} if secret else {}))
        if game == "toy":
            more.setdefault("kit", toy.kit())
        more["policy"] = {"missed": "default", **more.get("policy", {})}  # no grace but where a test is about it
        self.id = self.service.create(game, seats, **more)
        self.seats = [f"seat{n + 1}" for n in range(seats)]
        self.tokens = {
            seat: self.service.invite(self.id, seat, f"Player {seat}", f"{seat}@example.net", timezone="Europe/Paris")
            for seat in self.seats
        }
        self.app = create_app(self.service, self.settings)

    def start(self) -> Site:
        for seat in self.seats:
            self.service.accept(self.id, seat)
        if self.service.status(self.id).game == "toy":
            powers = dict(zip(self.seats, ["red", "blue", "green", "black"], strict=False))
            self.service.assign(self.id, powers)
        self.service.start(self.id)
        self.service.project()
        return self

    def play(self, seed: int, answers: int, until: Callable[[Any], bool] = lambda status: True) -> Site:
        """Answer what is asked by chance, some times and on until something is so."""
        chance = random.Random(seed)
        while True:
            status = self.service.status(self.id)
            if status.state != "running" or (answers <= 0 and until(status)):
                break
            self.answer_one(chance)
            answers -= 1
        self.service.project()
        return self

    def answer_one(self, chance: random.Random) -> None:
        seat = chance.choice(self.service.status(self.id).waiting_seats)

        def choose(table: Any, questions: list[Any]) -> str:
            return chance.choice(questions).sample(table, chance).text()

        line = self.service.table_of(self.id, seat, choose)
        self.clock.advance(minutes=1)
        self.service.submit(Submission(self.id, [line], self.clock.now(), seat=seat))

    def thrown(self) -> list[tuple[int, dict[str, Any]]]:
        """The rolls of dice so far: the number of the event, and the fact."""
        events = self.service.events(self.id)
        return [(e["number"], f) for e in events for f in e["facts"] if f["fact"] == "roll"]

    def at_an_action(self, status: Any) -> bool:
        """Whether somebody is to choose an action, and the game has seen some fights and crossings."""
        return status.kind == "action" and len(self.thrown()) >= 10

    def url(self, path: str = "") -> str:
        return f"/c/{self.id}{path}"

    def client(self, seat: str | None = None) -> FlaskClient:
        """A browser, signed in by the seat's secret link."""
        client = self.app.test_client()
        if seat is not None:
            assert client.get(self.url(f"/enter/{self.tokens[seat]}")).status_code == 303
        return client

    def asked_seat(self) -> str:
        return self.service.status(self.id).waiting_seats[0]


def page(client: FlaskClient, address: str, status: int = 200) -> html.HtmlElement:
    """A page as a tree."""
    answer = client.get(address)
    assert answer.status_code == status, (address, answer.status_code)
    return html.fromstring(answer.data)


def send(client: FlaskClient, tree: html.HtmlElement, address: str, **values: Any) -> Any:
    """Post a form of a page: its CSRF token and hidden fields, and these values (``do``, ``lines``, ...)."""
    kind, having = values.pop("kind", None), values.pop("having", None)
    for form in tree.forms:
        if form.method != "POST" or "language" in form.xpath(".//button/@name"):
            continue
        hidden = {i.name: i.value for i in form.xpath(".//input[@type='hidden']")}
        if having is not None and having not in form.fields:
            continue
        if kind is None or hidden.get("kind") == kind:
            return client.post(address, data={**hidden, **values})
    raise AssertionError(f"the page has no such form: {kind}")


def lines_form(tree: html.HtmlElement) -> dict[str, str]:
    """The hidden fields of the box for lines."""
    form = next(f for f in tree.forms if f.xpath(".//textarea[@name='lines']"))
    return {i.name: i.value for i in form.xpath(".//input[@type='hidden']")}


def csrf_of(client: FlaskClient, address: str = "/") -> str:
    found = re.search(r'name="csrf_token" value="([^"]+)"', client.get(address).text)
    assert found
    return found[1]


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Tests read more pages in a minute than people do, some of them from one site: each test has its own minute."""
    limiter.enabled = True
    if limiter.initialized:
        limiter.reset()


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Make sites; they are closed at the end."""
    made: list[Site] = []

    def make(*arguments: Any, **more: Any) -> Site:
        made.append(Site(tmp_path / f"site{len(made)}", *arguments, **more))
        return made[-1]

    yield make
    for site in made:
        site.service.close()


@pytest.fixture
def toy_site(sites: Callable[..., Site]) -> Site:
    """The toy, in its first window."""
    return sites().start()


@pytest.fixture(scope="module")
def empires(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Struggle of Empires with dice thrown and an action to choose. For tests that only read."""
    site = Site(tmp_path_factory.mktemp("empires"), "struggle_of_empires", 5, title="A <b>long</b> war & peace").start()
    site.play(5, 150, site.at_an_action)
    yield site
    site.service.close()
