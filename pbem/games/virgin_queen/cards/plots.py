"""Cards of agents, Royals and voyages: 62, 74, 77, 93, 95, 97, 98, 102."""

from __future__ import annotations

from pbem.games.reformation import fleets
from pbem.games.reformation.card_help import number
from pbem.games.reformation.cards import Outcome
from pbem.games.reformation.marks import mark, set_mark
from pbem.games.virgin_queen.cards import event, playable
from pbem.games.virgin_queen.cards.common import names, resolver, spaces_in, why_no_attempts
from pbem.games.virgin_queen.cards.free_actions import free_action
from pbem.games.virgin_queen.court import espionage, queens, royals
from pbem.games.virgin_queen.new_world import captains, ocean
from pbem.games.virgin_queen.new_world.ocean import NAVIGATION, PATROL, Sail, SailOverseas
from pbem.games.virgin_queen.places import ESCORTS
from pbem.games.virgin_queen.powers import majors, minors
from pbem.games.virgin_queen.powers.majors import FRANCE, SPAIN
from pbem.games.virgin_queen.religion.conversion import CATHOLIC, catholic_attempts
from pbem.games.virgin_queen.victory import score
from pbem.table.asking import Moment, choose, confirm
from pbem.table.board import SUPPLY
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table

GALLEON = "galleon"
HENRI = "henri_iii"
SCOTLAND = "scotland"

# --- 62 ---


def _patrolled(table: Table) -> list[str]:
    """62: the ocean zones with patrols."""
    return [zone for zone in captains.zones(table) if table.board.count(zone, SPAIN, PATROL)]


def _in_the_storm(table: Table) -> list[str]:
    """62: the sea captains in the zones of the card."""
    zones = names(table, 62, "oceans")
    return [captain for captain in captains.at_sea(table) if captains.place_of(table, captain) in zones]


def _ways_of_hurricane(table: Table) -> list[str]:
    ways = {
        "patrol": bool(_patrolled(table)),
        "captain": bool(_in_the_storm(table)),
        "escort": bool(table.board.count(ESCORTS, SPAIN, GALLEON)),
    }
    return [way for way, possible in ways.items() if possible]


@event("hurricane")
def hurricane(table: Table, power: str, moment: Moment) -> Procedure:
    """62: a patrol is removed, a sea captain in the west makes a navigation roll, or an escort is lost for a turn."""
    way = yield from choose(table, power, "option", _ways_of_hurricane, section="16.1", number=62)
    if way == "patrol":
        zone = yield from choose(table, power, "ocean", _patrolled, section="17.3", number=62)
        table.remove(SPAIN, PATROL, zone, why="hurricane", section="17.3")
    elif way == "captain":
        captain = yield from choose(table, power, "captain", _in_the_storm, section="16.1", number=62)
        yield from ocean.navigate(table, captain)
    else:
        table.move(SPAIN, GALLEON, 1, ESCORTS, fleets.next_box(table), why="hurricane", section="17.3")


@playable("hurricane")
def _hurricane(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _ways_of_hurricane(table) else Refused("nothing_in_the_storm", "16.1")


# --- 74 ---


def _captains_alone(table: Table, order: Order) -> Refused | None:
    """74: why a naval move is not one of sea captains alone; ending it is."""
    if not isinstance(order, Sail | SailOverseas):
        return None
    ships = isinstance(order, Sail) and bool(order.legs)
    others = ships or any(voyage.who == PATROL for voyage in order.voyages or ())
    return Refused("only_captains_sail", "16.1") if others else None


@event("portuguese_pilots")
def portuguese_pilots(table: Table, power: str, moment: Moment) -> Procedure:
    """74: a naval move of the player's sea captains alone, free; +2 on all their navigation rolls of this impulse."""
    more = mark(table, "impulse", NAVIGATION, 0) + number(table, 74, "modifier")
    set_mark(table, "impulse", NAVIGATION, more, section="16.1")
    yield from free_action(
        table, power, [Sail, SailOverseas], ["naval_move"], card=74, section="16.1", fault=_captains_alone
    )


@playable("portuguese_pilots")
def _portuguese_pilots(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if captains.abroad(table, power) else Refused("no_captain_abroad", "16.1", power=power)


# --- 77 ---


def _at_home_at_sea(table: Table, captain: str) -> bool:
    """77: whether a captain's power has a colony on his zone."""
    power, zone = captains.power_of(table, captain), captains.place_of(table, captain)
    return any(
        colony.split(":")[1] == power
        for village in captains.villages_on(table, zone)
        for colony in captains.colonies_at(table, village)
    )


def _scurvy_among(table: Table, power: str) -> list[str]:
    """77: the captains of other powers at sea: damaged ones, and those without an own colony near."""
    return [
        captain
        for captain in captains.at_sea(table)
        if captains.power_of(table, captain) != power
        and (captains.is_damaged(table, captain) or not _at_home_at_sea(table, captain))
    ]


@event("scurvy")
def scurvy(table: Table, power: str, moment: Moment) -> Procedure:
    """77: a sea captain of another power is flipped, and drops what is too much; a damaged one rolls for navigation."""
    captain = yield from choose(table, power, "captain", lambda t: _scurvy_among(t, power), section="16.1", number=77)
    if captains.is_damaged(table, captain):
        yield from ocean.navigate(table, captain)
    else:
        yield from captains.damage(table, captain, "16.1")


@playable("scurvy")
def _scurvy(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _scurvy_among(table, power) else Refused("nobody_has_scurvy", "16.1")


# --- 93 ---


def _without_own_key(table: Table, power: str) -> list[str]:
    """93: the other powers on whose card the player's cipher key does not lie yet."""
    lies_on = table.board.state.get("cipher_keys", {}).get(power)
    return [one for one in table.board.powers if one not in (power, lies_on)]


@event("cipher_key")
def cipher_key(table: Table, power: str, moment: Moment) -> Procedure:
    """93: the player's cipher key lies on another power's card until winter (19)."""
    target = yield from choose(table, power, "power", lambda t: _without_own_key(t, power), section="19", number=93)
    espionage.use_cipher_key(table, power, target)


@playable("cipher_key")
def _cipher_key(table: Table, power: str, moment: Moment) -> Refused | None:
    return espionage.why_no_espionage(table)


# --- 95, 102 ---


def _free_for_jesuit(table: Table) -> list[str]:
    """The spaces of England without a Jesuit (19.2)."""
    (region,) = names(table, 95, "region")
    return [space for space in spaces_in(table, region) if espionage.why_no_jesuit(table, space) is None]


@event("english_college_douai")
def english_college_douai(table: Table, power: str, moment: Moment) -> Procedure:
    """95: Spain's card holds two Jesuits from now on (8.2); one comes to England at once, if there is one left."""
    allowance = number(table, 95, "allowance")
    table.tell("jesuit_allowance", power=SPAIN, number=allowance, section="8.2")
    table.set("jesuit_allowance", allowance, why="card", section="8.2")
    ready = [*espionage.jesuits_at(table, espionage.CARD), *espionage.jesuits_at(table, SUPPLY)]
    if not ready:
        return
    who = resolver(table, SPAIN, power)
    space = yield from choose(table, who, "space", _free_for_jesuit, section="19.2", number=95)
    if space is not None:
        table.tell("jesuit_placed", power=SPAIN, space=space, section="19.2")
        table.put(ready[0], space, why="jesuit", section="19.2")


@event("gods_secret_agents")
def gods_secret_agents(table: Table, power: str, moment: Moment) -> Procedure:
    """102: Spain moves any of its Jesuits within England, one a space (19.2); then Catholic attempts there."""
    (region,) = names(table, 102, "region")
    who = resolver(table, SPAIN, power)
    for origin, jesuit in espionage.jesuits_in_england(table).items():
        space = yield from choose(
            table, who, "space", _free_for_jesuit, optional=True, section="19.2", number=102, origin=origin
        )
        if space is not None:
            table.tell("jesuit_moves", power=SPAIN, origin=origin, space=space, section="19.2")
            table.put(jesuit, space, why="jesuit", section="19.2")
    if why_no_attempts(table, region, CATHOLIC) is None:
        yield from catholic_attempts(table, who, region, number(table, 102, "attempts"))


@playable("gods_secret_agents")
def _gods_secret_agents(table: Table, power: str, moment: Moment) -> Refused | None:
    (region,) = names(table, 102, "region")
    return None if espionage.jesuits_in_england(table) else why_no_attempts(table, region, CATHOLIC)


# --- 97 ---


def louise_may_come(table: Table) -> Refused | None:
    """97: why Henri III cannot marry Louise now: he has to rule France and be unmarried. All may know it."""
    if majors.ruler(table, FRANCE)["id"] != HENRI or HENRI in table.board.state.get("dead_rulers", ()):
        return Refused("henri_does_not_rule", "23.4", ruler=HENRI)
    return None if royals.is_eligible(table, HENRI) else Refused("henri_not_eligible", "21", royal=HENRI)


@event("louise_of_lorraine", moments=("negotiation",))
def louise_of_lorraine(table: Table, power: str, moment: Moment) -> Procedure:
    """97: if France agrees, Henri III marries Louise without dice: a Valois on the card of France, for 1 VP (25.2).

    It is played in the negotiation segment alone (6.1).
    """
    if power != FRANCE:
        agreed = yield from confirm(table, FRANCE, "event_choice", section="21", number=97, step="louise")
        if not agreed:
            table.tell("louise_refused", power=FRANCE, section="21")
            return
    table.tell("louise_marries", power=FRANCE, royal=HENRI, section="21")
    if royals.betrothed(table, HENRI):
        royals.end_betrothal(table, HENRI)
    table.put(royals.piece_of(HENRI), FRANCE, why="married", section="21.1")
    score.award(table, FRANCE, "valois", number(table, 97, "vp"), section="25.2")


@playable("louise_of_lorraine")
def _louise_of_lorraine(table: Table, power: str, moment: Moment) -> Refused | None:
    return louise_may_come(table)


# --- 98 ---


def _plots(table: Table) -> list[str]:
    """98: the plots that Spain can make for Mary now."""
    if espionage.why_no_espionage(table) or espionage.why_no_plot(table, SPAIN):
        return []
    elizabeth = ["assassination"] if queens.elizabeth_lives(table) else []
    return [*elizabeth, "rebellion"]


@event("mary_queen_of_scots")
def mary_queen_of_scots(table: Table, power: str, moment: Moment) -> Procedure:
    """98: in Scotland Mary brings Catholic attempts there, and French influence; captured, a plot of Spain, free.

    If Mary dies of it, the card leaves the game: it would be for CP alone (23.3).
    """
    cp = number(table, 98, "plot_cp")
    if queens.is_captured(table):
        who = resolver(table, SPAIN, power)
        way = yield from choose(
            table, who, "option", _plots, optional=True, kind="espionage", section="23.3", number=98
        )
        if way == "assassination":
            yield from espionage.assassinate(table, SPAIN, queens.ELIZABETH, cp)
        elif way == "rebellion":
            yield from espionage.english_catholic_rebellion(table, cp)
        return Outcome(fate="removed" if queens.mary_state(table) == queens.DEAD else None)
    (region,) = names(table, 98, "region")
    if why_no_attempts(table, region, CATHOLIC) is None:
        yield from catholic_attempts(table, resolver(table, FRANCE, power), region, number(table, 98, "attempts"))
    if _french_influence_open(table):
        boxes = minors.influence_on(table, SCOTLAND, FRANCE) + number(table, 98, "influence")
        minors.set_influence(table, SCOTLAND, FRANCE, boxes, why="card", section="24.5")
    return None


def _french_influence_open(table: Table) -> bool:
    """98: whether France's marker on Scotland can rise (24.5)."""
    most = table.kit.constants["influence_most"]
    listed = FRANCE in minors.chart_of(table, SCOTLAND) and minors.influence_on(table, SCOTLAND, FRANCE) < most
    return listed and not minors.was_evaluated(table, SCOTLAND)


@playable("mary_queen_of_scots")
def _mary_queen_of_scots(table: Table, power: str, moment: Moment) -> Refused | None:
    state = queens.mary_state(table)
    if state not in (queens.SCOTLAND, queens.CAPTURED):
        return Refused("mary_is_dead", "23.3")
    if state == queens.CAPTURED:
        reason = espionage.why_no_espionage(table) or espionage.why_no_plot(table, SPAIN)
        return reason.under("19") if reason else None
    if _french_influence_open(table):
        return None
    (region,) = names(table, 98, "region")
    return why_no_attempts(table, region, CATHOLIC)
