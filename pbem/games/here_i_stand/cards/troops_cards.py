"""The cards about troops and their leaders: 43, 60, 70, 76, 83."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import number, occupied, within
from pbem.games.here_i_stand.places import REMOVED
from pbem.games.here_i_stand.religion.conversion import CATHOLIC, PROTESTANT, allegiance, reformer_leaves
from pbem.games.reformation import marks
from pbem.games.reformation.action import limited_actions
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.displacement import nearest, own_forts
from pbem.games.reformation.forces import (
    LEADER,
    add_units,
    has_enemy_land,
    land_owners,
    land_units,
    leader_power,
)
from pbem.games.reformation.ground import controller, in_play, in_unrest, inside, set_control, siege_of, space_of
from pbem.games.reformation.relations import at_war
from pbem.games.reformation.rules import rules
from pbem.games.reformation.taken_units import choose_unit
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

OTTOMAN, HAPSBURG, FRANCE, HUNGARY = "ottoman", "hapsburg", "france", "hungary"
MERCENARY, CAVALRY, REGULAR = "mercenary", "cavalry", "regular"


# --- 43: Zwingli Dons Armor ---


def catholic_units(table: Table) -> list[str]:
    """43, 18.2: the Catholic land units near Zurich."""
    centre = table.kit.tables["reformers"]["zwingli"]["space"]
    return [
        f"{owner}:{kind}:{space}"
        for space in within(table, centre, number(table, 43, "distance"))
        for owner in dict.fromkeys([*land_owners(table, space), *land_owners(table, inside(space))])
        if allegiance(table, owner) == CATHOLIC
        for kind in {**land_units(table, space, owner), **land_units(table, inside(space), owner)}
    ]


@event("zwingli_dons_armor")
def zwingli_dons_armor(table: Table, power: str, moment: Moment) -> Procedure:
    """43: the Protestant removes a Catholic land unit near Zurich, if there is any; Zwingli is out for good (8.2)."""
    unit = yield from choose_unit(table, PROTESTANT, catholic_units, section="18.2", card=43)
    if unit is not None:
        owner, kind, place = unit
        table.remove(owner, kind, place, why="zwingli_dons_armor", section="18.2")
    reformer_leaves(table, "zwingli", for_good=True, why="zwingli_dons_armor", section="8.2")


@playable("zwingli_dons_armor")
def _zwingli_dons_armor(table: Table, power: str, moment: Moment) -> Refused | None:
    dead = table.board.pieces["debater:zwingli"]["at"] == REMOVED
    return Refused("zwingli_dead") if dead else None


# --- 60: Maurice of Saxony ---

MAURICE = "maurice_of_saxony"


def _other_side(table: Table) -> str:
    """60: the power that Maurice would go over to."""
    return HAPSBURG if leader_power(table, MAURICE) == PROTESTANT else PROTESTANT


def _is_captured(table: Table) -> bool:
    return table.board.pieces[LEADER + MAURICE]["at"].startswith("captured:")


def maurice_spaces(table: Table) -> list[str]:
    """60: where Maurice may go as he changes sides: the nearest unoccupied space of the new owner; captured, a fort."""
    new = _other_side(table)
    if _is_captured(table):
        return own_forts(table, new)
    start = space_of(table.board.pieces[LEADER + MAURICE]["at"])
    free = [
        space
        for space in atlas(table).spaces
        if controller(table, space) == new and not occupied(table, space)
    ]
    return nearest(table, start, free) if start in atlas(table).spaces else []


@event("maurice_of_saxony")
def maurice_of_saxony(table: Table, power: str, moment: Moment) -> Procedure:
    """60: Maurice goes over to the other side, with the mercenaries of his stack, as far as its counters go."""
    old, new, at = leader_power(table, MAURICE), _other_side(table), table.board.pieces[LEADER + MAURICE]["at"]
    if table.options["nearest_ties"] == "lot" and not _is_captured(table) and len(maurice_spaces(table)) > 1:
        space = table.pick("nearest", maurice_spaces(table), section="8.2")
    else:
        space = yield from choose(
            table, new, "space", maurice_spaces, kind="place_leader", section="8.2", leader=MAURICE, number=60
        )
    with_him = 0 if at.startswith("captured:") else table.board.count(at, old, MERCENARY)
    table.remove(old, MERCENARY, at, with_him, why=MAURICE, section="8.2")
    table.put(LEADER + MAURICE, space, why=MAURICE, section="8.2", power=new)
    add_units(table, new, MERCENARY, space, with_him, why=MAURICE, section="8.2")


@playable("maurice_of_saxony")
def _maurice_of_saxony(table: Table, power: str, moment: Moment) -> Refused | None:
    if power not in (HAPSBURG, PROTESTANT):
        return Refused("maurice_for_two")
    at = table.board.pieces[LEADER + MAURICE]["at"]
    if not at.startswith("captured:") and space_of(at) not in atlas(table).spaces:
        return Refused("maurice_not_in_play")
    if not maurice_spaces(table):
        return Refused("no_space_for_maurice", power=_other_side(table))
    return None


# --- 70: Charles Bourbon ---

RENEGADE = "renegade"


def bourbon_spaces(table: Table, power: str) -> list[str]:
    """70: own spaces that are not besieged; at war with France also unoccupied spaces next to Lyon."""
    own = [
        space
        for space in atlas(table).spaces
        if controller(table, space) == power
        and not siege_of(table, space)
        and not in_unrest(table, space)
        and not has_enemy_land(table, space, power)
    ]
    if not at_war(table.board, power, FRANCE):
        return own
    near = [
        space
        for space in atlas(table).neighbours[table.kit.constants["bourbon_space"]]
        if in_play(table, space)
        and rules(table).space_open(table, power, space)
        and not in_unrest(table, space)
        and not occupied(table, space)
    ]
    return list(dict.fromkeys([*own, *near]))


@event("charles_bourbon")
def charles_bourbon(table: Table, power: str, moment: Moment) -> Procedure:
    """70: the renegade leader and 3 mercenaries (the Ottoman: cavalry) for the player; he leaves in winter (19.2)."""
    space = yield from choose(table, power, "space", lambda t: bourbon_spaces(t, power), section="19.2", number=70)
    if controller(table, space) != power:
        set_control(table, space, power, why="charles_bourbon", section="12.2")
        yield from rules(table).ships_leave(table, space, power)
    table.put(LEADER + RENEGADE, space, why="charles_bourbon", section="19.2", power=power)
    kind, many = (CAVALRY, "cavalry") if power == OTTOMAN else (MERCENARY, "mercenaries")
    add_units(table, power, kind, space, number(table, 70, many), why="charles_bourbon", section="5.2")


@playable("charles_bourbon")
def _charles_bourbon(table: Table, power: str, moment: Moment) -> Refused | None:
    reason = rules(table).may_fight(table, power)
    if reason:
        return reason
    return None if bourbon_spaces(table, power) else Refused("no_space_for_renegade")


# --- 76: Foreign Recruits ---


@event("foreign_recruits")
def foreign_recruits(table: Table, power: str, moment: Moment) -> Procedure:
    """76: 4 CP for units in any spaces that the player controls, home or not; the rest of 17 holds."""
    marks.set_mark(table, "impulse", "foreign_recruits", True, section="17")
    yield from limited_actions(table, power, number(table, 76, "cp"), ("build",), "17")
    marks.set_mark(table, "impulse", "foreign_recruits", None)


@playable("foreign_recruits")
def _foreign_recruits(table: Table, power: str, moment: Moment) -> Refused | None:
    return rules(table).may_fight(table, power)


# --- 83: John Zapolya ---


@event("john_zapolya")
def john_zapolya(table: Table, power: str, moment: Moment) -> None:
    """83: 4 regulars come to Buda for the power that controls it, Hungary itself included, as far as counters go."""
    buda = table.kit.constants["zapolya_space"]
    owner = controller(table, buda) or HUNGARY
    add_units(table, owner, REGULAR, buda, number(table, 83, "regulars"), why="john_zapolya", section="5.2")


@playable("john_zapolya")
def _john_zapolya(table: Table, power: str, moment: Moment) -> Refused | None:
    return Refused("buda_besieged") if siege_of(table, table.kit.constants["zapolya_space"]) else None


ACTIONS = ()
