"""The ready-made standing orders on their page: what can be taken over now, and for what."""

from __future__ import annotations

import pytest

from tests.web.conftest import Site, page, send

HELD = "//select[@name='value']/option/@value"


@pytest.fixture
def site(sites) -> Site:
    return sites("here_i_stand", 6, secret=b"7" * 32).start().play(5, 40, lambda status: status.kind == "action")


def test_a_card_of_ones_hand_is_kept_by_a_choice(site):
    seat = site.asked_seat()
    client = site.client(seat)
    hand = site.service.view_at(site.id, seat).hand_of(site.service.status(site.id).seats[seat]["powers"])
    offered = page(client, site.url("/standing")).xpath(HELD)
    assert sorted(offered) == sorted(hand) and len(hand) > 1
    form = page(client, site.url("/standing")).xpath("//form[.//select[@name='value']]")[0]
    hidden = {one.name: one.value for one in form.xpath(".//input[@type='hidden']")}
    assert client.post(site.url("/standing"), data={**hidden, "value": hand[0]}).status_code == 303
    kept = {one.get("preset") for one in site.service.standing(site.id, seat)}
    assert kept == {f"keep_card {hand[0]}"}
    tree = page(client, site.url("/standing"))
    assert sorted(tree.xpath(HELD)) == sorted(hand[1:])
    assert "<" not in "".join(tree.xpath("//section[@aria-labelledby='list-title']//text()"))


def test_what_is_for_the_time_that_runs_is_shown_as_it_would_be_taken_over(site):
    client = site.client(site.asked_seat())
    tree = page(client, site.url("/standing"))
    turn = site.service.view_at(site.id).state["turn"]
    lines = tree.xpath("//ul[@id='presets']//code/text()")
    assert f"STANDING response IF turn {turn}: PASS" in lines and not [line for line in lines if "{" in line]
    send(client, tree, site.url("/standing"), having="preset", do="take", preset="no_response_this_turn")
    taken = page(client, site.url("/standing")).xpath("//ul[@id='presets']/li[p[@class='muted']]/p[1]/text()")
    assert [text for text in taken if "rest of this turn" in text]


def test_before_the_game_begins_nothing_that_runs_is_offered(sites):
    site = sites("here_i_stand", 6)
    tree = page(site.client("seat1"), site.url("/standing"))
    waiting = tree.xpath("//ul[@id='presets']/li[contains(., 'as things stand now')]")
    assert len(waiting) == 3 and not [one for one in waiting if one.xpath(".//button")]
