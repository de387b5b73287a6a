"""15.1: pay. Who is paid where he stands, who can be paid with aid, and what a side says about it.

What a side pays is said in the sealed round at the end of the turn (`end_of_turn`): PAY ALL, PAY NOBODY, PAY IN ORDER
with a ranking, or PAY with the units space by space. Nobody has to pay anybody (15.13).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.map import SIDES, atlas
from pbem.games.thirty_years_war.pieces import PiecesField
from pbem.games.thirty_years_war.politics import nations
from pbem.games.thirty_years_war.upkeep import aid, supply
from pbem.table.orders import AnyName, Line, Many, Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table

SECTION = "15.13"
UNPAID = "unpaid"
LOST_BASES = "base_lost:"
BARRED = "turn:aid_barred:"
USUAL = (pieces.VETERAN, pieces.MERCENARY, pieces.MILITIA)
"""Silence apart, what PAY ALL pays first: militia last."""


# --- who can be paid ---


def rate(table: Table, unit: str) -> int:
    """15.131, 15.132: the aid points that a unit costs, full or reduced."""
    return pieces.unit_row(table, unit)["pay"]


def unpaid_so_far(table: Table, side: str) -> list[str]:
    """15.12: the units of a side that nobody pays where they stand, in the order of spaces."""
    units = [unit for unit in pieces.on_map(table, side) if pieces.is_unit(unit)]
    place = {space: n for n, space in enumerate(atlas(table).spaces)}
    units.sort(key=lambda unit: place[pieces.where(table, unit)])
    return [unit for unit in units if not supply.is_home_paid(table, unit)]


def pay_refusal(table: Table, unit: str) -> Refused | None:
    """15.13, 15.14, 15.15: why a unit can be paid by no aid at all; None when it can."""
    space, kind, nation = pieces.where(table, unit), pieces.kind_of(unit), supply.supplied_as(table, unit)
    if supply.is_besieged(table, unit):
        return Refused("besieged_never_paid", "15.133", unit=kind, space=space)
    if nation == nations.DANISH:
        return Refused("danes_paid_at_home_only", "17.D.1", unit=kind, space=space)
    if tied_to_french(table, unit):
        return None
    if not supply.open_bases(table, nation):
        return Refused("base_lost", "15.15", unit=kind, space=space, nation=nation)
    if not supply.has_line(table, unit):
        return Refused("no_line", "15.14", unit=kind, space=space, nation=nation)
    return None


def payable(table: Table, side: str) -> list[str]:
    """The units of a side that aid can pay."""
    return [unit for unit in unpaid_so_far(table, side) if pay_refusal(table, unit) is None]


def tied_to_french(table: Table, unit: str) -> bool:
    """17.Sw.1: without a base Swedish units are paid by the French points alone, and need no line for it (T-358)."""
    return supply.supplied_as(table, unit) == nations.SWEDISH and not supply.open_bases(table, nations.SWEDISH)


def limits(table: Table, side: str, units: Sequence[str]) -> list[tuple[str, list[str], int]]:
    """What binds the sum paid for these units: ``(why, units, points)``, the whole of the side's points first.

    The Swedes without a base have the French points (17.Sw.1); a nation whose base was retaken has what came after
    (15.15, INT-28).
    """
    left = aid.points(table, side)
    bounds = [("points", list(units), left)]
    swedes = [unit for unit in units if tied_to_french(table, unit)]
    if swedes:
        source = table.kit.constants["aid"]["for_swedes_without_base"]
        bounds.append(("french", swedes, min(left, aid.received(table, side, source))))
    for nation in table.kit.tables["nations"]:
        barred = table.board.state.get(BARRED + nation)
        if barred:
            of_nation = [unit for unit in units if supply.supplied_as(table, unit) == nation]
            since = aid.received(table, side) - barred
            bounds.append((f"retaken:{nation}", of_nation, max(0, min(left, since))))
    return bounds


def affordable(table: Table, side: str, ranked: Sequence[str]) -> list[str]:
    """Of units in the order in which they are to be paid those that the points are enough for, one after the other."""
    bounds = limits(table, side, ranked)
    left = {why: points for why, _, points in bounds}
    chosen = []
    for unit in ranked:
        price = rate(table, unit)
        bound = [why for why, units, _ in bounds if unit in units]
        if all(left[why] >= price for why in bound):
            chosen.append(unit)
            for why in bound:
                left[why] -= price
    return chosen


# --- orders ---


class PayAt(Line):
    """Units that are paid in a space."""

    line = "{units} AT {space}"
    units = PiecesField()
    space = Name("space")


class _Payment(Order):
    """Base of what is said about pay."""

    def units(self, table: Table, side: str) -> list[str]:
        """The units that are paid. Raises `Refused`."""
        raise NotImplementedError


class PayAll(_Payment):
    """Pay as many units as the points are enough for, militia last."""

    line = "PAY ALL"

    def units(self, table: Table, side: str) -> list[str]:
        return affordable(table, side, in_order(table, payable(table, side), ()))


class PayNobody(_Payment):
    """Pay no unit."""

    line = "PAY NOBODY"

    def units(self, table: Table, side: str) -> list[str]:
        return []


class PayInOrder(_Payment):
    """Pay in this order as far as the points go: PAY IN ORDER leipzig, veteran, saxon; then all others."""

    line = "PAY IN ORDER {names}"
    names = Many(AnyName("space", "unit", "unit_type", "nation"), most=20)

    def units(self, table: Table, side: str) -> list[str]:
        return affordable(table, side, in_order(table, payable(table, side), self.names))

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        spaces = list(dict.fromkeys(pieces.where(table, unit) for unit in payable(table, question.power)))
        return cls(names=chance.sample(spaces, min(3, len(spaces)))) if spaces else None

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        yield cls(names=list(USUAL))


class PayUnits(_Payment):
    """Pay just these units: PAY 3 bavarian mercenary AT munich, ALL AT vienna."""

    line = "PAY {payments}"
    payments = Many(PayAt)

    def check(self, table: Table, question: Question) -> None:
        self.units(table, question.power)

    def units(self, table: Table, side: str) -> list[str]:
        paid: list[str] = []
        for payment in self.payments:
            for unit in self._named(table, side, payment):
                if unit not in paid:
                    paid.append(unit)
        for why, units, points in limits(table, side, paid):
            cost = sum(rate(table, unit) for unit in units)
            if cost > points:
                raise _too_dear(why, cost, points)
        return paid

    @staticmethod
    def _named(table: Table, side: str, payment: Any) -> list[str]:
        there = pieces.units(table, payment.space, side)
        if not there:
            raise Refused("no_unit_of_yours_there", SECTION, space=payment.space)
        wanted = pieces.chosen(table, payment.units, there, SECTION)
        for unit in wanted:
            if supply.is_home_paid(table, unit):
                raise Refused("paid_at_home", "15.12", unit=pieces.kind_of(unit), space=payment.space)
            refusal = pay_refusal(table, unit)
            if refusal is not None:
                raise refusal
        return wanted

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        chosen = PayAll().units(table, question.power)
        for space in dict.fromkeys(pieces.where(table, unit) for unit in chosen):
            here = [unit for unit in chosen if pieces.where(table, unit) == space]
            yield cls(payments=[PayAt(units=pieces.described(table, here), space=space)])


def _too_dear(why: str, cost: int, points: int) -> Refused:
    """What is said of a payment beyond one of the `limits`."""
    bound, _, nation = why.partition(":")
    if bound == "french":
        return Refused("too_dear_for_french_points", "17.Sw.1", hint=PayAll.line, cost=cost, points=points)
    if bound == "retaken":
        return Refused("too_dear_since_retaken", "15.15", hint=PayAll.line, cost=cost, points=points, nation=nation)
    return Refused("too_dear", SECTION, hint=PayAll.line, cost=cost, points=points)


ORDERS: tuple[type[Order], ...] = (PayAll, PayNobody, PayInOrder, PayUnits)


def in_order(table: Table, units: Sequence[str], names: Sequence[str]) -> list[str]:
    """Units as a ranking of spaces, kinds, types and nations puts them; then as usual, the strongest stack first."""

    def key(unit: str) -> tuple[Any, ...]:
        row = pieces.unit_row(table, unit)
        space = pieces.where(table, unit)
        known = (space, pieces.kind_of(unit), row["type"], row["nation"])
        place = next((n for n, name in enumerate(names) if name in known), len(names))
        alike = sum(pieces.where(table, other) == space for other in units)
        return place, USUAL.index(row["type"]), -alike, space, pieces.is_reduced(table, unit)

    return sorted(units, key=key)


def question(table: Table, side: str) -> Question | None:
    """15.13: the question whom a side pays; None where it has nothing to pay with, or nobody to pay."""
    if not aid.points(table, side):
        return None
    able = payable(table, side)
    if not able:
        return None
    cost = sum(rate(table, unit) for unit in able)
    return Question(
        side,
        "pay",
        ORDERS,
        default=PayNobody(),
        context={"points": aid.points(table, side), "cost": cost, "units": _by_space(table, able)},
        section=SECTION,
        key=f"pay:{side}",
    )


def _by_space(table: Table, units: Sequence[str]) -> dict[str, Any]:
    spaces: dict[str, list[str]] = {}
    for unit in units:
        spaces.setdefault(pieces.where(table, unit), []).append(unit)
    return {space: pieces.described(table, here) for space, here in spaces.items()}


# --- the segment ---


def pay_phase(table: Table, said: Mapping[str, Order | None]) -> None:
    """15.1, E1: what each side has said about pay is carried out; every other unit is marked unpaid (15.132)."""
    for side in SIDES:
        order = said.get(side)
        chosen = order.units(table, side) if isinstance(order, _Payment) else []
        cost = sum(rate(table, unit) for unit in chosen)
        if chosen:
            table.tell("paid", power=side, points=cost, units=_by_space(table, chosen), section=SECTION)
            aid.spend(table, side, cost, why="pay", section=SECTION)
        marked = [unit for unit in unpaid_so_far(table, side) if unit not in chosen]
        for unit in marked:
            table.mark(unit, why=UNPAID, section="15.132", unpaid=True)
        if marked:
            table.tell("unpaid", power=side, units=_by_space(table, marked), section="15.132")


# --- 15.15: bases lost and retaken ---


def bases_watch(table: Table) -> Procedure:
    """15.15, INT-28: a nation whose base is retaken cannot be paid with what was received before, this turn."""
    for nation, row in table.kit.tables["nations"].items():
        name = LOST_BASES + nation
        has_base = bool(supply.open_bases(table, nation))
        if has_base and table.board.state.get(name):
            table.set(name, None, section="15.15")
            side = table.board.state["saxony"] if nation == nations.SAXON else row["side"]
            before = aid.received(table, side)
            if before and not table.options["retaken_base_old_aid"]:
                table.set(BARRED + nation, before, section="15.15")
        elif not has_base and not table.board.state.get(name) and _once_had(table, nation):
            table.set(name, True, section="15.15")
    yield from ()


def _once_had(table: Table, nation: str) -> bool:
    """Whether a nation has bases that somebody took from it, rather than none yet."""
    bases = supply.home_bases(table, nation)
    holders = [control.holder(table, space) for space in bases]
    return bool(bases) and any(holder is not None for holder in holders)


TRIGGERS = (bases_watch,)

