"""18.2 to 18.4: the religion of spaces. Who may be converted, with how many dice, what follows; asks nobody.

A side is ``protestant`` or ``catholic``. Marks that cards set for the rest of the turn: ``turn:printing_press`` (90),
``turn:augsburg_confession`` (39), ``turn:wartburg`` (37).
"""

from __future__ import annotations

from functools import cache

from pbem.games.here_i_stand.places import ELECTORATE, OFF, REMOVED
from pbem.games.reformation.atlas import atlas, atlas_of
from pbem.games.reformation.forces import count_land, land_owners
from pbem.games.reformation.ground import (
    controller,
    home_of,
    in_play,
    in_unrest,
    inside,
    religion,
    set_religion,
    siege_of,
    space_of,
)
from pbem.table.kit import Kit
from pbem.table.procedure import Table

PROTESTANT, PAPACY, ENGLAND = "protestant", "papacy", "england"
CATHOLIC = "catholic"
"""The side; the Protestant side has the name of its power."""
ALL = "all"
"""The zone of attempts that target every language zone."""


def other_side(side: str) -> str:
    """The other one of the two sides."""
    return CATHOLIC if side == PROTESTANT else PROTESTANT


# --- converting ---


def convert(table: Table, space: str, side: str, **more: object) -> None:
    """Turn a space; an electorate that becomes Protestant receives its regulars (18.3, 21.6)."""
    set_religion(table, space, side, **more)
    electorate_troops(table, space)


def electorate_troops(table: Table, space: str) -> None:
    """21.6: regulars of the display enter when the electorate is first Protestant; after the league in control too.

    To be called as well when the Protestant wins control of an electorate. In a besieged one they join the garrison as
    far as there is room; the rest waits on the display.
    """
    place = ELECTORATE + space
    number = table.board.count(place, PROTESTANT, "regular")
    if not number or religion(table, space) != PROTESTANT:
        return
    if table.board.state.get("league") and controller(table, space) != PROTESTANT:
        return
    where = space
    if siege_of(table, space):
        where = inside(space)
        room = table.kit.constants["garrison_limit"] - count_land(table, where, land_owners(table, where))
        number = max(0, min(number, room))
    table.move(PROTESTANT, "regular", number, place, where, why="electorate_troops", section="21.6")


def settle_electorates(table: Table) -> None:
    """21.6: regulars that waited for control come, however it was won: cession, peace, a card."""
    for space in atlas(table).electorates:
        electorate_troops(table, space)


# --- who takes sides (18.2) ---


def allegiance(table: Table, owner: str) -> str | None:
    """18.2, T-19: the side that an owner's land units take; None for those that take none.

    A major power's follows from its ruler. Minor powers and independents are Catholic; Scotland, while England's ally,
    is as England.
    """
    if owner in table.board.powers:
        side = table.kit.tables["rulers"][table.board.state["ruler"][owner]]["troops"]
        return None if side == "none" else side
    ally = table.board.state.get("minor_ally", {}).get(owner)
    if ally and table.kit.constants["allied_minor_follows"].get(owner) == ally:
        return allegiance(table, ally)
    return CATHOLIC


def has_stack(table: Table, space: str, side: str) -> bool:
    """Whether land units of a side are in a space, within walls or without; one unit is a stack (18.3)."""
    return any(
        allegiance(table, owner) == side for place in (space, inside(space)) for owner in land_owners(table, place)
    )


def reformer_in(table: Table, space: str) -> str | None:
    """The reformer in a space."""
    for reformer in table.kit.tables["reformers"]:
        if table.board.pieces[f"reformer:{reformer}"]["at"] == space:
            return reformer
    return None


def has_university(table: Table, space: str) -> bool:
    """Whether there is a Jesuit university in a space."""
    return bool(table.board.state.get(f"university:{space}"))


def has_champion(table: Table, space: str, side: str) -> bool:
    """A reformer for the Protestant side, a Jesuit university for the Catholic one."""
    return reformer_in(table, space) is not None if side == PROTESTANT else has_university(table, space)


# --- targets and dice ---


def zone_of(table: Table, space: str) -> str | None:
    """The language zone of a space; None for a space outside of all."""
    return atlas(table).spaces[space]["language"] or None


def in_zone(table: Table, space: str, zone: str | None) -> bool:
    """Whether a space lies in the targeted zone or zones."""
    return zone_of(table, space) is not None and zone in (ALL, zone_of(table, space))


def eligible(table: Table, space: str, side: str) -> bool:
    """18.3, 18.4 step 1: whether a space may be the target of an attempt to turn it to a side.

    It is of the other side and holds the side's reformer or university, or is next to a calm space of the side (also
    over a pass), or is a port on a sea zone with a calm port of the side.
    """
    if religion(table, space) != other_side(side) or not in_play(table, space):
        return False
    if has_champion(table, space, side):
        return True
    chart = atlas(table)
    if any(_is_calm(table, near, side) for near in chart.neighbours[space]):
        return True
    return any(
        port != space and _is_calm(table, port, side) for zone in chart.ports[space] for port in chart.ports_on[zone]
    )


def _is_calm(table: Table, space: str, side: str) -> bool:
    return religion(table, space) == side and not in_unrest(table, space)


def eligible_spaces(table: Table, side: str) -> list[str]:
    """All spaces that may be the target of an attempt to turn them to a side, in the order of the kit."""
    return [space for space in atlas(table).spaces if eligible(table, space, side)]


def base_dice(table: Table, space: str, side: str) -> dict[str, int]:
    """18.3, 18.4 steps 2 and 6: the dice of a side for a target, by where they come from; at least the minimum.

    Neighbours over a pass or in unrest give nothing; neither side loses what it has in the target itself.
    """
    constants = table.kit.constants
    near = [other for other in atlas(table).open[space] if not in_unrest(table, other)]
    champion = "reformers" if side == PROTESTANT else "universities"
    dice = {
        "adjacent_spaces": constants["reformation_space_dice"]
        * sum(1 for other in near if religion(table, other) == side),
        f"adjacent_{champion}": constants["reformation_reformer_dice"]
        * sum(1 for other in near if has_champion(table, other, side)),
        "adjacent_stacks": constants["reformation_stack_dice"]
        * sum(1 for other in near if has_stack(table, other, side)),
        f"{champion}_in_space": constants["reformation_reformer_in_space_dice"] * has_champion(table, space, side),
        "stack_in_space": constants["reformation_stack_in_space_dice"] * has_stack(table, space, side),
    }
    of_sources = {source: number for source, number in dice.items() if number}
    missing = constants["reformation_minimum_dice"] - sum(of_sources.values())
    if missing > 0:
        of_sources["minimum"] = missing
    return of_sources


# --- distances ---


@cache
def _steps(kit: Kit, start: str) -> dict[str, int]:
    chart = atlas_of(kit)
    reached = {start: 0}
    edge = [start]
    while edge:
        following = []
        for space in edge:
            for near in chart.neighbours[space]:
                if near not in reached:
                    reached[near] = reached[space] + 1
                    following.append(near)
        edge = following
    return reached


def within(table: Table, centre: str, radius: int, space: str) -> bool:
    """Whether a space is at most so many land connections (passes included) from another one."""
    return _steps(table.kit, space_of(centre)).get(space, radius + 1) <= radius


def is_home(table: Table, space: str, owners: list[str] | tuple[str, ...]) -> bool:
    """Whether a space is a home space of one of these powers."""
    return home_of(table, space) in owners


# --- reformers ---


def reformer_leaves(table: Table, reformer: str, *, for_good: bool, **more: object) -> None:
    """8.2: a reformer and his debater leave the map, for the turn (the debater committed) or for good.

    Those who leave for the turn come back in the next Card Draw phase (`sequence.entry`); one who is out of
    the game already stays so.
    """
    where = REMOVED if for_good else OFF
    piece = table.board.pieces[f"reformer:{reformer}"]
    if piece["at"] != REMOVED:
        entered = piece.get("entered", False) or piece["at"] != OFF
        table.put(f"reformer:{reformer}", where, **more, entered=entered)  # type: ignore[arg-type]
    for debater, row in table.kit.tables["debaters"].items():
        piece = table.board.pieces[f"debater:{debater}"]
        if row["reformer"] == reformer and piece["at"] != REMOVED:
            table.put(f"debater:{debater}", where, **more, committed=True)  # type: ignore[arg-type]
