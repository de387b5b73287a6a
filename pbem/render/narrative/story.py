"""Facts told one after the other: what belongs together, and paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from pbem.render.language import SOURCE
from pbem.render.narrative.phrases import ALONE, COUNTED, JOINS, OPENS, WAITS, Phrases
from pbem.render.narrative.teller import Teller, is_thrown
from pbem.table.board import SUPPLY
from pbem.table.facts import Fact
from pbem.table.kit import Kit

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


def _moves_together(facts: Iterable[Fact], phrases: Phrases) -> Iterator[tuple[list[int], Fact]]:
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
        with_it = [waiting for waiting in self._waiting if is_thrown(waiting.fact) in told]
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
        if section is not None and (called := self.teller.section(str(section))) not in paragraph.sections:
            paragraph.sections.append(called)


def _times(sentence: _Sentence, number: int) -> _Sentence:
    """A sentence that is told for so many equal ones: their number stands before its full stop."""
    if number < 2:
        return sentence
    stop = "." if sentence.text.endswith(".") else ""
    text, html = (told.removesuffix(stop) + f" {TIMES}{number}{stop}" for told in (sentence.text, sentence.html))
    return replace(sentence, text=text, html=Markup(html))
