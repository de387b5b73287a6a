"""9.5, 15.1, 16.7, 17.1, 20.10, 23.1: who may be where; what entering a space brings; assaults on inland ports."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import has_ships
from pbem.games.reformation.forces import Force, leader_power
from pbem.games.reformation.ground import controller, home_owners
from pbem.games.reformation.relations import at_war
from pbem.games.virgin_queen.court import queens
from pbem.games.virgin_queen.diplomacy import wars
from pbem.games.virgin_queen.powers import league, majors
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

KNIGHTS, MORISCOS, RAVELIN = "knights_of_st_john", "moriscos", "ravelin"


# --- who may be where ---


def never_there(table: Table, who: str, place: str, by_move: bool) -> Refused | None:
    """Why units of an owner, or a leader, may never come to a place; None when they may.

    17.1: the Knights of St John never move. 20.10: the Duke of Guise stays in France. 23.1: the Moriscos stay near
    Granada. 9.5: Spanish units keep out of the home spaces of Ireland and Scotland while war with England is dear, and
    later come there by their own moves only.
    """
    chart, constants = atlas(table), table.kit.constants
    if who == KNIGHTS:
        return Refused("knights_never_move")
    if place not in chart.spaces:
        return None
    if who == MORISCOS and place not in near_granada(table):
        return Refused("moriscos_stay", most=constants["morisco_leash"], space=constants["morisco_space"])
    is_leader = who in chart.leaders
    if is_leader and not league.leader_may_be(table, who, place):
        return Refused("leader_stays_in_france", leader=who)
    owner = leader_power(table, who) if is_leader else who
    if chart.faction_of.get(owner, owner) == majors.SPAIN:
        return _spanish_entry(table, place, by_move)
    return None


def near_granada(table: Table) -> Sequence[str]:
    """23.1: the spaces that the Moriscos may be in."""
    constants, chart = table.kit.constants, atlas(table)
    spaces = edge = [constants["morisco_space"]]
    for _ in range(constants["morisco_leash"]):
        edge = sorted({other for space in edge for other in chart.neighbours[space]} - set(spaces))
        spaces = [*spaces, *edge]
    return spaces


def _spanish_entry(table: Table, space: str, by_move: bool) -> Refused | None:
    """9.5: Spanish units and the home spaces of Ireland and Scotland (option `spanish_entry_at_war`)."""
    if not _closed_to_spain(table, space):
        return None
    cost, most = queens.war_cost(table), table.kit.constants["spanish_entry_cost_most"]
    war_opens = table.options["spanish_entry_at_war"] == "open_at_war"
    if cost > most and not (war_opens and at_war(table.board, majors.SPAIN, majors.ENGLAND)):
        return Refused("spain_stays_out", space=space, cost=cost, most=most)
    return None if by_move else Refused("spain_enters_by_move_only", space=space)


def shelters(table: Table, owner: str, space: str) -> bool:
    """9.5: whether units of an owner may be displaced, or go home, to a space: Spanish units come to Ireland and
    Scotland by their own moves alone."""
    spanish = atlas(table).faction_of.get(owner, owner) == majors.SPAIN
    return not (spanish and _closed_to_spain(table, space))


def _closed_to_spain(table: Table, space: str) -> bool:
    closed = table.kit.constants["spanish_entry_closed"]
    return any(owner in closed for owner in home_owners(table, space))


# --- what entering a space brings ---


def entered(table: Table, power: str, force: Force, place: str) -> Procedure:
    """9.4, 9.5: Spanish units in a home space of Ireland or Scotland, English ones in the Netherlands: war at once."""
    chart = atlas(table)
    if place not in chart.spaces:
        return
    owners = {chart.faction_of.get(owner, owner) for owner, kinds in force.units.items() if any(kinds.values())}
    if majors.SPAIN in owners and _closed_to_spain(table, place):
        yield from wars.begin_war(table, majors.SPAIN, majors.ENGLAND, why="entry", section="9.5")
    elif majors.ENGLAND in owners and chart.spaces[place]["region"] == table.kit.constants["english_entry_region"]:
        yield from wars.begin_war(table, majors.ENGLAND, majors.SPAIN, why="entry", section="9.4")


# --- 15.1, 16.7: assaults ---


def assault_barred(table: Table, power: str, space: str, played: Sequence[str] | None) -> Refused | None:
    """16.7: an inland port is assaulted only by who controls its linked port, has ships in its zone, or plays a card.

    `played`: the cards played in the assault; before it who holds such a card may begin.
    """
    chart = atlas(table)
    linked = chart.inland_ports.get(space)
    if linked is None or controller(table, linked) == power:
        return None
    if any(has_ships(table, zone, power) for zone in chart.ports[space]):
        return None
    opening = [str(card) for card in table.kit.constants["inland_port_cards"]]
    cards = hands.cards_of(table, power) if played is None else played
    if any(card in opening for card in cards):
        return None
    return Refused("inland_port_closed", space=space, port=linked)


def blockade_asked(table: Table, space: str) -> bool:
    """15.1, 16.7: an inland port has its own condition in place of a blockade (option `inland_port_blockade`)."""
    return space not in atlas(table).inland_ports or table.options["inland_port_blockade"] == "all_conditions"


def assault_defence(table: Table, power: str) -> int:
    """15.1 step 4: the defender's dice besides; more for who has the Ravelin."""
    has_it = table.board.state.get("science", {}).get(RAVELIN) == power
    return table.kit.constants["defender_dice_ravelin" if has_it else "defender_bonus_dice"]
