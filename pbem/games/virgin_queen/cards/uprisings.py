"""Cards of unrest (12.4): 60, 69, 72, 75, 104, 108."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.card_help import number, occupied, others_first, unrest_on
from pbem.games.reformation.forces import can_add, count_land, own_owners
from pbem.games.reformation.ground import (
    controller,
    home_owners,
    home_spaces,
    in_unrest,
    inside,
    set_unrest,
    steps_from,
)
from pbem.games.reformation.marks import mark, set_mark
from pbem.games.reformation.relations import major_of
from pbem.games.virgin_queen.cards import event, playable
from pbem.games.virgin_queen.cards.common import in_unrest_among, names, remove_unrest, resolver, spaces_in
from pbem.games.virgin_queen.powers import minors
from pbem.games.virgin_queen.powers.majors import OTTOMAN, SPAIN
from pbem.games.virgin_queen.religion.rebellion import NO_REBELLION
from pbem.games.virgin_queen.victory.score import REGIONS
from pbem.games.virgin_queen.war.land import BUILDS_IN
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

MORISCOS, PORTUGAL = "moriscos", "portugal"

# --- 60 ---


def _held_by_others(table: Table, owner: str) -> list[str]:
    """60: the calm, unoccupied home spaces of a power that another one controls; an ally of a minor is no other one."""
    master = major_of(table.board, owner) or owner
    return [
        space
        for space in home_spaces(table, owner)
        if (holder := controller(table, space)) is not None
        and (major_of(table.board, holder) or holder) != master
        and not in_unrest(table, space)
        and not occupied(table, space)
    ]


def _masters(table: Table) -> list[str]:
    """60: the powers, minor ones too, that have such spaces; the factions' home spaces are the Protestant's."""
    return [owner for owner in atlas(table).owners if owner not in atlas(table).independents]


def _uprising_spaces(table: Table, chosen: Sequence[str]) -> list[str]:
    """60: where unrest can come: spaces of one power; what is chosen already tells whose they may still be."""
    masters = [one for one in _masters(table) if all(_is_of(table, space, one) for space in chosen)]
    among = {space for one in masters for space in _of_power(table, one)}
    return [space for space in atlas(table).spaces if space in among]


def _is_of(table: Table, space: str, power: str) -> bool:
    return power in _powers_of(table, space)


def _powers_of(table: Table, space: str) -> list[str]:
    """The powers whose home space a space is; one of a faction is that of its power."""
    return [atlas(table).faction_of.get(owner, owner) for owner in home_owners(table, space)]


def _of_power(table: Table, power: str) -> list[str]:
    owners = [one for one in atlas(table).owners if one == power or atlas(table).faction_of.get(one) == power]
    return [space for owner in owners for space in _held_by_others(table, owner)]


@event("homeland_uprising")
def homeland_uprising(table: Table, power: str, moment: Moment) -> Procedure:
    """60: unrest in up to 3 unoccupied home spaces of one power that another power controls (12.4)."""
    chosen: list[str] = []
    for turn in range(number(table, 60, "unrest")):
        space = yield from choose(
            table,
            power,
            "space",
            lambda t: _uprising_spaces(t, chosen),
            optional=turn > 0,
            section="12.4",
            number=60,
        )
        if space is None:
            return
        chosen.append(space)
        set_unrest(table, space, True, why="card", section="12.4")


@playable("homeland_uprising")
def _homeland_uprising(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _uprising_spaces(table, []) else Refused("no_homeland_to_rise", "12.4")


# --- 69 ---


def _near_granada(table: Table) -> dict[str, int]:
    """69: the centre of the revolt and the spaces near it, with their distance, the nearest first."""
    (centre,) = names(table, 69, "centre")
    spaces = atlas(table).spaces
    steps = steps_from(table, centre, lambda place: place in spaces)
    near = [space for space in spaces if steps.get(space, 99) <= number(table, 69, "distance")]
    return {space: steps[space] for space in sorted(near, key=lambda space: steps[space])}


def morisco_spaces(table: Table) -> list[str]:
    """69: where the Morisco unit comes: Granada, or the nearest space near it without Spanish land units."""
    near = _near_granada(table)
    free = [space for space in near if not _spanish_land(table, space)]
    least = min((near[space] for space in free), default=0)
    size = number(table, 69, "regulars")
    return [space for space in free if near[space] == least and can_add(table, MORISCOS, "regular", space, size)]


def _spanish_land(table: Table, space: str) -> bool:
    return any(own_owners(table, place, SPAIN) for place in (space, inside(space)))


def _restless(table: Table) -> list[str]:
    """69: the Spanish home spaces near Granada where the Moriscos can bring unrest."""
    return [space for space in _near_granada(table) if SPAIN in home_owners(table, space)]


@event("morisco_revolt")
def morisco_revolt(table: Table, power: str, moment: Moment) -> Procedure:
    """69: unrest in up to 3 unoccupied Spanish home spaces near Granada, and the Morisco unit comes (12.4, 23.1).

    No war begins: 9.4 does not list the card. The unit is worth 2 and nobody's but the Ottoman's.
    """
    who = resolver(table, OTTOMAN, power)
    yield from unrest_on(table, who, number(table, 69, "unrest"), _restless(table), up_to=True, card=69)
    space = yield from choose(table, who, "space", morisco_spaces, section="23.1", number=69)
    if space is not None:
        # One counter worth so many units: they come together or not at all.
        table.place(MORISCOS, "regular", space, number(table, 69, "regulars"), why="card", section="23.1")


@playable("morisco_revolt")
def _morisco_revolt(table: Table, power: str, moment: Moment) -> Refused | None:
    if morisco_spaces(table) or any(not in_unrest(table, s) and not occupied(table, s) for s in _restless(table)):
        return None
    return Refused("moriscos_quiet", "23.1")


# --- 72 ---


def _calm_in(table: Table, regions: Sequence[str]) -> list[str]:
    return [space for region in regions for space in spaces_in(table, region) if not in_unrest(table, space)]


@event("pamphlet_war")
def pamphlet_war(table: Table, power: str, moment: Moment) -> Procedure:
    """72: unrest in one space in each of two different regions, occupied or not."""
    regions = list(REGIONS)
    for _ in range(number(table, 72, "regions")):
        space = yield from choose(
            table, power, "space", lambda t: others_first(t, power, _calm_in(t, regions)), section="12.4", number=72
        )
        if space is None:
            return
        set_unrest(table, space, True, why="card", section="12.4")
        regions.remove(atlas(table).spaces[space]["region"])


@playable("pamphlet_war")
def _pamphlet_war(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _calm_in(table, REGIONS) else Refused("no_calm_space_in_regions", "12.4")


# --- 75 ---


def _egypt_without_troops(table: Table) -> bool:
    """75: whether the Ottoman has no land unit in the spaces of Egypt."""
    places = [place for space in names(table, 75, "spaces") for place in (space, inside(space))]
    return not any(count_land(table, place, own_owners(table, place, OTTOMAN)) for place in places)


@event("revolt_in_egypt")
def revolt_in_egypt(table: Table, power: str, moment: Moment) -> None:
    """75: unrest in Cairo and Alexandria, occupied or not; without troops there the Ottoman gets a -1 Card marker."""
    for space in names(table, 75, "spaces"):
        if not in_unrest(table, space):
            set_unrest(table, space, True, why="card", section="12.4")
    if OTTOMAN in table.board.powers and _egypt_without_troops(table):
        hands.change_minus_cards(table, OTTOMAN, number(table, 75, "minus_cards"), why="card", section="6.2")


@playable("revolt_in_egypt")
def _revolt_in_egypt(table: Table, power: str, moment: Moment) -> Refused | None:
    calm = any(not in_unrest(table, space) for space in names(table, 75, "spaces"))
    if calm or (OTTOMAN in table.board.powers and _egypt_without_troops(table)):
        return None
    return Refused("all_in_unrest", "12.4", spaces=names(table, 75, "spaces"))


# --- 104 ---


@event("union_of_arras")
def union_of_arras(table: Table, power: str, moment: Moment) -> Procedure:
    """104: to the end of the turn no rebellion in seven southern spaces; Spain builds all over the Netherlands (6.1).

    Spain takes unrest from up to 2 of the seven. Marks: ``turn:no_rebellion`` [space, ...] (18.4), ``turn:builds_in``
    {power: region} (17).
    """
    spaces = names(table, 104, "spaces")
    (region,) = names(table, 104, "region")
    set_mark(table, "turn", NO_REBELLION, spaces, section="6.1")
    set_mark(table, "turn", BUILDS_IN, {**mark(table, "turn", BUILDS_IN, {}), SPAIN: region}, section="6.1")
    table.tell("union_of_arras", power=SPAIN, spaces=spaces, section="6.1")
    who = resolver(table, SPAIN, power)
    yield from remove_unrest(table, who, number(table, 104, "calmed"), spaces, 104, "12.4")


# --- 108 ---


def _portugal_open(table: Table, power: str) -> bool:
    """108: whether a power can add influence on Portugal now (24.5)."""
    most = table.kit.constants["influence_most"]
    listed = power in minors.chart_of(table, PORTUGAL) and minors.influence_on(table, PORTUGAL, power) < most
    return listed and not minors.was_evaluated(table, PORTUGAL)


@event("dom_antonio")
def dom_antonio(table: Table, power: str, moment: Moment) -> Procedure:
    """108: unrest in up to 2 Portuguese home spaces, occupied or not; then 2 influence on Portugal for the player."""
    homes = home_spaces(table, PORTUGAL)
    yield from unrest_on(table, power, number(table, 108, "unrest"), homes, even_occupied=True, up_to=True, card=108)
    if _portugal_open(table, power):
        boxes = minors.influence_on(table, PORTUGAL, power) + number(table, 108, "influence")
        minors.set_influence(table, PORTUGAL, power, boxes, why="card", section="24.5")


@playable("dom_antonio")
def _dom_antonio(table: Table, power: str, moment: Moment) -> Refused | None:
    if not table.board.state.get(table.kit.constants["in_the_game_after"][PORTUGAL]):
        return Refused("not_in_the_game_yet", "9.4", power=PORTUGAL)
    calm = len(in_unrest_among(table, home_spaces(table, PORTUGAL))) < len(home_spaces(table, PORTUGAL))
    return None if calm or _portugal_open(table, power) else Refused("nothing_in_portugal", "12.4")
