"""The lines of the service as people say them, in every language: `aide`, ``карта 31``, ``langue français``.

What may stand for the first words of a line are words of the grammar (`Kit.words`, kind ``line status`` and the like);
what follows them is read as the line's own words are, or as people write them (`pbem.table.loose`). A line is taken
only as a whole: behind words that begin no line of the service, or before any that belong to none, it is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.campaign import wondered
from pbem.campaign.command import ASKS, CancelAnswer, CancelQueue, Command
from pbem.table import loose
from pbem.table.inflected import means
from pbem.table.kit import Kit, normalise
from pbem.table.orders import Unreadable, read_order

MOST_WORDS = 14
"""Of a line of the service without a text of the player's own."""

LONGEST_ADDRESS = 200
"""Characters before the colon of a message: no longer line is one."""


def command(kinds: Sequence[type[Command]], text: str, kit: Kit) -> Command | None:
    """The line of the service that a line says in other words than the grammar's, or that answers what it asks; None
    where it says none. A question says none but those that only ask."""
    return _said(kinds, text, kit) or _taken_back(kinds, text, kit) or wondered.question(text, kit)


def _said(kinds: Sequence[type[Command]], text: str, kit: Kit) -> Command | None:
    words = loose.words_of(text.replace("?", " "), loose.MOST_SAID)
    if not 0 < len(words) <= MOST_WORDS:
        return None
    words = loose.without_courtesy(words, kit)
    for at in range(len(words)):
        if (found := _beginning_at(kinds, words, at, kit)) is not None:
            return found if "?" not in text or isinstance(found, ASKS) else None
        if not (loose.says_nothing(words[at], kit) or means(words[at], "chatter", kit)):
            return None
    return None


def _taken_back(kinds: Sequence[type[Command]], text: str, kit: Kit) -> Command | None:
    """The line that drops something, without words that say nothing within it, and that its writer changed his mind
    (``отмени, пожалуйста, очередь``, ``clear my queue, changed my mind``)."""
    words = loose.words_of(text, loose.MOST_SAID)
    if "?" in text or not 0 < len(words) <= MOST_WORDS:
        return None
    left = [word for word in loose.without_phrases(words, "changing mind", kit) if not loose.says_nothing(word, kit)]
    found = _said(kinds, " ".join(left), kit) if left != words else None
    return found if isinstance(found, CancelQueue | CancelAnswer) else None


def _beginning_at(kinds: Sequence[type[Command]], words: Sequence[str], at: int, kit: Kit) -> Command | None:
    said = [_plainly(word) for word in words]
    for phrase, head in _heads(kinds, kit):
        if tuple(said[at : at + len(phrase)]) != phrase:
            continue
        alike = [kind for kind in kinds if head_of(kind) == head]
        rest = list(words[at + len(phrase) :])
        for tried in (rest,) if alike[0].is_free else (_bare(rest, kit), rest):
            if (found := _read(alike, head, tried, kit)) is not None:
                return found
    return None


def _bare(words: list[str], kit: Kit) -> list[str]:
    """Words without those at their ends that say nothing."""
    while words and (loose.says_nothing(words[-1], kit) or loose.says_nothing(words[0], kit)):
        words = words[1:] if loose.says_nothing(words[0], kit) else words[:-1]
    return words


def _read(kinds: Sequence[type[Command]], head: str, words: list[str], kit: Kit) -> Command | None:
    if head.endswith("FROM"):
        return _from_day_to_day(kinds[0], words, kit)
    line = " ".join([head, *words])
    try:
        return read_order(kinds, line, kit)  # type: ignore[return-value]
    except Unreadable:
        whole = [one for one in loose.read(kinds, line, kit) if not one.missing and not one.dropped]
        most = max((len(one.values) for one in whole), default=0)
        return loose.only([one for one in whole if len(one.values) == most])  # type: ignore[return-value]


def _from_day_to_day(kind: type[Command], words: list[str], kit: Kit) -> Command | None:
    """An absence from one day to another, whatever stands before each."""
    while words and (means(words[0], "connecting", kit) or means(words[0], "since", kit)):
        words = words[1:]
    between = [at for at, word in enumerate(words) if 0 < at < len(words) - 1 and means(word, "like until", kit)]
    if not between:
        return None
    first, last = words[: between[0]], words[between[-1] + 1 :]
    fits = not any(means(word, "like until", kit) for word in (*first, *last))
    if not fits or len(first) > 3 or len(last) > 3:
        return None
    return kind(first_day=with_month(first, last), last_day=with_month(last, first))


def with_month(day: Sequence[str], other: Sequence[str]) -> str:
    """The words of a day; of a mere number with the month of another (``from 5 to 12 December``)."""
    month = [word for word in other if not word[:1].isdigit()] if len(day) == 1 and day[0].isdecimal() else []
    return " ".join([*day, *month])


def head_of(kind: type[Command]) -> str:
    """The words that a line of a kind begins with, before what its sender fills in: ``SET LANGUAGE``."""
    return re.split(r"[\[{]", kind.line)[0].strip()


def _heads(kinds: Sequence[type[Command]], kit: Kit) -> list[tuple[tuple[str, ...], str]]:
    """What may stand for the first words of lines, as plain words, with these words; the longest first."""
    key = ("heads of lines", "")
    if key not in kit.worked_out:
        known = {
            (tuple(_plainly(word) for word in loose.words_of(phrase)), head)
            for head in dict.fromkeys(map(head_of, kinds))
            for phrase in (head, *kit.words(f"line {head.casefold()}"))
        }
        kit.worked_out[key] = sorted(known, key=lambda entry: (-len(entry[0]), entry))
    return kit.worked_out[key]


def _plainly(word: str) -> str:
    return normalise(word) or word.casefold()


def message(text: str, kit: Kit) -> tuple[str, str] | None:
    """Whom a message goes to, and its text, where a line begins one in other words than ``PRESS TO``; the names are
    not looked at."""
    head, colon, message_text = text.partition(":")
    head = head.strip()
    if not colon or len(head) > LONGEST_ADDRESS or "\n" in head:
        return None
    words = head.split()
    if len(words) < 2 or not means(words[0], "line press to", kit):
        return None
    to = words[1:]
    if len(to) > 1 and (to[0].casefold() == "to" or means(to[0], "message to", kit)):
        to = to[1:]
    return " ".join(to), message_text.strip()


def is_addressed(text: str, kit: Kit) -> bool:
    """Whether a line that begins a message has a word for whom it is to (``message to``, ``письмо для``)."""
    words = text.partition(":")[0].split()
    return len(words) > 2 and (words[1].casefold() == "to" or means(words[1], "message to", kit))
