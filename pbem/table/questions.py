"""Questions: what the rules now wait for, from whom, which orders may answer it and what silence means.

A procedure yields a `Wait`: one `Question`, or several at once (`AllOf`, `AnyOf`, `InOrder`, `Window`). The answers
come back as the value of the ``yield``. A question works its legal answers out from the table when it is asked for
them, so forms, mail help, refusals, standing orders and random play all see the rules as they stand now.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pbem.table.orders import Decline, Done, Order, Pass, Refused, order_from_json

if TYPE_CHECKING:
    from pbem.table.procedure import Table

Answers = Mapping[str, Any]
"""key of a question -> the order that answers it (in a `Window`: a list of orders)."""


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
        if type(order) not in self.orders:
            forms = list(dict.fromkeys(kind.usage() for kind in self.orders))
            alike = [kind.usage() for kind in self.orders if kind.pattern.verb == order.pattern.verb]
            if alike:
                raise Refused(f"this is not all of it, or too much; asked is {' or '.join(alike)}", hints=alike)
            raise Refused(f"{order.pattern.verb} is no answer to what is asked now ({self.kind})", hints=forms)
        order.check(table, self)

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

    def default_answer(self, table: Table) -> Order:
        """The answer that silence means. Raises `NoDefault`."""
        if self.default is None:
            raise NoDefault(self.kind)
        return self.default(table, self) if callable(self.default) else self.default

    # as a wait

    replaceable = False
    is_sealed = False

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


def acts(order: Order) -> bool:
    """Whether an answer does something: it is not a pass, a decline or a done."""
    return not isinstance(order, Pass | Decline | Done)


class _Several(Question):
    """What the waits for several questions share; the answers are sealed until the wait closes."""

    is_sealed = True
    replaceable = True

    def __init__(self, questions: Iterable[Question], kind: str | None = None):
        self._questions = list(questions)
        keys = [q.key for q in self._questions]
        if len(set(keys)) != len(keys):
            raise ValueError(f"two questions of one wait have the same key: {keys}")
        self.kind = kind or (self._questions[0].kind if self._questions else "")
        self.power = self.key = ""

    @property
    def questions(self) -> list[Question]:
        return self._questions


class AllOf(_Several):
    """Sealed answers of several powers at once, replaceable until all are in. Value: ``{key: order}``."""

    def closed(self, answers: Answers) -> bool:
        return all(q.key in answers for q in self.questions)

    def result(self, answers: Answers) -> dict[str, Order]:
        return {q.key: answers[q.key] for q in self.questions}


class AnyOf(_Several):
    """A response window: the first who acts closes it, or all pass. Value: ``(key, order)``, or None if all passed."""

    replaceable = False

    def closed(self, answers: Answers) -> bool:
        return any(acts(order) for order in answers.values()) or all(q.key in answers for q in self.questions)

    def result(self, answers: Answers) -> tuple[str, Order] | None:
        for q in self.questions:
            if q.key in answers and acts(answers[q.key]):
                return q.key, answers[q.key]
        return None


class InOrder(AllOf):
    """Asked all at once, taken up in the book's order. Value: ``[(key, order)]`` in that order.

    The procedure reads the list only as far as the rules get; what it did not reach it must not tell.
    """

    def result(self, answers: Answers) -> list[tuple[str, Order]]:  # type: ignore[override]
        return [(q.key, answers[q.key]) for q in self.questions]


class Window(_Several):
    """Many orders of many powers, replaceable and sealed, until the clock closes it or all say DONE.

    Value: ``{key: [orders]}``, without the DONEs. An order may define ``replace(orders) -> orders`` to say how it joins
    the sender's earlier ones (a new version, a withdrawal); as a rule it is put at the end.
    """

    def closed(self, answers: Answers) -> bool:
        return all(any(isinstance(o, Done) for o in answers.get(q.key, ())) for q in self.questions)

    def result(self, answers: Answers) -> dict[str, list[Order]]:
        return {q.key: [o for o in answers.get(q.key, ()) if not isinstance(o, Done)] for q in self.questions}

    def add(self, answers: dict[str, Any], key: str, order: Order) -> None:
        before = [o for o in answers.get(key, []) if not isinstance(o, Done)]
        join = getattr(order, "replace", None)
        answers[key] = join(before) if join else [*before, order]

    def answers_to_json(self, answers: Answers) -> dict[str, Any]:
        return {q.key: [o.to_json() for o in answers[q.key]] for q in self.questions if q.key in answers}

    def answers_from_json(self, data: Mapping[str, Any]) -> dict[str, Any]:
        return {q.key: [order_from_json(q.orders, o) for o in data[q.key]] for q in self.questions if q.key in data}


Wait = Question
"""What a procedure may yield: a `Question`, or one of the waits for several, which have the same methods."""
