"""The cards that move minor powers (22.2, 22.4): 68 Andrea Doria, 69 Auld Alliance, 73 Diplomatic Marriage."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import number
from pbem.games.here_i_stand.diplomacy import wars
from pbem.games.here_i_stand.powers import minors
from pbem.games.reformation import hands, marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER, add_units, can_add, has_enemy_land, leader_power
from pbem.games.reformation.ground import controller, home_spaces, in_unrest, siege_of
from pbem.games.reformation.relations import at_war, major_of
from pbem.table.asking import Moment, choose, choose_number
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

GENOA, SCOTLAND, FRANCE, OTTOMAN = "genoa", "scotland", "france", "ottoman"
DORIA = "andrea_doria"


# --- 68: Andrea Doria ---


def doria_commander(table: Table) -> str | None:
    """The major power for which Andrea Doria sails now: Genoa's ally, or who has him on loan."""
    return major_of(table.board, leader_power(table, DORIA))


def _halves_of_doria(table: Table, power: str) -> list[str]:
    halves = [] if minors.why_not_activate(table, power, GENOA, also_active=True) else ["genoa"]
    commander, at = doria_commander(table), table.board.pieces[LEADER + DORIA]["at"]
    ports = atlas(table).ports_on.get(at, ())
    near = sum(1 for port in ports if controller(table, port) == OTTOMAN)
    against = commander is not None and at_war(table.board, commander, OTTOMAN)
    if table.options["second_halves"] and against and near >= number(table, 68, "ports"):
        halves.append("piracy")
    return halves


@event("andrea_doria")
def andrea_doria(table: Table, power: str, moment: Moment) -> Procedure:
    """68: Genoa changes sides to the player (22.2); or Doria hunts pirates: cards, and piracy VP lost."""
    half = yield from choose(table, power, "option", lambda t: _halves_of_doria(t, power), section="22.2", number=68)
    if half == "genoa":
        if minors.is_active(table, GENOA):
            yield from minors.deactivate(table, GENOA)
        yield from minors.activate(table, GENOA, power)
        return
    commander = doria_commander(table)
    for drawer in [one for one in table.board.powers if one in (power, commander)]:
        hands.draw_cards(table, drawer, number(table, 68, "cards"), "event_draw")
    hit_on = table.kit.constants["hit_on"]
    dice = table.roll(DORIA, power, number(table, 68, "dice"), hit_on=hit_on, section="16.4")
    lost = min(sum(1 for die in dice if die >= hit_on), table.board.value("piracy_vp", OTTOMAN))
    table.count("piracy_vp", OTTOMAN, -lost, why=DORIA, section="16.4")


@playable("andrea_doria")
def _andrea_doria(table: Table, power: str, moment: Moment) -> Refused | None:
    if _halves_of_doria(table, power):
        return None
    return minors.why_not_activate(table, power, GENOA, also_active=True)


# --- 69: Auld Alliance ---


def scottish_spaces(table: Table) -> list[str]:
    """69: Scottish home spaces under French control where French regulars may come."""
    return [
        space
        for space in home_spaces(table, SCOTLAND)
        if controller(table, space) == FRANCE
        and not siege_of(table, space)
        and not in_unrest(table, space)
        and not has_enemy_land(table, space, FRANCE)
        and can_add(table, FRANCE, "regular", space)
    ]


def _ways_of_auld_alliance(table: Table, power: str) -> list[str]:
    ways = []
    if power == FRANCE and minors.why_not_activate(table, power, SCOTLAND) is None:
        ways.append("activate")
    if minors.why_not_deactivate(table, power, SCOTLAND, "auld_alliance") is None:
        ways.append("deactivate")
    french = table.board.state.get("minor_ally", {}).get(SCOTLAND) == FRANCE
    if table.options["second_halves"] and power == FRANCE and french and scottish_spaces(table):
        # First, so that silence of France does not lose its ally.
        ways.insert(0, "troops")
    return ways


def scottish_troops(table: Table) -> Procedure:
    """69: up to 3 new French regulars in a Scottish home space under French control, not besieged."""
    space = yield from choose(table, FRANCE, "space", scottish_spaces, section="22.2", number=69)
    if space is None:
        return
    most = number(table, 69, "regulars")
    while most > 1 and not can_add(table, FRANCE, "regular", space, most):
        most -= 1
    many = yield from choose_number(table, FRANCE, 1, most, section="22.2", space=space, choose="regulars")
    add_units(table, FRANCE, "regular", space, many, why="auld_alliance", section="22.2")


@event("auld_alliance", moments=("impulse", "intervention_paid"))
def auld_alliance(table: Table, power: str, moment: Moment) -> Procedure:
    """69: France activates Scotland; England or France deactivates it; or French regulars come to Scotland.

    These come too where the card pays for the intervention of France (9.6).
    """
    if moment.name == "intervention_paid":
        yield from scottish_troops(table)
        return
    way = yield from choose(
        table, power, "option", lambda t: _ways_of_auld_alliance(t, power), section="22.2", number=69
    )
    if way == "activate":
        yield from minors.activate(table, SCOTLAND, power)
    elif way == "deactivate":
        yield from minors.deactivate(table, SCOTLAND)
    else:
        yield from scottish_troops(table)


@playable("auld_alliance")
def _auld_alliance(table: Table, power: str, moment: Moment) -> Refused | None:
    if moment.name == "intervention_paid":
        paid = marks.noted(table, "turn", wars.INTERVENED, SCOTLAND)
        return None if paid and "troops" in _ways_of_auld_alliance(table, power) else Refused("no_intervention_paid")
    if _ways_of_auld_alliance(table, power):
        return None
    activating = minors.why_not_activate(table, power, SCOTLAND) if power == FRANCE else None
    return minors.why_not_deactivate(table, power, SCOTLAND, "auld_alliance") or activating


# --- 73: Diplomatic Marriage ---


def marriages(table: Table, power: str) -> list[str]:
    """73, 22.2, 22.4: the minor powers that a power may activate or deactivate by a marriage."""
    if power in table.kit.constants["no_diplomatic_marriage"]:
        return []
    return [
        minor
        for minor in atlas(table).minors
        if minors.why_not_activate(table, power, minor) is None
        or minors.why_not_deactivate(table, power, minor, "diplomatic_marriage") is None
    ]


@event("diplomatic_marriage")
def diplomatic_marriage(table: Table, power: str, moment: Moment) -> Procedure:
    """73: an inactive minor power becomes an ally (22.2), or an active one inactive (22.4)."""
    minor = yield from choose(table, power, "minor", lambda t: marriages(t, power), section="22.2", number=73)
    if minors.is_active(table, minor):
        yield from minors.deactivate(table, minor)
    else:
        yield from minors.activate(table, minor, power)


@playable("diplomatic_marriage")
def _diplomatic_marriage(table: Table, power: str, moment: Moment) -> Refused | None:
    if power in table.kit.constants["no_diplomatic_marriage"]:
        return Refused("no_marriage_for_you")
    return None if marriages(table, power) else Refused("no_minor_to_marry")
