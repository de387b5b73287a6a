"""The combat cards (6.1): 23 to 31. Only powers with units in the fight are asked for them (14 to 16.2), but for 30."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.battle import ATTACKER, DEFENDER, Battle, More, owners
from pbem.games.reformation.combat_cards import (
    ASSAULT,
    FIELD,
    NAVAL,
    bribe,
    more_dice,
    other_side,
    regulars_against,
    send_away,
    why_no_bribe,
    why_none_sent_away,
    why_not_attacking,
)
from pbem.games.reformation.fleets import fleet
from pbem.games.reformation.relations import own as own_side
from pbem.games.virgin_queen.cards import BOOK, event, playable
from pbem.games.virgin_queen.cards.common import number, ruler_alive
from pbem.games.virgin_queen.powers.majors import ENGLAND, FRANCE, OTTOMAN, PROTESTANT, SPAIN, factions
from pbem.table.asking import Moment
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

OUTSIDERS = "combat_of_others"
ATLANTIC, MEDITERRANEAN = "atlantic", "mediterranean"


def waters(table: Table, place: str) -> list[str]:
    """2.5: the waters of a sea zone, or those that a port lies on."""
    zones = table.kit.tables["sea_zones"]
    return [zones[zone]["waters"] for zone in ([place] if place in zones else atlas(table).ports[place])]


def fighters(table: Table, battle: Battle, side: str) -> list[str]:
    """The owners whose units fight on a side, on land or at sea."""
    if battle.kind == "naval":
        return list(fleet(table, battle.space, battle.side(side).power).units)
    return owners(table, battle, side)


# --- 23, 24, 27, 29: dice ---


@event("field_artillery", moments=(FIELD,))
def field_artillery(table: Table, power: str, moment: Moment) -> None:
    """23: 2 more dice in a field battle, 3 for the Ottoman and France."""
    more_dice(table, moment, number(table, 23, "dice_ottoman_france" if power in (OTTOMAN, FRANCE) else "dice"))


@event("musketeers", moments=(FIELD, NAVAL))
def musketeers(table: Table, power: str, moment: Moment) -> None:
    """24: 2 more dice in a field battle or a naval combat."""
    more_dice(table, moment, number(table, 24, "dice"))


@event("surprise_attack", moments=(FIELD,))
def surprise_attack(table: Table, power: str, moment: Moment) -> None:
    """27: the own side throws first, its hits are taken at once, then the others' dice are counted (14)."""
    moment["battle"].first = moment["side"]


@event("siege_engineering", moments=(ASSAULT,))
def siege_engineering(table: Table, power: str, moment: Moment) -> None:
    """29: 3 more dice for the attacker in an assault."""
    more_dice(table, moment, number(table, 29, "dice"))


@playable("siege_engineering")
def _siege_engineering(table: Table, power: str, moment: Moment) -> Refused | None:
    return why_not_attacking(moment)


# --- 25, 26: mercenaries of the other side ---


def _theirs(table: Table, moment: Moment) -> Sequence[str]:
    return fighters(table, moment["battle"], other_side(moment["side"]))


@event("mercenaries_bribed", moments=(FIELD,))
def mercenaries_bribed(table: Table, power: str, moment: Moment) -> Procedure:
    """25: half of the enemy's mercenaries in the battle, rounded up, go; as many own ones come (14)."""
    battle: Battle = moment["battle"]
    own = [owner for owner in fighters(table, battle, moment["side"]) if own_side(table.board, power, owner)]
    of_faction = next((owner for owner in own if owner in factions(table, power)), power)
    mine = of_faction if power == PROTESTANT else power
    yield from bribe(table, power, moment, lambda t: _theirs(t, moment), number(table, 25, "divisor"), 25, mine)


@playable("mercenaries_bribed")
def _mercenaries_bribed(table: Table, power: str, moment: Moment) -> Refused | None:
    return why_no_bribe(table, power, moment, lambda t: _theirs(t, moment))


@event("mercenaries_grow_restless", moments=(ASSAULT,))
def mercenaries_grow_restless(table: Table, power: str, moment: Moment) -> None:
    """26: all mercenaries of the assaulting formation are removed; the assault looks whether its siege holds (15.3)."""
    send_away(table, moment)


@playable("mercenaries_grow_restless")
def _mercenaries_grow_restless(table: Table, power: str, moment: Moment) -> Refused | None:
    return why_none_sent_away(table, power, moment)


# --- 28 ---


@event("tercios", moments=(FIELD,))
def tercios(table: Table, power: str, moment: Moment) -> None:
    """28: Spain has 3 more dice, hits from 4; another fights 3 Spanish regulars or more: that side throws 3 fewer."""
    if power == SPAIN:
        more_dice(table, moment, number(table, 28, "dice"), number(table, 28, "hit_on"))
    else:
        moment["battle"].side(other_side(moment["side"])).fewer += number(table, 28, "dice_fewer")


@playable("tercios")
def _tercios(table: Table, power: str, moment: Moment) -> Refused | None:
    """28: of Spain's own counters; its factions are not Spanish regulars."""
    battle: Battle = moment["battle"]
    if power == SPAIN:
        own = table.board.count(battle.side(moment["side"]).place, SPAIN, "regular")
        return None if own else Refused("tercios_need_regulars")
    least = number(table, 28, "regulars_against")
    if regulars_against(table, moment, SPAIN, lambda t: _theirs(t, moment)) < least:
        return Refused("tercios_for_spain", number=least)
    return None


# --- 30 ---


def english_side(table: Table, battle: Battle) -> str | None:
    """On which side English units fight, or None."""
    return next((side for side in (ATTACKER, DEFENDER) if ENGLAND in fighters(table, battle, side)), None)


def _tilbury_may(table: Table, battle: Battle) -> bool:
    return ruler_alive(table, ENGLAND) and english_side(table, battle) is not None


def outsiders(table: Table, battle: Battle) -> Sequence[str]:
    """Who may play Tilbury Speech without units in a fight: every other power, as long as the card may be in a hand."""
    card = BOOK.card_id(table, "tilbury_speech")
    seen = any(card in table.board.piles.get(pile, ()) for pile in (hands.BOX, hands.DISCARD, hands.REMOVED))
    if seen or not _tilbury_may(table, battle):
        return ()
    fighting = [battle.side_of(table, power) for power in table.board.powers]
    return [power for power, side in zip(table.board.powers, fighting, strict=True) if side is None]


@event("tilbury_speech", moments=(FIELD, ASSAULT, NAVAL, OUTSIDERS))
def tilbury_speech(table: Table, power: str, moment: Moment) -> None:
    """30: England throws 3 more dice; any power may play it for England, with units in the fight or without."""
    battle: Battle = moment["battle"]
    side = english_side(table, battle)
    if side is not None:
        battle.side(side).extra.append(More(number(table, 30, "dice"), table.kit.constants["hit_on"]))


@playable("tilbury_speech")
def _tilbury_speech(table: Table, power: str, moment: Moment) -> Refused | None:
    if not ruler_alive(table, ENGLAND):
        return Refused("elizabeth_dead", "23.3")
    return None if english_side(table, moment["battle"]) else Refused("no_english_units_in_fight")


# --- 31 ---


def _against_armada(table: Table, moment: Moment) -> bool:
    battle: Battle = moment["battle"]
    theirs = fleet(table, battle.space, battle.side(other_side(moment["side"])).power)
    return bool(theirs.of_kind("armada"))


@event("fireships", moments=(NAVAL,))
def fireships(table: Table, power: str, moment: Moment) -> None:
    """31: 2 more dice in the Atlantic, 4 against the Armada; each 6 among them is two hits."""
    dice = number(table, 31, "dice_against_armada" if _against_armada(table, moment) else "dice")
    more_dice(table, moment, dice, of_highest=number(table, 31, "hits_a_six"))


@playable("fireships")
def _fireships(table: Table, power: str, moment: Moment) -> Refused | None:
    here = waters(table, moment["battle"].space)
    return None if ATLANTIC in here else Refused("only_in_the_atlantic")


__all__ = ["ATLANTIC", "MEDITERRANEAN", "fighters", "outsiders", "waters"]
