"""20.10: the Catholic League. State: ``league`` the turn in whose winter it formed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.displacement import clear_space
from pbem.games.reformation.forces import Force, ForceField, add_units, force_value, named_force, put_leader
from pbem.games.reformation.ground import controller, home_spaces, is_fortified, religion, set_control, set_religion
from pbem.games.reformation.rules import rules
from pbem.games.virgin_queen.powers.majors import FRANCE, PROTESTANT, SPAIN
from pbem.games.virgin_queen.religion import conversion as faith
from pbem.games.virgin_queen.religion.conversion import CATHOLIC
from pbem.table.asking import Ask
from pbem.table.orders import Many, Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

SECTION = "20.10"
CUT_KINDS = ("regular", "mercenary")


def keys_held(table: Table) -> list[str]:
    """20.10: the keys in France that the Protestant controls."""
    return [
        key
        for key in atlas(table).keys
        if faith.region(table, key) == "france" and controller(table, key) == PROTESTANT
    ]


def homes_held(table: Table) -> list[str]:
    """20.10: the French home spaces that the Protestant controls, keys among them."""
    return [space for space in home_spaces(table, FRANCE) if controller(table, space) == PROTESTANT]


def winter_test(table: Table) -> Procedure:
    """20.10: with three keys in France under the Protestant the League forms; with fewer, and five French home spaces
    or fewer, it does not; else a die and the number of these spaces decide."""
    constants = table.kit.constants
    keys, homes = len(keys_held(table)), len(homes_held(table))
    if keys >= constants["league_keys_automatic"]:
        table.tell("league_test", keys=keys, spaces=homes, formed=True, section=SECTION)
    elif homes <= constants["league_spaces_too_few"]:
        table.tell("league_test", keys=keys, spaces=homes, formed=False, section=SECTION)
        return
    else:
        total = homes + sum(table.roll("league", None, 1, spaces=homes, section=SECTION))
        formed = total >= constants["league_roll"]
        table.tell("league_test", keys=keys, spaces=homes, total=total, formed=formed, section=SECTION)
        if not formed:
            return
    yield from form(table)


def form(table: Table) -> Procedure:
    """20.10: the procedure of formation, steps 1 to 4."""
    table.tell("league_forms", section=SECTION)
    table.set("league", table.board.state["turn"], section=SECTION)
    yield from _spaces(table)
    lost = yield from _cuts(table)
    _spanish_units(table, lost)
    for enemy in (FRANCE, PROTESTANT):
        yield from rules(table).war_begins(table, SPAIN, enemy, why="league", section=SECTION)


def leader_may_be(table: Table, leader: str, space: str) -> bool:
    """20.10: the Duke of Guise stays in the French region, to which Metz belongs for this rule."""
    constants = table.kit.constants
    if leader != constants["league_leader"]:
        return True
    return faith.region(table, space) == "france" or space in constants["league_leader_also_in"]


# --- step 1: the spaces ---


def purely_french(table: Table) -> list[str]:
    """20.10 step 1: the unfortified home spaces of France alone, Reims left out."""
    seat = table.kit.constants["league_space"]
    return [
        space
        for space in home_spaces(table, FRANCE)
        if space != seat and not atlas(table).spaces[space]["second_home"] and not is_fortified(table, space)
    ]


class LeagueSpaces(Order):
    """Choose the spaces that join the Catholic League with Reims."""

    line = "LEAGUE IN {spaces}"
    spaces = Many(Name("space"), most=10)

    def check(self, table: Table, question: Question) -> None:
        number = question.context["number"]
        offered = purely_french(table)
        for space in self.spaces:
            if space not in offered:
                raise Refused("not_purely_french", SECTION, offered, space=space)
        if len(set(self.spaces)) != number or len(self.spaces) != number:
            raise Refused("so_many_league_spaces", SECTION, number=number)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        number, offered = question.context["number"], purely_french(table)
        for at in range(len(offered)):
            yield cls(spaces=(offered[at:] + offered[:at])[:number])


def _spaces(table: Table) -> Procedure:
    """20.10 step 1: Reims and two more come under Spanish control and turn Catholic; units leave a fortress there."""
    constants = table.kit.constants
    seat = constants["league_space"]
    had_fortress = is_fortified(table, seat)
    number = min(constants["league_spaces"] - 1, len(purely_french(table)))
    chosen: list[str] = []
    if number:
        order = yield Ask(
            SPAIN,
            "league",
            [LeagueSpaces],
            lambda t, q: LeagueSpaces(spaces=_nearest_to(t, seat)[:number]),
            context={"number": number},
            section=SECTION,
        )
        chosen = list(order.spaces)
    table.tell("league_spaces", power=SPAIN, spaces=[seat, *chosen], section=SECTION)
    for space in (seat, *chosen):
        set_control(table, space, SPAIN, why="league", section=SECTION)
        if religion(table, space) == PROTESTANT and not faith.last_stand(table, "france", CATHOLIC):
            set_religion(table, space, CATHOLIC, why="league", section=SECTION)
    if had_fortress:
        yield from clear_space(table, seat, SPAIN, section=SECTION, ships=False)


def _nearest_to(table: Table, seat: str) -> list[str]:
    """The spaces to choose from, neighbours of Reims first."""
    near = atlas(table).neighbours[seat]
    return sorted(purely_french(table), key=lambda space: space not in near)


# --- step 2: what France loses ---


def on_map(table: Table, owner: str, kind: str) -> dict[str, int]:
    """How many units of a kind an owner has in each space, in the order of the kit."""
    numbers = {space: table.board.count(space, owner, kind) for space in atlas(table).spaces}
    return {space: number for space, number in numbers.items() if number}


def due(table: Table) -> dict[str, int]:
    """20.10 step 2: the third part of the French regulars on the map, and of the mercenaries, rounded up."""
    divisor = table.kit.constants["league_french_divisor"]
    totals = {kind: sum(on_map(table, FRANCE, kind).values()) for kind in CUT_KINDS}
    return {kind: -(-total // divisor) for kind, total in totals.items() if total}


class _Cut(Order):
    """Units and the space where they are."""

    line = "{force} IN {space}"
    force = ForceField()
    space = Name("space")


class LeagueCuts(Order):
    """Say which of your units go over to the Catholic League."""

    line = "DISBAND {parts}"
    parts = Many(_Cut, most=40)

    def taken(self, table: Table, power: str) -> dict[str, Force]:
        """What goes, by space."""
        forces: dict[str, Force] = {}
        for part in self.parts:
            if part.space in forces:
                raise Refused("space_twice", SECTION, space=part.space)
            forces[part.space] = named_force(table, power, part.space, part.force)
        return forces

    def check(self, table: Table, question: Question) -> None:
        power, wanted = question.power, question.context["due"]
        named = dict.fromkeys(wanted, 0)
        for space, force in self.taken(table, power).items():
            if force.leaders:
                raise Refused("losses_without_leaders", SECTION)
            for owner, kinds in force.units.items():
                for kind, number in kinds.items():
                    if owner != power or kind not in wanted:
                        raise Refused("only_french_for_league", SECTION, owner=owner, kind=kind)
                    if table.board.count(space, owner, kind) < number:
                        raise Refused("not_so_many_there", SECTION, space=space)
                    named[kind] += number
        for kind, number in wanted.items():
            if named[kind] != number:
                raise Refused("other_number_of_kind", SECTION, kind=kind, number=number, named=named[kind])

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        spaces = list(atlas(table).spaces)
        for order in (spaces, spaces[::-1], sorted(spaces)):
            yield cls.of(table, question.power, question.context["due"], order)

    @classmethod
    def of(cls, table: Table, power: str, wanted: Mapping[str, int], spaces: list[str]) -> LeagueCuts:
        """The order that takes what is due where it is found first, in an order of spaces."""
        left = dict(wanted)
        parts = []
        for space in spaces:
            kinds = {kind: min(number, table.board.count(space, power, kind)) for kind, number in left.items()}
            kinds = {kind: number for kind, number in kinds.items() if number}
            if kinds:
                left = {kind: number - kinds.get(kind, 0) for kind, number in left.items()}
                parts.append(_Cut(force=force_value(Force({power: kinds}), power), space=space))
        return cls(parts=parts)


def _cuts(table: Table) -> Procedure:
    """20.10 step 2: France removes a third of its regulars and of its mercenaries. Value: how many of each kind."""
    wanted = due(table)
    if not wanted:
        return wanted
    order = LeagueCuts.of(table, FRANCE, wanted, list(atlas(table).spaces))
    if any(len(on_map(table, FRANCE, kind)) > 1 for kind in wanted):
        order = yield Ask(
            FRANCE,
            "league",
            [LeagueCuts],
            lambda t, q: LeagueCuts.of(t, q.power, q.context["due"], _outermost(t)),
            context={"due": wanted},
            section=SECTION,
        )
    for space, force in order.taken(table, FRANCE).items():
        for kind, number in force.units[FRANCE].items():
            table.remove(FRANCE, kind, space, number, why="league", section=SECTION)
    return wanted


def _outermost(table: Table) -> list[str]:
    """The spaces of the map, capitals of France last: silence keeps the garrison there."""
    capitals = rules(table).capitals(table, FRANCE)
    return sorted(atlas(table).spaces, key=lambda space: space in capitals)


# --- step 3: what Spain gets ---


def _spanish_units(table: Table, lost: Mapping[str, int]) -> None:
    """20.10 step 3: as many Spanish units at Reims as France lost, regulars at least up to four; a fortress; Guise."""
    constants = table.kit.constants
    seat = constants["league_space"]
    least = constants["league_regulars_least"] - table.board.count(seat, SPAIN, "regular")
    regulars = max(lost.get("regular", 0), least)
    mercenaries = lost.get("mercenary", 0)
    placed = {
        kind: add_units(table, SPAIN, kind, seat, number, why="league", section=SECTION)
        for kind, number in (("regular", regulars), ("mercenary", mercenaries))
        if number > 0
    }
    table.tell("league_army", power=SPAIN, space=seat, units=placed, section=SECTION)
    table.set(f"fortress:{seat}", True, why="league", section=SECTION)
    put_leader(table, constants["league_leader"], seat, why="league", section=SECTION)


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (LeagueSpaces, LeagueCuts)
