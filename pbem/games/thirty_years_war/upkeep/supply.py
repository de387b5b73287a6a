"""15.14, 15.15, 17: bases of supply, home pay, and the lines of communication from a unit to a base of its nation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.combat import siege
from pbem.games.thirty_years_war.map import CATHOLIC, PROTESTANT, atlas, other
from pbem.games.thirty_years_war.politics import nations
from pbem.table.kit import Kit
from pbem.table.procedure import Table, while_unchanged

SWEDISH_BASE = "swedish_base"


# --- bases ---


def printed_bases(table: Table, nation: str) -> list[str]:
    """17: the spaces that are bases of a nation, or can become such, whoever holds them."""
    bases = list(_bases_of_kit(table.kit)[nation])
    if nation == nations.GERMAN:
        bases = [space for space in bases if _region_in_the_war(table, space)]
    port = table.board.state.get(SWEDISH_BASE)
    if nation == nations.SWEDISH and port:
        bases.append(port)
    return bases


def _bases_of_kit(kit: Kit) -> Mapping[str, Sequence[str]]:
    """Nation -> the spaces that the kit calls bases of it; shared, nobody may change it."""
    if "bases" not in kit.worked_out:
        spaces = kit.tables["spaces"].items()
        kit.worked_out["bases"] = {
            nation: [space for space, row in spaces if row["base_of"] == nation] for nation in kit.tables["nations"]
        }
    return kit.worked_out["bases"]


def _region_in_the_war(table: Table, space: str) -> bool:
    """17.G.1: a base counts once its region has come into the war: its neutral marker is gone."""
    return not control.is_neutral(table, atlas(table).region(space))


def nations_serving(nation: str) -> list[str]:
    """17: whose bases serve the units of a nation: its own, and for some those of others."""
    if nation in (nations.GERMAN, nations.ENGLISH, nations.HUNGARIAN):
        return [nations.GERMAN, nations.SWEDISH]  # 17.G.1, 17.E.2, 17.H.1
    return [nation]


def is_open(table: Table, space: str, nation: str) -> bool:
    """15.15, 17: whether a base of a nation can be used now."""
    if nation == nations.DANISH:
        return not pieces.units(table, space, CATHOLIC)  # 17.D.1
    if nation == nations.SWEDISH:
        return space in nations.swedish_ports(table)  # 17.Sw.1, INT-48
    side = table.kit.tables["nations"][nation]["side"]
    if nation == nations.SAXON:
        side = table.board.state["saxony"]
    return control.holder(table, space) == side


def open_bases(table: Table, nation: str) -> list[str]:
    """15.15: the bases that serve the units of a nation and can be used now."""
    return [
        space
        for served in nations_serving(nation)
        for space in printed_bases(table, served)
        if is_open(table, space, served)
    ]


def home_bases(table: Table, nation: str) -> list[str]:
    """5.32, INT-77: the bases of a nation, lost ones too."""
    return [space for served in nations_serving(nation) for space in printed_bases(table, served)]


@while_unchanged
def all_bases(table: Table) -> frozenset[str]:
    """INT-79: the spaces that are a base of any nation at this moment."""
    return frozenset(space for nation in table.kit.tables["nations"] for space in home_bases(table, nation))


def supplied_as(table: Table, unit: str) -> str:
    """17: as a unit of which nation a unit is supplied: by the leaders it stands with, and where it has been.

    Germans in an army led by Swedes count as Swedes (17.Sw.2); the army of the Cardinal Infant is supplied like
    Imperial troops until it has come into the Spanish zone (17.Sp.1).
    """
    nation, marks = pieces.nation_of(table, unit), table.board.pieces[unit]
    if nation == nations.SPANISH and marks.get(nations.INFANT):
        return nations.IMPERIAL
    if nation in (nations.GERMAN, nations.ENGLISH) and _is_led_by_swedes(table, unit):
        return nations.SWEDISH
    return nation


def _is_led_by_swedes(table: Table, unit: str) -> bool:
    """17.Sw.2: whether the leader who would command the stack of a unit is a Swede."""
    inside = pieces.is_inside(table, unit)
    leaders = pieces.leaders(table, pieces.where(table, unit), PROTESTANT, inside=inside)
    if not leaders:
        return False
    first = max(leaders, key=lambda leader: (pieces.stars(table, leader), pieces.leader_row(table, leader)["battle"]))
    return pieces.nation_of(table, first) == nations.SWEDISH


# --- home pay ---


def is_home_paid(table: Table, unit: str) -> bool:
    """15.12: whether a unit is paid where it stands, by the place alone (INT-75, option home_pay).

    Never inside a besieged fortress (15.133).
    """
    space = pieces.where(table, unit)
    chart = atlas(table)
    if space in chart.boxes:
        return True  # 16.21
    if is_besieged(table, unit):
        return False
    nation, region = pieces.nation_of(table, unit), chart.region(space)
    if nation == nations.DANISH:
        return has_line(table, unit)  # 17.D.1
    if nation == nations.SPANISH and table.board.pieces[unit].get(nations.INFANT):
        return False
    if region is None or chart.regions[region]["home_nation"] != nation:
        return False
    return table.options["home_pay"] == "place" or control.holder(table, space) == pieces.side_of(table, unit)


def is_besieged(table: Table, piece: str) -> bool:
    """15.133: whether a piece is inside a fortress that is under a siege marker."""
    return siege.is_besieged(table, piece)


# --- lines of communication ---


def has_line(table: Table, unit: str) -> bool:
    """15.14: whether a unit can trace a line to an open base of its nation."""
    space, nation = pieces.where(table, unit), supplied_as(table, unit)
    side = pieces.side_of(table, unit)
    bases = open_bases(table, nation)
    if space in bases:
        return True
    reached = _reached(table, space, side)
    return any(base in reached and not closes_way(table, base, other(side)) for base in bases)


@while_unchanged
def _reached(table: Table, space: str, side: str) -> frozenset[str]:
    """15.14: the spaces that a side reaches from a space along spaces that carry a line; the last may carry none."""
    chart = atlas(table)
    if not carries_line(table, space, side):
        return frozenset()
    reached, edge = {space}, [space]
    while edge:
        following = []
        for here in edge:
            if not carries_line(table, here, side):
                continue
            for near in chart.neighbours[here]:
                if near not in reached:
                    reached.add(near)
                    following.append(near)
        edge = following
    return frozenset(reached)


def carries_line(table: Table, space: str, side: str) -> bool:
    """15.14, INT-51: whether a line may go through a space: its side controls it, or besieges or masks its fortress
    (C 13.14), and no enemy unit stands there in the open."""
    chart = atlas(table)
    if space in chart.boxes or control.is_closed(table, chart.region(space)):
        return False
    if closes_way(table, space, other(side)):
        return False
    if control.holder(table, space) == side:
        return True
    return chart.is_fortress(space) and bool(pieces.units(table, space, side, inside=False))


def closes_way(table: Table, space: str, side: str) -> bool:
    """15.14, INT-51: whether a side closes a space to the lines of the other: by a unit in the open, besieging, masking
    or neither (option enemy_closes_way: by an army, with a leader)."""
    if not pieces.units(table, space, side, inside=False):
        return False
    return table.options["enemy_closes_way"] == "unit" or bool(pieces.leaders(table, space, side, inside=False))
