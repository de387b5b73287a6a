"""What comes in at the one door, and the answer that goes out.

Every order, by mail, form or API, is a `Submission`. `Service.receive` gives it a number in the durable inbox of its
campaign, `Service.take_up` works the inbox off in that order, each submission with all that follows from it in one
transaction, and keeps the `Answer` beside it. A page calls `Service.submit`, which does both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from pbem.campaign import kept
from pbem.render import tellings
from pbem.render.explained import explanation
from pbem.render.narrative import Teller
from pbem.render.own import card_told, hands_told
from pbem.table.kit import Kit
from pbem.table.refusals import Refused, Unreadable

Channel = Literal["mail", "form", "api"]


@dataclass(frozen=True)
class Submission:
    """What one seat sent at once.

    `lines` are the order lines as the sender wrote them (of a mail: with quotes, signature and blank lines cut off by
    the mail room; of the API also orders as JSON objects, a line each). Who sends is known by `token`, or by `seat`
    where the caller has made sure (a logged-in page). `message_id` and `content_key` say when two mails are the same: a
    mail without a Message-ID has a content key made from its content and date; forms and the API may send an
    idempotency key as `message_id`. `raw` is the whole mail, which is stored beside the stream; `remote` the peer, for
    the moderator's desk.
    """

    campaign: str
    lines: list[str]
    received_at: datetime
    channel: Channel = "form"
    token: str | None = None
    seat: str | None = None
    message_id: str | None = None
    content_key: str | None = None
    raw: bytes | None = None
    remote: str | None = None

    def identity(self, seat: str) -> str | None:
        """What is the same when the same thing is sent again; None when it can never be the same."""
        if self.message_id is None and self.content_key is None:
            return None
        text = "\n".join([seat, self.message_id or "", self.content_key or "\n".join(self.lines)])
        return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Received:
    """A submission with its number. `entry` is its row where it is not in the inbox yet: it is put there with all that
    comes of it."""

    campaign: str
    number: int
    seat: str
    generation: int
    channel: str
    received_at: str
    lines: list[str]
    entry: dict[str, Any] | None = field(default=None, repr=False, compare=False)


LineState = Literal["accepted", "refused", "unreadable", "queued", "told"]


class Hinted(Protocol):
    """What came of a line, in whatever form, with what would be right in its place."""

    hints: list[str]


MOST_HINTS_AGAIN = 3
"""So many hints may stand below several lines of one answer."""


def say_hints_once(lines: Sequence[Hinted]) -> None:
    """Leave out of each line the hints that stand below one above it, where these are many."""
    shown: set[str] = set()
    for line in lines:
        if len(again := shown & set(line.hints)) > MOST_HINTS_AGAIN:
            line.hints = [hint for hint in line.hints if hint not in again]
        shown |= set(line.hints)


@dataclass
class LineResult:
    """What came of one line.

    `state`: ``accepted`` (an order taken up, or an administrative line done), ``refused`` (readable, but not allowed
    now), ``unreadable``, ``queued`` (kept until the seat is asked again), ``told`` (nothing done: a question answered,
    or a good line in a mail with an unreadable one). `order` is the line as the program understood it; `reason` says
    why not, in English, and of a refusal `code` and `values` say it for every language (see `said`); `section` is that
    of the rulebook; `hints` what would be right, lines and ids (`Teller.hints`); `results` are the facts that came of
    it as the sender may see them; `text` what is to be told besides (the list of standing orders, help, status).
    """

    line: str
    state: LineState
    order: str | None = None
    reason: str | None = None
    section: str | None = None
    hints: list[str] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    text: str | None = None
    events: list[int] = field(default_factory=list)
    """The numbers of the events that hold it."""
    code: str | None = None
    values: dict[str, Any] = field(default_factory=dict)
    reasons: list[dict[str, Any]] = field(default_factory=list)
    """Why the points stand as they do, where that was asked (`pbem.table.game.Game.reasons`)."""
    explains: list[dict[str, Any]] = field(default_factory=list)
    """The orders that were asked about (``HELP BUY``), see `pbem.campaign.asked.explained`."""

    sentences: list[dict[str, Any]] = field(default_factory=list)
    """What `text` says, for every language (`pbem.render.tellings`)."""

    cards: list[str] = field(default_factory=list)
    """The cards that were asked about (``CARD 71``)."""
    hands: dict[str, list[str]] = field(default_factory=dict)
    """The cards of each of the sender's powers, where he asked for them (``HAND``)."""

    @classmethod
    def refused(
        cls, line: str, order: str | None, error: Refused, kit: Kit, state: LineState = "refused", **more: Any
    ) -> LineResult:
        """A line that is not carried out, and why; `order` is the line as it was understood, `more` further fields."""
        reason = Teller(kit).refusal(error)
        if error.code:
            more = {"code": error.code, "values": error.values, **more}
        return cls(line, state, order, reason, error.section, list(error.hints), **more)

    @classmethod
    def unreadable(cls, line: str, error: Unreadable, kit: Kit) -> LineResult:
        """A line that is no order, and why."""
        return cls.refused(line, None, error.refusal(), kit, "unreadable")

    def telling(self, sentences: list[tellings.Sentence], kit: Kit) -> LineResult:
        """The line with what is to be told besides."""
        self.sentences = sentences
        self.text = tellings.told(sentences, Teller(kit)) if sentences else None
        return self

    def told(self, teller: Teller) -> str | None:
        """What is to be told besides, in the language of a teller where it is of the game."""
        if self.explains:
            return explanation(self.explains, teller)
        if self.cards:
            return "\n".join(card_told(card, teller) for card in self.cards)
        if any(self.hands.values()):
            return hands_told(self.hands, teller)
        if self.sentences:
            return tellings.told(self.sentences, teller)
        if not self.reasons:
            return self.text
        return "\n".join(line for head, lines in teller.reasons(self.reasons) for line in (head, *lines))

    def said(self, teller: Teller) -> str | None:
        """Why not, in the language of a teller."""
        if self.code:
            return teller.refusal(Refused(self.code, **self.values))
        return teller.language.text(self.reason) if self.reason else None


@dataclass
class CheckedLine(LineResult):
    """What would come of a line. `later`: it can be read, and what becomes of it hangs on the lines above it."""

    later: bool = False


@dataclass
class Asked:
    """What is asked of a seat now.

    `kind` and `power` of the question; `context` what it depends on; `section`; `usages` the forms of lines that may
    answer it; `examples` some legal lines; `template` a mail body to fill in; `deadline` (ISO, UTC) or None; `answered`
    whether an answer lies sealed that may still be replaced.
    """

    kind: str
    power: str
    key: str
    context: dict[str, Any]
    section: str | None
    usages: list[str]
    examples: list[str]
    template: str
    deadline: str | None
    answered: bool = False


_ASKED_BLANK: dict[str, Any] = {
    "kind": "", "power": "", "key": "", "context": {}, "section": None, "usages": [], "examples": [], "template": "",
    "deadline": None,
}  # fmt: skip


SEAT_OPEN = "Your seat is still open: the line ACCEPT INVITATION takes it, DECLINE INVITATION gives it up."


@dataclass
class Answer:
    """The one answer to one submission.

    `number` in the campaign's inbox; `seat`; `ok` whether every line was accepted or queued; `lines` in their order;
    `note` what concerns the whole (late, campaign over, a repeated mail, set aside by a fault), in English; where it
    holds values it is made of `note_form`, a sentence of the catalogue, and `note_values` (see `said`); `asked` what
    the seat is asked now, empty when nothing; `waiting_for` the powers the game waits for; `head` and `event` of the
    chain. `seat_open`: who is invited to the seat has not taken it yet.
    """

    campaign: str
    number: int
    seat: str
    lines: list[LineResult]
    ok: bool = True
    note: str | None = None
    asked: list[Asked] = field(default_factory=list)
    waiting_for: list[str] = field(default_factory=list)
    queued: list[str] = field(default_factory=list)
    event: int = 0
    head: str = ""
    received_at: str = ""
    note_form: str | None = None
    note_values: dict[str, Any] = field(default_factory=dict)
    seat_open: bool = False

    def said(self, text: Callable[..., str], kind: Callable[[str], str] = str) -> str | None:
        """The note in another language, and that the seat is still open where it is: `text` translates a sentence with
        its values, `kind` names a kind of question."""
        values = {name: kind(value) if name == "kind" else value for name, value in self.note_values.items()}
        notes = [text(self.note_form or self.note, **values)] if self.note is not None else []
        return " ".join([*notes, *([text(SEAT_OPEN)] if self.seat_open else [])]) or None

    def to_json(self) -> dict[str, Any]:
        """As stored in the inbox, and as the JSON API gives it."""
        lines = [vars(line) for line in self.lines]
        return {**vars(self), "lines": lines, "asked": [vars(asked) for asked in self.asked]}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Answer:
        """The inverse of `to_json`, of what other programs have stored as well."""
        lines = [kept.read(LineResult, line, line="", state="told") for line in data.get("lines", [])]
        asked = [kept.read(Asked, one, **_ASKED_BLANK) for one in data.get("asked", [])]
        return kept.read(cls, {**data, "lines": lines, "asked": asked}, campaign="", number=0, seat="")


class UnknownSender(LookupError):
    """There is no such campaign, or the token is of none of its seats. The two are not told apart on purpose."""
