"""Founding Virgin Queen from the page, answering by mail and page, with two to six players and both scenarios (3.1)."""

from __future__ import annotations

import pytest

from pbem.campaign.submissions import Submission
from pbem.render.board_svg import board_svg
from pbem.table.kit import load_kit
from tests.web.conftest import sites, toy_site
from tests.web.test_desk import Desk, csrf_of, desk

KIT = load_kit("virgin_queen")
SMALL = {2: {"spain", "england", "france", "protestant"}, 5: {"ottoman", "spain", "england", "france", "protestant"}}
"""3.1: who has a seat; four players and fewer have the same four powers."""
ACTIVATED = dict.fromkeys((2, 3, 4), {"ottoman"})
"""3.2: who is played by England as the game begins."""
__all__ = ["desk", "sites", "toy_site"]


@pytest.mark.parametrize("scenario", KIT.scenarios)
@pytest.mark.parametrize("players", range(2, 7))
def test_a_campaign_is_founded_accepted_and_begun(desk: Desk, players: int, scenario: str):
    box = "\n".join(f"Player {n} <p{n}@example.net>" for n in range(players))
    values = {"csrf_token": csrf_of(desk.client, "/desk/account"), "game": "virgin_queen", "seats": str(players),
              "scenario": scenario, "campaign": "queen", "players": box, "language": "en"}  # fmt: skip
    answer = desk.client.post("/desk/new", data=values)
    assert answer.status_code == 303, answer.text[:2000]
    service = desk.site.service
    for number, seat in enumerate(service.status("queen").seats):
        if number % 2:
            service.accept("queen", seat)
        else:  # as the mail room puts it in
            token = service.invite("queen", seat, f"Player {number}", f"p{number}@example.net")
            line = ["ACCEPT INVITATION"]
            service.submit(Submission("queen", line, desk.site.clock.now(), "mail", token=token,
                                      message_id=f"<{number}@example.net>"))  # fmt: skip
    service.start("queen")
    service.project()
    status = service.status("queen")
    assert status.state == "running"
    held = [power for seat in status.seats.values() for power in seat["powers"]]
    wanted = set(KIT.tables["powers"]) if players == 6 else SMALL[5 if players == 5 else 2]
    wanted = wanted | ACTIVATED.get(players, set())
    assert set(held) == wanted and len(held) == len(wanted), "3.1"
    view = service.view_at("queen")
    assert view.powers == [power for power in KIT.constants["impulse_order"] if power in wanted]
    assert view.state["turn"] == KIT.scenarios[scenario]["first_turn"]
    assert view.played_by == dict.fromkeys(ACTIVATED.get(players, ()), "england"), "3.2"
    assert set(view.state["influence"]) >= set(KIT.tables["powers"]) - set(view.seated()), "3.2: like minor powers"
    assert "<svg" in board_svg(view.to_json(), KIT)
    for path in ("/c/queen", "/c/queen/points", "/desk/c/queen/"):
        assert desk.client.get(path).status_code in (200, 302, 303), path
