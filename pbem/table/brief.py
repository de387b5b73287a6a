"""Answers in a word, and other lines that name no order: yes, no, "I'm in", "that's all"."""

from __future__ import annotations

import re

from pbem.table.inflected import is_russian, means
from pbem.table.kit import Kit
from pbem.table.loose import (
    MOST_CHATTER,
    MOST_SAID,
    MOST_WORDS,
    says_nothing,
    without_courtesy,
    without_phrases,
    words_of,
)
from pbem.table.orders import nearest


def says(line: str, kit: Kit) -> bool | None:
    """Whether a line says just yes or no (``Sure, I accept!``, ``no thanks``); None where it says anything else."""
    words = without_courtesy(words_of(line, MOST_SAID), kit)
    said_whole = without_phrases(words_of(line, MOST_SAID), "courtesy", kit)
    playing = without_phrases(said_whole, "playing none", kit)
    if len(playing) < len(said_whole):  # I DON'T PLAY A CARD
        return False if all(_meaning(word, kit) is None for word in playing) and "?" not in line else None
    said = [_meaning(word, kit) for word in words]
    answers = {meaning for meaning in said if meaning is not None}
    if "?" in line or len(answers) != 1 or "else" in answers:
        return None
    if "no" in answers:
        first, last = said.index("no"), len(said) - said[::-1].index("no")
        between = [words[at] for at in range(first, last) if said[at] is None]
        if not all(word == "," or means(word, "speaking", kit) for word in between) or "to" in between:
            return None  # DECLINE TO DECLINE
    return answers == {"yes"}


def refuses(line: str, kit: Kit) -> bool:
    """Whether a line says in a sentence that something is not done (NO THANKS, I DON'T PLAY A CARD)."""
    words = words_of(line, MOST_SAID)
    return any(means(word, "no", kit) or means(word, "refusing", kit) for word in words)


def joins(line: str, kit: Kit) -> bool:
    """Whether a line says just that its writer takes a seat that he is invited to (``Sure, I'm in!``, ``j'accepte
    l'invitation``): a plain yes, without a no, a question or a condition; or a sentence of it that names the invitation
    (``oops, typo - I accept the invitation``), where nothing beside it puts it off or tells of others."""
    return _just_joins(line, kit) or takes_seat(line, kit)


def takes_seat(line: str, kit: Kit) -> bool:
    """Whether a line says in a sentence, and nowhere takes back, that its writer accepts the invitation."""
    if len(line) > MOST_SAID * 10 or "?" in line or any(means(word, "deferring", kit) for word in words_of(line)):
        return False
    parts = [part for part in _SENTENCES.split(line) if part.strip()]
    if any(depends(part, kit) or _says_no(part, kit) for part in parts):
        return False
    return any(_names_invitation(part, kit) and _just_joins(part, kit) for part in parts)


def beside_the_seat(line: str, kit: Kit) -> list[str]:
    """The sentences of a line that takes a seat which say something else (``…, and my time zone is Europe/Berlin``)."""
    if _just_joins(line, kit):
        return []
    parts = [part.strip() for part in _SENTENCES.split(line) if part.strip()]
    others = [part for part in parts if not (_names_invitation(part, kit) and _just_joins(part, kit))]
    return [part for part in others if any(_meaning(word, kit) for word in without_courtesy(words_of(part), kit))]


_SENTENCES = re.compile(r"\s[-–—]+\s|[,;.!…]+(?:\s+|$)")
LIKE_INVITATION, LONG_WORD = 0.85, 8


def _says_no(line: str, kit: Kit) -> bool:
    return any(_meaning(word, kit) == "no" or means(word, "denying", kit) for word in words_of(line))


def _names_invitation(line: str, kit: Kit) -> bool:
    return any(_is_invitation(word, kit) for word in words_of(line))


def _is_invitation(word: str, kit: Kit) -> bool:
    """Whether a word is one for an invitation, or a long one of them with a slip in it."""
    if means(word, "invitation", kit):
        return True
    long = [known for known in kit.words("invitation") if len(known) >= LONG_WORD]
    return len(word) >= LONG_WORD and bool(nearest(word.casefold(), long, 1, LIKE_INVITATION))


def _just_joins(line: str, kit: Kit) -> bool:
    words = without_phrases(words_of(line, MOST_SAID), "thanks for invitation", kit)
    if not 0 < len(words) <= MOST_WORDS or "?" in line or words[0].casefold() in _ASKING:
        return False
    others = without_phrases(words, "joining", kit)
    left = [word for word in without_courtesy(others, kit) if not _is_invitation(word, kit)]
    answers = {meaning for word in left if (meaning := _meaning(word, kit)) is not None}
    return answers == {"yes"} or (len(others) < len(words) and not answers)


def language_of(line: str, kit: Kit) -> str | None:
    """The code of the language that a line is surely in; None where its words are those of several, or of English,
    which people of any language write to a machine."""
    if is_russian(line):
        return "ru"
    return "fr" if any(means(word, "french", kit) for word in words_of(line, MOST_SAID)) else None


_ASKING = frozenset({"shall", "should", "will", "would", "am", "are"})
"""With these, a line asks though it has no question mark."""


def finishes(line: str, kit: Kit) -> bool:
    """Whether a line says just that its writer has no more orders (``that's all``, ``j'ai fini``, ``готово``)."""
    words = words_of(line, MOST_SAID)
    if not 0 < len(words) <= MOST_CHATTER + 4 or "?" in line or without_phrases(words, "praising", kit) != words:
        return False
    left = without_phrases(without_phrases(without_courtesy(words, kit), "finished", kit), "beside finished", kit)
    return all(says_nothing(word, kit) or means(word, "chatter", kit) for word in left) and (
        without_phrases(words, "finished", kit) != words
    )


def depends(line: str, kit: Kit) -> bool:
    """Whether a line beside a yes makes it depend on something, or takes it back (``But only if Dora plays``)."""
    return any(means(word.strip(","), "conditional", kit) for word in words_of(line))


def _meaning(word: str, kit: Kit) -> str | None:
    for meaning in ("yes", "no"):
        if means(word, meaning, kit) or means(word, f"like {meaning}", kit):
            return meaning
    return None if says_nothing(word, kit) or means(word, "chatter", kit) else "else"
