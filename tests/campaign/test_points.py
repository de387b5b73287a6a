"""“Why 37?”: STATUS VP tells why the points stand as they do, by mail and on the page, in every game."""

from __future__ import annotations

import pytest

from pbem.campaign.page import Page
from pbem.games import find_game
from pbem.render.narrative import Teller
from pbem.table import playout
from pbem.table.kit import load_kit
from pbem.table.procedure import Play
from tests import toy
from tests.campaign.test_next_in_games import Game, settings  # noqa: F401

GAMES = [("struggle_of_empires", 3, "standard"), ("here_i_stand", 6, "1517"), ("thirty_years_war", 2, "campaign")]


class Enough(Exception):
    """So much of a long game has been looked at."""


@pytest.mark.parametrize(("name", "seats", "scenario"), GAMES)
def test_the_reasons_make_the_points_whenever_somebody_is_asked(name, seats, scenario, monkeypatch):
    game, checked = find_game(name), []
    answer = Play.answer

    def looking(self: Play, *given):
        outcome = answer(self, *given)
        for entry in game.reasons(self.table):
            assert entry["points"] == sum(reason["points"] for reason in entry["reasons"]), entry
            if entry["power"] is not None:
                assert entry["points"] == self.table.board.value("vp", entry["power"])
            checked.append(entry)
        if len(checked) > 1_500:
            raise Enough
        return outcome

    monkeypatch.setattr(Play, "answer", looking)
    record = playout.play_out(game, load_kit(name), 3, seats, 5, scenario=scenario, check=False)
    assert record.failure in (None, "Enough: "), record.failure
    assert len(checked) > 30


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
@pytest.mark.parametrize("name", [name for name, _, _ in GAMES])
def test_every_reason_is_told_in_words(name, language):
    kit = load_kit(name)
    teller = Teller(kit, language)
    told = {reason for section, reason in teller.phrases.templates if section == "reason"}
    assert len(told) > 3
    assert teller.reasons([{"power": None, "points": 3, "reasons": []}])[0][0].endswith(("VP", "PV", "3"))


@pytest.fixture
def war(service, clock):
    return Game(service, clock, "thirty_years_war", 2, scenario="campaign")


def test_status_vp_lists_the_reasons_and_changes_nothing(war):
    before = war.service.status(war.id).event
    line = war.good("seat1", "STATUS VP").lines[0]
    assert line.state == "told"
    assert line.told(Teller(war.service.kit_of(war.id))).splitlines() == ["21 VP", "+21  at the start"]
    assert line.told(Teller(war.service.kit_of(war.id), "fr")).splitlines() == ["21 PV", "+21  au début"]
    assert war.service.status(war.id).event == before


def test_the_page_of_everybody_has_them_too(war):
    page = war.service.page(war.id, None, "en")
    assert isinstance(page, Page)
    assert page.reasons == [("21 VP", ["+21  at the start"])]


def test_a_game_without_reasons_says_so(service, clock):
    table = Game(service, clock, "toy", 3, kit=toy.kit())
    line = table.send("seat1", "STATUS VP").lines[0]
    assert line.reasons == [] and "nothing more" in line.text
