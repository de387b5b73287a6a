"""The pages and the API while the store is away: they say so, ask it nothing more, and go on when it is back."""

from __future__ import annotations

import sqlite3

import pytest

from tests.web.conftest import Site, lines_form, page


@pytest.fixture
def closed(toy_site: Site, monkeypatch: pytest.MonkeyPatch):
    """Call it to take the store away: no connection is given, as when a server is down or a disk is gone."""

    def away(*arguments: object, **more: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    def close() -> None:
        monkeypatch.setattr(toy_site.service.store.engine.pool, "connect", away)

    return close


def test_a_page_says_that_the_store_is_away_and_comes_back_with_it(toy_site, closed, monkeypatch) -> None:
    client = toy_site.client("seat1")
    form = lines_form(page(client, toy_site.url("/seat")))
    closed()
    for answer in (
        client.get(toy_site.url("/seat")), client.get("/"),
        client.post(toy_site.url("/orders"), data={**form, "lines": "DONE", "do": "send"}),
    ):  # fmt: skip
        assert answer.status_code == 503 and 0 < int(answer.headers["Retry-After"]) <= 60
        assert "Nothing was taken in" in answer.get_data(as_text=True)
    monkeypatch.undo()
    assert client.get(toy_site.url("/seat")).status_code == 200
    sent = client.post(toy_site.url("/orders"), data={**form, "lines": "DONE", "do": "send"})
    assert sent.status_code in (200, 303)
    assert [asked.answered for asked in toy_site.service.asked(toy_site.id, "seat1")] == [True]


def test_a_program_is_told_to_come_again(toy_site, closed) -> None:
    closed()
    headers = {"Authorization": f"Bearer {toy_site.tokens['seat1']}"}
    answer = toy_site.app.test_client().get(f"/api/campaigns/{toy_site.id}/seat/", headers=headers)
    assert answer.status_code == 503 and answer.json["type"] == "urn:pbem:store-away"
