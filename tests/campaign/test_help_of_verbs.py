"""HELP of every verb of the published games, in every language."""

from __future__ import annotations

import re

import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.games import find_game
from pbem.render.language import languages
from pbem.render.narrative import Teller
from tests.campaign.case_campaign import campaign_of
from tests.campaign.test_next_in_games import Game

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


POSITIONS, BETWEEN = 6, 7
"""So many positions of a game are tried, and orders are played between them."""


@pytest.mark.parametrize("game", SEATS)
def test_what_help_names_as_legal_is_legal_there(game, tmp_path):
    service = Service(Settings(var=tmp_path, domain="example.org"), ManualClock())
    table = Game(service, service.clock, game, SEATS[game])
    wrong: list[str] = []
    tried = 0
    try:
        for place in range(POSITIONS * BETWEEN):
            seat, kind, line = table.asked()
            if place % BETWEEN == 0:
                with service.memory.reading(table.id) as found:
                    of_seat = found.campaign.seat_of_power
                    asked = next(one for one in found.play.questions() if of_seat(one.power) == seat)
                    verbs = sorted({one.pattern.verb for one in asked.orders})
                for verb in verbs:
                    for one in service.check(table.id, seat, [f"HELP {verb}"]).lines[0].explains:
                        for legal in one["legal"]:
                            tried += 1
                            (result,) = service.check(table.id, seat, [legal]).lines
                            if result.state not in ("accepted", "queued"):
                                wrong.append(f"{kind}: HELP {verb} names {legal}: {result.reason}")
                        if one["named"] and not one["legal"]:
                            wrong.append(f"{kind}: HELP {verb} names {one['named']} where nothing is legal")
            table.good(seat, line)
    finally:
        service.close()
    assert tried >= POSITIONS and not wrong, "\n".join(wrong)
