"""The response cards (6.1): 32 to 37. Storms is asked of the other powers only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.reformation import marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.battle import ATTACKER, DEFENDER, Battle, roll_more
from pbem.games.reformation.forces import can_add, own_owners
from pbem.games.reformation.ground import in_unrest, is_friendly, set_unrest, siege_of
from pbem.games.reformation.hiring import ANY_STACK, dismiss, hire, not_at_assault, why_no_dismissal, why_no_hire
from pbem.games.reformation.relations import major_of
from pbem.games.reformation.rules import rules
from pbem.games.virgin_queen.cards import event, playable
from pbem.games.virgin_queen.cards.combat import MEDITERRANEAN, waters
from pbem.games.virgin_queen.cards.common import (
    names,
    number,
    resolver,
    spaces_in,
    why_no_attempts,
)
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.powers.majors import EMPIRE, OTTOMAN, PROTESTANT, SPAIN, factions
from pbem.games.virgin_queen.religion.conversion import protestant_attempts
from pbem.games.virgin_queen.victory.score import region_of
from pbem.games.virgin_queen.war.land import owner_of_new
from pbem.table.asking import Moment, choose, response
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

ASSAULT_TAKEN = "assault_taken"

# --- 32 ---


@event("storms", moments=("land_move", "assault", "naval_move", "transport"))
def storms(table: Table, power: str, moment: Moment) -> str:
    """32: the action does not happen and its CP are lost; in the rest of the impulse land units move a space at most.

    Assaults, piracy, naval moves and transports are barred for that time (`land.barred`, `movement.check_may_leave`).
    """
    marks.set_mark(table, "impulse", "foul_weather", True, section="13.1")
    return "stop"


@playable("storms")
def _storms(table: Table, power: str, moment: Moment) -> Refused | None:
    return Refused("storms_for_others") if power == moment.power else None


# --- 33 ---


def _stacks(table: Table, power: str) -> Sequence[str]:
    """33: friendly calm spaces with own land units, none of them besieged, that may show one more mercenary."""
    return [
        space
        for space in atlas(table).spaces
        if is_friendly(table, space, power)
        and own_owners(table, space, power)
        and not in_unrest(table, space)
        and siege_of(table, space) is None
        and can_add(table, owner_of_new(table, power, "mercenary", space), "mercenary", space)
    ]


def _owner_at(table: Table, power: str, space: str) -> str:
    return owner_of_new(table, power, "mercenary", space)


@event("reiters", moments=ANY_STACK)
def reiters(table: Table, power: str, moment: Moment) -> Procedure:
    """33: new mercenaries join own stacks in friendly spaces, home or not: 4 of the Empire, 2 of others (17).

    The Ottoman removes 2 mercenaries anywhere. In any impulse (6.1); before a battle is the last chance (14, 15.1).
    """
    if power == OTTOMAN:
        yield from dismiss(table, power, number(table, 33, "removed_by_ottoman"), 33)
        return
    many = number(table, 33, "mercenaries_empire" if power == EMPIRE else "mercenaries")
    yield from hire(table, power, many, 33, _stacks, _owner_at)


@playable("reiters")
def _reiters(table: Table, power: str, moment: Moment) -> Refused | None:
    if power == OTTOMAN:
        return not_at_assault(power, moment) or why_no_dismissal(table)
    return not_at_assault(power, moment) or why_no_hire(table, power, _stacks)


# --- 35 ---


def _hitting(moment: Moment) -> list[str]:
    """The sides of a plot that hit."""
    return [side for side in (ATTACKER, DEFENDER) if moment["plot"].hits[side]]


@event("intercepted_letters", moments=("espionage",))
def intercepted_letters(table: Table, power: str, moment: Moment) -> Procedure:
    """35: one hit of a side of an act of espionage is ignored, before the result is read (19)."""
    side = yield from choose(
        table, power, "option", lambda t: _hitting(moment), kind="after_dice", section="19", number=35
    )
    moment["plot"].hits[side] -= number(table, 35, "hits")


@playable("intercepted_letters")
def _intercepted_letters(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _hitting(moment) else Refused("no_hits_to_ignore", "19")


# --- 34, 37: after a successful assault ---


def assault_taken(table: Table, battle: Battle, before: str) -> Procedure:
    """15.1: right after a successful assault: the window of Sack! and of Spanish Fury."""
    moment = Moment(ASSAULT_TAKEN, battle.attacker.power, {"battle": battle, "before": before})
    yield from response(table, moment, section="15.1", space=battle.space)


def _kinds(battle: Battle) -> Mapping[str, int]:
    """The kinds of units that assaulted, of all owners."""
    numbers: dict[str, int] = {}
    for kinds in battle.force.units.values() if battle.force else ():
        for kind, many in kinds.items():
            numbers[kind] = numbers.get(kind, 0) + many
    return numbers


def _robbed(table: Table, moment: Moment) -> str | None:
    """34: the power that controlled the space before, or whose active minor ally did; None for independents."""
    whose = major_of(table.board, moment["before"])
    return whose if whose in table.board.powers else None


@event("sack", moments=(ASSAULT_TAKEN,))
def sack(table: Table, power: str, moment: Moment) -> None:
    """34: who controlled the space gives a random card (6.3) to the power of this card; the space comes into unrest."""
    battle: Battle = moment["battle"]
    robbed = _robbed(table, moment)
    if robbed and robbed != power:
        treasures.random_from_hand(table, robbed, power, "sack", section="15.1")
    set_unrest(table, battle.space, True, why="card", section="15.1")


@playable("sack")
def _sack(table: Table, power: str, moment: Moment) -> Refused | None:
    soldiers = (rules(table).mercenary_kind, rules(table).cavalry_kind)
    if not any(_kinds(moment["battle"]).get(kind) for kind in soldiers):
        return Refused("no_sackers")
    return None


def _spaces_beside(table: Table, key: str) -> list[str]:
    """37: the calm spaces of the key's region, or outside the regions those next to it, besides the key."""
    region = region_of(table, key)
    near = spaces_in(table, region) if region else list(atlas(table).neighbours[key])
    return [space for space in near if space != key and not in_unrest(table, space)]


@event("spanish_fury", moments=(ASSAULT_TAKEN,))
def spanish_fury(table: Table, power: str, moment: Moment) -> Procedure:
    """37: unrest on the key and on up to two spaces of its region or beside it; Spain loses units of the attackers.

    If the key is in the Netherlands the Protestant makes conversion attempts there at once.
    """
    key = moment["battle"].space
    set_unrest(table, key, True, why="card", section="15.1")
    for _ in range(number(table, 37, "unrest_more")):
        space = yield from choose(
            table, power, "space", lambda t: _spaces_beside(t, key), optional=True, section="15.1", number=37
        )
        if space is None:
            break
        set_unrest(table, space, True, why="card", section="15.1")
    kinds = {"mercenary": number(table, 37, "mercenaries"), "regular": number(table, 37, "regulars")}
    lost = yield from choose(
        table,
        resolver(table, SPAIN, power),
        "unit",
        lambda t: [kind for kind in kinds if t.board.count(key, SPAIN, kind)],
        section="15.1",
        number=37,
    )
    if lost is not None:
        many = min(kinds[lost], table.board.count(key, SPAIN, lost))
        table.remove(SPAIN, lost, key, many, why="loss", section="15.1")
    (region,) = names(table, 37, "region")
    if region_of(table, key) == region and why_no_attempts(table, region, PROTESTANT) is None:
        who = resolver(table, PROTESTANT, power)
        yield from protestant_attempts(table, who, region, number(table, 37, "attempts"))


@playable("spanish_fury")
def _spanish_fury(table: Table, power: str, moment: Moment) -> Refused | None:
    """37: an assault on a key with Spanish mercenaries; in the Netherlands with any Spanish units."""
    battle: Battle = moment["battle"]
    if atlas(table).spaces[battle.space]["kind"] != "key":
        return Refused("only_at_a_key", space=battle.space)
    (region,) = names(table, 37, "region")
    assert battle.force is not None
    if region_of(table, battle.space) == region:
        fit = any(any(battle.force.units.get(one, {}).values()) for one in (SPAIN, *factions(table, SPAIN)))
    else:
        fit = bool(battle.force.units.get(SPAIN, {}).get("mercenary"))
    return None if fit else Refused("no_spanish_fury")


# --- 36 ---


@event("galleasses", moments=("naval_combat_rolled",))
def galleasses(table: Table, power: str, moment: Moment) -> Procedure:
    """36: 3 more dice for one side of a naval combat in a sea zone of the Mediterranean, before the winner is told."""
    side = yield from choose(
        table, power, "option", lambda t: [ATTACKER, DEFENDER], kind="after_dice", section="16.2", number=36
    )
    hit_on = table.kit.constants["hit_on"]
    roll_more(table, moment["battle"], side, number(table, 36, "dice"), hit_on, "galleasses", "16.2")


@playable("galleasses")
def _galleasses(table: Table, power: str, moment: Moment) -> Refused | None:
    place = moment["battle"].space
    if place not in atlas(table).sea or MEDITERRANEAN not in waters(table, place):
        return Refused("only_in_a_mediterranean_zone")
    return None
