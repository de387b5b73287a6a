"""Waits: one `Question`, or several at once (`AllOf`, `AnyOf`, `InOrder`, `Window`).

A procedure yields a wait; the answers come back as the value of the ``yield``.
"""

from __future__ import annotations

import copy
from collections.abc import Generator, Iterable, Mapping
from typing import Any

from pbem.table.orders import Answers, Decline, Done, NoDefault, Order, Pass, Question, order_from_json


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

    def copied(self) -> Question:
        made = copy.copy(self)
        made._questions = [question.copied() for question in self._questions]
        return made


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

Procedure = Generator[Wait, Any, Any]
"""A stretch of the rules: it yields waits and is sent their answers."""

__all__ = ["AllOf", "Answers", "AnyOf", "InOrder", "NoDefault", "Procedure", "Question", "Wait", "Window", "acts"]
