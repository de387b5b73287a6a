"""Sessions, links and limits: what ends a session, who may guess how often, and what an answer's time tells."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import func, select

from pbem.campaign.moderators import Moderators
from pbem.web import login as login_page
from pbem.web.desk import accounts as desk_pages
from tests.web.conftest import Site, csrf_of

PASSWORD = "correct horse battery"


@pytest.fixture
def site(sites) -> Site:
    made = sites().start()
    accounts = Moderators(made.service.store)
    accounts.add("anna", PASSWORD, made.clock.now(), admin=True)
    return made


def log_in(site: Site, name: str = "anna", password: str = PASSWORD, address: str = "192.0.2.1", client=None):
    client = client or site.app.test_client()
    sent = {"name": name, "password": password, "csrf_token": csrf_of(client, "/desk/login")}
    return client, client.post("/desk/login", data=sent, environ_base={"REMOTE_ADDR": address}).status_code


def copy_of(site: Site, client):
    """A browser with a copy of another's cookie."""
    thief = site.app.test_client()
    cookie = client.get_cookie("pbem")
    thief.set_cookie("pbem", cookie.value)
    return thief


def api(site: Site, token: str) -> int:
    return site.app.test_client().get("/api/desk/campaigns", headers={"Authorization": f"Bearer {token}"}).status_code


@pytest.mark.parametrize("way", ["logout", "password"])
def test_logging_out_and_a_new_password_end_every_session_and_token(site: Site, way: str) -> None:
    client, status = log_in(site)
    assert status == 303
    token = Moderators(site.service.store).new_token("anna")
    thief = copy_of(site, client)
    assert thief.get("/desk/").status_code == 200 and api(site, token) == 200
    sent = {"csrf_token": csrf_of(client, "/desk/account"), "old": PASSWORD, "new": "another long password"}
    assert client.post("/desk/logout" if way == "logout" else "/desk/account/password", data=sent).status_code == 303
    assert thief.get("/desk/").status_code == 302 and api(site, token) == 401
    assert client.get("/desk/").status_code == (302 if way == "logout" else 200)


def test_leaving_ends_the_sessions_of_the_seat_and_not_its_link(site: Site) -> None:
    client = site.client("seat1")
    thief, other = copy_of(site, client), site.client("seat2")
    assert thief.get(site.url("/seat")).status_code == 200
    assert client.post(site.url("/leave"), data={"csrf_token": csrf_of(client)}).status_code == 303
    assert thief.get(site.url("/seat")).status_code == 404 and client.get(site.url("/seat")).status_code == 404
    assert other.get(site.url("/seat")).status_code == 200
    assert site.client("seat1").get(site.url("/seat")).status_code == 200


def test_a_replaced_player_is_out_of_the_pages_at_once(site: Site) -> None:
    client = site.client("seat1")
    site.service.replace(site.id, "seat1", "New", "new@example.net")
    assert client.get(site.url("/seat")).status_code == 404


def test_the_link_of_another_seat_takes_a_button(site: Site) -> None:
    client = site.client("seat1")
    link = site.url(f"/enter/{site.tokens['seat2']}")
    asked = client.get(link)
    assert asked.status_code == 200 and "another seat" in asked.text
    with client.session_transaction() as session:
        before = dict(session["seats"])
    assert client.post(link).status_code == 400  # another site's page has no token for the form
    with client.session_transaction() as session:
        assert dict(session["seats"]) == before
    assert client.post(link, data={"csrf_token": csrf_of(client, link)}).status_code == 303
    with client.session_transaction() as session:
        assert dict(session["seats"]) != before
    assert client.get(link).status_code == 303, "one's own link needs no button"


@pytest.mark.parametrize("names", [["anna"], [" anna", "anna ", "\tanna", "Anna", "ANNA", "anna\u00a0"]])
def test_guesses_are_counted_for_each_client_whatever_the_name_is_dressed_in(site: Site, names: list[str]) -> None:
    found = []
    for n in range(6):
        found.append(log_in(site, names[n % len(names)], "a wrong password")[1])
    assert found[:5] == [401] * 5 and found[5] == 429
    assert log_in(site)[1] == 429


def test_a_hundred_wrong_guesses_of_others_keep_nobody_out(site: Site) -> None:
    for n in range(100):
        assert log_in(site, "anna", "a wrong password", f"198.51.100.{n}")[1] == 401
    assert log_in(site, address="203.0.113.5")[1] == 303


def test_neighbours_of_an_ipv6_network_are_one_client(site: Site) -> None:
    found = [log_in(site, "anna", "wrong", f"2001:db8:0:1::{n:x}")[1] for n in range(1, 7)]
    assert found[-1] == 429
    assert log_in(site, address="2001:db8:0:2::1")[1] == 303


@pytest.mark.parametrize(("address", "field", "module", "function"), [
    ("/link", "address", login_page, "send_links"), ("/desk/login/link", "who", desk_pages, "send_desk_link"),
])  # fmt: skip
def test_a_link_is_sent_after_the_answer(site: Site, monkeypatch, address, field, module, function) -> None:
    client = site.app.test_client()
    token = csrf_of(client, "/link")
    real, answered, began = getattr(module, function), threading.Event(), []

    def slow(*arguments):
        began.append(answered.wait(60))
        return real(*arguments)

    monkeypatch.setattr(module, function, slow)
    assert client.post(address, data={"csrf_token": token, field: "seat1@example.net"}).status_code == 200
    answered.set()
    site.app.extensions["pbem_background"].wait()
    assert began == [True], "it was sent before the page was answered, or not at all"
    box = site.service.store.tables.outbox
    with site.service.store.read() as connection:
        sent = connection.execute(select(func.count()).where(box.c.kind == "link")).scalar_one()
    assert sent == (1 if address == "/link" else 0)
