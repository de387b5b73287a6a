"""20.4: riches and raiders. Rolled in the Card Draw phase."""

from __future__ import annotations

from pbem.games.here_i_stand.new_world.holdings import CONQUEST, HAPSBURG, colonies, discoveries_of, has, lose_marker
from pbem.table.procedure import Procedure, Table


def roll_riches(table: Table) -> Procedure:
    """20.4: a roll for each colony and conquest; the cards gained are counted in ``cards_extra:<power>``."""
    for power in table.board.powers:
        for colony in colonies(table, power, arrived=True):
            column = "potosi" if colony.endswith(":potosi") else "colony"
            bonus = table.kit.constants["plantations_bonus"] if has(table, "plantations", power) else 0
            result = _riches_roll(table, power, column, bonus)
            _card_of(table, power, result)
            if result == "eliminated":
                table.put(colony, None, why="riches", section="20.4")
                table.count("colonies", power, -1, section="20.4")
        for discovery in discoveries_of(table, CONQUEST):
            piece = table.board.pieces[f"discovery:{discovery}"]
            if piece["at"] == power and piece.get("riches"):
                result = _riches_roll(table, power, discovery, 0)
                _card_of(table, power, result)
                if result in ("deplete", "eliminated"):
                    table.put(f"discovery:{discovery}", power, why="riches", section="20.4", riches=False)
    return
    yield


def _riches_roll(table: Table, power: str, column: str, bonus: int) -> str:
    constants, rows = table.kit.constants, table.kit.tables["riches"]
    dice = table.roll("riches", power, constants["riches_dice"], source=column, modifier=bonus, section="20.4")
    most = max(int(roll) for roll in rows)
    result = rows[str(min(most, sum(dice) + bonus))][column]
    table.tell("riches", power=power, source=column, result=result, section="20.4")
    return result


def _card_of(table: Table, power: str, result: str) -> None:
    """A result that gives a card: to the power, unless raiders take it from the Hapsburg."""
    if result not in ("card", "deplete") and not (result == "galleon" and has(table, "galleons", power)):
        return
    taker = _raided(table) if power == HAPSBURG else None
    name = f"cards_extra:{taker or power}"
    table.set(name, table.board.state.get(name, 0) + 1, section="20.4")


def _raided(table: Table) -> str | None:
    """20.4: the raiders of France, England and the Protestant try in this order; who takes the card, or None."""
    rows = table.kit.tables["raiders"]
    for power in table.kit.constants["raider_order"]:
        if not has(table, "raiders", power):
            continue
        row = rows[str(table.roll("raiders", power, 1, section="20.4")[0])]
        galleons = has(table, "galleons", HAPSBURG)
        if row["raider"] == "eliminated" or (row["raider"] == "eliminated_by_galleons" and galleons):
            lose_marker(table, "raiders", power, why="raiders", section="20.4")
        if row["result"] == "stolen":
            table.tell("raided", power=power, target=HAPSBURG, section="20.4")
            return power
    return None
