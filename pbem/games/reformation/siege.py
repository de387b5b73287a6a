"""15: sieges, assaults, the breaking of sieges."""

from __future__ import annotations

from pbem.games.reformation import displacement, fleets, hands, marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.battle import (
    ATTACKER,
    DEFENDER,
    Battle,
    Side,
    broken_siege_spaces,
    capture,
    majors,
    retreat,
    roll_side,
    size,
    take_losses,
)
from pbem.games.reformation.choices import cards_of_outsiders, combat_cards
from pbem.games.reformation.control import line_of_communication
from pbem.games.reformation.fleets import lose_port
from pbem.games.reformation.forces import (
    Force,
    all_of,
    best_battle,
    check_formation,
    count_land,
    cut,
    formation_limit,
    land_owners,
    leaders_at,
    make_change,
    move_force,
    own_owners,
    present,
    put_leader,
)
from pbem.games.reformation.ground import (
    besieged,
    controller,
    inside,
    is_enemy_space,
    set_control,
    siege_of,
    space_of,
)
from pbem.games.reformation.relations import is_independent, major_of, on_side
from pbem.games.reformation.rules import rules
from pbem.table.asking import Moment, response
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def besieged_number(table: Table, space: str) -> int:
    """How many land units are within the walls of a space."""
    return count_land(table, inside(space), land_owners(table, inside(space)))


def joinable(table: Table, power: str, space: str, number: int) -> bool:
    """15: whether so many more units of a power would outnumber those within; allies besiege each for itself."""
    return count_land(table, space, own_owners(table, space, power)) + number > besieged_number(table, space)


def begin_siege(table: Table, power: str, space: str) -> bool:
    """13.4, 14 step 12, 15: the power besieges the space if it has more units there than are within the walls."""
    number = count_land(table, space, own_owners(table, space, power))
    if number <= besieged_number(table, space):
        return False
    siege = siege_of(table, space) or {"by": {}}
    if power not in siege["by"]:
        by = {**siege["by"], power: table.board.state.get("impulse", 0)}
        table.set(f"siege:{space}", {"by": dict(sorted(by.items()))}, why="siege", section="15")
        marks.note(table, "impulse", "sieges", space)
        table.tell("siege", power=power, space=space, section="15")
    return True


# --- 15.1: assault ---


def check_assault(table: Table, power: str, space: str, force: Force) -> None:
    """15.1: raise `Refused` unless the power may assault a space with a formation."""
    siege = siege_of(table, space)
    if siege is None or power not in siege["by"]:
        raise Refused("not_besieged_by_you", "15.1", space=space)
    reason = rules(table).barred(table, power, "assault")
    if reason:
        raise reason.under("15.1")
    fresh = siege["by"][power] >= table.board.state.get("impulse", 0)
    if fresh and not rules(table).fresh_siege_assault(table, power, space, force):
        raise Refused("siege_too_young", "15.1", space=space)
    if marks.noted(table, "impulse", "assaulted", space):
        raise Refused("assaulted_already", "15.1", space=space)
    check_formation(table, power, space, force)
    if not force.size():
        raise Refused("assault_needs_units", "15.1")
    gouty = [leader for leader in force.leaders if marks.noted(table, "impulse", "gout", leader)]
    if gouty:
        raise Refused("leader_has_gout", "15.1", leader=gouty[0])
    if line_of_communication(table, power, space) is None:
        raise Refused("no_line_of_communication", "12.1", space=space)
    reason = rules(table).assault_barred(table, power, space, None)
    if reason:
        raise reason.under("15.1")
    reason = blockade_fault(table, power, space) if rules(table).blockade_asked(table, space) else None
    if reason:
        raise reason


def blockade_fault(table: Table, power: str, space: str) -> Refused | None:
    """15.1: what is wrong with the blockade of a port that is to be assaulted; corsairs are ignored on both sides."""
    zones = atlas(table).ports[space]
    holder = controller(table, space)
    if not zones or holder is None or is_independent(table, holder):
        return None
    defender = major_of(table.board, holder) or holder
    if any(fleets.blockade(table, zone, defender) for zone in zones):
        return Refused("defender_at_sea", "15.1", space=space)
    in_port = fleets.blockade(table, space, defender)
    if in_port and sum(fleets.blockade(table, zone, power) for zone in zones) <= in_port:
        number = -(-in_port // rules(table).blockade_ship)
        return Refused("blockade_too_weak", "15.1", space=space, squadrons=number)
    return None


def assault(table: Table, power: str, space: str, force: Force, *, announced: bool = True) -> Procedure:
    """15.1: the assault of a formation, its CP spent.

    One that an event makes (Treachery!) is not `announced`: no card that answers to CP for an assault stops it.
    """
    holder = controller(table, space) or ""
    defender = major_of(table.board, holder) or holder
    battle = Battle("assault", space, Side(power, space), Side(defender, inside(space)), force)
    everything = force == all_of(table, space, power)
    table.tell("assault", power=power, space=space, section="15.1")
    # 2: Foul Weather and Gout of others; Landsknechts and Swiss Mercenaries of the active power
    others = [other for other in table.board.powers if other != power]
    moment = Moment("assault", power, {"space": space, "battle": battle})
    answers = []
    if announced:
        answers = yield from response(table, moment, others, section="15.1", space=space, strength=force.size())
    gouty = marks.mark(table, "impulse", "gout", []) if announced else []
    if announced and ("stop" in answers or rules(table).barred(table, power, "assault")):
        table.tell("assault_stopped", power=power, space=space, section="15.1")
        return
    # One that is broken off is no assault: without the leader who fell ill the units may be sent again.
    marks.note(table, "impulse", "assaulted", space)
    yield from response(table, moment, [power], section="15.1", space=space, strength=force.size())
    going = all_of(table, space, power) if everything else present(table, space, force)
    leaders = [leader for leader in going.leaders if leader not in gouty]
    battle.force = Force(cut(going.units, formation_limit(table, leaders)), leaders)
    if not battle.force.size():
        return
    # 5 and 6: combat cards
    before = list(hands.cards_of(table, power)) if power in table.board.powers else []
    for name in (ATTACKER, DEFENDER):
        for one in [power] if name == ATTACKER else _defending(table, battle):
            moment = Moment("assault_cards", power, {"battle": battle, "side": name})
            yield from combat_cards(table, one, moment, section="15.1", space=space, side=name)
    yield from cards_of_outsiders(table, power, battle, section="15.1", space=space)
    battle.force = present(table, space, battle.force)
    played = [card for card in before if card not in hands.cards_of(table, power)]
    if announced and rules(table).assault_barred(table, power, space, played):
        table.tell("assault_stopped", power=power, space=space, section="15.1")
        return
    # A card may have taken so many units away that the siege is broken, or that none are left to assault (card 27).
    yield from check_sieges(table)
    siege = siege_of(table, space)
    if siege is None or power not in siege["by"] or not battle.force.size():
        table.tell("assault_stopped", power=power, space=space, section="15.3")
        return
    # 3, 4 and 7: the dice
    counts = {name: assault_dice(table, battle, name) for name in (ATTACKER, DEFENDER)}
    for name, dice in counts.items():
        roll_side(table, battle, name, dice, "assault", "15.1")
    # 8: Siege Artillery
    yield from response(
        table, Moment("assault_rolled", power, {"battle": battle}), kind="after_dice", section="15.1", space=space
    )
    # 9: losses; the attacker's from any of its land units in the space
    within = inside(space)
    yield from take_losses(
        table,
        {
            ATTACKER: (space, own_owners(table, space, power), battle.defender.hits),
            DEFENDER: (within, land_owners(table, within), battle.attacker.hits),
        },
    )
    make_change(table, space, within)
    if battle.attacker.hits and not besieged_number(table, space) and own_owners(table, space, power):
        yield from fortress_falls(table, power, space)
        yield from rules(table).assault_taken(table, battle, holder)
    else:
        table.tell("assault_failed", power=power, space=space, section="15.1")
        if not own_owners(table, space, power):
            alone = Force({}, leaders_at(table, space, power))
            yield from displacement.displace(table, power, space, alone, section="15.1")
        yield from check_sieges(table)
    yield from rules(table).after_battle(table, space, "assault", power)


def _defending(table: Table, battle: Battle) -> list[str]:
    """The major powers that defend a space: those within, and the one that controls it."""
    defending = majors(table, battle, DEFENDER)
    if battle.defender.power in table.board.powers and battle.defender.power not in defending:
        defending = [power for power in table.board.powers if power in (*defending, battle.defender.power)]
    return defending


def assault_dice(table: Table, battle: Battle, name: str) -> dict[str, int]:
    """15.1 steps 3 and 4: cavalry throws no dice; half dice against units, whole ones against empty walls."""
    constants, units = table.kit.constants, table.kit.tables["units"]
    if name == ATTACKER:
        assert battle.force is not None
        of_all = battle.force.units.values()
        number = sum(n for kinds in of_all for kind, n in kinds.items() if units[kind]["rolls_in_assault"])
        a_die = constants[f"assault_units_a_die_{'defended' if size(table, battle, DEFENDER) else 'empty'}"]
        return {"units": -(-number // a_die), "leader": best_battle(table, battle.force.leaders)}
    within = battle.defender.place
    number = sum(
        n
        for owner in land_owners(table, within)
        for kind, n in table.board.units[within][owner].items()
        if units[kind]["rolls_in_assault"]
    )
    return {
        "units": number,
        "leader": best_battle(table, leaders_at(table, within)),
        "defender": rules(table).assault_defence(table, battle.defender.power),
    }


def fortress_falls(table: Table, power: str, space: str) -> Procedure:
    """15.1 step 10: the attacker controls the space; leaders within are captured, ships in port leave the map."""
    before = controller(table, space) or ""
    captor = _captor(table, power, space)
    table.tell("fortress_falls", power=captor, space=space, section="15.1")
    for leader in leaders_at(table, inside(space)):
        capture(table, leader, captor, "15.1")
    lose_port(table, captor, space)
    table.set(f"siege:{space}", None, section="15.1")
    set_control(table, space, captor, why="assault", section="15.1")
    yield from rules(table).after_capture(table, space, before, captor)


def _captor(table: Table, power: str, space: str) -> str:
    if table.options.get("allied_siege_captor") != "larger":
        return power
    by = (siege_of(table, space) or {"by": {power: 0}})["by"]
    return max(by, key=lambda p: (count_land(table, space, own_owners(table, space, p)), p == power))


# --- 15.3: the breaking of a siege ---


def check_sieges(table: Table) -> Procedure:
    """15.3: who besieges with no more units than are within the walls retreats; a siege without besiegers is over.

    A siege is broken at once: whatever takes units from a space calls this as soon as they are gone, that is moves,
    interceptions, avoided battles, losses, cards, and who must leave a space.
    """
    for space in besieged(table):
        for power in table.board.powers:
            siege = siege_of(table, space)
            if siege is not None and power in siege["by"]:
                yield from _check_besieger(table, power, space)
        siege = siege_of(table, space)
        if siege is not None and not siege["by"]:
            lift_siege(table, space)
    for place in sorted(place for place in table.board.units if place != space_of(place)):
        if siege_of(table, space_of(place)) is None and not _watched(table, space_of(place)):
            # 13.4: they withdrew from a formation that could not besiege them, and come out as it leaves.
            lift_siege(table, space_of(place))


def _watched(table: Table, space: str) -> bool:
    """Whether land units stand outside the walls of a space that are not on the side of those within."""
    within = land_owners(table, inside(space))

    def same_side(owner: str, other: str) -> bool:
        independents = is_independent(table, owner) and is_independent(table, other)
        return owner == other or independents or on_side(table.board, major_of(table.board, owner) or owner, other)

    return not all(any(same_side(owner, other) for other in within) for owner in land_owners(table, space))


def _check_besieger(table: Table, power: str, space: str) -> Procedure:
    number = count_land(table, space, own_owners(table, space, power))
    holder = controller(table, space)
    may = holder is not None and (is_enemy_space(table, space, power) or is_independent(table, holder))
    if number > besieged_number(table, space) and may:
        return
    remove_besieger(table, power, space)
    if may and not all_of(table, space, power).is_empty():
        table.tell("siege_broken", power=power, space=space, section="15.3")
        captor = major_of(table.board, holder or "")
        yield from retreat(table, power, space, broken_siege_spaces(table, power, space), captor, beaten=False)


def remove_besieger(table: Table, power: str, space: str) -> None:
    """A power besieges a space no longer."""
    siege = siege_of(table, space)
    if siege is None:
        return
    by = {other: since for other, since in siege["by"].items() if other != power}
    table.set(f"siege:{space}", {"by": by}, why="siege", section="15.3")


def lift_siege(table: Table, space: str) -> None:
    """The siege is over; who was within the walls comes out."""
    within = inside(space)
    table.set(f"siege:{space}", None, why="siege_lifted", section="15.3")
    for owner in land_owners(table, within):
        units = dict(table.board.units[within][owner])
        move_force(table, Force({owner: units}), within, space, why="siege_lifted", section="15.3")
    for leader in leaders_at(table, within):
        put_leader(table, leader, space, why="siege_lifted", section="15.3")


ORDERS = ()
