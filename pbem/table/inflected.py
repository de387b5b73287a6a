"""Words in another form than the one they are known by: accents left out, and the cases of Russian.

A kit knows a thing by its name ("Вена"); in a line it stands in a case ("из Вены в Линц"). Two forms are of one word
where their stems are the same, as the Snowball stemmer for Russian finds them; of a known word it is taken as a stem as
well, for the stemmer takes the end of some names for an ending ("Каетан").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product

from snowballstemmer import stemmer

from pbem.table.kit import Kit, normalise

LONGEST_NAME = 5
"""Words of the longest name that is looked for."""

_CYRILLIC = re.compile("[а-яё]")
_PLAIN = re.compile(r"[^\W_][\w'’ -]*")
_LAST_VOWEL = re.compile("(?<=[бвгджзклмнпрстфхцчшщ])[аяыиь]$")
_WORD = re.compile(r"[^\W_]+")
_PLURAL = re.compile("(?:[ыи][хе]|[оеё]в|[ыи]|[ая]ми)$")


@cache
def _stemmer() -> stemmer:
    return stemmer("russian")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """What all cases of a Russian word have in common, in small letters; of other words all of it, without accents."""
    folded = word.casefold().replace("ё", "е")
    return str(_stemmer().stemWord(folded)) if is_russian(folded) else normalise(folded)


@lru_cache(maxsize=50_000)
def means(word: str, kind: str, kit: Kit) -> bool:
    """Whether a word is one of those that mean a kind (`Kit.words`), whatever its accents."""
    if word.casefold() in kit.words(kind):
        return True
    if not is_plain(word):
        return False
    key = ("plain words", kind)
    if key not in kit.worked_out:
        kit.worked_out[key] = frozenset(filter(None, map(normalise, kit.words(kind))))
    return normalise(word) in kit.worked_out[key]


def is_plain(word: str) -> bool:
    """Whether a word may be compared without its accents."""
    return bool(_PLAIN.fullmatch(word))


def is_russian(text: str) -> bool:
    """Whether a text has letters of Russian."""
    return bool(_CYRILLIC.search(text.casefold()))


def means_in_a_case(word: str, kind: str, kit: Kit) -> bool:
    """Whether a word is one of those that mean a kind, in whatever case it stands."""
    if means(word, kind, kit):
        return True
    if not is_russian(word):
        return False
    key = ("stems of words", kind)
    if key not in kit.worked_out:
        kit.worked_out[key] = frozenset(one for word in kit.words(kind) for one in _stems_of_name(word))
    return stem(word) in kit.worked_out[key]


def named_plainly(words: Sequence[str], domains: Iterable[str], kit: Kit) -> list[str]:
    """Some words of a line with the ids of the things that are named in them in a case: of just one thing of the
    domains, the longest name first. What is a name as it stands is left as it is."""
    if not any(map(is_russian, words)):
        return list(words)
    domains = [domain for domain in domains if domain in kit.names]
    plain: list[str] = []
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + LONGEST_NAME), at, -1):
            said = " ".join(words[at:end])
            if any(kit.find(domain, said) is not None for domain in domains):
                plain += words[at:end]
                break
            ids = {id for domain in domains for id in _by_stems(kit, domain).get(stems_of(said), ())}
            if len(ids) == 1:
                plain += ids
                break
        else:
            end = at + 1
            plain.append(words[at])
        at = end
    return plain


def stems_of(text: str) -> str:
    """What all cases of a name's words have in common, in small letters without accents."""
    return " ".join(map(stem, _WORD.findall(text)))


def _stems_of_name(name: str) -> Iterator[str]:
    """All that the stems of a name in some case may be."""
    words = _WORD.findall(name.casefold().replace("ё", "е"))
    # Of some names the stemmer takes too much away ("Османы", "Сиена"): their other cases have the stem of the word
    # without its last vowel.
    yield from map(" ".join, product(*(dict.fromkeys((stem(word), word, _LAST_VOWEL.sub("", word))) for word in words)))


def is_plural_in_russian(word: str) -> bool:
    """Whether a Russian name of units stands in the plural, or may stand there."""
    return bool(_PLURAL.search(word.casefold()))


def _by_stems(kit: Kit, domain: str) -> Mapping[str, set[str]]:
    """The stems of the Russian names of a domain -> the ids that they are names of."""
    key = ("names by stems", domain)
    if key not in kit.worked_out:
        ids: dict[str, set[str]] = {}
        for named, id, _, name in kit.record["names"]:
            if named == domain and is_russian(name):
                for stems in _stems_of_name(name):
                    ids.setdefault(stems, set()).add(id)
        kit.worked_out[key] = ids
    return kit.worked_out[key]
