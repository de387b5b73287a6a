"""The cards about troops: 2, 13 (home), 43, 45, 47, 53, 56."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.card_help import has_units, others_first
from pbem.games.reformation.city_rebels import city_rebels
from pbem.games.reformation.construction import check_build
from pbem.games.reformation.forces import add_units, can_add, has_enemy_land, land_units
from pbem.games.reformation.foreign_war import own_units, place_of
from pbem.games.reformation.ground import (
    INDEPENDENT,
    controller,
    home_of,
    home_owners,
    home_spaces,
    in_unrest,
    inside,
    is_fortified,
    is_friendly,
    kind_of,
    set_unrest,
    siege_of,
)
from pbem.games.reformation.relations import allied, major_of
from pbem.games.reformation.taken_units import choose_unit
from pbem.games.virgin_queen.cards import event, playable
from pbem.games.virgin_queen.cards.common import (
    controlled_in,
    in_unrest_among,
    names,
    number,
    remove_unrest,
    resolver,
    spaces_in,
)
from pbem.games.virgin_queen.powers import foreign_war
from pbem.games.virgin_queen.powers.majors import DUTCH, EMPIRE, FRANCE, OTTOMAN, PROTESTANT, SPAIN, all_powers
from pbem.games.virgin_queen.religion import rebellion
from pbem.games.virgin_queen.war.land import WALLOONS, owner_of_new
from pbem.table.asking import Moment, choose, choose_number
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

REGULAR, MERCENARY, CAVALRY, GALLEON = "regular", "mercenary", "cavalry", "galleon"


def may_build(table: Table, power: str, owner: str, kind: str, space: str) -> bool:
    """17: whether a power could build a unit of an owner in a space, whatever it costs."""
    try:
        check_build(table, power, owner, kind, space)
    except Refused:
        return False
    return True


def barracks(table: Table, power: str, owner: str, kind: str) -> list[str]:
    """17: the home spaces of an owner where a power could build a unit, whatever it costs."""
    return [space for space in home_spaces(table, owner) if may_build(table, power, owner, kind, space)]


def place_new(
    table: Table,
    who: str,
    owner: str,
    kind: str,
    many: int,
    among: Callable[[Table], Sequence[str]],
    card: int,
    *,
    optional: bool = False,
) -> Procedure:
    """New units of an owner come one by one where a power chooses, fewer where counters or spaces run out."""
    for left in range(many, 0, -1):
        space = yield from choose(
            table, who, "space", among, optional=optional, section="17", number=card, unit=kind, left=left
        )
        if space is None:
            return
        add_units(table, owner, kind, space, 1, why="card", section="17")


# --- 2, 13: home cards ---


@event("janissaries")
def janissaries(table: Table, power: str, moment: Moment) -> Procedure:
    """2: 4 Ottoman regulars, split freely over foreign wars (23.7) and home spaces where they could be built (17)."""
    left = number(table, 2, "regulars")
    for card in foreign_war.wars_of(table, OTTOMAN):
        many = yield from choose_number(
            table, power, 0, min(left, _room_in_war(table, card)), section="23.7", number=2, card=card
        )
        left -= add_units(table, OTTOMAN, REGULAR, place_of(card), many, why="card", section="23.7")
    yield from place_new(table, power, OTTOMAN, REGULAR, left, lambda t: _janissaries_in(t, power), 2)


def _room_in_war(table: Table, card: str) -> int:
    """23.7: how many regulars more can be on the card of a foreign war."""
    room = table.kit.constants["foreign_war_own_most"] - own_units(table, card)
    return next((many for many in range(room, 0, -1) if can_add(table, OTTOMAN, REGULAR, place_of(card), many)), 0)


def _janissaries_in(table: Table, power: str) -> list[str]:
    barred = names(table, 2, "never_in")
    return [space for space in barracks(table, power, OTTOMAN, REGULAR) if space not in barred]


@playable("janissaries")
def _janissaries(table: Table, power: str, moment: Moment) -> Refused | None:
    in_war = any(_room_in_war(table, card) for card in foreign_war.wars_of(table, OTTOMAN))
    return None if in_war or _janissaries_in(table, power) else Refused("no_home_for_units", "17")


def _holds_in(table: Table, region: str) -> bool:
    return any(controller(table, space) == PROTESTANT for space in spaces_in(table, region))


@event("states_general")
def states_general(table: Table, power: str, moment: Moment) -> Procedure:
    """13: with a space in the Netherlands the Protestant places Dutch units in Dutch home spaces that it controls.

    Without one it rises there as with 5 CP, even if it did so in this impulse (18.5).
    """
    (region,) = names(table, 13, "region")
    if not _holds_in(table, region):
        space = yield from choose(
            table, power, "space", lambda t: rebellion.targets(t, region), kind="rebellion", section="18.5", number=13
        )
        if space is not None:
            yield from rebellion.rebellion(table, space, number(table, 13, "rebellion_cp"))
        return
    for kind, name in ((REGULAR, "regulars"), (MERCENARY, "mercenaries"), (GALLEON, "galleons")):

        def among(table: Table, kind: str = kind) -> list[str]:
            return barracks(table, power, DUTCH, kind)

        yield from place_new(table, power, DUTCH, kind, number(table, 13, name), among, 13)


@playable("states_general")
def _states_general(table: Table, power: str, moment: Moment) -> Refused | None:
    (region,) = names(table, 13, "region")
    if _holds_in(table, region):
        fits = any(barracks(table, power, DUTCH, kind) for kind in (REGULAR, MERCENARY, GALLEON))
        return None if fits else Refused("no_home_for_units", "17")
    return None if rebellion.targets(table, region) else Refused("nowhere_to_rebel", "18.5", region=region)


# --- 43 ---


def walloon_spaces(table: Table, region: str) -> list[str]:
    """17.2: where a Walloon can come: spaces of a region under Spain, not in unrest, as far as the counters go."""
    return [
        space
        for space in controlled_in(table, SPAIN, spaces_in(table, region))
        if can_add(table, WALLOONS, REGULAR, space)
    ]


@event("cardinal_granvelle")
def cardinal_granvelle(table: Table, power: str, moment: Moment) -> Procedure:
    """43: Spain places up to two Walloons in the Netherlands and takes unrest from up to two spaces there."""
    (region,) = names(table, 43, "region")
    who = resolver(table, SPAIN, power)
    walloons = number(table, 43, "walloons")
    yield from place_new(
        table, who, WALLOONS, REGULAR, walloons, lambda t: walloon_spaces(t, region), 43, optional=True
    )
    yield from remove_unrest(table, who, number(table, 43, "calmed"), spaces_in(table, region), 43, "12.4")


@playable("cardinal_granvelle")
def _cardinal_granvelle(table: Table, power: str, moment: Moment) -> Refused | None:
    (region,) = names(table, 43, "region")
    if walloon_spaces(table, region) or in_unrest_among(table, spaces_in(table, region)):
        return None
    return Refused("no_walloons_no_unrest", "17.2")


# --- 45 ---


def rebel_cities(table: Table) -> list[str]:
    """45, 24.7: what may throw its foreign master out, not besieged: independent keys and fortresses; keys of a home
    power that their holder is not allied to."""
    return [space for space in atlas(table).spaces if _may_rebel(table, space)]


def _may_rebel(table: Table, space: str) -> bool:
    holder, home, kind = controller(table, space), home_of(table, space), kind_of(table, space)
    if holder not in all_powers(table) or siege_of(table, space):
        return False
    if home == INDEPENDENT:
        return is_fortified(table, space)
    masters = [major_of(table.board, owner) or owner for owner in home_owners(table, space)]
    return kind == "key" and not any(holder == one or allied(table.board, holder, one) for one in masters)


@event("city_state_rebels")
def city_state_rebels(table: Table, power: str, moment: Moment) -> Procedure:
    """45: 5 dice; for each hit the holder of a city loses a unit there; with none left the city is lost (24.7)."""
    space = yield from choose(
        table, power, "space", lambda t: others_first(t, power, rebel_cities(t)), section="24.7", number=45
    )
    holder = controller(table, space) or ""
    empty = not has_units(table, space)
    regulars = number(table, 45, "regulars_independent" if home_of(table, space) == INDEPENDENT else "regulars_home")
    yield from city_rebels(
        table,
        power,
        space,
        resolver(table, holder, power),
        0 if empty else number(table, 45, "dice"),
        regulars,
        45,
        "24.7",
    )


@playable("city_state_rebels")
def _city_state_rebels(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if rebel_cities(table) else Refused("no_city_to_rebel")


# --- 47 ---


def _open_places(table: Table) -> list[str]:
    """47: the calm unfortified spaces of France."""
    (region,) = names(table, 47, "region")
    return [s for s in spaces_in(table, region) if not is_fortified(table, s) and not in_unrest(table, s)]


@event("conspiracy_of_amboise")
def conspiracy_of_amboise(table: Table, power: str, moment: Moment) -> Procedure:
    """47: the Protestant throws 3 dice: for a hit unrest in an unfortified space of France, for two a card less too."""
    who, hit_on = resolver(table, PROTESTANT, power), table.kit.constants["hit_on"]
    dice = table.roll("conspiracy", who, number(table, 47, "dice"), hit_on=hit_on, section="6.1")
    hits = sum(1 for die in dice if die >= hit_on)
    if hits >= number(table, 47, "hits_for_unrest"):
        space = yield from choose(table, who, "space", _open_places, section="12.4", number=47)
        if space is not None:
            set_unrest(table, space, True, why="card", section="12.4")
    if hits >= number(table, 47, "hits_for_card"):
        hands.change_minus_cards(table, FRANCE, number(table, 47, "minus_cards"), why="card", section="6.2")


# --- 53 ---


def _kinds(power: str) -> dict[str, str]:
    """53: the kinds of units that come, and the name of their number."""
    return {REGULAR: "regulars", (CAVALRY if power == OTTOMAN else MERCENARY): "others"}


def _quarters(table: Table, power: str, kind: str) -> list[str]:
    """53: friendly spaces, home or not, calm, not besieged, without enemies, that can show one more unit."""
    return [
        space
        for space in atlas(table).spaces
        if is_friendly(table, space, power)
        and not in_unrest(table, space)
        and siege_of(table, space) is None
        and not has_enemy_land(table, space, power)
        and can_add(table, owner_of_new(table, power, kind, space), kind, space)
    ]


@event("foreign_volunteers")
def foreign_volunteers(table: Table, power: str, moment: Moment) -> Procedure:
    """53: 3 regulars, or 5 mercenaries (Ottoman: cavalry), come to one friendly space, home or not (17)."""
    kind = yield from choose(
        table, power, "unit", lambda t: [k for k in _kinds(power) if _quarters(t, power, k)], section="17", number=53
    )
    space = yield from choose(
        table, power, "space", lambda t: _quarters(t, power, kind), section="17", number=53, unit=kind
    )
    many = number(table, 53, _kinds(power)[kind])
    add_units(table, owner_of_new(table, power, kind, space), kind, space, many, why="card", section="17")


@playable("foreign_volunteers")
def _foreign_volunteers(table: Table, power: str, moment: Moment) -> Refused | None:
    if any(_quarters(table, power, kind) for kind in _kinds(power)):
        return None
    return Refused("no_home_for_units", "17")


# --- 56 ---


def _raided(table: Table) -> list[str]:
    """56: the spaces of the card with Ottoman land units, without the walls or within."""
    return [space for space in names(table, 56, "spaces") if _garrison(table, space)]


def _garrison(table: Table, space: str) -> list[str]:
    """The Ottoman land units in a space, ``owner:kind:space``."""
    kinds = {**land_units(table, space, OTTOMAN), **land_units(table, inside(space), OTTOMAN)}
    return [f"{OTTOMAN}:{kind}:{space}" for kind, many in kinds.items() if many]


def _calm_of_raids(table: Table) -> list[str]:
    return [space for space in names(table, 56, "spaces") if not in_unrest(table, space)]


@event("hajduk_raids")
def hajduk_raids(table: Table, power: str, moment: Moment) -> Procedure:
    """56: the Empire throws 4 dice against the Ottoman land units of one space of four, two hits at most.

    Without a hit one of the four comes into unrest.
    """
    who, hit_on, hits = resolver(table, EMPIRE, power), table.kit.constants["hit_on"], 0
    space = yield from choose(table, who, "space", _raided, section="6.1", number=56)
    if space is not None:
        dice = table.roll("hajduk_raids", who, number(table, 56, "dice"), hit_on=hit_on, space=space, section="6.1")
        hits = min(number(table, 56, "hits_most"), sum(1 for die in dice if die >= hit_on))
    for _ in range(hits):
        unit = yield from choose_unit(
            table, resolver(table, OTTOMAN, power), lambda t: _garrison(t, space), section="6.1", card=56
        )
        if unit is None:
            return
        owner, kind, place = unit
        table.remove(owner, kind, place, why="loss", section="6.1")
    if not hits:
        calm = yield from choose(table, who, "space", _calm_of_raids, section="12.4", number=56, step="unrest")
        if calm is not None:
            set_unrest(table, calm, True, why="card", section="12.4")


@playable("hajduk_raids")
def _hajduk_raids(table: Table, power: str, moment: Moment) -> Refused | None:
    if _raided(table) or _calm_of_raids(table):
        return None
    return Refused("all_in_unrest", "12.4", spaces=names(table, 56, "spaces"))


__all__ = ["barracks", "may_build", "place_new", "walloon_spaces"]
