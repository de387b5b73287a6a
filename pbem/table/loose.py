"""Lines as people write them: what a line that the grammar does not take may mean.

`read` finds the readings of a line: its verb may stand behind some words of courtesy, its clauses in any order, each
behind a word like the one of the grammar (IN for AT) or behind none, and a field may be left out. Every word of the
line has to be accounted for: it is part of the grammar, belongs to a value, or is one of the kit's words that say
nothing (``noise``); "not", "if" or "unless" are none of these, so that nothing is ever read against them, and none of
the words that deny (``denying``) is taken for the beginning of a name. The words of the grammar may stand in another
language, as the kit has them (``like build``), names in a case (`pbem.table.inflected`). Nothing is chosen here:
whoever knows what is legal (`pbem.table.filling`) takes a line only where one meaning is left, and asks back
where there are several.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import dropwhile, islice, pairwise, product
from typing import Any

from pbem.table.grammar import AnyName, Choice, Field, Line, Many, Name, Number, YesNo, split_words
from pbem.table.inflected import is_plain, is_plural_in_russian, means, means_in_a_case, named_plainly
from pbem.table.kit import Kit, normalise
from pbem.table.orders import Done, Order, Pass
from pbem.table.refusals import Unreadable
from pbem.table.reworded import named_once, reworded
from pbem.table.shorthand import in_full
from pbem.table.tries import Tries
from pbem.table.valued import (
    MOST_COPIES,
    denies,
    domains_of,
    forces_of,
    is_choice,
    is_on_edge,
    is_whole_name,
    variations_of,
)
from pbem.table.wording import (
    is_plural,
    number_of,
    says_nothing,
    singular,
    without_courtesy,
    without_phrases,
    words_of,
)

MOST_WORDS = 40
MOST_SAID = 2 * MOST_WORDS
"""So many words a line may have with those that only ask kindly."""
MOST_BARE = 8
"""So many words a line without a verb may have."""
MOST_READINGS = 12
MOST_CHATTER = 6
MOST_OF_PLURAL = 4
"""So many of a unit a plural without a number may mean."""

Path = tuple[Any, ...]
"""Where a value is missing: ``(field,)``, or in a list ``(field, place, field)``."""


@dataclass(frozen=True)
class Reading:
    """What a line may mean: an order of a kind with these values, without those of the paths `missing`.

    `dropped`: so many words that tell orders of one verb apart (SPACE of CHOOSE SPACE) are not in the line;
    `stretched`: so many words stand before a field that the grammar has before another.
    """

    kind: type[Line]
    values: dict[str, Any]
    missing: tuple[Path, ...] = ()
    dropped: int = 0
    stretched: int = 0

    def order(self) -> Line:
        """The order; only where nothing is missing."""
        return self.kind(**self.values)

    def form(self) -> str:
        """The form of the line with what is known filled in: ``MOVE <force> FROM nezh TO belgrade``."""
        if any(len(path) != 1 for path in self.missing):
            return self.kind.usage()

        def told(slot: re.Match[str]) -> str:
            field = self.kind.fields[slot[1]]
            return field.write(self.values[slot[1]]) if slot[1] in self.values else field.usage()

        return re.sub(r"\{(\w+)\}", told, self.kind.line)

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
    if (lines := in_full(line, kit)) != [line]:
        kinds = list(kinds)
        return _distinct(one for said in lines for one in read(kinds, said, kit))
    words = without_courtesy(words_of(line, MOST_SAID), kit)
    if not 0 < len(words) <= MOST_WORDS or "?" in line:
        return []
    kinds, words = _answered_first(list(kinds), words, kit)
    budget = Tries()
    readings = _read_words(kinds, words, kit, budget)
    if not readings:
        verbs = [kind.pattern.key for kind in kinds]
        others = reworded(words, verbs, lambda word: kind_of_verb(kinds, word, kit) is not None, kit)
        readings = [reading for other in others for reading in _read_words(kinds, other, kit, budget)]
    least = min((reading.dropped for reading in readings), default=0)
    return _distinct(reading for reading in readings if reading.dropped == least)


def _read_words(kinds: Sequence[type[Order]], words: Sequence[str], kit: Kit, budget: Tries) -> list[Reading]:
    readings: list[Reading] = []
    for begin in _verbs_at(kinds, words, kit):
        for kind in (kind for kind in kinds if _is_verb(words[begin], kind, kit)):
            said = without_phrases(words[begin + 1 :], f"beside {kind.pattern.key}", kit)
            readings += _Free(kind, said, kit, budget).readings()
    return readings


def _answered_first(
    kinds: list[type[Order]], words: list[str], kit: Kit
) -> tuple[list[type[Order]], list[str]]:
    """The words behind a yes or no that stands before the order (NO, I PASS), and the kinds of order that agree with
    it: behind a no those that decline, or name nothing (NO, I FIGHT), behind a yes those that do not where another says
    yes."""
    said = list(dropwhile(lambda word: says_nothing(word, kit) or means(word, "chatter", kit), words))
    if len(said) < 2:
        return kinds, words
    if said[1] == "," and means(said[0], "no", kit):
        return [kind for kind in kinds if declines(kind) or not (kind.fields or kind.says)], said[2:]
    if means(said[0], "yes", kit):
        agrees = any(kind.says for kind in kinds)
        agreeing = [kind for kind in kinds if kind.says is not False and not (agrees and declines(kind))]
        return agreeing, said[2 if said[1] == "," else 1 :]
    return kinds, words


def declines(kind: type[Order]) -> bool:
    """Whether an order says no, or that nothing is done."""
    return kind.says is False or kind.gives_turn_away or issubclass(kind, Pass | Done)


def read_bare(kinds: Iterable[type[Order]], line: str, kit: Kit) -> list[Reading]:
    """What a line without a verb may mean as an answer (``31 cp``, ``krems``): orders of which it gives every value,
    by whole names and words, and nothing besides; none where it may be prose."""
    if (lines := in_full(line, kit)) != [line]:
        kinds = list(kinds)
        return _distinct(one for said in lines for one in read_bare(kinds, said, kit))
    cried, line = line.rstrip().endswith("!"), _without_card(line, kit).rstrip("! ")
    words = without_courtesy(words_of(line, MOST_SAID), kit)
    if not 0 < len(words) <= MOST_BARE or any(mark in line for mark in "?!:"):
        return []
    if any(means(word, "denying", kit) or means(word, "prose", kit) for word in words):
        return []
    kinds, picked = list(kinds), list(dropwhile(lambda word: _is_picking(word, kit), words))
    if not any(means(word, "picking", kit) for word in words[: len(words) - len(picked)]):
        picked = []
    for said in (words, named_once(words, kit), picked, named_once(picked, kit)):
        budget = Tries()
        readings = [one for kind in kinds for one in _Bare(kind, said, kit, budget).readings()] if said else []
        readings = [one for one in readings if one.values and not one.missing]
        if readings := [one for one in readings if not cried or _names_a_place(one, kit)]:
            break
    least = min((one.stretched for one in readings), default=0)
    return _distinct(one for one in readings if one.stretched == least)


def _names_a_place(reading: Reading, kit: Kit) -> bool:
    """Whether all that a reading says is one place (LEIPZIG!)."""
    fields = [reading.kind.fields[name] for name in reading.values]
    places = kit.words("domains of places")
    return len(fields) == 1 and bool(named := domains_of(fields[0])) and all(domain in places for domain in named)


def _without_card(line: str, kit: Kit) -> str:
    """A line without what only says that its answer follows (MY CARD:)."""
    head, colon, rest = line.partition(":")
    return rest if colon and (said := words_of(head, MOST_BARE)) and all(says_nothing(w, kit) for w in said) else line


def _is_picking(word: str, kit: Kit) -> bool:
    """Whether a word only says that one thing is chosen (LET'S DO ERFURT, I'LL TAKE 31)."""
    return says_nothing(word, kit) or means(word, "chatter", kit) or means(word, "picking", kit)


def only(readings: Sequence[Reading]) -> Order | None:
    """The order of a line that has but one reading, and a whole one."""
    if len(readings) != 1 or readings[0].missing or readings[0].dropped:
        return None
    fields = readings[0].kind.fields
    return None if any(fields[name].takes_any_words for name in readings[0].values) else whole(readings[0])


def whole(reading: Reading) -> Order:
    """The order of a reading from which nothing is missing."""
    order = reading.order()
    assert isinstance(order, Order)
    return order


def _distinct(readings: Iterable[Reading]) -> list[Reading]:
    kept: list[Reading] = []
    for reading in readings:
        if reading not in kept:
            kept.append(reading)
    return kept[:MOST_READINGS]


# --- verbs ------------------------------------------------------------------------------------------------------------


def _verbs_at(kinds: Sequence[type[Order]], words: Sequence[str], kit: Kit) -> Iterator[int]:
    """Where the verb may stand: first, or behind words that say nothing."""
    for at, word in enumerate(words[: MOST_CHATTER + 1]):
        if any(_is_verb(word, kind, kit) for kind in kinds):
            yield at
        if not says_nothing(word, kit) and not means(word, "chatter", kit):
            return


def _is_verb(word: str, kind: type[Order], kit: Kit) -> bool:
    """Whether a word is the verb of a kind, another spelling or form of it (BUILDS, BUILDING), or it in another
    language."""
    verb = kind.pattern.key
    return word.casefold() in _forms_in(verb, kit) or means(word, f"like {verb}", kit)


@lru_cache(maxsize=1000)
def _forms_in(verb: str, kit: Kit) -> frozenset[str]:
    """The forms of a verb and of its other spellings in a kit."""
    spelt = (other for other, key in kit.spellings.items() if key == verb)
    return frozenset(form for known in (verb, *spelt) for form in _forms(known))


def kind_of_verb(kinds: Sequence[type[Order]], word: str, kit: Kit) -> type[Order] | None:
    """A kind of order that begins with what a word says, in another form or language."""
    exactly, plainly = kinds_by_word(tuple(kinds), kit)
    return exactly.get(word.casefold()) or (plainly.get(normalise(word)) if is_plain(word) else None)


@lru_cache(maxsize=100)
def kinds_by_word(
    kinds: tuple[type[Order], ...], kit: Kit
) -> tuple[dict[str, type[Order]], dict[str, type[Order]]]:
    """Words in small letters -> the first kind of order that begins with them; and the same without accents."""
    exactly: dict[str, type[Order]] = {}
    plainly: dict[str, type[Order]] = {}
    for kind in kinds:
        verb = kind.pattern.key
        meant = kit.words(f"like {verb}")
        spelt = [other for other, key in kit.spellings.items() if key == verb]
        for word in (*meant, *(form for known in (verb, *spelt) for form in _forms(known))):
            exactly.setdefault(word, kind)
        for word in filter(None, map(normalise, meant)):
            plainly.setdefault(word, kind)
    return exactly, plainly


@cache
def _forms(verb: str) -> frozenset[str]:
    ending = (f"{verb}ing", f"{verb}{verb[-1:]}ing", f"{verb.removesuffix('e')}ing")
    return frozenset({verb, f"{verb}s", f"{verb}es", *ending})


def _is_like(word: str, grammar: str, kit: Kit) -> bool:
    """Whether a word may stand for a word of the grammar."""
    said, meant = word.casefold(), grammar.casefold()
    if said == meant or means_in_a_case(word, f"like {meant}", kit):
        return True
    return len(meant) > 4 and singular(meant) == singular(said)


def is_vague(order: Order, line: str, kit: Kit) -> bool:
    """Whether a line that the grammar takes names units in the plural, and does not say how many (BUILD regulars IN …):
    the grammar means one."""
    counted = counts(type(order))
    if counted is None or getattr(order, counted[0]) is not None:
        return False
    return _is_named_in_plural(split_words(line), type(order), counted[1], getattr(order, counted[1]), kit)


def counts(kind: type[Line]) -> tuple[str, str] | None:
    """The number that may be left out before a name, and that name's field (BUILD [number] unit)."""
    names = [part.field for part in _anatomy(kind)[0]]
    for number, name in pairwise(names):
        field = kind.fields[number]
        if isinstance(field, Number) and field.optional and isinstance(kind.fields[name], Name):
            return number, name
    return None


def _is_named_in_plural(words: Sequence[str], kind: type[Line], name: str, id: str, kit: Kit) -> bool:
    """Whether the thing of a field is named in the plural in a line."""
    field = kind.fields[name]
    assert isinstance(field, Name)
    return any(
        id == (kit.find(field.domain, word) or named_plainly([word], [field.domain], kit)[0])
        and (is_plural_in_russian(word) or (is_plural(word) and kit.find(field.domain, singular(word)) == id))
        for word in words
    )


# --- free order of clauses --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """A field and the words of the grammar before it."""

    field: str
    before: tuple[str, ...]


class _Free:
    """The readings of some words as one kind of order, or as one of a list, whatever the order of its clauses."""

    def __init__(self, kind: type[Line], words: Sequence[str], kit: Kit, budget: Tries):
        self.kind, self.words, self.kit, self.budget = kind, words, kit, budget
        self.parts, self.literals, self.units = _anatomy(kind)
        self.labels = {word.casefold() for part in self.parts for word in part.before}
        self._leading = {word.casefold() for part in self.parts for word in part.before[:-1]}
        self._gives_turn_away = not kind.fields and issubclass(kind, Order) and kind.gives_turn_away
        self.ways: list[Reading] = []
        self._values: dict[tuple[str, int, int], list[tuple[Any, tuple[Path, ...]]]] = {}

    def readings(self) -> list[Reading]:
        self._go(0, {}, frozenset(), (), 0)
        return self.ways

    def _go(
        self, at: int, values: dict[str, Any], literals: frozenset[int], missing: tuple[Path, ...], stretched: int
    ) -> None:
        if self.budget.are_spent or len(self.ways) >= MOST_READINGS:
            return
        if at == len(self.words):
            self._end(values, literals, missing, stretched)
            return
        word = self.words[at]
        if self._gives_turn_away and means(word, "turn", self.kit):
            self._go(at + 1, values, literals, missing, stretched)
        is_unit = any(_is_like(word, unit, self.kit) for unit in self.units)
        is_leading = self._is_like_one_of(word, self._leading)
        if is_unit or is_leading or says_nothing(word, self.kit) or self._joins(at):
            self._go(at + 1, values, literals, missing, stretched)
        for number, literal in enumerate(self.literals):
            if number not in literals and _is_like(word, literal, self.kit):
                self._go(at + 1, values, literals | {number}, missing, stretched)
        for part in self.parts:
            if part.field in values:
                continue
            if isinstance(self.kind.fields[part.field], YesNo) and part.before:
                for end, value in self._said_or_not(part, at):
                    self._go(end, {**values, part.field: value}, literals, missing, stretched)
            for begin, more in self._begins(part, at):
                for end in self._ends(part, begin):
                    for value, left_out in self._read(part.field, begin, end):
                        filled = {**values, part.field: value}
                        self._go(end, filled, literals, (*missing, *left_out), stretched + more)

    def _joins(self, at: int) -> bool:
        """Whether a word joins two clauses (AND), or stands before the word of one (FOR A, WITH ARMIES)."""
        word = self.words[at]
        if at + 1 == len(self.words) or self._is_label(word):
            return False
        if at > 0 and means(word, "and", self.kit):
            return True
        follow = [self.words[at + 1], self._behind(at)]
        grammar = [*self.labels, *self.literals]
        return self._connects(at) and any(self._is_like_one_of(word, grammar) for word in follow)

    def _connects(self, at: int) -> bool:
        return means(self.words[at], "connecting", self.kit)

    def _behind(self, at: int) -> str:
        """The next word that says something; "" at the end."""
        return next((word for word in self.words[at + 1 :] if not says_nothing(word, self.kit)), "")

    def _is_like_one_of(self, word: str, grammar: Iterable[str]) -> bool:
        return any(_is_like(word, one, self.kit) for one in grammar)

    def _said_or_not(self, part: _Part, at: int) -> Iterator[tuple[int, bool]]:
        """A field of yes or no whose word stands alone (WITH MY ARMIES), or behind a no (NO ALLIES)."""
        here, said = at, True
        if means(self.words[here], "no", self.kit) or means(self.words[here], "without", self.kit):
            here, said = here + 1, False
        elif self._connects(here):
            here += 1
        while at < here < len(self.words) and said and says_nothing(self.words[here], self.kit):
            here += 1
        if here < len(self.words) and _is_like(self.words[here], part.before[-1], self.kit):
            after = self.words[here + 1] if here + 1 < len(self.words) else ""
            if not (means(after, "yes", self.kit) or means(after, "no", self.kit)):
                yield here + 1, said

    def _end(
        self, values: dict[str, Any], literals: frozenset[int], missing: tuple[Path, ...], stretched: int
    ) -> None:
        absent = [(name,) for name, field in self.kind.fields.items() if name not in values and not field.optional]
        absent += [(name,) for name in self._uncounted(values)]
        dropped = sum(number not in literals for number, word in enumerate(self.literals) if self._tells_apart(word))
        if (dropped and (absent or not values)) or not self._is_worth(values):
            return  # a verb alone gives nothing away
        reading = Reading(self.kind, values, (*missing, *absent), dropped, stretched)
        if reading not in self.ways:
            self.ways.append(reading)

    def _tells_apart(self, word: str) -> bool:
        """Whether a word of the grammar has to be said: an article or a preposition may be missing, Russian has cases
        in their place."""
        return not says_nothing(word, self.kit) and not means(word, "connecting", self.kit)

    def _is_worth(self, values: dict[str, Any]) -> bool:
        """Whether a number that says nothing (PLAY 31 FOR 2 CP) is the value of the card that is named."""
        choices = [name for name, field in self.kind.fields.items() if isinstance(field, Choice) and name in values]
        rows = [row for value in values.values() if (row := self._card(value)) is not None]
        if not choices or not rows:
            return True
        said = [int(word) for word in self.words if word.isdecimal() and word not in values.values()]
        return all(any(number == row.get("cp", number) for row in rows) for number in said)

    def _card(self, value: Any) -> Any:
        if not isinstance(value, str):
            return None
        rows = self.kit.tables.get("cards", {})
        return rows.get(value, rows.get(int(value)) if value.isdecimal() else None)

    def _uncounted(self, values: dict[str, Any]) -> list[str]:
        """The field that would say how many there are of what stands in the plural."""
        counted = counts(self.kind)
        if counted is None or counted[0] in values or not isinstance(values.get(counted[1]), str):
            return []
        is_plural = _is_named_in_plural(self.words, self.kind, counted[1], values[counted[1]], self.kit)
        return [counted[0]] if is_plural else []

    def _begins(self, part: _Part, at: int) -> Iterator[tuple[int, int]]:
        """Where the value of a field begins: behind some of its words of the grammar, or at once without any; and how
        many of them belong to another field, or are left out though they tell orders apart."""
        here, stretched = at, 0
        for place, word in enumerate(part.before):
            while here < len(self.words) and here > at and says_nothing(self.words[here], self.kit):
                here += 1
            if here < len(self.words) and _is_like(self.words[here], word, self.kit):
                said = self.words[here].casefold()
                stretched += said in self.labels and said != word.casefold()
                here += 1
            elif place + 1 < len(part.before) and self.words[max(at - 1, 0)].casefold() != word.casefold():
                stretched += 1  # FIRST OF, which tells one order from another
        if not part.before and not self._is_label(self.words[at]) and self._connects(at):
            here += 1  # COLLECT FROM india, where the grammar has no word before the region
        if here > at or not (part.before and isinstance(self.kind.fields[part.field], YesNo)):
            yield here, stretched  # a yes alone does not say to what
        if here > at:
            if here < len(self.words) and self._connects(here):
                yield here + 1, stretched  # OUT OF
            if not self._is_label(self.words[at]) and not isinstance(self.kind.fields[part.field], YesNo):
                yield at, max(len(part.before) - 1, 0)

    def _is_label(self, word: str) -> bool:
        return word.casefold() in self.labels

    def _ends(self, part: _Part, begin: int) -> range:
        field = self.kind.fields[part.field]
        longest = len(self.words) if field.most_words is None else min(len(self.words), begin + field.most_words)
        return range(longest, begin, -1)

    def _read(self, name: str, begin: int, end: int) -> list[tuple[Any, tuple[Path, ...]]]:
        key = (name, begin, end)
        if key not in self._values:
            self.budget.spend()
            field, words = self.kind.fields[name], self.words[begin:end]
            is_none = is_on_edge(words, self.kit) or denies(field, words, self.kit)
            is_value = not self.budget.are_spent and (not is_none or is_whole_name(field, words, self.kit))
            self._values[key] = self._read_field(field, words) if is_value else []
        return self._values[key]

    def _read_field(self, field: Field, words: Sequence[str]) -> list[tuple[Any, tuple[Path, ...]]]:
        if field.widget == "force" and (forces := forces_of(field, words, self.kit)):
            return [(force, ()) for force in forces]
        if isinstance(field, Many) and not isinstance(field.of, Field):
            return self._read_groups(field, field.of, words)
        counts = any(isinstance(other, Number) for other in self.kind.fields.values())
        for tried in variations_of(field, words, self.kit, counts=counts):
            try:
                return [(field.read(tried, self.kit), ())]
            except Unreadable:
                continue
        return []

    def _chunks(self, words: Sequence[str]) -> list[list[str]]:
        """The words of each of a list: between commas and AND."""
        chunks: list[list[str]] = [[]]
        for word in words:
            if word == "," or means(word, "and", self.kit):
                chunks.append([])
            else:
                chunks[-1].append(word)
        return chunks

    def _read_groups(
        self, field: Many, group: type[Line], words: Sequence[str]
    ) -> list[tuple[Any, tuple[Path, ...]]]:
        """A list of groups: each between commas may be free in its order too, and have a number before it."""
        chunks = self._chunks(words)
        choices = [self._read_group(group, chunk) for chunk in chunks if chunk]
        groups = []
        for rows in islice(product(*choices), MOST_READINGS):
            lines = [line for copies, _ in rows for line in copies]
            paths, place = [], 0
            for copies, left_out in rows:
                paths += [(field.name, place, inner) for (inner,) in left_out]
                place += len(copies)
            if field.least <= len(lines) <= field.most:
                groups.append((lines, tuple(paths)))
        return groups

    def _read_group(self, group: type[Line], words: list[str]) -> list[tuple[list[Line], tuple[Path, ...]]]:
        number = number_of(words[0], self.kit)
        ways = []
        for copies, said in ((1, words), *([(number, words[1:])] if number and number <= MOST_COPIES else [])):
            for reading in _Free(group, said, self.kit, self.budget).readings():
                if reading.missing:
                    if copies == 1:
                        ways.append(([_partial(reading)], reading.missing))
                    continue
                counts = range(1, MOST_OF_PLURAL + 1) if said is words and self._in_plural(group, words) else [copies]
                ways += [([reading.order()] * count, ()) for count in counts]
            if ways:
                break
        return ways

    def _in_plural(self, group: type[Line], words: Sequence[str]) -> bool:
        """Whether a group names its unit in the plural without saying how many."""
        first = next(iter(group.fields.values()))
        plain = [word for word in words if not says_nothing(word, self.kit)]
        if not plain or not isinstance(first, Name) or not is_plural(plain[0]):
            return False
        return self.kit.find(first.domain, singular(plain[0])) is not None


class _Bare(_Free):
    """The readings of words that are an order without its verb: values in full, no names that are only begun."""

    def readings(self) -> list[Reading]:
        """None as a kind whose own words deny (SIEGES NOT), where these are not said."""
        grammar = [*self.literals, *(word for part in self.parts for word in part.before)]
        said = {word.casefold() for word in self.words}
        if any(means(word, "denying", self.kit) and word.casefold() not in said for word in grammar):
            return []
        return super().readings()

    def _read_field(self, field: Field, words: Sequence[str]) -> list[tuple[Any, tuple[Path, ...]]]:
        words = [word for word in words if not says_nothing(word, self.kit)]
        if not words:
            return []
        if isinstance(field, Name | AnyName):
            domains = domains_of(field)
            spoken = [list(words), named_plainly(words, domains, self.kit)]
            found = [
                id for domain in domains if domain in self.kit.names for said in spoken
                if (id := self.kit.find(domain, " ".join(said)))
            ]  # fmt: skip
            return [(found[0], ())] if found else []
        if isinstance(field, Choice):
            said = {" ".join(words).casefold(), singular(" ".join(words).casefold())}
            meant = [c for c in field.choices if c.casefold() in said or is_choice(c, words, self.kit)]
            return [(meant[0], ())] if len(meant) == 1 else []
        if isinstance(field, Number):
            return super()._read_field(field, words) if len(words) == 1 else []
        return self._read_each(field, words) if isinstance(field, Many) else []

    def _read_each(self, field: Many, words: Sequence[str]) -> list[tuple[Any, tuple[Path, ...]]]:
        """A list, each of it in full."""
        chunks = self._chunks(words)
        values = [value for chunk in chunks if chunk for value in self._read_one(field.of, chunk)]
        return [(values, ())] if len(values) == len(chunks) and field.least <= len(values) <= field.most else []

    def _read_one(self, of: Field | type[Line], words: list[str]) -> list[Any]:
        """One of a list, if it can be read in but one way."""
        if isinstance(of, Field):
            return [value for value, _ in self._read_field(of, words)]
        read = [one for one in _Bare(of, words, self.kit, self.budget).readings() if one.values and not one.missing]
        return [read[0].order()] if len(read) == 1 else []


def _partial(reading: Reading) -> Line:
    """A group of a list, whose missing fields are None until they are filled in."""
    return reading.kind(**{name: None for (name,) in reading.missing}, **reading.values)


def _anatomy(kind: type[Line]) -> tuple[list[_Part], list[str], list[str]]:
    """The fields of a kind with the words before each; the words that stand before none, and tell the kind from others;
    the words that only stand behind a field (CP)."""
    parts: list[_Part] = []
    literals: list[str] = []
    units: list[str] = []
    before: list[str] = []
    behind = False
    tokens = re.findall(r"\[|\]|\{\w+\}|[^\s\[\]{}]+", kind.line)
    for token in [*(tokens[1:] if tokens and kind.pattern.verb and tokens[0] == kind.pattern.verb else tokens), "]"]:
        if token in "[]":
            (units if behind else literals).extend(before)
            before, behind = [], False
        elif token.startswith("{"):
            parts.append(_Part(token[1:-1], tuple(before)))
            before, behind = [], True
        else:
            before.append(token)
    return parts, literals, units
