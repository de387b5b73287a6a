"""HAND: one's own cards, by whatever way one asks."""

from __future__ import annotations

import pytest

from pbem.render.language import languages
from pbem.render.narrative import Teller
from tests.campaign.case_campaign import campaign_of

CASE = {
    "game": "here_i_stand",
    "scenario": "1517",
    "seats": 3,
    "title": "HAND",
    "arrange": [
        {"hand": {"power": "ottoman", "cards": [1, 31]}},
        {"hand": {"power": "france", "cards": [4]}},
        {"hand": {"power": "hapsburg", "cards": [2]}},
        {"impulse": "ottoman"},
    ],
    "play": [],
}


def test_a_hand_is_told_apart_for_each_power_of_a_seat(tmp_path):
    with campaign_of(CASE, tmp_path) as campaign:
        kit = campaign.service.kit_of(campaign.id)
        (result,) = campaign.send("ottoman", "HAND").lines
        told = result.told(Teller(kit))
        assert result.state == "told" and told.index("Ottoman") < told.index("31 Foul Weather") < told.index("4 Patron")
        assert "2 Holy Roman Emperor" not in told
        assert all(result.told(Teller(kit, language)).count("\n") > 4 for language in languages())


@pytest.mark.parametrize("powers", [["hapsburg"], ["ottoman", "france"]])
def test_who_asks_for_his_hand_moves_nothing(tmp_path, powers):
    with campaign_of(CASE, tmp_path) as campaign:
        before = campaign.service.status(campaign.id).event
        campaign.send(powers[0], "my cards please")
        assert campaign.service.status(campaign.id).event == before


def test_who_has_no_cards_is_told_so(tmp_path):
    with campaign_of({"game": "struggle_of_empires", "seats": 3, "title": "HAND", "play": []}, tmp_path) as campaign:
        status = campaign.service.status(campaign.id)
        power = status.seats[status.waiting_seats[0]]["powers"][0]
        assert campaign.send(power, "HAND").lines[0].text == "You hold no cards."
