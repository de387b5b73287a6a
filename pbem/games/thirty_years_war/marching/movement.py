"""11: an army marches: what the march in one line does, and the orders of one that is ordered line by line.

A whole activation stands in one line (`army`), or in several of one mail (digest 3.9)::

    ACT C12 WITH Tilly TAKING 4 bavarian mercenary VIA landshut, passau CONTROLLING landshut FORAGING passau

    ACT C12 WITH Tilly
    GO landshut TAKE CONTROL
    DROP 1 bavarian mercenary
    GO passau
    HALT

A march said in one line ends where its way ends; one said line by line ends with HALT. Enemy units in the open end
either (11.21), unless they are overrun. What then is asked (`battle`, `forage`, `siege`) further lines answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.combat import battle, retreat, siege, sortie
from pbem.games.thirty_years_war.map import atlas, number, other
from pbem.games.thirty_years_war.marching import forage, leading, overrun, reaction, ways
from pbem.games.thirty_years_war.marching import march as marching
from pbem.games.thirty_years_war.marching.march import group, march, points_left
from pbem.games.thirty_years_war.pieces import PiecesField
from pbem.games.thirty_years_war.politics import dutch_war, wallenstein
from pbem.table.orders import Choice, Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table

MARCH, CONTACT = "march", "contact"
"""Kinds of question."""

OPEN, FOUGHT = "open", "fought"
"""What meeting an enemy came to: the way is open, or there was a battle, which ends the march."""

CONTROL, ORDER = "control", "order"


@dataclass(frozen=True)
class Plan:
    """A march that is said beforehand: the spaces of the way, those where control is taken or order restored, those
    that are looted for forage (empty: it is asked), and whether to overrun whom one can (None: it is asked)."""

    way: Sequence[str] = ()
    controlling: Sequence[str] = ()
    restoring: Sequence[str] = ()
    foraging: Sequence[str] = ()
    overrun: bool | None = None

    def is_made(self) -> bool:
        """Whether it says the whole march; else it is ordered line by line."""
        return bool(self.way or self.controlling or self.restoring)


def activate(
    table: Table,
    side: str,
    leader: str,
    moving: Sequence[str],
    plan: Plan,
    *,
    card: str | None = None,
    bonus: int = 0,
) -> Procedure:
    """8.31: a leader is activated with a group: march, contact, forage, siege, and the end of it.

    `bonus` are the movement points that the text of the card adds.
    """
    face = pieces.face_of(table, leader)
    marching.begin(table, side, leader, moving, card=card, bonus=bonus)
    if plan.foraging:
        marching.change(table, foraging=list(plan.foraging))
    table.tell(
        "activated",
        power=side,
        leader=pieces.face_of(table, leader),
        space=march(table)["space"],
        card=card,
        pieces=pieces.described(table, moving),
        section="8.31",
    )
    _clear_where_they_stand(table, side, moving)
    if pieces.is_inside(table, leader):
        yield from sortie.sortie(table, march(table)["space"], side, leader, moving)
        marching.change(table, fought=True)
    elif plan.is_made():
        yield from follow(table, plan)
    else:
        yield from march_on(table)
    yield from forage.forage(table)
    yield from control.triggers(table)
    # Who was killed on the way is no active leader any more, nor is the one on the back of his counter (C 13.12).
    leads = pieces.where(table, leader) in atlas(table).spaces and pieces.face_of(table, leader) == face
    if leads and not pieces.is_inside(table, leader):
        under_way = march(table)
        space = pieces.where(table, leader)
        active = [piece for piece in under_way["pieces"] if pieces.where(table, piece) == space]
        yield from siege.siege_option(
            table, space, side, leader, active, fought=under_way["fought"], moved=bool(under_way["path"])
        )
    end(table, side)


def _clear_where_they_stand(table: Table, side: str, moving: Sequence[str]) -> None:
    """INT-80, option ``revolt_under_units``: units clear a revolt where they stand as soon as they are active."""
    space = march(table)["space"]
    revolts = table.board.state.get(control.REVOLT + space) and table.options["revolt_under_units"] == "cleared"
    if revolts and any(map(pieces.is_unit, moving)):
        control.restore_order(table, space, side, why="order_restored")


def end(table: Table, side: str) -> None:
    """10.22, 16.13: the activation of an army is over: stacks are made legal, the march is forgotten."""
    under_way = march(table)
    for space in pieces.spaces_with(table, side):
        if ways.stay_refusal(table, side, space):
            retreat.settle_stack(table, space, side)
    moved = under_way["origin"] in atlas(table).boxes or under_way["space"] in atlas(table).boxes
    dutch_war.army_must_leave(table, side, moved)
    marching.end(table)


# --- the march ---


def follow(table: Table, plan: Plan) -> Procedure:
    """3.9: a march that was said in one line; it ends early by a battle, or where overruns have cost its points."""
    do_tasks(table, plan.controlling, plan.restoring)
    yield from control.triggers(table)
    for space in plan.way:
        if not may_go(table, space):
            table.tell("march_stopped", power=march(table)["side"], space=march(table)["space"], section="11.1")
            return
        yield from enter(table, space)
        if (yield from meet(table, plan.overrun)) == FOUGHT:
            return
        do_tasks(table, plan.controlling, plan.restoring)
        yield from control.triggers(table)


def may_go(table: Table, space: str) -> bool:
    under_way, moving = march(table), group(table)
    if under_way["leader"] not in moving or points_left(table, moving) < 1:
        return False
    try:
        ways.check_entry(table, under_way["side"], moving, under_way["space"], space)
    except Refused:
        return False
    return True


def do_tasks(table: Table, controlling: Sequence[str], restoring: Sequence[str]) -> None:
    """11.17, 9.43: order and control where the group stands, as far as it may still be done there."""
    space, side = march(table)["space"], march(table)["side"]
    for wanted, check, act in (
        (restoring, ways.check_order, restore_order),
        (controlling, ways.check_control, take_control),
    ):
        if space in wanted and points_left(table) >= 1:
            try:
                check(table, side, space, group(table))
            except Refused:
                continue
            act(table)


def march_on(table: Table) -> Procedure:
    """8.31: a march that is ordered line by line, until HALT, a battle, or the end of the group."""
    side = march(table)["side"]
    while march(table)["leader"] in group(table):
        order = yield Question(
            side,
            MARCH,
            [Go, TakeControl, RestoreOrder, Drop, PickUp, Sail, Halt],
            Halt(),
            context={
                "space": march(table)["space"],
                "leader": pieces.face_of(table, march(table)["leader"]),
                "points": points_left(table),
                "group": pieces.described(table, group(table)),
            },
            section="11.1",
        )
        if isinstance(order, Halt):
            return
        outcome = yield from order.carry_out(table)
        yield from control.triggers(table)
        if outcome == FOUGHT:
            return


def enter(table: Table, space: str, *, cost: int = 1) -> Procedure:
    """11.1: the group enters a space; neutrality (11.18), lone leaders (11.22), the fort reaction (11.23)."""
    under_way, moving = march(table), group(table)
    side, origin = under_way["side"], under_way["space"]
    pieces.move(table, moving, space, why="march", section="11.1")
    marching.change(
        table,
        space=space,
        path=[*under_way["path"], space],
        mp=under_way["mp"] + cost,
        **{"from": origin},
    )
    if any(map(pieces.is_unit, moving)):
        control.violate(table, space, side)
        yield from reaction.fort_reaction(table, space, side)
        lone_leaders(table, space, side)
    yield from control.triggers(table)


def lone_leaders(table: Table, space: str, side: str) -> None:
    """11.22: enemy leaders without units in the open are eliminated when units enter, and stop nobody."""
    if pieces.units(table, space, other(side), inside=False):
        return
    for leader in pieces.leaders(table, space, other(side), inside=False):
        face = pieces.face_of(table, leader)
        table.tell("lone_leader_lost", power=other(side), leader=face, space=space, section="11.22")
        pieces.eliminate(table, leader, why="lone_leader", section="11.22")


def meet(table: Table, wanted: bool | None = None) -> Procedure:
    """11.21, 12.6: what enemy units in the open mean: an overrun where it is legal and wanted, else a battle.

    `wanted`: whether to overrun, None: the side is asked. Value: `OPEN` (nobody there, or overrun) or `FOUGHT`.
    """
    under_way = march(table)
    side, space, leader = under_way["side"], under_way["space"], under_way["leader"]
    moving = group(table)
    if not any(map(pieces.is_unit, moving)) or not pieces.units(table, space, other(side), inside=False):
        return OPEN
    if pieces.is_leader(leader) and (yield from _overruns(table, moving, wanted)):
        marching.change(table, mp=under_way["mp"] + number(table, "overrun_mp"))
        yield from overrun.overrun(table, space, side, moving, leader)
        return OPEN
    marching.change(table, fought=True)
    yield from battle.field_battle(
        table, space, side, active=moving, leader=leader, came_from=under_way["from"]
    )
    return FOUGHT


def _overruns(table: Table, moving: Sequence[str], wanted: bool | None) -> Procedure:
    """12.61: whether the enemy in the open is overrun; the side is asked where it may and has not said."""
    under_way = march(table)
    side, space = under_way["side"], under_way["space"]
    try:
        overrun.check_overrun(table, space, side, moving, points_left(table, moving))
    except Refused:
        return False
    if wanted is not None:
        return wanted
    answer = yield Question(
        side,
        CONTACT,
        [Overrun, GiveBattle],
        Overrun(),
        context={
            "space": space,
            "own": pieces.combat_factors(table, moving),
            "enemy": pieces.combat_factors(table, pieces.units(table, space, other(side), inside=False)),
        },
        section="12.61",
    )
    return isinstance(answer, Overrun)


def take_control(table: Table) -> None:
    """3.11, 11.17: the space comes under control for a movement point."""
    under_way = march(table)
    space, side = under_way["space"], under_way["side"]
    marching.change(table, mp=under_way["mp"] + 1)
    table.tell("took_control", power=side, space=space, section="11.17")
    control.gain(table, space, side, "control")
    if pieces.is_leader(under_way["leader"]):
        wallenstein.took_space(table, under_way["leader"], group(table), space)


def restore_order(table: Table) -> None:
    """9.43: a revolt is put down for a movement point."""
    under_way = march(table)
    marching.change(table, mp=under_way["mp"] + 1)
    table.tell("order_restored", power=under_way["side"], space=under_way["space"], section="9.43")
    control.restore_order(table, under_way["space"], under_way["side"], why="order_restored")


# --- 11: orders on the march ---


class _OnTheMarch(Order):
    """Base of the orders of a march under way."""

    when = "an order on the march of an army of your own"

    def check(self, table: Table, question: Question) -> None:
        self.check_march(table, question.power, group(table))

    def check_march(self, table: Table, side: str, moving: Sequence[str]) -> None:
        """Raise `Refused` unless the marching group may do it."""

    def carry_out(self, table: Table) -> Procedure:
        """What it does. Value: `FOUGHT` where the march is over by it."""
        raise NotImplementedError(type(self).__name__)
        yield


class Go(_OnTheMarch):
    """Go on to the next spaces; by TAKE CONTROL the last of them is taken, by TAKE ORDER a revolt there put down."""

    line = "GO {way} [TAKE {take}]"
    way = ways.Roads(lambda table, side: {"": march(table)["space"]})
    take = Choice(CONTROL, ORDER, optional=True)

    def check_march(self, table: Table, side: str, moving: Sequence[str]) -> None:
        last = self.way[-1:]
        ways.check_way(
            table,
            side,
            moving,
            march(table)["space"],
            self.way,
            points_left(table, moving),
            controlling=last if self.take == CONTROL else (),
            restoring=last if self.take == ORDER else (),
            may_stay=True,
        )

    def carry_out(self, table: Table) -> Procedure:
        for space in self.way:
            if not may_go(table, space):
                table.tell("march_stopped", power=march(table)["side"], space=march(table)["space"], section="11.1")
                return OPEN
            yield from enter(table, space)
            if (yield from meet(table)) == FOUGHT:
                return FOUGHT
        last = self.way[-1:]
        do_tasks(table, last if self.take == CONTROL else (), last if self.take == ORDER else ())
        return OPEN

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        here = march(table)["space"]
        for space in (*atlas(table).neighbours[here], *atlas(table).entries[here]):
            yield cls(way=[space])
            yield cls(way=[space], take=CONTROL)


class TakeControl(_OnTheMarch):
    """Take control of the unfortified space where the army stands, for a movement point."""

    line = "TAKE CONTROL"

    def check_march(self, table: Table, side: str, moving: Sequence[str]) -> None:
        _check_point(table, moving)
        ways.check_control(table, side, march(table)["space"], moving)

    def carry_out(self, table: Table) -> Procedure:
        take_control(table)
        yield from ()


class RestoreOrder(_OnTheMarch):
    """Put the revolt down where the army stands, for a movement point."""

    line = "RESTORE ORDER"

    def check_march(self, table: Table, side: str, moving: Sequence[str]) -> None:
        _check_point(table, moving)
        ways.check_order(table, side, march(table)["space"], moving)

    def carry_out(self, table: Table) -> Procedure:
        restore_order(table)
        yield from ()


def _check_point(table: Table, moving: Sequence[str]) -> None:
    if points_left(table, moving) < 1:
        raise Refused("not_enough_points", "11.1", needed=1, points=points_left(table, moving))


class Drop(_OnTheMarch):
    """Leave units and leaders behind; they have moved for this activation."""

    line = "DROP {group}"
    group = PiecesField()

    def check_march(self, table: Table, side: str, moving: Sequence[str]) -> None:
        left = pieces.chosen(table, self.group, _others(table, moving), "11.14")
        if not left:
            raise Refused("nobody_named", "11.14")
        if march(table)["space"] in atlas(table).boxes and not any(map(pieces.is_leader, left)):
            raise Refused("no_units_without_leader", "16.22")

    def carry_out(self, table: Table) -> Procedure:
        under_way = march(table)
        left = pieces.chosen(table, self.group, _others(table, group(table)), "11.14")
        table.tell(
            "dropped",
            power=under_way["side"],
            space=under_way["space"],
            pieces=pieces.described(table, left),
            section="11.14",
        )
        marching.change(
            table,
            pieces=[piece for piece in under_way["pieces"] if piece not in left],
            dropped=[*under_way["dropped"], *left],
        )
        yield from ()

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        others = _others(table, group(table))
        if others:
            yield cls(group=pieces.described(table, others))
        for piece in others:
            yield cls(group=pieces.described(table, [piece]))


def _others(table: Table, moving: Sequence[str]) -> list[str]:
    """Who of a group can be left behind: not its leader (INT-66)."""
    return [piece for piece in moving if piece != march(table)["leader"]]


class PickUp(_OnTheMarch):
    """Take along friendly units and leaders that stand where the army is; a leader without units leads a new army."""

    line = "PICK UP {group}"
    group = PiecesField()

    def check_march(self, table: Table, side: str, moving: Sequence[str]) -> None:
        check_pick_up(table, moving, pieces.chosen(table, self.group, _waiting(table, moving), "11.15"))

    def carry_out(self, table: Table) -> Procedure:
        under_way, moving = march(table), group(table)
        coming = pieces.chosen(table, self.group, _waiting(table, moving), "11.15")
        table.tell(
            "picked_up",
            power=under_way["side"],
            space=under_way["space"],
            pieces=pieces.described(table, coming),
            section="11.15",
        )
        units = [piece for piece in coming if pieces.is_unit(piece)]
        counted = [*under_way["counted"], *units]
        more: dict[str, Any] = {}
        if units and not any(map(pieces.is_unit, moving)):
            # C 10.12: a leader who has left one army behind leads another one on; each owes its own forage.
            owed = [{name: under_way[name] for name in ("counted", "start", "path")}] if under_way["counted"] else []
            more = {"owed": [*under_way["owed"], *owed], "start": under_way["space"], "path": []}
            counted = units
        marching.change(
            table,
            pieces=[*under_way["pieces"], *coming],
            joined={**under_way["joined"], **dict.fromkeys(coming, under_way["mp"])},
            counted=counted,
            **more,
        )
        yield from ()

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        waiting = _waiting(table, group(table))
        if waiting:
            yield cls(group=pieces.described(table, waiting))
        for piece in waiting:
            yield cls(group=pieces.described(table, [piece]))


def _waiting(table: Table, moving: Sequence[str]) -> list[str]:
    """11.15, C 11.14: who could be taken along here: friends outside the walls that were not dropped before."""
    under_way = march(table)
    there = pieces.stack(table, under_way["space"], under_way["side"], inside=False)
    return [piece for piece in there if piece not in moving and piece not in under_way["dropped"]]


def check_pick_up(table: Table, moving: Sequence[str], coming: Sequence[str]) -> None:
    """11.15, INT-66: raise `Refused` unless a group may take these pieces along."""
    if not coming:
        raise Refused("nobody_to_pick_up", "11.15", space=march(table)["space"])
    leader = march(table)["leader"]
    must = leading.leads_before(table, leader, coming)
    if not any(map(pieces.is_unit, moving)):
        must = leading.leads_before(table, leader, _waiting(table, moving))
    if must and not table.options["superior_leader_picked_up"]:
        faces = [pieces.face_of(table, piece) for piece in must]
        raise Refused("superior_leader", "10.14", leader=pieces.face_of(table, leader), others=faces)
    together = [*moving, *coming]
    units = [piece for piece in together if pieces.is_unit(piece)]
    most = pieces.command(table, together)
    if len(units) > most:
        raise Refused("group_beyond_command", "11.15", units=len(units), most=most)


class Sail(_OnTheMarch):
    """Take the army from the United Provinces by sea to a port of one's own, for all its movement points."""

    line = "SAIL TO {space}"
    space = Name("space")

    def check_march(self, table: Table, side: str, moving: Sequence[str]) -> None:
        if march(table)["space"] not in atlas(table).boxes:
            raise Refused("not_in_the_united_provinces", "16.23")
        refusal = dutch_war.sea_refusal(table, side, moving, self.space, spent=march(table)["mp"])
        refusal = refusal or ways.stay_refusal(table, side, self.space, moving)
        if refusal:
            raise refusal

    def carry_out(self, table: Table) -> Procedure:
        yield from enter(table, self.space, cost=points_left(table))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space, row in atlas(table).spaces.items():
            if row["port"]:
                yield cls(space=space)


class Halt(_OnTheMarch):
    """End the march."""

    line = "HALT"

    def check_march(self, table: Table, side: str, moving: Sequence[str]) -> None:
        left = [pieces.where(table, piece) for piece in march(table)["dropped"]]
        for space in dict.fromkeys([march(table)["space"], *left]):
            if space not in atlas(table).spaces:
                continue
            refusal = ways.stay_refusal(table, side, space)
            if refusal and any(True for _ in Go.legal(table, Question(side, MARCH, [Go]))):
                raise refusal


class Overrun(_OnTheMarch):
    """Overrun the enemy in the open, for a movement point, and go on."""

    line = "OVERRUN"
    when = "what an army does that meets an enemy whom it can overrun"


class GiveBattle(_OnTheMarch):
    """Do not overrun: give battle."""

    line = "GIVE BATTLE"
    when = "what an army does that meets an enemy whom it can overrun"


ORDERS: tuple[type[Order], ...] = (
    Go, TakeControl, RestoreOrder, Drop, PickUp, Sail, Halt, Overrun, GiveBattle, *forage.ORDERS
)  # fmt: skip
