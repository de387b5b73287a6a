"""What a submission says: orders of the game and lines that do not move it (`pbem.campaign.command`).

`read_lines` reads a whole submission: orders of the game and commands alike. Some lines need more than the grammar of
words gives, and are read here: ``PRESS TO …: text`` (the text may go on over lines, to ``END`` or to the next order; a
line in it that begins like an order and is none, or says an order in other words, is asked back, unless it begins with
a colon), ``STANDING kind IF …:
order``, and the steps of a program, which put a condition before an order: ``IF intercepted STOP``, ``UNLESS won BUILD
…``, ``THEN MOVE …`` (only if the line above was done).
``NEXT`` alone on a line says that what follows waits for the sender's next turn. Before an order, a step, and the order
of a standing order, may stand whom it is for, where one seat holds several powers: ``FOR hapsburg: PASS``
(`Addressed`). A program sends orders as objects (`order_of_object`), which are lines of JSON here and are known by the
line of a mail that they stand for.
"""

from __future__ import annotations

import itertools
import json
import re
import string
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pbem.campaign import spoken
from pbem.campaign.command import COMMANDS, Card, Command, Help, Press, Salt, Standing
from pbem.table import brief, loose, notation, wording
from pbem.table.conditions import DEFAULT, Condition, conditions_text, read_conditions, vocabulary
from pbem.table.inflected import means, named_plainly
from pbem.table.kit import Kit
from pbem.table.orders import (
    MAX_LINE_LENGTH,
    Done,
    Order,
    Pass,
    Refused,
    UnknownVerb,
    Unreadable,
    find_name,
    nearest,
    order_from_json,
    read_order,
    shortened,
)
from pbem.table.refusals import AS_ORDER, FORM, IN_MESSAGE
from pbem.table.reworded import named_once, with_own_titles

# None of these may take more than linear time: lines are hostile.
_PRESS = re.compile(r"\s*PRESS\s+TO\s(?P<to>[^:]*):(?P<text>.*)", re.IGNORECASE | re.DOTALL)
_FOR = re.compile(r"\s*FOR\s(?P<power>[^:]*):(?P<rest>.+)", re.IGNORECASE | re.DOTALL)
_MARKS = re.compile(r"[\s>*•–—_#\d.()\[\]\"'“”«»-]+")
"""What may stand before an order in a list or a quotation."""

LONGEST_ADDRESS = 200
LONGEST_CONDITION = 500
SLIP = 0.75
"""How like a verb the first word of a line is that is taken for a slip of it."""
LONGEST_SLIP = 200
"""Longer lines of a message are not looked through for orders with a slip in their verb."""


STOP = "STOP"
"""After a condition: the program ends there, and its player is told what is left."""

_STEP = re.compile(r"\s*(?P<word>IF|UNLESS|THEN)\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL)


_BEGINNING = ("if", "unless", "then", "next", "for")
"""The words that a step of a program, or a line for one of several powers, begins with: kinds of `Kit.words`."""


def _as_shown(text: str, kit: Kit) -> str:
    """A line that begins with a word of the grammar in any language (SI, ЕСЛИ), with the word as the grammar shows it.

    FOR is such a word only where a colon follows, as in ``POUR france: PASS``; so others say what is wrong.
    """
    plain = text.lstrip()
    for word, kind in _beginnings(kit):
        rest = plain[len(word) :]
        if plain[: len(word)].casefold() == word and not rest[:1].isalnum() and (kind != "for" or ":" in rest):
            return kind.upper() + rest
    return text


def _beginnings(kit: Kit) -> list[tuple[str, str]]:
    """The words of `_BEGINNING` with what they mean, the longest first."""
    key = ("beginnings", "")
    if key not in kit.worked_out:
        known = [(word, kind) for kind in _BEGINNING for word in kit.words(kind)]
        kit.worked_out[key] = sorted(known, key=lambda entry: (-len(entry[0]), entry))
    return kit.worked_out[key]


@cache
def _standing_head(words: frozenset[str]) -> re.Pattern[str]:
    """What stands before the colon of a standing order; `words` mean IF."""
    word = "|".join(map(re.escape, sorted(words)))
    return re.compile(rf"STANDING (?P<kind>[\w-]+)(?: (?:{word}) (?P<conditions>.{{1,500}}))?", re.IGNORECASE)


class Step(Order):
    """An order of a program with a condition before it.

    `word` is ``IF``, ``UNLESS`` or ``THEN``; `order` what follows: an order of the game, another step (after THEN), or
    None for STOP.
    """

    def __init__(self, word: str, conditions: Sequence[Condition], order: Order | None):
        super().__init__()
        self.word, self.conditions, self.order = word, [list(condition) for condition in conditions], order

    @property
    def last(self) -> Order | None:
        """The order of the game at its end; None for STOP."""
        return self.order.last if isinstance(self.order, Step) else self.order

    def values(self) -> dict[str, Any]:
        return {"line": self.text()}

    def text(self) -> str:
        middle = [conditions_text(self.conditions)] if self.conditions else []
        return " ".join([self.word, *middle, STOP if self.order is None else self.order.text()])


class Next(Order):
    """What follows in a program waits for the sender's next turn, which the mail so foresees."""

    line = "NEXT"


STEP_VERBS = ("IF", "UNLESS", "THEN", Next.line)
"""The words that begin the steps of a program."""

_NEXT = re.compile(r"\s*NEXT\s*[:.]?\s*", re.IGNORECASE)


class Addressed(Order):
    """An order, or a step of a program, for one of its sender's powers: ``FOR hapsburg: PASS``."""

    def __init__(self, power: str, order: Order):
        super().__init__()
        self.power, self.order = power, order

    def values(self) -> dict[str, Any]:
        return {"line": self.text()}

    def text(self) -> str:
        return addressed_line(self.power, self.order.text())


def addressed_line(power: str, line: str) -> str:
    """A line for one of its sender's powers."""
    return f"FOR {power}: {line}"


class ForAll(Order):
    """What ends the part of each of its sender's powers that is asked and may say it: ``DONE ALL``."""

    def __init__(self, order: Order):
        super().__init__()
        self.order = order

    def values(self) -> dict[str, Any]:
        return {"line": self.text()}

    def text(self) -> str:
        return for_all_line(self.order.text())


def for_all_line(line: str) -> str:
    """A line for all of its sender's powers."""
    return f"{line} ALL"


FOR_ALL = (Done.line, Pass.line)
"""The orders that may be said for all powers of a seat in one line."""


def _read_for_all(kinds: Sequence[type[Order]], text: str, kit: Kit) -> ForAll | None:
    """The order of a line that says it for all powers at once (``DONE ALL``, ``FOR ALL: PASS``, ``terminé pour tous``);
    None where the line does not."""
    ends = [kind for kind in kinds if kind.line in FOR_ALL]
    if parts := _FOR.fullmatch(_as_shown(text, kit)):
        head = parts["rest"].split() if _means_all(parts["power"].split(), kit) else []
        behind_for = True
    else:
        words = [word.rstrip(".!,;") for word in text.split()[:MOST_WORDS_OF_AN_END]]
        begins = [at for at in range(1, len(words)) if _means_all(words[at:], kit)]
        head = words[: begins[0]] if begins else []
        behind_for = bool(head) and head[-1].casefold() in kit.words("for") | kit.words("like for")
        head = head[:-1] if behind_for else head
    said = " ".join(head)
    verbs = [kind for kind in ends if loose.kind_of_verb([kind], said, kit)]
    if len(verbs) == 1:
        return ForAll(verbs[0]())
    done = next((kind for kind in ends if kind.line == Done.line), None)
    return ForAll(done()) if done and behind_for and brief.finishes(said, kit) else None


def _means_all(words: Sequence[str], kit: Kit) -> bool:
    """Whether words mean all powers: ``all``, ``all my powers``, ``tout le monde``, ``всех``."""
    said = [word for word in words if not means(word, "powers", kit) and not loose.says_nothing(word, kit)]
    said = said[:1] + [word for word in said[1:] if loose.number_of(word, kit) is None]  # ALL THREE OF THEM
    known = kit.words("all") | kit.words("like all")
    return " ".join(words).casefold() in known or (len(said) == 1 and said[0].casefold() in known)


def said_for(text: str, kit: Kit) -> tuple[str | None, str]:
    """Whom a line says it is for, if it names one power, and the rest of it."""
    named = _FOR.fullmatch(_as_shown(text, kit))
    if named is None:
        return _ended_for(text, kit) or (None, text)
    try:
        return read_power(named["power"], kit), named["rest"].strip()
    except Unreadable:
        return None, text


def _ended_for(text: str, kit: Kit) -> tuple[str, str] | None:
    """Whose part a line says is over, and how it says so (``done for England``, ``terminé pour les Ottomans``)."""
    words, joining = text.split()[:MOST_WORDS_OF_AN_END], kit.words("for") | kit.words("like for")
    for at, word in enumerate(words[1:], start=1):
        said = " ".join(words[:at])
        if word.casefold() in joining and brief.finishes(said, kit):
            try:
                return read_power(" ".join(text.split()[at + 1 :]), kit), said
            except Unreadable:
                return None
    return None


MOST_WORDS_OF_AN_END = 8
"""So far FOR is looked for in a line that says no more orders come."""


def addressee(order: Order) -> tuple[str | None, Order]:
    """Whom an order is for, if it says so for one power, and the order itself."""
    if isinstance(order, ForAll):
        return None, order.order
    return (order.power, order.order) if isinstance(order, Addressed) else (None, order)


def without_addressee(line: str) -> str:
    """A line without whom it is for."""
    parts = _FOR.fullmatch(line)
    return parts["rest"].strip() if parts else line


_OF_WORDS = [kind for kind in COMMANDS if kind is not Press and kind is not Standing]
"""Commands whose line the grammar of words reads."""

CARD = "card"
"""The domain of the names of cards in a kit that has some."""

END = "END"
"""With this on a line of its own end the orders of a mail, and a message in it."""

OBJECT = "{"
"""With this begins an order that is sent as an object in JSON, by a program; all else is the line of a mail."""
LONGEST_OBJECT = 40_000


@dataclass
class Line:
    """A line that was read: an order or a command, or why it is neither. `salt` stood on SALT lines before it.

    `loose`: what it may mean all the same, where its words make sense as an order; only what is asked when it is its
    turn tells which (`pbem.campaign.meaning`).
    """

    text: str
    order: Order | None = None
    problem: Unreadable | None = None
    loose: bool = False
    ends: bool = False
    """Whether it says no more than that no further orders come."""
    power: str | None = None
    """Whom a loose line says it is for."""
    said: str = ""
    """What it says besides."""
    said_otherwise: bool = False
    """Whether the order is the one whole reading of a line that the grammar does not take."""
    ahead: Order | None = None
    """The order that a loose line stands for in the ordinary course of things (`pbem.campaign.ahead`)."""
    unclear: Refused | None = None
    """What is asked back for a loose line before anything of its mail is done."""
    salt: list[str] = field(default_factory=list)

    @property
    def is_prose(self) -> bool:
        """Whether it cannot be read and begins like no order, or asks (an order that asks is none of it)."""
        if self.problem is None or self.problem.refusal().code == "ends_with_question":
            return False
        return isinstance(self.problem, UnknownVerb) or self.text.rstrip().endswith("?")

    @property
    def sent(self) -> str:
        """The text as sent, which fixes the dice."""
        return "\n".join([*(f"SALT {salt}" for salt in self.salt), self.text])

    @property
    def kept(self) -> str:
        """The text as it is kept for later: a line that the grammar does not take as the full line of its order."""
        text = self.order.text() if self.said_otherwise and self.order is not None else self.text
        return "\n".join([*(f"SALT {salt}" for salt in self.salt), text])


def read_line(kinds: Sequence[type[Order]], text: str, kit: Kit) -> Order:
    """The order or command of one line, or the order of an object in JSON. Raises `Unreadable`."""
    if text.startswith(OBJECT):
        return _read_object(kinds, text, kit)
    if parts := _PRESS.fullmatch(text):
        to = parts["to"].strip()
        if not 0 < len(to) <= LONGEST_ADDRESS:
            raise Unreadable("to_nobody", [FORM + Press.usage()])
        return Press(to=to, message=parts["text"].strip())
    if (message := begun_message(text, kit)) is not None:
        return Press(to=message[0], message=message[1])
    if (to := _message_to(text, kit)) is not None:
        raise Unreadable("message_missing", [FORM + f"PRESS TO {to}: <message>"])
    if (standing := _read_standing(kinds, text, kit)) is not None:
        return standing
    text = _as_shown(text, kit)
    if (for_all := _read_for_all(kinds, text, kit)) is not None:
        return for_all
    if parts := _FOR.fullmatch(text):
        power, order = read_power(parts["power"], kit), _read_addressed(kinds, parts["rest"].strip(), kit)
        if isinstance(order, Command | Addressed | Next):
            raise Unreadable("no_order_after_for")
        return Addressed(power, order)
    if parts := _STEP.fullmatch(text):
        return _read_step(kinds, parts["word"].upper(), parts["rest"].strip().rstrip(".;"), kit)
    if _NEXT.fullmatch(text):
        return Next()
    try:
        order = read_order([*kinds, *_OF_WORDS], text, kit)
    except Unreadable:
        said = said_to_the_service(text, kit, kinds)
        if said is None:
            raise
        order = said
    if isinstance(order, Card) and loose.read_bare(kinds, order.card, kit):
        cards_named(order.card, kit)  # else it is an answer: CARD 31 FOR CP
    if isinstance(order, Help) and order.about is not None:
        return Help(about=_verb_named(kinds, order.about, kit))
    if text.rstrip().endswith("?") and not isinstance(order, Command):
        raise Unreadable("ends_with_question", [AS_ORDER + order.text()])
    return order


def _message_to(text: str, kit: Kit) -> str | None:
    """Whom a line names that begins a message and holds none (``PRESS TO FRANCE``): powers, or perhaps a player."""
    parts = _NO_MESSAGE.fullmatch(text)
    if parts is None:
        return None
    try:
        return ", ".join(read_powers(parts["to"], list(kit.tables.get(kit.seats.get("table", ""), {})), kit))
    except Unreadable:
        called = parts["to"].split()
        return " ".join(called) if 0 < len(called) <= MOST_CALLED else None


_NO_MESSAGE = re.compile(r"\s*PRESS\s+TO\s(?P<to>[^:\n]{1,200}?)[.\s]*", re.IGNORECASE)


def begun_message(text: str, kit: Kit) -> tuple[str, str] | None:
    """Whom a message is for, and its first line, where a line begins one in other words than ``PRESS TO``
    (``MESSAGE à France : …``): names of powers of the game have to stand there, so that no prose is taken for one, or
    what may be the names of players behind a word that says whom it is to (``message to kate: …``)."""
    if _PRESS.match(text) or (message := spoken.message(text, kit)) is None:
        return None
    if spoken.is_addressed(text, kit) and len(message[0].split()) <= MOST_CALLED:
        return message
    try:
        read_powers(message[0], list(kit.tables.get(kit.seats.get("table", ""), {})), kit)
    except Unreadable:
        return None
    return message


MOST_CALLED = 4
"""So many words at most are the names of those whom a message is for, where these may be names of players."""


def said_to_the_service(text: str, kit: Kit, kinds: Sequence[type[Order]] = ()) -> Command | None:
    """The line of the service that is said in other words (`pbem.campaign.spoken`); a card in it has to be one, and not
    what somebody answers (MY CARD: 31) with one of some kinds of order."""
    if len(text) > MAX_LINE_LENGTH:
        return None
    said = spoken.command(_OF_WORDS, text, kit)
    if isinstance(said, Card) and not said.card.isdecimal():
        try:
            find_name(kit, CARD, said.card)
        except Unreadable:
            return None
    begins = means(loose.words_of(text, loose.MOST_SAID)[0], "line card", kit) if isinstance(said, Card) else True
    return said if begins or not loose.read_bare(kinds, text, kit) else None


def _read_addressed(kinds: Sequence[type[Order]], text: str, kit: Kit) -> Order:
    """What follows FOR and a power: a line of the grammar, or one that has one whole reading. Raises `Unreadable`."""
    try:
        return read_line(kinds, text, kit)
    except Unreadable:
        meant = loose.only(loose.read(kinds, text, kit))
        if meant is None:
            raise
        return meant


def cards_named(text: str, kit: Kit) -> list[str]:
    """The cards that somebody asks about: one of that id or name, or all whose id has that number (P11 and C11), beside
    words that say nothing.

    Raises `Unreadable` where the kit has none such, or its phrases tell nothing of them.
    """
    said = text.strip().rstrip("?!.:").strip()
    number = [card for card in kit.labels.get(CARD, {}) if card.lstrip(string.ascii_letters) == said]
    try:
        return number or [find_name(kit, CARD, said)]
    except Unreadable:
        words = loose.without_courtesy(loose.words_of(said, loose.MOST_SAID), kit)
        plain = " ".join(named_once([word for word in words if not loose.says_nothing(word, kit)], kit))
        if plain in ("", said):
            raise
        return cards_named(plain, kit)


def _verb_named(kinds: Sequence[type[Order]], text: str, kit: Kit) -> str | None:
    """The verb, or the topic of help, that somebody asks about, as it stands in a line; None where his words name
    nothing (``HELP me please``). Raises `Unreadable` where no line begins so."""
    for topic in (Help.ALL, Help.DICE):
        if text.rstrip("?!.: ").casefold() in kit.words(topic.casefold()):
            return topic
    said = loose.words_of(text.rstrip("?!.: "))
    words = [word for word in said if not wording.is_chatter(word, kit)]
    if not words:  # a verb may be a word that says nothing elsewhere (PLAY)
        verbs = {kind.pattern.verb for kind in kinds}
        words = [word for word in said if word.upper() in verbs][:1]
    if not words:
        return None
    word, known = " ".join(words).upper(), [kind.pattern.verb for kind in (*kinds, *COMMANDS)]
    if vocabulary(kit):
        known += STEP_VERBS
    if word not in known:
        if (kind := loose.kind_of_verb(kinds, word, kit)) is not None:
            return kind.pattern.verb
        meant = nearest(word, list(dict.fromkeys(known)))
        raise Unreadable("unknown_verb", [f"HELP {verb}" for verb in meant], said=shortened(text))
    return word


def _read_object(kinds: Sequence[type[Order]], text: str, kit: Kit) -> Order:
    if len(text) > LONGEST_OBJECT:
        raise Unreadable("line_too_long", length=len(text), most=LONGEST_OBJECT)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable("no_order_in_json", ['{"order": "pass"}']) from error
    return order_of_object(kinds, data, kit)


def order_of_object(kinds: Sequence[type[Order]], data: Any, kit: Kit) -> Order:
    """The order of the game that a JSON object is: ``{"order": kind, field: value, ...}``, checked by the fields of its
    kind; whom it is for, where a seat holds several powers, stands under ``for``. Raises `Unreadable`."""
    power = data.get("for") if isinstance(data, dict) else None
    order = order_from_json(kinds, {k: v for k, v in data.items() if k != "for"} if power is not None else data, kit)
    line = order.text()
    if "\0" in line or any("\ud800" <= c <= "\udfff" for c in line):
        raise Unreadable("no_character")
    if power is None:
        return order
    if not isinstance(power, str):
        raise Unreadable("for_no_power")
    return Addressed(read_power(power, kit), order)


def _read_standing(kinds: Sequence[type[Order]], text: str, kit: Kit) -> Standing | None:
    """A standing order; None where the line is none. Raises `Unreadable` for an order in it that cannot be read."""
    head, colon, inner = text.partition(":")
    parts = _standing_head(kit.words("if")).fullmatch(" ".join(head.split())) if colon else None
    inner = inner.strip()
    if parts is None or not inner:
        return None
    inner = _as_shown(inner, kit)
    if inner.casefold() in kit.words("default"):
        inner = DEFAULT
    elif addressed := _FOR.fullmatch(inner):
        read_power(addressed["power"], kit)
        inner = addressed_line(addressed["power"].strip(), _read_inner(kinds, addressed["rest"].strip(), kit)[1])
    else:
        inner = _read_inner(kinds, inner, kit)[1]
    return Standing(question=parts["kind"].casefold(), conditions=parts["conditions"], answer=inner)


def _read_step(kinds: Sequence[type[Order]], word: str, rest: str, kit: Kit) -> Step:
    """A step of a program. The condition ends where an order that can be read begins, or at a colon."""
    if word == "THEN":
        rest = _as_shown(rest, kit)
        if parts := _STEP.fullmatch(rest):
            if parts["word"].upper() == word:
                raise Unreadable("unknown_verb", said=word)
            return Step(word, [], _read_step(kinds, parts["word"].upper(), parts["rest"].strip(), kit))
        return Step(word, [], _read_stepped(kinds, rest, kit))
    if len(rest) > MAX_LINE_LENGTH:
        raise Unreadable("line_too_long", length=len(rest), most=MAX_LINE_LENGTH)
    verbs = {*kit.words("stop"), *(kind.pattern.verb.casefold() for kind in kinds)}
    starts = [parts.start() for parts in re.finditer(r"\S+", rest)][1:]
    starts = [start for start in starts if start <= LONGEST_CONDITION]
    problems: list[Unreadable] = []
    for start in starts:
        before, after = rest[:start].strip(), rest[start:]
        if before.endswith(":"):
            before = before[:-1]
        elif after.split()[0].casefold() not in verbs:
            continue
        try:
            conditions = read_conditions(before, kit, closed=True)
        except Unreadable as error:
            problems.append(error)
            continue
        try:
            return Step(word, conditions, _read_stepped(kinds, after, kit))
        except Unreadable as error:
            problems.insert(0, error)  # the condition is understood, so the fault is in the order
            break
    raise problems[0] if problems else _no_order(kinds, word, rest, kit)


MOST_WORDS_OF_A_CONDITION = 20
"""So far a condition is looked for in a line without an order, to tell what is wrong with it."""


def _no_order(kinds: Sequence[type[Order]], word: str, rest: str, kit: Kit) -> Unreadable:
    """What is wrong with a step in which no order is found: its condition, or the word where an order should begin."""
    words = rest.split()
    problem = Unreadable("condition_missing", list(vocabulary(kit)), word=word)
    for end in range(min(len(words), MOST_WORDS_OF_A_CONDITION), 0, -1):
        try:
            read_conditions(" ".join(words[:end]), kit, closed=True)
        except Unreadable as error:
            problem = error  # at last that of the first word alone
            continue
        if end == len(words):
            return Unreadable("order_missing", _examples(word, kit), word=word)
        try:
            read_order(kinds, " ".join(words[end:]), kit)
        except Unreadable as error:
            return error
    return problem


def _examples(word: str, kit: Kit) -> list[str]:
    """Two lines that could be meant."""
    return [f"{word} {name} STOP" for name, entry in vocabulary(kit).items() if entry["value"] == "yes"][:2]


def _read_stepped(kinds: Sequence[type[Order]], text: str, kit: Kit) -> Order | None:
    """What stands after a condition: an order of the game, or None for STOP."""
    if text.strip().casefold() in kit.words("stop"):
        return None
    return _read_inner(kinds, text, kit)[0]


def _read_inner(kinds: Sequence[type[Order]], text: str, kit: Kit) -> tuple[Order, str]:
    """An order that is kept for later, and its line: nobody can be asked then what it means, so that one which the
    grammar does not take has to have just one reading, and a whole one. Raises `Unreadable`."""
    try:
        order = read_order(kinds, text, kit)
    except Unreadable:
        meant = loose.only(loose.read(kinds, text, kit))
        if meant is None:
            raise
        return meant, meant.text()
    if loose.is_vague(order, text, kit):
        raise Unreadable("how_many", [FORM + order.usage()])
    return order, text


def read_lines(
    kinds: Sequence[type[Order]], lines: Sequence[str], kit: Kit, most: int | None = None, hand: Collection[str] = (),
    spoken: Callable[[], Kit] | None = None, in_play: Callable[[str], str] = str,
) -> list[Line]:  # fmt: skip
    """All lines of a submission, in order, to an END that is not that of a message; no more than one beyond `most`.

    A press message takes its further lines in; a SALT goes to the next order. `hand` are the cards that the sender
    holds, which may be called by their number alone; `spoken` gives the kit with the names that players use, for lines
    that the grammar does not take; it is asked for them alone. `in_play` gives such a line with names that are clear
    only by what is in play in full.
    """
    lines, lines_read = list(lines), list[Line]()
    salts: list[str] = []
    at = 0
    while at < len(lines) and (most is None or len(lines_read) + len(salts) <= most):
        text = lines[at].strip()
        at += 1
        if not text:
            continue
        if text.upper() == END:
            break
        doubtful: list[Line] = []
        is_message = bool(_PRESS.match(text)) or begun_message(text, kit) is not None
        if is_message:
            body, at, doubtful = _read_message(kinds, lines, at, kit)
            text = "\n".join([text, *body]).rstrip()
        line = Line(text)
        try:
            line.order = read_line(kinds, text, kit)
            names_units = not isinstance(line.order, Command | Step | Addressed | ForAll)
            if names_units and loose.is_vague(line.order, text, kit):
                raise Unreadable("how_many", [FORM + line.order.usage()])
        except Unreadable as error:
            line.order, line.problem = None, error
            known = spoken() if spoken else kit
            line.power, line.said = said_for(text, known)
            line.said = with_own_titles(line.said, hand, kit)
            is_prose = not is_message and not text.startswith(OBJECT)
            readings = loose.read(kinds, line.said, known) if is_prose else []
            if is_prose and not readings and (clear := in_play(line.said)) != line.said:
                power, line.said = said_for(clear, known) if line.power is None else (line.power, clear)
                line.power, readings = power, loose.read(kinds, line.said, known)
            together = text if line.power is not None else line.said
            if is_prose and not readings and (parts := notation.several(kinds, together, known)):
                lines[at:at] = parts
                continue
            if (whole := None if readings else _with_own_card(kinds, text, kit, hand)) is not None:
                line.text, line.order, line.problem = whole, read_line(kinds, whole, kit), None
            elif is_prose:
                line.order = loose.only(readings)
                line.ends = not readings and brief.finishes(line.said, kit)
                answers = bool(readings) or line.ends or brief.says(line.said, kit) is not None
                answers = answers or bool(notation.readings(kinds, line.said, known))
                line.loose = line.order is None and answers
                line.said_otherwise = line.order is not None
                if line.order is not None and line.power is not None:
                    line.order = Addressed(line.power, line.order)
                line.problem = None if line.order is not None else error
        if line.order is not None and text.startswith(OBJECT):
            line.text = line.order.text()  # by which it is known from here on
        if isinstance(line.order, Salt):
            salts.append(line.order.words)
            continue
        if (line.order is not None or line.loose) and not isinstance(line.order, Command | Next):
            line.salt, salts = salts, []
        lines_read += [line, *doubtful]
    orders = [line for line in lines_read if not isinstance(line.order, Command)]
    for line, after in itertools.zip_longest(orders, orders[1:]):
        if isinstance(line.order, Next) and (after is None or isinstance(after.order, Next)):
            line.order, line.problem = None, Unreadable("nothing_after_next")
    if salts:
        lines_read.append(Line(f"SALT {salts[-1]}", problem=Unreadable("nothing_after_salt")))
    return lines_read


def _with_own_card(kinds: Sequence[type[Order]], text: str, kit: Kit, hand: Collection[str]) -> str | None:
    """A line that cannot be read, with the card put in that a number in it can only mean (``ACT 11`` for P11): the one
    of the sender's hand with that number, where just one reading comes of it."""
    if len(text) > MAX_LINE_LENGTH or _PRESS.match(text):
        return None
    wholes: dict[str, str] = {}
    for number in _NUMBER.finditer(text):
        own = [card for card in hand if card != number[0] and card.lstrip(string.ascii_letters) == number[0]]
        if len(own) != 1:
            continue
        whole = text[: number.start()] + own[0] + text[number.end() :]
        try:
            wholes[read_line(kinds, whole, kit).text()] = whole
        except Unreadable:
            if (meant := loose.only(loose.read(kinds, whole, kit))) is not None:
                wholes[meant.text()] = meant.text()
    return next(iter(wholes.values())) if len(wholes) == 1 else None


_NUMBER = re.compile(r"(?<!\S)\d{1,3}(?![^\s,])")


def _read_message(
    kinds: Sequence[type[Order]], lines: Sequence[str], at: int, kit: Kit
) -> tuple[list[str], int, list[Line]]:
    """The further lines of a message from `at` on, where the reading goes on, and what its sender has to be asked."""
    verbs = _verbs(kinds, kit)
    body: list[str] = []
    doubtful: list[Line] = []
    while at < len(lines):
        text = lines[at].strip()
        if text.upper() == END:
            return body, at + 1, doubtful
        marked = text.startswith(":") and _order_below(kinds, verbs, text[1:].strip(), kit) is not False
        problem = None if marked else _order_below(kinds, verbs, text, kit)
        if problem is True and _goes_on_in(lines[at - 1], text):
            problem = Unreadable("word_alone", [END, AS_ORDER + text.upper()], said=shortened(text))
        if problem is True:
            break
        if isinstance(problem, Unreadable):
            doubtful.append(Line(text, problem=_asked_back(text, problem)))
            if len(doubtful) > MOST_ASKED_BACK:
                return body, len(lines), doubtful
        body.append(text[1:].strip() if marked else lines[at].rstrip())
        at += 1
    return body, at, doubtful


def _goes_on_in(before: str, text: str) -> bool:
    """Whether a sentence of a message goes on in the line below it, which a program may have broken off."""
    return text[:1].islower() and before[-1:].isalnum() and len(before.split()) >= WORDS_BEFORE_A_BREAK


WORDS_BEFORE_A_BREAK = 6
"""So many words stand at least on a line that was broken off."""

MOST_ASKED_BACK = 10
"""So many lines of one message are asked back; the rest of the mail is then not read."""


def _verbs(kinds: Sequence[type[Order]], kit: Kit) -> list[str]:
    """The words that begin orders, commands, and steps of programs, in small letters."""
    steps = [*(word.split()[0] for word, _ in _beginnings(kit)), *kit.spellings]
    return list(dict.fromkeys([*(kind.pattern.verb.casefold() for kind in (*kinds, *COMMANDS)), *steps]))


def _first_word(text: str) -> str:
    """The first word of a line, without marks of a list before it and points after it."""
    plain = text[_MARKS.match(text).end() :] if _MARKS.match(text) else text  # type: ignore[union-attr]
    return plain[: LONGEST_SLIP].split(maxsplit=1)[0].rstrip(":.,;!?)*_\"'”»") if plain.strip() else ""


def _begins_like_an_order(verbs: Sequence[str], text: str, kit: Kit) -> bool:
    first = _first_word(text).casefold()
    if first in kit.words("for"):  # as a word of prose it has no colon after a name
        return ":" in text[:LONGEST_SLIP]
    return first in verbs


def _order_below(kinds: Sequence[type[Order]], verbs: Sequence[str], text: str, kit: Kit) -> bool | Unreadable:
    """Whether a line below a message is an order; what is wrong with it where it begins like one and is none.

    A verb in small letters counts, and one with a slip in it where the rest is an order or the word is in capitals. A
    single word in small letters may be either, so its sender is asked.
    """
    first = _first_word(text)
    if not first:
        return False
    if _begins_like_an_order(verbs, text, kit):
        try:
            order = read_line(kinds, text, kit)
        except Unreadable as error:
            return error
        if isinstance(order, Card):  # in prose, too, a line begins so
            try:
                return bool(cards_named(order.card, kit))
            except Unreadable:
                return False
        if (len(text.split(maxsplit=1)) == 1 or isinstance(order, Help)) and not text.isupper():
            ends = [END] if brief.finishes(text, kit) else []
            return Unreadable("word_alone", [*ends, AS_ORDER + text.upper()], said=shortened(text))
        return True
    if len(first) < 3 or len(text) > LONGEST_SLIP:
        return False
    if len(text.split()) == 1 and brief.finishes(text, kit):  # several words of that are prose (That is all.)
        done = [AS_ORDER + kind().text() for kind in kinds if issubclass(kind, Done) and not kind.fields]
        return Unreadable("word_alone", [END, *done[:1]], said=shortened(text))
    if (spoken := loose.only(loose.read(kinds, text, kit))) is not None:
        return Unreadable("word_alone", [AS_ORDER + spoken.text()], said=shortened(text))
    meant = nearest(first, [kind.pattern.verb for kind in kinds], likeness=SLIP)
    rest = text[text.index(first) + len(first) :]
    if meant and (first.isupper() or any(_reads(kinds, verb + rest, kit) for verb in meant)):
        return Unreadable("unknown_verb", meant, said=shortened(first))
    return False


def _reads(kinds: Sequence[type[Order]], text: str, kit: Kit) -> bool:
    try:
        read_order(kinds, text, kit)
    except Unreadable:
        return False
    return True


def _asked_back(text: str, problem: Unreadable) -> Unreadable:
    """What a player is told of a line that stands in his message and begins like an order."""
    hints = [*problem.hints[:3], IN_MESSAGE + f": {shortened(text)}"]
    return Unreadable("order_below_message", hints, problem=problem.refusal().to_json())


def read_power(text: str, kit: Kit) -> str:
    """The power of the game that a name means. Raises `Unreadable`."""
    powers = list(kit.tables.get(kit.seats.get("table", ""), {}))
    named = read_powers(text, powers, kit)
    if len(named) != 1:
        raise Unreadable("for_one_power", powers)
    return named[0]


def _joins(kit: Kit) -> re.Pattern[str]:
    """What stands between the names of a list."""
    key = ("joins", "")
    if key not in kit.worked_out:
        words = "|".join(re.escape(f" {word} ") for word in sorted(kit.words("and")))
        kit.worked_out[key] = re.compile(rf",|{words}", re.IGNORECASE)
    return kit.worked_out[key]


def names_listed(text: str, kit: Kit) -> list[str]:
    """The names of a list, as they are written."""
    return [name.strip() for name in _joins(kit).split(" ".join(text.split())) if name.strip()]


def read_powers(text: str, powers: Sequence[str], kit: Kit) -> list[str]:
    """The powers that a list of names means; ALL means all. Raises `Unreadable`."""
    domain = kit.domain_of_powers
    named: list[str] = []
    for name in names_listed(text, kit):
        if name.casefold() in kit.words("all"):
            return list(powers)
        power = name.casefold() if name.casefold() in powers else None
        if power is None:
            said = [word for word in loose.words_of(name) if not loose.says_nothing(word, kit)]
            plain = " ".join(named_plainly(said, [domain] if domain else [], kit))
            power = find_name(kit, domain, plain) if domain else None
        if power is None or power not in powers:
            raise Unreadable("not_in_campaign", list(powers), said=shortened(name))
        named.append(power)
    if not named:
        raise Unreadable("to_nobody", list(powers))
    return list(dict.fromkeys(named))


def usage(kinds: Sequence[type[Order]]) -> list[dict[str, Any]]:
    """The forms of lines, for help: ``{"usage", "help"}`` each."""
    return [{"usage": kind.usage(), "help": kind.help()} for kind in kinds]
