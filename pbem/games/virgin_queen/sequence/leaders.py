"""5.1, 8.1, 10: arrivals, default leaders, Don John, leaders off the map.

A leader who has arrived lies at ``arrived:<power>``; a default leader who waits for his turn, and an eliminated naval
leader, at ``turn_track:<n>``. A card that brings a leader in a later turn puts him there too (Uluch Ali after DRAGUT
FALLS!, Essex). Who leaves the game for good lies at ``removed``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.reformation.action import Action
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import (
    LEADER,
    Force,
    leader_kind,
    leader_power,
    mark_force,
    put_leader,
)
from pbem.games.reformation.ground import (
    capitals,
    controller,
    home_spaces,
    inside,
    is_fortified,
    is_friendly,
    siege_of,
    space_of,
)
from pbem.games.reformation.relations import major_of
from pbem.games.virgin_queen.places import OFF, REMOVED, arrived
from pbem.games.virgin_queen.powers import majors
from pbem.games.virgin_queen.powers.majors import PROTESTANT, SPAIN
from pbem.table.asking import Ask, Pass
from pbem.table.orders import Choice, Many, Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

ARMY, NAVAL = "army", "naval"


# --- 5.1: default leaders ---


def leader_waits(table: Table, leader: str) -> str:
    """Where a leader waits for the next spring: on the card of his power, of a minor power's on that of its ally."""
    whose = leader_power(table, leader)
    major = major_of(table.board, whose)
    return arrived(major) if major in table.board.powers else OFF


def default_of(table: Table, faction: str) -> str | None:
    """5.1: the default leader of a power or faction, in the kit."""
    leaders = atlas(table).leaders.items()
    return next((id for id, row in leaders if row["default_leader"] and row["power"] == faction), None)


def is_in_play(table: Table, leader: str) -> bool:
    """5.1: whether a leader is in play: a captured one is, one who enters in a later turn is not."""
    at = table.board.pieces.get(LEADER + leader, {}).get("at", OFF)
    return at not in (OFF, REMOVED) and not at.startswith("turn_track:")


def army_leaders_in_play(table: Table, faction: str) -> list[str]:
    """5.1: the army leaders of a power or faction that are in play, in the order of the kit."""
    return [
        id
        for id, row in atlas(table).leaders.items()
        if row["power"] == faction and leader_kind(table, id) == ARMY and is_in_play(table, id)
    ]


def leaves_the_game(table: Table, leader: str, why: str, section: str = "5.1", *, default: bool = True) -> None:
    """Take a leader out of the game for good.

    `default`: for the three losses of 5.1 (UNTIMELY DEATH, assassination, a murdered husband): when the last army
    leader in play of his power goes, its default leader comes onto the Turn Track. Huguenots and Dutch count apart.
    """
    if table.board.pieces[LEADER + leader]["at"] == REMOVED:
        return
    kind, faction = leader_kind(table, leader), atlas(table).leaders[leader]["power"]
    was_in_play = is_in_play(table, leader)
    table.tell("leader_removed", leader=leader, why=why, section=section)
    table.put(LEADER + leader, REMOVED, why=why, section=section)
    if not default or kind != ARMY or not was_in_play or army_leaders_in_play(table, faction):
        return
    follower = default_of(table, faction)
    if follower and follower != leader and table.board.pieces[LEADER + follower]["at"] == OFF:
        box = f"turn_track:{table.board.state['turn'] + 1}"
        put_leader(table, follower, box, why="default_leader", section="5.1")
        table.tell("default_leader_waits", leader=follower, section="5.1")


# --- 8.1: arrivals ---


def arrive(table: Table) -> Procedure:
    """8.1: leaders of this turn come to their power's card, default leaders by their own rule."""
    come: list[str] = []
    for leader, row in atlas(table).leaders.items():
        if not row["default_leader"] and _is_due(table, leader):
            if row["royal"] in table.board.state.get("dead_rulers", ()):
                table.put(LEADER + leader, REMOVED, why="dead", section="8.1")
            else:
                come.append(leader)
    for leader in come:
        _arrive(table, leader)
    for faction in atlas(table).owners:
        default = default_of(table, faction)
        newcomers = [id for id in come if atlas(table).leaders[id]["power"] == faction]
        if default is not None:
            _default_leader(table, default, any(leader_kind(table, id) == ARMY for id in newcomers))
    return
    yield


def _is_due(table: Table, leader: str) -> bool:
    """8.1: whether a leader enters now: in his turn, from the Turn Track, of a minor power once it has an ally."""
    row, turn = atlas(table).leaders[leader], table.board.state["turn"]
    at = table.board.pieces[LEADER + leader]["at"]
    if at == f"turn_track:{turn}":
        return True
    if at != OFF or row["entry_turn"] is None:
        return False
    if row["power"] in atlas(table).minors:
        return row["entry_turn"] <= turn and major_of(table.board, row["power"]) is not None
    return row["entry_turn"] == turn


def _arrive(table: Table, leader: str) -> None:
    place = leader_waits(table, leader)
    if place == OFF:
        # A power without a seat, or a minor power without an ally, waits for whom it will have.
        table.put(LEADER + leader, f"turn_track:{table.board.state['turn'] + 1}", why="waits", section="8.1")
        return
    table.tell("leader_arrives", power=place.partition(":")[2], leader=leader, section="8.1")
    table.put(LEADER + leader, place, why="enters", section="8.1")


def _default_leader(table: Table, leader: str, replaced: bool) -> None:
    """8.1: a default leader enters if no army leader of his faction is new; one who is leaves him out for good."""
    at = table.board.pieces[LEADER + leader]["at"]
    if at in (OFF, REMOVED):
        return
    if replaced:
        leaves_the_game(table, leader, "army_leader_arrives", "8.1", default=False)
    elif at == f"turn_track:{table.board.state['turn']}":
        _arrive(table, leader)


# --- 10 step 4: placing ---


def on_card(table: Table, power: str) -> list[str]:
    """The leaders that lie on a power's card, in the order of the kit."""
    place = arrived(power)
    return [one for one in atlas(table).leaders if table.board.pieces[LEADER + one]["at"] == place]


def roles(table: Table, leader: str) -> list[str]:
    """10: what a leader may be placed as: Don John as either."""
    row = atlas(table).leaders[leader]
    return [ARMY, NAVAL] if row["also_naval"] else [row["kind"]]


def places_for(table: Table, power: str, leader: str, role: str) -> list[str]:
    """10 step 4: the fortified home spaces (army), the home ports (naval) that are friendly; capitals first.

    23.6: Huguenots enter in France, Dutch in the Netherlands, in spaces that the Protestant controls.
    """
    faction = atlas(table).leaders[leader]["power"]
    places = [space for space in home_spaces(table, faction) if is_friendly(table, space, power)]
    if role == NAVAL:
        places = [space for space in places if is_port(table, space)]
    else:
        places = [space for space in places if is_fortified(table, space)]
    if power == PROTESTANT:
        region = table.kit.constants["faction_regions"].get(faction)
        spaces = atlas(table).spaces
        places = [s for s in places if spaces[s]["region"] == region and controller(table, s) == power]
    seats = capitals(table, faction)
    return sorted(places, key=lambda space: space not in seats)


def is_port(table: Table, space: str) -> bool:
    """2.5, 16.7: whether ships and naval leaders may be in a space: a port, but no inland port."""
    chart = atlas(table)
    return bool(chart.ports[space]) and not chart.spaces[space]["inland_port"]


class Placement(Order):
    """A leader, the space that he comes to, and as what."""

    line = "{leader} IN {space} [AS {role}]"
    leader = Name("leader")
    space = Name("space")
    role = Choice(ARMY, NAVAL, optional=True)


class PlaceLeaders(Order):
    """Place leaders that lie on your card; who is not named stands where he must, or stays with the Protestant."""

    line = "PUT {placements}"
    placements = Many(Placement, most=8)

    def check(self, table: Table, question: Question) -> None:
        power = question.power
        waiting = on_card(table, power)
        named = [one.leader for one in self.placements]
        if len(set(named)) < len(named):
            raise Refused("leader_twice", "10")
        for one in self.placements:
            if one.leader not in waiting:
                raise Refused("leader_not_on_card", "10", list(waiting), leader=one.leader)
            role = role_of(table, one)
            if role not in roles(table, one.leader):
                raise Refused("no_such_role", "10", leader=one.leader, role=role)
            among = places_for(table, power, one.leader, role)
            if one.space not in among:
                code = "no_home_port_for_leader" if role == NAVAL else "no_fort_for_leader"
                raise Refused(code, "10", list(among), space=one.space, leader=one.leader)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for leader in on_card(table, question.power):
            for role in roles(table, leader):
                for space in places_for(table, question.power, leader, role):
                    said = role if len(roles(table, leader)) > 1 else None
                    yield cls(placements=[Placement(leader=leader, space=space, role=said)])


def role_of(table: Table, placement: Placement) -> str:
    """What a leader is placed as; where nothing is said, as his counter has it."""
    return placement.role or atlas(table).leaders[placement.leader]["kind"]


def place(table: Table, power: str) -> Procedure:
    """10 step 4: a power places the leaders that lie on its card; without a place they wait for the next turn."""
    named: dict[str, Placement] = {}
    if _has_choice(table, power):
        context = {"leaders": on_card(table, power)}
        order = yield Ask(power, "place_leader", [PlaceLeaders, Pass], Pass(), context=context, section="10")
        if isinstance(order, PlaceLeaders):
            named = {one.leader: one for one in order.placements}
    for leader in on_card(table, power):
        one = named.get(leader)
        if one is not None:
            _put(table, power, leader, one.space, role_of(table, one))
        elif power != PROTESTANT or leader_kind(table, leader) == NAVAL:
            role = roles(table, leader)[0]
            among = places_for(table, power, leader, role)
            if among:
                _put(table, power, leader, among[0], role)
            else:
                box = f"turn_track:{table.board.state['turn'] + 1}"
                put_leader(table, leader, box, why="waits", section="10")
                table.tell("leader_waits", power=power, leader=leader, section="10")


def _has_choice(table: Table, power: str) -> bool:
    """Whether a power decides anything: a place among several, Don John's kind, to stay on the Protestant card."""
    for leader in on_card(table, power):
        open_places = sum(len(places_for(table, power, leader, role)) for role in roles(table, leader))
        if open_places > (0 if power == PROTESTANT else 1):
            return True
    return False


def _put(table: Table, power: str, leader: str, space: str, role: str) -> None:
    """A leader comes into a space, within its walls when it is besieged; he did not begin the phase there (10)."""
    at = inside(space) if role == ARMY and siege_of(table, space) else space
    table.tell("leader_placed", power=power, leader=leader, space=space, section="10")
    put_leader(table, leader, at, why="placed", section="10", **_kind_mark(table, leader, role))
    if role == ARMY:
        mark_force(table, "arrived", at, Force({}, [leader]))


def _kind_mark(table: Table, leader: str, role: str) -> dict[str, str | None]:
    """The mark of a leader who is not what his counter has."""
    row = atlas(table).leaders[leader]
    return {"kind": role if role != row["kind"] else None} if row["also_naval"] else {}


# --- 10: Don John changes ---


def switching(table: Table, power: str) -> list[str]:
    """10: the leaders of a power that may change their kind now: they are in a port under friendly control."""
    leaders = []
    for leader, row in atlas(table).leaders.items():
        at = space_of(table.board.pieces[LEADER + leader]["at"])
        mine = row["also_naval"] and row["power"] == power and at in atlas(table).spaces
        if mine and is_port(table, at) and is_friendly(table, at, power):
            leaders.append(leader)
    return leaders


class Switch(Action):
    """Let Don John change from an army leader to a naval leader or back, in a friendly port; it costs nothing."""

    line = "SWITCH {leader}"
    leader = Name("leader")

    def cost(self, table: Table, power: str) -> int | None:
        """10: nothing; only who has such a leader does it."""
        return 0 if any(row["also_naval"] and row["power"] == power for row in atlas(table).leaders.values()) else None

    def check_action(self, table: Table, power: str) -> None:
        among = switching(table, power)
        if self.leader not in among:
            raise Refused("leader_cannot_switch", "10", list(among), leader=self.leader)

    def procedure(self, table: Table, power: str) -> Procedure:
        """10."""
        switch(table, self.leader)
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for leader in switching(table, question.power):
            yield cls(leader=leader)


def switch(table: Table, leader: str) -> None:
    """10: a leader turns from army to naval leader or back where he is; within walls as an army leader alone."""
    role = NAVAL if leader_kind(table, leader) == ARMY else ARMY
    space = space_of(table.board.pieces[LEADER + leader]["at"])
    within = role == ARMY and siege_of(table, space) is not None
    table.tell("leader_switches", leader=leader, kind=role, space=space, section="10")
    table.shift(
        LEADER + leader,
        inside(space) if within else space,
        why="switches",
        section="10",
        **_kind_mark(table, leader, role),
    )


# --- 20.4 ---


class GoAshore(Order):
    """Let Don John leave his fleet as an army leader and go to a Spanish capital."""

    line = "ASHORE {leader} AT {space}"
    leader = Name("leader")
    space = Name("space")

    def check(self, table: Table, question: Question) -> None:
        if self.leader not in at_sea(table, question.power):
            raise Refused("leader_not_at_sea", "20.4", list(at_sea(table, question.power)), leader=self.leader)
        among = own_capitals(table, question.power)
        if self.space not in among:
            raise Refused("no_capital_for_leader", "20.4", list(among), space=self.space)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for leader in at_sea(table, question.power):
            for space in own_capitals(table, question.power):
                yield cls(leader=leader, space=space)


def at_sea(table: Table, power: str) -> list[str]:
    """20.4: the leaders in sea zones that may be army leaders as well."""
    return [
        leader
        for leader, row in atlas(table).leaders.items()
        if row["also_naval"] and row["power"] == power and table.board.pieces[LEADER + leader]["at"] in atlas(table).sea
    ]


def own_capitals(table: Table, power: str) -> list[str]:
    """The capitals that a power controls itself."""
    return [space for space in capitals(table, power) if controller(table, space) == power]


def don_john_ashore(table: Table) -> Procedure:
    """20.4: Don John at sea may become an army leader and go to a Spanish capital, instead of home with the ships."""
    if SPAIN not in table.board.powers or not at_sea(table, SPAIN) or not own_capitals(table, SPAIN):
        return
    context = {"action": "don_john", "leaders": at_sea(table, SPAIN)}
    order = yield Ask(SPAIN, "winter", [GoAshore, Pass], Pass(), context=context, section="20.4")
    if isinstance(order, GoAshore):
        table.tell("leader_goes_ashore", leader=order.leader, space=order.space, section="20.4")
        mark = _kind_mark(table, order.leader, ARMY)
        put_leader(table, order.leader, order.space, why="winter_return", section="20.4", **mark)


class TakeOff(Order):
    """Take army leaders off the map, onto your card, where they wait for a spring or a rebellion."""

    line = "TAKE OFF {leaders}"
    leaders = Many(Name("leader"), most=8)

    def check(self, table: Table, question: Question) -> None:
        among = on_map(table, question.power)
        if len(set(self.leaders)) < len(self.leaders):
            raise Refused("leader_twice", "20.4")
        for leader in self.leaders:
            if leader not in among:
                raise Refused("no_army_leader_on_map", "20.4", list(among), leader=leader)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for leader in on_map(table, question.power):
            yield cls(leaders=[leader])


def on_map(table: Table, power: str) -> Sequence[str]:
    """The army leaders of a power and its factions that are in spaces."""
    owners = [power, *majors.factions(table, power)]
    return [
        leader
        for leader, row in atlas(table).leaders.items()
        if row["power"] in owners
        and leader_kind(table, leader) == ARMY
        and space_of(table.board.pieces[LEADER + leader]["at"]) in atlas(table).spaces
    ]


def off_the_map(table: Table) -> Procedure:
    """20.4 step 3: the Protestant may take army leaders off the map."""
    if PROTESTANT not in table.board.powers or not on_map(table, PROTESTANT):
        return
    context = {"action": "leaders_off", "leaders": list(on_map(table, PROTESTANT))}
    order = yield Ask(PROTESTANT, "winter", [TakeOff, Pass], Pass(), context=context, section="20.4")
    if isinstance(order, TakeOff):
        for leader in order.leaders:
            table.tell("leader_taken_off", power=PROTESTANT, leader=leader, section="20.4")
            put_leader(table, leader, arrived(PROTESTANT), why="winter_return", section="20.4")


ACTIONS: tuple[type[Order], ...] = (Switch,)
ORDERS: tuple[type[Order], ...] = (PlaceLeaders, GoAshore, TakeOff)
