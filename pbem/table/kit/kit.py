"""A kit as the rules have it: tables, options, names and words of a published game; unchangeable, with a hash."""

import difflib
import hashlib
import json
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property, lru_cache
from typing import Any

from pbem import resources

FORM = 1  # of the JSON that `Kit.to_json` writes; a kit of a running campaign lives for years in the store


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


def freeze(value: Any) -> Any:
    """The value with dictionaries and lists that cannot be changed."""
    if isinstance(value, dict):
        return Frozen({key: freeze(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(freeze(item) for item in value)
    return value


@dataclass(frozen=True)
class Option:
    """A choice that a campaign makes when it is created; `choices` is empty for type int.

    What it is called, and what its values mean, is told by phrases (`pbem.render.narrative.Teller.option`).
    """

    id: str
    type: str
    default: Any
    choices: tuple
    section: str
    minimum: int | None = None
    maximum: int | None = None
    group: str = ""

    def word(self, value: Any) -> str:
        """A value as it is written: ``true``, ``after_combat_card``."""
        return str(value).lower() if isinstance(value, bool) else str(value)

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
    """Options that are shown together; `folded`: only to whom asks for them. The id "" is of those that are in none."""

    id: str
    options: tuple[Option, ...]
    folded: bool


def nearest_name(word: str, known: Iterable[str]) -> str:
    """A hint at what was meant, to be put behind a message."""
    known = [str(name) for name in known]
    near = difflib.get_close_matches(word, known, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; there are {', '.join(known)}" if 0 < len(known) <= 12 else ""


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
    """group -> "folded"; in the order in which they are shown"""
    choice_sets: Frozen = field(default_factory=Frozen, repr=False, compare=False)
    """set -> "options" that differ from their defaults, and "pace" where it has one"""
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
        return hashlib.sha256(self._json.encode()).hexdigest()

    @cached_property
    def _json(self) -> str:
        return canonical(self.record)

    def with_names(self, names: Frozen) -> "Kit":
        """The same kit, in whose lines things are called by other names: domain -> normalised name -> id."""
        made = replace(self, names=names)
        vars(made)["hash"] = self.hash  # that of the record, which is the same
        return made

    def to_json(self) -> str:
        """The whole kit as canonical JSON (sorted keys, no blanks), from which `from_json` makes an equal kit."""
        return self._json

    @staticmethod
    @lru_cache(maxsize=16)
    def from_json(text: str) -> "Kit":
        """Makes a kit of what `to_json` wrote; the source files are not looked at. Raises KitError for another form.

        The same text gives the same kit, which nobody can change, with all that was worked out from it.
        """
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

    def scenario(self, id: str, language: str = "en") -> str:
        """The name of a scenario in a language, else in English, else its id."""
        about = self.scenarios.get(id, {})
        return str(about.get(f"name_{language}") or about.get("name") or id)

    def scenario_text(self, id: str, language: str = "en") -> str:
        """What a scenario is, in a language, else in English; nothing where the kit does not say."""
        about = self.scenarios.get(id, {})
        return str(about.get(f"text_{language}") or about.get("text") or "")

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
    def domain_of_powers(self) -> str | None:
        """The vocabulary in which the powers are, so that Austria the power is not mistaken for a region of that name.
        """
        powers = set(self.tables[self.seats["table"]])
        return next((domain for domain, ids in self.labels.items() if powers <= set(ids)), None)

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
                raise ValueError(f"there is no option {name!r}{nearest_name(name, self.options)}")
        return {
            name: option.check(chosen[name]) if name in chosen else option.default
            for name, option in self.options.items()
        }

    def grouped_options(self) -> list[OptionGroup]:
        """The options in their groups, in the order of the kit; those of no group come last, folded, nameless."""
        groups = [
            OptionGroup(id, tuple(o for o in self.options.values() if o.group == id), group["folded"])
            for id, group in self.option_groups.items()
        ]
        rest = tuple(option for option in self.options.values() if not option.group)
        return [group for group in (*groups, OptionGroup("", rest, True)) if group.options]

    def rebuilt(self) -> list[tuple[str, str, str, Any]]:
        """What is not known from any source but was invented in a plausible way: (table, id, column, value).

        A row's `source` speaks for the columns that no other source column of the table speaks for; `<x>_source` for
        the column x, else for the columns x_…; kit.toml can say otherwise (`sources`). Of two source columns that
        speak for a column, the one that speaks for fewer columns decides. A source can speak for columns apart, as
        `name,kind=rules §2; vp=known; *=rebuilt`, `*` for all others. Other files: their `provenance`.
        """
        rebuilt: list[Any] = []
        for table in self.record["tables"]:
            columns = [column for column, _ in table["columns"]]
            judge = _judges(columns, table["key"], table["sources"])
            for id, row in self.tables[table["name"]].items():
                rebuilt.extend(
                    (table["name"], id, column, row[column])
                    for column in columns
                    if column in judge and "rebuilt" in _mark(row[judge[column]], column)
                    and row[column] not in ("", None, ())
                )
        for name, content in self.files.items():
            if isinstance(content, dict) and "rebuilt" in str(content.get("provenance", "")):
                rebuilt.append((name, "", "provenance", content["provenance"]))
        return rebuilt

    def is_rebuilt(self, table: str, id: str, column: str) -> bool:
        """Whether a value is among those of `rebuilt`."""
        if "rebuilt" not in self.worked_out:
            self.worked_out["rebuilt"] = {found[:3] for found in self.rebuilt()}
        return (table, id, column) in self.worked_out["rebuilt"]


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
        tables[table["name"]] = {row_id(row, table["key"]): row for row in rows}
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
    return Kit(
        record=freeze(record),
        game=record["game"],
        name=record["titles"]["en"],
        version=record["version"],
        status=record["status"],
        seats=freeze(record["seats"]),
        tables=freeze(tables),
        constants=freeze(record["constants"]),
        options=freeze({entry["id"]: _option(entry) for entry in record["options"]}),
        rulings=freeze(record["rulings"]),
        scenarios=freeze({scenario["id"]: scenario for scenario in record["scenarios"]}),
        questions=freeze(_questions(record)),
        names=freeze(names),
        labels=freeze(labels),
        files=freeze(record["files"]),
        dice=freeze(record.get("dice", {})),
        own_words=freeze(record.get("words", {})),
        option_groups=freeze({group["id"]: group for group in record.get("option_groups", ())}),
        choice_sets=freeze({entry["id"]: entry for entry in record.get("choice_sets", ())}),
        spellings=freeze(record.get("spellings", {})),
    )


def _option(entry: dict) -> Option:
    """An option of a record. One that was stored before phrases told what options mean holds texts besides, which are
    left out."""
    known = {field.name for field in fields(Option)}
    kept = {name: value for name, value in entry.items() if name in known}
    return Option(**{**kept, "choices": tuple(entry["choices"])})


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


def canonical(record: dict) -> str:
    """A record as JSON that is the same for equal records: sorted keys, no blanks."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def row_id(row: dict, key: Iterable[str]) -> str:
    """By what a row is known in its table: the values of its key."""
    return ":".join(str(row[column]) for column in key)
