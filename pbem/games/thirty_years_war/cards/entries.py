"""The cards by which nations enter the war, and the armies that come by cards: C23, P6, P7, P17 and P18 (9.1, 17)."""

from __future__ import annotations

from pbem.games.thirty_years_war import control, pieces, score
from pbem.games.thirty_years_war.cards import event
from pbem.games.thirty_years_war.cards.common import (
    events_it_hangs_on,
    forces,
    free_of_enemies,
    number,
    place,
    row,
    without_units_of,
)
from pbem.games.thirty_years_war.cards.new_leaders import in_france, region_can_join
from pbem.games.thirty_years_war.cards.orders import choose_space, place_pieces, room_for_units
from pbem.games.thirty_years_war.cards.placing import arrive, arriving, into, somebody_can_come
from pbem.games.thirty_years_war.combat import battle
from pbem.games.thirty_years_war.control import REGION
from pbem.games.thirty_years_war.map import CATHOLIC, PROTESTANT, atlas, other
from pbem.games.thirty_years_war.marching import reaction
from pbem.games.thirty_years_war.politics import nations
from pbem.games.thirty_years_war.upkeep import aid
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def one_entry_a_turn(table: Table, card: str) -> Refused | None:
    """9.12: one card by which a nation enters may be an event in a turn; P6 is none of them."""
    entered = nations.entered_this_turn(table)
    return Refused("second_entry_card", "9.12", card=card, nation=entered) if entered else None


# --- Denmark (17.D) ---


def denmark_may_enter(table: Table, side: str, card: str) -> Refused | None:
    """9.12: Denmark may enter even where every space of its region is occupied (17.D.3, INT-27).

    Not so by option ``denmark_all_occupied``.
    """
    refused = one_entry_a_turn(table, card)
    if refused is None and table.options["denmark_all_occupied"] == "unplayable":
        return region_can_join(table, side, card)
    return refused


@event("denmark_enters_war", when=denmark_may_enter)
def denmark_enters_war(table: Table, side: str, card: str) -> Procedure:
    """P7: Schleswig-Holstein joins, but for what Catholic units occupy, and the Danes come into its spaces.

    Where all of them are occupied the Danes come into one all the same and fight at once; who has to retreat dies.
    """
    region = place(table, card)
    nations.enter_war(table, nations.DANISH)
    nations.joins(table, region, side, section="17.D.3")
    spaces = atlas(table).spaces_of[region]
    if without_units_of(table, spaces, other(side)):
        yield from arrive(
            table, side, card, lambda table: without_units_of(table, spaces, other(side)), section="17.D.3"
        )
        return
    came = yield from arrive(table, side, card, lambda table: spaces, most_spaces=1, section="17.D.3")
    yield from fight_for_a_foothold(table, side, came)


def fight_for_a_foothold(table: Table, side: str, came: list[str]) -> Procedure:
    """17.D.3: the Danes fight where they came in; the enemy may go into his fortress first (11.23)."""
    space = pieces.where(table, came[0])
    leader = next(piece for piece in came if pieces.is_leader(piece))
    if atlas(table).is_fortress(space):
        yield from reaction.fort_reaction(table, space, side)
    if pieces.units(table, space, other(side), inside=False):
        yield from battle.field_battle(table, space, side, active=came, leader=leader, came_from=None)


# --- Sweden (17.Sw) ---


def landing_places(table: Table) -> list[str]:
    """17.Sw.1: the ports with a Swedish arrow, neutral or Protestant, and without Catholics in the open."""
    free = free_of_enemies(table, PROTESTANT)
    return [space for space in nations.swedish_ports(table) if space in free]


def sweden_may_enter(table: Table, side: str, card: str) -> Refused | None:
    """9.12, 17.Sw.1: no other nation has entered this turn, and a port is open to the Swedes."""
    refused = one_entry_a_turn(table, card)
    if refused is not None:
        return refused
    return None if landing_places(table) else Refused("no_port_for_the_swedes", "17.Sw.1", card=card)


@event("sweden_enters_war", when=sweden_may_enter)
def sweden_enters_war(table: Table, side: str, card: str) -> Procedure:
    """P18: Gustavus Adolphus lands with his army in a port, which is the Swedish base from now on.

    Landing in a neutral region violates it (C 5.12). Swedish aid is over (INT-37, option ``swedish_aid_ends``), and P10
    can be no event any more.
    """
    port = yield from choose_space(table, side, landing_places, kind="event_space", section="17.Sw.1", card=card)
    nations.enter_war(table, nations.SWEDISH)
    leaders, units = forces(table, card)
    control.violate(table, port, side)
    for leader in arriving(table, card):
        table.put(nations.counter_of(leader), port, why=card, section="17.Sw.1")
    for kind, most in units.items():
        for _ in range(min(most, room_for_units(table, side, port))):
            pieces.place(table, kind, port, why=card, section="17.Sw.1")
    table.set("swedish_base", port, why=card, section="17.Sw.1")
    if table.options["swedish_aid_ends"] == "entry":
        aid.turn_off(table, row(table, card)["aid"], why=card, section="14.3", for_good=True)


# --- France (17.F) ---


def france_may_enter(table: Table, side: str, card: str) -> Refused | None:
    """9.12: no other nation has entered this turn, and the events that P17 needs have happened."""
    return one_entry_a_turn(table, card) or events_it_hangs_on(table, card)


@event("france_enters_war", when=france_may_enter)
def france_enters_war(table: Table, side: str, card: str) -> Procedure:
    """P17: the French spaces open, neutral Metz turns Protestant, and Turenne's army stands in France.

    The Apocalypse cards come in the next card phase (8.12).
    """
    score.vp(table, number(table, card, "vp"), "event", "8.6", card)
    nations.enter_war(table, nations.FRENCH)
    open_france(table)
    city = place(table, card)
    if control.holder(table, city) is None:
        control.gain(table, city, side, "event")
    yield from place_french(table, side, card)


def open_france(table: Table) -> None:
    """11.31, 2.42: the French spaces are open, and always Protestant."""
    table.set(REGION + table.kit.constants["places"]["france"], PROTESTANT, why="event", section="11.31")


def place_french(table: Table, side: str, card: str) -> Procedure:
    """17.F.3, O-91: the French of the card are put into the spaces off the map."""
    yield from arrive(table, side, card, in_france, section="17.F.3")


# --- England (17.E) ---


def open_palatinate(table: Table, card: str) -> list[str]:
    """17.E.2: the spaces of the region that no Catholic controls, without Catholics in the open."""
    free = free_of_enemies(table, PROTESTANT)
    region = atlas(table).spaces_of[place(table, card)]
    return [space for space in region if control.holder(table, space) != CATHOLIC and space in free]


def england_may_intervene(table: Table, side: str, card: str) -> Refused | None:
    """17.E.2: not after C40, and a space of the Lower Palatinate is Protestant or neutral."""
    refused = events_it_hangs_on(table, card)
    if refused is not None:
        return refused
    if not open_palatinate(table, card):
        return Refused("no_space_for_the_english", "17.E.2", card=card, region=place(table, card))
    return somebody_can_come(table, side, card, lambda table: open_palatinate(table, card))


@event("england_intervenes", when=england_may_intervene)
def england_intervenes(table: Table, side: str, card: str) -> Procedure:
    """P6: English units in a space of the Lower Palatinate, Germans from then on; no card of entry (9.12)."""
    nations.enter_war(table, nations.ENGLISH)
    yield from arrive(
        table, side, card, lambda table: open_palatinate(table, card), most_spaces=1, section="17.E.2"
    )


# --- the Cardinal Infant (17.Sp.3) ---


def infants_way_in(table: Table, side: str, card: str) -> list[str]:
    """17.Sp.3: the spaces of the Tyrol without Protestant units."""
    return without_units_of(table, atlas(table).spaces_of[place(table, card)], other(side))


def infant_may_come(table: Table, side: str, card: str) -> Refused | None:
    """C23: the passes are open, and a space of the Tyrol is free of Protestant units."""
    if table.board.state.get(aid.PASSES) != aid.OPEN:
        return Refused("passes_are_closed", "17.Sp.3", card=card)
    return somebody_can_come(table, side, card, lambda table: infants_way_in(table, side, card), bound=False)


@event("cardinal_infant", when=infant_may_come)
def cardinal_infant(table: Table, side: str, card: str) -> Procedure:
    """C23: the Cardinal Infant with up to so many veterans in a space of the Tyrol.

    His army has to be in the Spanish zone by the end of the next turn (17.Sp.3).
    """
    leaders, units = forces(table, card)
    yield from place_pieces(
        table,
        side,
        card,
        leaders=arriving(table, card),
        units=units,
        places=into(side, lambda table: infants_way_in(table, side, card), bound=False),
        fewer=True,
        most_spaces=1,
        section="17.Sp.3",
        infant=True,
    )
    table.set("infant_deadline", table.board.state["turn"] + 1, why=card, section="17.Sp.3")
