"""The courier against a real SMTP server on loopback, a Maildir and a web server for webhooks."""

from __future__ import annotations

import json
import logging
import mailbox
import ssl
import threading
from collections.abc import Iterator
from datetime import timedelta
from email import policy
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.campaign import outbox
from pbem.campaign.clock import stamp
from pbem.campaign.command import SetReports, SetWebhook
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.mail.contents import gather
from pbem.mail.outbound import Courier, transport_of
from pbem.mail.transports import GiveUp, MaildirTransport, SmtpTransport, TryLater, Webhook
from tests.mail.conftest import DOMAIN, Game, SmartHost, text_of

ANNA = "seat1@example.org"


def rows(service: Service, **wanted: Any) -> list[outbox.Message]:
    found = outbox.messages(service.store, limit=1000)
    return [row for row in found if all(getattr(row, name) == value for name, value in wanted.items())]


def test_everybody_is_told_once_in_one_mail(game: Game, courier: Courier, host: SmartHost) -> None:
    courier.send_due()
    first = game.asked_seat()
    assert {len(host.to(f"{seat}@example.org")) for seat in game.tokens} == {1}  # opening, question, invitation in one
    host.mails.clear()
    game.send(first, "PLACE army AT german_states")
    courier.send_due()
    for seat in game.tokens:
        (mail,) = host.to(f"{seat}@example.org")
        assert text_of(mail).count("places an army in the German States") == 1
    assert courier.send_due() == 0
    assert not rows(game.service, state="pending") and not rows(game.service, state="rendered")


def test_sender_recipient_and_reply_address(game: Game, courier: Courier, host: SmartHost) -> None:
    courier.send_due()
    sender, recipients, mail = next(entry for entry in host.mails if entry[1] == [ANNA])
    assert sender == f"winter@{DOMAIN}"
    assert mail["To"] == f"Anna <{ANNA}>"
    assert mail["Reply-To"] == game.address("seat1")
    assert mail["From"].addresses[0].addr_spec == f"winter@{DOMAIN}"


def test_a_mail_that_is_put_off_goes_out_later_as_the_same_message(
    game: Game, courier: Courier, host: SmartHost
) -> None:
    courier.send_due()
    game.send(game.asked_seat(), "PLACE army AT german_states")
    host.mails.clear()
    host.replies = ["451 4.7.1 try again later"]
    courier.send_due()
    assert len(host.mails) == 2
    (late,) = rows(game.service, state="rendered")
    assert late.attempts == 1 and "451" in (late.error or "")
    assert courier.send_due() == 0  # not before a minute is over
    game.clock.advance(minutes=1, seconds=1)
    assert courier.send_due() == 1
    message = host.mails[-1][2]
    assert message["Message-ID"] == late.message_id
    assert message.as_bytes(policy=policy.SMTP) == late.rendered


def test_a_mail_is_given_up_after_a_last_attempt(game: Game, courier: Courier, host: SmartHost) -> None:
    courier.send_due()
    game.send(game.asked_seat(), "PLACE army AT german_states")
    host.replies = ["450 no"] * 1000
    courier.send_due()
    waits = []
    for _ in range(5):
        before, attempts = game.clock.now(), host.attempts
        while host.attempts == attempts:
            game.clock.advance(minutes=1)
            courier.send_due()
        waits.append((game.clock.now() - before) / timedelta(minutes=1))
    assert waits == [1, 2, 4, 8, 16]
    for _ in range(outbox.MOST_ATTEMPTS - 6):
        assert len(rows(game.service, state="rendered")) == 3
        game.clock.advance(hours=12, minutes=1)
        courier.send_due()
    assert len(rows(game.service, state="failed")) == 3
    host.replies = []
    assert outbox.retry(game.service.store, rows(game.service, state="failed")[0].number)
    assert courier.send_due() == 1


def test_a_mail_that_is_refused_for_good_is_given_up_at_once(game: Game, courier: Courier, host: SmartHost) -> None:
    host.replies = ["550 5.1.1 no such user anna@example.org"]
    courier.send_due()
    assert sum(len(host.to(f"{seat}@example.org")) for seat in game.tokens) == 2
    (given_up,) = rows(game.service, state="failed")
    assert given_up.attempts == 1
    (told,) = host.to("mod@example.org")
    assert f"{given_up.seat}: 550" in text_of(told) and "anna@" not in text_of(told)
    assert "550" in (given_up.error or "") and "anna@" not in (given_up.error or "")


def test_an_address_that_is_none_is_given_up_and_holds_up_nobody(
    game: Game, courier: Courier, host: SmartHost
) -> None:
    t = game.service.store.tables.persons
    person = game.service.player(game.campaign, "seat2")["person"]
    with game.service.store.write() as connection:
        connection.execute(t.update().where(t.c.person == person).values(address="two@words and spaces"))
    courier.send_due()
    assert sum(len(host.to(f"{seat}@example.org")) for seat in game.tokens) == 2
    assert {row.seat for row in rows(game.service, state="failed")} == {"seat2"}
    assert "seat2" in text_of(host.to("mod@example.org")[0])


def test_while_the_smart_host_is_down_no_mail_loses_an_attempt(
    game: Game, service: Service, host: SmartHost, caplog: pytest.LogCaptureFixture
) -> None:
    down = Courier(service, transport=SmtpTransport("127.0.0.1", 1, security="none"), pictures=False)
    for _ in range(20):
        assert down.send_due() == 0
        game.clock.advance(hours=1)
    waiting = rows(service, state="rendered") + rows(service, state="claimed")
    assert waiting and all(row.attempts == 0 for row in waiting)
    assert not rows(service, state="failed")
    down.transport = SmtpTransport("127.0.0.1", host.port, security="none")
    assert down.send_due() == 3
    assert not any(token in caplog.text for token in game.tokens.values())


def test_a_courier_that_dies_between_writing_and_sending_tells_nobody_twice(
    game: Game, service: Service, courier: Courier, host: SmartHost
) -> None:
    class Dies:
        def send(self, raw: bytes, sender: str, recipient: str) -> None:
            raise KeyboardInterrupt

        def close(self) -> None:
            pass

    dying = Courier(service, transport=Dies(), pictures=False)
    with pytest.raises(KeyboardInterrupt):
        dying.send_due()
    game.clock.advance(seconds=outbox.CLAIM_SECONDS + 1)
    courier.send_due()
    assert {len(host.to(f"{seat}@example.org")) for seat in game.tokens} == {1}
    ids = [mail["Message-ID"] for _, _, mail in host.mails]
    assert len(set(ids)) == 3


def test_two_couriers_send_each_mail_once(game: Game, service: Service, host: SmartHost) -> None:
    told = [game.send(game.asked_seat(), game.legal_line(game.asked_seat())).event for _ in range(6)]
    couriers = [
        Courier(service, transport=SmtpTransport("127.0.0.1", host.port, security="none"), pictures=False)
        for _ in range(3)
    ]
    threads = [threading.Thread(target=courier.send_due) for courier in couriers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for courier in couriers:
        courier.send_due()
        courier.transport.close()
    ids = [mail["Message-ID"] for _, _, mail in host.mails]
    assert len(ids) == len(set(ids))
    assert not [row for row in rows(service) if row.state not in ("sent", "void")]
    for seat in game.tokens:
        text = "".join(text_of(mail) for mail in host.to(f"{seat}@example.org"))
        for number in told:
            assert text.count(f"Event {number}:") == 1


def test_one_mail_that_cannot_be_written_holds_up_no_other(
    game: Game, courier: Courier, host: SmartHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand = game.service.reading.stand

    def broken(campaign: str, seat: str, *more: Any) -> Any:
        if seat == "seat2":
            raise RuntimeError("a fault of the rules")
        return stand(campaign, seat, *more)

    monkeypatch.setattr(game.service.reading, "stand", broken)
    courier.send_due()
    assert not host.to("seat2@example.org") and host.to("seat1@example.org") and host.to("seat3@example.org")
    assert {row.error for row in rows(game.service, seat="seat2")} == {"cannot be written: RuntimeError"}
    monkeypatch.undo()
    game.clock.advance(minutes=2)
    courier.send_due()
    assert len(host.to("seat2@example.org")) == 1


def test_a_reminder_is_overtaken_by_the_answer(game: Game, courier: Courier, host: SmartHost) -> None:
    courier.send_due()
    host.mails.clear()
    first = game.asked_seat()
    game.clock.advance(hours=50)
    game.service.tick()
    game.send(first, "PLACE army AT german_states")
    courier.send_due()
    (mail,) = host.to(f"{first}@example.org")
    assert "waited for" not in mail["Subject"] and "Your orders are accepted" in mail["Subject"]


def test_questions_only_gets_no_reports_but_the_results_of_its_own_orders(
    game: Game, courier: Courier, host: SmartHost
) -> None:
    courier.send_due()
    for seat in game.tokens:
        game.send(seat, "SET REPORTS questions")
    courier.send_due()
    host.mails.clear()
    first = game.asked_seat()
    game.send(first, "PLACE army AT german_states")
    courier.send_due()
    second = game.asked_seat()
    assert [m["Subject"] for m in host.to(f"{second}@example.org")] == [
        "[Winter] Your move: Place a unit, by 27 Nov, 10:04"
    ]
    (answer,) = host.to(f"{first}@example.org")
    assert "places an army in the German States" in text_of(answer)
    (third,) = set(game.tokens) - {first, second}
    assert not host.to(f"{third}@example.org")


def test_a_daily_digest_comes_once_at_the_players_hour(game: Game, courier: Courier, host: SmartHost) -> None:
    courier.send_due()
    quiet = next(seat for seat in game.tokens if seat != game.asked_seat())
    game.send(quiet, SetReports(mode="daily", hour=18).text())
    courier.send_due()
    host.mails.clear()
    for _ in range(9):
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
        courier.send_due()
    before = [m["Subject"] for m in host.to(f"{quiet}@example.org")]
    assert before and all("What has happened" not in text_of(m) for m in host.to(f"{quiet}@example.org"))
    host.mails.clear()
    game.clock.set(game.clock.now().replace(hour=16, minute=59))  # 17:59 in Paris
    courier.send_due()
    assert not host.to(f"{quiet}@example.org")
    game.clock.advance(minutes=1)
    courier.send_due()
    (digest,) = host.to(f"{quiet}@example.org")
    assert text_of(digest).count("Event ") == 9 + 1  # nine events told, and the line with the chain head
    game.clock.advance(days=3)
    courier.send_due()
    assert len(host.to(f"{quiet}@example.org")) == 1


def test_a_mail_waiting_for_a_player_who_was_replaced_goes_to_the_new_one(
    game: Game, courier: Courier, host: SmartHost
) -> None:
    courier.send_due()
    host.mails.clear()
    host.replies = ["451 later"] * 3
    first = game.asked_seat()
    game.send(first, "PLACE army AT german_states")
    courier.send_due()
    old = game.tokens["seat2"]
    game.tokens["seat2"] = game.service.replace(game.campaign, "seat2", "Zoe", "zoe@example.org", "moved away")
    game.clock.advance(minutes=5)
    courier.send_due()
    (farewell,) = host.to("seat2@example.org")
    assert "Your seat has gone to another player" in farewell["Subject"] and "moved away" in text_of(farewell)
    assert farewell["Reply-To"] is None and "/c/" not in text_of(farewell)
    assert host.to("zoe@example.org")
    assert not any(old in mail.as_string() for mail in host.to("zoe@example.org"))


def test_a_mail_waiting_for_a_player_whose_seat_went_to_nobody_is_not_sent_to_him(
    game: Game, courier: Courier, host: SmartHost
) -> None:
    courier.send_due()
    host.mails.clear()
    host.replies = ["451 later"] * 3
    game.send(game.asked_seat(), "PLACE army AT german_states")
    courier.send_due()
    game.service.vacate(game.campaign, "seat2", "he moved away")
    game.clock.advance(minutes=5)
    courier.send_due()
    (farewell,) = host.to("seat2@example.org")
    assert "Your seat is no longer yours" in farewell["Subject"] and "german" not in text_of(farewell).lower()


def test_a_newcomer_is_sent_all_that_he_needs_to_play_on(game: Game, courier: Courier, host: SmartHost) -> None:
    asked = game.asked_seat()
    courier.send_due()
    host.mails.clear()
    game.service.replace(game.campaign, asked, "Zoe", "zoe@example.org", "moved away")
    courier.send_due()
    (mail,) = host.to("zoe@example.org")
    text = text_of(mail)
    assert "You take over a seat" in mail["Subject"]
    assert "DECLINE INVITATION" in text and "You may write:" in text  # a way to decline, and the question
    assert game.legal_line(asked) in text and "What only you see" in text
    assert mail["Reply-To"] and "/enter/" in text
    others = [seat for seat in game.tokens if seat != asked]
    assert all("A seat has a new player" in host.to(f"{seat}@example.org")[0]["Subject"] for seat in others)


def test_the_maildir_is_the_way_out_where_no_smart_host_is_named(
    game: Game, service: Service, settings: Settings
) -> None:
    assert isinstance(transport_of(settings), MaildirTransport)
    Courier(service, pictures=False).send_due()
    box = mailbox.Maildir(settings.var / "maildir", create=False)
    assert sorted(message["To"] for message in box) == [
        "=?utf-8?q?Bj=C3=B6rn?= <seat2@example.org>",
        "=?utf-8?q?Chlo=C3=A9?= <seat3@example.org>",
        "Anna <seat1@example.org>",
    ]
    assert all(message["X-PBEM-Campaign"] == "winter" for message in box)


def test_starttls_that_is_not_offered_is_no_reason_to_send_in_the_clear(
    game: Game, service: Service, host: SmartHost
) -> None:
    careful = SmtpTransport("127.0.0.1", host.port, security="starttls", context=ssl.create_default_context())
    with pytest.raises(TryLater) as error:
        careful.send(b"From: a\r\n\r\nx", f"a@{DOMAIN}", ANNA)
    assert error.value.everything and not host.mails


def test_the_settings_choose_the_way(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("hunter2\n")
    made = transport_of(Settings(var=tmp_path, smtp_host="h", smtp_user="u", smtp_password_file=str(secret)))
    assert isinstance(made, SmtpTransport) and made.security == "starttls" and made.port == 587
    made = transport_of(Settings(var=tmp_path, smtp_host="h", smtp_port=465, smtp_tls=True))
    assert isinstance(made, SmtpTransport) and made.security == "tls"
    with pytest.raises(ValueError, match="starttls, tls or none"):
        SmtpTransport("h", 25, security="perhaps")


def test_the_courier_runs_by_itself_and_stops(game: Game, courier: Courier, host: SmartHost) -> None:
    courier.start()
    with pytest.raises(RuntimeError):
        courier.start()
    deadline = threading.Event()
    for _ in range(100):
        if len(host.mails) == 3:
            break
        deadline.wait(0.05)
    courier.stop()
    courier.stop()
    assert len(host.mails) == 3


# --- webhooks --------------------------------------------------------------------------------------------------------


class Hook(BaseHTTPRequestHandler):
    got: list[dict[str, Any]] = []
    statuses: list[int] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.got.append(json.loads(body))
        self.send_response(self.statuses.pop(0) if self.statuses else 204)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def hook() -> Iterator[str]:
    Hook.got, Hook.statuses = [], []
    server = HTTPServer(("127.0.0.1", 0), Hook)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hook?key=secret-of-the-room"
    server.shutdown()
    server.server_close()


def test_a_webhook_is_told_your_move_without_any_token(
    game: Game, service: Service, courier: Courier, host: SmartHost, hook: str
) -> None:
    courier.send_due()
    courier.webhook = Webhook(private=True)
    first = game.asked_seat()
    game.send(first, "PLACE army AT german_states")
    second = game.asked_seat()
    game.send(second, SetWebhook(url=hook).text())
    Hook.statuses = [503]
    courier.send_due()
    assert len(Hook.got) == 0  # he was just writing to us, and has been told in the answer
    for _ in range(3):
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
        courier.send_due()
    assert len(Hook.got) == 1  # refused with 503
    game.clock.advance(minutes=2)
    courier.send_due()
    assert Hook.got[0] == Hook.got[1]
    told = Hook.got[1]
    assert told["event"] == "your_move" and told["campaign"] == "winter" and told["seat"] == second
    assert told["text"] == told["content"] and "Place a unit" in told["text"]
    assert told["questions"][0]["deadline"].startswith("2025-11-")
    assert not any(token in json.dumps(told) for token in game.tokens.values())
    game.clock.advance(days=2)
    courier.send_due()
    assert len(Hook.got) == 2


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://example.org/x", "https"),
        ("ftp://example.org/x", "https"),
        ("https://", "no host"),
        ("https://user:word@example.org/", "password"),
        ("https://[", "cannot be read"),
        ("https://127.0.0.1/x", "public internet"),
        ("https://10.1.2.3/x", "public internet"),
        ("https://[::1]/x", "public internet"),
        ("https://[::ffff:127.0.0.1]/x", "public internet"),
        ("https://169.254.169.254/latest/meta-data", "public internet"),
        ("https://localhost/x", "public internet"),
    ],
)
def test_a_webhook_cannot_reach_into_the_operators_network(url: str, reason: str) -> None:
    with pytest.raises(GiveUp, match=reason):
        Webhook().send(url, b"{}")


def test_a_webhook_follows_no_redirection(hook: str) -> None:
    Hook.statuses = [302]
    with pytest.raises(GiveUp, match="302.*not followed"):
        Webhook(private=True).send(hook, b"{}")
    assert len(Hook.got) == 1


def test_no_secret_of_a_webhook_is_logged_or_kept(
    game: Game, courier: Courier, hook: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    courier.webhook = Webhook(private=True)
    for seat in game.tokens:
        game.send(seat, SetWebhook(url=hook).text())
    Hook.statuses = [404] * 20
    courier.send_due()
    for _ in range(2):
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
        courier.send_due()
    failed = rows(game.service, kind="webhook", state="failed")
    assert failed and "404" in (failed[0].error or "")
    ours = "\n".join(record.getMessage() for record in caplog.records if record.name != "mail.log")  # not the host's
    assert "secret-of-the-room" not in ours + "".join(row.error or "" for row in rows(game.service))
    assert not any(token in ours for token in game.tokens.values())


def test_all_seats_get_the_same_picture_and_each_its_own_numbers(game: Game) -> None:
    service = game.service
    for seat in game.tokens:
        game.send(seat, "SET BOARD full")
    game.send(game.asked_seat(), "PLACE army AT german_states")
    service.project()
    reports = {row.seat: row for row in rows(service, kind="report")}
    mails = [gather(service, [reports[seat]], game.clock.now()).mail for seat in sorted(reports)]
    assert len(mails) == 3 and len({id(mail.board_png) for mail in mails}) == 1  # painted once
    assert len({mail.board_text for mail in mails}) == 3  # the table tells each his own unrest


def test_a_picture_is_kept_once_for_all_seats_and_every_attempt_sends_the_same(
    game: Game, service: Service, host: SmartHost
) -> None:
    courier = Courier(service, transport=SmtpTransport("127.0.0.1", host.port, security="none"))
    game.send(game.asked_seat(), "PLACE army AT german_states")
    host.replies = ["451 4.7.1 try again later"] * 3
    courier.send_due()
    waiting = {row.message_id: row.rendered for row in rows(service, state="rendered")}
    pictures, box = service.store.tables.enclosures, service.store.tables.outbox
    with service.store.read() as connection:
        assert len(connection.execute(pictures.select()).all()) == 1
        assert all(len(kept) < 20_000 for kept in connection.execute(select(box.c.rendered)).scalars() if kept)
    game.clock.advance(minutes=2)
    assert courier.send_due() == 3
    assert {mail["Message-ID"]: mail.as_bytes(policy=policy.SMTP) for _, _, mail in host.mails} == waiting
    game.clock.advance(days=9)
    courier.send_due()  # the reminder has a picture of another moment, or none
    with service.store.read() as connection:
        used = connection.execute(select(pictures.c.used_at)).scalars()
        assert all(moment > stamp(game.clock.now() - timedelta(days=7)) for moment in used)
    courier.transport.close()
