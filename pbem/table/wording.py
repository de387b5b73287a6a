"""The words of lines as people write them, and what single ones say: nothing, a number, more than one thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pbem.table.grammar import split_words
from pbem.table.inflected import means, named_plainly
from pbem.table.kit import Kit, normalise

_ELIDED = re.compile(r"(?:[cdjlmnst]|qu|jusqu)['’](?=\w)", re.IGNORECASE)
_SAINT = re.compile(r"(saint|st|св)[-.](?=\w)", re.IGNORECASE)
"""How a name of two words may be written as one (Saint-Pierre)."""
_QUOTES = "\"“”„«»‹›()[]"
_MARK = re.compile(r"[:;.!…–—-]+")
_CODE = re.compile(r"[А-Яа-я]\d+")
_ARROW = re.compile(r"[-=–—]{1,2}>|→|⇒|➔|➜|(?<=\w) ?> ?(?=\w)")
"""Stands for TO: nobody draws one back to where he comes from."""
_LOOKALIKES = str.maketrans("АВЕКМНОРСТХавекмнорстх", "ABEKMHOPCTXabekmhopctx")
"""Letters of Russian that stand before a number where the Latin ones that look like them are meant (С3)."""


def words_of(line: str, most: int | None = None) -> list[str]:
    """The words of a line as people write it: without quotation marks and dashes, ``l'`` and ``d'`` of French apart.
    None of a line that has more than `most`: whoever sends a thousand commas says nothing, and costs no time."""
    words: list[str] = []
    split = split_words(_ARROW.sub(" to ", line))
    for word in split if most is None or len(split) <= most else ():
        word = word.strip(_QUOTES).rstrip(".!;:…").strip(_QUOTES)
        if saint := _SAINT.match(word):
            words.append(saint[1])
            word = word[saint.end() :]
        while elided := _ELIDED.match(word):
            words.append(f"{elided[0][:-1]}'")
            word = word[elided.end() :]
        if word and not _MARK.fullmatch(word):
            words.append(word.translate(_LOOKALIKES) if _CODE.fullmatch(word) else word)
    return words


def without_courtesy(words: Sequence[str], kit: Kit) -> list[str]:
    """Words without the phrases that only ask kindly (s'il vous plaît), and without those at the end that close a line
    (good night), or say whom its writer waits for; all of them where there are no others."""
    left = without_phrases(words, "courtesy", kit)
    while (shorter := _without_closing(left, kit)) and len(shorter) < len(left):
        left = shorter
    return left


def _without_closing(words: Sequence[str], kit: Kit) -> list[str]:
    """Words without the phrase that closes them, and what joins it to the others."""
    last = len(words)
    while last and says_nothing(words[last - 1], kit):
        last -= 1
    for end in dict.fromkeys((len(words), last)):
        for begin in range(max(end - LONGEST_CLOSING, 1), end):
            said = words[begin:end]
            if not without_phrases(said, "closing", kit) or _is_waiting(said, kit):
                while begin and (words[begin - 1] == "," or means(words[begin - 1], "and", kit)):
                    begin -= 1
                return list(words[:begin])
    return list(words)


LONGEST_CLOSING = 6
"""So many words has a phrase at most that closes a line."""


def _is_waiting(words: Sequence[str], kit: Kit) -> bool:
    """Whether words say that their writer waits for one of the powers."""
    domain, name = kit.domain_of_powers, without_phrases(words, "waiting for", kit)
    if domain is None or not 0 < len(name) < len(words) or list(words[-len(name) :]) != name:
        return False
    named = " ".join(named_plainly([word for word in name if not says_nothing(word, kit)], [domain], kit))
    return kit.find(domain, named) is not None


def without_phrases(words: Sequence[str], kind: str, kit: Kit) -> list[str]:
    """Words without the phrases of a kind, from left to right, the longest that begins at a word; `words` is walked
    once, however long it is."""
    phrases, said = _phrases_by_beginning(kind, kit), [_plainly(word) for word in words]
    left: list[str] = []
    at = 0
    while at < len(words):
        phrase = next((phrase for phrase in phrases.get(said[at], ()) if said[at : at + len(phrase)] == phrase), None)
        if phrase is None:
            left.append(words[at])
        at += len(phrase) if phrase else 1
    return left


def _phrases_by_beginning(kind: str, kit: Kit) -> dict[str, list[list[str]]]:
    """first word -> the kit's phrases of a kind that begin with it, the longest first."""
    key = ("phrases", kind)
    if key not in kit.worked_out:
        phrases: dict[str, list[list[str]]] = {}
        for phrase in sorted(map(words_of, kit.words(kind)), key=lambda phrase: (-len(phrase), phrase)):
            said = [_plainly(word) for word in phrase]
            phrases.setdefault(said[0], []).append(said)
        kit.worked_out[key] = phrases
    return kit.worked_out[key]


def _plainly(word: str) -> str:
    return normalise(word) or word.casefold()


def says_nothing(word: str, kit: Kit) -> bool:
    """Whether a word may stand anywhere and says nothing."""
    return word == "," or means(word, "noise", kit)


def is_chatter(word: str, kit: Kit) -> bool:
    """Whether a word names nothing by itself: one that says nothing, may stand before a verb, or connects others."""
    return says_nothing(word, kit) or means(word, "chatter", kit) or means(word, "connecting", kit)


@lru_cache(maxsize=5_000)
def number_of(word: str, kit: Kit) -> int | None:
    """The number that a word is, in figures or letters."""
    if re.fullmatch(r"[1-9][0-9]?", word):
        return int(word)
    return next((number for number in range(1, 13) if means(word, f"number {number}", kit)), None)


def is_plural(word: str) -> bool:
    """Whether a word may be the plural of another, by its end."""
    return word.casefold().endswith("s") and singular(word.casefold()) != word.casefold()


def singular(word: str) -> str:
    """A word without the end of a plural."""
    return re.sub(r"ies$", "y", word) if word.endswith("ies") else word.removesuffix("s")
