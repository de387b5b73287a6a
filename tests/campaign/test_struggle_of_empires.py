"""A whole campaign of a published game through the one door, at random, resumed again and again."""

from __future__ import annotations

import random

from pbem.campaign import verify
from pbem.campaign.submissions import Submission
from pbem.table import sight


def test_a_whole_campaign_is_played_verified_and_seen_as_sight_shows_it(service, clock, tmp_path):
    id = service.create("struggle_of_empires", 3)
    seats = ["seat1", "seat2", "seat3"]
    tokens = {seat: service.invite(id, seat, seat, f"{seat}@example.net") for seat in seats}
    for seat in seats:
        service.accept(id, seat)
    service.start(id)
    chance = random.Random(7)
    orders = 0
    while service.status(id).state == "running":
        with service.memory.reading(id) as found:
            power = chance.choice(found.play.waiting_for())
            order = found.play.question_for(power).sample(found.play.table, chance)
            seat = found.campaign.seat_of_power(power)
            if orders % 40 == 0:
                board = found.play.table.board
                for reader in (None, *seats):
                    powers = found.campaign.powers_of(reader) if reader else ()
                    assert service.view_at(id, reader) == sight.view(board, powers)
        answer = service.submit(Submission(id, [order.text()], clock.now(), token=tokens[seat]))
        assert answer.ok, answer
        orders += 1
        clock.advance(minutes=5)
        if orders % 40 == 0:
            service.memory.drop(id)
    assert orders > 50
    service.export(id, "seat1", tmp_path / "bundle")
    report = verify.verify((tmp_path / "bundle").open("rb"), [service.status(id).head])
    assert report.secret_opened and len(report.throws) > 30
    finished = next(event for event in service.events(id) if event["kind"] == "finished")
    assert len(finished["public"]["results"]) == 3
