"""21.1, 21.2, 21.4: what is the Ottoman's, the Hapsburg's and France's alone: pirates, the journey, chateaux.

England has a module of its own, and so have the league, the Sack of Rome, Saint Peter's and excommunication.
"""

from __future__ import annotations

from pbem.games.here_i_stand.places import REMOVED
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import (
    LEADER,
    add_units,
    has_enemy_land,
    leaders_at,
    put_leader,
)
from pbem.games.reformation.ground import (
    controller,
    home_spaces,
    in_unrest,
    set_control,
    siege_of,
)
from pbem.table.asking import Moment, choose, confirm, response
from pbem.table.procedure import Procedure, Table

OTTOMAN, HAPSBURG, FRANCE = "ottoman", "hapsburg", "france"
CHARLES, ALVA, BARBAROSSA, DRAGUT = "charles_v", "duke_of_alva", "barbarossa", "dragut"
ALGIERS = "algiers"


# --- 21.1: the Ottoman ---


def barbary_pirates(table: Table, regulars: int, corsairs: int) -> None:
    """21.1, card 9: Algiers enters play as an Ottoman home space and key; corsairs and piracy from now on."""
    table.set("barbary_pirates", True, section="21.1")
    table.set(f"home:{ALGIERS}", OTTOMAN, section="21.1")
    set_control(table, ALGIERS, OTTOMAN, why="barbary_pirates", section="21.1")
    add_units(table, OTTOMAN, "regular", ALGIERS, regulars, why="barbary_pirates", section="21.1")
    add_units(table, OTTOMAN, "corsair", ALGIERS, corsairs, why="barbary_pirates", section="21.1")
    put_leader(table, BARBAROSSA, ALGIERS, why="barbary_pirates", section="21.1")


def dragut(table: Table) -> None:
    """Card 18: Dragut takes Barbarossa's place, wherever that is, lent or not (9.2); Barbarossa leaves the game."""
    piece = dict(table.board.pieces[LEADER + BARBAROSSA])
    table.put(LEADER + DRAGUT, piece.pop("at"), why="dragut", section="21.1", **piece)
    put_leader(table, BARBAROSSA, REMOVED, why="dragut", section="21.1")


# --- 21.2: the Hapsburg ---


def charles_is_free(table: Table) -> bool:
    """Card 2: whether Charles is on the map, neither captured nor besieged."""
    at = table.board.pieces[LEADER + CHARLES]["at"]
    return at in atlas(table).spaces


def journeys(table: Table) -> list[str]:
    """21.2: where Charles may go: home spaces under own control, calm, without enemy units."""
    at = table.board.pieces[LEADER + CHARLES]["at"]
    return [
        space
        for space in home_spaces(table, HAPSBURG)
        if space != at
        and controller(table, space) == HAPSBURG
        and not in_unrest(table, space)
        and not siege_of(table, space)
        and not has_enemy_land(table, space, HAPSBURG)
    ]


def charles_travels(table: Table) -> Procedure:
    """21.2: Charles goes to another home space at once, Alva with him if he is there; Gout stops the journey."""
    space = yield from choose(table, HAPSBURG, "space", journeys, section="21.2", number=2, leader=CHARLES)
    if space is None:
        return
    origin = table.board.pieces[LEADER + CHARLES]["at"]
    going = [CHARLES]
    if ALVA in leaders_at(table, origin, HAPSBURG):
        with_him = yield from confirm(table, HAPSBURG, "event_choice", section="21.2", leader=ALVA, space=space)
        going += [ALVA] if with_him else []
    moment = Moment("charles_moves", HAPSBURG, {"leader": CHARLES, "origin": origin, "space": space})
    others = [power for power in table.board.powers if power != HAPSBURG]
    answers = yield from response(table, moment, others, section="21.2", leader=CHARLES, space=space)
    if "stop" in answers:
        table.tell("journey_stopped", power=HAPSBURG, leader=CHARLES, section="21.2")
        return
    for leader in going:
        put_leader(table, leader, space, why="journey", section="21.2")


# --- 21.4: France ---


def chateaux(table: Table) -> None:
    """21.4: a chateau on a die of 3 to 6, or without a die while France controls Milan; no more than 6."""
    constants = table.kit.constants
    if controller(table, constants["chateaux_automatic_space"]) != FRANCE:
        die = table.roll("chateaux", FRANCE, 1, section="21.4")[0]
        if die < constants["chateaux_roll"]:
            table.tell("no_chateau", power=FRANCE, die=die, section="21.4")
            return
    if table.board.value("chateaux_vp", FRANCE) < constants["chateaux_vp_limit"]:
        table.count("chateaux_vp", FRANCE, 1, why="chateau", section="21.4")
