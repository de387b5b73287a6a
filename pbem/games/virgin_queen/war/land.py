"""12 to 15, 17: actions on land, the hooks of the shared land rules, construction of units in Europe.

Moves, assaults, control and calm are those of both games (`reformation.land_actions`).
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.reformation import construction, land_actions
from pbem.games.reformation.action import Action
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER, can_add, has_enemy_land
from pbem.games.reformation.ground import controller, home_spaces, in_unrest, is_fortified, is_home
from pbem.games.reformation.land_actions import Assault, Calm, Control, Move
from pbem.games.reformation.marks import mark
from pbem.games.reformation.relations import minors_of
from pbem.games.virgin_queen.powers import majors
from pbem.table.orders import Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

WALLOONS = "walloons"
ACTION_OF = {
    "regular": "build_regular",
    "mercenary": "build_mercenary",
    "cavalry": "build_cavalry",
    "galley": "build_galley",
    "corsair": "build_corsair",
    "galleon": "build_galleon",
}
BUILDS_IN = "builds_in"
"""Mark of the turn: the region in which an event lets a power build all its land units {power: region}."""
MINOR_ACTION_OF = {"regular": "build_minor_regular", "galley": "build_minor_ship", "galleon": "build_minor_ship"}


def builds_in(table: Table, power: str, kind: str, space: str) -> Refused | None:
    """17.2, 17.3: the spaces where a power may not build a kind; galleons only on the Atlantic, no ships inland."""
    constants, at_sea = table.kit.constants, kind in atlas(table).naval_kinds
    if at_sea and table.kit.tables["spaces"][space]["inland_port"]:
        return Refused("inland_port", space=space)
    in_netherlands = power == majors.SPAIN and atlas(table).spaces[space]["region"] == "netherlands"
    if in_netherlands and kind != "regular" and (at_sea or not builds_all_in(table, power, space)):
        return Refused("only_walloons", space=space)
    if kind in constants["built_on_the_atlantic"] and not _on(table, space, "atlantic"):
        return Refused("only_on_the_atlantic", kind=kind, space=space)
    if kind in constants["not_built_in"].get(space, ()):
        return Refused("not_built_there", kind=kind, space=space)
    return None


def barred(table: Table, power: str, what: str) -> Refused | None:
    """13.1, 15.1, 16: why an action is barred for the rest of the impulse: Storms (card 32)."""
    if mark(table, "impulse", "foul_weather") and what in ("assault", "naval", "piracy", "transport"):
        return Refused("foul_weather")
    return None


def _on(table: Table, space: str, waters: str) -> bool:
    zones = table.kit.tables["sea_zones"]
    return any(zones[zone]["waters"] == waters for zone in atlas(table).ports[space])


def owner_of_new(table: Table, power: str, kind: str, space: str) -> str:
    """17, 23.6: whose counters a power builds: a faction's, of the Protestant; Walloons in the Netherlands."""
    if power == majors.PROTESTANT:
        return majors.faction_of_space(table, space) or majors.HUGUENOT
    netherlands = atlas(table).spaces[space]["region"] == "netherlands"
    if power == majors.SPAIN and netherlands and kind == "regular":
        others = builds_all_in(table, power, space) and not can_add(table, WALLOONS, kind, space)
        return power if others else WALLOONS
    return power


def builds_all_in(table: Table, power: str, space: str) -> bool:
    """Whether an event of this turn lets a power build all its land units in a space, whatever 17.2 says of it."""
    region = mark(table, "turn", BUILDS_IN, {}).get(power)
    return region is not None and atlas(table).spaces[space]["region"] == region


def built_as(table: Table, power: str, kind: str, space: str) -> str:
    """17.3: what a galleon is built as: in London a race-built one when Hawkins is there, from turn 3 on."""
    constants = table.kit.constants
    captain = table.board.pieces.get(LEADER + constants["race_built_captain"], {}).get("at")
    if (
        (power, kind, space) == (majors.ENGLAND, "galleon", constants["race_built_space"])
        and captain == space
        and table.board.state["turn"] >= constants["race_built_from_turn"]
    ):
        return "race_built"
    return kind


class Build(land_actions.Build):
    """Build units in a home space, your own or (regulars, ships) those of an active minor ally."""

    @property
    def action(self) -> str:  # type: ignore[override]
        return (MINOR_ACTION_OF if self.minor else ACTION_OF).get(self.unit, "")

    def owner(self, table: Table, power: str) -> str:
        return self.minor or owner_of_new(table, power, self.unit, self.space)

    def built(self, table: Table, power: str) -> str:
        return built_as(table, power, self.unit, self.space)

    def check_action(self, table: Table, power: str) -> None:
        owner = self.owner(table, power)
        number = self.number or 1
        unit = self.built(table, power)
        if owner == WALLOONS:  # their home is that of Spain: a space of the Netherlands with two home powers
            construction.check_build(table, power, owner, self.unit, self.space, number, home_only=False)
            if self.space not in home_spaces(table, power):
                raise Refused("no_home_space", "17.1", space=self.space, owner=power)
            return
        construction.check_build(table, power, owner, unit, self.space, number)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        power = question.power
        actions = table.kit.tables["actions"]
        for unit, action in ACTION_OF.items():
            if actions[action][power] is not None:
                for space in home_spaces(table, power):
                    yield cls(unit=unit, space=space)
        for minor in minors_of(table.board, power):
            if minor in atlas(table).minors:
                for unit in MINOR_ACTION_OF:
                    for space in home_spaces(table, minor):
                        yield cls(unit=unit, space=space, minor=minor)


class Fortify(Action):
    """Build a fortress in an unfortified home space for 2 CP."""

    action = "build_fortress"
    line = "FORTIFY {space}"
    space = Name("space")

    def check_action(self, table: Table, power: str) -> None:
        check_fortress(table, power, self.space)

    def procedure(self, table: Table, power: str) -> Procedure:
        """17.5."""
        table.set(f"fortress:{self.space}", True, why="build", section="17.5")
        table.tell("fortress_built", power=power, space=self.space, section="17.5")
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space in home_spaces(table, question.power):
            yield cls(space=space)


def check_fortress(table: Table, power: str, space: str) -> None:
    """17.5: raise `Refused` unless the power may build a fortress: an own-controlled unfortified calm home space
    without enemies."""
    if controller(table, space) != power:
        raise Refused("not_controlled", "17.5", space=space)
    if not is_home(table, space, power):
        raise Refused("no_home_space", "17.5", space=space, owner=power)
    if is_fortified(table, space):
        raise Refused("fortified_already", "17.5", space=space)
    if in_unrest(table, space):
        raise Refused("in_unrest", "12.4", hint=f"CALM {space}", space=space)
    if has_enemy_land(table, space, power):
        raise Refused("enemy_units_there", "17.5", space=space)


ACTIONS: tuple[type[Order], ...] = (Move, Assault, Control, Calm, Build, Fortify)
ORDERS: tuple[type[Order], ...] = ()
