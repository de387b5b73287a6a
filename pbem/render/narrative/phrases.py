"""Phrase files as they are read; their form is told in the text of the package."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any

from jinja2 import Environment, StrictUndefined, Template, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from pbem import resources
from pbem.render.language import SOURCE
from pbem.table.facts import RULING as RULING
from pbem.table.facts import Fact
from pbem.table.kit import Kit

ANY = "any"
RESTORE = "restore"
"""Why a fact is that something is set back (`pbem.table.facts.difference`)."""
SET_BACK = ("count", "counter", "units", "piece")
"""The kinds of facts of which everything that is set back is told."""
PLAIN = (
    "clause", "phrase", "picture", "phase", "condition", "preset", "kind", "hint", "option_group", "choice_set",
    "value", "throw", "throw_detail", "condition_value", "table", "column", "cell", "section",
)  # fmt: skip
"""Sections of words that are no templates."""
JOINS, COUNTED, OPENS, ALONE, WAITS, BREAK = "+", "&", "/", "*", "~", "¶"
MARKS = f"{JOINS}{COUNTED}{OPENS}{ALONE}{WAITS} "
"""Marks of phrases."""


def environment(autoescape: bool, filters: Mapping[str, Callable[..., Any]]) -> ImmutableSandboxedEnvironment:
    """The sandbox that phrases run in, for plain text or, with ``autoescape``, for HTML."""
    made = ImmutableSandboxedEnvironment(
        autoescape=autoescape, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters.update(filters)
    return made


@dataclass
class Phrase:
    """A phrase as templates for text and for HTML, and what it tells of the facts before it.

    They are made when they are first used: a game has hundreds of phrases, and a page or a mail needs a dozen. Using a
    phrase that cannot be read raises `TemplateError` or `TypeError`; `check_phrases` finds such ones beforehand.
    """

    file: str
    own: str
    macros: Mapping[str, str] = field(default_factory=dict)
    """Those of the same language, by name; a macro may use others."""
    made: dict[Environment, Template] = field(default_factory=dict)
    told: set[bool] | None = None

    @cached_property
    def source(self) -> str:
        """The phrase, behind the macros that it uses."""
        used: list[str] = []
        text = self.own
        while needed := [name for name in self.macros if name not in used and f"{name}(" in text]:
            used = [*needed, *used]
            text = "".join(self.macros[name] for name in needed) + text
        return text

    def template(self, environment: Environment) -> Template:
        """The phrase as a template that knows the filters of an environment."""
        if environment not in self.made:
            self.made[environment] = environment.from_string(self.source)
        return self.made[environment]

    def asks_for(self, environment: Environment) -> set[str]:
        """The values that it uses."""
        return set(_undeclared(environment, self.source)) - {"item", "teller"}

    def tells(self, environment: Environment) -> set[bool]:
        """Whether it tells the dice that wait (True), or what else does (False)."""
        if self.told is None:
            named = {name: dice for name, dice in (("thrown", True), ("paid", False)) if name in self.own}
            used = self.asks_for(environment) if named else set()
            self.told = {dice for name, dice in named.items() if name in used}
        return self.told


@lru_cache(maxsize=20_000)
def _undeclared(environment: Environment, source: str) -> frozenset[str]:
    """The variables that a template takes from without."""
    return frozenset(meta.find_undeclared_variables(environment.parse(source)))


@dataclass
class Sides:
    """What the sides of a die show: figures, or what the kit says; and the signs beside them, if there are any."""

    faces: list[str]
    signs: list[str]


@dataclass
class Phrases:
    """The phrases of a game in a language, by (section, key)."""

    templates: dict[tuple[str, str], Phrase] = field(default_factory=dict)
    nouns: dict[str, list[str]] = field(default_factory=dict)
    forms: dict[str, dict[str, Any]] = field(default_factory=dict)
    patterns: dict[str, str] = field(default_factory=dict)
    words: dict[str, dict[str, str]] = field(default_factory=dict)
    dice: dict[int, Sides] = field(default_factory=dict)
    usual_sides: int = 6
    of_kits: dict[tuple[Kit, str, str, str], str] = field(default_factory=dict)  # see `Teller.of_kit`

    def tells_moves(self, fact: Fact) -> bool:
        """Whether there is a phrase for all that moves with some units, rather than for them alone."""
        why = fact.get("why")
        if ("moved", str(why)) in self.templates:
            return True
        own = [("units", str(why)), ("units", f"{fact.get('kind')} {why}")]
        return ("moved", ANY) in self.templates and not any(key in self.templates for key in own)


class PhraseError(ValueError):
    """A phrase file cannot be used; says which phrase and why."""


@cache
def phrases_of(game: str, language: str) -> Phrases:
    """The phrases of a game, best last: generic before the game's, English before the player's language."""
    phrases = Phrases()
    for code in dict.fromkeys((SOURCE, language)):
        generic, own = read_file(f"config/phrases.{code}.toml"), read_file(f"config/games/{game}/phrases.{code}.toml")
        if code != SOURCE and not own and read_file(f"config/games/{game}/phrases.{SOURCE}.toml"):
            continue  # a report half in one language and half in another helps nobody
        of_family = {name: read_file(f"config/games/{name}/phrases.{code}.toml") for name in family(game)}
        shared = [(f"{name}/phrases.{code}", content) for name, content in of_family.items()]
        for name, content in ((f"phrases.{code}", generic), *shared, (f"{game}/phrases.{code}", own)):
            _add(phrases, name, content)
    return phrases


def phrases_in(game: str | None, language: str) -> Phrases:
    """The phrases of one file alone: those of a game in a language, or of the table (None)."""
    name = f"phrases.{language}" if game is None else f"{game}/phrases.{language}"
    phrases = Phrases()
    _add(phrases, name, read_file(f"config/{name}.toml" if game is None else f"config/games/{name}.toml"))
    return phrases


def family(game: str) -> list[str]:
    """The family whose phrases a game has besides its own, if it is of one."""
    name = read_file(f"config/games/{game}/phrases.{SOURCE}.toml").get("family")
    return [name] if isinstance(name, str) else []


def read_file(name: str) -> dict[str, Any]:
    """What a phrase file holds; nothing where there is none."""
    try:
        return tomllib.loads(resources.path(name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise PhraseError(f"{name}: {error}") from error


def _add(phrases: Phrases, name: str, content: Mapping[str, Any]) -> None:
    macros = content.get("macros", {})
    for section, entries in content.items():
        if section in ("macros", "family"):
            continue
        if section == "option":
            entries = {f"{option} {key}": word for option, told in entries.items() for key, word in told.items()}
        if section == "nouns":
            phrases.nouns.update(entries)
        elif section == "forms":
            phrases.patterns.update({k: v for k, v in entries.items() if isinstance(v, str)})
            phrases.forms.update({k: v for k, v in entries.items() if isinstance(v, dict)})
        elif section in (*PLAIN, "option"):
            if odd := [key for key, word in entries.items() if not isinstance(word, str)]:
                raise PhraseError(f"{name}, [{section}] {odd[0]}: that is no text")
            phrases.words.setdefault(section, {}).update(entries)
        elif section == "dice":
            phrases.usual_sides = entries.get("usual", phrases.usual_sides)
            dice = {sides: shown for sides, shown in entries.items() if sides != "usual"}
            sides_of = {sides: _sides(name, sides, shown) for sides, shown in dice.items()}
            phrases.dice.update({int(sides): shown for sides, shown in sides_of.items()})
        else:
            for key, source in entries.items():
                phrases.templates[section, key] = Phrase(name, source, macros)


def _sides(name: str, sides: str, shown: Any) -> Sides:
    if sides.isdecimal() and isinstance(shown, Mapping):
        number = int(sides)
        read = Sides(list(shown.get("faces") or map(str, range(1, number + 1))), list(shown.get("signs", ())))
        if len(read.faces) == number and len(read.signs) in (0, number):
            return read
    raise PhraseError(f"{name}, [dice] {sides}: by its number of sides, {{faces = …}} or {{signs = …}}, one a side")
