"""8.3, 10.0, 11.0: an army is activated and marches; single pieces move freely.

A whole activation stands in one line, or in several of one mail (digest 3.9)::

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

import random
from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.thirty_years_war import (
    bans,
    battle,
    cards,
    control,
    deck,
    dutch_war,
    forage,
    nations,
    overrun,
    pieces,
    reaction,
    retreat,
    siege,
    sortie,
    wallenstein,
)
from pbem.games.thirty_years_war import march as marching
from pbem.games.thirty_years_war.activation import CardUse, Use
from pbem.games.thirty_years_war.map import atlas, distances, number, other
from pbem.games.thirty_years_war.march import group, march, points_left
from pbem.games.thirty_years_war.pieces import PiecesField
from pbem.table.orders import Choice, Many, Name, Order, Question, Refused, YesNo
from pbem.table.procedure import Procedure, Table

MARCH, CONTACT = "march", "contact"
"""Kinds of question."""

OPEN, MET, FOUGHT = "open", "met", "fought"
"""What entering a space came to: the way is open; enemy units stand in the open; they were fought."""

MOST_STEPS = 12
CONTROL, ORDER = "control", "order"


# --- 8.3, 10.1: who may be activated ---


def check_leader(table: Table, side: str, face: str, value: int) -> str:
    """8.3, 10.14: the piece of a leader whom a card of this value activates. Raises `Refused`."""
    leader = pieces.leader_piece(table, face)
    if pieces.where(table, leader) not in atlas(table).spaces or pieces.face_of(table, leader) != face:
        raise Refused("leader_not_on_map", "8.3", leader=face)
    if pieces.side_of(table, leader) != side:
        raise Refused("leader_of_the_enemy", "8.3", leader=face)
    if siege.is_besieged(table, leader) and not table.options["besieged_sortie"]:
        raise Refused("leader_besieged", "13.1", leader=face, space=pieces.where(table, leader))
    needed = pieces.leader_row(table, leader)["activation"]
    if value < needed:
        raise Refused("value_below_rating", "8.3", leader=face, value=value, needed=needed)
    must = leads_before(table, leader, _companions(table, leader))
    if must:
        faces = [pieces.face_of(table, piece) for piece in must]
        raise Refused("dynamic_leader_must_lead", "10.14", leader=face, others=faces)
    banned = bans.activation_refusal(table, leader, value)
    if banned:
        raise banned
    return leader


def _companions(table: Table, leader: str) -> list[str]:
    """The pieces of his side where a leader stands, on the same side of the walls."""
    side, space = pieces.side_of(table, leader), pieces.where(table, leader)
    return pieces.stack(table, space, side, inside=pieces.is_inside(table, leader))


def leads_before(table: Table, leader: str, others: Sequence[str]) -> list[str]:
    """10.14: the leaders among others who would have to be active in place of this one: dynamic ones before plain ones,
    those of two stars before all (Gustavus; by option Wallenstein, C 7.0)."""
    rank = min(2, pieces.stars(table, leader))
    superior = [piece for piece in others if pieces.is_leader(piece) and min(2, pieces.stars(table, piece)) > rank]
    return [piece for piece in superior if piece != leader]


def taken(table: Table, leader: str, value: dict[str, Any] | None) -> list[str]:
    """8.31, 10.12: the group that a leader takes along, himself included. Raises `Refused`.

    `value` names it; without it all who stand with him go, if he and the other leaders can command them.
    """
    there = _companions(table, leader)
    named = pieces.chosen(table, value, there, "8.31")
    if leader not in named:
        named = [piece for piece in there if piece in named or piece == leader]
    most = pieces.command(table, there)
    units = [piece for piece in named if pieces.is_unit(piece)]
    if len(units) > most:
        raise Refused("beyond_command", "10.12", leader=pieces.face_of(table, leader), units=len(units), most=most)
    return named


# --- 11: what may be entered ---


def check_entry(table: Table, side: str, moving: Sequence[str], origin: str, space: str) -> None:
    """11.1, 11.2, 11.3, 16.2, 17: raise `Refused` unless a group may go from a space to the next.

    Movement points are the caller's matter.
    """
    chart = atlas(table)
    if space in chart.boxes or origin in chart.boxes:
        _check_united_provinces(table, side, moving, origin, space)
    elif space not in chart.neighbours[origin]:
        raise Refused("not_linked", "11.12", [*chart.neighbours[origin]], space=space, origin=origin)
    for piece in moving:
        closed = nations.closed(table, piece, space)
        if closed:
            raise closed
    banned = bans.entry_refusal(table, space)
    if banned:
        raise banned
    units = [piece for piece in moving if pieces.is_unit(piece)]
    if len(units) > table.kit.constants["stacking"]:
        raise Refused("group_too_large", "11.15", units=len(units), most=table.kit.constants["stacking"])
    leaders = [piece for piece in moving if pieces.is_leader(piece)]
    if leaders and len(units) > pieces.command(table, leaders):
        raise Refused("group_beyond_command", "11.15", units=len(units), most=pieces.command(table, leaders))
    if not units and _closed_to_leaders(table, side, space):
        raise Refused("leader_alone_among_enemies", "11.21", space=space)
    if not leaders:
        _check_lone_unit(table, side, space)


def _check_united_provinces(table: Table, side: str, moving: Sequence[str], origin: str, space: str) -> None:
    """16.2: into the box of the own side by land, and out of it."""
    if space in atlas(table).boxes:
        if space != dutch_war.box_of(table, side):
            raise Refused("box_of_the_enemy", "16.21", space=space)
        refusal = dutch_war.entry_refusal(table, side, moving, origin)
    else:
        refusal = dutch_war.leave_refusal(table, side, moving, space)
    if refusal:
        raise refusal


def _closed_to_leaders(table: Table, side: str, space: str) -> bool:
    """11.21, 8.321: enemy units stand there, and none of the own side outside that a leader could join."""
    return bool(pieces.units(table, space, other(side))) and not pieces.units(table, space, side, inside=False)


def _check_lone_unit(table: Table, side: str, space: str) -> None:
    """8.32, INT-21: a unit on a free move enters no space with enemy units in the open (option: with none at all)."""
    if pieces.units(table, space, other(side), inside=False):
        raise Refused("unit_alone_among_enemies", "8.321", space=space)
    within = pieces.units(table, space, other(side), inside=True)
    if within and not table.options["free_unit_past_fortress"]:
        raise Refused("unit_alone_at_garrison", "8.32", space=space)


def stay_refusal(table: Table, side: str, space: str, coming: Sequence[str] = ()) -> Refused | None:
    """10.2: why a stack may not stay in a space together with pieces that would join it; None when it may."""
    there = [*pieces.stack(table, space, side), *(piece for piece in coming if pieces.where(table, piece) != space)]
    units = [piece for piece in there if pieces.is_unit(piece)]
    most = table.kit.constants["stacking"]
    if len(units) > most:
        return Refused("stack_too_large", "10.21", space=space, units=len(units), most=most)
    clash = nations.conflict(table, there)
    if clash:
        return Refused(clash.code, clash.section, space=space, first=clash.first, second=clash.second)
    return None


def check_control(table: Table, side: str, space: str, moving: Sequence[str]) -> None:
    """3.11, 11.17: raise `Refused` unless a group may take control of a space for a movement point."""
    if not any(map(pieces.is_unit, moving)):
        raise Refused("control_needs_units", "11.17", space=space)
    if space in atlas(table).boxes:
        raise Refused("no_control_there", "16.2", space=space)
    if atlas(table).is_fortress(space):
        raise Refused("fortress_needs_siege", "11.17", space=space)
    if control.holder(table, space) == side:
        raise Refused("controlled_already", "11.17", space=space)
    if pieces.units(table, space, other(side)):
        raise Refused("enemy_holds_space", "11.17", space=space)
    if table.board.state.get(control.REVOLT + space):
        raise Refused("revolt_first", "9.43", ["RESTORE ORDER"], space=space)


def check_order(table: Table, side: str, space: str, moving: Sequence[str]) -> None:
    """9.43: raise `Refused` unless a group may put a revolt down for a movement point."""
    if not table.board.state.get(control.REVOLT + space):
        raise Refused("no_revolt_there", "9.43", space=space)
    if not any(map(pieces.is_unit, moving)):
        raise Refused("order_needs_units", "9.43", space=space)
    if pieces.units(table, space, other(side), inside=False):
        raise Refused("enemy_in_the_open", "9.43", space=space)


def check_way(
    table: Table,
    side: str,
    moving: Sequence[str],
    origin: str,
    way: Sequence[str],
    points: int,
    *,
    controlling: Sequence[str] = (),
    restoring: Sequence[str] = (),
    may_stay: bool = False,
) -> None:
    """11: raise `Refused` unless a group may go this way, with the points that it has.

    `controlling` and `restoring` are spaces of the way, or where it begins. `may_stay`: it may go on afterwards by
    further orders, so that it need not be able to stay where the way ends.
    """
    here = origin
    spent = _tasks(table, side, moving, here, controlling, restoring)
    for step, space in enumerate(way):
        check_entry(table, side, moving, here, space)
        spent += 1
        here = space
        if step < len(way) - 1:
            _check_not_stopped(table, side, moving, space, points - spent)
        spent += _tasks(table, side, moving, here, controlling, restoring, arriving=True)
    for space in (*controlling, *restoring):
        if space not in (origin, *way):
            raise Refused("not_on_the_way", "11.17", space=space, way=[origin, *way])
    if spent > points:
        raise Refused("not_enough_points", "11.1", needed=spent, points=points)
    # C 10.15: a battle ends the march, and a relief army with those whom it relieves has to fit in as well.
    if not may_stay or spent == points or pieces.units(table, here, other(side), inside=False):
        refusal = stay_refusal(table, side, here, moving)
        if refusal:
            raise refusal


def _tasks(
    table: Table,
    side: str,
    moving: Sequence[str],
    space: str,
    controlling: Sequence[str],
    restoring: Sequence[str],
    *,
    arriving: bool = False,
) -> int:
    """The points that control and order cost in a space; raises `Refused` for what cannot be done there."""
    points = 0
    fights = arriving and bool(pieces.units(table, space, other(side), inside=False))
    if space in restoring:
        points += 1
        if not fights:
            check_order(table, side, space, moving)
    if space in controlling:
        points += 1
        if not fights and space not in restoring:
            check_control(table, side, space, moving)
    return points


def _check_not_stopped(table: Table, side: str, moving: Sequence[str], space: str, points: int) -> None:
    """11.21: a way does not lead on from enemy units in the open who can neither go inside nor be overrun."""
    if not pieces.units(table, space, other(side), inside=False) or reaction.may_react(table, space, other(side)):
        return
    try:
        overrun.check_overrun(table, space, side, moving, points)
    except Refused as refused:
        raise Refused("enemy_ends_the_march", "11.21", space=space) from refused


# --- 8.31: activation of an army ---


class Act(CardUse):
    """Activate a leader: he marches with what he takes along, fights, besieges."""

    line = (
        "ACT {card} WITH {leader} [TAKING {group}] [VIA {way}] [CONTROLLING {controlling}] [RESTORING {restoring}] "
        "[FORAGING {foraging}] [OVERRUN {overrun}] [TEXT {with_text}]"
    )
    use = "act"
    leader = Name("leader", help="who leads")
    group = PiecesField(optional=True, help="left out: all who stand with him")
    way = Many(Name("space"), optional=True, most=MOST_STEPS, help="left out: the march is ordered line by line")
    controlling = Many(Name("space"), optional=True, most=MOST_STEPS, help="unfortified spaces, a point each")
    restoring = Many(Name("space"), optional=True, most=MOST_STEPS, help="spaces in revolt, a point each")
    foraging = Many(Name("space"), optional=True, most=forage.MOST_SPACES)
    overrun = YesNo(optional=True, help="whether to overrun whom it can; left out: it is asked")
    with_text = YesNo(optional=True, help="whether the text of the card is used with the activation (8.2)")

    def check_card_use(self, table: Table, side: str) -> None:
        leader = check_leader(table, side, self.leader, deck.value(table, self.card))
        moving = taken(table, leader, self.group)
        if self.with_text:
            refusal = cards.activation_refusal(table, side, self.card, leader)
            if refusal:
                raise refusal
        if pieces.is_inside(table, leader):
            sortie.check_sortie(table, pieces.where(table, leader), side, moving)
            return
        if self.is_planned():
            points = min(pieces.movement_allowance(table, piece) for piece in moving)
            if self.with_text:
                points = cards.lengthened(table, self.card, points)
            check_way(
                table,
                side,
                moving,
                pieces.where(table, leader),
                self.way or [],
                points,
                controlling=self.controlling or [],
                restoring=self.restoring or [],
            )
            self._check_forage(table, moving)

    def is_planned(self) -> bool:
        """Whether the line says the whole march."""
        return bool(self.way or self.controlling or self.restoring)

    def _check_forage(self, table: Table, moving: Sequence[str]) -> None:
        """3.9: where it is said what is looted it must be right; a battle on the way may still change it."""
        if not self.foraging:
            return
        levels = forage.need(table, sum(map(pieces.is_unit, moving)))
        spaces = [space for space in dict.fromkeys(self.way or []) if space not in atlas(table).boxes]
        spaces = [space for space in spaces if forage.room(table, space)]
        possible = min(levels, sum(forage.room(table, space) for space in spaces))
        forage.check_spaces(table, {"spaces": spaces, "levels": possible}, self.foraging)

    def procedure(self, table: Table, side: str) -> Procedure:
        leader = pieces.leader_piece(table, self.leader)
        bonus = cards.activation_bonus(table, side, self.card) if self.with_text else 0
        yield from activate(table, side, leader, taken(table, leader, self.group), plan=self, bonus=bonus)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in cls.cards(table, question):
            for leader in _leaders(table, question.power):
                for named in _groups(table, leader):
                    yield cls(card=card, leader=pieces.face_of(table, leader), group=named)

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        hand, leaders = list(deck.held(table, question.power)), _leaders(table, question.power)
        if not hand or not leaders:
            return None
        for _ in range(SAMPLES):
            leader = chance.choice(leaders)
            order = cls(
                card=chance.choice(hand),
                leader=pieces.face_of(table, leader),
                group=chance.choice(_groups(table, leader)),
            )
            if not question.is_legal(table, order):
                continue
            if pieces.is_inside(table, leader) or chance.random() < LINE_BY_LINE:
                return order
            return _with_way(table, question, order, chance)
        return None


SAMPLES = 12
LINE_BY_LINE = 0.3
WANDERS = 0.3
"""Of random play: the share of marches that are ordered line by line, and of steps that lead anywhere."""


def _leaders(table: Table, side: str) -> list[str]:
    return [piece for piece in pieces.on_map(table, side) if pieces.is_leader(piece)]


def _groups(table: Table, leader: str) -> list[dict[str, Any] | None]:
    """Groups worth trying: all; as many units as he can command; himself alone."""
    there = _companions(table, leader)
    units = [piece for piece in there if pieces.is_unit(piece)]
    leaders = [piece for piece in there if pieces.is_leader(piece)]
    found: list[dict[str, Any] | None] = [None]
    if len(units) > pieces.command(table, there):
        found = []
    for count in dict.fromkeys((pieces.command(table, leaders), pieces.command(table, [leader]), 0)):
        chosen = leaders if count > pieces.command(table, [leader]) else [leader]
        if count < len(units) or len(leaders) > 1:
            found.append(pieces.described(table, [*chosen, *units[:count]]))
    return found


def _with_way(table: Table, question: Question, order: Act, chance: random.Random) -> Order:
    """The same order with a way by chance, as long as it stays legal; as a rule it leads towards the enemy."""
    best: Order = order
    here = pieces.where(table, pieces.leader_piece(table, order.leader))
    enemy = other(question.power)
    aims = [space for space in atlas(table).spaces if pieces.units(table, space, enemy)]
    held = [space for space in atlas(table).spaces if control.holder(table, space) == enemy]
    aims += [space for space in held if chance.random() < WANDERS]
    nearness = distances(table, aims)
    way: list[str] = []
    controlling: list[str] = []
    for _ in range(chance.randrange(1, 6)):
        near = [*atlas(table).neighbours[here], *atlas(table).entries[here]]
        if not near:
            break
        nearest = min(nearness.get(space, 99) for space in near)
        towards = [space for space in near if nearness.get(space, 99) == nearest]
        here = chance.choice(near if chance.random() < WANDERS else towards)
        way.append(here)
        values = {**vars(order), "way": list(way)}
        longer = Act(**{**values, "controlling": list(controlling) or None})
        richer = Act(**{**values, "controlling": [*controlling, here]})
        if chance.random() < 0.6 and question.is_legal(table, richer):
            controlling.append(here)
            best = richer
        elif question.is_legal(table, longer):
            best = longer
        else:
            break
    return best


def activate(
    table: Table, side: str, leader: str, moving: Sequence[str], *, plan: Act | None = None, bonus: int = 0
) -> Procedure:
    """8.31: a leader is activated with a group: march, contact, forage, siege, and the end of it."""
    marching.begin(table, side, leader, moving, card=plan.card if plan else None, bonus=bonus)
    if plan is not None and plan.foraging:
        marching.change(table, foraging=list(plan.foraging))
    table.tell(
        "activated",
        power=side,
        leader=pieces.face_of(table, leader),
        space=march(table)["space"],
        card=plan.card if plan else None,
        pieces=pieces.described(table, moving),
        section="8.31",
    )
    _clear_where_they_stand(table, side, moving)
    if pieces.is_inside(table, leader):
        yield from sortie.sortie(table, march(table)["space"], side, leader, moving)
        marching.change(table, fought=True)
    elif plan is not None and plan.is_planned():
        yield from follow(table, plan)
    else:
        yield from march_on(table)
    yield from forage.forage(table)
    yield from control.triggers(table)
    if pieces.where(table, leader) in atlas(table).spaces and not pieces.is_inside(table, leader):
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
        if stay_refusal(table, side, space):
            retreat.settle_stack(table, space, side)
    moved = under_way["origin"] in atlas(table).boxes or under_way["space"] in atlas(table).boxes
    dutch_war.army_must_leave(table, side, moved)
    marching.end(table)


# --- the march ---


def follow(table: Table, plan: Act) -> Procedure:
    """3.9: a march that was said in one line; it ends early by a battle, or where overruns have cost its points."""
    controlling, restoring = plan.controlling or [], plan.restoring or []
    do_tasks(table, controlling, restoring)
    yield from control.triggers(table)
    for space in plan.way or []:
        if not _may_go(table, space):
            table.tell("march_stopped", power=march(table)["side"], space=march(table)["space"], section="11.1")
            return
        yield from enter(table, space)
        if (yield from meet(table, plan.overrun)) == FOUGHT:
            return
        do_tasks(table, controlling, restoring)
        yield from control.triggers(table)


def _may_go(table: Table, space: str) -> bool:
    under_way, moving = march(table), group(table)
    if under_way["leader"] not in moving or points_left(table, moving) < 1:
        return False
    try:
        check_entry(table, under_way["side"], moving, under_way["space"], space)
    except Refused:
        return False
    return True


def do_tasks(table: Table, controlling: Sequence[str], restoring: Sequence[str]) -> None:
    """11.17, 9.43: order and control where the group stands, as far as it may still be done there."""
    space, side = march(table)["space"], march(table)["side"]
    for wanted, check, act in ((restoring, check_order, restore_order), (controlling, check_control, take_control)):
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
    way = Many(Name("space"), most=MOST_STEPS)
    take = Choice(CONTROL, ORDER, optional=True)

    def check_march(self, table: Table, side: str, moving: Sequence[str]) -> None:
        last = self.way[-1:]
        check_way(
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
            if not _may_go(table, space):
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
        check_control(table, side, march(table)["space"], moving)

    def carry_out(self, table: Table) -> Procedure:
        take_control(table)
        yield from ()


class RestoreOrder(_OnTheMarch):
    """Put the revolt down where the army stands, for a movement point."""

    line = "RESTORE ORDER"

    def check_march(self, table: Table, side: str, moving: Sequence[str]) -> None:
        _check_point(table, moving)
        check_order(table, side, march(table)["space"], moving)

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
        check_pick_up(table, side, moving, pieces.chosen(table, self.group, _waiting(table, moving), "11.15"))

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


def check_pick_up(table: Table, side: str, moving: Sequence[str], coming: Sequence[str]) -> None:
    """11.15, INT-66: raise `Refused` unless a group may take these pieces along."""
    if not coming:
        raise Refused("nobody_to_pick_up", "11.15", space=march(table)["space"])
    leader = march(table)["leader"]
    must = leads_before(table, leader, coming)
    if not any(map(pieces.is_unit, moving)):
        must = leads_before(table, leader, _waiting(table, moving))
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
        refusal = refusal or stay_refusal(table, side, self.space, moving)
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
            refusal = stay_refusal(table, side, space)
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


# --- 8.32: free moves ---


class MoveFreely(Use):
    """Move one unit, or one leader without units, without a card."""

    line = "MOVE {group} FROM {origin} [TO {way}] [CONTROLLING {controlling}] [RESTORING {restoring}]"
    group = PiecesField()
    origin = Name("space")
    way = Many(Name("space"), optional=True, most=MOST_STEPS)
    controlling = Many(Name("space"), optional=True, most=MOST_STEPS)
    restoring = Many(Name("space"), optional=True, most=MOST_STEPS)

    def check_use(self, table: Table, side: str) -> None:
        piece = self._piece(table, side)
        if not (self.way or self.controlling or self.restoring):
            raise Refused("free_move_goes_nowhere", "8.32")
        check_way(
            table,
            side,
            [piece],
            self.origin,
            self.way or [],
            pieces.movement_allowance(table, piece),
            controlling=self.controlling or [],
            restoring=self.restoring or [],
        )

    def _piece(self, table: Table, side: str) -> str:
        """The one piece that is named. Raises `Refused`."""
        there = pieces.stack(table, self.origin, side)
        named = pieces.chosen(table, self.group, there, "8.32")
        if len(named) != 1:
            raise Refused("one_piece_moves_freely", "8.32", named=len(named))
        piece = named[0]
        if pieces.is_inside(table, piece):
            besieged = siege.is_besieged(table, piece)
            raise Refused("besieged" if besieged else "inside_masked_fortress", "13.16", space=self.origin)
        units = pieces.units(table, self.origin, side)
        if pieces.is_leader(piece) and units and not table.options["leader_leaves_stack"]:
            raise Refused("leader_stays_with_units", "8.32", leader=pieces.face_of(table, piece))
        return piece

    def procedure(self, table: Table, side: str) -> Procedure:
        piece = self._piece(table, side)
        marching.begin(table, side, piece, [piece])
        table.tell(
            "free_move", power=side, space=self.origin, pieces=pieces.described(table, [piece]), section="8.32"
        )
        do_tasks(table, self.controlling or [], self.restoring or [])
        yield from control.triggers(table)
        for space in self.way or []:
            if piece not in group(table) or not _may_go(table, space):
                break
            yield from enter(table, space)
            do_tasks(table, self.controlling or [], self.restoring or [])
            yield from control.triggers(table)
        if pieces.is_unit(piece) and pieces.where(table, piece) in atlas(table).spaces:
            yield from siege.unit_sets_off_assault(table, pieces.where(table, piece), side)
        end(table, side)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for piece in pieces.on_map(table, question.power):
            origin = pieces.where(table, piece)
            for space in atlas(table).neighbours[origin]:
                yield cls(group=pieces.described(table, [piece]), origin=origin, way=[space])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        there = pieces.on_map(table, question.power)
        for _ in range(SAMPLES):
            piece = chance.choice(there) if there else None
            near = atlas(table).neighbours[pieces.where(table, piece)] if piece else ()
            if not near:
                continue
            origin, space = pieces.where(table, piece), chance.choice(near)
            named = pieces.described(table, [piece])
            taking = [space] if chance.random() < 0.5 else None
            for controlling in (taking, None):
                order = cls(group=named, origin=origin, way=[space], controlling=controlling)
                if question.is_legal(table, order):
                    return order
        return None


USES: tuple[type[Use], ...] = (Act, MoveFreely)
ORDERS: tuple[type[Order], ...] = (
    Go, TakeControl, RestoreOrder, Drop, PickUp, Sail, Halt, Overrun, GiveBattle, *forage.ORDERS
)  # fmt: skip
