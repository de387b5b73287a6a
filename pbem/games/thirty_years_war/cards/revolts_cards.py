"""The cards of peasant revolts in Germany, Austria and Bavaria: C20, C37, P14 and P40 (9.4)."""

from __future__ import annotations

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.cards import event
from pbem.games.thirty_years_war.cards.common import row
from pbem.games.thirty_years_war.cards.orders import choose_space
from pbem.games.thirty_years_war.control import REVOLT
from pbem.games.thirty_years_war.map import atlas, other
from pbem.games.thirty_years_war.upkeep import supply
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

SECTION = "9.41"
GERMANY, BASES = "germany", "protestant_bases"
"""What the kit's ``target`` and ``exclude`` say in place of a region and a space."""


def peasant_revolt(table: Table, side: str, card: str) -> Procedure:
    """9.41, 9.42: a revolt breaks out in a space of the area that the card names."""
    space = yield from choose_space(
        table, side, lambda table: _restless(table, side, card), kind="event_space", section=SECTION, card=card
    )
    table.tell("revolt", space=space, card=card, section=SECTION)
    control.revolt(table, space, why=card, section=SECTION)


def _restless(table: Table, side: str, card: str) -> list[str]:
    """9.41: the spaces of the area without enemy units (INT-62), but those that the card leaves out and where a revolt
    goes on already. Never an independent city (T-329)."""
    text, enemy = row(table, card), other(side)
    left_out = _bases(table, enemy) if text["exclude"] == BASES else [text["exclude"]]
    return [
        space
        for space in atlas(table).spaces
        if _in_area(table, space, text["target"], enemy)
        and space not in left_out
        and not table.board.state.get(REVOLT + space)
        and not _is_held_down(table, space, enemy)
    ]


def _is_held_down(table: Table, space: str, enemy: str) -> bool:
    """9.41, INT-62: whether an enemy unit stands in a space; by option ``revolt_enemies`` it takes a leader with it."""
    if not pieces.units(table, space, enemy):
        return False
    return table.options["revolt_enemies"] == "unit" or bool(pieces.leaders(table, space, enemy))


def _in_area(table: Table, space: str, area: str, enemy: str) -> bool:
    """Germany: the regions there that the enemy controls (C 2.0.B); else the region of this name."""
    region = atlas(table).region(space)
    if area != GERMANY:
        return region == area
    if region is None or not atlas(table).spaces[space]["germany"]:
        return False
    return control.region_holder(table, region) == enemy


def _bases(table: Table, side: str) -> list[str]:
    """17: the bases of the nations of a side."""
    nations = table.kit.tables["nations"]
    return [space for id, nation in nations.items() if nation["side"] == side for space in supply.home_bases(table, id)]


def somewhere_to_revolt(table: Table, side: str, card: str) -> Refused | None:
    """9.41: a space of the area can revolt."""
    return None if _restless(table, side, card) else Refused("no_space_to_revolt", SECTION, card=card)



@event("peasant_revolts_in_germany_austria_bavaria_c20", when=somewhere_to_revolt)
def peasant_revolts_in_germany_austria_bavaria_c20(table: Table, side: str, card: str) -> Procedure:
    """C20: see `peasant_revolt`."""
    yield from peasant_revolt(table, side, card)


@event("peasant_revolts_in_germany_austria_bavaria_c37", when=somewhere_to_revolt)
def peasant_revolts_in_germany_austria_bavaria_c37(table: Table, side: str, card: str) -> Procedure:
    """C37: see `peasant_revolt`."""
    yield from peasant_revolt(table, side, card)


@event("peasant_revolts_in_germany_austria_bavaria_p14", when=somewhere_to_revolt)
def peasant_revolts_in_germany_austria_bavaria_p14(table: Table, side: str, card: str) -> Procedure:
    """P14: see `peasant_revolt`."""
    yield from peasant_revolt(table, side, card)


@event("peasant_revolts_in_germany_austria_bavaria_p40", when=somewhere_to_revolt)
def peasant_revolts_in_germany_austria_bavaria_p40(table: Table, side: str, card: str) -> Procedure:
    """P40: see `peasant_revolt`."""
    yield from peasant_revolt(table, side, card)
