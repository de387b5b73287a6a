"""5.1, 8.1, 10: arrivals, default leaders, Don John, leaders off the map."""

from __future__ import annotations

from pbem.games.reformation import fleets
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER, leader_power, put_leader
from pbem.games.virgin_queen.places import OFF, REMOVED
from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def arrive(table: Table) -> Procedure:
    """8.1: leaders of this turn come to their power's card, default leaders by their own rule."""
    raise NotImplementedError("the chapter of war writes it")
    yield


def place(table: Table, power: str) -> Procedure:
    """10: a power places the leaders that lie on its card."""
    raise NotImplementedError("the chapter of war writes it")
    yield


def off_the_map(table: Table) -> Procedure:
    """20.4: the Protestant may take army leaders off the map."""
    raise NotImplementedError("the chapter of war writes it")
    yield


def leaves_the_game(table: Table, leader: str, why: str, section: str = "5.1") -> None:
    """5.1: an army leader leaves the game (UNTIMELY DEATH, assassination, "husband murdered"); if he was the last one
    of his power or faction in play, its default leader waits on the Turn Track. Captives are in play."""
    if table.board.pieces[LEADER + leader]["at"] == REMOVED:
        return
    owner, was_there = leader_power(table, leader), is_in_play(table, leader)
    put_leader(table, leader, REMOVED, why=why, section=section)
    chart = atlas(table)
    of_owner = [one for one, row in chart.leaders.items() if row["power"] == owner and row["kind"] == "army"]
    if was_there and not any(is_in_play(table, one) for one in of_owner):
        for one in of_owner:
            if chart.leaders[one]["default_leader"] and one != leader:
                put_leader(table, one, fleets.next_box(table), why="default_leader", section="5.1")


def is_in_play(table: Table, leader: str) -> bool:
    """5.1: whether a leader is in play: on the map, captured, on his power's card or away in a foreign war."""
    at = table.board.pieces[LEADER + leader]["at"]
    return at not in (OFF, REMOVED) and not at.startswith("turn_track:")


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
