"""A unit that is lost at a power's choice: the order `Take` names it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.games.reformation.ground import inside
from pbem.games.reformation.treaties import AnyPower
from pbem.table.asking import Ask
from pbem.table.orders import Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question


class Take(Order):
    """Name a unit that is taken off the map."""

    line = "TAKE {unit} OF {owner} AT {space}"
    unit = Name("unit")
    owner = AnyPower()
    space = Name("space")

    def check(self, table: Table, question: Question) -> None:
        if f"{self.owner}:{self.unit}:{self.space}" not in _offered(table, question):
            raise Refused("unit_not_to_be_taken", question.section, kind=self.unit, owner=self.owner, space=self.space)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for key in _offered(table, question):
            owner, unit, space = key.split(":")
            yield cls(unit=unit, owner=owner, space=space)


def _offered(table: Table, question: Question) -> Sequence[str]:
    return question.among(table) if isinstance(question, Ask) and question.among else ()


def choose_unit(
    table: Table, power: str, among: Callable[[Table], Sequence[str]], *, section: str, card: int
) -> Procedure:
    """Ask for a unit of those that are offered as ``owner:kind:space``; the first is the default.

    Value: owner, kind, place (within the walls or without); None where there is none.
    """
    offered = list(among(table))
    if not offered:
        return None
    named = offered[0]
    if len(offered) > 1:
        order = yield Ask(
            power,
            "event_choice",
            [Take],
            lambda t, q: next(Take.legal(t, q)),
            context={"choose": "unit", "number": card},
            section=section,
            among=among,
        )
        named = f"{order.owner}:{order.unit}:{order.space}"
    owner, kind, space = named.split(":")
    return owner, kind, space if table.board.count(space, owner, kind) else inside(space)


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (Take,)
