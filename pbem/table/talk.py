"""Prose that is no order: what it names of a game, whether it may ask for something to be done all the same, and
whether it is talk (a question to people, a word about how things stand)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pbem.table import loose, wording
from pbem.table.inflected import LONGEST_NAME, means, named_plainly
from pbem.table.kit import Kit, normalise
from pbem.table.orders import Order

SHORTEST = 3
"""So many letters has the name of a thing at least."""
FIRST_WORDS = 3
"""Among so many words a no takes back what stands above it."""
LONGEST_QUESTION = 5
"""So many words has a question about the orders above it, at most: longer ones are about something else."""

_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")


def may_act(line: str, kinds: Sequence[type[Order]], kit: Kit) -> bool:
    """Whether a line that is no order may be meant for one of these kinds: it is addressed to somebody of the game, or
    asks for something to be done with things of it, and is no chat."""
    words = _words(line)
    if message_to_somebody(line, kit):
        return True
    acts = asks_to_act(words, kinds, kit)
    if not words or (_tells(words, kit) and not acts):
        return False
    people, things = named(words, kit)
    return things or (acts and (people or _has_verb(words, kinds, kit)))


def is_talk(text: str, kinds: Sequence[type[Order]], kit: Kit) -> bool:
    """Whether a text in which no order is read only asks people something, or tells how things stand: no sentence of it
    may be meant for an order, but for questions."""
    sentences = [one.strip() for one in _SENTENCE.findall(" ".join(text.split())) if any(map(str.isalpha, one))]
    talks = [one.endswith("?") or tells(one, kinds, kit) for one in sentences]
    others = [_words(one) for one, is_said in zip(sentences, talks, strict=True) if not is_said]
    return any(talks) and not any(asks_to_act(words, kinds, kit) or any(named(words, kit)) for words in others)


def tells(line: str, kinds: Sequence[type[Order]], kit: Kit) -> bool:
    """Whether a sentence only tells how things stand, or what its writer hopes and fears."""
    return _tells(_words(line), kit) and not may_act(line, kinds, kit)


def hedges(line: str, kit: Kit) -> bool:
    """Whether a line takes back, doubts or makes depend what an order beside it says (``unless Austria bids more``)."""
    words = _words(line.replace("?", " "))
    first = next((word for word in words if not loose.says_nothing(word, kit)), "")
    return (
        line.startswith(("...", "…", "?"))
        or (line.endswith("?") and any(means(word, "oneself", kit) for word in words))
        or any(means(word, "no", kit) or means(word, "or", kit) for word in words[:FIRST_WORDS])
        or means(first, "refusing", kit)
        or any(means(word, "no", kit) for word in words[-1:])
        or any(means(word, "hedging", kit) for word in words)
    )


def tells_of_others(line: str, kit: Kit) -> bool:
    """Whether a sentence that goes on below says that what stands there is somebody else's word, an example, or what is
    done later or in some case (``Otto told me:``, ``e.g.``, ``Next turn:``)."""
    words = _words(line)
    spoken = [word for word, before in zip(words, ["", *words], strict=False) if not means(before, "oneself", kit)]
    if _holds(words, "supposing", kit) or any(means(word, "reporting", kit) for word in spoken):
        return True
    return _holds(words, "awaiting", kit) and any(named(words, kit))


def _holds(words: Sequence[str], kind: str, kit: Kit) -> bool:
    """Whether some words hold a phrase of a kind."""
    return len(loose.without_phrases(words, kind, kit)) < len(words)


def asks_about(line: str, kit: Kit) -> bool:
    """Whether a sentence asks whether what stands below it may be done, or is written so (``Can I do this?``)."""
    words = _words(line.replace("?", " "))
    asks = [word for word in words[:FIRST_WORDS] if means(word, "oneself", kit)]
    return line.endswith("?") and (bool(asks) or any(means(word, "allowed", kit) for word in words))


def corrects(line: str, kinds: Sequence[type[Order]], kit: Kit) -> bool:
    """Whether a line below orders names what was meant behind an apology (``sorry, Africa``), calls something else
    better, or asks whether all agree to them (``Thoughts?``)."""
    words = _words(line.replace("?", " "))
    apology, comma, rest = line.partition(",")
    if comma and means(apology.strip(), "apologising", kit) and may_act(rest.strip(), kinds, kit):
        return True
    judges = any(means(word, "judging", kit) for word in words)
    asks = line.endswith("?") and len(words) <= LONGEST_QUESTION
    return judges or (asks and any(means(word, kind, kit) for word in words for kind in ("allowed", "agreeing")))


def asks_to_act(words: Sequence[str], kinds: Sequence[type[Order]], kit: Kit) -> bool:
    """Whether any of a line's words asks for something to be done, or a verb of these kinds begins it; where it is not
    chat, wherever the verb stands."""
    if any(means(word, "acting", kit) for word in words) or _begins_with_verb(words, kinds, kit):
        return True
    return not _tells(words, kit) and _has_verb(words, kinds, kit)


def _has_verb(words: Sequence[str], kinds: Sequence[type[Order]], kit: Kit) -> bool:
    """Whether any of some words is a verb of these kinds, and something stands behind it."""
    return any(
        loose.kind_of_verb(kinds, word, kit) is not None for word in words[:-1] if not wording.is_chatter(word, kit)
    )


def _tells(words: Sequence[str], kit: Kit) -> bool:
    return any(means(word, "telling", kit) for word in words)


def _words(line: str) -> list[str]:
    return [word for word in loose.words_of(line, loose.MOST_SAID) if word != ","]


def _begins_with_verb(words: Sequence[str], kinds: Sequence[type[Order]], kit: Kit) -> bool:
    """Whether a verb of these kinds, in whatever form and language, begins some words, but for chatter, and something
    stands behind it."""
    begun = next((at for at, word in enumerate(words) if not wording.is_chatter(word, kit)), len(words))
    rest = [word for word in words[begun + 1 :] if not loose.says_nothing(word, kit)]
    return bool(rest) and loose.kind_of_verb(kinds, words[begun], kit) is not None


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
    return wording.is_chatter(word, kit) or means(word, "prose", kit)
