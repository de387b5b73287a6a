"""The rounds: each player does up to two actions, and uses tiles beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import Any

from pbem.games.struggle_of_empires import movement, orders, settling
from pbem.games.struggle_of_empires.fight import attack, raid
from pbem.games.struggle_of_empires.map import RAIDERS, place_of
from pbem.games.struggle_of_empires.money import add_population
from pbem.games.struggle_of_empires.purchases import take
from pbem.games.struggle_of_empires.tiles import (
    REMOVED,
    SECTION,
    note_use,
    ready,
    turn,
)
from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

ORDERS = [
    orders.Buy,
    orders.Build,
    orders.Move,
    orders.Attack,
    orders.Colonise,
    orders.Enslave,
    orders.Use,
    orders.Pass,
]


def rounds_of(table: Table) -> int:
    """Rounds a war: six with two to four players, five with more."""
    return table.kit.constants["rounds"][str(len(table.board.powers))]


def begin_turn(table: Table, power: str) -> None:
    """A player's turn in a round begins: two actions, one purchase, one time colonising or enslaving."""
    table.set("active", power)
    table.set("actions_left", table.kit.constants["actions_a_round"])
    table.set("bought", 0)
    table.set("settled", 0)


def end_turn(table: Table) -> None:
    """The next in turn order; after the last the next round; after the last round the war's end."""
    state = table.board.state
    order = state["turn_order"]
    after = order[order.index(state["active"]) + 1 :]
    if after:
        begin_turn(table, after[0])
        return
    table.set("given_back", None)
    if state["round"] < rounds_of(table):
        table.set("round", state["round"] + 1)
        begin_turn(table, order[0])
        return
    table.set("active", None)
    table.set("actions_left", None)
    table.set("phase", "income")


def action(table: Table) -> Procedure:
    """One action of the active player, or one free use of a tile. Passing gives up what is left of the turn.

    After his last action a player who has a tile that he could still use is asked once more (option
    free_use_after_actions).
    """
    state = table.board.state
    power, left = state["active"], state["actions_left"]
    free_only = left == 0
    answer = yield Question(
        power,
        "free_use" if free_only else "action",
        [orders.Use, orders.Pass] if free_only else ORDERS,
        default=orders.Pass(),
        context={"war": state["war"], "round": state["round"], "actions_left": left},
        section=SECTION,
    )
    if isinstance(answer, orders.Pass):
        table.tell("passed", power=power, section=SECTION)
        end_turn(table)
        return
    if not isinstance(answer, orders.Use):
        table.set("actions_left", left - 1)
    yield from perform(table, power, answer)
    if not table.board.state["actions_left"] and not may_use_more(table, power):
        end_turn(table)


def may_use_more(table: Table, power: str) -> bool:
    """Whether a player whose actions are done has a tile that he could still use now."""
    if not table.options["free_use_after_actions"]:
        return False
    question = Question(power, "free_use", [orders.Use])
    return next(question.legal(table), None) is not None


def perform(table: Table, power: str, order: Order) -> Procedure:
    """What an order of the active player does."""
    if isinstance(order, orders.Buy):
        yield from buy(table, power, order)
    elif isinstance(order, orders.Build):
        yield from build(table, power, order)
    elif isinstance(order, orders.Move):
        yield from move(table, power, order)
    elif isinstance(order, orders.Attack):
        yield from attack(table, power, order.target, order.region, order.tiles or (), order.allies is not False)
    elif isinstance(order, orders.Colonise):
        settling.settle(table, power, order.kind, order.where)
    elif isinstance(order, orders.Use):
        yield from use(table, power, order)


def buy(table: Table, power: str, order: orders.Buy) -> Procedure:
    """Buy a tile, once a round. Industry, Pirates and Slave Revolt act at once."""
    table.set("bought", table.board.state.get("bought", 0) + 1)
    if order.tile in RAIDERS:
        piece = take(table, power, order.tile, order.region)
        yield from raid(table, order.tile, piece, order.region, order.victim)
        return
    take(table, power, order.tile, power)
    if order.tile == "industry":
        table.count("vp", power, table.kit.constants["industry_vp"], why="industry", section="4")


def build(table: Table, power: str, order: orders.Build) -> Procedure:
    """Build a unit for 1 population, with Militia an army as well; each goes at once where it is sent.

    When a unit does not arrive, or the player said MORE YES, he is asked anew what else he builds by Militia.
    """
    left = orders.builds_allowed(table, power)
    wanted, more = list(order.units), order.more
    while wanted:
        new, wanted = wanted[0], wanted[1:]
        table.count("population", power, -table.kit.constants["build_population"], why="build", section=SECTION)
        outcome = movement.build_unit(table, power, new.unit, place_of(power, new.place), why="build")
        left -= 1
        stopped = outcome != movement.ARRIVED
        if not left or not (stopped or (more and not wanted)):
            continue
        question = Question(
            power,
            "build",
            [orders.Build, orders.Pass],
            default=_the_rest_if_legal(orders.Build(units=wanted) if wanted else None),
            context={"units_left": left, "planned": [other.values() for other in wanted]},
            section=SECTION,
        )
        if next(orders.Build.legal(table, question), None) is None:
            return
        answer = yield question
        if not isinstance(answer, orders.Build):
            return
        wanted, more = list(answer.units), answer.more


def move(table: Table, power: str, order: orders.Move) -> Procedure:
    """Move units one after the other, each a whole move.

    A player who lists his moves sees the dice of one before he makes the next: when a unit does not arrive, or he said
    MORE YES, he is asked anew for what is left of the action. A unit that was turned back has made its move too.
    """
    left = orders.moves_allowed(table, power)
    legs, more = list(order.legs), order.more
    moved: Counter[tuple[str, str]] = Counter()
    while legs:
        leg, legs = legs[0], legs[1:]
        origin, place = place_of(power, leg.origin), place_of(power, leg.place)
        outcome = movement.move_unit(table, power, leg.unit, origin, place)
        left -= 1
        if outcome != movement.LOST:
            moved[place if outcome == movement.ARRIVED else origin, leg.unit] += 1
        stopped = outcome != movement.ARRIVED
        if not left or not (stopped or (more and not legs)):
            continue
        question = Question(
            power,
            "move",
            [orders.Move, orders.Pass],
            default=_the_rest_if_legal(orders.Move(legs=legs) if legs else None),
            context={
                "units_left": left,
                "planned": [other.values() for other in legs],
                "moved": [[where, kind, number] for (where, kind), number in moved.items()],
            },
            section=SECTION,
        )
        if next(orders.Move.legal(table, question), None) is None:
            return
        answer = yield question
        if not isinstance(answer, orders.Move):
            return
        legs, more = list(answer.legs), answer.more


def _the_rest_if_legal(rest: Order | None) -> Any:
    """What silence means after a unit did not arrive: the moves ordered before, if they still can be made."""

    def default(table: Table, question: Question) -> Order:
        return rest if rest is not None and question.is_legal(table, rest) else orders.Pass()

    return default


# --- 4: tiles that a player uses by himself ---


def use(table: Table, power: str, order: orders.Use) -> Generator[Any, Any, None]:
    """Use a tile; once-a-war tiles are turned."""
    piece = ready(table, power, order.tile)
    assert piece is not None
    table.tell("used", power=power, tile=order.tile, section="4")
    turn(table, piece)
    if order.tile == "improved_agriculture":
        gain = table.kit.constants["agriculture_population"]
        add_population(table, power, gain, why="improved_agriculture", section="4")
    elif order.tile == "government_reform":
        government_reform(table, power, piece)
    elif order.tile == "mercenaries":
        movement.build_unit(table, power, "army", place_of(power, order.region), why="mercenaries")
    elif order.tile == "pressgangs":
        movement.build_unit(table, power, "navy", place_of(power, order.region), why="pressgangs")
    elif order.tile == "trained_natives":
        trained_natives(table, power, order.region, order.then)
    elif order.tile == "diplomatic_service":
        take(table, power, order.beneficiary, power, section="4")
    elif order.tile == "blockade":
        lay_blockade(table, power, piece, order.region)
    elif order.tile == "war_office":
        yield from attack(
            table,
            power,
            order.target,
            order.battlefield,
            order.tiles or (),
            order.allies is not False,
            free=True,
        )


def government_reform(table: Table, power: str, piece: str) -> None:
    """Government Reform: 2 own unrest are removed; the tile leaves the game."""
    points = min(table.kit.constants["reform_unrest"], table.board.value("unrest", power))
    table.count("unrest", power, -points, why="government_reform", section="4")
    table.put(piece, REMOVED, why="government_reform", section="4")


def trained_natives(table: Table, power: str, region: str, then: str | None) -> None:
    """Trained Natives: an army straight into a colony, without die or navy; then a free move, with the die it needs."""
    table.tell("built", power=power, kind="army", place=region, why="trained_natives", section="4")
    table.place(power, "army", region, why="trained_natives", section="4")
    if then is not None:
        movement.move_unit(table, power, "army", region, place_of(power, then), why="trained_natives")


def lay_blockade(table: Table, power: str, piece: str, region: str) -> None:
    """Blockade (a): laid under an own navy in a colony until the end of the war or the loss of the last navy there."""
    table.tell("blockade_laid", power=power, region=region, section="4")
    table.put(piece, region, power=power, why="blockade", section="4")
    note_use(table, power, "blockade")

