"""The cards of new leaders: C7 to C10, C15, C30, C45, C46, P3, P4, P28, P29 and P44 to P46 (9.2, E 9.21, C 9.2)."""

from __future__ import annotations

from pbem.games.thirty_years_war import pieces
from pbem.games.thirty_years_war.cards import event
from pbem.games.thirty_years_war.cards.common import (
    free_of_enemies,
    nations_of,
    number,
    place,
    without_units_of,
)
from pbem.games.thirty_years_war.cards.placing import (
    Spaces,
    all_spaces,
    arrive,
    controlled,
    somebody_can_come,
    with_troops_of,
)
from pbem.games.thirty_years_war.map import PROTESTANT, atlas, other
from pbem.games.thirty_years_war.politics import nations, wallenstein
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

# --- leaders alone, who come to troops of their nation (E 9.21) ---


def with_their_troops(side: str, card: str) -> Spaces:
    """The spaces with troops of the nation of a card."""
    return lambda table: with_troops_of(table, side, nations_of(table, card)[0])


def troops_or_a_space(table: Table, side: str, card: str) -> Refused | None:
    """E 9.21: the leaders of a card have where to go."""
    return somebody_can_come(table, side, card, with_their_troops(side, card))


def leaders_alone(table: Table, side: str, card: str) -> Procedure:
    """9.2, E 9.21: the leaders of a card come to troops of their nation; no units come with them."""
    yield from arrive(table, side, card, with_their_troops(side, card))


@event("new_leaders_wallenstein_piccolomini", when=troops_or_a_space)
def new_leaders_wallenstein_piccolomini(table: Table, side: str, card: str) -> Procedure:
    """C7: Wallenstein and Piccolomini with Imperial units, Wallenstein never with Tilly (7.24)."""
    yield from leaders_alone(table, side, card)
    wallenstein.enter(table)


@event("new_leaders_charles_of_lorraine_gallas", when=troops_or_a_space)
def new_leaders_charles_of_lorraine_gallas(table: Table, side: str, card: str) -> Procedure:
    """C8: two leaders with Imperial units."""
    yield from leaders_alone(table, side, card)


@event("new_leader_cordoba", when=troops_or_a_space)
def new_leader_cordoba(table: Table, side: str, card: str) -> Procedure:
    """C9: a leader with Spanish units, in the Spanish zone (17.Sp.2)."""
    yield from leaders_alone(table, side, card)


@event("new_leaders_aldringer_holk", when=troops_or_a_space)
def new_leaders_aldringer_holk(table: Table, side: str, card: str) -> Procedure:
    """C10: two leaders with Bavarian units."""
    yield from leaders_alone(table, side, card)


@event("new_leaders_archduke_leopold_savelli_hatzfeld", when=troops_or_a_space)
def new_leaders_archduke_leopold_savelli_hatzfeld(table: Table, side: str, card: str) -> Procedure:
    """C30: three leaders with Imperial units; Savelli is in play already in scenario 2 (18.24)."""
    yield from leaders_alone(table, side, card)


@event("new_leaders_mercy_gronsfeld_melander", when=troops_or_a_space)
def new_leaders_mercy_gronsfeld_melander(table: Table, side: str, card: str) -> Procedure:
    """C46: three leaders with Bavarian units."""
    yield from leaders_alone(table, side, card)


# --- leaders with troops, on own ground ---


def home_ground(side: str, card: str) -> Spaces:
    """The spaces of the card's region that the side controls, free of enemies."""
    return lambda table: controlled(table, side, atlas(table).spaces_of[place(table, card)])


def home_ground_is_free(table: Table, side: str, card: str) -> Refused | None:
    """Somebody of the card can come to its region."""
    return somebody_can_come(table, side, card, home_ground(side, card))


@event("new_leaders_werth_goetz", when=home_ground_is_free)
def new_leaders_werth_goetz(table: Table, side: str, card: str) -> Procedure:
    """C15: two leaders with up to so many Bavarian mercenaries, in one or two spaces of Bavaria."""
    yield from arrive(
        table, side, card, home_ground(side, card), fewer=True, most_spaces=number(table, card, "spaces_most")
    )


def own_ground(side: str) -> Spaces:
    """Every space that the side controls, free of enemies."""
    return lambda table: controlled(table, side, all_spaces(table))


def own_ground_is_free(table: Table, side: str, card: str) -> Refused | None:
    """Somebody of the card can come to a space of the side."""
    return somebody_can_come(table, side, card, own_ground(side))


@event("new_leader_duke_of_feria", when=own_ground_is_free)
def new_leader_duke_of_feria(table: Table, side: str, card: str) -> Procedure:
    """C45: a leader with a Spanish veteran, if one is left, in a space of the Spanish zone (17.Sp.2)."""
    yield from arrive(table, side, card, own_ground(side), most_spaces=1)


@event("new_leader_christian_of_brunswick", when=own_ground_is_free)
def new_leader_christian_of_brunswick(table: Table, side: str, card: str) -> Procedure:
    """P3: a leader with mercenaries and militia, in one Protestant space."""
    yield from arrive(table, side, card, own_ground(side), most_spaces=1)


# --- leaders who bring a region in (C 9.2) ---


def region_can_join(table: Table, side: str, card: str) -> Refused | None:
    """C 9.2: not every space of the region holds enemy units."""
    region = place(table, card)
    if without_units_of(table, atlas(table).spaces_of[region], other(side)):
        return None
    return Refused("every_space_is_occupied", "C 9.2", card=card, region=region)


def region_joins(table: Table, side: str, card: str) -> Procedure:
    """C 9.2: the region of the card comes in, and the card's pieces are put into one of its spaces."""
    region = place(table, card)
    nations.joins(table, region, side)
    yield from arrive(
        table,
        side,
        card,
        lambda table: without_units_of(table, atlas(table).spaces_of[region], other(side)),
        most_spaces=1,
    )


@event("new_leader_frederick_of_baden", when=region_can_join)
def new_leader_frederick_of_baden(table: Table, side: str, card: str) -> Procedure:
    """P4: Baden joins, and Frederick raises troops there; Breisach is a base from now on (17.G.1)."""
    yield from region_joins(table, side, card)


@event("new_leader_william_of_hesse_kassel", when=region_can_join)
def new_leader_william_of_hesse_kassel(table: Table, side: str, card: str) -> Procedure:
    """P28: Hesse-Kassel joins, and William raises troops there; Kassel is a base from now on (17.G.1)."""
    yield from region_joins(table, side, card)


@event("new_leader_george_of_brunswick_luneburg", when=region_can_join)
def new_leader_george_of_brunswick_luneburg(table: Table, side: str, card: str) -> Procedure:
    """P29: Brunswick-Luneburg joins, and George raises troops there; Brunswick is a base from now on (17.G.1)."""
    yield from region_joins(table, side, card)


# --- leaders of nations in the war ---


def at_the_base(table: Table) -> list[str]:
    """C 17.Sw.1: the Swedish base, if it can be used and no enemy stands there in the open."""
    base = nations.swedish_base(table)
    return [base] if base is not None and base in free_of_enemies(table, PROTESTANT) else []


def sweden_has_a_base(table: Table, side: str, card: str) -> Refused | None:
    """Sweden is in the war and has a base."""
    if not nations.in_war(table, nations.SWEDISH):
        return Refused("sweden_is_not_in_the_war", "9.2", card=card)
    return somebody_can_come(table, side, card, at_the_base)


@event("torstensson_arrives", when=sweden_has_a_base)
def torstensson_arrives(table: Table, side: str, card: str) -> Procedure:
    """P44: Torstensson at the Swedish base with up to so many veterans (C 17.Sw.1)."""
    yield from arrive(table, side, card, at_the_base, fewer=True, section="C 17.Sw.1")


def with_swedes(table: Table) -> list[str]:
    """The spaces with Swedish units, and the Swedish base."""
    troops = {pieces.where(table, p) for p in pieces.on_map(table, nation=nations.SWEDISH) if pieces.is_unit(p)}
    spaces = [space for space in free_of_enemies(table, PROTESTANT) if space in troops]
    return list(dict.fromkeys([*spaces, *at_the_base(table)]))


def sweden_can_send(table: Table, side: str, card: str) -> Refused | None:
    """Sweden is in the war, and its leaders have where to go."""
    if not nations.in_war(table, nations.SWEDISH):
        return Refused("sweden_is_not_in_the_war", "9.2", card=card)
    return somebody_can_come(table, side, card, with_swedes)


@event("new_leaders_wrangel_konigsmarck", when=sweden_can_send)
def new_leaders_wrangel_konigsmarck(table: Table, side: str, card: str) -> Procedure:
    """P45: two leaders with Swedish units or at the base, and a veteran, if one is left."""
    yield from arrive(table, side, card, with_swedes)


def in_france(table: Table) -> list[str]:
    """The French spaces off the map."""
    return [space for space in atlas(table).spaces if atlas(table).is_off_map(space)]


def france_can_send(table: Table, side: str, card: str) -> Refused | None:
    """France is in the war."""
    if not nations.in_war(table, nations.FRENCH):
        return Refused("nation_is_not_in_the_war", "9.2", card=card, nation=nations.FRENCH)
    return somebody_can_come(table, side, card, in_france)


@event("new_leaders_conde_lhopital_gassion", when=france_can_send)
def new_leaders_conde_lhopital_gassion(table: Table, side: str, card: str) -> Procedure:
    """P46: three leaders and veterans in the French spaces off the map."""
    yield from arrive(table, side, card, in_france)
