"""The combat cards (6.1): 24 to 30. Only the powers whose own units fight are asked for them (14 steps 4 and 5)."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import number
from pbem.games.reformation.battle import ATTACKER, DEFENDER, Battle, owners
from pbem.games.reformation.forces import Force, add_units
from pbem.games.reformation.ground import controller
from pbem.games.reformation.relations import major_of
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

OTTOMAN, HAPSBURG, FRANCE = "ottoman", "hapsburg", "france"
MERCENARY, REGULAR = "mercenary", "regular"
FIELD, ASSAULT, NAVAL = "field_battle_cards", "assault_cards", "naval_combat_cards"


def other_side(name: str) -> str:
    """The side that a side fights."""
    return DEFENDER if name == ATTACKER else ATTACKER


def more_dice(table: Table, moment: Moment, dice: int, lowest: int | None = None) -> None:
    """The side throws more dice with its others, hits from a number up (5 as all dice, if none is named)."""
    battle: Battle = moment["battle"]
    battle.side(moment["side"]).extra.append((dice, lowest or table.kit.constants["hit_on"]))


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
    """26: half of the enemy's mercenaries in the battle, rounded up, go; as many own ones come (14 step 6).

    Where several powers have mercenaries on the other side, the power of the card chooses whose go.
    """
    battle: Battle = moment["battle"]
    theirs, mine = battle.side(other_side(moment["side"])).place, battle.side(moment["side"]).place
    gone = -(-sum(_bribable(table, moment).values()) // 2)
    for _ in range(gone):
        owner = yield from choose(
            table, power, "power", lambda t: list(_bribable(t, moment)), kind="event_choice", section="14", number=26
        )
        table.remove(owner, MERCENARY, theirs, why="bribed", section="14")
    add_units(table, power, MERCENARY, mine, gone, why="bribed", section="14")


@playable("mercenaries_bribed")
def _mercenaries_bribed(table: Table, power: str, moment: Moment) -> Refused | None:
    if power == OTTOMAN or moment["battle"].side_of(table, OTTOMAN) == other_side(moment["side"]):
        return Refused("not_with_ottoman")
    if not _bribable(table, moment):
        return Refused("enemy_without_mercenaries")
    return None


def _bribable(table: Table, moment: Moment) -> dict[str, int]:
    """The mercenaries of the other side, owner by owner; those in Rome take no part in its Sack (21.5)."""
    battle: Battle = moment["battle"]
    side = other_side(moment["side"])
    if battle.kind == "sack" and side == DEFENDER:
        return {}
    place = battle.side(side).place
    found = {owner: table.board.count(place, owner, MERCENARY) for owner in fighters(table, battle, side)}
    return {owner: many for owner, many in found.items() if many}


@event("mercenaries_grow_restless", moments=(ASSAULT,))
def mercenaries_grow_restless(table: Table, power: str, moment: Moment) -> None:
    """27: all mercenaries of the assaulting formation are removed; the assault looks whether its siege holds (15.3)."""
    battle: Battle = moment["battle"]
    assert battle.force is not None
    for owner, kinds in battle.force.units.items():
        there = table.board.count(battle.attacker.place, owner, MERCENARY)
        table.remove(owner, MERCENARY, battle.attacker.place, min(there, kinds.get(MERCENARY, 0)), why="restless")
    # Those that besiege the space without assaulting it do not step into the gap.
    left = {o: {k: n for k, n in kinds.items() if k != MERCENARY} for o, kinds in battle.force.units.items()}
    battle.force = Force(left, battle.force.leaders)


@playable("mercenaries_grow_restless")
def _mercenaries_grow_restless(table: Table, power: str, moment: Moment) -> Refused | None:
    battle: Battle = moment["battle"]
    if moment["side"] != DEFENDER or major_of(table.board, controller(table, battle.space) or "") != power:
        return Refused("for_the_assaulted")
    if battle.force is None or not battle.force.of_kind(MERCENARY):
        return Refused("assault_without_mercenaries")
    # 6.1: the power that controls the space is asked even when others defend it.
    return None if battle.side_of(table, power) == DEFENDER else Refused("no_units_in_fight")


@event("siege_mining", moments=(ASSAULT,))
def siege_mining(table: Table, power: str, moment: Moment) -> None:
    """28: 3 more dice for the attacker in an assault, declared before the dice."""
    more_dice(table, moment, number(table, 28, "dice"))


@playable("siege_mining")
def _siege_mining(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if moment["side"] == ATTACKER else Refused("for_the_assaulting")


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
    battle: Battle = moment["battle"]
    side = other_side(moment["side"])
    against = HAPSBURG in fighters(table, battle, side)
    regulars = table.board.count(battle.side(side).place, HAPSBURG, REGULAR) if against else 0
    if power != HAPSBURG and regulars < number(table, 30, "regulars"):
        return Refused("tercios_for_hapsburg", number=number(table, 30, "regulars"))
    return None
