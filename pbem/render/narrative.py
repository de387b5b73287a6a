"""The narrative: facts told as sentences, in the player's language.

What can be said lies in phrase files, TOML, one for each language: ``config/games/<game>/phrases.<language>.toml`` for
the game and ``config/phrases.<language>.toml`` for all games. Games that share rules share phrases as well: ``family =
"reformation"`` at the top of a game's English file lets it have those of ``config/games/reformation``, before its own.
No code has to change for a new fact or a new language::

    [happened]                  # a section for each type of fact (`pbem.table.facts`)
    auction_won = "{{ power|The }} wins the auction for {{ bid|many('gold') }}."
    fight_told.fight = '''…'''   # (see below) a block of its own
    [count]
    "gold income" = "…"         # the track, and what the fact belongs to (its "why")
    gold = "…"                  # the track alone
    any = "…"                   # every other
    [units]                     # by kind of unit, by why, or both: "army build", "build", "army"
    [state]                     # by the name of the value, or by its first word: "control" for "control:vienna"
    [roll]                      # by what the dice are for; likewise [draw]
    [piece]                     # by the first word of the piece ("leader"), by why, or both: "leader loss"
    [card] [show] …             # by why; facts of a ruling by "ruling", whatever their subject
    [hand]                      # a card in a hand and what it does (`pbem.render.own`)
    [dice]                      # what the sides of a die show, by the number of its sides, where not just figures
    usual = 6                   # how many sides a die has, where neither the fact nor the phrase says it
    6 = {signs = "⚀⚁⚂⚃⚄⚅"}       # signs beside the figures
    10 = {faces = "1234567890"} # what stands on them in place of figures; a list where more than a letter does
    [macros]                    # what several phrases share: macro = "{% macro force(pieces) %}…{% endmacro %}"
    [picture] [phase]           # plain words, no templates: of the picture of the board, and of phases in its heading
    [condition] [preset]        # likewise: what the conditions and ready-made orders of ``standing.json`` mean, by name
    [kind]                      # likewise: kinds of things that have names ("space", "leader"), by the kit's domain
    [hint]                      # likewise: what stands before a hint (`pbem.table.refusals`)
    [value]                     # likewise: values of the state, by name or first word: control = "control of %s"
    [option_group] [choice_set] # likewise: groups of the kit's options, and sets of choices that the kit names
    [option.gold_sums]          # an option of the kit: what it is called, what it is about, and its values in words
    subject = "Who sees the gold"
    about = "…"                 # may be left out
    owner = "Its player alone"
    [ask]                       # questions, by kind: what they ask, and "<kind> title", what they are called
    [refused]                   # refusals (`pbem.table.refusals`), by code, with their values as variables

    [nouns]                     # what is counted: one and several; in Russian three, for 1, 2 and 5
    gold = ["gold", "gold"]
    [forms.united_provinces]    # how a thing stands in a sentence
    the = "the United Provinces"
    of = "of the United Provinces"
    to = "to the United Provinces"
    plural = true
    [forms.inside]              # of "vienna/inside" as of "inside:vienna"; `domain` says what kind of thing that is
    name = "%s within the walls"

A phrase is a Jinja2 template, run in its sandbox, with the fields of the fact as variables and these filters:
``power`` and ``name`` (a thing's name), ``value`` (that of a value of the state), ``the``, ``The``, ``of``, ``to``,
``in``, ``from`` (its forms),
``many('noun')`` ("3 armies"), ``verb('builds', 'build')`` (by the number of its subject), ``dice`` ("2 5 ⚁⚄"; of a
throw with the ``sides`` of its fact, else the ``usual`` ones, or as ``dice(10)`` says), ``signed`` ("+1"),
``listed`` ("a, b and c"), ``either`` ("a, b or c"), ``strong``, ``named`` (a line of orders with names in place of
ids), ``question`` (what a kind of question is called; ``questions`` of several), ``refusal`` (the sentence of a refusal
that a fact holds), ``kinds`` ("space or sea zone", of domains of names), ``wanted`` and ``meant`` (of
`pbem.table.grammar`: what should stand in a line, and things that may have been meant), ``rebuilt`` (of a table of the
kit, ``'units'|rebuilt(id, 'cost')``: " (rebuilt)" where a value in these columns is not known to be the published one).
A form that ends in ``_vowel`` is that of names that begin with a vowel ("d'Alger").
The empty phrase is silence: bookkeeping is not told. A fact
without a phrase is told by the generic phrases, or as last resort by its fields; telling never fails.

Paragraphs: a fact that ``happened`` opens one, and the facts after it that belong to it (the same ``why``, or none)
join it; a phrase that begins with ``+`` always joins, one with ``/`` never does.
A phrase that begins with ``&`` joins, too; of equal ones in a row the first is told with their number ("×3").
A phrase that begins with ``*`` stands alone; ``¶`` in it breaks
the line. One that begins with ``~`` (dice) waits for the next: if that uses ``thrown``, the list of the facts that
wait, it tells them; else they are told before it. What waits and is no dice (the price of an action) is ``paid``.
Units that move together, with the pieces among them, are one fact ``moved`` where there is such a section: its `force`
is ``{units: {power: {kind: number}}, leaders}``. ``previous`` is the fact told last ({} at the beginning).
"""

from __future__ import annotations

import logging
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError, meta, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from pbem import resources
from pbem.render.language import SOURCE, Language, find_language, lower_first
from pbem.table.board import SUPPLY
from pbem.table.facts import Fact
from pbem.table.grammar import LARGEST_NUMBER
from pbem.table.kit import Frozen, Kit, Option
from pbem.table.refusals import Refused

log = logging.getLogger(__name__)

VOWELS = "aeiouy"
ANY = "any"
RULING = "ruling"
"""Why a fact is that a moderator has ruled (`pbem.campaign.rulings`): such a one is told, whatever the phrases of its
subject make of it in play."""
RENDER_ERRORS = (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError)
"""What a phrase that does not fit its values can raise."""
PLAIN = ("clause", "picture", "phase", "condition", "preset", "kind", "hint", "option_group", "choice_set", "value")
"""Sections of words that are no templates."""
JOINS, COUNTED, OPENS, ALONE, WAITS, BREAK = "+", "&", "/", "*", "~", "¶"
TIMES = "×"


@dataclass
class Paragraph:
    """A piece of the story, as plain text and as HTML that is safe to put into a page.

    `kind` is what opened it (``happened``'s ``what``, else the type of the first fact); `facts` are the places of the
    facts it tells, in the list that was given; `sections` those of the rulebook.
    """

    kind: str
    text: str = ""
    html: Markup = Markup("")
    facts: list[int] = field(default_factory=list)
    sections: list[str] = field(default_factory=list)
    alone: bool = False


def narrate(
    facts: Iterable[Fact], kit: Kit, language: str = SOURCE, powers_names: Mapping[str, str] | None = None
) -> list[Paragraph]:
    """Tell facts in a language.

    `facts` in their order, as the reader may see them; `kit` gives the names of things; `powers_names` (power -> words)
    replaces or adds to the names of powers, by the names of their players for instance. Never raises for any fact.
    """
    story = _Story(Teller(kit, language, powers_names or {}))
    for places, fact in _moves_together(facts, story.teller.phrases):
        story.add(places, fact)
    story.tell_waiting()
    return story.paragraphs


def _moves_together(facts: Iterable[Fact], phrases: _Phrases) -> Iterator[tuple[list[int], Fact]]:
    """Facts with their places; units, and the pieces with them, that move together from place to place are one fact,
    where the game has a phrase for it: ``{"fact": "moved", power, force: {units: {power: {kind: number}}, leaders},
    origin, place, why, section}``."""
    group: Fact | None = None
    places: list[int] = []
    for at, fact in enumerate(facts):
        way = _way(fact)
        if group is not None and way == (group["origin"], group["place"], group.get("why")):
            places.append(at)
        else:
            if group is not None:
                yield places, group
            group, places = None, [at]
            if fact.get("fact") != "units" or way is None or not phrases.tells_moves(fact):
                yield places, fact
                continue
            group = {"fact": "moved", "force": {"units": {}, "leaders": []}}
            group |= {name: fact[name] for name in ("power", "origin", "place", "why", "section") if name in fact}
        force = group["force"]
        if fact["fact"] == "units":
            kinds = force["units"].setdefault(fact["power"], {})
            kinds[fact["kind"]] = kinds.get(fact["kind"], 0) + fact["number"]
        else:
            force["leaders"].append(fact["piece"])
    if group is not None:
        yield places, group


def _way(fact: Fact) -> tuple[str, str, str | None] | None:
    """From where to where, and why, units or a piece move on the map; None for any other fact."""
    match fact:
        case {"fact": "units", "power": str(), "kind": str(), "number": int(), "origin": str(start), "place": str(end)}:
            pass
        case {"fact": "piece", "piece": str(), "before": {"at": str(start)}, "after": {"at": str(end)}}:
            pass
        case _:
            return None
    is_move = start != end and not any(at == SUPPLY or ":" in at for at in (start, end))
    return (start, end, fact.get("why")) if is_move else None


@dataclass
class _Sentence:
    places: list[int]
    fact: Fact
    mark: str
    text: str
    html: Markup


class _Story:
    """Paragraphs as they grow, and the sentences about dice that wait for the fact that says what the dice did."""

    def __init__(self, teller: Teller):
        self.teller = teller
        self.paragraphs: list[Paragraph] = []
        self._waiting: list[_Sentence] = []
        self._why: str | None = None
        self._previous: Fact = {}
        self._alike: list[_Sentence] = []  # equal sentences that the story ends with, told as one

    def add(self, places: list[int], fact: Fact) -> None:
        waiting = [sentence.fact for sentence in self._waiting]
        text, html, told = self.teller.tell_with(fact, waiting, self._previous)
        mark = text[:1] if text[:1] in (JOINS, COUNTED, OPENS, ALONE, WAITS) else ""
        sentence = _Sentence(places, fact, mark, text[len(mark) :].strip(), Markup(html[len(mark) :].strip()))
        if not sentence.text:
            return
        if mark == WAITS:
            self._waiting.append(sentence)
            return
        with_it = [waiting for waiting in self._waiting if _is_thrown(waiting.fact) in told]
        self._waiting = [waiting for waiting in self._waiting if waiting not in with_it]
        self.tell_waiting()
        self._write(sentence, [place for waiting in with_it for place in waiting.places])

    def tell_waiting(self) -> None:
        """Tell what waited in vain."""
        waiting, self._waiting = self._waiting, []
        for sentence in waiting:
            self._write(sentence, [])

    def _write(self, sentence: _Sentence, places: list[int]) -> None:
        fact, why = sentence.fact, sentence.fact.get("why")
        belongs = fact.get("fact") != "happened" and (why is None or self._why is None or why == self._why)
        joins = sentence.mark in (JOINS, COUNTED, WAITS) or (belongs and sentence.mark not in (OPENS, ALONE))
        if not self.paragraphs or self.paragraphs[-1].alone or not joins:
            kind = str(fact.get("what") or fact.get("fact") or "")
            self.paragraphs.append(Paragraph(kind, alone=sentence.mark == ALONE))
            self._why = None
        self._why, self._previous = why or self._why, fact
        paragraph = self.paragraphs[-1]
        again = self._alike and sentence.mark == COUNTED and sentence.text == self._alike[-1].text
        if again:
            told = _times(self._alike[0], len(self._alike)), _times(sentence, len(self._alike) + 1)
            paragraph.text = paragraph.text.removesuffix(told[0].text) + told[1].text
            paragraph.html = Markup(paragraph.html.removesuffix(told[0].html)) + told[1].html
        else:
            paragraph.text = f"{paragraph.text} {sentence.text}" if paragraph.text else sentence.text
            paragraph.html = paragraph.html + Markup(" ") + sentence.html if paragraph.html else sentence.html
        self._alike = [*(self._alike if again else ()), sentence] if sentence.mark == COUNTED else []
        paragraph.facts += [*places, *sentence.places]
        section = fact.get("section")
        if section is not None and str(section) not in paragraph.sections:
            paragraph.sections.append(str(section))


def _is_thrown(fact: Fact) -> bool:
    """Whether a fact that waits to be told is dice, or a draw."""
    return fact.get("fact") in ("roll", "draw")


def _times(sentence: _Sentence, number: int) -> _Sentence:
    """A sentence that is told for so many equal ones: their number stands before its full stop."""
    if number < 2:
        return sentence
    stop = "." if sentence.text.endswith(".") else ""
    text, html = (told.removesuffix(stop) + f" {TIMES}{number}{stop}" for told in (sentence.text, sentence.html))
    return replace(sentence, text=text, html=Markup(html))


class Teller:
    """Tells facts of one game in one language; `narrate` is the way to use it, templates use `name` and `power`."""

    def __init__(self, kit: Kit, language: str = SOURCE, powers_names: Mapping[str, str] | None = None):
        self.kit = kit
        self.language: Language = find_language(language)
        self.powers_names = dict(powers_names or {})
        self.phrases = _phrases(kit.game, self.language.code)

    @property
    def code(self) -> str:
        """The language."""
        return self.language.code

    def words(self, section: str) -> Mapping[str, str]:
        """The words of a section as they stand in the phrase files, by key: for what is no sentence."""
        return self.phrases.words.get(section, {})

    def tell(self, fact: Fact) -> tuple[str, Markup]:
        """One fact as text and as HTML, with its mark; empty when it is not worth telling."""
        text, html, _ = self.tell_with(fact, [], {})
        return text, html

    def tell_with(self, fact: Fact, waiting: list[Fact], previous: Fact) -> tuple[str, Markup, set[bool]]:
        """The same for a fact that comes after others not yet told; and what it tells of these: dice (True), all that
        is no dice (False)."""
        thrown = [other for other in waiting if _is_thrown(other)]
        paid = [other for other in waiting if not _is_thrown(other)]
        for key in _keys(fact):
            phrase = self.phrases.templates.get(key)
            if phrase is None:
                continue
            try:
                values = {**fact, "thrown": thrown, "paid": paid, "previous": previous}
                return *self._render(phrase, values), phrase.tells
            except RENDER_ERRORS as error:
                # A phrase that does not fit its fact must cost no player his report.
                log.warning("phrase %s of %s does not fit a fact: %s", " ".join(key), kit_language(self), error)
        return *self.last_resort(fact), set()

    def _render(self, phrase: _Phrase, values: Mapping[str, Any]) -> tuple[str, Markup]:
        values = {**values, "item": values, "teller": self}
        return _tidy(phrase.text.render(values)), Markup(_tidy(phrase.html.render(values)))

    def last_resort(self, fact: Fact) -> tuple[str, Markup]:
        """What can be said of any fact: its type and its fields, with the names of things."""
        told = {k: v for k, v in fact.items() if k not in ("fact", "what", "why", "section", "to")}
        kind = str(fact.get("what") or fact.get("fact") or "?").replace("_", " ").capitalize()
        fields = ", ".join(f"{key.replace('_', ' ')}: {self.plain(value)}" for key, value in told.items())
        text = f"{kind} ({fields})." if fields else f"{kind}."
        return text, escape(text)

    # names

    def plain(self, value: Any) -> str:
        """Any value of a fact for people to read."""
        if value is None:
            return "–"
        if isinstance(value, bool):
            return self.language.text("yes") if value else self.language.text("no")
        if isinstance(value, str):
            return self.name(value)
        if isinstance(value, Mapping):
            return ", ".join(f"{self.name(str(key))}: {self.plain(item)}" for key, item in value.items())
        if isinstance(value, list | tuple):
            return self.language.listed([self.plain(item) for item in value])
        return str(value)

    def name(self, id: str, domain: str | None = None) -> str:
        """The name of a thing of the kit; an id of no vocabulary is made readable."""
        return self.form(id, "name", domain)

    def power(self, id: str | None) -> str:
        """The name of a power, or what stands for nobody."""
        if id is None:
            return self.language.text("nobody")
        return self.form(id, "name", _domain_of_powers(self.kit))

    def form(self, id: str, form: str, domain: str | None = None) -> str:
        """A thing's name as it stands in a sentence: "the United Provinces", "de la France".

        Of an id such as ``home:france`` or ``tile:militia:2`` the first word is looked up as a form with a place for
        the second ("the home of %s"), else the second is named; of ``vienna/inside`` the last word.
        """
        if id in self.powers_names:
            return self.powers_names[id]
        if domain is not None and id in self.kit.labels.get(domain, {}):
            return self.kit.display(domain, id, self.language.code)
        forms = self.phrases.forms.get(id, {})
        if form in forms:  # of an id alone, what has a place for another has none
            return re.sub(r"\s*(\(%s\)|%s)", "", forms[form]).strip()
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
            # A number in an id is a number, if nothing is said to the contrary, even where cards have numbers.
            name = thing if thing.isdigit() and "domain" not in own else self.name(thing, own.get("domain"))
            return pattern.replace("%s", name) if pattern else self.form(thing, form, domain)
        if form != "name":
            return self._pattern(form, self.form(id, "name", domain))
        for known in self.kit.labels:
            if id in self.kit.labels.get(known, {}):
                return self.kit.display(known, id, self.language.code)
        return id.replace("_", " ") if re.fullmatch(r"[a-z0-9_]+", id) else id

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
        return re.sub(r"\b[a-z][a-z0-9_]+\b", lambda word: self.name(word[0]), line)

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

    def value_name(self, name: str) -> str:
        """What a value of the state of the game is called, where nothing else is said: "control of Vienna"."""
        return self.told_value(name) or self.name(name)

    def told_value(self, name: str) -> str:
        """What the phrases call a value of the state; "" for one that they do not know, as notes of the rules are."""
        words, (kind, _, rest) = self.words("value"), name.partition(":")
        if name in words:
            return words[name]
        return words[kind].replace("%s", self.name(rest)) if rest and "%s" in words.get(kind, "") else ""

    def _of_standing(self, section: str, table: str, name: str) -> str:
        """A text of ``standing.json``; kits that were stored before the phrases had these hold it themselves."""
        stored = self.kit.files.get("standing", {}).get(table, {}).get(name, {})
        return self.words(section).get(name) or stored.get(f"text_{self.code}") or stored.get("text", "")

    def question(self, kind: str, context: Mapping[str, Any], power: str | None = None) -> tuple[str, str]:
        """What a kind of question is called, and what it asks, in a sentence or two ("" where nothing more is said).

        Its phrase has the fields of the context, and `tables`, those of the kit.
        """
        values = {"fact": "ask", "what": kind, "power": power, "tables": self.kit.tables, **context}
        return self.question_title(kind), self._phrase(("ask", kind), values)

    def choice(self, domain: str, id: str, what: str = "") -> str:
        """What one should know to choose a thing: what it costs or gives, its ``effects``, or the ``group`` of which it
        is; "" where the game's phrases say nothing. Of cards the phrases of the hand tell."""
        found = self.of_kit("choice", f"{domain} {what}".strip(), id)
        if not found and domain == "card" and what != "group":
            found = self.of_kit("hand", what or domain, id)
        return " ".join(found.split())

    def forfeited(self, question: str, order: str, context: Mapping[str, Any]) -> str:
        """What an order, as the answer to a kind of question, gives up; "" where that is nothing. Its phrase,
        ``[forfeited] "<question> <order>"``, has the fields of the question's context."""
        return self._phrase(("forfeited", f"{question} {order}"), {"tables": self.kit.tables, **context})

    def question_title(self, kind: str) -> str:
        """What a kind of question is called, where none is asked (in a list of kinds)."""
        title = self._phrase(("ask", f"{kind} title"), {"fact": "ask", "what": kind})
        return title or kind.replace("_", " ").capitalize()

    def refusal(self, refused: Refused) -> str:
        """Why an order is refused, in a sentence, which stands in a line: one alone has no full stop.

        Without a phrase that fits it is told by its code and values; this never fails.
        """
        if refused.code is None:
            return self.language.text(refused.sentence or "")
        said = self._phrase(("refused", refused.code), {**refused.values, "tables": self.kit.tables})
        if said:
            return said.removesuffix(".") if said.count(". ") == 0 else said
        values = ", ".join(f"{key.replace('_', ' ')}: {self.plain(value)}" for key, value in refused.values.items())
        return refused.code.replace("_", " ") + (f" ({values})" if values else "")

    def hints(self, hints: Iterable[str]) -> list[str]:
        """What would be right, for people: ids by their names, lines of orders as they are sent."""
        return [self._hint(hint) for hint in hints]

    def _hint(self, hint: str) -> str:
        head, colon, rest = hint.partition(": ")
        if colon and head in self.words("hint"):
            return f"{self.words('hint')[head]} {self.language.usage(rest)}"
        return self.name(hint) if re.fullmatch(r"[a-z0-9_:/]+", hint) else self.language.usage(hint)

    def kind(self, domain: str) -> str:
        """What a thing of a domain of names is called: "sea zone"."""
        return self.words("kind").get(domain) or domain.replace("_", " ")

    def reasons(self, entries: Iterable[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
        """Why points stand as they do (`pbem.table.game.Game.reasons`): of whom and how many, and a line for each
        reason."""
        told = []
        for entry in entries:
            head = self._phrase(("reason", "head"), {"power": entry["power"], "points": entry["points"]})
            lines = []
            for reason in entry["reasons"]:
                why = self._phrase(("reason", reason["reason"]), {"tables": self.kit.tables, **reason})
                lines.append(f"{reason['points']:+d}  {why or reason['reason'].replace('_', ' ')}")
            told.append((head or str(entry["points"]), lines))
        return told

    def of_kit(self, section: str, key: str, id: str) -> str:
        """A phrase about a thing of the kit, with its `id` and the `tables` of the kit; "" where there is none.

        It is the same whenever it is told, and so is worked out once.
        """
        kept, at = self.phrases.of_kits, (self.kit, section, key, id)
        if at not in kept:
            kept[at] = self._phrase((section, key), {"id": id, "tables": self.kit.tables})
        return kept[at]

    def _phrase(self, key: tuple[str, str], values: Fact) -> str:
        phrase = self.phrases.templates.get(key)
        if phrase is None:
            return ""
        try:
            return self._render(phrase, values)[0]
        except RENDER_ERRORS as error:
            log.warning("phrase %s of %s does not fit its values: %s", " ".join(key), kit_language(self), error)
            return ""


@cache
def general_teller(language: str = SOURCE) -> Teller:
    """Tells what belongs to no game: for what is refused before it is known which campaign is meant."""
    blank = Frozen()
    kit = Kit(record=blank, game="", name="", version="", status="", seats=blank, tables=blank, constants=blank,
              options=blank, rulings=blank, scenarios=blank, questions=blank, names=blank, labels=blank,
              files=blank)  # fmt: skip
    return Teller(kit, language)


def kit_language(teller: Teller) -> str:
    """Which phrase file a teller reads, for messages."""
    return f"{teller.kit.game} ({teller.language.code})"


@cache
def _domain_of_powers_of(kit: Kit) -> str | None:
    powers = set(kit.tables[kit.seats["table"]])
    return next((domain for domain, ids in kit.labels.items() if powers <= set(ids)), None)


def _domain_of_powers(kit: Kit) -> str | None:
    """The vocabulary in which the powers are, so that Austria the power is not mistaken for a region of that name."""
    return _domain_of_powers_of(kit)


@cache
def _grammar(line: str) -> re.Pattern[str]:
    """What a line of a grammar matches, its fields as groups: ``END WAR [OF {party}] WITH {other}``."""
    optional = line.replace(" [", "(?: ").replace("]", ")?")
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>.+?)", optional))


def _tidy(text: str) -> str:
    """A phrase without the blanks and line breaks of its template; the sign ¶ makes a line break.

    A name that ends with an exclamation mark ends its sentence too: no full stop comes after it.
    """
    words = re.sub(r" (?=[,.)])|(?<=\() ", "", " ".join(text.split()))
    words = re.sub(r"(!(?:</\w+>)*)\.(?![.\w])", r"\1", words)
    return "\n".join(line.strip() for line in words.split(BREAK))


def _keys(fact: Fact) -> Iterator[tuple[str, str]]:
    """Where the phrase of a fact is looked for: the most special first."""
    kind, why = str(fact.get("fact")), fact.get("why")
    named_by = {"count": "track", "units": "kind", "state": "name", "counter": "name", "sight": "name"}
    subject = fact.get(named_by.get(kind, "what"))
    subject = str(fact.get("piece")).partition(":")[0] if kind == "piece" else subject
    subjects = [] if subject is None else list(dict.fromkeys([str(subject), str(subject).partition(":")[0]]))
    if why is not None:
        yield from ((kind, f"{one} {why}") for one in subjects)
    if why == RULING:
        yield kind, RULING
    if kind != "units":
        yield from ((kind, one) for one in subjects)
    if why is not None:
        yield kind, str(why)
    if kind == "units":
        yield from ((kind, one) for one in subjects)
    yield kind, ANY


# --- phrase files ----------------------------------------------------------------------------------------------------


@dataclass
class _Phrase:
    """A phrase as templates for text and for HTML, and what it tells of the facts before it.

    They are made when they are first used: a game has hundreds of phrases, and a page or a mail needs a dozen. Using a
    phrase that cannot be read raises `TemplateError` or `TypeError`; `check_phrases` finds such ones beforehand.
    """

    file: str
    own: str
    macros: Mapping[str, str] = field(default_factory=dict)
    """Those of the same language, by name; a macro may use others."""

    @cached_property
    def source(self) -> str:
        """The phrase, behind the macros that it uses."""
        used: list[str] = []
        text = self.own
        while needed := [name for name in self.macros if name not in used and f"{name}(" in text]:
            used = [*needed, *used]
            text = "".join(self.macros[name] for name in needed) + text
        return text

    @cached_property
    def text(self) -> Template:
        return _TEXT.from_string(self.source)

    @cached_property
    def html(self) -> Template:
        return _HTML.from_string(self.source)

    @cached_property
    def tells(self) -> set[bool]:
        """Whether it tells the dice that wait (True), or what else does (False)."""
        named = {name: dice for name, dice in (("thrown", True), ("paid", False)) if name in self.own}
        used = meta.find_undeclared_variables(_TEXT.parse(self.source)) if named else set()
        return {dice for name, dice in named.items() if name in used}


@dataclass
class _Sides:
    """What the sides of a die show: figures, or what the kit says; and the signs beside them, if there are any."""

    faces: list[str]
    signs: list[str]


@dataclass
class _Phrases:
    """The phrases of a game in a language, by (section, key)."""

    templates: dict[tuple[str, str], _Phrase] = field(default_factory=dict)
    nouns: dict[str, list[str]] = field(default_factory=dict)
    forms: dict[str, dict[str, Any]] = field(default_factory=dict)
    patterns: dict[str, str] = field(default_factory=dict)
    words: dict[str, dict[str, str]] = field(default_factory=dict)
    dice: dict[int, _Sides] = field(default_factory=dict)
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
def _phrases(game: str, language: str) -> _Phrases:
    """The phrases of a game, best last: generic before the game's, English before the player's language."""
    phrases = _Phrases()
    for code in dict.fromkeys((SOURCE, language)):
        generic, own = _read(f"config/phrases.{code}.toml"), _read(f"config/games/{game}/phrases.{code}.toml")
        if code != SOURCE and not own and _read(f"config/games/{game}/phrases.{SOURCE}.toml"):
            continue  # a report half in one language and half in another helps nobody
        of_family = {name: _read(f"config/games/{name}/phrases.{code}.toml") for name in family(game)}
        shared = [(f"{name}/phrases.{code}", content) for name, content in of_family.items()]
        for name, content in ((f"phrases.{code}", generic), *shared, (f"{game}/phrases.{code}", own)):
            _add(phrases, name, content)
    return phrases


def family(game: str) -> list[str]:
    """The family whose phrases a game has besides its own, if it is of one."""
    name = _read(f"config/games/{game}/phrases.{SOURCE}.toml").get("family")
    return [name] if isinstance(name, str) else []


def check_phrases(game: str, language: str) -> list[str]:
    """The phrases of a game, as "section key", that a phrase file in a language has.

    Raises `PhraseError` for a file or a phrase that cannot be read.
    """
    templates = _phrases(game, language).templates
    for (section, key), phrase in templates.items():
        try:
            _ = phrase.text, phrase.html, phrase.tells
        except (TemplateError, TypeError) as error:
            raise PhraseError(f"{phrase.file}, [{section}] {key}: {error}") from error
    return sorted(" ".join(key) for key in templates)


def own_phrases(game: str | None, language: str) -> dict[tuple[str, str], set[str]]:
    """The phrases that the files of one language hold, without what stands in for missing ones: (section, key) -> the
    values that the phrase asks for. `game` None: those of the table, which every game has.

    Raises `PhraseError` for a file or a phrase that cannot be read.
    """
    name = f"phrases.{language}" if game is None else f"{game}/phrases.{language}"
    phrases = _Phrases()
    _add(phrases, name, _read(f"config/phrases.{language}.toml" if game is None else f"config/games/{name}.toml"))
    asked_of = {}
    for (section, key), phrase in phrases.templates.items():
        try:
            asked_of[section, key] = meta.find_undeclared_variables(_TEXT.parse(phrase.source)) - {"item", "teller"}
        except TemplateError as error:
            raise PhraseError(f"{phrase.file}, [{section}] {key}: {error}") from error
    words = {(section, key): set[str]() for section, entries in phrases.words.items() for key in entries}
    return {**asked_of, **words}


def _read(name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(resources.path(name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise PhraseError(f"{name}: {error}") from error


def _add(phrases: _Phrases, name: str, content: Mapping[str, Any]) -> None:
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
                phrases.templates[section, key] = _Phrase(name, source, macros)


def _sides(name: str, sides: str, shown: Any) -> _Sides:
    if sides.isdecimal() and isinstance(shown, Mapping):
        number = int(sides)
        read = _Sides(list(shown.get("faces") or map(str, range(1, number + 1))), list(shown.get("signs", ())))
        if len(read.faces) == number and len(read.signs) in (0, number):
            return read
    raise PhraseError(f"{name}, [dice] {sides}: by its number of sides, {{faces = …}} or {{signs = …}}, one a side")


# --- filters ---------------------------------------------------------------------------------------------------------


def _teller(context: Context) -> Teller:
    return context["teller"]


def _bold(context: Context, text: str) -> str:
    return Markup("<strong>{}</strong>").format(text) if context.eval_ctx.autoescape else text


def _upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


@pass_context
def _power(context: Context, id: str | None) -> str:
    return _bold(context, _teller(context).power(id))


@pass_context
def _name(context: Context, id: Any, domain: str | None = None) -> str:
    return _teller(context).name(id, domain) if isinstance(id, str) else _teller(context).plain(id)


@pass_context
def _value(context: Context, name: str) -> str:
    return _upper_first(_teller(context).value_name(name))


@pass_context
def _the(context: Context, id: str) -> str:
    return _teller(context).form(id, "the")


@pass_context
def _The(context: Context, id: str | None) -> str:
    teller = _teller(context)
    return _bold(context, _upper_first(teller.form(id, "the") if id else teller.power(None)))


@pass_context
def _of(context: Context, id: str) -> str:
    return _teller(context).form(id, "of")


@pass_context
def _to(context: Context, id: str) -> str:
    return _teller(context).form(id, "to")


@pass_context
def _in(context: Context, id: str) -> str:
    return _teller(context).form(id, "in")


@pass_context
def _from(context: Context, id: str) -> str:
    return _teller(context).form(id, "from")


@pass_context
def _many(context: Context, number: Any, kind: str) -> str:
    return _teller(context).noun(int(number), kind)


@pass_context
def _verb(context: Context, id: str | None, one: str, many: str) -> str:
    return many if id and _teller(context).phrases.forms.get(id, {}).get("plural") else one


@pass_context
def _listed(context: Context, items: Iterable[Any]) -> str:
    teller = _teller(context)
    return teller.language.listed([teller.plain(item) for item in items])


@pass_context
def _either(context: Context, items: Iterable[Any]) -> str:
    teller = _teller(context)
    return teller.language.either([teller.plain(item) for item in items])


@pass_context
def _question(context: Context, kind: str) -> str:
    return _teller(context).question_title(kind)


@pass_context
def _questions(context: Context, kinds: Iterable[str]) -> list[str]:
    return [_teller(context).question_title(kind) for kind in kinds]


@pass_context
def _refusal(context: Context, stored: str | Mapping[str, Any]) -> str:
    return _teller(context).refusal(Refused(stored) if isinstance(stored, str) else Refused.from_json(stored))


@pass_context
def _kinds(context: Context, domains: Iterable[str]) -> str:
    teller = _teller(context)
    return teller.language.either(list(dict.fromkeys(teller.kind(domain) for domain in domains)))


@pass_context
def _wanted(context: Context, wanted: Mapping[str, Any]) -> str:
    """What should stand in a line: words, a name of a kind of thing, a number."""
    if "kinds" in wanted:
        return _kinds(context, wanted["kinds"])
    if "number" in wanted:
        least, most = wanted["number"]
        word = _teller(context).kind("number")
        return word if most == LARGEST_NUMBER else f"{word} {least}–{most}"
    language = _teller(context).language
    return language.either(wanted["words"]) if "words" in wanted else _field_in_words(context, wanted["text"])


@pass_context
def _field(context: Context, name: str) -> str:
    """What a field of an order is called."""
    return _teller(context).language.field(name)


def _field_in_words(context: Context, text: str) -> str:
    """A field by its name within a sentence; what is no such name is told as it stands."""
    return lower_first(_teller(context).language.field(text)) if re.fullmatch("[a-z][a-z ]*", text) else str(text)


@pass_context
def _does(context: Context, help: str) -> str:
    """What an order does (`Line.help`), within a sentence."""
    return lower_first(_teller(context).language.text(help)).rstrip(".")


@pass_context
def _usage(context: Context, lines: Iterable[str]) -> list[str]:
    """Forms of orders, with the names of their fields in words."""
    return [_teller(context).language.usage(line) for line in lines]


@pass_context
def _meant(context: Context, thing: Mapping[str, Any]) -> str:
    """A thing that may have been meant; its id before its name, where that is what was nearly written."""
    name = _teller(context).name(thing["id"], thing["domain"])
    return f"{thing['id']} {name}" if thing["by_id"] else name


@pass_context
def _named(context: Context, line: str) -> str:
    return _teller(context).named(line)


@pass_context
def _dice(context: Context, dice: int | Iterable[int], sides: int | None = None) -> str:
    """Dice as what stands on their sides and, where the phrases have signs for them, these, which tell the eye.

    Dice whose faces are the kit's own are told as what they show.
    """
    phrases = _teller(context).phrases
    if context.get("fact") == "roll" and context.get("faces") and context.get("dice") == dice:
        return " ".join(_teller(context).plain(face) for face in context["faces"])
    thrown = context.get("sides") if context.get("fact") == "roll" else None
    sides = sides or thrown or phrases.usual_sides
    values = [int(value) for value in ([dice] if isinstance(dice, int) else dice)]
    known = phrases.dice.get(sides)
    if known is None or not all(1 <= value <= sides for value in values):
        return " ".join(map(str, values))
    faces = " ".join(known.faces[value - 1] for value in values)
    signs = "".join(known.signs[value - 1] for value in values if known.signs)
    if not signs:
        return faces
    if context.eval_ctx.autoescape:
        shape = '<strong>{}</strong>&nbsp;<span aria-hidden="true" style="font-size:1.35em;line-height:1">{}</span>'
        return Markup(shape).format(faces, signs)
    return f"{faces} {signs}"


def _signed(number: Any) -> str:
    number = int(number)
    return f"−{-number}" if number < 0 else f"+{number}"


@pass_context
def _strong(context: Context, text: Any) -> str:
    return _bold(context, str(text))


@pass_context
def _rebuilt(context: Context, table: str, id: str, *columns: str) -> str:
    teller = _teller(context)
    sure = not any(teller.kit.is_rebuilt(table, id, column) for column in columns)
    return "" if sure else f" ({teller.name('rebuilt')})"


FILTERS = {
    "power": _power,
    "name": _name,
    "value": _value,
    "the": _the,
    "The": _The,
    "of": _of,
    "to": _to,
    "in": _in,
    "from": _from,
    "many": _many,
    "verb": _verb,
    "listed": _listed,
    "either": _either,
    "question": _question,
    "questions": _questions,
    "refusal": _refusal,
    "dice": _dice,
    "signed": _signed,
    "named": _named,
    "kinds": _kinds,
    "wanted": _wanted,
    "field": _field,
    "does": _does,
    "usage": _usage,
    "meant": _meant,
    "rebuilt": _rebuilt,
    "strong": _strong,
}


def _environment(autoescape: bool) -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        autoescape=autoescape, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(FILTERS)
    return environment


_TEXT = _environment(autoescape=False)
_HTML = _environment(autoescape=True)
