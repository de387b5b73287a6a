"""What combat cards of both games do in a battle: their procedures, without the cards' numbers (14 to 16.2).

`theirs` gives the owners on the other side whose units a card counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.reformation.battle import ATTACKER, DEFENDER, Battle, More
from pbem.games.reformation.forces import Force, add_units
from pbem.games.reformation.ground import controller
from pbem.games.reformation.relations import major_of
from pbem.games.reformation.rules import rules
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

FIELD, ASSAULT, NAVAL = "field_battle_cards", "assault_cards", "naval_combat_cards"


def other_side(name: str) -> str:
    """The side that a side fights."""
    return DEFENDER if name == ATTACKER else ATTACKER


def more_dice(table: Table, moment: Moment, dice: int, lowest: int | None = None, of_highest: int = 1) -> None:
    """The side throws more dice with its others, hits from a number up (as all dice, if none is named)."""
    battle: Battle = moment["battle"]
    more = More(dice, lowest or table.kit.constants["hit_on"], of_highest)
    battle.side(moment["side"]).extra.append(more)


# --- mercenaries of the other side ---


def bribable(table: Table, moment: Moment, theirs: Callable[[Table], Sequence[str]]) -> dict[str, int]:
    """The mercenaries of the other side, owner by owner."""
    place = moment["battle"].side(other_side(moment["side"])).place
    mercenaries = {owner: table.board.count(place, owner, rules(table).mercenary_kind) for owner in theirs(table)}
    return {owner: many for owner, many in mercenaries.items() if many}


def bribe(
    table: Table,
    power: str,
    moment: Moment,
    theirs: Callable[[Table], Sequence[str]],
    divisor: int,
    card: int,
    mine: str,
) -> Procedure:
    """A part of the enemy's mercenaries in the battle, rounded up, go; as many of the owner `mine` come (14 step 6).

    Where several powers have mercenaries on the other side, the power of the card chooses whose go.
    """
    battle: Battle = moment["battle"]
    kind = rules(table).mercenary_kind
    place = battle.side(other_side(moment["side"])).place
    gone = -(-sum(bribable(table, moment, theirs).values()) // divisor)
    for _ in range(gone):
        owner = yield from choose(
            table,
            power,
            "power",
            lambda t: list(bribable(t, moment, theirs)),
            kind="event_choice",
            section="14",
            number=card,
        )
        table.remove(owner, kind, place, why="bribed", section="14")
    add_units(table, mine, kind, battle.side(moment["side"]).place, gone, why="bribed", section="14")


def why_no_bribe(
    table: Table, power: str, moment: Moment, theirs: Callable[[Table], Sequence[str]]
) -> Refused | None:
    """Why nobody is bribed: the power of the cavalry, the Ottoman, is on either side, or the enemy has no mercenaries.

    `theirs` gives the owners on the other side whose mercenaries fight.
    """
    ottoman = rules(table).cavalry_power
    if power == ottoman or (ottoman and moment["battle"].side_of(table, ottoman) == other_side(moment["side"])):
        return Refused("not_with_ottoman")
    return None if bribable(table, moment, theirs) else Refused("enemy_without_mercenaries")


def why_not_attacking(moment: Moment) -> Refused | None:
    """Why a card of the attacker of an assault is not for this side."""
    return None if moment["side"] == ATTACKER else Refused("for_the_assaulting")


def send_away(table: Table, moment: Moment) -> None:
    """All mercenaries of the assaulting formation are removed; the assault looks whether its siege holds (15.3)."""
    battle: Battle = moment["battle"]
    assert battle.force is not None
    mercenary = rules(table).mercenary_kind
    for owner, kinds in battle.force.units.items():
        there = table.board.count(battle.attacker.place, owner, mercenary)
        table.remove(owner, mercenary, battle.attacker.place, min(there, kinds.get(mercenary, 0)), why="restless")
    # Those that besiege the space without assaulting it do not step into the gap.
    left = {o: {k: n for k, n in kinds.items() if k != mercenary} for o, kinds in battle.force.units.items()}
    battle.force = Force(left, battle.force.leaders)


def why_none_sent_away(table: Table, power: str, moment: Moment) -> Refused | None:
    """Why the mercenaries of an assault stay: the power does not defend a space that it controls, or there are none."""
    battle: Battle = moment["battle"]
    if moment["side"] != DEFENDER or major_of(table.board, controller(table, battle.space) or "") != power:
        return Refused("for_the_assaulted")
    if battle.force is None or not battle.force.of_kind(rules(table).mercenary_kind):
        return Refused("assault_without_mercenaries")
    # 6.1: the power that controls the space is asked even when others defend it.
    return None if battle.side_of(table, power) == DEFENDER else Refused("no_units_in_fight")


def regulars_against(table: Table, moment: Moment, owner: str, theirs: Callable[[Table], Sequence[str]]) -> int:
    """How many regulars of an owner fight on the other side."""
    if owner not in theirs(table):
        return 0
    place = moment["battle"].side(other_side(moment["side"])).place
    return table.board.count(place, owner, rules(table).regular_kind)
