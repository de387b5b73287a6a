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
LONGEST_QUESTION = 9
"""So many words has a question about the orders beside it, at most: longer ones are about something else."""
SHORTEST_QUESTION = 3
"""So many words at most has a question below an order that names no subject, and so is about the order."""
LONGEST_TAUNT = 5
"""So many words has a sentence at most that speaks to others of the order beside it (``Had you there!``)."""

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
        or jokes(line, kit)
    )


def jokes(line: str, kit: Kit) -> bool:
    """Whether a line laughs away what stands beside it, or calls it a trial, or not settled (``as if``, ``TBC``)."""
    return _holds(_words(line), "joking", kit)


def tells_of_others(line: str, kit: Kit) -> bool:
    """Whether a sentence that goes on below says that what stands there is somebody else's word, an example, or what is
    done later or in some case (``Otto told me:``, ``e.g.``, ``Next turn:``)."""
    words = _words(line)
    if _holds(words, "supposing", kit) or _reports(words, kit):
        return True
    return _holds(words, "awaiting", kit) and any(named(words, kit))


def _reports(words: Sequence[str], kit: Kit) -> bool:
    """Whether some words tell what somebody else than their writer says."""
    spoken = [word for word, before in zip(words, ["", *words], strict=False) if not means(before, "oneself", kit)]
    return any(means(word, "reporting", kit) for word in spoken)


def _holds(words: Sequence[str], kind: str, kit: Kit) -> bool:
    """Whether some words hold a phrase of a kind."""
    return len(loose.without_phrases(words, kind, kit)) < len(words)


def asks_about(line: str, kit: Kit) -> bool:
    """Whether a sentence asks whether what stands below it may be done, or is written so (``Can I do this?``)."""
    words = _words(line.replace("?", " "))
    asks = [word for word in words[:FIRST_WORDS] if means(word, "oneself", kit)]
    is_about = bool(asks) or any(means(word, "allowed", kit) for word in words) or _asks_others(words, kit)
    return line.endswith("?") and is_about


def _asks_others(words: Sequence[str], kit: Kit) -> bool:
    """Whether the words of a question ask whether others agree to what stands beside it (``Qu'en pensez-vous ?``)."""
    parts = [part for word in words for part in word.split("-")]
    return len(words) <= LONGEST_QUESTION and _holds(parts, "agreeing", kit)


def corrects(line: str, kinds: Sequence[type[Order]], kit: Kit) -> bool:
    """Whether a line below orders names what was meant behind an apology (``sorry, Africa``), calls something else
    better, says whose word they are (``says Otto``), asks whether they are allowed or all agree to them
    (``Thoughts?``), or laughs at who believes them (``Had you there!``)."""
    words = _words(line.replace("?", " "))
    apology, comma, rest = line.partition(",")
    if comma and means(apology.strip(), "apologising", kit) and may_act(rest.strip(), kinds, kit):
        return True
    if any(means(word, "judging", kit) for word in words) or _is_word_of_another(words, kit):
        return True
    if line.endswith("?"):
        if len(words) <= SHORTEST_QUESTION and not any(means(word, "asking after", kit) for word in words):
            return True
        is_short = len(words) <= LONGEST_QUESTION
        return is_short and (any(means(word, "allowed", kit) for word in words) or _asks_others(words, kit))
    return _taunts(words, kit)


def _is_word_of_another(words: Sequence[str], kit: Kit) -> bool:
    """Whether a line says whose word, or idea, the order above it is (``dit Otto``, ``Charles' idea``)."""
    if any(means(word, "reporting", kit) for word in words[:1]):
        return True
    if any(means(word, "pointing", kit) for word in words[:1]) and _reports(words, kit):
        return True
    kinds = ("idea", "reporting")
    return any(means(word, kind, kit) for word in words for kind in kinds) and named(words, kit)[0]


def _taunts(words: Sequence[str], kit: Kit) -> bool:
    """Whether a short sentence speaks to others, and wishes them nothing."""
    spoken = [at for at, word in enumerate(words) if means(word, "second person", kit)]
    wished = any(means(word, "before second person", kit) for at in spoken for word in words[:at][-1:])
    return bool(spoken) and not wished and len(words) <= LONGEST_TAUNT and not _tells(words, kit)


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


def heading(line: str, kit: Kit) -> dict[str, str]:
    """The one thing of the game that a line names and nothing else, but for a colon (``Charles:``, ``For France:``), by
    its domains; empty for other lines."""
    if not line.endswith(":"):
        return {}
    words = [word for word in loose.words_of(line.rstrip(": "), LONGEST_NAME + 2) if not loose.says_nothing(word, kit)]
    words = words[1:] if words and means(words[0], "message to", kit) else words
    if all(_is_common(word, kit) for word in words):
        return {}
    said = " ".join(named_plainly(words, list(kit.names), kit))
    return {domain: id for domain in kit.names if (id := kit.find(domain, said)) is not None}


def domains_named(line: str, kit: Kit) -> set[str]:
    """The domains of the things that a line names."""
    words = [word for word in _words(line) if not _is_common(word, kit)]
    return {domain for domain in kit.names if _names_one(named_plainly(words, [domain], kit), [domain], kit)}


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
