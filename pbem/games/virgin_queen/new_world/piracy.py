"""16.4, 16.5: piracy in Europe and on the world map. What hits bring is in `awards`.

The mark ``turn:piracy`` lists the piracy markers, ``zone:power``, in sea and ocean zones; winter removes them (20.7).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.reformation import marks, naval
from pbem.games.reformation.action import Action
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import (
    best_naval,
    commanders,
    has_ships,
    is_own_port,
    named_fleet,
    naval_leaders,
    positions_near,
    ships,
    sink,
)
from pbem.games.reformation.forces import Force, force_value
from pbem.games.reformation.ground import controller, inside
from pbem.games.reformation.piracy import Plunder, is_guard, thrown_hits
from pbem.games.reformation.relations import at_war, major_of
from pbem.games.reformation.rules import rules
from pbem.games.virgin_queen.new_world import awards, captains
from pbem.games.virgin_queen.new_world.captains import CAPTAIN, row_of
from pbem.games.virgin_queen.powers import majors
from pbem.games.virgin_queen.powers.majors import OTTOMAN, SPAIN
from pbem.games.virgin_queen.war.armada import ARMADA
from pbem.table.asking import Ask, Moment, confirm, response
from pbem.table.orders import AnyName, Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

CORSAIR, PATROL, FORTRESS = "corsair", "patrol", "fortress"
KNIGHTS, PORTUGAL = "knights_of_st_john", "portugal"
MARKERS = "piracy"


# --- the markers ---


def why_no_marker(table: Table, power: str, zone: str, section: str) -> Refused | None:
    """16.4, 16.5 step 1: why a power may not put a piracy marker into a zone in this turn, or None."""
    constants = table.kit.constants
    markers: list[str] = marks.mark(table, "turn", MARKERS, [])
    here = [marker for marker in markers if marker.partition(":")[0] == zone]
    mine = [marker for marker in markers if marker.partition(":")[2] == power]
    if f"{zone}:{power}" in here:
        return Refused("piracy_there_already", section, zone=zone)
    if len(here) >= constants["piracy_powers_a_zone"]:
        return Refused("two_pirates_there", section, zone=zone, most=constants["piracy_powers_a_zone"])
    if len(mine) >= constants["piracy_actions_a_power"]:
        return Refused("piracy_used_up", section, most=constants["piracy_actions_a_power"])
    return None


def _announced(table: Table, power: str, zone: str, target: str, section: str, **more: Any) -> Procedure:
    """Step 1: the marker is placed; responses. Value: whether it was stopped."""
    marks.note(table, "turn", MARKERS, f"{zone}:{power}", why="piracy", section=section)
    table.tell("piracy", power=power, target=target, zone=zone, section=section, **more)
    others = [other for other in table.board.powers if other != power]
    moment = Moment("piracy", power, {"zone": zone, "target": target, **more})
    answers = yield from response(table, moment, others, section=section, zone=zone, target=target, **more)
    stopped = "stop" in answers or rules(table).barred(table, power, "piracy") is not None
    if stopped:
        table.tell("piracy_stopped", power=power, zone=zone, section=section)
    return stopped


# --- 16.4: in Europe ---


class Piracy(Plunder):
    """Let your ships in a sea zone plunder a power that controls a port on it."""

    action = "piracy_europe"

    def check_action(self, table: Table, power: str) -> None:
        check_piracy(table, power, self.sea, self.power)

    def procedure(self, table: Table, power: str) -> Procedure:
        """16.4."""
        yield from piracy(table, power, self.sea, self.power)

    @classmethod
    def targets(cls, table: Table) -> Sequence[str]:
        return majors.all_powers(table)


def check_piracy(table: Table, power: str, zone: str, target: str) -> None:
    """16.4 step 1: raise `Refused` unless the power may plunder another one in a sea zone.

    They have to be at war, unless Ottoman corsairs are there and the target takes part in the game.
    """
    reason = rules(table).barred(table, power, "piracy")
    if reason:
        raise reason.under("16.4")
    if not has_ships(table, zone, power):
        raise Refused("no_ships_to_plunder_with", "16.4", sea=zone)
    reason = why_no_marker(table, power, zone, "16.4")
    if reason:
        raise reason
    if target == power or not target_ports(table, power, target, zone):
        raise Refused("no_port_to_plunder", "16.4", power=target, sea=zone)
    if not at_war(table.board, power, target):
        if not (power == OTTOMAN and table.board.count(zone, power, CORSAIR)):
            raise Refused("piracy_needs_war", "16.4", power=target)
        if target not in table.board.powers:
            raise Refused("piracy_on_inactive", "16.4", power=target)


def target_ports(table: Table, power: str, target: str, zone: str) -> list[str]:
    """16.4, 16.7: the ports on a zone that the target controls; an inland port only where the pirate has its linked
    one."""
    spaces = atlas(table).spaces
    ports = []
    for port in atlas(table).ports_on[zone]:
        linked = spaces[port]["inland_port"]
        if is_own_port(table, port, target) and (not linked or controller(table, linked) == power):
            ports.append(port)
    return ports


def piracy(table: Table, power: str, zone: str, target: str) -> Procedure:
    """16.4: an act of piracy in a sea zone, its CP spent."""
    # 1: announced; the marker lies in the zone to the end of the turn
    stopped = yield from _announced(table, power, zone, target, "16.4")
    if stopped:
        return
    # 2, 3: the target's dice against the pirates
    hits = thrown_hits(table, "piracy_defence", target, dice_against_piracy(table, power, zone, target), zone, "16.4")
    yield from pirates_lost(table, power, zone, hits)
    # 4: the dice of piracy
    needs_corsairs = not at_war(table.board, power, target)
    if not has_ships(table, zone, power) or (needs_corsairs and not table.board.count(zone, power, CORSAIR)):
        table.tell("piracy_failed", power=power, zone=zone, section="16.4")
        return
    dice = piracy_dice(table, power, zone, target)
    # 5: each hit brings something, as the target chooses
    hits = thrown_hits(table, "piracy", power, dice, zone, "16.4")
    table.tell("piracy_hits", power=power, target=target, zone=zone, hits=hits, section="16.4")
    context = {"act": awards.EUROPE, "zone": zone, "power": power, "target": target}
    yield from awards.awards(table, _seat_of(table, target), context, hits, awards.give_in_europe)


def _seat_of(table: Table, target: str) -> str | None:
    """Who decides for a power: itself, or its ally where it has no seat; None where nobody does."""
    decides = major_of(table.board, target)
    return decides if decides in table.board.powers else None


def dice_against_piracy(table: Table, power: str, zone: str, target: str) -> int:
    """16.4 step 2: ships of the target in the zone; its ships and fortresses near it and those of powers at war with
    the pirate; the Knights of St John against the Ottoman."""
    constants = table.kit.constants

    def helps(owner: str) -> bool:
        one = major_of(table.board, owner) or owner
        return one == target or at_war(table.board, power, one) or at_war(table.board, power, owner)

    dice: int = constants["piracy_defence_target_ship_in_zone"] * _number(table, zone, target, (ARMADA,))
    for place in positions_near(table, zone):
        helping = [one for one in commanders(table, place) if helps(one)]
        near = sum(_number(table, place, one, (ARMADA, CORSAIR)) for one in helping)
        dice += constants["piracy_defence_ship_near"] * near
    for port in atlas(table).ports_on[zone]:
        holder = controller(table, port)
        if holder is not None and is_guard(table, port) and helps(holder):
            dice += constants["piracy_defence_fortress"]
        knights = any(table.board.units.get(place, {}).get(KNIGHTS) for place in (port, inside(port)))
        if power == OTTOMAN and knights:
            dice += constants["piracy_defence_knights"]
    return dice


def _number(table: Table, place: str, commander: str, but: tuple[str, ...] = ()) -> int:
    """The ships at a place that act for a commander; the Armada is one."""
    total = 0
    for kinds in ships(table, place, commander).values():
        total += sum(1 if kind == ARMADA else number for kind, number in kinds.items() if kind not in but)
    return total


def piracy_dice(table: Table, power: str, zone: str, target: str) -> int:
    """16.4 step 4: one die for a lone ship or a single port of the target, else two; a naval leader's piracy value."""
    constants = table.kit.constants
    few = _number(table, zone, power) == 1 or len(target_ports(table, power, target, zone)) == 1
    dice: int = constants["piracy_base_one" if few else "piracy_base_else"]
    return dice + best_naval(table, naval_leaders(table, zone, power), "piracy")


def pirates_lost(table: Table, power: str, zone: str, hits: int) -> Procedure:
    """16.4 step 3: each hit sinks a corsair; then each two hits a ship, as a last single one does.

    The pirate chooses among his ships. A level of the Armada is lost as one ship.
    """
    corsairs = min(hits, table.board.count(zone, power, CORSAIR)) if power == OTTOMAN else 0
    if corsairs:
        sink(table, power, zone, Force({power: {CORSAIR: corsairs}}), "16.4")
    there = [
        (owner, kind, many // naval.lost_together(table, kind))
        for owner, kinds in ships(table, zone, power).items()
        for kind, many in kinds.items()
    ]
    number = min(-(-(hits - corsairs) // 2), sum(many for *_, many in there))
    if number:
        lost = {naval.SHIP: number}
        force = naval.cheapest_ships(table, power, zone, lost)
        if len(there) > 1 and number < sum(many for *_, many in there) and power in table.board.powers:
            order = yield Ask(
                power,
                "losses",
                [naval.Sink],
                lambda table, question: naval.Sink(
                    fleet=force_value(naval.cheapest_ships(table, power, zone, lost), power)
                ),
                context={"place": zone, "space": zone, "lost": lost, "strength": number, "action": "piracy"},
                section="16.4",
            )
            force = named_fleet(table, power, zone, order.fleet)
        sink(table, power, zone, force, "16.4")
    if not has_ships(table, zone, power):
        # Without ships a leader has nothing to stay with, as after a combat (16.2).
        sink(table, power, zone, Force({}, naval_leaders(table, zone, power)), "16.4")


# --- 16.5: on the world map ---


class Raid(Action):
    """Let a sea captain plunder Spain or Portugal in the ocean zone where he is."""

    action = "piracy_world"
    line = "RAID {target} WITH {captain}"
    target = AnyName("power", "minor")
    captain = Name("captain")

    def check_action(self, table: Table, power: str) -> None:
        check_raid(table, power, self.captain, self.target)

    def procedure(self, table: Table, power: str) -> Procedure:
        """16.5."""
        yield from raid(table, power, self.captain, self.target)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for captain in captains.at_sea(table, question.power):
            for target in (SPAIN, PORTUGAL):
                yield cls(target=target, captain=captain)


def target_villages(table: Table, target: str, zone: str) -> list[str]:
    """16.5: the villages on a zone that the target controls."""
    return [one for one in captains.villages_on(table, zone) if table.board.state.get(f"village:{one}") == target]


def check_raid(table: Table, power: str, captain: str, target: str) -> None:
    """16.5 step 1: raise `Refused` unless a captain may plunder Spain or Portugal where he is. No war is needed."""
    reason = rules(table).barred(table, power, "piracy")
    if reason:
        raise reason.under("16.5")
    if captain not in captains.at_sea(table, power):
        raise Refused("captain_not_at_sea", "16.5", list(captains.at_sea(table, power)), captain=captain)
    zone = captains.place_of(table, captain)
    reason = why_no_marker(table, power, zone, "16.5")
    if reason:
        raise reason
    if target not in (SPAIN, PORTUGAL) or not target_villages(table, target, zone):
        raise Refused("no_village_to_plunder", "16.5", power=target, ocean=zone)
    if target == PORTUGAL and table.board.state.get("minor_ally", {}).get(PORTUGAL) == power:
        raise Refused("portugal_is_your_ally", "16.5")


def raid(table: Table, power: str, captain: str, target: str, *, fewer_dice: int = 0) -> Procedure:
    """16.5: an act of piracy in an ocean zone. `fewer_dice`: so many dice of the defence that a card takes away."""
    zone = captains.place_of(table, captain)
    # 1: announced
    stopped = yield from _announced(table, power, zone, target, "16.5", captain=captain)
    if stopped:
        return
    # 2, 3: the target's dice against the captain
    dice, by_fortress = raid_defence(table, captain, target, zone)
    hits = thrown_hits(table, "piracy_defence", target, dice - fewer_dice, zone, "16.5")
    survived = yield from captain_hit(table, captain, hits, zone)
    if not survived:
        return
    # 4, 5: the captain's dice; Spain chooses what each hit brings
    hits = thrown_hits(table, "piracy", power, raid_dice(table, captain, target, zone), zone, "16.5")
    table.tell("piracy_hits", power=power, target=target, zone=zone, hits=hits, section="16.5")
    # Of dice that a card takes away those of fortresses go last; without one nothing is hidden.
    hides = by_fortress and dice > fewer_dice and not captains.bonus(table, captain, "nothing_hidden")
    context = {
        "act": awards.WORLD,
        "zone": zone,
        "power": power,
        "target": target,
        "captain": captain,
        "hides": bool(hides),
    }
    yield from awards.awards(table, _seat_of(table, SPAIN), context, hits, awards.give_abroad)
    # 6: loot
    yield from captains.drop_excess(table, captain)
    # 7: the way home
    yield from offer_home(table, captain, "16.5")


def raid_defence(table: Table, captain: str, target: str, zone: str) -> tuple[int, bool]:
    """16.5 step 2: the dice of the defence, and whether a fortress gave one of them.

    Portugal: its villages on the zone. Spain: patrols in it and fortresses on it; a captain's bonus may take some away.
    """
    less = captains.bonus_at(table, captain, "defence", zone=zone, target=target)
    if target == PORTUGAL:
        return max(0, len(target_villages(table, target, zone)) + less), False
    fewer = captains.bonus_at(table, captain, "fortress_dice", zone=zone, target=target)
    fortresses = max(0, awards.fortresses_on(table, target, zone) + fewer)
    return max(0, table.board.count(zone, target, PATROL) + fortresses + less), fortresses > 0


def captain_hit(table: Table, captain: str, hits: int, zone: str) -> Procedure:
    """16.5 step 3: two hits remove a captain, one hit a damaged one; one hit damages an intact one. Value: he stays."""
    if not hits:
        return True
    intact = not captains.is_damaged(table, captain)
    most = table.kit.constants["captain_hits_to_remove"]
    if intact and (hits < most or (hits == most and captains.use_up(table, captain, "flipped_instead"))):
        yield from captains.damage(table, captain, "16.5")
        return True
    revenge = captains.bonus(table, captain, "patrols", 0)
    captains.remove(table, captain, "piracy_defence", "16.5")
    for _ in range(min(revenge, table.board.count(zone, SPAIN, PATROL))):
        table.remove(SPAIN, PATROL, zone, why="captain_bonus", section="5.2")
    return False


def raid_dice(table: Table, captain: str, target: str, zone: str) -> int:
    """16.5 step 4: one die if the captain is damaged or the target has one village there, else two; his piracy value,
    and what his bonus adds."""
    constants = table.kit.constants
    few = captains.is_damaged(table, captain) or len(target_villages(table, target, zone)) == 1
    dice: int = constants["piracy_base_one" if few else "piracy_base_else"]
    return dice + row_of(table, captain)["piracy"] + captains.bonus_at(table, captain, "dice", zone=zone, target=target)


def offer_home(table: Table, captain: str, section: str) -> Procedure:
    """16.5 step 7: a captain who can reach an entry zone without a dangerous passage may go home at once."""
    power = captains.power_of(table, captain) or ""
    if CAPTAIN + captain not in table.board.pieces or captain not in captains.at_sea(table, power):
        return
    if not captains.may_come_home(table, captain):
        return
    if (yield from confirm(table, power, "voyage", section=section, captain=captain, step="home")):
        captains.come_home(table, captain, "home", section)


ACTIONS: tuple[type[Order], ...] = (Piracy, Raid)
ORDERS: tuple[type[Order], ...] = (*awards.ORDERS,)
