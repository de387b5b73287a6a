"""Whole mails as people write them, sent as real messages to a player's address: what comes of each.

``mails/<game>.yaml`` holds situations as those of `tests.lines.test_lines`, with ``mails``: each has the text of a
``mail``, its ``language`` (``en`` where none is named) and what a careful moderator would do with it: ``does`` these
full lines, in order (`` || `` stands between two that say the same), and ``tells`` back that these others cannot be
done (``[]``: that something else cannot); ``asks`` back, showing these lines (``[]``: any question will do); or
``nothing``, as no order is in it. A mail is

- *done*: exactly what it ``does``, or nothing where nothing was to be done and none of it was refused,
- *asked rightly*: nothing done, or only the first lines of it, and all its other lines among those that were shown,
- *not understood*: nothing done and not shown, or the lines that were not done told back without the right ones,
- *misunderstood*: anything else done, or a part of it without a word about the rest.

Whatever is carried out is taken back by a rewind before the next mail. ``PBEM_MAILS=all`` prints the answer to every
mail, ``PBEM_MAILS=words`` only those of the mails that hold the words after a space.
"""

from __future__ import annotations

import os
import smtplib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem.campaign.clock import ManualClock
from pbem.campaign.command import COMMANDS
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Answer, LineResult
from pbem.games import find_game
from pbem.mail.envelope import make_address
from pbem.mail.outbound import Courier
from pbem.mail.room import MailRoom
from tests.lines.test_lines import Campaign, arranged

pytestmark = pytest.mark.long

HERE = Path(__file__).parent / "mails"
GAMES = sorted(file.stem for file in HERE.glob("*.yaml"))
LANGUAGES = ("en", "fr", "ru")
DOMAIN = "pbem.example"
LEAST_SHARE = 62
"""So many mails of 100 at least are done, or asked back with the right lines: they are prose, and harder than what most
players write, whose lines `tests.lines.test_lines` holds."""
DONE, ASKED, MISSED, WRONG = "done", "asked rightly", "not understood", "misunderstood"
CARRIED_OUT, NOT_CARRIED_OUT = ("accepted", "queued"), ("refused", "unreadable")
_VERBS = {kind.pattern.verb for kind in COMMANDS}
LEFT_OUT = "Left out, since it can be no order"
SHOWN = os.environ.get("PBEM_MAILS", "")


class Sent:
    """A way out that takes every mail: what a player is answered has left before he writes again."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, bytes]] = []

    def send(self, raw: bytes, sender: str, recipient: str) -> None:
        self.mails.append((recipient, raw))

    def close(self) -> None:
        self.mails.clear()

    def last(self, address: str) -> str:
        """The text of the last mail to an address."""
        raw = next(raw for recipient, raw in reversed(self.mails) if recipient == address)
        part = message_from_bytes(raw, policy=SMTP).get_body(("plain",))
        assert part is not None
        return part.get_content()


@dataclass
class Tally:
    """What came of the mails of a game in a language."""

    counts: Counter[str] = field(default_factory=Counter)
    others: list[str] = field(default_factory=list)

    def note(self, verdict: str, mail: dict[str, Any], answer: Answer) -> None:
        self.counts[verdict] += 1
        if verdict != DONE or SHOWN == "all" or (SHOWN and SHOWN in mail["mail"]):
            meant = {key: mail[key] for key in ("does", "tells", "asks", "nothing") if key in mail}
            self.others.append(f"--- {verdict}\n{mail['mail'].strip()}\n  meant: {meant}\n{told(answer)}")

    def __str__(self) -> str:
        counted = ", ".join(f"{self.counts[one]} {one}" for one in (DONE, ASKED, MISSED, WRONG))
        return f"{sum(self.counts.values())} mails: {counted}"


class Post:
    """A campaign in the position of a situation, and the mail room that its players write to."""

    def __init__(self, situation: dict[str, Any], game: str, folder: Path):
        self.situation, self.game, self.numbers = situation, game, count(1)
        self.clock = ManualClock()
        settings = Settings(var=folder, domain=DOMAIN, listen_port=0, clock_outage_minutes=10**6)
        self.service = Service(settings, self.clock)
        self.sent = Sent()
        self.courier = Courier(self.service, transport=self.sent, pictures=False)
        self.room = MailRoom(self.service, courier=self.courier, clerk=False)
        self.begin()

    def begin(self) -> None:
        played = find_game(self.game)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(played, "set_up", arranged(played, self.situation), raising=False)
            self.campaign = Campaign(self.service, self.clock, self.situation, self.game)
        self.seat = self.campaign.seat(self.situation["who"])
        self.address = make_address(self.campaign.id, self.campaign.tokens[self.seat], DOMAIN)
        self.begun = self.campaign.event()
        self.judged = 0
        self.deliver()

    def deliver(self) -> None:
        self.clock.advance(minutes=15)
        self.service.project()
        while self.courier.send_due():
            self.service.project()
        self.clock.advance(minutes=1)

    def message(self, text: str) -> bytes:
        message = EmailMessage(policy=SMTP)
        message["From"], message["To"] = f"{self.seat}@example.net", self.address
        message["Subject"] = "Re: your move"
        message["Message-ID"] = f"<{next(self.numbers)}@{self.campaign.id}.example.net>"
        message.set_content(text)
        return message.as_bytes()

    def write(self, text: str) -> Answer:
        """Send a mail of the player who is asked; returns the answer that was stored for it."""
        self.room.accept(self.message(text), self.address, f"{self.seat}@example.net", self.clock.now())
        return self.taken()

    def taken(self) -> Answer:
        """Take up the mail that has come in; returns its answer."""
        (row,) = self.service.inbox(self.campaign.id, 1)
        assert row["number"] > self.judged, "the room stored no mail"
        self.judged = row["number"]
        self.room.take_up()
        self.service.take_up(self.campaign.id)
        answer = self.service.answer(self.campaign.id, row["number"])
        assert answer is not None
        return answer

    def tells_of_the_rest(self) -> bool:
        """Whether the answer, as it is mailed, says that a part of the mail was left out."""
        self.deliver()
        return LEFT_OUT in self.sent.last(f"{self.seat}@example.net")

    def take_back(self) -> None:
        """Go back to the position before the mail, whatever came of it."""
        if self.service.status(self.campaign.id).state == "finished":
            self.begin()
            return
        if self.campaign.event() > self.begun:
            self.service.rewind(self.campaign.id, self.begun, "to send another mail")
            self.begun = self.campaign.event()
        self.deliver()

    def close(self) -> None:
        self.service.close()


def told(answer: Answer) -> str:
    """What an answer says, but for the facts that came of it."""
    lines = [f"  note: {answer.note}"] if answer.note else []
    for one in answer.lines:
        said = f" ({one.reason})" if one.reason else ""
        lines.append(f"  {one.state}: {one.line!r} as {one.order!r}{said}{f' hints {one.hints}' if one.hints else ''}")
    return "\n".join(lines or ["  no line was read"])


def alike(line: str) -> str:
    """A line without what makes no difference: case and spaces."""
    return " ".join(line.casefold().replace(",", " , ").split())


def full(post: Post, lines: list[str]) -> list[set[str]]:
    """Lines of the grammar as the answers write them, each in all ways that say the same."""
    ways = [line.split(" || ") for line in lines]
    written: list[set[str]] = [set() for _ in ways]
    for number in range(max(map(len, ways), default=0)):
        chosen = [way[min(number, len(way) - 1)] for way in ways]
        checked = post.service.check(post.campaign.id, post.seat, chosen).lines
        for one, alternatives in zip(checked, written, strict=True):
            alternatives |= {alike(one.order or one.line), alike(one.line)}
    return written


def meant(post: Post, mail: dict[str, Any]) -> dict[str, list[set[str]]]:
    """The lines that stand beside a mail, as `full` has them."""
    return {kind: full(post, mail[kind]) for kind in ("does", "tells", "asks") if kind in mail}


def judge(lines: dict[str, list[set[str]]], answer: Answer, post: Post) -> str:
    """What came of a mail beside what was meant by it (nothing where there are no `lines`)."""
    carried = [one for one in answer.lines if one.state in CARRIED_OUT or is_told(one)]
    others = [one for one in answer.lines if one not in carried]
    shown = {alike(line) for one in others for line in (*one.hints, one.order or "")}
    does = lines.get("does", [])
    if len(carried) > len(does):
        return WRONG
    if not all(alike(one.order or one.line) in line for one, line in zip(carried, does, strict=False)):
        return WRONG
    if not lines:
        return MISSED if any(one.state in NOT_CARRIED_OUT for one in others) else DONE
    if "asks" in lines:
        return ASKED if any(one.hints for one in others) and among(lines["asks"], shown) else MISSED
    needless = [one for one in others if one.state == "told" and one.order and not one.reason]  # the turn was over
    others = [one for one in others if one not in needless]
    rest = [line for line in does[len(carried) :] if not any(alike(one.order or "") in line for one in needless)]
    if not rest and "tells" not in lines:
        return ASKED if others else DONE
    if not others and carried:
        return MISSED if post.tells_of_the_rest() else WRONG
    if rest:
        return ASKED if among(rest, shown) else MISSED
    return DONE if among(lines["tells"], shown) else MISSED


def among(lines: list[set[str]], shown: set[str]) -> bool:
    return all(line & shown for line in lines)


def is_told(one: LineResult) -> bool:
    """Whether a line that changes nothing (STATUS, CARD 31) was answered."""
    told = one.text or one.cards or one.sentences or one.reasons or one.explains
    return one.state == "told" and (one.order or "").partition(" ")[0] in _VERBS and bool(told)


def situations(game: str) -> Iterator[dict[str, Any]]:
    yield from yaml.safe_load((HERE / f"{game}.yaml").read_text())


def tried(game: str, language: str, folder: Path) -> Tally:
    tally = Tally()
    for number, situation in enumerate(situations(game)):
        mails = [mail for mail in situation["mails"] if mail.get("language", "en") == language]
        if not mails:
            continue
        post = Post(situation, game, folder / str(number))
        for mail in mails:
            lines = meant(post, mail)
            answer = post.write(mail["mail"])
            tally.note(judge(lines, answer, post), mail, answer)
            post.take_back()
        post.close()
    return tally


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_mails_as_people_write_them_are_done_or_asked_back_and_none_is_misunderstood(game, language, tmp_path):
    tally = tried(game, language, tmp_path)
    print(f"{game}, {language}: {tally}", *tally.others, sep="\n")
    assert not tally.counts[WRONG], "\n".join(one for one in tally.others if one.startswith(f"--- {WRONG}"))
    understood = tally.counts[DONE] + tally.counts[ASKED]
    assert 100 * understood >= LEAST_SHARE * sum(tally.counts.values()), "\n".join(tally.others)


@pytest.mark.parametrize("game", GAMES)
def test_what_the_mails_are_said_to_mean_can_be_done(game, tmp_path):
    """The corpus itself: its full lines, sent as a mail, are carried out as they stand."""
    wrong = []
    for number, situation in enumerate(situations(game)):
        post = Post(situation, game, tmp_path / str(number))
        said = [mail["does"] for mail in situation["mails"] if "does" in mail]
        said += [[line] for mail in situation["mails"] for line in mail.get("asks", [])]
        for lines in said:
            known = meant(post, {"does": lines})
            answer = post.write("\n".join(line.split(" || ")[0] for line in lines))
            if judge(known, answer, post) != DONE:
                wrong.append(f"{situation['who']}: {lines}\n{told(answer)}")
            post.take_back()
        post.close()
    assert not wrong, "\n".join(wrong)


def test_a_mail_that_comes_by_the_socket_is_answered_as_one_that_is_handed_in(tmp_path):
    situation = next(situations(GAMES[0]))
    mail = next(mail for mail in situation["mails"] if mail.get("does"))
    post = Post(situation, GAMES[0], tmp_path)
    handed = told(post.write(mail["mail"]))
    post.take_back()
    post.room.start_listener()
    try:
        assert post.room.listener is not None
        with smtplib.SMTP("127.0.0.1", post.room.listener.port) as connection:
            connection.sendmail(f"{post.seat}@example.net", [post.address], post.message(mail["mail"]))
        assert told(post.taken()) == handed
    finally:
        post.room.stop()
        post.close()
