"""What words may be as the value of a field: in the singular, with numbers in figures, without what says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.table.grammar import AnyName, Choice, Field, Many, Name, Number, Text, YesNo, counted_groups
from pbem.table.inflected import means, means_in_a_case, named_plainly
from pbem.table.kit import Kit
from pbem.table.orders import Unreadable
from pbem.table.wording import number_of, says_nothing, singular

MOST_COPIES = 12
"""So many of a unit, or of an order of a list, a number before it may mean."""


def is_on_edge(words: Sequence[str], kit: Kit) -> bool:
    """Whether words begin or end with one that belongs to no value (a comma, AND, TO), which might be taken for the
    beginning of a name."""
    return any(
        word == "," or means(word, "and", kit) or means(word, "connecting", kit) for word in (words[0], words[-1])
    )


def denies(field: Field, words: Sequence[str], kit: Kit) -> bool:
    """Whether words that could name something hold one that takes back what stands beside it, or say nothing: neither
    "not" nor "the" is a name that begins so."""
    if isinstance(field, YesNo | Choice | Text):
        return False
    return any(means(word, "denying", kit) for word in words) or all(says_nothing(word, kit) for word in words)


def domains_of(field: Field) -> Sequence[str]:
    """The vocabularies of a field of names; those of all for a field that reads its words in its own way."""
    if isinstance(field, Many) and isinstance(field.of, Field):
        return domains_of(field.of)
    return [field.domain] if isinstance(field, Name) else field.domains if isinstance(field, AnyName) else ()


def is_whole_name(field: Field, words: Sequence[str], kit: Kit) -> bool:
    """Whether words are the whole name of something that a field may name."""
    said = " ".join(words)
    return any(kit.find(domain, said) is not None for domain in domains_of(field) if domain in kit.names)


def variations_of(field: Field, words: Sequence[str], kit: Kit, *, counts: bool) -> list[list[str]]:
    """The words of a value as they stand; without those that say nothing; in the singular; numbers in figures.

    `counts`: another field of the order says how many.
    """
    plain = [word for word in words if word == "," or not says_nothing(word, kit)]
    if isinstance(field, Name) and not counts and len(plain) > 1 and number_of(plain[0], kit) == 1:
        plain = plain[1:]
    rest = [word for word in plain if not means(word, "everything", kit)]
    if field.widget == "force" and all(means(word, "units", kit) for word in rest):
        plain = ["ALL"] if len(rest) < len(plain) else []
    single = [singular(word) for word in plain]
    variations = [list(words), plain, single]
    if (counted := [str(number_of(word, kit) or word) for word in plain]) != plain:
        variations += [counted, [singular(word) for word in counted]]
    if isinstance(field, Choice):
        said = [[word for word in one if not word.isdigit()] for one in (single, plain)]
        variations.append(said[0])
        variations += [[one] for one in field.choices if any(is_choice(one, words, kit) for words in said)]
    elif not isinstance(field, Number | YesNo | Text):
        if isinstance(field, Many):
            counted = _without_connecting(counted, kit)
        variations += [counted, named_plainly(counted, domains_of(field) or kit.names, kit)]
    return [tried for place, tried in enumerate(variations) if tried and tried not in variations[:place]]


def forces_of(field: Field, words: Sequence[str], kit: Kit) -> list[Any]:
    """What a force can be whose words say ALL beside leaders (SULEIMAN WITH EVERYTHING), or a unit without its number
    (SULEIMAN, 5 REGULARS, CAVALRY): one for each number that may be meant. None of words that say neither."""
    plain = [word for word in words if word == "," or not says_nothing(word, kit)]
    groups = counted_groups(plain, kit, ("and", "with"))
    if len(groups) > 1 and sum(_is_everything(group, kit) for group in groups) == 1:
        others = [group for group in groups if not _is_everything(group, kit)]
        named = _read_joined(field, others, kit)
        return [field.read(["ALL"], kit)] if named is not None and not named.get("units") else []
    bare = [place for place, group in enumerate(groups) if len(group) == 1 and kit.find("unit", singular(group[0]))]
    if len(bare) != 1:
        return []
    group = groups[bare[0]]
    counted = [
        [*groups[: bare[0]], [str(number), *group], *groups[bare[0] + 1 :]] for number in range(1, MOST_COPIES + 1)
    ]
    return [force for one in counted if (force := _read_joined(field, one, kit)) is not None]


def _is_everything(group: Sequence[str], kit: Kit) -> bool:
    """Whether words say all that stands there (ALL, MY WHOLE ARMY)."""
    said = [means(word, "everything", kit) for word in group]
    return any(said) and all(one or means(word, "units", kit) for one, word in zip(said, group, strict=True))


def _read_joined(field: Field, groups: Sequence[Sequence[str]], kit: Kit) -> Any:
    """The force that some groups of words name together; None where they name none."""
    words: list[str] = []
    for group in groups:
        single = [singular(word) for word in group]
        words += [*([","] if words else []), *named_plainly(single, ("unit", "leader"), kit)]
    try:
        return field.read(words, kit)
    except Unreadable:
        return None


def _without_connecting(words: Sequence[str], kit: Kit) -> list[str]:
    """The words of a list without those that connect each of it with the line (FROM france AND FROM prussia)."""
    return [
        word for before, word in zip([None, *words], words, strict=False)
        if before is None or not means(word, "connecting", kit) or not (before == "," or means(before, "and", kit))
    ]  # fmt: skip


def is_choice(choice: str, words: Sequence[str], kit: Kit) -> bool:
    """Whether words say one of a field's choices in another language."""
    return bool(words) and means_in_a_case(" ".join(words), f"like {choice.casefold()}", kit)
