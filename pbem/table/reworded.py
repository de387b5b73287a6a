"""Sentences put as lines: what people write whose words are no line of the grammar in whatever order of its clauses.

Each way changes the order of words, or leaves out what is said twice; none adds a name or takes a word away that
might deny something. What comes of it is read like any other line, so that all its words have to make sense.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from pbem.table.grammar import nearest
from pbem.table.inflected import LONGEST_NAME, is_russian, means, named_plainly, stems_of
from pbem.table.kit import Kit, normalise
from pbem.table.wording import without_phrases, words_of

IsVerb = Callable[[str], bool]
"""Whether a word begins an order."""

MOST_WORDS = 80
"""So many words of a line are looked through for titles."""
MOST_LEADERS = 8
"""So many words may name the leaders behind a WITH."""


def reworded(words: Sequence[str], verbs: Sequence[str], is_verb: IsVerb, kit: Kit) -> Iterator[list[str]]:
    """What the words of a line may be as those of another one, by one or several of the ways; `verbs` begin the orders
    that are looked for, in small letters."""
    lines = [list(words)]
    lines += [other for line in lines for other in [_named_once(line, kit)] if other != line]
    lines += [other for line in lines for other in _verb_first(line, is_verb, kit)]
    lines += [other for line in lines for other in _with_verb(line, verbs, kit)]
    lines += [other for line in lines for other in _leaders_first(line, is_verb, kit)]
    lines += [other for line in lines[:2] for other in _said_behind(line, verbs, kit)]
    yield from lines[1:]


def named_once(words: Sequence[str], kit: Kit) -> list[str]:
    """Words in which a card that is named beside its number (RANSOM (91), 91 RANSOM) is so by its number alone."""
    return _named_once(list(words), kit)


def _named_once(words: list[str], kit: Kit) -> list[str]:
    for at, word in enumerate(words):
        if "card" not in kit.names or not any(char.isdigit() for char in word):
            continue
        if (card := kit.find("card", word)) is None:
            continue
        for length in range(LONGEST_NAME, 0, -1):
            for begin in (at - length, at + 1):
                name = words[begin : begin + length] if begin >= 0 else []
                if len(name) == length and _card_called(name, kit) == card:
                    return [*words[:begin], *words[begin + length :]]
    return words


def _card_called(name: Sequence[str], kit: Kit) -> str | None:
    return kit.find("card", " ".join(name)) or kit.find("card", " ".join(named_plainly(name, ["card"], kit)))


def told_of(words: Sequence[str], is_verb: IsVerb, kit: Kit) -> Iterator[list[str]]:
    """A line that tells of something, or only names it (HAWKINS RAIDS SPAIN, 2 INFLUENCE ON SCOTLAND), with its verb
    in front."""
    yield from _verb_first(words, is_verb, kit, speaks=True)


def _verb_first(words: Sequence[str], is_verb: IsVerb, kit: Kit, speaks: bool = False) -> Iterator[list[str]]:
    """A line whose object stands before its verb (IN INDIA I BUILD A SHIP, АРМИЮ СТАВЛЮ В ИНДИЮ), with the verb in
    front; none where a power stands there, or the verb may tell of somebody else: it is that one's doing."""
    for at, word in enumerate(words[1:], start=1):
        if not is_verb(word):
            continue
        before = [one for one in words[:at] if not means(one, "speaking", kit)]
        speaks = speaks or is_russian(word) or means(words[at - 1], "speaking", kit)
        denied = any(means(one, "denying", kit) for one in before)
        if before and speaks and not denied and not _names_power(before, kit):
            yield [word, *before, *words[at + 1 :]]
        return


def _names_power(words: Sequence[str], kit: Kit) -> bool:
    domain = kit.domain_of_powers
    if domain is None:
        return False
    return any(kit.find(domain, word) is not None for word in (*words, *named_plainly(words, [domain], kit)))


def _with_verb(words: Sequence[str], verbs: Sequence[str], kit: Kit) -> Iterator[list[str]]:
    """A line that says whose wish it is, and for a verb only what is done (I WANT WAR WITH VENICE), with the verbs that
    this goes with. Without the wish it may be a heading, and tells nobody to do anything."""
    wishes = any(means(word, "giving", kit) for word in words[:1])
    for at, word in enumerate(words):
        for verb in dict.fromkeys(verbs) if wishes else ():
            if means(word, f"implies {verb}", kit):
                yield [verb, *words[at:]]
        wishes = wishes or means(word, "chatter", kit)
        if not any(means(word, kind, kit) for kind in ("noise", "chatter")):
            return


def _said_behind(words: Sequence[str], verbs: Sequence[str], kit: Kit) -> Iterator[list[str]]:
    """A line that says behind its object what is done (I PLAY THE TREATY OF ULM AS EVENT) with the verb of that."""
    for verb in dict.fromkeys(verbs):
        left = without_phrases(words, f"says {verb}", kit)
        while left and len(left) < len(words) and any(means(left[0], kind, kit) for kind in ("noise", "chatter")):
            left = left[1:]
        if left and len(left) < len(words) and not any(means(word, "denying", kit) for word in words):
            yield [verb, *left]


def with_own_titles(text: str, hand: Collection[str], kit: Kit) -> str:
    """A line with each title that several cards share, and just one of the sender's hand has, as that card's id."""
    cards: dict[str, list[str]] = {}
    for card in hand:
        titles = kit.labels.get("card", {}).get(card, {}).values()
        for title in {stems_of(title) for title in titles if kit.find("card", title) is None}:
            cards.setdefault(title, []).append(card)
    shared = {title: own[0] for title, own in cards.items() if len(own) == 1}
    words = words_of(text, MOST_WORDS) if shared else []
    for at in range(len(words)):
        for end in range(min(len(words), at + LONGEST_NAME), at, -1):
            if (meant := shared.get(stems_of(" ".join(words[at:end])))) is not None:
                others = [card for card in hand if card != meant]
                return with_own_titles(" ".join([*words[:at], meant, *words[end:]]), others, kit)
    return text


def with_implied_verb(words: Sequence[str], verbs: Sequence[str], kit: Kit) -> Iterator[list[str]]:
    """A line that begins with what is done (WAR ON VENICE, UNE ALLIANCE AVEC LA FRANCE) with the verbs that this goes
    with."""
    yield from _with_verb(["want", *words], verbs, kit)


SLIP, SHORTEST_VERB, WORDS_BEFORE_VERB = 0.7, 4, 4
"""How like a verb a word with a slip in it is, how long it is at least, and how many words may stand before it."""


def mended(words: Sequence[str], verbs: Mapping[str, str], kit: Kit) -> Iterator[list[str]]:
    """A line with a word that is like one of some verbs, without accents (word -> verb), as that verb."""
    for at, word in enumerate(words[:WORDS_BEFORE_VERB]):
        said = normalise(word)
        if len(said) >= SHORTEST_VERB and said not in verbs:
            near = dict.fromkeys(verbs[known] for known in nearest(said, list(verbs), likeness=SLIP))
            yield from ([*words[:at], verb, *words[at + 1 :]] for verb in near)
        if not any(means(word, kind, kit) for kind in ("noise", "chatter", "speaking")):
            return


def _leaders_first(words: Sequence[str], is_verb: IsVerb, kit: Kit) -> Iterator[list[str]]:
    """A line that names leaders behind a WITH of their own (3 REGULARS FROM PARIS TO LYON WITH MONTMORENCY) with them
    before the units."""
    verb = next((at for at, word in enumerate(words) if is_verb(word)), None)
    if verb is None or "leader" not in kit.names:
        return
    for at in range(verb + 1, len(words) - 1):
        if not means(words[at], "with", kit):
            continue
        for end in range(min(len(words), at + 1 + MOST_LEADERS), at + 1, -1):
            if _are_leaders(words[at + 1 : end], kit):
                rest = [*words[verb + 1 : at], *words[end:]]
                yield [*words[: verb + 1], *words[at + 1 : end], ",", *rest]
                break


def _are_leaders(words: Sequence[str], kit: Kit) -> bool:
    """Whether words are names of leaders, with commas and AND between them."""
    names: list[list[str]] = [[]]
    for word in words:
        if word == "," or means(word, "and", kit):
            names.append([])
        else:
            names[-1].append(word)
    return all(
        name and any(kit.find("leader", " ".join(said)) for said in (name, named_plainly(name, ["leader"], kit)))
        for name in names
    )
