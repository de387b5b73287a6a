"""21.5: the Sack of Rome."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.here_i_stand.religion import church
from pbem.games.here_i_stand.religion.conversion import PAPACY
from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.battle import ATTACKER, DEFENDER, Battle, Side, capture, roll_side
from pbem.games.reformation.choices import combat_cards
from pbem.games.reformation.forces import (
    all_of,
    best_battle,
    land_units,
    leaders_at,
    make_change,
)
from pbem.games.reformation.ground import (
    inside,
)
from pbem.games.reformation.rules import rules
from pbem.table.asking import Moment, choose, response
from pbem.table.procedure import Procedure, Table

ROME = "rome"


@dataclass
class Stack:
    """A stack that can sack Rome."""

    power: str
    space: str

    @property
    def name(self) -> str:
        """What it is called in a choice."""
        return f"{self.power}_in_{self.space}"


def papal_regulars(table: Table) -> int:
    """21.5: the Papal regulars in Rome, within its walls too."""
    return sum(table.board.count(place, PAPACY, "regular") for place in (ROME, inside(ROME)))


def sacking_stacks(table: Table) -> list[Stack]:
    """21.5: the non-Papal stacks in the Italian zone with more mercenaries than there are Papal regulars in Rome."""
    zone = table.kit.constants["sack_of_rome_language"]
    kind = rules(table).mercenary_kind
    return [
        Stack(power, space)
        for space, row in atlas(table).spaces.items()
        if row["language"] == zone
        for power in table.board.powers
        if power != PAPACY and table.board.count(space, power, kind) > papal_regulars(table)
    ]


def sack_rome(table: Table, player: str) -> Procedure:
    """21.5: the stack fights the Papal regulars in Rome and goes back. Value: whether the Papacy lost.

    No war comes of it. Mercenaries of the Papacy and allied troops in Rome do not fight.
    """
    name = yield from choose(
        table, player, "option", lambda t: [stack.name for stack in sacking_stacks(t)], section="21.5", number=95
    )
    stack = next(one for one in sacking_stacks(table) if one.name == name)
    rome = inside(ROME) if land_units(table, inside(ROME), PAPACY) else ROME
    battle = Battle("sack", ROME, Side(stack.power, stack.space), Side(PAPACY, rome))
    table.tell("sack_of_rome", power=stack.power, space=stack.space, section="21.5")
    for one in (stack.power, PAPACY):
        moment = Moment("field_battle", stack.power, {"battle": battle})
        yield from response(table, moment, [one], section="21.5", space=ROME)
    others = [one for one in table.board.powers if one not in (stack.power, PAPACY)]
    moment = Moment("field_battle", stack.power, {"battle": battle})
    yield from response(table, moment, others, section="21.5", space=ROME)
    for side, one in ((ATTACKER, stack.power), (DEFENDER, PAPACY)):
        moment = Moment("field_battle_cards", stack.power, {"battle": battle, "side": side})
        yield from combat_cards(table, one, moment, section="21.5", space=ROME, side=side)
    taken = {ATTACKER: 0, DEFENDER: 0}
    if battle.first:
        yield from _sack_by_surprise(table, battle, stack, taken)
    else:
        counts = {side: _sack_dice(table, battle, stack, side) for side in (ATTACKER, DEFENDER)}
        for side, dice in counts.items():
            roll_side(table, battle, side, dice, "sack_of_rome", "21.5")
    moment = Moment("field_battle_rolled", stack.power, {"battle": battle})
    yield from response(table, moment, kind="after_dice", section="21.5", space=ROME)
    won = battle.attacker.hits > battle.defender.hits
    table.tell(
        "battle_won",
        space=ROME,
        winner=stack.power if won else PAPACY,
        attacker_hits=battle.attacker.hits,
        defender_hits=battle.defender.hits,
        section="21.5",
    )
    yield from _sack_losses(table, battle, stack, taken)
    if won:
        yield from _sacked(table, stack.power)
    return won


def _sack_dice(table: Table, battle: Battle, stack: Stack, side: str) -> dict[str, int]:
    """21.5 step 2: a die for each unit of the stack, or each Papal regular; leaders; one for the defender."""
    if side == ATTACKER:
        troops = all_of(table, stack.space, stack.power)
        return {"units": troops.size(), "leader": best_battle(table, troops.leaders)}
    return {
        "units": papal_regulars(table),
        "leader": best_battle(table, leaders_at(table, battle.defender.place, PAPACY)),
        "defender": table.kit.constants["defender_bonus_dice"],
    }


def _sack_by_surprise(table: Table, battle: Battle, stack: Stack, taken: dict[str, int]) -> Procedure:
    """Card 29 (14 step 6): one side throws first, its hits are taken at once, then what is left of the other throws."""
    assert battle.first is not None
    first, second = battle.first, DEFENDER if battle.first == ATTACKER else ATTACKER
    roll_side(table, battle, first, _sack_dice(table, battle, stack, first), "sack_of_rome", "21.5")
    taken[second] = battle.side(first).hits
    if second == DEFENDER:
        _papal_losses(table, battle.defender.place, taken[second])
        left = papal_regulars(table)
    else:
        troops = all_of(table, stack.space, stack.power).size()
        yield from _even_losses(table, stack, min(troops, taken[second]))
        left = all_of(table, stack.space, stack.power).size()
    if left:
        roll_side(table, battle, second, _sack_dice(table, battle, stack, second), "sack_of_rome", "21.5")


def _sack_losses(table: Table, battle: Battle, stack: Stack, taken: dict[str, int]) -> Procedure:
    """21.5 step 3: Papal regulars first, then mercenaries; the attacker's as evenly as can be among his kinds.

    If both the stack and the regulars were wiped out one keeps a unit, as in any field battle: the side with more dice,
    else the defender. Papal mercenaries are not of the battle and save nobody; hits beyond the regulars find them all
    the same. `taken` are the hits of either side that a Surprise Attack had its losses for.
    """
    troops, regulars = all_of(table, stack.space, stack.power).size(), papal_regulars(table)
    lost = min(troops, battle.defender.hits - taken[ATTACKER])
    papal = battle.attacker.hits - taken[DEFENDER]
    spared = 0
    if troops and lost == troops and regulars and papal >= regulars:
        if battle.attacker.dice > battle.defender.dice:
            lost -= 1
        else:
            spared = 1
    rome = battle.defender.place
    _papal_losses(table, rome, papal, spared)
    yield from _even_losses(table, stack, lost)
    make_change(table, rome, stack.space)
    if not all_of(table, stack.space, stack.power).size():
        for leader in leaders_at(table, stack.space, stack.power):
            capture(table, leader, PAPACY, "21.5")
    if not land_units(table, rome, PAPACY):
        for leader in leaders_at(table, rome, PAPACY):
            capture(table, leader, stack.power, "21.5")


def _papal_losses(table: Table, rome: str, hits: int, spared: int = 0) -> None:
    """Regulars are lost first, but for those spared; hits beyond their number take mercenaries."""
    regulars = table.board.count(rome, PAPACY, "regular")
    table.remove(PAPACY, "regular", rome, min(regulars - spared, hits), why="loss", section="21.5")
    kind = rules(table).mercenary_kind
    rest = min(max(0, hits - regulars), table.board.count(rome, PAPACY, kind))
    table.remove(PAPACY, kind, rome, rest, why="loss", section="21.5")


def _even_losses(table: Table, stack: Stack, number: int) -> Procedure:
    """The attacker's losses: mercenaries and other units by turns; the owner says what an odd one is taken from."""
    kind = rules(table).mercenary_kind

    def others() -> list[tuple[str, str]]:
        units = all_of(table, stack.space, stack.power).units
        return [(owner, one) for owner, kinds in units.items() for one in kinds if one != kind]

    for _ in range(number // 2):
        for first in (True, False):
            _lose_one(table, stack, kind, others(), first)
    if number % 2:
        odd = yield from choose(
            table,
            stack.power,
            "option",
            lambda t: [
                name
                for name, any_left in (
                    (kind, t.board.count(stack.space, stack.power, kind)),
                    ("other", len(others())),
                )
                if any_left
            ],
            kind="losses",
            section="21.5",
            number=1,
            place=stack.space,
        )
        _lose_one(table, stack, kind, others(), odd == kind)


def _lose_one(table: Table, stack: Stack, kind: str, others: list[tuple[str, str]], mercenary: bool) -> None:
    if mercenary or not others:
        owner, one = stack.power, kind
        if not table.board.count(stack.space, stack.power, kind) and others:
            owner, one = others[0]
    else:
        owner, one = others[0]
    table.remove(owner, one, stack.space, 1, why="loss", section="21.5")


def _sacked(table: Table, power: str) -> Procedure:
    """21.5 step 6: Saint Peter's loses CP; the stack's owner sees two random Papal cards and keeps one."""
    church.st_peters_loses(table, table.kit.constants["sack_of_rome_cp"])
    drawn = []
    for _ in range(table.kit.tables["card_numbers"]["95:cards_drawn"]["value"]):
        card = hands.random_card(table, PAPACY, power, "sack_of_rome", section="21.5")
        if card is not None:
            drawn.append(card)
    if len(drawn) > 1:
        kept = yield from choose(table, power, "card", lambda t: drawn, section="21.5", number=95)
        for card in drawn:
            if card != kept:
                hands.discard(table, power, card, why="sack_of_rome")
