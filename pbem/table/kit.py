"""The kit of a published game: its map, counters, tables and numbers as data, read from `config/games/<game>/`.

A kit is described by its `kit.toml`; the tables are CSV files, other material (the layout of a map) is JSON. This
module reads them, checks them and holds the result. It knows no game.

kit.toml:

    id = "…"  name = "…"  name_fr = "…"  version = "…"
    status = "in preparation"                    # left out: complete
    files = ["map_layout.json"]                  # other JSON, found as kit.files["map_layout"]
    [seats]            minimum, maximum, table   # the table whose ids are the powers
    [tables.<table>]   file, key (a column, or several, joined by ":" to the id of a row),
                       references = {column = table or tables}, choices = {column = [allowed values]},
                       sources = {source column = [columns it speaks for]}
    [tables.<table>.columns]   column = type: text, int, number, bool (yes/no), list (values joined by ";");
                               with "?" the cell may be empty (text "", int and number None; a list always may)
    [domains.<domain>]         table, columns = {language = column}    # vocabularies; names.csv adds to them
                               shared = true: several things may have one name, which then shows them and means none
    [options.<option>]         default, type (choice, bool, int), choices, minimum, maximum, text, section; subject
                               (what it is called), group; text_fr, subject_fr, … of these languages
    [option_groups.<group>]    name, name_fr, name_ru; folded = true: shown only to whom asks for it
    [rulings.<ruling>]         text, section     # readings that leave nothing to choose
    [scenarios.<scenario>]     name, text, and what the game wants to know besides
    [questions]                each kind of question by its name (a standing order to a kind that is not here is
                               refused), `default` for all others: hours, how long it stays open; own_turn = true: of
                               one's own turn, for which orders may be sent ahead, the main kind first; opens, the
                               orders that may answer a question that begins a turn of one's own; comes, a condition
                               under which it can still come; begins, one under which a question of the main kind
                               begins the turn; ahead = true: answered as the turn foresees it
    [words]                    words of lines that stand for themselves, kind = [word, …], in any language; those
                               of every game (yes, if, and, all) stand in `config/words.toml`
    [spellings]                another spelling of a verb = the verb
    [dice]                     faces of the dice that show no pips: die = [face, face, …]; left out: none
    [constants]                whole numbers, texts, truth values, and lists or tables of them
"""

import csv
import difflib
import hashlib
import json
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from marshmallow import INCLUDE, RAISE, Schema, ValidationError, fields, validate

from pbem import resources

FORM = 1  # of the JSON that `Kit.to_json` writes; a kit of a running campaign lives for years in the store


# --- words ---


@lru_cache(maxsize=8192)
def normalise(text: str) -> str:
    """The form under which names are compared, without case, accents and punctuation: "Mines d'Or" → "mines_d_or"."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return "_".join(re.findall(r"[^\W_]+", plain))


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a kit: in which file and line (0: the file as a whole), and what would be right."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file} line {self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


class KitError(Exception):
    """A kit cannot be used; `problems` lists everything found wrong with it."""

    def __init__(self, game: str, problems: Iterable[Problem]):
        self.game = game
        self.problems = tuple(problems)
        super().__init__(f"kit {game}: " + "; ".join(map(str, self.problems)))


class Frozen(dict):
    """A dict that nobody can change: a kit is shared by all campaigns of a process and stands under its hash."""

    def _refuse(self, *_args, **_kwargs):
        raise TypeError("a kit is not changed while it is used")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self):
        return self

    def __deepcopy__(self, _memo):
        return self

    def __reduce__(self):
        return Frozen, (dict(self),)


def _freeze(value: Any) -> Any:
    if isinstance(value, dict):
        return Frozen({key: _freeze(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(_freeze(item) for item in value)
    return value


# --- the kit ---


@dataclass(frozen=True)
class Option:
    """A choice that a campaign makes when it is created; `choices` is empty for type int."""

    id: str
    type: str
    default: Any
    choices: tuple
    text: str
    section: str
    minimum: int | None = None
    maximum: int | None = None
    text_fr: str = ""
    text_ru: str = ""
    subject: str = ""
    subject_fr: str = ""
    subject_ru: str = ""
    group: str = ""

    def told(self, language: str) -> str:
        """The text in a language; in English where the kit has it in no other."""
        return {"fr": self.text_fr, "ru": self.text_ru}.get(language) or self.text

    def title(self, language: str = "en") -> str:
        """What it is called in a language, else in English, else its id made readable."""
        called = {"fr": self.subject_fr, "ru": self.subject_ru}.get(language) or self.subject
        return called or self.id.replace("_", " ").capitalize()

    def word(self, value: Any) -> str:
        """A value as it is written: ``true``, ``after_combat_card``."""
        return str(value).lower() if isinstance(value, bool) else str(value)

    def meaning(self, value: Any, language: str = "en") -> str:
        """What a value means, out of the option's text, where that says it behind the value: ``true: …; false: …``.

        "" where it does not.
        """
        names = "|".join(re.escape(self.word(one)) for one in self.choices)
        found = re.search(
            rf"(?<![\w-]){re.escape(self.word(value))}\s?:\s*(?P<said>.*?)(?=[;.]\s*(?:{names})\b|\.(?:\s|$)|$)",
            self.told(language),
        )
        return found["said"].strip(" ;.\u202f\u00a0") if found else ""

    def check(self, value: Any) -> Any:
        """Returns the value if the option can have it; raises ValueError that says which values it can have."""
        if self.type == "int":
            whole = isinstance(value, int) and not isinstance(value, bool)
            if not whole or (self.minimum is not None and value < self.minimum) or (
                self.maximum is not None and value > self.maximum
            ):
                raise ValueError(f"option {self.id} is a whole number from {self.minimum} to {self.maximum}")
        elif value not in self.choices or isinstance(value, bool) != (self.type == "bool"):
            raise ValueError(f"option {self.id} is one of {', '.join(json.dumps(c) for c in self.choices)}")
        return value


@dataclass(frozen=True)
class OptionGroup:
    """Options that are shown together; `folded`: only to whom asks for them. Its names by language may be missing."""

    id: str
    options: tuple[Option, ...]
    folded: bool
    names: Frozen

    def title(self, language: str = "en") -> str:
        """The name of the group in a language, else in English, else ""."""
        return self.names.get(language) or self.names.get("en", "")


def common_words(kind: str) -> frozenset[str]:
    """The words, in small letters, that mean `kind` in a line of every game; see `Kit.words`."""
    return frozenset(word.casefold() for word in _common_words().get(kind, ()))


@cache
def _common_words() -> dict[str, list[str]]:
    """Words of lines that are those of every game: kind -> words."""
    return tomllib.loads(resources.path("config/words.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, eq=False)
class Kit:
    """The data of a published game. Equal kits have equal hashes; nothing in a kit can be changed.

    `tables`: table → id of the row → row (column → value); rows and tables keep the order of the files.
    `names`: domain → normalised name → id; `labels`: domain → id → language → the name to show.
    """

    record: Frozen = field(repr=False, compare=False)
    game: str
    name: str
    version: str
    status: str
    seats: Frozen
    tables: Frozen = field(repr=False, compare=False)
    constants: Frozen = field(repr=False, compare=False)
    options: Frozen = field(repr=False, compare=False)
    rulings: Frozen = field(repr=False, compare=False)
    scenarios: Frozen = field(repr=False, compare=False)
    questions: Frozen = field(repr=False, compare=False)
    """kind of question -> what ``[questions]`` says of it"""
    names: Frozen = field(repr=False, compare=False)
    labels: Frozen = field(repr=False, compare=False)
    files: Frozen = field(repr=False, compare=False)
    dice: Frozen = field(default_factory=Frozen, repr=False, compare=False)
    """die -> its faces, in order; dice with pips need none."""
    own_words: Frozen = field(default_factory=Frozen, repr=False, compare=False)
    option_groups: Frozen = field(default_factory=Frozen, repr=False, compare=False)
    """group -> "names" by language, and "folded"; in the order in which they are shown"""
    spellings: Frozen = field(default_factory=Frozen, repr=False, compare=False)
    """word in small letters -> the verb that it is another spelling of"""
    worked_out: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What a game works out once from this kit and wants at hand; no part of the kit."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kit) and self.hash == other.hash

    def __hash__(self) -> int:
        return self._number

    @cached_property
    def _number(self) -> int:
        return int(self.hash[:15], 16)

    @cached_property
    def hash(self) -> str:
        """SHA-256, in hexadecimal, of the canonical JSON of everything in the kit."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def to_json(self) -> str:
        """The whole kit as canonical JSON (sorted keys, no blanks), from which `from_json` makes an equal kit."""
        return _canonical(self.record)

    @classmethod
    def from_json(cls, text: str) -> "Kit":
        """Makes a kit of what `to_json` wrote; the source files are not looked at. Raises KitError for another form."""
        record = json.loads(text)
        if not isinstance(record, dict) or record.get("form") != FORM:
            raise KitError("stored", [Problem("stored kit", 0, f"its form is not {FORM}")])
        return _kit_of(record)

    def display(self, domain: str, id: str, language: str = "en") -> str:
        """The name of a thing in a language, else in English, else in any; else the id itself, made readable."""
        labels = self.labels.get(domain, {}).get(id, {})
        if language in labels:
            return labels[language]
        for wanted in (language.partition("_")[0].partition("-")[0], "en"):
            if wanted in labels:
                return labels[wanted]
        return next(iter(labels.values()), id.replace("_", " ").capitalize())

    def title(self, language: str = "en") -> str:
        """The name of the game in a language."""
        return self.record["titles"].get(language, self.name)

    def find(self, domain: str, text: str) -> str | None:
        """The id that has this name (in any language, or as id), or None. Prefixes and slips are the caller's part."""
        return self.names[domain].get(normalise(text))

    def words(self, kind: str) -> frozenset[str]:
        """The words, in small letters, that mean `kind` in a line: those of every game, and those of this one."""
        key = ("words", kind)
        if key not in self.worked_out:
            self.worked_out[key] = common_words(kind) | {word.casefold() for word in self.own_words.get(kind, ())}
        return self.worked_out[key]

    @cached_property
    def times(self) -> Mapping[str, int]:
        """kind of question -> how many hours it stays open."""
        return Frozen({kind: entry["hours"] for kind, entry in self.questions.items()})

    def hours(self, kind: str) -> int:
        """How many hours a question of this kind stays open, if the campaign has not set another time."""
        return self.times.get(kind, self.times["default"])

    def settings(self, chosen: dict[str, Any]) -> dict[str, Any]:
        """All options of a campaign: those chosen, the others at their default. Raises ValueError for a wrong one."""
        for name in chosen:
            if name not in self.options:
                raise ValueError(f"there is no option {name!r}{_nearest(name, self.options)}")
        return {
            name: option.check(chosen[name]) if name in chosen else option.default
            for name, option in self.options.items()
        }

    def grouped_options(self) -> list[OptionGroup]:
        """The options in their groups, in the order of the kit; those of no group come last, folded, nameless."""
        found = [
            OptionGroup(id, tuple(o for o in self.options.values() if o.group == id), group["folded"], group["names"])
            for id, group in self.option_groups.items()
        ]
        rest = tuple(option for option in self.options.values() if not option.group)
        return [group for group in (*found, OptionGroup("", rest, True, Frozen())) if group.options]

    def rebuilt(self) -> list[tuple[str, str, str, Any]]:
        """What is not known from any source but was invented in a plausible way: (table, id, column, value).

        A row's `source` speaks for the columns that no other source column of the table speaks for; `<x>_source` for
        the column x, else for the columns x_…; kit.toml can say otherwise (`sources`). Of two source columns that
        speak for a column, the one that speaks for fewer columns decides. A source can speak for columns apart, as
        `name,kind=rules §2; vp=known; *=rebuilt`, `*` for all others. Other files: their `provenance`.
        """
        found: list[Any] = []
        for table in self.record["tables"]:
            columns = [column for column, _ in table["columns"]]
            judge = _judges(columns, table["key"], table["sources"])
            for id, row in self.tables[table["name"]].items():
                found.extend(
                    (table["name"], id, column, row[column])
                    for column in columns
                    if column in judge and "rebuilt" in _mark(row[judge[column]], column)
                    and row[column] not in ("", None, ())
                )
        for name, content in self.files.items():
            if isinstance(content, dict) and "rebuilt" in str(content.get("provenance", "")):
                found.append((name, "", "provenance", content["provenance"]))
        return found


_MARKS_APART = re.compile(r"(?:^|; )([a-z0-9_]+(?:,[a-z0-9_]+)*|\*)=(.*?)(?=; (?:[a-z0-9_]+(?:,[a-z0-9_]+)*|\*)=|$)")


def _mark(source: str, column: str) -> str:
    """What a source says of one column: of a source that speaks for columns apart its part, else all of it."""
    rest = "" if _MARKS_APART.match(source) else source
    for columns, mark in _MARKS_APART.findall(source):
        if column in columns.split(","):
            return mark
        if columns == "*":
            rest = mark
    return rest


def _judges(columns: list[str], key: Iterable[str], declared: dict) -> dict[str, str]:
    """Which source column speaks for which column."""
    sources = [c for c in columns if c == "source" or c.endswith("_source")]
    data = [c for c in columns if c not in sources and c not in key and c != "notes"]
    covers = {}
    for source in sources:
        stem = source.removesuffix("_source")
        if source in declared:
            covers[source] = list(declared[source])
        elif source == "source":
            covers[source] = data
        else:
            covers[source] = [stem] if stem in data else [c for c in data if c.startswith(stem + "_")]
    judge = {}
    for source in sorted(sources, key=lambda s: -len(covers[s])):
        judge.update(dict.fromkeys(covers[source], source))
    return judge


def _kit_of(record: dict) -> Kit:
    """The kit that a checked record describes."""
    tables = {}
    for table in record["tables"]:
        columns = [column for column, _ in table["columns"]]
        rows = (dict(zip(columns, values, strict=True)) for values in table["rows"])
        tables[table["name"]] = {_row_id(row, table["key"]): row for row in rows}
    names: dict[str, dict] = {}
    labels: dict[str, dict] = {}
    shared: set[tuple[str, str]] = set()
    for domain, id, language, name in record["names"]:
        word = normalise(name)
        if names.setdefault(domain, {}).setdefault(word, id) != id:
            shared.add((domain, word))
        labels.setdefault(domain, {}).setdefault(id, {}).setdefault(language, name)
    for domain, word in shared:
        del names[domain][word]
    for domain, ids in labels.items():
        for id in ids:
            names[domain].setdefault(normalise(id), id)
    options = {o["id"]: Option(**{**o, "choices": tuple(o["choices"])}) for o in record["options"]}
    return Kit(
        record=_freeze(record),
        game=record["game"],
        name=record["titles"]["en"],
        version=record["version"],
        status=record["status"],
        seats=_freeze(record["seats"]),
        tables=_freeze(tables),
        constants=_freeze(record["constants"]),
        options=_freeze(options),
        rulings=_freeze(record["rulings"]),
        scenarios=_freeze({scenario["id"]: scenario for scenario in record["scenarios"]}),
        questions=_freeze(_questions(record)),
        names=_freeze(names),
        labels=_freeze(labels),
        files=_freeze(record["files"]),
        dice=_freeze(record.get("dice", {})),
        own_words=_freeze(record.get("words", {})),
        option_groups=_freeze({group["id"]: group for group in record.get("option_groups", ())}),
        spellings=_freeze(record.get("spellings", {})),
    )


def _questions(record: dict) -> dict[str, dict]:
    """kind of question -> what a kit says of it. One that was stored before the kinds were declared in one place holds
    hours by kind, and what is of one's own turn in ``standing.json``."""
    if "questions" in record:
        return {entry["id"]: {name: value for name, value in entry.items() if name != "id"}
                for entry in record["questions"]}  # fmt: skip
    told = record["files"].get("standing", {})
    program, turns = told.get("program", ()), told.get("turns", {})
    kinds: dict[str, dict] = {kind: {"hours": hours} for kind, hours in record["times"].items()}
    for kind in (*program, *turns, *told.get("ahead", ())):
        kinds.setdefault(kind, {"hours": record["times"]["default"]})
    for kind in program:
        kinds[kind] = {**kinds.pop(kind), "own_turn": True}  # in the order of the program
    for kind, turn in turns.items():
        kinds[kind] |= {"opens": turn["orders"], **({"comes": turn["comes"]} if turn.get("comes") else {})}
    for kind in told.get("ahead", ()):
        kinds[kind]["ahead"] = True
    if told.get("begins") and program:
        kinds[program[0]]["begins"] = told["begins"]
    return kinds


def _canonical(record: dict) -> str:
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _row_id(row: dict, key: Iterable[str]) -> str:
    return ":".join(str(row[column]) for column in key)


# --- schemas ---


class _Text(fields.Field):
    """A cell of text."""

    def __init__(self, *, empty: bool = False, **kwargs):
        self.empty = empty
        super().__init__(required=True, **kwargs)

    def _deserialize(self, value, attr, data, **kwargs):
        if value != value.strip():
            raise ValidationError(f"{value!r} has blanks around it")
        if not value:
            if not self.empty:
                raise ValidationError("it is empty and must not be")
            return self.nothing()
        return self.read(value)

    def nothing(self) -> Any:
        return ""

    def read(self, value: str) -> Any:
        return value


class _Int(_Text):
    def nothing(self):
        return None

    def read(self, value):
        if not re.fullmatch(r"-?\d{1,9}", value, re.ASCII):
            raise ValidationError(f"{value!r} is not a whole number")
        return int(value)


class _Number(_Int):
    """A number with decimals: for geometry only, the rules know no such thing."""

    def read(self, value):
        if not re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", value, re.ASCII):
            raise ValidationError(f"{value!r} is not a number")
        return float(value) if "." in value else int(value)


class _Bool(_Text):
    def nothing(self):
        return None

    def read(self, value):
        if value not in ("yes", "no"):
            raise ValidationError(f"{value!r} is not yes or no")
        return value == "yes"


class _List(_Text):
    def __init__(self, **kwargs):
        super().__init__(**{**kwargs, "empty": True})

    def nothing(self):
        return []

    def read(self, value):
        items = value.split(";")
        if any(not item or item != item.strip() for item in items):
            raise ValidationError(f"{value!r} has an empty item or blanks; items are joined by ';' alone")
        if len(set(items)) < len(items):
            raise ValidationError(f"{value!r} names an item twice")
        return items


TYPES = {"text": _Text, "int": _Int, "number": _Number, "bool": _Bool, "list": _List}


def _column_field(kind: str) -> fields.Field:
    return TYPES[kind.removesuffix("?")](empty=kind.endswith("?"))


class _OneOrMore(fields.Field):
    """A text, or a list of texts; always gives a list."""

    def _deserialize(self, value, attr, data, **kwargs):
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not items or not all(isinstance(item, str) and item for item in items):
            raise ValidationError("must be a name or a list of names")
        return items


class _Constant(fields.Field):
    """Whole numbers, texts and truth values, and lists or tables of them."""

    def _deserialize(self, value, attr, data, **kwargs):
        self._check(value)
        return value

    def _check(self, value):
        if isinstance(value, dict | list):
            for item in value.values() if isinstance(value, dict) else value:
                self._check(item)
        elif not isinstance(value, int | str):
            raise ValidationError(f"{value!r} is not a whole number, text or truth value")


class _Strict(Schema):
    class Meta:
        unknown = RAISE


class _Seats(_Strict):
    minimum = fields.Integer(required=True, strict=True, validate=validate.Range(1))
    maximum = fields.Integer(required=True, strict=True, validate=validate.Range(1))
    table = fields.String(required=True)


class _Table(_Strict):
    file = fields.String(required=True, validate=validate.Regexp(r"^[a-z0-9_]+\.csv$", error="is not like units.csv"))
    key = _OneOrMore(required=True)
    columns = fields.Dict(
        required=True,
        keys=fields.String(),
        values=fields.String(
            validate=validate.Regexp(
                rf"^({'|'.join(TYPES)})\??$", error=f"is not one of {', '.join(TYPES)}, with or without a final ?"
            )
        ),
    )
    references = fields.Dict(keys=fields.String(), values=_OneOrMore(), load_default=dict)
    choices = fields.Dict(keys=fields.String(), values=_OneOrMore(), load_default=dict)
    sources = fields.Dict(keys=fields.String(), values=_OneOrMore(), load_default=dict)


class _Domain(_Strict):
    table = fields.String(required=True)
    columns = fields.Dict(keys=fields.String(), values=fields.String(), load_default=dict)
    shared = fields.Boolean(load_default=False)


class _Option(_Strict):
    type = fields.String(required=True, validate=validate.OneOf(["choice", "bool", "int"]))
    default = _Constant(required=True)
    choices = fields.List(fields.String(), load_default=list)
    minimum = fields.Integer(strict=True, load_default=None)
    maximum = fields.Integer(strict=True, load_default=None)
    text = fields.String(required=True, validate=validate.Length(1))
    text_fr = fields.String(validate=validate.Length(1))
    text_ru = fields.String(validate=validate.Length(1))
    section = fields.String(required=True, validate=validate.Length(1))
    subject = fields.String(validate=validate.Length(1))
    subject_fr = fields.String(validate=validate.Length(1))
    subject_ru = fields.String(validate=validate.Length(1))
    group = fields.String(validate=validate.Length(1))


class _OptionGroup(_Strict):
    name = fields.String(required=True, validate=validate.Length(1))
    name_fr = fields.String(validate=validate.Length(1))
    name_ru = fields.String(validate=validate.Length(1))
    folded = fields.Boolean(load_default=False)


class _Ruling(_Strict):
    text = fields.String(required=True, validate=validate.Length(1))
    section = fields.String(required=True, validate=validate.Length(1))


class _Scenario(Schema):
    class Meta:
        unknown = INCLUDE

    name = fields.String(required=True)
    text = fields.String(required=True)


class _Question(_Strict):
    hours = fields.Integer(strict=True, validate=validate.Range(1), required=True)
    own_turn = fields.Boolean()
    ahead = fields.Boolean()
    opens = fields.List(fields.String(), validate=validate.Length(1))
    comes = fields.String()
    begins = fields.String()


class _KitFile(_Strict):
    id = fields.String(required=True)
    name = fields.String(required=True)
    titles = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    version = fields.String(required=True)
    status = fields.String(load_default="complete", validate=validate.OneOf(["complete", "in preparation"]))
    files = fields.List(
        fields.String(validate=validate.Regexp(r"^[a-z0-9_]+\.json$", error="is not like map_layout.json")),
        load_default=list,
    )
    seats = fields.Nested(_Seats, required=True)
    tables = fields.Dict(keys=fields.String(), values=fields.Nested(_Table), required=True)
    domains = fields.Dict(keys=fields.String(), values=fields.Nested(_Domain), load_default=dict)
    options = fields.Dict(keys=fields.String(), values=fields.Nested(_Option), load_default=dict)
    option_groups = fields.Dict(keys=fields.String(), values=fields.Nested(_OptionGroup), load_default=dict)
    rulings = fields.Dict(keys=fields.String(), values=fields.Nested(_Ruling), load_default=dict)
    scenarios = fields.Dict(
        keys=fields.String(), values=fields.Nested(_Scenario), required=True, validate=validate.Length(1)
    )
    questions = fields.Dict(keys=fields.String(), values=fields.Nested(_Question), required=True)
    constants = fields.Dict(keys=fields.String(), values=_Constant(), load_default=dict)
    dice = fields.Dict(
        keys=fields.String(),
        values=fields.List(
            fields.String(validate=validate.Regexp(r".*[^\d\s]", error="is a number: a die of numbers needs no faces")),
            validate=validate.Length(2),
        ),
        load_default=dict,
    )
    words = fields.Dict(keys=fields.String(), values=_OneOrMore(), load_default=dict)
    spellings = fields.Dict(keys=fields.String(), values=fields.String(), load_default=dict)


NAMES_FILE = "names.csv"
NAMES_COLUMNS = {"domain": "text", "id": "text", "language": "text", "name": "text"}


# --- reading ---


def load_kit(game: str) -> Kit:
    """Reads and checks the kit of a game.

    Raises KitError with every problem found: unknown or missing columns, values of a wrong type, ids or names used
    twice, references that lead nowhere, options whose default is none of their choices.
    """
    if game not in resources.kits():
        raise KitError(game, [Problem("kit.toml", 0, f"there is no kit {game!r}{_nearest(game, resources.kits())}")])
    reader = _Reader(game, resources.path(f"config/games/{game}"))
    record = reader.read()
    if reader.problems or record is None:
        raise KitError(game, reader.problems)
    return Kit.from_json(_canonical(record))  # so in every order just what the store will give back


class _Reader:
    """Reads the folder of one kit and collects what is wrong with it."""

    def __init__(self, game: str, folder: Path):
        self.game = game
        self.folder = folder
        self.problems: list[Problem] = []
        self.toml = ""
        self.rows: dict[str, dict[str, dict]] = {}
        self.lines: dict[str, dict[str, int]] = {}
        self.files: dict[str, str] = {}

    def wrong(self, file: str, line: int, message: str) -> None:
        self.problems.append(Problem(file, line, message))

    def wrong_toml(self, path: Iterable, message: str) -> None:
        path = [str(step) for step in path]
        self.wrong("kit.toml", _toml_line(self.toml, path), f"{'.'.join(path)}: {message}")

    def text_of(self, file: str) -> str | None:
        """The text of a file; a problem is noted if it is missing or not UTF-8."""
        try:
            return (self.folder / file).read_text(encoding="utf-8")
        except FileNotFoundError:
            self.wrong(file, 0, f"the file is missing in {self.folder}")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            self.wrong(file, line, f"byte {error.object[error.start]:#04x} is not UTF-8; save the file as UTF-8")
        return None

    def read(self) -> dict | None:
        text = self.text_of("kit.toml")
        if text is None:
            return None
        self.toml = text
        try:
            content = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            place = re.search(r"\(at line (\d+)", str(error))
            self.wrong("kit.toml", int(place[1]) if place else 0, str(error))
            return None
        titles = {key[5:]: content.pop(key) for key in list(content) if key.startswith("name_")}
        content["titles"] = {"en": content.get("name", ""), **titles}
        try:
            kit = _KitFile().load(content)
        except ValidationError as error:
            for path, message in _flat(error.normalized_messages()):
                self.wrong_toml(path, message)
            return None
        self.check_declarations(kit)
        if self.problems:
            return None
        self.files = {name: table["file"] for name, table in kit["tables"].items()}
        for name, table in kit["tables"].items():
            self.read_table(name, table)
        self.check_references(kit["tables"])
        names = self.read_names(kit["domains"])
        files = {Path(file).stem: self.read_json(file) for file in kit["files"]}
        for key in ("program", "turns", "ahead", "begins"):
            if isinstance(told := files.get("standing"), dict) and key in told:
                self.wrong("standing.json", 0, f"“{key}” stands in [questions] of kit.toml")
        self.check_strays(kit)
        return {
            "form": FORM,
            "game": kit["id"],
            "titles": kit["titles"],
            "version": kit["version"],
            "status": kit["status"],
            "seats": kit["seats"],
            "tables": [
                {
                    "name": name,
                    "key": table["key"],
                    "columns": [[column, kind] for column, kind in table["columns"].items()],
                    "sources": table["sources"],
                    "rows": [[row[column] for column in table["columns"]] for row in self.rows[name].values()],
                }
                for name, table in kit["tables"].items()
            ],
            "constants": kit["constants"],
            "options": [{"id": id, **option} for id, option in kit["options"].items()],
            "rulings": kit["rulings"],
            "scenarios": [{"id": id, **scenario} for id, scenario in kit["scenarios"].items()],
            "questions": [{"id": kind, **entry} for kind, entry in kit["questions"].items()],
            "names": names,
            "files": files,
            # A kit without these is the same, under the same hash, as before there were any.
            **{part: kit[part] for part in ("dice", "words", "spellings") if kit[part]},
            **({"option_groups": _groups_of(kit)} if kit["option_groups"] else {}),
        }

    def check_declarations(self, kit: dict) -> None:
        """What kit.toml says of itself must fit together."""
        if kit["id"] != self.game:
            self.wrong_toml(["id"], f"{kit['id']!r} is not the name of the folder, {self.game!r}")
        if kit["seats"]["minimum"] > kit["seats"]["maximum"]:
            self.wrong_toml(["seats", "minimum"], "is more than the maximum")
        if kit["seats"]["table"] not in kit["tables"]:
            self.wrong_toml(["seats", "table"], f"there is no table {kit['seats']['table']!r}")
        if "default" not in kit["questions"]:
            self.wrong_toml(["questions"], "needs a 'default', for kinds of question that it does not name")
        for name, table in kit["tables"].items():
            at = ["tables", name]
            used = [("key", column) for column in table["key"]]
            used += [(part, column) for part in ("references", "choices", "sources") for column in table[part]]
            used += [("sources", column) for columns in table["sources"].values() for column in columns]
            for part, column in used:
                if column not in table["columns"]:
                    self.wrong_toml([*at, part], f"{column!r} is no column{_nearest(column, table['columns'])}")
            for column, targets in table["references"].items():
                for target in targets:
                    if target not in kit["tables"]:
                        near = _nearest(target, kit["tables"])
                        self.wrong_toml([*at, "references"], f"{column}: there is no table {target!r}{near}")
        for name, domain in kit["domains"].items():
            at = ["domains", name]
            if domain["table"] not in kit["tables"]:
                near = _nearest(domain["table"], kit["tables"])
                self.wrong_toml([*at, "table"], f"there is no table {domain['table']!r}{near}")
                continue
            columns = kit["tables"][domain["table"]]["columns"]
            for column in domain["columns"].values():
                if column not in columns:
                    self.wrong_toml([*at, "columns"], f"{column!r} is no column{_nearest(column, columns)}")
        for name, option in kit["options"].items():
            if option.get("group", "") not in ("", *kit["option_groups"]):
                near = _nearest(option["group"], kit["option_groups"])
                self.wrong_toml(["options", name, "group"], f"there is no group {option['group']!r}{near}")
            if option["type"] == "bool":
                option["choices"] = [False, True]
            elif option["type"] == "choice" and len(option["choices"]) < 2:
                self.wrong_toml(["options", name], "a choice needs two choices or more")
            try:
                Option(name, **{**option, "choices": tuple(option["choices"])}).check(option["default"])
            except ValueError as error:
                self.wrong_toml(["options", name, "default"], str(error))
            texts = {key: text for key, text in option.items() if key in ("text", "text_fr", "text_ru")}
            for key, text in texts.items():
                for choice in option["choices"]:
                    if option["type"] == "choice" and choice not in text:
                        self.wrong_toml(["options", name, key], f"does not say what {choice!r} means")

    def cells_of(self, file: str, columns: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
        """The rows of a CSV file with the line each starts in; columns must be the declared ones, in any order."""
        text = self.text_of(file)
        if text is None:
            return
        columns = list(columns)
        reader = csv.reader(text.removeprefix("\ufeff").splitlines(keepends=True), strict=True)
        try:
            header = next(reader, [])
            for column in header:
                if column not in columns:
                    near = _nearest(column, columns)
                    self.wrong(file, 1, f"column {column!r} is not declared in kit.toml{near}")
                elif header.count(column) > 1:
                    self.wrong(file, 1, f"column {column!r} is there twice")
            for column in columns:
                if column not in header:
                    self.wrong(file, 1, f"column {column!r} is missing; kit.toml declares {', '.join(columns)}")
            if sorted(header) != sorted(columns):
                return
            line = reader.line_num + 1
            for cells in reader:
                if len(cells) != len(header):
                    self.wrong(file, line, f"has {len(cells)} cells, must have {len(header)}: {', '.join(header)}")
                else:
                    yield line, dict(zip(header, cells, strict=True))
                line = reader.line_num + 1
        except csv.Error as error:
            self.wrong(file, reader.line_num, f"is not CSV: {error}")

    def read_table(self, name: str, table: dict) -> None:
        """Reads one table into `rows` and `lines`."""
        file, columns = table["file"], table["columns"]
        schema = Schema.from_dict({column: _column_field(kind) for column, kind in columns.items()})(unknown=RAISE)
        rows, lines = self.rows.setdefault(name, {}), self.lines.setdefault(name, {})
        for line, cells in self.cells_of(file, columns):
            try:
                row = schema.load(cells)
            except ValidationError as error:
                for path, message in _flat(error.normalized_messages()):
                    self.wrong(file, line, f"column {path[0]}: {message}")
                continue
            for column, allowed in table["choices"].items():
                for value in _values(row[column]):
                    if value not in allowed:
                        self.wrong(file, line, f"column {column}: {value!r} is not one of {', '.join(allowed)}")
            id = _row_id(row, table["key"])
            if id in rows:
                self.wrong(file, line, f"{'+'.join(table['key'])} {id!r} is there already, in line {lines[id]}")
                continue
            rows[id], lines[id] = row, line

    def check_references(self, tables: dict) -> None:
        """Every value of a column that refers to other tables must be the id of a row there."""
        for name, table in tables.items():
            for column, targets in table["references"].items():
                known = [id for target in targets for id in self.rows[target]]
                where = " or ".join(tables[target]["file"] for target in targets)
                for id, row in self.rows[name].items():
                    for value in _values(row[column]):
                        if str(value) not in known:
                            message = f"column {column}: {value!r} is not in {where}{_nearest(str(value), known)}"
                            self.wrong(table["file"], self.lines[name][id], message)

    def read_names(self, domains: dict) -> list[list[str]]:
        """The vocabularies: [domain, id, language, name], the name to show before the others."""
        found: list[list[str]] = []
        taken: dict[tuple[str, str], str] = {}

        def add(domain: str, id: str, language: str, name: str, file: str, line: int) -> None:
            word = normalise(name)
            other = taken.setdefault((domain, word), id)
            if not word:
                self.wrong(file, line, f"name {name!r} has neither letter nor figure")
            elif other != id and not domains[domain]["shared"]:
                self.wrong(file, line, f"{domain} name {name!r} means {other!r} already, it cannot mean {id!r}")
            else:
                found.append([domain, id, language, name])

        for domain, declared in domains.items():
            for id in self.rows[declared["table"]]:
                taken[domain, normalise(id)] = id
        for domain, declared in domains.items():
            table = declared["table"]
            for id, row in self.rows[table].items():
                for language, column in declared["columns"].items():
                    if row[column]:
                        add(domain, id, language, row[column], self.files[table], self.lines[table][id])
        if domains and (self.folder / NAMES_FILE).exists():
            for line, cells in self.cells_of(NAMES_FILE, NAMES_COLUMNS):
                domain, id = cells["domain"], cells["id"]
                empty = [column for column in NAMES_COLUMNS if not cells[column].strip()]
                if empty:
                    self.wrong(NAMES_FILE, line, f"column {empty[0]}: it is empty and must not be")
                elif domain not in domains:
                    self.wrong(NAMES_FILE, line, f"there is no domain {domain!r}{_nearest(domain, domains)}")
                elif id not in (rows := self.rows[domains[domain]["table"]]):
                    self.wrong(NAMES_FILE, line, f"{id!r} is no {domain}{_nearest(id, rows)}")
                elif not re.fullmatch(r"[a-z]{2}", cells["language"]):
                    self.wrong(NAMES_FILE, line, f"language {cells['language']!r} is not like en, fr or ru")
                else:
                    add(domain, id, cells["language"], cells["name"], NAMES_FILE, line)
        return found

    def read_json(self, file: str) -> Any:
        text = self.text_of(file)
        if text is None:
            return None
        try:
            return json.loads(text, parse_constant=self._no_constant)
        except json.JSONDecodeError as error:
            self.wrong(file, error.lineno, error.msg)
        except ValueError as error:
            self.wrong(file, 0, str(error))
        return None

    @staticmethod
    def _no_constant(name: str):
        raise ValueError(f"{name} is not JSON")

    def check_strays(self, kit: dict) -> None:
        """A data file that kit.toml does not name would be thought to count, and does not."""
        named = {table["file"] for table in kit["tables"].values()} | set(kit["files"])
        if kit["domains"]:
            named.add(NAMES_FILE)
        for stray in sorted(self.folder.iterdir()):
            if stray.suffix in (".csv", ".json") and stray.name not in named:
                self.wrong(stray.name, 0, f"kit.toml does not name this file{_nearest(stray.name, named)}")


def _groups_of(kit: dict) -> list[dict]:
    """The groups of options as the record holds them, in order."""
    return [
        {"id": id, "folded": group["folded"], "names": {
            language: group[key]
            for language, key in (("en", "name"), ("fr", "name_fr"), ("ru", "name_ru")) if key in group
        }}
        for id, group in kit["option_groups"].items()
    ]


def _values(value: Any) -> list:
    """The values in a cell: none, one, or those of a list."""
    if value in ("", None):
        return []
    return value if isinstance(value, list) else [value]


def _nearest(word: str, known: Iterable[str]) -> str:
    """A hint at what was meant, to be put behind a message."""
    known = [str(name) for name in known]
    near = difflib.get_close_matches(word, known, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; there are {', '.join(known)}" if 0 < len(known) <= 12 else ""


def _flat(messages: Any, path: tuple = ()) -> Iterator[tuple[tuple, str]]:
    """Marshmallow's nested messages as (path, message); the steps 'value' and 'key' that it adds in dicts are cut."""
    if isinstance(messages, dict):
        for step, inner in messages.items():
            yield from _flat(inner, path if step in ("value", "key") and path else (*path, step))
    else:
        for message in messages if isinstance(messages, list) else [messages]:
            yield path or ("kit",), str(message)


def _toml_line(text: str, path: list[str]) -> int:
    """The line of a TOML file that says most about a path of keys: its own line, or that of the table it belongs to."""
    best, best_length, table = 0, 0, []
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[([^\[\]]+)\]\s*(#.*)?$", line):
            here = table = [step.strip().strip('"') for step in header[1].split(".")]
        elif key := re.match(r'\s*("[^"]*"|[\w.-]+)\s*=', line):
            here = table + key[1].strip('"').split(".")
        else:
            continue
        if len(here) > best_length and here == path[: len(here)]:
            best, best_length = number, len(here)
    return best
