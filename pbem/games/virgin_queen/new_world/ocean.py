"""16, 17.4, 20.4: the world map: captains, patrols, navigation, circumnavigation, what is built there.

State: ``fortress_markers`` how many lie ready on Spain's power card. The mark ``impulse:navigation`` is what a card
adds to all navigation rolls of an impulse. What the piece of a captain bears: `captains`; piracy is in `piracy`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from pbem.games.reformation import naval
from pbem.games.reformation.action import Action
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import ships
from pbem.games.reformation.forces import LEADER, can_add, put_leader
from pbem.games.reformation.ground import home_spaces
from pbem.games.reformation.marks import mark
from pbem.games.reformation.naval_actions import Sail as SailInEurope
from pbem.games.virgin_queen.court.results import result
from pbem.games.virgin_queen.new_world import captains, treasures
from pbem.games.virgin_queen.new_world.captains import CAPTAIN, EUROPE, row_of
from pbem.games.virgin_queen.places import OFF, POOL, REMOVED
from pbem.games.virgin_queen.powers.majors import ENGLAND, OTTOMAN, SPAIN
from pbem.games.virgin_queen.victory import score
from pbem.table.asking import Ask, Pass, choose, confirm
from pbem.table.board import SUPPLY
from pbem.table.orders import AnyName, Choice, Many, Name, Number, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, Question

PATROL = "patrol"
FORTRESSES = "fortress_markers"
NAVIGATION = "navigation"
COLONY = "colony"
ROUND_THE_WORLD = 0.9
"""How often random play follows the way round the world."""


# --- 8.1, 8.2: the Card Draw phase ---


def arrive(table: Table) -> Procedure:
    """8.1: the sea captains of this turn, and those whose voyage ended in the turn before, come into the pools."""
    turn = table.board.state["turn"]
    for captain, row in table.kit.tables["sea_captains"].items():
        at = captains.place_of(table, captain)
        if at == f"turn_track:{turn}" or (at == OFF and row["entry_turn"] == turn):
            captains.back_in_pool(table, captain, "enters", "8.1")
    return
    yield


def refill_fortresses(table: Table) -> Procedure:
    """8.2: Spain fills its power card with fortress markers; more with the bonus Coastal Fortification."""
    if SPAIN in table.board.powers:
        fortified = table.board.state.get("science", {}).get("coastal_fortification") == SPAIN
        most = table.kit.constants["fortresses_on_card_fortified" if fortified else "fortresses_on_card"]
        ready = table.board.state.get(FORTRESSES, 0)
        table.set(FORTRESSES, max(ready, most), why="refill", section="8.2")
    return
    yield


# --- 10: captains in Europe ---


class _Station(Order):
    """A sea captain, and the port of whose ships he is the leader."""

    line = "{captain} IN {space}"
    captain = Name("captain")
    space = Name("space")


class Station(Order):
    """Let sea captains serve as naval leaders in Europe for this turn, with your ships in home ports."""

    line = "STATION {stations}"
    stations = Many(_Station, most=10)

    def check(self, table: Table, question: Question) -> None:
        among, ports = captains_for_europe(table), ports_for_captains(table)
        named = [station.captain for station in self.stations]
        if len(set(named)) < len(named):
            raise Refused("captain_twice", "10")
        for station in self.stations:
            if station.captain not in among:
                raise Refused("no_captain_for_europe", "10", list(among), captain=station.captain)
            if station.space not in ports:
                raise Refused("no_ships_in_home_port", "10", list(ports), space=station.space)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for captain in captains_for_europe(table):
            for space in ports_for_captains(table):
                yield cls(stations=[_Station(captain=captain, space=space)])


def captains_for_europe(table: Table) -> list[str]:
    """10 step 2: the English captains of combat 1 in the pool; those who winter in a colony stay there."""
    least = table.kit.constants["captain_in_europe_combat"]
    return [
        captain
        for captain, row in table.kit.tables["sea_captains"].items()
        if row["combat"] >= least and captains.place_of(table, captain) == f"{POOL}:{ENGLAND}"
    ]


def ports_for_captains(table: Table) -> list[str]:
    """10 step 2: the English home ports with English naval units."""
    homes = home_spaces(table, ENGLAND)
    return [space for space in homes if atlas(table).ports[space] and ENGLAND in ships(table, space, ENGLAND)]


def captains_to_europe(table: Table) -> Procedure:
    """10 step 2: England puts captains of combat 1 on its naval units; they are naval leaders for this turn."""
    if not captains_for_europe(table) or not ports_for_captains(table):
        return
    order = yield Ask(ENGLAND, "voyage", [Station, Pass], Pass(), context={"step": "station"}, section="10")
    if isinstance(order, Station):
        for station in order.stations:
            table.put(CAPTAIN + station.captain, EUROPE, why="station", section="10")
            put_leader(table, station.captain, station.space, why="station", section="10")


# --- 17: what is built on the world map ---


class Expedition(Action):
    """Send a sea captain out, with a colony aboard if you like."""

    action = "build_expedition"
    line = "EXPEDITION {captain} [WITH {cargo}] IN {ocean}"
    captain = Name("captain")
    cargo = Choice(COLONY, optional=True)
    ocean = Name("ocean")

    def cost(self, table: Table, power: str) -> int | None:
        """17.4: a colony costs more, but for who has Plantation."""
        base = super().cost(table, power)
        if base is None or self.cargo is None or _colony_is_free(table, power, self.captain):
            return base
        return base + table.kit.constants["expedition_colony_cp"]

    def check_action(self, table: Table, power: str) -> None:
        check_expedition(table, power, self.captain, self.ocean)
        if self.cargo is not None:
            if power == OTTOMAN and not table.board.state.get("suez"):
                raise Refused("no_colony_before_suez", "17.4")
            if not free_colonies(table, power):
                raise Refused("no_colony_left", "17.4")

    def procedure(self, table: Table, power: str) -> Procedure:
        """17.4."""
        yield from expedition(table, power, self.captain, self.ocean, colony=self.cargo is not None)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for captain in captains_to_build(table, question.power):
            for ocean in captains.entries(table, question.power):
                yield cls(captain=captain, ocean=ocean)
                yield cls(captain=captain, cargo=COLONY, ocean=ocean)


def _colony_is_free(table: Table, power: str, captain: str) -> bool:
    plantation = table.board.state.get("science", {}).get("plantation") == power
    return plantation or bool(captains.bonus(table, captain, "colony_free"))


def captains_to_build(table: Table, power: str) -> list[str]:
    """17.4: the captains that a power may send out: those in its pool, and those of two powers that nobody uses."""
    return [
        captain
        for captain, row in table.kit.tables["sea_captains"].items()
        if power in row["powers"] and captains.place_of(table, captain) in (POOL, f"{POOL}:{power}")
    ]


def free_colonies(table: Table, power: str) -> list[str]:
    """The colony markers of a power that are not in play."""
    mine = [one for one in captains.colonies_at(table, SUPPLY) if one.split(":")[1] == power]
    return sorted(mine)


def check_expedition(table: Table, power: str, captain: str, ocean: str) -> None:
    """17.4: raise `Refused` unless the power may send a captain out from a zone."""
    among = captains_to_build(table, power)
    if captain not in among:
        raise Refused("captain_not_in_pool", "17.4", list(among), captain=captain)
    scientist = table.board.pieces.get(f"scientist:{captain}", {})
    if str(scientist.get("at", "")).startswith("sponsored:"):
        raise Refused("captain_is_sponsored", "17.4", captain=captain)
    entries = captains.entries(table, power)
    if ocean not in entries:
        raise Refused("no_entry_zone", "17.4", list(entries), ocean=ocean)


def expedition(table: Table, power: str, captain: str, ocean: str, *, colony: bool = False) -> Procedure:
    """17.4: a captain is put into an entry zone; an Ottoman one damaged as long as there is no Suez canal."""
    marks: dict[str, Any] = {}
    if len(row_of(table, captain)["powers"]) > 1:
        marks["power"] = power
    if power == OTTOMAN and not table.board.state.get("suez"):
        marks["damaged"] = True
    table.tell("expedition", power=power, captain=captain, zone=ocean, colony=colony, section="17.4")
    table.put(CAPTAIN + captain, ocean, why="expedition", section="17.4", **marks)
    if not colony:
        return
    table.put(free_colonies(table, power)[0], f"aboard:{captain}", why="expedition", section="17.4")
    at_once = captains.bonus(table, captain, "lands_at_once")
    if at_once in sites(table, ocean) and table.board.state.get("suez"):
        yield from settle(table, power, captain, [at_once])


class Patrol(Action):
    """Build a patrol in an ocean zone that touches a Spanish village."""

    action = "build_patrol"
    line = "PATROL IN {ocean}"
    ocean = Name("ocean")

    def check_action(self, table: Table, power: str) -> None:
        if not any(holds(table, power, village) for village in captains.villages_on(table, self.ocean)):
            raise Refused("no_village_on_zone", "17.3", patrol_zones(table, power), ocean=self.ocean)
        if not can_add(table, power, PATROL, self.ocean):
            raise Refused("too_few_counters", "17.1", number=1, kind=PATROL, space=self.ocean)

    def procedure(self, table: Table, power: str) -> Procedure:
        """17.3."""
        table.place(power, PATROL, self.ocean, why="build", section="17.3")
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for ocean in captains.zones(table):
            yield cls(ocean=ocean)


def holds(table: Table, power: str, village: str) -> bool:
    """Whether a power controls a village."""
    return bool(table.board.state.get(f"village:{village}") == power)


def patrol_zones(table: Table, power: str) -> list[str]:
    """17.3: the zones where a power may build patrols."""
    return [
        zone
        for zone in captains.zones(table)
        if any(holds(table, power, village) for village in captains.villages_on(table, zone))
    ]


class FortifyVillage(Action):
    """Build a fortress in a Spanish village, with a marker that lies ready on the power card."""

    action = "build_fortress_world"
    line = "FORTIFY VILLAGE {village}"
    village = Name("village")

    def check_action(self, table: Table, power: str) -> None:
        if not holds(table, power, self.village):
            raise Refused("village_not_controlled", "17.5", village=self.village)
        if table.board.state.get(f"fortress:{self.village}"):
            raise Refused("village_fortified", "17.5", village=self.village)
        if not table.board.state.get(FORTRESSES):
            raise Refused("no_fortress_marker", "17.5")

    def procedure(self, table: Table, power: str) -> Procedure:
        """17.5."""
        table.set(FORTRESSES, table.board.state[FORTRESSES] - 1, why="build", section="17.5")
        table.set(f"fortress:{self.village}", True, why="build", section="17.5")
        table.tell("village_fortress", power=power, village=self.village, section="17.5")
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for village in table.kit.tables["villages"]:
            yield cls(village=village)


# --- 16.1: the naval move ---


class Voyage(Order):
    """A sea captain, or patrols in an ocean zone, and the adjacent ocean zone that they go to."""

    line = "[{number}] {who} [FROM {origin}] TO {ocean}"
    number = Number(1, 20, optional=True)
    who = AnyName("captain", "unit")
    origin = Name("ocean", optional=True)
    ocean = Name("ocean")


class Sail(SailInEurope):
    """Move all your ships, sea captains and patrols that you name, each to an adjacent position, for 1 CP."""

    line = "SAIL [{legs}] [OVERSEAS {voyages}]"
    legs = Many(naval.Leg, optional=True)
    voyages = Many(Voyage, optional=True)

    def check_action(self, table: Table, power: str) -> None:
        if not self.legs and not self.voyages:
            raise Refused("nothing_sails", "16.1")
        naval.check_naval_move(table, power, self.legs or [])
        check_voyages(table, power, self.voyages or [])

    def procedure(self, table: Table, power: str) -> Procedure:
        """16.1."""
        voyages = self.voyages or []
        told = [voyage.values() for voyage in voyages]
        sail = partial(sail_overseas, table, power, voyages)
        yield from naval.naval_move(table, power, self.legs or [], also=sail, voyages=told)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        yield from super().candidates(table, question)
        for voyage in possible_voyages(table, question.power):
            yield cls(voyages=[voyage])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        legs = naval.random_legs(table, question.power, chance)
        voyages = random_voyages(table, question.power, chance)
        order = cls(legs=legs or None, voyages=voyages or None)
        return order if question.is_legal(table, order) else Action.sample.__func__(cls, table, question, chance)  # type: ignore[attr-defined]


class SailOverseas(Action):
    """Move sea captains and patrols alone, each to an adjacent ocean zone, for 1 CP."""

    action = "naval_move"
    line = "SAIL {voyages}"
    voyages = Many(Voyage)

    def check_action(self, table: Table, power: str) -> None:
        Sail(voyages=self.voyages).check_action(table, power)

    def procedure(self, table: Table, power: str) -> Procedure:
        """16.1."""
        yield from Sail(voyages=self.voyages).procedure(table, power)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for voyage in possible_voyages(table, question.power):
            yield cls(voyages=[voyage])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        voyages = random_voyages(table, question.power, chance)
        order = cls(voyages=voyages) if voyages else None
        return order if order is not None and question.is_legal(table, order) else None


def random_voyages(table: Table, power: str, chance: random.Random) -> list[Voyage]:
    """A way for each captain and patrol of a power that may go anywhere; for random play."""
    among: dict[str, list[Voyage]] = {}
    for voyage in possible_voyages(table, power):
        among.setdefault(f"{voyage.who} {voyage.origin}", []).append(voyage)
    return [random_voyage(table, power, fitting, chance) for fitting in among.values()]


def possible_voyages(table: Table, power: str) -> Iterator[Voyage]:
    """16.1: each captain of a power and each patrol of Spain, with each zone that it may go to."""
    for captain in captains.abroad(table, power):
        for zone in zones_next_to(table, captains.place_of(table, captain)):
            yield Voyage(who=captain, ocean=zone)
    for origin in captains.zones(table):
        if table.board.count(origin, power, PATROL):
            for zone in captains.links(table, origin):
                yield Voyage(who=PATROL, origin=origin, ocean=zone)


def random_voyage(table: Table, power: str, fitting: Sequence[Voyage], chance: random.Random) -> Voyage:
    """One of the ways that a captain (or a patrol) may go; mostly the one that leads round the world."""
    if fitting[0].who != PATROL and chance.random() < ROUND_THE_WORLD:
        zone = next_on_the_way_round(table, power, fitting[0].who)
        for voyage in fitting:
            if voyage.ocean == zone:
                return voyage
    return chance.choice(list(fitting))


def next_on_the_way_round(table: Table, power: str, captain: str) -> str | None:
    """16.6: the zone next to a captain on the shortest way to his next leg round the world; None for him ashore."""
    at = captains.place_of(table, captain)
    ways = table.kit.constants["circumnavigations"]
    sailed = table.board.pieces[CAPTAIN + captain].get("voyage", [])
    legs = [
        (last_from, last_to) if f"{first_from}:{first_to}" in sailed else (first_from, first_to)
        for first_from, first_to, last_from, last_to in ways.get(power, ways["others"])
    ]
    ahead = [leg for leg in legs if f"{leg[0]}:{leg[1]}" not in sailed] or legs
    start, end = ahead[0]
    if at not in captains.zones(table):
        return None
    if at == start:
        return end
    reached, edge = {start}, [start]
    while edge:
        following = []
        for zone in edge:
            for other in captains.links(table, zone):
                if other == at:
                    return zone
                if other not in reached:
                    reached.add(other)
                    following.append(other)
        edge = following
    return None


def zones_next_to(table: Table, place: str) -> list[str]:
    """2.6, 16.1: the zones next to a zone; those that touch a village, for a captain who has wintered there."""
    return list(captains.links(table, place)) if place in captains.zones(table) else captains.zones_of(table, place)


def check_voyages(table: Table, power: str, voyages: Sequence[Voyage]) -> None:
    """16.1: raise `Refused` unless the power may move these captains and patrols so, all at once."""
    named: list[str] = []
    patrols: dict[str, int] = {}
    for voyage in voyages:
        if voyage.who == PATROL:
            origin = voyage.origin
            if origin is None:
                raise Refused("patrol_from_where", "16.1")
            patrols[origin] = patrols.get(origin, 0) + (voyage.number or 1)
            if patrols[origin] > table.board.count(origin, power, PATROL):
                raise Refused("too_few_patrols", "16.1", ocean=origin)
        else:
            if voyage.who not in captains.abroad(table, power):
                raise Refused("captain_not_abroad", "16.1", list(captains.abroad(table, power)), captain=voyage.who)
            if voyage.who in named:
                raise Refused("captain_twice", "16.1")
            named.append(voyage.who)
            origin = captains.place_of(table, voyage.who)
            if voyage.origin not in (None, origin):
                raise Refused("captain_elsewhere", "16.1", hint=origin, captain=voyage.who, place=origin)
        near = zones_next_to(table, origin)
        if voyage.ocean not in near:
            raise Refused("not_adjacent_ocean", "16.1", near, ocean=voyage.ocean, origin=origin)


def sail_overseas(table: Table, power: str, voyages: Sequence[Voyage]) -> Procedure:
    """16.1 step 2: captains and patrols move; navigation rolls, circumnavigation, colonies."""
    for voyage in voyages:
        if voyage.who == PATROL:
            number = min(voyage.number or 1, table.board.count(voyage.origin, power, PATROL))
            table.move(power, PATROL, number, voyage.origin, voyage.ocean, why="naval_move", section="16.1")
        elif voyage.who in captains.abroad(table, power):
            yield from sail(table, power, voyage.who, voyage.ocean)


def sail(table: Table, power: str, captain: str, zone: str) -> Procedure:
    """16.1 step 2: a captain goes to a zone; over a dangerous passage or against the wind he has to survive a roll."""
    origin = captains.place_of(table, captain)
    table.tell("voyage", power=power, captain=captain, origin=origin, zone=zone, section="16.1")
    table.shift(CAPTAIN + captain, zone, why="naval_move", section="16.1")
    if needs_navigation(table, origin, zone):
        survived = yield from navigate(table, captain, origin, zone)
        if not survived:
            return
    if circumnavigates(table, power, captain, origin, zone):
        circumnavigation(table, power, captain)
        return
    yield from trade(table, power, captain, origin, zone)
    if captains.colonies_at(table, f"aboard:{captain}"):
        yield from settle(table, power, captain, sites(table, zone))


def needs_navigation(table: Table, origin: str, zone: str) -> bool:
    """16.1: whether a way is a dangerous passage, or against the wind; leaving a colony is neither."""
    if origin not in captains.zones(table):
        return False
    row = captains.links(table, origin)[zone]
    return row["kind"] == captains.DANGEROUS or row["wind_blows_to"] not in (None, "", zone)


def navigation_modifier(table: Table, captain: str, origin: str | None = None, zone: str | None = None) -> int:
    """16.1: the captain's navigation, the bonus Map Projection, his own bonus on a passage, what a card adds."""
    power = captains.power_of(table, captain)
    modifier: int = row_of(table, captain)["navigation"] + mark(table, "impulse", NAVIGATION, 0)
    if table.board.state.get("science", {}).get("map_projection") == power:
        modifier += table.kit.constants["navigation_map_projection"]
    if any({origin, zone} == set(passage) for passage in captains.bonus(table, captain, "passages", [])):
        modifier += captains.bonus(table, captain, "navigation")
    return modifier


def navigate(
    table: Table, captain: str, origin: str | None = None, zone: str | None = None, section: str = "16.1"
) -> Procedure:
    """16.1: a roll on the Navigation Table, and what it does. Value: whether the voyage goes on.

    A captain may have a bonus to roll again, once a voyage.
    """
    power = captains.power_of(table, captain) or ""
    while True:
        modifier = navigation_modifier(table, captain, origin, zone)
        dice = table.kit.constants["navigation_dice"]
        thrown = table.roll("navigation", power, dice, captain=captain, modifier=modifier, section=section)
        outcome = result(table, "navigation", sum(thrown) + modifier)
        table.tell(
            "navigation",
            power=power,
            captain=captain,
            total=sum(thrown) + modifier,
            result=list(outcome),
            section=section,
        )
        failed = "eliminated" in outcome or "damaged" in outcome
        again = captains.bonus(table, captain, "rerolls") and not table.board.pieces[CAPTAIN + captain].get("rerolled")
        if not failed or not again:
            break
        if not (yield from confirm(table, power, "voyage", section=section, captain=captain, step="reroll")):
            break
        table.mark(CAPTAIN + captain, rerolled=True, why="captain_bonus")
    if "eliminated" in outcome:
        captains.remove(table, captain, NAVIGATION, section)
        return False
    if "damaged" in outcome:
        if captains.is_damaged(table, captain):
            table.tell("voyage_over", power=power, captain=captain, section=section)
            captains.discard_loot(table, captain, section)
            captains.to_turn_track(table, captain, NAVIGATION, section)
            return False
        yield from captains.damage(table, captain, section)
    return True


def trade(table: Table, power: str, captain: str, origin: str, zone: str) -> Procedure:
    """5.2: who has the bonus may take a treasure as he comes from one zone to another, once a voyage."""
    if table.board.pieces[CAPTAIN + captain].get("traded") or captains.bonus(table, captain, "trade_from") != origin:
        return
    if zone not in captains.bonus(table, captain, "trade_to"):
        return
    if not (yield from confirm(table, power, "voyage", section="5.2", captain=captain, step="trade")):
        return
    table.mark(CAPTAIN + captain, traded=True, why="captain_bonus")
    treasures.to_loot(table, captain, power, captains.bonus(table, captain, "trade"), section="5.2")
    if not score.markers(table, power).get("slave_trader"):
        vp = table.kit.constants["slave_trader_vp"]
        score.award(table, power, "slave_trader", vp, why="captain_bonus", section="25.2")
    yield from captains.drop_excess(table, captain, "5.2")


# --- 16.1, 17.4: colonies are dropped ---


def sites(table: Table, zone: str) -> list[str]:
    """16.1 step 2: the grey villages on a zone where a colony may be put: nobody's, and not the Philippines."""
    return [
        village
        for village in captains.villages_on(table, zone)
        if table.kit.tables["villages"][village]["colony_column"] and captains.village_holder(table, village) is None
    ]


def settle(table: Table, power: str, captain: str, among: Sequence[str]) -> Procedure:
    """16.1 step 2: a captain may put the colony that he carries on a village; it stays there for good."""
    village = yield from choose(
        table,
        power,
        "village",
        lambda table: [one for one in among if captains.village_holder(table, one) is None],
        kind="voyage",
        optional=True,
        section="16.1",
        captain=captain,
        step="settle",
    )
    if village is None:
        return
    colony = captains.colonies_at(table, f"aboard:{captain}")[0]
    marks: dict[str, Any] = {}
    if captains.bonus(table, captain, "colony_roll"):
        marks["brought_by"] = captain
    rests = captains.bonus(table, captain, "colony_rests")
    if rests:
        marks["rests"] = table.board.state["turn"] + rests
    table.tell("colony_founded", power=power, captain=captain, village=village, section="16.1")
    table.put(colony, village, why="settle", section="16.1", **marks)


# --- 16.6: circumnavigation ---


def circumnavigates(table: Table, power: str, captain: str, origin: str, zone: str) -> bool:
    """16.6: whether the way just made closes a voyage round the world; a first leg is remembered."""
    ways = table.kit.constants["circumnavigations"]
    sailed: list[str] = list(table.board.pieces[CAPTAIN + captain].get("voyage", []))
    for first_from, first_to, last_from, last_to in ways.get(power, ways["others"]):
        if (origin, zone) == (last_from, last_to) and f"{first_from}:{first_to}" in sailed:
            return True
    for first_from, first_to, _, _ in ways.get(power, ways["others"]):
        leg = f"{first_from}:{first_to}"
        if (origin, zone) == (first_from, first_to) and leg not in sailed:
            table.mark(CAPTAIN + captain, voyage=[*sailed, leg], section="16.6")
    return False


def circumnavigation(table: Table, power: str, captain: str) -> None:
    """16.6: VP for the first and second of the game; loot to the hand, the captain off the map: as if he had come home,
    by option `after_circumnavigation` out of the game (GB-86)."""
    number = table.board.state.get("circumnavigations", 0)
    by_rank = table.kit.constants["circumnavigation_vp"]
    vp = by_rank[number] if number < len(by_rank) else 0
    table.set("circumnavigations", number + 1, section="16.6")
    table.tell("circumnavigation", power=power, captain=captain, vp=vp, section="16.6")
    if vp:
        score.award(table, power, "circumnavigation", vp, section="16.6")
    captains.come_home(table, captain, "circumnavigation", "16.6")
    if table.options.get("after_circumnavigation") == "out":
        table.put(CAPTAIN + captain, REMOVED, why="circumnavigation", section="16.6")


# --- 20.4: winter ---


class _Berth(Order):
    """A sea captain, and the village with a colony where he winters."""

    line = "{captain} IN {village}"
    captain = Name("captain")
    village = Name("village")


class Moor(Order):
    """Say which of your sea captains winter in colonies; the others go home where they can."""

    line = "MOOR {berths}"
    berths = Many(_Berth, most=10)

    def check(self, table: Table, question: Question) -> None:
        named = [berth.captain for berth in self.berths]
        if len(set(named)) < len(named):
            raise Refused("captain_twice", "20.4")
        for berth in self.berths:
            if berth.captain not in captains.abroad(table, question.power):
                mine = list(captains.abroad(table, question.power))
                raise Refused("captain_not_abroad", "20.4", mine, captain=berth.captain)
            among = winter_colonies(table, question.power, berth.captain)
            if berth.village not in among:
                raise Refused("no_colony_in_reach", "20.4", among, captain=berth.captain, village=berth.village)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for captain in captains.abroad(table, question.power):
            for village in winter_colonies(table, question.power, captain):
                yield cls(berths=[_Berth(captain=captain, village=village)])


def captains_home(table: Table) -> Procedure:
    """20.4: captains in Europe go back to the pool; those abroad to a colony or home, or else roll where they are."""
    for captain in table.kit.tables["sea_captains"]:
        if captains.place_of(table, captain) == EUROPE:
            _leaves_europe(table, captain)
    questions = [
        Ask(power, "voyage", [Moor, Pass], Pass(), context={"step": "winter"}, section="20.4")
        for power in table.board.powers
        if any(_has_choice(table, power, captain) for captain in captains.abroad(table, power))
    ]
    answers = (yield AllOf(questions)) if questions else {}
    for power in table.board.powers:
        order = answers.get(power)
        berths = {one.captain: one.village for one in order.berths} if isinstance(order, Moor) else {}
        for captain in captains.abroad(table, power):
            yield from _winters(table, power, captain, berths.get(captain))


def _leaves_europe(table: Table, captain: str) -> None:
    """20.4: back into the pool; who died as a leader is out of the game."""
    if table.board.pieces[LEADER + captain]["at"] == REMOVED:
        captains.remove(table, captain, "winter", "20.4")
        return
    table.put(LEADER + captain, OFF, why="winter", section="20.4")
    captains.back_in_pool(table, captain, "winter", "20.4")


def winter_colonies(table: Table, power: str, captain: str) -> list[str]:
    """20.4: the villages with a colony of his power that a captain reaches without a dangerous passage."""
    reached = captains.safely_reached(table, captains.zones_of(table, captains.place_of(table, captain)))
    villages = dict.fromkeys(village for zone in reached for village in captains.villages_on(table, zone))
    return [
        village
        for village in villages
        if any(colony.split(":")[1] == power for colony in captains.colonies_at(table, village))
    ]


def _has_choice(table: Table, power: str, captain: str) -> bool:
    among = winter_colonies(table, power, captain)
    return len(among) > 1 or bool(among and captains.may_come_home(table, captain))


def _winters(table: Table, power: str, captain: str, village: str | None) -> Procedure:
    """20.4: a captain goes to the colony named, else home, else to the first colony in reach; else he rolls."""
    among = winter_colonies(table, power, captain)
    if village is None and captains.may_come_home(table, captain):
        captains.come_home(table, captain, "winter", "20.4")
    elif among:
        table.shift(CAPTAIN + captain, village or among[0], why="winter", section="20.4")
    else:
        table.tell("winters_at_sea", power=power, captain=captain, section="20.4")
        yield from navigate(table, captain, section="20.4")


ACTIONS: tuple[type[Order], ...] = (Sail, SailOverseas, Expedition, Patrol, FortifyVillage)
ORDERS: tuple[type[Order], ...] = (Station, Moor)
