"""HELP of every verb of the published games, in every language."""

from __future__ import annotations

import re

import pytest

from pbem.games import find_game
from pbem.render.language import languages
from pbem.render.narrative import Teller
from tests.campaign.case_campaign import campaign_of

SEATS = {"struggle_of_empires": 3, "thirty_years_war": 2, "virgin_queen": 6, "here_i_stand": 6}
_LINE = re.compile(r"\b[A-Z]{2,}\b[^\n]*")
"""A line as it is sent, which is written with ids."""


@pytest.mark.parametrize("game", SEATS)
def test_help_tells_of_every_verb_and_of_it_alone_without_ids(game, tmp_path):
    wrong: list[str] = []
    with campaign_of({"game": game, "seats": SEATS[game], "title": "HELP", "play": []}, tmp_path) as campaign:
        status = campaign.service.status(campaign.id)
        who, kit = status.seats[status.waiting_seats[0]]["powers"][0], campaign.service.kit_of(campaign.id)
        kinds = {kind.id(): kind.pattern.verb for kind in find_game(game).orders}
        for verb in sorted(set(kinds.values())):
            (result,) = campaign.send(who, f"HELP {verb}").lines
            if {kinds[one["order"]] for one in result.explains} != {verb}:
                wrong.append(f"HELP {verb} explains {[one['order'] for one in result.explains]}")
            for language in languages():
                told = result.told(Teller(kit, language)) or ""
                if re.search(r"\w_\w", _LINE.sub("", told)):
                    wrong.append(f"HELP {verb} in {language}: {told}")
    assert not wrong, "\n".join(wrong)
