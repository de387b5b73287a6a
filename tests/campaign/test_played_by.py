"""A power that no seat holds comes into play for a time, from the seat of another power; that one is asked and reads
for it, nobody else, and who had it before him neither."""

from __future__ import annotations

import functools
import json

import pytest

from pbem import games
from pbem.campaign import verify
from pbem.service_playout import play_through
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.facts import BadFact, apply, apply_all, difference, seating
from pbem.table.kit import Kit
from pbem.table.playout import play_out
from tests import toy
from tests.campaign.conftest import Desk

GUEST = "black"


class Guests(toy.Toy):
    """The toy for two seats; a third power is played from one of them, and goes to the other after each round."""

    id = "guests"

    def seats(self, kit, scenario, number, options):
        return [["red"], ["blue"]]

    def play_order(self, kit, scenario, seats):
        return [power for power in ("red", GUEST, "blue") if any(power in powers for powers in seats)]

    def set_up(self, table, scenario):
        super().set_up(table, scenario)
        table.move(GUEST, "unit", 5, None, "home")
        table.do({"fact": "sight", "name": f"hand:{GUEST}", "before": None, "after": "owner"})
        table.do({"fact": "sight", "name": "luck", "before": "owner", "after": None})  # a hand is enough
        self._seat(table, "red")

    def _seat(self, table, host):
        board = table.board
        for card in list(board.piles.get(f"hand:{GUEST}", ())):
            table.card(card, f"hand:{GUEST}", "discard")
        powers = [power for power in ("red", GUEST, "blue") if power in board.seated() or (host and power == GUEST)]
        after = {"powers": powers, "played_by": {GUEST: host} if host else {}}
        table.do({"fact": "players", "before": seating(board), "after": after})

    def round(self, table):
        yield from super().round(table)
        self._seat(table, {1: "blue", 2: None}.get(table.board.state["round"], "red"))


games.register(Guests())


@functools.cache
def kit() -> Kit:
    return Kit.from_json(json.dumps({**json.loads(toy.kit().to_json()), "game": "guests"}))


@pytest.fixture
def table(service, clock) -> Desk:
    return Desk(service, clock, 2, game="guests", kit=kit(), powers=("red", "blue")).start()


def held(table: Desk) -> dict[str, list[str]]:
    return {seat: state["powers"] for seat, state in table.service.status(table.id).seats.items()}


def hand(table: Desk, seat: str) -> list[str]:
    return table.service.view_at(table.id, seat).piles[f"hand:{GUEST}"]


def a_round(table: Desk) -> None:
    """Silence answers all that is asked in a round."""
    number = table.service.view_at(table.id).state["round"]
    while table.service.view_at(table.id).state["round"] == number:
        table.clock.set(table.service.status(table.id).deadline)
        table.service.tick()


def test_the_seat_that_plays_it_is_asked_for_it_and_it_alone_reads_its_hand(table):
    assert held(table) == {"seat1": ["red", GUEST], "seat2": ["blue"]}
    assert table.service.view_at(table.id).powers == ["red", GUEST, "blue"]
    assert [(a.power, a.template) for a in table.service.asked(table.id, "seat1")] == [
        ("red", "FOR red: DONE"), (GUEST, f"FOR {GUEST}: DONE")
    ]  # fmt: skip
    assert "?" not in hand(table, "seat1") and set(hand(table, "seat2")) == {"?"}
    table.good("seat1", "FOR red: DONE", f"FOR {GUEST}: DONE")
    table.good("seat2", "DONE")
    card = hand(table, "seat1")[0]
    assert table.good("seat1", f"FOR {GUEST}: SHOW {card}").lines[0].order == f"FOR {GUEST}: SHOW {card}"
    refused = table.send("seat2", f"FOR {GUEST}: SHOW {card}").lines[0]
    assert refused.state == "refused" and refused.code == "power_not_yours"


def test_it_goes_to_another_seat_and_out_of_play(table):
    a_round(table)
    assert held(table) == {"seat1": ["red"], "seat2": ["blue", GUEST]}
    assert "?" not in hand(table, "seat2") and set(hand(table, "seat1")) == {"?"}
    asked = [ask.power for seat in table.seats for ask in table.service.asked(table.id, seat)]
    assert sorted(asked) == [GUEST, "blue", "red"]
    a_round(table)
    assert held(table) == {"seat1": ["red"], "seat2": ["blue"]}
    assert table.service.view_at(table.id).powers == ["red", "blue"]


def test_a_rewind_gives_it_back_and_shows_nobody_what_the_other_seat_held(table):
    asked_first = table.service.status(table.id).event
    mine = hand(table, "seat1")
    a_round(table)
    theirs = hand(table, "seat2")
    table.service.rewind(table.id, asked_first, "once more")
    assert held(table) == {"seat1": ["red", GUEST], "seat2": ["blue"]}
    assert sorted(hand(table, "seat1")) == sorted(mine) and set(hand(table, "seat2")) == {"?"}
    last = table.service.status(table.id).event
    facts = [fact for event in table.service.events(table.id, "seat1", last, last) for fact in event["facts"]]
    left = [fact["card"] for fact in facts if fact["fact"] == "card" and fact["origin"] == f"hand:{GUEST}"]
    assert left == ["?"] * len(theirs)


def test_every_bundle_verifies_and_folds_to_what_its_reader_sees(table, tmp_path):
    a_round(table)
    for reader in (None, *table.seats):
        table.service.export(table.id, reader, tmp_path / "bundle")
        verify.verify((tmp_path / "bundle").read_bytes().splitlines(keepends=True))
        facts = [fact for event in table.service.events(table.id, reader) for fact in event["facts"]]
        view = apply_all(Board("guests", ["red", "blue"]), facts)
        assert view == table.service.view_at(table.id, reader)


def test_random_play_of_it_keeps_every_promise(tmp_path):
    assert play_out(Guests(), kit(), 1, 2, 1).failure is None
    record = play_through("guests", kit(), 1, 2, 1, limit=40)
    assert record.failure is None


def test_it_is_no_ones_in_the_ranking(table):
    table.service.finish(table.id, "enough")
    final = next(e for e in table.service.events(table.id, None) if e["kind"] == "finished")
    assert final["public"]["results"] and all("powers" not in row for row in final["public"]["results"])


def test_the_fact_must_fit_the_board_and_the_difference_of_boards_holds_it():
    old = Board("toy", ["red", "blue"])
    new = Board("toy", ["red", "black", "blue"], piles={"hand:black": ["c"]}, played_by={"black": "blue"})
    other = Board("toy", ["red", "black", "blue"], piles={"hand:black": ["d"]}, played_by={"black": "red"})
    for before, after in ((old, new), (new, old), (new, other)):
        made = apply_all(before.copy(), difference(before, after))
        assert {k: v for k, v in made.piles.items() if v} == after.piles and seating(made) == seating(after)
    with pytest.raises(BadFact, match="in play are"):
        apply(old, {"fact": "players", "before": seating(new), "after": seating(old)})
    assert sight.may_see(Board("toy", ["red", "black"], sight={"hand:black": "owner"}), "hand:black", ["black"])
