"""The cards of politics: C6, C12, C17, C19, P21 to P23 and P35 (5.14, 17.A.2, C 8.6)."""

from __future__ import annotations

from pbem.games.thirty_years_war import control, pieces, score
from pbem.games.thirty_years_war.cards import event
from pbem.games.thirty_years_war.cards.common import (
    forces,
    nations_of,
    number,
    place,
    row,
)
from pbem.games.thirty_years_war.cards.orders import choose_leader, room_for_units
from pbem.games.thirty_years_war.combat import siege
from pbem.games.thirty_years_war.map import CATHOLIC, atlas
from pbem.games.thirty_years_war.politics import nations, saxony
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

SECTION = "8.6"


def points(table: Table, card: str, name: str = "vp") -> None:
    """A card changes the victory points."""
    score.vp(table, number(table, card, name), "event", SECTION, card)


# --- the Emperor and the electors ---


def emperor_is_strong(table: Table, side: str, card: str) -> Refused | None:
    """C6: so many VP, and so many electors on the Catholic side."""
    needed, held = number(table, card, "vp_needed"), score.total(table)
    if held < needed:
        return Refused("too_few_vp", SECTION, card=card, vp=held, needed=needed)
    electors = control.elector_count(table, side)
    least = number(table, card, "electors_needed")
    if electors < least:
        return Refused("too_few_electors", SECTION, card=card, electors=electors, needed=least)
    return None


@event("edict_of_restitution", when=emperor_is_strong)
def edict_of_restitution(table: Table, side: str, card: str) -> None:
    """C6: VP; P35 may be played without Sweden from now on, and scenario 1 can be won (18.14)."""
    points(table, card)


def region_is_held(table: Table, side: str, card: str) -> Refused | None:
    """C12: the side controls the region of the card."""
    region = place(table, card)
    if control.region_holder(table, region) == side:
        return None
    return Refused("region_not_held", "5.142", card=card, region=region)


@event("frederick_of_palatinate_deposed_as_elector", when=region_is_held)
def frederick_of_palatinate_deposed_as_elector(table: Table, side: str, card: str) -> None:
    """C12: the vote of the Lower Palatinate goes to Bavaria for good; the awards are looked at at once (5.142)."""
    after = table.kit.constants["places"]["palatinate_elector_after"]
    table.set("palatine_elector", after, why=card, section="5.142")
    if number(table, card, "vp"):
        points(table, card)
    control.elector_check(table)


@event("ferdinand_iii_becomes_holy_roman_emperor")
def ferdinand_iii_becomes_holy_roman_emperor(table: Table, side: str, card: str) -> None:
    """P21: VP for an election with a Catholic majority of electors, else as many less; takes effect always (C 8.6)."""
    majority = control.elector_count(table, CATHOLIC) >= number(table, card, "electors_needed")
    points(table, card, "vp_majority" if majority else "vp_no_majority")


def leader_is_away(table: Table, card: str) -> Refused | None:
    """The leader that a card names is not on the map."""
    for leader in row(table, card)["leaders"]:
        if pieces.where(table, pieces.leader_piece(table, leader)) in atlas(table).spaces:
            return Refused("leader_is_on_the_map", SECTION, card=card, leader=leader)
    return None


def wallenstein_is_away(table: Table, side: str, card: str) -> Refused | None:
    """C19: Wallenstein is not on the map."""
    return leader_is_away(table, card)


@event("elector_maximilian", when=wallenstein_is_away)
def elector_maximilian(table: Table, side: str, card: str) -> None:
    """C19: Imperial and Bavarian pieces may stand together from now on (17.A.2, `nations.conflict`).

    Neither recruits in the other's land all the same (17.A.3).
    """


# --- Saxony ---


def saxony_may_join(table: Table, side: str, card: str) -> Refused | None:
    """Saxony is on the other side, and not all its spaces are occupied by its friends there (C 9.2)."""
    region = place(table, card)
    if table.board.state["saxony"] == side:
        return Refused("saxony_is_yours", "C 8.6", card=card)
    if not saxony.open_spaces(table, region):
        return Refused("every_space_is_occupied", "C 9.2", card=card, region=region)
    return None


def saxony_may_join_the_emperor(table: Table, side: str, card: str) -> Refused | None:
    """C17: Saxony is Protestant, and Gustavus Adolphus is not on the map."""
    return saxony_may_join(table, side, card) or leader_is_away(table, card)


def saxony_may_join_the_swedes(table: Table, side: str, card: str) -> Refused | None:
    """P35: Saxony is Catholic, and Sweden is in the war or C6 was an event."""
    edict = table.kit.constants["cards"]["edict_of_restitution"]
    if not nations.in_war(table, nations.SWEDISH) and not nations.happened(table, edict):
        return Refused("neither_sweden_nor_edict", SECTION, card=card, event=edict)
    return saxony_may_join(table, side, card)


@event("saxony_switches_sides_c17", when=saxony_may_join_the_emperor)
def saxony_switches_sides_c17(table: Table, side: str, card: str) -> Procedure:
    """C17: Saxony joins the Catholics (C 8.6, C 9.2)."""
    yield from saxony.switch(table, side, card)


@event("saxony_switches_sides_p35", when=saxony_may_join_the_swedes)
def saxony_switches_sides_p35(table: Table, side: str, card: str) -> Procedure:
    """P35: Saxony joins the Protestants (C 8.6, C 9.2)."""
    yield from saxony.switch(table, side, card)


# --- Magdeburg and Heilbronn ---


def space_is_catholic(table: Table, side: str, card: str) -> Refused | None:
    """P22: the Catholic controls the space of the card."""
    space = place(table, card)
    if control.holder(table, space) == CATHOLIC:
        return None
    return Refused("not_catholic", SECTION, card=card, space=space)


@event("sack_of_magdeburg", when=space_is_catholic)
def sack_of_magdeburg(table: Table, side: str, card: str) -> None:
    """P22: VP, and Magdeburg lies waste."""
    points(table, card)
    control.set_loot(table, place(table, card), number(table, card, "loot"), why=card, section=SECTION)


def sweden_is_in(table: Table, side: str, card: str) -> Refused | None:
    """P23: Sweden is in the war."""
    return None if nations.in_war(table, nations.SWEDISH) else Refused("sweden_is_not_in_the_war", SECTION, card=card)


@event("treaty_of_heilbronn", when=sweden_is_in)
def treaty_of_heilbronn(table: Table, side: str, card: str) -> Procedure:
    """P23: VP, and Protestant mercenaries with a Swedish or German leader who is not besieged.

    Where he stands in a neutral region they violate it, as recruits do (INT-19).
    """
    points(table, card)
    _, units = forces(table, card)
    if not any(pieces.available(table, kind) for kind in units):
        return
    leader = yield from choose_leader(
        table, side, lambda table: _recruiters(table, side, card), kind="event_leader", section=SECTION, card=card
    )
    if leader is None:
        return
    piece = pieces.leader_piece(table, leader)
    space, inside = pieces.where(table, piece), pieces.is_inside(table, piece)
    control.violate(table, space, side)
    for kind, most in units.items():
        for _ in range(min(most, room_for_units(table, side, space))):
            pieces.place(table, kind, space, inside=inside, why=card, section=SECTION)


def _may_not_recruit_there(table: Table, space: str) -> bool:
    """INT-19: whether new units are barred from a space for its neutrality (option ``recruit_in_neutral``)."""
    neutral = control.is_neutral(table, atlas(table).region(space))
    return neutral and table.options["recruit_in_neutral"] == "forbidden"


def _recruiters(table: Table, side: str, card: str) -> list[str]:
    """The leaders of the card's nations who are not besieged, with room for a unit."""
    return [
        pieces.face_of(table, piece)
        for piece in pieces.on_map(table, side)
        if pieces.is_leader(piece)
        and pieces.nation_of(table, piece) in nations_of(table, card)
        and not siege.is_besieged(table, piece)
        and not _may_not_recruit_there(table, pieces.where(table, piece))
        and room_for_units(table, side, pieces.where(table, piece))
    ]

