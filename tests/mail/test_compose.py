"""Mails as their readers get them: every kind, both languages, hostile names, and what mail programs need."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from jinja2 import ChoiceLoader, DictLoader
from markupsafe import Markup

from pbem import resources
from pbem.campaign import messages, outbox, readmodels
from pbem.campaign.messages import KINDS, MessageKind
from pbem.campaign.service import Service
from pbem.campaign.verify import heads_from_mails
from pbem.mail.compose import (
    Answered,
    Ask,
    BadAddress,
    Line,
    Mail,
    Part,
    Told,
    _environment,
    _fold,
    check_address,
    compose,
    render,
)
from pbem.mail.contents import gather
from pbem.mail.markup import MARKER_WORDS
from pbem.mail.parse import read_mail
from pbem.render.board_text import board_text
from pbem.render.happenings import changed_places, title
from pbem.render.language import find_language, find_zone, languages
from pbem.render.narrative import Paragraph, Teller
from tests.mail.conftest import DOMAIN, POWERS, Game, html_of, new_game, text_of
from tests.spent import seconds

NOW = datetime(2025, 11, 26, 9, 30, tzinfo=UTC)
TOKEN = "abcdefghijklmnopqrstuvwxyz234567"
EVIL = "<script>alert(1)</script>{{ 7*7 }}\r\nBcc: victim@example.org\r\n\r\n\u202e\u0007</body>"


def told(event: int = 17) -> list[Told]:
    words = "France builds an army. Crossing: 4 ⚃."
    html = Markup("<strong>France</strong> builds an army. Crossing: <strong>4</strong> ⚃.")
    return [Told(event, "Event 17: France", [Paragraph("built", words, html, [0], ["2, actions"])])]


def ask(**more: Any) -> Ask:
    usual = Ask(
        "action", "Your action", "War 1, round 2.", "France", "2, actions", ["BUY <tile>", "PASS"],
        ["PASS", "BUY army_training"], "BUY …", NOW + timedelta(hours=53),
    )  # fmt: skip
    return replace(usual, **more)


def part(kind: str) -> Part:
    """A part of a kind with everything that its template may show."""
    line = Line("BUILD ship AT indai", "unreadable", "Not understood", None, "there is no unit “ship”", "2", ["navy"])
    good = Line("PASS", "accepted", "Accepted", "PASS", paragraphs=told()[0].paragraphs, text="one\ntwo")
    answer = Answered(False, [line, good], "Nothing was carried out.", ["PASS"]) if kind == "answer" else None
    data = {"reason": "because", "until": "2025-11-28T09:00:00+00:00", "to": 12, "seat": "seat2", "held": True}
    data |= {"link": "https://pbem.example/new"}
    data |= {"event": 5, "error": "ValueError", "sender": "daemon@example.org", "subject": "<b>Returned</b>"}
    data |= {"number": 1, "since": data["until"], "ways": {"imap": "", "smtp": data["until"]}, "campaigns": ["winter"]}
    return Part(
        kind, data, told(), answer, ["Spain"], ["PASS"], "Spain", "spain", ["France"], "Let us\n> be friends",
        [{"place": 1, "power": "France", "points": 42, "notes": ["least unrest"]}],
    )  # fmt: skip


def mail(*kinds: str, **more: Any) -> Mail:
    usual = Mail(
        campaign="winter", title="Winter", game="Struggle of Empires", name="Anna", address="anna@example.org",
        sender=f"winter@{DOMAIN}", reply_to=f"winter+{TOKEN}@{DOMAIN}", message_id=f"<winter.17.report.seat1@{DOMAIN}>",
        parts=[part(kind) for kind in kinds or ("report",)], zone=find_zone("Europe/Paris"), now=NOW,
        powers=["France"], waiting_for=["Spain"], deadline=NOW + timedelta(hours=5), event=17, head="ab" * 32,
        dice=[{"tree": 0, "size": 4096, "root": "cd" * 32}], scenario="Standard game", seats=3,
        players=[{"powers": ["France"], "name": "Anna"}], board_text="THE BOARD",
        list_id="winter <winter.pbem.example>",
        link="https://pbem.example/c/winter/enter/secret",
    )  # fmt: skip
    return replace(usual, **more)


def parsed(message: EmailMessage) -> EmailMessage:
    return message_from_bytes(message.as_bytes(), policy=policy.default)  # type: ignore[return-value]


# --- every kind, both languages --------------------------------------------------------------------------------------


def test_every_kind_of_message_has_its_templates() -> None:
    folder = resources.path("templates/mail")
    assert [(k, form) for k in KINDS for form in ("txt", "html") if not (folder / f"{k}.{form}.j2").exists()] == []
    source = inspect.getsource(readmodels)
    intended = {kind.name for kind in KINDS.values() if kind.follows} | set(messages.asking())
    intended |= set(re.findall(r'self\._add\(news, event, "(\w+)"', source))
    assert len(intended) > 15 and intended <= set(KINDS)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("for_moderator", [False, True])
def test_every_kind_can_be_read(kind: str, language: str, for_moderator: bool) -> None:
    subject, text, html = render(mail(kind, language=language, asks=[ask()], for_moderator=for_moderator))
    assert subject and "\n" not in subject
    for words in (text, html):
        assert "{{" not in words and "%(" not in words and "None" not in words and "Undefined" not in words
    assert text.startswith(f"-- {find_language(language).text(MARKER_WORDS)} --\n")
    assert max(len(line) for line in text.splitlines()) <= 78
    page = lxml.html.document_fromstring(html)
    assert page.get("lang") == language
    assert len(page.xpath("//h1")) == 1
    assert page.xpath("//title")[0].text


def test_kept_orders_stand_each_on_a_line_of_its_own_in_html() -> None:
    kept = part("answer")
    assert kept.answer is not None
    kept.answer.queued = ["MOVE ALL FROM metz TO paris", "END IMPULSE", "END IMPULSE"]
    made = mail("answer")
    made.parts = [kept]
    html = render(made)[2]
    assert "paris\nEND IMPULSE\nEND IMPULSE</pre>" in html


def _marked() -> set[Any]:
    """Every sentence of the mails that is to be translated."""
    found: set[Any] = set()
    options = {"extensions": "jinja2.ext.i18n", "trim_blocks": "true", "lstrip_blocks": "true"}
    for file in resources.path("templates/mail").glob("*.j2"):
        found |= {entry[1] for entry in extract_from_file("jinja2.ext:babel_extract", file, options=options)}
    for name in ("mail/compose.py", "mail/contents.py", "render/language.py", "render/own.py"):
        keywords = {"text": None, "plural": (1, 2)}
        found |= {entry[1] for entry in extract_from_file("python", resources.PACKAGE / name, keywords=keywords)}
    taking = resources.PACKAGE / "campaign/taking.py"  # the notes of answers are put into words when a mail is composed
    found |= {entry[1] for entry in extract_from_file("python", taking, keywords={"_answer": None})}
    for name in ("asked", "commanding", "life", "programs", "standing", "taking"):
        file = resources.PACKAGE / f"campaign/{name}.py"
        found |= {entry[1] for entry in extract_from_file("python", file, keywords={"say": None})}
    titles = resources.PACKAGE / "render/happenings.py"
    found |= {entry[1] for entry in extract_from_file("python", titles, keywords={"_": None})}
    policy = resources.PACKAGE / "campaign/policy.py"
    found |= {entry[1] for entry in extract_from_file("python", policy, keywords={"_": None})}
    return {entry for entry in found if entry}


@pytest.mark.parametrize("language", [code for code in languages() if code != "en"])
def test_a_language_has_every_sentence(language: str) -> None:
    with resources.path(f"templates/locale/{language}.po").open("rb") as file:
        catalogue = read_po(file)
    marked = _marked()
    assert len(marked) > 100
    for sentence in marked:
        entry = catalogue.get(sentence if isinstance(sentence, str) else sentence[0])
        assert entry is not None, f"{language} lacks {sentence!r}"
        translations = [entry.string] if isinstance(entry.string, str) else list(entry.string)
        originals = [sentence] if isinstance(sentence, str) else list(sentence)
        assert all(translations), f"{language} does not translate {sentence!r}"
        for translation in translations:
            places = set(re.findall(r"%\((\w+)\)", translation))
            assert places <= {p for o in originals for p in re.findall(r"%\((\w+)\)", o)} | {"num"}


def test_dates_spans_and_lists_follow_the_reader() -> None:
    english, french = find_language("en"), find_language("fr-CA")
    paris = find_zone("Europe/Paris")
    assert english.moment(NOW, paris) == "Wednesday 26 November 2025, 10:30 (Europe/Paris)"
    assert french.moment(NOW, paris) == "mercredi 26 novembre 2025 à 10:30 (Europe/Paris)"
    assert english.moment(NOW, find_zone("Not/A_Zone")).endswith("09:30 (UTC)")
    assert english.span(timedelta(hours=53)) == "2 days and 5 hours"
    assert french.span(timedelta(hours=25)) == "1 jour et 1 heure"
    assert english.span(timedelta(minutes=61)) == "1 hour and 1 minute"
    assert english.span(timedelta(seconds=5)) == english.span(timedelta(hours=-3)) == "no time"
    assert find_language("xx").code == "en" and find_language(None).code == "en"
    russian = find_language("ru")
    assert russian.moment(NOW, paris) == "26 ноября 2025 г., среда, 10:30 (Europe/Paris)"
    assert [russian.span(timedelta(days=days)) for days in (1, 2, 5, 21)] == ["1 день", "2 дня", "5 дней", "21 день"]
    assert french.listed(["a", "b", "c"]) == "a, b et c" and english.listed([]) == ""


# --- what mail programs and people need ------------------------------------------------------------------------------


def test_headers() -> None:
    made = parsed(compose(mail(references=["<a@b>"], in_reply_to="<c@d>")))
    assert made["Message-ID"] == f"<winter.17.report.seat1@{DOMAIN}>"
    assert made["In-Reply-To"] == "<c@d>" and made["References"] == "<a@b> <c@d>"
    assert made["Reply-To"] == f"winter+{TOKEN}@{DOMAIN}"
    assert made["List-Id"] == "winter <winter.pbem.example>"
    assert made["Auto-Submitted"] == "auto-generated"
    assert made["X-PBEM-Campaign"] == "winter" and made["X-PBEM-Event"] == "17" and made["X-PBEM-Head"] == "ab" * 32
    assert made["Date"].datetime == NOW
    assert parsed(compose(mail("answer", "report")))["Auto-Submitted"] == "auto-replied"


def test_the_verifier_reads_the_head_from_a_saved_mail(tmp_path: Path) -> None:
    file = tmp_path / "report.eml"
    file.write_bytes(compose(mail()).as_bytes())
    (head,) = heads_from_mails(file)
    assert (head.hash, head.number, head.campaign) == ("ab" * 32, 17, "winter")


def test_the_picture_stands_inside_the_mail() -> None:
    made = parsed(compose(mail(board_png=b"\x89PNG picture", board_alt="The board after event 17")))
    assert [p.get_content_type() for p in made.walk()] == [
        "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png",
    ]  # fmt: skip
    (image,) = lxml.html.document_fromstring(html_of(made)).xpath("//img")
    (png,) = [p for p in made.walk() if p.get_content_type() == "image/png"]
    assert image.get("src") == f"cid:{png['Content-ID'][1:-1]}"
    assert image.get("alt") == "The board after event 17" and image.get("width")
    assert image.getparent().get("href") == "https://pbem.example/c/winter/enter/secret"
    assert png.get_content_disposition() == "inline" and png.get_content() == b"\x89PNG picture"


@pytest.mark.parametrize("kind", KINDS)
def test_html_runs_nothing_and_loads_nothing(kind: str) -> None:
    page = lxml.html.document_fromstring(render(mail(kind, asks=[ask()], board_png=b"x"))[2])
    assert not page.xpath("//script | //iframe | //object | //embed | //form | //link | //video | //audio | //base")
    assert all(source.startswith("cid:") for source in page.xpath("//@src"))
    assert all(target.startswith(("mailto:", "https://pbem.example/")) for target in page.xpath("//@href"))
    assert not page.xpath("//@*[starts-with(name(), 'on')]")
    assert not page.xpath("//meta[@http-equiv]") and "url(" not in lxml.html.tostring(page, encoding="unicode")
    assert "@import" not in page.xpath("//style")[0].text


def test_html_can_be_read_without_eyes_or_pictures_and_at_night() -> None:
    written = mail("answer", "final", asks=[ask()], board_png=b"x", board_alt="The board")
    page = lxml.html.document_fromstring(render(written)[2])
    levels = [int(heading.tag[1]) for heading in page.xpath("//h1 | //h2 | //h3")]
    assert levels[0] == 1 and all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))
    assert all(cell.get("scope") == "col" for cell in page.xpath("//th"))
    assert all(link.text_content().strip() or link.xpath("./img/@alt") for link in page.xpath("//a"))
    assert page.xpath("//meta[@name='color-scheme']/@content") == ["light dark"]
    assert "prefers-color-scheme: dark" in page.xpath("//style")[0].text
    verdicts = [span.text for span in page.xpath("//span") if span.text in ("Accepted", "Not understood")]
    assert verdicts == ["Not understood", "Accepted"]  # said in words, not by colour alone


def _contrast(one: str, other: str) -> float:
    """The contrast of two colours as the Web Content Accessibility Guidelines measure it."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    bright, dark = sorted((light(one), light(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_words_stand_out_by_day_and_by_night() -> None:
    source = (resources.path("templates/mail") / "_style.html.j2").read_text()
    by_day = {"#2a251f", "#6d6354", "#8a1f2d", "#7a1826", "#23592f", "#9c2020", "#7d5709"}
    by_night = {"#ece5d8", "#b9ae9b", "#eaa39c", "#8fd39d", "#f29a93", "#e5bd6b"}
    for words, grounds in ((by_day, ("#efe9dd", "#fffdf8", "#f6efe2")), (by_night, ("#191714", "#26231f", "#332f29"))):
        for colour in words:
            assert colour in source
            assert min(_contrast(colour, ground) for ground in grounds) >= 4.5, colour


def test_an_example_opens_a_reply_with_the_order() -> None:
    page = lxml.html.document_fromstring(render(mail("your_move", asks=[ask()]))[2])
    links = page.xpath("//a[text()='BUY army_training']/@href")
    assert links == [
        f"mailto:winter%2B{TOKEN}@{DOMAIN}?subject=Re%3A%20%5BWinter%5D&body=BUY%20army_training%0D%0A"
    ]


def test_the_question_says_when_and_how() -> None:
    text = render(mail("your_move", asks=[ask()]))[1]
    for words in ("Your action", "War 1, round 2.", "Friday 28 November 2025, 15:30 (Europe/Paris)", "2 days and 5",
                  "BUY <tile>", "BUY army_training", "BUY …", "2, actions"):  # fmt: skip
        assert words in text
    assert "without a time limit" in render(mail("your_move", asks=[ask(deadline=None)]))[1]


@pytest.mark.parametrize("quoted", ["> {}", "{}"])
def test_a_reply_to_our_mail_gives_back_the_orders_alone(quoted: str) -> None:
    for language in languages():
        text = render(mail("answer", "press", "your_move", "report", language=language, asks=[ask()]))[1]
        body = "BUY army_training\n\n" + "\n".join(quoted.format(line) for line in text.splitlines())
        reply = EmailMessage()
        reply["From"], reply["Message-ID"] = "anna@example.org", "<1@example.org>"
        reply.set_content(body, cte="8bit")
        assert read_mail(reply.as_bytes()).lines == ["BUY army_training"]
        assert read_mail(reply.as_bytes()[: reply.as_bytes().index(b"BUY")] + b"\n" + text.encode()).lines == []


# --- hostile players -------------------------------------------------------------------------------------------------


def hostile() -> Mail:
    evil_part = Part(
        "press", {"reason": EVIL, "seat": EVIL}, told(), None, [EVIL], [EVIL], EVIL, EVIL, [EVIL], EVIL, []
    )
    answer = Answered(False, [Line(EVIL, "refused", "Refused", EVIL, EVIL, EVIL, [EVIL], [], EVIL)], EVIL, [EVIL])
    return mail(
        title=EVIL, name=EVIL, game="G", scenario=EVIL, powers=[EVIL], waiting_for=[EVIL],
        parts=[Part("answer", answer=answer), evil_part, Part("ruling", {"reason": EVIL}), Part("invitation")],
        asks=[ask(title=EVIL, text=EVIL, usages=[EVIL], examples=[EVIL], template=EVIL, power=EVIL, section=EVIL)],
        players=[{"powers": [EVIL], "name": EVIL}], in_reply_to=f"<x>{EVIL}", references=[EVIL, "<ok@ok>"],
        list_id=f"{EVIL} <x.y>", campaign=EVIL, board_alt=EVIL, board_png=b"x",
    )  # fmt: skip


def test_no_player_can_add_a_header() -> None:
    raw = compose(hostile()).as_bytes()
    head = raw.partition(b"\r\n\r\n")[0].decode()
    assert not re.search(r"^(bcc|victim)", head, re.IGNORECASE | re.MULTILINE)
    made = parsed(compose(hostile()))
    assert made["Bcc"] is None and [a.addr_spec for a in made["To"].addresses] == ["anna@example.org"]
    assert len(made.get_all("Subject")) == 1 and len(str(made["Subject"])) < 200
    assert made["Message-ID"] == f"<winter.17.report.seat1@{DOMAIN}>"
    assert re.fullmatch(r"(<[^<>\s]+> ?)+", made["References"])


def test_no_player_can_add_html_or_template_code() -> None:
    html = html_of(parsed(compose(hostile())))
    page = lxml.html.document_fromstring(html)
    assert not page.xpath("//script") and html.count("</body>") == 1
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "{{ 7*7 }}" in html and "49" not in page.text_content()
    assert "\u202e" not in html and "\u0007" not in html
    text = text_of(parsed(compose(hostile())))
    assert "\u202e" not in text and "\u0007" not in text and "{{ 7*7 }}" in text


@pytest.mark.parametrize(
    "address",
    ["", "nobody", "a@b@c", "a b@example.org", "a@exa mple.org", "a\r\nBcc: x@y@example.org", "a@example.org\r\nBcc: x",
     "<a@example.org>", "a,b@example.org", "ä@example.org", "a@", "@example.org", "a@-example.org", "a@example.org>"],
)  # fmt: skip
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(BadAddress):
        compose(mail(address=address))


def test_addresses_of_the_world_are_taken() -> None:
    for address in ("a@example.org", "A.b+c@sub.example.org", "x@[127.0.0.1]", "o'neill@example.org"):
        check_address(address)
    assert "xn--bcher-kva.example" in str(compose(mail(address="anna@bücher.example"))["To"])


# --- from a campaign -------------------------------------------------------------------------------------------------


def gathered(game: Game, seat: str, *kinds: str) -> Mail:
    found = [row for row in reversed(outbox.messages(game.service.store)) if row.seat == seat and row.kind in kinds]
    return gather(game.service, found, game.clock.now()).mail


def test_a_mail_shows_its_reader_only_what_he_may_see(game: Game) -> None:
    for _ in range(15):  # all units are placed
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
    for seat in game.tokens:
        game.send(seat, "DONE", "SET BOARD full")
    opener = game.asked_seat()
    power = POWERS[opener]
    game.send(opener, f"BID 12 A {power} B {'prussia' if power != 'prussia' else 'france'}")
    for _ in range(2):
        game.send(game.asked_seat(), "PASS")
    game.service.project()  # the winner lacked 2 gold and took a loan: his unrest is his secret
    other = next(seat for seat in game.tokens if seat != opener)
    mine, theirs = gathered(game, opener, "report"), gathered(game, other, "report")
    my_story, their_story = (" ".join(render(found)[1].split()) for found in (mine, theirs))
    assert "1 loan: 2 gold from the bank, 1 unrest" in my_story and "1 loan: 2 gold" in their_story
    assert " 0 0 5 1 " in my_story and " 0 0 5 1 " not in their_story  # VP, gold, population, unrest in the table
    assert " 0 0 5 ? " in their_story
    assert game.tokens[opener] in render(mine)[2] and game.tokens[opener] not in compose(theirs).as_string()
    assert game.tokens[other] not in compose(mine).as_string()


@pytest.mark.parametrize("between", [False, True], ids=["before the mail is written", "while it is written"])
def test_board_and_question_of_a_mail_are_of_one_moment(
    game: Game, monkeypatch: pytest.MonkeyPatch, between: bool
) -> None:
    service, seat = game.service, game.asked_seat()
    game.send("seat3", "SET BOARD full")
    game.send(seat, "PLACE army AT german_states")
    service.project()
    told = service.status("winter").event
    row = next(r for r in outbox.messages(service.store) if r.kind == "report" and r.seat == "seat3")

    def next_order() -> None:
        second = game.asked_seat()
        game.send(second, game.legal_line(second))

    next_order()
    status = service.status("winter")
    if between:
        stand = service.reading.stand

        def stand_before(campaign: str, seat: str, *more: Any) -> Any:
            monkeypatch.undo()
            found = stand(campaign, seat, *more)
            next_order()
            return found

        monkeypatch.setattr(service.reading, "stand", stand_before)
    found = gather(service, [row], game.clock.now()).mail
    assert found.event == status.event > told and found.head == status.head
    assert (service.status("winter").event > status.event) is between
    teller = Teller(service.kit_of("winter"), "en")
    assert found.waiting_for == [teller.power(power) for power in status.waiting_for]
    board = service.view_at("winter", "seat3", status.event).to_json()
    assert found.board_text == board_text(board, service.kit_of("winter"), "en")
    assert found.is_asked is ("seat3" in status.waiting_seats)
    assert found.parts[0].events[-1].event <= told  # the next mail tells the rest


def test_a_line_that_is_a_form_already_is_no_example_in_the_text_and_can_be_clicked_in_the_page() -> None:
    asked = ask(usages=["BUILD <unit> IN <space>", "END IMPULSE"], examples=["BUILD regular IN paris", "END IMPULSE"],
                template="END IMPULSE")  # fmt: skip
    _, text, html = render(mail("your_move", asks=[asked]))
    lines = text.splitlines()
    assert lines.count("  END IMPULSE") == 1 and lines.count("  BUILD regular IN paris") == 1
    links = lxml.html.document_fromstring(html).xpath("//a[starts-with(@href, 'mailto:')]/text()")
    assert {"END IMPULSE", "BUILD regular IN paris"} <= set(links)


def test_the_first_move_stands_before_the_set_up_and_the_dice(game: Game) -> None:
    seat = game.asked_seat()
    opening = gathered(game, seat, "opening")
    told = opening.parts[0].events[0].paragraphs[0]
    _, text, html = render(opening)
    in_order = ["You play ", "Place a unit\n------------", "What only you see", "The set-up\n----------",
                told.text[:30], "The dice\n--------", opening.dice[0]["root"]]  # fmt: skip
    assert sorted(in_order, key=text.index) == in_order and "HELP DICE" in text
    in_order = ["You play ", ">Place a unit", ">The set-up</h2>", told.html[:20], ">The dice</h2>",
                opening.dice[0]["root"]]  # fmt: skip
    assert sorted(in_order, key=html.index) == in_order
    opening.parts[0].events = []
    assert "The set-up" not in render(opening)[1]


def test_threads_hang_on_the_opening_mail(game: Game) -> None:
    seat = game.asked_seat()
    game.send(seat, "PLACE army AT german_states")
    game.service.project()
    opening = gathered(game, seat, "opening")
    assert opening.references == [] and opening.in_reply_to is None  # the invitation was never sent
    answer = gathered(game, seat, "answer", "report")
    assert answer.references == [opening.message_id]
    assert answer.in_reply_to == f"<1@{seat}.example>"
    report = gathered(game, next(s for s in game.tokens if s != seat), "report")
    assert report.in_reply_to == report.references[0]


def test_an_answer_says_line_by_line_what_was_wrong(game: Game) -> None:
    seat = game.asked_seat()
    game.send(seat, "PLACE amry AT german_states", "PASS")
    game.service.project()
    subject, text, html = render(gathered(game, seat, "answer"))
    assert subject == "Not accepted: please look at it again"
    why = "there is no kind of unit “amry”; did you mean Army?"
    assert f"> PLACE amry AT german_states\n  Not understood: {why}" in text
    assert "> PASS\n  Not carried out" in text
    assert "Place a unit" in text  # what is asked now
    game.send(seat, "PLACE navy AT german_states")
    game.service.project()
    text = render(gathered(game, seat, "answer"))[1]
    assert "Refused: no navy can be in German States" in text.replace("\n", " ").replace("  ", " ")


def test_french_players_get_french_mails(service: Service, clock: Any) -> None:
    game = new_game(service, clock, title="Hiver", language="fr")
    seat = game.asked_seat()
    game.send(seat, "PLACE army AT german_states")
    game.service.project()
    subject, text, _ = render(gathered(game, seat, "answer", "report"))
    assert subject == "Vos ordres sont acceptés"
    assert "place une armée dans les États allemands" in " ".join(text.split())
    assert "LUTTE" in text.upper() or "EMPIRES" in text.upper()


def test_who_has_answered_in_a_round_is_told_that_it_waits_for_the_others(game: Game) -> None:
    for _ in range(60):
        if game.service.status(game.campaign).kind == "negotiation":
            break
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
    seat, *others = list(game.tokens)
    game.send(seat, "DONE")
    game.service.project()
    subject, text, html = render(gathered(game, seat, "answer"))
    assert subject == "Your answer is in; it waits for the others"
    own, waited = game.service.page(game.campaign, seat, "en"), " ".join(text.split())
    assert "Your answer is in; it waits for the others" in waited and "Nothing is asked of you now" not in waited
    assert not any(own.teller.power(power) in waited.partition("The game waits for")[2].partition(",")[0]
                   for power in own.powers) and others  # fmt: skip


def test_a_report_with_its_picture_is_ready_in_time(game: Game) -> None:
    for _ in range(16):
        seat = game.asked_seat()
        game.send(seat, game.legal_line(seat))
    game.service.project()
    row = next(r for r in outbox.messages(game.service.store) if r.kind == "report" and r.seat == "seat1")
    raw = b""

    def made() -> None:
        nonlocal raw
        raw = compose(gather(game.service, [row], game.clock.now()).mail).as_bytes()

    assert seconds(made, 5, 0.15) < 0.15
    assert b"Content-Type: image/png" in raw and len(raw) < 1_000_000


# --- the catalogue ---------------------------------------------------------------------------------------------------


def test_a_new_kind_of_message_needs_one_entry_and_its_two_templates(game: Game, monkeypatch) -> None:
    """An event that told nobody by mail does so with an entry of the catalogue, at its place and with its subject."""
    kind = MessageKind("renewed", -1, ("dice",), with_question=True, with_board=True, tells=True)
    monkeypatch.setitem(messages.KINDS, "renewed", kind)
    new = {
        "mail/renewed.txt.j2": "{% trans %}New dice{% endtrans %}\n\n{{ part.data.reason }}\n",
        "mail/renewed.html.j2": "<p>{{ part.data.reason }}</p>",
    }
    for autoescape in (False, True):
        environment = _environment("en", autoescape)
        monkeypatch.setattr(environment, "loader", ChoiceLoader([DictLoader(new), environment.loader]))
    seat = game.asked_seat()
    before = {message.number for message in outbox.messages(game.service.store, game.campaign)}
    game.service.renew_dice(game.campaign, "the key was lost")
    game.service.project()
    rows = [m for m in outbox.messages(game.service.store, game.campaign) if m.number not in before]
    assert sorted(row.seat for row in rows) == sorted(POWERS) and {row.kind for row in rows} == {"renewed"}
    made = gather(game.service, [row for row in rows if row.seat == seat], game.clock.now()).mail
    assert made.asks and made.board_text
    subject, text, html = render(made)
    assert subject == "New dice" and "the key was lost" in text and "<p>the key was lost</p>" in html


def test_mails_and_pages_title_an_event_by_the_same_words(game: Game) -> None:
    seat = game.asked_seat()
    game.send(seat, game.legal_line(seat))
    game.service.project()
    other = next(one for one in POWERS if one != seat)
    rows = [m for m in outbox.messages(game.service.store, game.campaign) if m.seat == other and m.kind == "report"]
    told = gather(game.service, rows, game.clock.now()).mail.parts[0].events[-1]
    (event,) = game.service.events(game.campaign, other, told.event, told.event)
    teller = Teller(game.service.kit_of(game.campaign), "en")
    assert told.title == f"Event {told.event}: {title(event, teller, other)}"
    assert title(event, teller, other) == f"{teller.power(event['public']['power'])}: an order"


def test_what_changed_on_the_map_is_pieces_counters_and_the_state_of_a_place() -> None:
    facts = [
        {"fact": "units", "kind": "army", "power": "france", "number": 1, "origin": "supply", "place": "metz"},
        {"fact": "piece", "piece": "leader", "before": {"at": "paris"}, "after": None},
        {"fact": "state", "name": "control:vienna", "before": "hapsburg", "after": "ottoman"},
        {"fact": "state", "name": "turn", "before": 1, "after": 2},
        {"fact": "happened", "what": "battle", "space": "mohacs"},
        {"fact": "happened", "what": "told", "place": None},
        {"fact": "card", "card": "?", "origin": "deck", "place": "hand:france"},
    ]
    assert changed_places(facts) == {"metz", "paris", "vienna", "mohacs"}


@pytest.mark.parametrize("before", range(60, 76))
def test_no_line_of_a_mail_ends_before_a_mark_that_stands_apart(before):
    folded = _fold("x" * before + " cartes : 1, « Reîtres » !")
    assert max(map(len, folded.split("\n"))) <= 76
    assert not any(line.startswith((":", "»", "!")) or line.endswith("«") for line in folded.split("\n"))
    assert folded.replace("\n", " ").endswith(" cartes : 1, « Reîtres » !")
