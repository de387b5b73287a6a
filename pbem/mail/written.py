"""The player's own lines in the text of a mail.

What counts as written by the player
------------------------------------
- If anything stands above the first quotation, only that counts (top posting), unless none of it can be an order and
  something below can. Text found further below is reported, because it may be the broken tail of a quoted line.
- If nothing stands above it and the quotation is marked with ``>`` (in HTML: ``blockquote``), the unquoted paragraphs
  between and below the quotations count (bottom posting, interleaved). A line directly under a quoted one is taken for
  its broken tail and not read: such answers need an empty line before them.
- A quotation that nothing marks cannot be told from an answer: after an attribution, a block of mail headers, a rule of
  dashes or our own ``REPLY_MARKER`` nothing counts.
- All ends at a line END or at a signature. The first END below a line that begins a message (PRESS TO) ends that
  message only, and stays for the order reader.

Of these lines, what cannot be an order and stands above everything that can (a greeting), or below the last order (a
closing, a name) is left out, and the sender is told; what may be meant for one is asked back (`pbem.mail.asides`). A
line that a program wrapped is joined where the whole reads as an order; list marks, bold and quotation marks around an
order go. Within a message nothing is changed.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.mail.asides import asked_back, is_chat, is_heading, is_name, is_request
from pbem.mail.markup import SIGNATURE, SIGNATURE_END
from pbem.mail.orderlike import (
    begins_joining,
    begins_line,
    begins_message,
    begins_order,
    depends,
    goes_on,
    has_mark,
    is_greeting,
    is_meant,
    makes_sense,
    may_be_order,
    of_game,
    plain,
    reads,
    says_yes,
    takes_seat,
    without_joining,
)
from pbem.mail.quotations import (
    NAME_WORDS,
    attribution_at,
    closes_with_name,
    header_block_at,
    is_device_line,
    is_empty_quote,
    is_marker,
    is_quoted,
    is_rule,
    is_sign_off,
    is_signature,
    is_title,
)
from pbem.table import tries

OWN_LIMIT = 100_000  # characters of the player's own lines
TOO_LONG = "the text is too long to be read"
WRAPPED_FROM = 50  # a program wraps no line that is shorter
WRAPPED_TO = 80  # nor is one that it wraps longer
WRAPPED_AT = 62  # it wraps where the next word would have gone beyond
WRAPPED_BESIDE_FROM = 30  # where HTML shows the line whole
BESIDE_LINES = 300
JOINED_LINES = 6  # of one order
HIDDEN_LINES = 40  # below the end of a letter that are looked through for an order
CLOSING_LINES = 8  # below a closing stand no more
MOST_SENTENCES = 8  # of a line that are taken apart
SHORTEST_SENTENCE = 3  # words: below, a full stop is that of a title or a name
LOOSE_LINES = 60  # of a letter that are looked through for orders as people write them
_TAKES_BACK = re.compile(
    r"(?:\b(?:not|never|nicht|niemals|kein|pas|jamais|non|mai|nunca|não|nao|niet|nooit|inte|ikke|aldrig|aldri|nie|ne|"
    r"nikdy|не|ні|нет|instead of|rather than|should i|shall i|may i|can i|could i|do i|what if|statt|anstatt|darf ich|"
    r"soll ich|kann ich|au lieu de|puis-je|dois-je|en vez de|puedo|debo|posso|devo|mag ik|kan ik)|"
    r"n't|不|没|別|ない)\W*$",
    re.IGNORECASE,
)
"""What ends a line that an order below it would finish otherwise than it says."""
_OBJECTS = re.compile(
    r"(?:or|but|yet|unless|until|if|instead|oder|aber|noch nicht|sondern|ou|mais|o|pero|ma|mas|of|maar|eller|men|lub|"
    r"ale|или|но|або|is|was|would|seems|sounds|looks|est|était|serait|semble|paraît|было|выглядит|кажется)\b"
)
"""What begins a line that takes back, judges or asks about the order above it."""
_REVOKES = re.compile(
    r"(?:h+m+|uh+|er+m*|euh+|хм+|э+м*)[ ,.…]*(?:no|nope|wait|non|attend(?:s|ez)|нет|стоп|стой)\b|"
    r"(?:(?:no,? |oh,? |but )?wait\b|(?:just |only |i'?m |i am |i was )*(?:kidding|joking)|never ?mind|not really|"
    r"or not\b|(?:please )?(?:scratch|forget|ignore|cancel|disregard|undo|strike|drop) "
    r"(?:it|that|this|the above|all|my|these|those)\b|(?:that|this|it) (?:is|was) (?:a joke|not|only)|"
    r"(?:please )?(?:don'?t|do not) (?:do|send|carry|execute)|(?:non,? )?attend(?:s|ez)\b|en fait,? non|"
    r"(?:je )?plaisante|je rigole|oubli(?:e|ez)\b|annul(?:e|ez)\b|laisse(?:z)? tomber|ignore[zr]?\b|"
    r"c'est une blague|ou pas\b|(?:нет,? )?(?:подожди|погоди|стой)|шучу|(?:это )?шутка|забудь|отмен[яи]|не надо|"
    r"не делай|или нет)",
    re.IGNORECASE,
)
"""What begins a line, anywhere below an order, that takes it back."""

_SENTENCE_END = re.compile(r"(?<=\w[.!?;…])[.!?…]*\s+")
"""Where a sentence ends, and another one follows."""

_REPLACED = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006", " ")
    | dict.fromkeys("\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " ")
    | {chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
)
# Controls, zero-width and other format characters, variation selectors, lone surrogates, private use.
_REMOVED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def normalise_line(line: str) -> str:
    """A line as the order reader gets it: NFC, plain spaces, quotes and dashes, full-width signs narrow, nothing
    invisible, no outer blanks."""
    return unicodedata.normalize("NFC", _REMOVED.sub("", line.translate(_REPLACED))).strip()


@dataclass
class Written:
    """What a player wrote: `lines` without empty ones, what was `left_out`, and sentences for the answer."""

    lines: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def has_order(self) -> bool:
        """Whether any line begins like an order."""
        return any(begins_order(line) for line in self.lines)


def written_lines(
    text: str, *, shortened: bool = False, beside: Sequence[str] = (), game: str | None = None
) -> Written:
    """The player's lines of a text, as the docstring of this module says. `shortened`: the text was cut; `beside`: the
    same lines as the HTML has them, which no program has wrapped; `game`: what is played, where that is known."""
    with tries.bounded(tries.MOST_TRIES_OF_A_MAIL), of_game(game):
        letter = _written(text, shortened, beside, game)
        return Written(problems=[f"No order was read: {TOO_LONG}."]) if tries.are_spent() else letter


def _written(text: str, shortened: bool, beside: Sequence[str], game: str | None) -> Written:
    letter = Written()
    written = _unwrapped(text, letter.problems)
    lines = [normalise_line(line) for line in written]
    written, lines = _without_signatures(written, lines, letter.left_out)
    end = _end_of_letter(lines, written)
    follows = _behind_attribution(lines, end)
    quoted = follows < len(lines) and is_quoted(lines[follows])
    if _hides_order(lines, end, written):
        letter.problems.append("An order below the end of the letter (END, a row of dashes, a signature) was not read.")
    above_quotation = quoted or (end < len(lines) and is_marker(lines[end], _at(lines, end + 1)))
    top = lines[:end]
    if above_quotation:
        top = _without_attribution(top)
    if _is_binary("\n".join(written[:end])):
        letter.problems.append("The mail holds binary data instead of text and was not read.")
        return letter
    if sum(map(len, top)) > OWN_LIMIT or (shortened and end == len(lines)):
        letter.problems.append(f"No order was read: {TOO_LONG}.")
        return letter
    whole = [squashed(line) for line in beside[:BESIDE_LINES]]
    own = _own(top, whole, game)
    below: Written | None = None
    if quoted and not shortened:
        notes: list[str] = []
        answers = _below_quotations(lines[follows:], written[follows:], notes)
        below = _own(answers, whole, game) if sum(map(len, answers)) <= OWN_LIMIT else None
        if below is not None:
            below.problems = notes
    if own.lines and not (below and below.has_order and not any(map(_may_be_order, own.lines, itertools.count()))):
        if below and (below.lines or below.problems):
            letter.problems.append("Text below a quotation was not read, since there is text above it.")
        return _merged(letter, own)
    if below is not None:
        below.left_out = own.lines + own.left_out + below.left_out
        return _merged(letter, below)
    if quoted and not shortened:
        letter.problems.append(f"No order was read: {TOO_LONG}.")
    elif above_quotation:
        letter.problems.append("Nothing is written above the quotation.")
    return _merged(letter, Written(left_out=own.left_out))


def _merged(letter: Written, own: Written) -> Written:
    return Written(own.lines, own.left_out + letter.left_out, letter.problems + own.problems)


def _at(lines: Sequence[str], place: int) -> str:
    return lines[place] if place < len(lines) else ""


def _is_binary(text: str) -> bool:
    odd = text.count("\0") + text.count("\ufffd") + len(re.findall("[\x01-\x08\x0e-\x1f\x7f]", text))
    return "\0" in text or odd * 10 > len(text)


# --- OpenPGP --------------------------------------------------------------------------------------------------------

_PGP_BEGINS, _PGP_SIGNATURE, _PGP_ENDS = (
    re.compile(rf"[ \t]*-----{words}-----[ \t]*")
    for words in ("BEGIN PGP SIGNED MESSAGE", "BEGIN PGP SIGNATURE", "END PGP SIGNATURE")
)


def _unwrapped(text: str, problems: list[str]) -> list[str]:
    """The lines of a text without the frame of a clear signature (RFC 9580 section 7), which is not checked."""
    lines = text.splitlines()
    if "-----BEGIN PGP" not in text:
        return lines
    if any(line.strip() == "-----BEGIN PGP MESSAGE-----" for line in lines):
        problems.append("The mail is encrypted. The service has no key: please send plain text.")
    done: list[str] = []
    part = "before"
    for line in lines:
        if part == "before" and _PGP_BEGINS.fullmatch(line):
            part = "armour"
        elif part == "armour":
            part = "signed" if not line.strip() else part
        elif part == "signed" and _PGP_SIGNATURE.fullmatch(line):
            part = "signature"
        elif part == "signed":
            done.append(line.removeprefix("- "))
        elif part == "signature":
            part = "after" if _PGP_ENDS.fullmatch(line) else part
        else:
            done.append(line)
    return done


# --- where the letter ends ------------------------------------------------------------------------------------------


class _Messages:
    """Which END belongs to a message that was begun above it. Ask with each line in its order."""

    def __init__(self) -> None:
        self._is_open = False

    def ends(self, line: str) -> bool:
        """Whether this line ends an open message, and so not the letter."""
        is_end = line.casefold() == "end"
        belongs = is_end and self._is_open
        self._is_open = not is_end and (self._is_open or begins_message(plain(line)))
        return belongs


def _end_of_letter(lines: Sequence[str], written: Sequence[str]) -> int:
    messages = _Messages()
    for place, line in enumerate(lines):
        if not messages.ends(line) and line and _ends_part(lines, place, written[place]):
            return place - 1 if _follows_name(lines, place) else place
    return len(lines)


def _hides_order(lines: Sequence[str], end: int, written: Sequence[str]) -> bool:
    """Whether an order stands below a line that ends the letter, and above anything that is quoted: it may be meant."""
    if end == len(lines) or is_marker(lines[end], _at(lines, end + 1)):
        return False
    underlines = end > 0 and len(lines[end]) == len(lines[end - 1])
    is_bare = is_rule(lines[end]) and not underlines and not re.search(r"\w", lines[end].replace("_", ""))
    if not is_bare and not _ends_letter(lines[end], written[end]):
        return False
    for place in range(end + 1, min(len(lines), end + 1 + HIDDEN_LINES)):
        line = lines[place]
        if not line or is_rule(line) or _ends_letter(line, written[place]):
            continue
        if _ends_part(lines, place, written[place]):
            return False
        if reads(plain(line)):
            return True
    return False


def _follows_name(lines: Sequence[str], place: int) -> bool:
    """Whether an address stands here whose name was broken off onto the line above it."""
    above = lines[place - 1] if place else ""
    return bool(above) and lines[place].startswith("<") and not may_be_order(plain(above)) and len(above) < WRAPPED_FROM


def _behind_attribution(lines: Sequence[str], end: int) -> int:
    """Where what an attribution at `end` speaks of begins; `end` itself where there is none."""
    if end + 1 < len(lines) and _follows_name(lines, end + 1):
        end += 1
    number = attribution_at(lines, end) if end < len(lines) and lines[end] else 0
    follows = end + number
    while number and follows < len(lines) and not lines[follows]:
        follows += 1
    return follows


def _ends_letter(line: str, written: str) -> bool:
    return line.casefold() == "end" or is_signature(line, written)


def _ends_part(lines: Sequence[str], place: int, written: str) -> bool:
    line = lines[place]
    return bool(
        _ends_letter(line, written)
        or is_quoted(line)
        or is_marker(line, _at(lines, place + 1))
        or is_rule(line)
        or is_title(line, _at(lines, place + 1))
        or header_block_at(lines, place)
        or attribution_at(lines, place)
    )


def _without_signatures(
    written: Sequence[str], lines: Sequence[str], left_out: list[str]
) -> tuple[list[str], list[str]]:
    """Without what HTML calls a signature, unless an order was written into it."""
    kept: tuple[list[str], list[str]] = ([], [])
    region: list[tuple[str, str]] | None = None
    for original, line in zip(written, lines, strict=True):
        if SIGNATURE in original:
            region = region or []
        elif SIGNATURE_END in original:
            _close(region, kept, left_out)
            region = None
        elif region is not None:
            region.append((original, line))
        else:
            kept[0].append(original)
            kept[1].append(line)
    _close(region, kept, left_out)
    return kept


def _close(region: list[tuple[str, str]] | None, kept: tuple[list[str], list[str]], left_out: list[str]) -> None:
    own = [line for _, line in region or [] if line]
    if any(reads(plain(line)) for line in own) or any(is_quoted(line) or is_marker(line) for line in own):
        for original, line in region or []:
            kept[0].append(original)
            kept[1].append(line)
    else:
        left_out += own


def _without_attribution(lines: Sequence[str]) -> list[str]:
    """`lines` without what a mail program, in any language, puts before a quotation to say whose it is."""
    kept = list(lines)
    _drop_attribution(kept)
    return kept


def _drop_attribution(kept: list[str]) -> None:
    """Take an attribution, and the blanks below it, from the end of lines."""
    end = len(kept)
    while end and not kept[end - 1]:
        end -= 1
    start = max(0, end - 4)
    last = kept[start:end]
    for place, line in enumerate(last):
        if line and attribution_at(last, place, before_quotation=True) == len(last) - place:
            del kept[start + place :]
            return


def _below_quotations(lines: Sequence[str], written: Sequence[str], problems: list[str]) -> list[str]:
    """The unquoted paragraphs between and below quoted lines; a line right under a quoted one belongs to the quote."""
    lines_left: list[str] = []
    in_quote, messages = False, _Messages()
    for place, (line, original) in enumerate(zip(lines, written, strict=True)):
        belongs = not is_quoted(line) and messages.ends(line)
        if is_quoted(line):
            _drop_attribution(lines_left)
            in_quote = not is_empty_quote(line)
        elif belongs:
            lines_left.append(line)
        elif not line:
            in_quote = False
            if lines_left and lines_left[-1]:
                lines_left.append("")
        elif _ends_letter(line, original) or is_marker(line) or is_rule(line) or header_block_at(lines, place):
            break
        elif in_quote:
            problems.append("A line directly below a quotation was not read; leave an empty line between them.")
        else:
            lines_left.append(line)
    return lines_left


# --- which of the lines are orders ----------------------------------------------------------------------------------


def _own(lines: Sequence[str], whole: Sequence[str], game: str | None) -> Written:
    """The lines that may be orders, of those that the player wrote."""
    kept, left_out = _without_closing(lines, game)
    kept = _parted(_joined(_plain_orders(kept), whole))
    places = _orders(kept)
    if not places:
        greeting = _greeting(kept)
        end = _signature(kept, greeting, game)
        left_out = [*filter(None, [*kept[:greeting], *kept[end:]]), *left_out]
        return Written([one for line in _without_blanks(kept[greeting:end]) for one in _all_sentences(line)], left_out)
    first, last = _with_heading(kept, places[0], game), places[-1]
    after = [line for line in kept[last + 1 :] if line]
    before = [line for line in kept[:first] if line]
    orders = set(places)
    chat = [place for place in range(first, last) if place not in orders and kept[place] and is_chat(kept[place], game)]
    between = [kept[place] for place in range(first, last + 1) if place not in chat]
    said = [kept[place] for place in places[:LOOSE_LINES]]
    says = all(map(says_yes, said)) or any(map(takes_seat, said))
    if says and any(map(depends, [*before, *after, *left_out])):
        return Written([*before, *_without_blanks(between), *after, *left_out])
    told = [kept[place] for place in chat]
    if _is_doubtful(kept, first, last) or asked_back(kept[:first], kept[last], kept[last + 1 :], game):
        courtesies = [line for line in [*before, *after] if is_greeting(line) or closes_with_name(line)]
        before, after = ([line for line in some if line not in courtesies] for some in (before, after))
        return Written([*before, *_without_blanks(between), *after], [*told, *courtesies, *left_out])
    return Written(_without_blanks(between), [*before, *told, *after, *left_out])


def _with_heading(lines: Sequence[str], first: int, game: str | None) -> int:
    """Where the orders begin: with a name right above the first one, which says whose they are, or to whom."""
    above = next((place for place in range(first - 1, -1, -1) if lines[place]), first)
    return above if above < first and is_heading(lines[above], game) else first


def _parted(lines: Sequence[str]) -> list[str]:
    """Lines with those taken apart that hold several sentences of which any is an order (``Attack Mainz. Cheers``)."""
    done: list[str] = []
    in_message = False
    for place, line in enumerate(lines):
        if in_message and _ends_message(line):
            in_message = False
        sentences = [line] if in_message or begins_message(line) or place >= LOOSE_LINES else _sentences(line)
        done += sentences
        in_message = in_message or begins_message(line)
    return done


def _sentences(line: str) -> list[str]:
    """The sentences of a line that cannot be read as a whole, where one alone can; else the line."""
    parts = [plain(part) for part in _SENTENCE_END.split(line) if part]
    if not 1 < len(parts) <= MOST_SENTENCES or reads(line) or makes_sense(line):
        return [line]
    if any(part.endswith("?") and not makes_sense(part) and makes_sense(part.rstrip("? ")) for part in parts):
        return [line]  # 31 CP; 42 EV?
    return parts if any(reads(part) or makes_sense(part) for part in parts) else [line]


def _all_sentences(line: str) -> list[str]:
    """The sentences of a line that is no order: what would be right is told of each."""
    parts = [part for part in _SENTENCE_END.split(line) if part]
    is_prose = len(parts) <= MOST_SENTENCES and all(len(part.split()) >= SHORTEST_SENTENCE for part in parts)
    return parts if is_prose else [line]


def _signature(lines: Sequence[str], begin: int, game: str | None) -> int:
    """Where a signature begins below lines of which none is an order: short lines behind an empty one, or a name as the
    last line."""
    blank = max((place for place, line in enumerate(lines) if not line and place > begin), default=len(lines))
    names = [line for line in lines[blank:] if line]
    is_short = all(_may_be_name(line.lstrip("/-~ ")) for line in names)
    if names and is_short and not any(map(is_meant, names)):
        return blank
    last = len(lines) - 1
    return last if last > begin and lines[last] and is_name(lines[last], game) else len(lines)


def _may_be_name(line: str) -> bool:
    return line[:1].isalpha() and not line.isupper() and line[-1] != "?" and len(line.split()) <= NAME_WORDS - 2


def _greeting(lines: Sequence[str]) -> int:
    """How many lines at the beginning greet, where others stand below: of these is told what is wrong."""
    begun = next((place for place, line in enumerate(lines) if line and not is_greeting(line)), 0)
    return begun if any(lines[begun:]) else 0


def _without_blanks(lines: Sequence[str]) -> list[str]:
    """Lines without the empty ones, but for one between the paragraphs of a message."""
    kept: list[str] = []
    in_message = False
    for line in lines:
        if not line:
            kept += [""] if in_message and kept[-1] else []
            continue
        if in_message and _ends_message(line):
            in_message = False
            if not kept[-1]:
                kept.pop()
        in_message = in_message or begins_message(line)
        kept.append(line)
    return kept[:-1] if kept and not kept[-1] else kept


def _ends_message(line: str) -> bool:
    """Whether a line below a message is no more of it: END, or an order in capitals."""
    return line.casefold() == "end" or (line.split(" ", 1)[0].isupper() and begins_order(line))


def _is_doubtful(lines: Sequence[str], first: int, last: int) -> bool:
    """Whether a sentence runs from the line above the orders into them, or out of them into the line below, that takes
    them back or asks ("please do not", "or"): then nothing may be left out."""
    if any(_REVOKES.match(line) for line in lines[last + 1 :]):
        return True
    above, below = lines[first - 1] if first else "", _at(lines, last + 1)
    into = bool(above) and above[-1].isalpha() and bool(_TAKES_BACK.search(above))
    return into or below.startswith("?") or (below[:1].islower() and bool(_OBJECTS.match(below)))


def _without_closing(lines: Sequence[str], game: str | None) -> tuple[list[str], list[str]]:
    """(lines without what a program or a closing adds at the end, what was cut)."""
    kept = list(lines)
    cut: list[str] = []
    seen = begun = False
    closed = max((place for place, line in enumerate(kept) if line.casefold() == "end"), default=-1)
    for place, line in enumerate(kept):
        if begun and line and place > closed and _is_closing(kept, place, game, above=seen):
            cut = [one for one in kept[place:] if one]
            kept = kept[:place]
            break
        begun, seen = begun or bool(line), seen or _may_be_order(plain(line), place)
    while kept and (not kept[-1] or is_device_line(kept[-1])):
        line = kept.pop()
        if line:
            cut.insert(0, line)
    return kept, cut


def _is_closing(lines: Sequence[str], place: int, game: str | None, *, above: bool) -> bool:
    """Whether a letter closes here; where what is `above` holds nothing like an order, only a name may stand below."""
    if not (is_sign_off(lines[place]) or is_device_line(lines[place])):
        return False
    left = list(itertools.islice((line for line in lines[place + 1 :] if line), CLOSING_LINES + 1))
    if not above and any(len(line.split()) > NAME_WORDS for line in left):
        return False
    return len(left) <= CLOSING_LINES and not any(is_meant(plain(line)) or is_request(line, game) for line in left)


def _may_be_order(line: str, place: int) -> bool:
    """Whether a line of the letter may be an order, also one as people write it: such are looked for in its first lines
    alone, since to look takes time."""
    return may_be_order(line) or (place < LOOSE_LINES and makes_sense(line))


def _plain_orders(lines: Sequence[str]) -> list[str]:
    """Lines without the marks that stand around orders; within a message only where the message itself has one."""
    done: list[str] = []
    in_message = is_marked = False
    for place, line in enumerate(lines):
        bare = plain(line)
        if in_message and line.casefold() == "end":
            in_message = False
        elif begins_message(bare):
            in_message, is_marked = True, has_mark(line)
            bare = bare if is_marked else line if begins_message(line) else bare
        elif in_message and not (is_marked and has_mark(line) and begins_order(bare)):
            bare = line
        bare = bare if in_message else _without_words_before(_without_words_of_closing(bare, place), place)
        done.append(bare if _may_be_order(bare, place) else line)
    return done


def _without_words_before(line: str, place: int) -> str:
    """An order without the greeting that stands on its line (``Hallo, …``), or the word that joins it to the one above
    (``And build …``)."""
    if place >= LOOSE_LINES or reads(line) or makes_sense(line):
        return line
    for shorter in [*_behind_greeting(line), without_joining(line)]:
        shorter = _without_words_of_closing(shorter, place)
        if reads(shorter) or makes_sense(shorter):
            return shorter
    return line


def _behind_greeting(line: str) -> list[str]:
    """What stands behind the greeting that begins a line, also behind the name in it (``Привет, Анна! …``)."""
    ends = itertools.islice(_GREETING_ENDS.finditer(line[:CLOSING_LENGTH]), 2)
    return [line[end.end() :] for end in ends if is_greeting(line[: end.start()])]


_GREETING_ENDS = re.compile(r"[,!.;:]+\s+")


def _without_words_of_closing(line: str, place: int) -> str:
    """An order without the closing that stands on its line, behind the end of its sentence (``… . Cheers, Erik``)."""
    if place < LOOSE_LINES and reads(line):
        return line
    for end in re.finditer(r"[.!;,]\s+", line[-CLOSING_LENGTH:]):
        at = max(len(line) - CLOSING_LENGTH, 0)
        if is_sign_off(line[at + end.end() :]) and _may_be_order(line[: at + end.start()], place):
            return line[: at + end.start()]
    return line


CLOSING_LENGTH = 60
"""So many letters at the end of a line are looked through for a closing."""


def _joined(lines: Sequence[str], whole: Sequence[str]) -> list[str]:
    """Lines with those joined that a program, or their writer, broke within an order."""
    done: list[str] = []
    in_message, joined = False, 0
    for line in lines:
        before = done[-1] if done else ""
        if in_message and _ends_message(line):
            in_message = False
        if line and before and not in_message and joined < JOINED_LINES and _belongs(before, line, whole):
            done[-1], joined = f"{before} {line}", joined + 1
            continue
        above = done[-2] if line and not before and len(done) > 1 and not in_message else ""
        if above and begins_order(above) and not begins_order(line) and not reads(above) and reads(f"{above} {line}"):
            done[-2:] = [f"{above} {line}"]
            continue
        in_message = in_message or begins_message(line)
        done.append(line)
        joined = 0
    return done


def squashed(line: str) -> str:
    """A line by which text and HTML can be compared."""
    return re.sub(r"[\s*_]+", "", line).casefold()


def _belongs(before: str, line: str, whole: Sequence[str]) -> bool:
    """Whether a line is the rest of the order on the line above it."""
    if begins_message(before) or before.casefold() == "end" or is_device_line(line) or is_sign_off(line):
        return False
    if not begins_order(before):  # prose, which a program wrapped
        if len(before) < WRAPPED_FROM or before[-1] in ".!?:" or begins_line(line) or reads(line):
            return False
        return line[0].islower() or (len(before) <= WRAPPED_TO and len(line.split()) > NAME_WORDS)
    if whole and len(before) >= WRAPPED_BESIDE_FROM:
        together = squashed(f"{before} {line}")
        if any(one.startswith(together) for one in whole):
            return True
        if squashed(before) in whole and squashed(line) in whole:
            return False
    first = line.split(" ", 1)[0]
    is_wrapped = len(before) >= WRAPPED_FROM and len(before) + 1 + len(first) > WRAPPED_AT
    if begins_order(line):
        return is_wrapped and not reads(before) and reads(f"{before} {line}")
    if reads(f"{before} {line}"):  # a name below an order may read as the end of it
        return is_wrapped or goes_on(before, line) or begins_joining(line) or not reads(before)
    return not reads(before) and (goes_on(before, line) or is_wrapped)


def _orders(lines: Sequence[str]) -> list[int]:
    """The places of the lines that may be orders or belong to a message."""
    places: list[int] = []
    in_message = False
    for place, line in enumerate(lines):
        if not line:
            continue
        if in_message:
            places.append(place)
            in_message = not _ends_message(line)
        elif _may_be_order(line, place):
            places.append(place)
        in_message = in_message or begins_message(line)
    return places
