"""12, 13, 15, 17: the actions on land, and what of the land rules is this game's alone (21.1, 21.6, 22.5)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.here_i_stand.powers import minors
from pbem.games.here_i_stand.religion.conversion import electorate_troops
from pbem.games.reformation import construction, land_actions
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import (
    Force,
)
from pbem.games.reformation.ground import controller, home_of, home_spaces, siege_of
from pbem.games.reformation.land_actions import Calm, Control, Move
from pbem.games.reformation.marks import mark, set_mark
from pbem.games.reformation.relations import minors_of
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

PROTESTANT, OTTOMAN = "protestant", "ottoman"
BUILD_ACTIONS = {
    "regular": "raise_regular",
    "mercenary": "buy_mercenary",
    "cavalry": "raise_cavalry",
    "squadron": "build_squadron",
    "corsair": "build_corsair",
}


# --- hooks of the shared rules ---


def space_open(table: Table, power: str, space: str) -> bool:
    """21.6: before the league electorates are open to the Protestant alone; 21.1: a space not in play to nobody."""
    if table.board.state.get(f"control:{space}") is None:
        return False
    return bool(
        power == PROTESTANT
        or table.board.state.get("league")
        or atlas(table).spaces[space]["kind"] != "electorate"
    )


def may_fight(table: Table, power: str) -> Refused | None:
    """21.6: before the Schmalkaldic League the Protestant neither builds nor moves nor fights."""
    if power == PROTESTANT and not table.board.state.get("league"):
        return Refused("protestant_before_league")
    return None


def barred(table: Table, power: str, what: str) -> Refused | None:
    """Why an action is barred for the rest of the impulse: Foul Weather (card 31)."""
    if mark(table, "impulse", "foul_weather") and what in ("assault", "naval", "piracy", "transport"):
        return Refused("foul_weather")
    return None


def recruits_abroad(table: Table) -> bool:
    """17: whether Foreign Recruits (card 76) lets the player build outside his home spaces now."""
    return bool(mark(table, "impulse", "foreign_recruits"))


def builds_in(table: Table, power: str, kind: str, space: str) -> Refused | None:
    """17.2, 21.1: in Algiers and pirate havens only corsairs are built; these only after Barbary Pirates."""
    only_corsairs = space in table.kit.constants["corsairs_only"] and home_of(table, space) == OTTOMAN
    if kind == "corsair" and not table.board.state.get("barbary_pirates"):
        return Refused("no_corsairs_yet")
    if only_corsairs and kind != "corsair" and not recruits_abroad(table):
        return Refused("only_corsairs_there", space=space)
    return None


def fresh_siege_assault(table: Table, power: str, space: str, force: Force) -> bool:
    """15.1: Roxelana (card 42) lets a formation with Suleiman assault in the impulse in which the siege began."""
    leader = mark(table, "impulse", "roxelana")
    return bool(leader) and power == OTTOMAN and leader in force.leaders


def assault_at_once(table: Table, power: str, space: str, force: Force) -> bool:
    """15.1: the cards that need no siege of an earlier impulse: Roxelana (42), Scots Raid (97)."""
    return mark(table, "impulse", "scots_raid") == power or fresh_siege_assault(table, power, space, force)


def free_assault_left(table: Table, power: str) -> bool:
    """Card 42: whether the free assault is left to a besieger when his CP are spent."""
    leader = mark(table, "impulse", "roxelana")
    at = table.board.pieces[f"leader:{leader}"]["at"] if leader else None
    return at is not None and power in (siege_of(table, at) or {"by": {}})["by"]


def after_battle(table: Table, space: str, kind: str, attacker: str) -> Procedure:
    """22.5: the defeat of Hungary is looked for at the end of every field battle and assault, whoever began it."""
    yield from minors.hungary_defeat(table)


def after_capture(table: Table, space: str, before: str, power: str) -> Procedure:
    """21.6: regulars of the display come to a Protestant electorate; keys change the tracks by themselves."""
    electorate_troops(table, space)
    return
    yield


# --- actions ---


class Assault(land_actions.Assault):
    """Assault a space that you have besieged since an earlier impulse, for 1 CP."""

    def cost(self, table: Table, power: str) -> int | None:
        """15.1; card 42: the one assault of a formation with Suleiman costs nothing."""
        if fresh_siege_assault(table, power, self.space, self.named(table, power)):
            return 0
        return super().cost(table, power)

    def procedure(self, table: Table, power: str) -> Procedure:
        """15.1. The favour of card 42 is for one assault."""
        if fresh_siege_assault(table, power, self.space, self.named(table, power)):
            set_mark(table, "impulse", "roxelana", None)
            set_mark(table, "action", "free_assault", True)
        yield from super().procedure(table, power)


class Build(land_actions.Build):
    """Build units in a home space, your own or (regulars, squadrons) those of an active minor ally."""

    @property
    def action(self) -> str:  # type: ignore[override]
        return BUILD_ACTIONS[self.unit]

    def check_action(self, table: Table, power: str) -> None:
        owner = self.minor or power
        if self.minor and self.unit not in ("regular", "squadron"):
            raise Refused("minor_builds_no_such", "17", kind=self.unit)
        home_only = bool(self.minor) or not recruits_abroad(table)
        construction.check_build(table, power, owner, self.unit, self.space, self.number or 1, home_only=home_only)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        power = question.power
        for unit in BUILD_ACTIONS:
            if table.kit.tables["actions"][BUILD_ACTIONS[unit]][power] is None:
                continue
            for space in building_spaces(table, power):
                yield cls(unit=unit, space=space)
            if unit in ("regular", "squadron"):
                for minor in minors_of(table.board, power):
                    for space in home_spaces(table, minor):
                        yield cls(unit=unit, space=space, minor=minor)


def building_spaces(table: Table, power: str) -> list[str]:
    """17: the spaces worth a look for new units: home spaces; with card 76 all that the power controls."""
    if recruits_abroad(table):
        return [space for space in atlas(table).spaces if controller(table, space) == power]
    return home_spaces(table, power)


ORDERS = ()
ACTIONS = (Move, Assault, Control, Calm, Build)
