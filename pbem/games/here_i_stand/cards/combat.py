"""The combat cards (6.1): 24 to 30. Only the powers whose own units fight are asked for them (14 steps 4 and 5)."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import number
from pbem.games.reformation.battle import DEFENDER, Battle, owners
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
from pbem.table.asking import Moment
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

OTTOMAN, HAPSBURG, FRANCE = "ottoman", "hapsburg", "france"


def fighters(table: Table, battle: Battle, side: str) -> list[str]:
    """The owners whose units fight on a side; in the Sack of Rome the Papacy has no allies beside it (21.5)."""
    if battle.kind == "sack" and side == DEFENDER:
        return [battle.defender.power]
    return owners(table, battle, side)


@event("arquebusiers", moments=(FIELD, NAVAL))
def arquebusiers(table: Table, power: str, moment: Moment) -> None:
    """24: 2 more dice in a field battle or a naval combat, declared before the dice."""
    more_dice(table, moment, number(table, 24, "dice"))


@event("field_artillery", moments=(FIELD,))
def field_artillery(table: Table, power: str, moment: Moment) -> None:
    """25: 2 more dice in a field battle, 3 for France and the Ottoman."""
    more_dice(table, moment, number(table, 25, "dice_france_ottoman" if power in (FRANCE, OTTOMAN) else "dice"))


@event("mercenaries_bribed", moments=(FIELD,))
def mercenaries_bribed(table: Table, power: str, moment: Moment) -> Procedure:
    """26: half of the enemy's mercenaries in the battle, rounded up, go; as many own ones come (14 step 6)."""
    yield from bribe(table, power, moment, lambda t: _bribable(t, moment), 2, 26, power)


@playable("mercenaries_bribed")
def _mercenaries_bribed(table: Table, power: str, moment: Moment) -> Refused | None:
    return why_no_bribe(table, power, moment, lambda t: _bribable(t, moment))


def _bribable(table: Table, moment: Moment) -> list[str]:
    """The owners of the other side whose mercenaries fight; those in Rome take no part in its Sack (21.5)."""
    battle: Battle = moment["battle"]
    side = other_side(moment["side"])
    return [] if battle.kind == "sack" and side == DEFENDER else fighters(table, battle, side)


@event("mercenaries_grow_restless", moments=(ASSAULT,))
def mercenaries_grow_restless(table: Table, power: str, moment: Moment) -> None:
    """27: all mercenaries of the assaulting formation are removed; the assault looks whether its siege holds (15.3)."""
    send_away(table, moment)


@playable("mercenaries_grow_restless")
def _mercenaries_grow_restless(table: Table, power: str, moment: Moment) -> Refused | None:
    return why_none_sent_away(table, power, moment)


@event("siege_mining", moments=(ASSAULT,))
def siege_mining(table: Table, power: str, moment: Moment) -> None:
    """28: 3 more dice for the attacker in an assault, declared before the dice."""
    more_dice(table, moment, number(table, 28, "dice"))


@playable("siege_mining")
def _siege_mining(table: Table, power: str, moment: Moment) -> Refused | None:
    return why_not_attacking(moment)


@event("surprise_attack", moments=(FIELD,))
def surprise_attack(table: Table, power: str, moment: Moment) -> None:
    """29: the own side throws first, its hits are taken at once, then the others' dice are counted (14 step 6)."""
    moment["battle"].first = moment["side"]


@event("tercios", moments=(FIELD,))
def tercios(table: Table, power: str, moment: Moment) -> None:
    """30: the Hapsburg has 3 more dice, hits from 4; another fights 3 of its regulars or more: it throws 3 fewer."""
    if power == HAPSBURG:
        more_dice(table, moment, number(table, 30, "dice"), number(table, 30, "hit_on"))
    else:
        moment["battle"].side(other_side(moment["side"])).fewer += number(table, 30, "fewer_dice")


@playable("tercios")
def _tercios(table: Table, power: str, moment: Moment) -> Refused | None:
    regulars = regulars_against(
        table, moment, HAPSBURG, lambda t: fighters(t, moment["battle"], other_side(moment["side"]))
    )
    if power != HAPSBURG and regulars < number(table, 30, "regulars"):
        return Refused("tercios_for_hapsburg", number=number(table, 30, "regulars"))
    return None
