"""3.1, 5.1: control of spaces, cities and regions, neutrality, electors, and what a change of hands brings.

Control is derived (`holder`): from the own marker of a space, a revolt there, and whose the region is. Nothing else is
stored. VP change here alone for regions, cities, electors, neutrality and wasted regions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.thirty_years_war import pieces, score
from pbem.games.thirty_years_war.map import CATHOLIC, CLOSED, NEUTRAL, PROTESTANT, SIDES, atlas, number, other
from pbem.table.procedure import Procedure, Table

REGION, CONTROL, KEPT, REVOLT, LOOT, WASTED = "region:", "control:", "kept:", "revolt:", "loot:", "wasted:"
MAJORITY, ALL = "award:majority", "award:all"

Trigger = Callable[[Table], Procedure]
"""2.15: one of the continuous triggers: does what is due now, and nothing where nothing is."""


# --- who holds what ---


def region_holder(table: Table, region: str) -> str | None:
    """2.42: the side that controls a region, or None."""
    held = table.board.state.get(REGION + region)
    return held if held in SIDES else None


def is_neutral(table: Table, region: str | None) -> bool:
    """5.13: whether the neutral marker of a region still lies there; an independent city (None) is no region."""
    return region is not None and table.board.state.get(REGION + region) == NEUTRAL


def is_closed(table: Table, region: str | None) -> bool:
    """11.31: whether a region is not open yet."""
    return region is not None and table.board.state.get(REGION + region) == CLOSED


def holder(table: Table, space: str) -> str | None:
    """2.19: the side that controls a space, or None for a neutral one: own marker, else revolt, else its region."""
    state = table.board.state
    own = state.get(CONTROL + space)
    if own is not None:
        return own
    region = atlas(table).region(space)
    if region is None or state.get(REVOLT + space):
        return None
    return region_holder(table, region)


def held_spaces(table: Table, region: str, side: str) -> list[str]:
    """The spaces of a region that a side controls; independent cities never count (3.13)."""
    return [space for space in atlas(table).spaces_of[region] if holder(table, space) == side]


def loot(table: Table, space: str) -> int:
    """15.22: the loot level of a space."""
    return table.board.state.get(LOOT + space, 0)


def set_loot(table: Table, space: str, level: int, *, why: str, section: str) -> None:
    """Set the loot level of a space."""
    table.set(LOOT + space, level or None, why=why, section=section)


def is_wasted(table: Table, region: str) -> bool:
    """15.24: whether every space of a region is at the highest loot level."""
    highest = table.kit.constants["highest_loot"]
    return all(loot(table, space) == highest for space in atlas(table).spaces_of[region])


def region_value(table: Table, region: str) -> int:
    """5.12, 15.24: the VP of a region as it stands: one less where every space is at Loot-2."""
    value = atlas(table).regions[region]["vp"] or 0
    return value - number(table, "vp_all_loot_2") if is_wasted(table, region) else value


# --- gaining ---


def gain(table: Table, space: str, side: str, why: str) -> None:
    """2.19, 3.1: a side takes control of a space, with all that follows: VP, region, markers, electors.

    `why` is a name of the phrases (``control, battle, overrun, siege, retreat, event``).
    """
    if holder(table, space) == side:
        return
    chart = atlas(table)
    region = chart.region(space)
    table.set(REVOLT + space, None, why=why, section="9.43")
    table.set(KEPT + space, None)
    if region is None:
        table.set(CONTROL + space, side, why=why, section="3.12")
        score.vp(table, score.in_favour(side, chart.spaces[space]["vp"] or 0), "city", "2.43", space)
        elector_check(table)
        return
    follows = region_holder(table, region) == side
    table.set(CONTROL + space, None if follows else side, why=why, section="3.11")
    level_check(table, region, side)
    if table.options["region_lost"] == "below_level":
        _below_level(table, region, other(side))


def level_check(table: Table, region: str, side: str) -> None:
    """3.13: a side that reaches the control level of a region takes it."""
    if not atlas(table).has_control_level(region) or region_holder(table, region) == side:
        return
    if len(held_spaces(table, region, side)) >= atlas(table).regions[region]["control_level"]:
        flip(table, region, side, why="level")


def _below_level(table: Table, region: str, side: str) -> None:
    """INT-06, option ``region_lost``: a side with fewer spaces than the level loses the region."""
    if region_holder(table, region) != side or not atlas(table).has_control_level(region):
        return
    if len(held_spaces(table, region, side)) < atlas(table).regions[region]["control_level"]:
        lose_region(table, region, why="below_level", section="3.13")


def flip(table: Table, region: str, side: str, *, why: str) -> None:
    """3.12, 3.13: a region comes to a side: VP once in its favour (T-020), and the markers are cleared.

    Spaces where units of the other side stand stay with it (INT-56), by option ``empty_fort`` its fortresses too
    (INT-07); a revolt stays a revolt (C 3.13).
    """
    loser = other(side)
    forts_stay = table.options["empty_fort"] == "stays"
    held = held_spaces(table, region, loser)
    kept = [space for space in held if pieces.units(table, space, loser)]
    fast = [space for space in held if forts_stay and atlas(table).is_fortress(space) and space not in kept]
    table.set(REGION + region, side, why=why, section="3.13")
    for space in atlas(table).spaces_of[region]:
        if space in kept:
            table.set(CONTROL + space, loser, why="kept", section="3.13")
            table.set(KEPT + space, True)
        elif space in fast:
            table.set(CONTROL + space, loser, why="kept", section="3.13")
        else:
            table.set(CONTROL + space, None)
            table.set(KEPT + space, None)
    score.vp(table, score.in_favour(side, region_value(table, region)), "region", "5.12", region)
    if table.board.state.get(WASTED + region):
        table.set(WASTED + region, side)
    elector_check(table)


def lose_region(table: Table, region: str, *, why: str, section: str) -> None:
    """9.42, INT-57: revolts cost a side its region: VP as before that control; his other spaces stay his."""
    side = region_holder(table, region)
    if side is None:
        return
    held = held_spaces(table, region, side)
    score.vp(table, score.in_favour(side, -region_value(table, region)), "region_lost", section, region)
    table.set(REGION + region, None, why=why, section=section)
    table.set(WASTED + region, None)
    if table.options["revolt_other_spaces"] == "holder":
        for space in held:
            table.set(CONTROL + space, side)
    elector_check(table)


def revolt(table: Table, space: str, *, why: str, section: str = "9.41") -> None:
    """9.42: a revolt breaks out in a space of a region: it is nobody's, and the region may be lost by it."""
    region = atlas(table).region(space)
    assert region is not None
    table.set(CONTROL + space, None)
    table.set(KEPT + space, None)
    table.set(REVOLT + space, True, why=why, section=section)
    side = region_holder(table, region)
    level = atlas(table).regions[region]["control_level"]
    if side is not None and level is not None and len(held_spaces(table, region, side)) < level:
        lose_region(table, region, why=why, section="9.42")


def restore_order(table: Table, space: str, side: str | None = None, *, why: str, section: str = "9.43") -> None:
    """9.43, INT-49: a revolt is put down; the space follows its region again, or by option ``revolt_put_down`` is that
    of the side that did it."""
    table.set(REVOLT + space, None, why=why, section=section)
    if side is not None and table.options["revolt_put_down"] == "clearer":
        gain(table, space, side, "order_restored")


def violate(table: Table, space: str, side: str) -> None:
    """5.13, 11.18: units of a side enter a neutral region: its marker goes for good, the other side gets the VP."""
    region = atlas(table).region(space)
    if not is_neutral(table, region):
        return
    assert region is not None
    table.set(REGION + region, None, why="violated", section="11.18")
    score.vp(table, score.in_favour(other(side), number(table, "vp_neutrality")), "violated", "5.13", region)


# --- electors ---


def electors(table: Table) -> dict[str, str | None]:
    """5.14: elector -> the side that has him, or None; electors are regions and independent cities."""
    chart = atlas(table)
    seat = table.board.state["palatine_elector"]
    held_by = {
        region: region_holder(table, region)
        for region, row in chart.regions.items()
        if row["elector"] == "always" or region == seat
    }
    return held_by | {city: holder(table, city) for city in chart.electoral_cities}


def elector_count(table: Table, side: str) -> int:
    """How many electors a side has."""
    return list(electors(table).values()).count(side)


def elector_check(table: Table) -> None:
    """5.141, C 5.14 (INT-04): the awards for a majority and for all electors.

    Each has a latch: it is lost only when the other side fulfils the condition, and paid again only after that. By
    option ``elector_awards`` it is given back as soon as the condition fails, as 5.141 prints it.
    """
    held = {side: elector_count(table, side) for side in SIDES}
    majority, everyone = number(table, "elector_majority"), number(table, "electors")
    if table.options["elector_awards"] == "returned":
        _returned_awards(table, held, majority, everyone)
        return
    has_majority, has_all = table.board.state.get(MAJORITY), table.board.state.get(ALL)
    if held[CATHOLIC] >= majority and has_majority != CATHOLIC:
        _award(table, MAJORITY, CATHOLIC, number(table, "vp_elector_majority"), "elector_majority")
    elif held[PROTESTANT] >= majority and has_majority == CATHOLIC:
        _award(table, MAJORITY, PROTESTANT, number(table, "vp_elector_majority_lost"), "elector_majority_lost")
    for side in SIDES:
        if held[side] == everyone and has_all != side:
            swings = table.options["elector_all_swing"] == "ten" and has_all == other(side)
            points = number(table, "vp_elector_all") * (2 if swings else 1)
            _award(table, ALL, side, score.in_favour(side, points), "all_electors")


def _award(table: Table, latch: str, side: str | None, change: int, reason: str) -> None:
    table.set(latch, side, section="5.141")
    score.vp(table, change, reason, "5.141")


def _returned_awards(table: Table, held: dict[str, int], majority: int, everyone: int) -> None:
    """5.141 as printed: an award stands as long as its condition."""
    has_majority, has_all = table.board.state.get(MAJORITY), table.board.state.get(ALL)
    if held[CATHOLIC] >= majority and has_majority != CATHOLIC:
        _award(table, MAJORITY, CATHOLIC, number(table, "vp_elector_majority"), "elector_majority")
    elif held[CATHOLIC] < majority and has_majority == CATHOLIC:
        _award(table, MAJORITY, None, -number(table, "vp_elector_majority"), "elector_majority_lost")
    has = next((side for side in SIDES if held[side] == everyone), None)
    if has != has_all:
        points = number(table, "vp_elector_all")
        if has_all is not None:
            _award(table, ALL, None, score.in_favour(has_all, -points), "all_electors_lost")
        if has is not None:
            _award(table, ALL, has, score.in_favour(has, points), "all_electors")


# --- 2.15: what is looked at after every step ---

_SETTLED = "triggers have run"


def triggers(table: Table) -> Procedure:
    """2.15: the continuous triggers, until nothing more follows; each module's are listed in `room.RULES`.

    On a board on which nothing has changed since they last ran there is nothing to do.
    """
    while _SETTLED not in table.kept():
        before = table.board.changes
        for trigger in table.game.rules.triggers:
            yield from trigger(table)
        if before == table.board.changes:
            table.kept()[_SETTLED] = True


def kept_spaces(table: Table) -> Procedure:
    """3.13, INT-56: an unfortified space that a side kept only by its units follows the region when they are gone."""
    for name in [name for name in table.board.state if name.startswith(KEPT)]:
        space = name.removeprefix(KEPT)
        side = table.board.state.get(CONTROL + space)
        if side is None or not pieces.units(table, space, side):
            table.set(name, None)
            region = atlas(table).region(space)
            holds = region_holder(table, region) if region else None
            follows = table.options["spaces_held_by_units"] == "follow"
            if follows and side is not None and holds == other(side) and not atlas(table).is_fortress(space):
                gain(table, space, holds, "kept_no_more")
    yield from ()


def wasted_regions(table: Table) -> Procedure:
    """15.24, INT-23: a controlled region with every space at Loot-2 costs its holder a point, until one recovers.

    By option ``loot_everywhere`` its lower value counts only when it changes hands.
    """
    if table.options["loot_everywhere"] == "on_change":
        return
    points = number(table, "vp_all_loot_2")
    for region in atlas(table).regions:
        if not atlas(table).has_control_level(region):
            continue
        side, marked = region_holder(table, region), table.board.state.get(WASTED + region)
        if side and not marked and is_wasted(table, region):
            table.set(WASTED + region, side, section="15.24")
            score.vp(table, score.in_favour(side, -points), "wasted", "15.24", region)
        elif marked and not is_wasted(table, region):
            table.set(WASTED + region, None, section="15.24")
            score.vp(table, score.in_favour(marked, points), "wasted_no_more", "15.24", region)
    yield from ()


TRIGGERS: Sequence[Trigger] = (kept_spaces, wasted_regions)
