"""From the bytes of a mail to the lines that the player wrote.

``read_mail`` never raises: a mail that is damaged, too large, binary or hostile gives a Letter with `problems` and as
many order lines as can be trusted, often none.

The text part is read, and the HTML part only when there is no text; beside a text it shows where that was wrapped. What
of it counts as the player's own words says `pbem.mail.written`. Attached mails and attachments are never read.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parseaddr, parsedate_to_datetime
from typing import cast

import lxml.etree

from pbem.mail.markup import REPLY_MARKER, TooManyParts, html_text
from pbem.mail.written import Written, normalise_line, squashed, written_lines

__all__ = ["REPLY_MARKER", "Letter", "decode_text", "headers_of", "normalise_line", "read_mail", "unflow"]

TEXT_LIMIT = 256 * 1024  # characters of text that are looked at
STAND_IN_LIMIT = 600  # characters of a text that only says that there is HTML
HTML_LIMIT = 384 * 1024  # characters of HTML that are looked at
HEADER_LIMIT = 10_000  # characters of one header that are looked at
DEPTH_LIMIT = 50  # parts within parts
CONTENT_TYPE_LIMIT = 4_000  # bytes of one Content-Type field: the stdlib parser takes quadratic time
BOUNDARY_LIMIT = 50  # parameters "boundary=" in the whole mail: the stdlib parser recurses and tests each line for each
LINE_LIMIT = 400_000  # lines of the whole mail: 10 MB of base64 are 140,000
SHORT_LINE_LIMIT = 40_000  # lines of a mail whose lines are short on the average: no picture, and no text that is read
SHORT = 40  # octets; lines of base64 have 76
HEADER_LINE_LIMIT = 2_000  # lines before the first blank one: long ways through many servers have some 200
PART_LIMIT = 1_000  # lines that may begin a part; each costs the stdlib parser what a hundred lines do
REFERENCES_LIMIT = 50

_ATTACHED_TEXT = "Attachments and attached mails are not read."


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail as the order reader needs it.

    `lines` are the player's own lines, cleaned, empty ones only within a message; `left_out` what of his words can be
    no order; `full_text` is the whole text with quotations; `problems` are sentences for the answer to the sender.
    `message_id`, `in_reply_to` and `references` keep their angle brackets.
    `content_key` is equal for two deliveries of the same mail (the seat is to be compared as well).
    """

    message_id: str | None
    in_reply_to: str | None
    references: list[str]
    sender: str
    subject: str
    date: datetime | None
    lines: list[str]
    full_text: str
    is_automatic: bool
    automatic_reason: str
    problems: list[str]
    content_key: str
    left_out: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Text:
    """Text of a mail on its way: as read, shortened or not, and with the quotations of HTML turned to ``>`` lines."""

    full: str = ""
    answer: str = ""
    shortened: bool = False
    problems: list[str] = field(default_factory=list)


def read_mail(raw: bytes, envelope_from: str | None = None, game: str | None = None) -> Letter:
    """The letter in the bytes `raw` of a mail (RFC 5322, MIME).

    `envelope_from` is the sender of the SMTP envelope if it is known; "" or "<>" is the null sender of bounces. `game`
    is what its campaign plays, if that is known.
    Never raises.
    """
    problems: list[str] = []
    message = _parse(raw, problems)
    text, written = _read(message, problems, game)
    lines = written.lines
    if not lines and not problems:
        problems.append("The mail is empty: it holds no line of yours.")
    message_id = _first_id(message, "Message-ID")
    reason = automatic_reason(message, envelope_from)
    return Letter(
        message_id=message_id,
        in_reply_to=_first_id(message, "In-Reply-To"),
        references=_ids(_header(message, "References"))[-REFERENCES_LIMIT:],
        sender=_sender(message, problems),
        subject=header_text(message, "Subject"),
        date=_date(message),
        lines=lines,
        full_text=_storable(text.full),
        is_automatic=bool(reason),
        automatic_reason=reason,
        problems=list(dict.fromkeys(problems)),
        content_key=content_key(message_id, _header(message, "Date"), lines),
        left_out=written.left_out,
    )


def content_key(message_id: str | None, date: str, lines: list[str]) -> str:
    """SHA-256 (hex) of what makes two mails of one seat the same (design section 6).

    Message-ID and order lines; without a Message-ID the Date header as written and the order lines.
    """
    identity = ["message-id", message_id] if message_id else ["date", date]
    canonical = json.dumps([*identity, lines], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def headers_of(raw: bytes) -> Message:
    """The header fields of a mail alone, without looking at its body."""
    return BytesHeaderParser().parsebytes(raw)


# --- MIME -----------------------------------------------------------------------------------------------------------


_BOUNDARY = re.compile(rb"boundary", re.IGNORECASE)
_CONTENT_TYPE = re.compile(rb"^content-type[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)


def _parse(raw: bytes, problems: list[str]) -> Message:
    """The MIME tree of `raw`; of a mail nested too deeply only the header, with an empty body."""
    if _is_readable(raw):
        try:
            return message_from_bytes(_CONTENT_TYPE.sub(lambda header: header.group()[:CONTENT_TYPE_LIMIT], raw))
        except (RecursionError, ValueError, LookupError, TypeError, AttributeError) as error:
            problems.append(f"The mail is damaged and was not read ({type(error).__name__}).")
    else:
        problems.append("The mail has too many lines or parts and was not read.")
    message = headers_of(b"\n".join(_header_of(raw).splitlines()[:HEADER_LINE_LIMIT]))
    for name in ("Content-Type", "Content-Transfer-Encoding"):
        del message[name]
    message.set_payload("")
    return message


def _is_readable(raw: bytes) -> bool:
    """Whether parsing a mail costs little: counted in its bytes, before anything is made of them."""
    lines = raw.count(b"\n") + raw.replace(b"\r\n", b"").count(b"\r")
    return (
        sum(1 for _ in _BOUNDARY.finditer(raw)) <= BOUNDARY_LIMIT
        and lines <= (LINE_LIMIT if len(raw) >= SHORT * lines else SHORT_LINE_LIMIT)
        and raw.count(b"\n--") + raw.count(b"\r--") <= PART_LIMIT
        and len(_header_of(raw).splitlines()) <= HEADER_LINE_LIMIT
    )


def _header_of(raw: bytes) -> bytes:
    """What stands before the first blank line."""
    return raw.partition(b"\r\n\r\n")[0].partition(b"\n\n")[0]


def _read(message: Message, problems: list[str], game: str | None) -> tuple[_Text, Written]:
    """The text of the mail, and what its sender wrote of it: all its text parts, or if these are empty, its HTML."""
    plain, html, others, damaged = _text_parts(message)
    if damaged:
        problems.append("The mail is damaged (broken MIME); what could be read of it was taken.")
    text = _Text(problems=problems)
    for part in plain:
        _plain_text(part, text)
    if not text.answer.strip():
        text = _Text(problems=problems)
        for part in html:
            _html_text(part, text)
        if not text.answer.strip() and others:
            problems.append(f"The mail holds no text. {_ATTACHED_TEXT}")
        written = _of_html(text, game)
    else:
        written = (
            _compared(text, html, game) if html
            else written_lines(text.answer, shortened=text.shortened, game=game)
        )  # fmt: skip
    problems += written.problems
    return text, written


def _compared(text: _Text, html: list[Message], game: str | None) -> Written:
    """What was written, of a text with HTML beside it, which shows what was wrapped, and how much is quoted."""
    beside = _Text()
    for part in html:
        _html_text(part, beside)
    shown = _of_html(beside, game)
    lines = shown.lines + shown.left_out
    written = written_lines(text.answer, shortened=text.shortened, beside=lines, game=game)
    if (
        not written.has_order
        and shown.has_order
        and len(text.answer) < STAND_IN_LIMIT
        and not _QUOTES.search(text.answer)
    ):
        return shown  # "this mail needs a program that shows HTML"
    if shown.has_order and _are_glued(written, shown):
        return shown
    is_marked = REPLY_MARKER in beside.answer or "> quotation" in beside.answer
    return _cut_as(written, shown) if is_marked and shown.has_order else written


def _of_html(text: _Text, game: str | None) -> Written:
    """What was written of a text that was HTML: it does not tell an empty line from the end of a paragraph."""
    written = written_lines(text.answer, shortened=text.shortened, game=game)
    written.lines = [line for line in written.lines if line]
    return written


_QUOTES = re.compile(r"^\s*[>|]|@|-{3}|_{5}", re.MULTILINE)


def _are_glued(written: Written, shown: Written) -> bool:
    """Whether the text runs together what HTML has as lines of their own: an order, and the name of a program."""
    own = [squashed(line) for line in written.lines + written.left_out if line]
    lines = [squashed(line) for line in shown.lines]
    return (
        len(own) < len(lines) + len(shown.left_out)
        and any(squashed(line) not in lines for line in written.lines)
        and all(any(line in one for one in own) for line in lines)
    )


def _cut_as(written: Written, shown: Written) -> Written:
    """`written` without the lines at its end that HTML marks as quoted, as far as the two agree."""
    wanted = squashed("".join(shown.lines))
    taken = ""
    for place, line in enumerate(written.lines):
        if taken == wanted:
            return Written(written.lines[:place], written.left_out + written.lines[place:], written.problems)
        taken += squashed(line)
        if not wanted.startswith(taken):
            break
    return written


def _text_parts(message: Message) -> tuple[list[Message], list[Message], bool, bool]:
    """(text parts, HTML parts, whether there are other parts, whether the MIME form is broken), in the mail's order."""
    plain: list[Message] = []
    html: list[Message] = []
    others = damaged = False
    waiting = [(message, 0)]
    while waiting:
        part, depth = waiting.pop()
        damaged = damaged or bool(part.defects)
        kind = part.get_content_type()
        if kind.startswith("message/") or depth > DEPTH_LIMIT:
            others = True
        elif part.is_multipart():
            waiting.extend((child, depth + 1) for child in reversed(cast(list[Message], part.get_payload())))
        elif kind not in ("text/plain", "text/html") or _is_attachment(part):
            others = others or not kind.startswith("multipart/")
        else:
            (plain if kind == "text/plain" else html).append(part)
    return plain, html, others, damaged


def _is_attachment(part: Message) -> bool:
    disposition = _header(part, "Content-Disposition").strip().lower()
    return disposition.startswith("attachment") or "filename" in disposition


def _plain_text(part: Message, text: _Text) -> None:
    content = _limited(_decoded(part, text.problems), TEXT_LIMIT, text)
    parameters = _header(part, "Content-Type").lower()
    if re.search(r"format\s*=\s*\"?flowed", parameters):
        content = unflow(content, delete_space=bool(re.search(r"delsp\s*=\s*\"?yes", parameters)))
    text.full += content + "\n"
    text.answer += content + "\n"


def _limited(content: str, limit: int, text: _Text) -> str:
    if len(content) > limit:
        text.shortened = True
        return content[:limit]
    return content


def _decoded(part: Message, problems: list[str]) -> str:
    """The characters of a text part; whatever its charset or encoding claims, something readable comes back."""
    try:
        content = cast(bytes, part.get_payload(decode=True) or b"")
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        problems.append(f"A part of the mail has a broken encoding and was not read ({type(error).__name__}).")
        return ""
    try:
        charset = part.get_content_charset("") or ""
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        problems.append(f"The charset of the mail cannot be read ({type(error).__name__}).")
        charset = ""
    return decode_text(content, charset, problems)


_SINGLE_BYTE = {"ascii", "iso8859-1", "cp1252"}
_CHARSET_SUPERSETS = {"ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}
# Codecs of Python that are no mail charsets: some take quadratic time, some run escapes.
_NOT_CHARSETS = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}


def decode_text(content: bytes, charset: str, problems: list[str]) -> str:
    """`content` as text, by `charset` if that is known and fits, else as UTF-8, else as Windows-1252.

    A wrong charset is noted in `problems`. Latin text that is valid UTF-8 is read as UTF-8, since mail programs that
    declare the one and send the other are common and the opposite accident is not.
    """
    name = _codec_name(charset)
    if charset and not name:
        problems.append(f"The charset of the mail is unknown ({_printable(charset)[:40]}).")
    if not content.isascii() and name in _SINGLE_BYTE | {""}:
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            name = name or "cp1252"
        else:
            if name:
                problems.append(f"The charset of the mail is not {name}; it was read as UTF-8.")
            return text
    try:
        return content.decode(_CHARSET_SUPERSETS.get(name, name) or "utf-8")
    except (ValueError, TypeError):
        problems.append(f"The mail is not in the charset that it claims ({name}); check names with accents.")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _codec_name(charset: str) -> str:
    """Python's name of a charset for text, or "" when there is none."""
    try:
        codec = codecs.lookup(charset.strip("'\" ")) if charset else None
    except (LookupError, ValueError, TypeError):
        return ""
    if codec is None or codec.name.replace("-", "_") in _NOT_CHARSETS or not codec._is_text_encoding:
        return ""
    return codec.name


def unflow(text: str, *, delete_space: bool = False) -> str:
    """Text of format=flowed as whole paragraphs (RFC 3676 section 4): soft breaks joined, stuffing removed.

    `delete_space` is DelSp=yes: the space that marked the soft break goes away. Lines of different quote depth are
    never joined, and the signature line "-- " is never flowed (section 4.3). Quoted lines keep one mark per level.
    """
    done: list[tuple[int, list[str]]] = []  # quote depth and pieces of each paragraph
    open_depth: int | None = None
    for line in text.splitlines():
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        is_signature = content == "-- "
        is_soft = content.endswith(" ") and not is_signature
        kept = content[:-1] if is_soft and delete_space else content
        if open_depth == depth and not is_signature:
            done[-1][1].append(kept)
        else:
            done.append((depth, [kept]))
        open_depth = depth if is_soft else None
    return "\n".join(f"{'>' * depth} {''.join(pieces)}" if depth else "".join(pieces) for depth, pieces in done)


# --- HTML -----------------------------------------------------------------------------------------------------------

_DATA_IMAGE = re.compile(r"data:[^\"'>\s]{100,}", re.IGNORECASE)


def _html_text(part: Message, text: _Text) -> None:
    content = _DATA_IMAGE.sub("", _decoded(part, text.problems)).replace("\0", "")
    content = re.sub(r"\A\s*<\?xml[^>]*>", "", _limited(content, HTML_LIMIT, text))
    if not content.strip():
        return
    try:
        full, answer = html_text(content)
    except TooManyParts:
        text.problems.append("The HTML of the mail has too many parts to be read. Please send plain text.")
    except (lxml.etree.LxmlError, RecursionError, ValueError, LookupError, TypeError, AttributeError) as error:
        text.problems.append(f"The HTML of the mail cannot be read ({type(error).__name__}). Please send plain text.")
    else:
        text.full += _limited(full, TEXT_LIMIT, text) + "\n"
        text.answer += _limited(answer, TEXT_LIMIT, text) + "\n"


# --- automatic mail -------------------------------------------------------------------------------------------------

_AUTOMATIC_HEADERS = ("X-Autoreply", "X-Autorespond", "X-Autoresponder", "X-Mail-Autoreply", "X-Auto-Reply")
_WEAK_HEADERS = ("X-Auto-Response-Suppress", "X-MS-Exchange-Inbox-Rules-Loop", "X-Vacation", "X-Loop", "List-Id")
_VACATION_SUBJECT = re.compile(
    r"out of (the )?office|auto(matic)?[ -]?(reply|response)|automatische antwort|abwesen|vacation|on leave|"
    r"absence|absent du bureau|réponse automatique|risposta automatica|fuori sede|respuesta automática|"
    r"fuera de (la )?oficina|автоответ|автоматический ответ|вне офиса|undeliver|delivery status|mail delivery|"
    r"returned mail",
    re.IGNORECASE,
)


def automatic_reason(message: Message, envelope_from: str | None = None) -> str:
    """Why this mail was written by a program, or "" when it seems to come from a person.

    Answering such a mail could start a loop (RFC 3834 section 2), so it gets silence. A subject alone proves nothing;
    it counts only together with a header that programs set.
    """
    if envelope_from is not None and envelope_from.strip() in ("", "<>"):
        return "null sender"
    if any(value.strip() == "<>" for value in _headers(message, "Return-Path")):
        return "null sender (Return-Path)"
    submitted = re.split(r"[\s;(]", _header(message, "Auto-Submitted").strip().lower())[0]
    if submitted and submitted != "no":
        return f"Auto-Submitted: {submitted[:40]}"  # RFC 3834 section 5
    kind = message.get_content_type()
    if kind == "multipart/report" or kind in ("message/delivery-status", "message/disposition-notification"):
        return f"a report ({kind})"  # RFC 3464, RFC 8098
    precedence = _header(message, "Precedence").strip().lower()
    if precedence in ("bulk", "junk", "list", "auto_reply"):
        return f"Precedence: {precedence}"
    for name in _AUTOMATIC_HEADERS:
        if _header(message, name).strip().lower() not in ("", "no", "false"):
            return name
    if re.match(r"mailer-daemon@", sender_address(_header(message, "From")), re.IGNORECASE):
        return "sent by a mail system"
    if _VACATION_SUBJECT.search(header_text(message, "Subject")):
        for name in _WEAK_HEADERS:
            if _header(message, name):
                return f"subject of an automatic reply, with {name}"
    return ""


# --- header fields --------------------------------------------------------------------------------------------------

_ID = re.compile(r"<[^<>\s]{1,500}>")
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"\\@]{1,64}@[^\s<>()\[\],;:\"\\@]{1,190}")


def _headers(message: Message, name: str) -> list[str]:
    """The values of a header field, unfolded, bytes above 127 read as UTF-8, without control characters."""
    wanted = name.lower()
    values = (str(value)[:HEADER_LIMIT] for key, value in message.raw_items() if key.lower() == wanted)
    return [_printable(value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")).strip() for value in values]


def _header(message: Message, name: str) -> str:
    """The first value of a header field, or ""."""
    return next(iter(_headers(message, name)), "")


def _printable(text: str) -> str:
    return re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+", " ", text)


def _storable(text: str) -> str:
    """`text` without what databases refuse: NUL and lone surrogates (which UTF-7 can hold)."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def header_text(message: Message, name: str) -> str:
    """A header field for people to read: encoded words (RFC 2047) decoded, one line, no control characters."""
    value = _header(message, name)
    if "=?" not in value:
        return normalise_line(value)
    try:
        pieces = decode_header(value)
    except (HeaderParseError, ValueError, LookupError, TypeError):
        return normalise_line(value)
    decoded = (piece if isinstance(piece, str) else decode_text(piece, charset or "", []) for piece, charset in pieces)
    return normalise_line(_printable("".join(decoded)))


def _ids(value: str) -> list[str]:
    return _ID.findall(value)


def _first_id(message: Message, name: str) -> str | None:
    return next(iter(_ids(_header(message, name))), None)


def sender_address(value: str) -> str:
    """The address in a header field such as From, or "" when there is none that could be written to."""
    try:
        address = parseaddr(value[:2000])[1]
    except (RecursionError, ValueError, IndexError, TypeError, AttributeError):
        address = ""
    if not _ADDRESS.fullmatch(address):
        address = next(iter(_ADDRESS.findall(value)), "")
    return address if len(address) <= 254 else ""  # RFC 5321 section 4.5.3.1.3


def _sender(message: Message, problems: list[str]) -> str:
    sender = sender_address(_header(message, "From"))
    if not sender:
        problems.append("The mail names no sender that can be answered.")
    return sender


def _date(message: Message) -> datetime | None:
    try:
        date = parsedate_to_datetime(_header(message, "Date"))
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError, AttributeError):
        return None  # the date is what the sender claims; lateness is judged by when we received the mail
