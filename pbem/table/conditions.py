"""Conditions of standing orders and programs, and answers that are given in advance.

A condition is a name, by itself (``intercepted``), with a value (``besieged vienna``), or compared with one
(``cp_left >= 2``); several are joined by commas or AND and must all hold. They see what their sender sees, and nothing
else: names are looked up in the question's own context, then in what the game's room tells of the seat's view
(`Game.conditions`), then among the named values, counters and tracks of that view. A name that is not there is false.

The kit's file ``standing.json`` holds what a game offers:

``conditions``
    the closed vocabulary of programs: name -> ``{"value": type}``; the type is ``yes``, ``number``, ``word``, or one or
    more domains of names (``space|sea``). Names that contexts have besides stand in ``context``.
``presets``
    ready-made standing orders: id -> ``{"orders": [{"kind", "if", "order"}], "sensible": true}``; an order ``DEFAULT``
    is the answer that silence would be. A name in braces in ``if`` stands for its value when the preset is taken over
    (``turn {turn}``: in the turn that runs then), ``{value}`` for what its line says behind the id; ``value`` is the
    domain which that is of. ``when`` are conditions under which it can be taken over at all.
``program``
    the kinds of question of one's own turn, which a program goes on answering when nobody else is waited for; the first
    begins such a turn, under the conditions of ``begins`` if there are any (the first of several actions).
``turns``
    the kinds of question that a program may be sent ahead for (``NEXT``): kind -> ``{"orders": [ids]}``, the orders
    that such a turn can begin with; ``comes`` are conditions under which one can still come, where that ends.
``ahead``
    further kinds, asked in the middle of one's own actions, that the lines of a program can foresee; only the
    simulation of reply times reads them (`pbem.table.pace`).

What conditions and presets mean is told by phrases (sections ``[condition]`` and ``[preset]``).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from pbem.table import sight
from pbem.table.facts import Fact
from pbem.table.game import Game
from pbem.table.grammar import yes_or_no
from pbem.table.kit import Kit, common_words
from pbem.table.orders import LONGEST_NAME, Order, Refused, Unreadable, find_name, nearest, shortened
from pbem.table.questions import NoDefault, Question, acts
from pbem.table.table import Table

Condition = Sequence[str]
"""``[name, sign, value]``; sign and value are empty for a name by itself."""

DEFAULT = "DEFAULT"
"""In place of an order that answers in advance: what silence would answer, at once."""

ABLE = "able"
"""True where the question can be answered by more than a pass; known in every game."""

ONLY = "only"
"""The cards that could be played in answer to the question. Its value names cards, and all of these are among them."""

CARDS = "cards"
"""The type of a value that names one card or several."""

_CONDITION = re.compile(
    r"(?P<name>\w+)(?:\s*(?P<sign>>=|<=|!=|=|>|<)\s*(?P<compared>[\w'’. -]+)|\s+(?P<value>[\w'’. -]+))?"
)
_COMPARE = {
    "=": operator.eq, "!=": operator.ne, ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt
}  # fmt: skip
_NUMBER = re.compile(r"-?[0-9]{1,9}")


# --- what a game offers ---


def offered(kit: Kit) -> Mapping[str, Any]:
    """What the kit's ``standing.json`` holds; empty for a game that has none."""
    return kit.files.get("standing", {})


def vocabulary(kit: Kit) -> Mapping[str, Any]:
    """The conditions of a game's programs: name -> value type and text."""
    return offered(kit).get("conditions", {})


def program_kinds(kit: Kit) -> Sequence[str]:
    """The kinds of question of one's own turn, the main one first."""
    return [kind for kind, entry in kit.questions.items() if entry.get("own_turn")]


def turns(kit: Kit) -> Mapping[str, Any]:
    """The kinds of question that begin a turn of one's own, with the orders that may answer them first (``opens``) and
    when they can still come (``comes``)."""
    return {kind: entry for kind, entry in kit.questions.items() if "opens" in entry}


def foreseen_kinds(kit: Kit) -> Sequence[str]:
    """The kinds of question that a turn of one's own foresees: those of the turn, and what else is answered ahead."""
    return [*program_kinds(kit), *(kind for kind, entry in kit.questions.items() if entry.get("ahead"))]


def begins_turn(question: Question, seen: Sight) -> bool:
    """Whether a question begins a turn of one's own, as the game has it: it is of a kind that a program may be sent
    ahead for, or of the first kind of its programs, and then ``begins`` holds (the first of several actions)."""
    kit = seen.table.kit
    main = program_kinds(kit)[:1]
    if question.kind not in main:
        return question.kind in turns(kit)
    return holds(read_conditions(kit.questions[question.kind].get("begins"), kit), seen)


def presets(kit: Kit) -> Mapping[str, Any]:
    """The ready-made standing orders of a game."""
    return offered(kit).get("presets", {})


def preset_usage(kit: Kit, id: str) -> str:
    """The line that takes a ready-made standing order over: ``STANDING PRESET keep_card <card>``."""
    value = presets(kit)[id].get("value")
    return f"STANDING PRESET {id}" + (f" <{value}>" if value else "")


def preset_lines(kit: Kit, preset: str, seen: Sight | None = None) -> list[str]:
    """The lines of a ready-made standing order, named as its line has it (``keep_card 31``; blanks may stand for the
    underscores), for one who has `seen` how things stand. Without it the names in braces stay as they are.

    Raises `Unreadable` for one that there is not, that wants a value or has one too many, or cannot be taken over now.
    """
    known = presets(kit)
    id, said = _named_preset(known, preset)
    if id is None:
        lines = [preset_usage(kit, one) for one in nearest(preset, list(known)) or known]
        raise Unreadable("no_preset", lines, preset=shortened(preset))
    domain = known[id].get("value")
    if bool(domain) != bool(said):
        code = "preset_wants_value" if domain else "preset_without_value"
        raise Unreadable(code, [preset_usage(kit, id)], preset=id)
    value = find_name(kit, domain, said) if domain else ""
    if seen is not None and not holds(read_conditions(known[id].get("when"), kit), seen):
        raise Unreadable("preset_not_now", preset=id)

    def put_in(name: re.Match[str]) -> str:
        return value if name[1] == "value" else name[0] if seen is None else str(seen.value(name[1]))

    return [_BRACES.sub(put_in, _line(order)) for order in known[id]["orders"]]


def _named_preset(known: Mapping[str, Any], said: str) -> tuple[str | None, str]:
    """The ready-made standing order that words name, and what they say behind it."""
    words = said.casefold().replace("_", " ").replace("-", " ").split()
    for number in range(len(words), 0, -1):
        if (id := "_".join(words[:number])) in known:
            return id, " ".join(words[number:])
    return None, ""


def for_a_time(conditions: str) -> bool:
    """Whether conditions of a ready-made standing order, or its line, hold names that stand for how things are when it
    is taken over."""
    return _BRACES.search(conditions) is not None


_BRACES = re.compile(r"\{(\w+)\}")


def _line(order: Mapping[str, str]) -> str:
    conditions = f" IF {order['if']}" if order.get("if") else ""
    return f"STANDING {order['kind']}{conditions}: {order['order']}"


# --- reading ---


def read_conditions(
    text: str | None, kit: Kit | None = None, *, closed: bool = False, also: Sequence[str] | None = None
) -> list[list[str]]:
    """``[name, sign, value]`` each. Raises `Unreadable`.

    With a kit that has a vocabulary the values of its names are checked. `closed`: no other names are taken; `also`:
    only these besides.
    """
    words = vocabulary(kit) if kit is not None else {}
    if closed and not words:
        raise Unreadable("no_conditions_for_orders")
    conditions: list[list[str]] = []
    joining = _joining(kit.words("and") if kit is not None else common_words("and"))
    for piece in joining.split(" ".join((text or "").split())):
        if not piece.strip():
            continue
        match = _CONDITION.fullmatch(piece.strip())
        if match is None:
            raise Unreadable("no_condition", usages(words)[:8] or examples(kit), said=shortened(piece.strip()))
        name, sign = match["name"].casefold(), match["sign"] or ""
        value = (match["compared"] or match["value"] or "").strip()
        if value and not sign:
            sign = "="
        if sign not in ("", "=", "!=") and not _NUMBER.fullmatch(value):
            raise Unreadable("compares_with_number", said=shortened(piece.strip()), sign=sign)
        if name in words:
            assert kit is not None
            value = _read_value(kit, name, words[name]["value"], value)
        elif words and (closed or (also is not None and name not in (ABLE, *also))):
            raise Unreadable(partial(_unknown, words, name, () if closed else (ABLE, *(also or ()))))
        conditions.append([name, sign, value])
    return conditions


@cache
def _joining(words: frozenset[str]) -> re.Pattern[str]:
    """What stands between two conditions: a comma, or a word for AND."""
    return re.compile(rf",|(?<!\w)(?:{'|'.join(map(re.escape, sorted(words)))})(?!\w)", re.IGNORECASE)


def _unknown(words: Mapping[str, Any], name: str, also: Sequence[str]) -> Refused:
    """What is told of a name that is no condition, and what may have been meant."""
    near = nearest(name[:LONGEST_NAME], [*words, *also])
    return Refused("no_such_condition", None, near or usages(words), said=shortened(name))


def usages(words: Mapping[str, Any]) -> list[str]:
    """The forms of a vocabulary's conditions, for hints and help: ``won, at <space or sea>, turn >= <number>``."""
    forms = {"yes": "", "number": " >= <number>"}
    return [
        name + forms.get(entry["value"], f" <{entry['value'].replace('|', ' or ')}>") for name, entry in words.items()
    ]


def examples(kit: Kit | None) -> list[str]:
    """Conditions as a standing order may have them, with names of the game at hand, for hints."""
    lines = [ABLE]
    if kit is None:
        return lines
    powers = kit.tables.get(kit.seats.get("table", ""), {}).keys()
    for domain, ids in kit.labels.items():
        named = kit.display(domain, next(iter(ids))).casefold()
        if ids.keys() == powers:
            return [*lines, f"attacker != {named}"]
        if len(lines) == 1:  # the first things that a kit names are its places
            lines.insert(0, f"{domain} {named}")
    return lines


def _read_value(kit: Kit, name: str, kind: str, value: str) -> str:
    """The value as it is compared. Raises `Unreadable` for one that the name never has."""
    if not value or kind == "word":
        return value
    if kind == "number":
        if not _NUMBER.fullmatch(value):
            raise Unreadable("condition_wants_number", [f"{name} >= 2"], name=name, said=shortened(value))
        return value
    if kind == CARDS:
        return _read_cards(kit, value)
    if kind == "yes":
        said = yes_or_no(kit, value)
        if said is not None:
            return "yes" if said else "no"
        raise Unreadable("condition_of_itself", [name], name=name)
    problems: list[Unreadable] = []
    for domain in kind.split("|"):
        try:
            return find_name(kit, domain, value)
        except Unreadable as error:
            problems.append(error)
    raise problems[0]


def _read_cards(kit: Kit, value: str) -> str:
    """The numbers of the cards that are named: one by its name, or several by their numbers."""
    try:
        return find_name(kit, "card", value)
    except Unreadable:
        if not all(map(str.isdecimal, value.split())):
            raise
    return " ".join(find_name(kit, "card", one) for one in value.split())


def conditions_text(conditions: Sequence[Condition]) -> str:
    """Conditions as words of a line."""
    pieces = []
    for name, sign, value in conditions:
        pieces.append(" ".join(word for word in (name, "" if sign == "=" else sign, value) if word))
    return ", ".join(pieces)


# --- whether they hold ---


@dataclass
class Sight:
    """What the holder of `powers` sees, as far as conditions ask: looked up when first asked for.

    `question` is what is asked of him (None: nothing); `facts` are what he was told since his program began.
    """

    game: Game
    table: Table
    powers: Sequence[str]
    question: Question | None = None
    facts: Callable[[], Sequence[Fact]] | None = None
    _values: dict[str, Any] | None = field(default=None, repr=False)
    _seen: Any = field(default=None, repr=False)

    @property
    def power(self) -> str:
        return self.question.power if self.question is not None else self.powers[0]

    def value(self, name: str) -> Any:
        """The value of a name; None where it is not there."""
        if self.question is not None and name in self.question.context:
            return self.question.context[name]
        if name == ABLE:
            return self._able()
        if name == ONLY:
            return self._playable()
        seen = self._view()
        if self._values is None:
            facts = self.facts() if self.facts is not None else ()
            self._values = dict(self.game.conditions(seen, self.power, self.question, facts))
        if name in self._values:
            return self._values[name]
        board = seen.board
        for part in (board.state, board.counters):
            if name in part:
                return part[name]
        return board.tracks.get(name, {}).get(self.power)

    def _view(self) -> Table:
        if self._seen is None:
            table = self.table
            self._seen = Table(sight.view(table.board, self.powers), table.kit, table.options, game=self.game)
        return self._seen

    def _able(self) -> bool:
        """Whether more than a pass may be answered; the question knows its own power's cards and no other's."""
        return self.question is not None and any(acts(order) for order in self.question.legal(self.table))


    def _playable(self) -> list[Any] | None:
        """The cards that could be played in answer; None among them for an answer without one."""
        if self.question is None:
            return None
        return [getattr(order, "card", None) for order in self.question.legal(self.table) if acts(order)]


def holds(conditions: Sequence[Condition], seen: Sight) -> bool:
    """Whether all conditions hold."""
    return all(_holds(name, sign, wanted, seen) for name, sign, wanted in conditions)


def _holds(name: str, sign: str, wanted: str, seen: Sight) -> bool:
    value = seen.value(name)
    if name == ONLY:
        return value is not None and (set(value) <= set(wanted.split())) is (sign != "!=")
    return _compare(value, sign, wanted, seen.table.kit)


def _compare(value: Any, sign: str, wanted: str, kit: Kit) -> bool:
    if value is None:
        return False
    if sign == "":
        return bool(value)
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if isinstance(value, int):
        return _NUMBER.fullmatch(wanted) is not None and _COMPARE[sign](value, int(wanted))
    values = [str(v) for v in value] if isinstance(value, list | tuple) else [str(value)]
    same = any(_same(one, wanted, kit) for one in values)
    return same if sign == "=" else sign == "!=" and not same


def _same(value: str, wanted: str, kit: Kit) -> bool:
    if value.casefold() == wanted.casefold():
        return True
    for domain, ids in kit.labels.items():
        if value in ids:
            try:
                return find_name(kit, domain, wanted) == value
            except Unreadable:
                continue
    return False


# --- answers given in advance ---


def standing_answer(
    kind: str, conditions: Sequence[Condition], line: str, seen: Sight, read: Callable[[str], Order], *, round: str = ""
) -> Order | None:
    """What a standing order answers to the question that is seen; None where it does not fit or is not legal now.

    `read` makes an order of a line; `round` is the kind of the whole wait, which a standing order may name as well.
    """
    question = seen.question
    if question is None or kind not in (question.kind, round) or not holds(conditions, seen):
        return None
    try:
        order = question.default_answer(seen.table) if line.upper() == DEFAULT else read(line)
        question.check(seen.table, order)
    except (Refused, Unreadable, NoDefault):
        return None
    return order
