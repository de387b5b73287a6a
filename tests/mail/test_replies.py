"""Replies as people's programs write them: understood, and nothing quoted is ever read."""

from __future__ import annotations

import random

import pytest

from pbem.campaign.commands import read_lines
from pbem.games import find_game
from pbem.mail.markup import MARKER_WORDS, REPLY_MARKER
from pbem.mail.parse import read_mail
from pbem.render.language import find_language
from pbem.table.kit import load_kit
from tests.mail import replies as written_replies
from tests.mail.replies import ONE, PROGRAMS, QUOTED, SENDER, TOKEN, TONGUES, as_mail, replies, words
from tests.mail.test_parse import lines, mail
from tests.spent import seconds

SHARE = 0.02
"""Of all programs, languages and forms; each run tries others than a whole run with the same seed would."""

ENGLISH = words(TONGUES["en"])
QUOTED_ORDERS = {line.strip() for line in QUOTED.splitlines() if line[:3] in ("PLA", "BID", "PAS")}


def test_nearly_all_replies_are_understood_and_the_others_are_not_misread() -> None:
    tried = list(replies(seed=7, share=SHARE))
    wrong = {name: read_mail(raw, SENDER).lines for name, raw, expected in tried if read_mail(raw).lines != expected}
    assert len(tried) > 500
    assert len(wrong) <= 0.01 * len(tried), wrong


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_is_understood_in_english_in_all_forms(program: str) -> None:
    chance = random.Random(program)
    for form, (text, expected) in ENGLISH.items():
        assert read_mail(as_mail(PROGRAMS[program](text, TONGUES["en"]), chance)).lines == expected, form


@pytest.mark.parametrize("language", TONGUES)
def test_no_secret_address_and_no_quoted_line_is_read_in_a_language(language: str) -> None:
    chance = random.Random(language)
    tongue = TONGUES[language]
    for program, made in PROGRAMS.items():
        for text in ("PRESS TO france: shall we ally?", "", "STATUS"):
            read = read_mail(as_mail(made(text, tongue), chance), SENDER).lines
            assert TOKEN not in "".join(read), program
            assert not QUOTED_ORDERS & set(read), program
            assert not any("wrote" in line or "Unrest" in line for line in read), program


@pytest.mark.parametrize("language", ["fr", "ru"])
def test_what_quotes_a_mail_of_ones_own_language_is_understood(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = f"-- {find_language(language).text(MARKER_WORDS)} --"
    assert marker != REPLY_MARKER
    monkeypatch.setattr(written_replies, "QUOTED", QUOTED.replace(REPLY_MARKER, marker))
    chance, tongue = random.Random(language), TONGUES[language]
    wrong = {
        (program, form): expected
        for program, made in PROGRAMS.items() for form, (text, expected) in words(tongue).items()
        if form in ("plain", "two", "closing")
        and read_mail(as_mail(made(text, tongue), chance), SENDER).lines != expected
    }  # fmt: skip
    assert not wrong


def test_damage_makes_no_quoted_line_an_order() -> None:
    """Lines lost, doubled, exchanged and cut: whatever is read was written by the player, above or apart."""
    chance = random.Random(11)
    for name, raw, _ in replies(seed=5, share=0.01):
        form = name.split("-", 2)[2]
        if form in ("two", "both", "long two", "list", "numbers", "full width", "signature") or "bottom" in name:
            continue  # PASS is the player's own there; below a quotation an unmarked line is an answer
        if "inline" in name or b"base64" in raw:
            continue
        rows = raw.split(b"\r\n")
        body = rows.index(b"") + 1
        for _ in range(3):
            damaged = list(rows)
            for _ in range(chance.randint(1, 3)):
                at = chance.randrange(body, len(damaged))
                match chance.randrange(3):
                    case 0 if b"above this" not in damaged[at] and b"wrote" not in damaged[at]:
                        damaged[at] = damaged[at][: chance.randrange(len(damaged[at]) + 1)] + b" "
                    case 1:
                        damaged.insert(at, damaged[at])
                    case _:
                        damaged.append(damaged[at])
            read = read_mail(b"\r\n".join(damaged), SENDER)
            assert not {"PLACE fort AT baltic", "BID 4 A austria"} & set(read.lines), name


# --- one by one


@pytest.mark.parametrize(
    "block",
    [
        "От: Game <g@pbem.example>\nДата: 28 ноября 2026 г.\nКому: me",
        "发件人: Game <g@pbem.example>\n发送时间: 2026年11月28日 7:39\n收件人: me",
        "Van: Game\nVerzonden: zaterdag 28 november 2026\nAan: me",
        "Od: Game\nWysłano: sobota, 28 listopada 2026\nDo: me",
        "Nork: Game <g@pbem.example>\nBidalia: 2026-11-28\nNori: me",
        "Qui: Game <g@pbem.example>\nQuando: 28.11.2026\nQuid: me",
        "*From:* Game <g@pbem.example>\n*Date:* 28 Nov 2026",
        "From: Game\n<g@pbem.example>\nDate: 28 Nov 2026",
    ],
)
def test_a_message_ends_at_a_block_of_headers_in_any_language(block: str) -> None:
    body = f"PRESS TO france: shall we ally?\n\n{block}\n\nBUY quoted_order\n"
    assert lines(body) == ["PRESS TO france: shall we ally?"]
    assert lines(f"{block}\n\nBUY quoted_order\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "PRESS TO france: my plan:\nTurn 1: we meet at 10:30\nTurn 2: peace\nthen: war",
        "PRESS TO france: From: here\nto: there",
        "PRESS TO france: you said in 2026:\nnever again",
        "PRESS TO france: - PASS\n- PLACE army AT india\nwhat of that?",
        "PRESS TO france: I call from my phone.\nAnna",
    ],
)
def test_a_message_is_kept_as_it_was_written(text: str) -> None:
    assert lines(text) == text.splitlines()


@pytest.mark.parametrize("line", ["Plaec army AT india", "army FROM india TO baltic", "place Army at india", "PLACE"])
def test_what_resembles_an_order_is_never_left_out(line: str) -> None:
    assert lines(f"{ONE}\n\n{line}\n\nAnna") == [ONE, line]
    assert lines(f"{line}\n\n{ONE}") == [line, ONE]


@pytest.mark.parametrize(
    "line", ["John", "John Smith", "Will", "Joan of Arc", "See you on Monday!", "---8<---", "+44 1 2"]
)
def test_what_cannot_be_an_order_is_left_out_and_told(line: str) -> None:
    letter = read_mail(mail(f"{ONE}\n\n{line}\n\n> PASS\n"))
    assert letter.lines == [ONE]
    assert letter.left_out == [line] or line.startswith("---")


def test_what_stands_between_orders_is_not_left_out() -> None:
    assert lines(f"{ONE}\nand now for something else\nPASS") == [ONE, "and now for something else", "PASS"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("MOVE navy FROM north_america\nTO india", ["MOVE navy FROM north_america TO india"]),
        ("MOVE navy FROM baltic TO india,\narmy FROM baltic TO india",
         ["MOVE navy FROM baltic TO india, army FROM baltic TO india"]),
        ("PASS\nPASS", ["PASS", "PASS"]),
        ("PLACE army AT india\nJohn", ["PLACE army AT india"]),
        ("PLACE army AT\nindia\nJohn", ["PLACE army AT india"]),
        ("“PLACE army AT india”\n", [ONE]),
        ("**PLACE** army AT *india*", [ONE]),
        ("1) PLACE army AT india\n2) PASS", [ONE, "PASS"]),
        ("• PLACE army AT india", [ONE]),
        ("-> PLACE army AT india\n=> PASS", [ONE, "PASS"]),
        ("→ PLACE army AT india\n✓ PASS", [ONE, "PASS"]),
        ("o   PLACE army AT india\n§  PASS", [ONE, "PASS"]),
        ("ＰＡＳＳ", ["PASS"]),
    ],
)  # fmt: skip
def test_an_order_is_read_as_it_was_meant(written: str, read: list[str]) -> None:
    assert lines(written) == read


def test_a_nul_in_the_quotation_harms_nobody() -> None:
    assert lines("PASS\n\n> a\0b\n> c\n") == ["PASS"]
    assert lines("PA\0SS\n\n> c\n") == []


def test_an_encrypted_mail_is_answered_so() -> None:
    letter = read_mail(mail("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n"))
    assert letter.lines == [] and "encrypted" in letter.problems[0]


def test_orders_written_into_a_signature_of_html_are_read() -> None:
    body = "<div>PASS</div><div class='gmail_signature'>PLACE army AT india</div>"
    assert lines(body, "Content-Type: text/html; charset=utf-8") == ["PASS", ONE]


def both(text: str, html: str) -> list[str]:
    """What is read of a text with HTML beside it."""
    parts = f"--b\nContent-Type: text/plain\n\n{text}\n--b\nContent-Type: text/html\n\n{html}\n--b--\n"
    return lines(parts, "Content-Type: multipart/alternative; boundary=b")


@pytest.mark.parametrize(
    ("written", "below"), [("PLACE army AT india", "PASS"), ("PRESS TO france: shall we ally?", "PLACE army AT india")]
)
def test_html_says_where_a_text_runs_together(written: str, below: str) -> None:
    device, quoted = "<div id='composer_signature'>Sent from my Galaxy</div>", "<div>----- Original message -----</div>"
    glued = f"{written}{below}Sent from my Galaxy\n----- Original message -----From: Game <g@pbem.example>"
    html = f"<div>{written}</div><div>{below}</div>{device}{quoted}<div>BUY quoted</div>"
    assert both(glued, html) == [written, below]


@pytest.mark.parametrize(
    "line",
    [
        "p1@players.example", "<p1@players.example>", "mailto:p1@players.example",
        "<https://www.avast.example/sig-email?utm_medium=email> Virus-free.",
    ],
)  # fmt: skip
def test_an_address_or_a_scanners_notice_is_no_part_of_a_message(line: str) -> None:
    assert lines(f"PRESS TO france: shall we ally?\n\n{line}\n\n> quoted") == ["PRESS TO france: shall we ally?"]


def test_html_says_where_the_text_was_wrapped_and_what_is_quoted() -> None:
    long = "PRESS TO france: what do you say"
    assert both("MOVE navy FROM baltic TO the far\nindia", "<p>MOVE navy FROM baltic TO the far india</p>") == [
        "MOVE navy FROM baltic TO the far india"
    ]
    quoted = "<div id='divRplyFwdMsg'>Xyz</div>"
    assert both(f"{long}\n\nXyz Game\nabc", f"<p>{long}</p>{quoted}") == [long]
    assert both("This mail holds HTML only.", "<p>PASS</p>") == ["PASS"]
    assert both("> quoted\n", "<p>PASS</p>") == []


@pytest.mark.parametrize(
    "text",
    [
        "Please do NOT\nPLACE army AT india\nyet.",
        "Yesterday I sent:\nPLACE army AT india\nbut it was refused. Why?",
        "May I write\nPLACE army AT india\n?",
        "Ich will nicht\nPLACE army AT india",
        "Je ne veux pas\nPLACE army AT india",
        "Shall I\nPASS\nor wait?",
    ],
)
def test_an_order_within_a_sentence_that_takes_it_back_or_asks_is_not_left_alone(text: str) -> None:
    assert [line for line in lines(text) if line not in (ONE, "PASS")], "so that its sender is asked"


@pytest.mark.parametrize("below", ["PASS", "PLACE army AT baltic", "MOVE navy FROM north_america TO india"])
@pytest.mark.parametrize("first", [ONE, "PRESS TO france: hello"])
def test_no_closing_hides_an_order_below_it(first: str, below: str) -> None:
    assert below in lines(f"{first}\n\nBest,\nAnna\n{below}")
    assert lines(f"{first}\n\nBest,\nAnna\nMove fast and break things") == [first]


@pytest.mark.parametrize("end", ["-----", "________________", "-- ", "--", "END", "* * * * *"])
def test_an_order_below_the_end_of_the_letter_is_told(end: str) -> None:
    told = "below the end of the letter"
    letter = read_mail(mail(f"{ONE}\n{end}\nAnna\nPASS\n\n> quoted"))
    assert letter.lines == [ONE] and told in " ".join(letter.problems)
    for rest in ("Anna\n\n> PASS", QUOTED, f"From: Game <g@pbem.example>\nDate: 28 Nov 2026\nTo: me\n\n{QUOTED}"):
        assert told not in " ".join(read_mail(mail(f"{ONE}\n{end}\n{rest}")).problems)


@pytest.mark.parametrize("line", ["SET TIMEZONE Europe/Paris", "SET WEBHOOK https://example.org/x", "BID 3 A austria"])
def test_a_name_is_no_part_of_the_line_above_it(line: str) -> None:
    for name in ("Anna", "A. Miller", "B", "Anna Smith"):
        assert lines(f"{line}\n{name}") == [line]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("PASS!", ["PASS"]), ("-PASS", ["PASS"]), ("1.PLACE army AT india\n2.PASS", [ONE, "PASS"]),
        (f"{ONE}\n\nNo rush!\nAnna", [ONE]), ("SALT why not\nPASS", ["SALT why not", "PASS"]),
    ],
)  # fmt: skip
def test_what_people_add_to_an_order_harms_it_not(written: str, read: list[str]) -> None:
    assert lines(written) == read


def test_a_line_that_is_not_read_below_a_quotation_is_told() -> None:
    letter = read_mail(mail("PRESS TO france: you said\n> I pass\nand I agree\n"))
    assert letter.lines == ["PRESS TO france: you said"]
    assert "Text below a quotation was not read" in " ".join(letter.problems)


@pytest.mark.parametrize(
    "hidden",
    [
        "<s>PASS</s>", "<del>PASS</del>", "<strike>PASS</strike>", "<p style='text-decoration: line-through'>PASS</p>",
        "<p style='mso-hide:all'>PASS</p>", "<p style='font-size:0px'>PASS</p>", "<p style='opacity:0'>PASS</p>",
        "<p style='max-height:0;overflow:hidden'>PASS</p>",
    ],
)  # fmt: skip
def test_what_is_struck_out_or_not_to_be_seen_is_not_read(hidden: str) -> None:
    kind = "Content-Type: text/html; charset=utf-8"
    assert lines(f"<div>{hidden}</div><p style='font-size:0.9em;opacity:0.8'>PLACE army AT india</p>", kind) == [ONE]


def test_a_block_that_is_only_indented_is_no_quotation() -> None:
    kind = "Content-Type: text/html; charset=utf-8"
    style = "margin: 0 0 0 40px; border: none; padding: 0px;"
    indented = f"<blockquote style='{style}'><div>PLACE army AT india</div></blockquote>"
    assert lines(f"<div>{indented}</div><blockquote class='gmail_quote'>PASS</blockquote>", kind) == [ONE]
    assert lines(f"<div>{indented}</div><div class='quote'>PASS</div>", kind) == [ONE]
    assert lines("<blockquote style='border-left:1px solid'>PASS</blockquote>", kind) == []


@pytest.mark.parametrize(
    "body",
    [
        "".join(f"PASS a{n}!\n" for n in range(3_000)),
        "cheers\n" + "PASS\n" * 3_000 + "cheers\nPASS\n" * 3_000,
        "".join(f"A{n}: b\n" for n in range(6_000)),
        "> x\nPASS\n\n" * 8_000,
        "On 1.1.2026 x wrote:\n> x\n\n" * 4_000,
        "PASS\n-----\n" + "".join(f"PLACE army AT x{n}\n" for n in range(8_000)),
        "<p style='" + "text-decoration:" * 15_000 + "'>PASS</p>",
        "<p style='" + "border-top:" * 15_000 + "'>PASS</p>",
    ],
    ids=lambda body: body[:12],
)
def test_no_mail_takes_long_to_read(body: str) -> None:
    kind = ["Content-Type: text/html; charset=utf-8"] if body.startswith("<p") else []
    raw = mail(body, *kind)
    assert seconds(lambda: read_mail(raw), enough=4) < 4


@pytest.mark.parametrize("line", ["PLACE army AT india?", "BID 3 A austria ?", "PASS?"])
def test_what_ends_with_a_question_mark_is_not_carried_out(line: str) -> None:
    kit, kinds = load_kit("struggle_of_empires"), list(find_game("struggle_of_empires").orders)
    (read,) = read_lines(kinds, lines(line), kit)
    assert read.order is None and read.problem is not None
    (said,) = read_lines(kinds, ["PRESS TO france: shall we?"], kit)
    assert said.problem is None
