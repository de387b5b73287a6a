"""A person's mails go to another address: by himself, and by a moderator."""

from __future__ import annotations

import json

from lxml import html

from tests.end_to_end.conftest import PASSWORD, Campaign, Server, Visitor, letter, text_of, until

NEW = "anew@people.example"


def link_in(mail, site: str) -> str:
    return next(word for word in text_of(mail).split() if word.startswith(site))


def said_on(page: html.HtmlElement) -> str:
    return " ".join(page.text_content().split())


def ask_for(visitor: Visitor, campaign: Campaign, address: str) -> str:
    _, page = visitor.open(f"/c/{campaign.id}/settings")
    form = visitor.form(page, f"/c/{campaign.id}/address")
    return said_on(visitor.open(f"/c/{campaign.id}/address", {**form, "address": address})[1])


def asking_mail(server: Server, address: str):
    """The mail that asks at the old address whether its player wants another."""
    return until(lambda: [m for m in server.mails(address) if "want your mails elsewhere" in str(m["Subject"])])[-1]


def moved_mail(server: Server, address: str):
    """The mail by which a seat learns that its mails come here now."""
    return until(lambda: [m for m in server.mails(address) if str(m["Subject"]).endswith("here from now on")])[-1]


def test_a_player_moves_by_a_link_that_shows_the_new_address_his(server: Server) -> None:
    campaign = Campaign(server, "removal")
    campaign.begin()
    old, old_link, old_reply = campaign.people["seat1"], campaign.link["seat1"], campaign.reply_to["seat1"]
    visitor = Visitor(server.site)
    visitor.open(old_link)
    assert "This is no mail address" in ask_for(visitor, campaign, "nowhere")
    assert f"another goes to {NEW}" in ask_for(visitor, campaign, f" {NEW} ")
    assert "wait five minutes" in ask_for(visitor, campaign, "other@people.example")
    allow = link_in(asking_mail(server, old), server.site)
    # The old address is asked first, and says yes; whoever has no more than the seat's link comes no further.
    owner = Visitor(server.site)
    _, page = owner.open(allow)
    assert not server.mails(NEW)
    status, page = owner.open(allow, {**owner.form(page, allow.removeprefix(server.site)), "do": "allow"})
    assert status == 200 and f"A link went to {NEW}" in said_on(page)
    (asking,) = until(lambda: server.mails(NEW))
    confirm = link_in(asking, server.site)
    assert "/address/enter/" in confirm and asking["Reply-To"] is None
    assert campaign.tokens["seat1"] not in asking.as_string()
    # As long as nobody has pressed the button all is as it was: a reader of mails follows links too.
    stranger = Visitor(server.site)
    status, page = stranger.open(confirm)
    assert status == 200 and server.api(f"{campaign.id}/seat", campaign.tokens["seat1"])[0] == 200
    status, page = stranger.open(confirm, stranger.form(page, confirm.removeprefix(server.site)))
    assert status == 200 and f"Your mails go to {NEW} now" in said_on(page)
    assert stranger.open(confirm)[0] == 404, "the link is used up"

    moved = moved_mail(server, NEW)
    reply, link = str(moved["Reply-To"]), link_in(moved, server.site)
    assert reply != old_reply and link != old_link
    left = until(lambda: [m for m in server.mails(old) if "another address" in str(m["Subject"])])[0]
    assert left["Reply-To"] is None and server.site + "/c/" not in text_of(left) and NEW not in left.as_string()
    # The old ways are shut: link, session, API and reply address.
    assert Visitor(server.site).open(old_link)[0] == 404
    assert visitor.open(f"/c/{campaign.id}/settings")[0] in (401, 403, 404)
    assert server.api(f"{campaign.id}/seat", campaign.tokens["seat1"])[0] in (401, 403)
    before = len(server.mails(old))
    server.send(old, old_reply, letter(old, old_reply, "PRESS TO ALL: from the old one"))
    until(lambda: len(server.mails(old)) > before)
    assert "it had no effect" in text_of(server.mails(old)[-1])
    # Orders from the new address are taken, and answered there; later mails of the campaign go there alone.
    before = len(server.mails(old))
    server.send(NEW, reply, letter(NEW, reply, "PRESS TO ALL: from the new one"))
    until(lambda: server.answers(NEW, "PRESS TO ALL: from the new one"))
    server.send(
        campaign.people["seat2"], campaign.reply_to["seat2"],
        letter(campaign.people["seat2"], campaign.reply_to["seat2"], "PRESS TO ALL: to wherever you are"),
    )
    until(lambda: [m for m in server.mails(NEW) if "to wherever you are" in text_of(m)])
    assert len(server.mails(old)) == before
    assert Visitor(server.site).open(link)[0] == 200
    # Nothing personal is on record, and no event tells of it.
    token = reply.partition("+")[2].partition("@")[0]
    events = json.dumps(server.api(f"{campaign.id}/seat/events", token)[1])
    assert "people.example" not in events and "anew" not in events


def test_the_link_of_a_seat_alone_moves_nobody(server: Server) -> None:
    campaign = Campaign(server, "removal")
    campaign.begin()
    old = campaign.people["seat2"]
    thief = Visitor(server.site)
    thief.open(campaign.link["seat2"])
    ask_for(thief, campaign, "thief@people.example")
    asked = asking_mail(server, old)
    assert "thief@people.example" in text_of(asked) and asked["Reply-To"] is None
    assert campaign.tokens["seat2"] not in asked.as_string()
    link = link_in(asked, server.site)
    owner = Visitor(server.site)
    _, page = owner.open(link)
    assert "leave my address as it is" in said_on(page)
    _, page = owner.open(link, {**owner.form(page, link.removeprefix(server.site)), "do": "stop"})
    assert "Your address stays as it is" in said_on(page)
    assert owner.open(link)[0] == 404 and server.mails("thief@people.example") == []
    assert server.api(f"{campaign.id}/seat", campaign.tokens["seat2"])[0] == 200


def test_a_moderator_moves_a_player_and_nobody_to_the_address_of_another(server: Server) -> None:
    campaign = Campaign(server, "removal")
    campaign.begin()
    desk = Visitor(server.site)
    _, page = desk.open("/desk/login")
    desk.open("/desk/login", {**desk.form(page, "/login"), "name": "anna", "password": PASSWORD})
    _, page = desk.open("/desk/people")
    links = page.xpath("//a[contains(@href, '/desk/people/')]")
    person = next(one.get("href") for one in links if "seat1" in one.text_content())
    _, page = desk.open(person)
    form = desk.form(page, "/address")
    for address, said in (("nowhere", "this is no mail address"), ("SEAT2@people.example", "somebody else is known")):
        assert said in said_on(desk.open(f"{person}/address", {**form, "address": address})[1])
    assert server.api(f"{campaign.id}/seat", campaign.tokens["seat1"])[0] == 200, "nothing has changed"
    assert "His mails go there from now on" in said_on(desk.open(f"{person}/address", {**form, "address": NEW})[1])
    reply = str(moved_mail(server, NEW)["Reply-To"])
    assert server.api(f"{campaign.id}/seat", campaign.tokens["seat1"])[0] in (401, 403)
    server.send(NEW, reply, letter(NEW, reply, "STATUS"))
    until(lambda: server.answers(NEW, "STATUS"))
