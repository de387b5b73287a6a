"""What a line of prose names of a game: who plays or leads, and other things of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.table import loose
from pbem.table.inflected import LONGEST_NAME, means, named_plainly
from pbem.table.kit import Kit, normalise

SHORTEST = 3
"""So many letters has the name of a thing at least."""


def named(words: Sequence[str], kit: Kit) -> tuple[bool, bool]:
    """(whether some words name somebody who plays or leads, whether they name another thing of the game), in any of its
    languages and in any case; never by words that stand in all prose."""
    people = people_domains(kit)
    things = [domain for domain in kit.names if domain not in people]
    said = named_plainly([word for word in words if not _is_common(word, kit)], list(kit.names), kit)
    return _names_one(said, people, kit), _names_one(said, things, kit)


def people_domains(kit: Kit) -> list[str]:
    """The domains of a kit's names whose things are powers and people."""
    return [domain for domain in kit.names if means(domain, "domains of people", kit)]


def message_to_somebody(line: str, kit: Kit) -> tuple[str, str] | None:
    """(who is named, what is said), where a line begins with one who plays or leads, and a colon (``Charles: shall we
    ally?``); None for all others."""
    head, colon, said = line.partition(":")
    words = [word for word in loose.words_of(head, LONGEST_NAME) if not loose.says_nothing(word, kit)]
    if not (colon and said.strip() and words and named(words, kit)[0]):
        return None
    return head.strip(), said.strip()


def _names_one(words: Sequence[str], domains: Iterable[str], kit: Kit) -> bool:
    names = [kit.names[domain] for domain in domains]
    said = [normalise(word) for word in words]
    for begin in range(len(said)):
        for end in range(begin + 1, min(len(said), begin + LONGEST_NAME) + 1):
            name = "_".join(said[begin:end])
            if len(name) >= SHORTEST and not name.isdigit() and any(name in known for known in names):
                return True
    return False


def _is_common(word: str, kit: Kit) -> bool:
    """Whether a word stands in any prose, and names nothing there."""
    return loose.is_chatter(word, kit) or means(word, "prose", kit)
