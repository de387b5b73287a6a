"""The grammar of orders: one definition gives the schema, the line in a mail, the form and the JSON.

A `Line` is a class with fields::

    class Build(Order):
        \"\"\"Build one army, navy or fort for 1 population.\"\"\"
        line = "BUILD {unit} AT {region}"
        unit = Name("unit")
        region = Name("region")

``line`` is the grammar: words in capitals stand for themselves, ``{field}`` is a field, ``[...]`` may be left out
(several parts in a row that each begin with a word may come in any order), ``{field}`` of a `Many` is a list
separated by commas or AND. Reading a line yields an order or `Unreadable`, whose text says what is wrong and what
would be right. Whether an order is legal is not decided here (`pbem.table.orders`).
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from marshmallow import RAISE, Schema, ValidationError, fields, validate
from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from pbem.table.kit import Kit, normalise
from pbem.table.refusals import FORM, Refused, Unreadable

LARGEST_NUMBER = 999_999
MAX_LINE_LENGTH = 2_000
MOST_WORDS_IN_A_NAME = 8
LONGEST_NAME = 100
MOST_COMMAS_IN_A_GROUP = 12
MOST_ENDS_OF_A_LIST = 20
LONGEST_QUOTE = 80

Value = TypeVar("Value")
Wanted = dict[str, Any]
"""What a field wants, for people (the filter ``wanted`` of phrases): ``{"kinds": [domain, …]}`` a name of a kind of
thing, ``{"words": […]}`` one of these words, ``{"number": [least, most]}``, or ``{"text": …}``."""


def shortened(text: str) -> str:
    """A part of a line as an answer quotes it: its beginning, where it is long."""
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE].rstrip()}…"


def nearest(word: str, known: Sequence[str], limit: int = 3, likeness: float = 0.55) -> list[str]:
    """The known words most like one that is not known, best first; none where none is near."""
    near = process.extract(
        word.casefold(),
        {k: k.casefold() for k in known},
        scorer=DamerauLevenshtein.normalized_similarity,
        score_cutoff=likeness,
        limit=limit,
    )
    return [key for _, _, key in near]


def letters_off(word: str, known: str) -> int:
    """By how many letters (left out, put in, changed, or two that change places) a word is not a known one."""
    return DamerauLevenshtein.distance(word.casefold(), known.casefold())


# --- names ---

SHORTEST_PREFIX = 2
NAMES_TO_LIST = 12
"""So many names of a kind are listed to a player whose word is like none of them."""


def find_name(kit: Kit, domain: str, text: str) -> str:
    """The id that a text names: a whole name in any language of the kit, or the beginning of just one thing's names.

    The beginning of a name that is the whole name of something else (a kind of unit, a leader) is nobody's: it is asked
    back. Raises `Unreadable`, with the names that may have been meant: several begin so, or one is spelt nearly so.
    """
    if len(text) > LONGEST_NAME:
        raise Unreadable("no_such_name", kinds=[domain], said=shortened(text), other=None, meant=[])
    wanted = normalise(text)
    known = kit.names.get(domain, {})
    if wanted in known:
        return known[wanted]
    ids = begun_names(kit, domain, wanted)
    if len(ids) == 1 and _also_named(kit, [domain], wanted) is None:
        return ids[0]
    raise Unreadable(lambda: _not_found(kit, [domain], text, dict.fromkeys(ids, domain)))


def begun_names(kit: Kit, domain: str, wanted: str) -> list[str]:
    """The ids with a name that begins so."""
    if len(wanted) < SHORTEST_PREFIX:
        return []
    kept = kit.worked_out.get(("sorted names", domain))
    if kept is None:
        kept = kit.worked_out["sorted names", domain] = sorted(kit.names.get(domain, {}).items())
    begun = itertools.takewhile(
        lambda name: name[0].startswith(wanted), itertools.islice(kept, bisect.bisect_left(kept, (wanted,)), None)
    )
    return list(dict.fromkeys(id for _, id in begun))


def _also_named(kit: Kit, domains: Sequence[str], wanted: str) -> str | None:
    """Another domain in which something has just this name."""
    return next((one for one, names in kit.names.items() if one not in domains and wanted in names), None)


def _not_found(kit: Kit, domains: Sequence[str], text: str, begun: Mapping[str, str]) -> Refused:
    """Why a text names nothing, or more than one thing, and which names may have been meant. `begun`: the ids whose
    names begin so, each with its domain."""
    wanted, said = normalise(text), shortened(text)
    other = _also_named(kit, domains, wanted)
    meant = [_meant(kit, domain, id) for id, domain in begun.items()]
    if len(begun) == 1 and other is not None:
        return Refused("names_something_else", said=said, other=other, meant=meant, hints=list(begun))
    if begun:
        return Refused("may_be_several", said=said, meant=meant[:MEANT], hints=list(begun))
    for domain in domains:
        known = kit.names.get(domain, {})
        near = nearest(wanted, list(known))
        meant += [_meant(kit, domain, id, near) for id in dict.fromkeys(known[name] for name in near)]
    hints = [f"{one['id']} {one['name']}" if one["by_id"] else one["id"] for one in meant]
    return Refused("no_such_name", kinds=list(domains), said=said, other=other, meant=meant[:MEANT], hints=hints)


MEANT = 6
"""So many names that may have been meant are told in a sentence."""


def _meant(kit: Kit, domain: str, id: str, near: Sequence[str] = ()) -> dict[str, Any]:
    """A thing that may have been meant (the filter ``meant`` of phrases); ``by_id``: its id is what was nearly written
    (``P11 Treaty of Ulm``)."""
    name = kit.display(domain, id)
    by_id = normalise(id) in near and normalise(name) != normalise(id)
    return {"domain": domain, "id": id, "name": name, "by_id": by_id}


def find_in(kit: Kit, domains: Sequence[str], text: str) -> str:
    """The id that a text names in one of several domains: the first in which it is a whole name, else the only thing
    in any of them whose name begins so. Raises `Unreadable`."""
    if len(text) > LONGEST_NAME:
        raise Unreadable("no_such_name", kinds=list(domains), said=shortened(text), other=None, meant=[])
    wanted = normalise(text)
    for domain in domains:
        if wanted in kit.names.get(domain, {}):
            return kit.names[domain][wanted]
    begun = {id: domain for domain in reversed(domains) for id in begun_names(kit, domain, wanted)}
    if len(begun) == 1 and _also_named(kit, domains, wanted) is None:
        return next(iter(begun))
    raise Unreadable(lambda: _not_found(kit, domains, text, begun))


# --- fields ---------------------------------------------------------------------------------------------------------


class Field(Generic[Value]):
    """One field of an order: how it is read from words, written, checked by marshmallow and offered in a form.

    In an order it is a value of the type `Value`.
    """

    if TYPE_CHECKING:

        def __get__(self, order: object, kind: type) -> Value: ...

    widget = "text"
    most_words: int | None = MOST_WORDS_IN_A_NAME
    """So many words of a line it may take; None where there is no limit."""
    takes_any_words: ClassVar[bool] = False
    """Whether any words are a value of it, so that only what is asked tells whether they mean one."""
    form: ClassVar[str] = ""
    """How it is written, in words for HELP, where it is neither a name nor a number nor one of a few words."""

    def __init__(self, *, optional: bool = False, help: str = ""):
        self.optional = optional
        self.help = help
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def read(self, words: Sequence[str], names: Kit) -> Any:
        """The value that some words of a line stand for. Raises `Unreadable`."""
        raise NotImplementedError

    def understood(self, value: Any, names: Kit) -> Any:
        """A value of the JSON form as an order holds it. Its schema has looked at its form alone: whatever names things
        is read as in a line, by this field. Raises `Unreadable`."""
        return self.read(split_words(self.write(value)), names)

    def write(self, value: Any) -> str:
        """The value as words of a line; `read` gives the value back."""
        return str(value)

    def usage(self) -> str:
        """The field as the grammar for people shows it: ``<region>``."""
        return f"<{self.name.replace('_', ' ')}>"

    def wanted(self) -> Wanted:
        """What an answer that misses the field says should stand there."""
        usage = self.usage()
        bare = usage[1:-1] if usage.rfind("<") == 0 and usage.endswith(">") else usage
        return {"text": bare} if bare == usage or "|" not in bare else {"words": bare.split("|")}

    def schema_field(self) -> fields.Field:
        """The marshmallow field of the JSON form."""
        raise NotImplementedError

    def _common(self) -> dict[str, Any]:
        if self.optional:
            return {"required": False, "allow_none": True, "load_default": None}
        return {"required": True}


class Name(Field[str]):
    """A name out of a domain of the kit's vocabulary (``region``, ``space``, ``card``, ...), held as its id."""

    widget = "choice"

    def __init__(self, domain: str, **more: Any):
        super().__init__(**more)
        self.domain = domain

    def read(self, words: Sequence[str], names: Kit) -> str:
        try:
            return find_name(names, self.domain, " ".join(words))
        except Unreadable as error:
            raise Unreadable(partial(self._listed, error, names)) from error

    def _listed(self, error: Unreadable, names: Kit) -> Refused:
        """What is wrong, and the names that there are where they are few and none is near."""
        refusal, known = error.refusal(), list(names.labels.get(self.domain, {}))
        if refusal.hints or not known or len(known) > NAMES_TO_LIST:
            return refusal
        return Refused(refusal.code or "", None, known, **refusal.values)

    def wanted(self) -> Wanted:
        return {"kinds": [self.domain]}

    def usage(self) -> str:
        # In a list a name has no word of its own: what it names stands for it.
        return super().usage() if self.name else f"<{self.domain.replace('_', ' ')}>"

    def schema_field(self) -> fields.Field:
        return fields.String(validate=validate.Length(min=1, max=100), **self._common())


class AnyName(Field[str]):
    """A name out of one of several domains of the vocabulary; a whole name of the first in which it is one."""

    widget = "choice"

    def __init__(self, *domains: str, **more: Any):
        super().__init__(**more)
        self.domains = domains

    def read(self, words: Sequence[str], names: Kit) -> str:
        return find_in(names, self.domains, " ".join(words))

    def wanted(self) -> Wanted:
        return {"kinds": list(self.domains)}

    def schema_field(self) -> fields.Field:
        return fields.String(validate=validate.Length(min=1, max=100), **self._common())


class Choice(Field[str]):
    """One of a few words."""

    widget = "choice"

    def __init__(self, *choices: str, **more: Any):
        super().__init__(**more)
        self.choices = choices

    def read(self, words: Sequence[str], names: Kit) -> str:
        word = " ".join(words).casefold()
        meant = [c for c in self.choices if c.casefold() == word] or [
            c for c in self.choices if c.casefold().startswith(word)
        ]
        if len(meant) != 1:
            raise Unreadable("none_of_the_words", self.choices, said=shortened(" ".join(words)), wanted=self.wanted())
        return meant[0]

    def write(self, value: str) -> str:
        return value.upper()

    def usage(self) -> str:
        return "|".join(choice.upper() for choice in self.choices)

    def wanted(self) -> Wanted:
        return {"words": self.usage().split("|")}

    def schema_field(self) -> fields.Field:
        return fields.String(validate=validate.OneOf(self.choices), **self._common())


def yes_or_no(kit: Kit, text: str) -> bool | None:
    """What a word for yes or no says, in any language; None for another word."""
    word = text.casefold()
    return True if word in kit.words("yes") else False if word in kit.words("no") else None


class YesNo(Field[bool]):
    """YES or NO."""

    widget = "choice"
    def read(self, words: Sequence[str], names: Kit) -> bool:
        said = yes_or_no(names, " ".join(words))
        if said is None:
            raise Unreadable("none_of_the_words", ("YES", "NO"), said=shortened(" ".join(words)), wanted=self.wanted())
        return said

    def write(self, value: bool) -> str:
        return "YES" if value else "NO"

    def usage(self) -> str:
        return "YES|NO"

    def wanted(self) -> Wanted:
        return {"words": ["YES", "NO"]}

    def understood(self, value: bool, names: Kit) -> bool:
        return value

    def schema_field(self) -> fields.Field:
        return fields.Boolean(**self._common())


class Number(Field[int]):
    """A whole number from `least` to `most`."""

    widget = "number"

    is_label: ClassVar[bool] = False
    """Whether it only tells things of one kind apart, so that where it is left out the one that comes next is meant."""

    def __init__(self, least: int = 0, most: int = LARGEST_NUMBER, **more: Any):
        super().__init__(**more)
        self.least, self.most = least, most

    def read(self, words: Sequence[str], names: Kit) -> int:
        text = " ".join(words)
        if not re.fullmatch(r"[+-]?[0-9]{1,12}", text):
            raise Unreadable("no_whole_number", said=shortened(text), least=self.least, most=self.most)
        value = int(text)
        if not self.least <= value <= self.most:
            raise Unreadable("no_whole_number", said=str(value), least=self.least, most=self.most)
        return value

    def wanted(self) -> Wanted:
        return {"number": [self.least, self.most]}

    def understood(self, value: int, names: Kit) -> int:
        return value

    def schema_field(self) -> fields.Field:
        return fields.Integer(strict=True, validate=validate.Range(self.least, self.most), **self._common())


class Text(Field[str]):
    """Free words to the end of the line (press, salts)."""

    most_words = None

    def __init__(self, most: int = 1_000, **more: Any):
        super().__init__(**more)
        self.most = most

    def read(self, words: Sequence[str], names: Kit) -> str:
        text = " ".join(words)
        if len(text) > self.most:
            raise Unreadable("text_too_long", length=len(text), most=self.most)
        return text

    def schema_field(self) -> fields.Field:
        return fields.String(validate=validate.Length(max=self.most), **self._common())


class Phrases(Text):
    """A text of several phrases with commas between them; a form offers those of legal orders, to be chosen one by one,
    and room for others in words."""

    def phrases(self, value: Any) -> list[str]:
        """The phrases of a value, as they would be written."""
        raise NotImplementedError

    def usages(self) -> list[str]:
        """The forms that a phrase can have, for help."""
        raise NotImplementedError

    def builds(self, table: Any, question: Any) -> list[tuple[type[Line], dict[str, dict[str, list[Any]]]]]:
        """The lines that a phrase can be built by, choice by choice, at a question; none where a phrase has no fields.

        With each what a form offers for its fields: the field → whose they are ("" for nobody's) → values.
        """
        return []


class Many(Field[list[Any]]):
    """A list, separated by commas or AND: of another field, or of groups, orders without a verb of their own."""

    widget = "list"
    most_words = None

    def __init__(
        self, of: Field | type[Line], *, least: int = 1, most: int = 50, along: str = "", **more: Any
    ):
        """`along`: the field whose way (`Way`) they lie on, where that is so."""
        super().__init__(**more)
        self.of, self.least, self.most, self.along = of, least, most, along

    def read(self, words: Sequence[str], names: Kit) -> list[Any]:
        chunks: list[tuple[int, list[str]]] = [(0, [])]
        for number, word in enumerate(words):
            if word == "," or word.casefold() in names.words("and"):
                chunks.append((number + 1, []))
            else:
                chunks[-1][1].append(word)
        chunks = [(start, chunk) for start, chunk in chunks if chunk]
        values: list[Any] = []
        while chunks:
            if len(values) == self.most:
                number, at = len(values) + len(chunks), chunks[0][0]
                raise Unreadable("list_of_another_length", at=at, number=number, least=self.least, most=self.most)
            value, taken = self._read_next(chunks, words, names)
            values.append(value)
            chunks = chunks[taken:]
        if len(values) < self.least:
            number, at = len(values), len(words)
            raise Unreadable("list_of_another_length", at=at, number=number, least=self.least, most=self.most)
        return values

    def _read_next(
        self, chunks: list[tuple[int, list[str]]], words: Sequence[str], names: Kit
    ) -> tuple[Any, int]:
        """The next of the list, and how many chunks it took.

        A field of a group may hold commas itself (``4 regular, Suleiman FROM ..``): a chunk of a group that cannot be
        read takes in the following ones until it can; if it never can, what is wrong with it alone is told. Such a
        field may be its last one (``.. LOSING 1 regular, 2 mercenary``): what begins no group after it belongs to it.
        """
        value, taken = self._read_first(chunks, words, names)
        while self._holds_commas() and taken < min(len(chunks), MOST_COMMAS_IN_A_GROUP):
            try:
                self._read_first(chunks[taken:], words, names)
                break
            except Unreadable:
                begin, last = chunks[taken]
            try:
                value = self._read_one(chunks[0][0], list(words[chunks[0][0] : begin + len(last)]), names)
            except Unreadable:
                break
            taken += 1
        return value, taken

    def _holds_commas(self) -> bool:
        return not isinstance(self.of, Field) and any(f.most_words is None for f in self.of.fields.values())

    def _read_first(
        self, chunks: list[tuple[int, list[str]]], words: Sequence[str], names: Kit
    ) -> tuple[Any, int]:
        """One of the list out of as few chunks as hold one, and how many these are."""
        start, chunk = chunks[0]
        try:
            return self._read_one(start, chunk, names), 1
        except Unreadable:
            if self._holds_commas():
                for taken, (begin, last) in enumerate(chunks[1:MOST_COMMAS_IN_A_GROUP], 2):
                    try:
                        return self._read_one(start, list(words[start : begin + len(last)]), names), taken
                    except Unreadable:
                        continue
            raise

    def _read_one(self, start: int, words: list[str], names: Kit) -> Any:
        """One of the list; what is wrong is told at its place in the list."""
        try:
            if isinstance(self.of, Field):
                return self.of.read(words, names)
            return self.of.pattern.read(words, names, whole=False)
        except Unreadable as error:
            raise error.with_hints((), start + error.at) from error

    def understood(self, value: Sequence[Any], names: Kit) -> list[Any]:
        if isinstance(self.of, Field):
            return [self.of.understood(one, names) for one in value]
        return [one.understood(names) for one in value]

    def write(self, value: Sequence[Any]) -> str:
        if isinstance(self.of, Field):
            return ", ".join(self.of.write(item) for item in value)
        return ", ".join(item.text() for item in value)

    def usage(self) -> str:
        """One of the list, and that more may follow: ``<unit> FROM <origin> TO <place>, ...``."""
        of_itself = self.of.usage()
        one = super().usage() if of_itself == "<>" else of_itself
        return one if self.most == 1 else f"{one}, ..."

    def schema_field(self) -> fields.Field:
        inner = self.of.schema_field() if isinstance(self.of, Field) else _Group(self.of)
        return fields.List(inner, validate=validate.Length(self.least, self.most), **self._common())


class Way(Many):
    """Places one after the other, each reached from the one before, as the spaces of a march are; so a form has every
    name of the domain, and offers of each those that come next."""

    def __init__(self, of: Field, *, start: str = "", **more: Any):
        """`start`: the field that says where the way begins, if one does."""
        super().__init__(of, **more)
        self.start = start

    def steps(self, table: Any) -> Mapping[str, Sequence[str]]:
        """From each place those that may come next."""
        raise NotImplementedError

    def starts(self, table: Any, power: str) -> Mapping[str, str]:
        """What the field `start` can hold → the place where the way then begins ("" where there is no such field);
        empty where the field holds the place itself."""
        return {}


class _Group(fields.Field):
    """The JSON form of a group inside a `Many`."""

    def __init__(self, order: type[Line], **more: Any):
        super().__init__(**more)
        self.order = order

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> Line:
        if not isinstance(value, dict):
            raise ValidationError("should be an object")
        return self.order(**self.order.schema().load(value))

    def _serialize(self, value: Any, attr: Any, obj: Any, **more: Any) -> Any:
        return value.values()


# --- the grammar of a line --------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\[|\]|\{(\w+)\}|([^\s\[\]{}]+)")
_WORDS = re.compile(r",|[^\s,]+")


def split_words(line: str) -> list[str]:
    """The words of a line, commas apart; a full stop or semicolon at its end is dropped."""
    return _WORDS.findall(line.strip().rstrip(".;"))


def means_all(words: Sequence[str], names: Kit) -> bool:
    """Whether words name no part of what is there but ALL of it."""
    return len(words) == 1 and words[0].casefold() in names.words("all")


def counted_groups(words: Sequence[str], names: Kit, joining: Sequence[str] = ("and",)) -> list[list[str]]:
    """Groups as ``4 regular, 2 cavalry and Suleiman`` has them, separated by commas or words that join; a number begins
    a new group too. `joining`: the kinds of these words, see `Kit.words`."""
    between = {",", *(word for kind in joining for word in names.words(kind))}
    groups: list[list[str]] = [[]]
    for word in words:
        if word.casefold() in between:
            groups.append([])
        elif groups[-1] and is_count(word):
            groups.append([word])
        else:
            groups[-1].append(word)
    return [group for group in groups if group]


def is_count(word: str) -> bool:
    """Whether a word is a number as it stands before units: at most three digits."""
    return re.fullmatch(r"[0-9]{1,3}", word) is not None


@dataclass(frozen=True)
class _Word:
    text: str


@dataclass(frozen=True)
class _Slot:
    field: str


@dataclass(frozen=True)
class _Option:
    items: tuple[Any, ...]


def _ends(
    field: Field, words: Sequence[str], at: int, longest: int, stops: set[str], *, is_last: bool
) -> Iterable[int]:
    """Where a field that begins at a word may end, the longest first; so few that no line takes long to read.

    `stops` are the words of the grammar that may follow the field, `longest` where it ends at the latest.
    """
    if isinstance(field, Many) and stops:
        # A list ends where the next word of the grammar stands, or with the line.
        ends = [k for k in range(longest, at, -1) if k == longest or words[k].casefold() in stops]
        return ends[:MOST_ENDS_OF_A_LIST]
    if field.most_words is None and not stops and not is_last:
        return range(longest, at, -1)
    if field.most_words is None:
        return dict.fromkeys((longest, at + 1)) if longest > at else ()
    short = range(min(longest, at + field.most_words), at, -1)
    return short if longest <= at + field.most_words else [longest, *short]


def _is_worded(item: Any) -> bool:
    """Whether this is a part that may be left out and begins with a word of its own."""
    return isinstance(item, _Option) and isinstance(item.items[0], _Word)


class _Furthest:
    """Remembers the failure that got furthest into the line: the one to tell."""

    def __init__(self) -> None:
        self.at = -1
        self.error = Unreadable("line_ends_too_early")
        self._may_be_left_out = False

    def note(self, at: int, error: Unreadable, *, may_be_left_out: bool = False) -> None:
        """A failure of an order's part. Of two at one place that counts which cannot be left out: what stands there was
        hardly meant for the other."""
        if at > self.at or (at == self.at and self._may_be_left_out and not may_be_left_out):
            self.at, self.error, self._may_be_left_out = at, error, may_be_left_out


def _should_stand(wanted: Sequence[str], words: Sequence[str], at: int) -> Unreadable:
    """A word of the grammar is not where it should be: another is, or the line ends."""
    said = shortened(words[at]) if at < len(words) else None
    return Unreadable("word_should_stand", wanted={"words": list(wanted)}, said=said)


class Pattern:
    """A compiled ``line``."""

    def __init__(self, order: type[Line]):
        self.order = order
        tokens = [m.groups() + (m.group(0),) for m in _TOKEN.finditer(order.line)]
        self.items, rest = self._compile(tokens)
        if rest:
            raise TypeError(f"unbalanced brackets in the line of {order.__name__}")
        self.verb = self.items[0].text if self.items and isinstance(self.items[0], _Word) else ""
        self.key = self.verb.casefold()

    def _compile(self, tokens: list[tuple[Any, ...]]) -> tuple[tuple[Any, ...], list[tuple[Any, ...]]]:
        items: list[Any] = []
        while tokens:
            slot, word, whole = tokens[0]
            tokens = tokens[1:]
            if whole == "[":
                inner, tokens = self._compile(tokens)
                items.append(_Option(inner))
            elif whole == "]":
                return tuple(items), tokens
            elif slot:
                if slot not in self.order.fields:
                    raise TypeError(f"{self.order.__name__} has no field {slot}")
                items.append(_Slot(slot))
            else:
                items.append(_Word(word))
        return tuple(items), tokens

    def read(self, words: Sequence[str], names: Kit, *, whole: bool = True) -> Line:
        """The order that the words stand for. Raises `Unreadable`, for the reading that got furthest.

        `whole`: the words are a line, not a part of a list.
        """
        furthest = _Furthest()
        for values, end in self._match(self.items, words, 0, {}, names, furthest):
            if end == len(words):
                missing = [f for n, f in self.order.fields.items() if n not in values and not f.optional]
                if missing:
                    furthest.note(end, Unreadable("missing_at_end", wanted=[f.wanted() for f in missing]))
                    continue
                return self.order(**values)
            over = shortened(" ".join(words[end:]))
            furthest.note(end, Unreadable("too_much" if whole else "comma_missing", said=over, words=len(words) - end))
        form = [FORM + self.order.usage()] if whole else []
        raise furthest.error.with_hints(form, furthest.at)

    def _match(
        self,
        items: tuple[Any, ...],
        words: Sequence[str],
        at: int,
        values: dict[str, Any],
        names: Kit,
        furthest: _Furthest,
    ) -> Iterator[tuple[dict[str, Any], int]]:
        if not items:
            yield values, at
            return
        item, rest = items[0], items[1:]
        if isinstance(item, _Word):
            if at < len(words) and words[at].casefold() == item.text.casefold():
                yield from self._match(rest, words, at + 1, values, names, furthest)
            else:
                furthest.note(at, _should_stand([item.text], words, at))
        elif isinstance(item, _Option):
            yield from self._match_options(items, words, at, values, names, furthest)
        else:
            field = self.order.fields[item.field]
            stops = self._first_words(rest)
            longest = len(words)
            if not isinstance(field, Many | Text) and stops:
                # A name of several words ends where the next word of the grammar stands.
                longest = next((k for k in range(at + 1, len(words)) if words[k].casefold() in stops), longest)
            if at >= len(words):
                furthest.note(at, Unreadable("missing_at_end", wanted=[field.wanted()]))
            for end in _ends(field, words, at, longest, stops, is_last=not rest):
                try:
                    value = field.read(words[at:end], names)
                except Unreadable as error:
                    if end == longest or end == at + 1:
                        furthest.note(at + error.at, error, may_be_left_out=field.optional)
                    continue
                yield from self._match(rest, words, end, {**values, item.field: value}, names, furthest)
            # A name may hold a word of the grammar itself: USE surprise attack.
            last = min(len(words), at + MOST_WORDS_IN_A_NAME) if isinstance(field, Name) and stops else longest
            for end in range(last, longest, -1):
                try:
                    value = field.read(words[at:end], names)
                except Unreadable:
                    continue
                yield from self._match(rest, words, end, {**values, item.field: value}, names, furthest)

    def _match_options(
        self,
        items: tuple[Any, ...],
        words: Sequence[str],
        at: int,
        values: dict[str, Any],
        names: Kit,
        furthest: _Furthest,
    ) -> Iterator[tuple[dict[str, Any], int]]:
        """Options that follow each other, each told by its first word, may be given in any order."""
        run = tuple(itertools.takewhile(_is_worded, items)) or items[:1]
        rest = items[len(run) :]
        known = [option.items[0].text for option in run if _is_worded(option)]
        if len(known) > 1 and at < len(words) and words[at].casefold() not in map(str.casefold, known):
            furthest.note(at, _should_stand(known, words, at))
        for number, option in enumerate(run):
            others = (*run[:number], *run[number + 1 :])
            yield from self._match(option.items + others + rest, words, at, values, names, furthest)
        yield from self._match(rest, words, at, values, names, furthest)

    def _first_words(self, items: tuple[Any, ...]) -> set[str]:
        """The words of the grammar that may come next."""
        words: set[str] = set()
        for item in items:
            if isinstance(item, _Word):
                return words | {item.text.casefold()}
            if isinstance(item, _Slot):
                return set()
            words |= self._first_words(item.items)
        return words

    def write(self, order: Line) -> str:
        """The order as a line; options whose fields are all empty are left out."""
        return " ".join(self._write(self.items, order))

    def _write(self, items: tuple[Any, ...], order: Line) -> Iterator[str]:
        for item in items:
            if isinstance(item, _Word):
                yield item.text
            elif isinstance(item, _Slot):
                value = getattr(order, item.field)
                if value is not None:
                    yield self.order.fields[item.field].write(value)
            elif any(getattr(order, f) is not None for f in self._slots(item.items)):
                yield from self._write(item.items, order)

    def _slots(self, items: tuple[Any, ...]) -> Iterator[str]:
        for item in items:
            if isinstance(item, _Slot):
                yield item.field
            elif isinstance(item, _Option):
                yield from self._slots(item.items)


# --- lines ------------------------------------------------------------------------------------------------------------


class Line:
    """What has a line and fields: the base of orders, and the groups of a list; see the module's text."""

    line: ClassVar[str] = ""
    fields: ClassVar[dict[str, Field]] = {}
    pattern: ClassVar[Pattern]
    _id: ClassVar[str] = "order"
    _left_out: ClassVar[dict[str, None]] = {}
    """The optional fields as they stand where they are left out."""
    _schema: ClassVar[Schema | None] = None

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
        cls.fields = {**cls.fields, **own}
        for name in own:
            delattr(cls, name)
        cls._left_out = {name: None for name, field in cls.fields.items() if field.optional}
        cls._id = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()
        cls._schema = None
        if cls.line:
            cls.pattern = Pattern(cls)

    def __init__(self, **values: Any):
        values = self._left_out | values
        if values.keys() != self.fields.keys():
            unknown = values.keys() - self.fields.keys()
            if unknown:
                raise TypeError(f"{type(self).__name__} has no field {', '.join(sorted(unknown))}")
            missing = [name for name in self.fields if name not in values]
            raise TypeError(f"{type(self).__name__} needs {missing[0]}")
        vars(self).update(values)

    # forms of an order

    @classmethod
    def id(cls) -> str:
        """The id of the kind of order, used in JSON, forms and standing orders: the class name in lower case."""
        return cls._id

    @classmethod
    def schema(cls) -> Schema:
        """The marshmallow schema of the JSON form, without the kind."""
        if cls._schema is None:
            made = {name: field.schema_field() for name, field in cls.fields.items()}
            cls._schema = Schema.from_dict(made, name=f"{cls.__name__}Order")(unknown=RAISE)
        return cls._schema

    @classmethod
    def usage(cls) -> str:
        """The grammar for people: ``BUILD <unit> AT <region>, ... [MORE YES|NO]``."""
        return re.sub(r"\{(\w+)\}", lambda m: cls.fields[m.group(1)].usage(), cls.line)

    @classmethod
    def help(cls) -> str:
        """What the order does, in a sentence."""
        return " ".join((cls.__doc__ or "").strip().split("\n\n")[0].split())

    def values(self) -> dict[str, Any]:
        """The fields as JSON values; those that are None are left out."""
        return {
            name: [v.values() if isinstance(v, Line) else v for v in value] if isinstance(value, list) else value
            for name in self.fields
            if (value := getattr(self, name)) is not None
        }

    def understood(self, names: Kit) -> Line:
        """This line with its names as ids of a kit. Raises `Unreadable` for a name that the kit does not know."""
        known = {
            name: None if (value := getattr(self, name)) is None else field.understood(value, names)
            for name, field in self.fields.items()
        }
        return type(self)(**known)

    def to_json(self) -> dict[str, Any]:
        """``{"order": kind, field: value, ...}``."""
        return {"order": self.id(), **self.values()}

    def text(self) -> str:
        """The line that a mail would hold."""
        return self.pattern.write(self)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.values() == other.values()  # type: ignore[union-attr]

    def __hash__(self) -> int:
        return hash(self.text())

    def __repr__(self) -> str:
        return f"<{self.text()}>"
