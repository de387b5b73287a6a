"""Cards of ships in Europe, of islands and minor powers: 59, 64, 67, 78, 85, 86, 89, 96."""

from __future__ import annotations

from functools import partial

from pbem.games.reformation import construction, fleets, hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.card_help import number
from pbem.games.reformation.forces import Force, add_units, can_add, has_enemy_land, land_units
from pbem.games.reformation.ground import controller, home_spaces, in_unrest, inside, siege_of
from pbem.games.reformation.relations import major_of
from pbem.games.virgin_queen.cards import event, playable
from pbem.games.virgin_queen.cards.common import names, resolver
from pbem.games.virgin_queen.cards.free_actions import free_action
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.new_world.ocean import Sail
from pbem.games.virgin_queen.powers import minors
from pbem.games.virgin_queen.powers.majors import ENGLAND, OTTOMAN, SPAIN
from pbem.games.virgin_queen.war.land import ACTION_OF, owner_of_new
from pbem.table.asking import Moment, choose
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table

IRELAND, PAPACY, VENICE = "ireland", "papacy", "venice"
KNIGHTS = "knights_of_st_john"
GALLEY, GALLEON, CORSAIR, RACE_BUILT = "galley", "galleon", "corsair", "race_built"

# --- new ships ---


def yards(table: Table, power: str, kind: str, owner: str | None = None) -> list[str]:
    """17, 17.3: the home ports where a power could put a new ship of a kind now; its own, or those of a minor ally."""
    if owner is not None:
        return construction.places_to_build(table, power, owner, kind, home_spaces(table, owner))
    return [
        space
        for space in home_spaces(table, power)
        if construction.places_to_build(table, power, owner_of_new(table, power, kind, space), kind, [space])
    ]


def kinds_of_ship(table: Table, power: str) -> list[str]:
    """17.3: the kinds of ship that a power builds and has a port and a counter for."""
    actions = table.kit.tables["actions"]
    return [
        kind
        for kind, row in ACTION_OF.items()
        if kind in atlas(table).naval_kinds and actions[row][power] is not None and yards(table, power, kind)
    ]


def place_ship(
    table: Table, who: str, power: str, kind: str, card: int, owner: str | None = None, many: int = 1
) -> Procedure:
    """A new ship of a kind comes to a home port of a power, or of its minor ally, which `who` chooses, if any can."""
    space = yield from choose(
        table,
        who,
        "space",
        lambda t: yards(t, power, kind, owner),
        section="17.3",
        number=card,
        unit=kind,
        owner=owner or power,
    )
    if space is not None:
        whose = owner or owner_of_new(table, power, kind, space)
        add_units(table, whose, kind, space, many, why="card", section="17.3")


# --- 59 ---


def _of_mediterranean(table: Table, place: str) -> bool:
    """Whether a sea zone is one of the Mediterranean, or a port lies on one."""
    zones = table.kit.tables["sea_zones"]
    waters = [place] if place in zones else atlas(table).ports[place]
    return any(zones[zone]["waters"] == "mediterranean" for zone in waters)


def _outside_mediterranean(table: Table, order: Order) -> Refused | None:
    """59: why a naval move leads beyond the Mediterranean; ending it does not."""
    if not isinstance(order, Sail):
        return None
    if order.voyages:
        return Refused("only_in_mediterranean")
    places = [place for leg in order.legs or () for place in (leg.origin, leg.place)]
    return None if all(_of_mediterranean(table, place) for place in places) else Refused("only_in_mediterranean")


def _league_ally(table: Table) -> str | None:
    ally: str | None = table.board.state["minor_ally"].get(PAPACY)
    return ally


@event("holy_league")
def holy_league(table: Table, power: str, moment: Moment) -> Procedure:
    """59: inactive Venice is evaluated without the Ottoman; the ally of the Papacy gets galleys and a naval move."""
    ally = _league_ally(table) or power
    if VENICE not in table.board.state["minor_ally"]:
        yield from minors.evaluate(table, VENICE, [OTTOMAN])
    yield from place_ship(table, ally, ally, GALLEY, 59, owner=PAPACY)
    if GALLEY in kinds_of_ship(table, ally):
        yield from place_ship(table, ally, ally, GALLEY, 59)
    yield from free_action(
        table, ally, [Sail], ["naval_move"], card=59, section="16.1", fault=_outside_mediterranean
    )


@playable("holy_league")
def _holy_league(table: Table, power: str, moment: Moment) -> Refused | None:
    ally = _league_ally(table)
    return None if ally in table.board.powers else Refused("papacy_without_ally", "24")


# --- 64, 86 ---


@event("irish_rebellion")
def irish_rebellion(table: Table, power: str, moment: Moment) -> Procedure:
    """64: Ireland is evaluated (24.6); with a winner who activates it the Irish rebels come (24.2 step 6)."""
    yield from minors.evaluate(table, IRELAND, [])


@playable("irish_rebellion")
def _irish_rebellion(table: Table, power: str, moment: Moment) -> Refused | None:
    return Refused("evaluated_already", "24.6", minor=IRELAND) if minors.was_evaluated(table, IRELAND) else None


@event("venetian_arsenal")
def venetian_arsenal(table: Table, power: str, moment: Moment) -> Procedure:
    """86: Venice is evaluated (24.6); its ally, if it has one then, places a Venetian galley in a port of Venice."""
    yield from minors.evaluate(table, VENICE, [])
    ally = table.board.state["minor_ally"].get(VENICE)
    if ally is not None:
        for _ in range(number(table, 86, "galleys")):
            yield from place_ship(table, ally, ally, GALLEY, 86, owner=VENICE)


@playable("venetian_arsenal")
def _venetian_arsenal(table: Table, power: str, moment: Moment) -> Refused | None:
    return Refused("evaluated_already", "24.6", minor=VENICE) if minors.was_evaluated(table, VENICE) else None


# --- 67 ---


def _knights_at(table: Table) -> str | None:
    """The place of the Knights, within walls or without; None where they are off the map."""
    for space in atlas(table).spaces:
        for place in (space, inside(space)):
            if land_units(table, place, KNIGHTS):
                return place
    return None


def knights_ports(table: Table) -> list[str]:
    """67: Malta if it is Spanish, else the home ports of Spain on the Mediterranean, where the Knights can come."""
    (malta,) = names(table, 67, "seat")
    among = [malta] if controller(table, malta) == SPAIN else home_spaces(table, SPAIN)
    return [
        space
        for space in among
        if atlas(table).ports[space]
        and _of_mediterranean(table, space)
        and controller(table, space) == SPAIN
        and not in_unrest(table, space)
        and not siege_of(table, space)
        and not has_enemy_land(table, space, SPAIN)
        and can_add(table, KNIGHTS, "regular", space)
    ]


def _may_raid(table: Table) -> Refused | None:
    """67: why the Knights on the map cannot raid: besieged, no Ottoman port near, nothing in the Ottoman's hand."""
    at = _knights_at(table)
    if at is None or at not in atlas(table).spaces or siege_of(table, at):
        return Refused("knights_besieged", "17.1")
    chart = atlas(table)
    near = [port for zone in chart.ports[at] for port in chart.ports_on[zone]]
    if not any(controller(table, port) == OTTOMAN for port in near):
        return Refused("no_port_near_knights", "17.1")
    if OTTOMAN not in table.board.powers:
        return Refused("power_without_seat", "3.1", power=OTTOMAN)
    return None if _ottoman_hand(table) else Refused("nothing_in_hand", "6.3", power=OTTOMAN)


def _ottoman_hand(table: Table) -> bool:
    """67, 85: whether the Ottoman has any card or treasure in hand, as all can see."""
    return bool(hands.cards_of(table, OTTOMAN) or treasures.of(table, OTTOMAN))


@event("knights_of_st_john")
def knights_of_st_john(table: Table, power: str, moment: Moment) -> Procedure:
    """67: the Knights come back to the map (17.1); or, there already, take a random card or treasure of the Ottoman."""
    if _knights_at(table) is not None:
        treasures.random_from_hand(table, OTTOMAN, SPAIN, "knights_of_st_john", section="6.3")
        return
    who = resolver(table, SPAIN, power)
    space = yield from choose(table, who, "space", knights_ports, section="17.1", number=67)
    add_units(table, KNIGHTS, "regular", space, number(table, 67, "strength"), why="card", section="17.1")


@playable("knights_of_st_john")
def _knights_of_st_john(table: Table, power: str, moment: Moment) -> Refused | None:
    if _knights_at(table) is None:
        return None if knights_ports(table) else Refused("no_port_for_knights", "17.1")
    return _may_raid(table)


# --- 78 ---


@event("shipbuilding")
def shipbuilding(table: Table, power: str, moment: Moment) -> Procedure:
    """78: 2 new ships in one home port or in two; the Ottoman may take 2 corsairs for a galley (17.3)."""
    for _ in range(number(table, 78, "ships")):
        kind = yield from choose(
            table, power, "unit", partial(kinds_of_ship, power=power), section="17.3", number=78
        )
        if kind is None:
            return
        many = number(table, 78, "corsairs_a_galley") if kind == CORSAIR else 1
        yield from place_ship(table, power, power, kind, 78, many=many)


@playable("shipbuilding")
def _shipbuilding(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if kinds_of_ship(table, power) else Refused("no_shipyard", "17.3")


# --- 85 ---


def _waters_of_uskoks(table: Table) -> list[str]:
    """85: the Adriatic and its ports."""
    (zone,) = names(table, 85, "zone")
    return [zone, *atlas(table).ports_on[zone]]


def _ships_near_uskoks(table: Table, owner: str) -> dict[str, tuple[str, str]]:
    """85: the ships of an owner that the Uskoks can reach: the words that name one -> its kind and its place."""
    return {
        f"{kind}_{place}": (kind, place)
        for place in _waters_of_uskoks(table)
        for kind in atlas(table).naval_kinds
        if table.board.count(place, owner, kind)
    }


def _prey(table: Table) -> list[str]:
    return [owner for owner in names(table, 85, "owners") if _ships_near_uskoks(table, owner)]


@event("uskok_pirates")
def uskok_pirates(table: Table, power: str, moment: Moment) -> Procedure:
    """85: 3 dice against Ottoman or Venetian ships in and around the Adriatic: each hit sends one to the Turn Track.

    Where there are none the player draws a random card or treasure of the Ottoman (6.3).
    """
    owner = yield from choose(table, power, "option", _prey, section="16", number=85)
    if owner is None:
        treasures.random_from_hand(table, OTTOMAN, power, "uskok_pirates", section="6.3")
        return
    hit_on = table.kit.constants["hit_on"]
    dice = table.roll("uskok_pirates", power, number(table, 85, "dice"), hit_on=hit_on, target=owner)
    commander = major_of(table.board, owner) or owner
    for _ in range(sum(die >= hit_on for die in dice)):
        ship = next(iter(_ships_near_uskoks(table, owner)), None)
        if commander in table.board.powers:
            ship = yield from choose(
                table, commander, "option", lambda t: list(_ships_near_uskoks(t, owner)), section="17.3", number=85,
                step="ship",
            )
        if ship is None:
            return
        kind, place = _ships_near_uskoks(table, owner)[ship]
        fleets.sink(table, commander, place, Force({owner: {kind: 1}}), "17.3")


@playable("uskok_pirates")
def _uskok_pirates(table: Table, power: str, moment: Moment) -> Refused | None:
    if _prey(table) or (power != OTTOMAN and _ottoman_hand(table)):
        return None
    return Refused("no_ships_for_uskoks", "16")


# --- 89 ---


@event("manila_galleon")
def manila_galleon(table: Table, power: str, moment: Moment) -> None:
    """89: the Philippines become Spanish, and their box of Spain's row is filled at once (6.3)."""
    (village,) = names(table, 89, "village")
    table.set(f"village:{village}", SPAIN, why="card", section="6.3")
    treasures.add_to_spanish_row(table, "6.3")


@playable("manila_galleon")
def _manila_galleon(table: Table, power: str, moment: Moment) -> Refused | None:
    (village,) = names(table, 89, "village")
    spanish = table.board.state.get(f"village:{village}") == SPAIN
    return Refused("village_spanish_already", "6.3", village=village) if spanish else None


# --- 96 ---


def _galleons_to_refit(table: Table) -> list[str]:
    """96: the home ports that England controls with galleons of its own."""
    return [
        space
        for space in home_spaces(table, ENGLAND)
        if controller(table, space) == ENGLAND and table.board.count(space, ENGLAND, GALLEON)
    ]


@event("john_hawkins")
def john_hawkins(table: Table, power: str, moment: Moment) -> Procedure:
    """96: up to 2 English galleons in home ports are flipped to race-built ones (17.3)."""
    who = resolver(table, ENGLAND, power)
    for turn in range(number(table, 96, "galleons")):
        space = yield from choose(
            table, who, "space", _galleons_to_refit, optional=turn > 0, section="17.3", number=96
        )
        if space is None:
            return
        table.remove(ENGLAND, GALLEON, space, why="refit", section="17.3")
        table.place(ENGLAND, RACE_BUILT, space, why="refit", section="17.3")


@playable("john_hawkins")
def _john_hawkins(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _galleons_to_refit(table) else Refused("no_galleon_in_port", "17.3")
