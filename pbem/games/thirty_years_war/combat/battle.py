"""12: combat in the open, step by step as 12.21 has it, and what cards may change of it.

What is told of it is told with its sources, so that the story can say every number: who stands there and how strong,
where each modifier comes from, both dice, the losses due and taken, each leader's test, who won by what, the way back.

The attacker is asked once for all that he says before the dice (`Attack`), the defender once (`Defend`), whether he
holds a card or not. Losses and the loser's way back are asked together: the winner is known as soon as the dice are,
for how much of a result has to be lost does not hang on what is lost (12.31).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.combat import combat_cards, leader_losses, losses, retreat, siege
from pbem.games.thirty_years_war.combat.engagement import (
    ATTACKER,
    COLUMN,
    DEFENDER,
    DIE,
    FIELD,
    LOST,
    RATING,
    RELIEF,
    ROLES,
    WON,
    Battle,
    Force,
    described,
    leaders_of,
    present,
    strength,
)
from pbem.games.thirty_years_war.map import atlas, number, other, roll
from pbem.games.thirty_years_war.marching import forage
from pbem.games.thirty_years_war.politics import wallenstein
from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, Question


def field_battle(
    table: Table,
    space: str,
    attacker: str,
    *,
    active: Sequence[str],
    leader: str | None,
    came_from: str | None,
    kind: str = FIELD,
) -> Procedure:
    """12: the active pieces of a side fight all enemy units in the open in a space. Value: `WON` or `LOST`.

    `leader` leads the attack, `came_from` is where a beaten attacker goes (None: nowhere, 17.D.3). Where the enemy
    besieges a fortress of the attacker's it is a relief; `kind` is given for a sortie alone.
    """
    defender = other(attacker)
    relieves = kind == FIELD and siege.besieger(table, space) == defender
    fought = Battle(
        RELIEF if relieves else kind,
        space,
        Force(ATTACKER, attacker, [piece for piece in active if pieces.is_unit(piece)], leader),
        Force(DEFENDER, defender, pieces.units(table, space, defender, inside=False), None),
        came_from,
    )
    fought.defender.commander = combat_cards.commander(table, fought, None)
    table.tell(
        "battle",
        kind=fought.kind,
        space=space,
        came_from=came_from,
        attacker=attacker,
        defender=defender,
        forces={role: described(table, fought, role) for role in ROLES},
        section="12.1",
    )
    yield from combat_cards.fight(table, fought)
    yield from combat_cards.defend(table, fought)
    roll_dice(table, fought)
    yield from take_losses(table, fought)
    leader_losses.test_leaders(table, fought)
    yield from control.triggers(table)
    yield from starve(table, fought)
    declare_winner(table, fought)
    take_field(table, fought)
    yield from retreat.loser_retreats(table, fought)
    combat_cards.put_away(table, fought)
    yield from control.triggers(table)
    return WON if fought.winner == ATTACKER else LOST


# --- 12.24 to 12.26: modifiers, columns, dice ---


def modifiers(table: Table, fought: Battle, role: str) -> list[dict[str, Any]]:
    """12.24: the battle rating of the commander, and what cards add to the die or take from it, each with its source.

    Of the attacker only the active leader counts (10.13), of the defender the one that commands (INT-13).
    """
    force = fought.force(role)
    void = fought.in_force(role, RATING)
    entries: list[dict[str, Any]] = []
    if force.commander is not None:
        face = pieces.face_of(table, force.commander)
        entries.append({"source": "leader", "leader": face, "value": 0 if void else force.rating})
    entries += [{"source": "card", "card": effect.source, "value": 0} for effect in void]
    entries += [{"source": "card", "card": e.source, "value": e.value} for e in fought.in_force(role, DIE)]
    return entries


def columns(table: Table) -> list[str]:
    """12.25: the columns of the combat results table, the weakest first."""
    rows = table.kit.tables["combat_columns"]
    return sorted(rows, key=lambda id: rows[id]["minimum"])


def column(table: Table, fought: Battle, role: str) -> str | None:
    """12.25: the column of a side: by strength, shifted by cards up to the outer ones; None without units."""
    own = strength(table, fought, role)
    rows, order = table.kit.tables["combat_columns"], columns(table)
    reached = [n for n, id in enumerate(order) if rows[id]["minimum"] <= own]
    if not reached:
        return None
    shifted = reached[-1] + sum(effect.value for effect in fought.in_force(role, COLUMN))
    return order[max(0, min(shifted, len(order) - 1))]


def result(table: Table, of_column: str, modified: int) -> int:
    """12.26: the loss factors that a roll inflicts, held within the rows of the table."""
    row = max(number(table, "combat_roll_minimum"), min(modified, number(table, "combat_roll_maximum")))
    return next(
        entry["loss_factors"]
        for entry in table.kit.tables["combat"].values()
        if entry["column"] == of_column and entry["roll"] == row
    )


def roll_dice(table: Table, fought: Battle) -> None:
    """12.26: each side throws; both results come from the strengths before losses (INT-53)."""
    told = []
    for role in ROLES:
        force = fought.force(role)
        if force.commander is not None:
            force.commanded_by = pieces.face_of(table, force.commander)
            force.rating = pieces.leader_row(table, force.commander)["battle"]
            force.dynamic = pieces.is_dynamic(table, force.commander)
    for role in ROLES:
        force, changes, of_column = fought.force(role), modifiers(table, fought, role), column(table, fought, role)
        die = roll(table, "battle", force.side, role=role, space=fought.space, section="12.26")
        modified = die + sum(entry["value"] for entry in changes)
        fought.enemy(role).due = result(table, of_column, modified) if of_column else 0
        told.append(
            {
                "role": role,
                "side": force.side,
                "strength": strength(table, fought, role),
                "column": of_column,
                "shifts": [{"card": e.source, "value": e.value} for e in fought.in_force(role, COLUMN)],
                "modifiers": changes,
                "modifier": sum(entry["value"] for entry in changes),
                "die": die,
                "modified": max(
                    number(table, "combat_roll_minimum"), min(modified, number(table, "combat_roll_maximum"))
                ),
                "result": fought.enemy(role).due,
            }
        )
    table.tell("battle_rolled", space=fought.space, sides=told, section="12.26")


# --- 12.27: losses ---


def take_losses(table: Table, fought: Battle) -> Procedure:
    """12.27, 12.3: both sides choose what they lose, and the loser where he goes; all asked at once and sealed.

    By some options the winner is not known yet; then the loser is asked for his way when he is (`retreat`).
    """
    for role in ROLES:
        force = fought.force(role)
        force.units = present(table, force.units)
        force.whole = sum(losses.factor_of(table, unit, 2) for unit in force.units)
        force.taken = losses.reachable(table, force.units, force.due)
    asked: dict[str, Question] = {}
    for role in ROLES:
        force = fought.force(role)
        if losses.needs_answer(table, force.units, force.due):
            asked[role] = losses.losses_question(
                force.side,
                force.units,
                force.due,
                space=fought.space,
                why="battle",
                section="12.31",
                key=f"losses:{force.side}",
                role=role,
                each=losses.what_steps_count(table, force.units),
                least=force.taken,
            )
    way_back = None
    if is_decided(table, fought):
        fought.winner, fought.won_by = winner(table, fought)
        way_back = retreat.question(table, fought)
    questions = [*asked.values(), *([way_back] if way_back else [])]
    answers: Mapping[str, Any] = {}
    if questions:
        answers = yield AllOf(questions, kind="battle_losses")
    for role in ROLES:
        force = fought.force(role)
        if role in asked:
            lost = losses.chosen(table, asked[role], answers[asked[role].key])
        else:
            lost = losses.silent_choice(table, force.units, force.due)
        force.taken = losses.counted(table, lost)
        table.tell(
            "battle_losses",
            role=role,
            side=force.side,
            space=fought.space,
            due=force.due,
            taken=force.taken,
            lost=losses.described(table, lost),
            section="12.31",
        )
        losses.take(table, lost, why="battle", section="12.32")
    if way_back is not None:
        fought.way_back = answers[way_back.key]


def starve(table: Table, fought: Battle) -> Procedure:
    """11.16, 11.162: the attacker's forage; who starves after a battle that the enemy's units outlive has lost it."""
    before = pieces.units(table, fought.space, fought.attacker.side, inside=False)
    yield from forage.forage(table)
    if not before or pieces.units(table, fought.space, fought.attacker.side, inside=False):
        return
    if pieces.units(table, fought.space, fought.defender.side, inside=False):
        fought.starved = True


# --- 12.28: the winner ---


def is_decided(table: Table, fought: Battle) -> bool:
    """Whether the winner is known before the losses are chosen: what is taken of a result does not hang on the choice,
    and no leader's death can turn a tie (options ``inexact_losses``, ``dead_commander_tie``)."""
    if table.options["inexact_losses"] != "largest":
        return False
    return table.options["dead_commander_tie"] or winner(table, fought)[1] in ("destroyed", "losses")


def destroyed(table: Table, fought: Battle, role: str) -> bool:
    """INT-14: whether no unit of a side is left to hold the field once its losses are taken (option)."""
    if table.options["destroyed_side"] != "loses":
        return False
    force = fought.force(role)
    outside = pieces.units(table, fought.space, force.side, inside=False)
    spared = [unit for unit in outside if unit not in force.units]
    return not spared and force.taken >= force.whole


def winner(table: Table, fought: Battle) -> tuple[str, str]:
    """12.28: which role wins, and by what: ``destroyed``, ``losses``, a ``dynamic`` leader, or as the ``defender``.

    Compared are the losses taken (INT-12, option ``winner_by``); who is wiped out has lost whatever they are (INT-14).
    """
    gone = [role for role in ROLES if destroyed(table, fought, role)]
    if gone:
        return (DEFENDER if ATTACKER in gone else ATTACKER), "destroyed"
    applied = table.options["winner_by"] == "applied"
    suffered = {role: fought.force(role).taken if applied else fought.force(role).due for role in ROLES}
    if suffered[ATTACKER] != suffered[DEFENDER]:
        return (ATTACKER if suffered[DEFENDER] > suffered[ATTACKER] else DEFENDER), "losses"
    dynamic = [role for role in ROLES if decides_tie(table, fought, role)]
    if len(dynamic) == 1:
        return dynamic[0], "dynamic"
    return DEFENDER, "defender"


def decides_tie(table: Table, fought: Battle, role: str) -> bool:
    """12.28: whether a dynamic leader commanded, alive or killed in the battle (INT-67, option)."""
    force = fought.force(role)
    return force.dynamic and (table.options["dead_commander_tie"] or force.commanded_by not in fought.killed)


def declare_winner(table: Table, fought: Battle) -> None:
    """12.28: who has won, by what, and what each side caused; Wallenstein's points of a battle won (7.1)."""
    if fought.starved:
        fought.winner, fought.won_by, fought.way_back = DEFENDER, "forage", None
    elif fought.winner is None:
        fought.winner, fought.won_by = winner(table, fought)
    table.tell(
        "battle_won",
        space=fought.space,
        role=fought.winner,
        side=fought.force(fought.winner).side,
        loser=fought.enemy(fought.winner).side,
        by=fought.won_by,
        caused={role: fought.enemy(role).taken for role in ROLES},
        section="12.28",
    )
    if fought.winner == ATTACKER:
        army = [*leaders_of(table, fought, ATTACKER), *present(table, fought.attacker.units)]
        wallenstein.won_as_attacker(table, fought.attacker.commander, army, fought.space)


def take_field(table: Table, fought: Battle) -> None:
    """12.28, 12.29: the winner takes or keeps an unfortified space at once; a fortress stays whose it is."""
    winning = fought.force(fought.winner or DEFENDER)
    holds = pieces.units(table, fought.space, winning.side, inside=False)
    if holds and not atlas(table).is_fortress(fought.space):
        control.gain(table, fought.space, winning.side, "battle")


ORDERS: tuple[type[Order], ...] = (*combat_cards.ORDERS, *losses.LOSSES, *retreat.ORDERS)
