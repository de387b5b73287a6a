"""18.4, 18.5: rebellions; 23.6: the capitals of the Protestant factions.

A rising (`Rising`) is what Protestant rebellions, the English Catholic Rebellion (19.4) and events have in common: dice
against the units of the other religion, displacement, control, regulars, war. Its procedure is `rise`.

State: ``capital:<faction>`` [space]; marks ``impulse:rebellions`` [region, ...], ``turn:capital_captured`` [faction,
...] (its marker lies on the Turn Track until the next turn), ``turn:rebellion_dice`` {region: number} (what an event
adds to the dice of rebellions there, or takes away).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.games.reformation import fleets
from pbem.games.reformation.action import Action
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.displacement import clear_space, hand_over
from pbem.games.reformation.forces import (
    LEADER,
    Force,
    ForceField,
    add_units,
    all_of,
    force_value,
    leader_power,
    named_force,
    put_leader,
    without,
)
from pbem.games.reformation.ground import (
    controller,
    home_spaces,
    is_fortified,
    is_home,
    neighbours,
    religion,
    siege_of,
)
from pbem.games.reformation.marks import mark, note, noted
from pbem.games.reformation.relations import allied
from pbem.games.reformation.rules import rules
from pbem.games.virgin_queen.places import arrived
from pbem.games.virgin_queen.powers import majors
from pbem.games.virgin_queen.powers.majors import DUTCH, FRANCE, HUGUENOT, PROTESTANT, SPAIN
from pbem.games.virgin_queen.religion import conversion as faith
from pbem.games.virgin_queen.war import armada
from pbem.table.asking import Ask, Pass, choose
from pbem.table.orders import Many, Name, Number, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

SECTION = "18.5"
REBELLIONS, CAPTURED, DICE = "rebellions", "capital_captured", "rebellion_dice"
NO_REBELLION = "no_rebellion"
"""Mark of the turn: the spaces where an event lets nobody rise [space, ...]."""
HOLDER = {"france": FRANCE, "netherlands": SPAIN}
"""18.5 step 1: against whom the Protestant rises in a region."""
FACTION = {"france": HUGUENOT, "netherlands": DUTCH}
"""23.6: whose regulars, capital and leaders a rebellion in a region brings."""


@dataclass(frozen=True)
class Rising:
    """Who rises, for which religion and against whom; how many dice, spaces and regulars."""

    power: str
    side: str
    """The religion of the spaces that rise; units of the other one hold them."""
    holder: str
    """The power that controls the target."""
    dice: int
    spaces: int
    """The most spaces that change control, the target among them."""
    owner: str
    """Whose regulars come."""
    regulars: int
    section: str = SECTION
    beyond: bool = False
    """Whether it may spread into another region."""


def loyal(table: Table, space: str, holder: str, side: str) -> Force:
    """18.5 step 2: the units of the other religion that a power commands in a space, on land and in port.

    The Armada counts as many as it has levels: a hit takes one of them.
    """
    constants = table.kit.constants
    owners = constants["units_of_side"][faith.other_side(side)]
    forces: dict[str, dict[str, int]] = {}
    for units in (all_of(table, space, holder).units, fleets.ships(table, space, holder)):
        for owner, kinds in units.items():
            for kind, number in kinds.items():
                if owner in owners and kind not in constants["kinds_of_no_side"]:
                    forces.setdefault(owner, {})[kind] = armada.levels(table) if kind == armada.ARMADA else number
    return Force(forces)


def rise(table: Table, space: str, rising: Rising) -> Procedure:
    """18.5 steps 2 to 6 (19.4 steps 3 to 7): a rising in a space. Value: whether it succeeded."""
    table.tell(
        "rebellion", power=rising.power, target=rising.holder, space=space, cp=rising.spaces, section=rising.section
    )
    if faith.has_unit(table, space, faith.other_side(rising.side)):
        yield from _fight(table, space, rising)
        if not loyal(table, space, rising.holder, rising.side).is_empty():
            table.tell("rebellion_fails", power=rising.power, space=space, section=rising.section)
            return False
    yield from clear_space(table, space, rising.power, section="12.5")
    more = yield from _more_spaces(table, space, rising)
    table.tell("rebellion_succeeds", power=rising.power, spaces=[space, *more], section=rising.section)
    yield from hand_over(table, [space, *more], rising.power, why="rebellion", section=rising.section)
    add_units(table, rising.owner, "regular", space, rising.regulars, why="rebellion", section=rising.section)
    yield from rules(table).war_begins(
        table, rising.power, rising.holder, why="rebellion", section=rising.section
    )
    return True


def _fight(table: Table, space: str, rising: Rising) -> Procedure:
    """18.5 step 2: the dice of the rising; the holder loses a unit of the other religion for each hit."""
    constants = table.kit.constants
    thrown = table.roll(
        "rebellion", rising.power, rising.dice, space=space, hit_on=constants["hit_on"], section=rising.section
    )
    hits = sum(1 for die in thrown if die >= constants["hit_on"])
    there = loyal(table, space, rising.holder, rising.side)
    number = min(hits, there.size())
    if not number:
        return
    lost = there
    if number < there.size():
        lost = Force(_first(there.units, number))
        if sum(len(kinds) for kinds in there.units.values()) > 1:
            order = yield Ask(
                rising.holder,
                "losses",
                [GiveUp],
                lambda t, q: GiveUp(force=force_value(Force(_first(there.units, number)), q.power)),
                context={"space": space, "number": number, "units": there.units},
                section=rising.section,
            )
            lost = named_force(table, rising.holder, space, order.force)
    for owner, kinds in lost.units.items():
        for kind, of_kind in kinds.items():
            if kind == armada.ARMADA:
                armada.degrade(table, of_kind, "rebellion", rising.section)
            elif kind in atlas(table).naval_kinds:
                going = Force({owner: {kind: of_kind}})
                fleets.sink(table, rising.holder, space, going, rising.section)
            else:
                table.remove(owner, kind, space, of_kind, why="loss", section=rising.section)


def _first(units: dict[str, dict[str, int]], number: int) -> dict[str, dict[str, int]]:
    """So many of some units, those on land before ships, in the order in which they are named."""
    taken: dict[str, dict[str, int]] = {}
    for owner, kinds in units.items():
        for kind, there in kinds.items():
            take = min(number, there)
            if take:
                taken.setdefault(owner, {})[kind] = take
                number -= take
    return taken


class GiveUp(Order):
    """Say which of your regulars and ships a rebellion takes."""

    line = "GIVE UP {force}"
    force = ForceField()

    def check(self, table: Table, question: Question) -> None:
        number, there = question.context["number"], Force.from_json({"units": question.context["units"]})
        if self.force.get("all") or self.force.get("leaders"):
            raise Refused("losses_without_leaders", SECTION)
        force = named_force(table, question.power, question.context["space"], self.force)
        if force.size() != number:
            raise Refused("other_number_lost", SECTION, number=number, named=force.size())
        if without(force, there).size():
            raise Refused("not_among_the_loyal", SECTION, space=question.context["space"])

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        units, number = question.context["units"], question.context["number"]
        kinds = [(owner, kind) for owner, of in units.items() for kind in of]
        for at in range(len(kinds)):
            ordered: dict[str, dict[str, int]] = {}
            for owner, kind in (*kinds[at:], *kinds[:at]):
                ordered.setdefault(owner, {})[kind] = units[owner][kind]
            yield cls(force=force_value(Force(_first(ordered, number)), question.power))


# --- step 4: control ---


def may_follow(table: Table, space: str, rising: Rising) -> list[str]:
    """18.5 step 4: the spaces next to the target, in its region, of its religion, without a unit of the other one.

    Whoever controls them (GB-37, option `rebellion_spreads`); over a waterway only for who controls its port.
    """
    region = faith.region(table, space)
    holder_only = table.options["rebellion_spreads"] == "holder_only"
    return [
        other
        for other in neighbours(table, space, rising.power)
        if (faith.region(table, other) == region or (rising.beyond and faith.region(table, other)))
        and religion(table, other) == rising.side
        and controller(table, other) != rising.power
        and (not holder_only or controller(table, other) == rising.holder)
        and not faith.has_unit(table, other, faith.other_side(rising.side))
    ]


class Spread(Order):
    """Say which spaces next to the target join your rebellion; PASS for none."""

    line = "SPREAD TO {spaces}"
    spaces = Many(Name("space"), most=10)

    def check(self, table: Table, question: Question) -> None:
        most = question.context["most"]
        offered = question.among(table) if isinstance(question, Ask) and question.among else ()
        for space in self.spaces:
            if space not in offered or self.spaces.count(space) > 1:
                lines = [f"SPREAD TO {one}" for one in offered]
                raise Refused("does_not_join_rebellion", question.section, lines, space=space)
        if len(self.spaces) > most:
            raise Refused("too_many_spaces_rise", question.section, number=len(self.spaces), most=most)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        offered = list(question.among(table)) if isinstance(question, Ask) and question.among else []
        most = question.context["most"]
        if len(offered) > most:
            for at in range(len(offered)):
                yield cls(spaces=(offered[at:] + offered[:at])[:most])
        elif offered:
            yield cls(spaces=offered)
        for space in offered:
            yield cls(spaces=[space])


def _more_spaces(table: Table, space: str, rising: Rising) -> Procedure:
    """18.5 step 4: the power chooses what rises with the target. Value: those spaces. Silence takes as many as may."""
    most = rising.spaces - 1
    if most < 1 or not may_follow(table, space, rising):
        return []
    order = yield Ask(
        rising.power,
        "rebellion",
        [Spread, Pass],
        lambda t, q: Spread(spaces=may_follow(t, space, rising)[:most]),
        context={"space": space, "most": most},
        section=rising.section,
        among=lambda table: may_follow(table, space, rising),
    )
    return list(order.spaces) if isinstance(order, Spread) else []


# --- the action of the Protestant ---


def why_not_target(table: Table, space: str) -> Refused | None:
    """18.4, 18.5 step 1: why the Protestant cannot rise in a space, whatever the impulse brought; None where it can."""
    region = faith.region(table, space)
    if region not in HOLDER:
        return Refused("no_rebellion_there", "18.4", space=space)
    if controller(table, space) != HOLDER[region]:
        return Refused("rebellion_against_holder", SECTION, space=space, power=HOLDER[region])
    if religion(table, space) != PROTESTANT:
        return Refused("rebels_are_protestant", SECTION, space=space)
    if noted(table, "turn", NO_REBELLION, space):
        return Refused("no_rebellion_this_turn", SECTION, space=space)
    if siege_of(table, space):
        return Refused("no_rebellion_under_siege", SECTION, space=space)
    if allied(table.board, PROTESTANT, HOLDER[region]):
        return Refused("no_rebellion_against_ally", "18.4", power=HOLDER[region])
    return None


def targets(table: Table, region: str | None = None) -> list[str]:
    """18.5 step 1: where the Protestant may rise, in a region or in both, in the order of the kit."""
    return [
        space
        for space in atlas(table).spaces
        if region in (None, faith.region(table, space)) and why_not_target(table, space) is None
    ]


def dice_of(table: Table, space: str, cp: int) -> int:
    """18.5 step 2: a die a CP, one more in a Protestant home space; an event may change it, never below one."""
    region = faith.region(table, space)
    dice = cp + (table.kit.constants["rebellion_home_die"] if is_home(table, space, PROTESTANT) else 0)
    return max(1, dice + mark(table, "turn", DICE, {}).get(region, 0))


def rebellion(table: Table, space: str, cp: int) -> Procedure:
    """18.5: a Protestant rebellion with so many CP, by the action or by an event. Value: whether it succeeded."""
    region = faith.region(table, space)
    assert region is not None
    note(table, "impulse", REBELLIONS, region)
    faction = FACTION[region]
    rising = Rising(
        PROTESTANT,
        PROTESTANT,
        HOLDER[region],
        dice_of(table, space, cp),
        cp,
        faction,
        cp // table.kit.constants["rebellion_cp_a_regular"],
    )
    succeeded = yield from rise(table, space, rising)
    if succeeded:
        yield from _found_capital(table, region)
        yield from _leader_joins(table, space, region)
    return succeeded


class Rebel(Action):
    """Rise in a Protestant space of France or of the Netherlands with 2 to 5 CP."""

    action = "rebellion"
    line = "REBEL IN {space} FOR {number} CP"
    space = Name("space")
    number = Number(2, 5)

    def cost(self, table: Table, power: str) -> int | None:
        """18.4: the CP that are named."""
        return None if super().cost(table, power) is None else self.number

    def check_action(self, table: Table, power: str) -> None:
        reason = why_not_target(table, self.space)
        if reason:
            raise reason
        region = faith.region(table, self.space)
        if region and noted(table, "impulse", REBELLIONS, region):
            raise Refused("region_rose_already", "18.4", region=region)

    def procedure(self, table: Table, power: str) -> Procedure:
        """18.4."""
        yield from rebellion(table, self.space, self.number)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        constants = table.kit.constants
        left = table.board.state.get("cp_left", 0)
        for space in targets(table):
            for number in range(constants["rebellion_cp_least"], min(left, constants["rebellion_cp_most"]) + 1):
                yield cls(space=space, number=number)


# --- 23.6: capitals and leaders of the factions ---


def set_capital(table: Table, faction: str, space: str | None, why: str, section: str = "23.6") -> None:
    """23.6: the capital of a faction is in a space from now on; None: there is none."""
    table.set(f"capital:{faction}", None if space is None else [space], why=why, section=section)
    table.tell("faction_capital", faction=faction, space=space, why=why, section=section)


def capital_places(table: Table, region: str) -> list[str]:
    """18.5 step 7: the fortified spaces of a region under Protestant control."""
    return [
        space
        for space in atlas(table).spaces
        if faith.region(table, space) == region
        and controller(table, space) == PROTESTANT
        and is_fortified(table, space)
    ]


def _found_capital(table: Table, region: str) -> Procedure:
    """18.5 step 7: a faction without a capital may found one, unless its marker was captured in this turn."""
    faction = FACTION[region]
    if majors.capitals(table, faction) or noted(table, "turn", CAPTURED, faction):
        return
    where = yield from choose(
        table,
        PROTESTANT,
        "space",
        lambda t: capital_places(t, region),
        kind="rebellion",
        optional=True,
        section=SECTION,
        step="capital",
        faction=faction,
    )
    if where is not None:
        set_capital(table, faction, where, "rebellion", SECTION)


def capitals_captured(table: Table) -> None:
    """23.6: a faction's capital that another major power has captured goes to the Turn Track. Called when the control
    of a space has changed; an independent or minor power there takes nothing away."""
    for faction in majors.factions(table, PROTESTANT):
        for space in majors.capitals(table, faction):
            holder = controller(table, space)
            if holder != PROTESTANT and holder in majors.all_powers(table):
                note(table, "turn", CAPTURED, faction)
                set_capital(table, faction, None, "captured")


def waiting_leaders(table: Table, faction: str) -> list[str]:
    """18.5 step 8: the army leaders of a faction that wait on the Protestant's card."""
    place = arrived(PROTESTANT)
    return [
        leader
        for leader, row in atlas(table).leaders.items()
        if row["kind"] == "army"
        and table.board.pieces.get(LEADER + leader, {}).get("at") == place
        and leader_power(table, leader) == faction
    ]


def _leader_joins(table: Table, space: str, region: str) -> Procedure:
    """18.5 step 8: one leader of the faction may enter in the target space; by option in a fortified home space."""
    faction = FACTION[region]
    places = [space]
    if table.options["rebel_leader_space"] == "fortified_home":
        homes = home_spaces(table, faction)
        places = [one for one in homes if controller(table, one) == PROTESTANT and is_fortified(table, one)]
    if not places:
        return
    leader = yield from choose(
        table,
        PROTESTANT,
        "leader",
        lambda t: waiting_leaders(t, faction),
        kind="rebellion",
        optional=True,
        section=SECTION,
        step="leader",
        space=space,
    )
    if leader is None:
        return
    where = yield from choose(
        table,
        PROTESTANT,
        "space",
        lambda t: places,
        kind="rebellion",
        section=SECTION,
        step="leader",
        leader=leader,
    )
    table.tell("leader_joins", power=PROTESTANT, leader=leader, space=where, section=SECTION)
    put_leader(table, leader, where, why="rebellion", section=SECTION)


ACTIONS: tuple[type[Order], ...] = (Rebel,)
ORDERS: tuple[type[Order], ...] = (GiveUp, Spread)
