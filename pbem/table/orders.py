"""Orders, what a seat says, and questions, what the rules wait for: each is legal only in the face of the other.

An order is a line of the grammar (`pbem.table.grammar`) with what makes it legal: `Order.check`, which a game
overrides, raises `Refused` from the position on the table. A question says whom the rules wait for, which kinds of
order may answer and what silence means; it works its legal answers out from the table when it is asked for them, so
forms, mail help, refusals, standing orders and random play all see the rules as they stand now.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, cast

from marshmallow import ValidationError

from pbem.table.grammar import (
    LONGEST_NAME,
    MAX_LINE_LENGTH,
    NAMES_TO_LIST,
    AnyName,
    Choice,
    Field,
    Line,
    Many,
    Name,
    Number,
    Phrases,
    Text,
    Way,
    YesNo,
    find_in,
    find_name,
    nearest,
    shortened,
    split_words,
)
from pbem.table.kit import Kit
from pbem.table.refusals import FORM, Refused, Unreadable
from pbem.table.table import Table

Answers = Mapping[str, Any]
"""key of a question -> the order that answers it (in a `Window`: a list of orders)."""


class Order(Line):
    """Base of all orders. A subclass gives `line`, fields, and `check` (and `candidates`)."""

    gives_turn_away: ClassVar[bool] = False
    """Whether it ends its sender's turn: such an order is never kept for another turn than the one it was sent for."""

    is_open: ClassVar[bool] = False
    """Whether far more may be said with it than its candidates are, so that it may be legal where none of them is."""

    says: ClassVar[bool | None] = None
    """What it says where the question is one of yes or no."""

    @classmethod
    def may_come(cls, table: Table, question: Question) -> bool:
        """Whether one of its kind may be legal where no candidate is."""
        return cls.is_open and question.takes(cls)

    @property
    def is_likely(self) -> bool:
        """Whether somebody might want to give it: the others are no examples where there are such, and are shown to
        nobody who has not said their verb."""
        return True

    def giving(self) -> list[type[Order]]:
        """The kinds of line with whose verbs one says what makes it unlikely."""
        return [type(self)]

    def check(self, table: Table, question: Question) -> None:
        """Raise `Refused` when the rules do not allow this order as an answer to the question now."""

    def warning(self, table: Table, power: str) -> Refused | None:
        """What its sender is told beside his order, which is legal, in the words of a refusal: what it may cost him
        that he may not have seen. None for nothing."""
        return None

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        """Every order worth a `check`: all the legal ones are among these (or a fair choice, see `complete`)."""
        yield cls()

    @classmethod
    def stands(cls, table: Table, question: Question) -> Self | None:
        """The order of this kind that another gave, which an answer may refer to (as Britain proposes)."""
        return None

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        """One legal order of this kind by chance, or None where none is legal; override where there are many."""
        legal = list(cls.legal(table, question))
        return chance.choice(legal) if legal else None

    @classmethod
    def legal(cls, table: Table, question: Question) -> Iterator[Self]:
        """The legal orders of this kind, in a fixed order: the candidates that `check` does not refuse."""
        for order in cls.candidates(table, question):
            try:
                order.check(table, question)
            except Refused:
                continue
            yield cast(Self, order)

    @classmethod
    def examples(cls, table: Table, question: Question) -> Iterator[Order]:
        """The legal orders of this kind as they are shown, those worth seeing first."""
        return cls.legal(table, question)


class Pass(Order):
    """Do nothing here."""

    line = "PASS"
    gives_turn_away = True


class Decline(Order):
    """Say no to what is asked."""

    line = "DECLINE"
    says = False


class Done(Order):
    """Nothing more to say in this window."""

    line = "DONE"
    gives_turn_away = True


class Showing(Order):
    """Base of an order that answers nothing: it shows something of its sender's to powers, who alone and at once get
    it from the service, which vouches for it."""

    whole: ClassVar[bool] = False
    """Whether it shows all that there is of it."""

    def viewers(self) -> list[str]:
        """The powers that it is shown to."""
        raise NotImplementedError

    def shown(self, table: Table, power: str) -> dict[str, list[str]]:
        """What a power shows: domain of names -> names, as they are on the board now."""
        raise NotImplementedError

    def replace(self, earlier: list[Order]) -> list[Order]:
        """What was said in a window stays as it is."""
        return earlier


def order_from_json(kinds: Iterable[type[Order]], data: Any, names: Kit | None = None) -> Order:
    """The order of a JSON object, checked by its schema, and its names by those of a kit, where it is somebody's own
    words. Raises `Unreadable`."""
    known = {kind.id(): kind for kind in kinds}
    wanted = data.get("order") if isinstance(data, dict) else None
    if not isinstance(wanted, str) or wanted not in known:
        raise Unreadable("no_such_order", sorted(known), known=sorted(known))
    kind = known[wanted]
    try:
        order = kind(**kind.schema().load({k: v for k, v in data.items() if k != "order"}))
    except ValidationError as error:
        told = sorted(error.normalized_messages().items())
        fields = [
            {
                "field": name,
                "problem": _in_a_sentence(problem),
                "wanted": kind.fields[name].wanted() if name in kind.fields else None,
            }
            for name, problem in told
        ]
        raise Unreadable("fields_do_not_fit", [FORM + kind.usage()], fields=fields) from error
    return order if names is None else cast(Order, order.understood(names))


def _in_a_sentence(problem: Any) -> str:
    """What is wrong with a field, or with each of a list's entries, as a player reads it."""
    if isinstance(problem, dict):
        return "; ".join(_in_a_sentence(one) for one in problem.values())
    return " ".join(map(str, problem)) if isinstance(problem, list) else str(problem)


def read_order(kinds: Iterable[type[Order]], line: str, names: Kit) -> Order:
    """The order that a line of a mail stands for. Raises `Unreadable`, with the nearest verbs for an unknown one."""
    if len(line) > MAX_LINE_LENGTH:
        raise Unreadable("line_too_long", length=len(line), most=MAX_LINE_LENGTH)
    words = split_words(line)
    if not words:
        raise Unreadable("line_empty")
    kinds = list(kinds)
    verb = words[0].casefold()
    meant = (verb, names.spellings.get(verb, verb))
    fitting = [kind for kind in kinds if kind.pattern.key in meant]
    if not fitting:
        verbs = sorted({kind.pattern.verb for kind in kinds})
        hints = nearest(words[0][:LONGEST_NAME], verbs) or [", ".join(verbs)]
        raise UnknownVerb("unknown_verb", hints, said=shortened(words[0]))
    problems: list[Unreadable] = []
    for kind in fitting:
        try:
            return cast(Order, kind.pattern.read([kind.pattern.verb, *words[1:]], names))
        except Unreadable as error:
            problems.append(error)
    reached = max(problem.at for problem in problems)  # what was understood furthest is what was meant
    first, *others = [problem for problem in problems if problem.at == reached]
    raise first.with_hints([hint for problem in others for hint in problem.hints], reached) if others else first


class UnknownVerb(Unreadable):
    """A line whose first word begins no order."""


class NoDefault(Exception):
    """Silence does not answer this question: it is held until somebody acts."""


@dataclass
class Question:
    """What is asked of one power.

    `kind` names it for deadlines, standing orders and templates; `orders` are the kinds of order that may answer it;
    `default` gives the answer that silence means (None: no default, the question is held); `context` holds what the
    legality depends on beyond the board (where a unit retreats from), JSON values only.
    """

    power: str
    kind: str
    orders: Sequence[type[Order]]
    default: Callable[[Table, Question], Order] | Order | None = None
    context: dict[str, Any] = field(default_factory=dict)
    section: str | None = None
    key: str = ""

    def __post_init__(self) -> None:
        self.key = self.key or self.power

    @property
    def questions(self) -> list[Question]:
        """A single question is a wait of one."""
        return [self]

    def check(self, table: Table, order: Order) -> None:
        """Raise `Refused` when the order may not answer this question now."""
        self.check_kind(type(order))
        order.check(table, self)

    def check_kind(self, kind: type[Order]) -> None:
        """Raise `Refused` when no order of a kind answers this question."""
        if kind in self.orders:
            return
        forms = list(dict.fromkeys(one.usage() for one in self.orders))
        alike = [one.usage() for one in self.orders if one.pattern.verb == kind.pattern.verb]
        if alike:
            raise Refused("not_this_form", hints=alike, forms=alike)
        says_itself = kind.says is not None or issubclass(kind, Pass | Done)
        more = {} if says_itself else {"about": kind.help()}
        raise Refused("no_answer", hints=forms, verb=kind.pattern.verb, question=self.kind, **more)

    def takes(self, kind: type[Order]) -> bool:
        """Whether an order of a kind may answer this question at all."""
        try:
            self.check_kind(kind)
        except Refused:
            return False
        return True

    def is_legal(self, table: Table, order: Order) -> bool:
        """Whether the order may answer this question now."""
        try:
            self.check(table, order)
        except Refused:
            return False
        return True

    def legal(self, table: Table) -> Iterator[Order]:
        """The legal answers, kind by kind; there may be very many, so take what you need."""
        for kind in self.orders:
            yield from kind.legal(table, self)

    def sample(self, table: Table, chance: random.Random) -> Order:
        """One legal answer by chance: a kind of order first, then an order of it.

        Raises `LookupError` when there is no legal answer, which is a defect of the procedure that asked.
        """
        for kind in chance.sample(list(self.orders), len(self.orders)):
            order = kind.sample(table, self, chance)
            if order is not None:
                return order
        raise LookupError(f"no legal answer to {self.kind} of {self.power}")

    def whole_mail(self, table: Table) -> list[str]:
        """The lines of one mail that answers this question and what it leads to, as an example that is legal now;
        none where one line is all."""
        return []

    def possible_now(self, table: Table) -> list[str]:
        """The ids of what its phrase tells of that can be done now; none where it tells of nothing that may or may
        not be possible."""
        return []

    def default_answer(self, table: Table) -> Order:
        """The answer that silence means. Raises `NoDefault`."""
        if self.default is None:
            raise NoDefault(self.kind)
        return self.default(table, self) if callable(self.default) else self.default

    # as a wait

    replaceable = False
    is_sealed = False

    def copied(self) -> Question:
        """A copy that takes answers of its own."""
        return copy.copy(self)

    def closed(self, answers: Answers) -> bool:
        """Whether the answers so far let the game go on."""
        return self.key in answers

    def result(self, answers: Answers) -> Any:
        """The value of the ``yield``."""
        return answers[self.key]

    def add(self, answers: dict[str, Any], key: str, order: Order) -> None:
        """Take one answer up."""
        answers[key] = order

    def answers_to_json(self, answers: Answers) -> dict[str, Any]:
        """The answers as JSON, in the order of the questions."""
        return {q.key: answers[q.key].to_json() for q in self.questions if q.key in answers}

    def answers_from_json(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The inverse of `answers_to_json`."""
        return {q.key: order_from_json(q.orders, data[q.key]) for q in self.questions if q.key in data}


__all__ = [
    "LONGEST_NAME",
    "MAX_LINE_LENGTH",
    "NAMES_TO_LIST",
    "Answers",
    "AnyName",
    "Choice",
    "Decline",
    "Done",
    "Field",
    "Line",
    "Many",
    "Name",
    "NoDefault",
    "Number",
    "Order",
    "Pass",
    "Phrases",
    "Question",
    "Refused",
    "Text",
    "UnknownVerb",
    "Unreadable",
    "Way",
    "YesNo",
    "find_in",
    "find_name",
    "nearest",
    "order_from_json",
    "shortened",
    "read_order",
    "split_words",
]
