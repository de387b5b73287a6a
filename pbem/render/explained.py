"""What an order is, to one who asks: its form, what it does, what may stand in each place, what it costs, what is
legal now.

What something costs is said by the phrases of the game, ``[help]`` under the order's id (a line for each ``¶``); they
have the ``tables`` of the kit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.games import UnknownGame, find_game
from pbem.render.language import Language, lower_first
from pbem.render.narrative import Teller
from pbem.table.kit import Kit
from pbem.table.orders import Choice, Field, Many, Number, Order, Text, YesNo

NAMES_TOLD = 3


def field_help(definition: Field, kit: Kit, language: Language, named: Sequence[str] | None = None) -> str:
    """What may stand in a field, in words of a language; `named`: the ids of what it may name now, where that is known,
    so that nothing else is shown for an example."""
    _ = language.text
    if isinstance(definition, Many):
        of = definition.of
        inner = field_help(of, kit, language, named) if isinstance(of, Field) else language.usage(of.usage())
        return _("one or more, separated by commas: %(each)s", each=inner)
    if isinstance(definition, Number):
        return _("a whole number")
    if isinstance(definition, YesNo):
        return _("YES or NO")
    if isinstance(definition, Choice):
        return language.listed([_chosen(choice, kit, language) for choice in definition.choices])
    if isinstance(definition, Text):
        return _("words to the end of the line")
    domains = domains_of(definition)
    if not domains:
        return _(definition.form) if definition.form else language.usage(definition.usage())
    kinds = " / ".join(lower_first(language.field(domain)) for domain in domains)
    known = [
        kit.display(domain, id, language.code)
        for domain in domains for id in kit.labels.get(domain, {}) if named is None or id in named
    ]  # fmt: skip
    some = ", ".join(known[:NAMES_TOLD])
    return _("a name: %(kind)s, such as %(examples)s", kind=kinds, examples=some) if known else kinds


def _chosen(choice: str, kit: Kit, language: Language) -> str:
    """A word of the grammar, with what it means where the language has another word for it: ``VP (PV)``."""
    word, meaning = choice.replace("_", " ").upper(), Teller(kit, language.code).plain(choice)
    return word if meaning.casefold() == word.casefold() else f"{word} ({meaning})"


def fields_of(kind: type[Order]) -> Iterator[tuple[str, Field]]:
    """The fields of an order with their names, those of the entries of a list behind it."""
    for name, definition in kind.fields.items():
        yield name, definition
        if isinstance(definition, Many) and not isinstance(definition.of, Field):
            yield from definition.of.fields.items()


def explanation(explained: Sequence[Mapping[str, Any]], teller: Teller) -> str:
    """Orders as `pbem.campaign.asked.explained` gives them, told in the language of a teller."""
    try:
        kinds = {kind.id(): kind for kind in find_game(teller.kit.game).orders}
    except UnknownGame:
        return ""
    told = [_one(kinds[entry["order"]], entry, teller) for entry in explained if entry["order"] in kinds]
    return "\n\n".join(told)


def _one(kind: type[Order], entry: Mapping[str, Any], teller: Teller) -> str:
    language = teller.language
    lines = [language.usage(kind.usage()), language.usage(language.text(kind.help()))]
    named = entry.get("named", {})
    for name, definition in fields_of(kind):
        more = f" ({language.usage(language.text(definition.help))})" if definition.help else ""
        said = field_help(definition, teller.kit, language, named.get(name, []))
        lines.append(f"- {lower_first(language.field(name))}: {said}{more}")
    lines += filter(None, teller.of_kit("help", kind.id(), kind.id()).split("\n"))
    if entry["legal"]:
        lines += [language.text("Legal now, for example:"), *(f"  {line}" for line in entry["legal"])]
    elif entry["asked"]:
        lines.append(language.text("It may answer what you are asked now."))
    else:
        lines.append(language.text("It is not asked of you now."))
    return "\n".join(lines)


def domains_of(definition: Field) -> list[str]:
    """The kinds of names that may stand in a field, or in each entry of a list of names."""
    if isinstance(definition, Many):
        return domains_of(definition.of) if isinstance(definition.of, Field) else []
    return list(definition.wanted().get("kinds", ()))
