"""What a line may mean that makes no sense: readings that are shown to its sender, and never taken up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from pbem.table.kit import Kit, normalise
from pbem.table.loose import (
    MOST_SAID,
    MOST_WORDS,
    Reading,
    kind_of_verb,
    kinds_by_word,
    read,
    without_courtesy,
    words_of,
)
from pbem.table.orders import Order
from pbem.table.reworded import mended, told_of, with_implied_verb


def guesses(kinds: Iterable[type[Order]], line: str, kit: Kit) -> Iterator[list[Reading]]:
    """What a line may mean that makes no sense, for its sender to choose from: with a slip in its verb mended, or with
    the verb that what it begins with needs (WAR ON VENICE)."""
    words = without_courtesy(words_of(line, MOST_SAID), kit)
    if not 0 < len(words) <= MOST_WORDS or "?" in line:
        return
    kinds = list(kinds)
    verbs = [kind.pattern.key for kind in kinds]
    others = [*mended(words, _words_of_verbs(tuple(kinds), kit), kit), *with_implied_verb(words, verbs, kit)]
    others += told_of(words, lambda word: kind_of_verb(kinds, word, kit) is not None, kit)
    for other in others:
        if readings := read(kinds, " ".join(other), kit):
            yield readings


@lru_cache(maxsize=100)
def _words_of_verbs(kinds: tuple[type[Order], ...], kit: Kit) -> Mapping[str, str]:
    """All words that begin an order of some kinds, without accents -> its verb."""
    exactly, plainly = kinds_by_word(kinds, kit)
    return {normalise(word) or word: kind.pattern.key for word, kind in (*plainly.items(), *exactly.items())}
