"""Sentences that are kept as what they say, so that each reader is told them in his language with names for ids.

A sentence is ``{"form": a sentence of the catalogue, name: value, …}``, as JSON; what its values are is known by their
names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any, Protocol

from pbem.render.language import Language
from pbem.table.kit import Kit
from pbem.table.refusals import Refused
from pbem.table.said import Said


class Speaker(Protocol):
    """What a teller (`pbem.render.narrative.Teller`) is asked for here; it tells such sentences itself."""

    kit: Kit
    language: Language
    zone: tzinfo

    def condition(self, name: str) -> str: ...
    def name(self, id: str) -> str: ...
    def plain(self, value: Any) -> str: ...
    def power(self, id: str | None) -> str: ...
    def preset(self, name: str) -> str: ...
    def question_title(self, kind: str) -> str: ...
    def refusal(self, refused: Refused) -> str: ...
    def value_name(self, name: str) -> str: ...


Sentence = dict[str, Any]

STATES = {
    "inviting": "players are invited", "running": "running", "paused": "paused", "held": "held",
    "finished": "finished", "archived": "put away",
}  # fmt: skip
"""The states of a campaign, as sentences of the catalogue."""

_IN_WORDS: Mapping[str, Callable[[Any, Speaker], str]] = {
    "power": lambda id, teller: teller.power(id),
    "powers": lambda ids, teller: teller.language.listed([teller.power(id) for id in ids]),
    "kind": lambda kind, teller: teller.question_title(kind),
    "kinds": lambda kinds, teller: teller.language.either([teller.question_title(kind) for kind in kinds]),
    "usage": lambda line, teller: teller.language.usage(line),
    "usages": lambda lines, teller: "; ".join(teller.language.usage(line) for line in lines),
    "seat": lambda id, teller: teller.language.seat(id),
    "other_seat": lambda id, teller: teller.language.seat(id),
    "seats": lambda ids, teller: teller.language.listed([teller.language.seat(id) for id in ids]),
    "state": lambda id, teller: teller.language.text(STATES[id]),
    "states": lambda ids, teller: teller.language.either([teller.language.text(STATES[id]) for id in ids]),
    "value_name": lambda name, teller: teller.value_name(name),
    "faults": lambda faults, teller: "; ".join(_fault(fault, teller) for fault in faults),
    "fault": lambda fault, teller: _fault(fault, teller),
    "is_to_be": lambda sentence, teller: teller.language.text(sentence),
    "owner": lambda id, teller: teller.power(id),
    **dict.fromkeys(
        ("place", "piece", "other_piece", "pile", "track", "unit", "thing", "region"),
        lambda value, teller: teller.plain(value),
    ),
    **dict.fromkeys(
        ("things", "other_things"),
        lambda ids, teller: teller.language.listed([teller.plain(id) for id in ids]) or teller.power(None),
    ),
    "choices": lambda words, teller: teller.language.listed(words),
    "said": lambda sentence, teller: teller.language.text(sentence),
    "condition": lambda name, teller: teller.condition(name),
    "preset": lambda name, teller: teller.preset(name),
    "deadline": lambda at, teller: teller.language.moment(datetime.fromisoformat(at), teller.zone),
    "refusal": lambda error, teller: teller.refusal(Refused(error["code"], **error["values"])),
}


def say(form: str, **values: Any) -> Sentence:
    """A sentence of the catalogue with its values."""
    return {"form": form, **values}


def kept(said: str) -> Sentence:
    """What the program says, as a sentence to be kept."""
    return say(said.message, **said.values) if isinstance(said, Said) else line(text=said)


def line(**value: Any) -> Sentence:
    """A line that is one value alone; `text` stands as it is."""
    (name,) = value
    return {"form": f"%({name})s", **value}


def _fault(fault: str, teller: Speaker) -> str:
    return in_words(fault, teller) if isinstance(fault, Said) else _with_names(fault, teller)


def _with_names(text: str, teller: Speaker) -> str:
    """What the rules say among themselves, with names for the ids in it."""
    known = {id for ids in teller.kit.labels.values() for id in ids}
    return re.sub(r"\b[a-z][\w:]*\b", lambda word: teller.name(word[0]) if word[0] in known else word[0], text)


def in_words(said: str, teller: Speaker) -> str:
    """What an error or a schema says, in the language of a teller."""
    return _told(kept(said), teller) if isinstance(said, Said) else teller.language.text(said)


def told(sentences: Sequence[Sentence], teller: Speaker) -> str:
    """Sentences in the language of a teller, a line each."""
    return "\n".join(_told(sentence, teller) for sentence in sentences)


def _told(sentence: Sentence, teller: Speaker) -> str:
    values = {
        name: _IN_WORDS[name](value, teller) if name in _IN_WORDS else value
        for name, value in sentence.items()
        if name != "form"
    }
    return teller.language.text(sentence["form"], **values)
