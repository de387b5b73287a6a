"""Conditional requests: nothing is made or sent again before a new event, and nobody gets what is another's."""

from __future__ import annotations

import pytest

from pbem.campaign.page import Page
from pbem.campaign.submissions import Submission
from tests.web.conftest import Site

PUBLIC = ("", "/ledger", "/ledger/3", "/head", "/bundle")
PROGRAM = ("", "/board", "/events", "/bundle")
SEAT = ("/seat/", "/seat/board", "/seat/questions", "/seat/events", "/seat/standing", "/seat/bundle")


def again(client, address: str, tag: str | None, **headers: str):
    return client.get(address, headers={"If-None-Match": tag or '"none"', **headers})


def go_on(site: Site) -> None:
    assert site.service.submit(Submission(site.id, ["PRESS TO all: hello"], site.clock.now(), seat="seat1")).ok


def test_pages_for_everybody_are_sent_again_after_a_new_event_only(toy_site):
    client = toy_site.app.test_client()
    client.get(toy_site.url())  # the first brings the session's cookie
    tags = {path: client.get(toy_site.url(path)).headers["ETag"] for path in PUBLIC}
    assert len(set(tags.values())) == len(tags)
    for path, tag in tags.items():
        answer = again(client, toy_site.url(path), tag)
        assert (answer.status_code, answer.data) == (304, b"") and answer.headers["ETag"] == tag
        assert answer.headers["Cache-Control"] == "private, no-cache" and "Content-Security-Policy" in answer.headers
    go_on(toy_site)
    for path, tag in tags.items():
        answer = again(client, toy_site.url(path), tag)
        assert answer.status_code == 200 and answer.headers["ETag"] != tag, path


def test_nothing_is_gathered_for_who_has_it(toy_site, monkeypatch):
    site = toy_site
    client, token = site.client("seat1"), {"Authorization": f"Bearer {site.tokens['seat1']}"}
    client.get(site.url("/seat"))
    page = client.get(site.url("/seat"))
    program = client.get(f"/api/campaigns/{site.id}/seat/questions", headers=token)
    monkeypatch.setattr(site.service, "page", lambda *a, **more: pytest.fail("a page was gathered"))
    monkeypatch.setattr(Page, "board", property(lambda page: pytest.fail("a board was made")))
    assert again(client, site.url("/seat"), page.headers["ETag"]).status_code == 304
    answer = again(client, f"/api/campaigns/{site.id}/seat/questions", program.headers["ETag"], **token)
    assert answer.status_code == 304


def test_programs_ask_whether_something_has_changed(toy_site):
    site, client = toy_site, toy_site.app.test_client()
    one, other = ({"Authorization": f"Bearer {site.tokens[seat]}"} for seat in ("seat1", "seat2"))
    for path in (*PROGRAM, *SEAT):
        address, headers = f"/api/campaigns/{site.id}{path}", one if path in SEAT else {}
        first = client.get(address, headers=headers)
        tag = first.headers["ETag"]
        assert first.status_code == 200 and again(client, address, tag, **headers).status_code == 304
        if path in SEAT:
            assert again(client, address, tag, **other).status_code == 200, "what another seat has is no seat's own"
            assert again(client, address, tag).status_code == 401
        go_on(site)
        assert again(client, address, tag, **headers).status_code == 200


def test_the_description_names_the_routes_that_are_asked_again_by_their_tag(toy_site):
    site, client = toy_site, toy_site.app.test_client()
    token = {"Authorization": f"Bearer {site.tokens['seat1']}"}
    described = client.get("/api/openapi.json").get_json()["paths"]
    for path, methods in described.items():
        if "/rolls/" in path or "/answers/" in path or path.startswith("/api/desk") or "get" not in methods:
            continue
        answer = client.get(path.replace("{campaign}", site.id), headers=token)
        assert answer.status_code == 200, path
        assert ("304" in methods["get"]["responses"]) is ("ETag" in answer.headers), path
    assert sum("304" in path.get("get", {}).get("responses", {}) for path in described.values()) == 12


def test_the_page_of_a_seat_is_kept_by_no_browser_and_is_another_for_every_reader(toy_site):
    site = toy_site
    client = site.client("seat1")
    client.get(site.url("/seat"))
    page = client.get(site.url("/seat"))
    tag = page.headers["ETag"]
    assert page.headers["Cache-Control"] == "private, no-store"
    assert again(client, site.url("/seat"), tag).status_code == 304
    assert again(site.client("seat2"), site.url("/seat"), tag).status_code == 200
    site.service.submit(Submission(site.id, ["SET LANGUAGE fr"], site.clock.now(), seat="seat1"))
    french = again(client, site.url("/seat"), tag)
    assert french.status_code == 200 and 'lang="fr"' in french.text
    site.clock.advance(minutes=1)
    assert again(client, site.url("/seat"), french.headers["ETag"]).status_code == 200, "less time is left"


def test_a_message_that_is_shown_once_is_shown(toy_site):
    client = toy_site.app.test_client()
    client.get(toy_site.url())
    tag = client.get(toy_site.url()).headers["ETag"]
    with client.session_transaction() as session:
        session["_flashes"] = [("good", "only now")]
    answer = again(client, toy_site.url(), tag)
    assert answer.status_code == 200 and "only now" in answer.text and "ETag" not in answer.headers


def test_who_follows_a_campaign_is_told_its_last_event_and_others_are_not(sites):
    site = sites(policy={"spectators": "no"}).start()
    assert site.app.test_client().get(site.url("/head")).status_code == 404
    client = site.client("seat1")
    status = site.service.status(site.id)
    assert client.get(site.url("/head")).get_json() == {"event": status.event, "head": status.head}
    shown = client.get(site.url("/seat")).text
    assert f'data-follow="{site.url("/head")}" data-event="{status.event}"' in shown
