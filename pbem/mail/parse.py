"""From the bytes of a mail to the lines that the player wrote.

``read_mail`` never raises: a mail that is damaged, too large, binary or hostile gives a Letter with `problems` and as
many order lines as can be trusted, often none.

What counts as written by the player
------------------------------------
- The text part; the HTML part only when there is no text. Attached mails and attachments are never read.
- If anything stands above the first quotation, only that counts (top posting). Text found further below is reported in
  `problems`, because it may be the broken tail of a quoted line.
- If nothing stands above it and the quotation is marked with ``>`` (in HTML: ``blockquote``), the unquoted paragraphs
  between and below the quotations count (bottom posting, interleaved). A line directly under a quoted one is taken for
  its broken tail and not read: such answers need an empty line before them.
- A quotation that nothing marks cannot be told from an answer: after an attribution, a block of mail headers, a rule of
  dashes or our own ``REPLY_MARKER`` nothing counts.
- All ends at a line END or at a signature. The first END below a line that begins a message (PRESS TO) ends that
  message only, and stays for the order reader.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parseaddr, parsedate_to_datetime

import lxml.html
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig
from mailparser_reply.parser import EmailMessage

REPLY_MARKER = "-- write your orders above this line --"
"""A line of our outgoing mails: the player's words stand above it."""

REPLY_LANGUAGES = ("en", "de", "fr", "it", "es")  # those of the players' languages that mail-parser-reply knows

TEXT_LIMIT = 256 * 1024  # characters of text that are looked at
HTML_LIMIT = 384 * 1024  # characters of HTML that are looked at
ELEMENTS_LIMIT = 20_000  # of HTML: laying out more takes seconds; a reply with a long report has a tenth of it
SAMPLE_LIMIT = 20_000  # characters given to the reply parser, whose expressions take quadratic time
SAMPLE_LINE_LIMIT = 200  # longer lines are replaced by a short stand-in there
HEADER_LIMIT = 10_000  # characters of one header that are looked at
DEPTH_LIMIT = 50  # parts within parts
CONTENT_TYPE_LIMIT = 4_000  # bytes of one Content-Type field: the stdlib parser takes quadratic time
BOUNDARY_LIMIT = 50  # parameters "boundary=" in the whole mail: the stdlib parser recurses and tests each line for each
LINE_LIMIT = 400_000  # lines of the whole mail: 10 MB of base64 are 140,000
REFERENCES_LIMIT = 50

TOO_LONG = "the text is too long to be read"

_MARKER_WORDS = REPLY_MARKER.strip("- ")
_ATTACHED_TEXT = "Attachments and attached mails are not read."


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail as the order reader needs it.

    `lines` are the player's own non-empty lines, cleaned; `full_text` is the whole text with quotations; `problems` are
    sentences for the answer to the sender. `message_id`, `in_reply_to` and `references` keep their angle brackets.
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


@dataclass(slots=True)
class _Text:
    """Text of a mail on its way: as read, shortened or not, and with the quotations of HTML turned to ``>`` lines."""

    full: str = ""
    answer: str = ""
    shortened: bool = False
    problems: list[str] = field(default_factory=list)


def read_mail(raw: bytes, envelope_from: str | None = None) -> Letter:
    """The letter in the bytes `raw` of a mail (RFC 5322, MIME).

    `envelope_from` is the sender of the SMTP envelope if it is known; "" or "<>" is the null sender of bounces.
    Never raises.
    """
    problems: list[str] = []
    message = _parse(raw, problems)
    text = _text_of(message, problems)
    lines = _written_lines(text, problems)
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
    boundaries = sum(1 for _ in _BOUNDARY.finditer(raw))
    if boundaries <= BOUNDARY_LIMIT and raw.count(b"\n") + raw.count(b"\r") <= 2 * LINE_LIMIT:
        try:
            return message_from_bytes(_CONTENT_TYPE.sub(lambda found: found.group()[:CONTENT_TYPE_LIMIT], raw))
        except (RecursionError, ValueError, LookupError, TypeError, AttributeError) as error:
            problems.append(f"The mail is damaged and was not read ({type(error).__name__}).")
    else:
        problems.append("The mail has too many lines or parts and was not read.")
    message = headers_of(raw.partition(b"\r\n\r\n")[0].partition(b"\n\n")[0])
    for name in ("Content-Type", "Content-Transfer-Encoding"):
        del message[name]
    message.set_payload("")
    return message


def _text_of(message: Message, problems: list[str]) -> _Text:
    """The text of the mail: all its text parts, or if these are empty, its HTML parts."""
    plain, html, others, damaged = _text_parts(message)
    if damaged:
        problems.append("The mail is damaged (broken MIME); what could be read of it was taken.")
    for parts, read in ((plain, _plain_text), (html, _html_text)):
        text = _Text(problems=problems)
        for part in parts:
            read(part, text)
        if text.answer.strip():
            return text
    if others:
        problems.append(f"The mail holds no text. {_ATTACHED_TEXT}")
    return _Text(problems=problems)


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
            waiting.extend((child, depth + 1) for child in reversed(part.get_payload()))
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
        content = part.get_payload(decode=True) or b""
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
_INVISIBLE = "script, style, head, template, noscript, iframe, object, svg, math"
_QUOTE_STARTS = (
    "//*[@id='divRplyFwdMsg' or @id='appendonsend' or @id='mail-editor-reference-message-container' or "
    "contains(@class, 'moz-forward-container')]"
)
_QUOTE_ATTRIBUTIONS = "//*[contains(@class, 'gmail_attr') or contains(@class, 'moz-cite-prefix')]"
_HTML_CONFIG = ParserConfig(css=CSS_PROFILES["strict"], display_links=False, display_images=False)


def _html_text(part: Message, text: _Text) -> None:
    content = _DATA_IMAGE.sub("", _decoded(part, text.problems)).replace("\0", "")
    content = re.sub(r"\A\s*<\?xml[^>]*>", "", _limited(content, HTML_LIMIT, text))
    if not content.strip():
        return
    try:
        tree = lxml.html.document_fromstring(content)
        if sum(1 for _ in tree.iter()) > ELEMENTS_LIMIT:
            text.problems.append("The HTML of the mail has too many parts to be read. Please send plain text.")
            return
        _simplify(tree)
        full = Inscriptis(tree, _HTML_CONFIG).get_text()
        _mark_quotations(tree)
        answer = Inscriptis(tree, _HTML_CONFIG).get_text()
    except (lxml.etree.LxmlError, RecursionError, ValueError, LookupError, TypeError, AttributeError) as error:
        text.problems.append(f"The HTML of the mail cannot be read ({type(error).__name__}). Please send plain text.")
        return
    text.full += _limited(full, TEXT_LIMIT, text) + "\n"
    text.answer += _limited(answer, TEXT_LIMIT, text) + "\n"


def _simplify(tree: lxml.html.HtmlElement) -> None:
    """Drop what the sender did not see as text, and the attributes that could blow up the layout."""
    for element in list(tree.iter()):
        if not isinstance(element.tag, str):
            element.drop_tree() if element.getparent() is not None else None
            continue
        style = (element.get("style") or "").replace(" ", "").lower()
        if element.get("hidden") is not None or "display:none" in style or "visibility:hidden" in style:
            if element.getparent() is not None:
                element.drop_tree()
            continue
        if element.tag in ("ul", "ol", "li"):
            element.tag = "div"  # no bullets or numbers in front of an order
        for name in ("style", "align", "valign"):
            element.attrib.pop(name, None)
    for element in tree.xpath(" | ".join(f"//{tag.strip()}" for tag in _INVISIBLE.split(","))):
        if element.getparent() is not None:
            element.drop_tree()


def _mark_quotations(tree: lxml.html.HtmlElement) -> None:
    """Put a ``>`` line in the place of every quotation that HTML marks, and our marker where an unmarked one starts."""
    for element in tree.xpath(_QUOTE_STARTS):
        element.insert(0, _paragraph(REPLY_MARKER))
        element[0].tail, element.text = element.text, None
    for element in tree.xpath(f"//blockquote | {_QUOTE_ATTRIBUTIONS}"):
        parent = element.getparent()
        if parent is not None:
            quote = _paragraph("> quotation")
            quote.tail = element.tail
            parent.replace(element, quote)


def _paragraph(text: str) -> lxml.html.HtmlElement:
    paragraph = lxml.html.Element("p")
    paragraph.text = text
    return paragraph


# --- the player's own lines -----------------------------------------------------------------------------------------

_QUOTED = re.compile(r"\s*>")
_EMPTY_QUOTE = re.compile(r"[\s>]*")
_RULE = re.compile(r"[-_]{5,}")
_MESSAGE = re.compile(r"PRESS\s+TO\b", re.IGNORECASE)
_MOMENT = re.compile(r"\b\d{1,2}[:.h]\d{2}\b|\b20\d\d\b")  # a time of day, or a year
_ATTRIBUTION_SIGNS = re.compile(rf"@|{_MOMENT.pattern}")

_REPLACED = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006", " ")
    | dict.fromkeys("\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " ")
)
# Controls, zero-width and other format characters, variation selectors, lone surrogates, private use.
_REMOVED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def normalise_line(line: str) -> str:
    """A line as the order reader gets it: NFC, plain spaces, quotes and dashes, nothing invisible, no outer blanks."""
    return unicodedata.normalize("NFC", _REMOVED.sub("", line.translate(_REPLACED))).strip()


def _written_lines(text: _Text, problems: list[str]) -> list[str]:
    """The order lines of a text, as the docstring of this module says."""
    if _is_binary(text.answer):
        problems.append("The mail holds binary data instead of text and was not read.")
        return []
    written = text.answer.splitlines()
    lines = [normalise_line(line) for line in written]
    messages = _Messages()
    ends = (i for i, line in enumerate(lines) if not messages.ends(line) and _ends_part(line, written[i]))
    end = next(ends, len(lines))
    quoted = end < len(lines) and _is_quoted(lines[end])
    above_quotation = quoted or (end < len(lines) and _is_marker(lines[end]))
    top = _own_words(lines[:end], above_quotation, problems)
    if top is None or (text.shortened and end == len(lines)):
        problems.append(f"No order was read: {TOO_LONG}.")
        return []
    if top:
        if quoted and any(_below_quotations(lines[end:], written[end:], problems)):
            problems.append("Text below a quotation was not read, since there is text above it.")
        return top
    if quoted and not text.shortened:
        below = _own_words(_below_quotations(lines[end:], written[end:], problems), False, problems)
        if below is None:
            problems.append(f"No order was read: {TOO_LONG}.")
        return below or []
    if above_quotation:
        problems.append("Nothing is written above the quotation.")
    return []


def _is_binary(text: str) -> bool:
    odd = text.count("\0") + text.count("\ufffd") + len(re.findall("[\x01-\x08\x0e-\x1f\x7f]", text))
    return "\0" in text or odd * 10 > len(text)


def _is_quoted(line: str) -> bool:
    return bool(_QUOTED.match(line))


def _is_marker(line: str) -> bool:
    return _MARKER_WORDS in " ".join(line.casefold().split())


def _ends_letter(line: str, written: str) -> bool:
    """Whether the letter ends here: END, or the signature delimiter (RFC 3676 section 4.3; some programs drop its space
    or make one long dash of it)."""
    return line.casefold() == "end" or line == "--" or written.strip() == "\u2014"


class _Messages:
    """Which END belongs to a message that was begun above it. Ask with each line in its order."""

    def __init__(self) -> None:
        self._is_open = False

    def ends(self, line: str) -> bool:
        """Whether this line ends an open message, and so not the letter."""
        is_end = line.casefold() == "end"
        belongs = is_end and self._is_open
        self._is_open = not is_end and (self._is_open or bool(_MESSAGE.match(line)))
        return belongs


def _ends_part(line: str, written: str) -> bool:
    return _ends_letter(line, written) or _is_quoted(line) or _is_marker(line) or bool(_RULE.match(line))


def _below_quotations(lines: list[str], written: list[str], problems: list[str]) -> list[str]:
    """The unquoted paragraphs between and below quoted lines; a line right under a quoted one belongs to the quote."""
    found: list[str] = []
    in_quote, messages = False, _Messages()
    for line, original in zip(lines, written, strict=True):
        belongs = not _is_quoted(line) and messages.ends(line)
        if _is_quoted(line):
            found = _without_attribution(found)
            in_quote = not _EMPTY_QUOTE.fullmatch(line)
        elif belongs:
            found.append(line)
        elif _ends_letter(line, original) or _is_marker(line) or _RULE.match(line):
            break
        elif not line:
            in_quote = False
            found.append("")
        elif in_quote:
            problems.append("A line directly below a quotation was not read; leave an empty line between them.")
        else:
            found.append(line)
    return found


def _without_attribution(lines: list[str]) -> list[str]:
    """`lines` without the one or two lines "… wrote:" that a mail program, in any language, puts before a quotation."""
    kept = list(lines)
    while kept and not kept[-1]:
        kept.pop()
    if not kept or not kept[-1].endswith(":"):
        return lines
    last, before = kept[-1], kept[-2] if len(kept) > 1 else ""
    is_broken = before.rfind("<") > before.rfind(">") or (_MOMENT.search(before) and not _MOMENT.search(last))
    if is_broken and _ATTRIBUTION_SIGNS.search(f"{before} {last}"):
        return kept[:-2]
    return kept[:-1] if _ATTRIBUTION_SIGNS.search(last) else lines


# Its expressions are made when it first reads, and go over to the copies that read the mails.
_REPLY_READER = EmailMessage(text="", languages=list(REPLY_LANGUAGES), keep_hyphen_lists=True).read()


def _own_words(lines: list[str], above_quotation: bool, problems: list[str]) -> list[str] | None:
    """The non-empty lines before the first attribution or signature that mail-parser-reply finds; None if too long."""
    if above_quotation:
        lines = _without_attribution(lines)
    stand_ins: dict[str, str] = {}
    sample: list[str] = []
    for line in lines:
        if not line and (not sample or not sample[-1]):
            continue  # a long run of empty lines takes the reply parser minutes
        if len(line) > SAMPLE_LINE_LIMIT:
            stand_in = f"\ue000{len(stand_ins)}\ue001"  # private use: normalise_line has removed these from all lines
            stand_ins[stand_in] = line
            line = stand_in
        sample.append(line)
    text = "\n".join(sample)
    if len(text) > SAMPLE_LIMIT:
        return None
    first = replace(_REPLY_READER, text=text, replies=[]).read().replies[0]
    if first.headers:
        return []
    own = (line.strip() for line in first.body.split("\n"))
    return [stand_ins.get(line, line) for line in own if line]


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
        found = parseaddr(value[:2000])[1]
    except (RecursionError, ValueError, IndexError, TypeError, AttributeError):
        found = ""
    if not _ADDRESS.fullmatch(found):
        found = next(iter(_ADDRESS.findall(value)), "")
    return found if len(found) <= 254 else ""  # RFC 5321 section 4.5.3.1.3


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
