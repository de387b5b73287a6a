"""Cards of unrest in a language zone, and the Scots Raid: 88, 94, 97."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import number, occupied, unrest_on
from pbem.games.here_i_stand.war.land import Assault, Build, Control, Move
from pbem.games.reformation import marks
from pbem.games.reformation.action import End, carry_out
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.displacement import hand_over
from pbem.games.reformation.forces import LEADER, has_enemy_land, leader_power, put_leader
from pbem.games.reformation.ground import controller, home_spaces, in_play, in_unrest, siege_of
from pbem.games.reformation.relations import major_of
from pbem.table.asking import Ask, Moment, choose
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table

FRANCE, SCOTLAND = "france", "scotland"

# --- 88, 94: unrest in a language zone ---


def _zone(table: Table, language: str) -> list[str]:
    return [s for s, row in atlas(table).spaces.items() if row["language"] == language and in_play(table, s)]


def _why_no_unrest(table: Table, language: str) -> Refused | None:
    if any(not in_unrest(table, space) and not occupied(table, space) for space in _zone(table, language)):
        return None
    return Refused("no_calm_space_in_zone")


@event("peasants_war")
def peasants_war(table: Table, power: str, moment: Moment) -> Procedure:
    """88: unrest on up to 5 spaces of the German zone that hold no units (12.4)."""
    yield from unrest_on(table, power, number(table, 88, "unrest"), _zone(table, "german"), up_to=True, card=88)


@playable("peasants_war")
def _peasants_war(table: Table, power: str, moment: Moment) -> Refused | None:
    return _why_no_unrest(table, "german")


@event("revolt_of_the_communeros")
def revolt_of_the_communeros(table: Table, power: str, moment: Moment) -> Procedure:
    """94: unrest on up to 3 spaces of the Spanish zone that hold no units (12.4)."""
    yield from unrest_on(table, power, number(table, 94, "unrest"), _zone(table, "spanish"), up_to=True, card=94)


@playable("revolt_of_the_communeros")
def _revolt_of_the_communeros(table: Table, power: str, moment: Moment) -> Refused | None:
    return _why_no_unrest(table, "spanish")


# --- 97: Scots Raid ---


@dataclass
class RaidQuestion(Ask):
    """An action of the raid: `fault` says what is wrong with an order besides its own rules, or None."""

    fault: Callable[[Table, Order], Refused | None] = lambda table, order: None

    def check(self, table: Table, order: Order) -> None:
        """Refuse an action outside the raid's spaces."""
        super().check(table, order)
        reason = self.fault(table, order)
        if reason:
            raise reason.under(self.section)


def _raided(table: Table) -> list[str]:
    return [*home_spaces(table, SCOTLAND), *table.kit.constants["scots_raid_spaces"]]


def _outside(table: Table, order: Order) -> Refused | None:
    """Why an action is not within Scotland and the English border; ending the raid is."""
    named = [getattr(order, field) for field in ("origin", "space") if hasattr(order, field)]
    beyond = [space for space in named if space not in _raided(table)]
    if not beyond:
        return None
    return Refused("not_in_scotland", space=beyond[0])


def _leaders_who_can_come(table: Table) -> list[str]:
    """The French army leaders who are free and not in Scotland yet."""
    scotland = home_spaces(table, SCOTLAND)
    return [
        leader
        for leader, row in atlas(table).leaders.items()
        if row["kind"] == "army"
        and leader_power(table, leader) == FRANCE
        and (at := table.board.pieces[LEADER + leader]["at"]) in atlas(table).spaces
        and at not in scotland
    ]


def _landings(table: Table) -> list[str]:
    return [
        space
        for space in home_spaces(table, SCOTLAND)
        if controller(table, space) == FRANCE
        and not siege_of(table, space)
        and not has_enemy_land(table, space, FRANCE)
    ]


@event("scots_raid")
def scots_raid(table: Table, power: str, moment: Moment) -> Procedure:
    """97: France holds Stirling, and has CP to build, move, control and assault in Scotland and on the border.

    6 CP, or 3 if a French leader comes to Scotland first. Its assaults there need no siege of an earlier impulse.
    """
    stirling = table.kit.constants["scots_raid_held"]
    if controller(table, stirling) != FRANCE:
        yield from hand_over(table, [stirling], FRANCE, why="scots_raid", section="22.2")
    leader = None
    if _landings(table):
        leader = yield from choose(table, FRANCE, "leader", _leaders_who_can_come, optional=True, number=97)
    if leader is not None:
        space = yield from choose(table, FRANCE, "space", _landings, kind="place_leader", number=97, leader=leader)
        put_leader(table, leader, space, why="scots_raid")
    marks.set_mark(table, "impulse", "scots_raid", FRANCE)
    yield from _raid(table, number(table, 97, "cp" if leader is None else "cp_with_leader"))
    marks.set_mark(table, "impulse", "scots_raid", None)


def _raid(table: Table, cp: int) -> Procedure:
    """The actions of the raid; the CP of the impulse, if it is running on, are set aside meanwhile."""
    before = table.board.state.get("cp_left")
    table.set("cp_left", cp)
    while table.board.state.get("cp_left"):
        order = yield RaidQuestion(
            FRANCE,
            "action",
            [Build, Move, Control, Assault, End],
            End(),
            context={"power": FRANCE, "cp_left": table.board.state["cp_left"], "number": 97},
            section="11.1",
            fault=_outside,
        )
        if isinstance(order, End):
            break
        yield from carry_out(table, FRANCE, order)
    table.set("cp_left", before)


@playable("scots_raid")
def _scots_raid(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if major_of(table.board, SCOTLAND) == FRANCE else Refused("scotland_no_ally_of_france")
