"""Who tells facts, questions and refusals by their phrases."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import TemplateError, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from pbem.render import tellings
from pbem.render.language import SOURCE
from pbem.render.narrative.filters import FILTERS
from pbem.render.narrative.names import Names
from pbem.render.narrative.phrases import (
    ANY,
    BREAK,
    MARKS,
    RESTORE,
    RULING,
    SET_BACK,
    Phrase,
    PhraseError,
    environment,
    phrases_in,
    phrases_of,
)
from pbem.table.facts import Fact
from pbem.table.kit import Frozen, Kit
from pbem.table.refusals import Refused

log = logging.getLogger(__name__)

RENDER_ERRORS = (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError)
"""What a phrase that does not fit its values can raise."""


class Teller(Names):
    """Tells facts of one game in one language; `narrate` is the way to use it, templates use `name` and `power`."""

    def tell(self, fact: Fact) -> tuple[str, Markup]:
        """One fact as text and as HTML, with its mark; empty when it is not worth telling."""
        text, html, _ = self.tell_with(fact, [], {})
        return text, html

    def tell_with(self, fact: Fact, waiting: list[Fact], previous: Fact) -> tuple[str, Markup, set[bool]]:
        """The same for a fact that comes after others not yet told; and what it tells of these: dice (True), all that
        is no dice (False)."""
        thrown = [other for other in waiting if is_thrown(other)]
        paid = [other for other in waiting if not is_thrown(other)]
        goes_back = self._goes_back(fact)
        for key in (*_keys(fact), (str(fact.get("fact")), RULING)) if goes_back else _keys(fact):
            phrase = self.phrases.templates.get(key)
            if phrase is None:
                continue
            try:
                values = {**fact, "thrown": thrown, "paid": paid, "previous": previous}
                text, html = self._render(phrase, values)
                if goes_back and not text.strip(MARKS) and key[1] != RULING:
                    continue
                return text, html, phrase.tells(TEXT)
            except RENDER_ERRORS as error:
                # A phrase that does not fit its fact must cost no player his report.
                log.warning("phrase %s of %s does not fit a fact: %s", " ".join(key), kit_language(self), error)
        return *self.last_resort(fact), set()

    def _goes_back(self, fact: Fact) -> bool:
        """Whether a fact sets something back that has a name: it is told, whatever the phrases of its subject leave
        out in play, where another sentence says it."""
        if fact.get("why") != RESTORE:
            return False
        return fact.get("fact") in SET_BACK or (fact.get("fact") == "state" and bool(self.told_value(fact["name"])))

    def _render(self, phrase: Phrase, values: Mapping[str, Any]) -> tuple[str, Markup]:
        values = {**values, "item": values, "teller": self}
        return _tidy(phrase.template(TEXT).render(values)), Markup(_tidy(phrase.template(HTML).render(values)))

    def last_resort(self, fact: Fact) -> tuple[str, Markup]:
        """What can be said of any fact: its type and its fields, with the names of things."""
        told = {k: v for k, v in fact.items() if k not in ("fact", "what", "why", "section", "to")}
        kind = str(fact.get("what") or fact.get("fact") or "?").replace("_", " ").capitalize()
        fields = ", ".join(f"{key.replace('_', ' ')}: {self.plain(value)}" for key, value in told.items())
        text = f"{kind} ({fields})." if fields else f"{kind}."
        return text, escape(text)

    def question(
        self, kind: str, context: Mapping[str, Any], power: str | None = None, legal: Sequence[str] = (),
        possible: Sequence[str] = (),
    ) -> tuple[str, str]:
        """What a kind of question is called, and what it asks, in a sentence or two ("" where nothing more is said).

        Its phrase has the fields of the context, `legal`, some lines that may answer, `possible`, the ids of what can
        be done now (`Question.possible_now`), and `tables`, those of the kit. Where the section ``[chosen]`` says what
        is chosen, that stands in both (``[ask] chosen`` and ``"chosen title"``).
        """
        values = {
            "fact": "ask", "what": kind, "power": power, "legal": list(legal), "possible": list(possible),
            "tables": self.kit.tables, **context,
        }  # fmt: skip
        chosen = self._chosen(kind, values)
        if chosen:
            told = {**values, "chosen": chosen}
            return self._phrase(("ask", "chosen title"), told), self._phrase(("ask", "chosen"), told)
        return self.question_title(kind), self._phrase(("ask", kind), values)

    def _chosen(self, kind: str, values: Fact) -> str:
        """What an event has one choose, of ``[chosen]``: by ``"<kind> <number> <what>"``, else by ``"<kind> <what>"``;
        "" where the phrases say nothing of it."""
        what = values.get("choose", "")
        for key in (f"{kind} {values.get('number', values.get('card', ''))} {what}", f"{kind} {what}"):
            said = self._phrase(("chosen", " ".join(key.split())), values)
            if said:
                return said
        return ""

    def choice(self, domain: str, id: str, what: str = "") -> str:
        """What one should know to choose a thing: what it costs or gives, its ``effects``, or the ``group`` of which it
        is; "" where the game's phrases say nothing. Of cards the phrases of the hand tell."""
        said = self.of_kit("choice", f"{domain} {what}".strip(), id)
        if not said and domain == "card" and what != "group":
            said = self.of_kit("hand", what or domain, id)
        return " ".join(said.split())

    def forfeited(self, kind: str, order: str, context: Mapping[str, Any]) -> str:
        """What an order, as the answer to a kind of question, gives up; "" where that is nothing. Its phrase,
        ``[forfeited] "<question> <order>"``, has the fields of the question's context."""
        return self._phrase(("forfeited", f"{kind} {order}"), {"tables": self.kit.tables, **context})

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


def check_phrases(game: str, language: str) -> list[str]:
    """The phrases of a game, as "section key", that a phrase file in a language has.

    Raises `PhraseError` for a file or a phrase that cannot be read.
    """
    templates = phrases_of(game, language).templates
    for (section, key), phrase in templates.items():
        try:
            _ = phrase.template(TEXT), phrase.template(HTML), phrase.tells(TEXT)
        except (TemplateError, TypeError) as error:
            raise PhraseError(f"{phrase.file}, [{section}] {key}: {error}") from error
    return sorted(" ".join(key) for key in templates)


def own_phrases(game: str | None, language: str) -> dict[tuple[str, str], set[str]]:
    """The phrases that the files of one language hold, without what stands in for missing ones: (section, key) -> the
    values that the phrase asks for. `game` None: those of the table, which every game has.

    Raises `PhraseError` for a file or a phrase that cannot be read.
    """
    phrases = phrases_in(game, language)
    asked_of = {}
    for (section, key), phrase in phrases.templates.items():
        try:
            asked_of[section, key] = phrase.asks_for(TEXT)
        except TemplateError as error:
            raise PhraseError(f"{phrase.file}, [{section}] {key}: {error}") from error
    words = {(section, key): set[str]() for section, entries in phrases.words.items() for key in entries}
    return {**asked_of, **words}


def is_thrown(fact: Fact) -> bool:
    """Whether a fact that waits to be told is dice, or a draw."""
    return fact.get("fact") in ("roll", "draw")


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


@pass_context
def _question(context: Context, kind: str) -> str:
    return context["teller"].question_title(kind)


@pass_context
def _questions(context: Context, kinds: Iterable[str]) -> list[str]:
    return [context["teller"].question_title(kind) for kind in kinds]


@pass_context
def _refusal(context: Context, stored: str | Mapping[str, Any]) -> str:
    return context["teller"].refusal(Refused(stored) if isinstance(stored, str) else Refused.from_json(stored))


@pass_context
def _sentences(context: Context, kept: Iterable[tellings.Sentence]) -> list[str]:
    """Sentences that were kept, each in the language of the reader."""
    return [tellings.told([sentence], context["teller"]) for sentence in kept]


_FILTERS: Mapping[str, Callable[..., Any]] = {
    **FILTERS, "question": _question, "questions": _questions, "refusal": _refusal, "sentences": _sentences,
}  # fmt: skip
TEXT = environment(autoescape=False, filters=_FILTERS)
HTML = environment(autoescape=True, filters=_FILTERS)
