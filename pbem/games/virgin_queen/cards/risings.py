"""Cards of rebellions and of what France, Spain and the Protestant fight for: 68, 90, 91, 94, 101, 103, 109 to 111."""

from __future__ import annotations

from functools import partial

from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.card_help import number, occupied, unrest_on
from pbem.games.reformation.cards import Outcome
from pbem.games.reformation.displacement import hand_over
from pbem.games.reformation.forces import (
    LEADER,
    add_units,
    can_add,
    has_enemy_land,
    land_units,
    make_change,
    own_owners,
    put_leader,
)
from pbem.games.reformation.ground import (
    controller,
    home_spaces,
    in_unrest,
    inside,
    is_fortified,
    is_home,
    neighbours,
    siege_of,
    space_of,
)
from pbem.games.reformation.marks import mark, set_mark
from pbem.games.reformation.relations import at_war
from pbem.games.virgin_queen.cards import event, playable
from pbem.games.virgin_queen.cards.common import controlled_in, names, resolver, spaces_in, why_no_attempts
from pbem.games.virgin_queen.cards.free_actions import free_action, free_rebellion, open_rebellions
from pbem.games.virgin_queen.court import espionage, queens
from pbem.games.virgin_queen.diplomacy import wars
from pbem.games.virgin_queen.new_world import piracy
from pbem.games.virgin_queen.places import REMOVED, arrived
from pbem.games.virgin_queen.powers.majors import DUTCH, ENGLAND, FRANCE, HUGUENOT, PROTESTANT, SPAIN, capitals
from pbem.games.virgin_queen.religion.conversion import CATHOLIC, catholic_attempts, has_unit
from pbem.games.virgin_queen.religion.rebellion import CAPTURED
from pbem.games.virgin_queen.sequence import leaders
from pbem.games.virgin_queen.victory import score
from pbem.table.asking import Moment, choose, choose_number, confirm
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table

GUISE, NAVARRE = "guise", "navarre_army"

# --- 68 ---


@event("massacre_at_vassy")
def massacre_at_vassy(table: Table, power: str, moment: Moment) -> Procedure:
    """68: Catholic attempts of France in France; then the Protestant may rise there, free, if it is no ally (18.5)."""
    (region,) = names(table, 68, "region")
    if why_no_attempts(table, region, CATHOLIC) is None:
        who = resolver(table, FRANCE, power)
        yield from catholic_attempts(table, who, region, number(table, 68, "attempts"))
    yield from free_rebellion(table, region, number(table, 68, "rebellion_cp"), 68)


@playable("massacre_at_vassy")
def _massacre_at_vassy(table: Table, power: str, moment: Moment) -> Refused | None:
    (region,) = names(table, 68, "region")
    return None if open_rebellions(table, region) else why_no_attempts(table, region, CATHOLIC)


# --- 90 ---


@event("rising_of_the_north")
def rising_of_the_north(table: Table, power: str, moment: Moment) -> Procedure:
    """90: unrest in up to 2 unoccupied spaces in England (12.4); then a Spanish rebellion there as by 19.4.

    It has 4 dice, 2 spaces at most and a regular; it makes no conversions and wins no game.
    """
    (region,) = names(table, 90, "region")
    who = resolver(table, SPAIN, power)
    yield from unrest_on(table, who, number(table, 90, "unrest"), spaces_in(table, region), up_to=True, card=90)
    yield from espionage.rise(
        table,
        dice=number(table, 90, "dice"),
        spaces=number(table, 90, "spaces"),
        regulars=number(table, 90, "regulars"),
        number=90,
    )


@playable("rising_of_the_north")
def _rising_of_the_north(table: Table, power: str, moment: Moment) -> Refused | None:
    (region,) = names(table, 90, "region")
    calm = any(not in_unrest(table, space) and not occupied(table, space) for space in spaces_in(table, region))
    return None if calm or espionage.rebels(table) else Refused("no_rising_in_england", "19.4")


# --- 94 ---


def _protestant_in(table: Table, region: str) -> int:
    return sum(1 for space in spaces_in(table, region) if controller(table, space) == PROTESTANT)


@event("dutch_revolt")
def dutch_revolt(table: Table, power: str, moment: Moment) -> Procedure:
    """94: a free rebellion in the Netherlands; 1 VP once the Protestant controls 4 spaces there, and the card goes."""
    (region,) = names(table, 94, "region")
    yield from free_rebellion(table, region, number(table, 94, "rebellion_cp"), 94)
    if _protestant_in(table, region) < number(table, 94, "spaces"):
        return None
    score.award(table, PROTESTANT, "dutch_revolt", number(table, 94, "vp"), section="25.2")
    return Outcome(fate="removed")


@playable("dutch_revolt")
def _dutch_revolt(table: Table, power: str, moment: Moment) -> Refused | None:
    (region,) = names(table, 94, "region")
    least = number(table, 94, "spaces")
    if open_rebellions(table, region) or _protestant_in(table, region) >= least:
        return None
    return Refused("no_dutch_revolt", "18.5", number=least)


# --- 101 ---


def huguenot_leaders(table: Table) -> list[str]:
    """101: the army leaders of the Huguenots who are in France or on the power card, no default one."""
    chart = atlas(table)
    pieces = []
    for leader, row in chart.leaders.items():
        if row["power"] == HUGUENOT and not row["default_leader"]:
            at = table.board.pieces[LEADER + leader]["at"]
            space = space_of(at)
            if at == arrived(PROTESTANT) or (space in chart.spaces and chart.spaces[space]["region"] == FRANCE):
                pieces.append(leader)
    return pieces


@event("st_bartholomews_day")
def st_bartholomews_day(table: Table, power: str, moment: Moment) -> Procedure:
    """101: France may strike at a Huguenot leader; then Catholic attempts in France, and a free rebellion there.

    More French hits than Protestant ones: he leaves the game; that is no assassination. A Royal dies (21.4).
    """
    (region,) = names(table, 101, "region")
    who = resolver(table, FRANCE, power)
    leader = yield from choose(
        table, who, "leader", huguenot_leaders, optional=True, section="5.1", number=101
    )
    if leader is not None:
        _strike(table, leader)
    if why_no_attempts(table, region, CATHOLIC) is None:
        yield from catholic_attempts(table, who, region, number(table, 101, "attempts"))
    yield from free_rebellion(table, region, number(table, 101, "rebellion_cp"), 101)


def _strike(table: Table, leader: str) -> None:
    hit_on = table.kit.constants["hit_on"]
    told = {"leader": leader, "hit_on": hit_on}
    hits = {
        side: sum(die >= hit_on for die in table.roll("st_bartholomews_day", side, number(table, 101, dice), **told))
        for side, dice in ((FRANCE, "dice"), (PROTESTANT, "dice_protestant"))
    }
    if hits[FRANCE] <= hits[PROTESTANT]:
        table.tell("leader_escapes", leader=leader, power=PROTESTANT)
        return
    royal = atlas(table).leaders[leader]["royal"]
    leaders.leaves_the_game(table, leader, "st_bartholomews_day")
    if royal:
        queens.royal_dies(table, royal, "st_bartholomews_day", "21.4")


@playable("st_bartholomews_day")
def _st_bartholomews_day(table: Table, power: str, moment: Moment) -> Refused | None:
    (region,) = names(table, 101, "region")
    if huguenot_leaders(table) or open_rebellions(table, region):
        return None
    return why_no_attempts(table, region, CATHOLIC)


# --- 103 ---


@event("lord_of_the_netherlands")
def lord_of_the_netherlands(table: Table, power: str, moment: Moment) -> Procedure:
    """103: the Protestant offers the title to a power, and if that one refuses it, it may to one other.

    Who accepts scores 1 VP, England is at war with Spain at once too (9.4); 3 Dutch mercenaries come, and a card.
    """
    asked: list[str] = []
    for turn in range(number(table, 103, "offers")):
        other = yield from choose(
            table,
            PROTESTANT,
            "power",
            lambda t: [one for one in _candidates(t) if one not in asked],
            optional=turn > 0,
            section="25.2",
            number=103,
        )
        if other is None:
            return None
        asked.append(other)
        accepted = yield from confirm(
            table, other, "event_choice", section="25.2", number=103, target=PROTESTANT, step="title"
        )
        table.tell("title_accepted" if accepted else "title_refused", power=other, target=PROTESTANT, section="25.2")
        if accepted:
            yield from _accepted(table, other)
            return Outcome(fate="removed")
    return None


def _candidates(table: Table) -> list[str]:
    """103: the powers of the card that take part."""
    return [power for power in names(table, 103, "powers") if power in table.board.powers]


def _mercenary_spaces(table: Table) -> list[str]:
    """103: Dutch home spaces of the Protestant, not in unrest, where a Dutch mercenary can come."""
    homes = controlled_in(table, PROTESTANT, home_spaces(table, DUTCH))
    return [
        space
        for space in homes
        if not has_enemy_land(table, space, PROTESTANT) and can_add(table, DUTCH, "mercenary", space)
    ]


def _accepted(table: Table, power: str) -> Procedure:
    score.award(table, power, "lord_of_the_netherlands", number(table, 103, "vp"), section="25.2")
    if power == ENGLAND:
        yield from wars.begin_war(table, ENGLAND, SPAIN, why="lord_of_the_netherlands")
    space = yield from choose(table, PROTESTANT, "space", _mercenary_spaces, section="17", number=103)
    if space is not None:
        add_units(table, DUTCH, "mercenary", space, number(table, 103, "mercenaries"), why="card", section="17")
    hands.draw_cards(table, PROTESTANT, number(table, 103, "cards"), "event_draw", section="6.2")


# --- 109 ---


def _english_forts_of_spain(table: Table) -> bool:
    homes = home_spaces(table, ENGLAND)
    return any(is_fortified(table, space) and controller(table, space) == SPAIN for space in homes)


def _spaniards_in_england(table: Table) -> bool:
    (region,) = names(table, 109, "region")
    places = [place for space in spaces_in(table, region) for place in (space, inside(space))]
    return any(own_owners(table, place, SPAIN) for place in places)


def _ports_of_enterprise(table: Table, kind: str) -> list[str]:
    """109: the ports of the card that are Spanish and calm, where a unit of the kind can come."""
    spaces = controlled_in(table, SPAIN, names(table, 109, "ports"))
    calm = [space for space in spaces if not has_enemy_land(table, space, SPAIN)]
    return [space for space in calm if can_add(table, SPAIN, kind, space)]


@event("enterprise_of_england")
def enterprise_of_england(table: Table, power: str, moment: Moment) -> Procedure:
    """109: 2 VP for a fortified English home space, 1 for troops in England, and the card goes; else new units."""
    if _english_forts_of_spain(table) or _spaniards_in_england(table):
        vp = number(table, 109, "vp_fortified" if _english_forts_of_spain(table) else "vp_landed")
        score.award(table, SPAIN, "enterprise_of_england", vp, section="25.2")
        return Outcome(fate="removed")
    who = resolver(table, SPAIN, power)
    for kind, row in (("galleon", "galleons"), ("regular", "regulars")):
        for _ in range(number(table, 109, row)):
            space = yield from choose(
                table, who, "space", partial(_ports_of_enterprise, kind=kind), section="17", number=109, unit=kind
            )
            if space is not None:
                add_units(table, SPAIN, kind, space, 1, why="card", section="17")
    return None


@playable("enterprise_of_england")
def _enterprise_of_england(table: Table, power: str, moment: Moment) -> Refused | None:
    if not at_war(table.board, SPAIN, ENGLAND):
        return Refused("powers_at_peace", "9.4", power=SPAIN, target=ENGLAND)
    wins = _english_forts_of_spain(table) or _spaniards_in_england(table)
    if wins or any(_ports_of_enterprise(table, kind) for kind in ("galleon", "regular")):
        return None
    return Refused("no_port_of_enterprise", "17", spaces=names(table, 109, "ports"))


# --- 110 ---


def capital_sites(table: Table) -> list[str]:
    """110: the fortified spaces of the Protestant in France where the Huguenot capital is not; unrest is no bar."""
    (region,) = names(table, 110, "region")
    return [
        space
        for space in spaces_in(table, region)
        if controller(table, space) == PROTESTANT
        and is_fortified(table, space)
        and space not in capitals(table, HUGUENOT)
    ]


def _move_capital(table: Table, space: str) -> None:
    left = [one for one in mark(table, "turn", CAPTURED, []) if one != HUGUENOT]
    set_mark(table, "turn", CAPTURED, left or None)
    table.tell("capital_moves", power=PROTESTANT, faction=HUGUENOT, space=space, section="23.6")
    table.set(f"capital:{HUGUENOT}", [space], why="card", section="23.6")


@event("paris_is_worth_a_mass")
def paris_is_worth_a_mass(table: Table, power: str, moment: Moment) -> Procedure:
    """110: with Paris the Huguenot capital comes there, with Catholic attempts and a +1 Card marker (23.6).

    Otherwise the Protestant may move that capital to another of its fortified spaces in France.
    """
    (region,) = names(table, 110, "region")
    paris = table.kit.constants["paris_space"]
    if controller(table, paris) != PROTESTANT:
        space = yield from choose(
            table, PROTESTANT, "space", capital_sites, optional=True, section="23.6", number=110
        )
        if space is not None:
            _move_capital(table, space)
        return
    if paris not in capitals(table, HUGUENOT):
        _move_capital(table, paris)
    if why_no_attempts(table, region, CATHOLIC) is None:
        yield from catholic_attempts(table, PROTESTANT, region, number(table, 110, "attempts"))
    held = table.board.state.get("plus_cards", {})
    more = held.get(PROTESTANT, 0) + number(table, 110, "plus_cards")
    table.set("plus_cards", dict(sorted({**held, PROTESTANT: more}.items())), why="card", section="6.2")


@playable("paris_is_worth_a_mass")
def _paris_is_worth_a_mass(table: Table, power: str, moment: Moment) -> Refused | None:
    at = table.board.pieces[LEADER + NAVARRE]["at"]
    if at == REMOVED or at.startswith("captured:"):
        return Refused("navarre_not_free", "23.6", leader=NAVARRE)
    if controller(table, table.kit.constants["paris_space"]) == PROTESTANT or capital_sites(table):
        return None
    return Refused("no_site_for_capital", "23.6")


# --- 111 ---


def _guise_may_come(table: Table, paris: str) -> str | None:
    """111: the space next to Paris where Guise is, or None."""
    at: str = table.board.pieces[LEADER + GUISE]["at"]
    return at if at in neighbours(table, paris, SPAIN) else None


@event("the_sixteen")
def the_sixteen(table: Table, power: str, moment: Moment) -> Procedure:
    """111: Paris rises for the League: dice against its French regulars; with no French land unit left it is Spain's.

    Guise, next to it, may come there with 4 Spanish units. In a Paris that is not French: Catholic attempts in France.
    """
    (region,) = names(table, 111, "region")
    paris = table.kit.constants["paris_space"]
    who = resolver(table, SPAIN, power)
    if controller(table, paris) != FRANCE:
        yield from catholic_attempts(table, who, region, number(table, 111, "attempts"))
        return
    place = inside(paris) if siege_of(table, paris) else paris
    hit_on = table.kit.constants["hit_on"]
    dice = table.roll("the_sixteen", SPAIN, number(table, 111, "dice"), hit_on=hit_on, space=paris)
    killed = min(sum(die >= hit_on for die in dice), table.board.count(place, FRANCE, "regular"))
    table.remove(FRANCE, "regular", place, killed, why="the_sixteen")
    if any(own_owners(table, one, FRANCE) for one in (paris, inside(paris))):
        table.tell("paris_holds", power=FRANCE, space=paris)
        return
    yield from hand_over(table, [paris], SPAIN, why="the_sixteen", section="12.5")
    yield from _guise_comes(table, who, paris)


def _guise_comes(table: Table, who: str, paris: str) -> Procedure:
    origin = _guise_may_come(table, paris)
    if origin is None:
        return
    comes = yield from confirm(table, who, "event_choice", section="20.10", number=111, leader=GUISE, step="guise")
    if not comes:
        return
    groups = [(owner, kind) for owner in own_owners(table, origin, SPAIN) for kind in land_units(table, origin, owner)]
    left = number(table, 111, "units")
    for at, (owner, kind) in enumerate(groups):
        there = table.board.count(origin, owner, kind)
        others = sum(table.board.count(origin, *group) for group in groups[at + 1 :])
        fewest = max(0, min(there, left - others))
        # The most at first: silence sends as many as may go.
        stays = yield from choose_number(
            table, who, there - min(there, left), there - fewest, section="20.10", number=111, unit=kind, step="stays"
        )
        going = there - stays
        table.move(owner, kind, min(going, table.board.count(origin, owner, kind)), origin, paris, why="the_sixteen")
        left -= going
    make_change(table, origin, paris)
    put_leader(table, GUISE, paris, why="the_sixteen", section="20.10")


@playable("the_sixteen")
def _the_sixteen(table: Table, power: str, moment: Moment) -> Refused | None:
    (region,) = names(table, 111, "region")
    if table.board.state.get("league") is None:
        return Refused("no_league_yet", "20.10")
    paris = table.kit.constants["paris_space"]
    if controller(table, paris) != FRANCE:
        return why_no_attempts(table, region, CATHOLIC)
    regulars = any(table.board.count(place, FRANCE, "regular") for place in (paris, inside(paris)))
    held = any(own_owners(table, place, FRANCE) for place in (paris, inside(paris)))
    return None if regulars or not held else Refused("no_regulars_in_paris", "20.10")


# --- 91 ---


def ports_of_beggars(table: Table) -> list[str]:
    """91 a: the unfortified ports of the Netherlands that Spain controls, without Catholic units; an inland one only if
    the Protestant controls the port that it is linked to (16.7)."""
    (region,) = names(table, 91, "region")
    spaces = atlas(table).spaces
    return [
        space
        for space in spaces_in(table, region)
        if atlas(table).ports[space]
        and controller(table, space) == SPAIN
        and not is_fortified(table, space)
        and not has_unit(table, space, CATHOLIC)
        and (not spaces[space]["inland_port"] or controller(table, spaces[space]["inland_port"]) == PROTESTANT)
    ]


def _harbours(table: Table) -> list[str]:
    """91 b: the ports among the Dutch home spaces of the Protestant where its units can come."""
    return [
        space
        for space in controlled_in(table, PROTESTANT, home_spaces(table, DUTCH))
        if atlas(table).ports[space]
        and not atlas(table).spaces[space]["inland_port"]
        and not has_enemy_land(table, space, PROTESTANT)
        and any(can_add(table, DUTCH, kind, space) for kind in ("galleon", "regular"))
    ]


def _prey_of_beggars(table: Table) -> bool:
    """91 c: whether the Protestant could plunder anybody in the waters of the card now (16.4)."""
    for zone in names(table, 91, "zones"):
        for target in table.board.powers:
            try:
                piracy.check_piracy(table, PROTESTANT, zone, target)
            except Refused:
                continue
            return True
    return False


def _elsewhere(table: Table, order: Order) -> Refused | None:
    """91 c: why a piracy is not one in the waters of the card; ending it is."""
    if not isinstance(order, piracy.Piracy) or order.sea in names(table, 91, "zones"):
        return None
    return Refused("not_in_those_waters", "16.4", zones=names(table, 91, "zones"))


def _ways_of_beggars(table: Table) -> list[str]:
    ways = {
        "space": at_war(table.board, PROTESTANT, SPAIN) and bool(ports_of_beggars(table)),
        "units": bool(_harbours(table)),
        "piracy": _prey_of_beggars(table),
    }
    return [way for way, possible in ways.items() if possible]


@event("sea_beggars")
def sea_beggars(table: Table, power: str, moment: Moment) -> Procedure:
    """91: a port of the Netherlands for the Protestant at war with Spain; or a galleon and a regular; or a piracy.

    No rebellion: it brings no capital. Others in the port are displaced (12.5).
    """
    way = yield from choose(table, PROTESTANT, "option", _ways_of_beggars, section="11", number=91)
    if way == "space":
        space = yield from choose(table, PROTESTANT, "space", ports_of_beggars, section="16.7", number=91, step="port")
        yield from hand_over(table, [space], PROTESTANT, why="sea_beggars", section="12.5")
        if is_home(table, space, DUTCH):
            add_units(table, DUTCH, "regular", space, number(table, 91, "regulars"), why="card", section="17")
        return
    if way == "piracy":
        yield from free_action(
            table, PROTESTANT, [piracy.Piracy], ["piracy_europe"], card=91, section="16.4", fault=_elsewhere
        )
        return
    space = yield from choose(table, PROTESTANT, "space", _harbours, section="17", number=91)
    for kind, row in (("galleon", "galleons"), ("regular", "regulars")):
        add_units(table, DUTCH, kind, space, number(table, 91, row), why="card", section="17")


@playable("sea_beggars")
def _sea_beggars(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _ways_of_beggars(table) else Refused("nothing_for_beggars", "16.7")
