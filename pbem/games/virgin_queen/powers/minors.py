"""24: minor powers: influence, status, activation and deactivation.

State: ``influence`` {minor: {power: boxes}}, ``influence_gone`` {minor: [power, ...]} (who attacked it, for good; by
option `influence_after_war` it still takes part in evaluations, with none); the mark ``turn:evaluated`` [minor, ...]:
their influence goes to its default boxes in winter. A major power without a seat is evaluated like a minor one; what
follows for it is in `activated` (3.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.reformation import minor_powers, movement
from pbem.games.reformation.action import Action
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.displacement import clear_space
from pbem.games.reformation.forces import (
    ForceField,
    add_units,
    force_value,
    formations,
    land_owners,
    land_units,
    named_force,
)
from pbem.games.reformation.ground import controller, home_spaces, inside, is_fortified, set_control
from pbem.games.reformation.marks import mark, note, noted
from pbem.games.reformation.relations import at_war, end_war, enemies_of, set_minor_ally
from pbem.games.reformation.rules import rules
from pbem.games.reformation.siege import check_sieges
from pbem.games.reformation.treaties import AnyPower
from pbem.games.virgin_queen.court import queens
from pbem.games.virgin_queen.powers import activated
from pbem.games.virgin_queen.powers.majors import ENGLAND, FRANCE, PROTESTANT, SPAIN
from pbem.games.virgin_queen.victory import score
from pbem.table.asking import Ask, Pass, confirm
from pbem.table.orders import Number, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

EVALUATED = "evaluated"
ACTIVATING = "activating"
IRELAND, SCOTLAND = "ireland", "scotland"


def chart_of(table: Table, minor: str) -> dict[str, Any]:
    """Power -> its row on the chart of a minor power: those with a seat whose marker is not gone (24.5, 9.4)."""
    gone = table.board.state.get("influence_gone", {}).get(minor, ())
    return {power: row for power, row in _printed_chart(table, minor).items() if power not in gone}


def contenders(table: Table, minor: str) -> dict[str, Any]:
    """24.6 step 1: power -> its row, of those that take part in evaluations; who declared war on the minor power before
    by option `influence_after_war` alone."""
    if table.options["influence_after_war"] == "without_influence":
        return _printed_chart(table, minor)
    return chart_of(table, minor)


def _printed_chart(table: Table, minor: str) -> dict[str, Any]:
    rows = table.kit.tables["influence"].values()
    return {row["power"]: row for row in rows if row["minor"] == minor and row["power"] in table.board.seated()}


def influence_on(table: Table, minor: str, power: str) -> int:
    """24.5: the boxes of a power."""
    return table.board.state.get("influence", {}).get(minor, {}).get(power, 0)


def set_influence(table: Table, minor: str, power: str, boxes: int, **more: Any) -> None:
    """24.5: a power's influence, never beyond the ends of the track."""
    held = dict(table.board.state.get("influence", {}))
    boxes = max(0, min(table.kit.constants["influence_most"], boxes))
    table.set("influence", {**held, minor: {**held.get(minor, {}), power: boxes}}, **more)


def was_evaluated(table: Table, minor: str) -> bool:
    """24.6: whether its status was evaluated in this turn: once a turn, and no influence is bought any more."""
    return noted(table, "turn", EVALUATED, minor)


# --- 24.6: status ---


def status_bonus(table: Table, minor: str, power: str) -> int:
    """24.6: for Scotland France has a bonus by Catholic, the Protestant by Protestant home spaces there."""
    side = {FRANCE: "catholic", PROTESTANT: "protestant"}.get(power)
    if minor != SCOTLAND or side is None:
        return 0
    constants = table.kit.constants
    enough = score.regional(table, SCOTLAND, side) >= constants["status_scotland_spaces"]
    return constants["status_scotland_bonus"] if enough else 0


def standing(table: Table, minor: str, leave_out: list[str]) -> list[str]:
    """24.6 steps 1 to 3: the contenders from the highest total to the lowest.

    Ties go to who is higher in the list of those that may activate it, before all who may only deactivate it; by option
    `influence_ties` to the earlier in impulse order (GB-09).
    """
    chart = contenders(table, minor)
    totals = {}
    for power in (power for power in table.board.powers if power in chart and power not in leave_out):
        die = sum(table.roll("status", power, 1, section="24.6", minor=minor))
        totals[power] = die + influence_on(table, minor, power) + status_bonus(table, minor, power)
    table.tell("status", minor=minor, totals=dict(totals), section="24.6")
    if table.options["influence_ties"] == "impulse_order":
        return sorted(totals, key=lambda p: -totals[p])
    return sorted(totals, key=lambda p: (-totals[p], chart[p]["role"] != ACTIVATING, chart[p]["order"]))


def evaluate(table: Table, minor: str, leave_out: list[str], declarer: str | None = None) -> Procedure:
    """24.6, 9.4: a minor power's status is evaluated; value: the power that activated it, or None.

    After a declaration of war the winner chooses between intervention and isolation, then the second; by an event the
    winner activates it, or deactivates it where it may only do that. A second evaluation in a turn is ignored.
    """
    if was_evaluated(table, minor):
        return None
    note(table, "turn", EVALUATED, minor)
    order, chart = standing(table, minor, leave_out), contenders(table, minor)
    eligible = [power for power in order if chart[power]["role"] == ACTIVATING]
    if declarer is not None:
        for power in order[:2]:
            agreed = yield from confirm(table, power, "intervention", section="9.4", minor=minor, target=declarer)
            if agreed:
                table.tell("intervention", power=power, minor=minor, target=declarer, cp=0, section="9.4")
                if not at_war(table.board, power, declarer):
                    yield from rules(table).war_begins(table, power, declarer, why="intervention", section="9.4")
                yield from activate(table, minor, power, eligible)
                return power
            table.tell("isolation", power=power, minor=minor, section="9.4")
        return None
    if not order:
        return None
    winner, ally = order[0], ally_of(table, minor)
    if ally == winner:
        return None
    if ally is not None and (minor in atlas(table).minors or winner not in eligible):
        yield from deactivate(table, minor)
    if winner not in eligible:
        return None
    yield from activate(table, minor, winner, eligible)
    return winner


def ally_of(table: Table, minor: str) -> str | None:
    """The power that a minor power is allied to, or that controls a major one without a seat (3.2); None: inactive."""
    ally: str | None = activated.controller_of(table, minor) or table.board.state["minor_ally"].get(minor)
    return ally


# --- 24.2: activation ---


def activate(table: Table, minor: str, power: str, eligible: Sequence[str] = ()) -> Procedure:
    """24.2: a minor power becomes the ally of a major one; a major power without a seat comes into play (3.2).

    `eligible`: the powers that could have activated it in the evaluation: their markers in its home spaces go.
    """
    table.tell("activated", minor=minor, power=power, section="24.2")
    if minor not in atlas(table).minors:
        return (yield from activated.activate(table, minor, power))
    set_minor_ally(table, minor, power, section="24.2")
    yield from minor_powers.declarations(table, minor, power, section="24.2")
    yield from _markers(table, minor, power, eligible)
    for enemy in enemies_of(table.board, minor):
        end_war(table, minor, enemy, why="activated", section="24.2")
    yield from check_sieges(table)
    if minor == IRELAND:
        yield from irish_rebels(table, power)


def _markers(table: Table, minor: str, power: str, eligible: Sequence[str]) -> Procedure:
    """24.2 steps 3 and 4: markers of those who could have activated it leave its home spaces (option
    `conquered_spaces`); each space without a marker gets one of its new ally. Other conquerors stay.

    Units of who held such a space leave it, but those of an enemy of the new ally in an open space.
    """
    conquered = []
    if table.options["conquered_spaces"] == "return":
        others = [one for one in eligible if one != power]
        conquered = [space for space in home_spaces(table, minor) if controller(table, space) in others]
    leaving = [
        space
        for space in conquered
        if is_fortified(table, space) or not at_war(table.board, power, controller(table, space) or power)
    ]
    for space in (*conquered, *minor_powers.controlled_by(table, minor)):
        set_control(table, space, power, why="activated", section="24.2")
    for space in leaving:
        yield from clear_space(table, space, power, section="24.2")


class March(Order):
    """Move a formation at no cost from Ulster to Dublin."""

    line = "MARCH {force}"
    force = ForceField()

    def check(self, table: Table, question: Question) -> None:
        origin, space = table.kit.constants["irish_march"]
        force = named_force(table, question.power, origin, self.force)
        movement.check_move(table, question.power, origin, space, force)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        origin, _ = table.kit.constants["irish_march"]
        for force in formations(table, question.power, origin):
            yield cls(force=force_value(force, question.power))


def irish_rebels(table: Table, power: str) -> Procedure:
    """24.2 step 6: the land units in Ulster die, a fortress and three Irish units come; Ireland's ally may declare war
    on another power that holds Dublin, and march from Ulster to Dublin, both at no cost."""
    constants = table.kit.constants
    ulster, dublin = constants["irish_march"]
    for place in (ulster, inside(ulster)):
        for owner in land_owners(table, place):
            for kind, number in land_units(table, place, owner).items():
                table.remove(owner, kind, place, number, why="irish_rebels", section="24.2")
    table.set(f"siege:{ulster}", None, why="siege_lifted", section="24.2")
    if not is_fortified(table, ulster):
        table.set(f"fortress:{ulster}", True, why="irish_rebels", section="24.2")
    set_control(table, ulster, power, why="irish_rebels", section="24.2")
    yield from clear_space(table, ulster, power, section="24.2")
    add_units(table, IRELAND, "regular", ulster, constants["irish_rebels"], why="irish_rebels", section="24.2")
    holder = controller(table, dublin)
    if holder in table.board.powers and holder != power and why_no_irish_war(table, power, holder) is None:
        agreed = yield from confirm(table, power, "irish_war", section="24.2", target=holder, space=dublin)
        if agreed:
            yield from rules(table).war_begins(table, power, holder, why="irish_rebels", section="24.2")
    question = Ask(power, "irish_march", [March, Pass], Pass(), section="24.2", context={"space": dublin})
    if any(question.is_legal(table, order) for order in March.candidates(table, question)):
        order = yield question
        if isinstance(order, March):
            force = named_force(table, power, ulster, order.force)
            yield from movement.land_move(table, power, ulster, dublin, force)


def why_no_irish_war(table: Table, power: str, holder: str) -> Refused | None:
    """24.2 step 6: why Ireland's ally declares no war on who holds Dublin (Spain on England: while it is cheap)."""
    reason = rules(table).why_not_war(table, power, holder)
    if reason is None and {power, holder} == {SPAIN, ENGLAND}:
        most = table.kit.constants["spanish_entry_cost_most"]
        if queens.war_cost(table) > most:
            return Refused("war_too_dear_for_that", "24.2", most=most)
    return reason


# --- 24.4: deactivation ---


def deactivate(table: Table, minor: str) -> Procedure:
    """24.4: a minor power is inactive again."""
    if minor in atlas(table).minors:
        yield from minor_powers.deactivate(table, minor, section="24.4")
    else:
        table.tell("deactivated", minor=minor, power=ally_of(table, minor), section="24.4")
        set_minor_ally(table, minor, None, section="24.4")
        if minor in table.board.played_by:
            yield from activated.deactivate(table, minor)


def default_influence(table: Table, minor: str) -> dict[str, int]:
    """24.5: the boxes of each power that has a row on a minor power's chart."""
    rows = table.kit.tables["influence"].values()
    seated = table.board.seated()
    return {row["power"]: row["boxes"] for row in rows if row["minor"] == minor and row["power"] in seated}


def reset_influence(table: Table) -> Procedure:
    """20.9: influence on those evaluated this turn goes to its default boxes."""
    held = dict(table.board.state.get("influence", {}))
    for minor in mark(table, "turn", EVALUATED, []):
        gone = table.board.state.get("influence_gone", {}).get(minor, ())
        boxes = default_influence(table, minor)
        held[minor] = {power: number for power, number in boxes.items() if power not in gone}
    table.set("influence", held, why="winter", section="20.9")
    return
    yield


# --- 24.5: influence ---


class Influence(Action):
    """Buy diplomatic influence on a minor power, 1 CP a box."""

    action = "buy_influence"
    line = "INFLUENCE [{number}] ON {minor}"
    number = Number(1, 9, optional=True)
    minor = AnyPower()

    def cost(self, table: Table, power: str) -> int | None:
        """24.5: the cost of a box, times the number."""
        each = super().cost(table, power)
        return None if each is None else each * (self.number or 1)

    def check_action(self, table: Table, power: str) -> None:
        if self.minor in table.board.seated():
            raise Refused("no_influence_on_played", "24.5", power=self.minor)
        if power not in chart_of(table, self.minor):
            raise Refused("no_row_on_chart", "24.5", minor=self.minor, power=power)
        if was_evaluated(table, self.minor):
            raise Refused("evaluated_already", "24.5", minor=self.minor)
        most = table.kit.constants["influence_most"]
        if influence_on(table, self.minor, power) + (self.number or 1) > most:
            raise Refused("influence_at_its_end", "24.5", minor=self.minor, most=most)

    def procedure(self, table: Table, power: str) -> Procedure:
        """24.5."""
        boxes = influence_on(table, self.minor, power) + (self.number or 1)
        set_influence(table, self.minor, power, boxes, why="influence", section="24.5")
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for minor in table.board.state.get("influence", {}):
            yield cls(minor=minor)


ACTIONS: tuple[type[Order], ...] = (Influence,)
ORDERS: tuple[type[Order], ...] = (March,)
