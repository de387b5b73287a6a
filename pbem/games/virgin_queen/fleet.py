"""10, 23.2: the treasure fleet and its escorts."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import is_own_port, ships
from pbem.games.reformation.forces import can_add
from pbem.games.reformation.ground import home_spaces
from pbem.games.virgin_queen.places import ESCORTS
from pbem.games.virgin_queen.powers import SPAIN
from pbem.table.asking import Ask, Pass
from pbem.table.orders import Many, Name, Number, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

GALLEON = "galleon"


# --- 10 step 1: escorts ---


class _Galleons(Order):
    """Galleons of a home port."""

    line = "{number} FROM {space}"
    number = Number(1, 20)
    space = Name("space")


class Escort(Order):
    """Send galleons from home ports to escort the treasure fleet."""

    line = "ESCORT {galleons}"
    galleons = Many(_Galleons, most=10)

    def check(self, table: Table, question: Question) -> None:
        ports = ports_with_galleons(table)
        going: dict[str, int] = {}
        for part in self.galleons:
            going[part.space] = going.get(part.space, 0) + part.number
            if part.space not in ports:
                raise Refused("no_galleons_in_home_port", "10", list(ports), space=part.space)
            if going[part.space] > ports[part.space]:
                raise Refused("too_few_galleons", "10", space=part.space, there=ports[part.space])
        room = table.kit.constants["fleet_escorts"] - escorting(table)
        if sum(going.values()) > room:
            raise Refused("too_many_escorts", "10", most=table.kit.constants["fleet_escorts"], room=room)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        ports = ports_with_galleons(table)
        for space, there in ports.items():
            for number in range(1, there + 1):
                yield cls(galleons=[_Galleons(number=number, space=space)])
            for other in ports:
                if space < other:
                    yield cls(galleons=[_Galleons(number=1, space=space), _Galleons(number=1, space=other)])


class _Returning(Order):
    """Galleons, and the home port that they come back to."""

    line = "{number} TO {space}"
    number = Number(1, 20)
    space = Name("space")


class Recall(Order):
    """Call galleons that escort the treasure fleet back to home ports."""

    line = "RECALL {galleons}"
    galleons = Many(_Returning, most=10)

    def check(self, table: Table, question: Question) -> None:
        among = home_ports(table)
        coming: dict[str, int] = {}
        for part in self.galleons:
            coming[part.space] = coming.get(part.space, 0) + part.number
            if part.space not in among:
                raise Refused("no_home_port", "10", list(among), space=part.space)
            if not can_add(table, SPAIN, GALLEON, part.space, 0):
                raise Refused("too_few_counters", "5.2", number=part.number, kind=GALLEON, space=part.space)
        if sum(coming.values()) > escorting(table):
            raise Refused("too_few_escorts", "10", there=escorting(table))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space in home_ports(table):
            for number in range(1, escorting(table) + 1):
                yield cls(galleons=[_Returning(number=number, space=space)])


def escorting(table: Table) -> int:
    """How many galleons are with the treasure fleet."""
    return table.board.count(ESCORTS, SPAIN, GALLEON)


def home_ports(table: Table) -> list[str]:
    """10 step 1: the ports among Spain's home spaces that it controls and that ships may enter."""
    return [
        space
        for space in home_spaces(table, SPAIN)
        if is_own_port(table, space, SPAIN) and not atlas(table).spaces[space]["inland_port"]
    ]


def ports_with_galleons(table: Table) -> dict[str, int]:
    """10 step 1: home ports -> Spain's own galleons there."""
    found = {space: ships(table, space, SPAIN).get(SPAIN, {}).get(GALLEON, 0) for space in home_ports(table)}
    return {space: number for space, number in found.items() if number}


def escorts(table: Table) -> Procedure:
    """10 step 1: Spain moves galleons from home ports to the box of escorts, or back; one direction in a turn."""
    room = table.kit.constants["fleet_escorts"] - escorting(table)
    may_send, may_recall = room > 0 and bool(ports_with_galleons(table)), escorting(table) and bool(home_ports(table))
    if not may_send and not may_recall:
        return
    context = {"there": escorting(table)}
    order = yield Ask(SPAIN, "escorts", [Escort, Recall, Pass], Pass(), context=context, section="10")
    if isinstance(order, Escort):
        for sent in order.galleons:
            table.move(SPAIN, GALLEON, sent.number, sent.space, ESCORTS, why="escort", section="10")
    elif isinstance(order, Recall):
        for back in order.galleons:
            table.move(SPAIN, GALLEON, back.number, ESCORTS, back.space, why="recall", section="10")


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (Escort, Recall)
