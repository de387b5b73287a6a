"""The language that a player reads his pages in is that of his mails too."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from lxml import html

from tests.web.conftest import Site


def footer(client: FlaskClient, site: Site, code: str) -> str:
    """Choose a language at the foot of the seat's page; the page that comes."""
    tree = html.fromstring(client.get(site.url("/seat")).data)
    form = next(form for form in tree.forms if form.action == "/language")
    answer = client.post("/language", data={**dict(form.form_values()), "language": code}, follow_redirects=True)
    assert answer.status_code == 200
    return answer.text


def take_seat(client: FlaskClient, site: Site, **headers: str) -> None:
    """Press the button of the invitation."""
    tree = html.fromstring(client.get(site.url("/seat"), headers=headers).data)
    form = next(form for form in tree.forms if "/orders" in form.action and "reply" not in form.fields)
    fields = {**dict(form.form_values()), "reply": "accept"}
    assert client.post(site.url("/orders"), data=fields, headers=headers).status_code == 303


def language_of(site: Site, seat: str = "seat1") -> str:
    player = site.service.player(site.id, seat)
    assert player is not None
    return str(player["language"])


@pytest.mark.parametrize("code", ["fr", "ru"])
def test_a_language_chosen_below_the_invitation_is_that_of_the_mails(sites, code):
    site = sites()
    client = site.client("seat1")
    footer(client, site, code)
    take_seat(client, site)
    assert language_of(site) == code and language_of(site, "seat2") == "en"


def test_a_language_chosen_on_another_page_before_comes_with_the_seat(sites):
    site = sites()
    client = site.client("seat1")
    with client.session_transaction() as session:
        session["language"] = "ru"
    take_seat(client, site)
    assert language_of(site) == "ru"


def test_the_language_that_the_browser_asks_for_comes_with_the_seat_and_the_page_says_so(sites):
    site = sites()
    client = site.client("seat1")
    asked = {"Accept-Language": "fr-CA,fr;q=0.9,en;q=0.5"}
    invitation = client.get(site.url("/seat"), headers=asked).text
    assert '<html lang="fr">' in invitation and "vos courriels seront dans la langue de cette page" in invitation
    take_seat(client, site, **asked)
    assert language_of(site) == "fr"


def test_who_has_chosen_a_language_keeps_it_whatever_his_browser_asks_for(sites):
    site = sites()
    client = site.client("seat1")
    assert "Your mails come in this language too" in footer(client, site, "en")
    asked = {"Accept-Language": "fr"}
    assert '<html lang="en">' in client.get(site.url("/seat"), headers=asked).text
    take_seat(client, site, **asked)
    assert language_of(site) == "en"


def test_a_language_chosen_while_playing_is_told_to_be_that_of_the_mails_once(toy_site):
    client = toy_site.client("seat1")
    said = "Письма теперь тоже будут приходить на этом языке"
    assert said in footer(client, toy_site, "ru") and language_of(toy_site) == "ru"
    assert said not in footer(client, toy_site, "ru")
    assert language_of(toy_site, "seat2") == "en"


def test_a_language_chosen_for_the_seat_of_another_changes_nothing_of_his(toy_site):
    client = toy_site.client("seat1")
    tree = html.fromstring(client.get("/").data)
    token = next(form for form in tree.forms if form.action == "/language").fields["csrf_token"]
    fields = {"csrf_token": token, "language": "ru", "back": "/", "campaign": "elsewhere"}
    assert client.post("/language", data=fields).status_code == 303
    assert language_of(toy_site) == "en"
