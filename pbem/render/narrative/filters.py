"""What phrases can do with their values: the filters that need names and words alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from pbem.render.language import lower_first
from pbem.render.narrative.names import Names
from pbem.table.grammar import LARGEST_NUMBER


def _teller(context: Context) -> Names:
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
def _told(context: Context, name: str) -> str:
    """What a value of the state is called; "" for a note of the rules, which is told to nobody."""
    return _teller(context).told_value(name)


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
def _beyond(context: Context, value: Any, other: Any) -> str:
    """What a list, or a value by name, has that another one has not; "" for values that are neither."""
    teller = _teller(context)
    if isinstance(value, Mapping) and isinstance(other, Mapping | None):
        return teller.plain({name: one for name, one in value.items() if (other or {}).get(name) != one})
    if isinstance(value, list | tuple) and isinstance(other, list | tuple | None):
        return teller.plain([one for one in value if one not in (other or ())])
    return ""


@pass_context
def _either(context: Context, items: Iterable[Any]) -> str:
    teller = _teller(context)
    return teller.language.either([teller.plain(item) for item in items])


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


FILTERS: dict[str, Callable[..., Any]] = {
    "power": _power,
    "name": _name,
    "value": _value,
    "told": _told,
    "the": _the,
    "The": _The,
    "of": _of,
    "to": _to,
    "in": _in,
    "from": _from,
    "many": _many,
    "verb": _verb,
    "listed": _listed,
    "beyond": _beyond,
    "either": _either,
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
