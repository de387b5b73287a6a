"""Rulings that must not pass: numbers beyond the bounds of the game, places that it has not, and what breaks what must
always hold, each refused at the desk with what would be right."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from lxml import html
from sqlalchemy import select

from pbem.games import find_game
from pbem.mail.outbound import Courier
from pbem.render.narrative import Teller, narrate
from tests.web.conftest import Site
from tests.web.test_desk import Desk, Letters

SEATS = {"struggle_of_empires": 4, "here_i_stand": 6, "thirty_years_war": 2, "virgin_queen": 4}


@pytest.fixture(scope="module", params=SEATS)
def playing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Desk]]:
    """A game some way on, and a moderator at its desk."""
    site = Site(tmp_path_factory.mktemp("rulings"), request.param, SEATS[request.param], secret=b"r" * 32)
    yield request.param, Desk(site.start().play(3, 30))
    site.service.close()


def count(track: str, power: str, after: int) -> dict[str, Any]:
    return {"fact": "count", "track": track, "power": power, "after": after}


def state(name: str, after: Any) -> dict[str, Any]:
    return {"fact": "state", "name": name, "after": after}


def units(kind: str, number: int, place: str) -> dict[str, Any]:
    return {"fact": "units", "kind": kind, "power": "france", "number": number, "origin": None, "place": place}


GOOD = {
    "struggle_of_empires": [count("gold", "france", 12)], "here_i_stand": [units("regular", 1, "paris")],
    "thirty_years_war": [state("turn", 3)], "virgin_queen": [state("turn", 2)],
}  # fmt: skip
WRONG: dict[str, list[tuple[dict[str, Any], str]]] = {
    "struggle_of_empires": [
        (count("gold", "france", -5), "Gold can be 0 to 190, not -5"),
        (state("round", 99), "Round can be 1 to 6, not 99"),
        (state("war", 7), "Number of the war can be 1 to 3, not 7"),
        (units("army", 1, "atlantis"), "called “atlantis”"),
        (count("population", "france", 10), "Population can be 0 to 9"),
        (units("army", 9, "india"), "must always hold: France has"),
    ],
    "here_i_stand": [
        (state("turn", 99), "Turn can be 1 to 9, not 99"), (units("regular", 1, "atlantis"), "called “atlantis”"),
        (units("regular", 400, "paris"), "units on counters for"),
        (count("st_peters_cp", "papacy", -1), "can be 0 or more, not -1"),
    ],
    "thirty_years_war": [
        (state("turn", 99), "Turn can be 1 to 15, not 99"),
        ({"fact": "counter", "name": "influence", "after": -3}, "can be 0 or more, not -3"),
    ],
    "virgin_queen": [
        (state("turn", 99), "Turn can be 1 to 7, not 99"), (units("regular", 1, "atlantis"), "called “atlantis”"),
        (state("control:toulouse", "toulouse"), "must always hold"),
    ],
}  # fmt: skip


def test_what_no_game_can_hold_is_refused_with_what_would_be_right(playing):
    game, desk = playing
    for ends_step in ({}, {"ends_step": "on"}):
        for fact, words in WRONG[game]:
            # also where another fact follows, which is whole
            for facts in ([fact], [fact, *GOOD[game]]):
                desk.refused("ruling", 422, words, do="try", facts=json.dumps(facts), reason="hm", **ends_step)
    tried = html.fromstring(desk.post("ruling", do="try", facts=json.dumps(GOOD[game]), reason="a slip").data)
    assert tried.xpath("//input[@name='tried']"), tried.xpath("string(//*[@role='alert'])")


def build(desk: Desk, what: str, facts: str = "[]", **form: str) -> tuple[str, html.HtmlElement]:
    """Add a change to a ruling by the lists of its page; returns the facts, and the page that comes."""
    chosen = html.fromstring(desk.post("ruling", do="choose", facts=facts, what=what).data)
    thing = chosen.xpath("string(//input[@name='thing']/@value)")
    assert len(chosen.xpath("//fieldset[@class='change']//label")) < 5
    page = html.fromstring(desk.post("ruling", do="add", facts=facts, thing=thing, **form).data)
    assert not alert(page), alert(page)
    return page.get_element_by_id("facts").text, page


def alert(page: html.HtmlElement) -> str:
    return " ".join(page.xpath("string(//*[@role='alert'])").split())


def make_so(desk: Desk, facts: str, **more: str) -> html.HtmlElement:
    """Try a ruling and make it so; returns the page of the try."""
    page = html.fromstring(desk.post("ruling", do="try", facts=facts, reason="a slip", **more).data)
    mark = page.xpath("string(//input[@name='tried']/@value)")
    assert mark, alert(page)
    assert desk.done("ruling", do="rule", facts=facts, reason="a slip", tried=mark, **more) == ["ruling"]
    return page


def goes_on(desk: Desk, answers: int = 25) -> None:
    """The table works on: answers are taken, and another process reads the same board."""
    site, before = desk.site, desk.last
    site.play(8, answers)
    assert desk.last >= before + answers and site.service.status(site.id).state == "running"
    assert all(name == "done" for name in outbox_states(site))


def outbox_states(site: Site) -> list[str]:
    table = site.service.store.tables.inbox
    with site.service.store.read() as connection:
        return list(connection.execute(select(table.c.state).where(table.c.campaign == site.id)).scalars())


POINTS = {"here_i_stand": ("control of Metz", "Hapsburgs", "hapsburg"), "virgin_queen": ("control of Antwerp", "France",
          "france")}  # fmt: skip


def test_what_the_rules_make_of_a_ruling_goes_with_it(playing):
    game, desk = playing
    if game not in POINTS:
        assert desk.site.service.goes_with(desk.site.id, GOOD[game]) == []
        return
    what, whom, power = POINTS[game]
    before = desk.site.service.view_at(desk.site.id).tracks["vp"][power]
    facts, page = build(desk, what, value=whom)
    with_it = page.xpath("//ol[@class='ruled']/following-sibling::ul/li/text()")
    assert any(re.search(rf"VP {before} → \d+", said) for said in with_it), with_it
    assert "vp" not in facts
    make_so(desk, facts)
    after = desk.site.service.view_at(desk.site.id).tracks["vp"][power]
    assert after > before
    told = desk.site.service.events(desk.site.id, "seat1", desk.last)[0]["facts"]
    assert [f["after"] for f in told if f["fact"] == "count" and f["power"] == power] == [after]
    goes_on(desk)


def test_what_is_filled_in_but_not_added_is_tried_too(playing):
    game, desk = playing
    (first,) = GOOD[game]
    offered = html.fromstring(desk.get("ruling").data).xpath("//datalist[@id='things']/option/@value")
    what = next(one for one in offered if one.startswith(WHAT[game]) and "France" not in one)
    page = html.fromstring(desk.post("ruling", do="choose", facts=json.dumps([first]), what=what).data)
    thing = page.xpath("string(//input[@name='thing']/@value)")
    value = str(int(page.xpath("string(//input[@name='value']/@value)")) + 1)
    form = {"facts": json.dumps([first]), "thing": thing, "reason": "a slip"}
    tried = html.fromstring(desk.post("ruling", do="try", **form, value=value).data)
    assert tried.xpath("//input[@name='tried']"), alert(tried)
    assert len(tried.xpath("//ol[@class='ruled']/li")) == 2
    made = tried.xpath("string(//section//form//textarea[@name='facts'])")
    assert len(json.loads(made)) == 2
    wrong = desk.post("ruling", do="try", **form, value="many")
    assert wrong.status_code == 422 and "“many” is none" in wrong.text


WHAT = {"struggle_of_empires": "Gold: ", "here_i_stand": "VP: ", "thirty_years_war": "VP", "virgin_queen": "VP: "}
VP = {"here_i_stand": "VP: France", "virgin_queen": "VP: France", "thirty_years_war": "VP"}


@pytest.mark.parametrize("change", [3, -2])
def test_vp_that_are_ruled_stay(playing, change):
    game, desk = playing
    if game not in VP:
        return
    before = vp_told(desk)
    facts, _ = build(desk, VP[game], value=str(before + change))
    make_so(desk, facts)
    site = desk.site
    assert vp_told(desk) == before + change
    with site.service.memory.reading(site.id) as found:
        table = found.table(found.campaign.board_now().copy())
        assert not found.game.faults(table)
        reasons = [one for one in found.game.reasons(table) if one["power"] in ("france", None)]
        found.game.follow(table)
        assert not table.facts, "nothing is counted back"
    told = Teller(site.service.kit_of(site.id)).reasons(reasons)
    assert sum(int(line.split()[0]) for line in told[0][1]) == before + change
    assert game == "here_i_stand" or any("by a ruling" in line for line in told[0][1])
    goes_on(desk, 6)


def vp_told(desk: Desk) -> int:
    board = desk.site.service.view_at(desk.site.id)
    return board.counter("vp") if "vp" in board.counters else board.tracks["vp"]["france"]


NEVER = {"struggle_of_empires": ("Army Training", "Baltic"), "here_i_stand": ("Religion of Agram", "England"),
         "thirty_years_war": ("Spinola (Aachen)", "Bamberg"), "virgin_queen": ("Religion of London",
         "Spain")}  # fmt: skip


def test_only_what_can_be_is_offered(playing):
    game, desk = playing
    what, never = NEVER[game]
    page = html.fromstring(desk.post("ruling", do="choose", facts="[]", what=what).data)
    offered = page.xpath("//fieldset[@class='change']//option")
    names = [one.get("value") or one.text for one in offered]
    assert names and never not in names
    for name in random.Random(1).sample(names, min(4, len(names))):
        facts, _ = build(desk, what, **{page.xpath("string(//fieldset[@class='change']//@name[.!='thing'])"): name})
        tried = html.fromstring(desk.post("ruling", do="try", facts=facts, reason="a slip").data)
        assert tried.xpath("//input[@name='tried']"), (name, alert(tried))


def test_a_campaign_takes_orders_while_it_is_looked_through_what_can_be(playing, monkeypatch):
    game, desk = playing
    site, room, asked = desk.site, find_game(game), []
    plain, lock = room.faults, site.service.memory.lock(site.id)

    def is_free() -> bool:
        if free := lock.acquire(blocking=False):
            lock.release()
        return free

    def watched(table: Any) -> Any:
        with ThreadPoolExecutor(1) as other:
            asked.append(other.submit(is_free).result())
        return plain(table)

    monkeypatch.setattr(room, "faults", watched)
    desk.post("ruling", do="choose", facts="[]", what=NEVER[game][0])
    assert asked and all(asked)


LEFT = {
    "here_i_stand": (["Bordeaux", "Paris", "Lyon", "Marseille", "Rouen", "Milan"], "England"),
    "virgin_queen": (["Paris", "Lyon", "Rouen"], "Spain"),
}
"""Where French units may stand in these campaigns by now, and who is to control the place."""


def test_units_of_others_that_a_change_of_control_leaves_are_told(playing):
    game, desk = playing
    if game not in LEFT:
        return
    places, whom = LEFT[game]
    told = []
    for place in places:
        _, page = build(desk, f"control of {place}", value=whom)
        said = " ".join(page.xpath("//p[@class='kept-ink']/text()"))
        told += [place] if said.startswith(f"Units of others stay in {place}:") and "France" in said else []
    assert told
    _, page = build(desk, f"control of {told[0]}", value="France")
    assert not page.xpath("//p[@class='kept-ink']/text()")


def test_influence_is_ruled_from_lists(playing):
    game, desk = playing
    if game != "virgin_queen":
        return
    facts, page = build(desk, "Influence: Ireland", of="England", entry="4")
    (said,) = page.xpath("//ol[@class='ruled']/li")
    assert said.text.startswith("Influence") and "Ireland: England: 4" in said.text
    make_so(desk, facts)
    assert whole_board(desk).state["influence"]["ireland"]["england"] == 4


def test_who_plays_a_power_without_a_seat_is_ruled_from_a_list(playing):
    game, desk = playing
    if game != "virgin_queen":
        offered = html.fromstring(desk.get("ruling").data).xpath("//datalist/option/@value")
        assert offered and not [one for one in offered if "plays" in one]
        return
    service, id = desk.site.service, desk.site.id
    held = service.view_at(id, desk.site.service.status(id).waiting_seats[0])
    lent = dict(held.played_by)
    seats = {power: seat for seat, seating in service.status(id).seats.items() for power in seating["powers"]}
    for by in ("spain", "france"):
        hand = list(whole_board(desk).piles.get("hand:ottoman", ()))
        facts, page = build(desk, "Who plays: Ottoman", value=by.capitalize())
        if lent.get("ottoman") == by:
            continue
        assert f"{by.capitalize()} plays the Ottoman from now on." in page.text_content()
        tried = make_so_on_record(desk, facts)
        rows = [" ".join(row.text_content().split()) for row in tried.xpath("//table//tr")]
        assert any(row.startswith("Who plays: Ottoman") and row.endswith(by.capitalize()) for row in rows), rows
        assert not hand or not any("a hidden card, a hidden card" in row for row in rows)
        board = whole_board(desk)
        assert board.played_by["ottoman"] == by
        assert [pair for pair in board.state["allied"] if "ottoman" in pair] == [sorted(["ottoman", by])]
        assert not board.piles.get("hand:ottoman") and set(hand) <= {c for p in board.piles for c in board.piles[p]}
        assert "ottoman" in service.status(id).seats[seats[by]]["powers"]
        goes_on(desk)
    facts = build(desk, "Who plays: Ottoman", value="nobody")[0]
    refused = desk.post("ruling", do="try", facts=facts, reason="he asked")
    assert refused.status_code == 422 and "by a ruling that ends the step" in refused.text
    make_so_on_record(desk, facts, ends_step="on")
    assert "ottoman" not in whole_board(desk).powers
    goes_on(desk)


def make_so_on_record(desk: Desk, facts: str, **more: str) -> html.HtmlElement:
    """As `make_so`, where the try lays a hand down, and so is on record by itself."""
    before = desk.last
    page = html.fromstring(desk.post("ruling", do="try", facts=facts, reason="he asked", **more).data)
    mark = page.xpath("string(//input[@name='tried']/@value)")
    assert mark and desk.kinds(before) in (["asked_referee"], []), alert(page)
    made = desk.done("ruling", do="rule", facts=facts, reason="he asked", tried=mark, **more)
    assert made == (["ruling", "restarted"] if more else ["ruling"])
    return page


def whole_board(desk: Desk) -> Any:
    with desk.site.service.memory.reading(desk.site.id) as found:
        return found.campaign.board_now()


BREAKS: dict[str, dict[str, Any]] = {
    "struggle_of_empires": units("army", 9, "india"), "here_i_stand": units("regular", 400, "paris"),
    "thirty_years_war": state("loot:vienna", 9),
    "virgin_queen": state("control:toulouse", "toulouse"),
}  # fmt: skip
KEPT = {"en": "breaks what the program always keeps", "fr": "rompe ce que le programme garde toujours",
        "ru": "нарушает то, что программа всегда соблюдает"}  # fmt: skip


def test_who_insists_on_what_the_watch_refuses_is_heard_with_a_reason_of_its_own(playing):
    game, desk = playing
    facts = json.dumps([BREAKS[game]])
    desk.refused("ruling", 422, "must always hold", do="try", facts=facts, reason="a slip")
    desk.refused("ruling", 422, "must always hold", do="try", facts=facts, reason="a slip", insists="  ")
    page = html.fromstring(desk.post("ruling", do="try", facts=facts, reason="a slip").data)
    assert page.xpath("//textarea[@name='insists']") and not page.xpath("//input[@name='tried']")
    tried = html.fromstring(desk.post("ruling", do="try", facts=facts, reason="a slip", insists="house rule").data)
    mark = tried.xpath("string(//input[@name='tried']/@value)")
    shown = tried.xpath("//section//p[contains(., 'as broken')]/following-sibling::ul/li")
    assert shown and "house rule" in tried.text_content()
    desk.refused("ruling", 409, "Try it first", do="rule", facts=facts, reason="a slip", tried=mark)
    make_so(desk, facts, insists="house rule")
    event = desk.site.service.events(desk.site.id, "seat1", desk.last)[0]
    kit = desk.site.service.kit_of(desk.site.id)
    for code, words in KEPT.items():
        told = " ".join(paragraph.text for paragraph in narrate(event["facts"], kit, code))
        assert words in told and "house rule" in told and "%(" not in told and "must" not in told, told
    letters = Letters()
    Courier(desk.site.service, transport=letters, pictures=False).send_due()
    texts = [mail.get_body(("plain",)).get_content() for _, mail in letters.sent]
    assert any(KEPT["en"] in " ".join(text.split()) for text in texts)
    goes_on(desk)
    # what is broken already does not stand in the way of the next ruling
    make_so(desk, json.dumps([{"fact": "happened", "what": "noted"}]))


@pytest.mark.parametrize("insists", ["", "so it is"])
def test_no_insisting_makes_a_board_from_which_the_rules_cannot_go_on(playing, insists):
    _, desk = playing
    facts = json.dumps([state("phase", "no_such_phase")])
    desk.refused("ruling", 422, "the game could not go on", do="try", facts=facts, reason="hm", insists=insists)


def test_what_is_broken_of_hidden_things_is_named_to_nobody(playing):
    game, desk = playing
    if game != "thirty_years_war":
        return
    pile = next(name for name in whole_board(desk).piles if name.startswith("hand:"))
    card = whole_board(desk).piles[pile][0]
    facts = json.dumps([{"fact": "card", "card": card, "origin": pile, "place": None}])
    before = desk.last
    page = html.fromstring(desk.post("ruling", do="try", facts=facts, reason="a slip", insists="lost").data)
    mark = page.xpath("string(//input[@name='tried']/@value)")
    assert desk.kinds(before) == ["asked_referee"]
    desk.done("ruling", do="rule", facts=facts, reason="a slip", insists="lost", tried=mark)
    public = desk.site.service.events(desk.site.id, None, desk.last)[0]["facts"]
    (mark_of_it,) = (fact for fact in public if fact["fact"] == "happened")
    assert mark_of_it["broken"] == [] and mark_of_it["reason"] == "lost"


def test_no_live_secret_stands_among_the_reasons_for_insisting(toy_site):
    desk, token = Desk(toy_site), toy_site.tokens["seat1"]
    facts = json.dumps([{"fact": "card", "card": "card_01", "origin": None, "place": "discard"}])
    for insists in (token, f"see {desk.site.id}+{token}@example.org"):
        desk.refused("ruling", 409, "secret", do="try", facts=facts, reason="a slip", insists=insists)
    assert "try it first" not in desk.post("ruling", do="try", facts=facts, reason="a slip", insists="lost").text


def test_a_ruling_on_hidden_things_is_on_record_once(toy_site):
    desk = Desk(toy_site)
    card = toy_site.service.view_at(toy_site.id, "seat1").piles["hand:red"][0]
    facts = json.dumps([{"fact": "card", "card": card, "origin": "hand:red", "place": "discard"}])
    before = desk.last
    mark = re.search(r'name="tried" value="(\w+)"', desk.post("ruling", do="try", facts=facts, reason="a slip").text)
    assert mark and desk.kinds(before) == ["asked_referee"]
    assert desk.done("ruling", do="rule", facts=facts, reason="a slip", tried=mark[1]) == ["ruling"]


def test_a_card_is_given_by_name_from_wherever_it_lies(playing):
    game, desk = playing
    piles = whole_board(desk).piles
    hand = next((name for name in sorted(piles) if name.startswith("hand:")), None)
    if hand is None:
        assert game == "struggle_of_empires"
        return
    deck = next(name for name in piles if name.startswith("deck") and piles[name])
    card, power = piles[deck][0], hand.partition(":")[2]
    page = html.fromstring(desk.get("ruling").data)
    of_card = f"Card {card.replace('_', ' ')}: "
    label = next(one for one in page.xpath("//datalist[@id='things']/option/@value") if one.startswith(of_card))
    board = html.fromstring(desk.post("ruling", do="choose", facts="[]", what=label).data)
    assert "It goes from wherever it lies, which is hidden." in board.text_content()
    place = next(
        one
        for one in board.xpath("//datalist[@id='change-to-list']/option/@value | //option/text()")
        if one.startswith("Hand (") and Teller(desk.site.service.kit_of(desk.site.id)).power(power) in one
    )
    facts, _ = build(desk, label, to=place)
    assert "origin" not in facts
    before = desk.last
    tried = html.fromstring(desk.post("ruling", do="try", facts=facts, reason="given back").data)
    assert desk.kinds(before) == ["asked_referee"], "to find it tells something"
    mark = tried.xpath("string(//input[@name='tried']/@value)")
    assert desk.done("ruling", do="rule", facts=facts, reason="given back", tried=mark) == ["ruling"], alert(tried)
    assert card in whole_board(desk).piles[hand]
    public = desk.site.service.events(desk.site.id, None, desk.last)[0]["facts"]
    assert all(fact.get("card", "?") == "?" for fact in public), "nobody else is told which it is"
