"""A finished campaign ranks its players, who may hold two powers each (*Here I Stand* 3.1)."""

from __future__ import annotations

from pbem.campaign import outbox
from pbem.mail.contents import _ranking
from pbem.render.narrative import Teller
from pbem.table.kit import load_kit
from tests.campaign.conftest import Desk


def test_three_players_of_here_i_stand_are_ranked_by_their_seats(service, clock):
    table = Desk(service, clock, 3, game="here_i_stand", scenario="1517", powers=()).start()
    service.finish(table.id, "tired")
    results = next(event for event in service.events(table.id) if event["kind"] == "finished")["public"]["results"]
    held = [seat["powers"] for seat in service.status(table.id).seats.values()]
    assert sorted(row["powers"] for row in results) == sorted(list(powers) for powers in held)
    assert [row["place"] for row in results] == [1, 2, 3]
    assert [row["points"] for row in results] == sorted((row["points"] for row in results), reverse=True)
    told = _ranking(results, Teller(load_kit("here_i_stand")))
    assert all(" and " in row["power"] for row in told)
    service.project()
    assert {m.seat for m in outbox.messages(service.store, table.id) if m.kind == "final"} == set(table.seats)
