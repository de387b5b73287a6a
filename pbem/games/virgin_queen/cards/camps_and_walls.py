"""Cards that trouble stacks, leaders and fortresses: 73, 79, 80, 81, 82, 83, 84."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pbem.games.reformation import captives, troubles
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.card_help import number
from pbem.games.reformation.cards import Outcome
from pbem.games.reformation.forces import (
    LEADER,
    land_units,
    leader_kind,
    leader_power,
    make_change,
    own_owners,
    put_leader,
)
from pbem.games.reformation.ground import controller, in_play, inside, is_fortified, siege_of, space_of
from pbem.games.reformation.troubles import all_land, mercenaries, remove_shared, stacks
from pbem.games.virgin_queen.cards import event, playable
from pbem.games.virgin_queen.cards.common import resolver
from pbem.games.virgin_queen.places import arrived
from pbem.games.virgin_queen.powers.majors import PROTESTANT, capitals
from pbem.games.virgin_queen.sequence import leaders
from pbem.games.virgin_queen.war.land import owner_of_new
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

# --- 73 ---


def _crowds(table: Table, card: int) -> list[tuple[str, str, str]]:
    """73: (space, power, place) of the stacks of enough land units."""
    least = number(table, card, "least")
    return stacks(table, lambda t, place, power: all_land(t, place, power) >= least)


def _sick_spaces(table: Table, hit: Sequence[str], power: str) -> list[str]:
    """73: where the plague may come; the stacks of the player of the card stand last."""
    stacks_there = sorted(_crowds(table, 73), key=lambda stack: stack[1] == power)
    return list(dict.fromkeys(space for space, whose, _ in stacks_there if whose not in hit))


def _sick_powers(table: Table, space: str, hit: Sequence[str]) -> list[str]:
    return [one for at, one, _ in _crowds(table, 73) if at == space and one not in hit]


@event("plague")
def plague(table: Table, power: str, moment: Moment) -> Procedure:
    """73: up to 3 stacks of at least 2 land units, of different powers, lose a unit each, of the owner's choice."""
    hit: list[str] = []
    for turn in range(number(table, 73, "spaces")):
        space = yield from choose(
            table, power, "space", lambda t: _sick_spaces(t, hit, power), optional=turn > 0, number=73
        )
        if space is None:
            return
        whose = yield from choose(
            table,
            power,
            "power",
            partial(_sick_powers, space=space, hit=hit),
            number=73,
            space=space,
        )
        hit.append(whose)
        place = next(place for s, one, place in _crowds(table, 73) if (s, one) == (space, whose))
        owners = own_owners(table, place, whose)
        groups = [(owner, kind) for owner in owners for kind in land_units(table, place, owner)]
        yield from remove_shared(table, whose, place, groups, 1, "plague", 73)
        make_change(table, place)


@playable("plague")
def _plague(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _crowds(table, 73) else Refused("no_large_stack", number=number(table, 73, "least"))


# --- 79, 84 ---


def named_leaders(table: Table, power: str) -> list[str]:
    """79, 84: the named army leaders of other powers on the map who are neither captured nor Royals (5.1, 21.4)."""
    chart = atlas(table)
    return [
        leader
        for leader, row in chart.leaders.items()
        if not row["default_leader"]
        and not row["royal"]
        and leader_kind(table, leader) == "army"
        and space_of(table.board.pieces[LEADER + leader]["at"]) in chart.spaces
        and captives.owner_of(table, leader) != power
    ]


def _capitals_of(table: Table, leader: str) -> list[str]:
    """79: where a leader returns to: a capital of his faction, of the Protestant; else as captives come home (9.1)."""
    owner = captives.owner_of(table, leader)
    if owner == PROTESTANT:
        faction = leader_power(table, leader)
        return [space for space in capitals(table, faction) if controller(table, space) == owner]
    return captives.home_places(table, leader)


@event("threat_to_power")
def threat_to_power(table: Table, power: str, moment: Moment) -> Procedure:
    """79: a leader of another power is away until the next card draw phase, or returns to his capital, by a die."""
    leader = yield from choose(table, power, "leader", lambda t: named_leaders(t, power), section="5.1", number=79)
    owner = captives.owner_of(table, leader)
    die = table.roll("threat_to_power", power, 1, leader=leader)[0]
    if die < number(table, 79, "returns_from"):
        put_leader(table, leader, f"turn_track:{table.board.state['turn'] + 1}", why="threat_to_power")
        return
    who = resolver(table, owner, power)
    space = yield from choose(
        table, who, "space", lambda t: _capitals_of(t, leader), kind="place_leader", number=79, leader=leader
    )
    if space is None:
        put_leader(table, leader, arrived(owner), why="threat_to_power")
    else:
        put_leader(table, leader, inside(space) if siege_of(table, space) else space, why="threat_to_power")


@playable("threat_to_power")
def _threat_to_power(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if named_leaders(table, power) else Refused("no_leader_of_another", "5.1")


@event("untimely_death")
def untimely_death(table: Table, power: str, moment: Moment) -> Procedure:
    """84: a leader of another power may leave the game, by a die; the card leaves it with him, else it is discarded."""
    leader = yield from choose(table, power, "leader", lambda t: named_leaders(t, power), section="5.1", number=84)
    die = table.roll("untimely_death", power, 1, leader=leader)[0]
    if die < number(table, 84, "dies_from"):
        table.tell("leader_recovers", leader=leader, power=captives.owner_of(table, leader))
        return Outcome(fate="discard")
    leaders.leaves_the_game(table, leader, "untimely_death")
    return None


@playable("untimely_death")
def _untimely_death(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if named_leaders(table, power) else Refused("no_leader_of_another", "5.1")


# --- 80 ---


def _unfortified(table: Table) -> list[str]:
    return [space for space in atlas(table).spaces if in_play(table, space) and not is_fortified(table, space)]


@event("trace_italienne")
def trace_italienne(table: Table, power: str, moment: Moment) -> Procedure:
    """80: an unfortified space of Europe, whoever holds it, becomes a fortress; a regular comes to a calm home space.

    A reading: enemies of the holder who stand in the space besiege it from now on (15), and no regular comes to them.
    """
    space = yield from choose(
        table, power, "space", lambda t: sorted(_unfortified(t), key=lambda s: controller(t, s) != power), number=80
    )
    holder = controller(table, space) or ""
    owner = owner_of_new(table, holder, "regular", space)
    troubles.fortify(table, space, owner, number(table, 80, "regulars"), home_only=True)


@playable("trace_italienne")
def _trace_italienne(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _unfortified(table) else Refused("all_fortified", "2.1")


# --- 81, 82, 83 ---


@event("treachery")
def treachery(table: Table, power: str, moment: Moment) -> Procedure:
    """81: a besieged space is assaulted at once; if the besiegers still outnumber the garrison, it falls anyhow."""
    yield from troubles.treachery(table, power, 81)


@playable("treachery")
def _treachery(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if troubles.besieged_spaces(table) else Refused("no_siege", "15")


@event("unpaid_mercenaries")
def unpaid_mercenaries(table: Table, power: str, moment: Moment) -> Procedure:
    """82: all mercenaries of one power in one space leave; within walls too."""
    yield from troubles.unpaid_mercenaries(table, power, 82)


@playable("unpaid_mercenaries")
def _unpaid_mercenaries(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if stacks(table, mercenaries) else Refused("no_mercenaries_on_map")


@event("unsanitary_camp")
def unsanitary_camp(table: Table, power: str, moment: Moment) -> Procedure:
    """83: a stack loses a third of its land units, rounded up; its owner chooses, at least half of them regulars."""
    yield from troubles.unsanitary_camp(table, power, number(table, 83, "fraction"), 83)


@playable("unsanitary_camp")
def _unsanitary_camp(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if stacks(table, all_land) else Refused("no_land_units_on_map")
