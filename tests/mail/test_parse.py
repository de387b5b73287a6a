"""Reading mails and addresses: what counts as the player's words, what is a program, what is the same mail."""

from __future__ import annotations

import base64
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.games import find_game, game_ids
from pbem.mail.envelope import Envelope, envelope_addresses, make_address, new_token, parse_address, redact
from pbem.mail.orderlike import begins_order, makes_sense, may_be_order, of_game
from pbem.mail.parse import REPLY_MARKER, Letter, headers_of, normalise_line, read_mail, unflow
from pbem.mail.written import written_lines
from pbem.table import loose
from pbem.table.kit import load_kit
from tests import spent, toy

SAMPLES = {path.stem: path.read_bytes() for path in sorted((Path(__file__).parent / "samples").glob("*.eml"))}
DOMAIN = "play.example.org"
HEAD = b"From: player@example.com\r\nMessage-ID: <m@example.com>\r\n"


def mail(body: str, *headers: str, charset: str = "utf-8") -> bytes:
    """A mail of text in `charset`, with more `headers`."""
    kind = f"Content-Type: text/plain; charset={charset}"
    has_kind = any(header.lower().startswith("content-type") for header in headers)
    fields = [*headers] if has_kind else [*headers, kind]
    return HEAD + "\r\n".join(fields).encode() + b"\r\n\r\n" + body.replace("\n", "\r\n").encode(charset)


def lines(body: str, *headers: str) -> list[str]:
    return read_mail(mail(body, *headers)).lines


@pytest.mark.parametrize(
    ("body", "read", "left_out"),
    [
        ("Bonjour,\n\nblabla est là-bas\n", ["blabla est là-bas"], ["Bonjour,"]),
        ("Привет, Анна!\nчто-то не то\n", ["что-то не то"], ["Привет, Анна!"]),
        ("Hello\n", ["Hello"], []),
        ("PLACE army AT india. Cheers, Erik", ["PLACE army AT india"], []),
        ("place an army in india! Merci", ["place an army in india"], []),
        ("PRESS TO france: no more wars. Cheers, Erik", ["PRESS TO france: no more wars. Cheers, Erik"], []),
        ("PLACE army AT india. Thanks but no", ["PLACE army AT india.", "Thanks but no"], []),
        ("PLACE army AT india. What a day", ["PLACE army AT india."], ["What a day"]),
    ],
)  # fmt: skip
def test_a_greeting_alone_above_what_cannot_be_read_and_a_closing_behind_an_order_are_no_orders(
    body: str, read: list[str], left_out: list[str]
) -> None:
    letter = read_mail(mail(body))
    assert (letter.lines, letter.left_out) == (read, left_out)


# --- addresses


def test_an_address_gives_campaign_and_token_in_any_case() -> None:
    token = new_token()
    address = make_address("game-7", token, DOMAIN)
    assert parse_address(address, DOMAIN) == Envelope("game-7", token)
    assert parse_address(address.upper(), DOMAIN) == Envelope("game-7", token)
    assert parse_address(f" game-7@{DOMAIN}. ", DOMAIN) == Envelope("game-7", "")
    assert len(address.partition("@")[0]) <= 64


def test_tokens_are_long_and_all_different() -> None:
    tokens = {new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert all(len(token) == 32 and token == token.lower() and "=" not in token for token in tokens)


@pytest.mark.parametrize(
    "address",
    ["", "@", "game", "game@example.org", f"@{DOMAIN}", f"game+a b@{DOMAIN}", f"game+a\r\nX: y@{DOMAIN}",
     f"+a@{DOMAIN}", f'"game+a"@{DOMAIN}', f"game+a@evil.example@{DOMAIN}", f"{'g' * 65}@{DOMAIN}",
     f"game+a@sub.{DOMAIN}", f"game%evil.example+a@{DOMAIN}", f"game+a+b@{DOMAIN}", f"../x+a@{DOMAIN}"],
)  # fmt: skip
def test_what_is_no_address_of_ours(address: str) -> None:
    assert parse_address(address, DOMAIN) is None


def test_an_address_that_would_not_come_back_is_not_made() -> None:
    for campaign, token in (("Game", "abc"), ("game+x", "abc"), ("g" * 40, "a" * 32), ("game", "a b"), ("game", "a\n")):
        with pytest.raises(ValueError):
            make_address(campaign, token, DOMAIN)


def test_the_envelope_is_found_in_the_headers_of_a_delivered_mail() -> None:
    def found(*fields: str) -> list[str]:
        return envelope_addresses(headers_of("\r\n".join([*fields, "", "PASS"]).encode()), DOMAIN)

    ours, other = f"game+aaa@{DOMAIN}", f"game+bbb@{DOMAIN}"
    assert found(f"To: {other}", f"Delivered-To: {ours}") == [ours]
    assert found(f"Cc: {other}", f"X-Original-To: {ours}") == [ours]
    assert found(f"Cc: {other}", f'To: "x, y" <{ours.upper()}>, z@example.com') == [ours]
    assert found(f"To: =?utf-8?q?x?= <{ours}>,\r\n <{other}>") == [ours, other]
    assert found(f"Delivered-To: orders@{DOMAIN}", f"To: {ours}") == [ours]  # the mailbox's own name comes last
    assert found(f"Delivered-To: orders@{DOMAIN}", "To: z@example.com") == [f"orders@{DOMAIN}"]
    assert found("To: z@example.com") == []


def test_redacting_hides_tokens_and_leaves_the_rest() -> None:
    token = new_token()
    text = f"RCPT TO:<game+{token}@{DOMAIN}> and {token} and http://x/{token}/y"
    assert token not in redact(text)
    assert redact(f"game+{token}@{DOMAIN}") == f"game+***@{DOMAIN}"
    assert redact("disk full after 3 + 4 mails") == "disk full after 3 + 4 mails"


# --- samples


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        ("top_post", ["MOVE navy FROM north_america TO india", "ATTACK britain IN north_america"]),
        ("gmail_alternative", ["PRESS TO france Bientôt la paix", "PASS"]),
        ("html_only", ["MOVE navy FROM baltic TO india", "BUILD navy AT baltic", "FIGHT"]),
        ("html_outlook", ["PASS"]),
        ("outlook_text", ["PASS"]),
        ("bottom_post", ["MOVE navy FROM baltic TO india", "FIGHT"]),
        ("flowed_delsp", ["MOVE navy FROM north_america TO india, army FROM german_states TO india", "PASS"]),
        ("russian_koi8", ["PRESS TO france Привет"]),
        ("broken_mime", ["PASS"]),
        ("attachment_only", []),
    ],
)
def test_order_lines_of_a_sample(sample: str, expected: list[str]) -> None:
    for raw in (SAMPLES[sample], SAMPLES[sample].replace(b"\n", b"\r\n")):
        letter = read_mail(raw)
        assert letter.lines == expected
        assert not letter.is_automatic


def test_header_fields_of_a_letter() -> None:
    letter = read_mail(SAMPLES["top_post"])
    assert letter.message_id == "<reply-1@example.com>"
    assert letter.in_reply_to == "<report-9@play.example.org>"
    assert letter.references == ["<report-1@play.example.org>", "<report-9@play.example.org>"]
    assert letter.sender == "player@example.com"
    assert letter.subject == "Re: Game 7: your move - round 2"
    assert letter.date == datetime(2025, 3, 4, 17, 20, 11, tzinfo=UTC)
    assert "BUY army_training" in letter.full_text
    assert letter.problems == []


def test_nothing_hidden_or_scripted_in_html_is_read() -> None:
    letter = read_mail(SAMPLES["html_only"])
    for text in ("\n".join(letter.lines), letter.full_text):
        for word in ("script", "alert", "hidden", "comment", "title", "template", "image", "color", "tracker"):
            assert word not in text
    assert "quoted_order" in letter.full_text
    assert not any("quoted_order" in line for line in letter.lines)


# --- quotations and signatures


@pytest.mark.parametrize(
    "quotation",
    [
        "> BUY quoted_order",
        ">> BUY quoted_order",
        "  > BUY quoted_order",
        "On Tue, 4 Mar 2025 at 10:00, Game <game@play.example.org> wrote:\n\n> BUY quoted_order",
        "On Tue, 4 Mar 2025 at 10:00, Game <game@play.example.org> wrote:\nBUY quoted_order",
        "Am Di., 4. März 2025 um 10:00 Uhr schrieb Game 7 <game@play.example.org>:\n\nBUY quoted_order",
        "Le mar. 4 mars 2025 à 10:00, Game 7 <game@play.example.org> a écrit :\n\nBUY quoted_order",
        "Il giorno mar 4 mar 2025 alle ore 10:00 Game 7 <game@play.example.org> ha scritto:\n\nBUY quoted_order",
        "El mar, 4 mar 2025 a las 10:00, Game 7 (<game@play.example.org>) escribió:\n\n> BUY quoted_order",
        "вт, 4 мар. 2025 г. в 10:00, Game 7 <game@play.example.org>:\n\n> BUY quoted_order",
        "Dnia 4 marca 2025 10:00 Game 7\n<game@play.example.org> napisał(a):\n\n> BUY quoted_order",
        f"{REPLY_MARKER}\nBUY quoted_order",
        f"> {REPLY_MARKER.upper()}\nBUY quoted_order",
        "\u2014 write your orders  above this line \u2014\nBUY quoted_order",
        "écrivez vos ordres au-dessus de cette ligne\nBUY quoted_order",
        "> -- пишите приказы\n> над этой строкой --\nBUY quoted_order",
        "*Пишите приказы над этой строкой*\nBUY quoted_order",
        "-----Original Message-----\nBUY quoted_order",
        "-------- Weitergeleitete Nachricht --------\nBUY quoted_order",
        "________________________________\nBUY quoted_order",
        "From: Game 7\nSent: Tuesday, 4 March 2025 10:00\nTo: player\nSubject: your move\n\nBUY quoted_order",
        "Von: Game 7\nGesendet: Dienstag\nAn: player\nBetreff: your move\n\nBUY quoted_order",
        "-- \nBUY quoted_order",
        "--\nBUY quoted_order",
        "\u2014\nBUY quoted_order",
        "END\nBUY quoted_order",
        "  end  \nBUY quoted_order",
    ],
)
def test_an_order_in_a_quotation_or_below_a_signature_never_counts(quotation: str) -> None:
    assert lines(f"PASS\nBID 3\n\n{quotation}\n") == ["PASS", "BID 3"]
    assert lines(f"PASS\nBID 3\n{quotation}\n") == ["PASS", "BID 3"]
    assert "BUY quoted_order" not in lines(f"{quotation}\n")


@pytest.mark.parametrize(
    "closing", ["Best regards", "Sent from my iPhone", "Viele Grüße", "Cordiali saluti", "Saludos,"]
)
def test_nothing_counts_below_the_closing_of_a_letter(closing: str) -> None:
    assert lines(f"PASS\n\n{closing}\nA Player\nBUY signature_order\n") == ["PASS"]


def test_the_end_of_a_message_is_not_that_of_the_letter() -> None:
    text = "PRESS TO spain: Dear friend,\nyours\nEND\nPASS\nEND\nBUY everything\n"
    message = ["PRESS TO spain: Dear friend,", "yours", "END"]
    assert lines(text) == [*message, "PASS"]
    assert lines(f"> shall we?\n\n{text}") == [*message, "PASS"]
    assert lines("PASS\nEND\nPRESS TO spain: no") == ["PASS"]


def test_text_below_a_quotation_is_reported_when_there_is_text_above() -> None:
    letter = read_mail(mail("PASS\n\n> what now?\n\nFIGHT\n"))
    assert letter.lines == ["PASS"]
    assert any("below a quotation" in problem for problem in letter.problems)


def test_the_broken_tail_of_a_quoted_line_is_not_an_order() -> None:
    letter = read_mail(mail("> To answer, write one of ATTACK, BUILD or\nPASS\n\nFIGHT\n"))
    assert letter.lines == ["FIGHT"]
    assert any("directly below a quotation" in problem for problem in letter.problems)


def test_bottom_posting_under_our_marker_counts_only_if_the_quotation_is_marked() -> None:
    assert lines(f"> {REPLY_MARKER}\n> BUY quoted_order\n\nPASS\n") == ["PASS"]
    letter = read_mail(mail(f"{REPLY_MARKER}\nBUY quoted_order\n\nPASS\n"))
    assert letter.lines == []
    assert letter.problems == ["Nothing is written above the quotation."]


def test_an_order_that_ends_with_a_colon_or_names_a_year_stays_above_a_quotation() -> None:
    assert lines("PRESS TO france:\n\n> BUY quoted_order\n") == ["PRESS TO france:"]
    assert lines("PASS\nOn 4 Mar 2025 10:00 X wrote:\n> BUY quoted_order\n") == ["PASS"]


def test_long_lines_are_kept_whole() -> None:
    press = "PRESS TO france " + "peace " * 3000
    assert lines(f"- MOVE navy\n- BUY x\n\n{press}\nPASS") == ["MOVE navy", "BUY x", press.strip(), "PASS"]


# --- text forms


def test_lines_are_normalised() -> None:
    assert normalise_line("\u00a0MOVE\u2003a\u200b\ufeff TO\tb\u00ad ") == "MOVE a TO b"
    assert normalise_line("\u201cx\u201d \u2018y\u2019 \u2013 \u2014 \u2212 \u00abz\u00bb") == '"x" \'y\' - - - "z"'
    assert normalise_line("e\u0301") == "é"
    assert normalise_line("\u202eSSAP\u202c\x00\x1b[31m") == "SSAP[31m"


@pytest.mark.parametrize(
    ("charset", "content", "expected", "noted"),
    [
        ("utf-8", "é".encode(), "é", False),
        ("iso-8859-1", "é".encode("latin-1"), "é", False),
        ("iso-8859-1", "\u2019é".encode("cp1252"), "'é", False),
        ("iso-8859-1", "é".encode(), "é", True),
        ("us-ascii", "é".encode("latin-1"), "é", False),
        ("utf-8", "é".encode("latin-1"), "é", True),
        ("no-such", "é".encode(), "é", True),
        ("punycode", "é".encode(), "é", True),
        ("unicode_escape", b"\\x41", "\\x41", True),
        ("base64", b"PASS", "PASS", True),
        ("utf-16", "é".encode("utf-16"), "é", False),
        ("shift_jis", "日本".encode("shift_jis"), "日本", False),
        ("gb2312", "中国".encode("gb2312"), "中国", False),
        ('"utf-8', "é".encode(), "é", False),
    ],
)
def test_any_charset_is_read_and_a_lie_is_noted(charset: str, content: bytes, expected: str, noted: bool) -> None:
    encoded = base64.encodebytes(content)
    raw = HEAD + f"Content-Type: text/plain; charset={charset}\r\n".encode()
    letter = read_mail(raw + b"Content-Transfer-Encoding: base64\r\n\r\n" + encoded)
    assert letter.lines == [expected]
    assert bool(letter.problems) == noted


def test_text_that_databases_refuse_is_replaced() -> None:
    raw = HEAD + b"Content-Type: text/plain; charset=utf-7\r\n\r\nPASS +2AA-\r\n"
    assert read_mail(raw).full_text.startswith("PASS ?")
    assert read_mail(HEAD + b"\r\nPA\0SS").full_text.startswith("PA\ufffdSS")


def test_flowed_text_is_joined_as_the_rfc_says() -> None:
    assert unflow("a \nb\nc") == "a b\nc"
    assert unflow("a \nb", delete_space=True) == "ab"
    assert unflow("> a \n> b\nc") == "> a b\nc"
    assert unflow("> a \nb") == "> a \nb"
    assert unflow(">> a\n> b") == ">> a\n> b"
    assert unflow("a \n-- \nb") == "a \n-- \nb"
    assert unflow("  stuffed\n From x") == " stuffed\nFrom x"


def test_several_text_parts_are_read_in_order_and_html_only_without_text() -> None:
    def parts(*bodies: str) -> bytes:
        inner = "".join(f"--b\r\n{body}\r\n" for body in bodies)
        return HEAD + f"Content-Type: multipart/mixed; boundary=b\r\n\r\n{inner}--b--\r\n".encode()

    text, image = "Content-Type: text/plain\r\n\r\n", "Content-Type: image/png\r\n\r\nxx"
    html = "Content-Type: text/html\r\n\r\n<p>FIGHT</p>"
    assert read_mail(parts(f"{text}PASS", image, f"{text}FIGHT")).lines == ["PASS", "FIGHT"]
    assert read_mail(parts(f"{text}PASS", html)).lines == ["PASS"]
    assert read_mail(parts(f"{text}  \r\n", html)).lines == ["FIGHT"]


# --- bad mails


def test_an_empty_mail_is_answered_as_empty() -> None:
    for raw in (b"", b"\r\n", HEAD, HEAD + b"\r\n", HEAD + b"\r\n \r\n\t\r\n\xc2\xa0\r\n"):
        letter = read_mail(raw)
        assert letter.lines == []
        assert letter.problems


def timed(raw: bytes) -> tuple[Letter, float]:
    letters: list[Letter] = []
    took = spent.seconds(lambda: letters.append(read_mail(raw)), enough=0.2)
    return letters[0], took


def nested(depth: int) -> bytes:
    return b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))


def test_a_mail_of_10_megabytes() -> None:
    attached = base64.encodebytes(os.urandom(7_500_000))
    head = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nPASS\n"
    image = b"--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n" + attached + b"--b--\n"
    letter, seconds = timed(head + image)
    assert letter.lines == ["PASS"]
    assert seconds < 10

    letter, seconds = timed(HEAD + b"\r\n" + b"MOVE army FROM german_states TO india and then home\r\n" * 200_000)
    assert letter.lines == []
    assert any("too long" in problem for problem in letter.problems)
    assert len(letter.full_text) < 1_000_000
    assert seconds < 10


@pytest.mark.parametrize(
    "raw",
    [
        HEAD + b"\r\n" + b"\n" * 10_000_000,
        HEAD + b"\r\n" + b"\n" * 700_000 + b"PASS",
        HEAD + b"\r\n" + b"\n" * 18_000 + b"PASS",
        HEAD + nested(5000) + b"PASS",
        HEAD + nested(40) + b"PASS",
        HEAD + b"Content-Type: message/rfc822\n\n" * 3000 + b"PASS",
        HEAD + b'Content-Type: text/plain; x="' + b";" * 5_000_000 + b"\n\nPASS",
        b"From: " + b"(" * 1_000_000 + b"\n\nPASS",
        HEAD + b"Content-Type: text/html\n\n" + b"<div>" * 100_000 + b"PASS",
        HEAD + b"Content-Type: text/html\n\n<div style='padding-left: 999999999em'>PASS</div>",
        HEAD + b"Content-Type: text/html\n\n<table>" + b"<tr><td>x<td>y" * 70_000,
        HEAD + b"\n" + (b"On " + b"a " * 98 + b"\n") * 200,
        HEAD + b"\n" + (b"From: " + b" " * 190 + b"x\n\n\n") * 90,
    ],
    ids=["newlines", "fewer newlines", "few newlines", "nested", "less nested", "attached mails", "parameters",
         "comments", "deep html", "wide html", "table", "attributions", "headers"],
)  # fmt: skip
def test_mails_made_to_take_long_do_not(raw: bytes) -> None:
    letter, seconds = timed(raw)
    assert seconds < 10
    assert len(letter.full_text) < 1_000_000


def test_html_with_too_many_parts_is_answered_so() -> None:
    letter = read_mail(HEAD + b"Content-Type: text/html\n\nPASS" + b"<br>" * 30_000)
    assert letter.lines == [] and "too many parts" in letter.problems[0]
    assert read_mail(HEAD + b"Content-Type: text/html\n\nPASS" + b"<br>" * 3_000).lines == ["PASS"]


def test_binary_instead_of_text_is_not_read() -> None:
    letter = read_mail(HEAD + b"\r\n" + bytes(range(256)) * 50)
    assert letter.lines == []
    assert any("binary" in problem for problem in letter.problems)
    assert read_mail(SAMPLES["attachment_only"]).problems == [
        "The mail holds no text. Attachments and attached mails are not read."
    ]


def test_broken_mime_is_read_as_far_as_it_goes() -> None:
    problems = read_mail(SAMPLES["broken_mime"]).problems
    assert any("damaged" in problem for problem in problems)
    assert any("no-such-charset" in problem for problem in problems)
    without_boundary = read_mail(HEAD + b"Content-Type: multipart/mixed\r\n\r\nPASS\r\n")
    assert without_boundary.lines == []
    assert any("damaged" in problem for problem in without_boundary.problems)
    assert read_mail(HEAD + b"Content-Type: ;;;=\r\nContent-Transfer-Encoding: x\r\n\r\nPASS\r\n").lines == ["PASS"]


def test_no_field_of_a_letter_can_start_a_new_header() -> None:
    letter = read_mail(
        b"From: =?utf-8?q?x=0D=0ABcc=3A_evil=40example=2Ecom?= <player@example.com>\r\n"
        b"Subject: =?utf-8?q?hello=0D=0ABcc=3A_evil=40example=2Ecom=0A?=\r\n\tfolded\r\n"
        b"Message-ID: <a\rb\x00c@example.com>\r\n"
        b"In-Reply-To: <x@y>\r\n =?utf-8?q?=0ABcc=3A?= <z>\r\n"
        b"References: <a@b>\r\n\t<c\x0bd@e> <f@g>\r\n\r\n"
        b"PRESS TO france =0D=0ABcc: evil\x0b\x0c\xe2\x80\xa8Bcc: evil\r\n"
    )
    single = [letter.sender, letter.subject, letter.message_id or "", letter.in_reply_to or "", letter.automatic_reason]
    for text in [*single, *letter.references, *letter.lines, *letter.problems]:
        assert text.splitlines() in ([], [text])
        assert all(character.isprintable() for character in text)
    assert letter.subject.startswith("hello Bcc: evil@example.com")
    assert letter.sender == "player@example.com"


# --- programs


@pytest.mark.parametrize(
    "header",
    ["Auto-Submitted: auto-replied", "Auto-Submitted: Auto-Generated; x=y", "auto-submitted: auto-notified (vacation)",
     "Precedence: bulk", "Precedence: JUNK", "Precedence: auto_reply", "Precedence: list", "X-Autoreply: yes",
     "X-Autorespond: 1", "Return-Path: <>", "Content-Type: multipart/report; boundary=x",
     "Subject: Out of Office: your move\r\nX-Auto-Response-Suppress: OOF",
     "Subject: =?utf-8?q?R=C3=A9ponse_automatique?=\r\nX-Auto-Response-Suppress: All"],
)  # fmt: skip
def test_mail_of_a_program_is_recognised_with_a_reason(header: str) -> None:
    letter = read_mail(mail("PASS", header))
    assert letter.is_automatic
    assert letter.automatic_reason


@pytest.mark.parametrize(
    "header",
    ["Auto-Submitted: no", "Auto-Submitted: No (a person)", "Precedence: normal", "X-Autoreply: no",
     "Return-Path: <player@example.com>", "Subject: Out of Office on leave vacation", "X-Auto-Response-Suppress: All"],
)  # fmt: skip
def test_mail_of_a_person_is_not(header: str) -> None:
    letter = read_mail(mail("PASS", header))
    assert not letter.is_automatic
    assert letter.automatic_reason == ""
    assert letter.lines == ["PASS"]


def test_bounces_vacation_and_null_sender() -> None:
    assert read_mail(SAMPLES["bounce"]).is_automatic
    without_headers = SAMPLES["bounce"].replace(b"Return-Path: <>\n", b"").replace(b"Auto-Submitted", b"X-No")
    assert read_mail(without_headers).automatic_reason == "a report (multipart/report)"
    assert read_mail(SAMPLES["vacation"]).is_automatic
    assert read_mail(mail("PASS"), envelope_from="").automatic_reason == "null sender"
    assert read_mail(mail("PASS"), envelope_from="<>").is_automatic
    assert not read_mail(mail("PASS"), envelope_from="player@example.com").is_automatic


# --- the same mail


def test_the_same_mail_has_the_same_key() -> None:
    raw = mail("PASS", "Date: Tue, 04 Mar 2025 10:00:00 +0000")
    key = read_mail(raw).content_key
    assert len(key) == 64
    assert read_mail(b"Received: from a by b\r\nDelivered-To: x@example.com\r\n" + raw).content_key == key
    assert read_mail(raw.replace(b"\r\n", b"\n")).content_key == key
    assert read_mail(raw.replace(b"player@", b"other@")).content_key == key  # the seat is compared, not the sender
    assert read_mail(raw.replace(b"Tue, 04", b"Wed, 05")).content_key == key
    assert read_mail(raw.replace(b"PASS", b"FIGHT")).content_key != key
    assert read_mail(raw.replace(b"<m@", b"<n@")).content_key != key


def test_without_message_id_content_and_date_count() -> None:
    raw = mail("PASS", "Date: Tue, 04 Mar 2025 10:00:00 +0000").replace(b"Message-ID: <m@example.com>\r\n", b"")
    key = read_mail(raw).content_key
    assert read_mail(raw).message_id is None
    assert read_mail(raw).content_key == key
    assert read_mail(raw.replace(b"Tue, 04", b"Wed, 05")).content_key != key
    assert read_mail(raw.replace(b"PASS", b"FIGHT")).content_key != key


# --- never an exception


def check(raw: bytes) -> None:
    letter = read_mail(raw)
    assert all(line == line.strip() and len(line.splitlines()) <= 1 for line in letter.lines)
    assert not letter.lines or (letter.lines[0] and letter.lines[-1])  # blank lines stand between paragraphs only
    assert letter.is_automatic == bool(letter.automatic_reason)
    assert letter.content_key == read_mail(raw).content_key
    assert "\0" not in letter.full_text
    "\n".join(
        [letter.full_text, *letter.lines, letter.subject, letter.sender, *letter.references, *letter.problems]
    ).encode("utf-8")


NO_DEADLINE = settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])


@NO_DEADLINE
@given(st.binary(max_size=3000))
def test_random_bytes_never_raise(raw: bytes) -> None:
    check(raw)


@NO_DEADLINE
@given(
    st.sampled_from(sorted(SAMPLES)),
    st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 40), st.binary(max_size=12)), min_size=1, max_size=12),
)
def test_mutated_samples_never_raise(sample: str, changes: list[tuple[int, int, bytes]]) -> None:
    raw = SAMPLES[sample]
    for position, length, replacement in changes:
        raw = raw[:position] + replacement + raw[position + length :]
    check(raw)


FIELDS = ["From", "To", "Subject", "Date", "Message-ID", "References", "Content-Type", "Content-Transfer-Encoding",
          "Content-Disposition", "Auto-Submitted", "Precedence", "Return-Path"]  # fmt: skip
PIECES = st.sampled_from(
    ["text/plain", "text/html", "multipart/mixed", "multipart/report", "message/rfc822", "; ", "boundary=", "charset=",
     "charset*0*=", "utf-8''%ff", '"', "(", ")", "<", ">", "@", "=?utf-8?q?", "?=", "=?x?b?=", "format=flowed",
     "base64", "quoted-printable", "uuencode", "\r\n ", "é", "\udcff", "2025", "Tue, 99 Foo", ",", ":",
     "\\", "utf-16", "idna"]
)  # fmt: skip


@NO_DEADLINE
@given(
    st.lists(st.tuples(st.sampled_from(FIELDS), st.lists(PIECES, max_size=8).map("".join)), max_size=6),
    st.one_of(st.binary(max_size=300), st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass"))),
)
def test_strange_headers_never_raise(fields: list[tuple[str, str]], body: bytes) -> None:
    head = "".join(f"{name}: {value}\r\n" for name, value in fields).encode("utf-8", "surrogateescape")
    check(head + b"\r\n" + body)


@NO_DEADLINE
@given(st.text(alphabet=st.sampled_from("> \n-:@<abON2025wrote\t\u00a0\u200b"), max_size=400))
def test_no_quoted_line_is_ever_an_order(text: str) -> None:
    quoted = {normalise_line(line) for line in text.splitlines() if normalise_line(line).startswith(">")}
    assert not quoted & set(lines(text))


@pytest.mark.parametrize(
    ("line", "is_order"),
    [
        ("Pour france : PASS", True), ("Для france: если won PASS", True), ("Si intercepted PASS", True),
        ("Ensuite", True), ("Pour info : je pars demain", False), ("Для справки: я уезжаю", False),
        ("Si tu veux, on en parle", False), ("Ensuite je pars", False),
    ],
)  # fmt: skip
def test_steps_of_programs_are_told_from_prose_in_every_language(line, is_order):
    assert begins_order(line) is is_order


# --- lines as people write them


@pytest.mark.parametrize(
    ("body", "orders"),
    [
        ("Hi all,\n\nI bid 3 A France B Spain\n\nCheers,\nBob\n", ["I bid 3 A France B Spain"]),
        ("Bonjour,\n\nje mise 3 A France B Espagne\n\nCordialement,\nJean\n", ["je mise 3 A France B Espagne"]),
        ("Привет!\n\nставлю 3 А Франция Б Испания\n\nС уважением,\nИван\n", ["ставлю 3 А Франция Б Испания"]),
        ("Salut,\n\nBUY banque\n- j'attaque Hanovre\n\nJean\n", ["BUY banque", "j'attaque Hanovre"]),
        ("Hi,\nI attack Hanover\nBUY banking\n\nBob\n", ["I attack Hanover", "BUY banking"]),
        ("Yes please\n\nBob\n", ["Yes please"]),
        ("Sure, I accept!\n\nBob\n", ["Sure, I accept!"]),
        ("Да, согласен!\n\nИван\n", ["Да, согласен!"]),
        ("I hope you are well.\nI play at night.\n\nBUY banking\n\nBob\n", ["BUY banking"]),
    ],
)
def test_an_order_as_people_write_it_stands_among_their_other_lines(body: str, orders: list[str]) -> None:
    assert lines(body) == orders


@pytest.mark.parametrize(
    "after",
    ["Just kidding!", "No wait, don't do that", "Forget it.", "Non, attends", "Je plaisante !", "Шучу", "не надо"],
)
def test_what_takes_an_order_back_below_it_is_never_left_out(after: str) -> None:
    assert normalise_line(after) in lines(f"BUY banking\n\n{after}\n\nBob\n")


def test_a_long_letter_is_not_looked_through_for_orders_as_people_write_them() -> None:
    body = "\n".join(f"I move {n} things from here to there and build {n} of them" for n in range(2_000))
    assert spent.seconds(lambda: lines(body), enough=5) < 5


@pytest.mark.parametrize(
    "body",
    [
        "On Monday 1 June 2026, 10:00, Otto <otto@example.com> wrote:\n> I attack Hanover\n> j'attaque Hanovre\n",
        "See you on Sunday!\n-- \nI attack Hanover\nBob\n",
        "I read what you sent:\n\n> ставлю 3 А Франция Б Испания\n\nand I do not like it.\n",
        "Bonjour,\n\nje n'attaque pas Hanovre\n\nJean\n",
        "Hi Otto,\n\nshould I attack Hanover? I might attack Hanover later.\n\nBob\n",
        "Привет,\n\nОтто атакует Ганновер, а я не атакую Ганновер\n\nИван\n",
    ],
)
def test_what_others_wrote_and_what_is_only_talk_is_no_order_of_the_sender(body: str) -> None:
    kit, kinds = load_kit("struggle_of_empires"), list(find_game("struggle_of_empires").orders)
    assert not any(loose.read(kinds, line, kit) for line in lines(body))


@pytest.mark.parametrize(
    "closing",
    [
        "À bientôt", "Bien à toi,", "Cordialement", "Bises", "À plus tard !", "С уважением,", "До встречи", "Пока!",
        "See you soon", "Cheers",
    ],
)
@pytest.mark.parametrize("line", ["Terminé pour les ottomans", "Je fais quelque chose de bizarre ici", "DONE"])
def test_a_closing_is_left_out_below_whatever_its_writer_meant(line: str, closing: str) -> None:
    letter = read_mail(mail(f"{line}\n\n{closing}\nAnne-Marie\n"))
    assert letter.lines == [line] and letter.left_out == [closing, "Anne-Marie"]


def test_what_may_be_meant_below_a_closing_is_not_left_out() -> None:
    said = ["Merci", "Je fais quelque chose de bizarre ici"]
    assert lines("\n".join(said)) == said
    assert lines("\n".join(["Bonjour à toi", *said])) == said
    assert lines("Cheers") == ["Cheers"]


@pytest.mark.parametrize("kind", ["parts", "lines", "header lines"])
def test_what_costs_much_to_parse_is_counted_first_and_told(kind):
    raw = {
        "parts": b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + b"--b\r\n\r\nPASS\r\n" * 50_000,
        "lines": b"\r\n" + b"PASS\r\n" * 200_000,
        "header lines": b"X-Way: here\r\n" * 100_000 + b"\r\nPASS\r\n",
    }[kind]
    letter, seconds = timed(HEAD + raw)
    assert seconds < 0.3
    assert letter.problems == ["The mail has too many lines or parts and was not read."] and not letter.lines
    assert letter.sender


def test_a_game_whose_kit_cannot_be_read_takes_no_words_from_the_others(monkeypatch):
    monkeypatch.setattr("pbem.mail.orderlike.game_ids", lambda: ["a_game_without_a_kit", *game_ids()])
    games = {"a_game_without_a_kit": toy.GAME}
    monkeypatch.setattr("pbem.mail.orderlike.find_game", lambda id: games.get(id) or find_game(id))
    assert may_be_order("разворачиваю всё что есть") and may_be_order("объявляю 1 чепуху с Никем")
    assert not may_be_order("здравствуйте дорогие друзья")


def test_what_a_line_may_mean_is_tried_by_the_game_that_is_played_where_that_is_known():
    text = "England expects every man to do his duty. To battle!"
    assert written_lines(text, game="here_i_stand").lines == text.replace("duty. ", "duty.\n").splitlines()
    assert written_lines(text).lines == written_lines(text, game="here_i_stand").lines
    assert written_lines(text, game="struggle_of_empires").lines == [text]  # a game without the order BATTLE
    with of_game("struggle_of_empires"):
        assert not makes_sense("To battle!")
    assert makes_sense("To battle!")
