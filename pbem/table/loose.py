"""Lines as people write them: what a line that the grammar does not take may mean.

`read` finds the readings of a line: its verb may stand behind some words of courtesy, its clauses in any order, each
behind a word like the one of the grammar (IN for AT) or behind none, and a field may be left out. Every word of the
line has to be accounted for: it is part of the grammar, belongs to a value, or is one of the kit's words that say
nothing (``noise``); "not", "if" or "unless" are none of these, so that nothing is ever read against them. Nothing is
chosen here: whoever knows what is legal (`complete`) takes a line only where one meaning is left, and asks back where
there are several.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from pbem.table.grammar import AnyName, Choice, Field, Line, Many, Name, Number, YesNo, split_words
from pbem.table.kit import Kit
from pbem.table.orders import Order
from pbem.table.refusals import Refused, Unreadable

MOST_WORDS = 40
MOST_TRIES = 400
MOST_READINGS = 12
MOST_CHATTER = 6
MOST_COPIES = 12
MOST_CANDIDATES = 400
"""So many values or legal answers are looked through to fill in what a line leaves out."""

Listing = Callable[[type[Order]], Iterable[Order]]
"""Lists the legal orders of a kind, or some of them."""

Path = tuple[Any, ...]
"""Where a value is missing: ``(field,)``, or in a list ``(field, place, field)``."""


@dataclass(frozen=True)
class Reading:
    """What a line may mean: an order of a kind with these values, without those of the paths `missing`.

    `dropped`: so many words that tell orders of one verb apart (SPACE of CHOOSE SPACE) are not in the line.
    """

    kind: type[Line]
    values: dict[str, Any]
    missing: tuple[Path, ...] = ()
    dropped: int = 0

    def order(self) -> Line:
        """The order; only where nothing is missing."""
        return self.kind(**self.values)

    def filled(self, path: Path, value: Any) -> Line:
        """The order with its one missing value."""
        if len(path) == 1:
            return self.kind(**{**self.values, path[0]: value})
        name, place, inner = path
        rows = list(self.values[name])
        rows[place] = type(rows[place])(**{**rows[place].values(), inner: value})
        return self.kind(**{**self.values, name: rows})


def read(kinds: Iterable[type[Order]], line: str, kit: Kit) -> list[Reading]:
    """What a line may mean, by the kinds of order that begin with its verb; none where it makes no sense."""
    words = [word.rstrip(".!;:") or word for word in split_words(line)]
    if not 0 < len(words) <= MOST_WORDS:
        return []
    kinds = list(kinds)
    begin = _verb_at(kinds, words, kit)
    if begin is None:
        return []
    fitting = [kind for kind in kinds if _is_verb(words[begin], kind, kit)]
    budget = [MOST_TRIES]
    found: list[Reading] = []
    for kind in fitting:
        found += _Free(kind, words[begin + 1 :], kit, budget).readings()
    least = min((reading.dropped for reading in found), default=0)
    return _distinct(reading for reading in found if reading.dropped == least)


def only(found: Sequence[Reading]) -> Order | None:
    """The order of a line that has but one reading, and a whole one."""
    if len(found) == 1 and not found[0].missing and not found[0].dropped:
        return _as_order(found[0].order())
    return None


def complete(found: Sequence[Reading], kit: Kit, is_legal: Callable[[Order], bool], legal: Listing) -> list[Order]:
    """The legal orders that a line may mean, those with the fewest words added first.

    `is_legal` says whether an order may be given now; `legal` lists the legal orders of a kind, or some of them.
    """
    orders: list[Order] = []
    for reading in sorted(found, key=lambda one: len(one.missing)):
        if orders and reading.missing:
            break  # what is said whole goes before what would have to be filled in
        orders += [order for order in _meant(reading, kit, legal) if order not in orders and is_legal(order)]
    return orders


def _meant(reading: Reading, kit: Kit, legal: Listing) -> Iterator[Order]:
    if not reading.missing:
        yield _as_order(reading.order())
    elif len(reading.missing) == 1 and (values := _all_values(reading, reading.missing[0], kit)) is not None:
        for value in values:
            yield _as_order(reading.filled(reading.missing[0], value))
    elif all(len(path) == 1 for path in reading.missing):
        for order in islice(legal(reading.kind), MOST_CANDIDATES):  # type: ignore[arg-type]
            if all(getattr(order, name) == value for name, value in reading.values.items()):
                yield order


def _all_values(reading: Reading, path: Path, kit: Kit) -> list[Any] | None:
    """All values that a missing field could have; None where they cannot be listed."""
    field = reading.kind.fields[path[0]]
    if len(path) == 3:
        assert isinstance(field, Many) and not isinstance(field.of, Field)
        field = field.of.fields[path[2]]
    if isinstance(field, YesNo):
        return [True, False]
    if isinstance(field, Choice):
        return list(field.choices)
    if isinstance(field, Name | AnyName):
        domains = [field.domain] if isinstance(field, Name) else field.domains
        return list(islice((id for domain in domains for id in kit.labels.get(domain, {})), MOST_CANDIDATES))
    if isinstance(field, Number) and field.most - field.least < MOST_CANDIDATES:
        return list(range(field.least, field.most + 1))
    return None


def _as_order(line: Line) -> Order:
    assert isinstance(line, Order)
    return line


def _distinct(found: Iterable[Reading]) -> list[Reading]:
    kept: list[Reading] = []
    for reading in found:
        if reading not in kept:
            kept.append(reading)
    return kept[:MOST_READINGS]


# --- words ------------------------------------------------------------------------------------------------------------


def _verb_at(kinds: Sequence[type[Order]], words: Sequence[str], kit: Kit) -> int | None:
    """Where the verb stands: first, or behind words that say nothing."""
    for at, word in enumerate(words[: MOST_CHATTER + 1]):
        if any(_is_verb(word, kind, kit) for kind in kinds):
            return at
        if not _says_nothing(word, kit) and word.casefold() not in kit.words("chatter"):
            return None
    return None


def _is_verb(word: str, kind: type[Order], kit: Kit) -> bool:
    """Whether a word is the verb of a kind, or another spelling or form of it (BUILDS, BUILDING)."""
    said, verb = word.casefold(), kind.pattern.key
    forms = {verb, f"{verb}s", f"{verb}es", f"{verb}ing", f"{verb.removesuffix('e')}ing"}
    return said in forms or kit.spellings.get(said) == verb


def _says_nothing(word: str, kit: Kit) -> bool:
    return word == "," or word.casefold() in kit.words("noise")


def _is_like(word: str, grammar: str, kit: Kit) -> bool:
    """Whether a word may stand for a word of the grammar."""
    said, meant = word.casefold(), grammar.casefold()
    return said == meant or said in kit.words(f"like {meant}")


def _singular(word: str) -> str:
    return re.sub(r"ies$", "y", word) if word.endswith("ies") else word.removesuffix("s")


# --- free order of clauses --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """A field and the words of the grammar before it."""

    field: str
    before: tuple[str, ...]


class _Free:
    """The readings of some words as one kind of order, or as one of a list, whatever the order of its clauses."""

    def __init__(self, kind: type[Line], words: Sequence[str], kit: Kit, budget: list[int]):
        self.kind, self.words, self.kit, self.budget = kind, words, kit, budget
        self.parts, self.literals = _anatomy(kind)
        self._connecting = kit.words("connecting")
        self.labels = {word.casefold() for part in self.parts for word in part.before}
        self.found: list[Reading] = []
        self._values: dict[tuple[str, int, int], list[tuple[Any, tuple[Path, ...]]]] = {}

    def readings(self) -> list[Reading]:
        self._go(0, {}, frozenset(), ())
        return self.found

    def _go(self, at: int, values: dict[str, Any], literals: frozenset[int], missing: tuple[Path, ...]) -> None:
        if self.budget[0] <= 0 or len(self.found) >= MOST_READINGS:
            return
        if at == len(self.words):
            self._end(values, literals, missing)
            return
        word = self.words[at]
        if _says_nothing(word, self.kit):
            self._go(at + 1, values, literals, missing)
        for number, literal in enumerate(self.literals):
            if number not in literals and _is_like(word, literal, self.kit):
                self._go(at + 1, values, literals | {number}, missing)
        for part in self.parts:
            if part.field in values:
                continue
            for begin in self._begins(part, at):
                for end in self._ends(part, begin):
                    for value, left_out in self._read(part.field, begin, end):
                        self._go(end, {**values, part.field: value}, literals, (*missing, *left_out))

    def _end(self, values: dict[str, Any], literals: frozenset[int], missing: tuple[Path, ...]) -> None:
        absent = [(name,) for name, field in self.kind.fields.items() if name not in values and not field.optional]
        dropped = len(self.literals) - len(literals)
        if dropped and (absent or not values):
            return  # a verb alone gives nothing away
        reading = Reading(self.kind, values, (*missing, *absent), dropped)
        if reading not in self.found:
            self.found.append(reading)

    def _begins(self, part: _Part, at: int) -> Iterator[int]:
        """Where the value of a field begins: behind some of its words of the grammar, or at once without any."""
        here = at
        for word in part.before:
            while here < len(self.words) and here > at and _says_nothing(self.words[here], self.kit):
                here += 1
            if here < len(self.words) and self._labels(self.words[here], word):
                here += 1
        if not part.before and not self._is_label(self.words[at]) and self.words[at].casefold() in self._connecting:
            here += 1  # COLLECT FROM india, where the grammar has no word before the region
        yield here
        if here > at and not self._is_label(self.words[at]):
            yield at

    def _labels(self, word: str, grammar: str) -> bool:
        said = word.casefold()
        if said in self.labels:  # the very word of another field is not this one's
            return said == grammar.casefold()
        return _is_like(word, grammar, self.kit)

    def _is_label(self, word: str) -> bool:
        return word.casefold() in self.labels

    def _ends(self, part: _Part, begin: int) -> range:
        field = self.kind.fields[part.field]
        longest = len(self.words) if field.most_words is None else min(len(self.words), begin + field.most_words)
        return range(longest, begin, -1)

    def _read(self, name: str, begin: int, end: int) -> list[tuple[Any, tuple[Path, ...]]]:
        key = (name, begin, end)
        if key not in self._values:
            self.budget[0] -= 1
            field, words = self.kind.fields[name], self.words[begin:end]
            is_value = self.budget[0] > 0 and (_is_whole_name(field, words, self.kit) or not _edge(words, self.kit))
            self._values[key] = self._read_field(field, words) if is_value else []
        return self._values[key]

    def _read_field(self, field: Field, words: Sequence[str]) -> list[tuple[Any, tuple[Path, ...]]]:
        if isinstance(field, Many) and not isinstance(field.of, Field):
            return self._read_groups(field, field.of, words)
        for tried in _variations(field, words, self.kit):
            try:
                return [(field.read(tried, self.kit), ())]
            except Unreadable:
                continue
        return []

    def _read_groups(
        self, field: Many, group: type[Line], words: Sequence[str]
    ) -> list[tuple[Any, tuple[Path, ...]]]:
        """A list of groups: each between commas may be free in its order too, and have a number before it."""
        chunks: list[list[str]] = [[]]
        for word in words:
            if word == "," or word.casefold() in self.kit.words("and"):
                chunks.append([])
            else:
                chunks[-1].append(word)
        choices = [self._read_group(group, chunk) for chunk in chunks if chunk]
        found = []
        for rows in islice(product(*choices), MOST_READINGS):
            lines = [line for copies, _ in rows for line in copies]
            paths, place = [], 0
            for copies, left_out in rows:
                paths += [(field.name, place, inner) for (inner,) in left_out]
                place += len(copies)
            if field.least <= len(lines) <= field.most:
                found.append((lines, tuple(paths)))
        return found

    def _read_group(self, group: type[Line], words: list[str]) -> list[tuple[list[Line], tuple[Path, ...]]]:
        found = [
            ([_partial(reading)], reading.missing) for reading in _Free(group, words, self.kit, self.budget).readings()
        ]
        if found or not re.fullmatch(r"[1-9][0-9]?", words[0]) or int(words[0]) > MOST_COPIES:
            return found
        readings = _Free(group, words[1:], self.kit, self.budget).readings()
        return [([reading.order()] * int(words[0]), ()) for reading in readings if not reading.missing]


def _partial(reading: Reading) -> Line:
    """A group of a list, whose missing fields are None until they are filled in."""
    return reading.kind(**{name: None for (name,) in reading.missing}, **reading.values)


def _edge(words: Sequence[str], kit: Kit) -> bool:
    """Whether words begin or end with one that belongs to no value (a comma, AND, TO), which might be taken for the
    beginning of a name."""
    apart = kit.words("and") | kit.words("connecting")
    return any(word == "," or word.casefold() in apart for word in (words[0], words[-1]))


def _is_whole_name(field: Field, words: Sequence[str], kit: Kit) -> bool:
    domains = [field.domain] if isinstance(field, Name) else field.domains if isinstance(field, AnyName) else ()
    return any(kit.find(domain, " ".join(words)) is not None for domain in domains if domain in kit.names)


def _variations(field: Field, words: Sequence[str], kit: Kit) -> list[list[str]]:
    """The words of a value as they stand; without those that say nothing; in the singular."""
    plain = [word for word in words if word == "," or not _says_nothing(word, kit)]
    single = [_singular(word) for word in plain]
    found = [list(words), plain, single]
    if isinstance(field, Choice):
        found.append([word for word in single if not word.isdigit()])
    return [tried for place, tried in enumerate(found) if tried and tried not in found[:place]]


def _anatomy(kind: type[Line]) -> tuple[list[_Part], list[str]]:
    """The fields of a kind with the words before each, and the words that stand before none."""
    parts: list[_Part] = []
    literals: list[str] = []

    def walk(tokens: Sequence[str]) -> None:
        before: list[str] = []
        for token in tokens:
            if token in "[]":
                literals.extend(before)
                before = []
            elif token.startswith("{"):
                parts.append(_Part(token[1:-1], tuple(before)))
                before = []
            else:
                before.append(token)
        literals.extend(before)

    tokens = re.findall(r"\[|\]|\{\w+\}|[^\s\[\]{}]+", kind.line)
    walk(tokens[1:] if tokens and kind.pattern.verb and tokens[0] == kind.pattern.verb else tokens)
    return parts, literals


# --- answers in a word ------------------------------------------------------------------------------------------------


def says(line: str, kit: Kit) -> bool | None:
    """Whether a line says just yes or no (``Sure, I accept!``, ``no thanks``); None where it says anything else."""
    said = {
        meaning
        for word in split_words(line)
        if (meaning := _meaning(word.strip(".!?;:").casefold(), kit)) is not None
    }
    return None if len(said) != 1 or "else" in said else said == {"yes"}


def _meaning(word: str, kit: Kit) -> str | None:
    for meaning in ("yes", "no"):
        if word in kit.words(meaning) or word in kit.words(f"like {meaning}"):
            return meaning
    return None if not word or _says_nothing(word, kit) or word in kit.words("chatter") else "else"


def several(orders: Sequence[Order]) -> Refused:
    """What is asked back where a line may mean more than one thing."""
    lines = [order.text() for order in orders]
    return Refused("several_readings", hints=lines[:MOST_READINGS], number=len(lines))


