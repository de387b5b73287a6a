"""What players are told of seats without a player, and of time that is one seat's own."""

from __future__ import annotations

from datetime import timedelta

from pbem.mail.outbound import Courier
from pbem.render.language import find_language, find_zone
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


def test_more_time_for_one_seat_is_told_to_its_player_and_the_others_read_it_in_their_next_mail(
    game: Game, courier: Courier, host: SmartHost
) -> None:
    courier.send_due()
    (ask, *_) = game.service.status(game.campaign).asks
    before = {seat: len(host.to(f"{seat}@example.org")) for seat in game.tokens}
    until = game.service.extend(game.campaign, 30, "a week at sea", ask["seat"])
    assert until - game.clock.now() > timedelta(hours=30)
    courier.send_due()
    new = {seat: [flat(told) for told in host.to(f"{seat}@example.org")[before[seat] :]] for seat in game.tokens}
    (told,) = new.pop(ask["seat"])
    assert "may take longer" in told and "Nobody else’s time has moved" in told
    assert list(new.values()) == [[], []]
    other = next(iter(new))
    game.send(other, "STATUS")
    courier.send_due()
    moment = find_language("en").short_moment(until, find_zone("Europe/Paris"))
    assert f"until {moment}" in flat(host.to(f"{other}@example.org")[-1])


def test_a_seat_given_twice_at_once_has_one_newcomer_who_alone_is_written_to(
    game: Game, courier: Courier, host: SmartHost
) -> None:
    courier.send_due()
    game.send("seat2", "QUIXOTE RIDES")  # its answer, which quotes it, waits, and is for nobody who comes after
    game.service.replace(game.campaign, "seat2", "Eva", "eva@example.org")
    game.service.project()
    game.service.replace(game.campaign, "seat2", "Ida", "ida@example.org")
    courier.send_due()
    (told,) = host.to("ida@example.org")
    assert flat(told).count("from now on you play") == 1 and "QUIXOTE" not in flat(told)
    (farewell,) = host.to("eva@example.org")
    assert farewell["Subject"].endswith("Your seat has gone to another player")


def test_an_invitation_that_another_took_the_place_of_is_not_sent(service, clock, courier, host) -> None:
    campaign = service.create("struggle_of_empires", 3)
    service.invite(campaign, "seat1", "Eva", "eva@example.org")
    service.project()
    service.invite(campaign, "seat1", "Ida", "ida@example.org", instead=True)
    service.invite(campaign, "seat1", "Ida", "ida@example.org")
    courier.send_due()
    (invitation,) = host.to("ida@example.org")
    assert flat(invitation).count("You are invited") == 1
    assert "You are invited" not in " ".join(flat(one) for one in host.to("eva@example.org"))


def test_a_message_that_waits_is_not_sent_to_who_gets_the_seat_after(
    game: Game, courier: Courier, host: SmartHost
) -> None:
    courier.send_due()
    (power,) = game.service.status(game.campaign).seats["seat2"]["powers"]
    game.send("seat1", f"PRESS TO {power}: between us two")
    game.send("seat1", "PRESS TO ALL: heard by everybody")
    game.service.project()
    game.clock.advance(minutes=1)
    game.service.replace(game.campaign, "seat2", "Eva", "eva@example.org")
    courier.send_due()
    told = " ".join(flat(one) for one in host.to("eva@example.org"))
    assert "heard by everybody" in told and "between us two" not in told
    assert "you read those that went to all" in told
    assert "none that were written to the player before him alone" in flat(host.to("seat1@example.org")[-1])
