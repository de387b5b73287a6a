"""What players wonder, answered by lines that only tell: what a card does, whether they are at war with somebody.

A question is taken as a whole: behind its first words (`Kit.words`, kind ``asking card``) stands one card and at most
what ends such a question (``what does Roxelana say again?``). Any other word makes it another question, or an order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pbem.campaign.command import Card, Command, SetReports, StatusOfBoard
from pbem.table import loose, talk, wording
from pbem.table.inflected import means, named_plainly
from pbem.table.kit import Kit

MOST_WORDS = 20
"""Of a question."""

MOST_ADDRESSED = 3
"""So many words say at most who is asked (``Dear friends, …``)."""

CARD = "card"


def question(text: str, kit: Kit) -> Command | None:
    """The line of the service that answers what a line asks; None where it asks nothing that one answers."""
    words = loose.words_of(text.replace("?", " "), loose.MOST_SAID)
    if not 0 < len(words) <= MOST_WORDS:
        return None
    for said in _unaddressed(words, kit):
        if (card := _card_asked(said, kit)) is not None:
            return Card(card=card)
        if "?" in text and _asks_for_wars(said, kit):
            return StatusOfBoard()
    return None


def takes_back(text: str, kit: Kit) -> bool:
    """Whether a line speaks of taking back what was sent before."""
    return _speaks_of(text, "taking back", kit)


def wishes_always(text: str, kit: Kit) -> bool:
    """Whether a line wishes that something be done every time."""
    return _speaks_of(text, "wishing always", kit)


def daily_reports(text: str, kit: Kit) -> SetReports | None:
    """The line that a wish for one mail a day stands for, with the hour that it names; None for no such wish."""
    if not _speaks_of(text, "wishing daily", kit):
        return None
    hour = _HOUR.search(text)
    number = None if hour is None else int(hour[1])
    if hour is not None and number is not None and number < NOON and means(hour[2], "hour after noon", kit):
        number += NOON
    return SetReports(mode="daily", hour=number if number is None or number < 2 * NOON else None)


NOON = 12

_HOUR = re.compile(r"\b(?:at|à|в|vers)\s+(\d{1,2})(?::\d\d)?\s*([^\W\d_]*(?:\.m)?)", re.IGNORECASE)


def thing_asked(text: str, kit: Kit) -> tuple[str, str] | None:
    """(domain, id) of what a question asks what it does (``What does Improved Agriculture do?``); None for others."""
    if "?" not in text:
        return None
    words = [word for word in loose.words_of(text.replace("?", " "), loose.MOST_SAID) if word != ","]
    if not 0 < len(words) <= MOST_WORDS or (asked := _behind(words, "asking card", kit)) is None:
        return None
    named = [word for word in loose.without_phrases(asked, "ending question about card", kit)
             if not loose.says_nothing(word, kit)]  # fmt: skip
    others = {*talk.people_domains(kit), *kit.words("domains of places")}
    for domain in (one for one in kit.names if one not in others):
        for said in (" ".join(named), " ".join(named_plainly(named, [domain], kit))):
            if named and (id := kit.find(domain, said)) is not None:
                return domain, id
    return None


def _speaks_of(text: str, kind: str, kit: Kit) -> bool:
    words = loose.words_of(text, loose.MOST_SAID)
    return len(loose.without_phrases(words, kind, kit)) < len(words)


def _unaddressed(words: Sequence[str], kit: Kit) -> Iterator[list[str]]:
    """Words, and those behind a comma that ends what says who is asked; no line of its own is it (STATUS)."""
    yield list(words)
    if not wording.is_chatter(words[0], kit) and not means(words[0], "opening question", kit):
        return
    for at in range(1, min(MOST_ADDRESSED + 1, len(words))):
        if words[at] == ",":
            yield list(words[at + 1 :])
            return


def _card_asked(words: Sequence[str], kit: Kit) -> str | None:
    """The card that a question is about."""
    left = loose.without_courtesy([word for word in words if word != ","], kit)
    asked = _behind(left, "asking card", kit)
    if asked is None or CARD not in kit.names:
        return None
    named = loose.without_phrases(asked, "ending question about card", kit)
    named = [word.lstrip("#") for word in named if not _is_beside_a_card(word, kit)]
    return _card_called(named, kit) if named else None


def _is_beside_a_card(word: str, kit: Kit) -> bool:
    return loose.says_nothing(word, kit) or means(word, "like card", kit) or means(word, "line card", kit)


def _card_called(words: Sequence[str], kit: Kit) -> str | None:
    """The one card of a number or whole name."""
    said = " ".join(words)
    if said.isdecimal():
        numbered = [card for card in kit.labels[CARD] if card.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == said]
        return said if numbered else None
    return kit.find(CARD, said) or kit.find(CARD, " ".join(named_plainly(words, [CARD], kit)))


def _asks_for_wars(words: Sequence[str], kit: Kit) -> bool:
    """Whether a question is whether its writer is at war, allied or at peace with one power."""
    named = _behind(words, "asking wars", kit)
    domain = kit.domain_of_powers
    if not named or domain is None:
        return False
    plain = [word for word in named if not loose.says_nothing(word, kit) and not means(word, "connecting", kit)]
    domains = [one for one in (domain, "minor") if one in kit.names]
    forms = (" ".join(plain), " ".join(named_plainly(plain, domains, kit)))
    return any(kit.find(one, form) is not None for one in domains for form in forms)


def _behind(words: Sequence[str], kind: str, kit: Kit) -> list[str] | None:
    """The words behind those that begin a question, which nothing but chatter stands before."""
    for at in range(len(words)):
        for length in range(min(MOST_WORDS, len(words) - at), 0, -1):
            if not loose.without_phrases(words[at : at + length], kind, kit):
                return list(words[at + length :])
        if not wording.is_chatter(words[at], kit) and not means(words[at], "opening question", kit):
            return None
    return None
