"""10, 23.2: the treasure fleet and its escorts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import is_own_port, ships
from pbem.games.reformation.ground import home_spaces
from pbem.games.reformation.piracy import thrown_hits
from pbem.games.virgin_queen.court import espionage
from pbem.games.virgin_queen.new_world import awards, captains, piracy, treasures
from pbem.games.virgin_queen.places import ESCORTS
from pbem.games.virgin_queen.powers.majors import ENGLAND, SPAIN
from pbem.table.asking import Ask, Moment, Pass, choose, confirm, response
from pbem.table.orders import Many, Name, Number, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

GALLEON = "galleon"


# --- 10 step 1: escorts ---


class _Galleons(Order):
    """Galleons of a home port."""

    line = "{number} FROM {space}"
    number = Number(1, 20)
    space = Name("space")


class Escort(Order):
    """Send galleons from home ports to escort the treasure fleet."""

    line = "ESCORT {galleons}"
    galleons = Many(_Galleons, most=10)

    def check(self, table: Table, question: Question) -> None:
        ports = ports_with_galleons(table)
        going: dict[str, int] = {}
        for part in self.galleons:
            going[part.space] = going.get(part.space, 0) + part.number
            if part.space not in ports:
                raise Refused("no_galleons_in_home_port", "10", list(ports), space=part.space)
            if going[part.space] > ports[part.space]:
                raise Refused("too_few_galleons", "10", space=part.space, there=ports[part.space])
        room = table.kit.constants["fleet_escorts"] - escorting(table)
        if sum(going.values()) > room:
            raise Refused("too_many_escorts", "10", most=table.kit.constants["fleet_escorts"], room=room)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        ports = ports_with_galleons(table)
        for space, there in ports.items():
            for number in range(1, there + 1):
                yield cls(galleons=[_Galleons(number=number, space=space)])
            for other in ports:
                if space < other:
                    yield cls(galleons=[_Galleons(number=1, space=space), _Galleons(number=1, space=other)])


class _Returning(Order):
    """Galleons, and the home port that they come back to."""

    line = "{number} TO {space}"
    number = Number(1, 20)
    space = Name("space")


class Recall(Order):
    """Call galleons that escort the treasure fleet back to home ports."""

    line = "RECALL {galleons}"
    galleons = Many(_Returning, most=10)

    def check(self, table: Table, question: Question) -> None:
        among = home_ports(table)
        coming: dict[str, int] = {}
        for part in self.galleons:
            coming[part.space] = coming.get(part.space, 0) + part.number
            if part.space not in among:
                raise Refused("no_home_port", "10", list(among), space=part.space)
        if sum(coming.values()) > escorting(table):
            raise Refused("too_few_escorts", "10", there=escorting(table))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space in home_ports(table):
            for number in range(1, escorting(table) + 1):
                yield cls(galleons=[_Returning(number=number, space=space)])


def escorting(table: Table) -> int:
    """How many galleons are with the treasure fleet."""
    return table.board.count(ESCORTS, SPAIN, GALLEON)


def home_ports(table: Table) -> list[str]:
    """10 step 1: the ports among Spain's home spaces that it controls and that ships may enter."""
    return [
        space
        for space in home_spaces(table, SPAIN)
        if is_own_port(table, space, SPAIN) and not atlas(table).spaces[space]["inland_port"]
    ]


def ports_with_galleons(table: Table) -> dict[str, int]:
    """10 step 1: home ports -> Spain's own galleons there."""
    galleons = {space: ships(table, space, SPAIN).get(SPAIN, {}).get(GALLEON, 0) for space in home_ports(table)}
    return {space: number for space, number in galleons.items() if number}


def escorts(table: Table) -> Procedure:
    """10 step 1: Spain moves galleons from home ports to the box of escorts, or back; one direction in a turn."""
    room = table.kit.constants["fleet_escorts"] - escorting(table)
    may_send, may_recall = room > 0 and bool(ports_with_galleons(table)), escorting(table) and bool(home_ports(table))
    if not may_send and not may_recall:
        return
    context = {"there": escorting(table)}
    order = yield Ask(SPAIN, "escorts", [Escort, Recall, Pass], Pass(), context=context, section="10")
    if isinstance(order, Escort):
        for sent in order.galleons:
            table.move(SPAIN, GALLEON, sent.number, sent.space, ESCORTS, why="escort", section="10")
    elif isinstance(order, Recall):
        for back in order.galleons:
            table.move(SPAIN, GALLEON, back.number, ESCORTS, back.space, why="recall", section="10")


# --- 23.2: the treasure fleet sails ---


class Stake(Order):
    """Say which treasures of your row the fleet brings."""

    line = "STAKE {treasures}"
    treasures = Many(Name("treasure"), most=10)

    def check(self, table: Table, question: Question) -> None:
        number = question.context["number"]
        if len(self.treasures) != number:
            raise Refused("stake_so_many", "23.2", number=number)
        row = [one.partition(":")[0] for one in treasures.held(table, treasures.SPAIN)]
        for kind in self.treasures:
            if kind not in row:
                raise Refused("treasure_not_in_row", "23.2", treasures.kinds_in(table, treasures.SPAIN), treasure=kind)
            row.remove(kind)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        row = [one.partition(":")[0] for one in treasures.held(table, treasures.SPAIN)]
        for kinds in dict.fromkeys(combinations(row, question.context["number"])):
            yield cls(treasures=list(kinds))


def treasure_fleet(table: Table) -> Procedure:
    """23.2: the treasure fleet sails (card TREASURE FLEET)."""
    constants = table.kit.constants
    # 1: another treasure
    for _ in range(constants["fleet_extra_treasures"]):
        treasures.add_to_spanish_row(table, section="23.2")
    # 2: Spain chooses what the fleet brings
    yield from stake(table)
    # 3: where it is attacked
    zone = yield from attack_zone(table)
    # 4: attacks
    if captains.at_sea(table, zone=zone):
        others = [power for power in table.board.powers if power != SPAIN]
        moment = Moment("treasure_fleet", SPAIN, {"zone": zone})
        yield from response(table, moment, others, section="23.2", zone=zone)
        yield from attacks(table, zone)
    # 5: the rest comes home
    for treasure in treasures.held(table, awards.FLEET_TREASURES):
        place = treasures.hand(SPAIN)
        table.card(treasure, awards.FLEET_TREASURES, place, to=[SPAIN], why="treasure_fleet", section="23.2")
    # 6: expeditions may go home
    for power in table.board.powers:
        for captain in captains.at_sea(table, power, zone):
            yield from piracy.offer_home(table, captain, "23.2")


def stake(table: Table) -> Procedure:
    """23.2 step 2: three treasures with two galleons as escorts, else two; all where there are fewer."""
    constants = table.kit.constants
    full = escorting(table) >= constants["fleet_escorts"]
    number = constants["fleet_treasures_two_escorts" if full else "fleet_treasures_else"]
    row = treasures.held(table, treasures.SPAIN)
    pile = awards.FLEET_TREASURES
    if pile not in table.board.sight:
        table.do({"fact": "sight", "name": pile, "before": None, "after": "owner"})
    chosen = row
    if len(row) > number:
        order = yield Ask(
            SPAIN,
            "fleet",
            [Stake],
            lambda table, question: next(Stake.candidates(table, question)),
            context={"number": number, "escorts": escorting(table)},
            section="23.2",
        )
        chosen = []
        for kind in order.treasures:
            row = [one for one in treasures.held(table, treasures.SPAIN) if one not in chosen]
            chosen.append(next(one for one in row if one.partition(":")[0] == kind))
    for treasure in chosen:
        table.card(treasure, treasures.SPAIN, pile, to=[SPAIN], why="treasure_fleet", section="23.2")
    table.tell("treasure_fleet", power=SPAIN, number=len(chosen), escorts=escorting(table), section="23.2")


def attack_zone(table: Table) -> Procedure:
    """23.2 step 3: a die says where the fleet appears; England may throw again, once, if an expedition of hers is in
    one of the zones and an informant spies on Spain. Value: the zone."""
    zone = _die_for_zone(table)
    zones = dict.fromkeys(table.kit.constants["fleet_zone_by_die"])
    near = [one for one in captains.at_sea(table, ENGLAND) if captains.place_of(table, one) in zones]
    if not near or ENGLAND not in table.board.powers or not espionage.hears_of_the_fleet(table, ENGLAND, SPAIN):
        return zone
    again = yield from confirm(table, ENGLAND, "fleet", section="23.2", zone=zone, step="reroll")
    return _die_for_zone(table) if again else zone


def _die_for_zone(table: Table) -> str:
    constants = table.kit.constants
    (die,) = table.roll("fleet_zone", SPAIN, 1, section="23.2")
    zone: str = constants["fleet_zone_by_die"][die - 1]
    if table.board.state.get(f"village:{constants['fleet_detour_village']}") != SPAIN:
        zone = constants["fleet_detour"].get(zone, zone)
    table.tell("fleet_zone", zone=zone, section="23.2")
    return zone


def attacks(table: Table, zone: str) -> Procedure:
    """23.2 step 4: expeditions in the zone may attack, power by power in impulse order, free of CP."""
    for power in table.board.powers:
        attacked: list[str] = []
        while True:
            captain = yield from choose(
                table,
                power,
                "captain",
                partial(_may_attack, power=power, zone=zone, attacked=tuple(attacked)),
                kind="fleet",
                optional=True,
                section="23.2",
                zone=zone,
                step="attack",
            )
            if captain is None:
                break
            attacked.append(captain)
            yield from attack(table, power, captain, zone)


def _may_attack(table: Table, power: str, zone: str, attacked: Sequence[str]) -> list[str]:
    return [one for one in captains.at_sea(table, power, zone) if one not in attacked]


def attack(table: Table, power: str, captain: str, zone: str) -> Procedure:
    """23.2 step 4: the dice of an expedition against those of the fleet; what is left over counts."""
    constants = table.kit.constants
    base = constants[
        "fleet_expedition_dice_damaged" if captains.is_damaged(table, captain) else "fleet_expedition_dice_full"
    ]
    dice = base + captains.row_of(table, captain)["piracy"]
    against = constants["fleet_dice"] + escorting(table)
    hits = thrown_hits(table, "fleet_attack", power, dice, zone, "23.2")
    hits -= thrown_hits(table, "fleet_defence", SPAIN, against, zone, "23.2")
    table.tell("fleet_attack", power=power, captain=captain, zone=zone, hits=hits, section="23.2")
    if hits > 0:
        context = {"act": awards.FLEET, "zone": zone, "power": power, "target": SPAIN, "captain": captain}
        yield from awards.awards(table, power, context, hits, awards.give_from_fleet)
        yield from captains.drop_excess(table, captain, "23.2")
    elif hits == -1 and not captains.is_damaged(table, captain):
        yield from captains.damage(table, captain, "23.2")
    elif hits < 0:
        captains.remove(table, captain, "fleet_defence", "23.2")


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (Escort, Recall, Stake)
