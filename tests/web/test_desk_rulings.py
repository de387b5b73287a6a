"""Rulings that must not pass: numbers beyond the bounds of the game, places that it has not, and what breaks what must
always hold, each refused at the desk with what would be right."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from lxml import html

from tests.web.conftest import Site
from tests.web.test_desk import Desk

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
        (count("vp", "france", 99), "France has 99 VP"), (units("regular", 400, "paris"), "units on counters for"),
        (count("st_peters_cp", "papacy", -1), "can be 0 or more, not -1"),
    ],
    "thirty_years_war": [
        (state("turn", 99), "Turn can be 1 to 15, not 99"),
        ({"fact": "counter", "name": "vp", "after": 99}, "VP are 99"),
        ({"fact": "counter", "name": "influence", "after": -3}, "can be 0 or more, not -3"),
    ],
    "virgin_queen": [
        (state("turn", 99), "Turn can be 1 to 7, not 99"), (units("regular", 1, "atlantis"), "called “atlantis”"),
        (count("vp", "france", 99), "France has 99 VP"),
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


def test_a_ruling_on_hidden_things_is_on_record_once(toy_site):
    desk = Desk(toy_site)
    card = toy_site.service.view_at(toy_site.id, "seat1").piles["hand:red"][0]
    facts = json.dumps([{"fact": "card", "card": card, "origin": "hand:red", "place": "discard"}])
    before = desk.last
    mark = re.search(r'name="tried" value="(\w+)"', desk.post("ruling", do="try", facts=facts, reason="a slip").text)
    assert mark and desk.kinds(before) == ["asked_referee"]
    assert desk.done("ruling", do="rule", facts=facts, reason="a slip", tried=mark[1]) == ["ruling"]
