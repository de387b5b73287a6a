"""Cards of ports and ships: 86, 89, 96, 100. Those of the New World are in `new_world_cards`."""

from __future__ import annotations

from functools import partial

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import draw, number, occupied
from pbem.games.here_i_stand.cards.troubles_of_troops import fortress_markers_left
from pbem.games.here_i_stand.religion import church
from pbem.games.reformation import construction, hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.displacement import clear_space
from pbem.games.reformation.forces import add_units, land_units
from pbem.games.reformation.ground import (
    INDEPENDENT,
    controller,
    home_spaces,
    inside,
    is_fortified,
    kind_of,
    set_control,
    siege_of,
)
from pbem.games.reformation.relations import at_war, major_of
from pbem.games.reformation.troubles import add_fortress
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

OTTOMAN, HAPSBURG, KNIGHTS = "ottoman", "hapsburg", "knights_of_st_john"

# --- 86: Knights of St. John ---


def _where_knights_are(table: Table) -> str | None:
    """The space of the Knights, or None; whether it is besieged is another question."""
    for space in atlas(table).spaces:
        if land_units(table, space, KNIGHTS) or land_units(table, inside(space), KNIGHTS):
            return space
    return None


def _ottoman_port_near(table: Table, space: str) -> bool:
    """Whether one sea zone alone lies between a space and a port that the Ottoman controls."""
    chart = atlas(table)
    return any(
        controller(table, port) == OTTOMAN for zone in chart.ports[space] for port in chart.ports_on[zone]
    )


def _new_homes(table: Table) -> list[str]:
    """The home ports that the Hapsburg controls and that nobody besieges, what it would miss most at the end."""
    rank = {"unfortified": 0, "fortress": 1}
    ports = [
        space
        for space in home_spaces(table, HAPSBURG)
        if atlas(table).ports[space]
        and controller(table, space) == HAPSBURG
        and not siege_of(table, space)
        and (is_fortified(table, space) or fortress_markers_left(table) > 0)
    ]
    return sorted(ports, key=lambda space: rank.get(kind_of(table, space), 2))


@event("knights_of_st_john")
def knights_of_st_john(table: Table, power: str, moment: Moment) -> Procedure:
    """86: the Knights raid: the CP of a random Ottoman card go to Saint Peter's; or they get a new home.

    That is a home port of the Hapsburg, which becomes independent and fortified; units of the powers leave it.
    """
    if _where_knights_are(table):
        card = hands.random_card(table, OTTOMAN, None, "knights_of_st_john")
        if card is not None:
            church.st_peters(table, hands.cp_of(table, card), why="knights_of_st_john")
        return
    space = yield from choose(table, HAPSBURG, "space", _new_homes, number=86)
    set_control(table, space, INDEPENDENT, why="knights_of_st_john")
    if not is_fortified(table, space):
        add_fortress(table, space, why="knights_of_st_john")
    add_units(table, KNIGHTS, "regular", space, 1, why="knights_of_st_john")
    yield from clear_space(table, space, INDEPENDENT, section="22.6")


@playable("knights_of_st_john")
def _knights_of_st_john(table: Table, power: str, moment: Moment) -> Refused | None:
    at = _where_knights_are(table)
    if at is None:
        return None if _new_homes(table) else Refused("no_port_for_knights")
    if siege_of(table, at):
        return Refused("knights_besieged")
    if not _ottoman_port_near(table, at):
        return Refused("no_port_near_knights")
    return None if hands.cards_of(table, OTTOMAN) else Refused("ottoman_without_cards")


# --- 89: Pirate Haven ---


def _havens(table: Table) -> list[str]:
    """Oran and Tripoli, where they can become pirate havens now."""
    chart = atlas(table)
    havens = []
    for space in table.kit.constants["havens"]:
        holder = controller(table, space) or ""
        near = [port for zone in chart.ports[space] for port in chart.ports_on[zone]]
        if (
            not table.board.state.get(f"haven:{space}")
            and not occupied(table, space)
            and at_war(table.board, OTTOMAN, major_of(table.board, holder) or holder)
            and any(controller(table, port) == OTTOMAN and is_fortified(table, port) for port in near)
        ):
            havens.append(space)
    return havens


@event("pirate_haven")
def pirate_haven(table: Table, power: str, moment: Moment) -> Procedure:
    """89: Oran or Tripoli becomes a pirate haven: an Ottoman home space, fortified, with a regular and 2 corsairs."""
    space = yield from choose(table, OTTOMAN, "space", _havens, section="21.1", number=89)
    more = {"why": "pirate_haven", "section": "21.1"}
    table.tell("pirate_haven", power=OTTOMAN, space=space, section="21.1")
    table.set(f"haven:{space}", True, **more)
    add_fortress(table, space, **more)
    table.set(f"home:{space}", OTTOMAN, **more)
    set_control(table, space, OTTOMAN, **more)
    add_units(table, OTTOMAN, "regular", space, number(table, 89, "regulars"), **more)
    add_units(table, OTTOMAN, "corsair", space, number(table, 89, "corsairs"), **more)


@playable("pirate_haven")
def _pirate_haven(table: Table, power: str, moment: Moment) -> Refused | None:
    if not table.board.state.get("barbary_pirates"):
        return Refused("no_barbary_pirates")
    if _havens(table):
        return None
    return Refused("no_haven")


# --- 96: Sale of Moluccas ---


def _circumnavigator(table: Table) -> str | None:
    at = table.board.pieces["discovery:circumnavigation"]["at"]
    return at if at in table.board.powers else None


@event("sale_of_moluccas")
def sale_of_moluccas(table: Table, power: str, moment: Moment) -> None:
    """96: the power that sailed around the world draws 2 cards."""
    draw(table, _circumnavigator(table) or "", number(table, 96, "cards"))


@playable("sale_of_moluccas")
def _sale_of_moluccas(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _circumnavigator(table) else Refused("no_circumnavigation")


# --- 100: Shipbuilding ---


def _yards(table: Table, power: str, kind: str) -> list[str]:
    """The home ports where a power could put a new ship of a kind now (17.2)."""
    return construction.places_to_build(table, power, power, kind, home_spaces(table, power))


def _kinds_of_ship(table: Table, power: str) -> list[str]:
    kinds = ["squadron", "corsair"] if power == OTTOMAN else ["squadron"]
    return [kind for kind in kinds if _yards(table, power, kind)]


@event("shipbuilding")
def shipbuilding(table: Table, power: str, moment: Moment) -> Procedure:
    """100: two squadrons, in one controlled home port or in two; the Ottoman may take 2 corsairs for each (17.2)."""
    for _ in range(number(table, 100, "squadrons")):
        kind = yield from choose(table, power, "unit", lambda t: _kinds_of_ship(t, power), section="17.2", number=100)
        if kind is None:
            return
        space = yield from choose(
            table, power, "space", partial(_yards, power=power, kind=kind), section="17.2", number=100, unit=kind
        )
        many = number(table, 100, "corsairs_a_squadron") if kind == "corsair" else 1
        add_units(table, power, kind, space, many, why="shipbuilding", section="17.2")


@playable("shipbuilding")
def _shipbuilding(table: Table, power: str, moment: Moment) -> Refused | None:
    if not table.kit.tables["powers"][power]["has_ships"]:
        return Refused("no_ships")
    return None if _kinds_of_ship(table, power) else Refused("no_shipyard")
