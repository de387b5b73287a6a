"""Cards that trouble armies, fortresses and leaders: 87, 91, 103, 104, 105, 106, 107, 108."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import number
from pbem.games.here_i_stand.diplomacy import wars
from pbem.games.here_i_stand.places import OFF, REMOVED
from pbem.games.here_i_stand.powers import minors
from pbem.games.here_i_stand.religion.conversion import PAPACY
from pbem.games.reformation import captives, hands, marks, troubles
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.choices import ChooseCard
from pbem.games.reformation.forces import (
    LEADER,
    add_units,
    can_add,
    has_enemy_land,
    leader_power,
    make_change,
    put_leader,
)
from pbem.games.reformation.ground import (
    controller,
    home_spaces,
    in_play,
    in_unrest,
    inside,
    is_fortified,
    is_friendly,
    siege_of,
)
from pbem.games.reformation.relations import minors_of
from pbem.games.reformation.rules import rules
from pbem.games.reformation.troubles import all_land, mercenaries, stacks
from pbem.table.asking import Ask, Moment, Stop, choose, choose_number
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

VENICE = "venice"

# --- 87: Mercenaries Demand Pay ---


def _employers(table: Table) -> list[str]:
    return [power for power in table.board.powers if _with_mercenaries(table, power)]


def _with_mercenaries(table: Table, power: str) -> list[str]:
    """The places where a power has mercenaries, those sent to a foreign war too."""
    return table.board.places_of(power, rules(table).mercenary_kind)


@event("mercenaries_demand_pay")
def mercenaries_demand_pay(table: Table, power: str, moment: Moment) -> Procedure:
    """87: a power loses all its mercenaries unless it discards a card, whose CP say how many of them it keeps."""
    target = yield from choose(
        table, power, "power", lambda t: sorted(_employers(t), key=lambda one: one == power), number=87
    )
    card = yield from _pay(table, target)
    keeps: int | None = 0
    if card is not None:
        cp = hands.cp_of(table, card)
        hands.discard(table, target, card, why="mercenaries_paid")
        row = table.kit.tables["card_numbers"].get(f"87:kept_by_cp_{cp}")
        keeps = None if row is None else row["value"]
    if keeps is not None:
        yield from _keep(table, target, keeps)


@playable("mercenaries_demand_pay")
def _mercenaries_demand_pay(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _employers(table) else Refused("nobody_has_mercenaries")


def _pay(table: Table, power: str) -> Procedure:
    """The power discards a card, its home card too but no mandatory event, or none. Value: the card, or None."""
    if not hands.cards_of(table, power):
        return None

    def payable(table: Table) -> list[str]:
        return [card for card in hands.cards_of(table, power) if hands.kind_of(table, card) != "mandatory"]

    # Asked whatever it holds, so that nobody learns from it that there are mandatory events alone.
    answer = yield Ask(
        power, "event_choice", [ChooseCard, Stop], Stop(), context={"choose": "card", "number": 87}, among=payable
    )
    return None if isinstance(answer, Stop) else answer.card


def _keep(table: Table, power: str, keeps: int) -> Procedure:
    """The power says where it keeps so many mercenaries; the others leave."""
    places, left, kind = _with_mercenaries(table, power), keeps, rules(table).mercenary_kind
    for at, place in enumerate(places):
        there = mercenaries(table, place, power)
        others = sum(mercenaries(table, other, power) for other in places[at + 1 :])
        kept = yield from choose_number(
            table,
            power,
            min(there, max(0, left - others)),
            min(there, left),
            number=87,
            place=place,
            unit=kind,
        )
        table.remove(power, kind, place, max(0, mercenaries(table, place, power) - kept), why="mercenaries_demand_pay")
        left -= kept
    make_change(table, *places)


# --- 91: Ransom ---


def _home_forts(table: Table, leader: str) -> list[str]:
    """The fortified home spaces of a leader's power that are friendly to it."""
    owner = captives.owner_of(table, leader)
    return [s for s in home_spaces(table, owner) if is_fortified(table, s) and is_friendly(table, s, owner)]


def _captured(table: Table) -> list[str]:
    return [
        leader
        for leader in atlas(table).leaders
        if captives.captor_of(table, leader) is not None and _home_forts(table, leader)
    ]


@event("ransom")
def ransom(table: Table, power: str, moment: Moment) -> Procedure:
    """91: a captured leader of any power returns to one of his fortified home spaces, which his owner chooses."""
    leader = yield from choose(table, power, "leader", _captured, number=91)
    owner = captives.owner_of(table, leader)
    space = yield from choose(
        table, owner, "space", lambda t: _home_forts(t, leader), kind="place_leader", leader=leader
    )
    table.tell("leader_returns", power=owner, leader=leader, space=space)
    put_leader(table, leader, inside(space) if siege_of(table, space) else space, why="leader_returns")


@playable("ransom")
def _ransom(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _captured(table) else Refused("nobody_to_ransom")


# --- 103: Threat to Power ---


def _threatened(table: Table) -> list[str]:
    """Brandon, Alva, Montmorency and Ibrahim, where they are on the map or at a foreign war."""
    away = (OFF, REMOVED)
    return [
        leader
        for leader, row in atlas(table).leaders.items()
        if row["threatened"]
        and (at := table.board.pieces[LEADER + leader]["at"]) not in away
        and not at.startswith((captives.CAPTURED, "turn_track:"))
    ]


@event("threat_to_power")
def threat_to_power(table: Table, power: str, moment: Moment) -> Procedure:
    """103: one of four leaders is away for the turn (a die of 1 to 3), or out of the game."""
    leader = yield from choose(
        table,
        power,
        "leader",
        lambda t: sorted(_threatened(t), key=lambda one: leader_power(t, one) == power),
        number=103,
    )
    die = table.roll("threat_to_power", power, 1, leader=leader)[0]
    gone = die >= number(table, 103, "gone_from")
    at = REMOVED if gone else f"turn_track:{table.board.state['turn'] + 1}"
    table.tell("leader_gone" if gone else "leader_away", leader=leader, power=captives.owner_of(table, leader))
    put_leader(table, leader, at, why="threat_to_power")


@playable("threat_to_power")
def _threat_to_power(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _threatened(table) else Refused("nobody_threatens")


# --- 104: Trace Italienne ---


def fortress_markers_left(table: Table) -> int:
    """How many fortress markers are left; a pirate haven has a marker of its own."""
    state = table.board.state
    used = [name for name in state if name.startswith("fortress:") and f"haven:{name[9:]}" not in state]
    return table.kit.tables["markers"]["fortress"]["count"] - len(used)


def _unfortified(table: Table) -> list[str]:
    return [space for space in atlas(table).spaces if in_play(table, space) and not is_fortified(table, space)]


@event("trace_italienne")
def trace_italienne(table: Table, power: str, moment: Moment) -> Procedure:
    """104: an unfortified space, whoever holds it, becomes a fortress, and who controls it gets a regular there.

    No regular where there is unrest, nor in an independent space. A reading: enemies of the holder who stand in the
    space besiege it from now on (15), and no regular comes to them (17.1).
    """
    space = yield from choose(
        table, power, "space", lambda t: sorted(_unfortified(t), key=lambda s: controller(t, s) != power), number=104
    )
    troubles.fortify(table, space, controller(table, space) or "", number(table, 104, "regulars"))


@playable("trace_italienne")
def _trace_italienne(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if fortress_markers_left(table) > 0 else Refused("no_fortress_marker")


# --- 105: Treachery! ---


@event("treachery")
def treachery(table: Table, power: str, moment: Moment) -> Procedure:
    """105: a besieged space is assaulted at once; if the besiegers still outnumber the garrison, it falls anyhow."""
    yield from troubles.treachery(table, power, 105)


@playable("treachery")
def _treachery(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if troubles.besieged_spaces(table) else Refused("no_siege")


# --- 106: Unpaid Mercenaries ---


@event("unpaid_mercenaries")
def unpaid_mercenaries(table: Table, power: str, moment: Moment) -> Procedure:
    """106: all mercenaries of one power in one space leave."""
    yield from troubles.unpaid_mercenaries(table, power, 106)


@playable("unpaid_mercenaries")
def _unpaid_mercenaries(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if stacks(table, mercenaries) else Refused("no_mercenaries_on_map")


# --- 107: Unsanitary Camp ---


@event("unsanitary_camp")
def unsanitary_camp(table: Table, power: str, moment: Moment) -> Procedure:
    """107: a stack loses a third of its land units, rounded up; its owner chooses, at least half of them regulars."""
    yield from troubles.unsanitary_camp(table, power, number(table, 107, "fraction"), 107)


@playable("unsanitary_camp")
def _unsanitary_camp(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if stacks(table, all_land) else Refused("no_land_units_on_map")


# --- 108: Venetian Alliance ---


def _ways_with_venice(table: Table, power: str) -> list[str]:
    # Troops first, so that silence of the Papacy does not lose its ally.
    ways = ["troops"] if _may_have_troops(table, power) else []
    if power == PAPACY and minors.why_not_activate(table, power, VENICE) is None:
        ways.append("activate")
    if minors.why_not_deactivate(table, power, VENICE, "venetian_alliance") is None:
        ways.append("deactivate")
    return ways


def _may_have_troops(table: Table, power: str) -> bool:
    """108, option `second_halves`: whether the Papacy has Venice for its ally, and a port for its units."""
    allied = power == PAPACY and VENICE in minors_of(table.board, PAPACY)
    return bool(allied and table.options["second_halves"] and venetian_ports(table))


def venetian_ports(table: Table) -> list[str]:
    """108: the ports that the Papacy controls where a Venetian unit could be put (17)."""
    return [
        space
        for space in atlas(table).spaces
        if atlas(table).ports[space]
        and controller(table, space) == PAPACY
        and not siege_of(table, space)
        and not in_unrest(table, space)
        and not has_enemy_land(table, space, PAPACY)
        and any(can_add(table, VENICE, kind, space) for kind in ("regular", "squadron"))
    ]


def venetian_troops(table: Table) -> Procedure:
    """108: a Venetian regular and 2 squadrons, as far as the counters go, in a port that the Papacy controls."""
    port = yield from choose(table, PAPACY, "space", venetian_ports, section="22.2", number=108)
    if port is None:
        return
    for kind, row in (("regular", "regulars"), ("squadron", "squadrons")):
        add_units(table, VENICE, kind, port, number(table, 108, row), why="venetian_alliance", section="22.2")


@event("venetian_alliance", moments=("impulse", "intervention_paid"))
def venetian_alliance(table: Table, power: str, moment: Moment) -> Procedure:
    """108: the Papacy activates Venice, or the Ottoman or the Papacy deactivates it; or troops for the ally (22).

    The troops come too where the card pays for the intervention of the Papacy (9.6).
    """
    if moment.name == "intervention_paid":
        yield from venetian_troops(table)
        return
    way = yield from choose(
        table, power, "option", lambda t: _ways_with_venice(t, power), section="22.2", number=108
    )
    if way == "activate":
        yield from minors.activate(table, VENICE, PAPACY)
    elif way == "deactivate":
        yield from minors.deactivate(table, VENICE)
    else:
        yield from venetian_troops(table)


@playable("venetian_alliance")
def _venetian_alliance(table: Table, power: str, moment: Moment) -> Refused | None:
    if moment.name == "intervention_paid":
        paid = marks.noted(table, "turn", wars.INTERVENED, VENICE) and _may_have_troops(table, power)
        return None if paid else Refused("no_venetian_intervention")
    if _ways_with_venice(table, power):
        return None
    return Refused("venice_for_two")
