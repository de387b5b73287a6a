"""Lines of nothing but numbers, units, names and arrows (``all Istanbul->Edirne``, ``1 cav Edirne``), and several
orders on one line (``31 cp; 2 cav Edirne``).

Such a line has no verb: it is read with that of each kind of order that takes units, and whoever knows what is legal
(`pbem.table.filling.complete`) takes it only where one order is left. A word that is none of these makes it prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.table import loose
from pbem.table.grammar import Field, Many, Name, Number
from pbem.table.inflected import LONGEST_NAME, means, named_plainly
from pbem.table.kit import Kit
from pbem.table.orders import Order
from pbem.table.shorthand import in_full, parted, parted_in_turn

MOST_WORDS = 16
"""Of a line in notation."""

MOST_PARTS = 8
"""Orders on one line."""


def readings(kinds: Iterable[type[Order]], line: str, kit: Kit) -> list[loose.Reading]:
    """What a line of notation may mean as an order of one of some kinds, all its values given; none of prose."""
    found: list[loose.Reading] = []
    if "?" in line or ":" in line:
        return found
    kinds = [kind for kind in kinds if kind.fields and any(map(_takes_units, kind.fields.values()))]
    for said in in_full(line, kit):
        words = loose.without_courtesy(loose.words_of(said, loose.MOST_SAID), kit)
        names = _named(words, kit) if 0 < len(words) <= MOST_WORDS else None
        if names is None or not _says_what(words, names, kit):
            continue
        for kind in kinds:
            for tried in (" ".join(_from_where(words, names, kit)), " ".join(words)):
                read = loose.read([kind], f"{kind.pattern.verb} {tried}", kit)
                whole = [plain(one) for one in read if one.values and not one.missing and not one.dropped]
                found += [one for one in whole if one not in found]
                if whole:
                    break
    return found


def plain(reading: loose.Reading) -> loose.Reading:
    """A reading without a number of one that its kind may leave out."""
    fields = reading.kind.fields
    left = {
        name: value for name, value in reading.values.items()
        if not (value == 1 and isinstance(fields[name], Number) and fields[name].optional)
    }  # fmt: skip
    return replace(reading, values=left)


def is_clear(kinds: Sequence[type[Order]], line: str, kit: Kit) -> bool:
    """Whether a line is an order alone: with its verb and what it says to whom or where, or in notation."""
    if not line or any(means(word, "denying", kit) for word in loose.words_of(line, loose.MOST_SAID)):
        return False
    read = [one for one in loose.read(kinds, line, kit) if getattr(one.kind, "says", None) is None]
    with_verb = [one for one in read if len(one.missing) <= 1 and (one.values or not one.missing)]
    return bool(with_verb) or bool(readings(kinds, line, kit))


def is_terse(kinds: Sequence[type[Order]], line: str, kit: Kit) -> bool:
    """Whether a line without a verb is an answer beyond doubt: a number and what it is for (``31 CP``)."""
    words = [word for word in loose.words_of(line, loose.MOST_BARE) if not loose.says_nothing(word, kit)]
    has_number = len(words) > 1 and any(word.strip("#").isdecimal() for word in words)
    return has_number and bool(loose.read_bare(kinds, line, kit))


def makes_sense(kinds: Sequence[type[Order]], line: str, kit: Kit) -> bool:
    """Whether a line is an order in notation, or holds several orders."""
    if readings(kinds, line, kit) or is_terse(kinds, line, kit):
        return True
    return bool(several(kinds, line, kit) or answers_in_turn(kinds, line, kit))


def several(kinds: Sequence[type[Order]], line: str, kit: Kit) -> list[str]:
    """The lines of the orders that stand on one line, each of them clear; none where it is one line, or not clear. The
    first may be an answer in a word or two (31 CP); what gives the turn away stands last."""
    is_open = "?" in line or any(means(word, "alternative", kit) for word in line.split())
    if is_open or len(line) > LONGEST or readings(kinds, line, kit):
        return []
    if repeated := _repeated(kinds, line, kit):
        return repeated
    for parts in parted(line, kit):
        if len(parts) > MOST_PARTS:
            continue
        parts = [_without_first(parts[0], kit), *(_without_joining(part, kit) for part in parts[1:])]
        first = is_clear(kinds, parts[0], kit) or is_terse(kinds, parts[0], kit)
        if first and not _ends(kinds, parts[:-1], kit) and all(is_clear(kinds, part, kit) for part in parts[1:]):
            return parts
    return []


LONGEST = 240
"""Characters of a line that is looked through for several orders."""


def _repeated(kinds: Sequence[type[Order]], line: str, kit: Kit) -> list[str]:
    """The order that a line says is given several times (BUILD AN ARMY IN INDIA TWICE, … X2): with that number where it
    counts what it names, else as often; none where it does not say so of just one order."""
    words = loose.without_courtesy(loose.words_of(line, loose.MOST_SAID), kit)
    last, times, said = " ".join(words[-1:]), 0, list[str]()
    if sign := _TIMES.fullmatch(last):
        times, said = int(sign[1] or sign[2]), words[:-1]
    else:
        ways = ((times, loose.without_phrases(words[-2:], f"times {times}", kit)) for times in (2, 3))
        for number, left in ways:
            if len(left) < len(words[-2:]):
                times, said = number, [*words[:-2], *left]
    order = loose.only(loose.read(kinds, " ".join(said), kit)) if said and 1 < times <= MOST_PARTS else None
    if order is None or not order.fields or order.gives_turn_away or order.says is not None:
        return []
    counted = loose.counts(type(order))
    if counted is not None and getattr(order, counted[0]) is None:
        return [type(order)(**{**{name: getattr(order, name) for name in order.fields}, counted[0]: times}).text()]
    return [order.text()] * times if counted is None else []


_TIMES = re.compile(r"\(?(?:[x×х]([1-9])|([1-9])[x×х])\)?", re.IGNORECASE)
"""How often, as a sign; the last letter is the Russian one."""


def answers_in_turn(kinds: Sequence[type[Order]], line: str, kit: Kit) -> list[str]:
    """The names on a line that says in which order they come (LEIPZIG, THEN MAGDEBURG), each an answer of the same kind
    in a word or two; none where it does not."""
    parts = next(parted_in_turn(line, kit), [])
    parts = [_without_first(part, kit) for part in parts]
    if not 1 < len(parts) <= MOST_PARTS:
        return []
    answers = [{one.kind for one in loose.read_bare(kinds, part, kit) if len(one.values) == 1} for part in parts]
    return parts if set.intersection(*answers) else []


def _without_first(part: str, kit: Kit) -> str:
    """A part of a line without what says that it comes first."""
    words = loose.words_of(part, loose.MOST_SAID)
    left = loose.without_phrases(words, "at first", kit)
    return " ".join(left) if left and len(left) < len(words) else part


def _without_joining(part: str, kit: Kit) -> str:
    """A part of a line without the AND or THEN that it begins with."""
    word, _, rest = part.partition(" ")
    joins = any(means(word, kind, kit) for kind in ("and", "then", "afterwards"))
    return _without_joining(rest.strip(), kit) if joins and rest.strip() else part


def _ends(kinds: Sequence[type[Order]], parts: Iterable[str], kit: Kit) -> bool:
    return any(
        issubclass(one.kind, Order) and one.kind.gives_turn_away
        for part in parts for one in loose.read(kinds, part, kit)
    )  # fmt: skip


def _takes_units(field: Field) -> bool:
    if isinstance(field, Many):
        inner = field.of
        return _takes_units(inner) if isinstance(inner, Field) else any(map(_takes_units, inner.fields.values()))
    return field.widget == "force" or (isinstance(field, Name) and field.domain == "unit")


Named = list[tuple[int, int, str]]
"""The names among some words: where each begins and ends, and what domain it is of."""


def _named(words: Sequence[str], kit: Kit) -> Named | None:
    """The names among the words of a line; None where another word stands in it than numbers and such as join."""
    names: Named = []
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + LONGEST_NAME), at, -1):
            if (domain := _domain_of(words[at:end], kit)) is not None:
                names.append((at, end, domain))
                at = end
                break
        else:
            if not _joins(words[at], kit):
                return None
            at += 1
    return names


def _joins(word: str, kit: Kit) -> bool:
    if word.isdecimal() or loose.says_nothing(word, kit):
        return True
    if means(word, "denying", kit):
        return False
    return any(means(word, kind, kit) for kind in ("and", "with", "connecting", "everything", "units", "notation"))


def _domain_of(words: Sequence[str], kit: Kit) -> str | None:
    """The domain of the thing that words name in full, units first."""
    said = " ".join(words)
    if said.isdecimal() or any(means(word, "connecting", kit) for word in words[:1]):
        return None
    domains = ["unit", *(domain for domain in kit.names if domain != "unit")]
    for domain in domains:
        if domain not in kit.names:
            continue
        for form in (said, " ".join(named_plainly(words, [domain], kit)), said.removesuffix("s")):
            if kit.find(domain, form) is not None:
                return domain
    return None


def _says_what(words: Sequence[str], names: Named, kit: Kit) -> bool:
    """Whether a line of notation says what is done: a way from place to place for units, leaders, or all, or units that
    are counted with a place beside them, where ``1 army in India`` may but tell of it."""
    counted = any(domain == "unit" and begin > 0 and words[begin - 1].isdecimal() for begin, _, domain in names)
    places = [domain for _, _, domain in names if domain not in ("unit", "leader")]
    if len(places) > 1 and any(_is_to(word, kit) for word in words[1:-1]):
        everything = any(means(word, "everything", kit) for word in words)
        tells = any(means(word, "notation", kit) for word in words)  # Suleiman goes to Edirne: somebody may tell so
        return counted or everything or (not tells and len(places) < len(names))
    return counted and not any(means(word, "connecting", kit) and not means(word, "with", kit) for word in words)


def _is_to(word: str, kit: Kit) -> bool:
    return word.casefold() == "to" or means(word, "like to", kit)


def _goes(words: Sequence[str], kit: Kit) -> bool:
    """Whether words begin with TO, behind what units do."""
    rest = [word for word in words[:2] if not means(word, "notation", kit)]
    return bool(rest) and _is_to(rest[0], kit)


def _from_where(words: Sequence[str], names: Named, kit: Kit) -> list[str]:
    """Words with FROM before each name that stands right before a TO."""
    begins = {begin for begin, end, domain in names if domain not in ("unit", "leader") and _goes(words[end:], kit)}
    said: list[str] = []
    for at, word in enumerate(words):
        if means(word, "notation", kit):
            continue
        if at in begins and not (at and means(words[at - 1], "like from", kit)):
            said.append("from")
        said.append(word)
    return said


