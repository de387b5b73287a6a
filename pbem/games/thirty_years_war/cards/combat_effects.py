"""The combat cards: C31 to C35, C47 to C50, P12, P13, P30 to P34, P47 and P48 (9.5, 12.24, 12.25).

What a card adds to a die stands in the kit's ``cards``; how it takes effect is in `engagement`.
"""

from __future__ import annotations

from pbem.games.thirty_years_war import pieces
from pbem.games.thirty_years_war.cards import combat_card
from pbem.games.thirty_years_war.cards.common import nations_of, number, row
from pbem.games.thirty_years_war.combat.engagement import (
    COLUMN,
    DIE,
    NO_CARDS,
    RATING,
    Battle,
    leaders_of,
    other_role,
    units_of,
)
from pbem.table.orders import Refused
from pbem.table.procedure import Table

SECTION = "9.52"

# --- what cards do ---


def own_die(table: Table, battle: Battle, role: str, card: str) -> None:
    """12.24: the die of the side that plays the card goes up, under a dynamic commander by what the card says then."""
    with_star = row(table, card)["drm_self_dynamic"]
    commander = battle.force(role).commander
    dynamic = with_star is not None and commander is not None and pieces.is_dynamic(table, commander)
    battle.affect(card, role, DIE, with_star if dynamic else row(table, card)["drm_self"])


def enemy_die(table: Table, battle: Battle, role: str, card: str) -> None:
    """12.24: the die of the enemy goes down."""
    battle.affect(card, other_role(role), DIE, row(table, card)["drm_enemy"])


def own_column_right(table: Table, battle: Battle, role: str, card: str) -> None:
    """12.25: the side that plays the card uses the column one step to the right."""
    battle.affect(card, role, COLUMN, 1)


def surprise(table: Table, battle: Battle, role: str, card: str) -> None:
    """The die of the enemy goes down, and he plays no combat cards."""
    enemy_die(table, battle, role, card)
    battle.affect(card, other_role(role), NO_CARDS)


def enemy_rating_zero(table: Table, battle: Battle, role: str, card: str) -> None:
    """12.24: the battle rating of the enemy's commander counts 0."""
    battle.affect(card, other_role(role), RATING)


# --- conditions that several cards share ---


def own_commander(table: Table, battle: Battle, role: str, card: str) -> Refused | None:
    """The side that plays the card has a commander."""
    return None if battle.force(role).commander else Refused("no_commander", SECTION, card=card)


def enemy_commander(table: Table, battle: Battle, role: str, card: str) -> Refused | None:
    """The enemy has a commander."""
    return None if battle.enemy(role).commander else Refused("enemy_without_commander", SECTION, card=card)


def own_units_of_nation(table: Table, battle: Battle, role: str, card: str) -> Refused | None:
    """A unit of the nation of the card fights on the side that plays it."""
    wanted = nations_of(table, card)
    if any(pieces.nation_of(table, unit) in wanted for unit in units_of(table, battle, role)):
        return None
    return Refused("no_unit_of_the_nation", SECTION, card=card, nations=wanted)


def rivals(table: Table, battle: Battle, role: str, card: str) -> Refused | None:
    """The enemy's stack has several leaders, and none of them is dynamic."""
    there = leaders_of(table, battle, other_role(role))
    if len(there) < number(table, card, "leaders_least"):
        return Refused("too_few_enemy_leaders", SECTION, card=card, least=number(table, card, "leaders_least"))
    dynamic = [pieces.face_of(table, leader) for leader in there if pieces.is_dynamic(table, leader)]
    return Refused("enemy_has_a_dynamic_leader", SECTION, card=card, leader=dynamic[0]) if dynamic else None


def unreliable(table: Table, battle: Battle, role: str, card: str) -> Refused | None:
    """A mercenary or militia unit fights for the enemy."""
    for unit in units_of(table, battle, other_role(role)):
        if pieces.unit_type(table, unit) in (pieces.MERCENARY, pieces.MILITIA):
            return None
    return Refused("enemy_has_veterans_only", SECTION, card=card)


def led_by_one_of(table: Table, battle: Battle, role: str, card: str) -> Refused | None:
    """One of the leaders of the card commands the side that plays it."""
    commander, wanted = battle.force(role).commander, list(row(table, card)["leaders"])
    if commander is not None and pieces.face_of(table, commander) in wanted:
        return None
    return Refused("another_commander", SECTION, card=card, leaders=wanted)


# --- the cards ---


@combat_card("fog_c31", when=enemy_commander)
def fog_c31(table: Table, battle: Battle, role: str, card: str) -> None:
    """C31: the enemy commander's rating counts 0."""
    enemy_rating_zero(table, battle, role, card)


@combat_card("fog_p30", when=enemy_commander)
def fog_p30(table: Table, battle: Battle, role: str, card: str) -> None:
    """P30: as C31."""
    enemy_rating_zero(table, battle, role, card)


@combat_card("flanking_maneuver_c32", when=own_commander)
def flanking_maneuver_c32(table: Table, battle: Battle, role: str, card: str) -> None:
    """C32: for the attacker under a commander, more to his die, still more if he is dynamic."""
    own_die(table, battle, role, card)


@combat_card("flanking_maneuver_p32", when=own_commander)
def flanking_maneuver_p32(table: Table, battle: Battle, role: str, card: str) -> None:
    """P32: as C32."""
    own_die(table, battle, role, card)


@combat_card("croats", when=own_units_of_nation)
def croats(table: Table, battle: Battle, role: str, card: str) -> None:
    """C33: with an Imperial unit in the battle, more to the own die."""
    own_die(table, battle, role, card)


@combat_card("command_rivalry_c34", when=rivals)
def command_rivalry_c34(table: Table, battle: Battle, role: str, card: str) -> None:
    """C34: less to the die of an enemy with several leaders, none of them dynamic."""
    enemy_die(table, battle, role, card)


@combat_card("command_rivalry_p13", when=rivals)
def command_rivalry_p13(table: Table, battle: Battle, role: str, card: str) -> None:
    """P13: as C34; played at Breitenfeld (example of 12.54)."""
    enemy_die(table, battle, role, card)


@combat_card("spanish_tercios", when=own_units_of_nation)
def spanish_tercios(table: Table, battle: Battle, role: str, card: str) -> None:
    """C35: with a Spanish veteran in the battle, a column to the right."""
    own_column_right(table, battle, role, card)


@combat_card("massed_artillery", when=led_by_one_of)
def massed_artillery(table: Table, battle: Battle, role: str, card: str) -> None:
    """P31: under Gustavus Adolphus or Torstensson, a column to the right."""
    own_column_right(table, battle, role, card)


@combat_card("cavalry_charge_c47", when=own_commander)
def cavalry_charge_c47(table: Table, battle: Battle, role: str, card: str) -> None:
    """C47: under a commander, more to the own die."""
    own_die(table, battle, role, card)


@combat_card("cavalry_charge_p33", when=own_commander)
def cavalry_charge_p33(table: Table, battle: Battle, role: str, card: str) -> None:
    """P33: as C47."""
    own_die(table, battle, role, card)


@combat_card("surprise_attack_c48")
def surprise_attack_c48(table: Table, battle: Battle, role: str, card: str) -> None:
    """C48: for the attacker: less to the defender's die, and he plays no combat cards."""
    surprise(table, battle, role, card)


@combat_card("surprise_attack_p12")
def surprise_attack_p12(table: Table, battle: Battle, role: str, card: str) -> None:
    """P12: as C48."""
    surprise(table, battle, role, card)


@combat_card("unreliable_troops_c49", when=unreliable)
def unreliable_troops_c49(table: Table, battle: Battle, role: str, card: str) -> None:
    """C49: less to the die of an enemy with mercenaries or militia; played at Breitenfeld (example of 12.54)."""
    enemy_die(table, battle, role, card)


@combat_card("unreliable_troops_p48", when=unreliable)
def unreliable_troops_p48(table: Table, battle: Battle, role: str, card: str) -> None:
    """P48: as C49."""
    enemy_die(table, battle, role, card)


@combat_card("field_fortifications", when=own_commander)
def field_fortifications(table: Table, battle: Battle, role: str, card: str) -> None:
    """C50: for the defender under a commander: the attacker uses the column one step to the left; P47 undoes it."""
    battle.affect(card, other_role(role), COLUMN, -1)


@combat_card("swedish_firepower", when=own_units_of_nation)
def swedish_firepower(table: Table, battle: Battle, role: str, card: str) -> None:
    """P34: with a Swedish veteran in the battle, more to the own die; played at Breitenfeld (example of 12.54)."""
    own_die(table, battle, role, card)


@combat_card("furia_francesa", when=own_units_of_nation)
def furia_francesa(table: Table, battle: Battle, role: str, card: str) -> None:
    """P47: for the attacker with a French unit in the battle: more to his die, and C50 has no effect in this battle."""
    own_die(table, battle, role, card)
    battle.cancel(row(table, card)["cancels"])
