"""16, 23.2: the Armada: so many units of the kind ``armada`` as its strength, always together.

What is aboard stands at the place ``armada``: land units and army leaders of Spain and of those who fight for it, at
most as many units as its strength. In a port they go ashore and aboard for nothing, in a sea zone for 1 CP. How it
fights is in `naval`; it is built by its card.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.games.reformation.action import Action, limited_actions
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import enemy_fleets, sink
from pbem.games.reformation.forces import (
    LEADER,
    Force,
    ForceField,
    all_of,
    can_add,
    check_change,
    check_formation,
    count_land,
    force_value,
    land_owners,
    leaders_at,
    move_force,
    named_force,
)
from pbem.games.reformation.ground import controller, home_spaces, in_unrest
from pbem.games.reformation.movement import check_entry, check_may_leave, check_not_besieged, enter
from pbem.games.reformation.rules import rules
from pbem.games.virgin_queen.places import arrived
from pbem.games.virgin_queen.powers.majors import SPAIN
from pbem.games.virgin_queen.war.land import Build
from pbem.table.asking import Moment, response
from pbem.table.board import SUPPLY
from pbem.table.orders import Name, Number, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

ARMADA, GALLEON = "armada", "galleon"
ABOARD = "armada"
"""The place of what is aboard."""
SECTION = "23.2"


# --- where it is, how strong ---


def place(table: Table) -> str | None:
    """Where the Armada is: a sea zone or a port; None while it is not on the map."""
    chart = atlas(table)
    return next((one for one in (*chart.zones, *chart.spaces) if table.board.count(one, SPAIN, ARMADA)), None)


def strength(table: Table) -> int:
    """2, 4, 6 or 8; 0 while it is not on the map."""
    at = place(table)
    return table.board.count(at, SPAIN, ARMADA) if at else 0


def level(table: Table) -> int:
    """The strength of one level."""
    return int(table.kit.constants["armada_strengths"][0])


def levels(table: Table) -> int:
    """23.2: how many levels it can lose."""
    return strength(table) // level(table)


def is_waiting(table: Table) -> bool:
    """Whether its marker waits on the Turn Track for a later turn."""
    return any(
        where.startswith("turn_track:") and table.board.count(where, SPAIN, ARMADA) for where in table.board.units
    )


def degrade(table: Table, number: int, why: str, section: str) -> None:
    """23.2: the Armada loses levels; without any its marker waits for the next turn, and may be built again then."""
    at = place(table)
    if at is not None:
        lost = min(strength(table), number * level(table))
        table.tell("armada_worn", power=SPAIN, place=at, strength=strength(table) - lost, why=why, section=section)
        sink(table, SPAIN, at, Force({SPAIN: {ARMADA: lost}}), section)


# --- building it, and on it ---


def ports(table: Table) -> list[str]:
    """23.2: the ports where the Armada may be built now: under Spanish control and calm."""
    among = table.kit.constants["armada_ports"]
    return [port for port in among if controller(table, port) == SPAIN and not in_unrest(table, port)]


def why_not_built(table: Table) -> Refused | None:
    """23.2: why the Armada cannot be built now, or None."""
    if place(table):
        return Refused("armada_is_built", SECTION, place=place(table))
    if is_waiting(table):
        return Refused("armada_waits", SECTION)
    return None if ports(table) else Refused("no_port_for_armada", SECTION)


def build(table: Table, port: str) -> None:
    """23.2: the Armada enters with its least strength."""
    table.tell("armada_built", power=SPAIN, space=port, section=SECTION)
    table.place(SPAIN, ARMADA, port, level(table), why="build", section=SECTION)


class UpgradeArmada(Action):
    """Make the Armada stronger by a level or several, in one of its three ports."""

    action = "upgrade_armada"
    line = "UPGRADE ARMADA [BY {levels}]"
    levels = Number(1, 3, optional=True)

    def cost(self, table: Table, power: str) -> int | None:
        """23.2: so much a level."""
        each = super().cost(table, power)
        return None if each is None else each * (self.levels or 1)

    def check_action(self, table: Table, power: str) -> None:
        among = table.kit.constants["armada_ports"]
        if place(table) not in among:
            raise Refused("armada_not_in_port", SECTION, list(among))
        most = table.kit.constants["armada_strengths"][-1]
        if strength(table) + (self.levels or 1) * level(table) > most:
            raise Refused("armada_too_strong", SECTION, most=most, strength=strength(table))

    def procedure(self, table: Table, power: str) -> Procedure:
        """23.2."""
        at = place(table) or ""
        table.place(SPAIN, ARMADA, at, (self.levels or 1) * level(table), why="upgrade", section=SECTION)
        table.tell("armada_upgraded", power=power, strength=strength(table), section=SECTION)
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        yield cls()
        yield cls(levels=2)
        yield cls(levels=3)


class BuildAboard(Action):
    """Build Spanish regulars or mercenaries on the Armada while it is in a Spanish home port or in Lisbon."""

    line = "BUILD [{number}] {unit} ABOARD"
    number = Number(1, 20, optional=True)
    unit = Name("unit")

    @property
    def action(self) -> str:  # type: ignore[override]
        return {"regular": "build_regular", "mercenary": "build_mercenary"}.get(self.unit, "")

    def cost(self, table: Table, power: str) -> int | None:
        """17.2: the cost of one unit, times the number."""
        if not self.action or power != SPAIN:
            return None
        each = super().cost(table, power)
        return None if each is None else each * (self.number or 1)

    def check_action(self, table: Table, power: str) -> None:
        number = self.number or 1
        at = place(table)
        if at not in (*home_spaces(table, SPAIN), table.kit.constants["armada_port_abroad"]):
            raise Refused("armada_not_in_home_port", SECTION)
        check_room(table, number)
        if not can_add(table, SPAIN, self.unit, ABOARD, number):
            raise Refused("too_few_counters", "5.2", number=number, kind=self.unit, space=at)

    def procedure(self, table: Table, power: str) -> Procedure:
        """23.2."""
        table.place(SPAIN, self.unit, ABOARD, self.number or 1, why="build", section=SECTION)
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        if question.power == SPAIN and place(table):
            for unit in ("regular", "mercenary"):
                yield cls(unit=unit)


# --- aboard and ashore ---


def aboard(table: Table) -> int:
    """How many land units are on the Armada."""
    return count_land(table, ABOARD, land_owners(table, ABOARD))


def check_room(table: Table, number: int) -> None:
    """23.2: raise `Refused` unless so many units more find room."""
    if aboard(table) + number > strength(table):
        raise Refused("no_room_on_armada", SECTION, strength=strength(table), aboard=aboard(table))


def movable(force: Force, table: Table) -> None:
    """17.1: raise `Refused` where some of a force never move."""
    if any(owner in table.kit.constants["never_move"] for owner in force.units):
        raise Refused("never_moves", "17.1")


class _Step(Action):
    """Something that troops do at the Armada."""

    action = "transport_step"

    def cost(self, table: Table, power: str) -> int | None:
        """23.2: nothing in a port."""
        return 0 if place(table) in atlas(table).spaces else super().cost(table, power)

    def _armada(self, table: Table, power: str) -> str:
        """Where the Armada is. Raises `Refused` where the power has none."""
        at = place(table)
        if power != SPAIN or at is None:
            raise Refused("no_armada", SECTION)
        return at


class Embark(_Step):
    """Take land units and army leaders aboard the Armada: for nothing in its port, for 1 CP from a port next to it."""

    line = "EMBARK {force} [FROM {origin}]"
    force = ForceField()
    origin = Name("space", optional=True)

    def check_action(self, table: Table, power: str) -> None:
        at = self._armada(table, power)
        origin = self._origin(table)
        force = named_force(table, power, origin, self.force)
        check_not_besieged(table, power, origin)
        movable(force, table)
        check_room(table, force.size())
        if at in atlas(table).spaces:
            if origin != at:
                raise Refused("armada_elsewhere", SECTION, place=at)
            _check_there(table, power, origin, force)
        else:
            check_step(table, power, force, origin, at)
            check_formation(table, power, origin, force)
            check_may_leave(table, power, origin, force)
            check_carried(table, force)
        check_change(table, force, origin, ABOARD)

    def _origin(self, table: Table) -> str:
        at = place(table) or ""
        return self.origin or at

    def procedure(self, table: Table, power: str) -> Procedure:
        """23.2."""
        origin, at = self._origin(table), place(table) or ""
        force = named_force(table, power, origin, self.force)
        if at in atlas(table).sea and (yield from _stopped(table, power, force, origin, at, origin)):
            return
        move_force(table, force, origin, ABOARD, why="embark", section=SECTION)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        at = place(table)
        if question.power != SPAIN or at is None:
            return
        for origin in [at] if at in atlas(table).spaces else atlas(table).ports_on[at]:
            for force in _parts(table, origin):
                yield cls(force=force_value(force, SPAIN), origin=origin)


class Disembark(_Step):
    """Put land units and army leaders of the Armada ashore: for nothing in its port, for 1 CP to a port next to it."""

    line = "DISEMBARK {force} [TO {space}]"
    force = ForceField()
    space = Name("space", optional=True)

    def check_action(self, table: Table, power: str) -> None:
        at = self._armada(table, power)
        space = self.space or at
        force = named_force(table, power, ABOARD, self.force)
        if at in atlas(table).spaces:
            if space != at:
                raise Refused("armada_elsewhere", SECTION, place=at)
            _check_there(table, power, ABOARD, force)
        else:
            check_step(table, power, force, space, at)
            check_formation(table, power, ABOARD, force)
            check_may_leave(table, power, ABOARD, force)
            check_carried(table, force)
            check_entry(table, power, space, force)
        check_change(table, force, ABOARD, space)

    def procedure(self, table: Table, power: str) -> Procedure:
        """23.2, 16.3: in a port they are ashore; from a zone they land, as at the end of a naval transport."""
        at = place(table) or ""
        space = self.space or at
        force = named_force(table, power, ABOARD, self.force)
        if at in atlas(table).spaces:
            move_force(table, force, ABOARD, space, why="disembark", section=SECTION)
            return
        if (yield from _stopped(table, power, force, at, at, space)):
            return
        going = move_force(table, force, ABOARD, at, why="disembark", section=SECTION)
        yield from enter(table, power, at, space, going, by_sea=True)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        at = place(table)
        if question.power != SPAIN or at is None:
            return
        for space in [at] if at in atlas(table).spaces else atlas(table).ports_on[at]:
            for force in _parts(table, ABOARD):
                yield cls(force=force_value(force, SPAIN), space=space)


def _parts(table: Table, where: str) -> list[Force]:
    """Forces worth offering: all, without leaders too, and one unit of each kind."""
    everything = all_of(table, where, SPAIN)
    if everything.is_empty():
        return []
    forces = [everything]
    if everything.leaders and everything.size():
        forces.append(Force(everything.units))
    for owner, kinds in everything.units.items():
        forces += [Force({owner: {kind: 1}}) for kind in kinds]
    return forces


def _check_there(table: Table, power: str, where: str, force: Force) -> None:
    """Raise `Refused` unless the force is there; how large it is and what it did before is no matter in a port."""
    there = all_of(table, where, power)
    lacking = any(
        number > there.units.get(owner, {}).get(kind, 0)
        for owner, kinds in force.units.items()
        for kind, number in kinds.items()
    )
    if force.is_empty() or lacking or any(leader not in there.leaders for leader in force.leaders):
        raise Refused("not_all_there", "5.1", space=where)


def check_step(table: Table, power: str, force: Force, space: str, zone: str) -> None:
    """23.2, 16.3: raise `Refused` unless a step between the Armada in a zone and a port is open."""
    if space == zone:
        raise Refused("armada_which_port", SECTION, list(atlas(table).ports_on[zone]), place=zone)
    reason = rules(table).may_fight(table, power) or rules(table).barred(table, power, "transport")
    if reason:
        raise reason.under(SECTION)
    if zone not in atlas(table).ports.get(space, ()):
        raise Refused("no_port_of_zone", "16.3", list(atlas(table).ports_on[zone]), space=space, sea=zone)
    if enemy_fleets(table, space, power):
        raise Refused("enemy_ships_in_port", "16.3", space=space)


def check_carried(table: Table, force: Force) -> None:
    """23.2: raise `Refused` for more units than a transport carries, unless a Spanish army leader is with them."""
    most = table.kit.constants["transport_units"]
    led = any(atlas(table).leaders[leader]["power"] == SPAIN for leader in force.leaders)
    if force.size() > most and not led:
        raise Refused("too_many_carried", "16.3", most=most)


def _stopped(table: Table, power: str, force: Force, origin: str, zone: str, space: str) -> Procedure:
    """16.3: the responses to a transport. Value: whether they stopped it."""
    others = [other for other in table.board.powers if other != power]
    moment = Moment("transport", power, {"origin": origin, "zone": zone, "space": space, "force": force})
    context: dict[str, Any] = {"space": space, "origin": origin, "zone": zone, "strength": force.size()}
    answers = yield from response(table, moment, others, section="16.3", action="transport", **context)
    stopped = "stop" in answers or rules(table).barred(table, power, "transport") is not None
    if stopped:
        table.tell("transport_stopped", power=power, origin=origin, space=space, section="16.3")
    return stopped


def passengers_lost(table: Table, at: str) -> None:
    """23.2: units that the Armada can carry no more are lost, mercenaries first; with the last level all of them are,
    and leaders wait on the power card for the next spring."""
    excess = aboard(table) - strength(table)
    kinds = sorted(atlas(table).land_kinds, key=lambda kind: kind == rules(table).regular_kind)
    for kind in kinds:
        for owner in land_owners(table, ABOARD):
            lost = min(excess, table.board.count(ABOARD, owner, kind))
            if lost > 0:
                table.move(owner, kind, lost, ABOARD, SUPPLY, why="loss", section=SECTION)
                excess -= lost
    if not strength(table):
        for leader in leaders_at(table, ABOARD):
            table.put(LEADER + leader, arrived(SPAIN), why="loss", section=SECTION)


# --- its cards ---


class Launch(Action):
    """Build galleons in a port, with CP that go to the Armada and to what sails with it."""

    action = "build_galleon"
    line = "LAUNCH [{number}] IN {space}"
    number = Number(1, 20, optional=True)
    space = Name("space")

    def _build(self) -> Build:
        return Build(number=self.number, unit=GALLEON, space=self.space)

    def cost(self, table: Table, power: str) -> int | None:
        """17.3: the cost of one galleon, times the number."""
        return self._build().cost(table, power)

    def check_action(self, table: Table, power: str) -> None:
        self._build().check_action(table, power)

    def procedure(self, table: Table, power: str) -> Procedure:
        """17.3."""
        yield from self._build().procedure(table, power)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space in home_spaces(table, question.power):
            yield cls(space=space)


SPENT_ON = ("upgrade_armada", "build_aboard", "embark", "disembark")


def spend_on_armada(table: Table, cp: int, *kinds: str, galleons: bool = False) -> Procedure:
    """23.2: CP of a card that go to the Armada alone, and to what else the card names."""
    more = (Launch,) if galleons else ()
    yield from limited_actions(table, SPAIN, cp, (*SPENT_ON, *kinds), SECTION, more)


ACTIONS: tuple[type[Order], ...] = (UpgradeArmada, BuildAboard, Embark, Disembark)
ORDERS: tuple[type[Order], ...] = (Launch,)
