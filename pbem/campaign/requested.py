"""What a sentence asks the service, or whoever runs the game, for: a setting, an absence, a word to another player,
that something is taken back, how things stand (``could you put my reports on daily?``). The lines that do it are shown
its writer; nothing is done by such a sentence alone.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from pbem.campaign.command import (
    Away,
    CancelAnswer,
    CancelQueue,
    CancelStanding,
    Card,
    Command,
    SetLanguage,
    SetReports,
    SetTimezone,
    Status,
    StatusOfBoard,
    StatusOfPoints,
)
from pbem.campaign.days import read_day
from pbem.campaign.spoken import with_month
from pbem.campaign.zones import zones_called
from pbem.table import loose, wording
from pbem.table.inflected import means
from pbem.table.kit import Kit
from pbem.table.talk import named

LONGEST = 240
"""Characters of a sentence that is looked at."""
NEAR = 3
"""So many words at most stand between what asks that somebody be told something and who that is, or name a zone."""
LONGEST_DAY = 3
CARD = "card"
ANY_YEAR = date(2000, 1, 1)
"""Whether words name a day can be told without knowing which day it is."""

_WORD = re.compile(r"[^\s,:?!.;]+")
_SAID_BEHIND = re.compile(r"^[\s,:]*")
_MODES = ("daily", "questions", "every")


@dataclass(frozen=True)
class Told:
    """A word to others that a sentence asks for: who is named, and what is to be said."""

    to: str
    message: str


def asks(line: str, kit: Kit) -> bool:
    """Whether a line asks the service for something."""
    return message(line, kit) is not None or bool(lines(line, kit))


def lines(line: str, kit: Kit) -> list[str]:
    """The lines of the service that do what a sentence asks for, but for a word to others (`message`); the form of one
    where what its writer fills in is not clear from his words. None where he asks for nothing."""
    if not 0 < len(line) <= LONGEST:
        return []
    return list(dict.fromkeys(_lines(line, kit)))


def command(line: str, kit: Kit) -> Command | None:
    """The one setting that a sentence asks for, if it is clear."""
    wanted = lines(line, kit) if len(line) <= LONGEST else []
    settings = [found for found in _settings(_words(line), kit) if found is not None and found.text() in wanted]
    return settings[0] if len(wanted) == len(settings) == 1 else None


def message(line: str, kit: Kit) -> Told | None:
    """The word to others that a sentence asks for (``can you tell Marc that …``); None where it asks for none, or for
    one to its writer (``tell me``)."""
    if not 0 < len(line) <= LONGEST:
        return None
    spans = list(_WORD.finditer(line))
    said = [span[0] for span in spans]
    for at in range(len(said)):
        behind = _behind_phrase(said, at, "asking to tell", kit)
        if behind is None or not _only_asks(said[:at], kit):
            continue
        for end in range(behind, min(behind + NEAR, len(said))):
            if means(said[end], "receiver", kit):
                return None
            last = (_behind_phrase(said, end, "all", kit) or end + 1) - 1
            if last > end or _is_somebody(said[end], kit):
                knows = any(means(word, "knowing", kit) for word in said[last + 1 : last + 1 + NEAR])
                if means(said[at], "letting know", kit) and not knows:
                    return None
                told = _message_behind(line, spans, last, kit)
                return None if _is_mere_thanks(told, kit) else Told(" ".join(said[end : last + 1]), told)
            if not _stands_before_name(said[end], kit):
                break
    return None


def _lines(line: str, kit: Kit) -> Iterator[str]:
    words = _words(line)
    is_asked = "?" in line or _holds(words, "asking service", kit)
    asks_for = [kind for kind in ("absence", "own absence") if _holds(words, f"about {kind}", kit)]
    is_past = any(means(word, "past", kit) for word in words)
    if asks_for and not is_past and ("own absence" in asks_for or (is_asked and _speaks_of_himself(words, kit))):
        yield _absence(words, kit)
    if not is_asked:
        return
    yield from (found.text() for found in _settings(words, kit) if found is not None)
    for kind, form in (("reports", SetReports), ("zone", SetTimezone), ("language", SetLanguage)):
        if _holds(words, f"about {kind}", kit) and not any(isinstance(one, form) for one in _settings(words, kit)):
            yield form.usage()
    if _holds(words, "asking to cancel", kit):
        for kind, drops in (("queue", CancelQueue), ("standing", CancelStanding), ("answer", CancelAnswer)):
            if _holds(words, f"about {kind}", kit):
                yield drops.usage()
    if _holds(words, "asking to see", kit):
        yield from _shown(words, kit)
    if "?" in line:
        yield from _standing(words, kit)


def _shown(words: Sequence[str], kit: Kit) -> Iterator[str]:
    """The lines that show what words ask to see: the board, a card by its number."""
    if _holds(words, "about board", kit):
        yield StatusOfBoard.line
    for word, behind in itertools.pairwise(words):
        if word.casefold() == "card" or means(word, "like card", kit) or means(word, "line card", kit):
            number = behind.lstrip("#")
            if number.isdecimal() or number.upper() in kit.labels.get(CARD, {}):
                yield Card(card=number).text()


def _standing(words: Sequence[str], kit: Kit) -> Iterator[str]:
    """The lines that tell how things stand, where words ask for it."""
    counts = _holds(words, "asking how many", kit)
    if _holds(words, "asking points", kit) or (counts and _holds(words, "about points", kit)):
        yield StatusOfPoints.line
    elif counts and (_holds(words, "counted", kit) or any(named(words, kit))):
        yield StatusOfBoard.line
    elif _holds(words, "asking state", kit):
        yield Status.line


def _settings(words: Sequence[str], kit: Kit) -> list[Command | None]:
    """The settings that words ask for, each with the value that they name; None for one that names none."""
    found: list[Command | None] = []
    if _holds(words, "about reports", kit):
        modes = [mode for mode in _MODES if _holds(words, f"reports {mode}", kit)]
        found.append(SetReports(mode=modes[0], hour=None) if len(modes) == 1 else None)
    if _holds(words, "about zone", kit):
        zones = list(dict.fromkeys(_zones(words, kit)))
        found.append(SetTimezone(zone=zones[0]) if len(zones) == 1 else None)
    if _holds(words, "about language", kit):
        languages = [one for one in ("en", "fr", "ru") if _holds(words, f"in {one}", kit) or _names(words, one, kit)]
        found.append(SetLanguage(language=languages[0]) if len(languages) == 1 else None)
    return found


def _names(words: Sequence[str], value: str, kit: Kit) -> bool:
    return any(means(word, f"like {value}", kit) for word in words)


def _zones(words: Sequence[str], kit: Kit) -> Iterator[str]:
    """The names of time zones, or of places that have one, among words; of several at a place the longest."""
    left = [word for word in loose.without_phrases(words, "about zone", kit) if word != ","]
    at = 0
    while at < len(left):
        for end in range(min(at + NEAR, len(left)), at, -1):
            said = " ".join(left[at:end])
            if len(said) > NEAR and not wording.is_chatter(said, kit) and zones_called(said):
                yield said
                at = end - 1
                break
        at += 1


def _absence(words: Sequence[str], kit: Kit) -> str:
    """The line of an absence with the days that words name; its form where they name no two."""
    for at, word in enumerate(words):
        if not means(word, "like until", kit):
            continue
        for length in range(LONGEST_DAY, 0, -1):
            last = " ".join(words[at + 1 : at + 1 + length])
            if read_day(last, ANY_YEAR) is None:
                continue
            for begun in range(LONGEST_DAY, 0, -1):
                first = with_month(words[max(at - begun, 0) : at], last.split())
                if read_day(first, ANY_YEAR) is not None:
                    return Away(first_day=first, last_day=last).text()
    return Away.usage()


def _words(line: str) -> list[str]:
    return loose.words_of(line.replace("?", " ").replace("–", " – "), loose.MOST_SAID)


def _holds(words: Sequence[str], kind: str, kit: Kit) -> bool:
    """Whether some words hold a phrase of a kind."""
    return len(loose.without_phrases(words, kind, kit)) < len(words)


def _speaks_of_himself(words: Sequence[str], kit: Kit) -> bool:
    return any(means(word, "speaking", kit) or means(word, "of oneself", kit) for word in words)


def _behind_phrase(said: Sequence[str], at: int, kind: str, kit: Kit) -> int | None:
    """Where a phrase of a kind ends that begins at a word; None where none does."""
    for length in range(min(NEAR, len(said) - at), 0, -1):
        if not loose.without_phrases(said[at : at + length], kind, kit):
            return at + length
    return None


def _only_asks(said: Sequence[str], kit: Kit) -> bool:
    """Whether words before a verb only ask for it, kindly, and do not say that somebody does it."""
    left = loose.without_phrases(loose.without_phrases(said, "asking service", kit), "courtesy", kit)
    return all(
        (wording.is_chatter(word, kit) or means(word, "joining lines", kit)) and not means(word, "oneself", kit)
        for word in left
    )


def _is_somebody(word: str, kit: Kit) -> bool:
    """Whether a word names a player, a power or several of them."""
    folded = re.sub(r"^(?:l|d)['’]", "", word)
    is_name = folded[:1].isupper() and not folded.isupper()
    return is_name or means(word, "all", kit) or means(word, "others told", kit) or named([folded], kit)[0]


def _is_mere_thanks(text: str, kit: Kit) -> bool:
    words = loose.words_of(text)
    return bool(words) and all(wording.says_nothing(word, kit) for word in loose.without_courtesy(words, kit))


def _stands_before_name(word: str, kit: Kit) -> bool:
    return means(word, "message to", kit) or wording.says_nothing(word, kit) or word.casefold() == "to"


def _message_behind(line: str, spans: Sequence[re.Match[str]], at: int, kit: Kit) -> str:
    """What is to be said, behind who is told it."""
    end = spans[at].end()
    for span in spans[at + 1 :]:
        if not means(span[0], "before what is told", kit):
            break
        end = span.end()
    elided = re.match(r"[\s,:]*qu['’]", line[end:])
    said = _SAID_BEHIND.sub("", line[end + elided.end() :] if elided else line[end:]).strip()
    return said.rstrip("?").rstrip() if said.count("?") == 1 and said.endswith("?") else said
