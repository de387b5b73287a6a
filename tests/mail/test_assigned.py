"""Powers that a moderator gives out: their players are told, as of a draw."""

from __future__ import annotations

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.mail.room import MailRoom
from pbem.render.happenings import title
from pbem.render.narrative import Teller
from tests.mail.conftest import SmartHost, text_of


def test_players_are_told_which_powers_they_are_given(
    service: Service, clock: ManualClock, room: MailRoom, host: SmartHost
) -> None:
    campaign = service.create("struggle_of_empires", 2, campaign="winter", title="Winter")
    powers = dict(zip(("seat1", "seat2"), ("france", "russia"), strict=True))
    for seat, language in (("seat1", "en"), ("seat2", "fr")):
        service.invite(campaign, seat, seat, f"{seat}@example.org", language=language)
        service.accept(campaign, seat)
    service.project()
    assert room.courier is not None
    room.courier.send_due()
    before = {seat: len(host.to(f"{seat}@example.org")) for seat in powers}
    service.assign(campaign, powers)
    service.project()
    clock.advance(hours=1)
    room.courier.send_due()
    told = {seat: [text_of(mail) for mail in host.to(f"{seat}@example.org")[before[seat] :]] for seat in powers}
    for seat, words in (
        ("seat1", "The moderator gives out the powers: Seat 1 – France and Seat 2 – Russia"),
        ("seat2", "Le modérateur attribue les puissances : Place 1 – France et Place 2 – Russie"),
    ):
        assert [words in " ".join(one.split()) for one in told[seat]] == [True]


def test_a_draw_is_not_told_as_a_choice_of_the_moderator(service: Service) -> None:
    campaign = service.create("struggle_of_empires", 2, campaign="winter", title="Winter")
    for seat in ("seat1", "seat2"):
        service.invite(campaign, seat, seat, f"{seat}@example.org")
        service.accept(campaign, seat)
    teller = Teller(service.kit_of(campaign), "en")
    told = []
    for chosen in (None, {"seat1": "france", "seat2": "russia"}):
        service.assign(campaign, chosen)
        told.append(title(service.events(campaign)[-1], teller, None))
    assert told == [
        "The powers are drawn for the seats", "The moderator gives out the powers: Seat 1 – France and Seat 2 – Russia"
    ]  # fmt: skip
