"""Sentences that are kept as what they say, so that each reader is told them in his language with names for ids.

A sentence is ``{"form": a sentence of the catalogue, name: value, …}``, as JSON; what its values are is known by their
names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.render.narrative import Teller
from pbem.table.refusals import Refused

Sentence = dict[str, Any]

_IN_WORDS: Mapping[str, Callable[[Any, Teller], str]] = {
    "power": lambda id, teller: teller.power(id),
    "powers": lambda ids, teller: teller.language.listed([teller.power(id) for id in ids]),
    "kind": lambda kind, teller: teller.question_title(kind),
    "kinds": lambda kinds, teller: teller.language.either([teller.question_title(kind) for kind in kinds]),
    "usage": lambda line, teller: teller.language.usage(line),
    "usages": lambda lines, teller: "; ".join(teller.language.usage(line) for line in lines),
    "said": lambda sentence, teller: teller.language.text(sentence),
    "condition": lambda name, teller: teller.condition(name),
    "preset": lambda name, teller: teller.preset(name),
    "refusal": lambda error, teller: teller.refusal(Refused(error["code"], **error["values"])),
}


def say(form: str, **values: Any) -> Sentence:
    """A sentence of the catalogue with its values."""
    return {"form": form, **values}


def line(**value: Any) -> Sentence:
    """A line that is one value alone; `text` stands as it is."""
    (name,) = value
    return {"form": f"%({name})s", **value}


def told(sentences: Sequence[Sentence], teller: Teller) -> str:
    """Sentences in the language of a teller, a line each."""
    return "\n".join(_told(sentence, teller) for sentence in sentences)


def _told(sentence: Sentence, teller: Teller) -> str:
    values = {
        name: _IN_WORDS[name](value, teller) if name in _IN_WORDS else value
        for name, value in sentence.items()
        if name != "form"
    }
    return teller.language.text(sentence["form"], **values)
