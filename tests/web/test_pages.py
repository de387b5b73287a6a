from __future__ import annotations

import contextlib
import http.cookiejar
import io
import logging
import re
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from datetime import datetime
from functools import cache

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from lxml import html
from waitress.server import create_server

from pbem import resources
from pbem.campaign import outbox, policy, rulings, verify
from pbem.campaign.forms import order_forms, read_form
from pbem.campaign.links import KIND, seat_link, send_links
from pbem.games import find_game
from pbem.render.language import find_language, languages
from pbem.render.narrative import Teller
from pbem.render.tellings import STATES
from pbem.resources import kits
from pbem.table.conditions import vocabulary
from pbem.table.orders import Refused, read_order
from pbem.web.actions import ACTIONS
from tests import toy
from tests.campaign.test_two_powers import kit as pairs_kit
from tests.web.conftest import Site, csrf_of, lines_form, page, send

EVIL = '<script>alert("x")</script><img src=x onerror=alert(1)>{{7*191}}{% raw %}'


def addresses(site: Site, roll: tuple[int, int] | None = None) -> list[str]:
    """Every kind of page that a player can open."""
    last = site.service.status(site.id).event
    found = ["/", "/games", "/link", site.url(), site.url("/seat"), site.url("/messages"), site.url("/standing"),
             site.url("/settings"), site.url("/ledger"), site.url(f"/ledger/{last}"), site.url("/ledger/1"),
             site.url("/check"), "/games/struggle_of_empires/orders", "/games/struggle_of_empires/kit"]  # fmt: skip
    return found + ([site.url(f"/rolls/{roll[0]}/{roll[1]}")] if roll else [])


def rolls(site: Site, seat: str | None = None) -> list[tuple[int, int]]:
    events = site.service.events(site.id, seat)
    return [(proof["tree"], proof["index"]) for event in events for proof in event["throws"]]


def event(site: Site) -> int:
    return site.service.status(site.id).event


# --- security ---------------------------------------------------------------------------------------------------------


def test_every_page_has_strict_headers_and_no_inline_code(empires):
    client = empires.client(empires.asked_seat())
    for address in [*addresses(empires, rolls(empires)[-1]), "/nothing-here", empires.url("/rolls/0/99999")]:
        answer = client.get(address)
        assert answer.status_code in (200, 404), address
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "script-src 'self'" in policy
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Cache-Control"] == "private, no-store"
        tree = html.fromstring(answer.data)
        assert not tree.xpath("//script[not(@src)] | //style | //@style"), address
        assert not [name for node in tree.iter() for name in node.attrib if name.startswith("on")], address
        outside = [link for link in tree.xpath("//@src | //link/@href | //form/@action") if not link.startswith("/")]
        assert not outside, address


def test_pages_are_labelled_for_those_who_do_not_see_them(empires):
    client = empires.client(empires.asked_seat())
    for address in addresses(empires, rolls(empires)[-1]):
        tree = page(client, address)
        ids = tree.xpath("//*[not(ancestor::*[local-name()='svg'])]/@id")
        assert len(ids) == len(set(ids)), address
        assert len(tree.xpath("//h1")) == 1 and tree.get("lang") == "en"
        for field in tree.xpath("//input[not(@type='hidden')] | //select | //textarea"):
            named = field.get("aria-label") or field.xpath("ancestor::label") or (
                field.get("id") and tree.xpath(f"//label[@for='{field.get('id')}']")
            )
            assert named, (address, html.tostring(field)[:200])
        for button in tree.xpath("//button"):
            assert button.text_content().strip() or button.get("aria-label")


def test_the_secret_link_leaves_no_token_behind(toy_site, caplog):
    caplog.set_level(logging.DEBUG)
    token = toy_site.tokens["seat1"]
    client = toy_site.app.test_client()
    answer = client.get(toy_site.url(f"/enter/{token}"))
    assert answer.status_code == 303 and answer.headers["Location"] == toy_site.url("/seat")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Secure" not in cookie
    assert token not in urllib.parse.unquote(cookie)
    for address in addresses(toy_site):
        assert token not in client.get(address).text
    for _ in range(40):
        client.get(toy_site.url(f"/enter/{token}"))  # the last of them beyond the limit
    assert token not in caplog.text


def test_cookies_are_for_https_only_where_the_site_is(sites):
    site = sites(https=True).start()
    answer = site.app.test_client().get(site.url(f"/enter/{site.tokens['seat1']}"), base_url="https://pbem.example.org")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-pbem=") and "Secure" in cookie and "HttpOnly" in cookie
    assert "max-age=" in answer.headers["Strict-Transport-Security"]
    plain = site.app.test_client().get("/", base_url="http://pbem.example.org")
    assert plain.status_code == 307 and plain.headers["Location"] == "https://pbem.example.org/"


def plain_body(answer) -> str:
    return re.sub(r'value="[^"]*"', "", answer.text)


def test_wrong_and_foreign_tokens_see_what_an_unknown_campaign_shows(sites):
    site, other = sites().start(), sites().start()
    client = site.app.test_client()
    unknown = client.get("/c/no-such-campaign/enter/aaaa")
    assert unknown.status_code == 404
    for address in (
        site.url("/enter/aaaa"),
        site.url(f"/enter/{other.tokens['seat1']}"),
        site.url(f"/enter/{'a' * 5000}"),
        site.url("/enter/%00%ff"),
        "/c/no-such-campaign/seat",
        site.url("/seat"),
        site.url("/messages"),
        site.url("/standing"),
        site.url("/settings"),
    ):
        answer = client.get(address)
        assert (answer.status_code, plain_body(answer)) == (404, plain_body(unknown)), address
    token = csrf_of(client)
    for address in ("/orders", "/messages", "/standing", "/settings"):
        before = event(site)
        answer = client.post(site.url(address), data={"csrf_token": token, "lines": "DONE", "do": "send"})
        assert answer.status_code == 404 and event(site) == before


def test_a_seat_given_to_another_player_is_closed_to_the_first(toy_site):
    first = toy_site.client("seat1")
    assert first.get(toy_site.url("/seat")).status_code == 200
    new = toy_site.service.replace(toy_site.id, "seat1", "Next", "next@example.net")
    assert first.get(toy_site.url("/seat")).status_code == 404
    assert first.get(toy_site.url(f"/enter/{toy_site.tokens['seat1']}")).status_code == 404
    second = toy_site.app.test_client()
    assert second.get(toy_site.url(f"/enter/{new}")).status_code == 303
    assert second.get(toy_site.url("/seat")).status_code == 200


def test_a_forged_or_altered_session_is_no_session(toy_site):
    client = toy_site.client("seat1")
    good = client.get_cookie("pbem").value
    for forged in (good[:-2] + "AA", "eyJzZWF0cyI6e319.aaaa.bbbb", "", "x" * 6000):
        other = toy_site.app.test_client()
        other.set_cookie("pbem", forged)
        assert other.get(toy_site.url("/seat")).status_code == 404


def test_leaving_forgets_the_seat(toy_site):
    client = toy_site.client("seat1")
    tree = page(client, toy_site.url("/settings"))
    form = next(f for f in tree.forms if (f.get("action") or "").endswith("/leave"))
    assert client.post(form.action, data=dict(form.form_values())).status_code == 303
    assert client.get(toy_site.url("/seat")).status_code == 404


@pytest.mark.parametrize("path", ["/orders", "/messages", "/standing", "/settings", "/leave"])
def test_forms_without_their_token_do_nothing(toy_site, path):
    client = toy_site.client("seat1")
    before = event(toy_site)
    data = {"lines": "DONE", "do": "send", "to": "ALL", "text": "hello", "timezone": "UTC", "cancel": "1"}
    for more in ({}, {"csrf_token": "wrong"}):
        answer = client.post(toy_site.url(path), data={**data, **more})
        assert answer.status_code == 400 and "nothing has been carried out" in answer.text
    assert event(toy_site) == before
    assert client.get(toy_site.url("/seat")).status_code == 200


def test_posts_from_another_site_are_refused_even_with_a_token(toy_site):
    client = toy_site.client("seat1")
    fields = lines_form(page(client, toy_site.url("/seat")))
    before = event(toy_site)
    answer = client.post(toy_site.url("/orders"), data={**fields, "lines": "DONE", "do": "send"},
                         headers={"Sec-Fetch-Site": "cross-site"})  # fmt: skip
    assert answer.status_code == 403 and event(toy_site) == before


def test_the_language_form_leads_nowhere_else(toy_site):
    client = toy_site.app.test_client()
    token = csrf_of(client)
    evil = ("https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/a\r\nSet-Cookie: x=1")
    for back in evil:
        answer = client.post("/language", data={"csrf_token": token, "language": "fr", "back": back})
        assert answer.status_code == 303 and answer.headers["Location"] == "/"
    assert client.post("/language", data={"csrf_token": token, "language": "../../x"}).status_code == 400


def test_texts_of_players_are_shown_as_text(sites):
    site = sites(title=EVIL).start()
    writer, reader = site.client("seat1"), site.client("seat2")
    tree = page(writer, site.url("/messages"))
    assert send(writer, tree, site.url("/messages"), to="blue", text=EVIL).status_code == 303
    fields = lines_form(page(writer, site.url("/seat")))
    answer = writer.post(site.url("/orders"), data={**fields, "lines": EVIL, "do": "send"}, follow_redirects=True)
    assert "alert" in html.fromstring(answer.data).text_content()
    checked = writer.post(site.url("/orders"), data={**fields, "lines": EVIL, "do": "check"})
    standing = page(writer, site.url("/standing"))
    wrong = send(writer, standing, site.url("/standing"), **{"f.kind": EVIL, "f.order": EVIL})
    texts = [answer.text, checked.text, wrong.text]
    texts += [client.get(a).text for client in (writer, reader) for a in addresses(site)]
    assert EVIL in html.fromstring(reader.get(site.url("/messages")).data).text_content()
    for text in texts:
        tree = html.fromstring(text)
        assert not tree.xpath("//script[not(@src)] | //img[@onerror]")
        assert "1337" not in text
    assert EVIL in page(site.client(), site.url()).xpath("//h1")[0].text


def test_limits_on_links_and_signing_in(toy_site):
    client = toy_site.app.test_client()
    answers = [client.get(toy_site.url("/enter/guess")).status_code for _ in range(40)]
    assert answers[:20] == [404] * 20 and answers[-1] == 429
    token = csrf_of(client)
    posts = [client.post("/link", data={"csrf_token": token, "address": f"a{n}@example.net"}) for n in range(5)]
    assert [p.status_code for p in posts] == [200, 200, 200, 429, 429]
    assert "Please wait a minute" in posts[-1].text


def test_addresses_that_make_no_sense_find_nothing(empires):
    client = empires.client(empires.asked_seat())
    huge = str(10**30)
    for path in (f"/ledger/{huge}", "/ledger/0", f"/board/{huge}.svg", f"/rolls/0/{huge}", f"/rolls/{huge}/1",
                 "/ledger?page=0", f"/ledger?page={huge}"):  # fmt: skip
        assert client.get(empires.url(path)).status_code == 404, path
    for path in (f"/seat?answer={huge}", "/seat?answer=-1", "/seat?answer=x"):
        assert client.get(empires.url(path)).status_code == 200, path
    for path in ("/games/nothing/orders", "/games/..%2f..%2fetc/kit", "/games/reformation/kit", f"/?page={huge}",
                 "/static/../app.py", "/static/%2e%2e/app.py"):  # fmt: skip
        assert client.get(path).status_code == 404, path
    assert client.get(empires.url("/ledger/go?number=" + huge), follow_redirects=True).status_code == 404
    assert client.get(empires.url("/ledger/go?number=x")).status_code == 400
    assert client.get(empires.url("/orders")).status_code == 405


def test_too_much_is_refused_in_clear_words(toy_site):
    client = toy_site.client("seat1")
    answer = client.post(toy_site.url("/orders"), data={"lines": "x" * 600_000})
    assert answer.status_code == 413 and "longer than what is taken" in answer.text


def test_a_fault_of_the_program_shows_no_inside(toy_site, monkeypatch, caplog):
    client = toy_site.client("seat1")

    def fail(*_, **more):
        raise RuntimeError("the inside of it")

    monkeypatch.setattr(toy_site.service, "page", fail)
    answer = client.get(toy_site.url("/seat"))
    assert answer.status_code == 500 and "The service has made a mistake" in answer.text
    assert "inside" not in answer.text and "Traceback" not in answer.text
    assert "the inside of it" in caplog.text


# --- signing in by mail -----------------------------------------------------------------------------------------------


def test_asking_for_a_link_does_not_tell_whether_the_address_is_known(toy_site):
    client = toy_site.app.test_client()
    token = csrf_of(client)
    known = client.post("/link", data={"csrf_token": token, "address": " Seat1@EXAMPLE.net"})
    unknown = client.post("/link", data={"csrf_token": token, "address": "nobody@example.net"})
    toy_site.app.extensions["pbem_background"].wait()
    assert (known.status_code, plain_body(known)) == (unknown.status_code, plain_body(unknown))
    sent = [m for m in outbox.messages(toy_site.service.store, toy_site.id) if m.kind == KIND]
    assert [(m.seat, m.state) for m in sent] == [("seat1", "pending")]
    assert send_links(toy_site.service, "seat1@example.net") == 0  # not again at once
    toy_site.clock.advance(minutes=6)
    assert send_links(toy_site.service, "seat1@example.net") == 1
    assert client.post("/link", data={"csrf_token": token, "address": "no address"}).status_code == 422


def test_the_mail_with_the_link_leads_in(toy_site):
    token = toy_site.service.token_of(toy_site.id, "seat2")
    link = seat_link("http://127.0.0.1:8000/", toy_site.id, token)
    assert link.startswith("http://127.0.0.1:8000/c/")
    client = toy_site.app.test_client()
    answer = client.get(urllib.parse.urlsplit(link).path, follow_redirects=True)
    assert answer.status_code == 200 and "You play Blue" in answer.text


def test_an_invitation_is_taken_or_declined_on_the_page(sites):
    site = sites()
    for seat, reply, accepted in (("seat1", "accept", True), ("seat2", "decline", False)):
        client = site.client(seat)
        tree = page(client, site.url("/seat"))
        told = tree.text_content()
        assert "You are invited" in told and "The scenario: Standard. Seats: 3." in told and "deadline" in told
        assert send(client, tree, site.url("/orders"), reply=reply).status_code == 303
        assert site.service.status(site.id).seats[seat]["accepted"] is accepted


# --- orders -----------------------------------------------------------------------------------------------------------


def all_show(site: Site) -> None:
    """Bring the toy to its sealed question."""
    for seat in site.seats:
        client = site.client(seat)
        sent = send(client, page(client, site.url("/seat")), site.url("/orders"), kind="done", do="send")
        assert sent.status_code == 303


def test_an_order_by_form_checked_then_sent(toy_site):
    all_show(toy_site)
    client = toy_site.client("seat1")
    tree = page(client, toy_site.url("/seat"))
    cards = tree.xpath("//form[.//input[@value='show']]//select[@name='f.card']/option/@value")
    hand = toy_site.service.view_at(toy_site.id, "seat1").piles["hand:red"]
    assert cards == ["", *hand]
    before = event(toy_site)
    checked = send(client, tree, toy_site.url("/orders"), kind="show", do="check", **{"f.card": hand[1]})
    shown = html.fromstring(checked.data)
    assert "Checked, not sent" in checked.text and f"SHOW {hand[1]}" in checked.text and event(toy_site) == before
    assert shown.xpath("//select[@name='f.card']/option[@selected]/@value") == [hand[1]]
    sent = send(client, tree, toy_site.url("/orders"), kind="show", do="send", **{"f.card": hand[1]})
    assert sent.status_code == 303 and event(toy_site) == before + 1
    answer = page(client, sent.headers["Location"])
    assert "Accepted" in answer.get_element_by_id("answer").text_content()
    assert f"SHOW {hand[1]}" in answer.xpath("//*[@class='given']")[0].text_content()
    assert "You have answered this" in answer.text_content()


def test_an_answer_that_was_replaced_is_shown_no_more(toy_site):
    all_show(toy_site)
    client = toy_site.client("seat1")
    hand = toy_site.service.view_at(toy_site.id, "seat1").piles["hand:red"]
    for card in hand[:2]:
        tree = page(client, toy_site.url("/seat"))
        sent = send(client, tree, toy_site.url("/orders"), kind="show", do="send", **{"f.card": card})
        assert sent.status_code == 303
    shown = page(client, toy_site.url("/seat")).xpath("//*[@class='given']//li")
    assert [line.text_content() for line in shown] == [f"SHOW {hand[1]}"]
    other = page(toy_site.client("seat2"), toy_site.url("/seat"))
    assert not other.xpath("//*[@aria-labelledby='sealed-title']")


def test_a_sealed_answer_is_taken_back_by_a_button(toy_site):
    all_show(toy_site)
    client = toy_site.client("seat1")
    card = toy_site.service.view_at(toy_site.id, "seat1").piles["hand:red"][0]
    tree = page(client, toy_site.url("/seat"))
    send(client, tree, toy_site.url("/orders"), kind="show", do="send", **{"f.card": card})
    tree = page(client, toy_site.url("/seat"))
    back = next(form for form in tree.forms if form.fields.get("lines") == "CANCEL ANSWER")
    assert client.post(toy_site.url("/orders"), data={**dict(back.form_values()), "do": "send"})
    tree = page(client, toy_site.url("/seat"))
    assert not tree.xpath("//*[@class='given']") and "You have answered this" not in tree.text_content()
    assert toy_site.service.asked(toy_site.id, "seat1")[0].answered is False


def test_what_is_missing_in_a_form_is_said_and_the_rest_is_kept(toy_site):
    all_show(toy_site)
    client = toy_site.client("seat1")
    answer = send(client, page(client, toy_site.url("/seat")), toy_site.url("/orders"), kind="show", do="send")
    assert answer.status_code == 422 and "“Card” is empty" in answer.text
    answer = send(client, page(client, toy_site.url("/seat")), toy_site.url("/orders"), kind="show", do="send",
                  **{"f.card": "card_99; DROP TABLE"})  # fmt: skip
    assert answer.status_code == 422 and "there is no card" in answer.text


def test_a_line_can_be_put_into_the_box(toy_site):
    all_show(toy_site)
    client = toy_site.client("seat1")
    card = toy_site.service.view_at(toy_site.id, "seat1").piles["hand:red"][0]
    answer = send(client, page(client, toy_site.url("/seat")), toy_site.url("/orders"), kind="show", do="write",
                  **{"f.card": card})  # fmt: skip
    assert html.fromstring(answer.data).xpath("//textarea[@name='lines']")[0].value.strip() == f"SHOW {card}"


def test_a_button_pressed_twice_counts_once(toy_site):
    client = toy_site.client("seat1")
    tree = page(client, toy_site.url("/seat"))
    first = send(client, tree, toy_site.url("/orders"), kind="done", do="send")
    after = event(toy_site)
    second = send(client, tree, toy_site.url("/orders"), kind="done", do="send")
    assert event(toy_site) == after and first.headers["Location"] == second.headers["Location"]
    fields = lines_form(tree)
    for _ in range(3):
        client.post(toy_site.url("/orders"), data={**fields, "lines": "PRESS TO blue: once", "do": "send"})
    assert len(toy_site.service.press(toy_site.id, "seat2")) == 1


def test_a_form_of_a_question_that_is_over_answers_no_later_one(toy_site):
    client = toy_site.client("seat1")
    old = page(client, toy_site.url("/seat"))
    all_show(toy_site)  # from another window of the same player
    before = event(toy_site)
    answer = send(client, old, toy_site.url("/orders"), kind="done", do="send")
    assert answer.status_code in (409, 422) and "The game has gone on" in answer.text and event(toy_site) == before
    assert page(client, toy_site.url("/seat")).xpath("//form[.//input[@value='show']]")


def test_a_form_sent_again_after_the_game_went_on_shows_its_own_answer(sites):
    site = sites("struggle_of_empires", 2).start()
    seat = site.asked_seat()
    client = site.client(seat)
    tree = page(client, site.url("/seat"))
    values = {"kind": "place", "do": "send", "f.unit": "army", "f.region": "baltic"}
    first = send(client, tree, site.url("/orders"), **values)
    site.play(1, 1)
    after = event(site)
    second = send(client, tree, site.url("/orders"), **values)
    assert first.headers["Location"] == second.headers["Location"] and event(site) == after


def test_lines_as_in_a_mail(toy_site):
    client = toy_site.client("seat1")
    fields = lines_form(page(client, toy_site.url("/seat")))
    hand = toy_site.service.view_at(toy_site.id, "seat1").piles["hand:red"]
    lines = f"DONE\n\nSALT my own words\nSHOW {hand[0]}"
    checked = client.post(toy_site.url("/orders"), data={**fields, "lines": lines, "do": "check"})
    states = html.fromstring(checked.data).xpath("//*[@id='check']//*[starts-with(@class, 'answer-line')]/@class")
    assert states == ["answer-line accepted", "answer-line queued"]  # the second only once it is asked
    verdicts = html.fromstring(checked.data).xpath("//*[@id='check']//*[contains(@class, 'verdict')]")
    assert [one.text_content().strip() for one in verdicts] == ["Accepted", "Readable; judged when its turn comes"]
    planned = client.post(toy_site.url("/orders"), data={**fields, "lines": "DONE\nNEXT\nDONE", "do": "check"})
    states = html.fromstring(planned.data).xpath("//*[@id='check']//*[starts-with(@class, 'answer-line')]/@class")
    assert states == ["answer-line accepted", *["answer-line queued"] * 2]
    sent = client.post(toy_site.url("/orders"), data={**fields, "lines": lines, "do": "send"}, follow_redirects=True)
    tree = html.fromstring(sent.data)
    states = tree.xpath("//*[@id='answer']//*[starts-with(@class, 'answer-line')]/@class")
    assert states == ["answer-line accepted", "answer-line queued"]
    queue = tree.xpath("//section[@aria-labelledby='queued-title']")[0]
    assert "SALT my own words" in queue.text_content()
    form = queue.xpath(".//form")[0]
    client.post(form.action, data={**dict(form.form_values()), "do": "send"})
    assert toy_site.service.queued(toy_site.id, "seat1") == []
    bad = client.post(toy_site.url("/orders"), data={**fields, "lines": "DNOE", "do": "send"}, follow_redirects=True)
    tree = html.fromstring(bad.data)
    assert "Could not be read" in tree.text_content()
    assert tree.xpath("//textarea[@name='lines']")[0].value.strip() == "DNOE"
    empty = client.post(toy_site.url("/orders"), data={**fields, "lines": " \n ", "do": "send"})
    assert empty.status_code == 422


def sends_for(form, kind):
    """What a browser could send with a form so that each of its options is sent at least once."""
    number = [i for i in form.inputs if i.widget == "number" and not i.optional]
    base = {i.name: [str(i.least)] for i in number}
    rows = {}
    for made in form.inputs:
        if made.widget == "rows" and not made.optional:
            row = made.rows[0]
            first = row.legal[0] if row.legal else [c.options[0].value for c in row.columns if c.options]
            names = row.depends or [c.name for c in row.columns]
            rows |= {f"{made.name}.{name}": [value] for name, value in zip(names, first, strict=True)}
    combinations = form.legal or [()]
    free = [i for i in form.inputs if i.widget == "select" and not i.optional and i.name not in form.depends]
    base |= {made.name: [made.options[0].value] for made in free}
    for combination in combinations:
        yield {**base, **rows, **dict(zip(form.depends, ([value] for value in combination), strict=True))}
    first = {**base, **rows, **dict(zip(form.depends, ([value] for value in combinations[0]), strict=True))}
    for made in form.inputs:
        if made.widget == "select" and made.name not in form.depends:
            for option in made.options:
                yield {**first, made.name: [option.value]}
        elif made.widget == "number" and made.only_with is None:
            yield {**first, made.name: [str(made.least)]}
            yield {**first, made.name: [str(made.most)]}
        elif made.widget == "number":
            for combination in made.only_with:
                yield {**base, **rows, **dict(zip(form.depends, ([v] for v in combination), strict=True)),
                       made.name: [str(made.least)]}  # fmt: skip
        elif made.widget == "rows":
            row = made.rows[0]
            for combination in row.legal or [[o.value] for o in row.columns[0].options]:
                names = row.depends or [row.columns[0].name]
                others = {f"{made.name}.{c.name}": [c.options[0].value] for c in row.columns if c.options}
                chosen = {f"{made.name}.{n}": [v] for n, v in zip(names, combination, strict=True)}
                yield {**first, **others, **chosen}


def test_every_choice_that_a_form_offers_is_accepted(sites):
    """Over a game of Struggle of Empires: forms offer legal orders only, and every option of every field is one."""
    site = sites("struggle_of_empires", 5).start()
    orders = {kind.id(): kind for kind in find_game("struggle_of_empires").orders}
    seen: dict[str, int] = {}
    kit = site.service.kit_of(site.id)
    tried = 0
    for _ in range(90):
        status = site.service.status(site.id)
        if status.state != "running":
            break
        if seen.get(status.kind, 0) < 5:
            seen[status.kind] = seen.get(status.kind, 0) + 1
            seat = status.waiting_seats[0]
            for form in site.service.table_of(site.id, seat, lambda table, qs: order_forms(table, qs[0])):
                for sent in sends_for(form, orders[form.kind]):
                    line = read_form(orders[form.kind], sent, kit).text()
                    result = site.service.check_line(site.id, seat, line)
                    assert result.state == "accepted", (status.kind, line, result.reason)
                    tried += 1
        site.play(tried, 4)
    assert tried > 500 and {"placement", "auction", "action"} <= seen.keys()


def test_what_is_not_offered_is_refused(empires):
    """The other way round, for the kinds of order whose candidates are all there are."""
    seat = empires.asked_seat()
    kit = empires.service.kit_of(empires.id)
    forms = empires.service.table_of(empires.id, seat, lambda table, qs: order_forms(table, qs[0]))
    build = next(form for form in forms if form.kind == "build")
    offered = {tuple(pair) for pair in build.inputs[0].rows[0].legal}
    for unit in kit.tables["units"]:
        for region in [*kit.tables["regions"], "home"]:
            state = empires.service.check_line(empires.id, seat, f"BUILD {unit} AT {region}").state
            assert (state == "accepted") == ((unit, region) in offered), (unit, region)


def test_a_form_that_was_refused_keeps_what_it_held(empires):
    """Not accepted, it stands as it was, with what is wrong: nothing has to be chosen again."""
    seat = empires.asked_seat()
    client = empires.client(seat)
    forms = empires.service.table_of(empires.id, seat, lambda table, qs: order_forms(table, qs[0]))
    pairs = {tuple(pair) for pair in next(form for form in forms if form.kind == "build").inputs[0].rows[0].legal}
    units, regions = ({pair[at] for pair in pairs} for at in (0, 1))
    unit, region = next((u, r) for u in sorted(units) for r in sorted(regions) if (u, r) not in pairs)
    tree = page(client, empires.url("/seat"))
    chosen = {"f.units.unit": unit, "f.units.place": region}
    answer = send(client, tree, empires.url("/orders"), kind="build", do="send", **chosen)
    assert answer.status_code == 422
    shown = html.fromstring(answer.data)
    assert "Not allowed" in shown.get_element_by_id("answer").text_content()
    form = next(one for one in shown.forms if one.fields.get("kind") == "build")
    assert form.xpath("ancestor-or-self::details[@open]") and {form.fields[name] for name in chosen} == {unit, region}


# --- messages, standing orders, settings ------------------------------------------------------------------------------


def test_a_message_reaches_those_it_is_for_and_no_others(toy_site):
    writer = toy_site.client("seat1")
    tree = page(writer, toy_site.url("/messages"))
    text = "Let us share the hill.\nEND\nDONE\nPRESS TO green: not a second one"
    assert send(writer, tree, toy_site.url("/messages"), to="blue", text=text).status_code == 303
    reader = page(toy_site.client("seat2"), toy_site.url("/messages"))
    assert reader.xpath("//*[@class='press-text']")[0].text_content() == text
    assert "share the hill" not in toy_site.client("seat3").get(toy_site.url("/messages")).text
    for address in (toy_site.url(), toy_site.url("/ledger")):
        assert "share the hill" not in toy_site.client().get(address).text
    tree = page(writer, toy_site.url("/messages"))
    assert "Choose to whom" in send(writer, tree, toy_site.url("/messages"), text="x").text
    assert send(writer, tree, toy_site.url("/messages"), to="nobody", text="x").status_code == 200
    assert len(toy_site.service.press(toy_site.id, "seat1")) == 1


def test_no_messages_where_the_campaign_relays_none(sites):
    site = sites(policy={"press": "never"}).start()
    client = site.client("seat1")
    tree = page(client, site.url("/messages"))
    assert "relays no messages" in tree.text_content() and not tree.xpath("//textarea")


def test_standing_orders_are_added_listed_and_cancelled(toy_site):
    client = toy_site.client("seat1")
    tree = page(client, toy_site.url("/standing"))
    values = {"f.kind": "ambush", "f.name": ["round", "", ""], "f.sign": [">=", "", ""], "f.value": ["1", "", ""]}
    assert send(client, tree, toy_site.url("/standing"), **values, **{"f.order": "DECLINE"}).status_code == 303
    tree = page(client, toy_site.url("/standing"))
    assert "STANDING ambush IF round >= 1: DECLINE" in tree.text_content()
    assert toy_site.service.standing(toy_site.id, "seat1")[0]["conditions"] == [["round", ">=", "1"]]
    assert "STANDING" not in toy_site.client("seat2").get(toy_site.url("/ledger")).text
    fly = {"f.kind": "ambush", "f.order": "FLY away"}
    wrong = send(client, tree, toy_site.url("/standing"), having="f.order", **fly)
    assert wrong.status_code == 200 and "Could not be read" in wrong.text
    form = next(f for f in tree.forms if "cancel" in f.fields)
    assert client.post(toy_site.url("/standing"), data=dict(form.form_values())).status_code == 303
    assert toy_site.service.standing(toy_site.id, "seat1") == []
    chosen = {"f.kind": "ambush", "f.order": "", "f.chosen": "DEFAULT"}
    assert send(client, tree, toy_site.url("/standing"), having="f.chosen", **chosen).status_code == 303
    assert toy_site.service.standing(toy_site.id, "seat1")[0]["line"] == "DEFAULT"


def test_settings_are_kept_and_what_is_wrong_is_told(toy_site):
    client = toy_site.client("seat1")
    tree = page(client, toy_site.url("/settings"))
    good = {"timezone": "America/New_York", "language": "fr", "reports": "daily", "hour": "7", "board": "full",
            "webhook": "https://example.org/hook"}  # fmt: skip
    assert send(client, tree, toy_site.url("/settings"), **good).status_code == 303
    player = toy_site.service.player(toy_site.id, "seat1")
    assert {k: player[k] for k in good} == {**good, "hour": 7}
    again = page(client, toy_site.url("/settings"))
    assert again.get("lang") == "fr" and "Réglages" in again.text_content()
    bad = send(client, again, toy_site.url("/settings"), **{**good, "timezone": "Mars/Olympus"})
    assert bad.status_code == 200 and "il n’y a pas de fuseau horaire" in bad.text
    off = send(client, again, toy_site.url("/settings"), **{**good, "webhook": ""})
    assert off.status_code == 303 and toy_site.service.player(toy_site.id, "seat1")["webhook"] is None


def test_the_deadline_is_told_in_the_players_own_zone(toy_site):
    deadline = toy_site.service.status(toy_site.id).deadline
    assert deadline is not None
    tree = page(toy_site.client("seat1"), toy_site.url("/seat"))
    left = tree.xpath("//*[@class='time']")[0].text_content()
    assert "(Europe/Paris)" in left and f"{(deadline.hour + 1) % 24:02}:00" in left and "2 days" in left
    assert tree.xpath("//@data-until")[0] == deadline.isoformat()


# --- what may be seen -------------------------------------------------------------------------------------------------


def test_nobody_reads_another_ones_hand_on_any_page(toy_site):
    all_show(toy_site)
    hands = {s: toy_site.service.view_at(toy_site.id, s).piles[f"hand:{p}"]
             for s, p in zip(toy_site.seats, ("red", "blue", "green"), strict=True)}  # fmt: skip
    client = toy_site.client("seat2")
    card = hands["seat2"][0]
    tree = page(client, toy_site.url("/seat"))
    send(client, tree, toy_site.url("/orders"), kind="show", do="send", **{"f.card": card})
    last = event(toy_site)
    pages = [toy_site.url(), toy_site.url("/ledger"), toy_site.url("/seat"), toy_site.url("/standing")]
    pages += [toy_site.url(f"/ledger/{number}") for number in range(1, last + 1)]
    pages += [toy_site.url(f"/rolls/{tree}/{index}") for tree, index in rolls(toy_site)]
    for reader in (None, "seat1"):
        browser = toy_site.client(reader)
        told = " ".join(browser.get(address).text for address in pages).lower().replace("_", " ")
        told = re.sub(r"card card \d\d goes to deck", "", told)  # the toy lays its deck out before it is hidden
        for owner, cards in hands.items():
            for card in cards:
                assert (card.replace("_", " ") in told) == (owner == reader), (reader, owner, card)


def test_the_front_page_does_not_tell_who_has_answered_in_a_sealed_round(toy_site):
    client = toy_site.client("seat1")
    send(client, page(client, toy_site.url("/seat")), toy_site.url("/orders"), kind="done", do="send")
    toy_site.service.project()
    told = toy_site.client().get("/").text + toy_site.client().get(toy_site.url()).text
    assert "The game waits for Red, Blue and Green" in told
    assert "Red" not in toy_site.client().get("/").text
    assert "your move" not in client.get("/").text and "your move" in toy_site.client("seat2").get("/").text


def test_a_campaign_may_shut_spectators_out(sites):
    site = sites(policy={"spectators": "no"}, title="Behind closed doors").start()
    spectator = site.client()
    unknown = plain_body(spectator.get("/c/no-such-campaign"))
    for path in ("", "/ledger", "/ledger/1", "/board/3.svg", "/bundle", "/check", "/rolls/0/1"):
        answer = spectator.get(site.url(path))
        assert (answer.status_code, plain_body(answer)) == (404, unknown), path
    assert "closed doors" not in spectator.get("/").text
    player = site.client("seat1")
    assert "closed doors" in player.get("/").text
    assert player.get(site.url("/ledger")).status_code == 200 and player.get(site.url()).status_code == 200


def test_pages_in_every_state_of_a_campaign(sites):
    site = sites()
    paths = ["", "/seat", "/messages", "/standing", "/settings", "/ledger", "/ledger/1", "/check"]

    def look(*words: str) -> None:
        site.service.project()
        for reader in ("seat1", None):
            client = site.client(reader)
            for path in paths:
                private = path in ("/seat", "/messages", "/standing", "/settings")
                wanted = 404 if private and reader is None else 200
                assert client.get(site.url(path)).status_code == wanted, (words, reader, path)
        told = site.client("seat1").get(site.url("/seat")).text
        assert all(word in told for word in words), words

    look("You are invited")
    site.start()
    look("running", "Your move")
    site.service.pause(site.id, "Summer holidays")
    look("The clock stands still", "Summer holidays")
    site.service.resume(site.id)
    site.service.rewind(site.id, site.service.status(site.id).event - 2, "a mistake")
    look("The game goes back")
    site.play(1, 500)
    look("The ranking", "finished", "The campaign is over")
    assert not page(site.client("seat1"), site.url("/seat")).xpath("//textarea[@name='lines']")
    site.service.archive(site.id)
    look("put away")


# --- the ledger -------------------------------------------------------------------------------------------------------


def test_time_travel_shows_the_board_of_each_event(empires):
    client = empires.client("seat1")
    last = event(empires)
    for number in (last, last // 2):
        tree = page(client, empires.url(f"/ledger/{number}"))
        svg = tree.xpath("//*[local-name()='svg']")[0]
        gold = empires.service.view_at(empires.id, "seat1", number).tracks["gold"]
        words = "".join(svg.itertext())
        assert all(str(value) in words for value in gold.values())
        picture = client.get(empires.url(f"/board/{number}.svg"))
        assert picture.mimetype == "image/svg+xml" and picture.text.startswith("<svg")
        links = tree.xpath("//a[@rel]/@href")
        assert empires.url(f"/ledger/{number - 1}") in links
    assert client.get(empires.url(f"/ledger/{last + 1}")).status_code == 404
    assert "not set up yet" in page(client, empires.url("/ledger/1")).text_content()


def test_the_ledger_is_paged_and_holds_every_event_once(empires):
    client = empires.client()
    numbers = []
    address = empires.url("/ledger")
    while address:
        tree = page(client, address)
        numbers += [int(found.text) for found in tree.xpath("//a[@class='number']")]
        following = tree.xpath("//a[@rel='next']/@href")
        address = following[0] if following else None
    assert numbers == list(range(event(empires), 0, -1))


def test_an_audit_can_be_repeated_with_the_lines_on_its_page(empires):
    throws = [
        (proof["tree"], proof["index"], fact["dice"])
        for found in empires.service.events(empires.id)
        for proof in found["throws"] for fact in found["facts"]
        if fact["fact"] == "roll" and fact["index"] == proof["index"]
    ]  # fmt: skip
    assert len(throws) >= 10
    client = empires.client()
    for tree_number, index, dice in throws[-5:]:
        tree = page(client, empires.url(f"/rolls/{tree_number}/{index}"))
        code = tree.xpath("//pre")[-1].text_content()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, {})
        assert printed.getvalue().strip() == str(dice)
        words = tree.text_content()
        assert empires.service.status(empires.id).dice[0]["root"] in words
        assert "What is proved" in words and "What is still trust" in words
        assert len(tree.xpath("//figure//img")) == 2


def test_an_order_that_threw_is_readable_for_its_sender_only(empires):
    for found in reversed(empires.service.events(empires.id, None)):
        if found["kind"] == "order" and found["throws"]:
            power, proof = found["public"]["power"], found["throws"][0]
            break
    seats = empires.service.status(empires.id).seats
    sender = next(seat for seat, held in seats.items() if power in held["powers"])
    other = next(seat for seat in seats if seat != sender)
    address = empires.url(f"/rolls/{proof['tree']}/{proof['index']}")
    mine = page(empires.client(sender), address)
    text = empires.service.events(empires.id, sender, found["number"], found["number"])[0]["order"]["text"]
    assert text in mine.xpath("//pre")[0].text_content() and "hmac.digest(blind_key" in mine.xpath("//pre")[-1].text
    for seat in (other, None):
        told = page(empires.client(seat), address).text_content()
        assert text not in told and "You may not read it" in told


def test_the_bundle_verifies_with_the_program_that_is_given_with_it(empires):
    client = empires.client("seat1")
    status = empires.service.status(empires.id)
    answer = client.get(empires.url("/bundle"))
    assert answer.status_code == 200 and "attachment" in answer.headers["Content-Disposition"]
    report = verify.verify(io.BytesIO(answer.data), [f"{status.head}@{status.event}"])
    assert report.throws
    with open(verify.__file__, "rb") as source:
        assert client.get("/verify.py").data == source.read()
    check = page(client, empires.url("/check")).text_content()
    assert f"--head {status.head}@{status.event}" in check
    public = empires.client().get(empires.url("/bundle"))
    assert len(public.data) < len(answer.data)


# --- the words --------------------------------------------------------------------------------------------------------


def test_the_help_page_shows_every_order_and_its_examples_can_be_read(empires):
    tree = page(empires.client(), "/games/struggle_of_empires/orders")
    kit = empires.service.kit_of(empires.id)
    kinds = find_game("struggle_of_empires").orders
    words = tree.text_content()
    shown = 0
    for kind in kinds:
        assert find_language("en").usage(kind.usage()) in words and kind.help() in words
        card = tree.get_element_by_id(kind.id()).xpath("ancestor::div[1]")[0]
        for example in card.xpath(".//p[small]/code/text()"):
            assert isinstance(read_order(kinds, example, kit), kind)
            shown += 1
    assert shown > 25


def test_the_kit_page_lists_every_rebuilt_value(empires):
    tree = page(empires.client(), "/games/struggle_of_empires/kit")
    kit = empires.service.kit_of(empires.id)
    assert len(tree.xpath("//*[@id='rebuilt-rows']/details//*[@class='value']")) == len(kit.rebuilt()) > 0
    assert kit.hash in tree.text_content()


@cache
def sentences() -> frozenset[str | tuple[str, ...]]:
    """Every sentence of the catalogues that pages and the service say, a plural as a pair."""
    options = {"**.j2": {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}}
    templates = ([("**.j2", "jinja2.ext:babel_extract")], {"_": None, "gettext": None, "ngettext": (1, 2)})
    pages = ([("**.py", "python")], {"_": None, "text": None, "Said": None})
    service = ([("**.py", "python")], {"Said": None, "BadFact": None})
    rooms = {resources.path("templates") / "web": templates, resources.PACKAGE / "web": pages,
             resources.PACKAGE / "campaign": service, resources.PACKAGE / "table": service,
             resources.PACKAGE / "games": service}  # fmt: skip
    said: set[str | tuple[str, ...]] = {*policy.inputs(), *STATES.values()}
    for input in (input for group in policy.inputs().values() for input in group):
        said |= {input.title, input.hint, *(words for _, words in input.choices or ())} - {""}
    said |= {*rulings.SAYS.values(), *(what for form in rulings.FORMS.values() for what in form.values())}
    said |= {words for action in ACTIONS.values() for words in (action.title, action.text)}
    for folder, (methods, keywords) in rooms.items():
        for name, _, message, _, _ in extract_from_dir(folder, methods, options, keywords=keywords):
            if name not in ("desk/api.html.j2", "raw.py") and message:  # the API is for programs
                said.add(message)
    return frozenset(said)


@pytest.mark.parametrize("language", [code for code in languages() if code != "en"])
def test_everything_is_said_in_every_language(language):
    said = {message[0] if isinstance(message, tuple) else message for message in sentences()}
    with open(resources.path(f"templates/locale/{language}.po"), "rb") as file:
        translated = {(m.id[0] if isinstance(m.id, tuple) else m.id): m for m in read_po(file, locale=language)}
    assert len(said) > 200
    assert sorted(said - translated.keys()) == []
    for message in translated.values():
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(texts) or message.id == "", message.id
        for text in texts if message.id else ():
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            fields = [set(re.findall(r"%\(\w+\)s", one)) for one in ids]
            assert set(re.findall(r"%\(\w+\)s", text)) in fields, text


def test_a_browser_that_asks_for_a_language_gets_it(empires):
    french = empires.app.test_client().get(empires.url(), headers={"Accept-Language": "fr-CA,fr;q=0.9"})
    assert '<html lang="fr">' in french.text and "Où en est la partie" in french.text and "jusqu’au" in french.text
    russian = empires.app.test_client().get(empires.url(), headers={"Accept-Language": "ru-RU,ru;q=0.9,en;q=0.5"})
    assert '<html lang="ru">' in russian.text and "Положение дел" in russian.text and "осталось у: " in russian.text
    assert all(name in russian.text for name in ("English", "Français", "Русский"))


# --- real HTTP --------------------------------------------------------------------------------------------------------


@pytest.fixture
def server(sites):
    site = sites("struggle_of_empires", 2).start()
    made = create_server(site.app, host="127.0.0.1", port=0, threads=4)
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    site.base = f"http://127.0.0.1:{made.effective_port}"
    yield site
    made.close()
    thread.join(5)


def test_a_turn_over_real_http_without_a_script(server):
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    seat = server.asked_seat()
    with browser.open(f"{server.base}{server.url(f'/enter/{server.tokens[seat]}')}") as answer:
        assert answer.url == server.base + server.url("/seat")  # the token is gone from the address
        tree = html.fromstring(answer.read())
    form = next(f for f in tree.forms if f.fields.get("kind") == "place")
    data = {**dict(form.form_values()), "do": "send", "f.unit": "army", "f.region": "india"}
    with browser.open(server.base + server.url("/orders"), urllib.parse.urlencode(data).encode()) as answer:
        tree = html.fromstring(answer.read())
    told = tree.get_element_by_id("answer").text_content()
    assert "PLACE army AT india" in told and "Accepted" in told
    power = server.service.status(server.id).seats[seat]["powers"][0]
    assert server.service.view_at(server.id).count("india", power, "army") == 1
    data = {"csrf_token": data["csrf_token"], "lines": "xyzzy fort", "do": "send", "once": "another"}
    with browser.open(server.base + server.url("/orders"), urllib.parse.urlencode(data).encode()) as answer:
        assert "Could not be read" in answer.read().decode()
    with pytest.raises(urllib.error.HTTPError) as error:
        browser.open(server.base + server.url("/enter/wrong"))
    assert error.value.code == 404


def test_campaigns_without_spectators_count_in_no_total(toy_site, monkeypatch):
    monkeypatch.setattr("pbem.web.public.CAMPAIGNS_ON_A_PAGE", 2)
    for number in range(5):
        toy_site.service.create("toy", 3, kit=toy.kit(), policy={"spectators": "no"}, campaign=f"private-{number}")
    toy_site.service.project()
    client = toy_site.app.test_client()
    shown = client.get("/").text
    assert "private-" not in shown and "page=2" not in shown
    assert client.get("/?page=2").status_code == 404


def test_the_points_are_told_with_their_reasons(empires):
    found = page(empires.client(), empires.url("/points"))
    assert "Why the points stand as they do" in found.text_content()
    assert " VP" in found.text_content()


def test_an_absence_is_told_and_ended_on_the_settings_page(toy_site):
    client = toy_site.client("seat1")
    address = toy_site.url("/settings")
    same = {"timezone": "Europe/Paris", "language": "en", "reports": "every", "hour": "18"}
    day = f"{toy_site.clock.now():%Y-%m-%d}"
    send(client, page(client, address), address, **same, away_first=day, away_last=day)
    assert toy_site.service.player(toy_site.id, "seat1")["away_until"]
    text = page(client, address).text_content()
    assert "You are away from" in text and "I am back" in text
    send(client, page(client, address), address, **same, back="yes")
    assert "You are away from" not in page(client, address).text_content()
    send(client, page(client, address), address, **same, away_first="2024-01-01", away_last="2024-01-02")
    until = toy_site.service.player(toy_site.id, "seat1")["away_until"]
    assert datetime.fromisoformat(until) == toy_site.clock.now()


# --- talking, and what is asked about once ----------------------------------------------------------------------------


def test_who_negotiates_writes_in_the_card_of_the_question(toy_site):
    writer, reader = toy_site.client("seat1"), toy_site.client("seat2")
    tree = page(writer, toy_site.url("/seat"))
    assert [box.get("value") for box in tree.xpath("//input[@name='to']")] == ["ALL", "blue", "green"]
    sent = send(writer, tree, toy_site.url("/messages"), having="to", to="blue", text="Shall we share the hill?")
    assert sent.status_code == 303 and sent.location.endswith("/seat")
    tree = page(reader, toy_site.url("/seat"))
    assert "Shall we share the hill?" in tree.text_content()
    assert tree.xpath("//nav[@class='tabs']//*[@class='badge']")[0].text == "1"
    page(reader, toy_site.url("/messages"))
    for browser in (reader, toy_site.client("seat2")):  # what he has read on one device is read on the others
        tree = page(browser, toy_site.url("/seat"))
        assert not tree.xpath("//*[@class='badge']") and "share the hill" not in tree.text_content()
    assert "share the hill" not in toy_site.client("seat3").get(toy_site.url("/seat")).text
    assert not page(writer, toy_site.url("/standing")).xpath("//*[@class='badge']")  # his own message


def test_nobody_is_offered_to_whom_the_game_lets_nothing_be_written(sites, monkeypatch):
    site = sites().start()
    monkeypatch.setattr(
        type(toy.GAME), "press_allowed",
        lambda game, table, sender, receivers: Refused("no_press_now") if "green" in receivers else None,
    )  # fmt: skip
    for path in ("/seat", "/messages"):
        tree = page(site.client("seat1"), site.url(path))
        assert [box.get("value") for box in tree.xpath("//input[@name='to']")] == ["blue"]


def test_a_sealed_answer_stands_in_its_question_until_another_is_sent(toy_site):
    client = toy_site.client("seat1")
    tree = page(client, toy_site.url("/seat"))
    assert send(client, tree, toy_site.url("/orders"), having="lines", lines="DONE", do="send").status_code == 303
    tree = page(client, toy_site.url("/seat"))
    assert [code.text for code in tree.xpath("//*[@class='given']//code")] == ["DONE"]
    assert not page(toy_site.client("seat2"), toy_site.url("/seat")).xpath("//*[@class='given']")


@pytest.mark.parametrize(
    "game, seats, kind, lost",
    [
        ("struggle_of_empires", 5, "action", "Actions that you have left: 2"),
        ("thirty_years_war", 2, "activation", "this activation is given up"),
    ],
)
def test_what_gives_up_actions_is_asked_about_once(sites, game, seats, kind, lost):
    site = sites(game, seats, secret=b"1" * 32).start()
    site.play(5, 0, lambda status: status.kind == kind)
    seat, before = site.asked_seat(), site.service.status(site.id).event
    client = site.client(seat)
    asked = send(client, page(client, site.url("/seat")), site.url("/orders"), kind="pass", do="send")
    tree = html.fromstring(asked.data)
    assert asked.status_code == 200
    assert lost in tree.xpath("//*[@id='sure']")[0].text_content()
    assert site.service.status(site.id).event == before
    assert send(client, tree, site.url("/orders"), having="sure", do="send").status_code == 303
    assert site.service.status(site.id).event > before


def test_the_time_says_for_whom_it_runs(empires):
    seat = empires.asked_seat()
    other = next(one for one in empires.seats if one != seat)
    power = Teller(empires.service.kit_of(empires.id)).power(empires.service.status(empires.id).waiting_for[0])
    times = [page(empires.client(who), empires.url(path)).xpath("//*[@class='time']")[0].text_content()
             for who, path in ((seat, "/seat"), (other, "/seat"), (None, ""))]  # fmt: skip
    assert "left for your answer, until" in times[0]
    assert all(f"left for {power}, until" in told for told in times[1:])


def test_choices_say_what_they_cost_and_what_they_do(empires):
    tree = page(empires.client(empires.asked_seat()), empires.url("/seat"))
    tiles = tree.xpath("//select[@name='f.tile']/option[@value='army_training']")
    assert tiles and tiles[0].text.startswith("Army Training – 5 gold, 1 population")
    assert "adds 1" in tiles[0].get("data-effects")
    build = tree.xpath("//form[input[@value='build']]//select[@data-column='place']")[0]
    groups = {group.get("label"): group.xpath("option/@value") for group in build.xpath("optgroup")}
    assert set(groups) == {"Europe", "Overseas"} and "india" in groups["Overseas"]
    assert not any("%s" in option.text for option in tree.iter("option"))


def test_the_page_of_orders_opens_at_what_can_be_done_now(empires):
    seat = empires.asked_seat()
    client, game = empires.client(seat), "/games/struggle_of_empires/orders"
    address = page(client, empires.url("/seat")).xpath("//p[@id='lines-hint']//a/@href")[0]
    assert address == f"{game}?campaign={empires.id}"
    sections = page(client, address).xpath("//details[contains(@class, 'usages')]")
    assert [section.get("open") is not None for section in sections] == [True, False, False]
    kinds = empires.service.reading.answers(empires.id, seat)
    assert set(sections[0].xpath(".//h3/@id")) == {kind for answers in kinds.values() for kind in answers}
    for stranger in (page(empires.client(), address), page(client, f"{game}?campaign=no-such"), page(client, game)):
        sections = stranger.xpath("//details[contains(@class, 'usages')]")
        assert [section.xpath(".//h2")[0].text for section in sections][0] == "Orders of the game"


def test_the_page_of_games_says_what_they_are(toy_site):
    tree = page(toy_site.client(), "/games")
    for game in kits():
        card = tree.xpath(f"//section[@aria-labelledby='{game}']")
        terms = [term.text for term in card[0].iter("dt")]
        assert terms[:3] == ["Players", "Period", "Length"] and len(card[0].xpath("p")[0].text) > 80


def test_packages_are_built_from_lists(tmp_path):
    site = Site(tmp_path, "here_i_stand", 6, secret=b"7" * 32).start()
    site.play(5, 0, lambda status: status.kind == "negotiation")
    seat = next(seat for seat, held in site.service.status(site.id).seats.items() if "england" in held["powers"])
    client = site.client(seat)
    tree = page(client, site.url("/seat"))
    form = tree.xpath("//form[input[@value='announce']]")[0]
    clauses = form.xpath(".//select[@name='f.clauses.item']")[0].xpath(".//option/@value")
    assert any(clause.startswith("ALLIANCE WITH ") for clause in clauses)
    assert "WITH <other>" not in form.getparent().xpath("summary")[0].text_content()
    chosen = {"f.package": "1", "f.clauses.item": [next(filter(None, clauses)), ""], "f.clauses.words": ["", ""]}
    shown = send(client, tree, site.url("/orders"), kind="announce", do="check", **chosen)
    checked = html.fromstring(shown.data).get_element_by_id("check").text_content()
    assert f"ANNOUNCE 1 {chosen['f.clauses.item'][0]}" in checked
    words = {"f.package": "2", "f.clauses.item": ["", ""], "f.clauses.words": ["", chosen["f.clauses.item"][0]]}
    assert send(client, tree, site.url("/orders"), kind="announce", do="send", **words).status_code == 303
    given = page(client, site.url("/seat")).xpath("//*[@class='given']//code/text()")
    assert given == [f"ANNOUNCE 2 {chosen['f.clauses.item'][0]}"]
    package = "//form[input[@value='announce']]//input[@name='f.package']"
    (number,) = page(client, site.url("/seat")).xpath(package)
    assert (number.get("min"), number.get("value")) == ("1", "1"), "the next free one"
    first = {**words, "f.package": "1"}
    assert send(client, tree, site.url("/orders"), kind="announce", do="send", **first).status_code == 303
    (number,) = page(client, site.url("/seat")).xpath(package)
    assert (number.get("min"), number.get("value")) == ("1", "3"), "an earlier one may be replaced"
    site.service.close()


def test_only_the_asked_of_two_orders_with_one_name_can_be_sent_now(tmp_path):
    site = Site(tmp_path, "here_i_stand", 6, secret=b"7" * 32).start()
    site.play(5, 0, lambda status: status.kind == "negotiation")
    client = site.client(site.service.status(site.id).waiting_seats[-1])
    tree = page(client, f"/games/here_i_stand/orders?campaign={site.id}")
    now_first, others = tree.xpath("//details[contains(@class, 'usages')]")[:2]
    of_package, into_fortifications = (part.xpath(".//h3[@id='withdraw']") for part in (now_first, others))
    assert [one.text_content() for one in of_package] == ["WITHDRAW <package number>"]
    assert [one.text_content() for one in into_fortifications] == ["WITHDRAW"]
    site.service.close()


def test_conditions_of_standing_orders_are_chosen_from_what_there_is(empires):
    tree = page(empires.client(empires.asked_seat()), empires.url("/standing"))
    offered = {one.get("value"): one.text for one in tree.xpath("//select[@name='f.name']")[0].xpath("option")}
    words = vocabulary(empires.service.kit_of(empires.id))
    assert {"able", *words} - {"side"} <= offered.keys() and {"side attacker", "side defender"} <= offered.keys()
    assert not any("_" in text for text in offered.values())
    assert offered["attacker"] == "This power attacks" and offered["side attacker"] == "You attack"
    assert "India" in tree.xpath("//datalist[@id='values']/option/@value")
    assert "DEFAULT" in tree.xpath("//select[@name='f.chosen']/option/@value")


@pytest.fixture(scope="module")
def empires_copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A game in which one seat is asked; what is refused to the others does not move it."""
    site = Site(tmp_path_factory.mktemp("asked"), "struggle_of_empires", 5, secret=b"1" * 32).start()
    site.play(5, 0, lambda status: status.kind == "action")
    yield site
    site.service.close()


def test_no_line_of_french_ends_before_a_colon(sites):
    site = sites("here_i_stand", 6, secret=b"3" * 32).start().play(3, 8)
    for path in ("", "/seat", "/ledger"):
        client = site.client("seat1")
        with client.session_transaction() as session:
            session["language"] = "fr"
        for form in (tree := page(client, site.url(path))).xpath("//script|//pre|//textarea|//code|//svg|//datalist"):
            form.drop_tree()
        told = tree.text_content()
        assert "\u00a0:" in told
        assert re.findall(r".{0,30} [:;!?»].{0,10}", told) == []
        assert re.findall(r"[a-zé0-9]; ", told) == []


@pytest.mark.parametrize(
    "lines",
    ["PASS", "BID 1", "DONE", "PASS\nPASS", "BUILD navy AT baltic", "FLY\nPASS", "SUPPORT NAVIES NO", "COLLECT india",
     "ATTACK france IN india", "LOSE army\nPASS"],
)  # fmt: skip
def test_a_check_says_what_sending_would_say_to_who_is_not_asked(empires_copy, lines):
    waiting = empires_copy.service.status(empires_copy.id).waiting_seats
    seat = next(seat for seat in empires_copy.seats if seat not in waiting)
    client, address = empires_copy.client(seat), empires_copy.url("/orders")

    def told(do: str) -> list[tuple[str, list[str]]]:
        answer = client.post(
            address, data={**lines_form(page(client, empires_copy.url("/seat"))), "lines": lines, "do": do},
            follow_redirects=True,
        )  # fmt: skip
        shown = html.fromstring(answer.data).xpath("//*[contains(@class, 'answer-line')]")
        verdicts = [one.xpath(".//*[contains(@class, 'verdict')]/..")[0].text_content() for one in shown]
        return list(zip(verdicts, [[pre.text for pre in one.xpath("pre")] for one in shown], strict=True))

    checked = told("check")
    assert checked and checked == told("send")


@pytest.mark.parametrize(
    "language, when, conditions",
    [
        ("en", "Will you help?", ["This power attacks: Great Britain", "You defend", "Your gold: ≥ 2"]),
        ("fr", "Aiderez-vous ?", ["Cette puissance attaque : Grande-Bretagne", "Vous défendez", "Votre or : ≥ 2"]),
        ("ru", "Вы поможете?", ["Нападает эта держава: Великобритания", "Вы обороняетесь", "Ваше золото: ≥ 2"]),
    ],
)  # fmt: skip
def test_a_standing_order_is_told_in_words(sites, language, when, conditions):
    site = sites("struggle_of_empires", 3).start()
    client = site.client("seat1")
    with client.session_transaction() as session:
        session["language"] = language
    chosen = {"f.kind": "support", "f.name": ["attacker", "side defender", "gold"], "f.sign": ["", "", ">="],
              "f.value": [conditions[0].split(": ")[1], "", "2"], "f.order": "DECLINE"}  # fmt: skip
    tree = page(client, site.url("/standing"))
    assert send(client, tree, site.url("/standing"), having="f.order", **chosen).status_code == 303
    kept = page(client, site.url("/standing")).xpath("//section[@aria-labelledby='list-title']//dl/dd")
    assert [one.text_content() for one in kept] == [when, *conditions, "DECLINE"]
    stored = site.service.standing(site.id, "seat1")[0]["conditions"]
    assert stored == [["attacker", "=", "britain"], ["side", "=", "defender"], ["gold", ">=", "2"]]


def test_settings_say_that_a_new_address_signs_this_browser_out(toy_site):
    client, service = toy_site.client("seat1"), toy_site.service
    told = page(client, toy_site.url("/settings")).text_content()
    assert "This browser, too, is then signed out of the seat" in told
    form = next(f for f in page(client, toy_site.url("/settings")).forms if "address" in f.fields)
    client.post(form.action, data={**dict(form.form_values()), "address": "anew@example.net"})
    for kind in ("address_asked", "new_address"):
        mails = outbox.claim_due(service.store, service.clock.now(), webhooks=False)
        link = "/address/enter/" + next(row.data["token"] for row in mails if row.kind == kind)
        yes = next(form for form in page(client, link).forms if form.action == link)
        assert client.post(link, data=dict(yes.form_values())).status_code == 200
    seat = toy_site.url("/seat")
    assert client.get(seat).status_code == toy_site.client().get(seat).status_code == 404


def test_what_is_not_answered_stands_first_and_the_same_answer_is_stored_once(sites):
    site = sites("pairs", 2, kit=pairs_kit()).start()
    client = site.client("seat1")
    first, second = (ask.key for ask in site.service.asked(site.id, "seat1"))
    tree = page(client, site.url("/seat"))
    form = next(form for form in tree.forms if form.fields.get("question") == first)
    fields = {**dict(form.form_values()), "do": "send"}
    assert client.post(site.url("/orders"), data=fields).status_code == 303
    tree = page(client, site.url("/seat"))
    open_one, answered = tree.xpath("//section[starts-with(@aria-labelledby, 'ask-')]")
    assert not open_one.xpath(".//details[contains(@class, 'answered')]")
    assert open_one.xpath(".//input[@name='question']/@value") == [second]
    folded = answered.xpath("./details[contains(@class, 'answered')]")[0]
    assert "open" not in folded.attrib and folded.xpath(".//input[@name='lines' and @value='CANCEL ANSWER']")
    assert not answered.xpath("./form|./div[@class='quick']")  # what changes it is in the fold
    again = next(form for form in tree.forms if form.fields.get("question") == first)
    before = event(site)
    said = client.post(site.url("/orders"), data={**dict(again.form_values()), "do": "send"}, follow_redirects=True)
    assert "This is your answer already" in said.text and event(site) == before
    given = page(client, site.url("/seat")).xpath("//*[@class='given']//code/text()")
    assert len(given) == 1 and given[0].endswith("DONE")


def test_an_invitation_says_what_the_game_is_and_asks_for_nothing_else(sites):
    site = sites("virgin_queen", 4)
    client = site.client("seat1")
    asked = page(client, site.url("/seat"))
    (card,) = asked.xpath("//section[contains(@class, 'call')]")
    assert "Elizabeth" in card.text_content() and "Length" in card.text_content()
    assert not asked.xpath("//textarea[@name='lines']")
    site.service.accept(site.id, "seat1")
    assert page(client, site.url("/seat")).xpath("//textarea[@name='lines']")


def test_the_board_in_words_breaks_its_lines_where_the_page_does(sites):
    """A mail's lines are folded; in a page's narrow window that would break them twice."""
    site = sites("here_i_stand", 6).start()
    words = page(site.client(), site.url()).xpath("//pre")[0].text
    folded = site.service.page(site.id, None, "en").words
    assert re.search(r"\S\n {4}\S", folded) and words.split() == folded.split()
    assert not re.search(r"\S\n {4}\S", words)
