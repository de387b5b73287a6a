"""What becomes of mails and deadlines when the smart host refuses one sender, one size, one address, or everything."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.campaign import outbox
from pbem.campaign.clock import ManualClock
from pbem.campaign.command import SetWebhook
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.mail.outbound import Courier
from pbem.mail.transports import SmtpTransport, TryLater, Webhook
from tests.mail.conftest import Game, SmartHost, text_of


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, clock_outage_minutes=5)


def other_campaign(service: Service) -> str:
    id = service.create("struggle_of_empires", 2, campaign="autumn", title="Autumn")
    for seat in service.status(id).seats:
        service.invite(id, seat, seat, f"{seat}@autumn.example")
        service.accept(id, seat)
    service.start(id)
    return id


@pytest.mark.parametrize("reply", ["553 5.7.1 not owned by user", "550 no", "501 5.1.7 bad", "552 5.3.4 too big"])
def test_a_sender_that_is_refused_holds_up_no_other_campaign(
    game: Game, courier: Courier, host: SmartHost, reply: str
) -> None:
    other_campaign(game.service)
    host.senders["autumn@pbem.example"] = reply
    courier.send_due()
    assert all(host.to(f"{seat}@example.org") for seat in game.tokens)
    assert not host.to("seat1@autumn.example")
    assert any("autumn" in m["Subject"] or "Autumn" in m["Subject"] for m in host.to("mod@example.org"))
    assert game.service.closed_way() is None
    host.senders.clear()
    if not reply.startswith("552"):  # which says that the mail is too large, and it stays so
        game.clock.advance(minutes=2)
        courier.send_due()
        assert host.to("seat1@autumn.example")


@pytest.mark.parametrize("unannounced", [False, True])
def test_a_mail_that_is_refused_for_its_size_goes_out_without_its_picture(
    game: Game, courier: Courier, host: SmartHost, unannounced: bool
) -> None:
    host.largest, host.unannounced = 70_000, unannounced
    courier.send_due()
    for seat in game.tokens:
        (mail,) = host.to(f"{seat}@example.org")
        page = mail.get_body(("html",))
        assert page is not None and "The campaign begins" in text_of(mail)
        assert "cid:" not in page.get_content() and "chain head" in page.get_content()
        assert not [part for part in mail.walk() if part.get_content_maintype() == "image"]
    assert not outbox.messages(game.service.store, state="failed")
    stored = outbox.messages(game.service.store, state="sent")
    assert stored and all(b"image/png" not in (row.rendered or b"") for row in stored)


def test_a_mail_that_is_too_large_even_without_its_picture_is_given_up(
    game: Game, courier: Courier, host: SmartHost
) -> None:
    host.largest = 1_000
    courier.send_due()
    assert not host.to("seat1@example.org")
    assert outbox.messages(game.service.store, game.campaign, "failed")


@pytest.mark.parametrize("reply", ["421 4.3.2 closing", "530 5.7.0 Authentication required"])
def test_a_host_that_takes_nothing_closes_the_way_for_all(
    game: Game, courier: Courier, host: SmartHost, reply: str
) -> None:
    host.senders["winter@pbem.example"] = reply
    courier.send_due()
    closed = game.service.closed_way()
    assert closed is not None and reply[:3] in closed[1]
    assert not [row for row in outbox.messages(game.service.store) if row.attempts]
    host.senders.clear()
    game.clock.advance(minutes=1)
    courier.send_due()
    assert game.service.closed_way() is None and all(host.to(f"{seat}@example.org") for seat in game.tokens)


def extensions(service: Service, campaign: str) -> list[dict[str, object]]:
    return [e["public"] for e in service.events(campaign) if e["kind"] == "extended"]


def test_a_question_whose_mail_could_not_go_out_does_not_expire(
    game: Game, courier: Courier, service: Service, clock: ManualClock, host: SmartHost
) -> None:
    courier.send_due()
    courier.transport, good = SmtpTransport("127.0.0.1", 1, security="none"), courier.transport
    clock.advance(seconds=30)
    game.send(game.asked_seat(), "PLACE army AT german_states")
    seat, asked = game.asked_seat(), clock.now()
    whole = service.status(game.campaign).deadline - asked
    courier.send_due()
    clock.set(service.status(game.campaign).deadline + timedelta(hours=3))
    courier.send_due()
    other = Service(service.settings, clock)  # a process without a courier judges alike
    other.tick()
    assert game.asked_seat() == seat and not extensions(service, game.campaign)
    since, why = other.closed_way()
    other.close()
    assert since < asked + timedelta(minutes=2) and "smart host" in why
    courier.transport = good
    clock.advance(hours=1)
    courier.send_due()
    service.tick()
    (moved,) = extensions(service, game.campaign)
    assert "no mail went out" in moved["reason"]
    left = service.status(game.campaign).deadline - clock.now()
    assert game.asked_seat() == seat and timedelta() <= whole - left < timedelta(minutes=2)
    service.tick()
    assert len(extensions(service, game.campaign)) == 1  # once
    courier.send_due()
    clock.advance(hours=73)
    courier.send_due()
    service.tick()
    assert game.asked_seat() != seat  # now it had its time


def test_an_outage_after_the_mail_had_left_moves_nothing(
    game: Game, courier: Courier, service: Service, clock: ManualClock
) -> None:
    courier.send_due()
    seat = game.asked_seat()
    clock.advance(minutes=3)
    courier.send_due()
    courier.transport = SmtpTransport("127.0.0.1", 1, security="none")
    clock.set(service.status(game.campaign).deadline - timedelta(hours=6))
    service.tick()
    courier.send_due()
    clock.advance(hours=7)
    service.tick()
    assert game.asked_seat() != seat


def test_one_address_that_is_refused_holds_no_deadline(
    game: Game, courier: Courier, service: Service, clock: ManualClock, host: SmartHost
) -> None:
    seat = game.asked_seat()
    host.recipients[f"{seat}@example.org"] = "550 5.1.1 no such user"
    courier.send_due()
    clock.set(service.status(game.campaign).deadline + timedelta(minutes=1))
    courier.send_due()
    service.tick()
    assert game.asked_seat() != seat
    assert seat in text_of(host.to("mod@example.org")[0])


# --- webhooks ---


@pytest.fixture
def dripping() -> Iterator[str]:
    """A web server that answers a byte at a time and never ends."""
    server = socket.create_server(("127.0.0.1", 0))
    stopping = threading.Event()

    def drip(connection: socket.socket) -> None:
        try:
            connection.recv(65536)
            while not stopping.wait(0.05):
                connection.sendall(b"H")
        except OSError:
            pass
        finally:
            connection.close()

    def serve() -> None:
        while True:
            try:
                connection = server.accept()[0]
            except OSError:
                return
            threading.Thread(target=drip, args=(connection,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}/x"
    stopping.set()
    server.close()


def slow_names(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    asked, real = threading.Event(), socket.getaddrinfo

    def resolve(host: str, *more: object, **others: object) -> object:
        if host == "slow.example":
            asked.wait(60)
        return real(host, *more, **others)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


def test_the_whole_call_of_a_webhook_has_one_time(dripping: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = slow_names(monkeypatch)
    for url in (dripping, "http://slow.example/x"):
        begun = time.monotonic()
        with pytest.raises(TryLater, match="in time"):
            Webhook(private=True, timeout=0.3).send(url, b"{}")
        assert time.monotonic() - begun < 5
    asked.set()


def test_a_slow_webhook_holds_up_no_mail_and_not_the_end(
    game: Game, service: Service, courier: Courier, host: SmartHost, dripping: str
) -> None:
    courier.send_due()
    for seat in game.tokens:
        game.send(seat, SetWebhook(url=dripping).text())
    courier.send_due()
    for _ in range(2):
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
        courier.send_mails()
    assert [row for row in outbox.messages(service.store, state="rendered") if row.kind == "webhook"]
    courier.webhook = Webhook(private=True, timeout=60)
    courier.start()
    game.send(game.asked_seat(), game.legal_line(game.asked_seat()))
    told, until = len(host.mails), time.monotonic() + 30
    while len(host.mails) <= told and time.monotonic() < until:
        threading.Event().wait(0.05)
    assert len(host.mails) > told
    begun = time.monotonic()
    courier.stop()
    assert time.monotonic() - begun < 20


def test_a_webhook_that_fails_again_and_again_is_switched_off_and_its_player_told(
    game: Game, service: Service, courier: Courier, host: SmartHost, clock: ManualClock
) -> None:
    courier.send_due()
    courier.webhook = Webhook(private=True)
    first = game.asked_seat()
    game.send(first, game.legal_line(first))
    second = game.asked_seat()
    game.send(second, SetWebhook(url="http://127.0.0.1:1/x").text())
    courier.send_due()
    while game.asked_seat() == second or not [r for r in outbox.messages(service.store) if r.kind == "webhook"]:
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
        courier.send_due()
    for _ in range(outbox.WEBHOOK_FAILURES):
        clock.advance(minutes=20)
        courier.send_due()
    assert service.player(game.campaign, second)["webhook"] is None
    told = [mail for mail in host.to(f"{second}@example.org") if "switched off" in mail["Subject"]]
    assert len(told) == 1 and "5 times" in text_of(told[0])
