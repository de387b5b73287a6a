"""What a game says of private press is kept by the campaign (`press_allowed` of its room)."""

from __future__ import annotations

from pbem.table.game import Game
from tests import toy
from tests.campaign.conftest import Desk


def press(table: Desk, seat: str, to: str):
    return table.send(seat, f"PRESS TO {to}: hello")


def test_private_press_of_here_i_stand_in_the_negotiation_window_only(service, clock):
    powers = ["ottoman", "hapsburg", "england", "france", "papacy", "protestant"]
    table = Desk(service, clock, 6, game="here_i_stand", scenario="1532", powers=powers).start()
    status = service.status(table.id)
    assert status.kind == "negotiation", status.kind
    assert press(table, "seat3", "france").ok
    assert press(table, "seat3", "france, papacy").ok
    for seat in table.seats:
        table.good(seat, "DONE")
    refused = press(table, "seat3", "france")
    assert not refused.ok and "negotiation segment only" in str(refused)
    assert press(table, "seat3", "all").ok


def test_a_game_that_says_nothing_bars_nothing(desk):
    table = desk().start()
    assert type(toy.GAME).press_allowed is Game.press_allowed  # as games that leave it out have it
    assert press(table, "seat1", "blue").ok


def test_a_name_that_a_player_has_and_a_power_of_another_is_asked_back(service, clock):
    table = Desk(service, clock, 3).start()
    table.tokens["seat1"] = service.replace(table.id, "seat1", "Blue", "blue@example.net", "gone")
    answer = press(table, "seat3", "blue")
    assert not answer.ok and answer.lines[0].hints == ["blue", "red"]
    assert press(table, "seat3", "Player seat2").ok  # by his own name, who plays blue
    assert [service.press(table.id, seat) != [] for seat in ("seat1", "seat2")] == [False, True]
