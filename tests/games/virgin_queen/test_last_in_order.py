"""Virgin Queen: who comes last in impulse order announces no deals with others, and is shown no form for it."""

from __future__ import annotations

from pbem.games.virgin_queen.room import GAME
from pbem.table.kit import load_kit
from tests.campaign.case_campaign import campaign_of


def test_the_last_power_is_shown_no_form_that_it_can_fill_in_no_way(tmp_path):
    kit = load_kit("virgin_queen")
    powers = list(GAME.powers(kit, "1559"))
    case = {"game": "virgin_queen", "scenario": "1559", "seats": len(powers), "title": "talks", "play": [],
            "arrange": [{"phase": {"phase": "diplomacy", "segment": "negotiation"}}]}  # fmt: skip
    with campaign_of(case, tmp_path) as campaign:
        forms = {}
        for seat in campaign.service.status(campaign.id).waiting_seats:
            (asked,) = campaign.service.asked(campaign.id, seat)
            forms[asked.power] = [usage.partition(" ")[0] for usage in asked.usages]
        assert len(forms) == len(powers)
        order = campaign.service.view_at(campaign.id).powers
        assert ["ANNOUNCE" in forms[power] for power in order] == [True] * (len(order) - 1) + [False]
        assert "DONE" in forms[order[-1]]
