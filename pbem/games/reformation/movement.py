"""13: land movement; interception, avoiding battle, withdrawal into fortifications."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.reformation import marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.battle import (
    ATTACKER,
    capture,
    capture_lone_leaders,
    destroy,
    field_battle,
    is_refuge,
    opponents,
    retreat,
    retreat_spaces,
)
from pbem.games.reformation.forces import (
    Force,
    ForceField,
    all_of,
    best_battle,
    check_change,
    check_formation,
    check_may_be_there,
    count_land,
    force_value,
    formation_limit,
    formations,
    land_owners,
    leader_power,
    leaders_at,
    mark_force,
    marked,
    move_force,
    named_force,
    never_there,
    own_owners,
    present,
    without,
)
from pbem.games.reformation.ground import (
    clear_neighbours,
    controller,
    inside,
    is_enemy_space,
    is_fortified,
    is_friendly,
    neighbours,
    siege_of,
)
from pbem.games.reformation.relations import at_war, hostile, is_independent, major_of, on_side, own
from pbem.games.reformation.rules import rules
from pbem.games.reformation.siege import begin_siege, check_sieges, joinable
from pbem.table.asking import Ask, Moment, Pass, response
from pbem.table.orders import Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import InOrder, Question

# --- 13.1: what may move where ---


def check_move(table: Table, power: str, origin: str, space: str, force: Force) -> None:
    """13.1: raise `Refused` unless a formation of the power may move from a space to an adjacent one."""
    reason = rules(table).may_fight(table, power)
    if reason:
        raise reason.under("13.1")
    check_not_besieged(table, power, origin)
    near = list(neighbours(table, origin, power))
    if space not in near:
        raise Refused("not_adjacent", "13.1", near, space=space, origin=origin)
    check_formation(table, power, origin, force)
    check_may_leave(table, power, origin, force)
    check_entry(table, power, space, force)
    check_change(table, force, origin, space)


def check_not_besieged(table: Table, power: str, origin: str) -> None:
    """15.2: what stands within the walls of a besieged space stays there until the siege ends."""
    if own_owners(table, inside(origin), power) and not own_owners(table, origin, power):
        relief = f"MOVE <force> FROM <a space next to {table.kit.display('space', origin)}> TO {origin}"
        raise Refused("garrison_besieged", "15.2", hint=relief, space=origin)


def check_may_leave(table: Table, power: str, origin: str, force: Force) -> None:
    """13.1: not what lost a field battle this impulse, nor what stands at a fort put under siege this impulse."""
    free = without(all_of(table, origin, power), marked(table, "beaten", origin))
    if without(force, free).size() or any(leader not in free.leaders for leader in force.leaders):
        raise Refused("beaten_this_impulse", "13.1")
    if marks.noted(table, "impulse", "sieges", origin) and not is_friendly(table, origin, power):
        raise Refused("siege_just_begun", "13.1", space=origin)
    gouty = [leader for leader in force.leaders if marks.noted(table, "impulse", "gout", leader)]
    if gouty:
        raise Refused("leader_has_gout", "13.1", leader=gouty[0])
    if marks.mark(table, "impulse", "foul_weather"):
        fresh = without(all_of(table, origin, power), marked(table, "moved", origin))
        if without(force, fresh).size():
            raise Refused("foul_weather_one_space", "13.1")


def check_entry(table: Table, power: str, space: str, force: Force) -> None:
    """13.1: raise `Refused` unless the formation may enter a space at all."""
    holder, board = controller(table, space), table.board
    if holder is None or not rules(table).space_open(table, power, space):
        raise Refused("closed_to_land_units", "13.1", space=space)
    check_may_be_there(table, force, space, "13.1", by_move=True)
    enemy = is_enemy_space(table, space, power)
    if not (is_friendly(table, space, power) or is_independent(table, holder) or enemy):
        raise Refused("neutral_space", "13.1", space=space, owner=holder)
    outside = [owner for owner in land_owners(table, space) if not is_independent(table, owner)]
    fighting = opponents(table, space, power)
    if not force.size() and (enemy or fighting):
        raise Refused("leaders_alone", "13.1", space=space)
    if siege_of(table, space):
        _check_besieged_entry(table, power, space, force, outside, fighting)
        return
    barring = [owner for owner in outside if owner not in fighting and not on_side(board, power, owner)]
    if barring:
        raise Refused("others_bar_the_way", "13.1", space=space, owners=barring)
    if fighting and any(on_side(board, power, owner) and not own(board, power, owner) for owner in outside):
        raise Refused("ally_beside_enemy", "13.1", space=space)


def _check_besieged_entry(
    table: Table, power: str, space: str, force: Force, outside: Sequence[str], fighting: Sequence[str]
) -> None:
    """13.1 (RU): a besieged fort is entered to relieve it or to join the siege, never where friends besiege friends.

    Independents within never bar the way, even if their besiegers have to be fought first.
    """
    board = table.board
    within = land_owners(table, inside(space))
    friends_in = all(on_side(board, power, owner) for owner in within)
    foes_in = all(hostile(board, power, owner) or is_independent(table, owner) for owner in within)
    friends_out = all(on_side(board, power, owner) for owner in outside)
    if is_friendly(table, space, power) and friends_in and outside and all(owner in fighting for owner in outside):
        return
    alone = all(is_independent(table, owner) for owner in (controller(table, space), *within))
    if alone and outside and all(owner in fighting for owner in outside):
        return
    if table.options.get("mixed_besieged_entry") == "french":
        # The French text knows the plain list only: all of them friends, or all of them enemies.
        foes_out = all(owner in fighting for owner in outside)
        if (friends_in and friends_out) or (foes_in and foes_out):
            return
    if not is_friendly(table, space, power) and foes_in and friends_out:
        if force.size() and not joinable(table, power, space, force.size()):
            raise Refused("besieged_not_outnumbered", "15", space=space)
        return
    raise Refused("siege_of_others", "13.1", space=space)


# --- 13.1: the procedure ---


def land_move(table: Table, power: str, origin: str, space: str, force: Force) -> Procedure:
    """13.1 steps 4 to 8: a formation, its CP spent, moves to an adjacent space."""
    table.announce("land_move", power=power, force=force.to_json(), origin=origin, space=space, section="13.1")
    answers = yield from move_responses(table, power, origin, space, force)
    going = None if "stop" in answers else after_responses(table, power, origin, force)
    if going is None:
        table.tell("move_stopped", power=power, origin=origin, space=space, section="13.1")
        return
    yield from enter(table, power, origin, space, going)


def move_responses(table: Table, power: str, origin: str, space: str, force: Force) -> Procedure:
    """13.1 step 4: Foul Weather and Gout of the other powers. Value: what the cards answered."""
    others = [other for other in table.board.powers if other != power]
    moment = Moment("land_move", power, {"origin": origin, "space": space, "force": force})
    context: dict[str, Any] = {"origin": origin, "space": space, "strength": force.size()}
    return (yield from response(table, moment, others, section="13.1", **context))


def after_responses(table: Table, power: str, origin: str, force: Force) -> Force | None:
    """What of a formation may still move after Gout and Foul Weather: the units without a leader who is ill."""
    gouty = marks.mark(table, "impulse", "gout", [])
    going = present(table, origin, force)
    going = Force(going.units, [leader for leader in going.leaders if leader not in gouty])
    if going.is_empty() or going.size() > formation_limit(table, going.leaders):
        return None
    try:
        check_may_leave(table, power, origin, going)
    except Refused:
        return None
    return going


def enter(table: Table, power: str, origin: str, space: str, force: Force, *, by_sea: bool = False) -> Procedure:
    """13.1 steps 5 to 8: interceptions, the entry, avoiding battle, withdrawal, battle, siege.

    `by_sea`: the last step of a naval transport (16.3): `origin` is the sea zone, and a lost battle loses everything.
    """
    came_from = None if by_sea else origin
    besieged = siege_of(table, space) is not None
    relief = besieged and is_friendly(table, space, power)
    intercepted = yield from interceptions(table, power, origin, space, force)
    if not intercepted and not by_sea and table.options.get("responses_to_move") == "any_time":
        answers = yield from move_responses(table, power, origin, space, force)
        going = None if "stop" in answers else after_responses(table, power, origin, force)
        if going is None:
            table.tell("move_stopped", power=power, origin=origin, space=space, section="13.1")
            return
        force = going
    moved = move_force(table, force, origin, space, why="move", section="13.1")
    mark_force(table, "moved", space, moved)
    # 15.3: who is left at a siege that they have left may be too few for it.
    yield from check_sieges(table)
    yield from rules(table).entered(table, power, moved, space)
    if not moved.size():
        if intercepted:
            # 13.1: leaders without units met land units of the enemy.
            for leader in moved.leaders:
                capture(table, leader, major_of(table.board, opponents(table, space, power)[0]), "13.1")
        return
    capture_lone_leaders(table, space, power)
    if not intercepted and opponents(table, space, power):
        yield from avoid_battle(table, power, came_from, space)
        if not besieged:
            withdrew = yield from withdrawal(table, power, space)
            if withdrew:
                yield from _after_withdrawal(table, power, came_from, space)
                return
    if not opponents(table, space, power):
        yield from _arrive(table, power, space)
        return
    relieving = all_of(table, space, power) if relief else None
    joined = (yield from relief_joins(table, power, space)) if relief else None
    winner = yield from field_battle(table, power, space, came_from, joined=joined, relieving=relieving)
    if winner == ATTACKER:
        if own_owners(table, space, power):
            capture_lone_leaders(table, space, power)
        yield from _arrive(table, power, space)
    else:
        _interceptors_besiege(table, space)
    yield from check_sieges(table)
    yield from rules(table).after_battle(table, space, "field", power)


def _arrive(table: Table, power: str, space: str) -> Procedure:
    """13.1 step 8, 14 step 12: a formation in a fortified space that is not friendly besieges it, or must retreat."""
    shelter_leaders(table, power, space)
    if is_fortified(table, space) and not is_friendly(table, space, power):
        begun = begin_siege(table, power, space)
        if not begun and own_owners(table, space, power):
            among = retreat_spaces(table, power, space)
            holder = major_of(table.board, controller(table, space) or "")
            yield from retreat(table, power, space, among, holder, beaten=False)


def _interceptors_besiege(table: Table, space: str) -> None:
    """15: who intercepted into a fortified space of an enemy or of independents and won besieges it from now on.

    A reading: the books speak of the active power's victory only (14 step 12), yet nobody stands in an enemy's fort
    but as its besieger.
    """
    holder = controller(table, space)
    for power in table.board.powers:
        foreign = is_enemy_space(table, space, power) or (holder is not None and is_independent(table, holder))
        if foreign and is_fortified(table, space) and own_owners(table, space, power):
            begin_siege(table, power, space)


def shelter_leaders(table: Table, power: str, space: str) -> None:
    """15: leaders of the other side left alone in a fortified space are within its walls."""
    if not is_fortified(table, space) or is_friendly(table, space, power):
        return
    for leader in leaders_at(table, space):
        if leader not in leaders_at(table, space, power) and not _friendly_leader(table, power, leader):
            move_force(table, Force({}, [leader]), space, inside(space), why="withdraw", section="13.4")


def _friendly_leader(table: Table, power: str, leader: str) -> bool:
    return on_side(table.board, power, leader_power(table, leader))


def _after_withdrawal(table: Table, power: str, came_from: str | None, space: str) -> Procedure:
    """13.4: a siege if the movers are more than those within; else they go on for CP, or fall back."""
    shelter_leaders(table, power, space)
    if begin_siege(table, power, space):
        return
    force = all_of(table, space, power)
    order = yield Ask(
        power,
        "withdrawal",
        [GoOn, FallBack],
        lambda t, q: _silent_stalemate(t, q, came_from),
        context={
            "space": space,
            "strength": force.size(),
            "cp_left": table.board.state.get("cp_left", 0),
            "action": "stalemate",
        },
        section="13.4",
    )
    if isinstance(order, GoOn):
        table.set("cp_left", table.board.state["cp_left"] - step_cost(table, power, space, order.space), why="move")
        yield from land_move(table, power, space, order.space, all_of(table, space, power))
        if all_of(table, space, power).is_empty():
            return
    captor = major_of(table.board, controller(table, space) or "")
    if came_from is None or not is_refuge(table, power, came_from):
        destroy(table, power, space, captor)
        return
    yield from retreat(table, power, space, [came_from], captor, beaten=False)


def _silent_stalemate(table: Table, question: Question, came_from: str | None) -> Order:
    """Silence falls back; where that is closed, as after a landing, it goes on to a refuge if it can."""
    if came_from is None or not is_refuge(table, question.power, came_from):
        for order in GoOn.legal(table, question):
            if is_refuge(table, question.power, order.space):
                return order
    return FallBack()


def step_action(table: Table, origin: str, space: str) -> str:
    """The row of the table of actions of a move to an adjacent space: another one over a pass (13.1)."""
    return "move_formation_pass" if atlas(table).is_pass(origin, space) else "move_formation_clear"


def step_cost(table: Table, power: str, origin: str, space: str) -> int:
    """The CP of a move to an adjacent space: more over a pass (13.1)."""
    return table.kit.tables["actions"][step_action(table, origin, space)][power]


class GoOn(Order):
    """Go on from a fort whose defenders withdrew and that you cannot besiege, for the CP of a move."""

    line = "CONTINUE TO {space}"
    space = Name("space")

    def check(self, table: Table, question: Question) -> None:
        here, power = question.context["space"], question.power
        force = all_of(table, here, power)
        near = list(neighbours(table, here, question.power))
        if self.space not in near:
            raise Refused("not_adjacent", "13.4", near, space=self.space, origin=here)
        if step_cost(table, power, here, self.space) > table.board.state.get("cp_left", 0):
            raise Refused("too_few_cp_to_go_on", "13.4")
        check_may_leave(table, power, here, force)
        check_entry(table, power, self.space, force)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space in neighbours(table, question.context["space"], question.power):
            yield cls(space=space)


class FallBack(Order):
    """Fall back to where you came from."""

    line = "FALL BACK"


# --- 13.2: interception ---


class Intercept(Order):
    """Try to intercept the moving formation with a formation from an adjacent space."""

    line = "INTERCEPT WITH {force} FROM {origin}"
    force = ForceField()
    origin = Name("space")

    def check(self, table: Table, question: Question) -> None:
        place = intercepting_place(table, question.power, self.origin)
        force = named_force(table, question.power, place, self.force)
        check_interception(table, question.power, question.context["space"], self.origin, force)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        power, space = question.power, question.context["space"]
        for origin in clear_neighbours(table, space, power):
            alone = table.options.get("leader_intercepts_alone")
            place = intercepting_place(table, power, origin)
            for force in formations(table, power, place, marked(table, "intercepted", place)):
                if force.size() or alone:
                    yield cls(force=force_value(force, power), origin=origin)


def check_interception(table: Table, power: str, space: str, origin: str, force: Force) -> None:
    """13.2: raise `Refused` unless a formation of the power may try to intercept into a space."""
    near = list(clear_neighbours(table, space, power))
    if origin not in near:
        raise Refused("no_interception_from_there", "13.2", near, space=space, origin=origin)
    if marks.noted(table, "action", "intercepted_from", origin):
        raise Refused("intercepted_from_there", "13.2", origin=origin)
    place = intercepting_place(table, power, origin)
    check_formation(table, power, place, force)
    friends = any(on_side(table.board, power, owner) for owner in land_owners(table, space))
    if not force.size() and not (table.options.get("leader_intercepts_alone") and friends):
        raise Refused("interception_needs_units", "13.2")
    fresh = without(all_of(table, place, power), marked(table, "intercepted", place))
    if without(force, fresh).size() or any(leader not in fresh.leaders for leader in force.leaders):
        raise Refused("intercepted_this_impulse", "13.2")
    if not rules(table).space_open(table, power, space):
        raise Refused("closed_to_land_units", "13.2", space=space)
    check_may_be_there(table, force, space, "13.2")
    check_change(table, force, place, space)


def intercepting_place(table: Table, power: str, origin: str) -> str:
    """13.2, 13.4: where the units of a space stand that may intercept from it.

    Those who withdrew within walls that nobody besieges are not barred (option `withdrawn_garrison_intercepts`).
    """
    within = inside(origin)
    withdrawn = siege_of(table, origin) is None and own_owners(table, within, power)
    return within if withdrawn and table.options.get("withdrawn_garrison_intercepts", False) else origin


def may_intercept(table: Table, power: str, mover: str, space: str) -> bool:
    """13.2: whether a power may intercept formations of the mover into a space at all."""
    board, holder = table.board, controller(table, space)
    if rules(table).may_fight(table, power) or holder is None:
        return False
    if not at_war(board, power, mover) and power not in _treated_as_enemies(table, mover, space):
        return False
    siege = siege_of(table, space)
    if is_fortified(table, space) and is_friendly(table, space, mover) and not siege:
        return False
    if not (is_independent(table, holder) or is_friendly(table, space, power) or is_enemy_space(table, space, power)):
        return False
    allies = rules(table).allies_intercept and table.options.get("allied_interception", True)
    if not all(
        own(board, power, owner) or (allies and on_side(board, power, owner)) for owner in land_owners(table, space)
    ):
        return False
    if siege:
        within = land_owners(table, inside(space))
        if any(on_side(board, power, owner) for owner in within):
            return False
        return bool(table.options.get("interception_of_relief", False)) and bool(own_owners(table, space, power))
    return True


def _treated_as_enemies(table: Table, mover: str, space: str) -> list[str]:
    """13.1 (RU): powers whose units in an enemy's space count as enemies for this move; their other units too."""
    return [power for owner in opponents(table, space, mover) if (power := major_of(table.board, owner))]


def interceptions(table: Table, mover: str, origin: str, space: str, force: Force) -> Procedure:
    """13.2: the enemies, in impulse order, try to intercept. Value: whether one succeeded.

    The first success ends it for all other powers; the same power may go on with other stacks.
    """

    def question(power: str) -> Ask:
        strength = present(table, origin, force).size()
        context = {"space": space, "power": mover, "origin": origin, "strength": strength, "action": "move"}
        return Ask(power, "interception", [Intercept, Pass], Pass(), context=context, section="13.2")

    def can(power: str) -> bool:
        if not may_intercept(table, power, mover, space):
            return False
        return next(Intercept.legal(table, question(power)), None) is not None

    asked = [power for power in table.board.powers if power != mover and can(power)]
    if not asked:
        return False
    if table.options.get("interceptions_asked", "together") == "together":
        answers: dict[str, Any] = dict((yield InOrder([question(power) for power in asked])))
    else:
        answers = {}
    for power in asked:
        order = answers.get(power) or (yield question(power))
        succeeded = False
        while isinstance(order, Intercept):
            if question(power).is_legal(table, order):
                came = attempt(table, power, origin, space, force, order)
                succeeded = came or succeeded
                yield from check_sieges(table)
                if came:
                    yield from rules(table).entered(table, power, all_of(table, space, power), space)
            if not can(power):
                break
            order = yield question(power)
        if succeeded:
            return True
    return False


def attempt(table: Table, power: str, mover_at: str, space: str, force: Force, order: Intercept) -> bool:
    """13.2: one attempt; the formation is placed in the space when it succeeds."""
    place = intercepting_place(table, power, order.origin)
    stack = named_force(table, power, place, order.force)
    marks.note(table, "action", "intercepted_from", order.origin)
    total = reaction_roll(table, "interception", power, stack, present(table, mover_at, force), "13.2")
    success = total >= table.kit.constants["reaction_roll"]
    told = {"power": power, "origin": order.origin, "space": space, "total": total, "success": success}
    table.tell("interception", **told, section="13.2")
    if success:
        stack = move_force(table, stack, place, space, why="interception", section="13.2")
        capture_lone_leaders(table, space, power)
    mark_force(table, "intercepted", space if success else place, stack)
    return success


def reaction_roll(table: Table, what: str, power: str, force: Force, against: Force, section: str) -> int:
    """13.2, 13.3: two dice, the best leader's battle rating, and the modifiers for cavalry."""
    constants, parameters = table.kit.constants, rules(table)
    total = sum(table.roll(what, power, constants["reaction_dice"], section=section))
    total += best_battle(table, force.leaders)
    cavalry = parameters.cavalry_kind
    if parameters.cavalry_power == power:
        total += constants["reaction_cavalry_bonus"] if force.of_kind(cavalry) else 0
    elif against.of_kind(cavalry):
        total += constants["reaction_against_cavalry"]
    return total + parameters.reaction_bonus(table, power)


# --- 13.3: avoiding battle ---


class Avoid(Order):
    """Try to avoid the battle by moving to an adjacent space of yours or an ally's; some may stay."""

    line = "AVOID TO {space} [WITH {force}]"
    space = Name("space")
    force = ForceField(optional=True)

    def check(self, table: Table, question: Question) -> None:
        here, power = question.context["space"], question.power
        offered = retreat_spaces(table, power, here, not_to=question.context["origin"], avoiding=True)
        if self.space not in offered:
            raise Refused("no_space_to_avoid_battle", "13.3", offered, space=self.space)
        force = self.going(table, power, here)
        everything = all_of(table, here, power)
        if force.is_empty() or without(force, everything).size():
            raise Refused("not_so_many_there", "13.3", space=here)
        if any(leader not in everything.leaders for leader in force.leaders):
            raise Refused("leader_not_there", "13.3", space=here)
        check_may_be_there(table, force, self.space, "13.3")
        check_change(table, force, here, self.space)

    def going(self, table: Table, power: str, here: str) -> Force:
        """The group that avoids the battle; where none is named, all that may be in the space."""
        force = named_force(table, power, here, self.force)
        return force if self.force else without(force, never_there(table, force, self.space))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        here = question.context["space"]
        for space in retreat_spaces(table, question.power, here, not_to=question.context["origin"], avoiding=True):
            yield cls(space=space)


def avoid_battle(table: Table, mover: str, came_from: str | None, space: str) -> Procedure:
    """13.3: each major power with units in the entered space may try to avoid the battle, in impulse order."""

    def question(power: str) -> Ask:
        strength = all_of(table, space, mover).size()
        context = {"space": space, "power": mover, "origin": came_from, "strength": strength, "action": "move"}
        return Ask(power, "avoid_battle", [Avoid, Pass], Pass(), context=context, section="13.3")

    there = [major_of(table.board, owner) for owner in opponents(table, space, mover)]
    asked = [
        power for power in table.board.powers if power in there and next(Avoid.legal(table, question(power)), None)
    ]
    if not asked:
        return
    answers = yield InOrder([question(power) for power in asked])
    for power, order in answers:
        if not isinstance(order, Avoid) or not question(power).is_legal(table, order):
            continue
        force = order.going(table, power, space)
        beaten = marked(table, "beaten", space)
        if force.size() and not without(force, beaten).size():
            success = True
        else:
            against = all_of(table, space, mover)
            total = reaction_roll(table, "avoid_battle", power, force, against, "13.3")
            success = total >= table.kit.constants["reaction_roll"]
        table.tell("avoid_battle", power=power, space=order.space, success=success, section="13.3")
        if success:
            move_force(table, force, space, order.space, why="avoid_battle", section="13.3")
            capture_lone_leaders(table, order.space, power)
            if not own_owners(table, space, power) and not is_fortified(table, space):
                capture_lone_leaders(table, space, mover)
            yield from check_sieges(table)
            yield from rules(table).entered(table, power, force, order.space)


# --- 13.4: withdrawal into fortifications ---


class Withdraw(Order):
    """Withdraw into the fortifications with all units in the space."""

    line = "WITHDRAW"


class Stand(Order):
    """Stand and fight in the open."""

    line = "STAND"


def withdrawal(table: Table, mover: str, space: str) -> Procedure:
    """13.4: at most four units may withdraw, all together, as the power that controls the space decides.

    22.1, 22.6: inactive minor powers and independents with at most four units always do. Value: whether they did.
    """
    fighting = opponents(table, space, mover)
    holder = controller(table, space)
    number = count_land(table, space, fighting)
    if not is_fortified(table, space) or not fighting or holder is None:
        return False
    if number > table.kit.constants["garrison_limit"]:
        return False
    decider = major_of(table.board, holder)
    if decider is None:
        if not all(major_of(table.board, owner) is None for owner in fighting):
            return False
    else:
        if decider not in table.board.powers or not is_enemy_space(table, space, mover):
            return False
        strength = all_of(table, space, mover).size()
        context = {"space": space, "power": mover, "strength": strength, "own_strength": number, "action": "move"}
        order = yield Ask(decider, "withdrawal", [Withdraw, Stand], Withdraw(), context=context, section="13.4")
        if isinstance(order, Stand):
            return False
    go_inside(table, mover, space)
    return True


def go_inside(table: Table, mover: str, space: str) -> None:
    """All the mover's opponents in a space, with their leaders, go within the walls."""
    for owner in opponents(table, space, mover):
        units = {kind: n for kind, n in table.board.units[space][owner].items() if kind in atlas(table).land_kinds}
        major = major_of(table.board, owner)
        leaders = leaders_at(table, space, major) if major else []
        move_force(table, Force({owner: units}, leaders), space, inside(space), why="withdraw", section="13.4")


# --- 15.2: relief ---


class Join(Order):
    """Besieged units join the battle of a relief force."""

    line = "JOIN {force}"
    force = ForceField()

    def check(self, table: Table, question: Question) -> None:
        place = inside(question.context["space"])
        force = named_force(table, question.power, place, self.force)
        everything = all_of(table, place, question.power)
        if force.is_empty() or without(force, everything).size():
            raise Refused("not_so_many_within_walls", "15.2", space=question.context["space"])
        if any(leader not in everything.leaders for leader in force.leaders):
            raise Refused("leader_not_within_walls", "15.2", space=question.context["space"])
        check_change(table, force, place, question.context["space"])

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        yield cls(force={"all": True})


def relief_joins(table: Table, power: str, space: str) -> Procedure:
    """15.2: besieged units of the same major power may fight with the relief force, beyond the size of a formation.

    Value: what joined, an empty force if nothing did.
    """
    place = inside(space)
    everything = all_of(table, place, power)
    if everything.is_empty():
        return Force()
    context: dict[str, Any] = {"space": space, "strength": everything.size(), "action": "relief"}
    order = yield Ask(power, "relief", [Join, Pass], Pass(), context=context, section="15.2")
    if isinstance(order, Pass):
        return Force()
    force = named_force(table, power, place, order.force)
    return move_force(table, force, place, space, why="relief", section="15.2")


ORDERS = (Intercept, Avoid, Withdraw, Stand, GoOn, FallBack, Join)
