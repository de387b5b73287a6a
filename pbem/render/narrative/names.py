"""Names of things, and words for what is no sentence: the kit's and the phrase files', as they stand in sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, tzinfo
from functools import cache
from typing import Any

from pbem.render.language import SOURCE, Language, find_language
from pbem.render.narrative.phrases import phrases_of
from pbem.table.kit import Kit, Option

VOWELS = "aeiouy"

_PLACE = r",?\s*(\(%s(, %s)*\)|%s)"
"""A place in a form for a part of an id."""

_NAMED = re.compile(r"\b(\d+) (?:([a-z][a-z0-9_]+) )?([a-z][a-z0-9_]+)\b|\b[a-z][a-z0-9_]+\b")
"""An id in a line; or so many of a kind of thing, with their owner if need be (``2 venice regular``)."""


class Names:
    """Names things of one game in one language. `powers_names` (power -> words) replaces or adds to names of powers;
    `zone` is by whose clock moments are told."""

    def __init__(
        self, kit: Kit, language: str = SOURCE, powers_names: Mapping[str, str] | None = None, zone: tzinfo = UTC
    ):
        self.kit = kit
        self.language: Language = find_language(language)
        self.zone = zone
        self.powers_names = dict(powers_names or {})
        self.phrases = phrases_of(kit.game, self.language.code)

    @property
    def code(self) -> str:
        """The language."""
        return self.language.code

    def words(self, section: str) -> Mapping[str, str]:
        """The words of a section as they stand in the phrase files, by key: for what is no sentence."""
        return self.phrases.words.get(section, {})

    def plain(self, value: Any) -> str:
        """Any value of a fact for people to read."""
        if value is None:
            return "–"
        if isinstance(value, bool):
            return self.language.text("yes") if value else self.language.text("no")
        if isinstance(value, str):
            return self.name(value)
        if isinstance(value, Mapping):
            return ", ".join(
                self.language.text("%(name)s: %(value)s", name=self.name(str(key)), value=self.plain(item))
                for key, item in value.items()
            )
        if isinstance(value, list | tuple):
            return self.language.listed([self._pair(item) for item in value])
        return str(value)

    def _pair(self, item: Any) -> str:
        """One of a list; a pair in it by a dash, so that it does not run into the next."""
        return " – ".join(map(self.plain, item)) if isinstance(item, list | tuple) else self.plain(item)

    def name(self, id: str, domain: str | None = None) -> str:
        """The name of a thing of the kit; an id of no vocabulary is made readable."""
        return self.form(id, "name", domain)

    def power(self, id: str | None) -> str:
        """The name of a power, or what stands for nobody."""
        if id is None:
            return self.language.text("nobody")
        return self.form(id, "name", self.kit.domain_of_powers)

    def form(self, id: str, form: str, domain: str | None = None) -> str:
        """A thing's name as it stands in a sentence: "the United Provinces", "de la France".

        Of an id such as ``home:france`` or ``tile:militia:2`` the first word is looked up as a form with places for
        those after it ("the home of %s"), else the second is named; of ``vienna/inside`` the last word.
        """
        if id in self.powers_names:
            return self.powers_names[id]
        if domain is not None and id in self.kit.labels.get(domain, {}):
            return self.kit.display(domain, id, self.language.code)
        forms = self.phrases.forms.get(id, {})
        if form in forms:  # of an id alone, what has a place for another has none
            return re.sub(_PLACE, "", forms[form]).strip()
        place, slash, where = id.partition("/")
        if slash and where:
            id = f"{where}:{place}"
        kind, colon, rest = id.partition(":")
        if colon and rest:
            thing = rest.partition(":")[0]
            own = self.phrases.forms.get(kind, {})
            pattern = own.get(form)
            if pattern and "%s" not in pattern and not thing.isdigit():
                pattern = None  # the name of something else than a place
            return self._filled(pattern, rest, own) if pattern else self.form(thing, form, domain)
        if form != "name":
            return self._pattern(form, self.form(id, "name", domain))
        for known in self.kit.labels:
            if id in self.kit.labels.get(known, {}):
                return self.kit.display(known, id, self.language.code)
        return id.replace("_", " ") if re.fullmatch(r"[a-z0-9_]+", id) else id

    def _filled(self, pattern: str, rest: str, own: Mapping[str, str]) -> str:
        """A form with the names of the parts of an id at its places, one after the other; a place without one falls.
        A number in an id is a number, if nothing is said to the contrary, even where cards have numbers."""
        for part in rest.split(":")[: pattern.count("%s")]:
            name = part if part.isdigit() and "domain" not in own else self.name(part, own.get("domain"))
            pattern = pattern.replace("%s", name, 1)
        return re.sub(_PLACE, "", pattern)

    def _pattern(self, form: str, name: str) -> str:
        """A name in the pattern of a form, or in that for names that begin with a vowel where it is another."""
        patterns = self.phrases.patterns
        first = unicodedata.normalize("NFD", name)[:1].casefold()
        pattern = patterns.get(f"{form}_vowel") if first and first in VOWELS else None
        return (pattern or patterns.get(form, "%s")).replace("%s", name)

    def named(self, line: str) -> str:
        """A line of orders with the names of things in the place of their ids; a clause of a deal by the words that
        ``[clause]`` has for its grammar."""
        for grammar, words in self.words("clause").items():
            if found := _grammar(grammar).fullmatch(line):
                return self._clause(words, {name: said for name, said in found.groupdict().items() if said})
        return _NAMED.sub(self._told, line)

    def _told(self, said: re.Match[str]) -> str:
        """The name of an id; a number of things as it is said ("2 réguliers de Venise"), where there is a noun."""
        number, owner, kind = said.groups()
        if number is None:
            return self.name(said[0])
        if kind not in self.phrases.nouns:
            return " ".join([number, *(self.name(word) for word in (owner, kind) if word)])
        return f"{self.noun(int(number), kind)}{' ' + self.form(owner, 'of') if owner else ''}"

    def _clause(self, words: str, said: Mapping[str, str]) -> str:
        left = re.sub(r"\[(.*?\{(\w+).*?)\]", lambda part: part[1] if part[2] in said else "", words)
        return re.sub(r"\{(\w+)\}", lambda slot: self.named(said[slot[1]]), left)

    def noun(self, number: int, kind: str) -> str:
        """A number of things: "2 armies"."""
        forms = self.phrases.nouns.get(kind) or [self.name(kind).lower()]
        return f"{number} {forms[min(self.language.plural_form(number), len(forms) - 1)]}"

    def condition(self, name: str) -> str:
        """What a condition of programs and standing orders means."""
        return self._of_standing("condition", "conditions", name)

    def preset(self, name: str) -> str:
        """What a ready-made standing order does."""
        return self._of_standing("preset", "presets", name)

    def _of_standing(self, section: str, table: str, name: str) -> str:
        """A text of ``standing.json``; kits that were stored before the phrases had these hold it themselves."""
        stored = self.kit.files.get("standing", {}).get(table, {}).get(name, {})
        return self.words(section).get(name) or stored.get(f"text_{self.code}") or stored.get("text", "")

    def option(self, option: Option) -> str:
        """What an option of the kit is called."""
        return self.words("option").get(f"{option.id} subject") or option.id.replace("_", " ").capitalize()

    def option_about(self, option: Option) -> str:
        """What an option is about, in a sentence or two; "" where its name and its values say it all."""
        return self.words("option").get(f"{option.id} about", "")

    def option_value(self, option: Option, value: Any) -> str:
        """A value of an option in words; a number stands for itself."""
        word = option.word(value)
        return self.words("option").get(f"{option.id} {word}") or word.replace("_", " ")

    def told_value(self, name: str) -> str:
        """What the phrases call a value of the state; "" for one that they do not know, as notes of the rules are."""
        words, (kind, _, rest) = self.words("value"), name.partition(":")
        if name in words:
            return words[name]
        return words[kind].replace("%s", self.name(rest)) if rest and "%s" in words.get(kind, "") else ""

    def value_name(self, name: str) -> str:
        """What a value of the state of the game is called, where nothing else is said: "control of Vienna"."""
        return self.told_value(name) or self.name(name)

    def section(self, text: str) -> str:
        """A section of the rulebook, or several; one that has a heading in place of a number by what it is called."""
        words = self.words("section")
        return self.language.parted(
            re.sub(r"[a-z][a-z-]+", lambda said: words.get(said[0], said[0]), one) for one in text.split("; ")
        )

    def kind(self, domain: str) -> str:
        """What a thing of a domain of names is called: "sea zone"."""
        return self.words("kind").get(domain) or domain.replace("_", " ")

    def hints(self, hints: Iterable[str]) -> list[str]:
        """What would be right, for people: ids by their names, lines of orders as they are sent."""
        return [self._hint(hint) for hint in hints]

    def _hint(self, hint: str) -> str:
        head, colon, rest = hint.partition(": ")
        if colon and head in self.words("hint"):
            return f"{self.words('hint')[head]} {self.language.usage(rest)}"
        return self.name(hint) if re.fullmatch(r"[a-z0-9_:/]+", hint) else self.language.usage(hint)


@cache
def _grammar(line: str) -> re.Pattern[str]:
    """What a line of a grammar matches, its fields as groups: ``END WAR [OF {party}] WITH {other}``."""
    optional = line.replace(" [", "(?: ").replace("]", ")?")
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>.+?)", optional))
