"""Slips at the moderator's desk, made over real HTTP: what a form lets pass, and what it says instead."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from lxml import html
from werkzeug.serving import make_server

from pbem.campaign.moderators import Moderators
from pbem.campaign.submissions import Submission
from tests import toy
from tests.web.conftest import Site

PASSWORD = "correct horse battery"


class Browser:
    """A moderator's browser, which speaks HTTP with a server on a free port."""

    def __init__(self, site: Site, port: int):
        self.site, self.connection = site, http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.cookies: dict[str, str] = {}
        accounts = Moderators(site.service.store)
        accounts.add("anna", PASSWORD, site.clock.now(), admin=False)
        accounts.take(site.id, "anna")
        assert self.post("/desk/login", "/desk/login", name="anna", password=PASSWORD)[0] == 303

    def ask(self, method: str, path: str, values: Any = ()) -> tuple[int, html.HtmlElement]:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
                   "Content-Type": "application/x-www-form-urlencoded"}  # fmt: skip
        self.connection.request(method, path, urlencode(values), headers)
        answer = self.connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, html.fromstring(answer.read() or b"<p/>")

    def get(self, path: str = "") -> html.HtmlElement:
        status, page = self.ask("GET", path if path.startswith("/") else f"/desk/c/{self.site.id}/{path}")
        assert status == 200, path
        return page

    def post(self, path: str, form_at: str = "/desk/account", **values: str) -> tuple[int, str]:
        """Status and text of the answer; after a redirection, the text of the page that it leads to."""
        token = self.ask("GET", form_at)[1].xpath("//input[@name='csrf_token']/@value")[0]
        path = path if path.startswith("/") else f"/desk/c/{self.site.id}/{path}"
        status, page = self.ask("POST", path, {"csrf_token": token, **values})
        return status, " ".join(page.text_content().split())

    def alert(self, path: str, **values: str) -> str:
        """What is said against something that is refused, without any event."""
        before = self.last
        status, text = self.post(path, **values)
        assert status in (409, 422) and "Nothing was changed." in text and self.last == before, (status, text)
        return text.partition("Nothing was changed.")[2][:600]

    @property
    def last(self) -> int:
        return self.site.service.status(self.site.id).event


@pytest.fixture(autouse=True)
def _toy_is_configured(request, tmp_path, monkeypatch):
    if "published" not in request.keywords:
        monkeypatch.setenv("PBEM_CONFIG", str(toy.write_kit(tmp_path / "config")))


@pytest.fixture
def at_desk(sites: Callable[..., Site]) -> Iterator[Callable[[Site], Browser]]:
    servers = []

    def sit_down(site: Site) -> Browser:
        made = make_server("127.0.0.1", 0, site.app, threaded=True)
        thread = threading.Thread(target=made.serve_forever, daemon=True)
        thread.start()
        servers.append((made, thread))
        return Browser(site, made.server_port)

    yield sit_down
    for made, thread in servers:
        made.shutdown()
        thread.join(5)
        made.server_close()


def test_one_event_without_its_number_shows_nothing(at_desk, toy_site):
    desk = at_desk(toy_site)
    cards = {card for seat in toy_site.seats for name, pile in toy_site.service.view_at(toy_site.id, seat).piles.items()
             if name.startswith("hand:") for card in pile if card != "?"}  # fmt: skip
    assert cards
    for values in ({"what": "event", "event": ""}, {"what": "event", "event": " "}, {"event": "3"}, {}):
        said = desk.alert("hidden", reason="a dispute", **values)
        assert "Show" in said and not any(card in said for card in cards if len(card) > 3), values
    assert "Write the number of the event." in desk.alert("hidden", what="event", event="", reason="a dispute")
    status, text = desk.post("hidden", what="board", reason="a dispute")
    assert status == 200 and "What some cannot see" in text


def test_powers_are_offered_as_they_go_together(at_desk, sites):
    desk = at_desk(sites("virgin_queen", 3))
    seats = desk.site.seats
    offered = {one.get("value"): one.text for one in desk.get().xpath("//select[@name='power.seat1']/option")}
    assert len(offered) == 4 and "England, Protestant" in offered.values()
    assert desk.get().xpath("//label[@for='power-seat1']/text()")[0].startswith("Seat 1 (")
    powers = [power for power in offered if power]
    chosen = {f"power.{seat}": power for seat, power in zip(seats, powers, strict=True)}
    last = f"power.{seats[-1]}"
    said = desk.alert("do/assign", **{**chosen, last: ""})
    assert "still without one: Seat 3" in said
    said = desk.alert("do/assign", **{**chosen, last: powers[0]})
    assert "cannot be given to Seat 3: Seat 1 gets " + offered[powers[0]].replace(", ", " and ") in said
    assert desk.post("do/assign", **chosen)[0] == 303


def test_who_has_a_seat_gets_no_second_one(at_desk, sites):
    desk = at_desk(sites())
    again = {"name": "Again", "address": "SEAT1@example.net"}
    said = desk.alert("do/invite", seat="seat2", instead="true", **again)
    assert "This person has Seat 1 already: nobody holds two" in said
    assert "has Seat 1 already" in desk.alert("do/replace", seat="seat3", **again)
    assert "Not all have accepted yet: Seat 1, Seat 2 and Seat 3" in desk.alert("do/start")
    assert desk.post("do/replace", seat="seat1", **again)[0] == 303, "his own seat he may get anew"


def test_the_address_that_somebody_has_already_ends_no_link(at_desk, toy_site):
    desk = at_desk(toy_site)
    person = toy_site.service.player(toy_site.id, "seat1")["person"]
    token = toy_site.service.token_of(toy_site.id, "seat1")
    assert desk.post(f"/desk/people/{person}/address", address="seat1@example.net")[0] == 303
    assert "his mails go to this address already" in desk.get(f"/desk/people/{person}").text_content()
    assert toy_site.service.token_of(toy_site.id, "seat1") == token


def test_players_own_affairs_are_folded_and_no_point_to_go_back_to(at_desk, sites):
    site = sites("struggle_of_empires", 2).start()
    desk, first = at_desk(site), site.service.status(site.id).event + 1
    seat = site.asked_seat()
    for hour in (6, 7, 8):
        site.service.submit(
            Submission(site.id, [f"SET REPORTS daily AT {hour}"], site.clock.now(), channel="form", seat=seat)
        )
    last = site.service.status(site.id).event
    assert last == first + 2
    folded = desk.get("events").xpath(f"//details[.//*[@id='event-{first}']]")
    assert folded[0].xpath("./summary/text()") == [f"{first} to {last}: players' own affairs"]
    assert len(folded[0].xpath(".//article")) == 3
    offered = desk.get("rewind").xpath("//ul[@class='list']//a/text()")
    assert str(first - 1) in offered and not {str(first), str(first + 1)} & {*offered}
