"""The Ridge: a battle for two on one evening, as different from the other toy as a small game can be.

Each side has two regiments, named pieces with two sides: a hit flips one, a second takes it off. Hour by hour both
choose a stance, sealed, and then each in turn, South first, moves, rests or fires with a ten-sided die. What belongs to
nobody: the hours that are left, and the reserves that both sides draw on, which nobody knows until the end. Each side's
nerve is known to itself alone. The weather is thrown with a die of the kit's own faces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.table.game import Game
from pbem.table.kit import Kit
from pbem.table.orders import Choice, Name, Order, Pass, Question, Refused
from pbem.table.questions import AllOf, Procedure
from pbem.table.table import Table

CAMP, RIDGE = "camp", "ridge"
HOURS, RESERVES = "hours_left", "reserves"
TEN = 10


def _piece(regiment: str) -> str:
    return f"regiment:{regiment}"


def _regiments(table: Table, side: str) -> list[str]:
    """The regiments of a side that are left, in the order of the kit."""
    rows = table.kit.tables["regiments"]
    return [id for id, row in rows.items() if row["side"] == side and _piece(id) in table.board.pieces]


class _WithARegiment(Order):
    """Base of the orders to one regiment of one's own."""

    regiment = Name("regiment")

    def check(self, table: Table, question: Question) -> None:
        if self.regiment not in _regiments(table, question.power):
            raise Refused("that is no regiment of yours", "3")
        self.check_piece(table.board.pieces[_piece(self.regiment)])

    def check_piece(self, piece: Mapping[str, Any]) -> None:
        """Raise `Refused` where the regiment cannot do it as it stands."""

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for regiment in _regiments(table, question.power):
            yield cls(regiment=regiment)


class Climb(_WithARegiment):
    """Lead a regiment up to the ridge; it is weary then."""

    line = "CLIMB {regiment}"

    def check_piece(self, piece: Mapping[str, Any]) -> None:
        if piece["at"] == RIDGE or piece.get("weary"):
            raise Refused("it is up there already, or weary", "3")


class Rest(_WithARegiment):
    """Let a weary regiment rest."""

    line = "REST {regiment}"

    def check_piece(self, piece: Mapping[str, Any]) -> None:
        if not piece.get("weary"):
            raise Refused("it is not weary", "3")


class Fire(Order):
    """Fire at a regiment of the other side."""

    line = "FIRE AT {regiment}"
    regiment = Name("regiment")

    def check(self, table: Table, question: Question) -> None:
        if self.regiment not in _regiments(table, _other(table, question.power)):
            raise Refused("there is no such regiment of the enemy any more", "4")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for regiment in _regiments(table, _other(table, question.power)):
            yield cls(regiment=regiment)


class Stance(Order):
    """Be bold or careful in this hour."""

    line = "STANCE {stance}"
    stance = Choice("bold", "careful")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for stance in ("bold", "careful"):
            yield cls(stance=stance)


def _other(table: Table, side: str) -> str:
    return next(one for one in table.board.powers if one != side)


class Ridge(Game):
    """The room."""

    id = "ridge"
    orders = (Stance, Climb, Rest, Fire, Pass)

    def powers(self, kit: Kit, scenario: str) -> list[str]:
        return list(kit.tables["sides"])

    def seats(self, kit: Kit, scenario: str, number: int, options: Mapping[str, Any]) -> None:
        return None

    def play_order(self, kit: Kit, scenario: str, seats: Sequence[Sequence[str]]) -> list[str]:
        """1: South is first, wherever it sits."""
        return sorted((side for sides in seats for side in sides), key=["south", "north"].index)

    def set_up(self, table: Table, scenario: str) -> None:
        """1: all regiments in camp, fresh."""
        numbers = table.kit.constants
        table.do({"fact": "sight", "name": RESERVES, "before": None, "after": "referee"})
        table.counter(HOURS, numbers["hours"])
        table.counter(RESERVES, numbers["reserves"])
        for side in table.board.powers:
            table.do({"fact": "sight", "name": f"nerve:{side}", "before": None, "after": "owner"})
            table.counter(f"nerve:{side}", numbers["nerve"])
        for id, row in table.kit.tables["regiments"].items():
            table.put(_piece(id), CAMP, power=row["side"])

    def turn(self, table: Table) -> int:
        return table.kit.constants["hours"] - table.board.counter(HOURS)

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        if RESERVES not in table.board.sight:
            return None
        if not table.board.counter(HOURS) or not all(_regiments(table, side) for side in table.board.powers):
            return "dusk", self.dusk(table)
        return "hour", self.hour(table)

    def hour(self, table: Table) -> Procedure:
        """2: weather, stances, and a move of each side."""
        table.set("weather", table.throw("weather", None, 1, "weather")[0])
        careful = Stance(stance="careful")
        stances = yield AllOf([Question(side, "stance", [Stance], careful) for side in table.board.powers])
        for side in table.board.powers:
            if stances[side].stance == "bold" and table.board.counter(f"nerve:{side}"):
                table.counter(f"nerve:{side}", -1, why="bold")
            if not _regiments(table, side) or not _regiments(table, _other(table, side)):
                break
            order = yield Question(side, "orders", [Climb, Rest, Fire, Pass], Pass())
            self.carry_out(table, side, order, bold=stances[side].stance == "bold")
        table.counter(HOURS, -1)

    def carry_out(self, table: Table, side: str, order: Order, *, bold: bool) -> None:
        """3, 4: what one order does."""
        if isinstance(order, Climb):
            table.shift(_piece(order.regiment), RIDGE, why="climb", weary=True)
        elif isinstance(order, Rest):
            table.mark(_piece(order.regiment), why="rest", weary=None)
            if table.board.counter(RESERVES):
                table.counter(RESERVES, -1, why="rest")
        elif isinstance(order, Fire):
            numbers = table.kit.constants
            needed = numbers["hits_in_fog_from" if table.board.state["weather"] == "fog" else "hits_from"] - bold
            if table.roll("fire", side, 1, TEN)[0] >= needed:
                self.hit(table, _piece(order.regiment))

    def hit(self, table: Table, piece: str) -> None:
        """4: the first hit flips a regiment, whatever else it bears; the second takes it off."""
        if table.board.pieces[piece].get("flipped"):
            table.put(piece, None, why="hit")
        else:
            table.mark(piece, why="hit", flipped=True)

    def dusk(self, table: Table) -> Procedure:
        """5: all is told."""
        table.do({"fact": "open", "name": RESERVES, "content": table.board.counters[RESERVES]})
        yield from ()

    def faults(self, table: Table) -> list[str]:
        found = [f"{name} is {value}" for name, value in table.board.counters.items() if (value or 0) < 0]
        sides = table.kit.tables["regiments"]
        for piece, marks in table.board.pieces.items():
            if marks.get("power") != sides[piece.removeprefix("regiment:")]["side"]:
                found.append(f"{piece} has lost the mark whose it is: {marks}")
        return found

    def results(self, table: Table) -> list[dict[str, Any]]:
        """5: a fresh regiment on the ridge counts two, a flipped one."""
        points = dict.fromkeys(table.board.powers, 0)
        for marks in table.board.pieces.values():
            if marks["at"] == RIDGE:
                points[marks["power"]] += 1 if marks.get("flipped") else 2
        ranked = sorted(points, key=lambda side: -points[side])
        best = max(points.values())
        return [
            {"power": side, "points": points[side], "place": 1 if points[side] == best else 2, "notes": []}
            for side in ranked
        ]

    def arrange(self, table: Table, name: str, value: Any) -> None:
        raise ValueError(f"there is no entry {name}")

    def matches(self, table: Table, name: str, value: Any) -> Any:
        raise ValueError(f"there is no entry {name}")

    def case_words(self) -> Mapping[str, Sequence[str]]:
        return {"arrange": [], "expect": [], "phases": []}


GAME = Ridge()
