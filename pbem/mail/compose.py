"""From what is to be said to a mail: text and HTML from the templates in ``templates/mail``, the picture, the headers.

`Mail` holds everything that one mail says, already as its reader may see it (`pbem.mail.contents` gathers it from the
service); `compose` makes the message of it. A mail has one or several parts, a template each: several things that fall
together make one mail. The templates hold the words in English with gettext marks (`pbem.render.language`). The first
line of a text template is the subject.
"""

from __future__ import annotations

import re
import textwrap
from binascii import b2a_base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import Policy
from email.utils import format_datetime
from functools import cache, lru_cache
from secrets import token_hex
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import ChainableUndefined, Environment, FileSystemLoader, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from pbem import resources
from pbem.campaign.command import asks
from pbem.campaign.commands import FOR_ALL, for_all_line, without_addressee
from pbem.campaign.messages import KINDS
from pbem.mail.headers import POLICY
from pbem.render import marks
from pbem.render.board_text import parts_of, unfolded
from pbem.render.language import Language, find_language, zone_name
from pbem.render.narrative import Paragraph
from pbem.render.own import OwnThing

COLUMNS = 76  # so that a quotation of it still stays within the 78 of RFC 5322 section 2.1.1
SUBJECT_LIMIT = 150
PHASE = "phase"
"""The kind of the paragraphs that say which phase begins, in every game that has phases."""

class BadAddress(ValueError):
    """No mail can be written to this address; does not quote it."""


@dataclass
class Told:
    """One event of the story: its number, a line on who did what, and what came of it."""

    event: int
    title: str
    paragraphs: list[Paragraph] = field(default_factory=list)
    power: str = ""
    """The name of the power whose order it is, where all know that."""
    names: list[str] = field(default_factory=list)
    """The forms that this name has in sentences."""


@dataclass
class Ask:
    """A question to the reader, in his words."""

    kind: str
    title: str
    text: str
    power: str
    section: str | None
    usages: list[str]
    examples: list[str]
    template: str
    deadline: datetime | None
    answered: bool = False
    ready: list[str] = field(default_factory=list)
    """The lines of ready-made standing orders that answer it, so that its reader is asked it less often."""
    is_brief: bool = False
    """Whether it is told in short: it stood whole in an earlier mail, and stays open."""

    @property
    def filled(self) -> list[str]:
        """Its examples without those that stand among the forms: what a text that lists both need not say twice."""
        return [example for example in self.examples if example not in self.usages]


@dataclass
class Line:
    """What came of one line of a player's mail."""

    line: str
    state: str
    verdict: str
    order: str | None = None
    reason: str | None = None
    section: str | None = None
    hints: list[str] = field(default_factory=list)
    paragraphs: list[Paragraph] = field(default_factory=list)
    text: str | None = None
    is_below: bool = False
    """Whether what may be written instead stands in the question below."""
    is_board: bool = False
    """Whether `text` is the board in words, whose lines are broken already."""

    @property
    def style(self) -> str:
        """The style of the block in HTML."""
        return {"good": "line", "bad": "line_bad"}.get(self.tone, "line_kept")

    @property
    def tone(self) -> str:
        """Good, bad or kept: the colour of the verdict, which says in words the same."""
        if self.state == "told" and not self.reason:
            return "good"
        return {"accepted": "good", "refused": "bad", "unreadable": "bad"}.get(self.state, "kept")


@dataclass
class Answered:
    """The answer to one mail of the reader."""

    ok: bool
    lines: list[Line]
    note: str | None = None
    queued: list[str] = field(default_factory=list)


@dataclass
class Part:
    """One thing that a mail tells; which fields are used depends on its kind."""

    kind: str
    data: dict[str, Any] = field(default_factory=dict)
    events: list[Told] = field(default_factory=list)
    answer: Answered | None = None
    powers: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    sender: str = ""
    sender_id: str = ""
    recipients: list[str] = field(default_factory=list)
    press: str = ""
    shown: str = ""
    """What a message shows, in a sentence; the service vouches for it."""
    silence: list[tuple[str, str]] = field(default_factory=list)
    """The powers for which silence answered, and what it said, as far as the reader may know."""
    is_mine: bool = False
    """Whether its reader is among those who have missed a deadline; `powers` are the others then."""
    will_say: list[str] = field(default_factory=list)
    """What silence will answer for the reader where he sends nothing."""
    is_answered: bool = False
    """Whether silence has answered."""
    results: list[dict[str, Any]] = field(default_factory=list)
    about: str = ""
    """What a report is about, where that is not what was done last."""


def _offers(ask: Ask, line: str) -> bool:
    """Whether a question may be answered by a line without fields."""
    return not ask.answered and any(without_addressee(usage) == line for usage in ask.usages)


@dataclass
class Mail:
    """Everything that one mail says, and to whom. Addresses and player texts stand here as they are, unescaped."""

    campaign: str
    title: str
    game: str
    name: str
    address: str
    sender: str
    reply_to: str | None
    message_id: str
    parts: list[Part]
    language: str = "en"
    zone: tzinfo = UTC
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    powers: list[str] = field(default_factory=list)
    plays: list[str] = field(default_factory=list)
    """The names of its reader's powers, as they stand behind "plays"."""
    asks: list[Ask] = field(default_factory=list)
    is_asked: bool = False
    is_in: bool = False
    """Whether all that was asked of the reader lies answered and sealed until the others have answered."""
    waiting_for: list[str] = field(default_factory=list)
    deadline: datetime | None = None
    event: int = 0
    head: str = ""
    dice: list[dict[str, Any]] = field(default_factory=list)
    scenario: str = ""
    seats: int = 0
    players: list[dict[str, Any]] = field(default_factory=list)
    board: str = "changes"
    """How much of the board its reader wants: "full", "changes" or "none"."""
    board_text: str = ""
    """The board in words, as much as he wants."""
    board_png: bytes | None = None
    board_alt: str = ""
    changed: list[str] = field(default_factory=list)
    own: list[OwnThing] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    """The names of what only the reader sees and is as his last mail told it."""
    standing: list[str] = field(default_factory=list)
    queued: list[str] = field(default_factory=list)
    number_standing: int = 0
    """How many standing orders of the reader there are besides those in `standing`."""
    number_queued: int = 0
    """How many lines of his program wait besides those in `queued`."""
    inviter: str = ""
    """The name of who runs the campaign."""
    hours: list[str] = field(default_factory=list)
    """How long questions stay open, in sentences."""
    windows: str = ""
    rules: list[str] = field(default_factory=list)
    link: str = ""
    for_moderator: bool = False
    is_over: bool = False
    in_reply_to: str | None = None
    references: list[str] = field(default_factory=list)
    list_id: str = ""

    @property
    def for_all(self) -> list[str]:
        """The lines that answer for several of the reader's powers at once, where they are asked."""
        says = {line: {ask.power for ask in self.asks if _offers(ask, line)} for line in FOR_ALL}
        return [for_all_line(line) for line, powers in says.items() if len(powers) > 1]

    def stand(self, language: Language) -> str:
        """What is asked of the reader in a mail that holds no question, as far as it does not say so elsewhere, and for
        whom the game waits."""
        is_said = self.is_in and any(part.answer is not None and part.answer.ok for part in self.parts)
        if self.is_asked:
            said = language.text("You are still asked: an earlier mail holds the question.")
        elif self.is_in:
            said = "" if is_said else language.text("Your answer is in; it waits for the others.")
        else:
            said = language.text("Nothing is asked of you now.")
        powers = language.listed(self.waiting_for)
        if self.deadline is None:
            waits = language.text("The game waits for %(powers)s.", powers=powers)
        else:
            until = f"{language.short_moment(self.deadline, self.zone)} ({zone_name(self.zone)})"
            waits = language.text("The game waits for %(powers)s until %(moment)s.", powers=powers, moment=until)
        return " ".join(filter(None, [said, waits]))

    def kept(self, language: Language) -> list[str]:
        """What is kept of the reader's and has not changed, a line each, and how to see it."""
        lines = []
        if self.number_queued:
            told = language.text("Lines of your program that still wait: %(number)s; QUEUE shows them.",
                                 number=self.number_queued)  # fmt: skip
            lines.append(told)
        if self.number_standing:
            told = language.text("Your standing orders: %(number)s; STANDING LIST shows them.",
                                 number=self.number_standing)  # fmt: skip
            lines.append(told)
        return lines

    @property
    def is_first(self) -> bool:
        """Whether its reader meets the campaign, or his way in, by this mail: what every other mail tells in brief is
        told whole."""
        return any(part.kind in ("invitation", "opening", "takeover", "link", "moved") for part in self.parts)

    @property
    def due_together(self) -> datetime | None:
        """Until when all its questions are to be answered, where it asks several, none of them in short, and all are
        due at once: then that is said once."""
        due = {ask.deadline for ask in self.asks}
        is_once = len(self.asks) > 1 and len(due) == 1 and not any(ask.is_brief for ask in self.asks)
        return due.pop() if is_once else None

    @property
    def opening(self) -> Part | None:
        """The part that says that the campaign begins, if it has one."""
        return next((part for part in self.parts if part.kind == "opening"), None)

    @property
    def is_new(self) -> bool:
        """Whether its reader meets the board by this mail, and is told how things stand."""
        return any(part.kind in ("takeover", "opening") for part in self.parts)

    @property
    def board_cid(self) -> str:
        """The Content-ID of the picture, without brackets; "" without a picture."""
        return f"board-{self.event}.{self.sender.replace('@', '.at.')}@pbem" if self.board_png else ""

    @property
    def board_parts(self) -> list[tuple[str, list[str]]]:
        """The board in words as headings ("" for none) and their entries, of one line or several."""
        return list(parts_of(self.board_text))

    @property
    def full_title(self) -> str:
        """The game and the campaign's title; a campaign without a title of its own is called by its game."""
        colon = find_language(self.language).colon
        return self.title if self.title == self.game else f"{self.game}{colon} {self.title}"


def compose(mail: Mail) -> EmailMessage:
    """The message to send. Raises `BadAddress`."""
    subject, text, html = render(mail)
    message = _Message(policy=POLICY)
    message["From"] = _address(mail.full_title, mail.sender)
    message["To"] = _address(mail.name, mail.address)
    if mail.reply_to:
        message["Reply-To"] = _address("", mail.reply_to)
    message["Subject"] = header_value(f"[{mail.title}] {subject}", SUBJECT_LIMIT)
    message["Date"] = format_datetime(mail.now)
    message["Message-ID"] = _id(mail.message_id)
    references = [_id(reference) for reference in mail.references]
    if mail.in_reply_to:
        message["In-Reply-To"] = _id(mail.in_reply_to)
        answered = _id(mail.in_reply_to)
        references = [reference for reference in references if reference != answered] + [answered]
    if references:
        message["References"] = " ".join(references)
    if mail.list_id:
        message["List-Id"] = header_value(mail.list_id)
    is_answer = any(part.kind == "answer" for part in mail.parts)
    message["Auto-Submitted"] = "auto-replied" if is_answer else "auto-generated"  # RFC 3834 section 5
    message["X-Auto-Response-Suppress"] = "All"
    message["X-PBEM-Campaign"] = header_value(mail.campaign)
    if mail.head:
        message["X-PBEM-Event"] = str(mail.event)
        message["X-PBEM-Head"] = header_value(mail.head)
    message.set_content(text, cte="quoted-printable")
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    if mail.board_png:
        page: Any = message.get_payload(1)
        page.add_related(b"", "image", "png", cid=f"<{mail.board_cid}>", disposition="inline", filename="board.png")
        page.get_payload()[1].set_payload(_base64(mail.board_png))
    return message


class _Message(EmailMessage):
    """A message that is written with its pictures in one piece: line by line they would take longer than all else."""

    def as_bytes(self, unixfrom: bool = False, policy: Policy | None = None) -> bytes:
        pictures = {
            f"picture-{token_hex(16)}": part
            for part in self.walk()
            if part.get_content_maintype() == "image" and part["Content-Transfer-Encoding"] == "base64"
        }
        encoded = {name: str(part.get_payload()) for name, part in pictures.items()}
        for name, part in pictures.items():
            part.set_payload(f"{name}\n")
        try:
            raw = super().as_bytes(unixfrom, policy)
        finally:
            for name, part in pictures.items():
                part.set_payload(encoded[name])
        end = (policy or self.policy).linesep
        for name, text in encoded.items():
            raw = raw.replace(f"{name}{end}".encode(), text.replace("\n", end).encode(), 1)
        return raw


_PICTURE = re.compile(r"(<a\b[^>]*>)?<img\b[^>]*\bsrc=\"cid:[^>]*>(?(1)</a>)")


def without_pictures(raw: bytes) -> bytes | None:
    """A mail that we have written, without its pictures: the board stands in its text. None where it has none."""
    message = message_from_bytes(raw, policy=POLICY)
    related: Any = next((part for part in message.walk() if part.get_content_type() == "multipart/related"), None)
    if related is None:
        return None
    first: Any = related.get_payload(0)
    page = _PICTURE.sub("", first.get_content())
    related.clear_content()
    related.set_content(page, subtype="html", cte="quoted-printable")
    return message.as_bytes()


@lru_cache(maxsize=16)  # some 500 KB each: the seats of a campaign mostly get the same picture
def _base64(content: bytes) -> str:
    """Bytes in base64, in lines of 76 characters (RFC 2045 section 6.8)."""
    encoded = b2a_base64(content, newline=False).decode()
    return "".join(f"{encoded[start : start + 76]}\n" for start in range(0, len(encoded), 76))


def render(mail: Mail) -> tuple[str, str, str]:
    """(subject, text, HTML) of a mail."""
    language = find_language(mail.language)
    subjects: dict[str, str] = {}
    texts: list[str] = []
    pages: list[Markup] = []
    for part in mail.parts:
        values = _values(mail, part, language)
        first, _, text = _environment(language.code, False).get_template(f"mail/{part.kind}.txt.j2").render(
            values
        ).lstrip("\n").partition("\n")  # fmt: skip
        subjects.setdefault(part.kind, first.strip())
        if text.strip():
            texts.append(_without_gaps(text))
        page = _environment(language.code, True).get_template(f"mail/{part.kind}.html.j2").render(values)
        if page.strip():
            pages.append(Markup(page.strip()))
    subject = _subject(mail, subjects, language)
    whole = _values(mail, mail.parts[0], language) | {"subject": subject}
    text = _environment(language.code, False).get_template("mail/layout.txt.j2").render(whole | {"bodies": texts})
    html = _environment(language.code, True).get_template("mail/layout.html.j2").render(whole | {"bodies": pages})
    return subject, _clean(_without_gaps(text)) + "\n", _clean(html.strip()) + "\n"


FELL = ("dropped", "stopped")
"""The kinds that tell of orders which will not be carried out."""


def _subject(mail: Mail, subjects: Mapping[str, str], language: Language) -> str:
    """The subject of a mail of several kinds: that its reader is asked stands first, unless it answers him; then what
    matters most, or who did what. That orders of his fell is told beside both, and stands before neither.

    `subjects`: those of its kinds.
    """
    said = _subject_of_all(mail, subjects, language)
    fell = next((subjects[kind] for kind in FELL if kind in subjects), "")
    return said if fell in said else f"{said} – {fell}"


def _subject_of_all(mail: Mail, subjects: Mapping[str, str], language: Language) -> str:
    first = min(subjects, key=lambda kind: KINDS[kind].subject)
    asks = any(KINDS[kind].asks for kind in subjects)
    if not mail.asks:
        return subjects[first]
    if "answer" in subjects:
        if not asks and not any(part.answer is not None and part.answer.ok for part in mail.parts):
            return subjects[first]
        return language.text("%(answer)s; now: %(question)s", answer=subjects[first], question=mail.asks[0].title)
    if not asks:
        move = language.text("Your move: %(question)s", question=mail.asks[0].title)
        return move if first in FELL else subjects[first]
    asking = min((kind for kind in subjects if KINDS[kind].asks), key=lambda kind: KINDS[kind].subject)
    question = subjects[asking]
    # What the question itself says is not told again: its own title, or that the talks before those now open are over.
    told = [
        kind for kind, said in subjects.items()
        if not KINDS[kind].asks and said and not question.endswith(said)
        and (asking, kind) != ("window_opening", "window_closed")
    ]  # fmt: skip
    if told:
        return f"{question} – {subjects[min(told, key=lambda kind: KINDS[kind].subject)]}"
    due = min((ask.deadline for ask in mail.asks if ask.deadline and not ask.answered), default=None)
    if due is None:
        return question
    by = language.short_moment(due, mail.zone)
    return language.text("%(question)s, by %(moment)s", question=question, moment=by)


def _values(mail: Mail, part: Part, language: Language) -> dict[str, Any]:
    def moment(when: datetime) -> str:
        return language.moment(when, mail.zone)

    def left(when: datetime) -> str:
        return language.span(when - mail.now)

    def until(when: str | datetime | None) -> str:
        if not when:
            return language.text("without a time limit")
        instant = datetime.fromisoformat(when) if isinstance(when, str) else when
        return language.text("by %(moment)s; %(left)s left when this mail was written", moment=moment(instant),
                             left=left(instant))  # fmt: skip

    def brief_moment(when: datetime) -> str:
        return f"{language.short_moment(when, mail.zone)} ({zone_name(mail.zone)})"

    def moment_of(when: str | None) -> str:
        return moment(datetime.fromisoformat(when)) if when else "?"

    return {
        "mail": mail, "part": part, "language": language, "moment": moment, "left": left,
        "moment_of": moment_of, "brief_moment": brief_moment,
        "until": until, "answer": part.answer, "headline": _headline(mail, part, language),
        "mailto": lambda body: _mailto(mail, str(body)),
    }  # fmt: skip


def _headline(mail: Mail, part: Part, language: Language) -> str:
    """What a report or an answer is about, in a few words."""
    if part.answer is not None:
        lines = part.answer.lines
        if not lines:
            return language.text("Your mail")
        states = [line.state for line in lines if line.state != "told" or line.reason]
        answered = len(lines) - len(states)
        done = sum(state in ("accepted", "queued") for state in states)
        if bad := [line for line in lines if line.state in ("refused", "unreadable")]:
            if done:
                return language.text("Partly accepted: %(done)s of %(all)s", done=done, all=len(states))
            if answered and len(bad) == len(states) and all(asks(line.order or line.line) for line in bad):
                return language.text("Partly answered: %(done)s of %(all)s", done=answered, all=len(lines))
            return language.text("Not accepted: please look at it again")
        if not states:
            return language.text("What you asked")
        if not done:
            return language.text("None of your orders was carried out")
        if done < len(states):
            return language.text("Carried out: %(done)s of %(all)s", done=done, all=len(states))
        if all(state == "queued" for state in states):
            return language.text("Your orders wait for their turn")
        if mail.is_in:
            return language.text("Your answer is in; it waits for the others")
        return language.text("Your orders are accepted")
    if part.about or not part.events:
        return part.about
    if not part.events[-1].paragraphs:
        return part.events[-1].title
    best = next((told for told in reversed(part.events) if any(_tells(one) for one in _sentences(told))), None)
    told = best or part.events[-1]
    if all(paragraph.kind == PHASE for paragraph in told.paragraphs):
        return _sentences(told)[-1]
    sentences = [one for one in _sentences(told) if _tells(one)] or _sentences(told)
    names = [name.casefold() for name in told.names]
    named = (one for one in sentences if not names or any(name in one.casefold() for name in names))
    who = next((name for name in told.names[1:] if name), told.power)
    by_whom = language.text("%(name)s: %(value)s", name=_begun(who), value=sentences[0])
    return _THROWN.sub("", next(named, by_whom))


def _sentences(told: Told) -> list[str]:
    """What is told of an event, by sentences; how a phase is called only where nothing else is told."""
    paragraphs = [paragraph for paragraph in told.paragraphs if paragraph.kind != PHASE] or told.paragraphs
    return [one for paragraph in paragraphs for one in sentences_of(paragraph)]


def sentences_of(paragraph: Paragraph) -> list[str]:
    """The sentences of a paragraph, without the marks that they end with."""
    return [one.rstrip(".:\u00a0\u202f ") for one in _SENTENCES.split(paragraph.text)]


def _tells(sentence: str) -> bool:
    """Whether a sentence tells what happened, and not only a throw, or how a number stands."""
    return not _FIGURES.search(sentence)


_FIGURES = re.compile(r"[⚀-⚅]|\d\s*→\s*-?\d|:\s*-?\d+$")
_THROWN = re.compile(r"\s*:[^:]*[⚀-⚅].*", re.DOTALL)


_SENTENCES = re.compile(r"(?<=[.!?])(?<!\b[^\W\d][.])(?<!\b[^\W\d_][a-zа-яё][.])\s|\n")
"""Between sentences: not behind an abbreviation of one letter or two."""


def _mailto(mail: Mail, body: str) -> str:
    """A link that opens a reply with `body` in it (RFC 6068)."""
    fields = {"subject": f"Re: [{mail.title}]", "body": body.strip().replace("\n", "\r\n") + "\r\n"}
    return f"mailto:{quote(mail.reply_to or mail.sender, safe='@')}?{urlencode(fields, quote_via=quote)}"


# --- headers ---------------------------------------------------------------------------------------------------------

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_ID = re.compile(r"[^\s<>]{1,250}")
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
_DOMAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f.:]+\]")


def header_value(text: str, limit: int = 300) -> str:
    """A text for a header field: one line whatever it was, and not too long."""
    value = " ".join(_CONTROL.sub(" ", text).split())
    return value if len(value) <= limit else value[: limit - 1].rstrip() + "…"


def _address(name: str, address: str) -> Address:
    local, at, domain = address.strip().rpartition("@")
    if not domain.isascii():
        try:
            domain = domain.encode("idna").decode("ascii")
        except UnicodeError:
            domain = ""
    if not at or not _LOCAL.fullmatch(local) or not _DOMAIN.fullmatch(domain):
        raise BadAddress("this is no address that mail can be sent to")
    return Address(header_value(name, 80), local, domain)


def check_address(address: str) -> None:
    """Raise `BadAddress` when no mail can be written to this address."""
    _address("", address)


def _id(value: str) -> str:
    """A Message-ID in angle brackets; whatever cannot be in one is left out."""
    message_id = _ID.search(_CONTROL.sub("", value))
    return f"<{message_id.group() if message_id else 'unknown'}>"


# --- templates -------------------------------------------------------------------------------------------------------


@cache
def _environment(language: str, autoescape: bool) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(resources.path("templates")),
        autoescape=autoescape,
        extensions=["jinja2.ext.i18n"],
        undefined=ChainableUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.install_gettext_translations(find_language(language).translations, newstyle=True)  # type: ignore[attr-defined]
    environment.filters.update(
        fold=_fold, underlined=_underlined, quoted=_quoted, listed=_listed, lines=_lines, dotted=_dotted, begun=_begun,
        unfolded=unfolded,
    )
    return environment


def _fold(text: Any, indent: str = "") -> str:
    """Text in lines of at most 76 columns; its own line breaks stay. A long word (a hash) stays whole."""
    follow = " " * len(indent)
    lines: list[str] = []
    for line in str(text).strip().split("\n"):
        wrapped = textwrap.wrap(
            marks.unbroken(line), COLUMNS, initial_indent=follow if lines else indent, subsequent_indent=follow,
            break_long_words=False, break_on_hyphens=False,
        ) or [""]  # fmt: skip
        lines += [one.replace(marks.NO_BREAK, " ") for one in wrapped]
    return "\n".join(lines)


def _underlined(text: Any, sign: str = "-") -> str:
    longest = max(len(line) for line in str(text).split("\n"))
    return f"{text}\n{sign * min(longest, COLUMNS)}"


def _quoted(text: Any) -> str:
    """A player's words, as a quotation."""
    lines = str(text).strip().split("\n")
    return "\n".join("> " + part for line in lines for part in (textwrap.wrap(line, COLUMNS - 2) or [""]))


@pass_context
def _listed(context: Context, items: Iterable[Any]) -> str:
    return context["language"].listed([str(item) for item in items])


def _begun(words: Any) -> str:
    """Words at the beginning of a sentence."""
    return str(words)[:1].upper() + str(words)[1:]


def _lines(html: Any) -> Markup:
    """HTML whose line breaks are to be seen."""
    return Markup(str(escape(html)).replace("\n", "<br>\n"))


def _dotted(words: Any, number: Any) -> str:
    """Words, dots and a number, to a line."""
    return f"{words} ".ljust(COLUMNS - 10, ".") + f" {number}"


def _without_gaps(text: str) -> str:
    """Text with at most one empty line in a row, and no blanks at the ends of lines but in the signature mark."""
    lines = [line if line == "-- " else line.rstrip() for line in text.strip("\n").split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


_NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def _clean(text: str) -> str:
    """Text without control characters (what players wrote may hold any), nor those that turn the direction of words."""
    return _NOT_TEXT.sub("", text)
