"""Mail in over a real SMTP socket, answers and reports out over another: the whole way of an order, and of bad mail."""

from __future__ import annotations

import re
import smtplib
import ssl
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import policy
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from pbem.campaign import notices, outbox
from pbem.campaign.clock import stamp
from pbem.campaign.command import COMMANDS
from pbem.campaign.moderators import Moderators
from pbem.campaign.service import Service
from pbem.games import find_game
from pbem.mail.outbound import Courier
from pbem.mail.poller import PollResult
from pbem.mail.room import STRAY_ANSWERS_A_DAY, MailRoom
from pbem.render.language import find_language
from tests.mail.conftest import DOMAIN, POWERS, Game, Post, SmartHost, text_of

BINARY = bytes(value for value in range(256) if value not in b"\r\n.") + b"\r\n"
SAMPLES = Path(__file__).parent / "samples"


def units(game: Game) -> dict[str, Any]:
    return {p: k for p, k in game.service.view_at(game.campaign).units.items() if p != "supply"}


def test_a_mail_in_an_answer_and_reports_out(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    address = f"{seat}@example.org"
    post.write(game.address(seat), "PLACE army AT german_states\n\n-- \nAnna", sender=address)
    (answer,) = post.answers(address)
    assert answer["Subject"] == "[Winter] Your orders are accepted"
    assert answer["In-Reply-To"] == "<mail-1@example.org>"
    assert answer["Auto-Submitted"] == "auto-replied"
    assert "places an army in the German States" in text_of(answer)
    others = [f"{other}@example.org" for other in game.tokens if other != seat]
    for other in others:
        (report,) = post.host.to(other)
        assert "places an army in the German States" in text_of(report)
        assert report["X-PBEM-Head"] == answer["X-PBEM-Head"]
    (asked,) = [m for other in others for m in post.host.to(other) if "Your move" in m["Subject"]]
    assert asked["To"].addresses[0].username == game.asked_seat()


def test_a_whole_round_is_played_by_mail_alone(game: Game, post: Post) -> None:
    for _ in range(15):
        seat = game.asked_seat()
        last = None
        for mail in post.host.to(f"{seat}@example.org"):
            last = mail if "For example, all of these are legal now:" in text_of(mail) else last
        line = game.legal_line(seat) if last is None else re.search(r"legal now:\s+(\S.*)", text_of(last))[1].strip()
        post.host.mails.clear()
        to = game.address(seat) if last is None else last["Reply-To"].addresses[0].addr_spec
        post.write(to, line, sender=f"{seat}@example.org")
        answers = post.answers(f"{seat}@example.org")
        assert any("accepted" in mail["Subject"] for mail in answers)
    assert game.service.status(game.campaign).kind == "negotiation"
    subjects = [mail["Subject"] for mail in post.host.to("seat1@example.org")]
    assert any("Negotiation is open" in s or "accepted" in s for s in subjects)


def test_press_is_relayed_to_those_it_names(game: Game, post: Post) -> None:
    post.write(game.address("seat1"), "PRESS TO britain: Let us share the Baltic.\nShall we? <b>A.</b>")
    (answer,) = post.answers()
    assert "accepted" in answer["Subject"]
    (message,) = post.host.to("seat2@example.org")
    assert message["Subject"] == "[Winter] A message from France"
    assert "> Let us share the Baltic.\r\n> Shall we? <b>A.</b>" in text_of(message)
    assert not post.host.to("seat3@example.org")


# --- bad mail: each gets a clear answer or deliberate silence, none has an effect ------------------------------------


@pytest.mark.parametrize(
    ("body", "subject", "words"),
    [
        ("CONQUER the world", "Not accepted", "there is no order that begins with “CONQUER”"),
        ("PLACE a AT india", "Not accepted", "a"),
        ("PLACE army AT indai", "Not accepted", "did you mean India"),
        ("PLACE navy AT german_states", "Not accepted", "no navy can be in German States"),
        ("BUY army_training", "Not accepted", "BUY is no answer to what is asked now"),
        ("BID -5 A france B spain", "Not accepted", "“-5” should be a whole number"),
        ("BID 99999999999999 A france", "Not accepted", "should be a whole number"),
        ("", "Your mail", "No order was found"),
        ("> PLACE army AT india\n> PASS", "Your mail", "No order was found"),
        ("PLACE army AT india'; DROP TABLE outbox; --", "Not accepted", "DROP TABLE outbox"),
        ("PLACE {{ 7*7 }} AT {% raw %}india", "Not accepted", "{{ 7*7 }}"),
        ("PLACE army AT <script>alert(1)</script>", "Not accepted", "<script>alert(1)</script>"),
        ("PLACE army AT india\n" * 60, "Your mail", "lines are taken at once"),
    ],
)  # fmt: skip
def test_bad_lines_get_a_clear_answer_and_no_effect(
    game: Game, post: Post, body: str, subject: str, words: str
) -> None:
    seat, before = game.asked_seat(), units(game)
    post.write(game.address(seat), body, sender=f"{seat}@example.org")
    (answer,) = post.answers(f"{seat}@example.org")
    assert subject in answer["Subject"]
    assert " ".join(words.split()) in " ".join(text_of(answer).replace("\r\n>", " ").split())
    assert "<script>" not in answer.get_body(("html",)).get_content()
    assert units(game) == before and game.asked_seat() == seat
    assert "Place a unit" in text_of(answer)  # it says what is asked now


def test_a_mail_out_of_turn_says_whom_the_game_waits_for(game: Game, post: Post) -> None:
    waiting = game.asked_seat()
    other = next(seat for seat in game.tokens if seat != waiting)
    post.write(game.address(other), "PLACE army AT india", sender=f"{other}@example.org")
    (answer,) = post.answers(f"{other}@example.org")
    assert "nothing is asked of you now; the game waits for" in " ".join(text_of(answer).split())


def test_the_same_mail_twice_acts_and_is_answered_once(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    for _ in range(3):
        post.write(game.address(seat), "PLACE army AT india", sender=f"{seat}@example.org", Message_ID="<same@x>")
    assert len(post.answers(f"{seat}@example.org")) == 1
    assert game.asked_seat() != seat


def test_a_late_mail_is_told_so(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    game.clock.advance(hours=73)
    game.service.tick()
    post.answers(f"{seat}@example.org")
    post.host.mails.clear()
    post.write(game.address(seat), "PLACE army AT india", sender=f"{seat}@example.org")
    (answer,) = post.answers(f"{seat}@example.org")
    text = " ".join(text_of(answer).split())
    assert "This came after the deadline of Thursday 27 November 2025, 10:00 (Europe/Paris)" in text


def test_orders_after_the_end_get_one_polite_answer(game: Game, post: Post) -> None:
    game.service.finish(game.campaign, "we had enough")
    post.answers()
    assert any("The game is over" in mail["Subject"] for mail in post.host.to("seat1@example.org"))
    post.host.mails.clear()
    before = units(game)
    post.write(game.address("seat1"), "PLACE army AT india")
    (answer,) = post.answers()
    assert "The campaign is over; nothing was done." in text_of(answer)
    assert units(game) == before


@pytest.mark.parametrize("sample", sorted(file.name for file in SAMPLES.iterdir() if file.suffix == ".eml")[:40])
def test_no_sample_of_strange_mail_stops_the_room(game: Game, post: Post, sample: str) -> None:
    post.write(game.address("seat2"), (SAMPLES / sample).read_bytes(), sender="seat2@example.org")
    post.answers("seat2@example.org")
    seat = game.asked_seat()
    game.send(seat, game.legal_line(seat))
    assert not game.service.with_mail()


@pytest.mark.parametrize(
    "raw",
    [
        b"From: seat2@example.org\r\nContent-Type: application/octet-stream\r\n\r\n" + BINARY * 50,
        b"From: seat2@example.org\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/pl",
        b"From: seat2@example.org\r\nContent-Type: text/plain; charset=klingon\r\n\r\nPASS \xff\xfe\xfa\r\n",
        b"From: seat2@example.org\r\nContent-Type: text/html\r\n\r\n<script>PASS</script><style>PASS</style>",
        b"From: seat2@example.org\r\n\r\n" + b"PRESS TO france: x\r\n" * 3000,
        b"\r\n\r\n",
    ],
)  # fmt: skip
def test_binary_and_broken_mail_gets_one_answer_and_no_effect(game: Game, post: Post, raw: bytes) -> None:
    before, event = units(game), game.service.status(game.campaign).event
    post.write(game.address("seat2"), raw, sender="seat2@example.org")
    assert len(post.answers("seat2@example.org")) == 1
    assert units(game) == before and game.service.status(game.campaign).event == event
    stored = game.service.inbox(game.campaign)
    assert game.service.raw_mail(game.campaign, stored[0]["number"]).rstrip(b"\r\n") == raw.rstrip(b"\r\n")


def test_a_mail_of_ten_megabytes_is_refused_at_the_door(game: Game, post: Post) -> None:
    with pytest.raises(smtplib.SMTPResponseException) as error:
        post.write(game.address("seat1"), "PASS\n" + "x" * 70 + "\n" + ("y" * 70 + "\n") * 150_000)
    assert error.value.smtp_code == 552
    assert not game.service.inbox(game.campaign)


def test_two_people_write_from_one_seat_at_once(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    threads = [
        threading.Thread(target=post.room.accept, args=(
            f"From: {seat}@example.org\r\nMessage-ID: <{n}@x>\r\n\r\nPLACE army AT {region}\r\n".encode(),
            game.address(seat), f"{seat}@example.org", game.clock.now(),
        ))
        for n, region in enumerate(["india", "africa", "baltic", "caribbean"])
    ]  # fmt: skip
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers = post.answers(f"{seat}@example.org")
    accepted = [mail for mail in answers if "accepted" in mail["Subject"] and "Not" not in mail["Subject"]]
    assert len(accepted) <= 1  # answers that fall together make one mail
    assert sum(len(powers) for powers in units(game).values()) == sum(len(p) for p in units(game).values())
    assert sum(kinds.get("army", 0) for powers in units(game).values() for kinds in powers.values()) == 1
    assert len(game.service.inbox(game.campaign)) == 4


# --- mail of no seat -------------------------------------------------------------------------------------------------


def test_a_mail_without_token_gets_one_polite_answer_a_day(game: Game, post: Post) -> None:
    stranger = "stranger@example.net"
    for _ in range(3):
        post.write(f"winter@{DOMAIN}", "Hello?", sender=stranger)
    (answer,) = post.answers(stranger)
    assert "had no effect" in text_of(answer) and answer["Auto-Submitted"] == "auto-replied"
    assert answer["In-Reply-To"] == "<mail-1@example.org>"
    assert post.host.mails[0][0] in ("", "<>", None)  # the null sender: nobody answers an answer
    assert [stray.reason for stray in post.room.strays()] == ["no token"] * 3
    assert sum(stray.answered for stray in post.room.strays()) == 1
    game.clock.advance(hours=25)
    post.write(f"winter@{DOMAIN}", "Hello again?", sender=stranger)
    assert len(post.answers(stranger)) == 2


def test_a_wrong_token_has_no_effect_and_tells_nothing(game: Game, post: Post) -> None:
    before = game.service.status(game.campaign).event
    for campaign in (game.campaign, "no-such-campaign"):
        for token in ("wrong", game.tokens["seat1"][:-1] + ("a" if game.tokens["seat1"][-1] != "a" else "b")):
            post.write(f"{campaign}+{token}@{DOMAIN}", "PASS", sender=f"{campaign}{token}@example.net")
    answers = [text_of(message) for _, _, message in (post.answers(), post.host.mails)[1]]
    assert len(answers) == 4 and len(set(answers)) == 1  # a campaign that is and one that is not cannot be told apart
    assert game.service.status(game.campaign).event == before and not game.service.inbox(game.campaign)


def test_the_token_of_another_campaign_does_not_open_this_one(game: Game, post: Post, service: Service) -> None:
    other = service.create("struggle_of_empires", 2, campaign="other")
    token = service.invite(other, "seat1", "Eve", "eve@example.org")
    post.write(f"winter+{token}@{DOMAIN}", "PASS", sender="eve@example.org")
    post.answers()
    assert not service.inbox("winter") and not service.inbox("other")
    assert post.room.strays()[0].reason == "wrong token"


@pytest.mark.parametrize(
    ("headers", "envelope", "reason"),
    [
        ({}, "", "null sender"),
        ({"Auto_Submitted": "auto-replied"}, None, "Auto-Submitted"),
        ({"Precedence": "bulk"}, None, "Precedence"),
        ({"Subject": "Out of office", "X_Auto_Response_Suppress": "All"}, None, "automatic reply"),
        ({"From": f"winter@{DOMAIN}"}, f"winter@{DOMAIN}", "our own mail"),
    ],
)
@pytest.mark.parametrize("with_token", [True, False])
def test_mail_of_programs_is_kept_and_never_answered(
    game: Game, post: Post, headers: dict[str, str], envelope: str | None, reason: str, with_token: bool
) -> None:
    to = game.address("seat1") if with_token else f"winter@{DOMAIN}"
    post.write(to, "PASS", envelope=envelope, **headers)
    post.answers()
    assert not post.host.mails and not game.service.inbox(game.campaign)
    (stray,) = post.room.strays()
    assert reason in stray.reason and not stray.answered


def test_our_own_mails_sent_back_to_us_start_no_loop(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    post.write(game.address(seat), "PLACE army AT india", sender=f"{seat}@example.org")
    post.answers()
    ours = [message.as_bytes(policy=policy.SMTP) for _, _, message in post.host.mails]
    assert ours
    count = len(post.host.mails)
    for raw in ours:
        for to in (game.address("seat1"), f"winter@{DOMAIN}", f"x@{DOMAIN}"):
            post.write(to, raw, sender="relay@example.net")
    post.answers()
    assert len(post.host.mails) == count


def test_a_forged_sender_is_not_written_to(game: Game, post: Post) -> None:
    post.write(f"winter@{DOMAIN}", "x", sender="victim@example.net", envelope="spammer@example.com")
    post.answers()
    assert not post.host.mails and post.room.strays()[0].answered is False


def test_a_flood_of_strangers_is_not_turned_on_others(game: Game, post: Post) -> None:
    for number in range(STRAY_ANSWERS_A_DAY + 10):
        sender = f"victim{number}@example.net"
        raw = f"From: {sender}\r\nMessage-ID: <{number}@y>\r\n\r\nhello\r\n".encode()
        post.room.accept(raw, f"winter@{DOMAIN}", sender, game.clock.now())
    post.answers()
    assert len(post.host.mails) == STRAY_ANSWERS_A_DAY


def test_a_stray_cannot_add_a_header_to_its_answer(game: Game, post: Post) -> None:
    raw = (
        b"From: \"x\r\n Bcc: <v@example.org>\" <stranger@example.net>\r\nSubject: =?utf-8?q?a=0D=0ABcc:_v=40x.org?=\r\n"
        b"Message-ID: <1@y>\r\n\r\nhello\r\n"
    )
    post.write(f"winter@{DOMAIN}", raw, sender="stranger@example.net")
    post.answers()
    for _, recipients, message in post.host.mails:
        assert recipients == ["stranger@example.net"] and message["Bcc"] is None


# --- durability and running ------------------------------------------------------------------------------------------


def test_a_mail_is_refused_while_it_cannot_be_stored(
    game: Game, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(submission: Any) -> int:
        raise OSError("disk full")

    monkeypatch.setattr(game.service, "receive", full)
    with pytest.raises(smtplib.SMTPResponseException) as error:
        post.write(game.address("seat1"), "PASS")
    assert error.value.smtp_code == 451


def test_what_the_clerk_did_not_see_the_clock_takes_up(game: Game, service: Service, courier: Courier) -> None:
    seat = game.asked_seat()
    keeper = MailRoom(service, courier=courier, clerk=False)
    raw = f"From: {seat}@example.org\r\n\r\nPLACE army AT india\r\n".encode()
    keeper.accept(raw, game.address(seat), f"{seat}@example.org", game.clock.now())
    assert keeper.take_up() == 0 and game.asked_seat() == seat
    service.tick()
    assert game.asked_seat() != seat


def test_deadlines_wait_for_a_good_poll(game: Game, service: Service, courier: Courier) -> None:
    assert MailRoom(service, courier=courier, clerk=False).poll() is None
    service = game.service = Service(replace(service.settings, imap_host="imap.example"), game.clock)
    room = MailRoom(service, courier=courier, clerk=False)

    class FakePoller:
        result: PollResult

        def poll(self) -> PollResult:
            return self.result

    poller = FakePoller()
    room.poller = poller  # type: ignore[assignment]
    seat = game.asked_seat()
    deadline = service.status(game.campaign).deadline
    assert deadline is not None
    game.clock.set(deadline)
    game.clock.advance(minutes=1)
    poller.result = PollResult(0, False, game.clock.now(), "down")
    room.poll()
    service.tick()
    assert game.asked_seat() == seat  # the mailbox could not be read since the deadline
    poller.result = PollResult(0, True, deadline)
    room.poll()
    service.tick()
    assert game.asked_seat() == seat  # read in the very moment of the deadline: a mail of that moment may be missing
    pages = Service(service.settings, game.clock)  # in a process that never saw the poller
    poller.result = PollResult(0, True, deadline)
    pages.tick()
    assert game.asked_seat() == seat
    poller.result = PollResult(0, True, game.clock.now())
    room.poll()
    pages.tick()
    pages.close()
    assert game.asked_seat() != seat
    service.close()


def test_the_whole_room_runs_and_stops(game: Game, service: Service, host: SmartHost, courier: Courier) -> None:
    room = MailRoom(service, courier=courier)
    room.start()
    assert room.listener is not None
    seat = game.asked_seat()
    with smtplib.SMTP("127.0.0.1", room.listener.port) as connection:
        raw = f"From: {seat}@example.org\r\nMessage-ID: <1@x>\r\n\r\nPLACE army AT india\r\n".encode()
        connection.sendmail(f"{seat}@example.org", [game.address(seat)], raw)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and not any("accepted" in m["Subject"] for m in host.to(f"{seat}@example.org")):
        time.sleep(0.02)
    room.stop()
    room.stop()
    assert any("accepted" in mail["Subject"] for mail in host.to(f"{seat}@example.org"))
    with pytest.raises(OSError):
        smtplib.SMTP("127.0.0.1", room.listener.port, timeout=1)


def test_no_token_is_logged(game: Game, post: Post, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    seat = game.asked_seat()
    post.write(game.address(seat), "PLACE army AT india", sender=f"{seat}@example.org")
    post.write(game.address(seat)[:-20] + f"x@{DOMAIN}", "PASS", sender=f"{seat}@example.org")
    post.answers()
    ours = "\n".join(r.getMessage() for r in caplog.records if r.name.startswith("pbem"))
    assert game.tokens[seat] not in ours and game.tokens[seat][:20] not in ours


def test_the_raw_mail_of_a_stray_is_kept_short(game: Game, post: Post, service: Service) -> None:
    post.room.accept(b"From: a@example.net\r\n\r\n" + b"x" * 500_000, "", "a@example.net", datetime.now().astimezone())
    with service.store.read() as connection:
        (stray,) = connection.execute(post.room._strays.select()).all()
    assert len(service.vault.take_out(stray.content)) == 64 * 1024


def test_a_bounce_is_told_to_the_moderators_once_a_day(game: Game, post: Post) -> None:
    accounts = Moderators(game.service.store)
    for name in ("anna", "bert"):
        accounts.add(name, "correct horse battery", game.clock.now(), address=f"{name}@desk.example")
    accounts.take(game.campaign, "anna")

    def bounce(number: int, to: str = f"winter@{DOMAIN}", kind: str = "delivery-status") -> None:
        raw = (
            f"From: MAILER-DAEMON@relay.example\r\nTo: {to}\r\nSubject: Undelivered <{number}>\r\n"
            f"Message-ID: <b{number}@relay.example>\r\nMIME-Version: 1.0\r\n"
            f'Content-Type: multipart/report; report-type={kind}; boundary="x"\r\n\r\n--x\r\n\r\nno\r\n--x--\r\n'
        )
        post.write(to, raw.encode(), envelope="", sender="")

    bounce(1, kind="disposition-notification")
    bounce(2, to=f"unknown@{DOMAIN}")
    assert post.answers("mod@example.org") == []
    bounce(3)
    bounce(3)
    bounce(4)
    (own,) = post.answers("mod@example.org")
    (annas,) = post.host.to("anna@desk.example")
    assert post.host.to("bert@desk.example") == []
    assert own["Subject"] == "[Winter] A mail came back" and "Undelivered <3>" in text_of(annas)
    assert {sender for sender, to, _ in post.host.mails if to == ["anna@desk.example"]} == {"<>"}
    game.clock.advance(days=1)
    bounce(5)
    assert len(post.answers("mod@example.org")) == 2
    assert len(post.room.strays()) == 5


def test_what_the_clock_and_the_ways_in_tell_moderators_can_be_read(game: Game, post: Post) -> None:
    store, now = game.service.store, game.clock.now()
    notices.tell_of_campaign(store, DOMAIN, now, notices.FAULT, game.campaign, {"error": "KeyError"})
    notices.tell_of_ways(store, DOMAIN, now, {"imap": "", "smtp": stamp(now)}, {game.campaign: stamp(now)})
    mails = post.answers("mod@example.org")
    assert sorted(m["Subject"] for m in mails) == [
        "[Winter] The program cannot go on", f"[{DOMAIN}] Deadlines wait: a way in is down"
    ]
    text = " ".join(text_of(m) for m in mails)
    assert "winter (KeyError)" in " ".join(text.split()) and "imap: not open since the service started" in text


def test_players_are_told_by_mail_that_the_moderator_looked(game: Game, post: Post) -> None:
    game.service.disclose(game.campaign, "a dispute")
    (mail,) = post.answers()
    assert mail["Subject"] == "[Winter] The moderator has looked at hidden things"
    assert "The whole board was opened" in text_of(mail) and "a dispute" in text_of(mail)


def test_what_the_program_says_in_answers_is_said_in_the_language_of_the_player(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    address = f"{seat}@example.org"
    game.send(seat, "SET LANGUAGE fr")
    post.write(game.address(seat), "STATUS\n" * 51, sender=address)
    assert "On prend au plus 50 lignes à la fois ; rien n’a été fait." in " ".join(
        text_of(post.answers(address)[-1]).split()
    )
    post.write(game.address(seat), "BUY army_training", sender=address)
    refused = " ".join(text_of(post.answers(address)[-1]).split())
    assert "BUY ne répond pas à ce qui est demandé maintenant" in refused and "is no answer" not in refused
    post.write(game.address(seat), "PLACE army AT india\nPLACE nonsense", sender=address)
    text = " ".join(text_of(post.answers(address)[-1]).split())
    assert "toutes les lignes n’ont pas pu être lues" in text and "une autre ligne n’a pas pu être lue" in text
    game.clock.advance(days=20)
    game.service.tick()
    missed = next(e for e in game.service.events(game.campaign) if e["kind"] == "expired")["public"]["deadline"]
    post.write(game.address(seat), "PLACE army AT india", sender=address)
    text = " ".join(text_of(post.answers(address)[-1]).split())
    assert "Ceci est arrivé après l’échéance du" in text and missed not in text


def test_mail_comes_in_under_tls_with_the_certificate_of_the_settings(service: Service, tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(7).not_valid_before(now).not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    )  # fmt: skip
    file = tmp_path / "mail.pem"
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(*form))
    room = MailRoom(service, replace(service.settings, listen_port=0, listen_certificate=str(file)))
    port = room.start_listener().port
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=10) as client:
            client.starttls(context=ssl._create_unverified_context())
            assert x509.load_der_x509_certificate(client.sock.getpeercert(binary_form=True)).serial_number == 7
            assert client.noop()[0] == 250
    finally:
        room.stop()


def test_a_program_that_answers_without_saying_so_is_answered_three_times(game: Game, post: Post) -> None:
    seat = "seat1"
    for number in range(8):
        post.write(game.address(seat), f"I am away; I got your mail of {number}:3{number} and read it on Monday.\n")
        answers = post.answers()
    assert len([mail for mail in answers if "I am away" in text_of(mail)]) == 3
    (told,) = post.answers("mod@example.org")
    assert "A program answers our mails" in told["Subject"] and "seat1@example.org" in text_of(told)
    for own in ("STATUS\n", "what should I do now, please?\n"):
        before = len(post.answers())
        post.write(game.address(seat), own)
        assert len(post.answers()) == before + 1


def test_an_answer_says_what_was_left_out_and_how_orders_end(game: Game, post: Post) -> None:
    post.write(game.address("seat1"), "Hello all,\n\nSTATUS\n\nCheers,\nAnna\n")
    assert "Left out, since it can be no order: Hello all, / Cheers, / Anna" in " ".join(
        text_of(post.answers()[-1]).split()
    )
    post.write(game.address("seat1"), "STATUS\nand then\nSTATUS\n")
    said = " ".join(text_of(post.answers()[-1]).split())
    assert "write END on a line of its own" in said and "and then" in said


@pytest.mark.parametrize(
    ("body", "order"),
    [
        ("Hello all,\n\nI place an army in India, please\n\nCheers,\nAnna\n", "PLACE army AT india"),
        ("Bonjour,\n\nje place une armee en Inde\n\nCordialement,\nAnne\n", "PLACE army AT india"),
        ("Привет!\n\nставлю армию в Индию\n\nС уважением,\nАня\n", "PLACE army AT india"),
    ],
)
def test_a_letter_with_an_order_in_his_own_words_is_carried_out(game: Game, post: Post, body: str, order: str) -> None:
    seat, before = game.asked_seat(), units(game)
    post.write(game.address(seat), body, sender=f"{seat}@example.org")
    answer = post.answers(f"{seat}@example.org")[-1]
    assert order in text_of(answer) and units(game) != before


def test_help_tells_every_line_that_there_is(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    post.write(game.address(seat), "HELP ALL", sender=f"{seat}@example.org")
    said = " ".join(text_of(post.answers(f"{seat}@example.org")[-1]).split())
    for kind in (*find_game("struggle_of_empires").orders, *COMMANDS):
        assert " ".join(find_language("en").usage(kind.usage()).split()) in said, kind


@pytest.mark.parametrize(("language", "said", "all_lines", "dice", "proof"), [
    ("en", "Place a unit:\n    PLACE", "HELP ALL tells every line", "help dice", "could try many wordings"),
    ("fr", "Placez une unité :\n    PLACE", "HELP ALL donne toutes les lignes", "HELP dés",
     "essayer bien des formulations"),
    ("ru", "Поставьте отряд:\n    PLACE", "HELP ALL даёт все строки", "помощь кости", "перебирать формулировки"),
])  # fmt: skip
def test_help_alone_tells_what_can_be_sent_now_and_how_more_is_asked_for(
    game: Game, post: Post, language: str, said: str, all_lines: str, dice: str, proof: str
) -> None:
    seat = game.asked_seat()
    post.write(game.address(seat), f"SET LANGUAGE {language}", sender=f"{seat}@example.org")
    post.answers(f"{seat}@example.org")
    post.write(game.address(seat), "HELP", sender=f"{seat}@example.org")
    told = text_of(post.answers(f"{seat}@example.org")[-1]).replace("\r", "")
    assert said in told and all_lines in " ".join(told.split()) and "COLONISE" not in told
    assert told.count("\n") < 60
    post.write(game.address(seat), dice, sender=f"{seat}@example.org")
    assert proof in " ".join(text_of(post.answers(f"{seat}@example.org")[-1]).split())


@pytest.mark.parametrize(
    ("language", "partly", "asked", "accepted"),
    [
        ("en", "Partly answered: 3 of 4", "What you asked", "Your orders are accepted"),
        ("fr", "Répondu en partie : 3 sur 4", "Ce que vous demandiez", "Vos ordres sont acceptés"),
        ("ru", "Отвечено частично: 3 из 4", "Что вы спрашивали", "Ваши приказы приняты"),
    ],
)
def test_what_a_mail_asks_is_answered_whatever_else_stands_in_it(
    game: Game, post: Post, language: str, partly: str, asked: str, accepted: str
) -> None:
    seat = game.asked_seat()

    def answer(*lines: str) -> tuple[str, str]:
        post.write(game.address(seat), "\n".join(lines), sender=f"{seat}@example.org")
        mail = post.answers(f"{seat}@example.org")[-1]
        return mail["Subject"], text_of(mail)

    answer(f"SET LANGUAGE {language}")
    subject, text = answer("STATUS", "HELP PLACE", "QUEUE", "HELP NONSENSE")
    assert partly in subject and "NONSENSE" in text
    assert asked in answer("STATUS", "QUEUE")[0]
    order, before = game.legal_line(seat), units(game)
    subject, text = answer("STATUS BOARD", "PLACE amry AT india", order)
    assert units(game) == before and partly.split(":")[0].strip() not in subject
    assert text.index("> STATUS BOARD") < text.index("> PLACE amry")
    between = text[text.index("> STATUS BOARD") : text.index("> PLACE amry")]
    assert {"en": "Answer", "fr": "Réponse", "ru": "Ответ"}[language] in between
    subject, text = answer("STATUS", order)
    assert accepted in subject and units(game) != before


def test_a_refusal_tells_the_question_in_short_and_status_whole(game: Game, post: Post) -> None:
    for _ in range(15):
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
    for seat in POWERS:
        game.send(seat, "DONE")
    seat = game.asked_seat()
    game.service.project()
    outbox.void(game.service.store, [one.number for one in outbox.messages(game.service.store, limit=1000)], "told")
    told = []
    for line in ("BUY army_training", "STATUS", "PRESS TO ALL: hello\nEND\nBUY army_training"):
        post.write(game.address(seat), line, sender=f"{seat}@example.org")
        told.append(post.answers(f"{seat}@example.org")[-1])
    refused, whole, partly = map(text_of, told)
    asked = game.service.asked(game.campaign, seat)[0]
    title = game.service.page(game.campaign, seat, "en").questions[0].text.split(".")[0]
    for short in (refused, partly):
        said = " ".join(short.split())
        assert all(find_language("en").usage(form) in said for form in asked.usages) and "Answer by " in said
        assert title not in said and "STATUS tells the question whole" in said
    assert title in " ".join(whole.split()) and "Partly accepted" in told[2]["Subject"]
    assert "What only you see" not in partly and len(partly.splitlines()) < 45


def test_a_mail_that_was_accepted_in_part_says_so(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    post.write(game.address(seat), f"ACCEPT INVITATION\n{game.legal_line(seat)}", sender=f"{seat}@example.org")
    answer = post.answers(f"{seat}@example.org")[-1]
    assert "Partly accepted: 1 of 2" in answer["Subject"] and "the seat is yours already" in text_of(answer)
    post.write(game.address(seat), "ACCEPT INVITATION", sender=f"{seat}@example.org")
    assert "Not accepted" in post.answers(f"{seat}@example.org")[-1]["Subject"]
