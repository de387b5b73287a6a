"""Two questions of one power in one wait: the order says which of them it answers."""

from typing import Any

import pytest

from pbem.table.board import Board
from pbem.table.dice import RandomThrows
from pbem.table.orders import Name, Order, Question, Refused
from pbem.table.procedure import Play, Procedure, Table
from pbem.table.questions import AllOf, InOrder
from tests import toy


class Left(Order):
    """Go left."""

    line = "LEFT"


class Right(Order):
    """Go right."""

    line = "RIGHT"


class Turn(Order):
    """Turn at a place."""

    line = "TURN AT {space}"
    space = Name("space")

    def check(self, table: Table, question: Question) -> None:
        if self.space != question.context["space"]:
            raise Refused("asked_elsewhere", space=self.space)


class Crossing:
    """A game of one step, in which red is asked the same at two places at once."""

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        return None if table.board.state else ("crossing", self.crossing(table))

    def crossing(self, table: Table) -> Procedure:
        answers = yield InOrder(
            [Question("red", "turn", [Turn], key=place, context={"space": place}) for place in ("here", "there")]
        )
        table.set("answers", {key: order.space for key, order in dict(answers).items()})


class Fork:
    """A game of one step, in which red says two things at once."""

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        return None if table.board.state else ("fork", self.fork(table))

    def fork(self, table: Table) -> Procedure:
        questions = [Question("red", "left", [Left], key="left"), Question("red", "right", [Right], key="right")]
        answers = yield AllOf(questions)
        table.set("answers", {key: order.text() for key, order in answers.items()})


def at_the_fork(game: Any = None) -> Play:
    game = game or Fork()
    play = Play(game, Table(Board("fork", ["red"]), toy.kit()))
    play.start(RandomThrows(1))
    return play


def test_the_answers_may_come_in_any_order():
    play = at_the_fork()
    assert not play.answer("red", Right(), RandomThrows(1)).closed
    assert [question.kind for question in play.questions() if not play.answered(question)] == ["left"]
    assert play.answer("red", Left(), RandomThrows(1)).closed
    assert play.board.state["answers"] == {"left": "LEFT", "right": "RIGHT"}


def test_an_answer_that_is_given_may_be_replaced_while_the_other_is_missing():
    play = at_the_fork()
    play.answer("red", Right(), RandomThrows(1))
    assert not play.answer("red", Right(), RandomThrows(1)).closed
    assert play.question_for("red") is not None and play.question_for("red").kind == "left"


def test_of_two_questions_of_a_kind_the_one_is_meant_that_the_order_fits():
    play = at_the_fork(Crossing())
    with pytest.raises(Refused):
        play.check("red", Turn(space="nowhere"))
    assert not play.answer("red", Turn(space="there"), RandomThrows(1)).closed
    with pytest.raises(Refused):
        play.check("red", Turn(space="there"))
    assert play.answer("red", Turn(space="here"), RandomThrows(1)).closed
    assert play.board.state["answers"] == {"here": "here", "there": "there"}
