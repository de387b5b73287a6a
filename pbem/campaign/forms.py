"""Forms for a question: what may be answered, field by field, taken from the order's own definition and legality.

Nothing here knows a rule. The legal orders of a question are worked out by trying its candidates; what they hold in a
field are the choices of that field. Where a choice depends on another, the page gets the legal combinations, and its
script leaves only those; without a script the choices are there all the same, and the check tells what does not fit.
What the candidates leave open (a higher number, an optional word) is tried on a legal order, value by value.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.render.narrative import Teller
from pbem.table.grammar import Line
from pbem.table.kit import Kit
from pbem.table.orders import (
    Choice,
    Field,
    Many,
    Name,
    Number,
    Order,
    Phrases,
    Text,
    Unreadable,
    Way,
    YesNo,
    split_words,
)
from pbem.table.procedure import Table
from pbem.table.questions import Question
from pbem.table.refusals import FORM

MOST_TRIED = 4_000
"""Candidates of one kind of order that are tried; a kind with more is offered by what was found so far."""
MOST_LEGAL = 1_500
MOST_COMBINATIONS = 1_500
MOST_PROBES = 80
"""Values of an open field that are tried."""
BASES = 6
"""Orders on which a value is tried where not all candidates were."""
ROWS_BEYOND = 2
"""So many rows more than the longest list that chance has made, where it makes lists of several lengths."""
ROWS_OF_A_WAY = 6
"""Rows for the places of a way; further ones go into a line."""
MOST_FORCES = 8
"""So many forces stand in a list to choose from; where more may be named, their units are picked kind by kind."""
MOST_PHRASES = 5
"""Rows for a text of phrases."""
PHRASE_LINE = "[{item}] [{words}]"
IN_WORDS = "Or in words"
SAMPLES = 30
"""Orders by chance: they show how long a list can be, and what lies beyond the candidates tried."""


@dataclass(frozen=True)
class Option:
    """One choice of a field: as it stands in a line, and for people.

    `note` is what it costs or gives, `effects` what it does, `group` what it is one of: the phrases ``[choice]`` of the
    game tell them of a thing of a domain (``tile``, ``"tile effects"``, ``"space group"``); "" where they do not.
    """

    value: str
    label: str
    note: str = ""
    effects: str = ""
    group: str = ""
    owner: str = ""
    """Whose it is, where that matters to what is chosen besides."""


@dataclass(frozen=True)
class Pick:
    """A kind of thing of which so many can be picked: as it stands in a line behind the number, and for people."""

    item: str
    label: str
    most: int


@dataclass
class Build:
    """A kind of phrase that is built choice by choice: its grammar, what it is called, and its fields."""

    line: str
    label: str
    inputs: list[Input]


@dataclass
class Input:
    """One field of a form.

    `widget`: ``select``, ``number``, ``text``, ``rows`` or ``picks`` (so many of each of its `picks`, `owed` of them
    together). A field of rows holds its `rows`: in a list each entry can
    depend on those before it (a unit moves in where another has gone ahead), so the first row may offer less than the
    others.
    """

    name: str
    label: str
    widget: str
    optional: bool = False
    help: str = ""
    options: list[Option] = field(default_factory=list)
    least: int | None = None
    most: int | None = None
    chosen: str = ""
    """The option that a form begins with; "" where one has to be chosen."""
    start: int | None = None
    """The number that a form begins with: that of the first candidate."""
    rows: list[Row] = field(default_factory=list)
    line: str = ""
    usages: list[str] = field(default_factory=list)
    """The forms of what is written in words."""
    builds: list[Build] = field(default_factory=list)
    """The kinds of phrase that can be built in each of the rows."""
    picks: list[Pick] = field(default_factory=list)
    owed: int | None = None
    way: dict[str, Any] | None = None
    """Of places one after the other: the field where the way starts (``start``), the place that each value of it means
    (``from``; none: it is the place), and from each place the next ones (``steps``)."""
    along: str = ""
    """The field of the way that all its places lie on; "" where that is not so."""
    only_with: list[list[str]] | None = None
    """The combinations of `depends` with which a number that may be left out can be given; None: with all."""


@dataclass
class Row:
    """One row of a field of rows; `legal` are the combinations of the columns in `depends`, as for an `OrderForm`."""

    columns: list[Input]
    depends: list[str] = field(default_factory=list)
    legal: list[list[str]] = field(default_factory=list)


@dataclass
class OrderForm:
    """One kind of order that may answer a question.

    `line` is its grammar (`pbem.table.orders`); `legal` the combinations of the fields in `depends` that are legal, as
    values of their options; `complete` whether these are all there are.
    """

    kind: str
    verb: str
    help: str
    usage: str
    line: str
    inputs: list[Input] = field(default_factory=list)
    legal: list[list[str]] = field(default_factory=list)
    depends: list[str] = field(default_factory=list)
    complete: bool = True
    examples: list[str] = field(default_factory=list)

    @property
    def begins(self) -> str:
        """The words that its line begins with: several orders may have a verb (``RECOVER``, ``RECOVER FIRST OF``)."""
        return re.split(r"[\[{]", self.line, maxsplit=1)[0].strip() or self.verb


def order_forms(table: Table, question: Question, language: str = "en") -> list[OrderForm]:
    """The forms of all kinds of order that may answer a question now; a kind without a legal order is left out."""
    forms = []
    for kind in question.orders:
        form = _Maker(kind, table, question, language).form()
        if form is not None:
            forms.append(form)
    return forms


class _Maker:
    """Makes the form of one kind of order."""

    def __init__(self, kind: type[Order], table: Table, question: Question, language: str):
        self.kind, self.table, self.question = kind, table, question
        self.teller = Teller(table.kit, language)

    def _label(self, name: str) -> str:
        return self.teller.language.field(name)

    def _told(self, help: str) -> str:
        return self.teller.language.text(help) if help else ""

    def form(self) -> OrderForm | None:
        orders, complete = self._legal()
        if not orders:
            return None
        kind, self.complete = self.kind, complete
        has_phrases = any(isinstance(definition, Phrases) for definition in kind.fields.values())
        about = Order.help.__func__(kind) if has_phrases else kind.help()  # type: ignore[attr-defined]
        help, usage = self._told(about), self.teller.language.usage(kind.usage())
        form = OrderForm(kind.id(), kind.pattern.verb, help, usage, kind.line, complete=complete)
        form.examples = [order.text() for order in orders[:3]]
        for name, definition in kind.fields.items():
            made = self._input(name, definition, orders)
            if made is not None:
                form.inputs.append(made)
        varied = [i.name for i in form.inputs if i.widget == "select" and _varies(i.name, orders)]
        form.depends, form.legal = _combinations(kind.fields, varied, orders)
        if form.depends:
            for made in form.inputs:
                if made.name in form.depends:  # as the combinations have it, which the page's script goes by
                    made.optional = any(getattr(order, made.name) is None for order in orders)
                if made.widget == "number" and made.optional:
                    given = [order for order in orders if getattr(order, made.name) is not None]
                    made.only_with = _combinations(kind.fields, varied, given)[1]
        return form

    def _legal(self) -> tuple[list[Order], bool]:
        legal: list[Order] = []
        complete = True
        for number, order in enumerate(self.kind.candidates(self.table, self.question)):
            if number >= MOST_TRIED or len(legal) >= MOST_LEGAL:
                complete = False
                break
            if self.question.is_legal(self.table, order):
                legal.append(order)
        self.tried = list(legal)
        samples_itself = self.kind.sample.__func__ is not Order.sample.__func__  # type: ignore[attr-defined]
        if samples_itself and (not complete or any(isinstance(f, Many) for f in self.kind.fields.values())):
            legal += self._samples({order.text() for order in legal})
        return legal, complete

    def _samples(self, known: set[str]) -> Iterator[Order]:
        chance = random.Random(1)
        for _ in range(SAMPLES):
            order = self.kind.sample(self.table, self.question, chance)
            if order is None:
                return
            if order.text() not in known:
                known.add(order.text())
                yield order

    def _input(self, name: str, definition: Field, orders: Sequence[Order]) -> Input | None:
        values = [value for order in orders if (value := getattr(order, name)) is not None]
        made = Input(name, self._label(name), "select", optional=definition.optional, help=self._told(definition.help))
        if isinstance(definition, Many):
            return self._rows(made, definition, values, orders)
        if isinstance(definition, Number):
            return self._number(made, definition, values, orders)
        if isinstance(definition, Phrases):
            return self._phrases(made, definition, values)
        if isinstance(definition, Text):
            made.widget = "text"
            made.most = definition.most
            return made
        made.optional = self._can_be_left_out(name, definition, orders)
        if not values:
            values = [v for v in self._possible(definition) if self._accepts(orders[0], name, v)]
        elif not self.complete:
            values += [v for v in self._possible(definition) if self._accepts_on_one_of(orders, name, v)]
        made.options = self._options(definition, values)
        if definition.widget == "force" and len(self.kind.fields) == 1 and len(made.options) > MOST_FORCES:
            self._pick(made, values)
        return made if made.options else None

    def _pick(self, made: Input, forces: Sequence[Mapping[str, Any]]) -> None:
        """Let units be picked kind by kind in place of one of very many forces."""
        most: dict[tuple[str, str], int] = {}
        sizes = set()
        for force in forces:
            units = [(owner, kind, n) for owner, kinds in force.get("units", {}).items() for kind, n in kinds.items()]
            sizes.add(sum(n for *_, n in units))
            for owner, kind, number in units:
                most[owner, kind] = max(number, most.get((owner, kind), 0))
        if any(force.get("leaders") or force.get("all") for force in forces):
            return
        made.widget, made.owed = "picks", sizes.pop() if len(sizes) == 1 else None
        for (owner, kind), number in most.items():
            item = kind if owner == "own" else f"{owner} {kind}"
            words = self.teller.named(f"{number} {item}").partition(" ")[2]
            made.picks.append(Pick(item, words[:1].upper() + words[1:], number))

    def _can_be_left_out(self, name: str, definition: Field, orders: Sequence[Order]) -> bool:
        return definition.optional and any(
            getattr(order, name) is None or self._accepts(order, name, None) for order in orders[:MOST_PROBES]
        )

    def _rows(
        self, made: Input, definition: Many, lists: Sequence[Sequence[Any]], orders: Sequence[Order]
    ) -> Input | None:
        if not lists:
            return None
        of = definition.of
        made.widget = "rows"
        made.optional = self._can_be_left_out(made.name, definition, orders)
        made.line = "{item}" if isinstance(of, Field) else of.line
        first = list(dict.fromkeys(values[0] for values in lists))
        later = list(dict.fromkeys(item for values in lists for item in values))
        by_chance = not any(getattr(order, made.name) for order in self.tried)
        made.along = definition.along
        if isinstance(definition, Way) and isinstance(of, Name):
            steps = {place: list(following) for place, following in definition.steps(self.table).items()}
            starts = dict(definition.starts(self.table, self.question.power))
            made.way = {"start": definition.start, "from": starts, "steps": steps}
        if isinstance(of, Name) and (made.way is not None or made.along):
            first = later = list(dict.fromkeys([*later, *self.table.kit.labels.get(of.domain, {})]))
        elif by_chance and isinstance(of, Name):  # chance has shown a few of those that there are
            more = (id for id in self.table.kit.labels.get(of.domain, {}) if self._accepts(orders[0], made.name, [id]))
            first = later = list(dict.fromkeys([*later, *more]))
        longest = max(map(len, lists))
        made.owed = longest if longest > 1 and not made.optional and min(map(len, lists)) == longest else None
        made_by_chance = {len(values) for order in orders[len(self.tried) :] if (values := getattr(order, made.name))}
        if len(made_by_chance) > 1:  # as long as chance made it; longer ones may be legal
            longest = min(definition.most, longest + ROWS_BEYOND)
        if made.way is not None:  # chance goes short ways
            longest = min(definition.most, max(longest, ROWS_OF_A_WAY))
        offered = [first, *[later] * (longest - 1)] if made.way is None else _along(made.way, later, longest)
        made.rows = [self._row(made, of, items) for items in offered]
        return made

    def _phrases(self, made: Input, definition: Phrases, values: Sequence[Any]) -> Input:
        """Rows, each a phrase of a legal order or one in words."""
        written = list(dict.fromkeys(phrase for value in values for phrase in definition.phrases(value)))
        options = [Option(phrase, self.teller.named(phrase), group=_verb(phrase)) for phrase in written]
        made.widget, made.line, made.help = "rows", PHRASE_LINE, ""
        made.usages = [self.teller.language.usage(usage) for usage in definition.usages()]
        made.builds = [self._build(*build) for build in definition.builds(self.table, self.question)]
        made.rows = [
            Row([Input("item", made.label, "select", optional=True, options=options),
                 Input("words", IN_WORDS, "text", optional=True, most=definition.most)])
            for _ in range(MOST_PHRASES)
        ]  # fmt: skip
        return made

    def _build(self, kind: type[Line], choices: Mapping[str, Mapping[str, Sequence[Any]]]) -> Build:
        """A kind of phrase with its fields; the things that somebody has stand below his name."""
        inputs = []
        for name, definition in kind.fields.items():
            made = Input(name, self._label(name), "select", definition.optional, self._told(definition.help))
            if isinstance(definition, Number):
                made.widget, made.least, made.most = "number", definition.least, definition.most
            elif name in choices:
                of = definition.of if isinstance(definition, Many) and isinstance(definition.of, Field) else definition
                made.options = [
                    replace(option, group=self.teller.power(owner) if owner else option.group, owner=owner)
                    for owner, ids in choices[name].items() for option in self._options(of, ids)
                ]
                if made.optional and made.options[:1] == self._options(of, [self.question.power]):
                    made.optional, made.chosen = False, made.options[0].value
            if made.widget == "number" or made.options:
                inputs.append(made)
        label = self.teller.words("phrase").get(kind.id()) or _verb(kind.line)
        return Build(kind.line, label, inputs)

    def _row(self, made: Input, of: Field | type[Line], items: Sequence[Any]) -> Row:
        if isinstance(of, Field):
            return Row([Input("item", made.label, "select", options=self._options(of, items))])
        row = Row([])
        for name, column in of.fields.items():
            values = [value for item in items if (value := getattr(item, name)) is not None]
            if isinstance(column, Number):
                least, most = min(values, default=column.least), max(values, default=column.most)
                row.columns.append(
                    Input(
                        name, self._label(name), "number", column.optional, self._told(column.help),
                        least=least, most=most,
                    )  # fmt: skip
                )
            elif values:
                if isinstance(column, Choice) and column.optional:
                    values += column.choices  # a word or two, each of which may fit
                row.columns.append(
                    Input(
                        name, self._label(name), "select", column.optional, self._told(column.help),
                        self._options(column, values),
                    )  # fmt: skip
                )
        fixed = [
            c.name for c in row.columns
            if c.widget == "select" and not (isinstance(of.fields[c.name], Choice) and of.fields[c.name].optional)
        ]
        row.depends, row.legal = _combinations(of.fields, fixed, items)
        return row

    def _number(self, made: Input, definition: Number, values: list[int], orders: Sequence[Order]) -> Input:
        made.widget = "number"
        if not values:
            made.least, made.most = definition.least, definition.most
            return made
        made.least, made.most, made.start = min(values), max(values), values[0]
        base = next(order for order in orders if getattr(order, made.name) == made.most)
        # The candidates stop somewhere: is more legal too? Doubling, then halving, as limits are monotonous.
        good, step = made.most, 1
        while good < definition.most and self._accepts(base, made.name, min(good + step, definition.most)):
            good, step = min(good + step, definition.most), step * 2
        while step > 1:
            step //= 2
            if good + step <= definition.most and self._accepts(base, made.name, good + step):
                good += step
        made.most = good
        return made

    def _accepts(self, order: Order, name: str, value: Any) -> bool:
        values = {n: getattr(order, n) for n in order.fields}
        return self.question.is_legal(self.table, self.kind(**{**values, name: value}))

    def _accepts_on_one_of(self, orders: Sequence[Order], name: str, value: Any) -> bool:
        """Whether a value is legal on one of some orders spread over those that were found."""
        return any(self._accepts(order, name, value) for order in orders[:: max(1, len(orders) // BASES)])

    def _possible(self, definition: Field) -> Iterator[Any]:
        if isinstance(definition, YesNo):
            yield from (True, False)
        elif isinstance(definition, Choice):
            yield from definition.choices
        else:
            kit: Kit = self.table.kit
            ids = (id for domain in _domains(definition) for id in kit.labels.get(domain, {}))
            yield from list(dict.fromkeys(ids))[:MOST_PROBES]

    def _options(self, definition: Field, values: Iterable[Any]) -> list[Option]:
        different: dict[str, Any] = {}
        for value in values:
            different.setdefault(definition.write(value), value)
        return [self._option(written, definition, value) for written, value in different.items()]

    def _option(self, written: str, definition: Field, value: Any) -> Option:
        label, domain = self._name(definition, value), self._domain(definition, value)
        if domain is None:
            return Option(written, label)
        return Option(written, label, *(self.teller.choice(domain, value, what) for what in ("", "effects", "group")))

    def _domain(self, definition: Field, value: Any) -> str | None:
        """The vocabulary that a name is of."""
        labels = self.table.kit.labels
        return next((d for d in _domains(definition) if isinstance(value, str) and value in labels.get(d, {})), None)

    def _name(self, definition: Field, value: Any) -> str:
        if isinstance(value, Mapping):
            words = self.teller.named(definition.write(value).replace(" with ", ", "))
            return re.sub(r"\bALL\b", self.teller.language.text("everything"), words)
        if not isinstance(value, str):
            is_all = definition.write(value) == "ALL"
            return self.teller.language.text("everything") if is_all else self.teller.plain(value)
        name = self.teller.name(value, self._domain(definition, value))
        if "%s" in name:  # a place of whoever is asked: "Home (%s)"
            name = name.replace("%s", self.teller.power(self.question.power))
        return name[:1].upper() + name[1:]


def _domains(definition: Field) -> Sequence[str]:
    """The vocabularies that a field of names takes its names from, best first."""
    if hasattr(definition, "domains"):
        return definition.domains
    return (definition.domain,) if hasattr(definition, "domain") else ()


def _along(way: Mapping[str, Any], places: Sequence[str], number: int) -> list[list[str]]:
    """For each place of a way what may stand there, whatever comes before it; of this a script leaves less."""
    reached, offered = [*way["from"].values()] or [*way["steps"]], []
    for _ in range(number):
        reached = list(dict.fromkeys(following for place in reached for following in way["steps"].get(place, ())))
        offered.append([place for place in places if place in reached])
    return offered


def _verb(phrase: str) -> str:
    """The words in capitals that a phrase begins with."""
    return " ".join(itertools.takewhile(str.isupper, phrase.split()))


def _varies(name: str, orders: Sequence[Order]) -> bool:
    return any(getattr(order, name) is not None for order in orders)


def _combinations(
    definitions: Mapping[str, Field], names: Sequence[str], orders: Sequence[Order]
) -> tuple[list[str], list[list[str]]]:
    """The fields that depend on each other, and the combinations of their values; nothing for a single field."""
    if len(names) < 2:
        return [], []
    rows: dict[tuple[str, ...], None] = {}
    for order in orders:
        values = [getattr(order, name) for name in names]
        rows[tuple("" if v is None else definitions[n].write(v) for n, v in zip(names, values, strict=True))] = None
        if len(rows) > MOST_COMBINATIONS:
            return [], []
    return list(names), [list(combination) for combination in rows]


# --- reading a form that was sent -------------------------------------------------------------------------------------


def read_form(kind: type[Order], values: Mapping[str, Sequence[str]], kit: Kit) -> Order:
    """The order that a form was filled in with.

    `values`: the name of an input -> what was sent for it; inputs in rows are named ``field.column``, one value a row.
    Raises `Unreadable`, which names the field.
    """
    read: dict[str, Any] = {}
    value: Any
    for name, definition in kind.fields.items():
        try:
            if isinstance(definition, Phrases):
                phrases = _phrase_words(name, values)
                value = definition.read(split_words(phrases), kit) if phrases else None
            elif isinstance(definition, Many):
                words = _row_words(name, definition, values)
                value = definition.read(split_words(words), kit) if words else None
            else:
                text = _first(values.get(name, ())) or _picked(name, values)
                value = definition.read(split_words(text), kit) if text else None
        except Unreadable as error:
            raise Unreadable("field_wrong", error.hints, field=name, problem=error.refusal().to_json()) from error
        if value is None and not definition.optional:
            raise Unreadable("field_missing", [FORM + kind.usage()], field=name)
        read[name] = value
    return kind(**read)


def _picked(name: str, values: Mapping[str, Sequence[str]]) -> str:
    """How many of each kind were picked, in the words of a line: the inputs are called ``field:kind``."""
    picked = {key.partition(":")[2]: _first(sent) for key, sent in values.items() if key.startswith(f"{name}:")}
    return ", ".join(f"{number} {item}" for item, number in picked.items() if number and number != "0")


def _phrase_words(name: str, values: Mapping[str, Sequence[str]]) -> str:
    """The phrases that were chosen or written, row by row; the field as a whole where it was sent as such."""
    rows = itertools.zip_longest(values.get(f"{name}.item", ()), values.get(f"{name}.words", ()), fillvalue="")
    chosen = [" ".join(cell.split()) for row in rows for cell in row if cell.strip()]
    return ", ".join(chosen) or _first(values.get(name, ()))


def _row_words(name: str, definition: Many, values: Mapping[str, Sequence[str]]) -> str:
    of = definition.of
    columns = ["item"] if isinstance(of, Field) else list(of.fields)
    sent = [values.get(f"{name}.{column}", ()) for column in columns]
    rows = []
    for number in range(max((len(column) for column in sent), default=0)):
        row = {c: _first(column[number : number + 1]) for c, column in zip(columns, sent, strict=True)}
        if not any(row.values()):
            continue
        if isinstance(of, Field):
            rows.append(row["item"])
            continue
        missing = [c for c in columns if not row[c] and not of.fields[c].optional]
        if missing:
            raise Unreadable("row_incomplete", row=number + 1, field=missing[0])
        rows.append(_fill(of.line, row))
    return ", ".join(rows)


def _fill(line: str, row: Mapping[str, str]) -> str:
    """A row in the words of a line: fields filled in, options that stay empty left out."""
    def option(match: re.Match[str]) -> str:
        fields = re.findall(r"\{(\w+)\}", match[1])
        return match[1] if any(row.get(f) for f in fields) else ""

    line = re.sub(r"\[([^\[\]]*)\]", option, line)
    return " ".join(re.sub(r"\{(\w+)\}", lambda m: row.get(m[1], ""), line).split())


def _first(texts: Sequence[str]) -> str:
    """The text of an input, on one line, whatever was sent."""
    return " ".join(texts[0].split()) if texts else ""
