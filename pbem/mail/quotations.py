"""Where a letter ends and what it answers begins: quotations, attributions, blocks of mail headers, in any language.

Nothing here needs a language's words where the form is enough: a line with an address and a moment that ends with a
colon, a block of short names with colons and an address among the values, a rule of dashes. Words of
`pbem.mail.phrases` help where it is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from pbem.mail.markup import MARKER_WORDS
from pbem.mail.orderlike import begins_order, plain
from pbem.mail.phrases import DEVICES, DISCLAIMERS, LABELS, SENT, SENT_LAST, SIGN_OFFS, WROTE
from pbem.render.language import find_language, languages

LOOKED_AT = 400  # characters of a line

_QUOTED = re.compile(r"\s*(?:[A-Za-z]{0,3}>|\|(?=\s|\||>|$))")
_EMPTY_QUOTE = re.compile(r"[\s>|]*")
_RULE = re.compile(r"(?:[-_=~*#\u2500-\u257f]\s?){5,}")
_BETWEEN_DASHES = re.compile(r"(?:[-_=]{2,}|\*{3,})\s*[^-_=*\s].{0,240}?(?:[-_=]{2,}|\*{3,})\s*")
_SIGNATURE = re.compile(r"(?:[-_=~*#\u2500-\u257f+]\s?){2,4}")
_ADDRESS = re.compile(
    r"[^\s<>()\[\],;:\"]{1,100}@[^\s<>()\[\],;:\"]{1,190}\.[^\s<>()\[\],;:\"]|<[^<>\s]{1,100}@[^<>\s]{1,190}>|\[?mailto:"
)
_CLOCK = re.compile(r"(?<!\d)\d{1,2}\s?(?:[:.h\u6642\u65f6\u70b9]|uhr|시)\s?\d{2}(?!\d)|\d{1,2}\s?[ap]\.?m\b", re.I)
_DAY = re.compile(r"\b(?:19|20)\d\d\b|20\d\d\s?[\u5e74\ub144]|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b25\d\d\b")
_LABEL = re.compile(r"[*_|>\s]*(?P<name>[^\W\d_][^:\uff1a*_<>@\"]{0,28}?)\s?[*_]*\s?[:\uff1a]\s*[*_]*(?P<value>.*)")
_OPENS_ATTRIBUTION = re.compile(
    r"(?:-{2,}\s*)?(?:on|am|le|el|il|op|em|den|dne|d[nň]a|dnia|w dniu|v|la|pe|de|du|på|il giorno|il [a-z]+|no dia|a|"
    r"στις|в|у|на|az|\d{1,4}[./\s\u5e74-]|\w{2,4}[.,]\s?\d{1,2}|\"|<)",
    re.I,
)
_FORWARD = re.compile(
    r"(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-?mail)|inizio messaggio inoltrato|"
    r"début du message (?:réexpédié|transféré)|inicio del mensaje reenviado|início da mensagem reencaminhada|"
    r"begin doorgestuurd bericht|vidarebefordrat brev|начало переадресованного сообщения|"
    r"początek przekazywanej wiadomości)\s*:?",
    re.IGNORECASE,
)
_URL = re.compile(r"\W*(?:https?://|www\.)\S+\W*|[\W_]*(?:mailto:)?[\w.+-]+@[\w-]+(?:\.[\w-]+)+[\W_]*", re.I)
NAME_WORDS = 5


def is_quoted(line: str) -> bool:
    return bool(_QUOTED.match(line))


def is_empty_quote(line: str) -> bool:
    return bool(_EMPTY_QUOTE.fullmatch(line))


def is_marker(line: str, following: str = "") -> bool:
    """Whether the line that our mails begin with stands here, in any language; `following` holds the rest where it was
    wrapped."""
    folded = " ".join(line[:LOOKED_AT].casefold().split())
    for start, words in _markers():
        if words in folded:
            return True
        if start in folded:
            rest = following[:LOOKED_AT].casefold().lstrip("> ")
            if words in " ".join(f"{folded} {rest}".split()):
                return True
    return False


@cache
def _markers() -> list[tuple[str, str]]:
    """Of every language what the first line of our mails begins with, and the whole of what it says."""
    said = [find_language(code).text(MARKER_WORDS).casefold() for code in languages()]
    return [(" ".join(words.split()[:3]), words) for words in said]


def is_rule(line: str) -> bool:
    """Whether a rule stands here, alone or with words between its ends ("-----Original Message-----")."""
    line = line[:LOOKED_AT]
    if begins_order(plain(line)):
        return False
    return bool(_RULE.match(line) or _BETWEEN_DASHES.fullmatch(line) or _FORWARD.fullmatch(line))


def is_signature(line: str, written: str) -> bool:
    """Whether a signature begins here: the delimiter of RFC 3676 section 4.3 (some programs drop its space or make one
    long dash of it), or a short row of such signs."""
    return line == "--" or written.strip() in ("\u2014", "\u2013", "\u2015") or bool(_SIGNATURE.fullmatch(line))


def attribution_at(lines: Sequence[str], at: int, *, before_quotation: bool = False) -> int:
    """How many lines from `at` say who wrote what follows, and when; 0 when none do.

    `before_quotation`: a marked quotation follows, so that less is asked of the words.
    """
    first = lines[at][:LOOKED_AT]
    if begins_order(plain(first)):
        return 0
    joined = ""
    for number, line in enumerate(lines[at : at + 4], 1):
        if not line or is_quoted(line) or (number > 1 and begins_order(plain(line))):
            return 0
        joined = f"{joined} {line[:LOOKED_AT]}".strip()
        if number > 1 and not (_has_sign(first) or _OPENS_ATTRIBUTION.match(first)):
            return 0
        if _is_attribution(joined, before_quotation):
            return number
    return 0


def _has_sign(text: str) -> bool:
    return bool(_ADDRESS.search(text) or _CLOCK.search(text) or _DAY.search(text) or "<" in text)


def _is_attribution(text: str, before_quotation: bool) -> bool:
    ends = text.rstrip("\"'*_ ").endswith((":", "\uff1a", ";"))
    address, wrote = bool(_ADDRESS.search(text)), bool(WROTE.search(text))
    moment = bool(_CLOCK.search(text)) + bool(_DAY.search(text))
    if before_quotation:
        return (ends or wrote) and (address or moment > 0 or wrote)
    if ends:
        return (address and (moment > 0 or wrote)) or (wrote and moment > 0) or _names_a_day(text)
    return wrote and (address + moment) > 1


def _names_a_day(text: str) -> bool:
    """Whether "On Saturday, X wrote:" stands here: no address, no date, but no other sense either."""
    return bool(_OPENS_ATTRIBUTION.match(text)) and bool(re.search(rf"(?:{WROTE.pattern})\W*$", text, re.IGNORECASE))


@dataclass(frozen=True, slots=True)
class _HeaderLine:
    """What a line is as one of a block of headers: `name` of its field, or that the block `ends` above it."""

    ends: bool
    is_order: bool
    name: str | None
    has_address: bool
    has_moment: bool


@lru_cache(maxsize=1_000)  # each line is looked at from all those above it
def _header_line(line: str) -> _HeaderLine:
    is_order = begins_order(plain(line))
    label = None if is_order or not line else _LABEL.match(line)
    name = label["name"].strip().casefold() if label and len(label["name"].split()) <= 4 else None
    has_address, has_moment = bool(_ADDRESS.search(line)), bool(_DAY.search(line))
    return _HeaderLine(is_marker(line) or is_rule(line), is_order, name, has_address, has_moment)


def header_block_at(lines: Sequence[str], at: int) -> bool:
    """Whether a block of mail headers, as programs put it above what they quote, begins here."""
    names: list[str] = []
    has_address = has_moment = False
    others = 0
    for line in lines[at : at + 24]:
        header = _header_line(line[:LOOKED_AT])
        if header.ends:
            break
        if header.name is not None:
            names.append(header.name)
            others = 0
        elif not names:
            return False
        else:
            others += 1
            if others > 2 or header.is_order:
                break
        has_address = has_address or header.has_address
        has_moment = has_moment or header.has_moment
        if _is_header_block(names, has_address, has_moment):
            return True
    return False


def _is_header_block(names: list[str], has_address: bool, has_moment: bool) -> bool:
    if not names:
        return False
    known = len({name for name in names if name in LABELS})
    if known >= 3 or (known >= 2 and (has_address or has_moment)):
        return True
    return len(set(names)) >= 3 and has_address and (has_moment or known > 0)


def is_title(line: str, following: str) -> bool:
    """Whether a line is the title of one of our mails, which stands underlined."""
    return len(line) > 3 and following == "~" * len(line)


def is_device_line(line: str) -> bool:
    """Whether a program names itself, or a scanner's or company's notice, a link or an address alone stands here."""
    line = line[:LOOKED_AT]
    folded = line.casefold().strip(" *_-.\"'")
    if begins_order(plain(line)) and not folded.startswith(("sent", "send")):
        return False
    if _URL.fullmatch(line) or DISCLAIMERS.match(folded):
        return True
    if len(line) > 120:
        return False
    if any(folded.startswith(words) for words in SENT):
        return bool(DEVICES.search(folded))
    return len(line) <= 80 and bool(SENT_LAST.search(folded)) and bool(DEVICES.search(folded))


def is_sign_off(line: str) -> bool:
    """Whether a line closes a letter: "Best regards", also with a name behind it."""
    if len(line) > 60:
        return False
    folded = line.casefold().strip(_AROUND)
    if folded in _SIGN_OFFS:
        return True
    head, *name = re.split(r"[,.!]", line.strip(_AROUND), maxsplit=1)
    return bool(name) and head.casefold().strip(" !.") in _SIGN_OFFS and _is_name(name[0])


def _is_name(text: str) -> bool:
    """Whether a text is no more than somebody's name (``Otto von Habsburg``), in small letters one word of it."""
    words = text.strip(_AROUND).split()
    small = [word for word in words if word[:1].islower() and word not in _IN_NAMES]
    return len(words) <= NAME_WORDS and (not small or len(words) == 1)


_AROUND = " *_-.!,;~)(:\u3002\uff0c\uff01\u3001"
_IN_NAMES = frozenset(
    {"and", "et", "и", "de", "du", "da", "di", "van", "von", "der", "den", "the", "of", "la", "le", "your"}
)


def closes_with_name(line: str) -> bool:
    """Whether a line closes a letter, also where no comma stands before its writer's name (``Cheers Kate``)."""
    closing, _, name = line.strip(" ,.!-").rpartition(" ")
    return is_sign_off(line) or (name[:1].isupper() and name[1:].islower() and is_sign_off(closing))


_SIGN_OFFS = frozenset(SIGN_OFFS)
