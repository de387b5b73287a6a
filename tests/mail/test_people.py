"""What players are told of seats without a player, and of time that is one seat's own."""

from __future__ import annotations

from datetime import timedelta

from pbem.mail.outbound import Courier
from tests.mail.conftest import Game, SmartHost, text_of


def flat(raw: object) -> str:
    return " ".join(text_of(raw).split())  # type: ignore[arg-type]


def test_who_loses_his_seat_to_nobody_is_told_so_and_the_others_too(
    game: Game, courier: Courier, host: SmartHost
) -> None:
    courier.send_due()
    before = {seat: len(host.to(f"{seat}@example.org")) for seat in game.tokens}
    game.service.vacate(game.campaign, "seat2", "he moved away")
    courier.send_due()
    (told,) = host.to("seat2@example.org")[before["seat2"] :]
    assert told["Subject"].endswith("Your seat is no longer yours")
    said = flat(told)
    assert "nobody plays it for now" in said and "he moved away" in said and "somebody else" not in said
    for seat in ("seat1", "seat3"):
        (told,) = host.to(f"{seat}@example.org")[before[seat] :]
        assert "nobody plays it until a new player is found" in flat(told)


def test_more_time_for_one_seat_is_told_as_that(game: Game, courier: Courier, host: SmartHost) -> None:
    courier.send_due()
    (ask, *_) = game.service.status(game.campaign).asks
    before = {seat: len(host.to(f"{seat}@example.org")) for seat in game.tokens}
    until = game.service.extend(game.campaign, 30, "a week at sea", ask["seat"])
    assert until - game.clock.now() > timedelta(hours=30)
    courier.send_due()
    for seat in game.tokens:
        (told,) = host.to(f"{seat}@example.org")[before[seat] :]
        assert "may take longer" in flat(told) and "Nobody else’s time has moved" in flat(told)
